"""The API's own document (OpenAPI), and whether the whole API keeps what it promises."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from rest_framework.test import APIClient
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from collection.services.binders import share_binder
from decks.models import LabRun
from matches.models import SeatKind
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.games.examples import MASTER_DECK, PACK, READY_DECK
from tests.support.sizes import LARGE, sized
from tests.support.tokens import token_of
from tests.support.world import CLAW, GAME, MODE, World, make_world

METHODS = ("get", "post", "put", "patch", "delete")
EXAMPLES = sized(1, large=20)
"""Requests with drawn values for each operation."""
PHASES = ["examples,coverage,fuzzing", "--max-examples=50"]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(autouse=True)
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker draws the sheets of exported decks; here they would be drawn in the request."""
    monkeypatch.setattr("decks.downloads.decks.ask_for_sheet", lambda sheet: False)


def document() -> dict[str, Any]:
    body: dict[str, Any] = APIClient().get("/api/schema/?format=json").json()
    return body


def operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation of everything that the document describes."""
    for path, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


def with_real_names(described: dict[str, Any], world: World) -> dict[str, Any]:
    """The document with the names of things that are there: with others all would be 404.

    ``slug`` is looked up by the first word of the path, anything else by its own name.
    """
    opened = create_match(
        host=world.ann,
        setup=MatchSetup(
            game=GAME, mode="match", seats=[SeatPlan(user=world.ann), SeatPlan(SeatKind.OPEN)]
        ),
    )
    run = LabRun.objects.create(
        owner=world.ann,
        deck=world.deck,
        mode=world.deck.mode,
        versions=[{"number": 1, "cards": {}}],
        field=[{"name": "Field", "owner": None, "cards": {}}],
        player="greedy",
        pairs=5,
        state="done",
    )
    slugs = {
        "cards": [CLAW],
        "collection": [CLAW],
        "deck-checks": [world.check.slug],
        "binders": [share_binder(owner=world.ann, binder="", cards="all", on_profile=False).slug],
        "decks": [world.deck.slug, world.public.slug],
        "formats": [world.format.slug],
        "games": [GAME],
        "imports": [world.list.slug],
        "lab": [run.slug],
        "matches": [match.slug for match in (world.match, world.private, world.finished, opened)],
        "packs": [world.sealed.slug, world.opened.slug],
        "prints": [world.print.slug],
        "tournaments": [world.tournament.slug],
        "trades": [world.trade.slug],
    }
    names = {"game": [GAME], "product": [PACK], "username": ["ann", "bob", "tom"]}
    names |= {"starter": [READY_DECK], "mode": ["match"], "pack": ["none"]}
    numbers = {"number": [1, 2], "table": [1, 2]}
    for path, _, operation in operations(described):
        for parameter in operation.get("parameters", ()):
            name, kind = parameter["name"], parameter["schema"]
            if parameter["in"] == "path":
                known = slugs[path.split("/")[2]] if name == "slug" else (names | numbers)[name]
                kind |= {"enum": known}
    # A body that speaks of what is there gets further than one that does not.
    values = {"game": [GAME], "mode": [MODE, "match"], "card": [CLAW], "deck": [world.deck.slug]}
    values |= {"product": [PACK, MASTER_DECK], "partner": ["bob", "tom"]}
    for schema, fields in described["components"]["schemas"].items():
        for name, kind in fields.get("properties", {}).items():
            if schema.endswith("Request") and name in values and kind.get("type") == "string":
                kind |= {"enum": values[name]}
    return described


@pytest.mark.slow
def test_it_is_valid_and_every_operation_is_told(tmp_path: Path) -> None:
    file = tmp_path / "schema.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert "/api/matches/{slug}/moves/" in file.read_text()


def test_a_process_makes_it_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    document_result = document()
    monkeypatch.setattr(SchemaGenerator, "parse", None)
    assert document() == document_result


def test_refusals_are_documented_as_problems(db: None) -> None:
    for path, method, operation in operations(document()):
        assert operation["description"], f"{method} {path}"
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"], f"{method} {path}"


@pytest.mark.slow
def test_refusals_that_any_request_may_meet_are_documented(db: None) -> None:
    """Nobody logged in, a token that is none, an answer in a form that there is not, no body."""
    world = make_world()
    described = with_real_names(document(), world)
    ways: list[tuple[dict[str, str], User | None]] = [
        ({}, None),
        ({"HTTP_AUTHORIZATION": "Token none"}, None),
        ({"HTTP_ACCEPT": "text/html"}, world.ann),
        ({}, world.ann),
    ]
    undocumented = []
    for path, method, operation in operations(described):
        known = {
            parameter["name"]: parameter["schema"]["enum"][0]
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "path"
        }
        for headers, user in ways:
            client = APIClient()
            client.force_authenticate(user)
            with taken_back():
                answer = getattr(client, method)(path.format(**known), **headers)
            if str(answer.status_code) not in operation["responses"]:
                undocumented.append((method, path, headers, answer.status_code))
    assert undocumented == []


def bodies(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each schema of a body, with where it stands."""
    for path, method, operation in operations(described):
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{method} {path} {kind}", content["schema"]


