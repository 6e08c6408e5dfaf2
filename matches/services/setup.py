"""Setting up: the table, who sits where with which deck, the start, and a rematch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from matches import clock, engine
from matches.errors import NotFinished, NotOpen, NotPossible, NotYourSeat, TooManyMatches
from matches.models import FORMER_PACES, Match, Pace, Seat, SeatKind, Status, Timeout
from matches.seat_decks import SeatDeck, checked_deck, compatible_starters
from matches.services import record
from matches.services.writing import compare_and_swap, one_write, read_match, retried, seat_of
from rules.engine.chance import commitment
from rules.engine.errors import BadSetup
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

MATCHES_AT_ONCE = 60
"""How many matches that are not over a person may have set up to play there, or for bots alone."""

MATCHES_FOR_OTHERS = 600
"""How many more a member may have set up for others, with no seat there. A guest has none."""

STAFF_TIMES = 10
"""So many times as much the staff may."""


_WHO_SITS = ("kind", "user", "invited", "client_seed", "deck", "deck_name")


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


def create_match(
    *,
    host: User,
    game: str,
    mode: str,
    seats: Sequence[SeatPlan],
    options: dict[str, Any] | None = None,
    pace: str = Pace.STEADY,
    timeout: str | None = None,
    waits: bool = True,
    deck: str | Decklist | None = None,
    private: bool = False,
    client_seed: str = "",
) -> Match:
    """Set up a match; it starts at once if no seat is open. Raises ``NotPossible``.

    ``deck`` is the host's (a saved or a ready-made one by slug, or a list); in a mode where all
    play from one deck it is that one. Raises ``IllegalDeck`` if it must not be played.

    ``timeout`` says what happens to whoever runs out of time; left out, two people lose by it, and
    where more sit a bot plays on. ``waits``: for people who are away, at any pace but live.
    """
    _check_room(host, seats)
    found, found_mode = engine.find_mode(game, mode)
    options = options or {}
    own = None
    if deck is not None:
        own = checked_deck(user=host, game=found, mode=found_mode, deck=deck, options=options)
    brings = found_mode.decks(options) == "own"
    if brings:
        seats = [
            replace(plan, deck=own) if plan.kind == SeatKind.PERSON and plan.deck is None else plan
            for plan in seats
        ]
    return _create(
        host=host,
        game=game,
        mode=mode,
        seats=seats,
        options=options,
        pace=pace,
        timeout=timeout,
        waits=waits,
        decks=[] if own is None or brings else [own.cards],
        private=private,
        client_seed=client_seed,
    )


def _check_room(host: User, seats: Sequence[SeatPlan]) -> None:
    """Raises ``TooManyMatches``. Tables for others have a limit of their own, for organisers."""
    theirs = Exists(Seat.objects.filter(match=OuterRef("pk")).exclude(kind=SeatKind.BOT))
    sits = Exists(Seat.objects.filter(match=OuterRef("pk"), user=host))
    for_others = Q(theirs) & ~Q(sits)
    going = Match.objects.filter(host=host, status__in=(Status.OPEN, Status.RUNNING))
    times = STAFF_TIMES if host.is_staff else 1
    if host.is_guest:
        limit, counted, advice = MATCHES_AT_ONCE, going, "Finish some of them first, or sign up"
    elif _is_for_others(host, seats):
        limit, counted = MATCHES_FOR_OTHERS * times, going.filter(for_others)
        advice = "Wait until some are over, or call off some that have not begun"
    else:
        limit, counted = MATCHES_AT_ONCE * times, going.exclude(for_others)
        advice = "Finish some of them first; tables at which only others sit do not count"
    if (count := counted.count()) >= limit:
        raise TooManyMatches(
            f"You have set up {count} matches that are not over yet, and {limit} is the most. "
            f"{advice}.",
            limit=limit,
        )


def _is_for_others(host: User, seats: Sequence[SeatPlan]) -> bool:
    """People are to sit there, and the host is none of them."""
    sits = any(plan.kind == SeatKind.PERSON and plan.user in (None, host) for plan in seats)
    return not sits and any(plan.kind != SeatKind.BOT for plan in seats)


def _create(
    *,
    host: User,
    game: str,
    mode: str,
    seats: Sequence[SeatPlan],
    options: dict[str, Any],
    pace: str,
    timeout: str | None,
    waits: bool,
    decks: list[Any],
    private: bool,
    client_seed: str = "",
    rematch_of: Match | None = None,
) -> Match:
    found, found_mode = engine.find_mode(game, mode)
    pace = clock.FORMER.get(pace, pace)
    if pace not in Pace.values:
        raise NotPossible(f"“{pace}” is no pace. There are: {', '.join(Pace.values)}.")
    timeout = _timeout(timeout, seats, bots=bool(found.bots))
    rows = _planned_seats(host, seats, found.bots, checked_client_seed(client_seed))
    brings = found_mode.decks(options) == "own"
    if brings:
        _give_decks(found, found_mode, rows, seats, options)
    engine.try_setup(
        found,
        found_mode,
        seats=len(seats),
        options=options,
        decks=_tried_decks(found, found_mode, rows, options) if brings else decks,
    )
    match = Match(
        game=found.slug,
        mode=found_mode.slug,
        rules_version=found_mode.rules_version,
        options=found_mode.checked_options(options),
        decks=decks,
        pace=pace,
        former_pace=FORMER_PACES.get(pace, "7d"),
        timeout=timeout,
        waits=waits and pace != Pace.LIVE,
        private=private,
        host=host,
        rematch_of=rematch_of,
    )
    match.commitment = commitment(bytes(match.server_seed))
    with transaction.atomic():
        match.save(force_insert=True)
        for row in rows:
            row.match = match
        Seat.objects.bulk_create(rows)
        if all(row.kind != SeatKind.OPEN for row in rows):
            _start(match, rows)
        record.announce(match, rows)
    return match


def _timeout(wanted: str | None, seats: Sequence[SeatPlan], *, bots: bool) -> str:
    """What happens to whoever runs out of time: as the host says, or as is usual."""
    if wanted is None:
        people = sum(plan.kind != SeatKind.BOT for plan in seats)
        return Timeout.BOT if people > 2 and bots else Timeout.FORFEIT
    if wanted not in Timeout.values:
        known = ", ".join(Timeout.values)
        raise NotPossible(f"“{wanted}” is no rule for time that runs out. There are: {known}.")
    if wanted == Timeout.BOT and not bots:
        raise NotPossible("This game has no bots that could play for whoever runs out of time.")
    return wanted


def _planned_seats(
    host: User, plans: Sequence[SeatPlan], bots: Iterable[str], client_seed: str
) -> list[Seat]:
    rows = []
    bots = list(bots)
    for number, plan in enumerate(plans):
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
            _set_deck(row, plan.deck)
    ready = _ready_decks(game, mode, rows, options)
    for row, deck in zip(rows, ready, strict=True):
        if row.deck is None and row.kind != SeatKind.OPEN:
            _set_deck(row, deck)


def _ready_decks(
    game: Game, mode: Mode, rows: Sequence[Seat], options: dict[str, Any]
) -> list[SeatDeck]:
    """What seats without a deck would bring: people the first ready-made one, bots in turn."""
    turns = [0 if row.kind == SeatKind.PERSON else row.number for row in rows]
    return compatible_starters(game, mode, options, [row.deck for row in rows], turns)


def _set_deck(seat: Seat, deck: SeatDeck | None) -> None:
    seat.deck = None if deck is None else deck.cards
    seat.deck_name = "" if deck is None else deck.name


def _tried_decks(
    game: Game, mode: Mode, rows: Sequence[Seat], options: dict[str, Any]
) -> list[Any]:
    """The decks of the seats; where nobody sits yet, one that somebody might bring."""
    ready = _ready_decks(game, mode, rows, options)
    return [row.deck or deck.cards for row, deck in zip(rows, ready, strict=True)]


def checked_client_seed(text: str) -> str:
    """What a player adds to the seed: one printable line of at most 64 characters."""
    text = text.strip()
    if len(text) > 64 or not text.isprintable():
        raise NotPossible("A seed of your own is one line of at most 64 characters.")
    return text


@retried
def join_match(
    *, match: Match, user: User, client_seed: str = "", deck: str | Decklist | None = None
) -> Seat:
    """Take an open seat; the last one to sit down starts the match.

    Somebody who sits there already just gets that seat again. ``deck`` as in ``create_match``;
    without one, the deck that is kept with the seat, else a ready-made one.
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
    seats = list(match.seats.all())
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is not None:
        return mine
    if match.status != Status.OPEN:
        raise NotOpen(
            "This match was cancelled."
            if match.status == Status.CANCELLED
            else "All seats of this match are taken."
        )
    seat = _free_seat(seats, user)
    seat.kind, seat.user, seat.invited = SeatKind.PERSON, user, None
    seat.client_seed = client_seed
    try:
        if brings and (own is not None or seat.deck is None):
            _set_deck(seat, own or _ready_decks(game, mode, seats, match.options)[seat.number])
        with one_write():
            compare_and_swap(match)
            seat.save(update_fields=_WHO_SITS)
            if all(row.kind != SeatKind.OPEN for row in seats):
                _start(match, seats)
            record.announce(match, seats)
    except BadSetup as error:  # decks that may not meet, for one
        raise NotPossible(str(error)) from error
    return seat


