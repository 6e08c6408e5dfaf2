"""Pools of every game that offers sealed or draft: the fewest packs make a deck that is played."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest

import rules
from decks.models import CardPool, Deck
from decks.queries import pools, verdicts
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.limited import (
    Limited,
    limited_modes,
    opener_of,
    pods_of,
    taker_of,
)
from rules.engine.packs import contents_of, open_pack

OFFERS = [
    pytest.param(game, offer, id=f"{game.slug}-{offer.mode}")
    for game in rules.games().values()
    for offer in limited_modes(game).values()
]


def opened(game: Game, offer: Limited, packs: int, *about: object) -> list[str]:
    contents = contents_of(game.slug, game.products[offer.product], game.products)
    return [
        drawn.card
        for number in range(packs)
        for drawn in open_pack(
            contents, Chance(hashlib.sha256(f"{about}{number}".encode()).digest())
        )
    ]


def ruling(game: Game, mode: Mode, offer: Limited, cards: dict[str, int]) -> verdicts.PoolRuling:
    format = mode.format(mode.checked_options(offer.options))
    return verdicts.pool_ruling(game.slug, mode.slug, format, cards)


def plays(game: Game, mode: Mode, offer: Limited, decks: list[Any]) -> None:
    """Two such decks sit down at a table with the options of the offer."""
    options = mode.checked_options(offer.options)
    match = game.new_match(mode.slug, seats=2, seed=bytes(32), options=options, decks=decks)
    assert match.outcome is None


@pytest.mark.parametrize(("game", "offer"), OFFERS)
def test_the_fewest_packs_make_a_deck_that_may_be_played(game: Game, offer: Limited) -> None:
    mode = game.mode(offer.mode)
    decks = []
    for number in range(4):
        pool = Counter(offer.basics) + Counter(opened(game, offer, offer.sealed, number))
        deck = pools.built(game, mode, ruling(game, mode, offer, pool), bytes(32))
        assert deck is not None and not verdicts.outside(pool, deck)
        decks.append(deck)
    plays(game, mode, offer, decks[:2])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "offer"), [row for row in OFFERS if row.values[1].draft])
def test_bots_draft_decks_that_may_be_played(game: Game, offer: Limited) -> None:
    mode, seats = game.mode(offer.mode), 2
    judge = ruling(game, mode, offer, dict(offer.basics))
    picks: list[list[str]] = [[] for _ in range(seats)]
    for turn in range(1, offer.draft // offer.pile + 1):
        piles = [opened(game, offer, offer.pile, turn, seat) for seat in range(seats)]
        for number in range(1, len(piles[0]) + 1):
            for seat in range(seats):
                pile = piles[opener_of(seat, number, turn, seats)]
                place = pools.best_pick(game, mode, judge, picks[seat], pile, number)
                picks[seat].append(pile.pop(place))
    basics = Counter(offer.basics)
    built = [
        pools.built(game, mode, ruling(game, mode, offer, basics + Counter(cards)), bytes(32))
        for cards in picks
    ]
    assert None not in built
    plays(game, mode, offer, built)


def test_pods_are_as_equal_as_possible() -> None:
    for players in range(2, 100):
        sizes = pods_of(players, 8)
        assert sum(sizes) == players and max(sizes) <= 8
        assert max(sizes) - min(sizes) <= 1 and len(sizes) == -(-players // 8)


@pytest.mark.parametrize("turn", [1, 2])
def test_a_pile_lies_where_the_next_pick_is_made(turn: int) -> None:
    seats = 5
    for opener in range(seats):
        for picks in range(12):
            seat = taker_of(opener, picks, turn, seats)
            assert opener_of(seat, picks + 1, turn, seats) == opener
    assert taker_of(0, 1, turn, seats) == (1 if turn == 1 else seats - 1)


def test_a_deck_of_another_mode_has_no_pool() -> None:
    pool = CardPool(game="a", mode="b", cards={"x": 1})
    assert verdicts.pool_of(Deck(game="a", mode="b", pool=pool)) == pool
    assert verdicts.pool_of(Deck(game="a", mode="c", pool=pool)) is None
