"""Live updates: who may listen, what is heard, what is made up for, and how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import AsyncClient

from accounts.models import User
from accounts.services.tokens import issue_token
from core import redis_client
from core.bell import ring_page
from core.scopes import Scope
from matches import engine
from matches.live import bell, watching
from matches.live import streams as live
from matches.models import Match, SeatKind
from matches.queries.access import access_match
from matches.services import talk as talking
from matches.services.offers import store_words
from matches.services.play import play_move
from matches.services.setup import SeatPlan, join_match
from tests.games.examples import OTHER_GAME
from tests.matches.conftest import MakeMatch, api, asked, play_on
from tests.support.services import Services
from tests.support.tokens import token_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]

PATIENCE = 10


@pytest.fixture(autouse=True)
def _needs_redis(services: Services) -> None:
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")


@pytest.fixture(autouse=True)
def _counted_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watchers are counted when a test says so, however slow the machine is."""
    monkeypatch.setattr(watching, "INTERVAL", 3600.0)


class Stream:
    """What a browser's EventSource makes of a stream."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self.chunks = chunks

    async def next(self, *, watchers: bool = False) -> dict[str, Any]:
        """The next event; heartbeats and the like are passed over.

        So are the numbers of watchers, unless those are wanted, and nothing else.
        """
        while True:
            chunk = await asyncio.wait_for(anext(self.chunks), PATIENCE)
            lines = [line.partition(": ") for line in chunk.decode().splitlines()]
            event: dict[str, Any] = {name: value for name, _, value in lines if name}
            if "data" in event and watchers == (event.get("event") == "watchers"):
                return event | {"data": json.loads(event["data"])}

    async def silent(self, seconds: float) -> bool:
        """True if no event comes for a while; ends the stream."""
        try:
            await asyncio.wait_for(self.next(), seconds)
        except TimeoutError:
            return True
        return False

    async def ended(self) -> bool:
        async def rest() -> None:
            async for _ in self.chunks:
                pass

        await asyncio.wait_for(rest(), PATIENCE)
        return True


async def connect(
    path: str, user: User | None = None, client: AsyncClient | None = None, **headers: str
) -> Stream:
    client = client or AsyncClient()
    if user is not None:
        await client.aforce_login(user)
    answer = await client.get(path, headers={"Accept-Encoding": "gzip"} | headers)
    assert answer.status_code == 200, answer.content
    assert not answer.has_header("Content-Encoding"), "a compressor would keep the news back"
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-cache"
    return Stream(aiter(answer.streaming_content))


def address(match: Match) -> str:
    return f"/events/matches/{match.slug}/"


def run(story: Callable[[], Awaitable[None]]) -> None:
    """A loop of its own for each test, as each server process has; its streams end with it."""

    async def with_an_end() -> None:
        try:
            await story()
        finally:
            live.hub().close()

    asyncio.run(with_an_end())


one_ply = sync_to_async(lambda match: play_on(match, 1))


def test_it_says_where_the_match_is_and_whenever_it_moves(match: Match, stranger: User) -> None:
    play_on(match, 2)

    async def story() -> None:
        for user in (None, stranger):
            stream = await connect(address(match), user)
            first = await stream.next()
            assert first["event"] == "ply"
            assert first["data"] == {"match": match.slug, "ply": int(first["id"])}
            await one_ply(match)
            second = await stream.next()
            assert int(second["id"]) == int(first["id"]) + 1

    run(story)


def test_who_was_away_hears_at_once_that_something_happened(match: Match) -> None:
    play_on(match, 5)

    async def story() -> None:
        behind = await connect(address(match), **{"Last-Event-ID": "3"})
        assert (await behind.next())["id"] == "5"
        level = await connect(address(match), **{"Last-Event-ID": "5"})
        await one_ply(match)
        assert (await level.next())["id"] == "6"
        odd = await connect(address(match), **{"Last-Event-ID": "none of yours"})
        assert (await odd.next())["id"] == "6"

    run(story)


def test_who_is_told_nothing_hears_nothing(make_match: MakeMatch, ann: User, bob: User) -> None:
    """Bob picks his first hand unseen: his own stream runs on, the others rest till he is ready.

    Not even their heartbeats shift.
    """
    match = make_match(game=OTHER_GAME, mode="battle", options={"target": 5})

    @sync_to_async
    def pick(times: int = 1) -> None:
        for _ in range(times):
            prompt = engine.load(Match.objects.get(pk=match.pk)).prompts[1]
            play_move(slug=match.slug, user=bob, prompt_id=prompt.id, move=prompt.options[0])

    async def story() -> None:
        others = [await connect(address(match), user) for user in (ann, None)]
        own = await connect(address(match), bob)
        for stream in (*others, own):
            assert (await stream.next())["id"] == "0"
        subscribers = live.hub()._subscribers[bell.match_channel(match.slug)]
        assert len(subscribers) == 3
        for subscriber in subscribers:  # what was rung before the streams began to listen
            subscriber.take()
            subscriber.woken.clear()
        for number in range(1, 7):
            await pick()
            assert (await own.next())["data"] == {"match": match.slug, "ply": number}
        await live.hub()._notify_from_database()
        assert not any(subscriber.woken.is_set() for subscriber in subscribers)
        await pick()
        assert (await own.next())["id"] == "7"
        for stream in others:
            assert (await stream.next())["data"] == {"match": match.slug, "ply": 1}
        late = await connect(address(match), ann, **{"Last-Event-ID": "1"})
        assert await late.silent(0.3)

    run(story)


@pytest.mark.parametrize("offer", ["cancel", "takeback", "draw"])
def test_who_looks_on_hears_no_offer(match: Match, bob: User, stranger: User, offer: str) -> None:
    """Those at the table hear of it at once; a lost bell tells others nothing later, either."""
    play_on(match, 2)

    @sync_to_async
    def offers() -> None:
        read = Match.objects.get(pk=match.pk)
        seats = list(read.seats.order_by("number"))
        word = read.ply if offer == "takeback" else True
        store_words(read, seats, {seats[0]: word}, seats[1:], by=seats[0], offer=offer)

    async def story() -> None:
        beside = [await connect(address(match), user) for user in (stranger, None)]
        at_the_table = await connect(address(match), bob)
        for stream in (*beside, at_the_table):
            assert (await stream.next())["id"] == "2"
        listening = live.hub()._subscribers[bell.match_channel(match.slug)]
        others = [item for item in listening if item.user_id != bob.pk]
        assert len(others) == len(beside)
        for subscriber in others:  # what was rung before the streams began to listen
            subscriber._update = None
        await offers()
        assert (await at_the_table.next())["data"]["ply"] == 2
        await live.hub()._notify_from_database()
        assert all(subscriber._update is None for subscriber in others)
        await one_ply(match)
        for stream in (*beside, at_the_table):
            assert (await stream.next())["data"]["ply"] == 3, "a move is heard as always"

    run(story)


def test_somebody_sits_down(make_match: MakeMatch, bob: User) -> None:
    """The ply stays 0, but there is something to fetch."""
    match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])

    async def story() -> None:
        stream = await connect(address(match))
        assert (await stream.next())["id"] == "0"
        await sync_to_async(join_match)(match=match, user=bob)
        assert (await stream.next())["data"]["ply"] == 0

    run(story)


def test_the_lobby(make_match: MakeMatch, bob: User, stranger: User) -> None:
    """Whoever looks hears that something is new there, and nothing else; guests too."""

    async def rings(stream: Any, do: Any) -> None:
        await sync_to_async(do)()
        assert await stream.next() == {"event": "lobby", "data": {}}

    async def story() -> None:
        lobby, mine = await connect("/events/lobby/"), await connect("/events/me/", bob)
        assert await lobby.next() == {"event": "lobby", "data": {}}
        assert (await mine.next())["event"] == "counts"
        plans = [SeatPlan(), SeatPlan(SeatKind.OPEN)]
        await rings(lobby, lambda: make_match(seats=plans, listed=True))
        match = await sync_to_async(Match.objects.get)()
        await rings(lobby, lambda: join_match(match=match, user=stranger))
        kept = [SeatPlan(), SeatPlan(SeatKind.OPEN, bob)]
        await sync_to_async(make_match)(seats=kept)
        assert (await mine.next())["event"] == "counts"
        assert await lobby.silent(0.3)

    run(story)


def test_a_page_rings_for_anyone_who_knows_its_name(bob: User) -> None:
    """Such a bell says that something changed; the page itself is fetched the ordinary way."""

    async def story() -> None:
        address = "/events/me/?page=tournament/abc123"
        for stream in (await connect(address), await connect("/events/me/?lobby=1")):
            first = await stream.next()
            await sync_to_async(ring_page)("tournament/abc123")
            await sync_to_async(ring_page)("tournament/another")
            if first["event"] == "page":
                assert first == await stream.next() == {
                    "event": "page", "data": {"page": "tournament/abc123"}
                }  # fmt: skip
            assert await stream.silent(0.3)
        many = "&page=".join(f"tournament/t{number}" for number in range(live.MAX_PAGES + 1))
        for wrong in ("no page", "tournament/", "a:b", many):
            answer = await AsyncClient().get(f"/events/me/?page={wrong}")
            assert answer.status_code == 400

    run(story)


def test_a_lost_bell_is_made_up_for(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bell, "ring", lambda *args: False)
    monkeypatch.setattr(live, "HEARTBEAT", 0.2)

    async def story() -> None:
        stream = await connect(address(match))
        await stream.next()
        await one_ply(match)
        assert (await stream.next())["id"] == "1"

    run(story)


def test_it_does_without_redis(
    match: Match, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Streams are slower then, and moves are stored all the same."""
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    monkeypatch.setattr(live, "RECONNECT", 0.2)
    monkeypatch.setattr(live, "SUBSCRIBE_TIMEOUT", 0.1)

    async def story() -> None:
        stream = await connect(address(match))
        assert (await stream.next())["id"] == "0"
        assert (await stream.next())["event"] == "paused"
        await one_ply(match)
        assert (await stream.next())["id"] == "1"

    run(story)


