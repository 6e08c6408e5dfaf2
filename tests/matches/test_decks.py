"""The decks that people bring: chosen, checked, copied, kept secret, and kept for the next time."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from decks.models import Deck
from decks.services.decks import create_deck, update_deck
from matches import engine
from matches.errors import IllegalDeck, NotPossible
from matches.models import Match, SeatKind, Status
from matches.queries.seats import seat_infos
from matches.queries.tables import matches_of
from matches.services.play import concede
from matches.services.rematch import rematch
from matches.services.repair import first_difference
from matches.services.setup import SeatPlan, join_match, leave_match
from tests.games.examples import (
    CLAW,
    EXAMPLE,
    GAME,
    MASTER_DECK,
    TOO_FEW_CARDS,
    TOO_FEW_CHARACTERS,
    TOO_MANY_COPIES,
)
from tests.matches.conftest import MakeMatch, api, play_on, queries_of
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

READY = [deck for deck in EXAMPLE.starter_decks.values() if "tournament" in deck.modes]
MODE = {"game": GAME, "mode": "tournament", "options": {}}


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def own_deck(ann: User) -> Deck:
    """A legal Tournament deck of Ann's: the second ready-made one, less one card and plus one."""
    whole_catalog()
    cards = dict(READY[1].cards["main"])
    cards.popitem()
    spare = next(c for c in EXAMPLE.catalog if c not in cards and "gold" not in c)
    cards[spare] = 1
    return create_deck(
        owner=ann,
        game=GAME,
        mode="tournament",
        name="Ann's secret plan",
        cards={"main": cards},
    )


@pytest.fixture
def draft(ann: User) -> Deck:
    """Three cards are no deck yet."""
    whole_catalog()
    return create_deck(
        owner=ann,
        game=GAME,
        mode="tournament",
        name="Draft",
        cards={"main": {CLAW: 3}},
    )


def lists(match: Match) -> list[Any]:
    return list(match.seats.order_by("number").values_list("deck", flat=True))


def names(match: Match) -> list[str]:
    return list(match.seats.order_by("number").values_list("deck_name", flat=True))


