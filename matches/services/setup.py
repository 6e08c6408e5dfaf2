"""Creating tables, joining and leaving them, decks for the seats, and the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Annotated, Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from core.background import after_commit
from core.serializers import Doc
from matches import engine
from matches.errors import NotOpen, NotPossible, NotYourSeat, TooManyMatches
from matches.live import bell
from matches.models import (
    Match,
    Seat,
    SeatKind,
    Series,
    SeriesTerms,
    Status,
    TimeControl,
    Timeout,
    Unrated,
)
from matches.queries import lobby, ratings
from matches.queries.seat_decks import SeatDeck, checked_deck, compatible_starters
from matches.services import ante, lobby_notices, notices, store_ply
from matches.services.writing import compare_and_swap, one_write, read_match, retried
from rules.engine.chance import commitment
from rules.engine.errors import BadSetup
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

MAX_MATCHES = 60
"""Unfinished matches per host in which the host, or only bots, play."""

MAX_MATCHES_FOR_OTHERS = 600
"""Unfinished matches per host in which only others play; for members, not guests."""

MAX_OPEN_TABLES = 3
"""Open tables per host; rematches don't count."""

MAX_RATING_WITHIN = 2000
"""The widest rating range of a table."""

STAFF_FACTOR = 10
"""Staff members get these limits times this."""


