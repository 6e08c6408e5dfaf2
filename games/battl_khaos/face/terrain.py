"""Field tiles from above: the ground, what runs across it, and what stands in its middle."""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random

from collection.drawing import art
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    ellipse,
    mix,
    rgb,
    ribbon,
    rounded,
    trace,
)
from games.battl_khaos.face.stamps import Parts, stamp

HALF = 226.0
_IRON = rgb("#39423d")

#: Grounds: grass, its shadows, its lights, pebbles.
_GROUNDS: dict[str, tuple[Colour, Colour, Colour, Colour]] = {
    "bog": (rgb("#5f7438"), rgb("#3f5430"), rgb("#86993f"), rgb("#8f8f74")),
    "heath": (rgb("#7c7d3c"), rgb("#5d5a30"), rgb("#a79c4d"), rgb("#9a8f70")),
    "scorched": (rgb("#75613c"), rgb("#54432c"), rgb("#98804c"), rgb("#a09078")),
    "crag": (rgb("#6f7560"), rgb("#525a4a"), rgb("#949b7c"), rgb("#b0b4a4")),
    "meadow": (rgb("#8fab4c"), rgb("#6d8c3a"), rgb("#b6cc6a"), rgb("#c3c0a0")),
    "stubble": (rgb("#b09f52"), rgb("#8f8242"), rgb("#d2c173"), rgb("#cdbf98")),
    "lawn": (rgb("#7fae5c"), rgb("#5d8d48"), rgb("#a4cb78"), rgb("#c6c9b0")),
    "chalk": (rgb("#9fab84"), rgb("#7f8c6a"), rgb("#c2caa4"), rgb("#e0e0cc")),
}
_WILD, _TILLED = ("bog", "heath", "scorched", "crag"), ("meadow", "stubble", "lawn", "chalk")

_ROCKS: Parts = (
    ("g", "M-90 74 L-52 -34 L-22 70 Z"),
    ("g", "M-24 78 L14 -92 L48 78 Z"),
    ("G", "M38 76 L66 -20 L94 76 Z"),
)
_CAIRN: Parts = (("g2", "O-46 54 36"), ("G", "O0 20 42"))
_SKULL: Parts = (
    ("b", "M-46 -22 C-46 -80 46 -80 46 -22 C46 4 26 6 24 34 L-24 34 C-26 6 -46 4 -46 -22 Z"),
    ("d2", "O-19 -20 11"),
    ("d", "M0 -4 L8 14 L-8 14 Z"),
)
_SHIELD: Parts = (
    ("o", "M-44 -72 L44 -72 L44 -26 C42 14 16 34 0 42 C-16 34 -42 14 -44 -26 Z"),
    ("h", "M-8 -68 L8 -68 L8 32 L0 38 L-8 32 Z"),
    ("h", "M-40 -42 L40 -42 L40 -26 L-40 -26 Z"),
)
_FLAME: Parts = (
    (
        "F",
        "M0 66 C-60 66 -66 10 -36 -24 C-30 -6 -20 -2 -16 -4 C-26 -50 0 -84 18 -98 C14 -64 54 -40 54 10 C54 46 34 66 0 66 Z",
    ),
    ("f", "M0 60 C-30 58 -32 24 -12 2 C-8 14 2 12 4 -16 C22 2 30 20 26 38 C22 54 12 60 0 60 Z"),
)
_LOGS: Parts = (
    ("w", "M-84 58 L84 84 L80 100 L-88 76 Z"),
    ("w", "M84 58 L-84 84 L-80 100 L88 76 Z"),
)
_WHEEL: Parts = (
    ("w", "O0 0 92"),
    ("W", "O0 0 76"),
    ("d", "O0 0 64"),
    ("W", "M-8 -84 L8 -84 L8 84 L-8 84 Z"),
    ("W", "M-84 -8 L-84 8 L84 8 L84 -8 Z"),
    ("W2", "M-64 -54 L-54 -64 L64 54 L54 64 Z"),
    ("w", "O0 0 20"),
)
_AXE: Parts = (
    ("w", "M-82 74 L-70 88 L52 -56 L40 -68 Z"),
    ("G", "M18 -62 C20 -96 62 -112 90 -92 C106 -64 92 -26 60 -20 C60 -44 46 -60 18 -62 Z"),
)
_SWORD: Parts = (
    ("G", "M-46 34 L-34 46 L78 -58 L88 -94 L54 -84 Z"),
    ("y", "M-72 12 L-60 2 L-6 56 L-18 68 Z"),
    ("w", "M-80 62 L-66 76 L-42 52 L-54 38 Z"),
)
_MACE: Parts = (
    ("w", "M-82 74 L-70 88 L40 -38 L28 -50 Z"),
    (
        "i",
        "M52 -104 L64 -82 L90 -90 L82 -64 L104 -50 L80 -38 L82 -10 L58 -24 L36 -8 L36 -36 L10 -44 L30 -62 L22 -88 L46 -80 Z",
    ),
)
_CLUB: Parts = (
    ("w", "M-84 72 L-70 88 L6 0 L30 18 C70 16 104 -40 92 -76 C72 -104 10 -86 -6 -46 L4 -16 Z"),
    ("b", "M30 -80 L40 -108 L54 -84 Z"),
    ("b", "M76 -36 L108 -34 L88 -14 Z"),
)
_FLAG: Parts = (("w", "M-60 96 L-48 96 L-48 -98 L-60 -98 Z"),)
_HILL: Parts = (("M", "M-104 86 C-70 6 70 6 104 86 Z"),)
_CROWN: Parts = (("y", "M-70 52 L-84 -44 L-38 0 L0 -76 L38 0 L84 -44 L70 52 Z"), ("r", "O0 30 14"))

