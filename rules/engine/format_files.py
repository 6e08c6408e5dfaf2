"""Formats as TOML: those of a game's ``formats.toml``, and those that organisers bring and take.

All have one form: ``name``, ``summary``, ``options`` (the game's own), ``sets``, ``owned_only``,
``restricted`` and any number of ``[[rule]]`` in the words of ``deck_rules.toml``. A format
that an organiser brings also names its ``game`` and ``mode``; one of the shelf has a ``slug``, its
``modes`` and may be the ``default``. ``docs/house-formats.md`` tells them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.cards import load_toml
from rules.engine.errors import BadData
from rules.engine.modes import DeckFormat

FILE: Final = "formats.toml"
MAX_SIZE: Final = 100_000
"""Characters of a format that somebody brings."""
MAX_DOTS: Final = 300
"""Dots of a line: a key of many parts takes the reader a time that grows with their square."""
MAX_DEPTH: Final = 12
MAX_NUMBER: Final = 2**63
_RULES: Final = ("name", "summary", "options", "sets", "owned_only", "restricted", "rule")
_BROUGHT: Final = ("game", "mode", *_RULES)
_OF_THE_SHELF: Final = ("slug", "modes", "default", *_RULES)
_PLACE: Final = re.compile(
    r"^(?P<reason>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)$"
)
_RULE: Final = re.compile(r"^\s*\[\[\s*rule\s*\]\]")


@dataclass(frozen=True)
class FormatFile:
    """A format as it stands in a file; what its rules say is not looked at yet."""

    game: str = ""
    mode: str = ""
    name: str = ""
    summary: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    sets: Sequence[str] = ()
    owned_only: bool = False
    restricted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Most copies and a reason, by card."""
    rules: Sequence[Mapping[str, Any]] = ()
    lines: Sequence[int] = ()
    """The line of each rule, as far as rules stand in ``[[rule]]`` tables."""


def read_format(text: str) -> FormatFile:
    """A format that somebody brings; raises ``BadData`` that names the line or the word."""
    data = read_toml(text)
    _known(data, _BROUGHT)
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if _RULE.match(line)]
    parts = _parts(data)
    return FormatFile(
        game=_word(data, "game"),
        mode=_word(data, "mode"),
        name=_word(data, "name"),
        summary=_word(data, "summary"),
        lines=lines if len(lines) == len(parts["rules"]) else (),
        **parts,
    )


def read_toml(text: str) -> dict[str, Any]:
    """TOML that somebody brings, in a bounded time; raises ``BadData`` with the line if need be."""
    if len(text) > MAX_SIZE:
        raise BadData(f"A format has up to {MAX_SIZE:,} characters; this has {len(text):,}.")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > MAX_DOTS:
            raise BadData(f"Line {number} has more than {MAX_DOTS} dots. Split it into more lines.")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(_not_toml(str(error), text)) from error
    except RecursionError as error:
        raise BadData("This TOML is nested too deeply.") from error
    except ValueError as error:  # Python reads no number of so many digits
        raise BadData(_NUMBER_TOO_LARGE) from error
    _must_be_plain(data)
    return data


_NUMBER_TOO_LARGE: Final = "This TOML has a number that is too large."


def _must_be_plain(data: dict[str, Any]) -> None:
    """Raises ``BadData`` for what no format needs and no database stores."""
    layer: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if any(isinstance(value, str) and "\0" in value for value in layer):
            raise BadData("This TOML has a null character in a text.")
        if any(type(value) is int and abs(value) >= MAX_NUMBER for value in layer):
            raise BadData(_NUMBER_TOO_LARGE)
    if layer:
        raise BadData("This TOML is nested too deeply.")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def load_formats(package: str, modes: Sequence[str]) -> tuple[DeckFormat, ...]:
    """The formats that a game defines in its ``formats.toml``, none where it has no such file.

    ``modes`` are those of the game: a format that names none is for each of them. Raises
    ``BadData`` for a file that cannot be read.
    """
    formats = []
    for row in load_toml(package, FILE, missing_ok=True).get("format", []):
        _known(row, _OF_THE_SHELF)
        parts = _parts(row)
        listed = row.get("restricted", {})
        formats.append(
            DeckFormat(
                slug=row["slug"],
                name=row["name"],
                summary=row.get("summary", ""),
                modes=tuple(row.get("modes", modes)),
                options=parts["options"],
                restricted={card: limit["most"] for card, limit in parts["restricted"].items()},
                version=listed.get("version", 0),
                reason=listed.get("reason", ""),
                default=row.get("default", False),
                sets=tuple(parts["sets"]),
                owned_only=parts["owned_only"],
                rules=tuple(parts["rules"]),
            )
        )
    return tuple(formats)


