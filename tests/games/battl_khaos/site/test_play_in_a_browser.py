"""Whole matches in a browser, on the site as ``make run`` starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESKTOP, EVERY, PHONE, READY, STILL
from tests.games.battl_khaos.site.player import GONE_ON, KhaosPlayer
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Sit = Callable[..., KhaosPlayer]


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    players: list[KhaosPlayer] = []

    def make(size: dict[str, int] = DESKTOP, **options: object) -> KhaosPlayer:
        players.append(KhaosPlayer(browser, size, **options))
        return players[-1]

    yield make
    for player in players:
        player.close()


@pytest.mark.slow(50)
def test_a_match_by_taps_on_a_phone(site: str, sit: Sit) -> None:
    ann = sit(PHONE, has_touch=True)
    ann.begin(site, "classic", option_target="5")
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(ann.page.locator(".counts")).to_contain_text("corners decided")


@pytest.mark.parametrize(
    ("mode", "by_keys"),
    [("army", True), *[("warband", False)] * LARGE],
    ids=["army-keys", *["warband-clicks"] * LARGE],
)
@pytest.mark.slow(50)
def test_a_match_with_an_own_army_on_a_desk(site: str, sit: Sit, mode: str, by_keys: bool) -> None:
    """By keys alone the whole of it; the mouse is asked for in the night's run."""
    ann = sit()
    ann.by_keys = by_keys
    ann.begin(site, mode, option_target="5", deck="bkh-starter-marsh")
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(ann.page.locator(".ranking")).to_contain_text("with Marsh Host")


def test_two_people_play_each_other_by_link(site: str, sit: Sit) -> None:
    """Each sees the other's moves without touching anything; one gives up, both are told."""
    ann, bob = sit(), sit(PHONE, color_scheme="dark", has_touch=True)
    ann.begin(site, "classic", seat_1="open")
    ann.page.wait_for_selector("#link")
    bob.page.goto(ann.page.locator("#link").input_value())
    bob.page.get_by_role("button", name="Join table").click()
    for player in (ann, bob):  # the host's page goes to the table by itself
        player.page.wait_for_selector("#table")
    for _ in range(10):
        for player in (ann, bob):
            player.page.wait_for_function(STILL, polling=EVERY)
        active = next(p for p in (ann, bob) if p.page.locator("#table[data-asked='1']").count())
        active.ready()
        before = active.ply
        active.move()
        active.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
        active.page.wait_for_function(STILL, polling=EVERY)
        if not active.page.locator("#table[data-asked='1']").count():
            other = bob if active is ann else ann
            other.page.wait_for_function(READY, polling=EVERY)
    placed = [player.page.locator("[data-cell]").count() for player in (ann, bob)]
    assert placed[0] == placed[1] > 4
    ann.page.get_by_role("button", name="Concede").click()
    ann.page.locator("#concede").get_by_role("button", name="Concede").click()
    bob.page.wait_for_selector("#to-result")
