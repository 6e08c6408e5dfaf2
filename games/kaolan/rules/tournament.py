"""Tournament Play (specification, section 2.3): own decks, the colour ban, alliances, Prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.kaolan import events
from games.kaolan.legality import check_deck
from games.kaolan.moves import PLEDGE, WITHDRAW
from games.kaolan.rules.contest import MODES, ContestMode
from games.kaolan.rules.match import turn_up
from games.kaolan.state import NONE, Cards, Kaolan
from rules.engine.card_tables import unfold
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal
from rules.engine.moves import Move

DECK: Final = 40
PILE: Final = 10
GUARDS: Final = 2


class TournamentPlay(ContestMode):
    """Where Tournament Play's chapter differs."""

    own_piles = True  # KAO-T-12, KAO-T-13, KAO-R-09
    opportunity_draws = False  # KAO-T-21, KAO-R-40
    checks_at_end_of_turn = True  # KAO-R-49, KAO-R-50
    has_alliances = True  # KAO-R-43
    slots: tuple[str, ...] = ("leader", "guard-1", "guard-2")
    no_place = "A Character lies on each of your positions already.", "KAO-T-16"

    def may_challenge(self, s: Kaolan, seat: int, *, truce_breaker: bool = False) -> list[int]:
        """KAO-T-25, KAO-R-41, KAO-R-42: no Leader of the own colour, unless all have one colour."""
        others = super().may_challenge(s, seat)
        if truce_breaker or not others:
            return others
        colour, board = s.cards.colour, s.board
        own = colour[board[seat][0]]
        return [other for other in others if colour[board[other][0]] != own] or others

    def parties(self, s: Kaolan, announcer: int, challenged: int) -> tuple[list[int], list[int]]:
        """KAO-T-27, KAO-T-28, KAO-R-44, KAO-R-45: both with their pledged allies, clockwise."""
        colour = s.cards.colour
        if colour[s.leader(announcer)] == colour[s.leader(challenged)]:
            return [announcer], [challenged]
        return self._allies(s, announcer), self._allies(s, challenged)

    def _allies(self, s: Kaolan, seat: int) -> list[int]:
        """The seat and, if it is pledged, every other pledged player of its Leader's colour."""
        if not s.pledged[seat]:
            return [seat]
        colour = s.cards.colour
        own = colour[s.leader(seat)]
        allies = [
            other
            for other in s.opponents(seat)
            if s.pledged[other] and s.leader(other) >= 0 and colour[s.leader(other)] == own
        ]
        return [seat, *allies]

    def pledges(self, s: Kaolan, seat: int) -> list[Move]:
        """KAO-R-43: the pledge may be switched once a turn, with a Leader Character."""
        if s.switched or s.leader(seat) < 0:
            return []
        return [WITHDRAW if s.pledged[seat] else PLEDGE]

    def leader_changed(self, s: Kaolan, seat: int) -> None:
        """KAO-R-43: the flag goes off when the Leader changes to another colour."""
        leader = s.leader(seat)
        if s.pledged[seat] and leader >= 0 and s.cards.colour[leader] != s.pledged[seat]:
            s.pledged[seat] = 0
            s.tell(events.PLEDGE_CHANGED, seat, False)

    def put_away(self, s: Kaolan, seat: int) -> None:
        """KAO-R-22: hand and Draw Pile are put away unseen; the Prize Card stays."""
        s.removed[seat].extend([*s.hands[seat], *s.draw[seat]])
        s.hands[seat].clear()
        s.draw[seat].clear()

    def spoils(self, s: Kaolan, winners: Sequence[int], reason: str) -> tuple[tuple[str, Any], ...]:
        """KAO-T-40, KAO-R-51: who claims which Prize Card; they are turned up."""
        prizes = []
        for seat, card in enumerate(s.prizes):
            if card == NONE:
                continue
            to = self._claimed_by(s, seat, winners, reason)
            s.tell(events.PRIZE_CLAIMED, to, card, seat)
            s.reveal(card)
            prizes.append({"card": s.cards.slugs[card], "from": seat, "to": to})
        return (("prizes", prizes),)

    def _claimed_by(self, s: Kaolan, seat: int, winners: Sequence[int], reason: str) -> int:
        if len(winners) != 1 or (reason == "turn_limit" and seat not in s.out):
            return seat
        return winners[0]


MODES["tournament"] = TournamentPlay()


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Kaolan:
    """KAO-T-02 to KAO-T-14: shuffle every deck, use forty cards, count out four piles of ten."""
    check_decks(decks)
    cards, numbers = Cards.of_decks((unfold(deck["main"]) for deck in decks), chance)
    s = Kaolan.lay(
        seats,
        chance,
        cards,
        mode="tournament",
        guards=GUARDS,
        turn_limit=options["turn_limit"],
        own_piles=True,
    )
    s.starter = s.turn = chance.pick(seats)  # KAO-R-01
    s.tell(events.MATCH_STARTED, s.starter, ())
    for seat, own in enumerate(numbers):
        pile = list(own)
        chance.shuffle(pile)
        s.tell(events.SHUFFLED, seat, tuple(pile))
        lay_out(s, seat, pile)
    turn_up(s, [(s.starter + n) % seats for n in range(seats)])
    return s


def check_decks(decks: Sequence[Decklist]) -> None:
    """KAO-T-02: legal decks; raises ``BadSetup``."""
    for seat, deck in enumerate(decks):
        must_be_legal(check_deck("tournament", deck, None, name=f"The deck of seat {seat + 1}"))


def lay_out(s: Kaolan, seat: int, pile: Sequence[int]) -> None:
    """KAO-T-03, KAO-T-08 to KAO-T-12, KAO-R-52, KAO-R-53: ``pile`` is shuffled, top card first."""
    s.removed[seat].extend(pile[DECK:])
    piles = [list(pile[start : start + PILE]) for start in range(0, DECK, PILE)]
    leader, first_guard, second_guard, prize = (cards.pop(0) for cards in piles)
    s.board[seat] = [leader, first_guard, second_guard]
    s.prizes[seat] = prize
    s.hands[seat] = [cards.pop(0) for cards in piles]
    s.draw[seat].extend(reversed([card for cards in piles for card in cards]))
