"""Times in words."""

from __future__ import annotations

from datetime import timedelta

from django import template

from matches.queries import clock

register = template.Library()


@register.filter
def span_words(time: timedelta | None) -> str:
    """“2 d 21 h”; nothing for none."""
    return "" if time is None else clock.span(time)
