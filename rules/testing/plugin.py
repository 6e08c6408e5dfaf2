"""What tests of rules share; a ``conftest.py`` has ``pytest_plugins = ["rules.testing.plugin"]``.

It knows the marker ``rules``, and a scenario that fails says the command that lays its table out.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from rules.testing.positions import LAID


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "rules(*ids): the rule IDs this test proves (python -m rules.testing.rule_ids)"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    """A scenario that fails says the command that lays its table out."""
    report = yield
    if report.when == "call":
        if report.failed:
            for laid in LAID:
                report.sections.append(("to see the position", laid.command))
        LAID.clear()
    return report
