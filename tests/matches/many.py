"""As many finished matches as a test wants: copies of one that was played."""

from __future__ import annotations

from datetime import timedelta

from matches.models import Match, MoveRow, Seat, new_slug


def copies_of(match: Match, count: int) -> list[Match]:
    """So many more finished matches with the same seats and moves, each a second later."""
    assert match.finished_at is not None
    seats, moves = list(match.seats.all()), list(match.moves.all())
    copies = []
    for number in range(1, count + 1):
        copy = Match.objects.get(pk=match.pk)
        copy.pk, copy.slug = None, new_slug()
        copy.finished_at = match.finished_at + timedelta(seconds=number)
        copies.append(copy)
    Match.objects.bulk_create(copies)
    for rows, model in ((seats, Seat), (moves, MoveRow)):
        new = []
        for copy in copies:
            for row in rows:
                values = {
                    field.attname: getattr(row, field.attname)
                    for field in model._meta.concrete_fields
                    if field.name not in ("id", "match")
                }
                if model is Seat:
                    values["finished_at"] = copy.finished_at
                new.append(model(match=copy, **values))
        model._default_manager.bulk_create(new, batch_size=500)
    return copies