#: What stands in the middle of a tile, by number and side.
MOTIFS: dict[str, Parts] = {
    "01o": (("w", "M-96 72 L-36 -70 L26 72 Z"), ("d", "M-54 72 L-36 16 L-16 72 Z"), ("W", "M2 72 L52 -36 L100 72 Z"), ("d", "M38 72 L52 34 L66 72 Z"), ("b", "M-58 -92 L-46 -96 L-28 -62 L-38 -58 Z"), ("b", "M-14 -96 L-26 -98 L-38 -62 L-30 -56 Z")),
    "01k": (("h", "M-72 80 L-62 0 L62 0 L72 80 Z"), ("o", "M-20 80 L-16 0 L16 0 L20 80 Z"), ("o", "M-90 6 L0 -80 L90 6 C60 16 -60 16 -90 6 Z"), ("r", "M0 -112 L46 -98 L0 -82 Z")),
    "02o": _ROCKS,
    "02k": (("G", "M-52 80 L-52 -4 L52 -4 L52 80 Z"), ("o", "M-68 2 L0 -62 L68 2 Z"), ("d", "M-15 80 L-15 40 C-15 16 15 16 15 40 L15 80 Z"), ("b", "M-6 -112 L6 -112 L6 -96 L22 -96 L22 -84 L6 -84 L6 -58 L-6 -58 L-6 -84 L-22 -84 L-22 -96 L-6 -96 Z")),
    "03o": (("w", "M-104 22 L-76 -34 L-6 -26 L-22 2 L-6 38 L-78 52 Z"), ("W", "O-84 6 20"), ("w", "M104 -2 L86 50 L16 46 L34 18 L18 -14 L84 -32 Z"), ("g", "M-20 -98 L28 -98 L22 -40 L6 -10 L-10 -40 Z")),
    "03k": (("o", "M-104 66 L-92 82 L-8 14 L-18 -4 Z"), ("b", "M-18 -4 L8 -22 L-2 0 L18 2 L-8 14 Z"), ("o", "M14 -16 L28 4 L74 -34 L60 -52 Z"), ("G", "M54 -62 L106 -96 L84 -38 Z")),
    "04o": (("M", "M-98 10 C-86 -60 86 -66 98 0 C104 68 -80 78 -98 10 Z"), ("u", "M-72 8 C-56 -32 56 -38 72 4 C62 46 -56 48 -72 8 Z"), ("m", "M-50 24 L-58 -60 L-44 -60 L-38 24 Z"), ("w", "O-51 -72 15"), ("m", "M28 36 L40 -34 L52 -32 L42 38 Z"), ("w", "O46 -46 13")),
    "04k": (("b", "M-42 90 L-30 -10 L30 -10 L42 90 Z"), ("r", "M-42 -4 L0 -48 L42 -4 Z"), ("h2", "M0 -8 L-84 -80 L-64 -100 L12 -22 Z"), ("h2", "M-4 -26 L-80 44 L-62 64 L10 -8 Z"), ("d", "O0 -18 12")),
    "05o": (*_CAIRN, *((tone, path) for tone, path in _SKULL)),
    "05k": (*_CAIRN, *_SHIELD),
    "06o": (("M", "M0 -104 L18 -48 L66 -78 L50 -20 L106 -6 L52 18 L80 68 L22 46 L4 104 L-18 46 L-72 72 L-50 18 L-106 4 L-52 -18 L-70 -72 L-20 -48 Z"), ("m", "M0 -46 L12 -14 L44 -20 L20 6 L34 38 L0 20 L-34 38 L-20 6 L-44 -20 L-12 -14 Z")),
    "06k": (("M2", "O-46 18 46"), ("m", "O0 -40 50"), ("r2", "O-44 16 23"), ("r", "O2 -42 25"), ("o2", "O-44 16 9"), ("o", "O2 -42 10")),
    "07o": (("w", "M-66 74 L-54 -20 L54 -20 L66 74 C34 92 -34 92 -66 74 Z"), ("W", "M-54 -20 C-48 -52 48 -52 54 -20 C48 12 -48 12 -54 -20 Z"), ("w", "M-24 -20 C-20 -34 20 -34 24 -20 C20 -6 -20 -6 -24 -20 Z"), ("g", "M30 -104 L78 -84 L64 -46 L24 -26 L40 -60 Z")),
    "07k": (("y", "M-62 88 L-16 4 L-72 -82 L-36 -64 L-24 -104 L0 -70 L24 -104 L36 -64 L72 -82 L16 4 L62 88 Z"), ("o", "M-28 -8 L28 -8 L28 18 L-28 18 Z")),
    "08o": (("w", "M-92 84 L-66 -50 L-40 84 Z"), ("w", "M-26 84 L0 -84 L26 84 Z"), ("w", "M40 84 L66 -50 L92 84 Z"), ("r", "M-10 -20 L0 -84 L10 -20 Z")),
    "08k": (("W", "M-90 -44 L90 -44 L90 60 L-90 60 Z"), ("w", "M-38 -44 L-28 -44 L-28 60 L-38 60 Z"), ("w", "M28 -44 L38 -44 L38 60 L28 60 Z"), ("i", "M-96 -64 L96 -64 L96 -44 L-96 -44 Z"), ("i", "M-96 58 L96 58 L96 78 L-96 78 Z")),
    "09o": (("d", "M0 -8 C56 -6 78 44 54 74 C34 96 -34 96 -54 74 C-78 44 -56 -6 0 -8 Z"), ("d2", "O-68 -24 23"), ("d2", "O-25 -62 25"), ("b2", "M-80 -46 L-84 -76 L-64 -54 Z"), ("b2", "M-36 -86 L-30 -112 L-16 -88 Z")),
    "09k": (("W", "M-52 -56 C-30 -78 30 -78 52 -56 C68 -10 60 50 30 84 C14 98 -14 98 -30 84 C-60 50 -68 -10 -52 -56 Z"), ("w2", "M-46 -60 C-98 -72 -108 22 -74 46 C-56 20 -50 -20 -46 -60 Z"), ("h", "M-26 20 C-20 2 20 2 26 20 C34 54 20 80 0 82 C-20 80 -34 54 -26 20 Z"), ("d", "M-22 18 L22 18 L0 46 Z"), ("d2", "O-24 -18 10")),
    "10o": (("g", "M-98 70 C-104 -10 -66 -82 -10 -86 L-24 -26 L4 8 L-14 78 Z"), ("G", "M14 -88 C68 -78 104 -10 98 70 L12 78 L28 10 L2 -24 Z")),
    "10k": (("G", "M-62 92 L-62 -28 C-62 -84 -16 -96 -6 -96 L-16 -36 L8 0 L-12 92 Z"), ("G", "M14 -96 C62 -88 62 -48 62 -28 L62 92 L8 92 L26 4 L4 -34 Z"), ("d2", "M-46 -14 L-30 -14 L-30 46 L-46 46 Z")),
    "11o": (("d", "M-92 62 C-70 24 70 24 92 62 C70 100 -70 100 -92 62 Z"), ("G", "M-14 62 C-76 30 24 4 -26 -28 C-72 -64 -4 -110 44 -98 C6 -74 52 -52 28 -20 C2 12 54 32 26 62 Z")),
    "11k": (("y", "M-72 50 C-46 28 -54 -74 0 -82 C54 -74 46 28 72 50 Z"), ("W", "M-84 50 L84 50 L74 70 L-74 70 Z"), ("d", "O0 84 16"), ("y", "O0 -92 14")),
    "12o": (("b", "M-92 80 C-104 10 -82 -54 -46 -88 C-52 -36 -46 20 -50 80 Z"), ("b", "M-26 88 C-36 0 -12 -68 22 -104 C14 -44 20 20 18 88 Z"), ("b", "M44 80 C38 20 58 -46 92 -80 C82 -36 88 20 86 80 Z")),
    "12k": tuple(part for x in (-62, 0, 62) for part in (("w", f"M{x - 6} 98 L{x + 6} 98 L{x + 6} -44 L{x - 6} -44 Z"), ("G", f"M{x} -108 L{x + 21} -60 L{x} -30 L{x - 21} -60 Z"))),
    "13o": (("b", "M-100 -76 L100 -76 L84 -44 L58 34 L36 -44 L18 -44 L0 22 L-18 -44 L-36 -44 L-58 34 L-84 -44 Z"), ("b2", "M-64 90 L-30 22 L-6 90 Z")),
    "13k": (("W2", "M-96 88 L-84 98 L46 -62 L34 -72 Z"), ("G2", "M30 -82 L82 -112 L58 -54 Z"), ("o", "M-16 -12 L16 -12 L16 16 L-16 16 Z")),
    "14o": (("y", "O34 -44 52"), *_HILL, ("d", "M-58 76 L-48 8 L-24 -24 L-12 -66 L14 -100 L14 -66 L36 -62 L8 -36 L18 20 L24 76 Z")),
    "14k": (("y", "M-100 26 L-92 46 L34 -6 L26 -30 Z"), ("y", "M18 -42 L84 -94 L102 2 L38 8 Z"), ("o", "M-66 26 L6 -4 L18 70 L-8 56 L-36 88 Z")),
    "15o": (*_CLUB,),
    "15k": (*_MACE,),
    "16o": (("F2", "M-54 74 C-112 66 -100 6 -72 -20 C-68 -4 -60 -6 -60 -14 C-64 -54 -44 -78 -28 -88 C-32 -50 -4 -30 -8 22 C-10 56 -26 76 -54 74 Z"), ("f2", "M-54 66 C-82 62 -76 26 -58 8 C-54 18 -48 16 -46 -4 C-30 16 -22 62 -54 66 Z")),
    "16k": (("w2", "M-80 98 L-68 98 L-68 -98 L-80 -98 Z"), ("o2", "M-68 -94 L-4 -68 L-68 -36 Z")),
    "17o": (("w", "M-104 -46 L104 -40 L104 44 L-104 40 Z"), *(("W", f"M{x} -56 L{x + 26} -56 L{x + 24} 56 L{x + 2} 56 Z") for x in (-94, -54, -14, 26, 66))),
    "17k": (("G", "M-104 -56 L104 -56 L104 56 L-104 56 Z"), ("g", "M-104 -32 L104 -32 L104 32 L-104 32 Z"), *(("G", f"M{x - 14} {y - 14} L{x + 14} {y - 14} L{x + 14} {y + 14} L{x - 14} {y + 14} Z") for x in (-84, 0, 84) for y in (-56, 56))),
    "18o": (("d", "M-98 12 C-90 -56 90 -56 98 12 C90 92 -90 92 -98 12 Z"), *_SKULL),
    "18k": (("G", "O0 0 90"), ("g", "O0 0 66"), ("u", "O0 0 52"), ("h", "M0 -40 L8 -8 L40 0 L8 8 L0 40 L-8 8 L-40 0 L-8 -8 Z")),
    "19o": (("w", "M-84 90 L-98 -60 L-64 -66 L-48 90 Z"), ("w", "M46 90 L72 -78 L104 -68 L84 90 Z"), ("w", "M-110 -44 L106 -96 L112 -66 L-104 -12 Z"), ("b", "O-4 -42 25"), ("d", "O-13 -44 7"), ("d", "O5 -46 7")),
    "19k": (("G", "M-90 92 L-90 -80 L-90 -104 L-54 -104 L-54 -80 L-18 -80 L-18 -104 L18 -104 L18 -80 L54 -80 L54 -104 L90 -104 L90 92 Z"), ("d", "M-52 92 L-52 -6 C-52 -56 52 -56 52 -6 L52 92 Z"), ("G", "M-24 92 L-24 -30 L-14 -34 L-14 92 Z"), ("G", "M14 92 L14 -34 L24 -30 L24 92 Z")),
    "20o": (("g", "M-98 90 L-68 -4 L-24 -36 L30 -30 L74 6 L98 90 Z"), ("b", "M-34 -28 C-76 -52 -72 -92 -44 -110 C-50 -72 -24 -58 0 -54 C24 -58 50 -72 44 -110 C72 -92 76 -52 34 -28 Z")),
    "20k": (("g", "M-98 90 L-68 10 L-24 -20 L30 -14 L74 16 L98 90 Z"), ("w", "M-6 0 L6 0 L6 -112 L-6 -112 Z"), ("o", "M6 -108 L74 -108 L58 -80 L74 -52 L6 -52 Z"), ("h", "O34 -80 13")),
    "21o": (("w", "M-10 104 L10 104 L10 -88 L-10 -88 Z"), ("G2", "M10 -82 C70 -108 102 -44 82 8 C60 -18 36 -24 10 -22 Z")),
    "21k": (("G", "M-16 -24 L16 -24 L16 62 L0 108 L-16 62 Z"), ("y", "M-62 -44 L62 -44 L62 -22 L-62 -22 Z"), ("w", "M-10 -92 L10 -92 L10 -44 L-10 -44 Z"), ("y", "O0 -98 17")),
    "22o": (("b", "M34 30 L78 60 C102 50 112 74 94 82 C96 104 70 104 70 82 L24 48 Z"), ("r", "M-24 68 C-104 56 -104 -54 -16 -78 C62 -92 98 -14 58 36 C32 66 4 74 -24 68 Z"), ("o", "M-40 -6 C-40 -40 -4 -54 20 -44 C0 -30 -16 -20 -18 6 Z")),
    "22k": (("h2", "O-52 18 40"), ("h", "O0 54 44"), ("h", "O0 -22 54"), ("d", "M-28 -6 C-28 -44 28 -44 28 -6 C28 28 14 52 0 52 C-14 52 -28 28 -28 -6 Z"), ("d2", "M-26 -10 L-62 -22 L-40 8 Z"), ("h2", "O-11 -2 6")),
    "23o": (("w", "M-80 -44 L-62 76 C-34 96 34 96 62 76 L80 -44 Z"), ("p", "M-70 10 L-44 -14 L-20 34 L6 -14 L30 34 L52 -10 L74 10 L68 44 L-66 44 Z"), ("b", "M-80 -44 C-70 -88 70 -88 80 -44 C70 -4 -70 -4 -80 -44 Z")),
    "23k": (("b", "M-104 -66 C-92 34 0 104 104 40 L76 -26 C34 10 -34 -20 -58 -84 Z"), ("d", "M104 46 C124 22 100 -36 74 -34 C62 -10 78 42 104 46 Z"), ("y", "M-40 44 L-10 -14 L8 -4 L-20 60 Z")),
    "24o": (("r", "M0 -108 L24 -52 L78 -78 L56 -22 L108 0 L56 22 L78 78 L22 54 L0 108 L-22 54 L-78 78 L-56 22 L-108 0 L-56 -22 L-78 -78 L-24 -52 Z"), ("b", "M-58 44 L-44 58 L58 -44 L44 -58 Z"), ("b", "M58 44 L44 58 L-58 -44 L-44 -58 Z")),
    "24k": (("h", "M0 -108 L24 -52 L78 -78 L56 -22 L108 0 L56 22 L78 78 L22 54 L0 108 L-22 54 L-78 78 L-56 22 L-108 0 L-56 -22 L-78 -78 L-24 -52 Z"), ("o", "M-14 -60 L14 -60 L14 -14 L60 -14 L60 14 L14 14 L14 60 L-14 60 L-14 14 L-60 14 L-60 -14 L-14 -14 Z")),
    "25o": tuple(part for x in (-92, -28, 36) for part in (("w", f"M{x} 96 L{x + 12} 96 L{x + 12} -96 L{x} -96 Z"), ("p", f"M{x + 12} -94 L{x + 60} -90 L{x + 40} -66 L{x + 58} -42 L{x + 30} -44 L{x + 36} -14 L{x + 12} -34 Z"))),
    "25k": tuple(part for x in (-66, 0, 66) for part in (("o" if x else "h", f"M{x - 34} -58 L{x + 34} -58 L{x + 34} -6 C{x + 32} 40 {x + 14} 60 {x} 70 C{x - 14} 60 {x - 32} 40 {x - 34} -6 Z"), ("h" if x else "o", f"M{x - 7} -50 L{x + 7} -50 L{x + 7} 50 L{x - 7} 50 Z"))),
    "26o": _AXE,
    "26k": _SWORD,
    "27": (("w", "M-7 94 L7 94 L7 -84 L-7 -84 Z"), ("y", "M-92 -62 L92 -62 L92 -46 L-92 -46 Z"), ("p", "M-104 10 L-42 10 C-44 48 -102 48 -104 10 Z"), ("o", "M104 10 L42 10 C44 48 102 48 104 10 Z"), ("y2", "M-76 -48 L-70 -48 L-48 8 L-98 8 Z"), ("y", "O0 -88 15"), ("w", "M-40 96 L40 96 L30 80 L-30 80 Z")),
    "28": (("p", "M-106 -26 L-52 -26 L-52 -64 L-4 0 L-52 64 L-52 26 L-106 26 Z"), ("o", "M106 -26 L52 -26 L52 -64 L4 0 L52 64 L52 26 L106 26 Z")),
    "29": (("p", "M-96 -96 L-34 -96 L0 -34 L-34 0 L-96 -34 Z"), ("o", "M96 -96 L34 -96 L0 -34 L34 0 L96 -34 Z"), ("p", "M96 96 L34 96 L0 34 L34 0 L96 34 Z"), ("o", "M-96 96 L-34 96 L0 34 L-34 0 L-96 34 Z"), ("h", "M0 -46 L11 -11 L46 0 L11 11 L0 46 L-11 11 L-46 0 L-11 -11 Z")),
    "30": tuple(("p" if x < 0 else "o", f"M{x - 23} -64 L{x + 23} -64 L{x + 23} 30 L{x} 70 L{x - 23} 30 Z") for x in (-78, -26, 26, 78)),
    "31": (("M", "O0 0 96"), ("m", "O0 0 76"), ("p", "M0 -66 C-88 -66 -88 66 0 66 Z"), ("o", "M0 -66 C88 -66 88 66 0 66 Z"), ("y", "M0 -46 L12 -14 L46 -14 L20 8 L28 42 L0 22 L-28 42 L-20 8 L-46 -14 L-12 -14 Z")),
    "32": _WHEEL,
    "33o": (("w2", "M-22 -30 C-40 -104 -104 -100 -96 -30 C-82 -62 -56 -50 -40 -8 Z"), ("h", "M-36 -34 C-30 -52 30 -52 36 -34 C44 10 24 56 0 80 C-24 56 -44 10 -36 -34 Z"), ("d2", "O-18 -12 8"), ("g", "M-14 74 L14 74 L0 112 Z")),
    "33k": (("w2", "M-20 -40 C-60 -70 -64 -112 -40 -116 C-22 -100 -12 -70 -8 -44 Z"), ("w", "M-36 -40 C-30 -60 30 -60 36 -40 C44 10 40 60 30 84 C14 104 -14 104 -30 84 C-40 60 -44 10 -36 -40 Z"), ("W", "M-30 50 C-20 36 20 36 30 50 C34 84 16 98 0 98 C-16 98 -34 84 -30 50 Z"), ("d2", "O-20 -8 8"), ("d2", "O-11 68 6")),
    "34o": (*_LOGS, *_FLAME, ("b2", "M-96 80 L-84 80 L-76 -40 L-90 -60 L-100 -38 Z")),
    "34k": (*_LOGS, *_FLAME, ("G2", "M-98 90 L-90 90 L-90 -52 L-78 -76 L-94 -104 L-110 -76 L-98 -52 Z")),
    "35o": (("u", "M-104 40 C-90 -6 90 -6 104 40 C90 100 -90 100 -104 40 Z"), ("w", "M-84 -40 L60 -76 L74 -26 L-66 30 Z"), ("W", "M-70 -30 L54 -60 L60 -40 L-62 -4 Z"), ("w", "O40 12 38"), ("d", "O40 12 24"), ("W", "O40 12 9")),
    "35k": (("W", "M-100 -6 L84 -50 L94 -20 L-88 40 Z"), ("w", "M-60 -18 L-50 -70 L-36 -72 L-44 -22 Z"), ("w", "M20 -38 L30 -92 L44 -92 L38 -44 Z"), ("w", "O-46 52 42"), ("d", "O-46 52 27"), ("W", "M-52 12 L-40 12 L-40 92 L-52 92 Z"), ("w", "M44 24 C86 20 96 60 74 84 L60 76 C76 56 70 42 48 42 Z")),
    "36o": (("w", "O0 0 98"), ("d", "O0 0 78"), *(("b", path) for path in ("M-22 -76 L22 -76 L0 -30 Z", "M-22 76 L22 76 L0 30 Z", "M-76 -22 L-76 22 L-30 0 Z", "M76 -22 L76 22 L30 0 Z")), ("f2", "O-16 0 8")),
    "36k": (("G", "M-48 96 L-58 -46 C-46 -112 46 -112 58 -46 L48 96 Z"), ("o", "M-8 -56 L8 -56 L8 -22 L34 -22 L34 -6 L8 -6 L8 52 L-8 52 L-8 -6 L-34 -6 L-34 -22 L-8 -22 Z")),
    "37o": (("d2", "M-80 92 C-124 -20 -76 -104 -8 -98 L-4 -62 C-58 -62 -76 0 -50 70 Z"), ("r", "M-20 -10 L20 -10 L20 24 L40 24 L0 74 L-40 24 L-20 24 Z")),
    "37k": (("G2", "M-80 92 C-124 -20 -76 -104 -8 -98 L-4 -62 C-58 -62 -76 0 -50 70 Z"), ("o", "M-20 -10 L20 -10 L20 24 L40 24 L0 74 L-40 24 L-20 24 Z")),
    "38o": (("i", "M-78 66 L-100 -70 L-46 -14 L-24 -92 L0 -30 L24 -92 L46 -14 L100 -70 L78 66 Z"), ("p", "M-78 66 L-70 30 L70 30 L78 66 C40 84 -40 84 -78 66 Z"), ("r2", "O-30 8 10")),
    "38k": (("y", "M0 -104 L26 -38 L98 -34 L42 12 L62 82 L0 42 L-62 82 L-42 12 L-98 -34 L-26 -38 Z"), ("o", "O0 0 26")),
    "39o": tuple(("p", f"O{x} {y} {r}") for x, y, r in ((-66, -52, 26), (0, -74, 28), (64, -46, 25), (-84, 14, 24), (-24, -8, 30), (40, 14, 28), (92, 26, 20), (-52, 66, 27), (8, 72, 30), (64, 76, 24))),
    "39k": tuple(("o", f"M{x - 23} {y - 23} L{x + 23} {y - 23} L{x + 23} {y + 23} L{x - 23} {y + 23} Z") for y in (-64, 0, 64) for x in (-64, 0, 64)),
    "40o": (("F", "M-98 70 C-112 0 -70 -20 -74 -76 C-44 -60 -40 -40 -36 -24 C-30 -60 -20 -90 4 -112 C6 -80 26 -60 34 -26 C40 -50 52 -66 74 -78 C70 -30 110 0 98 70 C70 104 -70 104 -98 70 Z"), ("b", "M-50 16 C-50 -48 50 -48 50 16 C50 44 28 46 26 78 L-26 78 C-28 46 -50 44 -50 16 Z"), ("d2", "O-21 18 13"), ("d", "M0 36 L9 56 L-9 56 Z")),
    "40k": (("y", "M0 -112 L20 -62 L62 -92 L54 -40 L108 -36 L70 0 L108 36 L54 40 L62 92 L20 62 L0 112 L-20 62 L-62 92 L-54 40 L-108 36 L-70 0 L-108 -36 L-54 -40 L-62 -92 L-20 -62 Z"), ("h", "M-44 -46 L44 -46 C44 0 26 18 12 24 L12 42 L32 54 L-32 54 L-12 42 L-12 24 C-26 18 -44 0 -44 -46 Z")),
}  # fmt: skip
_MOTIF = 0.62
_CROSSED = ("15o", "15k", "26o", "26k")
#: What runs across the tile: a road, a stream, a crack or a ditch, and between which sides.
_LINES: dict[str, tuple[str, str]] = {
    "02": ("crack", "EW"), "04": ("road", "NS"), "06": ("road", "EW"), "08": ("ditch", "NS"),
    "09": ("road", "NW"), "12": ("ditch", "EW"), "13": ("ditch", "EW"), "17": ("stream", "NS"),
    "19": ("road", "NS"), "22": ("road", "SE"), "25": ("crack", "NS"), "26": ("cross", "NESW"),
    "27": ("road", "NS"), "28": ("crack", "NS"), "32": ("cross", "NESW"), "33": ("road", "SW"),
    "35": ("road", "EW"), "37": ("crack", "EW"), "40": ("crack", "NESW"),
}  # fmt: skip
_EXITS: dict[str, Point] = {"N": (0, -240), "E": (240, 0), "S": (0, 240), "W": (-240, 0)}
_BEDS: dict[str, tuple[Colour, Colour, float]] = {
    "road": (rgb("#d9c38c"), rgb("#a8905c"), 46),
    "cross": (rgb("#d9c38c"), rgb("#a8905c"), 46),
    "stream": (rgb("#6fb3d0"), rgb("#2f6f90"), 70),
    "crack": (rgb("#1e1a14"), rgb("#8a7a58"), 30),
    "ditch": (rgb("#4a3520"), rgb("#8f6f44"), 44),
}


