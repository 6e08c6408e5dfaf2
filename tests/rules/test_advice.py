"""Advice: what it may know, what it spends, and that its numbers are about the options."""

from __future__ import annotations

from functools import lru_cache

import pytest

import rules
from rules import advice
from rules.advice import Advice, advise, advise_with_open_cards, finisher_of
from rules.engine.bots import Thinker, Worlds
from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.search import open_redeals, redeals
from rules.testing.playouts import playable_modes
from tests.games.examples import EXAMPLE

MODES = [pytest.param(game, mode, id=f"{game.slug}-{mode.slug}") for game, mode in playable_modes()]
SECRETS = Chance(bytes(32))


@lru_cache
def late(slug: str, mode: str) -> Match:
    """A match near its end, at a question with several options."""
    game = rules.game(slug)
    seats = 2 if 2 in game.modes[mode].seats else game.modes[mode].seats[0]
    match = game.new_match(
        mode, seats=seats, seed=named_seed("late"), decks=game.ready_decks(mode, seats)
    )
    chance, bot = Chance(bytes(32)), [*game.bots.values()][-1]
    questions: list[Match] = []
    while match.outcome is None:
        if len(match.prompts[min(match.prompts)].options) > 2:
            questions.append(match.clone())
        seat = min(match.prompts)
        match.play(seat, bot.choose(match.view(seat), match.prompts[seat], chance))
    return questions[len(questions) * 3 // 4]


def advice_at(match: Match, seat: int, worlds: Worlds | None = None, playouts: int = 8) -> Advice:
    return advise(
        worlds or redeals(match, seat, SECRETS.clone()),
        match.prompts[seat],
        SECRETS.clone(),
        playouts=playouts,
        limit=2,
    )


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_it_follows_from_what_the_seat_knows(game: Game, mode: Mode) -> None:
    """The permutation test, in all modes: matches that look alike to a seat get the same advice."""
    match = late(game.slug, mode.slug)
    seat = min(match.prompts)
    twin = match.redeal(seat, Chance(named_seed("twin")))
    result = advice_at(match, seat)
    assert result == advice_at(twin, seat)
    assert all(0 <= row.chance <= 1 for row in result.tried)
    assert result.best.behind == 0
    # A thinker advises where the mode offers one.
    thinkers = [slug for slug, it in game.thinkers.items() if mode.slug in it.modes]
    assert result.by == (thinkers[0] if thinkers else [*game.bots][-1])


def test_chances_come_from_the_end_where_a_leaf_only_ranks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The thinker chooses, the quick bot plays on; no option is tried twice for its copies."""
    game, mode = next(
        (game, foresight.mode)
        for game in rules.games().values()
        for foresight in game.foresights.values()
        if not foresight.tells_chances
    )
    assert finisher_of(game, mode) is [*game.bots.values()][-1]
    assert finisher_of(EXAMPLE, "match") is None
    monkeypatch.setattr(advice, "_by_leaf", None)
    monkeypatch.setattr(advice, "_to_the_end", lambda *_: lambda world, move: 0.5)
    match = late(game.slug, mode)
    for _ in range(12):
        seat = min(match.prompts)
        tried = [row.move for row in advice_at(match, seat).tried]
        labels = [match.label(move) for move in tried]
        assert len({*labels}) == len(labels) <= 4
        match.play(seat, tried[0])


def test_advice_that_peeks_is_caught() -> None:
    match = late(EXAMPLE.slug, "match")
    seat = min(match.prompts)
    twins = [match.redeal(seat, Chance(named_seed(f"twin {n}"))) for n in range(12)]
    peeking = {advice_at(twin, seat, worlds=twin.clone) for twin in twins}
    assert len(peeking) > 1, "the true match was in its hands, and the permutation test is blind"
    assert len({advice_at(twin, seat) for twin in twins}) == 1


def _held(match: Match, world: Match) -> list[list[int]]:
    """By owner: the cards that some seat sees in its zones, in a world of the match.

    Together, since an answer that was given in secret is guessed anew.
    """
    held: list[list[int]] = [[] for _ in range(match.seats + 1)]
    for name, owner, cards in world.state.zones():
        if any(match.state.sees(seat, name, owner) for seat in range(match.seats)):
            held[match.seats if owner is None else owner].extend(cards)
    return [sorted(cards) for cards in held]


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_open_hands_are_those_of_the_match_and_piles_are_not(game: Game, mode: Mode) -> None:
    match = late(game.slug, mode.slug)
    seat = min(match.prompts)
    before = match.dump()
    worlds = open_redeals(match, seat, SECRETS.clone())
    for world in (worlds(), worlds()):
        assert _held(match, world) == _held(match, match)
    assert match.dump() == before, "the match itself shows no more than before"


def test_open_piles_are_dealt_anew() -> None:
    match = late(EXAMPLE.slug, "match")
    worlds = open_redeals(match, 0, SECRETS.clone())
    dealt = {str([list(zone[2]) for zone in worlds().state.zones()]) for _ in range(6)}
    assert len(dealt) > 1


def test_with_open_hands_the_best_is_tried_again() -> None:
    match = late(EXAMPLE.slug, "match")
    seat = min(match.prompts)
    played = match.prompts[seat].options[-1]
    result = advise_with_open_cards(
        open_redeals(match, seat, SECRETS.clone()),
        match.prompts[seat],
        SECRETS.clone(),
        playouts=48,
        also=[played],
    )
    assert 1 <= len(result.tried) <= 2
    assert result.of(played) is not None
    assert result.worlds >= advice.FEWEST_WORLDS


def test_it_keeps_to_its_playouts_and_stops_when_told() -> None:
    match = late(EXAMPLE.slug, "power")
    seat = min(match.prompts)
    dealt = 0
    deal = redeals(match, seat, SECRETS.clone())

    def worlds() -> Match:
        nonlocal dealt
        dealt += 1
        world: Match = deal()
        return world

    prompt = match.prompts[seat]
    whole = advise(worlds, prompt, SECRETS.clone(), playouts=40, limit=2)
    assert whole.worlds == 20
    assert dealt == 21
    assert len(whole.tried) == 2
    cut = advise(worlds, prompt, SECRETS.clone(), playouts=40, limit=2, enough=lambda: True)
    assert cut.worlds == advice.FEWEST_WORLDS


def test_what_wins_for_sure_is_told_from_what_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    match = late(EXAMPLE.slug, "power")
    seat = min(match.prompts)
    options = match.prompts[seat].options
    monkeypatch.setattr(
        advice, "_to_the_end", lambda *_: lambda world, move: float(move == options[-1])
    )
    result = advise(
        redeals(match, seat, SECRETS.clone()),
        match.prompts[seat],
        SECRETS.clone(),
        playouts=40,
        also=[options[-1]],
    )
    winning = result.of(options[-1])
    assert winning is not None
    assert winning.chance == 1
    assert 0 < winning.margin < 0.3, "ten wins out of ten are no certainty"
    assert winning.behind == -1 or result.best == winning


def test_where_a_mode_gets_a_thinker_it_advises(monkeypatch: pytest.MonkeyPatch) -> None:
    mode = "power"
    thinker = Thinker(
        "last", "Last", "Takes the last option.", lambda w, p, c: p.options[-1], (), {mode: 60}
    )
    monkeypatch.setitem(EXAMPLE.thinkers, "last", thinker)
    match = late(EXAMPLE.slug, mode)
    seat = min(match.prompts)
    result = advice_at(match, seat)
    assert result.by == "last"
    assert result.best.move == match.prompts[seat].options[-1]
