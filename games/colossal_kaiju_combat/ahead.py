"""Prompts of the game that may be answered ahead: windows, replies, actions (section 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from games.colossal_kaiju_combat.moves import (
    ACCEPT,
    ATTACK,
    CHALLENGE,
    DECLINE,
    DRAW_TWO,
    LEAVE,
    NO,
    NONE,
    PASS,
    PAY,
    PLAY,
    RAGE,
    RAMPAGE,
    REDRAW,
    ROAR,
    STEAL,
)
from games.colossal_kaiju_combat.rules.action import (
    action,
    challenge_reply,
    react_declined,
    roar_mode,
)
from games.colossal_kaiju_combat.rules.combat import ambush, react_end, react_start
from games.colossal_kaiju_combat.rules.exchange import rage, react_rage, shield, steal_fury
from games.colossal_kaiju_combat.state import catalog
from rules.engine.ahead import Ahead, Choice, Choices, Condition, Sight, at_least

DAMAGE: Final = (1, 3, 5, 8)
"""Damage that a condition may name."""

FURY: Final = (1, 2, 3)
"""Unclaimed Fury that a condition may name."""


def _characters(sight: Sight, seats: Sequence[int]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The row and name (“Ada’s Pelagor”) of all that are not set aside."""
    for seat in seats:
        for row in sight.players[seat]["team"]:
            if not row["set_aside"]:
                yield row, f"{sight.whose(seat)} {sight.name(row['card'])}"


# -- conditions ------------------------------------------------------------------------------------


def _challenged(sight: Sight) -> list[Condition]:
    """The context of a challenge: who challenges, and whom."""
    challenger, victim = sight.context if sight.context else (None, None)
    return [
        *(
            Condition(
                f"by-{row['card']['id']}", f"{name} challenges", row["card"]["id"] == challenger
            )
            for row, name in _characters(sight, sight.others)
        ),
        *(
            Condition(
                f"at-{row['card']['id']}", f"{name} is challenged", row["card"]["id"] == victim
            )
            for row, name in _characters(sight, [sight.seat])
            if row["is_kaiju"]
        ),
        *_damaged(sight, [sight.seat]),
    ]


def _damaged(sight: Sight, seats: Sequence[int]) -> list[Condition]:
    return [
        condition
        for row, name in _characters(sight, seats)
        for condition in at_least(
            f"damage-{row['card']['id']}",
            f"{name} has at least {{n}} damage",
            row["damage"],
            DAMAGE,
        )
    ]


def _fighting(sight: Sight) -> list[Condition]:
    """Who takes part in the combat."""
    fight = sight.view["combat"]
    fighters = {row["card"]["id"] for row in fight["fighters"]} if fight else set()
    return [
        Condition(f"fights-{row['card']['id']}", f"{name} fights", row["card"]["id"] in fighters)
        for row, name in _characters(sight, [*sight.others, sight.seat])
    ]


def _struck(sight: Sight) -> list[Condition]:
    """Whose Sword cards are aimed at whom."""
    victim = sight.context[0] if sight.context else None
    fight = sight.view["combat"]
    by = {
        row["card"]["id"]
        for row in (fight["fighters"] if fight else ())
        if any(down["role"] == "sword" and down["target"] == victim for down in row["down"])
    }
    return [
        *(
            Condition(f"by-{row['card']['id']}", f"{name} attacks", row["card"]["id"] in by)
            for row, name in _characters(sight, sight.others)
        ),
        *(
            Condition(f"at-{row['card']['id']}", f"{name} is attacked", row["card"]["id"] == victim)
            for row, name in _characters(sight, [sight.seat])
        ),
        *_damaged(sight, [sight.seat]),
    ]


def _unclaimed(sight: Sight) -> list[Condition]:
    pending = sight.players[sight.context[0]]["pending"] if sight.context else 0
    return at_least("fury", "at least {n} Fury is unclaimed", pending, FURY)


