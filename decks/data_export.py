"""Sections that decks add to a person's data export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F

from accounts.data_export import in_pages, section, values_in_pages
from accounts.models import User
from decks.models import Deck, DeckComment, LabRun

DECKS_AT_ONCE = 20


@section("decks")
def decks(user: User) -> Iterator[dict[str, Any]]:
    """Decks with their lists."""
    fields = ("slug", "game", "mode", "name", "visibility", "notes", "tags", "maybe", "created")
    rows = Deck.objects.filter(owner=user).prefetch_related("entries__card")
    for deck in in_pages(rows, DECKS_AT_ONCE):
        cards: dict[str, dict[str, int]] = {}
        for entry in deck.entries.all():
            cards.setdefault(entry.section, {})[entry.card.slug] = entry.count
        yield {name: getattr(deck, name) for name in fields} | {"cards": cards}


@section("deck_comments")
def deck_comments(user: User) -> Iterator[dict[str, Any]]:
    """A person's comments on decks, their own and others'."""
    rows = DeckComment.objects.filter(author=user)
    yield from values_in_pages(rows, "text", "at", slug=F("deck__slug"))


@section("deck_lab")
def deck_lab(user: User) -> Iterator[dict[str, Any]]:
    """A person's runs of the deck lab."""
    rows = LabRun.objects.filter(owner=user)
    fields = ("slug", "state", "player", "pairs", "versions", "field", "results", "created_at")
    for run in values_in_pages(rows, *fields, deck_slug=F("deck__slug")):
        field = [{"name": row["name"], "cards": row["cards"]} for row in run["field"]]
        yield run | {"field": field}
