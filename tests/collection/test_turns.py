"""Turns: nobody's one list waits for another's ten, and no piece is forgotten."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import User
from collection import tasks
from collection.lists.matching import Catalog
from collection.models import Card, ImportJob, JobState, PrintJob
from collection.services import fair_queue, file_jobs, imports, prints
from tests.support.races import at_once

LONG = b"1 Red Claw\n" * imports.READ_AT_ONCE
pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

Queue = deque[tuple[Callable[[int], None], int]]


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object) -> Queue:
    """A queue that keeps the sent jobs in order until ``work`` runs them."""
    sent: Queue = deque()
    for task in (tasks.read_list, tasks.make_print):
        monkeypatch.setattr(
            task, "apply_async", lambda args, task=task, **_: sent.append((task, args[0]))
        )
    # A test's transaction is never committed: tell the worker at once.
    monkeypatch.setattr("django.db.transaction.on_commit", lambda do, **_: do())
    return sent


def work(queue: Queue) -> list[str]:
    """A single worker does all that lies there; whose pieces it ended, in order."""
    done: list[str] = []
    while queue:
        task, job_id = queue.popleft()
        model = ImportJob if task is tasks.read_list else PrintJob
        job = model.objects.get(pk=job_id)
        task(job_id)
        if job.state == JobState.WAITING != model.objects.get(pk=job_id).state:
            done.append(job.owner.username)
    return done


def bring(owner: User) -> ImportJob:
    return imports.start_import(owner=owner, data=LONG)


def have_printed(owner: User) -> PrintJob:
    return prints.start_print(owner=owner, title="", cards=[(Card.objects.all()[0], 1)])


@pytest.fixture
def people() -> list[User]:
    return [User.objects.create_user(name) for name in ("ada", "ben", "cem")]


def test_one_list_waits_for_one_of_everybody_else(people: list[User], queue: Queue) -> None:
    ada, ben, cem = people
    for owner in (ada, ben):
        for _ in range(4):
            bring(owner)
    bring(cem)
    assert work(queue)[:4] == ["ada", "ben", "cem", "ada"]
    assert not ImportJob.objects.exclude(state=JobState.READY).exists()


def test_lists_and_prints_of_one_person_wait_for_each_other(
    people: list[User], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben, _ = people
    bring(ada), have_printed(ada), bring(ben)
    monkeypatch.setattr(prints, "_draw", lambda job: file_jobs.finish(job, JobState.DONE))
    assert work(queue) == ["ada", "ben", "ada"]
    assert PrintJob.objects.get().state == JobState.DONE


def test_a_second_piece_is_left_alone_while_the_first_runs(
    people: list[User], queue: Queue
) -> None:
    ada = people[0]
    first, second = bring(ada), bring(ada)
    assert imports._claim(first.pk, in_turn=True)
    queue.clear()
    tasks.read_list(second.pk)
    second.refresh_from_db()
    assert second.state == JobState.WAITING and not queue
    # Its end is not needed, either: a silent worker counts as dead, and holds nobody up.
    ImportJob.objects.filter(pk=first.pk).update(touched_at=timezone.now() - imports.DEAD_AFTER * 2)
    tasks.sweep()
    assert [job_id for _, job_id in queue] == [first.pk]
    assert work(queue) == ["ada"]  # the second; the first was no longer waiting
    assert set(ImportJob.objects.values_list("state", flat=True)) == {JobState.READY}


def test_a_cancelled_piece_passes_its_turn_on(people: list[User], queue: Queue) -> None:
    first, _ = bring(people[0]), bring(people[0])
    imports.cancel_import(owner=people[0], slug=first.slug)
    assert work(queue) == ["ada"]


def test_the_sweep_sends_one_piece_a_person(people: list[User], queue: Queue) -> None:
    for owner in people:
        bring(owner), bring(owner)
    queue.clear()  # the broker was emptied
    ImportJob.objects.update(touched_at=timezone.now() - imports.DEAD_AFTER * 2)
    tasks.sweep()
    assert len(queue) == len(people)
    tasks.sweep()
    assert len(queue) == len(people), "told again before anybody could have begun"
    assert sorted(work(queue)) == sorted(2 * [person.username for person in people])


def test_a_broker_that_is_away_is_no_error(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    from kombu.exceptions import OperationalError

    def away(*args: object, **options: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.read_list, "apply_async", away)
    ImportJob.objects.create(owner=people[0], upload=LONG)
    fair_queue.send_next(people[0].pk)
    assert ImportJob.objects.get().state == JobState.WAITING


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_both_have_something_of_one_person() -> None:
    ada = User.objects.create_user("ada")
    jobs = [ImportJob.objects.create(owner=ada, upload=LONG) for _ in range(4)]
    claimed = at_once(*[lambda pk=job.pk: imports._claim(pk, in_turn=True) for job in jobs])
    assert sorted(type(each).__name__ for each in claimed) == ["ImportJob"] + 3 * ["NoneType"]


# -- how much of a list is looked at ---------------------------------------------------------------


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every row that is looked up in the catalog."""
    rows: list[object] = []
    match = Catalog.match

    def counted(self: Catalog, row: object, game: str = "") -> object:
        rows.append(row)
        return match(self, row, game)  # type: ignore[arg-type]

    monkeypatch.setattr(Catalog, "match", counted)
    return rows


def test_a_list_of_unknown_names_is_given_up_early(
    people: list[User], queue: Queue, looked_up: list[object]
) -> None:
    data = "\n".join(f"1 nobody calls a card this {n}" for n in range(95_000)).encode()
    job = imports.start_import(owner=people[0], data=data)
    work(queue)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.problem.startswith("None of the first 2,000 entries is a known card")
    assert len(looked_up) == imports.GIVEN_A_CHANCE and not job.lines.exists()


def test_one_known_name_is_enough_to_go_on(people: list[User], queue: Queue) -> None:
    lines = [f"1 nobody calls a card this {n}" for n in range(3_000)]
    job = imports.start_import(owner=people[0], data="\n".join(["1 Red Claw", *lines]).encode())
    work(queue)
    job.refresh_from_db()
    assert (job.state, job.lines.count()) == (JobState.READY, 3_001)


@pytest.mark.parametrize(
    "data",
    [b"1 Red Claw\n" * 100_003, b"name,quantity\n" + b"Red Claw,1\n" * 100_003],
)
def test_too_many_lines_are_refused_before_anything_is_read(
    people: list[User], data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "read", None)
    with pytest.raises(imports.Unacceptable, match="more than 100,000 entries"):
        imports.start_import(owner=people[0], data=data)
    assert not ImportJob.objects.exists()


@pytest.mark.slow
def test_too_many_entries_in_json_are_found_out_before_one_is_looked_up(
    people: list[User], queue: Queue, looked_up: list[object]
) -> None:
    data = b"[" + b",".join([b'{"name":"Red Claw","quantity":1}'] * 100_001) + b"]"
    job = imports.start_import(owner=people[0], data=data)
    work(queue)
    job.refresh_from_db()
    assert (job.state, looked_up) == (JobState.FAILED, [])
    assert "more than 100,000 entries" in job.problem


@pytest.mark.parametrize(
    "data",
    [b"1 Red Claw\n\n" * 60_000, b"# aside\n" * 60_000 + b"1 Red Claw\n" * 60_000],
    ids=["empty lines", "comments"],
)
def test_lines_that_are_no_entries_do_not_count(people: list[User], data: bytes) -> None:
    from collection.lists.reading import count_lines, surely_too_many

    assert count_lines(data) > 100_000 and not surely_too_many(data)
