"""All writes to matches: one function a use case, one transaction each.

Every writer names the version of the match that it read: the engine computes on what was read,
outside any lock, and the write (a compare and swap) goes through only if nobody was faster. A
writer that was too late reads again; an answer stays good as long as its question is still asked,
so that seats which answer at the same time never stand in each other's way. Two unique constraints
(one move a ply, one move a prompt) keep the same promise a second time. Nobody is told anything
before the commit.

Where seats answer unseen, nobody may learn from a number or a clock how far another has come. So
each move is stored with whom it is hidden from (``MoveRow.hidden_from``): those do not count it,
hear no bell and see no clock changed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.background import after_commit, enqueue
from accounts.models import User
from collection.services.packs import match_finished
from matches import bell, engine, queries
from matches.errors import (
    AlreadyAnswered,
    Conflict,
    Malformed,
    MatchError,
    NotFinished,
    NotOffered,
    NotOpen,
    NotPossible,
    NotRunning,
    NotYourSeat,
    RulesChanged,
    StalePrompt,
    UnknownMatch,
)
from matches.models import Match, MoveRow, Pace, Seat, SeatKind, Source, Status
from matches.seat_decks import SeatDeck, checked_deck, compatible_starters
from rules.engine.chance import commitment
from rules.engine.errors import BadData, BadSetup, IllegalMove
from rules.engine.events import Event
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist
from rules.engine.moves import Move, Prompt, move_to_json

logger = structlog.get_logger(__name__)

TURN_TIMES: dict[str, tuple[timedelta, timedelta]] = {
    Pace.LIVE: (timedelta(minutes=5), timedelta(seconds=30)),
    Pace.DAY: (timedelta(days=1), timedelta(minutes=10)),
    Pace.THREE_DAYS: (timedelta(days=3), timedelta(minutes=10)),
    Pace.WEEK: (timedelta(days=7), timedelta(minutes=10)),
}
"""For each pace: the time for a turn, and the least time for each further question in it."""

CLOCK_GRACE = timedelta(seconds=5)
"""A move that arrives as the time runs out still counts."""

MATCHES_AT_ONCE = 60
"""How many matches that are not over one person may have set up."""

BOT_PATIENCE = timedelta(seconds=10)
"""How long a bot may seem to think before the sweep sends for it again."""

BOT_MOVES_A_TASK = 100
CLOCK_MOVES_A_TASK = 50
ATTEMPTS = 20
"""How often a writer whose write was stale tries again."""


class StaleWrite(Exception):
    """Somebody else wrote to the match first; nothing was written."""


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


@dataclass(frozen=True, slots=True)
class Played:
    """The receipt for a move: where it stands in the match, as its seat counts the moves.

    ``repeated``: it stood there before.
    """

    slug: str
    ply: int
    seat: int
    notation: str
    repeated: bool = False


# -- setting up -----------------------------------------------------------------------------------


def create_match(
    *,
    host: User,
    game: str,
    mode: str,
    seats: Sequence[SeatPlan],
    options: dict[str, Any] | None = None,
    pace: str = Pace.THREE_DAYS,
    deck: str | Decklist | None = None,
    private: bool = False,
    client_seed: str = "",
) -> Match:
    """Set up a match; it starts at once if no seat is open. Raises ``NotPossible``.

    ``deck`` is the host's (a saved or a ready-made one by slug, or a list); in a mode where all
    play from one deck it is that one. Raises ``IllegalDeck`` if it must not be played.
    """
    going = Match.objects.filter(host=host, status__in=(Status.OPEN, Status.RUNNING)).count()
    if going >= MATCHES_AT_ONCE:
        raise Conflict(
            f"You have set up {going} matches that are not over yet. Finish some of them first."
        )
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
        decks=[] if own is None or brings else [own.cards],
        private=private,
        client_seed=client_seed,
    )


def _create(
    *,
    host: User,
    game: str,
    mode: str,
    seats: Sequence[SeatPlan],
    options: dict[str, Any],
    pace: str,
    decks: list[Any],
    private: bool,
    client_seed: str = "",
    rematch_of: Match | None = None,
) -> Match:
    found, found_mode = engine.find_mode(game, mode)
    if pace not in Pace.values:
        raise NotPossible(f"“{pace}” is no pace. There are: {', '.join(Pace.values)}.")
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
        _announce(match, rows)
    return match


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
    for _ in range(ATTEMPTS):
        match = _read(match.slug)
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
        try:
            with transaction.atomic():
                _compare_and_swap(match)
                seat.kind, seat.user, seat.invited, seat.client_seed = (
                    SeatKind.PERSON,
                    user,
                    None,
                    client_seed,
                )
                if brings and (own is not None or seat.deck is None):
                    ready = _ready_decks(game, mode, seats, match.options)
                    _set_deck(seat, own or ready[seat.number])
                seat.save(
                    update_fields=("kind", "user", "invited", "client_seed", "deck", "deck_name")
                )
                if all(row.kind != SeatKind.OPEN for row in seats):
                    _start(match, seats)
                _announce(match, seats)
            return seat
        except BadSetup as error:  # decks that may not meet, for one
            raise NotPossible(str(error)) from error
        except (StaleWrite, IntegrityError):
            continue
    raise Conflict("Too many people want this seat at the same moment. Please try again.")


def _free_seat(seats: Sequence[Seat], user: User) -> Seat:
    free = [seat for seat in seats if seat.kind == SeatKind.OPEN]
    kept_for_me = [seat for seat in free if seat.invited_id == user.pk]
    for_anybody = [seat for seat in free if seat.invited_id is None]
    if not kept_for_me + for_anybody:
        raise NotOpen("The open seats of this match are kept for other people.")
    return (kept_for_me + for_anybody)[0]


def leave_match(*, match: Match, user: User) -> Match:
    """Give a seat back before the start. When the host leaves, the match is cancelled."""
    for _ in range(ATTEMPTS):
        match = _read(match.slug)
        seats = list(match.seats.all())
        seat = next((seat for seat in seats if seat.user_id == user.pk), None)
        if match.host_id != user.pk and seat is None:
            raise NotYourSeat("You do not sit at this table.")
        if match.status != Status.OPEN:
            raise NotOpen("The match has started; from now on you can only concede.")
        try:
            with transaction.atomic():
                _compare_and_swap(match)
                if match.host_id == user.pk:
                    match.status = Status.CANCELLED
                    match.save(update_fields=("status",))
                elif seat is not None:
                    seat.kind, seat.user, seat.client_seed = SeatKind.OPEN, None, ""
                    _set_deck(seat, None)
                    seat.save(update_fields=("kind", "user", "client_seed", "deck", "deck_name"))
                _announce(match, seats)
            return match
        except StaleWrite:
            continue
    raise Conflict("The table is changing at this very moment. Please try again.")


def rematch(*, slug: str, user: User) -> Match:
    """Play again with the same people and their decks; the seats move on by one.

    Whoever asks first makes the table, with a seat kept for everybody else; asking second means
    sitting down there.
    """
    match = _read(slug)
    seats = list(match.seats.select_related("user"))
    _seat_of(seats, user)
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
    _copy_table_to_rows(match, seats, table, now)
    match.save(
        update_fields=(
            "status", "started_at", "moved_at", "opening", "state", "outcome", "reason",
            "finished_at", "deadline_at",
        )
    )  # fmt: skip
    Seat.objects.bulk_update(seats, ("prompt", "deadline_at", "place"))


# -- playing --------------------------------------------------------------------------------------


def play_move(*, slug: str, user: User, prompt_id: int, move: Move | str) -> Played:
    """Answer a prompt with a move (or its notation).

    Sending the same answer again gives the first receipt again; another answer to an answered
    prompt is a ``Conflict``.
    """
    for _ in range(ATTEMPTS):
        match = _read(slug)
        seats = list(match.seats.all())
        seat = _seat_of(seats, user)
        # Each seat counts its own questions, so that several can be asked at once.
        answered = MoveRow.objects.filter(match=match, seat=seat.number, prompt=prompt_id).first()
        if answered is not None:
            return _receipt_again(match, seat, answered, move)
        _require_running(match)
        table = engine.load(match)
        prompt = _asked(table, seat.number, prompt_id)
        chosen = _chosen(table, seat.number, move)
        try:
            return _play(match, seats, table, prompt, chosen, Source.PERSON)
        except StaleWrite:
            continue
    raise Conflict("The table is moving too fast at this moment. Please try again.")


def _chosen(table: engine.Table, seat: int, move: Move | str) -> Move:
    if isinstance(move, Move):
        return move
    try:
        return table.parse(seat, move)
    except BadData as error:
        raise Malformed(str(error)) from error
    except IllegalMove as error:
        raise NotOffered(str(error), offered=list(error.offered)) from error


def _asked(table: engine.Table, seat: int, prompt_id: int) -> Prompt:
    """The seat's prompt, if it is the one that was answered; else says what is the matter."""
    prompt = table.prompts.get(seat)
    if prompt is not None and prompt.id == prompt_id:
        return prompt
    if prompt is None:
        # Whether some other seat has a question of that number is nobody else's business.
        raise NotYourSeat("You are not asked anything now; another seat is to move.")
    raise StalePrompt(
        f"Question {prompt_id} is not asked now; your table is at question {prompt.id}. "
        "Please look at the table again.",
        prompt=prompt.id,
    )


