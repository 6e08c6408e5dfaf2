"""Looking back: from what the seat knew, in shares that outlive a crash, and never too early."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.errors import Conflict, HeldBack, NotFinished, NotYourSeat, TooManyHints
from matches.models import LookBack, LookBackState, Match, Source
from matches.queries import lookback as queries
from matches.queries.access import access_match
from matches.queries.lookback import decisions, look_back_shown
from matches.services import lookback
from matches.services.archive import archive_match
from matches.services.taking_back import take_back
from matches.tasks import study_match
from rules.engine.chance import Chance, named_seed
from tests.games.examples import EXAMPLE
from tests.matches.conftest import MakeMatch, api, asked, play_on
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look back of seconds: few decisions, few tables, many shares."""
    monkeypatch.setattr(lookback, "MAX_DECISIONS", 6)
    monkeypatch.setattr(lookback, "PLAYOUTS", 8)
    monkeypatch.setattr(lookback, "OPEN_PLAYOUTS", 8)
    monkeypatch.setattr(lookback, "SHARE_SECONDS", 0.0)
    monkeypatch.setattr(lookback, "enqueue", lambda *_: True)


OPEN = {"open_best", "open_agrees", "open_cost", "open_cost_margin"}
"""In hindsight: these alone may follow from the other hands."""


def studied(match: Match, user: User) -> LookBack:
    row = lookback.start(slug=match.slug, user=user)
    while lookback.study(look_back_id=row.pk):
        pass
    row.refresh_from_db()
    return row


def test_each_decision_gets_its_numbers_a_share_at_a_time(finished: Match, ann: User) -> None:
    own = finished.moves.filter(seat=0, source=Source.PERSON, prompt__isnull=False)
    row = lookback.start(slug=finished.slug, user=ann)
    assert lookback.start(slug=finished.slug, user=ann).pk == row.pk
    assert row.decisions == own.count() > 6
    assert len(row.plies) == 6
    assert set(row.plies) <= set(own.values_list("ply", flat=True))
    counts = []
    while lookback.study(look_back_id=row.pk):
        row.refresh_from_db()
        counts.append(row.done)
    assert counts == [1, 2, 3, 4, 5]
    answer = look_back_shown(access_match(ann, finished.slug), ann)
    assert (answer.state, answer.done, answer.total, answer.mine) == ("done", 6, 6, True)
    assert answer.curve is not None
    for point in answer.points:
        assert 0 <= point.after <= 1
        assert point.agrees == (point.played == point.best)
        if point.agrees:
            assert (point.cost, point.before) == (0, point.after)
        else:
            assert point.cost == pytest.approx(point.before - point.after, abs=0.001)
        assert point.open_agrees == (point.played == point.open_best)
        assert not (point.open_agrees and (point.open_cost or point.costly_when_open))
    assert not lookback.study(look_back_id=row.pk), "a task that runs twice writes once"


def test_it_knows_no_more_than_the_player_did(finished: Match, ann: User) -> None:
    """With other hidden cards in the match the numbers are equal."""
    match = access_match(ann, finished.slug)
    ply = lookback.decisions_of(match, 0)[3].ply
    moves = [(row.seat, row.move) for row in match.moves.order_by("ply")]
    table = engine.replay(match, list(match.seats.all()), moves[: ply - 1])
    row = match.moves.get(ply=ply)
    twin = table.redeal(0, Chance(named_seed("twin")))
    names = ["Ann", "Bob"]
    numbers = lookback._point(match, table, 0, row, names)
    twin_numbers = lookback._point(match, twin, 0, row, names)
    # The test can fail: from the true cards other numbers would be found.
    assert twin.view(1) != table.view(1)
    for key in numbers.keys() - OPEN:
        assert numbers[key] == twin_numbers[key]


