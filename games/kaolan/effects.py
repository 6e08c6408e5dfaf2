"""The effects of Opportunity Cards (specification, section 6.4), by the card's effect name.

A card can be carried out when its first choice has something to choose (KAO-R-05). Special
Abilities are part of the Challenge and of what a Character can hold, and stand there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from games.kaolan import events
from games.kaolan.moves import (
    DISCARD_CARD,
    DONE,
    HOST,
    NAME_SEAT,
    NONE_OF_THEM,
    POWER_CARD,
    STEP_UP,
    TAKE,
)
from games.kaolan.rulebook import BOOK
from games.kaolan.rules.board import (
    REINFORCEMENT,
    can_draw,
    choose_ability,
    choose_character,
    choose_power_host,
    draw_cards,
    trim,
)
from games.kaolan.rules.challenge import AMBUSH, PLAIN, TRUCE_BREAKER, challenge, choose_defender
from games.kaolan.rules.contest import MODES
from games.kaolan.state import ABILITY, NONE, OPPORTUNITY, POWER, Kaolan
from rules.engine.moves import Move, chosen
from rules.engine.texts import CardTexts, choose

TEXTS: Final[CardTexts[Any]] = CardTexts(BOOK)

SALVAGE_DEPTH: Final = 8
MOST_SURGES: Final = 3


def playable(s: Kaolan, seat: int, card: int) -> bool:
    """KAO-R-05: True if this Opportunity can be carried out now."""
    return TEXTS.conditions[s.cards.effect[card]](s, seat)


def carry_out(s: Kaolan, seat: int, card: int) -> None:
    """KAO-M-29: do what the card's text says."""
    TEXTS.effects[s.cards.effect[card]](s, seat)


# -- what is chosen among, and what it must be -----------------------------------------------------


def rivals(s: Kaolan, seat: int) -> Iterator[int]:
    """Opponents' Characters, Leader or Guard."""
    for other in s.opponents(seat):
        yield from s.characters(other)


def has_powers(s: Kaolan, character: int) -> bool:
    return bool(s.powers[character])


def has_ability(s: Kaolan, character: int) -> bool:
    return s.ability[character] >= 0


def holds_cards(s: Kaolan, seat: int) -> bool:
    return bool(s.hands[seat])


def attached_cards(s: Kaolan, seat: int) -> list[int]:
    """Own attached Power and Special Ability Cards."""
    return [
        card
        for character in s.characters(seat)
        for card in (*s.powers[character], s.ability[character])
        if card >= 0
    ]


# -- Change of Guard, Windfall ---------------------------------------------------------------------


@BOOK.prompt("Change of Guard: choose the Guard that takes the Leader's place.")
def swap_guard(s: Kaolan, seat: int) -> list[Move]:
    return [STEP_UP[guard] for guard in s.guard_characters(seat)]


@swap_guard.answer
def guard_swapped(s: Kaolan, seat: int, move: Move) -> None:
    """The Guard's group and whatever lies on the Leader position change places."""
    guard, board = chosen(move), s.board[seat]
    slot = board.index(guard)
    board[0], board[slot] = board[slot], board[0]
    s.tell(events.SWAPPED, seat, guard)
    MODES[s.mode].leader_changed(s, seat)


def can_change_guard(s: Kaolan, seat: int) -> bool:
    return swap_guard.possible(s, seat) if MODES[s.mode].has_guards else can_draw(s, seat)


def change_of_guard(s: Kaolan, seat: int) -> None:
    """Power Play has no Guards: there the card draws two."""
    if MODES[s.mode].has_guards:
        s.ask(seat, swap_guard)
    else:
        s.then(draw_cards, seat, 2)


TEXTS.does("change_of_guard", change_of_guard, when=can_change_guard)
TEXTS.does("windfall", lambda s, seat: s.then(draw_cards, seat, 3), when=can_draw)


# -- Ambush, Truce Breaker, Battle Horn ------------------------------------------------------------

TEXTS.asks("ambush", choose_defender, AMBUSH)
TEXTS.asks("truce_breaker", choose_defender, TRUCE_BREAKER)


@BOOK.step
def horn_again(s: Kaolan, seat: int) -> None:
    """Battle Horn: one more Challenge, if there still is a Leader and somebody to challenge."""
    s.ask(seat, another_challenge)


@BOOK.prompt("Battle Horn: challenge once more, or stop here.", name="horn_again")
def another_challenge(s: Kaolan, seat: int) -> list[Move]:
    seats = MODES[s.mode].may_challenge(s, seat)
    return [*(NAME_SEAT[other] for other in seats), DONE] if seats else []


@another_challenge.answer
def blow_again(s: Kaolan, seat: int, move: Move) -> None:
    if move != DONE:
        challenge(s, seat, chosen(move))


TEXTS.asks("battle_horn", choose_defender, PLAIN, first=lambda s, seat: s.then(horn_again, seat))


# -- New Teaching, Silence, Sabotage ---------------------------------------------------------------

TEXTS.text(
    "new_teaching",
    choose(
        "teach_host",
        "New Teaching: choose the Character that learns anew.",
        HOST,
        Kaolan.characters,
        where=has_ability,
    ),
    then=lambda s, seat, host: s.ask(seat, choose_ability, host),
    when=lambda s, seat: any(s.cards.kind[card] == ABILITY for card in s.hands[seat]),
)


def lose_ability(s: Kaolan, seat: int, host: int) -> None:
    """KAO-R-17 is asked of the Character's owner."""
    owner = s.owner_of(host)
    s.discard_ability(owner, host)
    s.then(trim, owner, host)