def _receipt_again(match: Match, seat: Seat, answered: MoveRow, move: Move | str) -> Played:
    same = (
        answered.move == move_to_json(move)
        if isinstance(move, Move)
        else answered.notation == " ".join(move.split())
    )
    if same and answered.source == Source.PERSON:
        return _receipt(match, answered)
    if answered.source == Source.CLOCK:
        detail = f"Your time had run out: “{answered.notation}” was played for you."
    else:
        detail = f"You have answered this question before, with “{answered.notation}”."
    ply = _receipt(match, answered).ply
    raise AlreadyAnswered(detail, ply=ply, notation=answered.notation)


def _receipt(match: Match, row: MoveRow) -> Played:
    """The receipt for a stored move, once more."""
    ply = MoveRow.objects.visible_to(row.seat).filter(match=match, ply__lte=row.ply).count()
    return Played(match.slug, ply, row.seat, row.notation, repeated=True)


def _play(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    prompt: Prompt,
    move: Move,
    source: str,
    *,
    wake_bots: bool = True,
) -> Played:
    """One answer: the engine plays it on ``table``, one transaction stores it."""
    notation = ""
    if move in prompt.options:
        move = prompt.options[prompt.options.index(move)]  # equal, and written as the rules do
        notation = table.notation(move)
    before = table.clone()
    try:
        events = table.play(prompt.seat, move)
    except IllegalMove as error:
        raise NotOffered(str(error), offered=list(error.offered)) from error
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=prompt.seat,
        prompt=prompt.id,
        move=move_to_json(move),
        notation=notation,
        source=source,
    )
    return _record(match, seats, before, table, row, events, wake_bots=wake_bots)


