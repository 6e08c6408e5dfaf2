"""One load, one telling a move: what it asks of the database, what it sends, late in a match."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, UniqueConstraint
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from matches import engine
from matches.models import Match, Seat, Status
from matches.queries.events import event_groups
from matches.queries.waiting import what_waits
from matches.services import store_ply
from matches.services.bots import run_bots
from matches.services.setup import SeatPlan
from notices.queries import bell_of
from rules.engine.game import Game
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, asked, play_on
from tests.matches.drawn import MARK, complete, parts_of
from tests.matches.test_motions import sitting
from tests.matches.test_pages import logged_in
from tests.support.sizes import modes_on_the_site

pytestmark = pytest.mark.django_db

PLIES = (60, 40, 20)
"""How far a match is when it is looked at: the first of them at which it still runs."""
MOST_QUERIES = 12
"""One of them tells people that they are asked, or no longer; it is left out within a turn."""
MOST_BYTES = 5 * 1024
"""Of the answer to a move as it goes out, compressed: some 10 to 20 KB before that."""

every_mode = pytest.mark.parametrize(
    ("game", "mode", "seats"),
    [
        pytest.param(game.slug, mode.slug, min(3, max(mode.seats)), id=f"{game.slug}-{mode.slug}")
        for game, mode in modes_on_the_site()
    ],
)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a snapshot is loaded, a match begun (to be replayed) and an event said."""
    counts: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            counts[name] += 1
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, counting)

    count(Game, "load")
    count(Game, "new_match")
    count(Game, "narrate")
    return counts


class Browser:
    """A page with the table's script: what it holds, and up to which ply."""

    def __init__(self, match: Match, user: User | None) -> None:
        self.match = match
        self.client: Client = logged_in(user)
        page = self.client.get(match.get_absolute_url()).content.decode()
        self.parts = parts_of(page)
        self.ply = self.shown(page)
        self.log = re.findall(r'<li(?: class="is-turn")? data-ply="(\d+)"[^>]*>(.*?)</li>', page)

    @staticmethod
    def shown(text: str) -> int:
        return int(re.findall(r'data-shown="(\d+)"', text)[-1])

    def headers(self) -> dict[str, str]:
        return {"Riffle-Script": "table", "Riffle-Parts": " ".join(self.parts)}

    def takes(self, answer: Any) -> list[str]:
        """Show what was answered; gives the tables."""
        assert answer.status_code == 200
        text = answer.content.decode()
        tables = complete(text, self.parts)
        for ply, line in re.findall(r'<li data-ply="(\d+)"[^>]*>(.*?)</li>', text):
            if int(ply) > self.ply and line:
                self.log.append((ply, line))
        self.parts = parts_of(tables[-1])
        self.ply = self.shown(tables[-1])
        return tables

    def looks(self, **wanted: int) -> Any:
        address = reverse("matches:fragment", args=(self.match.slug,))
        return self.client.get(address, {"since": self.ply, **wanted}, headers=self.headers())

    def plays(self, prompt: Any, move: str) -> Any:
        form = {"prompt": prompt.id, "move": move, "ply": self.ply, "steps": self.ply + 1}
        address = reverse("matches:play", args=(self.match.slug,))
        return self.client.post(address, form, headers=self.headers())


def chosen(match: Match) -> tuple[User, Any, str]:
    """Who is asked, what, and what a bot would answer."""
    user, prompt = asked(match)
    table = engine.load(match)
    *_, bot = engine.game_of(match).bots.values()
    chance = engine.bot_chance(match, prompt.seat, prompt.id)
    return user, prompt, table.notation(bot.choose(table.view(prompt.seat), prompt, chance))


def later(game: str, mode: str, seats: int) -> Match:
    for plies in PLIES:
        User.objects.exclude(username="ann").delete()
        match = play_on(sitting(game, mode, seats), plies)
        if match.status == Status.RUNNING:
            return match
    pytest.fail("The match is always over by then.")


