"""The rulebook of KND: OCG: what its moves, events, prompts and steps are declared in."""

from __future__ import annotations

from typing import Any, Final

from rules.engine.rulebook import Rulebook

BOOK: Final[Rulebook[Any]] = Rulebook()
