"""Who knows which hidden card (section 4), and that two copies of a card betray nothing."""

from __future__ import annotations

import pytest

from rules.engine.chance import Chance
from tests.games.kaolan.table import Table, lay, seat, short


def known(t: Table, viewer: int | None, who: int) -> list[str]:
    """The cards of a hand that a view shows."""
    hand = t.match.view(viewer)["players"][who]["hand"]
    assert hand["count"] == len(t.state.hands[who])
    return [short(card["slug"]) for card in hand["cards"]]


def test_a_hand_is_seen_by_its_owner_only() -> None:
    t = lay(seat("red Claw", hand="r2, Ambush"), seat("b2", hand="g3"), draw="g12")
    t.take("pass")
    assert known(t, 0, 0) == ["r2", "Ambush", "g12"]
    assert known(t, 1, 0) == known(t, None, 0) == []
    drew = next(event for event in t.history if event[0] == "drew")
    assert "cards" in (t.match.event_view(drew, 0) or {})
    for viewer in (1, None):
        assert t.match.event_view(drew, viewer) == {"kind": "drew", "seat": 0, "count": 1}
    t.done(0, "pass_discard")


@pytest.mark.rules("KAO-M-25", "KAO-R-10")
def test_the_draw_pile_is_a_number_and_the_discard_pile_is_open() -> None:
    t = lay(seat("red Claw"), seat("b2"), discard="r2, Ambush")
    for viewer in (0, 1, None):
        view = t.match.view(viewer)
        assert view["draw"] == {"count": 56}
        assert [short(card["slug"]) for card in view["discard"]["cards"]] == ["r2", "Ambush"]
    t.done(0, "turn_action")


def test_what_everybody_saw_go_to_a_hand_stays_known_until_a_shuffle() -> None:
    t = lay(seat("red Claw", hand="Salvage"), seat("b2"), draw="r12, b12, b11", discard="r2")
    t.take("opportunity")
    assert known(t, 1, 0) == known(t, None, 0) == ["r2"]
    t.take("pass", "pass", "discard r12")
    assert known(t, 1, 0) == known(t, None, 0) == ["r2"]
    t.done(1, "turn_action")


def test_a_shuffle_wipes_what_was_known() -> None:
    t = lay(seat("red Claw", hand="r2"), seat("b2"), draw="r12", discard="g2", rest="removed")
    card = t.state.hands[0][0]
    t.state.reveal(card)
    t.take("pass", "discard r2", "pass")
    assert t.events("recycled")
    assert card not in t.state.known
    t.done(0, "turn_action")


@pytest.mark.rules("KAO-M-22")
def test_a_replaced_card_in_hand_is_known_to_all() -> None:
    t = lay(seat("red Claw", "g3", hand="blue Flame, r2"), seat("b2"), draw="r12").take(
        "place", "hand"
    )
    assert known(t, 1, 0) == known(t, None, 0) == ["g3"]
    t.done(1, "turn_action")


def test_spyglass_teaches_one_seat_what_the_others_do_not_see() -> None:
    t = lay(
        seat("red Claw", hand="Spyglass"),
        seat("b2", hand="r2, Ambush"),
        seat("b3", hand="g3"),
        draw="r12, r11",
    )
    t.take("opportunity", "seat 2")
    assert known(t, 0, 1) == ["r2", "Ambush"]
    assert known(t, 2, 1) == known(t, None, 1) == []
    hand = next(event for event in t.history if event[0] == "hand_shown")
    assert len((t.match.event_view(hand, 0) or {})["cards"]) == 2
    for viewer in (1, 2, None):
        assert t.match.event_view(hand, viewer) == {
            "kind": "hand_shown",
            "seat": 0,
            "other": 1,
            "count": 2,
        }
    t.take("discard Ambush")
    assert known(t, 0, 1) == ["r2"], "it is still remembered"
    t.take("pass", "discard r2")
    assert known(t, 0, 1) == []
    assert len(t.state.hands[1]) == 1, "the drawn card is not known"
    t.done(2, "turn_action")


