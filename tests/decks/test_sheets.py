"""Registration sheets of a whole check: drawn at once where they are few, by a worker else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from reportlab.platypus import Flowable

from accounts.models import User
from collection.errors import Unacceptable
from collection.models.jobs import JobState
from collection.services import file_jobs
from core.errors import NotAllowed
from decks.drawing import registration
from decks.drawing.registration import Sheet, write_sheets
from decks.lists.textlist import write_list
from decks.models import CheckedDeck, DeckCheck, SheetJob
from decks.queries import checks as check_queries
from decks.queries import sheets as queries
from decks.services import checks
from decks.services import sheets as services
from decks.services.checks import Entry
from decks.tasks import sweep
from tests.games.examples import GAME, READY_CARDS

pytestmark = pytest.mark.django_db

TEXT = write_list(READY_CARDS, GAME)
MANY = 5


class Killed(BaseException):
    """The worker is no more."""


def killed(*args: object, **fields: object) -> bool:
    raise Killed


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker hears of anything, and more than four decks are many."""
    monkeypatch.setattr(services, "_wake", lambda job_id: None)
    monkeypatch.setattr(checks, "_wake", lambda check_id: None)
    monkeypatch.setattr(services, "AT_ONCE", MANY - 1)


@pytest.fixture
def ada(catalog: object) -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def check(ada: User, asleep: None) -> DeckCheck:
    """Five judged decks."""
    created = checks.create_check(organiser=ada, title="Open", game=GAME, mode="tournament")
    add(created, MANY)
    return created


def add(check: DeckCheck, count: int) -> None:
    entries = [Entry(f"P{number}", "", TEXT) for number in range(count)]
    checks.add_decks(check=check, by=check.organiser, entries=entries)
    checks.judge_check(check_id=check.pk)


def start(check: DeckCheck) -> SheetJob:
    return services.start_sheets(check=check, by=check.organiser)


def made(check: DeckCheck) -> SheetJob:
    job = start(check)
    assert services.make_sheets(job_id=job.pk)
    job.refresh_from_db()
    return job


def files() -> list[str]:
    """The PDFs that lie there."""
    return sorted(default_storage.listdir("registration")[1])


def pages(data: bytes) -> int:
    return data.count(b"/Type /Page\n")