SEATING_FIELDS = ("kind", "user", "invited", "client_seed", "deck", "deck_name")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The planned occupant of a seat.

    ``person`` without a ``user`` is the host. ``open`` with a ``user`` is reserved for that person.
    An empty ``bot`` is the game's strongest. ``deck`` is for modes in which each seat brings a
    deck; without one the seat gets a preconstructed deck.
    """

    kind: str = SeatKind.PERSON
    user: User | None = None
    bot: str = ""
    deck: SeatDeck | None = None


PlannedSeat = TypeVar("PlannedSeat")

InLobby = Annotated[
    bool,
    Doc(
        "List the table in the lobby while a seat is open, so that anyone can join. "
        "Not for private tables."
    ),
]


@dataclass(frozen=True, slots=True)
class MatchSetup(Generic[PlannedSeat]):
    """The setup of a new match, built by the form and by the API's body alike.

    A new option of a match is a field here, applied below, and a form field of the same name.
    ``deck`` is the host's (a saved or preconstructed deck by slug, or a list), or the shared one in
    a mode with one deck for all.
    """

    game: Annotated[str, Doc(max_length=40)]
    mode: Annotated[str, Doc(max_length=40)]
    seats: Sequence[PlannedSeat]
    options: Annotated[dict[str, Any] | None, Doc("See the mode’s options.")] = None
    time_control: Annotated[str, Doc("Time per player.", choices=TimeControl.choices)] = (
        TimeControl.STEADY
    )
    timeout: Annotated[
        Timeout | None,
        Doc(
            "On timeout the player loses after a grace period (`forfeit`: 12 hours, in "
            "live matches one minute), is replaced by a bot until they return (`bot`), or "
            "has a default move played (`turn`). Default: `forfeit` for two people, `bot` for more."
        ),
    ] = None
    pauses_when_away: Annotated[
        bool, Doc("Clocks pause during vacation. Never in live matches.")
    ] = True
    rated: Annotated[
        bool,
        Doc(
            "False for a casual match. Private matches, matches with guests and some modes are "
            "never rated; matches with bots change only the bots’ ratings."
        ),
    ] = True
    private: bool = False
    listed: InLobby = False
    bots_after_minutes: Annotated[
        int | None,
        Doc("Bots take open seats after this time.", min_value=1, max_value=14 * 1440),
    ] = None
    rating_within: Annotated[
        int | None,
        Doc(
            "A player who joins uninvited has a rating at most this far from yours, on the "
            "leaderboard of this mode and time control; unrated players count as 1500. "
            "Not with `private`.",
            min_value=1,
            max_value=MAX_RATING_WITHIN,
        ),
    ] = None
    allows_replacements: Annotated[
        bool,
        Doc(
            "Another player may take over the seat of one who leaves. Only with `timeout` `bot`, "
            "not with `private`, and not where each player brings a deck."
        ),
    ] = False
    series: Annotated[
        SeriesTerms | None,
        Doc(
            "For two players: several matches: `matches` (2 to 20) or `first_to` wins (2 to 10). "
            "The next match starts automatically. It ends once its result is certain. "
            "Not for keeps, not with `allows_replacements`.",
            allow_null=True,
        ),
    ] = None
    deck: str | Decklist | None = None
    client_seed: Annotated[str, Doc("Your client seed.", max_length=64)] = ""


def setup_like(match: Match, seats: Sequence[SeatPlan]) -> MatchSetup[SeatPlan]:
    """The setup of a match, for a rematch with these seats; never listed in the lobby."""
    return MatchSetup(
        match.game,
        match.mode,
        seats,
        options=match.options,
        time_control=match.time_control,
        timeout=Timeout(match.timeout),
        pauses_when_away=match.pauses_when_away,
        rated=match.unrated != Unrated.CASUAL,
        private=match.private,
    )


def create_match(*, host: User, setup: MatchSetup[SeatPlan]) -> Match:
    """Create a match; it starts at once if no seat is open.

    Raises ``NotPossible``, ``TooManyMatches``, and ``IllegalDeck``.
    """
    check_room(host, setup.seats)
    _check_people(host, setup.seats)
    game, mode = engine.find_mode(setup.game, setup.mode)
    options = setup.options or {}
    own = None
    if setup.deck is not None:
        own = checked_deck(user=host, game=game, mode=mode, deck=setup.deck, options=options)
    brings = mode.decks(options) == "own"
    if brings:
        seats = [
            replace(plan, deck=own) if plan.kind == SeatKind.PERSON and plan.deck is None else plan
            for plan in setup.seats
        ]
        setup = replace(setup, seats=seats)
    shared = [] if own is None or brings else [own.cards]
    return create_from_plans(host=host, setup=setup, decks=shared)


def _check_people(host: User, seats: Sequence[SeatPlan]) -> None:
    """Raise ``NotPossible`` if the host and an invited person are kept apart by a block."""
    others = [plan.user for plan in seats if plan.user is not None and plan.user != host]
    apart = lobby.people_kept_apart(host) if others else frozenset()
    for person in others:
        if person.pk in apart:
            raise NotPossible(f"You can’t invite {person} to your tables.")


def check_room(host: User, seats: Sequence[SeatPlan]) -> None:
    """Raise ``TooManyMatches``. Tables for others, as of organisers, have a separate limit."""
    theirs = Exists(Seat.objects.filter(match=OuterRef("pk")).exclude(kind=SeatKind.BOT))
    sits = Exists(Seat.objects.filter(match=OuterRef("pk"), user=host))
    for_others = Q(theirs) & ~Q(sits)
    going = Match.objects.filter(host=host, status__in=(Status.OPEN, Status.RUNNING))
    times = STAFF_FACTOR if host.is_staff else 1
    if not _is_for_others(host, seats):
        _check_open_tables(going.filter(sits, status=Status.OPEN), seats, MAX_OPEN_TABLES * times)
    if host.is_guest:
        limit, counted, advice = MAX_MATCHES, going, "Finish some first, or sign up"
    elif _is_for_others(host, seats):
        limit, counted = MAX_MATCHES_FOR_OTHERS * times, going.filter(for_others)
        advice = "Wait until some are over, or cancel some that have not started"
    else:
        limit, counted = MAX_MATCHES * times, going.exclude(for_others)
        advice = "Finish some first; tables where only others play don’t count"
    if (count := counted.count()) >= limit:
        noun = "match" if count == 1 else "matches"
        raise TooManyMatches(
            f"You already have {count} unfinished {noun} (limit {limit}). {advice}.",
            limit=limit,
        )


def _check_open_tables(going: QuerySet[Match], seats: Sequence[SeatPlan], limit: int) -> None:
    """Raise ``TooManyMatches`` if the host's tables would crowd the lobby."""
    if not any(plan.kind == SeatKind.OPEN for plan in seats):
        return  # no seat is open
    if (count := going.filter(rematch_of=None).count()) >= limit:
        raise TooManyMatches(
            f"You already have {count} open tables (limit {limit}). Cancel one first.",
            limit=limit,
        )


