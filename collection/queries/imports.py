"""Reading imports: a person's lists, their lines page by page, and the catalog to match them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from django.db.models import Count, QuerySet
from rest_framework import serializers

from accounts.models import User
from collection.copies import Described
from collection.errors import NotFound
from collection.lists.dialects import APART, AS_WRITTEN, BINDER, FOIL, NOTE, WORDS
from collection.lists.effects import NO_HOLDING, Effect, HoldingValues, Listed, effect
from collection.lists.matching import KnownCard
from collection.models import (
    Card,
    CardInSet,
    DescribedCopies,
    Holding,
    ImportJob,
    ImportLine,
    JobState,
    LineVerdict,
)
from collection.models.imports import UNDERSTOOD
from collection.queries.copies import grouped
from collection.queries.keyset import BEST_MATCH
from collection.queries.search import ranked, search
from core.serializers import Doc, component, describe, from_row

PAGE_SIZE = 50
BATCH_SIZE = 500
_VALUE_FIELDS = ("digital", "physical", "for_trade", "wishlist", "tags", "notes", "extra")


def imports_of(user: User) -> QuerySet[ImportJob]:
    """A person's imports, the latest first, without the uploaded files."""
    return ImportJob.objects.filter(owner=user).defer("upload")


def import_of(user: User, slug: str) -> ImportJob:
    """One of the person's own imports; raises ``NotFound``, for somebody else's too."""
    job = imports_of(user).filter(slug=slug).first()
    if job is None:
        raise NotFound("Import not found.")
    return job


def same_file_before(job: ImportJob) -> ImportJob | None:
    """The last time that the very same file was imported, and not taken back."""
    digest = job.summary.get("digest")
    if not digest:
        return None
    done = ImportJob.objects.filter(owner=job.owner_id, state=JobState.DONE, undone=None)
    done = done.filter(summary__digest=digest).exclude(pk=job.pk).defer("upload")
    return done.order_by("-finished_at").first()


def next_ready(job: ImportJob) -> ImportJob | None:
    """The list of the same person that has waited longest to be reviewed."""
    ready = ImportJob.objects.filter(owner=job.owner_id, state=JobState.READY).defer("upload")
    return ready.order_by("created_at").first()


def single_suggestions(job: ImportJob) -> int:
    """How many lines have one card suggested for them, and only one."""
    asking = job.lines.filter(verdict=LineVerdict.UNKNOWN).exclude(suggestions=[])
    return sum(
        len(suggestions) == 1 for suggestions in asking.values_list("suggestions", flat=True)
    )


FOUND_FOR_A_LINE = 12


def found_for_line(job: ImportJob, words: str) -> list[Card]:
    """Cards that somebody searches for a line: of the list's game, where it says one."""
    cards = Card.objects.select_related("game").filter(retired=False)
    if job.game:
        cards = cards.filter(game__slug=job.game)
    return list(BEST_MATCH.line(ranked(search(cards, words), words))[:FOUND_FOR_A_LINE])


def known_cards() -> Iterator[KnownCard]:
    """The catalog as lists may name it, retired cards included."""
    printings: dict[int, list[tuple[str, str, int | None]]] = {}
    printed = CardInSet.objects.order_by("position")
    for card, slug, name, number in printed.values_list(
        "card_id", "card_set__slug", "card_set__name", "number"
    ).iterator(2000):
        printings.setdefault(card, []).append((slug, name, number))
    cards = Card.objects.order_by("game__sort_number", "sort_number", "slug")
    for pk, game, game_name, slug, name, title, colour, retired in cards.values_list(
        "pk", "game__slug", "game__name", "slug", "name", "title", "colour", "retired"
    ).iterator(2000):
        in_sets = tuple(printings.get(pk, ()))
        yield KnownCard(pk, game, game_name, slug, name, title, colour, in_sets, retired)


def counts(job: ImportJob) -> dict[str, int]:
    """How many lines there are of each verdict."""
    rows = job.lines.order_by().values_list("verdict").annotate(Count("pk"))
    return dict(rows)


