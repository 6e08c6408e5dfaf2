"""Without a network: an honest page, nothing of a match, and on it goes when there is one again."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.player import PHONE, keep, leads_on, quiet
from tests.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TAKEN_OVER = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    found.push(...requests.map((request) => new URL(request.url).pathname));
  }
  return found;
}"""


def test_offline_and_back(whole_browser: Browser, live_server: LiveServer, axe_source: str) -> None:
    with closing(whole_browser.new_context(viewport=PHONE, reduced_motion="reduce")) as visitor:
        visitor.set_default_timeout(PATIENCE)
        page = visitor.new_page()
        page.goto(f"{live_server.url}/games/")
        page.wait_for_function(TAKEN_OVER)
        old = "riffle-offline-before"
        page.evaluate("(name) => caches.open(name)", old)
        page.goto(f"{live_server.url}/cards/")
        expect(page.locator(".site-header")).to_be_visible()
        kept = ["/offline/", "/static/css/pages/offline.css", "/static/js/offline.js"]
        assert page.evaluate(KEPT) == [*kept, "/static/img/favicon.svg"]

        visitor.set_offline(True)
        page.goto(f"{live_server.url}/lobby-of-nobody/?q=1")
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
        expect(page.get_by_role("heading", name="Riffle isn’t responding")).to_be_hidden()
        assert page.evaluate("() => getComputedStyle(document.body).display") == "grid"
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            keep(page, f"offline-{theme}", full_page=False)
            quiet(page, axe_source, f"offline-{theme}")
        with leads_on(page):
            page.get_by_role("link", name="Try again").click()
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
        # Playwright's offline mode says “online” to a new page for a moment, and so it loads again.
        page.wait_for_load_state("networkidle")
        page.goto(f"{live_server.url}/cards/")
        expect(page.get_by_role("heading", name="You are offline")).to_be_visible()

        visitor.set_offline(False)  # it goes on by itself, to what was wanted
        page.wait_for_url(f"{live_server.url}/cards/")
        expect(page.locator(".site-header")).to_be_visible()
