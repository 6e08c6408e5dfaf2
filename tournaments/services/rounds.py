"""From the lock to the last round: pairings, tables, results, deadlines, the end and its prizes.

Each step is one transaction under the tournament's lock and looks first at what is stored, so a
worker that dies, a task that comes twice and two organisers at once change nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
from django.contrib.humanize.templatetags.humanize import ordinal
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list

from accounts.models import User
from collection.errors import Unacceptable
from collection.services import packs
from core.background import after_commit, enqueue
from core.models import MatchFinished
from decks.queries import checks as check_queries
from matches.errors import NotPossible as NoSuchMatch
from matches.models import Match, Seat, SeatKind, Status
from matches.moves import lost_on_time, moves_of
from matches.queries.ratings import MIDDLE
from matches.queries.seat_decks import SeatDeck
from matches.queries.series import player_at, standing
from matches.services import cancelling
from matches.services.setup import MatchSetup, SeatPlan, create_from_plans
from notices.kinds import Kind
from notices.services.notices import notify, retract
from tournaments import divisions, pairing, scoring
from tournaments.errors import NotNow
from tournaments.models import (
    Entry,
    EntryState,
    How,
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
from tournaments.pairing import Table
from tournaments.queries import standings
from tournaments.queries.access import ratings_in
from tournaments.queries.round_names import round_names
from tournaments.services import calls, ladder_places, leagues, limited, statistics
from tournaments.services.announce import MAX_ENTRIES, cancelled, tell_players
from tournaments.services.limited_terms import limited_of
from tournaments.services.locking import (
    checked_reason,
    lock,
    lock_as_organiser,
    lock_known_lists,
    without_legal_list,
)

logger = structlog.get_logger(__name__)

LAST_CALL = timedelta(hours=48)
"""So long before the end of a round those are told whose table is open still."""
MAX_TIMEOUTS = 2
"""Whoever lost on time in so many rounds is dropped."""
MOVES = {-1: "up", 0: "", 1: "down"}
"""Promotion and relegation on an entry's standing."""
TABLES_A_TASK = 100
SWEPT_AT_ONCE = 50


def points_of_a_bye(tournament: Tournament) -> int:
    """As many as a win."""
    return scoring.most_points(pods=tournament.pods)


# -- before the first round -----------------------------------------------------------------------


@transaction.atomic
def lock_lists(*, tournament: Tournament, by: User) -> Tournament:
    """Close registration: no list changes any more. Again changes nothing.

    Players whose list is not legal are told; it can be corrected in the deck check until the start.
    Whoever has no legal list by then is not admitted. In a sealed or draft tournament the packs are
    given now, and decks are built until the start. Raises ``NotAllowed`` and ``NotNow``.
    """
    locked = lock_as_organiser(tournament, by)
    if locked.state != State.ANNOUNCED:
        return locked
    if limited_of(locked) is not None:
        limited.give_packs(locked)
    else:
        lock_known_lists(locked)
    return locked


def start(*, tournament: Tournament, by: User) -> Tournament:
    """Begin before the time that was announced. Again changes nothing.

    Raises ``NotAllowed``, ``NotNow`` while lists are judged or not legal, or where too few take
    part.
    """
    with transaction.atomic():
        locked = lock_as_organiser(tournament, by)
        if locked.state != State.ANNOUNCED:
            return locked
        if why := limited.not_ready(locked):
            raise NotNow(why)
        hopeful = len(_in_order(locked))
        if hopeful < locked.min_entries:
            raise NotNow(f"The tournament needs {locked.min_entries} players; {hopeful} can play.")
        limited.link_decks(locked)
        if locked.starts_at > timezone.now() and (lacking := len(without_legal_list(locked))):
            lists = "1 list is not legal" if lacking == 1 else f"{lacking} lists are not legal"
            raise NotNow(
                f"{lists} and can be corrected until the announced start. To start earlier, remove "
                f"{'this player' if lacking == 1 else 'these players'}."
            )
        lock_known_lists(locked)
    return _start_as_organiser(tournament, by)


@transaction.atomic
def _start_as_organiser(tournament: Tournament, by: User) -> Tournament:
    locked = lock_as_organiser(tournament, by)
    if locked.state != State.ANNOUNCED:
        return locked
    _start(locked)
    if locked.state == State.ANNOUNCED:
        raise NotNow(
            f"The tournament needs {locked.min_entries} players; {_admitted(locked)} can play."
        )
    return locked


def start_by_clock(*, tournament_id: int) -> bool:
    """Begin when the time has come, or cancel where too few take part; False where it waits."""
    with transaction.atomic():
        locked = lock(tournament_id)
        if locked.state != State.ANNOUNCED or locked.starts_at > timezone.now():
            return False
        if limited.not_ready(locked):
            return False  # the draft goes on, or bots build
        try:
            with transaction.atomic():
                lock_known_lists(locked)
                _start(locked)
        except NotNow:
            return False  # lists are being judged; the sweep comes again
        if locked.state == State.ANNOUNCED:
            count = _admitted(locked)
            least = locked.min_entries
            cancelled(locked, f"only {count} could play, and {least} were needed.")
    return True