def listed(
    job: ImportJob, cards: Iterable[int] | None = None
) -> tuple[dict[int, Listed], dict[int, str]]:
    """The contents of the understood lines, by card; and remarks on single lines, by their key."""
    lines = job.lines.filter(verdict__in=UNDERSTOOD).order_by("number")
    if cards is not None:
        lines = lines.filter(card__in=list(cards))
    apart = job.dialect in APART
    by_card: dict[int, Listed] = {}
    remarks: dict[int, str] = {}
    rows = lines.values_list(
        "pk", "card_id", "quantity", "digital", "for_trade", "wishlist", "tags", "notes", "extra"
    )
    for pk, card, quantity, digital, for_trade, wishlist, tags, notes, extra in rows.iterator(2000):
        remark = by_card.setdefault(card, Listed(apart)).add(
            quantity=quantity,
            digital=digital,
            for_trade=for_trade,
            wishlist=wishlist,
            tags=tags,
            notes=notes,
            extra=extra,
        )
        if remark:
            remarks[pk] = remark
    return by_card, remarks


def holdings_of(owner: int, cards: Iterable[int]) -> dict[int, HoldingValues]:
    """The person's holdings of these cards, by card; cards that they never had are left out."""
    return _values(Holding.objects.filter(owner=owner, card__in=list(cards)))


def listed_holdings(job: ImportJob, *, locked: bool = False) -> dict[int, HoldingValues]:
    """The owner's holdings of all cards of a list."""
    cards = job.lines.filter(card__isnull=False).order_by().values("card")
    rows = Holding.objects.filter(owner=job.owner_id, card__in=cards).order_by("card_id")
    if locked:
        rows = rows.select_for_update()
    return _values(rows)


def _values(rows: QuerySet[Holding]) -> dict[int, HoldingValues]:
    """The values of these rows, with one more query for each batch whose copies are described."""
    values: dict[int, HoldingValues] = {}
    described: dict[int, int] = {}
    for row in rows.iterator(2000):
        values[row.card_id] = values_of(row)
        if row.described:
            described[row.pk] = row.card_id
    keys = list(described)
    for start in range(0, len(keys), BATCH_SIZE):
        batch = DescribedCopies.objects.filter(holding__in=keys[start : start + BATCH_SIZE])
        for held, copies in grouped(batch).items():
            card = described[held]
            values[card] = replace(values[card], copies=copies)
    return values


def values_of(row: Holding, copies: Sequence[Described] = ()) -> HoldingValues:
    """The values of a holding's row and its copies."""
    fields = {name: getattr(row, name) for name in _VALUE_FIELDS}
    return HoldingValues(**fields, copies=copies)


def effects(
    job: ImportJob, by_card: dict[int, Listed], before: dict[int, HoldingValues]
) -> dict[int, Effect]:
    """The list's effect on each card."""
    return {
        card: effect(before.get(card, NO_HOLDING), listed, replaces=job.replaces)
        for card, listed in by_card.items()
    }


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line with what it does to its card, where that is known."""

    line: ImportLine
    effect: Effect | None = None

    @property
    def said(self) -> list[str]:
        """The line's details of its copies, in words."""
        extra = self.line.extra
        row = Described(
            1, extra.get("condition", ""), extra.get("language", ""), extra.get(FOIL, "")
        )
        written = (extra[name] for name in AS_WRITTEN.values() if name in extra)
        return [
            *row.words,
            *(extra[name] for name in (BINDER, NOTE) if name in extra),
            *(f"“{word}” kept as written" for word in written),
        ]


@dataclass(frozen=True, slots=True)
class LinePage:
    """Some lines of one kind, in order. ``after`` is where the next page begins; 0: nowhere."""

    lines: list[ShownLine]
    before: int | None = None
    after: int = 0


