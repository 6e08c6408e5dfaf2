"""Both sides turn up what they laid, and what comes of it (CKC-C-04, CKC-E-10, CKC-R-25)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.colossal_kaiju_combat import effects, events
from games.colossal_kaiju_combat.characters import Sum, adjacent, shuts_out, total
from games.colossal_kaiju_combat.moves import MOVE
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.damage import (
    check_knockouts,
    gain_energy,
    hurt,
    hurt_city,
)
from games.colossal_kaiju_combat.rules.decks import discard_combat, draw_combat, pick_from
from games.colossal_kaiju_combat.state import BLUFF, CITY, ILLEGAL, PAID, Combat, Kaiju, Print
from games.colossal_kaiju_combat.values import (
    city_toughness,
    damage_sum,
    is_first_sword,
    toughness_sum,
)
from rules.engine.card_tables import NO_CARD
from rules.engine.moves import Move, chosen

STRIKE: Final = Print(kind="strike", title="Strike", has_damage=True)


@dataclass(slots=True)
class Turned:
    """A card that has been turned up: who laid it, at whom, and whether it takes effect."""

    card: int
    it: Print
    character: int
    seat: int
    at: int
    mark: str
    discards: int
    effective: bool = False
    terms: Sequence[tuple[str, int]] = ()
    value: int = 0
    dealt: int = 0


@dataclass(slots=True)
class Pair:
    """A Sword card (or a strike of the city) and what answers it."""

    sword: Turned
    answer: Turned | None
    stopping: Sequence[tuple[str, int]] = ()

    @property
    def counters(self) -> bool:
        """CKC-C-21: a Counterattack in effect."""
        return self.answer is not None and self.answer.effective and is_counter(self.answer.it)

    @property
    def answering(self) -> Print | None:
        """The answer, if it takes effect."""
        return self.answer.it if self.answer is not None and self.answer.effective else None


def is_counter(card: Print) -> bool:
    return card.type == "Counterattack"


@BOOK.step
def resolve(s: Kaiju) -> None:
    """CKC-R-25, steps (1) to (8); the roles follow (``exchange.py``)."""
    combat = s.combat
    assert combat is not None
    combat.stage = "turned"
    pairs = turn_up(s, combat)
    aimed = [pair.sword.at for pair in pairs]
    for pair in pairs:
        work_out(s, combat, pair, aimed.count(pair.sword.at))
    for pair in pairs:
        deal(s, combat, pair)
    remember(s, pairs)
    for pair in pairs:
        texts_after_damage(s, combat, pair)
    for pair in pairs:
        knockdowns(s, combat, pair)
    for pair in pairs:
        draws(s, pair)
    restore_shown(s, combat)
    combat.combo = combos(s, combat, pairs)
    moving = [
        turned
        for pair in pairs
        for turned in (pair.sword, pair.answer)
        if turned is not None and turned.it.move and turned.effective
    ]
    if not moving:
        check_knockouts(s)
        return
    s.then(knockout_check)
    for turned in reversed(moving):
        s.then(offer_move, turned.seat, turned.it.move)


@BOOK.step
def knockout_check(s: Kaiju) -> None:
    """CKC-R-25 (8)"""
    check_knockouts(s)


# -- (1) both sides turn up ------------------------------------------------------------------------


def turn_up(s: Kaiju, combat: Combat) -> list[Pair]:
    """Costs are paid now, and everybody sees them (CKC-R-22, CKC-E-09)."""
    swords = [
        turn(s, combat, card, plan, "sword")
        for card, plan in zip(combat.swords, combat.sword_plans, strict=True)
    ]
    answers = {}
    for card, plan in zip(combat.shields, combat.shield_plans, strict=True):
        shield = turn(s, combat, card, plan, "shield")
        answers[shield.at] = shield
    if combat.sword == CITY:
        swords.append(the_strike(s, combat))
    combat.swords.clear()
    combat.sword_plans.clear()
    combat.shields.clear()
    combat.shield_plans.clear()
    return [judged(sword, answers.get(sword.character)) for sword in swords]


def turn(s: Kaiju, combat: Combat, card: int, plan: Sequence[Any], role: str) -> Turned:
    character, at, how, ferocity, agility, energy, discards = plan
    it, seat = s.cards.prints[card], s.cards.owners[card]
    mark = how if role in it.roles else ILLEGAL  # CKC-R-20
    paid = (0, 0, 0)
    if mark == PAID:
        paid = (ferocity, agility, energy)
        combat.ferocity[character] = combat.ferocity.get(character, 0) + ferocity
        combat.agility[character] = combat.agility.get(character, 0) + agility
        combat.energy[character] = combat.energy.get(character, 0) + energy
        s.energy[seat] -= energy
        if role == "shield":
            use_first(s, combat, character, "first-shield-cheaper")
    s.seen |= 1 << card
    s.known.pop(card, None)
    combat.played.append((card, character, role, mark))
    s.tell(events.TURNED_UP, seat, card, character, mark, paid)
    return Turned(card, it, character, seat, at, mark, discards)


def the_strike(s: Kaiju, combat: Combat) -> Turned:
    """CKC-Y-13, CKC-Y-14: counts as paid; no type, style, icons or text."""
    head = s.city[0]
    it = s.cards.prints[head]
    s.tell(events.STRIKES, combat.starter, head, combat.fighters[0], it.strike)
    return Turned(NO_CARD, STRIKE, NO_CARD, s.owner(head), combat.fighters[0], PAID, 0)


def judged(sword: Turned, answer: Turned | None) -> Pair:
    """Judge which cards take effect (the table of CKC-E-10)."""
    if answer is None:
        sword.effective = sword.mark != ILLEGAL
    else:
        sword.effective = sword.mark == PAID or (sword.mark == BLUFF and answer.mark != PAID)
        answer.effective = answer.mark == PAID or (answer.mark == BLUFF and sword.mark != PAID)
    return Pair(sword, answer)


def use_first(s: Kaiju, combat: Combat, character: int, effect: str) -> bool:
    """True for what a kaiju does but once a combat; from now on that is over."""
    if s.cards.prints[character].effect != effect or character in combat.firsts:
        return False
    combat.firsts.append(character)
    return True


# -- (2) values ------------------------------------------------------------------------------------


def work_out(s: Kaiju, combat: Combat, pair: Pair, aimed: int) -> None:
    """CKC-C-09, CKC-R-29, CKC-R-30: on the state before any damage of this exchange.

    ``aimed`` is how many Sword cards of the exchange have the same target.
    """
    sword, answer = pair.sword, pair.answer
    if sword.effective:
        terms = sword_terms(s, combat, sword)
        if pair.answering is not None and pair.answering.effect == "blunt":  # Riposte
            terms.append((pair.answering.title, -pair.answering.amount))
        sword.terms, sword.value = terms, total(terms)
    if answer is None or not answer.effective:
        return
    answered = None if sword.card == NO_CARD else sword.it
    character, card = answer.character, answer.card
    if is_counter(answer.it):
        target = s.city[0] if sword.card == NO_CARD else sword.character
        terms = damage_sum(s, character, card, target, role="counter", answered=answered)
    else:
        terms = toughness_sum(s, character, card, answered=answered, aimed=aimed)
        spoiler = sword.it if sword.effective else None
        if spoiler and spoiler.effect == "spoil-dodge" and answer.it.type == "Dodge":
            terms.append((spoiler.title, -total(terms)))
    answer.terms, answer.value = terms, total(terms)


def sword_terms(s: Kaiju, combat: Combat, sword: Turned) -> Sum:
    if sword.card == NO_CARD:
        return [("Strike", s.cards.prints[s.city[0]].strike)]
    terms = damage_sum(
        s, sword.character, sword.card, sword.at, role="sword", discards=sword.discards
    )
    if is_first_sword(s, sword.character):
        use_first(s, combat, sword.character, "first-sword")
    return terms


def remember(s: Kaiju, pairs: Sequence[Pair]) -> None:
    """The sums stay on the table until the next card is laid (section 8)."""
    s.last.clear()
    for pair in pairs:
        s.last.append(("sword", *_row(pair.sword)))
        if pair.answer is not None:
            s.last.append(("answer", *_row(pair.answer)))
        back = pair.answer.dealt if pair.answer is not None else 0
        s.last.append(("dealt", tuple(pair.stopping), pair.sword.dealt, back))


def _row(turned: Turned) -> tuple[Any, ...]:
    return (
        turned.card,
        turned.character,
        turned.seat,
        turned.at,
        turned.mark,
        turned.effective,
        tuple(turned.terms),
        turned.value,
    )


# -- (3) damage ------------------------------------------------------------------------------------


def deal(s: Kaiju, combat: Combat, pair: Pair) -> None:
    """First the Sword card's damage, then that of the Counterattack that answers it."""
    sword, answer = pair.sword, pair.answer
    if combat.is_rampage and sword.card != NO_CARD:
        pair.stopping = city_toughness(s, sword.at)
    elif answer is not None and answer.effective and not pair.counters:
        pair.stopping = answer.terms
    sword.dealt = blow(s, combat, sword, sword.at, pair.stopping, "card")
    if answer is not None and pair.counters:
        back: Sequence[tuple[str, int]] = ()
        if sword.card == NO_CARD:  # CKC-Y-17
            back = city_toughness(s, s.city[0])
        at = s.city[0] if sword.card == NO_CARD else sword.character
        answer.dealt = blow(s, combat, answer, at, back, "counter")


