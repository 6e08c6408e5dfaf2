"""How a match ends: resigning anywhere (KAO-R-23), the turn limit (KAO-R-24), ranks (KAO-R-25)."""

from __future__ import annotations

from collections import Counter

import pytest

import rules
from rules.engine.chance import Chance
from rules.engine.errors import IllegalMove
from rules.engine.match import Match
from tests.games.kaolan.prompts import EVERY_PROMPT
from tests.games.kaolan.table import Table, lay, seat


def cards_in(match: Match) -> list[int]:
    return sorted(card for _zone, _owner, cards in match.state.zones() for card in cards)


def play_out(match: Match, limit: int = 3000) -> None:
    """Go on with fair chance and any moves, to the end."""
    match.state.chance = chance = Chance(bytes(31) + b"\x07")
    cards = cards_in(match)
    assert len(set(cards)) == len(cards)
    for _ in range(limit):
        if match.outcome is not None:
            break
        ((who, prompt),) = match.prompts.items()
        assert who not in match.state.out
        match.play(who, prompt.options[chance.pick(len(prompt.options))])
        assert cards_in(match) == cards
    assert match.outcome is not None


# -- resigning ---------------------------------------------------------------------------------


@pytest.mark.rules("KAO-R-23")
@pytest.mark.parametrize("who", [0, 1, 2])
@pytest.mark.parametrize(
    ("kind", "prompted"), [pytest.param(*key, id=key[0]) for key in EVERY_PROMPT]
)
def test_resigning_at_every_kind_of_prompt(kind: str, prompted: int, who: int) -> None:
    t = EVERY_PROMPT[kind, prompted][0]()
    turn, cards = t.state.turn, cards_in(t.match)
    t.state.chance = Chance(bytes(32))
    t.concede(who)
    assert cards_in(t.match) == cards
    assert t.state.out == [who]
    assert t.match.outcome is None
    assert t.match.view(None)["players"][who]["out"] == 1
    assert t.state.board[who] == [-1] * len(t.state.board[who])
    assert t.state.hands[who] == []
    assert t.events("resigned", "eliminated") == [(who,), (who,)]
    ((next_seat, prompt),) = t.match.prompts.items()
    if who == turn:
        assert t.state.play == []
        assert t.state.battle is None
        owed = kind in ("step_up", "trim_power") and prompted != who
        next_up = (prompted, kind) if owed else ((turn + 1) % 3, "turn_action")
        assert (next_seat, prompt.kind) == next_up
    with pytest.raises(IllegalMove, match="out already"):
        t.match.concede(who)
    copy = t.match.clone()
    assert t.match.game.load(t.match.dump()).dump() == copy.dump()
    play_out(copy)
    t.done(*(t.asked or (None, None)))


@pytest.mark.rules("KAO-R-23", "KAO-R-22", "KAO-R-30")
def test_the_cards_of_a_player_who_resigns_in_the_own_turn() -> None:
    t = lay(
        seat(*("r3", "red Claw [r6 | Keen Eye]", "g4", "blue Flame [b5]"), hand="Sabotage, r2"),
        seat("green Claw [g6]", "green Flame [g5]"),
        seat("blue Claw"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (0, "sabotage_host")
    t.concede(0)
    groups = "b5, blue Flame, Keen Eye, r6, red Claw"
    assert t.discard == f"r12, r2, g4, r3, Sabotage, {groups}"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_the_challenge_of_a_player_who_resigns_ends_without_further_effect() -> None:
    t = lay(
        seat("red Claw [r6]", "r3"),
        seat("green Claw [g5, g4 | Second Wind]"),
        seat("blue Claw"),
        dice=[3, (6, 6)],
    )
    t.take("challenge", "seat 2")
    assert t.asked == (1, "second_wind")
    t.concede(0)
    assert t.board(1)[0] == "green Claw [g5, g4 | Second Wind]"
    assert t.match.view(None)["challenge"] is None
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_a_leader_already_beaten_is_still_replaced_when_the_attacker_resigns() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw", "green Flame", "blue Flame"),
        seat("blue Claw"),
        dice=[3, (6, 6), (3, 3)],
    )
    t.take("challenge", "seat 2")
    before = t.match.prompts[1]
    assert before.kind == "step_up"
    t.concede(0)
    assert t.match.prompts[1] == before, "an answer that is on its way still counts"
    t.take("step_up blue Flame")
    assert t.board(1) == ["blue Flame", "green Flame", "", ""]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-01")
def test_one_resignation_after_another_in_the_same_turn() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw", "green Flame", "blue Flame"),
        seat("blue Claw"),
        seat("red Flame"),
        dice=[3, (6, 6), (3, 3)],
    )
    t.take("challenge", "seat 2").concede(0)
    assert t.asked == (1, "step_up")
    t.concede(2)
    assert t.asked == (1, "step_up")
    t.concede(1)
    assert t.state.out == [0, 2, 1]
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((3,), (1,), (2,), (0,))
    t.done()
    t = lay(seat("red Claw"), seat("green Claw"), seat("blue Claw"), seat("red Flame"))
    t.concede(1).concede(0)
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-24", "KAO-R-23")
def test_the_turn_that_a_resignation_ends_is_counted() -> None:
    t = lay(seat("red Claw"), seat("b2"), seat("b3"), turn_limit=20, turns=59)
    t.concede(0)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((1, 2), (0,))
    assert t.match.outcome.reason == "turn_limit"
    t.done()