class TestJobs:
    def test_all_sheets_are_in_one_file(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(check_queries, "PAGE_SIZE", 2)
        job = made(check)
        assert (job.state, job.total, job.problem) == (JobState.DONE, MANY, "")
        with job.file.open("rb") as file:
            data = file.read()
        assert data.startswith(b"%PDF-") and pages(data) == MANY
        assert not services.make_sheets(job_id=job.pk), "drawing twice draws once"

    @pytest.mark.django_db(transaction=True)
    def test_a_worker_is_woken_after_the_commit(self, catalog: object) -> None:
        ada = User.objects.create_user("ada")
        check = checks.create_check(organiser=ada, title="T", game=GAME, mode="tournament")
        add(check, 1)
        job = start(check)
        job.refresh_from_db()
        assert job.state == JobState.DONE

    def test_one_file_a_check_as_long_as_it_is_true(self, check: DeckCheck) -> None:
        job = start(check)
        assert start(check) == job, "it is under way"
        with pytest.raises(IntegrityError), transaction.atomic():
            SheetJob.objects.create(check_of=check)
        services.make_sheets(job_id=job.pk)
        assert start(check) == job and SheetJob.objects.count() == 1
        (name,) = files()
        add(check, 1)
        later = start(check)
        assert later != job and SheetJob.objects.get() == later
        services.make_sheets(job_id=later.pk)
        later.refresh_from_db()
        file_jobs.forget_files(SheetJob)
        assert later.total == MANY + 1 and files() != [name] and len(files()) == 1

    def test_whose_turn_it_is_when_another_judge_asks(
        self,
        check: DeckCheck,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        cleo = User.objects.create_user("cleo")
        check.judges.add(cleo)
        woken: list[int] = []
        monkeypatch.setattr(services, "_wake", woken.append)
        with django_capture_on_commit_callbacks(execute=True):
            services.start_sheets(check=check, by=cleo)
        assert woken == [check.organiser_id]

    def test_a_pile_that_is_locked_again_is_drawn_again(self, check: DeckCheck) -> None:
        checks.lock_check(check=check, by=check.organiser)
        job = made(check)
        checks.unlock_check(check=check, by=check.organiser, why="A slip")
        checks.lock_check(check=check, by=check.organiser)
        assert not services.is_current(check, job), "it says when the lists were locked"

    @pytest.mark.parametrize("change", ["added", "out", "again", "judged", "locked", "swapped"])
    def test_whatever_stands_on_a_sheet_makes_the_file_old(
        self, check: DeckCheck, change: str
    ) -> None:
        job = made(check)
        assert services.is_current(check, job)
        if change == "added":
            add(check, 1)
        elif change == "out":
            checks.take_out(check=check, by=check.organiser, number=3)
        elif change == "swapped":
            checks.take_out(check=check, by=check.organiser, number=MANY)
            add(check, 1)
        elif change == "locked":
            checks.lock_check(check=check, by=check.organiser)
        else:
            checks.judge_again(check=check, by=check.organiser)
            if change == "judged":
                checks.judge_check(check_id=check.pk)
        assert not services.is_current(check, job)
        assert start(check) != job

    def test_a_pile_that_changes_while_it_is_drawn_is_drawn_again(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep = file_jobs.keep

        def meanwhile(job: SheetJob, draft: io.BytesIO) -> bool:
            add(check, 1)
            return keep(job, draft)

        monkeypatch.setattr(file_jobs, "keep", meanwhile)
        assert not services.is_current(check, made(check))

    def test_another_worker_keeps_away_until_the_first_is_dead(self, check: DeckCheck) -> None:
        job = start(check)
        SheetJob.objects.update(state=JobState.WORKING, done=1)
        assert not services.make_sheets(job_id=job.pk)
        assert file_jobs.stalled(SheetJob) == []
        SheetJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
        assert file_jobs.stalled(SheetJob) == [job.pk]
        sweep()
        job.refresh_from_db()
        assert job.state == JobState.DONE

    def test_a_worker_says_how_far_it_is_and_stops_when_it_has_lost_the_job(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services, "REPORT_EVERY", 2)
        job, seen, touch = start(check), list[int](), file_jobs.touch

        def told(job: SheetJob, done: int) -> bool:
            seen.append(done)
            if done == 4:
                SheetJob.objects.filter(pk=job.pk).update(file="registration/others.pdf")
            return touch(job, done)

        monkeypatch.setattr(file_jobs, "touch", told)
        assert not services.make_sheets(job_id=job.pk)
        assert seen == [0, 2, 4]
        job.refresh_from_db()
        assert (job.state, job.file.name) == (JobState.WORKING, "registration/others.pdf")

    def test_a_file_whose_worker_died_before_it_said_so_is_swept_away(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(check)
        with monkeypatch.context() as dying:
            dying.setattr(file_jobs, "finish", killed)
            with pytest.raises(Killed):
                services.make_sheets(job_id=job.pk)
        (left,) = files()
        sweep()
        assert files() == [left]  # the worker may be alive, and only slow
        SheetJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
        sweep()
        sweep()
        job.refresh_from_db()
        assert job.state == JobState.DONE
        assert files() == [Path(job.file.name).name] != [left]

    def test_a_worker_taken_for_dead_leaves_the_job_to_the_next(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(check)
        keep = file_jobs.keep

        def slow(*args: object) -> bool:
            SheetJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
            next_one = services._claim(job.pk)
            assert next_one is not None
            assert not keep(*args)  # type: ignore[arg-type]
            assert keep(next_one, io.BytesIO(b"the next one's"))
            return False

        monkeypatch.setattr(file_jobs, "keep", slow)
        assert not services.make_sheets(job_id=job.pk)
        job.refresh_from_db()
        with job.file.open("rb") as file:
            assert file.read() == b"the next one's"
        assert job.state == JobState.DONE and len(files()) == 1

    def test_what_cannot_be_drawn_fails_with_a_sentence(
        self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(check)
        with monkeypatch.context() as broken:
            broken.setattr(queries, "sheet_of", lambda check, row: 1 / 0)
            assert not services.make_sheets(job_id=job.pk)
        job.refresh_from_db()
        assert (job.state, job.problem) == (
            JobState.FAILED,
            "The PDF could not be created. Try again.",
        )
        assert made(check).state == JobState.DONE

    def test_files_go_after_a_week_and_with_their_check(self, check: DeckCheck) -> None:
        job = made(check)
        assert file_jobs.forget_ended(SheetJob) == file_jobs.forget_files(SheetJob) == 0
        assert len(files()) == 1
        SheetJob.objects.update(finished_at=timezone.now() - timedelta(days=8))
        assert file_jobs.forget_ended(SheetJob) == 1
        assert not SheetJob.objects.exists()
        file_jobs.forget_files(SheetJob)
        assert files() == []
        job = made(check)
        check.delete()
        assert not SheetJob.objects.filter(pk=job.pk).exists() and len(files()) == 1
        assert file_jobs.forget_files(SheetJob) == 1 and files() == []

    def test_a_file_that_got_lost_is_drawn_again(self, check: DeckCheck) -> None:
        job = made(check)
        default_storage.delete(str(job.file.name))
        assert not services.is_current(check, job)
        assert made(check).pk != job.pk and len(files()) == 1

    def test_refusals(self, check: DeckCheck) -> None:
        with pytest.raises(NotAllowed):
            services.start_sheets(check=check, by=User.objects.create_user("ben"))
        CheckedDeck.objects.all().delete()
        with pytest.raises(Unacceptable, match="No decks submitted"):
            start(check)


class TestPages:
    def test_few_are_drawn_at_once(
        self, client: Client, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services, "AT_ONCE", MANY)
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        assert f'href="{address}sheets.pdf" download' in client.get(address).content.decode()
        answer = client.get(f"{address}sheets.pdf")
        assert pages(answer.getvalue()) == MANY  # type: ignore[attr-defined]
        client.post(f"{address}sheets/")
        assert not SheetJob.objects.exists()
        assert "Download PDF" in client.get(f"{address}sheets/").content.decode()

    def test_many_are_drawn_by_a_worker(self, client: Client, check: DeckCheck) -> None:
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        assert f'action="{address}sheets/"' in client.get(address).content.decode()
        assert client.get(f"{address}sheets.pdf")["Location"] == f"{address}sheets/"
        assert "Create sheets" in client.get(f"{address}sheets/").content.decode()
        assert client.post(f"{address}sheets/")["Location"] == f"{address}sheets/"
        page = client.get(f"{address}sheets/").content.decode()
        assert "Queued." in page and "<progress" in page
        part = client.get(f"{address}sheets/", headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in part and 'hx-trigger="every 1s"' in part
        services.make_sheets(job_id=SheetJob.objects.get().pk)
        part = client.get(f"{address}sheets/", headers={"HX-Request": "true"}).content.decode()
        assert "hx-trigger" not in part and f"Ready: {MANY} sheets" in part
        answer = client.get(f"{address}sheets.pdf")
        assert pages(answer.getvalue()) == MANY  # type: ignore[attr-defined]
        assert 'filename="open.pdf"' in answer["Content-Disposition"]
        assert answer["Cache-Control"] == "private, no-store"
        add(check, 1)
        assert client.get(f"{address}sheets.pdf").status_code == 302
        page = client.get(f"{address}sheets/").content.decode()
        assert "out of date" in page and "Regenerate" in page

    def test_only_the_organiser(self, client: Client, check: DeckCheck) -> None:
        made(check)
        address = check.get_absolute_url()
        assert client.get(f"{address}sheets/").status_code == 302
        client.force_login(User.objects.create_user("ben"))
        for method in (client.get, client.post):
            assert method(f"{address}sheets/").status_code == 404
        assert client.get(f"{address}sheets.pdf").status_code == 404


def test_sheets_are_laid_out_one_after_the_other() -> None:
    """So that ten thousand need no more room than one, and their drawing can say how far it is."""
    file, begun = io.BytesIO(), list[int]()
    parts = [("main", [("power", [(1, "Red 7")])])]

    def told() -> Iterator[Sheet]:
        for number in range(40):
            begun.append(len(drawn))
            yield Sheet("E", "P", "", f"P{number}", "D", parts, [], "0" * 64, True, [], None)

    drawn = list[str]()
    flowables = registration._flowables

    def seen(sheet: Sheet) -> list[Flowable]:
        return [Seen(sheet.player, drawn), *flowables(sheet)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registration, "_flowables", seen)
        write_sheets(told(), "T", file)
    assert pages(file.getvalue()) == 40
    assert drawn == [f"P{number}" for number in range(40)]
    assert begun == list(range(40)), "each is asked for when the one before is drawn"


class Seen(Flowable):  # type: ignore[misc]
    """Takes no room and says that it was drawn."""

    def __init__(self, name: str, drawn: list[str]) -> None:
        super().__init__()
        self.name, self.drawn = name, drawn

    def draw(self) -> None:
        self.drawn.append(self.name)
