"""Setting up, playing and ending matches."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services.guests import merge_guest
from matches import engine
from matches.clock import seat_clocks
from matches.errors import (
    AlreadyAnswered,
    Malformed,
    NotFinished,
    NotOffered,
    NotOpen,
    NotPossible,
    NotRunning,
    NotYourSeat,
    StalePrompt,
    TooManyMatches,
    UnknownMatch,
)
from matches.models import Match, MoveRow, SeatKind, Source, Status, TimeControl
from matches.queries.tables import awaiting, matches_of
from matches.queries.waiting import what_waits
from matches.services import setup
from matches.services.bots import run_bots
from matches.services.clock import overdue, run_clock
from matches.services.play import concede, play_move
from matches.services.rematch import rematch
from matches.services.repair import first_difference
from matches.services.setup import SeatPlan, join_match, leave_match
from notices.queries import bell_of
from rules.engine.chance import commitment, mix
from rules.engine.moves import Move, move_to_json
from tests.games.examples import EXAMPLE
from tests.matches.conftest import MakeMatch, asked, person, play_on, stored

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


class TestSettingUp:
    def test_starts_at_once_when_no_seat_is_open(self, match: Match) -> None:
        assert match.status == Status.RUNNING
        assert match.started_at is not None
        assert match.state is not None
        assert match.opening_events[0][0] == "match_started"
        assert [seat.prompt is not None for seat in match.seats.all()].count(True) == 1

    def test_keeps_the_options_complete_so_that_new_defaults_change_no_old_match(
        self, match: Match
    ) -> None:
        match.refresh_from_db()
        assert match.options == {"guards": 1, "boosters": [], "turn_limit": 80}

    def test_commits_to_its_seed_from_the_first_day(self, make_match: MakeMatch, ann: User) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        assert match.commitment == commitment(match.server_seed)
        assert match.status == Status.OPEN
        assert match.state is None

    def test_every_match_has_its_own_seed(self, make_match: MakeMatch) -> None:
        assert make_match().server_seed != make_match().server_seed

    def test_the_last_one_to_sit_down_starts_it_with_everybody_s_client_seed(
        self, make_match: MakeMatch, ann: User, bob: User, stranger: User
    ) -> None:
        match = make_match(
            seats=[SeatPlan(), SeatPlan(SeatKind.OPEN), SeatPlan(SeatKind.OPEN)],
            client_seed="ann's dice",
        )
        join_match(match=match, user=bob)
        match.refresh_from_db()
        assert match.status == Status.OPEN
        seat = join_match(match=match, user=stranger, client_seed="sam")
        match.refresh_from_db()
        assert (seat.number, match.status) == (2, Status.RUNNING)
        seed = mix(bytes(match.server_seed), [(0, "ann's dice"), (2, "sam")])
        again = EXAMPLE.new_match("match", seats=3, seed=seed, options=match.options, decks=())
        assert engine.snapshot(again) == match.state

    def test_joining_twice_gives_the_same_seat(self, make_match: MakeMatch, bob: User) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN), SeatPlan(SeatKind.OPEN)])
        first = join_match(match=match, user=bob)
        second = join_match(match=match, user=bob)
        assert first.number == second.number
        assert match.seats.filter(kind=SeatKind.OPEN).count() == 1

    def test_nobody_can_join_a_running_match(self, match: Match, stranger: User) -> None:
        with pytest.raises(NotOpen):
            join_match(match=match, user=stranger)

    def test_a_seat_with_a_name_on_it_waits_for_that_person(
        self, make_match: MakeMatch, ann: User, bob: User, stranger: User
    ) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob)])
        with pytest.raises(NotOpen):
            join_match(match=match, user=stranger)
        assert match in matches_of(bob)
        assert join_match(match=match, user=bob).number == 1

    def test_leaving_frees_the_seat(self, make_match: MakeMatch, bob: User) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN), SeatPlan(SeatKind.OPEN)])
        join_match(match=match, user=bob, client_seed="x")
        leave_match(match=match, user=bob)
        seat = match.seats.get(number=1)
        assert (seat.kind, seat.user, seat.client_seed) == (SeatKind.OPEN, None, "")

    def test_the_host_s_leaving_cancels(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        leave_match(match=match, user=ann)
        match.refresh_from_db()
        assert match.status == Status.CANCELLED
        with pytest.raises(NotOpen):
            join_match(match=match, user=bob)

    def test_nobody_leaves_a_running_match(self, match: Match, ann: User) -> None:
        with pytest.raises(NotOpen):
            leave_match(match=match, user=ann)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"game": "chess"}, "Unknown game “chess”"),
            ({"mode": "blitz"}, "no mode “blitz”"),
            ({"mode": "duel"}, "no mode “duel”"),
            ({"time_control": "soon"}, "“soon” is not a time control"),
            ({"options": {"guards": 9}}, "Guards"),
            ({"options": {"colour": "red"}}, "no option colour"),
            ({"seats": [SeatPlan()]}, "2 to 4 seats"),
            ({"seats": [SeatPlan(), SeatPlan(SeatKind.BOT, bot="hal")]}, "Unknown bot “hal”"),
            ({"seats": [SeatPlan(), SeatPlan()]}, "two seats"),
            ({"seats": [SeatPlan(), SeatPlan("ghost")]}, "Unknown kind of seat “ghost”"),
            ({"client_seed": "two\nlines"}, "one line"),
            ({"client_seed": "x" * 65}, "64 characters"),
        ],
    )
    def test_nonsense_is_refused_in_words(
        self, make_match: MakeMatch, changes: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(NotPossible, match=words):
            make_match(**changes)
        assert not Match.objects.exists()

    def test_one_person_cannot_fill_the_site_with_matches(
        self, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(setup, "MAX_MATCHES", 2)
        make_match(), make_match()
        with pytest.raises(TooManyMatches, match="2 unfinished matches \\(limit 2\\)") as refusal:
            make_match()
        assert (refusal.value.status, refusal.value.extra) == (409, {"limit": 2})
        with pytest.raises(TooManyMatches):
            make_match(seats=[SeatPlan(SeatKind.BOT)] * 2)
        concede(slug=Match.objects.all()[0].slug, user=Match.objects.all()[0].host)
        make_match()

    def test_an_organiser_sets_up_tables_for_others(
        self, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch, stranger: User
    ) -> None:
        """Own matches and those for others have limits of their own; neither has none."""
        monkeypatch.setattr(setup, "MAX_MATCHES", 1)
        monkeypatch.setattr(setup, "MAX_MATCHES_FOR_OTHERS", 3)
        others = [SeatPlan(SeatKind.OPEN)] * 2
        make_match(host=stranger, seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])
        make_match(host=stranger)  # it runs, with Ann and Bob
        make_match(host=stranger, seats=others)
        make_match(host=stranger, seats=[SeatPlan(SeatKind.OPEN), SeatPlan(SeatKind.BOT)])
        with pytest.raises(TooManyMatches, match="3 unfinished matches .* cancel some"):
            make_match(host=stranger, seats=others)
        with pytest.raises(TooManyMatches, match="limit 1.* only others play don’t count"):
            make_match(host=stranger, seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])
        leave_match(match=Match.objects.filter(status=Status.OPEN)[0], user=stranger)
        make_match(host=stranger, seats=others)

    def test_an_organiser_who_sits_down_plays_there(
        self, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch, stranger: User
    ) -> None:
        monkeypatch.setattr(setup, "MAX_MATCHES", 1)
        match = make_match(host=stranger, seats=[SeatPlan(SeatKind.OPEN)] * 2)
        join_match(match=match, user=stranger)
        with pytest.raises(TooManyMatches, match="limit 1"):
            make_match(host=stranger, seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])

    def test_the_staff_may_do_more_and_guests_organise_nothing(
        self, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch, staff: User
    ) -> None:
        monkeypatch.setattr(setup, "MAX_MATCHES", 1)
        monkeypatch.setattr(setup, "MAX_MATCHES_FOR_OTHERS", 1)
        monkeypatch.setattr(setup, "STAFF_FACTOR", 2)
        for _ in range(2):
            make_match(host=staff)
        with pytest.raises(TooManyMatches, match="limit 2"):
            make_match(host=staff)
        guest = person("Guest", is_guest=True)
        make_match(host=guest)
        with pytest.raises(TooManyMatches, match="or sign up"):
            make_match(host=guest, seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])


class TestPlaying:
    def test_a_move_is_a_ply(self, match: Match) -> None:
        user, prompt = asked(match)
        played = play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
        match.refresh_from_db()
        row = match.moves.get()
        assert (played.ply, match.ply, row.ply) == (1, 1, 1)
        assert row.move == move_to_json(prompt.options[0])
        assert (row.prompt, row.seat, row.source) == (prompt.id, prompt.seat, Source.PERSON)
        assert row.events
        assert engine.load(match).prompts.get(prompt.seat) != prompt

    def test_notation_does_as_well(self, match: Match) -> None:
        user, prompt = asked(match)
        text = engine.load(match).notation(prompt.options[-1])
        played = play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=f"  {text} ")
        assert played.notation == text

    def test_who_is_asked_stands_in_the_seats(self, match: Match, ann: User, bob: User) -> None:
        for _ in range(12):
            user, prompt = asked(match)
            waiting = match.seats.get(prompt__isnull=False)
            assert (waiting.user, waiting.prompt) == (user, prompt.id)
            other = bob if user == ann else ann
            assert list(awaiting(user)) == [match]
            assert what_waits(bell_of(user)).matches == 1
            assert what_waits(bell_of(other)).matches == 0
            play_on(match, 1)

    def test_to_the_end(self, match: Match) -> None:
        play_on(match)
        assert match.status == Status.FINISHED
        assert match.outcome is not None
        assert match.reason == match.outcome["reason"]
        places = {seat.number: seat.rank for seat in match.seats.all()}
        for number in match.outcome["winners"]:
            assert places[number] == 1
        assert all(seat.prompt is None for seat in match.seats.all())
        assert list(match.moves.values_list("ply", flat=True)) == list(range(1, match.ply + 1))

    def test_after_the_end_nothing_goes(self, finished: Match, ann: User) -> None:
        before = stored(finished)
        with pytest.raises(NotRunning):
            play_move(slug=finished.slug, user=ann, prompt_id=10**6, move=Move("pass"))
        with pytest.raises(NotRunning):
            concede(slug=finished.slug, user=ann)
        assert stored(finished) == before

    def test_the_same_answer_again_gives_the_first_receipt(self, match: Match) -> None:
        user, prompt = asked(match)
        move = {"slug": match.slug, "user": user, "prompt_id": prompt.id}
        first = play_move(**move, move=prompt.options[0])
        play_on(match, 3)
        before = stored(match)
        again = play_move(**move, move=prompt.options[0])
        text = play_move(**move, move=first.notation)
        assert (again.ply, again.notation, again.repeated) == (first.ply, first.notation, True)
        assert text == again
        assert stored(match) == before

    def test_another_answer_to_an_answered_prompt_is_a_conflict(self, match: Match) -> None:
        user, prompt = asked(match)
        while len(prompt.options) < 2:
            play_on(match, 1)
            user, prompt = asked(match)
        move = {"slug": match.slug, "user": user, "prompt_id": prompt.id}
        play_move(**move, move=prompt.options[0])
        match.refresh_from_db()
        before = stored(match)
        with pytest.raises(AlreadyAnswered, match="already played") as refusal:
            play_move(**move, move=prompt.options[1])
        assert refusal.value.extra["ply"] == match.ply
        assert stored(match) == before

    def test_somebody_else_s_prompt(self, match: Match, ann: User, bob: User) -> None:
        user, prompt = asked(match)
        before = stored(match)
        other = bob if user == ann else ann
        for number in (prompt.id, 999):  # the same refusal, whatever the other seat is asked
            with pytest.raises(NotYourSeat, match="not your turn"):
                play_move(slug=match.slug, user=other, prompt_id=number, move=prompt.options[0])
        assert stored(match) == before

    def test_a_prompt_that_was_never_asked(self, match: Match, ann: User, bob: User) -> None:
        user, prompt = asked(match)
        before = stored(match)
        with pytest.raises(StalePrompt) as refusal:
            play_move(slug=match.slug, user=user, prompt_id=999, move=Move("pass"))
        assert refusal.value.extra["prompt"] == prompt.id
        assert stored(match) == before

    def test_a_move_that_is_not_offered(self, match: Match) -> None:
        user, prompt = asked(match)
        before = stored(match)
        for move in (Move("teleport"), "teleport home"):
            with pytest.raises(NotOffered) as refusal:
                play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
            assert "pass" in refusal.value.extra["offered"]
        with pytest.raises(Malformed):
            play_move(slug=match.slug, user=user, prompt_id=prompt.id, move="a b c d (")
        assert stored(match) == before

    def test_a_spectator_cannot_play(self, match: Match, stranger: User) -> None:
        _, prompt = asked(match)
        with pytest.raises(NotYourSeat):
            play_move(slug=match.slug, user=stranger, prompt_id=prompt.id, move=prompt.options[0])
        with pytest.raises(NotYourSeat):
            concede(slug=match.slug, user=stranger)

    def test_an_unknown_match(self, ann: User) -> None:
        with pytest.raises(UnknownMatch):
            play_move(slug="nowhere", user=ann, prompt_id=1, move=Move("pass"))

    def test_before_the_start(self, make_match: MakeMatch, ann: User) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        with pytest.raises(NotRunning, match="not started yet"):
            play_move(slug=match.slug, user=ann, prompt_id=1, move=Move("pass"))

    def test_conceding_is_a_ply_and_counts_once(self, match: Match, ann: User) -> None:
        play_on(match, 3)
        played = concede(slug=match.slug, user=ann)
        match.refresh_from_db()
        assert (played.ply, match.ply, match.status) == (4, 4, Status.FINISHED)
        assert match.outcome is not None
        assert match.outcome["winners"] == [1]
        row = match.moves.get(ply=4)
        assert (row.move, row.prompt, row.notation) == (None, None, "concede")
        again = concede(slug=match.slug, user=ann)
        assert (again.ply, again.repeated) == (4, True)

    def test_others_play_on_when_one_of_three_concedes(
        self, make_match: MakeMatch, ann: User, bob: User, stranger: User
    ) -> None:
        match = make_match(seats=[SeatPlan(user=user) for user in (ann, bob, stranger)])
        concede(slug=match.slug, user=bob)
        match.refresh_from_db()
        assert match.status == Status.RUNNING
        with pytest.raises(NotYourSeat):
            play_move(slug=match.slug, user=bob, prompt_id=999, move=Move("pass"))
        play_on(match)
        assert match.seats.get(user=bob).rank == 3


class TestAllAtOnce:
    """A game in which several seats hold a prompt together."""

    def test_nobody_waits_for_another_seat(
        self, make_match: MakeMatch, together: str, ann: User, bob: User
    ) -> None:
        match = make_match(game=together)
        prompts = engine.load(match).prompts
        for seat, user in ((1, bob), (0, ann)):  # in whatever order they come
            play_move(slug=match.slug, user=user, prompt_id=prompts[seat].id, move="pick 2")
        match.refresh_from_db()
        assert match.ply == 2
        assert engine.load(match).view(None)["round"] == 2

    def test_a_stale_write_after_another_seat_does_no_harm(
        self,
        make_match: MakeMatch,
        together: str,
        ann: User,
        bob: User,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        match = make_match(game=together)
        prompts = engine.load(match).prompts
        load = engine.load

        def bob_is_faster(match: Match) -> Any:
            monkeypatch.setattr(engine, "load", load)
            play_move(slug=match.slug, user=bob, prompt_id=prompts[1].id, move="pick 3")
            return load(match)

        monkeypatch.setattr(engine, "load", bob_is_faster)
        played = play_move(slug=match.slug, user=ann, prompt_id=prompts[0].id, move="pick 1")
        assert played.ply == 2
        assert list(match.moves.values_list("seat", flat=True)) == [1, 0]

    def test_played_to_the_end_and_again(self, make_match: MakeMatch, together: str) -> None:
        match = play_on(make_match(game=together))
        assert match.status == Status.FINISHED
        assert first_difference(match) is None


class TestBots:
    def test_they_play_until_a_person_is_asked(self, bot_match: Match, ann: User) -> None:
        for _ in range(10):
            assert run_bots(match_id=bot_match.pk) is False
            bot_match.refresh_from_db()
            if bot_match.status != Status.RUNNING:
                break
            user, prompt = asked(bot_match)
            assert user == ann
            play_move(slug=bot_match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
        assert set(bot_match.moves.values_list("seat", "source")) == {(0, "person"), (1, "bot")}

    def test_a_second_run_changes_nothing(self, bot_match: Match) -> None:
        run_bots(match_id=bot_match.pk)
        before = stored(bot_match)
        run_bots(match_id=bot_match.pk)
        assert stored(bot_match) == before

    def test_the_same_question_gets_the_same_answer(self, make_match: MakeMatch, ann: User) -> None:
        match = make_match(seats=[SeatPlan(SeatKind.BOT, bot="random")] * 2)
        for _ in range(3):
            with transaction.atomic():
                run_bots(match_id=match.pk, limit=30)
                answers = list(match.moves.values_list("notation", flat=True))
                transaction.set_rollback(True)
            assert len(answers) == 30
            first = locals().setdefault("first", answers)
            assert answers == first

    def test_a_long_match_takes_several_runs(self, make_match: MakeMatch) -> None:
        match = make_match(seats=[SeatPlan(SeatKind.BOT)] * 2)
        assert run_bots(match_id=match.pk, limit=3) is True
        assert match.moves.count() == 3
        while run_bots(match_id=match.pk):
            pass
        match.refresh_from_db()
        assert match.status == Status.FINISHED

    def test_their_chance_is_not_the_match_s(self, bot_match: Match) -> None:
        """Otherwise a bot's thinking would change the cards to come."""
        before = engine.load(bot_match).state.chance
        used = engine.bot_chance(bot_match, 1, 1)
        assert used.seed != before.seed
        assert used.seed != bytes(bot_match.server_seed)

    def test_they_see_only_their_view(
        self, bot_match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[Any] = []
        bot = EXAMPLE.bots["greedy"]

        def spy(view: Any, prompt: Any, chance: Any) -> Move:
            seen.append((view["seat"], prompt.seat))
            return bot.choose(view, prompt, chance)

        spying = type(bot)("greedy", bot.name, bot.summary, spy)
        monkeypatch.setitem(EXAMPLE.bots, "greedy", spying)  # type: ignore[arg-type]
        while not seen:
            user, prompt = asked(bot_match)
            play_move(slug=bot_match.slug, user=user, prompt_id=prompt.id, move=prompt.options[-1])
            run_bots(match_id=bot_match.pk)
        assert set(seen) == {(1, 1)}


class TestClock:
    @pytest.fixture
    def match(self, make_match: MakeMatch) -> Match:
        """A match at which turns are played for whoever is late, at once."""
        return make_match(timeout="turn", pauses_when_away=False)

    def test_the_time_for_a_turn(self, make_match: MakeMatch) -> None:
        match = make_match(time_control=TimeControl.SLOW)
        seat = match.seats.get(prompt__isnull=False)
        assert match.started_at is not None
        assert seat.deadline_at == match.deadline_at == match.started_at + timedelta(days=7)
        assert match.seats.get(prompt=None).deadline_at is None

    def test_questions_do_not_stretch_a_turn(self, match: Match) -> None:
        """The deadline of a turn stays while its seat answers question after question."""
        seen = 0
        while match.status == Status.RUNNING:
            before = match.seats.get(prompt__isnull=False)
            play_on(match, 1)
            after = match.seats.filter(prompt__isnull=False, number=before.number).first()
            if after is not None:
                seen += 1
                assert after.deadline_at == before.deadline_at
        assert seen

    def test_no_clock_runs_where_only_bots_wait(self, bot_match: Match) -> None:
        run_bots(match_id=bot_match.pk)
        bot_match.refresh_from_db()
        assert bot_match.deadline_at is None

    def test_time_that_runs_out_is_a_move(self, match: Match) -> None:
        user, prompt = asked(match)
        late = match.deadline_at + seat_clocks.GRACE  # type: ignore[operator]
        default = engine.load(match).default_move(prompt.seat)
        assert overdue(now=late) == [match.pk]
        assert run_clock(match_id=match.pk, now=late) >= 1
        first = match.moves.get(ply=1)
        assert (first.move, first.source) == (move_to_json(default), Source.CLOCK)
        assert {row.seat for row in match.moves.all()} == {prompt.seat}
        match.refresh_from_db()
        assert match.seats.get(prompt__isnull=False).number != prompt.seat
        with pytest.raises(AlreadyAnswered, match="ran out of time"):
            play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=Move("pass"))

    def test_never_before_the_deadline_that_was_shown(self, match: Match) -> None:
        assert match.deadline_at is not None
        early = match.deadline_at + seat_clocks.GRACE - timedelta(microseconds=1)
        assert overdue(now=early) == []
        assert run_clock(match_id=match.pk, now=early) == 0
        assert not match.moves.exists()

    def test_a_move_that_comes_in_meanwhile_wins(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        user, prompt = asked(match)
        load = engine.load

        def the_person_is_faster(match: Match) -> Any:
            monkeypatch.setattr(engine, "load", load)
            play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=prompt.options[0])
            return load(match)

        monkeypatch.setattr(engine, "load", the_person_is_faster)
        late = match.deadline_at + seat_clocks.GRACE  # type: ignore[operator]
        run_clock(match_id=match.pk, now=late)
        assert match.moves.get(prompt=prompt.id).source == Source.PERSON
        assert match.moves.filter(ply=1).count() == 1