@pytest.mark.rules("KAO-R-23", "KAO-R-17")
def test_an_overfull_character_is_still_trimmed_when_the_turn_player_resigns() -> None:
    t = lay(
        seat("red Claw", hand="Silence"),
        seat("green Flame [g2, g3, g4, g5 | Deep Reserves]"),
        seat("blue Claw"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.asked == (1, "trim_power")
    before = t.match.prompts[1]
    t.concede(0)
    assert t.match.prompts[1] == before, "an answer that is on its way still counts"
    t.take("discard g2")
    assert t.asked == (1, "trim_power"), "one more is too many"
    t.take("discard g3")
    assert t.board(1)[0] == "green Flame [g4, g5]"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_a_defender_who_resigns_leaves_the_battle_and_the_turn_is_over() -> None:
    t = lay(
        seat("red Claw [r6]", "r3"),
        seat("green Claw [g5, g4 | Second Wind]", "green Flame"),
        seat("blue Claw"),
        dice=[3, (6, 6)],
    )
    t.take("challenge", "seat 2")
    t.concede(1)
    assert t.events("defeated") == []
    assert [roll[0] for roll in t.dice] == ["qualification", "defense"], "no target is left"
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-23")
def test_a_bystander_who_resigns_changes_no_challenge() -> None:
    t = lay(
        seat("red Claw [r6]", "r3"),
        seat("green Claw [g5, g4 | Second Wind]"),
        seat("blue Claw"),
        dice=[3, (6, 6), (2, 3)],
    )
    t.take("challenge", "seat 2")
    before = t.match.prompts[1]
    t.concede(2)
    assert t.match.prompts[1] == before, "nothing changes for the asked player"
    t.take("spend g4")
    assert t.events("escaped") == [(1,)]
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-R-21")
def test_a_prompt_whose_options_resign_is_asked_anew_or_answered() -> None:
    t = lay(
        seat("red Claw"), seat("green Claw"), seat("blue Claw"), seat("red Flame", "b2"), dice=[1]
    )
    t.take("challenge")
    first = t.match.prompts[0]
    t.concede(1)
    again = t.match.prompts[0]
    assert t.offered() == ["seat 3", "seat 4"]
    assert again.id != first.id
    t.concede(3)
    assert t.events("challenge_announced") == [(0, 2)], "the only seat left is challenged"
    t.done(2, "turn_action")


@pytest.mark.rules("KAO-R-06", "KAO-R-23")
def test_an_opportunity_that_a_resignation_has_spoilt_is_discarded_without_effect() -> None:
    t = lay(
        seat("red Claw", hand="Sabotage, Silence"),
        seat("green Claw"),
        seat("blue Claw [b5 | Keen Eye]"),
        draw="r12",
    )
    t.take("opportunity")
    assert t.offered() == ["play Sabotage", "play Silence"]
    t.concede(2)
    assert t.asked == (0, "choose_opportunity"), "one of them must be played"
    t.take("play Silence")
    assert t.discard == "Silence, Keen Eye, b5, blue Claw"
    assert t.hand(0) == "Sabotage, r12"
    t.done(1, "turn_action")


@pytest.mark.rules("KAO-R-23", "KAO-M-04")
def test_the_last_opponent_to_resign_ends_the_match() -> None:
    t = lay(seat("red Claw"), seat("r3", hand="red Flame"))
    t.concede(0)
    assert t.match.outcome is not None
    assert (t.match.outcome.winners, t.match.outcome.reason) == ((1,), "resigned")
    assert t.match.prompts == {}
    with pytest.raises(IllegalMove, match="over"):
        t.match.concede(1)
    t.done()


@pytest.mark.rules("KAO-R-23")
def test_only_a_seat_of_the_table_can_resign() -> None:
    t = lay(seat("red Claw"), seat("r3"))
    for stranger in (-1, 2):
        with pytest.raises(IllegalMove, match="no seat"):
            t.match.concede(stranger)
    t.done(0, "turn_action")


# -- the turn limit ----------------------------------------------------------------------------


def at_the_limit(*seats: dict[str, object], **layout: object) -> Table:
    """The last turn has just ended."""
    layout = {"turn_limit": 20, "turn": len(seats) - 1, "turns": 20 * len(seats) - 1, **layout}
    return lay(*seats, ask=False, **layout)  # type: ignore[arg-type]


@pytest.mark.rules("KAO-R-24")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (seat("red Flame"), seat("b2", "blue Starmaster [b7]", "red Starmaster", "green Claw")),
        (seat("red Flame", "blue Flame"), seat("red Starmaster [r6, r7]", "b3")),
        (seat("red Flame", "blue Stinger"), seat("green Claw [g6, g7, g8]", "green Flame")),
        (seat("red Claw [r2]", "red Flame [r12]"), seat("blue Claw [b7]", "blue Flame")),
        (seat("red Claw [r6]", "red Flame"), seat("blue Claw [b5]", "blue Flame")),
        (seat("red Claw [r6]", "red Flame [r2]"), seat("blue Claw [b5]", "blue Flame [b7]")),
    ],
    ids=[
        "a: a Leader",
        "b: more Characters",
        "c: higher levels",
        "d: more Power Cards, on Guards too",
        "e: more ways of the Leader",
        "e: ways of Guards do not count",
    ],
)
def test_ranking_at_the_turn_limit(better: dict[str, object], worse: dict[str, object]) -> None:
    for order, ranking in (((better, worse), ((0,), (1,))), ((worse, better), ((1,), (0,)))):
        t = at_the_limit(*order)
        assert t.match.outcome is not None
        assert t.match.outcome.ranking == ranking
        assert t.match.outcome.reason == "turn_limit"
        t.done()


