"""Bringing lists: read line by line, shown, answered, then applied all or nothing, and taken back.

A job's state is the truth: a worker that dies leaves it WORKING and silent, and the next one begins
anew. Nothing that somebody owns changes before ``apply_import``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Min, Q
from django.utils import timezone

from accounts.models import User
from collection.copies import MAX_LENGTHS, counted, settled
from collection.errors import NotEnoughCards, NotFound, TooLate, TooMany, Unacceptable
from collection.lists.dialects import AS_WRITTEN, FOIL, SET, shining
from collection.lists.effects import NOT_KEPT, Effect, HoldingValues
from collection.lists.errors import Unreadable
from collection.lists.matching import Catalog, KnownCard, shines, written_finish
from collection.lists.matching import key as spelt
from collection.lists.reading import (
    MAX_ROWS,
    TOO_MANY,
    Row,
    count_lines,
    read,
    surely_too_many,
)
from collection.models import (
    Card,
    Game,
    Holding,
    ImportJob,
    ImportLine,
    JobState,
    LedgerRow,
    LineVerdict,
    Reason,
    Transfer,
)
from collection.models.imports import OPEN, UNDERSTOOD
from collection.queries import imports as queries
from collection.services import copies, fair_queue
from collection.services.ledger import physical_of, transfer
from core.background import after_commit, enqueue
from notices.kinds import Kind as Notice
from notices.services.notices import notify, retract

logger = structlog.get_logger(__name__)

MAX_BYTES: int = settings.LIST_BYTES
MAX_AT_ONCE = 10
"""So many lists of one person may wait for an answer."""
READ_AT_ONCE = 500
BYTES_AT_ONCE = 200_000
"""Shorter lists are read while their owner waits, longer ones by a worker."""
KEPT = timedelta(days=30)
DEAD_AFTER = timedelta(seconds=90)
TRIES = 3
BATCH_SIZE = 1000
GIVEN_A_CHANCE = 2000
"""When none of so many entries is understood, the rest is not read."""
BATCH_SIZE = 500
NAMES_IN_A_REFUSAL = 5


# -- bringing a list ------------------------------------------------------------------------------


def start_import(
    *,
    owner: User,
    data: bytes,
    filename: str = "",
    game: str = "",
    replaces: bool = False,
    skips_bad: bool = False,
    once: Callable[[Callable[[], str]], str] = lambda take: take(),
) -> ImportJob:
    """Take a list in. A short one is read at once, a long one by a worker.

    ``game`` is whose cards names mean where a line does not say. ``once`` is who takes it in: for
    a request that came before it gives the list's slug from then. Raises ``Unacceptable`` and
    ``TooMany``.
    """

    def take() -> str:
        return _take(owner, data, filename, game, replaces, skips_bad).slug

    job = queries.import_of(owner, once(take))
    if job.state == JobState.WAITING and _is_short(job):
        read_import(job_id=job.pk)
        job.refresh_from_db()
    return job


def _take(
    owner: User, data: bytes, filename: str, game: str, replaces: bool, skips_bad: bool
) -> ImportJob:
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise Unacceptable(
            f"This list is larger than {most} MB. Split it into several files.", field="file"
        )
    if not data or data.isspace():
        raise Unacceptable("Choose a file or paste a list: this one is empty.", field="file")
    if surely_too_many(data):
        raise Unacceptable(TOO_MANY, field="file")
    if game and not Game.objects.filter(slug=game).exists():
        raise Unacceptable(f"Unknown game “{game[:40]}”.", field="game")
    with transaction.atomic():
        # Locks the person's row: two tabs cannot both be the last that is let in.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        open_jobs = ImportJob.objects.filter(owner=owner, state__in=_OPEN_STATES)
        if open_jobs.count() >= MAX_AT_ONCE:
            raise TooMany(
                f"You already have {MAX_AT_ONCE} unfinished imports. Apply or cancel one first."
            )
        job = ImportJob.objects.create(
            owner=owner,
            filename=_plain_name(filename),
            upload=data,
            game=game,
            replaces=replaces,
            skips_bad=skips_bad,
            total=count_lines(data),
        )
        if not _is_short(job):
            after_commit(_wake, owner.pk)
    return job


def _is_short(job: ImportJob) -> bool:
    return job.total < READ_AT_ONCE and len(job.upload or b"") <= BYTES_AT_ONCE


_OPEN_STATES = (JobState.WAITING, JobState.WORKING, JobState.READY)


def _plain_name(filename: str) -> str:
    """A file's name without folders and without what no page shows."""
    name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(letter for letter in name if letter.isprintable())[:200]


