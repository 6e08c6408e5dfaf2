"""Notices on the page and over the API: the bell, the list, what was seen, how one is told."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from notices.kinds import TOLD_KINDS, Kind, told_kinds
from notices.models import Notice, NoticeChannel, NoticeSettings
from notices.services import retention, sending
from notices.services.notices import Turn, notify, tell_turns
from tests.support.tokens import token_of

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(member: User) -> User:
    """Two questions, a trade that waits, and somebody else's notice."""
    for number in (1, 2):
        turn = Turn(member.pk, f"It is your turn at m{number}.")
        tell_turns(f"m{number}", [turn], link=f"/matches/m{number}/")
    notify([member.pk], Kind.TRADE, text="Ann offers you a trade.", link="/friends/", key="t")
    other = User.objects.create_user("otto")
    notify([other.pk], Kind.CHAT, text="Not for Mira.", link="/friends/")
    return member


def api(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_of(user)}")
    return client


def bell(client: Client, path: str = "/you/") -> str:
    page = client.get(path).content.decode()
    return page[page.index("data-bell") : page.index("All notifications")]


def test_the_bell_counts_and_names_first_what_somebody_waits_for(
    reader: User, as_member: Client
) -> None:
    bell_result = bell(as_member)
    assert 'data-count="3"' in bell_result
    assert re.findall(r"<span>([^<]*)</span>", bell_result)[0] == "Ann offers you a trade."
    assert '<span class="wide-only">Trade</span>' in bell_result
    assert "Not for Mira." not in bell_result
    as_member.post("/you/notices/seen/")
    assert "Nothing new." in bell(as_member)


def test_the_page_that_a_notice_leads_to_is_where_it_is_seen_but_questions_stay(
    reader: User, as_member: Client
) -> None:
    assert 'data-count="2"' in bell(as_member, "/friends/")
    assert not Notice.objects.unseen().filter(person=reader, kind=Kind.TRADE).exists()
    as_member.get("/you/notices/bell/?at=/matches/m1/")
    assert Notice.objects.unseen().filter(person=reader).count() == 2
    with CaptureQueriesContext(connection) as queries:
        as_member.get("/you/notices/bell/?at=/matches/m1/")
    assert not [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
    question = Notice.objects.get(match="m1")
    answer = as_member.get(f"/you/notices/{question.pk}/")
    assert answer["Location"] == "/matches/m1/"
    assert Notice.objects.unseen().filter(person=reader).count() == 1


def test_somebody_elses_notice_is_not_there(reader: User, as_member: Client) -> None:
    theirs = Notice.objects.exclude(person=reader).get()
    assert as_member.get(f"/you/notices/{theirs.pk}/").status_code == 404
    api(reader).post("/api/notifications/seen/", {"ids": [theirs.pk]})
    theirs.refresh_from_db()
    assert theirs.seen_at is None


def test_the_list_and_the_bell_cost_the_same_for_many(
    reader: User, as_member: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(15) as django_assert_max_num_queries_result:
        as_member.get("/you/notices/")
    for number in range(70):
        notify([reader.pk], Kind.CHAT, text="Look.", link="/friends/", key=str(number))
    cache.clear()
    with django_assert_max_num_queries(len(django_assert_max_num_queries_result)):
        page = as_member.get("/you/notices/").content.decode()
    assert 'data-count="73"' in page


def settings_form(**changes: Any) -> dict[str, Any]:
    kinds = [kind.value for kind in told_kinds(staff=False)]
    form = {"pause": "10", "time_zone": ""}
    for slug in ("mail", "push", "hook"):
        form |= {f"{slug}-pace": "now", f"{slug}-hour": "8", f"{slug}-kinds": kinds}
    return form | changes


def test_each_kind_on_offer_is_owed_by_something() -> None:
    files = [
        path for app in ("collection", "decks", "matches") for path in (ROOT / app).rglob("*.py")
    ]
    files.append(ROOT / "notices/models/notices.py")  # has a reminder told as a kind of its own
    files.append(ROOT / "notices/receivers.py")
    code = "\n".join(path.read_text("utf-8") for path in files)
    assert [kind.value for kind in TOLD_KINDS if f".{kind.name}" not in code] == []


def test_what_is_chosen_on_the_page_is_kept_and_holds(reader: User, as_member: Client) -> None:
    rows = ["your_turn", "trade"]
    form = settings_form(**{
        "pause": "0", "time_zone": "Europe/Berlin", "mail-pace": "daily", "mail-hour": "19",
        "mail-kinds": rows,
    })  # fmt: skip
    assert as_member.post("/you/notices/settings/", form).status_code == 302
    prefs = api(reader).get("/api/notifications/settings/").json()
    assert (prefs["pause"], prefs["time_zone"]) == (0, "Europe/Berlin")
    mail = next(way for way in prefs["channels"] if way["channel"] == "mail")
    assert (mail["pace"], mail["hour"]) == ("daily", 19)
    assert set(mail["kinds_off"]) == {kind.value for kind in told_kinds(staff=False)} - set(rows)
    page = as_member.get("/you/notices/").content.decode()
    assert '<option value="Europe/Berlin" selected>' in page
    assert '<option value="19" selected>' in page
    refused = as_member.post("/you/notices/settings/", form | {"pause": "1441"})
    assert refused.status_code == 400
    assert NoticeSettings.objects.get().pause_minutes == 0


def test_the_api_tells_what_holds_and_takes_what_was_seen(reader: User) -> None:
    client = api(reader)
    rows = client.get("/api/notifications/").json()["results"]
    assert [row["kind"] for row in rows] == ["trade", "your_turn", "your_turn"]
    assert {row["match"] for row in rows} == {"", "m1", "m2"}
    assert not any(row["seen"] for row in rows)
    question = Notice.objects.get(match="m1")
    due = next(row["due"] for row in rows if row["match"] == "m1")
    assert due == (question.since + timedelta(minutes=10)).isoformat().replace("+00:00", "Z")
    seen = client.post("/api/notifications/seen/", {"ids": [rows[0]["id"]]})
    assert seen.json() == {"marked": 1, "unseen": 2}
    assert client.post("/api/notifications/seen/", {}).json() == {"marked": 2, "unseen": 0}
    tell_turns("m1", [Turn(reader.pk, "x", is_asked=False)], link="/matches/m1/")
    assert len(client.get("/api/notifications/").json()["results"]) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"pause": 1441},
        {"pause": -1},
        {"time_zone": "Nowhere/Atall"},
        {"pause": 5, "channels": [{"channel": "pigeon", "pace": "now"}]},
        {"pause": 5, "channels": [{"channel": "mail", "pace": "hourly"}]},
        {"pause": 5, "channels": [{"channel": "mail", "hour": 24}]},
        {"pause": 5, "channels": [{"channel": "mail", "kinds_off": ["sneeze"]}]},
        {"pause": 5, "channels": [{"channel": "mail", "kinds_off": ["tournament_round"]}]},
    ],
)
def test_what_is_not_on_offer_changes_nothing(change: dict[str, Any], reader: User) -> None:
    client = api(reader)
    before = client.get("/api/notifications/settings/").json()
    answer = client.patch("/api/notifications/settings/", change)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert client.get("/api/notifications/settings/").json() == before


