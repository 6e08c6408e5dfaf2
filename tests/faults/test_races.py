"""Several people, tabs and workers at one table at the same moment: nothing lost, nothing doubled.

The threads are brought to the worst moment: all have read the match before any of them writes. The
negative controls show that this is what the guards hold: without them, moves do get lost.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from accounts.models import User
from accounts.services.guests import merge_guest
from core.models import MatchFinished
from matches import engine
from matches.clock import seat_clocks
from matches.errors import AlreadyAnswered, NotOpen
from matches.models import Match, MoveRow, Seat, SeatKind, SeriesTerms, Status
from matches.services import merging, series, setup, store_ply, writing
from matches.services.bots import run_bots
from matches.services.clock import run_clock
from matches.services.play import concede, play_move
from matches.services.rematch import rematch
from matches.services.repair import first_difference
from matches.services.setup import SeatPlan, join_match
from matches.services.store_ply import Played
from rules.engine.moves import Prompt, move_to_json
from tests.matches.conftest import MakeMatch, api, asked, person, play_on
from tests.support.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]

TABS = 6


@pytest.fixture
def all_read_first(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Each of n threads stops after its first reading of the match until all have read it."""

    def arrange(threads: int) -> None:
        barrier = threading.Barrier(threads)
        been_here = threading.local()
        load = engine.load

        def load_and_wait(match: Match) -> engine.Table:
            table = load(match)
            if not hasattr(been_here, "once"):
                been_here.once = True
                barrier.wait(30)
            return table

        monkeypatch.setattr(engine, "load", load_and_wait)

    return arrange


def question_with_a_choice(match: Match) -> tuple[User, Prompt]:
    user, prompt = asked(match)
    while len(prompt.options) < 2:
        play_on(match, 1)
        user, prompt = asked(match)
    return user, prompt


def assert_whole(match: Match, plies: int) -> None:
    """No ply lost, none doubled, and the snapshot is what the moves make."""
    match.refresh_from_db()
    assert match.ply == plies
    assert list(match.moves.values_list("ply", flat=True)) == list(range(1, plies + 1))
    assert first_difference(match) is None


def test_the_same_move_from_many_tabs_is_one_ply(
    match: Match, all_read_first: Callable[[int], None]
) -> None:
    user, prompt = question_with_a_choice(match)
    ply = match.ply
    all_read_first(TABS)
    answers = at_once(
        *[
            lambda: play_move(
                slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0]
            )
        ]
        * TABS
    )
    assert [answer.ply for answer in answers] == [ply + 1] * TABS
    assert Counter(answer.repeated for answer in answers) == {False: 1, True: TABS - 1}
    assert_whole(match, ply + 1)


def test_different_moves_from_two_tabs_are_one_ply_and_one_clear_answer(
    match: Match, all_read_first: Callable[[int], None]
) -> None:
    user, prompt = question_with_a_choice(match)
    ply = match.ply
    all_read_first(2)
    answers = two_tabs(match, user, prompt)
    played = [answer for answer in answers if isinstance(answer, Played)]
    refused = [answer for answer in answers if isinstance(answer, AlreadyAnswered)]
    assert len(played) == len(refused) == 1
    assert played[0].notation in refused[0].detail
    row = match.moves.get(ply=ply + 1)
    assert row.move == move_to_json(prompt.options[answers.index(played[0])])
    assert_whole(match, ply + 1)


def test_identical_posts(match: Match) -> None:
    """The whole way through the API, without any help in meeting."""
    user, prompt = asked(match)
    body = {"prompt": prompt.id, "move": move_to_json(prompt.options[0])}
    clients = [api(user) for _ in range(12)]
    answers = at_once(
        *[
            lambda client=client: client.post(f"/api/matches/{match.slug}/moves/", body)
            for client in clients
        ]
    )
    assert [answer.status_code for answer in answers] == [200] * 12
    assert Counter(answer.json()["repeated"] for answer in answers) == {False: 1, True: 11}
    assert_whole(match, 1)


