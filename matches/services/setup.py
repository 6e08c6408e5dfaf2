"""Setting up: the table, who sits where with which deck, the start, and a rematch."""

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
from matches.models import Match, Pace, Seat, SeatKind, Status, Timeout
from matches.queries import lobby, ratings
from matches.queries.seat_decks import SeatDeck, checked_deck, compatible_starters
from matches.services import ante, lobby_notices, notices, store_ply
from matches.services.writing import compare_and_swap, one_write, read_match, retried
from rules.engine.chance import commitment
from rules.engine.errors import BadSetup
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

MATCHES_AT_ONCE = 60
"""How many matches that are not over a person may have set up to play there, or for bots alone."""

MATCHES_FOR_OTHERS = 600
"""How many more a member may have set up for others, with no seat there. A guest has none."""

OPEN_TABLES = 3
"""How many tables of a person's own may wait for people; rematches are not counted."""

MOST_WITHIN = 2000
"""The widest window of ratings that a table may ask for."""

STAFF_TIMES = 10
"""So many times as much the staff may."""


WHO_SITS = ("kind", "user", "invited", "client_seed", "deck", "deck_name")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who is to sit in a seat when a match is made.

    ``person`` without a ``user`` is the host. ``open`` with a ``user`` is kept for that person.
    ``bot`` without a name is the game's best.
    ``deck`` is used where every seat has a deck of its own; without one a seat gets a ready-made.
    """

    kind: str = SeatKind.PERSON
    user: User | None = None
    bot: str = ""
    deck: SeatDeck | None = None


PlannedSeat = TypeVar("PlannedSeat")

InLobby = Annotated[
    bool,
    Doc(
        "While a seat is open the table stands in the lobby, and anybody may sit down there. "
        "A private one never does."
    ),
]


@dataclass(frozen=True, slots=True)
class MatchSetup(Generic[PlannedSeat]):
    """What a new match is made from. The form's valid values are one, and so is the API's body.

    A new option of a match is a field here, carried out below, and a field of the form by its name.
    ``deck`` is the host's (a saved or a ready-made one by slug, or a list); in a mode where all
    play from one deck it is that one.
    """

    game: Annotated[str, Doc(max_length=40)]
    mode: Annotated[str, Doc(max_length=40)]
    seats: Sequence[PlannedSeat]
    options: Annotated[dict[str, Any] | None, Doc("See the mode's options.")] = None
    pace: Annotated[str, Doc("How much time people have.", choices=Pace.choices)] = Pace.STEADY
    timeout: Annotated[
        Timeout | None,
        Doc(
            "Whose time runs out loses the match after the grace (`forfeit`: 12 hours, live a "
            "minute), is kept warm by a bot (`bot`), or has that turn played (`turn`). Left out: "
            "`forfeit` for two people, `bot` for more."
        ),
    ] = None
    waits: Annotated[bool, Doc("For people who are away. Live tables never wait.")] = True
    private: bool = False
    listed: InLobby = False
    bots_after_minutes: Annotated[
        int | None,
        Doc("After so long bots take the seats still open.", min_value=1, max_value=14 * 1440),
    ] = None
    rating_within: Annotated[
        int | None,
        Doc(
            "Whoever takes a free seat uninvited has a rating that is no further from yours, on "
            "the ladder of this mode and pace; who has none counts as 1500. Not with `private`.",
            min_value=1,
            max_value=MOST_WITHIN,
        ),
    ] = None
    seats_pass_on: Annotated[
        bool,
        Doc(
            "A seat that its person gives up for good may be taken over by somebody else. Only "
            "with `timeout` `bot`, not with `private` nor where everybody brings a deck."
        ),
    ] = False
    deck: str | Decklist | None = None
    client_seed: Annotated[str, Doc("Your own addition to the seed.", max_length=64)] = ""


def setup_like(match: Match, seats: Sequence[SeatPlan]) -> MatchSetup[SeatPlan]:
    """How a match was set up, for a rematch with these seats; such a table is not in the lobby."""
    return MatchSetup(
        match.game,
        match.mode,
        seats,
        options=match.options,
        pace=match.pace,
        timeout=Timeout(match.timeout),
        waits=match.waits,
        private=match.private,
    )


def create_match(*, host: User, setup: MatchSetup[SeatPlan]) -> Match:
    """Set up a match; it starts at once if no seat is open.

    Raises ``NotPossible``, and ``IllegalDeck`` if the deck must not be played.
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
    """Raises ``NotPossible`` where somebody would meet a person whom they are kept apart from."""
    asked = [plan.user for plan in seats if plan.user is not None and plan.user != host]
    apart = lobby.people_kept_apart(host) if asked else frozenset()
    for person in asked:
        if person.pk in apart:
            raise NotPossible(f"{person} cannot be invited to your tables.")


