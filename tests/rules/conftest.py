"""Fixtures of the rules' tests: tables that must be finished."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules.laid import OPEN


@pytest.fixture(autouse=True)
def _no_table_left_open() -> Iterator[None]:
    OPEN.clear()
    yield
    left = [table.match.prompts for table in OPEN]
    OPEN.clear()
    assert not left, f"tables that were not done: {left}"