def _is_for_others(host: User, seats: Sequence[SeatPlan]) -> bool:
    """True if seats are for people, but none for the host."""
    sits = any(plan.kind == SeatKind.PERSON and plan.user in (None, host) for plan in seats)
    return not sits and any(plan.kind != SeatKind.BOT for plan in seats)


def create_from_plans(
    *,
    host: User,
    setup: MatchSetup[SeatPlan],
    decks: list[Any],
    rematch_of: Match | None = None,
    in_event: bool = False,
    goes_on: bool = False,
) -> Match:
    """Store a match whose host and decks are checked already; raises ``NotPossible``.

    The players of a match that is ``in_event`` cannot cancel it. With ``goes_on`` it is the next
    match of the series of ``rematch_of``, its players have changed seats, and all are told.
    """
    game, mode = engine.find_mode(setup.game, setup.mode)
    if setup.time_control not in TimeControl.values:
        known = ", ".join(TimeControl.values)
        raise NotPossible(f"“{setup.time_control}” is not a time control. Choose one of: {known}.")
    timeout = _timeout(setup.timeout, setup.seats, bots=bool(game.bots))
    options = setup.options or {}
    setup = replace(setup, timeout=timeout, options=options)
    rows = planned_seats(host, setup, game)
    brings = mode.decks(options) == "own"
    if brings:
        _give_decks(game, mode, rows, setup.seats, options)
    engine.try_setup(
        game,
        mode,
        seats=len(setup.seats),
        options=options,
        decks=_tried_decks(game, mode, rows, options) if brings else decks,
    )
    match = unsaved_match(host, setup, mode)
    match.decks, match.rematch_of, match.in_event = decks, rematch_of, in_event
    if setup.allows_replacements:
        _allow_replacements(match, mode)
    if setup.rating_within is not None:
        _ask_for_rating(match, setup.rating_within, rows)
    match.commitment = commitment(bytes(match.server_seed))
    ante.check_seats(match, rows)
    if setup.series is not None:
        _check_series(setup.series, match, mode, rows)
    with transaction.atomic():
        if goes_on and rematch_of is not None:
            match.series = rematch_of.series
            match.series_number = (rematch_of.series_number or 0) + 1
            match.seats_swapped = not rematch_of.seats_swapped
        elif setup.series is not None:
            match.series = Series.objects.create(
                matches_agreed=setup.series.matches, first_to=setup.series.first_to
            )
            match.series_number = 1
        match.save(force_insert=True)
        ante.sit_down(match, rows)
        for row in rows:
            row.match = match
        Seat.objects.bulk_create(rows)
        if all(row.kind != SeatKind.OPEN for row in rows):
            start(match, rows, by=None if goes_on else host)
            store_ply.announce(match, rows)
        else:
            invited = [row.invited_id for row in rows if row.invited_id is not None]
            lobby_notices.tell_invited(match, invited)
            announce_open(match, rows)
    return match


def _check_series(terms: SeriesTerms, match: Match, mode: Mode, rows: Sequence[Seat]) -> None:
    """Raise ``NotPossible`` where a match can't be the first of a series with these terms."""
    if terms.fault:
        raise NotPossible(terms.fault)
    if len(rows) != 2 or mode.together:
        raise NotPossible("A series is for two players against each other.")
    if all(row.kind == SeatKind.BOT for row in rows):
        raise NotPossible("A series needs a person. Bots play single matches.")
    if ante.for_keeps(match):
        raise NotPossible("A series can’t be played for keeps. Choose a single match.")
    if match.allows_replacements:
        raise NotPossible("A series can’t allow replacements. Turn off one of the two.")


def stop_series(match: Match) -> None:
    """End the series of a match that was cancelled; within the caller's write."""
    if match.series_id is not None:
        Series.objects.filter(pk=match.series_id, ended_at=None).update(ended_at=timezone.now())