def _wake(owner_id: int) -> None:
    """Have a worker told when it is this person's turn; where that fails, the sweep finds it."""
    fair_queue.send_next(owner_id)


def _send(job_id: int) -> None:
    enqueue("collection.tasks.read_list", job_id)


# -- reading --------------------------------------------------------------------------------------


class _Taken(Exception):
    """Another worker has the job, or its owner has cancelled it."""


def read_import(*, job_id: int, in_turn: bool = False) -> bool:
    """Read a job's list into lines; False when it is read, over, or another worker has it.

    ``in_turn`` leaves it alone while a worker has something else of the same person.
    """
    job = _claim(job_id, in_turn=in_turn)
    if job is None:
        return False
    try:
        _read(job)
    except _Taken:
        return False
    except Unreadable as error:
        _fail(job, str(error))
        return False
    finally:
        _wake(job.owner_id)
    return True


def _claim(job_id: int, *, in_turn: bool = False) -> ImportJob | None:
    """Take the job if nobody has it. Lines of a worker that died are thrown away."""
    now = timezone.now()
    with transaction.atomic():
        if in_turn and not fair_queue.may_start(ImportJob, job_id):
            return None
        free = Q(state=JobState.WAITING) | Q(
            state=JobState.WORKING, touched_at__lt=now - DEAD_AFTER
        )
        job = ImportJob.objects.select_for_update().filter(free, pk=job_id).first()
        if job is None:
            return None
        tries = job.summary.get("tries", 0) + 1
        if tries > TRIES:
            job.touched_at = now
            job.save(update_fields=["touched_at"])
            _fail(job, "Something went wrong on our side while reading this list.")
            return None
        job.lines.all().delete()
        job.state, job.done, job.touched_at = JobState.WORKING, 0, now
        job.summary = {"tries": tries}
        job.save(update_fields=["state", "done", "touched_at", "summary"])
    return job


def _touch(job: ImportJob, **fields: Any) -> None:
    """Write something to a job that this worker still has; raises ``_Taken``."""
    now = timezone.now()
    mine = ImportJob.objects.filter(
        pk=job.pk, state=JobState.WORKING, touched_at=job.touched_at
    ).update(touched_at=now, **fields)
    if not mine:
        raise _Taken
    job.touched_at = now


def _read(job: ImportJob) -> None:
    data = bytes(job.upload or b"")
    if job.total > MAX_ROWS:
        for _ in read(data, job.filename).rows:
            pass  # too many are found out before the first is looked up and written down
    reading = read(data, job.filename)
    job.dialect = reading.dialect
    _touch(job, dialect=reading.dialect, encoding=reading.encoding)
    job.summary["digest"] = hashlib.sha256(data).hexdigest()
    lines = _understood(reading.rows, Catalog(queries.known_cards()), job)
    number = seen = understood = 0
    for batch in _batches(lines):
        number = batch[-1].number
        seen += len(batch)
        understood += sum(line.verdict in UNDERSTOOD for line in batch)
        with transaction.atomic():
            _touch(job, done=min(number, job.total))
            ImportLine.objects.bulk_create(batch, batch_size=BATCH_SIZE)
        if seen >= GIVEN_A_CHANCE and not understood:
            raise Unreadable(
                f"None of the first {seen:,} entries is a known card. Check the list and the "
                "chosen game."
            )
    if not number:
        raise Unreadable("This list has no entries.")
    with transaction.atomic():
        _touch(job)  # locks the list before its lines, as whoever throws it away does
        _judge(job)
        _touch(job, state=JobState.READY, done=job.total, summary=job.summary, upload=None)
        _notify_read(job, "ready to review")


