"""The rules to read: what the ``manual/`` of a game says to those who play one of its modes.

``manual/manual.toml`` names the chapters of each mode, and each chapter is a Markdown file beside
it. Beyond Markdown there are three marks: a paragraph's rules in brackets at its end, which go into
its margin; lines between ``::: mode mode`` and ``:::``, which only those modes have; and a block
``picture`` of cards and dice with a sentence below. docs/adding-a-game.md describes them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, cast

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

import rules
from rules.engine.game import Game

SETTINGS: Final = "manual.toml"
_KEYS: Final = {"chapters", "only", "asked", "untold"}

_ID = r"[A-Z]+-[A-Z]+-\d+"
_MARGIN = re.compile(rf"\s*\[({_ID}(?:\s+{_ID})*)\]$")
_ANCHOR = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
_ONLY = re.compile(r"^::: +([a-z][a-z -]*)\n(.*?)^:::$\n?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter under a heading of its own; what stands before the first has none."""

    anchor: str
    title: str
    html: SafeString
    text: str
    rules: tuple[str, ...]

    def has(self, words: Sequence[str]) -> bool:
        """True if it speaks of each of the words, which are folded."""
        return all(word in self.text for word in words)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter, with its sections in order."""

    anchor: str
    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    """The rules of one mode, as people read them."""

    chapters: tuple[Chapter, ...]
    asked: Mapping[str, str]
    """The section about each kind of prompt that this mode explains."""
    untold: frozenset[str]
    """Rules that nobody who plays has to know."""

    @property
    def rules(self) -> frozenset[str]:
        """Every rule that stands in a margin."""
        return frozenset(
            rule for chapter in self.chapters for part in chapter.sections for rule in part.rules
        )

    def found(self, words: Sequence[str]) -> tuple[Chapter, ...]:
        """The chapters with no more than the sections that speak of all the words."""
        if not words:
            return self.chapters
        kept = (
            Chapter(one.anchor, one.title, tuple(part for part in one.sections if part.has(words)))
            for one in self.chapters
        )
        return tuple(chapter for chapter in kept if chapter.sections)


def search_words(text: str) -> list[str]:
    """The words of a search, normalised like the text of sections."""
    return text.casefold().split()


def manual_files(game: Game) -> Traversable:
    """Where the rules to read of a game lie, if it has any."""
    return resources.files(game.package or __package__).joinpath("manual")


@lru_cache(maxsize=64)
def settings_of(slug: str) -> Mapping[str, Any] | None:
    """The settings in a game's ``manual.toml``; None without one. Raises ``ValueError``."""
    file = manual_files(rules.game(slug)).joinpath(SETTINGS)
    if not file.is_file():
        return None
    settings = tomllib.loads(file.read_text("utf-8"))
    if unknown := sorted(set(settings) - _KEYS):
        raise ValueError(f"{slug}: {SETTINGS} has {', '.join(unknown)}; it may have {_KEYS}.")
    return settings


@lru_cache(maxsize=64)
def manual_of(slug: str, mode: str) -> Manual | None:
    """The rules to read of a mode; None where a game brings none for it."""
    settings = settings_of(slug)
    if settings is None or mode not in settings["chapters"]:
        return None
    game = rules.game(slug)
    page = _Page(game, mode, settings.get("only", {}))
    chapters = tuple(page.chapter(name) for name in settings["chapters"][mode])
    anchors = {part.anchor for chapter in chapters for part in chapter.sections}
    anchors |= {chapter.anchor for chapter in chapters}
    asked = {kind: f"on-{name}" for kind, name in settings.get("asked", {}).items()}
    return Manual(
        chapters=chapters,
        asked={kind: anchor for kind, anchor in asked.items() if anchor in anchors},
        untold=frozenset(rule for rows in settings.get("untold", {}).values() for rule in rows),
    )


@lru_cache(maxsize=64)
def numbered_rules(slug: str) -> frozenset[str]:
    """The numbered rules of a game's README, which a game without a manual shows instead."""
    game = rules.game(slug)
    file = resources.files(game.package or __package__).joinpath("README.md")
    text = file.read_text("utf-8") if file.is_file() else ""
    return frozenset(re.findall(rf"^- \*\*({_ID})\*\*", text, re.MULTILINE))


def place_of(slug: str, mode: str, prompt: str) -> str:
    """The anchor of what is said about a kind of prompt; "" where nothing is."""
    manual = manual_of(slug, mode)
    return manual.asked.get(prompt, "") if manual else ""


