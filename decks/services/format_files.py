"""Formats that come as TOML."""

from __future__ import annotations

import re
from datetime import datetime

from accounts.models import User
from collection.errors import Unacceptable
from decks.models import Format, FormatVersion
from decks.services.decks import find_mode
from decks.services.formats import Rules, checked_rules, create_format, publish_version
from rules.engine.errors import BadData
from rules.engine.format_files import FormatFile, read_format

_RULE = re.compile(r"^Rule (\d+)")


def read_file(text: str) -> tuple[FormatFile, Rules]:
    """A format from TOML, checked; raises ``Unacceptable`` that names the line or the rule, and
    ``BadDeck`` for a mode without decks."""
    try:
        file = read_format(text)
    except BadData as error:
        raise Unacceptable(str(error)) from error
    if not file.game or not file.mode:
        raise Unacceptable('The file says no game and mode, like game = "…" and mode = "…".')
    game, mode = find_mode(file.game, file.mode)
    rules_of = Rules(file.options, file.restricted, file.sets, file.owned_only, file.rules)
    try:
        return file, checked_rules(game, mode, rules_of)
    except Unacceptable as error:
        raise Unacceptable(_with_line(str(error), file)) from error


def read_version(text: str, format: Format) -> Rules:
    """The rules of a file for a format; raises ``Unacceptable``, also for a file of another game or
    mode."""
    file, rules_of = read_file(text)
    if (file.game, file.mode) != (format.game, format.mode):
        raise Unacceptable(f"The file is for another game or mode than {format.name}.")
    return rules_of


def create_from_toml(*, by: User, text: str, listed: bool = True, house: bool = False) -> Format:
    """Define the format of a file. Raises as :func:`read_file` and ``create_format``."""
    file, rules_of = read_file(text)
    return create_format(
        by=by,
        game=file.game,
        mode=file.mode,
        name=file.name,
        summary=file.summary,
        rules_of=rules_of,
        listed=listed,
        house=house,
    )


def publish_from_toml(
    *,
    format: Format,
    by: User,
    text: str,
    note: str = "",
    valid_from: datetime | None = None,
    follows: int | None = None,
) -> FormatVersion:
    """Publish the rules of a file as a version of a format; its name and description stay.

    Raises ``Unacceptable``, also for a file of another game or mode, and as ``publish_version``.
    """
    return publish_version(
        format=format,
        by=by,
        rules_of=read_version(text, format),
        note=note,
        valid_from=valid_from,
        follows=follows,
    )


def _with_line(message: str, file: FormatFile) -> str:
    """A message about a rule with the line where it begins."""
    number = _RULE.match(message)
    if number is None or not file.lines:
        return message
    return f"Line {file.lines[int(number[1]) - 1]}: {message}"
