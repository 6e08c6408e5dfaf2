"""Colossal Kaiju Combat's cards: signal-orange on night-city blue, giants over lit streets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from collection.drawing.canvas import (
    BLACK,
    INK,
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
)
from collection.drawing.layout import PLANS, Face, Imprint, Layout, Plan, Sign, Skin
from collection.drawing.printed import PrintedCard
from games.colossal_kaiju_combat.face import city, combat, emblems, kaiju, scenes

KINDS = {
    "team": "Team card",
    "kaiju": "Kaiju",
    "combat": "Combat card",
    "location": "Location",
    "opponent": "Opponent",
    "ally": "Ally",
    "scar": "Scar",
    "event": "Event",
}
AFFILIATIONS = ("DEEP", "VOLCANIC", "MECH", "SKY", "MUTANT")
CITY = ("toughness", "fortitude", "strike", "glory")
CHARACTER = ("ferocity", "agility", "power", "fortitude")
TEAM = ("initiative", "planning_draw", "fury", "fortitude_bonus")
#: What a number is called, and the colour of its tile (its glyph is the other sign).
STATS: Mapping[str, tuple[str, Colour]] = {
    "ferocity": ("Ferocity", rgb("#b92c26")),
    "agility": ("Agility", rgb("#1f62b4")),
    "power": ("Power", rgb("#a86a00")),
    "fortitude": ("Fortitude", rgb("#2c7a45")),
    "toughness": ("Toughness", rgb("#3a5686")),
    "damage": ("Damage", rgb("#c2481a")),
    "strike": ("Strike", rgb("#b92c26")),
    "glory": ("Glory", rgb("#7a4a9e")),
    "initiative": ("Initiative", rgb("#1f62b4")),
    "planning_draw": ("Planning Draw", rgb("#54458e")),
    "fury": ("Fury", rgb("#b92c26")),
    "fortitude_bonus": ("Fortitude Bonus", rgb("#2c7a45")),
}
#: The boxes of a cost: glyph and colour.
BOXES = {"red": "ferocity", "blue": "agility", "yellow": "power"}
_SIGNS = {
    "sword": Sign("", "role-sword", rgb("#e8641a"), "Sword"),
    "shield": Sign("", "role-shield", rgb("#2f5cb0"), "Shield"),
    "location": Sign("", "location", rgb("#4d6396"), "Location"),
    "opponent": Sign("", "opponent", rgb("#66733f"), "Opponent"),
    "ally": Sign("", "ally", rgb("#8a6428"), "Ally"),
    "scar": Sign("", "scar", rgb("#9a2f3c"), "Scar"),
    "event": Sign("", "event", rgb("#d8701a"), "Event"),
    "any": Sign("", "any", rgb("#8a6428"), "any affiliation"),
    "DEEP": Sign("", "DEEP", rgb("#12727c"), "DEEP"),
    "VOLCANIC": Sign("", "VOLCANIC", rgb("#b03a1c"), "VOLCANIC"),
    "MECH": Sign("", "MECH", rgb("#55698a"), "MECH"),
    "SKY": Sign("", "SKY", rgb("#2f6fc8"), "SKY"),
    "MUTANT": Sign("", "MUTANT", rgb("#70379c"), "MUTANT"),
}
#: What a card does in a few words, where the whole text would be too small to read.
_SHORT = {
    # Combat cards
    "finishing-blow": "+3 damage: their hand is empty",
    "relentless-barrage": "Discard up to 2: +2 damage each",
    "stampede": "Move 2. +1 against the city",
    "wrecking-tail": "+2 damage against the city",
    "sonic-scream": "An answering Dodge counts 0",
    "thunderclap": "1 damage to all other foes",
    "siphon-bite": "Damage Effect: 2 Energy",
    "horn-lock": "Answering a charge: Knockdown",
    "spined-curl": "Bite, claw, punch: 1 damage back",
    "stand-firm": "No Knockdown",
    "absorb-impact": "No damage: 2 Energy",
    "hold-the-line": "Two or more Swords: +2",
    "sidestep": "+3 against a Fierce Attack",
    "slip-under": "+3 against a Chain Attack",
    "burrow": "Move 1. +2 against a charge",
    "catch-on-the-horns": "+3 against a charge",
    "riposte": "The answered card: −2 damage",
    # Locations and Opponents
    "office-complex": "City cards: +1 Toughness",
    "nuclear-power-plant": "1 Energy a turn for all. Destroyed: 1 damage",
    "harbor-docks": "Next to it: tail cards +1 damage",
    "grand-stadium": "Next to it: a KO gives 1 glory",
    "suspension-bridge": "Next to it: Move goes 1 further",
    "broadcast-tower": "Its owner’s Planning Draw +1",
    "oil-refinery": "Destroyed: 2 damage to all in the combat",
    "field-hospital": "Inactive allies heal 1",
    "old-quarter": "Next to it: Dodges +1 toughness",
    "fighter-squadron": "Assault: 1 damage to the most damaged",
    "missile-battery": "Assault: 1 damage to the leader’s active",
    "battleship": "Next to it: 1 damage to all who fight",
    "gunship-patrol": "Assault: its owner’s choice takes 1 damage",
    "guardian-mech": "Assault: 2 damage to the sturdiest kaiju",
    "tesla-grid": "Next to it: Power −2 in combat",
    # Allies
    "drone-swarm": "Needs a MECH member",
    "tidecaller-cult": "Needs DEEP. While inactive: 1 Energy a turn",
    "ashling-brood": "Needs VOLCANIC. Is a kaiju",
    "hired-strider": "Needs a member with Power 4",
    "storm-hawk": "Needs a member with Wings",
    "chained-behemoth": "Needs a member with Fortitude 12",
    "scavenger-pack": "Needs a hurt member. KO: 2 Energy",
    # Scars
    "torn-wing": "Loses Wings, −1 Agility",
    "killers-eye": "Fierce Attacks +1 damage",
    "bitter-grudge": "+1 Fury when hurt by an attack",
    "patchwork-scars": "+1 Fortitude, beside another scar",
    # Events
    "evacuation-order": "An undamaged Location leaves: 1 glory",
    "feeding-grounds": "Heal 3 from your kaiju",
    "dawn-raid": "Next turn you come first",
    "panic-in-the-streets": "Move the city 1 to 3",
    "sabotage": "They discard a planning card",
    "trophy-hall": "2 glory beside a fallen kaiju",
    "air-strike": "2 damage to an enemy character",
    "demolition": "3 damage to a city card",
    "taunt": "They must accept your challenge",
    "stare-down": "They declined: gain 1 glory",
    "wolf-pack": "One more joins your attack",
    "to-the-rescue": "Two more join your defence. Draw 2",
    "boiling-over": "Rage Attack: 1 more damage",
    "front-page": "You KO’d a kaiju: 1 glory",
    "spoils-of-war": "Their planning card is your glory",
    "ambush": "A fresh character strikes at once",
}
_KIND_SKINS = {
    "sword": Skin(rgb("#f08a3c"), rgb("#a83a10"), rgb("#3a1206"), rgb("#e8641a")),
    "shield": Skin(rgb("#5f8fe0"), rgb("#1c3f8a"), rgb("#081a40"), rgb("#3a6cc8")),
    "location": Skin(rgb("#8096c8"), rgb("#3a4d80"), rgb("#101a38"), rgb("#6078b0")),
    "opponent": Skin(rgb("#9aa66a"), rgb("#4c562e"), rgb("#1a2010"), rgb("#78864a")),
    "ally": Skin(rgb("#d0a458"), rgb("#7a5520"), rgb("#2c1c06"), rgb("#b08038")),
    "scar": Skin(rgb("#c05060"), rgb("#6a1a28"), rgb("#2a060e"), rgb("#a83a48")),
    "event": Skin(rgb("#ffa04a"), rgb("#b8520e"), rgb("#3a1804"), rgb("#e87a22")),
}


class ColossalKaijuCombatFace(Face):
    """Characters show their stats and attributes, combat cards their cost and values."""

    def __init__(self) -> None:
        super().__init__("colossal-kaiju-combat", "Colossal Kaiju Combat")
        self.border = rgb("#1b2c58")
        self.accent = rgb("#ff8a2a")
        self.mark = (
            "M0 -79 L19 -48 L67 -90 L63 -31 L90 0 L71 50 L31 90 L-31 90 L-71 50 L-90 0 L-63 -31 "
            "L-67 -90 L-19 -48 Z"
        )

    def draw_mark(self, canvas: Canvas, at: Point, radius: float, colour: Colour) -> None:
        # Where it is small it stands beside a set's code, which needs the room.
        super().draw_mark(canvas, at, radius if radius > 20 else radius * 0.78, colour)
        if radius > 20:
            for part in (
                "M-52 -15 L-38 17 L-8 10 Z",
                "M52 -15 L38 17 L8 10 Z",
                "M-46 40 L-27 71 L27 71 L46 40 L29 52 L15 40 L0 52 L-15 40 L-29 52 Z",
            ):
                canvas.path(part, self.border, at=at, size=radius / 100)

    # What is on the card

    def imprint(self, card: PrintedCard) -> Imprint:
        imprint = super().imprint(card)
        if imprint["set_name"] == "landfall":
            imprint |= {"set_code": "LF1", "set_name": "Landfall"}
        return imprint

    def layout(self, card: PrintedCard) -> Layout:
        printed = card.attributes
        kind = KINDS.get(card.kind)
        if kind is None:
            return super().layout(card)
        names = _stats_of(card)
        values = [_value(printed, name) for name in names]
        details = [(STATS[name][0], value) for name, value in zip(names, values, strict=True)]
        facts = [kind]
        type_line = kind
        text = card.text
        if card.kind == "team":
            facts.append(f"members: {printed['members']}")
            text = f"{printed['members']}.\n{text}".strip()
            details.append(("Members", str(printed["members"])))
        elif card.kind == "kaiju":
            keywords = ", ".join(printed["keywords"])
            facts = [f"{printed['affiliation']} kaiju{f', {keywords}' if keywords else ''}"]
            type_line = f"{printed['affiliation']} kaiju{f' · {keywords}' if keywords else ''}"
            details.insert(0, ("Affiliation", str(printed["affiliation"])))
            if keywords:
                details.append(("Keywords", keywords))
        elif card.kind == "combat":
            styles = ", ".join(printed["styles"])
            type_line = f"{printed['type']} · {styles}"
            facts = [f"{printed['icon'].capitalize()} card, {printed['type']}, {styles}"]
            details = [("Icon", printed["icon"].capitalize()), ("Cost", _cost(printed)), *details]
            if red := printed.get("red_icons"):
                details.append(("Red icons", ", ".join(f"−{icon.capitalize()}" for icon in red)))
        elif card.kind == "ally":
            text = f"Requires {printed['requirement']}.\n{text}".strip()
            facts.append(f"requires {printed['requirement']}")
            details.append(("Requires", str(printed["requirement"])))
        elif card.kind == "event":
            if "when" in printed:
                when = str(printed["when"])
                text = f"{when[0].upper()}{when[1:]}:\n{text}"
                facts.append(when)
            if "glory" in printed:
                details.append(("Glory", str(printed["glory"])))
        if attributes := printed.get("attr"):
            details.append(("Attributes", ", ".join(name.capitalize() for name in attributes)))
        facts += [f"{name} {value}" for name, value in details if name not in _SAID]
        if card.text:
            facts.append(card.text.rstrip("."))
        return Layout(
            name=card.name,
            title=card.title,
            type_line=type_line,
            sign=self.sign(card),
            numbers=tuple(values),
            text=text,
            short=_SHORT.get(card.slug, card.text),
            facts=tuple(facts),
            tall=card.kind in ("scar", "event"),
            details=tuple(details),
            **self.imprint(card),
        )

    def sign(self, card: PrintedCard) -> Sign | None:
        return _SIGNS.get(_family(card))

    def skin(self, card: PrintedCard) -> Skin:
        family = _family(card)
        if family in AFFILIATIONS:
            palette = kaiju.FAMILIES[family]
            return Skin(
                mix(palette.base, palette.light, 0.45),
                mix(palette.base, palette.deep, 0.6),
                palette.dark,
                palette.base,
            )
        return _KIND_SKINS.get(family) or _KIND_SKINS.get(card.kind) or _KIND_SKINS["location"]

    # The shared parts, in this game's manner

    def draw_sign(self, canvas: Canvas, sign: Sign, at: Point, radius: float, edge: Colour) -> None:
        """A glyph on a shape: swords stand on a diamond, shields on a shield, others on a disc."""
        if sign.shape == "role-shield":
            emblems.glyph(canvas, "role-shield", at, radius * 1.16, edge)
            emblems.glyph(canvas, "role-shield", at, radius * 0.96, sign.fill)
            emblems.glyph(canvas, "role-shield", at, radius * 0.5, WHITE)
            return
        if sign.shape == "role-sword":
            outer, inner = ngon(at, radius * 1.22, 4), ngon(at, radius * 1.02, 4)
        elif sign.shape in ("location", "opponent", "event", "scar", "ally"):
            outer, inner = (ngon(at, radius * size, 4, 45) for size in (1.32, 1.12))
        else:
            outer, inner = circle(at, radius * 1.08), circle(at, radius * 0.92)
        canvas.fill(outer, edge)
        canvas.fill(inner, sign.fill)
        emblems.glyph(canvas, sign.shape, at, radius * 0.6, WHITE)

    # The picture

    def window(self, canvas: Canvas, card: PrintedCard, layout: Layout) -> None:
        printed = card.attributes
        if card.kind in ("kaiju", "ally"):
            family = printed.get("affiliation", kaiju.ALLIES.get(card.slug, ""))
            kaiju.portrait(canvas, card.slug, family, printed["attr"])
        elif card.kind == "combat":
            combat.picture(canvas, card.slug, printed)
        elif card.kind == "location" and card.slug in city.LOCATIONS:
            city.location(canvas, card.slug)
        elif card.kind == "opponent":
            city.opponent(canvas, card.slug)
        elif card.kind == "scar" and card.slug in emblems.PLANS:
            scenes.scar(canvas, card.slug)
        elif card.kind == "event" and card.slug in emblems.PLANS:
            scenes.event(canvas, card.slug)
        elif card.kind == "team":
            family = _family(card)
            palette = kaiju.FAMILIES[family if family in AFFILIATIONS else ""]
            scenes.crest(canvas, card.slug, family, palette)
        else:
            super().window(canvas, card, layout)

    # The panel

    def panel(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        full, thumb = plan is PLANS["full"], plan is PLANS["thumb"]
        if card.kind not in KINDS:
            super().panel(canvas, card, layout, plan, box)
            return
        left, top, right, bottom = box
        pad = plan.size[0] * 0.012
        inner = (left + pad, top + pad, right - pad, bottom - pad)
        if card.kind in ("scar", "event"):
            self._words(canvas, card, layout, plan, inner)
            return
        signs = [] if thumb else _white_icons(card)
        low = inner[3] if thumb else inner[1] + (bottom - top) * (0.34 if full else 0.54)
        row = (inner[0], inner[1], inner[2], low)
        if card.kind == "combat":
            self._blow(canvas, card, plan, row)
        else:
            self._tiles(canvas, _stats_of(card), card.attributes, plan, row)
        if thumb:
            return
        if signs:
            height = (bottom - top) * (0.17 if full else 0.0) or inner[3] - low
            short = "" if full or card.kind == "kaiju" else layout.short
            self._signs(canvas, signs, short, plan, (inner[0], low, inner[2], low + height))
            low += height
        elif not full:
            words = str(card.attributes.get("members", layout.short))
            self._short(canvas, words, (left, low, right, bottom), plan)
        if full:
            self.rules_text(canvas, layout.text, (left, low, right, inner[3]), plan)

    def _words(
        self, canvas: Canvas, card: PrintedCard, layout: Layout, plan: Plan, box: Box
    ) -> None:
        """The text of a Scar or an Event, and the glory it is worth."""
        left, top, right, bottom = box
        if "glory" in card.attributes:
            height = min(bottom - top, plan.size[0] * 0.2)
            middle = (top + bottom) / 2
            tile = (right - height, middle - height / 2, right, middle + height / 2)
            self._tile(canvas, tile, "glory", str(card.attributes["glory"]), plan)
            right = tile[0]
        words = layout.text if plan is PLANS["full"] else layout.short
        self.rules_text(canvas, words, (left, top, right, bottom), plan)

    def _tiles(
        self, canvas: Canvas, names: Sequence[str], printed: Mapping[str, Any], plan: Plan, box: Box
    ) -> None:
        """Numbers on tiles: beside each other, in two rows on a thumb."""
        left, top, right, bottom = box
        rows = 2 if plan is PLANS["thumb"] else 1
        columns = -(-len(names) // rows)
        gap = plan.size[0] * 0.01
        width, height = (right - left + gap) / columns, (bottom - top + gap) / rows
        for i, name in enumerate(names):
            x, y = left + i % columns * width, top + i // columns * height
            tile = (x, y, x + width - gap, y + height - gap)
            self._tile(canvas, tile, name, _value(printed, name).split()[0], plan)

    def _tile(self, canvas: Canvas, box: Box, name: str, value: str, plan: Plan) -> None:
        """A glyph and a number, white on the number's colour; on full cards with its word."""
        word, tone = STATS[name]
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        canvas.fill(rounded(box, plan.size[0] * 0.014), mix(tone, BLACK, 0.35))
        edge = max(plan.size[0] / 300, 0.6)
        inside = (left + edge, top + edge, right - edge, bottom - edge)
        canvas.fade(rounded(inside, plan.size[0] * 0.012), mix(tone, WHITE, 0.1), tone)
        y = (top + bottom) / 2
        if plan is PLANS["full"]:
            label = fitted(word, "sans", plan.small, 650, width * 0.92, 12)
            canvas.text(
                ((left + right) / 2, bottom - height * 0.17), word, label, WHITE, anchor="middle"
            )
            y = top + height * 0.41
        glyph = min(height * 0.26, width * 0.17)
        size = round(min(height * (0.56 if plan is PLANS["full"] else 0.74), width * 0.66))
        face = fitted("0" * len(value), "sans", size, 800, width * 0.94 - glyph * 2.4)
        long = face.getlength(value, features=["tnum"]) + glyph * 2.4
        x = (left + right) / 2 - long / 2
        emblems.glyph(canvas, name, (x + glyph, y), glyph, mix(tone, WHITE, 0.72))
        canvas.text((x + long, y), value, face, WHITE, anchor="right")

    def _blow(self, canvas: Canvas, card: PrintedCard, plan: Plan, box: Box) -> None:
        """Cost boxes on the left, damage or toughness (or both) on the right."""
        left, top, right, bottom = box
        height = bottom - top
        names = [name for name in ("damage", "toughness") if name in card.attributes]
        thumb = plan is PLANS["thumb"]
        boxes = [colour for colour, count in card.attributes["cost"].items() for _ in range(count)]
        share = 0.47 if not thumb else 0.44 if len(names) == 1 else 0.32
        middle = left + (right - left) * share
        columns = 2 if thumb else 4
        rows = -(-len(boxes) // columns)
        size = min((middle - left) / columns, height / 2 if thumb else height * 0.74)
        wide = min(len(boxes), columns) * size
        y0 = (top + bottom) / 2 - rows * size / 2
        if plan is PLANS["full"]:
            y0 -= height * 0.12
            label = font("sans", plan.small, 650)
            spot = ((left + middle) / 2, bottom - height * 0.15)
            canvas.text(spot, "Cost", label, self.skin(card).dark, anchor="middle")
        for i, colour in enumerate(boxes):
            x = left + (middle - left - wide) / 2 + i % columns * size
            y = y0 + i // columns * size
            self._box(canvas, colour, (x + size / 2, y + size / 2), size * 0.44)
        tiles = (middle + plan.size[0] * 0.012, top, right, bottom)
        self._tiles_wide(canvas, names, card.attributes, plan, tiles)

    def _tiles_wide(
        self, canvas: Canvas, names: Sequence[str], printed: Mapping[str, Any], plan: Plan, box: Box
    ) -> None:
        left, top, right, bottom = box
        gap = plan.size[0] * 0.01
        width = (right - left + gap) / len(names)
        for i, name in enumerate(names):
            tile = (left + i * width, top, left + (i + 1) * width - gap, bottom)
            self._tile(canvas, tile, name, str(printed[name]), plan)

    def _box(self, canvas: Canvas, colour: str, at: Point, half: float) -> None:
        """One box of a cost: its colour, and the glyph of what pays it."""
        name = BOXES[colour]
        tone = STATS[name][1]
        x, y = at
        square = (x - half, y - half, x + half, y + half)
        canvas.fill(rounded(square, half * 0.3), mix(tone, BLACK, 0.45))
        edge = half * 0.12
        inner = (square[0] + edge, square[1] + edge, square[2] - edge, square[3] - edge)
        canvas.fill(rounded(inner, half * 0.24), tone)
        emblems.glyph(canvas, name, at, half * 0.6, WHITE)

    def _signs(
        self, canvas: Canvas, signs: Sequence[tuple[str, str]], short: str, plan: Plan, box: Box
    ) -> None:
        """Attributes or icons as glyphs; beside them a few words, on full cards their names."""
        left, top, right, bottom = box
        y, radius = (top + bottom) / 2, min((bottom - top) * 0.4, plan.size[0] * 0.05)
        full = plan is PLANS["full"]
        x = left + radius * 0.4
        face = font("sans", plan.small, 650)
        if full or not short:
            names = [name.capitalize() if full else "" for _, name in signs]
            longs = [face.getlength(name) + radius * (2.9 if name else 1.9) for name in names]
            x = (left + right) / 2 - sum(longs) / 2
        for mark, name in signs:
            tone = {"": rgb("#2a3c6e"), "+": rgb("#1c6a46"), "−": rgb("#a3261f")}[mark]
            canvas.disc((x + radius, y), radius, tone)
            emblems.glyph(canvas, name, (x + radius * 1.0, y), radius * 0.6, WHITE)
            if mark:
                spot = (x + radius * 1.78, y + radius * 0.66)
                canvas.disc(spot, radius * 0.48, WHITE)
                size = radius * 0.3
                canvas.line(
                    [(spot[0] - size, spot[1]), (spot[0] + size, spot[1])], radius * 0.2, tone
                )
                if mark == "+":
                    canvas.line(
                        [(spot[0], spot[1] - size), (spot[0], spot[1] + size)], radius * 0.2, tone
                    )
            x += radius * (2.2 if full else 1.9)
            if full:
                canvas.text((x + radius * 0.1, y), name.capitalize(), face, INK)
                x += face.getlength(name.capitalize()) + radius * 0.7
        if short and not full:
            self._short(canvas, short, (x, top, right, bottom), plan)

    def _short(self, canvas: Canvas, words: str, box: Box, plan: Plan) -> None:
        """A few words in a narrow row: nearer to its edges than rules text, to be larger."""
        left, top, right, bottom = box
        more = plan.size[0] * 0.02
        self.rules_text(canvas, words, (left - more, top - more, right + more, bottom + more), plan)


#: Details that the first facts have said already.
_SAID = ("Affiliation", "Keywords", "Members", "Requires", "Icon")


def _family(card: PrintedCard) -> str:
    """The key of a card's sign and colours."""
    printed = card.attributes
    if card.kind == "team":
        return str(printed.get("joins", "any"))
    if card.kind == "kaiju":
        return str(printed["affiliation"])
    return str(printed["icon"]) if card.kind == "combat" else card.kind


def _stats_of(card: PrintedCard) -> tuple[str, ...]:
    """The numbers on a card, in the order in which they are printed."""
    if card.kind == "team":
        return TEAM
    if card.kind == "kaiju":
        return CHARACTER
    if card.kind == "ally":
        return (*CHARACTER, "glory")
    if card.kind == "combat":
        return tuple(name for name in ("damage", "toughness") if name in card.attributes)
    return CITY if card.kind in ("location", "opponent") else ()


def _value(printed: Mapping[str, Any], name: str) -> str:
    """A printed value with its white icons: ``2 +Teeth +Teeth``."""
    if name == "fortitude_bonus":
        return f"+{printed[name]}"
    icons = [f"+{icon.capitalize()}" for icon in printed.get(f"{name}_icons", ())]
    return " ".join([str(printed[name]), *icons])


def _cost(printed: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in printed["cost"].items())


def _white_icons(card: PrintedCard) -> list[tuple[str, str]]:
    """The glyphs in the row below the numbers, each with its mark: + helps, − hinders."""
    printed = card.attributes
    icons = [("", attr) for attr in printed.get("attr", ())]
    for name in ("damage_icons", "toughness_icons"):
        icons += [("+", icon) for icon in printed.get(name, ())]
    return icons + [("−", icon) for icon in printed.get("red_icons", ())]


FACE = ColossalKaijuCombatFace()
