"""The turn and its five phases (CKC-T), but for planning and the actions."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.characters import fortitude
from games.colossal_kaiju_combat.effects import assault
from games.colossal_kaiju_combat.moves import DISCARD, DONE, SELECT
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.action import act
from games.colossal_kaiju_combat.rules.damage import enter_city, gain_energy, heal
from games.colossal_kaiju_combat.rules.decks import draw_planning, put_on_discard
from games.colossal_kaiju_combat.rules.glory import best_of, finish
from games.colossal_kaiju_combat.rules.planning import planning_turn
from games.colossal_kaiju_combat.state import Kaiju
from rules.engine.card_tables import NO_CARD
from rules.engine.moves import Move, chosen


@BOOK.step
def begin_turn(s: Kaiju) -> None:
    """CKC-T-01, CKC-O-02: five phases; in ``basic`` the first two are skipped."""
    s.turn += 1
    s.stirred = False
    s.order = initiative_order(s)
    s.raiders.clear()
    s.was_active.clear()
    playing = tuple(s.playing())
    s.tell(events.TURN_STARTED, playing[0], s.turn, playing)
    for seat in playing:
        s.tell(events.TEAM_LEADS, seat, s.starts[seat])
    s.then(healing_phase)
    s.then(action_phase)
    s.then(selection_phase)
    if not s.is_basic:
        s.then(planning_phase)
        s.then(discard_phase)


def initiative_order(s: Kaiju) -> list[int]:
    """CKC-S-06, CKC-R-01: the highest first; ties in the order of the set-up; Dawn Raid."""
    order = sorted(s.ties, key=lambda seat: -s.team_card(seat).initiative)
    if s.raiders:
        order.sort(key=lambda seat: seat not in s.raiders)
    return order


def enter(s: Kaiju, phase: str) -> None:
    s.phase = phase
    s.acting = NO_CARD
    s.done.clear()


# -- phase 1 ---------------------------------------------------------------------------------------


@BOOK.step
def discard_phase(s: Kaiju) -> None:
    """CKC-T-02, CKC-R-03: all at once, unseen."""
    enter(s, "discard")
    s.then(draw_up)
    for seat in s.playing():
        s.ask(seat, plan_discard)


def has_thrown(s: Kaiju, seat: int) -> bool:
    """Who has thrown something away still says when that is all, even of the last card."""
    return any(s.owner(card) == seat for card in s.dropped)


@BOOK.prompt("Discard planning cards?", insists=has_thrown)
def plan_discard(s: Kaiju, seat: int) -> Sequence[Move]:
    return [*(DISCARD[card] for card in s.planning_hands[seat]), DONE]


@plan_discard.sentence
def how_many_are_drawn(s: Kaiju, seat: int, names: Sequence[str]) -> str:
    number = max(0, planning_draw(s, seat) - len(s.planning_hands[seat]))
    cards = "1 card" if number == 1 else f"{number} cards"
    return f"Discard planning cards? You will draw {cards}."


@plan_discard.answer
def throw_away(s: Kaiju, seat: int, move: Move) -> None:
    if move == DONE:
        s.tell(events.READY, seat)
        return
    card = chosen(move)
    s.planning_hands[seat].remove(card)
    s.dropped.append(card)
    s.tell(events.THROWN, seat, card)
    s.ask(seat, plan_discard)


@BOOK.step
def draw_up(s: Kaiju) -> None:
    """CKC-T-03, CKC-R-03: all discards are turned up, then all draw, in initiative order."""
    for seat in s.playing():
        thrown = [card for card in s.dropped if s.owner(card) == seat]
        for card in thrown:
            put_on_discard(s, card)
        if thrown:
            s.tell(events.PLANNED_AWAY, seat, tuple(thrown))
    s.dropped.clear()
    for seat in s.playing():
        missing = planning_draw(s, seat) - len(s.planning_hands[seat])
        draw_planning(s, seat, missing, renews=True)


def planning_draw(s: Kaiju, seat: int) -> int:
    """CKC-T-03, with the Broadcast Towers that the player owns."""
    towers = [s.cards.prints[card] for card in s.city if s.owner(card) == seat]
    more = sum(tower.amount for tower in towers if tower.effect == "planning-draw")
    return s.team_card(seat).planning_draw + more


# -- phase 2 ---------------------------------------------------------------------------------------


@BOOK.step
def planning_phase(s: Kaiju) -> None:
    """CKC-T-04"""
    enter(s, "planning")
    planning_turn.do(s, s.playing()[0])


# -- phase 3 ---------------------------------------------------------------------------------------


@BOOK.step
def selection_phase(s: Kaiju) -> None:
    """CKC-T-06, CKC-R-64: who was set aside comes back first."""
    enter(s, "selection")
    for character in s.set_aside[:]:
        come_back(s, character)
    for seat in reversed(s.playing()):
        s.then(select, seat)


def come_back(s: Kaiju, character: int) -> None:
    """Loodicriz: inactive, with damage equal to half its Fortitude, rounded down."""
    seat = s.owner(character)
    s.set_aside.remove(character)
    s.rows[seat] = in_row_order(s, seat, character)
    s.damage[character] = fortitude(s, character) // 2
    s.tell(events.RETURNED, seat, character)


def in_row_order(s: Kaiju, seat: int, character: int) -> tuple[int, ...]:
    """Kaiju in deck order, then allies as played: the place that it had."""
    kaiju = [character for character in s.rows[seat] if s.cards.prints[character].kind == "kaiju"]
    allies = [character for character in s.rows[seat] if s.cards.prints[character].kind != "kaiju"]
    return (*sorted([*kaiju, character]), *allies)


@BOOK.step
def select(s: Kaiju, seat: int) -> None:
    if seat not in s.out:
        s.acting = seat
        s.ask(seat, select_active)


@BOOK.prompt("Choose a character to send into the city.", public=True)
def select_active(s: Kaiju, seat: int) -> Sequence[Move]:
    """CKC-R-07: somebody has to go."""
    return [SELECT[character] for character in s.rows[seat]]


@select_active.answer
def go_into_the_city(s: Kaiju, seat: int, move: Move) -> None:
    character = chosen(move)
    s.chosen[seat] = character
    s.done.append(seat)
    enter_city(s, character)
    s.tell(events.SELECTED, seat, character)


# -- phase 4 ---------------------------------------------------------------------------------------


@BOOK.step
def action_phase(s: Kaiju) -> None:
    """CKC-T-07; before it Nuclear Power Plants and Tidecaller Cults give Energy."""
    enter(s, "action")
    if not s.is_basic:
        give_energy(s)
    for seat in reversed(s.playing()):
        s.then(act, seat)


def give_energy(s: Kaiju) -> None:
    plants = sum(s.cards.prints[card].energy for card in s.city)
    for seat in s.playing():
        idle = [s.cards.prints[character] for character in s.inactive(seat)]
        cults = sum(card.amount for card in idle if card.effect == "idle-energy")
        if plants + cults:
            gain_energy(s, seat, plants + cults)


# -- phase 5 ---------------------------------------------------------------------------------------


@BOOK.step
def healing_phase(s: Kaiju) -> None:
    """CKC-T-08: Assaults from the head to the tail, then healing."""
    enter(s, "healing")
    s.then(end_turn)
    s.then(healing)
    for card in reversed(s.city):
        if s.cards.prints[card].scope == "assault":
            s.then(assault, card)


@BOOK.step
def healing(s: Kaiju) -> None:
    """CKC-R-13: kaiju that were not active at any time this turn; Field Hospital for allies."""
    prints = s.cards.prints
    hospitals = sum(prints[card].amount for card in s.city if prints[card].effect == "ally-healing")
    for character in s.present():
        if s.damage.get(character) and character not in s.was_active:
            kaiju = prints[character].is_kaiju
            heal(s, character, s.team_card(s.owner(character)).healing if kaiju else hospitals)


@BOOK.step
def end_turn(s: Kaiju) -> None:
    """CKC-T-09; then CKC-R-50: the last turn, or too many quiet ones in a row."""
    s.active.clear()
    s.chosen = [NO_CARD] * s.seats
    s.quiet = 0 if s.stirred else s.quiet + 1
    if s.turn >= s.turn_cap:
        finish(s, best_of(s, s.still_in()), "turn_cap")
    elif s.quiet >= s.quiet_limit:
        finish(s, best_of(s, s.still_in()), "quiet")
    else:
        s.then(begin_turn)
