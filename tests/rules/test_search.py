"""Thinking ahead: what a thinker may know, what it spends, and what its leaves are worth."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rules
from rules import fit, ladder, search
from rules.engine.bots import RANDOM, Bot, Foresight, Mind, Thinker
from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt
from rules.testing.playouts import check_bots_are_blind, check_is_blind, playable_modes
from tests.games.examples import EXAMPLE, GAME

ROOT = Path(__file__).resolve().parents[2]

FORESEEN = [
    pytest.param(game, mode, id=f"{game.slug}-{mode}")
    for game in rules.games().values()
    for mode in game.foresights
]
foreseen = pytest.mark.parametrize(("game", "mode"), FORESEEN)


@lru_cache
def middle(slug: str, mode: str, plies: int = 16) -> Match:
    """A match that has begun, at a question with several options."""
    game = rules.game(slug)
    seats = game.modes[mode].seats[0]
    match = game.new_match(
        mode, seats=seats, seed=named_seed("middle"), decks=game.ready_decks(mode, seats)
    )
    mind = game.foresights[mode].mind
    while plies > 0 or len(match.prompts[min(match.prompts)].options) < 3:
        seat = min(match.prompts)
        match.play(seat, search.best_by_greedy(mind, match, seat))
        plies -= 1
    return match


def thinker(game: Game, mode: str, playouts: int) -> Thinker:
    think = search.thinking({mode: game.foresights[mode]}, playouts)
    return Thinker("thinker", "Thinker", "Thinks.", think, (), {mode: 60})


def twin_of(match: Match, seat: int) -> Match:
    return match.redeal(seat, Chance(named_seed("twin")))


# -- what it may know ------------------------------------------------------------------------------


@foreseen
def test_no_level_knows_what_its_seat_cannot_see(game: Game, mode: str) -> None:
    """The permutation test: two matches that look alike to the seat get the same answer."""
    match = middle(game.slug, mode)
    seat = min(match.prompts)
    levels = [it for it in game.thinkers.values() if mode in it.modes]
    for player in [thinker(game, mode, 40), *levels]:
        check_is_blind(player, match, twin_of(match, seat), seat)


def option_by(match: Match, seat: int, prompt: Prompt) -> Move:
    """Another option for each way in which the others' cards may lie."""
    return prompt.options[fingerprint(match.state) % len(prompt.options)]


def fingerprint(state: Any) -> int:
    """A number that follows from where each card lies."""
    return zlib.crc32(str([[*cards] for _name, _owner, cards in state.zones()]).encode())