def concede(*, slug: str, user: User) -> Played:
    """Give up. Conceding twice gives the first receipt again."""
    for _ in range(ATTEMPTS):
        match = _read(slug)
        seats = list(match.seats.all())
        seat = _seat_of(seats, user)
        before = MoveRow.objects.filter(match=match, seat=seat.number, move__isnull=True).first()
        if before is not None:
            return _receipt(match, before)
        _require_running(match)
        try:
            return _concede(match, seats, engine.load(match), seat.number, Source.PERSON)
        except StaleWrite:
            continue
    raise Conflict("The table is moving too fast at this moment. Please try again.")


def _concede(
    match: Match, seats: Sequence[Seat], table: engine.Table, seat: int, source: str
) -> Played:
    before = table.clone()
    try:
        events = table.concede(seat)
    except IllegalMove as error:
        raise NotRunning("You are out of this match already.") from error
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=seat,
        notation=engine.CONCEDE,
        source=source,
    )
    return _record(match, seats, before, table, row, events)


def run_bots(*, match_id: int, limit: int = BOT_MOVES_A_TASK) -> bool:
    """Play for the bots until a person is to move; True if there is more to do after ``limit``.

    A bot sees its seat's view and its prompt, nothing else. Any number of runs may be at work on
    one match: for one question they all choose the same move, and it is stored once.
    """
    match: Match | None = None
    for _ in range(limit):
        if match is None:
            match = Match.objects.filter(pk=match_id, status=Status.RUNNING).first()
            if match is None:
                return False
            seats = list(match.seats.all())
            table = engine.load(match)
            bots = engine.game_of(match).bots
        seat = next((s for s in seats if s.bot and s.number in table.prompts), None)
        if seat is None:
            return False
        prompt = table.prompts[seat.number]
        chance = engine.bot_chance(match, seat.number, prompt.id)
        move = bots[seat.bot].choose(table.view(seat.number), prompt, chance)
        try:
            _play(match, seats, table, prompt, move, Source.BOT, wake_bots=False)
        except StaleWrite:
            match = None
    return True


