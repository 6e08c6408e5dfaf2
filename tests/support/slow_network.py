"""A network that takes its time: with ``--latency`` a test that does not wait for a page fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


def delay(browser: Browser, milliseconds: int) -> None:
    """Let every request of every page that is opened from now on take so much longer."""
    as_fast: Callable[..., BrowserContext] = browser.new_context

    def new_context(**wishes: Any) -> BrowserContext:
        context = as_fast(**wishes)
        context.on("page", lambda page: slow_down(page, milliseconds))
        return context

    browser.new_context = new_context  # type: ignore[method-assign]


def slow_down(page: Page, milliseconds: int) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    unbounded = -1
    network.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": milliseconds,
            "downloadThroughput": unbounded,
            "uploadThroughput": unbounded,
        },
    )