def _batches(lines: Iterator[ImportLine]) -> Iterator[list[ImportLine]]:
    while batch := list(islice(lines, BATCH_SIZE)):
        yield batch


def _understood(rows: Iterable[Row], catalog: Catalog, job: ImportJob) -> Iterator[ImportLine]:
    for row in rows:
        yield _line(row, catalog, job)


def _line(row: Row, catalog: Catalog, job: ImportJob) -> ImportLine:
    line = ImportLine(job=job, number=row.number, text=row.text)
    if row.problem:
        line.verdict, line.problem = LineVerdict.BAD, row.problem
        return line
    match = catalog.match(row, job.game)
    line.quantity, line.for_trade, line.wishlist = match.quantity, row.for_trade, row.wishlist
    line.tags, line.notes, line.extra = row.tags, row.notes, dict(row.extra)
    line.digital = row.digital
    if shine := shines(row.finish, match.card) if match.card else shining(row.finish):
        line.extra[FOIL] = shine[: MAX_LENGTHS["finish"]]
    elif match.card and (written := written_finish(row.finish, match.card)):
        line.extra[AS_WRITTEN[FOIL]] = written
    if match.card and (
        printing := match.card.other_printing(spelt(row.set) or spelt(row.set_name))
    ):
        line.extra[SET] = printing
    if match.card:
        # What it would do is judged when all lines are known.
        line.verdict, line.card_id = LineVerdict.SAME, match.card.pk
    else:
        line.verdict = LineVerdict.UNKNOWN
        line.problem = match.problem[:300]
        line.suggestions = _suggestions(match.suggestions)
    return line


def _suggestions(cards: Sequence[KnownCard]) -> list[dict[str, str]]:
    """Cards to choose from, with their game beside where they are of several."""
    several = len({card.game for card in cards}) > 1
    return [
        {
            "game": card.game,
            "card": card.slug,
            "title": f"{card.title} ({card.game_name})" if several else card.title,
        }
        for card in cards
    ]


def _fail(job: ImportJob, problem: str) -> None:
    with transaction.atomic():
        now = timezone.now()
        failed = ImportJob.objects.filter(
            pk=job.pk, state__in=_OPEN_STATES, touched_at=job.touched_at
        ).update(
            state=JobState.FAILED, problem=problem, upload=None, touched_at=now, finished_at=now
        )
        if failed:
            job.lines.all().delete()
            _notify_read(job, "not imported: it could not be read")


def _notify_read(job: ImportJob, outcome: str) -> None:
    """Notify the owner of a long list, who need not have waited for it."""
    if _is_short(job):
        return
    name = f"Your list “{job.filename}”" if job.filename else "Your list"
    text = f"{name} is {outcome}."
    link = job.get_absolute_url()
    notify([job.owner_id], Notice.JOB_FINISHED, text=text, link=link, key=_notice_key(job))


def _notice_key(job: ImportJob) -> str:
    return f"import-{job.pk}"


# -- what it would do -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Totals:
    """The total effect of an import.

    ``fingerprint`` differs when what its owner agreed to differs: what each card becomes, or in a
    list that only adds, what it adds to each.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    more: int = 0
    fewer: int = 0
    fingerprint: int = 0

    @classmethod
    def of(cls, by_card: Mapping[int, Effect], *, replaces: bool) -> _Totals:
        counted = dict.fromkeys(UNDERSTOOD, 0)
        more = fewer = fingerprint = 0
        for card, effect in by_card.items():
            counted[_verdict(effect)] += 1
            more += max(0, effect.change)
            fewer += max(0, -effect.change)
            fingerprint ^= effect.fingerprint(card, replaces=replaces)
        return cls(
            counted[LineVerdict.NEW],
            counted[LineVerdict.CHANGED],
            counted[LineVerdict.SAME],
            more,
            fewer,
            fingerprint,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> _Totals:
        cards, copies = data["cards"], data["copies"]
        return cls(
            cards["new"], cards["changed"], cards["same"], copies["more"], copies["fewer"],
            int(data["fingerprint"], 16),
        )  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        return {
            "cards": {"new": self.new, "changed": self.changed, "same": self.same},
            "copies": {"more": self.more, "fewer": self.fewer},
            "fingerprint": f"{self.fingerprint:016x}",
        }

    def instead(self, gone: _Totals, come: _Totals) -> _Totals:
        """The totals with some cards' part replaced."""
        return _Totals(
            self.new - gone.new + come.new,
            self.changed - gone.changed + come.changed,
            self.same - gone.same + come.same,
            self.more - gone.more + come.more,
            self.fewer - gone.fewer + come.fewer,
            self.fingerprint ^ gone.fingerprint ^ come.fingerprint,
        )


