"""Battle Krabz's cards: coral on sea, crabs and villains, faeries and witches, sea charms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    circle,
    fitted,
    font,
    mix,
    ngon,
    rgb,
    rounded,
    star,
    trace,
)
from collection.drawing.layout import PLANS, Face, Layout, Plan, Sign, Skin
from collection.drawing.printed import PrintedCard
from games.battle_krabz.face import domains, emblems, enemigos, finishes, krabz, spells
from games.battle_krabz.face.finishes import FINISHES, RAINBOW, SIGNS, Finish

SIDES = {"K": "Krab", "E": "Enemigo"}
HELPERS = {"K": "Faerie", "E": "Witch"}
_REVIVE, _DOWN = rgb("#1c7a52"), rgb("#b3392f")
_NUMBER_WORDS = {1: "one", 2: "two", 3: "three"}
#: When a Special Bonus counts, as a whole sentence.
CONDITIONS = {
    "always": "Counts always.",
    "attack": "Counts when you attack.",
    "defend": "Counts when you defend.",
    "alone": "Counts when it is the only Warrior you deployed.",
    "trio": "Counts when you deployed exactly three Warriors.",
    "pack": "Counts beside another Warrior of the same character.",
    "kin": "Counts beside another Warrior of the same Domain.",
    "match": "Counts beside another Warrior of the same colour.",
    "mixed": "Counts when all your Warriors, two or more, have different Domains.",
    "partner": "Counts when its partner is deployed, too.",
}
#: The water around a charm says what it does: it revives, it downs, or it depends.
_WATERS = {
    "revive": Palette.of(
        "#04262b", "#0d5a5e", "#16878a", "#6fd3cb", "#e3faf5", "#ff8a6a", "#06262e", "#1f7f80",
        "#c9efe8",
    ),
    "down": Palette.of(
        "#2b0a1c", "#6a1838", "#a8324a", "#f0909a", "#ffeaec", "#ffb86a", "#210a1c", "#86304a",
        "#f6d2d6",
    ),
    "both": Palette.of(
        "#150f36", "#33297a", "#5648b0", "#a79cf0", "#efecff", "#ff8a6a", "#120e30", "#4a3f96",
        "#d6d0fa",
    ),
    "dawn-bell": Palette.of(
        "#3a1a10", "#9a4a20", "#e08a3a", "#ffd08a", "#fff3dc", "#ff6f52", "#5a2a4a", "#f0a860",
        "#ffe6b8",
    ),
}  # fmt: skip

Cell = tuple[str, tuple[tuple[str, str], ...]]


class BattleKrabzFace(Face):
    """Warriors show their strengths, Boosters what they multiply, Power Cards what they do."""

    def __init__(self) -> None:
        super().__init__("battle-krabz", "Battle Krabz")
        self.border = rgb("#12495e")
        self.accent = rgb("#ff8a6a")
        self.mark = emblems.GLYPHS["krab"]

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        emblems.glyph(canvas, "krab", at, radius, colour)
        if radius > 20:
            x, y = at
            for side in (-1, 1):
                canvas.disc(
                    (x + side * radius * 0.24, y + radius * 0.12), radius * 0.1, self.border
                )
                for i in range(3):
                    canvas.line(
                        [
                            (x + side * radius * 0.56, y + radius * (0.4 + i * 0.13)),
                            (x + side * radius * 0.84, y + radius * (0.36 + i * 0.2)),
                            (x + side * radius * (0.98 - i * 0.1), y + radius * (0.6 + i * 0.2)),
                        ],
                        radius * 0.085,
                        colour,
                    )
            smile = trace("M-22 40 Q0 62 22 40")[0]
            canvas.line(
                [(x + px * radius / 100, y + py * radius / 100) for px, py in smile],
                radius * 0.07,
                self.border,
            )

    # What is on the card

    def layout(self, card: PrintedCard) -> Layout:
        printed = card.attributes
        finish = card.colour.capitalize()
        details: tuple[tuple[str, str], ...] = ()
        numbers: tuple[str, ...] = ()
        text, short = card.text, card.text
        if card.kind == "warrior":
            domain = domains.DOMAINS[printed["domain"]]
            side = SIDES[printed["side"]]
            numbers = tuple(str(printed[name]) for name in ("attack", "defence", "hp"))
            details = (
                ("Attack", numbers[0]),
                ("Defence", numbers[1]),
                ("HP", numbers[2]),
                ("Domain", domain.name),
            )
            type_line = f"{side} · {domain.name}"
            text = CONDITIONS[printed["condition"]]
            facts = [
                f"{finish} {side} of the {domain.name}",
                f"Attack {numbers[0]}, defence {numbers[1]}, HP {numbers[2]}",
                f"Special Bonus {card.text}",
            ]
        elif card.kind == "booster":
            helper = HELPERS[printed["side"]]
            numbers = (str(printed["reach"]), str(printed["times"]))
            details = (("Booster Value", str(printed["value"])),)
            many = "Krabz" if printed["side"] == "K" else "Enemigos"
            reach = int(printed["reach"])
            short = (
                f"one {SIDES[printed['side']]}"
                if reach == 1
                else f"up to {_NUMBER_WORDS[reach]} {many}"
            )
            type_line = f"{helper} · Booster"
            facts = [f"{finish} {helper}", f"Booster Value {printed['value']}", text.rstrip(".")]
        else:
            type_line = "Power Card"
            facts = [f"{finish} Power Card", text.rstrip(".")]
        return Layout(
            name=card.name,
            title=card.title,
            type_line=type_line,
            sign=self.sign(card),
            numbers=numbers,
            text=text,
            short=short,
            facts=tuple(facts),
            details=details,
            **self.imprint(card),
        )

    def sign(self, card: PrintedCard) -> Sign | None:
        return SIGNS.get(card.colour)

    def skin(self, card: PrintedCard) -> Skin:
        return FINISHES.get(card.colour) or super().skin(card)

    # The shared parts, in this game's manner

    def draw_sign(self, canvas: Canvas, sign: Sign, at: Point, radius: float, edge: Colour) -> None:
        finishes.draw_sign(canvas, sign.shape, at, radius * 1.12, edge)

    def frame(self, canvas: Canvas, plan: Plan, skin: Skin) -> None:
        super().frame(canvas, plan, skin)
        if not isinstance(skin, Finish):
            return
        width, height = plan.size
        box = (plan.border, plan.border, width - plan.border, height - plan.border)
        woven = Canvas((box[2] - box[0], box[3] - box[1]), smooth=plan.smooth)
        size = (float(woven.size[0]), float(woven.size[1]))
        whole: Box = (0, 0, *size)
        woven.fade([(0, 0), (size[0], 0), size, (0, size[1])], skin.top, skin.bottom)
        finishes.weave(woven, skin.slug, whole, width / 18)
        canvas.inlay(woven, box, rounded(box, plan.border * 0.9))

    def type_line(
        self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin, window_bottom: int
    ) -> None:
        """On a plain strip, because words on a weave are hard to read."""
        top = window_bottom + plan.gap * 0.6
        strip = (plan.left, top, plan.right, window_bottom + plan.type_height + plan.gap * 0.4)
        dark = sum(skin.bottom) < 400
        tone = mix(skin.dark, skin.bottom, 0.35) if dark else mix(skin.top, WHITE, 0.3)
        canvas.fill(rounded(strip, plan.size[0] * 0.016), tone)
        super().type_line(canvas, plan, layout, skin, window_bottom)

    # The picture

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        name = str(card.attributes.get("character", card.slug))
        finish = card.colour if card.colour in FINISHES else "silver"
        chance = art.seeded(card.slug)
        places = [
            ((chance.choice((-1, 1)) * chance.uniform(130, 220), chance.uniform(-180, 160)), size)
            for size in (16.0, 12.0, 18.0, 10.0, 14.0, 9.0, 15.0)
        ]
        if card.kind == "warrior":
            domain = str(card.attributes["domain"])
            domains.back_of(canvas, domain, chance)
            finishes.disc(canvas, finish, (0, -24), 186)
            domains.front_of(canvas, domain, chance)
            figures = krabz.FIGURES | enemigos.FIGURES
            figures[name](canvas, chance)
        elif card.kind == "booster":
            witch = card.attributes["side"] == "E"
            spells.backdrop(canvas, chance, witch)
            finishes.disc(canvas, finish, (0, -30), 186)
            spells.ground(canvas, chance, witch)
            spells.figure(canvas, name, witch)
        elif card.kind == "power":
            self._charm(canvas, card, name, finish)
        else:
            super().window(canvas, card, layout)
            return
        finishes.sparkles(canvas, finish, places)

    def _charm(self, canvas: Canvas, card: PrintedCard, name: str, finish: str) -> None:
        """The sign of a Power Card on a shell medal at the bottom of the sea."""
        chance = art.seeded(name)
        kinds = {kind for _, operations in deeds(card.attributes) for kind, _ in operations}
        water = _WATERS.get(name) or _WATERS[kinds.pop() if len(kinds) == 1 else "both"]
        art.sky(canvas, water)
        art.rays(canvas, (0, -320), 40, water.light, 0.08)
        for _ in range(26):
            at = (chance.uniform(-310, 310), chance.uniform(-230, 230))
            canvas.ring(at, chance.uniform(4, 14), 2.5, water.light, 0.5)
        finishes.disc(canvas, finish, (0, 0), 176)
        metal = FINISHES[finish]
        canvas.fill(star((0, 6), 176, 158, 20), BLACK, 0.3)
        canvas.fill(star((0, 0), 174, 157, 20), metal.dark)
        canvas.fade(star((0, 0), 166, 150, 20), mix(metal.top, WHITE, 0.3), metal.bottom)
        canvas.fade(circle((0, 0), 140), mix(water.base, water.deep, 0.35), water.dark)
        canvas.ring((0, 0), 140, 6, metal.dark)
        canvas.ring((0, 0), 129, 3, metal.top, 0.9)
        tones: dict[str, Colour] = {
            "f": rgb("#ffd98f"),
            "l": rgb("#fffaf0"),
            "d": rgb("#06202c"),
            "a": rgb("#ff6f52"),
            "b": rgb("#7fd8e8"),
        } | {str(i + 1): tone for i, tone in enumerate(RAINBOW)}
        emblems.draw(canvas, name, (0, 0), 108, tones)

    # The panel

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        skin = self.skin(card)
        if card.kind == "warrior":
            self._strengths(canvas, card, layout, plan, box, skin)
        elif card.kind == "booster":
            self._multiplier(canvas, card, layout, plan, box, skin)
        elif card.kind == "power":
            self._deeds(canvas, card, layout, plan, box, skin)
        else:
            super().panel(canvas, card, layout, plan, box)

    def _strengths(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box, skin: Skin
    ) -> None:
        """Attack, defence and HP side by side, below them the Special Bonus."""
        left, top, right, bottom = box
        full = plan is PLANS["full"]
        # A thumb has room for two large numbers; HP then goes down beside the Special Bonus.
        shown = 2 if plan is PLANS["thumb"] else 3
        split = top + (bottom - top) * (0.5 if full else 0.58)
        middle = (top + split) / 2
        tones = (rgb("#c23a2c"), rgb("#1d5f9e"), rgb("#8a2f6a"))
        width = (right - left) / shown
        height = split - top
        for i, name in enumerate(("attack", "defence", "hp")[:shown]):
            number = layout.numbers[i]
            x = left + width * (i + 0.5)
            size = round(height * (0.5 if full else 0.66 if i < 2 else 0.5))
            weight = 800 if i < 2 else 650
            icon = height * (0.22 if shown == 2 else 0.17)
            room = width - icon * 2.5 - width * 0.1
            face = fitted("000", "sans", size, weight, room)
            long = face.getlength("0" * len(number), features=["tnum"]) + icon * 2.5
            y = middle - (height * 0.12 if full else 0)
            emblems.glyph(canvas, name, (x - long / 2 + icon, y), icon, tones[i])
            canvas.text((x + long / 2, y), number, face, INK, anchor="right")
            if full:
                word = ("Attack", "Defence", "HP")[i]
                label = font("sans", plan.small, 650)
                canvas.text((x, y + height * 0.4), word, label, tones[i], anchor="middle")
            if i:
                at = left + width * i
                canvas.line(
                    [(at, top + height * 0.2), (at, split - height * 0.14)],
                    max(plan.size[0] / 300, 0.6), skin.tint, 0.6,
                )  # fmt: skip
        self._special(canvas, card, layout, plan, (left, split, right, bottom), skin)

    def _special(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box, skin: Skin
    ) -> None:
        """The Special Bonus on a band of the sea."""
        left, top, right, bottom = box
        pad = plan.size[0] * 0.012
        band = (left + pad, top, right - pad, bottom - pad)
        canvas.fill(rounded(band, (bottom - top) * 0.2), mix(skin.dark, self.border, 0.4))
        full = plan is PLANS["full"]
        y = (band[1] + band[3]) / 2
        height = band[3] - band[1]
        radius = height * (0.2 if full else 0.34)
        if plan is PLANS["thumb"]:
            face = font("sans", 13, 760)
            words = card.text.partition(" ")[0]
            for name, word, x, tone in (
                ("hp", layout.numbers[2], band[0] + radius * 1.7, rgb("#ff9fc6")),
                ("special", words, (band[0] + band[2]) / 2 + radius * 1.9, self.accent),
            ):
                emblems.glyph(canvas, name, (x, y), radius, tone)
                canvas.text((x + radius * 1.5, y), word, face, WHITE)
            return
        if full:
            y = band[1] + height * 0.34
        size = 46 if full else 19
        room = band[2] - band[0] - radius * 2.8 - pad * 2
        face = fitted(card.text, "sans", size, 720, room)
        long = face.getlength(card.text) + radius * 2.6
        x = (band[0] + band[2]) / 2 - long / 2
        emblems.glyph(canvas, "special", (x + radius, y), radius, self.accent)
        canvas.text((x + long, y), card.text, face, WHITE, anchor="right")
        if full:
            small = fitted(layout.text, "sans", 27, 450, band[2] - band[0] - 30, 14)
            canvas.text(
                ((band[0] + band[2]) / 2, band[1] + height * 0.72), layout.text, small,
                mix(WHITE, self.border, 0.12), anchor="middle",
            )  # fmt: skip

    def _multiplier(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box, skin: Skin
    ) -> None:
        """As many heads as may be boosted, and by how much."""
        left, top, right, bottom = box
        reach, times = (int(number) for number in layout.numbers)
        side = "krab" if card.attributes["side"] == "K" else "enemigo"
        tone = rgb("#c8452f") if side == "krab" else rgb("#5b3f8c")
        full = plan is PLANS["full"]
        low = bottom if plan is PLANS["thumb"] else top + (bottom - top) * (0.55 if full else 0.68)
        y, height = (top + low) / 2, low - top
        words = f"×{times}"
        # As large as the band is high, or smaller, so that three heads stay on the card.
        room, size = (right - left) * 0.94, height
        while True:
            radius = size * 0.3
            face = font("serif", round(size * 0.82), 800)
            step = radius * (2.05 if reach < 3 or full else 1.7)
            long = radius * (2.5 + step / radius * (reach - 1)) + face.getlength(words)
            if long <= room:
                break
            size *= 0.95
        x = (left + right) / 2 - long / 2
        for i in range(reach):
            at = (x + radius + i * step, y)
            emblems.glyph(canvas, side, at, radius * 1.12, PAPER)
            emblems.glyph(canvas, side, at, radius, tone)
            for eye in (-1, 1):
                dy = 0.16 if side == "krab" else 0.1
                canvas.disc((at[0] + eye * radius * 0.25, y + radius * dy), radius * 0.11, PAPER)
        canvas.text((x + long, y), words, face, skin.dark, anchor="right")
        if full:
            canvas.line([(left + 24, low), (right - 24, low)], 2, skin.tint, 0.6)
            self.rules_text(canvas, layout.text, (left, low, right, bottom), plan)
        elif plan is PLANS["table"]:
            face = fitted(layout.short, "sans", 17, 600, right - left - 20)
            canvas.text(((left + right) / 2, (low + bottom) / 2 - 4), layout.short, face, INK,
                        anchor="middle")  # fmt: skip

    def _deeds(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box, skin: Skin
    ) -> None:
        """An arrow up for who rises, down for who falls; and who plays it, where it matters."""
        left, top, right, bottom = box
        full = plan is PLANS["full"]
        low = top + (bottom - top) * 0.46 if full else bottom
        cells = deeds(card.attributes)
        width = (right - left) / len(cells)
        for i, (who, operations) in enumerate(cells):
            middle = left + width * (i + 0.5)
            height = low - top
            y = (top + low) / 2
            if who:
                size = {"thumb": 10, "table": 14, "full": 28}[_size_of(plan)]
                face = fitted(who, "sans", size, 700, width - 6)
                canvas.text((middle, top + height * 0.2), who, face, skin.dark, anchor="middle")
                y = top + height * 0.62
            self._arrows(canvas, operations, (middle, y), width * 0.92, height, bool(who))
            if i:
                canvas.line(
                    [(left + width * i, y) for y in (top + height * 0.14, low - height * 0.14)],
                    max(plan.size[0] / 260, 0.7), skin.tint, 0.7,
                )  # fmt: skip
        if full:
            canvas.line([(left + 24, low), (right - 24, low)], 2, skin.tint, 0.6)
            self.rules_text(canvas, layout.text, (left, low, right, bottom), plan)

    def _arrows(
        self,
        canvas: Canvas,
        operations: Sequence[tuple[str, str]],
        at: Point,
        room: float,
        height: float,
        labelled: bool,
    ) -> None:
        several = len(operations) > 1
        size = height * (0.4 if labelled else 0.56)
        while True:
            radius = size * 0.44
            face = font("sans", max(round(size), 8), 800)
            parts = [(kind, word, radius * 2.3 + face.getlength(word)) for kind, word in operations]
            gap = size * 0.36
            long = sum(part[2] for part in parts) + gap * (len(parts) - 1)
            if long <= room or size <= 8:
                break
            size *= 0.92
        x = at[0] - long / 2
        for kind, word, width in parts:
            tone = {"revive": _REVIVE, "down": _DOWN}.get(kind, rgb("#5b3f8c"))
            emblems.glyph(canvas, kind, (x + radius, at[1]), radius, tone)
            canvas.text((x + radius * 2.3, at[1]), word, face, tone)
            x += width + (gap if several else 0)

    def picture(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, skin: Skin, bottom: int
    ) -> None:
        super().picture(canvas, card, layout, plan, skin, bottom)
        domain = card.attributes.get("domain")
        if domain in domains.DOMAINS:
            radius = plan.size[0] * 0.072
            at = (plan.left + radius * 1.2, plan.window[0] + radius * 1.2)
            domains.mark(canvas, str(domain), at, radius, skin.dark)

    def draw_rarity(
        self, canvas: Canvas, rarity: str, at: Point, radius: float, tone: Colour, skin: Skin
    ) -> None:
        """Disc, diamond, star; a six-pointed star for epic and a sun with a heart for legendary."""
        if rarity not in ("epic", "legendary"):
            super().draw_rarity(canvas, rarity, at, radius, tone, skin)
            return
        gold = mix(self.accent, rgb("#fff3c4"), 0.72)
        points, inner = (6, 0.56) if rarity == "epic" else (8, 0.68)
        shape = star(at, radius * 1.15, radius * inner, points)
        canvas.line(shape, radius * 0.35, skin.dark, closed=True)
        canvas.fill(shape, gold)
        if rarity == "legendary":
            canvas.fill(ngon(at, radius * 0.34, 4), skin.dark)


def deeds(printed: Mapping[str, Any]) -> tuple[Cell, ...]:
    """What a Power Card does, by who plays it; one cell where that does not matter."""
    pairs = (
        (("Krabz", printed["krabz"]), ("Enemigos", printed["enemigos"]))
        if "krabz" in printed
        else (("Loser", printed["loser"]), ("Winner", printed["winner"]))
    )
    cells = tuple(
        (who, tuple((str(kind), _amount(kind, amount)) for kind, amount in operations))
        for who, operations in pairs
    )
    return (("", cells[0][1]),) if cells[0][1] == cells[1][1] else cells


def _amount(kind: str, amount: object) -> str:
    if kind == "reverse":
        return "flip"
    return {"all": "all", "top-hp": "top HP"}.get(str(amount), str(amount))


def _size_of(plan: Plan) -> str:
    return next(name for name, known in PLANS.items() if known is plan)


FACE = BattleKrabzFace()
