"""Reading deck checks: an organiser's pile, a player's own deck in it, and lists in many forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Least
from django.utils import timezone

import rules
from accounts.models import User
from collection.errors import NotFound
from core.errors import NotAllowed
from core.serializers import Doc, component, from_row
from decks.lists import textlist
from decks.models import CheckedDeck, CheckNote, Deck, DeckCheck, FormatVersion
from decks.models.checks import CheckState
from decks.queries import formats

PAGE_SIZE = 100
BATCH_SIZE = 200
"""Decks that are read at once where all of them are wanted."""
MAX_BATCHES = 20
"""Files of sheets that a page offers."""
MAX_BEHIND = 100
"""Checks that are brought to their format's newer version at once."""
MAX_HEADING = 400
"""Longer lines are cut before they are read as headings."""
_PLAYER = re.compile(r"^==+\s*(?P<player>(?:[^:=]|=[^:=\s])[^:]*?)\s*(?::\s*(?P<name>.*?))?\s*=*$")
"""``== Mira: Wildfire``; a name may begin with the sign itself, as in ``== =1+1: Deck``."""


def checks_of(user: User) -> QuerySet[DeckCheck]:
    """The checks that somebody organises or judges, latest first."""
    judged = DeckCheck.judges.through.objects.filter(user=user, deckcheck=OuterRef("pk"))
    rows = DeckCheck.objects.filter(Q(organiser=user) | Exists(judged))
    return rows.select_related("house__format")


def organises(check: DeckCheck, user: User | AnonymousUser) -> bool:
    """True for the organiser of a check and its judges."""
    if user.pk is None:
        return False
    return check.organiser_id == user.pk or check.judges.filter(pk=user.pk).exists()


def notes_of(check: DeckCheck, number: int | None = None) -> list[CheckNote]:
    """Notes of judges on the lists of a check, or on one of them, latest first."""
    notes = CheckNote.objects.filter(check_of=check).select_related("by")
    return list(notes if number is None else notes.filter(Q(number=number) | Q(number=None)))


def list_of(row: CheckedDeck) -> str:
    """A deck's list as text, as it was typed where it was."""
    return row.typed or textlist.write_list(row.cards, row.check_of.game)


def suggestions(check: DeckCheck, row: CheckedDeck) -> list[tuple[str, list[tuple[str, str]]]]:
    """For each unrecognised line: its words, and the cards that may be meant, as a button
    sends them and as people read them."""
    if not row.unread:
        return []
    game = rules.game(check.game)
    reading = textlist.read_list(row.typed, check.game, game.mode(check.mode).sections)
    titles = {slug: card.title for slug, card in game.catalog.items()}
    return [
        (line.name, [(f"{line.number} {card}", titles[card]) for card in line.suggestions])
        for line in reading.unread
    ]


def version_to_lock(check: DeckCheck) -> FormatVersion | None:
    """The version of its format that a check's lists are locked with.

    As of the moment registration closed, or now while it is open; locked lists keep theirs.
    """
    if check.house is None or check.locked_at is not None:
        return check.house
    format = formats.format_of(check.house.format.slug)
    return formats.present(format, check.registration_closed_at)


@dataclass(frozen=True, slots=True)
class FormatChange:
    """Versions of a check's format that its results do not know yet."""

    newer: FormatVersion | None = None
    """In force, while the results are still by another version."""
    announced: FormatVersion | None = None
    """Takes effect before registration closes."""


def format_change(check: DeckCheck) -> FormatChange:
    """Find out what is new in a check's format, in two queries; locked lists have none of it."""
    if check.house is None or check.locked_at is not None:
        return FormatChange()
    format = formats.format_of(check.house.format.slug)
    version = formats.present(format, check.registration_closed_at)
    coming = formats.history(format).next
    comes_in_time = (
        coming is not None
        and check.takes_decks
        and check.closes_at is not None
        and coming.valid_from <= check.closes_at
    )
    return FormatChange(
        newer=version if version.pk != check.house_id else None,
        announced=coming if comes_in_time else None,
    )


def checks_behind() -> list[int]:
    """Keys of checks whose lists would lock with a newer version than they were checked by.

    Events whose day has passed are left as they are.
    """
    now = timezone.now()
    newer = FormatVersion.objects.filter(
        format=OuterRef("house__format"),
        number__gt=OuterRef("house__number"),
        valid_from__lte=Least(
            Coalesce(OuterRef("closed_at"), now), Coalesce(OuterRef("closes_at"), now), now
        ),
    )
    rows = DeckCheck.objects.filter(Exists(newer), locked_at=None)
    rows = rows.filter(Q(held_on=None) | Q(held_on__gte=now.date()))
    return list(rows.order_by("pk").values_list("pk", flat=True)[:MAX_BEHIND])


