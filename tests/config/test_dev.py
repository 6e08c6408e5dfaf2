"""``make dev``: a change is seen at the next request, and a broken one is said."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.dev import DevSupervisor, Sources, packages
from config.embedded import BASE_DIR
from tests.conftest import free_port
from tests.support.real_site import embedded
from tests.support.services import wait_until


def test_what_changes_is_noticed_once(tmp_path: Path) -> None:
    (tmp_path / "app" / "site").mkdir(parents=True)
    view, rule = tmp_path / "app" / "views.py", tmp_path / "app" / "site" / "rules.toml"
    view.write_text("one")
    (tmp_path / "app" / "notes.txt").write_text("no code")
    sources = Sources([tmp_path / "app"])
    assert sources.changed() == []
    rule.write_text("new")
    (tmp_path / "app" / "notes.txt").write_text("no code at all")
    assert sources.changed() == [str(rule)]
    view.write_text("another")
    os.utime(view, ns=(1, 1))  # an older version, as git puts it there
    assert sources.changed() == [str(view)]
    view.unlink()
    assert sources.changed() == [str(view)]
    assert sources.changed() == []


def test_all_code_of_the_site_is_watched() -> None:
    names = {folder.name for folder in packages()}
    assert {"accounts", "collection", "config", "decks", "games", "matches", "rules"} <= names
    assert not {"tests", "bench"} & names


def test_nothing_of_the_sites_own_is_loaded_before_a_change() -> None:
    """Granian’s forks keep the modules loaded before them, such as ``config/__init__.py``."""
    script = (
        "import sys, importlib, config.preloaded as preloaded\n"
        "[importlib.import_module(name) for name in preloaded.LIBRARIES]\n"
        f"own = {[folder.name for folder in packages()]}\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in own))\n"
        "print('django.contrib.auth.models' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=BASE_DIR, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == [
        "['config', 'config.compiled_engine', 'config.preloaded']",
        "False",
    ]


@pytest.mark.parametrize("tasks", ["", "redis://tasks:6379/0"])
def test_its_worker_takes_nothing_back_on_a_redis_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tasks: str
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("TASKS_REDIS_URL", tasks)
    site = DevSupervisor(tmp_path, "127.0.0.1", 8000)
    site.stopping = True  # no program is started
    site._add_programs()
    (worker,) = [child for child in site.children if child.name == "worker"]
    assert bool(worker.extra["RIFFLE_WORKER"]) == (not tasks)


class Checkout:
    """A copy of the site's code under ``make dev``."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder / "site", free_port()
        for name in [path.name for path in packages()] + ["templates", "static"]:
            shutil.copytree(BASE_DIR / name, self.folder / name)
        self.var = folder / "var"
        self.said = (folder / "said").open("w+")
        environment = embedded(self.var, PORT=str(self.port))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.dev"],
            cwd=self.folder,
            env=environment,
            stdout=self.said,
            stderr=subprocess.STDOUT,
        )

    def output(self) -> str:
        self.said.seek(0)
        return self.said.read()

    def has(self, path: str, words: str) -> bool:
        address = f"http://127.0.0.1:{self.port}{path}"
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return words in answer.read().decode()
        except OSError:
            return False

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def workers_started(self) -> int:
        return (self.var / "log" / "worker.log").read_text().count("dev@")


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    site = Checkout(tmp_path)
    yield site
    site.process.send_signal(signal.SIGTERM)
    site.process.wait(30)
    site.said.close()


@pytest.mark.slow
@pytest.mark.embedded
def test_the_developers_day(checkout: Checkout) -> None:
    site = checkout
    wait_until(lambda: "Riffle is open" in site.output(), (), site.output()[-2000:], 120)
    busy, offline, css = "/api/problems/busy/", "/offline/", "/static/css/tokens.css"
    assert site.has(busy, "Server busy") and site.has(offline, "<h1")

    site.replace("templates/notices/offline.html", "<h1", "<p>Seen in a template</p><h1")
    assert site.has(offline, "Seen in a template")
    (site.folder / "static/css/tokens.css").write_text("/* Seen in CSS */")
    assert site.has(css, "Seen in CSS")

    before = site.workers_started()
    site.replace("config/problems.py", "Server busy", "Seen in Python")
    wait_until(lambda: site.has(busy, "Seen in Python"), (), site.output()[-2000:], 60)
    assert "config/problems.py changed" in site.output()
    wait_until(lambda: site.workers_started() > before, (), site.output()[-2000:], 60)

    site.replace("config/problems.py", "KINDS:", "KINDS(:")
    wait_until(lambda: "SyntaxError" in site.output(), (), site.output()[-2000:], 60)
    site.replace("config/problems.py", "KINDS(:", "KINDS:")
    wait_until(lambda: site.has(busy, "Seen in Python"), (), site.output()[-2000:], 60)
