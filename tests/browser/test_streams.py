"""Many tabs of one browser over HTTP/1.1: one stream for all of them, and moves that say so when
they get no answer."""

from __future__ import annotations

import contextlib
import re
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

from tests.browser.player import STILL, Open, Player, person
from tests.browser.test_table import asks_ann, table_where
from tests.services import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = pytest.mark.browser

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
QUICK = 2.0
"""So many seconds a move may take, and a tab that is told of it, on a busy machine."""


@pytest.fixture
def ann(browser: Browser) -> Iterator[Player]:
    player = Player(browser)
    yield player
    player.close()


def open_streams(site: str) -> int:
    """How many streams the server has open."""
    with urllib.request.urlopen(f"{site}/metrics", timeout=10) as response:
        text = response.read().decode()
    (count,) = re.findall(r"^riffle_live_streams (\d+)", text, re.MULTILINE)
    return int(count)


def wait_for_streams(site: str, count: int) -> None:
    """Wait until so many are open, and see that it stays so."""
    wait_until(lambda: open_streams(site) == count, (), f"{count} streams", 20)
    time.sleep(1)
    assert open_streams(site) == count


def open_tab(context: BrowserContext, address: str, asked: list[Page]) -> Page:
    """A page; ``asked`` gets it whenever it opens a stream."""
    page = context.new_page()

    def note(request: Any) -> None:
        if "/events/" in request.url:
            asked.append(page)

    page.on("request", note)
    page.goto(address)
    return page


def play(player: Player, page: Page, twin: Page) -> None:
    """One move is answered quickly, and another tab of that table hears of it."""
    player.page = page
    assert player.ready()
    before = player.ply
    began = time.monotonic()
    player.move()
    for tab in (page, twin):
        tab.wait_for_function(
            "before => document.getElementById('table').dataset.ply > before", arg=before
        )
    print("moved after", time.monotonic() - began)
    assert time.monotonic() - began < QUICK


def test_twelve_tabs_share_one_stream(site: str, ann: Player) -> None:
    tables = []
    for _ in range(4):
        ann.new_table(site, seat_1="bot:random")
        ann.ready()
        tables.append(ann.page.url)
    ann.page.goto("about:blank")
    wait_for_streams(site, 0)

    asked: list[Page] = []
    tab = partial(open_tab, ann.context, asked=asked)
    paths = ("/cards/", "/play/lobby/", "/play/mine/", "/you/notices/")
    others = [tab(f"{site}{path}") for path in paths]
    twins = [(tab(address), tab(address)) for address in tables]
    wait_for_streams(site, 1)
    for page, twin in twins:
        play(ann, page, twin)

    # Whoever listens is closed, killed or hidden: another tab listens within a second.
    cards, lobby, mine, notices = others
    for end in (
        cards.close,
        lambda: lobby.goto("chrome://crash", timeout=1000),
        lambda: mine.evaluate(HIDE, True),
    ):
        asked.clear()
        began = time.monotonic()
        with contextlib.suppress(PlaywrightError):  # a page that is killed cannot be waited for
            end()
        while not asked:
            assert time.monotonic() - began < QUICK
            notices.wait_for_timeout(20)
        print("handed over after", time.monotonic() - began)
        wait_for_streams(site, 1)
        play(ann, *twins[0])

    # Hidden tabs hold none; a tab that is looked at again sees what it has missed.
    pages = [notices, *(page for pair in twins for page in pair)]
    for page in pages:
        page.evaluate(HIDE, True)
    wait_for_streams(site, 0)
    page, twin = twins[1]
    page.evaluate(HIDE, False)
    wait_for_streams(site, 1)
    ann.page = page
    assert ann.ready()
    before = ann.ply
    ann.move()
    expect(page.locator("#table")).not_to_have_attribute("data-ply", str(before))
    expect(twin.locator("#table")).to_have_attribute("data-ply", str(before))
    twin.evaluate(HIDE, False)
    expect(twin.locator("#table")).not_to_have_attribute("data-ply", str(before))
    wait_for_streams(site, 1)
