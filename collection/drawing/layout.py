"""How a card face is laid out, for every game.

A game's ``Face`` says what is on a card (``layout``) and draws what only it knows: the picture in
the window and the numbers in the panel. Everything around them is drawn here: frame, name, type
line, rarity, tab. The layout is also where a card's alternative text comes from, so that people
who hear a card hear what others see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from PIL import Image

from collection.drawing import art
from collection.drawing.art import Palette
from collection.drawing.canvas import (
    BLACK,
    INK,
    PAPER,
    WHITE,
    Box,
    Canvas,
    Colour,
    Point,
    balanced,
    circle,
    cut_corners,
    fitted,
    font,
    lines,
    mix,
    moved,
    ngon,
    rgb,
    rounded,
    star,
    trace,
)
from collection.drawing.printed import PrintedCard

Size = Literal["thumb", "table", "full"]

#: Corners as a share of the width: a little less than what style sheets cut off.
CORNER = 0.033


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie on a face of one size, in pixels.

    ``smooth``: how many times larger it is drawn; ``border`` and ``inset``: the frame and the
    coloured band inside it; ``header``: top and bottom of the name's slip, ``name`` its letters,
    ``star`` the radius of level stars (0: a pill in the window instead); ``window`` and
    ``window_tall``: top and bottom of the picture, and its bottom on cards without much text;
    ``type_size`` and ``type_height``: the type line (0: none); ``tab``: the height of the edge
    that shows under another card; ``small`` and ``text``: letters of labels and of rules text.
    """

    size: tuple[int, int]
    smooth: int
    border: int
    inset: int
    header: tuple[int, int]
    name: int
    star: float
    window: tuple[int, int]
    window_tall: int
    type_size: int
    type_height: int
    tab: int
    gap: int
    small: int
    text: int

    @property
    def left(self) -> int:
        return self.border + self.inset

    @property
    def right(self) -> int:
        return self.size[0] - self.left


PLANS: Mapping[str, Plan] = {
    "thumb": Plan(
        size=(126, 176),
        smooth=4,
        border=3,
        inset=4,
        header=(7, 25),
        name=15,
        star=0,
        window=(27, 118),
        window_tall=132,
        type_size=0,
        type_height=0,
        tab=32,
        gap=3,
        small=11,
        text=12,
    ),
    "table": Plan(
        size=(252, 352),
        smooth=3,
        border=7,
        inset=7,
        header=(14, 44),
        name=23,
        star=6,
        window=(48, 218),
        window_tall=258,
        type_size=14,
        type_height=22,
        tab=42,
        gap=4,
        small=14,
        text=18,
    ),
    "full": Plan(
        size=(756, 1056),
        smooth=2,
        border=22,
        inset=22,
        header=(42, 120),
        name=58,
        star=15,
        window=(132, 636),
        window_tall=724,
        type_size=30,
        type_height=52,
        tab=76,
        gap=12,
        small=26,
        text=38,
    ),
}


@dataclass(frozen=True, slots=True)
class Sign:
    """A colour's second sign: a letter on a shape of its own."""

    letter: str
    shape: str
    fill: Colour
    word: str


@dataclass(frozen=True, slots=True)
class Skin:
    """The colours around one kind of card."""

    top: Colour
    bottom: Colour
    dark: Colour
    tint: Colour


class Imprint(TypedDict):
    """Where a card comes from: the same on every game's cards."""

    set_code: str
    set_name: str
    rarity: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of a card, in reading order.

    ``glossary``: words of its text that mean something in the game, each with what it means.
    """

    name: str
    title: str
    type_line: str
    sign: Sign | None = None
    stars: int = 0
    corner: str = ""
    tab: str = ""
    numbers: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    limit: int = 0
    text: str = ""
    short: str = ""
    set_code: str = ""
    set_name: str = ""
    rarity: str = ""
    facts: tuple[str, ...] = ()
    tall: bool = False
    details: tuple[tuple[str, str], ...] = field(default=())
    glossary: tuple[tuple[str, str], ...] = field(default=())


#: Shapes of signs in a square from -1 to 1; ``crown`` and ``pennant`` are drawn as path data.
_SHAPES = {
    "diamond": "M0 -118 L118 0 L0 118 L-118 0 Z",
    "square": "M-92 -92 L92 -92 L92 92 L-92 92 Z",
    "hexagon": "M0 -112 L97 -56 L97 56 L0 112 L-97 56 L-97 -56 Z",
    "circle": "O0 0 102",
    "crown": "M-104 74 L-112 -66 L-54 -14 L0 -104 L54 -14 L112 -66 L104 74 Z",
    "pennant": "M-88 -100 L88 -100 L88 104 L0 58 L-88 104 Z",
}


def set_code(slug: str) -> str:
    """The short code of a set: its words' initials and its number."""
    return "".join(part if part.isdigit() else part[:1].upper() for part in slug.split("-"))[:4]


