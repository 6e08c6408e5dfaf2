"""A person's tables: none of those that run falls off the page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from matches.models import Match
from matches.queries import my_tables as page
from matches.services.play import concede
from tests.matches.conftest import MakeMatch

pytestmark = pytest.mark.django_db


def test_many_short_matches_hide_no_slow_one(
    make_match: MakeMatch, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MAX_LISTED", 3)
    monkeypatch.setattr(page, "MAX_FINISHED", 2)
    slow = make_match()
    ended = [make_match() for _ in range(5)]
    for match in ended:
        concede(slug=match.slug, user=ann)
    for number, match in enumerate(ended):
        match.refresh_from_db()
        assert match.finished_at is not None
        at = match.finished_at + timedelta(minutes=number)
        Match.objects.filter(pk=match.pk).update(finished_at=at)
    for user in (ann, bob):
        tables = page.my_tables(user)
        assert [entry.match.pk for entry in [*tables.awaiting, *tables.running]] == [slow.pk]
        assert [entry.match.pk for entry in tables.finished] == [ended[4].pk, ended[3].pk]
