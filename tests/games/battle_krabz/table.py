"""Battle Krabz tables in the words of the specification's worked scenarios.

Cards are written by slug (``krabbi-long-legs-silver``), moves as ``deploy kite-krab-silver``,
``take 2``, ``domain sky``. A table that is laid must be finished with ``done``: it names the
prompts in which the scenario ends, and nothing of the scripted chance may be left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.battle_krabz import effects
from rules.testing import position
from tests.rules.laid import OPEN, SluggedTable

K, E = 0, 1
"""Seat 1 with a Krabz deck, seat 2 with an Enemigos deck."""


def seat(hand: str = "", **places: Any) -> dict[str, Any]:
    """A seat's layout; zones are written with spaces between the cards, stacks top first."""
    laid: dict[str, Any] = {"hand": hand.split()}
    for place, cards in places.items():
        laid[place] = cards.split() if isinstance(cards, str) else cards
    return laid


def lay(*seats: Mapping[str, Any], picks: Iterable[int] = (), **layout: Any) -> Table:
    """A laid-out match of Battle Mode; see :func:`games.battle_krabz.layouts.arrange`."""
    return Table(position("battle-krabz", "battle", seats=list(seats), picks=picks, **layout))


def lay_trumps(*piles: str, pot: str = "", **layout: Any) -> Table:
    """Piles of Multi-Player Mode, top card first."""
    laid = [pile.split() for pile in piles]
    return Table(position("battle-krabz", "multi", piles=laid, pot=pot.split(), **layout))


class Table(SluggedTable):
    """A position, read and played by slugs."""

    def done(self, **prompts: str) -> None:
        """The scenario ends in these prompts: ``done(K="sort", E="sort")``; none: it is over."""
        chance: Any = self.laid.chance
        assert not chance.left, f"the script has {chance.left} left over"
        expected = {
            ("K", "E").index(who) if who in "KE" else int(who[1:]): kind
            for who, kind in prompts.items()
        }
        assert self.asked == expected, f"ends in {self.asked}, not in {expected}"
        OPEN.remove(self)

    # -- what lies where ---------------------------------------------------------------------

    def names(self, cards: Sequence[int]) -> str:
        return " ".join(self.state.cards.slugs[card] for card in cards)

    def hand(self, who: int) -> str:
        return self.names(self.state.hands[who])

    def warriors(self, who: int) -> str:
        """The Warrior Stack, top card first."""
        return self.names(self.state.warriors[who][::-1])

    def supports(self, who: int) -> str:
        """The Support Stack, top card first."""
        return self.names(self.state.supports[who][::-1])

    def eliminated(self, who: int) -> str:
        return self.names(self.state.elimination[who])

    def standing(self, who: int) -> str:
        """The deployed Warriors that are not downed."""
        s = self.state
        return self.names([card for card in s.line[who] if card not in s.downed])

    def pile(self, who: int) -> str:
        return self.names(self.state.piles[who][::-1])

    @property
    def score(self) -> str:
        return f"{self.state.score(K)}-{self.state.score(E)}"

    def points(self, who: int) -> str:
        """``310 + 40 + 50 + 50 = 450``, boosted if boosted."""
        p = effects.points(self.state, who)
        parts = (p.boosted, p.special, p.domain, p.colour)
        return f"{' + '.join(map(str, parts))} = {p.boosted_score}"

    @property
    def result(self) -> tuple[Any, ...]:
        """Ranking and reason."""
        assert self.match.outcome is not None, "the match goes on"
        return (*self.match.outcome.ranking, self.match.outcome.reason)
