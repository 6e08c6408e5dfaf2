"""A person's notifications on the page, and their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from django.conf import settings
from django.db.models import (
    Case,
    Count,
    F,
    FilteredRelation,
    IntegerField,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.http import HttpRequest

from accounts.models import User
from core.db import CompiledQuery
from core.serializers import Doc
from notices.channels.mail import address_of
from notices.channels.registry import Channel, channels
from notices.kinds import TOLD_KINDS, Kind, told_kinds
from notices.models.notices import Notice, NoticeChannel, NoticeSettings, Pace

PAGE_SIZE = 50
ASKING_KINDS = (Kind.INVITATION, Kind.TRADE)
"""Somebody waits for an answer, and nothing else on the page says so: these come first."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A notice."""

    id: Annotated[int, Doc("To say that it was seen.")]
    kind: Kind
    match: Annotated[str, Doc("The match's public id, or empty.")]
    text: str
    link: Annotated[str, Doc("Where it leads, on this site.")]
    since: datetime
    due: Annotated[datetime, Doc("When channels may send it, if it still holds then.")]
    deadline: datetime | None
    seen: bool


def notices_of(person: User) -> QuerySet[Notice]:
    """The current notifications, newest first, seen or not."""
    return Notice.objects.open().filter(person=person).order_by("-since", "-pk")


def told(rows: Sequence[Notice], person: User) -> list[Notification]:
    """The current notifications, as the page and the API give them."""
    prefs = settings_of(person)
    return [
        Notification(
            id=row.pk,
            kind=row.told_as,
            match=row.match,
            text=row.text,
            link=row.link,
            since=row.since,
            due=row.due(prefs),
            deadline=row.deadline_at,
            seen=row.seen_at is not None,
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Bell:
    """The header's bell: the number of new notifications, and the first of them."""

    count: int
    rows: Sequence[Notice]
    awaits_visit: bool = False
    """True if a channel has sent something since the person was here."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The header's other counts, by name: see :func:`count_in_header`."""

    @property
    def asking(self) -> list[Notice]:
        """Trades and invitations among them."""
        return [row for row in self.rows if row.kind in ASKING_KINDS]

    def without(self, page: str) -> Bell:
        """But for what is seen by having this page open; an open question is not."""
        rows = [row for row in self.rows if row.link != page or row.kind == Kind.YOUR_TURN]
        return replace(self, count=self.count - len(self.rows) + len(rows), rows=rows)


_SHOWN = ("id", "kind", "text", "link", "since")
_counted: dict[str, Callable[[int], Subquery]] = {}


def count_in_header(name: str, of: Callable[[int], Subquery]) -> None:
    """Have the header count something of another app for its person, in the bell's own query.

    To be said while the apps are loaded.
    """
    _counted[name] = of


_newest = CompiledQuery(
    lambda person: (
        User.objects.filter(pk=person)
        .annotate(
            news=FilteredRelation(
                "notices", condition=Q(notices__withdrawn_at=None, notices__seen_at=None)
            ),
            count=Window(Count("news__id")),
            rank=Case(
                When(news__kind__in=ASKING_KINDS, then=Value(0)),
                default=Value(1),
                output_field=IntegerField(),
            ),
            awaits_visit=F("notice_settings__awaits_visit"),
            **{f"news_{name}": F(f"news__{name}") for name in _SHOWN},
            **{f"counted_{name}": of(person) for name, of in _counted.items()},
        )
        .only("pk")
        .order_by("rank", "-news__since", "-news__id")[:PAGE_SIZE]
    )
)


def bell_of(person: User) -> Bell:
    """A person's new notifications, in one query."""
    people: list[Any] = _newest.rows(person.pk)
    rows = [
        Notice(**{name: getattr(row, f"news_{name}") for name in _SHOWN})
        for row in people
        if row.news_id is not None
    ]
    if not people:
        return Bell(0, [])
    counts = {name: getattr(people[0], f"counted_{name}") or 0 for name in _counted}
    return Bell(people[0].count, rows, bool(people[0].awaits_visit), counts)


def bell_on(request: HttpRequest, person: User) -> Bell:
    """The bell of a page, read once for all its parts.

    It is kept with the request: the middleware marks what the page tells as seen.
    """
    if not hasattr(request, "bell"):
        request.bell = bell_of(person)  # type: ignore[attr-defined]
    bell: Bell = request.bell  # type: ignore[attr-defined]
    return bell


def settings_of(person: User) -> NoticeSettings:
    """A person's notification settings; the defaults where they have chosen none."""
    row = NoticeSettings.objects.filter(person=person).first()
    return row or NoticeSettings(person=person)


@dataclass(frozen=True, slots=True)
class Way:
    """A channel as one person has it."""

    channel: Channel
    row: NoticeChannel
    reaches: bool


def ways_of(person: User) -> list[Way]:
    """All channels as a person has them, in their order."""
    rows = {row.channel: row for row in NoticeChannel.objects.filter(person=person)}
    return [
        Way(
            channel,
            rows.get(channel.slug)
            or NoticeChannel(person=person, channel=channel.slug, pace=channel.paces[0]),
            channel.reaches(person),
        )
        for channel in channels()
    ]


def is_reached(person: User, kind: Kind) -> bool:
    """True if some channel sends this kind to the person."""
    return any(way.reaches and way.row.wants(kind) for way in ways_of(person))


@dataclass(frozen=True, slots=True)
class ChannelPreferences:
    """A person's settings of one channel."""

    channel: str
    pace: Pace
    hour: Annotated[int, Doc("Of the person's own day, where it tells once a day.")]
    kinds_off: Annotated[list[str], Doc("The kinds that it does not send.")]
    reaches: Annotated[bool, Doc("True if there is an address to send to.")]
    problem: Annotated[str, Doc("Why it was switched off by itself, or empty.")]


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's notification settings."""

    pause: Annotated[int, Doc("Minutes that a question waits before it is sent, 0 to 1440.")]
    time_zone: Annotated[str, Doc("Such as Europe/Berlin; empty stands for UTC.")]
    kinds: Annotated[list[str], Doc("All kinds of notices that there are.")]
    channels: list[ChannelPreferences]


def preferences_of(person: User) -> Preferences:
    """A person's notification settings, as the API gives them."""
    return Preferences(
        pause=settings_of(person).pause_minutes,
        time_zone=person.time_zone,
        kinds=[kind.value for kind in told_kinds(staff=person.is_staff)],
        channels=[
            ChannelPreferences(
                channel=way.channel.slug,
                pace=Pace(way.row.pace),
                hour=way.row.hour,
                kinds_off=[kind for kind in TOLD_KINDS if kind in way.row.kinds_off],
                reaches=way.reaches,
                problem=way.row.problem,
            )
            for way in ways_of(person)
        ],
    )


@dataclass(frozen=True, slots=True)
class MailState:
    """The state of a person's mails, for the page."""

    address: str | None
    is_sent: bool
    folder: str


def mail_state(person: User) -> MailState:
    """The state of a person's mails."""
    return MailState(address_of(person), settings.MAIL_IS_SENT, str(settings.MAIL_FOLDER or ""))
