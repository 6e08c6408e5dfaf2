"""Deck checks before a tournament: handed in, judged by a worker, locked.

A deck in a check is a copy: what its player builds on later does not matter. Judging goes on in
parts, and a worker that dies leaves decks unjudged, which the next one finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

import rules
from accounts.errors import MembersOnly
from accounts.models import User
from accounts.queries.people import person
from collection.errors import TooLate, TooMany, Unacceptable
from collection.services import fair_queue
from core.background import after_commit, enqueue
from core.errors import NotAllowed
from decks.errors import BadDeck
from decks.models import (
    CardPool,
    CheckedDeck,
    CheckNote,
    CheckState,
    Deck,
    DeckCheck,
    FormatVersion,
    NoteKind,
)
from decks.models.checks import nameless_player
from decks.queries import checks as queries
from decks.queries import decks as deck_queries
from decks.queries import formats, pools, verdicts
from decks.queries.versions import compare
from decks.services.decks import MAX_LIST_LENGTH, create_deck, find_mode, read_typed, sections_of
from notices.kinds import Kind
from notices.services.notices import notify, retract
from rules.engine.errors import RulesError
from rules.engine.legality import Decklist, deck_digest, report_to_json

CHECKS_A_PERSON = 200
DECKS_A_CHECK = 10_000
BATCH_SIZE = 200
TITLE_LENGTH = 120
NUMBER_LENGTH = 20
REASON_LENGTH = 200
NOTE_LENGTH = 500
NOTICE_LENGTH = 300
JUDGES_A_CHECK = 20
NAME_LENGTH = 80
DEAD_AFTER = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Entry:
    """A deck that an organiser brings: whose it is, what it is called, and its list as text."""

    player: str
    name: str
    text: str


@transaction.atomic
def create_check(
    *,
    organiser: User,
    title: str,
    game: str,
    mode: str,
    house: FormatVersion | None = None,
    pooled: bool = False,
) -> DeckCheck:
    """Announce a check for a mode, under a format; ``pooled``: for decks out of players' pools.

    Without one it is the mode's default format, or the game's own rules if it has none.
    Raises ``BadDeck`` for a mode without decks, ``MembersOnly``, ``TooMany``, ``Unacceptable``.
    """
    if organiser.is_guest:
        raise MembersOnly("Deck checks need an account. Sign up: you keep everything.")
    find_mode(game, mode)
    tidy = " ".join(title.split())
    if not tidy or len(tidy) > TITLE_LENGTH:
        raise Unacceptable(f"A title has 1 to {TITLE_LENGTH} characters.")
    if house is not None and (house.format.game, house.format.mode) != (game, mode):
        raise Unacceptable(f"{house.format.name} is a format of another mode.")
    if house is not None and house.format.retired:
        raise Unacceptable(f"{house.format.name} is retired. Choose another format.")
    User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
    if DeckCheck.objects.filter(organiser=organiser).count() >= CHECKS_A_PERSON:
        raise TooMany(f"You already have {CHECKS_A_PERSON} deck checks (limit: {CHECKS_A_PERSON}).")
    return DeckCheck.objects.create(
        organiser=organiser,
        title=tidy,
        game=game,
        mode=mode,
        house=house or (None if pooled else formats.default_of(game, mode)),
        pooled=pooled,
    )


@transaction.atomic
def add_decks(*, check: DeckCheck, by: User, entries: Sequence[Entry]) -> int:
    """Put many lists on the pile; gives how many. A worker reads and judges them.

    Lines that name no card are kept and make a deck illegal. Raises ``NotAllowed``, ``TooLate``
    when it is locked, ``TooMany`` and ``Unacceptable``, which names the list that is too long.
    """
    locked = _locked(check, by)
    if not entries:
        raise Unacceptable("No deck found in this.")
    first = _next_number(locked)
    if first - 1 + len(entries) > DECKS_A_CHECK:
        raise TooMany(f"A deck check can have up to {DECKS_A_CHECK:,} decks.")
    rows = [_row(locked, number, entry) for number, entry in enumerate(entries, start=first)]
    CheckedDeck.objects.bulk_create(rows, batch_size=500)
    _ask_for_judging(locked)
    return len(rows)


@transaction.atomic
def hand_in(
    *, check: DeckCheck, user: User, deck: Deck, player_number: str | None = None
) -> CheckedDeck:
    """A player registers a deck of their own; handing in again takes the place of the earlier one.

    Raises ``MembersOnly``, ``NotAllowed`` for somebody else's deck, ``TooLate`` once registration
    has closed, ``Unacceptable`` for a deck of another mode and, with their names, for cards outside
    the player's pool.
    """
    if user.is_guest:
        raise MembersOnly("Registration needs an account. Sign up: you keep your decks.")
    if deck.owner_id != user.pk:
        raise NotAllowed("You can only submit your own decks.")
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    if not locked.takes_decks:
        raise TooLate("Registration has closed.")
    if (deck.game, deck.mode) != (locked.game, locked.mode):
        raise Unacceptable("This deck is for another mode.")
    cards = deck_queries.decklist(deck)
    pool = _pool(locked, user, cards)
    mine = CheckedDeck.objects.filter(check_of=locked, user=user).first()
    row = mine or CheckedDeck(check_of=locked, user=user, number=_next_number(locked))
    row.player, row.name, row.deck = str(user)[:NAME_LENGTH], deck.name, deck
    row.pool = pool
    if player_number is not None:
        row.player_number = " ".join(player_number.split())[:NUMBER_LENGTH]
    row.typed, row.cards, row.unread = "", cards, []
    row.digest = deck_digest(locked.game, locked.mode, cards)
    row.report, row.legal, row.judged_at, row.changed = None, None, None, timezone.now()
    row.save()
    retract(Kind.DECK_CHECK, key=locked.slug, people=[user.pk])
    _ask_for_judging(locked)
    return row


def _pool(check: DeckCheck, user: User, cards: Decklist) -> CardPool | None:
    """The player's pool where decks are built from pools; raises ``Unacceptable``."""
    if not check.pooled:
        return None
    pool = pools.pool_in(check, user)
    if pool is None:
        raise Unacceptable("Decks are built from a pool, and yours is not complete yet.")
    surplus = verdicts.outside(pool.cards, cards)
    if surplus:
        names = pools.outside_in_words(check.game, surplus)
        raise Unacceptable(f"Not in your pool: {names}. Take these cards out of the deck.")
    return pool


