"""Leaderboards, records and exports come from a replica, and are right whatever it does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import pre_save
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from config.middleware import note_writes
from core import replica
from matches.models import Ladder, Rating
from tests.games.examples import GAME
from tests.support.replica import PORT, Replica
from tests.support.services import wait_until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

BOARD = f"/ratings/{GAME}/match/"
API = f"/api/ratings/{GAME}/match/"


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Replica]:
    started = Replica()
    yield started
    started.stop()


@pytest.fixture
def follower(server: Replica, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replica]:
    """The site knows the replica."""
    primary = connections.databases["default"]
    own = {"PORT": str(PORT), "CONN_MAX_AGE": 600, "OPTIONS": {"connect_timeout": 2}}
    monkeypatch.setitem(connections.databases, replica.ALIAS, primary | own)
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", connect)
    monkeypatch.setattr(replica, "_check", replica._Check())
    yield server
    connections[replica.ALIAS].close()
    del connections[replica.ALIAS]


def connect(database: BaseDatabaseWrapper) -> None:
    """In place of the one of Django's tests, which knows the primary alone."""
    if database.connection is None:
        with database.wrap_database_errors:
            database.connect()


def rated(name: str, mu: float = 30) -> User:
    """Somebody on the leaderboard."""
    user = User.objects.create_user(name)
    ladder, _ = Ladder.objects.get_or_create(game=GAME, mode="match", speed="web")
    now = timezone.now()
    Rating.objects.create(
        ladder=ladder, user=user, mu=mu, sigma=2, matches=20, opponents=9, at=now,
        settled_until=now + timedelta(days=99),
    )  # fmt: skip
    return user


def caught_up() -> None:
    """Until the replica has all that was written."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()")
        ((position,),) = cursor.fetchall()

    def has_replayed() -> bool:
        with connections[replica.ALIAS].cursor() as cursor:
            cursor.execute("SELECT pg_last_wal_replay_lsn() >= %s", [position])
            return bool(cursor.fetchone()[0])

    wait_until(has_replayed, (), "The replica")


def replay(paused: bool) -> None:
    with connections[replica.ALIAS].cursor() as cursor:
        cursor.execute(f"SELECT pg_wal_replay_{'pause' if paused else 'resume'}()")


def asked(client: Client, address: str) -> tuple[str, int]:
    """The answer, and how many queries of it went to the replica."""
    with CaptureQueriesContext(connections[replica.ALIAS]) as queries:
        response = client.get(address)
        body = b"".join(response) if response.streaming else response.content
    assert response.status_code == 200, body
    return body.decode(), len(queries)


def test_lists_of_everybody_are_read_there(follower: Replica, client: Client) -> None:
    rated("ann")
    caught_up()
    for address in (BOARD, API, f"/people/?play={GAME}/match"):
        text, queries = asked(client, address)
        assert "ann" in text and queries, address
    for address in ("/api/export/matches/", f"/games/{GAME}/records/"):
        cache.clear()
        assert asked(client, address)[1], address


def test_what_somebody_has_just_sent_shows_at_once(follower: Replica, client: Client) -> None:
    ann = rated("ann")
    caught_up()
    client.force_login(ann)
    assert asked(client, BOARD)[1]
    replay(paused=True)
    try:
        rated("ben", 40)
        assert "ben" not in asked(client, BOARD)[0], "the replica is really asked"
        request = type("Request", (), {"method": "POST", "user": ann})()
        note_writes(lambda request: None)(request)
        text, queries = asked(client, BOARD)
        assert "ben" in text and not queries
        assert "ben" not in asked(Client(), BOARD)[0], "others wait for a moment"
    finally:
        replay(paused=False)


def test_a_replica_that_is_behind_is_not_asked(
    follower: Replica, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated("ann")
    monkeypatch.setattr(replica, "lag", lambda: replica.MAX_LAG + 1)
    text, queries = asked(client, BOARD)
    assert "ann" in text and not queries


def test_a_replica_that_dies_breaks_no_page(
    follower: Replica, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the request that meets its end, nor those after it; later it is asked again."""
    rated("ann")
    caught_up()
    assert asked(client, BOARD)[1]
    follower.kill()
    try:
        for address in (BOARD, API, "/api/export/matches/", f"/people/?play={GAME}/match"):
            response = client.get(address)
            assert response.status_code == 200, address
    finally:
        follower.start()
    connections[replica.ALIAS].close()
    assert not asked(client, BOARD)[1], "it is left alone for a while"
    replica._check._until = 0.0
    assert asked(client, BOARD)[1]


def test_an_export_that_has_begun_goes_on(follower: Replica, monkeypatch: Any) -> None:
    """It fails between two pages of it, and no line is missing or there twice."""
    calls: list[bool] = []

    def fails_on_the_replica() -> list[int]:
        calls.append(replica._reading.get())
        list(Rating.objects.all())
        if calls == [True]:
            raise replica.InterfaceError("the connection is closed")
        return [7]

    assert replica.read(fails_on_the_replica) == [7]
    assert calls == [True, False]


def test_nothing_is_written_there(follower: Replica, client: Client) -> None:
    """Neither by a view that reads there, nor an object that was read there."""
    ann = rated("ann")
    caught_up()
    written: list[str] = []

    def note(using: str, **_: Any) -> None:
        written.append(using)

    pre_save.connect(note)
    try:
        row = replica.read(lambda: Rating.objects.get(user=ann))
        assert row._state.db == replica.ALIAS
        row.matches += 1
        row.save()
    finally:
        pre_save.disconnect(note)
    assert written == ["default"]
    assert Rating.objects.get(user=ann).matches == row.matches


def test_operators_see_how_far_it_is_behind(follower: Replica, client: Client) -> None:
    assert "riffle_replica_lag_seconds" in client.get("/metrics").content.decode()
    assert json.loads(client.get("/readyz").content)["ready"]
