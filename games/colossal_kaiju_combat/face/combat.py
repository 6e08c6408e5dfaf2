"""Combat cards: a blow or an answer, the way it comes, and what it adds.

The style is the large emblem, the type the field behind it, white icons and keywords small ones
beside it, so that no two cards look alike and each says what it does.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from collection.drawing import art
from collection.drawing.art import BOTTOM, LEFT, RIGHT, TOP
from collection.drawing.canvas import BLACK, WHITE, Canvas, Colour, Point, mix, ngon, rgb, star
from games.colossal_kaiju_combat.face import emblems

#: The colours of each type of combat card: night, field, light.
FIELDS: Mapping[str, tuple[Colour, Colour, Colour]] = {
    "Quick Attack": (rgb("#4a1404"), rgb("#f07a1c"), rgb("#ffd98a")),
    "Chain Attack": (rgb("#42100f"), rgb("#d8502c"), rgb("#ffc2a0")),
    "Fierce Attack": (rgb("#3a0610"), rgb("#c4242c"), rgb("#ffae9c")),
    "Power Attack": (rgb("#2a0c3a"), rgb("#a83a9a"), rgb("#ffc4f0")),
    "Technique": (rgb("#0c2a30"), rgb("#2a8a86"), rgb("#b4f0e0")),
    "Block": (rgb("#0a1838"), rgb("#2f5cb0"), rgb("#b4d2ff")),
    "Dodge": (rgb("#0c2440"), rgb("#3a92c4"), rgb("#c4f0ff")),
    "Counterattack": (rgb("#1c1040"), rgb("#6a4ac4"), rgb("#dccaff")),
}

#: Where small signs stand around the emblem, the first ones first.
_PLACES: tuple[Point, ...] = ((168, 128), (-168, 128), (168, -128), (-168, -128))


#: Signs for texts that no keyword says.
_ADDED = {
    "spined-curl": "thorns",
    "stand-firm": "steady",
    "thunderclap": "splash",
    "sonic-scream": "spoil-dodge",
    "read-the-moves": "draw",
    "riposte": "blunt",
    "horn-lock": "charge",
}


def signs(slug: str, card: Mapping[str, Any]) -> list[str]:
    """The small signs of a card: white icons of its values first, then what its text adds."""
    icons = [*card.get("damage_icons", ()), *card.get("toughness_icons", ())]
    names = [f"icon:{icon}" for icon in dict.fromkeys(icons)]
    bonus, rise = card.get("bonus", {}), card.get("damage_effect", {})
    known: tuple[tuple[str, object], ...] = (
        ("combo", card.get("combo")),
        ("knockdown", card.get("knockdown") or rise.get("knockdown")),
        ("move", card.get("move")),
        ("energy", rise.get("energy") or card.get("cost", {}).get("yellow")),
        ("discards", card.get("required_discards") or card.get("optional_discards")),
        ("more_damage", rise.get("damage")),
        ("city", bonus.get("city")),
        ("empty_hand", bonus.get("empty_hand")),
        ("crowd", bonus.get("targeted_by")),
        ("charge", bonus.get("answers_style") == "charge"),
        ("fierce", bonus.get("answers_type") == "Fierce Attack"),
        ("chain", bonus.get("answers_type") == "Chain Attack"),
    )
    names += [name for name, is_printed in known if is_printed]
    return [*names, _ADDED[slug]] if slug in _ADDED else names


def _quick_attack(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for _ in range(34):
        x, y, long = (
            chance.uniform(-320, 320),
            chance.uniform(-240, 240),
            chance.uniform(60, 220),
        )
        canvas.fill([(x, y - 5), (x + long, y), (x, y + 5)], light, 0.55)


def _chain_attack(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for row in range(-3, 4):
        shift = chance.uniform(0, 90)
        for column in range(-5, 6):
            spot = (column * 86 + shift, row * 76.0)
            canvas.line(ngon(spot, 40, 6, 30), 10, light, 0.28, closed=True)


def _fierce_attack(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    canvas.fill(star((0, 0), 330, 150, 15, chance.uniform(0, 24)), light, 0.28)
    canvas.fill(star((0, 0), 262, 150, 15, chance.uniform(0, 24)), mix(tone, light, 0.5), 0.7)


def _power_attack(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    art.rays(canvas, (0, 0), 18, light, 0.2)
    for r in (220, 176):
        canvas.ring((0, 0), r, 12, light, 0.45)


def _technique(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for arm in range(4):
        line: list[Point] = []
        for step in range(30):
            a = math.radians(arm * 90 + step * 11)
            r = 60 + step * 10
            line.append((r * math.cos(a), r * math.sin(a)))
        canvas.line(line, 22, light, 0.28)


def _block(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for row in range(-4, 5):
        for column in range(-4, 5):
            spot = (column * 96.0 + (48 if row % 2 else 0), row * 83.0)
            canvas.fill(ngon(spot, 50, 6), light, chance.uniform(0.06, 0.26))


def _dodge(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for i in range(7):
        r = 150 + i * 38
        turn = chance.uniform(-30, 30)
        arc = [
            (
                r * math.cos(math.radians(d + turn)) - 60,
                r * math.sin(math.radians(d + turn)) * 0.8 + 60,
            )
            for d in range(-150, 20, 8)
        ]
        canvas.line(arc, 10, light, 0.35)


def _counterattack(canvas: Canvas, chance: random.Random, tone: Colour, light: Colour) -> None:
    for side in (-1, 1):
        for i in range(4):
            x = side * (110 + i * 62.0)
            chevron = [(x + side * 40, -170), (x, 0), (x + side * 40, 170)]
            canvas.line(chevron, 18, light, 0.42)


_PATTERNS: Final[Mapping[str, Callable[[Canvas, random.Random, Colour, Colour], None]]] = {
    "Quick Attack": _quick_attack,
    "Chain Attack": _chain_attack,
    "Fierce Attack": _fierce_attack,
    "Power Attack": _power_attack,
    "Technique": _technique,
    "Block": _block,
    "Dodge": _dodge,
    "Counterattack": _counterattack,
}


def _field(canvas: Canvas, chance: random.Random, kind: str) -> None:
    """The background of the emblem: each type of card moves in its own way."""
    night, tone, light = FIELDS[kind]
    corners = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)]
    canvas.fade([(float(x), float(y)) for x, y in corners], mix(tone, night, 0.35), night)
    canvas.glow((0, 0), 330, tone, 0.9)
    _PATTERNS[kind](canvas, chance, tone, light)


def picture(canvas: Canvas, slug: str, card: Mapping[str, Any]) -> None:
    chance = art.seeded(slug)
    kind = str(card["type"])
    night, tone, light = FIELDS[kind]
    _field(canvas, chance, kind)
    # What is done shows more than the skill it is done with.
    styles = sorted((str(style) for style in card["styles"]), key=lambda style: style == "skilled")
    tones = {"f": mix(light, WHITE, 0.55), "d": mix(night, BLACK, 0.35), "l": WHITE, "a": tone}
    tones["a"] = rgb("#ffcf4a") if card["icon"] == "sword" else rgb("#7fe0ff")
    small = signs(slug, card)
    turn = chance.uniform(-16, 16)
    radius = 150.0 if len(styles) == 1 else 124.0
    main = emblems.STYLES[styles[0]]
    if card.get("combo"):  # a blow that comes again leaves an echo
        ghost = dict.fromkeys("fdla", mix(light, tone, 0.4))
        for i in (2, 1):
            emblems.draw(canvas, main, (-i * 54, i * 22.0 - 8), radius * 0.9, ghost, turn=turn)
    if len(styles) > 1:
        second = emblems.STYLES[styles[1]]
        emblems.draw(canvas, second, (92, -78), 88, {**tones, "f": light}, 9, turn)
        emblems.draw(canvas, main, (-44, 36), radius, tones, 11, turn)
    elif styles[0] == "guard":
        emblems.draw(canvas, main, (0, -6), 176, tones, 11)
        if small:  # what is special about a guard stands on its shield
            _glyph(canvas, small.pop(0), (0, -20), 74, tones)
        else:
            canvas.fill(ngon((0, -20), 66, 4), tones["f"])
            canvas.fill(ngon((0, -20), 34, 4), tones["a"])
    else:
        emblems.draw(canvas, main, (0, -6), radius, tones, 11, turn)
    for name, at in zip(small, _PLACES, strict=False):
        _sign(canvas, name, at, tones)


def _sign(canvas: Canvas, name: str, at: Point, tones: Mapping[str, Colour]) -> None:
    """A white icon on a dark disc, or a keyword on a square."""
    if name.startswith("icon:"):
        canvas.disc(at, 57, tones["d"])
        canvas.ring(at, 50, 5, WHITE)
    else:
        canvas.fill(ngon(at, 72, 4, 45), tones["d"])
        canvas.line(ngon(at, 63, 4, 45), 5, tones["a"], closed=True)
    _glyph(canvas, name, at, 34, tones)


def _glyph(
    canvas: Canvas, name: str, at: Point, radius: float, tones: Mapping[str, Colour]
) -> None:
    if name.startswith("icon:"):
        emblems.glyph(canvas, name.removeprefix("icon:"), at, radius, WHITE)
    else:
        emblems.draw(canvas, emblems.EXTRAS[name], at, radius, tones)
