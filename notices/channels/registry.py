"""Channels: ways to reach somebody who is not on the page. Each is an object in one list.

A channel is given a person and the notices that are due, and sends one message for all of them. It
is asked to send by one worker at a time, never again for what was sent, and again after a pause for
what failed. What was cut off in the middle (a killed worker) is sent once more, with the same
``message_id`` where it says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from accounts.models import User
from notices.models.notices import Notice, Pace


class Unreachable(Exception):
    """The person is not reached by this way any more: the channel is switched off.

    Its text is shown on the person's page of settings.
    """


class NotSent(Exception):
    """It did not go this time and is tried again; its text says to the person why."""


class Channel(Protocol):
    """A way to reach somebody."""

    slug: str
    """The name that is stored."""
    name: str
    """The label on the settings page."""
    paces: Sequence[Pace]
    """How often it can be had, the usual one first."""
    gives_up_after: timedelta | None
    """After failing for so long it is switched off; None: never."""
    calls_out: bool
    """True if it calls servers that people name, which may be slow: it has workers of its own."""
    waits_for_visit: bool
    """True if it sends one message and then waits for the person's next visit."""

    def reaches(self, person: User) -> bool:
        """True if there is an address to send to."""

    def send(self, person: User, notices: Sequence[Notice], *, message_id: str) -> None:
        """Send one message. Raises ``Unreachable``; any other exception, such as ``NotSent``,
        is a failure for now."""


_channels: dict[str, Channel] = {}


def register(channel: Channel) -> None:
    """Have a channel from now on; to be called when an app is loaded."""
    assert _channels.setdefault(channel.slug, channel) is channel, channel.slug


def channels() -> list[Channel]:
    """All channels, in the order in which they are shown."""
    return list(_channels.values())


def channel_of(slug: str) -> Channel | None:
    """The channel that is stored as this."""
    return _channels.get(slug)
