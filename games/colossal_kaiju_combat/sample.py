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
    team = teams[chance.pick(len(teams))]
    found: dict[str, Mapping[str, int]] = {
        "team": {team: 1},
        "kaiju": dict.fromkeys(_kaiju(team, chance), 1),
    }
    pairs = COMBAT_LEAST // 2 + chance.pick(MORE_PAIRS)
    combat: dict[str, int] = {}
    for icon in ICONS:
        pool = [slug for slug, card in cards.items() if card.attributes.get("icon") == icon]
        combat |= _some(pool * COMBAT_COPIES, pairs, chance)
    found["combat"] = combat
    if planning:
        kinds = ("location", "opponent", "ally", "scar", "event")
        pool = [slug for slug, card in cards.items() if card.kind in kinds]
        number = PLANNING_LEAST + chance.pick(MORE_PLANS)
        found["planning"] = _some(pool * PLANNING_COPIES, number, chance)
    return found


def _kaiju(team: str, chance: Chance) -> list[str]:
    """Kaiju that may join: of the team's affiliation, or any one where the team has none."""
    rules = catalog()[team].attributes
    kaiju = [(slug, card.attributes) for slug, card in catalog().items() if card.kind == "kaiju"]
    affiliations = sorted({has["affiliation"] for _slug, has in kaiju})
    wanted = rules.get("joins") or affiliations[chance.pick(len(affiliations))]
    barred = rules.get("bars")
    pool = [
        slug
        for slug, has in kaiju
        if has["affiliation"] == wanted and barred not in has.get("keywords", ())
    ]
    least, most = rules["kaiju"]
    chance.shuffle(pool)
    return pool[: least + chance.pick(most - least + 1)]


def _some(pool: list[str], number: int, chance: Chance) -> dict[str, int]:
    chance.shuffle(pool)
    chosen: dict[str, int] = {}
    for slug in pool[:number]:
        chosen[slug] = chosen.get(slug, 0) + 1
    return chosen
