"""Planned answers: what a seat may answer ahead, in words, and what a plan answers (decision 32).

A game declares conditions and choices by kind of prompt (``rules.engine.ahead``). A plan names them
by their keys; it goes by nothing but what its seat sees.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from accounts.models import Viewer
from core.serializers import Doc, component
from matches import engine
from matches.errors import NotForOrders, NotYourSeat
from matches.models import Match, Seat, Status
from matches.models.standing_orders import MAX_WORDS
from matches.moves import moves_of
from matches.queries.access import seat_of
from matches.queries.seats import seat_names
from rules.engine.ahead import Ahead, Condition, Sight
from rules.engine.moves import Move, Prompt

MAX_CONDITIONS = 3
"""Conditions of a plan; all have to hold."""

MAX_STEPS = 5
"""Prompts that a plan answers, one after the other."""

MAX_CHOICES = 5
"""Answers of a step, the most preferred one first."""

MAX_KEY = 80
"""Characters of a prompt's kind, and of a condition's or a choice's key."""

MAX_LINES = 50
"""Prompts that a dry run lists, the latest ones."""

MAX_SECONDS = 3.0
"""How long a dry run may play a match again."""


@component("ConditionalStep")
@dataclass(frozen=True, slots=True)
class PlanStep:
    """The answers to one prompt of a conditional move."""

    kind: Annotated[str, Doc("The kind of the prompt.", max_length=MAX_KEY)]
    choices: Annotated[
        list[Annotated[str, Doc(max_length=MAX_KEY)]],
        Doc(
            "Keys of choices; the first one that is offered is played.",
            allow_empty=False,
            max_length=MAX_CHOICES,
        ),
    ]


@dataclass(frozen=True, slots=True)
class Plan:
    """Conditions, which must all hold, and the steps of the answer.

    ``turn`` is the number of the turn in which it was made; None where that does not matter.
    """

    conditions: tuple[str, ...]
    steps: tuple[PlanStep, ...]
    turn: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As the row keeps it."""
        steps = [[step.kind, list(step.choices)] for step in self.steps]
        return {"conditions": list(self.conditions), "steps": steps, "turn": self.turn}


def plan_from_json(data: Any) -> Plan:
    """The opposite of :meth:`Plan.to_json`."""
    steps = tuple(PlanStep(kind, choices) for kind, choices in data["steps"])
    return Plan(tuple(data["conditions"]), steps, data["turn"])


class Unplayed(StrEnum):
    """Why a plan does not answer a prompt of its kind."""

    TOO_EARLY = "It waits for a later turn."
    NOT_MET = "Its condition was not met."
    NOT_OFFERED = "That answer wasn’t available."


# -- what may be planned ---------------------------------------------------------------------------


@component("ConditionalOption")
@dataclass(frozen=True, slots=True)
class PlanOption:
    """A condition or a choice."""

    key: str
    says: Annotated[str, Doc("As text; a condition continues after “if”.")]


@component("ConditionalPrompt")
@dataclass(frozen=True, slots=True)
class PlanPrompt:
    """A kind of prompt within a conditional move."""

    kind: str
    says: Annotated[str, Doc("When it comes, in words.")]
    choices: list[PlanOption]


@component("ConditionalMoves")
@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """A kind of prompt that you can answer ahead, with its conditions and choices."""

    kind: str
    says: Annotated[str, Doc("When it comes, in words.")]
    conditions: list[PlanOption]
    choices: list[PlanOption]
    then: Annotated[
        list[PlanPrompt],
        Doc("Prompts that may follow, in this order; a step for each is optional."),
    ]


def may_plan(match: Match, table: engine.Table, seat: int) -> bool:
    """True if the seat's person may answer ahead in this match."""
    return bool(
        table.game.ahead
        and table.seats > 1
        and not match.lesson
        and table.outcome is None
        and not table.state.is_out(seat)
    )


def own_questions(match: Match, viewer: Viewer) -> list[PlanQuestion]:
    """The prompts that the viewer may answer ahead now; raises ``NotYourSeat``."""
    seat = _own_seat(match, viewer)
    if match.status != Status.RUNNING:
        return []
    return questions(match, engine.load(match), seat)


