"""Whole matches in a browser, on the site as ``make run`` starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESKTOP, EVERY, PHONE, READY, STILL, Player
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MOST_MOVES = 500
GONE_ON = "before => Number(document.getElementById('table').dataset.ply) > before"
SHORT = {"option_glory_target": "10", "option_turn_cap": "10"}
ATTACKS = "[data-options] :is([data-option^='attack'], [data-option^='challenge'])"

Sit = Callable[..., "KaijuPlayer"]


class KaijuPlayer(Player):
    """Attacks whenever it can, and lays whatever it can pay for."""

    def begin(self, site: str, mode: str, **choices: str) -> None:
        self.page.goto(f"{site}/play/?game=colossal-kaiju-combat&mode={mode}")
        for name, value in choices.items():
            field = self.page.locator(f"[name={name}]")
            if not field.is_visible():
                self.page.locator("details.more > summary").click()
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Create table").click()

    def choice(self) -> str:
        """The selector of what is pressed next."""
        for wanted in ("[data-send]", ATTACKS, ".tray .lay:not(.lay-bluff):visible"):
            if self.page.locator(wanted).count():
                return wanted
        return "[data-options] .may"

    def move(self) -> None:
        self.page.locator(self.choice()).first.click()

    def play_to_the_end(self, move: Callable[[], None] | None = None) -> None:
        width = self.page.viewport_size["width"]  # type: ignore[index]
        for _ in range(MOST_MOVES):
            if not self.ready():
                break
            before = self.ply
            (move or self.move)()
            self.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        self.page.locator("#to-result").press("Enter")
        self.page.wait_for_url("**/result/")


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    players: list[KaijuPlayer] = []

    def make(size: dict[str, int] = DESKTOP, **options: object) -> KaijuPlayer:
        players.append(KaijuPlayer(browser, size, **options))
        return players[-1]

    yield make
    for player in players:
        player.close()


MATCHES = [(DESKTOP, "standard", 2), (PHONE, "basic", 4)]
if LARGE:
    MATCHES += [(PHONE, "standard", 4), (DESKTOP, "basic", 4), (PHONE, "basic", 2)]


@pytest.mark.parametrize(("size", "mode", "seats"), MATCHES)
@pytest.mark.slow(40)
def test_a_match_by_clicking(
    site: str, sit: Sit, size: dict[str, int], mode: str, seats: int
) -> None:
    ann = sit(size)
    bots = {f"seat_{number}": "bot:random" for number in range(1, seats)}
    ann.begin(site, mode, **SHORT, **bots)
    expect(ann.page.locator(".rival")).to_have_count(seats - 1)
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")
    expect(ann.page.locator(".counts")).to_contain_text("combat")


def test_a_match_with_the_keyboard_alone(site: str, sit: Sit) -> None:
    ann = sit()
    ann.begin(site, "basic", **SHORT, seat_1="bot:random")
    keys = ann.page.keyboard

    def move() -> None:
        wanted = ann.page.locator(ann.choice()).first
        number = wanted.evaluate(
            "one => [...document.querySelectorAll('[data-options] .may')].indexOf(one) + 1"
        )
        if 0 < number < 10:
            keys.press(str(number))
            return
        # To the card with the arrows, from wherever one is.
        for key in ("ArrowDown", *["ArrowRight"] * 6, "ArrowDown", *["ArrowLeft"] * 6):
            keys.press(key)
            if ann.page.evaluate("document.activeElement.matches('.tray .lay')"):
                break
        keys.press("Enter")

    ann.play_to_the_end(move)


def test_two_people_play_each_other_by_link(site: str, sit: Sit) -> None:
    """Neither sees the other's hand, nor what lies face down; each hears of every move."""
    ann, bob = sit(), sit(PHONE, color_scheme="dark")
    ann.begin(site, "basic", seat_1="open")
    ann.page.wait_for_selector("#link")
    bob.page.goto(ann.page.locator("#link").input_value())
    bob.page.get_by_role("button", name="Join table").click()
    for player in (ann, bob):
        player.page.wait_for_selector("#table")
    down = 0
    for _ in range(24):
        player = next(p for p in (ann, bob) if p.page.locator("#table[data-asked='1']").count())
        other = bob if player is ann else ann
        player.ready()
        down += player.page.get_by_alt_text("A card, face down").count()
        expect(player.page.locator(".rival [data-hand-of] .piece")).to_have_count(0)
        before = player.ply
        player.move()
        player.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
        player.page.wait_for_function(STILL, polling=EVERY)
        if player.page.locator("#to-result").count():
            break
        if not player.page.locator("#table[data-asked='1']").count():
            other.page.wait_for_function(READY, polling=EVERY)
    assert down
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
