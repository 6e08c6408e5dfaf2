"""Public decks: found by words, game, mode and tag, in pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import connections
from django.db.models import F, Q, QuerySet, TextField, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Concat

from core.trigrams import SHORTEST, match, sqlite_can
from decks.database import search_index
from decks.models import Deck, Visibility, tags
from decks.queries.decks import DeckPage, pages, with_entries

PAGE_SIZE = 24
FEW = 2000
"""So many decks are quickly looked up one by one."""
SORTS: Mapping[str, str] = {"newest": "changed", "likes": "like_count"}

_MARK = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class DeckSearch:
    """A search for public decks; "" matches anything."""

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


def shared_decks(search: DeckSearch) -> QuerySet[Deck]:
    """Public decks that fit a search. Each word is in a name, a tag or a card."""
    columns = {"visibility": Visibility.PUBLIC.value, "game": search.game, "mode": search.mode}
    columns = {column: value for column, value in columns.items() if value}
    phrases = [("words", phrase) for phrase in search_index.phrases(search.words)]
    if not phrases and search.words.strip("\0 "):
        return Deck.objects.none()
    if search.tag:
        phrases.append(("tags", tags.asked(search.tag)))
    decks = Deck.objects.filter(**columns)
    return _with(decks, columns, phrases) if phrases else decks


def _with(
    decks: QuerySet[Deck], columns: dict[str, str], phrases: list[tuple[str, str]]
) -> QuerySet[Deck]:
    """Those of the decks that are asked for that have what is said in their words and tags.

    Where they are few, the database is given their keys, and no index to walk along: it looks
    each of them up. Where they are many, it is kept from that: it walks along the order that is
    asked for and stops when a page is full. No index is used for a sum.
    """
    connection = connections[decks.db]
    in_table = connection.vendor == "sqlite" and sqlite_can()
    if in_table:
        also = [(column, words) for column, words in columns.items() if len(words) >= SHORTEST]
        keys = search_index.TRIGRAMS.keys(connection, [*phrases, *also], FEW + 1)
    else:
        fitting = decks.order_by()
        for column, words in phrases:
            fitting = fitting.filter(**{f"{column}__contains": words})
        keys = list(fitting.values_list("pk", flat=True)[: FEW + 1])
    if len(keys) <= FEW:
        about = {f"{column}_read": _read(column) for column in columns}
        exact = {f"{column}_read": words for column, words in columns.items()}
        return Deck.objects.alias(**about).filter(pk__in=keys, **exact)
    if in_table:
        fitting_keys = RawSQL(
            "SELECT rowid FROM decks_deck_search WHERE decks_deck_search MATCH %s",
            (match([*phrases, *also]),),
        )
        return decks.alias(key=F("pk") + 0).filter(key__in=fitting_keys)
    decks = decks.alias(words_read=_read("words"), tags_read=_read("tags"))
    for column, words in phrases:
        decks = decks.filter(**{f"{column}_read__contains": words})
    return decks


def _read(column: str) -> Concat:
    """A column as an expression that its index does not match."""
    return Concat(column, Value(""), output_field=TextField())


def shared_page(
    search: DeckSearch, after: str = "", size: int = PAGE_SIZE, but: int | None = None
) -> Shared:
    """A page of them after a mark, ``but`` those of one owner; always in as many queries.

    A mark that cannot be read is none.
    """
    column = SORTS.get(search.sort, "changed")
    rows = shared_decks(search).order_by(f"-{column}", "-pk")
    if but is not None:
        rows = rows.exclude(owner=but)
    beyond = _beyond(column, after)
    if beyond is not None:
        rows = rows.filter(beyond)
    decks = list(with_entries(rows)[: size + 1])
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
