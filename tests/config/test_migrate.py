"""A database that cannot be brought up to date gets one sentence, and stays as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections, migrations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker, Settings

from tests.conftest import free_port
from tests.support.real_site import embedded
from tests.support.services import Services

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "This version of Riffle cannot bring the database up to date ("


class Base:
    """A database beside the tests' own, under the alias ``old``."""

    def __init__(self, **settings: Any) -> None:
        connections.settings["old"] = connections["default"].settings_dict | settings
        self.link = connections["old"]

    def run(self, statement: str) -> None:
        with self.link.cursor() as cursor:
            cursor.execute(statement)

    def record(self, names: Iterable[tuple[str, str]]) -> None:
        """Say that these migrations have been applied."""
        recorder = MigrationRecorder(self.link)
        recorder.ensure_schema()
        for app, name in names:
            recorder.record_applied(app, name)

    def content(self) -> dict[str, Any]:
        """All tables with their columns and rows."""
        with self.link.cursor() as cursor:
            tables = {}
            for table in self.link.introspection.table_names(cursor):
                cursor.execute(f"SELECT * FROM {table}")
                columns = [column[0] for column in cursor.description]
                tables[table] = columns, sorted(map(str, cursor.fetchall()))
        return tables

    def refusal(self) -> str:
        with pytest.raises(CommandError) as refusal:
            call_command("migrate", database="old", verbosity=0)
        return str(refusal.value)


def of_another_program(old: Base) -> None:
    old.run("CREATE TABLE accounts_user (id integer, username text)")
    old.run("INSERT INTO accounts_user VALUES (1, 'mira')")


def of_a_later_version(old: Base) -> None:
    of_another_program(old)
    old.record([*MigrationLoader(None).disk_migrations, ("accounts", "9999_from_tomorrow")])


def with_a_gap(old: Base) -> None:
    old.record([("contenttypes", "0002_remove_content_type_name")])


CASES = {
    of_a_later_version: "the migration 9999_from_tomorrow of accounts, which is unknown here",
    with_a_gap: "applied before its dependency contenttypes.0001_initial",
    of_another_program: "accounts_user",
}


@pytest.fixture
def base(
    tmp_path: Path, settings: Settings, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[..., Base]]:
    settings.MIGRATION_MODULES = {}
    with django_db_blocker.unblock():
        yield Base
        connections["old"].close()
        del connections["old"], connections.settings["old"]


@pytest.fixture
def sqlite(base: Callable[..., Base], tmp_path: Path) -> Base:
    return base(
        ENGINE="django.db.backends.sqlite3",
        NAME=str(tmp_path / "riffle.sqlite3"),
        OPTIONS={"transaction_mode": "IMMEDIATE"},
    )


@pytest.mark.parametrize("make", CASES)
def test_it_is_said_why_and_nothing_changes(sqlite: Base, make: Callable[[Base], None]) -> None:
    make(sqlite)
    before = sqlite.content()
    sentence = sqlite.refusal()
    assert sentence.startswith(SENTENCE) and CASES[make] in sentence
    assert "\n" not in sentence and sentence.count(". ") == 0
    assert sqlite.content() == before
    assert sqlite.refusal() == sentence, "again it says the same"


@pytest.mark.slow
def test_a_migration_that_fails_takes_all_before_it_back(
    sqlite: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(apps: Any, schema_editor: Any) -> None:
        raise ValueError("Mira's row does not fit")

    class Broken(migrations.Migration):
        dependencies = [("contenttypes", "0002_remove_content_type_name")]
        operations = [migrations.RunPython(fail)]

    build = MigrationLoader.load_disk

    def with_broken(self: MigrationLoader) -> None:
        build(self)
        self.disk_migrations["contenttypes", "0003_broken"] = Broken("0003_broken", "contenttypes")

    monkeypatch.setattr(MigrationLoader, "load_disk", with_broken)
    sqlite.run("CREATE TABLE notes (text text)")
    sqlite.run("INSERT INTO notes VALUES ('kept')")
    before = sqlite.content()
    assert "(ValueError: Mira's row does not fit)" in sqlite.refusal()
    assert sqlite.content() == before == {"notes": (["text"], ["('kept',)"])}


def test_a_file_that_is_no_database(base: Callable[..., Base], tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite3"
    file.write_text("Once upon a time " * 100)
    old = base(ENGINE="django.db.backends.sqlite3", NAME=str(file), OPTIONS={})
    assert "file is not a database" in old.refusal()
    assert file.read_text().startswith("Once upon")


@pytest.mark.slow
@pytest.mark.embedded
def test_one_that_lacks_what_its_migrations_make_is_found_out(
    base: Callable[..., Base], tmp_path: Path
) -> None:
    """As after a migration that was rewritten under its old name."""
    embedded(tmp_path)
    file = str(tmp_path / "riffle.sqlite3")
    old = base(ENGINE="django.db.backends.sqlite3", NAME=file, OPTIONS={})
    call_command("migrate", database="old", verbosity=0)
    old.run("ALTER TABLE accounts_user RENAME COLUMN theme TO colour")
    before = old.content()
    assert "its table accounts_user has no column theme" in old.refusal()
    assert old.content() == before


@pytest.mark.services
@pytest.mark.parametrize("make", CASES)
def test_nothing_changes_on_postgresql(
    services: Services, base: Callable[..., Base], make: Callable[[Base], None]
) -> None:
    # A test database is made from the default one, which nobody may be using then.
    with connections["default"]._nodb_cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS old WITH (FORCE)")
        cursor.execute("CREATE DATABASE old")
    old = base(NAME="old", OPTIONS={})
    make(old)
    before = old.content()
    sentence = old.refusal()
    assert sentence.startswith(SENTENCE) and CASES[make] in sentence
    assert old.content() == before


@pytest.mark.slow
@pytest.mark.embedded
@pytest.mark.parametrize(
    "command", [["manage.py", "migrate", "--noinput"], ["-m", "config.supervisor"]]
)
def test_both_ways_say_the_sentence_and_no_more(
    sqlite: Base, tmp_path: Path, command: list[str]
) -> None:
    of_a_later_version(sqlite)
    before = sqlite.content()
    run = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "RIFFLE_VAR": str(tmp_path), "PORT": str(free_port())},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 1
    line, *rest = run.stdout.splitlines()
    assert all(words.startswith("Riffle is closed.") for words in rest)
    assert SENTENCE in line and "9999_from_tomorrow" in line
    assert sqlite.content() == before
