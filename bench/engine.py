"""How fast the rules engine is, beside a bare reference in the same run.

python -m bench.engine
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

from bench.tables import each, machine, show, table
from config.compiled_engine import engine_build
from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.testing import playable_modes

SECONDS = 1.0
"""How long each kind of playout is measured at a time."""
TRIES = 3
"""The best of so many counts: what else the machine does only makes it slower."""

LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


def reference_match(chance: Chance) -> int:
    """Random noughts and crosses in plain Python: what a move costs without an engine.

    It lists the options, picks one from the same chance, carries it out and looks for the end:
    nothing else. No prompts, no events, no views, no second copy of anything.
    """
    cells = [0] * 9
    player = 1
    for moves in range(1, 10):
        free = [cell for cell in range(9) if not cells[cell]]
        cells[free[chance.pick(len(free))]] = player
        for a, b, c in LINES:
            if cells[a] == cells[b] == cells[c] == player:
                return moves
        player = 3 - player
    return 9


def reference() -> float:
    """Moves a second of the reference."""
    chance = Chance(named_seed("reference"))
    moves, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        for _ in range(100):
            moves += reference_match(chance)
    return moves / spent


def uno(*, environment: bool) -> float:
    """Moves a second of RLCard's UNO at random: by its game alone, or by its environment.

    The environment encodes each position as numbers for a learner; the game alone does as much
    as our matches do.
    """
    import rlcard

    chance = Chance(named_seed("uno"))
    learners = rlcard.make("uno")
    game = learners.game
    moves, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        state, _player = learners.reset() if environment else game.init_game()
        while not game.is_over():
            options = list(state["legal_actions"])
            action = options[chance.pick(len(options))]
            state, _player = learners.step(action) if environment else game.step(action)
            moves += 1
    return moves / spent


def uno_with_agents() -> float:
    """Moves a second of RLCard's UNO as its manual plays it: its loop, its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    learners = rlcard.make("uno")
    learners.set_agents([RandomAgent(learners.num_actions) for _ in range(learners.num_players)])
    moves, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        trajectories, _payoffs = learners.run(is_training=False)
        moves += sum(len(steps) // 2 for steps in trajectories)
    return moves / spent


def open_spiel(name: str) -> float:
    """Moves a second of a game of OpenSpiel, written in C++ and played from Python at random."""
    import pyspiel

    chance = Chance(named_seed("spiel"))
    game = pyspiel.load_game(name)
    moves, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[chance.pick(len(actions))])
    return moves / spent


def others() -> Iterator[tuple[str, float]]:
    """Moves a second of other engines, of those that are installed."""
    if find_spec("rlcard"):
        for name, environment in (("its game alone", False), ("its environment", True)):
            yield f"RLCard’s UNO, {name}", max(uno(environment=environment) for _ in range(TRIES))
        yield "RLCard’s UNO, its random agents", max(uno_with_agents() for _ in range(TRIES))
    if find_spec("pyspiel"):
        for name in ("crazy_eights(players=2)", "gin_rummy"):
            yield f"OpenSpiel’s {name}", max(open_spiel(name) for _ in range(TRIES))


def playouts(
    game: Game, mode: Mode, seats: int, *, views: bool = False
) -> tuple[float, float, float]:
    """Moves and matches a second at random, and the mean length of a match.

    With ``views`` each seat looks at its table before it moves, as a learner would.
    """
    chance = Chance(named_seed("players"))
    matches = moves = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        match = start(game, mode, seats, matches)
        while match.outcome is None:
            prompt = next(iter(match.prompts.values()))
            options = prompt.options
            if views:
                match.view(prompt.seat)
            match.play(prompt.seat, options[chance.pick(len(options))])
            moves += 1
        matches += 1
    return moves / spent, matches / spent, moves / matches


def start(game: Game, mode: Mode, seats: int, number: int) -> Match:
    return game.new_match(
        mode.slug,
        seats=seats,
        seed=named_seed(f"bench {number}"),
        decks=game.ready_decks(mode.slug, seats),
    )


