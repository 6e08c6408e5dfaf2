"""Times in words."""

from __future__ import annotations

from datetime import timedelta

from django import template

from matches import clock_words

register = template.Library()


@register.filter
def span_words(time: timedelta | None) -> str:
    """“2 d 21 h”; nothing for none."""
    return "" if time is None else clock_words.span(time)
