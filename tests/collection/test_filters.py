"""Any filters, together and in any order, against the same said in plain Python."""

from __future__ import annotations

import random
import re
from typing import Any
from unittest import mock

import pytest
from django.db.models import F
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from collection.forms.gallery import SEVERAL, GalleryForm
from collection.models import Card, Holding
from collection.models.catalog import plain
from collection.queries import catalog as queries
from collection.queries import filters, search
from collection.queries.filters import CollectionFilter
from collection.queries.holdings import HAVE_CHOICES
from collection.queries.keyset import ORDERS, OWNED_ORDERS, page_of
from collection.services.catalog import Synced
from tests.games.examples import CLAW, GAME, OTHER_GAME
from tests.support.sizes import sized

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def ada(catalog: Synced) -> User:
    """Somebody with a bit of everything: doubles, a wishlist, retired cards, rows of nothing."""
    ada = User.objects.create_user("ada")
    chance = random.Random(3)
    Card.objects.filter(
        pk__in=chance.sample(list(Card.objects.values_list("pk", flat=True)), 12)
    ).update(retired=True)
    rows = []
    for card in Card.objects.all():
        if chance.random() < 0.4:
            digital, physical = chance.choice((0, 0, 1, 2)), chance.choice((0, 1, 3))
            for_trade = chance.randint(0, digital + physical)
            wishlist = chance.choice((0, 0, 1, 4))
            rows.append(
                Holding(
                    owner=ada,
                    card=card,
                    digital=digital,
                    physical=physical,
                    for_trade=for_trade,
                    wishlist=wishlist,
                )
            )
    Holding.objects.bulk_create(rows)
    other = User.objects.create_user("ben")
    Holding.objects.bulk_create(
        Holding(owner=other, card=card, digital=1, wishlist=2) for card in Card.objects.all()
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


def several(*values: str, least: int = 0) -> st.SearchStrategy[list[str]]:
    """Some of these words, each once."""
    return st.lists(st.sampled_from(values), min_size=least, max_size=3, unique=True)


WISHES = st.fixed_dictionaries(
    {
        "have": several(*(value for value, _ in HAVE_CHOICES), least=1),
        "sort": st.sampled_from(list(ORDERS)),
        "q": st.sampled_from(WORDS),
        "game": st.sampled_from(["", "", GAME, OTHER_GAME, "nowhere"]),
        "set": st.sampled_from(["", "", f"{GAME}.booster-1", "booster-2", f"{GAME}.first-dawn"]),
        "kind": several("power", "character", "warrior"),
        "colour": several("red", "gold", "silver", "pink"),
        "rarity": several("rare", "common", "ultra"),
    }
)


def fits(card: Card, held: Holding | None, wish: dict[str, Any]) -> bool:
    """The filters' meaning, without a database."""
    quantity = held.digital + held.physical if held else 0
    has = {
        "all": not card.retired,
        "missing": not card.retired and not quantity,
        "owned": quantity > 0,
        "duplicates": quantity > 1,
        "wishlist": held is not None and held.wishlist > quantity,
        "for_trade": held is not None and held.for_trade > 0,
    }
    words = plain(f"{card.title} {card.slug} {card.text}")
    sets = {printing.card_set.slug for printing in card.printings.all()}
    game, _, name = wish["set"].rpartition(".")
    return (
        all(has[have] for have in wish["have"])
        and all(plain(word) in words for word in wish["q"].split())
        and wish["game"] in ("", card.game.slug)
        and (not name or (name in sets and game in ("", card.game.slug)))
        and (not wish["kind"] or card.kind in wish["kind"])
        and (not wish["colour"] or card.colour in wish["colour"])
        and (not wish["rarity"] or card.rarity in wish["rarity"])
    )


@pytest.fixture
def every_card(ada: User) -> list[Card]:
    """All of them with their sets, read once for all the examples."""
    return list(Card.objects.select_related("game").prefetch_related("printings__card_set"))


@pytest.mark.slow
@given(wish=WISHES, size=st.sampled_from([3, 7, 60]), few=st.sampled_from([0, 2000]))
@settings(
    max_examples=sized(60, large=3000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_every_combination_finds_what_plain_python_finds(
    ada: User, every_card: list[Card], wish: dict[str, Any], size: int, few: int
) -> None:
    # Many cards say a word, or are of a kind; or few.
    with mock.patch.object(search, "FEW", few), mock.patch.object(filters, "FEW", few):
        _finds_what_plain_python_finds(ada, every_card, wish, size)


def _finds_what_plain_python_finds(
    ada: User, every_card: list[Card], wish: dict[str, Any], size: int
) -> None:
    held = {row.card_id: row for row in Holding.objects.filter(owner=ada)}
    right = [card for card in every_card if fits(card, held.get(card.pk), wish)]
    expected_slugs = CollectionFilter(
        {name: value for name, value in wish.items() if value},
        queryset=queries.cards(retired=True),
        owner=ada,
    ).qs
    sort = wish["sort"]
    if sort in OWNED_ORDERS and set(wish["have"]) <= {"all", "missing"}:
        sort = "number"

    def place(card: Card) -> tuple[object, int]:
        if sort == "most":
            return -(held[card.pk].digital + held[card.pk].physical), -card.pk
        if sort == "newest":
            return -held[card.pk].updated_at.timestamp(), -card.pk
        return {"number": card.place, "name": card.name_place, "rarity": card.rarity_place}[
            sort
        ], card.pk

    right.sort(key=place)
    seen: list[Card] = []
    marks: dict[str, str] = {}
    while True:
        page, counted = page_of(
            expected_slugs, ORDERS[sort], size, marks, read=queries.cards_by_key
        )
        assert (counted.number, counted.more) == (len(right), False)
        seen += page.cards
        if not page.after:
            break
        marks = {"after": page.after}
    assert [card.slug for card in seen] == [card.slug for card in right]
    back = page.cards
    while page.before:
        page, _ = page_of(
            expected_slugs, ORDERS[sort], size, {"before": page.before}, read=queries.cards_by_key
        )
        back = page.cards + back
    assert back == seen


@given(wish=WISHES)
@settings(
    max_examples=sized(25, large=1000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_facets_count_what_there_is(catalog: Synced, wish: dict[str, Any]) -> None:
    chosen = {name: wish[name] for name in ("game", "kind", "colour", "rarity") if wish[name]}
    if chosen.get("game") == "nowhere":
        return
    names = {"game": "game__slug"}
    where = {
        names.get(name, name if name == "game" else f"{name}__in"): value
        for name, value in chosen.items()
    }
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
    html = " ".join(client.get("/cards/", {"q": "stigner", "game": GAME}).text.split())
    assert "No results for “stigner”. Showing results for “stinger”: 4 cards." in html
    assert 'alt="Red Stinger.' in html
    assert 'value="stigner"' in html


def test_the_api_forgives_as_the_gallery_does_and_says_so(client: Client, catalog: Synced) -> None:
    address = {"q": "stigner", "game": GAME, "page_size": 3}
    page = client.get("/api/cards/", address).json()
    assert (page["meant"], page["count"]) == ("stinger", 4)
    rest = client.get(page["next"]).json()
    assert rest["meant"] == "stinger" and rest["next"] is None
    slugs = [card["slug"] for card in page["results"] + rest["results"]]
    right = client.get("/api/cards/", {"q": "stinger", "game": GAME}).json()
    assert slugs == [card["slug"] for card in right["results"]] and right["meant"] is None
    for words in ("xylophone", ""):
        nothing = client.get("/api/cards/", {"q": words, "kind": "none"}).json()
        assert (nothing["count"], nothing["meant"]) == (0, None)


def test_a_collection_in_the_api_forgives_as_well(client: Client, ada: User) -> None:
    client.force_login(ada, backend=BACKEND)
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
    card = Card.objects.get(slug=CLAW)
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
        """The chosen values of a form; with boxes to tick the same, in lists."""
        data = QueryDict(query)
        chosen_values = GalleryForm(data, choices=choices, usual=usual).chosen()
        ticked = GalleryForm(data, choices=choices, usual=usual, several=True).chosen()
        if usual and ticked.get("have") == [usual]:  # it may be ticked, to be told beside others
            del ticked["have"]
        assert ticked == {
            name: [value] if name in SEVERAL else value for name, value in chosen_values.items()
        }
        return chosen_values

    assert chosen("sort=newest", "all") == {"sort": "newest", "have": "owned"}
    assert chosen("sort=newest", "owned") == {"sort": "newest"}
    assert chosen("sort=most&have=all", "owned") == {"sort": "most"}
    assert chosen("sort=newest&have=missing", "all") == {"have": "missing"}
    assert chosen("sort=newest&have=owned", "") == {}
    assert chosen("have=owned", "owned") == {}
    assert chosen("have=all", "owned") == {"have": "all"}
    assert chosen("view=table&sort=number", "all") == {"view": "table"}


def test_several_wishes_make_others(catalog: Synced) -> None:
    from django.http import QueryDict

    choices = queries.choices()

    def chosen(query: str, usual: str) -> dict[str, Any]:
        data = QueryDict(query)
        return GalleryForm(data, choices=choices, usual=usual, several=True).chosen()

    assert chosen("colour=red&colour=pink&colour=gold", "") == {"colour": ["red", "gold"]}
    assert chosen("have=owned&have=wishlist", "owned") == {"have": ["owned", "wishlist"]}
    assert chosen("have=wishlist&have=missing&sort=most", "all") == {
        "have": ["wishlist", "missing"], "sort": "most",
    }  # fmt: skip
    assert chosen("have=all&have=missing&sort=most", "owned") == {"have": ["all", "missing"]}


def slugs(client: Client, address: str) -> list[str]:
    return [card["slug"] for card in client.get(address).json()["results"]]


def test_several_values_in_page_and_api(client: Client, ada: User) -> None:
    client.force_login(ada, backend=BACKEND)
    query = f"colour=red&colour=blue&kind=power&game={GAME}"
    right = Card.objects.filter(
        game__slug=GAME, kind="power", colour__in=["red", "blue"], retired=False
    )
    assert slugs(client, f"/api/cards/?{query}") == [card.slug for card in right] != []
    html = client.get(f"/cards/?{query}").content.decode()
    assert f"{right.count()} cards found." in html
    assert re.findall(rf'/cards/{GAME}/([a-z0-9-]+)/">\s*<img', html) == [
        card.slug for card in right
    ]
    assert ">Red or Blue<" in html or ">Blue or Red<" in html
    assert len(re.findall(r'name="colour" value="(?:red|blue)"[^>]* checked', html)) == 2

    both = Holding.objects.filter(owner=ada, quantity__gt=1, wishlist__gt=F("quantity"))
    answer = client.get("/api/collection/?have=duplicates&have=wishlist").json()
    assert {row["card"] for row in answer["results"]} == {row.card.slug for row in both}
    html = client.get("/collection/?have=duplicates&have=wishlist").content.decode()
    assert f"{both.count()} card" in html and ">Duplicates and Wishlist<" in html


def test_several_values_are_kept_from_page_to_page(client: Client, catalog: Synced) -> None:
    html = client.get("/cards/?colour=red&colour=gold").content.decode()
    assert "?colour=red&amp;colour=gold&amp;after=" in html


def test_odd_values_are_refused_by_the_api(client: Client, ada: User) -> None:
    client.force_login(ada, backend=BACKEND)
    for address in (
        "/api/cards/?kind=power&kind=%00",
        f"/api/cards/?colour={'x' * 41}&colour=red",
        "/api/cards/?" + "&".join(f"rarity=r{n}" for n in range(51)),
        "/api/collection/?have=wishlist&have=stolen",
    ):
        assert client.get(address).status_code == 400, address
    assert client.get("/api/cards/?colour=&colour=").json()["count"] == 646


def test_boxes_under_a_finger_are_left_alone(client: Client, catalog: Synced) -> None:
    """They come anew when another game is chosen, or what is ticked is not what was sent."""

    def came(query: str, current: str) -> list[str]:
        headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/cards/{current}"}
        html = client.get(f"/cards/?{query}", headers=headers).content.decode()
        assert html.count('id="said_colour"') == 1
        return re.findall(r'<ul id="boxes_(\w+)"', html)

    client.force_login(User.objects.create_user("eva"), backend=BACKEND)
    assert came("colour=red&colour=gold", "?colour=red") == []
    assert came(f"game={GAME}", "") == ["kind", "colour", "rarity", "have"]
    assert came("", f"?game={GAME}") == ["kind", "colour", "rarity", "have"]
    assert came("sort=newest", "") == ["have"]
    assert came("have=owned&sort=newest", "?have=owned") == []
    assert came("have=owned", "") == []
