"""Redis killed, frozen or restarted under a whole site: pages, API and streams go on.

Nothing is asked of times, but that every answer comes before its client gives up.
"""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.faults.sites import Person, Production, Site
from tests.support.services import wait_until

pytestmark = pytest.mark.slow

PATIENCE = 120


@contextmanager
def stopped(site: Site) -> Iterator[None]:
    """Nothing listens at Redis's address."""
    assert isinstance(site, Production)  # the embedded site starts its Redis again by itself
    site.kill_redis()
    yield
    site.start_redis()


@contextmanager
def frozen(site: Site) -> Iterator[None]:
    """Redis takes connections and answers nothing."""
    site.freeze_redis()
    yield
    site.thaw_redis()


@contextmanager
def restarted(site: Site) -> Iterator[None]:
    """Redis comes back at once, but every connection that was open is dead."""
    if isinstance(site, Production):
        site.kill("redis")
    else:
        site.kill_redis()
    yield
    site.wait_for_redis()


Fault = Callable[[Site], "contextmanager[None]"]


class Listener:
    """Somebody's open page: the names of the events that have come in its stream."""

    def __init__(self, site: Site, slug: str) -> None:
        self.heard: list[str] = []
        address = f"{site.events}/events/matches/{slug}/"
        self._stream = urllib.request.urlopen(address, timeout=PATIENCE)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for line in self._stream:
                name, _, value = line.decode().strip().partition(": ")
                if name == "event":
                    self.heard.append(value)
        except (OSError, ValueError):
            pass  # the site ends

    def wait_for(self, name: str, times: int = 1) -> None:
        wait_until(lambda: self.heard.count(name) >= times, (), f"“{name}”", PATIENCE)


def state(person: Person, slug: str) -> dict[str, object]:
    answer = person.api(f"/api/matches/{slug}/state/")
    assert answer.status == 200, answer.body
    body: dict[str, object] = answer.json()
    return body


def wait_for_the_question(person: Person, slug: str) -> None:
    """Until the bots have played and it is this person's turn."""
    wait_until(lambda: state(person, slug)["prompt"], (), "The bots", PATIENCE)


def play(person: Person, slug: str) -> int:
    """Answer until the bots are to move; how many answers were taken."""
    taken = 0
    while (prompt := state(person, slug)["prompt"]) is not None:
        assert isinstance(prompt, dict)
        answer = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
        for again in (False, True):  # who is not sure sends a move once more: it is stored once
            sent = person.api(f"/api/matches/{slug}/moves/", answer)
            assert sent.status == 200, sent.body
            assert sent.json()["repeated"] == again
        taken += 1
    return taken


def sit_down_by_the_button(person: Person) -> str:
    """The guest's button of the home page; the address of the table."""
    home = person.get("/")
    assert home.status == 200, home.body
    table = person.post("/play/quick/", home)
    assert table.status == 200, table.body
    assert "/matches/" in table.url
    return table.url


@pytest.mark.slow(20)
def test_everybody_goes_on(whole_site: Site) -> None:
    """One fault after the other: to start a site takes longer than to try one."""
    faults: list[Fault] = [frozen, restarted]
    if isinstance(whole_site, Production):
        # The embedded site starts its Redis again by itself, which is “restarted”.
        faults.append(stopped)
    for fault in faults:
        goes_on_under(whole_site, fault)


def goes_on_under(site: Site, fault: Fault) -> None:
    program, guest, newcomer = Person(site), Person(site), Person(site)
    program.become_guest()
    slug = program.sit_down()
    wait_for_the_question(program, slug)
    table = sit_down_by_the_button(guest)
    page = Listener(site, slug)
    page.wait_for("ply")

    with fault(site):  # type: ignore[attr-defined]
        # Somebody who is logged in.
        for path in ("/", "/matches/", "/you/", "/cards/", table.removeprefix(site.address)):
            answer = guest.get(path)
            assert answer.status == 200, (path, answer.body)
            assert answer.url.endswith(path), "logged out"
        # Somebody new, by the button and by the API.
        sit_down_by_the_button(newcomer)
        another = Person(site)
        another.become_guest()
        second = another.sit_down()
        # Whoever has a token: reading, writing.
        assert program.api("/api/me/").status == 200
        taken = play(program, slug)
        assert taken
        # A password that is wrong, and the probe.
        login = newcomer.get("/account/login/")
        refused = newcomer.post("/account/login/", login, login="ada", password="not-hers")
        assert refused.status in (200, 422, 429), refused.body
        assert newcomer.get("/readyz").status == 200
        assert newcomer.get("/healthz").status == 200
        if fault is not restarted:
            assert json.loads(newcomer.get("/readyz").body)["redis"] == "unreachable"
            page.wait_for("paused")

    if fault is not restarted:
        page.wait_for("resumed")
    # What the workers owe comes later, and nothing came twice.
    for person, item in ((program, slug), (another, second)):
        wait_for_the_question(person, item)
        events = person.api(f"/api/matches/{item}/events/?since=0").json()
        plies = [group["ply"] for group in events["events"]]
        assert plies == sorted(set(plies))
    # A process that has found Redis away asks it again after three seconds.
    ready = "The web server’s way to Redis"
    wait_until(lambda: program.api("/readyz").json()["redis"] == "ok", (), ready, PATIENCE)
