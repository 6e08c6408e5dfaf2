"""Sealed and draft as a player sees them, and the record with which all of it can be checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import rules
from accounts.models import Viewer
from collection.queries import packs
from core.serializers import Doc, component
from decks.models import CheckedDeck, Deck
from rules.engine.limited import limited_modes
from rules.engine.packs import contents_from_json
from tournaments.errors import NotNow, UnknownTournament
from tournaments.models import EntryState, State, Tournament
from tournaments.models.limited import DraftPick, Limited, LimitedKind, LimitedPack, LimitedSeat
from tournaments.services.limited import seed_of_pack, turn_of
from tournaments.services.limited_terms import limited_of

FORM = 1
"""Version of the record."""


@dataclass(frozen=True, slots=True)
class PoolCard:
    """A card of a pool."""

    card: Annotated[str, Doc("The card’s slug.")]
    title: str
    count: int
    basics: Annotated[int, Doc("Copies that everyone may use.")]

    @property
    def own(self) -> int:
        """Copies out of packs."""
        return self.count - self.basics


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card that may be taken now."""

    place: Annotated[int, Doc("Send it to take the card.")]
    card: Annotated[str, Doc("The card’s slug.")]
    title: str


@dataclass(frozen=True, slots=True)
class TurnShown:
    """The pick that is yours to make."""

    round: int
    pick: int
    due_at: Annotated[datetime, Doc("A bot picks then.")]
    cards: list[PileCard]


@component("TournamentPack")
@dataclass(frozen=True, slots=True)
class PackShown:
    """A pack, its promise, and after opening what it held."""

    pack: Annotated[str, Doc("Its public id.")]
    round: int
    commitment: Annotated[str, Doc("SHA-256 of its id, contents and seed.")]
    cards: Annotated[list[str] | None, Doc("Your own opened packs of a sealed tournament.")]


@component("TournamentLimited")
@dataclass(frozen=True, slots=True)
class LimitedShown:
    """A sealed or draft tournament: its terms, and what is yours of it."""

    kind: Annotated[str, Doc(choices=LimitedKind.choices)]
    product: str
    packs: Annotated[int, Doc("Number for each player.")]
    pile: Annotated[int, Doc("Draft: packs opened together and passed on.")]
    rounds: Annotated[int, Doc("Draft: how many piles each player opens.")]
    pick_hours: int
    build_hours: int
    keeps: Annotated[bool, Doc("Players keep the cards.")]
    basics: Annotated[dict[str, int], Doc("Copies by card that everyone may also use.")]
    opened_at: Annotated[datetime | None, Doc("When the packs were given.")]
    completed_at: Annotated[datetime | None, Doc("When decks could be built.")]
    waiting_for: Annotated[int, Doc("Draft: players of your pod who have a pick to make.")]
    turn: Annotated[TurnShown | None, Doc("Your pick; null while you wait.")]
    sealed_packs: Annotated[bool, Doc("You have packs to open.")]
    packs_shown: Annotated[list[PackShown], Doc("Your packs; in a draft, those you opened.")]
    picks: Annotated[list[PoolCard], Doc("Draft: what you have taken so far.")]
    pool: Annotated[list[PoolCard] | None, Doc("Your pool; null until it is complete.")]
    decks: Annotated[list[str], Doc("The slugs of your decks out of the pool.")]
    submitted: Annotated[str | None, Doc("The name of the deck you have submitted.")]
    legal: Annotated[bool | None, Doc("Whether it is legal; null while it is checked.")]