def blow(
    s: Kaiju,
    combat: Combat,
    turned: Turned,
    target: int,
    stopping: Sequence[tuple[str, int]],
    cause: str,
) -> int:
    """One instance of damage, with the Damage Effect that raises it (CKC-M-03)."""
    stopped = total(stopping)
    if turned.value > stopped and "damage" in turned.it.damage_effect:
        more = ("Damage Effect", int(turned.it.damage_effect["damage"]))
        turned.terms = (*turned.terms, more)
        turned.value = total(turned.terms)
    dealt = max(0, turned.value - stopped)
    s.tell(
        events.WORKED_OUT,
        turned.card,
        target,
        turned.effective,
        tuple(turned.terms),
        tuple(stopping),
        (turned.value, stopped, dealt),
    )
    if turned.card == NO_CARD:
        hurt(s, target, dealt, turned.seat, attack=True, cause="strike")
    elif s.cards.prints[target].is_city:
        hurt_city(s, target, dealt, turned.seat, cause)
    else:
        hurt(s, target, dealt, turned.seat, attack=True, cause=cause)
    if dealt and turned.card != NO_CARD and turned.character not in combat.hitters:
        combat.hitters.append(turned.character)
    return dealt


# -- (4) texts that follow damage ------------------------------------------------------------------


