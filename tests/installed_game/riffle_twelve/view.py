"""What is seen of Twelve, and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from riffle_twelve.play import Twelve, cards_in_hand
from rules.engine.chance import Chance
from rules.engine.events import NOBODY, EventKind
from rules.engine.moves import Move, Prompt

EVENTS = {
    "shuffled": EventKind(("cards",), {"cards": NOBODY}, reveals=True),
    "dealt": EventKind(("seat", "cards"), {"cards": "seat"}, reveals=True),
    "trick_begun": EventKind(("seat", "number"), turn=True),
    "laid": EventKind(("seat", "card"), reveals=True, plays=True),
    "trick_won": EventKind(("seat",)),
    "resigned": EventKind(("seat",)),
    "match_ended": EventKind(("ranking", "reason")),
}


def view(s: Twelve, seat: int | None) -> dict[str, Any]:
    def show(card: int) -> dict[str, Any]:
        return {"id": card, "slug": s.cards.slugs[card]}

    return {
        "trick": s.trick,
        "leader": s.leader,
        "laid": [show(card) for card in s.laid],
        "players": [
            {
                "seat": other,
                "won": s.won[other],
                "hand": {
                    "count": len(hand),
                    "cards": [show(card) for card in hand if other == seat],
                },
            }
            for other, hand in enumerate(s.hands)
        ],
    }


def redeal(s: Twelve, seat: int | None, chance: Chance) -> None:
    hidden = [hand for other, hand in enumerate(s.hands) if other != seat]
    cards = sorted([card for hand in [*hidden, s.rest] for card in hand])
    chance.shuffle(cards)
    for hand in hidden:
        hand[:] = sorted(cards.pop() for _ in hand)
    s.rest = cards
    s.chance = chance
    for other, prompt in s.prompts.items():
        if other != seat:
            s.prompts[other] = prompt._replace(options=tuple(cards_in_hand(s, other)))


def question(s: Twelve, prompt: Prompt, names: Sequence[str]) -> str:
    return "Play a card."


def label(s: Twelve, move: Move, names: Sequence[str]) -> str:
    assert move.card is not None
    return f"Play {move.card + 1}"


def narrate(
    event: Mapping[str, Any], names: Sequence[str], titles: Mapping[str, str]
) -> str | None:
    match event["kind"]:
        case "trick_begun":
            return f"Trick {event['number']}"
        case "laid":
            return f"{names[event['seat']]} plays {titles[event['card']['slug']]}."
        case "trick_won":
            return f"{names[event['seat']]} takes the trick."
        case "match_ended":
            return f"{' and '.join(names[seat] for seat in event['ranking'][0])} won."
        case _:
            return None
