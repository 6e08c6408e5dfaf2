"""The ladder of a mode: each of its players against the one below it, in mirrored pairs.

    python -m rules.ladder GAME MODE [--pairs 100] [--jobs 2] [--seed ladder] [--players a,b]

A pair is one match played twice with the same cards and dice, the seats changed, so that neither
luck nor the better seat goes to one of them. Of more than two seats one is the higher player's, the
others are the lower one's. Intervals (95 %) are over pairs. The same arguments give the same table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import rules
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.errors import RulesError
from rules.engine.intervals import Z, wilson
from rules.search import decide, shares_of


@dataclass(frozen=True)
class Rung:
    """Two players of a mode, the higher one first."""

    game: str
    mode: str
    higher: str
    lower: str
    seed: str = "ladder"
    seats: int = 2


@dataclass(frozen=True)
class Pair:
    """One match from every seat: the higher player's shares of the win, decisions and seconds."""

    shares: tuple[float, ...]
    decisions: int
    seconds: float
    slowest: float

    @property
    def mean(self) -> float:
        """Its share of all that could be won."""
        return sum(self.shares) / len(self.shares)


def play_pair(rung: Rung, number: int) -> Pair:
    """The pair of that number: one match for each seat that the higher player can have."""
    game = rules.game(rung.game)
    players = [game.player(rung.higher), game.player(rung.lower)]
    shares: list[float] = []
    decisions, seconds, slowest = 0, 0.0, 0.0
    ready = game.ready_made(rung.mode) if game.mode(rung.mode).decks({}) else ()
    brought = rung.seats if game.mode(rung.mode).decks({}) == "own" else 1
    decks = [ready[(seat + number) % len(ready)].cards for seat in range(brought if ready else 0)]
    for high_seat in range(rung.seats):
        seed = named_seed(f"{rung.seed} {number}")
        match = game.new_match(rung.mode, seats=rung.seats, seed=seed, decks=decks)
        ply = 0
        while match.outcome is None:
            seat = min(match.prompts)
            ply += 1
            chance = Chance(mix(seed, [(seat, "bot"), (ply, "ask")]))
            player = players[seat != high_seat]
            assert player is not None
            began = time.process_time()
            move = decide(player, match, seat, chance)
            if seat == high_seat:
                spent = time.process_time() - began
                decisions, seconds, slowest = decisions + 1, seconds + spent, max(slowest, spent)
            match.play(seat, move)
        shares.append(shares_of(match)[high_seat])
    return Pair(tuple(shares), decisions, seconds, slowest)


def play_pairs(rung: Rung, pairs: int, jobs: int = 1) -> Iterator[Pair]:
    """The pairs 0, 1, 2 … in order; ``jobs`` processes share the work."""
    if jobs == 1:
        yield from map(partial(play_pair, rung), range(pairs))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play_pair, rung), range(pairs))


@dataclass(frozen=True)
class Standing:
    """How a rung came out."""

    rung: Rung
    pairs: Sequence[Pair]

    @property
    def share(self) -> float:
        """The higher player's share of the wins."""
        return sum(pair.mean for pair in self.pairs) / len(self.pairs)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, over pairs; where all came out alike, Wilson's."""
        number = len(self.pairs)
        variance = sum((pair.mean - self.share) ** 2 for pair in self.pairs) / max(1, number - 1)
        if not variance:
            return wilson(self.share * number, number)
        half = Z * (variance / number) ** 0.5
        return max(0.0, self.share - half), min(1.0, self.share + half)

    @property
    def beats(self) -> bool:
        """True if the higher player has been shown to win more than its part."""
        return self.interval[0] > 1 / self.rung.seats

    @property
    def swept(self) -> tuple[int, int]:
        """How many pairs one of the two won from every seat: the higher player, the lower one."""
        means = [pair.mean for pair in self.pairs]
        return means.count(1.0), means.count(0.0)

    def row(self) -> str:
        """A row of a Markdown table."""
        low, high = self.interval
        decisions = sum(pair.decisions for pair in self.pairs)
        mean = sum(pair.seconds for pair in self.pairs) / max(1, decisions)
        slowest = max(pair.slowest for pair in self.pairs)
        won, lost = self.swept
        rung = self.rung
        return (
            f"| {rung.game} | {rung.mode} | {rung.seats} | {rung.higher} | {rung.lower} "
            f"| {self.share:.0%} ({low:.0%} to {high:.0%}) | {len(self.pairs)} | {won} : {lost} "
            f"| {mean * 1000:.1f} | {slowest:.2f} | {rung.seed} |"
        )


HEAD = (
    "| game | mode | seats | player | against | wins (95 %) | pairs | swept | ms a decision "
    "| slowest, s | seed |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the rungs of a mode's ladder and print them as a table."""
    parser = argparse.ArgumentParser(prog="python -m rules.ladder", description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("mode")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--players", help="with commas, the weakest first; default: all")
    args = parser.parse_args(arguments)
    try:
        game = rules.game(args.game)
        game.mode(args.mode)
        names = args.players.split(",") if args.players else [*game.opponents(args.mode)]
        for name in names:
            if game.player(name) is None:
                known = ", ".join([*game.bots, *game.thinkers])
                raise rules.BadSetup(f"{game.name} has no player “{name}”. There are: {known}.")
    except RulesError as error:
        parser.error(str(error))
    print(HEAD)
    for lower, higher in pairwise(names):
        rung = Rung(args.game, args.mode, higher, lower, args.seed, args.seats)
        print(Standing(rung, [*play_pairs(rung, args.pairs, args.jobs)]).row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
