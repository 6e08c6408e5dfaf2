"""Writing decks: what is kept, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

import rules
from accounts.models import User
from accounts.services.guests import merge_guest
from collection.models import Card
from decks.errors import BadDeck, NotYourDeck, TooManyDecks, UnknownDeck
from decks.models import Deck, DeckEntry
from decks.queries import decks as queries
from decks.services import decks as services
from tests.games.examples import CLAW, GAME, GAME_NAME, READY_DECK, RED_7

MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


def test_a_deck_keeps_its_list(make_deck: MakeDeck) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1}}, name="  Two   Claws ")
    assert queries.decklist(Deck.objects.get()) == {"main": {CLAW: 2, RED_7: 1}}
    assert (deck.name, deck.visibility, deck.typed) == ("Two Claws", "private", "")
    assert len(deck.slug) == 12


def test_a_typed_deck_keeps_every_word(make_deck: MakeDeck) -> None:
    text = "# beasts\n2 Red Claw  # the strong one\n1 Red 7\n0 Red 8"
    deck = make_deck(text=text)
    assert queries.decklist(deck) == {"main": {CLAW: 2, RED_7: 1}}
    assert deck.typed == text


def test_unread_lines_are_refused_one_by_one(make_deck: MakeDeck) -> None:
    with pytest.raises(BadDeck) as refused:
        make_deck(text="2 Red Claw\n1 Unicorn\n\nGriffin")
    assert refused.value.field == "text"
    assert refused.value.problems == [
        "Line 2: no card named “Unicorn”.",
        "Line 4: no card named “Griffin”.",
    ]
    assert not Deck.objects.exists()


def test_unread_lines_become_comments_when_the_owner_says_so(make_deck: MakeDeck) -> None:
    deck = make_deck(text="2 Red Claw\n1 Unicorn", skip_unread=True)
    assert queries.decklist(deck) == {"main": {CLAW: 2}}
    assert deck.typed == "2 Red Claw\n# 1 Unicorn\n"


@pytest.mark.parametrize(
    ("about", "field", "message"),
    [
        ({"game": "chess"}, "game", "There is no game “chess”"),
        ({"mode": "blitz"}, "mode", f"{GAME_NAME} has no decks for “blitz”"),
        ({"mode": "single"}, "mode", f"{GAME_NAME} has no decks for “single”"),
        ({"name": " "}, "name", "1 to 80 characters"),
        ({"name": "x" * 81}, "name", "1 to 80 characters"),
        ({"visibility": "secret"}, "visibility", "private, unlisted, public"),
        ({"cards": {"main": {"unicorn": 1}}}, "deck", "“unicorn” is not a card of this game."),
        ({"cards": {"main": {CLAW: 1000}}}, "deck", "limit: 999"),
        ({"cards": {"main": {CLAW: -1}}}, "deck", "whole number of at least 0"),
        ({"cards": {"side": {CLAW: 1}}}, "deck", "no section “side”"),
        ({"cards": {"main": {f"c{n}": 1 for n in range(501)}}}, "deck", "up to 500"),
        ({"text": "1000 Red Claw"}, "deck", "limit: 999"),
        ({"text": "Red Claw\n" * 501}, "text", "501 lines (limit: 500)"),
        ({"text": "#" * 30_001}, "text", "30,001 characters (limit: 30,000)"),
    ],
)
def test_what_is_no_deck_is_refused(
    make_deck: MakeDeck, about: dict[str, object], field: str, message: str
) -> None:
    with pytest.raises(BadDeck, match=re.escape(message)) as refused:
        make_deck(**about)
    assert refused.value.field == field
    assert not Deck.objects.exists()


def test_one_person_keeps_a_bounded_number_of_decks(
    make_deck: MakeDeck, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "DECKS_A_PERSON", 1)
    make_deck()
    with pytest.raises(TooManyDecks, match="You already have 1 decks"):
        make_deck()
    make_deck(owner=stranger)


def test_a_change_changes_what_is_given_and_nothing_else(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(text="# mine\n2 Red Claw")
    services.update_deck(user=owner, slug=deck.slug, name="Cinders")
    changed = Deck.objects.get()
    assert (changed.name, changed.typed, changed.mode) == (
        "Cinders",
        "# mine\n2 Red Claw",
        "tournament",
    )
    assert queries.decklist(changed) == {"main": {CLAW: 2}}
    assert changed.changed > deck.changed

    services.update_deck(user=owner, slug=deck.slug, cards={"main": {RED_7: 1}}, mode="match")
    changed.refresh_from_db()
    assert queries.decklist(changed) == {"main": {RED_7: 1}}
    assert (changed.typed, changed.mode, changed.name) == ("", "match", "Cinders")


def test_a_refused_change_leaves_the_deck_as_it_was(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    with pytest.raises(BadDeck):
        services.update_deck(user=owner, slug=deck.slug, name="Gone", text="1 Unicorn")
    with pytest.raises(BadDeck):
        services.update_deck(user=owner, slug=deck.slug, cards={"main": {RED_7: 1, "unicorn": 1}})
    deck.refresh_from_db()
    assert deck.name == "Embers"
    assert queries.decklist(deck) == {"main": {CLAW: 2}}


@pytest.mark.parametrize(
    ("visibility", "refusal"),
    [("private", UnknownDeck), ("unlisted", NotYourDeck), ("public", NotYourDeck)],
)
def test_only_the_owner_changes_or_deletes(
    make_deck: MakeDeck, stranger: User, visibility: str, refusal: type[Exception]
) -> None:
    deck = make_deck(visibility=visibility)
    with pytest.raises(refusal):
        services.update_deck(user=stranger, slug=deck.slug, name="Mine now")
    with pytest.raises(refusal):
        services.delete_deck(user=stranger, slug=deck.slug)
    assert Deck.objects.get().name == "Embers"


def test_deleting_takes_the_entries_along_and_no_card(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    services.delete_deck(user=owner, slug=deck.slug)
    assert not Deck.objects.exists()
    assert not DeckEntry.objects.exists()
    assert Card.objects.filter(slug=CLAW).exists()
    with pytest.raises(UnknownDeck):
        services.delete_deck(user=owner, slug=deck.slug)


@pytest.mark.parametrize(
    ("game", "starter"),
    [(game.slug, slug) for game in rules.games().values() for slug in game.starter_decks],
)
def test_every_ready_made_deck_can_be_made_ones_own_and_is_legal(
    catalog: None, owner: User, game: str, starter: str
) -> None:
    ready_made = rules.game(game).starter_decks[starter]
    for mode in ready_made.modes:
        deck = services.deck_from_starter(owner=owner, game=game, starter=starter, mode=mode)
        page = queries.deck_page(deck)
        assert page.cards == ready_made.cards
        assert page.report is not None
        assert page.report.errors == ()
    assert (
        services.deck_from_starter(owner=owner, game=game, starter=starter).mode
        == ready_made.modes[0]
    )


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"starter": "unicorns"}, "starter"),
        ({"mode": "match"}, "mode"),
    ],
)
def test_a_ready_made_deck_that_does_not_exist(
    catalog: None, owner: User, about: dict[str, str], field: str
) -> None:
    values = {"game": GAME, "starter": READY_DECK} | about
    with pytest.raises(BadDeck) as refused:
        services.deck_from_starter(owner=owner, **values)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_a_guest_who_logs_in_keeps_the_decks(make_deck: MakeDeck, owner: User) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    deck = make_deck(owner=guest)
    merge_guest(guest=guest, user=owner)
    deck.refresh_from_db()
    assert deck.owner == owner


@pytest.mark.parametrize("change", [{"name": ""}, {"visibility": "secret"}])
def test_the_database_guards_decks(make_deck: MakeDeck, change: dict[str, str]) -> None:
    make_deck()
    with pytest.raises(IntegrityError), transaction.atomic():
        Deck.objects.update(**change)


def test_the_database_guards_entries(make_deck: MakeDeck) -> None:
    deck = make_deck()
    (entry,) = deck.entries.all()
    for count in (0, 1000):
        with pytest.raises(IntegrityError), transaction.atomic():
            DeckEntry.objects.update(count=count)
    with pytest.raises(IntegrityError), transaction.atomic():
        DeckEntry.objects.create(deck=deck, section="main", card=entry.card, count=1)
    DeckEntry.objects.create(deck=deck, section="side", card=entry.card, count=1)