def run_clock(*, match_id: int, now: datetime | None = None) -> int:
    """Play for the seats of a match whose time has run out; returns how many moves that took.

    Once a seat's time is up, its further questions in the same turn are answered as well. A move
    that came in meanwhile wins: the version read here is then no longer the match's.
    """
    played = 0
    for _ in range(CLOCK_MOVES_A_TASK):
        late = (now or timezone.now()) - CLOCK_GRACE
        match = Match.objects.filter(
            pk=match_id, status=Status.RUNNING, deadline_at__lte=late
        ).first()
        if match is None:
            break
        seats = list(match.seats.all())
        table = engine.load(match)
        late_seats = [s for s in seats if s.deadline_at is not None and s.deadline_at <= late]
        seat = min(late_seats, key=lambda s: (s.deadline_at, s.number), default=None)
        if seat is None or seat.number not in table.prompts:
            continue  # a move came in between reading the match and reading its seats
        prompt = table.prompts[seat.number]
        try:
            _play(match, seats, table, prompt, table.default_move(seat.number), Source.CLOCK)
        except StaleWrite:
            continue
        played += 1
    return played


# -- the one write of a ply -----------------------------------------------------------------------


def _record(
    match: Match,
    seats: Sequence[Seat],
    before: engine.Table,
    table: engine.Table,
    row: MoveRow,
    events: Sequence[Event],
    *,
    wake_bots: bool = True,
) -> Played:
    """Store one ply: the move's row, the new snapshot, the seats. Raises ``StaleWrite``.

    ``table`` is ``before`` after the move. ``match`` and ``seats`` are what was read; after a
    success they hold what was written.
    """
    now = timezone.now()
    were = {seat.pk: (seat.prompt, seat.deadline_at, seat.place) for seat in seats}
    version = match.version
    row.events = engine.store_events(events)
    row.at = now
    row.hidden_from = engine.hidden_from(before, table, row.seat, events)
    match.ply = row.ply
    if row.hidden_from:
        match.hidden_plies = _with_hidden_ply(match.hidden_plies, row.hidden_from, len(seats))
    else:
        match.moved_at = now
    _copy_table_to_rows(match, seats, table, now, row)
    changed = [s for s in seats if were[s.pk] != (s.prompt, s.deadline_at, s.place)]
    try:
        with transaction.atomic():
            _compare_and_swap(
                match,
                version=version,
                status=match.status,
                ply=match.ply,
                hidden_plies=match.hidden_plies,
                moved_at=match.moved_at,
                state=match.state,
                outcome=match.outcome,
                reason=match.reason,
                finished_at=match.finished_at,
                deadline_at=match.deadline_at,
            )
            row.save(force_insert=True)
            if changed:
                Seat.objects.bulk_update(changed, ("prompt", "deadline_at", "place"))
            if match.status == Status.FINISHED:
                match_finished(match=match.slug, game=match.game, people=_who_stayed(match, seats))
            _announce(match, seats, changed, wake_bots=wake_bots)
    except IntegrityError as error:
        raise StaleWrite from error
    return Played(match.slug, match.visible_ply(row.seat), row.seat, row.notation)


