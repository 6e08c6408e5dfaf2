"""Kaolan thought ahead: what speaks for a seat at the end of a turn, and who thinks how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kaolan.bot import MIND
from games.kaolan.rules.contest import MODES
from games.kaolan.state import (
    ABILITY,
    CHARACTER,
    NONE,
    OPPORTUNITY,
    POWER,
    WAYS,
    Kaolan,
)
from games.kaolan.view import challenge_odds
from rules.engine.bots import Foresight, Thinker
from rules.search import LEVELS, thinking

PACKAGE: Final = "games.kaolan"

ROLLS: Final = 36

NAMES: Final = (
    "ways",
    "chance",
    "chance_now",
    "safety",
    "kill",
    "kill_now",
    "shield",
    "guard",
    "second_guard",
    "step_up_ways",
    "guard_ways",
    "positions",
    "room",
    "ability",
    "next_gain",
    "powers",
    "characters",
    "supports",
    "level",
)


def features(s: Kaolan, seat: int) -> Sequence[float]:
    """By ``NAMES``: what speaks for a seat. All lie about between 0 and 1."""
    cards, kind, board = s.cards, s.cards.kind, s.board[seat]
    hand = s.hands[seat]
    leader, guards = s.leader(seat), s.guard_characters(seat)
    mode, moves = MODES[s.mode], s.turn == seat
    counts = [0] * 5
    for card in hand:
        counts[kind[card]] += 1
    room = gain = powers = 0
    if leader != NONE:
        room = s.limit(leader) - len(s.powers[leader])
        mask = mode.numbers(s, seat)
        for card in hand:
            if kind[card] == POWER and s.can_hold(leader, card):
                powers += 1
                gain = max(gain, WAYS[mask | cards.numbers[card]] - WAYS[mask])
    chance = danger = kill = 0.0
    if leader != NONE:
        allowed = mode.may_challenge(s, seat)
        for other in s.still_in():
            if other == seat or s.leader(other) == NONE:
                continue
            if other in allowed:
                total = challenge_odds(s, seat, other)["total"]
                chance = max(chance, total)
                if not s.guard_characters(other) or not mode.has_guards:
                    kill = max(kill, total)
            danger = max(danger, challenge_odds(s, other, seat)["total"])
    ways = [WAYS[s.numbers(guard)] for guard in guards] or [0]
    return (
        WAYS[mode.numbers(s, seat)] / ROLLS,
        chance,
        chance * moves,
        1 - danger,
        kill,
        kill * moves,
        1 - danger * (not guards),
        float(len(guards) > 0),
        float(len(guards) > 1),
        max(ways) / ROLLS,
        sum(ways) / ROLLS,
        sum([1.0 for card in board if card != NONE]) / 3,
        room / 4,
        float(leader != NONE and s.ability[leader] != NONE),
        gain / ROLLS,
        powers / 4,
        counts[CHARACTER] / 4,
        (counts[ABILITY] + counts[OPPORTUNITY]) / 4,
        sum([cards.level[card] for card in s.characters(seat)]) / 10,
    )


def turns(s: Kaolan) -> int:
    return s.turns


FORESIGHTS: Final = {
    mode: Foresight(PACKAGE, mode, MIND, turns, 6, NAMES, features)
    for mode in ("match", "tournament", "power")
}

THINKERS: Final = {
    "thinker-1": Thinker(
        "thinker-1",
        "Seer",
        "Plays the next turns out a hundred times in its head before it moves.",
        thinking(FORESIGHTS, LEVELS[0]),
        ("Sage", "Augur", "Vesper", "Oriel", "Sibyl", "Omen", "Lumen", "Rune"),
        {"match": 55, "tournament": 57},
    ),
}
