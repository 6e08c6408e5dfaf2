"""Colossal Kaiju Combat tables in the words of the specification's worked scenarios.

Cards are written by slug, moves as ``attack pelagor``, ``pay snap-bite``, ``move 2``. ``take``
plays a move that must be offered at once; ``play`` first answers all that a scenario does not
mention with pass, done, none, no or 0, and fails at any other (a challenge, Fury to be stolen).
A table that is laid must be finished with ``done``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.colossal_kaiju_combat.characters import attributes, fortitude, stat
from games.colossal_kaiju_combat.rules.glory import glory_of
from rules.testing import position
from tests.rules.laid import OPEN, SluggedTable

QUIET = ("done", "none", "no", "pass", "move 0")
"""How prompts are answered that a scenario does not mention. Any other has to be mentioned."""
DEEP, EMBER, IRON, STORM, SKIN = (
    f"starter-{name}" for name in ("deep", "ember", "iron", "storm", "skin")
)


def seat(team: str = DEEP, chosen: str = "", hand: str = "", **more: Any) -> dict[str, Any]:
    """A seat's layout; lists of cards are written with spaces between them, decks top first."""
    laid: dict[str, Any] = {"team": team, "hand": hand.split()}
    if chosen:
        laid["chosen"] = chosen
    for key, value in more.items():
        laid[key] = value.split() if isinstance(value, str) else value
    return laid


def lay(
    *seats: Mapping[str, Any],
    mode: str = "standard",
    picks: Iterable[int] = (),
    acting: Sequence[int] | None = (0,),
    **layout: Any,
) -> Table:
    """Seat 1 has its action before it; see :func:`games.colossal_kaiju_combat.layouts.arrange`."""
    if layout.get("phase", "action") == "action":
        layout["acting"] = acting
    return Table(position("colossal-kaiju-combat", mode, seats=list(seats), picks=picks, **layout))


class Table(SluggedTable):
    """A position, read and played by slugs."""

    def play(self, *moves: str) -> Table:
        """Play these moves; what is asked before and not mentioned is answered quietly."""
        for text in moves:
            self.until(lambda text=text: text in self.options())
            self.take(text)
        return self

    def until(self, come: Any) -> Table:
        for _ in range(60):
            if not self.match.prompts or (len(self.match.prompts) == 1 and come()):
                return self
            for who in list(self.match.prompts):
                offered = self.offered(who)
                quiet = [text for text in QUIET if text in offered]
                assert quiet, f"{self.asked} offers {offered}: the scenario has to answer"
                self.take(quiet[0], by=who)
        raise AssertionError(f"it never comes; {self.asked} offers {self.offered()}")

    def ask(self, kind: str) -> Table:
        """Go on quietly until this is asked."""
        return self.until(lambda: kind in self.asked.values())

    def turn(self, number: int) -> Table:
        """Go on quietly until this turn; whoever has to select sends their first character."""
        while self.state.turn < number:
            (who,) = self.match.prompts
            if self.asked[who] == "select_active":
                self.take(self.offered(who)[0])
            else:
                self.take(next(text for text in QUIET if text in self.offered(who)))
        return self

    def fight_on(self) -> Table:
        """Go on quietly until no combat is being fought."""
        return self.until(lambda: self.state.combat is None)

    def done(self) -> None:
        """The scenario ends here: nothing of the scripted chance may be left."""
        chance: Any = self.laid.chance
        assert not chance.left, f"the script has {chance.left} left over"
        OPEN.remove(self)

    # -- what lies where ---------------------------------------------------------------------

    def card(self, name: str, who: int | None = None) -> int:
        """A character or city card by name; that of the seat ``who`` where several have one."""
        s = self.state
        everywhere = [*s.present(), *s.set_aside, *s.city]
        for card in everywhere:
            if s.cards.slugs[card] == name and who in (None, s.owner(card)):
                return int(card)
        raise AssertionError(f"{name} is not in play")

    def damage(self, name: str, who: int | None = None) -> int:
        return int(self.state.damage.get(self.card(name, who), 0))

    def stat(self, name: str, stat_name: str, who: int | None = None) -> int:
        if stat_name == "fortitude":
            return fortitude(self.state, self.card(name, who))
        return stat(self.state, self.card(name, who), stat_name)

    def attributes(self, name: str) -> set[str]:
        return set(attributes(self.state, self.card(name)))

    def names(self, cards: Iterable[int]) -> str:
        return " ".join(self.state.cards.slugs[card] for card in cards)

    def hand(self, who: int) -> str:
        return self.names(self.state.combat_hands[who])

    def plans(self, who: int) -> str:
        return self.names(self.state.planning_hands[who])

    def row(self, who: int) -> str:
        return self.names(self.state.rows[who])

    @property
    def city(self) -> str:
        return self.names(self.state.city)

    def glory(self, who: int) -> int:
        return glory_of(self.state, who)

    @property
    def fury(self) -> list[int]:
        return list(self.state.fury)

    @property
    def energy(self) -> list[int]:
        return list(self.state.energy)

    def hits(self) -> list[tuple[str, int]]:
        """Who has taken how much damage so far, instance by instance."""
        return [
            (self.state.cards.slugs[card], number)
            for _seat, card, number, _cause in self.events("hit")
        ]

    @property
    def result(self) -> tuple[Any, ...]:
        """Ranking and reason."""
        assert self.match.outcome is not None, "the match goes on"
        return (*self.match.outcome.ranking, self.match.outcome.reason)
