"""One exchange after another: rage, Sword cards, answers (CKC-C-02 to CKC-C-05, CKC-F, CKC-X)."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import costs, events
from games.colossal_kaiju_combat.moves import (
    ANSWER,
    BLUFF_WITH,
    CLAIM,
    DISCARD,
    DONE,
    FIGHTER,
    LAY,
    LEAVE,
    NO,
    NONE,
    PAY,
    RAGE,
    STEAL,
    TARGET,
)
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.damage import (
    check_knockouts,
    gain_energy,
    hurt,
    hurt_city,
)
from games.colossal_kaiju_combat.rules.decks import discard_combat, draw_combat
from games.colossal_kaiju_combat.rules.planning import play, reactions
from games.colossal_kaiju_combat.rules.reveal import resolve
from games.colossal_kaiju_combat.state import BLUFF, CITY, ILLEGAL, PAID, Combat, Kaiju, Print
from rules.engine.card_tables import NO_CARD
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook, why_not

RAGE_DAMAGE = 2
RAGE_CARDS = 3
RAGE_ENERGY = 4

HOW = {"pay": PAID, "bluff": BLUFF, "lay": ILLEGAL}


def combat_of(s: Kaiju) -> Combat:
    assert s.combat is not None
    return s.combat


def still_fought(s: Kaiju) -> Combat | None:
    """CKC-C-06, CKC-F-09, CKC-Y-15: the combat, while both sides have somebody left to fight."""
    combat = s.combat
    assert combat is not None
    foes = s.city if combat.other == CITY else combat.foes
    return combat if foes and combat.fighters else None


# -- a Sword turn ----------------------------------------------------------------------------------


@BOOK.step
def sword_turn(s: Kaiju) -> None:
    """The rage windows (CKC-R-44), then the Sword lays, or the head of the city strikes."""
    combat = still_fought(s)
    if combat is None:
        return
    combat.stage = "sword"
    seat = combat.sword
    if seat != CITY:
        combat.exchange += 1
    elif not s.cards.prints[s.city[0]].strike:  # CKC-Y-13
        swap_roles(s, combat)
        return
    rival = combat.rival(seat)
    first = seat != CITY and may_rage(s, seat)
    if not first and not (rival != CITY and may_rage(s, rival)):
        take_turn(s, combat, seat)
        return
    s.then(lay_swords if seat != CITY else strike)
    if rival != CITY:
        s.then(rage_window, rival)
    if first:
        s.then(rage_window, seat)


def take_turn(s: Kaiju, combat: Combat, seat: int) -> None:
    if seat == CITY:
        strike.do(s)
    else:
        ask_for_swords(s, combat, seat)


def swap_roles(s: Kaiju, combat: Combat) -> None:
    """CKC-C-05"""
    combat.sword = combat.rival(combat.sword)
    s.tell(events.SWAPPED, combat.sword)
    sword_turn.do(s)


# -- Rage Attacks (CKC-X) --------------------------------------------------------------------------


@BOOK.step
def rage_window(s: Kaiju, seat: int) -> None:
    """CKC-X-01, CKC-R-44: before every Sword turn, at most once a window."""
    if still_fought(s) and may_rage(s, seat):
        offer_claim(s, seat)
        s.ask(seat, rage)


def may_rage(s: Kaiju, seat: int) -> bool:
    """CKC-H-05, CKC-X-06"""
    return s.fury[seat] >= s.cards.prints[s.starts[seat]].fury


@BOOK.prompt("Activate your Rage Attack?", window=NO)
def rage(s: Kaiju, seat: int) -> Sequence[Move]:
    return with_claim(s, seat, [RAGE, NO])


@rage.sentence
def what_rage_does(s: Kaiju, seat: int, names: Sequence[str]) -> str:
    return (
        f"Activate your Rage Attack? {rage_damage(s, seat)} damage to each foe, "
        f"{RAGE_CARDS} combat cards, {RAGE_ENERGY} Energy."
    )


def rage_damage(s: Kaiju, seat: int) -> int:
    """CKC-X-03; The Ember Court says another number."""
    team = s.team_card(seat)
    return team.amount if team.effect == "rage-damage" else RAGE_DAMAGE


@rage.answer
def decide_on_rage(s: Kaiju, seat: int, move: Move) -> None:
    if move == CLAIM:
        claim(s, seat)
        s.then(rage_window, seat)
    elif move == RAGE:
        s.ask(seat, react_rage)


@BOOK.prompt("Play a card with your Rage Attack?", window=NO)
def react_rage(s: Kaiju, seat: int) -> Sequence[Move]:
    return reactions(s, seat, "rage") or [NO]


@react_rage.answer
def rage_decided(s: Kaiju, seat: int, move: Move) -> None:
    more = 0
    if move != NO:
        more = s.cards.prints[chosen(move)].amount
    s.then(rage_attack, seat, rage_damage(s, seat) + more)
    if move != NO:
        play(s, seat, chosen(move))


@BOOK.step
def rage_attack(s: Kaiju, seat: int, damage: int) -> None:
    """CKC-X-02 to CKC-X-07, CKC-R-44: to every foe, or to the head of the city."""
    combat = combat_of(s)
    s.fury[seat] = 0
    combat.passes = 0  # CKC-R-24
    combat.freed.append(seat)
    s.tell(events.RAGED, seat, damage)
    if combat.is_rampage:
        hurt_city(s, s.city[0], damage, seat, "rage")
    for foe in combat.against(seat)[:]:
        hurt(s, foe, damage, seat, attack=True, cause="rage")
    draw_combat(s, seat, RAGE_CARDS)
    gain_energy(s, seat, RAGE_ENERGY)
    check_knockouts(s)


# -- Sword cards -----------------------------------------------------------------------------------


@BOOK.step
def lay_swords(s: Kaiju) -> None:
    """CKC-F-03: any or all of the own characters, one card each."""
    combat = still_fought(s)
    if combat is not None:
        ask_for_swords(s, combat, combat.sword)


def ask_for_swords(s: Kaiju, combat: Combat, seat: int) -> None:
    s.then(swords_down)
    offer_claim(s, seat, "sword")
    fighters = combat.side(seat)
    if len(fighters) > 1:
        s.ask(seat, fighter)
    else:
        s.ask(seat, sword, fighters[0])


def free_fighters(s: Kaiju, seat: int) -> list[int]:
    """CKC-R-60: one card per character per exchange."""
    combat = combat_of(s)
    laid = [plan[0] for plan in combat.sword_plans]
    return [character for character in combat.side(seat) if character not in laid]


def fitting(s: Kaiju, seat: int, role: str) -> list[int]:
    """CKC-C-30, CKC-C-31: the cards in hand that may be laid in this role at all."""
    if s.allows_illegal:
        return s.combat_hands[seat]
    prints = s.cards.prints
    return [card for card in s.combat_hands[seat] if role in prints[card].roles]


def ways_to_lay(s: Kaiju, seat: int, character: int, role: str, nothing: Move) -> list[Move]:
    """CKC-R-20, CKC-R-21: each fitting card paid, as a bluff, or against the rules; or nothing.

    In a rampage bluffs are not offered (CKC-Y-14).
    """
    prints, hand = s.cards.prints, s.combat_hands[seat]
    ferocity, agility, most = costs.purse(s, seat, character)
    may_bluff = combat_of(s).other != CITY
    is_cheap = bool(prints[character].cheaper)
    options: list[Move] = []
    for card in hand:
        it = prints[card]
        if role not in it.roles:
            if s.allows_illegal:
                options.append(LAY[card])
            continue
        red, blue, energy = it.red, it.blue, it.yellow
        if is_cheap:
            red, blue, energy = costs.boxes(s, character, it, role)
        if red > ferocity:
            energy += red - ferocity
        if blue > agility:
            energy += blue - agility
        lacks_discards = it.required_discards >= len(hand)
        if energy <= most and not lacks_discards:
            options.append(PAY[card])
        if may_bluff and (energy or lacks_discards):
            options.append(BLUFF_WITH[card])
    options.append(nothing)
    return options


@BOOK.prompt("Which character plays a Sword card?")
def fighter(s: Kaiju, seat: int) -> Sequence[Move]:
    if not fitting(s, seat, "sword"):
        return [DONE]
    return with_claim(
        s, seat, [*(FIGHTER[character] for character in free_fighters(s, seat)), DONE]
    )


@fighter.answer
def fighter_chosen(s: Kaiju, seat: int, move: Move) -> None:
    if move == CLAIM:
        claim_and_lay(s, seat)
    elif move != DONE:
        s.ask(seat, sword, chosen(move))


def unfit(it: Print) -> tuple[str, str]:
    """Why a card does not fit the role, and the rule that says so."""
    if it.type == "Counterattack":
        return "A Counterattack can only answer an attack.", "CKC-C-20"
    return f"It is a {it.icon.capitalize()} card.", "CKC-C-08"


def unpaid(s: Kaiju, seat: int, character: int, card: int, role: str) -> tuple[str, str] | None:
    """Why a card cannot be paid, and the rule that says so; None if it can."""
    if costs.lacks_discards(s, seat, s.cards.prints[card]):
        return "You have no other card to discard for it.", "CKC-R-23"
    energy = costs.price(s, character, card, role).energy
    limit = costs.power_left(s, character)
    if limit is not None and energy > limit:
        who = s.cards.title[character]
        more = f"{who} may use {limit} more" if limit else f"{who} may use no more"
        return f"Not enough Power left: it needs {energy} Energy, and {more}.", "CKC-E-05"
    own = costs.energy_left(s, seat)
    if energy > own:
        return f"Not enough Energy: it needs {energy}, and you have {own}.", "CKC-E-03"
    return None


def what_is_refused(s: Kaiju, seat: int, character: int, role: str) -> Outlook:
    """``why_not``: which cards cannot be laid; ``unpaid``: which can be no more than a bluff."""
    idle: list[Outlook] = []
    bluffs: list[Outlook] = []
    for card in s.combat_hands[seat]:
        it = s.cards.prints[card]
        if role not in it.roles:
            if not s.allows_illegal:
                idle.append(why_not(card, *unfit(it)))
        elif reason := unpaid(s, seat, character, card, role):
            rows = idle if combat_of(s).is_rampage else bluffs  # CKC-Y-14
            rows.append(why_not(card, *reason))
    return {"fighter": character, "why_not": idle, "unpaid": bluffs}


@BOOK.prompt("Play a Sword card?")
def sword(s: Kaiju, seat: int, character: int) -> Sequence[Move]:
    """CKC-C-02, CKC-R-24: who cannot lay any card passes."""
    return with_claim(s, seat, ways_to_lay(s, seat, character, "sword", DONE))


@sword.outlook
def sword_outlook(s: Kaiju, seat: int, character: int) -> Outlook:
    return what_is_refused(s, seat, character, "sword")


@sword.sentence
def against_whom(s: Kaiju, seat: int, names: Sequence[str], character: int) -> str:
    combat, title = combat_of(s), s.cards.title
    foes = [s.city[0]] if combat.is_rampage else combat.against(seat)
    if len(foes) > 1:  # which of them comes later
        return f"{title[character]}: play a Sword card?"
    whose = "" if combat.is_rampage else f"{names[combat.rival(seat)]}'s "
    return f"{title[character]} against {whose}{title[foes[0]]}: play a card?"


@sword.answer
def lay_sword(s: Kaiju, seat: int, move: Move, character: int) -> None:
    """CKC-F-03: a target is named where there are several."""
    if move == CLAIM:
        claim_and_lay(s, seat)
        return
    if move == DONE:
        return
    combat, card, how = combat_of(s), chosen(move), HOW[move.verb]
    s.tell(events.CHOSEN_TO_LAY, seat, card, how)
    foes = s.city[:1] if combat.other == CITY else combat.against(seat)
    if len(foes) == 1:
        pay_discards(s, seat, "sword", character, card, how, foes[0])
    else:
        s.ask(seat, target, character, card, how)


@BOOK.prompt("Choose a target for your card.")
def target(s: Kaiju, seat: int, character: int, card: int, how: str) -> Sequence[Move]:
    return [TARGET[foe] for foe in combat_of(s).against(seat)]


@target.answer
def aim(s: Kaiju, seat: int, move: Move, character: int, card: int, how: str) -> None:
    pay_discards(s, seat, "sword", character, card, how, chosen(move))


@BOOK.step
def swords_down(s: Kaiju) -> None:
    """CKC-F-07, CKC-R-24: nothing laid is a pass; two passes in a row end the combat."""
    combat = combat_of(s)
    if combat.swords:
        lay_shields.do(s)
        return
    s.tell(events.SWORD_PASSED, combat.sword)
    combat.passes += 1
    if combat.passes < 2 and not combat.is_rampage:  # CKC-Y-15
        swap_roles(s, combat)


def turn_up_later(s: Kaiju) -> None:
    """CKC-R-25: when all is laid; then the roles, step (9)."""
    s.then(roles)
    s.then(resolve)


@BOOK.step
def roles(s: Kaiju) -> None:
    """CKC-C-05, CKC-M-01, CKC-Y-13: Combo, or the roles swap."""
    combat = still_fought(s)
    if combat is None:
        return
    if combat.combo:
        s.tell(events.COMBO, combat.sword)
        sword_turn.do(s)
    else:
        swap_roles(s, combat)


# -- answers ---------------------------------------------------------------------------------------


@BOOK.step
def lay_shields(s: Kaiju) -> None:
    """CKC-F-04, CKC-F-05: who is targeted may answer, in the order in which they joined."""
    combat = combat_of(s)
    combat.stage = "shield"
    turn_up_later(s)
    rival = combat.rival(combat.sword)
    if rival == CITY:
        return
    if s.claims_fury:
        s.then(steal_windows)
    aimed = [plan[1] for plan in combat.sword_plans]
    first, *others = [character for character in combat.against(combat.sword) if character in aimed]
    for character in reversed(others):
        s.then(answer_with, character)
    answer_with.do(s, first)


@BOOK.step
def strike(s: Kaiju) -> None:
    """CKC-Y-13: the card that is head then; the rampager may answer with one Shield card."""
    combat = still_fought(s)
    if combat is None:
        return
    if not s.cards.prints[s.city[0]].strike:
        swap_roles(s, combat)
        return
    combat.stage = "shield"
    turn_up_later(s)
    answer_with.do(s, combat.fighters[0])


@BOOK.step
def answer_with(s: Kaiju, character: int) -> None:
    seat = s.cards.owners[character]
    offer_claim(s, seat, "shield")
    s.ask(seat, shield, character)


@BOOK.prompt("Answer with a Shield card?")
def shield(s: Kaiju, seat: int, character: int) -> Sequence[Move]:
    """CKC-C-03"""
    return with_claim(s, seat, ways_to_lay(s, seat, character, "shield", NONE))


@shield.outlook
def shield_outlook(s: Kaiju, seat: int, character: int) -> Outlook:
    """``against``: the characters whose Sword cards are aimed at this one."""
    by = [plan[0] for plan in combat_of(s).sword_plans if plan[1] == character]
    return what_is_refused(s, seat, character, "shield") | {"against": by}


@shield.sentence
def against_what(s: Kaiju, seat: int, names: Sequence[str], character: int) -> str:
    combat, title = combat_of(s), s.cards.title
    if combat.sword == CITY:
        head = s.city[0]
        number = s.cards.prints[head].strike
        return f"{title[head]} strikes {title[character]} for {number}. Answer with a card?"
    by = [plan[0] for plan in combat.sword_plans if plan[1] == character]
    attackers = " and ".join(title[attacker] for attacker in by)
    return f"{names[combat.sword]}'s {attackers} against {title[character]}: answer?"


@shield.answer
def lay_shield(s: Kaiju, seat: int, move: Move, character: int) -> None:
    if move == CLAIM:
        claim(s, seat)
        s.then(answer_with, character)
    elif move == NONE:
        s.tell(events.NO_ANSWER, seat, character)
    else:
        card, how, combat = chosen(move), HOW[move.verb], combat_of(s)
        s.tell(events.CHOSEN_TO_LAY, seat, card, how)
        if combat.sword == CITY:
            pay_discards(s, seat, "shield", character, card, how, NO_CARD)
        elif len(combat.sword_plans) == 1:
            pay_discards(s, seat, "shield", character, card, how, combat.sword_plans[0][0])
        else:
            s.ask(seat, answer, character, card, how)


@BOOK.prompt("Which Sword card does it answer?")
def answer(s: Kaiju, seat: int, character: int, card: int, how: str) -> Sequence[Move]:
    """CKC-F-06: each is named by the character that laid it, for it lies face down."""
    return [ANSWER[plan[0]] for plan in combat_of(s).sword_plans if plan[1] == character]


@answer.answer
def answers(s: Kaiju, seat: int, move: Move, character: int, card: int, how: str) -> None:
    pay_discards(s, seat, "shield", character, card, how, chosen(move))


# -- paying and laying (CKC-C-10, CKC-R-22, CKC-R-23) ----------------------------------------------


def pay_discards(
    s: Kaiju, seat: int, role: str, character: int, card: int, how: str, at: int
) -> None:
    """Discards are chosen unseen and made together with the laying.

    How many questions somebody is asked would otherwise tell which card it is.
    """
    if how == PAID and s.cards.prints[card].most_discards and len(s.combat_hands[seat]) > 1:
        s.ask(seat, cost_discard, role, character, card, at, NO_CARD)
    else:
        lay(s, seat, role, character, card, how, at, ())


@BOOK.prompt("Discard a combat card for it?")
def cost_discard(
    s: Kaiju, seat: int, role: str, character: int, card: int, at: int, first: int
) -> Sequence[Move]:
    """CKC-R-23: one by one from the rest of the hand; ``first`` is what was chosen before."""
    options = [DISCARD[other] for other in s.combat_hands[seat] if other not in (card, first)]
    required = s.cards.prints[card].required_discards
    return [*options, DONE] if (first != NO_CARD) >= required else options


@cost_discard.sentence
def for_what(
    s: Kaiju,
    seat: int,
    names: Sequence[str],
    role: str,
    character: int,
    card: int,
    at: int,
    first: int,
) -> str:
    it = s.cards.prints[card]
    if it.required_discards:
        return f"Discard a combat card to pay for {it.title}."
    return f"Discard up to {it.optional_discards} combat cards for {it.title}?"


@cost_discard.answer
def discard_chosen(
    s: Kaiju, seat: int, move: Move, role: str, character: int, card: int, at: int, first: int
) -> None:
    discards = [] if first == NO_CARD else [first]
    if move != DONE:
        discards.append(chosen(move))
        s.tell(events.PICKED, seat, chosen(move))
    most = min(s.cards.prints[card].most_discards, len(s.combat_hands[seat]) - 1)
    if move == DONE or len(discards) == most:
        lay(s, seat, role, character, card, PAID, at, discards)
    else:
        s.ask(seat, cost_discard, role, character, card, at, discards[0])


def lay(
    s: Kaiju,
    seat: int,
    role: str,
    character: int,
    card: int,
    how: str,
    at: int,
    discards: Sequence[int],
) -> None:
    """Face down, its cost reserved; ``at`` is the target, or the character that is answered."""
    combat = combat_of(s)
    price = costs.price(s, character, card, role) if how == PAID else (0, 0, 0)
    s.combat_hands[seat].remove(card)
    forget_shown(s, combat, seat, card)
    plan = (character, at, how, *price, len(discards))
    if role == "sword":
        s.last.clear()
        combat.passes = 0
        combat.swords.append(card)
        combat.sword_plans.append(plan)
        s.tell(events.LAID, seat, card, how, character, at, role)
        if len(combat.side(seat)) > 1:
            s.then(lay_swords_on)
    else:
        combat.shields.append(card)
        combat.shield_plans.append(plan)
        s.tell(events.LAID, seat, card, how, character, at, role)
    if discards:
        discard_combat(s, seat, discards)
        s.tell(events.DISCARDED_FOR, seat, tuple(discards))


@BOOK.step
def lay_swords_on(s: Kaiju) -> None:
    """In a team fight the next character may lay a card."""
    seat = combat_of(s).sword
    free = free_fighters(s, seat)
    if len(free) > 1:
        s.ask(seat, fighter)
    elif free:
        s.ask(seat, sword, free[0])


def forget_shown(s: Kaiju, combat: Combat, seat: int, card: int) -> None:
    """Who was shown a card of this hand cannot tell whether it lies face down now."""
    s.known.pop(card, None)
    for _viewer, revealed in combat.shown:
        if s.owner(revealed) == seat:
            s.known.pop(revealed, None)


# -- claiming and stealing Fury (CKC-X-08, CKC-R-28) -----------------------------------------------


def with_claim(s: Kaiju, seat: int, options: list[Move]) -> list[Move]:
    """CKC-R-28 (b): a prompt that would have a single option without it does not offer it."""
    if s.claims_fury and s.pending[seat] and len(options) > 1:
        return [*options, CLAIM]
    return options


def offer_claim(s: Kaiju, seat: int, role: str = "") -> None:
    """Note that the next prompt of the seat offers it, if it will be asked at all."""
    if s.claims_fury and s.pending[seat]:
        s.depends_on(seat)
        if not role or fitting(s, seat, role):
            s.offered[seat] = 1


def claim(s: Kaiju, seat: int) -> None:
    fury, s.pending[seat], s.offered[seat] = s.pending[seat], 0, 0
    s.fury[seat] += fury
    s.tell(events.FURY_CLAIMED, seat, fury)


def claim_and_lay(s: Kaiju, seat: int) -> None:
    claim(s, seat)
    s.then(lay_swords_on)


@BOOK.step
def steal_windows(s: Kaiju) -> None:
    """CKC-R-28 (c): both sides have laid a card; first the starter's Fury, then the other's."""
    combat = combat_of(s)
    if combat.shields and not combat.is_rampage:
        s.then(steal_window, combat.other)
        s.then(steal_window, combat.starter)


@BOOK.step
def steal_window(s: Kaiju, owner: int) -> None:
    combat = combat_of(s)
    s.depends_on(owner)  # it was offered only where a card of the hand fitted
    if s.pending[owner] and s.offered[owner] and owner not in s.out:
        rival = combat.rival(owner)
        if rival not in s.out:
            s.ask(rival, steal_fury, owner)


@BOOK.prompt("Steal the unclaimed Fury?")
def steal_fury(s: Kaiju, seat: int, owner: int) -> Sequence[Move]:
    return (STEAL, LEAVE)


@steal_fury.sentence
def whose_fury(s: Kaiju, seat: int, names: Sequence[str], owner: int) -> str:
    return f"{names[owner]} has not claimed {s.pending[owner]} Fury. Steal it?"


@steal_fury.answer
def steal_or_leave(s: Kaiju, seat: int, move: Move, owner: int) -> None:
    if move == STEAL:
        fury, s.pending[owner], s.offered[owner] = s.pending[owner], 0, 0
        s.fury[seat] += fury
        s.tell(events.FURY_STOLEN, seat, owner, fury)
