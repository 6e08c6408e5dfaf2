"""Numbers of standings for people."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments.models import Pairing
from tournaments.queries.pages import points_text
from tournaments.queries.round_names import round_names

register = template.Library()

_CRITERIA = {
    "points": "points",
    "opponents_win": "opponents %",
    "own_win": "own %",
    "opponents_own": "opponents’ own %",
    "head_to_head": "head to head",
    "draw": "random draw",
    "final rounds": "final rounds",
}


@register.filter
def percent(share: Any) -> str:
    """A share of 1 in percent, with one digit behind the point."""
    return f"{100 * share:.1f}" if isinstance(share, float | int) else ""


@register.filter
def round_name(row: Pairing) -> str:
    """The name of a table's round: “Round 2”, “Final”, “Third-place match”."""
    names = round_names(row.round.tournament)
    return names.of_table(row.round.number, for_third=row.for_third)


@register.filter
def points(points: int | None, pods: bool) -> str:
    """A table's points; of pods as a share of a whole table."""
    return "–" if points is None else points_text(points, pods)


@register.filter
def criterion(name: str) -> str:
    """The number by which somebody is ahead of the next, in words."""
    return _CRITERIA.get(name, "")
