"""Reading the registration sheets of a check: what stands on them, and how far their file is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q

import rules
from decks.models import CheckedDeck, DeckCheck, SheetJob
from decks.queries import checks

if TYPE_CHECKING:
    from decks.drawing.registration import Sheet


def sheet_of(check: DeckCheck, row: CheckedDeck) -> Sheet:
    """Return the content of the sheet of one deck."""
    from decks.drawing.registration import Sheet  # with reportlab, which takes 10 MB

    game = rules.game(check.game)
    return Sheet(
        event=check.title,
        play=f"{game.name}, {game.mode(check.mode).name}",
        format=str(check.house) if check.house else "",
        player=f"{row.player}, no. {row.player_number}" if row.player_number else row.player,
        deck=row.name,
        parts=checks.list_by_kind(row, check.game),
        unread=[line["text"] for line in row.unread],
        digest=row.digest,
        legal=row.legal,
        # A sheet shows so many problems only; what was not checked is among them.
        problems=[*checks.notices(row), *checks.errors(row)],
        locked_at=row.locked_at,
    )


def sheets_of(check: DeckCheck) -> Iterator[Sheet]:
    """The sheets of all decks by number, however many."""
    return (sheet_of(check, row) for row in checks.whole_pile(check))


def latest_job(check: DeckCheck) -> SheetJob | None:
    """The last file of sheets that was asked for."""
    return SheetJob.objects.filter(check_of=check).first()


def check_digest(check: DeckCheck) -> str:
    """A pile in one line, which differs whenever anything on its sheets does."""
    counts = CheckedDeck.objects.filter(check_of=check).aggregate(
        decks=Count("pk"),
        last=Max("number"),
        changed=Max("changed"),
        judged=Count("judged_at"),
        judged_at=Max("judged_at"),
        legal=Count("pk", filter=Q(legal=True)),
        locked=Count("locked_at"),
        locked_at=Max("locked_at"),
    )
    return " ".join(str(part) for part in (check.house_id, *counts.values()))
