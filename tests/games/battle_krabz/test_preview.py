"""Score previews: the worked battle foreseen, and nothing that may not be known."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.chance import Chance, named_seed
from tests.games.battle_krabz.table import E, K, Table, lay, lay_trumps, seat

GAME = rules.game("battle-krabz")


def foreseen(t: Table, by: int, text: str) -> Any:
    """The preview of the option of that text, in short: the score, ``*`` if at most that."""
    foreseen = t.match.preview(t.match.prompts[by], t.options(by)[text])
    if foreseen is None:
        return None
    parts = ("strength", "special", "domain", "colour")
    assert foreseen["score"] == sum(foreseen[part] for part in parts)
    return f"{foreseen['score']}*" if foreseen["at_most"] else str(foreseen["score"])


@pytest.mark.rules("BKZ-B-12", "BKZ-B-13", "BKZ-B-29", "BKZ-R-14")
def test_the_rulebooks_battle_is_foreseen_step_by_step() -> None:
    t = lay(
        seat(
            "krabbi-long-legs-silver eagle-krab-silver eagle-krab-gold moss-krab-silver "
            "paloma-silver coral-wink-silver"
        ),
        seat("flaman-krab-silver fallen-gold gym-bunny-platinum elara-bad-faerie-silver"),
    )
    assert foreseen(t, K, "deploy krabbi-long-legs-silver") == "160"
    t.take("deploy krabbi-long-legs-silver", "deploy eagle-krab-silver")
    assert foreseen(t, K, "done") == "260"
    assert foreseen(t, K, "deploy eagle-krab-gold") == "450"
    assert foreseen(t, K, "deploy moss-krab-silver") == "370"
    t.take("deploy eagle-krab-gold", "deploy flaman-krab-silver", "deploy fallen-gold")
    assert foreseen(t, E, "deploy gym-bunny-platinum") == "380"
    t.take("deploy gym-bunny-platinum")
    assert foreseen(t, E, "pass") == "380"
    assert foreseen(t, E, "boost elara-bad-faerie-silver") == "660"
    t.take("boost elara-bad-faerie-silver")
    assert foreseen(t, K, "boost paloma-silver") == "690*"
    assert foreseen(t, K, "boost coral-wink-silver") == "670*"
    t.take("boost paloma-silver")
    assert foreseen(t, K, "target krabbi-long-legs-silver") == "690"
    assert foreseen(t, K, "target eagle-krab-silver") == "630"
    t.done(K="boost-target")


@pytest.mark.rules("BKZ-B-26", "BKZ-R-14")
def test_the_first_of_two_targets_is_foreseen_with_the_best_second_one() -> None:
    t = lay(
        seat("krabbi-long-legs-silver kite-krab-gold lantern-krab-silver coral-wink-silver"),
        seat("gloom-gull-silver bramble-bully-gold hail-hooligan-silver elara-bad-faerie-gold"),
    )
    t.take(
        *("deploy krabbi-long-legs-silver", "deploy kite-krab-gold", "deploy lantern-krab-silver"),
        *("deploy gloom-gull-silver", "deploy bramble-bully-gold", "deploy hail-hooligan-silver"),
        *("boost elara-bad-faerie-gold", "boost coral-wink-silver"),
    )
    assert foreseen(t, K, "target lantern-krab-silver") == "590*"
    t.take("target lantern-krab-silver")
    assert foreseen(t, K, "target kite-krab-gold") == "580"
    t.done(K="boost-target")


def test_where_no_score_is_decided_nothing_is_foreseen() -> None:
    trumps = lay_trumps("kite-krab-gold eagle-krab-platinum", "fallen-gold moss-krab-gold")
    assert foreseen(trumps, K, "call attack") is None
    trumps.done(K="call")
    t = lay(seat("kite-krab-silver"), seat("fallen-silver"), battle_number=2)
    assert foreseen(t, K, "propose-cut-short") is None
    t.done(K="deploy")


@pytest.mark.rules("BKZ-R-04", "BKZ-R-36")
def test_nothing_that_the_seat_cannot_see_goes_into_it() -> None:
    """Dealt anew for the seat, every option of hundreds of questions foresees the same."""
    chance = Chance(named_seed("players"))
    previewed = 0
    for number in range(4):
        match = GAME.new_match(
            "battle",
            seats=2,
            seed=named_seed(f"preview {number}"),
            options={"target": 10},
            decks=GAME.ready_decks("battle", 2),
        )
        while match.outcome is None:
            by = next(iter(match.prompts))
            prompt = match.prompts[by]
            if prompt.kind in ("deploy", "boost", "boost-target"):
                previewed += 1
                other = match.redeal(by, chance)
                previews = [match.preview(prompt, move) for move in prompt.options]
                assert previews == [other.preview(prompt, move) for move in prompt.options]
                assert any(previews)
            match.play(by, prompt.options[chance.pick(len(prompt.options))])
    assert previewed > 100
