"""Plans of the databases: no page, list or sweep reads a growing table as a whole.

With PostgreSQL's sequential scans switched off a few rows are enough: one that remains has no index
to use. SQLite's plans do not depend on the number of rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bench.scale import GROWING
from core import outbox
from core.models import UnreadMatch
from matches.models import Match, Seat
from matches.queries import export, lobby, people
from matches.queries.tables import later_than
from matches.services import bots, clock, open_tables
from matches.services import people as leaving
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db
on_postgresql = pytest.mark.services


@pytest.fixture(autouse=True)
def _as_with_many_rows(db: None) -> None:
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def plans_of(action: Callable[[], object]) -> list[Mapping[str, Any]]:
    """The nodes of the plans of all statements that an action makes, the second time."""
    action()
    with CaptureQueriesContext(connection) as captured:
        action()
    statements = [query["sql"] for query in captured]
    plans: list[Mapping[str, Any]] = []
    with connection.cursor() as cursor:
        for sql in statements:
            if sql.startswith(("SELECT", "WITH", "UPDATE", "DELETE", "(")):
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
                ((plan,),) = cursor.fetchall()
                plans += nodes((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    assert plans
    return plans


def scans(plans: list[Mapping[str, Any]]) -> set[str]:
    """The growing tables that are read as a whole, by row, or matches by key."""
    return {
        node["Relation Name"]
        for node in plans
        if (node["Node Type"] == "Seq Scan" or node.get("Index Name") == "matches_match_pkey")
        and node["Relation Name"] in GROWING
        and "Index Cond" not in node
    }


def indexes(plans: list[Mapping[str, Any]]) -> set[str]:
    return {node["Index Name"] for node in plans if "Index Name" in node}


@on_postgresql
def test_portions_boards_and_running_tables_find_their_place_by_an_index(finished: Match) -> None:
    """However many matches there are, of which most are older."""
    assert finished.finished_at is not None
    after = later_than(finished.finished_at, finished.pk)
    rows = export.exported(AnonymousUser(), since=None).filter(after)
    assert "match_by_end" in rows[: export.PAGE_SIZE].explain()
    anybody = AnonymousUser()
    board = people.board(finished.game, finished.mode, "web")
    assert "rating_by_strength" in board[:50].explain()
    assert "match_public_running" in lobby.running_tables(anybody)[:30].explain()
    assert "seat_vacant" in lobby.running_tables(anybody, needs_player=True)[:30].explain()


def many(match: Match) -> None:
    """A thousand more matches like this one, of other people; one of ten is of its game."""
    other = {"slug": "'copy-' || n", "game": "CASE WHEN n % 10 = 0 THEN game ELSE 'chess' END"}
    copy(Match, f"matches_match t, generate_series(1, 1000) n WHERE t.id = {match.pk}", other)
    theirs = {
        "match": "m.id",
        "user": "NULL",
        "invited": "NULL",
        "kind": "'bot'",
        "bot": "'greedy'",
    }
    source = (
        f"matches_match m, matches_seat t WHERE m.slug LIKE 'copy-%' AND t.match_id = {match.pk}"
    )
    copy(Seat, source, theirs)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE matches_match, matches_seat")


def copy(model: type[Match | Seat], source: str, other: Mapping[str, str]) -> None:
    """Rows of ``source``, whose ``t`` is the table itself, with other values in some fields."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(other.get(field.name, f't."{field.column}"') for field in fields)
    with connection.cursor() as cursor:
        table = model._meta.db_table
        cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {values} FROM {source}")


@on_postgresql
def test_pages_of_lists_read_no_table_as_a_whole(
    finished: Match, make_match: MakeMatch, ann: User, staff: User
) -> None:
    many(finished)
    make_match()
    member, operator, guest = logged_in(ann), logged_in(staff), Client()
    for client, address, index in (
        (guest, f"/api/matches/?status=finished&game={GAME}", "match_finished_by_game"),
        (api(ann), f"/api/matches/?status=finished&game={GAME}", "match_finished_by_game"),
        (guest, "/api/matches/?status=finished", "match_finished"),
        (guest, "/api/matches/?status=running", "match_by_status"),
        (guest, "/api/lobby/running/?people=true", "match_public_running"),
        (
            operator,
            f"/admin/matches/match/?status__exact=finished&game={GAME}",
            "match_finished_by_game",
        ),
        (operator, "/admin/matches/match/?status__exact=cancelled", "match_by_status"),
        (api(ann), "/api/matches/?mine=true", "seat_newest_of_user"),
        # By the person’s seats, or by their seat at each of the newest matches: both are right.
        (operator, "/admin/matches/match/?q=ann", ""),
        (member, "/matches/", "seat_latest_of_user"),
        (guest, "/people/ann/", "person_tally_once"),
    ):

        def page(client: Any = client, address: str = address) -> None:
            assert client.get(address).status_code == 200, address

        plans = plans_of(page)
        assert not scans(plans), address
        assert not index or index in indexes(plans), (address, indexes(plans))


@on_postgresql
def test_sweeps_read_what_is_due_alone(bot_match: Match) -> None:
    later = timezone.now() + timedelta(hours=1)
    for sweep, index in (
        (lambda: bots.stalled_bots(now=later), "match_by_bots_asked"),
        (lambda: clock.overdue(now=later), "match_by_clock"),
        (open_tables.sweep_open_tables, "match_open_by_age"),
        (leaving.forget_guests, "user_guest_by_age"),
    ):
        plans = plans_of(sweep)
        assert not scans(plans), index
        assert index in indexes(plans), indexes(plans)


@on_postgresql
def test_readers_of_a_match_s_end_read_no_table_as_a_whole(finished: Match) -> None:
    (*unread,) = UnreadMatch.objects.filter(finished__match=finished.slug)
    assert {"notices", "packs", "ratings", "tallies"} <= {row.subscriber for row in unread}
    for row in unread:
        read = outbox._subscribers[row.subscriber]
        assert not scans(plans_of(lambda read=read, row=row: read(row.finished))), row.subscriber  # type: ignore[misc]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's plans are looked at above.")
def test_on_sqlite_no_table_is_read_as_a_whole(finished: Match, ann: User, staff: User) -> None:
    operator = logged_in(staff)
    for client, address in (
        (logged_in(ann), "/matches/"),
        (Client(), "/people/ann/"),
        (operator, "/admin/matches/match/?q=ann"),
        (operator, f"/admin/matches/match/?status__exact=finished&game={GAME}"),
        (Client(), f"/api/matches/?status=finished&game={GAME}"),
        (Client(), f"/games/{GAME}/records/"),
    ):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200, address
        with connection.cursor() as cursor:
            for sql in [query["sql"] for query in captured if query["sql"].startswith("SELECT")]:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
                for *_, step in cursor.fetchall():
                    table = step.removeprefix("SCAN ").split()[0]
                    assert not (step.startswith("SCAN") and table in GROWING), (address, step, sql)
