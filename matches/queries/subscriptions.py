"""The calendar and the feed of a person's tables.

Only what "My tables" shows too: who sits there, whether the person is asked and until when, and how
it ended. A program at the other end keeps it, so nothing that changes with every look is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from accounts.models import User
from matches.models import Match, Status
from matches.queries.names import match_name
from matches.queries.seats import seat_names
from matches.queries.tables import awaiting, matches_of
from notices.services.secret_addresses import Content, DatedContent

MAX_TABLES = 50


@dataclass(frozen=True, slots=True)
class Deadline:
    """A question that somebody is asked, and until when they may take for it."""

    question: str
    """Names it for ever: the match, the seat and the number of the question."""
    text: str
    about: str
    link: str
    until: datetime


def deadlines(user: User) -> list[Deadline]:
    """The deadlines of a person's questions, the next one first; a fixed number of queries."""
    rows = []
    for match in awaiting(user):
        seat = next(seat for seat in match.seats.all() if seat.user_id == user.pk)
        if seat.prompt is None or seat.deadline_at is None:  # friends without a clock
            continue
        rows.append(
            Deadline(
                question=f"{match.slug}-{seat.number + 1}-{seat.prompt}",
                text=f"Your turn: {match_name(match)}",
                about=_against(match, user),
                link=_address(match),
                until=seat.deadline_at,
            )
        )
    return sorted(rows, key=lambda row: (row.until, row.question))


def revised(deadlines: Sequence[Deadline], before: Content, now: datetime) -> Content:
    """The new content of the calendar: each prompt's deadline, number, date and text.

    The number goes up whenever the deadline of a question moves, the date with it.
    """
    content: Content = {}
    for deadline in deadlines:
        until = deadline.until.astimezone(UTC).isoformat()
        old_until, number, at, _ = before.get(deadline.question, (until, 0, now.isoformat(), ""))
        moved = old_until != until
        at = now.isoformat() if moved else at
        content[deadline.question] = [
            until,
            number + moved,
            at,
            f"{deadline.text} {deadline.about}",
        ]
    return content


def calendar(deadlines: Sequence[Deadline], dated: DatedContent) -> bytes:
    """The deadlines as a calendar (RFC 5545)."""
    # It has ninety modules, which no process should wait for when it starts.
    from icalendar import Calendar, Event, vDuration

    calendar = Calendar()
    calendar.add("prodid", "-//Riffle//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Riffle")
    calendar.add("refresh-interval", vDuration(timedelta(hours=1)), {"VALUE": "DURATION"})
    for deadline in deadlines:
        until, number, at, _ = dated.content[deadline.question]
        revised_at = datetime.fromisoformat(at)
        event = Event()
        event.add("uid", f"{deadline.question}@{_host()}")
        event.add("sequence", number)
        event.add("dtstamp", revised_at)
        event.add("last-modified", revised_at)
        event.add("dtstart", datetime.fromisoformat(until))
        event.add("summary", deadline.text)
        event.add("description", f"{deadline.about}\n{deadline.link}")
        event.add("url", deadline.link)
        event.add("transp", "TRANSPARENT")  # it keeps nobody from other things
        calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text


@dataclass(frozen=True, slots=True)
class Entry:
    """One table as a feed tells it; in another state it is another entry."""

    name: str
    title: str
    about: str
    link: str
    at: datetime


def entries(user: User) -> list[Entry]:
    """A person's newest tables, each as it stands; a fixed number of queries."""
    matches = matches_of(user)
    return [_entry(match, user) for match in matches[:MAX_TABLES]]


def _entry(match: Match, user: User) -> Entry:
    seat = next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)
    # Times that everybody may know: when somebody answers unseen, none of these moves.
    moved = match.moved_at or match.started_at or match.created_at
    link = _address(match)
    if match.status == Status.FINISHED:
        state, title, at = "over", "Over", match.finished_at or moved
        link = settings.SITE_URL + reverse("matches:result", args=(match.slug,))
    elif match.status == Status.CANCELLED:
        state, title, at = "cancelled", "Cancelled", moved
    elif match.status == Status.OPEN:
        state, title, at = "open", "Not started", match.created_at
    elif seat is not None and seat.prompt is not None:
        state, title, at = f"asked-{seat.prompt}", "Your turn", moved
    else:
        state, title, at = "running", "Waiting for opponents", moved
    return Entry(
        name=f"{match.slug}/{state}",
        title=f"{title}: {match_name(match)}",
        about=_against(match, user),
        link=link,
        at=at.replace(microsecond=0),
    )


def told(entries: Sequence[Entry], user: User) -> Content:
    """The content of the feed, to date its last change."""
    content = {entry.name: [entry.title, entry.about, entry.at.isoformat()] for entry in entries}
    return {"": _feed_title(user), **content}


def feed(entries: Sequence[Entry], user: User, dated: DatedContent) -> bytes:
    """The tables as a feed (RFC 4287)."""
    page = settings.SITE_URL + reverse("matches:mine")
    atom = _Feed(
        title=_feed_title(user),
        link=page,
        description=None,
        language=settings.LANGUAGE_CODE,
        # The address is a secret, so neither it nor anything made of it is the feed's name.
        feed_guid=f"tag:{_host()},2026:tables-of-{user.pk}",
        author_name="Riffle",
        updated=dated.changed_at,
    )
    for entry in entries:
        atom.add_item(
            title=entry.title,
            link=entry.link,
            description=escape(entry.about),  # which readers take for HTML
            unique_id=f"tag:{_host()},2026:{entry.name}",
            updateddate=entry.at,
            pubdate=None,
        )
    return atom.writeString("utf-8").encode()


class _Feed(Atom1Feed):
    """Dated by its last change, which may be another than that of its newest entry."""

    def latest_post_date(self) -> datetime:
        updated: datetime = self.feed["updated"]
        return updated


def _feed_title(user: User) -> str:
    return f"Riffle: tables of {user}"


def _against(match: Match, user: User) -> str:
    seats = zip(match.seats.all(), seat_names(match), strict=True)
    others = [name for seat, name in seats if seat.user_id != user.pk]
    return f"With {', '.join(others)}." if others else "No one else has joined yet."


def _address(match: Match) -> str:
    return settings.SITE_URL + match.get_absolute_url()


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