@transaction.atomic
def hand_in_built(
    *, check: DeckCheck, pool: CardPool, player: str, name: str, cards: Decklist
) -> CheckedDeck:
    """Register a bot's deck out of its pool; a second time returns the first one.

    Raises ``TooLate`` once registration has closed.
    """
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    before = CheckedDeck.objects.filter(check_of=locked, pool=pool).first()
    if before is not None:
        return before
    if locked.locked_at is not None:
        raise TooLate("Registration has closed.")
    row = CheckedDeck.objects.create(
        check_of=locked,
        number=_next_number(locked),
        player=player[:NAME_LENGTH],
        pool=pool,
        name=name[:NAME_LENGTH],
        cards={section: dict(counts) for section, counts in cards.items()},
        digest=deck_digest(locked.game, locked.mode, cards),
    )
    _ask_for_judging(locked)
    return row


@transaction.atomic
def hand_in_late(*, check: DeckCheck, user: User, deck: Deck) -> CheckedDeck:
    """Register a deck where the lists are locked already: it is judged and locked at once.

    For an event that takes late entries. Whoever has a list in the check keeps it as it is. Raises
    ``MembersOnly``, ``NotAllowed`` for somebody else's deck, and ``Unacceptable`` for a deck that
    is not legal or of another mode.
    """
    if user.is_guest:
        raise MembersOnly("Registration needs an account. Sign up: your decks stay yours.")
    if deck.owner_id != user.pk:
        raise NotAllowed("Submit a deck of your own.")
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    earlier = CheckedDeck.objects.filter(check_of=locked, user=user).first()
    if earlier is not None and earlier.locked_at is not None:
        return earlier
    if (deck.game, deck.mode) != (locked.game, locked.mode):
        raise Unacceptable("This deck was built for another mode.")
    now = timezone.now()
    row = earlier or CheckedDeck(check_of=locked, user=user, number=_next_number(locked))
    row.player, row.name, row.deck = str(user)[:NAME_LENGTH], deck.name, deck
    row.typed, row.unread, row.cards = "", [], deck_queries.decklist(deck)
    row.digest = deck_digest(locked.game, locked.mode, row.cards)
    row.report = _report(locked, row, formats.rules_format(_house(locked)))
    row.legal, row.judged_at, row.changed, row.locked_at = row.report["legal"], now, now, now
    if not row.legal:
        problem = next(iter(queries.errors(row)), None)
        first = f" {problem['message']}" if problem else ""
        raise Unacceptable(f"“{deck.name}” is not legal here.{first}")
    row.save()
    _ask_for_judging(locked)
    return row


