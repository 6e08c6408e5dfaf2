"""Tables in the middle of things, in every size, light and dark: axe finds nothing."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from matches.models import Status
from matches.services.draws import agree_on_draw
from tests.browser.felt import laid_match
from tests.browser.player import Open, look_at, person, play_until
from tests.games.knd_ocg.site.layouts import (
    TABLES,
    attacking,
    full_hand,
    laid,
    nobody_active,
    setting_up,
)

FLEE = "Flee: choose a Reserve Character to switch in."

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str) -> None:
    look_at(
        sit,
        axe_source,
        {
            **{name: laid_match(lay()).get_absolute_url() for name, lay in TABLES.items()},
            "setup": laid_match(setting_up()).get_absolute_url(),
        },
    )


def test_the_end_and_its_pages(sit: Open, axe_source: str) -> None:
    match = laid_match(attacking())
    play_until(match, lambda table: False, plies=4000)
    assert match.status == Status.FINISHED
    pages = {
        "over": match.get_absolute_url(),
        "result": reverse("matches:result", args=[match.slug]),
    }
    look_at(sit, axe_source, pages)


def test_ending_a_turn_to_one_s_own_harm_is_asked_twice(sit: Open) -> None:
    match = laid_match(nobody_active())
    ann = sit(person("Ann"), match.get_absolute_url(), "phone")
    ann.ready()
    ann.page.get_by_role("button", name="End the turn").click()
    expect(ann.page.locator("[data-question]")).to_contain_text("you lose")
    match.refresh_from_db()
    assert match.ply == 0
    ann.page.get_by_role("button", name="End it and lose").click()
    ann.page.wait_for_selector("#to-result")


def test_fleeing_is_laid_on_whoever_comes_in(sit: Open) -> None:
    match = laid_match(attacking())
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    ann.page.get_by_role("button", name="Flee").click()
    expect(ann.page.locator("[data-question]")).to_have_text(FLEE)
    ann.page.locator(".is-target [data-card]").last.click()
    expect(ann.page.locator(".side-near .fighter-name")).to_have_text("Slingshot Sadie")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_ten_cards_of_a_hand_are_shown_without_cutting_one_off(sit: Open, size: str) -> None:
    ann = sit(person("Ann"), laid_match(full_hand()).get_absolute_url(), size)
    ann.ready()
    expect(ann.page.locator(".hand-card")).to_have_count(10)
    hand, last = (
        ann.page.locator(selector).bounding_box() for selector in (".hand", ".hand-card >> nth=-1")
    )
    assert hand and last and last["x"] + last["width"] <= hand["x"] + hand["width"]


def test_a_card_stays_in_the_fingers_while_a_draw_is_offered(sit: Open) -> None:
    """The offer draws the table anew, and asks nothing new."""
    match = laid_match(attacking())
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    ann.page.get_by_role("button", name="Flee").click()
    words = ann.page.locator("[data-question]")
    expect(words).to_have_text(FLEE)
    agree_on_draw(slug=match.slug, user=person("Bob"), word="offer")
    expect(ann.page.get_by_text("Bob offers a draw.", exact=True)).to_be_visible()
    expect(words).to_have_text(FLEE)
    ann.page.locator(".is-target [data-card]").last.click()
    expect(ann.page.locator(".side-near .fighter-name")).to_have_text("Slingshot Sadie")


def test_a_character_of_the_reserve_is_chosen_wherever_it_is_pressed(sit: Open) -> None:
    """On a phone the note of one with Gear and Energy covers the middle of its card."""
    fed = {"reserve-1": "Headlock Hank", "under reserve-1": [*"AAAANN", "Giant Slingshot"]}
    match = laid_match(laid({**fed, "hand": ["A"]}, {"active": "Numbuh 1"}))
    ann = sit(person("Ann"), match.get_absolute_url(), "phone")
    ann.ready()
    ann.page.locator(".side-near .waiting .piece.may").click()
    expect(ann.page.locator(".side-near .fighter-name")).to_have_text("Headlock Hank")
