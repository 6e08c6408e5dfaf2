"""Sections that tournaments add to a person's data export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F

from accounts.data_export import section, values_in_pages
from accounts.models import User
from tournaments.models import Challenge, Entry, Message, RankChange, Ruling, Tournament
from tournaments.models.limited import DraftPick, LimitedSeat


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


@section("tournament_pools")
def tournament_pools(user: User) -> Iterator[dict[str, Any]]:
    """A person's pools of sealed and draft tournaments, with the seed that they added."""
    rows = LimitedSeat.objects.filter(entry__user=user)
    yield from values_in_pages(
        rows, "client_seed",
        tournament_slug=F("limited__tournament__slug"), cards=F("pool__cards"),
    )  # fmt: skip


@section("tournament_picks")
def tournament_picks(user: User) -> Iterator[dict[str, Any]]:
    """The cards that somebody took in drafts, and those that a bot took in their place."""
    rows = DraftPick.objects.filter(seat__entry__user=user)
    yield from values_in_pages(
        rows, "round_number", "number", "card", "by_bot", "at",
        tournament_slug=F("seat__limited__tournament__slug"),
    )  # fmt: skip


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
