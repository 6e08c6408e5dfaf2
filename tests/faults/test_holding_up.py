"""People and bots play while everything under them is killed, again and again.

Web, workers, beat, Redis and PostgreSQL are killed at random with -9. Nothing that was acknowledged
is lost, nothing is there twice, every match is what its moves make of it, and when all is back no
match stands still.
"""

from __future__ import annotations

import itertools
import random
import secrets
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connections

from accounts.models import User
from matches.models import Match, MoveRow, Status
from matches.services.repair import first_difference
from rules.testing import playable_modes
from tests.faults.sites import PATIENCE, Answer, Person, Production
from tests.support.services import CHOSEN, wait_until
from tests.support.sizes import sized
from tests.support.tokens import token_of

pytestmark = [pytest.mark.services, pytest.mark.slow]

PEOPLE = sized(10, large=200)
MOVES = sized(200, large=10_000)
KILLS = sized(7, large=10_000)
"""At most so many of the programs are killed before all are at once."""
DRIVERS = 4
"""So many of the people do something at the same moment."""
CALM = (1.0, 6.0)
"""So many seconds lie between two kills: less than some programs need to come back."""
TARGETS = ("web", "worker", "notices", "events", "beat", "redis", "postgres")
ALLOWED = {200, 201, 503}
"""What anybody may be answered: it is done, or to be sent again."""


@dataclass
class Table:
    """A match, who sits at it, and what the site has said it took."""

    slug: str
    people: tuple[Person, Person]
    taken: list[tuple[int, str]] = field(default_factory=list)
    over: bool = False


class Crowd:
    """People in pairs who play, and send again whatever was not answered."""

    def __init__(self, site: Production, chance: random.Random) -> None:
        self.site, self.chance = site, chance
        self.tables: list[Table] = []
        self.statuses: Counter[int] = Counter()
        self.failed: list[str] = []
        self.done = threading.Event()
        self._modes = itertools.cycle(self._setups())
        self._keys = itertools.count()

    @staticmethod
    def _setups() -> list[dict[str, Any]]:
        """Every mode that two people can play, with a bot beside them where there is room."""
        return [
            {
                "game": game.slug,
                "mode": mode.slug,
                "seats": [{"kind": "person"}, {"kind": "open"}]
                + [{"kind": "bot"}] * (min(max(mode.seats), 3) - 2),
            }
            for game, mode in playable_modes()
            if max(mode.seats) >= 2
        ]

    @property
    def moves(self) -> int:
        return sum(len(table.taken) for table in self.tables)

    def send(self, person: Person, path: str, body: Any = None, **headers: str) -> Answer:
        """Ask until there is an answer that is one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = person.api(path, body, **headers)
            except OSError:  # nobody listens, or the connection broke in the middle
                self.statuses[0] += 1
            else:
                self.statuses[answer.status] += 1
                if answer.status not in ALLOWED:
                    raise AssertionError(f"{path}: {answer.status} {answer.body[:500]}")
                if answer.status != 503:
                    return answer
            time.sleep(0.3)
        raise TimeoutError(f"{path} was not answered within {PATIENCE} seconds.")

    def sit_down(self, one: Person, other: Person) -> Table:
        """A new table of two; made once, however often it had to be asked for."""
        key = {"Idempotency-Key": f"table-{next(self._keys)}"}
        send = self.send(one, "/api/matches/", next(self._modes), **key)
        slug = send.json()["slug"]
        self.send(other, f"/api/matches/{slug}/join/", {})
        table = Table(slug, (one, other))
        self.tables.append(table)
        return table

    def play(self, one: Person, other: Person, moves: int) -> None:
        """These two play until so many of their moves were taken."""
        while moves > 0:
            table = self.sit_down(one, other)
            while moves > 0 and not table.over:
                moves -= self.go_round(table)

    def go_round(self, table: Table) -> int:
        """Each of the two answers once if asked; how many did."""
        before = len(table.taken)
        for person in table.people:
            state = self.send(person, f"/api/matches/{table.slug}/state/").json()
            table.over = state["status"] == "finished"
            if prompt := state["prompt"]:
                move = self.chance.choice(prompt["options"])["notation"]
                sent = {"prompt": prompt["id"], "notation": move}
                self.send(person, f"/api/matches/{table.slug}/moves/", sent)
                table.taken.append((prompt["id"], move))
        if len(table.taken) == before:
            time.sleep(0.1)  # a bot thinks
        return len(table.taken) - before


def member(site: Production, number: int) -> Person:
    """Somebody with an account and a token; guests are too few an hour for this crowd."""
    person = Person(site)
    user = User.objects.create_user(f"player-{number}")
    person.token = token_of(user)
    return person


def drive(crowd: Crowd, pairs: Iterator[tuple[Person, Person]], moves: int) -> None:
    try:
        for item, other in pairs:
            crowd.play(item, other, moves)
    except Exception as error:  # the test's own thread tells it
        crowd.failed.append(repr(error))


class Pairs:
    """Pairs for the drivers to take, one at a time."""

    def __init__(self, people: list[Person]) -> None:
        self._left = iter(list(zip(people[::2], people[1::2], strict=True)))
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[tuple[Person, Person]]:
        return self

    def __next__(self) -> tuple[Person, Person]:
        with self._lock:
            return next(self._left)


def kill(site: Production, name: str) -> None:
    if name == "postgres":
        CHOSEN.kill_postgres()
        time.sleep(1)
        CHOSEN.start_postgres()
    else:
        site.kill(name)


def reconnect() -> None:
    """This process, too, had connections to the PostgreSQL that was killed."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's alone has one


