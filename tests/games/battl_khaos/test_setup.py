"""Set-up, sides, pools, and whose pieces are whose (BKH-S-…)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rules
from games.battl_khaos.grid import MIDDLE
from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadSetup
from rules.engine.legality import Decklist
from rules.engine.match import Match

GAME = rules.game("battl-khaos")
MARSH = GAME.starter_decks["bkh-starter-marsh"].cards
HILL = GAME.starter_decks["bkh-starter-hill"].cards


def begun(mode: str = "classic", seed: str = "begun", **options: Any) -> Match:
    decks: list[Decklist] = [] if mode == "classic" else [MARSH, HILL]
    seed_ = named_seed(seed)
    return GAME.new_match(mode, seats=2, seed=seed_, options=options, decks=decks)


def pool(match: Match) -> Counter[str]:
    """All battlefield tiles of a match that has just begun."""
    s: Any = match.state
    tiles = [*s.pile, *s.row, *s.hands[0], *s.hands[1]]
    return Counter(s.cards.slugs[card] for card in tiles)


@pytest.mark.rules("BKH-S-01", "BKH-S-02", "BKH-R-01", "BKH-T-13")
def test_the_orcs_begin_and_the_lot_or_the_option_says_who_they_are() -> None:
    for option, seat in (("seat1", 0), ("seat2", 1)):
        match = begun(orcs=option)
        assert [player["side"] for player in match.view(None)["players"]][seat] == "O"
        assert list(match.prompts) == [seat]
    drawn = [next(iter(begun(seed=f"lot {n}").prompts)) for n in range(40)]
    assert 8 < sum(drawn) < 32
    for seats in (1, 3):
        with pytest.raises(BadSetup):
            GAME.new_match("classic", seats=seats, seed=bytes(32))


@pytest.mark.rules("BKH-S-03", "BKH-S-05", "BKH-S-06", "BKH-S-07")
@pytest.mark.parametrize("mode", ["classic", "warband"])
def test_the_shared_box(mode: str) -> None:
    core = {
        slug: 1
        for slug, card in GAME.catalog.items()
        if card.kind == "field" and "core" in card.sets
    }
    special = {slug: 1 for slug, card in GAME.catalog.items() if card.kind == "special"}
    for specials, stack in ((False, 49), (True, 54)):
        match = begun(mode, specials=specials)
        assert pool(match) == core | (special if specials else {})
        view = match.view(0)
        assert view["stack"] == stack
        own, other = view["players"]
        assert len(own["hand"]["cards"]) == 3
        assert other["hand"] == {"count": 3, "cards": []}
        assert all(view["row"])


@pytest.mark.rules("BKH-S-03", "BKH-S-08", "BKH-S-09", "BKH-R-38")
def test_in_army_tiles_and_towers_are_pooled() -> None:
    match = begun("army")
    assert pool(match) == Counter(MARSH["field"]) + Counter(HILL["field"])
    s: Any = match.state
    towers = [*s.supply, *(lies >> 2 for lies in s.tiles.values())]
    counts = Counter(s.cards.slugs[card] for card in towers)
    assert counts == Counter(MARSH["towers"]) + Counter(HILL["towers"])
    twice = GAME.new_match("army", seats=2, seed=bytes(32), decks=[MARSH, MARSH])
    assert set(pool(twice).values()) == {2}


@pytest.mark.rules("BKH-S-11", "BKH-R-39")
@pytest.mark.parametrize("mode", ["warband", "army"])
def test_tokens_take_the_side_of_their_seat(mode: str) -> None:
    own = {"tokens": dict.fromkeys(("bkh-p-mage", "bkh-p-giant", "bkh-p-archer"), 1)}
    own["tokens"] |= {"bkh-p-halberd": 1, "bkh-p-drums": 1}
    for orcs in (0, 1):
        match = GAME.new_match(
            mode,
            seats=2,
            seed=bytes(32),
            options={"orcs": f"seat{orcs + 1}"},
            decks=[{**MARSH, **own}, HILL],
        )
        first, second = match.view(None)["players"]
        assert [token["slug"] for token in first["tokens"]] == [
            slug for slug in GAME.catalog if slug in own["tokens"]
        ]
        assert [token["slug"] for token in second["tokens"]] == list(HILL["tokens"])
        assert match.state.side(0) == (1 if orcs == 0 else -1)  # type: ignore[attr-defined]


@pytest.mark.rules("BKH-S-04", "BKH-S-08", "BKH-S-13")
def test_draws_come_in_their_order() -> None:
    chance = Chance(named_seed("order"))
    match = begun(seed="order")
    orcs = chance.pick(2)
    tiles = list(range(58))
    chance.shuffle(tiles)
    first = 58 + chance.pick(8)
    s: Any = match.state
    assert s.orcs == orcs
    assert s.tiles == {MIDDLE: first * 4}
    assert s.hands[orcs] == tiles[:3]
    assert s.hands[1 - orcs] == tiles[3:6]
    assert s.row == tiles[6:9]
    assert s.pile[::-1] == tiles[9:]
    assert s.chance.position == chance.position
    fixed = begun(seed="order", orcs="seat1")
    again = Chance(named_seed("order"))
    tiles = list(range(58))
    again.shuffle(tiles)
    assert fixed.state.pile[::-1] == tiles[9:]  # type: ignore[attr-defined]


@pytest.mark.rules("BKH-S-12")
def test_every_token_and_special_tile_is_explained() -> None:
    for card in GAME.catalog.values():
        assert bool(card.text) == (card.kind in ("token", "special")), card.slug


@pytest.mark.rules("BKH-D-36", "BKH-D-40", "BKH-D-41")
def test_the_table_judges_the_armies_by_its_options() -> None:
    tiles = dict(MARSH["field"])
    for slug in ("bkh-f27", "bkh-f29"):
        del tiles[slug]
    special = {**MARSH, "field": {**tiles, "bkh-x-temple": 1, "bkh-x-stones": 1}}
    for options, refused in (({}, False), ({"specials": False}, True)):
        again = {"seats": 2, "seed": bytes(32), "options": options, "decks": [special, HILL]}
        if refused:
            with pytest.raises(BadSetup, match="special"):
                GAME.new_match("army", **again)  # type: ignore[arg-type]
        else:
            assert sum(pool(GAME.new_match("army", **again)).values()) == 58  # type: ignore[arg-type]
    with pytest.raises(BadSetup):
        GAME.new_match("warband", seats=2, seed=bytes(32), decks=[MARSH])
    with pytest.raises(BadSetup, match="Nobody brings a deck"):
        GAME.new_match("classic", seats=2, seed=bytes(32), decks=[MARSH, HILL])
