"""Multi-Player Mode beyond the worked scenario."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from games.battle_krabz.rules.multi import trump_pack
from rules.engine.cards import load_decks
from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadSetup, IllegalMove
from rules.engine.match import Match
from tests.games.battle_krabz.table import lay_trumps

GAME = rules.game("battle-krabz")
TRUMPS = [load_decks("games.battle_krabz")[f"trumps-{s}"].cards for s in ("krabz", "enemigos")]


def new(seats: int, decks: Any = (), **options: Any) -> Match:
    return GAME.new_match(
        "multi", seats=seats, seed=named_seed("multi"), options=options, decks=decks
    )


# -- preparation -----------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-M-01", "BKZ-R-44", "BKZ-M-02")
def test_two_to_six_seats_play_with_warriors_only() -> None:
    for seats in (1, 7):
        with pytest.raises(BadSetup, match="for 2 to 6 seats"):
            new(seats)
    for seats in range(2, 7):
        match = new(seats)
        assert [len(pile) for pile in match.state.piles] == [60 // seats] * seats
        assert {GAME.catalog[slug].kind for slug in match.state.cards.slugs} == {"warrior"}


@pytest.mark.rules("BKZ-M-04", "BKZ-M-07", "BKZ-R-45")
def test_the_common_pack_is_dealt_one_card_at_a_time() -> None:
    match = new(3)
    chance = Chance(named_seed("multi"))
    pack = list(range(60))
    chance.shuffle(pack)
    assert match.opening[0] == ("shuffled", -1, "pack", tuple(pack))
    assert [pile[::-1] for pile in match.state.piles] == [pack[0::3], pack[1::3], pack[2::3]]
    assert match.state.leader == chance.pick(3)
    assert match.state.chance.position == chance.position
    assert match.state.cards.slugs == trump_pack()
    assert list(match.prompts) == [match.state.leader]


@pytest.mark.rules("BKZ-M-05", "BKZ-R-45", "BKZ-D-31")
def test_own_trump_decks_are_shuffled_seat_by_seat() -> None:
    match = new(2, TRUMPS, pack="own")
    chance = Chance(named_seed("multi"))
    for _ in range(2):
        chance.shuffle(list(range(15)))
    for seat in (0, 1):
        pile = list(range(15 * seat, 15 * seat + 15))
        chance.shuffle(pile)
        assert match.state.piles[seat][::-1] == pile
        slugs = {match.state.cards.slugs[card] for card in pile}
        assert slugs == set(TRUMPS[seat]["main"])
    assert match.state.leader == chance.pick(2)


@pytest.mark.rules("BKZ-M-05", "BKZ-D-30", "BKZ-D-31")
def test_trump_decks_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadSetup, match="Seat 1: Trump deck has 15 cards, exactly 20 needed"):
        new(2, TRUMPS, pack="own", trump_size=20)
    with pytest.raises(BadSetup, match="Every seat brings a deck"):
        new(3, TRUMPS, pack="own")
    with pytest.raises(BadSetup, match="with these options"):
        new(2, TRUMPS)


# -- rounds ----------------------------------------------------------------------------------------


@pytest.mark.rules("BKZ-M-06")
def test_a_seat_sees_only_its_own_front_card() -> None:
    match = new(3)
    for viewer in range(3):
        for other, player in enumerate(match.view(viewer)["players"]):
            known = [place["place"] for place in player["pile"]["known"]]
            assert known == ([0] if other == viewer else [])
            assert (player["front"] is not None) == (other == viewer)
    assert all(player["front"] is None for player in match.view(None)["players"])
    fronts = [event for event in match.opening if event[0] == "front"]
    assert [match.event_view(fronts[1], seat) is None for seat in (None, 0, 1, 2)] == [
        *(True, True, False, True),
    ]


@pytest.mark.rules("BKZ-M-09", "BKZ-M-10", "BKZ-R-40")
def test_the_winner_takes_the_pot_oldest_card_first() -> None:
    t = lay_trumps(
        "moss-krab-gold eagle-krab-gold",
        "salt-bandit-gold fallen-gold",
        "kite-krab-gold root-rat-gold",
        pot="drum-krab-gold iglu-krab-gold",
        leader=2,
    )
    t.take("call attack")
    assert t.pile(1) == (
        "fallen-gold salt-bandit-gold kite-krab-gold moss-krab-gold drum-krab-gold iglu-krab-gold"
    )
    assert t.state.pot == []
    assert t.events("round_won") == [(1, 5)]
    t.done(S1="call")


@pytest.mark.rules("BKZ-M-03", "BKZ-R-41", "BKZ-R-42", "BKZ-M-02")
@pytest.mark.parametrize(
    ("category", "numbers", "winner"),
    [
        ("attack", [130, 90, 60], 0),
        ("defence", [70, 70, 130], 2),
        ("hp", [160, 260, 220], 1),
        ("special", [40, 30, 10], 0),
    ],
)
def test_the_highest_printed_number_wins(category: str, numbers: list[int], winner: int) -> None:
    # the special of Krabbi counts whatever its condition
    t = lay_trumps(
        "krabbi-long-legs-gold drum-krab-gold",
        "black-ice-bob-gold fallen-gold",
        "gloom-gull-platinum root-rat-gold",
    )
    assert t.offered() == ["call attack", "call defence", "call hp", "call special"]
    t.take(f"call {category}")
    assert [event[2] for event in t.events("revealed")] == numbers
    assert t.state.leader == winner
    t.done(**{f"S{winner}": "call"})


@pytest.mark.rules("BKZ-M-11")
def test_ties_below_the_highest_number_mean_nothing() -> None:
    t = lay_trumps(
        "kite-krab-gold moss-krab-gold", "fallen-gold root-rat-gold", "gale-thief-platinum"
    )
    t.take("call attack")  # 110, 120, 110
    assert t.state.leader == 1
    t.done(S1="call")


@pytest.mark.rules("BKZ-M-13", "BKZ-M-12", "BKZ-M-11")
def test_the_lead_passes_when_the_leader_is_out_after_a_tie() -> None:
    t = lay_trumps(
        "kite-krab-gold", "gale-thief-platinum fallen-gold", "gloom-gull-gold root-rat-gold"
    )
    t.take("call attack")  # 110, 110, 70
    assert t.events("seat_out") == [(0,)]
    assert t.events("lead_passed") == [(1,)]
    t.done(S1="call")


@pytest.mark.rules("BKZ-M-15", "BKZ-M-18", "BKZ-M-19")
def test_nobody_has_a_card_left() -> None:
    t = lay_trumps("kite-krab-gold", "gale-thief-platinum", "gloom-gull-gold")
    t.take("call attack")
    assert t.result == ((0, 1), (2,), "all_out")
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (0, 1)
    t.done()


@pytest.mark.rules("BKZ-M-16", "BKZ-M-19", "BKZ-R-43")
def test_the_round_limit() -> None:
    t = lay_trumps(
        "kite-krab-gold moss-krab-gold iglu-krab-gold",
        "gloom-gull-gold fallen-gold",
        "wreck-picker-gold root-rat-gold",
        pot="drum-krab-gold",
        round_number=20,
        round_limit=20,
    )
    t.take("call attack")
    assert t.result == ((0,), (1, 2), "round_limit")
    t.done()

    t = lay_trumps(
        "kite-krab-gold moss-krab-gold",
        "gale-thief-platinum fallen-gold",
        "wreck-picker-gold",
        round_number=20,
        round_limit=20,
    )
    t.take("call attack")  # a tied round counts, the pot counts for nobody
    assert t.result == ((0, 1), (2,), "round_limit")
    t.done()


@pytest.mark.rules("BKZ-M-17", "BKZ-M-18", "BKZ-M-19")
def test_first_out_ends_the_match() -> None:
    piles = ("kite-krab-gold moss-krab-gold", "gloom-gull-gold", "wreck-picker-gold root-rat-gold")
    t = lay_trumps(*piles, ending="first_out").take("call attack")
    assert t.result == ((0,), (2,), (1,), "first_out")
    t.done()

    t = lay_trumps(*piles).take("call attack")
    assert t.events("seat_out") == [(1,)]
    t.done(S0="call")


@pytest.mark.rules("BKZ-M-14", "BKZ-M-18")
def test_last_standing_comes_before_the_round_limit() -> None:
    t = lay_trumps("kite-krab-gold", "gloom-gull-gold", round_number=20, round_limit=20)
    t.take("call attack")
    assert t.result == ((0,), (1,), "last_standing")
    t.done()


@pytest.mark.rules("BKZ-M-19", "BKZ-R-34")
def test_who_goes_later_ranks_higher_and_equals_share_a_place() -> None:
    t = lay_trumps(
        "kite-krab-gold moss-krab-gold",
        "gloom-gull-gold",
        "wreck-picker-gold",
        "fallen-silver root-rat-gold",
        leader=0,
    )
    t.concede(3)
    assert t.names(t.state.pot) == "fallen-silver root-rat-gold"
    assert t.asked == {0: "call"}
    t.take("call attack")
    assert t.result == ((0,), (1, 2), (3,), "last_standing")
    t.done()


@pytest.mark.rules("BKZ-R-34", "BKZ-M-13")
def test_conceding_passes_the_lead_and_shows_the_pile() -> None:
    t = lay_trumps(
        "kite-krab-gold moss-krab-gold", "gloom-gull-gold", "wreck-picker-gold", leader=0
    )
    t.concede(0)
    assert t.events("resigned")[0][0] == 0
    assert t.events("lead_passed") == [(1,)]
    assert t.asked == {1: "call"}
    pot = t.match.view(2)["pot"]["cards"]
    assert [card["slug"] for card in pot] == ["kite-krab-gold", "moss-krab-gold"]
    with pytest.raises(IllegalMove):
        t.match.concede(0)
    t.concede(1)
    assert t.result == ((2,), (1,), (0,), "last_standing")
    t.done()


@pytest.mark.rules("BKZ-M-20")
def test_the_decks_that_were_brought_do_not_change() -> None:
    before = [{"main": dict(deck["main"])} for deck in TRUMPS]
    match = new(2, TRUMPS, pack="own", round_limit=500)
    while match.outcome is None:
        (prompt,) = match.prompts.values()
        match.play(prompt.seat, prompt.options[match.state.round % 4])
    assert before == TRUMPS
