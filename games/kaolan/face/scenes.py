"""The pictures of Special Abilities (seals) and Opportunities (banners over a country)."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

from collections.abc import Mapping

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import BLACK, WHITE, Canvas, Colour, circle, mix, rgb, star
from games.kaolan.face import emblems

VIOLET = Palette.of(
    "#1c0f33", "#3a2266", "#6c47a8", "#b491e0", "#f1e8fb", "#f0803c", "#1d1038", "#6a4a9c", "#d9c6ef",
)  # fmt: skip
#: A seal's colour says in which part of a Challenge it works: the first letter of its side code.
SEALS = {
    "Q": Palette.of("#04262b", "#0d5a5e", "#16878a", "#6fd3cb", "#e3faf5", "#f4b740", "#061f2b", "#1f6f78", "#c9efe8"),
    "V": Palette.of("#2b0a10", "#7a1a22", "#b9383a", "#f08a70", "#ffeadf", "#f6b23c", "#240a1c", "#8d2f3c", "#f6d2c0"),
    "D": Palette.of("#0c1830", "#24406e", "#41689f", "#9dbfe6", "#eef5fd", "#f2a23c", "#0d1630", "#3b5c92", "#d4e3f4"),
    "L": Palette.of("#12260c", "#335c1c", "#5a8f2e", "#b3d672", "#f4fbdf", "#e8743a", "#12240f", "#5a8a38", "#e2efc0"),
    "C": VIOLET,
    "X": Palette.of("#331303", "#8a3a06", "#d1701a", "#ffb862", "#fff1d8", "#c5302a", "#3a1206", "#c4661f", "#ffe3b4"),
}  # fmt: skip
_DAWN = Palette.of(
    "#35130f",
    "#7d3a24",
    "#c8692f",
    "#ffb868",
    "#fff1d6",
    "#8e3fae",
    "#5a2a6b",
    "#f3a25c",
    "#ffe2a6",
)
_NIGHT = Palette.of(
    "#0d0c2a",
    "#262152",
    "#4a3f92",
    "#8f84e0",
    "#ece9ff",
    "#f0a03c",
    "#0b0b28",
    "#4b3f8f",
    "#cfc8f6",
)
_FIELD = Palette.of(
    "#0b2a24",
    "#1f5a44",
    "#2f8f6b",
    "#8ed8ad",
    "#effbe9",
    "#f0803c",
    "#12485a",
    "#9ed6b4",
    "#f4f7c8",
)
_BLAZE = Palette.of(
    "#2c0a0e",
    "#7a1a1c",
    "#c63a2a",
    "#ff9358",
    "#ffeeda",
    "#f7c244",
    "#2a0a20",
    "#d2503a",
    "#ffcf94",
)
#: An Opportunity's country says what it does: attack, build, disturb, or bring cards.
BANNERS: Mapping[str, Palette] = {
    "ambush": _BLAZE, "battle-horn": _BLAZE, "truce-breaker": _BLAZE,
    "change-of-guard": _DAWN, "new-teaching": _DAWN, "power-surge": _DAWN, "reinforcements": _DAWN,
    "sabotage": _NIGHT, "spyglass": _NIGHT, "night-raid": _NIGHT, "silence": _NIGHT,
    "salvage": _FIELD, "regroup": _FIELD, "windfall": _FIELD,
}  # fmt: skip


def _tones(p: Palette) -> dict[str, Colour]:
    return {
        "f": mix(p.light, WHITE, 0.35),
        "l": mix(p.pale, WHITE, 0.5),
        "d": mix(p.dark, BLACK, 0.25),
        "a": p.accent,
        "red": rgb("#e0483a"),
        "green": rgb("#3fae63"),
        "blue": rgb("#3f84ea"),
        "gold": rgb("#ffd861"),
    }


def seal(canvas: Canvas, slug: str, name: str, code: str) -> None:
    """A great wax seal with the ability's sign."""
    p = SEALS.get(code[:1], VIOLET)
    chance = art.seeded(slug)
    art.sky(canvas, p)
    art.rays(canvas, (0, 0), 24, p.light, 0.1)
    art.stars(canvas, chance, p.pale, 14)
    canvas.glow((0, 0), 330, p.light, 0.65)
    turn = chance.uniform(0, 15)
    canvas.fill(star((5, 12), 222, 203, 24, turn), BLACK, 0.3)
    canvas.fill(star((0, 0), 224, 204, 24, turn), p.dark)
    canvas.fade(star((0, 0), 216, 198, 24, turn), p.light, p.base)
    canvas.fade(circle((0, 0), 186), p.deep, p.base)
    canvas.ring((0, 0), 186, 5, p.dark)
    for i in range(48):
        (x, y) = circle((0, 0), 170, 48)[i]
        canvas.disc((x, y), 3.6 if i % 2 else 5.4, p.light, 0.75)
    canvas.fade(circle((0, 0), 152), mix(p.base, p.deep, 0.35), p.dark)
    canvas.ring((0, 0), 152, 4, p.light)
    if not emblems.draw(canvas, name, (0, 0), 112, _tones(p)):
        art.rosette(canvas, (0, 0), 110, chance.randint(5, 9), (p.pale, p.accent), 0.9)


