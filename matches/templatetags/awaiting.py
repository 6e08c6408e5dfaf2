"""A person's tables on other pages: two counts in the header, a list on the start page."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from accounts.models import User
from matches.queries import lobby, talk, waiting
from matches.queries.my_tables import entries
from matches.queries.open_tables import open_entries
from matches.queries.tables import running_matches
from matches.queries.waiting import WaitsForYou
from notices.queries import bell_on

register = template.Library()


@register.simple_tag(takes_context=True)
def what_waits(context: RequestContext) -> WaitsForYou | None:
    """How many tables, and how many invitations, wait for this person; None for a visitor."""
    request, user = context.get("request"), context.get("user")
    if request is None or not isinstance(user, User):
        return None
    return waiting.what_waits(bell_on(request, user))


@register.inclusion_tag("matches/home_tables.html", takes_context=True)
def my_tables(context: RequestContext) -> dict[str, object]:
    """Somebody's invitations and running tables, those that wait for them first."""
    user = context.get("user")
    if user is None or not user.is_authenticated:
        return {}
    news = talk.News(talk.unread_at(user), frozenset())  # none of these has ended
    waits = what_waits(context)  # the header has read it
    kept = lobby.invitations(user) if waits is not None and waits.invitations else ()
    return {
        "entries": entries(user, running_matches(user), news),
        "invitations": open_entries(user, kept),
        "csrf_token": context.get("csrf_token"),
    }