@transaction.atomic
def hand_in_list(
    *, check: DeckCheck, user: User, text: str, name: str = "", player_number: str | None = None
) -> CheckedDeck:
    """Register a list that a player types or pastes; it is kept as a deck of theirs, too.

    Raises as :func:`hand_in`, and ``BadDeck`` with the lines that are no cards.
    """
    if user.is_guest:
        raise MembersOnly("Registration needs an account. Sign up: you keep your decks.")
    house = check.house.format if check.house else None
    deck = create_deck(
        owner=user,
        game=check.game,
        mode=check.mode,
        name=(name.strip() or check.title)[:NAME_LENGTH],
        text=text,
        format=house.slug if house and house in formats.offered(user) else "",
    )
    return hand_in(check=check, user=user, deck=deck, player_number=player_number)


@transaction.atomic
def take_out(*, check: DeckCheck, by: User, number: int) -> bool:
    """Take a deck off the pile: its player one's own, the organiser any. False if none was there.

    Raises ``NotAllowed`` and ``TooLate``.
    """
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    row = CheckedDeck.objects.filter(check_of=locked, number=number).first()
    organises = queries.organises(locked, by)
    if not organises and (row is None or row.user_id != by.pk):
        raise NotAllowed("Only the player or the organiser can withdraw a deck.")
    if locked.locked_at is not None or (not organises and not locked.takes_decks):
        raise TooLate("Registration has closed.")
    if row is None:
        return False
    row.delete()
    if row.user_id is not None:
        retract(Kind.DECK_CHECK, key=locked.slug, people=[row.user_id])
    _ask_for_judging(locked)
    return True


@transaction.atomic
def set_open(*, check: DeckCheck, by: User, open: bool) -> DeckCheck:
    """Let players hand in decks, or no longer. Raises ``NotAllowed``, ``TooLate`` and, for decks
    out of pools, ``Unacceptable``."""
    locked = _locked(check, by)
    if not open:
        _leave_to_event(locked)
    if locked.open != open:
        locked.open, locked.closed_at = open, None if open else timezone.now()
        locked.save(update_fields=["open", "closed_at"])
    return locked


@transaction.atomic
def lock_check(
    *, check: DeckCheck, by: User, as_shown: bool = False, at_start: bool = False
) -> DeckCheck:
    """Close registration: no list changes until they are unlocked. Again changes nothing.

    The format is taken as of the moment registration closed, which is now if it is open; if decks
    were checked by another version, all are checked again. With ``as_shown`` this is refused where
    results are missing or by another version, so that players hear of theirs before. Decks out of
    pools are locked ``at_start`` of their event alone. Raises ``NotAllowed``, ``TooLate`` and
    ``Unacceptable``.
    """
    _must_organise(check, by)
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    if locked.locked_at is not None:
        return locked
    if not at_start:
        _leave_to_event(locked)
    decks = CheckedDeck.objects.filter(check_of=locked)
    if not decks.exists():
        raise Unacceptable("No decks to lock yet.")
    if decks.filter(digest="").exists():
        raise TooLate("Some decklists are still being read. Try again in a moment.")
    if as_shown:
        _must_be_checked(locked)
    _follow_format(locked)
    now = timezone.now()
    if locked.open:
        locked.closed_at = now
    locked.open, locked.locked_at = False, now
    locked.save(update_fields=["open", "closed_at", "locked_at"])
    decks.update(locked_at=now)
    _ask_for_judging(locked)
    return locked


