"""House rules that organisers ask for most, ready to be changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rules.engine.deck_rules.columns import RANKS, cards_of
from rules.engine.definition import GameDefinition
from rules.engine.modes import Mode

_PEOPLE: Final = ("character", "warrior", "kaiju")
"""Kinds of cards that are somebody."""
_HIGHEST: Final = "rare"


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule with a name for its button."""

    slug: str
    name: str
    row: Mapping[str, Any]


def presets(game: GameDefinition, mode: Mode) -> tuple[Preset, ...]:
    """The rules that fit the cards of a mode; the last is one to begin from."""
    cards = cards_of(game, mode)
    present = [word for word in RANKS if any(card.rarity == word for card in cards)]
    offered = [Preset("singleton", "Singleton", {"copies": "card", "most": 1})]
    above = [word for word in present if RANKS.index(word) > RANKS.index(_HIGHEST)]
    if above:
        row = {"cards": {"rarity": above}, "most": 0}
        offered.append(Preset("no-above-rare", "No card above rare", row))
    elif _HIGHEST in present:
        row = {"cards": {"rarity": _HIGHEST}, "most": 3}
        offered.append(Preset("few-rares", "At most 3 rares", row))
    offered.append(_of_one_character(game, mode))
    if len({card.colour for card in cards} - {""}) > 1:
        offered.append(Preset("one-colour", "One colour", {"values": "colour", "most": 1}))
    costly = sorted(cards, key=lambda card: -_rank(card.rarity))[:2]
    points = {card.slug: 3 - place for place, card in enumerate(costly)}
    offered.append(Preset("points", "Points list", {"points": points, "most": 3}))
    offered.append(Preset("blank", "Empty rule", {"cards": {}, "most": 10}))
    return tuple(offered)


def _of_one_character(game: GameDefinition, mode: Mode) -> Preset:
    """At most 2 of somebody, be it several cards of one name or copies of one card."""
    cards = cards_of(game, mode)
    kind = next((kind for kind in _PEOPLE if any(card.kind == kind for card in cards)), "")
    where = {"where": {"kind": kind}} if kind else {}
    names = Counter(card.name for card in cards if card.kind == kind)
    by = "name" if any(number > 1 for number in names.values()) else "card"
    name = "At most 2 of one character" if kind else "At most 2 of one card"
    return Preset("two-of-one", name, {"copies": by, "most": 2, **where})


def _rank(rarity: str) -> int:
    return RANKS.index(rarity) if rarity in RANKS else -1
