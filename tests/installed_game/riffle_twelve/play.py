"""The rules of Twelve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rules.engine import events
from rules.engine.chance import Chance
from rules.engine.moves import Move
from rules.engine.rulebook import Rulebook
from rules.engine.state import Outcome, State

BOOK: Rulebook[Twelve] = Rulebook()
PLAY = BOOK.card_move("play", "Play {card}")
SEAT, CARD = events.seat(), events.card()

SHUFFLED = BOOK.event("shuffled", events.cards().unseen(), reveals=True)
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


def _ended(told: events.Told) -> str:
    return f"{events.all_of(told.names[seat] for seat in told.value['ranking'][0])} won."


MATCH_ENDED = BOOK.event("match_ended", events.ranking(), events.word("reason"), says=_ended)


class Cards(SimpleNamespace):
    """The physical cards by number: 0 is the One."""

    slugs = tuple(f"twelve-{number:02}" for number in range(1, 13))

    def __len__(self) -> int:
        return len(self.slugs)


class Twelve(State):
    cards = Cards()
    __slots__ = ("hands", "laid", "leader", "rest", "trick", "won")

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, chance)
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.rest: list[int] = []
        self.laid: list[int] = []
        self.won = [0] * seats
        self.leader = 0
        self.trick = 0

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        for seat, hand in enumerate(self.hands):
            yield "hand", seat, hand
        yield "rest", None, self.rest
        yield "laid", None, self.laid

    def copy(self) -> Twelve:
        twin = Twelve(self.seats, self.chance)
        self.copy_frame(twin)
        twin.hands = [hand[:] for hand in self.hands]
        twin.rest, twin.laid, twin.won = self.rest[:], self.laid[:], self.won[:]
        twin.leader, twin.trick = self.leader, self.trick
        return twin

    def to_data(self) -> dict[str, Any]:
        return self.frame_to_data() | {
            "hands": [hand[:] for hand in self.hands],
            "rest": self.rest[:],
            "laid": self.laid[:],
            "won": self.won[:],
            "leader": self.leader,
            "trick": self.trick,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Twelve:
        s = cls(len(data["hands"]), Chance(bytes(32)))
        s.frame_from_data(data)
        s.hands = [list(hand) for hand in data["hands"]]
        s.rest, s.laid, s.won = list(data["rest"]), list(data["laid"]), list(data["won"])
        s.leader, s.trick = data["leader"], data["trick"]
        return s


def prepare(seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Any]) -> Twelve:
    """TWE-R-01"""
    s = Twelve(seats, chance)
    pile = list(range(12))
    chance.shuffle(pile)
    s.tell(SHUFFLED, tuple(pile))
    for seat in range(seats):
        s.hands[seat] = sorted(pile[3 * seat : 3 * seat + 3])
        s.tell(DEALT, seat, tuple(s.hands[seat]))
    s.rest = pile[3 * seats :]
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
    best = sorted(set(points), reverse=True)
    ranking = tuple(tuple(seat for seat in range(s.seats) if points[seat] == some) for some in best)
    s.outcome = Outcome(ranking, ranking[0], reason)
    s.tell(MATCH_ENDED, ranking, reason)
