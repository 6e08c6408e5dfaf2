"""Tests build positions, not histories: a Kaolan table laid out by hand.

Cards may be named by slug or, shorter, as the specification's scenarios do: ``red claw``, ``r7``,
``gold 2/7``, ``keen eye``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.kaolan.rules import single
from games.kaolan.rules.contest import MODES
from games.kaolan.rules.match import deal, play_deck, turn_up
from games.kaolan.rules.tournament import lay_out
from games.kaolan.rules.turn import end_turn, start_turn
from games.kaolan.solitaire import Solitaire
from games.kaolan.state import NONE, Cards, Kaolan
from rules.engine.card_tables import take_numbers
from rules.engine.chance import Chance

HAND: Final = {"hand": "the cards in hand"}
MATCH_KEYS: Final = HAND | {
    key: words
    for slot in MODES["match"].slots
    for key, words in (
        (slot, f"the card on the position {slot}"),
        (f"under {slot}", "what lies under it: Power Cards, perhaps a Special Ability"),
    )
}
TOURNAMENT_KEYS: Final = MATCH_KEYS | {
    "draw": "the own Draw Pile, top card first",
    "discard": "the own Discard Pile, top card first",
    "removed": "cards of the seat that are out of the match",
    "prize": "the Prize Card",
    "pledged": "True: pledged to the Leader's colour",
    "deck": "instead of all else: a shuffled deck of 40 to be laid out, top card first",
}
POWER_KEYS: Final = HAND | {
    "main": "the card on the Main Character's position",
    "under main": "what lies under it",
    "links": "pairs of a Character and the list of what lies under it",
}


def arrange(
    mode: str,
    chance: Chance,
    options: Mapping[str, Any],
    *,
    seats: list[Mapping[str, Any]],
    turn: int = 0,
    turns: int = 0,
    draw: Iterable[str] = (),
    discard: Iterable[str] = (),
    removed: Iterable[str] = (),
    rest: str = "draw",
    ask: bool = True,
    deck: Iterable[str] = (),
    starter: int = 0,
) -> Kaolan:
    """A table in the middle of a match, at the start of ``turn``'s turn.

    Piles are given top card first, what lies under a Character in the order of attachment. With
    shared piles (``draw``, ``discard``, ``removed``) what is left of the Master Deck goes under the
    Draw Pile (``rest="draw"``) or out of the match (``rest="removed"``). ``turns`` counts the turns
    that have ended; with ``ask=False`` the current turn is at its end.

    With ``deck`` (top card first) a match begins instead: ``starter`` is dealt the first card, and
    the seats are given empty; what is left of the Master Deck goes under the deck. In Tournament
    Play each seat has its own shuffled ``deck`` for that.

    Raises ``ValueError`` for an unknown card or place.
    """
    rules = MODES[mode]
    guards = options.get("guards", len(rules.slots) - 1 if rules.has_guards else 0)
    deck, draw, discard, removed = [*deck], [*draw], [*discard], [*removed]
    if deck and (draw or discard or any(any(seat.values()) for seat in seats)):
        raise ValueError("With a deck, boards, hands and piles are dealt.")
    for seat in seats:
        _check_places(seat, rules.slots, guards)
    everywhere = [*draw, *deck, *discard, *removed, *_all_names(seats)]
    wanted = Cards.all_named(everywhere)
    pool = [] if rules.own_piles else list(play_deck((), ()))
    for slug in wanted:
        if slug in pool:
            pool.remove(slug)
    s = Kaolan.lay(
        len(seats),
        chance,
        Cards.in_order(Cards.sorted([*wanted, *pool])),
        mode=mode,
        guards=guards,
        turn_limit=options["turn_limit"],
        own_piles=rules.own_piles,
    )
    number_of = take_numbers(s.cards.slugs)

    def take(name: str) -> int:
        return number_of(Cards.named(name))

    s.draw[0].extend(take(name) for name in reversed(draw or deck))
    s.discard[0].extend(take(name) for name in reversed(discard))
    s.removed[0].extend(take(name) for name in removed)
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


def _check_places(seat: Mapping[str, Any], slots: Iterable[str], guards: int) -> None:
    """With fewer Guards there are fewer positions; nothing lies under an empty one."""
    missing = {f"under {slot}" for slot in slots if slot not in seat}
    missing |= {f"guard-{n}" for n in range(guards + 1, 4)}
    if strange := sorted(missing & seat.keys()):
        raise ValueError(f"This Kaolan seat has no {', '.join(strange)}.")


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
        s.removed[number].extend(take(name) for name in seat.get("removed", ()))
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
    cards: list[str] = []
    for seat in seats:
        for key, value in seat.items():
            if key == "links":
                for name, under in value:
                    cards.extend([name, *under])
            elif key in ("hand", "draw", "discard", "removed", "deck") or key.startswith("under"):
                cards.extend(value)
            elif key != "pledged":
                cards.append(value)
    return [name for name in cards if name]


NEXT_STEPS: Final = {"deal": single.solo_deal, "reveal": single.solo_reveal}
"""The prompts that an arranged run may begin with, besides the player's turn."""


def arrange_solo(
    chance: Chance,
    options: Mapping[str, Any],
    *,
    piles: list[list[str]],
    stock: Iterable[str] = (),
    waste: Iterable[str] = (),
    own: str = "",
    under: Iterable[str] = (),
    face_down: int = 0,
    attacked: bool = False,
    next_step: str = "turn",
    rest: bool = True,
) -> Solitaire:
    """A run of Single Play in the middle. Piles are given top card first.

    ``face_down``: how many of the dealt pile's cards, from the bottom, were never turned up.
    ``next_step``: ``deal`` (the deal is made now), ``reveal`` (the dealt pile's top card has just
    become its top) or ``turn``. With ``rest`` the Master Deck's other cards go under the stock.
    """
    named = Cards.named
    mine = [named(name) for name in [*stock, *waste, *([own] if own else []), *under]]
    foes = [named(name) for pile in piles for name in pile]
    others = [slug for slug in play_deck((), ()) if slug not in mine] if rest else []
    master, booster = Cards.sorted([*mine, *others]), Cards.sorted(foes)
    cards = Cards.in_order((*master, *booster))
    s = Solitaire.new(1, chance, cards=cards, foes=len(master), deal_size=options["solo_deal"])
    numbers = take_numbers(master), take_numbers(booster)

    def take(name: str, side: int) -> int:
        return numbers[side](named(name)) + side * s.foes

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
    laid = {card for _zone, _owner, cards in s.zones() for card in cards}
    s.stock[:0] = [card for card in range(s.foes) if card not in laid][::-1]
    turned = s.waste[face_down : -1 if next_step == "reveal" else None]
    s.open.extend(turned)
    for card in [*turned, *(s.top(pile) for pile in range(len(s.piles)))]:
        s.reveal(card)
    s.attacked = attacked
    s.then(single.solo_turn)
    if next_step != "turn":
        s.then(NEXT_STEPS[next_step])
    return s
