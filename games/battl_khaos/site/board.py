"""The board as a drawing: tiles, towers with their corners, and what lies on the ground.

A cell is a square of 100 units to each side; the cell (x,y) begins at (100x,100y). Whatever is
drawn of a cell is one element, and what looks alike is drawn only once (``lru_cache``): a board of
a hundred tiles costs little more than one of ten. Colours are all in ``table.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.templatetags.static import static
from django.utils.html import escape

from games.battl_khaos.events import CORNER_NAMES
from games.battl_khaos.moves import name_for
from games.battl_khaos.state import SIDE_OF, catalog
from games.battl_khaos.table_text import SIDES

SLUG: Final = "battl-khaos"
CELL: Final = 100
EDGE: Final = 20
#: Where the middle of a unit is in its cell, and the corner points of a tower: NW, NE, SE, SW.
UNITS: Final = ((25, 25), (75, 25), (75, 75), (25, 75))
POINTS: Final = ((0, 0), (100, 0), (100, 100), (0, 100))
SIGNS: Final = {"O": "tusk", "K": "helm", "N": "bar"}
ROMAN: Final = ("", "I", "II", "III", "IV")
GROUNDS: Final = 4

Card = Mapping[str, Any]


@lru_cache(maxsize=1)
def sheet() -> str:
    """The address of the drawn pieces."""
    return static(f"{SLUG}/pieces.svg")


def title(slug: str) -> str:
    """The title of a piece."""
    return catalog()[slug].title


def token_title(slug: str, side: str) -> str:
    """The name of a power token on its side."""
    return name_for(catalog()[slug], SIDE_OF[side])


def sign(slug: str) -> str:
    """The sign of a piece in the sheet of drawings."""
    return slug.removeprefix("bkh-").removeprefix("p-").removeprefix("x-")


def use(name: str, x: float, y: float, size: float, more: str = "") -> str:
    """A drawn piece, its middle at a point."""
    corner = f'x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"'
    return f'<use href="{sheet()}#{name}" {corner}{more}/>'


# -- one cell --------------------------------------------------------------------------------------

#: A unit as the rules show it: its side, its warriors, its strength; None: nobody stands there.
Unit = tuple[str, int, int] | None


def units_of(cell: Mapping[str, Any]) -> tuple[Unit, ...]:
    """The units of a tile as it lies, from the north-west on."""
    return tuple(
        (unit["side"], unit["printed"], unit["strength"]) if unit else None
        for unit in cell["corners"]
    )


def printed_units(slug: str) -> tuple[Unit, ...]:
    """The units of a tile that lies nowhere yet."""
    corners = catalog()[slug].attributes.get("corners", ())
    return tuple(
        None if corner == "-" else (corner[0], int(corner[1]), int(corner[1])) for corner in corners
    )


@lru_cache(maxsize=4096)
def tile(slug: str, units: tuple[Unit, ...], token: str, token_side: str) -> str:
    """A battlefield tile, drawn in the square from (0,0) to (100,100)."""
    kind = catalog()[slug].kind
    if kind == "special":
        return (
            '<rect class="ground ground-special" x="1.5" y="1.5" width="97" height="97" rx="6"/>'
            + use(sign(slug), 50, 50, 78)
        )
    ground = sum(map(ord, slug)) % GROUNDS
    drawn = [
        f'<rect class="ground ground-{ground}" x="1.5" y="1.5" width="97" height="97" rx="6"/>'
    ]
    for unit, (x, y) in zip(units, UNITS, strict=True):
        if unit is None:
            drawn.append(f'<circle class="nobody" cx="{x}" cy="{y}" r="5"/>')
            continue
        side, printed, strength = unit
        drawn.append(use(f"{side}{printed}", x, y, 43))
        if strength != printed:
            drawn.append(_number("changed", 50 + (x - 50) * 1.52, 50 + (y - 50) * 0.34, strength))
    if token:
        drawn.append(round_token(token, token_side, 50, 50, 17))
    return "".join(drawn)


def _number(name: str, x: float, y: float, number: int) -> str:
    return (
        f'<g class="{name}"><circle cx="{x:g}" cy="{y:g}" r="9"/>'
        f'<text x="{x:g}" y="{y + 4.6:g}">{number}</text></g>'
    )


@lru_cache(maxsize=1024)
def round_token(slug: str, side: str, x: float, y: float, radius: float) -> str:
    """A power token in the colour and with the sign of the side that it works for."""
    return (
        f'<g class="chip chip-{side}"><circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        + use(sign(slug), x, y, radius * 1.5)
        + f'<circle class="chip-sign" cx="{x + radius * 0.8:g}" cy="{y + radius * 0.8:g}" '
        f'r="{radius * 0.42:g}"/>'
        + use(SIGNS[side], x + radius * 0.8, y + radius * 0.8, radius * 0.6)
        + "</g>"
    )


#: The strokes of numerals in a box of 10 to 10 units: where each begins and ends.
_STROKES: Final = {
    1: "M5 0V10",
    2: "M2.5 0V10M7.5 0V10",
    3: "M1 0V10M5 0V10M9 0V10",
    4: "M0 0V10M3 0L6.5 10L10 0",
}


def _roman(name: str, value: int, x: float, y: float, size: float) -> str:
    """A value as its numeral, its middle at a point."""
    scale = size / 10
    return (
        f'<path class="{name}" transform="translate({x - size / 2:g} {y - size / 2:g}) '
        f'scale({scale:g})" d="{_STROKES[value]}"/>'
    )


@lru_cache(maxsize=512)
def tower(slug: str, value: int, printed: int, flag: str, owner: str) -> str:
    """A tower: its value and flag always show, and the banner of whoever owns it."""
    if value == printed:
        worth = _roman("worth", value, 50, 86, 15)
    else:
        worth = _roman("worth", value, 41, 86, 15) + _roman("worth-printed", printed, 68, 86, 10)
    banner = (
        f'<path class="banner" d="M4 4H40V50L22 40L4 50Z"/>{use(SIGNS[owner], 22, 22, 27)}'
        if owner
        else ""
    )
    return (
        f'<g class="tower tower-{owner or "free"}">'
        '<rect class="stone" x="3" y="3" width="94" height="94" rx="6"/>'
        + use(sign(slug), 50, 42, 72)
        + '<path class="plate" d="M22 75H78V97H22Z"/>'
        + worth
        + f'<g class="pennant pennant-{flag}"><path d="M72 8H95V36L83.5 29L72 36Z"/>'
        + use(SIGNS[flag], 83.5, 18, 16)
        + f"</g>{banner}</g>"
    )


@lru_cache(maxsize=2048)
def disc(number: int, result: str, missing: int) -> str:
    """The sign of a tower's corner: who holds it, or how many tiles are missing."""
    x, y = POINTS[number]
    if not result:
        return (
            f'<g class="disc disc-open{" disc-ripe" if missing == 1 else ""}">'
            f'<circle cx="{x}" cy="{y}" r="11"/><text x="{x}" y="{y + 4.6:g}">{missing}</text></g>'
        )
    return (
        f'<g class="disc disc-{result}" data-corner="{number}"><circle cx="{x}" cy="{y}" r="12"/>'
        + use(SIGNS[result], x, y, 15)
        + "</g>"
    )


