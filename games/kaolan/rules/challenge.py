"""The Challenge: Qualification, Defense, Volley, in this order (KAO-M-31 to KAO-M-45, KAO-R-20).

Written for several Attackers and Defenders; in Match Play each side is one player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from games.kaolan import events
from games.kaolan.moves import DISCARD_CARD, NAME_SEAT, NO, SPEND
from games.kaolan.rulebook import BOOK
from games.kaolan.rules.contest import MODES
from games.kaolan.rules.elimination import defeat
from games.kaolan.state import Battle, Kaolan
from rules.engine.moves import Move, chosen

SEVEN: Final = 1 << 7


PLAIN: Final = 0
AMBUSH: Final = 1
TRUCE_BREAKER: Final = 2


@BOOK.prompt("Challenge: choose a Leader to challenge.")
def choose_defender(s: Kaolan, seat: int, by: int) -> list[Move]:
    """KAO-R-11: who can be challenged. ``by``: ``PLAIN``, ``AMBUSH`` or ``TRUCE_BREAKER``."""
    seats = MODES[s.mode].may_challenge(s, seat, truce_breaker=by == TRUCE_BREAKER)
    return [NAME_SEAT[other] for other in seats]


@choose_defender.answer
def announce(s: Kaolan, seat: int, move: Move, by: int) -> None:
    """KAO-M-31: the Attacker names the Defender."""
    challenge(s, seat, chosen(move), ambush=by == AMBUSH, truce_breaker=by == TRUCE_BREAKER)


def challenge(
    s: Kaolan, announcer: int, challenged: int, *, ambush: bool = False, truce_breaker: bool = False
) -> None:
    """KAO-M-31: announce a Challenge; what remains of the turn waits until it is over."""
    attackers, defenders = MODES[s.mode].parties(s, announcer, challenged)
    s.next_moment()  # KAO-R-25
    s.battle = Battle(attackers, defenders, ambush=ambush, truce_breaker=truce_breaker)
    s.tell(events.CHALLENGE_ANNOUNCED, announcer, challenged)
    qualification(s, s.battle)


def qualification(s: Kaolan, battle: Battle) -> None:
    """KAO-M-35, KAO-M-36: one die against the attack faces of the own Leader."""
    announcer = battle.attackers[0]
    battle.qualified = [
        seat for seat in battle.attackers if _qualifies(s, battle, seat, seat == announcer)
    ]
    if battle.qualified:
        battle.stage = "defense"
        defense.do(s, 0)
    else:
        end_challenge.do(s)


def _qualifies(s: Kaolan, battle: Battle, seat: int, announces: bool) -> bool:
    """KAO-R-20 (2): Ambush, War Drums, Grandmaster replace the roll; Truce Breaker repeats it."""
    mode = MODES[s.mode]
    unrolled = "ambush" if announces and battle.ambush else mode.qualifies_unrolled(s, seat)
    if unrolled:
        s.tell(events.QUALIFIED, seat, unrolled)
        return True
    faces = mode.qualifying_faces(s, seat)
    success = _roll_one(s, battle, seat, faces)
    if not success and announces and battle.truce_breaker:
        success = _roll_one(s, battle, seat, faces)
    return success


def _roll_one(s: Kaolan, battle: Battle, seat: int, faces: int) -> bool:
    die = s.chance.die()
    success = faces >> die & 1 == 1
    matched = NO_MATCH
    if success:
        printed = MODES[s.mode].printed_faces(s, seat) >> die & 1
        matched = ((s.leader(seat),), "") if printed else ((), s.leader_ability(seat))
    _tell_roll(s, battle, "qualification", seat, (die,), success, matched)
    return success


Matched: TypeAlias = tuple[tuple[int, ...], str]
"""The cards that made a roll a success, and the ability where the own cards were not enough."""

NO_MATCH: Final[Matched] = ((), "")


def _tell_roll(
    s: Kaolan,
    battle: Battle,
    stage: str,
    seat: int,
    dice: tuple[int, ...],
    success: bool,
    matched: Matched,
) -> None:
    cards, ability = matched
    battle.rolls.append((stage, seat, dice, success, cards, ability))
    s.tell(events.ROLLED, stage, seat, dice, success, cards, ability)


def _matched(s: Kaolan, seat: int, total: int, others: Callable[[], Iterable[int]]) -> Matched:
    """KAO-M-37, KAO-M-39: the own Power Cards with the total; else the ability of the Leader, with
    the cards among ``others`` that it lends.
    """
    numbers = s.cards.numbers
    own = MODES[s.mode].fighting_powers(s, seat)
    cards = [card for card in own if numbers[card] >> total & 1]
    if cards:
        return tuple(cards), ""
    lent = tuple([card for card in others() if numbers[card] >> total & 1])
    return lent, s.leader_ability(seat)


@BOOK.step
def defense(s: Kaolan, index: int) -> None:
    """KAO-M-37, KAO-M-38, KAO-T-32: two dice; a match with an own Power Card is an escape."""
    battle = _battle(s)
    for seat in battle.defenders[index:]:
        index += 1
        if seat in battle.gone:
            continue
        if _roll_defense(s, battle, seat):
            s.then(defense, index)
            escape(s, seat)
            return
        if s.leader_ability(seat) == "second_wind":
            s.then(defense, index)
            s.ask(seat, second_wind)
            return
    battle.stage = "volley"
    volley.do(s, 0)


def _roll_defense(s: Kaolan, battle: Battle, seat: int) -> bool:
    """KAO-R-20 (3): numbers and the Defender's ability. KAO-R-18: hopeless dice are rolled, too."""
    a, b = s.chance.die(), s.chance.die()
    announcer = battle.attackers[0]
    mask, doubles = escapes(s, seat, announcer)
    success = mask >> (a + b) & 1 == 1 or (doubles and a == b)
    matched = NO_MATCH
    if success:
        matched = _matched(s, seat, a + b, lambda: _mirrored(s, seat, announcer))
    _tell_roll(s, battle, "defense", seat, (a, b), success, matched)
    return success


