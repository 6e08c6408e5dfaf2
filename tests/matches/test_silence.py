"""A move that tells somebody nothing changes nothing that this person gets, to the byte.

A game may ask several seats at once, and until all have answered nobody may know how far
another has come. The engine says so in its views and prompts (``check_silence``); here it is held
against all that the site gives away: pages, answers of the API, numbers, clocks, bells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.clock import seat_clocks
from matches.errors import AlreadyAnswered
from matches.live import bell
from matches.live.bell import MatchUpdate
from matches.models import Match, MoveRow, Seat, StandingOrder, Status, TimeControl, Timeout
from matches.queries.access import access_match
from matches.queries.seat_decks import SeatDeck
from matches.queries.table import views_from
from matches.queries.talk import why_quiet
from matches.queries.updates import match_updates
from matches.services import absence, offers, talk
from matches.services.absence import HoursChange
from matches.services.clock import run_clock
from matches.services.play import concede, play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.services.store_ply import Played
from rules.engine.chance import named_seed
from rules.engine.game import Game, Mode
from rules.engine.moves import Move, Prompt
from rules.testing import playable_modes
from rules.testing.playouts import Setup, random_setup, seen_by
from tests.matches.conftest import api, person
from tests.matches.test_commands import said
from tests.matches.test_pages import logged_in
from tests.support.sizes import modes_on_the_site, sized

pytestmark = pytest.mark.django_db

MODES = modes_on_the_site()
every_mode = pytest.mark.parametrize(
    ("game", "mode"), MODES, ids=[f"{game.slug}-{mode.slug}" for game, mode in MODES]
)

MATCHES = sized(1, large=6)
LOOKS = sized(2, large=1000)
"""At so many answers to each kind of question everything is compared that everybody gets."""

MOST_SEATS = 4
MOST_MOVES = 45
"""A match is left after so many; the openings are where most answers are given unseen."""

SOON = timedelta(seconds=119)
"""So near that every answer that may stretch a clock does."""

IN_THE_API = (
    "/api/matches/",
    "/api/matches/?mine=true",
    "/api/matches/?awaiting=true",
    "/api/matches/{slug}/",
    "/api/matches/{slug}/state/",
    "/api/matches/{slug}/events/",
    "/api/matches/{slug}/events/?since=2&limit=3",
    "/api/matches/{slug}/fairness/",
    "/api/matches/{slug}/chat/",
    "/api/lobby/running/",
)
OF_ONESELF = ("/api/notifications/", "/api/matches/{slug}/notes/")
ON_PAGES = (
    "/",
    "/matches/{slug}/",
    "/matches/{slug}/table/?since=0",
    "/matches/{slug}/?side=2",
    "/matches/{slug}/table/?since=1&steps=2&side=1",
    "/matches/{slug}/fairness/",
    "/play/lobby/running/",
)
MASKED = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+'
    rb"|\d+:\d\d min(?= left)"  # goes by while this test runs; deadlines are compared in the API
)
"""Drawn anew for every page."""

TICKING = ("Expires", "X-Request-ID")
"""Headers that differ from one request to the next."""


class Onlooker:
    """Somebody at the table or beside it, and all that this person can get."""

    def __init__(self, match: Match, seat: int | None, user: User | None) -> None:
        self.match = match
        self.seat = seat
        self.user = user
        self.program = api(user)
        self.browser: Client = logged_in(user)
        self.pages = ON_PAGES if user is None else (*ON_PAGES, "/matches/")

    def gets(self) -> dict[str, Any]:
        # Whoever is at the table has seen its notices: the bell of the pages below counts no more.
        self.browser.get(f"/matches/{self.match.slug}/")
        got: dict[str, Any] = {"progress": progress(self.match, self.user)}
        result = IN_THE_API if self.user is None else (*IN_THE_API, *OF_ONESELF)
        for client, paths in ((self.program, result), (self.browser, self.pages)):
            for path in paths:
                answer = client.get(path.format(slug=self.match.slug))
                assert answer.status_code == 200, path
                headers = {k: v for k, v in answer.items() if k not in TICKING}
                got[path] = (headers, MASKED.sub(b"", answer.content))
        return got


def progress(match: Match, user: User | None) -> bell.VisibleProgress:
    """What a stream of this person finds in the database."""
    return match_updates([match.slug])[match.slug].visible_to(user and user.pk)


class Evening:
    """A match whose seats are all taken by people, played at random through the services."""

    def __init__(self, setup: Setup) -> None:
        self.people = [person(f"Seat{number}") for number in range(setup.seats)]
        decks = setup.decks
        own = setup.mode.decks(setup.options) == "own"
        plans = [
            SeatPlan(user=user, deck=SeatDeck("Deck", decks[number]) if own else None)
            for number, user in enumerate(self.people)
        ]
        self.match = create_match(
            host=self.people[0],
            setup=MatchSetup(
                game=setup.game.slug,
                mode=setup.mode.slug,
                options=dict(setup.options),
                seats=plans,
                deck=decks[0] if decks and not own else None,
                timeout=Timeout.TURN,
                pauses_when_away=False,
            ),
        )
        for user in (*self.people, person("Onlooker")):
            seen = access_match(user, self.match.slug)
            if not why_quiet(seen, user):
                talk.say(match=seen, user=user, text=f"Hello from {user}.")
        for number in range(setup.seats):  # orders that wait for what is never asked
            StandingOrder.objects.create(
                match=self.match, seat=number, kind="waits", move={"verb": "wait"}, words="Wait"
            )
        Match.objects.filter(pk=self.match.pk).update(silent_writes=setup.seats)
        self.players = setup.chance("players")
        self.everybody = [
            Onlooker(self.match, seat, None if seat is None else self.people[seat])
            for seat in (None, *range(setup.seats))
        ]

    def moves(self, most: int = MOST_MOVES) -> Iterator[tuple[Prompt, Move]]:
        """The answers that will be given; whoever asks for the next one has given the last."""
        for _ in range(most):
            self.match.refresh_from_db()
            if self.match.status != Status.RUNNING:
                return
            prompts = engine.load(self.match).prompts
            prompt = prompts[sorted(prompts)[self.players.pick(len(prompts))]]
            yield prompt, prompt.options[self.players.pick(len(prompt.options))]

    def play(self, prompt: Prompt, move: Move) -> Played:
        return play_move(
            slug=self.match.slug, user=self.people[prompt.seat], prompt_id=prompt.id, move=move
        )

    def hidden_from(self, prompt: Prompt, move: Move) -> list[Onlooker]:
        """Whom this move will tell nothing, by the engine's own word."""
        table = engine.load(self.match)
        twin = table.clone()
        events = twin.play(prompt.seat, move)
        return [
            item
            for item in self.everybody
            if item.seat != prompt.seat
            and all(twin.event_view(event, item.seat) is None for event in events)
            and seen_by(twin, item.seat, []) == seen_by(table, item.seat, [])
        ]

    def time_is_short(self) -> None:
        """All who are asked have little time left."""
        soon = timezone.now() + SOON
        Seat.objects.filter(match=self.match, deadline_at__isnull=False).update(deadline_at=soon)
        Match.objects.filter(pk=self.match.pk, deadline_at__isnull=False).update(deadline_at=soon)


