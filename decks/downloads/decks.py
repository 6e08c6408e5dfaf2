"""Decks as files; pages and the API give the same ones."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from collection.downloads import attachment
from decks.models import Deck
from decks.queries.lists import exported
from decks.services.pictures import ask_for_sheet


def as_download(request: HttpRequest, deck: Deck, form: str) -> HttpResponse:
    """A deck that this person may see, as a file. The pictures that it needs are drawn now."""
    file = exported(deck, form, request.user, request.build_absolute_uri)
    for sheet in file.sheets:
        ask_for_sheet(sheet)
    return HttpResponse(
        file.text,
        content_type=f"{file.media_type}; charset=utf-8",
        headers=attachment(file.filename),
    )
