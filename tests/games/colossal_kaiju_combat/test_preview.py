"""Previews of a card before it is laid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, IRON, Table, lay, seat


def preview(t: Table, move: str) -> dict[str, Any]:
    prompt = next(iter(t.match.prompts.values()))
    preview = t.match.preview(prompt, t.options()[move])
    assert preview is not None
    return preview


@pytest.mark.rules("CKC-R-21", "CKC-R-22", "CKC-C-13", "CKC-C-14")
def test_the_cost_split_and_the_sum_spelled_out() -> None:
    t = lay(
        seat(EMBER, "magmaul", "shoulder-cannon plasma-breath", energy=3),
        seat(IRON, "bastion-prime", "sidestep trade-blows"),
    )
    t.take("attack bastion-prime")
    paid = preview(t, "pay shoulder-cannon")
    assert (paid["ferocity"], paid["agility"], paid["energy"]) == (1, 0, 1)
    assert (paid["energy_left"], paid["power_left"]) == (2, 2)
    assert [(row["words"], row["total"]) for row in paid["values"]] == [
        ("5 − Armor 1 − Shield 1", 3)
    ]
    bluff = preview(t, "bluff plasma-breath")
    assert bluff["bluff"]
    assert bluff["energy"] == 0
    assert t.match.preview(next(iter(t.match.prompts.values())), t.options()["done"]) is None
    t.done()


@pytest.mark.rules("CKC-Y-05", "CKC-C-13")
def test_an_adjacent_location_is_in_the_sum() -> None:
    t = lay(
        seat(DEEP, "pelagor", "wrecking-tail"), seat(IRON, "gearhorn"),
        city=[("harbor-docks", 0), ("old-quarter", 0)],
    )  # fmt: skip
    t.take("attack gearhorn", "move 0")
    assert preview(t, "pay wrecking-tail")["values"][0]["words"] == "5 + Tail 1 + Harbor Docks 1"
    t.done()


def test_a_preview_never_depends_on_a_card_face_down() -> None:
    seen = []
    for card in ("haymaker", "straight-jab"):
        t = lay(seat(EMBER, "obsidrake", card), seat(IRON, "bastion-prime", "sidestep riposte"))
        t.take("attack bastion-prime", f"pay {card}")
        seen.append([preview(t, move) for move in ("pay sidestep", "pay riposte")])
        t.done()
    assert seen[0] == seen[1]
    sidestep, riposte = seen[0]
    assert sidestep["kind"] == "toughness"
    assert sidestep["perhaps"] == [["against a Fierce Attack", 3]]
    assert riposte["kind"] == "counter"
    assert riposte["values"][0]["words"] == "2 + Shield 1 + Bastion Prime 1"


@pytest.mark.rules("CKC-E-05", "CKC-C-30")
def test_it_is_said_why_a_card_cannot_be_paid() -> None:
    hand = "plasma-breath energy-barrier trade-blows all-out-assault"
    t = lay(seat(EMBER, "magmaul", hand, energy=1), seat(IRON, "gearhorn"))
    t.take("attack gearhorn")
    assert t.why_not() == {
        "energy-barrier": ("It is a Shield card.", "CKC-C-08"),
        "trade-blows": ("A Counterattack can only answer an attack.", "CKC-C-20"),
    }
    assert t.why_not("unpaid") == {
        "plasma-breath": ("Not enough Energy: it needs 3, and you have 1.", "CKC-E-03"),
    }
    t.done()
    tank = [("tank-column", 1)]
    t = lay(seat(EMBER, "magmaul", "plasma-breath haymaker", energy=1), seat(IRON), city=tank)
    t.take("rampage")
    assert t.why_not().keys() == {"plasma-breath"}  # nothing is a bluff in a rampage (CKC-Y-14)
    t.done()
    t = lay(seat(EMBER, "magmaul", "all-out-assault"), seat(IRON, "gearhorn"))
    t.take("attack gearhorn")
    assert t.offered() == ["bluff all-out-assault", "done"]
    assert t.why_not("unpaid") == {
        "all-out-assault": ("You have no other card to discard for it.", "CKC-R-23"),
    }
    t.done()
