"""Attacking (KND-A): which attacks are open, how they are worked out, what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.knd_ocg import derived, events
from games.knd_ocg.card_texts import Attack
from games.knd_ocg.moves import ATTACK, BASIC, END, TRICK
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import texts
from games.knd_ocg.rules.cards import defeat, lose_by_attack
from games.knd_ocg.rules.ending import check_fallen
from games.knd_ocg.rules.paying import pay_energy
from games.knd_ocg.state import (
    ALLOW_BASIC,
    NO_BACKLASH,
    NONE,
    PACIFIST,
    REACH_RESERVE,
    SAFE,
    SECOND_ATTACK,
    Duel,
)
from rules.engine.moves import Card, Move

BASIC_ATTACK: Final = -1
"""The number of the Basic Attack; Special Attacks count from 0."""

VERBS: Final[tuple[str, ...]] = ("attack1", "attack2", "basic")
"""By the number of the attack; -1 finds the last one."""

NUMBERS: Final = {"attack1": 0, "attack2": 1, "basic": BASIC_ATTACK}

# -- which attacks are open ------------------------------------------------------------------------


def why_no_attack(s: Duel, card: int) -> str:
    """Why the Character cannot declare attacks of any kind; "" if it can."""
    if s.turn == 1 and not s.first_attack:
        return "first-turn"  # KND-R-06
    return "grounded" if s.marks and derived.is_grounded(s, card) else ""


def why_no_basic(s: Duel, card: int) -> str:
    """Why it cannot declare a Basic Attack, whatever its target; "" if it can."""
    if (s.specials[0] or s.specials[1]) and derived.no_basic_attacks(s):
        return "snow-day"  # KND-X-09: what forbids beats what allows
    if s.cards.type[card] == PACIFIST and not s.has_mark(card, ALLOW_BASIC):
        return "pacifist"  # KND-Y-14
    return ""


def why_no_special(s: Duel, seat: int, card: int, number: int) -> str:
    """KND-A-10, KND-A-24: why this Special Attack cannot be declared, whatever its target."""
    attack = s.cards.attacks[card][number]
    if s.active[seat] != card and not attack.from_reserve:
        return "reserve"  # KND-A-09
    if not derived.covers(s, card, attack.energy):
        return "energy"
    if not derived.covers(s, card, attack.cost):
        return "cost"
    return why_no_use(s, seat, card, number, attack)


def why_no_use(s: Duel, seat: int, card: int, number: int, attack: Attack) -> str:
    """Why a Special Attack for which the Energy lies there cannot be declared all the same."""
    if attack.needs:
        if "reserve" in attack.needs and not s.in_reserve(seat):
            return "no-reserve"
        if "not_stuck" in attack.needs and derived.is_stuck(s, card):
            return "stuck"
    if attack.form == "trick" and not texts.has_choices(s, seat, card, number):
        return "no-choice"  # KND-R-30
    return ""


def targets(s: Duel, seat: int, card: int, on: str) -> list[int]:
    """KND-A-02, KND-X-23: whom an attack of the Character may target (section 5)."""
    other = 1 - seat
    active = s.active[other]
    reachable: list[int] = []
    if on != "reserve" and active >= 0:
        reachable.append(active)
    if on != "active":
        reachable += reachable_reserve(s, seat, card)
    if reachable and s.marks:
        hiding = [target for target in reachable if derived.is_hiding(s, target)]
        if hiding and not derived.has_bypass(s, card):
            return [target for target in reachable if target not in hiding]
    return reachable


def reachable_reserve(s: Duel, seat: int, card: int) -> list[int]:
    """The opposing Reserve, unless Look Both Ways forbids it."""
    reserve = s.in_reserve(1 - seat)
    if not reserve or derived.has_bypass(s, card):
        return reserve
    lasting = s.cards.lasting
    for shield in s.field_of(1 - seat):
        if lasting[shield] == "shield-reserve" and derived.works(s, shield):
            return []
    return reserve


def basic_targets(s: Duel, seat: int, card: int) -> list[int]:
    return targets(s, seat, card, "any" if s.has_mark(card, REACH_RESERVE) else "active")


def basic_attacks(s: Duel, seat: int, card: int) -> list[Move]:
    """KND-A-04: the Basic Attacks of the Active Character, one for each target."""
    if why_no_basic(s, card):
        return []
    if s.marks:
        return [BASIC[card][target] for target in basic_targets(s, seat, card)]
    target = s.active[1 - seat]  # nobody is Hiding, and nobody may reach the Reserve
    return [BASIC[card][target]] if target >= 0 else []


def special_attacks(s: Duel, seat: int, card: int) -> list[Move]:
    """KND-A-09 to KND-A-11: the Special Attacks of a Character that are open now."""
    options: list[Move] = []
    for number, attack in derived.means(s, card).attacks:
        if s.active[seat] != card and not attack.from_reserve:
            continue
        if why_no_use(s, seat, card, number, attack):
            continue
        if attack.on == "nobody":
            options.append(TRICK[number][card])
        else:
            on = ATTACK[number][card]
            for target in targets(s, seat, card, attack.on):
                options.append(on[target])
    return options


def attacks(s: Duel, seat: int) -> list[Move]:
    """KND-A-01, KND-A-03: one attack, by the Active Character or one that may from the Reserve."""
    options: list[Move] = []
    active, under = s.active[seat], s.under
    if active >= 0 and not why_no_attack(s, active):
        options = basic_attacks(s, seat, active)
        if active in under:  # every Special Attack needs Energy
            options += special_attacks(s, seat, active)
    if s.cards.anybody_lobs:
        for card in s.reserve[seat]:
            if card in under and s.cards.lobs[card] and not why_no_attack(s, card):
                options += special_attacks(s, seat, card)
    return options


# -- how an attack is worked out -------------------------------------------------------------------


class Blow(NamedTuple):
    """An attack worked out (KND-R-21): what is set against what, and what both would lose."""

    power: int
    defence: int
    loss: int
    backlash: int
    bypass: bool


def work_out(s: Duel, card: int, number: int, target: int) -> Blow:
    """KND-A-05 to KND-A-07, KND-A-20 to KND-A-22, all modifiers as they are now."""
    if number == BASIC_ATTACK:
        defence = derived.dp(s, target, against=card)
        return _compared(s, card, target, derived.ap(s, card), defence)
    attack = s.cards.attacks[card][number]
    if attack.form == "strike":
        power = derived.dp(s, card) if attack.equals else derived.ap(s, card, attack.plus)
        defence = derived.dp(s, target, printed=attack.ignores == "dp-modifiers")
        return _compared(s, card, target, power, defence)
    bypass = derived.has_bypass(s, card)
    if attack.form == "hit":
        amount = hit_amount(s, attack, target)
        if not bypass and derived.has_lasting(s, target, "soften-hits"):
            amount = max(amount - _of_effect(s, target), 0)
        return Blow(amount, 0, amount, 0, bypass)
    power, defence = derived.ap(s, card, attack.plus), derived.dp(s, target)
    back = max(derived.ap(s, target) - derived.dp(s, card), 0)
    return Blow(power, defence, max(power - defence, 0), back, bypass)


def _compared(s: Duel, card: int, target: int, power: int, defence: int) -> Blow:
    """AP against DP; below it the attacker loses the difference."""
    bypass = derived.has_bypass(s, card)
    if power >= defence:
        return Blow(power, defence, power - defence, 0, bypass)
    backlash = defence - power
    if s.marks and s.has_mark(card, NO_BACKLASH):
        backlash = 0
    elif not bypass and derived.has_lasting(s, target, "raise-backlash"):
        backlash += _of_effect(s, target)
    return Blow(power, defence, 0, backlash, bypass)


def _of_effect(s: Duel, card: int) -> int:
    effect = s.cards.effect[card]
    assert effect is not None
    return int(effect.does[0].amount)


def hit_amount(s: Duel, attack: Attack, target: int) -> int:
    """KND-A-21: how hard a Hit is, before what softens it."""
    if attack.amount == "target-dp":
        return derived.dp(s, target)
    if attack.per:
        return min(int(attack.amount) * len(s.hands[s.owner(target)]), attack.most)
    if attack.if_shushed and derived.is_shushed(s, target):
        return attack.if_shushed
    return int(attack.amount)


def kept_by_safe(s: Duel, card: int, loss: int, *, bypass: bool) -> int:
    """KND-X-24: what the Character really loses: no more than it has, Safe leaves it 1 HP."""
    least = 1 if s.has_mark(card, SAFE) and not bypass else 0
    return min(loss, s.hp(card) - least)


# -- an attack, step by step (KND-R-19) ------------------------------------------------------------


def declare(s: Duel, seat: int, move: Move, *, again: bool = False) -> None:
    """KND-R-19: 1 declare, 2 cost; the steps after it are laid up."""
    card, number = move.card, NUMBERS[move.verb]
    assert card is not None
    target = move.target.card if isinstance(move.target, Card) else NONE
    s.sequence = "attack"
    if s.marks and s.has_mark(card, SECOND_ATTACK):
        s.then(after_attack, seat, card, number, int(again))
    if number == BASIC_ATTACK:
        s.tell(events.ATTACK, seat, card, move.verb, "", target)
        strike.do(s, seat, card, number, target)
        return
    attack = s.cards.attacks[card][number]
    s.tell(events.ATTACK, seat, card, move.verb, attack.name, target)
    texts.lay_up(s, seat, card, number, target)
    if attack.form != "trick":
        s.then(strike, seat, card, number, target)
    if attack.cost.total:
        pay_energy(s, seat, card, attack.cost)


@BOOK.step
def strike(s: Duel, seat: int, card: int, number: int, target: int) -> None:
    """KND-R-19: 3 damage, 4 defeats and tallies, 5 KND-W-01, 6 triggers."""
    blow = work_out(s, card, number, target)
    clash = number >= 0 and s.cards.attacks[card][number].form == "clash"
    lost, fallen = 0, []
    if blow.loss:
        lost = lose_by_attack(s, target, blow.loss, "attack", bypass=blow.bypass)
        if s.hp(target) <= 0:
            fallen.append(target)
    if blow.backlash:
        lose_by_attack(s, card, blow.backlash, "attack" if clash else "backlash", bypass=False)
        if s.hp(card) <= 0:
            fallen.append(card)
    elif not blow.loss:
        s.tell(events.NO_LOSS, seat, card, target)
    basic_loss = number < 0 and lost > 0
    if fallen or basic_loss:
        waiting = _triggers(s, card, target, fallen, basic_loss=basic_loss)
        for victim in fallen:
            defeat(s, victim)
        if fallen:
            check_fallen(s)
        for victim, other in reversed(waiting):
            s.then(trigger, victim, other)


def _triggers(
    s: Duel, card: int, target: int, fallen: Sequence[int], *, basic_loss: bool
) -> list[tuple[int, int]]:
    """KND-R-28: whose effects are triggered, in order, each with the other Character."""
    happened: dict[int, tuple[str, ...]] = {}
    if target in fallen:
        happened[target] = ("defeated",)
        happened[card] = ("defeats",)
    if card in fallen:
        happened[card] = (*happened.get(card, ()), "defeated")
    if basic_loss:
        happened[card] = (*happened.get(card, ()), "basic-damage")
    # an attacker's effect comes first, as only the two Characters of an attack are concerned
    return [
        (bearer, card if bearer == target else target)
        for bearer in (card, target)
        if bearer in happened and is_triggered(s, bearer, happened[bearer])
    ]


def is_triggered(s: Duel, card: int, happened: Sequence[str]) -> bool:
    """True if the Character has a triggered effect for this, and it works now."""
    effect = s.cards.effect[card]
    return effect is not None and effect.on in happened and derived.works(s, card)


@BOOK.step
def trigger(s: Duel, card: int, other: int) -> None:
    """KND-R-27: it happens by itself. ``other`` is the Character that has to do with it."""
    effect = s.cards.effect[card]
    assert effect is not None
    seat = s.owner(card)
    s.tell(events.TRIGGER, seat, card, effect.name)
    texts.lay_up(s, seat, card, texts.EFFECT, other)


@BOOK.step
def after_attack(s: Duel, seat: int, card: int, number: int, again: int) -> None:
    """KND-R-23: the marked Character may attack once more, with the same kind."""
    if again or s.active[seat] != card or not s.has_mark(card, SECOND_ATTACK):
        return
    special = int(number != BASIC_ATTACK)
    if second_attacks(s, seat, card, special):
        s.ask(seat, second_attack, card, special)


def second_attacks(s: Duel, seat: int, card: int, special: int) -> list[Move]:
    if why_no_attack(s, card):
        return []
    return special_attacks(s, seat, card) if special else basic_attacks(s, seat, card)


@BOOK.prompt("Attack a second time?", name="again", insists=True)
def second_attack(s: Duel, seat: int, card: int, special: int) -> Sequence[Move]:
    """KND-R-23: it may be declined."""
    return [*second_attacks(s, seat, card, special), END]


@second_attack.sentence
def once_more(s: Duel, seat: int, names: Sequence[str], card: int, special: int) -> str:
    kind = "Special Attack" if special else "Basic Attack"
    return f"{s.cards.title[card]} may make a second {kind}."


@second_attack.answer
def attack_again(s: Duel, seat: int, move: Move, card: int, special: int) -> None:
    if move != END:
        declare(s, seat, move, again=True)


# -- what the table is told ------------------------------------------------------------------------

WHY_NOT: Final = {
    "first-turn": ("No attacks in the very first turn", "KND-R-06"),
    "grounded": ("Grounded: no attacks", "KND-X-22"),
    "snow-day": ("Snow Day: no Basic Attacks", "KND-X-09"),
    "pacifist": ("Pacifists make no Basic Attacks", "KND-Y-14"),
    "reserve": ("Only as the Active Character", "KND-A-09"),
    "energy": ("Needs {energy}", "KND-A-10"),
    "cost": ("Costs {cost}", "KND-A-24"),
    "no-reserve": ("Needs a Character in your Reserve", "KND-A-24"),
    "stuck": ("Stuck", "KND-X-26"),
    "no-choice": ("There is nothing to choose", "KND-R-30"),
    "no-target": ("There is nobody to attack", "KND-R-20"),
    "hiding": ("Your opponent’s Active Character is Hiding", "KND-X-23"),
    "shielded": ("Look Both Ways shields the Reserve", "KND-A-27"),
}
"""By reason: the words on the attack that is not open, and the rule that they lead to."""


def foreseen(s: Duel, card: int, number: int, target: int) -> dict[str, Any]:
    """An attack worked out beforehand, as plain data: “35 − 5 = 30” (section 8)."""
    blow = work_out(s, card, number, target)
    loss = kept_by_safe(s, target, blow.loss, bypass=blow.bypass)
    backlash = kept_by_safe(s, card, blow.backlash, bypass=False)
    form = "strike" if number == BASIC_ATTACK else s.cards.attacks[card][number].form
    return {
        "card": card,
        "target": target,
        "form": form,
        "power": blow.power,
        "defence": blow.defence,
        "loss": loss,
        "backlash": backlash,
        "defeats": loss >= s.hp(target),
        "falls": backlash >= s.hp(card),
    }


def destroys_itself(s: Duel, card: int, number: int) -> bool:
    """True if the attack's "Then" destroys its user."""
    if number == BASIC_ATTACK:
        return False
    return any(
        part.do == "destroy" and part.who == "self" for part in s.cards.attacks[card][number].then
    )


