"""Every mode under the suites of PettingZoo and OpenSpiel (the extra ``research``)."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from rules.testing import playable_modes

pytest.importorskip("pettingzoo", reason="needs the extra “research”")
pyspiel = pytest.importorskip("pyspiel", reason="needs the extra “research”")
numpy: Any = pytest.importorskip("numpy")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from rules.research import openspiel  # noqa: E402
from rules.research.encoding import observation  # noqa: E402
from rules.research.pettingzoo import RiffleEnv  # noqa: E402

MODES = [(game.slug, mode.slug, mode.seats) for game, mode in playable_modes()]
TABLES = [(game, mode, seats[0]) for game, mode, seats in MODES]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("game", "mode", "seats"), TABLES)
def test_pettingzoo_accepts_every_mode(game: str, mode: str, seats: int) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(RiffleEnv(game, mode, seats=seats), num_cycles=200)
        seed_test(lambda: RiffleEnv(game, mode, seats=seats), num_cycles=60)


@pytest.mark.parametrize(("game", "mode", "seats"), TABLES)
def test_openspiel_accepts_every_mode(game: str, mode: str, seats: int) -> None:
    loaded = pyspiel.load_game(f"riffle(game={game},mode={mode},seats={seats},deals=8)")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def test_openspiel_reads_back_what_it_wrote() -> None:
    state = pyspiel.load_game("riffle").new_initial_state()
    state.apply_action(7)
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1])
    again = state.get_game().deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.observation_tensor(0) == state.observation_tensor(0)
    assert openspiel.DEALS > 1


@pytest.mark.parametrize(("game", "mode", "seats"), TABLES)
def test_an_observation_tells_nothing_hidden(game: str, mode: str, seats: int) -> None:
    """A seat's observation stays as it was when the cards that it cannot see are dealt anew."""
    from rules.engine.chance import Chance, named_seed

    env = RiffleEnv(game, mode, seats=seats)
    env.reset(seed=3)
    random = numpy.random.default_rng(3)
    for move in range(40):
        if env.match.outcome is not None:
            break
        seat = env.possible_agents.index(env.agent_selection)
        dealt = env.match.redeal(seat, Chance(named_seed(f"deal {move}")))
        assert observation(dealt, seat) == observation(env.match, seat)
        env.step(int(random.integers(len(env.match.prompts[seat].options))))
