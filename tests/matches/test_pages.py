"""The pages of a match without a script: every journey by links and form buttons alone."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.template import TemplateDoesNotExist
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

import rules
from accounts.models import User
from accounts.services.friends import request_friend
from collection.models import Trade
from matches import engine
from matches.errors import NotPossible
from matches.models import Match, Seat, SeatKind, Status, TimeControl
from matches.queries.access import seat_of
from matches.queries.events import event_groups
from matches.queries.seats import seat_infos, waiting_line
from matches.queries.table_page import turn_line
from matches.queries.tables import running_matches
from matches.services.bots import run_bots
from matches.services.play import concede
from matches.services.setup import SeatPlan
from matches.views import play
from rules.engine.chance import Chance
from rules.engine.table_text import TableText
from tests.games.examples import GAME, OTHER, OTHER_GAME, OTHER_NAME
from tests.matches.conftest import MakeMatch, asked, play_on, stored
from tests.matches.drawn import complete

pytestmark = pytest.mark.django_db

SCRIPT = {"HTTP_RIFFLE_SCRIPT": "table"}


class Buttons(HTMLParser):
    """The answers that a page offers: hidden values of the form "answer", and its buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.moves: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag == "form":
            self._inside = values.get("id") == "answer"
        elif tag == "input" and self._inside and values.get("type") == "hidden":
            self.hidden[values["name"]] = values["value"]
        elif tag == "button" and values.get("name") == "move" and "disabled" not in values:
            assert self._inside or values.get("form") == "answer"
            self.moves.append(values["value"])


def buttons(page: Any) -> Buttons:
    parser = Buttons()
    parser.feed(page.content.decode())
    return parser


def logged_in(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_of(name: str, match: Match) -> str:
    return reverse(f"matches:{name}", args=(match.slug,))


# -- setting up -----------------------------------------------------------------------------------


def test_one_click_seats_a_visitor_as_a_guest_against_a_bot(client: Client) -> None:
    response = client.post(reverse("matches:quick"), follow=True)
    match = Match.objects.get()
    assert response.redirect_chain == [(match.get_absolute_url(), 302)]
    assert [seat.kind for seat in match.seats.all()] == [SeatKind.PERSON, SeatKind.BOT]
    assert match.seats.first().user.is_guest
    assert response.status_code == 200


def test_quick_only_answers_a_post(client: Client) -> None:
    assert client.get(reverse("matches:quick")).status_code == 405
    assert not Match.objects.exists()


NEW = {
    "seat_1": "bot:random",
    "seat_2": "bot:greedy",
    "seat_3": "",
    "option_guards": "1",
    "option_boosters": ["booster-1", "booster-6"],
    "option_turn_limit": "40",
    "time_control": "slow",
}


def test_a_new_table_has_what_was_chosen(client: Client) -> None:
    response = client.post(reverse("matches:new"), {**NEW, "private": "on", "client_seed": "heron"})
    match = Match.objects.get()
    assert response.url == match.get_absolute_url()
    assert match.options == {"guards": 1, "boosters": ["booster-1", "booster-6"], "turn_limit": 40}
    assert (match.time_control, match.private) == (TimeControl.SLOW, True)
    seats = list(match.seats.values_list("kind", "bot", "client_seed"))
    assert seats == [("person", "", "heron"), ("bot", "random", ""), ("bot", "greedy", "")]


@pytest.mark.usefixtures("contexts")
@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"option_turn_limit": "5"}, "option_turn_limit", "greater than or equal to 20"),
        ({"option_guards": "7"}, "option_guards", "7 is not one of"),
        ({"seat_1": ""}, "seat_1", "required"),
        ({"seat_2": "person", "name_2": "nobody-here"}, "name_2", "No user named"),
        ({"seat_2": "person"}, "name_2", "Enter a username"),
        ({"client_seed": "a\u0007b"}, "client_seed", "one line of up to 64 characters"),
    ],
)
def test_a_refused_form_keeps_what_was_typed(
    client: Client, changes: dict[str, str], field: str, words: str
) -> None:
    response = client.post(reverse("matches:new"), {**NEW, **changes})
    assert response.status_code == 422
    assert words in " ".join(response.context["form"].errors[field])
    assert response.context["form"]["option_turn_limit"].value() == changes.get(
        "option_turn_limit", "40"
    )
    assert not Match.objects.exists()