@lru_cache(maxsize=256)
def ground_token(slug: str, side: str, covered: bool) -> str:
    """A token on the ground; under a tile it peeps out at the edge."""
    if covered:
        return round_token(slug, side, 50, 93, 8)
    return (
        f'<rect class="kept kept-{side}" x="6" y="6" width="88" height="88" rx="8"/>'
        + round_token(slug, side, 50, 50, 24)
    )


# -- the whole board -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bounds:
    """The part of the grid that there is to see; ``right`` and ``bottom`` are cells of it."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Bounds:
        """The bounds of a view; once the match is over, without the places that were free."""
        if not view["outcome"]:
            return cls(**view["bounds"])
        columns, rows = zip(*((cell["x"], cell["y"]) for cell in view["board"]), strict=True)
        return cls(min(columns), min(rows), max(columns), max(rows))

    @property
    def box(self) -> str:
        """The bounds as a ``viewBox``, with the marks of corners at its edge."""
        left, top = self.left * CELL - EDGE, self.top * CELL - EDGE
        right, bottom = (self.right + 1) * CELL + EDGE, (self.bottom + 1) * CELL + EDGE
        return f"{left} {top} {right - left} {bottom - top}"


def group(name: str, x: int, y: int, inside: str, more: str = "") -> str:
    """One element at a cell."""
    return f'<g class="{name}" transform="translate({x * CELL} {y * CELL})"{more}>{inside}</g>'


def tiles(view: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Every cell on which something lies, an element each, with its row.

    It says what the script needs to add up corners: the strengths on a tile, a plus for orcs and a
    minus for knights; of a tower its name, flag, value and owner.
    """
    sides = [player["side"] for player in view["players"]]
    for cell in view["board"]:
        x, y, card, ground = (cell[key] for key in ("x", "y", "tile", "ground"))
        tower_view = cell["tower"]
        drawn = data = ""
        if tower_view:
            owner = tower_view["owner"] or ""
            value, flag = tower_view["value"], tower_view["flag"]
            drawn = tower(card["slug"], value, tower_view["printed"], flag, owner)
            facts = (title(card["slug"]), flag, str(value), owner)
            data = f' data-tower="{escape("|".join(facts))}"'
        elif card:
            token = cell["token"]
            on_it = (token["slug"], sides[token["seat"]]) if token else ("", "")
            units = units_of(cell)
            drawn = tile(card["slug"], units, *on_it)
            data = f' data-units="{signed(units)}"'
        if ground:
            drawn += ground_token(ground["slug"], sides[ground["seat"]], bool(card))
        words = escape(": ".join(cell_words(cell, sides)))
        here = " ".join(str(piece["id"]) for piece in (card, cell["token"], ground) if piece)
        place = f'data-slot="cell {x},{y}" data-cell="{x},{y}" data-cards="{here}"'
        more = f' {place}{data} data-words="{words}"'
        yield y, group("cell", x, y, f'<g class="drop">{drawn}</g>', more)


