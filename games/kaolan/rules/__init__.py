"""The rules of Kaolan: the shared turn and Challenge, and a module for each mode."""

from games.kaolan.rulebook import BOOK
from games.kaolan.rules import challenge, match, power, single, tournament, turn

__all__ = ["BOOK", "challenge", "match", "power", "single", "tournament", "turn"]
