"""The lab: bots play many matches, and tables say who wins, how long it takes and how it ends.

    python -m rules.engine.lab <game> <mode> --bots greedy,random --matches 500

The same arguments give the same tables, on one process or many. Bots change seats from match to
match, so that no seat's luck goes to one bot. Where every seat brings a deck, the ready-made decks
go round, too, so that each bot plays each.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import rules
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.errors import RulesError
from rules.engine.events import Event
from rules.engine.intervals import wilson
from rules.engine.legality import Decklist
from rules.engine.match import Match


@dataclass(frozen=True)
class Plan:
    """A plan of matches: bots take the seats in this order and move on by one each match.

    Where decks are needed and none are given, ready-made ones are dealt round the seats.
    """

    game: str
    mode: str
    bots: tuple[str, ...]
    seed: str = "lab"
    options: Mapping[str, Any] = field(default_factory=dict)
    decks: tuple[Decklist, ...] = ()


@dataclass(frozen=True)
class Result:
    """One match. ``bots``, ``order`` (0: moved first), ``shares`` (of the win), ``decks`` by seat.

    ``decks`` names ready-made decks; ``score`` is what a game for one player came to.
    """

    number: int
    bots: tuple[str, ...]
    order: tuple[int, ...]
    shares: tuple[float, ...]
    reason: str
    moves: int
    turns: int
    played: tuple[frozenset[str], ...]
    decks: tuple[str, ...] = ()
    score: int | None = None


def play(plan: Plan, number: int) -> Result:
    """The match of that number, the same in every run."""
    game = rules.game(plan.game)
    seats = len(plan.bots)
    seed = named_seed(f"{plan.seed} {number}")
    ready = _ready_decks(plan, number)
    match = game.new_match(
        plan.mode,
        seats=seats,
        seed=seed,
        options=plan.options,
        decks=plan.decks or [game.starter_decks[slug].cards for slug in ready],
    )
    names = tuple(plan.bots[(seat + number) % seats] for seat in range(seats))
    choose = [game.bots[name].choose for name in names]
    chances = [Chance(mix(seed, [(seat, "bot")])) for seat in range(seats)]
    played: list[set[str]] = [set() for _ in range(seats)]
    first: list[int] = []
    moves, turns = 0, _turns(match, match.opening)
    while match.outcome is None:
        seat = min(match.prompts)
        if seat not in first:
            first.append(seat)
        move = choose[seat](match.view(seat), match.prompts[seat], chances[seat])
        events = match.play(seat, move)
        moves += 1
        for by, slug in cards_played(match, events):
            played[by].add(slug)
        turns += _turns(match, events)
    first.extend(seat for seat in range(seats) if seat not in first)
    return Result(
        number=number,
        bots=names,
        order=tuple(first.index(seat) for seat in range(seats)),
        shares=tuple(match.mode.shares(match.outcome.winners, seats)),
        reason=match.outcome.reason,
        moves=moves,
        turns=turns,
        played=tuple(frozenset(cards) for cards in played),
        decks=ready,
        score=dict(match.outcome.details).get("score"),
    )


def _ready_decks(plan: Plan, number: int) -> tuple[str, ...]:
    """The ready-made decks that the seats bring; they move on when every bot has had its seat."""
    game, seats = rules.game(plan.game), len(plan.bots)
    if plan.decks or game.mode(plan.mode).decks(plan.options) != "own":
        return ()
    ready = game.ready_made(plan.mode, plan.options)
    return tuple(ready[(seat + number // seats) % len(ready)].slug for seat in range(seats))


def cards_played(match: Match, events: list[Event]) -> Iterator[tuple[int, str]]:
    """Who played which card (slug), by the events whose kind counts as playing."""
    kinds = match.game.events
    for event in events:
        kind = kinds[event[0]]
        if kind.plays:
            values = kind.values(event)
            yield values["seat"], match.card(values["card"])["slug"]


def _turns(match: Match, events: Sequence[Event]) -> int:
    return sum(1 for event in events if match.game.events[event[0]].turn)


def run(plan: Plan, matches: int, jobs: int = 1) -> Iterator[Result]:
    """The matches 0, 1, 2 … in order; ``jobs`` processes share the work."""
    if jobs == 1:
        yield from map(partial(play, plan), range(matches))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play, plan), range(matches), chunksize=4)


def result_to_json(result: Result) -> dict[str, Any]:
    """A result as plain data, to come back from another machine."""
    return asdict(result) | {"played": [sorted(cards) for cards in result.played]}


def result_from_json(data: Mapping[str, Any]) -> Result:
    """The opposite of :func:`result_to_json`."""
    return Result(
        number=data["number"],
        bots=tuple(data["bots"]),
        order=tuple(data["order"]),
        shares=tuple(data["shares"]),
        reason=data["reason"],
        moves=data["moves"],
        turns=data["turns"],
        played=tuple(frozenset(cards) for cards in data["played"]),
        decks=tuple(data["decks"]),
        score=data["score"],
    )


# -- what they came to -----------------------------------------------------------------------------


@dataclass
class Tally:
    """How often something won: shares of wins (a shared win counts in part) and matches."""

    wins: float = 0.0
    matches: int = 0

    def add(self, share: float) -> None:
        self.wins += share
        self.matches += 1

    @property
    def rate(self) -> float:
        return self.wins / self.matches if self.matches else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wins, self.matches)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:6.1%}  ({low:.1%} to {high:.1%})  of {self.matches:,}"


@dataclass
class Summary:
    """Everything the tables show."""

    bots: dict[str, Tally] = field(default_factory=dict)
    seats: dict[int, Tally] = field(default_factory=dict)
    order: dict[int, Tally] = field(default_factory=dict)
    cards: dict[str, Tally] = field(default_factory=dict)
    decks: dict[str, Tally] = field(default_factory=dict)
    scores: list[int] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    turns: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)

    @property
    def matches(self) -> int:
        return len(self.moves)

    def add(self, result: Result) -> None:
        """Count one match. A card counts for each seat that played it, once a match."""
        for seat, share in enumerate(result.shares):
            self.bots.setdefault(result.bots[seat], Tally()).add(share)
            self.seats.setdefault(seat, Tally()).add(share)
            self.order.setdefault(result.order[seat], Tally()).add(share)
            for slug in result.played[seat]:
                self.cards.setdefault(slug, Tally()).add(share)
            if result.decks:
                self.decks.setdefault(result.decks[seat], Tally()).add(share)
        if result.score is not None:
            self.scores.append(result.score)
        self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1
        self.turns.append(result.turns)
        self.moves.append(result.moves)


def summarise(results: Iterable[Result]) -> Summary:
    """All results in one summary."""
    summary = Summary()
    for result in results:
        summary.add(result)
    return summary


def quantiles(values: Sequence[int]) -> str:
    """The tenth, the half and the ninetieth of a hundred, and the extremes."""
    ordered = sorted(values)
    last = len(ordered) - 1
    low, middle, high = (ordered[round(last * share)] for share in (0.1, 0.5, 0.9))
    return f"{middle} ({low} to {high}; least {ordered[0]}, most {ordered[-1]})"


def tables(summary: Summary, cards: int = 10) -> Iterator[str]:
    """The tables, line by line; ``cards`` best and worst cards (0: none)."""
    yield "Wins by bot (95 % intervals)"
    for name, tally in sorted(summary.bots.items()):
        yield f"  {name:<12} {tally}"
    yield "Wins by seat"
    for seat, tally in sorted(summary.seats.items()):
        yield f"  seat {seat + 1:<7} {tally}"
    yield "Wins by starting order"
    for order, tally in sorted(summary.order.items()):
        yield f"  {order + 1}. to move    {tally}"
    if summary.decks:
        yield "Wins by deck"
        for slug, tally in sorted(summary.decks.items()):
            yield f"  {slug:<24} {tally}"
    yield "Ended by"
    for reason, count in sorted(summary.reasons.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {reason:<16} {count / summary.matches:6.1%}  ({count:,})"
    yield f"Turns: {quantiles(summary.turns)}"
    yield f"Moves: {quantiles(summary.moves)}"
    if summary.scores:
        mean = sum(summary.scores) / len(summary.scores)
        yield f"Score: {quantiles(summary.scores)}, on average {mean:.1f}"
    ranked = sorted(summary.cards.items(), key=lambda item: (-item[1].rate, item[0]))
    if cards and ranked:
        yield "Won by those who played it: the best and the worst cards"
        worst = ranked[max(cards, len(ranked) - cards) :]
        for slug, tally in [*ranked[:cards], *worst]:
            yield f"  {slug:<28} {tally}"


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain data, for other programs."""

    def tallies(rows: Mapping[Any, Tally]) -> dict[str, Any]:
        return {
            str(key): {"wins": tally.wins, "matches": tally.matches, "interval": tally.interval}
            for key, tally in sorted(rows.items())
        }

    return {
        "matches": summary.matches,
        "bots": tallies(summary.bots),
        "seats": tallies(summary.seats),
        "order": tallies(summary.order),
        "cards": tallies(summary.cards),
        "decks": tallies(summary.decks),
        "scores": sorted(summary.scores),
        "reasons": dict(sorted(summary.reasons.items())),
        "turns": sorted(summary.turns),
        "moves": sorted(summary.moves),
    }