def middle(game: Game, mode: Mode, seats: int) -> Match:
    """A match in which some things lie on the table."""
    match, chance = start(game, mode, seats, 0), Chance(named_seed("middle"))
    for _ in range(60):
        seat = min(match.prompts)
        options = match.prompts[seat].options
        before = match.clone()
        match.play(seat, options[chance.pick(len(options))])
        if match.outcome is not None:
            return before
    return match


def widest(game: Game, mode: Mode, seats: int) -> Match:
    """The moment of a match whose question offers most."""
    match, chance = start(game, mode, seats, 0), Chance(named_seed("widest"))
    widest_yet, most = match.clone(), 0
    while match.outcome is None:
        prompt = match.prompts[min(match.prompts)]
        if len(prompt.options) > most:
            widest_yet, most = match.clone(), len(prompt.options)
        match.play(prompt.seat, prompt.options[chance.pick(len(prompt.options))])
    return widest_yet


def main() -> None:
    """Print the engine's tables."""
    show("## Engine\n")
    show(f"{machine()}, one core, {engine_build()} engine;")
    show(f"seconds of processor time, the best of {TRIES} tries.\n")
    base = max(reference() for _ in range(TRIES))
    rows: list[tuple[object, ...]] = [("reference: noughts and crosses", "2", base, "", "", "1")]
    for name, speed in others():
        rows.append((name, "2", speed, "", "", f"{base / speed:.1f}"))
    for game, mode in playable_modes():
        name = f"{game.name}, {mode.name}"
        for seats in sorted({mode.seats[0], mode.seats[len(mode.seats) // 2], mode.seats[-1]}):
            speed, matches, length = max(playouts(game, mode, seats) for _ in range(TRIES))
            rows.append((name, seats, speed, matches, length, f"{base / speed:.1f}"))
        seats = mode.seats[0]
        seen = max(playouts(game, mode, seats, views=True) for _ in range(TRIES))
        rows.append((f"{name}, a view a move", seats, *seen, f"{base / seen[0]:.1f}"))
    head = ("random playouts", "seats", "moves/s", "matches/s", "moves a match", "reference ÷")
    show(table(head, rows))
    show("")
    costs: list[tuple[object, ...]] = []
    for game, mode in playable_modes():
        for seats in sorted({mode.seats[0], mode.seats[-1]}):
            costs.append((f"{game.name}, {mode.name}", seats, *single(game, mode, seats)))
    head = (
        "µs for one",
        "seats",
        "new match",
        "clone",
        "view",
        "dump",
        "load",
        "redeal",
        "replay a move",
        "KB of JSON",
        "widest question",
        "its options anew",
    )
    show(table(head, costs))
    show("")
    bots: list[tuple[object, ...]] = []
    for game, mode in playable_modes():
        match = middle(game, mode, mode.seats[-1])
        seat = min(match.prompts)
        prompt, chance = match.prompts[seat], Chance(bytes(32))
        for bot in game.bots.values():
            view = match.view(seat)
            spent = each(partial(bot.choose, view, prompt, chance))
            bots.append((f"{game.name}, {mode.name}", bot.slug, spent * 1e6))
    show(table(("bots", "bot", "µs a move (its view not counted)"), bots))


def single(game: Game, mode: Mode, seats: int) -> tuple[object, ...]:
    """Microseconds for one of each of the things that pages and bots need."""
    match = middle(game, mode, seats)
    seat = min(match.prompts)
    data = match.dump()
    chance = Chance(named_seed("redeal"))

    def played() -> None:
        twin = match.clone()
        twin.play(seat, twin.prompts[seat].options[0])

    actions = (
        lambda: start(game, mode, seats, 1),
        match.clone,
        lambda: match.view(seat),
        match.dump,
        lambda: game.load(data),
        lambda: match.redeal(seat, chance),
        played,
    )
    wide = widest(game, mode, seats)
    prompt = wide.prompts[min(wide.prompts)]
    anew = each(partial(game.rulebook.options, wide.state, prompt)) * 1e6
    costs = (each(action) * 1e6 for action in actions)
    return (*costs, len(json.dumps(data)) / 1024, len(prompt.options), anew)


if __name__ == "__main__":
    main()
