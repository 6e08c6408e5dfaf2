"""A turn: its options, drawing, the hand limit, elimination and the end of the match.

Written once for all contest modes; what differs between them is asked of the mode (``MODES``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.kaolan import effects
from games.kaolan.rules.book import BOOK, MODES
from games.kaolan.rules.challenge import PLAIN
from games.kaolan.state import (
    ABILITY,
    CHARACTER,
    HAND_LIMIT,
    NONE,
    OPPORTUNITY,
    POWER,
    WAYS,
    Kaolan,
)
from rules.engine.moves import ByCard, ByTarget, Card, Move, Slot
from rules.engine.state import ranked

PLACE: Final = Move("place")
REPLACE_LINK: Final = Move("replace_link")
ADD_POWER: Final = Move("add_power")
ADD_ABILITY: Final = Move("add_ability")
PLAY_OPPORTUNITY: Final = Move("opportunity")
CHALLENGE: Final = Move("challenge")
PASS: Final = Move("pass")

HAS_CHARACTER: Final = 1 << CHARACTER
HAS_POWER: Final = 1 << POWER
HAS_ABILITY: Final = 1 << ABILITY
HAS_OPPORTUNITY: Final = 1 << OPPORTUNITY

TO_HAND: Final = Move("hand")
TO_DISCARD: Final = Move("discard")

CHARACTER_CARD: Final = ByCard("character")
POWER_CARD: Final = ByCard("power")
ABILITY_CARD: Final = ByCard("ability")
PLAY_CARD: Final = ByCard("play")
DISCARD_CARD: Final = ByCard("discard")
STEP_UP: Final = ByCard("step_up")
UNDER: Final = ByTarget("under", Card)
POSITION: Final = ByTarget("position", Slot)


# -- the turn ----------------------------------------------------------------------------------


@BOOK.step
def start_turn(s: Kaolan) -> None:
    """M-16: one option a turn."""
    s.tell("turn_started", s.turn, s.turns + 1)
    s.switched = False
    s.then("end_turn")
    s.ask(s.turn, "turn_action")


@BOOK.question("turn_action")
def turn_actions(s: Kaolan, seat: int) -> list[Move]:
    """M-16, R-05: the options that can be carried out with hand and board as they are."""
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
    if mode.may_challenge(s, seat):
        options.append(CHALLENGE)
    options.append(PASS)
    options.extend(mode.extra_actions(s, seat))
    return options


def ability_free(s: Kaolan, seat: int) -> bool:
    """C-12, M-27: True if a Character of the board has no Special Ability."""
    ability = s.ability
    return any(ability[host] < 0 for host in MODES[s.mode].ability_hosts(s, seat))


def _field_a_leader(s: Kaolan, seat: int) -> list[Move]:
    """R-12: without a Leader Character, and with a Character in hand, there is no hiding."""
    if any(effects.playable(s, seat, card) for card in _fielding_opportunities(s, seat)):
        return [PLACE, PLAY_OPPORTUNITY]
    return [PLACE]


def _fielding_opportunities(s: Kaolan, seat: int) -> list[int]:
    """R-12: the Opportunities in hand that may bring a Leader Character."""
    effect, fielding = s.cards.effect, MODES[s.mode].fielding
    return [card for card in s.hands[seat] if effect[card] in fielding]


def must_field_leader(s: Kaolan, seat: int) -> bool:
    """R-12: no Leader Character, but a Character in hand."""
    kind = s.cards.kind
    return s.leader(seat) < 0 and any(kind[card] == CHARACTER for card in s.hands[seat])


@BOOK.answer("turn_action")
def take_action(s: Kaolan, seat: int, move: Move) -> None:
    """M-17: every option but Challenge begins with drawing one card."""
    verb = move.verb
    s.tell("action", seat, verb)
    match verb:
        case "challenge":
            s.ask(seat, "choose_defender", PLAIN)
        case "place":
            draw_card(s, seat)
            s.ask(seat, "choose_character", 0)
        case "replace_link":
            draw_card(s, seat)
            s.ask(seat, "choose_exchange")
        case "add_power":
            draw_card(s, seat)
            s.ask(seat, "choose_power")
        case "add_ability":
            draw_card(s, seat)
            s.ask(seat, "choose_ability", NONE)
        case "pass":
            draw_card(s, seat)
            s.ask(seat, "pass_discard")
        case "opportunity":
            _begin_opportunity(s, seat)
        case _:
            _switch_pledge(s, seat)


def _switch_pledge(s: Kaolan, seat: int) -> None:
    """R-43: once a turn, before the option, at no cost."""
    s.switched = True
    s.pledged[seat] = 0 if s.pledged[seat] else s.cards.colour[s.leader(seat)]
    s.tell("pledge_changed", seat, s.pledged[seat] > 0)
    s.ask(seat, "turn_action")


@BOOK.step
def end_turn(s: Kaolan) -> None:
    """R-03: the hand limit, stuck players, the turn limit, then the next player."""
    seat = s.turn
    if seat not in s.out and len(s.hands[seat]) > HAND_LIMIT:
        s.then("end_turn")
        s.ask(seat, "discard_down")
    elif MODES[s.mode].checks_at_end_of_turn:
        s.then("next_turn")
        s.then("check_stuck")
        s.then("check_leaders", 0)
    else:
        next_turn(s)


@BOOK.step
def check_leaders(s: Kaolan, index: int) -> None:
    """R-50: Guards, but no Leader and no way to place one: a Guard must step up."""
    seat = (s.turn + index) % s.seats
    if index + 1 < s.seats:
        s.then("check_leaders", index + 1)
    if seat not in s.out and _cannot_place(s, seat) and s.leader(seat) < 0:
        s.ask(seat, "step_up")


@BOOK.step
def check_stuck(s: Kaolan) -> None:
    """R-49: who can never field a Character again is out; several at once share a rank (R-25)."""
    order = [(s.turn + n) % s.seats for n in range(s.seats)]
    stuck = [
        seat
        for seat in order
        if seat not in s.out and _cannot_place(s, seat) and not s.characters(seat)
    ]
    if stuck:
        s.moment += 1
        drop_out(s, stuck)


def _cannot_place(s: Kaolan, seat: int) -> bool:
    """R-49, R-50: no Character in hand and an empty Draw Pile."""
    kind = s.cards.kind
    return not s.draw[seat] and all(kind[card] != CHARACTER for card in s.hands[seat])


@BOOK.step
def next_turn(s: Kaolan) -> None:
    """R-24: the turn that ends is counted; R-01: the next player."""
    s.tell("turn_ended", s.turn)
    s.turns += 1
    if s.turns >= s.turn_limit * s.seats:
        finish_at_turn_limit(s)
        return
    s.turn = next_seat(s, s.turn)
    start_turn(s)


def next_seat(s: Kaolan, seat: int) -> int:
    """R-01: clockwise, skipping players who are out."""
    seats, out = s.seats, s.out
    seat = (seat + 1) % seats
    while seat in out:
        seat = (seat + 1) % seats
    return seat


# -- drawing and discarding --------------------------------------------------------------------


def draw_card(s: Kaolan, seat: int) -> None:
    """M-17; an empty Draw Pile is renewed at this moment (M-14, R-08)."""
    pile = s.draw[seat]
    if not pile and not recycle(s, seat):
        s.tell("drew", seat, ())
        return
    card = pile.pop()
    s.hands[seat].append(card)
    s.tell("drew", seat, (card,))


def recycle(s: Kaolan, seat: int) -> bool:
    """M-14, R-08: shuffle the Discard Pile into a new Draw Pile; False if there is none."""
    pile, discard = s.draw[seat], s.discard[seat]
    if s.own_piles or not discard:
        return False
    pile.extend(discard)
    discard.clear()
    for card in pile:
        s.known.pop(card, None)
    s.chance.shuffle(pile)
    s.tell("recycled", tuple(pile))
    return True


def can_draw(s: Kaolan, seat: int) -> bool:
    """Section 6.4: “a card can be drawn”."""
    if s.draw[seat]:
        return True
    return not s.own_piles and bool(s.discard[seat])


@BOOK.question("pass_discard", "discard_down")
def discardable(s: Kaolan, seat: int) -> list[Move]:
    """Every hand card; no Character while one must be fielded and other cards are there (R-12)."""
    hand, kind = s.hands[seat], s.cards.kind
    if s.leader(seat) < 0:
        others = [DISCARD_CARD[card] for card in hand if kind[card] != CHARACTER]
        if others:
            return others
    return [DISCARD_CARD[card] for card in hand]


@BOOK.answer("pass_discard", "discard_down")
def discard_from_hand(s: Kaolan, seat: int, move: Move) -> None:
    """M-30, M-12."""
    assert move.card is not None
    s.put_on_discard(seat, s.leave_hand(seat, move.card))


# -- Place -------------------------------------------------------------------------------------


@BOOK.question("choose_character")
def placeable(s: Kaolan, seat: int, reinforcement: int) -> list[Move]:
    """M-18: Characters in hand that have a legal position.

    ``reinforcement``: 0 for the option Place, 1 and 2 for the placements of that Opportunity.
    """
    cards = MODES[s.mode].placeable(s, seat, reinforcements=reinforcement > 0)
    options = [CHARACTER_CARD[card] for card in cards]
    if reinforcement == 2 and options:
        options.append(effects.DONE)
    return options


@BOOK.answer("choose_character")
def character_chosen(s: Kaolan, seat: int, move: Move, reinforcement: int) -> None:
    if move.card is None:
        return
    if reinforcement == 1:
        s.then("reinforce_again", seat)
    s.ask(seat, "choose_position", s.show_chosen(seat, move.card), reinforcement)


@BOOK.question("choose_position")
def open_positions(s: Kaolan, seat: int, card: int, reinforcement: int) -> list[Move]:
    """M-19 to M-21, T-16, T-17, P-12, P-14."""
    mode = MODES[s.mode]
    slots = mode.positions(s, seat, card, reinforcements=reinforcement > 0)
    return [POSITION[mode.slots[slot]] for slot in slots]


@BOOK.answer("choose_position")
def position_chosen(s: Kaolan, seat: int, move: Move, card: int, reinforcement: int) -> None:
    assert isinstance(move.target, Slot)
    slot = MODES[s.mode].slots.index(move.target.slot)
    board = s.board[seat]
    if slot < len(board) and board[slot] != NONE and not s.is_character(board[slot]):
        s.ask(seat, "replaced_card", card, slot)
    else:
        _put_on_board(s, seat, card, slot)


@BOOK.question("replaced_card")
def replaced_card_goes(s: Kaolan, seat: int, card: int, slot: int) -> Sequence[Move]:
    """M-22, T-18, P-12, R-63: the own hand or the Discard Pile."""
    return (TO_HAND, TO_DISCARD)


@BOOK.answer("replaced_card")
def replace(s: Kaolan, seat: int, move: Move, card: int, slot: int) -> None:
    """M-18, M-22; a link that is exchanged leaves its Power Cards to the new one (R-63)."""
    old = s.board[seat][slot]
    if s.is_character(old):
        _exchange_link(s, seat, card, slot)
    else:
        _put_on_board(s, seat, card, slot)
    if move.verb == "hand":
        s.hands[seat].append(old)
        s.reveal(old)
        s.tell("replaced", seat, old, "hand")
    else:
        s.tell("replaced", seat, old, "discard")
        s.put_on_discard(seat, old)


def _put_on_board(s: Kaolan, seat: int, card: int, slot: int) -> None:
    card = s.leave_hand(seat, card)
    mode = MODES[s.mode]
    s.tell("placed", seat, card, mode.settle_on(s, seat, card, slot))
    if slot == 0:
        mode.leader_changed(s, seat)


# -- Replace Link ------------------------------------------------------------------------------


@BOOK.question("choose_exchange")
def exchangeable(s: Kaolan, seat: int) -> list[Move]:
    """P-16: Characters in hand of the same level and another colour than some link."""
    kind = s.cards.kind
    return [
        CHARACTER_CARD[card]
        for card in s.hands[seat]
        if kind[card] == CHARACTER and links_to_replace(s, seat, card)
    ]


def links_to_replace(s: Kaolan, seat: int, card: int) -> list[int]:
    """P-16, P-17, R-63: the links that this Character may take the place of (at most one)."""
    level, colour = s.cards.level, s.cards.colour
    return [
        link
        for link in s.board[seat][1:]
        if level[link] == level[card] and colour[link] != colour[card]
    ]


@BOOK.answer("choose_exchange")
def exchange_chosen(s: Kaolan, seat: int, move: Move) -> None:
    assert move.card is not None
    s.ask(seat, "choose_link", s.show_chosen(seat, move.card))


@BOOK.question("choose_link")
def replaceable_links(s: Kaolan, seat: int, card: int) -> list[Move]:
    return [UNDER[link] for link in links_to_replace(s, seat, card)]


@BOOK.answer("choose_link")
def link_chosen(s: Kaolan, seat: int, move: Move, card: int) -> None:
    assert isinstance(move.target, Card)
    s.ask(seat, "replaced_card", card, s.board[seat].index(move.target.card))


def _exchange_link(s: Kaolan, seat: int, card: int, slot: int) -> None:
    """R-63: it takes the old one's place and what it may hold of the Power Cards (R-17)."""
    board = s.board[seat]
    old = board[slot]
    card = s.leave_hand(seat, card)
    board[slot] = card
    s.powers[card], s.powers[old] = s.powers[old], ()
    s.tell("placed", seat, card, "link")
    s.then("trim", seat, card)


