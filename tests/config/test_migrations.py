"""Migrations make what the models say, and each app's first ones are one.

Databases that have the former ones go on as they are.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker, Settings

from config.former_migrations import former_migrations
from tests.services import Services

ROOT = Path(__file__).resolve().parents[2]
FORMER = {
    "accounts": (
        "0001_initial", "0002_settings_and_merging", "0003_friendship", "0004_access_tokens",
        "0005_no_readable_tokens", "0006_no_turn_mails",
    ),
    "collection": (
        "0001_catalog", "0002_holdings", "0003_fast_gallery", "0004_packs_due",
        "0005_import_outcomes", "0006_holding_at_a_glance", "0007_tallies", "0008_ledger_entries",
        "0009_client_seed",
    ),
    "decks": (
        "0001_initial", "0002_versions_formats_checks", "0003_first_versions", "0004_deck_house",
        "0005_lists_read_by_workers", "0006_found_quickly", "0007_made_once",
        "0008_sheets_by_workers", "0009_keys_for_all_requests",
    ),
    "matches": (
        "0001_initial", "0002_own_decks", "0003_prompts_by_seat", "0004_untold",
        "0005_hidden_moves", "0006_client_seed",
    ),
}  # fmt: skip
FIRST = {(app, "0001_initial") for app in FORMER}


@pytest.fixture(autouse=True)
def _migrations(settings: Settings) -> None:
    settings.MIGRATION_MODULES = {}


@pytest.fixture(scope="module", autouse=True)
def _recorder(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The table of what has been applied; SQLite makes none within a test's transaction."""
    with django_db_blocker.unblock():
        MigrationRecorder(connection).ensure_schema()


def to_do() -> set[tuple[str, str]]:
    """What ``migrate`` would apply now, of the first migrations."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return {(step.app_label, step.name) for step, _ in plan} & FIRST


@pytest.mark.django_db
def test_a_database_with_the_former_migrations_has_nothing_to_do() -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=FORMER).delete()
    assert to_do() == FIRST, "a new one makes everything"
    for app, names in FORMER.items():
        for name in names:
            recorder.record_applied(app, name)
    assert to_do() == set()


@pytest.mark.django_db
@pytest.mark.parametrize("app", FORMER)
@pytest.mark.parametrize("left", [1, -1])
def test_one_with_some_of_them_is_not_taken_for_whole(app: str, left: int) -> None:
    recorder = MigrationRecorder(connection)
    for name in FORMER[app]:
        recorder.record_applied(app, name)
    assert former_migrations(databases=["default"]) == []
    rows = recorder.migration_qs.filter(app=app)
    rows.filter(name__in=FORMER[app][left:]).delete()
    (error,) = former_migrations(databases=["default"])
    assert app in error.msg and "version before this one" in str(error.hint)
    rows.all().delete()
    assert former_migrations(databases=["default"]) == [], "a new database has none"


COLUMNS = """SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
    || ' ' || is_identity || ' ' || coalesce(column_default, generation_expression, '')
    FROM information_schema.columns WHERE table_schema = 'public'"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
CONSTRAINTS = """SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace"""
OURS = re.compile(r"\b(accounts|collection|decks|matches)_")
STILL_THERE = {
    "accounts_user.mail_my_turn boolean NO NO false",
    "decks_deck.token character varying NO NO ''::character varying",
}
"""Columns that the version before writes."""
NOT_THERE = "deck_once_a_token"
"""A constraint on one of them."""


def made_in(database: str) -> dict[str, set[str]]:
    """Columns, indexes and constraints of the apps in a database on this run's PostgreSQL."""
    import psycopg  # where PostgreSQL is not, nothing may load its driver

    found = {}
    with psycopg.connect(database) as link:
        for what, asked in {"column": COLUMNS, "index": INDEXES, "constraint": CONSTRAINTS}.items():
            rows = link.execute(asked).fetchall()
            found[what] = {row[0] for row in rows if OURS.search(row[0])}
    return found


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_they_make_what_the_models_say(services: Services, tmp_path: Path) -> None:
    import psycopg

    server = services.database_url.removesuffix("/riffle")
    with psycopg.connect(f"{server}/riffle", autocommit=True) as link:
        link.execute("CREATE DATABASE from_models")
    environment = os.environ | {
        "DATABASE_URL": f"{server}/from_models",
        "DJANGO_SETTINGS_MODULE": "tests.from_models",
        "RIFFLE_VAR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "migrate", "--run-syncdb", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    from_models = made_in(f"{server}/from_models")
    migrated = made_in(f"{server}/{settings.DATABASES['default']['NAME']}")
    assert len(from_models["column"]) > 300
    assert migrated["column"] - from_models["column"] == STILL_THERE
    assert from_models["column"] <= migrated["column"]
    for what in ("index", "constraint"):
        more = {row for row in migrated[what] - from_models[what] if NOT_THERE not in row}
        assert (more, from_models[what] - migrated[what]) == (set(), set())