def test_a_person_by_name_gets_a_seat_that_nobody_else_may_take(ann: User, bob: User) -> None:
    form = {**NEW, "seat_1": "person", "name_1": "BOB", "seat_2": ""}
    logged_in(ann).post(reverse("matches:new"), form)
    match = Match.objects.get()
    assert match.seats.get(number=1).invited == bob
    taken = Client().post(page_of("join", match))
    assert taken.status_code == 422 and "reserved" in taken.content.decode().lower()
    assert logged_in(bob).post(page_of("join", match)).status_code == 302
    match.refresh_from_db()
    assert match.status == Status.RUNNING


@pytest.mark.parametrize("query", ["?game=chess", f"?game={GAME}&mode=duel"])
def test_what_cannot_be_played_is_refused_with_a_sentence(client: Client, query: str) -> None:
    response = client.get(reverse("matches:new") + query)
    assert response.status_code == 422
    assert "Choose one of: " in response.content.decode()


def test_a_game_that_is_only_collected_yet_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = {slug: replace(mode, playable=False) for slug, mode in OTHER.modes.items()}
    shelved = {**rules.games(), OTHER_GAME: replace(OTHER, modes=modes, table=None)}
    monkeypatch.setattr(rules, "games", lambda: shelved)
    monkeypatch.setattr(rules, "game", shelved.__getitem__)
    for query in (f"?game={OTHER_GAME}", f"?game={OTHER_GAME}&mode=battle"):
        response = client.get(reverse("matches:new") + query)
        assert response.status_code == 422
        assert f"{OTHER_NAME} cannot be played here yet." in response.content.decode()
    page = client.get(reverse("matches:new")).content.decode()
    assert f"game={GAME}" in page
    assert f"game={OTHER_GAME}" not in page


def test_a_friend_takes_the_open_seat_by_link(make_match: MakeMatch, ann: User) -> None:
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.OPEN)])
    waiting = logged_in(ann).get(match.get_absolute_url())
    link = f"http://testserver{page_of('join', match)}"
    assert link in waiting.content.decode()

    friend = Client()
    assert friend.get(match.get_absolute_url()).url == page_of("join", match)
    assert "Ann invites you" in friend.get(page_of("join", match)).content.decode()
    response = friend.post(page_of("join", match), {"client_seed": "owl"}, follow=True)
    assert response.status_code == 200
    seat = match.seats.get(number=1)
    assert seat.user is not None
    assert seat.user.is_guest
    assert seat.client_seed == "owl"
    match.refresh_from_db()
    assert match.status == Status.RUNNING
    # A second friend comes too late and is told so at the table itself.
    assert Client().get(page_of("join", match)).url == match.get_absolute_url()


def test_the_host_calls_an_open_table_off(make_match: MakeMatch, ann: User, bob: User) -> None:
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.OPEN)])
    assert logged_in(bob).post(page_of("leave", match)).status_code == 403
    assert logged_in(ann).post(page_of("leave", match)).url == reverse("matches:mine")
    match.refresh_from_db()
    assert match.status == Status.CANCELLED
    assert "cancelled" in logged_in(ann).get(match.get_absolute_url()).content.decode()


@pytest.mark.parametrize("others", [1, 2])
def test_the_link_of_kept_seats_is_not_said_to_be_for_everybody(
    make_match: MakeMatch, ann: User, bob: User, stranger: User, others: int
) -> None:
    kept = [SeatPlan(SeatKind.OPEN, user) for user in (bob, stranger)[:others]]
    match = make_match(seats=[SeatPlan(user=ann), *kept])
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    assert "Anyone with the link" not in page and "reserved for the players" in page
    free = make_match(seats=[SeatPlan(user=ann), *kept, SeatPlan(SeatKind.OPEN)])
    page = logged_in(ann).get(free.get_absolute_url()).content.decode()
    assert "Anyone with the link" in page and "nobody else can sit down" not in page


# -- a whole match by form posts ------------------------------------------------------------------


