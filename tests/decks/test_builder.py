"""The builder: changes, versions, formats, what is owned, and pages with and without scripts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any, cast

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

import rules
from accounts.models import User
from collection.models import Card, Holding
from collection.models.catalog import searched_words
from collection.services.ledger import digital_to, transfer
from decks import statistics
from decks.errors import BadDeck, DeckChanged, NoLegalDeck, UnknownDeck
from decks.models import Deck, Format
from decks.queries import builder as queries
from decks.queries import decks
from decks.services import builder as services
from decks.services import formats, versions
from decks.services.builder import CardChange, parse_changes
from decks.services.decks import create_deck
from rules.engine.game import Mode
from tests.games.examples import (
    AMBUSH,
    BOX_GAME,
    CLAW,
    EXAMPLE,
    FLAME,
    GAME,
    GAME_NAME,
    OTHER,
    OTHER_GAME,
    READY_CARDS,
    RED_7,
    SECTION_GAME,
    TOO_FEW_CARDS,
    TOO_MANY_COPIES,
)
from tests.support.catalog import whole_catalog

HTMX = {"HX-Request": "true"}
MakeDeck = Callable[..., Deck]
MODES = [
    pytest.param(slug, mode.slug, id=f"{slug}-{mode.slug}")
    for slug, game in rules.games().items()
    for mode in game.modes.values()
    if mode.takes_decks
]

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def give(owner: User, cards: dict[str, int], game: str = GAME) -> None:
    """Deal a person these cards."""
    keys = dict(Card.objects.filter(game__slug=game, slug__in=cards).values_list("slug", "pk"))
    moves = digital_to(owner, {keys[slug]: count for slug, count in cards.items()})
    transfer(key=f"test:{owner.pk}:{len(cards)}", reason="grant", movements=moves)


def a_format(owner: User, **about: Any) -> Format:
    return formats.create_format(
        by=owner,
        game=GAME,
        mode="tournament",
        name="Club night",
        rules_of=formats.Rules(**about),
    )


def built(deck: Deck) -> str:
    return reverse("decks:build", args=[deck.slug])


def change(client: Client, deck: Deck, words: str, **about: Any) -> Any:
    return client.post(built(deck), {"change": words} | about, headers=HTMX)


# Presses


def test_what_a_change_says() -> None:
    assert parse_changes("main x +1, * y =3,a b -2>c") == [
        CardChange("main", "x", "+", 1),
        CardChange("*", "y", "=", 3),
        CardChange("a", "b", "-", 2, "c"),
    ]


@pytest.mark.parametrize(
    "words", ["", "main", "main x", "main x 1", "main x +1000", "main x +1;", "ma/in x +1", ",,"]
)
def test_what_is_no_change(words: str) -> None:
    with pytest.raises(ValueError, match="not a change"):
        parse_changes(words)
    with pytest.raises(ValueError, match="not a change"):
        parse_changes(",".join(["main x +1"] * (services.MAX_CHANGES + 1)))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (f"main {CLAW} +1", {CLAW: 3}),
        (f"* {CLAW} -1", {CLAW: 1}),
        (f"* {CLAW} =0", {}),
        (f"main {CLAW} =9", {CLAW: 9}),
        (f"main {CLAW} -9", {}),
        (f"main {RED_7} +2,* {CLAW} -1", {CLAW: 1, RED_7: 2}),
        (f"main {RED_7} -1", {CLAW: 2}),
    ],
)
def test_changes_change_counts(
    make_deck: MakeDeck, owner: User, words: str, left: dict[str, int]
) -> None:
    deck = make_deck()
    services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes(words))
    assert decks.decklist(deck).get("main", {}) == left


def test_cards_go_where_they_belong_or_where_they_are_told(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck(game=SECTION_GAME, mode="standard", cards={})
    for words, into in [("* maelgrath +1", ""), ("* snap-bite +2", ""), ("* pelagor +1", "team")]:
        services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes(words), into=into)
    assert decks.decklist(deck) == {
        "kaiju": {"maelgrath": 1},
        "combat": {"snap-bite": 2},
        "team": {"pelagor": 1},
    }
    services.apply_changes(
        user=owner, slug=deck.slug, changes=parse_changes("team pelagor -1>kaiju")
    )
    assert decks.decklist(deck)["kaiju"] == {"maelgrath": 1, "pelagor": 1}
    services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes("* pelagor -1"))
    assert decks.decklist(deck)["kaiju"] == {"maelgrath": 1}


def test_a_change_on_an_older_version_changes_nothing(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    plus = parse_changes(f"main {CLAW} +1")
    services.apply_changes(user=owner, slug=deck.slug, changes=plus, expected=1)
    with pytest.raises(DeckChanged):
        services.apply_changes(user=owner, slug=deck.slug, changes=plus, expected=1)
    with pytest.raises(BadDeck):
        services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes("main no-card +1"))
    assert decks.decklist(deck) == {"main": {CLAW: 3}}


def test_many_changes_are_one_version_that_one_undo_takes_back(
    make_deck: MakeDeck, owner: User
) -> None:
    text = "[kaiju]\n2 Maelgrath # huge\n\n[combat]\n1 Snap Bite\n"
    deck = make_deck(game=SECTION_GAME, mode="standard", text=text)
    words = "kaiju maelgrath -5,kaiju maelgrath +1,kaiju maelgrath -1>team,* snap-bite +2"
    deck = services.apply_changes(
        user=owner, slug=deck.slug, changes=parse_changes(words), expected=1
    )
    # More is never taken out than there is: the second change finds none left.
    assert decks.decklist(deck) == {"team": {"maelgrath": 1}, "combat": {"snap-bite": 3}}
    assert deck.version == deck.versions.count() == 2
    assert "3 Snap Bite" in deck.typed
    undone = versions.undo_deck(user=owner, slug=deck.slug, expected=2)
    assert decks.decklist(undone) == {"kaiju": {"maelgrath": 2}, "combat": {"snap-bite": 1}}
    assert undone.typed == text


def test_changes_take_as_many_queries_however_many_there_are(
    make_deck: MakeDeck, owner: User
) -> None:
    cards = list(EXAMPLE.catalog)[: services.MAX_CHANGES - 1]
    words = ",".join([f"main {card} +1" for card in cards] + [f"* {CLAW} -1"])
    small, deck = make_deck(), make_deck()
    with CaptureQueriesContext(connection) as first:
        services.apply_changes(user=owner, slug=small.slug, changes=parse_changes(f"* {CLAW} +1"))
    with CaptureQueriesContext(connection) as many:
        services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes(words))
    assert len(first) == len(many)
    assert len(decks.decklist(deck)["main"]) == len(cards)


def test_changes_that_come_to_nothing_are_no_version(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    words = f"main {CLAW} +1,main {CLAW} -1,main {RED_7} =0"
    assert (
        services.apply_changes(user=owner, slug=deck.slug, changes=parse_changes(words)).version
        == 1
    )


def test_of_changes_that_cannot_all_be_none_is_carried_out(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck()
    for wrong in (
        "main no-card +1",
        f"side {CLAW} +1",
        f"main {CLAW} -1>side",
        f"main {CLAW} +999",
    ):
        with pytest.raises(BadDeck):
            services.apply_changes(
                user=owner, slug=deck.slug, changes=parse_changes(f"main {CLAW} +1,{wrong}")
            )
    assert decks.decklist(deck) == {"main": {CLAW: 2}}


def test_a_name_that_is_too_long_is_said_and_kept(mira: Client, catalog: None) -> None:
    form = {"play": f"{GAME}/tournament", "name": "x" * 81, "house": ""}
    answer = mira.post(reverse("decks:new"), form)
    assertContains(answer, "at most 80 characters", status_code=422)
    assertContains(answer, "x" * 81, status_code=422)


# House formats


def test_a_deck_is_judged_by_the_format_that_it_is_built_for(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck(cards=READY_CARDS)
    banned = next(iter(READY_CARDS["main"]))
    club = a_format(owner, restricted={banned: {"most": 0, "reason": "too strong"}})
    services.choose_format(user=owner, slug=deck.slug, format=club.slug)
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert [problem.rule for problem in report.errors] == ["HOUSE-01"]
    assert [page.report == report for page in decks.decks_of(owner)] == [True]
    services.choose_format(user=owner, slug=deck.slug, format="")
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert report.legal


def test_own_cards_only_looks_into_the_owners_collection(make_deck: MakeDeck, owner: User) -> None:
    # Preconstructed decks are for everybody: this is one with a card more.
    cards = {"main": dict(READY_CARDS["main"]) | {AMBUSH: 2}}
    deck = make_deck(cards=cards)
    club = a_format(owner, owned_only=True)
    services.choose_format(user=owner, slug=deck.slug, format=club.slug)
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert not report.legal
    give(owner, cards["main"])
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert report.legal


def test_only_formats_for_the_mode_that_are_offered_can_be_chosen(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(mode="match", cards={})
    with pytest.raises(BadDeck):
        services.choose_format(user=owner, slug=deck.slug, format=a_format(owner).slug)
    other = make_deck()
    hidden = a_format(stranger)
    Format.objects.filter(pk=hidden.pk).update(listed=False)
    with pytest.raises(BadDeck):
        services.choose_format(user=owner, slug=other.slug, format=hidden.slug)
    with pytest.raises(UnknownDeck):
        services.choose_format(user=stranger, slug=other.slug, format=hidden.slug)


# From what is owned


def test_filling_up_takes_what_is_owned_and_keeps_what_is_there(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck(cards={"main": {CLAW: 1}})
    owned = dict(READY_CARDS["main"])
    give(owner, owned)
    _, added = services.fill_from_owned(user=owner, slug=deck.slug, expected=1)
    cards = decks.decklist(deck)["main"]
    assert added == sum(cards.values()) - 1
    assert cards[CLAW] >= 1
    assert all(count <= max(owned.get(card, 0), card == CLAW) for card, count in cards.items())
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert report.legal
    assert services.fill_from_owned(user=owner, slug=deck.slug)[1] == 0


def test_filling_up_from_nothing_adds_nothing(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    assert services.fill_from_owned(user=owner, slug=deck.slug)[1] == 0
    deck.refresh_from_db()
    assert deck.version == 1


def test_what_is_missing_goes_on_the_wishlist(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1, FLAME: 1}}, visibility="public")
    give(stranger, {CLAW: 1, FLAME: 3})
    assert services.want_missing(user=stranger, slug=deck.slug) == 2
    wanted = Holding.objects.filter(owner=stranger, wishlist__gt=0)
    assert dict(wanted.values_list("card__slug", "wishlist")) == {CLAW: 2, RED_7: 1}
    assert services.want_missing(user=stranger, slug=deck.slug) == 0
    pane = queries.pane(make_deck(owner=stranger, cards={"main": {CLAW: 2}}), stranger)
    assert [(need.slug, need.missing, need.on_wishlist) for need in pane.needs] == [(CLAW, 1, True)]
    assert not pane.to_want


# Random decks


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_a_random_deck_is_legal_and_is_kept(
    catalog: None, owner: User, game: str, mode: str
) -> None:
    deck = services.create_random(owner=owner, game=game, mode=mode, name="Luck")
    page = decks.deck_page(decks.access_deck(owner, deck.slug))
    assert page.report is not None
    assert page.report.legal
    assert page.size > 0


def test_a_random_deck_keeps_to_format_and_collection(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    club = a_format(owner, owned_only=True, options={"no_gold": True})
    services.choose_format(user=owner, slug=deck.slug, format=club.slug)
    with pytest.raises(NoLegalDeck, match="don’t own enough cards|too few cards"):
        services.make_random(user=owner, slug=deck.slug)
    assert decks.decklist(deck) == {"main": {CLAW: 2}}
    catalog = EXAMPLE.catalog
    owned = {card: 2 for card in catalog if catalog[card].colour != "gold"}
    give(owner, owned)
    services.make_random(user=owner, slug=deck.slug)
    report = decks.deck_page(decks.access_deck(owner, deck.slug)).report
    assert report is not None
    assert report.legal


# How much is asked of the database


def test_the_pane_takes_the_same_number_of_queries_whatever_is_in_the_deck(
    make_deck: MakeDeck, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small, large = make_deck(), make_deck(cards=READY_CARDS)
    give(owner, dict(READY_CARDS["main"]))
    for deck in (small, large):
        deck_row = decks.access_deck(owner, deck.slug)
        with django_assert_num_queries(5):
            queries.pane(deck_row, owner)


# Pages


def test_a_visitor_begins_a_deck_and_is_a_guest_then(catalog: None, client: Client) -> None:
    assertContains(client.get(reverse("decks:new")), "Start with an empty deck")
    answer = client.post(reverse("decks:new"), {"play": f"{GAME}/match", "name": " My  deck "})
    deck = Deck.objects.get()
    assertRedirects(answer, built(deck))
    assert (deck.name, deck.mode, deck.owner.is_guest) == ("My deck", "match", True)


def test_a_new_deck_may_begin_as_a_random_one_for_a_format(mira: Client, owner: User) -> None:
    whole_catalog()
    club = a_format(owner, options={"singleton": True})
    about = {"play": f"{GAME}/tournament", "house": club.slug, "random": "1"}
    mira.post(reverse("decks:new"), about)
    page = decks.deck_page(decks.access_deck(owner, Deck.objects.get().slug))
    assert page.deck.house == club
    assert page.deck.name == f"{GAME_NAME} Tournament Play deck"
    assert {held.count for held in page.held} == {1}
    wrong = mira.post(reverse("decks:new"), about | {"play": f"{GAME}/match"})
    assertContains(wrong, "is a format for another mode", status_code=422)
    assert Deck.objects.count() == 1


def test_the_page_shows_catalog_deck_verdict_and_shape(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck()
    answer = mira.get(built(deck))
    assertContains(answer, f'value="* {CLAW} +1"')
    assertContains(answer, f'value="main {CLAW} -1"')
    assertContains(answer, TOO_FEW_CARDS)
    assertContains(answer, "Odds of the opening hand")
    assertContains(answer, "Missing: 2 cards")


def test_the_catalog_has_the_cards_of_the_mode_alone_and_pages_on(
    mira: Client, make_deck: MakeDeck
) -> None:
    deck = make_deck(game=OTHER_GAME, mode="multi", cards={})
    seen: list[str] = []
    address = built(deck)
    while address:
        body = mira.get(address, headers=HTMX).content.decode()
        seen += re.findall(r'class="pick[^"]*" data-card="([^"]+)"', body)
        more = re.search(r'hx-get="([^"]+after=[^"]+)"', body)
        address = html.unescape(more[1]) if more else ""
    catalog = OTHER.catalog
    assert seen == [slug for slug, card in catalog.items() if card.kind == "warrior"]


@pytest.mark.usefixtures("contexts")
def test_the_catalog_has_the_sets_of_the_mode_alone(
    mira: Client, make_deck: MakeDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is asked by its own sets: so none has to have such a mode for people's decks."""
    few = next(card_set.slug for card_set in reversed(EXAMPLE.sets))
    mode = replace(EXAMPLE.modes["tournament"], sets=(few,))
    monkeypatch.setitem(cast(dict[str, Mode], EXAMPLE.modes), "tournament", mode)
    taken = [card for card in EXAMPLE.catalog.values() if mode.takes(card)]
    assert 0 < len(taken) < len(EXAMPLE.catalog)
    page = mira.get(built(make_deck()), headers=HTMX)
    assertContains(page, f"{len(taken)} cards.")
    sets = page.context["form"].fields["set"].choices
    assert [slug for slug, _ in sets if slug] == [f"{GAME}.{few}"]


