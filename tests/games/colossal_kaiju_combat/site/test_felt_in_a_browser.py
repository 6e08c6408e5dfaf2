"""Every number of seats on four screens: the felt is shared out, and a phone has three pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.felt import laid_match
from tests.browser.player import EVERY, STILL, Open, look_at, person, quiet
from tests.games.colossal_kaiju_combat.site.layouts import TABLES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str) -> None:
    laid = {name: laid_match(TABLES[name]()) for name in ("exchange-2", "action-5", "planning-3")}
    look_at(sit, axe_source, {name: match.get_absolute_url() for name, match in laid.items()})


def test_a_phone_has_three_pages(sit: Open) -> None:
    """By their links, by a swipe, by the keys; a question opens the page that it is answered on."""
    ann = sit(person("Ann"), laid_match(TABLES["exchange-5"]()).get_absolute_url(), "phone")
    ann.ready()
    page = ann.page
    arena, own, others = (page.locator(f"#{name}") for name in ("arena", "my-team", "others"))
    expect(arena.locator(".clash")).to_be_in_viewport()
    expect(own).not_to_be_in_viewport()
    page.get_by_role("link", name="My team").click()
    expect(own).to_be_in_viewport(ratio=0.5)
    page.get_by_role("link", name="Others").press("Enter")
    expect(others).to_be_in_viewport(ratio=0.5)
    page.locator(".screens").evaluate("screens => screens.scrollTo(0, 0)")
    expect(arena).to_be_in_viewport(ratio=0.5)
    expect(page.locator("[data-page=arena]")).to_have_attribute("aria-current", "true")
    assert page.evaluate("window.scrollY") == 0


def test_pages_open_without_a_script(sit: Open) -> None:
    address = laid_match(TABLES["action-5"]()).get_absolute_url()
    ann = sit(person("Ann"), address, "phone", java_script_enabled=False)
    ann.page.get_by_role("link", name="Others").click()
    expect(ann.page.locator("#others")).to_be_in_viewport(ratio=0.5)
    expect(ann.page.locator(".tray")).to_be_in_viewport()
    ann.page.locator(".hand-tab", has_text="Planning").click()
    expect(ann.page.locator(".tiles-planning")).to_be_visible()
    expect(ann.page.locator(".tiles-combat")).to_be_hidden()


def test_a_card_says_its_sum_and_a_character_turns_over(sit: Open, axe_source: str) -> None:
    ann = sit(person("Ann"), laid_match(TABLES["exchange-2"]()).get_absolute_url())
    ann.ready()
    page = ann.page
    crusher = page.locator(".tile", has_text="Bone Crusher")
    expect(crusher.locator(".tile-sum")).to_contain_text("6 + Teeth 2 + Maelgrath 1")
    expect(crusher.locator(".tile-total")).to_contain_text("9")
    expect(page.locator(".tile", has_text="Plated Guard").locator(".tile-reason")).to_be_visible()
    expect(page.locator(".clash-sum").first).to_contain_text("2 + Teeth 2")
    page.get_by_role("button", name="Turn Maelgrath over").first.click()
    about = page.locator(".about:popover-open")
    expect(about).to_contain_text("Its bite cards have +1 damage.")
    expect(about).to_contain_text("13 + Fortitude Bonus 2 + Hardened Hide 2")
    quiet(page, axe_source)
    page.keyboard.press("Escape")
    crusher.locator(".lay:not(.lay-bluff)").click()
    page.wait_for_function(STILL, polling=EVERY)
    expect(page.locator(".clash .piece[data-title='Bone Crusher']")).to_have_count(1)


RAGES = """(pace) => {
  const waits = [];
  const detail = {
    kind: "raged", event: { seat: 0, number: 3 }, table: document.getElementById("table"), pace,
    wait: (until) => waits.push(until),
  };
  document.dispatchEvent(new CustomEvent("table:happened", { detail }));
  window.raged = Promise.all(waits);
}"""


def test_a_rage_attack_fills_the_screen_until_a_key_a_click_or_its_time(sit: Open) -> None:
    """The slow pace lets it stand for as long as the test takes, the quick one for no time."""
    ann = sit(person("Ann"), laid_match(TABLES["exchange-2"]()).get_absolute_url(), "phone")
    ann.ready()
    page = ann.page
    picture = page.locator(".rage-picture:popover-open")
    expect(picture).to_have_count(0)
    page.evaluate(RAGES, 1000)
    expect(picture).to_contain_text("3 damage")
    assert picture.evaluate("picture => [picture.offsetWidth, picture.offsetHeight]") == [390, 844]
    assert (
        picture.evaluate("picture => picture.getAnimations({subtree: true}).length") == 0
    )  # no motion
    page.keyboard.press("Escape")
    expect(picture).to_have_count(0)
    page.evaluate(RAGES, 1000)
    picture.click()
    expect(picture).to_have_count(0)
    page.evaluate(RAGES, 0.001)
    page.evaluate("() => window.raged")
    expect(picture).to_have_count(0)
