"""The cost and value of a card, for whoever is about to lay it (section 5).

Nothing hidden goes into it: a card that lies face down counts as nothing, and what depends on it
stands under ``perhaps``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.colossal_kaiju_combat import costs
from games.colossal_kaiju_combat.characters import in_words, total
from games.colossal_kaiju_combat.rules.exchange import combat_of, shield, sword
from games.colossal_kaiju_combat.rules.reveal import is_counter
from games.colossal_kaiju_combat.state import CITY, Kaiju, Print
from games.colossal_kaiju_combat.values import damage_sum, toughness_sum
from rules.engine.card_tables import NO_CARD
from rules.engine.moves import Move, Prompt, chosen

ROLES: Final = {sword.name: "sword", shield.name: "shield"}
WAYS: Final = ("pay", "bluff")


def preview(s: Kaiju, prompt: Prompt, move: Move) -> dict[str, Any] | None:
    """The cost split and the value of a ``pay`` or ``bluff`` option; None for any other."""
    if prompt.kind not in ROLES or move.verb not in WAYS:
        return None
    seat, character, card = prompt.seat, prompt.context[0], chosen(move)
    role, bluff = ROLES[prompt.kind], move.verb == "bluff"
    it = s.cards.prints[card]
    price = costs.Price(0, 0, 0) if bluff else costs.price(s, character, card, role)
    power = costs.power_left(s, character)
    return {
        "ferocity": price.ferocity,
        "agility": price.agility,
        "energy": price.energy,
        "energy_left": costs.energy_left(s, seat) - price.energy,
        "power_left": None if power is None else power - price.energy,
        "bluff": bluff,
        "discards": [0, 0] if bluff else [it.required_discards, it.most_discards],
        "discard_damage": 0 if bluff else it.discard_damage,
        "kind": _kind(it, role),
        "values": _values(s, seat, character, card, role),
        "perhaps": list(_perhaps(it, role)),
    }


def _kind(it: Print, role: str) -> str:
    if role == "sword":
        return "damage"
    return "counter" if is_counter(it) else "toughness"


def _values(s: Kaiju, seat: int, character: int, card: int, role: str) -> list[dict[str, Any]]:
    """Against each target; of a Shield card against each character that it could answer."""
    combat = combat_of(s)
    rival = combat.rival(seat)
    rows = []
    if role == "sword":
        for at in s.city[:1] if rival == CITY else combat.side(rival):
            terms = damage_sum(s, character, card, at, role="sword")
            rows.append(_value(at, terms))
        return rows
    laid = [plan for plan in combat.sword_plans if plan[1] == character]
    for at in s.city[:1] if rival == CITY else [plan[0] for plan in laid]:
        if is_counter(s.cards.prints[card]):
            terms = damage_sum(s, character, card, at, role="counter")
        else:
            terms = toughness_sum(s, character, card, aimed=len(laid))
        rows.append(_value(at, terms))
    return rows


def _value(at: int, terms: list[tuple[str, int]]) -> dict[str, Any]:
    return {
        "target": at if at != NO_CARD else None,
        "sum": [[label, number] for label, number in terms],
        "words": in_words(terms),
        "total": total(terms),
    }


def _perhaps(it: Print, role: str) -> Iterable[list[Any]]:
    """Bonuses that depend on a card still face down."""
    bonus = it.bonus
    if role == "shield":
        amount = bonus.get("toughness", bonus.get("damage", 0))
        if "answers_type" in bonus:
            yield [f"against a {bonus['answers_type']}", amount]
        elif "answers_style" in bonus:
            yield [f"against a {bonus['answers_style']} card", amount]
    if "damage" in it.damage_effect and (role == "sword" or is_counter(it)):
        yield ["Damage Effect", it.damage_effect["damage"]]
