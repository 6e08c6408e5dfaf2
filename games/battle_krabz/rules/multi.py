"""Multi-Player Mode (specification, section 2.4): call a number, the highest takes all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.battle_krabz import events
from games.battle_krabz.legality import cards_of, check_table
from games.battle_krabz.moves import CALL
from games.battle_krabz.rulebook import BOOK
from games.battle_krabz.state import (
    CATEGORIES,
    NONE,
    Cards,
    Trumps,
)
from rules.engine.cards import load_products
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal
from rules.engine.moves import Move, Word
from rules.engine.state import ranked

CALLS: Final = tuple(CALL[category] for category in CATEGORIES)


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Trumps:
    """BKZ-M-04, BKZ-M-05, BKZ-M-07, BKZ-R-45: piles are made, then a leader is drawn."""
    if options["pack"] == "own":
        s = _own_piles(seats, chance, options, decks)
    else:
        s = _common_piles(seats, chance, options)
    s.leader = chance.pick(seats)
    s.tell(events.FIRST_LEADER, s.leader)
    start(s)
    return s


def _common_piles(seats: int, chance: Chance, options: Mapping[str, Any]) -> Trumps:
    """BKZ-M-04: one card at a time, clockwise from seat 1; the first one is the top."""
    s = Trumps.lay(seats, chance, Cards.in_order(trump_pack()), (), options)
    pack = list(range(len(s.cards)))
    chance.shuffle(pack)
    s.tell(events.SHUFFLED, NONE, "pack", tuple(pack))
    for seat in range(seats):
        s.piles[seat] = pack[seat::seats][::-1]
    return s


@lru_cache(maxsize=1)
def trump_pack() -> tuple[str, ...]:
    """6.9, in the order of the catalog."""
    return tuple(Cards.sorted(load_products("games.battle_krabz")["trump-pack"].cards))


def _own_piles(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Trumps:
    """BKZ-M-05: each seat's own trump deck, shuffled."""
    must_be_legal(check_table("multi", decks, options))
    cards, numbers = Cards.of_decks(map(cards_of, decks), chance)
    s = Trumps.lay(seats, chance, cards, [own.start for own in numbers], options)
    for seat, own in enumerate(numbers):
        pile = list(own)
        chance.shuffle(pile)
        s.tell(events.SHUFFLED, seat, "pile", tuple(pile))
        s.piles[seat] = pile[::-1]
    return s


def start(s: Trumps) -> None:
    """BKZ-M-06: everybody sees the own front card."""
    show_fronts(s, range(s.seats))
    s.then(begin_round)


def show_fronts(s: Trumps, seats: Iterable[int]) -> None:
    """BKZ-M-06: a seat sees the top card of its own pile, and nothing else of it."""
    piles = s.piles
    for seat in seats:
        if piles[seat]:
            card = piles[seat][-1]
            s.show(card, seat)
            s.tell(events.FRONT, seat, card)


@BOOK.step
def begin_round(s: Trumps) -> None:
    """BKZ-M-08"""
    s.round += 1
    s.tell(events.ROUND_STARTED, s.leader, s.round)
    s.ask(s.leader, call)


@BOOK.prompt("Your lead: call a number of your front card.")
def call(s: Trumps, seat: int) -> Sequence[Move]:
    return CALLS


@call.answer
def reveal_all(s: Trumps, seat: int, move: Move) -> None:
    """BKZ-M-08 to BKZ-M-11: all reveal; the single highest number takes the cards and the pot."""
    assert isinstance(move.target, Word)
    category = move.target.word
    playing = s.clockwise(seat)
    s.tell(events.CALLED, seat, category)
    s.category = category
    piles, printed = s.piles, s.numbers(category)
    last = s.last = [NONE] * s.seats
    highest = NONE
    best: list[int] = []
    for player in playing:
        card = last[player] = piles[player].pop()
        number = printed[card]
        s.reveal(card)
        s.tell(events.REVEALED, player, card, number)
        if number > highest:
            highest, best = number, [player]
        elif number == highest:
            best.append(player)
    if len(best) == 1:
        take_all(s, best[0])
    else:
        s.pot += [last[player] for player in playing]
        s.tell(events.ROUND_TIED, tuple(sorted(best)), len(s.pot))
    end_of_round(s, best)


def take_all(s: Trumps, winner: int) -> None:
    """BKZ-M-09, BKZ-M-10: own card, the others clockwise, the pot: the last is the new bottom."""
    clockwise = s.last[winner:] + s.last[:winner]
    won = [card for card in clockwise if card != NONE] + s.pot
    s.piles[winner][:0] = won[::-1]
    s.pot = []
    s.leader = winner
    s.tell(events.ROUND_WON, winner, len(won))


def end_of_round(s: Trumps, best: Sequence[int]) -> None:
    """BKZ-M-12, BKZ-M-18: who is out; is the match over; who leads."""
    played = [seat for seat, card in enumerate(s.last) if card != NONE]
    left = s.clockwise(0)
    gone = len(left) < len(played)
    if gone:
        put_out(s, [seat for seat in played if seat not in left])
    show_fronts(s, left)
    if not left:
        finish(s, "all_out", best)  # BKZ-M-15
    elif len(left) == 1:
        finish(s, "last_standing", left)  # BKZ-M-14
    elif gone and s.ending == "first_out":
        finish(s, "first_out", _most_cards(s))  # BKZ-M-17
    elif s.round >= s.round_limit:
        finish(s, "round_limit", _most_cards(s))  # BKZ-M-16
    else:
        pass_lead(s)
        begin_round.do(s)


def put_out(s: Trumps, seats: Sequence[int]) -> None:
    """BKZ-M-12: out for good; those of one moment share a rank."""
    s.moment += 1
    s.drop(*seats)
    for seat in seats:
        s.tell(events.SEAT_OUT, seat)


def pass_lead(s: Trumps) -> None:
    """BKZ-M-13: a leader without cards is followed by the next seat clockwise that has some."""
    if not s.piles[s.leader]:
        s.leader = s.clockwise(s.leader)[0]
        s.tell(events.LEAD_PASSED, s.leader)


def _most_cards(s: Trumps) -> list[int]:
    most = max(len(pile) for pile in s.piles)
    return [seat for seat, pile in enumerate(s.piles) if len(pile) == most]


def concede(s: Trumps, seat: int) -> None:
    """BKZ-R-34: the pile goes to the end of the pot, top card first; the lead may pass."""
    cards = tuple(reversed(s.piles[seat]))
    s.piles[seat] = []
    for card in cards:
        s.reveal(card)
    s.pot += cards
    s.tell(events.RESIGNED, seat, cards)
    put_out(s, [seat])
    left = s.clockwise(0)
    if len(left) == 1:
        finish(s, "last_standing", left)
    elif seat == s.leader:
        pass_lead(s)
        s.ask(s.leader, call)


def finish(s: Trumps, reason: str, winners: Sequence[int]) -> None:
    """BKZ-M-19: winners, then seats with cards by number, then those out, the later the better."""
    others = [seat for seat in s.still_in() if seat not in winners]
    best = [sorted(winners), *ranked(others, lambda seat: len(s.piles[seat]))]
    ranking = s.ranking(best)
    s.end(ranking, reason)
    s.tell(events.MATCH_ENDED, ranking, reason)