TEXTS.text(
    "silence",
    choose(
        "silence_host",
        "Silence: choose the Character that loses its ability.",
        HOST,
        rivals,
        where=has_ability,
    ),
    then=lose_ability,
)

TEXTS.text(
    "sabotage",
    choose(
        "sabotage_host", "Sabotage: choose an opponent's Character.", HOST, rivals, where=has_powers
    ),
    choose(
        "sabotage_power",
        "Sabotage: choose the Power Card to discard.",
        TAKE,
        lambda s, seat, host: s.powers[host],
    ),
    then=lambda s, seat, host, power: s.discard_power(s.owner_of(host), host, power),
)


# -- Night Raid, Spyglass --------------------------------------------------------------------------


def raid(s: Kaolan, seat: int, other: int) -> None:
    """The generator picks one card of that hand, which is discarded.

    It picks from the hand in the order of card numbers, so that anybody can check it later without
    knowing in which order the cards came to the hand.
    """
    hand = sorted(s.hands[other])
    s.tell(events.RAIDED, seat, other)
    s.put_on_discard(other, s.leave_hand(other, hand[s.chance.pick(len(hand))]))


TEXTS.text(
    "night_raid",
    choose(
        "raid_seat",
        "Night Raid: choose the opponent who discards at random.",
        NAME_SEAT,
        Kaolan.opponents,
        where=holds_cards,
    ),
    then=raid,
)


def look_at_hand(s: Kaolan, seat: int, other: int) -> None:
    for card in s.hands[other]:
        s.show(card, seat)
    s.tell(events.HAND_SHOWN, seat, other, tuple(s.hands[other]))


TEXTS.text(
    "spyglass",
    choose(
        "spy_seat",
        "Spyglass: choose whose hand to look at.",
        NAME_SEAT,
        Kaolan.opponents,
        where=holds_cards,
        then=look_at_hand,
    ),
    choose(
        "spy_card",
        "Spyglass: discard a card of {spy_seat}, or none.",
        DISCARD_CARD,
        lambda s, seat, other: s.hands[other],
        where=lambda s, card: s.cards.kind[card] in (ABILITY, OPPORTUNITY),
        otherwise=NONE_OF_THEM,
    ),
    then=lambda s, seat, other, card: s.put_on_discard(other, s.leave_hand(other, card)),
)


# -- Salvage, Regroup ------------------------------------------------------------------------------


def salvageable(s: Kaolan, seat: int) -> list[int]:
    """The newest cards of the Discard Pile, newest first."""
    return s.discard[seat][: -SALVAGE_DEPTH - 1 : -1]


def could_salvage(s: Kaolan, seat: int, kind: int) -> bool:
    """True if the seat holds a Salvage that could bring back a card of this kind."""
    return any(s.cards.effect[card] == "salvage" for card in s.hands[seat]) and any(
        s.cards.kind[card] == kind for card in salvageable(s, seat)
    )


def salvage(s: Kaolan, seat: int, card: int) -> None:
    s.discard[seat].remove(card)
    take_to_hand(s, seat, card, "discard")


def take_to_hand(s: Kaolan, seat: int, card: int, source: str) -> None:
    """Everybody saw which card it is."""
    s.hands[seat].append(card)
    s.reveal(card)
    s.tell(events.TAKEN, seat, card, source)


TEXTS.text(
    "salvage",
    choose(
        "salvage_card",
        "Salvage: take one of these cards.",
        TAKE,
        salvageable,
        where=lambda s, card: s.cards.kind[card] != OPPORTUNITY,
    ),
    then=salvage,
)


def regroup(s: Kaolan, seat: int, card: int) -> None:
    """Into the hand, then KAO-R-17, then draw one card."""
    host = s.host_of(card)
    if s.ability[host] == card:
        s.ability[host] = NONE
    else:
        s.powers[host] = tuple(power for power in s.powers[host] if power != card)
    take_to_hand(s, seat, card, "board")
    s.then(trim, seat, host)


TEXTS.text(
    "regroup",
    choose(
        "regroup_card",
        "Regroup: take one of your attached cards into your hand.",
        TAKE,
        attached_cards,
    ),
    then=regroup,
    first=lambda s, seat: s.then(draw_cards, seat, 1),
)


# -- Power Surge, Reinforcements -------------------------------------------------------------------


@BOOK.prompt("Power Surge: choose a Power Card to attach.")
def surge_power(s: Kaolan, seat: int, count: int) -> list[Move]:
    """Attachable Power Cards in hand; from the second on also ``done``."""
    kind, colour = s.cards.kind, s.cards.colour
    options = [
        POWER_CARD[card]
        for card in s.hands[seat]
        if kind[card] == POWER and s.has_room(seat, colour[card])
    ]
    return [*options, DONE] if count > 1 and options else options


@surge_power.answer
def surge(s: Kaolan, seat: int, move: Move, count: int) -> None:
    """Up to three Power Cards, each under the normal rules."""
    if move == DONE:
        return
    if count < MOST_SURGES:
        s.then(surge_again, seat, count + 1)
    s.ask(seat, choose_power_host, s.show_chosen(seat, chosen(move)))


@BOOK.step
def surge_again(s: Kaolan, seat: int, count: int) -> None:
    s.ask(seat, surge_power, count)


TEXTS.asks("power_surge", surge_power, 1)
TEXTS.asks("reinforcements", choose_character, REINFORCEMENT)
