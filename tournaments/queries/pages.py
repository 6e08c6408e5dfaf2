"""Tournaments as pages and the API show them; a fixed number of queries each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

import rules
from accounts.models import Viewer
from collection.queries import packs
from core.serializers import INTERNAL, Doc, component, from_row
from matches.models import Match, SeriesTerms, TimeControl
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Message,
    Pairing,
    PairingSeat,
    Round,
    Ruling,
    RulingKind,
    Stage,
    State,
    Structure,
    Tournament,
    name_of,
)
from tournaments.models.limited import LimitedKind
from tournaments.pairing import POD_POINTS
from tournaments.queries.round_names import THIRD_PLACE, round_names
from tournaments.queries.standings import TAKES_PART
from tournaments.services.limited_terms import limited_of

PAGE_SIZE = 80
STANDINGS_PAGE_SIZE = 50
TABLES_PAGE_SIZE = 40
"""A page of a large tournament takes twice the time of a small one's at most."""


@dataclass(frozen=True, slots=True)
class TournamentShown:
    """A tournament."""

    slug: str
    title: str
    about: str
    organiser: str
    game: str
    mode: str
    options: dict[str, Any]
    time_control: Annotated[str, Doc(choices=TimeControl.choices)]
    structure: Annotated[str, Doc(choices=Structure.choices)]
    rounds: Annotated[int | None, Doc("Without the final ones; null: not known before the start.")]
    cut: Annotated[int, Doc("How many play the final rounds.")]
    twice: bool
    division_size: Annotated[int, Doc("League: about how many players a division has.")]
    moving: Annotated[int, Doc("League: players promoted and relegated.")]
    season: Annotated[int, Doc("League: which season this is.")]
    previous: Annotated[str | None, Doc("League: the slug of the season before.")]
    next: Annotated[str | None, Doc("League: the slug of the season after.")]
    third_place: bool
    table_size: int
    series: Annotated[SeriesTerms | None, Doc("What each table plays; null: a single match.")]
    round_days: int
    round_minutes: Annotated[int | None, Doc("Live evening: minutes of a round; null: days.")]
    called_until: Annotated[
        datetime | None, Doc("Live evening: until then players confirm that they are present.")
    ]
    min_entries: int
    max_entries: int | None
    rating_from: int | None
    rating_to: int | None
    late_entry: bool
    needs_channel: Annotated[bool, Doc("Players need a channel with tournament notifications.")]
    shows_decks: Annotated[bool, Doc("Everyone sees the deck lists once it is over.")]
    listed: bool
    prizes: Annotated[list[dict[str, Any]], Doc("Packs for places.")]
    deck_check: Annotated[str | None, Doc("The slug of the deck check that judges the decks.")]
    format: Annotated[str | None, Doc("The slug of the custom format.")]
    limited: Annotated[str | None, Doc("Decks are built from packs.", choices=LimitedKind.choices)]
    opens_at: datetime
    closes_at: datetime
    starts_at: datetime
    state: Annotated[str, Doc(choices=State.choices)]
    locked_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    why_cancelled: str
    takes_entries: Annotated[bool, Doc("Registration is open now.")]
    entered: Annotated[int, Doc("How many have a place, those included who have dropped out.")]
    commitment: Annotated[str, Doc("SHA-256 of the seed from which all lots are drawn.")]
    seed: Annotated[str | None, Doc("The seed in hex, once the tournament is over.")]
    created_at: datetime


def tournaments(viewer: Viewer) -> QuerySet[Tournament]:
    """Public tournaments and the person's own, as lists show them."""
    seen: Any = Q(listed=True)
    if viewer.pk is not None:
        mine = Entry.objects.filter(tournament=OuterRef("pk"), user=viewer.pk)
        seen |= Q(organiser=viewer.pk) | Q(helpers=viewer.pk) | Exists(mine)
    return with_counts(Tournament.objects.filter(seen).distinct())


