"""The deck lab: which decks a field may have, and what a run has come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import rules
from accounts.models import User
from core.serializers import Doc
from decks.errors import UnknownRun
from decks.models import Deck, LabRun, LabShare, Visibility
from decks.queries.decks import decklist
from rules import deck_lab
from rules.engine.lab import Tally
from rules.engine.legality import Decklist

MAX_OWN, MAX_PUBLIC = 10, 10
MAX_CARDS = 200


@dataclass(frozen=True, slots=True)
class FieldDeck:
    """A deck that a field may have; ``cards()`` reads its list. ``owner`` is named beside it."""

    key: str
    deck_name: str
    kind: str
    cards: Callable[[], Decklist]
    owner: User | None = None

    @property
    def name(self) -> str:
        """Its name, with its owner's where that is somebody else."""
        return self.deck_name if self.owner is None else f"{self.deck_name} by {self.owner}"

    @property
    def ready_made(self) -> bool:
        """True for decks of the game itself."""
        return self.kind == "ready-made"


def field_decks(user: User, deck: Deck) -> list[FieldDeck]:
    """Ready-made decks of the mode, the person's latest others, and the most liked public ones."""
    options = deck_lab.options_with_own_decks(deck.game, deck.mode)
    if options is None:
        return []
    ready = rules.game(deck.game).ready_made(deck.mode, options)
    rows = [
        FieldDeck(f"ready-{row.slug}", row.name, "ready-made", partial(_given, row.cards))
        for row in ready
    ]
    same = Deck.objects.filter(game=deck.game, mode=deck.mode, version__gt=0).exclude(pk=deck.pk)
    own = same.filter(owner=user).order_by("-changed", "-pk")[:MAX_OWN]
    public = (
        same.filter(visibility=Visibility.PUBLIC)
        .exclude(owner=user)
        .select_related("owner")
        .order_by("-like_count", "-pk")[:MAX_PUBLIC]
    )
    rows += [FieldDeck(row.slug, row.name, "yours", partial(decklist, row)) for row in own]
    rows += [
        FieldDeck(row.slug, row.name, "public", partial(decklist, row), row.owner) for row in public
    ]
    return rows


def _given(cards: Decklist) -> Decklist:
    return cards


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of wins with its 95 % interval."""

    rate: Annotated[float, Doc("From 0 to 1.")]
    low: float
    high: float
    count: Annotated[int, Doc("How many pairs, or matches, it is counted over.")]


def rate(tally: Tally) -> Rate:
    """A tally as it is shown."""
    low, high = tally.interval
    return Rate(round(tally.rate, 4), round(low, 4), round(high, 4), tally.matches)


@dataclass(frozen=True, slots=True)
class Matchup:
    """A deck of the field, and how often each version wins against it; over pairs."""

    name: str
    versions: list[Rate]


@dataclass(frozen=True, slots=True)
class CardResult:
    """A card, and how often the latest version won with it; over matches."""

    slug: str
    title: str
    drawn: Annotated[Rate, Doc("Matches in which it was in a hand.")]
    played: Annotated[Rate, Doc("Matches in which it was played.")]


@dataclass(frozen=True, slots=True)
class LabVersion:
    """A version of the deck: how often it wins, over pairs."""

    number: int
    wins: Rate


@dataclass(frozen=True, slots=True)
class LabRunShown:
    """A run of the deck lab: what is tried, how far it has come, and what came of it so far."""

    slug: str
    deck: Annotated[str, Doc("The deck’s slug.")]
    deck_name: str
    state: Annotated[str, Doc(choices=["working", "done", "failed", "cancelled"])]
    problem: str
    player: Annotated[str, Doc("The bot that plays all decks, by its slug.")]
    player_name: str
    pairs: Annotated[int, Doc("Mirrored pairs of matches a version.")]
    matches: Annotated[int, Doc("Matches played so far.")]
    total_matches: int
    created_at: datetime
    versions: list[LabVersion]
    worth: Annotated[
        float | None, Doc("How much more the last version wins than the first; null with one.")
    ]
    worth_margin: Annotated[float | None, Doc("Half the width of its 95 % interval.")]
    matchups: list[Matchup]
    first: Annotated[Rate, Doc("How often the seat that is asked first wins; over pairs.")]
    cards: list[CardResult]

    @property
    def under_way(self) -> bool:
        """True until it has ended."""
        return self.state == "working"

    @property
    def has_hands(self) -> bool:
        """True if cards are held in hands in this mode."""
        return any(card.drawn.count for card in self.cards)

    @property
    def better(self) -> str:
        """The verdict of the comparison: better, worse or unclear."""
        if self.worth is None or self.worth_margin is None or abs(self.worth) <= self.worth_margin:
            return "unclear"
        return "better" if self.worth > 0 else "worse"


def run_of(user: User, slug: str) -> LabRun:
    """A person's own run. Raises ``UnknownRun``."""
    run = LabRun.objects.select_related("deck").filter(owner=user, slug=slug).first()
    if run is None:
        raise UnknownRun("Lab run not found.")
    return run


