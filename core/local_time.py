"""How pages and mails say a time."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format


def local_text(moment: datetime, layout: str) -> str:
    """A moment in the active zone, by a layout of Django's ``date``; with “UTC” where it is that.

    Pages, and mails under ``timezone.override``, say every hour by this.
    """
    text = date_format(timezone.localtime(moment), layout)
    return f"{text} UTC" if str(timezone.get_current_timezone()) == "UTC" else text