def _verdict(effect: Effect) -> LineVerdict:
    if effect.is_new:
        return LineVerdict.NEW
    return LineVerdict.CHANGED if effect.changes else LineVerdict.SAME


def _judge(job: ImportJob) -> None:
    """Work out what every understood line does, and write it to the lines and the summary."""
    understood = job.lines.filter(verdict__in=UNDERSTOOD)
    understood.exclude(problem="").update(problem="")
    by_card, remarks = queries.listed(job)
    by_card_effects = queries.effects(job, by_card, queries.listed_holdings(job))
    for card, problem in {c: e.problem for c, e in by_card_effects.items() if e.problem}.items():
        job.lines.filter(card=card).update(verdict=LineVerdict.BAD, problem=problem)
        del by_card_effects[card]
    _write_verdicts(job, by_card_effects)
    _write_remarks(job, by_card_effects, remarks)
    _summarise(job, _Totals.of(by_card_effects, replaces=job.replaces))


def _write_verdicts(job: ImportJob, by_card: Mapping[int, Effect]) -> None:
    cards: dict[LineVerdict, list[int]] = {verdict: [] for verdict in UNDERSTOOD}
    for card, effect in by_card.items():
        cards[_verdict(effect)].append(card)
    for verdict, keys in cards.items():
        for batch in _parts(keys):
            lines = job.lines.filter(card__in=batch, verdict__in=UNDERSTOOD)
            lines.exclude(verdict=verdict).update(verdict=verdict)


def _parts(keys: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(keys), BATCH_SIZE):
        yield keys[start : start + BATCH_SIZE]


def _write_remarks(job: ImportJob, by_card: Mapping[int, Effect], remarks: dict[int, str]) -> None:
    """Remarks on a card stand at its first line, those on a line at the line."""
    remarked = [card for card, effect in by_card.items() if effect.remark]
    for batch in _parts(remarked):
        for pk, card in _first_lines(job, batch):
            remarks[pk] = f"{by_card[card].remark} {remarks.get(pk, '')}".strip()
    lines = [ImportLine(pk=pk, problem=remark[:300]) for pk, remark in remarks.items()]
    ImportLine.objects.bulk_update(lines, ["problem"], batch_size=BATCH_SIZE)


def _first_lines(job: ImportJob, cards: list[int]) -> list[tuple[int, int]]:
    """The key of the first understood line of each card."""
    lines = job.lines.filter(card__in=cards, verdict__in=UNDERSTOOD).order_by()
    firsts = dict(lines.values_list("card_id").annotate(Min("number")))
    rows = lines.filter(number__in=list(firsts.values()))
    return [(pk, card) for pk, card in rows.values_list("pk", "card_id") if card is not None]


def _summarise(job: ImportJob, totals: _Totals) -> None:
    lines = job.lines.all()
    understood = lines.filter(verdict__in=UNDERSTOOD)
    job.summary = totals.as_json() | {
        "lines": queries.counts(job),
        "digital": understood.filter(digital=True).count(),
        "not_kept": understood.filter(problem__contains=NOT_KEPT).count(),
        "digest": job.summary.get("digest", ""),
    }


# -- answering ------------------------------------------------------------------------------------


