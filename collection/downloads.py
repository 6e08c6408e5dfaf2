"""Files that are written while they are sent; pages and the API give the same ones."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from accounts.models import User
from collection.lists.writing import CSV_TYPE, MEDIA_TYPES, write
from collection.queries import exports
from core.downloads import DownloadResponse


def attachment(filename: str) -> dict[str, str]:
    """The headers of a file that is its reader's alone; the name is made of slugs and dates."""
    return {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
    }


def exported(
    request: HttpRequest | Request, owner: User, form: str, which: str, game: str
) -> DownloadResponse:
    """Somebody's cards as a file, never held whole."""
    kept = exports.kept_columns(owner, which, game, form)
    text = write(form, exports.cards(owner, which, game), kept)
    media_type, ending = MEDIA_TYPES.get(form, CSV_TYPE)
    parts = ["cards", game, "" if which == "all" else which, f"{timezone.now():%Y-%m-%d}"]
    name = "-".join(part for part in parts if part)
    headers = attachment(f"{name}.{ending}")
    return DownloadResponse(request, text, f"{media_type}; charset=utf-8", headers)