def test_a_card_that_was_chosen_is_shown_before_its_place_is() -> None:
    t = lay(seat("red Claw", "red Flame", hand="r2, r3"), seat("b2"), draw="g12")
    t.take("add_power")
    assert known(t, 1, 0) == []
    t.take("power r3")
    assert known(t, 1, 0) == ["r3"]
    t.done(0, "choose_power_host")


# -- copies ------------------------------------------------------------------------------------

EVERYBODY = (0, 1, 2, None)


def with_two_copies(open_to: list[tuple[int | None, ...]]) -> Table:
    """Seat 1 holds two copies of red 6; the n-th is known to the viewers open_to[n] besides."""
    t = lay(
        seat("blue Claw"),
        seat("red Claw", "red Flame", hand="r6, r6, g2"),
        seat("green Claw"),
        turn=1,
        draw="g12",
    )
    for card, viewers in zip(t.state.hands[1], open_to, strict=False):
        for viewer in viewers:
            if viewer is None:
                t.state.reveal(card)
            else:
                t.state.show(card, viewer)
    return t


@pytest.mark.parametrize("choice", ["power r6", "power r6~2"])
@pytest.mark.parametrize(
    "open_to",
    [
        [(), ()],
        [(0,), ()],
        [(), (0,)],
        [(None,), (0,)],
        [(0,), (None,)],
        [(0, 2), (None,)],
        [(None,), (0, 2)],
        [(0, 2), (0,)],
        [(None,), (None,)],
    ],
)
def test_of_two_copies_the_better_known_one_is_shown_and_leaves(
    open_to: list[tuple[int | None, ...]], choice: str
) -> None:
    """Nobody at a real table could tell them apart: whoever knew of one sees that one go."""
    t = with_two_copies(open_to)
    before = {viewer: known(t, viewer, 1).count("r6") for viewer in EVERYBODY}
    ids = {
        viewer: {card["id"] for card in t.match.view(viewer)["players"][1]["hand"]["cards"]}
        for viewer in EVERYBODY
    }
    t.take("add_power", choice)
    for viewer in EVERYBODY:
        assert known(t, viewer, 1).count("r6") == max(before[viewer], 1)
    t.take("under red Flame")
    (left,) = t.state.powers[t.state.board[1][1]]
    for viewer in EVERYBODY:
        assert known(t, viewer, 1).count("r6") == max(before[viewer] - 1, 0)
        if before[viewer]:
            assert left in ids[viewer], "the very copy that this viewer knew"
    t.done(2, "turn_action")


# -- dealing anew ------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_redeal_keeps_what_is_known_and_changes_the_rest(viewer: int | None) -> None:
    t = lay(
        seat("red Claw", hand="r2, r3"),
        seat("blue Claw", hand="b2, b3, b4"),
        seat("green Claw", hand="g2, g3"),
    )
    t.state.show(t.state.hands[1][0], 2)
    changed = 0
    for n in range(5):
        twin = t.match.redeal(viewer, Chance(bytes([n]) * 32))
        assert twin.view(viewer) == t.match.view(viewer)
        assert twin.state.hands[1][0] == t.state.hands[1][0] or viewer not in (1, 2)
        changed += twin.state.hands != t.state.hands
    assert changed >= 4
    t.done(0, "turn_action")


def test_what_everybody_has_seen_chosen_cannot_be_undone() -> None:
    """A card chosen for a place lies open before its place is chosen."""
    t = lay(
        seat("red Claw", "red Flame", hand="r6, r8, g3"),
        seat("blue Claw", hand="b2"),
        draw="b5",
    )
    t.take("add_power", "power r6")
    assert t.asked == (0, "choose_power_host")
    assert t.state.knows(1, next(c for c in t.state.hands[0] if t.state.cards.title[c] == "Red 6"))
    assert not t.match.can_undo(0)
    t.take("under red Claw")
    t.done(1, "turn_action")
