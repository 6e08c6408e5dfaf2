"""Every write begins here: the tournament's row keeps all other writers out until it is stored.

Deck lists are locked here, too, once their players know the verdicts.
"""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from collection.errors import TooLate
from core.errors import NotAllowed
from decks.services import checks
from notices.kinds import Kind
from notices.services.notices import notify
from tournaments.errors import NotNow, NotPossible
from tournaments.models import REASON_LENGTH, Entry, EntryState, Tournament
from tournaments.queries.access import organises


def lock(tournament_id: int) -> Tournament:
    """The tournament as it is now, locked for this transaction.

    Whoever writes takes this lock before any other, so no two writers wait for each other.
    """
    # In one statement PostgreSQL would read the rows joined to it as they were before the wait.
    Tournament.objects.select_for_update(no_key=True).values_list("pk").get(pk=tournament_id)
    rows = Tournament.objects.select_related("organiser", "deck_check", "limited")
    return rows.get(pk=tournament_id)


def lock_as_organiser(tournament: Tournament, by: User) -> Tournament:
    """Lock it for its organiser or a helper; raises ``NotAllowed``."""
    locked = lock(tournament.pk)
    if not organises(locked, by):
        raise NotAllowed("Only organisers can do this.")
    return locked


def checked_reason(reason: str) -> str:
    """A reason in one line; raises ``NotPossible``."""
    tidy = " ".join(reason.split())
    if not tidy or len(tidy) > REASON_LENGTH or not tidy.isprintable():
        raise NotPossible(f"Give a reason of 1 to {REASON_LENGTH} characters. It is public.")
    return tidy


def lock_known_lists(locked: Tournament) -> None:
    """Lock the deck lists of a locked tournament. Again changes nothing.

    Raises ``NotNow`` while a list is not checked by the version of the format that it would be
    locked with: a player hears the verdict first. Before the start those whose list is not legal
    are told until when it can be corrected.
    """
    check = locked.deck_check
    if check is not None and check.locked_at is None and check.decks.exists():
        try:
            locked.deck_check = checks.lock_check(
                check=check, by=locked.organiser, as_shown=True, at_start=True
            )
        except TooLate as refusal:
            raise NotNow(refusal.detail) from refusal
    if locked.locked_at is not None:
        return
    locked.locked_at = timezone.now()
    locked.save(update_fields=["locked_at"])
    if locked.starts_at > locked.locked_at:
        notify(
            without_legal_list(locked),
            Kind.TOURNAMENT,
            text=(
                f"Your list for {locked.title} is not legal. A judge can correct it until the "
                "start; otherwise you are not admitted."
            )[:300],
            link=locked.get_absolute_url(),
            key=f"{locked.slug}:list",
            deadline=locked.starts_at,
        )


def without_legal_list(tournament: Tournament) -> list[int]:
    """The people who would not be admitted as they have no list that is legal."""
    if tournament.deck_check is None:
        return []
    rows = Entry.objects.filter(
        tournament=tournament,
        state__in=(EntryState.ENTERED, EntryState.WAITING),
        user__is_active=True,
    )
    lacking = rows.filter(Q(deck=None) | Q(deck__legal=False))
    return list(lacking.order_by("number").values_list("user", flat=True))
