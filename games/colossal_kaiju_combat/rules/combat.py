"""A combat from its start to its end (CKC-C, CKC-B, CKC-R-42, CKC-R-43)."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import effects, events
from games.colossal_kaiju_combat.characters import adjacent, is_immune, may_bear
from games.colossal_kaiju_combat.effects import move_city
from games.colossal_kaiju_combat.moves import (
    BEARER,
    CHARACTER,
    DONE,
    JOIN,
    MOVE,
    NO,
    NONE,
    SCAR,
    YES,
)
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.damage import (
    add_fury,
    check_knockouts,
    enter_city,
    heal,
    hurt,
)
from games.colossal_kaiju_combat.rules.decks import (
    draw_combat,
    fill_hand,
    open_discard,
    pick_from,
    refill,
)
from games.colossal_kaiju_combat.rules.exchange import steal_window, still_fought, sword_turn
from games.colossal_kaiju_combat.rules.planning import holds, play, reactions
from games.colossal_kaiju_combat.state import CITY, Combat, Kaiju
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook, why_not

# -- the start (CKC-R-42) --------------------------------------------------------------------------


def begin_combat(s: Kaiju, starter: int, character: int, other: int, victim: int) -> None:
    """CKC-C-01, CKC-Y-10: between two players, or with the city; the starter is first Sword."""
    foes = [] if other == CITY else [victim]
    s.combat = Combat(
        starter=starter,
        other=other,
        fighters=[character],
        foes=foes,
        fought=[character, *foes],
        sword=starter,
    )
    s.last.clear()
    s.tell(events.COMBAT_STARTED, starter, character, other, victim)
    s.then(end_combat, starter, other)
    s.then(sword_turn)
    if other != CITY:
        s.then(start_abilities, other)
    s.then(start_abilities, starter)
    if other != CITY and (s.planning_hands[starter] or s.planning_hands[other]):
        s.then(reinforce, other, "enemy-start")
        s.then(reinforce, starter, "own-start")
    shell(s)


def shell(s: Kaiju) -> None:
    """Battleship, while adjacent: each character in the combat; then a KO check."""
    ship, combat = adjacent(s, "start-damage"), s.combat
    assert combat is not None
    if ship is not None:
        owner = s.owner(s.city[0])
        for character in (*combat.fighters, *combat.foes):
            hurt(s, character, ship.amount, owner, attack=False, cause="city")
        check_knockouts(s)


@BOOK.step
def reinforce(s: Kaiju, seat: int, moment: str) -> None:
    """CKC-R-42: the starter may play Wolf Pack, the other To the Rescue, one after another."""
    if still_fought(s) and holds(s, seat, moment):
        s.ask(seat, react_start, moment)


@BOOK.prompt("Play a card at the start of the combat?", window=NO)
def react_start(s: Kaiju, seat: int, moment: str) -> Sequence[Move]:
    return reactions(s, seat, moment)


@react_start.answer
def call_for_help(s: Kaiju, seat: int, move: Move, moment: str) -> None:
    if move == NO:
        return
    s.then(reinforce, seat, moment)
    play(s, seat, chosen(move))


def call_in(s: Kaiju, seat: int) -> None:
    """Wolf Pack, To the Rescue: the card that is being played says how many may join."""
    s.ask(seat, join, s.play[-1], 0)


@BOOK.prompt("Choose a character to join the fight.")
def join(s: Kaiju, seat: int, card: int, joined: int) -> Sequence[Move]:
    """CKC-R-60: no character twice; they join active."""
    assert s.combat is not None
    options = [
        JOIN[character] for character in s.inactive(seat) if character not in s.combat.fought
    ]
    return [*options, DONE] if joined else options


@join.answer
def joins(s: Kaiju, seat: int, move: Move, card: int, joined: int) -> None:
    """CKC-F-01, CKC-F-02: what the card says is drawn at once, when all have joined."""
    assert s.combat is not None
    text = s.cards.prints[card]
    if move != DONE:
        character = chosen(move)
        enter_city(s, character)
        s.combat.side(seat).append(character)
        s.combat.fought.append(character)
        s.tell(events.JOINED_FIGHT, seat, character)
        if joined + 1 < text.joins and join.options(s, seat, card, joined + 1) != [DONE]:
            s.ask(seat, join, card, joined + 1)
            return
    draw_combat(s, seat, text.amount)


effects.TEXTS.does("join", call_in, when=lambda s, seat: bool(s.inactive(seat)))


@BOOK.step
def start_abilities(s: Kaiju, seat: int) -> None:
    """CKC-R-42: the characters in the order in which they joined, then the team card."""
    combat = still_fought(s)
    if combat is None:
        return
    for card in reversed([*combat.side(seat), s.starts[seat]]):
        if s.cards.prints[card].effect in STARTS:
            s.then(start_ability, seat, card)


@BOOK.step
def start_ability(s: Kaiju, seat: int, card: int) -> None:
    STARTS[s.cards.prints[card].effect](s, seat, card)


def offer_a_step(s: Kaiju, seat: int, character: int) -> None:
    """Pelagor"""
    if effects.can_move(s, seat):
        s.ask(seat, pick_number, character)


@BOOK.prompt("Pelagor: move the city?")
def pick_number(s: Kaiju, seat: int, character: int) -> Sequence[Move]:
    return [MOVE[steps] for steps in range(s.cards.prints[character].amount + 1)]


@pick_number.answer
def step_taken(s: Kaiju, seat: int, move: Move, character: int) -> None:
    move_city(s, seat, chosen(move))


def look_at_a_card(s: Kaiju, seat: int, character: int) -> None:
    """Lanternjaw, against another player; shut out if all foes are immune (CKC-R-53)."""
    combat = s.combat
    assert combat is not None
    other = combat.rival(seat)
    if other == CITY or all(is_immune(s, foe) for foe in combat.side(other)):
        return
    if not s.combat_hands[other]:
        return
    card, hand = pick_from(s, s.combat_hands[other])
    combat.shown.append((seat, card))
    s.show(card, seat)
    s.tell(events.LOOKED_AT, seat, other, card, hand)
    s.tell(events.WAS_SHOWN, other, card)


def offer_evolution(s: Kaiju, seat: int, character: int) -> None:
    """EVO Eira, once a match"""
    if character not in s.changed:
        s.ask(seat, evolve, character)


@BOOK.prompt("Change EVO Eira's form? Once per match.")
def evolve(s: Kaiju, seat: int, character: int) -> Sequence[Move]:
    return (YES, NO)


@evolve.answer
def evolved(s: Kaiju, seat: int, move: Move, character: int) -> None:
    if move == YES:
        s.changed.append(character)
        s.tell(events.EVOLVED, seat, character)
        heal(s, character, s.cards.prints[character].evolved["heal"])


def draw_as_first_sword(s: Kaiju, seat: int, team: int) -> None:
    """Stormcrest Flight"""
    assert s.combat is not None
    if s.combat.starter == seat:
        draw_combat(s, seat, s.cards.prints[team].amount)


STARTS = {
    "start-move": offer_a_step,
    "start-look": look_at_a_card,
    "evolve": offer_evolution,
    "first-sword-draw": draw_as_first_sword,
}


# -- the end (CKC-R-43) ----------------------------------------------------------------------------


@BOOK.step
def end_combat(s: Kaiju, starter: int, other: int) -> None:
    """Fury, abilities, scars, Front Page and Spoils of War, Ambush, new hands: in this order."""
    combat = s.combat
    assert combat is not None
    combat.stage = "end"
    s.tell(events.COMBAT_ENDED, starter)
    s.then(new_hands, starter, other)
    if not s.is_basic:
        s.then(ambush_round, 0)
        s.then(reaction_round, 0)
        s.then(scar_rounds, False, 0)
    s.then(end_abilities)
    if s.claims_fury and other != CITY:
        s.then(keep_fury, starter, other)
        s.then(steal_window, other)
        s.then(steal_window, starter)


@BOOK.step
def keep_fury(s: Kaiju, *seats: int) -> None:
    """CKC-R-28 (d): what was never offered, or was left, its owner gets."""
    for seat in seats:
        if s.pending[seat]:
            fury, s.pending[seat], s.offered[seat] = s.pending[seat], 0, 0
            add_fury(s, seat, fury)


@BOOK.step
def end_abilities(s: Kaiju) -> None:
    """Splicehide: it dealt damage with a combat card and is still there."""
    assert s.combat is not None
    prints = s.cards.prints
    fed = [character for character in s.combat.hitters if prints[character].effect == "feed"]
    if fed:
        for character in s.present():
            if character in fed:
                heal(s, character, prints[character].amount)


def next_holder(s: Kaiju, turn: int, moment: str) -> int:
    """The next place in initiative order, from ``turn`` on, that may have a card to play now."""
    order = s.order
    while turn < len(order) and (order[turn] in s.out or not holds(s, order[turn], moment)):
        turn += 1
    return turn


# scars


@BOOK.step
def scar_rounds(s: Kaiju, enemy: bool, turn: int) -> None:
    """CKC-P-04, CKC-P-05: all in initiative order onto own survivors, then onto those of others."""
    turn = next_holder(s, turn, "scar")
    if turn < len(s.order):
        s.then(scar_rounds, enemy, turn + 1)
        s.ask(s.order[turn], scar, enemy)
    elif not enemy:
        scar_rounds.do(s, True, 0)


@BOOK.step
def scar_round(s: Kaiju, seat: int, enemy: bool) -> None:
    """Another scar of the same player."""
    if seat not in s.out:
        s.ask(seat, scar, enemy)


def bearers(s: Kaiju, seat: int, card: int, enemy: bool) -> list[int]:
    """CKC-P-06"""
    return [character for character in within_reach(s, seat, enemy) if may_bear(s, character, card)]


def within_reach(s: Kaiju, seat: int, enemy: bool) -> list[int]:
    """The player's own survivors, or those of all others, by CKC-R-56."""
    assert s.combat is not None
    fought = s.combat.fought
    if not enemy:
        return [character for character in s.rows[seat] if character in fought]
    others = [other for other in s.order if other != seat]
    return [character for other in others for character in s.rows[other] if character in fought]


