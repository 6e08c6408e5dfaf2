"""Deck lists as people type them: read line by line, changed in place, written anew.

A line is a count and a card, with whatever other programs add to it::

    list     = [ title ] { blank | comment | heading | entry }
    comment  = ( "#" | "//" ) words             also behind an entry, after a space
    heading  = "[" section "]" | section ":" | section [ "(" number ")" ]
    title    = "==" words                       above the first card alone, and read over
    entry    = [ "-" | "•" ] [ prefix ":" ] ( [ count ] card | card count )
    prefix   = "SB" | section
    count    = number | number "x" | "x" number | "(" "x" number ")"
    card     = name { ( "(" set ")" | "[" set "]" ) [ number ] | foil | ":" subtitle }
    foil     = "*F*" | "F" | "Foil"

``set`` is a set's name, slug or code, or the card's colour. A code that no set of the game has is
passed over where a collector's number follows, as other programs write it. The game tells its
rulings on names (``Game.named``), and ``section`` any name that people have for one: its own,
"Main", "Deck" for the first, "Sideboard" for the second. All of a line may be a card's name
(``Gold 2/7``, ``Claw (Red)``); what looks like a count, a set or a mark is one only where that
leaves a card's name. The kinds of cards ("Characters (12)") are headings that change nothing.

In a list without any heading each card goes into the section of its kind, if the mode has several.
Where it has two that take the same kinds, a single gap of blank lines parts them. The heading of a
kind is that of its section there.

What cannot be read stays an entry under the words that were typed, so that a report can name it
and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rapidfuzz import fuzz, process

import rules
from collection.lists.matching import any_order
from collection.lists.matching import key as _key
from decks.lists.homes import homes_of
from rules.engine.cards import CardType
from rules.engine.legality import Decklist, Fix

DEFAULT_SECTIONS = ("main",)
SUGGESTIONS = 3
SUGGESTED_LINES = 500
"""Nearest names are looked for in so many lines only: a whole wrong list needs none."""
MAX_NAME_LENGTH = 200
"""A longer line is not a card's name; it is not looked at closely."""
MAX_DECORATIONS = 4
"""So much is taken off the end of a name, one after the other: a set, its number, a mark."""

