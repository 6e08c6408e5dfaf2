"""Deck lists as people type them: read line by line, changed in place, written anew.

A line is a count and a card: ``2 Red Claw``, ``2x kao-char-red-claw``, ``Red Claw x2``, ``Claw
(Red)``, ``1 Red Claw (Emberfall) 12``. ``#`` and ``//`` begin comments; ``[main]`` or ``Main:``
begin a section. What cannot be read stays an entry under the words that were typed, so that a
report can name it and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache

import rules
from rules.engine.cards import CardType
from rules.engine.legality import Decklist, Fix

DEFAULT_SECTIONS = ("main",)
SUGGESTIONS = 3
SUGGESTED_LINES = 30
"""Nearest names are looked for in so many lines only: a whole wrong list needs none."""

_COMMENT = re.compile(r"(?:^|\s+)(?:#|//).*$")
_HEADING = re.compile(r"^(?:\[\s*(?P<bracket>[^\]]+?)\s*\]|(?P<colon>[^:]+?)\s*:)$")
_COUNT_BEFORE = re.compile(r"^(?P<count>\d{1,6})(?:\s*[x×]\s*|\s+)(?P<name>\S.*)$", re.IGNORECASE)
_COUNT_AFTER = re.compile(r"^(?P<name>.*\S)\s+[x×]\s*(?P<count>\d{1,6})$", re.IGNORECASE)
_PRINTING = re.compile(r"^(?P<name>.*\S)\s+\((?P<tag>[^()]+)\)(?:\s+\d{1,4})?$")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the list. ``card`` is a slug, or "" where the words ``name`` are no card's."""

    number: int
    section: str
    count: int
    name: str
    card: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A list that was read: its entries, and the deck list that they make."""

    lines: tuple[Line, ...]
    sections: tuple[str, ...] = DEFAULT_SECTIONS
    cards: Decklist = field(default_factory=dict)

    @property
    def unread(self) -> tuple[Line, ...]:
        """The lines whose words are no card's."""
        return tuple(line for line in self.lines if not line.card)

    @property
    def everything(self) -> dict[str, dict[str, int]]:
        """The deck list with the unread entries in it, under the words that were typed."""
        return _added_up(self.lines, self.sections)


def read_list(text: str, game: str, sections: Sequence[str] = DEFAULT_SECTIONS) -> Reading:
    """Read a typed list; raises ``UnknownGame``. Equal cards in several lines add up."""
    names = _names(game)
    lines: list[Line] = []
    to_suggest = SUGGESTED_LINES
    for line in _entries(text, names, sections):
        if not line.card and to_suggest:
            to_suggest -= 1
            line = replace(line, suggestions=names.nearest(line.name))
        lines.append(line)
    known = [line for line in lines if line.card]
    return Reading(tuple(lines), tuple(sections), _added_up(known, sections))


def write_list(cards: Decklist, game: str) -> str:
    """A list as text that reads back as the same: by section and kind, in catalog order."""
    catalog = rules.game(game).catalog
    order = {slug: number for number, slug in enumerate(catalog)}
    blocks: list[str] = []
    for section, counts in cards.items():
        if list(cards) != [DEFAULT_SECTIONS[0]]:
            blocks.append(f"[{section}]")
        kinds: dict[str, list[str]] = {}
        for slug in sorted(counts, key=lambda slug: (order.get(slug, len(order)), slug)):
            card = catalog.get(slug)
            kind = card.kind if card else "unknown"
            title = card.title if card else slug
            kinds.setdefault(kind, []).append(f"{counts[slug]} {title}")
        for kind, lines in kinds.items():
            blocks.append("\n".join([f"# {kind.capitalize()}", *lines]))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def change_list(
    text: str,
    game: str,
    section: str,
    changes: Mapping[str, int],
    sections: Sequence[str] = DEFAULT_SECTIONS,
) -> str:
    """The typed list with other counts, everything else left as it was typed.

    ``changes`` are keyed as :attr:`Reading.everything` is. What is taken out leaves the last
    lines first; what is added joins the card's first line, or is written below its section.
    """
    names = _names(game)
    lines = text.splitlines()
    entries = [line for line in _entries(text, names, sections) if line.section == section]
    new: list[str] = []
    gone: set[int] = set()
    for key, change in changes.items():
        mine = [line for line in entries if (line.card or line.name) == key]
        if change > 0 and mine:
            lines[mine[0].number - 1] = _with_count(mine[0], mine[0].count + change, lines)
        elif change > 0:
            new.append(f"{change} {names.title(key)}")
        for line in reversed(mine if change < 0 else []):
            taken = min(line.count, -change)
            change += taken
            if taken == line.count:
                gone.add(line.number - 1)
            elif taken:
                lines[line.number - 1] = _with_count(line, line.count - taken, lines)
    if new and not entries and section != sections[0]:
        new.insert(0, f"[{section}]")
    end = _end_of_section(text, names, section, sections)
    lines[end:end] = new
    gone = {number if number < end else number + len(new) for number in gone}
    return _joined(line for number, line in enumerate(lines) if number not in gone)


def fix_list(text: str, game: str, fix: Fix, sections: Sequence[str] = DEFAULT_SECTIONS) -> str:
    """The typed list with a report's fix made; what it moves goes from section to section."""
    before = read_list(text, game, sections).everything.get(fix.section, {})
    text = change_list(text, game, fix.section, fix.changes, sections)
    if not fix.to:
        return text
    moved = {
        card: min(-change, before[card])
        for card, change in fix.changes.items()
        if change < 0 and card in before
    }
    return change_list(text, game, fix.to, moved, sections)


