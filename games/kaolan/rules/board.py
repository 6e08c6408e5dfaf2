"""The actions of a turn with cards of the hand.

Drawing, discarding, Place, Replace Link, Add Power and Add Ability (KAO-M-17 to KAO-M-28).

Written once for all contest modes; what differs between them is asked of the mode (``MODES``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kaolan import events
from games.kaolan.moves import (
    ABILITY_CARD,
    CHARACTER_CARD,
    DISCARD_CARD,
    DONE,
    POSITION,
    POWER_CARD,
    TO_DISCARD,
    TO_HAND,
    UNDER,
)
from games.kaolan.rulebook import BOOK
from games.kaolan.rules.contest import MODES
from games.kaolan.state import ABILITY, CHARACTER, NONE, POWER, Kaolan
from rules.engine.moves import Move, Slot, chosen

PLACING: Final = 0
REINFORCEMENT: Final = 1
SECOND_REINFORCEMENT: Final = 2
EXCHANGE: Final = -1
"""The purpose of a Character chosen from hand: the context of ``choose_character``."""


def ability_free(s: Kaolan, seat: int) -> bool:
    """KAO-C-12, KAO-M-27: True if a Character of the board has no Special Ability."""
    ability = s.ability
    for host in MODES[s.mode].ability_hosts(s, seat):  # noqa: SIM110 - any() costs twice as much
        if ability[host] < 0:
            return True
    return False


# -- drawing and discarding --------------------------------------------------------------------


def draw_card(s: Kaolan, seat: int) -> None:
    """KAO-M-17; an empty Draw Pile is renewed at this moment (KAO-M-14, KAO-R-08)."""
    pile = s.draw[seat]
    if not pile and not recycle(s, seat):
        s.tell(events.DREW, seat, ())
        return
    card = pile.pop()
    s.hands[seat].append(card)
    s.tell(events.DREW, seat, (card,))


def recycle(s: Kaolan, seat: int) -> bool:
    """KAO-M-14, KAO-R-08: shuffle the Discard Pile into a new Draw Pile; False if there is none."""
    pile, discard = s.draw[seat], s.discard[seat]
    if s.own_piles or not discard:
        return False
    pile.extend(discard)
    discard.clear()
    for card in pile:
        s.known.pop(card, None)
    s.chance.shuffle(pile)
    s.tell(events.RECYCLED, tuple(pile))
    return True


def can_draw(s: Kaolan, seat: int) -> bool:
    """Section 6.4: “a card can be drawn”."""
    if s.draw[seat]:
        return True
    return not s.own_piles and bool(s.discard[seat])


@BOOK.step
def draw_cards(s: Kaolan, seat: int, count: int) -> None:
    """Draw as many cards, as far as available."""
    for _ in range(count):
        if can_draw(s, seat):
            draw_card(s, seat)


@BOOK.prompt("Pass: discard one card.")
def pass_discard(s: Kaolan, seat: int) -> Sequence[Move]:
    """Every hand card; no Character while one must be fielded and others are there (KAO-R-12)."""
    hand, kind = s.hands[seat], s.cards.kind
    if s.leader(seat) < 0:
        others = [DISCARD_CARD[card] for card in hand if kind[card] != CHARACTER]
        if others:
            return others
    return [DISCARD_CARD[card] for card in hand]


@BOOK.prompt("Your hand is over four cards: discard one.")
def discard_down(s: Kaolan, seat: int) -> Sequence[Move]:
    """KAO-M-12, KAO-R-12: as when passing."""
    return pass_discard.options(s, seat)


@pass_discard.answer
@discard_down.answer
def discard_from_hand(s: Kaolan, seat: int, move: Move) -> None:
    """KAO-M-30, KAO-M-12."""
    s.put_on_discard(seat, s.leave_hand(seat, chosen(move)))


# -- Place -------------------------------------------------------------------------------------


@BOOK.prompt("Place: choose a Character from your hand.")
def choose_character(s: Kaolan, seat: int, purpose: int) -> list[Move]:
    """KAO-M-18: Characters in hand that have a legal position; KAO-P-16: that may be exchanged."""
    if purpose == EXCHANGE:
        return [CHARACTER_CARD[card] for card in exchangeable(s, seat)]
    cards = MODES[s.mode].placeable(s, seat, reinforcements=purpose > 0)
    options = [CHARACTER_CARD[card] for card in cards]
    if purpose == SECOND_REINFORCEMENT and options:
        options.append(DONE)
    return options


@choose_character.sentence
def which_character(s: Kaolan, seat: int, names: Sequence[str], purpose: int) -> str:
    return f"{_doing(purpose)}: choose a Character from your hand."


def _doing(purpose: int) -> str:
    if purpose == EXCHANGE:
        return "Replace Link"
    return "Place" if purpose == PLACING else "Reinforcements"


@choose_character.answer
def character_chosen(s: Kaolan, seat: int, move: Move, purpose: int) -> None:
    if move == DONE:
        return
    if purpose == REINFORCEMENT:
        s.then(reinforce_again, seat)
    card = s.show_chosen(seat, chosen(move))
    if purpose == EXCHANGE:
        s.ask(seat, choose_link, card)
    else:
        s.ask(seat, choose_position, card, purpose)


@BOOK.step
def reinforce_again(s: Kaolan, seat: int) -> None:
    """Reinforcements: perhaps one more, if a second placement is possible."""
    s.ask(seat, choose_character, SECOND_REINFORCEMENT)


@BOOK.prompt("Place: choose its position.")
def choose_position(s: Kaolan, seat: int, card: int, purpose: int) -> list[Move]:
    """KAO-M-19 to KAO-M-21, KAO-T-16, KAO-T-17, KAO-P-12, KAO-P-14."""
    mode = MODES[s.mode]
    slots = mode.positions(s, seat, card, reinforcements=purpose > 0)
    return [POSITION[mode.slots[slot]] for slot in slots]


@choose_position.sentence
def which_position(s: Kaolan, seat: int, names: Sequence[str], card: int, purpose: int) -> str:
    return f"{_doing(purpose)}: choose its position."


@choose_position.answer
def position_chosen(s: Kaolan, seat: int, move: Move, card: int, purpose: int) -> None:
    assert isinstance(move.target, Slot)
    slot = MODES[s.mode].slots.index(move.target.slot)
    board = s.board[seat]
    if slot < len(board) and board[slot] != NONE and not s.is_character(board[slot]):
        s.ask(seat, replaced_card, card, slot)
    else:
        _put_on_board(s, seat, card, slot)


@BOOK.prompt("Where does the replaced card go?")
def replaced_card(s: Kaolan, seat: int, card: int, slot: int) -> Sequence[Move]:
    """KAO-M-22, KAO-T-18, KAO-P-12, KAO-R-63: the own hand or the Discard Pile."""
    return (TO_HAND, TO_DISCARD)


@replaced_card.answer
def replace(s: Kaolan, seat: int, move: Move, card: int, slot: int) -> None:
    """KAO-M-18, KAO-M-22; an exchanged link leaves its Power Cards to the new one (KAO-R-63)."""
    old = s.board[seat][slot]
    if s.is_character(old):
        _exchange_link(s, seat, card, slot)
    else:
        _put_on_board(s, seat, card, slot)
    if move == TO_HAND:
        s.hands[seat].append(old)
        s.reveal(old)
        s.tell(events.REPLACED, seat, old, "hand")
    else:
        s.tell(events.REPLACED, seat, old, "discard")
        s.put_on_discard(seat, old)


def _put_on_board(s: Kaolan, seat: int, card: int, slot: int) -> None:
    card = s.leave_hand(seat, card)
    mode = MODES[s.mode]
    s.tell(events.PLACED, seat, card, mode.settle_on(s, seat, card, slot))
    if slot == 0:
        mode.leader_changed(s, seat)


# -- Replace Link ------------------------------------------------------------------------------


def exchangeable(s: Kaolan, seat: int) -> list[int]:
    """KAO-P-16: Characters in hand of the same level and another colour than some link."""
    kind = s.cards.kind
    return [
        card
        for card in s.hands[seat]
        if kind[card] == CHARACTER and links_to_replace(s, seat, card)
    ]


def links_to_replace(s: Kaolan, seat: int, card: int) -> list[int]:
    """KAO-P-16, KAO-P-17, KAO-R-63: the links that this Character may replace (at most one)."""
    level, colour = s.cards.level, s.cards.colour
    return [
        link
        for link in s.board[seat][1:]
        if level[link] == level[card] and colour[link] != colour[card]
    ]


@BOOK.prompt("Replace Link: choose the link to replace.")
def choose_link(s: Kaolan, seat: int, card: int) -> list[Move]:
    return [UNDER[link] for link in links_to_replace(s, seat, card)]


@choose_link.answer
def link_chosen(s: Kaolan, seat: int, move: Move, card: int) -> None:
    s.ask(seat, replaced_card, card, s.board[seat].index(chosen(move)))


def _exchange_link(s: Kaolan, seat: int, card: int, slot: int) -> None:
    """KAO-R-63: it takes the old one's place and what it may hold of the Power Cards (KAO-R-17)."""
    board = s.board[seat]
    old = board[slot]
    card = s.leave_hand(seat, card)
    board[slot] = card
    s.powers[card], s.powers[old] = s.powers[old], ()
    s.tell(events.PLACED, seat, card, "link")
    s.then(trim, seat, card)


