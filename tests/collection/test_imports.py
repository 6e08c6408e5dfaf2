"""Importing: what the preview says is what happens, all or nothing, once, and can be undone."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.signals import account_closing
from collection import tasks
from collection.copies import Described
from collection.errors import NotEnoughCards, NotFound, TooLate, TooMany, Unacceptable
from collection.lists.dialects import OWN_COLUMNS
from collection.lists.encodings import MAX_LINE_LENGTH
from collection.lists.reading import MAX_COLUMNS
from collection.lists.writing import FORMATS, write
from collection.models import (
    Card,
    DescribedCopies,
    Holding,
    ImportJob,
    ImportLine,
    JobState,
    LedgerRow,
    LineVerdict,
    Reason,
    Transfer,
)
from collection.queries import exports
from collection.queries import imports as queries
from collection.queries.copies import of_cards
from collection.queries.ledger import differences
from collection.services import describing, holdings, imports, ledger
from collection.services.catalog import Synced
from notices.models import Notice
from tests.games.examples import CLAW, FLAME, GAME, GAME_NAME, OTHER_GAME, OTHER_NAME, STINGER
from tests.support.sizes import sized

pytestmark = pytest.mark.django_db

HEAD = "game,name,quantity,tradelist,wishlist,tags,notes,condition,source\n"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def bring(owner: User, text: str | bytes, **options: Any) -> ImportJob:
    data = text.encode() if isinstance(text, str) else text
    return imports.start_import(owner=owner, data=data, **options)


def apply(job: ImportJob, **options: Any) -> ImportJob:
    return imports.apply_import(owner=job.owner, slug=job.slug, **options)


def undo(job: ImportJob) -> ImportJob:
    return imports.undo_import(owner=job.owner, slug=job.slug)


def deal(owner: User, slug: str, count: int, key: str = "grant:1") -> None:
    card = Card.objects.get(slug=slug)
    ledger.transfer(
        key=key, reason=Reason.GRANT, movements=ledger.digital_to(owner, {card.pk: count})
    )


def record(owner: User, slug: str, count: int, key: str = "hand:1") -> None:
    card = Card.objects.get(slug=slug)
    ledger.transfer(
        key=key, reason=Reason.HAND, movements=ledger.physical_of(owner, {card.pk: count})
    )


def has(owner: User) -> dict[str, tuple[int, int]]:
    rows = Holding.objects.filter(owner=owner, quantity__gt=0)
    return {row.card.slug: (row.digital, row.physical) for row in rows}


def everything(owner: User) -> list[tuple[Any, ...]]:
    rows = Holding.objects.filter(owner=owner).order_by("card__slug")
    values = rows.values_list(
        "card__slug", "digital", "physical", "for_trade", "wishlist", "tags", "notes", "extra"
    )
    described = of_cards(owner, Card.objects.values_list("pk", flat=True))
    rows = {Card.objects.get(pk=card).slug: listed for card, listed in described.items()}
    return [(*row, *rows.get(row[0], ())) for row in values if any(row[1:])]


def verdicts(job: ImportJob) -> dict[int, str]:
    return dict(job.lines.values_list("number", "verdict"))


# -- reading --------------------------------------------------------------------------------------


def test_a_short_list_is_read_at_once(catalog: Synced, ada: User) -> None:
    job = bring(ada, "2 Red Claw\nRde Flame\n\nRed Stinger x3\n", filename="C:\\x\\my list.txt")
    assert (job.state, job.filename, job.dialect) == (JobState.READY, "my list.txt", "text")
    assert job.upload is None, "what has been read is not kept"
    assert verdicts(job) == {1: "new", 2: "unknown", 4: "new"}
    unknown = job.lines.get(number=2)
    assert unknown.suggestions[0] == {"game": GAME, "card": FLAME, "title": "Red Flame"}
    assert job.summary["cards"] == {"new": 2, "changed": 0, "same": 0}
    assert job.summary["copies"] == {"more": 5, "fewer": 0}
    assert not has(ada), "nothing is imported before the owner says so"


def test_a_long_list_is_for_a_worker(
    catalog: Synced, ada: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as called:
        job = bring(ada, "1 Red Claw\n" * 600)
    assert job.state == JobState.WAITING and len(called) == 1
    called[0]()
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.READY, 600, 600)
    assert job.lines.count() == 600
    assert job.summary["copies"]["more"] == 600


def test_so_is_one_that_is_long_in_a_single_line(
    catalog: Synced, ada: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    entries = ", ".join(['{"name": "Red Claw", "quantity": 1}'] * 600)
    for text, total in ((f"[{entries}]", 600), ('"a"' * 100_000, 1)):
        with django_capture_on_commit_callbacks(execute=False) as called:
            job = bring(ada, text)
        assert (job.state, job.total, len(called)) == (JobState.WAITING, total, 1)


def test_a_list_that_is_none_fails_with_a_sentence(catalog: Synced, ada: User) -> None:
    job = bring(ada, b"%PDF-1.7 nothing")
    assert job.state == JobState.FAILED and "PDF" in job.problem
    assert job.upload is None and job.finished_at is not None
    assert bring(ada, "# only a comment\n").problem == "This list has no entries."


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (b"", {}, "empty"),
        (b"x" * (16 * 1024 * 1024 + 1), {}, "larger than 16 MB"),
        (b"Red Claw", {"game": "chess"}, "Unknown game “chess”"),
    ],
)
def test_refusals_before_anything_is_kept(
    catalog: Synced, ada: User, data: bytes, options: dict[str, str], words: str
) -> None:
    with pytest.raises(Unacceptable, match=words):
        bring(ada, data, **options)
    assert not ImportJob.objects.exists()


def test_ten_lists_may_wait(catalog: Synced, ada: User) -> None:
    jobs = [bring(ada, "Red Claw") for _ in range(imports.MAX_AT_ONCE)]
    with pytest.raises(TooMany, match="already have 10 unfinished imports"):
        bring(ada, "Red Claw")
    imports.cancel_import(owner=ada, slug=jobs[0].slug)
    assert bring(ada, "Red Claw").state == JobState.READY


def test_nobody_sees_or_touches_somebody_elses_list(catalog: Synced, ada: User) -> None:
    ben = User.objects.create_user("ben")
    job = bring(ada, "Red Claw\nRde Flame")
    for action in (
        imports.apply_import,
        imports.undo_import,
        imports.cancel_import,
        lambda **who: imports.skip_line(**who, number=2),
        lambda **who: imports.take_back_line(**who, number=2),
        lambda **who: imports.answer_line(**who, number=2, game=GAME, card=FLAME),
    ):
        with pytest.raises(NotFound):
            action(owner=ben, slug=job.slug)
    assert ImportJob.objects.get().state == JobState.READY


# -- what it does ---------------------------------------------------------------------------------


def test_adding_puts_copies_on_top(catalog: Synced, ada: User) -> None:
    deal(ada, CLAW, 2)
    record(ada, FLAME, 1)
    job = apply(bring(ada, "3 Red Claw\n1 Red Flame\n1 Red Flame\n1 Red Stinger"))
    assert has(ada) == {CLAW: (2, 3), FLAME: (0, 3), STINGER: (0, 1)}
    assert job.transfer and job.transfer.reason == Reason.IMPORT
    assert job.transfer.key == f"import:{job.slug}"
    assert verdicts(job) == {1: "changed", 2: "changed", 3: "changed", 4: "new"}
    assert differences() == []


def test_replacing_says_what_there_is_in_all(catalog: Synced, ada: User) -> None:
    deal(ada, CLAW, 2)
    record(ada, CLAW, 4)
    record(ada, FLAME, 5, "hand:2")
    record(ada, STINGER, 1, "hand:3")
    job = bring(ada, "3 Red Claw\n5 Red Flame\n", replaces=True)
    assert verdicts(job) == {1: "changed", 2: "same"}
    assert job.summary["copies"] == {"more": 0, "fewer": 3}
    apply(job)
    assert has(ada) == {CLAW: (2, 1), FLAME: (0, 5), STINGER: (0, 1)}, "digital copies count"
    apply(bring(ada, "1 Red Claw\n", replaces=True))
    assert has(ada)[CLAW] == (2, 0), "digital copies stay"


def test_dealt_copies_of_an_own_export_are_not_made_again(catalog: Synced, ada: User) -> None:
    deal(ada, CLAW, 2)
    record(ada, CLAW, 3)
    text = "".join(write("riffle", exports.cards(ada)))
    same = bring(ada, text, replaces=True)
    assert set(verdicts(same).values()) == {"same"}
    ben = User.objects.create_user("ben")
    job = bring(ben, text, replaces=True)
    assert job.summary["digital"] == 1
    apply(job)
    assert has(ben) == {CLAW: (0, 3)}
    apply(bring(ben, text))
    assert has(ben) == {CLAW: (0, 6)}


def test_marks_come_along(catalog: Synced, ada: User) -> None:
    record(ada, CLAW, 1)
    Holding.objects.filter(owner=ada).update(
        for_trade=1, tags="old", notes="mine", wishlist=2, extra={"Alter": "x"}
    )
    apply(
        bring(
            ada,
            HEAD
            + f"{GAME},Red Claw,2,1,,new,,mint,\n"
            + f'{GAME},Red Flame,0,,4,"first, gift",a note,,\n',
        )
    )
    assert everything(ada) == [
        (CLAW, 0, 3, 2, 2, "old, new", "mine", {"Alter": "x"}, Described(2, "mint", for_trade=1)),
        (FLAME, 0, 0, 0, 4, "first, gift", "a note", {}),
    ]
    apply(bring(ada, HEAD + f"{GAME},Red Claw,3,0,0,new,,,\n", replaces=True))
    row = Holding.objects.get(owner=ada, card__slug=CLAW)
    assert (row.for_trade, row.wishlist, row.tags, row.notes) == (0, 0, "new", "mine")


def test_what_cannot_be_kept_is_remarked(catalog: Synced, ada: User) -> None:
    note, other = "n" * 1500, "o" * 1500
    text = HEAD + f"{GAME},Red Claw,1,3,,,{note},,\n{GAME},Red Claw,1,,,,{other},,\n"
    job = bring(ada, text)
    first, second = job.lines.order_by("number")
    assert first.problem == "Only 2 of 3 copies can be for trade."
    assert second.problem == "Not kept: notes (too long)."
    assert job.summary["not_kept"] == 1
    apply(job)
    row = Holding.objects.get(owner=ada)
    assert (row.quantity, row.for_trade, row.notes) == (2, 2, note)


def test_more_than_anybody_keeps_cannot_be_imported(catalog: Synced, ada: User) -> None:
    record(ada, CLAW, 10)
    job = bring(ada, "1000000 Red Claw\n1 Red Flame\n")
    assert verdicts(job) == {1: "bad", 2: "new"}
    assert job.lines.get(number=1).problem.startswith("That would be 1,000,010 copies")
    apply(job, skips_bad=True)
    assert has(ada) == {CLAW: (0, 10), FLAME: (0, 1)}


def test_lines_in_the_way_stop_all_unless_left_out(catalog: Synced, ada: User) -> None:
    text = "name,quantity\nRed Claw,1\nRde Flame,1\nRed Stinger,x\n"
    job = bring(ada, text)
    with pytest.raises(Unacceptable, match="2 lines were not recognised") as refusal:
        apply(job)
    assert refusal.value.extra["lines"] == 2
    assert not has(ada) and not Transfer.objects.exists()
    apply(job, skips_bad=True)
    assert has(ada) == {CLAW: (0, 1)}
    apply(bring(ada, text, skips_bad=True))
    assert has(ada) == {CLAW: (0, 2)}


def test_a_list_without_a_line_that_is_understood_is_not_applied(
    catalog: Synced, ada: User
) -> None:
    with pytest.raises(Unacceptable, match="nothing to import"):
        apply(bring(ada, "zzzz\n"), skips_bad=True)


# -- answering ------------------------------------------------------------------------------------


def test_the_owner_says_which_card_a_line_means(catalog: Synced, ada: User) -> None:
    job = bring(ada, "2 Claw\n1 Red Claw\n3 Claw\n1 Clow\n")
    assert verdicts(job) == {1: "unknown", 2: "new", 3: "unknown", 4: "unknown"}
    answer = {"owner": ada, "slug": job.slug, "number": 1, "game": GAME}
    with pytest.raises(Unacceptable, match="Unknown card"):
        imports.answer_line(**answer, card="no-such-card")
    assert imports.answer_line(**answer, card=CLAW) == 2, "lines with the same words follow"
    job.refresh_from_db()
    assert verdicts(job) == {1: "new", 2: "new", 3: "new", 4: "unknown"}
    assert job.summary["copies"]["more"] == 6 and job.summary["cards"]["new"] == 1
    assert job.summary["lines"] == {"new": 3, "unknown": 1}
    imports.skip_line(owner=ada, slug=job.slug, number=4)
    imports.skip_line(owner=ada, slug=job.slug, number=4)
    apply(job)
    assert has(ada) == {CLAW: (0, 6)}
    with pytest.raises(TooLate, match="already been imported"):
        imports.answer_line(**answer, card=CLAW)


def test_cards_of_the_same_name_in_two_games_are_told_apart(catalog: Synced, ada: User) -> None:
    here, elsewhere = Card.objects.get(slug=CLAW), Card.objects.get(slug="krabbi-long-legs-silver")
    Card.objects.filter(pk__in=[here.pk, elsewhere.pk]).update(name="Twin", title="Twin")
    job = bring(ada, "1 Twin\n")
    (line,) = job.lines.all()
    assert line.problem == "2 cards are named “Twin”. Choose one."
    titles = [offered["title"] for offered in line.suggestions]
    assert titles == [f"Twin ({GAME_NAME})", f"Twin ({OTHER_NAME})"]
    assert set(verdicts(bring(ada, "1 Twin\n", game=OTHER_GAME)).values()) == {"new"}


def test_a_line_that_was_left_out_can_come_back(catalog: Synced, ada: User) -> None:
    job = bring(ada, "name,quantity\nRde Flame,1\nRed Stinger,x\nRed Claw,1\n")
    for number in (2, 3):
        imports.skip_line(owner=ada, slug=job.slug, number=number)
    assert verdicts(job) == {2: "skipped", 3: "skipped", 4: "new"}
    for number in (2, 3, 4):
        imports.take_back_line(owner=ada, slug=job.slug, number=number)
    assert verdicts(job) == {2: "unknown", 3: "bad", 4: "new"}
    with pytest.raises(Unacceptable, match="was recognised"):
        imports.skip_line(owner=ada, slug=job.slug, number=4)
    with pytest.raises(NotFound):
        imports.skip_line(owner=ada, slug=job.slug, number=99)


# -- once, and as shown ---------------------------------------------------------------------------


def test_applying_twice_does_it_once(catalog: Synced, ada: User) -> None:
    job = bring(ada, "2 Red Claw")
    apply(job)
    assert apply(job).state == JobState.DONE
    assert has(ada) == {CLAW: (0, 2)}
    assert Transfer.objects.count() == 1


def test_a_preview_that_is_out_of_date_is_shown_anew(catalog: Synced, ada: User) -> None:
    job = bring(ada, "5 Red Claw", replaces=True)
    assert job.summary["copies"]["more"] == 5
    deal(ada, CLAW, 2)
    with pytest.raises(TooLate, match="Nothing was imported"):
        apply(job)
    assert has(ada) == {CLAW: (2, 0)}
    job.refresh_from_db()
    assert job.summary["copies"]["more"] == 3 and verdicts(job) == {1: "changed"}
    apply(job)
    assert has(ada) == {CLAW: (2, 3)}


def test_lists_that_only_add_do_not_wait_for_each_other(catalog: Synced, ada: User) -> None:
    head = "Count,Name,Condition,Language,Tags\n"
    first = bring(ada, f"{head}2,Red Claw,Near Mint,English,binder\n1,Red Flame,,,\n")
    second = bring(ada, f"{head}3,Red Claw,Near Mint,German,binder\n")
    assert (first.state, second.summary["cards"]["new"]) == (JobState.READY, 1)
    apply(first)
    apply(second)
    assert has(ada)[CLAW] == (0, 5)
    second.refresh_from_db()
    assert second.summary["cards"] == {"new": 0, "changed": 1, "same": 0}
    assert second.summary["copies"] == {"more": 3, "fewer": 0}
    assert verdicts(second) == {2: "changed"}


def test_a_list_that_would_say_something_else_is_shown_anew(catalog: Synced, ada: User) -> None:
    """It adds, too; but it would put its wishlist quantity in place of one that it did not show."""
    first, second = (bring(ada, f"name,quantity,wanted\nRed Claw,1,{n}\n") for n in (3, 4))
    apply(first)
    with pytest.raises(TooLate, match="Nothing was imported"):
        apply(second)


LINES = st.lists(
    st.tuples(
        st.sampled_from(["Red Claw", "Red Flame", "Red Stinger", "Rde Flame"]),
        st.integers(0, 5),
        st.sampled_from(["", "0", "1", "7"]),
        st.sampled_from(["", "0", "3"]),
        st.sampled_from(["", "a", "b, A"]),
        st.sampled_from(["", "digital", "physical"]),
    ),
    min_size=1,
    max_size=8,
)


@settings(
    max_examples=sized(20, large=1000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(lines=LINES, digital=st.integers(0, 3), physical=st.integers(0, 3), replaces=st.booleans())
@pytest.mark.slow
def test_what_the_preview_says_is_what_happens(
    catalog: Synced, lines: list[tuple[Any, ...]], digital: int, physical: int, replaces: bool
) -> None:
    user = User.objects.create_user(f"user-{User.objects.count()}")
    deal(user, CLAW, digital, f"grant:{user.pk}")
    record(user, FLAME, physical, f"hand:{user.pk}")
    text = HEAD + "".join(
        f'{GAME},{name},{count},{for_trade},{wishlist},"{tags}",,,{source}\n'
        for name, count, for_trade, wishlist, tags, source in lines
    )
    job = bring(user, text, replaces=replaces)
    before = everything(user)
    promised = {
        line.line.card_id: line.effect
        for line in queries.lines_of(job).lines
        if line.effect is not None
    }
    if not promised:
        return
    apply(job, skips_bad=True)
    for key, effect in promised.items():
        row = Holding.objects.filter(owner=user, card=key).first()
        described = of_cards(user, [key]).get(key, ())
        assert (queries.values_of(row, described) if row else None) == effect.after
        assert row and row.digital == effect.before.digital
    rows = LedgerRow.objects.filter(transfer__key=f"import:{job.slug}")
    assert sum(r.count for r in rows if r.taker_id) == job.summary["copies"]["more"]
    assert sum(r.count for r in rows if r.giver_id) == job.summary["copies"]["fewer"]
    changed = sum(effect.changes for effect in promised.values())
    cards = job.summary["cards"]
    assert cards["new"] + cards["changed"] == changed
    assert cards["same"] == len(promised) - changed
    assert differences(user) == []
    undo(job)
    assert everything(user) == before, "taken back, all is as before"
    assert differences(user) == []


# -- taking back ----------------------------------------------------------------------------------


def test_taking_back_leaves_what_was_said_since(catalog: Synced, ada: User) -> None:
    record(ada, CLAW, 1)
    Holding.objects.filter(owner=ada).update(tags="old", wishlist=2)
    job = apply(bring(ada, HEAD + f"{GAME},Red Claw,2,2,5,new,note,,\n{GAME},Red Flame,1,,,,,,\n"))
    Holding.objects.filter(owner=ada, card__slug=CLAW).update(notes="my own")
    assert undo(job).undone_id == undo(job).undone_id
    assert everything(ada) == [(CLAW, 0, 1, 0, 2, "old", "my own", {})]
    assert Transfer.objects.filter(reason=Reason.UNDO).count() == 1
    assert differences() == []


def test_what_has_gone_since_cannot_be_taken_back(catalog: Synced, ada: User) -> None:
    job = apply(bring(ada, "2 Red Claw\n1 Red Flame"))
    record(ada, CLAW, -1)
    with pytest.raises(NotEnoughCards, match=r"than this import added: Red Claw\."):
        undo(job)
    assert has(ada) == {CLAW: (0, 1), FLAME: (0, 1)}
    record(ada, CLAW, 1, "hand:2")
    undo(job)
    assert has(ada) == {}


def test_what_cannot_be_taken_back_and_what_cannot_be_cancelled(catalog: Synced, ada: User) -> None:
    job = bring(ada, "2 Red Claw")
    with pytest.raises(TooLate, match="Only finished imports"):
        undo(job)
    apply(job)
    with pytest.raises(TooLate, match="undo it instead"):
        imports.cancel_import(owner=ada, slug=job.slug)
    other = bring(ada, "2 Red Claw")
    for _ in range(2):
        assert imports.cancel_import(owner=ada, slug=other.slug).state == JobState.CANCELLED
    assert not other.lines.exists()
    with pytest.raises(TooLate, match="was cancelled"):
        apply(other)


# -- workers that die, and time --------------------------------------------------------------------


class Dies(Exception):
    """The worker is gone."""


def test_the_sweep_reads_on_after_a_worker_has_died(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "BATCH_SIZE", 100)
    job = bring(ada, "1 Red Claw\n" * 600)
    count = 0
    line = imports._line

    def dying(*arguments: Any) -> ImportLine:
        nonlocal count
        count += 1
        if count == 350:
            raise Dies
        return line(*arguments)

    monkeypatch.setattr(imports, "_line", dying)
    with pytest.raises(Dies):
        imports.read_import(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.lines.count()) == (JobState.WORKING, 300, 300)
    tasks.sweep()
    assert ImportJob.objects.get().state == JobState.WORKING, "it may still be alive"
    silent = timezone.now() - imports.DEAD_AFTER - timedelta(seconds=1)
    ImportJob.objects.update(touched_at=silent)
    tasks.sweep()
    job.refresh_from_db()
    assert (job.state, job.lines.count()) == (JobState.READY, 600)
    assert job.summary["copies"]["more"] == 600


def test_a_worker_that_was_thought_dead_writes_nothing_more(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "BATCH_SIZE", 100)
    job = bring(ada, "1 Red Claw\n" * 600)
    count = 0
    line = imports._line

    def slow(*arguments: Any) -> ImportLine:
        nonlocal count
        count += 1
        if count == 250:
            monkeypatch.setattr(imports, "_line", line)
            ImportJob.objects.update(touched_at=timezone.now() - imports.DEAD_AFTER * 2)
            assert imports.read_import(job_id=job.pk), "the second worker reads it all"
        return line(*arguments)

    monkeypatch.setattr(imports, "_line", slow)
    assert not imports.read_import(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.lines.count()) == (JobState.READY, 600)


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        ("apply", "1 Red Claw\n" * imports.READ_AT_ONCE),
        ("cancel", "1 Red Claw\n" * imports.READ_AT_ONCE),
        ("apply", f"1 Red Claw{' ' * 500}\n" * 450),
    ],
    ids=["apply", "cancel", "apply-long-lines"],
)
def test_a_long_list_that_was_read_is_notified(
    catalog: Synced, ada: User, ending: str, text: str
) -> None:
    """A short one is read while its owner waits for the page."""
    news = Notice.objects.unseen().filter(person=ada, kind="job_finished")
    bring(ada, "1 Red Claw\n" * 3)
    assert not news.exists()
    job = bring(ada, text)
    imports.read_import(job_id=job.pk)
    assert news.get().text == "Your list is ready to review."
    assert news.get().link == job.get_absolute_url()
    end = imports.apply_import if ending == "apply" else imports.cancel_import
    end(owner=ada, slug=job.slug)
    assert not news.exists(), "nothing is left to review"


@pytest.mark.parametrize("by", ["cancelling", "leaving"])
def test_a_list_that_is_thrown_away_stops_its_worker(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setattr(imports, "BATCH_SIZE", 100)
    job = bring(ada, "1 Red Claw\n" * 600)
    line = imports._line

    def interrupted(row: Any, *others: Any) -> ImportLine:
        if row.number == 250:
            if by == "cancelling":
                imports.cancel_import(owner=ada, slug=job.slug)
            else:
                account_closing.send(sender=User, user=ada)
        return line(row, *others)

    monkeypatch.setattr(imports, "_line", interrupted)
    assert not imports.read_import(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED and not job.lines.exists()


def test_a_list_that_kills_its_workers_is_given_up(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = bring(ada, "1 Red Claw\n" * 600)

    def dying(*arguments: Any) -> ImportLine:
        raise Dies

    monkeypatch.setattr(imports, "_line", dying)
    for _ in range(imports.TRIES):
        with pytest.raises(Dies):
            imports.read_import(job_id=job.pk)
        ImportJob.objects.update(touched_at=timezone.now() - imports.DEAD_AFTER * 2)
    assert not imports.read_import(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED and "our side" in job.problem


def test_after_thirty_days_lists_are_forgotten_and_cards_stay(catalog: Synced, ada: User) -> None:
    done = apply(bring(ada, "2 Red Claw"))
    waiting = bring(ada, "2 Red Flame")
    recent = bring(ada, "2 Red Stinger")
    long_ago = timezone.now() - imports.KEPT - timedelta(hours=1)
    old = ImportJob.objects.filter(pk__in=[done.pk, waiting.pk])
    old.update(created_at=long_ago)
    old.filter(pk=done.pk).update(finished_at=long_ago)
    tasks.sweep()
    assert set(ImportLine.objects.values_list("job", flat=True)) == {recent.pk}
    waiting.refresh_from_db()
    assert waiting.state == JobState.CANCELLED and waiting.upload is None
    assert has(ada) == {CLAW: (0, 2)}
    with pytest.raises(TooLate, match="for 30 days only"):
        undo(done)


def memory() -> int:
    """Bytes of this process that lie in memory now."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert match
    return int(match[1]) * 1024


