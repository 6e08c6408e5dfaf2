"""Whole matches of every mode in a browser, on the site as ``make run`` starts it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from matches import engine
from matches.models import Match, Status
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.moves import Move, Prompt
from tests.browser.player import (
    DESKTOP,
    EVERY,
    PHONE,
    Player,
    aimed_at,
    log_in,
    person,
    play_until,
)
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

MOST_MOVES = 900
GONE_ON = "before => Number(document.getElementById('table').dataset.ply) > before"

Sit = Callable[..., "ModePlayer"]


class ModePlayer(Player):
    """Plays what stands on the table, in whichever mode."""

    def begin(self, site: str, mode: str, button: str = "Create table", **choices: str) -> None:
        self.page.goto(f"{site}/play/?game=kaolan&mode={mode}")
        for name, value in choices.items():
            field = self.page.locator(f"[name={name}]")
            if not field.first.is_visible() and not self.page.locator("details.more[open]").count():
                self.page.locator("details.more > summary").click()
            if field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            elif field.first.get_attribute("type") == "radio":
                self.page.locator(f"label:has([name={name}][value='{value}'])").click()
            else:
                field.fill(value)
        self.page.get_by_role("button", name=button).click()

    def move(self) -> None:
        kind = self.page.locator("#table").get_attribute("data-prompt-kind")
        if kind == "solo_play":
            self.play_alone()
            return
        if kind != "turn_action":
            self.answer()
            return
        leader = self.worth_a_challenge()
        if leader is not None:
            self.show_rival(leader)
            leader.click()
            self.page.locator("[data-confirm]").click()
            return
        for intent in ("place", "add_power", "add_ability", "replace_link", "opportunity"):
            card = self.page.locator(f".hand [data-intent='{intent}']")
            if card.count():
                self._play(card.first)
                return
        self.page.get_by_role("button", name=re.compile("^Pass")).click()

    def answer(self) -> None:
        """An offered card on the table, else the first button of the tray."""
        offered = self.page.locator(
            ".table-felt .piece[data-option], .table-felt .power[data-option]"
        )
        for card in offered.all():
            if card.is_visible():
                card.click()
                return
        self.page.locator("[data-options] .may").first.click()

    def _play(self, card: Locator) -> None:
        card.click()
        place = self.page.locator(".own .is-target > .piece")
        if place.count():
            place.first.click()
        else:
            self.page.locator("[data-confirm]").click()

    def show_rival(self, leader: Locator) -> None:
        """On a phone a rival's board opens with its chip."""
        seat = aimed_at(leader)["seat"]
        chip = self.page.locator(f"label[for=seat-{seat}]")
        if chip.count() and chip.is_visible():
            chip.click()

    def play_alone(self) -> None:
        """A match, else attach, else attack with a fair chance, else deal."""
        for choice in (
            ".foe-pile [data-option]",
            ".solo-own [data-option=attach]",
            "[data-options] [data-option=attack]",
            "[data-options] .option-main .may",
        ):
            choices = self.page.locator(choice)
            if choices.count():
                choices.first.click()
                return

    def play_on(self, moves: int = MOST_MOVES) -> None:
        """Play so many moves, or to the end."""
        width = self.page.viewport_size["width"]  # type: ignore[index]
        for _ in range(moves):
            if not self.ready():
                break
            before = self.ply
            self.move()
            self.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width

    def play_to_the_end(self) -> None:
        self.play_on()
        self.page.locator("#to-result").click()
        self.page.wait_for_url("**/result/")


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    players: list[ModePlayer] = []

    def make(size: dict[str, int]) -> ModePlayer:
        players.append(ModePlayer(browser, size))
        return players[-1]

    yield make
    for player in players:
        player.close()


@pytest.mark.parametrize(
    ("size", "seats"), [(DESKTOP, 2), (PHONE, 8)], ids=["desktop-2", "phone-8"]
)
@pytest.mark.slow
def test_tournament_play(site: str, sit: Sit, size: dict[str, int], seats: int) -> None:
    ann = sit(size)
    bots = {f"seat_{number}": "bot:random" for number in range(1, seats)}
    ann.begin(site, "tournament", option_turn_limit="20", deck="kaolan-ready-deepwood", **bots)
    expect(ann.page.locator(".opponent")).to_have_count(seats - 1)
    ann.play_to_the_end()
    expect(ann.page.locator(".prize")).to_have_count(seats)
    expect(ann.page.locator(".ranking")).to_contain_text("with Deepwood")


@pytest.mark.parametrize("size", [PHONE, *[DESKTOP] * LARGE])
@pytest.mark.slow
def test_power_play(site: str, sit: Sit, size: dict[str, int]) -> None:
    ann = sit(size)
    ann.begin(site, "power", option_turn_limit="30", seat_1="bot:random")
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")


def test_single_play_on_a_phone(site: str, sit: Sit) -> None:
    ann = sit(PHONE)
    ann.begin(site, "single", button="Play Single Play")
    ann.play_on(60)
    assert ann.ply >= 60


def eagerly(match: Match, table: Any, prompt: Prompt) -> Move:
    """A match, else attach, else attack, else deal."""
    verbs = ("match", "attach", "attack")
    wanted = [move for verb in verbs for move in prompt.options if move.verb == verb]
    return (wanted or prompt.options)[0]


@pytest.mark.django_db(transaction=True)
def test_single_play_to_its_end(live_server: LiveServer, sit: Sit) -> None:
    """By clicks from where some thirty moves are left; the first sixty are made on a phone."""
    user = person("Ann")
    match = create_match(
        host=user, setup=MatchSetup(game="kaolan", mode="single", seats=[SeatPlan(user=user)])
    )
    table, moves = engine.load(match), 0
    while table.outcome is None:
        (prompt,) = table.prompts.values()
        table.play(prompt.seat, eagerly(match, table, prompt))
        moves += 1
    play_until(match, lambda table: False, eagerly, plies=moves - 30)
    assert match.status == Status.RUNNING
    ann = sit(DESKTOP)
    log_in(ann.context, live_server, user)
    ann.page.goto(live_server.url + match.get_absolute_url())
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"You removed (all 60|\d+ of 60)")
    )
    ann.page.get_by_role("link", name="Watch replay").click()
    ann.page.wait_for_url("**/replay/")
    ann.page.keyboard.press("End")
    ann.page.wait_for_function(
        "() => document.querySelector('[data-step=next]').ariaDisabled === 'true'"
    )
