"""The benchmark of the collection fills a database with what it says, and its pages are there."""

from __future__ import annotations

import pytest
from django.test import Client

from bench import collection as bench
from collection.models import Card, CatalogWord, Facet, Holding
from collection.services.catalog import sync_catalog

pytestmark = pytest.mark.embedded

SIZE = bench.Size(cards=1200, people=3, each=60, cards_a_set=100, told=900)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_page_that_is_measured_is_there(client: Client) -> None:
    sync_catalog()
    person = bench.fill(SIZE)
    assert Card.objects.count() == SIZE.cards
    assert Holding.objects.count() == SIZE.people * SIZE.each
    assert sum(Facet.objects.values_list("card_count", flat=True)) == SIZE.cards
    places = sorted(Card.objects.values_list("place", flat=True))
    assert places == list(range(1, SIZE.cards + 1))
    assert CatalogWord.objects.filter(word=bench.COMMON).exists()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    for address in bench.pages(person).values():
        bench.visit(client, address)()
    meant = client.get("/cards/", {"q": bench.MISTYPED}).content.decode()
    assert f"“{bench.RARE}”" in meant


def test_the_table_compares_both_sizes() -> None:
    small, large = {"wall": (10.0, 9)}, {"wall": (15.0, 9)}
    text = bench._compared(small, large)
    row = text.splitlines()[-1].split("|")
    assert [cell.strip() for cell in row] == ["", "wall", "10.0", "15.0", "1.5", "9", "9", ""]