# -- from the command line -------------------------------------------------------------------------


class Bar:
    """A line that grows on a terminal; nothing where the output goes to a file."""

    WIDTH = 40

    def __init__(self, total: int) -> None:
        self.total = total
        self.shown = sys.stderr.isatty()
        self.drawn = -1

    def over(self, results: Iterable[Result]) -> Iterator[Result]:
        """Pass the results on; the line grows with each."""
        for number, result in enumerate(results, start=1):
            yield result
            self.at(number)
        self.end()

    def at(self, number: int) -> None:
        full = self.WIDTH * number // max(1, self.total)
        if self.shown and full != self.drawn:
            self.drawn = full
            line = "#" * full + "." * (self.WIDTH - full)
            sys.stderr.write(f"\r[{line}] {number}/{self.total}")
            sys.stderr.flush()

    def end(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * (self.WIDTH + 24) + "\r")


Source = Callable[[Plan, int, int], Iterator[Result]]
"""Where results come from: plan, how many matches, how many processes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command line."""
    parser.add_argument("game", nargs="?", default=next(iter(rules.games())))
    parser.add_argument("mode", nargs="?", help="default: the game's first")
    parser.add_argument("--bots", help="one a seat, with commas; default: all, the best first")
    parser.add_argument("--matches", "--games", type=int, default=500)
    parser.add_argument("--seats", type=int, help="repeat the bots until so many seats are taken")
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--seed", default="lab", help="any word")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--cards", type=int, default=10, help="best and worst cards to list")
    parser.add_argument("--json", action="store_true", help="print data instead of tables")


