"""Matches through the API: who may do what, what comes back, and what bad input gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from accounts.models import User
from matches import engine
from matches.models import Match, SeatKind, Status
from matches.services.bots import run_bots
from matches.services.play import concede
from matches.services.repair import first_difference
from matches.services.setup import SeatPlan, leave_match
from rules.engine.chance import commitment, mix
from rules.engine.moves import move_to_json
from tests.games.examples import EXAMPLE, GAME, RED_6
from tests.matches.conftest import MakeMatch, api, asked, play_on, queries_of, stored

pytestmark = pytest.mark.django_db

NEW = {"game": GAME, "mode": "match", "seats": [{"kind": "person"}, {"kind": "bot"}]}


def url(match: Match, what: str = "") -> str:
    return f"/api/matches/{match.slug}/" + (f"{what}/" if what else "")


def assert_problem(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    return problem


class TestAWholeMatch:
    def test_by_api_alone(self, ann: User) -> None:
        client = api(ann)
        response = client.post(
            "/api/matches/", NEW | {"options": {"guards": 0}, "client_seed": "my own"}
        )
        assert response.status_code == 201
        slug = response.json()["slug"]
        assert response.json()["status"] == "running"
        pk = Match.objects.get(slug=slug).pk
        ply = 0
        for _ in range(500):
            run_bots(match_id=pk)
            state = client.get(f"/api/matches/{slug}/state/").json()
            if state["status"] != "running":
                break
            events = client.get(f"/api/matches/{slug}/events/?since={ply}").json()
            assert [group["ply"] for group in events["events"]] == list(
                range(ply + 1, state["ply"] + 1)
            )
            ply = state["ply"]
            prompt = state["prompt"]
            assert prompt["question"]
            option = prompt["options"][0]
            answer = {"prompt": prompt["id"], "move": option["move"]}
            if prompt["id"] % 2:
                answer = {"prompt": prompt["id"], "notation": option["notation"]}
            played = client.post(f"/api/matches/{slug}/moves/", answer)
            assert played.status_code == 200, played.content
            assert played.json() == {
                "ply": ply + 1,
                "seat": 0,
                "notation": option["notation"],
                "repeated": False,
            }
        result = client.get(f"/api/matches/{slug}/result/").json()
        assert sorted(seat["rank"] for seat in result["seats"]) == [1, 2]
        assert result["outcome"]["winners"]
        proof = client.get(f"/api/matches/{slug}/fairness/").json()
        assert commitment(bytes.fromhex(proof["server_seed"])) == response.json()["commitment"]
        seed = mix(bytes.fromhex(proof["server_seed"]), [(0, "my own")])
        assert proof["match_seed"] == seed.hex()
        assert len(proof["moves"]) == result["plies"]

    def test_with_a_shared_deck(self, ann: User) -> None:
        deck = next(iter(EXAMPLE.starter_decks.values()))
        new = NEW | {"deck": deck.cards, "options": {"boosters": "deck"}}
        response = api(ann).post("/api/matches/", new)
        assert response.status_code == 201, response.content
        match = Match.objects.get()
        assert match.decks == [deck.cards]
        assert first_difference(match) is None

    def test_two_people(self, ann: User, bob: User) -> None:
        seats = [{"kind": "person"}, {"kind": "open"}]
        response = api(ann).post("/api/matches/", NEW | {"seats": seats})
        slug = response.json()["slug"]
        assert response.json()["status"] == "open"
        assert api(ann).get(f"/api/matches/{slug}/state/").json()["view"] is None
        joined = api(bob).post(f"/api/matches/{slug}/join/", {"client_seed": "dice"})
        assert joined.json()["status"] == "running"
        assert [seat["mine"] for seat in joined.json()["seats"]] == [False, True]
        match = play_on(Match.objects.get(slug=slug))
        assert match.status == Status.FINISHED


# Who may: anonymous, stranger, opponent, owner, staff. The owner is who is asked (for moves), who
# sits at the table, or who set it up; the opponent sits there too.
READS = ("", "state", "events")
EVERYBODY = (200, 200, 200, 200, 200)
PERMISSIONS: list[tuple[str, str, str, tuple[int, ...]]] = [
    *[("get", what, "running", EVERYBODY) for what in READS],
    ("get", "result", "finished", EVERYBODY),
    ("get", "replay", "finished", EVERYBODY),
    ("get", "fairness", "running", EVERYBODY),
    ("get", "fairness", "finished", EVERYBODY),
    *[("get", what, "private", (403, 403, 200, 200, 200)) for what in (*READS, "fairness")],
    ("post", "moves", "running", (401, 403, 403, 200, 403)),
    ("post", "moves", "private", (401, 403, 403, 200, 403)),
    ("post", "concede", "running", (401, 403, 200, 200, 403)),
    ("post", "concede", "private", (401, 403, 200, 200, 403)),
    ("post", "rematch", "finished", (401, 403, 200, 200, 403)),
    ("post", "join", "open", (401, 200, 200, 200, 200)),
    ("post", "join", "running", (401, 409, 200, 200, 409)),
    ("post", "leave", "open", (401, 403, 403, 200, 403)),
    ("post", "leave", "running", (401, 403, 409, 409, 403)),
]
PEOPLE = ("anonymous", "stranger", "opponent", "owner", "staff")


class TestPermissions:
    @pytest.mark.parametrize(
        ("method", "what", "which", "who", "status"),
        [
            (method, what, which, who, status)
            for method, what, which, statuses in PERMISSIONS
            for who, status in zip(PEOPLE, statuses, strict=True)
        ],
    )
    def test_each_endpoint(
        self,
        method: str,
        what: str,
        which: str,
        who: str,
        status: int,
        make_match: MakeMatch,
        ann: User,
        bob: User,
        stranger: User,
        staff: User,
    ) -> None:
        match = make_match(
            private=which == "private",
            seats=[
                SeatPlan(user=ann),
                SeatPlan(SeatKind.OPEN) if which == "open" else SeatPlan(user=bob),
            ],
        )
        body: dict[str, Any] = {}
        owner, opponent = ann, bob
        if which == "finished":
            concede(slug=match.slug, user=bob)
        elif which != "open":
            owner, prompt = asked(match)
            opponent = bob if owner == ann else ann
            if what == "moves":
                body = {"prompt": prompt.id, "move": move_to_json(prompt.options[0])}
        people = dict(zip(PEOPLE, (None, stranger, opponent, owner, staff), strict=True))
        before = stored(match)
        client = api(people[who])
        answer = (
            client.get(url(match, what)) if method == "get" else client.post(url(match, what), body)
        )
        if status == 200:
            assert answer.status_code == 200, answer.content
        else:
            assert_problem(answer, status)
            assert stored(match) == before

    def test_staff_see_no_more_than_spectators(self, match: Match, staff: User) -> None:
        assert api(staff).get(url(match, "state")).json() == api().get(url(match, "state")).json()

    def test_a_friend_with_the_link_may_look_at_an_open_private_table(
        self, make_match: MakeMatch, stranger: User
    ) -> None:
        match = make_match(private=True, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        assert api().get(url(match)).status_code == 200
        assert api(stranger).post(url(match, "join")).status_code == 200

    def test_setting_up_needs_somebody(self) -> None:
        assert_problem(APIClient().post("/api/matches/", NEW), 401)

    def test_a_session_needs_its_token_against_forgery(self, match: Match, ann: User) -> None:
        client = APIClient(enforce_csrf_checks=True)
        client.force_login(ann)
        assert_problem(client.post(url(match, "concede")), 403)


class TestLists:
    def test_who_finds_what(
        self, make_match: MakeMatch, ann: User, bob: User, stranger: User
    ) -> None:
        public = make_match()
        private = make_match(private=True)
        opened = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)], listed=True)
        gone = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
        leave_match(match=gone, user=ann)
        everything = {public.slug, private.slug, opened.slug, gone.slug}

        def found(user: User | None, query: str = "") -> set[str]:
            answer = api(user).get(f"/api/matches/{query}").json()
            return {match["slug"] for match in answer["results"]}

        assert found(None) == found(stranger) == {public.slug, opened.slug}
        assert found(ann) == everything
        assert found(bob) == {public.slug, private.slug, opened.slug}
        assert found(ann, "?status=open") == {opened.slug}
        assert found(bob, "?mine=1") == {public.slug, private.slug}
        assert found(bob, "?mine=1&status=running") == {public.slug, private.slug}
        assert found(ann, "?mine=1&status=open") == {opened.slug}
        assert found(ann, f"?mine=1&game={public.game}&status=finished") == set()
        assert found(stranger, "?mine=1") == found(None, "?awaiting=1") == set()
        assert found(ann, "?awaiting=1") | found(bob, "?awaiting=1") == {public.slug, private.slug}
        assert found(ann, "?game=chess") == set()

    def test_query_counts(
        self, make_match: MakeMatch, ann: User, django_assert_num_queries: Any
    ) -> None:
        client = api(ann)
        make_match()
        reads: list[Callable[[], Response]] = [
            lambda: client.get("/api/matches/"),
            lambda: client.get("/api/matches/?mine=1"),
            lambda: client.get("/api/matches/?awaiting=1"),
        ]
        before = [queries_of(read) for read in reads]
        for _ in range(6):
            make_match()
            make_match(seats=[SeatPlan(SeatKind.OPEN), SeatPlan(SeatKind.OPEN)], listed=True)
        assert [queries_of(read) for read in reads] == before
        assert max(before) <= 5  # token, count, keys of one’s own, matches, seats

    def test_a_move_takes_few_queries(self, match: Match) -> None:
        """Who, match, seats, answered before, claim, move, seats; and the transaction's own."""
        counts = set()
        for _ in range(12):
            user, prompt = asked(match)
            client = api(user)
            body = {"prompt": prompt.id, "move": move_to_json(prompt.options[-1])}
            counts.add(queries_of(lambda: client.post(url(match, "moves"), body)))  # noqa: B023
        assert max(counts) <= 10

    @pytest.mark.parametrize("what", ["", "state", "events", "fairness"])
    def test_query_counts_of_one_match(self, match: Match, ann: User, what: str) -> None:
        client = api(ann)
        play_on(match, 2)
        before = queries_of(lambda: client.get(url(match, what)))
        play_on(match, 30)
        assert queries_of(lambda: client.get(url(match, what))) == before
        assert before <= 4