def objects(described: dict[str, Any], schema: Any) -> Iterator[dict[str, Any]]:
    """All objects with members inside a schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from objects(described, part)
    elif isinstance(schema, dict):
        if reference := schema.get("$ref"):
            schema = described["components"]["schemas"][reference.rpartition("/")[2]]
        if schema.get("properties"):
            yield schema
        for part in schema.values():
            if isinstance(part, dict | list):
                yield from objects(described, part)


def test_bodies_have_no_other_members_than_the_document_says(db: None) -> None:
    described = document()
    rows = [(where, part) for where, body in bodies(described) for part in objects(described, body)]
    assert len(rows) > 50
    assert [where for where, part in rows if part.get("additionalProperties") is not False] == []


@pytest.mark.slow
def test_a_member_that_nobody_knows_is_refused_everywhere(db: None) -> None:
    world = make_world()
    described = with_real_names(document(), world)
    client = APIClient()
    client.force_authenticate(world.ann)
    taken = []
    for path, method, operation in operations(described):
        if method == "get":
            continue
        known = {
            parameter["name"]: parameter["schema"]["enum"][0]
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "path"
        }
        with taken_back():
            answer = getattr(client, method)(path.format(**known), {"wrod": "decline"})
        refused = answer.status_code == 422 and "wrod" in answer.json().get("errors", {})
        staff_only = answer.status_code == 403 and path == "/api/packs/grant/"
        if not (refused or staff_only):
            taken.append((method, path, answer.status_code))
    assert taken == []


@contextlib.contextmanager
def taken_back() -> Iterator[None]:
    """What happens here is taken back; a request leaves the test's connection open."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


MODES = list(GenerationMode) if LARGE else [GenerationMode.POSITIVE]
"""Drawn requests that break the document are for a night; every run has the invented ones below."""
OF_A_KIND = sized(1, large=1_000)
"""Of the requests that Schemathesis invents for an operation most are alike: a wrong type in each
member of a body, each in several ways. So many of each kind are sent; a night sends all."""


class Program:
    """Sends requests to this process and compares the answers with the document.

    Each finds the world as it was made: what the one before has changed is taken back.
    """

    def __init__(self) -> None:
        world = make_world()
        self.described = schemathesis.openapi.from_dict(with_real_names(document(), world))
        self.described.app = get_wsgi_application()
        # Schemathesis unpacks what comes over the net only.
        token = token_of(world.ann)
        self.headers = {"Authorization": f"Token {token}", "Accept-Encoding": "identity"}
        self.sent = 0

    def operations(self) -> Iterator[Any]:
        for operation in self.described.get_all_operations():
            yield operation.ok()

    def send(self, case: schemathesis.Case) -> None:
        self.sent += 1
        with taken_back():
            answer = case.call(headers=self.headers, environ_base={"REMOTE_ADDR": "127.0.0.1"})
        case.validate_response(answer, checks=CHECKS)
        assert answer.status_code != 401, "The token was ended, so nothing was asked."


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_drawn_requests_get_documented_answers(db: None, mode: GenerationMode) -> None:
    """A few requests to everything, as the document has them or not: no crash, no other answer."""
    program = Program()
    for operation in program.operations():

        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: schemathesis.Case) -> None:
            program.send(case)

        # Of an operation without parameters and body there are no requests that break its document.
        with contextlib.suppress(Unsatisfiable):
            ask()
    assert program.sent >= 100


def invented(operation: Any) -> Iterator[schemathesis.Case]:
    """Schemathesis' requests of each kind: values at every bound and beyond, other methods …"""
    kinds: Counter[str] = Counter()
    cases = operation.schema.iter_coverage_cases(
        operation,
        generation_modes=list(GenerationMode),
        generation_config=operation.schema.config.generation_for(
            operation=operation, phase="coverage"
        ),
    )
    for case in cases:
        kind = case.meta.phase.data.scenario
        kinds[kind] += 1
        if kinds[kind] <= OF_A_KIND:
            yield case


@pytest.mark.slow(60)
def test_invented_requests_get_documented_answers(db: None) -> None:
    """Over a thousand odd requests, from our own document: never a 500, never undocumented."""
    program = Program()
    for operation in program.operations():
        for case in invented(operation):
            program.send(case)
    assert program.sent >= 1_000


@pytest.mark.slow(100)
@pytest.mark.skipif(not LARGE, reason="A night sends all of them over the net.")
@pytest.mark.django_db(transaction=True)
def test_schemathesis_finds_no_crash(live_server: Any, tmp_path: Path) -> None:
    """All requests that it invents and draws, over the net and without taking anything back."""
    world = make_world()
    token = token_of(world.ann)
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(with_real_names(document(), world)))
    run = subprocess.run(
        [Path(sys.executable).parent / "schemathesis", "run", file]
        + ["--url", live_server.url, "--header", f"Authorization: Token {token}"]
        + ["--checks", "not_a_server_error,status_code_conformance,content_type_conformance"]
        + ["--checks", "response_schema_conformance", "--seed", "7", "--request-timeout", "60"]
        + ["--generation-database", "none", "--phases", *PHASES]
        # Nobody would be logged in after it. The test above asks it, and takes back what it does.
        + ["--exclude-path", "/api/me/delete/"],
        capture_output=True,
        text=True,
        timeout=20_000,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-30000:] + run.stderr[-1000:]
    assert "401 Unauthorized" not in run.stdout, "The token was ended, so nothing was asked."