def number_of(slug: str) -> str:
    """``05o`` of ``bkh-f05o``."""
    return slug.rpartition("-f")[2]


def plate(canvas: Canvas, chance: random.Random) -> None:
    """The iron that a tile lies on."""
    canvas.fade([(-330, -250), (330, -250), (330, 250), (-330, 250)], mix(_IRON, WHITE, 0.14), mix(_IRON, BLACK, 0.3))  # fmt: skip
    for rivet in range(-220, 221, 55):
        for side in (-1, 1):
            canvas.disc((side * 243, rivet), 4.5, mix(_IRON, BLACK, 0.45))
            canvas.disc((side * 243 - 1, rivet - 1.4), 3, mix(_IRON, WHITE, 0.3))
    for _ in range(14):
        x, y = chance.choice((-1, 1)) * chance.uniform(236, 300), chance.uniform(-240, 240)
        canvas.fill(ellipse((x, y), 13, 7, chance.uniform(0, 180)), rgb("#6f8a3f"), 0.5)


def tile_edge(canvas: Canvas) -> None:
    """The cut edge of a tile: light from above, shadow below."""
    h = HALF
    canvas.line(rounded((-h, -h, h, h), 16), 7, rgb("#161a12"), closed=True)
    canvas.line([(-h + 10, -h + 6), (h - 10, -h + 6)], 5, WHITE, 0.4)
    canvas.line([(-h + 10, h - 6), (h - 10, h - 6)], 5, BLACK, 0.35)


