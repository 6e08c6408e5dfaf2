"""The deck lab: runs are started, played by workers share by share, and cancelled.

Each share is a row: a worker claims it, plays it and writes what came of it once. A worker that is
killed loses the share that it had, which another one plays after a while; two that have the same
one write it once. When a run ends its shares are added up in its own row, and go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

import rules
from accounts.models import User
from collection.models.jobs import JobState
from core.background import after_commit, enqueue, resend_silent
from decks.errors import LabBusy, NotForLab, NotYourDeck
from decks.models import Deck, LabRun, LabShare
from decks.queries import decks as deck_queries
from decks.queries.lab import field_decks, run_of, summary_of
from decks.queries.versions import version_of
from notices.kinds import Kind as Notice
from notices.services.notices import notify
from rules import deck_lab
from rules.engine.errors import BadSetup
from rules.engine.legality import Decklist

logger = structlog.get_logger(__name__)

MIN_PAIRS, MAX_PAIRS = 5, 250
MAX_THINKING_PAIRS = 25
"""Thinkers take up to ten seconds a match."""

MAX_FIELD = 12
MAX_PER_DAY = 20
MAX_KEPT = 100
"""So many runs of a person are kept; the oldest go."""

PAIRS_A_SHARE = 4
"""Of a bot that answers at once, a version; a thinker's share is one pair of one version."""

WORKERS = 2
"""So many shares of a run are played at the same time."""

DEAD_AFTER = timedelta(seconds=120)
"""A share that was claimed so long ago is played again."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A run as its person wants it: versions by number, and the field by keys of ``field_decks``.

    Without ``other_version`` one version plays; without a ``field`` all ready-made decks do.
    """

    player: str
    pairs: int
    field: Sequence[str] = ()
    version: int | None = None
    other_version: int | None = None


@transaction.atomic
def start(*, user: User, deck: Deck, wanted: Wanted) -> LabRun:
    """Begin a run for one of a person's own decks.

    Raises ``NotYourDeck``, ``NotForLab`` for what cannot be played, ``UnknownVersion`` and
    ``LabBusy`` while another run of this person is under way, or after many a day.
    """
    if deck.owner_id != user.pk:
        raise NotYourDeck
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    options = _options(deck)
    _check_amount(deck, wanted)
    versions = _versions(deck, wanted)
    field = _field(user, deck, wanted.field)
    _require_none_under_way(user)
    run = LabRun(
        owner=user,
        deck=deck,
        mode=deck.mode,
        options=options,
        versions=versions,
        field=field,
        player=wanted.player,
        pairs=wanted.pairs,
    )
    run.field = _playable(run)
    _count_as_started(user)
    shares = _shares(run)
    run.total = len(shares)
    run.save()
    LabShare.objects.bulk_create(shares)
    _forget_oldest(user)
    after_commit(_send, run.pk)
    return run


def _options(deck: Deck) -> dict[str, Any]:
    options = deck_lab.options_with_own_decks(deck.game, deck.mode)
    if options is None:
        raise NotForLab(
            "In this mode players do not bring decks of their own, so there are none to meet."
        )
    return options


def _check_amount(deck: Deck, wanted: Wanted) -> None:
    game = rules.game(deck.game)
    if wanted.player not in game.opponents(deck.mode):
        names = ", ".join(game.opponents(deck.mode))
        raise NotForLab(f"No bot “{wanted.player[:40]}” plays this mode. Choose one of: {names}.")
    most = MAX_THINKING_PAIRS if wanted.player in game.thinkers else MAX_PAIRS
    if not MIN_PAIRS <= wanted.pairs <= most:
        raise NotForLab(f"Choose {MIN_PAIRS} to {most} pairs of matches for this bot.")


def _versions(deck: Deck, wanted: Wanted) -> list[dict[str, Any]]:
    numbers = [wanted.version or deck.version]
    if wanted.other_version is not None:
        numbers.insert(0, wanted.other_version)  # the change leads from that one to this one
    if len(set(numbers)) < len(numbers):
        raise NotForLab("Choose two different versions to compare.")
    return [{"number": number, "cards": _cards(deck, number)} for number in numbers]


def _cards(deck: Deck, number: int) -> Decklist:
    if number == deck.version:
        return deck_queries.decklist(deck)
    version = version_of(deck, number)
    if version.mode != deck.mode:
        raise NotForLab(f"Version {number} was built for another mode.")
    cards: Decklist = version.cards
    return cards


def _field(user: User, deck: Deck, keys: Sequence[str]) -> list[dict[str, Any]]:
    known = {row.key: row for row in field_decks(user, deck)}
    chosen = list(dict.fromkeys(keys)) or [key for key, row in known.items() if row.ready_made]
    unknown = [key for key in chosen if key not in known]
    if unknown:
        raise NotForLab(f"The deck “{unknown[0][:60]}” cannot be chosen for this field.")
    if not 1 <= len(chosen) <= MAX_FIELD:
        raise NotForLab(f"A field has 1 to {MAX_FIELD} decks.")
    return [
        {
            "name": known[key].deck_name,
            # By key: a name in somebody else's run would outlive the account.
            "owner": owner.pk if (owner := known[key].owner) is not None else None,
            "cards": known[key].cards(),
        }
        for key in chosen
    ]


