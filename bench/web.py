"""The cost of pages and moves, beside a bare read and a bare write on the same database.

python -m bench.web            (SQLite; with DATABASE_URL and REDIS_URL set, on those)

It works on data of its own: SQLite and Valkey in a temporary folder, or a database of its own
on the server that ``DATABASE_URL`` names. Requests go through the whole of Django (middleware,
session, permissions, templates) but not through a socket.
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.tables import each, machine, show, table

MOVES = 200
"""How many moves are played to measure one."""


@contextlib.contextmanager
def valkey(folder: Path) -> Iterator[None]:
    """An embedded Valkey for this run, unless ``REDIS_URL`` names a server."""
    from config.embedded import redis_server_binary, redis_socket

    binary = redis_server_binary()
    if os.environ.get("REDIS_URL") or binary is None:
        yield
        return
    socket = redis_socket(folder)
    server = subprocess.Popen(
        [binary, "--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    try:
        while not socket.exists():
            time.sleep(0.01)
        yield
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Print the table."""
    with site_of_its_own():
        measure()


@contextlib.contextmanager
def site_of_its_own() -> Iterator[None]:
    """Settings, Valkey and database for this run alone."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["RIFFLE_VAR"] = name
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["LOG_LEVEL"] = "ERROR"
        with valkey(Path(name)), database():
            yield


@contextlib.contextmanager
def database() -> Iterator[None]:
    """Django with a database of its own, migrated and with its catalog."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    let_the_client_in()
    before = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        call_command("migrate", interactive=False, verbosity=0)
    else:
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        call_command("sync_catalog", verbosity=0, stdout=io.StringIO())
        yield
    finally:
        if connection.vendor != "sqlite":
            connection.creation.destroy_test_db(before, verbosity=0)
        connection.close()


def let_the_client_in() -> None:
    """Set up what requests of Django's test client need.

    Its whole test environment would copy the context of each template that is drawn, which no site
    does.
    """
    from django.conf import settings

    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.CPU_BUDGET = 1e6  # one client asks for what many people would


def measure() -> None:
    from django.db import connection
    from django.test import Client

    from accounts.models import User

    people = [User.objects.create_user(f"bench-{n}", password=None) for n in range(2)]
    client = Client()
    client.force_login(people[0])
    slug = new_match(people)
    read, write = bare_read(people[0]), bare_write(slug)
    rows: list[tuple[object, ...]] = [
        ("bare read: one row by its key", read * 1e3, 1 / read, 1.0, ""),
    ]
    for words, address in pages(slug).items():
        took = each(visit(client, address), seconds=1.0, clock=time.perf_counter)
        rows.append((words, took * 1e3, 1 / took, took / read, ""))
    rows.append(
        ("bare write: one transaction, one row changed, one added", write * 1e3, 1 / write, "", 1.0)
    )
    for words, took in moves(people, slug).items():
        rows.append((words, took * 1e3, 1 / took, "", took / write))
    show(f"{machine()}, {connection.vendor}, one process\n")
    show(table(("", "ms", "a second", "÷ bare read", "÷ bare write"), rows))


def new_match(people: list[Any]) -> str:
    """A running match between two people, of the first game that can be played."""
    from collection import examples
    from matches.services.setup import MatchSetup, SeatPlan, create_match

    seats = [SeatPlan("person", user=person) for person in people]
    which = examples.to_play() or {}
    return str(create_match(host=people[0], setup=MatchSetup(**which, seats=seats)).slug)


def pages(slug: str) -> dict[str, str]:
    from django.urls import reverse

    return {
        "start page": reverse("home"),
        "gallery": reverse("collection:gallery"),
        "table": reverse("matches:table", args=[slug]),
        "table's fragment": reverse("matches:fragment", args=[slug]),
        "state by API": f"/api/matches/{slug}/state/",
    }


def visit(client: Any, address: str) -> Callable[[], object]:
    def go() -> None:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    return go


def bare_read(person: Any) -> float:
    from accounts.models import User

    people = User.objects.all()
    return each(lambda: people.get(pk=person.pk), seconds=1.0, clock=time.perf_counter)


def bare_write(slug: str) -> float:
    """Do what a move cannot do without: change the match's row and add the move's, durably."""
    from django.db import transaction

    from matches.models import Match, MoveRow

    match = Match.objects.get(slug=slug)
    ply = 100_000

    def write() -> None:
        nonlocal ply
        ply += 1
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(state=match.state)
            MoveRow.objects.create(match=match, ply=ply, seat=0, prompt=ply, move={}, notation="")

    took = each(write, seconds=1.0, clock=time.perf_counter)
    MoveRow.objects.filter(match=match, ply__gte=100_000).delete()
    return took


def moves(people: list[Any], slug: str) -> dict[str, float]:
    """The median of ``MOVES`` moves: the service alone, and through the API."""
    from django.test import Client

    from matches import engine
    from matches.models import Match
    from matches.services.play import play_move

    clients = []
    for person in people:
        client = Client()
        client.force_login(person)
        clients.append(client)
    times: dict[str, list[float]] = {"move: the service": [], "move: through the API": []}
    for number in range(MOVES):
        match = Match.objects.get(slug=slug)
        if match.outcome is not None:
            slug = new_match(people)
            match = Match.objects.get(slug=slug)
        game = engine.load(match)
        ((seat, prompt),) = game.prompts.items()
        notation = game.notation(prompt.options[number % len(prompt.options)])
        began = time.perf_counter()
        if number % 2:
            answer = clients[seat].post(
                f"/api/matches/{slug}/moves/",
                {"prompt": prompt.id, "notation": notation},
                content_type="application/json",
            )
            assert answer.status_code in (200, 201), answer.content
            times["move: through the API"].append(time.perf_counter() - began)
        else:
            play_move(slug=slug, user=people[seat], prompt_id=prompt.id, move=notation)
            times["move: the service"].append(time.perf_counter() - began)
    return {words: statistics.median(measured) for words, measured in times.items()}


if __name__ == "__main__":
    main()
