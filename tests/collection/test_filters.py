"""Any filters, together and in any order, against the same said in plain Python."""

from __future__ import annotations

import random
from unittest import mock

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from collection.filters import CollectionFilter
from collection.forms import GalleryForm
from collection.models import Card, Holding
from collection.models.catalog import plain
from collection.queries import catalog as queries
from collection.queries import search
from collection.queries.holdings import HAVE_CHOICES
from collection.queries.keyset import ORDERS, OWNED_ORDERS, page_of
from collection.services.catalog import Synced

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(catalog: Synced) -> User:
    """Somebody with a bit of everything: doubles, wants, spares, retired cards, rows of nothing."""
    ada = User.objects.create_user("ada")
    chance = random.Random(3)
    Card.objects.filter(
        pk__in=chance.sample(list(Card.objects.values_list("pk", flat=True)), 12)
    ).update(retired=True)
    rows = []
    for card in Card.objects.all():
        if chance.random() < 0.4:
            dealt, recorded = chance.choice((0, 0, 1, 2)), chance.choice((0, 1, 3))
            spare = chance.randint(0, dealt + recorded)
            wanted = chance.choice((0, 0, 1, 4))
            rows.append(
                Holding(
                    owner=ada, card=card, dealt=dealt, recorded=recorded, spare=spare, wanted=wanted
                )
            )
    Holding.objects.bulk_create(rows)
    other = User.objects.create_user("ben")
    Holding.objects.bulk_create(
        Holding(owner=other, card=card, dealt=1, wanted=2) for card in Card.objects.all()
    )
    return ada


WORDS = (
    "",
    "claw",
    "CLAW",
    "red",
    "re",
    "e",
    "attack card",
    "pow-gold",
    "zzz",
    '"',
    "%",
    "krab sh",
)
WISHES = st.fixed_dictionaries(
    {
        "have": st.sampled_from([value for value, _ in HAVE_CHOICES]),
        "sort": st.sampled_from(list(ORDERS)),
        "q": st.sampled_from(WORDS),
        "game": st.sampled_from(["", "", "kaolan", "battle-krabz", "nowhere"]),
        "set": st.sampled_from(["", "", "kaolan.booster-1", "booster-2", "kaolan.first-dawn"]),
        "kind": st.sampled_from(["", "", "power", "character", "warrior"]),
        "colour": st.sampled_from(["", "", "red", "gold"]),
        "rarity": st.sampled_from(["", "", "rare", "common"]),
    }
)


def fits(card: Card, held: Holding | None, wish: dict[str, str]) -> bool:
    """The filters' meaning, without a database."""
    quantity = held.dealt + held.recorded if held else 0
    has = {
        "all": not card.retired,
        "missing": not card.retired and not quantity,
        "owned": quantity > 0,
        "duplicates": quantity > 1,
        "wanted": held is not None and held.wanted > quantity,
        "spare": held is not None and held.spare > 0,
    }
    said = plain(f"{card.title} {card.slug} {card.text}")
    sets = {printing.card_set.slug for printing in card.printings.all()}
    game, _, name = wish["set"].rpartition(".")
    return (
        has[wish["have"]]
        and all(plain(word) in said for word in wish["q"].split())
        and wish["game"] in ("", card.game.slug)
        and (not name or (name in sets and game in ("", card.game.slug)))
        and wish["kind"] in ("", card.kind)
        and wish["colour"] in ("", card.colour)
        and wish["rarity"] in ("", card.rarity)
    )


@given(wish=WISHES, size=st.sampled_from([3, 7, 60]), few=st.sampled_from([0, 2000]))
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_every_combination_finds_what_plain_python_finds(
    ada: User, wish: dict[str, str], size: int, few: int
) -> None:
    with mock.patch.object(search, "FEW", few):  # many cards say a word, or few
        _finds_what_plain_python_finds(ada, wish, size)


def _finds_what_plain_python_finds(ada: User, wish: dict[str, str], size: int) -> None:
    held = {row.card_id: row for row in Holding.objects.filter(owner=ada)}
    every = Card.objects.select_related("game").prefetch_related("printings__card_set")
    right = [card for card in every if fits(card, held.get(card.pk), wish)]
    found = CollectionFilter(
        {name: value for name, value in wish.items() if value},
        queryset=queries.cards(retired=True),
        owner=ada,
    ).qs
    sort = wish["sort"]
    if sort in OWNED_ORDERS and wish["have"] in ("all", "missing"):
        sort = "number"

    def place(card: Card) -> tuple[object, int]:
        if sort == "most":
            return -(held[card.pk].dealt + held[card.pk].recorded), -card.pk
        if sort == "newest":
            return -held[card.pk].updated_at.timestamp(), -card.pk
        return {"number": card.place, "name": card.name_place, "rarity": card.rarity_place}[
            sort
        ], card.pk

    right.sort(key=place)
    there: list[Card] = []
    marks: dict[str, str] = {}
    while True:
        page, counted = page_of(found, ORDERS[sort], size, marks)
        assert (counted.number, counted.more) == (len(right), False)
        there += page.cards
        if not page.after:
            break
        marks = {"after": page.after}
    assert [card.slug for card in there] == [card.slug for card in right]
    back = page.cards
    while page.before:
        page, _ = page_of(found, ORDERS[sort], size, {"before": page.before})
        back = page.cards + back
    assert back == there