_OTHER_KIND = "unknown"
_NEAR = 60.0
_NEAR_KEPT = 5_000
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
"""Signs that nobody sees, which come along when people copy."""
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//).*$")
_BULLET = re.compile(r"^[-–*•·]\s+")
_FRAME = re.compile(r"^(?P<frame>[=*_~-]{2,})\s*(?P<name>\S.*?)\s*(?P=frame)$")
_TITLE = re.compile(r"^==+\s*[^=\s]|^==+\s+\S")
"""``== Mira: Wildfire``, as a list on a pile of a deck check begins (``decks.queries.checks``)."""
_BRACKETS = re.compile(r"^\[\s*(?P<name>[^\[\]]+?)\s*\]:?$")
_HEADING = re.compile(r"^(?P<name>[^:()\[\]]+?)\s*(?:\(\s*\d{1,6}[^()]{0,20}\))?\s*(?P<colon>:?)$")
_PREFIX = re.compile(r"^(?P<name>[^:]+?)\s*:\s*(?P<words>[^:\s].*)$")
_COUNTS = (
    re.compile(r"^(?P<count>\d{1,6})(?:\s*[x×]\s+|[x×]|\s+)(?P<name>\S.*)$", re.IGNORECASE),
    re.compile(r"^[x×]\s?(?P<count>\d{1,6})\s+(?P<name>\S.*)$", re.IGNORECASE),
    re.compile(r"^(?P<name>.*\S)\s+[x×]\s*(?P<count>\d{1,6})$", re.IGNORECASE),
    re.compile(r"^(?P<name>.*\S)\s+(?P<count>\d{1,6})\s?[x×]$", re.IGNORECASE),
    re.compile(r"^(?P<name>.*\S)\s+\(\s*[x×]?\s*(?P<count>\d{1,6})\s*[x×]?\s*\)$", re.IGNORECASE),
)
_NUMBER = r"(?P<number>\#?(?:\w{1,5}-)?[A-WYZ]?\d{1,5}[a-wyz]?)"
"""A collector's number, such as 12, #12a, FD-012 or T12; with an X it would be a count."""
_CODE = re.compile(r"(?![xX]?\d+[xX]?$)(?:[A-Za-z0-9]{1,5}|[A-Z0-9-]{1,8})", re.ASCII)
"""Codes of sets in other games; a count in brackets is not a code."""
_DECORATIONS = (
    re.compile(r"^(?P<name>.*\S)\s+(?:\*[fe]\*|f|foil|\(foil\)|\[foil\])$", re.IGNORECASE),
    re.compile(rf"^(?P<name>.*\S)\s+\((?P<tag>[^()]+)\)(?:\s+{_NUMBER})?$"),
    re.compile(rf"^(?P<name>.*\S)\s*\[(?P<tag>[^\[\]]+)\](?:\s+{_NUMBER})?$"),
    re.compile(r"^(?P<name>.*?\S)\s*(?:::|\s:)\s*\S.*$"),
)
_NAMES_OF_FIRST = ("deck", "main", "main deck", "maindeck", "mainboard", "main board")
_NAMES_OF_SECOND = ("sb", "side", "sideboard", "side board", "side deck", "sidedeck")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the list. ``card`` is a slug, or "" where the words ``name`` are no card's."""

    number: int
    section: str
    count: int
    name: str
    card: str = ""
    suggestions: tuple[str, ...] = ()
    head: str = ""
    """The text typed before the count …"""
    tail: str = ""
    """… and behind the name: a comment."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A list that was read: its entries, and the deck list that they make.

    ``gap`` is the number of the blank line that parts the two sections; 0 where none does.
    """

    lines: tuple[Line, ...]
    sections: tuple[str, ...] = DEFAULT_SECTIONS
    cards: Decklist = field(default_factory=dict)
    gap: int = 0
    game: str = ""

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
    layout = _laid_out(text, names, sections)
    lines: list[Line] = []
    to_suggest = SUGGESTED_LINES
    for line in layout.entries:
        if not line.card and to_suggest:
            to_suggest -= 1
            line = replace(line, suggestions=names.nearest(line.name))
        lines.append(line)
    known = [line for line in lines if line.card]
    return Reading(tuple(lines), tuple(sections), _added_up(known, sections), layout.gap, game)


def write_list(cards: Decklist, game: str) -> str:
    """A list as text that reads back as the same: by section and kind, in catalog order."""
    names = _names(game)
    catalog = rules.game(game).catalog
    order = {slug: number for number, slug in enumerate(catalog)}
    blocks: list[str] = []
    for section, counts in cards.items():
        if list(cards) != [DEFAULT_SECTIONS[0]]:
            blocks.append(f"[{section}]")
        kinds: dict[str, list[str]] = {}
        for slug in sorted(counts, key=lambda slug: (order.get(slug, len(order)), slug)):
            card = catalog.get(slug)
            kind = card.kind if card else _OTHER_KIND
            kinds.setdefault(kind, []).append(f"{counts[slug]} {names.written(slug)}")
        for kind, lines in kinds.items():
            blocks.append(
                "\n".join([f"# {kind.replace('_', ' ').replace('-', ' ').capitalize()}", *lines])
            )
    return "\n\n".join(blocks) + "\n" if blocks else ""


def find_card(name: str, game: str) -> str:
    """The one card of this name, or ""."""
    return _names(game).find(" ".join(name.split()))


def cards_in(text: str, game: str) -> int:
    """How many lines of a text name cards of this game."""
    return sum(bool(line.card) for line in _laid_out(text, _names(game), DEFAULT_SECTIONS).entries)


def find_section(name: str, sections: Sequence[str]) -> str:
    """The section that people call so, or ""."""
    return _sections_by_name(tuple(sections)).get(_key(name), "")


