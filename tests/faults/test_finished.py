"""kill -9 around the end of a match: it ends once, and what follows from it comes once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.models import User
from collection.models import Pack
from collection.services.catalog import sync_catalog
from core import outbox, tasks
from core.models import MatchFinished, UnreadMatch
from matches.models import Match, MatchArchive, MoveRow, Status
from matches.services.archive import archive_match
from matches.services.play import concede
from tests.matches.conftest import begin

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import os, signal, django
django.setup()
from accounts.models import User
from core import outbox
from core.models import UnreadMatch
from matches.services import archive, play

def die(*args, **more):
    os.kill(os.getpid(), signal.SIGKILL)

"""
CONCEDE = "play.concede(slug={slug!r}, user=User.objects.get(username='ann'))"
READ = "outbox.read({unread})"


@pytest.fixture(autouse=True)
def _nothing_is_sent(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> None:
    """As while Redis is away: what was left unread is found by the sweep alone."""
    sync_catalog()
    monkeypatch.setattr(outbox, "enqueue", lambda task, *args: False)
    monkeypatch.setattr(tasks, "enqueue", lambda task, *args: task(*args))


def killed(script: str, database_url: str, tmp_path: Path) -> None:
    """A process of the site that dies where the script says."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + script],
        cwd=ROOT,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "RIFFLE_VAR": str(tmp_path),
        },
        check=False,
    )
    assert done.returncode == -signal.SIGKILL


def read_all() -> None:
    UnreadMatch.objects.update(due_at="2026-01-01T00:00Z")
    tasks.sweep()
    tasks.sweep()


@pytest.mark.parametrize(
    ("where", "ended"),
    [
        ("UnreadMatch.objects.bulk_create = die", False),
        ("outbox.after_commit = die", False),
        ("outbox._send = die", True),
    ],
    ids=["before the last row", "before the commit", "after the commit"],
)
def test_killed_as_the_match_ends(
    match: Match, ann: User, bob: User, worker_url: str, tmp_path: Path, where: str, ended: bool
) -> None:
    begin(match)  # who leaves before that ends it without packs
    killed(f"{where}\n{CONCEDE.format(slug=match.slug)}", worker_url, tmp_path)
    match.refresh_from_db()
    assert (match.status == Status.FINISHED) is ended
    unread = UnreadMatch.objects.filter(subscriber="packs")
    assert MatchFinished.objects.count() == unread.count() == ended
    concede(slug=match.slug, user=ann)  # she presses again
    assert MatchFinished.objects.get().match == match.slug
    read_all()
    assert Pack.objects.get().owner == bob


@pytest.mark.parametrize(
    "where",
    ["outbox._subscribers['packs'] = die", "UnreadMatch.delete = die"],
    ids=["before the packs", "after the packs"],
)
def test_killed_while_it_is_read(
    match: Match, ann: User, bob: User, worker_url: str, tmp_path: Path, where: str
) -> None:
    begin(match)
    concede(slug=match.slug, user=ann)
    unread = UnreadMatch.objects.get(subscriber="packs").pk
    killed(f"{where}\n{READ.format(unread=unread)}", worker_url, tmp_path)
    assert not Pack.objects.exists() and UnreadMatch.objects.filter(pk=unread).exists()
    read_all()
    assert Pack.objects.get().owner == bob
    assert not UnreadMatch.objects.exists()


@pytest.mark.parametrize("where", ["MoveRow", "Match"])
def test_killed_while_it_is_archived(
    match: Match, ann: User, worker_url: str, tmp_path: Path, where: str
) -> None:
    """Before its moves go, and when only the match itself is left to be written."""
    begin(match)
    concede(slug=match.slug, user=ann)
    die = "delete" if where == "MoveRow" else "update"
    script = f"""
from matches import models
from django.db.models.query import QuerySet
write = QuerySet.{die}
QuerySet.{die} = lambda rows, **more: die() if rows.model is models.{where} else write(rows, **more)
archive.archive_match(match_id={match.pk})
"""
    killed(script, worker_url, tmp_path)
    match.refresh_from_db()
    assert not match.archived and match.state is not None and not MatchArchive.objects.exists()
    assert MoveRow.objects.filter(match=match).count() == match.ply
    assert archive_match(match_id=match.pk) and not archive_match(match_id=match.pk)
    assert MatchArchive.objects.count() == 1 and not MoveRow.objects.exists()
