"""The lobby's pages: looking, sitting down, quick match, invitations, the host at an open table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches.models import Match, Report, SeatKind, Status
from matches.services.play import concede
from matches.services.setup import SeatPlan, leave_match
from tests.games.examples import GAME, READY_CARDS
from tests.matches.conftest import MakeMatch, api, queries_of
from tests.matches.test_pages import NEW, logged_in, page_of

pytestmark = pytest.mark.django_db

LOBBY = "/play/lobby/"
OPEN = SeatPlan(SeatKind.OPEN)


@pytest.fixture
def table(make_match: MakeMatch) -> Match:
    """Ann waits in the lobby."""
    return make_match(seats=[SeatPlan(), OPEN], listed=True)


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_anybody_may_look(table: Match, make_match: MakeMatch, ann: User, bob: User) -> None:
    make_match(
        host=bob,
        mode="tournament",
        options={"turn_limit": 30},
        seats=[SeatPlan(), OPEN],
        listed=True,
    )
    make_match(host=bob, seats=[SeatPlan(), OPEN], private=True)
    page = text(Client(), LOBBY)
    assert page.count("Join table<") == 2 and "No open tables" not in page
    for words in (
        "Ann",
        "Guards: 1",
        "1 of 2</span> seats taken",
        "Correspondence: 3 days",
        "Turn limit per player: 30",
    ):
        assert words in page, words
    assert page.count("Choose a deck first") == 1
    assert "Your table" in text(logged_in(ann), LOBBY)
    assert text(Client(), LOBBY + f"?game={GAME}&mode=tournament").count("Join table<") == 1
    assert "No open tables match these filters" in text(
        Client(), LOBBY + "?time_control=live&game=nonsense&page=x"
    )
    client = logged_in(bob)
    text(client, LOBBY)
    before = queries_of(lambda: text(client, LOBBY))
    make_match(seats=[SeatPlan(), OPEN], listed=True)
    assert queries_of(lambda: text(client, LOBBY)) == before <= 8


def test_one_click_and_the_one_who_came_too_late(table: Match) -> None:
    early, late = Client(), Client()
    for _ in range(2):  # a double click
        assert early.post(page_of("sit", table)).url == table.get_absolute_url()
    table.refresh_from_db()
    assert table.status == Status.RUNNING
    users = User.objects.count()
    answer = late.post(page_of("sit", table), follow=True)
    assert answer.redirect_chain == [(LOBBY, 302)]
    assert "That table has just filled up" in answer.content.decode()
    assert User.objects.count() == users, "nobody is made a guest for nothing"


def test_quick_match_from_the_start_page(ann: User) -> None:
    shelf = text(Client(), "/")
    assert f'name="play" value="{GAME}/match"' in shelf
    first, second = Client(), logged_in(ann)
    waits = first.post(reverse("matches:quick_match"), {"play": f"{GAME}/match"}, follow=True)
    assert "No open table matched, so we created one" in waits.content.decode()
    wish = {"play": f"{GAME}/match", "time_control": "steady"}
    met = second.post(reverse("matches:quick_match"), wish)
    match = Match.objects.get()
    assert (met.url, match.status) == (match.get_absolute_url(), Status.RUNNING)
    refused = second.post(reverse("matches:quick_match"), {"play": "chess/blitz"}, follow=True)
    assert "Choose a game and a time control" in refused.content.decode()


def test_an_invitation(make_match: MakeMatch, bob: User, stranger: User) -> None:
    first, second = (
        make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob)], private=private)
        for private in (True, False)
    )
    client = logged_in(bob)
    for path in (LOBBY, "/matches/", "/"):
        page = text(client, path)
        assert page.count(">Accept<") == page.count(">Decline<") == 2
        assert "2<span" in page and "invitations" in page
    assert "open-head" not in text(client, "/matches/")
    assert logged_in(stranger).post(page_of("accept", second)).status_code == 409
    assert client.post(page_of("accept", first)).url == first.get_absolute_url()
    assert client.post(page_of("accept", first)).url == first.get_absolute_url()
    answer = client.post(page_of("decline", second), follow=True)
    page = answer.content.decode()
    assert "Invitation declined" in page and ">Accept<" not in page
    again = client.post(page_of("decline", second), follow=True)
    assert "no open invitation" in again.content.decode()
    assert Client().post(page_of("accept", second)).status_code == 403


def test_the_host_at_an_open_table(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    match = make_match(seats=[SeatPlan(), OPEN, OPEN])
    client = logged_in(ann)
    page = text(client, match.get_absolute_url())
    assert page.count("Add a bot</button>") == 2 and "List in lobby" in page
    refused = client.post(page_of("invite", match), {"seat": "1", "username": "zoe"})
    assert (refused.status_code, "No user named" in refused.content.decode()) == (422, True)
    client.post(page_of("invite", match), {"seat": "2", "username": "bob"})
    assert "Cancel invitation" in text(client, match.get_absolute_url())
    assert match.seats.get(number=2).invited == bob
    client.post(page_of("uninvite", match), {"username": "bob"})
    client.post(page_of("listed", match), {"listed": "1"})
    assert "Join table<" in text(Client(), LOBBY)
    client.post(page_of("listed", match), {"listed": "0"})
    assert "Join table<" not in text(Client(), LOBBY)
    assert client.post(page_of("fill", match), {"seat": "x"}).status_code == 409
    client.post(page_of("fill", match), {"seat": "1"})
    assert logged_in(stranger).post(page_of("fill", match), {"seat": "2"}).status_code == 403
    client.post(page_of("fill", match), {"seat": "2"})
    match.refresh_from_db()
    assert match.status == Status.RUNNING


def test_a_guest_gives_a_name(table: Match, make_match: MakeMatch, bob: User) -> None:
    friend = Client()
    assert "Your name" in text(friend, page_of("join", table))
    refused = friend.post(page_of("join", table), {"name": "\u202ebad"})
    assert refused.status_code == 422 and not User.objects.filter(is_guest=True).exists()
    assert friend.post(page_of("join", table), {"name": "  Heron "}).status_code == 302
    assert str(table.seats.get(number=1).user) == "Heron"
    other = make_match(seats=[SeatPlan(), OPEN])
    assert "Your name" not in text(logged_in(bob), page_of("join", other))


@pytest.mark.usefixtures("contexts")
@pytest.mark.parametrize(
    ("changes", "opened"),
    [
        ({"option_turn_limit": "5"}, True),
        ({"client_seed": "x" * 65}, True),
        ({"seat_2": "person", "name_2": "nobody-here"}, False),
    ],
)
def test_what_is_rarely_changed_is_folded_until_it_is_wrong(
    client: Client, changes: dict[str, Any], opened: bool
) -> None:
    page = text(client, reverse("matches:new") + f"?game={GAME}")
    assert '<details class="more">' in page
    assert page.index("option_guards") < page.index("<summary>More") < page.index("option_turn")
    answer = client.post(reverse("matches:new"), {**NEW, "private": "on", **changes})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert ('<details class="more" open>' in page) == opened
    form = answer.context["form"]
    assert (form["private"].value(), form["seat_1"].value()) == (True, "bot:random")


def test_a_new_table_stands_in_the_lobby_unless_it_must_not(ann: User) -> None:
    client = logged_in(ann)
    form = {**NEW, "seat_1": "open", "seat_2": "", "bots_after_minutes": "60"}
    for more, listed in (
        ({"listed": "on"}, True),
        ({}, False),
        ({"listed": "on", "private": "on"}, False),
    ):
        client.post(reverse("matches:new"), form | more)
        match = Match.objects.latest("pk")
        assert match.listed == listed
        assert match.bots_join_at is not None
        assert (match.bots_join_at - match.created_at).total_seconds() == 3600


def test_the_start_page_of_somebody_who_plays(make_match: MakeMatch, ann: User, bob: User) -> None:
    assert "Your tables" not in text(logged_in(ann), "/")
    waits, mine = make_match(), make_match()
    for match, user in ((waits, bob), (mine, ann)):
        match.seats.update(prompt=None)
        match.seats.filter(user=user).update(prompt=1)
    page = text(logged_in(ann), "/")
    assert page.index(mine.get_absolute_url()) < page.index(waits.get_absolute_url())
    assert page.index("Your turn") < page.index("Waiting for Bob") < page.index("hero-title")
    assert "Your tables" not in text(Client(), "/")


def test_playing_again(match: Match, ann: User, bob: User) -> None:
    concede(slug=match.slug, user=ann)
    assert '<select id="new-seats"' in text(logged_in(ann), page_of("result", match))
    logged_in(ann).post(page_of("rematch", match), {"seats": "keep"})
    page = text(logged_in(bob), page_of("result", match))
    assert "Accept rematch with Ann" in page and "new-seats" not in page
    assert "Go to rematch" in text(logged_in(ann), page_of("result", match))
    answer = logged_in(bob).post(page_of("rematch", match), {"seats": "swap"})
    again = Match.objects.get(rematch_of=match)
    assert (answer.url, again.status) == (again.get_absolute_url(), Status.RUNNING)
    assert again.seats.get(number=0).user == ann


def test_nothing_shows_the_deck_of_a_table_that_was_called_off(
    make_match: MakeMatch, ann: User, staff: User
) -> None:
    """Ann's private list is nowhere: not on pages, not in the API, not in the administration."""
    card = next(iter(READY_CARDS["main"]))
    match = make_match(mode="tournament", options={}, deck=READY_CARDS, seats=[SeatPlan(), OPEN])
    leave_match(match=match, user=ann)
    admin = reverse("admin:matches_match_change", args=(match.pk,))
    paths = [admin, page_of("fairness", match), match.get_absolute_url()]
    for client in (logged_in(staff), logged_in(ann), Client()):
        for path in paths:
            assert card not in client.get(path).content.decode()
    for what in ("", "fairness/", "state/"):
        for user in (ann, staff, None):
            answer = api(user).get(f"/api/matches/{match.slug}/{what}")
            assert answer.status_code == 200 and card not in answer.content.decode()


