"""The time zones that people can choose."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


@cache
def zones() -> frozenset[str]:
    """The names of zones that can be chosen: places, and UTC."""
    listed = available_timezones()
    left_out = ("Etc/", "SystemV/", "posix/", "right/")
    return frozenset(name for name in listed if "/" in name and not name.startswith(left_out)) | {
        "UTC"
    }


def choices(chosen: str = "") -> list[tuple[str, str]]:
    """For a form. What somebody has chosen stays among them, whatever is offered by now."""
    names = sorted(zones() | ({chosen} if chosen else set()))
    return [(name, name.replace("_", " ")) for name in names]