@BOOK.prompt("Play a scar?", window=NONE)
def scar(s: Kaiju, seat: int, enemy: bool) -> Sequence[Move]:
    prints = s.cards.prints
    scars = [card for card in s.planning_hands[seat] if prints[card].kind == "scar"]
    near = within_reach(s, seat, enemy)
    options = [
        SCAR[card] for card in scars if any(may_bear(s, character, card) for character in near)
    ]
    return [*options, NONE] if options else []


@scar.outlook
def which_scars_fit_nobody(s: Kaiju, seat: int, enemy: bool) -> Outlook:
    prints = s.cards.prints
    scars = [card for card in s.planning_hands[seat] if prints[card].kind == "scar"]
    idle = [card for card in scars if not bearers(s, seat, card, enemy)]
    whose = "enemy character" if enemy else "character of yours"
    says = f"No {whose} that fought can have it."
    return {"why_not": [why_not(card, says, "CKC-P-06") for card in idle]}


@scar.sentence
def onto_whom(s: Kaiju, seat: int, names: Sequence[str], enemy: bool) -> str:
    return f"Play a scar on {'an enemy survivor' if enemy else 'one of your survivors'}?"


@scar.answer
def scar_chosen(s: Kaiju, seat: int, move: Move, enemy: bool) -> None:
    if move != NONE:
        s.tell(events.PICKED, seat, chosen(move))
        s.ask(seat, bearer, chosen(move), enemy)


