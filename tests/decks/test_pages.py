"""The deck pages: typing with a running verdict, buttons that mend, and who sees what."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

import rules
from accounts.models import User
from decks.lists.textlist import read_list
from decks.models import Deck
from decks.queries import decks as queries
from decks.services import decks as services
from tests.games.examples import (
    AMBUSH,
    CLAW,
    EXAMPLE,
    GAME,
    GAME_NAME,
    READY_CARDS,
    READY_DECK,
    RED_7,
    TOO_MANY_COPIES,
)

MINE, NEW, CHECK = "/decks/", "/decks/new/text/", "/decks/check/"
MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def typed(text: str, /, **about: str) -> dict[str, str]:
    """The form's values."""
    return {
        "name": "Embers",
        "play": f"{GAME}/tournament",
        "visibility": "private",
        "text": text,
        "save": "1",
    } | about


def textarea(body: str) -> str:
    match = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", body, re.DOTALL)
    assert match
    return html.unescape(match[1])


def button(body: str, label: str) -> tuple[str, str]:
    """Name and value of the button that begins with these words."""
    pattern = rf'name="(\w+)" value="([^"]*)"[^>]*>\s*{re.escape(html.escape(label))}'
    match = re.search(pattern, body)
    assert match, f"There is no button “{label}”."
    return match[1], html.unescape(match[2])


# Typing a deck


def test_a_visitor_types_a_deck_and_becomes_a_guest(catalog: None, client: Client) -> None:
    assertContains(client.get(NEW), "This deck has 0 cards; a Tournament deck needs at least 40.")
    answer = client.post(NEW, typed("# mine\r\n2 Red Claw\r\n"))
    deck = Deck.objects.get()
    assertRedirects(answer, deck.get_absolute_url())
    assert deck.owner.is_guest
    assert deck.typed == "# mine\n2 Red Claw"
    assert queries.decklist(deck) == {"main": {CLAW: 2}}
    assertContains(client.get(MINE), "Embers")


def test_a_refused_list_loses_nothing_that_was_typed(catalog: None, mira: Client) -> None:
    text = "# mine\n2 Rde Claw # strong\n\n1 Red 7"
    answer = mira.post(NEW, typed(text, name="My <b>deck</b>"))
    assert answer.status_code == 422
    body = answer.content.decode()
    assert textarea(body) == text
    assert "Line 2: no card named “Rde Claw”." in body
    assert 'value="My &lt;b&gt;deck&lt;/b&gt;"' in body
    assert not Deck.objects.exists()


def test_unread_lines_can_be_kept_as_comments(catalog: None, mira: Client) -> None:
    body = mira.post(NEW, typed("2 Rde Claw\n1 Red 7")).content.decode()
    name, value = button(body, "Save with unrecognised lines as comments")
    mira.post(NEW, typed("2 Rde Claw\n1 Red 7", **{name: value}))
    deck = Deck.objects.get()
    assert queries.decklist(deck) == {"main": {RED_7: 1}}
    assertContains(mira.get(reverse("decks:edit", args=[deck.slug])), "# 2 Rde Claw")


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "   "}, "This field is required."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"play": f"{GAME}/blitz"}, "Select a valid choice."),
        ({"play": "chess"}, "Select a valid choice."),
        ({"visibility": "secret"}, "Select a valid choice."),
        ({"text": "1000 Red Claw"}, "limit: 999"),
        ({"text": "Red Claw\n" * 501}, "limit: 500"),
        ({"text": "#" * 30_001}, "limit: 30,000"),
    ],
)
def test_what_is_no_deck_is_named_and_kept(
    catalog: None, mira: Client, about: dict[str, str], message: str
) -> None:
    answer = mira.post(NEW, typed("1 Red 7", **about))
    assertContains(answer, message, status_code=422)
    assert textarea(answer.content.decode()).strip() == about.get("text", "1 Red 7").strip()
    assert not Deck.objects.exists()


