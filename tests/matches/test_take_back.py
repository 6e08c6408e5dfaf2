"""Taking an answer back: when it goes, what everybody sees of it, and that every replay agrees."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.clock.seat_clocks import Clock, SeatClock, after_taking_back
from matches.errors import AlreadyAnswered, NothingToTakeBack, NotYourSeat
from matches.models import Match, MoveRow, Status
from matches.queries import export
from matches.queries.access import access_match
from matches.queries.events import tally
from matches.queries.fairness import fairness_record
from matches.queries.replay import replay_state
from matches.queries.table import table_state
from matches.services import cancelling, taking_back
from matches.services.play import play_move
from matches.services.repair import first_difference, rebuild_snapshot
from matches.services.taking_back import take_back
from rules.engine.game import Game, Mode
from tests.matches.conftest import MakeMatch, api, asked
from tests.matches.test_move_cost import Browser
from tests.matches.test_pages import logged_in
from tests.matches.test_records import run_script
from tests.matches.test_silence import Evening, evenings, every_mode, progress

pytestmark = pytest.mark.django_db


def hours(number: int) -> timedelta:
    return timedelta(hours=number)


def answer(match: Match) -> tuple[User, Any]:
    """One answer of whoever is asked; gives who, and the question."""
    user, prompt = asked(match)
    table = engine.load(match)
    *_, bot = engine.game_of(match).bots.values()
    chance = engine.bot_chance(match, prompt.seat, prompt.id)
    move = bot.choose(table.view(prompt.seat), prompt, chance)
    play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    match.refresh_from_db()
    return user, prompt


def undoable(match: Match) -> tuple[User, Any, tuple[Any, ...]]:
    """Play until somebody could take the last answer back; gives what stood before it, too."""
    for _ in range(300):
        before = standing(match)
        user, prompt = answer(match)
        if match.status == Status.RUNNING and engine.load(match).can_undo(prompt.seat):
            return user, prompt, before
    pytest.fail("Nothing could ever be taken back.")


def standing(match: Match) -> tuple[Any, ...]:
    """Every view of a table, and each seat's prompt."""
    table = engine.load(match)
    views = [table.view(seat) for seat in (None, *range(table.seats))]
    return views, [(p.seat, p.kind, p.options) for p in table.prompts.values()]


def test_it_stands_as_before_and_the_question_is_a_new_one(match: Match) -> None:
    user, prompt, before = undoable(match)
    rows = list(match.moves.order_by("ply").values())
    played = take_back(slug=match.slug, user=user)
    match.refresh_from_db()
    assert standing(match) == before
    assert list(match.moves.order_by("ply").values())[:-1] == rows, "nothing is ever removed"
    row = match.moves.latest("ply")
    assert (row.ply, row.move, row.prompt) == (match.ply, {"back_to": match.ply - 2}, None)
    again = engine.load(match).prompts[prompt.seat]
    assert again.id > prompt.id
    repeated = take_back(slug=match.slug, user=user)
    assert repeated == replace(played, repeated=True)
    first = MoveRow.objects.get(match=match, seat=prompt.seat, prompt=prompt.id)
    receipt = play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=first.notation)
    assert receipt.repeated, "an answer that comes twice answers no other question"
    table = engine.load(match)
    other = next(option for option in again.options if table.notation(option) != first.notation)
    with pytest.raises(AlreadyAnswered):
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=other)
    assert standing(match) == before


def test_what_cannot_be_taken_back(match: Match, ann: User, bob: User, stranger: User) -> None:
    for user in (ann, bob):
        with pytest.raises(NothingToTakeBack):
            take_back(slug=match.slug, user=user)
    with pytest.raises(NotYourSeat):
        take_back(slug=match.slug, user=stranger)
    user, _, _ = undoable(match)
    with pytest.raises(NothingToTakeBack):
        take_back(slug=match.slug, user=bob if user == ann else ann)
    match.moves.filter(ply=match.ply).update(source="clock")
    with pytest.raises(NothingToTakeBack):
        take_back(slug=match.slug, user=user)