@pytest.mark.slow
@every_mode
def test_a_move_loads_the_table_once_and_tells_each_event_once(
    game: str, mode: str, seats: int, ann: User, counted: Counter[str]
) -> None:
    match = later(game, mode, seats)
    for _ in range(3):
        if match.status != Status.RUNNING:
            break
        user, prompt, move = chosen(match)
        page = Browser(match, user)
        counted.clear()
        with CaptureQueriesContext(connection) as captured:
            answer = page.plays(prompt, move)
        counts = Counter(counted)
        assert len(captured) <= MOST_QUERIES
        reads = [query["sql"] for query in captured if 'FROM "matches_match" ' in query["sql"]]
        assert len([sql for sql in reads if '"state"' in sql]) == 1
        assert counts["load"] == 1
        assert not counts["new_match"]
        assert len(gzip.compress(answer.content)) <= MOST_BYTES
        match.refresh_from_db()
        news = event_groups(match, prompt.seat, since=page.ply)
        assert counts["narrate"] == sum(len(group.events) for group in news)
        assert page.takes(answer)


def test_what_a_page_puts_together_is_what_a_fresh_page_shows(ann: User) -> None:
    """Also a page that is many moves behind, and one that asks for the same twice."""
    match = play_on(sitting(GAME, "match", 3), 20)
    behind, always = Browser(match, ann), Browser(match, ann)
    for _ in range(25):
        play_on(match, 1)
        always.takes(always.looks())
    behind.takes(behind.looks())
    fresh = Browser(match, ann)
    for page in (behind, always):
        assert page.ply == fresh.ply
        assert page.parts == fresh.parts
        assert page.log == fresh.log
    again = fresh.looks()
    assert fresh.takes(again)[-1] == complete(again.content.decode(), fresh.parts)[-1]
    assert fresh.log == behind.log


def test_a_page_longer_away_than_the_log_reaches_misses_nothing(ann: User) -> None:
    match = sitting(GAME, "match", 3)
    page = Browser(match, ann)
    play_on(match, 90)
    page.takes(page.looks())
    everything = event_groups(match, 0)
    rows = [str(group.ply) for group in everything for line in group.lines if line]
    assert [ply for ply, _ in page.log] == rows


def test_a_bots_turn_is_drawn_in_one_pass(
    ann: User, make_match: MakeMatch, counted: Counter[str]
) -> None:
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan("bot"), SeatPlan("bot")])
    run_bots(match_id=match.pk)
    while True:
        user, prompt, move = chosen(match)
        page = Browser(match, user)
        page.takes(page.plays(prompt, move))
        run_bots(match_id=match.pk)
        match.refresh_from_db()
        assert match.status == Status.RUNNING
        if match.visible_ply(0) > page.ply + 2:
            break
    first = page.ply + 1
    counted.clear()
    with CaptureQueriesContext(connection) as captured:
        answer = page.looks(steps=first)
    assert counted["load"] == counted["new_match"] == 1
    assert len(captured) <= MOST_QUERIES
    seen = range(first, match.visible_ply(0) + 1)
    tables = page.takes(answer)
    assert [Browser.shown(table) for table in tables] == list(seen)
    rows = [ply for ply, _ in page.log if int(ply) >= first]
    assert set(rows) <= {str(ply) for ply in seen}
    assert rows == sorted(rows, key=int)


def test_the_script_alone_is_sent_marks(match: Match, ann: User) -> None:
    """Without it the page has the whole table and the log."""
    play_on(match, 20)
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    assert "data-same" not in page
    assert page.count("<li data-ply") + page.count('<li class="is-turn" data-ply') > 20


