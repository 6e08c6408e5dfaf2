"""Import and export as people use them: drop, paste, answer, import, undo; axe is quiet."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from collection.models import Holding, ImportJob, JobState
from collection.services import imports
from collection.services.catalog import Synced
from tests.browser.player import log_in, quiet
from tests.games.examples import GAME_NAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = "name,quantity,tags\nRed Claw,2,first\nRde Flame,1,\nRed Stinger,x,\n"


@pytest.fixture
def ada(catalog: Synced) -> User:
    return User.objects.create_user("ada")


def has(owner: User) -> dict[str, int]:
    rows = Holding.objects.filter(owner=owner, quantity__gt=0)
    return {row.card.title: row.quantity for row in rows}


def journey(page: Page, live_server: LiveServer, owner: User, file: Path, axe: str) -> None:
    """A file from the drop zone to the cards and back, then an export."""
    page.goto(f"{live_server.url}/collection/import/")
    quiet(page, axe)
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("2 lines were not recognised.").wait_for()
    quiet(page, axe)
    page.get_by_role("button", name="Red Flame for line 3").click()
    page.get_by_text("1 line was not recognised.").wait_for()
    page.get_by_role("link", name="Invalid 1").click()
    page.get_by_text("“x” is not a count.").wait_for()
    page.get_by_role("button", name="Skip line 4").click()
    page.get_by_role("link", name="New 2").click()
    page.locator(".import-changes").first.wait_for()
    quiet(page, axe)
    assert has(owner) == {}
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("button", name="Undo import").wait_for()
    assert has(owner) == {"Red Claw": 2, "Red Flame": 1}
    quiet(page, axe)
    page.goto(f"{live_server.url}/collection/export/")
    quiet(page, axe)
    page.get_by_text("Plain text").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    taken = Path(download.value.path()).read_text(encoding="utf-8")
    assert taken == f"[{GAME_NAME}]\n1 Red Flame\n2 Red Claw\n"
    page.goto(f"{live_server.url}{ImportJob.objects.get().get_absolute_url()}")
    page.get_by_role("button", name="Undo import").click()
    page.get_by_text("This import was undone").wait_for()
    assert has(owner) == {}


@pytest.mark.parametrize(
    ("width", "theme"),
    [(1440, "dark"), (390, "light")],
)
def test_a_list_comes_and_goes(
    browser: Browser,
    live_server: LiveServer,
    ada: User,
    axe_source: str,
    tmp_path: Path,
    width: int,
    theme: str,
) -> None:
    file = tmp_path / "list.csv"
    file.write_text(LIST, encoding="utf-8")
    User.objects.update(theme=theme)
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=width < 800)
    log_in(context, live_server, ada)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    journey(page, live_server, ada, file, axe_source)
    assert complaints == []
    context.close()


def test_the_zone_takes_what_is_dropped_and_refuses_what_is_too_large(
    page: Page, context: BrowserContext, live_server: LiveServer, ada: User
) -> None:
    log_in(context, live_server, ada)
    page.goto(f"{live_server.url}/collection/import/")
    drop = """([name, size]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(size).fill(49)], name));
      const zone = document.querySelector("[data-drop]");
      const how = { dataTransfer: data, bubbles: true, cancelable: true };
      zone.dispatchEvent(new DragEvent("drop", how));
    }"""
    page.evaluate(drop, ["huge.csv", imports.MAX_BYTES + 1])
    page.get_by_text("huge.csv").wait_for()
    page.get_by_text("the limit is 16.0 MB").wait_for()
    page.get_by_role("button", name="Preview").click()
    assert page.url.endswith("/collection/import/")
    page.evaluate(drop, ["small.csv", 3])
    page.get_by_text("3 bytes").wait_for()
    expect(page.get_by_text("the limit is")).to_be_hidden()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("heading", name="small.csv").wait_for()


def test_a_long_list_shows_how_far_it_is_and_comes_by_itself(
    page: Page,
    context: BrowserContext,
    live_server: LiveServer,
    ada: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(imports, "_wake", lambda job_id: None)
    job = imports.start_import(owner=ada, data=b"1 Red Claw\n" * 600, filename="long.txt")
    log_in(context, live_server, ada)
    page.goto(live_server.url + job.get_absolute_url())
    status = page.get_by_role("status")
    status.filter(has_text="Queued.").wait_for()
    ImportJob.objects.update(state=JobState.WORKING, done=250)
    status.filter(has_text="250 of about 600 lines read.").wait_for()
    expect(page.get_by_role("progressbar")).to_have_js_property("value", 250)
    ImportJob.objects.update(state=JobState.WAITING)

    def work() -> None:
        imports.read_import(job_id=job.pk)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    page.get_by_role("button", name="Import", exact=True).wait_for()
    worker.join()


def test_without_scripts_it_is_forms_and_links(
    browser: Browser, live_server: LiveServer, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = browser.new_context(java_script_enabled=False)
    log_in(context, live_server, ada)
    page = context.new_page()
    page.goto(f"{live_server.url}/collection/import/")
    page.get_by_label("Or paste a list").fill("2 Red Claw\n")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Undo import").wait_for()
    assert has(ada) == {"Red Claw": 2}
    monkeypatch.setattr(imports, "_wake", lambda job_id: None)
    job = imports.start_import(owner=ada, data=b"1 Red Claw\n" * 600)
    page.goto(live_server.url + job.get_absolute_url())
    imports.read_import(job_id=job.pk)
    page.get_by_role("link", name="Refresh").click()
    page.get_by_role("button", name="Import", exact=True).wait_for()
    context.close()