def _mirrored(s: Kaolan, seat: int, announcer: int) -> list[int]:
    mirrors = s.leader_ability(seat) == "mirror_scales"
    return MODES[s.mode].fighting_powers(s, announcer) if mirrors else []


def escapes(s: Kaolan, seat: int, announcer: int) -> tuple[int, bool]:
    """With which totals (a mask) the seat escapes, and whether doubles do, too."""
    mode = MODES[s.mode]
    mask = mode.numbers(s, seat)
    match s.leader_ability(seat):
        case "shadow_step":
            return mask, True
        case "steel_scales":
            return mask | SEVEN, False
        case "mirror_scales":
            return mask | mode.numbers(s, announcer), False
    return mask, False


@BOOK.prompt("You have not escaped. Second Wind: discard a Power Card to roll again?")
def second_wind(s: Kaolan, seat: int) -> list[Move]:
    """Second Wind: discard a Power Card to roll again; it needs one."""
    powers = MODES[s.mode].fighting_powers(s, seat)
    return [*(SPEND[power] for power in powers), NO] if powers else []


@second_wind.answer
def roll_again(s: Kaolan, seat: int, move: Move) -> None:
    """Second Wind: the second roll stands, against what is left."""
    if move == NO:
        return
    power = chosen(move)
    s.discard_power(seat, s.host_of(power), power)
    if _roll_defense(s, _battle(s), seat):
        escape(s, seat)


def escape(s: Kaolan, seat: int) -> None:
    """KAO-M-38; Thorn Hide then hits every Attacker who qualified, in order (KAO-R-47)."""
    battle = _battle(s)
    battle.escaped.append(seat)
    s.tell(events.ESCAPED, seat)
    if s.leader_ability(seat) == "thorn_hide":
        s.then(thorns, 0)


@BOOK.step
def thorns(s: Kaolan, index: int) -> None:
    """Thorn Hide: each qualified Attacker discards one Power Card from under the own Leader."""
    battle = _battle(s)
    if index + 1 < len(battle.qualified):
        s.then(thorns, index + 1)
    seat = battle.qualified[index]
    if seat not in battle.gone:
        s.ask(seat, thorn_discard)


