"""Archived matches: one compressed record that every reader takes for the rows it replaced."""

from __future__ import annotations

import io
import zipfile
import zlib
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import data_export
from accounts.models import User
from core.models import UnreadMatch
from matches import engine, moves, tasks
from matches.models import Match, MatchArchive, MoveRow
from matches.moves import moves_of, visible_moves
from matches.queries import export
from matches.queries.access import access_match
from matches.queries.replay import replay_state
from matches.services import repair
from matches.services.archive import archive_due, archive_match
from matches.services.play import concede
from matches.services.taking_back import take_back
from tests.matches.conftest import MakeMatch, api, asked, play_on

pytestmark = pytest.mark.django_db


def shown(match: Match, user: User) -> dict[str, Any]:
    """A match as readers get it: export, record, download, verification, replay, log, result."""
    match = access_match(user, match.slug)
    download = zipfile.ZipFile(io.BytesIO(b"".join(data_export.archive(user))))
    client = api(user)
    address = f"/api/matches/{match.slug}/"
    plies = sorted({0, match.ply // 2, match.ply})
    return {
        "export": list(export.lines(export.exported(user, mine=True))),
        "record": client.get(f"{address}record/").content,
        "download": download.read("matches.json"),
        "difference": repair.first_difference(match),
        "replay": [
            (str(state.view), state.lines, state.row)
            for seat in (None, 0)
            for ply in plies
            for state in (replay_state(match, ply=ply, seat=seat, recent=60),)
        ],
        "table": client.get(address).content,
        "events": client.get(f"{address}events/").content,
        "state": engine.snapshot(engine.load(match)),
    }


def check_archive(match: Match, user: User) -> None:
    """Archive a finished match; every reader gets the bytes that it got before."""
    before = shown(match, user)
    assert before["difference"] is None
    assert archive_match(match_id=match.pk) and not archive_match(match_id=match.pk)
    assert not MoveRow.objects.filter(match=match).exists()
    row = Match.objects.get(pk=match.pk)
    assert row.state is None and row.opening_events == []
    assert shown(match, user) == before
    record = MatchArchive.objects.get(match=match).record
    assert len(bytes(record)) < 1_200 + 24 * match.ply


def test_takebacks_and_a_concession_stay_in_the_archive(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    match = play_on(make_match(), 4)
    while True:
        user, _ = asked(match)
        play_on(match, 1)
        seat = MoveRow.objects.filter(match=match).latest("ply").seat
        if engine.load(match).can_undo(seat):
            break
    take_back(slug=match.slug, user=user)
    receipt = concede(slug=match.slug, user=bob)
    match.refresh_from_db()
    check_archive(match, ann)
    assert concede(slug=match.slug, user=bob).ply == receipt.ply, "a repeated request"


def test_only_matches_that_ended_long_ago_are_archived(finished: Match, ann: User) -> None:
    now = timezone.now()
    UnreadMatch.objects.all().delete()
    assert archive_due() == (0, None)
    Match.objects.filter(pk=finished.pk).update(finished_at=now - timedelta(days=31))
    tasks.archive_matches()
    finished.refresh_from_db()
    assert finished.archived and archive_due() == (0, None)


def test_a_match_that_a_subscriber_has_not_read_waits(finished: Match) -> None:
    assert UnreadMatch.objects.exists()
    assert archive_due(before=timezone.now()) == (0, None)


def test_a_match_with_a_missing_move_stays_as_it_is(finished: Match) -> None:
    UnreadMatch.objects.all().delete()
    MoveRow.objects.filter(match=finished, ply=2).delete()
    assert archive_due(before=timezone.now()) == (0, None)
    # It keeps no other from its turn.
    assert archive_due(before=timezone.now(), limit=1) == (0, finished.pk)
    assert archive_due(before=timezone.now(), after=finished.pk, limit=1) == (0, None)
    finished.refresh_from_db()
    assert finished.state is not None and not MatchArchive.objects.exists()


def test_a_reader_that_read_the_match_before_it_was_archived(finished: Match, ann: User) -> None:
    match = access_match(ann, finished.slug)
    moves = [row.notation for row in moves_of(match)]
    archive_match(match_id=match.pk)
    assert [row.notation for row in moves_of(match)] == moves
    assert len(visible_moves(match, 1, 0, 1000)) == match.visible_ply(None)


def test_records_go_on_from_a_sample_that_never_changes(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archives of another sample could not be read; with another liblzma they stand alone."""
    assert zlib.adler32(moves._COMPRESSED) == 2735930377
    rows = moves_of(finished)
    after_sample = len(moves.pack(finished, rows).record)
    with monkeypatch.context() as patch:
        patch.setattr(moves, "_BEGINNING", b"another")
        alone = moves.pack(finished, rows)
        assert alone.format == moves.ALONE
        check_archive(finished, ann)
    assert after_sample < 0.7 * len(alone.record)


def test_the_command(finished: Match) -> None:
    UnreadMatch.objects.all().delete()
    out = StringIO()
    call_command("archive_matches", days=0, stdout=out)
    call_command("archive_matches", days=0, stdout=out)
    assert out.getvalue().splitlines() == ["1 match archived.", "0 matches archived."]
    with pytest.raises(CommandError):
        call_command("archive_matches", days=-1)
