"""The places on a ladder: who has which, and what a challenge changes. Each change is kept."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from notices.kinds import Kind
from notices.services.notices import retract
from tournaments.models import (
    LIVE_CHALLENGES,
    Challenge,
    ChallengeState,
    Entry,
    PairingSeat,
    RankChange,
    Tournament,
)
from tournaments.services import calls


def begin(locked: Tournament, playing: Sequence[Entry]) -> None:
    """Place those who begin, by their seeds."""
    _write(locked, sorted(playing, key=lambda entry: entry.seed or entry.number), None)


def join(locked: Tournament, entry: Entry) -> None:
    """Place an entry at the foot of the ladder."""
    if entry.rank is None:
        _write(locked, [*on_ladder(locked), entry], None)


def leave(locked: Tournament, entry: Entry) -> None:
    """Take an entry off the ladder; all below move up, and its challenge is void."""
    live = Challenge.objects.filter(tournament=locked, state__in=LIVE_CHALLENGES)
    for challenge in live.filter(challenger=entry) | live.filter(challenged=entry):
        end(challenge, ChallengeState.VOID)
    entry.refresh_from_db(fields=["rank"])
    if entry.rank is None:
        return
    others = [other for other in on_ladder(locked) if other.pk != entry.pk]
    RankChange.objects.create(tournament=locked, entry=entry, before=entry.rank, after=None)
    entry.rank = None
    entry.save(update_fields=["rank"])
    _write(locked, others, None)


def on_ladder(tournament: Tournament) -> list[Entry]:
    """All with a place, the first first."""
    rows = Entry.objects.filter(tournament=tournament, rank__isnull=False)
    return list(rows.order_by("rank"))


def settle(locked: Tournament) -> None:
    """End the challenges whose table was decided, and give the places that were won."""
    decided = Challenge.objects.filter(
        tournament=locked, state=ChallengeState.PLAYING, pairing__decided_at__isnull=False
    )
    for challenge in decided.order_by("pairing__decided_at", "number"):
        places = dict(
            PairingSeat.objects.filter(pairing=challenge.pairing).values_list("entry", "place")
        )
        mine, theirs = places[challenge.challenger_id], places[challenge.challenged_id]
        if mine == theirs:
            end(challenge, ChallengeState.DRAWN)
        elif (mine or 0) < (theirs or 0):
            end(challenge, ChallengeState.WON)
            take_place(locked, challenge)
        else:
            end(challenge, ChallengeState.LOST)


def end(challenge: Challenge, state: ChallengeState) -> None:
    """Write how a challenge ended."""
    if challenge.state == ChallengeState.OPEN:
        retract_request(challenge)
    challenge.state, challenge.ended_at = state, timezone.now()
    challenge.save(update_fields=["state", "ended_at"])


def retract_request(challenge: Challenge) -> None:
    """Withdraw the notice that asks for a reply."""
    key = f"{challenge.tournament.slug}:challenge:{challenge.number}:{ChallengeState.OPEN}"
    retract(Kind.TOURNAMENT, key=key)


def void_all(locked: Tournament) -> None:
    """End all challenges that are open or played: they change no place any more."""
    for challenge in Challenge.objects.filter(tournament=locked, state__in=LIVE_CHALLENGES):
        end(challenge, ChallengeState.VOID)


def take_place(locked: Tournament, challenge: Challenge) -> None:
    """Give the challenger the place of the challenged player; those between move down one.

    Where the challenger stands higher already, nothing changes.
    """
    ladder = on_ladder(locked)
    ranks = {entry.pk: number for number, entry in enumerate(ladder)}
    mine, theirs = ranks.get(challenge.challenger_id), ranks.get(challenge.challenged_id)
    if mine is None or theirs is None or mine < theirs:
        return
    ladder.insert(theirs, ladder.pop(mine))
    _write(locked, ladder, challenge)


def _write(locked: Tournament, ladder: Sequence[Entry], challenge: Challenge | None) -> None:
    """Number the entries anew, and keep what changed."""
    changed: list[Entry] = []
    rows: list[RankChange] = []
    for rank, entry in enumerate(ladder, start=1):
        if entry.rank != rank:
            rows.append(
                RankChange(
                    tournament=locked, entry=entry, before=entry.rank, after=rank,
                    challenge=challenge,
                )
            )  # fmt: skip
            entry.rank = rank
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["rank"], batch_size=500)
    RankChange.objects.bulk_create(rows, batch_size=500)
    calls.ring(locked)
