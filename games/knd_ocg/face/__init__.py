"""KND: OCG's cards: chalk-yellow on tree-bark, agents, slates and Energy in the wood."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import ImageFont

from collection.drawing import art
from collection.drawing.canvas import (
    BLACK,
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
    moved,
    rgb,
    rounded,
    trace,
)
from collection.drawing.layout import PLANS, Face, Layout, Plan, Sign, Skin
from collection.drawing.printed import PrintedCard
from games.knd_ocg.face import agents, chalk, energies, places
from games.knd_ocg.face.glossary import explained

FLAGS = {
    "once": "Once a turn",
    "stays": "Stays",
    "gear": "Gear",
    "removed": "Removed",
}
#: What a Special Card does in a few words, where the whole text would be too small to read.
SHORT = {
    "power-of-the-knd": "Destroys all opposing Characters",
    "emergency-recess": "Draw 2 cards",
    "double-shift": "Play one more Energy",
    "rewire": "Move an Energy",
    "bandage-brigade": "Heal 20",
    "fire-drill": "Switch your Active Character",
    "called-to-the-office": "Switch theirs",
    "detention-slip": "Ground their Active Character",
    "radio-silence": "Shush all non-Leaders",
    "milk-money-shakedown": "They discard at random",
    "shredding-party": "Discard 3 of their deck",
    "loose-floorboard": "Their DP counts as 0",
    "through-the-air-vent": "Attack their Reserve",
    "crowbar-lesson": "Their DP −15",
    "tattletale": "Discard a Special Card of theirs",
    "pep-rally": "Your AP +15",
    "second-wind": "Attack twice",
    "wrecking-swing": "Destroy a weak Reserve",
    "cooties-outbreak": "All of theirs lose 5 HP",
    "take-one-for-the-team": "One goes, one is healed",
    "blanket-fort": "All your DP +10",
    "snow-day": "No Basic Attacks",
    "count-to-twenty": "Your Active Character hides",
    "pushed-too-far": "A Pacifist strikes: AP +25",
    "no-more-mr-nice": "Ends states on both sides",
    "snack-break": "Frees one of yours",
    "bike-helmet": "DP +5",
    "giant-slingshot": "AP +5",
    "walkie-talkie": "Effect works in the Reserve",
    "confiscated": "Discard Gear or a staying card",
    "roll-call": "Search a Character",
    "juice-box-stash": "Search 2 Energy",
    "lost-and-found": "Take a discard back",
    "recycling-bin": "Discards into your deck",
}
#: AP, DP, HP: a fist's burst, a shield, a heart.
GLYPHS = {
    "ap": "M0 -110 L24 -46 L86 -76 L58 -14 L112 14 L50 34 L62 100 L6 58 L-44 104 L-46 40 L-110 26 "
    "L-58 -10 L-92 -70 L-28 -48 Z",
    "dp": energies.SHAPES["shield"],
    "hp": energies.SHAPES["heart"],
}
_GLYPH_TONES = {"ap": rgb("#d2432f"), "dp": rgb("#2c62b8"), "hp": rgb("#c2304f")}
_SPECIAL_SKIN = Skin(rgb("#caa770"), rgb("#8a6238"), rgb("#33210f"), rgb("#b98f58"))
_SLATES = {"": rgb("#2f3f3a"), "gear": rgb("#3d3a52"), "stays": rgb("#284257")}
_LINE = re.compile(r"(?P<name>.+?) \((?P<asks>[^()]+)\): (?P<text>.+)")
_ENERGY = re.compile(
    r"(?P<typed>\d) (?P<type>Leader|Defender|Spy|Attacker|Pacifist) Energy"
    r"(?: and (?P<more>\d) of any type)?|(?P<any>\d) Energy of any type"
)

#: Pieces of a line: words with their font's weight, or an Energy's letter.
Piece = tuple[str, str]


class KndFace(Face):
    """Characters show HP, AP and DP around an agent, Special Cards a slate, Energy its shape."""

    def __init__(self) -> None:
        super().__init__("knd-ocg", "KND: OCG")
        self.border = rgb("#6b4e33")
        self.accent = rgb("#f0dc6e")
        self.mark = (
            "M0 -90 C24 -90 43 -75 48 -53 C70 -51 88 -34 88 -12 C88 13 69 31 44 31 L-44 31 "
            "C-69 31 -88 13 -88 -12 C-88 -34 -70 -51 -48 -53 C-43 -75 -24 -90 0 -90 Z"
        )

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        """A tree with a house in it."""
        super().draw_mark(canvas, at, radius, colour)
        trunk = "M-15 40 L16 40 C15 60 19 74 34 90 L-33 90 C-19 74 -14 60 -15 40 Z"
        canvas.path(trunk, colour, at=at, size=radius / 100)
        if radius > 8:
            ground = self.border if sum(colour) > 380 else self.accent
            house = "M0 -66 L47 -22 L31 -22 L31 17 L-31 17 L-31 -22 L-47 -22 Z"
            canvas.path(house, ground, at=at, size=radius / 100)
            canvas.path("M-9 17 L-9 -12 C-9 -24 9 -24 9 -12 L9 17 Z", colour, at=at,
                        size=radius / 100)  # fmt: skip

    # What is on the card

    def layout(self, card: PrintedCard) -> Layout:
        printed = card.attributes
        details: tuple[tuple[str, str], ...] = ()
        numbers: tuple[str, ...] = ()
        corner = short = ""
        if card.kind == "character":
            word = str(printed["type"]).capitalize()
            numbers = tuple(str(printed[key]) for key in ("ap", "dp", "hp"))
            corner = numbers[2]
            flee = cost_words(printed["flee"])
            details = (
                ("HP", numbers[2]),
                ("AP", numbers[0]),
                ("DP", numbers[1]),
                ("Fleeing cost", flee),
            )
            type_line = word
            facts = [
                f"{word} character",
                f"HP {numbers[2]}, AP {numbers[0]}, DP {numbers[1]}",
                f"Fleeing cost {flee}",
                *(line.spoken for line in text_lines(card)),
            ]
        elif card.kind == "energy":
            type_line = "Energy"
            facts = [f"1 {str(printed['type']).capitalize()} Energy, {card.colour}"]
        else:
            flag = FLAGS.get(str(printed.get("flag", "")), "")
            type_line = f"Special · {flag}" if flag else "Special Card"
            short = SHORT.get(card.slug, card.text)
            facts = ["Special Card", flag, *(line.spoken for line in text_lines(card))]
        return Layout(
            name=card.name,
            title=card.title,
            type_line=type_line,
            sign=self.sign(card),
            corner=corner,
            numbers=numbers,
            text=card.text,
            short=short,
            facts=tuple(facts),
            details=details,
            glossary=explained(card.text, str(printed.get("flag", ""))),
            tall=card.kind == "energy",
            **self.imprint(card),
        )

    def sign(self, card: PrintedCard) -> Sign | None:
        letter = energies.LETTERS.get(str(card.attributes.get("type", "")))
        return energies.SIGNS[letter] if letter else None

    def skin(self, card: PrintedCard) -> Skin:
        letter = energies.LETTERS.get(str(card.attributes.get("type", "")))
        return energies.SKINS[letter] if letter else _SPECIAL_SKIN

    # The shared parts, in this game's manner

    def draw_sign(self, canvas: Canvas, sign: Sign, at: Point, radius: float, edge: Colour) -> None:
        energies.draw(canvas, sign.letter, at, radius * 1.12, edge)

    def frame(self, canvas: Canvas, plan: Plan, skin: Skin) -> None:
        """Bark: the band inside the border has a grain."""
        super().frame(canvas, plan, skin)
        width, height = plan.size
        b = plan.border
        chance = art.seeded(f"grain {skin.top}")
        for _ in range(26):
            side = chance.choice((b + plan.inset * 0.5, width - b - plan.inset * 0.5))
            x = side + chance.uniform(-0.32, 0.32) * plan.inset
            top = chance.uniform(b, height - b * 2)
            long = chance.uniform(0.03, 0.12) * height
            tone = skin.dark if chance.random() < 0.6 else WHITE
            end = min(top + long, height - b * 1.6)
            canvas.line([(x, top), (x, end)], max(width / 420, 0.5), tone, 0.28)

    def corner(self, canvas: Canvas, plan: Plan, layout: Layout, skin: Skin, at: Point) -> float:
        """A Character's HP, with a heart."""
        half = (plan.header[1] - plan.header[0]) / 2
        face = font("sans", round(half * 1.5), 800)
        canvas.text(at, layout.corner, face, INK, anchor="right")
        long = face.getlength(layout.corner)
        self.glyph(canvas, "hp", (at[0] - long - half * 0.72, at[1]), half * 0.56)
        return long + half * 1.3

    def glyph(self, canvas: Canvas, name: str, at: Point, radius: float) -> None:
        (outline,) = trace(GLYPHS[name])
        canvas.fill(moved(outline, *at, radius / 100), _GLYPH_TONES[name])

    # The picture

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        chance = art.seeded(card.slug)
        word = str(card.attributes.get("type", ""))
        if card.slug in agents.LOOKS:
            places.draw(canvas, word, chance)
            agents.portrait(canvas, card.slug, word, chance)
        elif card.slug in chalk.SIGNS:
            slate = _SLATES.get(str(card.attributes.get("flag", "")), _SLATES[""])
            places.chalkboard(canvas, chance, slate)
            chalk.draw(canvas, card.slug, (0, 0), 178, chance)
        elif word in energies.LETTERS:
            self._energy(canvas, energies.LETTERS[word], chance)
        else:
            super().window(canvas, card, layout)

    def _energy(self, canvas: Canvas, letter: str, chance: Any) -> None:
        """The Energy's shape, glowing in a slice of wood."""
        skin = energies.SKINS[letter]
        places.rings(canvas, chance, rgb("#b98f58"))
        light = mix(energies.SIGNS[letter].fill, WHITE, 0.55)
        canvas.glow((0, 0), 250, light, 0.8)
        (outline,) = trace(energies.SHAPES[energies.SIGNS[letter].shape])
        canvas.fill(moved(outline, 0, 0, 1.72), mix(light, WHITE, 0.4), 0.55)
        energies.draw(canvas, letter, (0, 0), 156, skin.dark)

    def picture(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, skin: Skin, bottom: int
    ) -> None:
        super().picture(canvas, card, layout, plan, skin, bottom)
        if card.kind != "character" or plan is PLANS["thumb"]:
            return
        width = plan.size[0]
        height = width * 0.14
        long = width * 0.3
        low = bottom - width * 0.012
        for name, number, left in (
            ("ap", layout.numbers[0], plan.left + width * 0.012),
            ("dp", layout.numbers[1], plan.right - width * 0.012 - long),
        ):
            box = (left, low - height, left + long, low)
            self._plate(canvas, box, plan, PAPER, skin)
            middle = (box[1] + box[3]) / 2
            face = font("sans", round(height * 0.8), 800)
            self.glyph(canvas, name, (left + height * 0.5, middle), height * 0.33)
            right = left + long - height * 0.2
            canvas.text((right, middle), number, face, INK, anchor="right")
            if plan is PLANS["full"]:
                at = (left + height * 0.5, middle)
                canvas.text(at, name.upper(), font("sans", 24, 800), WHITE, anchor="middle")
        self._flee(canvas, card.attributes["flee"], plan, skin)

    def _flee(self, canvas: Canvas, cost: Mapping[str, int], plan: Plan, skin: Skin) -> None:
        """What Fleeing costs, in the window's corner, beside a running leg's arrow."""
        letters = energy_letters(cost)
        radius = plan.size[0] * 0.031
        step = radius * 2.25
        top = plan.window[0] + radius * 0.5
        left = plan.left + radius * 0.5
        right = left + step * len(letters) + radius * 3.0
        pill = (left, top, right, top + radius * 2.9)
        canvas.fill(rounded(pill, radius * 1.4), mix(skin.dark, BLACK, 0.35), 0.88)
        y = (pill[1] + pill[3]) / 2
        x = left + radius * 1.5
        for dx in (-0.5, 0.25):
            hook = [(x + (dx - 0.3) * radius, y - radius * 0.7), (x + (dx + 0.4) * radius, y),
                    (x + (dx - 0.3) * radius, y + radius * 0.7)]  # fmt: skip
            canvas.line(hook, radius * 0.32, self.accent)
        for i, letter in enumerate(letters):
            energies.draw(canvas, letter, (left + radius * 3.8 + i * step, y), radius, WHITE)

    # The panel

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        skin = self.skin(card)
        if card.kind == "energy":
            self._energy_panel(canvas, card, plan, box, skin)
        elif card.kind == "character" and plan is PLANS["thumb"]:
            self._strengths(canvas, layout, box, skin)
        elif plan is PLANS["full"]:
            self._paragraphs(canvas, paragraphs(card), box, skin)
        elif card.kind == "character":
            self._moves(canvas, card, box, skin)
        elif card.kind == "special":
            self._deed(canvas, card, layout, plan, box, skin)
        else:
            super().panel(canvas, card, layout, plan, box)

    def _strengths(self, canvas: Canvas, layout: Layout, box: Box, skin: Skin) -> None:
        """AP, HP and DP on a thumb."""
        left, top, right, bottom = box
        width = (right - left) / 3
        for i, (name, number) in enumerate(
            (("ap", layout.numbers[0]), ("hp", layout.numbers[2]), ("dp", layout.numbers[1]))
        ):
            x = left + width * (i + 0.5)
            self.glyph(canvas, name, (x, top + 11), 7.5)
            face = font("sans", 24, 800)
            canvas.text((x, bottom - 16), number, face, INK, anchor="middle")
            if i:
                at = left + width * i
                canvas.line([(at, top + 6), (at, bottom - 6)], 0.7, skin.tint, 0.7)

    def _moves(self, canvas: Canvas, card: PrintedCard, box: Box, skin: Skin) -> None:
        """On the table: a row for each Special Attack and for the Special Effect."""
        left, top, right, bottom = box
        rows: list[tuple[list[str], str, str]] = [
            (energy_letters(attack["energy"]), str(attack["name"]), attack_short(attack))
            for attack in card.attributes["attacks"]
        ]
        effect = card.attributes.get("special_effect")
        if effect:
            cost = energy_letters(effect.get("cost") or effect.get("attached") or {})
            rows.append((cost, str(effect["name"]), ""))
        height = min((bottom - top) / len(rows), 36)
        start = (top + bottom) / 2 - height * len(rows) / 2
        for i, (letters, name, short) in enumerate(rows):
            y = start + height * (i + 0.5)
            is_effect = bool(effect) and i == len(rows) - 1
            if is_effect:
                band = (left + 2.5, y - height / 2 + 2, right - 2.5, y + height / 2 - 2)
                canvas.fill(rounded(band, 4), mix(skin.tint, PAPER, 0.72))
            elif i:
                line = [(left + 6, y - height / 2), (right - 6, y - height / 2)]
                canvas.line(line, 0.8, skin.tint, 0.55)
            x = left + 14
            for letter in letters:
                energies.draw(canvas, letter, (x, y), 9.2)
                x += 20
            x = x - 6 if letters else left + 8
            end = right - 8
            if short:
                face = font("sans", 19, 800)
                canvas.text((end, y), short, face, skin.dark, anchor="right")
                end -= face.getlength(short) + 6
            face = fitted(name, "italic" if is_effect else "sans", 17, 620, end - x)
            canvas.text((x, y), name, face, INK)

    def _deed(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box, skin: Skin
    ) -> None:
        """What a Special Card does in a few words, and for whom: the type it requires."""
        left, top, right, bottom = box
        letter, amount = required_type(card.attributes)
        if plan is PLANS["thumb"]:
            self.rules_text(canvas, layout.short, box, replace(plan, text=14))
            return
        if letter:
            radius = 15.0
            step = radius * 2.1
            for i in range(amount):
                at = (left + radius * 1.5 + i * step, (top + bottom) / 2)
                energies.draw(canvas, letter, at, radius)
            left += radius * 2.6 + step * (amount - 1)
        self.rules_text(canvas, layout.short, (left, top, right, bottom), replace(plan, text=25))

    def _energy_panel(
        self, canvas: Canvas, card: PrintedCard, plan: Plan, box: Box, skin: Skin
    ) -> None:
        letter = str(card.attributes["energy"])
        left, top, right, bottom = box
        height = bottom - top
        if plan is PLANS["thumb"]:
            face = font("serif", 22, 800)
            canvas.text(((left + right) / 2, (top + bottom) / 2), f"1 {letter}", face, skin.dark,
                        anchor="middle")  # fmt: skip
            return
        size = round(height * (0.4 if plan is PLANS["full"] else 0.62))
        face = font("serif", size, 800)
        y = top + height * (0.36 if plan is PLANS["full"] else 0.5)
        canvas.text(((left + right) / 2, y), f"1 {letter}", face, skin.dark, anchor="middle")
        if plan is PLANS["full"]:
            word = energies.SIGNS[letter].word
            words = f"One {word} Energy. Put it under one of your Characters."
            small = fitted(words, "sans", 32, 480, right - left - 40)
            canvas.text(((left + right) / 2, top + height * 0.74), words, small, INK,
                        anchor="middle")  # fmt: skip

    def _paragraphs(
        self, canvas: Canvas, found: Sequence[Sequence[Piece]], box: Box, skin: Skin
    ) -> None:
        """Rules text with Energy signs in its lines, as large as it fits."""
        left, top, right, bottom = box
        pad = 22.0
        size = 36
        while True:
            rows = [_flow(pieces, size, right - left - 2 * pad) for pieces in found]
            leading, gap = size * 1.27, size * 0.5
            height = sum(len(lines) for lines in rows) * leading + gap * (len(rows) - 1)
            if height <= bottom - top - pad or size <= 14:
                break
            size -= 1
        y = (top + bottom) / 2 - height / 2 + leading / 2
        for number, lines in enumerate(rows):
            if number:
                line = [(left + pad, y - leading / 2 - gap / 2 + gap * 0.5),
                        (right - pad, y - leading / 2 - gap / 2 + gap * 0.5)]  # fmt: skip
                canvas.line([(x, at - gap * 0.5) for x, at in line], 2, skin.tint, 0.45)
            for line_pieces in lines:
                x = left + pad
                for kind, words, long in line_pieces:
                    if kind == "energy":
                        energies.draw(canvas, words, (x + size * 0.48, y), size * 0.44)
                    else:
                        tone = skin.dark if kind != "text" else INK
                        canvas.text((x, y), words, _letters(kind, size), tone)
                    x += long
                y += leading
            y += gap


