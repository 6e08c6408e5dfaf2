"""Two windows that say something about one deck: its name, tags, notes, who may see it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects
from rest_framework.test import APIClient

from accounts.models import User
from decks.errors import AboutChanged
from decks.models import Deck
from decks.services import decks as services
from decks.services.about import stamps, write_stamp
from tests.games.examples import GAME

MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def deck(make_deck: MakeDeck) -> Deck:
    return make_deck(notes="For the club", tags=["quick", "red"])


def stamp(deck: Deck) -> str:
    return write_stamp(stamps(deck))


def change(deck: Deck, **about: object) -> Deck:
    """Save without having seen a page, as another window would."""
    return services.update_deck(user=deck.owner, slug=deck.slug, **about)  # type: ignore[arg-type]


def said(deck: Deck) -> tuple[str, str, str, str]:
    deck.refresh_from_db()
    return deck.name, deck.visibility, deck.tags, deck.notes


def hidden(body: str) -> str:
    match = re.search(r'name="expected_about" value="([^"]*)"', body)
    assert match
    return match[1]


def choices(body: str, field: str) -> list[str]:
    """The values of the two choices for a field: mine and the other window's."""
    return re.findall(rf'type="radio" name="over_{field}" value="([^"]*)"', body)


def words(body: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html.unescape(body)))


# The service


def test_what_only_one_window_changed_is_merged(deck: Deck) -> None:
    seen = stamp(deck)
    change(deck, notes="For the cup", visibility="public")
    change(
        deck,
        name="Embers",
        visibility="private",
        tags=["Quick", "slow"],
        notes="For the club\n",
        expected_about=seen,
    )
    assert said(deck) == ("Embers", "public", ",quick,slow,", "For the cup")


def test_the_same_change_in_two_windows_is_no_clash(deck: Deck) -> None:
    seen = stamp(deck)
    change(deck, name="Cinders")
    change(deck, name=" Cinders ", expected_about=seen)
    assert said(deck)[0] == "Cinders"


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        ("name", "Cinders", "Ashes"),
        ("visibility", "public", "unlisted"),
        ("tags", ["slow"], ["blue"]),
        ("notes", "For the cup", ""),
    ],
)
def test_what_both_windows_changed_is_refused_whole(
    deck: Deck, field: str, first: object, second: object
) -> None:
    seen = stamp(deck)
    change(deck, **{field: first})
    before = said(deck)
    others = {"name": "Blaze", "notes": "Mine", field: second}
    with pytest.raises(AboutChanged, match="Nothing was overwritten") as refused:
        change(deck, **others, expected_about=seen, cards={})
    assert said(deck) == before
    assert deck.version == 1
    assert refused.value.extra == {"now": {field: first}, "about_version": stamp(deck)}


def test_a_stamp_that_is_none_overwrites_nothing(deck: Deck) -> None:
    for nonsense in ("x", "....", "ä.b.c.d.e"):
        with pytest.raises(AboutChanged):
            change(deck, name="Ashes", expected_about=nonsense)
    assert said(deck)[0] == "Embers"


# Notes, tags, visibility


def test_the_form_about_a_deck_overwrites_nothing(mira: Client, deck: Deck) -> None:
    address = deck.get_absolute_url()
    form = {
        "visibility": "unlisted",
        "tags": "quick, red",
        "notes": "For me",
        "expected_about": hidden(mira.get(address).content.decode()),
    }
    change(deck, notes="For the cup", tags=["slow"])
    for _ in range(2):  # To press again is no answer.
        answer = mira.post(f"{address}about/", form)
        assert answer.status_code == 409
        assert said(deck) == ("Embers", "private", ",slow,", "For the cup")
    body = answer.content.decode()
    assert "Notes Keep mine For me Keep the other For the cup" in words(body)
    # What was typed stands in the form, and what only the other window changed, too.
    assertContains(answer, "For me</textarea>", status_code=409)
    assertContains(answer, 'value="slow"', status_code=409)
    assert re.search(r'value="unlisted"[^>]*checked', body)
    assert not choices(body, "tags") and not choices(body, "visibility")


@pytest.fixture
def late(mira: Client, deck: Deck) -> tuple[dict[str, str], list[str]]:
    """A form that came too late, as its page sends it again, and the choices that it offers."""
    address = deck.get_absolute_url()
    form = {"visibility": "unlisted", "tags": "quick, red", "notes": "For me"}
    form["expected_about"] = hidden(mira.get(address).content.decode())
    change(deck, notes="For the cup", tags=["slow"])
    body = mira.post(f"{address}about/", form).content.decode()
    return form | {"tags": "slow", "expected_about": hidden(body)}, choices(body, "notes")


def test_what_was_typed_is_saved_if_its_writer_says_so(
    mira: Client, deck: Deck, late: tuple[dict[str, str], list[str]]
) -> None:
    form, (mine, _) = late
    address = deck.get_absolute_url()
    change(deck, notes="For the world cup")
    again = mira.post(f"{address}about/", form | {"over_notes": mine})
    assert again.status_code == 409  # Something else has come since it was shown.
    body = again.content.decode()
    (mine, _) = choices(body, "notes")
    form |= {"expected_about": hidden(body), "over_notes": mine}
    assertRedirects(mira.post(f"{address}about/", form), address)
    assert said(deck) == ("Embers", "unlisted", ",slow,", "For me")