def check_room(host: User, seats: Sequence[SeatPlan]) -> None:
    """Raises ``TooManyMatches``. Tables for others have a limit of their own, for organisers."""
    theirs = Exists(Seat.objects.filter(match=OuterRef("pk")).exclude(kind=SeatKind.BOT))
    sits = Exists(Seat.objects.filter(match=OuterRef("pk"), user=host))
    for_others = Q(theirs) & ~Q(sits)
    going = Match.objects.filter(host=host, status__in=(Status.OPEN, Status.RUNNING))
    times = STAFF_TIMES if host.is_staff else 1
    if not _is_for_others(host, seats):
        _check_open_tables(going.filter(sits, status=Status.OPEN), seats, OPEN_TABLES * times)
    if host.is_guest:
        limit, counted, advice = MATCHES_AT_ONCE, going, "Finish some of them first, or sign up"
    elif _is_for_others(host, seats):
        limit, counted = MATCHES_FOR_OTHERS * times, going.filter(for_others)
        advice = "Wait until some are over, or cancel some that have not begun"
    else:
        limit, counted = MATCHES_AT_ONCE * times, going.exclude(for_others)
        advice = "Finish some of them first; tables at which only others sit do not count"
    if (count := counted.count()) >= limit:
        raise TooManyMatches(
            f"You have set up {count} matches that are not over yet, and {limit} is the most. "
            f"{advice}.",
            limit=limit,
        )


def _check_open_tables(going: QuerySet[Match], seats: Sequence[SeatPlan], limit: int) -> None:
    """One person's tables are not to fill the lobby."""
    if not any(plan.kind == SeatKind.OPEN for plan in seats):
        return  # it waits for nobody
    if (count := going.filter(rematch_of=None).count()) >= limit:
        raise TooManyMatches(
            f"{count} of your tables wait for people already, and {limit} is the most. "
            "Call one of them off first, or wait until somebody sits down.",
            limit=limit,
        )


def _is_for_others(host: User, seats: Sequence[SeatPlan]) -> bool:
    """People are to sit there, and the host is none of them."""
    sits = any(plan.kind == SeatKind.PERSON and plan.user in (None, host) for plan in seats)
    return not sits and any(plan.kind != SeatKind.BOT for plan in seats)


def create_from_plans(
    *, host: User, setup: MatchSetup[SeatPlan], decks: list[Any], rematch_of: Match | None = None
) -> Match:
    """Store a match whose host and decks have been looked at; raises ``NotPossible``."""
    game, mode = engine.find_mode(setup.game, setup.mode)
    if setup.pace not in Pace.values:
        raise NotPossible(f"“{setup.pace}” is no pace. There are: {', '.join(Pace.values)}.")
    timeout = _timeout(setup.timeout, setup.seats, bots=bool(game.bots))
    options = setup.options or {}
    setup = replace(setup, timeout=timeout, options=options)
    rows = planned_seats(host, setup, game.bots)
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
    match.decks, match.rematch_of = decks, rematch_of
    if setup.seats_pass_on:
        _let_seats_pass_on(match, mode)
    if setup.rating_within is not None:
        _ask_for_rating(match, setup.rating_within, rows)
    match.commitment = commitment(bytes(match.server_seed))
    ante.check_seats(match, rows)
    with transaction.atomic():
        match.save(force_insert=True)
        ante.sit_down(match, rows)
        for row in rows:
            row.match = match
        Seat.objects.bulk_create(rows)
        if all(row.kind != SeatKind.OPEN for row in rows):
            start(match, rows, by=host)
            store_ply.announce(match, rows)
        else:
            invited = [row.invited_id for row in rows if row.invited_id is not None]
            lobby_notices.tell_invited(match, invited)
            announce_open(match, rows)
    return match


