"""Why a card cannot be played now, or a Character not attack: a sentence, and its rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rules
from games.knd_ocg.rules.requirements import REQUIREMENTS
from games.knd_ocg.state import catalog
from matches.queries.manual import manual_of
from rules.engine.chance import Chance, named_seed
from rules.testing import Position
from tests.games.knd_ocg.table import duel

ROSA = {"active": "relay-rosa"}
BARE: dict[str, Any] = {}


def said(t: Position) -> dict[str, tuple[str, str]]:
    """The sentences, by card."""
    prompt = t.match.prompts[0]
    slugs = t.match.state.cards.slugs
    rows = t.match.outlook(prompt)["why_not"]
    return {slugs[row["card"]]: (row["says"], row["rule"]) for row in rows}


@pytest.mark.rules("KND-X-07")
def test_exactly_the_cards_in_hand_that_are_no_option_have_a_reason_with_a_rule_to_read() -> None:
    manual = manual_of("knd-ocg", "duel")
    assert manual is not None
    game = rules.game("knd-ocg")
    chance, sentences = Chance(named_seed("why not")), set()
    for number in range(25):
        match = game.new_match(
            "duel",
            seats=2,
            seed=named_seed(f"why not {number}"),
            decks=game.sample_decks("duel", {}, 2, chance),
        )
        while match.outcome is None:
            seat = min(match.prompts)
            prompt = match.prompts[seat]
            if prompt.kind == "play":
                rows = {row["card"]: row for row in match.outlook(prompt)["why_not"]}
                hand, options = match.state.hands[seat], {move.card for move in prompt.options}
                assert set(hand) & rows.keys() == set(hand) - options
                assert not rows.keys() & options
                sentences |= {(row["says"], row["rule"]) for row in rows.values()}
            match.play(seat, prompt.options[chance.pick(len(prompt.options))])
    assert len(sentences) > 20
    for sentence, rule in sentences:
        assert rule in manual.rules
        assert re.fullmatch(r"[A-Z][^_`]{8,88}\.", sentence), sentence


@pytest.mark.rules("KND-X-07", "KND-X-08", "KND-X-20")
@pytest.mark.parametrize(
    ("card", "mine", "theirs", "sentence"),
    [
        ("power-of-the-knd", ROSA, ROSA, "It needs Numbuh 1, Numbuh 2, Numbuh 3, Numbuh 4"),
        ("rewire", ROSA, ROSA, "It needs 2 Characters on your side."),
        ("bandage-brigade", BARE, ROSA, "It needs a Character on your side."),
        ("fire-drill", BARE, ROSA, "You have no Active Character."),
        ("fire-drill", ROSA, ROSA, "You have nobody in the Reserve."),
        ("called-to-the-office", ROSA, ROSA, "It needs a Leader on your side."),
        ("snow-day", ROSA, ROSA, "It needs 2 Pacifists on your side."),
        ("radio-silence", ROSA, ROSA, "Your Active Character must be a Leader."),
        ("detention-slip", {"active": "numbuh-3"}, BARE, "Your opponent has no Active Character."),
        ("second-wind", ROSA, ROSA, "Your Active Character needs 3 Energy under it."),
        (
            "crowbar-lesson",
            {"active": "numbuh-5"},
            ROSA,
            "Your Active Character needs 1 Spy Energy",
        ),
        ("tattletale", {"active": "numbuh-5"}, ROSA, "Your opponent has no card in hand."),
        ("cooties-outbreak", ROSA, ROSA, "It costs another card of your hand."),
        ("lost-and-found", ROSA, ROSA, "Your discard pile holds no such card."),
        ("confiscated", ROSA, ROSA, "Your opponent has no Gear and no card that stays."),
    ],
)
def test_a_special_card_says_what_is_missing(
    card: str, mine: dict[str, Any], theirs: dict[str, Any], sentence: str
) -> None:
    assert said(duel({**mine, "hand": [card]}, theirs))[card][0].startswith(sentence)


def test_every_requirement_of_a_card_has_its_words() -> None:
    cases = {
        word
        for card in catalog().values()
        for word in card.attributes.get("requires", {})
        if word not in ("attached", "count")
    }
    assert cases <= REQUIREMENTS.keys()


@pytest.mark.rules("KND-E-05", "KND-F-12", "KND-X-22", "KND-Y-14")
def test_energy_fleeing_and_attacks_say_why_not() -> None:
    hand = ["attacker-energy", "spy-energy"]
    t = duel({**ROSA, "reserve-1": "milo-the-mole", "hand": hand}, ROSA)
    assert said(t) == {"milo-the-mole": ("To flee, Relay Rosa pays 2 Attacker Energy.", "KND-F-12")}
    t.take("attach attacker-energy relay-rosa", by=0)
    assert said(t)["spy-energy"] == (
        "You have played your Energy card of this turn.",
        "KND-E-05",
    )
    nora = duel({"active": "nap-time-nora"}, ROSA)
    assert said(nora)["nap-time-nora"] == ("Pacifists make no Basic Attacks.", "KND-Y-14")
    [basic, *_] = nora.match.outlook(nora.match.prompts[0])["attacks"]
    assert basic["rule"] == "KND-Y-14"
