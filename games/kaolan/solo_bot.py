"""The greedy bot of Single Play: match, attach new numbers, attack where cards are won.

It sees nothing but the view of its seat, which hides no more than the order of face-down cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.kaolan.state import WAYS, catalog, mask_of
from rules.engine.moves import Move, Prompt, Slot

View = Mapping[str, Any]

ROLLS: Final = 36

# These figures did best among a dozen tried in the lab.
GOOD_COVER: Final = 5
FEAR: Final = 0.4
"""The weight of a card at risk against one to be won."""
RHYTHM: Final = 0.3
"""How much better it is to discard the card dealt first: all later deals shift by one."""
UNKNOWN_USE: Final = 0.6
DECISIVE: Final = {"twin_fangs": 0.4, "prism_heart": 0.4, "shadow_step": 0.3}
"""Special Abilities that help the own Character most; Keen Eye helps it not at all."""


def solo_score(view: View, move: Move, prompt: Prompt) -> float:
    """The best-looking move in Single Play: match, attach new numbers, attack to win cards."""
    match move.verb:
        case "match":
            assert isinstance(move.target, Slot)
            return 6.0 + int(_solo_pile(view, move.target.slot)["count"]) / 100
        case "attach":
            return _solo_attach(view)
        case "attack":
            return 6.5 if max(_solo_prospect(view, row) for row in view["odds"]) > 0 else 0.0
        case "target":
            assert isinstance(move.target, Slot)
            slot = move.target.slot
            return _solo_prospect(view, next(row for row in view["odds"] if row["slot"] == slot))
        case "spend":
            assert move.card is not None
            return 1.0 + _solo_loss(view, move.card)
        case "discard":
            assert move.card is not None
            return _solo_loss(view, move.card)
        case "first" | "last":
            cards = view["waste"]["cards"]
            return RHYTHM * (move.verb == "first") - _solo_use(
                view, cards[-1 if move.verb == "first" else 0]
            )
    return 0.5


def _solo_use(view: View, shown: Mapping[str, Any] | None) -> float:
    """The remaining use of a card of the dealt pile; half of the best if nobody knows it."""
    if shown is None:
        return UNKNOWN_USE
    card, own = catalog()[shown["slug"]], view["own"]
    if card.kind == "character":
        return 0.1 if own else 0.8
    if card.kind != "power":
        return 0.6
    mask = mask_of(own["numbers"]) if own else 0
    return (WAYS[mask | mask_of(card["numbers"])] - WAYS[mask]) / 6


def _solo_pile(view: View, slot: str) -> Mapping[str, Any]:
    pile: Mapping[str, Any] = next(pile for pile in view["piles"] if pile["slot"] == slot)
    return pile


def _solo_attach(view: View) -> float:
    """New numbers only; while few rolls are covered, before a match."""
    card, own = catalog()[view["waste"]["cards"][0]["slug"]], view["own"]
    if card.kind == "ability":
        return 0.0 if card.effect == "keen_eye" else 5.0 + DECISIVE.get(card.effect, 0.0)
    mask = mask_of(own["numbers"])
    if WAYS[mask | mask_of(card["numbers"])] == WAYS[mask]:
        return 0.0
    return 7.0 if own["ways"] < GOOD_COVER else 5.5


def _solo_prospect(view: View, row: Mapping[str, Any]) -> float:
    """The cards that a battle may win, less those that it may lose."""
    own, types = view["own"], catalog()
    others = [
        pile
        for pile in view["piles"]
        if pile["card"] and types[pile["card"]["slug"]].kind != "character"
    ]
    group = 1 + len(own["powers"]) + (own["ability"] is not None)
    win = (1 - row["they"]) * row["you"] * (1 + len(others))
    return float(win - FEAR * row["they"] * group)


def _solo_loss(view: View, power: int) -> float:
    """How little the own Character would miss a Power Card."""
    cards = {power["id"]: power["slug"] for power in view["own"]["powers"]}
    kept = [catalog()[slug]["numbers"] for card, slug in cards.items() if card != power]
    left = mask_of(n for numbers in kept for n in numbers)
    return (WAYS[left] - ROLLS) / ROLLS