@transaction.atomic
def unlock_check(*, check: DeckCheck, by: User, why: str) -> DeckCheck:
    """Let lists change again, for a reason that is noted and that their players are told.

    Registration stays closed. Where nothing is locked nothing changes. Raises ``NotAllowed`` and
    ``Unacceptable`` without a reason.
    """
    _must_organise(check, by)
    reason = " ".join(why.split())
    if not reason or len(reason) > REASON_LENGTH:
        raise Unacceptable(
            f"Give a reason of 1 to {REASON_LENGTH} characters; players will see it."
        )
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    if locked.locked_at is None:
        return locked
    CheckNote.objects.create(check_of=locked, by=by, kind=NoteKind.UNLOCKED, text=reason)
    CheckedDeck.objects.filter(check_of=locked).update(locked_at=None)
    locked.locked_at = None
    locked.save(update_fields=["locked_at"])
    people = CheckedDeck.objects.filter(check_of=locked, user__isnull=False)
    notify(
        people.values_list("user", flat=True),
        Kind.DECK_CHECK,
        text=f"The decklists for {locked.title} were unlocked: {reason}",
        link=locked.get_absolute_url(),
        key=locked.slug,
    )
    return locked


@transaction.atomic
def mend_list(
    *,
    check: DeckCheck,
    by: User,
    number: int,
    text: str,
    why: str = "",
    expected: str | None = None,
) -> CheckedDeck:
    """Give a deck of the pile another list, for a slip of its player's pen.

    What changed is noted, and its player told. ``expected`` is the hash of the list that the judge
    saw. Raises ``NotAllowed``, ``TooLate`` once the lists are locked or where this one is another
    now, ``NotFound`` and ``Unacceptable``.
    """
    locked = _locked(check, by)
    row = queries.checked_deck(locked, number)
    if expected is not None and expected != row.digest:
        raise TooLate(
            "This list was changed after you opened it. Review it; your text is below. Save again "
            "to keep it."
        )
    if len(text) > MAX_LIST_LENGTH:
        raise Unacceptable(f"The list has {len(text):,} characters (limit: {MAX_LIST_LENGTH:,}).")
    before = _everything(locked, row)
    row.typed, row.cards, row.unread, row.digest = text, {}, [], ""
    _read(locked, row)
    changes = _difference(locked, before, _everything(locked, row))
    if not changes:
        raise Unacceptable("The list is unchanged.")
    row.report, row.legal, row.judged_at, row.changed = None, None, None, timezone.now()
    row.save()
    reason = " ".join(why.split())[:REASON_LENGTH]
    note = CheckNote.objects.create(
        check_of=locked,
        number=number,
        by=by,
        kind=NoteKind.MENDED,
        text=_because("", changes, reason, NOTE_LENGTH),
    )
    if row.user_id is not None:
        begin = f"{by} corrected your decklist for {locked.title}: "
        notify(
            [row.user_id],
            Kind.DECK_CHECK,
            text=_because(begin, changes, reason, NOTICE_LENGTH),
            link=reverse("decks:checked_deck", args=(locked.slug, number)),
            key=f"{locked.slug}:{note.pk}",
        )
    _ask_for_judging(locked)
    return row


def _because(begin: str, changes: str, reason: str, characters: int) -> str:
    """Join changes and their reason; long lists of changes are cut, so that the reason fits."""
    end = f". {reason}" if reason else ""
    room = max(20, characters - len(begin) - len(end))
    return f"{begin}{Truncator(changes).chars(room)}{end}"[:characters]


def _everything(check: DeckCheck, row: CheckedDeck) -> dict[str, dict[str, int]]:
    """A deck's list, unread lines among the entries as they were typed."""
    if row.typed:
        with suppress(BadDeck):  # it is none at all: a single unread line says why
            return read_typed(check.game, check.mode, row.typed).everything
    return _with_unread(check, row)


def _with_unread(check: DeckCheck, row: CheckedDeck) -> dict[str, dict[str, int]]:
    cards = {section: dict(counts) for section, counts in row.cards.items()}
    for line in row.unread:
        counts = cards.setdefault(sections_of(check.game, check.mode)[0], {})
        counts[line["text"]] = counts.get(line["text"], 0) + 1
    return cards


