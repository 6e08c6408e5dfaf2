"""The view of a Battle Krabz table for each seat (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does. This module has the
views of Battle Mode, ``multi_view`` those of the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from games.battle_krabz import effects
from games.battle_krabz.rules import battle
from games.battle_krabz.state import (
    HAND,
    KINDS,
    NONE,
    SIDES,
    WARRIOR,
    Krabz,
    catalog,
)
from rules.engine.chance import Chance
from rules.engine.redeal import Redeal, other_faces

# -- views -----------------------------------------------------------------------------------------


def view(s: Krabz, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    winner = effects.winner_of(s) if s.phase == "powers" else NONE
    return {
        "phase": s.phase,
        "battle": s.battle,
        "battle_limit": s.battle_limit,
        "decider": s.decider,
        "attacker": None if s.attacker == NONE else s.attacker,
        "winner": None if winner == NONE else winner,
        "ties": s.ties,
        "players": [_player(s, other, seat) for other in (0, 1)],
    }


def _player(s: Krabz, other: int, seat: int | None) -> dict[str, Any]:
    show = _card(s)
    own = other == seat
    hand = s.hands[other]
    preparing = s.phase == "hands"
    hidden = (
        preparing and not own
    )  # how many have been picked is nobody's business (BKZ-R-24, BKZ-P-10)
    cards = s.cards_of(other)
    return {
        "seat": other,
        "side": SIDES[s.side(other)],
        "score": s.score(other),
        "target": s.targets[other],
        "ready": other not in s.prompts if s.phase in ("hands", "stacks") else None,
        "deck": {
            "count": len(cards),
            "warriors": battle.count_warriors(s, cards),
            "list": _deck_list(s, cards) if s.open_lists or own else None,
            "cards": [show(card) for card in s.decks[other]] if own else [],
        },
        "hand": {
            "count": 0 if hidden else len(hand),
            "warriors": 0 if hidden else len(s.of_kind(other, WARRIOR)),
            "cards": [
                {**show(card), "known": s.knows(None, card)}
                for card in hand
                if own or (s.knows(seat, card) and not hidden)
            ],
        },
        "warrior_stack": _stack(s, s.warriors[other]),
        "support_stack": _stack(s, s.supports[other]),
        "line": [_deployed(s, other, card, slot) for slot, card in enumerate(s.line[other])],
        "booster": show(s.booster[other]) if s.booster[other] >= 0 else None,
        "power": show(s.power[other]) if s.power[other] >= 0 else None,
        "points": _points(s, other),
        "elimination": {
            "count": len(s.elimination[other]),
            "warriors": s.lost(other),
            "cards": [show(card) for card in s.elimination[other]],
        },
        "sorting": _sorting(s, other) if own else [],
    }


def _card(s: Any) -> Any:
    slugs = s.cards.slugs
    return lambda card: {"id": card, "slug": slugs[card]}


def _deck_list(s: Krabz, cards: Iterable[int]) -> dict[str, int]:
    slugs: dict[str, int] = {}
    for card in sorted(cards, key=s.cards.order.__getitem__):
        slug = s.cards.slugs[card]
        slugs[slug] = slugs.get(slug, 0) + 1
    return slugs


def _stack(s: Krabz, stack: Sequence[int]) -> dict[str, Any]:
    """BKZ-R-36, BKZ-R-37: how many, and the known cards with their places from the top."""
    show = _card(s)
    return {
        "count": len(stack),
        "known": [
            {"place": place, "card": show(card)}
            for place, card in enumerate(reversed(stack))
            if s.knows(None, card)
        ],
    }


def _deployed(s: Krabz, seat: int, card: int, slot: int) -> dict[str, Any]:
    return {
        "slot": slot + 1,
        "card": _card(s)(card),
        "strength": effects.strengths(s, seat)[card],
        "multiplier": effects.multiplier(s, seat, card),
        "special": effects.special(s, seat, card),
        "downed": card in s.downed,
    }


def _points(s: Krabz, seat: int) -> dict[str, int] | None:
    """The parts of the score, while a Battle is being fought."""
    if s.phase not in ("deployment", "boosters", "powers") or not s.line[seat]:
        return None
    p = effects.points(s, seat)
    return {
        "strength": p.strength,
        "special": p.special,
        "domain": p.domain,
        "colour": p.colour,
        "basic": p.basic_score,
        "boosted": p.boosted_score,
    }


def _sorting(s: Krabz, seat: int) -> list[dict[str, Any]]:
    """The seat's own answers so far (BKZ-R-24)."""
    if s.phase != "stacks":
        return []
    show = _card(s)
    return [
        {"card": show(card), "keep": bool(keep)}
        for card, keep in zip(s.surviving(seat), s.choices[seat], strict=False)
    ]


