"""The people and tables of ``tests/matches`` and the pages of ``tests/browser`` serve here too."""

from __future__ import annotations

from tests.browser.conftest import sit
from tests.matches.conftest import _same_seeds_every_time, ann, bob, make_match, stranger

__all__ = ["_same_seeds_every_time", "ann", "bob", "make_match", "sit", "stranger"]
