"""Conditional moves as people make them, on a desktop and a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from matches.services.bots import run_bots
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import Open, leads_on, look, person, sitting
from tests.games.kaolan.site.test_ahead import a_pass, lay, two

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sit(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    yield from sitting(browser, live_server)


def test_a_conditional_move_is_tried_made_carried_out_and_cancelled(
    sit: Open, axe_source: str
) -> None:
    ann, bob = person("Ann"), person("Bob")
    match = create_match(
        host=ann,
        setup=MatchSetup(
            game="kaolan", mode="match", seats=[SeatPlan(user=ann), SeatPlan(user=bob)]
        ),
    )
    lay(match, two())
    for _ in range(4):
        a_pass(match)
    page = sit(bob, match.get_absolute_url()).page
    look(page, axe_source, "ahead-table-desktop", full_page=False)
    with leads_on(page):
        page.get_by_role("link", name="Conditional moves").click()
    page.get_by_label("If", exact=True).select_option(label="Ann’s Leader is Red Claw")
    then = page.get_by_role("group", name="Then, when you pass")
    page.get_by_role("group", name="Then", exact=True).get_by_label("I", exact=True).select_option(
        "pass"
    )
    then.get_by_label("I", exact=True).select_option("drawn")
    with leads_on(page):
        page.get_by_role("button", name="Dry run").click()
    expect(page.locator("#run")).to_contain_text("You answered “Pass”.")
    look(page, axe_source, "ahead-tried-desktop")
    with leads_on(page):
        page.get_by_role("button", name="Save").click()
    sentence = (
        "At your next turn, if Ann’s Leader is Red Claw: pass; then discard the card you draw."
    )
    expect(page.locator(".ahead-own")).to_contain_text(sentence)

    phone = sit(person("Bob"), f"{match.get_absolute_url()}ahead/", "phone").page
    expect(phone.locator(".ahead-own")).to_contain_text(sentence)
    look(phone, axe_source, "ahead-phone")
    a_pass(match)
    for _ in range(3):
        match.orders.filter(due_at__isnull=False).update(due_at=timezone.now())
        run_bots(match_id=match.pk)
    assert len(match.moves.filter(seat=1, by_order=True)) == 2
    with leads_on(phone):
        phone.reload()
    expect(phone.get_by_text("None yet.")).to_be_visible()
    phone.get_by_role("group", name="Then", exact=True).get_by_label("I", exact=True).select_option(
        "challenge"
    )
    with leads_on(phone):
        phone.get_by_role("button", name="Save").click()
    with leads_on(phone):
        phone.locator(".ahead-own").get_by_role("button", name="Cancel").click()
    expect(phone.get_by_text("None yet.")).to_be_visible()
    assert not match.orders.exists()
