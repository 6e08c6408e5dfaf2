"""Standings and lists of players on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

from decks.drawing.lettering import BOLD, SANS, lettered
from tournaments.models import Tournament
from tournaments.queries.pages import EntryShown

_TEXT = ParagraphStyle("text", fontName=SANS, fontSize=9, leading=13)
_HEAD = ParagraphStyle("head", _TEXT, fontName=BOLD, fontSize=16, leading=24)
_MARGIN = 18 * mm
_NAME = 70 * mm
_HEADINGS = ("#", "Player", "Points", "W–D–L", "Opp. %", "Own %", "Opp. own %")
_SHARES = ("opponents_win", "own_win", "opponents_own")
_WIDTHS = (12 * mm, _NAME, 18 * mm, 20 * mm, 18 * mm, 18 * mm, 18 * mm)


def write_standings(tournament: Tournament, rows: Sequence[EntryShown], file: IO[bytes]) -> None:
    """A PDF with a line for each, in the order that is given."""
    document = SimpleDocTemplate(
        file, pagesize=A4, title=tournament.title, creator="Riffle", initialFontName=SANS,
        leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
    )  # fmt: skip
    width = A4[0] - 2 * _MARGIN
    when = f"{tournament.starts_at:%-d %B %Y}, {len(rows)} players"
    story: list[Flowable] = [
        Paragraph(lettered(tournament.title, BOLD, 16, width), _HEAD),
        Paragraph(lettered(when, SANS, 9, width), _TEXT),
        Spacer(1, 6 * mm),
    ]
    lines: list[list[Any]] = [list(_HEADINGS), *(_line(row) for row in rows)]
    table = Table(lines, colWidths=_WIDTHS, repeatRows=1)
    table.setStyle(
        [
            ("FONTNAME", (0, 0), (-1, -1), SANS),
            ("FONTNAME", (0, 0), (-1, 0), BOLD),
            ("FONTSIZE", (0, 0), (-1, -1), 9),
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.HexColor(0x8B806C)),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("ALIGN", (2, 0), (-1, -1), "RIGHT"),
        ]
    )
    document.build([*story, table])


def _line(row: EntryShown) -> list[str | Paragraph]:
    name = Paragraph(lettered(row.name, SANS, 9, _NAME), _TEXT)
    numbers = row.standing
    if not numbers:
        return [str(row.number), name, "", "", "", "", ""]
    shares = [
        f"{100 * numbers[part]:.1f}" for part in ("opponents_win", "own_win", "opponents_own")
    ]
    record = f"{numbers['won']}–{numbers['drawn']}–{numbers['lost']}"
    return [str(row.rank), name, row.points, record, *shares]
