"""How many packs can be opened in a second: drawn by the engine alone, and through the service.

python -m bench.packs          (SQLite; with DATABASE_URL and REDIS_URL set, on those)
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import rules
from bench.tables import each, machine, show, table
from bench.web import site_of_its_own
from rules.engine.chance import Chance
from rules.engine.packs import Contents, contents_of, open_pack

SECONDS = 0.4
PACKS = 60
"""How many packs of a product the service opens to measure one."""


def products() -> Iterator[tuple[str, Contents]]:
    """The products with chance in them."""
    for game in rules.games().values():
        for product in game.products.values():
            if product.random and not product.nested:
                yield f"{game.name}, {product.name}", contents_of(game.slug, product)


def drawn(contents: Contents) -> tuple[float, float]:
    """Seconds for a pack, and for as many bare picks as it has cards."""
    numbers = count()
    pack = each(
        lambda: open_pack(contents, Chance(next(numbers).to_bytes(32, "big"))), seconds=SECONDS
    )

    def picks() -> None:
        chance = Chance(next(numbers).to_bytes(32, "big"))
        for _ in range(contents.size):
            chance.pick(100)

    return pack, each(picks, seconds=SECONDS)


def main() -> None:
    """Print the tables."""
    show("## Packs\n")
    show(f"{machine()}, one core; drawn by the engine, seconds of processor time.\n")
    rows: list[tuple[object, ...]] = []
    for name, contents in products():
        pack, picks = drawn(contents)
        rows.append((name, contents.size, pack * 1e6, 1 / pack, f"{pack / picks:.1f}"))
    show(table(("product", "cards", "µs", "packs/s", "÷ bare picks"), rows))
    show("")
    with site_of_its_own():
        measure()


def measure() -> None:
    """Do what the service needs: lock, draw, ledger, holdings, all in one durable transaction."""
    from django.db import connection, transaction

    from accounts.models import User
    from collection.models import Transfer

    person = User.objects.create_user("bench", password=None)
    numbers = count()

    def bare_write() -> None:
        with transaction.atomic():
            Transfer.objects.create(key=f"bench:{next(numbers)}", reason="pack", by=person)

    write = each(bare_write, seconds=SECONDS, clock=time.perf_counter)
    rows: list[tuple[object, ...]] = [
        ("bare write: one transaction, one row", "", write * 1e3, 1 / write, "1.0")
    ]
    for name, contents in products():
        took = statistics.median(opened(person, contents))
        rows.append((name, contents.size, took * 1e3, 1 / took, f"{took / write:.1f}"))
    show(f"{machine()}, {connection.vendor}, one process; opened by the service\n")
    show(table(("product", "cards", "ms", "packs/s", "÷ bare write"), rows))


def opened(person: Any, contents: Contents) -> Iterator[float]:
    """The time that each of some packs took."""
    from collection.services import packs

    granted = packs.grant(
        by=None,
        game=contents.game,
        product=contents.product,
        people=[person],
        key=contents.product,
        count=PACKS,
    )
    for pack, _ in granted:
        began = time.perf_counter()
        packs.open_pack(slug=pack.slug, user=person)
        yield time.perf_counter() - began


if __name__ == "__main__":
    main()