def ground(canvas: Canvas, chance: random.Random, kind: str) -> None:
    """A square of land with tufts and pebbles."""
    base, shade, light, stone = _GROUNDS[kind]
    square = rounded((-HALF, -HALF, HALF, HALF), 16)
    canvas.fade(square, mix(base, light, 0.3), mix(base, shade, 0.35))
    inside = HALF - 24
    for _ in range(26):
        at = (chance.uniform(-inside, inside) * 0.84, chance.uniform(-inside, inside) * 0.84)
        tone = chance.choice((shade, light))
        canvas.fill(ellipse(at, chance.uniform(20, 58), chance.uniform(12, 34), chance.uniform(0, 180)), tone, 0.28)  # fmt: skip
    for _ in range(20):
        x, y = chance.uniform(-inside, inside), chance.uniform(-inside, inside)
        for lean in (-7, 0, 7):
            canvas.line([(x, y), (x + lean, y - 13)], 3.4, mix(shade, BLACK, 0.25), 0.75)
    for _ in range(10):
        at = (chance.uniform(-inside, inside), chance.uniform(-inside, inside))
        r = chance.uniform(5, 11)
        canvas.fill(ellipse((at[0] + 2, at[1] + 3), r, r * 0.8), BLACK, 0.3)
        canvas.fill(ellipse(at, r, r * 0.8), stone)


