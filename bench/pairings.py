"""Whole Swiss tournaments, paired and ranked round by round, without any match being played.

python -m bench pairings
"""

from __future__ import annotations

import random
import time
from collections import Counter

from bench.tables import machine, show, table
from tournaments import pairing, scoring
from tournaments.pairing import Player

ROUNDS = {32: 5, 128: 7, 512: 9, 2000: 11}


def event(players: int, rounds: int) -> tuple[list[float], list[float], int]:
    """Seconds for each pairing and for each standings, and how many pairs met twice."""
    chance = random.Random(players)
    paired: list[float] = []
    ranked: list[float] = []
    hall = {key: Player(key) for key in range(players)}
    results: list[scoring.TableResult] = []
    again = 0
    for number in range(rounds):
        began = time.process_time()
        tables = pairing.swiss(list(hall.values()), seed=number.to_bytes(32, "big"))
        paired.append(time.process_time() - began)
        for seated in tables:
            places = chance.choice(((1, 2), (2, 1), (1, 1)))[: len(seated.players)]
            points = scoring.points_for(places, pods=False)
            results.append(scoring.TableResult(seated.players, tuple(places), tuple(points)))
            for key, won in zip(seated.players, points, strict=True):
                old = hall[key]
                others = [other for other in seated.players if other != key]
                again += sum(other in old.met for other in others)
                met = Counter(old.met) + Counter(others)
                hall[key] = Player(key, old.points + won, met, old.byes + seated.is_bye)
        began = time.process_time()
        scoring.standings(hall, results, pods=False, seed=bytes(32))
        ranked.append(time.process_time() - began)
    return paired, ranked, again // 2


def main() -> None:
    """Print the table."""
    show("## Pairings\n")
    show(f"{machine()}, one core; seconds of processor time.\n")
    rows = []
    for players, rounds in ROUNDS.items():
        paired, ranked, again = event(players, rounds)
        rows.append((players, rounds, max(paired), sum(paired), max(ranked), again))
    head = (
        "players",
        "rounds",
        "slowest pairing",
        "all pairings",
        "slowest standings",
        "rematches",
    )
    show(table(head, rows))
