"""Bots see the view of their seat and their prompt, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from games.battle_krabz.bot import BOTS, SCORES, card_value, line_score
from games.battle_krabz.rules import BOOK
from games.battle_krabz.state import catalog
from rules.engine.chance import Chance
from rules.engine.lab import Plan, Summary, run
from tests.games.battle_krabz.table import E, K, Table, lay, lay_trumps, seat
from tests.games.battle_krabz.test_scenarios import LINES


def choice(t: Table, by: int | None = None, n: int = 1) -> str:
    """The greedy bot's choice from plain data: a view that went through JSON."""
    (who,) = [by] if by is not None else t.match.prompts
    view = json.loads(json.dumps(t.match.view(who)))
    move = BOTS["greedy"].choose(view, t.match.prompts[who], Chance(bytes([n]) * 32))
    return t.text(move)


def test_the_greedy_bot_has_an_opinion_on_every_prompt() -> None:
    assert set(SCORES) | {"call"} == set(BOOK.prompts)


@pytest.mark.parametrize(("role", "line", "score"), LINES.values(), ids=list(LINES))
def test_it_reckons_as_the_rules_do(role: str, line: str, score: str) -> None:
    cards = [catalog()[slug] for slug in line.split()]
    assert line_score(cards, role == "A") == int(score.rpartition(" ")[2])


def test_card_values_follow_the_specification() -> None:
    values = {slug: card_value(catalog()[slug]) for slug in catalog()}
    assert values["kite-krab-silver"] == 1.7
    assert values["malapple-silver"] == values["healing-spring-gold"] == 1.0
    assert values["twin-pearls-silver"] == 1.7
    assert values["unicorn-silver"] == values["maelstrom-gold"] == 2.2
    assert values["solara-silver"] > values["paloma-silver"] > values["dewdrop-nell-silver"]


def test_greedy_beats_random() -> None:
    summary = Summary()
    for result in run(Plan("battle-krabz", "battle", ("greedy", "random")), 30):
        summary.add(result)
    assert summary.bots["greedy"].rate >= 0.7
    for result in run(Plan("battle-krabz", "multi", ("greedy", "random")), 30):
        summary.add(result)
    assert summary.bots["greedy"].rate >= 0.7


# -- what it likes ---------------------------------------------------------------------------------


def battle(mine: str, theirs: str, **layout: Any) -> Table:
    return lay(seat(mine), seat(theirs), **layout)


def test_it_boosts_as_little_as_wins_and_not_when_ahead() -> None:
    t = battle(
        "kite-krab-silver paloma-silver aurora-first-light-gold dewdrop-nell-silver",
        "gloom-gull-silver grubba-silver grubba-gold",
    )
    assert t.asked == {K: "boost"}, "120 to 130"
    assert choice(t) == "boost dewdrop-nell-silver"
    t.take("boost dewdrop-nell-silver")
    assert choice(t) in ("boost grubba-gold", "boost grubba-silver")
    t.concede(K).done()

    t = battle("spark-snapper-silver paloma-silver", "gale-thief-silver grubba-silver")
    t.take("pass")
    assert t.asked == {K: "boost"}
    assert choice(t) == "pass"
    t.concede(K).done()


def test_it_boosts_its_strongest() -> None:
    t = battle(
        "krabbi-long-legs-silver lantern-krab-silver paloma-gold",
        "gloom-gull-platinum bramble-bully-holo",
    )
    t.take("deploy krabbi-long-legs-silver", "deploy lantern-krab-silver")
    t.take("deploy gloom-gull-platinum", "deploy bramble-bully-holo", "boost paloma-gold")
    assert choice(t) == "target krabbi-long-legs-silver"
    t.concede(K).done()


def test_it_plays_a_power_card_that_saves_the_match() -> None:
    mine = "iglu-krab-silver moss-krab-silver kite-krab-silver healing-spring-silver"
    foes = "salt-bandit-silver fallen-silver hail-hooligan-silver"
    t = lay(seat(mine, lost=17), seat(foes), attacker=E, target=20)
    for card in (*foes.split(), *mine.split()[:3]):
        t.take(f"deploy {card}")
    assert t.asked == {K: "power"}
    assert choice(t) == "play healing-spring-silver"
    t.concede(K).done()


def test_it_keeps_what_is_strong_in_the_next_role() -> None:
    stacks = {"warriors": "eagle-krab-gold", "supports": "unicorn-gold solara-gold"}
    t = lay(
        seat("moss-krab-gold spark-snapper-gold", **stacks),
        seat("gloom-gull-silver", warriors="fallen-gold fallen-silver"),
    )
    t.take("deploy moss-krab-gold", "deploy spark-snapper-gold")
    assert choice(t, K) == "keep", "Moss Krab defends well"
    t.take("keep", by=K)
    assert choice(t, K) == "recycle", "Spark Snapper does not"
    t.concede(K).done()


def test_it_ends_the_match_only_when_that_wins() -> None:
    for lost, answer in ((3, "decline"), (1, "accept")):
        t = lay(
            seat("kite-krab-silver moss-krab-silver", lost=lost),
            seat("gloom-gull-silver salt-bandit-silver", lost=2),
            attacker=E,
            battle_number=4,
        )
        assert choice(t) != "propose-cut-short"
        t.take("propose-cut-short")
        assert choice(t) == answer
        t.concede(K).done()


def test_it_calls_the_number_that_is_likeliest_to_be_highest() -> None:
    for front, category in (
        ("krabbi-long-legs-platinum", "special"),
        ("salt-bandit-gold", "attack"),
        ("black-ice-bob-gold", "hp"),
        ("thorn-pincher-gold", "attack"),
    ):
        t = lay_trumps(f"{front} moss-krab-gold", "kite-krab-gold", "gloom-gull-platinum")
        assert choice(t) == f"call {category}"
        t.done(S0="call")


def test_bots_have_names() -> None:
    for bot in rules.game("battle-krabz").bots.values():
        assert bot.name
        assert bot.summary.endswith(".")
