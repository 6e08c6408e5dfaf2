"""Boxes: packs that give packs. Granted by the staff, opened once, every pack in them checked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from rest_framework.test import APIClient

import rules
from accounts.models import User
from collection.errors import NotFound, Unacceptable
from collection.models import Collection, Holding, Pack, PackSource, Transfer, Visibility
from collection.queries import packs as queries
from collection.queries.ledger import differences
from collection.services import packs
from rules.engine import packs as engine
from tests.collection.test_counting_races import at_once
from tests.games.examples import BOX_GAME, KIT_GAME
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

BOXES = [
    (game.slug, product.slug)
    for game in rules.games().values()
    for product in game.products.values()
    if product.nested
]


@pytest.fixture
def ada(db: None) -> User:
    whole_catalog()
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def olga(db: None) -> User:
    return User.objects.create_user("olga", is_staff=True)


def give(user: User, game: str, product: str, by: User | None = None, key: str = "test") -> Pack:
    ((pack, _),) = packs.grant(by=by, game=game, product=product, people=[user], key=key)
    return pack


def opened(box: Pack, **choice: str) -> Pack:
    return packs.open_pack(slug=box.slug, user=box.owner, **choice)[0]


def digital(owner: User) -> dict[str, int]:
    return dict(Holding.objects.filter(owner=owner).values_list("card__slug", "digital"))


def test_these_are_boxes() -> None:
    assert sorted(BOXES) == [
        (KIT_GAME, "kaiju-den"), (KIT_GAME, "sealed-kit"), (KIT_GAME, "welcome-kit"),
        (BOX_GAME, "lunchbox"),
    ]  # fmt: skip


def test_a_lunchbox_gives_energy_and_six_sealed_packs(ada: User, olga: User) -> None:
    box = give(ada, BOX_GAME, "lunchbox", by=olga)
    assert box.sealed and digital(ada) == {}
    done = opened(box)
    energy = rules.game(BOX_GAME).products["lunchbox"].cards
    assert len(energy) == 6 and digital(ada) == dict(energy)
    assert Counter(done.cards) == Counter(energy)
    transfer = Transfer.objects.get(key=f"pack:{box.slug}")
    assert (transfer.note, transfer.rows.count()) == ("Lunchbox", 6)
    inner = list(queries.out_of(done))
    assert [pack.key for pack in inner] == [f"box:{box.slug}:{number}" for number in range(1, 7)]
    assert {(pack.product, pack.owner, pack.sealed, pack.source) for pack in inner} == {
        ("recess-pack", ada, True, PackSource.GRANT)
    }
    assert inner[0].granted_by == olga and inner[0].note == "out of the Lunchbox"
    secrets = {bytes(seed) for seed in Pack.objects.values_list("server_seed", flat=True)}
    assert len(secrets) == 7, "each pack has a seed of its own"
    for pack in inner:
        drawn = opened(pack)
        contents = queries.contents_of(drawn)
        assert drawn.commitment == engine.pack_commitment(
            drawn.slug, contents, bytes(drawn.server_seed)
        )
        assert queries.check(drawn).agrees and len(drawn.cards or ()) == contents.size
    assert sum(digital(ada).values()) == 12 + 6 * contents.size
    assert differences() == []


def test_a_box_is_opened_once(ada: User) -> None:
    box = give(ada, KIT_GAME, "welcome-kit")
    first = opened(box, choice="starter-ember")
    again, now = packs.open_pack(slug=box.slug, user=ada, choice="starter-iron")
    assert not now and again.cards == first.cards == ["open-alliance"]
    products = [pack.product for pack in queries.out_of(box)]
    assert products == ["starter-ember", *["booster-lf1"] * 3]


@pytest.mark.parametrize("choice", ["", "booster-lf1", "starter-leaders", "\0"])
def test_what_cannot_be_chosen_leaves_the_box_sealed(ada: User, choice: str) -> None:
    box = give(ada, KIT_GAME, "welcome-kit")
    with pytest.raises(Unacceptable, match="Choose one of these: ") as refused:
        opened(box, choice=choice)
    assert refused.value.extra == {"field": "choice"}
    box.refresh_from_db()
    assert box.sealed and Pack.objects.count() == 1 and not digital(ada)


def test_a_den_draws_its_own_card_and_a_sealed_kit_has_none(ada: User) -> None:
    den, kit = give(ada, KIT_GAME, "kaiju-den"), give(ada, KIT_GAME, "sealed-kit", key="kit")
    (leader,) = opened(den, client_seed="tea").cards or ()
    assert leader in rules.game(KIT_GAME).products["kaiju-den"].sheets["leaders"].cards
    assert opened(kit).cards == []
    assert not Transfer.objects.filter(key=f"pack:{kit.slug}").exists()
    for box in (den, kit):
        assert [pack.product for pack in queries.out_of(box)] == ["booster-lf1"] * 6
        assert queries.check(Pack.objects.get(pk=box.pk)).agrees
    assert differences() == []


def test_a_box_keeps_what_it_promised(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its packs have the odds of the day it was given, whatever became of the product."""
    box = give(ada, BOX_GAME, "lunchbox")
    promised = queries.contents_of(box).packs[0][0]
    products = rules.game(BOX_GAME).products
    monkeypatch.delitem(products, "recess-pack")  # type: ignore[arg-type]
    monkeypatch.delitem(products, "lunchbox")  # type: ignore[arg-type]
    opened(box)
    assert {queries.contents_of(pack) for pack in queries.out_of(box)} == {promised}