def unsaved_match(host: User, setup: MatchSetup[SeatPlan], mode: Mode) -> Match:
    """The unsaved row of a new match, without the options that still need a check."""
    match = Match(
        game=setup.game,
        mode=setup.mode,
        rules_version=mode.rules_version,
        options=mode.checked_options(setup.options or {}),
        time_control=setup.time_control,
        timeout=setup.timeout or Timeout.FORFEIT,
        pauses_when_away=setup.pauses_when_away and setup.time_control != TimeControl.LIVE,
        unrated="" if setup.rated else Unrated.CASUAL,
        private=setup.private,
        listed=setup.listed and not setup.private,
        host=host,
    )
    if setup.bots_after_minutes is not None:
        match.bots_join_at = match.created_at + timedelta(minutes=setup.bots_after_minutes)
    return match


def _allow_replacements(match: Match, mode: Mode) -> None:
    """Allow replacements; raises ``NotPossible`` where that would not be fair."""
    if match.private:
        raise NotPossible("Private tables can’t allow replacements. Turn off one of the two.")
    if match.timeout != Timeout.BOT:
        raise NotPossible(
            "Replacements need a bot that plays in the meantime. Choose that a bot takes over when "
            "a player runs out of time."
        )
    if mode.decks(match.options) == "own":
        raise NotPossible("Replacements aren’t possible where each player brings a deck.")
    match.allows_replacements = True


def _ask_for_rating(match: Match, within: int, rows: Sequence[Seat]) -> None:
    """Set the rating range of an open table, around the host's; raises ``NotPossible``."""
    if match.private:
        raise NotPossible(
            "Private matches aren’t rated, so they can’t have a rating range. Turn off one "
            "of the two."
        )
    if match.unrated:
        raise NotPossible("Casual matches can’t have a rating range. Turn off one of the two.")
    if why := ratings.why_mode_unrated(engine.mode_of(match)):
        raise NotPossible(f"{why} Its tables can’t have a rating range.")
    if not 1 <= within <= MAX_RATING_WITHIN:
        raise NotPossible(f"Choose a rating range of 1 to {MAX_RATING_WITHIN} points.")
    if not any(row.kind == SeatKind.OPEN for row in rows):
        return  # nobody can join
    assert match.host is not None
    own = ratings.ratings_of(match.host.pk).get(ratings.ladder_of(match), ratings.MIDDLE)
    match.rating_from, match.rating_to = own - within, own + within


def _timeout(wanted: str | None, seats: Sequence[SeatPlan], *, bots: bool) -> Timeout:
    """The rule for players who run out of time: the host's choice, or the default."""
    if wanted is None:
        people = sum(plan.kind != SeatKind.BOT for plan in seats)
        return Timeout.BOT if people > 2 and bots else Timeout.FORFEIT
    if wanted not in Timeout.values:
        known = ", ".join(Timeout.values)
        raise NotPossible(f"Unknown timeout rule “{wanted}”. Choose one of: {known}.")
    if wanted == Timeout.BOT and not bots:
        raise NotPossible("This game has no bots to take over for a player who runs out of time.")
    return Timeout(wanted)


def announce_open(match: Match, seats: Sequence[Seat], others: Iterable[int] = ()) -> None:
    """After the commit, send live updates on a table that is or was open: to the table, the lobby,
    its players, the people who are invited, and the ``others``.
    """
    store_ply.announce(match, seats)
    people = {seat.invited_id for seat in seats if seat.invited_id is not None} | {*others}
    after_commit(bell.ring_lobby, listed=match.listed, people=sorted(people))


def checked_bot(game: Game, mode: str, bot: str) -> str:
    """The bot of that slug, or the best quick one for ""; raises ``NotPossible``."""
    players = game.opponents(mode)
    bot = bot or [*game.bots][-1]
    if bot not in players:
        raise NotPossible(f"Unknown bot “{bot}”. Choose one of: {', '.join(players)}.")
    return bot


