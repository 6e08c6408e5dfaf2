"""Match Play (specification, section 2.2): one shared deck, the last battlefield wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from rules.engine.cards import load_decks, load_products
from rules.engine.chance import Chance
from rules.engine.errors import BadSetup
from rules.engine.legality import Decklist
from rules.kaolan.legality import check_deck
from rules.kaolan.rules.book import BOOK, MODES
from rules.kaolan.state import CHARACTER, HAND_LIMIT, NONE, Kaolan, cards_for

PLAY_DECK: Final = 60


class MatchPlay:
    """Where Match Play's chapter decides."""

    own_piles = False  # M-02, R-09
    opportunity_draws = True  # M-29, R-40

    def positions(self, s: Kaolan, seat: int, *, reinforcements: bool = False) -> list[int]:
        """M-18 to M-21; Reinforcements also fill empty Guard positions."""
        board, kind = s.board[seat], s.cards.kind
        if kind[board[0]] != CHARACTER:
            return [0]
        return [
            slot
            for slot, card in enumerate(board)
            if (kind[card] != CHARACTER if card >= 0 else reinforcements)
        ]

    def may_challenge(self, s: Kaolan, seat: int, *, truce_breaker: bool = False) -> list[int]:
        """M-33, R-11: every player in with a Leader Character, whatever its colour (R-32)."""
        kind, board = s.cards.kind, s.board
        if kind[board[seat][0]] != CHARACTER:
            return []
        return [other for other in s.opponents(seat) if kind[board[other][0]] == CHARACTER]

    def parties(self, s: Kaolan, announcer: int, challenged: int) -> tuple[list[int], list[int]]:
        """M-32: nobody else takes part."""
        return [announcer], [challenged]


MODES["match"] = MatchPlay()


def play_deck(boosters: Sequence[str] | str, decks: Sequence[Decklist]) -> tuple[str, ...]:
    """M-02, M-03: the Master Deck with the chosen Booster Decks, or the shared deck brought along.

    Raises ``BadSetup`` when the shared deck is missing or illegal (D-03 to D-06).
    """
    if boosters == "deck":
        if len(decks) != 1:
            raise BadSetup("Bring one shared deck, or choose Booster Decks instead.")
        report = check_deck("match", decks[0], None)
        if not report.legal:
            raise BadSetup(" ".join(problem.message for problem in report.errors))
        return _unfold(decks[0]["main"])
    if decks:
        raise BadSetup("A deck is only used when the boosters are set to “deck”.")
    return _fixed_deck(tuple(boosters))


@lru_cache(maxsize=64)
def _fixed_deck(boosters: tuple[str, ...]) -> tuple[str, ...]:
    cards = _unfold(load_decks("rules.kaolan")["kaolan-master"].cards["main"])
    products = load_products("rules.kaolan")
    for booster in boosters:
        cards += _unfold(products[f"kaolan-{booster}"].cards)
    return cards


def _unfold(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(slug for slug, count in counts.items() for _ in range(count))


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Kaolan:
    """M-02 to M-15: shuffle, deal the boards, deal the hands, turn the boards up."""
    s = Kaolan(
        seats,
        chance,
        cards_for(play_deck(options["boosters"], decks)),
        mode="match",
        guards=options["guards"],
        turn_limit=options["turn_limit"],
    )
    s.starter = s.turn = chance.pick(seats)
    pile = list(range(len(s.cards)))
    chance.shuffle(pile)
    s.removed = pile[PLAY_DECK:]  # M-03, R-26
    s.draw[0].extend(reversed(pile[:PLAY_DECK]))
    s.tell("match_started", s.starter, tuple(pile))
    deal(s)
    return s


def deal(s: Kaolan) -> None:
    """M-07, M-11, M-15, R-02: one card at a time from the starting seat, boards then hands."""
    order = [(s.starter + n) % s.seats for n in range(s.seats)]
    for slot in range(1 + s.guards):
        for seat in order:
            s.board[seat][slot] = s.draw[0].pop()
    for _ in range(HAND_LIMIT):
        for seat in order:
            s.hands[seat].append(s.draw[0].pop())
    for seat in order:
        s.tell("dealt", seat, tuple(s.hands[seat]))
    for seat in order:
        s.tell("board_revealed", seat, tuple(card for card in s.board[seat] if card != NONE))
    s.then("start_turn")


__all__ = ["BOOK", "MatchPlay", "deal", "play_deck", "prepare"]