def test_switching_mail_on_again_takes_the_problem_away(reader: User) -> None:
    NoticeChannel.objects.create(person=reader, channel="mail", pace="never", problem="Came back.")
    change = {"channels": [{"channel": "mail", "pace": "now"}]}
    answer = api(reader).patch("/api/notifications/settings/", change).json()
    assert {way["problem"] for way in answer["channels"]} == {""}


def test_what_was_seen_long_ago_is_forgotten_and_nothing_else(reader: User) -> None:
    now = timezone.now()
    old = now - timedelta(days=91)
    Notice.objects.filter(match="m1").update(seen_at=old, since=old)
    Notice.objects.filter(match="m2").update(since=old)
    assert retention.forget_old(now=now) == 1
    assert set(Notice.objects.filter(person=reader).values_list("match", flat=True)) == {"m2", ""}
    assert sending.due_people(now=now)


def test_a_night_forgets_its_share_in_batches(
    reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = timezone.now() - timedelta(days=91)
    count = Notice.objects.update(seen_at=old, since=old)
    monkeypatch.setattr(retention, "MAX_PER_RUN", count - 1)
    monkeypatch.setattr(retention, "BATCH_SIZE", 1)
    assert [retention.forget_old() for _ in range(3)] == [count - 1, 1, 0]


def test_guests_see_their_notices_and_how_to_get_mails(client: Client, guest: User) -> None:
    tell_turns("m1", [Turn(guest.pk, "It is your turn at m1.")], link="/matches/m1/")
    page = client.get("/you/notices/").content.decode()
    assert "It is your turn at m1." in page
    assert "Guests have no email address." in page
    assert "/account/signup/?next=/you/notices/" in page
