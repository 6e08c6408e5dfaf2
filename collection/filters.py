"""The filters of gallery and API: the same names, the same meaning."""

from __future__ import annotations

from typing import Any

import django_filters  # type: ignore[import-untyped]
from django.db.models import QuerySet

from collection.models import Card
from collection.queries import catalog as queries

SORT_CHOICES = (("number", "By number"), ("name", "By name"), ("rarity", "Rarest first"))


class CardFilter(django_filters.FilterSet):
    """Cards by game, set, kind, colour, rarity and words; in one of three orders."""

    q = django_filters.CharFilter(
        method="by_words", max_length=100, help_text="Words in title, text or slug."
    )
    game = django_filters.CharFilter(field_name="game__slug", help_text="A game's slug.")
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
        return queries.search(found, words)

    def by_set(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        game, _, slug = value.rpartition(".")
        where: dict[str, Any] = {"card_set__slug": slug}
        if game:
            where["card_set__game__slug"] = game
        return found.filter(pk__in=queries.printed_in(**where))

    def in_order(self, found: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return found.order_by(*queries.SORTS[value])
