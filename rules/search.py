"""Thinking ahead: play the options out on re-dealt tables, and take what wins most.

A thinker never gets the true match. ``worlds()`` deals anew what its seat cannot see; in each such
world all options are tried with the same cards and the same future dice, so that their differences
are not luck. A playout goes on as the mode's greedy bot plays, or one like it in a hurry, until so
many turns have ended, and is then judged by the *leaf*: the chances to win that a few numbers of
each seat make likely. Their weights come from ``rules.fit``. All is counted in playouts, never in
seconds: a thinker is as strong on any machine, and its moves can be reproduced.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from importlib.resources import files
from math import ceil, exp, inf, log2
from operator import mul
from typing import Final

from rules.engine.bots import Bot, Foresight, Mind, Think, Thinker, Worlds, first_best, pick_best
from rules.engine.chance import Chance, mix
from rules.engine.errors import BadSetup
from rules.engine.game import Game
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt

WIDEST: Final = 10
"""So many options are tried at most: those that the greedy bot likes best."""

LEVELS: Final = (100, 400, 1600)
"""Playouts a decision of the thinkers 1, 2 and 3, where a game does not say otherwise."""

LONG: Final = 400
"""From so many playouts on a difference must be surer."""

PLAYOUTS: Final = "playouts-"
"""Begins the names of thinkers that no mode offers; the number follows."""


def redeals(match: Match, seat: int, chance: Chance) -> Worlds:
    """A source of worlds: each call gives the match with all that ``seat`` cannot see dealt anew.

    The same chance gives the same worlds, whatever lies hidden in the match.
    """
    number = 0

    def deal() -> Match:
        nonlocal number
        number += 1
        return match.redeal(seat, Chance(mix(chance.seed, [(number, "world")])))

    return deal


def open_redeals(match: Match, seat: int, chance: Chance) -> Worlds:
    """A source of worlds in which all hands lie open to ``seat``: for a match that is over.

    Cards that any seat sees or knows stay where they are; what nobody knows is dealt anew.
    """
    opened = match.clone()
    s = opened.state
    for zone, owner, cards in s.zones():
        if not s.sees(seat, zone, owner):
            is_open = any(s.sees(other, zone, owner) for other in range(s.seats))
            for card in cards:
                if is_open or s.known.get(card):
                    s.show(card, seat)
    return redeals(opened, seat, chance)


def player_of(game: Game, mode: str, name: str) -> Bot | Thinker:
    """The bot or thinker of that name, or a thinker of so many playouts (``playouts-400``).

    Raises ``BadSetup`` for a name of nobody, and for a thinker where nobody thinks ahead.
    """
    player = game.player(name)
    playouts = name.removeprefix(PLAYOUTS)
    if player is None and playouts != name and playouts.isdecimal() and game.foresights:
        think = thinking(game.foresights, int(playouts))
        player = Thinker(name, name, "", think, (name,), {})
    if player is None:
        known = ", ".join([*game.bots, *game.thinkers])
        raise BadSetup(f"{game.name} has no player “{name}”. There are: {known}.")
    if isinstance(player, Thinker) and mode not in {*game.foresights, *player.modes}:
        raise BadSetup(f"Nobody thinks ahead in {game.mode(mode).name}.")
    return player


def decide(player: Bot | Thinker, match: Match, seat: int, chance: Chance) -> Move:
    """The player's answer to the seat's prompt."""
    prompt = match.prompts[seat]
    if isinstance(player, Thinker):
        return player.think(redeals(match, seat, chance), prompt, chance)
    return player.choose(match.view(seat), prompt, chance)


def weights_of(foresight: Foresight) -> Sequence[float]:
    """The weight of each feature, from the game's ``worth.toml``."""
    return _weights(foresight.package, foresight.mode, foresight.names)


@lru_cache(maxsize=32)
def _weights(package: str, mode: str, names: tuple[str, ...]) -> Sequence[float]:
    table = tomllib.loads(files(package).joinpath("worth.toml").read_text("utf-8"))[mode]
    return tuple(float(table[name]) for name in names)


