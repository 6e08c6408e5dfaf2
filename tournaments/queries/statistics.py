"""The statistics of a tournament that is over, as pages and the API show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import rules
from core.serializers import Doc, component
from tournaments.errors import UnknownTournament
from tournaments.models import Statistics, Tournament


@component("TournamentDeckResult")
@dataclass(frozen=True, slots=True)
class DeckResult:
    """A deck and its results."""

    entry: Annotated[int, Doc("The entry's number.")]
    player: str
    rank: int
    deck: Annotated[str, Doc("The deck's name.")]
    cards: Annotated[dict[str, Any], Doc("Section, card slug, count.")]
    won: Annotated[int, Doc("Opponents beaten in play; byes, drops and rulings do not count.")]
    drawn: int
    lost: int
    share: Annotated[float | None, Doc("Share won, draws by half; null below 10.")]
    low: Annotated[float | None, Doc("Lower end of the share's 95 % interval (Wilson).")]
    high: Annotated[float | None, Doc("Upper end.")]


@component("TournamentCardResult")
@dataclass(frozen=True, slots=True)
class CardResult:
    """A card and the results of decks with it against decks without it."""

    card: str
    name: str
    decks: Annotated[int, Doc("Decks with it.")]
    copies: int
    won: int
    drawn: int
    lost: int
    share: Annotated[float | None, Doc("Share won, draws by half; null below 10.")]
    low: Annotated[float | None, Doc("Lower end of the share's 95 % interval (Wilson).")]
    high: Annotated[float | None, Doc("Upper end.")]


@component("TournamentStatistics")
@dataclass(frozen=True, slots=True)
class StatisticsShown:
    """Decks and cards by their results."""

    decks: list[DeckResult]
    cards: list[CardResult]
    counted: Annotated[int, Doc("Players whose deck counts.")]
    without_deck: Annotated[int, Doc("Players without a submitted deck, such as bots.")]
    tables: Annotated[int, Doc("Tables decided by play.")]


def has_statistics(tournament: Tournament) -> bool:
    """There are some: it is over, and its deck lists are shown as announced."""
    return tournament.shows_decks and Statistics.objects.filter(tournament=tournament).exists()


def statistics(tournament: Tournament) -> StatisticsShown:
    """The statistics; raises ``UnknownTournament`` where there are none."""
    row = Statistics.objects.filter(tournament=tournament).first()
    if row is None or not tournament.shows_decks:
        raise UnknownTournament(
            "This tournament has no statistics. They follow from deck lists that are shown at the "
            "end."
        )
    data = row.data
    return StatisticsShown(
        decks=[DeckResult(**deck) for deck in data["decks"]],
        cards=[CardResult(**card) for card in data["cards"]],
        counted=data["counted"],
        without_deck=data["without_deck"],
        tables=data["tables"],
    )


def in_words(tournament: Tournament, cards: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """A deck's sections, each with lines such as “2 Claw”."""
    catalog = rules.game(tournament.game).catalog
    order = {slug: number for number, slug in enumerate(catalog)}
    sections = []
    for section, counts in cards.items():
        slugs = sorted(counts, key=lambda slug: (order.get(slug, len(order)), slug))
        lines = [
            f"{counts[slug]} {catalog[slug].title if slug in catalog else slug}" for slug in slugs
        ]
        if lines:
            sections.append((section, lines))
    return sections
