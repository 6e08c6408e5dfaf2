"""The record of a finished match, as page and API give it, is what ``docs/verify.py`` reads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches.models import Match
from matches.services.play import concede
from matches.services.setup import SeatPlan
from rules.engine.game import Game, Mode
from tests.matches.conftest import MakeMatch, api, play_on
from tests.matches.test_archive import check_archive
from tests.support.sizes import modes_on_the_site

pytestmark = pytest.mark.django_db

Record = dict[str, Any]


def run_script(path: Path) -> subprocess.CompletedProcess[str]:
    """The script, as somebody runs it who does not trust the site."""
    script = settings.BASE_DIR / "docs" / "verify.py"
    return subprocess.run(
        [sys.executable, "-I", script, path], capture_output=True, text=True, check=False
    )


def record_of(match: Match) -> Record:
    """The file that the fairness page's button gives to anybody."""
    client = Client()
    page = client.get(reverse("matches:fairness", args=[match.slug])).content.decode()
    (address,) = re.findall(r'href="([^"]+match\.json)"', page)
    assert match.commitment in page
    answer = client.get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="match-{match.slug}.json"'
    record: Record = json.loads(answer.content)
    return record


@pytest.mark.parametrize(
    ("game", "mode"), modes_on_the_site(), ids=lambda one: getattr(one, "slug", None)
)
@pytest.mark.slow
def test_a_match_of_every_mode_agrees_with_the_script(
    game: Game, mode: Mode, make_match: MakeMatch, ann: User, bob: User, tmp_path: Path
) -> None:
    people = [SeatPlan(user=ann), SeatPlan(user=bob)][: mode.seats[0]]
    bots = [SeatPlan("bot", bot=next(iter(game.bots)))] * (mode.seats[0] - len(people))
    match = make_match(
        game=game.slug, mode=mode.slug, seats=people + bots, options={}, client_seed="tea: ☕"
    )
    match = play_on(match)
    record = record_of(match)
    assert record == api().get(f"/api/matches/{match.slug}/record/").json()
    assert record["commitment"] == match.commitment and record["client_seeds"] == [[0, "tea: ☕"]]
    assert (record["mode"], record["rules_version"]) == (mode.slug, match.rules_version)
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    done = run_script(path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The chance of this match is as published." in done.stdout
    check_archive(match, ann)


def test_a_match_that_somebody_gave_up_agrees_as_well(
    make_match: MakeMatch, bob: User, tmp_path: Path
) -> None:
    match = play_on(make_match(), 15)
    concede(slug=match.slug, user=bob)
    record = record_of(match)
    assert len(record["moves"]) == 15
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert run_script(path).returncode == 0


def other_seed(record: Record) -> None:
    record["server_seed"] = bytes(32).hex()


def other_client_seed(record: Record) -> None:
    record["client_seeds"] = [[1, "tea"]]


def other_die(record: Record) -> None:
    dice = next(event for event in record["events"] if event[0] == "rolled")[3]
    dice[0] = dice[0] % 6 + 1


def other_shuffle(record: Record) -> None:
    cards = next(event for event in record["events"] if event[0] == "match_started")[2]
    cards[0], cards[1] = cards[1], cards[0]


def end_left_out(record: Record) -> None:
    record["events"].pop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "tamper",
    [other_seed, other_client_seed, other_die, other_shuffle, end_left_out],
    ids=lambda tamper: tamper.__name__,
)
def test_a_record_that_was_tampered_with_does_not(
    finished: Match, tmp_path: Path, tamper: Callable[[Record], None]
) -> None:
    path = tmp_path / "match.json"
    record = record_of(finished)
    tamper(record)
    path.write_text(json.dumps(record), encoding="utf-8")
    done = run_script(path)
    assert done.returncode == 1 and "NOT AS PUBLISHED" in done.stdout


def test_a_running_match_has_no_record(match: Match, ann: User) -> None:
    client = Client()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("matches:fairness", args=[match.slug])).content.decode()
    assert "match.json" not in page
    assert client.get(reverse("matches:record", args=[match.slug])).status_code == 409
    refused = api(ann).get(f"/api/matches/{match.slug}/record/")
    assert refused.status_code == 409 and refused.json()["type"].endswith("not-finished/")


def test_the_record_names_the_rules_that_the_match_was_played_by(finished: Match) -> None:
    Match.objects.filter(pk=finished.pk).update(rules_version="older")
    assert record_of(finished)["rules_version"] == "older"
