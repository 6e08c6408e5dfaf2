"""Downloads of a deck check: registration sheets, and a table of the results.

Pages and the API give the same ones.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

from django.http import FileResponse, HttpRequest
from django.utils.text import slugify
from rest_framework.request import Request

from collection.downloads import attachment
from collection.errors import NotFound
from collection.lists.reading import escaped
from core.downloads import DownloadResponse
from decks.models import CheckedDeck, DeckCheck
from decks.queries import checks as queries
from decks.queries import sheets as sheet_queries
from decks.services import sheets

SHEETS_AT_ONCE = sheets.AT_ONCE


def sheets_of(check: DeckCheck, rows: Iterable[CheckedDeck], title: str) -> FileResponse:
    """The registration sheets of some decks as a PDF; raises ``NotFound`` where there is none."""
    from decks.drawing.registration import write_sheets  # with reportlab, which takes 10 MB

    drawn = [sheet_queries.sheet_of(check, row) for row in rows]
    if not drawn:
        raise NotFound("No decks submitted yet.")
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    write_sheets(drawn, title, file)
    file.seek(0)
    return as_pdf(file, title)


def as_pdf(file: IO[bytes], title: str) -> FileResponse:
    """Registration sheets that are drawn, under the title's name; the answer closes the file."""
    name = f"{slugify(title) or 'decks'}.pdf"
    # A file of its own name would be offered under that, so the name is said twice.
    return FileResponse(
        file,
        as_attachment=True,
        filename=name,
        content_type="application/pdf",
        headers=attachment(name),
    )


def sheet_of(check: DeckCheck, row: CheckedDeck) -> FileResponse:
    """The registration sheet of one deck."""
    return sheets_of(check, [row], f"{row.player} {check.title}")


def verdicts_of(request: HttpRequest | Request, check: DeckCheck) -> DownloadResponse:
    """All verdicts as a table for spreadsheets, never held whole."""
    name = f"{slugify(check.title) or 'decks'}.csv"
    return DownloadResponse(request, _rows(check), "text/csv; charset=utf-8", attachment(name))


def melee_players(request: HttpRequest, check: DeckCheck) -> DownloadResponse:
    """All players as Melee imports them, never held whole.

    Its three columns have to be there. Nobody's address is given out: the organiser fills it in.
    """
    name = f"{slugify(check.title) or 'decks'}-melee.csv"
    return DownloadResponse(
        request, _melee_rows(check), "text/csv; charset=utf-8", attachment(name)
    )


def _melee_rows(check: DeckCheck) -> Iterator[str]:
    yield _line(["Email", "FirstName", "LastName", "UserName"])
    for row in queries.whole_pile(check):
        first, _, last = row.player.rpartition(" ")
        username = row.user.username if row.user else ""
        yield _line(["", first or last, last if first else "", username])


def _rows(check: DeckCheck) -> Iterator[str]:
    head = "number player deck legal rules cards sha256 locked notices player_number"
    yield _line(head.split())
    for row in queries.whole_pile(check):
        legal = "" if row.legal is None else ("yes" if row.legal else "no")
        broken = _rules_of(queries.errors(row))
        size = sum(sum(counts.values()) for counts in row.cards.values())
        locked = row.locked_at.isoformat() if row.locked_at else ""
        about = [row.number, row.player, row.name, legal, broken, size, row.digest, locked]
        yield _line([*about, _rules_of(queries.notices(row)), row.player_number])


def _rules_of(problems: list[dict[str, Any]]) -> str:
    return " ".join(dict.fromkeys(problem["rule"] for problem in problems))


def _line(values: list[Any]) -> str:
    """A line of CSV in which no spreadsheet finds a formula."""
    text = io.StringIO()
    csv.writer(text).writerow(escaped(v) if isinstance(v, str) else v for v in values)
    return text.getvalue()
