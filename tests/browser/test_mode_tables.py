"""The tables of Tournament, Power and Single Play in a browser, at rest and in the middle of things.

With RIFFLE_SCREENSHOTS=<folder> every page that is looked at is also saved as a picture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from matches import engine, services
from matches.models import Match, SeatKind, Status
from matches.services import SeatPlan
from tests.browser.player import DESKTOP, PHONE, Player

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = {"phone": PHONE, "desktop": DESKTOP, "sideways": {"width": 844, "height": 390}}
PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo Longname")

Open = Callable[..., Player]


def person(name: str) -> User:
    user, _ = User.objects.get_or_create(username=name.lower(), defaults={"display_name": name})
    return user


def table_of(mode: str, seats: int, **options: Any) -> Match:
    people = [person(name) for name in PEOPLE[:seats]]
    return services.create_match(
        host=people[0],
        game="kaolan",
        mode=mode,
        seats=[SeatPlan(user=user) for user in people],
        options=options,
    )


def play_until(match: Match, enough: Callable[[Any], bool], plies: int = 1500) -> bool:
    """Let the greedy bot answer for everybody until ``enough``; False if the match ends before."""
    seats = list(match.seats.select_related("user"))
    bots = engine.game_of(match).bots
    for _ in range(plies):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            return False
        table = engine.load(match)
        if enough(table):
            return True
        seat, prompt = next(iter(table.prompts.items()))
        chance = engine.bot_chance(match, seat, prompt.id)
        pledging = [move for move in prompt.options if move.verb == "pledge"]
        move = pledging[0] if pledging else bots["greedy"].choose(table.view(seat), prompt, chance)
        user = seats[seat].user
        assert user
        services.play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    return False


def running(mode: str, seats: int, enough: Callable[[Any], bool], **options: Any) -> Match:
    for _ in range(20):
        match = table_of(mode, seats, **options)
        if play_until(match, enough):
            return match
    pytest.fail("No match ever came to this.")


def asks_ann(table: Any, *verbs: str) -> bool:
    prompt = table.prompts.get(0)
    return prompt is not None and set(verbs) <= {move.verb for move in prompt.options}


def held(table: Any) -> int:
    boards = [spot for player in table.view(0)["players"] for spot in player["board"]]
    return sum(len(spot.get("powers", ())) for spot in boards)


@pytest.fixture
def sit(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Opens a page as a person; at the end no page may have complained."""
    players: list[Player] = []

    def make(user: User | None, path: str, size: str = "desktop", **options: Any) -> Player:
        player = Player(browser, SIZES[size], **options)
        players.append(player)
        # The test server has no live stream.
        player.context.route("**/events/**", lambda route: route.abort())
        if user is not None:
            client = Client()
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            name = settings.SESSION_COOKIE_NAME
            cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
            player.context.add_cookies([cookie])  # type: ignore[list-item]
        player.page.goto(f"{live_server.url}{path}")
        return player

    yield make
    for player in players:
        player.close()


# -- looking at everything ------------------------------------------------------------------------


def eight(table: Any) -> bool:
    return table.state.turns > 90 and asks_ann(table, "challenge") and held(table) > 24


def two_with_a_free_place(table: Any) -> bool:
    board = table.view(0)["players"][0]["board"]
    return held(table) > 3 and asks_ann(table, "place") and any(not s["card"] for s in board)


def chains(table: Any) -> bool:
    players = table.view(0)["players"]
    return asks_ann(table, "challenge") and min(p["chain"]["count"] for p in players) >= 3


def solo_attack(table: Any) -> bool:
    return asks_ann(table, "attack") and table.view(0)["score"] > 4


def solo_match(table: Any) -> bool:
    view = table.view(0)
    return asks_ann(table, "match") and view["own"] is not None and view["passes"] > 0


def last_card(table: Any) -> bool:
    return bool(table.view(0)["last_card"]) and asks_ann(table)


MAKE: dict[str, Callable[[], Match]] = {
    "eight": lambda: running("tournament", 8, eight),
    "four": lambda: running("tournament", 4, lambda t: held(t) > 8 and asks_ann(t, "pass")),
    "two": lambda: running("tournament", 2, lambda t: held(t) > 3 and asks_ann(t, "challenge")),
    "battle": lambda: running("tournament", 8, lambda t: "volley_target" in _kinds(t)),
    "power": lambda: running("power", 2, chains),
    "single": lambda: running("single", 1, solo_attack),
    "matching": lambda: running("single", 1, solo_match),
}


def _kinds(table: Any) -> set[str]:
    return {prompt.kind for prompt in table.prompts.values()}


@pytest.mark.parametrize("what", MAKE)
def test_axe_finds_nothing_and_nothing_overflows(
    sit: Open, axe_source: str, what: str
) -> None:
    match = MAKE[what]()
    look_at(sit, axe_source, {what: match.get_absolute_url()})


@pytest.mark.parametrize("mode", ["tournament", "power", "single"])
def test_the_end_of_each_mode(sit: Open, axe_source: str, mode: str) -> None:
    match = table_of(mode, 1 if mode == "single" else 2)
    play_until(match, lambda table: False, plies=4000)
    assert match.status == Status.FINISHED
    replay = reverse("matches:replay", args=(match.slug,))
    pages = {
        "over": match.get_absolute_url(),
        "result": reverse("matches:result", args=(match.slug,)),
        "replay": f"{replay}?ply={match.ply * 2 // 3}&seat=1",
        "new": reverse("matches:new") + f"?game=kaolan&mode={mode}",
    }
    look_at(sit, axe_source, {f"{mode}-{name}": path for name, path in pages.items()})


def look_at(sit: Open, axe_source: str, pages: dict[str, str]) -> None:
    folder = os.environ.get("RIFFLE_SCREENSHOTS")
    for name, path in pages.items():
        for size in SIZES:
            for theme in ("light", "dark"):
                ann = sit(person("Ann"), path, size, color_scheme=theme)
                page = ann.page
                page.wait_for_load_state("networkidle")
                if folder:
                    place = Path(folder)
                    place.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=str(place / f"{name}-{size}-{theme}.png"))
                where = f"{name}, {size}, {theme}"
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= SIZES[size]["width"], where
                page.evaluate(axe_source)
                found = page.evaluate("axe.run()")["violations"]
                told = [(v["id"], [n["html"][:200] for n in v["nodes"]][:3]) for v in found]
                assert not told, (where, told)
                ann.close()
