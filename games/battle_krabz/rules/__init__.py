"""The rules of Battle Krabz: a chapter for each mode, and the rulebook they register with."""

from games.battle_krabz.rulebook import BOOK
from games.battle_krabz.rules import battle, multi

__all__ = ["BOOK", "battle", "multi"]
