"""The filter by which every page says a moment; all templates have it without loading it."""

from __future__ import annotations

from datetime import datetime

from django import template

from core.local_time import local_text

register = template.Library()


@register.filter
def when(moment: datetime | None, layout: str) -> str:
    """``{{ match.finished_at|when:"j F Y, H:i" }}``, in the reader's zone; UTC is said."""
    return "" if moment is None else local_text(moment, layout)
