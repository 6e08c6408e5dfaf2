"""Rules that organisers write, in the words of a game's ``deck_rules.toml``, for any game.

``vocabulary`` reads them, ``words`` says them in plain English, ``judge`` finds what is wrong with
a deck, ``cures`` looks for what would mend it. Which words there are is told in
``docs/house-formats.md``.
"""

from rules.engine.house_rules.vocabulary import HouseRule, read_rules

__all__ = ["HouseRule", "read_rules"]
