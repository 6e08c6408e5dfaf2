"""A turn: its options, the Opportunity, its end, and giving up in the middle of it.

Written once for all contest modes; what differs between them is asked of the mode (``MODES``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.kaolan import effects, events
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
from games.kaolan.rulebook import BOOK
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
    CLOCKWISE,
    HAND_LIMIT,
    HAS_ABILITY,
    HAS_CHARACTER,
    HAS_OPPORTUNITY,
    HAS_POWER,
    NONE,
    OPPORTUNITY,
    POWER,
    POWER_COLOURS,
    Kaolan,
)
from rules.engine.moves import Card, Move, Seat, Slot, Target, chosen
from rules.engine.prompts import AnyPrompt, Outlook, could_go, why_not

# -- the turn ----------------------------------------------------------------------------------


@BOOK.step
def start_turn(s: Kaolan) -> None:
    """KAO-M-16: one option a turn."""
    seat = s.turn
    s.tell(events.TURN_STARTED, seat, s.turns + 1)
    s.switched = False
    s.then(end_turn)
    s.ask(seat, turn_action)


@BOOK.prompt("Your turn: choose what to do.", insists=True, public=True)
def turn_action(s: Kaolan, seat: int) -> list[Move]:
    """KAO-M-16, KAO-R-05: the options that can be carried out with hand and board as they are."""
    cards, hand, mode = s.cards, s.hands[seat], MODES[s.mode]
    kind, makes = cards.kind, cards.makes
    possible = 0
    for card in hand:
        possible |= makes[card]
    options: list[Move] = []
    if possible & HAS_CHARACTER:
        if kind[s.board[seat][0]] != CHARACTER:
            return _field_a_leader(s, seat)
        if mode.can_place(s, seat):
            options.append(PLACE)
        if mode.has_links and mode.can_replace_link(s, seat):
            options.append(REPLACE_LINK)
    if possible & HAS_POWER and s.has_room(seat, possible >> POWER_COLOURS):
        options.append(ADD_POWER)
    if possible & HAS_ABILITY and ability_free(s, seat):
        options.append(ADD_ABILITY)
    if possible & HAS_OPPORTUNITY:
        for card in hand:
            if kind[card] == OPPORTUNITY and effects.playable(s, seat, card):
                options.append(PLAY_OPPORTUNITY)
                break
    if mode.can_challenge(s, seat):
        options.append(CHALLENGE)
    options.append(PASS)
    if mode.has_alliances:
        options.extend(mode.pledges(s, seat))
    return options


def _field_a_leader(s: Kaolan, seat: int) -> list[Move]:
    """KAO-R-12: without a Leader Character, but with a Character in hand, nobody may hide."""
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
    playable = {row["card"] for row in rows}
    idle = [card for card in s.hands[seat] if card not in playable]
    return {"places": rows, "why_not": [why_not(card, *_obstacle(s, seat, card)) for card in idle]}


def _obstacle(s: Kaolan, seat: int, card: int) -> tuple[str, str]:
    """The reason that a card in hand cannot be played this turn, and its rule."""
    mode, kind = MODES[s.mode], s.cards.kind[card]
    if kind != CHARACTER and must_field_leader(s, seat):
        return "A Character comes first: place one from your hand.", "KAO-R-12"
    if kind == CHARACTER:
        return mode.no_place
    if kind == OPPORTUNITY:
        return "It would have no effect now.", "KAO-R-05"
    if not s.characters(seat):
        return (
            "You have no Character to attach it to.",
            "KAO-M-24" if kind == POWER else "KAO-M-27",
        )
    if kind == ABILITY:
        return "All your Characters that can learn one have a Special Ability.", "KAO-C-12"
    if any(s.cards.colour[card] & s.accepts(host) for host in s.characters(seat)):
        return "Your Characters of that colour have no room.", "KAO-C-10"
    return "None of your Characters takes its colour.", "KAO-C-09"


def _uses(s: Kaolan, seat: int, card: int) -> Sequence[tuple[Move, Sequence[Target]]]:
    mode, kind = MODES[s.mode], s.cards.kind[card]
    if kind == CHARACTER:
        slots = [Slot(mode.slots[slot]) for slot in mode.positions(s, seat, card)]
        links = links_to_replace(s, seat, card) if mode.has_links else []
        return [(PLACE, slots), (REPLACE_LINK, [Card(link) for link in links])]
    if kind == POWER:
        hosts = [host for host in s.characters(seat) if s.can_hold(host, card)]
        return [(ADD_POWER, [Card(host) for host in hosts])]
    if kind == ABILITY:
        hosts = [host for host in mode.ability_hosts(s, seat) if s.ability[host] < 0]
        return [(ADD_ABILITY, [Card(host) for host in hosts])]
    playable = _opportunities(s, seat, must_field_leader(s, seat))
    return [(PLAY_OPPORTUNITY, [])] if card in playable else []


@turn_action.answer
def take_action(s: Kaolan, seat: int, move: Move) -> None:
    """KAO-M-17: every option but Challenge begins with drawing one card."""
    verb = move.verb
    s.tell(events.ACTION, seat, verb)
    after = AFTER_DRAWING.get(verb)
    if after is not None:
        draw_card(s, seat)
        kind, context = after
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
    if len(s.hands[seat]) > HAND_LIMIT and seat not in s.out:
        s.then(end_turn)
        s.ask(seat, discard_down)
    elif MODES[s.mode].checks_at_end_of_turn and _some_pile_is_empty(s):
        s.then(next_turn)
        s.then(check_stuck)
        check_leaders.do(s, 0)
    else:
        next_turn.do(s)


def _some_pile_is_empty(s: Kaolan) -> bool:
    """KAO-R-49, KAO-R-50: with cards to draw nobody is stuck, and no Guard must step up."""
    out = s.out
    for seat, pile in enumerate(s.draw):  # noqa: SIM110 - any() costs twice as much
        if not pile and seat not in out:
            return True
    return False


@BOOK.step
def check_leaders(s: Kaolan, index: int) -> None:
    """KAO-R-50: Guards, but no Leader and no way to place one: a Guard must step up."""
    seats = s.seats
    while index < seats:
        seat = (s.turn + index) % seats
        index += 1
        if s.leader(seat) < 0 and seat not in s.out and _cannot_place(s, seat):
            if index < seats:
                s.then(check_leaders, index)
            s.ask(seat, step_up)
            return


@BOOK.step
def check_stuck(s: Kaolan) -> None:
    """KAO-R-49, KAO-R-25: who can never field a Character again is out; several share a rank."""
    draw, out = s.draw, s.out
    order = (s.turn, *CLOCKWISE[s.seats][s.turn])
    without = [seat for seat in order if not draw[seat] and seat not in out]
    stuck = [seat for seat in without if _is_stuck(s, seat)]
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
    if s.draw[seat]:
        return False
    s.depends_on(seat)
    kind = s.cards.kind
    return all(kind[card] != CHARACTER for card in s.hands[seat])


@BOOK.step
def next_turn(s: Kaolan) -> None:
    """KAO-R-24: the turn that ends is counted; KAO-R-01: the next player."""
    seat, out = s.turn, s.out
    s.tell(events.TURN_ENDED, seat)
    s.turns += 1
    if s.turns >= s.turn_limit * s.seats:
        finish_at_turn_limit(s)
        return
    for other in CLOCKWISE[s.seats][seat]:
        if other not in out:
            s.turn = other
            break
    start_turn.do(s)


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
