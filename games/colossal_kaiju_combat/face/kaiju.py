"""Kaiju: giants over a small city, built from what is printed on their cards.

A kaiju's family gives it body, head and colours, its attributes give it wings, a tail, horns,
spikes, teeth, claws, armour or a shield, and its slug the rest: so what a card says can be seen.
"""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    along,
    both,
    ellipse,
    mirrored,
    mix,
    moved,
    ngon,
    rgb,
    ribbon,
    star,
    trace,
)
from games.colossal_kaiju_combat.face import city

#: dark, deep, base, light, pale, accent, sky above, sky below, disc
FAMILIES: Mapping[str, Palette] = {
    "DEEP": Palette.of(
        "#04181f", "#0b4a55", "#168089", "#5fd0c4", "#dffaf2", "#ffb13d", "#06182e", "#1f5a78",
        "#bfe6dc",
    ),
    "VOLCANIC": Palette.of(
        "#1c0906", "#5a1a12", "#9a2f1c", "#ff7a3a", "#ffe2b0", "#ffc83d", "#1a0a1c", "#8a2a22",
        "#ffb86a",
    ),
    "MECH": Palette.of(
        "#0c1422", "#33445f", "#6a7f9f", "#b4c4da", "#f2f6ff", "#ff7a1f", "#0b1430", "#46608e",
        "#d5def0",
    ),
    "SKY": Palette.of(
        "#0a1740", "#24479a", "#4a86dc", "#9fd0ff", "#f0f8ff", "#ffd24a", "#101c52", "#6a8fd8",
        "#ffe3bc",
    ),
    "MUTANT": Palette.of(
        "#180a2a", "#47206a", "#7a3fa8", "#c08af0", "#f4e8ff", "#9df04a", "#140a2a", "#5a3a86",
        "#d8f0a8",
    ),
    "": Palette.of(
        "#171310", "#4a3c2a", "#8a7048", "#d8bb84", "#fbf0d8", "#ff7a1f", "#0a1330", "#4a4a86",
        "#ffc58a",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Build:
    """How one kaiju differs from its family: shoulders, height, head, hue and what only it has."""

    wide: float = 1.0
    tall: float = 1.0
    head: float = 1.0
    horns: str = "up"
    eyes: int = 2
    crest: str = ""
    maw: bool = False
    tint: str = ""


BUILDS: Mapping[str, Build] = {
    "maelgrath": Build(1.16, 1.0, 1.12, crest="fins", maw=True),
    "coralisk": Build(1.08, 0.94, 0.94, crest="coral", tint="#2f7a4a"),
    "pelagor": Build(0.88, 1.06, 1.0, crest="sail", maw=True, tint="#3a9ac0"),
    "lanternjaw": Build(1.06, 0.9, 1.34, horns="curl", crest="lure", maw=True, tint="#23356e"),
    "pyroklast": Build(1.2, 0.98, 1.0, horns="bull", crest="flame"),
    "magmaul": Build(1.24, 0.94, 0.92, maw=True, crest="cracks", tint="#3a2630"),
    "cinderwing": Build(0.84, 1.06, 0.92, crest="cracks", tint="#d8862a"),
    "obsidrake": Build(0.98, 1.06, 1.06, horns="back", crest="shards", tint="#3c2a5a"),
    "bastion-prime": Build(1.2, 0.98, 0.88, crest="fort"),
    "gearhorn": Build(1.02, 1.02, 1.06, horns="bull", crest="gears", tint="#8a6a3a"),
    "ratchetclaw": Build(1.0, 0.96, 0.86, eyes=1, crest="pipes", tint="#3f7f6a"),
    "voltstrider": Build(0.82, 1.1, 0.9, eyes=3, crest="coils", tint="#4a4aa8"),
    "tempestra": Build(0.96, 1.06, 1.02, crest="crown", maw=True, tint="#1c2f8a"),
    "zephyrix": Build(0.78, 1.08, 0.92, crest="plume", tint="#38b8b0"),
    "skarrow": Build(1.06, 0.98, 0.96, crest="mask", tint="#8a2a4a"),
    "galehorn": Build(0.98, 0.98, 1.04, horns="single", crest="plume", tint="#c4ccdc"),
    "evo-eira": Build(0.86, 1.08, 1.0, crest="hair"),
    "giraffish": Build(0.78, 1.3, 0.78, horns="ossicones", crest="spots", tint="#c08a2a"),
    "loodicriz": Build(1.14, 0.92, 1.16, eyes=5, maw=True, crest="blobs", tint="#2f8a5a"),
    "splicehide": Build(1.1, 1.02, 1.02, eyes=3, maw=True, crest="seams", tint="#b0406a"),
    "ashling-brood": Build(0.9, 0.92, 1.1, maw=True, crest="cracks", tint="#8a3a1c"),
    "hired-strider": Build(0.92, 1.04, 0.84, eyes=1, crest="pipes", tint="#5a6a78"),
    "storm-hawk": Build(0.86, 1.0, 1.02, crest="plume", tint="#7a5a34"),
    "chained-behemoth": Build(1.3, 0.94, 1.04, horns="bull", crest="chains", tint="#5a4a5a"),
    "scavenger-pack": Build(0.86, 0.9, 1.16, maw=True, crest="fins", tint="#6a5a4a"),
}

Path = Sequence[Point]


CRESTS: Mapping[str, str] = {
    "fins": "M0 -190 C30 -150 60 -130 110 -120 C90 -80 60 -60 0 -50 Z",
    "sail": "M0 -206 C60 -180 96 -110 80 -20 L0 -30 Z",
    "flame": "M0 -208 C12 -170 40 -160 46 -180 C70 -140 60 -120 96 -110 C84 -60 40 -50 0 -40 Z",
    "plume": "M6 -70 C20 -130 60 -180 120 -200 C100 -160 96 -140 110 -110 C84 -110 60 -90 40 -50 Z",
    "crown": "M8 -70 L22 -196 L44 -120 L84 -170 L78 -100 L120 -110 L70 -40 Z",
    "shards": "M10 -60 L30 -150 L60 -90 L110 -130 L100 -60 L60 -20 Z",
    "hair": "M0 -116 C70 -120 120 -60 116 30 C110 90 130 130 150 150 C90 150 60 110 60 40 L0 -40 Z",
    "fort": "M20 -60 L20 -130 L40 -130 L40 -112 L58 -112 L58 -130 L78 -130 L78 -112 L96 -112 L96 -130 L114 -130 L114 0 Z",
    "pipes": "M70 40 L80 -120 L104 -120 L106 40 Z M110 50 L124 -80 L146 -80 L146 50 Z",
    "coils": "M20 -50 L34 -170 L52 -170 L60 -50 Z",
}
"""The right half of what stands behind a kaiju's body, on its head."""

HOT = ("flame", "crown", "plume")
"""Crests that are of the kaiju's own colour throughout."""


class Giant:
    """One kaiju in the making: its canvas, its colours, its measures."""

    def __init__(
        self, canvas: Canvas, slug: str, family: str, attributes: Collection[str], palette: Palette
    ) -> None:
        self.canvas, self.slug, self.family = canvas, slug, family
        self.has = frozenset(attributes)
        self.p = palette
        self.build = BUILDS.get(slug, Build())
        self.chance = art.seeded(slug)
        self.neck = -14 - 78 * (self.build.tall - 0.9) * 2
        self.shoulder = 118 * self.build.wide

    # Pieces

    def solid(self, points: Path, top: Colour, bottom: Colour, width: float = 10) -> None:
        self.canvas.solid(points, top, bottom, self.p.dark, width)

    def both(self, data: str, at: Point, size: float = 1) -> tuple[list[Point], list[Point]]:
        return both(moved(trace(data)[0], *at, size))

    def pair(
        self, data: str, at: Point, top: Colour, bottom: Colour, size: float = 1, width: float = 10
    ) -> None:
        for points in self.both(data, at, size):
            self.solid(points, top, bottom, width)

    # The whole, from the back to the front

    def draw(self) -> None:
        if "wings" in self.has:
            self.wings()
        if "tail" in self.has:
            self.tail()
        if "spikes" in self.has:
            self.spikes()
        self.crest(behind=True)
        self.arms()
        self.torso()
        if "armor" in self.has:
            self.armor()
        self.crest(behind=False)
        if "horns" in self.has and self.build.horns == "back":
            self.horns()
        self.head()
        if "horns" in self.has and self.build.horns != "back":
            self.horns()
        if "claws" in self.has:
            self.claws()
        if "shield" in self.has:
            self.shield()

    def wings(self) -> None:
        p = self.p
        bones: tuple[str, ...]
        if self.family in ("SKY", ""):
            data = "M60 60 C90 -40 150 -150 290 -214 C278 -160 286 -130 262 -104 C286 -96 280 -66 246 -54 C264 -36 250 -10 216 -6 C226 14 204 34 172 30 C170 60 120 84 60 60 Z"
            bones = (
                "M70 50 C110 -30 160 -100 262 -180",
                "M80 54 C130 10 170 -40 246 -92",
                "M90 56 C140 36 180 10 226 -40",
                "M96 58 C140 50 160 40 196 8",
            )
        elif self.family == "MECH":
            data = "M70 40 L150 -130 L290 -190 L270 -130 L230 -116 L262 -88 L220 -70 L240 -40 L196 -26 L80 60 Z"
            bones = ("M90 34 L170 -110 L262 -160", "M100 40 L236 -86", "M110 44 L214 -42")
        else:
            data = "M56 50 C80 -60 130 -160 232 -226 C246 -190 262 -180 294 -166 C250 -130 250 -90 268 -44 C224 -50 200 -30 196 14 C160 0 120 24 56 50 Z"
            bones = (
                "M66 40 C110 -60 160 -140 232 -214",
                "M72 44 C140 -60 200 -120 286 -164",
                "M80 46 C140 -10 200 -40 262 -46",
                "M84 48 C130 20 160 10 194 10",
            )
        lift = self.neck * 0.5 + 10
        for points in self.both(data, (0, lift)):
            self.solid(points, p.light, p.deep)
        for bone in bones:
            for points in self.both(bone, (0, lift)):
                self.canvas.line(points, 6, p.dark, 0.6)

    def tail(self) -> None:
        p, side = self.p, 1 if self.chance.random() < 0.5 else -1
        if "wings" in self.has:
            data = "M40 214 C150 236 270 190 236 96 C226 66 250 40 282 50"
        else:
            data = self.chance.choice((
                "M40 210 C170 236 286 160 236 40 C216 -12 240 -80 292 -92",
                "M40 214 C190 240 300 150 256 20 C236 -36 196 -60 214 -126",
                "M30 216 C170 240 280 200 268 96 C258 16 196 10 206 -62",
            ))  # fmt: skip
        spine = [(x * side, y) for x, y in trace(data)[0]]
        self.solid(ribbon(spine, 96, 15), p.base, p.deep)
        for i, ((x, y), direction) in enumerate(along(spine, 16)):
            if i > 2:
                r = 16 - i * 0.6
                a = math.radians(direction - 90 * side)
                tip = (x + r * 2.3 * math.cos(a), y + r * 2.3 * math.sin(a))
                b = math.radians(direction)
                foot = r * 0.9
                self.canvas.fill(
                    [
                        (x - foot * math.cos(b), y - foot * math.sin(b)),
                        tip,
                        (x + foot * math.cos(b), y + foot * math.sin(b)),
                    ],
                    p.light,
                )
        x, y = spine[-1]
        ends = {
            "MECH": ngon((x, y), 30, 6), "VOLCANIC": star((x, y), 36, 16, 5),
            "DEEP": moved(trace("M0 20 C-50 -10 -60 -40 -40 -60 C-20 -40 -10 -30 0 -30 C10 -30 20 -40 40 -60 C60 -40 50 -10 0 20 Z")[0], x, y),
        }  # fmt: skip
        if self.family in ends:
            self.solid(ends[self.family], p.accent if self.family != "DEEP" else p.light, p.base, 8)

    def spikes(self) -> None:
        p, count = self.p, self.chance.choice((7, 9))
        reach = 236 + 20 * self.build.wide
        for i in range(count):
            a = math.radians(-78 + 156 * i / (count - 1))
            long = reach * (1 - 0.16 * (i % 2))
            foot = 58
            base = (0.0, 44 + self.neck * 0.4)
            tip = (base[0] + long * math.sin(a), base[1] - long * math.cos(a))
            across = (math.cos(a) * foot * 0.5, math.sin(a) * foot * 0.5)
            self.solid(
                [
                    (base[0] - across[0], base[1] - across[1]),
                    tip,
                    (base[0] + across[0], base[1] + across[1]),
                ],
                p.pale,
                p.base,
                9,
            )

    def arms(self) -> None:
        p, s = self.p, self.shoulder
        if self.family == "MECH":
            data = f"M{s - 34:.0f} -6 L{s + 34:.0f} -18 L{s + 58:.0f} 60 L{s + 46:.0f} 150 L{s - 6:.0f} 156 L{s - 10:.0f} 70 Z"
        else:
            data = f"M{s - 46:.0f} 10 C{s - 10:.0f} -36 {s + 48:.0f} -12 {s + 54:.0f} 46 C{s + 66:.0f} 96 {s + 40:.0f} 150 {s + 4:.0f} 158 C{s - 30:.0f} 150 {s - 24:.0f} 110 {s - 16:.0f} 84 Z"
        self.pair(data, (0, self.neck * 0.5 + 30), p.base, p.deep)

    def torso(self) -> None:
        p, w, top = self.p, self.build.wide, self.neck
        if self.family == "MECH":
            data = f"M{-112 * w:.0f} {top + 46:.0f} L{-52 * w:.0f} {top + 8:.0f} L{52 * w:.0f} {top + 8:.0f} L{112 * w:.0f} {top + 46:.0f} L{92 * w:.0f} 130 L{104 * w:.0f} 250 L{-104 * w:.0f} 250 L{-92 * w:.0f} 130 Z"
        elif self.family == "SKY":
            data = f"M{-96 * w:.0f} {top + 64:.0f} C{-70 * w:.0f} {top + 20:.0f} {70 * w:.0f} {top + 20:.0f} {96 * w:.0f} {top + 64:.0f} C{110 * w:.0f} 90 {70 * w:.0f} 150 {66 * w:.0f} 250 L{-66 * w:.0f} 250 C{-70 * w:.0f} 150 {-110 * w:.0f} 90 {-96 * w:.0f} {top + 64:.0f} Z"
        else:
            data = f"M{-122 * w:.0f} {top + 74:.0f} C{-96 * w:.0f} {top + 14:.0f} {96 * w:.0f} {top + 14:.0f} {122 * w:.0f} {top + 74:.0f} C{128 * w:.0f} 110 {118 * w:.0f} 190 {126 * w:.0f} 250 L{-126 * w:.0f} 250 C{-118 * w:.0f} 190 {-128 * w:.0f} 110 {-122 * w:.0f} {top + 74:.0f} Z"
        self.solid(trace(data)[0], p.base, mix(p.deep, p.dark, 0.4), 12)
        if self.family == "MECH":
            self.canvas.fill(ngon((0, top + 110), 34, 6), p.dark)
            self.canvas.fill(ngon((0, top + 110), 25, 6), p.accent)
            self.canvas.fill(ngon((0, top + 110), 13, 6), p.pale)
            for y in (170.0, 196.0, 222.0):
                self.canvas.line([(-60 * w, y), (60 * w, y)], 7, p.dark, 0.7)
        else:
            belly = mix(p.light, p.base, 0.35)
            for i in range(6):
                y, half = top + 84 + i * 34, (62 - i * 2) * w
                self.canvas.fill(ellipse((0, y), half, 15), p.dark, 0.55)
                self.canvas.fill(ellipse((0, y - 4), half - 4, 13), mix(belly, p.deep, i * 0.09))

    def armor(self) -> None:
        p, s, top = self.p, self.shoulder, self.neck
        plate = "M-54 30 C-60 -24 -20 -52 20 -44 C56 -36 70 0 58 36 C30 18 -20 16 -54 30 Z"
        ridge = "M-40 14 C-38 -16 -12 -34 16 -30 C38 -26 48 -6 46 14 C22 0 -14 0 -40 14 Z"
        at = (s, top * 0.5 + 34)
        self.pair(plate, at, p.pale, p.base)
        for points in self.both(ridge, at):
            self.canvas.fill(points, mix(p.light, p.base, 0.5))
        for i in range(3):
            y, half = top + 92 + i * 48, 76 - i * 11
            data = f"M{-half} {y - 18:.0f} L0 {y - 30:.0f} L{half} {y - 18:.0f} L{half - 14} {y + 20:.0f} L0 {y + 34:.0f} L{-half + 14} {y + 20:.0f} Z"
            self.solid(trace(data)[0], p.pale, p.base, 8)
            self.canvas.line([(0, y - 26), (0, y + 28)], 5, p.dark, 0.5)

    def head(self) -> None:
        heads: Mapping[str, Callable[[Point, float], None]] = {
            "DEEP": self._fish, "VOLCANIC": self._rock, "MECH": self._machine,
            "SKY": self._bird, "MUTANT": self._mutant, "": self._rock,
        }  # fmt: skip
        if self.build.tall > 1.2:
            neck = ribbon([(0, 60), (0, self.neck - 20)], 104, 62)
            self.solid(neck, self.p.light, self.p.base)
            for i in range(6):
                x, y = self.chance.uniform(-30, 30), self.neck + i * 26
                self.canvas.fill(ngon((x, y), 12, 6), self.p.deep, 0.8)
        heads[self.family]((0, self.neck - 34), self.build.head)

    def _eye(self, at: Point, size: float, mirror: bool) -> None:
        lid = trace("M-24 -10 C-8 -16 14 -8 24 12 C8 18 -18 14 -24 -10 Z")[0]
        points = moved(lid if not mirror else mirrored(lid), *at, size)
        self.canvas.glow(at, 52 * size, self.p.accent, 0.85)
        self.canvas.fill(points, self.p.dark)
        inner = moved(lid if not mirror else mirrored(lid), *at, size * 0.78)
        self.canvas.fill(inner, self.p.accent)
        self.canvas.fill(ellipse(at, 4 * size, 9 * size), self.p.dark)

    def _eyes(self, at: Point, apart: float, size: float) -> None:
        x, y = at
        count = self.build.eyes
        if count == 1:
            self.canvas.glow(at, 60 * size, self.p.accent, 0.9)
            self.canvas.disc(at, 27 * size, self.p.dark)
            self.canvas.disc(at, 19 * size, self.p.accent)
            self.canvas.disc(at, 8 * size, self.p.pale)
            return
        for side in (-1, 1):
            self._eye((x + side * apart, y), size, side > 0)
        for i in range(count - 2):
            spot = (
                x + ((i + 1) // 2) * 42 * (1 if i % 2 else -1) * size,
                y - 40 * size - (i % 2) * 8,
            )
            self.canvas.disc(spot, 16 * size, self.p.dark)
            self.canvas.disc(spot, 11 * size, self.p.accent)
            self.canvas.disc(spot, 4.5 * size, self.p.dark)

    def _mouth(self, at: Point, half: float, deep: float) -> None:
        """Closed, or open where the kaiju is a biter; with long teeth where it has Teeth."""
        x, y = at
        p = self.p
        if not self.build.maw:
            line = [
                (x - half, y),
                (x - half * 0.5, y + deep * 0.3),
                (x, y + deep * 0.16),
                (x + half * 0.5, y + deep * 0.3),
                (x + half, y),
            ]
            self.canvas.line(line, 8, p.dark)
            if "teeth" in self.has:
                for i in (-1, -0.4, 0.4, 1):
                    tx = x + i * half * 0.7
                    self.canvas.fill([(tx - 9, y + 4), (tx + 9, y + 4), (tx, y + 30)], WHITE)
            return
        mouth = trace(
            f"M{-half} -6 C{-half * 0.4:.0f} -20 {half * 0.4:.0f} -20 {half} -6 C{half * 0.8:.0f} {deep:.0f} {-half * 0.8:.0f} {deep:.0f} {-half} -6 Z"
        )[0]
        self.canvas.line(moved(mouth, x, y), 9, p.dark, closed=True)
        self.canvas.fade(moved(mouth, x, y), rgb("#3a0610"), rgb("#a81c2c"))
        self.canvas.fill(ellipse((x, y + deep * 0.56), half * 0.42, deep * 0.2), rgb("#ff6a6a"))
        count = 6 if "teeth" in self.has else 4
        for i in range(count):
            tx = x - half * 0.82 + i * half * 1.64 / (count - 1)
            size = 11 if "teeth" in self.has else 7
            bend = 1 - abs(i - (count - 1) / 2) / count
            self.canvas.fill(
                [(tx - size, y - 10), (tx + size, y - 10), (tx, y + deep * 0.46)], WHITE
            )
            self.canvas.fill(
                [
                    (tx - size * 0.8, y + deep * 0.5 * bend + 10),
                    (tx + size * 0.8, y + deep * 0.5 * bend + 10),
                    (tx, y + deep * 0.12),
                ],
                p.pale,
            )

    def _fish(self, at: Point, size: float) -> None:
        p = self.p
        data = "M0 -78 C54 -76 92 -46 96 -4 C98 42 60 84 0 86 C-60 84 -98 42 -96 -4 C-92 -46 -54 -76 0 -78 Z"
        fin = "M84 -20 C120 -60 150 -60 172 -46 C154 -30 152 -16 166 2 C146 4 138 16 144 38 C116 40 96 34 84 22 Z"
        self.pair(fin, at, p.light, p.base, size)
        self.solid(moved(trace(data)[0], *at, size), mix(p.base, p.light, 0.35), p.deep, 12)
        brow = trace(
            "M-88 -22 C-60 -50 -20 -34 0 -16 C20 -34 60 -50 88 -22 C60 -30 30 -14 0 6 C-30 -14 -60 -30 -88 -22 Z"
        )[0]
        self.canvas.fill(moved(brow, *at, size), p.dark, 0.6)
        self._mouth((at[0], at[1] + 30 * size), 66 * size, 60 * size)
        self._eyes((at[0], at[1] - 12 * size), 50 * size, size * 1.05)
        for x in (-12, 12):
            self.canvas.disc((at[0] + x * size, at[1] + 10 * size), 4 * size, p.dark)

    def _rock(self, at: Point, size: float) -> None:
        p = self.p
        data = "M-52 -70 L0 -84 L52 -70 L86 -24 L82 30 L50 82 L0 94 L-50 82 L-82 30 L-86 -24 Z"
        self.solid(moved(trace(data)[0], *at, size), p.base, p.deep, 12)
        for facet, tone in (
            ("M-52 -70 L0 -84 L0 -30 L-40 -22 Z", mix(p.base, p.light, 0.35)),
            ("M-86 -24 L-40 -22 L-52 40 L-82 30 Z", mix(p.deep, p.dark, 0.3)),
            ("M86 -24 L40 -22 L52 40 L82 30 Z", mix(p.deep, p.dark, 0.5)),
            ("M-30 0 L0 -30 L30 0 L24 46 L-24 46 Z", mix(p.base, p.light, 0.22)),
        ):
            self.canvas.fill(moved(trace(facet)[0], *at, size), tone)
        brow = trace("M-84 -30 L-20 -4 L-24 12 L-80 -8 Z M84 -30 L20 -4 L24 12 L80 -8 Z")
        self._eyes((at[0], at[1] + 6 * size), 50 * size, size)
        for part in brow:
            self.canvas.fill(moved(part, at[0], at[1] - 10 * size, size), p.dark)
        self._mouth((at[0], at[1] + 50 * size), 46 * size, 46 * size)

    def _machine(self, at: Point, size: float) -> None:
        p = self.p
        self.solid(
            moved(
                trace("M-62 -66 L62 -66 L84 -26 L76 48 L40 82 L-40 82 L-76 48 L-84 -26 Z")[0],
                *at,
                size,
            ),
            p.light,
            p.base,
            12,
        )
        self.canvas.fill(moved(trace("M-62 -66 L62 -66 L44 -34 L-44 -34 Z")[0], *at, size), p.pale)
        self.solid(
            moved(trace("M-72 -22 L72 -22 L62 18 L-62 18 Z")[0], *at, size), BLACK, p.dark, 6
        )
        self._eyes((at[0], at[1] - 2 * size), 36 * size, size * 0.95)
        for i in range(-2, 3):
            x = at[0] + i * 15 * size
            self.canvas.line([(x, at[1] + 36 * size), (x, at[1] + 66 * size)], 7, p.dark)
        for side in (-1, 1):
            self.solid(
                moved(ngon((side * 88, 0), 20, 6), *at, size),
                p.accent,
                mix(p.accent, BLACK, 0.4),
                8,
            )

    def _bird(self, at: Point, size: float) -> None:
        p = self.p
        data = "M0 -82 C50 -82 84 -50 84 -8 C84 30 56 56 30 66 L0 74 L-30 66 C-56 56 -84 30 -84 -8 C-84 -50 -50 -82 0 -82 Z"
        self.solid(moved(trace(data)[0], *at, size), mix(p.light, p.base, 0.4), p.deep, 12)
        self.canvas.fill(
            moved(
                trace(
                    "M-76 -24 C-50 -46 -16 -36 0 -10 C16 -36 50 -46 76 -24 C66 10 40 30 0 30 C-40 30 -66 10 -76 -24 Z"
                )[0],
                *at,
                size,
            ),
            p.pale,
            0.92,
        )
        self._eyes((at[0], at[1] - 10 * size), 44 * size, size)
        beak = moved(
            trace("M-30 6 C-20 -8 20 -8 30 6 C34 40 14 76 0 106 C-14 76 -34 40 -30 6 Z")[0],
            *at,
            size,
        )
        self.solid(beak, p.accent, mix(p.accent, BLACK, 0.4), 9)
        if self.build.maw:
            self.canvas.fill(
                moved(
                    trace("M-26 44 C-12 52 12 52 26 44 C18 66 8 84 0 98 C-8 84 -18 66 -26 44 Z")[0],
                    *at,
                    size,
                ),
                rgb("#7a1020"),
            )
            for x in (-15, -5, 5, 15) if "teeth" in self.has else ():
                self.canvas.fill(moved([(x - 5, 47), (x + 5, 47), (x, 64)], *at, size), WHITE)
        else:
            self.canvas.line(moved([(-28, 34), (0, 44), (28, 34)], *at, size), 5, p.dark)

    def _mutant(self, at: Point, size: float) -> None:
        p = self.p
        data = "M-20 -86 C40 -96 98 -60 92 -2 C96 30 70 50 60 74 C30 100 -40 98 -62 70 C-84 46 -98 20 -88 -16 C-84 -56 -58 -82 -20 -86 Z"
        self.solid(moved(trace(data)[0], *at, size), mix(p.light, p.base, 0.45), p.deep, 12)
        for x, y, r in ((-62, -46, 13), (58, -58, 17), (72, 20, 11), (-70, 34, 10), (-30, -64, 9)):
            self.canvas.disc(
                (at[0] + x * size, at[1] + y * size), r * size, mix(p.light, p.accent, 0.35)
            )
        self._mouth((at[0], at[1] + 42 * size), 54 * size, 50 * size)
        self._eyes((at[0], at[1] - 6 * size), 44 * size, size * 1.1)

    def horns(self) -> None:
        p, s = self.p, self.build.head
        at = (0.0, self.neck - 34)
        shapes = {
            "up": "M44 -62 C60 -110 70 -130 66 -168 C100 -130 104 -70 76 -34 Z",
            "bull": "M62 -50 C110 -44 140 -70 150 -128 C184 -70 160 0 78 -2 Z",
            "curl": "M60 -56 C110 -96 160 -60 150 -10 C140 20 106 16 106 -8 C118 4 130 -10 122 -24 C108 -42 90 -30 78 -20 Z",
            "back": "M40 -56 C80 -90 130 -120 190 -126 C160 -90 120 -50 70 -24 Z",
            "ossicones": "M26 -70 L34 -124 C24 -146 62 -152 58 -126 L52 -58 Z",
        }
        if self.build.horns == "single":
            self.solid(
                moved(
                    trace("M-24 -60 C-18 -110 -4 -160 10 -204 C24 -150 30 -110 24 -60 Z")[0], *at, s
                ),
                p.pale,
                p.accent,
            )
            for i in range(4):
                y = at[1] + (-76 - i * 24) * s
                self.canvas.line([(-20 + i * 4, y + 6), (20 - i * 2, y - 6)], 5, p.dark, 0.6)
            return
        tip = mix(p.pale, p.accent, 0.5) if self.family != "MECH" else p.accent
        self.pair(shapes[self.build.horns], at, p.pale, tip, s)

    def claws(self) -> None:
        p, s = self.p, self.shoulder
        y = self.neck * 0.5 + 176
        for side in (-1, 1):
            for i, (dx, turn) in enumerate(((-22, -0.5), (2, 0), (26, 0.5))):
                x = side * (s + 14 + dx)
                tip = (x + side * turn * 16, y + 62 - abs(i - 1) * 10)
                nail = trace(
                    f"M{x - 11:.0f} {y - 4:.0f} Q{x - 16:.0f} {y + 30:.0f} {tip[0]:.0f} {tip[1]:.0f} Q{x + 18:.0f} {y + 30:.0f} {x + 11:.0f} {y - 4:.0f} Z"
                )[0]
                self.solid(nail, WHITE, mix(p.pale, p.accent, 0.5), 8)
            self.canvas.fill(ellipse((side * (s + 14), y - 12), 44, 26), p.dark)
            self.canvas.fade(ellipse((side * (s + 14), y - 14), 36, 20), p.light, p.base)

    def shield(self) -> None:
        p, s = self.p, self.shoulder
        at = (-s - 18, self.neck * 0.5 + 116)
        data = "M0 -104 C36 -84 68 -76 90 -76 C92 14 62 72 0 106 C-62 72 -92 14 -90 -76 C-68 -76 -36 -84 0 -104 Z"
        self.solid(moved(trace(data)[0], *at, 0.92), p.light, p.deep, 14)
        self.canvas.fade(
            moved(trace(data)[0], *at, 0.72), mix(p.accent, WHITE, 0.2), mix(p.accent, BLACK, 0.35)
        )
        self.canvas.fill(
            moved(
                trace(
                    "M-12 -60 L12 -60 L12 -20 L46 -20 L46 4 L12 4 L12 60 L-12 60 L-12 4 L-46 4 L-46 -20 L-12 -20 Z"
                )[0],
                *at,
                0.8,
            ),
            p.pale,
        )

    def crest(self, behind: bool) -> None:
        """The parts that only this kaiju has, behind its body or in front of it."""
        kind = self.build.crest
        drawn = self._behind() if behind else self._in_front()
        if behind and kind in CRESTS:
            self._outlined(CRESTS[kind], hot=kind in HOT)
        if kind in drawn:
            drawn[kind]()

    def _behind(self) -> Mapping[str, Callable[[], None]]:
        return {
            "coils": self._sparks,
            "pipes": self._smoke,
            "coral": self._coral,
            "gears": self._gears,
            "blobs": self._blobs,
            "mask": self._mask,
        }

    def _in_front(self) -> Mapping[str, Callable[[], None]]:
        return {
            "lure": self._lure,
            "cracks": self._cracks,
            "flame": self._cracks,
            "shards": self._cracks,
            "seams": self._seams,
            "chains": self._chains,
            "spots": self._spots,
        }

    def _outlined(self, half: str, *, hot: bool) -> None:
        p, at, s = self.p, (0.0, self.neck - 34), self.build.head
        for outline in trace(half):
            placed = moved(outline, *at, s)
            for points in (placed, mirrored(placed)):
                self.solid(points, p.accent if hot else p.light, p.light if hot else p.base)

    def _sparks(self) -> None:
        p, c, at, s = self.p, self.canvas, (0.0, self.neck - 34), self.build.head
        for side in (-1, 1):
            c.glow((side * 44 * s, at[1] - 172 * s), 70, p.accent, 1)
            c.disc((side * 43 * s, at[1] - 172 * s), 19, p.pale)

    def _smoke(self) -> None:
        p, c, at, s = self.p, self.canvas, (0.0, self.neck - 34), self.build.head
        for side in (-1, 1):
            for i in range(3):
                c.disc(
                    (side * (94 + i * 16) * s, at[1] - (140 + i * 24) * s),
                    15 + i * 6,
                    p.pale,
                    0.5,
                )

    def _coral(self) -> None:
        p, c, at = self.p, self.canvas, (0.0, self.neck - 34)
        for side in (-1, 1):
            for x, y in ((60, -110), (100, -80), (130, -30), (30, -130)):
                branch = [
                    (side * 20.0, at[1] + 30),
                    (side * x * 0.7, at[1] + y * 0.5),
                    (side * x, at[1] + y),
                ]
                c.line(branch, 26, p.dark)
                c.line(branch, 16, rgb("#ff8a7a"))
                c.disc(branch[-1], 16, p.dark)
                c.disc(branch[-1], 11, rgb("#ffb0a0"))

    def _gears(self) -> None:
        p, c, at = self.p, self.canvas, (0.0, self.neck - 34)
        for side in (-1, 1):
            spot = (side * 112.0, at[1] + 40)
            c.fill(star(spot, 66, 48, 10), p.dark)
            c.fill(star(spot, 57, 41, 10), p.accent)
            c.disc(spot, 22, p.dark)

    def _blobs(self) -> None:
        p, c, at = self.p, self.canvas, (0.0, self.neck - 34)
        for x, y, r in (
            (-140, -60, 40),
            (130, -90, 32),
            (-90, -130, 26),
            (150, -20, 22),
            (60, -150, 20),
        ):
            c.disc((x, at[1] + y + 60), r + 8, p.dark)
            c.disc((x, at[1] + y + 60), r, p.base)
            c.disc((x - r * 0.2, at[1] + y + 56), r * 0.5, p.accent)
            c.disc((x - r * 0.2, at[1] + y + 56), r * 0.2, p.dark)

    def _mask(self) -> None:
        p, at, s = self.p, (0.0, self.neck - 34), self.build.head
        self.pair(
            "M0 -60 C70 -150 120 -140 150 -160 C150 -90 120 -40 60 10 Z",
            at,
            p.dark,
            p.deep,
            s,
        )

    def _lure(self) -> None:
        p, c, at = self.p, self.canvas, (0.0, self.neck - 34)
        c.line(
            [(0, at[1] - 70), (-20, at[1] - 150), (60, at[1] - 176), (96, at[1] - 136)],
            14,
            p.dark,
        )
        c.line(
            [(0, at[1] - 70), (-20, at[1] - 150), (60, at[1] - 176), (96, at[1] - 136)],
            7,
            p.light,
        )
        c.glow((100, at[1] - 118), 100, p.accent, 1)
        c.disc((100, at[1] - 118), 24, p.dark)
        c.disc((100, at[1] - 118), 18, mix(p.accent, WHITE, 0.5))

    def _cracks(self) -> None:
        p, c = self.p, self.canvas
        for _ in range(7):
            at = (
                self.chance.uniform(-100, 100) * self.build.wide,
                self.chance.uniform(self.neck + 90, 230),
            )
            crack = [at]
            for _step in range(3):
                at = (at[0] + self.chance.uniform(-26, 26), at[1] + self.chance.uniform(8, 26))
                crack.append(at)
            c.line(crack, 9, p.accent, 0.9)
            c.line(crack, 4, p.pale)

    def _seams(self) -> None:
        p, c = self.p, self.canvas
        for left, lean in ((-70, 20), (40, -30)):
            seam = [(left + lean * t / 4, self.neck + 70 + t * 34) for t in range(5)]
            c.line(seam, 9, p.accent)
            for spot in seam:
                c.line([(spot[0] - 16, spot[1]), (spot[0] + 16, spot[1])], 6, p.pale)

    def _chains(self) -> None:
        p, c = self.p, self.canvas
        for start, end in (((-170, 60), (150, 190)), ((170, 60), (-150, 190))):
            for place, direction in along([start, end], 13):
                link = ellipse(place, 19, 11, direction)
                c.line(link, 13, p.dark, closed=True)
                c.line(link, 7, rgb("#c4ccd8"), closed=True)

    def _spots(self) -> None:
        p, c = self.p, self.canvas
        for _ in range(14):
            spot = (self.chance.uniform(-80, 80), self.chance.uniform(70, 236))
            c.fill(
                ngon(spot, self.chance.uniform(10, 18), 6, self.chance.uniform(0, 60)),
                p.deep,
                0.8,
            )


def backdrop(canvas: Canvas, slug: str, family: str, palette: Palette) -> None:
    """Its family's country, behind the city it has come to."""
    chance = art.seeded(f"{slug} sky")
    art.sky(canvas, palette)
    art.stars(canvas, chance, palette.pale, 22)
    at = (chance.choice((-1, 1)) * chance.uniform(0, 40), chance.uniform(-40, -10))
    art.moon(canvas, at, 186, palette.disc, palette.accent)
    if family == "VOLCANIC":
        art.peaks(canvas, chance, 190, 200, palette.deep, palette.light)
        for _ in range(22):
            canvas.disc(
                (chance.uniform(-310, 310), chance.uniform(-230, 120)),
                chance.uniform(2, 6),
                palette.accent,
                0.9,
            )
    elif family == "DEEP":
        art.waves(canvas, chance, 110, mix(palette.base, palette.deep, 0.4), palette.light)
    elif family == "SKY":
        for _ in range(7):
            spot = (chance.uniform(-320, 320), chance.uniform(-160, 200))
            canvas.fill(ellipse(spot, chance.uniform(60, 130), 13), palette.pale, 0.4)
    elif family == "MUTANT":
        for _ in range(9):
            spot = (chance.uniform(-310, 310), chance.uniform(-220, 160))
            canvas.ring(spot, chance.uniform(8, 26), 4, palette.accent, 0.5)
    else:
        art.rays(canvas, at, 14, palette.pale, 0.08)
    city.skyline(canvas, chance, 210, 120, mix(palette.dark, palette.deep, 0.7), 0.16)


def foreground(canvas: Canvas, slug: str, palette: Palette) -> None:
    """Small houses at its feet."""
    chance: random.Random = art.seeded(f"{slug} streets")
    canvas.glow((0, 260), 240, palette.accent, 0.5)
    city.skyline(canvas, chance, 250, 74, mix(palette.dark, BLACK, 0.3), 0.3)


def palette_of(slug: str, family: str) -> Palette:
    """Its family's colours, its body in its own hue."""
    palette = FAMILIES[family]
    tint = BUILDS[slug].tint if slug in BUILDS else ""
    if not tint:
        return palette
    hue = rgb(tint)
    return replace(
        palette,
        deep=mix(palette.deep, mix(hue, BLACK, 0.45), 0.7),
        base=mix(palette.base, hue, 0.7),
        light=mix(palette.light, mix(hue, WHITE, 0.5), 0.6),
    )


#: Allies look like the family that they serve with.
ALLIES: Mapping[str, str] = {
    "ashling-brood": "VOLCANIC",
    "hired-strider": "MECH",
    "storm-hawk": "SKY",
    "drone-swarm": "MECH",
    "tidecaller-cult": "DEEP",
}
#: Allies that come in numbers: where each stands, and how large.
GROUPS: Mapping[str, tuple[tuple[Point, float], ...]] = {
    "ashling-brood": (((-150, 70), 0.5), ((150, 70), 0.5), ((0, 70), 0.72)),
    "scavenger-pack": (((-146, 56), 0.56), ((146, 46), 0.6), ((0, 84), 0.66)),
    "drone-swarm": (
        ((-150, -110), 0.5), ((150, -130), 0.44), ((-170, 70), 0.62), ((170, 60), 0.66), ((0, 0), 1.15),
    ),
    "tidecaller-cult": (((-140, 40), 0.78), ((140, 40), 0.78), ((0, 20), 1.0)),
}  # fmt: skip


def portrait(canvas: Canvas, slug: str, family: str, attributes: Collection[str]) -> None:
    """A kaiju or an ally, alone or in numbers, in front of the city."""
    palette = palette_of(slug, family)
    backdrop(canvas, slug, family, palette)
    for at, size in GROUPS.get(slug, (((0, 0), 1.0),)):
        part = _shrunk(canvas, at, size)
        if slug == "drone-swarm":
            _drone(part, palette)
        elif slug == "tidecaller-cult":
            _acolyte(part, palette)
        else:
            Giant(part, slug, family, attributes, palette).draw()
    foreground(canvas, slug, palette)


def _shrunk(canvas: Canvas, at: Point, size: float) -> Canvas:
    """A canvas with smaller units and its middle moved."""
    part = copy.copy(canvas)
    part.scale = canvas.scale * size
    part.origin = ((canvas.origin[0] + at[0]) / size, (canvas.origin[1] + at[1]) / size)
    return part


def _body(canvas: Canvas, data: str, top: Colour, bottom: Colour, edge: Colour) -> None:
    for outline in trace(data):
        canvas.line(outline, 11, edge, closed=True)
        canvas.fade(outline, top, bottom)


def _drone(canvas: Canvas, p: Palette) -> None:
    for side in (-1, 1):
        for y in (-58, 46):
            canvas.line([(0, 0), (side * 120, y)], 24, p.dark)
            canvas.line([(0, 0), (side * 120, y)], 12, p.base)
            canvas.fill(ellipse((side * 120, y - 18), 70, 13), p.dark)
            canvas.fill(ellipse((side * 120, y - 18), 62, 8), p.pale)
            canvas.disc((side * 120, y - 14), 15, p.accent)
    _body(canvas, "M-66 -40 L66 -40 L84 6 L40 66 L-40 66 L-84 6 Z", p.light, p.deep, p.dark)
    canvas.glow((0, 6), 80, p.accent, 0.9)
    canvas.disc((0, 6), 34, p.dark)
    canvas.disc((0, 6), 25, p.accent)
    canvas.disc((0, 6), 11, p.pale)


def _acolyte(canvas: Canvas, p: Palette) -> None:
    _body(
        canvas,
        "M0 -150 C60 -140 84 -90 78 -30 C120 20 130 130 136 250 L-136 250 C-130 130 -120 20 -78 -30 C-84 -90 -60 -140 0 -150 Z",
        p.base,
        p.dark,
        p.dark,
    )
    canvas.path(
        "M0 -112 C38 -108 52 -70 46 -26 C30 6 -30 6 -46 -26 C-52 -70 -38 -108 0 -112 Z",
        mix(p.dark, BLACK, 0.4),
    )
    for x in (-19, 19):
        canvas.glow((x, -52), 40, p.accent, 0.8)
        canvas.fill(ellipse((x, -52), 13, 7), p.accent)
    canvas.path("M-40 250 L-26 30 L26 30 L40 250 Z", p.deep)
    canvas.path(
        "M-98 16 C-70 -30 -44 -30 -22 8 C-20 -60 40 -92 92 -58 C54 -62 36 -36 48 -14 C60 4 82 6 98 -2 L98 30 C60 46 38 30 22 16 C0 44 -28 40 -46 22 C-60 10 -76 20 -98 44 Z",
        p.light,
        at=(0, 90),
        size=0.42,
    )