# -- Add Power, Add Ability --------------------------------------------------------------------


@BOOK.prompt("Add Power: choose a Power Card.")
def choose_power(s: Kaolan, seat: int) -> list[Move]:
    """KAO-M-24, KAO-M-26: Power Cards in hand that some own Character may take."""
    kind, colour = s.cards.kind, s.cards.colour
    free = s.free_colours(seat)
    return [
        POWER_CARD[card] for card in s.hands[seat] if kind[card] == POWER and colour[card] & free
    ]


@choose_power.answer
def power_chosen(s: Kaolan, seat: int, move: Move) -> None:
    s.ask(seat, choose_power_host, s.show_chosen(seat, chosen(move)))


@BOOK.prompt("Choose a Character to attach it to.")
def choose_power_host(s: Kaolan, seat: int, power: int) -> list[Move]:
    """KAO-M-24: Leader and Guards alike; only the own ones (KAO-R-07)."""
    return [UNDER[host] for host in s.board[seat] if s.can_hold(host, power)]


@choose_power_host.sentence
def who_takes_it(s: Kaolan, seat: int, names: Sequence[str], power: int) -> str:
    return f"Choose the Character that takes {s.cards.title[power]}."


@choose_power_host.answer
def attach_power(s: Kaolan, seat: int, move: Move, power: int) -> None:
    """KAO-M-24, KAO-M-25."""
    host = chosen(move)
    power = s.leave_hand(seat, power)
    s.powers[host] += (power,)
    s.tell(events.ATTACHED, seat, power, host)


