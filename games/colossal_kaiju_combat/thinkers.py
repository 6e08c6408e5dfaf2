"""Colossal Kaiju Combat thought ahead: what speaks for a seat, and who thinks how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.colossal_kaiju_combat.bot import MIND
from games.colossal_kaiju_combat.characters import fortitude
from games.colossal_kaiju_combat.rules.glory import glory_of
from games.colossal_kaiju_combat.state import Kaiju
from rules.engine.bots import Foresight, Thinker
from rules.search import LEVELS, thinking

PACKAGE: Final = "games.colossal_kaiju_combat"

NAMES: Final = (
    "glory",
    "near",
    "team",
    "healthy",
    "safe",
    "strongest",
    "energy",
    "fury",
    "hand",
    "swords",
    "shields",
    "plans",
    "last",
)

ENERGY: Final = 12
TEAM_WORTH: Final = 20
FRAIL: Final = 7
"""A character that bears less damage than this may fall in one combat."""


def features(s: Kaiju, seat: int) -> Sequence[float]:
    """By ``NAMES``: what speaks for a seat. All lie about between 0 and 1."""
    prints = s.cards.prints
    team = safe = 0
    healthy = strongest = 0.0
    row = s.rows[seat]
    for character in row:
        whole = fortitude(s, character)
        left = whole - s.damage.get(character, 0)
        glory = prints[character].glory
        team += glory
        healthy += glory * max(0, left) / max(1, whole)
        if left >= FRAIL:
            safe += glory
        strongest = max(strongest, left)
    swords = shields = 0
    for card in s.combat_hands[seat]:
        it = prints[card]
        swords += it.damage
        shields += it.toughness
    glory_now = glory_of(s, seat) / s.glory_target
    return (
        glory_now,
        glory_now * glory_now,
        team / TEAM_WORTH,
        healthy / TEAM_WORTH,
        safe / TEAM_WORTH,
        strongest / 20,
        min(s.energy[seat], ENERGY) / ENERGY,
        min(1.0, s.fury[seat] / max(1, s.team_card(seat).fury)),
        len(s.combat_hands[seat]) / 5,
        swords / 20,
        shields / 20,
        len(s.planning_hands[seat]) / 5,
        float(len(row) > 1),
    )


def stages(s: Kaiju) -> int:
    """How many actions have ended, and how many turns."""
    number = s.turn * (s.seats + 1)
    if s.phase == "action":
        return number + len(s.done) - (s.acting in s.done)
    return number + s.seats if s.phase == "healing" else number


FORESIGHTS: Final = {
    mode: Foresight(PACKAGE, mode, MIND, stages, 3, NAMES, features)
    for mode in ("standard", "basic")
}

THINKERS: Final = {
    "thinker-1": Thinker(
        "thinker-1",
        "Watchtower",
        "Plays the next turn out a hundred times in its head before it moves.",
        thinking(FORESIGHTS, LEVELS[0]),
        (
            "Seismograph",
            "Sonar",
            "Observatory",
            "Periscope",
            "Radar",
            "Almanac",
            "Barometer",
            "Lookout",
        ),
        {"standard": 98, "basic": 92},
    ),
}