def banner(canvas: Canvas, slug: str, name: str) -> None:
    """The opportunity's sign on a banner above a country."""
    p = BANNERS.get(name, VIOLET)
    chance = art.seeded(slug)
    art.sky(canvas, p)
    side = chance.choice((-1, 1))
    art.stars(canvas, chance, p.pale, 20)
    art.moon(canvas, (side * 176, -96), 62, p.disc, p.light)
    if p is _BLAZE:
        art.peaks(canvas, chance, 120, 210, p.deep, p.light)
        art.hills(canvas, chance, 196, 40, p.dark)
    elif p is _NIGHT:
        art.hills(canvas, chance, 90, 90, p.deep)
        for x in (-250, -186, 190, 256):
            art.tower(canvas, x, 220, chance.uniform(190, 300), p)
        art.woods(canvas, chance, 226, 70, p.dark)
    elif p is _FIELD:
        art.hills(canvas, chance, 60, 90, p.base)
        art.hills(canvas, chance, 120, 80, p.deep)
        art.waves(canvas, chance, 176, mix(p.deep, p.sky_top, 0.5), p.pale)
    else:
        art.peaks(canvas, chance, 150, 170, mix(p.deep, p.sky_bottom, 0.35), p.pale)
        for x in (-236, 236):
            art.tower(canvas, x + chance.uniform(-20, 20), 230, chance.uniform(240, 320), p)
        art.hills(canvas, chance, 190, 50, p.dark)
    canvas.path(
        "M-166 -246 L166 -246 L166 176 L84 226 L0 176 L-84 226 L-166 176 Z", BLACK, 0.28, at=(7, 8)
    )
    canvas.path("M-166 -246 L166 -246 L166 176 L84 226 L0 176 L-84 226 L-166 176 Z", p.dark)
    cloth = "M-156 -246 L156 -246 L156 170 L84 213 L0 165 L-84 213 L-156 170 Z"
    canvas.path(cloth, p.accent)
    canvas.fade(
        [(-142, -246), (142, -246), (142, 162), (84, 196), (0, 149), (-84, 196), (-142, 162)],
        mix(p.base, p.deep, 0.25),
        mix(p.deep, p.dark, 0.5),
    )
    canvas.path("M-142 -246 L-110 -246 L-110 178 L-142 162 Z", WHITE, 0.07)
    canvas.path("M30 -246 L76 -246 L76 192 L30 164 Z", BLACK, 0.1)
    canvas.fill([(-200, -222), (200, -222), (200, -206), (-200, -206)], p.dark)
    canvas.fill([(-200, -220), (200, -220), (200, -214), (-200, -214)], p.light)
    for x in (-200, 200):
        canvas.disc((x, -214), 13, p.dark)
        canvas.disc((x, -214), 9, p.accent)
    canvas.disc((0, -32), 122, p.dark, 0.35)
    canvas.ring((0, -32), 122, 4, p.accent, 0.9)
    if not emblems.draw(canvas, name, (0, -32), 96, _tones(p)):
        art.rosette(canvas, (0, -32), 96, chance.randint(5, 9), (p.pale, p.accent), 0.9)