# -- Add Power, Add Ability --------------------------------------------------------------------


@BOOK.question("choose_power")
def attachable_powers(s: Kaolan, seat: int) -> list[Move]:
    """M-24, M-26: Power Cards in hand that some own Character may take."""
    kind, colour = s.cards.kind, s.cards.colour
    free = s.free_colours(seat)
    return [
        POWER_CARD[card] for card in s.hands[seat] if kind[card] == POWER and colour[card] & free
    ]


@BOOK.answer("choose_power")
def power_chosen(s: Kaolan, seat: int, move: Move) -> None:
    assert move.card is not None
    s.ask(seat, "choose_power_host", s.show_chosen(seat, move.card))


@BOOK.question("choose_power_host")
def power_hosts(s: Kaolan, seat: int, power: int) -> list[Move]:
    """M-24: Leader and Guards alike; only the own ones (R-07)."""
    return [UNDER[host] for host in s.characters(seat) if s.can_hold(host, power)]


@BOOK.answer("choose_power_host")
def attach_power(s: Kaolan, seat: int, move: Move, power: int) -> None:
    """M-24, M-25."""
    assert isinstance(move.target, Card)
    host = move.target.card
    power = s.leave_hand(seat, power)
    s.powers[host] += (power,)
    s.tell("attached", seat, power, host)


