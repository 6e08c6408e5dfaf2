"""The tables of Battle Krabz in a browser: every question looked at, matches played by clicks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from matches import engine, services
from matches.brought import Brought, dealt_out
from matches.models import Match, Status
from matches.services import SeatPlan
from tests.browser.player import SIZES, Enough, Open, Player, answer, look_at, person, play_until
from tests.browser.player import running as running_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz Longname")


def starter(mode: str, seat: int) -> Brought | None:
    """The ready-made deck of a side: two of the same side may not meet."""
    game, found = engine.find_mode("battle-krabz", mode)
    return dealt_out(game, found, seat) if found.own_decks else None


def table_of(mode: str, seats: int, **options: Any) -> Match:
    people = [person(name) for name in PEOPLE[:seats]]
    if mode == "battle":
        options = {"cut_short": "off"} | options
    return services.create_match(
        host=people[0],
        game="battle-krabz",
        mode=mode,
        seats=[SeatPlan(user=user, deck=starter(mode, n)) for n, user in enumerate(people)],
        options=options,
    )


def running(mode: str, seats: int, enough: Enough, **options: Any) -> Match:
    return running_match(lambda: table_of(mode, seats, **options), enough)


def asks_ann(kind: str, more: Callable[[Any], bool] = lambda view: True) -> Callable[[Any], bool]:
    def enough(table: Any) -> bool:
        prompt = table.prompts.get(0)
        return prompt is not None and prompt.kind == kind and more(table.view(0))

    return enough


# -- looking at everything ------------------------------------------------------------------------


def late(view: dict[str, Any]) -> bool:
    return view["battle"] > 2 and all(player["elimination"]["count"] for player in view["players"])


MAKE: dict[str, Callable[[], Match]] = {
    "first-hand": lambda: running(
        "battle", 2, asks_ann("choose-hand", lambda view: view["players"][0]["hand"]["count"] > 2)
    ),
    "deploy": lambda: running("battle", 2, asks_ann("deploy", late)),
    "boost": lambda: running("battle", 2, asks_ann("boost", late)),
    "power": lambda: running("battle", 2, asks_ann("power", late)),
    "sort": lambda: running("battle", 2, asks_ann("sort", late)),
    "replenish": lambda: running("battle", 2, asks_ann("replenish", late)),
    "call-two": lambda: running("multi", 2, asks_ann("call", lambda view: view["round"] > 3)),
    "call-six": lambda: running("multi", 6, asks_ann("call", lambda view: view["round"] > 4)),
    "pot": lambda: running("multi", 4, lambda table: table.view(0)["pot"]["count"] > 0),
}


@pytest.mark.parametrize("what", MAKE)
def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str, what: str) -> None:
    match = MAKE[what]()
    look_at(sit, axe_source, {what: match.get_absolute_url()})


@pytest.mark.parametrize(("mode", "options"), [("battle", {"target": 5}), ("multi", {})])
def test_the_end_of_each_mode(
    sit: Open, axe_source: str, mode: str, options: dict[str, Any]
) -> None:
    match = table_of(mode, 2, **options)
    play_until(match, lambda table: False, plies=2000)
    assert match.status == Status.FINISHED
    replay = reverse("matches:replay", args=(match.slug,))
    pages = {
        "over": match.get_absolute_url(),
        "result": reverse("matches:result", args=(match.slug,)),
        "replay": f"{replay}?ply={match.ply * 2 // 3}&seat=1",
        "watched": f"{replay}?ply={match.ply // 2}&seat=0",
        "new": reverse("matches:new") + f"?game=battle-krabz&mode={mode}",
    }
    look_at(sit, axe_source, {f"{mode}-{name}": path for name, path in pages.items()})


# -- playing --------------------------------------------------------------------------------------


def choose(ann: Player) -> None:
    """Click the first thing on the table that answers the question, else the first button."""
    felt = ann.page.locator(".table-felt .piece[data-option]:visible")
    (felt if felt.count() else ann.page.locator("[data-options] .may")).first.click()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize(
    ("mode", "options"), [("battle", {"target": 8}), ("multi", {"round_limit": 20})]
)
def test_a_whole_match_by_clicking(
    sit: Open, size: str, mode: str, options: dict[str, Any]
) -> None:
    """Ann clicks what is lit up, Bob answers by chance, until there is a result."""
    match = table_of(mode, 2, **options)
    ann = sit(person("Ann"), match.get_absolute_url(), size)
    page = ann.page
    kinds = set()
    for _ in range(300):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        prompts = engine.load(match).prompts
        if 0 not in prompts:
            answer(match, 1)
            continue
        kinds.add(prompts[0].kind)
        if ann.ply != match.ply:
            page.reload()
        assert ann.ready()
        choose(ann)
        page.wait_for_function(
            "ply => Number(document.getElementById('table').dataset.ply) > ply", arg=match.ply
        )
        page.wait_for_function("() => !document.querySelector('.is-busy, .is-playing')")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= SIZES[size]["width"]
    assert match.status == Status.FINISHED
    if mode == "battle":
        assert {"choose-hand", "deploy"} <= kinds
        assert kinds & {"sort", "replenish"}
    else:
        assert kinds == {"call"}
    page.reload()
    page.locator("#to-result").click()
    page.wait_for_url("**/result/")
    assert page.get_by_role("heading", level=1).is_visible()