def _damage_of_all(sight: Sight) -> list[Condition]:
    return [
        *(
            Condition(f"active-{row['card']['id']}", f"{name} is active", row["active"])
            for row, name in _characters(sight, sight.others)
        ),
        *_damaged(sight, [*sight.others, sight.seat]),
    ]


# -- choices ---------------------------------------------------------------------------------------


def _fixed(*choices: Choice) -> Choices:
    return lambda _sight: choices


def _reactions(moments: Sequence[str], sight: Sight) -> list[Choice]:
    """The planning cards in hand that can be played at one of these moments, and none."""
    hand = (sight.own["planning_hand"] or {"cards": ()})["cards"]
    cards = [
        Choice(f"play-{card['id']}", f"play {sight.name(card)}", PLAY[card["id"]])
        for card in hand
        if catalog()[card["slug"]].attributes.get("moment") in moments
    ]
    return [Choice("no", "play no card", NO), *cards]


def _reacting(*moments: str) -> Callable[[Sight], list[Choice]]:
    return partial(_reactions, moments)


def _shields(sight: Sight) -> list[Choice]:
    """No card, or one of the own Shield cards and Techniques, paid for."""
    cards = [
        Choice(f"pay-{card['id']}", f"play {sight.name(card)} and pay", PAY[card["id"]])
        for card in sight.own["combat_hand"]["cards"]
        if _may_shield(catalog()[card["slug"]].attributes)
    ]
    return [Choice("none", "play no Shield card", NONE), *cards]


def _may_shield(attributes: Mapping[str, Any]) -> bool:
    return attributes.get("type") == "Technique" or attributes.get("icon") == "shield"


def _actions(sight: Sight) -> list[Choice]:
    """CKC-R-09: against each character of the others, or none."""
    rivals = list(_characters(sight, sight.others))
    return [
        *(
            Choice(f"attack-{row['card']['id']}", f"attack {name}", ATTACK[row["card"]["id"]])
            for row, name in rivals
        ),
        *(
            Choice(
                f"challenge-{row['card']['id']}", f"challenge {name}", CHALLENGE[row["card"]["id"]]
            )
            for row, name in rivals
        ),
        Choice("rampage", "rampage", RAMPAGE),
        Choice("roar", "roar", ROAR),
        Choice("pass", "pass", PASS),
    ]


AHEAD: Final[Mapping[str, Ahead]] = {
    challenge_reply.name: Ahead(
        "the next time you are challenged",
        _fixed(Choice("accept", "accept", ACCEPT), Choice("decline", "decline", DECLINE)),
        _challenged,
    ),
    react_declined.name: Ahead(
        "the next time your challenge is declined", _reacting("declined"), _fighting
    ),
    action.name: Ahead("at your next action", _actions, _damage_of_all, then=(roar_mode.name,)),
    roar_mode.name: Ahead(
        "when you roar",
        _fixed(
            Choice("draw-two", "draw 2 combat cards", DRAW_TWO),
            Choice("redraw", "discard and draw up to 5", REDRAW),
        ),
        leads=False,
    ),
    react_start.name: Ahead(
        "the next time you may play a card at the start of a combat",
        _reacting("own-start", "enemy-start"),
        _fighting,
    ),
    react_end.name: Ahead(
        "the next time you may play a card at the end of a combat", _reacting("end"), _fighting
    ),
    ambush.name: Ahead(
        "the next time you may play an Ambush", _reacting("end-before-refill"), _fighting
    ),
    rage.name: Ahead(
        "the next time you may activate your Rage Attack",
        _fixed(Choice("rage", "activate it", RAGE), Choice("no", "do not activate it", NO)),
        _fighting,
        then=(react_rage.name,),
    ),
    react_rage.name: Ahead("with your Rage Attack", _reacting("rage"), leads=False),
    shield.name: Ahead("the next time you may answer with a Shield card", _shields, _struck),
    steal_fury.name: Ahead(
        "the next time you may steal Fury",
        _fixed(Choice("steal", "steal it", STEAL), Choice("leave", "leave it", LEAVE)),
        _unclaimed,
    ),
}
