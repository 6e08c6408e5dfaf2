"""Print and play: sheets to the millimetre, jobs that survive workers, files for their owner."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from accounts.models import User
from collection.drawing import sheets
from collection.errors import TooLate, TooMany, Unacceptable
from collection.models import Card, JobState, PrintJob
from collection.services import file_jobs
from collection.services import prints as services
from collection.services.catalog import Synced
from collection.tasks import sweep
from core.errors import NotAllowed
from notices.models import Notice
from tests.games.examples import CLAW, FLAME, GAME


def pdf(plan: sheets.Plan, count: int) -> bytes:
    file = io.BytesIO()
    faces = [(GAME, CLAW), (GAME, FLAME)] * count
    assert [*sheets.Sheets(plan, faces[:count], "Test", file)][-1] == plan.sheets(count)
    return file.getvalue()


class TestPlan:
    @pytest.mark.parametrize("paper", sheets.PAPERS)
    @pytest.mark.parametrize("gap", sheets.GAPS)
    def test_nine_cards_lie_in_the_middle_and_do_not_touch(self, paper: str, gap: int) -> None:
        plan = sheets.Plan(paper=paper, gap=gap)
        width, height = plan.page
        corners = [plan.corner(place) for place in range(sheets.SHEET_SIZE)]
        assert len(set(corners)) == 9
        for x, y in corners:
            assert 4 < x < width - 63 - 4 and 4 < y < height - 88 - 4
        xs, ys = sorted({x for x, _ in corners}), sorted({y for _, y in corners})
        assert [round(b - a, 6) for a, b in pairwise(xs)] == [63 + gap] * 2
        assert [round(b - a, 6) for a, b in pairwise(ys)] == [88 + gap] * 2
        assert xs[0] == pytest.approx(width - 63 - xs[-1])
        assert corners[0] == (xs[0], ys[-1])

    def test_backs_meet_their_fronts_over_the_long_edge(self) -> None:
        plan = sheets.Plan(backs="long")
        for place in range(9):
            x, y = plan.corner(place)
            assert plan.corner(place, back=True) == pytest.approx((210 - 63 - x, y))

    def test_backs_meet_their_fronts_over_the_short_edge(self) -> None:
        plan = sheets.Plan(backs="short")
        for place in range(9):
            x, y = plan.corner(place)
            assert plan.corner(place, back=True) == pytest.approx((x, 297 - 88 - y))

    @pytest.mark.parametrize(("cards", "sides"), [(1, 1), (9, 1), (10, 2), (60, 7)])
    def test_sides_of_paper(self, cards: int, sides: int) -> None:
        assert sheets.Plan().sheets(cards) == sides
        assert sheets.Plan(backs="long").sheets(cards) == 2 * sides


class TestFile:
    def test_pages_are_of_the_paper_s_size(self) -> None:
        a4 = pdf(sheets.Plan(), 10)
        assert a4.startswith(b"%PDF-")
        assert len(re.findall(rb"/MediaBox \[ 0 0 595.27\d+ 841.88\d+ \]", a4)) == 2
        letter = pdf(sheets.Plan(paper="letter"), 1)
        assert re.findall(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", letter) == [(b"612", b"792")]

    def test_a_picture_is_embedded_once_however_often_it_is_printed(self) -> None:
        single, many = pdf(sheets.Plan(), 2), pdf(sheets.Plan(), 18)
        assert single.count(b"/DCTDecode") == many.count(b"/DCTDecode") == 2
        assert len(many) < 1.2 * len(single)

    def test_pictures_have_three_hundred_dots_an_inch(self) -> None:
        widths = re.findall(rb"/Height (\d+)[^>]*?/Width (\d+)", pdf(sheets.Plan(), 1))
        assert widths == [(b"1056", b"756")]
        assert 756 / (63 / 25.4) > 300


pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada")


def cards(*counts: tuple[str, int]) -> list[tuple[Card, int]]:
    return [(Card.objects.get(slug=slug), count) for slug, count in counts]


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker hears of new jobs."""
    monkeypatch.setattr(services, "_wake", lambda job_id: None)


def start(user: User, **changes: object) -> PrintJob:
    values: dict[str, object] = {"owner": user, "title": "Two", "cards": cards((CLAW, 2))}
    return services.start_print(**(values | changes))  # type: ignore[arg-type]


