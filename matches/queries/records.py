"""The record of a game: what its public finished matches say, all of them together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache

from core import replica
from matches.models import Match, Seat, SeatTally, Status
from rules.engine.game import Game

CACHE_SECONDS = 10 * 60
"""Seconds after which a record is made anew: it looks into many decks."""
STALE_SECONDS = 24 * 60 * 60
MAX_ROWS = 10
MAX_MATCHES_READ = 500
"""The last matches of each mode whose decks are counted."""


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
    """The record of a game, at most some minutes old.

    One process makes it anew; whoever asks meanwhile gets the last one.
    """
    key = f"game-record:{game.slug}"
    kept = cache.get(key)
    if kept is None or (
        kept["until"] < time.time() and cache.add(f"{key}:making", 1, CACHE_SECONDS)
    ):
        record = replica.read(lambda: _game_record(game))
        cache.set(
            key, {"until": time.time() + CACHE_SECONDS, "record": asdict(record)}, STALE_SECONDS
        )
        cache.delete(f"{key}:making")
        return record
    stored = kept["record"]
    return GameRecord(
        modes=[
            ModePlayed(**mode | {"seats": [SeatRecord(**seat) for seat in mode["seats"]]})
            for mode in stored["modes"]
        ],
        decks=[(name, count) for name, count in stored["decks"]],
        cards=[(name, count) for name, count in stored["cards"]],
    )


def _game_record(game: Game) -> GameRecord:
    decks = _last_decks(game)
    return GameRecord(_modes(game), _names(decks), _cards(game, decks))


def _modes(game: Game) -> list[ModePlayed]:
    """How often each mode was played, from its tallies: the most played first."""
    by_mode: dict[str, list[SeatTally]] = {}
    for row in SeatTally.objects.filter(game=game.slug).order_by("mode", "seat"):
        by_mode.setdefault(row.mode, []).append(row)
    modes = []
    for mode, rows in by_mode.items():
        first = rows[0]  # every match has a first seat
        modes.append(
            ModePlayed(
                mode=mode,
                name=game.modes[mode].name if mode in game.modes else mode,
                played=first.played,
                moves=round(first.plies / first.played),
                minutes=round(first.seconds / 60 / first.played),
                seats=[SeatRecord(row.seat, row.played, row.won) for row in rows],
            )
        )
    return sorted(modes, key=lambda mode: (-mode.played, mode.mode))


def _last_decks(game: Game) -> list[tuple[str, Any]]:
    """The names and cards of the decks of the last public matches of each mode."""
    finished = Match.objects.filter(
        game=game.slug, status=Status.FINISHED, private=False, lesson=""
    ).order_by("-finished_at", "-pk")
    matches = [
        key
        for mode in game.modes
        for key in finished.filter(mode=mode).values_list("pk", flat=True)[:MAX_MATCHES_READ]
    ]
    seats = Seat.objects.filter(match__in=matches).exclude(deck_name="", deck=None)
    return list(seats.values_list("deck_name", "deck"))


def _names(decks: Sequence[tuple[str, Any]]) -> list[tuple[str, int]]:
    return _most(Counter(name for name, _ in decks if name))


def _cards(game: Game, decks: Sequence[tuple[str, Any]]) -> list[tuple[str, int]]:
    """In how many of these decks a card was, by its title."""
    counts: Counter[str] = Counter()
    for _, deck in decks:
        sections = deck.values() if isinstance(deck, dict) else ()
        counts.update({slug for cards in sections if isinstance(cards, dict) for slug in cards})
    return _most(
        Counter(
            {
                game.catalog[slug].title: count
                for slug, count in counts.items()
                if slug in game.catalog
            }
        )
    )


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:MAX_ROWS]