def give_packs_by_clock(*, tournament_id: int) -> bool:
    """Give the packs of a sealed or draft tournament when registration has closed, or cancel it
    where too few take part; False where that is done."""
    with transaction.atomic():
        locked = lock(tournament_id)
        terms = limited_of(locked)
        due = locked.state == State.ANNOUNCED and locked.closes_at <= timezone.now()
        if terms is None or terms.opened_at is not None or not due:
            return False
        try:
            limited.give_packs(locked)
        except NotNow as refusal:
            cancelled(locked, str(refusal))
    return True


def _admitted(locked: Tournament) -> int:
    return Entry.objects.filter(tournament=locked, state=EntryState.ENTERED).count()


def _start(locked: Tournament) -> None:
    """Admit those with a legal deck and pair the first round; nothing where they are too few.

    The lists are locked. Raises ``NotNow`` while some are being judged.
    """
    if locked.deck_check is not None and check_queries.tally(locked.deck_check).waiting:
        raise NotNow("Some lists are still being checked. Try again in a moment.")
    limited.link_decks(locked)
    entries = list(_in_order(locked))
    playing: list[Entry] = []
    out: list[Entry] = []
    for entry in entries:
        why = _why_out(locked, entry)
        if why:
            entry.state, entry.why = EntryState.OUT, why
            out.append(entry)
        elif len(playing) < (locked.max_entries or MAX_ENTRIES):
            entry.state = EntryState.ENTERED
            playing.append(entry)
        else:
            entry.state = EntryState.WAITING
    if len(playing) < locked.min_entries:
        return
    _seed(locked, playing)
    if locked.is_league:
        leagues.divide(locked, playing)
    Entry.objects.bulk_update(entries, ["state", "why", "seed", "division"])
    for entry in out:
        if entry.user_id is not None:
            notify(
                [entry.user_id], Kind.TOURNAMENT, link=locked.get_absolute_url(),
                text=f"You were not admitted to {locked.title}: {entry.why}"[:300],
                key=f"{locked.slug}:out",
            )  # fmt: skip
    if locked.rounds_planned is None and not locked.is_ladder:
        locked.rounds_planned = _rounds(locked, len(playing))
    locked.state, locked.started_at = State.RUNNING, timezone.now()
    locked.save(update_fields=["state", "started_at", "rounds_planned"])
    if locked.is_league:
        _pair_season(locked, playing)
    elif locked.is_ladder:
        ladder_places.begin(locked, playing)
        write_standings(locked)
        tell_players(locked, f"{locked.title} has started. Challenge a player above you.",
                     key="ladder")  # fmt: skip
    else:
        pair_next(locked)


def _in_order(locked: Tournament) -> Sequence[Entry]:
    rows = Entry.objects.filter(
        tournament=locked, state__in=(EntryState.ENTERED, EntryState.WAITING)
    )
    # Whoever waited comes after those who had a place.
    return sorted(
        rows.select_related("deck", "user"),
        key=lambda entry: (entry.state == EntryState.WAITING, entry.number),
    )


def _why_out(locked: Tournament, entry: Entry) -> str:
    if entry.user is not None and not entry.user.is_active:
        return "The account is closed."
    if locked.deck_check is None or (entry.bot and limited_of(locked) is None):
        return ""
    if entry.deck is None:
        return "No deck submitted."
    return "" if entry.deck.legal else "The deck is not legal."


def _rounds(locked: Tournament, players: int) -> int:
    if locked.structure == Structure.PODS:
        return pairing.pod_rounds(players, locked.table_size)
    if locked.is_league:
        players = divisions.sizes(players, locked.division_size)[0]
    if locked.structure in (Structure.ROUND_ROBIN, Structure.LEAGUE):
        return (players - 1 + players % 2) * (2 if locked.twice else 1)
    return pairing.rounds_proposed(players)


def _seed(locked: Tournament, playing: Sequence[Entry]) -> None:
    """Seeds by rating, equal ones by lot; bots come last."""
    known = ratings_in(locked, [entry.user_id for entry in playing if entry.user_id])
    seed = bytes(locked.server_seed)
    ordered = sorted(
        playing,
        key=lambda entry: (
            bool(entry.bot),
            -known.get(entry.user_id or 0, MIDDLE),
            pairing.lot(seed, "seed", entry.number),
        ),
    )
    for number, entry in enumerate(ordered, start=1):
        entry.seed = number


# -- pairing --------------------------------------------------------------------------------------


