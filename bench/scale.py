"""The cost of pages and tasks with 1,000 finished matches and with 100,000.

python -m bench.scale                  (makes a PostgreSQL for the run; some minutes)
python -m bench.scale 1000 20000       (other sizes)

Matches of all games are played by bots through the services, then multiplied by SQL with their
seats, moves or archives, ratings and notifications (foreign keys are not looked at meanwhile).
Requests go through the whole of Django but not through a socket. The aim: as many queries at both
sizes, at most 1.5 times the buffers, twice the time, and no sequential scan of a table that grows.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.servers import create_database, environment, has_postgres, own_servers
from bench.tables import each, machine, show, table
from bench.web import let_the_client_in

if TYPE_CHECKING:
    from django.db.models import Model

    from accounts.models import User
    from matches.models import Match
    from tests.support.services import Services

SMALL, LARGE = 1_000, 100_000
RUNNING = 10
"""One running match for so many finished ones."""
BUSY = 500
"""Finished matches of the person who looks at pages, at both sizes."""
PROGRAM = 20
"""One match of so many is a program's (an account that a program plays for)."""
GUESTS = 20
"""One account of so many is a guest's, who came within the last 90 days."""
BOTS = 3
"""One match of so many is against a bot."""
MOVES = 30
"""So many moves of each game are played to see what one writes."""
YOUNG = 50
"""One match of so many ended within the last 30 days and has its moves as rows."""
GROWING = (
    "matches_match", "matches_seat", "matches_moverow", "matches_matcharchive",
    "matches_ratingchange", "matches_rating", "matches_chatline", "matches_tablevisit",
    "accounts_user", "notices_notice", "core_matchfinished",
)  # fmt: skip
NO_EVENTS = zlib.compress(b"[]").hex()
LINES = 50
"""So much of an export is read: matches of it, a line each."""
MOVES_TABLE = "matches_moverow"
TEMPLATES = "templates"
"""The database with the matches that bots have played."""
FEW_ROWS = 2_000
"""A scan that reads fewer rows than this is PostgreSQL's right choice."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a page or a task; ``scans`` are the growing tables that it reads as a whole.

    ``database_ms`` is the part of the time that PostgreSQL takes.
    """

    name: str
    queries: int
    ms: float
    database_ms: float
    buffers: int
    scans: list[str]


def main(smaller: int = SMALL, larger: int = LARGE) -> None:
    """Print the table of both sizes and what a match weighs."""
    if not has_postgres():
        return
    with own_servers() as services:
        create_database(services, TEMPLATES, "riffle")
        run_part(services, TEMPLATES, 0, "prepare")
        small = _measured(services, smaller, 1)
        large = _measured(services, larger, 2)
    show(f"\n{machine()}\n")
    rows = [_row(before, after) for before, after in zip(small, large, strict=True)]
    head = (
        *("", "queries", "→", "ms", "→", "÷"),
        *("in PostgreSQL", "→", "buffers", "→", "÷", "scans"),
    )
    show(table(head, rows))


def _row(small: Cost, large: Cost) -> tuple[object, ...]:
    return (
        small.name,
        small.queries,
        large.queries,
        small.ms,
        large.ms,
        large.ms / max(small.ms, 0.01),
        small.database_ms,
        large.database_ms,
        small.buffers,
        large.buffers,
        large.buffers / max(small.buffers, 1),
        " ".join(large.scans),
    )


def _measured(services: Services, size: int, number: int) -> list[Cost]:
    database, out = f"riffle{size}", services.folder / f"{size}.json"
    create_database(services, database, TEMPLATES)
    run_part(services, database, number, "measure", str(size), str(out))
    return [Cost(**row) for row in json.loads(out.read_text())]


def run_part(services: Services, database: str, number: int, *arguments: str) -> None:
    """A process of its own for each database: settings are read once."""
    var, redis = services.folder / f"var-{database}", f"{services.redis_url}?db={number}"
    command = [sys.executable, "-m", "bench.scale", *arguments]
    subprocess.run(command, check=True, env=environment(services, database, var, REDIS_URL=redis))


