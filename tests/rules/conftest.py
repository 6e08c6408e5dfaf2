"""What tests of rules share: the rules that a test proves, and tables that must be finished."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules.testing import LAID
from tests.rules.laid import OPEN


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "rules(*ids): the rule IDs this test proves (python -m rules.testing.rule_ids)"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """A scenario that fails says the command that lays its table out."""
    report = yield
    if report.when == "call":
        if report.failed:
            for laid in LAID:
                report.sections.append(("to see the position", laid.command))
        LAID.clear()
    return report


@pytest.fixture(autouse=True)
def _no_table_left_open() -> Iterator[None]:
    OPEN.clear()
    yield
    left = [table.match.prompts for table in OPEN]
    OPEN.clear()
    assert not left, f"tables that were not done: {left}"
