"""Migrations make what the models say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.services import Services

ROOT = Path(__file__).resolve().parents[2]


COLUMNS = """SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
    || ' ' || is_identity || ' ' || coalesce(column_default, generation_expression, '')
    FROM information_schema.columns WHERE table_schema = 'public'"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
CONSTRAINTS = """SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace"""
OURS = re.compile(r"\b(accounts|collection|decks|matches)_")


def made_in(database: str) -> dict[str, set[str]]:
    """Columns, indexes and constraints of the apps in a database on this run's PostgreSQL."""
    import psycopg  # where PostgreSQL is not, nothing may load its driver

    values = {}
    with psycopg.connect(database) as link:
        for what, value in {"column": COLUMNS, "index": INDEXES, "constraint": CONSTRAINTS}.items():
            rows = link.execute(value).fetchall()
            values[what] = {row[0] for row in rows if OURS.search(row[0])}
    return values


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_they_make_what_the_models_say(services: Services, tmp_path: Path) -> None:
    import psycopg

    server = services.database_url.removesuffix("/riffle")
    with psycopg.connect(f"{server}/riffle", autocommit=True) as link:
        link.execute("CREATE DATABASE from_models")
    environment = os.environ | {
        "DATABASE_URL": f"{server}/from_models",
        "DJANGO_SETTINGS_MODULE": "tests.support.from_models",
        "RIFFLE_VAR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "migrate", "--run-syncdb", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    from_models = made_in(f"{server}/from_models")
    migrated = made_in(f"{server}/{settings.DATABASES['default']['NAME']}")
    assert len(from_models["column"]) > 300
    assert migrated == from_models