def _bed(canvas: Canvas, chance: random.Random, kind: str, start: str, end: str) -> None:
    """A road, stream, crack or ditch from one side of the tile to another."""
    tone, rim, width = _BEDS[kind]
    a, b = _EXITS[start], _EXITS[end]
    spread = 10 if kind == "cross" else 34
    middle = (chance.uniform(-spread, spread), chance.uniform(-spread, spread))
    curve = f"M{a[0]:.0f} {a[1]:.0f} Q{middle[0]:.0f} {middle[1]:.0f} {b[0]:.0f} {b[1]:.0f}"
    line = list(trace(curve)[0])
    if kind == "crack":
        line = [(x + chance.uniform(-9, 9), y + chance.uniform(-9, 9)) for x, y in line]
    line = [(max(-HALF + 3, min(HALF - 3, x)), max(-HALF + 3, min(HALF - 3, y))) for x, y in line]
    canvas.fill(ribbon(line, width + 14, width + 14), rim, 0.8)
    canvas.fill(ribbon(line, width, width), tone)
    if kind == "stream":
        for shift in (-14, 6, 20):
            canvas.line([(x + shift, y) for x, y in line], 3, WHITE, 0.4)
    elif kind in ("road", "cross"):
        for shift in (-11, 11):
            wheel = [(x + shift, y + shift * (start + end != "NS")) for x, y in line]
            canvas.line(wheel, 4, rim, 0.65)