def test_only_the_house_gives_boxes(ada: User) -> None:
    for game, product in BOXES:
        with pytest.raises(Unacceptable, match="You can’t claim"):
            packs.take_gift(user=ada, game=game, product=product)
    for game in rules.games():
        first = queries.first_random(game)
        assert first is None or not first.nested
    assert "lunchbox" not in Client().get("/packs/").content.decode().split("Contents and odds")[0]


def test_what_came_out_of_a_box_that_stays_with_a_guest_stays(ada: User) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    for person in (ada, guest):
        opened(give(person, BOX_GAME, "lunchbox"))
    opened(give(guest, BOX_GAME, "lunchbox", key="more"))
    packs.move_packs(guest=guest, user=ada)
    assert Pack.objects.filter(owner=guest).count() == 1 + 6
    assert Pack.objects.filter(owner=ada).count() == 2 * (1 + 6)


@pytest.mark.django_db(transaction=True)
def test_opened_in_many_tabs_at_once_it_gives_its_packs_once() -> None:
    whole_catalog()
    ada = User.objects.create_user("ada")
    box = give(ada, BOX_GAME, "lunchbox")
    results = at_once(*[lambda: packs.open_pack(slug=box.slug, user=ada)] * 5)
    assert sorted(now for _, now in results) == [False] * 4 + [True]
    assert queries.out_of(box).count() == 6 and sum(digital(ada).values()) == 12
    assert differences() == []


# -- pages and API --------------------------------------------------------------------------------