def lines_of(
    job: ImportJob, verdict: str = "", *, after: int = 0, size: int = PAGE_SIZE
) -> LinePage:
    """Lines after a number. The page costs the same wherever it is."""
    lines = job.lines.select_related("card__game").order_by("number")
    if verdict:
        lines = lines.filter(verdict=verdict)
    rows = list(lines.filter(number__gt=after)[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    before = None
    if after:
        earlier = lines.filter(number__lte=after).order_by("-number")
        numbers = list(earlier.values_list("number", flat=True)[: size + 1])
        before = numbers[size] if len(numbers) > size else 0
    return LinePage(
        lines=_with_effects(job, rows), before=before, after=rows[-1].number if more else 0
    )


def _with_effects(job: ImportJob, rows: list[ImportLine]) -> list[ShownLine]:
    cards = {row.card_id for row in rows if row.card_id and row.verdict in UNDERSTOOD}
    if not cards:
        return [ShownLine(row) for row in rows]
    if job.transfer_id:
        done = job.lines.filter(card__in=cards, outcome__isnull=False)
        known = {
            card: Effect(
                HoldingValues.from_json(outcome["before"]),
                HoldingValues.from_json(outcome["after"]),
            )
            for card, outcome in done.values_list("card_id", "outcome")
            if card is not None and outcome is not None
        }
    else:
        by_card, _ = listed(job, cards)
        known = effects(job, by_card, holdings_of(job.owner_id, cards))
    return [
        ShownLine(row, known.get(row.card_id or 0) if row.verdict in UNDERSTOOD else None)
        for row in rows
    ]


# Lists as the API tells them

describe(
    HoldingValues,
    "Holding of a card, with its marks.",
    *("digital", "physical", "for_trade", "wishlist", "tags", "notes", "extra", "copies"),
    component="Held",
)


@dataclass(frozen=True, slots=True)
class ImportCardCounts:
    """How many different cards."""

    new: int
    changed: int
    same: int


@dataclass(frozen=True, slots=True)
class ImportCopies:
    """How many copies come and go."""

    more: int
    fewer: int


class ImportLineCounts(serializers.Serializer[dict[str, int]]):
    """Number of lines by result; without results that don’t occur."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """One number a verdict."""
        return {verdict.value: serializers.IntegerField(required=False) for verdict in LineVerdict}


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The effect of a list, once it is read; `apply` does exactly this."""

    cards: ImportCardCounts
    copies: ImportCopies
    lines: Annotated[dict[str, int], Doc(field=ImportLineCounts)]
    digital: Annotated[int, Doc("Lines about digital copies; they add none.")]
    not_kept: Annotated[int, Doc("Lines with data that can’t be stored.")]


@component("Import")
@dataclass(frozen=True, slots=True)
class ImportShown:
    """A list and how far it is."""

    slug: str
    filename: str
    game: Annotated[str, Doc("Default game, for lines that don’t name one.")]
    dialect: Annotated[str, Doc(choices=list(WORDS.items()), allow_blank=True)]
    encoding: str
    replaces: Annotated[bool, Doc("Replaces the counts of its cards instead of adding to them.")]
    skips_bad: Annotated[bool, Doc("Skip unrecognised lines.")]
    state: Annotated[str, Doc(choices=JobState.choices)]
    done: int
    total: int
    problem: str
    undone: Annotated[bool, Doc("The import was undone.")]
    summary: ImportSummary | None
    created_at: datetime
    finished_at: datetime | None


def imports_shown(jobs: Iterable[ImportJob]) -> list[ImportShown]:
    """Lists and how far they are."""
    return [
        from_row(ImportShown, job, undone=job.undone_id is not None, summary=_summary(job.summary))
        for job in jobs
    ]


def import_shown(user: User, slug: str) -> ImportShown:
    """One of the person's own; raises ``NotFound``."""
    return imports_shown([import_of(user, slug)])[0]


def _summary(summary: dict[str, Any]) -> ImportSummary | None:
    """Null until it is read."""
    if "lines" not in summary:
        return None
    return ImportSummary(
        ImportCardCounts(**summary["cards"]),
        ImportCopies(**summary["copies"]),
        summary["lines"],
        summary["digital"],
        summary.get("not_kept", 0),
    )


@dataclass(frozen=True, slots=True)
class SuggestedCard:
    """A card with a name like that of a line."""

    game: str
    card: str
    title: str


@component("ImportLine")
@dataclass(frozen=True, slots=True)
class ImportLineShown:
    """A line, and what all lines of its card together do to it."""

    number: int
    text: str
    verdict: Annotated[str, Doc(choices=LineVerdict.choices)]
    problem: str
    suggestions: list[SuggestedCard]
    game: str | None
    card: str | None
    quantity: int | None
    before: HoldingValues | None
    after: HoldingValues | None


@dataclass(frozen=True, slots=True)
class ImportLines:
    """Some lines in order; ask again with `after` for the next ones, until it is 0."""

    lines: list[ImportLineShown]
    after: int


def import_lines(job: ImportJob, verdict: str, *, after: int, size: int) -> ImportLines:
    """A page of an import's lines; see ``lines_of``."""
    page = lines_of(job, verdict, after=after, size=size)
    return ImportLines([_line(line) for line in page.lines], page.after)


def _line(shown_line: ShownLine) -> ImportLineShown:
    line, effect = shown_line.line, shown_line.effect
    return from_row(
        ImportLineShown,
        line,
        suggestions=[
            SuggestedCard(suggestion["game"], suggestion["card"], suggestion["title"])
            for suggestion in line.suggestions
        ],
        game=line.card.game.slug if line.card else None,
        card=line.card.slug if line.card else None,
        before=effect.before if effect else None,
        after=effect.after if effect else None,
    )
