"""Fixtures for every test: throw-away services, a real worker, a whole running site, a browser."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.servers.basehttp import WSGIRequestHandler
from django.template import Template
from django.test.utils import instrumented_test_render
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests.support import emptying, locks, slow_network
from tests.support.services import CHOSEN, REQUIRED, Services, wait_until
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django import DjangoDbBlocker

pytest_plugins = ["rules.testing.plugin"]

ROOT = Path(__file__).resolve().parent.parent
AXE = ROOT / "static" / "vendor" / "axe" / "axe.min.js"
PATIENCE = 30_000
"""So many milliseconds a page may take on a machine that is busy with other tests."""

DRAW = Template._render

# The live server sends an answer in two parts, and would wait 40 ms with the second for a browser
# that acknowledges the first.
WSGIRequestHandler.disable_nagle_algorithm = True

# How quickly examples come depends on what else the machine does.
hypothesis_settings.register_profile(
    "riffle", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("riffle")

# Playwright's event loop lives in the main thread; Django must not take it for an async view.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--latency",
        type=int,
        default=0,
        metavar="MS",
        help="let every request of the browser tests take so many milliseconds longer",
    )
    parser.addoption(
        "--leave-to-services",
        action="store_true",
        help="leave out what comes out the same in the run with PostgreSQL, Redis and a worker",
    )
    parser.addoption(
        "--chance",
        default="0",
        metavar="N",
        help="draw other seeds, packs and names than with 0; each number draws the same each time",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start the services before anything connects; the parent of a parallel run needs none."""
    if config.getoption("--leave-to-services"):
        config.option.markexpr = "not browser and not services and (not slow or embedded)"
    if not getattr(config.option, "numprocesses", None):
        CHOSEN.start()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread of which this run takes no test: reading all takes each process 15 s."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text(encoding="utf-8")
    of_one_kind = "mark.embedded" not in text and ALL_MARKED.search(text)
    if of_one_kind and f"not {of_one_kind[1]}" in config.option.markexpr:
        return True
    if config.option.markexpr == "browser":
        return "mark.browser" not in text or None
    rules_alone = _holds_rules(collection_path) and "site" not in collection_path.parts
    if REQUIRED:
        return (rules_alone and not NEEDS_MORE.search(text)) or None
    if config.getoption("--leave-to-services") and not _holds_rules(collection_path):
        return "mark.embedded" not in text or None
    return None


ALL_MARKED = re.compile(r"^pytestmark = .*?mark\.(browser|services|slow)\b", re.MULTILINE)
"""What a file says if all of its tests are of one kind."""

NEEDS_MORE = re.compile(
    r"mark\.(slow|services|browser|django_db)|django|\b(db|client|live_server)\b"
)
"""What a file of rules says if a test in it is more than pure."""


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: the garbage collector need not look at them each time.

    Nor need it look for rubbish after every 700 objects: that took a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_report_header() -> str:
    database = "PostgreSQL" if CHOSEN.postgres else "SQLite"
    return f"services: {database}, {CHOSEN.redis_binary or 'no Redis (cache in memory)'}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip, with a sentence, what this machine cannot run. REQUIRE_SERVICES=1 skips nothing.

    With it, the rules' own tests are left out: no server can make a difference to them, and the
    ordinary run has them. In CI, which has both runs, each test is in one of them; in both are
    those that SQLite or the embedded Valkey could make a difference to.
    """
    long_ones_first(items)
    if REQUIRED:
        leave_out(config, items, [item for item in items if is_pure(item)])
        return
    if config.getoption("--leave-to-services"):
        kept = {item for item in items if is_pure(item) or item.get_closest_marker("embedded")}
        leave_out(config, items, [item for item in items if item not in kept])
    services = pytest.mark.skip(
        reason="Needs PostgreSQL, Redis and a Celery worker: install postgresql and redis-server "
        "and set REQUIRE_SERVICES=1."
    )
    browser = pytest.mark.skip(
        reason="Needs Chromium: install the package chromium-headless-shell or chromium."
    )
    for item in items:
        if item.get_closest_marker("services"):
            item.add_marker(services)
        if item.get_closest_marker("browser") and not chromium():
            item.add_marker(browser)


def long_ones_first(items: list[pytest.Item]) -> None:
    """Begin with what takes long: as the last one, it would keep the other processes waiting.

    ``mark.slow(60)`` says that a test takes about so many seconds; the longest begins.
    """
    items.sort(key=_seconds, reverse=True)


def _seconds(item: pytest.Item) -> int:
    slow = item.get_closest_marker("slow")
    if not slow or not _may_come_first(item):
        return 0
    return slow.args[0] if slow.args else 1


def _may_come_first(item: pytest.Item) -> bool:
    """True unless the test empties a database in which others find the catalog.

    All browser tests empty it, and on PostgreSQL the catalog stays.
    """
    if REQUIRED or item.get_closest_marker("browser"):
        return True
    fixtures = set(getattr(item, "fixturenames", ()))
    return not (item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db"})


def leave_out(config: pytest.Config, items: list[pytest.Item], left: Sequence[pytest.Item]) -> None:
    """Run without these, and say how many they are."""
    config.hook.pytest_deselected(items=left)
    gone = set(left)
    items[:] = [item for item in items if item not in gone]


PURE = (ROOT / "tests" / "rules", ROOT / "tests" / "games")
"""Where tests of rules stand."""


def is_pure(item: pytest.Item) -> bool:
    """A test of rules that touches no database and runs in the ordinary run."""
    if not _holds_rules(item.path):
        return False
    if any(item.get_closest_marker(mark) for mark in ("django_db", "slow", "services", "browser")):
        return False
    return not {"db", "transactional_db", "services"} & set(getattr(item, "fixturenames", ()))


def _holds_rules(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in PURE)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test database, with the games' cards in it from the start."""
    from tests.support.catalog import whole_catalog

    locks.watch()
    with django_db_blocker.unblock():
        whole_catalog()
        if CHOSEN.postgres:
            emptying.keep_what_is_there(whole_catalog)


