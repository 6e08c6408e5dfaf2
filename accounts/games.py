"""The five games as the start page introduces them.

The engine knows a game once it can be collected, and says when it can be played; until then its
row here says what is coming.
"""

from __future__ import annotations

from dataclasses import dataclass

import rules


@dataclass(frozen=True)
class Introduction:
    """One game in one sentence."""

    slug: str
    name: str
    sentence: str
    players: str
    length: str
    playable: bool = False
    collected: bool = False


# On the start page, from the left: packs (game, product) and cards (game, card).
PACKS = (("kaolan", "kaolan-pack"), ("battle-krabz", "fd-pack"), ("knd-ocg", "recess-pack"))
FAN = (
    ("kaolan", "kao-char-green-stinger"),
    ("kaolan", "kao-pow-red-08"),
    ("kaolan", "kao-char-gold-sunmane"),
    ("kaolan", "kao-sa-phoenix-heart"),
    ("kaolan", "kao-char-blue-claw"),
)
STRIP = (
    ("kaolan", "kao-char-red-flame"),
    ("kaolan", "kao-pow-blue-06"),
    ("kaolan", "kao-op-ambush"),
    ("kaolan", "kao-char-green-diamondback"),
    ("kaolan", "kao-sa-prism-heart"),
    ("kaolan", "kao-pow-gold-03-08"),
    ("kaolan", "kao-char-blue-starmaster"),
    ("kaolan", "kao-op-spyglass"),
)

_ALL = (
    Introduction(
        "kaolan",
        "Kaolan",
        "Put beasts on the field, slide numbers under them, then roll to strike and to escape.",
        "1–8 players",
        "20–40 minutes",
    ),
    Introduction(
        "battle-krabz",
        "Battle Krabz",
        "Crabs against villains: short battles, compared and boosted, until one side runs out of "
        "warriors.",
        "2–6 players",
        "10–30 minutes",
    ),
    Introduction(
        "knd-ocg",
        "KND: OCG",
        "Tree-house agents and their enemies duel with energy, gear and one active character each.",
        "2 players",
        "15–40 minutes",
    ),
    Introduction(
        "colossal-kaiju-combat",
        "Colossal Kaiju Combat",
        "Send giant monsters into the city and trade blows, sword against shield, for glory.",
        "2–5 players",
        "45–75 minutes",
    ),
    Introduction(
        "battl-khaos",
        "Batt’l Kha’os",
        "Orcs against knights: lay tiles, ring the towers, and be first to hold seven points.",
        "2 players",
        "10–25 minutes",
    ),
)


def packs() -> list[tuple[str, str, str]]:
    """The packs on the start page, with their names."""
    return [(game, one, rules.games()[game].products[one].name) for game, one in PACKS]


def introductions() -> list[Introduction]:
    """Each game with the engine's own name where there is one, in the order of the shelf."""
    known = rules.games()
    shelf = []
    for intro in _ALL:
        game = known.get(intro.slug)
        playable = game is not None and any(mode.playable for mode in game.modes.values())
        shelf.append(
            Introduction(
                slug=intro.slug,
                name=game.name if game is not None else intro.name,
                sentence=intro.sentence,
                players=intro.players,
                length=intro.length,
                playable=playable,
                collected=game is not None,
            )
        )
    return shelf
