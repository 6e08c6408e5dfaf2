"""The ladder of a mode: each of its players against the one below it, in mirrored pairs.

    python -m config rules.ladder [GAME [MODE]] [--pairs 100] [--until-sure] [--jobs 2]
                                  [--seed ladder] [--players a,b]

``config`` takes up the compiled engine; ``python -m rules.ladder`` is pure Python, with the same
table but for the times. Without a mode all modes of the game are played, without a game those of
all games. A player ``playouts-400`` is a thinker of so many playouts, also where the mode offers
none.

A pair is one match played twice with the same cards and dice, the seats changed, so that neither
luck nor the better seat goes to one of them. Of more than two seats one (of teams one team) is the
higher player's, the others are the lower one's. Intervals (95 %) are over pairs. The same arguments
give the same table.

``--until-sure`` ends a rung early where the higher player wins more than its part by three standard
errors; that is looked at after every 10 pairs, from the 20th on, so that stopping favours nobody.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import rules
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.errors import RulesError
from rules.engine.intervals import Z, wilson
from rules.search import decide, player_of, shares_of

FIRST_LOOK = 20
LOOK_EVERY = 10
SURE = 3.0
"""In standard errors; more than an interval asks for, since it is looked at many times."""


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
    players = [player_of(game, rung.mode, name) for name in (rung.higher, rung.lower)]
    shares: list[float] = []
    decisions, seconds, slowest = 0, 0.0, 0.0
    ready = game.ready_made(rung.mode) if game.mode(rung.mode).decks({}) else ()
    brought = rung.seats if game.mode(rung.mode).decks({}) == "own" else 1
    decks = [ready[(seat + number) % len(ready)].cards for seat in range(brought if ready else 0)]
    for high_seat in range(rung.seats):
        party = game.mode(rung.mode).party(high_seat, rung.seats)
        seed = named_seed(f"{rung.seed} {number}")
        match = game.new_match(rung.mode, seats=rung.seats, seed=seed, decks=decks)
        ply = 0
        while match.outcome is None:
            seat = min(match.prompts)
            ply += 1
            chance = Chance(mix(seed, [(seat, "bot"), (ply, "ask")]))
            player = players[seat not in party]
            began = time.process_time()
            move = decide(player, match, seat, chance)
            if seat == high_seat:
                spent = time.process_time() - began
                decisions, seconds, slowest = decisions + 1, seconds + spent, max(slowest, spent)
            match.play(seat, move)
        shares.append(shares_of(match)[high_seat])
    return Pair(tuple(shares), decisions, seconds, slowest)


def play_pairs(rung: Rung, pairs: int, jobs: int = 1) -> Generator[Pair]:
    """The pairs 0, 1, 2 … in order; ``jobs`` processes share the work."""
    if jobs == 1:
        yield from map(partial(play_pair, rung), range(pairs))
        return
    pool = ProcessPoolExecutor(jobs)
    try:
        yield from pool.map(partial(play_pair, rung), range(pairs))
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Standing:
    """How a rung came out."""

    rung: Rung
    pairs: Sequence[Pair]

    @property
    def part(self) -> float:
        """The share of equally strong players: that of one side among all."""
        mode = rules.game(self.rung.game).mode(self.rung.mode)
        return 1 / mode.parties(self.rung.seats)

    @property
    def share(self) -> float:
        """The higher player's share of the wins."""
        return sum(pair.mean for pair in self.pairs) / len(self.pairs)

    @property
    def _error(self) -> float:
        """The standard error of the share, over pairs."""
        number = len(self.pairs)
        variance = sum((pair.mean - self.share) ** 2 for pair in self.pairs) / max(1, number - 1)
        return float((variance / number) ** 0.5)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, over pairs; where all came out alike, Wilson's."""
        if not self._error:
            return wilson(self.share * len(self.pairs), len(self.pairs))
        half = Z * self._error
        return max(0.0, self.share - half), min(1.0, self.share + half)

    @property
    def is_sure(self) -> bool:
        """True at a look at which a rung may end early."""
        number = len(self.pairs)
        if number < FIRST_LOOK or number % LOOK_EVERY:
            return False
        return self.share - SURE * self._error > self.part

    @property
    def beats(self) -> bool:
        """True if the higher player has been shown to win more than its part."""
        return self.interval[0] > self.part

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


def play_rung(rung: Rung, pairs: int, jobs: int = 1, *, until_sure: bool = False) -> Standing:
    """How the rung comes out after so many pairs, or fewer as soon as it is sure."""
    played: list[Pair] = []
    with closing(play_pairs(rung, pairs, jobs)) as coming:
        for pair in coming:
            played.append(pair)
            if until_sure and Standing(rung, played).is_sure:
                break
    return Standing(rung, played)


def ladders(game: str | None, mode: str | None, seats: int) -> list[tuple[str, str]]:
    """The modes whose ladders are wanted (None: all in which so many seats are opponents).

    Raises ``RulesError`` for a game or mode that does not exist.
    """
    if game is not None and mode is not None:
        return [(game, rules.game(game).mode(mode).slug)]
    games = rules.games() if game is None else {game: rules.game(game)}
    return [
        (slug, mode.slug)
        for slug, played in games.items()
        for mode in played.modes.values()
        if mode.playable and seats in mode.seats and mode.parties(seats) > 1
    ]


def _players(game: str, mode: str, names: Sequence[str]) -> Sequence[str]:
    """The names, all of them players of the mode; without names all whom it offers."""
    played = rules.game(game)
    for name in names:
        player_of(played, mode, name)
    return names or [*played.opponents(mode)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the rungs of ladders and print them as a table."""
    parser = argparse.ArgumentParser(prog="python -m rules.ladder", description=main.__doc__)
    parser.add_argument("game", nargs="?", help="default: all games")
    parser.add_argument("mode", nargs="?", help="default: all modes for that many seats")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--until-sure", action="store_true", help="end a rung that is decided")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--players", help="with commas, the weakest first; default: all")
    args = parser.parse_args(arguments)
    players = args.players.split(",") if args.players else []
    try:
        rungs = [
            Rung(game, mode, higher, lower, args.seed, args.seats)
            for game, mode in ladders(args.game, args.mode, args.seats)
            for lower, higher in pairwise(_players(game, mode, players))
        ]
    except RulesError as error:
        parser.error(str(error))
    print(HEAD)
    for rung in rungs:
        standing = play_rung(rung, args.pairs, args.jobs, until_sure=args.until_sure)
        print(standing.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
