"""Refusals of tournaments: a sentence, and the HTTP status that says the same."""

from __future__ import annotations

from core.errors import Refusal


class TournamentError(Refusal):
    """Something asked of a tournament that is refused; nothing was changed."""


class UnknownTournament(TournamentError):
    """Unknown tournament, round, table or player."""

    status = 404
    title = "Tournament not found"


class NotPossible(TournamentError):
    """A tournament cannot be like this; the sentence says what can be done."""

    status = 422
    title = "Not possible"


class NotNow(TournamentError):
    """It would have been right at another moment of the tournament."""

    status = 409
    title = "Not now"
