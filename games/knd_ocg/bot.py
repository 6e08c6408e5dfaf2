"""Bots of KND: OCG (specification, section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.engine.bots import RANDOM
from rules.engine.game import Bot

BOTS: Final[Mapping[str, Bot]] = {"random": RANDOM}
