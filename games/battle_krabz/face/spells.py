"""The Boosters: ten Faeries in the morning, ten Witches at night."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    circle,
    ellipse,
    mirrored,
    mix,
    moved,
    ngon,
    rgb,
    star,
    trace,
    turned,
)
from games.battle_krabz.face.figures import eyes, limb, mouth, shape

MORNING = Palette.of(
    "#3b2a5e", "#8b6fc0", "#f3b6c8", "#ffe0c2", "#fffaf0", "#ff8f70", "#7fc4e8", "#ffe3d0", "#fff6e0",
)  # fmt: skip
NIGHT = Palette.of(
    "#120b26", "#2e1f52", "#5b3f8c", "#9a7cd0", "#ece2ff", "#b6e04a", "#0f0a24", "#4b2f70", "#d9c6ff",
)  # fmt: skip

_WINGS = {
    "leaf": "M30 40 C90 -90 170 -150 256 -150 C250 -60 190 10 60 60 Z M40 70 C120 70 190 110 220 180 C140 180 80 140 40 100 Z",
    "feather": "M30 50 C70 -80 150 -170 262 -190 C250 -160 240 -140 224 -124 C236 -120 232 -96 206 -80 C216 -70 208 -46 180 -36 C184 -20 170 0 140 6 C120 40 70 60 40 80 Z",
    "fin": "M30 40 C70 -30 110 -120 220 -176 L206 -116 L256 -116 L220 -62 L262 -36 L212 -8 L232 34 L176 34 L150 84 L110 62 L40 90 Z",
    "butterfly": "M30 30 C60 -100 180 -190 246 -150 C280 -110 240 -10 120 36 C90 46 50 46 30 40 Z M34 60 C110 40 200 70 204 130 C200 190 110 190 60 120 Z",
    "moth": "M30 30 C90 -60 200 -120 268 -96 C262 -40 236 20 150 40 L210 84 C190 130 110 136 40 84 Z",
    "drop": "M30 40 C60 -60 120 -190 196 -196 C250 -180 220 -60 110 40 Z M36 70 C110 60 170 100 176 156 C130 176 70 150 40 100 Z",
    "ray": "M30 40 L120 -190 L130 -70 L226 -160 L190 -36 L276 -70 L206 24 L270 50 L180 66 L214 124 L40 90 Z",
    "bat": "M30 40 C60 -60 130 -140 262 -170 C236 -120 240 -90 256 -60 C220 -66 196 -50 190 -14 C160 -26 140 -8 134 30 C104 20 70 50 40 90 Z",
    "torn": "M30 40 C60 -90 150 -170 250 -176 L214 -130 L240 -104 L196 -84 L214 -40 L160 -34 L150 20 L110 10 L70 70 L40 80 Z",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a helper is dressed: skin, hair, dress, wings, accent."""

    skin: Colour
    hair: Colour
    dress: Colour
    wing: Colour
    accent: Colour
    wings: str = ""

    @classmethod
    def of(cls, wings: str, *codes: str) -> Look:
        skin, hair, dress, wing, accent = (rgb(code) for code in codes)
        return cls(skin, hair, dress, wing, accent, wings)

    @property
    def edge(self) -> Colour:
        return mix(mix(self.dress, self.hair, 0.4), BLACK, 0.75)


