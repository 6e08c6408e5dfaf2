"""A deck's notes: Markdown with links to cards, drawn to HTML in which nothing can be hidden.

``[[Card name]]`` is a link to that card. HTML is shown as it was typed, pictures become links, and
whatever comes out is sanitised once more.

A few characters of Markdown can stand for much HTML and much work (empty cells of a table, an
address that many links share, marks that might belong together). So marks are counted before the
text is read, cells while it is, and all that would come out before it does. Text that goes beyond
these limits is shown as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nh3
from django.urls import reverse
from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

import rules
from decks.lists import textlist

FIRST_HEADING = 3
"""The page has a title, and the notes have one of their own."""
MAX_NAME_LENGTH = 100
MAX_MARKS, MAX_MARKS_IN_COMMENT = 1000, 300
"""So many signs with a meaning; the work that some of them make grows with their square."""
MAX_CELLS = 600
"""Of all tables of a text together; further rows stand below the table as they were typed."""
MAX_DEPTH = 32
"""So many elements may lie in each other."""
MAX_WEIGHT = 60_000
"""Characters of all that comes out, about; see ``_weight``."""
_TOKEN_WEIGHT = 10
_MARKS = re.compile(r"[*_~`<\[\]]")
_ADDRESS_MARKS = 4
"""An address counts as so many of them."""
_TAGS = {
    "p", "br", "strong", "em", "s", "a", "code", "pre", "blockquote", "hr", "ul", "ol", "li",
    "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title", "data-glance"}, "ol": {"start"}}
_ALIGNED = {"text-align:center": "align-center", "text-align:right": "align-end"}
"""Classes for what Markdown says as inline style, which pages forbid."""
_CLASSES = {tag: set(_ALIGNED.values()) for tag in ("th", "td")}
_SCHEMES = {"http", "https", "mailto"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """Notes as a page shows them, and the names in brackets that are no card's."""

    html: SafeString
    unknown: tuple[str, ...] = ()
    line: str = ""
    """All of it as one line of plain words."""
    as_typed: bool = False
    """It goes beyond a limit, so nothing of it was taken for Markdown."""

    def beginning(self, length: int) -> str:
        """The first words of it, in so many characters."""
        return self.line if len(self.line) <= length else self.line[: length - 1].rstrip() + "…"


@lru_cache(maxsize=512)
def draw(notes: str, game: str, *, short: bool = False) -> Drawn:
    """The notes on a deck of this game; ``short``: a comment, without headings and tables.

    What was drawn is kept by its text, in the process and so never longer than the code that drew
    it: a page shows dozens of comments, the same to everybody.
    """
    if not notes:
        return Drawn(SafeString())
    env: dict[str, Any] = {"game": game, "unknown": {}, "cells_left": MAX_CELLS}
    markdown = _COMMENT if short else _MARKDOWN
    tokens = _parse(markdown, notes, env, MAX_MARKS_IN_COMMENT if short else MAX_MARKS)
    if tokens is None:
        typed = _clean(linebreaks(notes, autoescape=True))
        return Drawn(typed, line=" ".join(notes.split()), as_typed=True)
    html = _clean(markdown.renderer.render(tokens, markdown.options, env))
    return Drawn(html, tuple(env["unknown"]), _line(tokens))


def _parse(
    markdown: MarkdownIt, text: str, env: dict[str, Any], max_marks: int
) -> list[Token] | None:
    """The parts of a text; None if they, or the work on them, would be more than is allowed."""
    marks = len(_MARKS.findall(text)) + _ADDRESS_MARKS * text.count("://")
    if marks > max_marks:
        return None
    tokens = markdown.parse(text, env)
    return tokens if _depth(tokens) <= MAX_DEPTH and _weight(tokens) <= MAX_WEIGHT else None


def _depth(tokens: Sequence[Token]) -> int:
    """How many elements lie in each other at most."""
    depth = deepest = 0
    for token in tokens:
        depth += token.nesting
        deepest = max(deepest, depth + (_depth(token.children) if token.children else 0))
    return deepest