class Killed(BaseException):
    """The worker is no more."""


def killed(*args: object, **fields: object) -> bool:
    raise Killed


def files() -> list[str]:
    """The PDFs that lie there."""
    return sorted(default_storage.listdir("prints")[1])


class TestJobs:
    def test_a_job_is_drawn_and_its_file_kept(self, ada: User, asleep: None) -> None:
        job = start(ada, cards=cards((CLAW, 9), (FLAME, 1)))
        assert (job.state, job.total) == (JobState.WAITING, 2)
        assert services.make_print(job_id=job.pk)
        job.refresh_from_db()
        assert (job.state, job.done) == (JobState.DONE, 2)
        with job.file.open("rb") as file:
            assert file.read(5) == b"%PDF-"
        news = Notice.objects.unseen().filter(person=ada, kind="job_finished")
        assert (news.get().text, news.get().link) == (
            f"Your PDF is ready: {job.title}.",
            job.get_absolute_url(),
        )
        services.cancel_print(job=job, user=ada)
        assert not news.exists(), "the file is gone"

    @pytest.mark.django_db(transaction=True)
    def test_a_worker_is_woken_after_the_commit(self, ada: User) -> None:
        job = start(ada)
        job.refresh_from_db()
        assert job.state == JobState.DONE

    def test_drawing_twice_draws_once(self, ada: User, asleep: None) -> None:
        job = start(ada)
        assert services.make_print(job_id=job.pk)
        assert not services.make_print(job_id=job.pk)

    def test_another_worker_keeps_away_until_the_first_is_dead(
        self, ada: User, asleep: None
    ) -> None:
        job = start(ada)
        PrintJob.objects.update(state=JobState.WORKING, done=1)
        assert not services.make_print(job_id=job.pk)
        assert file_jobs.stalled(PrintJob) == []
        PrintJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
        assert file_jobs.stalled(PrintJob) == [job.pk]
        sweep()
        job.refresh_from_db()
        assert job.state == JobState.DONE

    def test_a_cancelled_job_leaves_no_file(
        self, ada: User, asleep: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(ada)
        finish = file_jobs.finish

        def cancel_first(*args: object, **fields: object) -> bool:
            services.cancel_print(job=job, user=ada)
            return finish(*args, **fields)  # type: ignore[arg-type]

        monkeypatch.setattr(file_jobs, "finish", cancel_first)
        assert not services.make_print(job_id=job.pk)
        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
        assert not [*Path(default_storage.path("prints")).glob("*")]

    def test_a_file_whose_worker_died_before_it_said_so_is_swept_away(
        self, ada: User, asleep: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(ada)
        with monkeypatch.context() as dying:
            dying.setattr(file_jobs, "finish", killed)
            with pytest.raises(Killed):
                services.make_print(job_id=job.pk)
        (left,) = files()
        sweep()
        assert files() == [left]  # the worker may be alive, and only slow
        PrintJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
        sweep()
        job.refresh_from_db()
        assert job.state == JobState.DONE
        sweep()
        assert files() == [Path(job.file.name).name] != [left]
        with job.file.open("rb") as file:
            assert file.read(5) == b"%PDF-"

    @pytest.mark.parametrize("end", ["fails", "goes"])
    def test_a_file_of_a_job_that_is_over_or_gone_is_swept_away(
        self, ada: User, asleep: None, monkeypatch: pytest.MonkeyPatch, end: str
    ) -> None:
        kept, job = start(ada), start(ada)
        services.make_print(job_id=kept.pk)
        with monkeypatch.context() as dying:
            dying.setattr(file_jobs, "finish", killed)
            with pytest.raises(Killed):
                services.make_print(job_id=job.pk)
        assert len(files()) == 2
        if end == "goes":
            job.delete()
        else:
            PrintJob.objects.filter(pk=job.pk).update(
                touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2,
                cards=[[GAME, "no-such-card", 1]],
            )
            assert not services.make_print(job_id=job.pk)
        assert file_jobs.forget_files(PrintJob) == 1
        kept.refresh_from_db()
        assert files() == [Path(kept.file.name).name]

    def test_a_worker_taken_for_dead_leaves_the_job_to_the_next(
        self, ada: User, asleep: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The slow one wakes after its file is written: its file goes, the next one's stays."""
        job = start(ada)
        keep = file_jobs.keep

        def slow(*args: object) -> bool:
            monkeypatch.setattr(file_jobs, "keep", keep)
            PrintJob.objects.update(touched_at=timezone.now() - file_jobs.DEAD_AFTER * 2)
            next_one = file_jobs.claim(PrintJob, job.pk)
            assert next_one is not None
            assert not keep(*args)  # type: ignore[arg-type]
            assert file_jobs.touch(next_one, 1)
            assert keep(next_one, io.BytesIO(b"the next one's"))
            return False

        monkeypatch.setattr(file_jobs, "keep", slow)
        assert not services.make_print(job_id=job.pk)
        job.refresh_from_db()
        assert file_jobs.forget_files(PrintJob) == 0
        with job.file.open("rb") as file:
            assert file.read() == b"the next one's"
        assert job.state == JobState.DONE and len(files()) == 1

    def test_a_file_being_written_while_the_sweep_looks_stays(
        self, ada: User, asleep: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job = start(ada)
        finish = file_jobs.finish

        def swept_first(*args: object, **fields: object) -> bool:
            assert files() and file_jobs.forget_files(PrintJob) == 0
            return finish(*args, **fields)  # type: ignore[arg-type]

        monkeypatch.setattr(file_jobs, "finish", swept_first)
        assert services.make_print(job_id=job.pk) and len(files()) == 1

    def test_limits(self, ada: User, asleep: None) -> None:
        with pytest.raises(Unacceptable, match="Choose at least one card"):
            start(ada, cards=cards((CLAW, 0)))
        with pytest.raises(Unacceptable, match="up to 450 cards, not 451"):
            start(ada, cards=cards((CLAW, 451)))
        with pytest.raises(Unacceptable):
            start(ada, paper="a3")
        for _ in range(services.MAX_AT_ONCE):
            start(ada)
        with pytest.raises(TooMany, match="already have 3 prints in progress"):
            start(ada)

    def test_a_card_that_is_gone_fails_with_a_sentence(self, ada: User, asleep: None) -> None:
        job = start(ada)
        PrintJob.objects.update(cards=[[GAME, "no-such-card", 1]])
        assert not services.make_print(job_id=job.pk)
        job.refresh_from_db()
        assert job.state == JobState.FAILED and "Can’t print" in job.problem
        services.print_again(job=job, user=ada)
        job.refresh_from_db()
        assert (job.state, job.problem) == (JobState.WAITING, "")
        with pytest.raises(TooLate):
            services.print_again(job=job, user=ada)

    def test_files_go_after_a_week(
        self,
        ada: User,
        asleep: None,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        job = start(ada)
        services.make_print(job_id=job.pk)
        job.refresh_from_db()
        name = job.file.name
        assert file_jobs.forget_ended(PrintJob) == 0 and default_storage.exists(name)
        PrintJob.objects.update(finished_at=timezone.now() - timedelta(days=8))
        with django_capture_on_commit_callbacks(execute=True):
            assert file_jobs.forget_ended(PrintJob) == 1
        assert not default_storage.exists(name) and not PrintJob.objects.exists()

    def test_only_its_owner_cancels(self, ada: User, asleep: None) -> None:
        job = start(ada)
        with pytest.raises(NotAllowed):
            services.cancel_print(job=job, user=User.objects.create_user("ben"))


class TestPages:
    def test_an_order_step_by_step(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        claw = Card.objects.get(slug=CLAW).pk
        page = client.get("/prints/new/?words=red+claw").content.decode()
        assert f'value="add+{claw}"' in page
        page = client.post(
            "/prints/new/",
            {"action": f"add+{claw}", "title": "Mine", "paper": "letter", "backs": "long"},
        ).content.decode()
        assert f'name="n-{claw}"' in page and 'value="Mine"' in page
        assert re.search(r'value="letter"\s+checked', page)
        assert "2 pages" in page
        sent = {"action": "send", f"n-{claw}": 3, "title": "Mine", "paper": "letter"}
        answer = client.post("/prints/new/", sent, follow=True)
        job = PrintJob.objects.get()
        assert job.cards == [[GAME, CLAW, 3]] and job.paper == "letter" and not job.marks
        assert answer.redirect_chain[-1][0] == job.get_absolute_url()

    def test_a_refused_order_keeps_what_was_chosen(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        claw = Card.objects.get(slug=CLAW).pk
        sent = {"action": "send", f"n-{claw}": 999, "title": "Too much", "paper": "a4"}
        answer = client.post("/prints/new/", sent)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "up to 450 cards" in page and "Too much" in page

    def test_lines_from_other_pages(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        lines = f"2 {GAME}/{CLAW}\n1 {GAME}/{FLAME}\nnonsense\n1 {GAME}/none"
        page = client.post("/prints/new/", {"cards": lines, "title": "Deck"}).content.decode()
        assert "3 of 450 cards" in " ".join(page.split())

    @pytest.mark.parametrize("digits", ["²", "9" * 25, "-1", ""])
    def test_odd_numbers_are_none(self, client: Client, ada: User, digits: str) -> None:
        client.force_login(ada)
        claw = Card.objects.get(slug=CLAW).pk
        for sent in (
            {"action": f"add+{digits}"},
            {f"n-{digits}": "1"},
            {f"n-{claw}": digits[:9]},
            {"cards": f"{digits} {GAME}/{CLAW}"},
        ):
            assert client.post("/prints/new/", sent).status_code == 200

    def test_the_file_is_its_owner_s_alone(self, client: Client, ada: User, asleep: None) -> None:
        job = start(ada, title="Wild fire/..")
        address = f"/prints/{job.slug}/cards.pdf"
        client.force_login(ada)
        assert client.get(address).status_code == 409
        services.make_print(job_id=job.pk)
        answer = client.get(address)
        assert answer["Content-Type"] == "application/pdf"
        assert 'filename="wild-fire.pdf"' in answer["Content-Disposition"]
        assert answer.getvalue().startswith(b"%PDF-")  # type: ignore[attr-defined]
        assert "Download PDF" in client.get(job.get_absolute_url()).content.decode()
        client.force_login(User.objects.create_user("ben"))
        addresses = (address, job.get_absolute_url())
        assert [client.get(a).status_code for a in addresses] == [404, 404]
        assert client.post(f"/prints/{job.slug}/cancel/").status_code == 404

    def test_progress_comes_as_a_part(self, client: Client, ada: User, asleep: None) -> None:
        job = start(ada)
        client.force_login(ada)
        part = client.get(job.get_absolute_url(), headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in part and 'hx-trigger="every 1s"' in part
        services.make_print(job_id=job.pk)
        part = client.get(job.get_absolute_url(), headers={"HX-Request": "true"}).content.decode()
        assert "hx-trigger" not in part and "Ready" in part


class TestApi:
    def test_a_print(self, ada: User) -> None:
        api = APIClient()
        body = {"title": "Two", "cards": [{"game": GAME, "card": CLAW, "count": 2}]}
        assert api.post("/api/prints/", body).status_code == 401
        api.force_authenticate(ada)
        answer = api.post("/api/prints/", body)
        assert answer.status_code == 202
        slug = answer.json()["slug"]
        assert api.get(f"/api/prints/{slug}/cards.pdf").status_code == 409
        services.make_print(job_id=PrintJob.objects.get().pk)
        job = api.get(f"/api/prints/{slug}/").json()
        assert job["state"] == "done" and job["cards"] == body["cards"]
        assert api.get(job["file"])["Content-Type"] == "application/pdf"
        assert [row["slug"] for row in api.get("/api/prints/").json()["results"]] == [slug]
        assert api.delete(f"/api/prints/{slug}/").json()["state"] == "cancelled"
        api.force_authenticate(User.objects.create_user("ben"))
        assert api.get(f"/api/prints/{slug}/").status_code == 404
        assert api.get("/api/prints/").json()["results"] == []

    def test_an_unknown_card(self, ada: User) -> None:
        api = APIClient()
        api.force_authenticate(ada)
        answer = api.post("/api/prints/", {"cards": [{"game": GAME, "card": "none"}]})
        assert answer.status_code == 422 and f"{GAME}/none" in answer.json()["detail"]


def test_files_lie_in_the_media_folder(settings: Settings, ada: User, asleep: None) -> None:
    job = start(ada)
    services.make_print(job_id=job.pk)
    job.refresh_from_db()
    assert [*(Path(settings.MEDIA_ROOT) / "prints").iterdir()] == [Path(job.file.path)]
