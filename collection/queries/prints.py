"""Reading prints, and cards to choose for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from accounts.models import User
from collection.errors import NotFound
from collection.models import Card, PrintJob
from collection.queries import catalog

PICKS = 12
SHOWN = 30


def prints_of(user: User) -> QuerySet[PrintJob]:
    """A person's prints, latest first."""
    return PrintJob.objects.filter(owner=user)


def print_of(user: User, slug: str) -> PrintJob:
    """One of the person's own prints; raises ``NotFound``."""
    found = prints_of(user).filter(slug=slug).first()
    if found is None:
        raise NotFound("There is no print of yours at this address.")
    return found


def picks(words: str, game: str, without: Iterable[int]) -> list[Card]:
    """Cards that have the words, of one game or of all."""
    found = catalog.cards().exclude(pk__in=list(without))
    if game:
        found = found.filter(game__slug=game)
    if words:
        found = catalog.search(found, words)
    return list(found[:PICKS])


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
