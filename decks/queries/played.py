"""How often public decks play a card, and what they play beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Sum

from collection.models import Card
from decks.models import Deck, DeckEntry, Visibility

SAMPLE = 1000
"""So many of a game's public decks are looked at: the latest."""
DECKS, CARDS = 6, 8
"""So many decks, and cards beside it, are named."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A card, and in how many of the decks with the other one it is."""

    card: Card
    decks: int
    percent: int


@dataclass(frozen=True, slots=True)
class Played:
    """A card among the latest public decks of its game; ``copies`` is their average in a deck."""

    of: int
    decks: int
    copies: float
    named: Sequence[Deck]
    beside: Sequence[Beside]

    @property
    def percent(self) -> int:
        """Whole percents of the decks, 1 at least where any plays it."""
        return _percent(self.decks, self.of)


def _percent(part: int, whole: int) -> int:
    return max(1, round(100 * part / whole)) if part and whole else 0


def played(card: Card) -> Played:
    """Read how a card is played; five queries at most, however many decks there are."""
    public = Deck.objects.filter(visibility=Visibility.PUBLIC, game=card.game.slug)
    sample = list(public.order_by("-changed", "-pk").values_list("pk", flat=True)[:SAMPLE])
    entries = DeckEntry.objects.filter(deck__in=sample, card=card).order_by()
    copies = dict(entries.values_list("deck").annotate(Sum("count")))
    if not copies:
        return Played(len(sample), 0, 0, (), ())
    named = Deck.objects.filter(pk__in=list(copies)).select_related("owner")
    others = DeckEntry.objects.filter(deck__in=list(copies), card__retired=False)
    counted = dict(
        others.exclude(card=card)
        .order_by()
        .values_list("card")
        .annotate(decks=Count("deck", distinct=True))
        .order_by("-decks", "card")[:CARDS]
    )
    cards = Card.objects.select_related("game").in_bulk(list(counted))
    return Played(
        of=len(sample),
        decks=len(copies),
        copies=sum(copies.values()) / len(copies),
        named=list(named.order_by("-like_count", "-changed")[:DECKS]),
        beside=[
            Beside(cards[key], number, _percent(number, len(copies)))
            for key, number in counted.items()
        ],
    )
