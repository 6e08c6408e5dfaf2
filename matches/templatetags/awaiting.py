"""What other pages show of somebody's tables: two numbers in the header, a list at the start."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from accounts.models import User
from matches import queries

register = template.Library()


@register.simple_tag
def what_waits(user: queries.Viewer | None) -> queries.WaitsForYou | None:
    """How many tables, and how many invitations, wait for this person; None for a visitor."""
    return queries.what_waits(user) if isinstance(user, User) else None


@register.inclusion_tag("matches/home_tables.html", takes_context=True)
def my_tables(context: RequestContext) -> dict[str, object]:
    """Somebody's running tables, those that wait for them first."""
    from matches import views  # it draws with the tags beside this one

    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    return {"entries": views.entries(user, queries.running_matches(user))}
