"""Standing orders and going back by consent, as people give them at the table."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from matches import engine
from matches.errors import NothingToTakeBack
from matches.models import Match
from matches.services.bots import run_bots
from matches.services.going_back import go_back
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.moves import Move, Prompt
from tests.browser.player import Open, answer, chance_of, leads_on, look, person
from tests.games.examples import GAME, OTHER_GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def table(game: str, mode: str) -> Match:
    plans = [SeatPlan(user=person("Ann")), SeatPlan(user=person("Bob"))]
    return create_match(host=person("Ann"), setup=MatchSetup(game=game, mode=mode, seats=plans))


def playing(match: Match, at: engine.Table, prompt: Prompt) -> Move:
    """Ann lets every window pass; all else is played at random, the same each time."""
    window = at.window(prompt)
    return window if prompt.seat == 0 and window is not None else chance_of(match, at, prompt)


def will_be_aimed_at(match: Match) -> bool:
    """Ann is asked at a window, passes it and others, and then Bob does her harm."""
    twin, passed = engine.load(match), 0
    if 0 not in twin.prompts or twin.window(twin.prompts[0]) is None:
        return False
    for _ in range(120):
        if twin.outcome is not None:
            return False
        prompt = next(iter(twin.prompts.values()))
        passed += prompt.seat == 0 and twin.window(prompt) is not None
        events = twin.play(prompt.seat, playing(match, twin, prompt))
        if prompt.seat == 1 and any(twin.aims_at(event, 0) for event in events):
            return passed > 1
    return False


def at_a_window() -> Match:
    """A match in which Ann could let windows pass until she is aimed at, which will come."""
    for _ in range(20):
        match = table(OTHER_GAME, "battle")
        while match.status == "running":
            if will_be_aimed_at(match):
                return match
            answer(match, choose=playing)
    pytest.fail("Nobody was ever aimed at.")


def test_an_order_is_given_carried_out_and_dropped(sit: Open, axe_source: str) -> None:
    match = at_a_window()
    page = sit(person("Ann"), match.get_absolute_url()).page
    phone = sit(person("Ann"), match.get_absolute_url(), "phone").page
    for size, item in (("desktop", page), ("phone", phone)):
        item.get_by_role("button", name="Auto-answers").click()
        look(item, axe_source, f"orders-{size}", full_page=False)
    page.get_by_role("button", name="Auto-pass until I’m targeted").click()
    expect(page.locator(f"#table[data-ply='{match.visible_ply(0) + 1}']")).to_be_visible()
    expect(page.locator(".table-lines li").last).to_contain_text("By standing order: ")
    phone.reload()
    phone.get_by_role("button", name="Auto-answers 1").click()
    own = phone.locator(".orders-own")
    expect(own).to_contain_text("Auto-pass until I’m targeted 1 answered")
    look(phone, axe_source, "orders-given-phone", full_page=False)

    while match.orders.exists():
        match.orders.filter(due_at__isnull=False).update(due_at=timezone.now())
        run_bots(match_id=match.pk)  # what the worker does when the order is due
        if match.orders.exists():
            answer(match, choose=playing)
    assert len(match.moves.filter(by_order=True)) > 1
    with leads_on(page):
        page.reload()
    expect(page.get_by_role("button", name="Auto-answers 1")).to_have_count(0)
    with leads_on(page):
        page.goto(f"{page.url.partition('/matches/')[0]}/you/notices/")
    dropped = page.get_by_text("“Auto-pass until I’m targeted” has stopped. You were targeted.")
    expect(dropped.first).to_be_visible()

    match.refresh_from_db()
    while True:
        if 0 in engine.load(match).prompts and phone_may_order(match):
            break
        answer(match, choose=playing)
    with leads_on(phone):
        phone.goto(f"{phone.url.partition('/matches/')[0]}{match.get_absolute_url()}")
    phone.get_by_role("button", name="Auto-answers").click()
    phone.get_by_role("button", name="Always", exact=True).click()
    phone.get_by_role("button", name="Auto-answers 1").click()
    phone.locator(".orders-own").get_by_role("button", name="Cancel").click()
    expect(phone.get_by_role("button", name="Auto-answers 1")).to_have_count(0)
    assert not match.orders.exists()


def phone_may_order(match: Match) -> bool:
    at = engine.load(match)
    return at.window(at.prompts[0]) is not None


def test_a_turn_is_taken_back_when_all_agree(sit: Open, axe_source: str) -> None:
    match, seat = offerable()
    user, other = (match.seats.get(number=n).user for n in (seat, 1 - seat))
    path, before = match.get_absolute_url(), match.ply
    ann, bob = sit(user, path).page, sit(other, path, "phone").page
    offer(ann)
    look(ann, axe_source, "back-offered-desktop", full_page=False)
    bob.reload()
    expect(bob.get_by_text("requests a takeback.")).to_be_visible()
    bob.get_by_role("button", name="Answer").click()
    expect(bob.locator("#back")).to_contain_text("The match is then unrated.")
    look(bob, axe_source, "back-asked-phone", full_page=False)
    bob.get_by_role("button", name="Decline").click()
    expect(bob.get_by_text("requests a takeback.")).to_have_count(0)
    match.refresh_from_db()
    assert (match.ply, match.unrated) == (before, "")

    with leads_on(ann):
        ann.reload()
    offer(ann)
    bob.reload()
    bob.get_by_role("button", name="Answer").click()
    bob.get_by_role("button", name="Agree").click()
    expect(bob.locator(".table-lines li").last).to_contain_text("Takeback: back to the start of")
    match.refresh_from_db()
    assert (match.ply, match.unrated) == (before + 1, "takeback")
    with leads_on(ann):
        ann.reload()
    expect(ann.locator("#table[data-asked='1']")).to_be_visible()

    # What the other one offers next is seen without loading the page anew, and so is its end.
    for wants, words in ((True, "Offers (1)"), (False, "Offers")):
        match.seats.filter(user=other).update(wants_cancel=wants)
        ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(ann.locator(".table-tool[popovertarget=cancel]")).to_have_text(words)
        says = f"{other} offers to cancel this match."
        expect(ann.locator("#cancel", has_text=says)).to_have_count(int(wants))


def offer(page: Page) -> None:
    page.get_by_role("button", name="Offers").click()
    page.get_by_role("button", name="Take back this turn").click()
    expect(page.locator("#back")).to_contain_text("The match is then unrated.")
    page.get_by_role("button", name="Request takeback").click()
    expect(page.get_by_text("You have requested a takeback.")).to_be_visible()


def offerable() -> tuple[Match, int]:
    """A match in which somebody could go back, and who."""
    match = table(GAME, "match")
    for _ in range(100):
        seat = next(iter(engine.load(match).prompts))
        answer(match)
        user = match.seats.get(number=seat).user
        assert user is not None
        try:
            go_back(slug=match.slug, user=user, word="offer")
        except NothingToTakeBack:
            continue
        go_back(slug=match.slug, user=user, word="decline")
        match.refresh_from_db()
        return match, seat
    pytest.fail("Nobody could ever go back.")
