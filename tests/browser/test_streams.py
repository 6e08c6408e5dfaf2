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

from matches import engine
from tests.browser.player import SHOW_IN, Open, Player, answer, keep, person
from tests.browser.test_table import asks_ann, greedy, table_where
from tests.support.services import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = pytest.mark.browser

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
QUICK = 4.0
"""So many seconds a move may take, and a tab that is told of it, on a busy machine."""
HANDOVER = 2.0
"""A second on a quiet machine."""


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
    time.sleep(0.5)
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
    assert time.monotonic() - began < QUICK


def test_twelve_tabs_share_one_stream(site: str, ann: Player) -> None:
    tables = []
    for _ in range(4):
        ann.new_table(site, seat_1="bot:random")
        ann.ready()
        tables.append(ann.page.url)
    ann.page.goto("about:blank")
    wait_for_streams(site, 0)

    rows: list[Page] = []
    tab = partial(open_tab, ann.context, asked=rows)
    paths = ("/cards/", "/play/lobby/", "/play/mine/", "/you/notices/")
    others = [tab(f"{site}{path}") for path in paths]
    twins = [(tab(address), tab(address)) for address in tables]
    wait_for_streams(site, 1)
    for page, twin in twins:
        play(ann, page, twin)

    # Whoever listens is closed, killed, frozen or hidden: another tab listens within a second.
    cards, lobby, mine, notices = others
    for end in (
        cards.close,
        lambda: lobby.goto("chrome://crash", timeout=1000),
        lambda: mine.evaluate("document.dispatchEvent(new Event('freeze'))"),
        lambda: notices.evaluate(HIDE, True),
    ):
        rows.clear()
        began = time.monotonic()
        with contextlib.suppress(PlaywrightError):  # a page that is killed cannot be waited for
            end()
        while not rows:
            assert time.monotonic() - began < HANDOVER
            notices.wait_for_timeout(20)
        wait_for_streams(site, 1)
        play(ann, *twins[0])

    # Hidden tabs hold none; a tab that is looked at again sees what it has missed.
    for page in (page for pair in twins for page in pair):
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("arrived", [True, False], ids=["it arrived", "it did not arrive"])
def test_a_move_without_an_answer_is_sent_again_and_played_once(sit: Open, arrived: bool) -> None:
    match = table_where(asks_ann("pass"))
    ann = sit(person("Ann"), match.get_absolute_url(), "phone" if arrived else "desktop")
    ann.ready()
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
            return
        held.append(route)
        if arrived:
            route.fetch()  # the server plays it, and nobody hears the answer

    before = match.ply
    ann.page.route("**/play/", hold_the_first)
    ann.page.locator("[data-option=pass]").click()
    refusal = ann.page.locator("[data-refusal]")
    expect(refusal).to_contain_text("No answer yet", timeout=8000)
    match.refresh_from_db()
    assert match.ply == before + arrived
    for theme in ("light", "dark"):
        ann.page.evaluate(SHOW_IN, theme)
        keep(ann.page, f"no-answer-{arrived}-{theme}", full_page=False)
    ann.page.get_by_role("button", name="Send it again").dblclick()
    expect(ann.page.locator("#table")).not_to_have_attribute("data-ply", str(before))
    expect(ann.page.locator(".ask-again")).to_have_count(0)
    match.refresh_from_db()
    assert match.ply == before + 1
    expect(ann.page.locator("#table")).to_have_attribute("data-ply", str(match.ply))


@pytest.mark.django_db(transaction=True)
def test_a_hidden_table_looks_by_itself(sit: Open) -> None:
    """Nobody listens for it; its title says all the same that it is one's turn."""
    match = table_where(lambda table: 1 in table.prompts)
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.page.wait_for_selector(".has-script")
    ann.page.clock.install()
    ann.page.evaluate(HIDE, True)
    while not asks_ann("pass")(engine.load(match)):
        answer(match, choose=greedy)
        match.refresh_from_db()
    expect(ann.page).not_to_have_title(re.compile("^● Your turn"))
    ann.page.clock.fast_forward(15_000)
    expect(ann.page).to_have_title(re.compile("^● Your turn"))
