"""Series as the database keeps them: what two players agreed on; the matches say the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from core.serializers import Doc

MIN_MATCHES, MAX_MATCHES = 2, 20
MIN_FIRST_TO, MAX_FIRST_TO = 2, 10


@dataclass(frozen=True, slots=True)
class SeriesTerms:
    """How long a series is: a number of matches, or first to a number of wins.

    Drawn matches count for neither player. A series never has more than ``MAX_MATCHES`` matches.
    """

    matches: Annotated[
        int | None, Doc("Number of matches.", min_value=MIN_MATCHES, max_value=MAX_MATCHES)
    ] = None
    first_to: Annotated[
        int | None, Doc("Or the wins needed.", min_value=MIN_FIRST_TO, max_value=MAX_FIRST_TO)
    ] = None

    @property
    def words(self) -> str:
        """“First to 2 wins”, “3 matches”."""
        if self.first_to is not None:
            return f"First to {self.first_to} wins"
        return f"{self.matches} matches"

    @property
    def fault(self) -> str:
        """Why there is no series of this length; empty if there is."""
        if (self.matches is None) == (self.first_to is None):
            return "Choose a number of matches, or the wins needed, not both."
        if self.matches is not None and not MIN_MATCHES <= self.matches <= MAX_MATCHES:
            return f"A series has {MIN_MATCHES} to {MAX_MATCHES} matches."
        if self.first_to is not None and not MIN_FIRST_TO <= self.first_to <= MAX_FIRST_TO:
            return f"The wins needed are {MIN_FIRST_TO} to {MAX_FIRST_TO}."
        return ""

    @property
    def limit(self) -> int:
        """The most matches that it can have."""
        return self.matches or MAX_MATCHES

    def is_decided(self, wins: Sequence[int], played: int) -> bool:
        """True once no further match can change who wins the series, or none is left."""
        left = self.limit - played
        return (
            left <= 0
            or abs(wins[0] - wins[1]) > left
            or (self.first_to is not None and max(wins) >= self.first_to)
        )


class Series(models.Model):
    """Several matches that two players have agreed on; its first match has its two players.

    Who won follows from its finished matches. It ends once, when that is certain or when a match
    of it is cancelled or cannot be made.
    """

    matches_agreed = models.PositiveSmallIntegerField(null=True, blank=True)
    first_to = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name_plural = "series"
        constraints = (
            models.CheckConstraint(
                condition=Q(
                    matches_agreed__gte=MIN_MATCHES,
                    matches_agreed__lte=MAX_MATCHES,
                    first_to__isnull=True,
                )
                | Q(
                    first_to__gte=MIN_FIRST_TO,
                    first_to__lte=MAX_FIRST_TO,
                    matches_agreed__isnull=True,
                ),
                name="series_has_one_length",
            ),
        )

    def __str__(self) -> str:
        return f"series {self.pk}: {self.terms.words}"

    @property
    def terms(self) -> SeriesTerms:
        """The agreed length."""
        return SeriesTerms(self.matches_agreed, self.first_to)

    @property
    def first_match(self) -> Any:
        """The match that it began with."""
        return self.matches.get(series_number=1)
