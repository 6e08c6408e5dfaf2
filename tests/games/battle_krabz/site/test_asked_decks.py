"""Decks that only an option asks for: the forms, the words at the table, the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules
from accounts.models import User
from matches.errors import IllegalDeck, NotPossible
from matches.forms.setup import JoinForm, NewMatchForm
from matches.models import Match, Status
from matches.services.setup import MatchSetup, SeatPlan, create_match, join_match
from tests.matches.test_pages import logged_in
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

KRABZ = rules.game("battle-krabz")
MULTI = KRABZ.mode("multi")
NEW_MULTI = "/play/?game=battle-krabz&mode=multi"
NEW_BATTLE = "/play/?game=battle-krabz&mode=battle"
SITTING = {"seat_1": "bot:greedy", "time_control": "steady"}
MULTI_FORM = SITTING | {
    "option_pack": "own",
    "option_trump_size": "15",
    "option_ending": "last_standing",
    "option_round_limit": "60",
}
BATTLE_FORM = SITTING | {
    "deck": "starter-krabz",
    "option_factions": "opposed",
    "option_first_attacker": "coin",
    "option_tied_match": "decider",
    "option_cut_short": "on",
    "option_battle_limit": "0",
    "option_open_lists": "off",
    "option_always_ask": "off",
}


def seated(**choices: Any) -> Match:
    """The match that the form with these choices makes."""
    answer = logged_in(User.objects.get(username="ann")).post(NEW_MULTI, MULTI_FORM | choices)
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.get()


class TestSettingUp:
    def test_a_deck_can_be_chosen_wherever_an_option_may_ask_for_one(self, client: Client) -> None:
        page = client.get(NEW_MULTI).content.decode()
        assert page.count('data-asks="own"') == page.count('name="deck"') == 1

    def test_own_trump_decks(self, ann: User) -> None:
        match = seated(deck="trumps-enemigos")
        names = [seat.deck_name for seat in match.seats.order_by("number")]
        assert names[0] == "Trump Deck Enemigos" and names[1].startswith("Trump Deck")
        assert match.status == Status.RUNNING

    @pytest.mark.parametrize(("size", "deck"), [("10", "krabz-10"), ("30", "enemigos-30")])
    def test_everybody_s_deck_has_the_size_that_is_agreed(
        self, size: str, deck: str, ann: User
    ) -> None:
        match = seated(option_trump_size=size, deck=f"trumps-{deck}")
        for seat in match.seats.all():
            assert seat.deck is not None
            assert sum(seat.deck["main"].values()) == int(size)

    def test_the_common_pack_needs_no_deck_and_takes_none(self, ann: User) -> None:
        match = seated(option_pack="common", deck="trumps-krabz-30")
        assert [seat.deck for seat in match.seats.all()] == [None, None]

    def test_a_deck_of_another_size_is_explained_and_nothing_typed_is_lost(self, ann: User) -> None:
        answer = logged_in(ann).post(
            NEW_MULTI,
            MULTI_FORM
            | {
                "option_trump_size": "20",
                "deck": "trumps-enemigos",
                "option_round_limit": "77",
                "client_seed": "seven hops",
            },
        )
        page = answer.content.decode()
        assert answer.status_code == 422 and not Match.objects.exists()
        assert "Trump deck has 15 cards, exactly 20 needed. Add 5." in page
        assert '<option value="trumps-enemigos" selected>' in page
        assert 'value="77"' in page and 'value="seven hops"' in page
        form = NewMatchForm(
            MULTI_FORM | {"option_trump_size": "20"}, game=KRABZ, mode=MULTI, host=ann
        )
        assert not form.is_valid() and form.errors["deck"] == ["Choose the deck to play with."]

    def test_a_word_stands_in_place_of_a_number(self, ann: User) -> None:
        answer = logged_in(ann).post(NEW_BATTLE, BATTLE_FORM | {"word_target": "on"})
        assert answer.status_code == 302, answer.content.decode()
        assert Match.objects.get().options["target"] == "all"

    def test_neither_word_nor_number(self, ann: User) -> None:
        answer = logged_in(ann).post(NEW_BATTLE, BATTLE_FORM | {"option_target": ""})
        assert answer.status_code == 422 and "Enter a number." in answer.content.decode()


class TestSittingDown:
    def open_table(self, ann: User, **options: Any) -> Match:
        return create_match(
            host=ann,
            setup=MatchSetup(
                game="battle-krabz",
                mode="multi",
                seats=[SeatPlan(), SeatPlan("open")],
                options=options,
            ),
        )

    def test_what_is_asked_stands_at_the_open_table_and_at_the_invitation(
        self, ann: User, bob: User
    ) -> None:
        for options, words in (
            ({"pack": "own"}, "Each player brings a deck"),
            ({}, "<dd>None</dd>"),
        ):
            match = self.open_table(ann, **options)
            join = reverse("matches:join", args=(match.slug,))
            for user, path in ((ann, match.get_absolute_url()), (bob, join)):
                assert words in logged_in(user).get(path).content.decode()

    def test_the_invitation_asks_for_a_deck_only_where_the_match_does(
        self, ann: User, bob: User
    ) -> None:
        match = self.open_table(ann, pack="own", trump_size=10)
        path = reverse("matches:join", args=(match.slug,))
        for nothing in ({}, {"deck": ""}):
            empty = logged_in(bob).post(path, nothing)
            assert "Choose the deck to play with." in empty.content.decode()
        refused = logged_in(bob).post(path, {"deck": "trumps-enemigos"})
        assert refused.status_code == 422
        assert "exactly 10 needed" in refused.content.decode()
        assert logged_in(bob).post(path, {"deck": "trumps-enemigos-10"}).status_code == 302
        assert match.seats.get(number=1).deck_name == "Trump Deck Enemigos, Ten"
        form = JoinForm(game=KRABZ, mode=MULTI, options={"pack": "common"}, user=bob)
        assert "deck" not in form.fields

    def test_a_deck_for_no_use_is_refused(self, ann: User, bob: User) -> None:
        with pytest.raises(NotPossible):
            join_match(match=self.open_table(ann), user=bob, deck="trumps-krabz")

    def test_a_deck_that_may_not_meet_the_others_is_refused(self, ann: User, bob: User) -> None:
        """Krabz at both sides: the one who comes second is told, and the seat stays free."""
        match = create_match(
            host=ann,
            setup=MatchSetup(
                game="battle-krabz",
                mode="battle",
                seats=[SeatPlan(), SeatPlan("open")],
                deck="starter-krabz",
            ),
        )
        path = reverse("matches:join", args=(match.slug,))
        refused = logged_in(bob).post(path, {"deck": "starter-krabz"})
        assert refused.status_code == 422
        assert "Both decks are Krabz" in refused.content.decode()
        assert '<option value="starter-krabz" selected>' in refused.content.decode()
        match.refresh_from_db()
        assert match.status == Status.OPEN


def test_the_api_says_which_values_ask_for_decks(db: None, client: Client) -> None:
    whole_catalog()
    modes = client.get("/api/games/battle-krabz/").json()["modes"]
    multi = next(mode for mode in modes if mode["slug"] == "multi")
    options = {option["slug"]: option for option in multi["options"]}
    assert not multi["own_decks"] and options["pack"]["decks"] == {"own": "own"}
    assert options["trump_size"]["judges"] and not options["ending"]["judges"]


def test_a_list_by_the_api_is_judged_with_the_options(ann: User) -> None:
    deck = KRABZ.starter_decks["trumps-krabz-20"].cards
    with pytest.raises(IllegalDeck, match="exactly 15 needed"):
        create_match(
            host=ann,
            setup=MatchSetup(
                game="battle-krabz",
                mode="multi",
                seats=[SeatPlan(), SeatPlan("bot")],
                options={"pack": "own"},
                deck=deck,
            ),
        )
