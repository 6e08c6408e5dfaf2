"""The pages of all modes without a script, and what they cost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from games.kaolan.site.table import battle_of, part_in
from matches import engine
from matches.models import Match, SeatKind, Status
from matches.services.bots import run_bots
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.chance import Chance
from tests.matches.conftest import MakeMatch, person, play_on, queries_of
from tests.matches.test_pages import SCRIPT, buttons, drawn_with_all_options, logged_in, page_of

pytestmark = pytest.mark.django_db

SEATS = {"tournament": 4, "power": 2, "single": 1}
MODES = pytest.mark.parametrize("mode", list(SEATS))


def table_of(mode: str, seats: int | None = None, **changes: Any) -> Match:
    names = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo")
    people = [
        User.objects.filter(username=name.lower()).first() or person(name)
        for name in names[: seats or SEATS[mode]]
    ]
    return create_match(
        host=people[0],
        setup=MatchSetup(
            game="kaolan", mode=mode, seats=[SeatPlan(user=user) for user in people], **changes
        ),
    )


def asked_person(match: Match) -> tuple[User, Any]:
    match.refresh_from_db()
    seat, prompt = next(iter(engine.load(match).prompts.items()))
    user = match.seats.get(number=seat).user
    assert user is not None
    return user, prompt


@pytest.mark.parametrize("mode", ["tournament", "match"])
def test_screen_readers_hear_guard_1_not_guard_hyphen_1(mode: str) -> None:
    match = table_of(mode, 2)
    user, _ = asked_person(match)
    page = logged_in(user).get(page_of("table", match)).content.decode()
    assert "Guard 1" in page
    assert not re.search(r'(?i)(?:label="|hidden">)[^"<]*guard-', page)


@MODES
@pytest.mark.slow
def test_every_option_is_a_button_of_the_page(mode: str) -> None:
    """For a stretch of a match: the form offers what is offered, no more and no less."""
    match = table_of(mode, 2 if mode == "tournament" else None)
    kinds = set()
    for _ in range(60):
        play_on(match, 1)
        if match.status != Status.RUNNING:
            break
        user, prompt = asked_person(match)
        table = engine.load(match)
        page = buttons(logged_in(user).get(page_of("table", match)))
        assert set(page.moves) - _intents(table, prompt) == {
            table.notation(move) for move in prompt.options
        } - _intents(table, prompt)
        assert int(page.hidden["prompt"]) == prompt.id
        kinds.add(prompt.kind)
    assert len(kinds) > 1


def _intents(table: Any, prompt: Any) -> set[str]:
    """Cards of the hand and Leaders stand for actions that have buttons of their own besides."""
    if prompt.kind not in ("turn_action", "solo_play"):
        return set()
    return {
        "place",
        "add_power",
        "add_ability",
        "opportunity",
        "challenge",
        "replace_link",
        "attack",
    }


@MODES
def test_a_match_by_the_forms_alone(mode: str) -> None:
    """The buttons as they stand, one after the other; then the result and the replay."""
    match = table_of(mode, 2 if mode == "tournament" else None)
    chance = Chance(bytes([7]) * 32)
    clients: dict[int, Client] = {}
    for turn in range(24):
        user, _ = asked_person(match)
        client = clients.setdefault(user.pk, logged_in(user))
        page = buttons(client.get(page_of("table", match)))
        move = page.moves[chance.pick(len(page.moves))]
        answer = client.post(page_of("play", match), page.hidden | {"move": move})
        assert answer.status_code == 302, (turn, move)
        match.refresh_from_db()
        if match.status == Status.FINISHED:
            break
    assert match.ply > 1
    host = logged_in(match.host)
    if match.status == Status.RUNNING:
        host.post(page_of("concede", match))
    result = host.get(page_of("result", match))
    assert result.status_code == 200
    replay = host.get(page_of("replay", match) + "?ply=1&seat=1")
    assert replay.status_code == 200


@MODES
def test_a_spectator_sees_the_table_and_is_asked_nothing(mode: str) -> None:
    match = play_on(table_of(mode), 9)
    answer = Client().get(page_of("table", match))
    assert answer.status_code == 200 and buttons(answer).moves == []


@MODES
def test_strangers_cannot_play_and_a_private_table_is_closed(mode: str, stranger: User) -> None:
    match = table_of(mode, private=True)
    user, prompt = asked_person(match)
    client = logged_in(stranger)
    assert client.get(page_of("table", match)).status_code == 403
    move = engine.load(match).notation(prompt.options[0])
    answer = client.post(page_of("play", match), {"prompt": prompt.id, "move": move})
    assert answer.status_code == 403
    match.refresh_from_db()
    assert match.ply == 0 and logged_in(user).get(page_of("table", match)).status_code == 200


@pytest.mark.slow
def test_every_kind_of_question_is_drawn_with_all_its_options(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    """Chance plays on until each question that the rules know has come up on some table."""
    boosters = {"boosters": [f"booster-{number}" for number in range(1, 7)]}
    # a chain has at most one link of a level, so nobody is ever asked which one
    missing = set(rules.game("kaolan").rulebook.prompts) - {"choose_link"}
    for mode, seats, options in (
        ("match", 3, boosters),
        ("tournament", 3, {}),
        ("power", 2, boosters),
        ("single", 1, {}),
    ):
        people = [ann, bob, stranger][:seats]
        match = make_match(
            seats=[SeatPlan(user=user) for user in people], mode=mode, options=options
        )
        missing -= drawn_with_all_options(match, people, missing)
    assert missing == set()


def test_a_defeated_chain_leaves_an_empty_board() -> None:
    """The links of a beaten Main Character are gone, too: the page shows the end all the same."""
    for _ in range(8):
        match = play_on(table_of("power"), 2000)
        boards = [player["board"] for player in engine.load(match).view(None)["players"]]
        if any(not spot["card"] for board in boards for spot in board[1:]):
            break
    else:
        pytest.fail("No match ended with links on the losing side.")
    for user in (match.host, None):
        page = logged_in(user).get(page_of("table", match))
        assert page.status_code == 200 and "See the result" in page.content.decode()


def test_prizes_stay_face_down(ann: User, bob: User) -> None:
    match = play_on(table_of("tournament", 2), 12)
    for seat in (0, 1, None):
        players = engine.load(match).view(seat)["players"]
        assert [player["prize"] for player in players] == [{"count": 1, "card": None}] * 2
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    hidden = engine.load(match).state.prizes
    assert all(f'data-card="{card}"' not in page for card in hidden)
    concede(slug=match.slug, user=bob)
    page = logged_in(ann).get(reverse("matches:result", args=[match.slug])).content.decode()
    match.refresh_from_db()
    assert match.outcome is not None
    game = rules.game("kaolan")
    titles = [game.catalog[prize["card"]].title for prize in match.outcome["prizes"]]
    assert len(titles) == 2 and all(title in page for title in titles)


def test_tables_that_are_read_together_each_keep_one_board_open() -> None:
    match = table_of("tournament")
    play_on(match, 3)
    user = match.seats.get(number=0).user
    assert user is not None
    text = logged_in(user).get(f"{page_of('fragment', match)}?since=0&steps=0").content.decode()
    tables = re.split(r'(?=data-shown="\d+")', text)[1:]
    names = [set(re.findall(r'name="(opened-seat[^"]*)"', table)) for table in tables]
    assert len(tables) > 1
    assert len(set.union(*names)) == len(tables), names


def test_whoever_is_out_goes_on_watching() -> None:
    match = table_of("tournament")
    loser = match.seats.get(number=1).user
    assert loser is not None
    concede(slug=match.slug, user=loser)
    page = logged_in(loser).get(page_of("table", match))
    assert "You’ve been eliminated. You can keep watching." in page.content.decode()
    assert "Concede this match?" not in page.content.decode()
    assert (
        logged_in(loser).get(page_of("fragment", match), {"since": 0}, **SCRIPT).status_code == 200
    )


def test_people_and_bots_share_a_table_of_eight(
    ann: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    plans = [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT, bot="random")] * 6, SeatPlan(user=bob)]
    match = create_match(host=ann, setup=MatchSetup(game="kaolan", mode="tournament", seats=plans))
    run_bots(match_id=match.pk)
    user, _ = asked_person(match)
    assert user in (ann, bob)
    page = logged_in(ann).get(page_of("table", match)).content.decode()
    assert page.count('class="seat-pick"') == 7


class TestCost:
    """The queries of a page don't grow with seats, moves or cards."""

    @pytest.mark.parametrize("name", ["table", "fragment"])
    def test_seats_do_not_count(self, name: str) -> None:
        few, many = play_on(table_of("tournament", 2), 6), play_on(table_of("tournament", 8), 30)
        for match in (few, many):
            while asked_person(match)[0] != few.host:
                play_on(match, 1)
        client = logged_in(few.host)
        counts = [queries_of(lambda: client.get(page_of(name, match))) for match in (few, many)]  # noqa: B023
        assert counts[0] == counts[1]
        assert counts[0] <= 15

    @MODES
    def test_moves_do_not_count(self, mode: str) -> None:
        match = play_on(table_of(mode), 2)
        client = Client()  # whose other tables would count, too
        before = queries_of(lambda: client.get(page_of("table", match)))
        play_on(match, 12)
        assert queries_of(lambda: client.get(page_of("table", match))) == before

    def test_the_pages_with_decks(self, ann: User) -> None:
        client = logged_in(ann)
        address = reverse("matches:new") + "?game=kaolan&mode=tournament"
        assert queries_of(lambda: client.get(address)) <= 8