def cost_words(cost: Mapping[str, int]) -> str:
    """``1 Leader Energy and 1 of any type``: Normal Energy is asked for where any will do."""
    typed = [
        f"{count} {energies.SIGNS[letter].word} Energy"
        for letter, count in cost.items()
        if letter != "N"
    ]
    free = [f"{count} of any type" for letter, count in cost.items() if letter == "N"]
    return " and ".join(typed + free)


def energy_letters(cost: Mapping[str, int]) -> list[str]:
    """Each Energy by itself: ``L L N``."""
    return [letter for letter, count in cost.items() for _ in range(int(count))]


def attack_short(attack: Mapping[str, Any]) -> str:
    """What an attack does, in a sign and a number: ``+15`` to strike with, ``20`` to hit."""
    form = attack["form"]
    if form == "strike":
        return "=DP" if "equals" in attack else f"+{attack['plus']}"
    if form == "clash":
        return f"+{attack['plus']} ×"
    if form == "hit":
        amount = attack["amount"]
        if amount == "target-dp":
            return "DP"
        return f"{amount} each" if "per" in attack else str(amount)
    return ""


def required_type(printed: Mapping[str, Any]) -> tuple[str, int]:
    """The letter of the type that a Special Card requires, and of how many Characters."""
    asked = printed.get("requires", {})
    letter = energies.LETTERS.get(str(asked.get("side", asked.get("active", ""))), "")
    return letter, int(asked.get("count", 1))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a card's text: what it is called, what it needs, what it says.

    ``signs`` are the Energy that a Special Attack needs, by letter.
    """

    text: str
    name: str = ""
    asks: str = ""
    signs: Sequence[str] = ()

    @property
    def spoken(self) -> str:
        """The same for people who hear it."""
        return f"{self.name}, {self.asks}: {self.text}".removeprefix(", : ").rstrip(".")


def text_lines(card: PrintedCard) -> list[Line]:
    """A card's text line by line: Special Attacks and Special Effect, or requirement and deed."""
    attacks = list(card.attributes.get("attacks", ()))
    found = []
    for number, line in enumerate(card.text.splitlines()):
        named = _LINE.fullmatch(line) if attacks else None
        if named is None:
            found.append(Line(line))
            continue
        signs = energy_letters(attacks[number]["energy"]) if number < len(attacks) else ()
        found.append(Line(named["text"], named["name"], named["asks"], tuple(signs)))
    return found


