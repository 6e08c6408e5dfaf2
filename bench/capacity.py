"""The cost of a match, a move, a reader and a notice, to reckon how many a site can bear.

python -m bench.capacity           (makes a PostgreSQL and a Redis for the run)

Everything goes through the services, the outbox and the whole of Django, one after the other in one
process. Counted are queries, the processor's time of the site and of PostgreSQL, the bytes of its
log (WAL), what Redis is sent and sends, and the bytes of the answers. What waits counts nothing.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.scale import run_sql
from bench.servers import environment, has_postgres, own_servers
from bench.tables import machine, show, table

MATCHES = 5
MOVES = 30
LOOKS = 10
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one of something; times in milliseconds."""

    queries: float
    site: float
    postgres: float
    log: float
    redis: float
    answer: float


class Meter:
    """Adds up what was done under a name."""

    def __init__(self) -> None:
        self.costs: dict[str, list[Cost]] = defaultdict(list)

    @contextmanager
    def of(self, name: str, times: int = 1) -> Iterator[list[int]]:
        """Measure the block, in which something is done so often; bytes sent go into the list."""
        from django.db import connection

        from core.redis_client import link

        queries, sent = 0, [0]

        def count(execute: Callable[..., Any], *arguments: Any) -> Any:
            nonlocal queries
            queries += 1
            return execute(*arguments)

        def numbers() -> tuple[float, float, float]:
            ((log, backend),) = run_sql(
                "SELECT pg_current_wal_insert_lsn() - '0/0', pg_backend_pid()"
            )
            fields = Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()
            info: Any = link().client.info("stats")
            traffic = info["total_net_input_bytes"] + info["total_net_output_bytes"]
            return float(log), (int(fields[11]) + int(fields[12])) / TICK * 1000, traffic

        before = numbers()
        with connection.execute_wrapper(count):
            began = time.process_time()
            yield sent
            took = (time.process_time() - began) * 1000
        after = numbers()
        log, postgres, redis = (b - a for a, b in zip(before, after, strict=True))
        figures = (queries, took, postgres, log, max(redis - REDIS_ASKED, 0), sent[0])
        self.costs[name].append(Cost(*(figure / times for figure in figures)))

    def rows(self) -> list[tuple[object, ...]]:
        """One row a name: medians, but means of what is counted in hundredths of a second."""
        rows: list[tuple[object, ...]] = []
        for name, costs in self.costs.items():
            queries, site, postgres, *sizes = zip(*map(astuple, costs), strict=True)
            rows.append(
                (name, statistics.median(queries), statistics.median(site))
                + (statistics.fmean(postgres), *(round(statistics.median(size)) for size in sizes))
            )
        return rows


REDIS_ASKED = 3_600
"""About the bytes of asking Redis for its own numbers once."""


def main() -> None:
    """Print the table."""
    if not has_postgres():
        return
    with own_servers() as services:
        # One connection, whose server process is looked at.
        own = environment(services, "riffle", services.folder, DATABASE_POOL="0")
        command = [sys.executable, "-m", "bench.capacity", "measure"]
        subprocess.run(command, check=True, env=own)


def measure() -> None:
    """Play matches of all games on the database that the settings name, and look at them."""
    from django.test import Client

    import rules
    from accounts.models import User
    from bench.web import let_the_client_in
    from matches.models import Match, Status
    from matches.services.archive import archive_due
    from notices.kinds import Kind
    from notices.services.notices import notify
    from notices.services.sending import send_notices

    let_the_client_in()
    meter = Meter()
    people = [User.objects.create_user(f"player-{number}") for number in range(2)]
    clients = [Client() for _ in people]
    for person, client in zip(people, clients, strict=True):
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    games = list(rules.games().values())
    for number in range(MATCHES):
        _play_match(meter, games[number % len(games)], people, clients)
    with meter.of("a notice: written", LOOKS):
        for number in range(LOOKS):
            notify([people[0].pk], Kind.CHAT, text="You are named.", link="/", match=f"m{number}")
    with meter.of("a notice: sent to its channels", LOOKS):
        send_notices(people[0].pk, now=_later())
    finished = Match.objects.filter(status=Status.FINISHED).count()
    with meter.of("a match: archived 30 days later", finished):
        archive_due(before=_later())
    head = ("", "queries", "site ms", "PostgreSQL ms", "WAL bytes", "Redis bytes", "answer bytes")
    show(f"{machine()}\n")
    show(table(head, meter.rows()))


def _play_match(meter: Meter, game: Any, people: list[Any], clients: list[Any]) -> None:
    """A match from its creation to what follows from its end, with looks at it."""
    from core import outbox
    from matches.models import Status
    from matches.services.play import concede
    from matches.services.setup import MatchSetup, SeatPlan, create_match

    mode = next(mode for mode in game.modes.values() if mode.playable and 2 in mode.seats)
    seats = [SeatPlan(user=person) for person in people]
    with meter.of("a match: created"):
        plan = MatchSetup(game=game.slug, mode=mode.slug, seats=seats)
        match = create_match(host=people[0], setup=plan)
    for _ in range(MOVES):
        if not _move(meter, match, people):
            break
    match.refresh_from_db()
    pages = {
        "a reader: the table's page": f"/matches/{match.slug}/",
        "a reader: after a move": f"/matches/{match.slug}/table/?since={match.ply - 1}",
        "a program: the state": f"/api/matches/{match.slug}/state/",
    }
    for name, address in pages.items():
        clients[0].get(address)
        with meter.of(name, LOOKS) as sent:
            for _ in range(LOOKS):
                response = clients[0].get(address)
                assert response.status_code == 200, (address, response.status_code)
                sent[0] += len(response.content)
    if match.status == Status.RUNNING:
        with meter.of("a match: conceded"):
            concede(slug=match.slug, user=people[0])
    with meter.of("a match: what follows from its end"):
        for unread in outbox.overdue(now=_later()):
            assert outbox.read(unread)


def _move(meter: Meter, match: Any, people: list[Any]) -> bool:
    """A move by whoever is asked; False when the match is over."""
    from matches import engine
    from matches.services.play import play_move

    match.refresh_from_db()
    if match.status != "running":
        return False
    board = engine.load(match)
    seat, prompt = sorted(board.prompts.items())[0]
    move = prompt.options[match.ply % len(prompt.options)]
    with meter.of("a move"):
        play_move(slug=match.slug, user=people[seat], prompt_id=prompt.id, move=move)
    return True


def _later() -> Any:
    from django.utils import timezone

    return timezone.now() + timedelta(days=2)


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:  # in a process of its own: see main
        import django

        django.setup()
        measure()
    else:
        main()
