"""Chances as people read them."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def percent(share: float) -> str:
    """``0.634`` as “63%”."""
    return f"{share * 100:.0f}%"


@register.filter
def points(share: float) -> str:
    """``0.043`` as “4”: percentage points without their unit."""
    return f"{abs(share) * 100:.0f}"


@register.filter
def signed_points(share: float) -> str:
    """``-0.23`` as “−23”; what rounds to nothing has no sign."""
    points = round(share * 100)
    return f"{points:+d}".replace("-", "−") if points else "0"


@register.filter
def tenths(share: float) -> str:
    """``0.0204`` as “2.0”: percentage points with a decimal."""
    return f"{abs(share) * 100:.1f}"


@register.filter
def signed_tenths(share: float) -> str:
    """``0.0312`` as “+3.1”."""
    return f"{'−' if share < 0 else '+'}{abs(share) * 100:.1f}"
