"""A first hand to begin with, and why: the greedy bot's, for whoever likes to be shown one.

It is made from the view of one seat, in which its own deck lies open; nothing else can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from games.battle_krabz.bot import boost_gain, hand_value, line_score
from games.battle_krabz.state import HAND, catalog
from rules.engine.cards import CardType

LINE: Final = 3
"""So many Warriors are deployed at most."""

SUBJECTS: Final = {
    1: "This Warrior scores",
    2: "These two Warriors score",
    3: "These three Warriors score",
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The numbers of the cards that are still to be picked, and one sentence that says why."""

    cards: tuple[int, ...]
    reason: str


def suggestion(view: Mapping[str, Any]) -> Suggestion:
    """The greedy bot's choice; of equal cards the first one in the deck."""
    me = view["players"][view["seat"]]
    held = [catalog()[card["slug"]] for card in me["hand"]["cards"]]
    left: dict[int, CardType] = {
        card["id"]: catalog()[card["slug"]] for card in me["deck"]["cards"]
    }
    picked: list[int] = []
    while left and len(held) < HAND:
        best = max(left, key=lambda card: hand_value(left[card], held))
        picked.append(best)
        held.append(left.pop(best))
    return Suggestion(tuple(picked), reason(held))


def reason(hand: Sequence[CardType]) -> str:
    """The strength of a hand, in one sentence."""
    kinds = {kind: [card for card in hand if card.kind == kind] for kind in ("booster", "power")}
    warriors = [card for card in hand if card.kind == "warrior"]
    attack, defence = (_best_line(warriors, attacking) for attacking in (True, False))
    subject = SUBJECTS.get(len(warriors), "The best three of these Warriors score")
    parts = [
        f"{subject} up to {line_score(attack, True)} in attack "
        f"and {line_score(defence, False)} in defence"
    ]
    if boosters := kinds["booster"]:
        gain = max(
            max(boost_gain(card, attack, True), boost_gain(card, defence, False))
            for card in boosters
        )
        parts.append(f"{_either(boosters)} can add up to {gain} to that")
    if powers := kinds["power"]:
        parts.append(f"{_either(powers)} can still turn the Battle after the scores")
    *most, last = parts
    return (f"{', '.join(most)}, and {last}" if most else last) + "."


def _best_line(warriors: Sequence[CardType], attacking: bool) -> Sequence[CardType]:
    lines = [line for size in range(1, LINE + 1) for line in combinations(warriors, size)]
    return max(lines, key=lambda line: line_score(line, attacking), default=())


def _either(cards: Iterable[CardType]) -> str:
    return " or ".join(dict.fromkeys(card.name for card in cards))