def test_a_ban_says_its_organisers_reason(mira: Client, make_deck: MakeDeck, owner: User) -> None:
    why = "It ends matches in a turn"
    banned = a_format(owner, restricted={CLAW: {"most": 0, "reason": why}})
    deck = make_deck(format=banned.slug, cards=READY_CARDS)
    page = mira.get(built(deck))
    assertContains(page, f"The organiser’s reason: {why}.")
    assertContains(page, "HOUSE-01")


def test_filters_leave_what_they_name(mira: Client, make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    give(owner, {CLAW: 4})
    answer = mira.get(built(deck), {"have": "owned"}, headers=HTMX)
    assertContains(answer, "own 4")
    assert answer.content.decode().count('class="pick ') == 1
    assertContains(
        mira.get(built(deck), {"q": "no card says this"}, headers=HTMX), "No cards found"
    )
    assertContains(mira.get(built(deck), {"kind": "power"}, headers=HTMX), "48 cards found.")


def test_a_change_answers_with_the_deck_and_its_verdict(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck()
    answer = change(mira, deck, f"* {CLAW} +1", expected="1")
    assertContains(answer, 'data-version="2"')
    assertContains(answer, "Red Claw: 3 copies found, 2 allowed.")
    assertContains(answer, 'id="deck-bar" hx-swap-oob="true"')
    assertNotContains(answer, "<html")
    fix = re.search(r'name="fix" value="([^"]*)"[^>]*>\s*Take out 1 copy of Red Claw', answer.text)
    assert fix
    answer = mira.post(built(deck), {"fix": html.unescape(fix[1])}, headers=HTMX)
    assertNotContains(answer, TOO_MANY_COPIES)
    assertContains(mira.post(built(deck), {"do": "undo"}, headers=HTMX), TOO_MANY_COPIES)
    assertNotContains(mira.post(built(deck), {"do": "redo"}, headers=HTMX), TOO_MANY_COPIES)


def test_another_windows_change_is_shown_and_the_step_can_be_taken_again(
    mira: Client, make_deck: MakeDeck
) -> None:
    deck = make_deck()
    change(mira, deck, f"main {RED_7} +1", expected="1")
    answer = change(mira, deck, f"main {CLAW} -1", expected="1")
    assert answer.status_code == 409
    assertContains(answer, "changed in another window", status_code=409)
    assertContains(answer, f'value="main {CLAW} -1" data-again', status_code=409)
    assertContains(answer, 'data-version="2"', status_code=409)
    assert decks.decklist(deck) == {"main": {CLAW: 2, RED_7: 1}}
    assert change(mira, deck, f"main {CLAW} -1", expected="2").status_code == 200
    assert decks.decklist(deck) == {"main": {CLAW: 1, RED_7: 1}}


def test_without_scripts_every_button_brings_the_page_back(
    mira: Client, make_deck: MakeDeck
) -> None:
    deck = make_deck()
    kept = {"kept": "kind=character"}
    answer = mira.post(built(deck), {"change": f"* {CLAW} +1", "expected": "1"} | kept)
    assertRedirects(answer, f"{built(deck)}?kind=character")
    assert decks.decklist(deck) == {"main": {CLAW: 3}}
    late = mira.post(built(deck), {"change": f"* {RED_7} +1", "expected": "1"} | kept)
    assertContains(late, "Apply my change anyway", status_code=409)
    assertContains(late, "21 cards found.", status_code=409)
    again = mira.post(built(deck), {"do": "redo"})
    assertContains(again, "Nothing to redo", status_code=409)
    filled = mira.post(built(deck), {"do": "fill"}, follow=True)
    assertContains(filled, "You own no other cards")
    assertContains(mira.post(built(deck), {"do": "want"}, follow=True), "3 cards added to your")
    assertContains(
        mira.post(built(deck), {"do": "random"}, follow=True), "Replaced with a random legal deck."
    )
    assert mira.post(built(deck), {"do": "random"}).status_code == 302


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 400),
        ({"do": "dance"}, 400),
        ({"change": "nonsense"}, 400),
        ({"fix": "{}"}, 400),
        ({"change": f"side {CLAW} +1"}, 422),
        ({"change": "main no-such-card +1"}, 422),
        ({"change": f"main {CLAW} +999"}, 422),
        ({"do": "format", "house": "nothing"}, 422),
        ({"fix": json.dumps({"section": "side", "changes": {CLAW: 1}})}, 422),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    mira: Client, make_deck: MakeDeck, sent: dict[str, str], status: int
) -> None:
    deck = make_deck()
    assert mira.post(built(deck), sent, headers=HTMX).status_code == status
    assert mira.post(built(deck), sent).status_code == status
    deck.refresh_from_db()
    assert (deck.version, decks.decklist(deck)) == (1, {"main": {CLAW: 2}})


