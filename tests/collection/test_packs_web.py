"""Packs on pages, in the API and for the staff: who sees what, and the way from gift to proof."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

import rules
from accounts.models import Friendship, User
from collection.models import Collection, Holding, Pack, PackSource, Visibility
from collection.queries import packs as packs_queries
from collection.queries import packs as queries
from collection.queries.ledger import differences
from collection.services import packs
from collection.services.catalog import Synced
from collection.templatetags import packs as tags
from tests.collection.test_packs import finished
from tests.games.examples import (
    BOOSTERS,
    BOX_GAME,
    CARD_SLUGS,
    CLAW,
    EXAMPLE,
    GAME,
    GOLD_CLAW,
    OTHER_GAME,
    OTHER_LENT,
    OTHER_PACK,
    OTHER_STARTER,
    PACK,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def pack(ada: User) -> Pack:
    return give(ada, GAME, PACK)


def give(user: User, game: str, product: str, count: int = 1, key: str = "test") -> Pack:
    grants = packs.grant(
        by=None, game=game, product=product, people=[user], key=f"{key} {product}", count=count
    )
    return grants[0][0]


def opened(pack: Pack, client_seed: str = "") -> Pack:
    return packs.open_pack(slug=pack.slug, user=pack.owner, client_seed=client_seed)[0]


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def secrets_of(pack: Pack) -> list[str]:
    seed = bytes(pack.server_seed)
    return [seed.hex(), seed.hex().upper(), repr(seed)[2:-1]]


# -- pages ----------------------------------------------------------------------------------------


def test_a_visitor_takes_the_gift_as_a_guest_and_opens_it(catalog: Synced, client: Client) -> None:
    assert "No unopened packs" in client.get("/packs/").content.decode()
    taken = client.post("/packs/gift/", {"choice": f"{OTHER_GAME}/{OTHER_PACK}"})
    pack = Pack.objects.get()
    assert pack.owner.is_guest and taken["Location"] == f"/packs/{pack.slug}/"
    page = client.get(taken["Location"]).content.decode()
    assert pack.commitment in page and "Open the pack" in page
    answer = client.post(f"/packs/{pack.slug}/open/", {"client_seed": "blue dice"})
    assert answer["Location"] == f"/packs/{pack.slug}/"
    page = client.get(answer["Location"]).content.decode()
    assert page.count("data-card ") == 8 and 'data-state="sealed"' in page
    reloaded = client.get(answer["Location"]).content.decode()
    assert reloaded.count("data-card ") == 8 and 'data-state="open"' in reloaded
    pack.refresh_from_db()
    assert pack.client_seed == "blue dice"
    again = client.post(f"/packs/{pack.slug}/open/", {"client_seed": "other"})
    assert again["Location"] == answer["Location"]
    assert Holding.objects.filter(owner=pack.owner).count() == 8
    assert "Claimed today" in client.get("/packs/").content.decode()


def test_a_client_seed_that_is_refused_is_kept_in_the_form(ada: User, pack: Pack) -> None:
    answer = logged_in(ada).post(f"/packs/{pack.slug}/open/", {"client_seed": "é" * 65})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "é" * 65 in page and "up to 64 characters" in page and 'aria-invalid="true"' in page
    pack.refresh_from_db()
    assert pack.sealed


@pytest.mark.parametrize(
    "choice", ["", "chess/", f"{OTHER_GAME}/{OTHER_LENT}", f"{GAME}/{OTHER_PACK}"]
)
def test_what_is_no_gift_is_refused_in_words(ada: User, choice: str) -> None:
    answer = logged_in(ada).post("/packs/gift/", {"choice": choice})
    assert answer.status_code == 422
    assert not Pack.objects.exists()


def chosen_gift(user: User) -> str:
    """The product that the form has chosen already."""
    page = logged_in(user).get("/packs/").content.decode()
    (choice,) = re.findall(r'name="choice" value="([^"]+)"\s+required checked', page)
    return str(choice)


def test_the_gift_of_the_game_that_one_cares_for_is_chosen_already(ada: User) -> None:
    first = f"{GAME}/{PACK}"
    page = Client().get("/packs/").content.decode()
    assert re.findall(r'value="([^"]+)"\s+required checked', page) == [first]
    assert chosen_gift(ada) == first
    # Whoever has taken none yet is offered the game that was played most.
    for number, game in enumerate([GAME, OTHER_GAME, OTHER_GAME]):
        finished(f"m{number}", ada, game=game, at=timezone.now())
    assert chosen_gift(ada) == f"{OTHER_GAME}/{OTHER_PACK}"
    # Whoever has, the same pack as last time; a deck is had once, so it is a pack of its game.
    for day, (game, product, offered) in enumerate(
        (
            (BOX_GAME, "recess-pack", f"{BOX_GAME}/recess-pack"),
            (OTHER_GAME, OTHER_STARTER, f"{OTHER_GAME}/{OTHER_PACK}"),
            (OTHER_GAME, "fd-pack-e", f"{OTHER_GAME}/fd-pack-e"),
        )
    ):
        at = datetime(2026, 1, 1 + day, tzinfo=UTC)
        packs.take_gift(user=ada, game=game, product=product, now=at)
        assert chosen_gift(ada) == offered


def test_sealed_packs_lie_in_stacks(ada: User) -> None:
    first = give(ada, GAME, PACK, count=3)
    give(ada, OTHER_GAME, "fd-pack-e")
    shelves = [
        (game.slug, [(stack.pack, stack.count) for stack in stacks])
        for game, stacks in queries.stacks(ada)
    ]
    assert [slug for slug, _ in shelves] == [GAME, OTHER_GAME]
    assert shelves[0][1] == [(first, 3)]
    page = logged_in(ada).get("/packs/").content.decode()
    assert first.get_absolute_url() in page


def test_the_list_asks_the_database_no_more_when_there_is_more(
    ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = logged_in(ada)
    for number in (2, 20):
        first = give(ada, GAME, PACK, count=number, key=f"many {number}")
        for pack in Pack.objects.filter(key__startswith=f"grant:many {number} ")[: number - 1]:
            opened(pack)
        assert first.owner == ada
        with django_assert_max_num_queries(12):
            assert client.get("/packs/").status_code == 200


def test_the_page_after_says_what_is_new(ada: User) -> None:
    deck = opened(give(ada, GAME, BOOSTERS[0]))
    page = logged_in(ada).get(deck.get_absolute_url()).content.decode()
    assert page.count(">New<") == 10 and "Duplicate" not in page
    twice = opened(give(ada, GAME, BOOSTERS[0], key="again"))
    page = logged_in(ada).get(twice.get_absolute_url()).content.decode()
    assert page.count(">Duplicate<") == 10 and "all duplicates" in page
    assert "is-best" not in page, "no chance, no glow"


def test_a_pack_of_a_product_that_is_no_more_can_still_be_opened(
    ada: User, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(EXAMPLE), "products", {})
    client = logged_in(ada)
    assert PACK in client.get("/packs/").content.decode()
    assert client.get(f"/packs/{pack.slug}/").status_code == 200
    assert client.post(f"/packs/{pack.slug}/open/").status_code == 302
    page = client.get(f"/packs/{pack.slug}/").content.decode()
    assert page.count("data-card ") == 5
    assert "the hash matches" in client.get(f"/packs/{pack.slug}/verify/").content.decode()


def test_odds_are_published_for_everything_that_can_be_owned(
    catalog: Synced, client: Client
) -> None:
    for game in rules.games().values():
        for product in game.products.values():
            for address in (
                f"/packs/odds/{game.slug}/{product.slug}/",
                f"/api/packs/odds/{game.slug}/{product.slug}/",
            ):
                has_page = not product.lent
                assert client.get(address).status_code == (200 if has_page else 404), address
    page = client.get(f"/packs/odds/{OTHER_GAME}/{OTHER_PACK}/").content.decode()
    assert f'href="/sets/{OTHER_GAME}/' in page
    assert re.search(r'legendary\s+<span class="numbers">5\N{NO-BREAK SPACE}%', page)
    assert client.get(f"/packs/odds/{GAME}/none/").status_code == 404


def test_the_odds_on_the_page_are_those_of_the_engine(catalog: Synced, client: Client) -> None:
    from rules.engine import packs as engine

    contents = engine.contents_of(GAME, EXAMPLE.products[PACK])
    answer = client.get(f"/api/packs/odds/{GAME}/{PACK}/").json()
    assert answer["digest"] == contents.digest
    odds = engine.card_odds(contents)
    assert {row["card"]: row["expected"] for row in answer["cards"]} == {
        card: str(odds_of_card.expected) for card, odds_of_card in odds.items()
    }
    page = client.get(f"/packs/odds/{GAME}/{PACK}/").content.decode()
    for odds_of_card in odds.values():
        assert f'<data value="{odds_of_card.expected}">' in page
        assert f'<data value="{odds_of_card.drawn}">' in page


def test_odds_are_filtered_and_told_for_many_packs(catalog: Synced, client: Client) -> None:
    address = f"/packs/odds/{OTHER_GAME}/{OTHER_PACK}/"
    page = client.get(address).content.decode()
    assert "fine Krabz Warriors" in page and "krabz-fine" not in page
    table = packs_queries.odds_table(OTHER_GAME, OTHER_PACK)
    rarest = table.cards[0]
    page = client.get(address, {"q": rarest.card.title, "packs": "50"}).content.decode()
    assert page.count('class="table table-dense odds-cards"') == 1
    assert f">{rarest.card.title}</a>" in page and "After 50 packs" in page
    assert page.split("<tbody>")[-1].count("<tr>") == 1
    chance = 1 - float(1 - rarest.odds.at_least_one) ** 50
    assert tags.chance(chance) in page
    page = client.get(address, {"rarity": rarest.rarity}).content.decode()
    rows = [line for line in table.cards if line.rarity == rarest.rarity]
    assert page.split("<tbody>")[-1].count("<tr>") == len(rows) < len(table.cards)
    assert "No cards found." in client.get(address, {"q": "zzz"}).content.decode()
    for odd in ("0", "x", "-1", "9" * 30):
        assert client.get(address, {"packs": odd, "rarity": "odd"}).status_code == 200
    assert tags.chance(0.9999999) == "over 99.9\N{NO-BREAK SPACE}%"
    assert tags.chance(1e-9) == "under 0.1\N{NO-BREAK SPACE}%"


def test_odds_as_people_read_them() -> None:
    space = "\N{NO-BREAK SPACE}"
    for chance, words in (
        (Fraction(1), "100"),
        (Fraction(1, 2), "50"),
        (Fraction(6, 100), "6"),
        (Fraction(1, 3), "33.3"),
        (Fraction(1, 33), "3.03"),
        (Fraction(1, 587), "0.170"),
    ):
        assert tags.percent(chance) == f"{words}{space}%"
    assert tags.copies(Fraction(1, 587)) == "0.17" and tags.copies(Fraction(3, 2)) == "150"
    assert tags.one_in(Fraction(1, 587)) == "1 in 587" and tags.one_in(Fraction(1)) == "every pack"
    assert tags.one_in(Fraction(2, 33)) == "1 in 16.5"


# -- the proof ------------------------------------------------------------------------------------


def run_script(path: Path) -> subprocess.CompletedProcess[str]:
    script = settings.BASE_DIR / "docs" / "verify.py"
    return subprocess.run(
        [sys.executable, "-I", script, path], capture_output=True, text=True, check=False
    )


def record_from_the_web(client: Client, choice: str, client_seed: str) -> dict[str, Any]:
    """Take a gift and open it as a browser would; the file that its page offers."""
    pack = client.post("/packs/gift/", {"choice": choice})["Location"]
    before = client.get(pack).content.decode()
    client.post(f"{pack}open/", {"client_seed": client_seed})
    answer = client.get(f"{pack}pack.json")
    assert re.search(r'attachment; filename="pack-\w{12}\.json"', answer["Content-Disposition"])
    record: dict[str, Any] = json.loads(answer.content)
    assert record["commitment"] in before, "shown before the pack was opened"
    return record


@pytest.mark.parametrize(
    ("choice", "client_seed"),
    [
        (f"{GAME}/{PACK}", ""),
        (f"{GAME}/{PACK}", "tea: ☕"),
        (f"{OTHER_GAME}/{OTHER_PACK}", "blue dice"),
        (f"{OTHER_GAME}/fd-pack-k", ""),
        (f"{GAME}/{BOOSTERS[5]}", ""),
    ],
)
def test_a_pack_opened_through_the_web_agrees_with_the_script(
    catalog: Synced, client: Client, tmp_path: Path, choice: str, client_seed: str
) -> None:
    path = tmp_path / "pack.json"
    record = record_from_the_web(client, choice, client_seed)
    path.write_text(json.dumps(record), encoding="utf-8")
    done = run_script(path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The chance of this pack is as published." in done.stdout
    opened = Pack.objects.get()
    assert record["cards"] == opened.cards and record["client_seed"] == client_seed


def other_card(record: dict[str, Any]) -> None:
    record["cards"][0], record["cards"][1] = record["cards"][1], record["cards"][0]


def card_left_out(record: dict[str, Any]) -> None:
    record["cards"].pop()


def better_odds(record: dict[str, Any]) -> None:
    record["contents"]["slots"][-1]["sheets"][-1][1] += 1


def other_client_seed(record: dict[str, Any]) -> None:
    record["client_seed"] += "!"


def other_seed(record: dict[str, Any]) -> None:
    record["server_seed"] = bytes(32).hex()


def other_pack(record: dict[str, Any]) -> None:
    record["pack"] = "abcdefghjkmn"


def other_order(record: dict[str, Any]) -> None:
    record["contents"]["sheets"]["common"].reverse()


@pytest.mark.parametrize(
    "tamper",
    [
        other_card,
        card_left_out,
        better_odds,
        other_client_seed,
        other_seed,
        other_pack,
        other_order,
    ],
    ids=lambda tamper: tamper.__name__,
)
def test_a_file_that_was_tampered_with_does_not(
    catalog: Synced, client: Client, tmp_path: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    path = tmp_path / "pack.json"
    record = record_from_the_web(client, f"{GAME}/{PACK}", "tea")
    tamper(record)
    path.write_text(json.dumps(record), encoding="utf-8")
    done = run_script(path)
    assert done.returncode == 1 and "NOT AS PUBLISHED" in done.stdout


def test_the_site_hands_out_the_very_script(client: Client) -> None:
    answer = client.get("/packs/verify.py")
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert body == (settings.BASE_DIR / "docs" / "verify.py").read_bytes()
    assert "attachment" in answer["Content-Disposition"]


def test_the_verify_page_draws_it_again_and_says_when_it_does_not_fit(
    ada: User, pack: Pack
) -> None:
    address = f"/packs/{pack.slug}/verify/"
    client = logged_in(ada)
    assert "The seed appears here once the pack is open" in client.get(address).content.decode()
    done = opened(pack)
    page = client.get(address).content.decode()
    assert "the hash matches, and all 5 cards follow from the seed" in page
    for slug in done.cards or ():
        assert f"<strong>{escape(EXAMPLE.catalog[slug].title)}</strong>" in page
    Pack.objects.update(commitment="0" * 64)
    assert "the hash doesn’t match" in client.get(address).content.decode()
    first, *others = done.cards or ()
    other = GOLD_CLAW if first != GOLD_CLAW else CLAW
    Pack.objects.update(commitment=pack.commitment, cards=[other, *others])
    assert "the cards don’t follow from the seed" in client.get(address).content.decode()


# -- the seed stays here --------------------------------------------------------------------------


def test_the_seed_of_a_sealed_pack_is_nowhere_to_be_had(ada: User, pack: Pack) -> None:
    staff = User.objects.create_superuser("olga")
    for user in (ada, staff):
        client = logged_in(user)
        for address in (
            "/packs/",
            f"/packs/{pack.slug}/",
            f"/packs/{pack.slug}/verify/",
            f"/packs/{pack.slug}/pack.json",
            "/api/packs/",
            f"/api/packs/{pack.slug}/",
            f"/api/packs/{pack.slug}/record/",
            reverse("admin:collection_pack_changelist"),
            reverse("admin:collection_pack_change", args=[pack.pk]),
        ):
            answer = client.get(address)
            assert answer.status_code in (200, 302, 404, 409), address
            sent = answer.content.decode() + str(dict(answer.headers))
            assert not [secret for secret in secrets_of(pack) if secret in sent], address
            assert CARD_SLUGS not in sent or "verify" in address or "/api/packs/" in address
    done = opened(pack)
    assert secrets_of(pack)[0] in logged_in(ada).get(f"/packs/{done.slug}/verify/").content.decode()


def test_a_record_of_a_sealed_pack_is_a_conflict(ada: User, pack: Pack) -> None:
    client = logged_in(ada)
    for address in (f"/packs/{pack.slug}/pack.json", f"/api/packs/{pack.slug}/record/"):
        assert client.get(address).status_code == 409


# -- who may what ---------------------------------------------------------------------------------


@pytest.fixture
def people(ada: User) -> dict[str, User | None]:
    friend = User.objects.create_user("finn")
    Friendship.objects.create(sender=ada, recipient=friend, accepted_at=timezone.now())
    Collection.objects.create(owner=ada, visibility=Visibility.FRIENDS)
    return {
        "anonymous": None,
        "stranger": User.objects.create_user("sam"),
        "friend": friend,
        "owner": ada,
        "staff": User.objects.create_user("olga", is_staff=True),
    }


PERMISSIONS = {
    # what: anonymous, stranger, friend, owner, staff
    ("get", "list"): (401, 200, 200, 200, 200),
    ("get", "sealed"): (404, 404, 404, 200, 200),
    ("get", "opened"): (404, 404, 200, 200, 200),
    ("get", "opened record"): (404, 404, 200, 200, 200),
    ("get", "sealed record"): (404, 404, 404, 409, 409),
    ("post", "open"): (401, 404, 404, 200, 404),
    ("post", "gift"): (401, 201, 201, 201, 201),
    ("get", "gift"): (401, 200, 200, 200, 200),
    ("post", "grant"): (401, 403, 403, 403, 200),
    ("get", "odds"): (200, 200, 200, 200, 200),
}


@pytest.mark.parametrize("who", ["anonymous", "stranger", "friend", "owner", "staff"])
@pytest.mark.parametrize("call", PERMISSIONS, ids=" ".join)
def test_permissions_of_the_api(
    people: dict[str, User | None], pack: Pack, call: tuple[str, str], who: str
) -> None:
    method, what = call
    open_pack = opened(give(pack.owner, GAME, BOOSTERS[0]))
    address = {
        "list": "",
        "sealed": f"{pack.slug}/",
        "opened": f"{open_pack.slug}/",
        "opened record": f"{open_pack.slug}/record/",
        "sealed record": f"{pack.slug}/record/",
        "open": f"{pack.slug}/open/",
        "gift": "daily/",
        "grant": "grant/",
        "odds": f"odds/{GAME}/{PACK}/",
    }[what]
    body: dict[str, object] = {"game": GAME, "product": PACK}
    if what == "grant":
        body |= {"people": ["sam"], "key": "k"}
    client = APIClient()
    if (user := people[who]) is not None:
        client.force_authenticate(user)
    answer = getattr(client, method)(
        f"/api/packs/{address}", body if method == "post" and what != "open" else None
    )
    expected = PERMISSIONS[call][list(people).index(who)]
    assert answer.status_code == expected, answer.content
    if expected >= 400:
        assert answer["Content-Type"] == "application/problem+json"
    pack.refresh_from_db()
    assert pack.sealed is not ((who, what) == ("owner", "open"))


@pytest.mark.parametrize("who", ["anonymous", "stranger", "friend", "owner", "staff"])
def test_permissions_of_the_pages(people: dict[str, User | None], pack: Pack, who: str) -> None:
    open_pack = opened(give(pack.owner, GAME, BOOSTERS[0]))
    client, user = Client(), people[who]
    if user is not None:
        client.force_login(user)
    column = list(people).index(who)
    for suffix in ("", "verify/"):
        sealed = client.get(f"/packs/{pack.slug}/{suffix}").status_code
        seen = client.get(f"/packs/{open_pack.slug}/{suffix}").status_code
        assert sealed == PERMISSIONS["get", "sealed"][column]
        assert seen == PERMISSIONS["get", "opened"][column]
    client.post(f"/packs/{pack.slug}/open/")
    pack.refresh_from_db()
    assert pack.sealed is (who != "owner")


def test_a_public_collection_shows_its_opened_packs_to_everybody(
    ada: User, pack: Pack, client: Client
) -> None:
    Collection.objects.create(owner=ada, visibility=Visibility.PUBLIC)
    assert client.get(f"/packs/{pack.slug}/").status_code == 404
    opened(pack)
    page = client.get(f"/packs/{pack.slug}/").content.decode()
    assert "Opened by Ada" in page and "New" not in page


# -- the API --------------------------------------------------------------------------------------


@pytest.fixture
def api(ada: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(ada)
    return client


def test_the_whole_way_by_api(ada: User, api: APIClient) -> None:
    taken = api.post("/api/packs/daily/", {"game": OTHER_GAME})
    assert taken.status_code == 201
    gift = taken.json()
    assert (gift["product"], gift["name"], gift["source"]) == (
        OTHER_PACK,
        "First Dawn Pack",
        "gift",
    )
    assert gift["cards"] is None and gift["inside"] == []
    again = api.post("/api/packs/daily/", {"game": GAME})
    assert (again.status_code, again.json()["slug"]) == (200, gift["slug"])
    listed = api.get("/api/packs/?state=sealed").json()["results"]
    assert [row["slug"] for row in listed] == [gift["slug"]]
    done = api.post(f"/api/packs/{gift['slug']}/open/", {"client_seed": "tea"}).json()
    twice = api.post(f"/api/packs/{gift['slug']}/open/", {"client_seed": "other"}).json()
    assert done == twice
    assert len(done["cards"]) == 8 and done["client_seed"] == "tea"
    assert sorted(row["card"] for row in done["inside"]) == sorted(done["cards"])
    assert all(row["new"] for row in done["inside"])
    assert api.get("/api/packs/?state=sealed").json()["results"] == []
    record = api.get(f"/api/packs/{gift['slug']}/record/").json()
    assert record["commitment"] == gift["commitment"]
    assert differences() == []


def test_the_api_tells_of_todays_gift(ada: User, api: APIClient) -> None:
    before = api.get("/api/packs/daily/").json()
    assert before["available"] is True and before["pack"] is None
    assert before["until"] == queries.day_of(ada).next_gift_at.isoformat().replace("+00:00", "Z")
    offered = {(choice["game"], choice["product"]): choice for choice in before["choices"]}
    assert set(offered) == {
        (game.slug, product.slug) for game, products in queries.gifts(ada) for product in products
    }
    assert offered[BOX_GAME, "recess-pack"]["chance"] is True
    assert offered[BOX_GAME, "starter-spies"]["chance"] is False
    (likely,) = (choice for choice in before["choices"] if choice["likely"])
    assert f"{likely['game']}/{likely['product']}" == chosen_gift(ada)
    wish = {"game": BOX_GAME, "product": "starter-spies"}
    taken = api.post("/api/packs/daily/", wish).json()
    with CaptureQueriesContext(connection) as captured:
        queries.gifts(ada)
    assert all("ORDER BY" not in query["sql"] for query in captured), "not each pack of a product"
    after = api.get("/api/packs/daily/").json()
    assert after == {
        "available": False, "pack": taken["slug"], "until": before["until"], "choices": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("address", "body", "status"),
    [
        ("daily/", {}, 400),
        ("daily/", {"game": "chess"}, 422),
        ("daily/", {"game": OTHER_GAME, "product": OTHER_LENT}, 422),
        ("{sealed}/open/", {"client_seed": "x" * 65}, 400),
        ("{sealed}/open/", {"client_seed": "a\u0007b"}, 422),
    ],
)
def test_refusals_of_the_api(
    api: APIClient, pack: Pack, address: str, body: dict[str, str], status: int
) -> None:
    answer = api.post(f"/api/packs/{address.format(sealed=pack.slug)}", body)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert Pack.objects.filter(opened_at=None).count() == 1


def test_an_unknown_state_is_refused(api: APIClient) -> None:
    assert api.get("/api/packs/?state=torn").status_code == 422


def test_the_staff_grants_by_api_all_or_nobody(ada: User) -> None:
    client = APIClient()
    client.force_authenticate(User.objects.create_user("olga", is_staff=True))
    body = {"game": GAME, "product": PACK, "people": ["ada", "nobody"], "key": "k"}
    assert client.post("/api/packs/grant/", body).status_code == 422
    assert not Pack.objects.exists()
    body |= {"people": ["ada", "ada"], "count": 2}
    assert client.post("/api/packs/grant/", body).json() == {"given": 2, "before": 0}
    assert client.post("/api/packs/grant/", body).json() == {"given": 0, "before": 2}


# -- the administration ---------------------------------------------------------------------------


def test_the_staff_gives_packs_in_the_administration(ada: User) -> None:
    client = logged_in(User.objects.create_superuser("olga"))
    address = reverse("admin:collection_pack_add")
    assert "Idempotency key, such as" in client.get(address).content.decode()
    sent = {
        "product": f"{OTHER_GAME}/{OTHER_PACK}",
        "people": "ada\nnobody",
        "key": "spring",
        "count": 2,
    }
    page = client.post(address, sent).content.decode()
    assert "No users named nobody." in page and "spring" in page
    sent["people"] = "ada"
    assert client.post(address, sent).status_code == 302
    assert Pack.objects.filter(owner=ada, source=PackSource.GRANT).count() == 2


def test_who_may_not_give_may_not_give_there(ada: User) -> None:
    client = logged_in(User.objects.create_user("olga", is_staff=True))  # no permission for packs
    assert client.get(reverse("admin:collection_pack_add")).status_code == 403


# -- time -----------------------------------------------------------------------------------------


def test_the_next_gift_comes_at_midnight(
    ada: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(ada)
    now = datetime(2026, 11, 21, 23, 59, 59, tzinfo=UTC)
    monkeypatch.setattr(queries.timezone, "now", lambda: now)
    client.post("/packs/gift/", {"choice": f"{GAME}/{PACK}"})
    client.post("/packs/gift/", {"choice": f"{GAME}/{PACK}"})
    assert Pack.objects.count() == 1
    assert "2026-11-22T00:00:00" in client.get("/packs/").content.decode()
    now = datetime(2026, 11, 22, tzinfo=UTC)
    assert "Claim" in client.get("/packs/").content.decode()
    client.post("/packs/gift/", {"choice": f"{GAME}/{PACK}"})
    assert Pack.objects.count() == 2
