"""Which cards a seat may see in Tournament, Power and Single Play, said independently of views."""

from __future__ import annotations

import pytest

import rules
from rules.engine.match import Match
from rules.engine.playouts import Setup, card_ids, named_seed, playout

GAME = rules.game("kaolan")
OPEN_ZONES = {
    *("board", "under", "discard", "play"),
    *("own_character", "master_discard", "foe_discard"),
}
OPTIONS = {
    "tournament": {"turn_limit": 20},
    "power": {"turn_limit": 20, "boosters": [f"booster-{n}" for n in range(1, 7)]},
    "single": {},
}


def may_see(match: Match, seat: int | None) -> set[int]:
    """Section 4: what lies open, the own hand, and what this seat has seen go to a hidden place."""
    return {
        card
        for zone, owner, cards in match.state.zones()
        for card in cards
        if zone in OPEN_ZONES
        or (zone == "hand" and owner == seat and seat is not None)
        or match.state.knows(seat, card)
    }


@pytest.mark.rules("KAO-R-51", "KAO-R-26")
@pytest.mark.parametrize(
    ("mode", "seats"), [("tournament", 2), ("tournament", 5), ("power", 2), ("single", 1)]
)
def test_views_and_events_name_no_card_that_a_seat_may_not_see(mode: str, seats: int) -> None:
    seed = named_seed(f"secrecy {mode} {seats}")
    setup = Setup(GAME, GAME.modes[mode], seats, seed, OPTIONS[mode])
    viewers = (None, *range(seats))
    match = setup.start()
    could = {seat: may_see(match, seat) for seat in viewers}
    for seat in viewers:
        for event in match.opening:
            assert card_ids(match.event_view(event, seat)) <= could[seat]
    for match, _ply, events in playout(setup):
        for seat in viewers:
            can = may_see(match, seat)
            assert card_ids(match.view(seat)) <= can
            for event in events:
                assert card_ids(match.event_view(event, seat)) <= can | could[seat], event
            could[seat] = can
        if mode == "tournament" and match.outcome is None:
            prizes = {card for card in match.state.prizes if card >= 0}
            assert not any(prizes & could[seat] for seat in viewers), "nobody sees a Prize"
