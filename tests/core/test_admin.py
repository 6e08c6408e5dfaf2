"""Lists of growing tables in the administration read no table as a whole."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.formats import localize

from accounts.models import User
from core.pagination import MAX_COUNTED
from matches.models import Match
from tests.matches.conftest import ann, bob, make_match, match  # noqa: F401

pytestmark = pytest.mark.django_db


def listed(client: Client, query: str = "") -> set[str]:
    page = client.get(f"/admin/matches/match/{query}").content.decode()
    return set(re.findall(r'class="field-slug"><a[^>]+>(\w+)<', page))


def test_matches_are_counted_so_far_and_found_by_a_whole_name(
    match: Match,  # noqa: F811
    ann: User,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = Match.objects.create(game=match.game, mode=match.mode, rules_version="1")
    staff = User.objects.create_user("olga", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert listed(client) == {match.slug, other.slug}
    counts = [query["sql"] for query in queries if "COUNT(" in query["sql"]]
    assert counts and all(f"LIMIT {MAX_COUNTED}" in sql for sql in counts)
    assert not [query for query in queries if "DISTINCT" in query["sql"]]
    assert listed(client, f"?q={ann.username.upper()}") == {match.slug}
    assert listed(client, f"?q=+{other.slug}+") == {other.slug}
    assert listed(client, f"?q={other.slug[:6]}") == set()
    assert listed(client, f"?game={match.game}") == {match.slug, other.slug}


def test_times_are_of_24_hours_as_on_all_pages() -> None:
    assert localize(datetime(2026, 11, 27, 22, 7, tzinfo=UTC)) == "27 Nov 2026, 22:07"