@BOOK.prompt("Choose a character for the scar.")
def bearer(s: Kaiju, seat: int, card: int, enemy: bool) -> Sequence[Move]:
    return [BEARER[character] for character in bearers(s, seat, card, enemy)]


@bearer.answer
def scarred(s: Kaiju, seat: int, move: Move, card: int, enemy: bool) -> None:
    character = chosen(move)
    s.planning_hands[seat].remove(card)
    s.known.pop(card, None)
    s.seen |= 1 << card
    s.stirred = True
    s.scars.append((character, card))
    s.tell(events.SCARRED, seat, card, character)
    s.then(scar_round, seat, enemy)


# Front Page, Spoils of War


@BOOK.step
def reaction_round(s: Kaiju, turn: int) -> None:
    """Each player in initiative order."""
    turn = next_holder(s, turn, "end")
    if turn < len(s.order):
        s.then(reaction_round, turn + 1)
        s.ask(s.order[turn], react_end)


@BOOK.step
def end_reactions(s: Kaiju, seat: int) -> None:
    """Another card of the same player."""
    if seat not in s.out:
        s.ask(seat, react_end)


@BOOK.prompt("Play a card at the end of the combat?", window=NO)
def react_end(s: Kaiju, seat: int) -> Sequence[Move]:
    return reactions(s, seat, "end")