@pytest.mark.rules("KAO-R-24")
def test_otherwise_they_share_the_rank() -> None:
    t = at_the_limit(seat("red Claw [r6]"), seat("b2", "blue Flame"), seat("green Claw [g8]"))
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((0, 2), (1,))
    assert t.match.outcome.winners == (0, 2)
    t.done()


@pytest.mark.rules("KAO-R-24")
def test_a_gold_card_counts_each_way_once() -> None:
    t = at_the_limit(seat("red Claw [r6, r6]"), seat("blue Claw [gold 3/5/11, b3]"))
    assert t.match.outcome is not None
    assert t.match.outcome.winners == (1,), "eight ways against five"
    t.done()


@pytest.mark.rules("KAO-R-24", "KAO-R-25")
def test_players_who_are_out_rank_below_the_later_the_higher() -> None:
    t = lay(
        *(
            seat("red Claw"),
            seat("blue Claw"),
            seat("green Claw", "green Flame"),
            seat("red Flame"),
        ),
        turn_limit=20,
        turns=79,
        draw="r12",
    )
    t.concede(3).concede(1)
    t.take("pass")
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((2,), (0,), (1,), (3,))
    t.done()


@pytest.mark.rules("KAO-R-25", "KAO-R-22")
def test_the_ranking_after_eliminations() -> None:
    t = lay(
        *(seat("red Claw [r6]"), seat("blue Claw"), seat("green Claw")),
        dice=[3, (1, 1), (3, 3)],
    )
    t.take("challenge", "seat 3").concede(1)
    assert t.match.outcome is not None
    assert t.match.outcome.ranking == ((0,), (1,), (2,))
    assert all(len(group) == 1 for group in t.match.outcome.ranking)
    t.done()


@pytest.mark.rules("KAO-R-24")
def test_every_turn_that_ends_is_counted_and_the_limit_is_per_starting_seat() -> None:
    t = lay(seat("red Claw"), seat("b2"), seat("b3"), turn_limit=20, turns=57, draw="r12, r11, r10")
    assert t.match.view(None)["turn"] == {"seat": 0, "number": 58, "limit": 60}
    t.concede(1)
    t.take("pass")
    assert t.match.outcome is None, "58 of 60; who is out takes no turns"
    t.take("pass")
    assert t.match.outcome is None
    t.take("pass")
    assert t.match.outcome is not None
    t.done()


@pytest.mark.rules("KAO-R-24", "KAO-R-34")
def test_random_matches_end() -> None:
    reasons = Counter[str]()
    for seed in range(4):
        match = rules.game("kaolan").new_match(
            "match", seats=2 + seed % 3, seed=bytes(31) + bytes([seed]), options={"turn_limit": 20}
        )
        play_out(match)
        assert match.outcome is not None
        reasons[match.outcome.reason] += 1
    assert set(reasons) <= {"last_standing", "turn_limit"}
