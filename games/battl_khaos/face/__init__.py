"""Batt'l Kha'os's cards: moss and iron; tiles from above, towers, war tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collection.drawing.canvas import (
    INK,
    Box,
    Canvas,
    Colour,
    Point,
    fitted,
    font,
    moved,
    rgb,
    trace,
)
from collection.drawing.layout import PLANS, Face, Layout, Plan, Skin
from collection.drawing.printed import PrintedCard
from games.battl_khaos.face import terrain, tokens, towers, warriors, wonders
from games.battl_khaos.face.warriors import SIDES

CORNERS = ("NW", "NE", "SE", "SW")
#: Where units stand on a tile, in the order of the corners.
_PLACES: tuple[Point, ...] = ((-113, -113), (113, -113), (113, 113), (-113, 113))
_KINDS = {
    "field": "Field tile",
    "special": "Special tile",
    "tower": "Tower",
    "token": "Power token",
}
_FLAGS = {"O": "Flag of the orcs", "K": "Flag of the knights"}
_MOSS = Skin(rgb("#93a663"), rgb("#55673a"), rgb("#232c16"), rgb("#7d9350"))
_SKINS = {
    "field": _MOSS,
    "special": Skin(rgb("#7fb3ac"), rgb("#39706c"), rgb("#0f2c2b"), rgb("#5a9a93")),
    "O": Skin(rgb("#a58bc4"), rgb("#5c4382"), rgb("#241536"), rgb("#8a68b4")),
    "K": Skin(rgb("#eab473"), rgb("#b3681f"), rgb("#43230a"), rgb("#dd9a4e")),
    "basic": Skin(rgb("#c39a68"), rgb("#7e5730"), rgb("#311d0c"), rgb("#ab7f4c")),
    "advanced": Skin(rgb("#a3b1bb"), rgb("#5b6a76"), rgb("#1c252c"), rgb("#8697a3")),
}
#: What a piece does in a few words, where the whole text would be too small to read.
SHORT = {
    "temple": "Towers near: 3",
    "circle": "Swap a tile",
    "crystal": "Discard a token",
    "stones": "No tokens near",
    "graveyard": "Token back",
    "banner": "Second tile",
    "halberd": "Closes 8 places",
    "mage": "Reserves a place",
    "catapult": "Destroys a tile",
}
_LIES_ON = {"tile": "a tile", "ground": "the ground"}
_CHANGES = {"add": "{0:+d}", "times": "×{0}", "set": "={0}"}


class BattlKhaosFace(Face):
    """Tiles show who stands where, towers their value and flag, tokens what they cost and do."""

    def __init__(self) -> None:
        super().__init__("battl-khaos", "Batt'l Kha'os")
        self.border = rgb("#39423d")
        self.accent = rgb("#b4cf6c")
        self.mark = (
            "M-60 -44 L-36 -44 L-36 -26 L-13 -26 L-13 -44 L13 -44 L13 -26 L36 -26 L36 -44 "
            "L60 -44 L60 4 L45 4 L56 90 L-56 90 L-45 4 L-60 4 Z"
        )

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        super().draw_mark(canvas, at, radius, colour)
        canvas.path("M-4 -90 L4 -90 L4 -40 L-4 -40 Z", colour, at=at, size=radius / 100)
        flag = "M4 -88 C20 -78 34 -92 54 -83 C46 -76 44 -69 53 -61 C34 -59 20 -53 4 -64 Z"
        canvas.path(flag, colour, at=at, size=radius / 100)
        if radius > 20:
            for hole in (
                "M-18 90 L-18 53 C-18 27 18 27 18 53 L18 90 Z",
                "M-8 -8 L8 -8 L8 15 L-8 15 Z",
            ):
                canvas.path(hole, self.border, at=at, size=radius / 100)

    # What is on the card

    def layout(self, card: PrintedCard) -> Layout:
        printed = card.attributes
        kind = _KINDS.get(card.kind, card.kind.capitalize())
        numbers: tuple[str, ...] = ()
        details: tuple[tuple[str, str], ...] = ()
        text, short, type_line = card.text, card.text, kind
        facts = [kind]
        if card.kind == "field":
            orcs, knights = int(printed["orcs"]), int(printed["knights"])
            numbers = (str(orcs), str(knights))
            corners = [
                (corner, _unit_words(unit))
                for corner, unit in zip(CORNERS, printed["corners"], strict=True)
            ]
            details = (("Orcs", str(orcs)), ("Knights", str(knights)), *corners)
            text = ", ".join(f"{corner} {words}" for corner, words in corners)
            both = f"{SIDES['O'].counted(orcs)} and {SIDES['K'].counted(knights)}"
            facts = [f"{kind} with {both}", f"Corners: {text}"]
        elif card.kind == "tower":
            value, flag = int(printed["value"]), str(printed["flag"])
            points = f"{value} {'point' if value == 1 else 'points'}"
            numbers = (towers.ROMAN[value],)
            type_line = f"Tower · {SIDES[flag].many}’ flag"
            details = (("Value", towers.ROMAN[value]), ("Flag", SIDES[flag].many.capitalize()))
            text = (
                f"Worth {points}. With equally many corners on both sides it belongs to the "
                f"{SIDES[flag].many}."
            )
            facts = [f"Tower of value {numbers[0]}", _FLAGS[flag], text.rstrip(".")]
        elif card.kind == "special":
            short = SHORT.get(_name(card), kind)
            facts = [kind, text.rstrip(".")]
        elif card.kind == "token":
            rank, place = str(printed["class"]).capitalize(), _LIES_ON[str(printed["lies_on"])]
            type_line = f"{rank} power token"
            numbers = (str(printed["muster"]),)
            details = (("Muster", numbers[0]), ("Class", rank), ("Lies on", place))
            short = _change(printed) or SHORT.get(_name(card), kind)
            facts = [type_line, f"Muster {numbers[0]}", f"Lies on {place}", text.rstrip(".")]
            if "orc_name" in printed:
                names = (str(printed["orc_name"]), str(printed["knight_name"]))
                details += tuple(zip(("With orcs", "With knights"), names, strict=True))
                facts.append(f"{names[0]} for the orcs, {names[1]} for the knights")
        return Layout(
            name=card.name,
            title=card.title,
            type_line=type_line,
            numbers=numbers,
            text=text,
            short=short,
            facts=tuple(facts),
            details=details,
            tall=card.kind in ("field", "tower"),
            **self.imprint(card),
        )

    def skin(self, card: PrintedCard) -> Skin:
        printed = card.attributes
        key = {"tower": printed.get("flag"), "token": printed.get("class")}.get(card.kind)
        return _SKINS.get(key or card.kind) or super().skin(card)

    # The picture

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        printed = card.attributes
        if card.kind == "field":
            terrain.field(canvas, card.slug)
            for corner, at in zip(printed["corners"], _PLACES, strict=True):
                if corner == "-":
                    terrain.emptiness(canvas, at)
                else:
                    warriors.unit(canvas, corner[0], int(corner[1]), at)
            terrain.motif(canvas, card.slug)
        elif card.kind == "special":
            wonders.scene(canvas, card.slug, _name(card))
        elif card.kind == "tower":
            towers.scene(canvas, card.slug, str(printed["flag"]), int(printed["value"]))
        elif card.kind == "token":
            tokens.scene(canvas, card.slug, _name(card), printed["class"] == "advanced")
        else:
            super().window(canvas, card, layout)

    def picture(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, skin: Skin, bottom: int
    ) -> None:
        super().picture(canvas, card, layout, plan, skin, bottom)
        if card.kind == "token":
            radius = plan.size[0] * 0.088
            at = (plan.right - radius * 1.12, plan.window[0] + radius * 1.12)
            self._muster(canvas, layout.numbers[0], at, radius)

    def _muster(self, canvas: Canvas, cost: str, at: Point, radius: float) -> None:
        """The muster of a token, on a brass shield."""
        shield = trace("M-84 -92 L84 -92 L84 -6 C80 60 34 88 0 104 C-34 88 -80 60 -84 -6 Z")[0]
        canvas.fill(moved(shield, *at, radius / 84), rgb("#2a1c06"))
        canvas.fade(moved(shield, *at, radius / 100), rgb("#ffe49a"), rgb("#d99a2c"))
        face = font("sans", round(radius * 1.45), 800)
        canvas.text((at[0], at[1] - radius * 0.04), cost, face, rgb("#2a1c06"), anchor="middle")

    # The panel

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        if card.kind == "field":
            self._counts(canvas, layout, plan, box)
        elif card.kind == "tower":
            self._worth(canvas, card, layout, plan, box)
        elif card.kind == "token":
            self._deed(canvas, card, layout, plan, box)
        elif card.kind == "special":
            if plan is PLANS["thumb"]:
                self._few_words(canvas, layout.short, box, plan)
            else:
                self.rules_text(canvas, layout.text, box, plan)
        else:
            super().panel(canvas, card, layout, plan, box)

    def _counts(self, canvas: Canvas, layout: Layout, plan: Plan, box: Box) -> None:
        """How many of each side stand on the tile; in the full size also where."""
        left, top, right, bottom = box
        full = plan is PLANS["full"]
        low = top + (bottom - top) * 0.66 if full else bottom
        y, height = (top + low) / 2, low - top
        radius = height * 0.3
        face = font("sans", round(height * 0.66), 800)
        for side, number, share in zip("OK", layout.numbers, (0.27, 0.73), strict=True):
            x = left + (right - left) * share
            long = radius * 3.0 + face.getlength(number)
            warriors.head(canvas, side, (x - long / 2 + radius * 1.2, y + radius * 0.1), radius)
            canvas.text((x + long / 2, y), number, face, INK, anchor="right")
        middle = (left + right) / 2
        canvas.line(
            [(middle, top + height * 0.2), (middle, low - height * 0.2)],
            max(plan.size[0] / 260, 0.7), _MOSS.tint, 0.7,
        )  # fmt: skip
        if full:
            canvas.line([(left + 24, low), (right - 24, low)], 2, _MOSS.tint, 0.6)
            words = layout.text.replace(", ", "  ·  ")
            small = fitted(words, "sans", plan.small, 550, right - left - 40, 16)
            canvas.text((middle, (low + bottom) / 2), words, small, INK, anchor="middle")

    def _worth(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        """The value beside the sign of the flag."""
        left, top, right, bottom = box
        flag, skin = str(card.attributes["flag"]), self.skin(card)
        full = plan is PLANS["full"]
        low = top + (bottom - top) * 0.56 if full else bottom
        y, height = (top + low) / 2, low - top
        radius = height * 0.3
        numeral = font("serif", round(height * (0.74 if full else 0.78)), 800)
        words = SIDES[flag].many if plan is not PLANS["thumb"] else ""
        label = font("sans", plan.small + 2, 700)
        sign = radius * 2.9 + (label.getlength(words) + radius * 0.6 if words else 0)
        gap = height * 0.5
        long = numeral.getlength(layout.numbers[0]) + gap + sign
        x = (left + right) / 2 - long / 2
        canvas.text((x, y), layout.numbers[0], numeral, skin.dark)
        x += numeral.getlength(layout.numbers[0]) + gap
        warriors.head(canvas, flag, (x + radius * 1.3, y + radius * 0.1), radius)
        if words:
            canvas.text((x + sign, y), words, label, skin.dark, anchor="right")
        if full:
            canvas.line([(left + 24, low), (right - 24, low)], 2, skin.tint, 0.6)
            self.rules_text(canvas, layout.text, (left, low, right, bottom), plan)

    def _deed(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        """The effect of a token; in the full size in words, below its muster, class and place."""
        left, top, right, bottom = box
        skin = self.skin(card)
        if plan is PLANS["thumb"]:
            self._few_words(canvas, layout.short, box, plan)
        elif plan is PLANS["table"]:
            self.rules_text(canvas, layout.text, box, plan)
        else:
            low = top + (bottom - top) * 0.3
            words = "   ·   ".join(
                (f"Muster {layout.numbers[0]}", f"Lies on {dict(layout.details)['Lies on']}")
            )
            label = font("sans", plan.small, 700)
            canvas.text(((left + right) / 2, (top + low) / 2), words, label, skin.dark,
                        anchor="middle")  # fmt: skip
            canvas.line([(left + 24, low), (right - 24, low)], 2, skin.tint, 0.6)
            self.rules_text(canvas, layout.text, (left, low, right, bottom), plan)

    def _few_words(self, canvas: Canvas, words: str, box: Box, plan: Plan) -> None:
        """A sum in large figures with a word below it, or a few words on two lines."""
        left, top, right, bottom = box
        middle, height = (left + right) / 2, bottom - top
        first, _, second = words.partition(" ")
        sum_of = not first[0].isalpha()
        rows = (first, second) if sum_of else _halves(words)
        sizes, shares = ((26, 13), (0.34, 0.76)) if sum_of else ((15, 15), (0.3, 0.72))
        for row, size, share in zip(rows, sizes, shares, strict=True):
            face = fitted(row, "sans", size, 760 if size > 14 else 650, right - left - 8)
            canvas.text((middle, top + height * share), row, face, INK, anchor="middle")


def _name(card: PrintedCard) -> str:
    """``temple`` of ``bkh-x-temple``."""
    return card.slug.split("-", 2)[-1]


def _unit_words(unit: str) -> str:
    return "empty" if unit == "-" else SIDES[unit[0]].counted(int(unit[1]))


def _change(printed: Mapping[str, Any]) -> str:
    """``+1 own`` or ``=1 enemy`` of a token that changes strengths."""
    if "change" not in printed:
        return ""
    sign = _CHANGES[printed["change"]].format(int(printed["number"])).replace("-", "−")
    return f"{sign} {printed['whose']} units"


def _halves(words: str) -> tuple[str, str]:
    """Two lines of about the same length."""
    parts = words.split()
    cuts = [(" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts))]
    return min(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1])))


FACE = BattlKhaosFace()