def _difference(check: DeckCheck, before: Decklist, after: Decklist) -> str:
    """Describe the cards taken out and put in."""
    catalog = rules.game(check.game).catalog
    return ", ".join(
        f"{change.by:+d} ".replace("-", "\N{MINUS SIGN}")
        + (catalog[change.card].title if change.card in catalog else change.card)
        + (f" ({change.section})" if len(sections_of(check.game, check.mode)) > 1 else "")
        for change in compare(before, after)
    )


@transaction.atomic
def describe_check(
    *,
    check: DeckCheck,
    by: User,
    held_on: date | None,
    place: str,
    closes_at: datetime | None,
    judges: Sequence[str] | None = None,
) -> DeckCheck:
    """Say when and where the event is, until when decks are handed in, and who judges, too.

    ``judges`` are usernames; only the organiser names them. Raises ``NotAllowed``,
    ``UnknownPerson`` and ``Unacceptable``.
    """
    _must_organise(check, by)
    row = DeckCheck.objects.select_for_update().get(pk=check.pk)
    words = " ".join(place.split())
    if len(words) > TITLE_LENGTH:
        raise Unacceptable(f"A place can have up to {TITLE_LENGTH} characters.")
    if closes_at is not None:
        _leave_to_event(row)
    row.held_on, row.place, row.closes_at = held_on, words, closes_at
    row.save(update_fields=["held_on", "place", "closes_at"])
    if judges is not None:
        if row.organiser_id != by.pk:
            raise NotAllowed("Only the organiser can name judges.")
        if len(judges) > JUDGES_A_CHECK:
            raise Unacceptable(f"Up to {JUDGES_A_CHECK} judges.")
        row.judges.set(judge for judge in map(person, judges) if judge.pk != row.organiser_id)
    return row


def _leave_to_event(check: DeckCheck) -> None:
    """Raise ``Unacceptable`` for a check of decks out of pools: players build until the start."""
    if check.pooled:
        raise Unacceptable(
            "Players build these decks until the tournament starts. They are locked then."
        )


def _must_be_checked(check: DeckCheck) -> None:
    """Raise ``TooLate`` unless all decks are checked by the version that they are locked with."""
    version = queries.version_to_lock(check)
    if version != check.house:
        raise TooLate(f"{version} is in force. Recheck all decks first.")
    if CheckedDeck.objects.filter(check_of=check, judged_at=None).exists():
        raise TooLate("Some decklists are not checked yet. Try again in a moment.")


def follow_formats() -> int:
    """Have decks checked again whose format has a newer version in force; gives how many checks."""
    behind = queries.checks_behind()
    for pk in behind:
        with transaction.atomic():
            _ask_for_judging(DeckCheck.objects.select_for_update().get(pk=pk))
    return len(behind)


def _follow_format(check: DeckCheck) -> None:
    """Take the version that lists are locked with; decks checked by another are checked again.

    The row has to be locked.
    """
    version = queries.version_to_lock(check)
    if version is None or version == check.house:
        return
    check.house = version
    check.save(update_fields=["house"])
    if CheckedDeck.objects.filter(check_of=check).update(report=None, legal=None, judged_at=None):
        CheckNote.objects.create(
            check_of=check,
            kind=NoteKind.FORMAT,
            text=f"{version} is in force. All decks are checked by it.",
        )


@transaction.atomic
def judge_again(*, check: DeckCheck, by: User) -> None:
    """Judge all decks anew, by the rules as they are now."""
    _must_organise(check, by)
    locked = DeckCheck.objects.select_for_update().get(pk=check.pk)
    CheckedDeck.objects.filter(check_of=locked).update(report=None, legal=None, judged_at=None)
    _ask_for_judging(locked)


def judge_check(*, check_id: int, in_turn: bool = False) -> int:
    """A worker's part: judge what is not judged yet; gives how many. Again does the rest.

    ``in_turn`` leaves it alone while a worker has something else of the same organiser.
    """
    check = _claim(check_id, in_turn=in_turn)
    if check is None:
        return 0
    try:
        return _judge(check)
    finally:
        _wake(check.organiser_id)