def runs_of(deck: Deck, user: User) -> list[LabRunShown]:
    """The latest runs of a deck, newest first, without their cards."""
    runs = list(LabRun.objects.filter(deck=deck, owner=user).select_related("deck")[:20])
    owners = _owners(runs)
    shares: dict[int, list[LabShare]] = {run.pk: [] for run in runs if run.results is None}
    for share in LabShare.objects.filter(run__in=list(shares), results__isnull=False):
        shares[share.run_id].append(share)
    return [
        _shown(run, summary_of(run, shares.get(run.pk, ())), owners, with_cards=False)
        for run in runs
    ]


def run_shown(run: LabRun) -> LabRunShown:
    """A run as its person sees it."""
    shares = LabShare.objects.filter(run=run, results__isnull=False) if run.results is None else ()
    return _shown(run, summary_of(run, shares), _owners([run]), with_cards=True)


def _owners(runs: Iterable[LabRun]) -> dict[int, User]:
    """The owners of public decks in fields, as far as their accounts are open."""
    keys = {row["owner"] for run in runs for row in run.field if row["owner"]}
    return User.objects.filter(is_active=True).in_bulk(keys) if keys else {}


def _field_name(row: Mapping[str, Any], owners: Mapping[int, User]) -> str:
    owner = owners.get(row["owner"])
    return row["name"] if owner is None else f"{row['name']} by {owner}"


def summary_of(run: LabRun, shares: Iterable[LabShare]) -> deck_lab.Summary:
    """The results of a run so far: from its own row once it has ended, before from its shares."""
    if run.results is not None:
        return deck_lab.Summary.from_json(run.results, len(run.field))
    pairs = (pair for share in shares for pair in share.results or ())
    return deck_lab.summarise(len(run.versions), len(run.field), pairs)


def _shown(
    run: LabRun, summary: deck_lab.Summary, owners: Mapping[int, User], *, with_cards: bool
) -> LabRunShown:
    game = rules.game(run.deck.game)
    player = game.player(run.player)
    worth, margin = summary.worth or (None, None)
    latest = summary.versions[-1]
    cards = sorted(latest.cards.items(), key=lambda row: (-row[1].played.matches, row[0]))
    return LabRunShown(
        slug=run.slug,
        deck=run.deck.slug,
        deck_name=run.deck.name,
        state=run.state,
        problem=run.problem,
        player=run.player,
        player_name=run.player if player is None else player.name,
        pairs=run.pairs,
        matches=sum(version.matches for version in summary.versions),
        total_matches=run.pairs * len(run.versions) * deck_lab.SEATS,
        created_at=run.created_at,
        versions=[
            LabVersion(row["number"], rate(version.total))
            for row, version in zip(run.versions, summary.versions, strict=True)
        ],
        worth=None if worth is None else round(worth, 4),
        worth_margin=None if margin is None else round(margin, 4),
        matchups=[
            Matchup(
                _field_name(row, owners),
                [rate(version.matchups.get(number, Tally())) for version in summary.versions],
            )
            for number, row in enumerate(run.field)
        ],
        first=rate(summary.first),
        cards=[
            CardResult(slug, game.title(slug), rate(tally.drawn), rate(tally.played))
            for slug, tally in cards[:MAX_CARDS]
            if slug in game.catalog
        ]
        if with_cards
        else [],
    )
