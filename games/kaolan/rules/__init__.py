"""The rules of Kaolan: the shared turn and Challenge, and a module for each mode."""

from games.kaolan.rules import challenge, match, power, single, tournament, turn
from games.kaolan.rules.book import BOOK

__all__ = ["BOOK", "challenge", "match", "power", "single", "tournament", "turn"]
