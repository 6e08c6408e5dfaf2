"""Bots see the view of their seat and their prompt, and nothing else."""

from __future__ import annotations

import json

import pytest

import rules
from games.kaolan.bot import BOTS, SCORES
from games.kaolan.rules import BOOK
from rules.engine.chance import Chance
from rules.engine.lab import Plan, run, summarise
from rules.engine.match import Match
from rules.engine.moves import Move
from tests.games.kaolan.prompts import ELSEWHERE, EVERY_PROMPT, NEVER_ASKED
from tests.games.kaolan.table import (
    Table,
    lay,
    lay_solo,
    power_seat,
    seat,
    tournament_seat,
)

PROMPTS = {**EVERY_PROMPT, **ELSEWHERE}
KINDS = [pytest.param(*key, id=key[0]) for key in PROMPTS]
INDIFFERENT = {"choose_position", "choose_ability"}
"""Prompts in which the greedy bot has no preference."""


def chance(n: int) -> Chance:
    return Chance(bytes([n]) * 32)


def chosen(match: Match, who: int, bot: str = "greedy", n: int = 1) -> Move:
    """A bot's choice from plain data: a view that went through JSON."""
    view = json.loads(json.dumps(match.view(who)))
    return BOTS[bot].choose(view, match.prompts[who], chance(n))


def same_after_redeals(match: Match, who: int, bot: str, redeals: int = 4) -> None:
    move = chosen(match, who, bot)
    assert move in match.prompts[who].options
    for n in range(redeals):
        assert chosen(match.redeal(who, chance(n)), who, bot) == move


def test_the_greedy_bot_has_an_opinion_on_every_other_prompt() -> None:
    contest = {kind for kind in BOOK.prompts if not kind.startswith("solo_")}
    assert set(SCORES) == contest - INDIFFERENT - NEVER_ASKED


@pytest.mark.parametrize("bot", sorted(BOTS))
@pytest.mark.parametrize(("kind", "who"), KINDS)
def test_a_bot_answers_every_prompt_and_does_not_peek(kind: str, who: int, bot: str) -> None:
    t = PROMPTS[kind, who][0]()
    same_after_redeals(t.match, who, bot)
    t.done(who, kind)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_greedy_bot_does_not_peek_in_whole_matches(seats: int) -> None:
    boosters = tuple(f"booster-{n}" for n in range(1, 7))
    match = rules.game("kaolan").new_match(
        "match", seats=seats, seed=bytes(32), options={"boosters": boosters, "turn_limit": 20}
    )
    for n in range(60):
        if match.outcome is not None:
            break
        ((who, _),) = match.prompts.items()
        if n % 3 == 0:
            same_after_redeals(match, who, "greedy", 2)
        match.play(who, chosen(match, who))


def test_the_same_chance_gives_the_same_move_and_another_may_not() -> None:
    t = EVERY_PROMPT["choose_position", 1][0]()
    assert chosen(t.match, 1, n=3) == chosen(t.match, 1, n=3)
    assert len({chosen(t.match, 1, n=n) for n in range(20)}) == 2
    t.done(1, "choose_position")


# -- what it likes -----------------------------------------------------------------------------


def choice(t: Table, kind: str) -> str:
    """Closes the table: the greedy bot's choice in shorthand."""
    assert t.asked is not None
    who = t.asked[0]
    move = t.text(chosen(t.match, who))
    t.done(who, kind)
    return move


def test_it_fields_the_character_for_which_it_holds_powers() -> None:
    t = lay(seat("r3", hand="red Flame, blue Claw, b5, b6"), seat("b2"), draw="b7").take("place")
    assert choice(t, "choose_character") == "character blue Claw"


def test_it_challenges_when_the_chance_is_good_and_builds_when_it_is_not() -> None:
    weak = lay(seat("red Claw", hand="r7"), seat("blue Flame", "blue Claw"))
    assert choice(weak, "turn_action") == "add_power"
    strong = lay(seat("red Claw [r6, r7, r8]", hand="r2"), seat("blue Flame", "blue Claw"))
    assert choice(strong, "turn_action") == "challenge"


def test_it_picks_the_weakest_leader() -> None:
    t = lay(
        seat("red Claw [r6, r8]"),
        seat("blue Stinger [b5, b6, b7, b8]", "blue Flame"),
        seat("green Claw [g2]", "green Flame"),
    ).take("challenge")
    assert choice(t, "choose_defender") == "seat 3"


