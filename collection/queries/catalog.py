"""Reading the catalog, with the same number of queries whatever its size."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from collection.models import RARITY_WORDS, Card, CardInSet, CardSet, Game

SORTS = {
    "number": ("game__sort_number", "sort_number", "slug"),
    "name": ("title", "game__sort_number", "slug"),
    "rarity": ("-rarity_rank", "game__sort_number", "sort_number", "slug"),
}


def games() -> QuerySet[Game]:
    """The games that are played here."""
    return Game.objects.filter(retired=False)


def games_with_counts() -> QuerySet[Game]:
    """The same with ``card_count``, sets beside."""
    counted = games().annotate(card_count=Count("cards", filter=Q(cards__retired=False)))
    sets = CardSet.objects.filter(retired=False).order_by("number", "slug")
    return counted.prefetch_related(Prefetch("sets", queryset=sets, to_attr="current_sets"))


def cards(*, retired: bool = False) -> QuerySet[Card]:
    """Cards with everything that their pictures and pages show."""
    printings = CardInSet.objects.select_related("card_set").order_by("position")
    found = Card.objects.select_related("game").prefetch_related(
        Prefetch("printings", queryset=printings)
    )
    return found if retired else found.filter(retired=False, game__retired=False)


def search(found: QuerySet[Card], words: str) -> QuerySet[Card]:
    """Cards in whose title, text or slug every word occurs, whatever its case."""
    for word in words.split()[:8]:
        found = found.filter(
            Q(title__icontains=word) | Q(text__icontains=word) | Q(slug__icontains=word)
        )
    return found


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from in the filters, each as (value, words)."""

    games: list[tuple[str, str]]
    sets: list[tuple[str, str]]
    kinds: list[tuple[str, str]]
    colours: list[tuple[str, str]]
    rarities: list[tuple[str, str]]


def choices(game: str = "") -> Choices:
    """The filters' choices: those of one game where one is chosen."""
    known = list(games())
    chosen = [row for row in known if row.slug == game] or known
    here = Card.objects.filter(game__in=chosen, retired=False)
    facets = here.order_by().values_list("kind", "colour", "rarity", "rarity_rank").distinct()
    kinds, colours, rarities = set(), set(), set()
    for kind, colour, rarity, rank in facets:
        kinds.add(kind)
        colours.add(colour)
        rarities.add((rank, rarity))
    sets = CardSet.objects.filter(game__in=chosen, retired=False).select_related("game")
    return Choices(
        games=[(row.slug, row.name) for row in known],
        sets=_set_choices(sets, several=len(chosen) > 1),
        kinds=[(kind, spoken(kind)) for kind in sorted(kinds)],
        colours=[(colour, spoken(colour)) for colour in sorted(colours) if colour],
        rarities=[(word, spoken(RARITY_WORDS.get(word, word))) for _, word in sorted(rarities)],
    )


def _set_choices(sets: QuerySet[CardSet], *, several: bool) -> list[tuple[str, str]]:
    if several:
        return [(f"{row.game.slug}.{row.slug}", f"{row.game.name}: {row.name}") for row in sets]
    return [(f"{row.game.slug}.{row.slug}", row.name) for row in sets]


def spoken(word: str) -> str:
    """A catalog word as people read it."""
    return word.replace("_", " ").replace("-", " ").capitalize()


def card_or_none(game_slug: str, card_slug: str) -> Card | None:
    """One card with its sets, retired or not."""
    return cards(retired=True).filter(game__slug=game_slug, slug=card_slug).first()


def neighbours(card: Card) -> tuple[Card | None, Card | None]:
    """The cards before and after this one in its game's catalog."""
    line = Card.objects.filter(game=card.game_id, retired=False).select_related("game")
    here = card.sort_number
    before = line.filter(sort_number__lt=here).order_by("-sort_number", "-slug").first()
    after = line.filter(sort_number__gt=here).order_by("sort_number", "slug").first()
    return before, after


def namesakes(card: Card) -> QuerySet[Card]:
    """Other cards of the game with the same printed name: its other colours."""
    same = cards().filter(game=card.game_id, name=card.name).exclude(pk=card.pk)
    return same.order_by("sort_number", "slug")[:12]


def printed_in(**where: str) -> QuerySet[CardInSet, int]:
    """Keys of the cards that appear in a set."""
    return CardInSet.objects.filter(**where).values_list("card_id", flat=True)
