"""The filter by which every page says a moment; all templates have it without loading it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import timezone

from core.local_time import local_text

register = template.Library()


@register.filter
def when(moment: datetime | None, layout: str) -> str:
    """``{{ match.finished_at|when:"j F Y, H:i" }}``, in the reader's zone; UTC is said."""
    return "" if moment is None else local_text(moment, layout)


@register.filter
def ago(moment: datetime) -> str:
    """“just now” within a minute, then “5 minutes ago” and so on."""
    if timezone.now() - moment < timedelta(minutes=1):
        return "just now"
    return str(naturaltime(moment))
