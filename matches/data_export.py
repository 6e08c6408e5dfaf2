"""The sections of matches in a person's data export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch

from accounts.data_export import in_pages, section, values_in_pages
from accounts.models import User
from matches.models import (
    ChatLine,
    Hint,
    LookBack,
    Match,
    MoveRow,
    RatingChange,
    Seat,
    StandingOrder,
)
from matches.models.talk import Note
from matches.moves import moves_of_each
from matches.queries.access import seat_of
from matches.queries.seats import seat_names
from matches.queries.tables import matches_of

BATCH_SIZE = 10
"""A match may have a thousand moves."""


@section("matches")
def matches(user: User) -> Iterator[dict[str, Any]]:
    """Matches with one's own seat, list and moves; what others hold is not in them."""
    people = ("user", "invited", "resigned_by")
    seats = Seat.objects.select_related(*people).order_by("number")  # with their lists
    own_matches = (
        matches_of(user)
        .prefetch_related(None)
        .select_related("archive")
        .prefetch_related(Prefetch("seats", seats))
    )
    read = in_pages(own_matches, BATCH_SIZE)
    while batch := list(islice(read, BATCH_SIZE)):
        moves = moves_of_each(batch)
        yield from (_match(user, match, moves[match.pk]) for match in batch)


def _match(user: User, match: Match, moves: Sequence[MoveRow]) -> dict[str, Any]:
    mine = seat_of(match, user)
    seat = next((row for row in match.seats.all() if row.number == mine), None)
    return {
        "match": match.slug,
        "game": match.game,
        "mode": match.mode,
        "status": match.status,
        "private": match.private,
        "created_at": match.created_at,
        "finished_at": match.finished_at,
        "seats": seat_names(match),
        "seat": mine,
        "rank": None if seat is None else seat.rank,
        "deck_name": "" if seat is None else seat.deck_name,
        "deck": None if seat is None else seat.deck,
        "client_seed": "" if seat is None else seat.client_seed,
        "moves": [
            {"at": move.at, "notation": move.notation, "by_standing_order": move.by_order}
            for move in moves
            if mine is not None and move.seat == mine
        ],
    }


@section("standing_orders")
def standing_orders(user: User) -> Iterator[dict[str, Any]]:
    """The person's standing orders in running matches."""
    seats = Seat.objects.filter(match=OuterRef("match"), number=OuterRef("seat"), user=user)
    rows = StandingOrder.objects.filter(Exists(seats))
    fields = ("kind", "words", "answered", "at")
    yield from values_in_pages(rows, *fields, slug=F("match__slug"))


@section("ratings")
def ratings(user: User) -> Iterator[dict[str, Any]]:
    """The changes of the person's ratings, by match."""
    rows = RatingChange.objects.filter(rating__user=user)
    fields = ("at", "mu_before", "sigma_before", "mu", "sigma")
    ladder = {name: F(f"rating__ladder__{name}") for name in ("game", "mode", "speed")}
    yield from values_in_pages(rows, *fields, slug=F("match__slug"), **ladder)


@section("chat")
def chat(user: User) -> Iterator[dict[str, Any]]:
    """The person's chat messages."""
    rows = ChatLine.objects.filter(author=user)
    yield from values_in_pages(rows, "room", "text", "ply", "at", slug=F("match__slug"))


@section("notes")
def notes(user: User) -> Iterator[dict[str, Any]]:
    """The person's private notes."""
    rows = Note.objects.filter(author=user)
    yield from values_in_pages(rows, "ply", "text", "at", slug=F("match__slug"))


@section("hints")
def hints(user: User) -> Iterator[dict[str, Any]]:
    """The hints that the person asked for."""
    rows = Hint.objects.filter(user=user)
    yield from values_in_pages(rows, "prompt", "advice", "asked_at", slug=F("match__slug"))


@section("look_backs")
def look_backs(user: User) -> Iterator[dict[str, Any]]:
    """Look backs at the person's decisions in finished matches."""
    rows = LookBack.objects.filter(user=user)
    fields = ("seat", "engine", "state", "shared", "points", "asked_at")
    yield from values_in_pages(rows, *fields, slug=F("match__slug"))
