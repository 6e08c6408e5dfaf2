"""Several matches of the same two players: sides alternate after the first (BKH-R-01)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from matches import engine
from matches.models import Match as StoredMatch
from matches.models import SeriesTerms
from matches.services.play import concede
from matches.services.rematch import rematch
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.match import Match
from tests.games.battl_khaos.test_setup import GAME, begun

MODES = ("classic", "warband", "army")


def orcs_of(match: Match) -> int:
    s: Any = match.state
    return int(s.orcs)


@pytest.mark.rules("BKH-R-01")
@settings(max_examples=30, deadline=None)
@given(
    mode=st.sampled_from(MODES),
    orcs=st.sampled_from(("random", "seat1", "seat2")),
    orders=st.lists(st.sampled_from(([0, 1], [1, 0])), min_size=1, max_size=5),
    losers=st.lists(st.integers(0, 1), min_size=5, max_size=5),
)
def test_sides_alternate_however_the_players_sit_down(
    mode: str, orcs: str, orders: list[list[int]], losers: list[int]
) -> None:
    """``orders`` say for each match after the first which seat its players had before."""
    match, players = begun(mode, orcs=orcs), [0, 1]
    side = players[orcs_of(match)]
    for number, order in enumerate(orders):
        match.concede(losers[number])
        options = match.next_options(order)
        assert options.keys() == match.options.keys()
        players = [players[seat] for seat in order]
        match = begun(mode, seed=f"match {number}", **options)
        assert players[orcs_of(match)] == 1 - side, "who played the knights plays the orcs"
        side = 1 - side


@pytest.mark.django_db
@pytest.mark.rules("BKH-R-01")
@pytest.mark.parametrize("seats", ["keep", "swap", "random", None])
def test_on_the_site_by_rematches_and_in_a_series(seats: str | None) -> None:
    """None is a series: nobody chooses how to sit down."""
    ann, bob = (User.objects.create_user(username=name) for name in ("ann", "bob"))
    match = create_match(
        host=ann,
        setup=MatchSetup(
            game=GAME.slug,
            mode="classic",
            seats=[SeatPlan(user=ann), SeatPlan(user=bob)],
            options={"orcs": "seat1"},
            series=SeriesTerms(matches=4) if seats is None else None,
        ),
    )
    orcs = [ann]
    for _ in range(3):
        concede(slug=match.slug, user=orcs[-1])
        again = rematch(slug=match.slug, user=ann, seats=seats or "swap")
        if seats is not None:
            rematch(slug=match.slug, user=bob)
        match = StoredMatch.objects.get(pk=again.pk)
        user = match.seats.get(number=orcs_of(engine.load(match))).user
        assert user is not None
        orcs.append(user)
    assert orcs == [ann, bob, ann, bob]