@BOOK.prompt("Thorn Hide: discard one of your Leader's Power Cards.")
def thorn_discard(s: Kaolan, seat: int) -> list[Move]:
    return [DISCARD_CARD[power] for power in MODES[s.mode].fighting_powers(s, seat)]


@thorn_discard.answer
def thorn_hits(s: Kaolan, seat: int, move: Move) -> None:
    power = chosen(move)
    s.discard_power(seat, s.host_of(power), power)


@BOOK.step
def volley(s: Kaolan, index: int) -> None:
    """KAO-M-39, KAO-R-46: two dice; each qualified Attacker in order, while there is a target."""
    battle = _battle(s)
    if index == len(battle.qualified) or not _targets(battle):
        if not battle.hit:
            end_challenge.do(s)
            return
        s.then(end_challenge)
        for seat in reversed(battle.defenders):
            if seat in battle.hit:
                s.then(take_hit, seat)
        return
    s.then(volley, index + 1)
    seat = battle.qualified[index]
    if seat not in battle.gone:
        s.ask(seat, volley_target)


def _targets(battle: Battle) -> list[int]:
    """KAO-T-34, KAO-R-46: Defenders neither escaped nor hit nor gone."""
    spared = battle.escaped + battle.hit + battle.gone
    return [seat for seat in battle.defenders if seat not in spared]


@BOOK.prompt("Volley: choose a Leader to strike.")
def volley_target(s: Kaolan, seat: int) -> list[Move]:
    return [NAME_SEAT[target] for target in _targets(_battle(s))]


@volley_target.answer
def fire(s: Kaolan, seat: int, move: Move) -> None:
    """KAO-R-20 (5): numbers and the Attacker's ability; Battle Fury rolls a miss once more."""
    battle = _battle(s)
    hit = _roll_volley(s, battle, seat)
    if not hit and s.leader_ability(seat) == "battle_fury":
        hit = _roll_volley(s, battle, seat)
    if hit:
        battle.hit.append(chosen(move))


def _roll_volley(s: Kaolan, battle: Battle, seat: int) -> bool:
    a, b = s.chance.die(), s.chance.die()
    mask, doubles = hits(s, seat)
    success = mask >> (a + b) & 1 == 1 or (doubles and a == b)
    matched = NO_MATCH
    if success:
        matched = _matched(s, seat, a + b, lambda: _of_the_pack(s, seat))
    _tell_roll(s, battle, "volley", seat, (a, b), success, matched)
    return success


def _of_the_pack(s: Kaolan, seat: int) -> list[int]:
    if s.leader_ability(seat) != "pack_tactics":
        return []
    return [power for guard in s.guard_characters(seat) for power in s.powers[guard]]


def hits(s: Kaolan, seat: int) -> tuple[int, bool]:
    """With which totals (a mask) the seat hits, and whether doubles do, too."""
    mode = MODES[s.mode]
    mask = mode.numbers(s, seat)
    match s.leader_ability(seat):
        case "twin_fangs":
            return mask, True
        case "hunters_mark":
            return mask | SEVEN, False
        case "pack_tactics":
            return mask | mode.guard_numbers(s, seat), False
    return mask, False


@BOOK.step
def take_hit(s: Kaolan, seat: int) -> None:
    """KAO-R-20 (6): Phoenix Heart replaces the defeat; else the Leader is defeated."""
    if seat in _battle(s).gone:
        return
    leader = s.leader(seat)
    if s.ability_of(leader) == "phoenix_heart":
        s.tell(events.ROSE_AGAIN, seat, leader)
        for power in s.powers[leader]:
            s.discard_power(seat, leader, power)
        s.discard_ability(seat, leader)
    else:
        defeat.do(s, seat)


@BOOK.step
def end_challenge(s: Kaolan) -> None:
    """KAO-M-44: the Challenge is over."""
    s.battle = None


def _battle(s: Kaolan) -> Battle:
    assert s.battle is not None
    return s.battle
