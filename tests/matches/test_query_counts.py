"""A page or list takes as many queries for many people, lines, notices and matches as for few."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from matches.models import ChatLine, ChatRoom, Match, SeatKind
from matches.models import Rating as RatingRow
from matches.services import ratings, talk
from matches.services.setup import MatchSetup, SeatPlan, create_match
from notices.kinds import Kind
from notices.services.notices import notify
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api, person, play_on, queries_of
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db

PAGES = (
    "/", "/matches/", "/matches/{slug}/", "/matches/{slug}/talk/", "/play/lobby/", "/you/notices/",
    "/you/clock/", "/you/blocks/", f"/ratings/{GAME}/match/", "/people/ann/",
    "/matches/{finished}/result/", "/matches/{finished}/replay/",
)  # fmt: skip
LISTS = (
    "/api/matches/{slug}/chat/", "/api/matches/{slug}/notes/", "/api/notifications/", "/api/lobby/",
    "/api/invitations/", f"/api/ratings/{GAME}/match/", "/api/blocks/", "/api/people/ann/",
)  # fmt: skip
QUEUE = "/admin/matches/report/"


def more(match: Match, ann: User, number: int, make_match: MakeMatch) -> None:
    """One more of each: of what is said, told, reported, waits, is played and rated."""
    other = person(f"Other{number}")
    line = ChatLine.objects.create(
        match=match, room=ChatRoom.TABLE, author=other, text=f"Line {number}"
    )
    talk.report(match=match, user=ann, line=line.pk, why=str(number))
    talk.add_note(match=match, user=ann, text=f"Note {number}")
    notify([ann.pk], Kind.CHAT, text="Look.", link="/matches/", key=str(number))
    create_match(
        host=other,
        setup=MatchSetup(
            game=GAME,
            mode="match",
            options={"guards": 1},
            listed=True,
            seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)],
        ),
    )
    create_match(
        host=other,
        setup=MatchSetup(
            game=GAME,
            mode="match",
            options={"guards": 1},
            listed=True,
            seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, user=ann)],
        ),
    )
    make_match(seats=[SeatPlan(user=ann), SeatPlan(user=other)], pauses_when_away=False)
    ladder = ratings._ladder(GAME, "match", "web")
    now = timezone.now()
    RatingRow.objects.create(
        ladder=ladder, user=other, mu=30, sigma=2, at=now, matches=20, opponents=5,
        settled_until=now + timedelta(days=99),
    )  # fmt: skip
    api(ann).post("/api/blocks/", {"username": f"Enemy{number}", "kind": "chat"}, format="json")


@pytest.mark.slow
def test_for_many_as_for_few(match: Match, make_match: MakeMatch, ann: User, staff: User) -> None:
    finished = play_on(make_match(host=staff))
    browser, program, moderator = logged_in(ann), api(ann), logged_in(staff)
    counts = []
    for numbers in (range(2), range(2, 7)):
        for number in numbers:
            person(f"Enemy{number}")
            more(match, ann, number, make_match)
        values = {}
        for client, paths in ((browser, PAGES), (program, LISTS), (moderator, (QUEUE,))):
            for path in paths:
                path = path.format(slug=match.slug, finished=finished.slug)
                assert client.get(path).status_code == 200, path  # what is kept is kept now
                values[path] = queries_of(lambda at=path, who=client: who.get(at))
        counts.append(values)
    few, many = counts
    assert {path: (few[path], many[path]) for path in few if few[path] != many[path]} == {}
    assert len(program.get(f"/api/matches/{match.slug}/chat/").json()["lines"]) == 7
    for path in (
        "/api/notifications/",
        "/api/lobby/",
        "/api/invitations/",
        f"/api/ratings/{GAME}/match/",
    ):
        assert len(program.get(path).json()["results"]) >= 7, path
