"""A client that is generated from the API's own document plays a match, from table to outcome."""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.games.examples import GAME

MOST_MOVES = 2000
# Formatting is for those who read it. Files are bytes; the generator knows them by this name.
CONFIG = {
    "post_hooks": [],
    "content_type_overrides": {
        "application/pdf": "application/octet-stream",
        "application/x-ndjson": "application/octet-stream",
        "application/zip": "application/octet-stream",
    },
}


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Modules of the generated client, by name."""
    document, config = tmp_path / "document.json", tmp_path / "config.json"
    document.write_text(json.dumps(APIClient().get("/api/schema/?format=json").json()))
    config.write_text(json.dumps(CONFIG))
    run = subprocess.run(
        [Path(sys.executable).parent / "openapi-python-client", "generate"]
        + ["--path", document, "--config", config, "--meta", "none"]
        + ["--output-path", tmp_path / "riffle_client", "--fail-on-warning"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "WARNING" not in run.stdout + run.stderr
    monkeypatch.syspath_prepend(tmp_path)
    for name in [module for module in sys.modules if module.partition(".")[0] == "riffle_client"]:
        monkeypatch.delitem(sys.modules, name)
    return lambda name: importlib.import_module(f"riffle_client.{name}".rstrip("."))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_generated_client_plays_a_match(
    generated: Callable[[str], Any], live_server: Any
) -> None:
    client, models = generated("client"), generated("models")
    at_home = {"base_url": live_server.url, "httpx_args": {"trust_env": False}}

    def call(name: str, who: Any, *names: str, **sent: Any) -> Any:
        tag = name.partition("_")[0].replace("guests", "people")
        answer = generated(f"api.{tag}.{name}").sync_detailed(*names, client=who, **sent)
        assert answer.status_code < 300, answer.content
        return answer.parsed

    def guest() -> Any:
        call_result = call("guests_create", client.Client(**at_home))
        return client.AuthenticatedClient(token=call_result.token, prefix="Token", **at_home)

    ann, bob = guest(), guest()
    kinds = (models.SeatKind.PERSON, models.SeatKind.OPEN)
    seats = [models.NewSeatRequest(kind=kind) for kind in kinds]
    table = call(
        "matches_create", ann, body=models.NewMatchRequest(game=GAME, mode="match", seats=seats)
    )
    slug = table.slug
    assert call("matches_join", bob, slug, body=models.JoinRequest()).status == "running"
    chance, moves = random.Random(7), 0
    state = call("matches_state", ann, slug)
    while state.status == "running" and moves < MOST_MOVES:
        for who in (ann, bob):
            state = call("matches_state", who, slug)
            if state.prompt is not None:
                option = chance.choice(state.prompt.options)
                answer = models.AnswerRequest(prompt=state.prompt.id, notation=option.notation)
                played = call("matches_play", who, slug, body=answer)
                assert (played.seat, played.notation) == (state.seat, option.notation)
                moves += 1
    result = call("matches_result", ann, slug)
    assert result.plies == moves
    assert sorted(seat for group in result.outcome.ranking for seat in group) == [0, 1]
    assert [seat.mine for seat in result.seats] == [True, False]
