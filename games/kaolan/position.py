"""Tests build positions, not histories: a Kaolan table laid out by hand.

Cards may be named by slug or, shorter, as the specification's scenarios do: ``red claw``, ``r7``,
``gold 2/7``, ``keen eye``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from games.kaolan.rules import single
from games.kaolan.rules.contest import MODES
from games.kaolan.rules.match import deal, play_deck, turn_up
from games.kaolan.rules.tournament import lay_out
from games.kaolan.rules.turn import end_turn, start_turn
from games.kaolan.solitaire import Solitaire
from games.kaolan.state import NONE, Kaolan, cards_in_order, in_catalog_order
from rules.engine.cards import load_catalog
from rules.engine.chance import Chance


@lru_cache(maxsize=1)
def short_names() -> Mapping[str, str]:
    """Every way to name a card in a position, in lower case, with its slug."""
    names: dict[str, str] = {}
    for slug, card in load_catalog("games.kaolan").items():
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
    guards: int | None = None,
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
    perhaps an ability) and ``hand``. In Power Play it has ``main``, ``under main`` and ``links``:
    pairs of a Character and the list of what lies under it. In Tournament Play it also has
    ``draw``, ``discard``, ``prize`` and ``pledged``. Piles are given top card first.

    With shared piles (``draw``, ``discard``) what is left of the Master Deck goes under the Draw
    Pile (``rest="draw"``) or out of the match (``rest="removed"``). ``turns`` counts the turns that
    have ended; with ``ask=False`` the current turn is at its end.

    With ``deck`` (top card first) a match begins instead: ``starter`` is dealt the first card, and
    the seats are given empty; what is left of the Master Deck goes under the deck. In Tournament
    Play each seat has its own shuffled ``deck`` for that.

    Raises ``ValueError`` for a card that is no card and for a place that is not there.
    """
    rules = MODES[mode]
    if guards is None:
        guards = len(rules.slots) - 1 if rules.has_guards else 0
    deck, draw, discard = [*deck], [*draw], [*discard]
    if deck and (draw or discard or any(any(seat.values()) for seat in seats)):
        raise ValueError("With a deck, boards, hands and piles are dealt.")
    for seat in seats:
        _check_places(seat, mode, guards)
    names = short_names()
    wanted = [names[_key(name)] for name in [*draw, *deck, *discard, *_all_names(seats)]]
    pool = [] if rules.own_piles else list(play_deck((), ()))
    for slug in wanted:
        if slug in pool:
            pool.remove(slug)
    s = Kaolan(
        len(seats),
        chance,
        cards_in_order(tuple(in_catalog_order([*wanted, *pool]))),
        mode=mode,
        guards=guards,
        turn_limit=turn_limit,
        own_piles=rules.own_piles,
    )
    free = {slug: [n for n, one in enumerate(s.cards.slugs) if one == slug] for slug in wanted}

    def take(name: str) -> int:
        return free[names[_key(name)]].pop(0)

    s.draw[0].extend(take(name) for name in reversed(draw or deck))
    s.discard[0].extend(take(name) for name in reversed(discard))
    for number, seat in enumerate(seats):
        _lay_seat(s, number, seat, take)
    used = {card for _zone, _owner, cards in s.zones() for card in cards}
    others = [card for card in range(len(s.cards)) if card not in used]
    if rest == "draw":
        s.draw[0][:0] = reversed(others)
    else:
        s.removed[0].extend(others)
    return _begin(s, seats, deck=bool(deck), starter=starter, turn=turn, turns=turns, ask=ask)


def _begin(
    s: Kaolan,
    seats: list[Mapping[str, Any]],
    *,
    deck: bool,
    starter: int,
    turn: int,
    turns: int,
    ask: bool,
) -> Kaolan:
    if deck:
        s.starter = s.turn = starter
        deal(s)
    elif any("deck" in seat for seat in seats):
        s.starter = s.turn = starter
        turn_up(s, [(starter + n) % s.seats for n in range(s.seats)])
    else:
        s.turn = turn
        s.turns = turns
        s.then(start_turn if ask else end_turn)
    return s


def _check_places(seat: Mapping[str, Any], mode: str, guards: int) -> None:
    rules = MODES[mode]
    slots = rules.slots[: 1 + guards]
    places = {"hand", *slots, *(f"under {slot}" for slot in slots)}
    if rules.own_piles:
        places |= {"draw", "discard", "prize", "pledged", "deck"}
    if not rules.has_guards:
        places.add("links")
    strange = set(seat) - places
    strange |= {f"under {slot}" for slot in slots if f"under {slot}" in seat and slot not in seat}
    if strange:
        raise ValueError(f"This Kaolan seat has no {', '.join(sorted(strange))}.")


