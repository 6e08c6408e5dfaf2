"""A person's clock: hours, vacation, and matches that don't allow vacation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import groupby
from typing import Annotated

from django.utils import timezone

from accounts.models import User
from core.serializers import Doc
from matches.clock.hours import Hours
from matches.models import Status, TimeControl
from matches.queries.access import hours_of
from matches.queries.seats import seat_infos
from matches.queries.tables import unfinished_of
from matches.services import absence as away

_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DaysAway:
    """Consecutive vacation days, both included."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class ImpatientTable:
    """Your running match at which vacation is not allowed."""

    match: Annotated[str, Doc("Its public id.")]
    time_control: Annotated[str, Doc(choices=TimeControl.choices)]
    with_people: Annotated[list[str], Doc("How the others are called.")]
    link: Annotated[str, Doc("Where it is, on this site.")]

    @property
    def time_control_label(self) -> str:
        """The time control as people read it."""
        return TimeControl(self.time_control).label


@dataclass(frozen=True, slots=True)
class OwnClock:
    """When your clock runs. At live tables your clock runs day and night."""

    time_zone: Annotated[str, Doc("Such as Europe/Berlin; UTC where you have not said.")]
    time_zone_known: Annotated[bool, Doc("Whether you, or your browser, have said it.")]
    opens: Annotated[time | None, Doc("On your own wall clock; null: day and night.")]
    closes: Annotated[time | None, Doc("If earlier, the span crosses midnight.")]
    weekend: Annotated[bool, Doc("Whether Saturdays and Sundays do not count.")]
    today: Annotated[date, Doc("The day that it is where you are.")]
    vacation: Annotated[list[DaysAway], Doc("Your vacation days, from today on.")]
    on_vacation: bool
    days_left: Annotated[int, Doc("Vacation days left this year.")]
    days_a_year: int
    do_not_wait: Annotated[list[ImpatientTable], Doc("Tables at which vacation is not allowed.")]


def own_clock(user: User) -> OwnClock:
    """All of it, for the person whose it is."""
    person = User.objects.get(pk=user.pk)
    own = hours_of(user.pk)
    today = own.day_of(timezone.now())
    return OwnClock(
        time_zone=own.zone,
        time_zone_known=bool(person.time_zone),
        opens=own.opens,
        closes=own.closes,
        weekend=own.weekend,
        today=today,
        vacation=_stretches(own, today),
        on_vacation=today in own.away,
        days_left=away.VACATION_DAYS_PER_YEAR - away.days_used(own, today.year),
        days_a_year=away.VACATION_DAYS_PER_YEAR,
        do_not_wait=_impatient(user),
    )


def _stretches(own: Hours, today: date) -> list[DaysAway]:
    """The days away from today on, in stretches of days that follow each other."""
    coming = sorted(day for day in own.away if day >= today)
    stretches = []
    for _, group in groupby(enumerate(coming), lambda pair: pair[1] - pair[0] * _ONE_DAY):
        row = [day for _, day in group]
        stretches.append(DaysAway(row[0], row[-1]))
    return stretches


def _impatient(user: User) -> list[ImpatientTable]:
    matches = unfinished_of(user).filter(status=Status.RUNNING, pauses_when_away=False)
    tables = []
    for match in matches.exclude(time_control="friends"):
        infos = seat_infos(match, user)
        if sum(info.kind == "person" for info in infos) > 1:
            others = [info.name for info in infos if not info.mine]
            link = match.get_absolute_url()
            tables.append(ImpatientTable(match.slug, match.time_control, others, link))
    return tables