def texts_after_damage(s: Kaiju, combat: Combat, pair: Pair) -> None:
    """Its own text, the target's ability, the answering card's text, its character's ability."""
    sword, answer = pair.sword, pair.answer
    if sword.effective:
        if sword.dealt and "energy" in sword.it.damage_effect:
            gain_energy(s, sword.seat, int(sword.it.damage_effect["energy"]))
        if sword.it.effect == "splash":
            splash(s, combat, sword)
    if sword.dealt and sword.character != NO_CARD:
        prick(s, sword.at, sword)
    if answer is not None and answer.effective:
        answer_text(s, sword, answer)
        if answer.dealt:
            prick(s, sword.character, answer)


def splash(s: Kaiju, combat: Combat, sword: Turned) -> None:
    """Thunderclap: each other opposing character."""
    for foe in combat.against(sword.seat)[:]:
        if foe != sword.at:
            hurt(s, foe, sword.it.amount, sword.seat, attack=True, cause="text")


def prick(s: Kaiju, victim: int, turned: Turned) -> None:
    """Coralisk: a bite, claw or punch card has dealt damage to it."""
    if victim == NO_CARD:
        return
    kaiju = s.cards.prints[victim]
    if kaiju.effect != "thorns" or kaiju.against.isdisjoint(turned.it.styles):
        return
    if not shuts_out(s, turned.character, victim):
        source = s.owner(victim)
        hurt(s, turned.character, kaiju.amount, source, attack=False, cause="text")