LINES_OF_A_LONG_LIST = sized(40_000, large=100_000)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Memory is read from /proc.")
def test_the_lines_of_a_long_list_are_never_held_together(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory holds the file, a batch of lines, and the sums of each card."""
    text = b"name,quantity,seller\n" + b"".join(
        b"Red Claw,1,somebody\n" if number % 2 else b"Rde Claw %d,1,me\n" % (number % 5000)
        for number in range(LINES_OF_A_LONG_LIST)
    )
    job = bring(ada, text)
    seen: list[int] = []
    line = imports._line

    def watched(row: Any, *others: Any) -> ImportLine:
        if row.number % 1000 == 0:
            seen.append(memory())
        return line(row, *others)

    monkeypatch.setattr(imports, "_line", watched)
    imports.read_import(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.lines.count()) == (JobState.READY, LINES_OF_A_LONG_LIST)
    assert job.summary["lines"] == dict.fromkeys(("new", "unknown"), LINES_OF_A_LONG_LIST // 2)
    assert len(seen) == LINES_OF_A_LONG_LIST // 1000
    assert max(seen) - seen[10] < LINES_OF_A_LONG_LIST * 120, seen
    before = memory()
    held = list(job.lines.all())
    assert len(held) == LINES_OF_A_LONG_LIST
    assert memory() - before > LINES_OF_A_LONG_LIST * 400, "the measure sees lines"


# -- out and in again -----------------------------------------------------------------------------


@pytest.fixture
def rich(catalog: Synced, ada: User) -> User:
    """Somebody with cards of two games, marks, odd notes, and columns of earlier imports."""
    cards = list(Card.objects.order_by("pk")[:12]) + list(Card.objects.order_by("-pk")[:6])
    moves = ledger.physical_of(ada, {card.pk: n for n, card in enumerate(cards)})
    ledger.transfer(key="hand:rich", reason=Reason.HAND, movements=moves)
    for number, card in enumerate(cards):
        if number % 2:
            alike = Described((number + 1) // 2, "played", "de", extra={"Grade": "=1"})
            describing.describe(owner=ada, card=card, rows=[alike])
        if number:
            holdings.mark(owner=ada, card=card, for_trade=number // 2)
        Holding.objects.filter(owner=ada, card=card).update(
            wishlist=number * 7 % 20,
            tags="first, gift" if number % 3 else "",
            notes=("=1+1", "two\nlines", 'a "b"; c', "@me", "ünïcödé")[number % 5],
            extra={"Purchase Price": "-1.20"} if number % 2 else {},
        )
    return ada


def exported(owner: User, form: str) -> str:
    return "".join(write(form, exports.cards(owner), exports.kept_columns(owner, form=form)))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_export_import_export_gives_the_same_bytes(rich: User, form: str) -> None:
    text = exported(rich, form)
    assert text.count("\n") > 15
    ben = User.objects.create_user("ben")
    job = bring(ben, text)
    assert (job.state, job.dialect) == (JobState.READY, form)
    assert not job.lines.filter(verdict__in=["unknown", "bad"]).exists()
    apply(job)
    assert exported(ben, form) == text
    if form in ("riffle", "json"):
        assert everything(ben) == everything(rich), "our own forms carry all"
    again = bring(rich, text, replaces=True)
    assert set(verdicts(again).values()) == {LineVerdict.SAME}, "it is what there is already"


@pytest.mark.parametrize("name", ["column {}", "a very {} " + '"' * 180], ids=["many", "long"])
def test_columns_without_room_for_one_each_come_back_from_a_single_one(
    rich: User, name: str
) -> None:
    """However many columns were kept, a file that is taken away can be brought again whole."""
    for number, held in enumerate(Holding.objects.filter(owner=rich, quantity__gt=0)[:10]):
        held.extra = {name.format(number * 30 + n): f"=value {n}" for n in range(30)}
        held.save(update_fields=["extra"])
    kept = exports.kept_columns(rich)
    assert kept[-2:] == ["other columns", "copy columns"]
    assert len(kept) <= exports.MAX_KEPT_COLUMNS + 2
    text = exported(rich, "riffle")
    header = text.split("\r\n", 1)[0]
    assert len(header) < MAX_LINE_LENGTH
    ben = User.objects.create_user("ben")
    apply(bring(ben, text))
    assert everything(ben) == everything(rich)
    assert exported(ben, "riffle") == text


def test_as_many_columns_as_there_is_room_for_have_one_each(rich: User) -> None:
    full = exports.MAX_KEPT_COLUMNS
    names = [f"c{n:03}" for n in range(full)]
    held = Holding.objects.filter(owner=rich, quantity__gt=0)
    held.update(extra=dict.fromkeys(names, "x"))
    assert exports.kept_columns(rich) == [*names, "copy columns"]
    assert len(OWN_COLUMNS) + full + 2 == MAX_COLUMNS, "with the rest's it can be read back"
    held.filter(pk=held[0].pk).update(extra={"more": "x"})
    assert exports.kept_columns(rich)[-2] == "other columns"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("x", "“other columns” has to be a JSON object"),
        ("[1]", "“other columns” has to be a JSON object"),
        ("[" * 9000, "“other columns” has to be a JSON object"),
        ('{"a": 1}', "“a” in “other columns” can’t be stored"),
        ('{" ": "x"}', "“ ” in “other columns” can’t be stored"),
        ('{"condition": "x"}', "“condition” in “other columns” can’t be stored"),
        ('{"a": "\\u0000"}', "“a” in “other columns” can’t be stored"),
        (json.dumps({"a": "x" * 501}), "“a” is longer than 500 characters."),
        (json.dumps({"a" * 201: "x"}), "in “other columns” can’t be stored"),
    ],
)
def test_other_columns_that_cannot_be_kept_are_named(
    catalog: Synced, ada: User, value: str, problem: str
) -> None:
    quoted = value.replace('"', '""')
    job = bring(ada, f'game,name,quantity,other columns\n{GAME},Red Claw,1,"{quoted}"\n')
    (line,) = job.lines.all()
    assert line.verdict == LineVerdict.BAD and problem in line.problem


def test_a_foreign_table_s_other_columns_are_a_column_like_any(catalog: Synced, ada: User) -> None:
    job = bring(ada, "Count,Name,Last Modified,Other Columns\n1,Red Claw,,x\n")
    apply(job)
    assert Holding.objects.get(owner=ada).extra["Moxfield Other Columns"] == "x"


@pytest.mark.parametrize("game", ["", GAME])
@pytest.mark.parametrize("which", ["all", "for_trade", "missing"])
def test_what_is_exported(rich: User, which: str, game: str) -> None:
    rows = [
        row
        for row in Holding.objects.filter(owner=rich).order_by("card__place").select_related("card")
        if game in ("", row.card.game.slug)
    ]
    counts = {
        row.card.title: {"all": row.quantity, "for_trade": row.for_trade, "missing": row.missing}[
            which
        ]
        for row in rows
    }
    text = "".join(write("text", exports.cards(rich, which, game)))
    lines = [line.split(" ", 1) for line in text.splitlines() if line[:1].isdigit()]
    assert {title: int(count) for count, title in lines} == {t: n for t, n in counts.items() if n}
    assert text.count("[") == (1 if game else 2)


def test_an_export_asks_the_database_no_more_for_more_cards(
    rich: User, django_assert_num_queries: Any
) -> None:
    for game in ("", GAME):
        with django_assert_num_queries(4):
            assert list(exports.cards(rich, "all", game))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("moxfield", "Count,Name,Foil,Last Modified,Alter,Proxy\n2,Red Claw,foil,,,\n"),
        ("archidekt", "Quantity,Name,Finish,Date Added\n2,Red Claw,Foil,2026-01-01\n"),
        ("manabox", "Binder Name,Name,Foil,Quantity\nB,Red Claw,etched,2\n"),
    ],
)
def test_a_copy_that_shines_is_kept_and_given_back(
    catalog: Synced, ada: User, form: str, text: str
) -> None:
    apply(bring(ada, text))
    shine = "etched" if form == "manabox" else "foil" if form == "moxfield" else "Foil"
    assert has(ada) == {CLAW: (0, 2)}
    assert DescribedCopies.objects.get(holding__owner=ada).finish == shine.casefold()
    rows = list(csv.DictReader(io.StringIO(exported(ada, form).removeprefix("\ufeff"))))
    assert rows[0]["Finish" if form == "archidekt" else "Foil"] == shine
