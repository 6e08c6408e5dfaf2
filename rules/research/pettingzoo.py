"""Any mode as an environment of PettingZoo (AEC); needs ``pip install '.[research]'``.

    env = RiffleEnv(game, mode)

Where several seats are asked at once they answer one after another, the lowest first; none sees
what another has answered before the rules show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

import rules
from rules.engine.match import Match
from rules.research.encoding import (
    SIZE,
    WIDTH,
    new_match,
    observation,
    open_actions,
    utilities,
)


class RiffleEnv(AECEnv):  # type: ignore[misc]
    """A match between the agents ``seat_1``, ``seat_2`` … of which each has a reward at the end.

    ``options`` are the mode's. Raises ``UnknownGame`` and ``BadSetup``.
    """

    def __init__(
        self,
        game: str,
        mode: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"{game}_{mode}".replace("-", "_"),
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.game, self.mode, self.options = game, mode, options
        self.seats = seats or rules.game(game).mode(mode).seats[0]
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(self.seats)]
        self._random, _ = seeding.np_random()
        self._actions = {agent: spaces.Discrete(WIDTH) for agent in self.possible_agents}
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-numpy.inf, numpy.inf, (SIZE,), numpy.float32),
                    "action_mask": spaces.Box(0, 1, (WIDTH,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same ``seed`` begins the same series of matches."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.match: Match = new_match(
            self.game, self.mode, self.seats, self._random.bytes(32), self.options
        )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """The view of the agent's seat, and a mask of the actions that are open to it now."""
        seat = self.possible_agents.index(agent)
        mask = numpy.zeros(WIDTH, numpy.int8)
        if agent == self.agent_selection:
            mask[: len(open_actions(self.match, seat))] = 1
        return {
            "observation": numpy.array(observation(self.match, seat), numpy.float32),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Choose an option for the agent that is asked; raises ``ValueError`` for a closed one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        if action is None or int(action) not in open_actions(self.match, seat):
            raise ValueError(f"{agent} cannot take action {action} now; see its action_mask.")
        self._cumulative_rewards[agent] = 0.0
        self.match.play(seat, self.match.prompts[seat].options[int(action)])
        if self.match.outcome is not None:
            self.rewards = dict(zip(self.possible_agents, utilities(self.match), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Select the agent that is asked next; after the end each is selected once more."""
        seat = min(self.match.prompts, default=0)
        self.agent_selection = self.possible_agents[seat]

    def render(self) -> str | None:
        """The question that is asked now, or why the match ended."""
        if self.render_mode != "ansi":
            return None
        if self.match.outcome is not None:
            return self.match.outcome.reason
        return self.match.question(self.match.prompts[min(self.match.prompts)])

    def close(self) -> None:
        """Nothing is held open."""