def limited_shown(tournament: Tournament, viewer: Viewer) -> LimitedShown:
    """Its terms and what is the viewer's own; nobody sees another's packs, picks or pool.

    Raises ``UnknownTournament`` where decks are not built from packs.
    """
    limited = _limited(tournament)
    seat = seat_of(limited, viewer)
    pool = seat.pool if seat is not None else None
    drafting = seat is not None and tournament.state == State.ANNOUNCED
    turn = turn_shown(limited, seat, tournament.game) if seat and drafting else None
    deck = _submitted(tournament, seat)
    return LimitedShown(
        kind=limited.kind,
        product=limited.product,
        packs=limited.packs,
        pile=limited.pile,
        rounds=limited.rounds if limited.draft else 1,
        pick_hours=limited.pick_hours,
        build_hours=limited.build_hours,
        keeps=limited.keeps,
        basics=limited.basics,
        opened_at=limited.opened_at,
        completed_at=limited.completed_at,
        waiting_for=waiting_for(seat) if seat and drafting else 0,
        turn=turn,
        sealed_packs=seat is not None and not limited.draft and pool is None,
        packs_shown=packs_shown(limited, seat) if seat is not None else [],
        picks=picks_shown(tournament.game, seat) if seat is not None else [],
        pool=None if pool is None else pool_shown(tournament.game, pool.cards, limited.basics),
        decks=[] if pool is None else list(
            Deck.objects.filter(pool=pool).order_by("pk").values_list("slug", flat=True)
        ),
        submitted=deck.name if deck is not None else None,
        legal=deck.legal if deck is not None else None,
    )  # fmt: skip


def _limited(tournament: Tournament) -> Limited:
    limited = limited_of(tournament)
    if limited is None:
        raise UnknownTournament("This is not a sealed or draft tournament.")
    return limited


def _submitted(tournament: Tournament, seat: LimitedSeat | None) -> CheckedDeck | None:
    if seat is None or seat.entry.user_id is None:
        return None
    rows = CheckedDeck.objects.filter(check_of=tournament.deck_check, user=seat.entry.user_id)
    return rows.first()


def seat_of(limited: Limited, viewer: Viewer) -> LimitedSeat | None:
    """The viewer's own seat."""
    if viewer.pk is None:
        return None
    rows = LimitedSeat.objects.filter(limited=limited, entry__user=viewer.pk)
    return rows.select_related("entry", "pool").first()


def turn_shown(limited: Limited, seat: LimitedSeat, game: str) -> TurnShown | None:
    """The pick that the seat has to make, while the draft goes on."""
    if not limited.draft or seat.due_at is None or seat.entry.state != EntryState.ENTERED:
        return None
    turn = turn_of(limited, seat)
    if turn is None:
        return None
    catalog = rules.game(game).catalog
    cards = [PileCard(place, card, catalog[card].title) for place, card in turn.cards.items()]
    return TurnShown(turn.round_number, turn.number, seat.due_at, cards)


def waiting_for(seat: LimitedSeat) -> int:
    """How many of a pod have a pick to make; not who."""
    pod = LimitedSeat.objects.filter(limited=seat.limited_id, pod=seat.pod)
    return pod.filter(due_at__isnull=False).count()


def picks_shown(game: str, seat: LimitedSeat) -> list[PoolCard]:
    """The cards that a drafter has taken so far, in the order of the catalog."""
    cards = DraftPick.objects.filter(seat=seat).values_list("card", flat=True)
    return pool_shown(game, Counter(cards), {})


def pool_shown(game: str, cards: dict[str, int], basics: dict[str, int]) -> list[PoolCard]:
    """A pool in the order of the catalog."""
    return [
        PoolCard(slug, card.title, cards[slug], min(basics.get(slug, 0), cards[slug]))
        for slug, card in rules.game(game).catalog.items()
        if slug in cards
    ]


def packs_shown(limited: Limited, seat: LimitedSeat) -> list[PackShown]:
    """Somebody's packs with their promises; what lay in those of a draft stays secret."""
    rows = LimitedPack.objects.filter(seat=seat).order_by("round_number", "number")
    return [
        PackShown(row.slug, row.round_number, row.commitment, None if limited.draft else row.cards)
        for row in rows
    ]