def write_format(format: FormatFile, note: str = "") -> str:
    """A format as TOML, ready to be read again; ``note`` becomes a comment above."""
    lines = [f"# {line}" for line in note.splitlines()]
    for key in ("game", "mode", "name", "summary"):
        if value := getattr(format, key):
            lines.append(f"{key} = {written_value(value)}")
    if format.options:
        lines.append(f"options = {written_value(format.options)}")
    if format.sets:
        lines.append(f"sets = {written_value(list(format.sets))}")
    if format.owned_only:
        lines.append("owned_only = true")
    if format.restricted:
        lines += ["", "[restricted.cards]"]
        for card, limit in format.restricted.items():
            value = dict(limit) if limit.get("reason") else limit["most"]
            lines.append(f"{_key(card)} = {written_value(value)}")
    for row in format.rules:
        lines += ["", "[[rule]]", *(f"{_key(key)} = {written_value(row[key])}" for key in row)]
    return "\n".join(lines) + "\n"


def _not_toml(message: str, text: str) -> str:
    place = _PLACE.match(message)
    if place is None:
        return f"This is not TOML: {message}."
    line = place["line"] or str(max(1, len(text.splitlines())))
    return f"Line {line}: this is not TOML. {place['reason']}."


def _known(data: Mapping[str, Any], words: Sequence[str]) -> None:
    for key in data:
        if key not in words:
            raise BadData(f"“{key}” is not a word of a format. It has {', '.join(words)}.")


def _word(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise BadData(f"“{key}” is text in quotes, not {value!r}.")
    return value


def _parts(data: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of a format; raises ``BadData`` for what is not of the right kind."""
    options, sets = data.get("options", {}), data.get("sets", [])
    owned_only, rules = data.get("owned_only", False), data.get("rule", [])
    if not isinstance(options, dict):
        raise BadData("“options” is a table, like options = { singleton = true }.")
    if not isinstance(sets, list) or not all(isinstance(slug, str) for slug in sets):
        raise BadData('“sets” is a list of sets, like sets = ["core"].')
    if not isinstance(owned_only, bool):
        raise BadData(f"“owned_only” is true or false, not {owned_only!r}.")
    if not isinstance(rules, list) or not all(isinstance(row, dict) for row in rules):
        raise BadData("Each rule begins with a line [[rule]].")
    return {
        "options": options,
        "sets": sets,
        "owned_only": owned_only,
        "restricted": _restricted(data.get("restricted", {})),
        "rules": rules,
    }


def _restricted(listed: object) -> dict[str, dict[str, Any]]:
    """``cards`` of a restricted list: a number, or ``{ most = …, reason = … }``; a ``reason`` for
    all that have none of their own."""
    example = "[restricted.cards] with lines like red-fox = 1"
    if not isinstance(listed, dict) or not set(listed) <= {"cards", "reason", "version"}:
        raise BadData(f"A restricted list is {example}.")
    cards, reason = listed.get("cards", {}), listed.get("reason", "")
    if not isinstance(cards, dict) or not isinstance(reason, str):
        raise BadData(f"A restricted list is {example}.")
    restricted = {}
    for card, limit in cards.items():
        row = limit if isinstance(limit, dict) else {"most": limit}
        if "most" not in row or not set(row) <= {"most", "reason"}:
            raise BadData(f"The restricted list says of “{card}” most, and a reason if you like.")
        why = row.get("reason", reason)
        if not isinstance(why, str):
            raise BadData(f"The reason for “{card}” is text in quotes.")
        restricted[card] = {"most": row["most"], "reason": why}
    return restricted


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else written_value(key)


def written_value(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(
            f"{_key(str(key))} = {written_value(each)}" for key, each in value.items()
        )
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written_value, value))}]"
    # A string of JSON is one of TOML, but for the one sign that only TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