def test_a_window_of_ratings_on_pages(ann: User, bob: User) -> None:
    """It is asked for under “More”; whoever does not fit reads why, and has nothing to press."""
    form = {**NEW, "seat_1": "open", "listed": "on", "rating_within": "100", "rated": "on"}
    refused = logged_in(ann).post("/play/?mode=match", form | {"private": "on"})
    assert refused.status_code == 422 and "Private matches aren’t rated" in refused.content.decode()
    assert logged_in(ann).post("/play/?mode=match", form).status_code == 302
    match = Match.objects.get()
    assert (match.rating_from, match.rating_to) == (1400, 1600)
    path = page_of("join", match)
    assert "Rating 1400 to 1600" in text(Client(), LOBBY) and "Join table<" in text(Client(), LOBBY)
    assert "between 1400 and 1600" in text(logged_in(ann), page_of("table", match))
    assert 'type="submit">Join table' in text(logged_in(bob), path)
    Match.objects.update(rating_from=1600, rating_to=1800)
    for page in (text(logged_in(bob), LOBBY), text(logged_in(bob), path), text(Client(), path)):
        assert "for ratings from 1600 to 1800; without one you count as 1500." in page
        assert 'type="submit">Join table' not in page
    answer = logged_in(bob).post(page_of("sit", match))
    assert answer.status_code == 422 and "you count as 1500" in answer.content.decode()


