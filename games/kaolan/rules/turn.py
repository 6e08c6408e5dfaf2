"""A turn: its options, the Opportunity, its end, and giving up in the middle of it.

Written once for all contest modes; what differs between them is asked of the mode (``MODES``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.kaolan import effects, events
from games.kaolan.book import BOOK
from games.kaolan.moves import (
    ADD_ABILITY,
    ADD_POWER,
    CHALLENGE,
    PASS,
    PLACE,
    PLAY_CARD,
    PLAY_OPPORTUNITY,
    REPLACE_LINK,
)
from games.kaolan.rules.board import (
    EXCHANGE,
    PLACING,
    ability_free,
    choose_ability,
    choose_character,
    choose_power,
    discard_down,
    draw_card,
    links_to_replace,
    pass_discard,
    trim,
    trim_power,
)
from games.kaolan.rules.challenge import PLAIN, choose_defender
from games.kaolan.rules.contest import MODES
from games.kaolan.rules.elimination import drop_out, finish_at_turn_limit, step_up
from games.kaolan.state import (
    ABILITY,
    CHARACTER,
    HAND_LIMIT,
    NONE,
    OPPORTUNITY,
    POWER,
    Kaolan,
)
from rules.engine.moves import Card, Move, Seat, Slot, Target, chosen
from rules.engine.rulebook import AnyPrompt, Outlook, could_go

HAS_CHARACTER: Final = 1 << CHARACTER
HAS_POWER: Final = 1 << POWER
HAS_ABILITY: Final = 1 << ABILITY
HAS_OPPORTUNITY: Final = 1 << OPPORTUNITY


# -- the turn ----------------------------------------------------------------------------------


@BOOK.step
def start_turn(s: Kaolan) -> None:
    """KAO-M-16: one option a turn."""
    s.tell(events.TURN_STARTED, s.turn, s.turns + 1)
    s.switched = False
    s.then(end_turn)
    s.ask(s.turn, turn_action)


@BOOK.prompt("Your turn: choose what to do.", insists=True)
def turn_action(s: Kaolan, seat: int) -> list[Move]:
    """KAO-M-16, KAO-R-05: the options that can be carried out with hand and board as they are."""
    kind, colour = s.cards.kind, s.cards.colour
    hand, mode = s.hands[seat], MODES[s.mode]
    kinds = 0
    for card in hand:
        kinds |= 1 << kind[card]
    if kinds & HAS_CHARACTER and kind[s.board[seat][0]] != CHARACTER:
        return _field_a_leader(s, seat)
    options: list[Move] = []
    if kinds & HAS_CHARACTER:
        if mode.placeable(s, seat):
            options.append(PLACE)
        if mode.can_replace_link(s, seat):
            options.append(REPLACE_LINK)
    if kinds & HAS_POWER:
        free = s.free_colours(seat)
        for card in hand:
            if colour[card] & free and kind[card] == POWER:
                options.append(ADD_POWER)
                break
    if kinds & HAS_ABILITY and ability_free(s, seat):
        options.append(ADD_ABILITY)
    if kinds & HAS_OPPORTUNITY:
        for card in hand:
            if kind[card] == OPPORTUNITY and effects.playable(s, seat, card):
                options.append(PLAY_OPPORTUNITY)
                break
    if mode.can_challenge(s, seat):
        options.append(CHALLENGE)
    options.append(PASS)
    options.extend(mode.extra_actions(s, seat))
    return options


def _field_a_leader(s: Kaolan, seat: int) -> list[Move]:
    """KAO-R-12: without a Leader Character, and with a Character in hand, there is no hiding."""
    if any(effects.playable(s, seat, card) for card in _fielding_opportunities(s, seat)):
        return [PLACE, PLAY_OPPORTUNITY]
    return [PLACE]


def _fielding_opportunities(s: Kaolan, seat: int) -> list[int]:
    """KAO-R-12: the Opportunities in hand that may bring a Leader Character."""
    effect, fielding = s.cards.effect, MODES[s.mode].fielding
    return [card for card in s.hands[seat] if effect[card] in fielding]


def must_field_leader(s: Kaolan, seat: int) -> bool:
    """KAO-R-12: no Leader Character, but a Character in hand."""
    kind = s.cards.kind
    return s.leader(seat) < 0 and any(kind[card] == CHARACTER for card in s.hands[seat])


@turn_action.outlook
def what_could_go_where(s: Kaolan, seat: int) -> Outlook:
    """For each card of the hand the option that plays it, with the places that it could take."""
    offered = turn_action.options(s, seat)
    rows = [
        could_go(move, card, *places)
        for card in s.hands[seat]
        for move, places in _uses(s, seat, card)
        if move in offered and (places or move == PLAY_OPPORTUNITY)
    ]
    if CHALLENGE in offered:
        rivals = MODES[s.mode].may_challenge(s, seat)
        rows.append(could_go(CHALLENGE, None, *(Seat(other) for other in rivals)))
    return {"places": rows}


def _uses(s: Kaolan, seat: int, card: int) -> Sequence[tuple[Move, Sequence[Target]]]:
    mode, kind = MODES[s.mode], s.cards.kind[card]
    if kind == CHARACTER:
        slots = [Slot(mode.slots[slot]) for slot in mode.positions(s, seat, card)]
        links = links_to_replace(s, seat, card) if mode.can_replace_link(s, seat) else []
        return [(PLACE, slots), (REPLACE_LINK, [Card(link) for link in links])]
    if kind == POWER:
        hosts = [host for host in s.characters(seat) if s.can_hold(host, card)]
        return [(ADD_POWER, [Card(host) for host in hosts])]
    if kind == ABILITY:
        hosts = [host for host in mode.ability_hosts(s, seat) if s.ability[host] < 0]
        return [(ADD_ABILITY, [Card(host) for host in hosts])]
    return [(PLAY_OPPORTUNITY, [])] if effects.playable(s, seat, card) else []


@turn_action.answer
def take_action(s: Kaolan, seat: int, move: Move) -> None:
    """KAO-M-17: every option but Challenge begins with drawing one card."""
    verb = move.verb
    s.tell(events.ACTION, seat, verb)
    if verb in AFTER_DRAWING:
        draw_card(s, seat)
        kind, context = AFTER_DRAWING[verb]
        s.ask(seat, kind, *context)
    elif verb == CHALLENGE.verb:
        s.ask(seat, choose_defender, PLAIN)
    elif verb == PLAY_OPPORTUNITY.verb:
        _begin_opportunity(s, seat)
    else:
        _switch_pledge(s, seat)


AFTER_DRAWING: Final[Mapping[str, tuple[AnyPrompt, tuple[int, ...]]]] = {
    PLACE.verb: (choose_character, (PLACING,)),
    REPLACE_LINK.verb: (choose_character, (EXCHANGE,)),
    ADD_POWER.verb: (choose_power, ()),
    ADD_ABILITY.verb: (choose_ability, (NONE,)),
    PASS.verb: (pass_discard, ()),
}
"""The options that begin with drawing a card, and what they ask then."""


def _switch_pledge(s: Kaolan, seat: int) -> None:
    """KAO-R-43: once a turn, before the option, at no cost."""
    s.switched = True
    s.pledged[seat] = 0 if s.pledged[seat] else s.cards.colour[s.leader(seat)]
    s.tell(events.PLEDGE_CHANGED, seat, s.pledged[seat] > 0)
    s.ask(seat, turn_action)


@BOOK.step
def end_turn(s: Kaolan) -> None:
    """KAO-R-03: the hand limit, stuck players, the turn limit, then the next player."""
    seat = s.turn
    if seat not in s.out and len(s.hands[seat]) > HAND_LIMIT:
        s.then(end_turn)
        s.ask(seat, discard_down)
    elif MODES[s.mode].checks_at_end_of_turn:
        s.then(next_turn)
        s.then(check_stuck)
        s.then(check_leaders, 0)
    else:
        next_turn.do(s)


@BOOK.step
def check_leaders(s: Kaolan, index: int) -> None:
    """KAO-R-50: Guards, but no Leader and no way to place one: a Guard must step up."""
    seat = (s.turn + index) % s.seats
    if index + 1 < s.seats:
        s.then(check_leaders, index + 1)
    if seat not in s.out and _cannot_place(s, seat) and s.leader(seat) < 0:
        s.ask(seat, step_up)


@BOOK.step
def check_stuck(s: Kaolan) -> None:
    """KAO-R-49, KAO-R-25: who can never field a Character again is out; several share a rank."""
    order = [(s.turn + n) % s.seats for n in range(s.seats)]
    stuck = [seat for seat in order if seat not in s.out and _is_stuck(s, seat)]
    if stuck:
        s.next_moment()
        drop_out(s, stuck)


def _is_stuck(s: Kaolan, seat: int) -> bool:
    """KAO-R-49, KAO-T-13: no Character left, and no Salvage in hand that could bring one back."""
    return (
        _cannot_place(s, seat)
        and not s.characters(seat)
        and not effects.could_salvage(s, seat, CHARACTER)
    )


def _cannot_place(s: Kaolan, seat: int) -> bool:
    """KAO-R-49, KAO-R-50: no Character in hand and an empty Draw Pile."""
    kind = s.cards.kind
    return not s.draw[seat] and all(kind[card] != CHARACTER for card in s.hands[seat])


@BOOK.step
def next_turn(s: Kaolan) -> None:
    """KAO-R-24: the turn that ends is counted; KAO-R-01: the next player."""
    s.tell(events.TURN_ENDED, s.turn)
    s.turns += 1
    if s.turns >= s.turn_limit * s.seats:
        finish_at_turn_limit(s)
        return
    s.turn = next_seat(s, s.turn)
    start_turn.do(s)


def next_seat(s: Kaolan, seat: int) -> int:
    """KAO-R-01: clockwise, skipping players who are out."""
    seats, out = s.seats, s.out
    seat = (seat + 1) % seats
    while seat in out:
        seat = (seat + 1) % seats
    return seat


# -- Opportunity -------------------------------------------------------------------------------


def _begin_opportunity(s: Kaolan, seat: int) -> None:
    """KAO-M-29: the draw comes first where the mode says so (KAO-R-40)."""
    fielding = must_field_leader(s, seat)
    before = _opportunities(s, seat, fielding)
    if MODES[s.mode].opportunity_draws:
        draw_card(s, seat)
    s.ask(seat, choose_opportunity, int(fielding), *before)


def _opportunities(s: Kaolan, seat: int, fielding: bool) -> list[int]:
    """The Opportunities in hand that can be carried out now, under KAO-R-12 only certain ones."""
    kind, hand = s.cards.kind, s.hands[seat]
    cards = (
        _fielding_opportunities(s, seat)
        if fielding
        else [card for card in hand if kind[card] == OPPORTUNITY]
    )
    return [card for card in cards if effects.playable(s, seat, card)]


@BOOK.prompt("Choose the Opportunity to play.")
def choose_opportunity(s: Kaolan, seat: int, fielding: int, *before: int) -> list[Move]:
    """KAO-R-05, KAO-R-06: those that can be carried out now; else those of before the draw.

    ``fielding``: KAO-R-12 held at the start of the turn; a Character drawn since changes nothing.
    """
    now = _opportunities(s, seat, fielding == 1)
    hand = s.hands[seat]
    return [PLAY_CARD[card] for card in now or before if card in hand]


@choose_opportunity.answer
def show_opportunity(s: Kaolan, seat: int, move: Move, *_before: int) -> None:
    """KAO-M-29, KAO-R-30: shown to all; it lies in ``play`` until its text is done."""
    card = s.leave_hand(seat, chosen(move))
    possible = effects.playable(s, seat, card)
    s.play.append(card)
    s.tell(events.OPPORTUNITY_SHOWN, seat, card)
    s.then(finish_opportunity, seat, card)
    if possible:
        effects.carry_out(s, seat, card)


@BOOK.step
def finish_opportunity(s: Kaolan, seat: int, card: int) -> None:
    """KAO-M-29, KAO-R-30: discarded when its text is finished."""
    s.play.remove(card)
    s.put_on_discard(seat, card)


# -- giving up ---


def concede(s: Kaolan, seat: int) -> None:
    """KAO-R-23: out as if the last Character had been defeated."""
    s.tell(events.RESIGNED, seat)
    board = s.board[seat]
    for slot, card in enumerate(board):
        if s.is_character(card):
            board[slot] = NONE
            s.discard_group(seat, card)
    if seat == s.turn:
        _drop_turn(s)
    elif s.battle is not None:
        s.battle.gone.append(seat)
    moment = s.moment
    s.next_moment()
    drop_out(s, [seat], "resigned")
    if s.battle is not None and moment in s.moments:
        s.moment = moment  # who falls after this in the same battle fell with the others (KAO-R-25)
    else:
        s.next_moment()


def _drop_turn(s: Kaolan) -> None:
    """KAO-R-23, KAO-R-30: turn and Challenge end at once; an Opportunity in play is discarded.

    What others owe already is still asked: the Guard that steps up for a beaten Leader, the Power
    Cards over a Character's limit.
    """
    for other, prompt in list(s.prompts.items()):
        if prompt.kind not in (step_up.name, trim_power.name):
            del s.prompts[other]
    owed = [frame for frame in s.stack if frame[0] == trim.name and frame[1][0] != s.turn]
    s.stack[:] = [(end_turn.name, ()), *owed]
    s.battle = None
    while s.play:
        s.put_on_discard(s.turn, s.play.pop())