def _with_hidden_ply(counts: Sequence[int], mask: int, seats: int) -> list[int]:
    """How many moves are hidden from each audience, with one more of this mask."""
    return [
        count + (mask >> number & 1) for number, count in enumerate(counts or [0] * (seats + 1))
    ]


def _who_stayed(match: Match, seats: Iterable[Seat]) -> list[int]:
    """The people who played to the end: none who conceded or left the last answer to the clock."""
    stayed = []
    for seat in seats:
        if seat.user_id is not None:
            moves = MoveRow.objects.filter(match=match, seat=seat.number).order_by("-ply")
            last = moves.only("source", "prompt").first()
            if last is None or (last.prompt is not None and last.source != Source.CLOCK):
                stayed.append(seat.user_id)
    return stayed


def _compare_and_swap(match: Match, *, version: int | None = None, **fields: Any) -> None:
    """Write these fields if the match still has the version that was read; else `StaleWrite`."""
    read = match.version if version is None else version
    written = Match.objects.filter(pk=match.pk, version=read).update(version=read + 1, **fields)
    if not written:
        raise StaleWrite
    match.version = read + 1


def _copy_table_to_rows(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    now: datetime,
    row: MoveRow | None = None,
) -> None:
    """Write on the rows what follows from the table: snapshot, who is asked, clocks, the end.

    Whom the last move leaves asked together with others gets the time of a whole turn for all that
    it will be asked until they are ready. An answer that is hidden from anybody then changes no
    clock: one that grew would show it.
    """
    match.state = engine.snapshot(table)
    people = sum(seat.kind == SeatKind.PERSON for seat in seats)
    turn, least = TURN_TIMES[match.pace]
    others_waited = any(s.prompt is not None for s in seats if row is None or s.number != row.seat)
    together = len(table.prompts) > 1 and not others_waited
    for seat in seats:
        prompt = table.prompts.get(seat.number)
        if prompt is None or seat.kind != SeatKind.PERSON or people < 2:
            seat.deadline_at = None
        elif seat.deadline_at is None:
            seat.deadline_at = now + turn
        elif row is not None and seat.number == row.seat and row.source != Source.CLOCK:
            if together:
                seat.deadline_at = max(seat.deadline_at, now + turn)
            elif not row.hidden_from:
                seat.deadline_at = max(seat.deadline_at, now + least)
        seat.prompt = None if prompt is None else prompt.id
    match.deadline_at = min((s.deadline_at for s in seats if s.deadline_at), default=None)
    if table.outcome is not None:
        match.status = Status.FINISHED
        match.outcome = table.outcome.to_json()
        match.reason = table.outcome.reason
        match.finished_at = now
        better = 0
        for group in table.outcome.ranking:
            for number in group:
                seats[number].place = better + 1
            better += len(group)


def _announce(
    match: Match,
    seats: Sequence[Seat],
    changed: Iterable[Seat] | None = None,
    *,
    wake_bots: bool = True,
) -> None:
    """After the commit: ring for the table and for the people of the changed seats; wake the bots.

    What is lost here (Redis away, a crash after the commit) is found again by the sweep and by the
    heartbeat of the streams; so nothing here may turn a stored move into an error.
    """
    rung_for = seats if changed is None else changed
    people = sorted({seat.user_id for seat in rung_for if seat.user_id is not None})
    bots = wake_bots and any(seat.bot and seat.prompt is not None for seat in seats)
    after_commit(_tell, match.pk, match.slug, queries.match_update(match, seats), people, bots)