def test_what_the_other_window_saved_stays_if_the_writer_says_so(
    mira: Client, deck: Deck, late: tuple[dict[str, str], list[str]]
) -> None:
    form, (_, theirs) = late
    address = deck.get_absolute_url()
    assertRedirects(mira.post(f"{address}about/", form | {"over_notes": theirs}), address)
    assert said(deck) == ("Embers", "unlisted", ",slow,", "For the cup")


# Text list, with the deck's name


def test_a_typed_list_does_not_take_back_the_other_windows_name(mira: Client, deck: Deck) -> None:
    edit = reverse("decks:edit", args=[deck.slug])
    body = mira.get(edit).content.decode()
    form = {
        "name": "Embers",
        "play": f"{GAME}/tournament",
        "visibility": "private",
        "text": "1 Red 7",
        "expected": "1",
        "expected_about": hidden(body),
    }
    change(deck, name="Cinders")
    assertRedirects(mira.post(edit, form), deck.get_absolute_url())
    assert (said(deck)[0], deck.version) == ("Cinders", 2)


def test_a_typed_list_with_another_name_asks_which_shall_stay(mira: Client, deck: Deck) -> None:
    edit = reverse("decks:edit", args=[deck.slug])
    form = {
        "name": "Ashes",
        "play": f"{GAME}/tournament",
        "visibility": "private",
        "text": "# mine\n1 Red 7",
        "expected": "1",
        "expected_about": hidden(mira.get(edit).content.decode()),
    }
    change(deck, name="Cinders", visibility="public")
    answer = mira.post(edit, form)
    body = answer.content.decode()
    assert answer.status_code == 409
    assert "Name Keep mine Ashes Keep the other Cinders" in words(body)
    assert "# mine\n1 Red 7</textarea>" in body
    assert re.search(r'value="public"[^>]*checked', body)
    deck.refresh_from_db()
    assert deck.version == 1
    mine, theirs = choices(body, "name")
    form |= {"expected_about": hidden(body), "visibility": "public"}
    assertRedirects(mira.post(edit, form | {"over_name": theirs}), deck.get_absolute_url())
    assert (said(deck)[:2], deck.version) == (("Cinders", "public"), 2)
    form |= {"over_name": mine, "expected": "2"}
    assertRedirects(mira.post(edit, form), deck.get_absolute_url())
    assert said(deck)[0] == "Ashes"


def test_cards_and_name_changed_elsewhere_are_asked_about_one_after_the_other(
    mira: Client, deck: Deck
) -> None:
    edit = reverse("decks:edit", args=[deck.slug])
    form = {
        "name": "Ashes",
        "play": f"{GAME}/tournament",
        "visibility": "private",
        "text": "1 Red 7",
        "expected": "1",
        "expected_about": hidden(mira.get(edit).content.decode()),
    }
    change(deck, name="Cinders", text="2 Red 7")
    assertContains(mira.post(edit, form), "Overwrite with mine", status_code=409)
    answer = mira.post(edit, form | {"over": "2"})
    body = answer.content.decode()
    assertContains(answer, 'name="expected" value="2"', status_code=409)
    assertContains(answer, "1 Red 7</textarea>", status_code=409)
    form |= {"expected": "2", "expected_about": hidden(body), "over_name": choices(body, "name")[0]}
    assertRedirects(mira.post(edit, form), deck.get_absolute_url())
    assert (said(deck)[0], deck.version, deck.typed) == ("Ashes", 3, "1 Red 7")


def test_a_new_deck_has_nothing_to_be_late_for(mira: Client, catalog: None) -> None:
    form = {
        "name": "Ashes",
        "play": f"{GAME}/tournament",
        "visibility": "private",
        "text": "1 Red 7",
        "expected_about": "x",
    }
    assert mira.post(reverse("decks:new_text"), form).status_code == 302
    assert Deck.objects.get().name == "Ashes"


# The API


def test_a_program_overwrites_nothing(deck: Deck, owner: User) -> None:
    client = APIClient()
    client.force_authenticate(owner)
    address = f"/api/decks/{deck.slug}/"
    seen = client.get(address).json()["about_version"]
    change(deck, tags=["slow"], name="Cinders")
    body = {"tags": ["blue"], "notes": "Mine", "expected_about": seen}
    late = client.patch(address, body, format="json")
    assert late.status_code == 409
    answer = late.json()
    assert answer["type"] == "/api/problems/about-changed/"
    assert answer["now"] == {"tags": ["slow"]}
    assert said(deck) == ("Cinders", "private", ",slow,", "For the club")
    body["expected_about"] = answer["about_version"]
    done = client.patch(address, body, format="json").json()
    assert (done["tags"], done["notes"], done["name"]) == (["blue"], "Mine", "Cinders")
    assert done["about_version"] == stamp(Deck.objects.get())