def own_dry_run(match: Match, viewer: Viewer, plan: Plan) -> DryRun:
    """A dry run for whoever looks; raises ``NotYourSeat`` and ``NotForOrders``."""
    seat = _own_seat(match, viewer)
    if match.status != Status.RUNNING:
        raise NotForOrders("Conditional moves aren’t available in this match.")
    return dry_run(match, list(match.seats.all()), engine.load(match), seat, plan)


def _own_seat(match: Match, viewer: Viewer) -> int:
    seat = seat_of(match, viewer)
    if seat is None:
        raise NotYourSeat("You are not a player at this table.")
    return seat


def questions(match: Match, table: engine.Table, seat: int) -> list[PlanQuestion]:
    """The prompts that the seat may answer ahead now."""
    if not may_plan(match, table, seat):
        return []
    sight = table.sight(seat, seat_names(match))
    return [
        PlanQuestion(
            kind,
            ahead.says,
            _options(ahead.conditions_at(sight)),
            choices,
            [
                PlanPrompt(then, table.game.ahead[then].says, _options(rows))
                for then in ahead.then
                if (rows := table.game.ahead[then].choices_at(sight))
            ],
        )
        for kind, ahead in table.game.ahead.items()
        if ahead.leads and (choices := _options(ahead.choices_at(sight)))
    ]


def _options(rows: Sequence[Any]) -> list[PlanOption]:
    return [PlanOption(row.key, row.says) for row in rows]


def checked(match: Match, table: engine.Table, seat: int, plan: Plan) -> tuple[Plan, str]:
    """The plan, with its turn, and its sentence. Raises ``NotForOrders`` with what is wrong."""
    if not may_plan(match, table, seat):
        raise NotForOrders("Conditional moves aren’t available in this match.")
    if not plan.steps:
        raise NotForOrders("Choose what to play.")
    if len(plan.steps) > MAX_STEPS or len(plan.conditions) > MAX_CONDITIONS:
        raise NotForOrders(
            f"A conditional move has up to {MAX_CONDITIONS} conditions and {MAX_STEPS} steps."
        )
    kind = plan.steps[0].kind
    ahead = table.game.ahead.get(kind)
    if ahead is None or not ahead.leads:
        raise NotForOrders(f"“{kind[:MAX_KEY]}” can’t be answered ahead.")
    sight = table.sight(seat, seat_names(match))
    conditions = {row.key: row.says for row in ahead.conditions_at(sight)}
    named = [_known(key, conditions, "condition") for key in dict.fromkeys(plan.conditions)]
    words = [_step_words(table, sight, step) for step in plan.steps]
    _require_order([step.kind for step in plan.steps[1:]], ahead)
    turn = None if ahead.turn is None else ahead.turn(sight)
    if_clause = f", if {' and '.join(named)}" if named else ""
    sentence = f"{ahead.says[0].upper()}{ahead.says[1:]}{if_clause}: {'; then '.join(words)}."
    return Plan(plan.conditions, plan.steps, turn), sentence[:MAX_WORDS]


def _require_order(kinds: Sequence[str], ahead: Ahead) -> None:
    rest = iter(ahead.then)
    for kind in kinds:
        if kind not in rest:  # goes on from where it stands
            raise NotForOrders(f"“{kind[:MAX_KEY]}” can’t follow at this point.")


def _step_words(table: engine.Table, sight: Sight, step: PlanStep) -> str:
    ahead = table.game.ahead.get(step.kind)
    if ahead is None:
        raise NotForOrders(f"“{step.kind[:MAX_KEY]}” can’t be answered ahead.")
    choices = {row.key: row.says for row in ahead.choices_at(sight)}
    if not 0 < len(step.choices) <= MAX_CHOICES:
        raise NotForOrders(f"Choose 1 to {MAX_CHOICES} answers for each step.")
    return ", or else ".join(_known(key, choices, "choice") for key in step.choices)


def _known(key: str, words: dict[str, str], what: str) -> str:
    if key not in words:
        raise NotForOrders(f"The {what} “{key[:MAX_KEY]}” isn’t available. Reload the page.")
    return words[key]


# -- what a plan answers ---------------------------------------------------------------------------


