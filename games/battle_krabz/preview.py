"""A side's Battle Score with an option taken, worked out before it is chosen.

Nothing goes into it but the role and the battle line of the seat that is asked, and a card of its
hand: a Special Bonus looks at nothing else (BKZ-R-04), so nothing secret can show.
"""

from __future__ import annotations

from typing import Any

from games.battle_krabz import effects
from games.battle_krabz.state import Krabz, Trumps
from rules.engine.moves import Move, Prompt

DECIDING = ("deploy", "boost", "boost-target")


def preview(s: Krabz | Trumps, prompt: Prompt, move: Move) -> dict[str, Any] | None:
    """The score in its parts; None where the option does not decide about a score.

    ``at_most``: it depends on Warriors that are still to be chosen, and this is the best choice.
    """
    if not isinstance(s, Krabz) or prompt.kind not in DECIDING:
        return None
    seat = prompt.seat
    twin = s.copy()
    open_choice = False
    if move.verb == "deploy" and move.card is not None:
        twin.line[seat].append(move.card)
    elif move.verb == "boost" and move.card is not None:
        twin.booster[seat] = move.card
        open_choice = _choose_best(twin, seat)
    elif move.verb == "target" and move.card is not None:
        twin.boosted[seat].append(move.card)
        open_choice = _choose_best(twin, seat)
    elif move.verb not in ("done", "pass"):
        return None
    points = effects.points(twin, seat)
    return {
        "score": points.boosted_score,
        "strength": points.boosted,
        "special": points.special,
        "domain": points.domain,
        "colour": points.colour,
        "at_most": open_choice,
    }


def _choose_best(s: Krabz, seat: int) -> bool:
    """Boost the strongest Warriors that are left; True if others might be instead (BKZ-R-14)."""
    strength, boosted = effects.strengths(s, seat), s.boosted[seat]
    left = sorted(
        (card for card in s.line[seat] if card not in boosted),
        key=strength.__getitem__,
        reverse=True,
    )
    more = s.cards.reach[s.booster[seat]] - len(boosted)
    boosted.extend(left[: max(more, 0)])
    return 0 < more < len(left)