@pytest.fixture(scope="session", autouse=True)
def _draw_as_for_people(django_test_environment: None) -> None:
    """Django's tests copy the context of every template that is drawn; a tenth of the time."""
    Template._render = DRAW  # type: ignore[method-assign]


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """``response.context`` is there."""
    monkeypatch.setattr(Template, "_render", instrumented_test_render)


@pytest.fixture(autouse=True)
def _the_same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test meets the same seeds, packs and names each time: what fails once fails again.

    All of the code's chance comes from ``secrets``, which reads it here.
    """
    number = request.config.getoption("--chance")
    source = random.Random(f"{number} {request.node.nodeid}")
    monkeypatch.setattr(random, "_urandom", source.randbytes)


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """No test sees another one's cache, throttle counters or queued tasks."""
    yield
    if "core.downloads" in sys.modules:  # of answers that a test has not read
        sys.modules["core.downloads"]._Pieces._open.clear()
    for cache in caches.all():
        with contextlib.suppress(Exception):  # a test may have stopped the server
            cache.clear()


@pytest.fixture(scope="session")
def services() -> Services:
    """The servers of this run; a fault test may kill and restart them."""
    return CHOSEN


# --- A real Celery worker ------------------------------------------------------------------------
class Worker:
    """A Celery worker process on the test database; may be killed and started again."""

    def __init__(self, database_url: str, *options: str) -> None:
        self.options = options
        self.environment = os.environ | {
            "DATABASE_URL": database_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and return when it takes tasks."""
        log = CHOSEN.folder / "worker.log"
        before = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "config", "worker", "-c", "2"]
                + ["--loglevel", "INFO", "--without-gossip", "--without-mingle", *self.options],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until(
            lambda: b" ready." in log.read_bytes()[before:], (), "The Celery worker", seconds=120
        )

    def kill(self) -> None:
        """kill -9 to the worker and all its children, as a crash of the machine would."""
        assert self.process
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture
def worker_url(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test database, as a worker is told; tasks go through Redis instead of running at once."""
    from config.celery import app

    if not CHOSEN.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    monkeypatch.setitem(app.conf, "task_always_eager", False)
    name = settings.DATABASES["default"]["NAME"]
    if CHOSEN.postgres:
        return f"{CHOSEN.database_url.removesuffix('/riffle')}/{name}"
    return f"sqlite:///{name}"


@pytest.fixture
def live_worker(worker_url: str) -> Iterator[Worker]:
    """A running worker that takes all queues."""
    worker = Worker(worker_url)
    worker.start()
    yield worker
    worker.stop()


# --- The whole site ------------------------------------------------------------------------------
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site as ``make run`` starts it: web, worker, beat and Valkey, own data."""
    from tests.support.real_site import embedded

    port = free_port()
    environment = embedded(tmp_path_factory.mktemp("site"), PORT=str(port))
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "config.supervisor"], cwd=ROOT, env=environment
    )

    def answers() -> bool:
        if process.poll() is not None:
            pytest.fail("The site ended while it was starting.")
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)

    try:
        wait_until(answers, (OSError,), "The site", seconds=120)
        yield address
    finally:
        process.terminate()
        process.wait(30)


# --- A browser -----------------------------------------------------------------------------------
WHOLE = ("chromium", "chromium-browser")
SHELL = ("chromium-headless-shell",)


def chromium() -> str | None:
    """Chromium without its windows, if it is there: it shows the same for a third of the work.

    A night takes the whole of it.
    """
    return _first_of(WHOLE + SHELL if LARGE else SHELL + WHOLE)


def _first_of(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """Debian's Chromium, headless; it asks nothing of the network by itself."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        no_service_worker(started)
        if latency := pytestconfig.getoption("--latency"):
            slow_network.delay(started, latency)
        yield started
        started.close()


def no_service_worker(browser: Browser) -> None:
    """Requests that pass through one are hidden from ``page.route``; one test each is about it."""
    new_context = browser.new_context
    browser.new_context = partial(new_context, service_workers="block")  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def whole_browser(browser: Browser) -> Iterator[Browser]:
    """The whole Chromium, for what its smaller one lacks: messages of service workers."""
    if (program := _first_of(WHOLE)) is None:
        pytest.skip("Needs the whole Chromium: install the package chromium.")
    started = browser.browser_type.launch(executable_path=program, args=ARGUMENTS)
    yield started
    started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh person: no cookies, no storage."""
    opened = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page whose script errors fail the test."""
    errors: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == [], "JavaScript errors on the page"


@pytest.fixture(scope="session")
def axe_source() -> str:
    """axe-core's source: ``page.evaluate(axe_source)``, then ``page.evaluate("axe.run()")``."""
    return AXE.read_text(encoding="utf-8")
