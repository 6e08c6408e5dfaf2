"""What Opportunity Cards do (specification, section 6.4).

Each card has a condition under which it can be carried out (R-05) and a function that carries it
out; both are found by the card's effect name. Special Abilities are part of the Challenge and of
what a Character can hold, and stand there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.kaolan.rules.book import BOOK, MODES
from games.kaolan.rules.challenge import AMBUSH, NAME_SEAT, PLAIN, TRUCE_BREAKER, challenge
from games.kaolan.state import ABILITY, NONE, OPPORTUNITY, POWER, Kaolan
from rules.engine.moves import ByCard, ByTarget, Card, Move, Seat

DONE: Final = Move("done")
NONE_OF_THEM: Final = Move("none")
TAKE: Final = ByCard("take")
STEP_UP: Final = ByCard("step_up")
POWER_CARD: Final = ByCard("power")
DISCARD_CARD: Final = ByCard("discard")
HOST: Final = ByTarget("host", Card)

SALVAGE_DEPTH: Final = 8

Condition = Callable[[Kaolan, int], bool]
Effect = Callable[[Kaolan, int], None]

CONDITIONS: dict[str, Condition] = {}
EFFECTS: dict[str, Effect] = {}


def playable(s: Kaolan, seat: int, card: int) -> bool:
    """R-05: True if this Opportunity can be carried out now."""
    return CONDITIONS[s.cards.effect[card]](s, seat)


def carry_out(s: Kaolan, seat: int, card: int) -> None:
    """M-29: do what the card's text says."""
    EFFECTS[s.cards.effect[card]](s, seat)


def _condition(name: str) -> Callable[[Condition], Condition]:
    def register(function: Condition) -> Condition:
        CONDITIONS[name] = function
        return function

    return register


def _effect(name: str) -> Callable[[Effect], Effect]:
    def register(function: Effect) -> Effect:
        EFFECTS[name] = function
        return function

    return register


# -- Change of Guard ---------------------------------------------------------------------------


@_condition("change_of_guard")
def _can_change_guard(s: Kaolan, seat: int) -> bool:
    if MODES[s.mode].has_guards:
        return bool(s.guard_characters(seat))
    return _can_draw(s, seat)


@_effect("change_of_guard")
def _change_of_guard(s: Kaolan, seat: int) -> None:
    """Power Play has no Guards: there the card draws two."""
    if MODES[s.mode].has_guards:
        s.ask(seat, "swap_guard")
    else:
        s.then("draw_cards", seat, 2)


@BOOK.question("swap_guard")
def swappable_guards(s: Kaolan, seat: int) -> list[Move]:
    return [STEP_UP[guard] for guard in s.guard_characters(seat)]


@BOOK.answer("swap_guard")
def swap_guard(s: Kaolan, seat: int, move: Move) -> None:
    """The Guard's group and whatever lies on the Leader position change places."""
    assert move.card is not None
    board = s.board[seat]
    slot = board.index(move.card)
    board[0], board[slot] = board[slot], board[0]
    s.tell("swapped", seat, move.card)
    MODES[s.mode].leader_changed(s, seat)


# -- Ambush, Truce Breaker, Battle Horn --------------------------------------------------------


@_condition("ambush")
@_condition("battle_horn")
def _can_challenge(s: Kaolan, seat: int) -> bool:
    return bool(MODES[s.mode].may_challenge(s, seat))


@_condition("truce_breaker")
def _can_break_truce(s: Kaolan, seat: int) -> bool:
    return bool(MODES[s.mode].may_challenge(s, seat, truce_breaker=True))


@_effect("ambush")
def _ambush(s: Kaolan, seat: int) -> None:
    """The announcer qualifies without a roll."""
    s.ask(seat, "choose_defender", AMBUSH)


@_effect("truce_breaker")
def _truce_breaker(s: Kaolan, seat: int) -> None:
    """The own colour, too; a failed Qualification is rolled once more."""
    s.ask(seat, "choose_defender", TRUCE_BREAKER)


@_effect("battle_horn")
def _battle_horn(s: Kaolan, seat: int) -> None:
    s.then("horn_again", seat)
    s.ask(seat, "choose_defender", PLAIN)


@BOOK.step
def horn_again(s: Kaolan, seat: int) -> None:
    """Battle Horn: one more Challenge, if there still is a Leader and somebody to challenge."""
    s.ask(seat, "horn_again")


@BOOK.question("horn_again")
def horn_again_options(s: Kaolan, seat: int) -> list[Move]:
    seats = MODES[s.mode].may_challenge(s, seat)
    return [*(NAME_SEAT[other] for other in seats), DONE] if seats else []


@BOOK.answer("horn_again")
def blow_again(s: Kaolan, seat: int, move: Move) -> None:
    if isinstance(move.target, Seat):
        challenge(s, seat, move.target.seat)


# -- New Teaching ------------------------------------------------------------------------------


@_condition("new_teaching")
def _can_teach(s: Kaolan, seat: int) -> bool:
    kind = s.cards.kind
    return any(s.ability[character] >= 0 for character in s.characters(seat)) and any(
        kind[card] == ABILITY for card in s.hands[seat]
    )