def round_seed(server_seed: bytes, number: int, attempt: int) -> bytes:
    """The lot of a round: SHA-256 over the tournament's seed and ``round:number:attempt``."""
    return hashlib.sha256(server_seed + f"round:{number}:{attempt}".encode()).digest()


def pair_next(locked: Tournament) -> None:
    """Pair the next round or end the tournament; at a live evening call the players first."""
    if locked.is_evening and calls.awaited(locked).exists() and _has_next_round(locked):
        calls.open_call(locked)
    else:
        pair(locked)


def _has_next_round(locked: Tournament) -> bool:
    done = list(Round.objects.filter(tournament=locked).order_by("number"))
    tables, _, _ = _next_tables(locked, done, 1)
    return not _is_end(tables)


def pair(locked: Tournament, *, attempt: int = 1) -> bool:
    """Store the next round's pairings, or the end where there is none; True for a round."""
    done = list(Round.objects.filter(tournament=locked).order_by("number"))
    tables, stage, third = _next_tables(locked, done, attempt)
    if _is_end(tables):
        finish(locked)
        return False
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=locked)}
    new, byes = _store(
        locked, len(done) + 1, tables, entries, stage=stage, attempt=attempt, third=third
    )
    notify(
        byes,
        Kind.TOURNAMENT,
        text=f"{round_names(locked).of(new.number)} of {locked.title}: you have a bye.",
        link=locked.get_absolute_url(),
        key=f"{locked.slug}:round:{new.number}",
    )
    after_commit(_send_tables, locked.pk)
    go_on(locked)  # where nobody plays at all, as all opponents have dropped
    return True


def _pair_season(locked: Tournament, playing: Sequence[Entry]) -> None:
    """Store all rounds of a league's season: each division is a round robin of its own."""
    entries = {entry.number: entry for entry in playing}
    circles = []
    for division in sorted({entry.division or 1 for entry in playing}):
        keys = [entry.number for entry in playing if (entry.division or 1) == division]
        circle = pairing.round_robin(keys, twice=locked.twice, seed=bytes(locked.server_seed))
        circles.append(
            [
                [replace(table, reason=f"Division {division}. {table.reason}") for table in tables]
                for tables in circle
            ]
        )
    for number in range(max(map(len, circles))):
        tables = [table for circle in circles if number < len(circle) for table in circle[number]]
        _store(locked, number + 1, tables, entries, together=True)
    notify(
        [entry.user_id for entry in playing if entry.user_id is not None],
        Kind.TOURNAMENT,
        text=f"{locked.title} has started. Your matches are open until the season ends."[:300],
        link=locked.get_absolute_url(),
        key=f"{locked.slug}:season",
    )
    after_commit(_send_tables, locked.pk)


def open_table(locked: Tournament, table: Table) -> Pairing:
    """Store a table of its own, beside those that are open; its match follows."""
    entries = {
        entry.number: entry
        for entry in Entry.objects.filter(tournament=locked, number__in=table.players)
    }
    number = Round.objects.filter(tournament=locked).count() + 1
    new, _ = _store(locked, number, [table], entries, together=True)
    after_commit(_send_tables, locked.pk)
    return new.pairings.get()


def _store(
    locked: Tournament,
    number: int,
    tables: Sequence[Table],
    entries: Mapping[int, Entry],
    *,
    stage: Stage = Stage.MAIN,
    attempt: int = 1,
    third: tuple[int, ...] = (),
    together: bool = False,
) -> tuple[Round, list[int]]:
    """A new round with its tables; with it the people who have a bye."""
    now = timezone.now()
    length = round_length(locked)
    new = Round.objects.create(
        tournament=locked, number=number, stage=stage, attempt=attempt, together=together,
        paired_at=now, deadline_at=now + length,
    )  # fmt: skip
    calls.ring(locked)
    if locked.is_evening:
        calls.look_at_clock(locked, length.total_seconds())
    rows = Pairing.objects.bulk_create(
        Pairing(
            round=new, number=number, reason=table.reason, for_third=third == table.players,
            how=How.BYE if table.is_bye else "", decided_at=now if table.is_bye else None,
        )
        for number, table in enumerate(tables, start=1)
    )  # fmt: skip
    bye = points_of_a_bye(locked)
    PairingSeat.objects.bulk_create(
        PairingSeat(
            pairing=row, round=new, entry=entries[key], number=number,
            place=1 if table.is_bye else None, points=bye if table.is_bye else None,
        )
        for row, table in zip(rows, tables, strict=True)
        for number, key in enumerate(table.players)
    )  # fmt: skip
    byes = [entries[table.players[0]].user_id for table in tables if table.is_bye]
    return new, [pk for pk in byes if pk is not None]


def round_length(tournament: Tournament) -> timedelta:
    """The time after which a round ends, whoever still plays."""
    if tournament.round_minutes is not None:
        return timedelta(minutes=tournament.round_minutes)
    return timedelta(days=tournament.round_days)