def test_a_whole_match_without_a_script(make_match: MakeMatch, ann: User) -> None:
    """Only what the pages offer is ever posted; the result page is reached."""
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)], options={"guards": 0})
    run_bots(match_id=match.pk)
    client = logged_in(ann)
    for _ in range(600):
        page = client.get(match.get_absolute_url())
        assert page.status_code == 200
        offered = buttons(page)
        if not offered.moves:
            break
        # Challenge whenever possible, else the first thing that is offered.
        move = "challenge" if "challenge" in offered.moves else offered.moves[0]
        answer = client.post(page_of("play", match), {**offered.hidden, "move": move})
        assert answer.status_code == 302, answer.content.decode()
        run_bots(match_id=match.pk)
    match.refresh_from_db()
    assert match.status == Status.FINISHED
    assert "See the result" in page.content.decode()
    result = client.get(page_of("result", match))
    assert result.status_code == 200
    assert bytes(match.server_seed).hex() in result.content.decode()


def test_every_option_of_a_prompt_is_a_button(match: Match) -> None:
    """Through a whole match, whoever is asked finds each option on the page, and nothing else."""
    for _ in range(1000):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        user, prompt = asked(match)
        table = engine.load(match)
        offered = buttons(logged_in(user).get(match.get_absolute_url()))
        assert set(offered.moves) == {table.notation(move) for move in prompt.options}
        assert offered.hidden["prompt"] == str(prompt.id)
        play_on(match, plies=7)


def drawn_with_all_options(match: Match, people: list[User], wanted: set[str]) -> set[str]:
    """Which of these kinds of questions came up in many matches by chance, each drawn rightly."""
    game = engine.game_of(match)
    ready = [deck.cards for deck in game.starter_decks.values() if match.mode in deck.modes]
    brings = game.modes[match.mode].own_decks
    drawn: set[str] = set()
    for number in range(120):
        chance = Chance(hashlib.sha256(f"{match.mode} {number}".encode()).digest())
        decks = [ready[seat % len(ready)] for seat in range(len(people))] if brings else []
        table = game.new_match(
            match.mode, seats=len(people), seed=chance.seed, options=match.options, decks=decks
        )
        while table.outcome is None and not wanted <= drawn:
            ((seat, prompt),) = table.prompts.items()
            if prompt.kind in wanted - drawn:
                drawn.add(prompt.kind)
                Match.objects.filter(pk=match.pk).update(state=table.dump())
                offered = buttons(logged_in(people[seat]).get(match.get_absolute_url()))
                moves = {table.notation(move) for move in prompt.options}
                assert set(offered.moves) == moves, (match.mode, prompt.kind)
            table.play(seat, game.bots["random"].choose(table.view(seat), prompt, chance))
    return drawn


def test_an_action_that_is_not_possible_is_greyed_with_its_reason(match: Match) -> None:
    user, prompt = asked(match)
    text = logged_in(user).get(match.get_absolute_url()).content.decode()
    verbs = {move.verb for move in prompt.options}
    greyed = text.count('class="action" type="button" disabled')
    assert greyed == 6 - len(verbs) > 0


# -- who may do what ------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["anonymous", "stranger", "opponent"])
def test_only_the_seat_that_is_asked_may_play(
    match: Match, ann: User, bob: User, stranger: User, who: str
) -> None:
    user, prompt = asked(match)
    opponent = bob if user == ann else ann
    client = logged_in({"anonymous": None, "stranger": stranger, "opponent": opponent}[who])
    before = stored(match)
    form = {"prompt": prompt.id, "move": engine.load(match).notation(prompt.options[0])}
    response = client.post(page_of("play", match), form)
    assert response.status_code == 403
    assert not buttons(client.get(match.get_absolute_url())).moves
    assert stored(match) == before


@pytest.mark.parametrize("action", ["concede", "rematch", "leave"])
@pytest.mark.parametrize("who", ["anonymous", "stranger"])
def test_whoever_sits_nowhere_may_change_nothing(
    match: Match, bot_match: Match, stranger: User, action: str, who: str
) -> None:
    client = logged_in(stranger if who == "stranger" else None)
    for table in (match, bot_match):
        before = stored(table)
        assert client.post(page_of(action, table)).status_code == 403
        assert client.get(page_of(action, table)).status_code == 405
        assert stored(table) == before


def test_a_private_table_is_closed_to_strangers(
    make_match: MakeMatch, ann: User, stranger: User
) -> None:
    match = make_match(private=True)
    for name in ("table", "fragment", "result", "replay", "fairness"):
        assert logged_in(stranger).get(page_of(name, match)).status_code == 403
        assert Client().get(page_of(name, match)).status_code == 403
    assert logged_in(ann).get(page_of("table", match)).status_code == 200


def test_an_unknown_table_is_not_found(client: Client) -> None:
    response = client.get(reverse("matches:table", args=("nothing-here",)))
    assert response.status_code == 404
    assert "Match not found" in response.content.decode()