def test_seats_that_answer_at_the_same_moment_both_count(
    make_match: MakeMatch,
    together: str,
    ann: User,
    bob: User,
    stranger: User,
    all_read_first: Callable[[int], None],
) -> None:
    people = (ann, bob, stranger)
    match = make_match(game=together, seats=[SeatPlan(user=user) for user in people])
    prompts = engine.load(match).prompts
    all_read_first(3)
    answers = at_once(
        *[
            lambda seat=seat, user=user: play_move(
                slug=match.slug, user=user, prompt_id=prompts[seat].id, move=f"pick {seat + 1}"
            )
            for seat, user in enumerate(people)
        ]
    )
    assert sorted(answer.ply for answer in answers) == [1, 2, 3]
    assert_whole(match, 3)


def test_several_workers_at_one_bot_s_turn(make_match: MakeMatch) -> None:
    """They do not share the work, but they do not spoil it either."""
    match = make_match(seats=[SeatPlan(SeatKind.BOT), SeatPlan(SeatKind.BOT, bot="random")])

    def work() -> None:
        while run_bots(match_id=match.pk, limit=20):
            pass

    assert at_once(work, work, work) == [None] * 3
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert_whole(match, match.moves.count())


def test_the_clock_and_the_person(
    make_match: MakeMatch, all_read_first: Callable[[int], None]
) -> None:
    """Whoever is first, the question is answered once."""
    match = make_match(timeout="turn", pauses_when_away=False)
    user, prompt = asked(match)
    assert match.deadline_at is not None
    late = match.deadline_at + seat_clocks.GRACE
    all_read_first(2)
    person, _ = at_once(
        lambda: play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[-1]),
        lambda: run_clock(match_id=match.pk, now=late),
    )
    assert isinstance(person, Played | AlreadyAnswered)
    assert match.moves.filter(prompt=prompt.id).count() == 1
    assert_whole(match, match.moves.count())


def test_one_free_seat_and_many_who_want_it(make_match: MakeMatch, db: None) -> None:
    match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
    crowd = [User.objects.create_user(username=f"u{n}") for n in range(5)]
    answers = at_once(*[lambda user=user: join_match(match=match, user=user) for user in crowd])
    assert sum(isinstance(answer, NotOpen) for answer in answers) == 4
    match.refresh_from_db()
    assert match.status == Status.RUNNING
    assert match.opening_events


def test_both_ask_for_a_rematch(match: Match, ann: User, bob: User) -> None:
    concede(slug=match.slug, user=ann)
    answers = at_once(
        *[lambda user=user: rematch(slug=match.slug, user=user) for user in (ann, bob)]
    )
    assert answers[0] == answers[1]
    again = Match.objects.get(rematch_of=match)
    assert again.status == Status.RUNNING


