"""Standing orders: what they answer, what ends them, and that nobody else learns of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.models import User
from accounts.services.account_deletion import close_account, finish_closing
from accounts.services.guests import create_guest, merge_guest
from matches import engine
from matches.data_export import standing_orders
from matches.errors import (
    AlreadyAnswered,
    NotForOrders,
    NotYourSeat,
    StalePrompt,
    TooManyOrders,
)
from matches.models import Match, MoveRow, StandingOrder, Status
from matches.queries.access import access_match
from matches.queries.replay import replay_turns
from matches.services import notices, play
from matches.services.bots import run_bots, stalled_bots
from matches.services.cancelling import cancel_match
from matches.services.clock import run_clock
from matches.services.play import concede, play_move
from matches.services.repair import first_difference
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.services.standing_orders import carry_out, give
from matches.services.standing_orders.give import cancel_orders, give_order
from matches.services.store_ply import Played
from matches.services.taking_back import take_back
from notices.kinds import Kind
from notices.models import Notice
from rules.engine.game import Game, Mode
from rules.engine.moves import Move, Prompt, stands
from tests.games.examples import OTHER_GAME
from tests.matches.conftest import MakeMatch, api, asked, exported, person
from tests.matches.test_pages import logged_in
from tests.matches.test_silence import Evening, evenings, every_mode, fight
from tests.matches.test_take_back import answer
from tests.support.sizes import shared

pytestmark = pytest.mark.django_db


@pytest.fixture
def picks(together: str, ann: User, bob: User) -> Match:
    """All pick a number at the same time, unseen, three times over."""
    return sitting_together(together, ann, bob)


def sitting_together(game: str, *people: User, **more: Any) -> Match:
    seats = [SeatPlan(user=user) for user in people]
    return create_match(
        host=people[0], setup=MatchSetup(game=game, mode="match", seats=seats, **more)
    )


def prompt_of(match: Match, seat: int) -> Prompt:
    match.refresh_from_db()
    return engine.load(match).prompts[seat]


def order(match: Match, user: User, notation: str = "", seat: int = 0) -> Played:
    prompt = prompt_of(match, seat).id
    return give_order(slug=match.slug, user=user, prompt_id=prompt, notation=notation)


def move(match: Match, user: User, seat: int, notation: str) -> Played:
    prompt = prompt_of(match, seat).id
    return play_move(slug=match.slug, user=user, prompt_id=prompt, move=notation)


def run(match: Match) -> Match:
    """The worker's part, after a commit and when orders are due."""
    for _ in range(20):
        run_bots(match_id=match.pk)
        if not StandingOrder.objects.filter(due_at__isnull=False).update(due_at=timezone.now()):
            break
    match.refresh_from_db()
    return match


