"""One's own clock in the API: when it runs, and the days away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import Annotated

from rest_framework.request import Request

from accounts.models import User
from core.operations import PersonalView, operation
from core.serializers import Doc
from matches.queries import own_clock
from matches.services import absence
from matches.services.absence import HoursChange

_TAGS = ("people",)


@dataclass(frozen=True, slots=True)
class ClockChange:
    """What is to be different about your clock; what is left out stays."""

    time_zone: Annotated[str | None, Doc("Such as Europe/Berlin.", max_length=40)] = None
    opens: Annotated[
        time | None, Doc("On your own wall clock; null: day and night.", allow_null=True)
    ] = None
    closes: Annotated[
        time | None,
        Doc("At least 8 hours after it opens; it may go past midnight.", allow_null=True),
    ] = None
    weekend: Annotated[bool | None, Doc("Whether Saturdays and Sundays do not count.")] = None


class OwnClockView(PersonalView):
    """When my clock runs."""

    tags = _TAGS

    @operation("clock_retrieve")
    def get(self, user: User) -> own_clock.OwnClock:
        """When my clock runs, my days away, and which of my tables do not wait for them."""
        return own_clock.own_clock(user)

    @operation("clock_change", refuses=(422,))
    def patch(self, user: User, request: Request, body: ClockChange) -> own_clock.OwnClock:
        """Change when my clock runs; the deadlines that I have follow from now on."""
        change = HoursChange()
        if body.time_zone is not None:
            change["zone"] = body.time_zone
        if "opens" in request.data:  # null says something there
            change["opens"] = body.opens
        if "closes" in request.data:
            change["closes"] = body.closes
        if body.weekend is not None:
            change["weekend"] = body.weekend
        absence.change_hours(user=user, change=change)
        return own_clock.own_clock(user)


@dataclass(frozen=True, slots=True)
class NewDaysAway:
    """Days on which you are away, both included."""

    first: Annotated[date, Doc("Today, where you are, or later.")]
    last: date


class AwayView(PersonalView):
    """My days away."""

    tags = _TAGS

    @operation("clock_away", refuses=(409, 422))
    def post(self, user: User, body: NewDaysAway) -> own_clock.OwnClock:
        """Be away on these days: at tables that wait they do not count. Again takes no more."""
        absence.go_away(user=user, first=body.first, last=body.last)
        return own_clock.own_clock(user)

    @operation("clock_come_back")
    def delete(self, user: User) -> None:
        """Take back all days away that have not begun; a day that has begun stays one."""
        absence.come_back(user=user)
