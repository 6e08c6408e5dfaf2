"""Tests build positions, not histories: a Kaolan table laid out by hand.

Cards may be named by slug or, shorter, as the specification's scenarios do: ``red claw``, ``r7``,
``gold 2/7``, ``keen eye``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.engine.cards import load_catalog
from rules.engine.chance import Chance
from rules.kaolan.rules.match import deal, play_deck
from rules.kaolan.rules.turn import SLOTS
from rules.kaolan.state import NONE, Kaolan, cards_for


def short_names() -> dict[str, str]:
    """Every way to name a card in a position, in lower case, with its slug."""
    names: dict[str, str] = {}
    for slug, card in load_catalog("rules.kaolan").items():
        names[slug] = slug
        names[card.title.lower()] = slug
        if card.kind == "power" and card.colour != "gold":
            names[f"{card.colour[0]}{card['numbers'][0]}"] = slug
    return names


def arrange(
    seats: list[Mapping[str, Any]],
    chance: Chance,
    *,
    mode: str = "match",
    guards: int = 3,
    turn_limit: int = 80,
    turn: int = 0,
    turns: int = 0,
    draw: Iterable[str] = (),
    discard: Iterable[str] = (),
    rest: str = "draw",
    ask: bool = True,
    deck: Iterable[str] = (),
    starter: int = 0,
) -> Kaolan:
    """A table in the middle of a match, at the start of ``turn``'s turn.

    A seat has ``leader``, ``guard-1`` …, ``under leader`` … (Power Cards in attachment order and
    perhaps an ability) and ``hand``. Piles are given top card first. What is left of the Master
    Deck goes under the Draw Pile (``rest="draw"``) or out of the match (``rest="removed"``).
    ``turns`` counts the turns that have ended; with ``ask=False`` the current turn is at its end.

    With ``deck`` (top card first) a match begins instead: ``starter`` is dealt the first card, and
    the seats are given empty. What is left of the Master Deck goes under the deck.

    Raises ``ValueError`` for a card that is no card and for a place that is not there.
    """
    deck, draw, discard = [*deck], [*draw], [*discard]
    if deck and (draw or discard or any(any(seat.values()) for seat in seats)):
        raise ValueError("With a deck, boards, hands and piles are dealt.")
    for seat in seats:
        _check_places(seat, guards)
    draw = draw or deck
    names = short_names()
    wanted = [names[_key(name)] for name in _all_names(seats, draw, discard)]
    pool = list(play_deck((), ()))
    for slug in wanted:
        if slug in pool:
            pool.remove(slug)
    s = Kaolan(
        len(seats),
        chance,
        cards_for((*wanted, *pool)),
        mode=mode,
        guards=guards,
        turn_limit=turn_limit,
    )
    free = {slug: [n for n, one in enumerate(s.cards.slugs) if one == slug] for slug in wanted}

    def take(name: str) -> int:
        return free[names[_key(name)]].pop(0)

    s.draw[0].extend(take(name) for name in draw)
    s.discard[0].extend(take(name) for name in discard)
    for number, seat in enumerate(seats):
        _lay_seat(s, number, seat, take)
    used = {card for _zone, _owner, cards in s.zones() for card in cards}
    others = [card for card in range(len(s.cards)) if card not in used]
    (s.draw[0] if rest == "draw" else s.removed).extend(others)
    s.draw[0].reverse()
    s.discard[0].reverse()
    if deck:
        s.starter = s.turn = starter
        deal(s)
        return s
    s.turn = turn
    s.turns = turns
    s.then("start_turn" if ask else "end_turn")
    return s


def _check_places(seat: Mapping[str, Any], guards: int) -> None:
    slots = SLOTS[: 1 + guards]
    strange = set(seat) - {"hand", *slots, *(f"under {slot}" for slot in slots)}
    strange |= {f"under {slot}" for slot in slots if f"under {slot}" in seat and slot not in seat}
    if strange:
        raise ValueError(f"This Kaolan seat has no {', '.join(sorted(strange))}.")


def _lay_seat(s: Kaolan, number: int, seat: Mapping[str, Any], take: Any) -> None:
    s.hands[number] = [take(name) for name in seat.get("hand", ())]
    for slot, name in enumerate(SLOTS[: 1 + s.guards]):
        card = take(seat[name]) if seat.get(name) else NONE
        s.board[number][slot] = card
        for under in seat.get(f"under {name}", ()):
            attached = take(under)
            if s.cards.numbers[attached]:
                s.powers[card] += (attached,)
            else:
                s.ability[card] = attached


def _all_names(
    seats: list[Mapping[str, Any]], draw: Iterable[str], discard: Iterable[str]
) -> list[str]:
    found = [*draw, *discard]
    for seat in seats:
        for key, value in seat.items():
            found.extend(value if key == "hand" or key.startswith("under") else [value])
    return [name for name in found if name]


def _key(name: str) -> str:
    key = name.lower()
    if key not in short_names():
        raise ValueError(f"“{name}” is not a Kaolan card.")
    return key
