"""Any sequence of what players and organisers do: after each step the tournament adds up."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from django.db import transaction
from django.db.models import Sum
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from core.errors import Refusal
from tests.support.sizes import sized
from tests.tournaments.conftest import announcement, lose, open_tables, settle
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Pairing,
    PairingSeat,
    Round,
    Ruling,
    State,
    Tournament,
)
from tournaments.services import announce, entries, rounds, rulings

PEOPLE = 9
happened: Counter[str] = Counter()


class Event(RuleBasedStateMachine):
    """A Swiss tournament of six or seven, with late entries, in a transaction that is undone."""

    tournament: Tournament

    @initialize(count=st.integers(6, 7), final=st.sampled_from((0, 4)))
    def begin(self, count: int, final: int) -> None:
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.ada = User.objects.get(username="ada")
        self.people = list(User.objects.exclude(username="ada").order_by("pk"))
        self.tournament = announce.announce(
            organiser=self.ada,
            announcement=announcement(rounds=4, late_entry=True, cut=final),
        )
        for user in self.people[:count]:
            entries.enter(tournament=self.tournament, user=user)
        rounds.start(tournament=self.tournament, by=self.ada)
        settle(self.tournament)

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
            entries.enter(tournament=self.tournament, user=self.people[who])

    @rule(who=st.integers(0, PEOPLE - 1))
    def drop(self, who: int) -> None:
        with self.refused("drop"):
            entries.drop(tournament=self.tournament, user=self.people[who])
        settle(self.tournament)

    @rule(number=st.integers(1, PEOPLE))
    def put_back(self, number: int) -> None:
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
            main = PairingSeat.objects.filter(round__stage="main")
            for entry in rows:
                earned = main.filter(entry=entry).aggregate(sum=Sum("points"))["sum"] or 0
                assert entry.standing["points"] == earned + entry.extra_points

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


@pytest.mark.slow
def test_any_sequence_adds_up(db: None) -> None:
    happened.clear()
    for name in ("ada", *(f"p{number}" for number in range(PEOPLE))):
        User.objects.create_user(name)
    run_state_machine_as_test(
        Event,
        settings=settings(
            max_examples=sized(5, large=150),
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],  # to look for a shorter story takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
    for name in ("enter", "drop", "put back", "overrule", "play", "end", "pair", "rulings"):
        assert happened[name], f"never: {name}"
