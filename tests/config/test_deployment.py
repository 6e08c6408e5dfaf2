"""README, Procfile, Dockerfile and compose.yaml start the same web server, and safely."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import yaml
from django.conf import settings

from config.supervisor import WEB_OPTIONS
from tests.support.real_site import ROOT, web_command

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DEPLOY = ROOT / "docs" / "deploy"


def commands() -> dict[str, list[str]]:
    """Every command that starts a web server, by where it stands."""
    procfile = dict(
        line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line
    )
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"`(granian [^`]+)`", operations)
    return {
        "README": web_command(),
        "operations": shlex.split(written),
        "web": shlex.split(procfile["web"]),
        "events": shlex.split(procfile["events"]),
        "image": json.loads(image.partition("CMD ")[2]),
        "compose events": COMPOSE["services"]["events"]["command"],
    }


def test_all_start_the_same_server() -> None:
    for where, command in commands().items():
        assert command[0] == "granian" and command[-1] == "config.asgi:application", where
        assert set(WEB_OPTIONS) | {"--respawn-failed-workers", "--workers"} <= set(command), where


def test_passwords_have_no_default() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for name in ("SECRET_KEY", "DATABASE_PASSWORD", "REDIS_PASSWORD"):
        assert f"${{{name}:?" in text
        assert f"${{{name}:-" not in text
    redis = COMPOSE["services"]["redis"]
    assert redis["command"][redis["command"].index("--requirepass") + 1] == "${REDIS_PASSWORD}"
    assert "redis://:${REDIS_PASSWORD" in COMPOSE["x-app"]["environment"]["REDIS_URL"]


def worker_commands() -> dict[str, dict[str, list[str]]]:
    """The commands of workers and clock, by name, where each stands."""
    procfile = dict(
        line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line
    )
    names = ("worker", "files", "notices", "beat")
    return {
        "Procfile": {
            name: shlex.split(re.sub(r" -n \S+|\$\{\w+:-(\d+)\}", r"\1", procfile[name]))
            for name in names
        },
        "compose": {name: COMPOSE["services"][name]["command"] for name in names},
    }


def test_compose_starts_the_workers_of_the_procfile() -> None:
    """The Procfile's programs are started by tests; nothing here can start containers."""
    commands = worker_commands()
    assert commands["compose"] == commands["Procfile"]


def test_compose_mounts_the_caddyfile_that_is_tested() -> None:
    """Tests start it in front of a real site; what it reads has to be there in a container, too."""
    assert COMPOSE["configs"]["caddyfile"] == {"file": "./docs/deploy/Caddyfile"}
    proxy = COMPOSE["services"]["proxy"]
    assert proxy["configs"] == [{"source": "caddyfile", "target": "/etc/caddy/Caddyfile"}]
    caddyfile = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    read = dict(re.findall(r"\{\$(\w+)(?::([\w:]+))?\}", caddyfile))
    assert set(read) == set(proxy["environment"])
    for name in ("WEB", "EVENTS"):
        host, port = proxy["environment"][name].split(":")
        assert read[name] == f"{host}:{port}"
        assert host in COMPOSE["services"] and host in proxy["depends_on"]
        command = COMPOSE["services"][host].get("command") or commands()["image"]
        assert command[command.index("--port") + 1] == port


def test_proxies_leave_compression_to_the_site_and_take_its_largest_body() -> None:
    caddyfile = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    nginx = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert not re.search(r"^\s*encode\b", caddyfile, re.M)
    assert "gzip off;" in nginx
    largest = max(settings.BODY_LIMITS.values()) // 1024**2
    assert f"client_max_body_size {largest}m;" in nginx
    # Nobody may wait for longer than the largest body takes at the slowest pace that is allowed.
    slowest = settings.BODY_SECONDS + largest * 1024**2 / settings.BODY_RATE
    (minutes,) = re.findall(r"read_body (\d+)m", caddyfile)
    assert slowest <= int(minutes) * 60


def test_the_settings_for_pgbouncer_pool_by_transaction() -> None:
    lines = (DEPLOY / "pgbouncer.ini").read_text(encoding="utf-8")
    assert "pool_mode = transaction" in lines
    assert "DATABASE_POOL=0" in lines
