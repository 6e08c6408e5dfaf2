"""Fixtures of the browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.player import Open, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def sit(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Opens a page as a person; at the end no page may have complained."""
    yield from sitting(browser, live_server)
