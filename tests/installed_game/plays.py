"""What tests/test_installed_game.py runs where the package of Twelve is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

import rules
from collection.models import Card
from core.introductions import hues, introductions, mark
from matches.models import Status
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine import fairness
from rules.engine.chance import Chance, mix
from rules.engine.events import event_to_json
from tests.browser.conftest import sit  # noqa: F401 - a fixture
from tests.browser.player import Open, person

GAME = "twelve"

FLYING = """async () => {
  const loaded = performance.getEntriesByType("resource").map((one) => one.name);
  const { exchange } = await import(loaded.find((name) => /table.motion[^/]*js$/.test(name)));
  const table = document.getElementById("table");
  const [from, to] = [1, 0].map((seat) => ({ place: "hand", seat }));
  exchange(table, table.cloneNode(true), [{ motions: [{ cards: [], count: 1, from, to }] }]);
  return document.querySelector(".flyer").offsetWidth;
}"""
"""How wide a face-down card is that goes from one hand to the other."""


def test_the_engine_finds_it_behind_those_of_the_shelf() -> None:
    assert list(rules.games())[-1] == GAME
    assert not resources.files("riffle_twelve").joinpath("decks.toml").is_file()


def test_random_matches_end_and_nothing_hidden_is_told() -> None:
    game = rules.game(GAME)
    for number in range(40):
        match = game.new_match("standard", seats=2 + number % 3, seed=bytes([number] * 32))
        chance = Chance(bytes([number + 1] * 32))
        while match.outcome is None:
            seat, prompt = next(iter(match.prompts.items()))
            assert match.redeal(seat, chance).view(seat) == match.view(seat)
            match.play(seat, game.bots["random"].choose(match.view(seat), prompt, chance))
            assert game.load(json.loads(json.dumps(match.dump()))).dump() == match.dump()


def test_its_chance_is_checked_by_what_its_events_declare(tmp_path: Path) -> None:
    seed, chance = bytes(range(32)), Chance(bytes(32))
    match = rules.game(GAME).new_match("standard", seats=3, seed=mix(seed, []))
    events, moves = [event_to_json(event) for event in match.opening], []
    while match.outcome is None:
        result, prompt = next(iter(match.prompts.items()))
        move = prompt.options[chance.pick(len(prompt.options))]
        moves.append(match.notation(move))
        events += [event_to_json(event) for event in match.play(result, move)]
    record_result = fairness.record(
        match,
        rules_version=match.mode.rules_version,
        server_seed=seed,
        client_seeds=[],
        events=events,
        moves=moves,
    )

    def verify(record: dict[str, Any]) -> str:
        file = tmp_path / "match.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        script = Path(settings.BASE_DIR) / "docs" / "verify.py"
        command = [sys.executable, str(script), str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    assert "as published." in verify(record_result)
    record_result["events"][0][1][:2] = reversed(record_result["events"][0][1][:2])
    assert "NOT AS PUBLISHED" in verify(record_result)


@pytest.mark.django_db
def test_its_cards_and_its_look_are_on_the_site(client: Client) -> None:
    assert Card.objects.filter(game__slug=GAME, retired=False).count() == 12
    assert any(
        introduction.slug == GAME and introduction.players == "2–4 players"
        for introduction in introductions()
    )
    assert mark(GAME) == ("twelve/mark.svg", "mark")
    assert '[data-game="twelve"]' in hues()
    home = client.get("/").content.decode()
    assert ">Six games<" in home
    assert "the highest card takes each of them" in home
    assert "Seven" in client.get("/cards/?game=twelve").content.decode()
    assert "Three tricks" in client.get("/play/?game=twelve").content.decode()
    assert client.get("/decks/new/").status_code in {200, 302}
    answer = client.get("/api/games/").json()
    assert GAME in json.dumps(answer)


@pytest.mark.django_db(transaction=True)
@pytest.mark.browser
def test_it_is_played_in_the_browser_against_a_bot(
    sit: Open,  # noqa: F811
) -> None:
    match = create_match(
        host=person("Ann"),
        setup=MatchSetup(
            game=GAME,
            mode="standard",
            seats=[SeatPlan("person", user=person("Ann")), SeatPlan("bot")],
        ),
    )
    ann = sit(person("Ann"), f"/matches/{match.slug}/", reduced_motion="no-preference")
    expect(ann.page.locator("#turn-line")).to_contain_text("Trick 1 of 3")
    assert ann.ready() and ann.page.evaluate(FLYING) < 200, "as large as a card, not as the row"
    while ann.ready():
        ply = ann.ply
        ann.page.locator(".hand [data-option]").first.click()
        ann.page.wait_for_function(
            "ply => Number(document.getElementById('table').dataset.ply) > ply", arg=ply
        )
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert match.moves.filter(source="bot").exists()
    data = json.loads(ann.page.evaluate("document.documentElement.dataset.twelve"))
    assert data["happened"] > 0
    assert data["drawn"] > 0
    assert ann.page.locator(".twelve-laid").evaluate("one => getComputedStyle(one).display") == (
        "flex"
    )
    ann.page.locator("#to-result").click()
    ann.page.get_by_text("all tricks are played").wait_for()
    ann.page.goto(ann.page.url.replace("/result/", "/fairness/"))
    expect(ann.page.locator("main")).to_contain_text("python3 verify.py match-")
