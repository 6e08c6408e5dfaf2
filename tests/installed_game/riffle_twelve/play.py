"""The rules of Twelve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.engine import events
from rules.engine.card_tables import CardTables, card_tables
from rules.engine.chance import Chance
from rules.engine.fields import LIST, each_seat, field
from rules.engine.moves import Move
from rules.engine.rulebook import Rulebook
from rules.engine.state import OWNER, State, Zone, ranked

BOOK: Rulebook[Twelve] = Rulebook()
PLAY = BOOK.card_move("play", "Play {card}")
SEAT, CARD = events.seat(), events.card()

SHUFFLED = BOOK.event(
    "shuffled",
    events.cards().unseen(),
    reveals=True,
    draws="shuffle cards 0..; put cards[0:3] hand:0; put cards[3:6] hand:1",
    begins=True,
)
DEALT = BOOK.event("dealt", SEAT, events.cards().known_to(SEAT), reveals=True)
TRICK_BEGUN = BOOK.event("trick_begun", SEAT, events.number(), turn=True, says="Trick {number}")
LAID = BOOK.event(
    "laid",
    SEAT,
    CARD,
    reveals=True,
    plays=True,
    says="{seat} plays {card}.",
    motion=events.Motion(CARD, "hand", "laid"),
)
TRICK_WON = BOOK.event("trick_won", SEAT, says="{seat} takes the trick.")
RESIGNED = BOOK.event("resigned", SEAT, says="{seat} gives up.")


def _ended(event: events.EventWords) -> str:
    return f"{events.all_of(event.names[seat] for seat in event.value['ranking'][0])} won."


MATCH_ENDED = BOOK.event(
    "match_ended", events.ranking(), events.word("reason"), says=_ended, ends=True
)


SLUGS = [f"twelve-{number:02}" for number in range(1, 13)]


class Cards(CardTables):
    """The physical cards by number: 0 is the One."""

    package = "riffle_twelve"
    game = "Twelve"


@dataclass(init=False, eq=False, slots=True)
class Twelve(State):
    hidden_zones: ClassVar = {"hand": OWNER, "rest": events.NOBODY}

    cards: Cards = card_tables(Cards)
    hands: list[list[int]] = each_seat(LIST)
    rest: list[int] = field(LIST)
    laid: list[int] = field(LIST)
    won: list[int] = each_seat(0)
    leader: int = 0
    trick: int = 0

    def zones(self) -> Iterator[Zone]:
        for seat, hand in enumerate(self.hands):
            yield "hand", seat, hand
        yield "rest", None, self.rest
        yield "laid", None, self.laid


def prepare(seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Any]) -> Twelve:
    """TWE-R-01"""
    s = Twelve.new(seats, chance, cards=Cards.in_order(SLUGS))
    pile = list(range(len(SLUGS)))
    chance.shuffle(pile)
    s.tell(SHUFFLED, tuple(pile))
    for seat in range(seats):
        s.hands[seat] = sorted(pile[3 * seat : 3 * seat + 3])
        s.tell(DEALT, seat, tuple(s.hands[seat]))
    s.rest = pile[3 * seats :]
    s.then(begin_trick)
    return s


def arrange(chance: Chance, options: Mapping[str, Any], *, seats: Sequence[Any]) -> Twelve:
    """A table laid out by hand, for tests: each seat's ``hand``; the rest stays in the pile."""
    s = Twelve.new(len(seats), chance, cards=Cards.in_order(SLUGS))
    for seat, laid in enumerate(seats):
        s.hands[seat] = [SLUGS.index(Cards.named(name)) for name in laid.get("hand", ())]
    dealt = {card for hand in s.hands for card in hand}
    s.rest = [card for card in range(len(SLUGS)) if card not in dealt]
    s.then(begin_trick)
    return s


@BOOK.step
def begin_trick(s: Twelve) -> None:
    """TWE-R-02, TWE-R-03"""
    if s.trick == 3:
        return finish(s, s.won, "tricks")
    s.trick += 1
    s.tell(TRICK_BEGUN, s.leader, s.trick)
    s.then(end_trick)
    for n in reversed(range(s.seats)):
        s.then(lay, (s.leader + n) % s.seats)
    return None


@BOOK.step
def lay(s: Twelve, seat: int) -> None:
    s.ask(seat, card)


@BOOK.prompt("Play a card.")
def card(s: Twelve, seat: int) -> Sequence[Move]:
    return [PLAY[card] for card in s.hands[seat]]


@card.answer
def play_card(s: Twelve, seat: int, move: Move) -> None:
    assert move.card is not None
    s.hands[seat].remove(move.card)
    s.laid.append(move.card)
    s.tell(LAID, seat, move.card)


@BOOK.step
def end_trick(s: Twelve) -> None:
    played = s.laid[-s.seats :]
    s.leader = (s.leader + played.index(max(played))) % s.seats
    s.won[s.leader] += 1
    s.tell(TRICK_WON, s.leader)
    s.then(begin_trick)


def concede(s: Twelve, seat: int) -> None:
    """TWE-R-04"""
    s.tell(RESIGNED, seat)
    finish(s, [-1 if other == seat else won for other, won in enumerate(s.won)], "resigned")


def finish(s: Twelve, points: Sequence[int], reason: str) -> None:
    ranking = ranked(range(s.seats), points.__getitem__)
    s.end(ranking, reason)
    s.tell(MATCH_ENDED, tuple(ranking), reason)