def test_a_worker_that_dies_loses_its_share_alone(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(lookback, "enqueue", lambda *task: sent.append(task))
    row = lookback.start(slug=finished.slug, user=ann)
    lookback.study(look_back_id=row.pk)
    row.refresh_from_db()
    before = row.points
    find = lookback._next_points

    def killed(row: LookBack) -> Any:
        find(row)
        raise KeyboardInterrupt

    monkeypatch.setattr(lookback, "_next_points", killed)
    with pytest.raises(KeyboardInterrupt):
        lookback.study(look_back_id=row.pk)
    monkeypatch.setattr(lookback, "_next_points", find)
    assert lookback.restart_stalled() == []
    LookBack.objects.update(touched_at=timezone.now() - timedelta(minutes=2))
    assert lookback.restart_stalled() == [row.pk]
    assert lookback.restart_stalled() == [], "once, not at each sweep"
    assert sent == [("matches.tasks.study_match", row.pk)]
    while lookback.study(look_back_id=row.pk):
        pass
    row.refresh_from_db()
    assert row.points[:1] == before
    assert [point["ply"] for point in row.points] == row.plies


def test_two_workers_with_the_same_share_write_it_once(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = lookback.start(slug=finished.slug, user=ann)
    find = lookback._next_points

    def beaten(row: LookBack) -> Any:
        monkeypatch.setattr(lookback, "_next_points", find)
        assert lookback.study(look_back_id=row.pk)
        return find(row)

    monkeypatch.setattr(lookback, "_next_points", beaten)
    assert not lookback.study(look_back_id=row.pk), "the slower one does not go on either"
    row.refresh_from_db()
    assert (row.done, len(row.points)) == (1, 1)


def test_waiting_shares_do_not_multiply(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sent again only when its earlier messages can no longer be read."""
    row = lookback.start(slug=finished.slug, user=ann)
    find = lookback._next_points

    def sweep_meanwhile(row: LookBack) -> Any:
        assert lookback.restart_stalled() == [], "a worker has just begun"
        return find(row)

    LookBack.objects.update(touched_at=timezone.now() - lookback.DEAD_AFTER)
    monkeypatch.setattr(lookback, "_next_points", sweep_meanwhile)
    assert lookback.study(look_back_id=row.pk)
    assert 0 < study_match.expires <= lookback.DEAD_AFTER.total_seconds()


def test_a_share_that_finds_no_decision_ends_it(finished: Match, ann: User) -> None:
    row = lookback.start(slug=finished.slug, user=ann)
    LookBack.objects.update(plies=[finished.ply + 9])
    assert not lookback.study(look_back_id=row.pk), "it would be sent again for ever"
    row.refresh_from_db()
    assert row.state == LookBackState.FAILED


def test_not_while_it_runs_nor_while_its_round_does(
    match: Match, ann: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFinished):
        lookback.start(slug=match.slug, user=ann)
    assert logged_in(ann).get(f"/matches/{match.slug}/lookback/").status_code == 409
    play_on(match)
    open_round = True
    monkeypatch.setattr(queries, "_holds", [lambda match: open_round])
    Match.objects.filter(pk=match.pk).update(in_event=True)
    with pytest.raises(HeldBack, match="once its round"):
        lookback.start(slug=match.slug, user=ann)
    page = logged_in(ann).get(f"/matches/{match.slug}/lookback/").content.decode()
    assert "once its round of the tournament is over" in page
    assert '<form method="post" action="/matches' not in page
    open_round = False
    assert lookback.start(slug=match.slug, user=ann).state == LookBackState.WORKING
    with pytest.raises(NotYourSeat):
        lookback.start(slug=match.slug, user=stranger)


def test_it_is_its_player_s_until_it_is_shared(
    finished: Match, ann: User, bob: User, stranger: User
) -> None:
    studied(finished, ann)
    address, page = f"/api/matches/{finished.slug}/lookback/", f"/matches/{finished.slug}/lookback/"
    for user in (bob, stranger, None):
        assert api(user).get(f"{address}?seat=0").status_code == 403
        assert logged_in(user).get(f"{page}?seat=1").status_code == 403
    assert api(bob).patch(address, {"shared": True}, format="json").status_code == 403
    answer = api(ann).patch(address, {"shared": True}, format="json")
    assert answer.status_code == 200, answer.json()
    for user in (bob, stranger, None):
        answer = api(user).get(f"{address}?seat=0").json()
        assert (answer["mine"], answer["who"], len(answer["points"])) == (False, "Ann", 6)
        assert "Only you can see" not in logged_in(user).get(f"{page}?seat=1").content.decode()
    replay = f"/matches/{finished.slug}/replay/?ply=3&seat=1"
    assert "lookback-line" in logged_in(stranger).get(replay).content.decode()
    assert logged_in(ann).post(f"{page}share/", {"shared": "no"}).status_code == 302
    assert api(stranger).get(f"{address}?seat=0").status_code == 403
    assert "lookback-line" not in logged_in(stranger).get(replay).content.decode()
    assert "lookback-line" in logged_in(ann).get(replay).content.decode()


def test_names_are_not_stored(
    finished: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is renamed, or deletes their account, goes from the look backs of others, too."""
    monkeypatch.setattr(
        "rules.engine.match.Match.label", lambda table, move, names: f"Attack {names[1]}"
    )
    row = studied(finished, ann)
    assert "Bob" not in str(row.points)
    for name in ("Bob", "Robert"):
        User.objects.filter(pk=bob.pk).update(display_name=name)
        answer = look_back_shown(access_match(ann, finished.slug), ann)
        assert answer.points[0].played == f"Attack {name}"


def test_pages_say_how_far_it_is_and_what_came_out(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(EXAMPLE.thinkers, "thinker-1")
    browser, address = logged_in(ann), f"/matches/{finished.slug}/lookback/"
    page = browser.get(address).content.decode()
    assert "It takes up to" in page
    assert "No bot thinks ahead in this" in page, "said honestly"
    assert browser.post(address).status_code == 302
    row = LookBack.objects.get()
    part = browser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "Decision 0 of 6" in part
    assert 'hx-trigger="every 2s"' in part
    while lookback.study(look_back_id=row.pk):
        pass
    page = browser.get(address).content.decode()
    assert "hx-trigger" not in page.split("<main")[1]
    assert "All values are in the table of decisions" in " ".join(page.split())
    assert page.count("?ply=") >= 6
    row.refresh_from_db()
    better = {"open_agrees": False, "open_cost": 0.4, "open_cost_margin": 0.1}
    plain = {"open_agrees": True, "open_cost": 0, "open_cost_margin": 0}
    row.points = [
        row.points[0] | better | {"open_best": "Ann waits"},
        *(point | plain for point in row.points[1:]),
    ]
    row.save()
    page = browser.get(address).content.decode()
    hindsight = page.split('id="hindsight-head"')[1].split("</section>")[0]
    assert hindsight.count("?ply=") == 1
    assert "Ann waits, instead of" in hindsight
    assert "+40 ± 10" in hindsight


def test_an_archived_match_gives_the_same(finished: Match, ann: User) -> None:
    before = studied(finished, ann).points
    LookBack.objects.all().delete()
    archive_match(match_id=finished.pk)
    finished.refresh_from_db()
    assert finished.archived
    assert studied(finished, ann).points == before


def test_what_was_taken_back_was_no_decision(match: Match, ann: User, bob: User) -> None:
    for _ in range(60):
        user, _prompt = asked(match)
        play_on(match, 1)
        match.refresh_from_db()
        if engine.load(match).can_undo(0 if user == ann else 1):
            break
    ply = match.ply
    take_back(slug=match.slug, user=user)
    play_on(match)
    seat = 0 if user == ann else 1
    plies = [row.ply for row in lookback.decisions_of(access_match(ann, match.slug), seat)]
    assert ply not in plies
    assert studied(match, user).state == LookBackState.DONE


def test_one_at_a_time_and_not_too_many_a_day(
    finished: Match, make_match: MakeMatch, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = play_on(make_match())
    lookback.start(slug=finished.slug, user=ann)
    with pytest.raises(Conflict, match="under way"):
        lookback.start(slug=other.slug, user=ann)
    studied(finished, ann)
    monkeypatch.setattr(lookback, "MAX_PER_DAY", 1)
    with pytest.raises(TooManyHints, match="1 matches a day"):
        lookback.start(slug=other.slug, user=ann)
    assert api(ann).post(f"/api/matches/{other.slug}/lookback/").status_code == 429


def test_other_rules_or_another_search_make_it_old(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = studied(finished, ann)
    assert not look_back_shown(access_match(ann, finished.slug), ann).stale
    monkeypatch.setattr("rules.advice.VERSION", 0)
    answer = look_back_shown(access_match(ann, finished.slug), ann)
    assert (answer.stale, len(answer.points)) == (True, 6), "what is stored stays to be read"
    assert (
        "earlier version"
        in logged_in(ann).get(f"/matches/{finished.slug}/lookback/").content.decode()
    )
    again = lookback.start(slug=finished.slug, user=ann)
    assert (again.pk, again.done, again.state) == (row.pk, 0, LookBackState.WORKING)


def test_one_that_cannot_be_played_again_says_so(
    finished: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = lookback.start(slug=finished.slug, user=ann)
    finished.moves.filter(ply=1).update(move={"verb": "no-such-verb"})
    assert not lookback.study(look_back_id=row.pk)
    row.refresh_from_db()
    assert row.state == LookBackState.FAILED
    page = logged_in(ann).get(f"/matches/{finished.slug}/lookback/").content.decode()
    assert "could not be looked at" in page


def test_turning_points_are_the_largest_clear_changes() -> None:
    def point(ply: int, after: float, margin: float = 0.05) -> dict[str, Any]:
        numbers = {"before": 0.5, "before_margin": 0, "after": after, "after_margin": margin}
        return numbers | {
            "ply": ply, "played": "a", "best": "a", "agrees": True, "options": 2, "worlds": 9,
            "cost": 0, "cost_margin": 0,
            "open_best": "a", "open_agrees": True, "open_cost": 0, "open_cost_margin": 0,
        }  # fmt: skip

    stored = [point(1, 0.5), point(2, 0.58), point(3, 0.2), point(4, 0.6, margin=0.5)]
    rows = decisions(stored)
    assert [row.change for row in rows] == [0, 0.08, -0.38, 0.4]
    assert [row.ply for row in rows if row.turning_point] == [3], "the last may be luck"
    many = decisions([point(n, (n % 2) * 0.8) for n in range(1, 12)])
    assert sum(row.turning_point for row in many) == queries.MAX_TURNING_POINTS


def test_every_decision_is_looked_at_where_there_are_few() -> None:
    assert lookback.evenly([1, 4, 9], 6) == [1, 4, 9]
    assert lookback.evenly(range(1, 101), 5) == [1, 26, 51, 75, 100]