@BOOK.prompt("Choose a Special Ability from your hand.")
def choose_ability(s: Kaolan, seat: int, host: int) -> list[Move]:
    """KAO-M-27. With ``host`` ≥ 0 (New Teaching) the Character is chosen already."""
    kind = s.cards.kind
    if host < 0 and not ability_free(s, seat):
        return []
    return [ABILITY_CARD[card] for card in s.hands[seat] if kind[card] == ABILITY]


@choose_ability.answer
def ability_chosen(s: Kaolan, seat: int, move: Move, host: int) -> None:
    if host >= 0:
        teach(s, seat, chosen(move), host)
    else:
        s.ask(seat, choose_ability_host, s.show_chosen(seat, chosen(move)))


def teach(s: Kaolan, seat: int, card: int, host: int) -> None:
    """KAO-M-28: discard the old ability, attach the new one, then KAO-R-17."""
    s.discard_ability(seat, host)
    card = s.leave_hand(seat, card)
    s.ability[host] = card
    s.tell(events.ATTACHED, seat, card, host)
    s.then(trim, seat, host)


@BOOK.prompt("Choose a Character to learn it.")
def choose_ability_host(s: Kaolan, seat: int, card: int) -> list[Move]:
    """KAO-C-12, KAO-M-27: own Characters without a Special Ability."""
    return [UNDER[host] for host in MODES[s.mode].ability_hosts(s, seat) if s.ability[host] < 0]


@choose_ability_host.answer
def attach_ability(s: Kaolan, seat: int, move: Move, card: int) -> None:
    """KAO-M-27, KAO-C-13."""
    host = chosen(move)
    card = s.leave_hand(seat, card)
    s.ability[host] = card
    s.tell(events.ATTACHED, seat, card, host)


@BOOK.step
def trim(s: Kaolan, seat: int, host: int) -> None:
    """KAO-R-17: what a Character may no longer hold goes, off-colour cards first, unasked."""
    accepted = s.accepts(host)
    for power in s.powers[host]:
        if not s.cards.colour[power] & accepted:
            s.discard_power(seat, host, power)
    if len(s.powers[host]) > s.limit(host):
        s.then(trim, seat, host)
        s.ask(seat, trim_power, host)


@BOOK.prompt("This Character holds too many Power Cards: discard one.")
def trim_power(s: Kaolan, seat: int, host: int) -> list[Move]:
    return [DISCARD_CARD[power] for power in s.powers[host]]


@trim_power.sentence
def who_holds_too_many(s: Kaolan, seat: int, names: Sequence[str], host: int) -> str:
    return f"{s.cards.title[host]} holds too many Power Cards: discard one."


@trim_power.answer
def trim_one(s: Kaolan, seat: int, move: Move, host: int) -> None:
    s.discard_power(seat, host, chosen(move))