def reason(s: Duel, seat: int, card: int, number: int) -> str:
    """Why an attack is not open, as a word of ``WHY_NOT``; "" if it is."""
    why = why_no_attack(s, card)
    if not why:
        basic = number == BASIC_ATTACK
        why = why_no_basic(s, card) if basic else why_no_special(s, seat, card, number)
    if why:
        return why
    on = "active" if number == BASIC_ATTACK else s.cards.attacks[card][number].on
    if on == "nobody":
        return ""
    basic = number == BASIC_ATTACK
    if basic_targets(s, seat, card) if basic else targets(s, seat, card, on):
        return ""
    if on == "reserve":
        return "shielded" if s.in_reserve(1 - seat) else "no-target"
    return "hiding" if s.active[1 - seat] >= 0 else "no-target"


def attack_row(s: Duel, seat: int, card: int, number: int) -> dict[str, Any]:
    """One attack of a Character for the table: its name, whether it is open, and why not."""
    why = reason(s, seat, card, number)
    attack = None if number == BASIC_ATTACK else s.cards.attacks[card][number]
    words, rule = WHY_NOT[why] if why else ("", "")
    if attack:
        words = words.format(energy=attack.energy, cost=attack.cost)
    return {
        "card": card,
        "verb": VERBS[number],
        "name": attack.name if attack else "Basic Attack",
        "energy": str(attack.energy) if attack else "",
        "ready": not why,
        "why": words,
        "rule": rule,
    }


def attack_rows(s: Duel, seat: int) -> list[dict[str, Any]]:
    """All attacks of the Active Character, and those from the Reserve."""
    rows = []
    active, tables = s.active[seat], s.cards.attacks
    if active >= 0:
        numbers = (BASIC_ATTACK, *range(len(tables[active])))
        rows += [attack_row(s, seat, active, number) for number in numbers]
    for card in s.in_reserve(seat):
        rows += [
            attack_row(s, seat, card, number)
            for number, attack in enumerate(tables[card])
            if attack.from_reserve
        ]
    return rows
