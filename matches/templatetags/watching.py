"""What a table says about those who look on."""

from __future__ import annotations

from django import template

register = template.Library()


@register.simple_tag
def watchers_line(count: int | None, spectating: bool) -> str:
    """How many look on; empty where that is not known. The script says the same (watchers.js)."""
    if count is None:
        return ""
    if spectating:
        nobody, one, many = "Nobody else looks on.", "One other looks on.", "others look on."
    else:
        nobody, one, many = "Nobody looks on.", "One person looks on.", "people look on."
    return (nobody, one)[count] if count < 2 else f"{count} {many}"
