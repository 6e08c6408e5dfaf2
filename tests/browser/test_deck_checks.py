"""An organiser defines a format and checks decks; a player hands one in; all pages fit."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.lists.textlist import write_list
from decks.models import CheckedDeck, DeckCheck, SheetJob
from decks.services import checks, sheets
from decks.services import decks as services
from tests.browser.player import PHONE, enter, leads_on, look_in_both
from tests.games.examples import GAME, GAME_NAME, OTHER_GAME, OTHER_NAME, READY_CARDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    sync_catalog()
    ada = User.objects.create_user("ada", display_name="Ada")
    ben = User.objects.create_user("ben", display_name="Ben")
    services.create_deck(
        owner=ben, game=GAME, mode="tournament", name="Wildfire", cards=READY_CARDS
    )
    return ada, ben


def test_a_whole_event(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
) -> None:
    hers = enter(browser, live_server, people[0], viewport=PHONE)
    page = hers.new_page()
    page.goto(live_server.url + f"/formats/new/?play={GAME}/tournament")
    page.get_by_label("Name", exact=True).fill("Clawless")
    page.get_by_label("Short description").fill("No claws at all.")
    page.get_by_label("No duplicates").check()
    page.get_by_label("Restricted list").fill("0 Red Claw # in every deck\n1 Green Clam")
    page.get_by_role("button", name="Create format").click()
    page.get_by_text("Line 2: no card named “Green Clam”.").wait_for()
    look_in_both(page, axe_source, "format-form")
    page.get_by_label("Restricted list").fill("0 Red Claw # in every deck")
    # Rules come by a press; what they do is said beside them while one types.
    page.get_by_role("button", name="Points list").click()
    rule = page.get_by_role("group", name="Rule 1")
    rule.get_by_label("Named cards").fill("3 Red Flame\n2 Green Flame")
    preview = page.get_by_role("complementary", name="What it does")
    expect(preview).to_contain_text("At most 3 points a deck: Red Flame 3, Green Flame 2.")
    rule.get_by_label("At most").fill("9")
    expect(preview).to_contain_text("At most 9 points a deck")
    page.get_by_role("button", name="Singleton").click()
    expect(page.get_by_role("group", name="Rule 2").get_by_label("Count")).to_have_value(
        "copies:card"
    )
    # Only a rule that compares cards asks with which.
    compared = page.get_by_role("group", name="Rule 2").get_by_label("Compared with")
    expect(compared).to_be_hidden()
    page.get_by_role("group", name="Rule 2").get_by_label("Count").select_option("apart")
    expect(compared).to_be_visible()
    rule.get_by_text("Sentence and ID").click()
    rule.get_by_role("button", name="Use the proposed sentence").click()
    expect(rule.get_by_label("What players read")).to_have_value(
        "The deck has {found:point}, at most {most} allowed. Save {surplus:point}."
    )
    look_in_both(page, axe_source, "format-rules")
    page.get_by_role("button", name="Remove rule 2").click()
    expect(page.get_by_role("group", name="Rule 2")).to_have_count(0)
    page.get_by_role("button", name="Create format").click()
    page.get_by_role("heading", name="Clawless").wait_for()
    look_in_both(page, axe_source, "format")
    # A new version out of a file: wrong TOML is named with its line and stays where it is.
    text = page.request.get(f"{page.url}format.toml").text()
    page.get_by_role("link", name="New version").click()
    page.get_by_label("What changed, and why").fill("Fewer points.")
    page.get_by_text("Rules from TOML").click()
    page.get_by_label("Or paste it").fill(text.replace("most = 9", "most = nine"))
    page.get_by_role("button", name="Read the TOML").click()
    page.get_by_text(re.compile(r"Line \d+: this is not TOML")).wait_for()
    expect(page.get_by_label("Or paste it")).to_have_value(re.compile("most = nine"))
    look_in_both(page, axe_source, "format-toml")
    page.get_by_label("Or paste it").fill(text.replace("most = 9", "most = 8"))
    page.get_by_role("button", name="Read the TOML").click()
    expect(page.get_by_role("group", name="Rule 1").get_by_label("At most")).to_have_value("8")
    expect(page.get_by_label("What changed, and why")).to_have_value("Fewer points.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("At most 8 points a deck")).to_be_visible()
    page.goto(live_server.url + "/formats/")
    look_in_both(page, axe_source, "formats")

    page.goto(live_server.url + "/deck-checks/")
    page.get_by_label("Title").fill("Spring Open")
    page.get_by_label("Game and mode", exact=True).select_option(f"{GAME}/tournament")
    page.get_by_label("Format (optional)").select_option(
        label=f"Clawless ({GAME_NAME}: Tournament Play)"
    )
    page.get_by_role("button", name="Create event").click()
    page.get_by_role("heading", name="Spring Open").wait_for()
    text = write_list(READY_CARDS, GAME)
    clawless = text.replace("1 Red Claw\n", "1 Gold 6\n")
    page.get_by_label("Or paste decklists").fill(
        f"== Mira: Wildfire\n{text}== Jo: Tame\n{clawless}"
    )
    page.get_by_role("button", name="Add decks").click()
    page.get_by_text("2 decks added.").wait_for()
    page.get_by_text("HOUSE-01").wait_for()

    his = enter(browser, live_server, people[1], viewport=PHONE)
    other = his.new_page()
    other.goto(live_server.url + DeckCheck.objects.get().get_absolute_url())
    other.get_by_role("button", name="Submit", exact=True).click()
    other.get_by_text("Nothing is submitted yet.").wait_for()
    look_in_both(other, axe_source, "check-dry")
    other.get_by_role("button", name="Submit anyway").click()
    other.get_by_text("Wildfire submitted.").wait_for()
    other.get_by_text("is not allowed in Clawless").wait_for()
    look_in_both(other, axe_source, "check-player")

    page.reload()
    look_in_both(page, axe_source, "check")
    with leads_on(page):
        page.get_by_role("link", name="Not legal").click()
    with leads_on(page):
        page.get_by_role("link", name="Ben", exact=True).click()
    look_in_both(page, axe_source, "checked-deck")
    page.go_back()
    with leads_on(page):
        page.get_by_role("link", name="Lock decklists").click()
    expect(page.get_by_text("3 decklists become final")).to_be_visible()
    look_in_both(page, axe_source, "check-lock")
    page.get_by_role("button", name="Lock 3 decklists").click()
    page.locator("summary", has_text="Unlock decklists").click()
    page.get_by_label("Reason").fill("A list was lost.")
    page.get_by_role("button", name="Unlock decklists").click()
    expect(page.get_by_text("A list was lost.")).to_be_visible()
    page.get_by_text("Date, place, deadline, judges").click()
    page.get_by_label("Place").fill("The Hall")
    page.get_by_role("button", name="Save event").click()
    expect(page.get_by_text("The Hall")).to_be_visible()
    look_in_both(page, axe_source, "check-unlocked")
    page.get_by_role("link", name="Lock decklists").click()
    page.get_by_role("button", name="Lock 3 decklists").click()
    page.get_by_text("Decklists locked.").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Registration sheets (PDF)").click()
    assert download.value.suggested_filename == "spring-open.pdf"
    assert CheckedDeck.objects.filter(locked_at__isnull=False).count() == 3
    page.goto(live_server.url + "/deck-checks/")
    look_in_both(page, axe_source, "checks")
    hers.close()
    his.close()


def test_a_rotation_is_announced_and_own_cards_are_not_passed_over(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
) -> None:
    hers = enter(browser, live_server, people[0], viewport=PHONE)
    page = hers.new_page()
    page.goto(live_server.url + f"/formats/new/?play={OTHER_GAME}/battle")
    page.get_by_label("Name", exact=True).fill("Shells")
    page.get_by_label("Winning target").fill("20")
    page.get_by_label("Gold").check()
    page.get_by_label("Holo").check()
    page.get_by_label("Only cards that the player owns").check()
    look_in_both(page, axe_source, "format-values")
    page.get_by_role("button", name="Create format").click()
    expect(page.get_by_text("Plain Shells: Gold, Holo")).to_be_visible()
    page.get_by_role("link", name="New version").click()
    day = timezone.localdate() + timedelta(days=40)
    page.get_by_label("Effective date").fill(day.isoformat())
    page.get_by_label("What changed, and why").fill("A larger target.")
    page.get_by_label("Winning target").fill("30")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("heading", name="Upcoming rules")).to_be_visible()
    look_in_both(page, axe_source, "format-announced")
    page.get_by_role("link", name="New version").click()
    expect(page.get_by_text("Version 2 takes effect on")).to_be_visible()
    look_in_both(page, axe_source, "format-again")

    page.goto(live_server.url + "/deck-checks/")
    page.get_by_label("Title").fill("Beach Open")
    page.get_by_label("Game and mode", exact=True).select_option(f"{OTHER_GAME}/battle")
    shells = f"Shells ({OTHER_NAME}: Battle Mode)"
    page.get_by_label("Format (optional)").select_option(label=shells)
    page.get_by_role("button", name="Create event").click()
    page.get_by_label("Or paste decklists").fill("== Mira\n1 Krabbi Long Legs (Gold)\n")
    page.get_by_role("button", name="Add decks").click()
    expect(page.get_by_text("Own cards were not checked")).to_be_visible()
    expect(page.get_by_text("4 notices")).to_be_visible()
    look_in_both(page, axe_source, "check-notices")
    with leads_on(page):
        page.get_by_role("link", name="Mira", exact=True).click()
    expect(page.get_by_text("Own cards were not checked")).to_be_visible()
    look_in_both(page, axe_source, "checked-deck-notices")
    hers.close()


def test_the_sheets_of_many_decks_are_drawn_while_one_looks(
    browser: Browser,
    live_server: LiveServer,
    people: tuple[User, User],
    axe_source: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = checks.create_check(
        organiser=people[0], title="Grand Open", game=GAME, mode="tournament"
    )
    text = write_list(READY_CARDS, GAME)
    entries = [checks.Entry(f"Player {n}", "", text) for n in range(sheets.AT_ONCE + 1)]
    checks.add_decks(check=check, by=people[0], entries=entries)
    hers = enter(browser, live_server, people[0], viewport=PHONE)
    page = hers.new_page()
    page.goto(live_server.url + check.get_absolute_url())
    with monkeypatch.context() as busy:
        busy.setattr(sheets, "_wake", lambda job_id: None)
        with leads_on(page):
            page.get_by_role("button", name="Registration sheets (PDF)").click()
        expect(page.get_by_text("Queued.")).to_be_visible()
    job = SheetJob.objects.get()
    SheetJob.objects.update(state="working", done=20)
    expect(page.get_by_text("Rendering 20 of 51")).to_be_visible()
    SheetJob.objects.update(state="waiting")
    sheets.make_sheets(job_id=job.pk)
    expect(page.get_by_text("Ready: 51 sheets")).to_be_visible()
    look_in_both(page, axe_source, "sheets")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert download.value.suggested_filename == "grand-open.pdf"
    hers.close()
