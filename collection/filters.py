"""The filters of gallery and API: the same names, the same meaning."""

from __future__ import annotations

from typing import Any

import django_filters  # type: ignore[import-untyped]
from django.db.models import QuerySet

from accounts.models import User
from collection.models import Card
from collection.queries import catalog as queries
from collection.queries import holdings
from collection.queries.keyset import ORDERS
from collection.queries.search import search

SORT_CHOICES = (("number", "By number"), ("name", "By name"), ("rarity", "Rarest first"))
OWNERS_SORT_CHOICES = (*SORT_CHOICES, ("newest", "Newest first"), ("most", "Most copies first"))


class CardFilter(django_filters.FilterSet):
    """Cards by game, set, kind, colour, rarity and words; in one of three orders."""

    q = django_filters.CharFilter(
        method="by_words", max_length=100, help_text="Words in title, text or slug."
    )
    game = django_filters.CharFilter(method="by_game", help_text="A game's slug.")
    set = django_filters.CharFilter(
        method="by_set", help_text="A set's slug, or game.set where games share a slug."
    )
    kind = django_filters.CharFilter(field_name="kind")
    colour = django_filters.CharFilter(field_name="colour")
    rarity = django_filters.CharFilter(field_name="rarity")
    sort = django_filters.ChoiceFilter(
        choices=SORT_CHOICES, method="in_order", empty_label=None, help_text="The order of cards."
    )

    class Meta:
        model = Card
        fields: tuple[str, ...] = ()

    def by_words(self, found: QuerySet[Card], name: str, words: str) -> QuerySet[Card]:
        return search(found, words)

    def by_game(self, found: QuerySet[Card], name: str, slug: str) -> QuerySet[Card]:
        return found.filter(game=queries.game_key(slug))

    def by_set(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        game, _, slug = value.rpartition(".")
        return found.filter(pk__in=queries.printed_in(slug, game))

    def in_order(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return ORDERS[value].line(found)


class CollectionFilter(CardFilter):
    """The same among somebody's cards, and by what they have of each."""

    have = django_filters.ChoiceFilter(
        choices=holdings.HAVE_CHOICES,
        method="by_having",
        empty_label=None,
        help_text="What the collection has of a card; owned where nothing is said.",
    )
    sort = django_filters.ChoiceFilter(
        choices=OWNERS_SORT_CHOICES,
        method="in_order",
        empty_label=None,
        help_text="The order of cards. Cards that are missing have no newest and no most.",
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def by_having(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return holdings.having(found, self.owner, value)

    def in_order(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return found  # what newest means is known when all filters have been applied
