"""Several programs of a real site killed at once, and again while they come back: it goes on."""

from __future__ import annotations

import signal
import time
import urllib.error
from collections.abc import Callable

import pytest

from matches.models import Match, Status
from tests.faults.sites import Person, Production
from tests.services import wait_until

pytestmark = [pytest.mark.services, pytest.mark.slow]

PATIENCE = 120
"""So many seconds everything may take on a busy machine; docs/operations.md has what it takes."""


def all_at_once(site: Production) -> None:
    site.kill("worker", "redis", "web")


def again_and_again(site: Production) -> None:
    """Each is killed a second time while the others come back."""
    for name in ("worker", "redis", "web", "worker", "redis", "web", "worker"):
        site.kill(name)
        time.sleep(RESTARTED)


RESTARTED = 2.0


def redis_away_for_long(site: Production) -> None:
    """The worker dies while Redis is away, and so tries long in vain to reach it."""
    site.kill_redis()
    site.kill("worker")
    time.sleep(60)
    site.start_redis()


def frozen_and_killed(site: Production) -> None:
    site.freeze_redis()
    time.sleep(15)
    site.kill("worker")
    site.kill("redis", "web")


def beat_too(site: Production) -> None:
    site.kill("beat", "redis", "worker")
    time.sleep(5)
    site.kill("redis")


@pytest.mark.parametrize(
    "faults", [all_at_once, again_and_again, redis_away_for_long, frozen_and_killed, beat_too]
)
def test_a_bot_moves_again(production: Production, faults: Callable[[Production], None]) -> None:
    person = Person(production)
    person.become_guest()
    slug = person.sit_down(bots=3)
    wait_until(lambda: asked(person, slug), (), "The bots", PATIENCE)
    production.programs["worker"].send(signal.SIGSTOP)
    ply = play(person, slug)
    faults(production)
    over = time.monotonic()
    wait_until(lambda: person.get("/healthz").status == 200, (OSError,), "The web server", PATIENCE)
    web = time.monotonic() - over
    wait_until(
        lambda: Match.objects.get(slug=slug).moves.filter(source="bot", ply__gt=ply).exists(),
        (),
        "A bot",
        PATIENCE,
    )
    now = time.monotonic()
    print(f"\n{faults.__name__}: web {web:.1f} s, bot {now - over:.1f} s")
    wait_until(lambda: asked(person, slug), (), "The bots", PATIENCE)
    match = Match.objects.get(slug=slug)
    assert match.ply == match.moves.count()


def asked(person: Person, slug: str) -> bool:
    """Whether the bots have played until the person is to move."""
    match = Match.objects.get(slug=slug)
    return (
        match.status != Status.RUNNING
        or match.seats.filter(user__isnull=False, prompt__isnull=False).exists()
    )


def play(person: Person, slug: str) -> int:
    """Move until a bot is to move; the ply then."""
    while True:
        try:
            state = person.api(f"/api/matches/{slug}/state/").json()
        except (OSError, urllib.error.URLError):
            continue
        prompt = state["prompt"]
        if prompt is None:
            return Match.objects.get(slug=slug).ply
        sent = person.api(
            f"/api/matches/{slug}/moves/",
            {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]},
        )
        assert sent.status in (200, 500, 503), sent.body
