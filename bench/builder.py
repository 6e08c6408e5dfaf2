"""The cost of a step in the deck builder: a card put in, judged, and the deck's side drawn anew.

python -m bench.builder        (SQLite; with DATABASE_URL and REDIS_URL set, on those)

For a deck of about 60 cards of every mode, by a ready-made deck and what fixes it. Requests go
through the whole of Django but not through a socket. The aim: a step under 100 ms. The processor's
time is what it costs, the other what it took on this machine with whatever else ran there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from bench.tables import each, machine, show, table
from bench.web import site_of_its_own

SECONDS = 1.0
SIZE = 60


def main() -> None:
    """Print the table."""
    with site_of_its_own():
        measure()


def measure() -> None:
    """A row for each mode that decks are built for."""
    from django.db import connection
    from django.test import Client

    import rules
    from accounts.models import User

    owner = User.objects.create_user("builder", password=None)
    client = Client()
    client.force_login(owner)
    rows: list[tuple[object, ...]] = []
    for game in rules.games().values():
        for mode in game.modes.values():
            if not mode.takes_decks:
                continue
            deck = _deck(owner, game.slug, mode.slug)
            cards = sum(entry.count for entry in deck.entries.all())
            took = [
                each(what(client, deck), seconds=SECONDS, clock=clock) * 1e3
                for what in (_page, _step)
                for clock in (time.process_time, time.perf_counter)
            ]
            rows.append((f"{game.name}, {mode.name}", cards, *took))
    show(f"{machine()}, {connection.vendor}, one process\n")
    heads = ("", "cards", "page: processor ms", "page: ms", "step: processor ms", "step: ms")
    show(table(heads, rows))


def _deck(owner: Any, game: str, mode: str) -> Any:
    """A ready-made deck with so many different cards added that there are about 60."""
    import rules
    from decks.queries import generated
    from decks.services.decks import create_deck

    rules_game = rules.game(game)
    rules_mode = rules_game.mode(mode)
    ready = rules_game.starters_for(rules_mode)[0]
    cards = {section: dict(counts) for section, counts in ready.cards.items()}
    homes = rules_game.sections_of_kinds(rules_mode)
    for card in rules_game.catalog.values():
        if generated.size_of(cards) >= SIZE:
            break
        if rules_mode.takes(card):
            cards.setdefault(homes[card.kind], {}).setdefault(card.slug, 1)
    return create_deck(owner=owner, game=game, mode=mode, name="Bench", cards=cards)


def _page(client: Any, deck: Any) -> Callable[[], object]:
    def go() -> None:
        answer = client.get(f"/decks/{deck.slug}/build/")
        assert answer.status_code == 200, answer.status_code

    return go


def _step(client: Any, deck: Any) -> Callable[[], object]:
    """One copy more of the deck's first card, and out again."""
    entry = deck.entries.select_related("card").first()
    signs: Iterator[str] = cycle("+-")

    def go() -> None:
        words = f"{entry.section} {entry.card.slug} {next(signs)}1"
        answer = client.post(
            f"/decks/{deck.slug}/build/", {"change": words}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200, answer.status_code

    return go


if __name__ == "__main__":
    main()