def test_accounts_of_programs_are_marked_where_names_stand(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    """In the lobby, in the list of one's tables, and on the felt; and what to do about people."""
    User.objects.filter(pk=bob.pk).update(is_bot=True)
    bob.refresh_from_db()
    match = make_match()
    make_match(host=bob, seats=[SeatPlan(), OPEN], listed=True)
    lobby = text(Client(), LOBBY)
    assert "Program</span>" in lobby[lobby.index(">Bob ") :][:300]
    assert "Program</span>" in text(logged_in(ann), "/matches/")
    table = text(logged_in(ann), page_of("table", match))
    assert 'class="seat-program"' in table[table.index('id="table"') :]
    report = f"{page_of('report', match)}?seat=1"
    assert f'href="{report}"' in table, "Bob can be reported"
    assert "?seat=0" not in table, "and Ann cannot report herself"
    assert "Behaviour of <b>Bob</b>" in text(logged_in(ann), report)
    assert "Behaviour of" not in text(logged_in(ann), report.replace("=1", "=99999"))
    answer = logged_in(ann).post(page_of("report", match), {"seat": "1", "why": "He is rude."})
    assert answer.status_code == 302 and Report.objects.get().about == bob
    assert "?seat=" not in text(Client(), page_of("table", match)), "who visits has to log in"


def test_reserved_seats_are_told_before_any_click(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan("open", user=bob)])
    for client in (Client(), logged_in(stranger)):
        page = text(client, page_of("join", match))
        assert "The open seats of this table are reserved." in page and "Join table<" not in page
        assert client.post(page_of("join", match), {"client_seed": ""}).status_code == 422
        assert client.post(page_of("sit", match)).status_code == 422
    assert not User.objects.filter(is_guest=True).exists(), "no guest for nothing"
    invited = logged_in(bob)
    assert page_of("decline", match) in text(invited, page_of("join", match))
    invited.post(page_of("decline", match))
    assert match.seats.get(number=1).invited is None


def test_a_wrong_name_is_a_word_at_the_field(table: Match, ann: User) -> None:
    refused = logged_in(ann).post(page_of("invite", table), {"seat": "1", "username": "nobdy"})
    page = refused.content.decode()
    assert refused.status_code == 422 and 'value="nobdy" aria-invalid="true"' in page
    assert page.count("No user named “nobdy”. Check the spelling.") == 1


def test_a_person_can_be_challenged_from_their_page(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    running = make_match()
    client = logged_in(stranger)
    page = text(client, "/people/bob/")
    for address in ("/play/?opponent=bob", "/you/blocks/?username=bob", running.get_absolute_url()):
        assert f'href="{address}"' in page
    assert client.post("/friends/", {"username": "bob"}).status_code == 302
    assert "Add friend" in page and "Add friend" not in text(client, "/people/bob/")
    received = text(logged_in(bob), "/people/sam/")
    assert ">Accept friend request<" in received and "Add friend" not in received
    form = text(client, "/play/?mode=match&opponent=bob")
    assert 'value="person" selected' in form and 'value="bob"' in form
    User.objects.filter(pk=bob.pk).update(shows_matches=False)
    assert running.slug not in text(client, "/people/bob/")
    assert "Challenge" not in text(Client(), "/people/bob/") + text(logged_in(bob), "/people/bob/")
