"""Finding cards by part of what they say, and what somebody may have meant to type."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connections
from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When
from django.db.models.expressions import RawSQL
from django.db.models.functions import Concat, StrIndex
from rapidfuzz import process
from rapidfuzz.distance import OSA

from collection.models import Card, CatalogWord
from collection.models.catalog import plain
from core.trigrams import CARDS, SHORTEST, match, sqlite_can

MAX_WORDS = 8
FEW = 2000
"""So many cards are quickly looked up one by one."""


def words_of(text: str) -> list[str]:
    """The words of a search as cards are searched for them."""
    return plain(text.replace("\0", " ")).split()[:MAX_WORDS]


def search(cards: QuerySet[Card], text: str) -> QuerySet[Card]:
    """Cards that say every word, or part of a word, in title, slug or text; in whatever case."""
    words = words_of(text)
    if connections[cards.db].vendor == "sqlite" and sqlite_can():
        long = [word for word in words if len(word) >= SHORTEST]
        words = [word for word in words if word not in long]
        if long:
            cards = _in_index(cards, long)
    for word in words:
        cards = cards.filter(words__contains=word)
    return cards


TIER_SIZE = 10**10
"""More than there are places in the catalog."""


def ranked(cards: QuerySet[Card], text: str) -> QuerySet[Card]:
    """Cards that were found, with where they stand by how well they fit (``match_place``).

    First the card of that very name, then names that begin so, names with words that do, names
    with the words anywhere in them, and at last those that only say them; else by number.
    """
    words = words_of(text)
    typed = " ".join(words)
    title = StrIndex("spaced", Value("\n"))
    cards = cards.alias(spaced=Concat(Value(" "), "words")).alias(title_end=title)
    begin, inside = Q(), Q()
    for number, word in enumerate(words):
        cards = cards.alias(
            **{
                f"begins_{number}": StrIndex("spaced", Value(f" {word}")),
                f"is_in_{number}": StrIndex("spaced", Value(word)),
            }
        )
        begin &= Q(**{f"begins_{number}__gt": 0, f"begins_{number}__lt": F("title_end")})
        inside &= Q(**{f"is_in_{number}__lt": F("title_end")})
    tiers = (
        Q(words__startswith=f"{typed}\n"),
        Q(words__startswith=f"{typed} "),
        Q(words__startswith=typed),
        begin,
        inside,
    )
    place = F("place") + Case(
        *(When(fits, then=Value(tier * TIER_SIZE)) for tier, fits in enumerate(tiers)),
        default=Value(len(tiers) * TIER_SIZE),
        output_field=BigIntegerField(),
    )
    return cards.annotate(match_place=place)


def _in_index(cards: QuerySet[Card], words: Sequence[str]) -> QuerySet[Card]:
    """Cards that SQLite's table of trigrams knows.

    Where there are few, each is looked up. Where there are many, the database is kept from that:
    it walks along the order that is asked for and stops when a page is full.
    """
    wanted = [("words", word) for word in words]
    keys = CARDS.keys(connections[cards.db], wanted, FEW + 1)
    if len(keys) <= FEW:
        return cards.filter(pk__in=keys)
    saying = RawSQL(
        "SELECT rowid FROM collection_card_search WHERE collection_card_search MATCH %s",
        (match(wanted),),
    )
    # SQLite uses no index for a sum.
    return cards.alias(key=F("pk") + 0).filter(key__in=saying)


def meant(text: str) -> str:
    """Correct each word that no card contains; "" where that finds nothing.

    One wrong, missing, doubled or swapped letter is forgiven, and two in long words.
    """
    typed = words_of("".join(sign if sign.isalnum() else " " for sign in text))
    known = dict(CatalogWord.objects.values_list("word", "card_count"))
    right = [word if _part_of_any(word, known) else _nearest(word, known) for word in typed]
    return " ".join(right) if all(right) and right != typed else ""


def _part_of_any(word: str, known: dict[str, int]) -> bool:
    return word in known or any(word in other for other in known)


def _nearest(word: str, known: dict[str, int]) -> str:
    """The known word at the smallest edit distance; of several, the most frequent."""
    if len(word) < 3:
        return ""
    near = process.extract(
        word, known.keys(), scorer=OSA.distance, score_cutoff=2 if len(word) > 6 else 1, limit=None
    )
    best = min(near, key=lambda hit: (hit[1], -known[hit[0]], hit[0]), default=None)
    return str(best[0]) if best else ""