def _ready(owner: User, slug: str) -> ImportJob:
    """The owner's job, locked, while it waits for its owner's word."""
    job = _locked(owner, slug)
    if job.state != JobState.READY:
        raise TooLate(_WHY_NOT_READY.get(job.state, "This list is still being read."))
    return job


_WHY_NOT_READY = {
    JobState.DONE.value: "This list has already been imported.",
    JobState.CANCELLED.value: "This list was cancelled.",
    JobState.FAILED.value: "This list could not be read.",
}


def _locked(owner: User, slug: str) -> ImportJob:
    job = queries.imports_of(owner).select_for_update().filter(slug=slug).first()
    if job is None:
        raise NotFound("Import not found.")
    return job


@transaction.atomic
def answer_line(*, owner: User, slug: str, number: int, game: str, card: str) -> int:
    """Say which card a line means; other lines with the same words follow it.

    Gives the number of lines that are understood now. Raises ``Unacceptable`` and ``TooLate``.
    """
    job = _ready(owner, slug)
    line = _line_of(job, number)
    if line.verdict != LineVerdict.UNKNOWN:
        raise Unacceptable("This line doesn’t need a card.")
    key = Card.objects.values_list("pk", flat=True).filter(game__slug=game, slug=card).first()
    if key is None:
        raise Unacceptable("Unknown card. Choose a suggestion, or search.")
    alike = job.lines.filter(verdict=LineVerdict.UNKNOWN, problem=line.problem)
    return _join(job, key, alike)


def _join(job: ImportJob, card: int, lines: Any) -> int:
    """Have lines mean a card, and judge this card anew."""
    before = queries.holdings_of(job.owner_id, [card])
    gone = queries.effects(job, queries.listed(job, [card])[0], before)
    joined: int = lines.update(card=card, verdict=LineVerdict.SAME, problem="")
    understood = job.lines.filter(card=card, verdict__in=UNDERSTOOD)
    understood.exclude(problem="").update(problem="")
    by_card, remarks = queries.listed(job, [card])
    come = queries.effects(job, by_card, before)
    if come[card].problem:
        raise Unacceptable(come[card].problem)
    _write_verdicts(job, come)
    _write_remarks(job, come, remarks)
    was = _Totals.of(gone, replaces=job.replaces)
    becomes = _Totals.of(come, replaces=job.replaces)
    totals = _Totals.from_json(job.summary).instead(was, becomes)
    _summarise(job, totals)
    job.save(update_fields=["summary"])
    return joined


@transaction.atomic
def accept_suggestions(*, owner: User, slug: str) -> int:
    """Have every line that has a single suggestion mean that card; how many lines these are.

    Doing it again changes nothing. Raises ``TooLate``.
    """
    job = _ready(owner, slug)
    meant: dict[tuple[str, str], list[int]] = {}
    asking = job.lines.filter(verdict=LineVerdict.UNKNOWN)
    for pk, suggestions in asking.values_list("pk", "suggestions").iterator(2000):
        if len(suggestions) == 1:
            (only,) = suggestions
            meant.setdefault((only["game"], only["card"]), []).append(pk)
    slugs = {card for _, card in meant}
    rows = Card.objects.filter(slug__in=slugs).values_list("game__slug", "slug", "pk")
    keys = {(game, card): pk for game, card, pk in rows}
    number = 0
    for named, lines in meant.items():
        if named in keys:
            for batch in _parts(lines):
                number += job.lines.filter(pk__in=batch).update(
                    card=keys[named], verdict=LineVerdict.SAME, problem=""
                )
    if number:
        _judge(job)
        job.save(update_fields=["summary"])
    return number


@transaction.atomic
def skip_line(*, owner: User, slug: str, number: int) -> None:
    """Leave a line out that stands in the way. Doing it again changes nothing."""
    job = _ready(owner, slug)
    line = _line_of(job, number)
    if line.verdict == LineVerdict.SKIPPED:
        return
    if line.verdict not in OPEN:
        raise Unacceptable("This line was recognised and can’t be skipped.")
    _set_verdict(job, line, LineVerdict.SKIPPED)