def unsaved_match(host: User, setup: MatchSetup[SeatPlan], mode: Mode) -> Match:
    """The row of a new match of this mode; what still has to be allowed is not said in it."""
    match = Match(
        game=setup.game,
        mode=setup.mode,
        rules_version=mode.rules_version,
        options=mode.checked_options(setup.options or {}),
        pace=setup.pace,
        timeout=setup.timeout or Timeout.FORFEIT,
        waits=setup.waits and setup.pace != Pace.LIVE,
        private=setup.private,
        listed=setup.listed and not setup.private,
        host=host,
    )
    if setup.bots_after_minutes is not None:
        match.bots_at = match.created_at + timedelta(minutes=setup.bots_after_minutes)
    return match


def _let_seats_pass_on(match: Match, mode: Mode) -> None:
    """Say that seats may be taken over; raises ``NotPossible`` where that would not be fair."""
    if match.private:
        raise NotPossible("Seats of a private match are not passed on. Leave out one of the two.")
    if match.timeout != Timeout.BOT:
        raise NotPossible(
            "A seat can be passed on where a bot keeps it meanwhile. Let a bot play for whoever "
            "runs out of time."
        )
    if mode.decks(match.options) == "own":
        raise NotPossible("Where everybody brings a deck of their own no seat is passed on.")
    match.seats_pass_on = True


def _ask_for_rating(match: Match, within: int, rows: Sequence[Seat]) -> None:
    """Say which ratings an open table is for: those around the host's; raises ``NotPossible``."""
    if match.private:
        raise NotPossible(
            "A private match is not rated, so it cannot ask for a rating. Leave out one of the two."
        )
    if why := ratings.why_mode_unrated(engine.mode_of(match)):
        raise NotPossible(f"{why} Its tables cannot ask for a rating.")
    if not 1 <= within <= MOST_WITHIN:
        raise NotPossible(f"A rating may differ by 1 to {MOST_WITHIN} points, not by {within}.")
    if not any(row.kind == SeatKind.OPEN for row in rows):
        return  # nobody comes of whom it could be asked
    assert match.host is not None
    own = ratings.ratings_of(match.host.pk).get(ratings.ladder_of(match), ratings.MIDDLE)
    match.rating_from, match.rating_to = own - within, own + within


def _timeout(wanted: str | None, seats: Sequence[SeatPlan], *, bots: bool) -> Timeout:
    """What happens to whoever runs out of time: as the host says, or as is usual."""
    if wanted is None:
        people = sum(plan.kind != SeatKind.BOT for plan in seats)
        return Timeout.BOT if people > 2 and bots else Timeout.FORFEIT
    if wanted not in Timeout.values:
        known = ", ".join(Timeout.values)
        raise NotPossible(f"“{wanted}” is no rule for time that runs out. There are: {known}.")
    if wanted == Timeout.BOT and not bots:
        raise NotPossible("This game has no bots that could play for whoever runs out of time.")
    return Timeout(wanted)


def announce_open(match: Match, seats: Sequence[Seat], others: Iterable[int] = ()) -> None:
    """After the commit, ring for a table that is, or was, open: at it, in the lobby, to people.

    Besides those who sit there those hear it who are invited, and the ``others``.
    """
    store_ply.announce(match, seats)
    people = {seat.invited_id for seat in seats if seat.invited_id is not None} | {*others}
    after_commit(bell.ring_lobby, listed=match.listed, people=sorted(people))


