"""The example of ``docs/research.md`` learns what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_loop_of_the_page_learns() -> None:
    page = Path(__file__).resolve().parents[2] / "docs/research.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 7) == (0, True)
