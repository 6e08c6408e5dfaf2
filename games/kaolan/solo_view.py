"""The view of Single Play, the odds of its battles, and the re-deal of hidden cards."""

from __future__ import annotations

from typing import Any, Final

from games.kaolan.rules.single import can_attack, foe_hits, lands, own_hits
from games.kaolan.solitaire import PILE_NAMES, PILES, Solitaire
from games.kaolan.state import NONE, WAYS
from rules.engine.redeal import Redeal

ROLLS = 36


def view(s: Solitaire, seat: int | None) -> dict[str, Any]:
    """The run as its player sees it; a spectator sees the same."""
    slugs = s.cards.slugs

    def show(card: int) -> dict[str, Any] | None:
        return None if card == NONE else {"id": card, "slug": slugs[card]}

    return {
        "score": s.score,
        "goal": len(s.cards) - s.foes,
        "passes": s.passes,
        "deals": s.deals,
        "attacked": s.attacked,
        "stock": {"count": len(s.stock)},
        "waste": {
            "count": len(s.waste),
            "cards": [show(card) if card in s.open else None for card in reversed(s.waste)],
        },
        "own": _own(s, show),
        "piles": [
            {"slot": PILE_NAMES[pile], "count": len(s.piles[pile]), "card": show(s.top(pile))}
            for pile in range(PILES)
        ],
        "discard": {"cards": [show(card) for card in reversed(s.master_discard)]},
        "foe_discard": {"cards": [show(card) for card in reversed(s.foe_discard)]},
        "listed": [PILE_NAMES[pile] for pile in s.listed],
        "odds": battle_odds(s),
        "last_card": not s.stock and len(s.waste) == 1,
    }


def _own(s: Solitaire, show: Any) -> dict[str, Any] | None:
    if s.own == NONE:
        return None
    numbers = s.own_numbers()
    return {
        "card": show(s.own),
        "powers": [show(power) for power in s.powers],
        "ability": show(s.ability),
        "limit": s.cards.limit[s.own] + s.cards.extra_limit[s.ability],
        "numbers": [n for n in range(2, 13) if numbers >> n & 1],
        "ways": WAYS[numbers],
    }


def battle_odds(s: Solitaire) -> list[dict[str, Any]]:
    """For each Character on a pile: the chance that they hit, and that you hit (one roll each)."""
    if not can_attack(s):
        return []
    return [
        {
            "slot": PILE_NAMES[pile],
            "they": _share(foe_hits(s, pile), twice="battle_fury" in s.effects_against(pile)),
            "you": _share(own_hits(s, pile)),
        }
        for pile in s.characters_on_piles()
    ]


def _share(hits: tuple[int, bool, bool], *, twice: bool = False) -> float:
    rolls = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    share = sum(1 for a, b in rolls if lands(hits, a, b)) / ROLLS
    return round(1 - (1 - share) ** 2 if twice else share, 4)


# Each side's cards change places among themselves; one that was seen once is known for good, as
# nothing is shuffled after the start.
REDEAL: Final = Redeal(lambda s, owner, card: card >= s.foes)
