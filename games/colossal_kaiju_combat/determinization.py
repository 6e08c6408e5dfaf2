"""Hidden facts of the others besides where their cards lie, made up anew.

A rival's decks are secret, and so is what was thrown away in phase 1, which card lies face down and
whether it is paid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from games.colossal_kaiju_combat import costs
from games.colossal_kaiju_combat.rules import combat as combats
from games.colossal_kaiju_combat.rules import exchange
from games.colossal_kaiju_combat.state import BLUFF, ILLEGAL, PAID, Combat, Deck, Kaiju, catalog
from rules.engine.chance import Chance
from rules.engine.moves import Prompt
from rules.engine.redeal import other_faces

COMBAT_COPIES = 2
PLANNING_COPIES = 3


def imagine(s: Kaiju, others: Iterable[int], hidden: Collection[int], chance: Chance) -> None:
    """The unseen cards of ``others``, as they might be."""
    for other in others:
        s.cards = s.cards.with_slugs(_other_faces(s, other, hidden, chance))
        if s.phase == "discard" and other not in s.out:
            _throw_anew(s, other, chance)
        if s.combat is not None:
            _lay_anew(s, s.combat, other, chance)
        if other in s.prompts:
            s.prompts[other] = _asked_anew(s, s.prompts[other])


def _other_faces(s: Kaiju, other: int, hidden: Collection[int], chance: Chance) -> dict[int, str]:
    """Other cards in place of those that have never lain open."""
    prints = s.cards.prints
    faces: dict[int, str] = {}
    first = s.starts[other]
    end = s.starts[other + 1] if other + 1 < s.seats else len(s.cards)
    for is_combat, copies in ((True, COMBAT_COPIES), (False, PLANNING_COPIES)):
        deck = [card for card in range(first, end) if prints[card].is_combat == is_combat]
        unseen = [card for card in deck if card in hidden and not s.seen >> card & 1]
        pool = [
            slug
            for slug, card in catalog().items()
            if (card.kind == "combat") == is_combat and card.kind not in ("team", "kaiju")
        ]
        faces |= other_faces(s.cards, unseen, deck, pool * copies, chance)
    return faces


def _throw_anew(s: Kaiju, other: int, chance: Chance) -> None:
    """CKC-R-03: any of the hand may have been thrown away."""
    thrown = [card for card in s.dropped if s.owner(card) == other]
    hand = [*s.planning_hands[other], *thrown]
    number = chance.pick(len(hand) + 1)
    chance.shuffle(hand)
    s.dropped = [card for card in s.dropped if s.owner(card) != other] + hand[:number]
    s.planning_hands[other] = hand[number:]


def _lay_anew(s: Kaiju, combat: Combat, other: int, chance: Chance) -> None:
    """Another card face down, paid or not, that fits what the others have seen of it."""
    for role, cards, plans in (
        ("sword", combat.swords, combat.sword_plans),
        ("shield", combat.shields, combat.shield_plans),
    ):
        for index, card in enumerate(cards):
            if s.owner(card) != other:
                continue
            character, at, _how, _f, _a, _e, discards = plans[index]
            plans[index] = (character, at, BLUFF, 0, 0, 0, discards)
            ways = _ways(s, combat, other, character, role, discards, card)
            if ways:
                new, how = ways[chance.pick(len(ways))]
                _swap(s, other, cards, index, new)
                price: Any = (0, 0, 0)
                if how == PAID:
                    price = costs.price(s, character, new, role)
                plans[index] = (character, at, how, *price, discards)


def _ways(
    s: Kaiju, combat: Combat, other: int, character: int, role: str, discards: int, lies: int
) -> list[tuple[int, str]]:
    """Which cards of the hand, or else of the deck, may lie there, and how."""
    for cards in ((lies, *s.combat_hands[other]), s.combat_decks[other]):
        ways = []
        for card in cards:
            it = s.cards.prints[card]
            if not it.fits(role):
                if s.allows_illegal and not discards:
                    ways.append((card, ILLEGAL))
                continue
            energy = costs.price(s, character, card, role).energy
            pays = it.required_discards <= discards <= it.most_discards
            if pays and not costs.lacks_energy(s, other, character, energy):
                ways.append((card, PAID))
            if not discards and energy and not combat.is_rampage:
                ways.append((card, BLUFF))
        if ways:
            return ways
    return []


def _swap(s: Kaiju, other: int, cards: list[int], index: int, new: int) -> None:
    """The two cards change places."""
    old = cards[index]
    for zone in (s.combat_hands[other], Deck(s.combat_decks, other)):
        if new in zone:
            zone[zone.index(new)] = old
    cards[index] = new


def _asked_anew(s: Kaiju, prompt: Prompt) -> Prompt:
    """How far somebody is with one card is hidden, too: it may not be chosen yet."""
    context: tuple[Any, ...] = prompt.context
    if prompt.kind == exchange.target.name:
        return prompt._replace(kind=exchange.sword.name, context=context[:1])
    if prompt.kind == exchange.answer.name:
        return prompt._replace(kind=exchange.shield.name, context=context[:1])
    if prompt.kind == exchange.cost_discard.name:
        kind = exchange.sword if context[0] == "sword" else exchange.shield
        return prompt._replace(kind=kind.name, context=context[1:2])
    if prompt.kind == combats.bearer.name:
        return prompt._replace(kind=combats.scar.name, context=context[1:])
    return prompt