def planned_seats(host: User, setup: MatchSetup[SeatPlan], game: Game) -> list[Seat]:
    """Unsaved rows of the seats, without decks. Raises ``NotPossible``."""
    rows = []
    client_seed = checked_client_seed(setup.client_seed)
    for number, plan in enumerate(setup.seats):
        row = Seat(number=number, kind=plan.kind)
        if plan.kind == SeatKind.PERSON:
            row.user = plan.user or host
            row.client_seed = client_seed if row.user == host else ""
        elif plan.kind == SeatKind.BOT:
            if not game.bots:
                raise NotPossible("This game has no bots. Leave the seat open instead.")
            row.bot = checked_bot(game, setup.mode, plan.bot)
        elif plan.kind == SeatKind.OPEN:
            row.invited = plan.user
        else:
            raise NotPossible(
                f"Unknown kind of seat “{plan.kind}”. Choose “person”, “bot” or “open”."
            )
        rows.append(row)
    people = [row.user for row in rows if row.user is not None]
    people += [row.invited for row in rows if row.invited is not None]
    if len(set(people)) < len(people):
        raise NotPossible("A player can’t have two seats in one match.")
    return rows


def _give_decks(
    game: Game,
    mode: Mode,
    rows: Sequence[Seat],
    plans: Sequence[SeatPlan],
    options: dict[str, Any],
) -> None:
    """Give each occupied seat a deck, and each reserved seat the deck that is planned for it."""
    for row, plan in zip(rows, plans, strict=True):
        if plan.deck is not None:
            set_deck(row, plan.deck)
    ready = ready_decks(game, mode, rows, options)
    for row, deck in zip(rows, ready, strict=True):
        if row.deck is None and row.kind != SeatKind.OPEN:
            set_deck(row, deck)


def ready_decks(
    game: Game, mode: Mode, rows: Sequence[Seat], options: dict[str, Any]
) -> list[SeatDeck]:
    """A deck per seat: its own, else a preconstructed one (people the first, bots in turn)."""
    turns = [0 if row.kind == SeatKind.PERSON else row.number for row in rows]
    return compatible_starters(game, mode, options, [row.deck for row in rows], turns)


def set_deck(seat: Seat, deck: SeatDeck | None) -> None:
    seat.deck = None if deck is None else deck.cards
    seat.deck_name = "" if deck is None else deck.name


def _tried_decks(
    game: Game, mode: Mode, rows: Sequence[Seat], options: dict[str, Any]
) -> list[Any]:
    """The decks of the seats; for seats without one, a preconstructed deck."""
    ready = ready_decks(game, mode, rows, options)
    return [row.deck or deck.cards for row, deck in zip(rows, ready, strict=True)]


def checked_client_seed(text: str) -> str:
    """A valid client seed: one printable line of up to 64 characters; raises ``NotPossible``."""
    text = text.strip()
    if len(text) > 64 or not text.isprintable():
        raise NotPossible("Your own seed can be one line of up to 64 characters.")
    return text