@given(wish=WISHES)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_facets_count_what_there_is(catalog: Synced, wish: dict[str, str]) -> None:
    chosen = {name: wish[name] for name in ("game", "kind", "colour", "rarity") if wish[name]}
    if chosen.get("game") == "nowhere":
        return
    names = {"game": "game__slug"}
    where = {names.get(name, name): value for name, value in chosen.items()}
    number = queries.choices(chosen.get("game", "")).number(chosen)
    assert number == Card.objects.filter(retired=False, **where).count()


# Words


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        ("stigner", "stinger"),
        ("clwa", "claw"),
        ("diamonback", "diamondback"),
        ("diamnodbakc", "diamondback"),
        ("Shaddow  STEP", "shadow step"),
        ("cläw", ""),
        ("zq", ""),
        ("xylophone", ""),
        ("claw", ""),
        ("", ""),
        ("\0", ""),
    ],
)
def test_mistyped_words_are_put_right(catalog: Synced, typed: str, right: str) -> None:
    assert search.meant(typed) == right


def test_the_gallery_shows_what_was_meant_and_says_so(client: Client, catalog: Synced) -> None:
    html = client.get("/cards/", {"q": "stigner", "game": "kaolan"}).content.decode()
    assert "No card says “stigner”. 4 cards say “stinger”." in html
    assert 'alt="Red Stinger.' in html
    assert 'value="stigner"' in html


def test_the_api_forgives_as_the_gallery_does_and_says_so(client: Client, catalog: Synced) -> None:
    address = {"q": "stigner", "game": "kaolan", "page_size": 3}
    page = client.get("/api/cards/", address).json()
    assert (page["meant"], page["count"]) == ("stinger", 4)
    rest = client.get(page["next"]).json()
    assert rest["meant"] == "stinger" and rest["next"] is None
    told = [card["slug"] for card in page["results"] + rest["results"]]
    right = client.get("/api/cards/", {"q": "stinger", "game": "kaolan"}).json()
    assert told == [card["slug"] for card in right["results"]] and right["meant"] is None
    for words in ("xylophone", ""):
        nothing = client.get("/api/cards/", {"q": words, "kind": "none"}).json()
        assert (nothing["count"], nothing["meant"]) == (0, None)


def test_a_collection_in_the_api_forgives_as_well(client: Client, ada: User) -> None:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    meant = client.get("/api/collection/", {"q": "clwa", "have": "all"}).json()
    assert meant["meant"] == "claw"
    claws = client.get("/api/collection/", {"q": "claw", "have": "all"}).json()
    assert claws["results"] and claws["meant"] is None
    assert [row["card"] for row in meant["results"]] == [row["card"] for row in claws["results"]]


def test_accents_and_case_do_not_matter(catalog: Synced) -> None:
    cards = queries.cards()
    plainly = set(search.search(cards, "claw red"))
    assert plainly
    assert set(search.search(cards, "CLÁW Réd")) == plainly


def test_words_follow_a_card_that_changes(catalog: Synced) -> None:
    """SQLite's table of trigrams is kept by triggers, PostgreSQL's index by itself."""
    card = Card.objects.get(slug="kao-char-red-claw")
    Card.objects.filter(pk=card.pk).update(words="gryphon")
    assert list(search.search(Card.objects.all(), "gryph")) == [card]
    assert card not in search.search(Card.objects.all(), "claw")
    card.printings.all().delete()
    card.delete()
    assert not search.search(Card.objects.all(), "gryph").exists()


# The form


def test_one_wish_makes_another(catalog: Synced) -> None:
    from django.http import QueryDict

    choices = queries.choices()

    def chosen(query: str, usual: str) -> dict[str, str]:
        return GalleryForm(QueryDict(query), choices=choices, usual=usual).chosen()

    assert chosen("sort=newest", "all") == {"sort": "newest", "have": "owned"}
    assert chosen("sort=newest", "owned") == {"sort": "newest"}
    assert chosen("sort=most&have=all", "owned") == {"sort": "most"}
    assert chosen("sort=newest&have=missing", "all") == {"have": "missing"}
    assert chosen("sort=newest&have=owned", "") == {}
    assert chosen("have=owned", "owned") == {}
    assert chosen("have=all", "owned") == {"have": "all"}
    assert chosen("view=table&sort=number", "all") == {"view": "table"}
