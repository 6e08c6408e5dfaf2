"""Finished matches at rest: one compressed record each instead of a state and a row a move."""

from __future__ import annotations

from typing import Any

from django.db import models

from matches.models.matches import Match


class MatchArchive(models.Model):
    """The state and the moves of a finished match; ``matches.moves`` writes and reads them."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="archive")
    format = models.PositiveSmallIntegerField(help_text="The version of the record’s layout.")
    record = models.BinaryField()

    content: dict[str, Any] | None = None
    """The record unpacked, kept by ``matches.moves`` as long as the match stays loaded."""

    def __str__(self) -> str:
        return f"archive of {self.match_id}"
