"""Notifications in the header."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from accounts.models import User
from notices import queries
from notices.channels.mail import until_when
from notices.models import Notice

register = template.Library()


@register.simple_tag(takes_context=True)
def bell(context: RequestContext) -> queries.Bell:
    """The person's new notifications, without those that the page itself tells."""
    request, user = context.get("request"), context.get("user")
    if request is None or not isinstance(user, User):
        return queries.Bell(0, [])
    whole = queries.bell_on(request, user)
    return whole.without(getattr(request, "bell_hangs_over", request.path))


@register.filter
def until(notice: Notice, user: User) -> str:
    """Until when somebody may take, on their own clock."""
    return "" if notice.deadline_at is None else until_when(notice.deadline_at, user)