@BOOK.question("choose_ability")
def attachable_abilities(s: Kaolan, seat: int, host: int) -> list[Move]:
    """M-27. With ``host`` ≥ 0 (New Teaching) the Character is chosen already."""
    kind = s.cards.kind
    if host < 0 and not ability_free(s, seat):
        return []
    return [ABILITY_CARD[card] for card in s.hands[seat] if kind[card] == ABILITY]


@BOOK.answer("choose_ability")
def ability_chosen(s: Kaolan, seat: int, move: Move, host: int) -> None:
    assert move.card is not None
    if host >= 0:
        effects.teach(s, seat, move.card, host)
    else:
        s.ask(seat, "choose_ability_host", s.show_chosen(seat, move.card))


@BOOK.question("choose_ability_host")
def ability_hosts(s: Kaolan, seat: int, card: int) -> list[Move]:
    """C-12, M-27: own Characters without a Special Ability."""
    return [UNDER[host] for host in MODES[s.mode].ability_hosts(s, seat) if s.ability[host] < 0]


@BOOK.answer("choose_ability_host")
def attach_ability(s: Kaolan, seat: int, move: Move, card: int) -> None:
    """M-27, C-13."""
    assert isinstance(move.target, Card)
    host = move.target.card
    card = s.leave_hand(seat, card)
    s.ability[host] = card
    s.tell("attached", seat, card, host)