def test_only_the_owner_builds(make_deck: MakeDeck, client: Client, stranger: User) -> None:
    hidden, public = make_deck(), make_deck(visibility="public")
    client.force_login(stranger)
    assert client.get(built(hidden)).status_code == 404
    assert client.get(built(public)).status_code == 403
    assert change(client, public, f"main {CLAW} +1").status_code == 403
    assert client.get(reverse("decks:shape", args=[hidden.slug])).status_code == 404


def test_everybody_who_sees_a_deck_sees_its_shape(make_deck: MakeDeck, client: Client) -> None:
    deck = make_deck(cards=READY_CARDS, visibility="unlisted")
    address = reverse("decks:shape", args=[deck.slug])
    query = {"card": [CLAW, RED_7], "hand": "40", "least": "1", "seed": "ab" * 32}
    first = client.get(address, query, headers=HTMX).text
    assert statistics.percent(Fraction(1)) in first
    assert client.get(address, query, headers=HTMX).text == first
    assert client.get(address, query | {"another": "1"}, headers=HTMX).text != first
    assertContains(client.get(address, query), "A sample hand")
    assertContains(client.get(deck.get_absolute_url()), "A sample hand")
    for nonsense in ({"hand": "x", "least": "-1", "seed": "zz"}, {"section": "side", "card": "no"}):
        assert client.get(address, nonsense, headers=HTMX).status_code == 200