@transaction.atomic
def take_back_line(*, owner: User, slug: str, number: int) -> None:
    """Take a line in again that was left out. Doing it again changes nothing."""
    job = _ready(owner, slug)
    line = _line_of(job, number)
    if line.verdict == LineVerdict.SKIPPED:
        readable = line.card_id is None and (line.quantity, line.wishlist) != (None, None)
        verdict = LineVerdict.UNKNOWN if readable else LineVerdict.BAD
        _set_verdict(job, line, verdict)


def _line_of(job: ImportJob, number: int) -> ImportLine:
    line = job.lines.filter(number=number).first()
    if line is None:
        raise NotFound(f"This list has no line {number}.")
    return line


def _set_verdict(job: ImportJob, line: ImportLine, verdict: LineVerdict) -> None:
    line.verdict = verdict
    line.save(update_fields=["verdict"])
    job.summary["lines"] = queries.counts(job)
    job.save(update_fields=["summary"])


# -- applying and taking back ---------------------------------------------------------------------


class _Changed(Exception):
    """Meanwhile the owner's cards are not those that the preview was made for."""


def apply_import(*, owner: User, slug: str, skips_bad: bool | None = None) -> ImportJob:
    """Do all that the preview says, or nothing. Doing it again changes nothing.

    ``skips_bad`` leaves out the lines that are not understood; None: as was said when the list was
    brought. Raises ``Unacceptable`` while such lines are in the way, and ``TooLate`` where it
    would do something else than the preview says: that is then made anew.
    """
    try:
        with transaction.atomic():
            return _apply(_locked(owner, slug), skips_bad)
    except _Changed:
        with transaction.atomic():
            job = _ready(owner, slug)
            _judge(job)
            job.save(update_fields=["summary"])
        raise TooLate(
            "Your cards have changed since this preview. Nothing was imported: review the new "
            "preview and import again."
        ) from None


def _apply(job: ImportJob, skips_bad: bool | None) -> ImportJob:
    if job.state == JobState.DONE:
        return job
    if job.state != JobState.READY:
        raise TooLate(_WHY_NOT_READY.get(job.state, "This list is still being read."))
    skips_bad = job.skips_bad if skips_bad is None else skips_bad
    lines = queries.counts(job)
    in_the_way = sum(lines.get(verdict, 0) for verdict in OPEN)
    if in_the_way and not skips_bad:
        count = "1 line was" if in_the_way == 1 else f"{in_the_way:,} lines were"
        raise Unacceptable(
            f"{count} not recognised, so nothing was imported. Choose cards for them or skip them.",
            lines=in_the_way,
        )
    by_card, _ = queries.listed(job)
    if not by_card:
        raise Unacceptable("No line was recognised, so there is nothing to import.")
    # A row for every card, so that each can be locked: nobody opens a pack in between.
    known = queries.listed_holdings(job)
    Holding.objects.bulk_create(
        [Holding(owner_id=job.owner_id, card_id=card) for card in by_card if card not in known],
        batch_size=BATCH_SIZE,
        ignore_conflicts=True,
    )
    computed = queries.effects(job, by_card, queries.listed_holdings(job, locked=True))
    totals = _Totals.of(computed, replaces=job.replaces)
    if totals.as_json()["fingerprint"] != job.summary["fingerprint"]:
        raise _Changed
    done = {card: effect for card, effect in computed.items() if effect.changes}
    transferred, _ = transfer(
        key=f"import:{job.slug}",
        reason=Reason.IMPORT,
        movements=physical_of(
            job.owner, {card: card_effect.change for card, card_effect in done.items()}
        ),
        by=job.owner,
        note=job.filename,
    )
    if (summary := job.summary | totals.as_json()) != job.summary:
        job.summary = summary
        _write_verdicts(job, computed)
    _write_marks(job.owner_id, {card: effect.after for card, effect in done.items()})
    _write_outcomes(job, done)
    now = timezone.now()
    job.state, job.transfer, job.skips_bad = JobState.DONE, transferred, skips_bad
    job.finished_at = job.touched_at = now
    job.save(
        update_fields=["state", "transfer", "skips_bad", "summary", "finished_at", "touched_at"]
    )
    retract(Notice.JOB_FINISHED, key=_notice_key(job))
    logger.info("import applied", slug=job.slug, cards=len(done))
    return job