@BOOK.step
def trim(s: Kaolan, seat: int, host: int) -> None:
    """R-17: what a Character may no longer hold goes, off-colour cards first and without choice."""
    accepted = s.accepts(host)
    for power in s.powers[host]:
        if not s.cards.colour[power] & accepted:
            s.discard_power(seat, host, power)
    if len(s.powers[host]) > s.limit(host):
        s.then("trim", seat, host)
        s.ask(seat, "trim_power", host)


@BOOK.question("trim_power")
def trimmable(s: Kaolan, seat: int, host: int) -> list[Move]:
    return [DISCARD_CARD[power] for power in s.powers[host]]


@BOOK.answer("trim_power")
def trim_one(s: Kaolan, seat: int, move: Move, host: int) -> None:
    assert move.card is not None
    s.discard_power(seat, host, move.card)


# -- Opportunity -------------------------------------------------------------------------------


def _begin_opportunity(s: Kaolan, seat: int) -> None:
    """M-29: the draw comes first where the mode says so (R-40)."""
    fielding = must_field_leader(s, seat)
    before = _opportunities(s, seat, fielding)
    if MODES[s.mode].opportunity_draws:
        draw_card(s, seat)
    s.ask(seat, "choose_opportunity", int(fielding), *before)


def _opportunities(s: Kaolan, seat: int, fielding: bool) -> list[int]:
    """The Opportunities in hand that can be carried out now, under R-12 only certain ones."""
    kind, hand = s.cards.kind, s.hands[seat]
    cards = (
        _fielding_opportunities(s, seat)
        if fielding
        else [card for card in hand if kind[card] == OPPORTUNITY]
    )
    return [card for card in cards if effects.playable(s, seat, card)]


