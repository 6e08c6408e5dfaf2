"""What tests of rules share: the marker that names the rules a test proves."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "rules(*ids): the rule IDs this test proves (python -m rules.engine.rule_ids)"
    )
