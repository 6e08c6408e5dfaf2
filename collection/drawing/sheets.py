"""Sheets of cards to cut out, as PDF: nine cards of 63 × 88 mm a page, cut marks, backs.

Nothing here knows the database: cards come as (game, slug) pairs and pages are drawn one by one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PIL import Image

from collection.drawing.faces import face_for, face_of
from collection.drawing.layout import Size
from collection.drawing.printed import printed_card

if TYPE_CHECKING:
    # Loaded when something is drawn: most processes never do, and it takes 10 MB.
    from reportlab.pdfgen.canvas import Canvas

mm = 72 / 25.4
"""A millimetre in points, which PDF counts in."""
CARD = (63.0, 88.0)
"""Width and height of a card, in millimetres."""
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
COLUMNS = ROWS = 3
SHEET_SIZE = COLUMNS * ROWS
GAPS = (0, 2, 3)
_FULL: Size = "full"
_MARK, _CLEAR = 3.0, 1.0
"""Length of a cut mark, and how far it stays off the cards."""

Face = tuple[str, str]
"""Game slug and card slug."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How sheets are laid out: millimetres from the page's lower left corner."""

    paper: str = "a4"
    gap: int = 0
    marks: bool = True
    backs: str = "none"

    @property
    def page(self) -> tuple[float, float]:
        """The paper's width and height."""
        return PAPERS[self.paper]

    @property
    def margins(self) -> tuple[float, float]:
        """The margins beside and below the cards, which are centred on the page."""
        width, height = self.page
        return (
            (width - COLUMNS * CARD[0] - (COLUMNS - 1) * self.gap) / 2,
            (height - ROWS * CARD[1] - (ROWS - 1) * self.gap) / 2,
        )

    def corner(self, place: int, *, back: bool = False) -> tuple[float, float]:
        """The lower left corner of a place; places count from 0 in reading order.

        The back of a card lies where it meets its front once the sheet is turned over: columns
        change sides over the long edge, rows over the short one.
        """
        row, column = divmod(place, COLUMNS)
        if back and self.backs == "long":
            column = COLUMNS - 1 - column
        if back and self.backs == "short":
            row = ROWS - 1 - row
        left, bottom = self.margins
        return (
            left + column * (CARD[0] + self.gap),
            bottom + (ROWS - 1 - row) * (CARD[1] + self.gap),
        )

    def sheets(self, cards: int) -> int:
        """How many sides of paper so many cards take."""
        fronts = -(-cards // SHEET_SIZE)
        return fronts if self.backs == "none" else 2 * fronts


@dataclass
class Sheets:
    """A PDF in the making. Iterating draws one side of paper a step and gives its number from 1.

    Pictures lie in a folder until they are in the PDF: from a file reportlab takes a JPEG as it is,
    while one in memory is decoded and held, some 6 MB each, until the last sheet is drawn.
    """

    plan: Plan
    cards: Sequence[Face]
    title: str
    file: IO[bytes]
    _pictures: dict[tuple[str, ...], str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[int]:
        with tempfile.TemporaryDirectory(prefix="riffle-sheets-") as folder:
            yield from self._sides(Path(folder))

    def _sides(self, folder: Path) -> Iterator[int]:
        from reportlab.pdfgen.canvas import Canvas

        width, height = self.plan.page
        canvas = Canvas(self.file, pagesize=(width * mm, height * mm), pageCompression=1)
        canvas.setTitle(self.title)
        canvas.setCreator("Riffle")
        total, number = self.plan.sheets(len(self.cards)), 0
        for start in range(0, len(self.cards), SHEET_SIZE):
            cards = self.cards[start : start + SHEET_SIZE]
            for back in (False, True) if self.plan.backs != "none" else (False,):
                number += 1
                self._draw_side(canvas, cards, folder, back=back)
                self._draw_foot(canvas, number, total)
                canvas.showPage()
                yield number
        canvas.save()

    def _draw_side(
        self, canvas: Canvas, cards: Sequence[Face], folder: Path, *, back: bool
    ) -> None:
        for place, (game, slug) in enumerate(cards):
            x, y = self.plan.corner(place, back=back)
            # A sheet turned over its short edge shows its cards upside down.
            turned = back and self.plan.backs == "short"
            picture = self._picture(game, "" if back else slug, turned, folder)
            canvas.drawImage(picture, x * mm, y * mm, CARD[0] * mm, CARD[1] * mm)
            if not back:
                _write_unseen(canvas, printed_card(game, slug).title, x, y)
        if self.plan.marks and not back:
            self._draw_marks(canvas)

    def _draw_marks(self, canvas: Canvas) -> None:
        """Thin lines in the margins at every edge of the cards, clear of their pictures."""
        width, height = self.plan.page
        left, bottom = self.plan.margins
        canvas.setLineWidth(0.25)
        canvas.setStrokeGray(0.35)
        for x in _edges(left, CARD[0], COLUMNS, self.plan.gap):
            for y in (bottom - _CLEAR, height - bottom + _CLEAR + _MARK):
                canvas.line(x * mm, y * mm, x * mm, (y - _MARK) * mm)
        for y in _edges(bottom, CARD[1], ROWS, self.plan.gap):
            for x in (left - _CLEAR, width - left + _CLEAR + _MARK):
                canvas.line(x * mm, y * mm, (x - _MARK) * mm, y * mm)

    def _draw_foot(self, canvas: Canvas, number: int, total: int) -> None:
        """Below everything, small: what this is, and a line to measure the scale with."""
        canvas.setFont("Helvetica", 5)
        canvas.setFillGray(0.35)
        words = f"{self.title} · {number} of {total} · print at 100 %: this line is 50 mm long"
        x, y = self.plan.margins[0] + 8, 2.0
        canvas.setLineWidth(0.4)
        canvas.setStrokeGray(0.35)
        canvas.line(x * mm, (y + 0.6) * mm, (x + 50) * mm, (y + 0.6) * mm)
        canvas.drawString((x + 52) * mm, y * mm, latin(words))

    def _picture(self, game: str, slug: str, turned: bool, folder: Path) -> str:
        """The file of a card's front, or of the back where no card is named; drawn once."""
        key = (game, slug, str(turned))
        if key not in self._pictures:
            if slug:
                card = printed_card(game, slug)
                picture = face_for(card).draw(card, _FULL)
            else:
                picture = face_of(game).back(_FULL)
            path = folder / f"{len(self._pictures)}.jpg"
            _keep(picture.rotate(180) if turned else picture, path)
            self._pictures[key] = str(path)
        return self._pictures[key]


def _edges(start: float, size: float, count: int, gap: float) -> list[float]:
    """Where cards begin and end along one side."""
    edges = {round(start + n * (size + gap) + end, 3) for n in range(count) for end in (0.0, size)}
    return sorted(edges)


def _keep(picture: Image.Image, path: Path) -> None:
    """Write a picture as reportlab embeds it.

    Round corners are filled with the colour of the card's edge: a straight cut leaves no white.
    """
    if picture.mode == "RGBA":
        edge = picture.getpixel((picture.width // 2, 2))
        paper = Image.new("RGBA", picture.size, edge)
        paper.alpha_composite(picture)
        picture = paper
    picture.convert("RGB").save(path, "JPEG", quality=93, subsampling=0, dpi=(304.8, 304.8))


def _write_unseen(canvas: Canvas, words: str, x: float, y: float) -> None:
    """The card's name as text that is searched and read aloud, but not seen."""
    text = canvas.beginText(x * mm, (y + CARD[1] / 2) * mm)
    text.setFont("Helvetica", 6)
    text.setTextRenderMode(3)
    text.textOut(latin(words))
    canvas.drawText(text)


def latin(words: str) -> str:
    """Replace characters that the PDF's built-in font lacks."""
    return words.replace("’", "'").encode("cp1252", "replace").decode("cp1252")
