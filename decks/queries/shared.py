"""The decks that people show to everybody: found by words, game, mode and tag, in pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from decks import tags
from decks.models import Deck, DeckEntry, Visibility
from decks.queries.decks import DeckPage, pages, with_entries

A_PAGE = 24
MOST_WORDS = 8
SORTS: Mapping[str, str] = {"newest": "changed", "likes": "like_count"}

_MARK = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody looks for; "" is anything."""

    words: str = ""
    game: str = ""
    mode: str = ""
    tag: str = ""
    sort: str = "newest"


@dataclass(frozen=True, slots=True)
class Shared:
    """Some decks in order, and the mark after which there are more ("": no more)."""

    pages: list[DeckPage]
    after: str = ""


def shared_decks(wish: Wish) -> QuerySet[Deck]:
    """Public decks that fit a wish. Each word is in the name, a tag, the owner's name or a card."""
    found = Deck.objects.filter(visibility=Visibility.PUBLIC)
    if wish.game:
        found = found.filter(game=wish.game)
    if wish.mode:
        found = found.filter(mode=wish.mode)
    if wish.tag:
        found = found.filter(tags__contains=tags.asked(wish.tag))
    for word in wish.words.replace("\0", " ").split()[:MOST_WORDS]:
        cards = DeckEntry.objects.filter(deck=OuterRef("pk"), card__title__icontains=word)
        found = found.filter(
            Q(name__icontains=word)
            | Q(tags__icontains=word)
            | Q(owner__display_name__icontains=word)
            | Q(owner__display_name="", owner__username__icontains=word)
            | Exists(cards)
        )
    return found


def shared_page(wish: Wish, after: str = "", size: int = A_PAGE, but: int | None = None) -> Shared:
    """A page of them after a mark, ``but`` those of one owner; always in as many queries.

    A mark that cannot be read is none.
    """
    column = SORTS.get(wish.sort, "changed")
    found = shared_decks(wish).order_by(f"-{column}", "-pk")
    if but is not None:
        found = found.exclude(owner=but)
    beyond = _beyond(column, after)
    if beyond is not None:
        found = found.filter(beyond)
    decks = list(with_entries(found)[: size + 1])
    more, decks = len(decks) > size, decks[:size]
    return Shared(pages(decks), _mark(column, decks[-1]) if more else "")


def _mark(column: str, deck: Deck) -> str:
    value = getattr(deck, column)
    if isinstance(value, datetime):
        value = (value - _EPOCH) // _TICK
    return f"{value}.{deck.pk}"


def _beyond(column: str, mark: str) -> Q | None:
    read = _MARK.fullmatch(mark)
    if read is None:
        return None
    value: int | datetime = int(read[1])
    if column == "changed":
        try:
            value = _EPOCH + int(read[1]) * _TICK
        except OverflowError:
            return None
    # The first part is implied by the second, and lets the database go straight to the place.
    return Q(**{f"{column}__lte": value}) & (Q(**{f"{column}__lt": value}) | Q(pk__lt=int(read[2])))