def code_points(text: str) -> str:
    """One line of text without surprises for the renderer."""
    return " ".join(text.split())


class Face:
    """The face of a game's cards. This one suits any game; a game's own is a subclass."""

    def __init__(self, game: str, name: str = "") -> None:
        self.game = game
        self.name = name or game.replace("-", " ").title()
        hue = hashlib.sha256(game.encode()).digest()
        self.border = mix(rgb("#2b2f3a"), (hue[0], hue[1], hue[2]), 0.28)
        self.accent = mix((hue[3], hue[4], hue[5]), rgb("#f0c060"), 0.5)
        self.mark = "M0 -92 L80 -46 L80 46 L0 92 L-80 46 L-80 -46 Z"

    # What is on the card

    def layout(self, card: PrintedCard) -> Layout:
        """Every word of a card of an unknown game, its numbers included."""
        details = tuple(
            (key.replace("_", " ").capitalize(), _plain(value))
            for key, value in card.attributes.items()
        )
        numbers = tuple(value for _, value in details if value.lstrip("-").isdigit())[:3]
        kind = card.kind.replace("_", " ").replace("-", " ").capitalize()
        facts = [f"{card.colour.capitalize()} {kind.lower()}" if card.colour else kind]
        facts += [f"{key} {value}" for key, value in details]
        return Layout(
            name=card.name,
            title=card.title,
            type_line=f"{kind} · {card.colour}" if card.colour else kind,
            sign=self.sign(card),
            text=card.text,
            numbers=numbers,
            details=details,
            facts=tuple(facts),
            **self.imprint(card),
        )

    def imprint(self, card: PrintedCard) -> Imprint:
        return {
            "set_code": set_code(card.sets[0]) if card.sets else "",
            "set_name": card.sets[0].replace("-", " ") if card.sets else "",
            "rarity": card.rarity,
        }

    def sign(self, card: PrintedCard) -> Sign | None:
        """A letter and a shape for the card's colour, whatever colours the game has."""
        if not card.colour:
            return None
        seed = hashlib.sha256(card.colour.encode()).digest()
        shape = ("diamond", "square", "hexagon", "circle")[seed[0] % 4]
        fill = mix((seed[1], seed[2], seed[3]), BLACK, 0.25)
        return Sign(card.colour[0].upper(), shape, fill, card.colour)

    def skin(self, card: PrintedCard) -> Skin:
        sign = self.sign(card)
        base = sign.fill if sign else mix(self.border, WHITE, 0.25)
        return Skin(mix(base, WHITE, 0.25), mix(base, BLACK, 0.25), mix(base, BLACK, 0.6), base)

    def palette(self, card: PrintedCard) -> Palette:
        skin = self.skin(card)
        return Palette(
            dark=skin.dark,
            deep=mix(skin.bottom, BLACK, 0.2),
            base=skin.tint,
            light=mix(skin.top, WHITE, 0.35),
            pale=mix(skin.top, WHITE, 0.8),
            accent=self.accent,
            sky_top=mix(self.border, BLACK, 0.35),
            sky_bottom=mix(skin.top, WHITE, 0.1),
            disc=mix(skin.top, PAPER, 0.75),
        )

    # The parts that a game draws itself

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        """The picture, on a scene's canvas (see ``collection.drawing.art``)."""
        art.wonder(canvas, f"{card.game}/{card.slug}", self.palette(card))

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        """Everything below the picture: the numbers, and in the full size the text."""
        skin = self.skin(card)
        if plan.type_size == 0 or plan is PLANS["table"]:
            self.number_row(canvas, layout.numbers, box, plan, skin)
            return
        left, top, right, bottom = box
        if layout.details:
            words = "   ".join(f"{key} {value}" for key, value in layout.details)
            face = fitted(words, "sans", plan.small, 700, right - left - 40, 16)
            canvas.text(((left + right) / 2, top + 34), words, face, skin.dark, anchor="middle")
            top += 56
        self.rules_text(canvas, layout.text, (left, top, right, bottom), plan)

    # The shared parts

    def draw(self, card: PrintedCard, size: Size) -> Image.Image:
        """The whole face."""
        plan, layout, skin = PLANS[size], self.layout(card), self.skin(card)
        width, height = plan.size
        canvas = Canvas(plan.size, smooth=plan.smooth, colour=self.border)
        self.frame(canvas, plan, skin)
        self._header(canvas, plan, layout, skin)
        low = height - plan.left
        if layout.tab:
            self._tab(canvas, plan, layout, skin, low)
            low -= plan.tab + plan.gap
        bottom = plan.window_tall if layout.tall else plan.window[1]
        top = bottom + plan.type_height + plan.gap
        if low - top < 0.08 * height:  # no room for a panel: the picture takes it
            bottom, top = low - plan.type_height, low
        self.picture(canvas, card, layout, plan, skin, bottom)
        if plan.type_size:
            self.type_line(canvas, plan, layout, skin, bottom)
        if top < low:
            box = (plan.left, top, plan.right, low)
            self._plate(canvas, box, plan, mix(PAPER, skin.tint, 0.06), skin)
            self.panel(canvas, card, layout, plan, box)
        return cut_corners(canvas.finish(), CORNER * width)

    def back(self, size: Size) -> Image.Image:
        """The back of the game's cards: its mark on a lattice of diamonds."""
        plan = PLANS[size]
        width, height = plan.size
        unit = width / 252
        canvas = Canvas(plan.size, unit=unit, smooth=plan.smooth, colour=self.border)
        w, h = 252.0, height / unit
        light, dark = mix(self.border, self.accent, 0.35), mix(self.border, BLACK, 0.35)
        canvas.fill(rounded((7, 7, w - 7, h - 7), 10), PAPER)
        inner = rounded((12, 12, w - 12, h - 12), 7)
        canvas.fade(inner, mix(self.border, WHITE, 0.1), dark)
        lattice = Canvas(plan.size, unit=unit, smooth=plan.smooth, colour=self.border)
        lattice.fade([(0, 0), (w, 0), (w, h), (0, h)], mix(self.border, WHITE, 0.12), dark)
        step = 21.0
        for row in range(int(h / step * 2) + 3):
            for column in range(int(w / step) + 3):
                x = column * step + (step / 2 if row % 2 else 0) - 4
                y = row * step / 2
                lattice.line(ngon((x, y), step / 2, 4), 0.9, light, 0.6, closed=True)
                lattice.fill(ngon((x, y), 2.3, 4), self.accent, 0.75)
        canvas.inlay(lattice, (0, 0, w, h), inner)
        centre = (w / 2, h / 2)
        for turn in (0, 1):
            for y in (46, h - 46):
                canvas.fill(star((w / 2, y), 15 - turn * 5, 5, 4), (dark, self.accent)[turn])
        canvas.fill(star(centre, 92, 80, 24), dark)
        canvas.fill(circle(centre, 78), self.accent)
        canvas.fill(circle(centre, 74), dark)
        canvas.ring(centre, 67, 1.4, self.accent)
        canvas.glow(centre, 74, self.accent, 0.35)
        self.draw_mark(canvas, centre, 50, PAPER)
        return cut_corners(canvas.finish(), CORNER * width)

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        """The game's glyph."""
        canvas.fill(moved(trace(self.mark)[0], *at, radius / 100), colour)

    def frame(self, canvas: Canvas, plan: Plan, skin: Skin) -> None:
        width, height = plan.size
        b = plan.border
        hair = max(width / 300, 0.8)
        canvas.fill(
            rounded((b - 2 * hair, b - 2 * hair, width - b + 2 * hair, height - b + 2 * hair), b),
            self.accent,
        )
        band = rounded((b, b, width - b, height - b), b * 0.9)
        canvas.fade(band, skin.top, skin.bottom)
        for y, tone, alpha in ((b, WHITE, 0.35), (height - b, BLACK, 0.25)):
            canvas.line([(b * 1.6, y), (width - b * 1.6, y)], hair, tone, alpha)

    def _plate(self, canvas: Canvas, box: Box, plan: Plan, colour: Colour, skin: Skin) -> None:
        """A slip of paper with a dark edge."""
        radius = plan.size[0] * 0.016
        edge = max(plan.size[0] / 330, 0.7)
        left, top, right, bottom = box
        canvas.fill(
            rounded((left - edge, top - edge, right + edge, bottom + edge), radius + edge),
            skin.dark,
        )
        canvas.fade(rounded(box, radius), mix(colour, WHITE, 0.4), colour)

    def _header(self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin) -> None:
        top, bottom = plan.header
        middle = (top + bottom) / 2
        half = (bottom - top) / 2
        self._plate(canvas, (plan.left, top, plan.right, bottom), plan, PAPER, skin)
        x = plan.left + half * 0.4
        if layout.sign:
            radius = half * 0.74
            self.draw_sign(canvas, layout.sign, (x + radius * 0.9, middle), radius, skin.dark)
            x += radius * 2.35
        right = plan.right - half * 0.4
        if layout.stars and plan.star:
            r = plan.star
            for i in range(layout.stars):
                spot = (right - r - i * r * 2.05, middle)
                canvas.fill(star(spot, r * 1.2, r * 0.55, 5), skin.dark)
                canvas.fill(star(spot, r * 0.82, r * 0.38, 5), self.accent)
            right -= layout.stars * r * 2.05 + half * 0.3
        elif layout.corner and plan.star:
            right -= self.corner(canvas, plan, layout, skin, (right, middle)) + half * 0.4
        name = code_points(layout.name)
        face = fitted(name, "serif", plan.name, 640 if plan.star else 720, right - x)
        canvas.text((x, middle), name, face, INK)

    def corner(self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin, at: Point) -> float:
        """Draw the header's right corner, which ends at ``at``, and say how wide it is."""
        face = font("serif", plan.name, 700)
        canvas.text(at, layout.corner, face, skin.dark, anchor="right")
        return face.getlength(layout.corner)

    def draw_sign(self, canvas: Canvas, sign: Sign, at: Point, radius: float, edge: Colour) -> None:
        outline = trace(_SHAPES[sign.shape])[0]
        canvas.fill(moved(outline, *at, radius / 100), edge)
        canvas.fill(moved(outline, *at, radius * 0.84 / 100), sign.fill)
        if sign.shape == "crown":
            x, y = at
            for dx, dy in ((-1.12, -0.66), (0, -1.04), (1.12, -0.66)):
                canvas.disc((x + dx * radius * 0.94, y + dy * radius * 0.94), radius * 0.15, edge)
        if sign.letter:
            size = max(round(radius * (1.0 if sign.shape in ("crown", "pennant") else 1.22)), 8)
            drop = 0.2 if sign.shape == "crown" else -0.12 if sign.shape == "pennant" else 0.0
            tone = INK if sum(sign.fill) > 480 else WHITE
            canvas.text(
                (at[0], at[1] + radius * drop), sign.letter, font("sans", size, 800), tone,
                anchor="middle",
            )  # fmt: skip

    def picture(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, skin: Skin, bottom: int
    ) -> None:
        box = (plan.left, plan.window[0], plan.right, bottom)
        radius = plan.size[0] * 0.016
        edge = max(plan.size[0] / 250, 1)
        size = (box[2] - box[0], box[3] - box[1])
        scene = art.scene(size, plan.smooth)
        self.window(scene, card, layout)
        outer = (box[0] - edge, box[1] - edge, box[2] + edge, box[3] + edge)
        canvas.fill(rounded(outer, radius + edge), skin.dark)
        canvas.inlay(scene, box, rounded(box, radius))
        scene.letters_onto(canvas, (box[0], box[1]))
        if layout.stars and not plan.star:
            self._level_pill(canvas, layout.stars, (box[2], box[1]), skin)

    def _level_pill(self, canvas: Canvas, level: int, corner: Point, skin: Skin) -> None:
        """The level at thumb size: a figure and a star in the window's corner."""
        right, top = corner
        pill = rounded((right - 30, top + 3, right - 3, top + 19), 8)
        canvas.fill(pill, mix(skin.dark, BLACK, 0.3), 0.92)
        canvas.fill(star((right - 10.5, top + 11), 6, 2.6, 5), self.accent)
        canvas.text(
            (right - 22, top + 11), str(level), font("sans", 13, 800), WHITE, anchor="middle"
        )

    def type_line(
        self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin, window_bottom: int
    ) -> None:
        middle = window_bottom + plan.gap / 2 + plan.type_height / 2
        tone = WHITE if sum(skin.bottom) < 400 else INK
        unit = plan.type_size
        right = plan.right - unit * 0.7
        self.draw_rarity(
            canvas, layout.rarity, (right - unit * 0.2, middle), unit * 0.52, tone, skin
        )
        right -= unit * 1.15
        if layout.set_code:
            face = font("sans", round(unit * 0.86), 700)
            width = face.getlength(layout.set_code)
            box = (right - width - unit * 1.5, middle - unit * 0.62, right, middle + unit * 0.62)
            canvas.fill(rounded(box, unit * 0.3), skin.dark, 0.75)
            self.draw_mark(canvas, (box[0] + unit * 0.66, middle), unit * 0.5, self.accent)
            canvas.text((right - unit * 0.34, middle), layout.set_code, face, WHITE, anchor="right")
            right = box[0] - unit * 0.4
        x = plan.left + unit * 0.3
        face = fitted(layout.type_line, "sans", unit, 650, right - x)
        canvas.text((x, middle), layout.type_line, face, tone)

    def draw_rarity(
        self, canvas: Canvas, rarity: str, at: Point, radius: float, tone: Colour, skin: Skin
    ) -> None:
        """A disc, a diamond, a star, a sun: rarer has more points."""
        shapes = {
            "common": circle(at, radius * 0.62),
            "uncommon": ngon(at, radius * 0.95, 4),
            "rare": star(at, radius * 1.12, radius * 0.5, 5),
            "ultra": star(at, radius * 1.15, radius * 0.68, 8),
        }
        shape = shapes.get(rarity, circle(at, radius * 0.5))
        canvas.line(shape, radius * 0.35, skin.dark, closed=True)
        rare = rarity in ("rare", "ultra")
        canvas.fill(shape, mix(self.accent, rgb("#fff3c4"), 0.72) if rare else tone)
        if rarity == "ultra":
            canvas.disc(at, radius * 0.3, skin.dark)

    def _tab(self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin, bottom: int) -> None:
        """The edge that still shows when the card lies under another."""
        top = bottom - plan.tab
        self._plate(canvas, (plan.left, top, plan.right, bottom), plan, PAPER, skin)
        middle, half = (top + bottom) / 2, plan.tab / 2
        wanted = round(plan.tab * 0.82)
        places = [plan.left + half, plan.right - half] if layout.sign else []
        room = plan.right - plan.left - half - half * 1.6 * len(places)
        face = fitted(layout.tab, "serif", wanted, 800, room)
        x = plan.size[0] / 2
        if places and face.size < wanted * 0.7:  # many numbers: one sign makes room for them
            del places[1]
            face = fitted(layout.tab, "serif", wanted, 800, room + half * 1.6)
            x += half * 0.8
        canvas.text((x, middle), layout.tab, face, INK, anchor="middle")
        if layout.sign:
            for place in places:
                self.draw_sign(canvas, layout.sign, (place, middle), half * 0.64, skin.dark)

    def rules_text(self, canvas: Canvas, text: str, box: Box, plan: Plan) -> None:
        """The text as large as it fits, in the middle of its box."""
        if not text:
            return
        left, top, right, bottom = box
        pad = plan.size[0] * 0.035
        size = plan.text
        while True:
            face = font("sans", size, 450)
            rows = lines(text, face, right - left - 2 * pad)
            leading = size * 1.3
            if len(rows) * leading <= bottom - top - pad or size <= 9:
                break
            size -= 1
        rows = balanced(rows, face, right - left - 2 * pad)
        y = (top + bottom) / 2 - (len(rows) - 1) * leading / 2
        for row in rows:
            canvas.text(((left + right) / 2, y), row, face, INK, anchor="middle")
            y += leading

    def number_row(
        self, canvas: Canvas, numbers: tuple[str, ...], box: Box, plan: Plan, skin: Skin
    ) -> None:
        """A few numbers side by side, as large as the box allows."""
        left, top, right, bottom = box
        for i, number in enumerate(numbers):
            x = left + (right - left) * (i + 0.5) / len(numbers)
            width = (right - left) / len(numbers) * 0.8
            face = fitted(number, "serif", round((bottom - top) * 0.6), 750, width)
            canvas.text((x, (top + bottom) / 2), number, face, skin.dark, anchor="middle")


def _plain(value: object) -> str:
    """An attribute as words."""
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    return str(value).replace("_", " ")
