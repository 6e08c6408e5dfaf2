"""README, Procfile, Dockerfile and compose.yaml start the same web server, and safely."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import yaml

from config.supervisor import WEB_OPTIONS
from tests.support.real_site import ROOT, web_command

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
CADDYFILE: str = COMPOSE["configs"]["caddyfile"]["content"]


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


def test_the_proxy_has_limits_and_leaves_compression_to_the_site() -> None:
    assert not re.search(r"^\s*encode\b", CADDYFILE, re.M)
    for word in ("max_size 17MiB", "request_buffers", "read_header 10s", "read_body"):
        assert word in CADDYFILE
