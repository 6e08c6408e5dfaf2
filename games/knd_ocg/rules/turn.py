"""The turn (KND-T): its start, the Play Sequence and its actions, its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.knd_ocg import derived, effects, events
from games.knd_ocg.moves import (
    ACTIVE,
    ATTACH,
    DISCARD,
    EFFECT,
    END,
    FLEE,
    MOVE_UP,
    PLACE,
    RESERVE,
    SPECIAL,
)
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import attack, cards, ending, texts
from games.knd_ocg.rules.paying import pay_energy
from games.knd_ocg.rules.requirements import can_activate, playable, why_not_playable
from games.knd_ocg.state import CHARACTER, ENERGY, NONE, Duel
from rules.engine.moves import Card, Move, Slot, chosen
from rules.engine.prompts import Outlook, why_not

# -- start and end (KND-R-55) ----------------------------------------------------------------------


@BOOK.step
def start_turn(s: Duel) -> None:
    """KND-R-55: 1 what ends at the start, 2 who comes back, 3 the Draw Sequence."""
    seat = s.player = 1 - s.player
    s.turn += 1
    s.sequence = "draw"
    s.harmed = False
    s.tell(events.TURN_START, seat, s.turn)
    if s.marks:
        cards.end_marks_of(s, seat)
    if s.specials[seat]:
        discard_staying(s, seat)
    s.used.clear()
    s.once.clear()
    s.energy_left = 1
    if s.away[seat]:
        cards.come_back(s, seat)
    draw_sequence(s, seat)


def discard_staying(s: Duel, seat: int) -> None:
    """KND-X-33: what stays until your next turn."""
    staying = s.specials[seat]
    s.discards[seat] += staying
    s.tell(events.DISCARD, seat, tuple(staying), "specials")
    staying.clear()


def draw_sequence(s: Duel, seat: int) -> None:
    """KND-T-03, KND-W-03: exactly 1 card; who has none loses."""
    if not s.decks[seat]:
        ending.lose(s, seat, "deck")
        return
    cards.draw(s, seat, 1)
    s.sequence = "play"
    s.ask(seat, play)


@BOOK.step
def play_on(s: Duel) -> None:
    """KND-T-09: the actions of the Play Sequence come in any order."""
    s.ask(s.player, play)


@BOOK.step
def end_turn(s: Duel) -> None:
    """KND-R-55: 1 obligatory moving up (KND-R-07)."""
    seat = s.player
    if s.active[seat] >= 0:
        close_turn.do(s)
    else:
        s.then(close_turn)
        s.ask(seat, promote)


@BOOK.prompt("Choose who moves up.")
def promote(s: Duel, seat: int) -> Sequence[Move]:
    """KND-R-07: obligatory while somebody is in the Reserve."""
    return [MOVE_UP[card] for card in s.in_reserve(seat)]


@promote.answer
def promoted(s: Duel, seat: int, move: Move) -> None:
    cards.move_up(s, seat, chosen(move))


@BOOK.step
def close_turn(s: Duel) -> None:
    """KND-R-55: 2 KND-W-02; 3 (TT) ends; 4 KND-R-47, KND-R-48. KND-T-13: the opponent's turn."""
    if ending.without_active(s):
        return
    if s.marks:
        cards.end_turn_marks(s)
    s.energy_left = 0
    s.tell(events.TURN_END, s.player)
    if not (ending.too_quiet(s) or ending.past_the_cap(s)):
        start_turn.do(s)


# -- the Play Sequence -----------------------------------------------------------------------------


@BOOK.prompt("Your turn.", insists=True)
def play(s: Duel, seat: int) -> Sequence[Move]:
    """Everything that can be done now; KND-R-59: each card in hand is an option of its own."""
    under, active, reserve = s.under, s.active[seat], s.in_reserve(seat)
    field = [active, *reserve] if active >= 0 else reserve
    options = from_hand(s, seat, field, room=NONE in s.reserve[seat])
    if active < 0:
        options += [MOVE_UP[card] for card in reserve]
    elif reserve and active in under and can_flee(s, active):
        options += [FLEE[card] for card in reserve]
    activated = s.cards.activated
    for card in field:
        text = activated[card]
        if text and (card in under or text.cost_hp) and can_activate(s, seat, card):
            options.append(EFFECT[card])
    options += attack.attacks(s, seat)
    options.append(END)
    return options


def from_hand(s: Duel, seat: int, field: Sequence[int], *, room: bool) -> list[Move]:
    """Characters where there is room, an Energy card to each Character, Special Cards."""
    options: list[Move] = []
    kinds, energy_left = s.cards.kind, s.energy_left
    for card in s.hands[seat]:
        kind = kinds[card]
        if kind == CHARACTER:
            if room:  # KND-F-06
                options.append(PLACE[card][RESERVE])
                if not field:  # KND-F-07
                    options.append(PLACE[card][ACTIVE])
        elif kind == ENERGY:
            if energy_left:
                to = ATTACH[card]
                for host in field:
                    options.append(to[host])
        elif playable(s, seat, card):
            options.append(SPECIAL[card])
    return options


