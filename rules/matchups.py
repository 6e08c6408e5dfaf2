"""The ready-made decks of a mode against each other, in mirrored pairs.

    python -m rules.matchups [GAME [MODE]] [--player greedy] [--pairs 40] [--jobs 2]
                             [--seed matchups]

Each two decks play so many pairs (``rules.deck_lab``): a pair is one match played twice with the
same cards and dice, the seats changed. All seats are played by one bot or thinker. A row says what
a deck wins, with its interval (95 %, over pairs), and what it wins against each of the others. The
same arguments give the same table. Without a mode all modes are played in which they meet.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

import rules
from rules.deck_lab import Trial, options_with_own_decks, play_pair
from rules.engine.errors import BadSetup, RulesError
from rules.engine.intervals import mean_and_margin
from rules.search import player_of

Shares = Mapping[tuple[str, str], Sequence[float]]
"""By two decks: the first one's share of each of their pairs."""


def trials(game: str, mode: str, player: str, seed: str) -> dict[tuple[str, str], Trial]:
    """Each two of the ready-made decks against each other; raises ``BadSetup``."""
    played = rules.game(game)
    player_of(played, mode, player)  # who cannot play is named before the first match
    options = options_with_own_decks(game, mode)
    ready = () if options is None else played.ready_made(mode, options)
    if options is None or len(ready) < 2:
        raise BadSetup(f"No ready-made decks meet in {played.name}, {played.mode(mode).name}.")
    return {
        (deck.slug, other.slug): Trial(
            game,
            mode,
            (deck.cards,),
            (other.cards,),
            player,
            options,
            seed=f"{seed} {deck.slug} {other.slug}",
        )
        for deck, other in combinations(ready, 2)
    }


def modes(game: str | None, mode: str | None) -> list[tuple[str, str]]:
    """The named mode, or (None) all in which at least two ready-made decks meet."""
    if game is not None and mode is not None:
        return [(game, mode)]
    games = rules.games() if game is None else {game: rules.game(game)}
    return [
        (slug, name)
        for slug, played in games.items()
        for name in played.modes
        if (options := options_with_own_decks(slug, name)) is not None
        and len(played.ready_made(name, options)) > 1
    ]


def share_of(trial: Trial, number: int) -> float:
    """The first deck's share of the pair of that number."""
    matches = play_pair(trial, 0, number)["matches"]
    return float(sum(match["share"] for match in matches) / len(matches))


def play(plan: Mapping[tuple[str, str], Trial], pairs: int, jobs: int = 1) -> Shares:
    """So many pairs of each trial; ``jobs`` processes share the work."""
    trials = [trial for trial in plan.values() for _ in range(pairs)]
    numbers = [*range(pairs)] * len(plan)
    if jobs == 1:
        shares = [*map(share_of, trials, numbers)]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            shares = [*pool.map(share_of, trials, numbers)]
    return {decks: shares[n * pairs : (n + 1) * pairs] for n, decks in enumerate(plan)}


def shares_against(deck: str, other: str, shares: Shares) -> list[float]:
    """The deck's share of each pair against the other."""
    if (deck, other) in shares:
        return [*shares[deck, other]]
    return [1 - share for share in shares[other, deck]]


def table(shares: Shares) -> str:
    """A Markdown table, a deck a row."""
    decks = list(dict.fromkeys(deck for both in shares for deck in both))
    lines = [
        f"| deck | wins (95 %) | pairs | {' | '.join(decks)} |",
        f"| --- | --- | --- |{' --- |' * len(decks)}",
    ]
    for deck in decks:
        against = {other: shares_against(deck, other, shares) for other in decks if other != deck}
        played = [share for row in against.values() for share in row]
        mean, margin = mean_and_margin(played)
        cells = [
            f"{sum(against[other]) / len(against[other]):.0%}" if other in against else "–"
            for other in decks
        ]
        lines.append(
            f"| {deck} | {mean:.0%} ({mean - margin:.0%} to {mean + margin:.0%}) "
            f"| {len(played)} | {' | '.join(cells)} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the ready-made decks against each other and print the table."""
    parser = argparse.ArgumentParser(prog="python -m rules.matchups", description=main.__doc__)
    parser.add_argument("game", nargs="?", help="default: all games")
    parser.add_argument("mode", nargs="?", help="default: all modes")
    parser.add_argument("--player", default="greedy", help="a bot or thinker, for all seats")
    parser.add_argument("--pairs", type=int, default=40, help="of each two decks")
    parser.add_argument("--seed", default="matchups")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(arguments)
    try:
        plans = {
            names: trials(*names, args.player, args.seed) for names in modes(args.game, args.mode)
        }
    except RulesError as error:
        parser.error(str(error))
    for (game, mode), plan in plans.items():
        print(f"{rules.game(game).name}, {mode}, played by {args.player}, seed {args.seed}\n")
        print(table(play(plan, args.pairs, args.jobs)), flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