LOOKS = {
    "dewdrop-nell": Look.of("leaf", "#ffe0c7", "#57c4d8", "#8fe3c9", "#c9f2a8", "#e8fbff"),
    "pip-featherlight": Look.of("feather", "#f3c8a0", "#ffe07a", "#ff9f6b", "#ffffff", "#ff6f59"),
    "coral-wink": Look.of("fin", "#c98a63", "#ff5f6f", "#ffb3a0", "#ff8f9f", "#ffd166"),
    "tansy-brightwing": Look.of("butterfly", "#8a5a3c", "#3a1f14", "#ffc53d", "#ff9f2e", "#6fae3a"),
    "marisol": Look.of("fin", "#e0b088", "#2a4a7a", "#2aa8a0", "#7fe0d0", "#ffd84d"),
    "ondine": Look.of("drop", "#d9ecff", "#3f6fd0", "#a8d4ff", "#bfe8ff", "#ffffff"),
    "paloma": Look.of("feather", "#f7d9c0", "#f4f4f8", "#dfe9f7", "#ffffff", "#f7b23c"),
    "lumi-morningstar": Look.of("moth", "#ffe6d6", "#c9a6ff", "#8f78e0", "#ffe3f4", "#fff27a"),
    "solara": Look.of("ray", "#b87848", "#ff9f1f", "#f26a2e", "#ffd84d", "#fff3b0"),
    "aurora-first-light": Look.of("ray", "#fbe3ef", "#ff9fc6", "#7fd8e0", "#ffe9f4", "#fff2b8"),
    "nettle-hex": Look.of("", "#a9cf72", "#2f5b2a", "#3f7d3a", "#6fae3a", "#d8f06a"),
    "grubba": Look.of("", "#d9b48c", "#e2783c", "#7a4a6e", "#a86a8f", "#8fe04a"),
    "vesper-snag": Look.of("bat", "#c9b8e8", "#1c1430", "#5a2f8f", "#3b2266", "#ff5f9f"),
    "mildew-maud": Look.of("", "#b8c4a0", "#8a9a8a", "#5f6f5a", "#8fa080", "#e2f0b0"),
    "elara-bad-faerie": Look.of("torn", "#f0d0dc", "#2a1030", "#a81f5a", "#6a3f8f", "#8ff0d0"),
    "old-mother-murk": Look.of("", "#8fa8a0", "#cfd8d4", "#24404a", "#3f6a70", "#9fffe0"),
    "sable-quill": Look.of("feather", "#e8cdb8", "#14141f", "#2f3350", "#3f4468", "#f2c14a"),
    "croak-nan": Look.of("", "#7fbf5a", "#d8d8c0", "#6a4a2e", "#8a6a3e", "#ffb84d"),
    "nocturna": Look.of("moth", "#a8b4e8", "#0f1440", "#26307a", "#3f4fae", "#fff0a8"),
    "grimalda-dusk-queen": Look.of("bat", "#d8c0d8", "#4a0f2a", "#7a1438", "#a82a4a", "#ffc53d"),
}


def _wings(canvas: Canvas, look: Look, alpha: float = 0.88) -> None:
    for outline in trace(_WINGS[look.wings]):
        for wing in (list(outline), mirrored(outline)):
            canvas.line(wing, 9, look.edge, closed=True)
            canvas.fade(wing, mix(look.wing, WHITE, 0.45), look.wing, alpha)
    for outline in trace(_WINGS[look.wings]):
        root = outline[0]
        for tip in outline[4::7]:
            for side in (1, -1):
                canvas.line(
                    [
                        (side * root[0], root[1]),
                        (
                            side * (root[0] + (tip[0] - root[0]) * 0.75),
                            root[1] + (tip[1] - root[1]) * 0.75,
                        ),
                    ],
                    3,
                    look.edge,
                    0.45,
                )


def _dress(canvas: Canvas, look: Look, width: float = 1.0) -> None:
    w = width
    shape(
        canvas,
        f"M{-36 * w} 40 C{-50 * w} 110 {-110 * w} 170 {-132 * w} 250 L{132 * w} 250 C{110 * w} 170 {50 * w} 110 {36 * w} 40 Z",
        mix(look.dress, WHITE, 0.2), mix(look.dress, BLACK, 0.25), look.edge, width=11,
    )  # fmt: skip
    for i in range(-2, 3):
        canvas.line([(i * 12 * w, 96), (i * 48 * w, 250)], 4, look.edge, 0.3)


def _arms(canvas: Canvas, look: Look) -> None:
    limb(canvas, [(-40, 70), (-110, 110), (-136, 60)], 22, look.skin, look.edge)
    limb(canvas, [(40, 70), (112, 96), (150, 30)], 22, look.skin, look.edge)