@_effect("new_teaching")
def _new_teaching(s: Kaolan, seat: int) -> None:
    s.ask(seat, "teach_host")


@BOOK.question("teach_host")
def teachable(s: Kaolan, seat: int) -> list[Move]:
    return [HOST[character] for character in s.characters(seat) if s.ability[character] >= 0]


@BOOK.answer("teach_host")
def teach_host_chosen(s: Kaolan, seat: int, move: Move) -> None:
    s.ask(seat, "choose_ability", _host(move))


def teach(s: Kaolan, seat: int, card: int, host: int) -> None:
    """M-28: discard the old ability, attach the new one, then R-17."""
    s.discard_ability(seat, host)
    card = s.leave_hand(seat, card)
    s.ability[host] = card
    s.tell("attached", seat, card, host)
    s.then("trim", seat, host)


def _host(move: Move) -> int:
    assert isinstance(move.target, Card)
    return move.target.card


# -- Sabotage, Silence -------------------------------------------------------------------------


@_condition("sabotage")
def _can_sabotage(s: Kaolan, seat: int) -> bool:
    return bool(sabotage_hosts(s, seat))


@_effect("sabotage")
def _sabotage(s: Kaolan, seat: int) -> None:
    s.ask(seat, "sabotage_host")


@BOOK.question("sabotage_host")
def sabotage_hosts(s: Kaolan, seat: int) -> list[Move]:
    """Opponents' Characters, Leader or Guard, with Power Cards."""
    return [
        HOST[character]
        for other in s.opponents(seat)
        for character in s.characters(other)
        if s.powers[character]
    ]


@BOOK.answer("sabotage_host")
def sabotage_host_chosen(s: Kaolan, seat: int, move: Move) -> None:
    s.ask(seat, "sabotage_power", _host(move))


@BOOK.question("sabotage_power")
def sabotage_powers(s: Kaolan, seat: int, host: int) -> list[Move]:
    return [TAKE[power] for power in s.powers[host]]


@BOOK.answer("sabotage_power")
def sabotage(s: Kaolan, seat: int, move: Move, host: int) -> None:
    assert move.card is not None
    s.discard_power(s.owner_of(host), host, move.card)


@_condition("silence")
def _can_silence(s: Kaolan, seat: int) -> bool:
    return bool(silence_hosts(s, seat))


@_effect("silence")
def _silence(s: Kaolan, seat: int) -> None:
    s.ask(seat, "silence_host")


@BOOK.question("silence_host")
def silence_hosts(s: Kaolan, seat: int) -> list[Move]:
    """Opponents' Characters with a Special Ability."""
    return [
        HOST[character]
        for other in s.opponents(seat)
        for character in s.characters(other)
        if s.ability[character] >= 0
    ]


@BOOK.answer("silence_host")
def silence(s: Kaolan, seat: int, move: Move) -> None:
    """Discard the ability; R-17 is asked of the Character's owner."""
    host = _host(move)
    owner = s.owner_of(host)
    s.discard_ability(owner, host)
    s.then("trim", owner, host)


# -- Night Raid, Spyglass ----------------------------------------------------------------------


@_condition("night_raid")
@_condition("spyglass")
def _somebody_holds_cards(s: Kaolan, seat: int) -> bool:
    return any(s.hands[other] for other in s.opponents(seat))


@_effect("night_raid")
def _night_raid(s: Kaolan, seat: int) -> None:
    s.ask(seat, "raid_seat")


@_effect("spyglass")
def _spyglass(s: Kaolan, seat: int) -> None:
    s.ask(seat, "spy_seat")


@BOOK.question("raid_seat", "spy_seat")
def seats_with_cards(s: Kaolan, seat: int) -> list[Move]:
    return [NAME_SEAT[other] for other in s.opponents(seat) if s.hands[other]]


@BOOK.answer("raid_seat")
def raid(s: Kaolan, seat: int, move: Move) -> None:
    """Night Raid: the generator picks one card of that hand, which is discarded.

    It picks from the hand in the order of card numbers, so that anybody can check it later without
    knowing in which order the cards came to the hand.
    """
    assert isinstance(move.target, Seat)
    other = move.target.seat
    hand = sorted(s.hands[other])
    s.tell("raided", seat, other)
    s.put_on_discard(other, s.leave_hand(other, hand[s.chance.pick(len(hand))]))


@BOOK.answer("spy_seat")
def spy(s: Kaolan, seat: int, move: Move) -> None:
    """Spyglass: see that hand; then one Opportunity or Special Ability of it may go."""
    assert isinstance(move.target, Seat)
    other = move.target.seat
    for card in s.hands[other]:
        s.show(card, seat)
    s.tell("hand_shown", seat, other, tuple(s.hands[other]))
    s.ask(seat, "spy_card", other)


@BOOK.question("spy_card")
def spied_cards(s: Kaolan, seat: int, other: int) -> list[Move]:
    kind = s.cards.kind
    seen = [card for card in s.hands[other] if kind[card] in (ABILITY, OPPORTUNITY)]
    return [*(DISCARD_CARD[card] for card in seen), NONE_OF_THEM]