def test_it_adds_the_number_that_helps_most_to_its_leader() -> None:
    t = lay(seat("red Claw [r7]", "red Stinger", hand="r7, r2, r6"), seat("b2"), draw="g12")
    t.take("add_power")
    assert choice(t, "choose_power") == "power r6"
    t = lay(seat("red Claw [r7]", "red Stinger", hand="r6"), seat("b2"), draw="g12")
    t.take("add_power")
    assert choice(t, "choose_power_host") == "under red Claw"


def test_it_discards_what_nobody_can_hold_and_keeps_characters() -> None:
    t = lay(seat("red Claw", "b3", hand="red Flame, g2, r7"), seat("b2"), draw="r6").take("pass")
    assert choice(t, "pass_discard") == "discard g2"


@pytest.mark.parametrize(
    ("guard", "ability", "hand", "discarded"),
    [
        ("blue Flame", "Keen Eye", "red Flame, Twin Fangs, r7, g2", "red Flame"),
        ("b3", "Keen Eye", "red Flame, Twin Fangs, r7, g2", "Twin Fangs"),
        ("b3", "", "red Flame, Twin Fangs, r7, r2", "r7"),
        ("b3", "", "red Flame, Twin Fangs, g7, r2", "g7"),
        ("b3", "", "red Flame, Ambush, r8, r2", "r2"),
    ],
    ids=["no position", "no host", "covered", "no colour", "far"],
)
def test_it_discards_first_what_is_of_no_use_and_last_what_can_be_placed(
    guard: str, ability: str, hand: str, discarded: str
) -> None:
    leader = f"red Claw [r7{f' | {ability}' if ability else ''}]"
    guard = f"{guard} [| Second Wind]" if guard != "b3" else guard
    t = lay(seat(leader, guard, hand=hand), seat("b2"), draw="Ambush").take("pass")
    assert choice(t, "pass_discard") == f"discard {discarded}"


def test_without_a_leader_it_keeps_an_ability() -> None:
    t = lay(seat("b3", hand="Twin Fangs, g2, b12"), seat("b2"), draw="b7").take("pass")
    assert choice(t, "pass_discard") in ("discard g2", "discard b12")


def test_in_tournament_play_an_empty_guard_position_can_be_filled() -> None:
    for guards, discarded in (
        (("blue Flame",), "g2"),
        (("blue Flame", "red Stinger"), "red Flame"),
    ):
        t = lay(
            tournament_seat("red Claw [r7]", *guards, hand="red Flame, g2", draw="Ambush, r3"),
            tournament_seat("blue Claw", draw="r4"),
            mode="tournament",
        ).take("pass")
        assert choice(t, "pass_discard") == f"discard {discarded}"


def test_in_power_play_a_level_is_in_the_chain_once() -> None:
    t = lay(
        power_seat("red Claw [r7]", "green Flame", hand="blue Flame, red Stinger, g2"),
        power_seat("blue Claw"),
        draw="Ambush",
        mode="power",
    ).take("pass")
    assert choice(t, "pass_discard") == "discard blue Flame"


@pytest.mark.parametrize(
    ("leader", "expected"),
    [("red Claw [r6, r7, r8]", "challenge"), ("red Claw [r7]", "pass")],
)
def test_it_passes_rather_than_risk_nothing_for_little(leader: str, expected: str) -> None:
    t = lay(seat(leader, hand="g2"), seat("blue Flame [b6, b7, b8]", "blue Claw"), draw="r12")
    assert choice(t, "turn_action") == expected


def test_a_full_leader_challenges_even_with_little_chance() -> None:
    leader = "red Flame [r2, r12]"
    t = lay(seat(leader, hand="g2"), seat("blue Flame [b6, b7]", "blue Claw"), draw="r12")
    assert t.state.limit(t.state.leader(0)) == 2
    assert choice(t, "turn_action") == "challenge"


def test_it_sends_the_strongest_guard_forward() -> None:
    t = lay(
        seat("red Claw [r6]"),
        seat("green Claw", "green Flame", "blue Flame [b7, b6]"),
        dice=[3, (1, 1), (3, 3)],
    ).take("challenge")
    assert choice(t, "step_up") == "step_up blue Flame"


def test_it_gives_up_the_least_useful_power_card() -> None:
    t = lay(
        seat("red Claw [r6]"), seat("green Claw [g2, g7 | Second Wind]"), dice=[3, (5, 6)]
    ).take("challenge")
    assert choice(t, "second_wind") == "spend g2"


def test_it_takes_a_useful_card_from_the_discard_pile() -> None:
    t = lay(
        seat("red Claw", hand="Salvage"), seat("b2"), discard="b7, r2, r8, Keen Eye", draw="g12"
    ).take("opportunity")
    assert choice(t, "salvage_card") == "take r8"