def evenings(game: Game, mode: Mode) -> Iterator[Evening]:
    number = count = 0
    while count < MATCHES:
        setup = random_setup(game, mode, named_seed(f"silence {number}"))
        number += 1
        kept = mode.for_keeps(setup.options)  # only who agrees sits down there
        if setup.seats <= max(MOST_SEATS, mode.seats[0]) and not kept:
            count += 1
            User.objects.filter(username__startswith="seat").delete()
            yield Evening(setup)


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, MatchUpdate, list[int]]]:
    """The bells, instead of ringing them."""
    rows: list[tuple[str, MatchUpdate, list[int]]] = []
    monkeypatch.setattr(bell, "ring", lambda *args: rows.append(args) or True)  # type: ignore[func-returns-value]
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("offer", ["cancel", "takeback", "draw"])
def test_who_looks_on_gets_the_same_as_before_an_offer(battle: Evening, offer: str) -> None:
    pick(battle, 0, 2)
    match = battle.match
    beside = [item for item in battle.everybody if item.seat is None]
    beside.append(Onlooker(match, None, person("Another onlooker")))
    at_the_table = battle.everybody[2]
    latest = {item: item.gets() for item in (*beside, at_the_table)}
    for word in (
        match.ply if offer == "takeback" else True,
        None if offer == "takeback" else False,
    ):
        seats = list(match.seats.order_by("number"))
        offers.store_words(match, seats, {seats[0]: word}, seats[1:], by=seats[0], offer=offer)
        for item_result in beside:
            assert item_result.gets() == latest[item_result], "offered, or taken back"
        seen = at_the_table.gets()
        assert seen["progress"].version == latest[at_the_table]["progress"].version + 1
        latest[at_the_table] = seen


