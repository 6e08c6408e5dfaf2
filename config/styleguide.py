"""The living style guide."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from core.introductions import first_to_play, introductions

_SURFACES = ("paper", "sheet", "hollow", "edge", "edge-strong")
_WORDS = ("ink", "ink-soft", "ink-faint")
_ACCENTS = ("action-fill", "action-wash", "turn-fill", "turn-wash", "danger-fill", "danger-wash")
_TYPE = ("6xl", "5xl", "4xl", "3xl", "2xl", "xl", "lg", "md", "sm", "xs", "2xs")
_SPACE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
_NAMES = ("Quiet Heron", "Mira", "Bold Kestrel", "Sunny Wren", "Misty Puffin", "Greedy bot")


def _symbols(sheet: str) -> list[str]:
    """The names of all symbols in an SVG sheet, so that a new one shows by itself."""
    path = Path(settings.BASE_DIR) / "static" / "img" / f"{sheet}.svg"
    return re.findall(r'<symbol id="([^"]+)"', path.read_text(encoding="utf-8"))


def context() -> dict[str, object]:
    """Lists of tokens, icons and names for the style page's template."""
    return {
        "games": introductions(),
        "first": first_to_play(),
        "swatches": _SURFACES + _WORDS + _ACCENTS,
        "type_steps": _TYPE,
        "space_steps": _SPACE,
        "icons": _symbols("icons"),
        "drawings": _symbols("drawings"),
        "names": _NAMES,
        "faces": range(1, 7),
    }
