"""The cost of the collection's pages with 1,000 cards, and with 200,000 and 1,000,000 holdings.

python -m bench.collection         (SQLite, and PostgreSQL where this machine has its server)

Each database is made for the run, in a temporary folder, and filled with cards that are copies of
the real ones under other names. Requests go through the whole of Django but not through a socket.
The aim: the same number of queries at both sizes, and at most twice the time. Times are those that
the processor worked, here and in PostgreSQL.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import rules
from bench.tables import each, machine, show, table
from bench.web import let_the_client_in

A_BATCH = 5000
SECONDS = 0.6
GAMES = tuple(rules.games())[:2]
"""Games whose faces can lay out a card of any slug."""
SYLLABLES = ("ka", "lo", "ri", "mo", "tes", "van", "du", "pel", "gri", "sha", "nor", "fi", "bal")


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is: in every collection so many of so many cards."""

    cards: int
    people: int
    each: int
    cards_a_set: int
    told: int
    """So many rows has the ledger of one person."""


SMALL = Size(cards=1_000, people=200, each=500, cards_a_set=250, told=1_000)
LARGE = Size(cards=200_000, people=200, each=5_000, cards_a_set=2_000, told=500_000)


def main() -> None:
    """Print a table for each database."""
    from config.embedded import redis_server_binary
    from tests.support.services import Services, postgres_binaries

    for postgres in (False, True):
        if postgres and not (postgres_binaries() and redis_server_binary()):
            show("PostgreSQL: not measured, this machine has no server.")
            continue
        results = []
        for size in (SMALL, LARGE):
            folder = Path(tempfile.mkdtemp(prefix="riffle-bench-"))
            servers = Services(folder, postgres, redis_server_binary())
            try:
                servers.start()
                results.append(_in_a_process(servers.database_url, servers.redis_url, folder, size))
            finally:
                servers.stop()
                shutil.rmtree(folder, ignore_errors=True)
        show(f"{machine()}, {'PostgreSQL' if postgres else 'SQLite'}, one process\n")
        show(_compared(*results))
        show("")


def _in_a_process(database: str, redis: str, folder: Path, size: Size) -> dict[str, Any]:
    """Measure in a process of its own: Django knows one database a process."""
    environment = os.environ | {
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "RIFFLE_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
    }
    name = "SMALL" if size is SMALL else "LARGE"
    command = [sys.executable, "-m", "bench.collection", name]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    times = {}
    for line in done.stdout.splitlines():
        words, milliseconds, queries = line.split("\t")
        times[words] = (float(milliseconds), int(queries))
    return times


def _compared(small: dict[str, Any], large: dict[str, Any]) -> str:
    head = ("", f"ms, {SMALL.cards:,}", f"ms, {LARGE.cards:,}", "÷", "queries", "then")
    rows = [
        (words, small[words][0], large[words][0], large[words][0] / small[words][0])
        + (small[words][1], large[words][1])
        for words in small
    ]
    return table(head, rows)


