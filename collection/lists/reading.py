"""A list, row by row: what each says, or what is wrong with it. Never more than a row is held.

Nothing is guessed in silence: a count that is no number, a word that is no condition, a row with
more values than columns are problems with a line number. Columns that mean nothing here are kept.
"""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from collection.copies import MAX_LENGTHS
from collection.lists import dialects
from collection.lists.dialects import Dialect
from collection.lists.encodings import (
    BROKEN,
    MAX_LINE_LENGTH,
    TextLine,
    detect,
    lines,
    pieces,
)
from collection.lists.errors import Unreadable

MAX_ROWS = 100_000
TOO_MANY = f"This list has more than {MAX_ROWS:,} entries. Split it into several files."
MAX_COPIES = 1_000_000
MAX_COLUMNS = 200
MAX_ROW_LINES = 60
MAX_ROW_LENGTH = MAX_LINE_LENGTH
"""A quotation mark that is still open after so many lines or characters is taken for a stray one.

Both bound what is read again: no line of a file is read more often than
``MAX_ROW_LINES`` times and once.
"""
MAX_VALUE_LENGTHS = {"tags": 200, "notes": 2000} | {
    dialects.BINDER: MAX_LENGTHS["binder"], dialects.NOTE: MAX_LENGTHS["note"],
}  # fmt: skip
MAX_WORD_LENGTH = 200
MAX_KEPT_VALUE_LENGTH = 500
SHOWN = 500
"""So much of a line is shown where it is named."""

_DELIMITERS = (",", ";", "\t", "|")
_SEPARATOR = re.compile(r'^"?sep=(?P<delimiter>[,;\t|])"?$', re.IGNORECASE)
_UNCLEAN = re.compile(f"[\0{BROKEN}\ud800-\udfff]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry. With a ``problem`` nothing else of it counts; None means that it does not say."""

    number: int
    text: str
    problem: str = ""
    game: str = ""
    set: str = ""
    set_name: str = ""
    card_number: int | None = None
    name: str = ""
    finish: str = ""
    quantity: int | None = None
    for_trade: int | None = None
    wishlist: int | None = None
    tags: str = ""
    notes: str = ""
    digital: bool = False
    typed: bool = False
    """The name is a whole typed line, count and all: only a catalog can tell them apart."""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file's encoding and dialect, and its rows, which can be iterated once."""

    encoding: str
    dialect: str
    rows: Iterator[Row]


def read(data: bytes, filename: str = "") -> Reading:
    """Recognise a file; raises ``Unreadable``, also while its rows are gone through."""
    if not data or data.isspace():
        raise Unreadable("This file is empty.")
    encoding = detect(data)
    numbered = lines(data, encoding)
    first = next((line for line in numbered if line.text.strip()), None)
    if first is None:
        raise Unreadable("This file is empty.")
    rest = _again(first, numbered)
    if first.text.lstrip()[:1] in "[{" and not _is_heading(first.text):
        return Reading(encoding, dialects.JSON, _limited(_json_rows(pieces(data, encoding))))
    if table := _table(first, numbered):
        dialect, delimiter, headers = table
        rows = _table_rows(numbered, dialect, delimiter, headers)
        return Reading(encoding, dialect.slug, _limited(rows))
    if filename.casefold().endswith((".csv", ".tsv")):
        raise Unreadable(
            "No known columns in the first line. The columns “Name” and “Quantity” are required."
        )
    return Reading(encoding, dialects.TEXT, _limited(_text_rows(rest)))


def count_lines(data: bytes) -> int:
    """About how many lines there are, or entries where JSON is one line, without decoding."""
    ends = max(data.count(b"\n"), data.count(b"\r"))
    count = ends + (not data.endswith((b"\n", b"\r", b"\n\0", b"\r\0")))
    begin = data[:100].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    return max(count, data.count(b"{")) if begin.startswith((b"[", b"{")) else count


def surely_too_many(data: bytes) -> bool:
    """True if there are surely more than ``MAX_ROWS`` entries, without decoding.

    Says no where only reading can tell: in JSON, and where an entry may go over several lines.
    """
    if b'"' in data or count_lines(data) <= MAX_ROWS:
        return False
    entries = 0
    for line in data.splitlines():
        words = line.strip(_NO_WORDS)
        entries += bool(words) and not words.startswith(_ASIDE) and not words.endswith(b":")
    return entries - 2 > MAX_ROWS  # a line for the columns, and one before it


_NO_WORDS = b" \t,;|\0\xef\xbb\xbf\xff\xfe"
_ASIDE = (b"#", b"//", b"/\0/", b"[")


def _again(first: TextLine, others: Iterable[TextLine]) -> Iterator[TextLine]:
    yield first
    yield from others


def _limited(rows: Iterable[Row]) -> Iterator[Row]:
    for count, row in enumerate(rows, start=1):
        if count > MAX_ROWS:
            raise Unreadable(TOO_MANY)
        yield row


# -- tables ---------------------------------------------------------------------------------------


def _table(first: TextLine, rest: Iterator[TextLine]) -> tuple[Dialect, str, list[str]] | None:
    """The dialect, delimiter and headers of a table, if the list begins like one."""
    separator = _SEPARATOR.match(first.text.strip())
    if separator:
        first = next((line for line in rest if line.text.strip()), TextLine(1, ""))
    for delimiter in separator["delimiter"] if separator else _DELIMITERS:
        try:
            headers = _values(first.text, delimiter)
        except csv.Error:
            continue
        headers = [" ".join(unescaped(header).split()) for header in headers]
        if len(headers) > 1 and (dialect := dialects.recognise(headers)):
            _check_headers(headers, dialect)
            return dialect, delimiter, headers
    if separator:
        raise Unreadable("No known columns in the line after “sep=”.")
    return None


def _check_headers(headers: list[str], dialect: Dialect) -> None:
    if len(headers) > MAX_COLUMNS:
        raise Unreadable(f"This table has more than {MAX_COLUMNS} columns.")
    seen: dict[str, str] = {}
    for header in filter(None, headers):
        if len(header) > MAX_WORD_LENGTH or not _is_clean(header):
            raise Unreadable("A column name is too long or contains invalid characters.")
        key = dialect.meaning(header) or header
        if other := seen.get(key):
            raise Unreadable(
                f"The columns “{other}” and “{header}” mean the same. Remove one of them."
            )
        seen[key] = header


def _values(text: str, delimiter: str) -> list[str]:
    """The values of one row; raises ``csv.Error``."""
    return next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter, strict=True), [])


