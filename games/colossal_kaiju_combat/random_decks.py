"""Random legal decks, for tests and benchmarks: every team, every kaiju, every card comes up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.colossal_kaiju_combat.legality import (
    COMBAT_COPIES,
    COMBAT_LEAST,
    ICONS,
    PLANNING_COPIES,
    PLANNING_LEAST,
)
from games.colossal_kaiju_combat.state import catalog
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist
from rules.engine.random_decks import counted, one_of, shuffled

MORE_PAIRS = 6
MORE_PLANS = 10


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """A deck for each seat."""
    return [_deck(chance, planning=mode.slug == "standard") for _ in range(seats)]


def _deck(chance: Chance, *, planning: bool) -> Decklist:
    cards = catalog()
    teams = [slug for slug, card in cards.items() if card.kind == "team"]
    team = one_of(chance, teams)
    sections: dict[str, Mapping[str, int]] = {
        "team": {team: 1},
        "kaiju": dict.fromkeys(_kaiju(team, chance), 1),
    }
    pairs = COMBAT_LEAST // 2 + chance.pick(MORE_PAIRS)
    combat: dict[str, int] = {}
    for icon in ICONS:
        pool = [slug for slug, card in cards.items() if card.attributes.get("icon") == icon]
        combat |= counted(shuffled(chance, pool * COMBAT_COPIES)[:pairs])
    sections["combat"] = combat
    if planning:
        kinds = ("location", "opponent", "ally", "scar", "event")
        pool = [slug for slug, card in cards.items() if card.kind in kinds]
        number = PLANNING_LEAST + chance.pick(MORE_PLANS)
        sections["planning"] = counted(shuffled(chance, pool * PLANNING_COPIES)[:number])
    return sections


def _kaiju(team: str, chance: Chance) -> list[str]:
    """Kaiju that may join: of the team's affiliation, or any one where the team has none."""
    rules = catalog()[team].attributes
    kaiju = [(slug, card.attributes) for slug, card in catalog().items() if card.kind == "kaiju"]
    affiliations = sorted({has["affiliation"] for _slug, has in kaiju})
    wanted = rules.get("joins") or one_of(chance, affiliations)
    barred = rules.get("bars")
    pool = [
        slug
        for slug, has in kaiju
        if has["affiliation"] == wanted and barred not in has.get("keywords", ())
    ]
    least, most = rules["kaiju"]
    return shuffled(chance, pool)[: least + chance.pick(most - least + 1)]