@pytest.mark.slow
def test_hours_that_move_no_deadline_are_nobody_elses_business(
    battle: Evening, rung: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    Match.objects.filter(pk=battle.match.pk).update(
        time_control=TimeControl.FRIENDS, deadline_at=None
    )
    Seat.objects.update(deadline_at=None)
    others = [item for item in battle.everybody if item.seat != 0]
    before = [other.gets() for other in others]
    writes = Match.objects.get().silent_writes
    with django_capture_on_commit_callbacks(execute=True):
        absence.change_hours(user=battle.people[0], change=HoursChange(weekend=True))
    assert [other.gets() for other in others] == before
    assert rung == []
    assert Match.objects.get().silent_writes == writes + 1, "a move under way is reckoned anew"


@every_mode
@pytest.mark.slow(20)
def test_who_is_told_nothing_gets_the_same_as_before(
    game: Game, mode: Mode, rung: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    silent = 0
    for evening in evenings(game, mode):
        match = evening.match
        latest: dict[Onlooker, dict[str, Any]] = {}
        compared: Counter[str] = Counter()
        for prompt, move in evening.moves():
            hidden_from = evening.hidden_from(prompt, move)
            silent += len(hidden_from)
            compared[prompt.kind] += bool(hidden_from)
            looking = hidden_from if compared[prompt.kind] <= LOOKS else []
            if not latest:
                evening.time_is_short()
            before = [latest.get(item) or item.gets() for item in looking]
            latest.clear()
            were = [progress(match, item.user) for item in evening.everybody]
            rung.clear()
            with django_capture_on_commit_callbacks(execute=True):
                evening.play(prompt, move)
            for item_result, got in zip(looking, before, strict=True):
                after = latest[item_result] = item_result.gets()
                for path, answer in got.items():
                    assert after[path] == answer, (
                        f"{path} betrays {prompt.kind} to {item_result.seat}"
                    )
            [(slug, update, people)] = rung
            assert slug == match.slug
            for item_result, (ply, version) in zip(evening.everybody, were, strict=True):
                count = 0 if item_result in hidden_from else 1
                user_id = None if item_result.user is None else item_result.user.pk
                assert update.visible_to(user_id) == (ply + count, version + count)
                assert progress(match, item_result.user) == (ply + count, version + count)
                assert count or user_id not in people
    if mode.slug == "battle":
        assert silent > 25 * MATCHES


@pytest.mark.slow
@every_mode
def test_every_reader_counts_without_a_gap(game: Game, mode: Mode) -> None:
    """``since`` still means "what is above": page by page it gives all, and nothing twice."""
    for evening in evenings(game, mode):
        match, everybody = evening.match, evening.everybody
        seen: dict[int | None, list[Any]] = {item.seat: [] for item in everybody}
        table = engine.load(match)
        for item_result in everybody:
            seen[item_result.seat].append(table.view(item_result.seat))
        for prompt, move in evening.moves():
            hidden_from = evening.hidden_from(prompt, move)
            evening.play(prompt, move)
            table = engine.load(Match.objects.get(pk=match.pk))
            for item_result in everybody:
                if item_result not in hidden_from:
                    seen[item_result.seat].append(table.view(item_result.seat))
        match.refresh_from_db()
        for item_result in everybody:
            address = f"/api/matches/{match.slug}/events/"
            everything = item_result.program.get(address).json()
            groups = everything["events"]
            views = seen[item_result.seat]
            assert everything["ply"] == match.visible_ply(item_result.seat) == len(views) - 1
            assert [group["ply"] for group in groups] == list(range(len(views)))
            assert not everything["more"]
            since, paged = -1, []
            while True:
                page = item_result.program.get(f"{address}?since={since}&limit=7").json()
                paged += page["events"]
                if not page["more"]:
                    break
                since = page["events"][-1]["ply"]
            assert paged == groups
            assert (
                item_result.program.get(f"{address}?since={len(views) - 1}").json()["events"] == []
            )
            for first in {0, 1, len(views) // 2, len(views) - 1}:
                again = views_from(match, seat=item_result.seat, first=first, last=len(views) - 1)
                assert again == views[first:]


def test_who_is_asked_something_else_has_been_told(battle: Evening) -> None:
    """A question is in its seat's sight, also where neither view nor events say anything of it."""
    before = engine.load(battle.match)
    nobody = 0
    everybody_but_the_mover = 0b101
    assert engine.hidden_from(before, before.clone(), 0, []) == everybody_but_the_mover
    for change in ("options", "kind", "id"):
        after = before.clone()
        prompt = after.state.prompts[1]
        others = {"options": prompt.options[1:], "kind": "sort", "id": prompt.id + 1}
        after.state.prompts[1] = prompt._replace(**{change: others[change]})
        assert engine.hidden_from(before, after, 0, []) == 1 << 0, "only spectators heard nothing"
    after = before.clone()
    after.undoable = 1
    assert engine.hidden_from(before, after, 0, []) == 1 << 0, "it may take its answer back"
    after = before.clone()
    del after.state.prompts[1]
    assert engine.hidden_from(before, after, 0, []) == nobody, "all see that it is asked no more"


def fight(seed: str, target: int) -> Evening:
    [(game, mode)] = [(game, mode) for game, mode in playable_modes() if mode.slug == "battle"]
    return Evening(Setup(game, mode, 2, named_seed(seed), {"target": target}))


@pytest.fixture
def battle() -> Evening:
    """The first hands of a Battle are being chosen."""
    return fight("hands", 5)


def pick(evening: Evening, seat: int, times: int = 1) -> Played:
    for _ in range(times):
        evening.match.refresh_from_db()
        prompt = engine.load(evening.match).prompts[seat]
        played = evening.play(prompt, prompt.options[0])
    evening.match.refresh_from_db()
    return played


def test_a_receipt_counts_what_its_seat_was_told(battle: Evening) -> None:
    """Also when it is asked for once more, and when the answer is another one."""
    match = battle.match
    prompt = engine.load(match).prompts[0]
    assert pick(battle, 1, times=4).ply == 4
    first = battle.play(prompt, prompt.options[0])
    assert (first.ply, first.repeated) == (1, False)
    pick(battle, 1)
    pick(battle, 0)
    again = battle.play(prompt, prompt.options[0])
    assert (again.ply, again.repeated) == (1, True)
    with pytest.raises(AlreadyAnswered) as refusal:
        battle.play(prompt, prompt.options[1])
    assert refusal.value.extra["ply"] == 1
    pick(battle, 1)
    given_up = concede(slug=match.slug, user=battle.people[0])
    assert given_up.ply == 3
    assert concede(slug=match.slug, user=battle.people[0]).ply == 3
    match.refresh_from_db()
    assert (match.ply, match.visible_ply(0), match.visible_ply(1), match.visible_ply(None)) == (
        9,
        3,
        7,
        1,
    )


def test_that_a_seat_is_ready_is_told(battle: Evening) -> None:
    pick(battle, 1, times=6)
    assert battle.match.visible_ply(0) == battle.match.visible_ply(None) == 0
    before = battle.match.moved_at
    pick(battle, 1)
    assert battle.match.visible_ply(0) == battle.match.visible_ply(None) == 1
    assert battle.match.visible_ply(1) == 7
    assert battle.match.moved_at > before  # type: ignore[operator]


def test_what_can_be_seen_counts_without_an_event(db: None) -> None:
    """A Warrior chosen for a Booster is no event yet, but all see its multiplier."""
    battle = fight("boosters 2", 20)
    match = battle.match
    for prompt, move in battle.moves(1500):
        others = [item for item in battle.everybody if item.seat != prompt.seat]
        before = [match.visible_ply(other.seat) for other in others]
        battle.play(prompt, prompt.options[0] if prompt.kind == "boost" else move)
        row = match.moves.get(ply=match.ply + 1)
        if prompt.kind == "boost-target" and not row.events:
            match.refresh_from_db()
            assert [match.visible_ply(other.seat) for other in others] == [
                count + 1 for count in before
            ]
            break
    else:
        pytest.fail("Nobody chose Warriors for a Booster.")


def test_one_clock_for_all_that_is_answered_together(battle: Evening) -> None:
    """Whoever is asked together gets a whole turn's time, and no answer makes it longer."""
    match = battle.match
    assert match.preset is not None
    stages = 0
    asked_before: set[int] = {0, 1}
    for prompt, move in battle.moves(400):
        battle.time_is_short()
        were = dict(match.seats.values_list("number", "deadline_at"))
        hidden_from = battle.hidden_from(prompt, move)
        battle.play(prompt, move)
        now = dict(match.seats.values_list("number", "deadline_at"))
        names = {number for number, deadline in now.items() if deadline is not None}
        if hidden_from:
            assert now == were
        elif names == {0, 1} and asked_before == {prompt.seat}:
            stages += 1
            for deadline in now.values():
                assert deadline > timezone.now() + match.preset.gain - SOON
        asked_before = names
    assert stages > 1


def test_time_that_runs_out_ends_a_stage(battle: Evening) -> None:
    """The clock answers for who is late, and what it answers unseen is not told either."""
    match = battle.match
    pick(battle, 1, times=3)
    pick(battle, 0, times=7)
    late = match.deadline_at + seat_clocks.GRACE  # type: ignore[operator]
    assert run_clock(match_id=match.pk, now=late) >= 4
    match.refresh_from_db()
    hidden = [row.seat for row in match.moves.filter(hidden_from__gt=0)]
    assert hidden == [1] * 3 + [0] * 6 + [1] * 3
    assert (match.visible_ply(0), match.visible_ply(1)) == (match.ply - 6, match.ply - 6)
    assert engine.load(match).view(None)["phase"] == "deployment"


def test_who_was_told_what_can_be_worked_out_again(battle: Evening) -> None:
    """For matches that were played before it was stored."""
    for prompt, move in battle.moves(40):
        battle.play(prompt, move)
    match = battle.match
    masks = list(match.moves.order_by("ply").values_list("hidden_from", flat=True))
    counts = match.hidden_plies
    assert any(masks)
    assert counts[0] > 10
    MoveRow.objects.update(hidden_from=0)
    Match.objects.update(hidden_plies=[])
    assert "1 snapshots put right" in said("rebuild_matches")
    match.refresh_from_db()
    assert match.hidden_plies == counts
    assert list(match.moves.order_by("ply").values_list("hidden_from", flat=True)) == masks
    assert "0 snapshots put right" in said("rebuild_matches")


def test_a_replay_shows_every_move(battle: Evening) -> None:
    """When a match is over all may see all, move by move."""
    for prompt, move in battle.moves(2000):
        battle.play(prompt, move)
    match = battle.match
    assert match.status == Status.FINISHED
    assert match.visible_ply(0) < match.ply
    hidden = match.moves.filter(seat=1, hidden_from__gt=0).order_by("ply").first()
    assert hidden is not None
    stranger = api()
    address = f"/api/matches/{match.slug}/replay/?ply={hidden.ply}"
    before = f"/api/matches/{match.slug}/replay/?ply={hidden.ply - 1}"
    for seat, seen in ((0, False), (1, True)):
        now, then = (stranger.get(f"{at}&seat={seat}").json() for at in (address, before))
        assert (now["view"] != then["view"]) is seen
    assert stranger.get(address).json()["plies"] == match.ply
    page = reverse("matches:replay", args=(match.slug,))
    for ply in (0, match.ply):
        html = logged_in(None).get(f"{page}?ply={ply}&seat=2").content.decode()
        assert f"move {ply} of {match.ply}" in html
    assert stranger.get(f"/api/matches/{match.slug}/result/").json()["plies"] == match.ply


def test_operators_count_as_spectators_do(battle: Evening, staff: User, client: Client) -> None:
    pick(battle, 1, times=5)
    client.force_login(staff)
    listed = client.get("/admin/matches/match/").content.decode()
    assert '<td class="field-plies">0</td>' in listed
