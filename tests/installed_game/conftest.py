"""Twelve's own tests run where it is installed (``tests/test_installed_game.py``)."""

import rules

collect_ignore = [] if "twelve" in rules.games() else ["tests"]
