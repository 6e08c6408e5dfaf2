"""The moves that a game's code makes, and the keys of its layouts."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from rules.engine.game import Game, Mode
from rules.engine.moves import ByCard, ByCardAndTarget, ByTarget, Move
from rules.engine.state import Elimination


def verbs(game: Game) -> list[str]:
    """Every move that the game's code makes, as it is written down."""
    forms = set()
    for name, module in list(sys.modules.items()):
        if name == game.package or name.startswith(f"{game.package}."):
            for value in vars(module).values():
                forms.update(_forms(value))
    return sorted(forms)


def _forms(value: Any) -> list[str]:
    match value:
        case Move(verb, card, target):
            return [form_of(verb, card is not None, target)]
        case ByCard():
            return [f"{value.verb} <card>"]
        case ByTarget():
            return [f"{value.verb} <{value.place.__name__.lower()}>"]
        case ByCardAndTarget():
            return [f"{value.verb} <card> <{value.place.__name__.lower()}>"]
        case tuple():
            return [form for item in value for form in _forms(item)]
    return []


def form_of(verb: str, card: bool, target: Any) -> str:
    """How a move is written down: ``place``, ``play <card>``, ``under <card>``, ``seat <seat>``."""
    place = "" if target is None else f" <{type(target).__name__.lower()}>"
    return f"{verb}{' <card>' if card else ''}{place}"


def layout_keys(game: Game, mode: Mode) -> dict[str, str]:
    """The keys of a layout of this mode, with what they stand for."""
    table: Any = game.table
    rules_of = table.rules[mode.slug]
    keys = {}
    for name, parameter in inspect.signature(rules_of.arrange).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            usual = parameter.default
            keys[name] = "needed" if usual is parameter.empty else f"usually {usual!r}"
    keys |= {f"seats: {key}": words for key, words in rules_of.seat_keys.items()}
    keys |= {option.slug: f"option, usually {option.default!r}" for option in mode.options}
    if issubclass(rules_of.state, Elimination):
        keys["out"] = "the seats that are out already, in the order in which they went"
    return keys
