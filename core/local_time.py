"""How pages and mails say a time."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format

from core.zones import ReaderZone


def local_text(moment: datetime, layout: str) -> str:
    """A moment in the active zone, by a layout of Django's ``date``.

    The zone is named where it could be doubted: where it is UTC, and where the reader has chosen
    another than the browser's. Pages, and mails under ``timezone.override``, say every hour by
    this.
    """
    zone = timezone.get_current_timezone()
    local = timezone.localtime(moment)
    text = date_format(local, layout)
    if str(zone) == "UTC":
        return f"{text} UTC"
    if isinstance(zone, ReaderZone) and zone.differs_from_browser(moment):
        name = local.tzname() or ""
        # Many zones have no letters of their own: "+03".
        return f"{text} {name if name.isalpha() else f'UTC{name}'}"
    return text
