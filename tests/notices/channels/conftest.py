"""A server outside that everything is sent to, whoever calls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from notices.channels import calls
from tests.support.outside import Outside, outside


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """A server under a public name; the site's own caller finds it."""
    with outside() as server_result:
        caller = server_result.caller()
        monkeypatch.setattr(calls, "outside", lambda: caller)
        yield server_result