def can_flee(s: Duel, active: int) -> bool:
    """KND-F-12, KND-R-09: not while Stuck; the cost is paid in full."""
    return derived.means(s, active).flee and not derived.is_stuck(s, active)


@play.sentence
def whose_turn(s: Duel, seat: int, names: Sequence[str]) -> str:
    return (
        "Your turn: play cards, then attack." if s.active[seat] >= 0 else "Your turn: play cards."
    )


@play.answer
def act(s: Duel, seat: int, move: Move) -> None:
    """One action; then the next, until an attack or ``end`` ends the turn."""
    ACTIONS[move.verb](s, seat, move)


def end(s: Duel, seat: int, move: Move) -> None:
    end_turn.do(s)


def attack_once(s: Duel, seat: int, move: Move) -> None:
    """KND-A-03: with it the Play Sequence is over."""
    s.then(end_turn)
    attack.declare(s, seat, move)


def place(s: Duel, seat: int, move: Move) -> None:
    """KND-F-06, KND-F-07: in the free Reserve zone with the lowest number, or as Active."""
    card = chosen(move)
    assert isinstance(move.target, Slot)
    cards.leave_hand(s, seat, card)
    if move.target.slot == ACTIVE:
        s.active[seat] = card
        s.tell(events.PLACE, seat, card, ACTIVE)
    else:
        slot = s.free_slot(seat)
        s.reserve[seat][slot] = card
        s.tell(events.PLACE, seat, card, f"{RESERVE}-{slot + 1}")
    if attack.is_triggered(s, card, ("placed",)):
        s.then(play_on)
        s.then(attack.trigger, card, NONE)
    else:
        s.ask(seat, play)


def move_up(s: Duel, seat: int, move: Move) -> None:
    cards.move_up(s, seat, chosen(move))
    s.ask(seat, play)


def attach(s: Duel, seat: int, move: Move) -> None:
    """KND-E-05, KND-E-07"""
    card = chosen(move)
    assert isinstance(move.target, Card)
    cards.leave_hand(s, seat, card)
    cards.put_under(s, move.target.card, card)
    s.energy_left -= 1
    s.tell(events.ATTACH, seat, card, move.target.card)
    s.ask(seat, play)


def flee(s: Duel, seat: int, move: Move) -> None:
    """KND-F-09 to KND-F-12: the cost is paid first, then they switch."""
    active = s.active[seat]
    s.tell(events.FLEE, seat, active, chosen(move))
    s.then(play_on)
    s.then(come_in, seat, chosen(move))
    pay_energy(s, seat, active, s.cards.flee[active])


@BOOK.step
def come_in(s: Duel, seat: int, card: int) -> None:
    s.tell(events.SWITCH, seat, s.active[seat], card)
    cards.switch(s, seat, card)


def use_effect(s: Duel, seat: int, move: Move) -> None:
    """KND-R-58: requirement, cost, parts; KND-R-26: without a cost once per turn."""
    card = chosen(move)
    effect = s.cards.effect[card]
    assert effect is not None
    s.tell(events.EFFECT, seat, card, effect.name)
    s.then(play_on)
    if effect.is_free:
        s.used.append(card)
    texts.lay_up(s, seat, card, texts.EFFECT)
    s.then(cards.sweep)
    if effect.cost_hp:
        cards.lose_hp(s, card, effect.cost_hp, "cost")
    pay_energy(s, seat, card, effect.cost)


def play_special(s: Duel, seat: int, move: Move) -> None:
    """KND-X-06, KND-R-58: laid in the Special Card area; cost; parts; then KND-R-31."""
    card = chosen(move)
    special = s.cards.special[card]
    assert special is not None
    cards.leave_hand(s, seat, card)
    s.specials[seat].append(card)
    s.tell(events.SPECIAL, seat, card)
    if special.flag == "once":
        s.once.append(s.cards.slugs[card])
    s.then(play_on)
    s.then(put_special_away, seat, card)
    texts.lay_up(s, seat, card, texts.SPECIAL_CARD)
    if special.cost:
        s.then(cards.sweep)
        if "hand" in special.cost:
            s.ask(seat, pick_hand, card)
        else:
            s.ask(seat, effects.PICK_RESERVE, card, texts.SPECIAL_CARD, effects.COST, NONE)


@BOOK.prompt("Choose a card from your hand to discard.", name="pick-hand")
def pick_hand(s: Duel, seat: int, card: int) -> Sequence[Move]:
    """KND-R-59"""
    return [DISCARD[held] for held in s.hands[seat]]


@pick_hand.sentence
def cost_from_hand(s: Duel, seat: int, names: Sequence[str], card: int) -> str:
    return f"{s.cards.title[card]}: choose a card from your hand to discard."