def _write_marks(owner: int, marks: Mapping[int, HoldingValues]) -> None:
    """Write all that is said of cards, in rows that are locked; counts stay the ledger's."""
    rows = [
        Holding(
            owner_id=owner,
            card_id=card,
            described=counted(held.copies),
            # For the database's check of a new row; an existing one keeps its own.
            digital=held.digital,
            physical=held.physical,
            for_trade=held.for_trade,
            wishlist=held.wishlist,
            tags=held.tags,
            notes=held.notes,
            extra=dict(held.extra),
        )
        for card, held in marks.items()
    ]
    described = _described_holdings(owner, marks)
    Holding.objects.bulk_create(
        rows,
        batch_size=BATCH_SIZE,
        update_conflicts=True,
        unique_fields=["owner", "card"],
        update_fields=["described", "for_trade", "wishlist", "tags", "notes", "extra"],
    )
    copies.write({held: marks[card].copies for card, held in described.items()})


def _described_holdings(owner: int, marks: Mapping[int, HoldingValues]) -> dict[int, int]:
    """The holdings (by card) whose copies are described, or will be."""
    keys: dict[int, int] = {}
    for batch in _parts(list(marks)):
        will_be = [card for card in batch if marks[card].copies]
        rows = Holding.objects.filter(Q(described__gt=0) | Q(card__in=will_be), owner=owner)
        keys.update(rows.filter(card__in=batch).values_list("card_id", "pk"))
    return keys


def _write_outcomes(job: ImportJob, done: Mapping[int, Effect]) -> None:
    for batch in _parts(list(done)):
        rows = [
            ImportLine(
                pk=pk,
                outcome={
                    "before": done[card].before.as_json(),
                    "after": done[card].after.as_json(),
                },
            )
            for pk, card in _first_lines(job, batch)
        ]
        ImportLine.objects.bulk_update(rows, ["outcome"])


@transaction.atomic
def undo_import(*, owner: User, slug: str) -> ImportJob:
    """Take an import back: its copies, and what it said of cards where that still stands so.

    Doing it again changes nothing. Raises ``NotEnoughCards`` with names where copies have gone
    since, and ``TooLate`` for a list that is not applied or too old.
    """
    job = _locked(owner, slug)
    if job.undone_id:
        return job
    if job.state != JobState.DONE or job.transfer is None:
        raise TooLate("Only finished imports can be undone.")
    if not job.lines.exists():
        raise TooLate(f"An import can be undone for {KEPT.days} days only.")
    changes = _reverse(job.transfer, owner)
    now = queries.listed_holdings(job, locked=True)
    _check_still_there(changes, now)
    transferred, _ = transfer(
        key=f"undo:{job.slug}",
        reason=Reason.UNDO,
        movements=physical_of(owner, changes),
        by=owner,
        note=job.filename,
    )
    restored: dict[int, HoldingValues] = {}
    for card, outcome in job.lines.filter(outcome__isnull=False).values_list("card_id", "outcome"):
        if card in now and outcome is not None:
            before = HoldingValues.from_json(outcome["before"])
            after = HoldingValues.from_json(outcome["after"])
            restored[card] = _as_before(now[card], before, after, changes.get(card, 0))
    _write_marks(owner.pk, restored)
    job.undone, job.touched_at = transferred, timezone.now()
    job.save(update_fields=["undone", "touched_at"])
    return job


def _reverse(imported: Transfer, owner: User) -> dict[int, int]:
    changes: dict[int, int] = {}
    rows = LedgerRow.objects.filter(transfer=imported).values_list("card_id", "count", "taker_id")
    for card, count, taker in rows.iterator(2000):
        came = count if taker is not None else -count
        changes[card] = changes.get(card, 0) - came
    return changes


