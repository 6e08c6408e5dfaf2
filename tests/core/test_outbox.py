"""The outbox of finished matches: announced once, read once by each, at each one's own pace."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from core import outbox
from core.models import MatchFinished, UnreadMatch
from core.tasks import sweep

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
Commit = Callable[..., Any]


class Reader:
    """A subscriber that counts, and fails as often as it is told."""

    def __init__(self, fails: int = 0) -> None:
        self.fails, self.read = fails, list[str]()

    def __call__(self, finished: MatchFinished) -> None:
        if self.fails:
            self.fails -= 1
            raise RuntimeError("not now")
        self.read.append(finished.match)


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Reader]:
    """Two subscribers, and no others."""
    two = {"ratings": Reader(), "webhooks": Reader()}
    monkeypatch.setattr(outbox, "_subscribers", two)
    return two


def announce(match: str = "m1", at: datetime = NOON) -> MatchFinished:
    seats = [
        outbox.FinalSeat(user=7, bot="", rank=1, stayed=True),
        outbox.FinalSeat(user=5, bot="", rank=2, stayed=False),
        outbox.FinalSeat(user=None, bot="greedy", rank=2, stayed=True),
        outbox.FinalSeat(user=3, bot="", rank=4, stayed=True),
    ]
    return outbox.match_finished(match=match, game="g", mode="m", seats=seats, at=at)


def test_each_subscriber_reads_once_after_the_commit(
    readers: dict[str, Reader], django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        announce()
        assert [reader.read for reader in readers.values()] == [[], []], "not before the commit"
    assert [reader.read for reader in readers.values()] == [["m1"], ["m1"]]
    assert MatchFinished.objects.get().who_stayed == [3, 7]
    assert not UnreadMatch.objects.exists()


def test_the_database_refuses_a_second_end(readers: dict[str, Reader]) -> None:
    announce()
    with pytest.raises(IntegrityError), transaction.atomic():
        announce()
    assert MatchFinished.objects.count() == 1 and UnreadMatch.objects.count() == 2


def test_reading_again_reads_nothing(readers: dict[str, Reader]) -> None:
    announce()
    numbers = list(UnreadMatch.objects.order_by("subscriber").values_list("pk", flat=True))
    assert [outbox.read(number) for number in numbers * 2] == [True, True, False, False]
    assert readers["ratings"].read == ["m1"]


def test_the_sweep_finds_what_a_crash_left_unread(readers: dict[str, Reader]) -> None:
    # The test's own transaction never commits: as if the process had died right there.
    announce(at=timezone.now())
    sweep()
    assert readers["ratings"].read == [], "the task that was sent may still come"
    UnreadMatch.objects.update(due_at=NOON)
    sweep()
    sweep()
    assert [reader.read for reader in readers.values()] == [["m1"], ["m1"]]


def test_who_cannot_read_now_keeps_nobody_waiting_and_tries_again_later(
    readers: dict[str, Reader],
) -> None:
    readers["webhooks"].fails = 2
    announce()
    pauses = []
    for _ in range(2):
        sweep()
        row = UnreadMatch.objects.get()
        pauses.append(round((row.due_at - timezone.now()) / timedelta(minutes=1)))
        sweep()
        assert readers["webhooks"].read == [] and row.subscriber == "webhooks"
        UnreadMatch.objects.update(due_at=NOON)
    assert readers["ratings"].read == ["m1"]
    assert pauses == [1, 2]
    sweep()
    assert readers["webhooks"].read == ["m1"] and not UnreadMatch.objects.exists()


def test_the_pause_grows_to_an_hour_and_no_further(readers: dict[str, Reader]) -> None:
    announce()
    UnreadMatch.objects.filter(subscriber="webhooks").update(tries=4_000)
    readers["webhooks"].fails = 1
    assert not outbox.read(UnreadMatch.objects.get(subscriber="webhooks").pk)
    due = UnreadMatch.objects.get(subscriber="webhooks").due_at
    assert timedelta(minutes=59) < due - timezone.now() <= timedelta(hours=1)


def test_what_a_failing_subscriber_wrote_is_taken_back(
    readers: dict[str, Reader], monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_and_fail(finished: MatchFinished) -> None:
        MatchFinished.objects.filter(pk=finished.pk).update(game="half-done")
        raise RuntimeError("in the middle")

    monkeypatch.setitem(outbox._subscribers, "ratings", write_and_fail)
    announce()
    sweep()
    assert MatchFinished.objects.get().game == "g"


def test_a_subscriber_that_has_left_the_site_disturbs_nobody(
    readers: dict[str, Reader], monkeypatch: pytest.MonkeyPatch
) -> None:
    announce()
    monkeypatch.delitem(outbox._subscribers, "webhooks")
    sweep()
    left = UnreadMatch.objects.get()
    assert left.subscriber == "webhooks" and left.tries == 0
    assert outbox.read(left.pk) is False and outbox.overdue() == []


def test_a_name_is_one_subscriber_s(readers: dict[str, Reader]) -> None:
    outbox.subscribe("ratings", readers["ratings"])
    with pytest.raises(AssertionError, match="two subscribers “ratings”"):
        outbox.subscribe("ratings", Reader())


def test_packs_are_handed_out_by_a_subscriber() -> None:
    from collection.services import packs

    assert outbox._subscribers["packs"] is packs.match_finished