def _tell(
    match_id: int, slug: str, update: bell.MatchUpdate, people: Sequence[int], bots: bool
) -> None:
    from matches.tasks import play_bots  # tasks call services, so not at the top

    bell.ring(slug, update, people)
    if bots:
        enqueue(play_bots, match_id)


# -- reading for a write --------------------------------------------------------------------------


def _read(slug: str) -> Match:
    try:
        return Match.objects.get(slug=slug)
    except Match.DoesNotExist:
        raise UnknownMatch(f"There is no match “{slug[:20]}”.") from None


def _seat_of(seats: Iterable[Seat], user: User) -> Seat:
    for seat in seats:
        if seat.user_id is not None and seat.user_id == user.pk:
            return seat
    raise NotYourSeat("You do not sit at this table, so you cannot play here.")


def _require_running(match: Match) -> None:
    if match.status == Status.OPEN:
        raise NotRunning("The match has not started: a seat is still open.")
    if match.status == Status.CANCELLED:
        raise NotRunning("The match was cancelled before it started.")
    if match.status == Status.FINISHED:
        raise NotRunning("The match is over.")


# -- people ---------------------------------------------------------------------------------------


@transaction.atomic
def merge_guest(*, guest: User, user: User) -> None:
    """Hand all seats of a guest over to the account that the guest turned out to have.

    Where both sit at one table the guest's seat cannot move: before the start it becomes free,
    later the guest concedes it.
    """
    both = Match.objects.filter(seats__user=guest).filter(seats__user=user)
    for match in both:
        if match.status == Status.OPEN:
            _free_guest_seat(match, guest, user)
        elif match.status == Status.RUNNING:
            try:
                concede(slug=match.slug, user=guest)
            except NotRunning:
                pass  # the guest is out already, or the match has just ended
    moved = Seat.objects.filter(user=guest).exclude(match__in=both.values("pk"))
    tables = list(moved.values_list("match__slug", flat=True))
    moved.update(user=user)
    Seat.objects.filter(invited=guest).update(invited=user)
    Match.objects.filter(host=guest).update(host=user)
    for slug, update in queries.match_updates(tables).items():
        after_commit(bell.ring, slug, update, [user.pk])


def _free_guest_seat(match: Match, guest: User, user: User) -> None:
    match.seats.filter(user=guest).update(
        user=None, kind=SeatKind.OPEN, client_seed="", deck=None, deck_name=""
    )
    Match.objects.filter(pk=match.pk).update(version=F("version") + 1)


# -- checking what is stored ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay of a stored match first differs from what was stored."""

    slug: str
    ply: int
    detail: str


def first_difference(match: Match) -> Difference | None:
    """Play a stored match again by the rules of today and compare it with what was stored."""
    seats = list(match.seats.all())
    try:
        table = engine.begin(match, seats)
        if engine.store_events(table.opening) != match.opening:
            return Difference(match.slug, 0, "the start makes other events")
        for row in match.moves.order_by("ply").iterator():
            if row.prompt is not None:
                prompt = table.prompts.get(row.seat)
                if prompt is None or prompt.id != row.prompt:
                    return Difference(match.slug, row.ply, f"question {row.prompt} is not asked")
            events = engine.play_stored(table, row.seat, row.move)
            if engine.store_events(events) != row.events:
                return Difference(match.slug, row.ply, f"“{row.notation}” makes other events")
    except (MatchError, BadData, IllegalMove, ValueError) as error:
        ply = 0 if "row" not in locals() else row.ply
        return Difference(match.slug, ply, str(error))
    if engine.snapshot(table) != match.state:
        return Difference(match.slug, match.ply, "the stored snapshot is another one")
    return None


