"""Whole matches in a browser, on the site as ``make run`` starts it: web, worker, live stream.

The people are guests; nothing is prepared behind the browser's back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESKTOP, EVERY, PHONE, READY, STILL, Player
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MOST_MOVES = 400
SHORT = {"option_guards": "0", "option_turn_limit": "20", "seat_1": "bot:random"}

Seat = Callable[..., Player]


@pytest.fixture
def sit(browser: Browser) -> Iterator[Seat]:
    """Makes players; at the end none of their pages may have complained."""
    players: list[Player] = []

    def make(size: dict[str, int] = DESKTOP, **options: object) -> Player:
        players.append(Player(browser, size, **options))
        return players[-1]

    yield make
    for player in players:
        player.close()


@pytest.mark.parametrize("size", [PHONE, *[DESKTOP] * LARGE])
def test_a_match_against_a_bot_by_clicking(site: str, sit: Seat, size: dict[str, int]) -> None:
    """A card, then its place, until the result page is reached."""
    ann = sit(size)
    ann.new_table(site, **SHORT)
    for _ in range(MOST_MOVES):
        if not ann.ready():
            break
        ann.move()
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    ann.page.locator("#to-result").click()
    ann.page.wait_for_url("**/result/")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"(wins[.!]|You win!|win|A draw)\s*$")
    )
    ann.page.get_by_role("link", name="Watch replay").click()
    ann.page.wait_for_url("**/replay/")
    ann.page.keyboard.press("End")
    ann.page.wait_for_function(
        "() => document.querySelector('[data-step=next]').ariaDisabled === 'true'"
    )


def test_a_match_with_the_keyboard_alone(site: str, sit: Seat) -> None:
    """From the first Tab on the page of a new table; never a mouse."""
    ann = sit()
    keys = ann.page.keyboard
    ann.page.goto(f"{site}/play/?mode=match")

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if ann.page.evaluate("one => document.activeElement.matches(one)", selector):
                return
            keys.press("Tab")
        pytest.fail(f"Tab never reaches {selector}.")

    tab_to("#id_seat_1")
    keys.press("D")  # Bot: Drifter
    if ann.page.locator("#id_seat_1").input_value() != "bot:random":
        keys.press("ArrowDown")
    expect(ann.page.locator("#id_seat_1")).to_have_value("bot:random")
    tab_to("details.more > summary")
    keys.press("Enter")
    tab_to("#id_option_turn_limit")
    keys.press("Control+a")
    keys.type("20")
    tab_to(".new-form button[type=submit]")
    keys.press("Enter")
    ann.page.wait_for_url("**/matches/*/")
    heard = ann.page.locator("#announcer")
    by_cards = 0
    for _ in range(MOST_MOVES):
        if not ann.ready():
            break
        card = ann.page.locator(".hand").locator("[data-intent=place], [data-intent=add_power]")
        if card.count() and by_cards < 3:
            # To a card with an arrow, Enter takes it, Enter puts it in the first place lit up.
            card.first.focus()
            keys.press("Enter")
            ann.page.wait_for_selector(".is-target")
            assert ann.page.evaluate("document.activeElement.closest('.is-target') !== null")
            keys.press("Enter")
            by_cards += 1
            continue
        worth = ann.worth_a_challenge() is not None
        wanted = "challenge" if worth else "add_power"
        number = ann.page.evaluate(
            """wanted => {
              const buttons = [...document.querySelectorAll("[data-options] .may")];
              const all = buttons.filter((one) => one.checkVisibility());
              return Math.max(0, all.findIndex((one) => one.dataset.option === wanted)) + 1;
            }""",
            wanted,
        )
        keys.press(str(number))
        ann.ready()
        expect(heard).not_to_be_empty()
    assert by_cards
    ann.page.locator("#to-result").focus()
    keys.press("Enter")
    ann.page.wait_for_url("**/result/")


def test_arrows_move_between_what_can_be_chosen(site: str, sit: Seat) -> None:
    ann = sit()
    ann.new_table(site)
    ann.ready()
    ann.page.keyboard.press("ArrowDown")
    seen = set()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp"):
        assert ann.page.evaluate("document.activeElement.matches('.may')")
        seen.add(
            ann.page.evaluate(
                "document.activeElement.ariaLabel ?? document.activeElement.textContent"
            )
        )
        ann.page.keyboard.press(key)
    assert seen
    ann.page.keyboard.press("?")
    expect(ann.page.locator("#help")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#help")).to_be_hidden()


def test_two_people_play_each_other_by_link(site: str, sit: Seat) -> None:
    """Each sees the other's moves without touching anything; one gives up, both are told."""
    ann, bob = sit(), sit(PHONE, color_scheme="dark")
    ann.new_table(site, seat_1="open")
    ann.page.wait_for_selector("#link")
    link = ann.page.locator("#link").input_value()
    ann.page.evaluate("window.stayed = true")

    bob.page.goto(link)
    bob.page.get_by_role("button", name="Join table").click()
    bob.page.wait_for_selector("#table")
    # The host's page goes to the table by itself.
    ann.page.wait_for_selector("#table")

    for player in (ann, bob):
        player.page.evaluate("window.stayed = true")
    for _ in range(24):
        first = next(p for p in (ann, bob) if p.page.locator("#table[data-asked='1']").count())
        other = bob if first is ann else ann
        first.ready()
        before = first.ply
        first.move()
        first.page.wait_for_function(
            "ply => Number(document.getElementById('table').dataset.ply) > ply",
            arg=before,
            polling=EVERY,
        )
        first.page.wait_for_function(STILL, polling=EVERY)
        if not first.page.locator("#table[data-asked='1']").count():
            # Each counts the moves that told them something, so plies cannot be compared.
            other.page.wait_for_function(READY, polling=EVERY)
        if first.page.locator("#to-result").count():
            break
    assert ann.page.evaluate("window.stayed") and bob.page.evaluate("window.stayed")

    if not bob.page.locator("#to-result").count():
        if (more := bob.page.get_by_role("button", name="More", exact=True)).is_visible():
            more.click()
        bob.page.locator("[popovertarget='concede']").first.click()
        bob.page.locator("#concede").get_by_role("button", name="Concede").click()
        bob.page.wait_for_url("**/result/")
        ann.page.wait_for_function(READY, polling=EVERY)
    ann.page.locator("#to-result").click()
    ann.page.wait_for_url("**/result/")
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")
