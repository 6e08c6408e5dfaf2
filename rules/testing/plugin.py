"""For tests of rules; a ``conftest.py`` has ``pytest_plugins = ["rules.testing.plugin"]``.

It knows the marker ``rules``, and a scenario that fails says the command that lays its table out.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rules.testing import positions


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "rules(*ids): the rule IDs this test proves (python -m rules.testing.rule_ids)"
    )


def pytest_runtest_setup(item: Any) -> None:
    """Each position that the test lays out becomes a section of its report."""
    positions.announce = partial(item.add_report_section, "call", "position")
