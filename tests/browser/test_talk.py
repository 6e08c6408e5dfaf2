"""Talk at the table: said, read, reported, and what the moderators do about it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from accounts.models import User
from matches import engine
from matches.models import ChatLine, Match, SeatKind
from matches.queries.access import access_match
from matches.services import talk as talking
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import Open, answer, keep, leads_on, look, person
from tests.games.examples import GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def table() -> Match:
    plans = [SeatPlan(user=person("Ann")), SeatPlan(user=person("Bob"))]
    return create_match(host=person("Ann"), setup=MatchSetup(game=GAME, mode="match", seats=plans))


def say(match: Match, name: str, text: str) -> None:
    user = person(name)
    talking.say(match=access_match(user, match.slug), user=user, text=text)


def test_from_a_rude_line_to_the_moderators(sit: Open, axe_source: str) -> None:
    match = table()
    path = match.get_absolute_url()
    say(match, "Bob", "Hello Ann, good luck.")
    say(match, "Sam", "Look left, Ann.")
    ann = sit(person("Ann"), path).page
    look(ann, axe_source, "talk-closed-desktop", full_page=False)
    expect(ann.locator("[data-unread].tool-count")).to_have_text("1")
    ann.get_by_role("link", name="Chat").click()
    panel = ann.locator("#talk")
    expect(panel.locator(".talk-text")).to_have_text(["Hello Ann, good luck."])
    expect(ann.locator("[data-unread].tool-count")).to_be_hidden()
    panel.get_by_label("Message the table").fill("Thanks, Bob.")
    panel.get_by_label("Message the table").press("Enter")
    expect(panel.locator(".talk-text").last).to_have_text("Thanks, Bob.")
    expect(panel.get_by_label("Message the table")).to_have_value("")
    panel.get_by_text("My notes").click()
    panel.get_by_label("A note that only you see").fill("Bob holds a claw.")
    panel.get_by_role("button", name="Add note", exact=True).click()
    expect(panel.get_by_text("My notes (1)")).to_be_visible()
    look(ann, axe_source, "talk-open-desktop", full_page=False)

    bob = sit(person("Bob"), path, "phone").page
    look(bob, axe_source, "talk-closed-phone", full_page=False)
    bob.get_by_role("link", name="Chat").click()
    expect(bob.locator("#talk .talk-text")).to_have_count(2)
    expect(bob.locator("#talk .talk-lines")).to_be_in_viewport()
    look(bob, axe_source, "talk-open-phone", full_page=False)
    felt, talk = bob.locator("#table").bounding_box(), bob.locator("#talk").bounding_box()
    assert felt and talk and talk["y"] >= felt["y"] + felt["height"], "it never covers the table"
    bob.locator("#talk summary", has_text="Quick chat").click()
    bob.get_by_role("button", name="That was close.").click()
    expect(bob.locator("#talk .talk-text")).to_have_count(3)

    say(match, "Bob", "You play like a wet towel.")
    ann.reload()
    ann.get_by_role("link", name="Chat").click()
    rude = panel.locator(".talk-line", has_text="wet towel")
    rude.locator("summary").click()
    with leads_on(ann):
        rude.get_by_role("link", name="Report").click()
    ann.get_by_label("What is wrong?").fill("He insults me.")
    look(ann, axe_source, "talk-report-desktop", full_page=False)
    with leads_on(ann):
        ann.get_by_role("button", name="Report").click()
    expect(ann.get_by_text("Report sent. Thank you.")).to_be_visible()

    olga, _ = User.objects.get_or_create(username="olga", is_staff=True, is_superuser=True)
    staff = sit(olga, "/admin/matches/report/").page
    expect(staff.get_by_text("wet towel")).to_be_visible()
    with leads_on(staff):
        staff.locator("#result_list tbody th a").first.click()
    expect(staff.get_by_text("Hello Ann, good luck.")).to_be_visible()
    staff.get_by_label("State").select_option("acted")
    staff.get_by_label("Moderator's note").fill("Told him.")
    staff.get_by_label("Hide the message").check()
    staff.get_by_label("Mute the author").select_option("3")
    keep(staff, "talk-queue-report", True)
    with leads_on(staff):
        staff.get_by_role("button", name="Save", exact=True).click()
    assert ChatLine.objects.filter(hidden_at__isnull=False).count() == 1

    with leads_on(ann):
        ann.reload()
    expect(ann.locator(".talk-text", has_text="wet towel")).to_have_count(0)
    with leads_on(bob):
        bob.goto(f"{bob.url.partition('/matches/')[0]}{path}talk/")
    expect(bob.get_by_text("You are muted")).to_be_visible()
    look(bob, axe_source, "talk-muted-phone")


def test_who_waits_together_talks(sit: Open, axe_source: str) -> None:
    """At the table that has not begun, live; and the list says what somebody missed."""
    seats = [SeatPlan(user=person(name)) for name in ("Ann", "Bob")] + [SeatPlan(SeatKind.OPEN)]
    match = create_match(host=person("Ann"), setup=MatchSetup(game=GAME, mode="match", seats=seats))
    path = match.get_absolute_url()
    ann, bob = sit(person("Ann"), path).page, sit(person("Bob"), path, "phone").page
    bob.get_by_label("Message the table").fill("Who is the third?")
    bob.get_by_label("Message the table").press("Enter")
    expect(ann.locator("#talk .talk-text")).to_have_text(["Who is the third?"])
    look(ann, axe_source, "waiting-talk-desktop")
    look(bob, axe_source, "waiting-talk-phone")
    site = bob.url.partition("/matches/")[0]
    bob.goto(f"{site}/you/")
    say(match, "Ann", "Cleo, I hope.")
    over = table()
    concede(slug=over.slug, user=person("Ann"))
    bob.goto(f"{site}/matches/")
    expect(bob.get_by_text("1 new chat message")).to_be_attached()
    expect(bob.get_by_text("New", exact=True)).to_be_visible()
    look(bob, axe_source, "my-tables-news-phone")
    ann.goto(f"{site}/matches/")
    look(ann, axe_source, "my-tables-news-desktop")


def test_an_answer_is_taken_back_with_one_click(sit: Open, axe_source: str) -> None:
    """The last answer goes, the question comes again, and the others see that it is so."""
    for _ in range(20):
        match = table()
        answer(match)
        for _ in range(60):
            first = next(iter(engine.load(match).prompts.values()))
            answer(match)
            if match.status != "running" or engine.load(match).can_undo(first.seat):
                break
        if match.status == "running":
            break
    mover = match.seats.get(number=first.seat).user
    assert mover
    page = sit(mover, match.get_absolute_url()).page
    look(page, axe_source, "take-back-desktop", full_page=False)
    before = match.ply
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(f"#table[data-ply='{before + 1}'][data-asked='1']")).to_be_visible()
    expect(page.locator(".table-lines")).to_contain_text("You undo the last move.")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    phone = sit(mover, match.get_absolute_url(), "phone").page
    expect(phone.locator("#table[data-asked='1']")).to_be_visible()
