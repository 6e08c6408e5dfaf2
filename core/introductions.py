"""The games as the start page and their own pages introduce them, with the look that each brings.

A game's package may hold ``introduction.toml`` (docs/adding-a-game.md says what may stand in it);
what it leaves out is taken from the game itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from django.contrib.staticfiles import finders

import rules
from rules.engine.cards import load_toml
from rules.engine.game import Game

MAX_PACKS: Final = 3
"""So many packs lie on the start page."""

HUE: Final = ("felt", "felt-deep", "felt-line", "on-felt-soft", "game", "game-wash")
"""The design tokens that a game may give a colour of its own, in light and in dark."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of a match, for the pictures on the start page."""

    cards: tuple[str, ...]
    dice: tuple[int, ...]
    log: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Cards and dice, or images, with a sentence that explains a bit of the game.

    ``images`` are WebP files in the static folder of the game's site.
    """

    cards: tuple[str, ...]
    dice: tuple[int, ...]
    images: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Introduction:
    """One game as the start page and its own page show it."""

    game: Game
    sentence: str
    length: str
    pack: str
    fan: tuple[str, ...]
    strip: tuple[str, ...]
    scene: Scene
    pictures: tuple[Picture, ...] = ()
    hue: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def name(self) -> str:
        return self.game.name

    @cached_property
    def playable(self) -> bool:
        return any(mode.playable for mode in self.game.modes.values())

    @cached_property
    def mode_for_several(self) -> str:
        """The first mode in which people can meet; empty where there is none."""
        modes = self.game.modes.values()
        return next((mode.slug for mode in modes if mode.playable and mode.seats[-1] > 1), "")

    @cached_property
    def picture(self) -> str:
        """The static file with a picture of its table; empty where it brings none."""
        path = f"{self.slug}/table.webp"
        return path if finders.find(path) else ""

    @cached_property
    def players(self) -> str:
        """For how many it is, over all of its modes: "2–6 players"."""
        seats = [number for mode in self.game.modes.values() for number in mode.seats]
        least, most = min(seats), max(seats)
        if least < most:
            return f"{least}–{most} players"
        return f"{most} player{'s' * (most != 1)}"


def introduction(game: Game) -> Introduction:
    """The ``introduction.toml`` of a game. Raises ``ValueError`` if it is wrong."""
    data = load_toml(game.package, "introduction.toml", missing_ok=True)
    where = f"{game.package}: introduction.toml"
    known = {"sentence", "length", "pack", "fan", "strip", "scene", "picture", "hue"}
    if unknown := sorted(set(data) - known):
        raise ValueError(f"{where} has {', '.join(unknown)}; it may have {', '.join(known)}.")
    scene = data.get("scene", {})
    cards = tuple(game.catalog)
    intro = Introduction(
        game=game,
        sentence=data.get("sentence", game.summary),
        length=data.get("length", ""),
        pack=data.get("pack", ""),
        fan=tuple(data.get("fan", cards[:5])),
        strip=tuple(data.get("strip", cards[:8])),
        scene=Scene(
            cards=tuple(scene.get("cards", cards[:2])),
            dice=tuple(scene.get("dice", ())),
            log=tuple(scene.get("log", ("Turn 12", "Mira plays a card.", "It is your turn."))),
        ),
        pictures=tuple(
            Picture(
                cards=tuple(picture.get("cards", ())),
                dice=tuple(picture.get("dice", ())),
                images=tuple(picture.get("images", ())),
                says=picture["says"],
            )
            for picture in data.get("picture", ())
        ),
        hue=_hue(where, data.get("hue", {})),
    )
    pictured = (card for picture in intro.pictures for card in picture.cards)
    for card in (*intro.fan, *intro.strip, *intro.scene.cards, *pictured):
        if card not in game.catalog:
            raise ValueError(f"{where} shows {card}, which is not a card of {game.name}.")
    if intro.pack and intro.pack not in game.products:
        raise ValueError(f"{where} shows {intro.pack}, which is not a product of {game.name}.")
    return intro


def _hue(where: str, hue: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    for token, colours in hue.items():
        if token not in HUE:
            raise ValueError(f"{where}: “{token}” is not a hue. Use one of {', '.join(HUE)}.")
        if not _is_pair(colours):
            raise ValueError(
                f"{where}: the hue “{token}” is two colours like #1a2b3c, for light and for dark."
            )
    return {token: (colours[0], colours[1]) for token, colours in hue.items()}


def _is_pair(colours: Any) -> bool:
    return (
        isinstance(colours, Sequence)
        and len(colours) == 2
        and all(isinstance(colour, str) and _COLOUR.fullmatch(colour) for colour in colours)
    )


@lru_cache(maxsize=1)
def introductions() -> tuple[Introduction, ...]:
    """Each game, in the order of the shelf."""
    return tuple(introduction(game) for game in rules.games().values())


def first_to_play() -> Introduction:
    """The game that the start page begins with: the first that can be played."""
    shelf = introductions()
    return next((intro for intro in shelf if intro.playable), shelf[0])


def packs() -> list[tuple[str, str, str]]:
    """The packs on the start page: game, product and the product's name."""
    with_pack = [intro for intro in introductions() if intro.pack][:MAX_PACKS]
    return [(intro.slug, intro.pack, intro.game.products[intro.pack].name) for intro in with_pack]


def how_many() -> str:
    """How many games there are, in words: "Five games"."""
    count = len(introductions())
    return f"{in_words(count).capitalize()} game{'s' * (count != 1)}"


def in_words(count: int) -> str:
    """A small number in words, a larger one in digits."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


@lru_cache(maxsize=1)
def hues() -> str:
    """A style sheet with the hues of all games: ``[data-game="…"]`` sets the tokens below it."""
    blocks = []
    for intro in introductions():
        if intro.hue:
            tokens = "".join(
                f"    --{token}: light-dark({light}, {dark});\n"
                for token, (light, dark) in intro.hue.items()
            )
            blocks.append(f'  [data-game="{intro.slug}"] {{\n{tokens}  }}\n')
    return f"@layer tokens {{\n{''.join(blocks)}}}\n"


@lru_cache(maxsize=1)
def hues_version() -> str:
    """Differs whenever the hues do."""
    return hashlib.sha256(hues().encode()).hexdigest()[:12]


@lru_cache(maxsize=64)
def mark(slug: str) -> tuple[str, str]:
    """The static file with a game's glyph and the name of the glyph in it."""
    own = f"{slug}/mark.svg"
    return (own, "mark") if finders.find(own) else ("img/marks.svg", "game")