def _contours(canvas: Canvas, tone: Colour) -> None:
    """Rings of a hill or hollow, as on a map."""
    for r in (196, 158, 120):
        ring = [
            (x * (1 + 0.04 * math.sin(3 * a)), y * (1 + 0.05 * math.cos(2 * a + r)))
            for x, y in circle((0, 0), r)
            for a in [math.atan2(y, x)]
        ]
        canvas.line(ring, 5, tone, 0.35, closed=True)


_RINGED = ("11", "14", "18", "20", "23", "31", "36")


def field(canvas: Canvas, slug: str) -> None:
    """The land of a field tile, without the warriors: wild on the orcs' designs, tilled on the
    knights', and something of its own in the middle of each."""
    chance = art.seeded(slug)
    number = number_of(slug)
    plain = number.rstrip("ok")
    which = int(plain) if plain.isdecimal() else len(plain)
    grounds = _WILD if number.endswith("o") else _TILLED
    if number == plain:
        grounds = ("meadow", "heath", "lawn", "crag")
    kind = grounds[which % len(grounds)]
    plate(canvas, chance)
    ground(canvas, chance, kind)
    if plain in _RINGED:
        _contours(canvas, mix(_GROUNDS[kind][1], BLACK, 0.3))
    if plain in _LINES:
        bed, exits = _LINES[plain]
        for start, end in (("N", "S"), ("E", "W")) if len(exits) == 4 else (tuple(exits),):
            _bed(canvas, chance, bed, start, end)
    tile_edge(canvas)


def motif(canvas: Canvas, slug: str) -> None:
    """The motif in the middle of a tile, between the warriors."""
    number = number_of(slug)
    parts = MOTIFS.get(number)
    if parts is None:  # a design that the game no longer has: bare land
        return
    canvas.fill(ellipse((0, 34), 66, 30), BLACK, 0.25)
    if number in _CROSSED:
        stamp(canvas, parts, size=_MOTIF, flip=True)
    stamp(canvas, parts, size=_MOTIF)


def emptiness(canvas: Canvas, at: Point) -> None:
    """An empty corner: a worn ring on which nobody stands."""
    for radius, tone, alpha in ((46, BLACK, 0.22), (43, WHITE, 0.3)):
        canvas.line(circle(at, radius), 4, tone, alpha, closed=True)