def paragraphs(card: PrintedCard) -> list[list[Piece]]:
    """The text of a card, each line in pieces: names in bold, Energy as signs."""
    found: list[list[Piece]] = []
    for line in text_lines(card):
        if line.signs:
            signs: list[Piece] = [("energy", letter) for letter in line.signs]
            found.append([*signs, *_words("name", line.name), *_marked(line.text)])
        elif line.name:
            asks = _marked(f"({line.asks}):", "note")
            found.append([*_words("name", line.name), *asks, *_marked(line.text)])
        else:
            kind = "note" if line.text.startswith("Requirement: ") else "text"
            found.append(_marked(line.text, kind))
    return found


def _words(kind: str, text: str) -> list[Piece]:
    return [(kind, word) for word in text.split()]


def _marked(text: str, kind: str = "text") -> list[Piece]:
    """Words, with Energy such as “2 Spy Energy” as signs."""
    found: list[Piece] = []
    at = 0
    for match in _ENERGY.finditer(text):
        found += _words(kind, text[at : match.start()])
        letters = [(match["type"] or "N")[0]] * int(match["typed"] or match["any"])
        found += [("energy", letter) for letter in letters + ["N"] * int(match["more"] or 0)]
        at = match.end()
    return found + _words(kind, text[at:])


def _letters(kind: str, size: int) -> ImageFont.FreeTypeFont:
    return font("sans", size, {"name": 800, "note": 620}.get(kind, 450))


def _flow(pieces: Sequence[Piece], size: int, width: float) -> list[list[tuple[str, str, float]]]:
    """The pieces in lines that fit, each with the room it takes."""
    rows: list[list[tuple[str, str, float]]] = [[]]
    x = 0.0
    space = size * 0.27
    for number, (kind, words) in enumerate(pieces):
        following = pieces[number + 1] if number + 1 < len(pieces) else ("text", "")
        if kind == "energy":
            long = size * 1.02
        else:
            long = _letters(kind, size).getlength(words, features=["tnum", "lnum"])
        if rows[-1] and x + long > width:
            rows.append([])
            x = 0.0
        joined = following[0] == "energy" if kind == "energy" else False
        if not joined and following[1][:1] not in (":", ".", ",", ")"):
            long += space
        rows[-1].append((kind, words, long))
        x += long
    return rows


FACE = KndFace()
