"""Sections that tournaments add to a person's data export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F

from accounts.data_export import section, values_in_pages
from accounts.models import User
from tournaments.models import Challenge, Entry, Message, RankChange, Ruling, Tournament


@section("tournaments")
def tournaments(user: User) -> Iterator[dict[str, Any]]:
    """Tournaments that somebody has announced."""
    fields = (
        "slug", "title", "about", "game", "mode", "options", "structure", "state", "starts_at",
        "created_at",
    )  # fmt: skip
    yield from values_in_pages(Tournament.objects.filter(organiser=user), *fields)


@section("tournament_entries")
def tournament_entries(user: User) -> Iterator[dict[str, Any]]:
    """Tournaments that somebody has entered, and where they came."""
    fields = ("number", "state", "why", "rank", "standing", "entered_at")
    rows = Entry.objects.filter(user=user)
    yield from values_in_pages(
        rows, *fields, tournament_slug=F("tournament__slug"), deck_name=F("deck__name")
    )


@section("tournament_challenges")
def tournament_challenges(user: User) -> Iterator[dict[str, Any]]:
    """Challenges on ladders that somebody has made."""
    fields = ("number", "challenger_rank", "challenged_rank", "state", "made_at", "ended_at")
    rows = Challenge.objects.filter(challenger__user=user)
    yield from values_in_pages(rows, *fields, tournament_slug=F("tournament__slug"))


@section("tournament_ranks")
def tournament_ranks(user: User) -> Iterator[dict[str, Any]]:
    """The places on ladders that somebody has had."""
    rows = RankChange.objects.filter(entry__user=user)
    yield from values_in_pages(rows, "before", "after", "at", tournament_slug=F("tournament__slug"))


@section("tournament_words")
def tournament_words(user: User) -> Iterator[dict[str, Any]]:
    """A person's rulings and messages as an organiser."""
    slug = F("tournament__slug")
    rulings = Ruling.objects.filter(by=user)
    yield from values_in_pages(rulings, "kind", "reason", "at", tournament_slug=slug)
    yield from values_in_pages(Message.objects.filter(by=user), "text", "at", tournament_slug=slug)