def test_a_match_with_it_is_replayed_checked_and_rebuilt(
    match: Match, ann: User, tmp_path: Path
) -> None:
    """To its end: the replay, the record, the rules' own check, a snapshot that was lost."""
    back = 0
    for _ in range(400):
        if match.status != Status.RUNNING:
            break
        user, prompt = answer(match)
        if match.status == Status.RUNNING and engine.load(match).can_undo(prompt.seat) and back < 5:
            take_back(slug=match.slug, user=user)
            match.refresh_from_db()
            back += 1
    assert back == 5 and match.status == Status.FINISHED
    line = json.loads(next(export.lines(export.exported(ann, since=None))))
    table = engine.begin(match, list(match.seats.order_by("number")))
    for seat, notation, *_ in line["moves"]:
        if notation == engine.CONCEDE:
            table.concede(seat)
        else:
            table.play(seat, table.parse(seat, notation))
    assert table.outcome is not None and table.outcome.to_json() == match.outcome
    access_match_result = access_match(ann, match.slug)
    assert first_difference(match) is None
    state, hidden = match.state, match.hidden_plies
    Match.objects.filter(pk=match.pk).update(state={**match.state, "undoable": 7})
    assert rebuild_snapshot(match=match)
    match.refresh_from_db()
    assert (match.state, match.hidden_plies) == (state, hidden)
    last = replay_state(access_match_result, ply=match.ply, seat=0)
    assert last.view == engine.load(match).view(0)
    record = fairness_record(access_match_result)
    answers = match.moves.filter(prompt__isnull=False).count()
    assert len(record["moves"]) == answers - back
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    script = run_script(path)
    assert script.returncode == 0, script.stdout + script.stderr
    assert not [event for event in record["events"] if event[0] == engine.TAKEN_BACK]
    assert engine.TAKEN_BACK not in tally(table_state(access_match_result, ann))
    text = logged_in(ann).get(f"/api/matches/{match.slug}/events/").content.decode()
    assert text.count("undoes the last move.") == back


def test_no_time_is_gained(make_match: MakeMatch) -> None:
    """Neither by whoever takes it back nor by whoever was asked meanwhile."""
    cases = set()
    for _ in range(5):
        match = make_match()
        gain = match.preset.gain if match.preset is not None else None
        assert gain is not None
        user, prompt, _ = undoable(match)
        before = timezone.now()
        was = {seat.number: seat for seat in match.seats.all()}
        take_back(slug=match.slug, user=user)
        match.refresh_from_db()
        now = {seat.number: seat for seat in match.seats.all()}
        mover, other = prompt.seat, 1 - prompt.seat
        cases.add(was[mover].prompt is not None)
        assert (now[other].deadline_at, now[other].time_bank) == (None, was[other].time_bank)
        assert match.deadline_at == now[mover].deadline_at is not None
        if was[mover].prompt is not None:
            assert now[mover].deadline_at == was[mover].deadline_at, "the turn simply goes on"
            continue
        left = was[mover].time_bank - gain
        assert before + left <= now[mover].deadline_at <= timezone.now() + left
    assert cases


def test_clocks_after_taking_back() -> None:
    now = timezone.now()
    clock = Clock(hours(10), hours(2), hours(12))
    moved = SeatClock(0, True, time_bank=hours(7))
    asked_now = SeatClock(1, True, asked=True, time_bank=hours(5), asked_at=now - hours(1))
    waits = replace(asked_now, deadline=now + hours(4))
    mover, other = after_taking_back([moved, waits], {0}, 0, clock=clock, now=now)
    assert mover == replace(
        moved, asked=True, time_bank=hours(5), deadline=now + hours(5), asked_at=now
    )
    assert other == SeatClock(1, True, time_bank=hours(5)), "an hour was lost by no fault"
    still = replace(moved, asked=True, deadline=now + hours(3), asked_at=now - hours(4))
    assert after_taking_back([still, other], {0}, 0, clock=clock, now=now) == [still, other]
    poor = replace(moved, time_bank=hours(1))
    mover, _ = after_taking_back([poor, waits], {0}, 0, clock=clock, now=now)
    assert mover.deadline == now