class TestChoosing:
    def test_nobody_has_to_choose(self, make_match: MakeMatch, ann: User) -> None:
        seats = [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * 4]
        match = make_match(**MODE, seats=seats)
        count = len(READY)
        assert names(match) == [READY[n % count].name for n in range(5)]
        assert match.decks == [] and match.status == Status.RUNNING

    def test_a_saved_deck_is_played_with(
        self, make_match: MakeMatch, own_deck: Deck, ann: User
    ) -> None:
        match = make_match(
            **MODE, deck=own_deck.slug, seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)]
        )
        assert names(match)[0] == "Ann's secret plan"
        dealt = {card["slug"] for card in engine.load(match).view(0)["players"][0]["hand"]["cards"]}
        assert dealt <= set(lists(match)[0]["main"])

    def test_later_changes_do_not_matter(
        self, make_match: MakeMatch, own_deck: Deck, ann: User, bob: User
    ) -> None:
        match = make_match(**MODE, deck=own_deck.slug, seats=[SeatPlan(user=ann), SeatPlan("open")])
        before = lists(match)[0]
        update_deck(user=ann, slug=own_deck.slug, cards={"main": {CLAW: 1}})
        join_match(match=match, user=bob)
        match.refresh_from_db()
        assert match.status == Status.RUNNING and lists(match)[0] == before

    def test_whoever_joins_brings_one_too(
        self, make_match: MakeMatch, own_deck: Deck, ann: User, bob: User
    ) -> None:
        match = make_match(**MODE, host=bob, seats=[SeatPlan(user=bob), SeatPlan("open")])
        assert lists(match)[1] is None
        join_match(match=match, user=ann, deck=own_deck.slug)
        assert names(match) == [READY[0].name, "Ann's secret plan"]
        match.refresh_from_db()
        assert first_difference(play_on(match, 30)) is None

    def test_a_seat_given_back_is_empty(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        match = make_match(**MODE, seats=[SeatPlan(user=ann), SeatPlan("open"), SeatPlan("open")])
        join_match(match=match, user=bob, deck=READY[2].slug)
        leave_match(match=match, user=bob)
        assert names(match)[1:] == ["", ""] and lists(match)[1:] == [None, None]

    def test_a_deck_of_somebody_else_is_no_deck(
        self, make_match: MakeMatch, own_deck: Deck, bob: User
    ) -> None:
        with pytest.raises(NotPossible, match="You have no deck"):
            make_match(**MODE, host=bob, deck=own_deck.slug, seats=[SeatPlan(user=bob)] * 1)

    def test_a_deck_of_another_mode_is_refused(
        self, make_match: MakeMatch, ann: User, own_deck: Deck
    ) -> None:
        with pytest.raises(NotPossible, match="was not built for"):
            make_match(deck=own_deck.slug, options={"boosters": "deck"})
        with pytest.raises(NotPossible, match="You have no deck"):
            make_match(**MODE, deck=MASTER_DECK)

    def test_an_illegal_one_is_refused_with_its_report(
        self, make_match: MakeMatch, draft: Deck
    ) -> None:
        with pytest.raises(IllegalDeck) as refused:
            make_match(**MODE, deck=draft.slug)
        rules_broken = [problem["rule"] for problem in refused.value.extra["problems"]]
        assert {TOO_FEW_CARDS, TOO_FEW_CHARACTERS, TOO_MANY_COPIES} <= set(rules_broken)
        assert not Match.objects.exists()

    def test_a_rematch_keeps_everybodys_deck(
        self, make_match: MakeMatch, own_deck: Deck, ann: User, bob: User
    ) -> None:
        match = make_match(**MODE, seats=[SeatPlan(user=ann), SeatPlan("open")], deck=own_deck.slug)
        join_match(match=match, user=bob, deck=READY[2].slug)
        concede(slug=match.slug, user=bob)
        again = rematch(slug=match.slug, user=ann)
        join_match(match=again, user=bob)
        assert names(again) == [READY[2].name, "Ann's secret plan"]
        assert lists(again) == lists(match)[::-1]


class TestApi:
    def test_a_deck_by_slug(self, own_deck: Deck, ann: User, bob: User) -> None:
        new = {
            "game": GAME,
            "mode": "tournament",
            "seats": [{"kind": "person"}, {"kind": "open"}],
            "deck": own_deck.slug,
        }
        response = api(ann).post("/api/matches/", new, format="json")
        assert response.status_code == 201, response.content
        slug = response.json()["slug"]
        joined = api(bob).post(f"/api/matches/{slug}/join/", {"deck": READY[1].slug}, format="json")
        assert joined.status_code == 200 and joined.json()["status"] == "running"
        assert names(Match.objects.get(slug=slug)) == ["Ann's secret plan", READY[1].name]

    @pytest.mark.parametrize("where", ["create", "join"])
    def test_an_illegal_deck_is_a_problem_document(
        self, where: str, make_match: MakeMatch, draft: Deck, ann: User, bob: User
    ) -> None:
        if where == "create":
            seats = [{"kind": "person"}, {"kind": "bot"}]
            new = {"game": GAME, "mode": "tournament", "seats": seats, "deck": draft.slug}
            answer = api(ann).post("/api/matches/", new, format="json")
        else:
            match = make_match(**MODE, host=bob, seats=[SeatPlan(user=bob), SeatPlan("open")])
            path = f"/api/matches/{match.slug}/join/"
            answer = api(ann).post(path, {"deck": draft.slug}, format="json")
        assert answer.status_code == 422
        problem = answer.json()
        assert problem["type"] == "/api/problems/illegal-deck/"
        assert problem["deck"] == "Draft" and len(problem["problems"]) >= 3
        assert {"rule", "message", "fix"} <= set(problem["problems"][0])

    def test_nobody_brings_a_deck_where_all_share_one(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        match = make_match(seats=[SeatPlan(user=ann), SeatPlan("open")])
        path = f"/api/matches/{match.slug}/join/"
        answer = api(bob).post(path, {"deck": READY[0].slug}, format="json")
        assert answer.status_code == 422 and match.seats.get(number=1).user is None

    def test_a_shared_deck_by_slug(self, ann: User) -> None:
        new = {
            "game": GAME,
            "mode": "power",
            "seats": [{"kind": "person"}, {"kind": "bot"}],
            "options": {"boosters": "deck"},
            "deck": MASTER_DECK,
        }
        answer = api(ann).post("/api/matches/", new, format="json")
        assert answer.status_code == 201
        assert len(Match.objects.get().decks[0]["main"]) == 60

    def test_alone(self, ann: User) -> None:
        new = {"game": GAME, "mode": "single", "seats": [{"kind": "person"}]}
        body = api(ann).post("/api/matches/", new, format="json").json()
        assert body["status"] == "running" and body["deadline_at"] is None
        state = api(ann).get(f"/api/matches/{body['slug']}/state/").json()
        assert state["prompt"]["kind"] == "solo_play"


class TestSecrecy:
    PATHS = ("", "state/", "events/", "fairness/")

    def test_a_deck_is_in_no_answer_before_the_end(
        self, make_match: MakeMatch, own_deck: Deck, ann: User, bob: User
    ) -> None:
        match = make_match(**MODE, deck=own_deck.slug, seats=[SeatPlan(user=ann), SeatPlan("open")])
        join_match(match=match, user=bob)
        pages = [reverse(f"matches:{name}", args=[match.slug]) for name in ("table", "fairness")]

        def seen() -> str:
            match_pages = [logged_in(bob).get(page).content.decode() for page in pages]
            answers = [
                api(user).get(f"/api/matches/{match.slug}/{path}").content.decode()
                for user in (bob, None)
                for path in self.PATHS
            ]
            return "".join(match_pages + answers)

        assert "secret plan" not in seen() and own_deck.slug not in seen()
        hidden = api(bob).get(f"/api/matches/{match.slug}/fairness/").json()
        assert hidden["decks"] is None
        concede(slug=match.slug, user=bob)
        body = api(bob).get(f"/api/matches/{match.slug}/fairness/").json()
        assert body["decks"] == lists(match)
        result = logged_in(bob).get(reverse("matches:result", args=[match.slug]))
        assert "secret plan" in result.content.decode()

    def test_lists_do_not_read_the_decks(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        def read() -> None:
            for match in matches_of(ann):
                seat_infos(match, ann)

        make_match(**MODE)
        before = queries_of(read)
        make_match(**MODE)
        make_match(**MODE, seats=[SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * 7])
        assert queries_of(read) == before


class TestForms:
    def test_the_page_offers_legal_own_decks_and_ready_made_ones(
        self, own_deck: Deck, draft: Deck, ann: User
    ) -> None:
        page = logged_in(ann).get(f"/play/?game={GAME}&mode=tournament").content.decode()
        assert own_deck.slug in page and draft.slug not in page
        assert all(deck.name in page for deck in READY)

    def test_a_deck_that_has_become_illegal_is_explained(self, draft: Deck, ann: User) -> None:
        answer = logged_in(ann).post(
            f"/play/?game={GAME}&mode=tournament",
            {
                "seat_1": "bot:greedy",
                "time_control": "steady",
                "deck": draft.slug,
                "option_ante": "off",
                "option_turn_limit": "100",
            },
        )
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "a Tournament deck needs at least 40" in page and "at least 5 are needed" in page
        assert f'<a href="/rules/{TOO_FEW_CHARACTERS}/">{TOO_FEW_CHARACTERS}</a>' in page

    def test_joining_by_the_page(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        match = make_match(**MODE, seats=[SeatPlan(user=ann), SeatPlan("open")])
        path = reverse("matches:join", args=[match.slug])
        assert READY[2].name in logged_in(bob).get(path).content.decode()
        answer = logged_in(bob).post(path, {"deck": READY[2].slug})
        assert answer.status_code == 302 and names(match)[1] == READY[2].name
        match.refresh_from_db()
        assert match.status == Status.RUNNING

    def test_alone_in_one_click(self, client: Client) -> None:
        page = client.get(f"/play/?game={GAME}&mode=single").content.decode()
        assert "Play Single Play" in page and 'name="time_control"' not in page
        answer = client.post(f"/play/?game={GAME}&mode=single", {"option_solo_deal": "3"})
        assert answer.status_code == 302
        match = Match.objects.get()
        assert match.status == Status.RUNNING and match.seats.count() == 1

    def test_quick_sits_down_in_any_mode(self, client: Client) -> None:
        for mode in ("match", "tournament", "power", "single"):
            assert client.post(f"/play/quick/?game={GAME}&mode={mode}").status_code == 302
        assert Match.objects.filter(status=Status.RUNNING).count() == 4


def test_a_deck_is_played_with_at_one_click(ann: User, bob: User) -> None:
    """From its page: one's own, a preconstructed one, and one that somebody shows."""
    mode = EXAMPLE.modes["tournament"]
    starter = READY[1]
    own, shared = (
        create_deck(owner=user, game=GAME, mode=mode.slug, name=f"{user}’s") for user in (ann, bob)
    )
    client = Client()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    address = f"{reverse('matches:quick')}?game={GAME}&mode={mode.slug}"
    page = client.get(reverse("decks:ready_made", args=(GAME, starter.slug))).content.decode()
    assert f'name="deck" value="{starter.slug}"' in page and "Play with this deck" in page
    client.post(address, {"deck": starter.slug, "bot": "random"})
    match = Match.objects.order_by("-pk")[0]
    seat, other = match.seats.order_by("number")
    assert (seat.deck_name, other.bot) == (starter.name, "random")
    for deck, status in ((own, 422), (shared, 404)):  # an empty deck is refused, a private unknown
        assert client.post(address, {"deck": deck.slug}).status_code == status
    page = client.get(own.get_absolute_url()).content.decode()
    assert f'name="deck" value="{own.slug}"' in page


def test_a_game_page_says_how_strong_its_bots_are(client: Client) -> None:
    page = client.get(reverse("matches:game", args=(GAME,))).content.decode()
    assert "plays at random" in page and "knows the basics" in page and "thinks ahead" in page
    for slug, thinker in EXAMPLE.thinkers.items():
        modes = ", ".join(EXAMPLE.modes[mode].name for mode in thinker.modes)
        assert thinker.name in page and f"Modes: {modes}." in page
        form = next(form for form in page.split("<form")[1:] if f'value="{slug}"' in form)
        address = unescape(form.split('action="')[1].split('"')[0])
        assert client.post(address, {"bot": slug}).status_code == 302, "a mode that it plays"
        assert Match.objects.latest("pk").seats.get(number=1).bot == slug
    home = client.get("/").content.decode()
    assert home.count(f"{reverse('matches:quick')}?game=") == len(
        [game for game in rules.games().values() if any(m.playable for m in game.modes.values())]
    )
