"""Friend requests: sent, accepted, declined, ended."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.errors import Blocked, MembersOnly, NoFriendRequest
from accounts.models import BlockKind, Friendship, User
from accounts.queries.blocks import blocked_between
from accounts.queries.friends import between
from accounts.queries.people import person
from accounts.signals import friend_accepted, friend_requested, friendship_ended


@transaction.atomic
def request_friend(*, sender: User, username: str) -> Friendship:
    """Send a friend request, or accept the one that the other has sent.

    Asking twice changes nothing. Raises ``UnknownPerson``, ``MembersOnly``, ``Blocked``, and
    ``NoFriendRequest`` for oneself.
    """
    if sender.is_guest:
        raise MembersOnly("Friends need an account. Sign up: everything you have here stays yours.")
    other = person(username)
    if other.pk == sender.pk:
        raise NoFriendRequest("You can't add yourself.")
    if blocked_between(sender, other, BlockKind.ALL):
        raise Blocked("You can't add this person.")
    row = between(sender, other)
    if row is None:
        try:
            with transaction.atomic():
                row = Friendship.objects.create(sender=sender, recipient=other)
                friend_requested.send(sender=Friendship, friendship=row)
                return row
        except IntegrityError:  # the other one asked in the same moment
            row = between(sender, other)
    assert row is not None
    if row.recipient_id == sender.pk:
        _accept(row)
    return row


@transaction.atomic
def accept_friend(*, user: User, username: str) -> None:
    """Accept a friend request. Raises ``NoFriendRequest``."""
    sender = person(username)
    row = Friendship.objects.select_for_update().filter(sender=sender, recipient=user).first()
    if row is None:
        raise NoFriendRequest(f"{sender} does not ask to be friends (any more).")
    _accept(row)


def _accept(row: Friendship) -> None:
    if row.accepted_at is None:
        row.accepted_at = timezone.now()
        row.save(update_fields=["accepted_at"])
        friend_accepted.send(sender=Friendship, friendship=row)


@transaction.atomic
def end_friendship(*, user: User, username: str) -> bool:
    """End a friendship, decline a question or take one back. False when there was nothing."""
    other = person(username)
    row = between(user, other)
    if row is None:
        return False
    row.delete()
    friendship_ended.send(sender=Friendship, people=(user, other))
    return True
