"""The rules of Battle Krabz: a chapter for each mode, and the rulebook they register with."""

from games.battle_krabz.rules import battle, multi
from games.battle_krabz.rules.book import BOOK

__all__ = ["BOOK", "battle", "multi"]
