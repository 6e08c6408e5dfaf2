"""The rulebook that both modes register with."""

from __future__ import annotations

from typing import Any, Final

from rules.engine.state import Rulebook

BOOK: Final[Rulebook[Any]] = Rulebook()
"""R-35: nothing is asked that has only one answer."""
