"""The cards, slots, seats and buttons by which the options of a prompt are chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matches.queries.table import TableOption, TablePrompt


@dataclass(frozen=True, slots=True)
class Placement:
    """An option that begins with something on the table, and the places where that could go."""

    option: TableOption
    places: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Aims:
    """Options that point at a card, a slot or a seat, which stands for them on the table."""

    cards: dict[int, Placement] = field(default_factory=dict)
    slots: dict[str, Placement] = field(default_factory=dict)
    seats: dict[int, Placement] = field(default_factory=dict)

    def add(self, option: TableOption, places: Sequence[Mapping[str, Any]]) -> None:
        """Let each of the places stand for the option."""
        for place in places:
            placement = Placement(option, [place])
            if "card" in place:
                self.cards.setdefault(place["card"], placement)
            elif "slot" in place:
                self.slots.setdefault(place["slot"], placement)
            elif "seat" in place:
                self.seats.setdefault(place["seat"], placement)


@dataclass(frozen=True, slots=True)
class ClickTargets:
    """The options of one prompt, by what stands for them on the table.

    ``uses`` are those that begin with picking up a card, ``aims`` those that point at something;
    both as the prompt's outlook says.
    """

    cards: dict[int, TableOption] = field(default_factory=dict)
    slots: dict[str, TableOption] = field(default_factory=dict)
    seats: dict[int, TableOption] = field(default_factory=dict)
    verbs: dict[str, TableOption] = field(default_factory=dict)
    uses: dict[int, list[Placement]] = field(default_factory=dict)
    aims: Aims = field(default_factory=Aims)

    @classmethod
    def of(cls, prompt: TablePrompt | None) -> ClickTargets:
        """Sort a prompt's options (a move each) by card, slot and seat; the rest by verb."""
        targets = cls()
        if prompt is None:
            return targets
        for option in prompt.options:
            move = option.move
            target = move.get("target") or {}
            if "card" in move:
                targets.cards.setdefault(move["card"], option)
            elif "card" in target:
                targets.cards.setdefault(target["card"], option)
            elif "slot" in target:
                targets.slots.setdefault(target["slot"], option)
            elif "seat" in target:
                targets.seats.setdefault(target["seat"], option)
            else:
                targets.verbs.setdefault(move["verb"], option)
        for row in prompt.outlook.get("places", ()):
            begun, card = targets.verbs.get(row["verb"]), row["card"]
            if begun is None:
                continue  # each card is an option of its own
            if card is None:
                targets.aims.add(begun, row["to"])
            else:
                targets.uses.setdefault(card, []).append(Placement(begun, row["to"]))
        return targets
