"""Advice on a decision: which option to take, and how often each of them wins on re-dealt tables.

The site's one way to the thinkers, for hints and for looking back. Like a thinker it never gets the
true match: ``worlds()`` deals anew what the seat cannot see. Where a mode has a thinker, that one
chooses, elsewhere the quick bot. Playouts end in the thinker's leaf where it tells chances to win;
else the quick bot plays every table out to the end. All options are tried in the same worlds, so
that their differences are not luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from rules.engine.bots import Bot, Thinker, Worlds
from rules.engine.chance import Chance
from rules.engine.game import Game
from rules.engine.intervals import mean_and_margin
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt
from rules.search import best_by_greedy, decide, play_out, shares_of

VERSION: Final = 2
"""Counts the ways in which advice was worked out; stored advice names its own."""

MAX_OPTIONS: Final = 4
"""So many options are tried: the advised one, those asked for, then the quick bot's favourites."""

FEWEST_WORLDS: Final = 4
"""In so many worlds each option is tried, however long it takes."""

MAX_MOVES: Final = 5_000
"""After so many moves a playout counts as shared by all."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An option: the chance to win after it, and how far it lies behind the advised one.

    Both with half the width of their 95 % interval; ``behind`` is over paired worlds.
    """

    move: Move
    chance: float
    margin: float
    behind: float
    behind_margin: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The advised option, who advises it (the slug of a thinker or bot), and what was tried.

    ``tried`` begins with the advised option.
    """

    by: str
    worlds: int
    tried: tuple[Tried, ...]

    @property
    def best(self) -> Tried:
        return self.tried[0]

    def of(self, move: Move) -> Tried | None:
        """The numbers on an option; None where it was not tried."""
        return next((row for row in self.tried if row.move == move), None)


def adviser_of(game: Game, mode: str) -> Bot | Thinker:
    """Who advises in a mode: its first thinker, else the quick bot that plays best."""
    thinkers = [it for it in game.thinkers.values() if mode in it.modes]
    return thinkers[0] if thinkers else [*game.bots.values()][-1]


def finisher_of(game: Game, mode: str) -> Bot | None:
    """Who plays tables to the end for the chances of a mode; None where its leaf tells them."""
    if isinstance(adviser_of(game, mode), Thinker) and game.foresights[mode].tells_chances:
        return None
    return [*game.bots.values()][-1]


def advise(
    worlds: Worlds,
    prompt: Prompt,
    chance: Chance,
    *,
    playouts: int,
    also: Sequence[Move] = (),
    limit: int = MAX_OPTIONS,
    enough: Callable[[], bool] = lambda: False,
) -> Advice:
    """Advice on a prompt by about so many playouts; the same arguments give the same advice.

    ``also`` are options to try in any case; others are added up to ``limit``.
    Once ``enough()`` is true no further world is dealt.
    """
    world: Match = worlds()
    game, seat = world.game, prompt.seat
    adviser = adviser_of(game, world.mode.slug)  # type: ignore[arg-type]
    quick = [*game.bots.values()][-1]
    if isinstance(adviser, Thinker):
        chosen = adviser.think(worlds, prompt, chance.clone())
    else:
        chosen = _quick_move(adviser, world, seat, chance.clone())
    value = _value(world, seat, chance)
    options = _worth_trying(quick, world, prompt, [chosen, *also], limit)
    wanted = max(FEWEST_WORLDS, playouts // len(options))
    values = _values(worlds, world, options, value, wanted, enough)
    return Advice(adviser.slug, len(values[0]), _tried(options, values))


def advise_with_open_cards(
    worlds: Worlds,
    prompt: Prompt,
    chance: Chance,
    *,
    playouts: int,
    also: Sequence[Move],
    enough: Callable[[], bool] = lambda: False,
) -> Advice:
    """The best of a few options in worlds that show more than the seat knew (``open_redeals``).

    Nobody thinks here: the options are those of ``also`` and the quick bot's favourites. Half the
    playouts choose the best; it and ``also`` are tried again in other worlds, so that its lead is
    not the luck for which it was chosen.
    """
    world: Match = worlds()
    game, seat = world.game, prompt.seat
    adviser = adviser_of(game, world.mode.slug)  # type: ignore[arg-type]
    quick = [*game.bots.values()][-1]
    value = _value(world, seat, chance)
    options = _worth_trying(quick, world, prompt, also, MAX_OPTIONS)
    wanted = max(FEWEST_WORLDS, playouts // 2 // len(options))
    values = _values(worlds, world, options, value, wanted, enough)
    best = max(zip(values, options, strict=True), key=lambda row: sum(row[0]))[1]
    finalists = tuple(dict.fromkeys([best, *also]))
    values = _values(worlds, worlds(), finalists, value, wanted, enough)
    return Advice(adviser.slug, len(values[0]), _tried(finalists, values))


def _values(
    worlds: Worlds,
    world: Match,
    options: Sequence[Move],
    value: Callable[[Match, Move], float],
    wanted: int,
    enough: Callable[[], bool],
) -> list[list[float]]:
    """By option: what it came to in each of so many worlds, the first of them ``world``."""
    values: list[list[float]] = [[] for _ in options]
    while len(values[0]) < wanted and not (len(values[0]) >= FEWEST_WORLDS and enough()):
        for move, row in zip(options, values, strict=True):
            row.append(value(world, move))
        world = worlds()
    return values


def _tried(options: Sequence[Move], values: Sequence[Sequence[float]]) -> tuple[Tried, ...]:
    return tuple(
        Tried(move, *mean_and_margin(row), *_behind(values[0], row))
        for move, row in zip(options, values, strict=True)
    )


def _behind(best: Sequence[float], row: Sequence[float]) -> tuple[float, float]:
    if row is best:
        return 0.0, 0.0
    return mean_and_margin([value - own for value, own in zip(best, row, strict=True)])


def _worth_trying(
    quick: Bot, world: Match, prompt: Prompt, first: Sequence[Move], limit: int
) -> tuple[Move, ...]:
    """``first`` in any case, then what the quick bot likes best, as far as it ranks options."""
    options = list(dict.fromkeys(first))
    mind = quick.minds.get(world.mode.slug)
    if mind is not None:
        values = mind.scores(world.state, prompt)
        ranked = sorted(zip(values, prompt.options, strict=True), key=lambda row: -row[0])
        others = [move for value, move in ranked if move not in options and value > -inf]
    else:
        others = [move for move in prompt.options if move not in options]
    return (*options, *others[: max(0, limit - len(options))])


def _value(world: Match, seat: int, chance: Chance) -> Callable[[Match, Move], float]:
    """Values an option in a world: by its chance to win, or by who won at the end."""
    finisher = finisher_of(world.game, world.mode.slug)  # type: ignore[arg-type]
    if finisher is None:
        return _by_leaf(world, seat)
    return _to_the_end(finisher, seat, chance.clone())


def _by_leaf(world: Match, seat: int) -> Callable[[Match, Move], float]:
    foresight = world.game.foresights[world.mode.slug]
    until = foresight.moment(world.state) + foresight.ahead
    return lambda dealt, move: play_out(foresight, dealt, seat, move, until)


def _to_the_end(quick: Bot, seat: int, chance: Chance) -> Callable[[Match, Move], float]:
    def value(dealt: Match, move: Move) -> float:
        twin, lot = dealt.clone(), chance.clone()
        twin.play(seat, move)
        for _ in range(MAX_MOVES):
            if twin.outcome is not None:
                return shares_of(twin)[seat]
            mover = min(twin.prompts)
            twin.play(mover, _quick_move(quick, twin, mover, lot))
        return 1 / twin.mode.parties(twin.seats)

    return value


def _quick_move(quick: Bot, match: Match, seat: int, chance: Chance) -> Move:
    """The quick bot's choice, from the table itself where its mind can read one."""
    mind = quick.minds.get(match.mode.slug)
    return decide(quick, match, seat, chance) if mind is None else best_by_greedy(mind, match, seat)
