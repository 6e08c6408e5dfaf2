"""How long lists of cards take to be read, matched, written down, applied and taken away.

python -m bench.imports            (SQLite; with DATABASE_URL and REDIS_URL set, on those)

Each list is brought by a person of its own on a database of its own. The reference is the csv
module alone, reading the same file and doing nothing with it.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.tables import machine, show, table
from bench.web import database, valkey

SIZES = (1_000, 10_000, 100_000)
WORDS = ("ember", "tide", "moss", "gale", "thorn", "shell", "storm", "ash")


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["RIFFLE_VAR"] = name
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["LOG_LEVEL"] = "ERROR"
        with valkey(Path(name)), database():
            measure()


def measure() -> None:
    from django.db import connection

    rows: list[tuple[object, ...]] = []
    for lines in SIZES:
        for words, make in (("every card known", known), ("one card known", unknown)):
            data = ("game,name,quantity,seller\n" + "".join(make(lines))).encode()
            rows.append((f"{lines:,} lines, {words}", *steps(data, lines)))
    show(f"{machine()}, {connection.vendor}, one process, seconds\n")
    head = ("", "csv alone", "read", "read and match", "whole preview", "apply", "export")
    show(table(head, rows))
    show("\n“Whole preview” is what a worker does: it includes “read and match”.")


def known(lines: int) -> Iterator[str]:
    """Lines with titles of real cards, one copy each."""
    from collection.models import Card

    cards = list(Card.objects.values_list("game__slug", "title"))
    for number in range(lines):
        game, title = cards[number % len(cards)]
        yield f'{game},"{title}",1,somebody\n'


def unknown(lines: int) -> Iterator[str]:
    """Lines with names that no card has, and hardly one twice; a list without any is given up."""
    yield from known(1)
    for number in range(1, lines):
        words = [WORDS[number >> shift & 7] for shift in (0, 3, 6)]
        yield f",{' '.join(words)} {number},1,somebody\n"


def steps(data: bytes, lines: int) -> list[object]:
    """Seconds for each step; an import with a single known card is not applied."""
    from accounts.models import User
    from collection.lists.matching import Catalog
    from collection.lists.reading import read
    from collection.lists.writing import write
    from collection.queries import exports
    from collection.queries import imports as queries
    from collection.services import imports

    owner = User.objects.create_user(f"bench-{User.objects.count()}", password=None)
    imports._wake = lambda job_id: None

    def match() -> None:
        catalog = Catalog(queries.known_cards())
        for row in read(data).rows:
            catalog.match(row)

    took: list[object] = [
        timed(lambda: sum(1 for _ in csv.reader(io.StringIO(data.decode())))),
        timed(lambda: sum(1 for _ in read(data).rows)),
        timed(match),
    ]
    job = imports.start_import(owner=owner, data=data, filename="bench.csv")
    took.append(timed(lambda: imports.read_import(job_id=job.pk)))
    job.refresh_from_db()
    assert job.lines.count() == lines
    if job.summary["cards"]["new"] < 2:
        imports.cancel_import(owner=owner, slug=job.slug)
        return [*took, "", ""]
    took.append(timed(lambda: imports.apply_import(owner=owner, slug=job.slug)))
    took.append(timed(lambda: sum(len(text) for text in write("riffle", exports.cards(owner)))))
    return took


def timed(action: Callable[[], Any]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