def answer_of(plan: Plan, number: int, table: engine.Table, prompt: Prompt) -> Move | Unplayed:
    """A plan's answer to a prompt of the kind of its step with this number; or why there is none.

    The conditions are those of the first step.
    """
    ahead = table.game.ahead.get(prompt.kind)
    if ahead is None:  # other rules than those under which it was made
        return Unplayed.NOT_OFFERED
    sight = table.sight(prompt.seat, prompt=prompt)
    if number == 0:
        if plan.turn is not None and ahead.turn is not None and ahead.turn(sight) == plan.turn:
            return Unplayed.TOO_EARLY
        if not _all_hold(plan.conditions, ahead.conditions_at(sight)):
            return Unplayed.NOT_MET
    moves = {choice.key: choice.move for choice in ahead.choices_at(sight)}
    for key in plan.steps[number].choices:
        if (move := moves.get(key)) in prompt.options and move is not None:
            return move
    return Unplayed.NOT_OFFERED


def _all_hold(keys: Sequence[str], conditions: Sequence[Condition]) -> bool:
    return {*keys} <= {row.key for row in conditions if row.holds}


def next_step(plan: Plan, number: int, prompt: Prompt | None) -> int | None:
    """The step after this one that answers the prompt which has followed; None if there is none."""
    if prompt is None:
        return None
    later = range(number + 1, len(plan.steps))
    return next((step for step in later if plan.steps[step].kind == prompt.kind), None)


# -- a dry run -------------------------------------------------------------------------------------


@component("DryRunLine")
@dataclass(frozen=True, slots=True)
class DryRunLine:
    """One of your prompts so far, and what a conditional move would have answered."""

    moment: Annotated[str, Doc("How far the match was; may be empty.")]
    question: str
    planned: Annotated[str, Doc("Its answer; empty if it had not answered.")]
    why: Annotated[str, Doc("Why it had not answered; empty if it had.")]
    played: Annotated[str, Doc("Your answer.")]


@component("DryRun")
@dataclass(frozen=True, slots=True)
class DryRun:
    """The answers of a conditional move to your prompts so far. It is not used up."""

    sentence: Annotated[str, Doc("The conditional move in words.")]
    lines: list[DryRunLine]
    complete: Annotated[bool, Doc("False if there are more prompts than are listed.")]


def dry_run(
    match: Match, seats: Sequence[Seat], table: engine.Table, seat: int, plan: Plan
) -> DryRun:
    """Play the match again and ask the plan at each of the seat's own prompts.

    Reads nothing but what the seat saw at each of them. Raises ``NotForOrders``.
    """
    plan, sentence = checked(match, table, seat, plan)
    plan = Plan(plan.conditions, plan.steps)  # in whatever turn
    names = seat_names(match)
    rows = moves_of(match, events=False)
    gone = engine.plies_taken_back(rows)
    before = engine.replayed(match, seats, [(row.seat, row.move) for row in rows])
    lines: deque[DryRunLine] = deque(maxlen=MAX_LINES)
    count, number, deadline = 0, 0, time.monotonic() + MAX_SECONDS
    complete = True
    for then, row in zip(before, rows, strict=False):
        if time.monotonic() > deadline:
            complete = False
            break
        prompt = then.prompts.get(seat)
        if row.seat != seat or row.prompt is None or row.ply in gone or prompt is None:
            continue
        step = next_step(plan, number - 1, prompt) if number else None
        if step is None:
            step = 0 if prompt.kind == plan.steps[0].kind else None
        number = 0
        if step is None:
            continue
        line, follows = _line(plan, step, then, prompt, row.notation, names)
        lines.append(line)
        count += 1
        number = step + 1 if follows else 0
    return DryRun(sentence, list(lines), complete and count <= MAX_LINES)


def _line(
    plan: Plan, step: int, table: engine.Table, prompt: Prompt, notation: str, names: list[str]
) -> tuple[DryRunLine, bool]:
    """The line of a prompt, and True if the person answered as the plan would have."""
    planned = answer_of(plan, step, table, prompt)
    answers = not isinstance(planned, Unplayed)
    played = table.parse(prompt.seat, notation)
    view = table.view(prompt.seat)
    progress = table.game.text.progress(view).step if table.game.text is not None else ""
    line = DryRunLine(
        moment=progress,
        question=table.question(prompt, names),
        planned=table.label(planned, names) if not isinstance(planned, Unplayed) else "",
        why=planned if isinstance(planned, Unplayed) else "",
        played=table.label(played, names),
    )
    return line, answers and planned == played
