"""The people and tables of ``tests/matches`` serve here too."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.proxies import PgBouncer
from tests.faults.sites import WIDE, Embedded, Production, Site
from tests.matches.conftest import (  # noqa: F401
    _same_seeds_every_time,
    ann,
    bob,
    bot_match,
    make_match,
    match,
    stranger,
    together,
)
from tests.support.replica import PORT, Replica
from tests.support.services import CHOSEN


def _production(var: Path, replica: Replica | None) -> Production:
    name = settings.DATABASES["default"]["NAME"]  # the test's, not the site's
    if replica is None:
        return Production(var, f"{CHOSEN.database_url.removesuffix('/riffle')}/{name}")
    bouncer = PgBouncer(name, replica=PORT, connections=20)
    return Production(
        var,
        bouncer.url,
        two_redis=True,
        servers={"pgbouncer": shlex.join(bouncer.command)},
        DATABASE_POOL="0",
        DATABASE_REPLICA_URL=bouncer.replica_url,
        WEB_WORKERS="6",
        WORKER_PROCESSES="4",
    )


@pytest.fixture
def production(transactional_db: None, tmp_path: Path) -> Iterator[Production]:
    """A real site: granian, workers, beat, PostgreSQL and a Redis of its own.

    ``WIDE=1`` puts PgBouncer and a replica beside PostgreSQL, a second Redis beside the first, and
    six processes for pages and four for bots on top.
    """
    replica = Replica() if WIDE else None
    site = _production(tmp_path, replica)
    try:
        site.start()
        yield site
    finally:
        site.stop()
        if replica:
            replica.stop()


@pytest.fixture(params=[pytest.param("production", marks=pytest.mark.services), "embedded"])
def whole_site(
    request: pytest.FixtureRequest, transactional_db: None, tmp_path: Path
) -> Iterator[Site]:
    """Both kinds of site, one after the other."""
    if request.param == "production":
        yield request.getfixturevalue("production")
        return
    if not CHOSEN.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    embedded = Embedded(tmp_path)
    try:
        embedded.start()
        yield embedded
    finally:
        embedded.stop()
