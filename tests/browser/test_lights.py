"""A line of the log lights up its cards on the table, and a card its lines: in every game."""

from __future__ import annotations

from functools import partial

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from matches import engine
from matches.models import Match
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable
from rules.engine.game import Game, Mode
from tests.browser.player import Open, chance_of, keep, person, play_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ANSWERS = 5
"""Of the first seat, before its table is looked at."""
#: The newest line of which something lies on the table, marked for the test.
MARK = """() => {
    const lies = (card) => [...document.querySelectorAll(
        `.table-felt :is([data-card="${card}"], [data-cards~="${card}"])`)]
        .some(element => element.checkVisibility() && !element.closest("[popover]"));
    const line = [...document.querySelectorAll(".table-lines [data-cards]")].reverse()
        .find(({ dataset }) => dataset.cards.split(" ").some(lies));
    line?.setAttribute("data-marked", "");
    return Boolean(line);
}"""


def modes() -> list[tuple[Game, Mode]]:
    """A mode of each game that more than one plays."""
    return list(
        {game.slug: (game, mode) for game, mode in playable() if mode.seats[0] > 1}.values()
    )


def in_the_middle(game: Game, mode: Mode) -> Match:
    people = [person(name) for name in ("Ann", "Bob")]
    seats = [SeatPlan(user=user) for user in people]
    match = create_match(host=people[0], setup=MatchSetup(game.slug, mode.slug, seats))
    assert play_until(match, is_late, partial(chance_of, bot="greedy"))
    return match


def is_late(table: engine.Table) -> bool:
    return table.state.asked[0] >= ANSWERS and 0 in table.prompts


def lights_both_ways(page: Page) -> None:
    page.wait_for_function(MARK)
    line = page.locator(".table-lines [data-marked]")
    lit = page.locator(".table-felt .is-alight")
    expect(lit).to_have_count(0)
    line.hover()
    expect(lit).not_to_have_count(0)
    keep(page, f"lights-{page.locator('[data-game]').first.get_attribute('data-game')}", False)
    page.mouse.move(1, 1)
    expect(page.locator(".is-alight")).to_have_count(0)
    # The focus does the same from both sides.
    page.locator(".table-lines").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".table-lines .is-alight")).to_have_count(1)
    line.hover()
    numbers = (line.get_attribute("data-cards") or "").split()
    lit.first.evaluate("card => card.setAttribute('data-marked', '')")
    page.mouse.move(1, 1)
    page.locator(".table-felt [data-marked]").dispatch_event("focusin")
    lines = page.locator(".table-lines .is-alight")
    expect(lines).not_to_have_count(0)
    for spoken in lines.evaluate_all("lines => lines.map(line => line.dataset.cards)"):
        assert set(spoken.split()) & set(numbers)


def test_words_and_cards_light_each_other_up(sit: Open) -> None:
    """One page for all games: at the table, in the replay, and with a finger on a phone."""
    ann = sit(person("Ann"), "/api/problems/invalid/", has_touch=True)
    page, site = ann.page, ann.page.url.removesuffix("/api/problems/invalid/")
    for game, mode in modes():
        match = in_the_middle(game, mode)
        page.goto(site + match.get_absolute_url())
        ann.ready()
        lights_both_ways(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".table-lines [data-marked]").tap()
    expect(page.locator(".table-felt .is-alight").first).to_be_in_viewport()
    concede(slug=match.slug, user=person("Ann"))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{site}{reverse('matches:replay', args=(match.slug,))}?ply={match.ply}")
    lights_both_ways(page)
