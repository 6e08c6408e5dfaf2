"""Decks that only an option asks for: the forms of Match, Power and Single Play."""

from __future__ import annotations

import pytest
from django.test import Client

import rules
from accounts.models import User
from decks.services.decks import create_deck
from matches.models import Match
from tests.matches.test_pages import logged_in
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

KAOLAN = rules.game("kaolan")
NEW_MATCH = "/play/?game=kaolan&mode=match"
NEW_POWER = "/play/?game=kaolan&mode=power"


def test_a_deck_can_be_chosen_wherever_an_option_may_ask_for_one(client: Client) -> None:
    for path in (NEW_MATCH, NEW_POWER):
        page = client.get(path).content.decode()
        assert page.count('data-asks="shared"') == page.count('name="deck"') == 1, path
    assert 'name="deck"' not in client.get("/play/?game=kaolan&mode=single").content.decode()


def test_one_deck_for_all(ann: User) -> None:
    whole_catalog()
    cards = dict(KAOLAN.starter_decks["kaolan-master"].cards["main"])
    deck = create_deck(
        owner=ann, game="kaolan", mode="match", name="Ann's box", cards={"main": cards}
    )
    form = {
        "seat_1": "bot:greedy",
        "time_control": "steady",
        "option_guards": "3",
        "option_boosters": "booster-1",
        "word_boosters": "on",
        "option_turn_limit": "80",
        "deck": deck.slug,
    }
    answer = logged_in(ann).post(NEW_MATCH, form)
    assert answer.status_code == 302, answer.content.decode()
    match = Match.objects.get()
    assert match.options["boosters"] == "deck" and match.decks == [{"main": cards}]
