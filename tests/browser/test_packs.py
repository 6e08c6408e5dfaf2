"""A guest takes the gift and opens it: by click, by key, alone, on a phone, without scripts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

import rules
from accounts.models import User
from collection.models import Holding, Pack
from collection.services import packs
from collection.services.catalog import sync_catalog
from collection.views.packs import FEW
from tests.browser.player import DESKTOP, PHONE, enter, keep, look_in_both
from tests.games.examples import BOOSTERS, GAME, OTHER_GAME, OTHER_PACK, OTHER_STARTER, PACK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ada(db: None) -> User:
    sync_catalog()
    return User.objects.create_user("ada", display_name="Ada")


def give(user: User, game: str, product: str, count: int = 1) -> list[Pack]:
    grant = packs.grant(
        by=None, game=game, product=product, people=[user], key=product, count=count
    )
    return [pack for pack, _ in grant]


def state(page: Page, name: str) -> None:
    page.locator(f"[data-opening][data-state='{name}']").wait_for()


def faces(page: Page, number: int) -> None:
    """So many cards of an opening can be seen."""
    expect(page.locator(".opening-face:visible")).to_have_count(number)


def focused(page: Page, words: str) -> None:
    expect(page.locator(":focus")).to_have_text(words)


def test_from_the_gift_to_the_proof(
    page: Page, live_server: LiveServer, ada: User, tmp_path: Path
) -> None:
    """Motion and all, with the mouse; then the record goes to the stand-alone script."""
    page.goto(live_server.url + "/packs/")
    page.locator(f"label:has([value='{OTHER_GAME}/{OTHER_PACK}'])").click()
    page.get_by_role("button", name="Claim").click()
    page.get_by_role("heading", name="First Dawn Pack").wait_for()
    sealed = page.locator("#commitment").inner_text()
    page.get_by_label("Your own seed").fill("blue dice")
    page.get_by_role("button", name="Open the pack").click()
    state(page, "closed")
    faces(page, 0)
    expect(page.get_by_role("button", name="Reveal card 8 of 8")).to_have_count(1)
    page.get_by_role("button", name="Reveal card 3 of 8").click()
    page.locator(".opening-card.is-turned .opening-face").wait_for()
    faces(page, 1)
    page.get_by_role("button", name="Reveal next card").click()
    page.get_by_role("button", name="Reveal one by one").click()
    state(page, "open")
    faces(page, 8)
    page.get_by_role("link", name="Verify fairness").click()
    page.get_by_text("the hash matches, and all 8 cards follow from the seed").wait_for()
    expect(page.locator("#commitment")).to_have_text(sealed)
    with page.expect_download() as download:
        page.get_by_role("link", name="Pack record").click()
    record = tmp_path / "pack.json"
    download.value.save_as(record)
    with page.expect_download() as download:
        page.get_by_role("link", name="Script").click()
    program = tmp_path / "verify.py"
    download.value.save_as(program)
    done = subprocess.run(
        [sys.executable, "-I", program, record], capture_output=True, text=True, check=True
    )
    assert "The chance of this pack is as published." in done.stdout
    data = json.loads(record.read_text(encoding="utf-8"))
    assert data["client_seed"] == "blue dice" and data["commitment"] == sealed
    assert data["cards"] == Pack.objects.get().cards
    assert Holding.objects.count() == 8


def test_keys_alone_and_a_reader_s_words(
    browser: Browser, live_server: LiveServer, ada: User
) -> None:
    """Reduced motion: nothing flies, everything is said."""
    first, second = give(ada, GAME, PACK, 2)
    context = enter(browser, live_server, ada)
    page = context.new_page()
    page.goto(live_server.url + first.get_absolute_url())
    page.get_by_role("button", name="Open the pack").focus()
    page.keyboard.press("Enter")
    state(page, "closed")
    words = page.locator("[data-live]")
    expect(words).to_have_text("5 cards are face down.")
    cards = page.locator("[data-card]")
    for number in range(4):
        page.keyboard.press("Enter" if number % 2 else "ArrowRight")
        expect(words).to_have_text(cards.nth(number).get_attribute("data-words") or "")
        faces(page, number + 1)
    page.keyboard.press("Enter")
    state(page, "open")
    expect(words).to_have_text(re.compile(r",\s+new\. All cards are revealed\.$"))
    focused(page, "Open next pack")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{second.get_absolute_url()}")
    page.get_by_role("button", name="Open the pack").click()
    state(page, "closed")
    page.keyboard.press("Escape")
    state(page, "open")
    page.get_by_role("button", name="Replay opening").click()
    state(page, "closed")
    page.get_by_role("button", name="Reveal all").click()
    state(page, "open")
    focused(page, "All packs")
    assert page.evaluate("document.getAnimations().length") <= 10, "cross-fades at most"
    context.close()


@pytest.mark.parametrize("when", ["closed", "turning", "open"])
def test_a_reload_shows_the_cards(
    browser: Browser, live_server: LiveServer, ada: User, when: str
) -> None:
    (pack,) = give(ada, GAME, PACK)
    context = enter(browser, live_server, ada)
    page = context.new_page()
    page.goto(live_server.url + pack.get_absolute_url())
    page.get_by_role("button", name="Open the pack").click()
    state(page, "closed")
    if when == "turning":
        page.keyboard.press("ArrowRight")
    elif when == "open":
        page.keyboard.press("Escape")
        state(page, "open")
    page.reload()
    state(page, "open")
    faces(page, 5)
    expect(page.get_by_role("button", name="Reveal next card")).to_be_hidden()
    page.goto(live_server.url + "/packs/")
    page.go_back()
    state(page, "open")
    context.close()


def test_two_tabs_show_the_same_cards(browser: Browser, live_server: LiveServer, ada: User) -> None:
    (pack,) = give(ada, GAME, PACK)
    context = enter(browser, live_server, ada)
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(live_server.url + pack.get_absolute_url())
    rows = []
    for number, tab in enumerate(tabs):
        tab.get_by_label("Your own seed").fill(f"tab {number}")
        tab.get_by_role("button", name="Open the pack").click()
        state(tab, "closed")
        rows.append(
            tab.locator("[data-card] .opening-face img").evaluate_all("all => all.map(i => i.src)")
        )
    assert rows[0] == rows[1] and len(rows[0]) == 5
    assert Pack.objects.get().client_seed == "tab 0"
    context.close()


def test_without_scripts_the_cards_just_lie_there(
    browser: Browser, live_server: LiveServer, ada: User
) -> None:
    (pack,) = give(ada, GAME, PACK)
    context = enter(browser, live_server, ada, java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/packs/")
    page.locator(f"a[href='{pack.get_absolute_url()}']").click()
    page.get_by_role("button", name="Open the pack").click()
    page.get_by_role("link", name="Verify fairness").wait_for()
    faces(page, 5)
    expect(page.get_by_role("button", name="Reveal next card")).to_be_hidden()
    context.close()


def test_a_large_deck_is_dealt_open_by_itself(
    browser: Browser, live_server: LiveServer, ada: User
) -> None:
    (pack,) = give(ada, OTHER_GAME, OTHER_STARTER)
    context = enter(browser, live_server, ada)
    page = context.new_page()
    page.goto(live_server.url + pack.get_absolute_url())
    page.get_by_role("button", name="Open the pack").click()
    state(page, "open")
    faces(page, 56)
    context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_all_cards_of_a_pack_and_the_button_are_on_one_screen(
    browser: Browser, live_server: LiveServer, ada: User, size: dict[str, int]
) -> None:
    """Of every size of pack, after the opening and while cards are turned."""
    sizes: dict[int, Pack] = {}
    for game in rules.games().values():
        for product in game.products.values():
            if product.random:
                (pack,) = give(ada, game.slug, product.slug)
                packs.open_pack(slug=pack.slug, user=ada, client_seed="blue dice")
                pack.refresh_from_db()
                sizes.setdefault(len(pack.cards), pack)
    assert len(sizes) > 2
    context = enter(browser, live_server, ada, viewport=size, reduced_motion="reduce")
    page = context.new_page()
    for number, pack in sizes.items():
        if not 0 < number <= FEW:
            continue  # a box, or a deck that is dealt open by itself
        page.goto(live_server.url + pack.get_absolute_url())
        for item, button in (("open", "[data-open-next]"), ("closed", "[data-next]")):
            if item == "closed":
                page.get_by_role("button", name="Replay opening").click()
            state(page, item)
            expect(page.locator(f".opening[data-state='{item}'] {button}")).to_be_visible()
            if item == "open" and size == PHONE:
                small = page.evaluate(TOO_SMALL_TO_READ)
                assert small == [], number
                continue
            outside = page.evaluate(OUTSIDE, button)
            assert outside == [], (number, item)
        keep(page, f"packs-one-screen-{number}-{size['width']}", False)
    context.close()


TOO_SMALL_TO_READ = """() => {
  const box = one => one.getBoundingClientRect();
  const notes = [...document.querySelectorAll(".opening-note > *")];
  const over = notes.filter((one, place) => notes.slice(0, place).some(other =>
    box(one).left < box(other).right - 1 && box(other).left < box(one).right - 1
    && box(one).top < box(other).bottom - 1 && box(other).top < box(one).bottom - 1));
  const small = [...document.querySelectorAll(".opening-flip")].filter(one => box(one).width < 92);
  return [...over, ...small].map(one => one.outerHTML.slice(0, 80));
}"""
OUTSIDE = """button => {
  const box = one => one.getBoundingClientRect();
  const bar = document.querySelector(".site-nav");
  const low = bar && getComputedStyle(bar).position === "fixed" ? box(bar).top : innerHeight;
  const head = box(document.querySelector(".site-header")).bottom;
  const pressed = box(document.querySelector(button));
  const cards = [...document.querySelectorAll(".opening-flip")].map(box);
  const under = one => getComputedStyle(document.querySelector(button).parentElement).position
    === "fixed" && one.bottom > pressed.top;
  return [...cards, pressed]
    .filter(one => one.top < head - 1 || one.bottom > low + 1 || one.left < 0
      || one.right > innerWidth || (one !== pressed && under(one)) || one.width < 40)
    .map(one => [one.left, one.top, one.right, one.bottom, low, pressed.top].map(Math.round));
}"""


def test_pages_are_accessible_and_fit(
    browser: Browser,
    live_server: LiveServer,
    ada: User,
    axe_source: str,
) -> None:
    sealed, result = give(ada, GAME, PACK, 2)
    packs.open_pack(slug=result.slug, user=ada, client_seed="blue dice")
    give(ada, OTHER_GAME, OTHER_PACK, 3)
    context = enter(browser, live_server, ada, viewport=PHONE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    for name, address in (
        ("packs", "/packs/"),
        ("sealed", sealed.get_absolute_url()),
        ("opened", result.get_absolute_url()),
        ("verify-sealed", f"{sealed.get_absolute_url()}verify/"),
        ("verify", f"{result.get_absolute_url()}verify/"),
        ("odds", f"/packs/odds/{OTHER_GAME}/{OTHER_PACK}/"),
        ("odds-fixed", f"/packs/odds/{GAME}/{BOOSTERS[0]}/"),
    ):
        page.goto(live_server.url + address)
        look_in_both(page, axe_source, f"packs-{name}")
    page.goto(live_server.url + result.get_absolute_url())
    page.get_by_role("button", name="Replay opening").click()
    state(page, "closed")
    page.keyboard.press("ArrowRight")
    look_in_both(page, axe_source, "packs-opening")
    assert errors == []
    context.close()