def chances_of(foresight: Foresight, match: Match) -> list[float]:
    """By seat: the share of the win, or at a running match how likely it looks."""
    s, seats = match.state, range(match.seats)
    if match.outcome is not None:
        return shares_of(match)
    weights = weights_of(foresight)
    chances = softmax(
        [
            None if s.is_out(seat) else sum(map(mul, weights, foresight.features(s, seat)))
            for seat in seats
        ]
    )
    if not match.mode.teams:
        return chances
    return [sum(chances[n] for n in match.mode.party(seat, match.seats)) for seat in seats]


def shares_of(match: Match) -> list[float]:
    """By seat: what it has of the win when the match is over; half each in a drawn match of two."""
    assert match.outcome is not None
    return match.mode.shares(match.outcome.winners, match.seats)


def softmax(values: Sequence[float | None]) -> list[float]:
    """Chances to win from what speaks for each seat; None: the seat is out."""
    highest = max(value for value in values if value is not None)
    powers = [0.0 if value is None else exp(value - highest) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def best_by_greedy(mind: Mind, match: Match, seat: int) -> Move:
    """The greedy bot's move in a world; of equal options the first."""
    prompt = match.prompts[seat]
    return first_best(prompt.options, mind.scores(match.state, prompt))


def play_out(foresight: Foresight, world: Match, seat: int, move: Move, until: int) -> float:
    """The seat's chance to win in a copy of the world after the move."""
    twin = world.clone()
    twin.play(seat, move)
    moment = foresight.moment
    player = foresight.player() if foresight.player else partial(best_by_greedy, foresight.mind)
    while twin.outcome is None and moment(twin.state) < until:
        mover = min(twin.prompts)
        twin.play(mover, player(twin, mover))
    return chances_of(foresight, twin)[seat]


def think(
    foreseen: Mapping[str, Foresight],
    playouts: int,
    worlds: Worlds,
    prompt: Prompt,
    chance: Chance,
    /,
) -> Move:
    """The option that wins most in ``playouts`` playouts; the greedy bot's, where none is clearly
    better.

    The weaker half of the options is dropped again and again, so that most playouts go to the best
    ones. The greedy bot's own choice is never dropped.
    """
    world: Match = worlds()
    foresight = foreseen[world.mode.slug]
    values = foresight.mind.scores(world.state, prompt)
    greedy = pick_best(prompt.options, values, chance)
    ranked = sorted(zip(values, prompt.options, strict=True), key=lambda row: -row[0])
    others = [move for value, move in ranked if move != greedy and value > -inf][: WIDEST - 1]
    if not others or prompt.kind in foresight.greedily:
        return greedy
    until = foresight.moment(world.state) + foresight.ahead
    tried: dict[Move, list[float]] = {move: [] for move in (greedy, *others)}
    candidates = [greedy, *others]
    rounds = ceil(log2(len(candidates)))
    for _ in range(rounds):
        for _ in range(max(1, playouts // (rounds * len(candidates)))):
            for move in candidates:
                tried[move].append(play_out(foresight, world, prompt.seat, move, until))
            world = worlds()
        candidates.sort(key=lambda move: -sum(tried[move]))
        candidates = candidates[: ceil(len(candidates) / 2)]
        if greedy not in candidates:
            candidates.append(greedy)
    best = candidates[0]
    sureness = 2.0 if playouts >= LONG else 1.0
    if clearly_better(tried[best], tried[greedy], foresight.margin, sureness):
        return best
    return greedy


def clearly_better(
    values: Sequence[float], others: Sequence[float], margin: float, sureness: float
) -> bool:
    """True if the mean of the paired differences exceeds both the margin and so many of its
    standard errors."""
    differences = [value - other for value, other in zip(values, others, strict=True)]
    number = len(differences)
    mean = sum(differences) / number
    variance = sum((difference - mean) ** 2 for difference in differences) / max(1, number - 1)
    return mean > margin and mean > sureness * (variance / number) ** 0.5


def thinking(foresights: Mapping[str, Foresight], playouts: int) -> Think:
    """The mind of a thinker of that many playouts, for modes that are thought ahead like this."""
    return partial(think, foresights, playouts)
