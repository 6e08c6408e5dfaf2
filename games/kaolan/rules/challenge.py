"""The Challenge: Qualification, Defense, Volley, in this order (M-31 to M-45, R-20).

Written for several Attackers and Defenders; in Match Play each side is one player.
"""

from __future__ import annotations

from typing import Final

from games.kaolan.rules.book import BOOK, MODES
from games.kaolan.state import Battle, Kaolan
from rules.engine.moves import ByCard, ByTarget, Move, Seat

NO: Final = Move("no")
SPEND: Final = ByCard("spend")
DISCARD_CARD: Final = ByCard("discard")
NAME_SEAT: Final = ByTarget("seat", Seat)

SEVEN: Final = 1 << 7


PLAIN: Final = 0
AMBUSH: Final = 1
TRUCE_BREAKER: Final = 2


@BOOK.question("choose_defender")
def challengeable(s: Kaolan, seat: int, by: int) -> list[Move]:
    """R-11: who can be challenged. ``by``: ``PLAIN``, ``AMBUSH`` or ``TRUCE_BREAKER``."""
    seats = MODES[s.mode].may_challenge(s, seat, truce_breaker=by == TRUCE_BREAKER)
    return [NAME_SEAT[other] for other in seats]


@BOOK.answer("choose_defender")
def announce(s: Kaolan, seat: int, move: Move, by: int) -> None:
    """M-31: the Attacker names the Defender."""
    assert isinstance(move.target, Seat)
    challenge(s, seat, move.target.seat, ambush=by == AMBUSH, truce_breaker=by == TRUCE_BREAKER)


def challenge(
    s: Kaolan, announcer: int, challenged: int, *, ambush: bool = False, truce_breaker: bool = False
) -> None:
    """M-31: announce a Challenge; what remains of the turn waits until it is over."""
    attackers, defenders = MODES[s.mode].parties(s, announcer, challenged)
    s.moment += 1
    s.battle = Battle(attackers, defenders, ambush=ambush, truce_breaker=truce_breaker)
    s.tell("challenge_announced", announcer, challenged)
    qualification(s)


def qualification(s: Kaolan) -> None:
    """M-35, M-36: one die against the attack faces of the own Leader."""
    battle = _battle(s)
    announcer = battle.attackers[0]
    battle.qualified = [
        seat for seat in battle.attackers if _qualifies(s, battle, seat, seat == announcer)
    ]
    if battle.qualified:
        battle.stage = "defense"
        defense(s, 0)
    else:
        end_challenge(s)


def _qualifies(s: Kaolan, battle: Battle, seat: int, announces: bool) -> bool:
    """R-20 (2): Ambush, War Drums and Grandmaster replace the roll; Truce Breaker repeats it."""
    mode = MODES[s.mode]
    unrolled = "ambush" if announces and battle.ambush else mode.qualifies_unrolled(s, seat)
    if unrolled:
        s.tell("qualified", seat, unrolled)
        return True
    faces = mode.qualifying_faces(s, seat)
    success = _roll_one(s, seat, faces)
    if not success and announces and battle.truce_breaker:
        success = _roll_one(s, seat, faces)
    return success


def _roll_one(s: Kaolan, seat: int, faces: int) -> bool:
    die = s.chance.die()
    success = faces >> die & 1 == 1
    s.tell("rolled", "qualification", seat, (die,), success)
    return success


@BOOK.step
def defense(s: Kaolan, index: int) -> None:
    """M-37, M-38, T-32: two dice; a match with a Power Card under the own Leader is an escape."""
    battle = _battle(s)
    if index == len(battle.defenders):
        battle.stage = "volley"
        volley(s, 0)
        return
    s.then("defense", index + 1)
    seat = battle.defenders[index]
    if seat in battle.gone:
        return
    if _roll_defense(s, seat):
        escape(s, seat)
    elif s.ability_of(s.leader(seat)) == "second_wind":
        s.ask(seat, "second_wind")


def _roll_defense(s: Kaolan, seat: int) -> bool:
    """R-20 (3): numbers and the Defender's ability. Hopeless dice are rolled, too (R-18)."""
    a, b = s.chance.die(), s.chance.die()
    announcer = _battle(s).attackers[0]
    mask, doubles = escapes(s, seat, announcer)
    success = mask >> (a + b) & 1 == 1 or (doubles and a == b)
    s.tell("rolled", "defense", seat, (a, b), success)
    return success


def escapes(s: Kaolan, seat: int, announcer: int) -> tuple[int, bool]:
    """With which totals (a mask) the seat escapes, and whether doubles do, too."""
    mode = MODES[s.mode]
    mask = mode.numbers(s, seat)
    match s.ability_of(s.leader(seat)):
        case "shadow_step":
            return mask, True
        case "steel_scales":
            return mask | SEVEN, False
        case "mirror_scales":
            return mask | mode.numbers(s, announcer), False
    return mask, False


