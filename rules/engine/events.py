"""Events: what happened, who may know it, and how it is stored.

In a running match an event is a plain tuple ``(kind, value, …)``. A game declares once what the
values of each kind are and which of them are secret, to whom. Whatever is not declared is not
shown: a view of an event lists its allowed fields, it never strips forbidden ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rules.engine.errors import BadData

Event: TypeAlias = tuple[Any, ...]

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class EventKind:
    """The shape of one kind of event.

    ``fields`` name the values in order. A field named ``card`` or ending in ``_card`` holds a card
    number, one named ``cards`` or ending in ``_cards`` a tuple of them. ``secret`` maps a field to
    the name of the field that holds the seat that may know it, or to ``NOBODY``. ``private`` names
    the field that holds the only seat that may know of the event at all. ``reveals`` marks kinds
    that give somebody new information (after such an event nothing can be undone); ``fleeting``
    those whose cards are hidden again at once (shown, then shuffled away). ``plays`` marks kinds by
    which the seat ``seat`` plays the card ``card``: what is counted as “played”. ``turn`` marks the
    kind that begins a turn, battle or round: what the length of a match is counted in.
    """

    fields: tuple[str, ...] = ()
    secret: Mapping[str, str] = field(default_factory=dict)
    reveals: bool = False
    plays: bool = False
    private: str = ""
    fleeting: bool = False
    turn: bool = False


def event_view(
    event: Event,
    kinds: Mapping[str, EventKind],
    seat: int | None,
    card: Callable[[int], Any],
) -> dict[str, Any] | None:
    """The event as ``seat`` (None: a spectator) may know it, as plain data; None if it may not.

    ``card`` turns a card number into what a view shows of it. Secret fields of others are left
    out; where a secret ``cards`` is left out, ``count`` says how many they were.
    """
    kind = kinds[event[0]]
    values = dict(zip(kind.fields, event[1:], strict=True))
    if kind.private and (seat is None or values[kind.private] != seat):
        return None
    shown: dict[str, Any] = {"kind": event[0]}
    for name, value in values.items():
        knower = kind.secret.get(name)
        if knower is None or (knower != NOBODY and seat is not None and values[knower] == seat):
            shown[name] = _shown(name, value, card)
        elif name == "cards":
            shown["count"] = len(value)
    return shown


def _shown(name: str, value: Any, card: Callable[[int], Any]) -> Any:
    if name == "card" or name.endswith("_card"):
        return None if value is None or value < 0 else card(value)
    if name == "cards" or name.endswith("_cards"):
        return [card(one) for one in value]
    return _lists(value)


def event_to_json(event: Event) -> list[Any]:
    """The whole event, secrets included, for storage on the server."""
    return [_lists(value) for value in event]


def event_from_json(data: object) -> Event:
    """The opposite of :func:`event_to_json`; raises ``BadData``."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise BadData(f"Not an event: {data!r}.")
    return tuple(_tuples(value) for value in data)


def _lists(value: Any) -> Any:
    return [_lists(one) for one in value] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
