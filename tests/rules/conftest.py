"""What tests of rules share: the rules that a test proves, and tables that must be finished."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules.laid import OPEN


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "rules(*ids): the rule IDs this test proves (python -m rules.engine.rule_ids)"
    )


@pytest.fixture(autouse=True)
def _no_table_left_open() -> Iterator[None]:
    OPEN.clear()
    yield
    left = [table.match.prompts for table in OPEN]
    OPEN.clear()
    assert not left, f"tables that were not done: {left}"