def rename_line(
    text: str, game: str, number: int, card: str, sections: Sequence[str] = DEFAULT_SECTIONS
) -> str:
    """The typed list with ``card`` named in an unread line; any other line stays as it is."""
    names = _names(game)
    lines = text.splitlines()
    for line in _entries(text, names, sections):
        if line.number == number and not line.card and names.knows(card):
            renamed = replace(line, name=names.title(card))
            lines[number - 1] = _with_count(renamed, line.count, lines)
    return _joined(lines)


def comment_out(text: str, lines: Sequence[Line]) -> str:
    """The typed list with these lines turned into comments."""
    numbers = {line.number for line in lines}
    return _joined(
        f"# {line}" if number in numbers else line
        for number, line in enumerate(text.splitlines(), start=1)
    )


def _joined(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return f"{text}\n" if text else ""


def _end_of_section(text: str, names: _Names, section: str, sections: Sequence[str]) -> int:
    """How many lines stand before the place where a new entry of the section belongs."""
    everything = list(_entries(text, names, sections))
    mine = [line.number for line in everything if line.section == section]
    if mine:
        return max(mine)
    # The first section begins where no heading has been yet; another one is new, at the end.
    return 0 if everything and section == sections[0] else len(text.splitlines())


def _with_count(line: Line, count: int, lines: Sequence[str]) -> str:
    """A line as it was typed, comment and all, with another count."""
    typed = lines[line.number - 1]
    comment = _COMMENT.search(typed)
    tail = comment.group() if comment else ""
    return f"{count} {line.name}{tail}"


def _entries(text: str, names: _Names, sections: Sequence[str]) -> Iterator[Line]:
    section = sections[0]
    by_name = {name.casefold(): name for name in sections}
    for number, typed in enumerate(text.splitlines(), start=1):
        words = " ".join(_COMMENT.sub("", typed).split())
        if not words:
            continue
        heading = _HEADING.match(words)
        if heading:
            name = (heading["bracket"] or heading["colon"]).casefold()
            if name in by_name:
                section = by_name[name]
                continue
        yield _entry(number, section, words, names)


def _entry(number: int, section: str, words: str, names: _Names) -> Line:
    """A whole line may be a name; only then is a number in it a count."""
    if card := names.find(words):
        return Line(number, section, 1, words, card)
    for form in (_COUNT_BEFORE, _COUNT_AFTER):
        if match := form.match(words):
            name, count = match["name"], int(match["count"])
            return Line(number, section, count, name, names.find(name))
    return Line(number, section, 1, words)


def _added_up(lines: Sequence[Line], sections: Sequence[str]) -> dict[str, dict[str, int]]:
    cards: dict[str, dict[str, int]] = {}
    for line in sorted(lines, key=lambda line: sections.index(line.section)):
        counts = cards.setdefault(line.section, {})
        key = line.card or line.name
        counts[key] = counts.get(key, 0) + line.count
    return cards


def _key(words: str) -> str:
    """What stays the same however a name is spelt: case, spaces, kinds of apostrophes."""
    return " ".join(words.casefold().replace("’", "'").replace("`", "'").split())


class _Names:
    """Everything that a game's cards may be called."""

    def __init__(self, game: str) -> None:
        found = rules.game(game)
        self._catalog = found.catalog
        self._sets = {row.slug: row.name for row in found.sets}
        self._cards: dict[str, list[str]] = {}
        for slug, card in self._catalog.items():
            for name in {slug, _key(card.title), _key(card.name)}:
                self._cards.setdefault(name, []).append(slug)
        # "Claw red" is "Red Claw" to a reader, so it is near, however far the letters are.
        self._by_words = {
            " ".join(sorted(_key(card.title).split())): slug for slug, card in self._catalog.items()
        }

    def knows(self, card: str) -> bool:
        return card in self._catalog

    def title(self, card: str) -> str:
        found = self._catalog.get(card)
        return found.title if found else card

    def find(self, words: str) -> str:
        """The one card of this name, or ""."""
        found = self._cards.get(_key(words), [])
        if len(found) == 1:
            return found[0]
        if match := _PRINTING.match(words):
            tag = _key(match["tag"])
            meant = [
                slug
                for slug in self._cards.get(_key(match["name"]), [])
                if tag in self._tags(self._catalog[slug])
            ]
            if len(meant) == 1:
                return meant[0]
        return ""

    def nearest(self, words: str) -> tuple[str, ...]:
        """The cards whose names are most like this, the likest first."""
        match = _PRINTING.match(words)
        key = _key(match["name"] if match else words)
        near: list[str] = list(self._cards.get(key, []))
        if slug := self._by_words.get(" ".join(sorted(key.split()))):
            near.append(slug)
        for name in get_close_matches(key, self._cards, n=SUGGESTIONS, cutoff=0.6):
            near.extend(self._cards[name])
        return tuple(dict.fromkeys(near))[: max(SUGGESTIONS, len(self._cards.get(key, [])))]

    def _tags(self, card: CardType) -> set[str]:
        """What may stand in brackets behind a name: the colour, or a set that the card is in."""
        tags = {_key(card.colour)} if card.colour else set()
        for slug in card.sets:
            tags |= {slug, _key(self._sets.get(slug, slug))}
        return tags


@lru_cache(maxsize=16)
def _names(game: str) -> _Names:
    return _Names(game)