def test_it_counts_no_chance_against_a_leader_of_its_own_colour() -> None:
    strong, weak = "green Stinger [g5, g6, g7, g8 | Shadow Step]", "red Flame"
    t = lay(
        tournament_seat("red Claw [r6, r8]", hand="r7", draw="g2"),
        tournament_seat(strong, "blue Flame"),
        tournament_seat(weak, "blue Claw"),
        mode="tournament",
    )
    assert choice(t, "turn_action") == "add_power", "the weak one may not be challenged"


@pytest.mark.parametrize(
    ("pledged", "move"), [(False, "pass"), (True, "pledge")], ids=["nobody", "an ally"]
)
def test_it_pledges_itself_when_an_ally_is_there(pledged: bool, move: str) -> None:
    t = lay(
        tournament_seat("red Claw", draw="g2"),
        tournament_seat("red Flame", pledged=pledged),
        tournament_seat("green Claw"),
        mode="tournament",
    )
    assert choice(t, "turn_action") == move


def test_in_power_play_it_links_before_it_challenges_with_one_face() -> None:
    t = lay(
        power_seat("red Claw [r6, r7]", hand="blue Flame, r7"),
        power_seat("blue Claw [b6, b7, b8]"),
        mode="power",
    )
    assert choice(t, "turn_action") == "place"


def test_in_power_play_it_adds_the_number_that_the_whole_chain_lacks() -> None:
    t = lay(
        power_seat("red Claw [r6]", "blue Flame [b7]", hand="r7, r8"),
        power_seat("blue Claw"),
        mode="power",
        draw="g2",
    ).take("add_power")
    assert choice(t, "choose_power") == "power r8"


def test_a_grandmaster_with_many_numbers_challenges() -> None:
    chain = "red Claw [r6, r7, r8]", "red Flame [r5, r9]", "red Stinger [r4, r10]"
    t = lay(
        power_seat(*chain, "red Diamondback", "red Starmaster", hand="r12"),
        power_seat("blue Claw"),
        mode="power",
    )
    assert choice(t, "turn_action") == "challenge"


def test_in_single_play_it_arms_its_character_first_and_never_with_keen_eye() -> None:
    t = lay_solo("gold Flame", own="red Claw [r2]", waste="r7")
    assert choice(t, "solo_play") == "attach", "the attack can wait"
    t = lay_solo("Ambush", own="red Claw [r6]", waste="Keen Eye")
    assert choice(t, "solo_play") == "deal"
    t = lay_solo("Ambush", own="red Claw [r7 | Prism Heart]", waste="g7")
    assert choice(t, "solo_play") == "deal", "the number is there already"


def test_in_single_play_it_attacks_when_more_is_won_than_lost() -> None:
    safe = lay_solo("gold Flame", own="red Claw [r6]", waste="g5")
    assert choice(safe, "solo_play") == "attack"
    rash = lay_solo("gold Flame", "b7", "b6", "b8", own="red Claw [r2]", waste="g5")
    assert choice(rash, "solo_play") == "deal"


def test_in_single_play_it_matches_on_the_longest_pile() -> None:
    t = lay_solo("Ambush", "Silence, g7, b8", waste="Sabotage")
    assert choice(t, "solo_play") == "match pile-2"


def test_in_single_play_it_discards_what_is_of_no_use() -> None:
    t = lay_solo("g7", own="red Claw", waste="r7, g3, blue Claw", rest=False).take("recycle")
    assert choice(t, "solo_recycle") == "first"
    t = lay_solo("g7", own="red Claw", waste="blue Claw, g3, r7", rest=False).take("recycle")
    assert choice(t, "solo_recycle") == "last"


@pytest.mark.parametrize(("mode", "seats"), [("tournament", 3), ("power", 2), ("single", 1)])
def test_the_greedy_bot_does_not_peek_in_the_other_modes(mode: str, seats: int) -> None:
    game = rules.game("kaolan")
    ready = [deck.cards for deck in game.starter_decks.values() if mode in deck.modes]
    decks = ready[:seats] if game.modes[mode].own_decks else []
    match = game.new_match(mode, seats=seats, seed=bytes(32), decks=decks)
    for n in range(90):
        if match.outcome is not None:
            break
        ((who, _),) = match.prompts.items()
        if n % 3 == 0:
            same_after_redeals(match, who, "greedy", 2)
        match.play(who, chosen(match, who))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["match", "tournament", "power"])
def test_it_wins_most_matches_against_chance(mode: str) -> None:
    summary = summarise(run(Plan("kaolan", mode, ("greedy", "random"), seed="most"), 80))
    assert summary.bots["greedy"].rate >= 0.6