def planned_seats(host: User, setup: MatchSetup[SeatPlan], bots: Iterable[str]) -> list[Seat]:
    """The rows of the seats, without decks; ``bots`` are the game's. Raises ``NotPossible``."""
    rows = []
    bots = list(bots)
    client_seed = checked_client_seed(setup.client_seed)
    for number, plan in enumerate(setup.seats):
        row = Seat(number=number, kind=plan.kind)
        if plan.kind == SeatKind.PERSON:
            row.user = plan.user or host
            row.client_seed = client_seed if row.user == host else ""
        elif plan.kind == SeatKind.BOT:
            if not bots:
                raise NotPossible("This game has no bots: leave the seat open for somebody.")
            row.bot = plan.bot or bots[-1]
            if row.bot not in bots:
                raise NotPossible(f"There is no bot “{row.bot}”. There are: {', '.join(bots)}.")
        elif plan.kind == SeatKind.OPEN:
            row.invited = plan.user
        else:
            raise NotPossible(f"A seat is for a person, a bot, or open; not “{plan.kind}”.")
        rows.append(row)
    people = [row.user for row in rows if row.user is not None]
    people += [row.invited for row in rows if row.invited is not None]
    if len(set(people)) < len(people):
        raise NotPossible("Nobody can sit in two seats of one match.")
    return rows


def _give_decks(
    game: Game,
    mode: Mode,
    rows: Sequence[Seat],
    plans: Sequence[SeatPlan],
    options: dict[str, Any],
) -> None:
    """A deck for every seat that is taken, or kept with a deck in it."""
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
    """What seats without a deck would bring: people the first ready-made one, bots in turn."""
    turns = [0 if row.kind == SeatKind.PERSON else row.number for row in rows]
    return compatible_starters(game, mode, options, [row.deck for row in rows], turns)


def set_deck(seat: Seat, deck: SeatDeck | None) -> None:
    seat.deck = None if deck is None else deck.cards
    seat.deck_name = "" if deck is None else deck.name


def _tried_decks(
    game: Game, mode: Mode, rows: Sequence[Seat], options: dict[str, Any]
) -> list[Any]:
    """The decks of the seats; where nobody sits yet, one that somebody might bring."""
    ready = ready_decks(game, mode, rows, options)
    return [row.deck or deck.cards for row, deck in zip(rows, ready, strict=True)]


def checked_client_seed(text: str) -> str:
    """What a player adds to the seed: one printable line of at most 64 characters."""
    text = text.strip()
    if len(text) > 64 or not text.isprintable():
        raise NotPossible("A seed of your own is one line of at most 64 characters.")
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
    """Take an open seat; the last one to sit down starts the match.

    Somebody who sits there already just gets that seat again. ``deck`` as in ``create_match``;
    without one, the deck that is kept with the seat, else a ready-made one. Where a table is
    played for keeps only those sit down who have said that they agree (``agrees``).
    """
    client_seed = checked_client_seed(client_seed)
    game, mode = engine.find_mode(match.game, match.mode)
    brings = mode.decks(match.options) == "own"
    if deck is not None and not brings:
        raise NotPossible(f"In {mode.name} nobody brings a deck of their own.")
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
            else "All seats of this match are taken."
        )
    seat = _free_seat(match, seats, user)
    if mode.for_keeps(match.options) and not agrees:
        raise NotPossible(ante.SAY_YES)
    seat.kind, seat.user, seat.invited = SeatKind.PERSON, user, None
    seat.client_seed = client_seed
    try:
        if brings and (own is not None or seat.deck is None):
            set_deck(seat, own or ready_decks(game, mode, seats, match.options)[seat.number])
        with one_write():
            compare_and_swap(match)
            seat.save(update_fields=WHO_SITS)
            ante.sit_down(match, [seat])
            lobby_notices.tell_not_invited(match, [user.pk])
            start_if_full(match, seats, by=user)
            announce_open(match, seats, [user.pk])
    except BadSetup as error:  # decks that may not meet, for one
        raise NotPossible(str(error)) from error
    return seat


