"""Cards in templates, and the catalog in the admin."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.template import Context, Template
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from collection.drawing.pictures import card_back_url, card_image_url
from collection.models import Card
from collection.services.catalog import Synced
from tests.games.examples import AMBUSH, CLAW, GAME


def rendered(source: str) -> str:
    return Template("{% load cards %}" + source).render(Context({"slug": AMBUSH, "game": GAME}))


def test_addresses() -> None:
    assert rendered("{% card_image slug game %}") == card_image_url(GAME, AMBUSH)
    thumb = card_image_url(GAME, AMBUSH, "thumb")
    assert rendered("{% card_image slug game 'thumb' %}") == thumb
    assert rendered("{% card_back_image game 'full' %}") == card_back_url(GAME, "full")
    assert rendered("{% card_alt slug game %}").startswith("Ambush. Opportunity. ")


def test_a_whole_picture() -> None:
    lazy = rendered("{% card_picture slug game 'thumb' %}")
    assert 'alt="Ambush. Opportunity.' in lazy
    assert 'width="126" height="176" loading="lazy"' in lazy
    eager = rendered("{% card_picture slug game 'table' alt='' css='face' eager=True %}")
    assert 'class="face"' in eager
    assert 'alt=""' in eager
    assert "loading" not in eager


@pytest.mark.django_db
def test_a_table_full_of_cards_asks_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        rendered("{% card_picture slug game 'table' %}" * 60)


def test_the_admin_shows_the_catalog_and_changes_nothing(client: Client, catalog: Synced) -> None:
    boss = get_user_model().objects.create_superuser("boss")
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    claw = Card.objects.get(slug=CLAW)
    for path in ("game/", "cardset/", "card/", "card/?q=claw", f"card/{claw.pk}/change/"):
        assert client.get(f"/admin/collection/{path}").status_code == 200
    assert client.get("/admin/collection/card/add/").status_code == 403
    response = client.post(f"/admin/collection/card/{claw.pk}/change/", {"name": "Paw"})
    assert response.status_code == 403
    assert (
        client.post(f"/admin/collection/card/{claw.pk}/delete/", {"post": "yes"}).status_code == 403
    )
    claw.refresh_from_db()
    assert claw.name == "Claw"
