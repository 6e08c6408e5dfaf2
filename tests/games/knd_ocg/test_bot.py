"""The greedy bot: what it does on a table, and how it does against chance."""

from __future__ import annotations

import rules
from games.knd_ocg.bot import choose_greedy
from games.knd_ocg.determinization import imagined
from rules.engine.chance import Chance, named_seed
from rules.testing import Position
from rules.testing.playouts import Setup, playout
from tests.games.knd_ocg.table import duel, go
from tests.support.sizes import shared

GAME = rules.game("knd-ocg")
DUEL = GAME.modes["duel"]
MATCHES = shared(24, least=6, large=500)
TESS = {"active": "trashcan-lid-tess"}


def chosen(t: Position) -> str:
    """The bot's move for the seat that is asked, without the numbers of the cards."""
    seat, _kind = t.asked or (0, "")
    move = choose_greedy(t.match.view(seat), t.match.prompts[seat], Chance(bytes(32)))
    return " ".join(word.partition("~")[0] for word in t.match.notation(move).split())


def test_it_takes_a_win() -> None:
    seat = {"active": "numbuh-4", "under active": ["A", "A"]}
    foe = {"active": "numbuh-1", "hp active": 40, "fallen": 4, "reserve-1": "numbuh-2"}
    assert chosen(duel(seat, foe)) == "attack1 numbuh-4 numbuh-1"


def test_it_prepares_an_attack_that_it_lacks_energy_for() -> None:
    seat = {"active": "numbuh-4", "under active": ["A"], "hand": ["A", "N"]}
    foe = {"active": "numbuh-1", "hp active": 40, "fallen": 4, "reserve-1": "numbuh-2"}
    t = duel(seat, foe)
    assert chosen(t) in ("attach attacker-energy numbuh-4", "effect numbuh-4")
    go(t, "attach attacker-energy numbuh-4")
    assert chosen(t) == "attack1 numbuh-4 numbuh-1"
    seat = {"active": "numbuh-1", "reserve-1": "relay-rosa", "hand": ["A"]}
    t = duel({**seat, "under reserve-1": ["A", "giant-slingshot"]}, TESS)
    assert chosen(t) == "attach attacker-energy relay-rosa", "Gear is no Energy"


def test_it_never_ends_a_turn_with_an_empty_field_if_it_can_help_it() -> None:
    t = duel({"hand": ["milo-the-mole"]}, TESS)
    assert chosen(t).startswith("place milo-the-mole")


def test_it_does_not_attack_a_wall_for_nothing() -> None:
    assert chosen(duel({"active": "milo-the-mole"}, TESS)) == "end"


def test_it_plays_cards_whose_gain_no_trial_shows() -> None:
    seat = {"active": "numbuh-4", "discard": ["numbuh-1"]}
    for slug in ("roll-call", "juice-box-stash", "lost-and-found"):
        assert chosen(duel({**seat, "hand": [slug]}, TESS)) == f"special {slug}"
    shift = {**seat, "hand": ["double-shift", "A", "A"]}
    assert chosen(duel({**shift, "hand": ["double-shift", "A"]}, TESS)) != "special double-shift"
    t = go(duel(shift, TESS), "attach attacker-energy numbuh-4")
    assert chosen(t) == "special double-shift"


def test_it_answers_questions_within_an_action() -> None:
    seat = {
        "active": "numbuh-1",
        "hp active": 20,
        "reserve-1": "relay-rosa",
        "hand": ["bandage-brigade"],
    }
    t = go(duel(seat, {"active": "numbuh-4"}), "special bandage-brigade")
    assert chosen(t) == "pick numbuh-1"
    t = go(
        duel({**seat, "hand": ["cooties-outbreak", "milo-the-mole", "L", "L"]}, TESS),
        "special cooties-outbreak",
    )
    assert t.asked == (0, "pick-hand")
    assert chosen(t) == "discard leader-energy"


def test_what_it_imagines_is_what_it_sees() -> None:
    """All through a match: the imagined table shows the seat the same as the real one."""
    for match, _ply, _events in playout(Setup(GAME, DUEL, 2, named_seed("imagined"))):
        for seat in (0, 1):
            view = match.view(seat)
            if view["turn"]["number"] == 0 or match.outcome is not None:
                continue
            twin = imagined(view)
            again = GAME.table.view(twin, seat)
            for part in ("turn", "clash", "quiet"):
                assert again[part] == view[part]
            for row, other in zip(again["players"], view["players"], strict=True):
                for part in ("fallen", "discard", "specials", "removed", "deck"):
                    assert row[part] == other[part]
                assert row["hand"]["count"] == other["hand"]["count"]
                assert _numbers(row) == _numbers(other)


def _numbers(row: dict[str, object]) -> list[object]:
    """The derived values of the Characters."""
    places = [row["active"], *row["reserve"]]  # type: ignore[misc]
    return [
        character
        and (
            character["hp"],
            character["ap"],
            character["dp"],
            character["ready"],
            character["works"],
        )
        for character in places
    ]


def test_it_beats_chance() -> None:
    """At least nine in ten; 500 matches with ``SIZE=large``."""
    won = 0
    for number in range(MATCHES):
        chance = Chance(named_seed(f"bots {number}"))
        decks = [deck.cards for deck in GAME.starter_decks.values()]
        match = GAME.new_match(
            "duel",
            seats=2,
            seed=named_seed(f"duel {number}"),
            decks=[decks[chance.pick(6)], decks[chance.pick(6)]],
        )
        while match.outcome is None:
            seat = min(match.prompts)
            prompt = match.prompts[seat]
            bot = GAME.bots["greedy" if seat == number % 2 else "random"]
            match.play(seat, bot.choose(match.view(seat), prompt, chance))
        won += match.outcome.winners == (number % 2,)
    assert won >= 0.9 * MATCHES
