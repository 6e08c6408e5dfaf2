"""Everything that writes to the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

import rules
from collection.drawing import pictures, printed
from collection.models import RARITIES, Card, CardInSet, CardSet, CatalogWord, Facet, Game
from collection.models.catalog import plain, searched_words
from collection.services import tallies
from collection.signals import cards_renamed, catalog_written
from core.background import after_commit
from rules.engine.cards import CardType

_CARD_FIELDS = (
    "name", "title", "kind", "colour", "rarity", "rarity_rank", "text", "attributes",
    "sort_number", "retired", "content_hash",
)  # fmt: skip
#: What follows from the printed fields of this card and of all others.
_DERIVED_FIELDS = ("place", "name_place", "rarity_place", "words")
#: Words shorter than this are in no list of words: there is nothing to mistype.
MIN_WORD_LENGTH = 3
BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Synced:
    """The result of a synchronisation: titles of cards, in catalog order."""

    games: int
    cards: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()

    @property
    def nothing_new(self) -> bool:
        return not (self.added or self.changed or self.retired or self.returned)


def sync_catalog() -> Synced:
    """Make the catalog in the database equal to the rules'.

    New cards are added, changed ones changed; a card that the rules no longer have is retired
    and one that comes back returns. Nothing is deleted but printings. The number of queries does
    not depend on the number of cards, only writes of many new ones go in batches; cards that come
    into other rarities or sets cost some for each such move. Who listens to ``cards_renamed`` hears
    of new titles first.
    """
    if renamed := _renamed():
        cards_renamed.send(sender=Card, cards=renamed)
    synced = _write_all()
    catalog_written.send(sender=Card)
    return synced


def _renamed() -> list[int]:
    """The cards that are about to get another title, or to come back with one."""
    rows = Card.objects.order_by("pk").values_list("pk", "game__slug", "slug", "title", "retired")
    games = rules.games()
    return [
        pk
        for pk, game, slug, title, retired in rows.iterator()
        if game in games
        and (card := games[game].catalog.get(slug))
        and (retired or card.title != title)
    ]


@transaction.atomic
def _write_all() -> Synced:
    with tallies.kept_current():
        games = _write_games()
        sets = _write_sets(games)
        synced = _write_cards(games)
        _write_printings(games, sets)
    write_facets()
    write_words()
    after_commit(pictures.forget)
    return synced


def _write_games() -> dict[str, Game]:
    """Write every game, changed or not: a second synchronisation waits here for the first."""
    known = rules.games()
    rows = [
        Game(slug=slug, name=game.name, summary=game.summary, sort_number=number)
        for number, (slug, game) in enumerate(known.items(), start=1)
    ]
    Game.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["slug"],
        update_fields=["name", "summary", "sort_number", "retired"],
    )
    Game.objects.exclude(slug__in=list(known)).filter(retired=False).update(retired=True)
    return {game.slug: game for game in Game.objects.all()}


def _write_sets(games: dict[str, Game]) -> dict[tuple[int, str], CardSet]:
    wanted = []
    for slug, game in rules.games().items():
        counts = Counter(name for card in game.catalog.values() for name in card.sets)
        wanted += [
            CardSet(
                game=games[slug],
                slug=card_set.slug,
                name=card_set.name,
                number=card_set.number,
                card_count=counts[card_set.slug],
            )
            for card_set in game.sets
        ]
    CardSet.objects.bulk_create(
        wanted,
        update_conflicts=True,
        unique_fields=["game", "slug"],
        update_fields=["name", "number", "retired", "card_count"],
    )
    here = {(row.game_id, row.slug) for row in wanted}
    rows = list(CardSet.objects.all())
    gone = [row.pk for row in rows if (row.game_id, row.slug) not in here and not row.retired]
    if gone:
        CardSet.objects.filter(pk__in=gone).update(retired=True)
    return {(row.game_id, row.slug): row for row in rows}


def _write_cards(games: dict[str, Game]) -> Synced:
    before = {(card.game_id, card.slug): card for card in Card.objects.all()}
    now = {
        (game.pk, card_type.slug): _row(game, card_type, number)
        for game in games.values()
        if (definition := rules.games().get(game.slug))
        for number, card_type in enumerate(definition.catalog.values(), start=1)
    }
    gone = [_retired(card) for key, card in before.items() if key not in now]
    set_places([*now.values(), *gone], {game.pk: game.sort_number for game in games.values()})
    added, changed, returned = [], [], []
    for key, card in now.items():
        old = before.get(key)
        if old is None:
            added.append(card.title)
        elif old.retired:
            returned.append(card.title)
        elif _differ(old, card, _CARD_FIELDS):
            changed.append(card.title)
    written = (*_CARD_FIELDS, *_DERIVED_FIELDS)
    Card.objects.bulk_create(
        [
            card
            for card in (*now.values(), *gone)
            if (old := before.get((card.game_id, card.slug))) is None or _differ(old, card, written)
        ],
        update_conflicts=True,
        unique_fields=["game", "slug"],
        update_fields=written,
    )
    leaving = [card for card in gone if not before[card.game_id, card.slug].retired]
    return Synced(
        games=len(rules.games()),
        cards=len(now),
        added=tuple(added),
        changed=tuple(changed),
        retired=tuple(card.title for card in leaving),
        returned=tuple(returned),
    )


def _differ(old: Card, new: Card, names: Sequence[str]) -> bool:
    return any(getattr(old, name) != getattr(new, name) for name in names)


def _retired(card: Card) -> Card:
    """The row of a card that the rules no longer have; as a new object, to be compared."""
    fields = {name: getattr(card, name) for name in _CARD_FIELDS}
    words = {"retired": True, "words": searched_words(card.title, card.slug, card.text)}
    return Card(game_id=card.game_id, slug=card.slug, **(fields | words))


def set_places(cards: Sequence[Card], games: dict[int, int]) -> None:
    """Give each card its place in each of the orders; ``games``: sort numbers by key."""
    line = sorted(cards, key=lambda card: (games[card.game_id], card.sort_number, card.slug))
    for number, card in enumerate(line, start=1):
        card.place = number
    for number, card in enumerate(sorted(line, key=lambda card: plain(card.title)), start=1):
        card.name_place = number
    for number, card in enumerate(sorted(line, key=lambda card: -card.rarity_rank), start=1):
        card.rarity_place = number


def _row(game: Game, card_type: CardType, number: int) -> Card:
    card = printed.from_rules(game.slug, card_type)
    return Card(
        game=game,
        slug=card.slug,
        name=card.name,
        title=card.title,
        kind=card.kind,
        colour=card.colour,
        rarity=card.rarity,
        rarity_rank=RARITIES.get(card.rarity, 0),
        text=card.text,
        attributes=dict(card.attributes),
        sort_number=number,
        retired=False,
        content_hash=card.content_hash(),
        words=searched_words(card.title, card.slug, card.text),
    )


def _write_printings(games: dict[str, Game], sets: dict[tuple[int, str], CardSet]) -> None:
    """Printings that differ are taken away and written anew, so that numbers can change places.

    A retired card keeps its printings but gives its numbers back.
    """
    keys = Card.objects.values_list("game_id", "slug", "pk")
    cards = {(game_id, slug): pk for game_id, slug, pk in keys}
    wanted: dict[tuple[int, int], tuple[int, int]] = {}
    for game_slug, game in rules.games().items():
        game_id = games[game_slug].pk
        counted: dict[int, int] = {}
        for slug, card_type in game.catalog.items():
            for position, set_slug in enumerate(card_type.sets):
                set_id = sets[game_id, set_slug].pk
                counted[set_id] = counted.get(set_id, 0) + 1
                wanted[cards[game_id, slug], set_id] = (counted[set_id], position)
    alive = {card_id for card_id, _ in wanted}
    stale, resting = [], []
    for row in CardInSet.objects.all():
        key = (row.card_id, row.card_set_id)
        if row.card_id not in alive:
            if row.number is not None:
                resting.append(row.pk)
        elif wanted.get(key) == (row.number, row.position):
            del wanted[key]
        else:
            stale.append(row.pk)
    if resting:
        CardInSet.objects.filter(pk__in=resting).update(number=None)
    if stale:
        CardInSet.objects.filter(pk__in=stale).delete()
    CardInSet.objects.bulk_create(
        CardInSet(card_id=card_id, card_set_id=set_id, number=number, position=position)
        for (card_id, set_id), (number, position) in wanted.items()
    )


def write_facets() -> None:
    """Count the cards of each kind, colour and rarity anew."""
    fields = ("game_id", "kind", "colour", "rarity", "rarity_rank", "card_count")
    alive = Card.objects.filter(retired=False).order_by()
    counted = alive.values_list(*fields[:-1]).annotate(Count("pk"))
    wanted = set(counted)
    if set(Facet.objects.values_list(*fields)) != wanted:
        Facet.objects.all().delete()
        Facet.objects.bulk_create(
            Facet(**dict(zip(fields, row, strict=True))) for row in sorted(wanted)
        )


def write_words() -> None:
    """Keep the list of words that cards say, for those who mistype one."""
    counts: Counter[str] = Counter()
    for words in Card.objects.filter(retired=False).values_list("words", flat=True).iterator():
        counts.update({word for word in _letters_only(words).split() if word.isalpha()})
    longest = CatalogWord._meta.get_field("word").max_length or 0
    wanted = {
        word: count for word, count in counts.items() if MIN_WORD_LENGTH <= len(word) <= longest
    }
    if dict(CatalogWord.objects.values_list("word", "card_count")) != wanted:
        CatalogWord.objects.all().delete()
        CatalogWord.objects.bulk_create(
            (CatalogWord(word=word, card_count=count) for word, count in sorted(wanted.items())),
            batch_size=BATCH_SIZE,
        )


def _letters_only(words: str) -> str:
    return "".join(sign if sign.isalnum() else " " for sign in words)