def _weight(tokens: Sequence[Token]) -> int:
    """About how many characters the tokens will be as HTML: their words, addresses and tags."""
    total = 0
    for token in tokens:
        words = [*token.attrs.values(), "" if token.children else token.content]
        total += _TOKEN_WEIGHT + sum(len(escape(word)) for word in words)
        total += _weight(token.children or ())
    return total


def _clean(html: str) -> SafeString:
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes=_SCHEMES,
        link_rel="nofollow ugc noopener",
    )
    return mark_safe(clean)  # noqa: S308  (sanitised the line before)


def _line(tokens: Sequence[Token]) -> str:
    """The words of the tokens; what separates paragraphs and lines is a space."""
    words: list[str] = []
    for token in tokens:
        for child in token.children or ():
            if child.type in ("text", "code_inline"):
                words.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                words.append(" ")
        words.append(" ")
    return " ".join("".join(words).replace("[[", "").replace("]]", "").split())


def _bounded_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table, or as many of its rows as there may be cells."""
    if start + 1 >= end:
        return False
    delimiters = state.src[state.bMarks[start + 1] : state.eMarks[start + 1]]
    columns = delimiters.strip().strip("|").count("|") + 1
    rows = state.env["cells_left"] // columns
    if rows < 1 or not table(state, start, min(end, start + 1 + rows), silent):
        return False
    if not silent:
        state.env["cells_left"] -= columns * (state.line - start - 1)
    return True


def _link_card(state: StateInline, silent: bool) -> bool:
    """Link ``[[Card name]]``; a name that is not a card's stays as it was typed."""
    if not state.src.startswith("[[", state.pos):
        return False
    end = state.src.find("]]", state.pos + 2, state.pos + 4 + MAX_NAME_LENGTH)
    name = state.src[state.pos + 2 : end].strip() if end > 0 else ""
    game = state.env["game"]
    if not name or end >= state.posMax or game not in rules.games():
        return False
    card = textlist.find_card(name, game)
    if not card:
        state.env["unknown"][name] = None
        return False
    if not silent:
        opened = state.push("link_open", "a", 1)
        opened.attrs = {
            "href": reverse("collection:card", args=(game, card)),
            "data-glance": reverse("collection:glance", args=(game, card)),
        }
        state.push("text", "", 0).content = name
        state.push("link_close", "a", -1)
    state.pos = end + 2
    return True


def _lower_headings(state: StateCore) -> None:
    """Headings go on from those of the page without a gap, whichever ones were typed."""
    typed = sorted({token.tag for token in state.tokens if token.type == "heading_open"})
    level = FIRST_HEADING - 1
    for token in state.tokens:
        if token.type == "heading_open":
            level = min(6, level + 1, FIRST_HEADING + typed.index(token.tag))
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"


def _align_cells(state: StateCore) -> None:
    """A table's columns stand as its second line says."""
    for token in state.tokens:
        style = token.attrs.pop("style", "") if token.type in ("th_open", "td_open") else ""
        if style in _ALIGNED:
            token.attrs["class"] = _ALIGNED[str(style)]


def _markdown() -> MarkdownIt:
    options: dict[str, Any] = {"html": False, "linkify": True, "breaks": True}
    markdown = MarkdownIt("commonmark", options)
    markdown.enable(["linkify", "strikethrough", "table"]).disable("image")
    assert markdown.linkify is not None
    # Only what says that it is an address: a card may be called “Dr. No.com”.
    markdown.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    markdown.block.ruler.at("table", _bounded_table, {"alt": ["paragraph", "reference"]})
    markdown.inline.ruler.before("link", "card", _link_card)
    markdown.core.ruler.push("lower-headings", _lower_headings)
    markdown.core.ruler.push("align-cells", _align_cells)
    return markdown


_MARKDOWN = _markdown()
_COMMENT = _markdown().disable(["heading", "lheading", "hr", "table"])