def _send_tables(tournament_id: int) -> None:
    enqueue("tournaments.tasks.make_tables", tournament_id)


_Tables = tuple[list[Table], Stage, tuple[int, ...]]


def _is_end(tables: Sequence[Table]) -> bool:
    """Nobody is left to play, or a single player."""
    return len(tables) < 2 and all(table.is_bye for table in tables)


def _next_tables(locked: Tournament, done: Sequence[Round], attempt: int) -> _Tables:
    """The tables of the next round (none: the end), its stage, and who plays for third place."""
    seed = round_seed(bytes(locked.server_seed), len(done) + 1, attempt)
    playing = Entry.objects.filter(tournament=locked, state=EntryState.ENTERED)
    entries = list(playing.order_by("number"))
    planned = locked.rounds_planned or 0
    if locked.structure == Structure.ELIMINATION:
        return _knockout(locked, done, [e.number for e in sorted(entries, key=_by_seed)])
    if locked.structure == Structure.ROUND_ROBIN:
        return _circle(locked, len(done), {entry.number for entry in entries}), Stage.MAIN, ()
    finals = [row for row in done if row.stage == Stage.CUT]
    if len(done) - len(finals) >= planned:
        if not locked.cut:
            return [], Stage.MAIN, ()
        ranked = standings.standings_of(locked, bytes(locked.server_seed))
        going = {entry.number for entry in entries}
        keys = [row.key for row in ranked if row.key in going][: locked.cut]
        if not finals:
            _seed_cut(locked, keys)
        return _knockout(locked, finals, keys)
    players = standings.players_now(locked, entries)
    if locked.pods:
        return pairing.pods(players, locked.table_size, seed=seed), Stage.MAIN, ()
    return pairing.swiss(players, seed=seed), Stage.MAIN, ()


def _by_seed(entry: Entry) -> int:
    return entry.seed or entry.number


def _seed_cut(locked: Tournament, keys: Sequence[int]) -> None:
    """The standings before the final rounds are their seeds."""
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=locked)}
    others = sorted((e for n, e in entries.items() if n not in keys), key=_by_seed)
    for number, entry in enumerate([*(entries[key] for key in keys), *others], start=1):
        entry.seed = number
    Entry.objects.bulk_update(entries.values(), ["seed"])


def _circle(locked: Tournament, done: int, playing: set[int]) -> list[Table]:
    """A round of the circle of all who began; whoever was to meet one who dropped has a bye."""
    began = Entry.objects.filter(tournament=locked, state__in=standings.TAKES_PART)
    keys = list(began.order_by("number").values_list("number", flat=True))
    rounds = pairing.round_robin(keys, twice=locked.twice, seed=bytes(locked.server_seed))
    if done >= len(rounds):
        return []
    tables = []
    for table in rounds[done]:
        players = tuple(key for key in table.players if key in playing)
        if players and len(players) < len(table.players):
            table = Table(players, "The opponent dropped out.")
        if players:
            tables.append(table)
    return tables


def _knockout(locked: Tournament, done: Sequence[Round], keys: Sequence[int]) -> _Tables:
    """The next round of an elimination; ``keys`` are its players by seed."""
    stage = Stage.MAIN if locked.structure == Structure.ELIMINATION else Stage.CUT
    if not done:
        return pairing.bracket(keys), stage, ()
    after = standings.survivors(locked, done[-1].number)
    if len(after.winners) == 1:
        return [], stage, ()
    third = after.for_third if locked.third_place else []
    return pairing.next_bracket(after.winners, third), stage, tuple(third)


# -- tables ---------------------------------------------------------------------------------------


def make_tables(*, tournament_id: int) -> int:
    """Set up the matches of the open round that are missing, each in a transaction; gives how many.

    After ``TABLES_A_TASK`` another task goes on.
    """
    count = 0
    while _make_table(tournament_id):
        count += 1
        if count == TABLES_A_TASK:
            _send_tables(tournament_id)
            break
    return count


@transaction.atomic
def _make_table(tournament_id: int) -> bool:
    locked = lock(tournament_id)
    row = _without_table(tournament_id).order_by("number").first()
    if locked.state != State.RUNNING or row is None:
        return False
    seats = list(row.seats.select_related("entry__user", "entry__deck").order_by("number"))
    setup = MatchSetup(
        locked.game,
        locked.mode,
        [_plan(seat.entry) for seat in seats],
        options=locked.options,
        time_control=locked.time_control,
        private=not locked.listed,
        series=locked.series,
    )
    try:
        with transaction.atomic():
            row.match = create_from_plans(
                host=locked.organiser, setup=setup, decks=[], in_event=True
            )
    except NoSuchMatch as error:
        logger.warning("tournament_table_refused", pairing=row.pk, error=str(error))
        _rule_draw(locked, row, str(error))
        go_on(locked)
        return True
    row.save(update_fields=["match"])
    calls.ring(locked)
    _tell_table(locked, row, [seat.entry for seat in seats])
    return True


