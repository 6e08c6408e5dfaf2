"""The drawn parts of a table of Batt'l Kha'os: the board, pieces beside it, its list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from django import template
from django.template.context import Context
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

import rules
from games.battl_khaos.moves import words_of
from games.battl_khaos.site import board
from games.battl_khaos.site.table import DRAFTED
from games.battl_khaos.table_text import SIDES
from matches.templatetags.parts import keep_part
from matches.templatetags.table import json_attribute
from rules.engine.cards import CardType

register = template.Library()

#: What is chosen with a tap on the board.
AIMED: Final = ("reserve-cell", "catapult-target", "circle-target", "crystal-token", "grave-token")


# -- the board -------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def board_map(context: Context) -> SafeString:
    """The whole board, with what can be chosen on it."""
    view, prompt = context["view"], context.get("prompt")
    open_prompt = prompt if context.get("asked") else None
    targets = _targets(view, open_prompt) if open_prompt and open_prompt.kind in AIMED else ()
    layers = [
        ("zones", "".join(board.zones(view))),
        ("tiles", _rows(context, board.tiles(view))),
        ("lasts", "".join(board.last_placed(view))),
        ("open", _open_places(open_prompt)),
        ("choices", "".join(targets)),
        ("corners", _parts(context, board.marks(view))),
        ("ghost", ""),
    ]
    drawn = "".join(
        f'<g class="layer-{name}"{"" if name == "choices" else HIDDEN}>{inside}</g>'
        for name, inside in layers
    )
    return mark_safe(  # noqa: S308  (drawn from numbers and our own catalog)
        f'<svg class="board-map" viewBox="{board.Bounds.of(view).box}" role="group" '
        f'aria-label="The board" data-board={json_attribute(_facts(view, open_prompt))} '
        f'data-sheet="{board.sheet()}">{drawn}</svg>'
    )


HIDDEN: Final = ' aria-hidden="true"'


def _parts(context: Context, drawn: Iterable[str]) -> str:
    return "".join(keep_part(context, part) for part in drawn)


def _rows(context: Context, drawn: Iterable[tuple[int, str]]) -> str:
    """Cells, each a part, in rows that are parts too: most rows stay as they are."""
    rows: dict[int, list[str]] = {}
    for row, cell in drawn:
        rows.setdefault(row, []).append(keep_part(context, cell))
    return "".join(keep_part(context, f"<g>{''.join(cells)}</g>") for cells in rows.values())


def _facts(view: Mapping[str, Any], prompt: Any) -> dict[str, Any]:
    """The facts that the script needs besides those at each cell."""
    facts: dict[str, Any] = {
        "last": [[cell["x"], cell["y"]] for cell in view["last"]],
        "seat": view.get("seat"),
        "sides": [player["side"] for player in view["players"]],
        "scores": [player["score"] for player in view["players"]],
    }
    if prompt is not None and prompt.kind in DRAFTED:
        facts["draft"] = _draft(prompt.outlook)
    return facts


def _draft(outlook: Mapping[str, Any]) -> dict[str, Any]:
    """The places beside tiles in short form: why no tile and no tower may go there, and the
    number of the list of tokens that may be played there."""
    tokens: list[list[int]] = []
    cells = []
    for cell in outlook["cells"]:
        if cell["tokens"] not in tokens:
            tokens.append(cell["tokens"])
        number = tokens.index(cell["tokens"])
        cells.append([cell["x"], cell["y"], cell["tile"], cell["tower"], number])
    at = outlook.get("cell")
    return {
        "cells": cells,
        "tokens": tokens,
        "picked": outlook.get("picked"),
        "cell": [at["x"], at["y"]] if at else None,
    }


def _open_places(prompt: Any) -> str:
    """Where a tile can go, with the names by which the list of answers calls the places."""
    if prompt is None or prompt.kind not in ("place-cell", "reserve-cell"):
        return ""
    cells = [(option.move["target"]["x"], option.move["target"]["y"]) for option in prompt.options]
    path = "".join(f"M{100 * x + 5} {100 * y + 5}h90v90h-90z" for x, y in cells)
    names = "".join(
        f'<text x="{100 * x + 50}" y="{100 * y + 55}">{_short(x, y)}</text>' for x, y in cells
    )
    return f'<path d="{path}"/>{names}'


def _short(x: int, y: int) -> str:
    """“2E 1N”."""
    axes = ((x, "WE"), (y, "NS"))
    return " ".join(f"{abs(number)}{ends[number > 0]}" for number, ends in axes if number)


SQUARE: Final = '<rect x="5" y="5" width="90" height="90" rx="9"/>'


def _targets(view: Mapping[str, Any], prompt: Any) -> Iterator[str]:
    """Cells, tiles and tokens that an option points at."""
    lies = {}
    for cell in view["board"]:
        for name in ("tile", "token", "ground"):
            if cell[name]:
                lies[cell[name]["id"]] = (cell["x"], cell["y"])
    for option in prompt.options:
        target = option.move.get("target") or {}
        card = option.move.get("card", target.get("card"))
        at = (target["x"], target["y"]) if "x" in target else lies.get(card)
        if at is None:
            continue  # a discarded token: its button stands in the tray
        preview = (
            escape(json.dumps(option.preview, separators=(",", ":"))) if option.preview else ""
        )
        yield board.group(
            "choice is-open may",
            *at,
            SQUARE,
            f' data-choice="{at[0]},{at[1]}" data-answer="{escape(option.notation)}" tabindex="0" '
            f'role="button" aria-label="{escape(option.label)}" data-preview="{preview}"',
        )


@register.simple_tag
def board_overview(view: Mapping[str, Any]) -> SafeString:
    """A small map of the board, with the part in view."""
    paths = "".join(
        f'<path class="over-{kind}" d="{path}"/>' for kind, path in board.overview(view)
    )
    return mark_safe(  # noqa: S308  (numbers alone)
        f'<svg class="overview" viewBox="{board.Bounds.of(view).box}" aria-hidden="true" hidden>'
        f'{paths}<rect class="in-view" width="0" height="0"/></svg>'
    )


@register.simple_tag(takes_context=True)
def board_rows(context: Context) -> SafeString:
    """The board as a list, from the north-west to the south-east, a part for each of its rows."""
    view = context["view"]
    sides = [player["side"] for player in view["players"]]
    rows: dict[int, list[str]] = {}
    for cell in view["board"]:
        place = words_of(cell["x"], cell["y"])
        name, words = board.cell_words(cell, sides)
        line = f"<li><b>{place}</b> <span>{escape(name)}: {escape(words)}</span></li>"
        rows.setdefault(cell["y"], []).append(line)
    lists = (f'<ul class="cells">{"".join(lines)}</ul>' for lines in rows.values())
    return mark_safe(_parts(context, lists))  # noqa: S308  (escaped above)


# -- pieces that lie beside the board --------------------------------------------------------------


@register.simple_tag
def square(card: Mapping[str, Any]) -> SafeString:
    """A tile or a tower as it would lie on the board."""
    return mark_safe(_drawn_square(card["slug"]))  # noqa: S308  (our own catalog)


@lru_cache(maxsize=256)
def _drawn_square(slug: str) -> str:
    printed = rules.game(board.SLUG).catalog[slug]
    if printed.kind == "tower":
        value = int(printed["value"])
        drawn = board.tower(slug, value, value, str(printed["flag"]), "")
    else:
        drawn = board.tile(slug, board.printed_units(slug), "", "")
    return f'<svg class="square" viewBox="0 0 100 100" aria-hidden="true">{drawn}</svg>'


@register.simple_tag
def token_face(card: Mapping[str, Any], side: str) -> SafeString:
    """A power token in its side's colour."""
    drawn = board.round_token(card["slug"], side, 50, 50, 44)
    return mark_safe(f'<svg class="round" viewBox="0 0 100 100" aria-hidden="true">{drawn}</svg>')  # noqa: S308