def unread_name(name: str, game: str) -> str:
    """A name that is no card's, in a form that a list keeps as one: no comment begins in it."""
    words = _tidy(name)
    if _names(game).uncommented(f"7 {words}")[1]:
        words = words.replace("#", "＃").replace("//", "／／")
    return words


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
    layout = _laid_out(text, names, sections)
    if layout.sorted_by_kind:
        text = _under_headings(text, layout, sections)
    else:
        text = _with_heading(text, layout.gap, sections)
    layout = _laid_out(text, names, sections)
    lines = text.splitlines()
    entries = [line for line in layout.entries if line.section == section]
    new: list[str] = []
    gone: set[int] = set()
    for key, change in changes.items():
        mine = [line for line in entries if (line.card or line.name) == key]
        if change > 0 and mine:
            lines[mine[0].number - 1] = _with_count(mine[0], mine[0].count + change)
        elif change > 0:
            new.append(f"{change} {names.written(key)}")
        for line in reversed(mine if change < 0 else []):
            taken = min(line.count, -change)
            change += taken
            if taken == line.count:
                gone.add(line.number - 1)
            elif taken:
                lines[line.number - 1] = _with_count(line, line.count - taken)
    end = layout.place(section)
    if new and layout.after[end] != section:
        new.insert(0, f"[{section}]")
    lines[end:end] = new
    gone = {number if number < end else number + len(new) for number in gone}
    left = _joined(line for number, line in enumerate(lines) if number not in gone)
    return _without_gap(left, names, sections)


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
    for line in _laid_out(text, names, sections).entries:
        if line.number == number and not line.card and names.knows(card):
            lines[number - 1] = _with_count(replace(line, name=names.written(card)), line.count)
    return _joined(lines)


def comment_out(text: str, reading: Reading) -> str:
    """The typed list with its unread lines turned into comments."""
    numbers = {line.number for line in reading.unread}
    left = _joined(
        f"# {line}" if number in numbers else line
        for number, line in enumerate(text.splitlines(), start=1)
    )
    left = _with_heading(left, reading.gap, reading.sections)
    return _without_gap(left, _names(reading.game), reading.sections)