class TestBadInput:
    """The right status, a problem document, and nothing changed."""

    @pytest.mark.parametrize("what", ["", "state/", "events/", "result/", "replay/", "fairness/"])
    def test_unknown_match(self, db: None, what: str) -> None:
        problem = assert_problem(APIClient().get(f"/api/matches/nosuchmatch1/{what}"), 404)
        assert problem["type"] == "/api/problems/unknown-match/"

    @pytest.mark.parametrize("what", ["moves", "join", "leave", "concede", "rematch"])
    def test_unknown_match_for_writers(self, ann: User, what: str) -> None:
        body = {"prompt": 1, "move": {"verb": "pass"}} if what == "moves" else {}
        answer = api(ann).post(f"/api/matches/nosuchmatch1/{what}/", body)
        assert_problem(answer, 404)

    @pytest.mark.parametrize(
        ("body", "status", "kind"),
        [
            ("{", 400, "unreadable"),
            ("", 400, "invalid"),
            ("[]", 400, "invalid"),
            ("null", 400, "invalid"),
            ('"pass"', 400, "invalid"),
            ("[" * 50_000, 400, "unreadable"),
            ('{"prompt": 1, "notation": "\\ud800"}', 400, "unreadable"),
            ('{"prompt": 1, "notation": "\\u0000"}', 400, "invalid"),
            ('{"prompt": NaN, "notation": "pass"}', 400, "unreadable"),
            ('{"prompt": 1e999, "notation": "pass"}', 400, "invalid"),
            ('{"prompt": 1' + "0" * 5000 + ', "notation": "pass"}', 400, None),
            ('{"prompt": 99999999999, "notation": "pass"}', 400, "invalid"),
            ('{"prompt": 0, "notation": "pass"}', 400, "invalid"),
            ('{"prompt": "x", "notation": "pass"}', 400, "invalid"),
            ('{"prompt": PROMPT}', 400, "invalid"),
            ('{"prompt": PROMPT, "notation": "pass", "move": {"verb": "pass"}}', 400, "invalid"),
            ('{"prompt": PROMPT, "move": "pass"}', 400, "invalid"),
            ('{"prompt": PROMPT, "move": {}}', 400, "malformed"),
            ('{"prompt": PROMPT, "move": {"verb": 7}}', 400, "malformed"),
            ('{"prompt": PROMPT, "move": {"verb": "pass", "extra": 1}}', 400, "malformed"),
            ('{"prompt": PROMPT, "move": {"verb": "x", "card": "y"}}', 400, "malformed"),
            ('{"prompt": PROMPT, "move": {"verb": "x", "target": [1]}}', 400, "malformed"),
            ('{"prompt": PROMPT, "notation": "???"}', 400, "malformed"),
            ('{"prompt": PROMPT, "notation": "a b c d"}', 400, "malformed"),
            ('{"prompt": PROMPT, "notation": "teleport"}', 422, "not-offered"),
            ('{"prompt": PROMPT, "move": {"verb": "teleport"}}', 422, "not-offered"),
            ('{"prompt": PROMPT, "move": {"verb": "pass", "card": 10}}', 422, "not-offered"),
            ('{"prompt": PROMPT, "move": {"verb": "pass", "card": -1}}', 422, "not-offered"),
            ('{"prompt": 999, "move": {"verb": "pass"}}', 409, "stale-prompt"),
        ],
    )
    def test_a_move(self, match: Match, body: str, status: int, kind: str | None) -> None:
        user, prompt = asked(match)
        before = stored(match)
        answer = api(user).post(
            url(match, "moves"),
            body.replace("PROMPT", str(prompt.id)),
            content_type="application/json",
        )
        problem = assert_problem(answer, status)
        if kind is not None:
            assert problem["type"] == f"/api/problems/{kind}/"
        if kind == "not-offered":
            assert "pass" in problem["offered"]
        if kind == "stale-prompt":
            assert problem["prompt"] == prompt.id
        assert stored(match) == before

    def test_an_answered_prompt(self, match: Match) -> None:
        user, prompt = asked(match)
        while len(prompt.options) < 2:
            play_on(match, 1)
            user, prompt = asked(match)
        first, other = ({"prompt": prompt.id, "move": move_to_json(m)} for m in prompt.options[:2])
        client = api(user)
        assert client.post(url(match, "moves"), first).json()["repeated"] is False
        again = client.post(url(match, "moves"), first)
        assert (again.status_code, again.json()["repeated"]) == (200, True)
        before = stored(match)
        problem = assert_problem(client.post(url(match, "moves"), other), 409)
        assert problem["type"] == "/api/problems/already-answered/"
        assert stored(match) == before

    def test_another_kind_of_body(self, match: Match, ann: User) -> None:
        answer = api(ann).post(url(match, "moves"), "prompt=1", content_type="text/plain")
        assert_problem(answer, 415)

    @pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
    def test_another_method(self, match: Match, ann: User, method: str) -> None:
        answer = getattr(api(ann), method)(url(match, "moves"))
        assert_problem(answer, 405)
        assert "POST" in answer["Allow"]

    @pytest.mark.parametrize(
        ("changes", "status"),
        [
            ({"game": "chess"}, 422),
            ({"game": 7}, 422),
            ({"mode": "duel"}, 422),
            ({"seats": []}, 400),
            ({"seats": [{"kind": "bot"}, {"kind": "bot"}]}, 400),
            ({"seats": [{"kind": "person"}, {"kind": "person"}]}, 400),
            ({"seats": [{"kind": "person"}]}, 422),
            ({"seats": [{"kind": "person"}, {"kind": "cat"}]}, 400),
            ({"seats": [{"kind": "person"}, {"kind": "bot", "bot": "hal"}]}, 422),
            ({"seats": [{"kind": "person"}] + [{"kind": "open"}] * 40}, 400),
            ({"seats": "two"}, 400),
            ({"options": {"guards": 17}}, 422),
            ({"options": {"guards": [1]}}, 422),
            ({"options": {"guards": {"a": 1}}}, 422),
            ({"options": {"boosters": "all"}}, 422),
            ({"options": {"boosters": [[1], {}]}}, 422),
            ({"options": {"boosters": "deck"}}, 422),
            ({"options": {"turn_limit": 10**30}}, 422),
            ({"options": {"turn_limit": True}}, 422),
            ({"options": {"colour": 1}}, 422),
            ({"options": [1]}, 400),
            ({"deck": {"main": {"no-such-card": 3}}, "options": {"boosters": "deck"}}, 422),
            ({"deck": {"main": {RED_6: 10**9}}}, 400),
            ({"deck": "all of them"}, 422),
            ({"time_control": "1s"}, 400),
            ({"client_seed": "a\u0000b"}, 400),
            ({"client_seed": "a\nb"}, 422),
            ({"client_seed": "x" * 65}, 400),
            ({"private": "perhaps"}, 400),
        ],
    )
    def test_a_new_match(self, ann: User, changes: dict[str, Any], status: int) -> None:
        assert_problem(api(ann).post("/api/matches/", NEW | changes), status)
        assert not Match.objects.exists()

    @pytest.mark.parametrize(
        ("what", "query", "status"),
        [
            ("events", "since=x", 400),
            ("events", "since=-2", 400),
            ("events", "since=99999999999999999999", 400),
            ("events", "limit=0", 400),
            ("events", "limit=501", 400),
            ("replay", "ply=-1", 400),
            ("replay", "ply=100000", 422),
            ("replay", "seat=9", 422),
            ("replay", "seat=north", 400),
        ],
    )
    def test_a_query(self, match: Match, ann: User, what: str, query: str, status: int) -> None:
        concede(slug=match.slug, user=ann)
        assert_problem(api().get(f"{url(match, what)}?{query}"), status)

    @pytest.mark.parametrize("query", ["status=lost", "page=0", "page=x", "page=99", "mine=maybe"])
    def test_a_list(self, db: None, query: str) -> None:
        answer = APIClient().get(f"/api/matches/?{query}")
        assert_problem(answer, 404 if "page" in query else 400)

    @pytest.mark.parametrize("what", ["result", "replay"])
    def test_too_early(self, match: Match, what: str) -> None:
        problem = assert_problem(api().get(url(match, what)), 409)
        assert problem["type"] == "/api/problems/not-finished/"