@pick_hand.answer
def hand_paid(s: Duel, seat: int, move: Move, card: int) -> None:
    cards.discard_from_hand(s, seat, chosen(move))


@BOOK.step
def put_special_away(s: Duel, seat: int, card: int) -> None:
    """KND-R-31: to the discard pile, under its Character, out of the game, or it stays."""
    special = s.cards.special[card]
    assert special is not None
    area = s.specials[seat]
    if special.flag == "stays":
        for older in [other for other in area if other != card and _same(s, other, card)]:
            area.remove(older)
            s.discards[seat].append(older)
            s.tell(events.DISCARD, seat, (older,), "specials")
        return
    area.remove(card)
    if special.flag == "gear":
        put_on_gear(s, seat, card, s.chosen)
    elif special.flag == "removed":
        s.removed[seat].append(card)
        s.tell(events.REMOVED, seat, card)
    else:
        s.discards[seat].append(card)


def _same(s: Duel, card: int, other: int) -> bool:
    return s.cards.slugs[card] == s.cards.slugs[other]


def put_on_gear(s: Duel, seat: int, card: int, bearer: int) -> None:
    """KND-R-34: one Gear a Character; the older one goes to the discard pile."""
    older = s.gear_under(bearer)
    if older >= 0:
        cards.take_from_under(s, bearer, older)
        s.discards[seat].append(older)
        s.tell(events.DISCARD, seat, (older,), "gear")
    cards.put_under(s, bearer, card)
    s.tell(events.GEAR, seat, card, bearer)


ACTIONS: Final[Mapping[str, Any]] = {
    "place": place,
    "move-up": move_up,
    "attach": attach,
    "flee": flee,
    "effect": use_effect,
    "special": play_special,
    **dict.fromkeys(attack.VERBS, attack_once),
    "end": end,
}


# -- what the table is told ------------------------------------------------------------------------


@play.outlook
def what_could_be_done(s: Duel, seat: int) -> Outlook:
    """``attacks``: each attack with the reason where it is not open; ``ending``: what ``end`` would
    bring: "loses" (KND-W-02), "moves-up", or "" ."""
    rows = attack.attack_rows(s, seat)
    return {
        "attacks": rows,
        "why_not": _why_idle(s, seat, rows),
        "energy_left": s.energy_left,
        "ending": what_ending_brings(s, seat),
        "defeating": could_defeat(s, seat),
    }


def _why_idle(s: Duel, seat: int, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Why each card in hand or on the own field with which nothing can be done cannot be used."""
    field = s.field_of(seat)
    used = {move.card for move in play.options(s, seat)}
    obstacles = [(card, _obstacle(s, seat, card, field)) for card in s.hands[seat]]
    obstacles += _idle_on_field(s, seat, rows)
    return [why_not(card, *why) for card, why in obstacles if card not in used]


def _obstacle(s: Duel, seat: int, card: int, field: Sequence[int]) -> tuple[str, str]:
    kind = s.cards.kind[card]
    if kind == CHARACTER:
        return "Your Reserve is full.", "KND-F-06"
    if kind != ENERGY:
        return why_not_playable(s, seat, card)
    if not field:
        return "You have no Character to attach it to.", "KND-E-07"
    return "You have played your Energy card of this turn.", "KND-E-05"


def _idle_on_field(
    s: Duel, seat: int, rows: Sequence[Mapping[str, Any]]
) -> list[tuple[int, tuple[str, str]]]:
    """Why the Active Character cannot attack, and those in the Reserve cannot come in."""
    active = s.active[seat]
    if active < 0:
        return []
    obstacles = []
    own = [row for row in rows if row["card"] == active]
    if not any(row["ready"] for row in own):
        obstacles.append((active, (f"{own[0]['why']}.", own[0]["rule"])))
    if not can_flee(s, active):
        why = _why_no_fleeing(s, active)
        obstacles += [(card, why) for card in s.in_reserve(seat)]
    return obstacles


def _why_no_fleeing(s: Duel, active: int) -> tuple[str, str]:
    if derived.is_stuck(s, active):
        return f"{s.cards.title[active]} is Stuck, so nobody can come in.", "KND-X-26"
    cost = s.cards.flee[active].words
    return f"To flee, {s.cards.title[active]} pays {cost}.", "KND-F-12"


def what_ending_brings(s: Duel, seat: int) -> str:
    """KND-R-08: ending the turn without any Character loses."""
    if s.active[seat] >= 0:
        return ""
    return "moves-up" if s.in_reserve(seat) else "loses"


def could_defeat(s: Duel, seat: int) -> bool:
    """True if an attack is open that would defeat somebody."""
    for move in attack.attacks(s, seat):
        if move.card is None or not isinstance(move.target, Card):
            continue
        number = attack.NUMBERS[move.verb]
        if number >= 0 and s.cards.attacks[move.card][number].form == "trick":
            continue
        if attack.foreseen(s, move.card, number, move.target.card)["defeats"]:
            return True
    return False