class TestLookups:
    def test_a_battle_of_several_is_read_from_its_events(self) -> None:
        events = [
            {"kind": "rolled", "stage": "volley", "seat": 5, "dice": [1, 1], "success": True},
            {"kind": "challenge_announced", "seat": 0, "defender": 2},
            {"kind": "rolled", "stage": "qualification", "seat": 0, "dice": [3], "success": True},
            {"kind": "qualified", "seat": 1, "by": "war_drums"},
            {"kind": "rolled", "stage": "defense", "seat": 2, "dice": [1, 2], "success": False},
            {"kind": "rolled", "stage": "defense", "seat": 2, "dice": [4, 2], "success": True},
            {"kind": "turn_ended", "seat": 0},
            {"kind": "rolled", "stage": "volley", "seat": 6, "dice": [1, 1], "success": True},
        ]
        battle = battle_of(events)
        assert battle is not None and (battle["attacker"], battle["defender"]) == (0, 2)
        assert [roll["seat"] for roll in battle["stages"]["qualification"]] == [0, 1]
        assert [roll["total"] for roll in battle["stages"]["defense"]] == [6]
        assert battle["stages"]["volley"] == []
        assert battle_of(events[:1]) is None

    def test_everybodys_part_in_a_battle(self) -> None:
        battle = {
            "attackers": [0, 1],
            "defenders": [2, 3, 4],
            "qualified": [1],
            "escaped": [3],
            "hit": [4],
        }
        words = [part_in({"challenge": battle}, seat) for seat in range(6)]
        assert [match and match["words"] for match in words] == [
            "attacks",
            "attacks: qualified",
            "defends",
            "defends: escaped",
            "defends: hit",
            None,
        ]
