"""Which cards a Kaolan seat may see, said a second time and independently of the views."""

from __future__ import annotations

import pytest

import rules
from rules.engine.chance import Chance, named_seed
from rules.engine.match import Match
from rules.testing.playouts import Setup, card_ids, places, playout

OPEN_ZONES = {
    *("board", "under", "discard", "play"),
    *("own_character", "master_discard", "foe_discard"),
}
GAME = rules.game("kaolan")
BOOSTERS = [f"booster-{n}" for n in range(1, 7)]
OPTIONS = {
    "tournament": {"turn_limit": 20},
    "power": {"turn_limit": 20, "boosters": BOOSTERS},
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


def assert_nothing_slips_out(setup: Setup) -> None:
    """Play it: no view and no event names a card that its reader may not see."""
    viewers = (None, *range(setup.seats))
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
        if setup.mode.slug == "tournament" and match.outcome is None:
            prizes = {card for card in match.state.prizes if card >= 0}
            assert not any(prizes & could[seat] for seat in viewers), "nobody sees a Prize"


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("boosters", [BOOSTERS, "deck"], ids=["boosters", "deck"])
def test_views_and_events_name_no_card_that_a_seat_may_not_see(
    seats: int, boosters: list[str] | str
) -> None:
    options = {"boosters": boosters, "turn_limit": 20}
    seed = named_seed(f"secrecy {seats}")
    assert_nothing_slips_out(Setup(GAME, GAME.modes["match"], seats, seed, options))


@pytest.mark.rules("KAO-R-51", "KAO-R-26")
@pytest.mark.parametrize(
    ("mode", "seats"), [("tournament", 2), ("tournament", 5), ("power", 2), ("single", 1)]
)
def test_nor_in_the_other_modes(mode: str, seats: int) -> None:
    seed = named_seed(f"secrecy {mode} {seats}")
    assert_nothing_slips_out(Setup(GAME, GAME.modes[mode], seats, seed, OPTIONS[mode]))


@pytest.mark.parametrize("seats", [2, 4])
def test_everything_that_a_seat_may_not_see_is_dealt_anew(seats: int) -> None:
    setup = Setup(GAME, GAME.modes["match"], seats, named_seed("anew"), {"boosters": BOOSTERS})
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