@BOOK.answer("spy_card")
def discard_spied(s: Kaolan, seat: int, move: Move, other: int) -> None:
    if move.card is not None:
        s.put_on_discard(other, s.leave_hand(other, move.card))


# -- Salvage, Regroup, Windfall ----------------------------------------------------------------


@_condition("salvage")
def _can_salvage(s: Kaolan, seat: int) -> bool:
    return bool(salvageable(s, seat))


@_effect("salvage")
def _salvage(s: Kaolan, seat: int) -> None:
    s.ask(seat, "salvage_card")


@BOOK.question("salvage_card")
def salvageable(s: Kaolan, seat: int) -> list[Move]:
    """The eight newest cards of the Discard Pile, newest first, less Opportunities."""
    kind = s.cards.kind
    newest = s.discard[seat][: -SALVAGE_DEPTH - 1 : -1]
    return [TAKE[card] for card in newest if kind[card] != OPPORTUNITY]


@BOOK.answer("salvage_card")
def salvage(s: Kaolan, seat: int, move: Move) -> None:
    assert move.card is not None
    s.discard[seat].remove(move.card)
    _take_to_hand(s, seat, move.card, "discard")


def _take_to_hand(s: Kaolan, seat: int, card: int, source: str) -> None:
    """Everybody saw which card it is."""
    s.hands[seat].append(card)
    s.reveal(card)
    s.tell("taken", seat, card, source)


@_condition("regroup")
def _can_regroup(s: Kaolan, seat: int) -> bool:
    return bool(attached_cards(s, seat))


@_effect("regroup")
def _regroup(s: Kaolan, seat: int) -> None:
    s.then("draw_cards", seat, 1)
    s.ask(seat, "regroup_card")


@BOOK.question("regroup_card")
def attached_cards(s: Kaolan, seat: int) -> list[Move]:
    """Own attached Power and Special Ability Cards."""
    options: list[Move] = []
    for character in s.characters(seat):
        options.extend(TAKE[power] for power in s.powers[character])
        if s.ability[character] >= 0:
            options.append(TAKE[s.ability[character]])
    return options


@BOOK.answer("regroup_card")
def regroup(s: Kaolan, seat: int, move: Move) -> None:
    """Into the hand, then R-17, then draw one card."""
    card = move.card
    assert card is not None
    host = s.host_of(card)
    if s.ability[host] == card:
        s.ability[host] = NONE
    else:
        s.powers[host] = tuple(power for power in s.powers[host] if power != card)
    _take_to_hand(s, seat, card, "board")
    s.then("trim", seat, host)


@_condition("windfall")
def _can_draw(s: Kaolan, seat: int) -> bool:
    from games.kaolan.rules.turn import can_draw

    return can_draw(s, seat)


@_effect("windfall")
def _windfall(s: Kaolan, seat: int) -> None:
    s.then("draw_cards", seat, 3)


@BOOK.step
def draw_cards(s: Kaolan, seat: int, count: int) -> None:
    """Draw as many cards, as far as available."""
    from games.kaolan.rules.turn import can_draw, draw_card

    for _ in range(count):
        if can_draw(s, seat):
            draw_card(s, seat)


# -- Power Surge, Reinforcements ---------------------------------------------------------------


@_condition("power_surge")
def _can_surge(s: Kaolan, seat: int) -> bool:
    return bool(surge_powers(s, seat, 1))


@_effect("power_surge")
def _power_surge(s: Kaolan, seat: int) -> None:
    s.ask(seat, "surge_power", 1)


@BOOK.step
def surge_again(s: Kaolan, seat: int, count: int) -> None:
    """Power Surge: up to three Power Cards, each under the normal rules."""
    s.ask(seat, "surge_power", count)


@BOOK.question("surge_power")
def surge_powers(s: Kaolan, seat: int, count: int) -> list[Move]:
    """Attachable Power Cards in hand; from the second on also ``done``."""
    kind, hosts = s.cards.kind, s.characters(seat)
    options = [
        POWER_CARD[card]
        for card in s.hands[seat]
        if kind[card] == POWER and any(s.can_hold(host, card) for host in hosts)
    ]
    return [*options, DONE] if count > 1 and options else options


@BOOK.answer("surge_power")
def surge_power(s: Kaolan, seat: int, move: Move, count: int) -> None:
    if move.card is None:
        return
    if count < 3:
        s.then("surge_again", seat, count + 1)
    s.ask(seat, "choose_power_host", s.show_chosen(seat, move.card))


@_condition("reinforcements")
def _can_reinforce(s: Kaolan, seat: int) -> bool:
    return bool(MODES[s.mode].placeable(s, seat, reinforcements=True))


@_effect("reinforcements")
def _reinforcements(s: Kaolan, seat: int) -> None:
    s.ask(seat, "choose_character", 1)


@BOOK.step
def reinforce_again(s: Kaolan, seat: int) -> None:
    """Reinforcements: perhaps one more, if a second placement is possible."""
    s.ask(seat, "choose_character", 2)