def test_a_visitor_wants_what_a_deck_asks_for(make_deck: MakeDeck, client: Client) -> None:
    deck = make_deck(visibility="public")
    answer = client.post(reverse("decks:want", args=[deck.slug]))
    assertRedirects(answer, deck.get_absolute_url())
    assert Holding.objects.get(wishlist=2).owner.is_guest


# Many presses in a moment


def test_presses_on_one_card_within_a_moment_are_one_version(
    mira: Client, make_deck: MakeDeck
) -> None:
    deck = make_deck(cards={"main": {CLAW: 1}})
    for number in range(1, 7):
        change(mira, deck, f"* {RED_7} +1", expected=str(number))
    assert list(deck.versions.values_list("number", flat=True)) == [7, 1]
    change(mira, deck, f"* {FLAME} +1", expected="7")
    assert list(deck.versions.values_list("number", flat=True)) == [8, 7, 1]
    mira.post(built(deck), {"do": "undo"}, headers=HTMX)
    mira.post(built(deck), {"do": "undo"}, headers=HTMX)
    assert decks.decklist(deck) == {"main": {CLAW: 1}}
    for _ in range(2):
        mira.post(built(deck), {"do": "redo"}, headers=HTMX)
    deck.versions.filter(number=8).update(at=timezone.now() - timedelta(minutes=1))
    change(mira, deck, f"* {FLAME} +1")
    assert decks.decklist(deck) == {"main": {CLAW: 1, RED_7: 6, FLAME: 2}}
    assert list(deck.versions.values_list("number", flat=True)) == [9, 8, 7, 1]