@react_end.answer
def after_the_combat(s: Kaiju, seat: int, move: Move) -> None:
    if move != NO:
        s.then(end_reactions, seat)
        play(s, seat, chosen(move))


# Ambush


@BOOK.step
def ambush_round(s: Kaiju, turn: int) -> None:
    """Each player in initiative order, until somebody plays one."""
    turn = next_holder(s, turn, "end-before-refill")
    if turn < len(s.order):
        s.then(ambush_round, turn + 1)
        s.ask(s.order[turn], ambush)


def ambushers(s: Kaiju, seat: int) -> list[int]:
    """Own present characters that did not fight in the combat."""
    assert s.combat is not None
    return [character for character in s.rows[seat] if character not in s.combat.fought]


def prey(s: Kaiju, seat: int) -> list[int]:
    """Survivors of other players."""
    return within_reach(s, seat, True)


@BOOK.prompt("Play an Ambush?", window=NO)
def ambush(s: Kaiju, seat: int) -> Sequence[Move]:
    return reactions(s, seat, "end-before-refill")


@ambush.answer
def ambush_played(s: Kaiju, seat: int, move: Move) -> None:
    if move != NO:
        s.then(spring_ambush, seat)
        play(s, seat, chosen(move))


@BOOK.prompt("Ambush: choose your attacker.")
def ambush_fighter(s: Kaiju, seat: int) -> Sequence[Move]:
    return [CHARACTER[character] for character in ambushers(s, seat)] if prey(s, seat) else []


effects.TEXTS.asks("ambush", ambush_fighter)


@ambush_fighter.answer
def fighter_chosen(s: Kaiju, seat: int, move: Move) -> None:
    s.ask(seat, ambush_victim, chosen(move))


@BOOK.prompt("Ambush: choose a target.")
def ambush_victim(s: Kaiju, seat: int, character: int) -> Sequence[Move]:
    return [CHARACTER[character] for character in prey(s, seat)]


@ambush_victim.answer
def victim_chosen(s: Kaiju, seat: int, move: Move, character: int) -> None:
    assert s.combat is not None
    s.combat.ambush.extend((character, chosen(move)))


@BOOK.step
def spring_ambush(s: Kaiju, seat: int) -> None:
    """CKC-R-43: nobody else may ambush; rows are cleared first; both are active from then on."""
    assert s.combat is not None
    if not s.combat.ambush:  # who played it has left
        return
    character, victim = s.combat.ambush
    assert s.stack[-1][0] == ambush_round.name
    s.stack.pop()
    clear_rows(s)
    fill_hand(s, seat)
    for fighter in (character, victim):
        enter_city(s, fighter)
    s.tell(events.AMBUSHED, seat, character, s.owner(victim), victim)
    begin_combat(s, seat, character, s.owner(victim), victim)


# new hands


def clear_rows(s: Kaiju) -> None:
    """CKC-R-43 (7): all that was played goes to its owner's discard; who fought owes a new hand."""
    combat = s.combat
    assert combat is not None
    for seat in range(s.seats):
        cards = tuple([row[0] for row in combat.played if s.cards.owners[row[0]] == seat])
        if cards:
            open_discard(s, seat, cards)
            s.tell(events.CLEARED, seat, cards)
    s.owing += [seat for seat in combat.seats() if seat not in s.owing]
    s.combat = None


@BOOK.step
def new_hands(s: Kaiju, *seats: int) -> None:
    """CKC-B-01, CKC-Y-18: the players that fought, unless an Ambush has refilled them since."""
    if s.combat is not None:
        clear_rows(s)
    for seat in seats:
        if seat in s.owing:
            s.owing.remove(seat)
            if seat not in s.out:
                refill(s, seat)
