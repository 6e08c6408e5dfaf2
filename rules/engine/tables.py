"""The interface through which the core plays the modes of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from rules.engine.card_tables import CardTables
from rules.engine.chance import Chance
from rules.engine.errors import BadSetup
from rules.engine.fields import layout
from rules.engine.legality import Decklist
from rules.engine.modes import Mode
from rules.engine.moves import Move, Prompt
from rules.engine.redeal import ALL_ALIKE, Redeal
from rules.engine.rulebook import Rulebook
from rules.engine.state import Elimination, State


class Table(Protocol):
    """A game's table as the core uses it, besides its data files and its rulebook."""

    def start(
        self,
        mode: Mode,
        seats: int,
        chance: Chance,
        options: dict[str, Any],
        decks: Sequence[Decklist],
    ) -> State: ...

    def load(self, mode: Mode, data: dict[str, Any]) -> State: ...

    def concede(self, state: Any, seat: int) -> None: ...

    def agreement(self, mode: Mode) -> Callable[[Any], None] | None: ...

    def redeal(self, state: Any, seat: int | None, chance: Chance) -> None: ...

    def view(self, state: Any, seat: int | None) -> dict[str, Any]: ...

    def card_slug(self, state: Any, card: int) -> str: ...

    def card_count(self, state: Any) -> int: ...

    def default_move(self, state: Any, prompt: Prompt) -> Move: ...

    def arrange(
        self, mode: Mode, chance: Chance, options: dict[str, Any], layout: dict[str, Any]
    ) -> State: ...


def _no_positions(*args: Any, **layout: Any) -> State:
    raise ValueError("its positions cannot be laid out.")


@dataclass(frozen=True, slots=True)
class ModeRules:
    """How a mode is played: its kind of state, and what the core does with one.

    ``prepare(seats, chance, options, decks)`` sets the table, ``concede(state, seat)`` carries out
    that a seat gives up (the core has taken its question away), ``agree(state)`` that all agree on
    a draw (None: the rules know no such thing), ``arrange(chance, options, …)``
    lays out a position: its keywords are the keys of a layout, ``seat_keys`` what each of its
    ``seats`` may have, in words.
    """

    state: type[State]
    prepare: Callable[..., State]
    concede: Callable[[Any, int], None]
    view: Callable[[Any, int | None], dict[str, Any]]
    arrange: Callable[..., State] = _no_positions
    redeal: Redeal = ALL_ALIKE
    agree: Callable[[Any], None] | None = None
    seat_keys: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class CardTable:
    """The table of a game with numbered cards, whose states have ``cards`` (``CardTables``).

    ``rules`` says how each mode is played.
    ``quiet_moves`` are the verbs played for a seat whose time has run out, best first; without any
    it is the option at ``otherwise``.
    """

    cards: type[CardTables]
    rules: Mapping[str, ModeRules]
    rulebook: Rulebook[Any]
    quiet_moves: tuple[str, ...] = ()
    otherwise: int = -1

    def __post_init__(self) -> None:
        for kind in self._by_state:
            layout(kind)  # raises where a state is not declared as it must be

    @cached_property
    def _by_state(self) -> Mapping[type[State], ModeRules]:
        return {rules.state: rules for rules in self.rules.values()}

    def start(
        self,
        mode: Mode,
        seats: int,
        chance: Chance,
        options: dict[str, Any],
        decks: Sequence[Decklist],
    ) -> State:
        return self.rules[mode.slug].prepare(seats, chance, options, decks)

    def load(self, mode: Mode, data: dict[str, Any]) -> State:
        return self.rules[mode.slug].state.load(data, mode.slug)

    def concede(self, state: Any, seat: int) -> None:
        self._by_state[type(state)].concede(state, seat)

    def agreement(self, mode: Mode) -> Callable[[Any], None] | None:
        return self.rules[mode.slug].agree

    def redeal(self, state: Any, seat: int | None, chance: Chance) -> None:
        self._by_state[type(state)].redeal(state, seat, chance, self.rulebook)

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        return self._by_state[type(state)].view(state, seat)

    def short_names(self) -> Mapping[str, str]:
        """Every way to name a card in a position, in lower case, with its slug."""
        return self.cards.all_names()

    def arrange(
        self, mode: Mode, chance: Chance, options: dict[str, Any], layout: dict[str, Any]
    ) -> State:
        rules = self.rules[mode.slug]
        out = layout.pop("out", ())
        try:
            for seat in layout.get("seats", ()):
                if strange := sorted(seat.keys() - rules.seat_keys.keys()):
                    allowed = ", ".join(rules.seat_keys)
                    raise ValueError(
                        f"a seat has no {', '.join(strange)}; it may have {allowed} "
                        "(the seat_keys of its ModeRules)."
                    )
            state = rules.arrange(chance, options, **layout)
            if isinstance(state, Elimination):
                for moment in out:
                    state.moment += 1
                    state.drop(*([moment] if isinstance(moment, int) else moment))
            elif out:
                raise ValueError("nobody is ever out in this mode.")
        except (TypeError, ValueError) as error:
            raise BadSetup(f"This is no position of {mode.name}: {error}") from error
        return state

    def card_slug(self, state: Any, card: int) -> str:
        slug: str = state.cards.slugs[card]
        return slug

    def card_count(self, state: Any) -> int:
        return len(state.cards)

    def default_move(self, state: Any, prompt: Prompt) -> Move:
        for verb in self.quiet_moves:
            for move in prompt.options:
                if move.verb == verb:
                    return move
        return prompt.options[self.otherwise]
