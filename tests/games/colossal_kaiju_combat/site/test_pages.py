"""The tables without a script: every answer can be given, and nothing of others is shown."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from accounts.models import User
from games.colossal_kaiju_combat.site.table import clash
from games.colossal_kaiju_combat.site.table import table as table_context
from matches import engine
from matches.models import Match, Status
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.games.colossal_kaiju_combat.table import DEEP, EMBER, lay, seat
from tests.matches.conftest import person, play_on
from tests.matches.test_pages import buttons, logged_in, page_of

pytestmark = pytest.mark.django_db

TICKED = {"plan_discard", "roar_discard"}


def table_of(mode: str, seats: int) -> Match:
    people = [
        User.objects.filter(username=name.lower()).first() or person(name)
        for name in ("Ann", "Bob", "Cleo", "Dora", "Emil")[:seats]
    ]
    plans = [SeatPlan(user=user) for user in people]
    return create_match(
        host=people[0], setup=MatchSetup(game="colossal-kaiju-combat", mode=mode, seats=plans)
    )


@pytest.mark.parametrize(("mode", "seats"), [("standard", 5), ("basic", 2)])
@pytest.mark.slow
def test_every_option_is_on_the_page(mode: str, seats: int) -> None:
    """For a stretch of a match: the form offers what is offered, no more and no less."""
    match = table_of(mode, seats)
    kinds = set()
    for _ in range(40):
        play_on(match, 2)
        if match.status != Status.RUNNING:
            break
        match.refresh_from_db()
        table = engine.load(match)
        seat, prompt = next(iter(table.prompts.items()))
        user = match.seats.get(number=seat).user
        assert user is not None
        page = logged_in(user).get(page_of("table", match))
        offered = {table.notation(move) for move in prompt.options}
        if prompt.kind in TICKED:
            text = page.content.decode()
            assert all(f'value="{notation}"' in text for notation in offered)
        else:
            assert set(buttons(page).moves) == offered
        kinds.add(prompt.kind)
    assert {"action", "sword", "shield"} & kinds


def test_ticked_cards_go_together_and_all_of_them_may_go() -> None:
    """Planning cards to discard are sent with “done”, even if none is left then."""
    match = table_of("standard", 2)
    for _ in range(400):
        match.refresh_from_db()
        table = engine.load(match)
        prompts = [prompt for prompt in table.prompts.values() if prompt.kind == "plan_discard"]
        if prompts:
            break
        play_on(match, 1)
    prompt = prompts[0]
    user = match.seats.get(number=prompt.seat).user
    assert user is not None
    thrown = [table.notation(move) for move in prompt.options if move.card is not None]
    form = {"prompt": prompt.id, "together": "1", "move": thrown, "move-99": "done"}
    answer = logged_in(user).post(reverse("matches:play", args=(match.slug,)), form)
    assert answer.status_code == 302
    match.refresh_from_db()
    view = engine.load(match).view(prompt.seat)
    assert prompt.seat not in engine.load(match).prompts or view["phase"] != "discard"
    discarded = {card["id"] for card in view["players"][prompt.seat]["planning_discard"]["cards"]}
    thrown_cards = {move.card for move in prompt.options if move.card is not None}
    waiting = {card["id"] for card in view["players"][prompt.seat]["planning_hand"]["thrown"]}
    assert thrown_cards <= discarded | waiting


def test_tables_that_are_read_together_each_keep_one_hand_open() -> None:
    """Radios of one name in one document share a choice: a step would close the hand of another."""
    match = table_of("standard", 2)
    play_on(match, 12)
    user = match.seats.get(number=0).user
    assert user is not None
    client, address = logged_in(user), page_of("fragment", match)
    ply = int(re.findall(r'data-ply="(\d+)"', client.get(address).content.decode())[0])
    text = client.get(f"{address}?since={ply - 3}&steps={ply - 3}").content.decode()
    tables = re.split(r'(?=data-shown="\d+")', text)[1:]
    assert len(tables) > 1
    names = [set(re.findall(r'name="(hand-of-[^"]+)"', table)) for table in tables]
    assert all(len(each) == 1 for each in names)
    assert len(set.union(*names)) == len(tables)
    for table in tables:
        radios = re.findall(r'<input class="hand-pick"[^>]*>', table)
        assert ["checked" in radio for radio in radios].count(True) == 1


def test_a_replay_s_planning_cards_lie_in_one_line() -> None:
    """With their words beside them, as at a table that asks, the last ones were cut off."""
    t = lay(seat(DEEP, "maelgrath", "brace"), seat(DEEP, "maelgrath", "brace"))
    context = {"names": ["You", "Bob"], "view": t.match.view(0)}
    assert table_context(context)["worded"]["planning"]
    assert not table_context({**context, "replaying": True})["worded"]["planning"]
    t.done()


def test_two_fighters_of_one_name_are_told_apart_by_their_players() -> None:
    t = lay(seat(DEEP, "maelgrath", "snap-bite brace"), seat(DEEP, "maelgrath", "tail-trip brace"))
    t.take("attack maelgrath", "pay snap-bite", "pay tail-trip")
    for reader, names in enumerate((["You", "Bob"], ["Ann", "You"])):
        (pair,) = clash(t.match.view(reader), names)
        words = ("Bob's Maelgrath", "your Maelgrath"), ("Your Maelgrath", "Ann's Maelgrath")
        assert (pair["struck"], pair["striker"]) == words[reader]
    t.done()
    t = lay(seat(DEEP, "maelgrath", "snap-bite brace"), seat(EMBER, "magmaul", "brace brace"))
    t.take("attack magmaul", "pay snap-bite", "pay brace")
    (pair,) = clash(t.match.view(0), ["You", "Bob"])
    assert (pair["struck"], pair["striker"]) == ("Magmaul", "Maelgrath")
    t.done()