def _wand(canvas: Canvas, look: Look, points: int = 5) -> None:
    canvas.glow((182, -92), 92, look.accent, 0.9)
    limb(canvas, [(146, 46), (180, -86)], 8, mix(look.accent, WHITE, 0.4), look.edge)
    tip = star((182, -92), 42, 19, points)
    canvas.solid(tip, mix(look.accent, WHITE, 0.5), look.accent, look.edge, 8)


def _head(canvas: Canvas, look: Look, mood: str = "calm", smile: str = "smile") -> None:
    face = "M0 -128 C52 -128 84 -90 82 -40 C80 14 42 52 0 56 C-42 52 -80 14 -82 -40 C-84 -90 -52 -128 0 -128 Z"
    shape(
        canvas,
        face,
        mix(look.skin, WHITE, 0.15),
        mix(look.skin, look.edge, 0.15),
        look.edge,
        width=10,
    )
    eyes(canvas, 36, -32, 24, iris=mix(look.dress, BLACK, 0.35), lid=look.skin, mood=mood)
    for side in (-1, 1):
        canvas.fill(ellipse((side * 52, 4), 14, 9), rgb("#ff7a8f"), 0.45)
    mouth(canvas, smile, 18, look.edge, 20)


_FRINGE = "M-86 -30 C-96 -110 -52 -146 0 -146 C52 -146 96 -110 86 -30 C72 -70 52 -86 20 -90 C-10 -78 -60 -84 -86 -30 Z"


def _hair(canvas: Canvas, look: Look, data: str) -> None:
    shape(
        canvas, data, mix(look.hair, WHITE, 0.2), mix(look.hair, BLACK, 0.25), look.edge, width=10
    )


