"""The pages and the API of import and export: what they show, take and refuse, and to whom."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import Friendship, User
from collection.models import Card, Holding, ImportJob, JobState, Reason
from collection.services import imports, ledger
from collection.services.catalog import Synced
from config.bodies import body_limit
from tests.games.examples import CLAW, FLAME, GAME, GAME_NAME

pytestmark = pytest.mark.django_db

PLACE = "/collection/import/"


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def mine(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def bring(owner: User, text: str, **options: Any) -> ImportJob:
    return imports.start_import(owner=owner, data=text.encode(), **options)


def page(response: HttpResponse) -> str:
    return " ".join(response.content.decode().split())


def has(owner: User) -> dict[str, int]:
    rows = Holding.objects.filter(owner=owner, quantity__gt=0)
    return {row.card.slug: row.quantity for row in rows}


# -- pages ----------------------------------------------------------------------------------------


def test_a_pasted_list_from_first_to_last(mine: Client, ada: User) -> None:
    text = "name,quantity\nRed Claw,2\nRde Flame,1\nRed Stinger,x\n"
    response = mine.post(PLACE, {"text": text, "replaces": "add"})
    job = ImportJob.objects.get()
    assert response["Location"] == job.get_absolute_url() == f"{PLACE}{job.slug}/"
    html = page(mine.get(job.get_absolute_url()))
    assert "2 lines were not recognised. Choose cards below" in html
    assert "No card named “Rde Flame”." in html and f'value="{GAME}/{FLAME}"' in html
    refused = mine.post(f"{PLACE}{job.slug}/apply/")
    assert refused.status_code == 422 and "nothing was imported" in page(refused)
    answer = mine.post(f"{PLACE}{job.slug}/lines/3/", {"action": f"{GAME}/{FLAME}", "show": "x"})
    assert answer.status_code == 302
    mine.post(f"{PLACE}{job.slug}/lines/4/", {"action": "skip", "show": "bad"})
    mine.post(f"{PLACE}{job.slug}/lines/4/", {"action": "back"})
    html = page(mine.get(job.get_absolute_url() + "?show=bad"))
    assert "“x” is not a count." in html and "Red Stinger,x" in html
    done = mine.post(f"{PLACE}{job.slug}/apply/", {"skips_bad": "1"}, follow=True)
    assert "Undo import" in page(done) and has(ada) == {CLAW: 2, FLAME: 1}
    html = page(mine.get(job.get_absolute_url() + "?show=new"))
    assert '</span>0 <span aria-hidden="true">→</span>' in html and "<strong>2</strong>" in html
    undone = mine.post(f"{PLACE}{job.slug}/undo/", follow=True)
    assert "was undone" in page(undone) and has(ada) == {}


def test_after_an_import_the_next_list_is_one_press_away(mine: Client) -> None:
    for text in ("2 Red Claw", "1 Red Flame"):
        mine.post(PLACE, {"text": text, "replaces": "add"})
    first, second = ImportJob.objects.order_by("pk")
    done = page(mine.post(f"{PLACE}{first.slug}/apply/", follow=True))
    assert f'href="{second.get_absolute_url()}">Review next list' in done
    assert 'href="/collection/"><svg' in done and "View my collection" in done
    done = page(mine.post(f"{PLACE}{second.slug}/apply/", follow=True))
    assert "Import another list" in done and "Review next list" not in done


def test_a_file_of_a_guest(client: Client, catalog: Synced) -> None:
    file = SimpleUploadedFile(
        "Über/meine karten.csv", "name;quantity\nRed Claw;2\n".encode("cp1252")
    )
    response = client.post(PLACE, {"file": file, "replaces": "replace"})
    job = ImportJob.objects.get()
    assert job.owner.is_guest and response["Location"] == job.get_absolute_url()
    assert (job.filename, job.replaces, job.state) == ("meine karten.csv", True, JobState.READY)
    assert "meine karten.csv" in page(client.get(PLACE))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"replaces": "add"}, "Choose a file or paste a list."),
        ({"text": "Red Claw", "replaces": "often"}, "often is not one of the available choices"),
        ({"text": "Red Claw", "replaces": "add", "game": "chess"}, "chess is not one of"),
        ({"text": "x" * 300_001, "replaces": "add"}, "at most 300000 characters"),
    ],
)
def test_a_form_keeps_what_was_typed_and_says_what_is_wrong(
    mine: Client, data: dict[str, str], words: str
) -> None:
    response = mine.post(PLACE, data)
    assert response.status_code == 422 and words in page(response)
    if "text" in data:
        assert data["text"] in response.content.decode()
    assert not ImportJob.objects.exists()


def test_a_large_file_is_refused_kindly(mine: Client) -> None:
    most = imports.MAX_BYTES
    assert most < body_limit("POST", PLACE), "so that the refusal is ours"
    file = SimpleUploadedFile("big.csv", b"x" * (most + 1))
    response = mine.post(PLACE, {"file": file, "replaces": "add"})
    assert response.status_code == 422
    assert "This list is larger than 16 MB. Split it into several files." in page(response)
    assert not ImportJob.objects.exists()


def test_progress_is_shown_until_the_page_is_worth_loading(
    mine: Client, ada: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as called:
        job = bring(ada, "1 Red Claw\n" * 600)
    address = job.get_absolute_url()
    assert "Queued." in page(mine.get(address))
    ImportJob.objects.update(state=JobState.WORKING, done=250)
    part = mine.get(address, headers={"HX-Request": "true"})
    assert "250 of about 600 lines read." in page(part)
    assert '<progress class="progress" max="600" value="250"' in page(part)
    assert "<html" not in page(part) and 'hx-trigger="every 1s"' in page(part)
    ImportJob.objects.update(state=JobState.WAITING)
    called[0]()
    assert mine.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "+600" in page(mine.get(address))


def test_lines_come_in_pages_that_cost_the_same(
    mine: Client, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    job = bring(ada, "".join(f"{n} {t}\n" for n in range(1, 71) for t in ("Red Claw", "Red Flame")))
    address = job.get_absolute_url()
    seen: list[str] = []
    for after, queries in (("", 9), ("&after=50", 10), ("&after=100", 10)):
        with django_assert_num_queries(queries):
            html = page(mine.get(f"{address}?show=new{after}"))
        seen += [n for n in range(1, 141) if f'id="line-{n}"' in html]
    assert seen == list(range(1, 141))
    assert "Later lines" not in html and "after=50" in html
    assert mine.get(f"{address}?show=new&after={'9' * 40}").status_code == 200
    assert mine.get(f"{address}?show=nonsense&after=-1").status_code == 200


def test_a_preview_that_is_out_of_date_is_a_conflict(mine: Client, ada: User) -> None:
    job = bring(ada, "5 Red Claw", replaces=True)
    cards = {Card.objects.get(slug=CLAW).pk: 2}
    ledger.transfer(key="x", reason=Reason.GRANT, movements=ledger.digital_to(ada, cards))
    response = mine.post(f"{PLACE}{job.slug}/apply/")
    assert response.status_code == 409 and "Your cards have changed" in page(response)
    assert "+3" in page(response)


def test_failed_cancelled_and_forgotten_lists_say_so(mine: Client, ada: User) -> None:
    failed = bring(ada, "%PDF-1.7")
    assert "This is a PDF, not a list." in page(mine.get(failed.get_absolute_url()))
    job = bring(ada, "Red Claw")
    gone = mine.post(f"{PLACE}{job.slug}/cancel/", follow=True)
    assert gone.redirect_chain == [(PLACE, 302)]
    assert "Discarded. Nothing was imported." in page(mine.get(job.get_absolute_url()))
    done = bring(ada, "Red Claw")
    imports.apply_import(owner=ada, slug=done.slug)
    refused = mine.post(f"{PLACE}{done.slug}/cancel/")
    assert refused.status_code == 409 and "undo it instead" in page(refused)
    done.lines.all().delete()
    html = page(mine.get(done.get_absolute_url()))
    assert "are deleted after 30 days" in html and "Undo import" not in html


def test_what_is_brought_is_shown_as_words(mine: Client, ada: User) -> None:
    job = bring(ada, "1 <script>alert(1)</script>\n", filename="<img src=x>.txt")
    html = mine.get(job.get_absolute_url()).content.decode()
    assert "<script>alert" not in html and "<img src=x" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_exports_are_streamed_with_a_safe_name(mine: Client, ada: User) -> None:
    imports.apply_import(owner=ada, slug=bring(ada, "2 Red Claw").slug)
    assert "Download" in page(mine.get(reverse("collection:export")))
    address = reverse("collection:export_file")
    response = mine.get(address, {"format": "riffle", "which": "all", "game": GAME})
    assert response.streaming
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    name = response["Content-Disposition"]
    assert name.startswith(f'attachment; filename="cards-{GAME}-20') and name.endswith('.csv"')
    assert "no-store" in response["Cache-Control"]
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    assert text.splitlines()[1].startswith(f'"{GAME}","master","4","Claw","red"')
    for query in ({"format": "xls", "which": "all"}, {"format": "json"}, {"which": "mine"}):
        assert mine.get(address, query).status_code == 422


# -- who may --------------------------------------------------------------------------------------


def people(owner: User) -> dict[str, Client]:
    stranger, friend = User.objects.create_user("stranger"), User.objects.create_user("friend")
    Friendship.objects.create(sender=owner, recipient=friend, accepted_at=owner.date_joined)
    return {
        "anonymous": client_of(None),
        "stranger": client_of(stranger),
        "friend": client_of(friend),
        "owner": client_of(owner),
    }


@pytest.mark.parametrize(
    ("method", "address", "statuses"),
    [
        ("get", "/collection/import/{slug}/", (302, 404, 404, 200)),
        ("post", "/collection/import/{slug}/apply/", (302, 404, 404, 302)),
        ("post", "/collection/import/{slug}/undo/", (302, 404, 404, 409)),
        ("post", "/collection/import/{slug}/cancel/", (302, 404, 404, 302)),
        ("post", "/collection/import/{slug}/lines/1/", (302, 404, 404, 422)),
        ("get", "/collection/export/", (302, 200, 200, 200)),
        ("get", "/collection/export/file/?format=json&which=all", (302, 200, 200, 200)),
        ("get", "/api/imports/", (401, 200, 200, 200)),
        ("get", "/api/imports/{slug}/", (401, 404, 404, 200)),
        ("get", "/api/imports/{slug}/lines/", (401, 404, 404, 200)),
        ("post", "/api/imports/{slug}/lines/1/", (401, 400, 400, 400)),
        ("post", "/api/imports/{slug}/apply/", (401, 404, 404, 200)),
        ("post", "/api/imports/{slug}/cancel/", (401, 404, 404, 200)),
        ("post", "/api/imports/{slug}/undo/", (401, 404, 404, 409)),
        ("get", "/api/exports/?format=json", (401, 200, 200, 200)),
    ],
)
def test_who_may_do_what(ada: User, method: str, address: str, statuses: tuple[int, ...]) -> None:
    job = bring(ada, "1 Red Claw")
    for (who, client), status in zip(people(ada).items(), statuses, strict=True):
        body = {"data": "{}", "content_type": "application/json"}
        options = body if address.startswith("/api/") and method == "post" else {}
        response = getattr(client, method)(address.format(slug=job.slug), **options)
        assert response.status_code == status, who
        if address.startswith("/api/") and status >= 400:
            assert response["Content-Type"] == "application/problem+json"
        if who != "owner":
            content = b"".join(response) if response.streaming else response.content
            assert b"Claw" not in content and job.slug.encode() not in content.replace(
                response.request["PATH_INFO"].encode(), b""
            ), who
    job.refresh_from_db()
    assert has(ada) == ({CLAW: 1} if address.endswith("apply/") else {})


# -- API ------------------------------------------------------------------------------------------


def post(client: Client, address: str, data: Any = None) -> Any:
    return client.post(address, json.dumps(data or {}), content_type="application/json")


def test_a_list_by_api(mine: Client, ada: User) -> None:
    answer = post(mine, "/api/imports/", {"text": "2 Red Claw\n1 Rde Flame", "filename": "a.txt"})
    assert answer.status_code == 201
    job = answer.json()
    assert (job["state"], job["dialect"], job["filename"]) == ("ready", "text", "a.txt")
    assert job["summary"] == {
        "cards": {"new": 1, "changed": 0, "same": 0},
        "copies": {"more": 2, "fewer": 0},
        "lines": {"new": 1, "unknown": 1},
        "digital": 0,
        "not_kept": 0,
    }
    place = f"/api/imports/{job['slug']}/"
    first, second = mine.get(f"{place}lines/").json()["lines"]
    assert (first["card"], first["before"]["physical"], first["after"]["physical"]) == (CLAW, 0, 2)
    assert second["suggestions"][0]["card"] == FLAME and second["after"] is None
    refused = post(mine, f"{place}apply/")
    assert refused.status_code == 422 and refused.json()["lines"] == 1
    answer = {"answer": "card", "game": GAME, "card": FLAME}
    assert post(mine, f"{place}lines/2/", answer).json()["summary"]["copies"]["more"] == 3
    assert post(mine, f"{place}apply/").json()["state"] == "done"
    assert post(mine, f"{place}apply/").json()["state"] == "done"
    assert has(ada) == {CLAW: 2, FLAME: 1}
    lines = mine.get(f"{place}lines/", {"after": 1, "size": 1}).json()
    assert [line["number"] for line in lines["lines"]] == [2] and lines["after"] == 0
    assert post(mine, f"{place}undo/").json()["undone"] is True
    assert has(ada) == {}
    assert [row["slug"] for row in mine.get("/api/imports/").json()["results"]] == [job["slug"]]


def test_a_file_by_api_may_be_larger_than_other_requests(mine: Client) -> None:
    text = b"name,quantity\n" + b"Red Claw,1\n" * 400 + b"\n" * settings.API_BODY_LIMIT
    file = SimpleUploadedFile("list.csv", text)
    answer = mine.post("/api/imports/", {"file": file, "replaces": "true"})
    assert answer.status_code == 201 and answer.json()["replaces"] is True


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 400),
        ({"text": "", "game": ""}, 422),
        ({"text": "Red Claw", "game": "chess"}, 422),
        ({"text": "Red Claw", "replaces": "perhaps"}, 400),
        ({"text": 3.5, "filename": "x" * 201}, 400),
    ],
)
def test_refusals_by_api(mine: Client, data: dict[str, Any], status: int) -> None:
    response = post(mine, "/api/imports/", data)
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert not ImportJob.objects.exists()


def test_exports_by_api(mine: Client, ada: User) -> None:
    imports.apply_import(owner=ada, slug=bring(ada, "2 Red Claw").slug)
    response = mine.get("/api/exports/?format=json")
    (row,) = json.loads(b"".join(response.streaming_content))["cards"]
    assert (row["game"], row["name"], row["finish"], row["quantity"]) == (
        GAME,
        "Claw",
        "red",
        2,
    )
    text = b"".join(mine.get("/api/exports/?format=text").streaming_content)
    assert text == f"[{GAME_NAME}]\n2 Red Claw\n".encode()
    for query in ("format=xls", "which=none"):
        assert mine.get(f"/api/exports/?{query}").status_code == 400


def test_the_documentation_names_every_refusal(client: Client, db: None) -> None:
    paths = client.get("/api/schema/?format=json").json()["paths"]
    mine = {path: methods for path, methods in paths.items() if "/imports/" in path}
    assert len(mine) == 8
    for path, methods in mine.items():
        for method, operation in methods.items():
            needed = {"401", "403", "429"} | ({"404", "409", "422"} if method == "post" else set())
            assert needed <= set(operation["responses"]), (path, method)
    body = paths["/api/imports/"]["post"]["requestBody"]["content"]
    assert set(body) == {"application/json", "multipart/form-data"}
    assert "/api/exports/" in paths


def test_single_suggestions_at_once_and_a_search_for_the_rest(mine: Client, ada: User) -> None:
    text = "name,quantity\nRde Flame,1\nRed Stingr,2\nRde Flame,3\nqqqqq zzzzz,4\n"
    mine.post(PLACE, {"text": text, "replaces": "add", "game": GAME})
    job = ImportJob.objects.get()
    address = job.get_absolute_url()
    single = sum(len(line.suggestions) == 1 for line in job.lines.all())
    html = page(mine.get(address))
    if single:
        assert f"Accept the {single} single suggestion" in html
    before = job.lines.filter(verdict="unknown").count()
    mine.post(f"{address}suggestions/")
    assert job.lines.filter(verdict="unknown").count() == before - single
    results = page(mine.get(address, {"show": "unknown", "find": "5", "q": "claw red"}))
    assert f'value="{GAME}/{CLAW}"> Red Claw' in results
    mine.post(f"{address}lines/5/", {"action": f"{GAME}/{CLAW}"})
    mine.post(f"{address}apply/", {"skips_bad": "1"})
    assert has(ada)[CLAW] == 4


def test_a_search_for_a_line_stays_on_its_page(mine: Client, ada: User) -> None:
    job = bring(ada, "".join(f"1 qqqqq zzzzz {number}\n" for number in range(60)), game=GAME)
    address, late = job.get_absolute_url(), {"show": "unknown", "after": "50"}
    html = page(mine.get(address, late))
    form = html.partition('<form class="row import-find"')[2].partition("</form>")[0]
    sent = dict(re.findall(r'name="(show|find|after)" value="([^"]+)"', form))
    results = page(mine.get(address, sent | {"q": "claw red"}))
    assert f'id="line-{sent["find"]}"' in results and f'value="{GAME}/{CLAW}"> Red Claw' in results


def test_the_same_file_again_is_noticed(mine: Client) -> None:
    text = {"text": "name,quantity,condition\nRed Claw,2,NM\nRed Claw,1,LP\n", "replaces": "add"}
    mine.post(PLACE, text)
    first = ImportJob.objects.get()
    assert "already imported this file" not in page(mine.get(first.get_absolute_url()))
    mine.post(f"{first.get_absolute_url()}apply/")
    again = mine.post(PLACE, text, follow=True)
    assert "already imported this file" in page(again)
    assert f'href="{first.get_absolute_url()}"' in page(again)
    mine.post(f"{first.get_absolute_url()}undo/")
    mine.post(PLACE, text)
    last = ImportJob.objects.order_by("pk").last()
    assert last and "already imported this file" not in page(mine.get(last.get_absolute_url()))
