"""Fifty people and a thousand live streams on a site with few finished matches and with many.

python -m bench.load                       (1,000 and 100,000 matches; some minutes)
python -m bench.load 1000 20000 --rounds 3

Two sites run side by side on one PostgreSQL (``bench.scale`` fills their databases): two web
processes, one for live streams and a worker each. The people visit one site and then the other, in
turns, so that what else the machine does meets both alike: compare the columns, not the numbers
with others. A person waits for 1 to 3 seconds between two requests; three of ten are of a program
that reads a table and plays a move, the others pages. Caches are empty at the start.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import scale
from bench.servers import create_database, environment, free_port, has_postgres, own_servers
from bench.tables import machine, show, table

if TYPE_CHECKING:
    from tests.support.services import Services

PEOPLE, STREAMS = 50, 1_000
ROUNDS, SECONDS = 4, 20.0
"""So often both sites are visited, for so long each time."""
THINK = (1.0, 3.0)
TIMEOUT = 30.0
START_TIMEOUT = 400.0
BY_PROGRAM = 0.3
OPENING = 25
"""Streams that are opened at once."""
CSRF = "b" * 32


@dataclass
class Site:
    """One of the two sites, its people, and how long their requests took."""

    size: int
    port: int
    events_port: int
    people: list[dict[str, Any]]
    pages: dict[str, str]
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    rounds: list[list[float]] = field(default_factory=list)
    timeouts: int = 0
    refused: int = 0
    streams: int = 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of both sites."""
    known = argparse.ArgumentParser(prog="python -m bench.load")
    known.add_argument("sizes", type=int, nargs="*", default=[scale.SMALL, scale.LARGE])
    known.add_argument("--rounds", type=int, default=ROUNDS)
    known.add_argument("--seconds", type=float, default=SECONDS)
    known.add_argument("--streams", type=int, default=STREAMS)
    options = known.parse_args(arguments or [])
    if not has_postgres():
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the sites inherit it
    with own_servers() as services, ExitStack() as stack:
        create_database(services, scale.TEMPLATES, "riffle")
        scale.run_part(services, scale.TEMPLATES, 0, "prepare")
        sites = [stack.enter_context(running(services, size)) for size in options.sizes]
        over = stack.enter_context(listening(sites, options.streams))
        before = os.getloadavg()[0]
        for _ in range(options.rounds):
            for site in sites:
                visit(site, options.seconds)
        after = os.getloadavg()[0]
        over.set()
    show(f"\n{machine()}; load of the machine {before:.0f} before, {after:.0f} after\n")
    show(report(sites))


# -- sites -----------------------------------------------------------------------------------------


@contextmanager
def running(services: Services, size: int) -> Iterator[Site]:
    """A filled database, and the programs of a site on it."""
    database, folder = f"load{size}", services.folder / f"load{size}"
    create_database(services, database, scale.TEMPLATES)
    folder.mkdir()
    port, events_port = free_port(), free_port()
    redis = f"unix://{folder}/redis.sock"
    own = environment(services, database, folder, DATABASE_POOL="4", REDIS_URL=redis)
    own.pop("SECRET_KEY", None)
    python = sys.executable
    web = ["-m", "granian", "--interface", "asgi", "--http", "1", "--no-ws"]
    commands = [
        [services.redis_binary, "--port", "0", "--unixsocket", f"{folder}/redis.sock"]
        + ["--dir", str(folder), "--save", ""],
        [python, *web, "--workers", "2", "--port", str(port), "config.asgi:application"],
        [python, *web, "--workers", "1", "--backlog", "4096", "--backpressure", "4096"]
        + ["--port", str(events_port), "config.asgi:application"],
        [python, "-m", "celery", "-A", "config", "worker", "-Q", "play", "-P", "solo"]
        + ["--without-gossip", "--without-mingle", "--loglevel", "ERROR"],
    ]
    with ExitStack() as stack:
        stack.enter_context(_program(commands[0], own, folder))
        fill = [python, "-m", "bench.load", "fill", str(size), f"{folder}/people.json"]
        subprocess.run(fill, check=True, env=own)
        for command in commands[1:]:
            stack.enter_context(_program(command, own, folder))
        for number in (port, events_port):
            _wait_for(number)
        filled = json.loads((folder / "people.json").read_text())
        yield Site(size, port, events_port, filled["people"], filled["pages"])


