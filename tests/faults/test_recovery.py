"""Programs of a real site killed, alone and together: no table stands still for long after.

People play against bots while it happens. The longest pause between two moves at any table is held
against the time until web, worker and Redis were back; ``pytest -s`` prints both.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from matches.models import MoveRow, Source
from matches.services.bots import BOT_TIMEOUT
from tests.faults.sites import PATIENCE, Person, Production
from tests.support.services import wait_until
from tests.support.sizes import LARGE
from tests.support.tokens import token_of

pytestmark = [pytest.mark.services, pytest.mark.slow]

TABLES = 4
BEYOND = 8
"""So many seconds longer than the parts were away no table may stand still."""
BUSY = 8
"""Seconds more, on a machine that is busy with other tests."""
THINKING = 0.4
"""So many seconds people think about a move."""


def worker_killed(site: Production) -> None:
    """It holds tasks when it dies, which nobody gives back to the queue within the hour."""
    site.programs["worker"].send(signal.SIGSTOP)
    time.sleep(1)
    site.kill("worker")


def redis_emptied(site: Production) -> None:
    """Tasks are on their way when it happens, since the worker does not take them."""
    site.programs["worker"].send(signal.SIGSTOP)
    time.sleep(1)
    site.empty_redis()
    site.programs["worker"].send(signal.SIGCONT)


def everything_killed(site: Production) -> None:
    site.kill(*site.programs)


def web_killed(site: Production) -> None:
    site.kill("web")


def redis_killed(site: Production) -> None:
    site.kill("redis")


def redis_away(site: Production) -> None:
    site.kill_redis()
    time.sleep(12)
    site.start_redis()


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
USUAL: list[Faults] = [worker_killed, redis_emptied, everything_killed]
AT_NIGHT: list[Faults] = [
    *(web_killed, redis_killed, redis_away, again_and_again),
    *(redis_away_for_long, frozen_and_killed, the_clock_too),
]


class Player(threading.Thread):
    """Somebody who plays one match after the other against bots, and tries again what fails."""

    def __init__(self, site: Production, number: int) -> None:
        super().__init__(daemon=True)
        self.user = User.objects.create_user(f"player-{number}")
        self.person = Person(site)
        self.person.token = token_of(self.user)
        self.slug = self.person.sit_down(bots=3)
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(THINKING):
            try:
                self.play()
            except (OSError, KeyError, ValueError):  # nobody answers, or with a refusal
                continue

    def play(self) -> None:
        """Answer the prompt, if there is one."""
        state = self.person.api(f"/api/matches/{self.slug}/state/").json()
        if state["status"] == "finished":
            self.slug = self.person.sit_down(bots=3)
        elif prompt := state["prompt"]:
            move = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
            self.person.api(f"/api/matches/{self.slug}/moves/", move)

    def moves(self) -> QuerySet[MoveRow]:
        """All moves at this person's tables, the bots' too."""
        return MoveRow.objects.filter(match__seats__user=self.user)

    def longest_pause(self, since: datetime) -> float:
        """Seconds between two moves, of which the second came after that moment."""
        moves = self.moves().filter(at__gt=since - timedelta(seconds=30)).order_by("at")
        times = list(moves.values_list("at", flat=True))
        return max((b - a).total_seconds() for a, b in pairwise(times) if b > since)


@pytest.mark.slow(40)
def test_no_table_stands_still_for_long(production: Production) -> None:
    """One trouble after the other: to start a site takes longer than to try one."""
    players = [Player(production, number) for number in range(TABLES)]
    for player in players:
        player.start()
    try:
        for faults in USUAL + AT_NIGHT * LARGE:
            wait_for_bots(players, timezone.now())
            stands_still_for(players, production, faults)
    finally:
        for player in players:
            player.over.set()
            player.join()


def stands_still_for(players: Sequence[Player], site: Production, faults: Faults) -> None:
    began, started = timezone.now(), time.monotonic()
    faults(site)
    wait_until(lambda: is_back(site), (OSError,), "The site", PATIENCE)
    away = time.monotonic() - started
    wait_for_bots(players, timezone.now())
    # What has not been found stalled by now is no longer waited for because of this fault.
    time.sleep(BOT_TIMEOUT.total_seconds())
    wait_for_bots(players, timezone.now())
    pauses = sorted(player.longest_pause(began) for player in players)
    print(f"\n{faults.__name__}: away {away:.1f} s, paused", *(f"{p:.1f}" for p in pauses))
    assert max(pauses) <= away + BEYOND + BUSY, faults.__name__


def is_back(site: Production) -> bool:
    site.wait_for_redis(seconds=1)
    site.wait_for_web(seconds=1)
    return site.programs["worker"].says(b" ready.")


def wait_for_bots(players: Sequence[Player], since: datetime) -> None:
    """Until a bot has moved at every table."""
    for player in players:
        moves = player.moves().filter(source=Source.BOT, at__gt=since)
        wait_until(moves.exists, (), "A bot", PATIENCE)
