"""Random legal decks, for tests and benchmarks: few cards in many copies, so that they meet.

The ready-made decks have too few copies of most cards, and lack some altogether.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.knd_ocg.legality import SECTION, SIZE
from games.knd_ocg.state import catalog
from rules.engine.cards import load_decks
from rules.engine.chance import Chance
from rules.engine.game import Mode
from rules.engine.legality import Decklist
from rules.engine.random_decks import counted, one_of, shuffled

CHARACTERS: Final = 20
SPECIALS: Final = 20
ENERGY: Final = SIZE - CHARACTERS - SPECIALS
KINDS: Final = 5
"""So many different cards are chosen of a kind at most."""


def sample_decks(
    mode: Mode, options: Mapping[str, Any], seats: int, chance: Chance
) -> list[Decklist]:
    """A deck for each seat: a ready-made one, or one made at random."""
    return [_ready(chance) if chance.pick(4) == 0 else _made(chance) for _ in range(seats)]


def _ready(chance: Chance) -> Decklist:
    return one_of(chance, list(load_decks("games.knd_ocg").values())).cards


def _made(chance: Chance) -> Decklist:
    """Few Special Cards, the Characters that they ask for, perhaps others, their Energy."""
    specials = [_rare(chance)]
    characters = {slug for special in specials for slug in _asked_for(special)}
    wanted = sorted(characters or _of_kind("character"))
    others = [] if chance.pick(3) else _some(chance, _of_kind("character"))
    chosen = sorted({*(wanted if len(wanted) <= KINDS else _some(chance, wanted)), *others})
    cards = [
        *_copies(chance, chosen, CHARACTERS),
        *_copies(chance, specials, SPECIALS),
        *_copies(chance, _energy_for(wanted), ENERGY),
    ]
    return {SECTION: counted(sorted(cards))}


def _rare(chance: Chance) -> str:
    """A Special Card: the more it asks for, the likelier, as it comes about the less."""
    pool = []
    for slug in _of_kind("special"):
        requirements = catalog()[slug].attributes.get("requires", {}).values()
        things = sum(len(names) if isinstance(names, list) else 1 for names in requirements)
        pool += [slug] * (1 + things) ** 2
    return one_of(chance, pool)


def _asked_for(special: str) -> list[str]:
    """The Characters that a Special Card asks for, by name or by type."""
    requires = catalog()[special].attributes.get("requires", {})
    types = {requires.get("side"), requires.get("active")}
    names = requires.get("names", ())
    return [
        slug
        for slug in _of_kind("character")
        if catalog()[slug].title in names or catalog()[slug]["type"] in types
    ]


def _of_kind(kind: str) -> list[str]:
    return [slug for slug, card in catalog().items() if card.kind == kind]


def _some(chance: Chance, pool: Sequence[str]) -> list[str]:
    """At least one of them."""
    return shuffled(chance, pool)[: 1 + chance.pick(KINDS)]


def _energy_for(characters: Sequence[str]) -> list[str]:
    """The Energy of the Characters' types; where they are of all types, Normal Energy as well."""
    types = {catalog()[slug]["type"] for slug in characters}
    energy = _of_kind("energy")
    return [slug for slug in energy if len(types) > 1 or catalog()[slug]["type"] in types]


def _copies(chance: Chance, slugs: Sequence[str], number: int) -> list[str]:
    """So many cards, each at least once."""
    return [*slugs, *(one_of(chance, slugs) for _ in range(number - len(slugs)))]