def signed(units: Iterable[Unit]) -> str:
    """Strengths in a row: a plus for orcs, a minus for knights."""
    return ",".join(
        str(0 if unit is None else unit[2] if unit[0] == "O" else -unit[2]) for unit in units
    )


def marks(view: Mapping[str, Any]) -> Iterator[str]:
    """The corners of every tower that has no owner, an element a tower."""
    for cell in view["board"]:
        tower_view = cell["tower"]
        if tower_view and not tower_view["owner"]:
            discs = "".join(
                disc(number, corner["result"] or "", corner["missing"])
                for number, corner in enumerate(tower_view["corners"])
            )
            yield group("marks", cell["x"], cell["y"], discs, f' data-of="{cell["x"]},{cell["y"]}"')


def zones(view: Mapping[str, Any]) -> Iterator[str]:
    """Cells closed for a while: the zone of a live Halberd, a cell that was hit this turn."""
    blade = view["halberd"]
    if blade:
        left, top = (blade["x"] - 1) * CELL, (blade["y"] - 1) * CELL
        yield f'<rect class="zone" x="{left}" y="{top}" width="300" height="300" rx="14"/>'
    hit = view["hit"]
    if hit:
        inside = '<rect class="hit" x="6" y="6" width="88" height="88" rx="8"/>'
        yield group("cell-hit", hit["x"], hit["y"], inside + use("crater", 50, 50, 60))


def last_placed(view: Mapping[str, Any]) -> Iterator[str]:
    """A frame round the tiles that were placed last."""
    for cell in view["last"]:
        inside = '<rect x="0" y="0" width="100" height="100" rx="7"/>'
        yield group("last", cell["x"], cell["y"], inside)


def overview(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The board in small: a path for each kind of thing, by its name."""
    paths: dict[str, list[str]] = {"field": [], "free": [], "O": [], "K": []}
    for cell in view["board"]:
        if cell["tile"]:
            tower_view = cell["tower"]
            kind = (tower_view["owner"] or "free") if tower_view else "field"
            paths[kind].append(f"M{cell['x'] * CELL + 4} {cell['y'] * CELL + 4}h92v92h-92z")
    return [(kind, "".join(squares)) for kind, squares in paths.items() if squares]


# -- words -----------------------------------------------------------------------------------------


def unit_words(unit: Unit) -> str:
    """“2 orcs”, “1 knight, counts 3”."""
    if unit is None:
        return "nobody"
    side, printed, strength = unit
    noun = SIDES[side] if printed != 1 else SIDES[side][:-1]
    if strength == printed:
        return f"{printed} {noun}"
    return f"{printed} {noun}, {'counts' if printed == 1 else 'count'} {strength}"


def tile_words(units: Iterable[Unit]) -> str:
    """Who stands where on a tile."""
    return "; ".join(
        f"{corner} {unit_words(unit)}" for corner, unit in zip(CORNER_NAMES, units, strict=True)
    )


def corner_words(number: int, corner: Mapping[str, Any]) -> str:
    """“north-west: orcs 2, knights 3, held by the knights”."""
    name = CORNER_NAMES[number]
    if corner["missing"]:
        return f"{name} open, {corner['missing']} missing"
    held = {"O": "controlled by the orcs", "K": "controlled by the knights", "N": "neutral"}[
        corner["result"]
    ]
    return f"{name} orcs {corner['orcs']}, knights {corner['knights']}, {held}"


def tower_words(tower_view: Mapping[str, Any]) -> str:
    """“tower worth 2, flag of the knights, no owner; corners: …”"""
    points = f"worth {tower_view['value']}"
    if tower_view["value"] != tower_view["printed"]:
        points += f" instead of {tower_view['printed']} (near a Temple)"
    flag, owner = SIDES[tower_view["flag"]], tower_view["owner"]
    owned = f"owned by the {SIDES[owner]}" if owner else "no owner"
    corners = "; ".join(corner_words(n, corner) for n, corner in enumerate(tower_view["corners"]))
    return f"tower {points}, flag of the {flag}, {owned}; corners: {corners}"


def cell_words(cell: Mapping[str, Any], sides: list[str]) -> tuple[str, str]:
    """The name of the piece on a cell, and its description."""
    card, ground, tower_view = cell["tile"], cell["ground"], cell["tower"]
    under = ""
    if ground:
        side = sides[ground["seat"]]
        under = f"{SIDES[side].capitalize()}’ {token_title(ground['slug'], side)}"
    if card is None:
        kept = ground["slug"].endswith("mage")
        return under, "reserved for its side" if kept else "no token can be placed here"
    name = title(card["slug"])
    if tower_view:
        words = tower_words(tower_view)
    elif any(cell["corners"]):
        words = tile_words(units_of(cell))
    else:
        words = "no warriors"
    if cell["token"]:
        side = sides[cell["token"]["seat"]]
        words += f"; {SIDES[side]}’ {token_title(cell['token']['slug'], side)} on it"
    return name, words + (f"; {under} under it" if under else "")