def test_no_page_shows_the_hand_of_another_seat(match: Match, ann: User, bob: User) -> None:
    play_on(match, plies=12)
    table = engine.load(match)
    for user, seat in ((ann, 0), (bob, 1), (None, None)):
        hidden = {
            card["id"]
            for other in (0, 1)
            if other != seat
            for card in table.view(other)["players"][other]["hand"]["cards"]
        }
        for name in ("table", "fragment"):
            text = logged_in(user).get(page_of(name, match) + "?since=0").content.decode()
            names = {int(card) for card in re.findall(r'data-card="(\d+)"', text)}
            names |= {int(card) for card in re.findall(r"&quot;id&quot;:(\d+)", text)}
            known = {
                card["id"]
                for player in table.view(seat)["players"]
                for card in player["hand"]["cards"]
            }
            # Cards that were drawn and have since been laid open may stand in the log.
            assert not (names & hidden) - known


# -- refusals -------------------------------------------------------------------------------------


def test_the_same_answer_twice_is_one_move(match: Match) -> None:
    user, prompt = asked(match)
    client = logged_in(user)
    form = {"prompt": prompt.id, "move": engine.load(match).notation(prompt.options[0])}
    assert client.post(page_of("play", match), form).status_code == 302
    match.refresh_from_db()
    ply = match.ply
    assert client.post(page_of("play", match), form).status_code == 302
    match.refresh_from_db()
    assert match.ply == ply


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"prompt": "9999", "move": "pass"}, 409),
        ({"prompt": "", "move": "pass"}, 400),
        ({"prompt": "one", "move": "pass"}, 400),
        ({"prompt": "1"}, 400),
        ({"prompt": "1", "move": "dance"}, 422),
        ({"prompt": "1", "move": "a b c d"}, 400),
        ({"prompt": "99999999999999999999", "move": "pass"}, 400),
    ],
)
def test_a_refusal_is_a_sentence_and_changes_nothing(
    match: Match, form: dict[str, str], status: int
) -> None:
    user, prompt = asked(match)
    assert prompt.id == 1
    before = stored(match)
    client = logged_in(user)
    page = client.post(page_of("play", match), form)
    assert page.status_code == status
    refusal = re.search(r"data-refusal>([^<]+)</p>", page.content.decode())
    assert refusal
    assert refusal[1].endswith(".")
    # The table is still there to go on.
    assert buttons(page).moves
    response = client.post(page_of("play", match), form, **SCRIPT)
    assert response.status_code == status
    assert set(json.loads(response.content)) == {"code", "detail"}
    assert stored(match) == before


# -- what the script asks for ---------------------------------------------------------------------


def test_the_fragment_tells_what_happened_since(match: Match) -> None:
    play_on(match, plies=6)
    user, _ = asked(match)
    text = logged_in(user).get(page_of("fragment", match) + "?since=4").content.decode()
    plies = [int(ply) for ply in re.findall(r'<li data-ply="(\d+)"', text)]
    rows = [group.ply for group in event_groups(match, 0, since=4) for _ in group.events]
    assert plies == rows
    assert rows
    assert 'data-ply="6"' in text
    assert "<html" not in text


def test_earlier_tables_are_shown_as_they_were_and_ask_nothing(match: Match) -> None:
    play_on(match, plies=2)
    user, _ = asked(match)
    client, url = logged_in(user), page_of("fragment", match)
    seat = seat_of(match, user)
    first = match.visible_ply(seat)
    cards = re.compile(r'data-slot="[^"]+" data-seat="\d+"|data-card="\d+"')
    then = {first: client.get(url).content.decode()}
    while match.visible_ply(seat) < first + 4:
        play_on(match, plies=1)
        then.setdefault(match.visible_ply(seat), client.get(url).content.decode())
    again = client.get(f"{url}?steps={first}").content.decode()
    drawn = complete(again, {})
    for (ply, before), table in zip(then.items(), drawn, strict=True):
        assert f'data-shown="{ply}"' in table
        assert cards.findall(table) == cards.findall(before)
    assert not [form for table in drawn[:-1] for form in re.findall(r'id="answer"', table)]


@pytest.mark.parametrize("query", ["?since=x", "?steps=-1", "?steps=1.5", "?since=99999999999"])
def test_a_ply_that_is_no_number_is_refused(match: Match, ann: User, query: str) -> None:
    assert logged_in(ann).get(page_of("fragment", match) + query).status_code == 400