def _judge(check: DeckCheck) -> int:
    judged = 0
    while part := list(_unjudged(check)[:BATCH_SIZE]):
        judged += _judge_part(check, part)
        if not _touch(check):
            return judged
    _finish(check)
    return judged


def stalled_checks() -> list[int]:
    """Keys of checks that wait for a worker, or whose worker has died."""
    silent = timezone.now() - DEAD_AFTER
    states = (CheckState.WAITING, CheckState.WORKING)
    stalled = DeckCheck.objects.filter(state__in=states, touched_at__lt=silent)
    return list(stalled.values_list("pk", flat=True))


def _row(check: DeckCheck, number: int, entry: Entry) -> CheckedDeck:
    player = " ".join(entry.player.split())[:NAME_LENGTH] or nameless_player(number)
    if len(entry.text) > MAX_LIST_LENGTH:
        raise Unacceptable(
            f"{player}: the list has {len(entry.text):,} characters (limit: {MAX_LIST_LENGTH:,})."
        )
    return CheckedDeck(
        check_of=check,
        number=number,
        player=player,
        name=" ".join(entry.name.split())[:NAME_LENGTH] or "Deck",
        typed=entry.text,
    )


def _judge_part(check: DeckCheck, part: list[CheckedDeck]) -> int:
    """Judge some decks and keep the verdicts that still count; gives how many do."""
    version = _house(check)
    taken = formats.rules_format(version)
    now = timezone.now()
    for row in part:
        if not row.digest:
            _read(check, row)
        row.report = _report(check, row, taken)
        row.legal, row.judged_at = row.report["legal"], now
    with transaction.atomic():
        held = DeckCheck.objects.select_for_update().filter(pk=check.pk, house=version).first()
        if held is None:
            return 0  # meanwhile the lists were locked, and by a newer version of the format
        keys = [row.pk for row in part]
        waiting = CheckedDeck.objects.select_for_update().filter(pk__in=keys, judged_at=None)
        changed = dict(waiting.values_list("pk", "changed"))
        # A list that was handed in anew meanwhile is not judged by the old one's verdict.
        same = [row for row in part if changed.get(row.pk) == row.changed]
        verdict = ["report", "legal", "judged_at"]
        fields = verdict if held.locked_at else [*verdict, "cards", "unread", "digest"]
        CheckedDeck.objects.bulk_update(same, fields)
        for row in same:
            _tell_verdict(check, row, version)
    return len(same)


def _tell_verdict(check: DeckCheck, row: CheckedDeck, version: FormatVersion | None) -> None:
    """Tell whoever handed the deck in; to be called in the transaction of the verdict."""
    if row.user_id is None:
        return
    verdict = "is legal" if row.legal else "is not legal"
    about = f"Your deck “{row.name}” {verdict} for {check.title}"
    if version:
        about += f" ({version})"
    notify(
        [row.user_id],
        Kind.DECK_CHECK,
        # A title may be “Cup 27.11.”, with its own full stop.
        text=Truncator(about if about.endswith(".") else f"{about}.").chars(NOTICE_LENGTH),
        link=check.get_absolute_url(),
        key=check.slug,
    )


def _house(check: DeckCheck) -> FormatVersion | None:
    """Return the format to judge by now: locking the lists may have changed it since work began."""
    versions = FormatVersion.objects.select_related("format").filter(deck_checks=check.pk)
    return versions.first()


def _read(check: DeckCheck, row: CheckedDeck) -> None:
    """Make cards of a typed list; one that is none at all is kept as a single unread line."""
    try:
        reading = read_typed(check.game, check.mode, row.typed)
    except BadDeck as error:
        row.unread = [{"line": 1, "text": str(error)}]
        row.digest = deck_digest(check.game, check.mode, {})
        return
    row.cards = {section: dict(cards) for section, cards in reading.cards.items()}
    row.unread = [{"line": line.number, "text": line.name} for line in reading.unread]
    row.digest = deck_digest(check.game, check.mode, reading.everything)


