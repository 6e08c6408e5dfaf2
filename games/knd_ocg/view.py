"""The view of a KND: OCG table for each seat (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from games.knd_ocg import derived
from games.knd_ocg.card_texts import TYPES
from games.knd_ocg.rules import attack, setup
from games.knd_ocg.state import CHARACTER, NONE, RESERVE, SHUSHED, SPY, Duel
from rules.engine.chance import Chance
from rules.engine.redeal import Redeal


def view(s: Duel, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    return {
        "turn": {
            "number": s.turn,
            "seat": None if s.player < 0 else s.player,
            "first": None if s.first < 0 else s.first,
            "sequence": s.sequence,
            "cap": s.turn_cap,
            "energy_left": s.energy_left,
            "attacks": s.turn != 1 or s.first_attack,
            "once": s.once[:],
            "used": s.used[:],
            "picked": _picked(s),
        },
        "clash": [_clash(s, 0), _clash(s, 1)],
        "quiet": {"turns": s.quiet, "limit": s.quiet_limit},
        "players": [_player(s, 0, seat), _player(s, 1, seat)],
    }


def _picked(s: Duel) -> dict[str, Any] | None:
    """The Energy card that is about to be moved: it lies open."""
    return None if s.energy < 0 else {"id": s.energy, "slug": s.cards.slugs[s.energy]}


def _player(s: Duel, other: int, seat: int | None) -> dict[str, Any]:
    slugs = s.cards.slugs
    own = other == seat
    hidden = not s.placed and not own  # KND-R-01: not even how many have been placed
    active, reserve = s.active[other], s.reserve[other]
    return {
        "seat": other,
        "ready": None if s.placed else other not in s.prompts,
        "fallen": s.fallen[other],
        "deck": {"count": len(s.decks[other])},
        "hand": _hand(s, other, seat, placed=len(s.field_of(other)) if hidden else 0),
        "active": None if hidden or active < 0 else _character(s, other, active),
        "reserve": [None if hidden or card < 0 else _character(s, other, card) for card in reserve],
        "specials": [{"id": card, "slug": slugs[card]} for card in s.specials[other]],
        "away": [_character(s, other, card) for card in s.away[other]],
        "discard": {
            "count": len(s.discards[other]),
            "cards": [{"id": card, "slug": slugs[card]} for card in reversed(s.discards[other])],
        },
        "removed": [{"id": card, "slug": slugs[card]} for card in s.removed[other]],
    }


def _hand(s: Duel, other: int, seat: int | None, *, placed: int) -> dict[str, Any]:
    """KND-R-43, KND-R-44: the own cards with which of them are known, else the known ones.

    ``placed``: so many cards that lie unseen on the field still count as cards in hand.
    """
    hand, slugs, known = s.hands[other], s.cards.slugs, s.known
    if other == seat:
        return {
            "count": len(hand),
            "cards": [{"id": card, "slug": slugs[card], "seen": card in known} for card in hand],
        }
    return {
        "count": len(hand) + placed,
        "cards": [
            {"id": card, "slug": slugs[card], "seen": True}
            for card in hand
            if card in known and s.knows(seat, card)
        ],
    }


def _character(s: Duel, seat: int, card: int) -> dict[str, Any]:
    """A Character with all that lies under it and all that is on it.

    ``ready`` says of each Special Attack whether the Energy for it lies there, ``works`` of the
    Special Effect whether it works now.
    """
    cards = s.cards
    slugs, letter = cards.slugs, cards.energy
    energy, gear = [], None
    for attached in s.under.get(card, ()):
        if letter[attached] >= 0:
            energy.append({"id": attached, "slug": slugs[attached]})
        else:
            gear = {"id": attached, "slug": slugs[attached]}
    most = cards.hp[card]
    return {
        "card": {"id": card, "slug": slugs[card]},
        "type": TYPES[cards.type[card]],
        "hp": most - s.damage.get(card, 0),
        "most": most,
        "ap": derived.ap(s, card),
        "dp": derived.dp(s, card),
        "energy": energy,
        "gear": gear,
        "marks": _marks(s, card),
        "ready": [*derived.means(s, card).ready],
        "works": None if cards.effect[card] is None else derived.works(s, card),
    }


def _marks(s: Duel, card: int) -> list[dict[str, Any]]:
    """The marks on a Character, each with its source and its end; a lasting one has none."""
    slugs = s.cards.slugs
    if not s.marks and s.cards.type[card] != SPY:
        return []
    marks = [
        {"mark": mark, "amount": amount, "source": slugs[source], "seat": seat, "until": until}
        for bearer, mark, amount, source, seat, until in s.marks
        if bearer == card
    ]
    if s.cards.effect[card] is not None and (source := derived.silencer(s, card)) >= 0:
        marks.append(
            {
                "mark": SHUSHED,
                "amount": 0,
                "source": slugs[source],
                "seat": s.owner(source),
                "until": "",
            }
        )
    return marks


def _clash(s: Duel, seat: int) -> dict[str, Any] | None:
    """The Basic Attack of a seat's Active Character on the opposing one, worked out beforehand."""
    card, target = s.active[seat], s.active[1 - seat]
    if not s.placed or card < 0 or target < 0:
        return None
    return attack.foreseen(s, card, attack.BASIC_ATTACK, target)


# -- what a seat can't see, dealt anew -------------------------------------------------------------


def alike(s: Duel, owner: int | None, card: int) -> int:
    """A seat's unseen cards change places among themselves, in hand and deck."""
    return s.owner(card)


def imagine(s: Duel, others: Iterable[int], hidden: Collection[int], chance: Chance) -> None:
    """KND-R-01: while both place, what another seat has placed and how far it is."""
    if s.placed:
        return
    for other in others:
        _place_anew(s, other, chance)


def _place_anew(s: Duel, other: int, chance: Chance) -> None:
    """Another opening hand with a Character, of which any may be placed by now."""
    hand = [*s.hands[other], *s.field_of(other)]
    _with_a_character(s, hand, s.decks[other], chance)
    s.hands[other] = hand
    s.active[other] = NONE
    s.reserve[other] = [NONE] * RESERVE
    prompt = s.prompts.get(other)
    if prompt is not None and chance.pick(2):
        s.prompts[other] = prompt._replace(kind=setup.setup_active.name)
        return
    characters = setup.characters_in_hand(s, other)
    chance.shuffle(characters)
    placed = characters[: 1 + chance.pick(len(characters))]
    s.active[other] = placed[0]
    s.reserve[other][: len(placed) - 1] = placed[1:]
    s.hands[other] = [card for card in hand if card not in placed]
    if prompt is not None:
        s.prompts[other] = prompt._replace(kind=setup.setup_reserve.name)


def _with_a_character(s: Duel, hand: list[int], deck: list[int], chance: Chance) -> None:
    """KND-S-07: no hand stands without one."""
    kind = s.cards.kind
    if any(kind[card] == CHARACTER for card in hand):
        return
    places = [place for place, card in enumerate(deck) if kind[card] == CHARACTER]
    place, index = places[chance.pick(len(places))], chance.pick(len(hand))
    deck[place], hand[index] = hand[index], deck[place]


REDEAL: Final = Redeal(alike, imagine)
