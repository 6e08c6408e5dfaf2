"""Calendars and feeds of one's tables, under secret addresses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from accounts.models import User
from matches.models import Match, Seat
from matches.services.play import play_move
from notices.models import SecretAddress
from notices.models.channels import AddressUse
from notices.services.secret_addresses import make_address, remove_address
from tests.matches.conftest import MakeMatch, asked, play_on, queries_of
from tests.matches.test_silence import fight, pick
from tests.notices.told import Clock

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    moved.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", moved)
    return moved


def address(user: User, use: AddressUse) -> str:
    """The secret address, as its page shows it."""
    row = make_address(user=user, use=use)
    ending = {"calendar": "calendar/{}.ics", "feed": "feed/{}.atom"}[use]
    return "/" + ending.format(row.key)


def events(url: str) -> list[Any]:
    answer = Client().get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def entries(url: str) -> list[Any]:
    answer = Client().get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")


def test_a_question_is_an_event_until_it_is_answered(match: Match, clock: Clock) -> None:
    user, prompt = asked(match)
    deadline = clock.now + timedelta(days=2)
    Seat.objects.filter(match=match, user=user).update(deadline_at=deadline)
    url = address(user, AddressUse.CALENDAR)
    (event,) = events(url)
    uid = str(event["uid"])
    assert match.slug in uid and uid.endswith("@localhost")
    assert event.decoded("dtstart") == deadline
    assert (int(event["sequence"]), event.decoded("dtstamp")) == (0, clock.now)
    assert str(event["summary"]).startswith("Your turn: ")
    assert str(event["url"]) == f"http://localhost:8000/matches/{match.slug}/"
    # Looked at later it says the same, to the letter.
    before = Client().get(url).content
    clock.later(hours=3)
    assert Client().get(url).content == before
    # The deadline moves, twice: the same event, with higher numbers.
    for number in (1, 2):
        deadline += timedelta(hours=12)
        Seat.objects.filter(match=match, user=user).update(deadline_at=deadline)
        (event,) = events(url)
        assert (str(event["uid"]), int(event["sequence"])) == (uid, number)
        assert (event.decoded("dtstart"), event.decoded("dtstamp")) == (deadline, clock.now)
    play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
    assert uid not in [str(event["uid"]) for event in events(url)]


def test_a_table_without_a_clock_is_in_no_calendar(match: Match) -> None:
    user, _ = asked(match)
    Seat.objects.filter(match=match).update(deadline_at=None)
    assert events(address(user, AddressUse.CALENDAR)) == []


def test_a_feed_tells_each_table_as_it_stands(match: Match, ann: User, bob: User) -> None:
    user, _ = asked(match)
    other = bob if user == ann else ann
    mine, theirs = address(user, AddressUse.FEED), address(other, AddressUse.FEED)
    (entry,) = entries(mine)
    assert (entry.findtext(f"{ATOM}title") or "").startswith("Your turn: ")
    assert entry.findtext(f"{ATOM}summary") == f"With {other}."
    (waiting,) = entries(theirs)
    assert (waiting.findtext(f"{ATOM}title") or "").startswith("Waiting for opponents: ")
    play_on(match)
    (over,) = entries(mine)
    assert (over.findtext(f"{ATOM}title") or "").startswith("Over: ")
    assert over.findtext(f"{ATOM}id") != entry.findtext(f"{ATOM}id")
    link = over.find(f"{ATOM}link")
    assert link is not None and link.get("href", "").endswith(f"/matches/{match.slug}/result/")


@pytest.mark.parametrize("use", list(AddressUse))
def test_who_has_it_already_is_told_only_that(match: Match, clock: Clock, use: AddressUse) -> None:
    user, _ = asked(match)
    url = address(user, use)
    first = Client().get(url)
    assert first["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": first["ETag"]}
    dated = {"If-Modified-Since": first["Last-Modified"]}
    clock.later(hours=1)
    for headers in (known, dated):
        again = Client().get(url, headers=headers)
        assert (again.status_code, again.content) == (304, b"")
    # A change of words alone counts, too.
    User.objects.exclude(pk=user.pk).update(display_name="Zoë <b>")
    for headers in (known, dated):
        assert Client().get(url, headers=headers).status_code == 200
    assert Client().head(url).status_code == 200


@pytest.mark.parametrize("use", list(AddressUse))
def test_the_number_of_queries_is_fixed(
    match: Match, make_match: MakeMatch, ann: User, use: AddressUse
) -> None:
    url = address(ann, use)
    Client().get(url)
    few = queries_of(lambda: Client().get(url))
    for _ in range(4):
        make_match()
    Client().get(url)
    assert queries_of(lambda: Client().get(url)) == few <= 5


def test_what_others_answer_unseen_changes_nothing(db: None) -> None:
    evening = fight("hands", 5)
    urls = [address(evening.people[0], use) for use in AddressUse]
    before = [Client().get(url).content for url in urls]
    version = evening.match.version
    pick(evening, 1)
    assert evening.match.version > version
    assert [Client().get(url).content for url in urls] == before


def test_an_address_is_secret_renewable_and_ends(ann: User, bob: User, match: Match) -> None:
    url = address(ann, AddressUse.CALENDAR)
    assert Client().get(url).status_code == 200
    assert Client().get(url.replace("calendar", "feed").replace("ics", "atom")).status_code == 404
    newer = address(ann, AddressUse.CALENDAR)
    assert newer != url and len(newer) > 50
    assert Client().get(url).status_code == 404
    assert Client().post(newer).status_code in (403, 405)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert Client().get(newer).status_code == 404
    User.objects.filter(pk=ann.pk).update(is_active=True)
    remove_address(user=ann, use=AddressUse.CALENDAR)
    assert Client().get(newer).status_code == 404


def test_the_page_makes_renews_and_removes_addresses(ann: User) -> None:
    client = Client()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    for use in AddressUse:
        client.post("/you/notices/address/make/", {"use": use})
        row = SecretAddress.objects.get(use=use)
        assert row.key in client.get("/you/notices/").content.decode()
        client.post("/you/notices/address/make/", {"use": use})
        assert SecretAddress.objects.get(use=use).key != row.key
        client.post("/you/notices/address/remove/", {"use": use})
        assert not SecretAddress.objects.exists()
    assert client.post("/you/notices/address/make/", {"use": "x"}).status_code == 404


def test_the_log_does_not_have_the_address(ann: User, caplog: pytest.LogCaptureFixture) -> None:
    url = address(ann, AddressUse.FEED)
    key = url.removeprefix("/feed/").removesuffix(".atom")
    with caplog.at_level("INFO"):
        Client().get(url)
    assert "/feed/….atom" in caplog.text and key not in caplog.text
