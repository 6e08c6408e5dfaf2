"""What a table weighs on its way to a phone."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.static import without_comments
from matches import services
from matches.models import SeatKind
from matches.services import SeatPlan
from matches.views import playable
from tests.matches.conftest import person

pytestmark = pytest.mark.django_db
LIMIT = 60 * 1024
LOADED = re.compile(r'<(?:script src|link rel="(?:stylesheet|modulepreload)" href)="([^"]+)"')
IMPORTED = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[^"]+)"', re.MULTILINE)


def test_css_and_scripts_of_each_table_weigh_60_kb_at_most(client: Client) -> None:
    """Compressed as static files are when they are collected."""
    ann = person("Ann")
    client.force_login(ann)
    weights = {}
    for game, mode in playable():
        seats = [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * (mode.seats[0] - 1)]
        match = services.create_match(host=ann, game=game.slug, mode=mode.slug, seats=seats)
        page = client.get(f"/matches/{match.slug}/").content.decode()
        assert "htmx" not in page or not re.search(r"\shx-(?!headers)", page)
        loaded = set(LOADED.findall(page))
        assert any(one.endswith("/main.js") for one in loaded)
        weights[mode.slug] = sum(len(gzip.compress(body_of(client, one), 9)) for one in loaded)
        for script in (one for one in loaded if one.endswith(".js")):
            parts = IMPORTED.findall(body_of(client, script).decode())
            needed = {str((Path(script).parent / part).resolve()) for part in parts}
            assert needed <= loaded, f"{script} has the browser fetch them one after another"
    assert weights and max(weights.values()) <= LIMIT, weights


def body_of(client: Client, address: str) -> bytes:
    if not address.startswith("/static/"):
        return client.get(address).content
    path = finders.find(address.removeprefix("/static/"))
    assert isinstance(path, str)
    found = Path(path).read_bytes()
    return without_comments(found) if path.endswith(".js") else found