@BOOK.question("second_wind")
def second_wind_options(s: Kaolan, seat: int) -> list[Move]:
    """Second Wind: discard a Power Card to roll again; it needs one."""
    powers = MODES[s.mode].fighting_powers(s, seat)
    return [*(SPEND[power] for power in powers), NO] if powers else []


@BOOK.answer("second_wind")
def second_wind(s: Kaolan, seat: int, move: Move) -> None:
    """Second Wind: the second roll stands, against what is left."""
    if move.card is None:
        return
    s.discard_power(seat, s.host_of(move.card), move.card)
    if _roll_defense(s, seat):
        escape(s, seat)


def escape(s: Kaolan, seat: int) -> None:
    """M-38; Thorn Hide then hits every Attacker who qualified, in order (R-47)."""
    battle = _battle(s)
    battle.escaped.append(seat)
    s.tell("escaped", seat)
    if s.ability_of(s.leader(seat)) == "thorn_hide":
        s.then("thorns", 0)


@BOOK.step
def thorns(s: Kaolan, index: int) -> None:
    """Thorn Hide: each qualified Attacker discards one Power Card from under the own Leader."""
    battle = _battle(s)
    if index + 1 < len(battle.qualified):
        s.then("thorns", index + 1)
    seat = battle.qualified[index]
    if seat not in battle.gone:
        s.ask(seat, "thorn_discard")


@BOOK.question("thorn_discard")
def thorn_options(s: Kaolan, seat: int) -> list[Move]:
    return [DISCARD_CARD[power] for power in MODES[s.mode].fighting_powers(s, seat)]


@BOOK.answer("thorn_discard")
def thorn_discard(s: Kaolan, seat: int, move: Move) -> None:
    assert move.card is not None
    s.discard_power(seat, s.host_of(move.card), move.card)


@BOOK.step
def volley(s: Kaolan, index: int) -> None:
    """M-39: two dice; each qualified Attacker in order, while there is somebody to hit (R-46)."""
    battle = _battle(s)
    if index == len(battle.qualified) or not _targets(battle):
        if not battle.hit:
            end_challenge(s)
            return
        s.then("end_challenge")
        for seat in reversed(battle.defenders):
            if seat in battle.hit:
                s.then("take_hit", seat)
        return
    s.then("volley", index + 1)
    seat = battle.qualified[index]
    if seat not in battle.gone:
        s.ask(seat, "volley_target")


def _targets(battle: Battle) -> list[int]:
    """T-34, R-46: Defenders neither escaped nor hit nor gone."""
    spared = {*battle.escaped, *battle.hit, *battle.gone}
    return [seat for seat in battle.defenders if seat not in spared]


@BOOK.question("volley_target")
def volley_targets(s: Kaolan, seat: int) -> list[Move]:
    return [NAME_SEAT[target] for target in _targets(_battle(s))]


@BOOK.answer("volley_target")
def fire(s: Kaolan, seat: int, move: Move) -> None:
    """R-20 (5): numbers and the Attacker's ability; Battle Fury rolls a miss once more."""
    hit = _roll_volley(s, seat)
    if not hit and s.ability_of(s.leader(seat)) == "battle_fury":
        hit = _roll_volley(s, seat)
    if hit:
        assert isinstance(move.target, Seat)
        _battle(s).hit.append(move.target.seat)


def _roll_volley(s: Kaolan, seat: int) -> bool:
    a, b = s.chance.die(), s.chance.die()
    mask, doubles = hits(s, seat)
    success = mask >> (a + b) & 1 == 1 or (doubles and a == b)
    s.tell("rolled", "volley", seat, (a, b), success)
    return success


def hits(s: Kaolan, seat: int) -> tuple[int, bool]:
    """With which totals (a mask) the seat hits, and whether doubles do, too."""
    mode = MODES[s.mode]
    mask = mode.numbers(s, seat)
    match s.ability_of(s.leader(seat)):
        case "twin_fangs":
            return mask, True
        case "hunters_mark":
            return mask | SEVEN, False
        case "pack_tactics":
            return mask | mode.guard_numbers(s, seat), False
    return mask, False


@BOOK.step
def take_hit(s: Kaolan, seat: int) -> None:
    """R-20 (6): Phoenix Heart replaces the defeat; else the Leader is defeated."""
    if seat in _battle(s).gone:
        return
    leader = s.leader(seat)
    if s.ability_of(leader) == "phoenix_heart":
        s.tell("rose_again", seat, leader)
        for power in s.powers[leader]:
            s.discard_power(seat, leader, power)
        s.discard_ability(seat, leader)
    else:
        s.then("defeat", seat)


@BOOK.step
def end_challenge(s: Kaolan) -> None:
    """M-44: the Challenge is over."""
    s.battle = None


def _battle(s: Kaolan) -> Battle:
    assert s.battle is not None
    return s.battle