def _dewdrop_nell(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    shape(
        canvas,
        "M0 -236 C40 -180 64 -160 56 -126 C30 -108 -30 -108 -56 -126 C-64 -160 -40 -180 0 -236 Z",
        WHITE,
        rgb("#57c4e8"),
        edge,
    )
    canvas.fill(ellipse((-18, -150), 9, 18, 20), WHITE, 0.9)


def _pip_featherlight(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    for x, turn in ((-30, -24), (20, 10), (62, 34)):
        shape(
            canvas,
            "M0 10 C-26 -30 -18 -80 6 -106 C24 -70 24 -24 0 10 Z",
            WHITE,
            accent,
            edge,
            at=(x, -132),
            turn=turn,
            width=7,
        )


def _coral_wink(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    for x, turn in ((-46, -22), (0, 0), (46, 22)):
        branch = [(0, 0), (0, -70)]
        for pair in (branch, [(0, -26), (-24, -56)], [(0, -34), (24, -66)]):
            limb(canvas, moved(turned(pair, turn), x, -132), 12, rgb("#ff7a6b"), edge)
    canvas.fill(ellipse((36, -32), 32, 30), look.skin)
    canvas.line(trace("M14 -30 Q36 -48 58 -30")[0], 7, edge)


def _tansy_brightwing(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    for i in range(-2, 3):
        at = (i * 36, -140 + abs(i) * 14)
        for n in range(6):
            canvas.disc(
                (at[0] + 17 * math.sin(n * 1.05), at[1] - 17 * math.cos(n * 1.05)), 12, edge
            )
        for n in range(6):
            canvas.disc(
                (at[0] + 17 * math.sin(n * 1.05), at[1] - 17 * math.cos(n * 1.05)),
                9,
                rgb("#ffe03d"),
            )
        canvas.disc(at, 11, rgb("#d9761f"))


def _marisol(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    canvas.ring((0, -60), 138, 12, accent)
    for i in range(-3, 4):
        a = math.radians(i * 24)
        canvas.fill(ngon((138 * math.sin(a), -60 - 138 * math.cos(a)), 17, 4), edge)
        canvas.fill(ngon((138 * math.sin(a), -60 - 138 * math.cos(a)), 12, 4), WHITE)
    for row in range(4):
        for i in range(-2, 3):
            canvas.line(
                trace(
                    f"M{i * 34 - 17 + row % 2 * 17} {130 + row * 30} Q{i * 34 + row % 2 * 17} {156 + row * 30} {i * 34 + 17 + row % 2 * 17} {130 + row * 30}"
                )[0],
                5,
                WHITE,
                0.6,
            )


def _ondine(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    shape(
        canvas,
        "M-100 -120 C-60 -210 40 -230 96 -180 C120 -150 90 -120 64 -132 C80 -160 20 -176 -10 -140 C-40 -120 -76 -110 -100 -120 Z",
        WHITE,
        rgb("#5f9be8"),
        edge,
    )
    for at, r in (((-150, -150), 15), ((-120, -200), 10), ((130, 190), 13), ((-170, 200), 17)):
        canvas.ring(at, r, 5, WHITE)


def _paloma(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    shape(
        canvas,
        "M-60 -140 C-40 -176 0 -170 20 -160 C40 -200 90 -210 120 -206 C96 -190 90 -160 70 -140 C50 -120 -20 -120 -60 -140 Z",
        WHITE,
        rgb("#d5dfee"),
        edge,
    )
    canvas.fill([(-60, -142), (-88, -132), (-56, -130)], rgb("#f7a23c"))
    canvas.disc((-38, -150), 5, edge)
    for side in (-1, 1):
        canvas.path(
            "M0 0 C20 -8 30 -20 34 -30 C14 -30 0 -18 0 0 Z",
            rgb("#6fae3a"),
            at=(side * 96, 120),
            size=1.2,
        )


def _lumi_morningstar(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    canvas.glow((0, -170), 100, accent, 0.9)
    canvas.solid(star((0, -168), 62, 20, 8), WHITE, accent, edge, 8)


def _solara(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    for i in range(-4, 5):
        a = i * 20
        ray = moved(turned([(-15, -104), (0, -176), (15, -104)], a), 0, -48)
        canvas.solid(ray, accent, rgb("#ffb03a"), edge, 7)
    _hair(canvas, look, _FRINGE)
    canvas.disc((0, -122), 19, edge)
    canvas.disc((0, -122), 13, accent)


def _aurora_first_light(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    for i, tone in enumerate(("#ff8fb8", "#ffd884", "#8ff0c8", "#8fc8ff")):
        canvas.line(
            trace(
                f"M-190 {160 + i * 18} C-100 {90 + i * 18} -60 {220 + i * 14} 30 {170 + i * 16} C90 {140 + i * 16} 130 {190 + i * 10} 200 {130 + i * 16}"
            )[0],
            15,
            rgb(tone),
        )
    shape(
        canvas,
        "M-80 -118 L-92 -206 L-48 -162 L0 -240 L48 -162 L92 -206 L80 -118 C40 -134 -40 -134 -80 -118 Z",
        accent,
        rgb("#f0b04a"),
        edge,
    )
    for x, y in ((-50, -136), (0, -146), (50, -136)):
        canvas.fill(ngon((x, y), 11, 4), rgb("#ff5f9f"))


_FAERIES: Final[Mapping[str, Callable[[Canvas, Look], None]]] = {
    "dewdrop-nell": _dewdrop_nell,
    "pip-featherlight": _pip_featherlight,
    "coral-wink": _coral_wink,
    "tansy-brightwing": _tansy_brightwing,
    "marisol": _marisol,
    "ondine": _ondine,
    "paloma": _paloma,
    "lumi-morningstar": _lumi_morningstar,
    "solara": _solara,
    "aurora-first-light": _aurora_first_light,
}


def _faerie(canvas: Canvas, name: str, look: Look) -> None:
    _wings(canvas, look)
    long = "M-92 -60 C-110 -150 -50 -160 0 -160 C50 -160 110 -150 92 -60 C110 20 130 90 110 150 C80 130 70 90 40 70 L-40 70 C-70 90 -80 130 -110 150 C-130 90 -110 20 -92 -60 Z"
    short = "M-94 -40 C-112 -150 -50 -162 0 -162 C50 -162 112 -150 94 -40 C104 0 96 30 80 44 L-80 44 C-96 30 -104 0 -94 -40 Z"
    _hair(
        canvas,
        look,
        short if name in ("pip-featherlight", "dewdrop-nell", "coral-wink", "paloma") else long,
    )
    _dress(canvas, look)
    _arms(canvas, look)
    _wand(
        canvas,
        look,
        {"dewdrop-nell": 4, "solara": 12, "lumi-morningstar": 8, "ondine": 6}.get(name, 5),
    )
    _head(canvas, look)
    _hair(canvas, look, _FRINGE)
    _FAERIES[name](canvas, look)


_HAT = "M-150 -84 C-90 -120 90 -120 150 -84 C110 -70 -110 -70 -150 -84 Z"


def _hat(canvas: Canvas, look: Look, cone: str) -> None:
    tone, deep = mix(look.dress, BLACK, 0.2), mix(look.dress, BLACK, 0.6)
    shape(canvas, cone, tone, deep, look.edge)
    shape(canvas, _HAT, tone, deep, look.edge)
    canvas.path(
        "M-84 -108 C-40 -122 40 -122 84 -108 L80 -92 C40 -104 -40 -104 -80 -92 Z", look.accent
    )


def _broom(canvas: Canvas, look: Look) -> None:
    limb(canvas, [(116, 236), (196, -150)], 12, rgb("#8a5a33"), look.edge)
    shape(
        canvas,
        "M172 -120 L216 -110 L250 -210 L224 -200 L214 -232 L196 -206 L172 -228 Z",
        rgb("#e2b85c"),
        rgb("#a8761a"),
        look.edge,
    )
    canvas.line([(174, -124), (214, -114)], 11, look.accent)


def _crone(canvas: Canvas, look: Look, mood: str = "cross") -> None:
    """A witch's face: a long chin, a long nose, a crooked smile."""
    face = "M0 -122 C54 -122 84 -84 80 -36 C78 10 48 36 30 58 C18 80 -6 78 -14 58 C-46 40 -80 10 -82 -36 C-84 -84 -54 -122 0 -122 Z"
    shape(
        canvas,
        face,
        mix(look.skin, WHITE, 0.12),
        mix(look.skin, look.edge, 0.2),
        look.edge,
        width=10,
    )
    eyes(
        canvas,
        36,
        -38,
        23,
        iris=mix(look.accent, BLACK, 0.3),
        lid=mix(look.skin, BLACK, 0.15),
        mood=mood,
    )
    shape(
        canvas,
        "M-8 -36 C-22 -4 -40 8 -46 20 C-30 32 0 28 12 14 C14 -6 8 -24 8 -36 Z",
        mix(look.skin, WHITE, 0.2),
        mix(look.skin, look.edge, 0.12),
        look.edge,
        width=6,
    )
    canvas.disc((-28, 14), 4, look.edge)
    canvas.line(trace("M-30 40 Q10 46 44 22")[0], 7, look.edge)


def _nettle_hex(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    _crone(canvas, look)
    _hat(
        canvas,
        look,
        "M-88 -96 C-70 -150 -40 -180 -30 -230 C0 -214 10 -190 40 -196 C36 -160 76 -140 88 -96 Z",
    )
    for x, y, turn in ((-60, -120, -50), (60, -124, 50), (0, -150, 0)):
        shape(
            canvas,
            "M0 10 L-16 -8 L-8 -14 L-20 -30 L-8 -34 L0 -64 L8 -34 L20 -30 L8 -14 L16 -8 Z",
            rgb("#a8d84a"),
            rgb("#3f7d2c"),
            edge,
            at=(x, y),
            turn=turn,
            width=6,
        )


def _grubba(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _crone(canvas, look, "wild")
    _hat(
        canvas,
        look,
        "M-88 -96 C-90 -160 -50 -190 0 -184 C50 -190 110 -170 130 -200 C130 -150 90 -140 88 -96 Z",
    )
    shape(
        canvas,
        "M-130 130 C-160 230 -60 262 0 262 C60 262 160 230 130 130 Z",
        rgb("#4a5260"),
        rgb("#1b2028"),
        edge,
        width=11,
    )
    canvas.fill(ellipse((0, 132), 132, 30), edge)
    canvas.fill(ellipse((0, 130), 118, 22), accent)
    for x, y, r in ((-60, 112, 20), (0, 98, 26), (54, 114, 18), (24, 64, 11)):
        canvas.disc((x, y), r + 5, edge)
        canvas.disc((x, y), r, mix(accent, WHITE, 0.35))


def _vesper_snag(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _crone(canvas, look)
    _hat(
        canvas,
        look,
        "M-86 -96 C-80 -170 -60 -220 -10 -240 C30 -250 70 -210 120 -220 C90 -190 60 -190 50 -170 C60 -140 84 -120 88 -96 Z",
    )
    for side in (-1, 1):
        limb(canvas, [(side * 42, 80), (side * 100, 130), (side * 140, 60)], 20, look.dress, edge)
        for n in (-20, 0, 20):
            canvas.line([(side * 140, 60), (side * 140 + n, 20)], 8, look.skin)
    canvas.fill(star((0, 120), 34, 12, 4), accent)


def _mildew_maud(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _crone(canvas, look, "sleepy")
    shape(
        canvas,
        "M-160 -76 C-150 -190 -60 -226 0 -226 C60 -226 150 -190 160 -76 C90 -104 -90 -104 -160 -76 Z",
        rgb("#b0604a"),
        rgb("#6a3028"),
        edge,
        width=11,
    )
    for x, y, r in (
        (-84, -130, 21),
        (0, -176, 28),
        (80, -136, 19),
        (-30, -122, 12),
        (44, -124, 13),
        (122, -98, 11),
        (-128, -98, 11),
    ):
        canvas.fill(ellipse((x, y), r, r * 0.78), accent)
    for x, size in ((-120, 0.7), (-150, 0.5)):
        shape(
            canvas,
            "M-10 40 L10 40 L8 0 L-8 0 Z",
            WHITE,
            rgb("#d8d8c0"),
            edge,
            at=(x, 200),
            size=size,
        )
        shape(
            canvas,
            "M-40 4 C-36 -40 36 -40 40 4 Z",
            rgb("#b0604a"),
            rgb("#6a3028"),
            edge,
            at=(x, 200),
            size=size,
        )


def _elara_bad_faerie(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _arms(canvas, look)
    _wand(canvas, look, 4)
    _head(canvas, look, "cross", "smile")
    _hair(
        canvas,
        look,
        "M-88 -20 C-104 -120 -50 -152 0 -152 C50 -152 104 -120 88 -20 C84 -70 60 -96 0 -64 C-60 -96 -84 -70 -88 -20 Z",
    )
    shape(
        canvas,
        "M-74 -128 L-84 -206 L-44 -164 L-24 -232 L0 -168 L24 -232 L44 -164 L84 -206 L74 -128 C40 -146 -40 -146 -74 -128 Z",
        rgb("#4a4458"),
        rgb("#17141f"),
        edge,
    )
    canvas.fill(ngon((0, -148), 14, 4), accent)
    canvas.line([(-52, 30), (-30, 60)], 5, rgb("#a81f5a"))


def _old_mother_murk(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    shape(
        canvas,
        "M0 -226 C110 -220 150 -110 140 20 C150 130 180 190 190 260 L-190 260 C-180 190 -150 130 -140 20 C-150 -110 -110 -220 0 -226 Z",
        look.dress,
        mix(look.dress, BLACK, 0.6),
        edge,
        width=12,
    )
    shape(
        canvas,
        "M0 -150 C66 -146 96 -80 90 -16 C80 60 40 96 0 110 C-40 96 -80 60 -90 -16 C-96 -80 -66 -146 0 -150 Z",
        rgb("#0d1c22"),
        rgb("#0d1c22"),
        edge,
    )
    for side in (-1, 1):
        canvas.glow((side * 36, -30), 54, accent, 0.9)
        canvas.fill(ellipse((side * 36, -30), 22, 17), accent)
        canvas.fill(ellipse((side * 36, -30), 5, 15), edge)
    canvas.line(trace("M-40 34 Q-20 20 0 34 Q20 48 40 30")[0], 7, accent)
    limb(canvas, [(150, 130), (150, 80)], 7, rgb("#8a98a0"), edge)
    canvas.glow((150, 168), 84, accent, 0.9)
    shape(
        canvas,
        "M-30 -40 L30 -40 L38 40 L-38 40 Z",
        mix(accent, WHITE, 0.5),
        accent,
        edge,
        at=(150, 168),
    )


def _sable_quill(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _crone(canvas, look)
    _hat(canvas, look, "M-86 -96 C-70 -170 -40 -200 0 -244 C20 -190 70 -160 88 -96 Z")
    for x, turn, tone in ((60, 40, "#3f4468"), (40, 20, "#f2c14a"), (76, 62, "#5f6aa8")):
        shape(
            canvas,
            "M0 10 C-24 -40 -18 -100 8 -134 C26 -90 24 -30 0 10 Z",
            rgb(tone),
            mix(rgb(tone), BLACK, 0.4),
            edge,
            at=(x, -104),
            turn=turn,
            width=6,
        )
    shape(
        canvas,
        "M-150 150 C-150 100 -110 90 -90 110 L-60 116 L-88 130 C-80 180 -110 220 -170 226 C-150 200 -156 170 -150 150 Z",
        rgb("#2a2a3c"),
        BLACK,
        edge,
    )
    canvas.disc((-104, 118), 6, accent)


def _croak_nan(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    shape(
        canvas,
        "M-130 -10 C-136 -90 -70 -110 0 -110 C70 -110 136 -90 130 -10 C126 50 66 76 0 76 C-66 76 -126 50 -130 -10 Z",
        mix(look.skin, WHITE, 0.15),
        mix(look.skin, BLACK, 0.3),
        edge,
        width=11,
    )
    for side in (-1, 1):
        canvas.disc((side * 64, -98), 46, edge)
        canvas.disc((side * 64, -98), 38, look.skin)
    eyes(canvas, 64, -98, 28, iris=accent, lid=mix(look.skin, BLACK, 0.2), mood="sleepy")
    canvas.line(trace("M-108 10 C-50 44 50 44 108 10")[0], 9, edge)
    for x, y in ((-90, -30), (90, -34), (-40, -60), (30, -64)):
        canvas.disc((x, y), 8, mix(look.skin, BLACK, 0.3))
    shape(
        canvas,
        "M-160 -128 C-90 -156 90 -156 160 -128 C110 -110 -110 -110 -160 -128 Z",
        mix(look.dress, WHITE, 0.1),
        mix(look.dress, BLACK, 0.4),
        edge,
    )
    shape(
        canvas,
        "M-90 -140 C-70 -190 -20 -200 20 -236 C40 -200 80 -190 90 -140 C40 -154 -40 -154 -90 -140 Z",
        mix(look.dress, WHITE, 0.1),
        mix(look.dress, BLACK, 0.4),
        edge,
    )
    shape(
        canvas,
        "M-100 90 C-40 130 40 130 100 90 L110 130 C40 170 -40 170 -110 130 Z",
        accent,
        mix(accent, BLACK, 0.3),
        edge,
    )


def _nocturna(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    _arms(canvas, look)
    _wand(canvas, look, 5)
    _head(canvas, look, "sleepy", "smile")
    _hair(canvas, look, _FRINGE)
    shape(
        canvas,
        "M-86 -150 C-90 -226 -30 -250 20 -244 C-20 -230 -30 -190 0 -166 C30 -150 70 -166 84 -196 C90 -150 50 -116 0 -116 C-40 -116 -76 -126 -86 -150 Z",
        WHITE,
        accent,
        edge,
    )
    for x, y in ((-70, 180), (-20, 140), (40, 200), (80, 226), (-100, 226), (10, 230)):
        canvas.fill(star((x, y), 13, 5, 4), accent)


def _grimalda_dusk_queen(canvas: Canvas, look: Look) -> None:
    edge = look.edge
    accent = look.accent
    shape(
        canvas,
        "M-180 10 C-130 -60 -110 -110 -130 -180 C-70 -150 -60 -60 -50 60 L50 60 C60 -60 70 -150 130 -180 C110 -110 130 -60 180 10 C130 60 60 90 0 100 C-60 90 -130 60 -180 10 Z",
        look.dress,
        mix(look.dress, BLACK, 0.5),
        edge,
    )
    _head(canvas, look, "cross", "flat")
    _hair(
        canvas,
        look,
        "M-86 -30 C-100 -120 -52 -146 0 -146 C52 -146 100 -120 86 -30 C80 -80 50 -100 0 -70 C-50 -100 -80 -80 -86 -30 Z",
    )
    shape(
        canvas,
        "M-86 -120 L-112 -226 L-58 -176 L-30 -244 L0 -182 L30 -244 L58 -176 L112 -226 L86 -120 C44 -142 -44 -142 -86 -120 Z",
        accent,
        rgb("#b8761a"),
        edge,
    )
    for x, tone in ((-48, "#a82a4a"), (0, "#7a1fae"), (48, "#a82a4a")):
        canvas.fill(circle((x, -144 if x else -152), 13), edge)
        canvas.fill(circle((x, -144 if x else -152), 9), rgb(tone))
    limb(canvas, [(-150, 250), (-166, 20)], 11, accent, edge)
    canvas.glow((-166, 0), 80, rgb("#ff5f8f"), 0.9)
    canvas.solid(circle((-166, 0), 34), rgb("#ffb3c6"), rgb("#a81f4a"), edge, 8)


_WITCHES: Final[Mapping[str, Callable[[Canvas, Look], None]]] = {
    "nettle-hex": _nettle_hex,
    "grubba": _grubba,
    "vesper-snag": _vesper_snag,
    "mildew-maud": _mildew_maud,
    "elara-bad-faerie": _elara_bad_faerie,
    "old-mother-murk": _old_mother_murk,
    "sable-quill": _sable_quill,
    "croak-nan": _croak_nan,
    "nocturna": _nocturna,
    "grimalda-dusk-queen": _grimalda_dusk_queen,
}


def _witch(canvas: Canvas, name: str, look: Look) -> None:
    if look.wings:
        _wings(canvas, look, 0.95)
    wide = {"grubba": 1.4, "croak-nan": 1.25, "old-mother-murk": 1.3}.get(name, 1.0)
    strands = "M-92 -70 C-120 0 -130 60 -150 120 L-116 104 L-100 146 L-76 90 L-40 60 L40 60 L76 90 L100 146 L116 104 L150 120 C130 60 120 0 92 -70 C60 -120 -60 -120 -92 -70 Z"
    if name not in ("old-mother-murk", "croak-nan"):
        _hair(canvas, look, strands)
    _dress(canvas, look, wide)
    if name in ("nettle-hex", "mildew-maud", "sable-quill"):
        _broom(canvas, look)
        limb(canvas, [(40, 80), (110, 120), (146, 90)], 24, look.dress, look.edge)
        canvas.disc((148, 88), 18, look.edge)
        canvas.disc((148, 88), 12, look.skin)
    _WITCHES[name](canvas, look)


def backdrop(canvas: Canvas, chance: random.Random, witch: bool) -> None:
    palette = NIGHT if witch else MORNING
    art.sky(canvas, palette)
    if witch:
        art.stars(canvas, chance, palette.pale, 40)
        return
    for i in range(7):
        y = -200 + i * 60 + chance.uniform(-12, 12)
        canvas.fill(ellipse((chance.uniform(-300, 300), y), 110, 12), WHITE, 0.45)


def ground(canvas: Canvas, chance: random.Random, witch: bool) -> None:
    if witch:
        art.woods(canvas, chance, 232, 130, NIGHT.dark)
    else:
        art.hills(canvas, chance, 190, 50, rgb("#f2a8a0"))
        art.waves(canvas, chance, 206, rgb("#4fb8c8"), WHITE)


def figure(canvas: Canvas, name: str, witch: bool) -> None:
    draw: Callable[[Canvas, str, Look], None] = _witch if witch else _faerie
    draw(canvas, name, LOOKS[name])
