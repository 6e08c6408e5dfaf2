"""Times: each page in one zone, its reader's; UTC is said where nobody knows which that is."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from core.local_time import local_text
from matches.models import Match, Status
from notices.models import Notice
from tests.support.world import make_world
from tournaments.models import Tournament

AT = datetime(2026, 11, 24, 22, 35, tzinfo=UTC)
HOURS = re.compile(r"\b\d\d:\d\d\b(?: UTC)?")


def hours(client: Client, address: str) -> set[str]:
    page = client.get(address).content.decode()
    return set(HOURS.findall(re.sub(r"<[^>]*>", " ", page)))


def test_no_template_prints_an_hour_but_by_the_one_filter() -> None:
    folders = [Path(settings.BASE_DIR) / "templates", *Path(settings.BASE_DIR).glob("games/*/site")]
    mails = "base_notification.txt"  # names its reader's zone in full
    wrong = [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".html", ".txt", ".svg"}
        and path.name != mails
        and re.search(r'\|(?:date|time):"[^"]*[GHgh]:i', path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.django_db
def test_every_page_is_in_its_reader_s_zone() -> None:
    world = make_world()
    Match.objects.update(moved_at=AT, started_at=AT)
    Match.objects.filter(status=Status.FINISHED).update(finished_at=AT)
    Tournament.objects.update(opens_at=AT, closes_at=AT, starts_at=AT, started_at=AT)
    Notice.objects.update(deadline_at=AT)
    result = f"/matches/{world.finished.slug}/result/"
    pages = (result, "/play/lobby/running/", world.tournament.get_absolute_url())
    stranger, ann = Client(), Client()
    ann.force_login(world.ann)
    for address in pages:
        assert hours(stranger, address) == {"22:35 UTC"}, address
    stranger.cookies["riffle_zone"] = ann.cookies["riffle_zone"] = "Europe/Berlin"
    for address in (*pages, "/you/notices/"):
        if address != "/you/notices/":
            assert hours(stranger, address) == {"23:35"}, address
        assert "23:35" in hours(ann, address) and "22:35 UTC" not in hours(ann, address), address
    world.ann.refresh_from_db()
    assert world.ann.time_zone == "Europe/Berlin", "mails and deadlines follow the browser, too"
    User.objects.filter(pk=world.ann.pk).update(time_zone="Asia/Tokyo")
    assert hours(ann, result) == {"07:35"}, "a chosen zone comes before the browser's"
    assert "07:35 JST" in ann.get(result).text, "and is named where the browser's clock differs"
    User.objects.filter(pk=world.ann.pk).update(time_zone="Asia/Dubai")
    assert "02:35 UTC+04" in ann.get(result).text
    User.objects.filter(pk=world.ann.pk).update(time_zone="Europe/Paris")
    assert "CET" not in ann.get(result).text
    stranger.cookies["riffle_zone"] = "../../etc/passwd"
    assert hours(stranger, result) == {"22:35 UTC"}
    assert ann.get(f"/api/matches/{world.finished.slug}/").json()["started_at"].endswith("Z")


@pytest.mark.django_db
def test_a_form_is_read_in_the_zone_it_is_shown_in() -> None:
    world = make_world()
    client = Client()
    client.force_login(world.ann)
    client.cookies["riffle_zone"] = "America/New_York"
    form = {"title": "Spring Open", "closes_at": "2036-11-24T17:35"}
    assert client.post(f"/deck-checks/{world.check.slug}/event/", form).status_code == 302
    world.check.refresh_from_db()
    assert world.check.closes_at == AT.replace(year=2036)
    page = client.get(f"/deck-checks/{world.check.slug}/").content.decode()
    assert 'value="2036-11-24T17:35"' in page


def test_a_moment_without_a_zone_says_utc() -> None:
    assert local_text(AT, "j M, H:i") == "24 Nov, 22:35 UTC"
    with timezone.override("America/St_Johns"):
        assert local_text(AT, "j M, H:i") == "24 Nov, 19:05"