class Clock:
    """The time that everything goes by; ``now`` is moved by hand."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def dropped(user: User) -> list[str]:
    rows = Notice.objects.open().filter(person=user, kind=Kind.ORDER_DROPPED)
    return [row.text for row in rows]


def made(match: Match) -> list[tuple[int, str, bool]]:
    return list(match.moves.order_by("ply").values_list("seat", "notation", "by_order"))


class TestAnswering:
    def test_the_question_at_once_and_then_each_of_its_kind(
        self, picks: Match, ann: User, bob: User
    ) -> None:
        first = order(picks, ann, "pick 2")
        assert (first.notation, first.repeated) == ("pick 2", False)
        prompt = MoveRow.objects.get().prompt
        again = give_order(slug=picks.slug, user=ann, prompt_id=prompt, notation="pick 2")
        assert again.repeated, "pressed twice"
        with pytest.raises(AlreadyAnswered, match="Your auto-answer already played"):
            play_move(slug=picks.slug, user=ann, prompt_id=prompt, move="pick 1")
        for _ in range(3):
            move(picks, bob, 1, "pick 3")
            run(run(picks))
        assert picks.status == Status.FINISHED
        ordered, by_hand = (0, "pick 2", True), (1, "pick 3", False)
        assert made(picks) == [ordered, by_hand] * 3
        assert first_difference(picks) is None
        assert not StandingOrder.objects.exists(), "it goes with the match"
        assert exported(picks)["by_standing_order"] == [1, 3, 5]

    def test_a_bell_that_is_lost_is_found_by_the_sweep(
        self, picks: Match, ann: User, bob: User
    ) -> None:
        order(picks, ann, "pick 2")
        later = timezone.now() + timedelta(minutes=1)
        assert stalled_bots(now=later) == [], "it has answered"
        move(picks, bob, 1, "pick 3")
        due = StandingOrder.objects.get().due_at
        assert due is not None
        assert stalled_bots(now=due - timedelta(milliseconds=1)) == []
        assert stalled_bots(now=due) == stalled_bots(now=later) == [picks.pk]
        run(picks)
        assert stalled_bots(now=later) == []

    def test_the_worker_is_woken_for_it(
        self,
        picks: Match,
        ann: User,
        bob: User,
        django_capture_on_commit_callbacks: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        woken: list[Any] = []

        def enqueue(*task: Any, countdown: float) -> None:
            woken.append(task)
            assert 1 < countdown <= carry_out.SLOWEST.total_seconds(), "when it answers"

        monkeypatch.setattr("matches.services.store_ply.enqueue", enqueue)
        with django_capture_on_commit_callbacks(execute=True):
            order(picks, ann, "pick 2")
        assert woken == []
        with django_capture_on_commit_callbacks(execute=True):
            move(picks, bob, 1, "pick 3")
        assert woken == [("matches.tasks.play_bots", picks.pk)]

    def test_it_takes_as_long_as_a_person_might(
        self, picks: Match, ann: User, bob: User, hands: Clock
    ) -> None:
        """Nobody sees by the moments of the events that nobody was there."""
        order(picks, ann, "pick 2")
        asked_at = hands.now
        move(picks, bob, 1, "pick 3")
        due = StandingOrder.objects.get().due_at
        assert due is not None
        assert carry_out.QUICKEST <= due - asked_at <= carry_out.SLOWEST
        hands.now = due - carry_out.EARLY - timedelta(milliseconds=1)
        run_bots(match_id=picks.pk)
        picks.refresh_from_db()
        assert picks.ply == 2, "not yet"
        hands.now = due
        run_bots(match_id=picks.pk)
        move(picks, bob, 1, "pick 3")
        for viewer in (bob, None):
            events = api(viewer).get(f"/api/matches/{picks.slug}/events/").json()["events"]
            moments = [parse_datetime(event["at"]) for event in events if event["at"]]
            answered = due.replace(microsecond=due.microsecond // 1000 * 1000)
            assert max(moments) == answered, (
                "its answer is seen when it came, not when it was asked"
            )
        assert StandingOrder.objects.get().due_at > due, "and the next one takes its time, too"

    def test_two_orders_never_take_the_same_time(self, picks: Match) -> None:
        (seat, _) = picks.seats.order_by("number")
        taken = {carry_out.time_taken(seat, timezone.now()) for _ in range(20)}
        assert len(taken) == 20
        assert all(carry_out.QUICKEST <= item <= carry_out.SLOWEST for item in taken)

    def test_it_does_not_lose_its_person_the_match(self, picks: Match, hands: Clock) -> None:
        seat = picks.seats.get(number=0)
        for left in (20, 1, 0, -3):
            seat.deadline_at = hands.now + timedelta(seconds=left)
            assert carry_out.time_taken(seat, hands.now) <= timedelta(seconds=max(left, 0) / 10)

    def test_nothing_is_sent_about_a_question_that_it_answers(
        self, picks: Match, ann: User, bob: User, hands: Clock
    ) -> None:
        order(picks, ann, "pick 2")
        move(picks, bob, 1, "pick 3")
        due = StandingOrder.objects.get().due_at
        assert due is not None
        turns = Notice.objects.open().filter(kind=Kind.YOUR_TURN)
        assert turns.get(person=ann).since == due + notices.ORDER_GRACE
        assert turns.get(person=bob).since <= hands.now

    def test_who_takes_back_is_answered_no_more(self, picks: Match, ann: User, bob: User) -> None:
        order(picks, ann, "pick 2")
        move(picks, bob, 1, "pick 3")
        cancel_orders(slug=picks.slug, user=ann)
        assert run(picks).ply == 2

    def test_orders_of_all_and_bots_end_by_themselves(
        self, together: str, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody has to be there, and still it does not go on for ever."""
        monkeypatch.setattr(carry_out, "MAX_ANSWERS", 2)
        match = create_match(
            host=ann,
            setup=MatchSetup(
                game=together,
                mode="match",
                seats=[SeatPlan(user=ann), SeatPlan(user=bob), SeatPlan("bot")],
            ),
        )
        order(match, ann, "pick 2")
        order(match, bob, "pick 3", seat=1)
        run(match)
        assert [made(match).count((seat, f"pick {seat + 2}", True)) for seat in (0, 1)] == [2, 2]
        assert match.status == Status.RUNNING and not StandingOrder.objects.exists()
        for user in (ann, bob):
            (text,) = dropped(user)
            assert "has stopped. It had answered" in text

    def test_an_order_given_while_a_move_was_under_way(
        self, picks: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The move read the match before; it reads again, and wakes the order."""
        real, result = play.answer, []

        def answer(match: Match, *args: Any, **kwargs: Any) -> Any:
            if not result:
                result.append(True)
                order(picks, ann, "pick 2")
            return real(match, *args, **kwargs)

        monkeypatch.setattr(play, "answer", answer)
        move(picks, bob, 1, "pick 3")
        due = StandingOrder.objects.get()
        assert due.prompt == prompt_of(picks, 0).id
        silent_writes = picks.silent_writes
        assert silent_writes == 1

    def test_one_that_was_cancelled_under_way_answers_no_more(
        self, picks: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        order(picks, ann, "pick 2")
        move(picks, bob, 1, "pick 3")
        real = carry_out.next_answer

        def read(match: Match, table: engine.Table) -> Any:
            real_result = real(match, table)
            cancel_orders(slug=picks.slug, user=ann)
            return real_result

        monkeypatch.setattr(carry_out, "next_answer", read)
        run(picks)
        assert picks.ply == 2


class TestGiving:
    def test_what_is_refused(self, picks: Match, match: Match, ann: User, stranger: User) -> None:
        with pytest.raises(NotYourSeat):
            order(picks, stranger, "pick 2")
        with pytest.raises(NotForOrders, match="You can’t pass on this prompt"):
            order(picks, ann)
        with pytest.raises(StalePrompt):
            give_order(slug=picks.slug, user=ann, prompt_id=7, notation="pick 2")
        with pytest.raises(NotYourSeat):
            cancel_orders(slug=picks.slug, user=stranger)
        assert not StandingOrder.objects.exists() and picks.ply == 0

    def test_an_answer_that_names_a_card_is_another_one_each_time(self, match: Match) -> None:
        for _ in range(200):
            match.refresh_from_db()
            table = engine.load(match)
            (prompt,) = table.prompts.values()
            user = match.seats.get(number=prompt.seat).user
            with_card = [option for option in prompt.options if not stands(option)]
            if with_card:
                with pytest.raises(NotForOrders, match="can’t name a card or a place"):
                    order(match, user, table.notation(with_card[0]), seat=prompt.seat)
                return
            move(match, user, prompt.seat, table.notation(prompt.options[0]))
        pytest.fail("No card was ever chosen.")

    def test_another_answer_replaces_the_first(self, picks: Match, ann: User, bob: User) -> None:
        order(picks, ann, "pick 2")
        move(picks, bob, 1, "pick 3")
        order(picks, ann, "pick 1")
        (own,) = api(ann).get(f"/api/matches/{picks.slug}/orders/").json()
        assert (own["words"], own["answered"], own["question"]) == ("1", 1, "Pick a number.")

    def test_so_many_and_no_more(
        self, picks: Match, ann: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(give, "MAX_ORDERS", 1)
        StandingOrder.objects.create(match=picks, seat=0, kind="other", move={"verb": "x"})
        with pytest.raises(TooManyOrders):
            order(picks, ann, "pick 2")
        assert picks.ply == 0

    def test_by_the_api(self, picks: Match, ann: User, bob: User) -> None:
        address = f"/api/matches/{picks.slug}/orders/"
        state = api(ann).get(f"/api/matches/{picks.slug}/state/").json()
        assert state["prompt"]["window"] is False
        assert {option["stands"] for option in state["prompt"]["options"]} == {True}
        sent = {"prompt": state["prompt"]["id"], "notation": "pick 2"}
        for wrong in ({}, {"windows": True, "notation": "pick 2"}):
            refused = api(ann).post(address, {"prompt": 1, **wrong}, format="json")
            assert refused.status_code == 400
        (result,) = api(ann).post(address, sent, format="json").json()
        assert result["words"] == "2"
        assert api(bob).get(address).json() == []
        assert api(bob).delete(f"{address}{result['id']}/").status_code == 204
        assert len(api(ann).get(address).json()) == 1, "another's order stays"
        for _ in range(2):
            assert api(ann).delete(f"{address}{result['id']}/").status_code == 204
        assert api(ann).delete(address).status_code == 204
        assert api(ann).get(address).json() == []

    def test_on_the_page_without_a_script(self, match: Match) -> None:
        user, prompt = asked(match)
        page, address = logged_in(user), f"{match.get_absolute_url()}orders/"
        text = page.get(match.get_absolute_url()).content.decode()
        assert "Always answer this with" in text
        for wrong in ({}, {"give": "answer", "prompt": prompt.id}, {"give": "windows"}):
            assert page.post(address, wrong).status_code == 400
        assert page.post(address, {"give": "windows", "prompt": prompt.id}).status_code == 422
        form = {"prompt": prompt.id, "give": "answer", "notation": "pass"}
        assert page.post(address, form).status_code == 302
        standingorder = StandingOrder.objects.get()
        text = page.get(match.get_absolute_url()).content.decode()
        mark = f'name="cancel" value="{standingorder.pk}"'
        assert "Your turn: choose what to do. <b>Pass</b>" in text and mark in text
        assert "By standing order: " in text
        for seat in match.seats.exclude(user=user):
            other = logged_in(seat.user).get(match.get_absolute_url()).content.decode()
            assert mark not in other and "By standing order" not in other
        page.post(address, {"cancel": standingorder.pk})
        assert not StandingOrder.objects.exists()


class TestEnding:
    @pytest.mark.slow
    def test_a_window_is_let_pass_until_one_is_aimed_at(self) -> None:
        """Whoever lets all windows pass is asked again as soon as somebody does them harm."""
        for number in range(12):
            User.objects.all().delete()
            evening = fighting(f"aimed {number}")
            if until_aimed_at_result := until_aimed_at(evening):
                break
        else:
            pytest.fail("Nobody was ever aimed at.")
        assert until_aimed_at_result.endswith(
            "“Auto-pass until I’m targeted” has stopped. You were targeted."
        )

    def test_an_answer_that_is_not_offered_ends_it(
        self, picks: Match, ann: User, bob: User
    ) -> None:
        order(picks, ann, "pick 2")
        StandingOrder.objects.update(move={"verb": "pick", "target": {"number": 9}})
        move(picks, bob, 1, "pick 3")
        assert not StandingOrder.objects.exists()
        (text,) = dropped(ann)
        assert text.endswith("That answer wasn’t available.")
        notice = Notice.objects.get(kind=Kind.ORDER_DROPPED)
        assert notice.link == picks.get_absolute_url() and notice.due_at <= timezone.now()
        assert run(picks).ply == 2, "nobody answers for Ann"

    def test_giving_up(self, together: str, ann: User, bob: User, stranger: User) -> None:
        match = sitting_together(together, ann, bob, stranger)
        order(match, ann, "pick 2")
        concede(slug=match.slug, user=ann)
        assert not StandingOrder.objects.exists() and dropped(ann) == []

    def test_whose_time_runs_out(self, together: str, ann: User, bob: User) -> None:
        """A bot that keeps the seat plays as it likes; a turn that is played leaves them be."""
        for timeout, kept in (("bot", False), ("turn", True)):
            match = sitting_together(together, ann, bob, timeout=timeout, pauses_when_away=False)
            StandingOrder.objects.create(
                match=match, seat=0, kind="other", move={"verb": "x"}, words="X"
            )
            Match.objects.filter(pk=match.pk).update(silent_writes=1)
            move(match, bob, 1, "pick 3")
            late = timezone.now() + timedelta(days=3, minutes=1)
            run_clock(match_id=match.pk, now=late)
            match.refresh_from_db()
            assert match.status == Status.RUNNING
            assert match.orders.exists() == kept
        (text,) = dropped(ann)
        assert text.endswith("has stopped. A bot plays for you now.")

    def test_calling_the_match_off(self, picks: Match, ann: User) -> None:
        order(picks, ann, "pick 2")
        cancel_match(slug=picks.slug, user=ann)
        assert not StandingOrder.objects.exists()

    def test_taking_back_what_it_answered(self, make_match: MakeMatch) -> None:
        """Else it would answer again."""
        match = make_match(game=OTHER_GAME, mode="battle")
        while match.status == Status.RUNNING:
            user, prompt = asked(match)
            table = engine.load(match)
            ordered = next(
                (option for option in prompt.options if may_go_back(table, prompt, option)), None
            )
            if ordered is None:
                answer(match)
                continue
            order(match, user, table.notation(ordered), seat=prompt.seat)
            assert StandingOrder.objects.exists()
            take_back(slug=match.slug, user=user)
            assert not StandingOrder.objects.exists() and dropped(user) == []
            assert prompt_of(match, prompt.seat).kind == prompt.kind
            return
        pytest.fail("No ordered answer could be taken back.")

    def test_a_guest_who_logs_in_keeps_them(self, together: str, ann: User, bob: User) -> None:
        guest = create_guest(address="192.0.2.7")
        match = sitting_together(together, guest, bob)
        order(match, guest, "pick 2")
        merge_guest(guest=guest, user=ann)
        assert len(api(ann).get(f"/api/matches/{match.slug}/orders/").json()) == 1
        move(match, bob, 1, "pick 3")
        assert run(match).ply == 3

    def test_an_account_that_goes_takes_them_along(
        self, together: str, ann: User, bob: User, stranger: User
    ) -> None:
        match = sitting_together(together, ann, bob, stranger)
        order(match, ann, "pick 2")
        close_account(user=ann)
        ann.refresh_from_db()
        finish_closing(user=ann)
        assert not StandingOrder.objects.exists()


def may_go_back(table: engine.Table, prompt: Prompt, option: Move) -> bool:
    """True if it can be ordered, and then be withdrawn."""
    after = table.clone()
    after.play(prompt.seat, option)
    return stands(option) and after.can_undo(prompt.seat)


def fighting(seed: str) -> Evening:
    """A Battle in which nobody has ordered anything yet."""
    evening = fight(seed, 20)
    evening.match.orders.all().delete()
    Match.objects.filter(pk=evening.match.pk).update(silent_writes=0)
    return evening


def until_aimed_at(evening: Evening) -> str:
    """Seat 2 lets all windows pass; gives what it is told when that ends."""
    match, user = evening.match, evening.people[1]
    for prompt, chosen in evening.moves(400):
        window = engine.load(match).window(prompt)
        if prompt.seat == 1 and window is not None and not match.silent_writes:
            order(match, user, seat=1)
            passed = match.moves.get(seat=1, prompt=prompt.id)
            assert (passed.notation, passed.by_order) == ("pass", True)
        else:
            playable = [option for option in prompt.options if option != window]
            evening.play(prompt, playable[0] if window is not None else chosen)
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        if match.silent_writes and not match.orders.exists():
            last = match.moves.order_by("ply").last()
            assert last is not None and last.seat == 0
            (text,) = dropped(user)
            return text
        run(match)
    return ""


# -- nobody else learns of it ----------------------------------------------------------------------


@contextmanager
def undone() -> Iterator[None]:
    """What happens in it never happened: its notices' numbers, too, are given once more."""
    numbers = "pg_get_serial_sequence('notices_notice', 'id')::regclass"
    sequenced = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if sequenced:
            cursor.execute(f"SELECT pg_sequence_last_value({numbers})")
            (last,) = cursor.fetchone()
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        if sequenced:
            cursor.execute(
                f"SELECT setval({numbers}, coalesce(%s, 1), %s)", [last, last is not None]
            )


ORDERS = shared(12, least=1, large=2)
"""How many answers of a mode are given by hand and by order."""


@every_mode
@pytest.mark.slow
def test_others_get_the_same_whether_it_was_ordered_or_not(
    game: Game, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the byte, on pages, in the API, in numbers and clocks; and so afterwards."""
    evening = next(evenings(game, mode))
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    looked = could = 0
    for prompt, chosen in evening.moves(40):
        table = engine.load(evening.match)
        may = [option for option in prompt.options if stands(option)]
        could += bool(may)
        if may and looked < ORDERS:
            looked += 1
            others = [item for item in evening.everybody if item.seat != prompt.seat][:2]
            with undone():
                evening.play(prompt, may[-1])
                by_hand = [other.gets() for other in others]
            order_of(evening, prompt, table.notation(may[-1]))
            assert [other.gets() for other in others] == by_hand
            user = evening.people[prompt.seat]
            cancel_orders(slug=evening.match.slug, user=user)
            assert [other.gets() for other in others] == by_hand, "nor that it has gone"
        else:
            evening.play(prompt, chosen)
    assert looked or not could


def order_of(evening: Evening, prompt: Prompt, notation: str) -> None:
    give_order(
        slug=evening.match.slug,
        user=evening.people[prompt.seat],
        prompt_id=prompt.id,
        notation=notation,
    )


def test_who_is_told_which_moves_were_ordered(picks: Match, ann: User, bob: User) -> None:
    """Its owner at once, everybody when the match is over."""
    order(picks, ann, "pick 2")

    def groups(user: User | None) -> list[bool]:
        events = api(user).get(f"/api/matches/{picks.slug}/events/").json()["events"]
        return [event["by_order"] for event in events]

    assert groups(ann) == [False, True]
    assert groups(bob) == groups(None) == [False, False]
    concede(slug=picks.slug, user=bob)
    assert groups(ann) == groups(bob) == groups(None) == [False, True, False]
    access_match_result = access_match(bob, picks.slug)
    (first, *_) = (
        step for turn in replay_turns(access_match_result, ["Ann", "Bob"]) for step in turn.steps
    )
    assert first.text == "By standing order: Ann picked 2."


def test_own_data_has_them(picks: Match, ann: User) -> None:
    order(picks, ann, "pick 2")
    (row,) = standing_orders(ann)
    assert (row["slug"], row["words"]) == (picks.slug, "2")
    assert list(standing_orders(person("Cleo"))) == []
