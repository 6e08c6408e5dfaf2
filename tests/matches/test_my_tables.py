"""A person's tables: none of those that run falls off the page."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from matches.models import Match
from matches.queries import my_tables as page
from matches.services.play import concede
from matches.services.setup import SeatPlan
from tests.games.examples import GAME, OTHER_GAME
from tests.matches.conftest import MakeMatch, asked, play_on

pytestmark = pytest.mark.django_db


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_many_short_matches_hide_no_slow_one(
    make_match: MakeMatch, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MAX_LISTED", 3)
    monkeypatch.setattr(page, "PAGE_SIZE", 2)
    slow = make_match()
    ended = [make_match() for _ in range(5)]
    for match in ended:
        concede(slug=match.slug, user=ann)
    now = timezone.now()
    for number, match in enumerate(ended):
        match.refresh_from_db()
        assert match.finished_at is not None
        assert {seat.finished_at for seat in match.seats.all()} == {match.finished_at}
        at = now + timedelta(minutes=number // 2)  # some end at one moment, on two pages
        Match.objects.filter(pk=match.pk).update(finished_at=at)
        match.seats.update(finished_at=at)
    for user in (ann, bob):
        listed, before = [], ""
        while True:
            tables = page.my_tables(user, before=before)
            listed += [entry.match.pk for entry in tables.finished]
            before = tables.older
            if not before:
                break
        assert listed == [match.pk for match in reversed(ended)], "page by page, each once"
        tables = page.my_tables(user)
        assert [entry.match.pk for entry in [*tables.awaiting, *tables.running]] == [slow.pk]
        assert [entry.match.pk for entry in tables.finished] == [ended[4].pk, ended[3].pk]


def test_tables_are_found_by_opponent_game_state_result_and_day(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    with_bob, with_sam = (
        make_match(),
        make_match(seats=[SeatPlan(user=ann), SeatPlan(user=stranger)]),
    )
    lost, won = make_match(), make_match()
    concede(slug=lost.slug, user=ann)
    concede(slug=won.slug, user=bob)
    past = timezone.now() - timedelta(days=10)
    Match.objects.filter(pk=won.pk).update(finished_at=past)
    mover, _ = asked(with_bob)
    client = logged_in(ann)

    def slugs(**query: str) -> set[str]:
        html = client.get("/matches/", query).content.decode()
        return set(re.findall(r'table-entry-link"[^>]*?href="/matches/(\w+)/', html, re.S))

    everything = {match.slug for match in (with_bob, with_sam, lost, won)}
    assert slugs() == slugs(play=GAME, q="") == slugs(play=f"{GAME}/match") == everything
    assert slugs(play=OTHER_GAME) == set()
    assert slugs(q="sAm") == slugs(q=" @sam ") == {with_sam.slug}
    assert slugs(q="ann") == set(), "opponents, not oneself"
    assert slugs(state="finished") == {lost.slug, won.slug}
    assert slugs(result="lost") == {lost.slug} and slugs(result="won") == {won.slug}
    assert slugs(q="bob", result="won", play=GAME) == {won.slug}
    assert slugs(until=f"{past + timedelta(days=1):%Y-%m-%d}") == {won.slug}
    assert won.slug not in slugs(since=f"{past + timedelta(days=2):%Y-%m-%d}")
    assert (with_bob.slug in slugs(state="turn")) == (mover == ann)
    assert (with_bob.slug in slugs(state="running")) == (mover == bob)
    for day in ("0001-01-01", "9999-12-31"):
        odd = client.get("/matches/", {"since": day, "until": day})
        assert odd.status_code == 422 and "from 2000 to 2100" in odd.content.decode()
    refused = client.get("/matches/", {"since": "2026-03-02", "until": "2026-03-01", "q": "Bob"})
    assert refused.status_code == 422
    assert (
        "before the first one" in refused.content.decode()
        and 'value="Bob"' in refused.content.decode()
    )


def test_a_table_says_when_it_was_moved_its_score_and_the_time_left(
    match: Match, ann: User, bob: User
) -> None:
    play_on(match, 4)
    Match.objects.update(moved_at=timezone.now() - timedelta(hours=3, minutes=5))
    mover, _ = asked(match)
    page_of_mover = logged_in(mover).get("/matches/").content.decode()
    assert "Last move 3\xa0hours ago" in page_of_mover
    assert re.search(r"\d d(?: \d+ h)? left", page_of_mover)
    assert re.search(r"Turn \d+ of \d+", page_of_mover) and f"{GAME}/table" in page_of_mover
    other = bob if mover == ann else ann
    assert re.search(r"\d d(?: \d+ h)? left", logged_in(other).get("/matches/").content.decode())