@dataclass(frozen=True, slots=True)
class Locking:
    """The effect of locking the lists of a check now."""

    tally: Tally
    illegal: list[tuple[CheckedDeck, list[dict[str, Any]]]]
    nameless: list[CheckedDeck]
    version: FormatVersion | None
    """In force, while the results are still by another one: all lists are to be checked again."""

    @property
    def ready(self) -> bool:
        """True if the results are those that the lists would be locked with."""
        return bool(self.tally.total) and self.version is None and not self.tally.waiting


def locking(check: DeckCheck) -> Locking:
    """Work out what locking the lists would do, without locking them."""
    rows = list(pile(check, "illegal")[:PAGE_SIZE])
    named = CheckedDeck.objects.filter(check_of=check, user=None, player__startswith="Player ")
    return Locking(
        tally=tally(check),
        illegal=[(row, errors(row)) for row in rows],
        nameless=[row for row in named.order_by("number")[:PAGE_SIZE] if row.nameless],
        version=format_change(check).newer,
    )


def handed_in_by(user: User) -> QuerySet[CheckedDeck]:
    """The decks that somebody has handed in, latest first, each with its check."""
    rows = CheckedDeck.objects.filter(user=user)
    rows = rows.select_related("check_of__organiser", "check_of__house__format")
    return rows.order_by("-changed", "-pk")


def check_of(slug: str) -> DeckCheck:
    """A check by its address; raises ``NotFound``."""
    check = DeckCheck.objects.select_related("organiser", "house__format").filter(slug=slug).first()
    if check is None:
        raise NotFound("Deck check not found.")
    return check


def own_check(user: User | AnonymousUser, slug: str) -> DeckCheck:
    """A check that the person organises or judges; raises ``NotFound`` for everybody else."""
    check = check_of(slug)
    if not organises(check, user):
        raise NotFound("You don’t organise this deck check.")
    return check


def checked_deck(check: DeckCheck, number: int) -> CheckedDeck:
    """One deck of the pile; raises ``NotFound``."""
    row = CheckedDeck.objects.filter(check_of=check, number=number).select_related("user").first()
    if row is None:
        raise NotFound("Deck number not found.")
    return row


def readable_deck(check: DeckCheck, user: User | AnonymousUser, number: int) -> CheckedDeck:
    """A deck of the pile, for its player and the organiser; raises ``NotFound``, ``NotAllowed``."""
    row = checked_deck(check, number)
    if user.pk is None or (user.pk != row.user_id and not organises(check, user)):
        raise NotAllowed("Only the player and the organiser can view a deck.")
    return row


def pile(check: DeckCheck, show: str = "", after: int = 0) -> QuerySet[CheckedDeck]:
    """The decks of a check by number, those after one; ``show`` is illegal, legal or waiting."""
    wanted = {
        "illegal": Q(legal=False),
        "legal": Q(legal=True),
        "waiting": Q(judged_at=None),
    }
    rows = CheckedDeck.objects.filter(check_of=check, number__gt=after).select_related("user")
    return (rows.filter(wanted[show]) if show in wanted else rows).order_by("number")


def illegal_batches(check: DeckCheck, size: int) -> list[tuple[int, int, int]]:
    """Decks that are not legal in batches of a size: from the first to the last by order, and the
    number of the deck before the batch. Up to ``MAX_BATCHES``."""
    numbers = list(pile(check, "illegal").values_list("number", flat=True)[: size * MAX_BATCHES])
    return [
        (start + 1, min(start + size, len(numbers)), numbers[start] - 1)
        for start in range(0, len(numbers), size)
    ]


def whole_pile(check: DeckCheck) -> Iterator[CheckedDeck]:
    """All decks of a check by number; between two pages nothing is open in the database."""
    page = list(pile(check)[:BATCH_SIZE])
    yield from page
    while len(page) == BATCH_SIZE:
        page = list(pile(check, after=page[-1].number)[:BATCH_SIZE])
        yield from page


@dataclass(frozen=True, slots=True)
class Tally:
    """How many decks of a check are legal, illegal, and not judged yet."""

    legal: int
    illegal: int
    waiting: int

    @property
    @Doc()
    def total(self) -> int:
        return self.legal + self.illegal + self.waiting


def tally(check: DeckCheck) -> Tally:
    """The counts, in one query."""
    counts = CheckedDeck.objects.filter(check_of=check).aggregate(
        good=Count("pk", filter=Q(legal=True)),
        bad=Count("pk", filter=Q(legal=False)),
        waiting=Count("pk", filter=Q(judged_at=None)),
    )
    return Tally(counts["good"], counts["bad"], counts["waiting"])


def mine_in(check: DeckCheck, user: User | AnonymousUser) -> CheckedDeck | None:
    """The deck that somebody has handed in here."""
    if not user.is_authenticated:
        return None
    return CheckedDeck.objects.filter(check_of=check, user=user).first()


