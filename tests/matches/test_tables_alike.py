"""Parts that every game's table has, in the words and pieces that people learn once."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from matches.models import SeatKind
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable
from tests.matches.conftest import person

pytestmark = pytest.mark.django_db

PANEL = re.compile(r'<header[^>]* class="panel .*?</header>', re.DOTALL)
QUIET = re.compile(r'<input type="checkbox" id="sound">')


def test_every_table_is_read_in_the_same_way(client: Client) -> None:
    """A panel for each seat, one's own called “You”; names, a pace to choose, and silence."""
    ann = person("Annabel")
    client.force_login(ann)
    with_panels = set()
    for game, mode in playable():
        bots = max(mode.seats[0] - 1, 0)
        seats = [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * bots]
        match = create_match(
            host=ann, setup=MatchSetup(game=game.slug, mode=mode.slug, seats=seats)
        )
        page = client.get(match.get_absolute_url()).content.decode()
        felt = page[page.index('id="table"') :]
        panels = PANEL.findall(felt)
        if panels:  # none yet where a whole hand is chosen first
            with_panels.add(game.slug)
            assert len(panels) == len(seats), (mode.slug, "one panel a seat")
            (own,) = (panel for panel in panels if "data-own" in panel)
            assert ">You</h2>" in own, mode.slug
        for panel in panels:
            assert "panel-face" in panel and "panel-clock" in panel, (mode.slug, panel)
            assert not re.search(r"\(\d\)", panel), (mode.slug, "bots have names of their own")
        # The reader is “you” on the felt and in the log; the chat's list of people may name her.
        assert "Annabel" not in felt[: felt.index('id="log"')], mode.slug
        lines = re.search(r'<ol class="table-lines".*?</ol>', page, re.DOTALL)
        assert lines and "Annabel" not in lines[0], mode.slug
        assert QUIET.search(page), (mode.slug, "no sound that was not asked for")
        assert all(f'value="{pace}"' in page for pace in ("slow", "normal", "fast", "once"))
    assert with_panels == {game.slug for game, _ in playable()}