def _table_rows(
    numbered: Iterator[TextLine], dialect: Dialect, delimiter: str, headers: list[str]
) -> Iterator[Row]:
    meanings = [dialect.meaning(header) for header in headers]
    # A site's column that only happens to be called like one of ours keeps the site's name.
    headers = [
        f"{dialect.name} {header}" if not meaning and dialects.OWN.meaning(header) else header
        for header, meaning in zip(headers, meanings, strict=True)
    ]
    for number, text, values in _records(numbered, delimiter):
        row = Row(number, _shown(text))
        if isinstance(values, str):
            yield replace(row, problem=values)
        elif not any(value.strip() for value in values):
            continue
        elif len(values) != len(headers):
            yield replace(row, problem=_wrong_width(len(values), len(headers)))
        else:
            cells = [unescaped(value) for value in values]
            values_by_meaning = {m: cell for m, cell in zip(meanings, cells, strict=True) if m}
            kept = {
                header: cell
                for header, meaning, cell in zip(headers, meanings, cells, strict=True)
                if not meaning and cell
            }
            if "" in kept:
                yield replace(row, problem="This line has a value in a column without a name.")
            else:
                yield _understood(row, values_by_meaning, kept, dialect)


def _wrong_width(width: int, needed: int) -> str:
    if width > needed:
        return (
            f"This line has {width} values for {needed} columns. "
            "Put values that contain a comma in quotation marks."
        )
    return f"This line has only {width} values for {needed} columns."