def test_an_illegal_deck_is_a_draft_and_says_so(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(text="3 Red Claw")
    answer = mira.get(deck.get_absolute_url())
    assertContains(answer, "Not legal yet")
    assertContains(answer, "Red Claw: 3 copies found, 2 allowed.")
    assertContains(answer, TOO_MANY_COPIES)


def test_a_deck_is_changed_where_it_was_typed(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(text="# mine\n2 Red Claw")
    edit = reverse("decks:edit", args=[deck.slug])
    assert textarea(mira.get(edit).content.decode()) == "# mine\n2 Red Claw"
    answer = mira.post(edit, typed("1 Red 7", name="Cinders", play=f"{GAME}/match"))
    assertRedirects(answer, deck.get_absolute_url())
    deck.refresh_from_db()
    assert (deck.name, deck.mode) == ("Cinders", "match")
    assert queries.decklist(deck) == {"main": {RED_7: 1}}


def test_a_deck_that_was_not_typed_is_written_out(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(cards=READY_CARDS)
    answer = mira.get(reverse("decks:edit", args=[deck.slug]))
    assert textarea(answer.content.decode()).startswith("# Character\n1 Red Flame\n")
    assertContains(answer, "Legal")


def test_the_wish_for_a_mode_is_heard_and_nonsense_is_not(client: Client, catalog: None) -> None:
    assertContains(client.get(NEW, {"play": f"{GAME}/match"}), f"a shared {GAME_NAME} deck needs")
    assertContains(client.get(NEW, {"play": "chess/blitz"}), "Legality")


def test_decks_can_be_built_for_what_cannot_be_played_yet(
    client: Client, catalog: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = {slug: replace(mode, playable=False) for slug, mode in EXAMPLE.modes.items()}
    shelved = replace(EXAMPLE, modes=modes, table=None)
    monkeypatch.setattr(rules, "games", lambda: {GAME: shelved})
    page = client.get(NEW, {"play": f"{GAME}/tournament"})
    assertContains(page, f"{GAME_NAME}: Tournament Play (cannot be played yet)")
    assertContains(page, "a Tournament deck needs")


# Two windows


def expected(body: str) -> str:
    match = re.search(r'name="expected" value="(\d*)"', body)
    assert match
    return match[1]


@pytest.fixture
def late(mira: Client, make_deck: MakeDeck, owner: User) -> tuple[Deck, dict[str, str]]:
    """A deck that was changed while its list was typed, and what the form will send."""
    deck = make_deck(text="2 Red Claw # strong\n")
    body = mira.get(reverse("decks:edit", args=[deck.slug])).content.decode()
    services.change_cards(user=owner, slug=deck.slug, section="main", changes={CLAW: -1, AMBUSH: 1})
    return deck, typed("# mine\n2 Red Claw # strong\n1 Red 7", expected=expected(body))


def test_a_list_typed_while_another_window_changed_the_deck_overwrites_nothing(
    mira: Client, late: tuple[Deck, dict[str, str]]
) -> None:
    deck, form = late
    edit = reverse("decks:edit", args=[deck.slug])
    for _ in range(2):  # To press again is no answer.
        answer = mira.post(edit, form)
        assert answer.status_code == 409
        assert queries.decklist(deck) == {"main": {CLAW: 1, AMBUSH: 1}}
        body = answer.content.decode()
        assert textarea(body) == form["text"]
        assert expected(body) == form["expected"]
        plain = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html.unescape(body)))
        assert "changed in another window" in plain
        assert "−1 Red Claw" in plain
        assert "+1 Ambush" in plain
        assert "1 Red Claw # strong 1 Ambush" in plain


def test_what_was_typed_can_be_saved_in_the_place_of_what_came_between(
    mira: Client, late: tuple[Deck, dict[str, str]], owner: User
) -> None:
    deck, form = late
    edit = reverse("decks:edit", args=[deck.slug])
    name, value = button(mira.post(edit, form).content.decode(), "Overwrite with mine")
    services.change_cards(user=owner, slug=deck.slug, section="main", changes={AMBUSH: -1})
    again = mira.post(edit, form | {name: value})
    assert again.status_code == 409  # Something else has come since it was shown.
    name, value = button(again.content.decode(), "Overwrite with mine")
    assertRedirects(mira.post(edit, form | {name: value}), deck.get_absolute_url())
    assert queries.decklist(deck) == {"main": {CLAW: 2, RED_7: 1}}
    assert deck.versions.count() == 4


def test_what_came_between_can_be_put_into_what_was_typed(
    mira: Client, late: tuple[Deck, dict[str, str]]
) -> None:
    deck, form = late
    edit = reverse("decks:edit", args=[deck.slug])
    name, value = button(mira.post(edit, form).content.decode(), "Add these changes to mine")
    answer = mira.post(edit, form | {name: value})
    body = answer.content.decode()
    assertContains(answer, "nothing is saved yet")
    text = textarea(body)
    assert text == "# mine\n1 Red Claw # strong\n1 Red 7\n1 Ambush\n"
    assert queries.decklist(deck) == {"main": {CLAW: 1, AMBUSH: 1}}
    saved = mira.post(edit, typed(text, expected=expected(body)))
    assertRedirects(saved, deck.get_absolute_url())
    assert queries.decklist(deck) == {"main": {CLAW: 1, RED_7: 1, AMBUSH: 1}}


def test_a_late_list_whose_version_is_forgotten_is_kept_all_the_same(
    mira: Client, late: tuple[Deck, dict[str, str]]
) -> None:
    deck, form = late
    edit = reverse("decks:edit", args=[deck.slug])
    deck.versions.filter(number=1).delete()
    for pressed in ({}, {"merge": "1"}):
        answer = mira.post(edit, form | pressed)
        assertContains(answer, "changed in another window", status_code=answer.status_code)
        assertNotContains(answer, "Add these changes", status_code=answer.status_code)
        assert answer.status_code in (409, 422)
        assert textarea(answer.content.decode()) == form["text"]


def test_a_late_list_of_the_same_cards_or_for_another_mode_says_so(
    mira: Client, make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck(text="2 Red Claw\n")
    edit = reverse("decks:edit", args=[deck.slug])
    services.update_deck(user=owner, slug=deck.slug, text="# better\n2 Red Claw\n")
    answer = mira.post(edit, typed("1 Red 7", expected="1"))
    assertContains(answer, "Only comments changed", status_code=409)
    services.update_deck(user=owner, slug=deck.slug, mode="match")
    answer = mira.post(edit, typed("1 Red 7", expected="1"))
    assertContains(answer, "now for another mode", status_code=409)


def test_a_problem_in_a_list_does_not_make_a_late_one_timely(
    mira: Client, late: tuple[Deck, dict[str, str]]
) -> None:
    deck, form = late
    body = mira.post(reverse("decks:edit", args=[deck.slug]), form | {"name": ""}).content.decode()
    assert expected(body) == form["expected"]


# The running verdict


def test_the_verdict_while_typing(client: Client, catalog: None) -> None:
    answer = client.post(CHECK, typed("3 Red Claw\n1 Red 7", name="Old Guard"))
    assertContains(answer, "Old Guard has 4 cards; a Tournament deck needs at least 40.")
    assertContains(answer, "4 cards, 3 problems")
    assertNotContains(answer, "<html")
    assertNotContains(answer, "<textarea")
    legal = client.post(CHECK, typed("", play=f"{GAME}/tournament", name=""))
    assertContains(legal, "This deck has 0 cards")
    assert not User.objects.exists()


def test_the_verdict_needs_neither_account_nor_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        client.post(CHECK, typed("3 Red Claw\nUnicorn"))


def test_the_verdict_on_nonsense_says_what_is_wrong(client: Client, catalog: None) -> None:
    assertContains(client.post(CHECK, {"text": "1 Red 7"}), "This field is required.")
    assertContains(client.post(CHECK, typed("#" * 30_001)), "limit: 30,000")
    assert client.get(CHECK).status_code == 405


def test_what_was_typed_is_never_markup(client: Client, catalog: None) -> None:
    answer = client.post(CHECK, typed("<script>alert(1)</script>", name="<b>x</b>"))
    assertNotContains(answer, "<script>")
    assertNotContains(answer, "<b>x")
    assertContains(answer, f"“&lt;script&gt;alert(1)&lt;/script&gt;” is not a {GAME_NAME} card.")


def test_the_fixes_of_the_rules_are_buttons(client: Client, catalog: None) -> None:
    text = "3 Red Claw # strong\n1 Red 7\n"
    body = client.post(CHECK, typed(text)).content.decode()
    name, value = button(body, "Take out 1 copy of Red Claw")
    fixed = client.post(CHECK, typed(text, **{name: value})).content.decode()
    assert textarea(fixed) == "2 Red Claw # strong\n1 Red 7\n"
    assert 'hx-swap-oob="true"' in fixed
    assert "3 copies found" not in fixed


def test_pressing_the_fixes_makes_a_legal_deck(client: Client, catalog: None) -> None:
    text = "3 Red Claw\nUnicorn\n1 Gold 6\n1 Gold 6\n"
    for _ in range(10):
        body = client.post(CHECK, typed(text)).content.decode()
        if "Not legal yet" not in body:
            break
        first = re.search(r'name="fix" value="([^"]*)"', body)
        assert first
        text = textarea(
            client.post(CHECK, typed(text, fix=html.unescape(first[1]))).content.decode()
        )
    reading = read_list(text, GAME)
    assert not reading.unread
    assert EXAMPLE.check_deck("tournament", reading.cards).legal


def test_many_problems_of_one_rule_are_mended_at_once(client: Client, catalog: None) -> None:
    shared = {"play": f"{GAME}/match"}
    body = client.post(CHECK, typed("1 Red 7\n", **shared)).content.decode()
    assert "58 more like this" in body
    name, value = button(body, "Add all 59 cards")
    fixed = client.post(CHECK, typed("1 Red 7\n", **shared, **{name: value})).content.decode()
    assert "60 cards" in fixed
    assert "Legal" in fixed
    powers = "1 Red Claw\n1 Blue 4\n1 Blue 5\n1 Blue 6"
    body = client.post(CHECK, typed(powers)).content.decode()
    assert "2 more like this" in body
    assert "Add all" not in body  # one blue Character holds them all


def test_a_suggestion_is_a_button(client: Client, catalog: None) -> None:
    text = "1 Red 7\n2 Rde Claw\n"
    body = client.post(CHECK, typed(text)).content.decode()
    assert "Line 2." in body
    name, value = button(body, "Red Claw")
    fixed = client.post(CHECK, typed(text, **{name: value})).content.decode()
    assert textarea(fixed) == "1 Red 7\n2 Red Claw\n"


def test_the_buttons_work_without_javascript_and_save_nothing(
    mira: Client, make_deck: MakeDeck
) -> None:
    deck = make_deck(text="3 Red Claw")
    edit = reverse("decks:edit", args=[deck.slug])
    body = mira.get(edit).content.decode()
    name, value = button(body, "Take out 1 copy of Red Claw")
    form = typed("3 Red Claw", name="", **{name: value})
    del form["save"]
    answer = mira.post(edit, form)
    assert answer.status_code == 200
    assert textarea(answer.content.decode()) == "2 Red Claw\n"
    assert queries.decklist(deck) == {"main": {CLAW: 3}}


@pytest.mark.parametrize(
    "pressed",
    [
        {"fix": "nonsense"},
        {"fix": "[]"},
        {"fix": json.dumps({"section": "main", "changes": {CLAW: "2"}})},
        {"fix": json.dumps({"section": "main", "changes": {CLAW: True}})},
        {"fix": json.dumps({"section": "side", "changes": {CLAW: 1}})},
        {"fix": json.dumps({"section": "main", "changes": {CLAW: 10**9}})},
        {"fix": "[" * 100_000},
        {"rename": "nonsense"},
        {"rename": ""},
    ],
)
def test_buttons_that_no_page_has_are_refused(
    client: Client, catalog: None, pressed: dict[str, str]
) -> None:
    assert client.post(CHECK, typed("1 Red 7", **pressed)).status_code == 400
    assert client.post(NEW, typed("1 Red 7", **pressed)).status_code == 400


# Looking at decks


def test_my_decks_and_what_others_show(mira: Client, make_deck: MakeDeck, stranger: User) -> None:
    make_deck(name="Embers of mine", cards=READY_CARDS, visibility="public")
    make_deck(name="Shown by Otto", owner=stranger, visibility="public")
    make_deck(name="Hidden by Otto", owner=stranger)
    answer = mira.get(MINE)
    assertContains(answer, "Embers of mine", count=1)
    assertContains(answer, "Shown by Otto", count=1)
    assertNotContains(answer, "Hidden by Otto")
    assertContains(answer, "40 cards · Tournament Play")


def test_my_decks_take_the_same_number_of_queries_however_many_there_are(
    mira: Client, make_deck: MakeDeck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_deck()
    mira.get(MINE)
    with django_assert_num_queries(8) as first:
        mira.get(MINE)
    for _ in range(3):
        make_deck(cards=READY_CARDS)
    with django_assert_num_queries(len(first)):
        mira.get(MINE)


def test_a_deck_page_takes_a_constant_number_of_queries(
    mira: Client, make_deck: MakeDeck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small, large = make_deck(), make_deck(cards=READY_CARDS)
    mira.get(small.get_absolute_url())
    for deck in (small, large):
        with django_assert_num_queries(6):
            mira.get(deck.get_absolute_url())


def test_a_ready_made_deck_is_made_ones_own(catalog: None, client: Client) -> None:
    assertContains(client.get(MINE), "Wildfire")
    address = reverse("decks:copy_starter", args=[GAME, READY_DECK])
    answer = client.post(address)
    deck = Deck.objects.get()
    assertRedirects(answer, deck.get_absolute_url())
    assert queries.decklist(deck) == READY_CARDS
    assert client.get(address).status_code == 405
    wrong = reverse("decks:copy_starter", args=[GAME, "unicorns"])
    assertContains(client.post(wrong), "No preconstructed deck “unicorns”.", status_code=422)


def test_a_deck_shows_its_cards_and_its_text(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1}})
    answer = mira.get(deck.get_absolute_url())
    assertContains(answer, f'href="/cards/{GAME}/{CLAW}/"')
    assertContains(answer, "2 Red Claw\n\n# Power\n1 Red 7")


def test_an_empty_deck_says_so(mira: Client, make_deck: MakeDeck) -> None:
    assertContains(mira.get(make_deck(cards={}).get_absolute_url()), "No cards yet")


VISITORS = ("anonymous", "stranger", "owner")


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_who_may_do_what(
    client: Client,
    make_deck: MakeDeck,
    owner: User,
    stranger: User,
    visibility: str,
    visitor: str,
) -> None:
    deck = make_deck(visibility=visibility)
    if visitor != "anonymous":
        client.force_login({"owner": owner, "stranger": stranger}[visitor])
    hidden = visibility == "private" and visitor != "owner"
    page = client.get(deck.get_absolute_url())
    assert page.status_code == (404 if hidden else 200)
    if not hidden:
        assert ("Delete deck" in page.content.decode()) == (visitor == "owner")
    refused = 404 if hidden else 403
    edit = reverse("decks:edit", args=[deck.slug])
    assert client.get(edit).status_code == (200 if visitor == "owner" else refused)
    saved = client.post(edit, typed("1 Red 7"))
    assert saved.status_code == (302 if visitor == "owner" else refused)
    delete = reverse("decks:delete", args=[deck.slug])
    assert client.get(delete).status_code == 405
    assert client.post(delete).status_code == (302 if visitor == "owner" else refused)
    assert Deck.objects.exists() == (visitor != "owner")


def test_forms_need_their_token(make_deck: MakeDeck, owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    deck = make_deck()
    for address in (NEW, CHECK, reverse("decks:delete", args=[deck.slug])):
        assert client.post(address, typed("1 Red 7")).status_code == 403
    assert Deck.objects.count() == 1


def test_a_ready_made_deck_is_looked_at_before_it_is_copied(catalog: None, client: Client) -> None:
    address = reverse("decks:ready_made", args=[GAME, READY_DECK])
    assertContains(client.get(MINE), f'href="{address}"')
    page = client.get(address)
    ready = rules.game(GAME).starter_decks[READY_DECK]
    for card in READY_CARDS["main"]:
        assertContains(page, f'href="/cards/{GAME}/{card}/"')
    assertContains(page, ready.name)
    assertContains(page, f"{sum(READY_CARDS['main'].values())} cards")
    assertContains(page, "Stats")
    assert not Deck.objects.exists()
    assertRedirects(client.post(f"{address}copy/"), Deck.objects.get().get_absolute_url())
    for wrong in (f"/decks/ready-made/{GAME}/no-such-deck/", "/decks/ready-made/none/none/"):
        assert client.get(wrong).status_code == 404
