"""A table at each kind of prompt, with the options in their order.

In ``EVERY_PROMPT`` three players sit at each, most of them at Match Play; what only Power Play and
Single Play ask stands in ``ELSEWHERE``.

Cards come in the order in which they came to the hand or under their Character, positions and
Characters in slot order, seats clockwise from the asked one, the newest discarded card first, and
``no``, ``none`` and ``done`` last. Who is asked stands beside the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.kaolan.table import Table, lay, lay_solo, power_seat, seat, tournament_seat


def _three(hand: str, *moves: str, **layout: Any) -> Table:
    """The second seat of three, with that hand, makes these moves."""
    return lay(
        seat(
            "green Claw [g4, g3 | Shadow Step]",
            "green Flame [g5]",
            hand="b9, Second Wind, Sabotage",
        ),
        seat("red Claw [r6, r2 | Keen Eye]", "r4", "red Stinger [r3 | Twin Fangs]", hand=hand),
        seat("blue Claw [b4, b3 | Prism Heart]", "blue Flame [b5]", hand="b10, b8"),
        turn=1,
        **{"draw": "g12, g11", **layout},
    ).take(*moves)


def _fight(attacker: str, defender: str, *dice: int | tuple[int, int]) -> Table:
    """Seat 1 challenges seat 2; seat 3 looks on."""
    return lay(
        seat(attacker, "r4", "red Stinger [r3]", hand="r10"),
        seat(defender, "blue Flame [b5]", "b9", "blue Stinger", hand="b10"),
        seat("green Claw [g5]", "green Flame", hand="g10"),
        dice=dice,
    ).take("challenge", "seat 2")


def _silence() -> Table:
    return lay(
        seat("red Claw [r6]", hand="Silence"),
        seat("blue Flame [b4, b3, b2 | Deep Reserves]", "blue Claw", hand="b10"),
        seat("green Claw", "green Flame", hand="g10"),
        draw="r12",
    ).take("opportunity")


EVERY_PROMPT: dict[tuple[str, int], tuple[Callable[[], Table], list[str]]] = {
    ("turn_action", 1): (
        lambda: lay(
            seat("green Claw", "green Flame"),
            seat("red Claw", "r4", hand="Ambush, Keen Eye, r5, red Flame"),
            seat("blue Claw", "blue Flame"),
            turn=1,
        ),
        ["place", "add_power", "add_ability", "opportunity", "challenge", "pass"],
    ),
    ("choose_character", 1): (
        lambda: _three("red Flame, r5, red Diamondback", "place"),
        ["character red Flame", "character red Diamondback"],
    ),
    ("choose_position", 1): (
        lambda: lay(
            seat("green Claw", "green Flame"),
            seat("red Claw", "r4", "red Stinger", "r3", hand="red Flame"),
            seat("blue Claw", "blue Flame"),
            turn=1,
            draw="g12",
        ).take("place"),
        ["position guard-1", "position guard-3"],
    ),
    ("replaced_card", 1): (lambda: _three("red Flame, r5", "place"), ["hand", "discard"]),
    ("choose_power", 1): (
        lambda: _three("r9, red Flame, r5, gold 6", "add_power"),
        ["power r9", "power r5", "power gold 6"],
    ),
    ("choose_power_host", 1): (
        lambda: _three("r9, red Flame", "add_power"),
        ["under red Claw", "under red Stinger"],
    ),
    ("choose_ability", 1): (
        lambda: lay(
            seat("green Claw", "green Flame"),
            seat("red Claw", "red Stinger", hand="Twin Fangs, r2, Keen Eye"),
            seat("blue Claw", "blue Flame"),
            turn=1,
            draw="g12",
        ).take("add_ability"),
        ["ability Twin Fangs", "ability Keen Eye"],
    ),
    ("choose_ability_host", 1): (
        lambda: lay(
            seat("green Claw", "green Flame"),
            seat("red Claw", "red Stinger", "red Flame [| Keen Eye]", hand="Twin Fangs"),
            seat("blue Claw", "blue Flame"),
            turn=1,
            draw="g12",
        ).take("add_ability"),
        ["under red Claw", "under red Stinger"],
    ),
    ("choose_opportunity", 1): (
        lambda: _three("Silence, r5, Ambush", "opportunity", draw="Regroup, g12"),
        ["play Silence", "play Ambush", "play Regroup"],
    ),
    ("choose_defender", 1): (lambda: _three("r5", "challenge"), ["seat 3", "seat 1"]),
    ("horn_again", 1): (
        lambda: _three("Battle Horn", "opportunity", "seat 1", dice=[1]),
        ["seat 3", "seat 1", "done"],
    ),
    ("second_wind", 1): (
        lambda: _fight("red Claw [r6]", "blue Claw [b4, b2 | Second Wind]", 3, (6, 6)),
        ["spend b4", "spend b2", "no"],
    ),
    ("thorn_discard", 0): (
        lambda: _fight("red Claw [r6, r5]", "blue Claw [b4 | Thorn Hide]", 3, (2, 2)),
        ["discard r6", "discard r5"],
    ),
    ("step_up", 1): (
        lambda: _fight("red Claw [r6]", "blue Claw [b4]", 3, (6, 6), (3, 3)),
        ["step_up blue Flame", "step_up blue Stinger"],
    ),
    ("swap_guard", 1): (
        lambda: lay(
            seat("green Claw", "green Flame"),
            seat("red Claw", "red Flame", "r3", "red Stinger", hand="Change of Guard"),
            seat("blue Claw", "blue Flame"),
            turn=1,
            draw="g12",
        ).take("opportunity"),
        ["step_up red Flame", "step_up red Stinger"],
    ),
    ("pass_discard", 1): (
        lambda: _three("r9, red Flame, r5", "pass"),
        ["discard r9", "discard red Flame", "discard r5", "discard g12"],
    ),
    ("discard_down", 1): (
        lambda: _three("r9, red Flame, r5, b2", "place", "hand"),
        [f"discard {card}" for card in ("r9", "r5", "b2", "g12", "r4")],
    ),
    ("trim_power", 1): (
        lambda: _silence(),
        ["discard b4", "discard b3", "discard b2"],
    ),
    ("teach_host", 1): (
        lambda: _three("New Teaching, Battle Fury", "opportunity"),
        ["host red Claw", "host red Stinger"],
    ),
    ("sabotage_host", 1): (
        lambda: _three("Sabotage", "opportunity", draw="g12"),
        ["host blue Claw", "host blue Flame", "host green Claw", "host green Flame"],
    ),
    ("sabotage_power", 1): (
        lambda: _three("Sabotage", "opportunity", "host green Claw"),
        ["take g4", "take g3"],
    ),
    ("silence_host", 1): (
        lambda: _three("Silence", "opportunity"),
        ["host blue Claw", "host green Claw"],
    ),
    ("salvage_card", 1): (
        lambda: _three("Salvage", "opportunity", discard="b12, Ambush, red Diamondback"),
        ["take b12", "take red Diamondback"],
    ),
    ("regroup_card", 1): (
        lambda: _three("Regroup", "opportunity"),
        [f"take {card}" for card in ("r6", "r2", "Keen Eye", "r3", "Twin Fangs")],
    ),
    ("raid_seat", 1): (lambda: _three("Night Raid", "opportunity"), ["seat 3", "seat 1"]),
    ("spy_seat", 1): (lambda: _three("Spyglass", "opportunity"), ["seat 3", "seat 1"]),
    ("spy_card", 1): (
        lambda: _three("Spyglass", "opportunity", "seat 1"),
        ["discard Second Wind", "discard Sabotage", "none"],
    ),
    ("surge_power", 1): (
        lambda: _three("Power Surge, r9, r5", "opportunity", "power r9", "under red Claw"),
        ["power r5", "done"],
    ),
    ("volley_target", 0): (
        lambda: lay(
            tournament_seat("red Claw [r6]", "red Flame", prize="r2"),
            tournament_seat("green Claw", "green Flame", prize="g2", pledged=True),
            tournament_seat("green Stinger", "blue Flame", prize="g3", pledged=True),
            mode="tournament",
            dice=[3, (1, 1), (1, 1)],
        ).take("challenge", "seat 3"),
        ["seat 3", "seat 2"],
    ),
}

ELSEWHERE: dict[tuple[str, int], tuple[Callable[[], Table], list[str]]] = {
    ("choose_character", 0): (
        lambda: lay(
            power_seat("red Claw", "red Flame", hand="blue Flame, r2, green Flame"),
            power_seat("blue Claw"),
            mode="power",
            draw="r12",
        ).take("replace_link"),
        ["character blue Flame", "character green Flame"],
    ),
    ("solo_play", 0): (
        lambda: lay_solo(
            *("gold 2/9/10", "red Diamondback", "gold 4/9", "Ambush"),
            own="red Claw [r6]",
            stock="b3",
            waste="r9",
        ),
        ["match pile-1", "match pile-3", "attach", "attack", "deal"],
    ),
    ("solo_target", 0): (
        lambda: lay_solo(
            *("gold Flame", "red Diamondback", "gold 4/9", "Ambush"),
            own="red Claw [r6]",
            waste="g12",
        ).take("attack"),
        ["target pile-1", "target pile-2"],
    ),
    ("solo_recycle", 0): (
        lambda: lay_solo("gold Flame", waste="g12, b3", rest=False).take("recycle"),
        ["first", "last"],
    ),
    ("solo_second_wind", 0): (
        lambda: lay_solo(
            *("gold Flame", "gold 4/9"),
            own="red Claw [r6, r5 | Second Wind]",
            waste="g12",
            dice=[(4, 5)],
        ).take("attack"),
        ["spend r6", "spend r5", "no"],
    ),
    ("solo_thorn", 0): (
        lambda: lay_solo(
            *("gold Flame", "Thorn Hide"),
            own="red Claw [r6, r5]",
            waste="g12",
            dice=[(4, 5), (6, 6)],
        ).take("attack"),
        ["discard r6", "discard r5"],
    ),
}

NEVER_ASKED = {"choose_link"}
"""A Character in hand can take the place of one link at most: the chain has each level once."""