def pack_record(tournament: Tournament, viewer: Viewer, slug: str) -> dict[str, Any]:
    """The record of one's own opened pack of a sealed tournament, for ``docs/verify.py``.

    After the tournament everybody may read every pack's. Raises ``UnknownTournament`` and
    ``NotNow``.
    """
    limited = _limited(tournament)
    rows = LimitedPack.objects.filter(seat__limited=limited, slug=slug)
    pack = rows.select_related("seat__entry").first()
    own = pack is not None and viewer.pk is not None and pack.seat.entry.user_id == viewer.pk
    if pack is None or not (tournament.over or (own and not limited.draft)):
        raise UnknownTournament("Pack not found.")
    if pack.cards is None:
        raise NotNow("This pack is not opened yet.")
    seed = bytes(tournament.server_seed)
    return {
        "riffle": FORM,
        "pack": pack.slug,
        "contents": limited.contents,
        "commitment": pack.commitment,
        "server_seed": seed_of_pack(seed, pack.slug).hex(),
        "client_seed": pack.seat.client_seed,
        "cards": pack.cards,
    }


def record(tournament: Tournament) -> dict[str, Any]:
    """Seats, packs, picks and pools with the seed that they follow from, for ``docs/verify.py``.

    Raises ``UnknownTournament``, and ``NotNow`` until the tournament is over.
    """
    limited = _limited(tournament)
    if not tournament.over:
        raise NotNow("Packs and picks are published when the tournament is over.")
    seed = bytes(tournament.server_seed)
    seats = list(
        LimitedSeat.objects.filter(limited=limited)
        .select_related("entry", "pool")
        .order_by("pod", "number")
    )
    by_key = {seat.pk: seat for seat in seats}
    packs_of_all = LimitedPack.objects.filter(seat__in=list(by_key))
    picks = DraftPick.objects.filter(seat__in=list(by_key))
    return {
        "riffle": FORM,
        "tournament": tournament.slug,
        "game": tournament.game,
        "mode": tournament.mode,
        "kind": limited.kind,
        "complete": limited.completed_at is not None,
        "commitment": tournament.commitment,
        "server_seed": seed.hex(),
        "contents": limited.contents,
        "basics": limited.basics,
        "seats": [
            {
                "pod": seat.pod, "seat": seat.number, "entry": seat.entry.number,
                "pool": None if seat.pool is None else seat.pool.cards,
            }
            for seat in seats
        ],
        "packs": [
            {
                "pack": row.slug, "pod": by_key[row.seat_id].pod,
                "seat": by_key[row.seat_id].number, "round": row.round_number,
                "commitment": row.commitment, "client_seed": by_key[row.seat_id].client_seed,
                "cards": row.cards,
            }
            for row in packs_of_all.order_by("seat__pod", "seat__number", "round_number", "number")
        ],
        "picks": [
            {
                "pod": by_key[row.seat_id].pod, "seat": by_key[row.seat_id].number,
                "round": row.round_number, "pick": row.number,
                "opener": by_key[row.opener_id].number, "place": row.place, "card": row.card,
                "by_bot": row.by_bot,
            }
            for row in picks.order_by("seat__pod", "seat__number", "round_number", "number")
        ],
    }  # fmt: skip


def _hours(count: int) -> str:
    return f"{count} hour{'' if count == 1 else 's'}"


def in_words(tournament: Tournament) -> list[str]:
    """The terms as lines of the tournament's facts; none where players bring decks."""
    limited = limited_of(tournament)
    if limited is None:
        return []
    name = packs.name_of(contents_from_json(limited.contents))
    lines = [f"{LimitedKind(limited.kind).label}: {limited.packs} × {name} for each player"]
    if limited.draft:
        several = f", {limited.pile} at a time" if limited.pile > 1 else ""
        lines.append(
            f"Packs are passed left and right in turn{several}, in pods of up to 8; "
            f"a bot picks after {_hours(limited.pick_hours)}"
        )
    about = limited_modes(rules.game(tournament.game)).get(tournament.mode)
    if about is not None:
        lines.append(about.why.rstrip("."))
    lines.append(f"At least {_hours(limited.build_hours)} to build a deck")
    lines.append("Players keep the cards of their packs" if limited.keeps
                 else "The cards are only for this tournament")  # fmt: skip
    return lines
