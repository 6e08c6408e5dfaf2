"""Notifications in the header."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext

from accounts.models import User
from core.local_time import local_text
from notices import queries
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
def until(notice: Notice) -> str:
    """Until when the person may take for it, as the page says times."""
    return "" if notice.deadline_at is None else local_text(notice.deadline_at, "D j F, H:i")