@register.simple_tag
def sign(name: str) -> SafeString:
    """A plain mark in the colour of the words around it."""
    return mark_safe(  # noqa: S308  (our own words)
        f'<svg class="sign" aria-hidden="true"><use href="{board.sheet()}#{name}"/></svg>'
    )


@register.filter
def side_name(side: str) -> str:
    """“Orcs” or “Knights”."""
    return SIDES[side].capitalize()


# -- beside the table ------------------------------------------------------------------------------


#: So many tiles of the catalog stand in one part of a list: few of the parts change in a turn.
CHUNK: Final = 8


@register.simple_tag(takes_context=True)
def unseen_tiles(context: Context) -> SafeString:
    """Those of the pool that the reader has not seen, in the order of the catalog."""
    unseen = context["view"]["unseen"]
    catalog = list(rules.game(board.SLUG).catalog.values())
    chunks = []
    for first in range(0, len(catalog), CHUNK):
        lines = [
            keep_part(
                context, f"<li>{_drawn_square(card.slug)}<p>{_counted(card, unseen)}</p></li>"
            )
            for card in catalog[first : first + CHUNK]
            if card.slug in unseen
        ]
        if lines:
            chunks.append(f'<ul class="squares">{_parts(context, lines)}</ul>')
    return mark_safe(_parts(context, chunks))  # noqa: S308  (drawn from our own catalog)


def _counted(card: CardType, counts: Mapping[str, int]) -> str:
    count = counts[card.slug]
    return escape(card.title) + (f" ×{count}" if count > 1 else "")


@register.simple_tag
def battles(tally: Mapping[str, int]) -> int:
    """How many corners were decided, once or anew."""
    return tally.get("corner_resolved", 0) + tally.get("corner_changed", 0)