def measure(size: Size) -> None:
    """Fill the database and print a line for each page: words, milliseconds, queries."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    let_the_client_in()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("sync_catalog", verbosity=0, stdout=io.StringIO())
    person = fill(size)
    client = Client()
    client.force_login(person)
    for words, address in pages(person).items():
        visit(client, address)()
        with CaptureQueriesContext(connection) as captured:
            visit(client, address)()
        queries = len(captured)  # the next request forgets them
        took = each(visit(client, address), seconds=SECONDS, clock=_processor_time)
        show(f"{words}\t{took * 1e3:.3f}\t{queries}")


def _processor_time() -> float:
    """Seconds that this process and its PostgreSQL have worked: other programs count little."""
    from django.db import connection

    spent = time.process_time()
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        of_server = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
        if not of_server.exists():
            return time.perf_counter()
        spent += int(of_server.read_text(encoding="ascii").split()[0]) / 1e9
    return spent


def visit(client: Any, address: str) -> Callable[[], None]:
    """A request that has to succeed."""

    def go() -> None:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)

    return go


def pages(person: Any) -> dict[str, str]:
    """The addresses to be measured; words are some that the generated cards say."""
    from collection.models import Card, Holding, LedgerEntry
    from collection.queries.keyset import ORDERS

    cards = Card.objects.filter(retired=False)
    far = cards.order_by("-place")[cards.count() // 10]
    deep = ORDERS["number"].mark(far.pk, far.place)
    held = Holding.objects.filter(owner=person).order_by("card__place")
    far_own = held[held.count() * 9 // 10].card
    deep_own = ORDERS["number"].mark(far_own.pk, far_own.place)
    sample = cards.filter(game__slug=GAMES[0]).order_by("-place").first()
    assert sample is not None
    a_set = sample.printings.select_related("card_set").first()
    assert a_set is not None
    entries = LedgerEntry.objects.filter(person=person).order_by("-transfer_id")
    long_ago = entries[entries.count() * 9 // 10].transfer_id
    alike = cards.filter(game__slug=GAMES[0]).exclude(colour="")
    kinds = list(alike.order_by("kind").values_list("kind", flat=True).distinct()[:2])
    colours = alike.filter(kind__in=kinds).order_by("colour").values_list("colour", flat=True)
    several = urlencode(
        [("kind", kind) for kind in kinds]
        + [("colour", colour) for colour in colours.distinct()[:2]]
    )
    few = urlencode([("kind", sample.kind), ("rarity", sample.rarity), ("rarity", "epic")])
    return {
        "wall": "/cards/",
        "wall, deep page": f"/cards/?after={deep}",
        "table": "/cards/?view=table",
        "by name": "/cards/?sort=name",
        "rarest first": "/cards/?sort=rarity",
        "a game": f"/cards/?game={GAMES[-1]}",
        "a set": f"/cards/?set={GAMES[0]}.{a_set.card_set.slug}",
        "kind, colour, rarity": "/cards/?"
        + urlencode({"kind": sample.kind, "colour": sample.colour, "rarity": sample.rarity}),
        "several kinds, colours": f"/cards/?{several}",
        "several, deep page": f"/cards/?{several}&after={deep}",
        "several, by name": f"/cards/?{several}&sort=name",
        "several that few have": f"/cards/?{few}",
        "a word in 1 of 10": f"/cards/?q={COMMON}",
        "a word in 60 cards": f"/cards/?q={RARE}",
        "two words": f"/cards/?q={RARE}+{COMMON}",
        "a mistyped word": f"/cards/?q={MISTYPED}",
        "owned": "/collection/",
        "owned, deep page": f"/collection/?after={deep_own}",
        "owned, newest first": "/collection/?sort=newest",
        "owned, a word in 1 of 10": f"/collection/?q={COMMON}",
        "missing": "/cards/?have=missing",
        "duplicates": "/cards/?have=duplicates",
        "wishlist": "/cards/?have=wishlist",
        "duplicates and wishlist": "/cards/?have=duplicates&have=wishlist",
        "wishlist and missing": "/collection/?have=wishlist&have=missing",
        "card": sample.get_absolute_url(),
        "completion": "/collection/progress/",
        "history": "/collection/history/",
        "history, deep page": f"/collection/history/?before={long_ago}",
        "API: cards, deep page": f"/api/cards/?after={deep}",
        "API: several, deep page": f"/api/cards/?{several}&after={deep}",
        "API: own holdings": "/api/collection/",
        "API: summary": "/api/collection/summary/",
    }


# What there is


def _vocabulary() -> list[str]:
    words = [a + b for a in SYLLABLES for b in SYLLABLES]
    return words + [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]


COMMON, RARE, MISTYPED = "emberly", "quillback", "quilbakc"
LISTS, A_PAGE = 5, 25
SAY_RARE = 60
"""So many cards say the rare word, at either size: a page full, and what is left over."""
WORDS = _vocabulary()


def fill(size: Size) -> Any:
    """Cards, people and holdings; gives one of the people."""
    from django.db import connection, transaction

    from collection.models import Card, CardInSet, CardSet
    from collection.services import catalog, ledger, tallies

    chance = random.Random(11)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous=OFF")
            cursor.execute("PRAGMA cache_size=-400000")
        with transaction.atomic():
            real = list(Card.objects.select_related("game"))
            models = [card for card in real if card.game.slug in GAMES]
            cards, printings = _cards(size, size.cards - len(real), models, chance)
            games = {card.game_id: card.game.sort_number for card in real}
            catalog.set_places([*real, *cards], games)
            Card.objects.bulk_update(real, ["place", "name_place", "rarity_place"])
            Card.objects.bulk_create(cards, batch_size=A_BATCH)
            CardInSet.objects.bulk_create(printings, batch_size=A_BATCH)
            CardSet.objects.filter(slug__startswith="bench-").update(card_count=size.cards_a_set)
            catalog.write_facets()
            catalog.write_words()
            people = _people(size)
            keys = list(Card.objects.values_list("pk", flat=True))
            cursor.executemany(
                "INSERT INTO collection_holding (owner_id, card_id, digital, physical, for_trade,"
                " wishlist,"
                " described, tags, notes, extra, updated_at)"
                " VALUES (%s, %s, %s, 0, %s, %s, 0, '', '', '{}', %s)",
                _holdings(size, [person.pk for person in people], keys, chance),
            )
            tallies.count_anew()
            _tell(size, people[0], keys)
            ledger.add_up_anew()
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA cache_size=-2000")
        else:
            cursor.execute("VACUUM ANALYZE")
    return people[0]


def _cards(
    size: Size, wanted: int, models: Sequence[Any], chance: random.Random
) -> tuple[list[Any], list[Any]]:
    """Copies of the real cards under made-up names, in sets of their own."""
    from collection.models import Card, CardInSet, CardSet
    from collection.models.catalog import searched_words

    sets: dict[int, list[Any]] = {}
    counts: dict[int, int] = {}
    cards, printings = [], []
    # Of all cards, the real ones among them, every tenth says the common word; of those that say
    # the rare one every tenth, too.
    every = chance.sample(range(wanted), wanted)
    rare, others = every[:SAY_RARE], every[SAY_RARE:]
    common = {*rare[::10], *others[: size.cards // 10 - SAY_RARE // 10]}
    for number in range(wanted):
        model = models[number % len(models)]
        counts[model.game_id] = counts.get(model.game_id, 0) + 1
        mine = sets.setdefault(model.game_id, [])
        if len(mine) * size.cards_a_set < counts[model.game_id]:
            name = f"bench-{len(mine) + 1}"
            mine.append(
                CardSet.objects.create(
                    game=model.game,
                    slug=name,
                    name=name.capitalize(),
                    number=100 + len(mine),
                    card_count=size.cards_a_set,
                )
            )
        words = chance.choices(WORDS, k=12)
        words += [COMMON] * (number in common) + [RARE] * (number in rare)
        title, text = " ".join(words[:2]).title() + f" {number}", " ".join(words[2:])
        slug = f"{model.slug}-{number}"
        card = Card(
            game=model.game,
            slug=slug,
            name=model.name,
            title=title,
            kind=model.kind,
            colour=model.colour,
            rarity=model.rarity,
            rarity_rank=model.rarity_rank,
            text=text,
            attributes=model.attributes,
            sort_number=1000 + number,
            content_hash=f"{number:064x}",
            words=searched_words(title, slug, text),
        )
        cards.append(card)
        place = counts[model.game_id] - (len(mine) - 1) * size.cards_a_set
        printings.append(CardInSet(card=card, card_set=mine[-1], number=place, position=0))
    return cards, printings


def _people(size: Size) -> list[Any]:
    from accounts.models import User

    return User.objects.bulk_create(
        User(username=f"bench-{n}", password="!") for n in range(size.people)
    )


def _holdings(
    size: Size, people: Sequence[int], cards: Sequence[int], chance: random.Random
) -> Iterator[tuple[object, ...]]:
    """Everybody's cards as they come in life: now one person gets one, now another."""
    from django.db import connection

    owned = [chance.sample(cards, size.each) for _ in people]
    began = datetime.now(UTC) - timedelta(seconds=size.each)
    for number in range(size.each):
        for person, chosen in zip(people, owned, strict=True):
            digital = chance.choice((1, 1, 1, 2, 3))
            for_trade = digital - 1 if chance.random() < 0.3 else 0
            wishlist = 4 if chance.random() < 0.1 else 0
            at = connection.ops.adapt_datetimefield_value(began + timedelta(seconds=number))
            yield person, chosen[number], digital, for_trade, wishlist, at


def _tell(size: Size, person: Any, cards: Sequence[int]) -> None:
    """Write what came to a person into the ledger: half of it counted by hand and out of packs.

    The other half are lists, one of them on each of the first pages.
    """
    from collection.models import Kind, LedgerRow, Reason, Transfer

    lines = [1, 1, 1, 1, 1, 10] * (size.told // 2 // 15)
    for page in range(LISTS):
        lines.insert(len(lines) - page * A_PAGE, size.told // 2 // LISTS)
    transfers = Transfer.objects.bulk_create(
        (Transfer(key=f"bench:{number}", reason=Reason.IMPORT) for number in range(len(lines))),
        batch_size=A_BATCH,
    )
    LedgerRow.objects.bulk_create(
        (
            LedgerRow(
                transfer=transfer, card_id=cards[line % len(cards)], kind=Kind.DIGITAL, count=1,
                taker=person,
            )
            for transfer, number in zip(transfers, lines, strict=True)
            for line in range(number)
        ),
        batch_size=A_BATCH,
    )  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:]:
        measure({"SMALL": SMALL, "LARGE": LARGE}[sys.argv[1]])
    else:
        main()