def test_what_comes_first_is_what_was_named(mira: Client, make_deck: MakeDeck) -> None:
    words = {
        "zz-says-it": ("Something else", "Adds an ember."),
        "zz-inside": ("September Fair", ""),
        "zz-word": ("Great Ember", ""),
        "zz-prefix": ("Embers", ""),
        "zz-first-word": ("Ember Fox", ""),
        "zz-exact": ("Ember", ""),
    }
    like = Card.objects.get(game__slug=GAME, slug=CLAW)
    for number, (slug, (title, text)) in enumerate(words.items(), start=1):
        like.pk, like.slug, like.name, like.title, like.text = None, slug, title, title, text
        like.place = number
        like.words = searched_words(title, slug, text)
        like.save(force_insert=True)
    deck = make_deck(cards={})
    body = mira.get(built(deck), {"q": "EMBER"}, headers=HTMX).text
    seen = re.findall(r'class="pick[^"]*" data-card="([^"]+)"', body)
    assert [slug for slug in seen if slug in words] == [*reversed(words)]


def test_a_hand_is_played_on_turn_by_turn(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(cards=READY_CARDS)
    address = f"/decks/{deck.slug}/shape/"
    first = mira.get(address).text
    (seed,) = re.findall(r'name="seed" value="([0-9a-f]+)"', first)
    hands = []
    for turns in range(3):
        page = mira.get(address, {"seed": seed, "turns": turns, "draw": 2}).text
        hand = page[page.index('id="hand-title"') :]
        hands.append(re.findall(r'class="playing-card"[^>]*alt="([^"]*)"', hand))
        assert f'name="turns" value="{turns + 1}"' in page
    assert [len(hand) for hand in hands] == [4, 6, 8]
    assert hands[2][:6] == hands[1] and hands[1][:4] == hands[0]
    assert 'id="turn-2"' in page and "32 left" in page
    again = mira.get(address, {"seed": seed, "turns": "2", "another": "1"}).text
    assert 'id="turn-1"' not in again
    last = mira.get(address, {"seed": seed, "turns": "60", "draw": "10"}).text
    assert "No cards left to draw." in last and 'name="turns"' not in last


def test_a_deck_is_grouped_and_sorted(mira: Client, make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 3, FLAME: 1, RED_7: 2}})
    address = built(deck)

    def arrange(group: str, order: str) -> tuple[list[str], list[str]]:
        form = {"do": "arrange", "group": group, "order": order, "expected": deck.version}
        assert mira.post(address, form).status_code == 302
        page = mira.get(address).text
        assert f'<option value="{group}" selected>' in page
        headings = re.findall(r'class="builder-kind">([^<]*?) <', page)
        return headings, re.findall(r'data-row data-card="([^"]+)"', page)

    assert arrange("none", "name") == (["All cards"], [RED_7, CLAW, FLAME])
    assert arrange("none", "count")[1] == [CLAW, RED_7, FLAME]
    assert arrange("colour", "number")[0] == ["Red"]
    headings, rows = arrange("level", "number")
    assert headings == sorted(headings[:-1]) + ["No level"] and rows[-1] == RED_7
    assert mira.post(address, {"do": "arrange", "group": "x", "order": "name"}).status_code == 400
    deck.refresh_from_db()
    assert deck.version == 1, "it is no change of the deck"