class TestRematch:
    def test_needs_an_end(self, match: Match, ann: User) -> None:
        with pytest.raises(NotFinished):
            rematch(slug=match.slug, user=ann)

    def test_the_first_asks_the_second_sits_down(
        self, finished: Match, ann: User, bob: User, stranger: User
    ) -> None:
        again = rematch(slug=finished.slug, user=ann)
        assert rematch(slug=finished.slug, user=ann) == again
        assert [seat.user or seat.invited for seat in again.seats.all()] == [bob, ann]
        with pytest.raises(NotYourSeat):
            rematch(slug=finished.slug, user=stranger)
        rematch(slug=finished.slug, user=bob)
        again.refresh_from_db()
        assert again.status == Status.RUNNING
        assert again.options == finished.options
        assert again.server_seed != finished.server_seed

    def test_against_bots_it_starts_at_once(self, bot_match: Match, ann: User) -> None:
        concede(slug=bot_match.slug, user=ann)
        assert rematch(slug=bot_match.slug, user=ann).status == Status.RUNNING


class TestGuests:
    def test_a_guest_s_seats_go_with_the_person(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        guest = person("Guest", is_guest=True)
        running = make_match(seats=[SeatPlan(user=guest), SeatPlan(user=bob)])
        hosted = make_match(host=guest, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        invited = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, guest)])
        merge_guest(guest=guest, user=ann)
        assert running.seats.get(number=0).user == ann
        hosted.refresh_from_db()
        assert hosted.host == ann
        assert hosted.seats.get(number=0).user == ann
        assert invited.seats.get(number=1).invited in (ann, None)
        assert not guest.seats.exists()

    def test_nobody_ends_up_in_two_seats(self, make_match: MakeMatch, ann: User) -> None:
        guest = person("Guest", is_guest=True)
        running = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=guest)])
        still_open = make_match(
            seats=[SeatPlan(user=ann), SeatPlan(user=guest), SeatPlan(SeatKind.OPEN)]
        )
        merge_guest(guest=guest, user=ann)
        running.refresh_from_db()
        assert running.status == Status.FINISHED
        assert running.seats.get(number=0).rank == 1
        assert running.seats.get(number=1).user == guest
        assert still_open.seats.get(number=1).kind == SeatKind.OPEN