def with_counts(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """These with their organisers and how many take part, or did until they dropped out."""
    taken = Count("entries", filter=Q(entries__state__in=TAKES_PART), distinct=True)
    related = rows.select_related(
        "organiser", "deck_check__house__format", "previous", "next", "limited"
    ).defer("previous__server_seed", "next__server_seed")
    return related.defer("server_seed", "limited__contents").annotate(entered=taken)


def tournaments_of(person: int, viewer: Viewer) -> QuerySet[Tournament]:
    """Those that somebody takes part in, as far as the viewer may find them."""
    entries = Entry.objects.filter(user=person).exclude(state=EntryState.OUT)
    return tournaments(viewer).filter(pk__in=entries.values("tournament"))


def tournament_shown(tournament: Tournament) -> TournamentShown:
    """A tournament as it is now."""
    return shown(with_counts(Tournament.objects.filter(pk=tournament.pk)))[0]


def shown(rows: Iterable[Tournament]) -> list[TournamentShown]:
    """Tournaments that were read by :func:`with_counts`."""
    return [
        from_row(
            TournamentShown,
            row,
            organiser=row.organiser.username,
            rounds=row.rounds_planned,
            deck_check=row.deck_check.slug if row.deck_check else None,
            format=row.format_slug or None,
            limited=terms.kind if (terms := limited_of(row)) is not None else None,
            previous=row.previous.slug if row.previous else None,
            next=next_season.slug if (next_season := following(row)) else None,
            entered=row.entered,  # type: ignore[attr-defined]
            seed=bytes(row.server_seed).hex() if row.over else None,
        )
        for row in rows
    ]


def following(season: Tournament) -> Tournament | None:
    """The next season of a league, if it is announced."""
    return getattr(season, "next", None)  # the far end of a one-to-one raises an AttributeError


@component("TournamentEntry")
@dataclass(frozen=True, slots=True)
class EntryShown:
    """A player in the tournament."""

    number: Annotated[int, Doc("The order of entering, from 1.")]
    name: str
    username: Annotated[str | None, Doc("Null for bots and for who has left the site.")]
    bot: str
    state: Annotated[str, Doc(choices=EntryState.choices)]
    why: Annotated[
        str, Doc("Why it is out, came late or was dropped; empty if it dropped out by itself.")
    ]
    seed: int | None
    division: Annotated[int | None, Doc("League: from 1, the highest.")]
    joined_round: int
    extra_points: Annotated[int, Doc("A bye's, for rounds missed before a late entry.")]
    timeouts: int
    ready_for: Annotated[int, Doc("Live evening: the last round for which they confirmed.")]
    absent: Annotated[bool, Doc("Live evening: dropped as absent; they can come back.")]
    rank: Annotated[int | None, Doc("After the last round that is over.")]
    standing: Annotated[
        dict[str, Any],
        Doc(
            "The numbers that the rank follows from, the deciding one by name; in a league the "
            "place in the division, and whether it is promoted (up) or relegated (down)."
        ),
    ]
    deck_number: Annotated[int | None, INTERNAL] = None
    deck_name: Annotated[str, INTERNAL] = ""
    legal: Annotated[bool | None, INTERNAL] = None
    points: Annotated[str, INTERNAL] = ""

    @property
    def is_bot(self) -> bool:
        """Played by the game itself."""
        return bool(self.bot)

    @property
    def takes_part(self) -> bool:
        """It has a place, and has not dropped."""
        return self.state == EntryState.ENTERED

    @property
    def may_go(self) -> bool:
        """It has a place, or waits for one."""
        return self.state in (EntryState.ENTERED, EntryState.WAITING)

    @property
    def state_label(self) -> str:
        """Where it stands, in words."""
        return EntryState(self.state).label


def entries(tournament: Tournament, name: str = "") -> QuerySet[Entry]:
    """All who entered, by number; only those whose name contains ``name``."""
    rows = Entry.objects.filter(tournament=tournament)
    if name:
        named = Q(user__display_name__icontains=name) | Q(user__username__icontains=name)
        rows = rows.filter(Q(bot_name__icontains=name) | named & Q(user__is_active=True))
    return rows.select_related("user", "deck").order_by("number")


def decks_built(tournament: Tournament) -> dict[str, int]:
    """How many have a place, and how many of them have submitted a ``legal`` deck."""
    playing = Entry.objects.filter(tournament=tournament, state=EntryState.ENTERED)
    return playing.aggregate(entered=Count("pk"), legal=Count("pk", filter=Q(deck__legal=True)))


def ranked(tournament: Tournament) -> QuerySet[Entry]:
    """All who have a rank, the best first."""
    rows = Entry.objects.filter(tournament=tournament, rank__isnull=False)
    return rows.select_related("user", "deck").order_by("rank")


def entries_shown(rows: Iterable[Entry], *, pods: bool = False) -> list[EntryShown]:
    """Entries as they are shown; ``pods`` says in which points."""
    return [
        from_row(
            EntryShown,
            row,
            name=name_of(row),
            username=row.user.username if row.user is not None and row.user.is_active else None,
            deck_number=row.deck.number if row.deck else None,
            deck_name=row.deck.name if row.deck else "",
            legal=row.deck.legal if row.deck else None,
            points=points_text(row.standing.get("points", 0), pods),
        )
        for row in rows
    ]


def points_text(points: int, pods: bool) -> str:
    """Points for people: those of pods as shares of a whole table."""
    return f"{points / POD_POINTS:.2f}" if pods else str(points)


@component("TournamentSeat")
@dataclass(frozen=True, slots=True)
class SeatShown:
    """A player at a table of a round."""

    entry: Annotated[int, Doc("The entry's number.")]
    name: str
    username: str | None
    place: int | None
    points: int | None
    wins: Annotated[int | None, Doc("Matches won; null where the table plays a single match.")]
    is_bot: Annotated[bool, INTERNAL] = False
    mine: Annotated[bool, INTERNAL] = False


@component("TournamentTable")
@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of a round: who sits there, why, and how it ended."""

    number: int
    seats: list[SeatShown]
    reason: Annotated[str, Doc("Why these sit together.")]
    for_third: Annotated[bool, Doc("It decides third place.")]
    match: Annotated[str | None, Doc("The match's public id; of a series its latest match.")]
    how: Annotated[str, Doc("By what it was decided; empty while it is open.")]
    decided_at: datetime | None
    round_number: Annotated[int, INTERNAL]
    result: Annotated[str, INTERNAL] = ""

    @property
    def is_bye(self) -> bool:
        """Nobody sits opposite."""
        return len(self.seats) == 1

    @property
    def on_screen(self) -> str:
        """The result for a big screen; empty while an ordinary table is played."""
        result = self.result if self.decided_at is not None or self.match is None else ""
        return ": ".join(filter(None, (THIRD_PLACE if self.for_third else "", result)))

    @property
    def mine(self) -> bool:
        """The reader sits here."""
        return any(seat.mine for seat in self.seats)


@component("TournamentRound")
@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round of a tournament."""

    number: int
    name: Annotated[str, Doc("“Round 2”, “Quarterfinals”, “Final”.")]
    stage: Annotated[str, Doc(choices=Stage.choices)]
    attempt: Annotated[int, Doc("How many times it was paired.")]
    paired_at: datetime
    deadline_at: datetime
    finished_at: datetime | None
    tables: Annotated[int, Doc("How many tables it has.")]
    open: Annotated[int, Doc("How many of them are not decided.")]

    @property
    def label(self) -> str:
        """The name in a row of rounds."""
        return str(self.number) if self.name == f"Round {self.number}" else self.name


def rounds(tournament: Tournament) -> list[RoundShown]:
    """All rounds, the first one first."""
    rows = Round.objects.filter(tournament=tournament).annotate(
        tables=Count("pairings"),
        open=Count("pairings", filter=Q(pairings__decided_at=None)),
    )
    names = round_names(tournament)
    return [from_row(RoundShown, row, name=names.of(row.number)) for row in rows.order_by("number")]


def is_in_open_round(match: Match) -> bool:
    """True if the match belongs to a round that is not over."""
    return Pairing.objects.filter(_with_match(match), round__finished_at__isnull=True).exists()


def keeps_decks_secret(match: Match) -> bool:
    """True if the match belongs to a tournament with deck lists that are not shown, or not yet."""
    pairings = Pairing.objects.filter(
        _with_match(match), round__tournament__deck_check__isnull=False
    )
    public = Q(round__tournament__state=State.FINISHED, round__tournament__shows_decks=True)
    return pairings.exclude(public).exists()


def _with_match(match: Match) -> Q:
    of_match = Q(match=match)
    if match.series_id is not None:  # the table names its first match
        of_match |= Q(match__series=match.series_id)
    return of_match


def tables(row: Round) -> QuerySet[Pairing]:
    """The tables of a round by number, with who sits there."""
    return _with_seats(Pairing.objects.filter(round=row)).order_by("number")


def open_tables(tournament: Tournament) -> QuerySet[Pairing]:
    """The undecided tables of all rounds, those of the oldest round first."""
    rows = Pairing.objects.filter(round__tournament=tournament, decided_at=None)
    return _with_seats(rows).order_by("round__number", "number")


def rounds_with_tables(tournament: Tournament) -> Iterator[tuple[Round, list[TableShown]]]:
    """All rounds, the first one first, each with its tables as a stranger sees them.

    As many queries for many rounds as for a few: a ladder has one for each challenge.
    """
    by_round: dict[int, list[Pairing]] = defaultdict(list)
    rows = _with_seats(Pairing.objects.filter(round__tournament=tournament))
    for table in rows.order_by("number"):
        by_round[table.round_id].append(table)
    for row in Round.objects.filter(tournament=tournament).order_by("number"):
        yield row, tables_shown(by_round[row.pk], AnonymousUser())


def _with_seats(rows: QuerySet[Pairing]) -> QuerySet[Pairing]:
    seats = PairingSeat.objects.select_related("entry__user").order_by("number")
    of_series = Match.objects.filter(series=OuterRef("match__series")).order_by("-series_number")
    annotated = rows.annotate(latest=Subquery(of_series.values("slug")[:1]))
    return annotated.select_related("round", "match").prefetch_related(Prefetch("seats", seats))


def tables_shown(rows: Iterable[Pairing], viewer: Viewer) -> list[TableShown]:
    """Tables that were read by :func:`tables`."""
    return [_table(row, viewer) for row in rows]


def _table(row: Pairing, viewer: Viewer) -> TableShown:
    seats = [
        SeatShown(
            entry=seat.entry.number,
            name=name_of(seat.entry),
            username=seat.entry.user.username
            if seat.entry.user is not None and seat.entry.user.is_active
            else None,
            place=seat.place,
            points=seat.points,
            wins=seat.wins,
            is_bot=bool(seat.entry.bot),
            mine=viewer.pk is not None and seat.entry.user_id == viewer.pk,
        )
        for seat in row.seats.all()
    ]
    return TableShown(
        number=row.number,
        seats=seats,
        reason=row.reason,
        for_third=row.for_third,
        match=row.latest or (row.match.slug if row.match is not None else None),  # type: ignore[attr-defined]
        how=row.how,
        decided_at=row.decided_at,
        round_number=row.round.number,
        result=_result(row, seats),
    )


def _result(row: Pairing, seats: Sequence[SeatShown]) -> str:
    """How a table ended, in words."""
    if row.decided_at is None:
        return "In progress" if row.match_id is not None else "Starting soon"
    if row.how == How.BYE:
        return "Bye"
    places = [seat.place or 0 for seat in seats]
    if len(set(places)) == 1:
        outcome = "Draw"
    elif len(seats) == 2:
        outcome = f"{min(seats, key=lambda seat: seat.place or 0).name} won"
    else:
        ordered = sorted(seats, key=lambda seat: seat.place or 0)
        outcome = ", ".join(f"{seat.place}. {seat.name}" for seat in ordered)
    if row.how in (How.MATCH, How.CLOCK, How.CANCELLED):
        wins = sorted((seat.wins for seat in seats if seat.wins is not None), reverse=True)
        if wins:
            outcome += f" {wins[0]}–{wins[1]}"
    why = _WHY.get(How(row.how))
    return f"{outcome} ({why})" if why else outcome


_WHY = {
    How.CLOCK: "by the clock", How.DROPPED: "opponent dropped out",
    How.RULING: "organisers’ ruling", How.DRAW: "round ended", How.CANCELLED: "abandoned",
}  # fmt: skip


def own_tables(tournament: Tournament, viewer: Viewer) -> list[TableShown]:
    """Where the reader sits in the open rounds: one table, in a league several."""
    if viewer.pk is None:
        return []
    mine = _with_seats(
        Pairing.objects.filter(
            round__tournament=tournament, round__finished_at=None, seats__entry__user=viewer.pk
        )
    )
    return tables_shown(mine.order_by("round__number", "number"), viewer)


@component("TournamentResult")
@dataclass(frozen=True, slots=True)
class PlayerTable:
    """A round of one player."""

    round: int
    stage: Annotated[str, Doc("Only the main rounds give points.", choices=Stage.choices)]
    table: TableShown
    seat: Annotated[int, Doc("The player's place among the table's seats, from 0.")]

    @property
    def own(self) -> SeatShown:
        """The player's seat."""
        return self.table.seats[self.seat]

    @property
    def opponents(self) -> list[SeatShown]:
        """The others at the table; nobody for a bye."""
        return [seat for seat in self.table.seats if seat is not self.own]

    @property
    def result(self) -> str:
        """How it ended for the player, in words."""
        if self.own.place is None or self.table.is_bye:
            return self.table.result
        if len(self.opponents) > 1:
            return f"Place {self.own.place} of {len(self.table.seats)}"
        (other,) = self.opponents
        if self.own.place == other.place:
            words = "Draw"
        else:
            words = "Won" if self.own.place < (other.place or 0) else "Lost"
        if self.own.wins is not None:
            words += f" {self.own.wins}–{other.wins}"
        why = _WHY.get(How(self.table.how))
        if self.table.how == How.DROPPED and words.startswith("Lost"):
            why = "dropped out"
        return f"{words} ({why})" if why else words


def tables_of_entry(entry: Entry) -> list[PlayerTable]:
    """A player's rounds, the first one first."""
    rows = _with_seats(Pairing.objects.filter(seats__entry=entry))
    result = []
    for row in rows.order_by("round__number"):
        table = _table(row, AnonymousUser())
        (index,) = (i for i, seat in enumerate(table.seats) if seat.entry == entry.number)
        result.append(PlayerTable(row.round.number, row.round.stage, table, index))
    return result


@component("TournamentRuling")
@dataclass(frozen=True, slots=True)
class RulingShown:
    """Something that the organisers overruled."""

    kind: Annotated[str, Doc(choices=RulingKind.choices)]
    round: int | None
    table: int | None
    entry: Annotated[int | None, Doc("The number of whom it is about.")]
    by: Annotated[str | None, Doc("Null: the site itself.")]
    reason: str
    before: str
    after: str
    details: Annotated[list[dict[str, Any]], Doc("Pairings that were undone.")]
    at: datetime
    round_name: Annotated[str, Doc("“Round 2”, “Final”, “Third-place match”.")] = ""
    label: Annotated[str, INTERNAL] = ""
    about: Annotated[str, INTERNAL] = ""


def rulings(tournament: Tournament) -> list[RulingShown]:
    """All rulings, the latest first."""
    rows = Ruling.objects.filter(tournament=tournament).select_related("by", "entry__user")
    names = round_names(tournament)
    thirds = Pairing.objects.filter(round__tournament=tournament, for_third=True)
    for_third = set(thirds.values_list("round__number", "number"))
    return [
        from_row(
            RulingShown,
            row,
            round=row.round_number,
            round_name=""
            if row.round_number is None
            else names.of_table(
                row.round_number, for_third=(row.round_number, row.table_number) in for_third
            ),
            table=row.table_number,
            entry=row.entry.number if row.entry else None,
            by=str(row.by) if row.by else None,
            label=row.get_kind_display(),
            about=name_of(row.entry) if row.entry else "",
        )
        for row in rows[:500]
    ]


def messages(tournament: Tournament) -> QuerySet[Message]:
    """The organisers' messages, newest first."""
    return Message.objects.filter(tournament=tournament).select_related("by")


def prizes_in_words(tournament: Tournament) -> list[str]:
    """The prizes, each a line."""
    names = {product.slug: product.name for product in packs.given_products(tournament.game)}
    lines = []
    for prize in tournament.prizes:
        first, last = prize["first"], prize["last"]
        places = f"Place {first}" if first == last else f"Places {first} to {last}"
        product = names.get(prize["product"], prize["product"])
        lines.append(f"{places}: {prize['count']} × {product}")
    return lines


def structure_in_words(tournament: Tournament) -> str:
    """Format, in a line."""
    words = [Structure(tournament.structure).label]
    if tournament.pods:
        words = [f"Pods of {tournament.table_size}"]
    if tournament.is_league:
        words = [f"League, season {tournament.season}"]
        words.append(f"divisions of about {tournament.division_size}")
        words.append(f"{tournament.moving} promoted and relegated" if tournament.moving
                     else "no promotion")  # fmt: skip
    terms = limited_of(tournament)
    if terms is not None:
        words.append(LimitedKind(terms.kind).label.lower())
    if tournament.is_evening:
        words.append("live evening")
    if tournament.is_ladder:
        words.append("challenge up to three places above, open end")
    if tournament.series is not None:
        length = tournament.series.words
        words.append(f"each table plays {length[0].lower()}{length[1:]}")
    if tournament.twice:
        words.append("all players meet twice")
    if tournament.rounds_planned:
        plural = "" if tournament.rounds_planned == 1 else "s"
        words.append(f"{tournament.rounds_planned} round{plural}")
    if tournament.cut:
        words.append(f"then top {tournament.cut}")
    if tournament.third_place:
        words.append("third-place match")
    return ", ".join(words)


def options_in_words(tournament: Tournament) -> list[tuple[str, str]]:
    """The mode's options that differ from the usual ones."""
    mode = rules.game(tournament.game).mode(tournament.mode)
    rows = []
    for option in mode.options:
        value = tournament.options.get(option.slug, option.default)
        usual = option.default
        if value != (list(usual) if isinstance(usual, tuple) else usual):
            many = value if isinstance(value, list) else [value]
            words = ", ".join(str(option.names.get(v, v)) for v in many)
            rows.append((option.name, words or "None"))
    return rows