def _records(
    numbered: Iterator[TextLine], delimiter: str
) -> Iterator[tuple[int, str, list[str] | str]]:
    """Rows as (first line's number, text, values or what is wrong).

    A row goes on over several lines while a quotation mark is open. One that stays open spoils
    only the line it stands in: what was read in search of its end is read again.
    """
    waiting: deque[TextLine] = deque()

    def following() -> TextLine | None:
        return waiting.popleft() if waiting else next(numbered, None)

    while (line := following()) is not None:
        if line.cut:
            yield line.number, line.text, f"This line has more than {MAX_LINE_LENGTH:,} characters."
            continue
        row = _OpenRow(line, following)
        try:
            values = next(csv.reader(row.texts(), delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            waiting.extendleft(reversed(row.read_on))
            yield line.number, line.text, _quote_problem(error, row)
        else:
            yield line.number, line.text + "".join(part.text for part in row.read_on), values


class _OpenRow:
    """A row that is being read: its first line, and those that a quotation mark makes part of it.

    The reader of tables asks for the next line only while a mark is open.
    """

    def __init__(self, line: TextLine, following: Callable[[], TextLine | None]) -> None:
        self.line = line
        self.following = following
        self.read_on: list[TextLine] = []
        self.too_long = ""

    def texts(self) -> Iterator[str]:
        """The row's lines, as long as it may be one."""
        yield self.line.text
        characters = len(self.line.text)
        while (line := self.following()) is not None:
            self.read_on.append(line)
            characters += len(line.text)
            if line.cut or characters > MAX_ROW_LENGTH:
                self.too_long = f"{MAX_ROW_LENGTH:,} characters"
            elif len(self.read_on) > MAX_ROW_LINES:
                self.too_long = f"{MAX_ROW_LINES} lines"
            if self.too_long:
                return
            yield line.text


def _quote_problem(error: csv.Error, row: _OpenRow) -> str:
    if row.too_long:
        return f"A quotation mark is opened here but not closed within {row.too_long}."
    if "unexpected end" in str(error):
        return "A quotation mark is opened here but not closed."
    return "The quotation marks in this line don’t match."


def unescaped(value: str) -> str:
    """A value as it was before a careful export put an apostrophe before its formula sign."""
    return value[1:] if _ESCAPED.match(value) else value


def escaped(value: str) -> str:
    """A value that no spreadsheet takes for a formula; :func:`unescaped` gives it back."""
    return f"'{value}" if _ESCAPED.match(f"'{value}") else value


# -- what the values say --------------------------------------------------------------------------


class _Unclear(Exception):
    """A value that cannot be understood."""


def _understood(
    row: Row, values: Mapping[str, str], kept: Mapping[str, str], dialect: Dialect | None
) -> Row:
    """The row with its values, or with the first thing that is wrong with them."""
    try:
        for value in (*values.values(), *kept.values(), *kept):
            if not _is_clean(value):
                raise _Unclear("This line is not valid text; save the file as UTF-8.")
        read = replace(
            row,
            game=_word("game", values),
            set=_word("set", values),
            set_name=_word("set_name", values),
            name=_word("name", values),
            card_number=_number("number", values.get("number", "")),
            finish=_word("finish", values),
            quantity=_number("quantity", _TIMES.sub("", values.get("quantity", ""))),
            for_trade=_number("tradelist", values.get("tradelist", "")),
            wishlist=_number("wishlist", values.get("wishlist", "")),
            tags=_tags(values.get("tags", "")),
            notes=_not_longer("notes", _notes(values.get("notes", "")), MAX_VALUE_LENGTHS["notes"]),
            digital=_is_digital(values.get("source", "")),
            extra=_extra(values, kept, dialect),
        )
        if not read.name and read.card_number is None:
            raise _Unclear("No card name on this line.")
        if read.quantity is None and read.wishlist is None:
            raise _Unclear("No count on this line.")
    except _Unclear as unclear:
        return replace(row, problem=str(unclear))
    return read


def _is_clean(value: str) -> bool:
    """True if a database can hold it."""
    return _UNCLEAN.search(value) is None


def _word(column: str, values: Mapping[str, str]) -> str:
    return _not_longer(column.replace("_", " "), values.get(column, "").strip(), MAX_WORD_LENGTH)


def _not_longer(column: str, value: str, most: int) -> str:
    if len(value) > most:
        raise _Unclear(f"“{column}” is longer than {most:,} characters.")
    return value


def _number(column: str, value: str) -> int | None:
    value = value.strip()
    if not value:
        return None
    written = value
    if _GROUPED.match(value):
        value = re.sub(r"\D", "", value)
    word = {"number": "number", "tradelist": "tradelist count", "wishlist": "wishlist count"}.get(
        column, "count"
    )
    if not (value.isascii() and value.isdigit()):
        raise _Unclear(f"“{value[:40]}” is not a {word}.")
    if len(value) > 7 or int(value) > MAX_COPIES:
        raise _Unclear(f"{written[:40]} is too large (limit: {MAX_COPIES:,}).")
    return int(value)


_TIMES = re.compile(r"^\s*[x×]\s*(?=\d)|(?<=\d)\s*[x×]\s*$", re.IGNORECASE)
"""The sign before or behind a count: "4x", "×4"."""

_GROUPED = re.compile(r"^\d{1,3}(?:[,'’ \u00a0\u2009\u202f]\d{3})+$", re.ASCII)
"""A number in groups of three: "1,000", "1 000"."""


def _tags(value: str) -> str:
    """Words with commas between, each once."""
    tags: dict[str, str] = {}
    for tag in value.split(","):
        words = " ".join(tag.split())
        if words:
            tags.setdefault(words.casefold(), words)
    return _not_longer("tags", ", ".join(tags.values()), MAX_VALUE_LENGTHS["tags"])


def _notes(value: str) -> str:
    return value.replace("\r\n", "\n").strip()


def _is_digital(value: str) -> bool:
    source = value.strip().casefold()
    if source and source not in dialects.SOURCES:
        raise _Unclear(f"Unknown source “{value[:40]}” (digital or physical).")
    return source == dialects.DIGITAL


def _extra(
    values: Mapping[str, str], kept: Mapping[str, str], dialect: Dialect | None
) -> dict[str, str]:
    """The values kept with a holding: condition and language in our terms, other columns as is."""
    extra: dict[str, str] = {}
    if word := values.get("condition", "").strip():
        _understand(extra, "condition", word, dialects.condition_of(word, dialect))
    if word := values.get("language", "").strip():
        _understand(extra, "language", word, dialects.language_of(word, dialect))
    if word := values.get(dialects.FOIL, "").strip():
        if shine := dialects.shining(word):
            extra[dialects.FOIL] = _not_longer("foil", shine, MAX_LENGTHS["finish"])
        elif word.casefold() not in _DULL:
            _understand(extra, dialects.FOIL, word, "")
    for column in (dialects.BINDER, dialects.NOTE):
        if word := " ".join(values.get(column, "").split()):
            extra[column] = _not_longer(column, word, MAX_VALUE_LENGTHS[column])
    if word := _tags(values.get(dialects.COPY_TAGS, "")):
        extra[dialects.COPY_TAGS] = word
    word = values.get("binder_type", "").strip()
    if word.casefold() not in ("", "binder"):
        extra["Binder Type"] = _not_longer("Binder Type", word, MAX_KEPT_VALUE_LENGTH)
    if word := values.get("acquired", "").strip():
        try:
            extra["acquired"] = date.fromisoformat(word).isoformat()
        except ValueError:
            raise _Unclear(f"“{word[:40]}” is not a date like 2026-11-21.") from None
    if of_copies := values.get(dialects.COPY_COLUMNS, "").strip():
        columns = {
            name: _not_longer(name, v, MAX_KEPT_VALUE_LENGTH) for name, v in _rest(of_copies)
        }
        extra[dialects.COPY_COLUMNS] = json.dumps(columns, ensure_ascii=False, sort_keys=True)
    usual = dialect.usual if dialect else {}
    for column, value in (*kept.items(), *_rest(values.get(dialects.REST, ""))):
        if usual.get(column) == value:
            continue
        extra[column] = _not_longer(column, value, MAX_KEPT_VALUE_LENGTH)
    return extra


def _understand(extra: dict[str, str], column: str, written: str, meant: str) -> None:
    """Keep what a word means; one that means nothing here, as it is written."""
    name = column if meant else dialects.AS_WRITTEN[column]
    extra[name] = meant or _not_longer(name, written, MAX_KEPT_VALUE_LENGTH)


_DULL = ("false", "no", "normal", "nonfoil", "plain")


def _rest(text: str) -> Iterator[tuple[str, str]]:
    """The columns and values for which an export of ours had no column each."""
    try:
        columns = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        columns = None
    if not isinstance(columns, dict):
        raise _Unclear(f"“{dialects.REST}” has to be a JSON object: {{“column”: “value”}}.")
    for column, value in columns.items():
        fits = column.strip() and len(column) <= MAX_WORD_LENGTH and column not in dialects.KEPT
        if not (fits and isinstance(value, str) and _is_clean(column) and _is_clean(value)):
            raise _Unclear(f"“{column[:40]}” in “{dialects.REST}” can’t be stored.")
        yield column, value


def _shown(text: str) -> str:
    """A line as it is shown and stored: on one line, with a sign for every control letter."""
    visible = text.rstrip("\r\n")[:SHOWN]
    if visible.isprintable():
        return visible
    return "".join(
        "�" if "\ud800" <= letter <= "\udfff" else letter if letter.isprintable() else " "
        for letter in visible.replace("\0", "�")
    )


# -- plain text -----------------------------------------------------------------------------------

_SHINING_MARK = re.compile(r" (?P<mark>\*[FE]\*)$", re.IGNORECASE)
"""How lists of other sites say at the end of a line that a copy is foil or etched."""
_COMMENT = re.compile(r"(?:^| )(?:#|//).*$")
_HEADING = re.compile(r"^(?:\[\s*(?P<bracket>[^\]]+?)\s*\]|(?P<colon>[^:]+?)\s*:)$")


def _is_heading(text: str) -> bool:
    """``[Sideboard]`` begins a section; ``[`` and ``[{`` begin JSON."""
    words = " ".join(text.split())
    heading = _HEADING.match(words) if len(words) <= MAX_WORD_LENGTH else None
    return bool(heading) and not any(sign in text for sign in '"{}')


def _text_rows(numbered: Iterable[TextLine]) -> Iterator[Row]:
    """One entry a line. A heading is a game's name, or a deck's section, which means nothing."""
    game = ""
    for line in numbered:
        row = Row(line.number, _shown(line.text), typed=True)
        words = _COMMENT.sub("", " ".join(line.text.split()))
        if line.cut:
            yield replace(row, problem=f"This line has more than {MAX_LINE_LENGTH:,} characters.")
        elif not _is_clean(words):
            yield replace(row, problem="This line is not valid text; save the file as UTF-8.")
        elif len(words) > MAX_WORD_LENGTH:
            yield replace(row, problem=f"Card names have up to {MAX_WORD_LENGTH} characters.")
        elif heading := _HEADING.match(words):
            game = heading["bracket"] or heading["colon"]
        elif words:
            finish = ""
            if mark := _SHINING_MARK.search(words):
                words = _SHINING_MARK.sub("", words)
                finish = mark["mark"]
            yield replace(row, name=words, game=game, finish=finish)


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to understand a typed line."""

    count: int
    name: str
    tag: str = ""
    number: int | None = None


_COUNTS = tuple(
    re.compile(form.replace("COUNT", rf"(?P<count>{count})"), re.IGNORECASE | re.ASCII)
    for form in (r"^COUNT(?:\s*[x×]\s*|\s+)(?P<name>\S.*)$", r"^(?P<name>.*\S)\s+[x×]\s*COUNT$")
    for count in (r"\d{1,7}", r"\d{1,3}(?:[,'’ ]\d{3})+")
)
_PRINTING = re.compile(
    r"^(?P<name>.*\S)\s+[(\[](?P<tag>[^()\[\]]+)[)\]](?:\s+(?P<number>\d{1,6}))?$"
)


def entries(words: str) -> Iterator[Entry]:
    """The possible meanings of a typed line, the likeliest last: a number may be part of a name."""
    yield Entry(1, words)
    matches = [match for form in _COUNTS if (match := form.match(words))]
    for match in matches:
        yield from _printings(int(re.sub(r"\D", "", match["count"])), match["name"])
    if not matches:
        yield from _printings(1, words)


def _printings(count: int, name: str) -> Iterator[Entry]:
    yield Entry(count, name)
    if match := _PRINTING.match(name):
        number = int(match["number"]) if match["number"] else None
        yield Entry(count, match["name"], match["tag"].strip(), number)


# -- JSON -----------------------------------------------------------------------------------------

MAX_ENTRY_LENGTH = 50_000


class _Characters:
    """The text of a file, a piece at a time."""

    def __init__(self, text: Iterator[str]) -> None:
        self._pieces = text
        self.text = ""

    def more(self) -> bool:
        """Read on; False at the end."""
        piece = next(self._pieces, "")
        self.text += piece
        return bool(piece)

    def drop(self, characters: int) -> None:
        """Leave characters behind."""
        self.text = self.text[characters:]

    def sign(self) -> str:
        """The next letter that is no space, "" at the end. It is not dropped."""
        while True:
            self.drop(len(self.text) - len(self.text.lstrip()))
            if self.text:
                return self.text[0]
            if not self.more():
                return ""

    def value(self) -> Any:
        """The next JSON value; raises ``ValueError`` or ``RecursionError``."""
        self.sign()
        while True:
            try:
                parsed, end = json.JSONDecoder().raw_decode(self.text)
            except json.JSONDecodeError as error:
                if len(self.text) > MAX_ENTRY_LENGTH:
                    raise ValueError(
                        f"an entry is invalid or longer than {MAX_ENTRY_LENGTH:,} characters."
                    ) from None
                if not self.more():
                    raise ValueError(f"{error.msg}.") from None
            else:
                # A number may go on in the next piece.
                if end == len(self.text) and self.more():
                    continue
                self.drop(end)
                return parsed


def _json_rows(text: Iterator[str]) -> Iterator[Row]:
    """The objects of a list, or of the list named ``cards`` in an object.

    They are numbered one by one: JSON may well be a single line.
    """
    characters = _Characters(text)
    number = 1
    try:
        bare = characters.sign() == "["
        if not (bare or _find_cards(characters)):
            raise Unreadable("This JSON has no list of cards: [{“name”: …, “quantity”: …}].")
        characters.drop(1)
        while characters.sign() != "]":
            yield _json_row(number, characters.value())
            number += 1
            if characters.sign() == ",":
                characters.drop(1)
            elif characters.sign() != "]":
                raise ValueError("a comma or a closing bracket is missing.")
        characters.drop(1)
        if bare and characters.sign():
            raise ValueError("there is text after the end of the list.")
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, ValueError) else "it is nested too deeply."
        yield Row(
            number,
            _shown(characters.text),
            problem=f"Invalid JSON from here on: {why}"[:300],
        )


def _find_cards(characters: _Characters) -> bool:
    """Go to the bracket with which the list of cards begins."""
    characters.drop(1)
    while characters.sign() == '"':
        key = characters.value()
        if characters.sign() != ":":
            return False
        characters.drop(1)
        if key == "cards":
            return characters.sign() == "["
        characters.value()
        if characters.sign() == ",":
            characters.drop(1)
    return False


def _json_row(number: int, entry: Any) -> Row:
    row = Row(number, _shown(json.dumps(entry, ensure_ascii=False)))
    if not isinstance(entry, dict):
        return replace(row, problem="An entry has to be an object: {“name”: …, “quantity”: …}.")
    if len(entry) > MAX_COLUMNS:
        return replace(row, problem=f"This entry has more than {MAX_COLUMNS} members.")
    values: dict[str, str] = {}
    kept: dict[str, str] = {}
    for key, value in entry.items():
        meaning = dialects.OWN.meaning(key)
        if isinstance(value, list) and meaning == "tags":
            value = ",".join(str(tag) for tag in value)
        if isinstance(value, (bool, float, list, dict)):
            value = json.dumps(value, ensure_ascii=False)
        if meaning:
            values[meaning] = "" if value is None else str(value)
        elif value is not None:
            kept[" ".join(key.split())[:MAX_WORD_LENGTH]] = str(value)
    return _understood(row, values, kept, dialects.OWN)
