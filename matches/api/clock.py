"""A person's clock in the API: hours and vacation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import Annotated

from rest_framework.request import Request

from accounts.models import User
from core.operations import tagged
from core.serializers import Doc
from matches.queries import own_clock
from matches.services import absence
from matches.services.absence import HoursChange

operation = tagged("people")


@dataclass(frozen=True, slots=True)
class ClockChange:
    """Changes of your clock; omitted members stay as they are."""

    time_zone: Annotated[str | None, Doc("Such as Europe/Berlin.", max_length=40)] = None
    opens: Annotated[time | None, Doc("Local time; null: day and night.", allow_null=True)] = None
    closes: Annotated[
        time | None,
        Doc("At least 8 hours after `opens`; can be past midnight.", allow_null=True),
    ] = None
    weekend: Annotated[bool | None, Doc("Pause on Saturdays and Sundays.")] = None


@operation("clock_retrieve")
def get_clock(user: User) -> own_clock.OwnClock:
    """Your hours, your vacation, and your running matches without vacation."""
    return own_clock.own_clock(user)


@operation("clock_change", refuses=(422,))
def change_clock(user: User, request: Request, body: ClockChange) -> own_clock.OwnClock:
    """Change your hours; your deadlines are updated."""
    change = HoursChange()
    if body.time_zone is not None:
        change["zone"] = body.time_zone
    if "opens" in request.data:  # null is a value of its own
        change["opens"] = body.opens
    if "closes" in request.data:
        change["closes"] = body.closes
    if body.weekend is not None:
        change["weekend"] = body.weekend
    absence.change_hours(user=user, change=change)
    return own_clock.own_clock(user)


@dataclass(frozen=True, slots=True)
class NewDaysAway:
    """A period of vacation, inclusive."""

    first: Annotated[date, Doc("Today in your time zone, or later.")]
    last: date


@operation("clock_vacation_book", refuses=(409, 422))
def book_vacation(user: User, body: NewDaysAway) -> own_clock.OwnClock:
    """Book vacation: clocks pause on these days where it is allowed. Idempotent."""
    absence.go_away(user=user, first=body.first, last=body.last)
    return own_clock.own_clock(user)


@operation("clock_vacation_cancel")
def cancel_vacation(user: User) -> None:
    """Cancel all upcoming vacation days."""
    absence.come_back(user=user)