@foreseen
def test_a_bot_that_peeks_is_caught(game: Game, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = middle(game.slug, mode)
    seat = min(match.prompts)
    twins = [match.redeal(seat, Chance(named_seed(f"twin {n}"))) for n in range(20)]

    def think(worlds: Any, prompt: Prompt, chance: Chance) -> Move:
        return option_by(worlds(), seat, prompt)

    curious = Thinker("curious", "Curious", "Looks at a world.", think, (), {mode: 60})
    for twin in twins:  # it sees no more than a re-deal
        check_is_blind(curious, match, twin, seat)
    # Where it got the match itself the test would tell.
    monkeypatch.setattr(search, "redeals", lambda match, seat, chance: match.clone)
    with pytest.raises(AssertionError, match="depending on hidden cards"):
        list(map(partial(check_is_blind, curious, match, seat=seat), twins))

    mind = game.foresights[mode].mind

    def scores(state: Any, prompt: Prompt) -> list[float]:
        return [float(fingerprint(state))] * len(prompt.options)

    peeking = Mind(mind.table, scores)
    bots = {"peeking": Bot("peeking", "P", "Peeks.", peeking.choose, minds={mode: peeking})}
    table = _with_bots(match, bots)
    with pytest.raises(AssertionError, match="by its view"):
        check_bots_are_blind(table, twins[0], seat)


def _with_bots(match: Match, bots: dict[str, Bot]) -> Match:
    twin = match.clone()
    twin.game = replace(match.game, bots=bots)
    return twin


# -- what it spends, and what it takes -------------------------------------------------------------


@foreseen
def test_it_keeps_to_its_playouts_and_its_moves_can_be_reproduced(
    game: Game, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = middle(game.slug, mode)
    seat = min(match.prompts)
    played: list[Move] = []
    play_out = search.play_out

    def counted(foresight: Foresight, world: Match, seat: int, move: Move, until: int) -> float:
        played.append(move)
        assert world is not match
        return play_out(foresight, world, seat, move, until)

    monkeypatch.setattr(search, "play_out", counted)
    player = thinker(game, mode, 100)
    moves = {search.decide(player, match, seat, Chance(bytes(32))) for _ in range(2)}
    assert len(moves) == 1
    assert len(played) <= 200
    assert len(set(played)) <= search.WIDEST


def test_it_leaves_the_greedy_choice_only_for_what_is_clearly_better() -> None:
    better = partial(search.clearly_better, margin=0.02, sureness=1.0)
    assert better([0.6, 0.7, 0.6], [0.5, 0.5, 0.5])
    assert not better([0.51, 0.51], [0.5, 0.5]), "within the margin"
    assert not better([0.9, 0.1, 0.7], [0.5, 0.5, 0.5]), "may be luck"


def test_it_takes_what_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever one option wins for sure, it is taken, and the greedy one where nothing does."""
    game, mode = EXAMPLE, "match"
    match = middle(game.slug, mode)
    seat = min(match.prompts)
    prompt = match.prompts[seat]
    foresight = game.foresights[mode]
    greedy = search.best_by_greedy(foresight.mind, match, seat)
    other = next(move for move in prompt.options if move != greedy)
    for winning, expected in ((other, other), (greedy, greedy), (None, greedy)):
        monkeypatch.setattr(
            search, "play_out", lambda f, w, s, move, u, wins=winning: float(move == wins)
        )
        player = thinker(game, mode, 100)
        assert search.decide(player, match, seat, Chance(bytes(32))) == expected


# -- what its leaves are worth ---------------------------------------------------------------------


@pytest.mark.slow
@foreseen
def test_the_features_have_weights_that_name_the_winner(game: Game, mode: str) -> None:
    """A sample is fitted anew: what is stored does about as well on matches it has not seen."""
    foresight = game.foresights[mode]
    weights = search.weights_of(foresight)
    assert len(weights) == len(foresight.names)
    assert min(weights) >= 0
    learnt, spared = (
        [
            row
            for number in numbers
            for row in fit.samples(game, foresight, number, game.modes[mode].seats[0])
        ]
        for numbers in (range(20_000, 20_016), range(20_016, 20_032))
    )
    anew = fit.fit(learnt, len(foresight.names))
    stored = fit.hits(spared, weights)
    assert stored > 0.5
    assert stored > fit.hits(spared, anew) - 0.06


def test_a_fit_finds_what_counts_and_forbids_senseless_signs() -> None:
    chance = Chance(bytes(32))
    rows = []
    for _ in range(400):
        features = [(float(chance.pick(2)), float(chance.pick(2)), chance.pick(100) / 100)] * 1
        features.append((float(chance.pick(2)), float(chance.pick(2)), chance.pick(100) / 100))
        winner = max((0, 1), key=lambda seat: (features[seat][0] - features[seat][1], seat))
        rows.append(fit.Sample(tuple(features), (1.0 - winner, float(winner))))
    good, bad, noise = fit.fit(rows, 3)
    assert bad == 0.0, "it speaks against a seat"
    assert good > 5 * noise


def test_seats_that_are_out_win_nothing() -> None:
    assert search.softmax([1.0, None, 1.0]) == [0.5, 0.0, 0.5]


# -- the ladder ------------------------------------------------------------------------------------


def test_a_mirrored_pair_of_equals_is_even() -> None:
    rung = ladder.Rung(GAME, "match", "greedy", "greedy")
    for number in range(3):
        assert ladder.play_pair(rung, number).mean == 0.5


def test_a_ladder_is_a_table_and_says_how_sure_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert ladder.main([GAME, "match", "--pairs", "3", "--players", "random,greedy"]) == 0
    head, rule, row = capsys.readouterr().out.splitlines()
    assert head.count("|") == rule.count("|") == row.count("|")
    assert "| greedy | random | " in row
    pairs = [ladder.Pair((1.0, 0.0), 1, 0.1, 0.1)] * 4 + [ladder.Pair((1.0, 1.0), 1, 0.1, 0.2)] * 4
    standing = ladder.Standing(ladder.Rung(GAME, "match", "a", "b"), pairs)
    low, high = standing.interval
    assert low < standing.share == 0.75 < high
    assert standing.beats
    assert standing.swept == (4, 0)
    assert not replace(standing, pairs=pairs[-2:]).beats, "two pairs are not enough"


def test_a_rung_ends_early_only_at_a_look_and_only_where_it_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rung = ladder.Rung(GAME, "match", "greedy", "random")
    won, split = ladder.Pair((1.0, 1.0), 1, 0.1, 0.1), ladder.Pair((1.0, 0.0), 1, 0.1, 0.1)

    def after(*pattern: ladder.Pair) -> int:
        monkeypatch.setattr(ladder, "play_pair", lambda rung, n: pattern[n % len(pattern)])
        return len(ladder.play_rung(rung, 60, until_sure=True).pairs)

    assert after(won) == 20, "not after the first pairs, however well they go"
    assert after(won, *[split] * 4) == 40, "two standard errors are not enough"
    assert after(split) == 60
    assert len(ladder.play_rung(rung, 25).pairs) == 25, "only where it was announced"


def test_a_team_has_to_win_more_than_its_half(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = Mode("pairs", "Pairs", "", range(4, 5), teams=2)
    monkeypatch.setattr(rules, "game", lambda slug: SimpleNamespace(mode=lambda mode: pairs))
    even, won = (
        ladder.Standing(
            ladder.Rung("g", "pairs", "a", "b", seats=4),
            [ladder.Pair(shares, 1, 0.1, 0.1)] * 20,
        )
        for shares in ((1.0, 1.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0))
    )
    assert not even.beats and not even.is_sure, "half of the wins is no more than a team's part"
    assert won.beats and won.is_sure


ROW = re.compile(
    r"\| (?P<game>\S+) \| (?P<mode>\S+) \| (?P<seats>\d) \| (?P<higher>\S+) \| (?P<lower>\S+) "
    r"\| (?P<won>\d+)% \((?P<low>\d+)% to \d+%\) \| .* \| (?P<slowest>[\d.]+) \|"
)


def test_a_thinker_is_offered_only_where_it_has_beaten_the_level_below() -> None:
    rows = ROW.finditer((ROOT / "docs" / "ladders.md").read_text("utf-8"))
    rows_by_player = {
        (row["game"], row["mode"], row["higher"]): row for row in rows if row["seats"] == "2"
    }
    offered = [
        (game, mode, slug, won)
        for game in rules.games().values()
        for slug, it in game.thinkers.items()
        for mode, won in it.modes.items()
    ]
    assert offered
    for game, mode, slug, won in offered:
        row = rows_by_player[game.slug, mode, slug]
        players = [*game.opponents(mode)]
        assert row["lower"] == players[players.index(slug) - 1]
        assert int(row["won"]) == won, "the site says so beside its name"
        assert int(row["low"]) > 50
        assert float(row["slowest"]) <= 1


def test_one_command_plays_the_ladders_of_all_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str, str]] = []

    def note(rung: ladder.Rung, pairs: int, jobs: int, *, until_sure: bool) -> ladder.Standing:
        assert (pairs, until_sure) == (200, True)
        played.append((rung.game, rung.mode, rung.higher))
        return ladder.Standing(rung, [ladder.Pair((1.0, 0.0), 1, 0.1, 0.1)])

    monkeypatch.setattr(ladder, "play_rung", note)
    assert ladder.main(["--pairs", "200", "--until-sure"]) == 0
    opponents = {
        (game.slug, mode.slug, slug)
        for game, mode in playable_modes()
        if mode.seats[-1] > 1
        for slug in [*game.opponents(mode.slug)][1:]
    }
    assert {*played} == opponents


def test_a_level_that_is_not_offered_can_be_measured() -> None:
    player = search.player_of(EXAMPLE, "match", "playouts-2")
    assert isinstance(player, Thinker)
    match = middle(GAME, "match")
    seat = min(match.prompts)
    same = thinker(EXAMPLE, "match", 2)
    moves = [search.decide(it, match, seat, Chance(bytes(32))) for it in (player, same)]
    assert moves[0] == moves[1]


def test_unknown_players_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ladder.main([GAME, "match", "--players", "random,magnus"])
    assert "no player “magnus”" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        ladder.main([GAME, "single", "--players", "greedy,playouts-2"])
    assert "Nobody thinks ahead" in capsys.readouterr().err
    assert RANDOM.strength == "plays at random"
