"""What Kaolan's table template looks up in a view and in the events of the last moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template

import rules

register = template.Library()


@register.simple_tag
def to_choose_from(view: Mapping[str, Any], prompt: Any) -> list[Mapping[str, Any]]:
    """Cards that may be chosen but lie in no place that the table shows openly."""
    if not prompt:
        return []
    found = {card["id"]: card for card in view.get("discard", {}).get("cards", ())}
    for player in view["players"]:
        found |= {card["id"]: card for card in player.get("discard", {}).get("cards", ())}
        if player["seat"] != view["seat"]:
            found |= {card["id"]: card for card in player["hand"]["cards"]}
    offered = (option.move.get("card") for option in prompt.options)
    return [found[card] for card in offered if card in found]


@register.simple_tag
def odds_between(view: Mapping[str, Any], attacker: int | None, defender: int) -> Any:
    """The chances of ``attacker`` against ``defender``, or None where there can be no Challenge."""
    for row in view.get("odds", ()):
        if row["attacker"] == attacker and row["defender"] == defender:
            return row
    return None


@register.simple_tag
def kinds_of(cards: Iterable[Mapping[str, Any]], game: str) -> dict[str, bool]:
    """Which kinds of cards these are: ``{"character": True, …}``."""
    catalog = rules.game(game).catalog
    return {catalog[card["slug"]].kind: True for card in cards}


@register.simple_tag
def last_challenge(events: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The stages of the newest Challenge: the dice that counted, and whether they succeeded."""
    stages: dict[str, dict[str, Any]] = {}
    for event in reversed(events):
        match event["kind"]:
            case "challenge_announced":
                return stages
            case "rolled":
                dice = event["dice"]
                roll = {"dice": dice, "total": sum(dice), "success": event["success"]}
                stages.setdefault(event["stage"], roll)
            case "qualified":
                stages.setdefault("qualification", {"dice": [], "success": True})
    return {}
