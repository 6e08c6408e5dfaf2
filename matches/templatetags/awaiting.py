"""What other pages show of somebody's tables: two numbers in the header, a list at the start."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from matches import queries
from matches.models import Status

register = template.Library()

MOST_TABLES = 4
"""So many tables the start page shows."""


@register.simple_tag
def awaiting_count(user: queries.Viewer | None) -> int:
    """How many tables wait for this person."""
    return 0 if user is None else queries.awaiting_count(user)


@register.simple_tag
def invitation_count(user: queries.Viewer | None) -> int:
    """At how many tables a seat is kept for this person."""
    return 0 if user is None else queries.invitation_count(user)


@register.inclusion_tag("matches/home_tables.html", takes_context=True)
def my_tables(context: RequestContext) -> dict[str, object]:
    """Somebody's running tables, those that wait for them first."""
    from matches import views  # it draws with the tags beside this one

    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    waiting = list(queries.awaiting(user)[:MOST_TABLES])
    others = queries.matches_of(user).filter(status=Status.RUNNING)
    awaited = [match.pk for match in waiting]
    rest = others.exclude(pk__in=awaited)[: MOST_TABLES - len(waiting)]
    return {"awaiting": views.entries(user, waiting), "running": views.entries(user, rest)}