def answer_text(s: Kaiju, sword: Turned, answer: Turned) -> None:
    """Spined Curl, Absorb Impact."""
    it = answer.it
    if it.effect == "thorns" and not it.against.isdisjoint(sword.it.styles):
        hurt(s, sword.character, it.amount, answer.seat, attack=False, cause="text")
    elif it.effect == "absorb" and not sword.dealt:
        gain_energy(s, answer.seat, it.amount)


# -- (5) knockdowns, (6) draws ---------------------------------------------------------------------


def knockdowns(s: Kaiju, combat: Combat, pair: Pair) -> None:
    """CKC-M-02: the Sword card, then the answer."""
    sword, answer = pair.sword, pair.answer
    if sword.effective and knocks_down(sword):
        steady = pair.answering is not None and pair.answering.effect == "steady"  # Stand Firm
        if not steady:
            knock_down(s, combat, combat.rival(sword.seat))
    if answer is not None and answer.effective:
        tripped = answer.it.effect == "trip" and not answer.it.against.isdisjoint(sword.it.styles)
        if tripped or knocks_down(answer):
            knock_down(s, combat, combat.rival(answer.seat))


def knocks_down(turned: Turned) -> bool:
    effect = turned.it.damage_effect
    return turned.it.knockdown or (turned.dealt > 0 and bool(effect.get("knockdown")))


def knock_down(s: Kaiju, combat: Combat, victim: int) -> None:
    """CKC-R-35: nothing in a rampage, from an empty hand, or against a Gearhorn's side."""
    if combat.is_rampage or not s.combat_hands[victim]:
        return
    prints = s.cards.prints
    if any(prints[character].effect == "no-knockdown" for character in combat.side(victim)):
        return
    card, hand = pick_from(s, s.combat_hands[victim])
    discard_combat(s, victim, [card])
    s.tell(events.KNOCKED_DOWN, victim, card, hand)


def draws(s: Kaiju, pair: Pair) -> None:
    """Read the Moves"""
    answer = pair.answer
    if answer is not None and answer.effective and answer.it.effect == "draw":
        draw_combat(s, answer.seat, answer.it.amount)


def restore_shown(s: Kaiju, combat: Combat) -> None:
    """Nothing lies face down: a card that somebody was shown is in that hand, or it is not."""
    for viewer, card in combat.shown:
        if card in s.combat_hands[s.owner(card)]:
            s.show(card, viewer)


# -- (7) moves, and what Combo says of the roles ---------------------------------------------------


@BOOK.step
def offer_move(s: Kaiju, seat: int, steps: int) -> None:
    """CKC-M-05, CKC-R-37; Suspension Bridge looks at the head of this moment."""
    bridge = adjacent(s, "further")
    if effects.can_move(s, seat):
        s.ask(seat, move, steps + (bridge.amount if bridge else 0))


@BOOK.prompt("Move the city?")
def move(s: Kaiju, seat: int, most: int) -> Sequence[Move]:
    return [MOVE[steps] for steps in range(most + 1)]


@move.answer
def city_moved(s: Kaiju, seat: int, answer: Move, most: int) -> None:
    effects.move_city(s, seat, chosen(answer))


def combos(s: Kaiju, combat: Combat, pairs: Sequence[Pair]) -> bool:
    """CKC-M-01, CKC-R-60: did a Combo Sword card take effect? Cinderwing's first Quick Attack."""
    combo = False
    for pair in pairs:
        sword = pair.sword
        if sword.effective and sword.card != NO_CARD:
            quick = sword.it.type == "Quick Attack"
            first = quick and use_first(s, combat, sword.character, "first-combo")
            combo = combo or sword.it.combo or first
    return combo
