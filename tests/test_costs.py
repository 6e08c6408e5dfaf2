"""What one request of a visitor or a member may cost, by address, where there is much to tell.

Queries and bytes are counted, which are the same on every machine; seconds stand in
docs/measurements.md. ``pytest tests/test_costs.py -s`` prints what a row takes of the processor.
"""

from __future__ import annotations

import json
import time
import zipfile
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.data_export import archive
from collection.models import Card, Holding
from core import budgets
from core.downloads import MAX_PER_OWNER
from decks.lists.textlist import write_list
from decks.services import checks
from decks.services import decks as deck_services
from decks.services.checks import Entry
from matches.models import ChatLine, Note
from matches.queries import export
from matches.views.table import MAX_STEPS
from notices.models.channels import AddressUse
from notices.services.secret_addresses import make_address
from tests.games.examples import GAME, READY_CARDS
from tests.matches.many import copies_of
from tests.support.sizes import sized
from tests.support.world import MODE, World, make_world

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
MATCHES = sized(60, large=1200)
DECKS = sized(30, large=190)
LISTS = sized(60, large=500)
LINES = sized(300, large=3000)

# Who asks where, and what an answer may take: queries, and KB. Of every row with “metered” a person
# or an address may have so much computed as budgets allow.
TABLE = """
nobody  /api/export/matches/                                       30   400  metered
owner   /api/export/matches/?mine=true                             32   400  metered
nobody  /matches/{match}/table/?steps={early}                       8   250  metered
nobody  /matches/{match}/table/?steps=0&since=0                     8   120
nobody  /matches/{match}/replay/                                    8    60  metered
nobody  /matches/{match}/replay/?ply={last}                         8    60  metered
nobody  /matches/{match}/result/                                   11    35  metered
nobody  /matches/{match}/fairness/                                  5    40  metered
nobody  /matches/{match}/match.json                                 6   150  metered
nobody  /matches/{match}/talk/                                      6    80
nobody  /api/matches/{match}/replay/                                5    40  metered
nobody  /api/matches/{match}/events/                                5   150  metered
nobody  /api/matches/{match}/record/                                6    80  metered
nobody  /api/matches/{match}/fairness/                              5    40  metered
nobody  /api/matches/{match}/chat/                                  6    80
nobody  /api/schema/                                                0   850
nobody  /api/cards/                                                 4    80
nobody  /api/matches/                                               4   100
nobody  /decks/shared/                                              6   100
nobody  /calendar/{calendar}.ics                                    5    60  metered
nobody  /feed/{feed}.atom                                           5    60  metered
owner   /decks/                                                    11   400  metered
owner   /decks/{deck}/compare/                                     10    80  metered
owner   /decks/{deck}/export/?format=cockatrice                     8    40  metered
owner   /collection/export/file/?format=riffle&which=all&game=     20   400  metered
owner   /collection/export/file/?format=json&which=all&game=       20   500  metered
owner   /api/exports/                                              20   400  metered
owner   /deck-checks/{check}/verdicts.csv                          10   100  metered
owner   /api/deck-checks/{check}/results/                          10   100  metered
owner   /api/deck-checks/{check}/sheets/                            7   400  metered
owner   /deck-checks/{check}/1/sheet.pdf                            8    60  metered
owner   /matches/                                                  16    80
owner   /trades/                                                   16    80
owner   /you/notices/                                              18   120
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def much(world: World) -> World:
    """Ann has many matches, cards, decks and lists, and people have talked."""
    ann = world.ann
    copies_of(world.finished, MATCHES)
    held = Holding.objects.filter(owner=ann).values("card")
    Holding.objects.bulk_create(
        [
            Holding(owner=ann, card_id=card, physical=4, notes="n" * 200, extra={"Price": "3"})
            for card in Card.objects.exclude(pk__in=held).values_list("pk", flat=True)
        ],
        batch_size=500,
    )
    for number in range(DECKS):
        deck_services.create_deck(
            owner=ann, game=GAME, mode=MODE, name=f"Deck {number}", cards=READY_CARDS
        )
    lists = [Entry(f"Player {n}", "Fire", write_list(READY_CARDS, GAME)) for n in range(LISTS)]
    checks.add_decks(check=world.check, by=ann, entries=lists)
    checks.judge_check(check_id=world.check.pk)
    values = {"match": world.finished, "author": ann, "text": "hello " * 20}
    ChatLine.objects.bulk_create([ChatLine(room="table", **values) for _ in range(LINES)])
    Note.objects.bulk_create([Note(ply=1, **values) for _ in range(LINES)])
    connection.queries_log.clear()
    return world


def clients(world: World) -> dict[str, Client]:
    owner = Client()
    owner.force_login(world.ann, backend="django.contrib.auth.backends.ModelBackend")
    return {"nobody": Client(), "owner": owner}


def filled(address: str, world: World) -> str:
    match = world.finished
    return address.format(
        match=match.slug,
        last=match.ply,
        early=max(0, match.visible_ply(None) - MAX_STEPS),
        deck=world.deck.slug,
        check=world.check.slug,
        calendar=make_address(user=world.ann, use=AddressUse.CALENDAR).key,
        feed=make_address(user=world.ann, use=AddressUse.FEED).key,
    )


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def test_no_answer_costs_more_than_is_said(much: World, settings: Settings) -> None:
    settings.CPU_BUDGET = 1000.0
    by = clients(much)
    wrong = []
    for who, address, queries, size, *_ in ROWS:
        path = filled(address, much)
        body_of(by[who].get(path))  # what is kept for the next one is kept
        with CaptureQueriesContext(connection) as queries_result:
            began = time.thread_time()
            answer = by[who].get(path)
            body = body_of(answer)
            spent = time.thread_time() - began
        cost = f"{len(queries_result):4} {len(body) / 1000:7.1f} KB {spent * 1000:6.0f} ms"
        print(f"{who:7} {address:60} {cost}")
        if (
            answer.status_code != 200
            or len(queries_result) > int(queries)
            or len(body) > int(size) * 1000
        ):
            wrong.append((answer.status_code, who, path, len(queries_result), len(body)))
    if sized(0, large=1):  # the numbers above are those of an ordinary run
        wrong = [row for row in wrong if row[0] != 200]
    assert not wrong


def test_whoever_has_used_up_a_budget_is_told_when_to_come_back(
    world: World, settings: Settings
) -> None:
    settings.CPU_BUDGET = 0.0
    by = clients(world)
    refused = {
        (who, address): by[who].get(filled(address, world))
        for who, address, *_, note in ROWS
        if note == "metered" and "/table/" not in address
    }
    statuses = {row: answer.status_code for row, answer in refused.items()}
    assert set(statuses.values()) == {429}, statuses
    assert all(int(answer["Retry-After"]) >= 1 for answer in refused.values())
    problem = refused["nobody", "/api/export/matches/"].json()
    assert problem["type"] == "/api/problems/too-much-work/"
    assert by["nobody"].get("/account/login/").status_code == 200


def test_earlier_tables_are_few_and_come_only_while_there_is_a_budget(
    world: World, settings: Settings
) -> None:
    match = world.finished
    last = match.visible_ply(None)
    assert last > MAX_STEPS + 1

    def tables(steps: int) -> int:
        page = Client().get(f"/matches/{match.slug}/table/?steps={steps}").content
        return page.count(b"data-shown=")

    assert tables(last - MAX_STEPS) == MAX_STEPS + 1
    assert tables(last - MAX_STEPS - 1) == tables(0) == 1, "the script shows none of them"
    settings.CPU_BUDGET = 0.0
    assert tables(last - MAX_STEPS) == 1


def test_a_few_downloads_at_once_a_person_and_a_site(world: World, settings: Settings) -> None:
    settings.DOWNLOADS_AT_ONCE = 6
    url = "/api/export/matches/"

    def asked(address: str) -> Any:
        return Client(REMOTE_ADDR=address).get(url)

    held = [asked("192.0.2.1") for _ in range(MAX_PER_OWNER)]
    assert [answer.status_code for answer in held] == [200] * MAX_PER_OWNER
    refused = asked("192.0.2.1")
    assert (refused.status_code, refused["Retry-After"]) == (429, "10")
    assert refused.json()["type"] == "/api/problems/too-many-downloads/"
    held.append(asked("192.0.2.2"))
    refused = asked("192.0.2.3")
    assert (refused.status_code, refused["Retry-After"]) == (503, "10")
    assert refused.json()["type"] == "/api/problems/downloads-busy/"
    own = clients(world)["owner"].get(url)  # who is logged in finds a place
    assert own.status_code == 200
    body_of(held[0])
    assert asked("192.0.2.1").status_code == 200


def test_an_export_is_read_page_by_page_while_somebody_reads(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies_of(world.finished, 12)
    monkeypatch.setattr(export, "PAGE_SIZE", 3)
    with CaptureQueriesContext(connection) as queries:
        answer: Any = Client().get("/api/export/matches/")
        assert not queries, "nothing is read before it is to be sent"
        lines = iter(answer.streaming_content)
        next(lines)
        assert 0 < len(queries) <= 4, "one page of them"
        assert len(list(lines)) == 12 and len(queries) > 12


def test_an_export_goes_on_from_its_last_line(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    slugs = [world.finished.slug, *(match.slug for match in copies_of(world.finished, 6))]
    monkeypatch.setattr(export, "MAX_LINES", 3)
    rows: list[str] = []
    after = ""
    while page := [
        json.loads(line)["match"]
        for line in body_of(Client().get("/api/export/matches/", {"after": after})).splitlines()
    ]:
        assert len(page) <= 3
        rows += page
        after = page[-1]
    assert rows == slugs
    unknown = Client().get("/api/export/matches/", {"after": world.private.slug})
    assert unknown.status_code == 404, "it is in nobody's export, as one that there is not"


def test_all_that_is_somebody_s_takes_few_queries(much: World) -> None:
    with CaptureQueriesContext(connection) as queries:
        began = time.thread_time()
        data = b"".join(archive(much.ann))
        spent = 1000 * (time.thread_time() - began)
    print(f"{len(queries):4} {len(data) / 1000:7.1f} KB {spent:6.0f} ms")
    file = zipfile.ZipFile(BytesIO(data))
    assert len(json.loads(file.read("matches.json"))) > MATCHES
    # Three a page of ten matches or of twenty decks, and some for all the rest.
    assert len(queries) < 3 * (MATCHES / 10 + DECKS / 20) + 45


def test_budgets_fill_up_again_and_belong_to_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CPU_BUDGET, settings.CPU_REFILL = 10.0, 0.5
    now = 1000.0
    monkeypatch.setattr(budgets.time, "monotonic", lambda: now)
    budgets.spend("person:1", 14.0)
    with pytest.raises(budgets.TooMuchWork) as refused:
        budgets.require("person:1")
    assert refused.value.retry_after == 8
    budgets.require("person:2")
    now += 8.5
    budgets.require("person:1")
    now += 1000
    budgets.spend("person:1", 9.0)
    budgets.require("person:1")
    budgets.spend("person:1", 2.0)
    assert budgets.is_used_up("person:1"), "it is never fuller than full"


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("192.0.2.7", "address:192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "address:2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "address:2001:db8:1:2::/64"),
    ],
)
def test_who_pays_without_a_login(rf: Any, address: str, owner: str) -> None:
    request = rf.get("/", REMOTE_ADDR=address)
    request.user = AnonymousUser()
    assert budgets.owner_of(request) == owner
