"""How fast decks are judged: one by one by the rules, and ten thousand through a deck check.

python -m bench.decks          (SQLite; with DATABASE_URL and REDIS_URL set, on those)
"""

from __future__ import annotations

import time

import rules
from bench.tables import each, machine, show, table
from bench.web import site_of_its_own

SECONDS = 0.4
DECKS = 10_000


def main() -> None:
    """Print the tables."""
    show("## Decks\n")
    show(f"{machine()}, one core; one check of a ready-made deck, seconds of processor time.\n")
    bare = each(lambda: sum(range(100)), seconds=SECONDS)
    rows: list[tuple[object, ...]] = [
        ("bare: sum of a hundred numbers", "", bare * 1e6, 1 / bare, "1.0")
    ]
    for game in rules.games().values():
        for deck in list(game.starter_decks.values())[:1]:
            mode, cards = deck.modes[0], deck.cards
            size = sum(sum(counts.values()) for counts in cards.values())
            took = each(lambda g=game, m=mode, c=cards: g.check_deck(m, c), seconds=SECONDS)
            name = f"{game.name}, {game.mode(mode).name}: {deck.name}"
            rows.append((name, size, took * 1e6, 1 / took, f"{took / bare:.1f}"))
    show(table(("deck", "cards", "µs", "decks/s", "÷ bare"), rows))
    show("")
    with site_of_its_own():
        measure()


def measure() -> None:
    """A whole deck check: lists as text are read and kept, then judged by the worker's service."""
    from django.db import connection

    from accounts.models import User
    from collection import examples
    from collection.services.catalog import sync_catalog
    from decks.lists.textlist import write_list
    from decks.services import checks

    sync_catalog()
    organiser = User.objects.create_user("bench-organiser", password=None)
    game, mode = examples.GAME, examples.MODE
    text = write_list(examples.DECKS[0].cards, game.slug)
    entries = [checks.Entry(f"Player {n}", "Deck", text) for n in range(DECKS)]
    check = checks.create_check(organiser=organiser, title="Bench", game=game.slug, mode=mode.slug)
    began = time.perf_counter()
    checks.add_decks(check=check, by=organiser, entries=entries)
    added = time.perf_counter()
    checks.judge_check(check_id=check.pk)
    done = time.perf_counter()
    show(f"{machine()}, {connection.vendor}, one process; {DECKS:,} decks\n")
    show(f"{game.name}, {mode.name}\n")
    rows = [
        ("read and put on the pile", added - began, DECKS / (added - began)),
        ("judged in parts", done - added, DECKS / (done - added)),
    ]
    show(table(("step", "s", "decks/s"), rows))


if __name__ == "__main__":
    main()
