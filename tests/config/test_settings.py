"""Settings by environment variables. Each case is a process of its own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEY = "a-key-of-a-real-site-that-is-long-enough-0123456789-ABCDEFGHIJ"
REAL = {"SECRET_KEY": KEY, "ALLOWED_HOSTS": "cards.example.org"}
NAMES = (
    "DEBUG EMBEDDED ALLOWED_HOSTS SITE_URL SECURE_SSL_REDIRECT SESSION_COOKIE_SECURE PROXIES "
    "REDIS_URL TASKS_REDIS_URL CELERY_BROKER_URL DATABASES EMAIL_BACKEND SECRET_KEY LOG_JSON"
)


def run(var: Path, environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"], "RIFFLE_VAR": str(var), **environment}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=clean, capture_output=True, text=True, check=False
    )


def settings_of(var: Path, **environment: str) -> dict[str, Any]:
    code = (
        "import json, config.settings as s\n"
        f"print(json.dumps({{n: getattr(s, n) for n in {NAMES!r}.split()}}, default=str))"
    )
    done = run(var, environment, "-c", code)
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_without_variables_it_is_the_embedded_site(tmp_path: Path) -> None:
    settings_of_result = settings_of(tmp_path)
    assert settings_of_result["EMBEDDED"]
    assert not settings_of_result["DEBUG"]
    assert settings_of_result["DATABASES"]["default"]["NAME"] == str(tmp_path / "riffle.sqlite3")
    assert settings_of_result["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert settings_of_result["REDIS_URL"] == f"unix://{tmp_path}/redis.sock"
    assert settings_of_result["CELERY_BROKER_URL"] == f"redis+socket://{tmp_path}/redis.sock"
    assert "localhost" in settings_of_result["ALLOWED_HOSTS"]
    assert "*" not in settings_of_result["ALLOWED_HOSTS"]
    assert not settings_of_result["SECURE_SSL_REDIRECT"]


def test_the_embedded_key_is_kept_and_private(tmp_path: Path) -> None:
    first = settings_of(tmp_path)["SECRET_KEY"]
    assert len(first) >= 50
    assert settings_of(tmp_path)["SECRET_KEY"] == first
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_a_deep_folder_gets_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("deep-" * 20)
    deep.mkdir()
    address = settings_of(deep)["REDIS_URL"]
    assert len(address.removeprefix("unix://")) < 100
    assert str(deep) not in address


def test_a_real_site_is_strict(tmp_path: Path) -> None:
    settings_of_result = settings_of(tmp_path, **REAL)
    assert not settings_of_result["EMBEDDED"]
    assert settings_of_result["SITE_URL"] == "https://cards.example.org"
    assert settings_of_result["SECURE_SSL_REDIRECT"]
    assert settings_of_result["SESSION_COOKIE_SECURE"]
    assert settings_of_result["LOG_JSON"]
    assert settings_of_result["PROXIES"] == 1


def test_a_real_site_without_a_name_does_not_start(tmp_path: Path) -> None:
    done = run(tmp_path, {"SECRET_KEY": KEY}, "-c", "import config.settings")
    assert done.returncode != 0
    assert "ALLOWED_HOSTS=cards.example.org" in done.stderr


def test_postgresql_gets_a_pool_unless_something_else_pools(tmp_path: Path) -> None:
    url = "postgres://riffle:pw@db/riffle"
    database = settings_of(tmp_path, DATABASE_URL=url)["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert database["OPTIONS"]["pool"]["max_size"] == 8
    without = settings_of(tmp_path, DATABASE_URL=url, DATABASE_POOL="0")["DATABASES"]["default"]
    assert "pool" not in without.get("OPTIONS", {})


def test_tasks_may_wait_on_a_redis_of_their_own(tmp_path: Path) -> None:
    both = {"REDIS_URL": "redis://bell:6379/0", "TASKS_REDIS_URL": "unix:///run/tasks.sock"}
    values = settings_of(tmp_path, **both)
    assert values["REDIS_URL"] == "redis://bell:6379/0"
    assert values["TASKS_REDIS_URL"] == "unix:///run/tasks.sock"
    assert values["CELERY_BROKER_URL"] == "redis+socket:///run/tasks.sock"
    alone = settings_of(tmp_path, REDIS_URL=both["REDIS_URL"])
    assert alone["CELERY_BROKER_URL"] == both["REDIS_URL"]


def test_a_replica_has_a_setting_and_no_site_needs_one(tmp_path: Path) -> None:
    urls = {
        "DATABASE_URL": "postgres://riffle:pw@db/riffle",
        "DATABASE_REPLICA_URL": "postgres://riffle:pw@copy:6432/riffle?sslmode=require",
    }
    database = settings_of(tmp_path, **urls)["DATABASES"]["replica"]
    assert (database["HOST"], database["PORT"]) == ("copy", 6432)
    assert database["DISABLE_SERVER_SIDE_CURSORS"]
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["connect_timeout"] == 2
    assert set(settings_of(tmp_path)["DATABASES"]) == {"default"}


def test_mail_goes_where_email_url_says(tmp_path: Path) -> None:
    assert settings_of(tmp_path)["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
    settings_of_result = settings_of(
        tmp_path, EMAIL_URL="smtp://ada:p%40ss@mail.example.org/?tls=1"
    )
    assert settings_of_result["EMAIL_BACKEND"].endswith("smtp.EmailBackend")


def test_the_log_of_a_real_site_is_json_without_local_variables(tmp_path: Path) -> None:
    code = (
        "import config.settings, structlog\n"
        "def f():\n"
        "    hand = 'secret-hand'\n"
        "    raise ValueError('x')\n"
        "try: f()\n"
        "except ValueError: structlog.get_logger('t').exception('broken', match='abc')"
    )
    done = run(tmp_path, REAL, "-c", code)
    line = json.loads(done.stderr)
    assert line["event"] == "broken"
    assert line["match"] == "abc"
    assert line["level"] == "error"
    assert "'locals'" not in done.stderr
    assert '"locals": {' not in done.stderr


@pytest.mark.slow
def test_every_static_file_is_found_by_its_hashed_name(tmp_path: Path) -> None:
    """The storage fails on a reference (CSS url, JS import) to a file that is not there."""
    done = run(tmp_path, REAL, "manage.py", "collectstatic", "--noinput", "-v", "0")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "static" / "staticfiles.json").exists()
