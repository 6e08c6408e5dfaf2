"""Everything that writes to the catalog."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

import rules
from collection import pictures, printed
from collection.models import RARITIES, Card, CardInSet, CardSet, Game
from rules.engine.cards import CardType

_CARD_FIELDS = (
    "name", "title", "kind", "colour", "rarity", "rarity_rank", "text", "attributes",
    "sort_number", "retired", "content_hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Synced:
    """What a synchronisation did: titles of cards, in catalog order."""

    games: int
    cards: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()

    @property
    def nothing_new(self) -> bool:
        return not (self.added or self.changed or self.retired or self.returned)


@transaction.atomic
def sync_catalog() -> Synced:
    """Make the catalog in the database equal to the rules'.

    New cards are added, changed ones changed; a card that the rules no longer have is retired
    and one that comes back returns. Nothing is deleted but printings. The number of queries does
    not depend on the number of cards, only writes of many new ones go in batches.
    """
    games = _write_games()
    sets = _write_sets(games)
    synced = _write_cards(games)
    _write_printings(games, sets)
    transaction.on_commit(pictures.forget)
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
    wanted = [
        CardSet(game=games[slug], slug=found.slug, name=found.name, number=found.number)
        for slug, game in rules.games().items()
        for found in game.sets
    ]
    CardSet.objects.bulk_create(
        wanted,
        update_conflicts=True,
        unique_fields=["game", "slug"],
        update_fields=["name", "number", "retired"],
    )
    here = {(row.game_id, row.slug) for row in wanted}
    rows = list(CardSet.objects.all())
    gone = [row.pk for row in rows if (row.game_id, row.slug) not in here and not row.retired]
    if gone:
        CardSet.objects.filter(pk__in=gone).update(retired=True)
    return {(row.game_id, row.slug): row for row in rows}


def _write_cards(games: dict[str, Game]) -> Synced:
    before = {(card.game_id, card.slug): card for card in Card.objects.all()}
    added, changed, returned, rows = [], [], [], []
    total = 0
    here = set()
    for game_slug, game in rules.games().items():
        for number, card_type in enumerate(game.catalog.values(), start=1):
            total += 1
            card = _row(games[game_slug], card_type, number)
            here.add((card.game_id, card.slug))
            old = before.get((card.game_id, card.slug))
            if old is None:
                added.append(card.title)
            elif old.retired:
                returned.append(card.title)
            elif any(getattr(old, name) != getattr(card, name) for name in _CARD_FIELDS):
                changed.append(card.title)
            else:
                continue
            rows.append(card)
    Card.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["game", "slug"],
        update_fields=_CARD_FIELDS,
    )
    gone = [card for key, card in before.items() if key not in here and not card.retired]
    if gone:
        Card.objects.filter(pk__in=[card.pk for card in gone]).update(retired=True)
    return Synced(
        games=len(rules.games()),
        cards=total,
        added=tuple(added),
        changed=tuple(changed),
        retired=tuple(card.title for card in gone),
        returned=tuple(returned),
    )


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