def _report(check: DeckCheck, row: CheckedDeck, taken: dict[str, Any] | None) -> dict[str, Any]:
    """The verdict as plain data, unread lines among the entries as they were typed."""
    if check.pooled:
        # Without a pool, as in a list that an organiser typed, every card is outside of it.
        format, cards = (row.pool.format, row.pool.cards) if row.pool else ({}, {})
        ruling: verdicts.Ruling = verdicts.pool_ruling(
            check.game, check.mode, format, cards, row.name
        )
    else:
        ruling = verdicts.ruling(check.game, check.mode, taken, name=row.name, player=row.user)
    try:
        report = ruling.report(_with_unread(check, row))
    except RulesError as error:
        return {"legal": False, "problems": [], "broken": str(error)}
    return report_to_json(report)


@transaction.atomic
def _claim(check_id: int, *, in_turn: bool = False) -> DeckCheck | None:
    """Take the work if nobody has it."""
    if in_turn and not fair_queue.may_start(DeckCheck, check_id):
        return None
    now = timezone.now()
    free = Q(state=CheckState.WAITING) | Q(
        state=CheckState.WORKING, touched_at__lt=now - DEAD_AFTER
    )
    if not DeckCheck.objects.filter(free, pk=check_id).update(
        state=CheckState.WORKING, touched_at=now
    ):
        return None
    return DeckCheck.objects.get(pk=check_id)


def _unjudged(check: DeckCheck) -> QuerySet[CheckedDeck]:
    rows = CheckedDeck.objects.filter(check_of=check, judged_at=None)
    return rows.select_related("user", "pool").order_by("number")


def _touch(check: DeckCheck) -> bool:
    """Say how far it has come; False when somebody else has taken over."""
    done = CheckedDeck.objects.filter(check_of=check, judged_at__isnull=False).count()
    mine = DeckCheck.objects.filter(pk=check.pk, state=CheckState.WORKING)
    return bool(mine.update(done=done, touched_at=timezone.now()))


def _finish(check: DeckCheck) -> None:
    """Nothing is left, unless something came at this very moment: then the next task finds it, of
    which a worker is told once this one is over."""
    mine = DeckCheck.objects.filter(pk=check.pk, state=CheckState.WORKING)
    mine.update(state=CheckState.IDLE, touched_at=timezone.now())
    if CheckedDeck.objects.filter(check_of=check, judged_at=None).exists():
        DeckCheck.objects.filter(pk=check.pk, state=CheckState.IDLE).update(
            state=CheckState.WAITING
        )


def _ask_for_judging(check: DeckCheck) -> None:
    _follow_format(check)
    decks = CheckedDeck.objects.filter(check_of=check)
    check.total = decks.count()
    check.done = decks.filter(judged_at__isnull=False).count()
    if check.done < check.total and check.state == CheckState.IDLE:
        check.state = CheckState.WAITING
    check.touched_at = timezone.now()
    check.save(update_fields=["total", "done", "state", "touched_at"])
    after_commit(_wake, check.organiser_id)


def _wake(owner_id: int) -> None:
    """Have a worker told when it is this person's turn; where that fails, the sweep finds it."""
    fair_queue.send_next(owner_id)


def _send(check_id: int) -> None:
    enqueue("decks.tasks.judge_check", check_id)


def _next_number(check: DeckCheck) -> int:
    """One that is new in what was noted, too: nobody reads what was mended in another's list."""
    numbers = [
        rows.filter(check_of=check).aggregate(last=Max("number"))["last"] or 0
        for rows in (CheckedDeck.objects, CheckNote.objects)
    ]
    return max(numbers) + 1


def _locked(check: DeckCheck, by: User) -> DeckCheck:
    """The row, locked against others, its lists not yet; raises ``NotAllowed`` and ``TooLate``."""
    _must_organise(check, by)
    row = DeckCheck.objects.select_for_update().get(pk=check.pk)
    if row.locked_at is not None:
        raise TooLate("The decklists are locked and can’t be changed.")
    return row


def _must_organise(check: DeckCheck, by: User) -> None:
    if not queries.organises(check, by):
        raise NotAllowed("Only the organiser and judges can do this.")


fair_queue.register(
    fair_queue.Kind(
        DeckCheck,
        owner="organiser_id",
        since="created",
        dead_after=DEAD_AFTER,
        send=_send,
    )
)
