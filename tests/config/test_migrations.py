"""Each app's first migrations are one: databases that have the former ones go on as they are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config.former_migrations import former_migrations

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
    assert former_migrations(databases=["default"]) == []
    rows = MigrationRecorder(connection).migration_qs.filter(app=app)
    rows.filter(name__in=FORMER[app][left:]).delete()
    (error,) = former_migrations(databases=["default"])
    assert app in error.msg and "version before this one" in str(error.hint)
    rows.all().delete()
    assert former_migrations(databases=["default"]) == [], "a new database has none"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("table", "column"), [("accounts_user", "mail_my_turn"), ("decks_deck", "token")]
)
def test_columns_that_the_version_before_writes_are_still_there(table: str, column: str) -> None:
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, table)
    assert column in {one.name for one in columns}