def _without_table(tournament_id: int | None = None) -> QuerySet[Pairing]:
    rows = Pairing.objects.filter(
        match=None, decided_at=None, round__finished_at=None,
        round__tournament__state=State.RUNNING,
    )  # fmt: skip
    return rows if tournament_id is None else rows.filter(round__tournament=tournament_id)


def _plan(entry: Entry) -> SeatPlan:
    deck = SeatDeck(entry.deck.name, entry.deck.cards) if entry.deck is not None else None
    if entry.user is None:
        return SeatPlan(SeatKind.BOT, bot=entry.bot, deck=deck)
    return SeatPlan(SeatKind.PERSON, user=entry.user, deck=deck)


def _rule_draw(locked: Tournament, row: Pairing, why: str) -> None:
    decide(locked, row, [1] * row.seats.count(), How.RULING)
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.RESULT, round_number=row.round.number,
        table_number=row.number, reason=f"The match could not start: {why}"[:300], after="A draw.",
    )  # fmt: skip


def _tell_table(locked: Tournament, row: Pairing, entries: Sequence[Entry]) -> None:
    assert row.match is not None
    if locked.is_league:
        return  # one notice said that the season began
    # One message for each table: the round's says more than the match's own.
    retract(Kind.TABLE_BEGAN, match=row.match.slug)
    name = round_names(locked).of_table(row.round.number, for_third=row.for_third)
    what = f"{name} of {locked.title}"
    if locked.is_ladder:
        what = f"Your challenge in {locked.title}"
    for entry in entries:
        if entry.user_id is None:
            continue
        others = get_text_list([name_of(other) for other in entries if other.pk != entry.pk], "and")
        notify(
            [entry.user_id],
            Kind.TOURNAMENT,
            text=f"{what}: you play {others}."[:300],
            link=row.match.get_absolute_url(),
            key=f"{locked.slug}:round:{row.round.number}",
        )


# -- results --------------------------------------------------------------------------------------


def read_match(finished: MatchFinished) -> None:
    """A match is over (from the outbox): its table is decided, once."""
    number = _open_table(finished.match).values_list("round__tournament", flat=True).first()
    if number is not None:
        with transaction.atomic():
            _read_result(lock(number), finished.match)


def _open_table(slug: str) -> QuerySet[Pairing]:
    """The undecided table at which this match, or the series that it is of, is played."""
    series = Match.objects.filter(slug=slug).values_list("series", flat=True).first()
    match = {"match__slug": slug} if series is None else {"match__series": series}
    return Pairing.objects.filter(decided_at=None, **match)


def _read_result(locked: Tournament, slug: str) -> None:
    row = _open_table(slug).first()
    if row is None or locked.state != State.RUNNING:
        return
    if _decide_by_match(locked, row):
        go_on(locked)


def _decide_by_match(locked: Tournament, row: Pairing) -> bool:
    """Take the result of a finished match, or of a decided series; False where there is none."""
    matches = _take_result(locked, row)
    if matches is None:
        return False
    for seat in row.seats.filter(number__in=_late_players(matches)).select_related("entry"):
        _count_timeout(locked, seat.entry)
    return True


def _take_result(locked: Tournament, row: Pairing) -> QuerySet[Match] | None:
    """Decide a table by its matches, and give them; None where they decide nothing yet."""
    match = row.match
    if match is None:
        return None
    if match.series is not None:
        now = standing(match.series.pk)
        if not match.series.terms.is_decided(now.wins, now.played):
            return None
        decide(locked, row, now.places(), How.MATCH)
        return Match.objects.filter(series=match.series)
    finished = Match.objects.filter(pk=match.pk, status=Status.FINISHED)
    if not finished.exists():
        return None
    ranks = list(match.seats.order_by("number").values_list("rank", flat=True))
    decide(locked, row, [rank or len(ranks) for rank in ranks], How.MATCH)
    return finished


def _late_players(matches: QuerySet[Match]) -> set[int]:
    """Who lost a match on time, or left it to a bot, by the seat in the first of these matches."""
    late = set()
    for match in matches.prefetch_related("seats"):
        left = [seat.number for seat in match.seats.all() if seat.substitute_bot]
        seats = [*lost_on_time(moves_of(match, events=False)), *left]
        late |= {player_at(match, seat) for seat in seats}
    return late


def _count_timeout(locked: Tournament, entry: Entry) -> None:
    if locked.is_ladder:
        return  # open for years; a lost challenge is consequence enough
    entry.timeouts += 1
    if entry.timeouts >= MAX_TIMEOUTS and entry.state == EntryState.ENTERED:
        entry.state, entry.why = EntryState.DROPPED, f"Timed out in {entry.timeouts} rounds."
        if entry.user_id is not None:
            notify(
                [entry.user_id], Kind.TOURNAMENT, link=locked.get_absolute_url(),
                text=f"You are out of {locked.title}: your time ran out in two rounds.",
                key=f"{locked.slug}:out",
            )  # fmt: skip
    entry.save(update_fields=["timeouts", "state", "why"])
    if entry.state == EntryState.DROPPED:
        lose_open_tables(locked, entry)


