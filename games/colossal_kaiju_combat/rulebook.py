"""The rulebook of Colossal Kaiju Combat: what its moves, events, prompts and steps are in."""

from __future__ import annotations

from typing import Any, Final

from rules.engine.rulebook import Rulebook

BOOK: Final[Rulebook[Any]] = Rulebook()
"""CKC-R-59: nothing is asked that has only one answer."""
