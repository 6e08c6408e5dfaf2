"""The greedy bot beats the random one, and takes what is plainly best."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from games.colossal_kaiju_combat.bot import SCORES
from rules.engine.chance import Chance, named_seed
from rules.testing.playouts import check_bots_are_blind
from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, STORM, Table, lay, seat
from tests.support.sizes import shared

GAME = rules.game("colossal-kaiju-combat")
MATCHES = shared(60, least=10, large=500)


def win_share(mode: str, seats: int, matches: int) -> float:
    """How many matches greedy wins with ready-made decks against random bots."""
    decks = [deck.cards for deck in GAME.starter_decks.values()]
    won = 0.0
    for number in range(matches):
        match = GAME.new_match(
            mode,
            seats=seats,
            seed=named_seed(f"duel {number}"),
            decks=[decks[(number + other * (1 + number // 5 % 4)) % 5] for other in range(seats)],
        )
        chance, me = Chance(named_seed(f"players {number}")), number % seats
        while match.outcome is None:
            prompt = next(iter(match.prompts.values()))
            bot = GAME.bots["greedy" if prompt.seat == me else "random"]
            match.play(prompt.seat, bot.choose(match.view(prompt.seat), prompt, chance))
        if me in match.outcome.winners:
            won += 1 / len(match.outcome.winners)
    return won / matches


@pytest.mark.parametrize("mode", ["standard", "basic"])
def test_greedy_beats_random_at_two_seats(mode: str) -> None:
    assert win_share(mode, 2, MATCHES) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_greedy_wins_more_than_its_share_at_larger_tables(seats: int) -> None:
    assert win_share("standard", seats, max(10, MATCHES // 3)) > 1.5 / seats


def test_it_has_an_answer_to_every_question() -> None:
    assert SCORES.keys() == GAME.rulebook.prompts.keys()


@pytest.mark.parametrize(
    ("mode", "seats", "options"),
    [("standard", 3, {"fury_mode": "claim"}), ("basic", 2, {"illegal_cards": "discard"})],
)
def test_it_does_not_peek_in_whole_matches(mode: str, seats: int, options: Any) -> None:
    """At every question the table itself, another deal of it and the view give equal scores."""
    decks = GAME.ready_decks(mode, seats)
    match = GAME.new_match(mode, seats=seats, seed=bytes(32), decks=decks, options=options)
    chance = Chance(named_seed("erratic"))
    for number in range(300):
        if match.outcome is not None:
            break
        seat, prompt = next(iter(match.prompts.items()))
        if number % 3 == 0:
            check_bots_are_blind(match, match.redeal(seat, chance), seat)
        move = GAME.bots["greedy"].choose(match.view(seat), prompt, chance)
        odd = chance.pick(5) == 0
        match.play(seat, prompt.options[chance.pick(len(prompt.options))] if odd else move)


def chosen(t: Table) -> str:
    prompt = next(iter(t.match.prompts.values()))
    view: Any = t.match.view(prompt.seat)
    return t.text(GAME.bots["greedy"].choose(view, prompt, Chance(bytes(32))))


def test_it_takes_what_is_plainly_best() -> None:
    weak = {"galehorn": 11}
    t = lay(seat(EMBER, "magmaul", "haymaker brace"), seat(STORM, "galehorn", damage=weak))
    assert chosen(t) == "attack galehorn"
    t.take("attack galehorn")
    assert chosen(t) == "pay haymaker"
    t.done()
    t = lay(
        seat(EMBER, "magmaul", "haymaker brace"),
        seat(DEEP, "pelagor", "brace brace brace brace brace"),
        city=[("guardian-mech", 1, 7)],
    )
    assert chosen(t) == "rampage"
    t.done()
    t = lay(seat(EMBER, "magmaul", "plasma-breath", energy=0), seat(STORM, "galehorn", damage=weak))
    t.take("attack galehorn")
    assert chosen(t) == "bluff plasma-breath"  # nothing can answer it
    t.done()
    t = lay(seat(EMBER, "magmaul", "haymaker"), seat(STORM, "galehorn", "back-off brace"))
    t.take("attack galehorn", "pay haymaker")
    assert chosen(t) == "pay back-off"
    t.done()


def test_it_plans_its_energy_and_challenges_nobody_who_will_decline() -> None:
    guarded = seat(STORM, "galehorn", "brace brace brace brace brace", damage={"zephyrix": 12})
    hand = "plasma-breath thunderclap energy-barrier"
    for energy, expected in ((4, "roar"), (12, "attack galehorn")):
        t = lay(seat(IRON, "bastion-prime", hand, energy=energy), guarded)
        assert chosen(t) == expected  # with 4 Energy only one of both blows can be paid
        t.done()
    for plans, dares in (("", False), ("taunt", True)):
        t = lay(seat(EMBER, "magmaul", "haymaker brace", plans=plans), guarded)
        assert (chosen(t) == "challenge zephyrix") == dares
        t.done()


def test_it_counts_the_glory_of_a_whole_rampage() -> None:
    """Iron Menagerie gets one more for the first city card; what stands behind it may fall, too."""
    city = [("suspension-bridge", 1, 3), ("oil-refinery", 1, 4)]
    weak = {"galehorn": 6}
    for team, kaiju, expected in (
        (IRON, "gearhorn", "rampage"),
        (EMBER, "magmaul", "attack galehorn"),
    ):
        rival = seat(STORM, "galehorn", "brace brace brace", damage=weak)
        t = lay(
            seat(team, kaiju, "haymaker straight-jab brace"), rival, city=city[: 1 + (team == IRON)]
        )
        assert chosen(t) == expected
        t.done()
