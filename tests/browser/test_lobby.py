"""Two people who find each other, on the site as ``make run`` starts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import PHONE, Player, quiet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def two(browser: Browser) -> Iterator[tuple[Player, Player]]:
    """Somebody at a desk and somebody with a phone; none of their pages may complain."""
    players = Player(browser), Player(browser, PHONE)
    yield players
    for player in players:
        player.close()


def test_they_meet_in_the_lobby_and_an_invitation_is_declined(
    site: str, two: tuple[Player, Player], axe_source: str
) -> None:
    ann, bob = (player.page for player in two)
    bob.goto(f"{site}/account/signup/")
    bob.fill("[name=username]", "bob-of-the-lobby")
    for field in bob.locator("main input[type=password]").all():
        field.fill("a long walk in the rain")
    bob.locator("main form button[type=submit]").first.click()
    bob.wait_for_url(f"{site}/")

    # Bob looks on while Ann presses "Find a match": her table appears, and he sits down.
    bob.goto(f"{site}/play/lobby/?time_control=slow")
    sit_down = bob.get_by_role("button", name=re.compile("^Join table"))
    expect(sit_down).to_have_count(0)
    ann.goto(f"{site}/play/lobby/")
    ann.locator("#quick_time_control").select_option("slow")
    ann.get_by_role("button", name="Find a match").click()
    expect(ann.get_by_role("heading", level=1)).to_have_text("Waiting for players")
    expect(sit_down).to_have_count(1)
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    quiet(bob, axe_source, "lobby-phone")
    quiet(ann, axe_source, "waiting-desktop")
    sit_down.click()
    for page in (bob, ann):  # hers goes there by itself
        expect(page.locator("#table")).to_be_visible()
    assert bob.url == ann.url

    # Ann wants to play Bob again, and he says no.
    ann.goto(f"{site}/play/")
    ann.locator("#id_seat_1").select_option("person")
    ann.locator("#id_name_1").fill("Bob-of-the-lobby")
    ann.get_by_role("button", name="Create table").click()
    chairs = ann.locator(".lobby")
    expect(chairs).to_contain_text("(invited)")
    bob.goto(f"{site}/play/lobby/?time_control=slow")
    expect(bob.get_by_role("heading", name="Invitations")).to_be_visible()
    bob.get_by_role("button", name="Decline").click()
    expect(bob.locator("main, body").first).to_contain_text("Invitation declined")
    expect(bob.get_by_role("heading", name="Invitations")).to_have_count(0)
    expect(chairs).to_contain_text("Open seat")
    ann.get_by_role("button", name="Add a bot").click()
    expect(ann.locator("#table")).to_be_visible()