def test_a_move_of_the_script_answers_with_the_table(match: Match) -> None:
    user, prompt = asked(match)
    form = {"prompt": prompt.id, "ply": "0"}
    form["move"] = engine.load(match).notation(prompt.options[0])
    response = logged_in(user).post(page_of("play", match), form, **SCRIPT)
    assert response.status_code == 200
    assert 'data-ply="1"' in response.content.decode()
    assert '<ol id="news" hidden>' in response.content.decode()


def test_the_title_says_whose_turn_it_is(match: Match, ann: User, bob: User) -> None:
    user, _ = asked(match)
    other = bob if user == ann else ann
    assert "<title>● Your turn" in logged_in(user).get(match.get_absolute_url()).content.decode()
    assert "Your turn" not in logged_in(other).get(match.get_absolute_url()).content.decode()


# -- afterwards -----------------------------------------------------------------------------------


def test_conceding_ends_a_match_of_two(match: Match, ann: User, bob: User) -> None:
    response = logged_in(bob).post(page_of("concede", match), follow=True)
    assert response.redirect_chain[-1][0] == page_of("result", match)
    assert "Ann wins." in response.content.decode()
    assert "You win!" in logged_in(ann).get(page_of("result", match)).content.decode()


@pytest.mark.usefixtures("contexts")
def test_nobody_did_better_than_anybody_else(finished: Match, ann: User) -> None:
    client = logged_in(ann)
    page = reverse("matches:result", args=[finished.slug])
    assert "A draw" not in client.get(page).content.decode()
    finished.seats.update(rank=1, result="drawn")
    assert "<h1>A draw</h1>" in client.get(page).content.decode()
    (entry,) = client.get(reverse("matches:mine")).context["finished"]
    assert entry.note == "A draw"


def test_result_and_replay_wait_for_the_end(match: Match, ann: User) -> None:
    for name in ("result", "replay"):
        response = logged_in(ann).get(page_of(name, match))
        assert response.status_code == 409
        assert "over" in response.content.decode()


def test_the_replay_shows_each_seat_only_its_own_hand(finished: Match) -> None:
    ply = finished.ply // 2
    rows = finished.moves.filter(ply__lte=ply).order_by("ply").values_list("seat", "move")
    table = engine.replay(finished, list(finished.seats.all()), list(rows))
    for number, seat in ((0, None), (1, 0), (2, 1)):
        page = Client().get(f"{page_of('replay', finished)}?ply={ply}&seat={number}")
        assert page.status_code == 200
        hand = page.content.decode().partition('class="hand"')[2]
        names = {int(card) for card in re.findall(r'data-card="(\d+)"', hand)}
        own = [] if seat is None else table.view(seat)["players"][seat]["hand"]["cards"]
        assert names == {card["id"] for card in own}


@pytest.mark.parametrize(
    ("query", "status"), [("?ply=99999", 422), ("?seat=7", 422), ("?ply=x", 400), ("", 200)]
)
def test_the_replay_refuses_what_never_was(finished: Match, query: str, status: int) -> None:
    assert Client().get(page_of("replay", finished) + query).status_code == status


def test_the_seed_stays_sealed_until_the_end(match: Match, ann: User) -> None:
    seed = bytes(match.server_seed).hex()
    before = logged_in(ann).get(page_of("fairness", match)).content.decode()
    assert match.commitment in before
    assert seed not in before
    concede(slug=match.slug, user=ann)
    after = logged_in(ann).get(page_of("fairness", match)).content.decode()
    assert match.commitment in after
    assert seed in after


def test_the_same_people_again(finished: Match, ann: User, bob: User) -> None:
    response = logged_in(ann).post(page_of("rematch", finished))
    again = Match.objects.get(rematch_of=finished)
    assert response.url == again.get_absolute_url()
    assert logged_in(bob).post(page_of("rematch", finished)).url == again.get_absolute_url()
    again.refresh_from_db()
    assert again.status == Status.RUNNING


