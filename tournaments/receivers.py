"""Reactions of tournaments to events of other apps."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts import account_deletion
from accounts.models import User
from accounts.signals import account_closing
from core import outbox
from matches.queries import decks_of_match, lookback
from tournaments import data_export  # noqa: F401  (adds its section)
from tournaments.queries.pages import is_in_open_round, keeps_decks_secret
from tournaments.services import entries, rounds

outbox.subscribe("tournaments", rounds.read_match)
lookback.hold_back_while(is_in_open_round)
decks_of_match.keep_secret_while(keeps_decks_secret)
# Others played against whoever leaves, and in what they announced.
account_deletion.retain(
    "tournaments.Entry.user", "tournaments.Tournament.organiser", "tournaments.Ruling.by"
)


@receiver(account_closing, dispatch_uid="tournaments.leave_all")
def leave_tournaments(sender: Any, *, user: User, **_: Any) -> None:
    """Whoever deletes an account leaves nobody waiting for them."""
    entries.leave_all(user=user)