def test_a_series_goes_on_once_for_both_players_and_the_worker(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    match = make_match(series=SeriesTerms(matches=3))
    concede(slug=match.slug, user=ann)
    assert match.series is not None
    number = match.series.pk
    answers = at_once(
        *[lambda user=user: rematch(slug=match.slug, user=user) for user in (ann, bob, ann)],
        *[lambda: series.go_on(series_id=number)] * 3,
    )
    again = Match.objects.get(rematch_of=match)
    assert {answer for answer in answers if answer is not None} == {again}
    assert (again.series_number, Match.objects.count()) == (2, 2)


def test_all_concede_in_several_tabs_and_the_end_is_announced_once(
    make_match: MakeMatch, ann: User, bob: User, all_read_first: Callable[[int], None]
) -> None:
    match = make_match()
    all_read_first(TABS)
    at_once(
        *[lambda who=who: concede(slug=match.slug, user=who) for who in (ann, bob)] * (TABS // 2)
    )
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    matchfinished = MatchFinished.objects.get()
    assert (matchfinished.match, matchfinished.at) == (match.slug, match.finished_at)
    results = sorted(match.seats.values_list("result", flat=True))
    assert results == ["lost", "won"], "whoever conceded second came too late to concede"


@pytest.mark.parametrize("faster", ["join", "merge"])
def test_a_guest_s_seat_is_given_up_while_the_last_one_sits_down(
    make_match: MakeMatch, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch, faster: str
) -> None:
    """The guest turns out to be Ann, who sits there too, as Bob takes the last seat."""
    guest = person("Guest", is_guest=True)
    seats = [SeatPlan(), SeatPlan(user=guest), SeatPlan(SeatKind.OPEN)]
    match = make_match(seats=seats)
    swap = writing.compare_and_swap
    both_read, written = threading.Barrier(2), threading.Event()
    role = threading.local()

    def wait_and_swap(*args: Any, **fields: Any) -> None:
        if not hasattr(role, "waited") and connection.vendor == "postgresql":
            role.waited = True
            both_read.wait(30)
            if role.name != faster:
                written.wait(10)
        swap(*args, **fields)

    def run(name: str, write: Callable[[], Any]) -> Any:
        role.name = name
        try:
            return write()
        finally:
            written.set()

    for module in (setup, merging):
        monkeypatch.setattr(module, "compare_and_swap", wait_and_swap)
    joined, merged = at_once(
        lambda: run("join", lambda: join_match(match=match, user=bob)),
        lambda: run("merge", lambda: merge_guest(guest=guest, user=ann)),
    )
    assert isinstance(joined, Seat), f"Bob: {joined!r}"
    assert merged is None, f"The guest: {merged!r}"
    match.refresh_from_db()
    open_seats = match.seats.filter(kind=SeatKind.OPEN).count()
    if match.status == Status.OPEN:
        assert open_seats == 1, "Bob sits, the guest's seat is free"
    else:
        assert open_seats == 0 and match.moves.filter(seat=1, move__isnull=True).exists()


# -- negative controls ----------------------------------------------------------------------------


@pytest.fixture
def no_version_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers write, whatever has happened since they read."""

    def write_blindly(match: Match, *, version: int | None = None, **fields: Any) -> None:
        Match.objects.filter(pk=match.pk).update(version=F("version") + 1, **fields)

    monkeypatch.setattr(store_ply, "compare_and_swap", write_blindly)


@contextmanager
def no_unique_moves() -> Iterator[None]:
    """The table of moves without its two unique constraints."""
    names = ("move_once_a_ply", "move_once_a_prompt")
    every = MoveRow._meta.constraints
    constraints = [constraint for constraint in every if constraint.name in names]
    constraints.reverse()  # SQLite: the index first, then the table anew from what the model says
    MoveRow._meta.constraints = [item for item in every if item not in constraints]
    for constraint in constraints:
        with connection.schema_editor() as editor:
            editor.remove_constraint(MoveRow, constraint)
    try:
        yield
    finally:
        MoveRow.objects.all().delete()
        MoveRow._meta.constraints = every
        for constraint in constraints:
            with connection.schema_editor() as editor:
                editor.add_constraint(MoveRow, constraint)


def two_tabs(match: Match, user: User, prompt: Prompt) -> list[Any]:
    return at_once(
        *[
            lambda move=move: play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
            for move in prompt.options[:2]
        ]
    )


def test_without_the_version_the_unique_move_still_holds(
    match: Match, all_read_first: Callable[[int], None], no_version_guard: None
) -> None:
    user, prompt = question_with_a_choice(match)
    ply = match.ply
    all_read_first(2)
    answers = two_tabs(match, user, prompt)
    assert sum(isinstance(answer, AlreadyAnswered) for answer in answers) == 1
    assert match.moves.count() == ply + 1


def test_without_both_guards_a_move_is_lost(
    match: Match, all_read_first: Callable[[int], None], no_version_guard: None
) -> None:
    """The negative control: so the tests above do reach the moment that they are about."""
    user, prompt = question_with_a_choice(match)
    ply = match.ply
    all_read_first(2)
    with no_unique_moves():
        answers = two_tabs(match, user, prompt)
        assert all(isinstance(answer, Played) for answer in answers), answers
        assert match.moves.filter(ply=ply + 1).count() == 2
        match.refresh_from_db()
        assert first_difference(match) is not None