@pytest.mark.slow(50)
def test_nothing_is_lost_doubled_or_left_standing(production: Production) -> None:
    chance = random.Random(secrets.token_bytes(8))
    people = [member(production, number) for number in range(PEOPLE)]
    crowd = Crowd(production, chance)
    pairs = Pairs(people)
    moves = MOVES // (PEOPLE // 2)
    drivers = [
        threading.Thread(target=drive, args=(crowd, pairs, moves), daemon=True)
        for _ in range(DRIVERS)
    ]
    for driver in drivers:
        driver.start()
    killed: Counter[str] = Counter()
    names = [*TARGETS, *({"pgbouncer"} & production.programs.keys())]
    targets = itertools.cycle(chance.sample(names, len(names)))
    while any(driver.is_alive() for driver in drivers):
        time.sleep(chance.uniform(*CALM))
        if killed.total() < KILLS:
            name = next(targets)
            kill(production, name)
            killed[name] += 1
    reconnect()
    print(f"\n{crowd.moves} moves, killed {dict(killed)}, answers {dict(crowd.statuses)}")
    assert not crowd.failed, crowd.failed
    assert crowd.moves >= MOVES
    nothing_stands_still(production, crowd)
    for table in crowd.tables:
        as_acknowledged(table)


def nothing_stands_still(site: Production, crowd: Crowd) -> None:
    """Bots are to move when everything dies at once; when all is back they do."""
    wait_until(lambda: Person(site).get("/readyz").status == 200, (OSError,), "The site", PATIENCE)
    site.programs["worker"].send(signal.SIGSTOP)
    with_bots = Match.objects.filter(status=Status.RUNNING, seats__kind="bot").distinct()
    slugs = set(with_bots.values_list("slug", flat=True))
    for table in crowd.tables:
        while table.slug in slugs and not table.over and crowd.go_round(table):
            pass
    for name in TARGETS:
        kill(site, name)
    reconnect()
    wait_until(lambda: Person(site).get("/readyz").status == 200, (OSError,), "The site", PATIENCE)
    back = time.monotonic()
    waiting = with_bots.filter(seats__bot__gt="", seats__prompt__isnull=False)
    print(f"bots are to move in {waiting.count()} matches")
    wait_until(lambda: not waiting.exists(), (), "A bot", PATIENCE)
    print(f"no bot is waited for {time.monotonic() - back:.1f} s after all is back")


def as_acknowledged(table: Table) -> None:
    """What was taken is stored, once, and makes what is stored of the match."""
    match = Match.objects.get(slug=table.slug)
    rows = list(MoveRow.objects.filter(match=match).order_by("ply"))
    assert [row.ply for row in rows] == list(range(1, match.ply + 1))
    stored = Counter((row.prompt, row.notation) for row in rows if row.source == "person")
    assert stored == Counter(table.taken)
    assert first_difference(match) is None