@pytest.mark.usefixtures("contexts")
def test_my_tables_stand_in_order(make_match: MakeMatch, ann: User, bob: User) -> None:
    mine, theirs = make_match(), make_match()
    while asked(mine)[0] != ann:
        play_on(mine, plies=1)
    while asked(theirs)[0] != bob:
        play_on(theirs, plies=1)
    waiting = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.OPEN)])
    over = make_match()
    concede(slug=over.slug, user=ann)
    context = logged_in(ann).get(reverse("matches:mine")).context
    assert [entry.match for entry in context["awaiting"]] == [mine]
    assert [entry.match for entry in context["running"]] == [theirs]
    assert [entry.match for entry in context["open"]] == [waiting]
    assert [entry.match for entry in context["finished"]] == [over]
    assert context["finished"][0].note == "Bob won"


def test_my_tables_need_a_person(client: Client) -> None:
    response = client.get(reverse("matches:mine"))
    assert response.status_code == 302
    assert "/account/login/" in response.url


def test_the_badge_counts_the_tables_that_wait(match: Match, ann: User) -> None:
    while asked(match)[0] != ann:
        play_on(match, plies=1)
    text = logged_in(ann).get(reverse("matches:new")).content.decode()
    assert re.search(r"data-awaiting>1<span", text)
    concede(slug=match.slug, user=ann)
    text = logged_in(ann).get(reverse("matches:new")).content.decode()
    assert re.search(r"data-awaiting hidden>0<span", text)


def test_who_waits_without_a_confirmed_address_is_told_that_no_mail_comes(
    match: Match, settings: Any
) -> None:
    settings.MAIL_IS_SENT = True
    mover, _ = asked(match)
    other = match.seats.exclude(user=mover).get().user
    assert other is not None
    browser, page = logged_in(other), match.get_absolute_url()
    assert "Add an email address</a> to get an email" in browser.get(page).content.decode()
    address = EmailAddress.objects.create(user=other, email="bob@example.org", primary=True)
    assert "your address is not confirmed" in browser.get(page).content.decode()
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    assert "/account/email/" not in browser.get(f"{page}table/").content.decode()


# -- query counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count"),
    [("table", 13), ("fragment", 6), ("result", 14), ("replay", 12), ("fairness", 7)],
)
def test_a_page_asks_the_database_little(
    finished: Match, ann: User, django_assert_num_queries: Any, name: str, count: int
) -> None:
    client = logged_in(ann)
    client.get(page_of(name, finished))
    with django_assert_num_queries(count):
        client.get(page_of(name, finished))


def test_my_tables_ask_the_same_for_one_and_for_many(
    make_match: MakeMatch, ann: User, django_assert_num_queries: Any
) -> None:
    client = logged_in(ann)
    make_match()
    client.get(reverse("matches:mine"))
    for _ in range(6):
        # Seven of them: offers, people, blocks, lines, ends, scores, and all that the header says.
        with django_assert_num_queries(16):
            client.get(reverse("matches:mine"))
        concede(slug=make_match().slug, user=ann)
        make_match()


def test_the_start_page_shows_four_tables_and_those_that_wait_first(
    make_match: MakeMatch, ann: User, bob: User, stranger: User, django_assert_num_queries: Any
) -> None:
    make_match(seats=[SeatPlan(user=bob), SeatPlan(user=stranger)])
    first = make_match()
    assert [match.pk for match in running_matches(ann)] == [first.pk]
    for number in range(4):
        match = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=(bob, stranger)[number % 2])])
        while (asked(match)[0] == ann) == (number < 2):
            play_on(match, plies=1)
    over = make_match()
    concede(slug=over.slug, user=ann)
    with django_assert_num_queries(2):
        running_matches_result = running_matches(ann)
        names = [[info.name for info in seat_infos(match, ann)] for match in running_matches_result]
    running = [*Match.objects.filter(seats__user=ann, status=Status.RUNNING)]
    waiting = [match for match in running if asked(match)[0] == ann]
    assert len(running) == 5 and 2 <= len(waiting) <= 3
    running.sort(key=lambda match: (match not in waiting, match.deadline_at))
    assert running_matches_result == running[:4]
    assert names == [
        [str(seat.user) for seat in match.seats.order_by("number")]
        for match in running_matches_result
    ]
    assert [
        seat.match_id for match in running_matches_result for seat in match.seats.filter(number=0)
    ] == [match.pk for match in running_matches_result]