def lose_open_tables(locked: Tournament, entry: Entry) -> bool:
    """Decide the open tables of somebody who dropped for the others there; False without any.

    A match that is over and not read yet counts as it was played.
    """
    tables = list(standings.open_tables_of(entry))
    for table in tables:
        if _take_result(locked, table) is not None:
            continue
        rows = list(table.seats.order_by("number"))
        places = [len(rows) if row.entry_id == entry.pk else 1 for row in rows]
        decide(locked, table, places, How.DROPPED)
        if table.match is not None:
            cancelling.end_for_event(slug=table.match.slug)
    return bool(tables)


def decide(locked: Tournament, row: Pairing, places: Sequence[int], how: str) -> None:
    """Write the places and points of a table of a locked tournament."""
    points = scoring.points_for(places, pods=locked.pods)
    seats = list(row.seats.order_by("number"))
    for seat, place, earned in zip(seats, places, points, strict=True):
        seat.place, seat.points = place, earned
    if row.match is not None and row.match.series_id is not None:
        for seat, wins in zip(seats, standing(row.match.series_id).wins, strict=True):
            seat.wins = wins
    PairingSeat.objects.bulk_update(seats, ["place", "points", "wins"])
    row.how, row.decided_at = how, timezone.now()
    row.save(update_fields=["how", "decided_at"])
    calls.ring(locked)


def go_on(locked: Tournament) -> None:
    """Where every table of the open round is decided: close it and pair the next one."""
    if locked.state != State.RUNNING:
        return
    rows = Round.objects.filter(tournament=locked, finished_at=None)
    undecided = Pairing.objects.filter(round=OuterRef("pk"), decided_at=None)
    closed = rows.exclude(Exists(undecided)).update(finished_at=timezone.now())
    if closed and locked.is_ladder:
        ladder_places.settle(locked)
    if closed or locked.is_league:
        write_standings(locked)
    if closed and not locked.is_ladder and not rows.exists():
        if locked.is_league:
            finish(locked)
        else:
            pair_next(locked)


def write_standings(locked: Tournament) -> None:
    """Copy the standings as they are now onto the entries."""
    ranked = standings.standings_of(locked, bytes(locked.server_seed))
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=locked)}
    of_series = {} if locked.series is None else standings.matches_of_series(locked)
    places = {}
    if locked.is_league:
        places = divisions.places((row.key, entries[row.key].division or 1) for row in ranked)
    lowest = max((place.division for place in places.values()), default=1)
    changed = []
    for row in ranked:
        entry = entries[row.key]
        before = entry.rank, entry.standing
        if not locked.is_ladder:  # there the places follow from challenges
            entry.rank = row.rank
        entry.standing = {
            "points": row.points, "played": row.played, "won": row.won, "drawn": row.drawn,
            "lost": row.lost, "byes": row.byes,
            "opponents_win": round(float(row.opponents_win), 4),
            "own_win": round(float(row.own_win), 4),
            "opponents_own": round(float(row.opponents_own), 4),
            "head_to_head": row.head_to_head, "random_draw": f"{row.random_draw:016x}",
            "decided_by": "" if locked.is_ladder else row.decided_by,
        }  # fmt: skip
        if locked.series is not None:
            won, lost = of_series.get(row.key, (0, 0))
            entry.standing |= {"matches_won": won, "matches_lost": lost}
        if row.key in places:
            here = places[row.key]
            way = divisions.movement(here, lowest, locked.moving)
            entry.standing |= {"place": here.place, "moves": MOVES[way]}
        if (entry.rank, entry.standing) != before:
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["rank", "standing"], batch_size=500)


# -- deadlines ------------------------------------------------------------------------------------