def test_heartbeats_keep_the_line_open(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.05)

    async def story() -> None:
        stream = await connect(address(match))
        chunks = [await asyncio.wait_for(anext(stream.chunks), PATIENCE) for _ in range(5)]
        assert chunks[0] == b"retry: 1000\n\n"
        assert b": still here\n\n" in chunks

    run(story)


def test_my_own_counts(match: Match, ann: User, bob: User, stranger: User) -> None:
    async def story() -> None:
        streams = [await connect("/events/me/", user) for user in (ann, bob, stranger)]
        for stream in streams:
            assert (await stream.next())["event"] == "counts"
        user, _ = await sync_to_async(asked)(match)
        while (await sync_to_async(asked)(match))[0] == user:
            await one_ply(match)
        for stream in streams[:2]:
            assert await stream.next() == {"event": "counts", "data": {}}
        assert await streams[2].silent(0.3)

    run(story)


def test_who_may_listen(make_match: MakeMatch, ann: User, stranger: User, staff: User) -> None:
    private = make_match(private=True)
    kinds = set()

    async def status(path: str, user: User | None = None, **headers: str) -> int:
        client = AsyncClient()
        if user is not None:
            await client.aforce_login(user)
        answer = await client.get(path, headers=headers)
        if answer.status_code != 200:
            assert answer["Content-Type"] == "application/problem+json"
            body = answer.json()
            assert body["status"] == answer.status_code
            kinds.add(body["type"])
        else:
            await answer.streaming_content.aclose()
        return int(answer.status_code)

    token = token_of(ann)
    playing = issue_token(user=ann, name="Plays blindly", scopes=[Scope.PLAY])
    ann.access_tokens.filter(name="Plays blindly").update(scopes=[Scope.PLAY])

    async def story() -> None:
        path = address(private)
        assert await status(path) == 403
        assert await status(path, stranger) == 403
        assert await status(path, ann) == 200
        assert await status(path, staff) == 200
        assert await status(path, Authorization=f"Token {token}") == 200
        assert await status(path, Authorization="Token wrong") == 401
        assert await status("/events/me/", Authorization=f"Token {token}") == 200
        assert await status("/events/me/") == 401
        for stream in ("/events/me/", path):
            assert await status(stream, Authorization=f"Token {playing}") == 403
        assert await status("/events/matches/nosuchmatch1/") == 404

    run(story)
    names = ("not-allowed", "not-logged-in", "scope-missing", "unknown-match")
    assert kinds == {f"/api/problems/{name}/" for name in names}, "the same names as in the API"


