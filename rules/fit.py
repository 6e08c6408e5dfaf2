"""Fit what a leaf of the search is worth: which numbers of a seat go with winning.

    python -m rules.fit GAME MODE [--matches 400]

The greedy bot plays, with every tenth move at random; whenever a turn ends, the features of all
seats are noted beside who wins in the end. The weights that make the winners likeliest (softmax
over the seats still in) are written to the game's ``worth.toml``. All features speak for a seat, so
none may get a weight below 0.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

import rules
from rules.engine.bots import Foresight
from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game
from rules.engine.legality import Decklist
from rules.search import best_by_greedy, shares_of, softmax

ERRATIC: Final = 10
"""One in so many moves is played at random."""
EPOCHS: Final = 12
RATE: Final = 0.15
SPARED: Final = 5
"""Every so many matches are not learnt from: they show how good the weights are."""


class Sample(NamedTuple):
    """By seat: the features (None: out) at the end of a turn, and the share of the win."""

    features: tuple[Sequence[float] | None, ...]
    shares: tuple[float, ...]


def samples(game: Game, foresight: Foresight, number: int, seats: int) -> list[Sample]:
    """The samples of the match of that number, the same in every run."""
    chance = Chance(named_seed(f"fit {game.slug} {foresight.mode} {number}"))
    match = game.new_match(
        foresight.mode,
        seats=seats,
        seed=named_seed(f"fit {number}"),
        decks=_decks(game, foresight.mode, seats, number),
    )
    noted: list[tuple[Sequence[float] | None, ...]] = []
    moment = foresight.moment(match.state)
    while match.outcome is None:
        seat = min(match.prompts)
        options = match.prompts[seat].options
        at_random = chance.pick(ERRATIC) == 0
        match.play(
            seat,
            options[chance.pick(len(options))]
            if at_random
            else best_by_greedy(foresight.mind, match, seat),
        )
        if match.outcome is None and foresight.moment(match.state) > moment:
            moment, s = foresight.moment(match.state), match.state
            noted.append(
                tuple(
                    None if s.is_out(seat) else foresight.features(s, seat) for seat in range(seats)
                )
            )
    shares = shares_of(match)
    shares = [share / sum(shares) for share in shares]  # what a team has won is shared by its seats
    return [Sample(features, tuple(shares)) for features in noted]


def _decks(game: Game, mode: str, seats: int, number: int) -> list[Decklist]:
    """Ready-made decks that go round the seats from match to match."""
    whose = game.mode(mode).decks({})
    ready = game.ready_made(mode) if whose else ()
    brought = seats if whose == "own" else 1
    return [ready[(seat + number) % len(ready)].cards for seat in range(brought)] if ready else []


def fit(rows: Sequence[Sample], size: int) -> list[float]:
    """The weights that make the winners of the samples likeliest, by stochastic gradient ascent."""
    weights = [0.0] * size
    steps = [1e-6] * size  # each feature has a rate of its own (AdaGrad)
    chance = Chance(named_seed("order"))
    order = list(range(len(rows)))
    for _ in range(EPOCHS):
        chance.shuffle(order)
        for index in order:
            sample = rows[index]
            errors = _errors(sample, weights)
            for column in range(size):
                slope = sum(
                    error * features[column]
                    for error, features in zip(errors, sample.features, strict=True)
                    if features is not None
                )
                if slope:
                    steps[column] += slope * slope
                    weights[column] += RATE * slope / steps[column] ** 0.5
                    weights[column] = max(0.0, weights[column])
    return weights


def _errors(sample: Sample, weights: Sequence[float]) -> list[float]:
    """By seat: what it won less what the weights expect."""
    expected = expectation(sample, weights)
    return [share - chance for share, chance in zip(sample.shares, expected, strict=True)]


def expectation(sample: Sample, weights: Sequence[float]) -> list[float]:
    """By seat: the chance to win that the weights give it."""
    return softmax(
        [
            None if features is None else sum(map(mul, weights, features))
            for features in sample.features
        ]
    )


def hits(rows: Iterable[Sample], weights: Sequence[float]) -> float:
    """The share of the samples in which the seat that looks best wins."""
    shares = []
    for sample in rows:
        expected = expectation(sample, weights)
        shares.append(sample.shares[expected.index(max(expected))])
    return sum(shares) / max(1, len(shares))


def write(path: Path, mode: str, names: Sequence[str], weights: Sequence[float]) -> None:
    """Put the mode's weights into the file; those of other modes stay."""
    known = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    known[mode] = {name: round(weight, 3) for name, weight in zip(names, weights, strict=True)}
    lines = ["# Written by python -m rules.fit; see rules/fit.py."]
    for slug, table in known.items():
        lines += ["", f"[{slug}]", *(f"{name} = {weight}" for name, weight in table.items())]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, fit, write ``worth.toml``, and print how often the weights name the winner."""
    parser = argparse.ArgumentParser(prog="python -m rules.fit", description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("mode")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seats", type=int, default=2)
    args = parser.parse_args(arguments)
    game = rules.game(args.game)
    foresight = game.foresights.get(args.mode)
    if foresight is None:
        parser.error(f"{game.name} does not say how {args.mode} is thought ahead.")
    learnt: list[Sample] = []
    spared: list[Sample] = []
    for number in range(args.matches):
        rows = samples(game, foresight, number, args.seats)
        (spared if number % SPARED == 0 else learnt).extend(rows)
    weights = fit(learnt, len(foresight.names))
    path = Path(str(files(game.package).joinpath("worth.toml")))
    write(path, args.mode, foresight.names, weights)
    for name, weight in zip(foresight.names, weights, strict=True):
        print(f"{name:<24} {weight:7.3f}")
    print(f"{len(learnt):,} samples; names the winner of {hits(spared, weights):.1%} of the spared")
    return 0


if __name__ == "__main__":
    sys.exit(main())
