"""What the tables of Kaolan's Tournament, Power and Single Play look up besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

import rules
from matches.queries.click_targets import ClickTargets
from matches.templatetags.table import percent

register = template.Library()

PEEKING = 3
"""How many earlier cards of the dealt pile peep out under its top card."""


# -- several in one battle ------------------------------------------------------------------------


@register.simple_tag
def battle_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The newest Challenge with all its rolls: per stage, who rolled what, the last roll counts."""
    start = next(
        (n for n in reversed(range(len(events))) if events[n]["kind"] == "challenge_announced"),
        None,
    )
    if start is None:
        return None
    stages: dict[str, dict[int, dict[str, Any]]] = {
        "qualification": {},
        "defense": {},
        "volley": {},
    }
    for event in events[start + 1 :]:
        if event["kind"] == "rolled":
            dice = event["dice"]
            stages[event["stage"]][event["seat"]] = {
                "seat": event["seat"],
                "dice": dice,
                "total": sum(dice),
                "success": event["success"],
            }
        elif event["kind"] == "qualified":
            stages["qualification"][event["seat"]] = {
                "seat": event["seat"],
                "dice": [],
                "success": True,
            }
        elif event["kind"] == "turn_ended":
            break
    return {
        "attacker": events[start]["seat"],
        "defender": events[start]["defender"],
        "stages": {stage: list(rolls.values()) for stage, rolls in stages.items()},
    }


@register.simple_tag
def part_in(view: Mapping[str, Any], seat: int) -> dict[str, str] | None:
    """A seat's part in the battle that is going on: its side, and how it stands."""
    battle = view.get("challenge")
    if not battle:
        return None
    if seat in battle["attackers"]:
        if seat in battle["qualified"]:
            return {"side": "attack", "words": "attacks: qualified"}
        return {"side": "attack", "words": "attacks"}
    if seat in battle["defenders"]:
        for state in ("hit", "escaped"):
            if seat in battle[state]:
                return {"side": "defend", "words": f"defends: {state}"}
        return {"side": "defend", "words": "defends"}
    return None


@register.simple_tag
def shown_rival(
    view: Mapping[str, Any], others: Sequence[Mapping[str, Any]], picks: ClickTargets
) -> Any:
    """Whose board lies open on a small screen at first: whoever the moment is about."""
    seats = [player["seat"] for player in others]
    battle = view.get("challenge") or {}
    wanted = [
        *picks.seats,
        battle.get("defender"),
        battle.get("attacker"),
        view["turn"]["seat"],
        *(player["seat"] for player in others if player["out"] is None),
    ]
    return next((seat for seat in wanted if seat in seats), None)


@register.simple_tag
def opponent_state(
    player: Mapping[str, Any],
    odds: Mapping[str, Any] | None,
    part: Mapping[str, str] | None = None,
) -> str:
    """What an opponent's chip says: the part in the battle, or your chance."""
    leader = player["board"][0]
    if player["out"]:
        return "out"
    if part:
        return f"{part['side']}s"
    if not leader["character"]:
        return "no Leader"
    if odds and not odds["allowed"]:
        return "barred"
    return f"you win {percent(odds['total'])}" if odds else ""


@register.filter
def is_one(seat: int, other: int | None) -> bool:
    """Whether both are the same seat."""
    return seat == other


@register.simple_tag
def banner_of(player: Mapping[str, Any], game: str) -> str:
    """The colour of the alliance to which a player is pledged, or nothing."""
    leader = player["board"][0]
    if not player.get("pledged") or not leader["character"]:
        return ""
    return rules.game(game).catalog[leader["card"]["slug"]].colour


# -- alone ----------------------------------------------------------------------------------------


@register.simple_tag
def odds_on(view: Mapping[str, Any], slot: str) -> Any:
    """The chances of a battle with the Character on a pile, or None."""
    return next((row for row in view["odds"] if row["slot"] == slot), None)


@register.simple_tag
def going_on(picks: ClickTargets) -> Any:
    """How the run goes on: the next deal, or turning the dealt pile over."""
    return picks.verbs.get("deal") or picks.verbs.get("recycle")


@register.simple_tag
def odds_span(view: Mapping[str, Any], side: str) -> str:
    """The chances of one side in all battles that may come: ``11%``, or ``11–31%``."""
    shares = sorted(row[side] for row in view["odds"])
    if not shares:
        return ""
    low, high = percent(shares[0]), percent(shares[-1])
    return low if low == high else f"{low.removesuffix('%')}–{high}"


@register.simple_tag
def peeping(waste: Mapping[str, Any]) -> dict[str, Any]:
    """The dealt pile: its top card, the last face-up ones under it, and how many more there are."""
    top, *under = waste["cards"] or [None]
    seen = [card for card in under if card is not None]
    return {"top": top, "under": seen[:PEEKING][::-1], "seen": seen, "count": waste["count"]}


@register.simple_tag
def last_battle(events: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The rolls of the newest battle of Single Play, by side."""
    rolls: dict[str, dict[str, Any]] = {}
    for event in reversed(events):
        if event["kind"] == "battle":
            return rolls | {"with": event["card"]}
        if event["kind"] == "rolled":
            dice = event["dice"]
            roll = {"dice": dice, "total": sum(dice), "success": event["success"]}
            rolls.setdefault(event["stage"], roll)
    return {}
