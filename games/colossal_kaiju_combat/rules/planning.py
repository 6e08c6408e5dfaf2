"""Phase 2: planning cards are played one by one, round the table (CKC-T-04, CKC-P)."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import effects, events
from games.colossal_kaiju_combat.characters import meets
from games.colossal_kaiju_combat.moves import NO, PASS, PLAY
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.decks import put_on_discard
from games.colossal_kaiju_combat.rules.glory import check_glory
from games.colossal_kaiju_combat.state import Kaiju
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook, why_not


@BOOK.step
def planning_turn(s: Kaiju, seat: int) -> None:
    """CKC-R-06: the phase ends when all remaining players have passed in a row."""
    playing, done = s.playing(), s.done
    if len(done) >= len(playing) and all(seat in done for seat in playing):
        return
    if seat not in playing:
        seat = next_player(s, seat)
    s.acting = seat
    s.then(planning_turn, next_player(s, seat))
    s.ask(seat, plan_play)


def next_player(s: Kaiju, seat: int) -> int:
    """The next in initiative order that is still in; the same where nobody else is."""
    at = s.order.index(seat) + 1
    for other in (*s.order[at:], *s.order[:at]):
        if other not in s.out:
            break
    return other


@BOOK.prompt("Play a planning card?")
def plan_play(s: Kaiju, seat: int) -> Sequence[Move]:
    """CKC-T-05, CKC-P-02"""
    options = [PLAY[card] for card in s.planning_hands[seat] if playable(s, seat, card)]
    return [*options, PASS]


def playable(s: Kaiju, seat: int, card: int) -> bool:
    """CKC-P-02, CKC-P-04, CKC-P-07 to CKC-P-09, CKC-R-57: in the planning phase."""
    it = s.cards.prints[card]
    if it.is_city:
        return True
    if it.kind == "ally":
        return any(meets(s, member, it) for member in s.rows[seat])
    return it.moment == "planning" and effects.possible(s, seat, card)


def obstacle(s: Kaiju, card: int) -> tuple[str, str]:
    """Why a planning card may not be played in phase 2, and the rule that says so."""
    it = s.cards.prints[card]
    if it.kind == "ally":
        asks = s.cards.requirements[card]
        return f"Your team needs {asks}.", "CKC-P-09"
    if it.kind == "scar":
        return "Scars are played at the end of a combat.", "CKC-P-04"
    if it.moment != "planning":
        return f"It is played {s.cards.moments[card]}.", "CKC-P-02"
    return "It would have no effect now.", "CKC-R-57"


@plan_play.outlook
def what_is_refused(s: Kaiju, seat: int) -> Outlook:
    idle = [card for card in s.planning_hands[seat] if not playable(s, seat, card)]
    return {"why_not": [why_not(card, *obstacle(s, card)) for card in idle]}


@plan_play.answer
def play_or_pass(s: Kaiju, seat: int, move: Move) -> None:
    if move == PASS:
        if seat not in s.done:
            s.done.append(seat)
        s.tell(events.PLANNING_PASSED, seat)
        return
    s.done.clear()
    play(s, seat, chosen(move))


def play(s: Kaiju, seat: int, card: int) -> None:
    """Out of the hand: to the city, to the team, or an Event."""
    s.planning_hands[seat].remove(card)
    s.known.pop(card, None)
    s.seen |= 1 << card
    s.stirred = True
    s.tell(events.CARD_PLAYED, seat, card)
    it = s.cards.prints[card]
    if it.is_city:  # CKC-Y-01, CKC-R-18
        s.city.append(card)
        s.tell(events.ENTERED_CITY, seat, card)
    elif it.kind == "ally":  # CKC-P-08
        s.rows[seat] += (card,)
        s.tell(events.JOINED_TEAM, seat, card)
    else:
        s.play.append(card)
        s.then(put_away, seat, card)
        effects.carry_out(s, seat, card)


@BOOK.step
def put_away(s: Kaiju, seat: int, card: int) -> None:
    """CKC-P-03: an Event with a glory value goes to the glory pile, any other to the discard."""
    s.play.remove(card)
    if s.cards.prints[card].glory and seat not in s.out:
        s.glory[seat] += (card,)
        s.tell(events.PUT_AWAY, seat, card, "glory")
        check_glory(s)
    else:
        put_on_discard(s, card)
        s.tell(events.PUT_AWAY, seat, card, "planning_discard")


# -- Events that name another moment (CKC-P-02, CKC-R-59) ------------------------------------------


def holds(s: Kaiju, seat: int, moment: str) -> bool:
    """Has the player an Event in hand that names this moment (of a scar it is ``scar``)?"""
    s.depends_on(seat)
    prints = s.cards.prints
    return moment in [prints[card].moment for card in s.planning_hands[seat]]


def reactions(s: Kaiju, seat: int, *moments: str) -> list[Move]:
    """The cards that could be played at this moment, and ``no``; nothing where there are none."""
    prints = s.cards.prints
    cards = [
        PLAY[card]
        for card in s.planning_hands[seat]
        if prints[card].moment in moments and effects.possible(s, seat, card)
    ]
    return [*cards, NO] if cards else []
