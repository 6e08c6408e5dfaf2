"""The tables of all modes in a browser, in the middle of things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from matches import engine
from matches.models import Match, Status
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.moves import Move, Prompt
from tests.browser.player import STILL, Enough, Open, chance_of, look_at, person, play_until
from tests.browser.player import running as running_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo Longname")


def table_of(mode: str, seats: int) -> Match:
    people = [person(name) for name in PEOPLE[:seats]]
    return create_match(
        host=people[0],
        setup=MatchSetup(game="kaolan", mode=mode, seats=[SeatPlan(user=user) for user in people]),
    )


def greedily(match: Match, table: Any, prompt: Prompt) -> Move:
    """The greedy bot's answer; but whoever may pledge does."""
    pledging = [move for move in prompt.options if move.verb == "pledge"]
    return pledging[0] if pledging else chance_of(match, table, prompt, "greedy")


def running(mode: str, seats: int, enough: Enough) -> Match:
    return running_match(lambda: table_of(mode, seats), enough, greedily)


def asks_ann(table: Any, *verbs: str) -> bool:
    prompt = table.prompts.get(0)
    return prompt is not None and set(verbs) <= {move.verb for move in prompt.options}


def held(table: Any) -> int:
    boards = [spot for player in table.view(0)["players"] for spot in player["board"]]
    return sum(len(spot.get("powers", ())) for spot in boards)


# -- a challenge ----------------------------------------------------------------------------------


def test_a_challenge_shows_its_chances_before_it_is_sent(sit: Open) -> None:
    match = running("match", 2, lambda table: asks_ann(table, "challenge"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    (odds,) = [row for row in engine.load(match).view(0)["odds"] if row["attacker"] == 0]
    ann.page.locator(".opponent[data-seat='1'] [data-aim]").click()
    odds_shown = ann.page.locator(".ask-odds dd")
    expect(odds_shown).to_have_count(4)
    expect(odds_shown.first).to_have_text(f"{round(odds['qualify'] * 100)}%")
    before = match.ply
    ann.page.get_by_role("button", name="Challenge Bob").click()
    ann.page.wait_for_function(STILL)
    match.refresh_from_db()
    assert match.moves.get(ply=before + 1).notation == "challenge"
    ann.page.locator(".lamp-yes, .lamp-no").first.wait_for(state="attached")


# -- looking at everything ------------------------------------------------------------------------


def eight(table: Any) -> bool:
    return held(table) >= 12 and asks_ann(table, "challenge")


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
def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str, what: str) -> None:
    match = MAKE[what]()
    look_at(sit, axe_source, {what: match.get_absolute_url()})


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["tournament", "power", "single"])
def test_the_end_of_each_mode(sit: Open, axe_source: str, mode: str) -> None:
    match = table_of(mode, 1 if mode == "single" else 2)
    play_until(match, lambda table: False, greedily, plies=4000)
    assert match.status == Status.FINISHED
    replay = reverse("matches:replay", args=(match.slug,))
    pages = {
        "over": match.get_absolute_url(),
        "result": reverse("matches:result", args=(match.slug,)),
        "replay": f"{replay}?ply={match.ply * 2 // 3}&seat=1",
        "new": reverse("matches:new") + f"?game=kaolan&mode={mode}",
    }
    look_at(sit, axe_source, {f"{mode}-{name}": path for name, path in pages.items()})