def _check_still_there(changes: Mapping[int, int], now: Mapping[int, HoldingValues]) -> None:
    gone = [
        card
        for card, change in changes.items()
        if change < 0 and (now[card].physical if card in now else 0) < -change
    ]
    if not gone:
        return
    named = Card.objects.filter(pk__in=gone[:NAMES_IN_A_REFUSAL]).order_by("title")
    names = ", ".join(named.values_list("title", flat=True))
    if len(gone) > NAMES_IN_A_REFUSAL:
        names += f" and {len(gone) - NAMES_IN_A_REFUSAL:,} more"
    raise NotEnoughCards(
        f"You now have fewer physical copies than this import added: {names}. Add them again, then "
        "undo the import."
    )


def _as_before(
    now: HoldingValues, before: HoldingValues, after: HoldingValues, change: int
) -> HoldingValues:
    """Restore a card's marks, as before the import wherever nobody changed them since."""
    physical = now.physical + change
    back = {
        name: getattr(before if getattr(now, name) == getattr(after, name) else now, name)
        for name in ("for_trade", "wishlist", "tags", "notes", "extra", "copies")
    }
    back["for_trade"] = min(back["for_trade"], now.digital + physical)
    back["copies"] = settled(back["copies"], now.digital + physical, back["for_trade"])
    return replace(now, physical=physical, **back)


def cancel_import(*, owner: User, slug: str) -> ImportJob:
    """Throw a list away that was not applied. Doing it again changes nothing."""
    with transaction.atomic():
        job = _locked(owner, slug)
        if job.state == JobState.DONE:
            raise TooLate("This list has already been imported. You can undo it instead.")
        if job.state != JobState.CANCELLED:
            _throw_away(job)
            after_commit(_wake, owner.pk)
    return job


def cancel_all(*, user: User) -> None:
    """Throw away all of a person's lists that were not applied.

    Whoever reads one of them finds it gone at the next lines.
    """
    open_jobs = ImportJob.objects.filter(owner=user, state__in=_OPEN_STATES)
    for key in list(open_jobs.values_list("pk", flat=True)):
        _throw_away_open(key)


def _throw_away(job: ImportJob) -> None:
    job.state, job.upload = JobState.CANCELLED, None
    job.finished_at = job.touched_at = timezone.now()
    job.save(update_fields=["state", "upload", "finished_at", "touched_at"])
    job.lines.all().delete()
    retract(Notice.JOB_FINISHED, key=_notice_key(job))


# -- what a crash or time left behind --------------------------------------------------------------


def stalled_imports() -> list[int]:
    """Keys of lists that nobody reads: never begun, or begun by a worker that has died."""
    silent = timezone.now() - DEAD_AFTER
    states = [JobState.WAITING, JobState.WORKING]
    jobs = ImportJob.objects.filter(state__in=states, touched_at__lt=silent)
    return list(jobs.values_list("pk", flat=True))


def forget_imports() -> int:
    """Throw away uploads and lines after thirty days; what was applied stays in the ledger."""
    old = timezone.now() - KEPT
    waiting = ImportJob.objects.filter(state__in=_OPEN_STATES, created_at__lt=old)
    for key in list(waiting.values_list("pk", flat=True)[:100]):
        _throw_away_open(key)
    over = ImportJob.objects.filter(finished_at__lt=old, lines__isnull=False).distinct()
    jobs = list(over.values_list("pk", flat=True)[:100])
    with transaction.atomic():
        locked = ImportJob.objects.select_for_update(skip_locked=True).filter(pk__in=jobs)
        free = list(locked.order_by("pk").values_list("pk", flat=True))
        gone, _ = ImportLine.objects.filter(job__in=free).delete()
    return gone


@transaction.atomic
def _throw_away_open(key: int) -> None:
    """Lock it and look again: a list that is applied at this very moment keeps its way back."""
    locked = ImportJob.objects.select_for_update().filter(pk=key, state__in=_OPEN_STATES)
    job = locked.defer("upload").first()
    if job is not None:
        _throw_away(job)


fair_queue.register(
    fair_queue.Kind(
        ImportJob,
        owner="owner_id",
        since="created_at",
        dead_after=DEAD_AFTER,
        send=_send,
    )
)
