"""Looking on: a table is found, counted, seen from a side, and talked about afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESKTOP, PHONE, Player, leads_on, look

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def two(browser: Browser) -> Iterator[tuple[Player, Player]]:
    """Somebody who plays at a desk, somebody who looks on with a phone."""
    players = Player(browser, DESKTOP), Player(browser, PHONE)
    yield players
    for player in players:
        player.close()


def test_from_the_lobby_to_the_comment(
    site: str, two: tuple[Player, Player], axe_source: str
) -> None:
    player, watcher = two
    ann, sam = player.page, watcher.page
    player.new_table(site, seat_1="bot:random", option_guards="1")
    expect(ann.locator("#table")).to_be_visible()
    watched = ann.get_by_role("button", name=re.compile("^Watching"))
    expect(watched).to_be_hidden()
    slug = ann.url.rstrip("/").rpartition("/")[2]

    # Sam finds the table in the lobby and looks on: Ann sees that somebody does.
    sam.goto(f"{site}/play/lobby/")
    sam.get_by_role("link", name="Watch").click()
    look(sam, axe_source, "running-phone")
    with leads_on(sam):
        sam.locator(f"[data-key='{slug}']").get_by_role("link", name=re.compile("^Watch")).click()
    expect(watched).to_have_text(re.compile("1$"))
    watched.click()
    expect(ann.locator("[data-watchers-line]")).to_have_text("One person is watching.")
    look(ann, axe_source, "watched-desktop", full_page=False)
    ann.keyboard.press("Escape")

    # He goes to Ann's side of the felt, which stays so when she moves.
    sam.get_by_role("button", name="More", exact=True).click()
    sam.get_by_role("button", name=re.compile("^View")).click()
    expect(sam.locator("[data-watchers-line]")).to_have_text("No one else is watching.")
    look(sam, axe_source, "sides-phone", full_page=False)
    with leads_on(sam):
        sam.locator("#watching a[href='?side=1']").click()
    below = sam.locator(".own[data-seat='0']")
    expect(below).to_be_visible()
    expect(sam.locator(".hand")).to_have_count(0)
    before = sam.locator("#table").get_attribute("data-ply")
    player.move()
    expect(sam.locator("#table")).not_to_have_attribute("data-ply", before or "")
    expect(below).to_be_visible()
    look(sam, axe_source, "side-phone", full_page=False)
    sam.set_viewport_size(DESKTOP)
    look(sam, axe_source, "side-desktop", full_page=False)

    # Ann gives up, and says something about the first move; whoever sees the replay reads it.
    ann.get_by_role("button", name="Concede").click()
    with leads_on(ann):
        ann.locator("#concede").get_by_role("button", name="Concede").click()
    ann.goto(f"{site}/matches/{slug}/replay/?ply=1")
    ann.get_by_label("Comment on this move").fill("Here I was lost already.")
    with leads_on(ann):
        ann.get_by_role("button", name="Comment", exact=True).click()
    sam.goto(f"{site}/matches/{slug}/replay/")
    expect(sam.locator("#replay-moves .replay-said")).to_have_count(1)
    sam.locator("[data-step=next]").click()
    expect(sam.locator("#comments .talk-text")).to_have_text("Here I was lost already.")
    look(sam, axe_source, "comment-desktop", full_page=False)
    ann.set_viewport_size(PHONE)
    look(ann, axe_source, "comment-phone")