def test_cards_that_are_considered_stand_on_a_maybeboard(
    mira: Client, make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck(cards={"main": {CLAW: 3}})

    def press(words: str, **about: Any) -> tuple[dict[str, int], dict[str, int], int]:
        page = change(mira, deck, words, expected=Deck.objects.get().version, **about)
        assert page.status_code == 200, page.text
        row = Deck.objects.get()
        return decks.decklist(row).get("main", {}), row.maybe, row.version

    assert press(f"maybe {FLAME} +2") == ({CLAW: 3}, {FLAME: 2}, 1)
    assert press(f"main {CLAW} -1>maybe") == ({CLAW: 2}, {FLAME: 2, CLAW: 1}, 2)
    assert press(f"main {CLAW} -9>maybe") == ({}, {FLAME: 2, CLAW: 3}, 3)
    assert press(f"maybe {CLAW} -2>*") == ({CLAW: 2}, {FLAME: 2, CLAW: 1}, 4)
    assert press(f"maybe {FLAME} -9>main") == ({CLAW: 2, FLAME: 2}, {CLAW: 1}, 5)
    assert press(f"* {RED_7} +1", into="maybe")[1] == {CLAW: 1, RED_7: 1}
    assert press(f"maybe {CLAW} -1,maybe {RED_7} =4")[1] == {RED_7: 4}
    page = mira.get(built(deck)).text
    assert "Maybeboard" in page and f'value="maybe {RED_7} -1>*"' in page
    counts = re.search(r'data-counts="([^"]*)"', page)
    assert counts and json.loads(html.unescape(counts[1])) == {CLAW: 2, FLAME: 2}
    for wrong in ("maybe nothing +1", f"maybe {RED_7} +999", f"main {CLAW} -1>*"):
        assert change(mira, deck, wrong).status_code == 422
    assert Deck.objects.get().maybe == {RED_7: 4}


def test_own_copies_stand_beside_the_counts(mira: Client, make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 3, FLAME: 1}})
    assert "builder-mark numbers" not in mira.get(built(deck)).text, "of a collection that is empty"
    give(owner, {CLAW: 2})
    page = " ".join(mira.get(built(deck)).text.split())
    assert ">own 2, 1 missing<" in page and ">own 0, 1 missing<" in page


def test_advice_waits_until_a_deck_has_its_size(owner: User, catalog: None) -> None:
    """“10 Characters: 0.0% of opening hands hold at most one” is true of no deck of 60."""
    game = rules.game(BOX_GAME)
    fighter = next(card.slug for card in game.catalog.values() if card.kind == "character")
    for count, advised in ((10, False), (60, True)):
        deck = create_deck(
            owner=owner, game=BOX_GAME, mode="duel", name="D", cards={"main": {fighter: count}}
        )
        report = decks.deck_page(deck).report
        assert report is not None and any(p.severity == "warning" for p in report.problems)
        groups = queries.pane(deck, owner).findings
        assert any(row.first.problem.severity == "warning" for row in groups) == advised


def test_a_deck_that_was_just_begun_is_not_warned_about(make_deck: MakeDeck, owner: User) -> None:
    assert queries.pane(make_deck(cards={}), owner).findings == ()
    few = queries.pane(make_deck(cards={"main": {CLAW: 2}}), owner)
    severities = [finding.problem.severity for group in few.findings for finding in group.findings]
    assert severities and set(severities) == {"error"}
    assert few.report and few.report.problems
