"""The filters of gallery and API: the same names, the same meaning.

Several kinds, colours or rarities are one or another of them; several things that somebody has of a
card are all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import django_filters  # type: ignore[import-untyped]
from django import forms
from django.core.exceptions import ValidationError
from django.db import connections
from django.db.models import F, QuerySet, Sum, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Concat
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field

from accounts.models import User
from collection.copies import CONDITIONS, FINISHES, LANGUAGES, MAX_LENGTHS
from collection.models import Card, Facet
from collection.queries import catalog as queries
from collection.queries import holdings
from collection.queries.keyset import ORDERS
from collection.queries.search import FEW, search

SORT_CHOICES = (("number", "By number"), ("name", "By name"), ("rarity", "Rarest first"))
OWNERS_SORT_CHOICES = (*SORT_CHOICES, ("newest", "Newest first"), ("most", "Most copies first"))


MAX_VALUES = 50


class SeveralField(forms.CharField):
    """Words that are given once or several times."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        """Each of them once, in the order in which they came."""
        values = [value] if isinstance(value, str) else value or []
        if len(values) > MAX_VALUES:
            raise ValidationError(f"Choose up to {MAX_VALUES} values.")
        return list(
            dict.fromkeys(
                word for entry in values if (word := super(SeveralField, self).clean(entry))
            )
        )


class SeveralChoicesField(forms.MultipleChoiceField):
    """A field that takes one known word or several."""

    def to_python(self, value: Any) -> list[str]:
        """One alone stands for a list of it, an empty one for none; each counts once."""
        values = [value] if isinstance(value, str) else value or []
        return super().to_python(list(dict.fromkeys(entry for entry in values if entry)))


@extend_schema_field(
    {
        "type": "array",
        "items": {"type": "string"},
        "maxItems": MAX_VALUES,
        "description": "Repeatable; matches any.",
    }
)
class AnyOf(django_filters.Filter):
    """Rows with one of several values in a column."""

    field_class = SeveralField

    def filter(self, cards: QuerySet[Card], values: Sequence[str]) -> QuerySet[Card]:
        """All rows where no value is given."""
        if not values:
            return cards
        column: Combinable = F(self.field_name)
        if self.parent.leaves_many:
            # SQLite uses no index for what is put together: it walks along the order instead.
            column = Concat(column, Value(""))
        return cards.alias(**{f"said_{self.field_name}": column}).filter(
            **{f"said_{self.field_name}__in": values}
        )


@extend_schema_field(
    {
        "type": "array",
        "items": {"type": "string", "enum": [value for value, _ in holdings.HAVE_CHOICES]},
        "description": "Filter by holding. Repeatable; matches all. Default: owned.",
    }
)
class AllOf(django_filters.Filter):
    """Rows of which several known words are true at once."""

    field_class = SeveralChoicesField


class CardFilter(django_filters.FilterSet):
    """Cards by game, set, kind, colour, rarity and words; in one of three orders."""

    q = django_filters.CharFilter(
        method="by_words", max_length=100, help_text="Words in title, text or slug."
    )
    game = django_filters.CharFilter(method="by_game", help_text="A game’s slug.")
    set = django_filters.CharFilter(
        method="by_set", help_text="A set’s slug, or game.set where games share a slug."
    )
    kind = AnyOf(field_name="kind", max_length=40)
    colour = AnyOf(field_name="colour", max_length=40)
    rarity = AnyOf(field_name="rarity", max_length=20)
    sort = django_filters.ChoiceFilter(
        choices=SORT_CHOICES, method="in_order", empty_label=None, help_text="Sort order."
    )

    class Meta:
        model = Card
        fields: tuple[str, ...] = ()

    @cached_property
    def leaves_many(self) -> bool:
        """True if SQLite would sort many cards, as it has no index in this order."""
        query = self.form.cleaned_data
        alike = {
            f"{name}__in": query[name] for name in ("kind", "colour", "rarity") if query.get(name)
        }
        if (
            query.get("sort") not in ("name", "rarity")
            or all(len(values) < 2 for values in alike.values())
            or connections[self.queryset.db].vendor != "sqlite"
        ):
            return False
        number = Facet.objects.filter(**alike).aggregate(number=Sum("card_count", default=0))
        return bool(number["number"] > FEW)

    def by_words(self, cards: QuerySet[Card], name: str, words: str) -> QuerySet[Card]:
        return search(cards, words)

    def by_game(self, cards: QuerySet[Card], name: str, slug: str) -> QuerySet[Card]:
        return cards.filter(game=queries.game_key(slug))

    def by_set(self, cards: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        game, _, slug = value.rpartition(".")
        return cards.filter(pk__in=queries.printed_in(slug, game))

    def in_order(self, cards: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return ORDERS[value].line(cards)


def of_copies(words: Mapping[str, str], more: str = "") -> django_filters.Filter:
    """A filter on copies: one of several known words."""

    @extend_schema_field(
        {
            "type": "array",
            "items": {"type": "string", "enum": list(words)},
            "description": f"Filter by copies. Repeatable; matches any.{more}",
        }
    )
    class OneOf(django_filters.Filter):
        field_class = SeveralChoicesField

    return OneOf(choices=list(words.items()), method="by_copies")


class ShownCollectionFilter(CardFilter):
    """Filters for a person's cards, by the holding of each and the details of its copies.

    What is asked of copies has to be true of the same ones.
    """

    condition = of_copies(CONDITIONS)
    language = of_copies(LANGUAGES)
    finish = of_copies(FINISHES, " “foil” means any finish but etched.")
    have = AllOf(choices=holdings.HAVE_CHOICES, method="by_having")
    sort = django_filters.ChoiceFilter(
        choices=OWNERS_SORT_CHOICES,
        method="in_order",
        empty_label=None,
        help_text="Sort order. “newest” and “most” need owned cards.",
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def by_having(self, cards: QuerySet[Card], name: str, values: list[str]) -> QuerySet[Card]:
        return holdings.having(cards, self.owner, values)

    def by_copies(self, cards: QuerySet[Card], name: str, value: Any) -> QuerySet[Card]:
        self.asked[name] = value
        return cards

    def filter_queryset(self, queryset: QuerySet[Card]) -> QuerySet[Card]:
        """The cards that are left; what is asked of copies is asked together."""
        self.asked: dict[str, Any] = {}
        cards = super().filter_queryset(queryset)
        filters = {name: value for name, value in self.asked.items() if value}
        return holdings.with_copies(cards, self.owner, **filters) if filters else cards

    def in_order(self, cards: QuerySet[Card], name: str, value: str) -> QuerySet[Card]:
        return cards  # what newest means is known when all filters have been applied


class CollectionFilter(ShownCollectionFilter):
    """Filters for one's own cards: by binders as well, which nobody else sees."""

    binder = django_filters.CharFilter(
        method="by_copies", max_length=MAX_LENGTHS["binder"], help_text="The name of a binder."
    )
