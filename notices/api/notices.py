"""Notices in the API: what there is to know, what was seen, and how one wants to be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User
from core.operations import Rows, tagged
from core.pagination import LatestFirst
from core.serializers import Doc
from notices import queries
from notices.models.notices import Pace
from notices.services import preferences

operation = tagged("notifications")


class LatestNews(LatestFirst):
    """Latest news first."""

    ordering = "-since"


@operation("notifications_list", pagination_class=LatestNews)
def list_notices(user: User) -> Rows[queries.Notification]:
    """List your current notifications, newest first. Without answered prompts."""
    return Rows(queries.notices_of(user), lambda rows: queries.told(rows, user))


@dataclass(frozen=True, slots=True)
class Seen:
    """The notifications that were seen."""

    ids: Annotated[
        list[int] | None, Doc("IDs of notifications. Default: all.", max_length=1000)
    ] = None


@dataclass(frozen=True, slots=True)
class SeenNow:
    """The number of notifications marked as seen."""

    marked: Annotated[int, Doc("How many had not been seen before.")]
    unseen: Annotated[int, Doc("How many are left.")]


@operation("notifications_seen")
def mark_seen(user: User, body: Seen) -> SeenNow:
    """Mark notifications as seen; they are no longer sent by any channel. Idempotent."""
    marked = preferences.mark_seen(person=user, ids=body.ids)
    return SeenNow(marked, queries.bell_of(user).count)


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """Changes to a channel."""

    channel: Annotated[str, Doc(max_length=20)]
    pace: Annotated[str | None, Doc(choices=Pace.values)] = None
    hour: Annotated[int | None, Doc(min_value=0, max_value=23)] = None
    kinds_off: Annotated[
        list[Annotated[str, Doc(max_length=30)]] | None,
        Doc("The kinds that it does not tell."),
    ] = None


@dataclass(frozen=True, slots=True)
class PreferencesChange:
    """Changes to your settings; omitted members stay unchanged."""

    pause: Annotated[int | None, Doc("Minutes.", min_value=0, max_value=1440)] = None
    time_zone: Annotated[
        str | None, Doc("Such as Europe/Berlin.", max_length=40, allow_blank=True)
    ] = None
    channels: list[ChannelChange] | None = None


@operation("notifications_settings_retrieve")
def get_settings(user: User) -> queries.Preferences:
    """Your notification settings."""
    return queries.preferences_of(user)


@operation("notifications_settings_change")
def change_settings(user: User, body: PreferencesChange) -> queries.Preferences:
    """Change your notification settings. If a value is invalid, nothing changes."""
    preferences.change_settings(
        person=user,
        pause=body.pause,
        time_zone=body.time_zone,
        channels={change.channel: _change(change) for change in body.channels or ()},
    )
    return queries.preferences_of(user)


def _change(body: ChannelChange) -> preferences.ChannelChange:
    change = preferences.ChannelChange()
    if body.pace is not None:
        change["pace"] = body.pace
    if body.hour is not None:
        change["hour"] = body.hour
    if body.kinds_off is not None:
        change["kinds_off"] = body.kinds_off
    return change
