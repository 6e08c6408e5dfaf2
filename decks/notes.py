"""A deck's notes: Markdown with links to cards, drawn to HTML in which nothing can be hidden.

``[[Card name]]`` is a link to that card. HTML is shown as it was typed, pictures become links, and
whatever comes out is sanitised once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nh3
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

import rules
from decks import textlist

FIRST_HEADING = 3
"""The page has a title, and the notes have one of their own."""
LETTERS_A_NAME = 100
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


@lru_cache(maxsize=256)
def draw(notes: str, game: str, *, short: bool = False) -> Drawn:
    """The notes on a deck of this game; ``short``: a comment, without headings and tables.

    What was drawn lately is kept: a page shows dozens of comments, the same to everybody.
    """
    if not notes:
        return Drawn(SafeString())
    unknown: dict[str, None] = {}
    html = (_COMMENT if short else _MARKDOWN).render(notes, {"game": game, "unknown": unknown})
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes=_SCHEMES,
        link_rel="nofollow ugc noopener",
    )
    return Drawn(mark_safe(clean), tuple(unknown))  # noqa: S308  (sanitised the line before)


def _link_card(state: StateInline, silent: bool) -> bool:
    """``[[Card name]]``; one that is no card's stays as it was typed."""
    if not state.src.startswith("[[", state.pos):
        return False
    end = state.src.find("]]", state.pos + 2, state.pos + 4 + LETTERS_A_NAME)
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
    markdown.inline.ruler.before("link", "card", _link_card)
    markdown.core.ruler.push("lower-headings", _lower_headings)
    markdown.core.ruler.push("align-cells", _align_cells)
    return markdown


_MARKDOWN = _markdown()
_COMMENT = _markdown().disable(["heading", "lheading", "hr", "table"])


def plain(notes: str, letters: int) -> str:
    """The beginning of notes as one line of plain words, for those who show a link to the deck."""
    words: list[str] = []
    for token in _MARKDOWN.parse(notes, {"game": "", "unknown": {}}):
        children: Sequence[Any] = token.children or ()
        words += [child.content for child in children if child.type in ("text", "code_inline")]
    line = " ".join(" ".join(words).replace("[[", "").replace("]]", "").split())
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"
