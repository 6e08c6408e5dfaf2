"""Phase 4: each player takes one action (CKC-A)."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.moves import (
    ACCEPT,
    ATTACK,
    CHALLENGE,
    DECLINE,
    DISCARD,
    DONE,
    DRAW_TWO,
    NO,
    PASS,
    RAMPAGE,
    REDRAW,
    ROAR,
)
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.combat import begin_combat
from games.colossal_kaiju_combat.rules.damage import enter_city, gain_energy
from games.colossal_kaiju_combat.rules.decks import discard_combat, draw_combat, fill_hand
from games.colossal_kaiju_combat.rules.planning import play, reactions
from games.colossal_kaiju_combat.state import CITY, Kaiju
from rules.engine.card_tables import NO_CARD
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook

ROAR_ENERGY = 2
ROAR_CARDS = 2


@BOOK.step
def act(s: Kaiju, seat: int) -> None:
    """CKC-A-01, CKC-R-08: the action is lost if the chosen character is no longer active."""
    if seat in s.out:
        return
    s.acting = seat
    if s.chosen[seat] == NO_CARD:
        s.done.append(seat)
        s.tell(events.ACTION_LOST, seat)
    else:
        s.ask(seat, action)


def active_rivals(s: Kaiju, seat: int) -> list[int]:
    """CKC-R-09: active characters of other players."""
    return [
        character
        for other in s.rivals(seat)
        for character in s.rows[other]
        if character in s.active
    ]


def inactive_rivals(s: Kaiju, seat: int) -> list[int]:
    """CKC-A-04, CKC-R-09"""
    return [character for other in s.rivals(seat) for character in s.inactive(other)]


@BOOK.prompt("Choose your action.", public=True)
def action(s: Kaiju, seat: int) -> Sequence[Move]:
    options = [ATTACK[character] for character in active_rivals(s, seat)]
    options += [CHALLENGE[character] for character in inactive_rivals(s, seat)]
    if s.city:
        options.append(RAMPAGE)
    return [*options, ROAR, PASS]


@action.sentence
def who_acts(s: Kaiju, seat: int, names: Sequence[str]) -> str:
    return f"Choose {s.cards.title[s.chosen[seat]]}'s action."


@action.outlook
def what_is_refused(s: Kaiju, seat: int) -> Outlook:
    """``refused``: by verb, why an action is not offered, and the rule that says so."""
    refused = {}
    if not active_rivals(s, seat):
        refused["attack"] = "No one else has an active character."
    if not inactive_rivals(s, seat):
        refused["challenge"] = "No one else has an inactive character."
    if not s.is_basic and not s.city:  # CKC-O-02: never in Basic
        refused["rampage"] = "The city is empty."
    return {"refused": {verb: [sentence, "CKC-R-09"] for verb, sentence in refused.items()}}


@action.answer
def take_action(s: Kaiju, seat: int, move: Move) -> None:
    s.done.append(seat)
    character = s.chosen[seat]
    if move == ROAR:
        roar(s, seat, character)
    elif move == RAMPAGE:  # CKC-A-03
        begin_combat(s, seat, character, CITY, NO_CARD)
    elif move == PASS:  # CKC-A-09
        s.tell(events.ACTION_PASSED, seat)
    elif move.verb == "attack":  # CKC-A-02
        victim = chosen(move)
        other = s.owner(victim)
        s.tell(events.ATTACKED, seat, character, other, victim)
        begin_combat(s, seat, character, other, victim)
    else:
        challenge(s, seat, character, chosen(move))


# -- Challenge -------------------------------------------------------------------------------------


def challenge(s: Kaiju, seat: int, character: int, victim: int) -> None:
    """CKC-A-04 to CKC-A-07: only a kaiju may decline; a Taunt makes it accept."""
    s.tell(events.CHALLENGED, seat, character, s.owner(victim), victim)
    if s.cards.prints[victim].is_kaiju:
        s.ask(seat, react_challenge, character, victim)
    else:
        accept(s, seat, character, victim)


@BOOK.prompt("Play a card with your challenge?", window=NO)
def react_challenge(s: Kaiju, seat: int, character: int, victim: int) -> Sequence[Move]:
    if victim not in s.inactive(s.owner(victim)):
        return []
    return reactions(s, seat, "challenge") or [NO]


@react_challenge.answer
def challenge_made(s: Kaiju, seat: int, move: Move, character: int, victim: int) -> None:
    """CKC-R-54: Skarrow may decline even then (CKC-K-02)."""
    if move == NO:
        s.then(may_decline, seat, character, victim)
        return
    stubborn = s.cards.prints[victim].effect == "may-decline"
    s.then(may_decline if stubborn else must_accept, seat, character, victim)
    play(s, seat, chosen(move))


@BOOK.step
def must_accept(s: Kaiju, seat: int, character: int, victim: int) -> None:
    accept(s, seat, character, victim)


@BOOK.step
def may_decline(s: Kaiju, seat: int, character: int, victim: int) -> None:
    s.ask(s.owner(victim), challenge_reply, character, victim)


@BOOK.prompt("You are challenged.")
def challenge_reply(s: Kaiju, seat: int, character: int, victim: int) -> Sequence[Move]:
    """CKC-A-05; nothing, once the challenger has left."""
    return (ACCEPT, DECLINE) if character in s.active else ()


@challenge_reply.sentence
def by_whom(s: Kaiju, seat: int, names: Sequence[str], character: int, victim: int) -> str:
    title, challenger = s.cards.title, names[s.owner(character)]
    return f"{challenger}'s {title[character]} challenges {title[victim]}. Accept?"


@challenge_reply.answer
def reply(s: Kaiju, seat: int, move: Move, character: int, victim: int) -> None:
    challenger = s.owner(character)
    if move == ACCEPT:
        accept(s, challenger, character, victim)
    else:  # CKC-R-10
        s.tell(events.DECLINED, seat, victim)
        s.ask(challenger, react_declined, victim)


def accept(s: Kaiju, seat: int, character: int, victim: int) -> None:
    """CKC-A-07, CKC-R-11: the challenged one is active, the challenger the first Sword."""
    other = s.owner(victim)
    enter_city(s, victim)
    s.tell(events.ACCEPTED, other, victim)
    begin_combat(s, seat, character, other, victim)


@BOOK.prompt("Your challenge is declined. Play a card?", window=NO)
def react_declined(s: Kaiju, seat: int, victim: int) -> Sequence[Move]:
    return reactions(s, seat, "declined")


@react_declined.answer
def after_the_refusal(s: Kaiju, seat: int, move: Move, victim: int) -> None:
    if move != NO:
        play(s, seat, chosen(move))


# -- Roar ------------------------------------------------------------------------------------------


def roar(s: Kaiju, seat: int, character: int) -> None:
    """CKC-A-08"""
    s.tell(events.ROARED, seat, character)
    gain_energy(s, seat, ROAR_ENERGY)
    s.ask(seat, roar_mode)


@BOOK.prompt("Draw 2 combat cards, or discard and draw up to 5?")
def roar_mode(s: Kaiju, seat: int) -> Sequence[Move]:
    return (DRAW_TWO, REDRAW)


@roar_mode.answer
def roared(s: Kaiju, seat: int, move: Move) -> None:
    if move == DRAW_TWO:
        draw_combat(s, seat, ROAR_CARDS)
    else:
        s.ask(seat, roar_discard, False)


def has_begun(s: Kaiju, seat: int, thrown: bool) -> bool:
    """Who has discarded something still says when that is all, even of the last card."""
    return thrown


@BOOK.prompt("Choose combat cards to discard. Then draw up to 5.", insists=has_begun)
def roar_discard(s: Kaiju, seat: int, thrown: bool) -> Sequence[Move]:
    """CKC-R-12: none to all."""
    return [*(DISCARD[card] for card in s.combat_hands[seat]), DONE]


@roar_discard.answer
def discard_and_fill(s: Kaiju, seat: int, move: Move, thrown: bool) -> None:
    if move == DONE:
        fill_hand(s, seat)
        return
    card = chosen(move)
    discard_combat(s, seat, [card])
    s.tell(events.DISCARDED, seat, (card,))
    s.ask(seat, roar_discard, True)
