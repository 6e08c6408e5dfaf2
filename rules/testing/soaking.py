"""Many random matches of a mode, each with all checks."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rules.engine.chance import named_seed
from rules.engine.game import Game, Mode
from rules.testing.playouts import check_moment, check_playout, random_setup


@dataclass
class Soaked:
    """The results of many checked matches."""

    matches: int = 0
    moves: int = 0
    longest: int = 0
    views: int = 0
    moved: int = 0
    seconds: float = 0.0
    reasons: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        ends = ", ".join(f"{reason} {n}" for reason, n in sorted(self.reasons.items()))
        return (
            f"{self.matches:,} matches, {self.moves:,} moves, the longest {self.longest:,}; "
            f"ended by {ends}; {self.views:,} views dealt anew, which moved {self.moved:,} cards; "
            f"{self.seconds:.0f} s"
        )


def soak(game: Game, mode: Mode, matches: int, name: str) -> Soaked:
    """Many random matches with all checks: the costly ones now and then in each and at its end,
    the secrecy of every seat at one point of each.
    """
    report = Soaked()
    began = time.perf_counter()
    for number in range(matches):
        setup = random_setup(game, mode, named_seed(f"{name} {number}"))
        played = check_playout(setup, every=SOAK_EVERY)
        outcome = played.match.outcome
        assert outcome is not None
        views, moved = check_moment(setup, played.plies)
        report.views += views
        report.moved += moved
        report.matches += 1
        report.moves += len(played.plies)
        report.longest = max(report.longest, len(played.plies))
        report.reasons[outcome.reason] = report.reasons.get(outcome.reason, 0) + 1
    report.seconds = time.perf_counter() - began
    return report


SOAK_EVERY = 100
