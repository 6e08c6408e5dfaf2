"""All modes as a game of OpenSpiel, ``riffle``; needs ``pip install '.[research]'``.

    import pyspiel, rules.research.openspiel
    game = pyspiel.load_game("riffle(game=<slug>,mode=<slug>,seats=2)")

Chance moves once, at the root: it picks one of ``deals`` seeds, from which all shuffles and dice
of the match follow. No observation tells the seed.
"""

from __future__ import annotations

from typing import Any, Final, Self

import numpy
import pyspiel

import rules
from rules.engine.chance import named_seed
from rules.engine.match import Match
from rules.research.encoding import (
    SIZE,
    WIDTH,
    new_match,
    observation,
    open_actions,
    utilities,
)

DEALS: Final = 4096

_FIRST: Final = next(iter(rules.games().values()))

PARAMETERS: Final[dict[str, Any]] = {
    "game": _FIRST.slug,
    "mode": next(iter(_FIRST.modes)),
    "seats": 0,
    "deals": DEALS,
}
"""With no seats it is the fewest that the mode allows."""

MAX_SEATS: Final = max(
    mode.seats[-1] for game in rules.games().values() for mode in game.modes.values()
)


def game_type(utility: Any) -> Any:
    """The type of a mode whose results add up so."""
    return pyspiel.GameType(
        short_name="riffle",
        long_name="Riffle’s card games",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class RiffleGame(pyspiel.Game):  # type: ignore[misc]
    """A mode of a game with so many seats; raises ``UnknownGame`` and ``BadSetup``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = PARAMETERS | (params or {})
        self.slug, self.mode = str(chosen["game"]), str(chosen["mode"])
        mode = rules.game(self.slug).mode(self.mode)
        self.seats = int(chosen["seats"]) or mode.seats[0]
        self.deals = int(chosen["deals"])
        info = pyspiel.GameInfo(
            num_distinct_actions=WIDTH,
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if self.seats == 1 else 0.0,
            max_game_length=mode.max_moves,
        )
        sums = pyspiel.GameType.Utility
        alone = self.seats == 1
        super().__init__(game_type(sums.GENERAL_SUM if alone else sums.ZERO_SUM), info, chosen)

    def new_initial_state(self) -> RiffleState:
        return RiffleState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RiffleObserver:
        return RiffleObserver()


class Table:
    """The match of a state; a deep copy of it is a clone, and it is pickled as a dump."""

    def __init__(self, match: Match | None) -> None:
        self.match = match

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return type(self)(self.match and self.match.clone())

    def __getstate__(self) -> dict[str, Any]:
        return {} if self.match is None else self.match.dump()

    def __setstate__(self, data: dict[str, Any]) -> None:
        self.match = Match.load(rules.game(data["game"]), data) if data else None


class RiffleState(pyspiel.State):  # type: ignore[misc]
    """A moment of a match; before chance has picked the seed there is none."""

    def __init__(self, game: RiffleGame) -> None:
        super().__init__(game)
        self.slug, self.mode, self.seats = game.slug, game.mode, game.seats
        self.deals = game.deals
        self.table = Table(None)

    def current_player(self) -> Any:
        match = self.table.match
        if match is None:
            return pyspiel.PlayerId.CHANCE
        if match.outcome is not None:
            return pyspiel.PlayerId.TERMINAL
        return min(match.prompts)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        match = self.table.match
        return [] if match is None else list(open_actions(match, player))

    def _apply_action(self, action: int) -> None:
        match = self.table.match
        if match is None:
            seed = named_seed(f"deal {action}")
            self.table.match = new_match(self.slug, self.mode, self.seats, seed)
        else:
            seat = min(match.prompts)
            match.play(seat, match.prompts[seat].options[action])

    def _action_to_string(self, player: int, action: int) -> str:
        match = self.table.match
        if player == pyspiel.PlayerId.CHANCE or match is None:
            return f"deal {action}"
        return match.notation(match.prompts[player].options[action])

    def is_terminal(self) -> bool:
        return self.table.match is not None and self.table.match.outcome is not None

    def returns(self) -> list[float]:
        match = self.table.match
        return [0.0] * self.seats if match is None else utilities(match)

    def __str__(self) -> str:
        return f"{self.slug} {self.mode}: {self.history_str()}"


class RiffleObserver:
    """A seat's view, as a tensor and as a text."""

    def __init__(self) -> None:
        self.tensor = numpy.zeros(SIZE, numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RiffleState, player: int) -> None:
        match = state.table.match
        self.tensor[:] = 0.0 if match is None else observation(match, player)

    def string_from(self, state: RiffleState, player: int) -> str:
        match = state.table.match
        return "before the deal" if match is None else str(match.view(player))


pyspiel.register_game(game_type(pyspiel.GameType.Utility.GENERAL_SUM), RiffleGame)