@contextmanager
def _program(
    command: Sequence[str], environment: Mapping[str, str], folder: Path
) -> Iterator[None]:
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + START_TIMEOUT
    while time.monotonic() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("The site does not start.")


def fill(size: int, out: Path) -> None:
    """Fill the database of the settings, and write to a file who has running tables there."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User
    from bench.web import let_the_client_in
    from matches.models import Match, Status

    let_the_client_in()
    began = time.perf_counter()
    scale.fill(size)
    show(f"{size:,} finished matches: filled in {time.perf_counter() - began:.0f} s")

    def session(user: User) -> str:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return (
            f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
        )

    busy = User.objects.order_by("pk")[0]
    people: list[dict[str, Any]] = []
    seen: set[int] = set()
    running = Match.objects.filter(status=Status.RUNNING).order_by("-pk")
    for match in running.prefetch_related("seats__user").iterator(100):
        players = [seat.user for seat in match.seats.all() if seat.user is not None]
        if len(players) < 2 or seen & {player.pk for player in players}:
            continue
        seen |= {player.pk for player in players}
        cookies = [session(player) for player in players]
        people.append({"match": match.slug, "cookies": cookies})
        if len(people) == PEOPLE:
            break
    old = Match.objects.filter(status=Status.FINISHED, archived=True).latest("pk")
    pages = {
        "start page": "/",
        "My tables": "/matches/",
        "lobby": "/play/lobby/",
        "running tables": "/play/lobby/running/",
        "a game's page": f"/games/{old.game}/",
        "records": f"/games/{old.game}/records/",
        "a person": f"/people/{busy.username}/",
        "leaderboard": f"/ratings/{old.game}/{old.mode}/",
        "notifications": "/you/notices/",
        "replay": f"{old.get_absolute_url()}replay/?ply=10",
        "API: matches": "/api/matches/",
    }
    out.write_text(json.dumps({"people": people, "pages": pages}))


# -- visitors --------------------------------------------------------------------------------------


def visit(site: Site, seconds: float) -> None:
    """All people use the site for a while."""
    end = time.monotonic() + seconds
    site.rounds.append([])
    threads = [
        threading.Thread(target=_use, args=(site, number, end), daemon=True)
        for number in range(PEOPLE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 2 * TIMEOUT)


def _use(site: Site, number: int, end: float) -> None:
    person = site.people[number % len(site.people)]
    chance = random.Random(f"{number} {len(site.rounds)}")
    table_page = f"/matches/{person['match']}/"
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=TIMEOUT)
    time.sleep(chance.uniform(0, THINK[1]))
    while time.monotonic() < end:
        try:
            if chance.random() < BY_PROGRAM:
                _play(site, connection, person)
            elif chance.random() < 0.3:
                _ask(site, connection, "table", table_page, person["cookies"][0])
            else:
                name = chance.choice([*site.pages])
                _ask(site, connection, name, site.pages[name], person["cookies"][0])
        except TimeoutError:
            site.timeouts += 1
            connection.close()
        except (OSError, http.client.HTTPException):  # kept open for longer than the site does
            connection.close()
        time.sleep(chance.uniform(*THINK))
    connection.close()


def _play(site: Site, connection: http.client.HTTPConnection, person: Mapping[str, Any]) -> None:
    """A move of whoever is asked at this table."""
    address = f"/api/matches/{person['match']}/"
    for cookie in person["cookies"]:
        state = _ask(site, connection, "API: state", f"{address}state/", cookie)
        if prompt := state and json.loads(state)["prompt"]:
            move = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
            _ask(site, connection, "API: move", f"{address}moves/", cookie, json.dumps(move))
            return


def _ask(
    site: Site,
    connection: http.client.HTTPConnection,
    name: str,
    path: str,
    cookie: str,
    body: str | None = None,
) -> bytes:
    headers = {"Cookie": f"{cookie}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    if body is not None:
        headers["Content-Type"] = "application/json"
    began = time.perf_counter()
    connection.request("GET" if body is None else "POST", path, body, headers)
    response = connection.getresponse()
    content = response.read()
    took = (time.perf_counter() - began) * 1000
    if response.status != 200:
        site.refused += 1
        return b""
    site.took[name].append(took)
    site.rounds[-1].append(took)
    return content


@contextmanager
def listening(sites: Sequence[Site], streams: int) -> Iterator[threading.Event]:
    """So many live streams on each site, until the event is set."""
    over = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_listen(sites, streams, over)))
    thread.start()
    end = time.monotonic() + 300
    while any(site.streams < streams for site in sites) and time.monotonic() < end:
        time.sleep(0.2)
    show("live streams: " + ", ".join(f"{site.streams:,}" for site in sites))
    try:
        yield over
    finally:
        over.set()
        thread.join()


async def _listen(sites: Sequence[Site], streams: int, over: threading.Event) -> None:
    opening = asyncio.Semaphore(OPENING)
    tasks = [
        asyncio.create_task(_stream(site, site.people[number % len(site.people)], opening))
        for number, site in itertools.product(range(streams), sites)
    ]
    await asyncio.to_thread(over.wait)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _stream(site: Site, person: Mapping[str, Any], opening: asyncio.Semaphore) -> None:
    while True:
        async with opening:
            reader, writer = await asyncio.open_connection("127.0.0.1", site.events_port)
            path = f"/events/me/?match={person['match']}"
            head = (f"GET {path} HTTP/1.1", "Host: localhost", f"Cookie: {person['cookies'][0]}")
            writer.write("\r\n".join((*head, "", "")).encode())
            while (line := await reader.readline()) and b"event:" not in line:
                pass  # the head of the answer
        site.streams += 1
        while await reader.readline():
            pass
        site.streams -= 1
        writer.close()
        await asyncio.sleep(3)  # as a browser tries again


# -- the table -------------------------------------------------------------------------------------


def report(sites: Sequence[Site]) -> str:
    """Milliseconds by page, of the first site and of the last."""
    first, last = sites[0], sites[-1]
    rows: list[tuple[object, ...]] = []
    names = sorted(first.took.keys() & last.took.keys())
    for name, before, after in [
        *((name, first.took[name], last.took[name]) for name in names),
        ("all", *(list(itertools.chain(*site.took.values())) for site in (first, last))),
    ]:
        low, high = spread(before), spread(after)
        rows.append(
            (name, len(before), len(after), low[0], high[0], high[0] / low[0])
            + (low[1], high[1], high[1] / low[1])
        )
    ratios = [
        [spread(b)[part] / spread(a)[part] for a, b in zip(first.rounds, last.rounds, strict=True)]
        for part in (0, 1)
    ]
    head = ("", "requests", "→", "p50 ms", "→", "÷", "p95 ms", "→", "÷")
    parts = [
        table(head, rows),
        f"p50 by round ÷ {_listed(ratios[0])}; p95 by round ÷ {_listed(ratios[1])}",
        *(
            f"{site.size:,}: {site.timeouts} timeouts, {site.refused} refused, "
            f"{site.streams:,} streams open at the end"
            for site in sites
        ),
    ]
    return "\n\n".join(parts)


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The median, and what 95 of 100 stay below."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (float("nan"), float("nan"))
    return statistics.median(values), statistics.quantiles(values, n=20)[18]


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    if sys.argv[1:2] == ["fill"]:  # in a process of its own: see running
        import django

        django.setup()
        fill(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(sys.argv[1:])