@transaction.atomic
def end_round(*, tournament: Tournament, by: User, number: int, reason: str) -> Tournament:
    """End the open round before its time: tables that are open are decided as at the deadline.

    A round of another number, or one that is over, changes nothing. Raises ``NotAllowed`` and
    ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    why = checked_reason(reason)
    row = Round.objects.filter(tournament=locked, number=number, finished_at=None).first()
    if row is None or locked.state != State.RUNNING:
        return locked
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.END_ROUND, round_number=number, by=by, reason=why,
        before=f"{standings.undecided(locked)} tables were open.",
    )  # fmt: skip
    _end(locked, row)
    return locked


def end_round_by_clock(*, round_id: int) -> bool:
    """End a round whose time is over; False where it is over already."""
    with transaction.atomic():
        locked = lock(Round.objects.values_list("tournament", flat=True).get(pk=round_id))
        row = Round.objects.filter(
            pk=round_id, finished_at=None, deadline_at__lte=timezone.now()
        ).first()
        if row is None or locked.state != State.RUNNING:
            return False
        _end(locked, row)
    return True


def _end(locked: Tournament, row: Round) -> None:
    for table in Pairing.objects.filter(round=row, decided_at=None).select_related("match"):
        _decide_at_deadline(locked, table)
    go_on(locked)


def _decide_at_deadline(locked: Tournament, table: Pairing) -> None:
    """A match that is over counts, or who leads a series; else whoever has used up their time
    loses, else it is a draw."""
    if table.match is None:
        decide(locked, table, [1] * table.seats.count(), How.DRAW)
        return
    if _decide_by_match(locked, table):
        return
    if table.match.series_id is not None and _decide_by_standing(locked, table, How.CLOCK):
        cancelling.end_for_event(slug=table.match.slug)
        return
    now = timezone.now()
    match = table.match
    if match.series_id is not None:
        match = Match.objects.filter(series=match.series_id).latest("series_number")
    seats = list(Seat.objects.filter(match=match).order_by("number"))
    if match.seats_swapped:
        seats.reverse()
    late = [seat.flag_fallen or (seat.deadline_at is not None and seat.deadline_at <= now)
            for seat in seats]  # fmt: skip
    if any(late) and not all(late):
        places = [1 + (len(late) - sum(late)) * is_late for is_late in late]
        decide(locked, table, places, How.CLOCK)
        for seat in table.seats.select_related("entry"):
            if late[seat.number]:
                _count_timeout(locked, seat.entry)
    else:
        decide(locked, table, [1] * len(seats), How.DRAW)
    cancelling.end_for_event(slug=table.match.slug)


def _decide_by_standing(locked: Tournament, table: Pairing, how: str) -> bool:
    """Decide a table whose series ends early for whoever leads; False where nobody does."""
    assert table.match is not None
    assert table.match.series_id is not None
    now = standing(table.match.series_id)
    if now.wins[0] == now.wins[1]:
        return False
    decide(locked, table, now.places(), how)
    return True


def tell_open_tables(*, now: datetime | None = None) -> int:
    """Tell those whose table is open at half of a round, and two days before its end; how many
    rounds that were."""
    now = now or timezone.now()
    count = 0
    rows = Round.objects.filter(
        Q(half_told_at=None) | Q(last_told_at=None), finished_at=None, deadline_at__gt=now
    )
    due = [row.pk for row in rows.order_by("deadline_at") if _word_due(row, now)]
    for number in due[:SWEPT_AT_ONCE]:
        with transaction.atomic():
            locked = lock(Round.objects.values_list("tournament", flat=True).get(pk=number))
            row = Round.objects.filter(pk=number, finished_at=None).first()
            if row is not None and locked.state == State.RUNNING:
                count += _tell_open(locked, row, now)
    return count


def _word_due(row: Round, now: datetime) -> str:
    """The reminder that is due in a round: at its “half”, as a “last” call, or none."""
    last = row.deadline_at - LAST_CALL
    # In a short round the last call would come before the half, or with it: one is enough.
    if row.last_told_at is None and now >= last and last > row.paired_at:
        return "last"
    half = row.paired_at + (row.deadline_at - row.paired_at) / 2
    return "half" if row.half_told_at is None and now >= half else ""


def _tell_open(locked: Tournament, row: Round, now: datetime) -> bool:
    due = _word_due(row, now)
    if not due:
        return False
    row.half_told_at = row.half_told_at or now
    if due == "last":
        row.last_told_at = now
    row.save(update_fields=["half_told_at", "last_told_at"])
    open_seats = PairingSeat.objects.filter(round=row, pairing__decided_at=None)
    people = open_seats.filter(entry__user__isnull=False)
    names = round_names(locked)
    texts = {}
    for person, for_third in people.values_list("entry__user", "pairing__for_third"):
        name = names.of_table(row.number, for_third=for_third)
        texts[person] = _reminder(locked, name, last=due == "last")
    notify(
        texts,
        Kind.TOURNAMENT,
        text=texts,
        link=locked.get_absolute_url(),
        # All rounds of a league end together: one word for the season.
        key=f"{locked.slug}:time:{0 if locked.is_league else row.number}:{due}",
        deadline=row.deadline_at,
    )
    return True


def _reminder(locked: Tournament, name: str, *, last: bool) -> str:
    """The reminder's text; ``name`` is that of the player's round."""
    end = "ends soon" if last else "is half over"
    if locked.is_league:
        return f"{locked.title}: you have unfinished matches, and the season {end}."
    if locked.is_ladder:
        return f"{locked.title}: your challenge is unfinished, and its time {end}."
    return f"{name} of {locked.title}: your match is unfinished, and the round {end}."


# -- the end --------------------------------------------------------------------------------------


def finish(locked: Tournament) -> None:
    """Final standings, prizes, and word to everybody."""
    write_standings(locked)
    locked.state, locked.finished_at = State.FINISHED, timezone.now()
    locked.save(update_fields=["state", "finished_at"])
    statistics.store(locked)
    _tell_places(locked)
    _grant_prizes(locked)
    limited.grant_kept(locked)


def _tell_places(locked: Tournament) -> None:
    """Tell each player their place; who has none, such as on the waiting list, that it is over."""
    entries = list(Entry.objects.filter(tournament=locked).exclude(state=EntryState.OUT))
    sizes = Counter(entry.division for entry in entries if entry.rank is not None)
    texts = {}
    for entry in entries:
        if entry.user_id is None:
            continue
        place = entry.standing.get("place", entry.rank)
        where = f"division {entry.division} of {locked.title}" if entry.division else locked.title
        if place is None:
            texts[entry.user_id] = f"{locked.title} is over. See the final standings."
        elif place == 1:
            texts[entry.user_id] = f"You won {where}."
        else:
            result = f"You finished {ordinal(place)} of {sizes[entry.division]}"
            texts[entry.user_id] = f"{result} in {where}."
    notify(
        texts,
        Kind.TOURNAMENT,
        text=texts,
        link=locked.get_absolute_url(),
        key=f"{locked.slug}:over",
    )


def _grant_prizes(locked: Tournament) -> None:
    """Packs for the places that were promised them; each person gets them once."""
    for number, prize in enumerate(locked.prizes):
        winners = Entry.objects.filter(
            tournament=locked, rank__gte=prize["first"], rank__lte=prize["last"],
            user__isnull=False, user__is_active=True,
        ).select_related("user")  # fmt: skip
        people = [entry.user for entry in winners if entry.user is not None]
        if not people:
            continue
        try:
            with transaction.atomic():
                packs.grant(
                    by=None,
                    game=locked.game,
                    product=prize["product"],
                    people=people,
                    key=f"tournament:{locked.slug}:{number}",
                    count=prize["count"],
                    note=f"Prize of {locked.title}",
                )
        except Unacceptable as error:  # a pack that has left the site keeps nobody from the end
            logger.error("tournament_prize_refused", tournament=locked.slug, error=str(error))
            continue
        notify(
            [person.pk for person in people],
            Kind.TOURNAMENT,
            text=f"You have won {prize['count']} pack{'' if prize['count'] == 1 else 's'} in "
            f"{locked.title}.",
            link=reverse("collection:packs"),
            key=f"{locked.slug}:prize:{number}",
        )


# -- what the clock and crashes leave to do -------------------------------------------------------


def sweep() -> dict[str, int]:
    """Do what is due: starts, ends of rounds, notices, missing tables, cancelled matches."""
    now = timezone.now()
    packs_given = sum(
        give_packs_by_clock(tournament_id=pk) for pk in limited.registration_over(now)
    )
    due = Tournament.objects.filter(state=State.ANNOUNCED, starts_at__lte=now)
    started = sum(
        start_by_clock(tournament_id=pk) for pk in due.values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    )
    late = Round.objects.filter(finished_at=None, deadline_at__lte=now).filter(
        tournament__state=State.RUNNING
    )
    ended = sum(
        end_round_by_clock(round_id=pk) for pk in late.values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    )
    missing = _without_table().order_by()  # an order would make each table distinct
    waiting = missing.values_list("round__tournament", flat=True).distinct()
    for number in waiting[:SWEPT_AT_ONCE]:
        _send_tables(number)
    return {
        "started": started,
        "ended": ended,
        "cancelled": _read_cancelled(),
        "told": tell_open_tables(now=now),
        "packs": packs_given,
        "picks": limited.sweep(now),
    }


def _read_cancelled() -> int:
    """Tables whose match was cancelled (nobody came for ten days) end in a draw; how many.

    A series that was stopped is won by whoever leads it.
    """
    rows = Pairing.objects.filter(
        Q(match__status=Status.CANCELLED) | Q(match__series__ended_at__isnull=False),
        decided_at=None,
        round__tournament__state=State.RUNNING,
    )
    done = 0
    for pk, number in rows.values_list("pk", "round__tournament")[:SWEPT_AT_ONCE]:
        with transaction.atomic():
            locked = lock(number)
            row = Pairing.objects.filter(pk=pk, decided_at=None).select_related("match").first()
            if row is not None and locked.state == State.RUNNING:
                of_series = row.match is not None and row.match.series_id is not None
                if not (
                    of_series
                    and (
                        _decide_by_match(locked, row)
                        or _decide_by_standing(locked, row, How.CANCELLED)
                    )
                ):
                    decide(locked, row, [1] * row.seats.count(), How.CANCELLED)
                go_on(locked)
                done += 1
    return done