def _free_seat(seats: Sequence[Seat], user: User) -> Seat:
    free = [seat for seat in seats if seat.kind == SeatKind.OPEN]
    kept_for_me = [seat for seat in free if seat.invited_id == user.pk]
    for_anybody = [seat for seat in free if seat.invited_id is None]
    if not kept_for_me + for_anybody:
        raise NotOpen("The open seats of this match are kept for other people.")
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
            match.status = Status.CANCELLED
            match.save(update_fields=("status",))
        elif seat is not None:
            free_seat(seat)
        record.announce(match, seats)
    return match


def free_seat(seat: Seat) -> None:
    """Nobody sits there any more, and nobody's deck is kept with it."""
    seat.kind, seat.user, seat.client_seed = SeatKind.OPEN, None, ""
    _set_deck(seat, None)
    seat.save(update_fields=_WHO_SITS)


def rematch(*, slug: str, user: User) -> Match:
    """Play again with the same people and their decks; the seats move on by one.

    Whoever asks first makes the table, with a seat kept for everybody else; asking second means
    sitting down there.
    """
    match = read_match(slug)
    seats = list(match.seats.select_related("user"))
    seat_of(seats, user)
    if match.status != Status.FINISHED:
        raise NotFinished("A rematch can be asked for when the match is over.")
    again = Match.objects.filter(rematch_of=match).first()
    if again is None:
        plans = [
            SeatPlan(SeatKind.BOT, bot=seat.bot, deck=_seat_deck(seat))
            if seat.kind == SeatKind.BOT
            else SeatPlan(
                SeatKind.PERSON if seat.user_id == user.pk else SeatKind.OPEN,
                seat.user,
                deck=_seat_deck(seat),
            )
            for seat in seats[1:] + seats[:1]
        ]
        try:
            return _create(
                host=user,
                game=match.game,
                mode=match.mode,
                seats=plans,
                options=match.options,
                pace=match.pace,
                timeout=match.timeout,
                waits=match.waits,
                decks=match.decks,
                private=match.private,
                rematch_of=match,
            )
        except IntegrityError:
            again = Match.objects.get(rematch_of=match)
    if again.status == Status.OPEN:
        join_match(match=again, user=user)
    return again


def _seat_deck(seat: Seat) -> SeatDeck | None:
    return None if seat.deck is None else SeatDeck(seat.deck_name, seat.deck)


def _start(match: Match, seats: Sequence[Seat]) -> None:
    """Deal. Inside the transaction that filled the last seat."""
    now = timezone.now()
    table = engine.begin(match, seats)
    match.status = Status.RUNNING
    match.started_at = match.moved_at = now
    match.opening = engine.store_events(table.opening)
    record.copy_table_to_rows(match, seats, table, now)
    match.save(
        update_fields=(
            "status", "started_at", "moved_at", "opening", "state", "outcome", "reason",
            "finished_at", "deadline_at", "acts_at",
        )
    )  # fmt: skip
    Seat.objects.bulk_update(seats, record.CHANGING)
    if match.status == Status.FINISHED:
        record.announce_end(match, seats)