def _joined(lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return f"{text}\n" if text else ""


def _with_heading(text: str, gap: int, sections: Sequence[str]) -> str:
    """The list with a heading behind its gap: a change of the lines around it might close it."""
    if not gap:
        return text
    lines = text.splitlines()
    lines.insert(gap, f"[{sections[1]}]")
    return _joined(lines)


def _under_headings(text: str, layout: _Layout, sections: Sequence[str]) -> str:
    """The list with the cards of each section under a heading; what stands above a line stays
    above it."""
    of = {line.number: line.section for line in layout.entries}
    parts: dict[str, list[str]] = {section: [] for section in sections}
    above: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        above.append(line)
        if number in of:
            parts[of[number]] += above
            above = []
    headed = {section: [f"[{section}]", *lines] for section, lines in parts.items() if lines}
    return _joined([*(line for lines in headed.values() for line in lines), *above])


def _without_gap(text: str, names: _Names, sections: Sequence[str]) -> str:
    """The list with a heading above it where lines that went have left a gap that parts it."""
    return f"[{sections[0]}]\n{text}" if _laid_out(text, names, sections).gap else text


def _with_count(line: Line, count: int) -> str:
    """A line as it was typed, comment and all, with another count."""
    return f"{line.head}{count} {line.name}{line.tail}"


@dataclass(frozen=True, slots=True)
class _Layout:
    """The entries of a list, and the section that a line would be in ``after`` so many lines."""

    entries: list[Line]
    after: list[str]
    gap: int = 0
    sorted_by_kind: bool = False

    def place(self, section: str) -> int:
        """How many lines stand before the place where a new entry of the section belongs."""
        end = len(self.after) - 1
        places = [number for number, name in enumerate(self.after) if name == section]
        mine = [line.number for line in self.entries if line.section == section]
        # What stands behind a prefix is in its section alone.
        if plain := [number for number in mine if self.after[number] == section]:
            return max(plain)
        if not self.entries and self.after[end] == section:
            return end
        return min(places, default=end)


def _laid_out(text: str, names: _Names, sections: Sequence[str]) -> _Layout:
    entries: list[Line] = []
    after = [sections[0]]
    gaps: list[int] = []
    blank, divided, headed = 0, False, False
    for number, typed in enumerate(text.splitlines(), start=1):
        words, tail = names.uncommented(typed)
        heading = names.heading(words, sections)
        after.append(heading or after[-1])
        if heading is not None:
            divided = True
            headed = headed or bool(heading)
        elif not entries and _TITLE.match(words):
            pass
        elif words:
            line = names.entry(number, after[-1], words, sections)
            entries.append(replace(line, tail=tail))
            divided = divided or ":" in line.head
            headed = headed or ":" in line.head
            if blank and len(entries) > 1:
                gaps.append(blank)
            blank = 0
        elif not tail:
            blank = blank or number
        else:
            divided = divided or names.is_kind(tail)
    if not headed and names.homes(sections):
        return _Layout(names.by_kind(entries, sections), after, sorted_by_kind=True)
    if divided or len(gaps) != 1 or len(sections) != 2:
        return _Layout(entries, after)
    gap = gaps[0]
    entries = [replace(e, section=sections[1]) if e.number > gap else e for e in entries]
    return _Layout(entries, after[:gap] + [sections[1]] * (len(after) - gap), gap)


def _added_up(lines: Iterable[Line], sections: Sequence[str]) -> dict[str, dict[str, int]]:
    cards: dict[str, dict[str, int]] = {}
    for line in sorted(lines, key=lambda line: sections.index(line.section)):
        counts = cards.setdefault(line.section, {})
        key = line.card or line.name
        counts[key] = counts.get(key, 0) + line.count
    return cards


def _tidy(typed: str) -> str:
    return " ".join(_UNSEEN.sub("", typed).split())


def _undecorated(name: str) -> tuple[str, str, bool] | None:
    """A name without the last thing that was added to it; that if it says which card, and whether
    a collector's number stood behind it."""
    for form in _DECORATIONS:
        if match := form.match(name):
            parts = match.groupdict()
            return match["name"], parts.get("tag") or "", bool(parts.get("number"))
    return None


class _Names:
    """Everything that a game's cards may be called."""

    def __init__(self, game: str) -> None:
        known = rules.game(game)
        self._game = game
        self._catalog = known.catalog
        self._named = known.named
        self._sets = {
            row.slug: {row.slug, _key(row.name)} | ({_key(row.code)} if row.code else set())
            for row in known.sets
        }
        # A slug is one card's, a title too; a name may be that of several.
        self._called: tuple[dict[str, list[str]], ...] = ({}, {}, {})
        for slug, card in self._catalog.items():
            for names, name in zip(self._called, (slug, card.title, card.name), strict=True):
                names.setdefault(_key(name), []).append(slug)
        self._all: dict[str, list[str]] = {}
        for names in self._called:
            for name, slugs in names.items():
                self._all.setdefault(name, []).extend(slugs)
        self._coloured: dict[str, list[str]] = {}
        for slug, card in self._catalog.items():
            if card.colour:
                words = any_order(f"{card.name} {card.colour}")
                self._coloured.setdefault(words, []).append(slug)
        self._keys = list(self._all)
        self._all_tags = set().union(
            *self._sets.values(), *(self._tags(card) for card in self._catalog.values())
        )
        kinds = {
            _key(card.kind.replace("_", " ").replace("-", " ")): card.kind
            for card in self._catalog.values()
        }
        self._kinds = kinds | {_plural(name): kind for name, kind in kinds.items()}
        self._kinds[_OTHER_KIND] = _OTHER_KIND
        self._near: dict[str, tuple[str, ...]] = {}
        self._written: dict[str, str] = {}

    def knows(self, card: str) -> bool:
        return card in self._catalog

    def written(self, card: str) -> str:
        """Return a card's name in a list: its title, or its slug if the title would be misread."""
        known = self._catalog.get(card)
        if known is None:
            return card
        if card not in self._written:
            words, tail = self.uncommented(f"7 {known.title}")
            read = self._read(words)
            plain = not tail and read is not None and (read[0], read[2]) == (7, card)
            self._written[card] = known.title if plain else card
        return self._written[card]

    def homes(self, sections: Sequence[str]) -> Mapping[str, str]:
        """The section for each kind of cards; empty where all kinds belong to one."""
        return homes_of(self._game, tuple(sections))

    def by_kind(self, entries: Iterable[Line], sections: Sequence[str]) -> list[Line]:
        """Entries in the sections of their kinds; an unread one is beside the one before it."""
        homes, section = self.homes(sections), sections[0]
        placed = []
        for line in entries:
            if line.card:
                section = homes.get(self._catalog[line.card].kind, sections[0])
            placed.append(replace(line, section=section))
        return placed

    def find(self, words: str) -> str:
        """The one card of this name, or ""."""
        name, tags = words, list[str]()
        for _ in range(MAX_DECORATIONS + 1):
            for slugs in self._called_so(_key(name)):
                meant = [
                    slug
                    for slug in slugs
                    if not tags or self._tags(self._catalog[slug]).issuperset(tags)
                ]
                if len(meant) == 1:
                    return meant[0]
            card = self._named(name)
            if card and self._tags(self._catalog[card]).issuperset(tags):
                return card
            less = _undecorated(name)
            if less is None:
                break
            name, tag, numbered = less
            if tag and not (numbered and self._is_foreign(tag)):
                tags.append(_key(tag))
        return ""

    def _called_so(self, name: str) -> Iterator[list[str]]:
        """The cards of a name, by each way to call them."""
        for names in self._called:
            yield names.get(name, [])
        yield self._coloured.get(any_order(name), [])

    def _is_foreign(self, tag: str) -> bool:
        """True for the code of a set that the game does not have."""
        return bool(_CODE.fullmatch(tag)) and _key(tag) not in self._all_tags

    def uncommented(self, typed: str) -> tuple[str, str]:
        """The words of a line and, as it was typed, the comment behind them."""
        comment = _COMMENT.search(typed)
        words = _tidy(typed)
        if comment is None or self._read(words):
            return words, ""
        words = _tidy(typed[: comment.start()])
        return words, typed[len(typed[: comment.start()].rstrip()) :]

    def heading(self, words: str, sections: Sequence[str]) -> str | None:
        """The section that begins here; "" where only a kind of cards does; None: no heading."""
        if not words or len(words) > MAX_NAME_LENGTH:
            return None
        frame = _FRAME.match(words)
        bare = frame["name"] if frame else words
        match = _BRACKETS.match(bare) or _HEADING.match(bare)
        if match is None:
            return None
        name = _key(match["name"])
        section = _sections_by_name(tuple(sections)).get(name, "")
        if homes := self.homes(sections):
            if section and name in _NAMES_OF_FIRST and name not in sections:
                section = ""  # "Deck" above all cards: they are sorted
            section = section or homes.get(self._kinds.get(name, ""), "")
        if not section and name not in self._kinds and name not in _NAMES_OF_FIRST:
            return None
        clear = frame or match.groupdict().get("colon", ":") != ""
        return section if clear or not self._read(words) else None

    def is_kind(self, comment: str) -> bool:
        """True if a comment is the heading of a kind of cards, as in lists written here."""
        return _key(comment.lstrip("#/")) in self._kinds

    def entry(self, number: int, section: str, words: str, sections: Sequence[str]) -> Line:
        """A whole line may be a name; only then is a number in it a count."""
        bullet = _BULLET.match(words)
        head = bullet.group() if bullet else ""
        rest = words[len(head) :]
        read = self._read(rest)
        note = ""
        if read is None and (prefix := _PREFIX.match(rest)):
            name = _key(prefix["name"])
            before = rest[: prefix.start("words")]
            if place := _sections_by_name(tuple(sections)).get(name, ""):
                section, head, rest = place, head + before, prefix["words"]
            elif name in _NAMES_OF_SECOND:
                # There is no such section here: the words stay to be seen.
                note, rest = before, prefix["words"]
            read = None if note else self._read(rest)
        count, name, card = read or (*_counted(rest), "")
        return Line(number, section, count, note + name, card, head=head)

    def nearest(self, words: str) -> tuple[str, ...]:
        """The cards whose names are most like this, the likest first."""
        if words not in self._near:
            if len(self._near) >= _NEAR_KEPT:
                self._near.clear()
            self._near[words] = self._look(words)
        return self._near[words]

    def _look(self, words: str) -> tuple[str, ...]:
        if len(words) > MAX_NAME_LENGTH:
            return ()
        prefix = _PREFIX.match(words)
        if prefix and _key(prefix["name"]) in _NAMES_OF_SECOND:
            words = _counted(prefix["words"])[1]
        wanted = [_key(words)]
        while (less := _undecorated(words)) and len(wanted) <= MAX_DECORATIONS:
            words = less[0]
            wanted.append(_key(words))
        same = next((self._all[name] for name in wanted if name in self._all), [])
        same = sorted(
            dict.fromkeys(same),
            key=lambda slug: -fuzz.ratio(wanted[0], _key(self._catalog[slug].title)),
        )
        # By spelling, and by words in any order: “Fox Red” is “Red Fox” to a reader.
        near = [
            (score, -place)
            for name in wanted
            for scorer in (fuzz.ratio, fuzz.token_sort_ratio)
            for _, score, place in process.extract(
                name, self._keys, scorer=scorer, limit=SUGGESTIONS, score_cutoff=_NEAR
            )
        ]
        matches = [
            slug
            for _, place in sorted(near, reverse=True)
            for slug in self._all[self._keys[-place]]
        ]
        return tuple(dict.fromkeys([*same, *matches]))[: max(SUGGESTIONS, len(same))]

    def _read(self, words: str) -> tuple[int, str, str] | None:
        """Count, name and card of a line; None where it names no card."""
        if len(words) > MAX_NAME_LENGTH:
            return None
        if card := self.find(words):
            return 1, words, card
        for form in _COUNTS:
            if (match := form.match(words)) and (card := self.find(match["name"])):
                return int(match["count"]), match["name"], card
        return None

    def _tags(self, card: CardType) -> set[str]:
        """Return the texts that may follow a name in brackets: its colour, and its sets."""
        tags = {_key(card.colour)} if card.colour else set()
        for slug in card.sets:
            tags |= self._sets.get(slug, {slug})
        return tags


def _counted(words: str) -> tuple[int, str]:
    """Count and name of words that name no card."""
    if len(words) <= MAX_NAME_LENGTH:
        for form in _COUNTS:
            if match := form.match(words):
                return int(match["count"]), match["name"]
    return 1, words


@lru_cache(maxsize=64)
def _sections_by_name(sections: tuple[str, ...]) -> Mapping[str, str]:
    """Sections of a mode by the names that people use."""
    called: dict[str, str] = {}
    for section in sections:
        for name in _names_of(section):
            called.setdefault(name, section)
    for name in _NAMES_OF_FIRST:
        called.setdefault(name, sections[0])
    for name in _NAMES_OF_SECOND if len(sections) == 2 else ():
        called.setdefault(name, sections[1])
    return called


def _names_of(section: str) -> Iterator[str]:
    words = _key(section.replace("-", " ").replace("_", " "))
    yield section
    for name in (words, words.removesuffix(" deck")):
        yield from (name, _plural(name), name.removesuffix("s"), f"{name} deck", f"{name} cards")


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


@lru_cache(maxsize=16)
def _names(game: str) -> _Names:
    return _Names(game)