@BOOK.question("choose_opportunity")
def playable_opportunities(s: Kaolan, seat: int, fielding: int, *before: int) -> list[Move]:
    """R-05, R-06: those that can be carried out now; if the draw has spoilt all, those before it.

    ``fielding``: R-12 held at the start of the turn; a Character drawn since changes nothing.
    """
    now = _opportunities(s, seat, fielding == 1)
    hand = s.hands[seat]
    return [PLAY_CARD[card] for card in now or before if card in hand]


@BOOK.answer("choose_opportunity")
def show_opportunity(s: Kaolan, seat: int, move: Move, *_before: int) -> None:
    """M-29, R-30: shown to all; it lies in ``play`` until its text is done."""
    assert move.card is not None
    card = s.leave_hand(seat, move.card)
    possible = effects.playable(s, seat, card)
    s.play.append(card)
    s.tell("opportunity_shown", seat, card)
    s.then("finish_opportunity", seat, card)
    if possible:
        effects.carry_out(s, seat, card)


@BOOK.step
def finish_opportunity(s: Kaolan, seat: int, card: int) -> None:
    """M-29, R-30: discarded when its text is finished."""
    s.play.remove(card)
    s.put_on_discard(seat, card)


# -- elimination and the end -------------------------------------------------------------------


@BOOK.step
def defeat(s: Kaolan, seat: int) -> None:
    """M-41 to M-43: the Leader's group is discarded; a Guard steps up, or the player is out."""
    fallen = MODES[s.mode].beaten(s, seat)
    board = s.board[seat]
    s.tell("defeated", seat, fallen[0])
    for character in fallen:
        board[board.index(character)] = NONE
        s.discard_group(seat, character)
    if s.guard_characters(seat):
        s.ask(seat, "step_up")
    else:
        drop_out(s, [seat])


