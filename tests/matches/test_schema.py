"""The OpenAPI document, and what answers make of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from accounts.models import User
from matches import services
from matches.models import SeatKind
from matches.services import SeatPlan
from tests.matches.conftest import MakeMatch, play_on


def test_it_is_valid_and_every_operation_is_told(tmp_path: Path) -> None:
    file = tmp_path / "schema.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert "/api/matches/{slug}/moves/" in file.read_text()


def test_refusals_are_documented_as_problems(db: None) -> None:
    schema = APIClient().get("/api/schema/?format=json").json()
    paths = {path: one for path, one in schema["paths"].items() if "/matches/" in path}
    assert len(paths) == 12
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert operation["description"], f"{method} {path}"
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == ["application/problem+json"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_schemathesis_finds_no_crash(
    make_match: MakeMatch, ann: User, bob: User, live_server: Any, tmp_path: Path
) -> None:
    """Thousands of odd requests, made from our own document: never a 500, never undocumented."""
    token = Token.objects.create(user=ann)
    running = play_on(make_match(), 5)
    finished = play_on(make_match())
    opened = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
    services.create_match(
        host=ann, game="kaolan", mode="match", seats=[SeatPlan(), SeatPlan(SeatKind.BOT)]
    )
    # Real matches: with invented ones every answer would be 404.
    slugs = [running.slug, finished.slug, opened.slug]
    schema = APIClient().get("/api/schema/?format=json").json()
    schema["paths"] = {path: one for path, one in schema["paths"].items() if "/matches/" in path}
    for operations in schema["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "slug":
                    parameter["schema"] = {"type": "string", "enum": slugs}
    document = tmp_path / "schema.json"
    document.write_text(json.dumps(schema))
    run = subprocess.run(
        [Path(sys.executable).parent / "schemathesis", "run", document]
        + ["--url", live_server.url, "--header", f"Authorization: Token {token.key}"]
        + ["--checks", "not_a_server_error,status_code_conformance,content_type_conformance"]
        + ["--checks", "response_schema_conformance", "--max-examples", "40", "--seed", "7"]
        + ["--phases", "examples,coverage,fuzzing", "--generation-database", "none"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-1000:]
