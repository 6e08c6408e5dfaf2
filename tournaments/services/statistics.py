"""The statistics of a tournament, worked out once when it is over."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import rules
from tournaments.deck_statistics import Results, by_card, by_deck
from tournaments.models import Entry, How, PairingSeat, Statistics, Tournament, name_of

PLAYED = (How.MATCH, How.CLOCK)
"""Results of play; byes, drops and rulings say nothing of a deck."""


def store(locked: Tournament) -> None:
    """Write the statistics of a tournament that ends, where its deck lists are shown."""
    if locked.deck_check_id is None or not locked.shows_decks:
        return
    Statistics.objects.update_or_create(tournament=locked, defaults={"data": statistics_of(locked)})


def statistics_of(tournament: Tournament) -> dict[str, Any]:
    """Decks in the order of their places, and cards by the number of decks with them."""
    rows = Entry.objects.filter(tournament=tournament, deck__isnull=False, rank__isnull=False)
    entries = list(rows.select_related("user", "deck").order_by("rank"))
    decks = {entry.number: _copies(entry) for entry in entries}
    tables = _tables(tournament)
    results = by_deck(tables)
    catalog = rules.game(tournament.game).catalog
    cards: list[dict[str, Any]] = []
    for slug, row in by_card(decks, tables).items():
        card = catalog.get(slug)
        cards.append(
            {"card": slug, "name": card.title if card else slug, "decks": row.decks,
             "copies": row.copies} | _numbers(row.results)
        )  # fmt: skip
    cards.sort(key=lambda row: (-row["decks"], -row["copies"], row["name"]))
    without = Entry.objects.filter(
        tournament=tournament, rank__isnull=False, deck__isnull=True
    ).count()
    return {
        "decks": [
            {"entry": entry.number, "player": name_of(entry), "rank": entry.rank,
             "deck": entry.deck.name if entry.deck else "",
             "cards": entry.deck.cards if entry.deck else {}}
            | _numbers(results.get(entry.number, Results()))
            for entry in entries
        ],
        "cards": cards,
        "counted": len(entries),
        "without_deck": without,
        "tables": len(tables),
    }  # fmt: skip


def _copies(entry: Entry) -> dict[str, int]:
    counts: Counter[str] = Counter()
    if entry.deck is not None:
        for section in entry.deck.cards.values():
            counts.update(section)
    return dict(counts)


def _tables(tournament: Tournament) -> list[dict[int, int]]:
    seats = PairingSeat.objects.filter(
        round__tournament=tournament, pairing__how__in=PLAYED, place__isnull=False
    )
    tables: dict[int, dict[int, int]] = defaultdict(dict)
    for pairing, number, place in seats.values_list("pairing", "entry__number", "place"):
        tables[pairing][number] = place or 0
    return list(tables.values())


def _numbers(results: Results) -> dict[str, Any]:
    share = results.share()
    p, low, high = share if share is not None else (None, None, None)
    return {
        "won": results.won, "drawn": results.drawn, "lost": results.lost,
        "share": p, "low": low, "high": high,
    }  # fmt: skip
