"""Kaolan's cards: ember on violet, beasts, dials, seals and banners."""

from __future__ import annotations

from collections.abc import Sequence

from collection.drawing.canvas import (
    INK,
    PAPER,
    WHITE,
    Box,
    Canvas,
    Colour,
    Point,
    fitted,
    font,
    mix,
    rgb,
    rounded,
)
from collection.drawing.layout import PLANS, Face, Layout, Plan, Sign, Skin
from collection.drawing.printed import PrintedCard
from games.kaolan.face import beasts, numbers, scenes, symbols

SIGNS = {
    "red": Sign("R", "diamond", rgb("#c4302b"), "red"),
    "green": Sign("G", "hexagon", rgb("#1f8a4c"), "green"),
    "blue": Sign("B", "circle", rgb("#2a62c9"), "blue"),
    "gold": Sign("", "crown", rgb("#e8b02a"), "gold"),
}
_SEAL = Sign("A", "square", rgb("#6c47a8"), "ability")
_BANNER = Sign("O", "pennant", rgb("#c8572a"), "opportunity")
_SKINS = {
    "red": Skin(rgb("#d9483b"), rgb("#8f1b22"), rgb("#48090f"), rgb("#d63a2c")),
    "green": Skin(rgb("#3fa765"), rgb("#12643a"), rgb("#06301b"), rgb("#2f9c55")),
    "blue": Skin(rgb("#4585e2"), rgb("#173f94"), rgb("#0a1f4d"), rgb("#2f72d8")),
    "gold": Skin(rgb("#f4cb55"), rgb("#c48814"), rgb("#553205"), rgb("#e0ab2c")),
    "ability": Skin(rgb("#a08fbf"), rgb("#64518c"), rgb("#261744"), rgb("#8f76bd")),
    "opportunity": Skin(rgb("#e9935a"), rgb("#a84a22"), rgb("#43180a"), rgb("#e07a45")),
}
_KINDS = {
    "character": "Character",
    "power": "Power",
    "ability": "Special Ability",
    "opportunity": "Opportunity",
}
#: What a card does in a few words, where the whole text would be too small to read.
_SHORT = {
    "keen-eye": "Qualify die counts as ±1",
    "twin-fangs": "Volley: doubles hit",
    "shadow-step": "Doubles escape",
    "deep-reserves": "Holds two more Power Cards",
    "second-wind": "Spend a Power Card: escape again",
    "prism-heart": "Holds every colour",
    "war-drums": "Qualifies without a roll",
    "thorn-hide": "Escape: they lose a Power Card",
    "mirror-scales": "Escape with their numbers",
    "hunters-mark": "Volley: a 7 hits",
    "steel-scales": "A 7 escapes",
    "phoenix-heart": "Burns instead of its Character",
    "battle-fury": "Volley missed? Roll again",
    "pack-tactics": "Guards’ numbers hit too",
    "change-of-guard": "Leader and Guard change places",
    "ambush": "Challenge without qualifying",
    "new-teaching": "Replace an ability",
    "sabotage": "Discard their Power Card",
    "salvage": "Take 1 of the last 8 discards",
    "power-surge": "Attach up to 3 Power Cards",
    "battle-horn": "Challenge, then once more",
    "reinforcements": "Place up to 2 Characters",
    "spyglass": "See a hand, discard from it",
    "night-raid": "They discard at random",
    "silence": "Discard their ability",
    "regroup": "Take a card back, draw 1",
    "windfall": "Draw 3 cards",
    "truce-breaker": "Challenge any colour",
}
#: The radius of a Character's symbol, as a share of the card's width.
SYMBOL = 0.062
_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class KaolanFace(Face):
    """Characters show dice, Power Cards numbers, abilities a seal, opportunities a banner."""

    def __init__(self) -> None:
        super().__init__("kaolan", "Kaolan")
        self.border = rgb("#5c4594")
        self.accent = rgb("#f08a45")
        self.mark = (
            "M6 -90 C13 -50 65 -29 65 27 C65 65 35 92 0 92 C-35 92 -65 65 -65 27 "
            "C-65 -4 -44 -19 -35 -50 C-26 -39 -21 -29 -20 -16 C-5 -33 8 -60 6 -90 Z"
        )

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        super().draw_mark(canvas, at, radius, colour)
        if radius > 20:
            for slit in (
                "M-29 13 C-38 30 -41 48 -39 67 C-28 52 -24 32 -29 13 Z",
                "M1 0 C-8 23 -10 50 -4 77 C6 54 9 27 1 0 Z",
                "M31 13 C22 30 20 48 23 67 C34 52 37 32 31 13 Z",
            ):
                canvas.path(slit, self.border, at=at, size=radius / 100)

    def layout(self, card: PrintedCard) -> Layout:
        printed = card.attributes
        values = [int(number) for number in printed.get("numbers", ())]
        faces = tuple(int(face) for face in printed.get("faces", ()))
        kind = _KINDS.get(card.kind, card.kind.capitalize())
        level, limit = int(printed.get("level", 0)), int(printed.get("limit", 0))
        colour = card.colour.capitalize()
        short = _SHORT.get(_name(card), card.text)
        details: tuple[tuple[str, str], ...] = ()
        text, type_line, tab = card.text, kind, ""
        if card.kind == "character":
            type_line = f"{colour} Character"
            holds = "Power Cards of every colour" if card.colour == "gold" else "Power Cards"
            text = f"Attacks on {_either(faces)}. Holds up to {limit} {holds}."
            details = (
                ("Symbol", _symbol(card).capitalize()),
                ("Level", str(level)),
                ("Power limit", str(limit)),
                ("Attack faces", ", ".join(str(face) for face in faces)),
            )
            facts = [f"{colour} Character of level {level}", text.rstrip(".")]
        elif card.kind == "power":
            type_line, tab = f"{colour} Power Card", " · ".join(str(value) for value in values)
            count = numbers.ways(values)
            text = f"A roll of {_either(values)}: {count} {'way' if count == 1 else 'ways'} of 36"
            details = (
                ("Numbers" if len(values) > 1 else "Number", ", ".join(str(v) for v in values)),
                ("Ways", f"{count} of 36"),
            )
            facts = [type_line, text]
            if card.colour == "gold":
                facts.append("fits under every Character")
        else:
            tab = str(printed.get("code", ""))
            facts = [kind, card.text.rstrip(".")]
            if tab:
                facts.insert(1, f"side code {tab}")
                details = (("Side code", tab),)
        return Layout(
            name=card.name,
            title=card.title,
            type_line=type_line,
            sign=self.sign(card),
            stars=level,
            tab=tab,
            numbers=tuple(str(value) for value in values),
            faces=faces,
            limit=limit,
            text=text,
            short=short,
            facts=tuple(facts),
            tall=card.kind == "power",
            details=details,
            **self.imprint(card),
        )

    def sign(self, card: PrintedCard) -> Sign | None:
        return SIGNS.get(card.colour) or {"ability": _SEAL, "opportunity": _BANNER}.get(card.kind)

    def skin(self, card: PrintedCard) -> Skin:
        return _SKINS.get(card.colour) or _SKINS.get(card.kind) or super().skin(card)

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        if card.kind == "character":
            beasts.portrait(canvas, card.slug, _symbol(card), card.colour)
        elif card.kind == "power":
            palette = beasts.PALETTES.get(card.colour, beasts.PALETTES["gold"])
            numbers.emblem(canvas, [int(number) for number in layout.numbers], palette)
        elif card.kind == "ability":
            scenes.seal(canvas, card.slug, _name(card), layout.tab)
        elif card.kind == "opportunity":
            scenes.banner(canvas, card.slug, _name(card))
        else:
            super().window(canvas, card, layout)

    def picture(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, skin: Skin, bottom: int
    ) -> None:
        super().picture(canvas, card, layout, plan, skin, bottom)
        radius = plan.size[0] * SYMBOL
        spot = (plan.left + radius * 1.3, bottom - radius * 1.3)
        symbols.symbol(canvas, _symbol(card), spot, radius, mix(skin.dark, INK, 0.3), PAPER)

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        skin = self.skin(card)
        if card.kind == "character":
            self._attack(canvas, layout, plan, box, skin)
        elif card.kind == "power":
            self._odds(canvas, layout, plan, box, skin)
        elif plan is PLANS["full"]:
            self.rules_text(canvas, layout.text, box, plan)
        else:
            self.rules_text(canvas, layout.short, box, plan)

    def _attack(self, canvas: Canvas, layout: Layout, plan: Plan, box: Box, skin: Skin) -> None:
        """Six dice, those that attack lit, and how many Power Cards fit."""
        left, top, right, bottom = box
        if plan is PLANS["full"]:
            label = font("sans", plan.small, 700)
            canvas.text((left + 24, top + 36), "Attacks on", label, skin.dark)
            canvas.text((right - 24, top + 36), "Holds", label, skin.dark, anchor="right")
            size, y = 70.0, top + 106
            x = left + 24
            canvas.line([(left + 24, top + 168), (right - 24, top + 168)], 2, skin.tint, 0.5)
            self.rules_text(canvas, layout.text, (left, top + 168, right, bottom), plan)
            card_height = 92.0
        elif plan is PLANS["table"]:
            size, y, x = 27.0, (top + bottom) / 2, left + 7
            card_height = 62.0
        else:
            size, y, x = 13.5, (top + bottom) / 2, left + 3
            card_height = 34.0
        for face in range(1, 7):
            if plan is PLANS["full"]:
                spot = (x + size / 2 + (face - 1) * size * 1.16, y)
            else:
                # Two rows of three: larger dice where there is little width.
                pitch = size * (1.42 if plan is PLANS["table"] else 1.4)
                column, row = (face - 1) % 3, (face - 1) // 3
                grown = size * 1.3
                spot = (x + grown / 2 + column * pitch, y + (row - 0.5) * pitch)
            grown = size if plan is PLANS["full"] else size * 1.3
            self._die(canvas, face, spot, grown, face in layout.faces, skin)
        self._holder(canvas, layout.limit, (right, y), card_height, skin, plan)

    def _die(
        self, canvas: Canvas, face: int, at: Point, size: float, lit: bool, skin: Skin
    ) -> None:
        half = size / 2
        box = (at[0] - half, at[1] - half, at[0] + half, at[1] + half)
        if lit:
            canvas.fill(rounded(box, size * 0.22), skin.dark)
            edge = size * 0.07
            inner = (box[0] + edge, box[1] + edge, box[2] - edge, box[3] - edge)
            canvas.fade(rounded(inner, size * 0.17), skin.top, skin.bottom)
        else:
            canvas.line(
                rounded(box, size * 0.22), max(size * 0.04, 0.7), skin.dark, 0.28, closed=True
            )
        for dx, dy in _PIPS[face]:
            spot = (at[0] + dx * size * 0.25, at[1] + dy * size * 0.25)
            if lit:
                canvas.disc(spot, size * 0.105, WHITE)
            else:
                canvas.disc(spot, size * 0.07, skin.dark, 0.25)

    def _holder(
        self, canvas: Canvas, limit: int, at: Point, height: float, skin: Skin, plan: Plan
    ) -> None:
        """A little fan of cards with the power limit on the front one."""
        width = height * 0.72
        pad = plan.size[0] * 0.032
        right = at[0] - pad
        for i in (2, 1, 0):
            x = right - i * width * 0.2
            box = (x - width, at[1] - height / 2, x, at[1] + height / 2)
            edge = max(height * 0.035, 0.8)
            inner = (box[0] + edge, box[1] + edge, box[2] - edge, box[3] - edge)
            canvas.fill(rounded(box, height * 0.12), skin.dark)
            tone = PAPER if i == 0 else mix(skin.tint, PAPER, 0.35 * i)
            canvas.fill(rounded(inner, height * 0.09), tone)
        canvas.text(
            (right - width / 2, at[1]), str(limit), font("serif", round(height * 0.66), 800),
            skin.dark, anchor="middle",
        )  # fmt: skip

    def _odds(self, canvas: Canvas, layout: Layout, plan: Plan, box: Box, skin: Skin) -> None:
        """All rolls as a lattice, the matching ones lit, and the same in words."""
        left, top, right, bottom = box
        values = [int(number) for number in layout.numbers]
        height = (bottom - top) * 0.86
        centre = (left + height * 0.78, (top + bottom) / 2)
        numbers.lattice(canvas, values, centre, height, skin.bottom, mix(skin.dark, PAPER, 0.55))
        x = left + height * 1.62
        face = fitted(layout.text, "sans", plan.text, 560, right - x - 20, 16)
        canvas.text((x, (top + bottom) / 2), layout.text, face, INK)


def _symbol(card: PrintedCard) -> str:
    return str(card.attributes.get("symbol", ""))


def _name(card: PrintedCard) -> str:
    """``keen-eye`` of ``kao-sa-keen-eye``."""
    return card.slug.split("-", 2)[-1]


def _either(values: Sequence[int]) -> str:
    words = [str(value) for value in values]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


FACE = KaolanFace()
