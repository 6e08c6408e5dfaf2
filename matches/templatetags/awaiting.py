"""The number beside "My tables"."""

from __future__ import annotations

from django import template

from matches import queries

register = template.Library()


@register.simple_tag
def awaiting_count(user: queries.Viewer | None) -> int:
    """How many tables wait for this person."""
    return 0 if user is None else queries.awaiting_count(user)
