"""Bots that think ahead, at tables: a queue of their own, one task a decision, and a brake."""

from __future__ import annotations

from typing import Any

import pytest
from structlog.testing import capture_logs

from accounts.models import User
from matches import engine
from matches.errors import NotPossible
from matches.forms.setup import NewMatchForm
from matches.models import Match, SeatKind, Status
from matches.services import bots
from matches.services.setup import SeatPlan
from rules.engine.bots import Thinker
from rules.engine.chance import Chance
from rules.engine.moves import Move, Prompt
from tests.games.examples import EXAMPLE
from tests.matches.conftest import MakeMatch

pytestmark = pytest.mark.django_db(transaction=False)

SLUG = "slow-one"


def last_option(worlds: Any, prompt: Prompt, chance: Chance) -> Move:
    """Deals one world and takes the last option."""
    assert worlds().prompts[prompt.seat] == prompt
    return prompt.options[-1]


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    """A thinker of the example's first mode; tasks are not carried out by themselves."""
    it = Thinker(SLUG, "Slow one", "Takes the last option.", last_option, ("Snail",), {"match": 67})
    monkeypatch.setitem(EXAMPLE.thinkers, SLUG, it)
    return it


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The tasks that were sent instead of being carried out."""
    tasks: list[tuple[Any, ...]] = []

    def enqueue(*task: Any) -> bool:
        tasks.append(task)
        return True

    monkeypatch.setattr(bots, "enqueue", enqueue)
    return tasks


def against(make_match: MakeMatch, *slugs: str) -> Match:
    seats = [SeatPlan(SeatKind.BOT, bot=slug) for slug in slugs]
    return make_match(seats=seats)


def question(match: Match) -> tuple[int, int]:
    """The seat that is asked, and the question's number."""
    match.refresh_from_db()
    seat, prompt = min(engine.load(match).prompts.items())
    return seat, prompt.id


def test_a_question_to_a_thinker_is_sent_to_its_own_queue_once(
    make_match: MakeMatch, thinker: Thinker, sent: list[tuple[Any, ...]]
) -> None:
    match = against(make_match, SLUG, SLUG)
    seat, prompt_id = question(match)
    for _ in range(3):  # the sweep comes by again and again
        assert not bots.run_bots(match_id=match.pk)
    assert sent == [("matches.tasks.think", match.pk, seat, prompt_id)]
    match.refresh_from_db()
    assert match.ply == 0, "the quick queue has played nothing for it"


def test_it_answers_the_one_question_and_no_other(
    make_match: MakeMatch, thinker: Thinker, sent: list[tuple[Any, ...]]
) -> None:
    match = against(make_match, SLUG, SLUG)
    seat, prompt_id = question(match)
    last = engine.load(match).notation(engine.load(match).prompts[seat].options[-1])
    for _ in range(2):  # a task that runs twice plays once
        bots.think(match_id=match.pk, seat_number=seat, prompt_id=prompt_id)
    match.refresh_from_db()
    assert match.ply == 1
    row = match.moves.get()
    assert (row.seat, row.notation) == (seat, last)


def test_quick_bots_answer_at_once_at_the_same_table(
    make_match: MakeMatch, thinker: Thinker, sent: list[tuple[Any, ...]]
) -> None:
    match = against(make_match, SLUG, "greedy")
    for _ in range(40):
        bots.run_bots(match_id=match.pk)
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        seat, prompt_id = question(match)
        assert seat == 0, "only the thinker is left to be asked"
        bots.think(match_id=match.pk, seat_number=seat, prompt_id=prompt_id)
    assert match.moves.filter(seat=1).exists()
    assert {name for name, *_ in sent} == {"matches.tasks.think"}


def test_one_that_thinks_too_long_plays_the_quick_bot_s_choice(
    make_match: MakeMatch,
    thinker: Thinker,
    sent: list[tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = against(make_match, SLUG, SLUG)
    seat, prompt_id = question(match)
    table = engine.load(match)
    quick = EXAMPLE.bots["greedy"]
    chance = engine.bot_chance(match, seat, prompt_id)
    expected = table.notation(quick.choose(table.view(seat), table.prompts[seat], chance))
    monkeypatch.setattr(bots, "BRAKE_SECONDS", -1.0)
    with capture_logs() as logs:
        bots.think(match_id=match.pk, seat_number=seat, prompt_id=prompt_id)
    assert match.moves.get().notation == expected
    (line,) = [log for log in logs if log["event"] == "bot_thought_too_long"]
    assert (line["match"], line["bot"]) == (match.slug, SLUG)


def test_it_is_offered_in_its_modes_alone(
    make_match: MakeMatch, thinker: Thinker, ann: User
) -> None:
    modes = EXAMPLE.modes
    form = NewMatchForm(game=EXAMPLE, mode=modes["match"], host=ann)
    choices = dict(form.fields["seat_1"].choices)  # type: ignore[attr-defined]
    assert choices["Bots"][0] == (f"bot:{SLUG}", "Slow one, thinks ahead"), "the strongest first"
    assert form.fields["seat_1"].initial == "bot:greedy", "a quick one where nobody says which"
    assert f"bot:{SLUG}" in str(form["seat_1"])
    assert form.about_bots()[0][1] == "In trials it won about 7 of 10 matches against Seer."
    form = NewMatchForm(game=EXAMPLE, mode=modes["power"], host=ann)
    assert f"bot:{SLUG}" not in str(form["seat_1"])
    with pytest.raises(NotPossible, match="Unknown bot “slow-one”"):
        make_match(mode="power", options={}, seats=[SeatPlan(SeatKind.BOT, bot=SLUG)] * 2)