def suitable_decks(check: DeckCheck, user: User | AnonymousUser) -> list[Deck]:
    """Decks of somebody's that were built for the check's mode, the last changed first."""
    if not user.is_authenticated:
        return []
    return list(Deck.objects.filter(owner=user, game=check.game, mode=check.mode)[:200])


def problems(row: CheckedDeck) -> list[dict[str, Any]]:
    """The problems of a judged deck: first what makes it illegal, then the notices."""
    listed: list[dict[str, Any]] = row.report["problems"] if row.report else []
    return sorted(listed, key=lambda problem: problem["severity"] != "error")


def errors(row: CheckedDeck) -> list[dict[str, Any]]:
    """The problems of a judged deck that make it illegal."""
    return [problem for problem in problems(row) if problem["severity"] == "error"]


def notices(row: CheckedDeck) -> list[dict[str, Any]]:
    """Notices for judges about a deck; they make no deck illegal."""
    return [problem for problem in problems(row) if problem["severity"] == "warning"]


def list_by_kind(row: CheckedDeck, game: str) -> list[tuple[str, list[tuple[str, list[Any]]]]]:
    """A deck's cards for reading: section, then kind, then ``(count, title)`` in catalog order."""
    catalog = rules.game(game).catalog
    order = {slug: number for number, slug in enumerate(catalog)}
    parts = []
    for section, cards in row.cards.items():
        kinds: dict[str, list[Any]] = {}
        for slug in sorted(cards, key=lambda slug: (order.get(slug, len(order)), slug)):
            card = catalog.get(slug)
            kind, title = (card.kind, card.title) if card else ("unknown", slug)
            kinds.setdefault(kind, []).append((cards[slug], title))
        if kinds:
            parts.append((section, list(kinds.items())))
    return parts


def split_lists(text: str) -> Iterator[tuple[str, str, str]]:
    """Player, deck name and list of each deck in one text.

    A line ``== Mira: Wildfire`` begins a deck; what stands before the first is nobody's and left
    out if it is empty.
    """
    player, name, lines = "", "", []
    for line in [*text.splitlines(), "== end"]:
        # Shorter than any name may be, and without runs of blanks: the pattern tries each of them.
        match = _PLAYER.match(" ".join(line[:MAX_HEADING].split()))
        if match is None:
            lines.append(line)
            continue
        if player or any(words.strip() for words in lines):
            yield player, name, "\n".join(lines).strip("\n")
        player, name, lines = match["player"], match["name"] or "", []


# Checks as the API tells them


@component("DeckCheck")
@dataclass(frozen=True, slots=True)
class CheckShown:
    """A pile of decks for one event."""

    slug: str
    title: str
    organiser: str
    game: str
    mode: str
    format: str | None
    format_version: int | None
    held_on: date | None
    place: str
    closes_at: Annotated[datetime | None, Doc("No submissions after this.")]
    open: Annotated[bool, Doc("Players can submit and replace decks until registration closes.")]
    state: Annotated[str, Doc(choices=CheckState.choices)]
    done: int
    total: int
    locked_at: datetime | None
    created: datetime


@dataclass(frozen=True, slots=True)
class Submission:
    """A deck on the pile."""

    number: Annotated[int, Doc("Order of submission, from 1.")]
    player: str
    player_number: Annotated[str, Doc("The player number at the event.")]
    name: str
    deck: dict[str, Any]
    unread: Annotated[Any, Doc("Unrecognised lines.")]
    sha256: str
    legal: bool | None
    report: Annotated[
        dict[str, Any] | None,
        Doc("The result; null until checked."),
    ]
    judged_at: datetime | None
    locked_at: datetime | None


@dataclass(frozen=True, slots=True)
class OwnSubmission(Submission):
    """A deck that you submitted, and where."""

    check: CheckShown


def checks_shown(checks: Iterable[DeckCheck]) -> list[CheckShown]:
    """Checks that were read with their organisers and formats."""
    return [
        from_row(
            CheckShown,
            check,
            organiser=check.organiser.username,
            format=check.house.format.slug if check.house else None,
            format_version=check.house.number if check.house else None,
        )
        for check in checks
    ]


def check_shown(slug: str) -> CheckShown:
    """One of them; raises ``NotFound``."""
    return checks_shown([check_of(slug)])[0]


def piled_decks(rows: Iterable[CheckedDeck]) -> list[Submission]:
    """Decks of a pile."""
    return [from_row(Submission, row, deck=row.cards, sha256=row.digest) for row in rows]


def decks_handed_in(rows: Iterable[CheckedDeck]) -> list[OwnSubmission]:
    """Decks that a person handed in, with their checks."""
    return [
        from_row(
            OwnSubmission,
            row,
            deck=row.cards,
            sha256=row.digest,
            check=checks_shown([row.check_of])[0],
        )
        for row in rows
    ]
