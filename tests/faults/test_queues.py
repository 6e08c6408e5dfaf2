"""Two people bring ten long lists: a bot answers and a third one's list is read all the same.

Nothing is timed. It counts how many of the ten still wait when the bot has answered and when the
third list is read: with one queue for all, or without turns, none of them would.
"""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from collection.models import ImportJob, JobState
from collection.services import imports
from collection.services.catalog import sync_catalog
from matches.models import Match
from matches.services.play import play_move
from tests.conftest import Worker
from tests.games.examples import GAME
from tests.matches.conftest import asked
from tests.support.services import wait_until

ROOT = Path(__file__).resolve().parents[2]
LISTS, LINES = 5, 10_000


def long_list() -> str:
    """Hardly a name is known, but too many for the list to be given up."""
    return "\n".join(
        "1 Red Claw" if number % 500 == 0 else f"1 nobody's card {number}"
        for number in range(LINES)
    )


# -- a real site's workers -------------------------------------------------------------------------


@pytest.fixture
def workers(worker_url: str) -> Iterator[list[Worker]]:
    """One for each line of the Procfile."""
    lines = re.findall(r"config worker (-Q \S+)", (ROOT / "Procfile").read_text())
    started = [Worker(worker_url, *line.split(), "-n", f"{n}@%h") for n, line in enumerate(lines)]
    for worker in started:
        worker.start()
    yield started
    for worker in started:
        worker.stop()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_by_the_workers_of_a_real_site(workers: list[Worker], bot_match: Match) -> None:
    assert len(workers) == 6
    sync_catalog()
    ada, ben, cem = (User.objects.create_user(f"lists-{n}") for n in range(3))
    for owner in (ada, ben):
        for _ in range(LISTS):
            imports.start_import(owner=owner, data=long_list().encode())
    last = imports.start_import(owner=cem, data=b"1 Red Claw\n" * imports.READ_AT_ONCE)
    waiting = ImportJob.objects.filter(owner__in=(ada, ben), state=JobState.WAITING)
    answered_by_a_bot(bot_match)
    assert waiting.exists(), "the bot waited for all the lists"

    def read() -> bool:
        last.refresh_from_db()
        return last.state == JobState.READY

    wait_until(read, (), "The third one's list", seconds=300)
    assert waiting.count() > LISTS, "one list waited for nearly all of two others'"
    for job in ImportJob.objects.exclude(owner=cem).select_related("owner"):
        imports.cancel_import(owner=job.owner, slug=job.slug)


def answered_by_a_bot(match: Match) -> None:
    """Play until a bot has been asked, and until it has answered."""
    bots = match.seats.filter(bot__gt="", prompt__isnull=False)
    while not bots.exists():
        user, prompt = asked(match)
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
        if match.moves.filter(source="bot").exists():
            return
    wait_until(match.moves.filter(source="bot").exists, (), "The bot", seconds=300)


# -- make run --------------------------------------------------------------------------------------


class Guest:
    """Somebody who uses the API."""

    def __init__(self, site: str) -> None:
        self.site, self.token = site, ""
        self.token = self.ask("guests/", {})["token"]

    def ask(self, path: str, said: Any = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        data = None if said is None else json.dumps(said).encode()
        request = urllib.request.Request(f"{self.site}/api/{path}", data, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)


@pytest.mark.slow
def test_by_the_workers_of_make_run(site: str) -> None:
    ada, ben, cem = Guest(site), Guest(site), Guest(site)
    table = {
        "game": GAME,
        "mode": "match",
        "options": {"guards": 0},
        "seats": [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}],
    }
    match = cem.ask("matches/", table)["slug"]
    brought = [
        (who, who.ask("imports/", {"text": long_list()})["slug"])
        for who in (ada, ben)
        for _ in range(LISTS)
    ]
    last = cem.ask("imports/", {"text": "1 Red Claw\n" * imports.READ_AT_ONCE})["slug"]

    def waiting() -> int:
        states = [who.ask(f"imports/{slug}/")["state"] for who, slug in brought]
        return states.count("waiting")

    bot_moves = 0
    while bot_moves < 3:
        state = cem.ask(f"matches/{match}/state/")
        if prompt := state["prompt"]:
            values = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
            cem.ask(f"matches/{match}/moves/", values)
            bot_moves += 1  # it is only asked again when the bot has done its part
        elif state["view"]["outcome"] is not None:
            break
    assert waiting(), "the bot waited for all the lists"
    wait_until(lambda: cem.ask(f"imports/{last}/")["state"] == "ready", (), "The list", seconds=300)
    assert waiting() > LISTS, "one list waited for nearly all of two others'"
    for who, slug in brought:
        who.ask(f"imports/{slug}/cancel/", {})
