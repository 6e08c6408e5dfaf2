"""Bots."""

from rules.engine.bots import RANDOM

BOTS = {"random": RANDOM}
