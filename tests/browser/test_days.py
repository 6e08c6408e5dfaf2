"""Two people who meet in the lobby and play by web: three days, each told once when it is time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import expect

from accounts.models import User
from matches.models import Match, Status
from notices.channels import registry
from notices.channels.mail import Mail
from tests.browser.player import Open, answer, leads_on, person
from tests.games.examples import GAME
from tests.notices.told import Clock, clock  # noqa: F401  (a fixture)
from tests.support.services import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def reachable(name: str) -> User:
    user = person(name)
    address = f"{user.username}@example.org"
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
    return user


def asked(match: Match) -> User:
    user = match.seats.get(prompt__isnull=False).user
    assert user is not None
    return user


def test_from_the_lobby_to_the_end_in_three_days(
    sit: Open,
    clock: Clock,  # noqa: F811
    settings: Any,
    mailoutbox: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.MAIL_IS_SENT = True
    monkeypatch.setattr(registry, "_channels", {"mail": Mail()})
    ann, bob = reachable("Ann"), reachable("Bob")
    pages = {ann: sit(ann, f"/play/lobby/?game={GAME}"), bob: sit(bob, "/you/", "phone")}
    with leads_on(pages[ann].page):
        pages[ann].page.get_by_role("button", name="Find a match").click()
    expect(pages[ann].page.get_by_role("heading", level=1)).to_have_text("Waiting for players")
    site = pages[bob].page.url.partition("/you/")[0]
    pages[bob].page.goto(f"{site}/play/lobby/")
    pages[bob].page.get_by_role("button", name=re.compile("^Join table")).click()
    for player in pages.values():
        expect(player.page.locator("#table")).to_be_visible()
        player.page.goto(f"{site}/you/")  # a table that is left open looks for news by itself
    match = Match.objects.get()

    for day in range(1, 4):
        here = asked(match)
        player, result = pages[here], bob if here == ann else ann
        player.page.goto(f"{site}/matches/")
        with leads_on(player.page):
            player.page.locator("[data-next-table]").click()
        assert player.ready()
        match.refresh_from_db()
        plies = match.ply
        player.move()
        # It may still be on its way when the page shows something else already.
        wait_until(lambda: match.moves.count() > plies, (), "The move")  # noqa: B023
        player.page.goto(f"{site}/you/")
        match.refresh_from_db()
        while match.status == Status.RUNNING and (asked(match) == here or day == 3):
            answer(match)
        if match.status != Status.RUNNING:
            break
        clock.pass_by(minutes=9)
        assert len(mailoutbox) == day - 1, "nobody is told who may be there already"
        for pause in (2, 0, 60, 12 * 60):
            clock.pass_by(minutes=pause)
        assert [mail.to for mail in mailoutbox[day - 1 :]] == [[f"{result.username}@example.org"]]
        assert "Your turn in " in mailoutbox[-1].body and match.slug in mailoutbox[-1].body
        clock.later(hours=12)

    count = len(mailoutbox)
    last = match.moves.latest("ply")
    other = match.seats.exclude(number=last.seat).get().user
    for pause in (11, 0, 24 * 60, 3 * 24 * 60):
        clock.pass_by(minutes=pause)
    assert other is not None and match.status == Status.FINISHED
    assert [mail.to for mail in mailoutbox[count:]] == [[f"{other.username}@example.org"]]
    page = pages[other].page
    page.goto(f"{site}/matches/")
    with leads_on(page):
        page.locator("a", has=page.get_by_text("New", exact=True)).click()
    expect(
        page.get_by_role("button", name=re.compile("^Rematch|^Go to rematch|^Accept rematch"))
    ).to_be_visible()
    page.goto(f"{site}/matches/")
    expect(page.get_by_text("New", exact=True)).to_have_count(0)