def test_a_part_of_a_drawing_leaves_a_mark_that_may_stand_in_one() -> None:
    """An <i> would end an <svg> as soon as a browser reads it."""
    text = (
        "{% load parts %}{% parts %}<svg>{% part %}<g><path/></g>{% endpart %}</svg>{% endparts %}"
    )
    template, held = Template(text), set[str]()
    whole = template.render(Context({"held": held}))
    (mark,) = held
    assert whole == f'<svg><g data-part="{mark}"><path/></g></svg>'
    again = template.render(Context({"held": held}))
    assert again == f'<svg><g data-same="{mark}"></g></svg>'
    assert MARK.findall(again) == [mark]


def test_marks_that_a_page_makes_up_change_nothing(match: Match, ann: User) -> None:
    play_on(match, 9)
    client = logged_in(ann)
    address = reverse("matches:fragment", args=(match.slug,))
    mask = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')
    plain = mask.sub("", client.get(address).content.decode())
    made_up = {"Riffle-Parts": "x" * 8 + " <b> " + "y" * 5000}
    assert mask.sub("", client.get(address, headers=made_up).content.decode()) == plain


@pytest.mark.slow
def test_a_table_counts_all_tables_that_wait_for_whoever_looks(
    match: Match, ann: User, bob: User, make_match: MakeMatch
) -> None:
    """Those that waited when it was read, and itself as it stands after the move."""
    others = [make_match(), make_match(), make_match(private=True)]
    play_on(others[1], 1)
    seen = set()
    for _ in range(12):
        match.refresh_from_db()
        user, prompt, move = chosen(match)
        answers = [Browser(match, user).plays(prompt, move)]
        people = (ann, bob, None)
        answers += [logged_in(person).get(match.get_absolute_url()) for person in people]
        rows = [
            int(re.findall(r'data-awaiting="(\d+)"', answer.content.decode())[0])
            for answer in answers
        ]
        counts = [what_waits(bell_of(item)).matches for item in (user, ann, bob)]
        assert rows == [*counts, 0]
        seen |= {*counts}
    assert len(seen) > 2


def indexed(model: type[Model]) -> set[str]:
    """The fields that stand in an index or its condition."""
    names = {field.name for field in model._meta.fields if field.db_index or field.unique}
    uniques = [c for c in model._meta.constraints if isinstance(c, UniqueConstraint)]
    for index in (*model._meta.indexes, *uniques):
        names |= {name.lstrip("-") for name in index.fields}
        names |= {
            field.name for field in model._meta.fields if f"'{field.name}" in repr(index.condition)
        }
    return names


def test_few_moves_touch_an_index_of_seats_or_matches(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL then writes the row anew on its own page (HOT) and logs what differs alone."""
    # Which only the end of a match and an absence set.
    assert indexed(Seat) & {*store_ply.CHANGING} == {"rank", "finished_at", "substitute_bot"}
    written: dict[str, Any] = {}
    monkeypatch.setattr(
        store_ply, "compare_and_swap", lambda match, **fields: written.update(fields)
    )
    before = Match.objects.get()
    play_on(match, 1)
    assert written["ply"] == 1
    touched = indexed(Match) & {*written}
    assert touched == {"active_at", "clock_check_at", "bots_asked_at"}
    assert written["clock_check_at"] == before.clock_check_at and not before.bots_asked_at
    for minute, slot in ((10, 10), (19, 10), (20, 20)):
        match.set_moved(datetime(2026, 1, 1, 12, minute, 30, tzinfo=UTC))
        assert match.active_at == datetime(2026, 1, 1, 12, slot, tzinfo=UTC)


def test_a_bot_that_moves_at_once_is_asked_since_before(
    ann: User, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [SeatPlan("bot"), SeatPlan("bot")]
    match = make_match(seats=bots)
    for within, stays in ((timedelta(hours=1), True), (timedelta(), False)):
        monkeypatch.setattr(store_ply, "AT_ONCE", within)
        match.refresh_from_db()
        asked_at = match.bots_asked_at
        assert run_bots(match_id=match.pk, limit=1)
        match.refresh_from_db()
        assert (match.bots_asked_at == asked_at) is stays