class TestEvents:
    def test_in_pages(self, match: Match, ann: User) -> None:
        play_on(match, 12)
        client = api(ann)
        since, seen = -1, []
        while True:
            page = client.get(f"{url(match, 'events')}?since={since}&limit=5").json()
            seen += [group["ply"] for group in page["events"]]
            if not page["more"]:
                break
            since = seen[-1]
        assert seen == list(range(13))
        assert page["ply"] == 12

    def test_nothing_new(self, match: Match) -> None:
        play_on(match, 4)
        page = api().get(f"{url(match, 'events')}?since=4").json()
        assert page == {"ply": 4, "more": False, "events": []}

    def test_they_tell_in_words(self, match: Match, ann: User) -> None:
        start = api(ann).get(url(match, "events")).json()["events"][0]
        assert start["ply"] == 0
        assert any("begins" in line for line in start["lines"])


class TestReplay:
    def test_every_moment_from_every_seat(self, finished: Match) -> None:
        client = api()
        for seat in ("", "&seat=0", "&seat=1"):
            for ply in (0, 1, finished.ply // 2, finished.ply):
                body = client.get(f"{url(finished, 'replay')}?ply={ply}{seat}").json()
                assert (body["ply"], body["plies"]) == (ply, finished.ply)
        assert body["view"]["outcome"] == finished.outcome
        assert body["view"] == engine.load(finished).view(1)

    def test_no_seed_before_the_end(self, match: Match, ann: User) -> None:
        proof = api(ann).get(url(match, "fairness")).json()
        hidden = ("server_seed", "match_seed", "moves", "decks")
        assert [proof[name] for name in hidden] == [None] * 4
        assert proof["commitment"] == match.commitment


@pytest.mark.django_db
def test_unknown_fields_are_refused_by_name(match: Match, ann: User) -> None:
    refused = api(ann).post(f"/api/matches/{match.slug}/cancel/", {"say": "decline"}, format="json")
    assert refused.status_code == 422 and "say" in str(refused.json())
    nested = {"game": GAME, "mode": "match", "seats": [{"kind": "person", "sort": "x"}]}
    assert "sort" in str(api(ann).post("/api/matches/", nested, format="json").json())
    assert api(ann).patch("/api/me/", {"colour": "red"}, format="json").status_code == 422
    match.refresh_from_db()
    assert match.status == Status.RUNNING
