"""The record of a game: what its public finished matches say, all of them together."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Avg, Count, Exists, F, OuterRef, Q

from matches.models import Match, Result, Seat, Status
from rules.engine.game import Game

CACHE_SECONDS = 10 * 60
"""So many seconds a record is kept: it reads all matches of a game."""
MAX_ROWS = 10
MAX_DECKS_READ = 1000
"""So many of the last decks are looked into for their cards."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """How often the first, second … seat won."""

    seat: int
    played: int
    won: int

    @property
    def share(self) -> int:
        """In per cent."""
        return round(100 * self.won / self.played) if self.played else 0


@dataclass(frozen=True, slots=True)
class ModePlayed:
    """How often a mode was played, and how long it takes."""

    mode: str
    name: str
    played: int
    moves: int
    minutes: int
    seats: list[SeatRecord]

    @property
    def time(self) -> timedelta:
        """From the first move to the last, on average."""
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The statistics of a game's matches."""

    modes: list[ModePlayed]
    decks: list[tuple[str, int]]
    cards: list[tuple[str, int]]


def game_record(game: Game) -> GameRecord:
    """The record of a game, at most some minutes old."""
    key = f"game-record:{game.slug}"
    kept = cache.get(key)
    if kept is None:
        kept = asdict(_game_record(game))
        cache.set(key, kept, CACHE_SECONDS)
    return GameRecord(
        modes=[
            ModePlayed(**mode | {"seats": [SeatRecord(**seat) for seat in mode["seats"]]})
            for mode in kept["modes"]
        ],
        decks=[(name, count) for name, count in kept["decks"]],
        cards=[(name, count) for name, count in kept["cards"]],
    )


def _game_record(game: Game) -> GameRecord:
    matches = Match.objects.filter(game=game.slug, status=Status.FINISHED, private=False, lesson="")
    seats = Seat.objects.filter(match__in=matches)
    return GameRecord(_modes(game, matches, seats), _decks(seats), _cards(game, seats))


def _modes(game: Game, matches: Any, seats: Any) -> list[ModePlayed]:
    others = Seat.objects.filter(match=OuterRef("match")).exclude(pk=OuterRef("pk"))
    won = seats.annotate(in_company=Exists(others)).values("match__mode", "number")
    by_seat: dict[str, list[SeatRecord]] = {}
    rows = won.annotate(
        played=Count("pk"), wins=Count("pk", filter=Q(result=Result.WON, in_company=True))
    )
    for row in rows.order_by("match__mode", "number"):
        record = SeatRecord(row["number"], row["played"], row["wins"])
        by_seat.setdefault(row["match__mode"], []).append(record)
    played = (
        matches.order_by()
        .values("mode")
        .annotate(
            played=Count("pk"), moves=Avg("ply"), time=Avg(F("finished_at") - F("started_at"))
        )
    )
    return [
        ModePlayed(
            mode=row["mode"],
            name=game.modes[row["mode"]].name if row["mode"] in game.modes else row["mode"],
            played=row["played"],
            moves=round(row["moves"] or 0),
            minutes=round((row["time"] or timedelta()) / timedelta(minutes=1)),
            seats=by_seat.get(row["mode"], []),
        )
        for row in played.order_by("-played", "mode")
    ]


def _decks(seats: Any) -> list[tuple[str, int]]:
    named = seats.exclude(deck_name="").values("deck_name").annotate(played=Count("pk"))
    rows = named.order_by("-played", "deck_name")[:MAX_ROWS]
    return [(row["deck_name"], row["played"]) for row in rows]


def _cards(game: Game, seats: Any) -> list[tuple[str, int]]:
    """In how many of the last decks a card was, by its title."""
    decks = seats.filter(deck__isnull=False).order_by("-match__finished_at", "-pk")
    counts: Counter[str] = Counter()
    for deck in decks.values_list("deck", flat=True)[:MAX_DECKS_READ]:
        sections = deck.values() if isinstance(deck, dict) else ()
        counts.update({slug for cards in sections if isinstance(cards, dict) for slug in cards})
    known = [
        (game.catalog[slug].title, count) for slug, count in counts.items() if slug in game.catalog
    ]
    return sorted(known, key=lambda row: (-row[1], row[0]))[:MAX_ROWS]