def _free_seat(match: Match, seats: Sequence[Seat], user: User) -> Seat:
    free = [seat for seat in seats if seat.kind == SeatKind.OPEN]
    kept_for_me = [seat for seat in free if seat.invited_id == user.pk]
    for_anybody = [seat for seat in free if seat.invited_id is None]
    if not kept_for_me + for_anybody:
        raise NotOpen("The open seats of this match are kept for other people.")
    if lobby.people_kept_apart(user) & {match.host_id, *(seat.user_id for seat in seats)}:
        raise NotOpen("You cannot sit down at this table.")
    if not kept_for_me and match.rating_from is not None:
        outside = ratings.why_outside(match, ratings.ratings_of(user.pk))
        if outside:
            raise NotPossible(outside)
    return (kept_for_me + for_anybody)[0]


@retried
def leave_match(*, match: Match, user: User) -> Match:
    """Give a seat back before the start. When the host leaves, the match is cancelled."""
    match = read_match(match.slug)
    seats = list(match.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if match.host_id != user.pk and seat is None:
        raise NotYourSeat("You do not sit at this table.")
    if match.status != Status.OPEN:
        raise NotOpen("The match has started; from now on you can only concede.")
    with one_write():
        compare_and_swap(match)
        if match.host_id == user.pk:
            call_off(match, seats, by=user)
        else:
            assert seat is not None
            ante.release(match, seat)
            free_seat(seat)
            announce_open(match, seats)
    return match


def call_off(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """End an open table, inside its write. What was brought to it was never played: it goes.

    A rematch that is cancelled stands in nobody's way: there can be another one. ``by`` None: it
    has waited too long.
    """
    notices.tell_cancelled(match, seats, by=by)
    ante.release(match)
    invited = [seat.invited_id for seat in seats if seat.invited_id is not None]
    match.status, match.decks, match.rematch_of = Status.CANCELLED, [], None
    match.save(update_fields=("status", "decks", "rematch_of"))
    for seat in seats:
        seat.invited = None
        set_deck(seat, None)
    Seat.objects.bulk_update(seats, ("invited", "deck", "deck_name"))
    lobby_notices.tell_not_invited(match, invited)
    lobby_notices.tell_host_no_more(match)
    announce_open(match, seats, invited)


def free_seat(seat: Seat) -> None:
    """Nobody sits there any more, it is kept for nobody, and nobody's deck is kept with it."""
    seat.kind, seat.user, seat.invited, seat.client_seed = SeatKind.OPEN, None, None, ""
    set_deck(seat, None)
    seat.save(update_fields=WHO_SITS)


def start_if_full(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """Deal if nobody is missing any more. Inside the transaction that filled a seat."""
    if all(seat.kind != SeatKind.OPEN for seat in seats):
        lobby_notices.tell_host_no_more(match)
        start(match, seats, by=by)


def start(match: Match, seats: Sequence[Seat], *, by: User | None = None) -> None:
    """Deal. Inside the transaction in which ``by`` (None: a bot) filled the last seat."""
    now = timezone.now()
    table = engine.begin(match, seats)
    match.status = Status.RUNNING
    match.started_at = match.moved_at = now
    match.opening = engine.store_events(table.opening)
    store_ply.copy_table_to_rows(match, seats, table, now)
    match.save(
        update_fields=(
            "status", "started_at", "moved_at", "opening", "state", "outcome", "reason",
            "finished_at", "deadline_at", "acts_at",
        )
    )  # fmt: skip
    Seat.objects.bulk_update(seats, store_ply.CHANGING)
    notices.tell_start(match, seats, by=by)
    if match.status == Status.FINISHED:
        store_ply.announce_end(match, seats)
