"""The people and tables of ``tests/matches`` serve here too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.sites import Embedded, Production, Site
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
from tests.support.services import CHOSEN


def _production(var: Path) -> Production:
    name = settings.DATABASES["default"]["NAME"]  # the test's, not the site's
    return Production(var, f"{CHOSEN.database_url.removesuffix('/riffle')}/{name}")


@pytest.fixture
def production(transactional_db: None, tmp_path: Path) -> Iterator[Production]:
    """A real site: granian, uvicorn, a worker, beat, PostgreSQL and a Redis of its own."""
    site = _production(tmp_path)
    try:
        site.start()
        yield site
    finally:
        site.stop()


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
