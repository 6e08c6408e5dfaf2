"""A bot that lays what looks best on the board as it lies (specification, section 9).

It looks at nothing on a table that its seat cannot see; ``seen.py`` makes one from a view. It
looks one placement ahead (``sight.py``, ``tokens.py``) and counts what the enemy may complete after
it (``worth.py``, ``completion.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from games.battl_khaos.bot import tokens
from games.battl_khaos.bot.seen import table_of
from games.battl_khaos.bot.sight import Sight
from games.battl_khaos.effects import lies_at
from games.battl_khaos.grid import pointed_at
from games.battl_khaos.rules.placement import picked
from games.battl_khaos.rules.placing import legal_cells, rotations
from games.battl_khaos.state import FIELD, NONE, Khaos
from rules.engine.bots import RANDOM, Mind
from rules.engine.game import Bot
from rules.engine.moves import Move, Prompt, chosen

Plan = Callable[[Move], float]

SPENT: Final = 0.15
"""How much of what a tile could do elsewhere is lost by placing it."""


def scores(s: Khaos, prompt: Prompt) -> list[float]:
    """How good each option looks; it is tried on a copy of the table."""
    plan = PLANS[prompt.kind](Sight(s.copy(), prompt.seat), prompt)
    return [plan(move) for move in prompt.options]


REFINED: Final = 6
"""How many placements are looked at with tokens."""


def _place_tile(sight: Sight, prompt: Prompt) -> Plan:
    """The tile with the best placement; one that could do more elsewhere is rather kept."""
    placements = sight.placements()
    best = {card: gain for gain, _, _, card in reversed(placements)}
    for gain, cell, turns, card in placements[:REFINED]:
        if sight.s.cards.kind[card] == FIELD:
            best[card] = max(best[card], gain + best_token(sight, card, cell, turns))

    def plan(move: Move) -> float:
        if move.card is None:
            return 0.0
        return best.get(move.card, 0.0) * (1 - SPENT)

    return plan


def best_token(sight: Sight, card: int, cell: int, turns: int) -> float:
    """The gain of the best token on a tile."""
    s = sight.s
    bare = sight.laid(card, cell, turns)
    best = 0.0
    with sight.with_tile(card, cell, turns):
        for token in s.ready[sight.seat]:
            best = max(best, tokens.foreseen(sight, token, cell, bare) - tokens.price(sight, token))
    return best


def _place_cell(sight: Sight, prompt: Prompt) -> Plan:
    card = picked(sight.s, sight.seat, prompt.context[0])
    return lambda move: _with_tokens(sight, card, pointed_at(move.target))


def _with_tokens(sight: Sight, card: int, cell: int) -> float:
    looks = rotations(sight.s, card)
    values = [(sight.laid(card, cell, turns), turns) for turns in looks]
    best, turns = max(values)
    return best + (best_token(sight, card, cell, turns) if len(looks) > 1 else 0.0)


def _place_rotation(sight: Sight, prompt: Prompt) -> Plan:
    card, cell = picked(sight.s, sight.seat, prompt.context[0]), prompt.context[1]

    def plan(move: Move) -> float:
        turns = chosen(move)
        return sight.laid(card, cell, turns) + best_token(sight, card, cell, turns)

    return plan


def _play_token(sight: Sight, prompt: Prompt) -> Plan:
    cell = prompt.context[0]

    def plan(move: Move) -> float:
        if move.card is None:
            return 0.0
        return tokens.played(sight, move.card, cell) - tokens.price(sight, move.card)

    return plan


def _reserve_cell(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: tokens.reserved(sight, prompt.context[0], pointed_at(move.target))


def _catapult_target(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.removed(lies_at(sight.s, chosen(move)))


def _circle_target(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.swapped(lies_at(sight.s, chosen(move)))


def _circle_tile(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.best_in(chosen(move), prompt.context[0])


def _crystal_token(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: tokens.stripped(sight, tokens.cell_of(sight, chosen(move)))


def _grave_token(sight: Sight, prompt: Prompt) -> Plan:
    def plan(move: Move) -> float:
        cell = tokens.cell_of(sight, chosen(move))
        return tokens.price(sight, chosen(move)) + (
            tokens.stripped(sight, cell) if cell != NONE else 0.0
        )

    return plan


def _draw_tile(sight: Sight, prompt: Prompt) -> Plan:
    """The tile of the row that gains most; the stack where those gain less than usual."""
    s = sight.s
    cells = legal_cells(s, sight.seat)
    row = {card: sight.best(card, cells) for card in s.row if card != NONE}
    usual = sum(row.values()) / max(len(row), 1) * UNSEEN
    return lambda move: usual if move.card is None else row[move.card]


UNSEEN: Final = 1.05
"""A tile that the enemy does not know is worth a little more."""

PLANS: Final[Mapping[str, Callable[[Sight, Prompt], Plan]]] = {
    "place-tile": _place_tile,
    "place-cell": _place_cell,
    "place-rotation": _place_rotation,
    "play-token": _play_token,
    "reserve-cell": _reserve_cell,
    "catapult-target": _catapult_target,
    "circle-target": _circle_target,
    "circle-tile": _circle_tile,
    "crystal-token": _crystal_token,
    "grave-token": _grave_token,
    "draw-tile": _draw_tile,
}

MIND: Final = Mind(table_of, scores)

GREEDY: Final = Bot(
    "greedy",
    "Warlord",
    "Places each tile where it counts most and saves tokens for towers.",
    MIND.choose,
    names=("Grukka", "Sir Aldric", "Vess", "Old Morgash", "Dame Isolde", "Thrak"),
    minds=dict.fromkeys(("classic", "warband", "army"), MIND),
)

BOTS: Final[Mapping[str, Bot]] = {"random": RANDOM, "greedy": GREEDY}