def test_one_connection_to_redis_for_all_streams(match: Match) -> None:
    server = redis.Redis.from_url(settings.REDIS_URL)

    def listeners() -> int:
        return sum(int(client["psub"]) for client in server.client_list())

    async def story() -> None:
        before = listeners()
        streams = [await connect(address(match)) for _ in range(150)]
        for stream in streams:
            await stream.next()
        assert listeners() == before + 1
        await one_ply(match)
        assert {(await stream.next())["id"] for stream in streams} == {"1"}
        # The server cancels the request of a browser that goes away.
        requests = [asyncio.create_task(stream.next()) for stream in streams]
        await asyncio.sleep(0)
        for request in requests:
            request.cancel()
        async with asyncio.timeout(PATIENCE):
            while live.hub()._subscribers or listeners() > before:
                await asyncio.sleep(0.01)

    run(story)
    server.close()


def test_updates_survive_the_way_through_redis() -> None:
    update = bell.MatchUpdate(9, 12, 4, {7: 2, 31: 5})
    assert bell.MatchUpdate.load(update.dump().encode()) == update
    assert [update.visible_to(user) for user in (7, 31, 8, None)] == [
        (7, 10),
        (4, 7),
        (5, 8),
        (5, 8),
    ]


def test_a_slow_listener_costs_nothing_and_gets_the_newest() -> None:
    subscriber = live.Subscriber()
    for number in range(10_000):
        subscriber.put(bell.VisibleProgress(number, number))
    assert subscriber.woken.is_set()
    assert subscriber.take() == (9_999, 9_999)
    assert subscriber.take() is None