def test_my_tables_tell_of_offers_and_people_who_wait(ann: User, bob: User) -> None:
    client = logged_in(ann)
    assert "to answer" not in client.get(reverse("matches:mine")).content.decode()
    request_friend(sender=bob, username=ann.username)
    Trade.objects.create(
        proposer=bob, partner=ann, token="t", expires_at=timezone.now() + timedelta(days=1)
    )
    page = client.get(reverse("matches:mine")).content.decode()
    assert "1 trade offer to answer" in page and "1 friend request" in page
    over = timezone.now() - timedelta(days=1)
    Trade.objects.update(expires_at=over)
    assert "to answer" not in client.get(reverse("matches:mine")).content.decode()


def test_a_game_that_adds_nothing_to_the_help_shows_the_common_help(
    match: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new game's table must not break for want of a template that says little."""
    page = page_of("table", match)
    own = "Choose an opponent's Leader to see your chances"
    assert own in logged_in(ann).get(page).content.decode()

    def none_of(names: list[str]) -> None:
        raise TemplateDoesNotExist(names[0])

    monkeypatch.setattr("matches.views.requests.select_template", none_of)
    html = logged_in(ann).get(page).content.decode()
    assert own not in html
    assert "Your prompt is at the bottom" in html


def test_a_game_that_counts_nothing_says_who_is_to_answer(match: Match) -> None:
    """The line above the table is the game's to say; a new game may say nothing."""
    view = {"outcome": None, "players": []}
    user, _prompt = asked(match)
    infos, text = seat_infos(match, user), TableText()
    line = turn_line(text, view, infos)
    [deadline] = [info.deadline_at for info in infos if info.deadline_at]
    assert line == f"Your turn\N{NO-BREAK SPACE}· until {deadline:%a %H:%M} UTC"
    with timezone.override("Asia/Kathmandu"):
        line = turn_line(text, view, infos)
    until = deadline + timedelta(hours=5, minutes=45)
    assert line == f"Your turn\N{NO-BREAK SPACE}· until {until:%a %H:%M}"
    others = [replace(info, mine=False) for info in infos]
    waiting = next(info.name for info in infos if info.waiting)
    assert turn_line(text, view, others) == f"Waiting for {waiting}"
    both = [replace(info, waiting=True) for info in infos]
    assert turn_line(text, view, both).startswith("You and ")
    bots = [replace(info, kind=SeatKind.BOT) for info in both]
    assert waiting_line(bots) == "Ann and Bob are thinking."
    assert turn_line(text, view, []) == ""


def test_numbered_answers_are_played_by_their_numbers(rf: RequestFactory) -> None:
    """Ticked cards first, as they stand on the page; then the rest, wherever it stands there."""
    sent = "move-x=last&move-10=ten&move-2=two&move=b&move-1=one&move=a&mover=no"
    request = rf.post("/", sent, content_type="application/x-www-form-urlencoded")
    assert play._moves(request) == ["b", "a", "one", "two", "ten", "last"]


def test_a_game_without_templates_is_played_at_a_plain_table(
    ann: User, bob: User, together: str, make_match: MakeMatch
) -> None:
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    match = make_match(game=together, seats=seats)
    page = logged_in(ann).get(page_of("fragment", match)).content.decode()
    assert page.count('class="option may"') == len(engine.load(match).prompts[0].options)
    assert "Bob" in page


def test_a_bot_that_nobody_names_is_the_games_best(ann: User, make_match: MakeMatch) -> None:
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)])
    assert match.seats.get(number=1).bot == list(rules.game(match.game).bots)[-1]


def test_a_game_without_bots_says_so(
    ann: User, make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelved = {slug: replace(game, bots={}) for slug, game in rules.games().items()}
    monkeypatch.setattr(rules, "game", shelved.__getitem__)
    with pytest.raises(NotPossible, match="no bots. Leave the seat open"):
        make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)])


def test_without_a_script_a_page_follows_a_bot_that_thinks(
    match: Match, bot_match: Match, ann: User
) -> None:
    """It loads itself again while a bot is asked, and has a link for it; not while a person is."""
    Seat.objects.filter(match=bot_match).update(prompt=None)
    bot_match.seats.filter(number=1).update(prompt=1)
    state = Match.objects.get(pk=bot_match.pk).state
    state["state"]["prompts"] = []
    Match.objects.filter(pk=bot_match.pk).update(state=state)
    page = logged_in(ann).get(bot_match.get_absolute_url()).content.decode()
    assert '<noscript><meta http-equiv="refresh"' in page and ">Refresh</a></p></noscript>" in page
    assert (
        'http-equiv="refresh"' not in logged_in(ann).get(match.get_absolute_url()).content.decode()
    )
