"""The small signs of Colossal Kaiju Combat's table."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

PAID_BY: Final = {"energy": "power"}


@register.simple_tag
@lru_cache(maxsize=64)
def glyph(kind: str) -> SafeString:
    """The sign that a card's face has for a number, an attribute or a role."""
    sign = PAID_BY.get(kind, kind)
    return format_html('<svg class="glyph" aria-hidden="true"><use href="#k-{}"/></svg>', sign)
