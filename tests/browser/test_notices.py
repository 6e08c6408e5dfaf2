"""The bell and the page of notices in a browser: seen, told in the tab's title, settings kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from notices.kinds import Kind
from notices.models import NoticeChannel
from notices.services.notices import Turn, notify, tell_turns
from tests.browser.player import SIZES, Open, keep, leads_on, look_in_both
from tests.matches.conftest import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_the_bell_to_the_settings(sit: Open, axe_source: str) -> None:
    ann = person("Ann", email="ann@example.org")
    for name in ("Bob", "Cleo and Dan"):
        turn = Turn(ann.pk, f"It is your turn at Kites (Long match) with {name}.")
        tell_turns(name[:3], [turn], link="/you/security/")
    notify([ann.pk], Kind.TRADE, text="Bob offers you a trade.", link="/friends/", key="t")
    NoticeChannel.objects.create(
        person=ann, channel="mail", pace="never",
        problem="Mail to ann@example.org came back: 5.1.1 There is nobody of that name",
    )  # fmt: skip
    page = sit(ann, "/you/").page
    expect(page).to_have_title(re.compile(r"^\(3\) "))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/svg"))
    bell = page.locator("[data-bell] summary")  # it is called what is seen of it
    expect(bell).to_have_accessible_name("Notifications Trade 3 new")
    page.set_viewport_size(SIZES["phone"])
    expect(bell).to_have_accessible_name("Notifications 3 new")
    page.locator("[data-bell][data-count='3'] summary").click()
    look_in_both(page, axe_source, "bell", full_page=False)
    with leads_on(page):
        page.locator(".bell-body").get_by_text("Bob offers you a trade.").click()
    expect(page).to_have_url(re.compile("/friends/$"))
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    page.locator("[data-bell][data-count='2'] summary").click()
    with leads_on(page):
        page.get_by_text("All notifications").click()
    expect(page.get_by_text("Turned off automatically.")).to_be_visible()
    look_in_both(page, axe_source, "notices")
    page.get_by_label("Delay before notifying me").select_option("30")
    mail = page.get_by_role("group", name="Email", exact=True)
    mail.get_by_text("Once a day").first.click()
    fold = mail.get_by_text("Which notifications", exact=True)
    chevron = fold.evaluate("summary => getComputedStyle(summary, '::before').borderStyle")
    assert "solid" in chevron, "one sees that there is more"
    fold.click()
    mail.get_by_label("Your match is over").uncheck()
    with leads_on(page):
        page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Delay before notifying me")).to_have_value("30")
    expect(page.get_by_text("Turned off automatically.")).to_have_count(0)
    row = NoticeChannel.objects.get(person=ann, channel="mail")
    assert (row.pace, row.kinds_off) == ("daily", ["match_over"])
    with leads_on(page):
        page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("[data-bell][data-count='0']")).to_be_visible()
    expect(page).not_to_have_title(re.compile(r"^\("))
    for number in range(31):
        notify([ann.pk], Kind.CHAT, text=f"Look, {number}.", link="/friends/", key=str(number))
    page.reload()
    older, listed = (page.locator(item).bounding_box() for item in ("a[rel=next]", ".notice-list"))
    assert older and listed
    assert abs(older["x"] + older["width"] - listed["x"] - listed["width"]) < 2, "at its end"
    keep(page, "notices-pages", full_page=True)
