"""Formats as TOML files."""

from __future__ import annotations

from decks.models import FormatVersion
from rules.engine.format_files import FormatFile, write_format


def toml_of(version: FormatVersion) -> str:
    """A version of a format as TOML, which can be read again."""
    format = version.format
    file = FormatFile(
        game=format.game,
        mode=format.mode,
        name=format.name,
        summary=format.summary,
        options=version.options,
        sets=version.sets,
        owned_only=version.owned_only,
        restricted=version.restricted,
        rules=version.rules,
    )
    return write_format(file, f"Version {version.number} of {format.slug}.")
