"""Conditional moves at a table of Kaolan: what they answer, when they end, and who learns of it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.kaolan.ahead import AHEAD
from matches import engine
from matches.errors import NotForOrders, TooManyOrders
from matches.models import Match, StandingOrder, Status
from matches.queries import ahead
from matches.queries.ahead import Plan, PlanStep
from matches.services.bots import run_bots, stalled_bots
from matches.services.play import play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.services.standing_orders import carry_out, give
from matches.services.standing_orders.give import cancel_orders, give_order
from matches.services.standing_orders.planning import plan_answer
from notices.kinds import Kind
from notices.models import Notice
from rules.engine.chance import Chance, named_seed
from rules.engine.moves import Prompt
from rules.testing import position
from tests.games.kaolan.site.layouts import BOARDS, HAND
from tests.games.kaolan.table import seat as laid_seat
from tests.matches.conftest import api, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("Ann")


@pytest.fixture
def bob() -> User:
    return person("Bob")


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    """Ann, who is to move, and Bob at the same table each time."""
    match = create_match(
        host=ann,
        setup=MatchSetup(
            game="kaolan", mode="match", seats=[SeatPlan(user=ann), SeatPlan(user=bob)]
        ),
    )
    lay(match, two())
    return match


def two() -> engine.Table:
    """Both with four cards in hand; Ann is to move."""
    hands = HAND, "red Diamondback, b12, Sabotage, r3"
    boards = [laid_seat(*board, hand=hand) for board, hand in zip(BOARDS, hands, strict=False)]
    return position("kaolan", "match", seats=boards).match


def lay(match: Match, table: engine.Table) -> None:
    """Let a match begin at this table."""
    match.initial_position = engine.position_of(table)
    match.save()
    begun = engine.begin(match, list(match.seats.all()))
    match.state = engine.snapshot(begun)
    match.save()
    for seat in match.seats.all():
        prompt = begun.prompts.get(seat.number)
        seat.prompt = None if prompt is None else prompt.id
        seat.save()


def table_of(match: Match) -> engine.Table:
    match.refresh_from_db()
    return engine.load(match)


def prompt_of(match: Match) -> Prompt:
    (prompt,) = table_of(match).prompts.values()
    return prompt


def play(match: Match, *notations: str) -> None:
    """Answers of whoever is asked."""
    for notation in notations:
        prompt = prompt_of(match)
        user = match.seats.get(number=prompt.seat).user
        assert user is not None
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=notation)


def a_pass(match: Match) -> None:
    """Whoever is asked passes and discards the first card."""
    play(match, "pass")
    table = table_of(match)
    (prompt,) = table.prompts.values()
    if prompt.kind == "pass_discard":
        play(match, table.notation(prompt.options[0]))


def plan(*steps: tuple[str, list[str]], conditions: tuple[str, ...] = ()) -> Plan:
    return Plan(conditions, tuple(PlanStep(kind, choices) for kind, choices in steps))


def pass_and_discard(match: Match, seat: int) -> tuple[Plan, list[int]]:
    """Pass, then discard the second card in hand, or else the first."""
    hand = [card["id"] for card in table_of(match).view(seat)["players"][seat]["hand"]["cards"]]
    keys = [f"card-{hand[1]}", f"card-{hand[0]}"]
    return plan(("turn_action", ["pass"]), ("pass_discard", keys)), hand


def carried_out(match: Match) -> None:
    """Run the worker as when the time of orders has come."""
    for _ in range(5):
        match.orders.filter(due_at__isnull=False).update(due_at=timezone.now())
        run_bots(match_id=match.pk)
    match.refresh_from_db()


def dropped(user: User) -> list[str]:
    rows = Notice.objects.open().filter(person=user, kind=Kind.ORDER_DROPPED)
    return [row.text for row in rows]


def ordered(match: Match) -> list[tuple[int, str]]:
    return list(match.moves.filter(by_order=True).values_list("seat", "notation"))


class TestAnswering:
    def test_it_passes_and_discards_once_and_is_over(
        self, match: Match, ann: User, bob: User
    ) -> None:
        wish, hand = pass_and_discard(match, 1)
        order = plan_answer(slug=match.slug, user=bob, plan=wish)
        assert order.words.startswith("At your next turn: pass; then discard ")
        assert ", or else discard " in order.words
        assert plan_answer(slug=match.slug, user=bob, plan=wish).pk == order.pk, "sent twice"
        assert ordered(match) == [], "nothing is played before it is asked"
        a_pass(match)
        order.refresh_from_db()
        assert order.due_at is not None
        assert order.due_at - timezone.now() + timedelta(seconds=1) >= carry_out.QUICKEST
        carried_out(match)
        assert [seat for seat, _ in ordered(match)] == [1, 1]
        assert ordered(match)[0] == (1, "pass")
        assert hand[1] not in table_of(match).state.hands[1]
        assert not match.orders.exists() and dropped(bob) == []
        a_pass(match)
        carried_out(match)
        assert len(ordered(match)) == 2, "one turn only"

    def test_each_step_takes_its_own_time(self, match: Match, bob: User) -> None:
        plan_answer(slug=match.slug, user=bob, plan=pass_and_discard(match, 1)[0])
        a_pass(match)
        order = match.orders.get()
        match.orders.update(due_at=timezone.now())
        run_bots(match_id=match.pk)
        order.refresh_from_db()
        assert (order.step, order.kind, order.answered) == (1, "pass_discard", 1)
        assert order.due_at is not None
        assert order.due_at - timezone.now() > carry_out.QUICKEST - timedelta(seconds=1)
        assert stalled_bots(now=order.due_at) == [match.pk], "a lost bell is found by the sweep"

    def test_a_condition_that_does_not_hold(self, match: Match, ann: User, bob: User) -> None:
        leader = table_of(match).state.board[0][0]
        wish = plan(("turn_action", ["pass"]), conditions=("odds-0-75",))
        order = plan_answer(slug=match.slug, user=bob, plan=wish)
        assert order.words == (
            "At your next turn, if a Challenge against Ann succeeds with at least 75%: pass."
        )
        a_pass(match)
        carried_out(match)
        assert ordered(match) == [] and not match.orders.exists()
        (text,) = dropped(bob)
        assert "your conditional move was not played. Its condition was not met." in text
        kept = plan(
            ("turn_action", ["challenge"]),
            ("choose_defender", ["seat-1"]),
            conditions=(f"leader-{leader}",),
        )
        plan_answer(slug=match.slug, user=ann, plan=kept)
        a_pass(match)
        carried_out(match)
        assert ordered(match)[0] == (0, "challenge"), "the single defender is not asked for"

    def test_a_discard_that_is_not_there_is_told(self, match: Match, ann: User, bob: User) -> None:
        wish, _hand = pass_and_discard(match, 1)
        order = plan_answer(slug=match.slug, user=bob, plan=wish)
        a_pass(match)
        elsewhere = {**order.plan, "steps": [order.plan["steps"][0], ["pass_discard", ["card-0"]]]}
        match.orders.update(plan=elsewhere)
        carried_out(match)
        assert ordered(match) == [(1, "pass")]
        (text,) = dropped(bob)
        assert "stopped after its first steps. That answer wasn’t available." in text
        assert prompt_of(match).kind == "pass_discard", "its person decides"

    def test_rules_that_do_not_offer_it_any_more(
        self, match: Match, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plan_answer(slug=match.slug, user=bob, plan=pass_and_discard(match, 1)[0])
        monkeypatch.delitem(AHEAD, "turn_action")
        a_pass(match)
        assert not match.orders.exists() and prompt_of(match).seat == 1
        (text,) = dropped(bob)
        assert "was not played. That answer wasn’t available." in text

    def test_a_long_one_ends_where_a_bot_takes_the_seat(
        self, match: Match, ann: User, bob: User
    ) -> None:
        plan_answer(slug=match.slug, user=bob, plan=plan(("turn_action", ["pass"])))
        order = match.orders.get()
        order.words = "x" * 1_000
        order.save()
        match.refresh_from_db()
        seats = list(match.seats.all())
        carry_out.end_all(match, seats, seats[1], carry_out.PLAYED_BY_BOT)
        (text,) = dropped(bob)
        assert len(text) < 300 and text.endswith("…” has stopped. A bot plays for you now.")
        assert "your conditional move “" in text

    def test_an_order_that_stands_and_is_given_at_its_prompt_replaces_it(
        self, match: Match, ann: User, bob: User
    ) -> None:
        plan_answer(slug=match.slug, user=bob, plan=pass_and_discard(match, 1)[0])
        a_pass(match)
        give_order(slug=match.slug, user=bob, prompt_id=prompt_of(match).id, notation="pass")
        carried_out(match)
        assert ordered(match) == [(1, "pass")], "what to discard is asked"
        assert [order.plan for order in match.orders.all()] == [None]

    def test_whoever_answers_first(self, match: Match, ann: User, bob: User) -> None:
        plan_answer(slug=match.slug, user=bob, plan=pass_and_discard(match, 1)[0])
        a_pass(match)
        a_pass(match)
        assert not match.orders.exists() and ordered(match) == [] and dropped(bob) == []

    def test_cancelled_under_way_it_answers_no_more(self, match: Match, bob: User) -> None:
        plan_answer(slug=match.slug, user=bob, plan=pass_and_discard(match, 1)[0])
        a_pass(match)
        cancel_orders(slug=match.slug, user=bob)
        carried_out(match)
        assert ordered(match) == []

    def test_the_first_of_several_whose_condition_holds(
        self, match: Match, ann: User, bob: User
    ) -> None:
        never = plan(("turn_action", ["challenge"]), conditions=("none-0",))
        for wish in (never, plan(("turn_action", ["pass"])), plan(("turn_action", ["challenge"]))):
            plan_answer(slug=match.slug, user=bob, plan=wish)
        a_pass(match)
        assert match.orders.count() == 1, "all were for this turn"
        carried_out(match)
        assert ordered(match) == [(1, "pass")]

    def test_it_comes_before_an_order_that_stands(self, match: Match, ann: User, bob: User) -> None:
        a_pass(match)
        give_order(slug=match.slug, user=bob, prompt_id=prompt_of(match).id, notation="challenge")
        while prompt_of(match).kind != "turn_action" or prompt_of(match).seat != 0:
            prompt = prompt_of(match)
            play(match, table_of(match).notation(prompt.options[0]))
        plan_answer(slug=match.slug, user=bob, plan=plan(("turn_action", ["pass"])))
        a_pass(match)
        waiting = match.orders.filter(due_at__isnull=False)
        assert [order.plan is not None for order in waiting] == [True]

    def test_in_ones_own_turn_it_waits_for_the_next(
        self, match: Match, ann: User, bob: User
    ) -> None:
        plan_answer(slug=match.slug, user=ann, plan=plan(("turn_action", ["pass"])))
        a_pass(match)
        assert match.orders.get().due_at is None
        a_pass(match)
        assert match.orders.get().due_at is not None


class TestPlanning:
    @pytest.mark.parametrize(
        ("wish", "words"),
        [
            (plan(), "Choose what to play"),
            (plan(("pass_discard", ["drawn"])), "can’t be answered ahead"),
            (plan(("nothing", ["pass"])), "can’t be answered ahead"),
            (plan(("turn_action", [])), "Choose 1 to 5 answers"),
            (plan(("turn_action", ["pass"]), conditions=("weather",)), "The condition “weather”"),
            (plan(("turn_action", ["pass"]), ("turn_action", ["pass"])), "can’t follow"),
            (plan(("turn_action", ["pass"] * 6)), "Choose 1 to 5"),
        ],
    )
    def test_what_is_refused(self, match: Match, bob: User, wish: Plan, words: str) -> None:
        with pytest.raises(NotForOrders, match=words):
            plan_answer(slug=match.slug, user=bob, plan=wish)
        assert not StandingOrder.objects.exists()

    def test_so_many_and_no_more(
        self, match: Match, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(give, "MAX_ORDERS", 1)
        monkeypatch.setattr("matches.services.standing_orders.give.MAX_ORDERS", 1)
        plan_answer(slug=match.slug, user=bob, plan=plan(("turn_action", ["pass"])))
        with pytest.raises(TooManyOrders):
            plan_answer(slug=match.slug, user=bob, plan=plan(("turn_action", ["challenge"])))

    def test_by_the_api(self, match: Match, ann: User, bob: User) -> None:
        address = f"/api/matches/{match.slug}/orders/ahead/"
        prompts = api(bob).get(address).json()
        turn = next(row for row in prompts if row["kind"] == "turn_action")
        assert turn["says"] == "at your next turn"
        assert [row["kind"] for row in turn["then"]] == ["pass_discard", "choose_defender"]
        sent = {
            "conditions": [turn["conditions"][0]["key"]],
            "steps": [{"kind": "turn_action", "choices": ["pass"]}],
        }
        for _ in range(2):
            (own,) = api(bob).post(address, sent, format="json").json()
            assert own["once"] is True and own["words"].startswith("At your next turn, if your ")
        refused = api(bob).post(address, {**sent, "when": "now"}, format="json")
        assert refused.status_code == 422 and "when" in json.dumps(refused.json())
        wrong = {**sent, "conditions": ["weather"]}
        assert api(bob).post(address, wrong, format="json").status_code == 422
        a_pass(match)
        a_pass(match)
        run = api(bob).post(f"{address}dry-run/", sent, format="json").json()
        assert run["complete"] is True and run["sentence"] == own["words"]
        (line,) = run["lines"]
        assert (line["planned"], line["played"]) == ("Pass", "Pass")


class TestDryRun:
    def test_what_it_would_have_answered(self, match: Match, ann: User, bob: User) -> None:
        for _ in range(4):
            a_pass(match)
        wish, _hand = pass_and_discard(match, 1)
        run = ahead.own_dry_run(match, bob, wish)
        kinds = [(line.planned, line.why, line.played) for line in run.lines]
        assert kinds[0] == ("Pass", "", "Pass")
        assert len(run.lines) == 4, "two turns, of two steps each"
        assert all(line.question for line in run.lines)
        assert not match.orders.exists() and table_of(match).prompts[0]
        never = plan(("turn_action", ["pass"]), conditions=("none-0",))
        lines = ahead.own_dry_run(match, bob, never).lines
        assert [line.why for line in lines] == ["Its condition was not met."] * 2

    def test_it_is_bounded(self, match: Match, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
        for _ in range(4):
            a_pass(match)
        wish = plan(("turn_action", ["pass"]))
        monkeypatch.setattr(ahead, "MAX_LINES", 1)
        run = ahead.own_dry_run(match, bob, wish)
        assert len(run.lines) == 1 and not run.complete
        monkeypatch.setattr(ahead, "MAX_SECONDS", -1)
        run = ahead.own_dry_run(match, bob, wish)
        assert run.lines == [] and not run.complete


class TestWhoLearnsOfIt:
    def seen(self, match: Match, user: User) -> list[Any]:
        client = api(user)
        names = ("state", "events", "orders")
        pages = [client.get(f"/api/matches/{match.slug}/{name}/").json() for name in names]
        return [*pages, client.get(f"/api/matches/{match.slug}/").json()]

    def test_planning_changes_nothing_that_others_see(
        self, match: Match, ann: User, bob: User
    ) -> None:
        before = self.seen(match, ann)
        order = plan_answer(slug=match.slug, user=bob, plan=plan(("turn_action", ["pass"])))
        assert self.seen(match, ann) == before
        cancel_orders(slug=match.slug, user=bob, order=order.pk)
        assert self.seen(match, ann) == before

    @pytest.mark.parametrize("holds", [True, False])
    def test_two_worlds_that_look_alike_to_the_other_seat(
        self, match: Match, ann: User, bob: User, holds: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Bob’s hidden hand decides which of his cards is discarded, and nothing else shows."""
        drawn: list[tuple[float, float]] = []

        def uniform(low: float, high: float) -> float:
            drawn.append((low, high))
            return 4.0

        monkeypatch.setattr(carry_out._chance, "uniform", uniform)
        table = two()
        if not holds:
            table = table.redeal(0, Chance(named_seed("another hand")))
        lay(match, table)
        wish, _hand = pass_and_discard(match, 1)
        plan_answer(slug=match.slug, user=bob, plan=wish)
        a_pass(match)
        order = match.orders.get()
        asked_at = match.moves.order_by("-ply")[0].at
        assert order.due_at is not None and order.due_at - asked_at == timedelta(seconds=4)
        carried_out(match)
        assert drawn == [(2.0, 8.0)] * 2, "from the same span, whatever is in his hand"
        assert match.status == Status.RUNNING
        assert ordered(match)[0] == (1, "pass")
        assert all(by is False for by in self.told(match, ann))

    def told(self, match: Match, user: User) -> list[bool]:
        events = api(user).get(f"/api/matches/{match.slug}/events/").json()["events"]
        return [event["by_order"] for event in events]
