"""What a calendar and a feed reader are told of somebody's tables.

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

MOST_TABLES = 50


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
    found = []
    for match in awaiting(user):
        seat = next(seat for seat in match.seats.all() if seat.user_id == user.pk)
        if seat.prompt is None or seat.deadline_at is None:  # friends without a clock
            continue
        found.append(
            Deadline(
                question=f"{match.slug}-{seat.number + 1}-{seat.prompt}",
                text=f"Your turn: {match_name(match)}",
                about=_against(match, user),
                link=_address(match),
                until=seat.deadline_at,
            )
        )
    return sorted(found, key=lambda one: (one.until, one.question))


def revised(found: Sequence[Deadline], before: Content, now: datetime) -> Content:
    """What the calendar says from now on: each question's deadline, its number, date and words.

    The number goes up whenever the deadline of a question moves, the date with it.
    """
    shown: Content = {}
    for one in found:
        until = one.until.astimezone(UTC).isoformat()
        old_until, number, at, _ = before.get(one.question, (until, 0, now.isoformat(), ""))
        moved = old_until != until
        at = now.isoformat() if moved else at
        shown[one.question] = [until, number + moved, at, f"{one.text} {one.about}"]
    return shown


def calendar(found: Sequence[Deadline], dated: DatedContent) -> bytes:
    """The deadlines as a calendar (RFC 5545)."""
    # It has ninety modules, which no process should wait for when it starts.
    from icalendar import Calendar, Event, vDuration

    made = Calendar()
    made.add("prodid", "-//Riffle//Deadlines//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", "Riffle")
    made.add("refresh-interval", vDuration(timedelta(hours=1)), {"VALUE": "DURATION"})
    for one in found:
        until, number, at, _ = dated.content[one.question]
        revised_at = datetime.fromisoformat(at)
        event = Event()
        event.add("uid", f"{one.question}@{_host()}")
        event.add("sequence", number)
        event.add("dtstamp", revised_at)
        event.add("last-modified", revised_at)
        event.add("dtstart", datetime.fromisoformat(until))
        event.add("summary", one.text)
        event.add("description", f"{one.about}\n{one.link}")
        event.add("url", one.link)
        event.add("transp", "TRANSPARENT")  # it keeps nobody from other things
        made.add_component(event)
    text: bytes = made.to_ical()
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
    found = matches_of(user)
    return [_entry(match, user) for match in found[:MOST_TABLES]]


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
        state, title, at = "open", "Not begun", match.created_at
    elif seat is not None and seat.prompt is not None:
        state, title, at = f"asked-{seat.prompt}", "Your turn", moved
    else:
        state, title, at = "running", "The others are to move", moved
    return Entry(
        name=f"{match.slug}/{state}",
        title=f"{title}: {match_name(match)}",
        about=_against(match, user),
        link=link,
        at=at.replace(microsecond=0),
    )


def told(found: Sequence[Entry], user: User) -> Content:
    """All that the feed says, for the date of its last change."""
    said = {one.name: [one.title, one.about, one.at.isoformat()] for one in found}
    return {"": _feed_title(user), **said}


def feed(found: Sequence[Entry], user: User, dated: DatedContent) -> bytes:
    """The tables as a feed (RFC 4287)."""
    page = settings.SITE_URL + reverse("matches:mine")
    made = _Feed(
        title=_feed_title(user),
        link=page,
        description=None,
        language=settings.LANGUAGE_CODE,
        # The address is a secret, so neither it nor anything made of it is the feed's name.
        feed_guid=f"tag:{_host()},2026:tables-of-{user.pk}",
        author_name="Riffle",
        updated=dated.changed_at,
    )
    for one in found:
        made.add_item(
            title=one.title,
            link=one.link,
            description=escape(one.about),  # which readers take for HTML
            unique_id=f"tag:{_host()},2026:{one.name}",
            updateddate=one.at,
            pubdate=None,
        )
    return made.writeString("utf-8").encode()


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
    return f"With {', '.join(others)}." if others else "Nobody else has sat down yet."


def _address(match: Match) -> str:
    return settings.SITE_URL + match.get_absolute_url()


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
