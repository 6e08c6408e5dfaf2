"""Bots for Battle Krabz."""

from __future__ import annotations

from rules.engine.bots import RANDOM

BOTS = {"random": RANDOM}
