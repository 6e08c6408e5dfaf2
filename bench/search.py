"""The cost of thinking ahead, by mode, with the bots' two tables beside it.

python -m bench.search
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import rules
from bench.tables import each, machine, show, table
from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game
from rules.engine.match import Match
from rules.search import LEVELS, best_by_greedy, play_out, redeals, thinking

PLIES = 16
"""So many moves into a match the first decision is measured."""
DECISIONS = 5


def questions(game: Game, mode: str) -> Iterator[Match]:
    """Moments of a match of two greedy bots, at each of which a seat has several options."""
    mind = game.foresights[mode].mind
    decks = game.ready_decks(mode, 2)
    match = game.new_match(mode, seats=2, seed=named_seed("thinking"), decks=decks)
    ply = 0
    while match.outcome is None:
        seat = min(match.prompts)
        prompt = match.prompts[seat]
        if ply >= PLIES and len(prompt.options) > 2:
            yield match.clone()
        match.play(seat, best_by_greedy(mind, match, seat))
        ply += 1


def row(game: Game, mode: str) -> tuple[object, ...]:
    """Costs of one mode: of single parts in µs, playouts a second, seconds a decision by level."""
    foresight = game.foresights[mode]
    matches = [match for match, _ in zip(questions(game, mode), range(DECISIONS), strict=False)]
    match = matches[0]
    seat = min(match.prompts)
    prompt, chance = match.prompts[seat], Chance(bytes(32))
    until = foresight.moment(match.state) + foresight.ahead
    mind = foresight.mind
    parts = (
        match.clone,
        redeals(match, seat, chance),
        lambda: match.view(seat),
        lambda: mind.table(match.view(seat)),
        lambda: mind.scores(match.state, prompt),
        partial(play_out, foresight, match, seat, prompt.options[0], until),
    )
    costs = [each(part) * 1e6 for part in parts]
    decisions = []
    for level in LEVELS:
        began = time.process_time()
        for position in matches:
            seat = min(position.prompts)
            thinking(game.foresights, level)(
                redeals(position, seat, chance), position.prompts[seat], chance.clone()
            )
        decisions.append((time.process_time() - began) / len(matches))
    return (f"{game.name}, {game.modes[mode].name}", *costs, 1e6 / costs[-1], *decisions)


def main() -> None:
    """Print what a playout and a decision cost in each mode that is thought ahead."""
    show("## Thinking ahead\n")
    show(f"{machine()}, one core, two seats; processor time, decisions on average.\n")
    head = (
        "µs for one",
        "clone",
        "redeal",
        "view",
        "view and table",
        "greedy's scores",
        "playout",
        "playouts/s",
        *(f"s a decision at {level}" for level in LEVELS),
    )
    modes = [(game, mode) for game in rules.games().values() for mode in game.foresights]
    show(table(head, [row(game, mode) for game, mode in modes]))


if __name__ == "__main__":
    main()
