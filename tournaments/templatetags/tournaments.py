"""Numbers of standings for people."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()

_CRITERIA = {
    "points": "points",
    "opponents_win": "opponents",
    "own_win": "own share",
    "opponents_own": "opponents’ own share",
    "head_to_head": "head to head",
    "lot": "random draw",
    "final rounds": "final rounds",
}


@register.filter
def percent(share: Any) -> str:
    """A share of 1 in percent, with one digit behind the point."""
    return f"{100 * share:.1f}" if isinstance(share, float | int) else ""


@register.filter
def criterion(name: str) -> str:
    """The number by which somebody is ahead of the next, in words."""
    return _CRITERIA.get(name, "")
