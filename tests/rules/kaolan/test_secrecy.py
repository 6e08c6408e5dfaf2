"""Which cards a Kaolan seat may see, said a second time and independently of the views."""

from __future__ import annotations

import pytest

import rules
from rules.engine.chance import Chance
from rules.engine.match import Match
from rules.engine.playouts import Setup, card_ids, named_seed, places, playout

OPEN_ZONES = {"board", "under", "discard", "play"}
GAME = rules.game("kaolan")
MODE = GAME.modes["match"]
BOOSTERS = list(MODE.options[1].values)


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


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("boosters", [BOOSTERS, "deck"], ids=["boosters", "deck"])
def test_views_and_events_name_no_card_that_a_seat_may_not_see(
    seats: int, boosters: list[str] | str
) -> None:
    options = {"boosters": boosters, "turn_limit": 20}
    setup = Setup(GAME, MODE, seats, named_seed(f"secrecy {seats}"), options)
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


@pytest.mark.parametrize("seats", [2, 4])
def test_everything_that_a_seat_may_not_see_is_dealt_anew(seats: int) -> None:
    setup = Setup(GAME, MODE, seats, named_seed("anew"), {"boosters": BOOSTERS})
    for number, (match, _ply, _events) in enumerate(playout(setup)):
        if number % 40:
            continue
        lies = places(match)
        for seat in (None, *range(seats)):
            moved: set[int] = set()
            for deal in range(8):
                twin = places(match.redeal(seat, Chance(named_seed(f"{number} {deal}"))))
                moved |= {card for card, place in lies.items() if twin[card] != place}
            assert moved == set(lies) - may_see(match, seat)