# -- what a seat can't see, dealt anew -------------------------------------------------------------


def alike(s: Krabz, owner: int | None, card: int) -> tuple[int, bool]:
    """A seat's Warriors change places among themselves, and its other cards: how many Warriors lie
    where is known (BKZ-R-36)."""
    return s.owner(card), s.cards.kind[card] == WARRIOR


def imagine(s: Krabz, others: Iterable[int], hidden: Collection[int], chance: Chance) -> None:
    """Unless lists are open, an opponent's unseen cards may be any of the catalog that the deck may
    still hold (section 9). What a seat has picked or decided unseen is made up anew: it may have
    answered more or fewer questions than in truth."""
    for other in others:
        if not s.open_lists:
            s.cards = s.cards.with_slugs(_other_faces(s, other, hidden, chance))
        if s.phase == "hands":
            _pick_anew(s, other, chance)
        elif s.phase == "stacks":
            _choose_anew(s, other, chance)


REDEAL: Final = Redeal(alike, imagine)


def _other_faces(s: Krabz, other: int, hidden: Collection[int], chance: Chance) -> dict[int, str]:
    """Other cards of the side in place of those nobody has seen."""
    deck = s.cards_of(other)
    unseen = [card for card in deck if card in hidden and card not in s.shown]
    side = SIDES[s.side(other)]
    faces: dict[int, str] = {}
    for warriors in (True, False):
        pool = [
            slug
            for slug, card in catalog().items()
            if (card.kind == KINDS[WARRIOR]) == warriors
            and card.attributes.get("side", side) == side
        ]
        alike = [card for card in unseen if (s.cards.kind[card] == WARRIOR) == warriors]
        others = [card for card in deck if card not in unseen]
        faces |= other_faces(s.cards, alike, [*alike, *others], pool, chance)
    return faces


def _pick_anew(s: Krabz, other: int, chance: Chance) -> None:
    """BKZ-P-10: another first hand, or another part of one."""
    everything = [*s.decks[other], *s.hands[other]]
    if len(everything) <= HAND:
        return
    s.decks[other][:] = sorted(everything, key=s.cards.order.__getitem__)
    s.hands[other].clear()
    number = chance.pick(HAND) if other in s.prompts else HAND
    for _ in range(number):
        options = battle.choose_hand.options(s, other)
        card = options[chance.pick(len(options))].card
        assert card is not None
        s.decks[other].remove(card)
        s.hands[other].append(card)


def _choose_anew(s: Krabz, other: int, chance: Chance) -> None:
    """BKZ-R-24: other answers to ``sort`` and ``replenish``, as many as may have been given."""
    survivors, choices = s.surviving(other), s.choices[other]
    prompt = s.prompts.get(other)
    answers = len(survivors) if prompt is None else chance.pick(len(survivors) + 1)
    choices[:] = [chance.pick(2) for _ in range(answers)]
    number, allowed = battle.draws(s, other)
    if prompt is not None:
        if answers < len(survivors):
            s.prompts[other] = prompt._replace(kind=battle.sort.name, context=(survivors[answers],))
        else:
            s.prompts[other] = prompt._replace(kind=battle.replenish.name, context=())
    elif number:
        choices.append(allowed[chance.pick(len(allowed))])