# -- one stream for all tabs of a browser ---------------------------------------------------------


def all_in_one(*matches: str, lobby: bool = False) -> str:
    """The address of a stream that carries matches (``<slug>`` or ``<slug>:<ply>``)."""
    query = [("match", match) for match in matches] + [("lobby", "1")] * lobby
    return f"/events/me/?{urlencode(query)}"


def test_one_stream_carries_tables_lobby_and_counts(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    first, second = make_match(), make_match()
    play_on(second, 3)

    @sync_to_async
    def say() -> None:
        talking.say(match=access_match(bob, first.slug), user=bob, text="Hello.")

    async def story() -> None:
        path = all_in_one(first.slug, f"{second.slug}:2", lobby=True)
        stream = await connect(path, ann)
        began = [await stream.next() for _ in range(4)]
        assert [event["event"] for event in began] == ["ply", "ply", "counts", "lobby"]
        assert [event["data"] for event in began[:2]] == [
            {"match": first.slug, "ply": 0},
            {"match": second.slug, "ply": 3},
        ]
        heard = [(await stream.next(watchers=True))["data"] for _ in range(2)]
        assert heard == [{"match": match.slug, "watchers": 0} for match in (first, second)]
        await say()
        assert await stream.next() == {"event": "talk", "data": {"match": first.slug}}
        await one_ply(second)
        assert (await stream.next())["data"] == {"match": second.slug, "ply": 4}
        plans = [SeatPlan(), SeatPlan(SeatKind.OPEN)]
        await sync_to_async(make_match)(seats=plans, listed=True)
        while (event := await stream.next())["event"] == "counts":
            pass
        assert event == {"event": "lobby", "data": {}}
        level = await connect(all_in_one(f"{second.slug}:4"))
        assert await level.silent(0.3), "who has the ply is not told of it"

    run(story)


def test_a_stream_of_several_tables_admits_to_each(
    make_match: MakeMatch, match: Match, ann: User, stranger: User
) -> None:
    private = make_match(private=True)

    async def begins(user: User | None) -> list[tuple[str, str | None]]:
        stream = await connect(all_in_one(private.slug, match.slug, "nosuchmatch1"), user)
        events = []
        while not events or events[-1][0] not in ("ply", "counts"):
            event = await stream.next()
            events.append((event["event"], event["data"].get("match")))
        return events

    async def story() -> None:
        unknown = ("refused", "nosuchmatch1")
        for user in (None, stranger):
            assert await begins(user) == [("refused", private.slug), unknown, ("ply", match.slug)]
        assert await begins(ann) == [unknown, ("ply", private.slug)]
        for path, status in (
            ("/events/me/", 401),
            (all_in_one(private.slug), 403),
            (all_in_one("nosuchmatch1"), 404),
            (all_in_one(f"{match.slug}:x"), 400),
            (all_in_one("no slug"), 400),
            (all_in_one(*(f"match{number}" for number in range(live.MAX_TABLES + 1))), 400),
        ):
            answer = await AsyncClient().get(path)
            assert (answer.status_code, answer["Content-Type"]) == (
                status,
                "application/problem+json",
            ), path

    run(story)


def test_a_stream_of_several_tables_is_as_silent_as_one_of_each(
    make_match: MakeMatch, match: Match, ann: User, bob: User
) -> None:
    """What is hidden at one table does not show between the news of another."""
    hidden = make_match(game=OTHER_GAME, mode="battle", options={"target": 5})

    @sync_to_async
    def pick() -> None:
        prompt = engine.load(Match.objects.get(pk=hidden.pk)).prompts[1]
        play_move(slug=hidden.slug, user=bob, prompt_id=prompt.id, move=prompt.options[0])

    async def story() -> None:
        path = all_in_one(hidden.slug, match.slug)
        own, other = await connect(path, bob), await connect(path, ann)
        for stream in (own, other):
            assert [(await stream.next())["event"] for _ in range(3)] == ["ply", "ply", "counts"]
        await pick()
        assert (await own.next())["data"] == {"match": hidden.slug, "ply": 1}
        await one_ply(match)
        while (event := await other.next())["event"] == "counts":
            pass
        assert event["data"] == {"match": match.slug, "ply": 1}

    run(story)


def test_closing_ends_all_streams(match: Match, ann: User) -> None:
    async def story() -> None:
        streams = [await connect(address(match)), await connect("/events/me/", ann)]
        for stream in streams:
            await stream.next()
        live.hub().close()
        for stream in streams:
            assert await stream.ended()
        late = await connect(address(match))
        assert await late.ended()

    run(story)


def test_polling_does_as_well(match: Match) -> None:
    """For whoever cannot hold a stream: the same news, by asking."""
    play_on(match, 3)
    page = api().get(f"/api/matches/{match.slug}/events/?since=1").json()
    assert [group["ply"] for group in page["events"]] == [2, 3]


def test_it_says_that_updates_are_paused_and_when_they_go_on(
    match: Match, ann: User, monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    """A frozen Redis takes connections and says nothing; moves are told all the same."""
    monkeypatch.setattr(live, "SILENCE", 0.2)
    monkeypatch.setattr(live, "RECONNECT", 0.1)
    monkeypatch.setattr(redis_client, "TIMEOUT", 0.2)
    monkeypatch.setattr(redis_client, "_links", {})
    server = services.running[0]

    async def story() -> None:
        table, mine = await connect(address(match)), await connect("/events/me/", ann)
        assert (await table.next())["event"] == "ply"
        assert (await mine.next())["event"] == "counts"
        server.send_signal(signal.SIGSTOP)
        try:
            for stream in (table, mine):
                assert (await stream.next()) == {"event": "paused", "data": {}}
            await one_ply(match)
            assert (await table.next())["id"] == "1"
            late = await connect(address(match))
            assert (await late.next())["event"] == "ply"
            assert (await late.next())["event"] == "paused"
        finally:
            server.send_signal(signal.SIGCONT)
        assert (await table.next())["event"] == "resumed"
        assert (await mine.next())["event"] == "resumed"
        assert (await mine.next())["event"] == "counts"

    run(story)


def test_talk_is_heard_by_whoever_may_read_it(match: Match, ann: User, stranger: User) -> None:
    """A player's stream is silent when spectators talk, and no move is lost behind a line."""

    @sync_to_async
    def say(user: User, text: str) -> None:
        talking.say(match=access_match(user, match.slug), user=user, text=text)

    async def story() -> None:
        player, spectator = await connect(address(match), ann), await connect(address(match))
        for stream in (player, spectator):
            assert (await stream.next())["event"] == "ply"
        await say(stranger, "Look left.")
        assert await spectator.next() == {"event": "talk", "data": {}}
        await say(ann, "Hello.")
        await one_ply(match)
        for stream in (player, spectator):
            heard = [(await stream.next())["event"] for _ in range(2)]
            assert heard == ["talk", "ply"]
        assert await player.silent(0.3)

    run(story)


def test_a_line_that_no_bell_told_of_is_found(
    match: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.2)
    monkeypatch.setattr(bell, "ring_talk", lambda *_: False)

    @sync_to_async
    def say() -> None:
        talking.say(match=access_match(ann, match.slug), user=ann, text="Hello.")

    async def story() -> None:
        stream = await connect(address(match), ann)
        await stream.next()
        await say()
        assert (await stream.next())["event"] == "talk"
        assert await stream.silent(0.7), "it is told once"

    run(story)


def test_watchers_are_counted(
    match: Match, ann: User, stranger: User, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tabs are one person, players are none, and who has left is gone after a while."""
    private = make_match(private=True)
    now = 1000.0
    monkeypatch.setattr(watching.time, "time", lambda: now)

    async def heard(stream: Stream) -> int | None:
        event = await stream.next(watchers=True)
        assert set(event["data"]) == {"watchers"}
        count: int | None = event["data"]["watchers"]
        return count

    async def story() -> None:
        nonlocal now
        player = await connect(address(match), ann)
        assert await heard(player) == 0
        tabs = [await connect(address(match), stranger) for _ in range(2)]
        assert [await heard(tab) for tab in tabs] == [0, 0], "beside oneself"
        visitor = await connect(address(match))
        assert await heard(visitor) == 1
        await live.hub().count_all()
        assert await heard(player) == 2
        assert [await heard(tab) for tab in tabs] == [1, 1]
        assert watching.counts([match.slug, private.slug]) == {match.slug: 2, private.slug: 0}
        assert await visitor.silent(0.3)
        now += watching.EXPIRY
        await live.hub().count_all()
        assert watching.counts([match.slug]) == {match.slug: 2}, "a page loaded anew is not away"
        now += 0.1
        await live.hub().count_all()
        assert await heard(player) == 1
        assert [await heard(tab) for tab in tabs] == [0, 0]
        monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
        await live.hub().count_all()
        assert await heard(player) is None
        assert watching.counts([match.slug]) == {}
        assert watching.others(match.slug, "") is None

    run(story)


def test_nobody_is_counted_at_a_private_table(
    make_match: MakeMatch, staff: User, ann: User
) -> None:
    match = make_match(private=True)

    async def story() -> None:
        for user in (ann, staff):
            stream = await connect(address(match), user)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(stream.next(watchers=True), 0.3)
        await live.hub().count_all()
        assert await sync_to_async(watching.counts)([match.slug]) == {match.slug: 0}

    run(story)
