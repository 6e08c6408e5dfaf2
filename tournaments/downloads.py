"""Files of tournaments: CSV, JSON, PDF, a calendar and a feed. Pages and the API give the same."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Max
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.text import slugify

import rules
from collection.lists.reading import escaped
from tournaments.models import Round, State, Tournament
from tournaments.queries import pages, statistics
from tournaments.queries.round_names import round_names

LATEST = 50
COLUMNS = (
    "rank", "division", "number", "name", "username", "state", "points", "played", "won", "drawn",
    "lost", "byes", "opponents_win", "own_win", "opponents_own", "head_to_head", "random_draw",
    "decided_by",
)  # fmt: skip


def file_name(tournament: Tournament, ending: str) -> str:
    """A name for a file about a tournament."""
    return f"{slugify(tournament.title) or 'tournament'}.{ending}"


def attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """A file to be saved under this name."""
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )


def csv_attachment(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], name: str
) -> HttpResponse:
    """A table whose texts no spreadsheet takes for formulas; None is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in rows:
        cells = [row[column] for column in columns]
        writer.writerow(
            "" if cell is None else escaped(cell) if isinstance(cell, str) else cell
            for cell in cells
        )
    return attachment(text.getvalue(), "text/csv; charset=utf-8", name)


def json_attachment(data: Any, name: str) -> HttpResponse:
    """Data as a JSON file."""
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return attachment(text, "application/json", name)


def standings_csv(tournament: Tournament) -> HttpResponse:
    """The standings with every tie-break's numbers, and those without a rank below."""
    entries = [*pages.ranked(tournament), *pages.entries(tournament).filter(rank=None)]
    rows = (
        {name: getattr(entry, name, None) for name in COLUMNS}
        | entry.standing
        | {"points": entry.standing.get("points", "")}
        for entry in pages.entries_shown(entries)
    )
    return csv_attachment(COLUMNS, rows, file_name(tournament, "csv"))


def whole(tournament: Tournament) -> dict[str, Any]:
    """All of a tournament as plain data; the seed, from which all lots follow, once it is over."""
    names = round_names(tournament)
    rounds = [
        {
            "number": row.number, "name": names.of(row.number), "stage": row.stage,
            "attempt": row.attempt, "paired_at": row.paired_at, "deadline_at": row.deadline_at,
            "finished_at": row.finished_at, "tables": [_plain(table) for table in tables],
        }
        for row, tables in pages.rounds_with_tables(tournament)
    ]  # fmt: skip
    return {
        "riffle": 1,
        "tournament": dataclasses.asdict(pages.tournament_shown(tournament)),
        "players": [_plain(entry) for entry in pages.entries_shown(pages.entries(tournament))],
        "statistics": dataclasses.asdict(statistics.statistics(tournament))
        if statistics.has_statistics(tournament)
        else None,
        "rounds": rounds,
        "rulings": [_plain(ruling) for ruling in pages.rulings(tournament)],
    }


_PAGES_ONLY = {
    "deck_number", "deck_name", "legal", "result", "is_bot", "mine", "label", "about",
    "round_number",
}  # fmt: skip


def _plain(row: Any) -> dict[str, Any]:
    """A dataclass without what is for pages alone, which may be hidden from others."""
    data: dict[str, Any] = dataclasses.asdict(row)
    if "seats" in data:
        data["seats"] = [
            {name: value for name, value in seat.items() if name not in _PAGES_ONLY}
            for seat in data["seats"]
        ]
    return {
        name: value
        for name, value in data.items()
        if name not in _PAGES_ONLY and not (name == "points" and "standing" in data)
    }


def tournament_json(tournament: Tournament) -> HttpResponse:
    """The whole as one JSON file."""
    return json_attachment(whole(tournament), file_name(tournament, "json"))


def entries_pdf(tournament: Tournament) -> HttpResponse:
    """The standings on paper; before the first round is over, the list of players."""
    from tournaments.drawing.sheets import write_standings  # with reportlab, which takes 10 MB

    rows = list(pages.ranked(tournament)) or list(pages.entries(tournament).filter(state="entered"))
    file = io.BytesIO()
    write_standings(tournament, pages.entries_shown(rows, pods=tournament.pods), file)
    return attachment(file.getvalue(), "application/pdf", file_name(tournament, "pdf"))


def calendar_of(tournament: Tournament) -> HttpResponse:
    """When registration closes, the start, and the end of each round (RFC 5545).

    A ladder's challenges are left out.
    """
    # It has ninety modules, which no process should wait for when it starts.
    from icalendar import Calendar, Event

    calendar = Calendar()
    calendar.add("prodid", "-//Riffle//Tournaments//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", tournament.title)
    link = settings.SITE_URL + tournament.get_absolute_url()
    starts = tournament.started_at or tournament.starts_at
    moments = [
        ("closes", "Registration closes", tournament.registration_until),
        ("starts", "Start", starts),
    ]
    if tournament.state == State.CANCELLED:
        moments = []
    rounds = Round.objects.filter(tournament=tournament).order_by("number")
    names = round_names(tournament)
    if tournament.is_ladder:  # there each round is a challenge of two players
        rounds = rounds.none()
    elif tournament.is_league:  # all rounds end together
        season = rounds.aggregate(end=Max(Coalesce("finished_at", "deadline_at")))["end"]
        if season is not None:
            moments.append(("season", f"End of season {tournament.season}", season))
        rounds = rounds.none()
    for row in rounds:
        words = f"End of {names.in_text(row.number)}"
        moments.append((f"round-{row.number}", words, row.finished_at or row.deadline_at))
    for name, words, at in moments:
        event = Event()
        event.add("uid", f"{tournament.slug}-{name}@{_host()}")
        event.add("dtstamp", tournament.created_at)
        event.add("dtstart", at)
        event.add("summary", f"{tournament.title}: {words}")
        event.add("url", link)
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    name = file_name(tournament, "ics")
    return attachment(calendar.to_ical(), "text/calendar; charset=utf-8", name)


def feed_of() -> HttpResponse:
    """The latest public tournaments, each as it stands (RFC 4287)."""
    atom1_feed = Atom1Feed(
        title="Riffle: tournaments",
        link=settings.SITE_URL + reverse("tournaments:list"),
        description=None,
        language=settings.LANGUAGE_CODE,
        feed_guid=f"tag:{_host()},2026:tournaments",
        author_name="Riffle",
    )
    rows = Tournament.objects.filter(listed=True).select_related("limited")
    rows = rows.defer("server_seed", "limited__contents").order_by("-pk")[:LATEST]
    for row in rows:
        at = row.finished_at or row.started_at or row.created_at
        atom1_feed.add_item(
            title=f"{row.get_state_display()}: {row.title}",
            link=settings.SITE_URL + row.get_absolute_url(),
            description=_in_a_line(row),
            unique_id=f"tag:{_host()},2026:tournament-{row.slug}-{row.state}",
            updateddate=at.replace(microsecond=0),
            pubdate=None,
        )
    text = atom1_feed.writeString("utf-8")
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8")


def _in_a_line(tournament: Tournament) -> str:
    game = rules.games().get(tournament.game)
    play = f"{game.name}, {game.mode(tournament.mode).name}" if game else tournament.game
    line = f"{play}. {pages.structure_in_words(tournament)}."
    moment = tournament.started_at or tournament.starts_at
    verb = "Started" if tournament.started_at else "Starts"
    if tournament.state == State.CANCELLED and tournament.started_at is None:
        return line
    return f"{line} {verb} {moment:%-d %B %Y, %H:%M} UTC."


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
