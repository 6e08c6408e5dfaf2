"""The weight of a table on its way to a phone."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.static import without_comments
from matches.models import SeatKind
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable
from tests.matches.conftest import person

pytestmark = pytest.mark.django_db
LIMIT = 60 * 1024
FIRST_SCRIPTS = 18
"""So many scripts a table waits for, the site's and the game's among them: a phone asks for six at
once, and goes a slow way for each six. What can wait is in later.js."""
LOADED = re.compile(r'<(?:script src|link rel="(?:stylesheet|modulepreload)" href)="([^"]+)"')
IMPORTED = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[^"]+)"', re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')


def test_css_and_scripts_of_each_table_weigh_60_kb_at_most(client: Client) -> None:
    """Compressed as static files are when they are collected."""
    ann = person("Ann")
    client.force_login(ann)
    weights = {}
    for game, mode in playable():
        seats = [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * (mode.seats[0] - 1)]
        match = create_match(
            host=ann, setup=MatchSetup(game=game.slug, mode=mode.slug, seats=seats)
        )
        page = client.get(f"/matches/{match.slug}/").content.decode()
        assert "htmx" not in page or not re.search(r"\shx-(?!headers)", page)
        loaded = set(LOADED.findall(page))
        assert any(path.endswith("/main.js") for path in loaded)
        scripts = {path for path in loaded if path.endswith(".js")}
        assert len(scripts) <= FIRST_SCRIPTS, sorted(scripts)
        # What the first picture waits for is asked for before what it does not wait for.
        last_style = page.rindex('<link rel="stylesheet"')
        assert last_style < page.index('rel="preload"') < page.index("<script")
        # Also what comes later weighs.
        for script in (path for path in [*loaded] if path.endswith(".js")):
            for part in LATER.findall(body_of(client, script).decode()):
                loaded |= with_imports(client, str((Path(script).parent / part).resolve()))
        weights[mode.slug] = sum(len(gzip.compress(body_of(client, path), 9)) for path in loaded)
        for script in scripts:
            parts = IMPORTED.findall(body_of(client, script).decode())
            needed = {str((Path(script).parent / part).resolve()) for part in parts}
            assert needed <= loaded, f"{script} has the browser fetch them one after another"
    assert weights and max(weights.values()) <= LIMIT, weights


def with_imports(client: Client, script: str) -> set[str]:
    """A script and all that it imports."""
    names = {script}
    for part in IMPORTED.findall(body_of(client, script).decode()):
        names |= with_imports(client, str((Path(script).parent / part).resolve()))
    return names


def body_of(client: Client, address: str) -> bytes:
    if not address.startswith("/static/"):
        return client.get(address).content
    path = finders.find(address.removeprefix("/static/"))
    assert isinstance(path, str)
    read_bytes = Path(path).read_bytes()
    return without_comments(read_bytes) if path.endswith(".js") else read_bytes