def report(args: argparse.Namespace, source: Source = run) -> None:
    """Play what the arguments say and print it. Raises ``RulesError`` for what cannot be played."""
    plan = _plan(args)
    play(plan, 0)
    if args.matches < 1 or args.jobs < 1:
        raise rules.BadSetup("At least one match and one process.")
    began = time.perf_counter()
    summary = summarise(Bar(args.matches).over(source(plan, args.matches, args.jobs)))
    if args.json:
        print(json.dumps(as_json(summary), indent=2))
        return
    seconds = time.perf_counter() - began
    options = f", {json.dumps(plan.options)}" if plan.options else ""
    print(f"{plan.game} {plan.mode}, {', '.join(plan.bots)}{options}, seed “{plan.seed}”")
    print(f"{args.matches:,} matches in {seconds:.1f} s")
    for line in tables(summary, args.cards):
        print(line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Let bots play many matches and print who wins."""
    parser = argparse.ArgumentParser(prog="python -m rules.engine.lab", description=main.__doc__)
    add_arguments(parser)
    try:
        report(parser.parse_args(arguments))
    except RulesError as error:
        parser.error(str(error))
    return 0


def _plan(args: argparse.Namespace) -> Plan:
    game = rules.game(args.game)
    mode = game.mode(args.mode or next(iter(game.modes)))
    named = args.bots.split(",") if args.bots else [*game.bots][::-1]
    bots = tuple(name.strip() for name in named)
    for name in bots:
        if name not in game.bots:
            known = ", ".join(game.bots)
            raise rules.BadSetup(f"{game.name} has no bot “{name}”. There are: {known}.")
    seats = args.seats or len(bots)
    if not (args.seats or args.bots):  # as many as the bots, or the next number that can play
        seats = next((n for n in mode.seats if n >= seats), mode.seats[-1])
    bots = tuple(bots[seat % len(bots)] for seat in range(seats))
    return Plan(game.slug, mode.slug, bots, args.seed, args.options)


if __name__ == "__main__":
    sys.exit(main())
