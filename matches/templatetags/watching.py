"""The line about a table's spectators."""

from __future__ import annotations

from django import template

register = template.Library()


@register.simple_tag
def watchers_line(count: int | None, spectating: bool) -> str:
    """How many look on; empty where that is not known. The script says the same (watchers.js)."""
    if count is None:
        return ""
    if spectating:
        nobody, single, many = (
            "No one else is watching.",
            "One other person is watching.",
            "others are watching.",
        )
    else:
        nobody, single, many = (
            "No one is watching.",
            "One person is watching.",
            "people are watching.",
        )
    return (nobody, single)[count] if count < 2 else f"{count} {many}"