class TestWhatTheDatabaseKeeps:
    """Constraints, not hope."""

    def test_one_move_a_ply_and_a_prompt(self, match: Match) -> None:
        play_on(match, 1)
        first = match.moves.get()
        for same in ({"ply": 1, "prompt": 777}, {"ply": 2, "prompt": first.prompt}):
            with pytest.raises(IntegrityError), transaction.atomic():
                MoveRow.objects.create(
                    match=match, seat=0, move={"verb": "pass"}, notation="", source="person", **same
                )

    @pytest.mark.parametrize(
        "change",
        [
            {"status": Status.FINISHED},
            {"outcome": {}},
            {"state": None},
            {"ply": 99},
        ],
    )
    def test_a_match_is_never_half_over(self, match: Match, change: dict[str, Any]) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.filter(pk=match.pk).update(**change)

    def test_nobody_sits_twice(self, match: Match, ann: User) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            match.seats.filter(number=1).update(user=ann)
        with pytest.raises(IntegrityError), transaction.atomic():
            match.seats.filter(number=1).update(number=0)
        with pytest.raises(IntegrityError), transaction.atomic():
            match.seats.filter(number=1).update(kind=SeatKind.BOT)


def test_nobody_in_particular_does_not_sit_in_a_bots_seat(bot_match: Match) -> None:
    """A bot's seat has no user, and neither has somebody who is not signed in."""
    with pytest.raises(NotYourSeat):
        concede(slug=bot_match.slug, user=AnonymousUser())  # type: ignore[arg-type]
    bot_match.refresh_from_db()
    assert bot_match.status == Status.RUNNING