def _playable(run: LabRun) -> list[dict[str, Any]]:
    """The decks of the field that can be played; raises ``NotForLab`` if the deck cannot."""
    trial = trial_of(run)
    kept, problem = [], ""
    for number, row in enumerate(run.field):
        try:
            for version in range(len(run.versions)):
                deck_lab.begin(trial, version, number, 0)
        except (BadSetup, ValueError, KeyError) as error:
            problem = problem or str(error)
        else:
            kept.append(row)
    if not kept:
        raise NotForLab(f"These decks cannot be played against each other. {problem}".strip())
    return kept


def _require_none_under_way(user: User) -> None:
    if LabRun.objects.filter(owner=user, state=JobState.WORKING).exists():
        raise LabBusy("Another run of yours is under way. Wait until it is done, or cancel it.")


def _count_as_started(user: User) -> None:
    # Not by rows: they go with their decks.
    started, _ = cache.count(f"lab-runs:{user.pk}", 24 * 60 * 60)  # type: ignore[attr-defined]
    if started > MAX_PER_DAY:
        raise LabBusy(f"You can start {MAX_PER_DAY} runs a day. Come back tomorrow.")


def _shares(run: LabRun) -> list[LabShare]:
    game = rules.game(run.deck.game)
    size = 1 if run.player in game.thinkers else len(run.versions) * PAIRS_A_SHARE
    work = deck_lab.units(run.pairs, len(run.versions))
    parts = [work[n : n + size] for n in range(0, len(work), size)]
    return [LabShare(run=run, number=number, units=part) for number, part in enumerate(parts)]


def _forget_oldest(user: User) -> None:
    kept = LabRun.objects.filter(owner=user).order_by("-created_at", "-pk")
    LabRun.objects.filter(pk__in=list(kept.values_list("pk", flat=True)[MAX_KEPT:])).delete()


def trial_of(run: LabRun) -> deck_lab.Trial:
    """The trial that the rules play for a run."""
    return deck_lab.Trial(
        game=run.deck.game,
        mode=run.mode,
        versions=tuple(row["cards"] for row in run.versions),
        field=tuple(row["cards"] for row in run.field),
        player=run.player,
        options=run.options,
        seed=f"deck lab {run.slug}",
    )


def play_share(*, run_id: int) -> bool:
    """Play the next free share of a run and store what came of it; True if more are to follow."""
    run = LabRun.objects.select_related("deck").filter(pk=run_id, state=JobState.WORKING).first()
    share = None if run is None else _claim(run)
    if run is None or share is None:
        return False
    trial = trial_of(run)
    open_share = LabShare.objects.filter(pk=share.pk, results__isnull=True)
    try:
        results = [deck_lab.play_pair(trial, version, number) for version, number in share.units]
    except Exception:
        logger.exception("lab_run_failed", run=run.slug)
        _end(run, JobState.FAILED, "A match of this run could not be played.")
        return False
    with transaction.atomic():
        if not _lock(run) or not open_share.update(results=results):
            return False
        LabRun.objects.filter(pk=run.pk).update(done=F("done") + 1, touched_at=timezone.now())
        if LabShare.objects.filter(run=run, results__isnull=True).exists():
            return True
        _end(run, JobState.DONE)
    return False


def _lock(run: LabRun) -> bool:
    """Lock the row of a run, before any of its shares; False if it has ended."""
    rows = LabRun.objects.select_for_update(no_key=True).filter(pk=run.pk, state=JobState.WORKING)
    return rows.values_list("pk").first() is not None


def _claim(run: LabRun) -> LabShare | None:
    """A share that no live worker has; None if there is none."""
    now = timezone.now()
    free = Q(claimed_at__isnull=True) | Q(claimed_at__lt=now - DEAD_AFTER)
    while True:
        rows = LabShare.objects.filter(free, run=run, results__isnull=True)
        share = rows.order_by("number").first()
        if share is None:
            return None
        if rows.filter(pk=share.pk).update(claimed_at=now):
            LabRun.objects.filter(pk=run.pk).update(touched_at=now)
            return share


@transaction.atomic
def _end(run: LabRun, state: JobState, problem: str = "") -> None:
    """End a run that is under way: what was played is added up, and its shares go."""
    if not _lock(run):
        return
    shares = LabShare.objects.filter(run=run, results__isnull=False)
    LabRun.objects.filter(pk=run.pk).update(
        state=state,
        problem=problem,
        results=summary_of(run, shares).to_json(),
        finished_at=timezone.now(),
    )
    LabShare.objects.filter(run=run).delete()
    if state != JobState.CANCELLED:
        ending = "Your lab run has ended" if state == JobState.DONE else "Your lab run failed"
        text, link = f"{ending}: {run.deck.name}.", run.get_absolute_url()
        notify([run.owner_id], Notice.JOB_FINISHED, text=text, link=link, key=f"lab-{run.pk}")


def end_runs(*, user: User) -> None:
    """Cancel what a person has under way; what was played stays."""
    for run in LabRun.objects.filter(owner=user, state=JobState.WORKING):
        _end(run, JobState.CANCELLED)


def cancel(*, user: User, slug: str) -> LabRun:
    """Stop a run; what was played stays. Safe to repeat. Raises ``UnknownRun``."""
    run = run_of(user, slug)
    _end(run, JobState.CANCELLED)
    run.refresh_from_db()
    return run


def restart_stalled() -> list[int]:
    """Send runs again on which no worker has worked for a while; gives their keys."""
    return resend_silent(LabRun.objects.filter(state=JobState.WORKING), DEAD_AFTER, _send)


def _send(run_id: int) -> None:
    for _ in range(WORKERS):
        enqueue("decks.tasks.play_lab", run_id)
