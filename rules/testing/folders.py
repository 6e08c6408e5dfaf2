"""Where the tests of a game lie."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

import rules

ROOT: Final = Path(__file__).resolve().parents[2]
SHELF_TESTS: Final = ROOT / "tests" / rules.SHELF


def tests_of(package: str) -> Path:
    """The folder with the tests and playthroughs of the game in this package.

    Those of the shelf are in ``tests/games/<folder>``, those of an installed game in ``tests``
    beside its package.
    """
    shelf, _, folder = package.rpartition(".")
    if shelf == rules.SHELF:
        return SHELF_TESTS / folder
    module = import_module(package)
    assert module.__file__ is not None, f"{package} has no __init__.py"
    return Path(module.__file__).resolve().parent.parent / "tests"
