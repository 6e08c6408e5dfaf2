"""Match Play's preparation: KAO-M-01 to KAO-M-15, and the rulings about it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rules
from games.kaolan.rules.match import MODES
from rules.engine.errors import BadSetup
from rules.engine.match import Match
from tests.games.kaolan.table import lay, seat

KAOLAN = rules.game("kaolan")
MASTER = KAOLAN.starter_decks["kaolan-master"].cards["main"]
BOOSTERS = tuple(f"booster-{n}" for n in range(1, 7))


def start(seats: int = 2, seed: int = 0, decks: Any = (), **options: Any) -> Match:
    key = seed.to_bytes(32, "big")
    return KAOLAN.new_match("match", seats=seats, seed=key, options=options, decks=decks)


def cards_in(match: Match) -> Counter[str]:
    """Every card that is somewhere in the match, by slug."""
    slugs = match.state.cards.slugs
    return Counter(slugs[card] for _zone, _owner, cards in match.state.zones() for card in cards)


@pytest.mark.rules("KAO-M-01")
@pytest.mark.parametrize(
    ("seats", "allowed"), [(1, False), (2, True), (3, True), (4, True), (5, False)]
)
def test_two_to_four_players(seats: int, allowed: bool) -> None:
    if allowed:
        assert start(seats).seats == seats
    else:
        with pytest.raises(BadSetup, match="2 to 4 seats"):
            start(seats)


@pytest.mark.rules("KAO-M-02", "KAO-M-07", "KAO-M-11", "KAO-M-12", "KAO-M-13", "KAO-R-09")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_board_cards_and_four_hand_cards_each_from_one_deck(seats: int) -> None:
    match = start(seats)
    view = match.view(None)
    for player in view["players"]:
        assert [position["card"] is None for position in player["board"]] == [False] * 4
        assert player["hand"]["count"] == 4
    assert view["draw"]["count"] == 60 - 8 * seats
    assert view["discard"]["count"] == 0
    assert cards_in(match) == Counter(MASTER)


@pytest.mark.rules("KAO-M-02")
def test_the_deck_is_shuffled() -> None:
    boards = {str(start(2, seed).view(None)["players"]) for seed in range(5)}
    assert len(boards) == 5


@pytest.mark.rules("KAO-M-03", "KAO-R-26")
def test_boosters_are_shuffled_in_and_sixty_cards_stay() -> None:
    match = start(3, boosters=BOOSTERS)
    view = match.view(0)
    assert view["removed"] == {"count": 60}, "only the number is public"
    assert view["draw"]["count"] == 60 - 3 * 8
    together = Counter(MASTER)
    for booster in BOOSTERS:
        together.update(KAOLAN.products[f"kaolan-{booster}"].cards)
    assert cards_in(match) == together
    removed = {match.state.cards.slugs[card] for card in match.state.removed[0]}
    assert removed & set(MASTER), "Master Deck cards are removed just as well"
    assert (
        len({frozenset(start(2, seed, boosters=BOOSTERS).state.removed[0]) for seed in range(3)})
        == 3
    )


@pytest.mark.rules("KAO-M-03")
def test_one_booster_deck_removes_ten_cards() -> None:
    assert start(2, boosters=("booster-2",)).view(None)["removed"] == {"count": 10}


@pytest.mark.rules("KAO-M-03", "KAO-M-02")
def test_a_saved_shared_deck_is_cut_to_sixty_too() -> None:
    cards = {**MASTER, "kao-op-windfall": 1, "kao-op-ambush": 2}
    match = start(2, boosters="deck", decks=[{"main": cards}])
    assert cards_in(match) == Counter(cards)
    assert match.view(None)["removed"] == {"count": 2}


@pytest.mark.rules("KAO-M-03")
@pytest.mark.parametrize(
    ("options", "decks"),
    [
        ({"boosters": "deck"}, []),
        ({}, [{"main": dict(MASTER)}]),
        ({"boosters": ("booster-7",)}, []),
    ],
)
def test_a_deck_and_the_option_must_agree(options: dict[str, Any], decks: list[Any]) -> None:
    with pytest.raises(BadSetup):
        start(2, decks=decks, **options)


@pytest.mark.rules("KAO-R-26")
def test_nobody_sees_the_removed_cards() -> None:
    match = start(2, boosters=BOOSTERS)
    for viewer in (0, 1, None):
        seen = [match.event_view(event, viewer) for event in match.opening]
        visible = str([match.view(viewer), seen])
        assert not any(f"'id': {card}," in visible for card in match.state.removed[0])


@pytest.mark.rules("KAO-M-05", "KAO-M-07", "KAO-M-08", "KAO-M-09", "KAO-R-33")
@pytest.mark.parametrize("guards", [0, 1, 2, 3])
def test_the_number_of_guard_positions(guards: int) -> None:
    match = start(2, guards=guards)
    view = match.view(None)
    slots = ["leader", "guard-1", "guard-2", "guard-3"][: 1 + guards]
    for player in view["players"]:
        assert [position["slot"] for position in player["board"]] == slots
        assert all(position["card"] for position in player["board"])
    assert view["draw"]["count"] == 60 - 2 * (5 + guards)


@pytest.mark.rules("KAO-M-08", "KAO-R-33")
def test_without_guards_the_first_defeat_eliminates() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("blue Claw", hand="red Flame"),
        guards=0,
        dice=[3, (1, 1), (3, 3)],
    )
    t.take("challenge")
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((0,), (1,))
    assert t.match.outcome.reason == "last_standing"
    t.done()


@pytest.mark.rules("KAO-M-09")
def test_no_more_than_four_positions_are_ever_filled() -> None:
    t = lay(
        seat("red Claw [r6, r8]", "blue Claw", "red Flame", "g9", hand="green Claw"),
        seat("r10"),
        draw="r12",
    )
    assert t.offered() == ["place", "pass"]
    t.take("place", "discard")
    assert t.board(0) == ["red Claw [r6, r8]", "blue Claw", "red Flame", "green Claw"]
    another = t.state.board[0][2]
    assert MODES["match"].positions(t.state, 0, another) == []
    assert MODES["match"].positions(t.state, 0, another, reinforcements=True) == []
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-01")
def test_the_generator_picks_the_starting_seat() -> None:
    starters = Counter(start(4, seed).view(None)["starter"] for seed in range(80))
    assert set(starters) == {0, 1, 2, 3}
    match = start(4, 1)
    assert list(match.prompts) == [match.view(None)["starter"]]


@pytest.mark.rules("KAO-R-02", "KAO-M-07", "KAO-M-11", "KAO-R-01")
def test_the_deal_begins_with_the_starting_seat() -> None:
    deck = "r2, r3, r4, r5, r6, r7, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, b2, b3"
    t = lay(seat(), seat(), seat(), deck=deck, starter=1, guards=1)
    assert [t.board(n) for n in (1, 2, 0)] == [["r2", "r5"], ["r3", "r6"], ["r4", "r7"]]
    assert t.hand(1) == "g2, g5, g8, g11"
    assert t.hand(2) == "g3, g6, g9, g12"
    assert t.hand(0) == "g4, g7, g10, b2"
    assert t.draw.startswith("b3, ")
    t.take("pass", "discard g2")
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-M-07", "KAO-M-15")
def test_board_cards_are_turned_up_after_the_hands_are_dealt() -> None:
    match = start(2)
    kinds = [event[0] for event in match.opening]
    assert kinds == [
        *("match_started", "dealt", "dealt", "board_revealed", "board_revealed", "turn_started"),
    ]
    for viewer in (0, 1, None):
        seen = [match.event_view(event, viewer) for event in match.opening]
        boards = [event["cards"] for event in seen if event and event["kind"] == "board_revealed"]
        assert [len(board) for board in boards] == [4, 4]
        hands = [event for event in seen if event and event["kind"] == "dealt"]
        assert [event["seat"] for event in hands if "cards" in event] == (
            [] if viewer is None else [viewer]
        )


@pytest.mark.rules("KAO-R-13", "KAO-R-10", "KAO-R-34")
def test_a_board_without_any_character_is_not_out() -> None:
    t = lay(
        seat("r7", "g3", "Ambush", "b2", hand="r2, r3, r4, g12"), seat("red Claw"), draw="g4, b5"
    )
    assert t.offered() == ["pass"]
    t.take("pass", "discard r2")
    assert t.state.out == []
    assert t.offered() == ["pass"], "KAO-R-11: nobody there to challenge"
    t.take("pass")
    t.done(0, "turn_action")