@pytest.fixture
def client(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def test_a_kit_is_opened_on_pages(client: Client, ada: User) -> None:
    box = give(ada, KIT_GAME, "welcome-kit")
    page = client.get(box.get_absolute_url()).content.decode()
    assert page.count('name="choice"') == 5 and "Open the box" in page
    assert "4 packs and 1 card" in page and "3×</span>" in page
    refused = client.post(f"/packs/{box.slug}/open/", {"choice": "none"})
    assert refused.status_code == 422
    assert 'id="choice-problem"' in refused.content.decode()
    done = client.post(f"/packs/{box.slug}/open/", {"choice": "starter-storm"}, follow=True)
    page = done.content.decode()
    inner = list(queries.out_of(box))
    assert len(inner) == 4 and all(pack.get_absolute_url() in page for pack in inner)
    assert page.count("data-card ") == 1 and "Box contents" in page
    next_one = page[page.index("data-open-next") - 90 : page.index("data-open-next")]
    assert inner[0].get_absolute_url() in next_one
    for pack in inner:
        client.post(f"/packs/{pack.slug}/open/")
        checked = client.get(f"/packs/{pack.slug}/verify/").content.decode()
        assert "the hash matches, and all" in checked
    page = client.get(f"/packs/{box.slug}/verify/").content.decode()
    page = " ".join(page.split())
    assert all(f"/packs/{pack.slug}/verify/" in page for pack in inner)
    assert "the hash matches, and its card follows from the seed" in page


def test_a_kit_without_cards_of_its_own(client: Client, ada: User) -> None:
    box = give(ada, KIT_GAME, "sealed-kit")
    page = client.post(f"/packs/{box.slug}/open/", follow=True).content.decode()
    assert "data-opening" not in page and page.count("packs-stack") == 6
    assert "the hash matches." in client.get(f"/packs/{box.slug}/verify/").content.decode()


@pytest.mark.parametrize(("game", "product"), BOXES)
def test_the_odds_page_lists_what_is_inside(client: Client, game: str, product: str) -> None:
    page = client.get(f"/packs/odds/{game}/{product}/").content.decode()
    chosen = rules.game(game).products[product]
    inside = page[page.index("Box contents") :]
    for slug in (*chosen.packs, *chosen.choice):
        assert f'href="/packs/odds/{game}/{slug}/"' in inside
    odds = client.get(f"/api/packs/odds/{game}/{product}/").json()
    assert odds["packs"] == [{"product": inner, "count": n} for inner, n in chosen.packs.items()]
    assert odds["choice"] == list(chosen.choice)


def test_others_see_of_an_opened_box_what_is_opened(client: Client, ada: User) -> None:
    box = give(ada, BOX_GAME, "lunchbox")
    opened(box)
    first, *rest = queries.out_of(box)
    opened(first)
    Collection.objects.create(owner=ada, visibility=Visibility.PUBLIC)
    page = Client().get(box.get_absolute_url()).content.decode()
    assert first.slug in page and not [pack for pack in rest if pack.slug in page]
    assert APIClient().get(f"/api/packs/{box.slug}/").json()["packs"] == [first.slug]
    assert client.get(f"/api/packs/{box.slug}/").json()["packs"] == [
        pack.slug for pack in queries.out_of(box)
    ]
    with pytest.raises(NotFound):
        packs.open_pack(slug=rest[0].slug, user=User.objects.create_user("ben"))


def test_by_api_and_checked_by_the_script(ada: User, olga: User, tmp_path: Path) -> None:
    api = APIClient()
    api.force_authenticate(olga)
    body = {"game": KIT_GAME, "product": "welcome-kit", "people": ["ada"], "key": "hello"}
    assert api.post("/api/packs/grant/", body).json() == {"given": 1, "before": 0}
    box = Pack.objects.get()
    api.force_authenticate(ada)
    refused = api.post(f"/api/packs/{box.slug}/open/", {})
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")
    done = api.post(f"/api/packs/{box.slug}/open/", {"choice": "starter-deep"}).json()
    assert done["cards"] == ["open-alliance"] and len(done["packs"]) == 4
    script = Path(settings.BASE_DIR) / "docs" / "verify.py"
    for slug in [box.slug, *done["packs"]]:
        api.post(f"/api/packs/{slug}/open/", {"client_seed": "tea"})
        record = tmp_path / f"{slug}.json"
        record.write_text(json.dumps(api.get(f"/api/packs/{slug}/record/").json()))
        run = subprocess.run(
            [sys.executable, "-I", script, record], capture_output=True, text=True, check=True
        )
        assert "The chance of this pack is as published." in run.stdout
        assert ("It is a box: 4 packs came out of it" in run.stdout) == (slug == box.slug)