def _lay_seat(s: Kaolan, number: int, seat: Mapping[str, Any], take: Any) -> None:
    if "deck" in seat:
        lay_out(s, number, [take(name) for name in seat["deck"]])
        return
    s.hands[number] = [take(name) for name in seat.get("hand", ())]
    for slot, name in enumerate(MODES[s.mode].slots[: 1 + s.guards]):
        card = take(seat[name]) if seat.get(name) else NONE
        s.board[number][slot] = card
        _attach(s, card, seat.get(f"under {name}", ()), take)
    for name, under in seat.get("links", ()):
        card = take(name)
        s.board[number].append(card)
        _attach(s, card, under, take)
    if s.own_piles:
        s.draw[number].extend(take(name) for name in reversed(seat.get("draw", ())))
        s.discard[number].extend(take(name) for name in reversed(seat.get("discard", ())))
        s.prizes[number] = take(seat["prize"]) if "prize" in seat else NONE
    if seat.get("pledged"):
        s.pledged[number] = s.cards.colour[s.leader(number)]


def _attach(s: Kaolan, host: int, under: Iterable[str], take: Any) -> None:
    for name in under:
        card = take(name)
        if s.cards.numbers[card]:
            s.powers[host] += (card,)
        else:
            s.ability[host] = card


def _all_names(seats: list[Mapping[str, Any]]) -> list[str]:
    """Every card named in the seats."""
    found: list[str] = []
    for seat in seats:
        for key, value in seat.items():
            if key == "links":
                for name, under in value:
                    found.extend([name, *under])
            elif key in ("hand", "draw", "discard", "deck") or key.startswith("under"):
                found.extend(value)
            elif key != "pledged":
                found.append(value)
    return [name for name in found if name]


NEXT_STEPS: Final = {"deal": single.solo_deal, "reveal": single.solo_reveal}
"""What an arranged run may begin with, besides the player's turn."""


def arrange_solo(
    chance: Chance,
    *,
    piles: list[list[str]],
    stock: Iterable[str] = (),
    waste: Iterable[str] = (),
    own: str = "",
    under: Iterable[str] = (),
    face_down: int = 0,
    solo_deal: int = 3,
    attacked: bool = False,
    next_step: str = "turn",
    rest: bool = True,
) -> Solitaire:
    """A run of Single Play in the middle. Piles are given top card first.

    ``face_down``: how many of the dealt pile's cards, from the bottom, were never turned up.
    ``next_step``: ``deal`` (the deal is made now), ``reveal`` (the dealt pile's top card has just
    become its top) or ``turn``. With ``rest`` the Master Deck's other cards go under the stock.
    """
    names = short_names()
    mine = [names[_key(name)] for name in [*stock, *waste, *([own] if own else []), *under]]
    foes = [names[_key(name)] for pile in piles for name in pile]
    others = [slug for slug in play_deck((), ()) if slug not in mine] if rest else []
    master, booster = in_catalog_order([*mine, *others]), in_catalog_order(foes)
    s = Solitaire(chance, cards_in_order((*master, *booster)), len(master), solo_deal)
    free = list(range(len(s.cards)))

    def take(name: str, side: int) -> int:
        slug = names[_key(name)]
        for card in free:
            if s.cards.slugs[card] == slug and (card >= s.foes) == bool(side):
                free.remove(card)
                return card
        raise ValueError(f"“{name}” stands in the position too often.")

    s.stock = [take(name, 0) for name in [*stock]][::-1]
    s.waste = [take(name, 0) for name in [*waste]][::-1]
    s.own = take(own, 0) if own else NONE
    for name in under:
        card = take(name, 0)
        if s.cards.numbers[card]:
            s.powers.append(card)
        else:
            s.ability = card
    s.piles = [[take(name, 1) for name in pile][::-1] for pile in piles]
    s.stock[:0] = [card for card in free if card < s.foes][::-1]
    turned = s.waste[face_down : -1 if next_step == "reveal" else None]
    s.open.extend(turned)
    for card in [*turned, *(s.top(pile) for pile in range(len(s.piles)))]:
        s.reveal(card)
    s.attacked = attacked
    s.then(single.solo_turn)
    if next_step != "turn":
        s.then(NEXT_STEPS[next_step])
    return s


def _key(name: str) -> str:
    key = name.lower()
    if key not in short_names():
        raise ValueError(f"“{name}” is not a Kaolan card.")
    return key
