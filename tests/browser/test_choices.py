"""A choice in a form that is not yet sent, while the others go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect

import rules
from matches.services.play import play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import Open, person
from tests.matches.together import GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = """
<section class="tray sheet" id="tray">{% include "matches/table/ask.html" %}
{% if asked %}<form class="answer" id="answer" method="post" data-keep
  action="{% url 'matches:play' match.slug %}">{% csrf_token %}
<input type="hidden" name="prompt" value="{{ prompt.id }}">
<input type="hidden" name="ply" value="{{ ply }}">
{% for option in options %}<label><input class="may" type="radio" name="move-1"
  value="{{ option.notation }}" required>{{ option.label }}</label>{% endfor %}
<button name="move" value="pick 2" data-option="pick 2">Send</button></form>{% endif %}</section>
"""


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, tmp_path: Path) -> None:
    """The game in which all are asked at once, with a table of its own."""
    games = {**rules.games(), GAME.slug: GAME}
    monkeypatch.setattr(rules, "games", lambda: games)
    monkeypatch.setitem(vars(GAME), "package", "tests")
    (tmp_path / GAME.slug).mkdir()
    (tmp_path / GAME.slug / "table.html").write_text(TABLE, encoding="utf-8")
    engine: dict[str, Any] = settings.TEMPLATES[0]
    settings.TEMPLATES = [engine | {"DIRS": [tmp_path, *engine["DIRS"]]}]


@pytest.mark.usefixtures("together")
def test_a_choice_stays_as_long_as_its_question(sit: Open) -> None:
    ann, bob = person("Ann"), person("Bob")
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    match = create_match(
        host=ann, setup=MatchSetup(game=GAME.slug, mode="match", seats=seats, options={})
    )
    page = sit(ann, match.get_absolute_url()).page
    two = page.locator("[type=radio][value='pick 2']")
    two.press("Space")
    expect(two).to_be_checked()

    play_move(slug=match.slug, user=bob, prompt_id=1, move="pick 3")
    page.wait_for_selector("#table[data-ply='1'][data-prompt='1']")
    expect(two).to_be_checked()
    expect(two).to_be_focused()

    page.locator("[data-option]").click()
    page.wait_for_selector("#table[data-prompt='2']")
    expect(two).to_be_enabled()
    expect(two).not_to_be_checked()
