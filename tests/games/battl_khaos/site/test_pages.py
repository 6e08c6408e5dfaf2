"""The pages of all modes without a script, and what they cost."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

import rules
from accounts.models import User
from matches import engine
from matches.models import Match, Status
from matches.queries.seat_decks import starter_for_seat
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.chance import Chance
from tests.browser.felt import laid_match
from tests.games.battl_khaos.site import layouts
from tests.matches.conftest import play_on, queries_of
from tests.matches.test_pages import buttons, drawn_with_all_options, logged_in, page_of

pytestmark = pytest.mark.django_db

GAME = rules.game("battl-khaos")
BOARD = re.compile(r"data-board='([^']+)'")
SPECIALS = {"specials": True, "advanced": True, "orcs": "seat1"}


@pytest.fixture
def khaos(ann: User, bob: User) -> Match:
    return _match(ann, bob, "classic", SPECIALS)


def _match(ann: User, bob: User, mode: str, options: dict[str, Any] | None = None) -> Match:
    own_decks = GAME.modes[mode].own_decks
    decks = [
        starter_for_seat(GAME, GAME.modes[mode], seat) if own_decks else None for seat in (0, 1)
    ]
    plans = [SeatPlan(user=who, deck=deck) for who, deck in zip((ann, bob), decks, strict=True)]
    return create_match(
        host=ann, setup=MatchSetup(game=GAME.slug, mode=mode, seats=plans, options=options or {})
    )


def _page(user: User | None, match: Match) -> str:
    text: str = logged_in(user).get(match.get_absolute_url()).content.decode()
    return text


def test_every_kind_of_question_is_drawn_with_all_its_options(
    khaos: Match, ann: User, bob: User
) -> None:
    wanted = set(GAME.rulebook.prompts)
    assert drawn_with_all_options(khaos, [ann, bob], wanted) == wanted


@pytest.mark.parametrize("mode", list(GAME.modes))
@pytest.mark.slow
def test_a_match_by_the_forms_alone(ann: User, bob: User, mode: str) -> None:
    """The buttons as they stand, one after the other; then result, replay and a spectator."""
    match, chance = _match(ann, bob, mode), Chance(bytes([7]) * 32)
    for _ in range(30):
        match.refresh_from_db()
        if match.status == Status.FINISHED:
            break
        ((seat, _prompt),) = engine.load(match).prompts.items()
        client = logged_in((ann, bob)[seat])
        form = buttons(client.get(page_of("table", match)))
        move = form.moves[chance.pick(len(form.moves))]
        assert client.post(page_of("play", match), form.hidden | {"move": move}).status_code == 302
    assert buttons(Client().get(page_of("table", match))).moves == []
    if match.status == Status.RUNNING:
        logged_in(ann).post(page_of("concede", match))
    result = logged_in(ann).get(page_of("result", match)).content.decode()
    assert "You conceded." in result and re.search(r"\b0 of \d+ points, 0 towers", result)
    assert logged_in(ann).get(page_of("replay", match) + "?ply=3&seat=1").status_code == 200


def test_my_tables_say_the_score_and_how_far_it_goes(khaos: Match, ann: User) -> None:
    page = logged_in(ann).get("/matches/").content.decode()
    assert re.search(r"You: \d+ of \d+ points?, \d+ towers?", page)


def test_a_result_counts_what_never_happened(khaos: Match, ann: User) -> None:
    logged_in(ann).post(page_of("concede", khaos))
    result = logged_in(ann).get(page_of("result", khaos)).content.decode()
    words = re.findall(r"counts-number\">(\d+)</span>\s+([^<]+)</li>", result)
    assert {"tiles and towers placed", "tokens played"} <= {rest for _, rest in words}
    assert ("0", "tokens played") in words and "1 turn" in result


def test_the_list_says_what_the_board_shows(ann: User) -> None:
    """A tower with its corners; a tile with a token that changes its strengths."""
    page = _page(None, laid_match(layouts.late()))
    rows = re.findall(r"<li><b>(.*?)</b> <span>(.*?)</span></li>", page)
    words_at = {place: unescape(words) for place, words in rows}
    assert len(words_at) == len(layouts.late().view(None)["board"])
    tower = words_at["3 west, 2 north"]
    assert "Mudpike" in tower and "tower worth 1, flag of the orcs, owned by the" in tower
    assert "north-west orcs" in tower
    assert "Bell Hollow" in words_at["1 west, 1 north"]
    assert (
        "orcs’ Drums on it" in words_at["1 west, 1 north"]
        and "1 orc, counts 2" in words_at["1 west, 1 north"]
    )
    assert "1 east" not in words_at  # nothing lies there


def test_a_hidden_tile_is_in_no_page_of_the_other(ann: User, bob: User) -> None:
    match = play_on(_match(ann, bob, "classic", {"orcs": "seat1"}), 6)
    table = engine.load(match)
    mine = {card["id"] for card in table.view(0)["players"][0]["hand"]["cards"]}
    known = {card["id"] for card in table.view(1)["players"][0]["hand"]["cards"]}
    assert mine - known
    for user in (bob, None):
        page = _page(user, match)
        assert not [card for card in mine - known if f'data-card="{card}"' in page]


def test_the_script_is_told_what_the_rules_say_of_each_place(ann: User) -> None:
    match = laid_match(layouts.ring())
    page = _page(match.host, match)
    text = BOARD.search(page)
    assert text and 'data-tower="Oathstone|K|2|"' in page and 'data-units="1,-1,1,-1"' in page
    draft = json.loads(unescape(text[1]))["draft"]
    cells = {(x, y): (tile, tower, tokens) for x, y, tile, tower, tokens in draft["cells"]}
    tile, tower, tokens = cells[1, 0]
    assert (tile, tower) == ("", "tower") and len(draft["tokens"][tokens]) == 5
    spectators = BOARD.search(_page(None, match))
    assert spectators and "draft" not in json.loads(unescape(spectators[1]))


def test_the_idea_is_shown_on_a_board() -> None:
    """Its own page and the rules show a board and a corner, and the files are there."""
    pages = [Client().get(f"/games/{GAME.slug}/{part}").content.decode() for part in ("", "rules/")]
    images = [re.findall(r'class="rules-image" src="/static/([^"?]+)"', page) for page in pages]
    names = [[re.sub(r"\.[0-9a-f]{12}", "", path).split("/")[-1] for path in row] for row in images]
    assert names == [["place.webp", "corner.webp", "tower.webp"], ["corner.webp"]]
    assert all(finders.find(f"{GAME.slug}/{name}") for name in names[0])


class TestCost:
    """The queries of a page grow neither with moves nor with the board."""

    def test_moves_do_not_count(self, khaos: Match) -> None:
        client = Client()
        play_on(khaos, 2)
        before = queries_of(lambda: client.get(page_of("table", khaos)))
        play_on(khaos, 40)
        assert queries_of(lambda: client.get(page_of("table", khaos))) == before <= 15
