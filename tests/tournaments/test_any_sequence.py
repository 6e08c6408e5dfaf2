"""Any sequence of what players and organisers do: after each step the tournament adds up."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from core.errors import Refusal
from decks.models import Deck, Format
from decks.services import checks, formats
from decks.services.decks import create_deck
from tests.games.examples import GAME, READY_CARDS
from tests.support.sizes import sized
from tests.tournaments.conftest import announcement, begun, lose, open_tables, settle
from tournaments.models import (
    LIVE_CHALLENGES,
    Challenge,
    Entry,
    EntryState,
    How,
    Pairing,
    PairingSeat,
    RankChange,
    Round,
    Ruling,
    State,
    Tournament,
)
from tournaments.services import announce, calls, entries, evenings, ladder, rounds, rulings

PEOPLE = 9
MAX_RUNS = 20
"""Hypothesis leaves some steps out of each example: others follow until all have happened."""
KINDS: dict[str, dict[str, Any]] = {
    "swiss": {"rounds": 4, "late_entry": True, "mode": "tournament"},
    "final rounds": {"rounds": 3, "late_entry": True, "cut": 4},
    "evening": {"rounds": 4, "late_entry": True, "round_minutes": 30, "time_control": "live"},
    "season": {"structure": "league", "division_size": 4},
    "round robin": {"structure": "round-robin"},
}
happened: Counter[str] = Counter()


class Event(RuleBasedStateMachine):
    """Six or seven play a Swiss tournament with decks and late entries, an evening, a round robin
    or a season of a league, in a transaction that is undone."""

    kind: str
    tournament: Tournament

    @initialize(count=st.integers(6, 7), withdrawn=st.booleans())
    def begin(self, count: int, withdrawn: bool) -> None:
        kind = self.kind
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.ada = User.objects.get(username="ada")
        self.people = list(User.objects.exclude(username="ada").order_by("pk"))
        self.house = Format.objects.get(owner=self.ada)
        with_decks = {"format": self.house.slug} if "mode" in KINDS[kind] else {}
        self.tournament = announce.announce(
            organiser=self.ada,
            announcement=announcement(**KINDS[kind] | with_decks),
        )
        for user in self.people[:count]:
            self.enter(user)
        if self.tournament.deck_check_id is not None:
            checks.judge_check(check_id=self.tournament.deck_check_id)
            if withdrawn:  # the lists were judged, and the tournament is played to its end
                formats.retire_format(format=self.house, by=self.ada)
                happened["withdraw the format before the start"] += 1
        rounds.start(tournament=self.tournament, by=self.ada)
        settle(self.tournament)
        happened[kind] += 1
        if kind == "round robin" and count == PEOPLE - 3:
            self.all_but_two_leave()

    def enter(self, user: User) -> None:
        deck = Deck.objects.get(owner=user) if self.tournament.deck_check_id is not None else None
        entries.enter(tournament=self.tournament, user=user, deck=deck)

    def refused(self, name: str) -> contextlib.AbstractContextManager[None]:
        @contextlib.contextmanager
        def attempt() -> object:  # type: ignore[misc]
            try:
                with transaction.atomic():
                    yield
                happened[name] += 1
            except Refusal:
                happened[f"{name} refused"] += 1

        return attempt()  # type: ignore[return-value]

    @rule(who=st.integers(0, PEOPLE - 1))
    def enter_late(self, who: int) -> None:
        with self.refused("enter"):
            self.enter(self.people[who])

    @precondition(lambda self: self.tournament.deck_check_id is not None)
    @rule()
    def withdraw_the_format(self) -> None:
        formats.retire_format(format=self.house, by=self.ada)
        happened["withdraw the format"] += 1

    @rule(who=st.integers(0, PEOPLE - 1))
    def drop(self, who: int) -> None:
        with self.refused("drop"):
            entries.drop(tournament=self.tournament, user=self.people[who])
        settle(self.tournament)

    @precondition(lambda self: self.tournament.structure == "round-robin")
    @rule()
    def all_but_two_leave(self) -> None:
        """The two who stay may have a bye each in a round, which is over at once."""
        for user in self.people[2:]:
            with self.refused("drop"):
                entries.drop(tournament=self.tournament, user=user)
        settle(self.tournament)
        for row in Round.objects.filter(tournament=self.tournament, finished_at__isnull=False):
            happened["empty round"] += not row.pairings.exclude(how=How.BYE).exists()

    @rule(present=st.lists(st.booleans(), min_size=PEOPLE, max_size=PEOPLE), ends=st.booleans())
    def call(self, present: list[bool], ends: bool) -> None:
        for user, is_present in zip(self.people, present, strict=True):
            if is_present:
                with self.refused("confirm"):
                    evenings.confirm(tournament=self.tournament, user=user)
        later = timezone.now() + calls.CALL
        if ends:
            with mock.patch("django.utils.timezone.now", return_value=later):
                happened["call"] += evenings.sweep()
        settle(self.tournament)

    @rule(number=st.integers(1, PEOPLE), dropped=st.booleans())
    def put_back(self, number: int, dropped: bool) -> None:
        gone = Entry.objects.filter(tournament=self.tournament, state=EntryState.DROPPED)
        if dropped and (entry := gone.order_by("number").first()) is not None:
            number = entry.number
        with self.refused("put back"):
            entries.reinstate(
                tournament=self.tournament, by=self.ada, number=number, reason="A mistake."
            )

    @rule(number=st.integers(1, PEOPLE))
    def give_a_bye(self, number: int) -> None:
        with self.refused("bye"):
            rulings.give_bye(
                tournament=self.tournament, by=self.ada, number=number, reason="Waited in vain."
            )

    @rule(table=st.integers(0, 3), places=st.sampled_from(((1, 2), (2, 1), (1, 1))))
    def overrule(self, table: int, places: tuple[int, int]) -> None:
        rows = Pairing.objects.filter(round__tournament=self.tournament).exclude(how=How.BYE)
        row = rows.select_related("round").order_by("-round__number", "number")[table : table + 1]
        for pairing in row:
            with self.refused("overrule"):
                rulings.set_result(
                    tournament=self.tournament, by=self.ada, round_number=pairing.round.number,
                    table=pairing.number, places=places, reason="Looked at again.",
                )  # fmt: skip
        settle(self.tournament)

    @rule(first=st.integers(0, 3), count=st.integers(1, 4))
    def play(self, first: int, count: int) -> None:
        for pairing in open_tables(self.tournament)[first : first + count]:
            lose(pairing, loser=first % 2 - 1)
            happened["play"] += 1
        settle(self.tournament)

    @rule()
    def end_the_round(self) -> None:
        number = Round.objects.filter(tournament=self.tournament).count()
        with self.refused("end"):
            rounds.end_round(
                tournament=self.tournament, by=self.ada, number=number, reason="All agree."
            )
        settle(self.tournament)

    @rule()
    def pair_anew(self) -> None:
        number = Round.objects.filter(tournament=self.tournament).count()
        with self.refused("take back"):
            rulings.take_back_pairing(
                tournament=self.tournament, by=self.ada, round_number=number, reason="Wrong."
            )
        with self.refused("pair"):
            rulings.pair_again(tournament=self.tournament, by=self.ada)
        settle(self.tournament)

    @invariant()
    def points_follow_from_tables(self) -> None:
        if not hasattr(self, "tournament"):
            return
        decided = Pairing.objects.filter(
            round__tournament=self.tournament, decided_at__isnull=False
        )
        for pairing in decided.prefetch_related("seats"):
            points = sorted(seat.points or 0 for seat in pairing.seats.all())
            assert points in ([3], [0, 3], [1, 1]), pairing
        self.tournament.refresh_from_db()
        if self.tournament.state == State.FINISHED:
            happened["finished"] += 1
            rows = Entry.objects.filter(tournament=self.tournament)
            ranks = [entry.rank for entry in rows.exclude(state=EntryState.OUT)]
            assert sorted(ranks) == list(range(1, len(ranks) + 1))  # type: ignore[type-var]
            earned = Sum("seats__points", filter=Q(seats__round__stage="main"), default=0)
            for entry in rows.annotate(earned=earned):
                assert entry.standing["points"] == entry.earned + entry.extra_points

    @invariant()
    def nobody_meets_twice_unless_it_is_said(self) -> None:
        if not hasattr(self, "tournament"):
            return
        met: set[frozenset[int]] = set()
        rows = Pairing.objects.filter(round__tournament=self.tournament, round__stage="main")
        for pairing in rows.order_by("round__number").prefetch_related("seats"):
            pair = frozenset(seat.entry_id for seat in pairing.seats.all())
            if len(pair) == 2 and pair in met:
                assert "Rematch" in pairing.reason
            met.add(pair)

    @invariant()
    def nobody_is_paired_during_a_call(self) -> None:
        if hasattr(self, "tournament") and self.tournament.called_until is not None:
            assert self.tournament.state == State.RUNNING
            assert not Round.objects.filter(tournament=self.tournament, finished_at=None).exists()

    @invariant()
    def whoever_plays_has_one_table(self) -> None:
        if not hasattr(self, "tournament"):
            return
        row = Round.objects.filter(tournament=self.tournament, finished_at=None).first()
        if self.tournament.state != State.RUNNING or row is None:
            return
        seated = Counter(PairingSeat.objects.filter(round=row).values_list("entry", flat=True))
        assert not seated or max(seated.values()) == 1
        open_ones = Pairing.objects.filter(round=row, decided_at=None)
        assert open_ones.exists(), "a round without an open table is over"
        assert all(pairing.match_id for pairing in open_ones)

    def teardown(self) -> None:
        if hasattr(self, "undone"):
            happened["rulings"] += Ruling.objects.count()
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)


class Climb(RuleBasedStateMachine):
    """Five begin a ladder, others join; challenges, replies, silence, drops."""

    @initialize()
    def begin(self) -> None:
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.now = timezone.now()
        ada = User.objects.get(username="ada")
        self.people = list(User.objects.exclude(username="ada").order_by("pk"))
        self.tournament = announce.announce(
            organiser=ada, announcement=announcement(structure="ladder")
        )
        for user in self.people[:5]:
            entries.enter(tournament=self.tournament, user=user)
        begun(self.tournament)

    @contextlib.contextmanager
    def attempt(self, name: str) -> Iterator[None]:
        with mock.patch("django.utils.timezone.now", return_value=self.now):
            try:
                with transaction.atomic():
                    yield
                happened[name] += 1
            except Refusal:
                happened[f"{name} refused"] += 1
            settle(self.tournament)

    @rule(
        tries=st.lists(
            st.tuples(
                st.integers(1, 5),
                st.sampled_from((1, 2, 3, 0, 4)),
                st.sampled_from((ladder.accept, ladder.decline, ladder.withdraw, None)),
            ),
            min_size=2,
            max_size=5,
        )
    )
    def challenge(self, tries: list[tuple[int, int, Any]]) -> None:
        self.challenge_the_next(tries)

    def challenge_the_next(self, tries: list[tuple[int, int, Any]]) -> None:
        for place, above, reply in tries:
            ranked = Entry.objects.filter(tournament=self.tournament, rank__isnull=False)
            entries_now = list(ranked.select_related("user").order_by("rank"))
            if len(entries_now) < 2:
                return
            mine = entries_now[place % len(entries_now)]
            other = entries_now[max(0, place % len(entries_now) - above)]
            assert mine.user is not None
            before = happened["challenge"]
            with self.attempt("challenge"):
                ladder.challenge(tournament=self.tournament, user=mine.user, number=other.number)
            if reply is not None and happened["challenge"] > before:
                self.answer(reply)

    def answer(self, reply: Any) -> None:
        rows = Challenge.objects.filter(tournament=self.tournament, state="open").order_by(
            "-number"
        )
        for row in rows.select_related("challenger__user", "challenged__user")[:1]:
            entry = row.challenger if reply is ladder.withdraw else row.challenged
            with self.attempt(reply.__name__):
                reply(tournament=self.tournament, user=entry.user, number=row.number)

    @rule(loser=st.sampled_from((0, -1)))
    def play(self, loser: int) -> None:
        for pairing in open_tables(self.tournament)[:1]:
            with self.attempt("play a challenge"):
                lose(pairing, loser=loser)

    @rule(days=st.sampled_from((4, 1, 9)), silent=st.booleans())
    def wait(self, days: int, silent: bool) -> None:
        if silent:
            self.challenge_the_next([(1, 1, None)])
        self.now += timedelta(days=days)
        with self.attempt("wait"):
            happened["silence"] += ladder.sweep()

    @rule(who=st.integers(0, PEOPLE - 1), leaves=st.sampled_from((False, False, True)))
    def come_or_go(self, who: int, leaves: bool) -> None:
        with self.attempt("leave" if leaves else "join"):
            do = entries.drop if leaves else entries.enter
            do(tournament=self.tournament, user=self.people[who])

    @invariant()
    def each_place_is_taken_once(self) -> None:
        if not hasattr(self, "tournament"):
            return
        rows = Entry.objects.filter(tournament=self.tournament)
        ranks = list(rows.filter(state=EntryState.ENTERED).values_list("rank", flat=True))
        assert sorted(ranks) == list(range(1, len(ranks) + 1))  # type: ignore[type-var]
        assert not rows.exclude(state=EntryState.ENTERED).exclude(rank=None).exists()
        for entry in rows:  # the history leads to where everybody is
            last = RankChange.objects.filter(entry=entry).order_by("-pk").first()
            assert (last.after if last else None) == entry.rank

    @invariant()
    def nobody_has_two_challenges(self) -> None:
        if not hasattr(self, "tournament"):
            return
        live = Challenge.objects.filter(tournament=self.tournament, state__in=LIVE_CHALLENGES)
        busy = Counter(pk for pair in live.values_list("challenger", "challenged") for pk in pair)
        assert not busy or max(busy.values()) == 1
        playing = live.filter(state="playing").count()
        assert playing == len(open_tables(self.tournament))

    def teardown(self) -> None:
        if hasattr(self, "undone"):
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)


MUST_HAPPEN: dict[type[RuleBasedStateMachine], tuple[str, ...]] = {
    Event: (
        *KINDS,
        "enter",
        "drop",
        "put back",
        "overrule",
        "play",
        "end",
        "pair",
        "rulings",
        "confirm",
        "withdraw the format",
        "withdraw the format before the start",
        "empty round",
    ),
    Climb: ("challenge", "accept", "decline", "play a challenge", "silence", "join", "leave"),
}


@pytest.mark.slow
@pytest.mark.parametrize("machine", MUST_HAPPEN)
def test_any_sequence_adds_up(
    ada: User, catalog: None, machine: type[RuleBasedStateMachine]
) -> None:
    happened.clear()
    rules_of = formats.Rules()
    formats.create_format(by=ada, game=GAME, mode="tournament", name="Open", rules_of=rules_of)
    for number in range(PEOPLE):
        user = User.objects.create_user(f"p{number}")
        create_deck(owner=user, game=GAME, mode="tournament", name="D", cards=READY_CARDS)
    machines: list[Any] = [machine]
    # The first example of a run is the simplest there is; a ladder's second is short, too.
    examples, steps = (2, 20) if machine is Event else (3, 25)
    if machine is Event:
        machines = [type("Event", (Event,), {"kind": kind}) for kind in KINDS]
    for number in range(MAX_RUNS):
        if number >= len(machines) and all(happened[name] for name in MUST_HAPPEN[machine]):
            break
        run_state_machine_as_test(
            seed(number)(machines[number % len(machines)]),
            settings=settings(
                max_examples=sized(examples, large=40),
                stateful_step_count=steps,
                deadline=None,
                database=None,
                phases=[Phase.generate],  # to look for a shorter story takes minutes
                suppress_health_check=list(HealthCheck),
            ),
        )
    for name in MUST_HAPPEN[machine]:
        assert happened[name], f"never: {name}, of {happened}"
