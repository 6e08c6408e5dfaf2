"""How somebody wants to be told, and what they have seen: the writes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.signals import time_zone_changed
from core.errors import Refusal
from core.zones import zones
from notices.channels.registry import channel_of
from notices.kinds import TOLD_KINDS, Kind
from notices.models.notices import MAX_MINUTES, Notice, NoticeChannel, NoticeSettings, Pace
from notices.services import sending


class NotOnOffer(Refusal):
    """The notification settings have no such choice."""

    status = 400
    title = "No such choice"


class ChannelChange(TypedDict, total=False):
    """Changes to a channel; members that are left out stay as they are."""

    pace: str
    hour: int
    kinds_off: Collection[str]


def mark_seen(*, person: User, ids: Iterable[int] | None = None, link: str | None = None) -> int:
    """Somebody has looked at notices: these, those that lead to a page, or all. Gives how many.

    Whoever only opens a table may leave the question there open; it is told as before.
    """
    rows = Notice.objects.unseen().filter(person=person)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    if link is not None:
        rows = rows.filter(link=link).exclude(kind=Kind.YOUR_TURN)
    return rows.update(seen_at=timezone.now())


@transaction.atomic
def change_settings(
    *,
    person: User,
    pause: int | None = None,
    time_zone: str | None = None,
    channels: dict[str, ChannelChange] | None = None,
) -> None:
    """Change how somebody is told; what is None, or left out, stays as it is.

    Raises ``NotOnOffer``, and then nothing has changed.
    """
    prefs = sending.lock(person.pk)
    # Deadlines follow the zone, and every writer takes matches before notices.
    if time_zone is not None:
        _change_time_zone(person, time_zone)
    if pause is not None:
        if not 0 <= pause <= MAX_MINUTES:
            raise NotOnOffer(f"A question waits for 0 to {MAX_MINUTES} minutes, not {pause}.")
        NoticeSettings.objects.filter(pk=prefs.pk).update(pause_minutes=pause)
        # Questions that are open are told by the new pause, too.
        waiting = Notice.objects.open().filter(person=person, planned=False, kind=Kind.YOUR_TURN)
        waiting.update(due_at=None)
    for slug, change in (channels or {}).items():
        _change_channel(person, slug, change)
    sending.plan_anew(person, timezone.now())


def _change_time_zone(person: User, name: str) -> None:
    row = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    before = row.time_zone
    if name not in (before, "") and name not in zones():
        raise NotOnOffer(f"“{name[:40]}” is not a time zone. Use a name like Europe/Berlin.")
    if name == before:
        return
    person.time_zone = row.time_zone = name
    row.save(update_fields=["time_zone"])
    time_zone_changed.send(User, user=row, before=before)


def _change_channel(person: User, slug: str, change: ChannelChange) -> None:
    channel = channel_of(slug)
    if channel is None:
        raise NotOnOffer(f"Unknown channel “{slug[:20]}”.")
    defaults = {"pace": channel.paces[0]}
    row, _ = NoticeChannel.objects.get_or_create(person=person, channel=slug, defaults=defaults)
    if "pace" in change:
        if change["pace"] not in channel.paces:
            paces = ", ".join(channel.paces)
            raise NotOnOffer(f"{channel.name} sends {paces}, not “{change['pace'][:20]}”.")
        row.pace = change["pace"]
        row.problem = ""
    if "hour" in change:
        if not 0 <= change["hour"] <= 23:
            raise NotOnOffer(f"A day has the hours 0 to 23, not {change['hour']}.")
        row.hour = change["hour"]
    if "kinds_off" in change:
        unknown = sorted(set(change["kinds_off"]) - set(TOLD_KINDS) - set(row.kinds_off))
        if unknown:
            known_kinds = ", ".join(TOLD_KINDS)
            raise NotOnOffer(f"Unknown kind “{unknown[0][:30]}”. Use one of {known_kinds}.")
        row.kinds_off = sorted(set(change["kinds_off"]))
    row.save(update_fields=["pace", "problem", "hour", "kinds_off"])


def unsubscribe(*, person: User, channel: str) -> None:
    """Switch a channel off, by its own way out. Idempotent."""
    change_settings(person=person, channels={channel: {"pace": Pace.NEVER}})
