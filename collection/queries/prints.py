"""Reading prints, and cards to choose for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from collection.errors import NotFound
from collection.models import Backs, Card, JobState, Paper, PrintJob
from collection.queries import catalog
from collection.services.prints import MAX_CARDS
from core.serializers import Doc, component, from_row

PICKS = 12
SHOWN = 30


def prints_of(user: User) -> QuerySet[PrintJob]:
    """A person's prints, latest first."""
    return PrintJob.objects.filter(owner=user)


def print_of(user: User, slug: str) -> PrintJob:
    """One of the person's own prints; raises ``NotFound``."""
    job = prints_of(user).filter(slug=slug).first()
    if job is None:
        raise NotFound("Print not found.")
    return job


@dataclass(frozen=True, slots=True)
class PrintCard:
    """Copies of a card to be printed."""

    game: Annotated[str, Doc(max_length=50)]
    card: Annotated[str, Doc("The card’s slug.", max_length=80)]
    count: Annotated[int, Doc(min_value=1, max_value=MAX_CARDS)] = 1


@component("Print")
@dataclass(frozen=True, slots=True)
class PrintShown:
    """A print and how far it is."""

    slug: str
    title: str
    state: Annotated[str, Doc(choices=JobState.choices)]
    done: int
    total: Annotated[int, Doc("Pages, counting both sides.")]
    problem: str
    paper: Annotated[str, Doc(choices=Paper.choices)]
    backs: Annotated[str, Doc(choices=Backs.choices)]
    marks: Annotated[bool, Doc("Cut marks in the margins.")]
    gap: Annotated[int, Doc("Millimetres between cards.")]
    cards: list[PrintCard]
    file: Annotated[str | None, Doc("Address of the PDF once it is done.")]
    created_at: datetime
    finished_at: datetime | None


def prints_shown(jobs: Iterable[PrintJob]) -> list[PrintShown]:
    """Prints as the API tells them."""
    return [print_shown(job) for job in jobs]


def print_shown(job: PrintJob) -> PrintShown:
    """One of them."""
    return from_row(
        PrintShown,
        job,
        cards=[PrintCard(game, card, count) for game, card, count in job.cards],
        file=reverse("api-print-file", args=[job.slug]) if has_file(job) else None,
    )


def has_file(job: PrintJob) -> bool:
    """True if its PDF is ready."""
    return job.state == JobState.DONE and bool(job.file)


def picks(words: str, game: str, without: Iterable[int]) -> list[Card]:
    """Cards that have the words, of one game or of all."""
    cards = catalog.cards().exclude(pk__in=list(without))
    if game:
        cards = cards.filter(game__slug=game)
    if words:
        cards = catalog.search(cards, words)
    return list(cards[:PICKS])


def chosen(counts: dict[int, int]) -> list[tuple[Card, int]]:
    """Chosen cards in catalog order, with the copies of each."""
    cards = Card.objects.filter(pk__in=list(counts)).select_related("game")
    return [(card, counts[card.pk]) for card in cards.order_by("game__sort_number", "sort_number")]


def keys(named: Sequence[tuple[str, str, int]]) -> tuple[dict[int, int], list[str]]:
    """Copies by card key, and the names (``game/slug``) that no card has."""
    slugs = {slug for _, slug, _ in named}
    cards = Card.objects.filter(slug__in=slugs).values_list("game__slug", "slug", "pk")
    known = {(game, slug): pk for game, slug, pk in cards}
    counts: dict[int, int] = {}
    unknown = []
    for game, slug, count in named:
        if (game, slug) in known:
            key = known[game, slug]
            counts[key] = counts.get(key, 0) + count
        else:
            unknown.append(f"{game}/{slug}")
    return counts, unknown
