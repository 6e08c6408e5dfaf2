"""Friends notify each other; notifications follow a guest who logs in and a session that ends."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver
from django.urls import reverse

from accounts.models import Friendship, User
from accounts.signals import (
    account_closing,
    friend_accepted,
    friend_requested,
    friendship_ended,
    guest_emptied,
    guest_merged,
    logged_out_everywhere,
    session_ended,
)
from notices.kinds import Kind
from notices.services import browsers, merging, retention
from notices.services.notices import notify, retract


@receiver(friend_requested)
def tell_of_request(friendship: Friendship, **_: Any) -> None:
    """The recipient learns who asks; the page it leads to has the button."""
    _tell_of_friend(
        friendship.recipient, friendship.sender, f"{friendship.sender} sent you a friend request."
    )


@receiver(friend_accepted)
def tell_of_acceptance(friendship: Friendship, **_: Any) -> None:
    """The sender learns of the answer, and the recipient has nothing left to answer."""
    sender, recipient = friendship.sender, friendship.recipient
    retract(Kind.FRIEND, key=_friend_key(sender), people=[recipient.pk])
    _tell_of_friend(sender, recipient, f"{recipient} accepted your friend request.")


@receiver(friendship_ended)
def forget_friend(people: tuple[User, User], **_: Any) -> None:
    """Withdrawn, declined or ended: what told of it goes, and nothing tells of the end."""
    for person, other in (people, people[::-1]):
        retract(Kind.FRIEND, key=_friend_key(other), people=[person.pk])


@receiver(account_closing)
def forget_requests(user: User, **_: Any) -> None:
    """A deleted account's request cannot be answered."""
    retract(Kind.FRIEND, key=_friend_key(user))


def _friend_key(friend: User) -> str:
    return f"friend-{friend.pk}"


def _tell_of_friend(person: User, friend: User, text: str) -> None:
    link = reverse("accounts:friends")
    notify([person.pk], Kind.FRIEND, text=text, link=link, key=_friend_key(friend))


@receiver(guest_merged)
def hand_over_channels(guest: User, user: User, **_: Any) -> None:
    """The account that a guest logs in to is reached where the guest was."""
    merging.merge_guest(guest=guest, user=user)


@receiver(guest_emptied)
def hand_over_notices(guest: User, user: User, **_: Any) -> None:
    """After the guest's tables and trades have moved: moving them writes notifications, too."""
    retention.hand_over(guest=guest, user=user)


@receiver(session_ended)
def forget_its_browser(session: SessionBase, **_: Any) -> None:
    """A browser gets no push messages for somebody who is logged out there."""
    browsers.remove_browser_of(session)


@receiver(logged_out_everywhere)
def forget_other_browsers(user: User, kept: SessionBase | None, **_: Any) -> None:
    """Only the browser whose session stays keeps getting push messages."""
    browsers.remove_all_but_of(kept, user=user)