class _Page:
    """Draws the chapters of one mode; a rule's ID is an anchor where it comes first."""

    def __init__(self, game: Game, mode: str, only: Mapping[str, Iterable[str]]) -> None:
        self.game = game
        self.mode = mode
        self.elsewhere = tuple(f"{family}-" for family, modes in only.items() if mode not in modes)
        self.anchored: set[str] = set()
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.markdown.core.ruler.before("inline", "margin", _take_margins)
        self.markdown.core.ruler.push("margin-drawn", self._draw_margins)
        drawn: dict[str, Any] = {
            "fence": self._fence,
            "table_open": _table_open,
            "table_close": _table_close,
        }
        cast(RendererHTML, self.markdown.renderer).rules.update(drawn)

    def chapter(self, name: str) -> Chapter:
        text = manual_files(self.game).joinpath(f"{name}.md").read_text("utf-8")
        text = _ONLY.sub(lambda part: part[2] if self.mode in part[1].split() else "", text)
        title, *parts = self._parts(self.markdown.parse(text))
        heading, anchor = _heading(title[1].content)
        sections = [self._section("", "", title[3:])] if title[3:] else []
        for tokens in parts:
            words, own = _heading(tokens[1].content)
            sections.append(self._section(own, words, tokens[3:]))
        return Chapter(anchor, heading, tuple(sections))

    def _parts(self, tokens: list[Token]) -> Iterable[list[Token]]:
        """The tokens from each heading of a chapter or a section to the next."""
        begins = [
            number
            for number, token in enumerate(tokens)
            if token.type == "heading_open" and token.tag in ("h1", "h2")
        ]
        for begin, end in zip(begins, [*begins[1:], len(tokens)], strict=True):
            yield tokens[begin:end]

    def _section(self, anchor: str, title: str, tokens: list[Token]) -> Section:
        html = self.markdown.renderer.render(tokens, self.markdown.options, {})
        rules = [rule for token in tokens for rule in token.meta.get("rules", ())]
        words = [title, *(token.content for token in tokens if token.type == "inline"), *rules]
        words += [token.content for token in tokens if token.type == "fence"]
        return Section(
            anchor=anchor,
            title=title,
            html=mark_safe(html),  # noqa: S308  (our own file; its HTML is switched off)
            text=re.sub(r"[*_`]", "", " ".join(words)).casefold(),
            rules=tuple(rules),
        )

    def _draw_margins(self, state: StateCore) -> None:
        for token in state.tokens:
            if "rules" not in token.meta or token.children is None:
                continue
            here = [rule for rule in token.meta["rules"] if not rule.startswith(self.elsewhere)]
            token.meta["rules"] = here
            if here:
                drawn = Token("html_inline", "", 0, content=self._margin(here))
                token.children.insert(0, drawn)

    def _margin(self, rules: Iterable[str]) -> str:
        links: list[tuple[str, ...]] = []
        for rule in rules:
            first = rule not in self.anchored
            anchor = format_html(' id="{}"', rule) if first else SafeString()
            self.anchored.add(rule)
            links.append((anchor, rule, rule, rule.partition("-")[2]))
        row = '<a class="rule-id"{} href="#{}" aria-label="Rule {}">{}</a>'
        return format_html('<span class="rule-ids">{}</span>', format_html_join(" ", row, links))

    def _fence(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        """A picture: the first line names cards, and dice by their numbers; then its sentence."""
        things, *caption = tokens[index].content.splitlines()
        if tokens[index].info != "picture" or not caption:
            raise ValueError(f"{self.game.slug}: “{things}” has no caption.")
        return picture(self.game, things.split(), " ".join(caption))


def picture(game: Game, things: Iterable[str], caption: str) -> SafeString:
    """Cards, dice and images side by side, with a sentence below; raises ``ValueError``.

    An image is a WebP file in the static folder of the game's site, by its name.
    """
    cards: list[str] = []
    dice: list[int] = []
    images: list[str] = []
    for thing in things:
        if thing.isdecimal() and 1 <= int(thing) <= 6:
            dice.append(int(thing))
        elif thing in game.catalog:
            cards.append(thing)
        elif thing.endswith(".webp"):
            images.append(f"{game.slug}/{thing}")
        else:
            raise ValueError(f"“{thing}” is not a card of {game.name}, a die or an image.")
    context = {"game": game, "cards": cards, "dice": dice, "images": images, "caption": caption}
    return mark_safe(render_to_string("matches/rules_picture.html", context).strip())  # noqa: S308


def _heading(text: str) -> tuple[str, str]:
    """A heading's words and its anchor: the one in ``{#…}``, or one made of the words."""
    words = _ANCHOR.sub("", text)
    named = _ANCHOR.search(text)
    return words, f"on-{named[1] if named else slugify(words)}"


def _take_margins(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and (margin := _MARGIN.search(token.content)):
            token.meta["rules"] = margin[1].split()
            token.content = token.content[: margin.start()]


def _table_open(*_: Any) -> str:
    # Wider than a phone, it is moved with the keys, too.
    return (
        '<div class="table-wrap" tabindex="0" role="group" aria-label="Table"><table class="table">'
    )


def _table_close(*_: Any) -> str:
    return "</table></div>"