@BOOK.question("step_up")
def guards_to_step_up(s: Kaolan, seat: int) -> list[Move]:
    """R-14, R-15: the Defender chooses among the Guard Characters."""
    return [STEP_UP[guard] for guard in s.guard_characters(seat)]


@BOOK.answer("step_up")
def step_up(s: Kaolan, seat: int, move: Move) -> None:
    """M-42, R-15: with everything under it; its position stays empty.

    A non-Character card on the Leader position is discarded (R-50).
    """
    guard = move.card
    assert guard is not None
    board = s.board[seat]
    board[board.index(guard)] = NONE
    old, board[0] = board[0], guard
    s.tell("stepped_up", seat, guard)
    if old >= 0:
        s.put_on_discard(seat, old)
    MODES[s.mode].leader_changed(s, seat)


def drop_out(s: Kaolan, seats: list[int], reason: str = "") -> None:
    """M-06, M-43, R-22: these players are out at the same moment; perhaps the match is over."""
    for seat in seats:
        eliminate(s, seat)
    left = s.still_in()
    if len(left) <= 1:
        # if nobody is left, it is a draw between those who went last
        finish(s, [left] if left else [], reason or MODES[s.mode].last_standing)


def eliminate(s: Kaolan, seat: int) -> None:
    """R-22: the rest of the board is discarded, the hand as the mode says."""
    s.drop(seat)
    s.pledged[seat] = 0
    s.tell("eliminated", seat)
    board = s.board[seat]
    for slot, card in enumerate(board):
        if card >= 0:
            board[slot] = NONE
            s.put_on_discard(seat, card)
    MODES[s.mode].put_away(s, seat)


def concede(s: Kaolan, seat: int) -> None:
    """R-23: out as if the last Character had been defeated."""
    s.tell("resigned", seat)
    board = s.board[seat]
    for slot, card in enumerate(board):
        if s.is_character(card):
            board[slot] = NONE
            s.discard_group(seat, card)
    if seat == s.turn:
        _drop_turn(s)
    elif s.battle is not None:
        s.battle.gone.append(seat)
    s.moment += 1
    drop_out(s, [seat], "resigned")
    s.moment += 1  # who falls later in the same battle shares no rank with who resigned


def _drop_turn(s: Kaolan) -> None:
    """R-23, R-30: the turn and its Challenge end at once; an Opportunity in play is discarded.

    What others owe already is still asked: the Guard that steps up for a beaten Leader, the Power
    Cards over a Character's limit.
    """
    for other, prompt in list(s.prompts.items()):
        if prompt.kind not in ("step_up", "trim_power"):
            del s.prompts[other]
    owed = [frame for frame in s.stack if frame[0] == "trim" and frame[1][0] != s.turn]
    s.stack[:] = [("end_turn", ()), *owed]
    s.battle = None
    while s.play:
        s.put_on_discard(s.turn, s.play.pop())


def finish(s: Kaolan, best: Iterable[Sequence[int]], reason: str) -> None:
    """The match is over: ``best`` are the seats still in, by rank; the rest by R-24, R-25."""
    # an Opportunity that ended the match is discarded all the same
    while s.play:
        s.put_on_discard(s.turn, s.play.pop())
    s.battle = None
    ranking = s.ranking(best)
    s.end(ranking, reason, details=MODES[s.mode].spoils(s, ranking[0], reason))
    s.tell("match_ended", ranking, reason)


def finish_at_turn_limit(s: Kaolan) -> None:
    """R-24: rank the players still in by what lies before them."""
    finish(s, ranked(s.still_in(), lambda seat: strength(s, seat)), "turn_limit")


def strength(s: Kaolan, seat: int) -> tuple[int, int, int, int, int]:
    """R-24 (a) to (e)."""
    characters = s.characters(seat)
    return (
        int(s.leader(seat) >= 0),
        len(characters),
        sum(s.cards.level[card] for card in characters),
        sum(len(s.powers[card]) for card in characters),
        WAYS[MODES[s.mode].numbers(s, seat)],
    )