@pytest.mark.slow
def test_what_was_taken_back_is_no_move_of_theirs(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before their second move people may cancel alone, however often they thought again."""
    user, prompt, _ = undoable(match)
    seat = match.seats.get(number=prompt.seat)
    monkeypatch.setattr(cancelling, "FREE_MOVES", match.moves.filter(seat=prompt.seat).count())
    assert not cancelling.may_cancel_alone(match, seat)
    take_back(slug=match.slug, user=user)
    assert cancelling.may_cancel_alone(match, seat)


def test_thirty_times_at_most(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_back, "MAX_TAKEBACKS", 1)
    user, _, _ = undoable(match)
    take_back(slug=match.slug, user=user)
    match.refresh_from_db()
    for _ in range(300):
        again, prompt = answer(match)
        if again == user and engine.load(match).can_undo(prompt.seat):
            break
    with pytest.raises(NothingToTakeBack):
        take_back(slug=match.slug, user=user)


def test_pages_and_programs_take_back(match: Match, ann: User) -> None:
    user, prompt, before = undoable(match)
    page = Browser(match, user)
    text = page.client.get(match.get_absolute_url()).content.decode()
    assert 'form="take-back"' in text
    other = next(seat.user for seat in match.seats.all() if seat.user != user)
    assert 'form="take-back"' not in logged_in(other).get(match.get_absolute_url()).content.decode()
    form = {"ply": page.ply, "steps": page.ply + 1}
    address = f"{match.get_absolute_url()}take-back/"
    drawn = page.client.post(address, form, headers=page.headers())
    assert page.takes(drawn)
    match.refresh_from_db()
    assert page.ply == match.visible_ply(prompt.seat) and standing(match) == before
    assert page.log[-1][1] == "You undo the last move."
    fresh = Browser(match, user)
    assert (page.parts, page.log) == (fresh.parts, fresh.log)
    state = api(user).get(f"/api/matches/{match.slug}/state/").json()
    assert state["may_undo"] is False
    user, prompt, before = undoable(match)
    program = f"/api/matches/{match.slug}/undo/"
    assert api(user).get(f"/api/matches/{match.slug}/state/").json()["may_undo"] is True
    assert api(user).post(program).json()["notation"] == "take-back"
    match.refresh_from_db()
    assert standing(match) == before
    without_script = logged_in(other).post(address)
    assert without_script.status_code == 409


@every_mode
def test_whoever_saw_no_answer_sees_no_taking_back(game: Game, mode: Mode) -> None:
    """In a mode of each game: it stands as before, and the stream rings for those who saw."""
    evening = next(evenings(game, mode))
    done = 0
    for prompt, move in evening.moves(60):
        before = standing(evening.match)
        evening.play(prompt, move)
        evening.match.refresh_from_db()
        if evening.match.status != Status.RUNNING or done >= 3:
            break
        if engine.load(evening.match).can_undo(prompt.seat):
            hidden = evening.match.moves.latest("ply").hidden_from
            heard = counts(evening)
            take_back(slug=evening.match.slug, user=evening.people[prompt.seat])
            evening.match.refresh_from_db()
            assert standing(evening.match) == before
            for item, (was, now) in zip(
                evening.everybody, zip(heard, counts(evening), strict=True), strict=True
            ):
                number = 0 if item.seat is None else item.seat + 1
                assert (was == now) == bool(hidden >> number & 1)
            done += 1
    assert first_difference(evening.match) is None


def counts(evening: Evening) -> list[Any]:
    return [progress(evening.match, item.user) for item in evening.everybody]
