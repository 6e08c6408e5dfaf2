"""Several programs of a real site killed at once, and again while they come back: it goes on."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest

from matches.models import Match, Status
from tests.faults.sites import Person, Production
from tests.support.services import wait_until
from tests.support.sizes import LARGE

pytestmark = [pytest.mark.services, pytest.mark.slow]

PATIENCE = 120
"""So many seconds everything may take on a busy machine; on a free one it is under thirty."""


def all_at_once(site: Production) -> None:
    site.kill("worker", "redis", "web")


def again_and_again(site: Production) -> None:
    """Each is killed a second time while the others come back."""
    for name in ("worker", "redis", "web", "worker", "redis", "web", "worker"):
        site.kill(name)
        time.sleep(2)


def redis_away_for_long(site: Production) -> None:
    """The worker dies while Redis is away, and so tries long in vain to reach it."""
    site.kill_redis()
    site.kill("worker")
    time.sleep(60)
    site.start_redis()


def frozen_and_killed(site: Production) -> None:
    site.freeze_redis()
    time.sleep(15)
    site.kill("worker", "redis", "web")


def the_clock_too(site: Production) -> None:
    site.kill("beat", "redis", "worker")
    time.sleep(5)
    site.kill("redis")


Faults = Callable[[Production], None]
USUAL: list[Faults] = [all_at_once, again_and_again]
AT_NIGHT: list[Faults] = [redis_away_for_long, frozen_and_killed, the_clock_too]


def test_a_bot_moves_again(production: Production) -> None:
    """One trouble after the other: to start a site takes longer than to try one."""
    for faults in USUAL + AT_NIGHT * LARGE:
        goes_on_after(production, faults)


def goes_on_after(production: Production, faults: Faults) -> None:
    """A bot was to move when it began. ``pytest -s`` says how long it took."""
    person = Person(production)
    person.become_guest()
    slug = person.sit_down(bots=3)
    wait_until(lambda: asked(slug), (), "The bots", PATIENCE)
    production.programs["worker"].send(signal.SIGSTOP)
    ply = play(person, slug)
    faults(production)
    over = time.monotonic()
    wait_until(lambda: person.get("/healthz").status == 200, (OSError,), "The web server", PATIENCE)
    web = time.monotonic() - over
    moves = Match.objects.get(slug=slug).moves
    by_bots = moves.filter(source="bot", ply__gt=ply)
    wait_until(by_bots.exists, (), "A bot", PATIENCE)
    print(f"\n{faults.__name__}: web {web:.1f} s, bot {time.monotonic() - over:.1f} s")
    wait_until(lambda: asked(slug), (), "The bots", PATIENCE)
    match = Match.objects.get(slug=slug)
    assert list(moves.order_by("ply").values_list("ply", flat=True)) == [*range(1, match.ply + 1)]


def asked(slug: str) -> bool:
    """Whether the bots have played until the person is to move, or to the end."""
    match = Match.objects.get(slug=slug)
    mine = match.seats.filter(user__isnull=False, prompt__isnull=False)
    return match.status != Status.RUNNING or mine.exists()


def play(person: Person, slug: str) -> int:
    """Move until a bot is to move; the ply then."""
    while (prompt := person.api(f"/api/matches/{slug}/state/").json()["prompt"]) is not None:
        answer = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
        sent = person.api(f"/api/matches/{slug}/moves/", answer)
        assert sent.status == 200, sent.body
    return Match.objects.get(slug=slug).ply