def prepare() -> None:
    """The played matches that are multiplied later."""
    from accounts.models import User

    began = time.perf_counter()
    User.objects.bulk_create(User(username=f"person-{n}") for n in range(2))
    play_templates()
    show(f"matches played: {time.perf_counter() - began:.0f} s")


def measure(size: int, out: Path) -> None:
    """Fill the database that the settings name, and write its costs to a file."""
    let_the_client_in()
    began = time.perf_counter()
    fill(size)
    show(f"\n{size:,} finished matches: filled in {time.perf_counter() - began:.0f} s")
    show(weight())
    out.write_text(json.dumps([asdict(cost) for cost in costs()]))
    show(table(("game", "moves", "bytes of WAL a move", "HOT, matches", "HOT, seats"), writes()))


# -- filling ---------------------------------------------------------------------------------------


def fill(size: int) -> None:
    """People, and so many copies of the played matches."""
    from accounts.models import User
    from matches.models import Match, Status
    from matches.services import tallies

    people = max(200, size // 10)
    first = User.objects.order_by("pk").values_list("pk", flat=True)[0]
    run_sql("SET session_replication_role = replica")
    copy(
        User,
        f"accounts_user t, generate_series(2, {people - 1}) n WHERE t.id = {first}",
        {
            "id": f"{first} + n",
            "username": "'person-' || n",
            "is_bot": "n = 2",
            "is_guest": f"n > 10 AND n % {GUESTS} = 0",
            "date_joined": f"now() - (n % {GUESTS * 80}) / {GUESTS} * interval '1 day'",
        },
    )
    finished = list(Match.objects.filter(status=Status.FINISHED).values_list("pk", flat=True))
    running = list(Match.objects.filter(status=Status.RUNNING).values_list("pk", flat=True))
    young = f"n % {YOUNG} = 0"
    multiply(finished, size, first, people, moves=young, archived=f"NOT ({young})")
    multiply(running, size // RUNNING, first, people, moves="true", archived="false", offset=size)
    run_sql("ANALYZE")
    rate()
    tallies.recount()
    run_sql("SET session_replication_role = origin")
    for model in ("matches_match", "matches_seat", "matches_rating", "accounts_user"):
        run_sql(
            f"SELECT setval(pg_get_serial_sequence('{model}', 'id'), (SELECT max(id) FROM {model}))"
        )
    run_sql("VACUUM ANALYZE")


def play_templates() -> None:
    """Two matches of each game, one played to its end and archived later, one in the middle."""
    import rules
    from accounts.models import User
    from matches.models import TimeControl
    from matches.services.setup import MatchSetup, SeatPlan, create_match

    ann, bob = User.objects.order_by("pk")[:2]
    for game in rules.games().values():
        mode = next(mode for mode in game.modes.values() if mode.playable and 2 in mode.seats)
        for plies in (10_000, 12):
            seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
            plan = MatchSetup(
                game=game.slug, mode=mode.slug, seats=seats, time_control=TimeControl.STEADY
            )
            play(create_match(host=ann, setup=plan), plies)


def play(match: Match, plies: int) -> int:
    """Have bots choose so many moves of the people at a table; how many were left to play."""
    from matches import engine
    from matches.services.play import play_move

    bot = next(iter(engine.game_of(match).bots.values()))
    for ply in range(plies):
        match.refresh_from_db()
        board = engine.load(match)
        if not board.prompts:
            return ply
        seat, prompt = sorted(board.prompts.items())[0]
        move = bot.choose(board.view(seat), prompt, engine.bot_chance(match, seat, prompt.id))
        user = match.seats.get(number=seat).user
        assert user is not None
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    return plies


def multiply(
    templates: Sequence[int],
    count: int,
    first: int,
    people: int,
    *,
    moves: str,
    archived: str,
    offset: int = 0,
) -> None:
    """Copies of matches with other people and other times, the newest last."""
    import rules
    from matches import moves as packing
    from matches.models import Match, MatchArchive, MoveRow, Seat

    key = f"(1000000 + {offset} + n)"
    age = f"(({count} - n) * interval '1 year' / {count})"
    old = f"({archived})"
    chosen = f"(ARRAY{list(templates)})[1 + n % {len(templates)}]"
    source = f"generate_series(1, {count}) n JOIN {{table}} t ON t.{{key}} = {chosen}"
    in_order = " ORDER BY n"  # as they come in life: neighbours by key lie on one page
    times = dict.fromkeys(("created_at", "started_at", "moved_at", "active_at"), f"now() - {age}")
    if archived != "false":
        times["finished_at"] = f"now() - {age}"
    copy(
        Match,
        source.format(table="matches_match", key="id") + in_order,
        times
        | {
            "id": key,
            "slug": f"'z' || lpad(({offset} + n)::text, 11, '0')",
            "state": f"CASE WHEN {old} THEN NULL ELSE t.state END",
            "archived": old,
            "opening_events": f"CASE WHEN {old} THEN '\\x{NO_EVENTS}'::bytea "
            "ELSE t.opening_events END",
            "host_id": "NULL",
            "among_people": f"n % {BOTS} != 0",
            # No running match has stood still: the sweep would wake its bot.
            "bots_asked_at": "NULL" if offset == 0 else "now() + interval '1 hour'",
        },
    )
    names = [next(iter(rules.games()[game].bots)) for game in _games_of(templates)]
    against_bot = f"t.number = 1 AND n % {BOTS} = 0"
    copy(
        Seat,
        source.format(table="matches_seat", key="match_id") + in_order,
        {
            "match_id": key,
            "finished_at": times.get("finished_at", "NULL"),
            "kind": f"CASE WHEN {against_bot} THEN 'bot' ELSE 'person' END",
            "bot": f"CASE WHEN {against_bot} THEN (ARRAY{names})[1 + n % {len(names)}] ELSE '' END",
            "user_id": f"CASE WHEN {against_bot} THEN NULL "
            f"WHEN t.number = 0 AND n <= {BUSY if not offset else 20} THEN {first} "
            f"WHEN t.number = 1 AND n % {PROGRAM} = 7 THEN {first} + 2 "
            f"ELSE {first} + 10 + (n::bigint * 7919 + t.number * 31) % ({people} - 10) END",
        },
    )
    copy(
        MoveRow,
        source.format(table="matches_moverow", key="match_id") + f" WHERE {moves}",
        {"match_id": key},
    )
    if archived == "false":
        return
    for template in templates:
        match = Match.objects.get(pk=template)
        packing.pack(match, list(match.moves.order_by("ply"))).save(force_insert=True)
    copy(
        MatchArchive,
        source.format(table="matches_matcharchive", key="match_id") + f" WHERE {old}",
        {"match_id": key},
    )
    MatchArchive.objects.filter(match__in=templates).delete()
    notices = (
        "FROM matches_seat s JOIN matches_match m ON m.id = s.match_id "
        "WHERE m.id > 1000000 AND s.user_id IS NOT NULL"
    )
    run_sql(
        "INSERT INTO notices_notice "
        "(person_id, kind, match, key, text, link, created_at, since, seen_at, reminders, planned) "
        "SELECT s.user_id, 'match_over', m.slug, '', 'Over.', '/', m.moved_at, m.moved_at, "
        f"m.moved_at, 0, true {notices} ON CONFLICT DO NOTHING"
    )
    run_sql(
        "INSERT INTO core_matchfinished (match, game, mode, seats, at) "
        "SELECT slug, game, mode, '[]', finished_at FROM matches_match WHERE id > 1000000 AND "
        "status = 'finished'"
    )


def _games_of(templates: Sequence[int]) -> list[str]:
    from matches.models import Match

    games = dict(Match.objects.filter(pk__in=templates).values_list("pk", "game"))
    return [games[template] for template in templates]


def rate() -> None:
    """A rating for everybody on every ladder they have played on, and a change for each seat."""
    run_sql(
        "INSERT INTO matches_ladder (game, mode, speed) "
        "SELECT DISTINCT game, mode, 'web' FROM matches_match ON CONFLICT DO NOTHING"
    )
    seats = (
        "FROM matches_seat s JOIN matches_match m ON m.id = s.match_id AND m.status = 'finished' "
        "JOIN matches_ladder l ON l.game = m.game AND l.mode = m.mode AND l.speed = 'web' "
    )
    run_sql(
        "INSERT INTO matches_rating "
        "(ladder_id, user_id, bot, mu, sigma, matches, opponents, at, settled_until) "
        "SELECT l.id, s.user_id, s.bot, 10 + 30 * random(), 3, greatest(12, count(*)), 5, "
        f"max(m.finished_at), now() + interval '1 year' {seats} GROUP BY 1, 2, 3 "
        "ON CONFLICT DO NOTHING"
    )
    run_sql("ANALYZE matches_ladder, matches_rating")  # or the next statement takes minutes
    run_sql(
        "INSERT INTO matches_ratingchange "
        "(rating_id, match_id, seat, at, mu_before, sigma_before, mu, sigma) "
        f"SELECT r.id, m.id, s.number, m.finished_at, 25, 3, 25, 3 {seats} "
        "JOIN matches_rating r ON r.ladder_id = l.id AND r.bot = s.bot "
        "AND coalesce(r.user_id, 0) = coalesce(s.user_id, 0) "
        "ON CONFLICT DO NOTHING"
    )


def copy(model: type[Model], source: str, changed: Mapping[str, str]) -> None:
    """Insert rows made of template rows ``t``, with other values for some columns."""
    fields = [f for f in model._meta.concrete_fields if f.column != "id" or "id" in changed]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(changed.get(str(field.column), f't."{field.column}"') for field in fields)
    run_sql(f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {values} FROM {source}')


def run_sql(sql: str) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []


def weight() -> str:
    """Bytes of a finished match at rest, by table with its indexes, and of a move as a row."""
    run_sql("ANALYZE")
    (matches,), (finished,), (moves,) = (
        run_sql(f"SELECT count(*) FROM {rows}")[0]
        for rows in ("matches_match", "matches_match WHERE finished_at IS NOT NULL", MOVES_TABLE)
    )
    sizes = run_sql(
        "SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables "
        f"WHERE relname IN {GROWING} AND relname NOT IN ('{MOVES_TABLE}', 'accounts_user') "
        "ORDER BY pg_total_relation_size(relid) DESC"
    )
    # Running matches have rows in two of these tables; they weigh about as much there.
    shared = {"matches_match": matches, "matches_seat": matches}
    rows = [(name, *(n / shared.get(name, finished) for n in parts)) for name, *parts in sizes]
    lines: list[tuple[object, ...]] = [
        (name, rows_, indexes, rows_ + indexes) for name, rows_, indexes in rows
    ]
    together = [sum(row[n] for row in rows) for n in (1, 2)]
    lines.append(("a finished match, archived", *together, sum(together)))
    ((moves_rows, moves_indexes),) = run_sql(
        f"SELECT pg_table_size('{MOVES_TABLE}'), pg_indexes_size('{MOVES_TABLE}')"
    )
    a_move = moves_rows / moves, moves_indexes / moves
    lines.append(("a move as a row", *a_move, sum(a_move)))
    return table(("bytes", "rows", "indexes", "together"), lines)


# -- measuring -------------------------------------------------------------------------------------


def costs() -> Iterator[Cost]:
    """Every page and task."""
    for name, action in actions().items():
        yield cost(name, action)


def actions() -> dict[str, Callable[[], object]]:
    """All measurements by name; each can be repeated."""
    from django.test import Client

    from accounts.models import User
    from matches.models import Match, Status
    from matches.queries import records
    from matches.services import bots, clock, open_tables, people

    busy, quiet = User.objects.order_by("pk")[0], User.objects.order_by("pk")[150]
    staff = User.objects.create_user("operator", is_staff=True, is_superuser=True)
    guest = Client()
    program = User.objects.get(is_bot=True)
    clients = {user: Client() for user in (busy, quiet, staff, program)}
    for user, client in clients.items():
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    ended = Match.objects.filter(status=Status.FINISHED, seats__user=busy)
    old = ended.filter(archived=True).latest("pk")
    young = Match.objects.filter(status=Status.FINISHED, archived=False).latest("pk")
    running = Match.objects.filter(status=Status.RUNNING, seats__user=busy).latest("pk")
    game, mode = old.game, old.mode
    ends = [_just_ended(opponent) for opponent in (program, None)]

    def page(client: Client, address: str) -> Callable[[], object]:
        def ask() -> None:
            response = client.get(address)
            data = b"".join(islice(response, LINES)) if response.streaming else response.content
            response.close()
            assert response.status_code == 200, (address, response.status_code, data[:500])

        return ask

    mine, other, operator = clients[busy], clients[quiet], clients[staff]
    return {
        "start page": page(mine, "/"),
        "My tables, 500 finished": page(mine, "/matches/"),
        "My tables, few": page(other, "/matches/"),
        "lobby": page(mine, "/play/lobby/"),
        "running tables": page(guest, "/play/lobby/running/"),
        "running tables, far page": page(guest, "/play/lobby/running/?page=3"),
        "running tables, of a mode": page(guest, f"/play/lobby/running/?game={game}&mode={mode}"),
        "running tables, among people": page(guest, "/play/lobby/running/?people=1"),
        "running tables, needs a player": page(guest, "/play/lobby/running/?people=wanted"),
        "a game's records, cold": lambda: records._game_record(rules_game(game)),
        "a person's page": page(other, f"/people/{busy.username}/"),
        "a program's page": page(other, f"/people/{program.username}/"),
        "My tables, of a program": page(clients[program], "/matches/"),
        "ratings": page(guest, f"/ratings/{game}/{mode}/"),
        "ratings, far page": page(guest, f"/ratings/{game}/{mode}/?page=2"),
        "players": page(mine, "/people/"),
        "players, a name": page(mine, "/people/?q=person-17"),
        "players of a mode": page(mine, f"/people/?play={game}/{mode}"),
        "table of a running match": page(mine, running.get_absolute_url()),
        "replay of a young match": page(guest, f"{young.get_absolute_url()}replay/?ply=10"),
        "replay of an archived match": page(guest, f"{old.get_absolute_url()}replay/?ply=10"),
        "result of an archived match": page(guest, f"{old.get_absolute_url()}result/"),
        "record of an archived match": page(guest, f"{old.get_absolute_url()}match.json"),
        "API: matches": page(other, "/api/matches/"),
        "API: own matches": page(mine, "/api/matches/?mine=true"),
        "API: finished matches": page(guest, "/api/matches/?status=finished"),
        "API: finished matches, of a game": page(
            guest, f"/api/matches/?status=finished&game={game}"
        ),
        "API: matches, far page": page(other, "/api/matches/?page=9"),
        "API: running tables": page(guest, "/api/lobby/running/"),
        "API: ratings": page(guest, f"/api/ratings/{game}/{mode}/"),
        "export": page(guest, "/api/export/matches/"),
        "export, a mode": page(guest, f"/api/export/matches/?game={game}&mode={mode}"),
        "export, own matches": page(other, "/api/export/matches/?mine=true"),
        "notifications": page(mine, "/you/notices/"),
        "administration: matches": page(operator, "/admin/matches/match/"),
        "administration: a person's matches": page(
            operator, f"/admin/matches/match/?q={quiet.username}"
        ),
        "administration: finished, of a game": page(
            operator, f"/admin/matches/match/?status__exact=finished&game={game}"
        ),
        "administration: people": page(operator, "/admin/accounts/user/"),
        "a match's end, all readers": _all_readers(ends[0]),
        "a match's end against a bot, all readers": _all_readers(ends[1]),
        "sweep: bots": bots.stalled_bots,
        "sweep: clocks": clock.overdue,
        "sweep: open tables": open_tables.sweep_open_tables,
        "nightly: guests to forget": people.forget_guests,
    }


def _just_ended(opponent: User | None) -> Match:
    """A match that a person has just lost to a person or to a bot; nobody has read that yet."""
    import rules
    from accounts.models import User
    from matches.models import Match, SeatKind, TimeControl
    from matches.services.play import concede
    from matches.services.setup import MatchSetup, SeatPlan, create_match

    game = next(iter(rules.games().values()))
    mode = next(mode for mode in game.modes.values() if mode.playable and 2 in mode.seats)
    person = User.objects.order_by("pk")[100]
    bot = SeatPlan(SeatKind.BOT, bot=next(iter(game.bots)))
    seats = [SeatPlan(user=person), bot if opponent is None else SeatPlan(user=opponent)]
    plan = MatchSetup(game=game.slug, mode=mode.slug, seats=seats, time_control=TimeControl.STEADY)
    match = create_match(host=person, setup=plan)
    concede(slug=match.slug, user=person)
    match.refresh_from_db()
    Match.objects.filter(pk=match.pk).update(unrated="")  # conceded before the second move
    return match


def _all_readers(match: Match) -> Callable[[], None]:
    from core import outbox
    from core.models import UnreadMatch

    def read() -> None:
        for unread in UnreadMatch.objects.filter(finished__match=match.slug):
            assert outbox.read(unread.pk), unread.subscriber

    return undone(read)


def writes() -> Iterator[tuple[object, ...]]:
    """Each game's moves: how much of the database's log one writes, and what is rewritten in place.

    Without pages that are logged as a whole after a checkpoint: their number depends on the pace.
    """
    from matches.models import Match, Status

    run_sql("ALTER SYSTEM SET full_page_writes = off")
    run_sql("SELECT pg_reload_conf()")
    time.sleep(0.5)
    people = Match.objects.filter(status=Status.RUNNING, ply__gt=0).exclude(seats__kind="bot")
    for game in people.order_by("game").values_list("game", flat=True).distinct():
        match = people.filter(game=game).latest("pk")
        before = _written()
        moves = play(match, MOVES)
        after = _written()
        log, updates, in_place, seats, seats_in_place = (
            new - old for old, new in zip(before, after, strict=True)
        )
        yield (
            game,
            moves,
            round(log / max(moves, 1)),
            f"{in_place / max(updates, 1):.0%}",
            f"{seats_in_place / max(seats, 1):.0%}",
        )


def _written() -> list[int]:
    """Bytes of the log; updated rows of matches and of seats, each with those updated in place."""
    run_sql("SELECT pg_stat_force_next_flush()")
    ((log,),) = run_sql("SELECT pg_current_wal_insert_lsn() - '0/0'")
    rows = run_sql(
        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables "
        "WHERE relname IN ('matches_match', 'matches_seat') ORDER BY relname"
    )
    return [int(log), *(int(count) for row in rows for count in row)]


def undone(action: Callable[[], object]) -> Callable[[], None]:
    """The action in a transaction that is rolled back."""
    from django.db import transaction

    def act() -> None:
        with transaction.atomic():
            action()
            transaction.set_rollback(True)

    return act


def rules_game(slug: str) -> Any:
    import rules

    return rules.game(slug)


def cost(name: str, action: Callable[[], object]) -> Cost:
    """Queries with their plans of the second call; the time of later ones."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    action()
    with CaptureQueriesContext(connection) as queries:
        action()
    statements = [query["sql"] for query in queries]  # Django forgets them at the next request
    buffers, database_ms, scans = 0, 0.0, set()
    for sql in statements:
        if sql.lstrip("( ").upper().startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
            explained = explain(sql)
            plan, database_ms = explained["Plan"], database_ms + explained["Execution Time"]
            buffers += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            scans |= set(scanned(plan))
    took = each(action, seconds=0.3, clock=time.perf_counter)
    return Cost(name, len(statements), took * 1e3, database_ms, buffers, sorted(scans))


def explain(sql: str) -> Mapping[str, Any]:
    """The plan of a statement as it runs; what it writes is rolled back."""
    from django.db import transaction

    with transaction.atomic():
        ((plans,),) = run_sql(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        transaction.set_rollback(True)
    explained: Mapping[str, Any] = (json.loads(plans) if isinstance(plans, str) else plans)[0]
    return explained


def scanned(plan: Mapping[str, Any]) -> Iterator[str]:
    """The growing tables that a plan reads as a whole."""
    read = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    many = plan["Node Type"] == "Seq Scan" and read * plan["Actual Loops"] >= FEW_ROWS
    if many and plan["Relation Name"] in GROWING:
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from scanned(part)


if __name__ == "__main__":
    part, *arguments = sys.argv[1:] or ("",)
    if part in ("prepare", "measure"):  # in a process of its own: see run_part
        import django

        django.setup()
        prepare() if part == "prepare" else measure(int(arguments[0]), Path(arguments[1]))
    else:
        main(*map(int, sys.argv[1:]))
