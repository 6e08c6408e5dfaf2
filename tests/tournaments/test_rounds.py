"""Whole tournaments through the services: every structure, deadlines, drops, late entries."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import rules
from accounts.models import User
from collection.models import Pack
from core.errors import NotAllowed
from core.models import MatchFinished
from decks.services import checks, formats
from decks.services import decks as deck_services
from matches.errors import HeldBack
from matches.errors import NotPossible as NoMatch
from matches.models import Match, Seat, Status
from matches.services import bots, cancelling, lookback
from notices.models import Notice
from tests.games.examples import CLAW, GAME, PACK, READY_CARDS
from tests.support.sizes import sized
from tests.tournaments.conftest import (
    Announce,
    announcement,
    begun,
    lose,
    open_tables,
    play_all,
    play_round,
    players,
    ranked,
    settle,
)
from tournaments.errors import NotNow, NotPossible
from tournaments.forms import plays
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Pairing,
    PairingSeat,
    Round,
    State,
    Tournament,
    name_of,
)
from tournaments.queries.pages import tables_of_entry
from tournaments.queries.standings import players_now
from tournaments.services import announce, entries, rounds

pytestmark = pytest.mark.django_db


def test_a_swiss_tournament_from_entry_to_standings(running: Announce) -> None:
    tournament = running(8)
    assert tournament.rounds_planned == 3 and len(open_tables(tournament)) == 4
    match = open_tables(tournament)[0].match
    assert match is not None and match.status == Status.RUNNING and match.host_id is not None
    play_all(tournament)
    assert tournament.state == State.FINISHED
    first, *_, last = ranked(tournament)
    assert (first, last) == (1, 8)
    best = Entry.objects.get(tournament=tournament, number=1)
    assert best.standing["points"] == 9 and best.standing["decided_by"] == "points"
    met = Pairing.objects.filter(round__tournament=tournament)
    pairs = [frozenset(p.seats.values_list("entry", flat=True)) for p in met]
    assert len(pairs) == len(set(pairs)) == 12
    assert Notice.objects.filter(kind="tournament", person=best.user).count() >= 4
    ends = Notice.objects.filter(key=f"{tournament.slug}:over")
    texts = dict(ends.values_list("person__username", "text"))
    assert len(texts) == 8 and texts["p1"] == "You won Spring Open."
    assert texts["p8"] == "You finished 8th of 8 in Spring Open."


def test_a_cut_and_third_place(running: Announce) -> None:
    tournament = play_all(running(9, cut=4, third_place=True))
    stages = list(Round.objects.filter(tournament=tournament).values_list("stage", flat=True))
    assert stages == ["main"] * 4 + ["cut"] * 2
    assert ranked(tournament)[0] == 1
    final = Round.objects.get(tournament=tournament, number=6)
    assert [p.for_third for p in final.pairings.order_by("number")] == [False, True]
    third = final.pairings.get(for_third=True).seats.get(place=1).entry.number
    assert ranked(tournament)[2] == third
    byes = Pairing.objects.filter(round__tournament=tournament, how=How.BYE)
    people = list(byes.values_list("seats__entry", flat=True))
    assert len(people) == len(set(people)) == 4


@pytest.mark.parametrize("count", [5, 8])
def test_single_elimination(running: Announce, count: int) -> None:
    tournament = play_all(running(count, structure="elimination", third_place=True))
    assert Round.objects.filter(tournament=tournament).count() == 3
    assert len(ranked(tournament)) == count and ranked(tournament)[0] == 1


def test_a_round_robin_twice(running: Announce) -> None:
    tournament = play_all(running(3, structure="round-robin", twice=True))
    assert Round.objects.filter(tournament=tournament).count() == 6
    assert ranked(tournament) == [1, 2, 3]


def test_pods(running: Announce) -> None:
    tournament = play_all(running(7, structure="pods", table_size=4, rounds=2))
    sizes = [p.seats.count() for p in Pairing.objects.filter(round__tournament=tournament)]
    assert sizes == [4, 3, 4, 3]
    best = Entry.objects.get(tournament=tournament, rank=1)
    assert best.number in (1, 2) and best.standing["points"] == 1680
    reasons = Pairing.objects.filter(round__tournament=tournament).values_list("reason", flat=True)
    assert list(reasons.filter(round__number=1)) == ["Drawn by lot."] * 2, "nobody has played"
    assert all("Close in" in reason for reason in reasons.filter(round__number=2))


class TestEntering:
    def test_a_deck_is_asked_for_and_judged_by_the_deck_check(
        self, announced: Announce, catalog: None
    ) -> None:
        tournament = announced(mode="tournament", min_entries=2)
        good, bad, late = players(3)
        with pytest.raises(NotPossible, match="Choose a deck"):
            entries.enter(tournament=tournament, user=good)
        decks = [
            deck_services.create_deck(
                owner=user, game=GAME, mode="tournament", name="D", cards=cards
            )
            for user, cards in (
                (good, READY_CARDS), (bad, {"main": {CLAW: 1}}), (late, READY_CARDS),
            )
        ]  # fmt: skip
        for user, deck in zip((good, bad, late), decks, strict=True):
            entry = entries.enter(tournament=tournament, user=user, deck=deck)
            assert entry == entries.enter(tournament=tournament, user=user, deck=deck)
        assert tournament.deck_check is not None
        for act in (rounds.lock_lists, rounds.start):
            with pytest.raises(NotNow, match="not checked yet"):
                act(tournament=tournament, by=tournament.organiser)
        tournament.refresh_from_db()
        assert tournament.locked_at is None, "players hear the verdict before the lock"
        checks.judge_check(check_id=tournament.deck_check.pk)
        with pytest.raises(NotNow, match="1 list is not legal and can be corrected"):
            rounds.start(tournament=tournament, by=tournament.organiser)
        for _ in range(2):
            rounds.lock_lists(tournament=tournament, by=tournament.organiser)
        notice = Notice.objects.get(text__contains="A judge can correct it until the start")
        assert (notice.person, notice.deadline_at) == (bad, tournament.starts_at)
        with pytest.raises(NotNow, match="remove this player"):
            rounds.start(tournament=tournament, by=tournament.organiser)
        now = timezone.now()
        rows = Tournament.objects.filter(pk=tournament.pk)
        rows.update(opens_at=now, closes_at=now, starts_at=now)
        rounds.sweep()
        settle(tournament)
        out = Entry.objects.get(tournament=tournament, user=bad)
        assert (out.state, out.why) == (EntryState.OUT, "The deck is not legal.")
        seat = Seat.objects.get(match=open_tables(tournament)[0].match, user=good)
        assert seat.deck == READY_CARDS and seat.deck_name == "D"

    def test_a_format_that_has_changed_is_judged_by_and_then_it_begins(
        self, announced: Announce, catalog: None, ada: User
    ) -> None:
        house = formats.create_format(
            by=ada, game=GAME, mode="tournament", name="Open", rules_of=formats.Rules()
        )
        tournament = announced(mode="tournament", format=house.slug)
        people = players(3)
        for user, cards in zip(people, (READY_CARDS,) * 3, strict=True):
            deck = deck_services.create_deck(
                owner=user, game=GAME, mode="tournament", name="D", cards=cards
            )
            entries.enter(tournament=tournament, user=user, deck=deck)
        assert tournament.deck_check is not None
        checks.judge_check(check_id=tournament.deck_check.pk)
        formats.publish_version(
            format=house, by=ada, rules_of=formats.Rules(restricted={CLAW: {"most": 3}})
        )
        now = timezone.now()
        rows = Tournament.objects.filter(pk=tournament.pk)
        rows.update(opens_at=now, closes_at=now, starts_at=now)
        Notice.objects.all().delete()
        for state in (State.ANNOUNCED, State.RUNNING):
            rounds.sweep()
            tournament.refresh_from_db()
            begun_now = state == State.RUNNING
            assert tournament.state == state and bool(tournament.locked_at) == begun_now
            verdicts = Notice.objects.filter(text__contains="(Open, version 2)")
            assert verdicts.count() == 3 * begun_now, "told before the lock"
            assert checks.follow_formats() == (not begun_now)
            checks.judge_check(check_id=tournament.deck_check.pk)

    def test_a_waiting_list_moves_up(self, announced: Announce) -> None:
        tournament = announced(max_entries=2)
        first, second, third = players(3)
        for user in (first, second, third):
            entries.enter(tournament=tournament, user=user)
        assert Entry.objects.get(user=third).state == EntryState.WAITING
        assert entries.withdraw(tournament=tournament, user=first)
        assert not entries.withdraw(tournament=tournament, user=first)
        assert Entry.objects.get(user=third).state == EntryState.ENTERED
        assert Notice.objects.get(person=third).text.startswith("You are in Spring Open: a place")
        begun(tournament)
        with pytest.raises(NotNow):
            entries.withdraw(tournament=tournament, user=second)

    def test_late_entries_until_half_of_the_rounds(self, running: Announce) -> None:
        tournament = running(5, late_entry=True, rounds=4)
        late, later = (User.objects.create_user(name) for name in ("late", "later"))
        entry = entries.enter(tournament=tournament, user=late)
        assert (entry.joined_round, entry.extra_points) == (2, 3)  # somebody had a bye
        everybody = list(Entry.objects.filter(tournament=tournament))
        byes = {player.key: player.byes for player in players_now(tournament, everybody)}
        assert sorted(byes.values()) == [0, 0, 0, 0, 1, 1] and byes[entry.number] == 1
        assert entry.why == "Late entry: round 1 counts as a bye."
        play_round(tournament)
        entry.refresh_from_db()
        assert entry.standing["byes"] == 1, "the standings say where the points come from"
        assert PairingSeat.objects.filter(entry=entry).exists()
        play_round(tournament)
        with pytest.raises(NotNow, match="no longer takes"):
            entries.enter(tournament=tournament, user=later)
        play_all(tournament)
        assert Entry.objects.get(pk=entry.pk).rank is not None

    def test_only_members_within_the_window(self, announced: Announce) -> None:
        tournament = announced(rating_from=1600)
        with pytest.raises(NotAllowed, match="from 1600; yours is 1500"):
            entries.enter(tournament=tournament, user=players(1)[0])


class TestDropping:
    def test_the_match_is_lost_and_the_round_goes_on(self, running: Announce) -> None:
        tournament = running(4)
        first, second = open_tables(tournament)
        lose(second)
        settle(tournament)
        leaver = first.seats.get(number=0).entry
        entries.drop(tournament=tournament, user=leaver.user)
        entries.drop(tournament=tournament, user=leaver.user)
        first.refresh_from_db()
        assert first.how == How.DROPPED
        page = Client().get(f"{tournament.get_absolute_url()}players/").content.decode()
        assert "Dropped" in page and "Dropped:" not in page, "nobody gave a reason"
        listed = Client().get("/tournaments/?show=running").content.decode()
        assert "4 players" in " ".join(listed.split()), "who drops has played in it"
        results = {}
        for seat in first.seats.all():
            row = tables_of_entry(seat.entry)[0]
            results[seat.entry.number == leaver.number] = row.result
        assert results == {True: "Lost (dropped out)", False: "Won (opponent dropped out)"}
        assert first.match is not None and first.match.status == Status.CANCELLED
        assert Round.objects.filter(tournament=tournament).count() == 2
        settle(tournament)
        bye = Pairing.objects.get(round__number=2, how=How.BYE)
        assert bye.seats.get().points == 3
        play_all(tournament)
        assert leaver.number in ranked(tournament)

    def test_whoever_has_left_a_pod_or_a_bracket_plays_no_more(self, running: Announce) -> None:
        tournament = running(4, structure="elimination")
        play_round(tournament)
        finalist = open_tables(tournament)[0].seats.get(number=0).entry
        entries.drop(tournament=tournament, user=finalist.user)
        tournament.refresh_from_db()
        assert tournament.state == State.FINISHED and ranked(tournament)[0] != finalist.number

    def test_a_deleted_account_leaves_nobody_waiting(self, running: Announce) -> None:
        tournament = running(2)
        user = Entry.objects.get(tournament=tournament, number=2).user
        assert user is not None
        entries.leave_all(user=user)
        entries.leave_all(user=user)
        tournament.refresh_from_db()
        assert tournament.state == State.FINISHED and ranked(tournament) == [1, 2]


class TestDeadlines:
    def past(self, tournament: object) -> None:
        rows = Round.objects.filter(tournament=tournament, finished_at=None)
        now = timezone.now()
        rows.update(paired_at=now - timedelta(days=15), deadline_at=now)

    def test_a_draw_unless_the_clock_decides(self, running: Announce) -> None:
        tournament = running(4)
        first, second = open_tables(tournament)
        late = first.seats.get(number=1)
        Seat.objects.filter(match=first.match, number=1).update(flag_fallen=True)
        self.past(tournament)
        assert rounds.sweep()["ended"] == 1
        assert rounds.sweep()["ended"] == 0
        first.refresh_from_db(), second.refresh_from_db(), late.refresh_from_db()
        assert (first.how, second.how) == (How.CLOCK, How.DRAW)
        assert (late.place, late.points) == (2, 0)
        assert list(second.seats.values_list("points", flat=True)) == [1, 1]
        assert not Match.objects.filter(pairing__in=[first, second], status="running").exists()
        assert Round.objects.filter(tournament=tournament).count() == 2

    def test_a_match_that_is_over_counts_even_if_nobody_has_read_it(
        self, running: Announce
    ) -> None:
        tournament = running(2, rounds=1)
        (table,) = open_tables(tournament)
        lose(table)
        self.past(tournament)
        assert rounds.sweep()["ended"] == 1
        settle(tournament)
        table.refresh_from_db()
        assert table.how == How.MATCH and tournament.state == State.FINISHED

    def test_two_timeouts_drop(self, running: Announce) -> None:
        tournament = running(4, rounds=3)
        for _ in range(2):
            slow = Entry.objects.get(tournament=tournament, number=4)
            for table in open_tables(tournament):
                if (seat := table.seats.filter(entry=slow).first()) is not None:
                    Seat.objects.filter(match=table.match, number=seat.number).update(
                        flag_fallen=True
                    )
            self.past(tournament)
            rounds.sweep()
            settle(tournament)
        slow.refresh_from_db()
        assert (slow.state, slow.timeouts) == (EntryState.DROPPED, 2)

    def test_notices_at_half_and_two_days_before(self, running: Announce) -> None:
        tournament = running(2)
        row = Round.objects.get(tournament=tournament)
        assert rounds.sweep()["told"] == 0
        open_ones = Notice.objects.open()
        assert open_ones.filter(text__contains="you play").exists()
        assert not open_ones.filter(text__contains="has started").exists(), "that says it, too"
        half = row.paired_at + timedelta(days=7, minutes=1)
        assert [rounds.tell_open_tables(now=half) for _ in range(2)] == [1, 0]
        last = row.deadline_at - timedelta(hours=47)
        assert [rounds.tell_open_tables(now=last) for _ in range(2)] == [1, 0]
        for words in ("is half over", "ends soon"):
            assert Notice.objects.filter(text__contains=words).count() == 2, words

    def test_it_starts_by_the_clock_or_is_cancelled(self, announced: Announce) -> None:
        small, large = announced(min_entries=3), announced(min_entries=2)
        for person in players(2):
            for tournament in (small, large):
                entries.enter(tournament=tournament, user=person)
        for tournament in (small, large):
            now = timezone.now()
            tournament.opens_at = tournament.closes_at = tournament.starts_at = now
            tournament.save()
        assert rounds.sweep()["started"] == 2
        small.refresh_from_db(), large.refresh_from_db()
        assert (small.state, large.state) == (State.CANCELLED, State.RUNNING)
        assert small.why_cancelled == "only 2 could play, and 3 were needed."

    def test_a_match_that_nobody_came_to_is_a_draw(self, running: Announce) -> None:
        tournament = running(2, rounds=1)
        (table,) = open_tables(tournament)
        assert table.match is not None
        cancelling.cancel_running(table.match, list(table.match.seats.all()), "abandoned")
        assert rounds.sweep()["cancelled"] == 1
        table.refresh_from_db()
        assert table.how == How.CANCELLED


class TestTwice:
    def test_a_result_is_read_once(self, running: Announce) -> None:
        tournament = running(4)
        table = open_tables(tournament)[0]
        lose(table)
        finished = MatchFinished.objects.get(match=table.match.slug)  # type: ignore[union-attr]
        rounds.read_match(finished)
        before = list(PairingSeat.objects.values_list("points", flat=True))
        rounds.read_match(finished)
        assert before == list(PairingSeat.objects.values_list("points", flat=True))

    def test_starting_and_ending_twice_pairs_once(
        self, running: Announce, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tournament = running(4)
        rounds.start(tournament=tournament, by=ada)
        for _ in range(2):
            rounds.end_round(tournament=tournament, by=ada, number=1, reason="All agree.")
        assert Round.objects.filter(tournament=tournament).count() == 2
        sent: list[int] = []
        monkeypatch.setattr(rounds, "_send_tables", sent.append)
        rounds.sweep()
        assert sent == [tournament.pk], "one task for both tables that are missing"
        assert rounds.make_tables(tournament_id=tournament.pk) == 2
        assert rounds.make_tables(tournament_id=tournament.pk) == 0

    def test_nobody_cancels_a_match_of_an_event(self, running: Announce) -> None:
        tournament = running(2)
        (table,) = open_tables(tournament)
        seat = table.seats.select_related("entry__user").first()
        with pytest.raises(NoMatch, match="cannot be cancelled"):
            cancelling.cancel_match(slug=table.match.slug, user=seat.entry.user)  # type: ignore


def test_prizes_come_from_the_house_once(
    catalog: None, django_user_model: type[User], ada: User
) -> None:
    prize = announce.Prize(first=1, last=2, product=PACK, count=2)
    with pytest.raises(NotAllowed, match="Only staff"):
        announce.announce(organiser=ada, announcement=announcement(prizes=[prize]))
    ada.is_staff = True
    ada.save()
    tournament = announce.announce(organiser=ada, announcement=announcement(prizes=[prize]))
    for person in players(4):
        entries.enter(tournament=tournament, user=person)
    play_all(begun(tournament))
    winners = Pack.objects.filter(source="grant").values_list("owner__username", flat=True)
    assert sorted(winners)[:2] == ["p1", "p1"] and len(winners) == 4
    rounds._grant_prizes(tournament)
    assert Pack.objects.filter(source="grant").count() == 4


def test_bots_play_along(announced: Announce, ada: User) -> None:
    tournament = announced(rounds=1)
    entries.enter(tournament=tournament, user=players(1)[0])
    bot = entries.add_bot(tournament=tournament, by=ada, bot="greedy")
    assert name_of(bot) == f"{rules.game(GAME).bots['greedy'].name} (bot 2)"
    begun(tournament)
    (table,) = open_tables(tournament)
    assert sorted(table.match.seats.values_list("kind", flat=True)) == ["bot", "person"]  # type: ignore[union-attr]


WRONG = {
    "has no opponents": {"mode": "single"},
    "Only a Swiss": {"structure": "round-robin", "cut": 4},
    "The start is in the past": {"starts_at": timezone.now() - timedelta(days=1)},
    "Registration opens, then": {"closes_at": timezone.now() + timedelta(days=2)},
    "takes up to 8 players": {"structure": "round-robin", "max_entries": 9},
    "not for two players|sit 3 to 4": {"structure": "pods", "table_size": 7},
    "third-place match": {"third_place": True},
    "not a structure": {"structure": "spiral"},
    "Only a league": {"moving": 1},
    "slower time control": {"structure": "league", "time_control": "live"},
    "A division has 4 to 10": {"structure": "league", "division_size": 11},
    "takes no decks": {"format": "some-format"},
    "is not a time control": {"time_control": "hasty"},
    "has no option": {"options": {"wings": 1}},
    "1 to 120 characters": {"title": " "},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_does_not_go_together_is_refused(announced: Announce, sentence: str) -> None:
    with pytest.raises(NotPossible, match=sentence):
        announced(**WRONG[sentence])


def test_modes_of_teams_are_not_offered(
    announced: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partners would have to enter together; single players have no standings in them."""
    game = rules.game(GAME)
    mode = dataclasses.replace(game.mode("match"), seats=range(4, 5), teams=2)
    changed = dataclasses.replace(game, modes={**game.modes, "match": mode})
    assert f"{GAME}/match" in dict(plays())
    monkeypatch.setattr(rules, "games", lambda: {GAME: changed})
    assert f"{GAME}/match" not in dict(plays()) and dict(plays())
    with pytest.raises(NotPossible, match="is played in teams"):
        announced(structure="pods", table_size=4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "changes"),
    [
        (sized(4, large=64), {}),
        (sized(5, large=24), {"structure": "pods", "table_size": 4, "rounds": sized(1, large=4)}),
    ],
    ids=["swiss", "pods"],
)
def test_bots_play_a_whole_tournament(
    announced: Announce, ada: User, count: int, changes: dict[str, Any]
) -> None:
    tournament = announced(**changes)
    for _ in range(count):
        entries.add_bot(tournament=tournament, by=ada, bot="greedy")
    begun(tournament)
    while not tournament.over:
        for table in open_tables(tournament):
            assert table.match is not None
            while bots.run_bots(match_id=table.match.pk):
                pass
        settle(tournament)
    assert sorted(ranked(tournament)) == list(range(1, count + 1))
    played = Pairing.objects.filter(round__tournament=tournament, how=How.MATCH)
    assert not played.exclude(match__status=Status.FINISHED).exists()
    pairs = [frozenset(p.seats.values_list("entry", flat=True)) for p in played]
    assert len(set(pairs)) == len(pairs)


def test_nobody_looks_back_while_the_round_runs(running: Announce) -> None:
    tournament = running()
    first, second = open_tables(tournament)
    lose(first)
    settle(tournament)
    match = first.match
    assert match is not None
    match.refresh_from_db()
    assert match.finished and match.in_event
    user = match.seats.get(number=0).user
    assert user is not None
    with pytest.raises(HeldBack):
        lookback.start(slug=match.slug, user=user)
    lose(second)
    settle(tournament)
    assert lookback.start(slug=match.slug, user=user).match == match