@retried
def join_match(
    *,
    match: Match,
    user: User,
    client_seed: str = "",
    deck: str | Decklist | None = None,
    agrees: bool = False,
) -> Seat:
    """Take an open seat; the last player to join starts the match.

    Idempotent for players of the table. ``deck`` is as in ``create_match``; the default is the deck
    that was prepared for the seat, else a preconstructed one. Tables played for keeps can only be
    joined with consent to the stakes (``agrees``).
    """
    client_seed = checked_client_seed(client_seed)
    game, mode = engine.find_mode(match.game, match.mode)
    brings = mode.decks(match.options) == "own"
    if deck is not None and not brings:
        raise NotPossible(f"In {mode.name} players don’t bring their own decks.")
    own = None
    if deck is not None:
        own = checked_deck(user=user, game=game, mode=mode, deck=deck, options=match.options)
    match = read_match(match.slug)
    seats = list(match.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is not None:
        return mine
    if match.status != Status.OPEN:
        raise NotOpen(
            "This match was cancelled."
            if match.status == Status.CANCELLED
            else "This table is full."
        )
    seat = _free_seat(match, seats, user)
    if mode.for_keeps(match.options) and not agrees:
        raise NotPossible(ante.MUST_AGREE)
    seat.kind, seat.user, seat.invited = SeatKind.PERSON, user, None
    seat.client_seed = client_seed
    try:
        if brings and (own is not None or seat.deck is None):
            set_deck(seat, own or ready_decks(game, mode, seats, match.options)[seat.number])
        with one_write():
            compare_and_swap(match)
            seat.save(update_fields=SEATING_FIELDS)
            ante.sit_down(match, [seat])
            lobby_notices.retract_invitations(match, [user.pk])
            start_if_full(match, seats, by=user)
            announce_open(match, seats, [user.pk])
    except BadSetup as error:  # decks that may not meet, for one
        raise NotPossible(str(error)) from error
    return seat


def _free_seat(match: Match, seats: Sequence[Seat], user: User) -> Seat:
    free = [seat for seat in seats if seat.kind == SeatKind.OPEN]
    reserved = [seat for seat in free if seat.invited_id == user.pk]
    unreserved = [seat for seat in free if seat.invited_id is None]
    if not reserved + unreserved:
        raise NotOpen(lobby.ALL_RESERVED)
    if lobby.people_kept_apart(user) & {match.host_id, *(seat.user_id for seat in seats)}:
        raise NotOpen("You can’t join this table.")
    if not reserved and match.rating_from is not None:
        outside = ratings.why_outside(match, ratings.ratings_of(user.pk))
        if outside:
            raise NotPossible(outside)
    return (reserved + unreserved)[0]


@retried
def leave_match(*, match: Match, user: User) -> Match:
    """Leave an open table. When the host leaves, it is cancelled."""
    match = read_match(match.slug)
    seats = list(match.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if match.host_id != user.pk and seat is None:
        raise NotYourSeat("You are not a player at this table.")
    if match.status != Status.OPEN:
        raise NotOpen("The match has already started. You can only concede.")
    with one_write():
        compare_and_swap(match)
        if match.host_id == user.pk:
            cancel_table(match, seats, by=user)
        else:
            assert seat is not None
            ante.release(match, seat)
            free_seat(seat)
            announce_open(match, seats)
    return match


def cancel_table(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """Cancel an open table, within the caller's write; its decks are dropped.

    A cancelled rematch can be requested again. ``by`` is None for a table that has expired.
    """
    notices.tell_table_cancelled(match, seats, by=by)
    ante.release(match)
    invited = [seat.invited_id for seat in seats if seat.invited_id is not None]
    match.status, match.decks, match.rematch_of = Status.CANCELLED, [], None
    match.save(update_fields=("status", "decks", "rematch_of"))
    stop_series(match)
    for seat in seats:
        seat.invited = None
        set_deck(seat, None)
    Seat.objects.bulk_update(seats, ("invited", "deck", "deck_name"))
    lobby_notices.retract_invitations(match, invited)
    lobby_notices.retract_reminders(match)
    announce_open(match, seats, invited)


def free_seat(seat: Seat) -> None:
    """Make a seat open and unreserved, without a deck."""
    seat.kind, seat.user, seat.invited, seat.client_seed = SeatKind.OPEN, None, None, ""
    set_deck(seat, None)
    seat.save(update_fields=SEATING_FIELDS)


def start_if_full(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """Start the match if no seat is open; within the transaction that filled a seat."""
    if all(seat.kind != SeatKind.OPEN for seat in seats):
        lobby_notices.retract_reminders(match)
        start(match, seats, by=by)


def start(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """Start the match, within the transaction in which ``by`` (None: a bot) took the last seat."""
    now = timezone.now()
    table = engine.begin(match, seats)
    match.status = Status.RUNNING
    match.started_at = now
    match.set_moved(now)
    match.among_people = sum(seat.kind == SeatKind.PERSON for seat in seats) > 1
    match.opening_events = engine.store_events(table.opening)
    store_ply.copy_table_to_rows(match, seats, table, now)
    match.save(
        update_fields=(
            "status", "started_at", "moved_at", "active_at", "among_people", "opening_events",
            "state", "outcome", "reason", "finished_at", "deadline_at", "clock_check_at",
            "bots_asked_at",
        )
    )  # fmt: skip
    Seat.objects.bulk_update(seats, store_ply.CHANGING)
    notices.tell_start(match, seats, by=by)
    if match.status == Status.FINISHED:
        store_ply.announce_end(match, seats)