def rebuild_snapshot(*, match: Match) -> bool:
    """Make anew what follows from the start and the moves; True if it had to be changed.

    That is the snapshot, and whom each move is hidden from.
    """
    seats = list(match.seats.all())
    rows = list(match.moves.defer("events").order_by("ply"))
    table, masks = engine.replay_with_masks(match, seats, [(row.seat, row.move) for row in rows])
    counts: list[int] = []
    changed = []
    for row, mask in zip(rows, masks, strict=True):
        if mask:
            counts = _with_hidden_ply(counts, mask, len(seats))
        if row.hidden_from != mask:
            row.hidden_from = mask
            changed.append(row)
    if engine.snapshot(table) == match.state and counts == match.hidden_plies and not changed:
        return False
    if (table.outcome is None) != (match.outcome is None):
        raise RulesChanged("Played again, this match would end at another moment.")
    with transaction.atomic():
        _compare_and_swap(match, state=engine.snapshot(table), hidden_plies=counts)
        MoveRow.objects.bulk_update(changed, ("hidden_from",), batch_size=200)
        match.hidden_plies = counts
        _announce(match, seats)
    return True


# -- what the periodic sweep looks for ------------------------------------------------------------


def stalled_bots(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches in which a bot has been asked for a while and has not moved."""
    since = (now or timezone.now()) - BOT_PATIENCE
    waiting = Match.objects.filter(
        Q(seats__bot__gt="", seats__prompt__isnull=False),
        status=Status.RUNNING,
        moved_at__lte=since,
    )
    return list(waiting.order_by("moved_at").values_list("pk", flat=True).distinct()[:limit])


def overdue(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches in which somebody's time has run out."""
    late = (now or timezone.now()) - CLOCK_GRACE
    due = Match.objects.filter(status=Status.RUNNING, deadline_at__lte=late)
    return list(due.order_by("deadline_at").values_list("pk", flat=True)[:limit])


# -- several answers in one go --------------------------------------------------------------------


def play_moves(*, slug: str, user: User, prompt_id: int, moves: Sequence[str]) -> Played:
    """Answer a prompt and those that follow it for this seat, in notation: all of them, or none.

    They must go on as long as the same is asked: whoever chooses a hand sends the whole of it.
    Sending the same again gives the last receipt again.
    """
    if not moves:
        raise Malformed("Nothing is chosen yet.")
    for _ in range(ATTEMPTS):
        match = _read(slug)
        seats = list(match.seats.all())
        seat = _seat_of(seats, user)
        ids = range(prompt_id, prompt_id + len(moves))
        found = MoveRow.objects.filter(match=match, seat=seat.number, prompt__in=ids)
        answered = list(found.order_by("prompt"))
        both = zip(answered, moves, strict=False)
        receipts = [_receipt_again(match, seat, row, move) for row, move in both]
        if len(receipts) == len(moves):
            return receipts[-1]
        if receipts:
            raise AlreadyAnswered(
                f"{len(receipts)} of these {len(moves)} choices were sent before. "
                "Please look at the table again.",
                ply=receipts[-1].ply,
                notation=receipts[-1].notation,
            )
        _require_running(match)
        table = engine.load(match)
        prompt = _asked(table, seat.number, prompt_id)
        try:
            with transaction.atomic():
                return _play_all(match, seats, table, prompt, moves)
        except StaleWrite:
            continue
    raise Conflict("The table is moving too fast at this moment. Please try again.")


def _play_all(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    prompt: Prompt,
    moves: Sequence[str],
) -> Played:
    """The answers one after the other, inside the transaction that takes all back on a refusal."""
    seat, first, last = prompt.seat, prompt.id, len(moves) - 1
    for number, move in enumerate(moves):
        current = table.prompts.get(seat)
        if current is None or current.id != first + number:
            raise NotOffered(f"That is too much: {number} of these {len(moves)} are enough.")
        prompt, chosen = current, _chosen(table, seat, move)
        played = _play(match, seats, table, prompt, chosen, Source.PERSON, wake_bots=number == last)
    more = table.prompts.get(seat)
    if more is not None and more.kind == prompt.kind:
        raise NotOffered(f"That is not all, so nothing was sent. {table.question(more)}")
    return played
