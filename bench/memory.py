"""The memory that the site of ``make run`` takes: after its start, and after use.

python -m bench.memory                    (six testers, 12 rounds each: some thousand requests)
python -m bench.memory --rounds 2         (a quick look)
python -m bench.memory --testers 3 --minutes 5      (as many rounds as begin in that time)

The site is started as ``make run`` starts it, on a port and in a folder of its own. Then each
tester does in every round what testers do: plays a match of their own against a bot by web, with
the live updates open, looks at cards, decks, packs and odds, brings lists with known and unknown
names, has cards printed, reads the API. The numbers are PSS, where what several processes share is
divided among them, so that they may be added up. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import http.cookiejar
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rules
from bench.servers import free_port
from bench.tables import machine, show, table
from collection import examples

ROOT = Path(__file__).resolve().parent.parent
TESTERS, ROUNDS = 6, 12
MOVES = 40
"""So many of a match's moves are played in a round."""
LINES = 3_000
PATIENCE = 300


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    known = argparse.ArgumentParser(prog="python -m bench.memory")
    known.add_argument("--testers", type=int, default=TESTERS)
    known.add_argument("--rounds", type=int, default=ROUNDS)
    known.add_argument("--minutes", type=float)
    options = known.parse_args(arguments or [])
    if not Path("/proc/self/smaps_rollup").exists():
        show("This machine does not say how much memory a process has: Linux does.")
        return
    with running_site() as (pid, port):
        before = memory(pid)
        testers = [Tester(port, number) for number in range(options.testers)]
        threads = [
            threading.Thread(target=tester.use, args=(options.rounds, options.minutes))
            for tester in testers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(5)
        after = memory(pid)
    names = sorted(before | after)
    rows: list[tuple[object, ...]] = [
        (name, before.get(name, 0.0), after.get(name, 0.0)) for name in names
    ]
    rows.append(("together", sum(before.values()), sum(after.values())))
    answers = sum((Counts(tester.answers) for tester in testers), Counts())
    requests = sum(answers.values())
    show(f"{machine()}, PSS in MB\n")
    show(table(("", "after the start", f"after {requests:,} requests"), rows))
    summary = ", ".join(f"{count:,} × {status}" for status, count in sorted(answers.items()))
    rounds = ", ".join(str(tester.rounds) for tester in testers)
    show(f"\n{options.testers} testers with {rounds} rounds. Answers: {summary}.")


class Counts(dict[int, int]):
    """How often there was what; two of them can be added up."""

    def __add__(self, other: Mapping[int, int]) -> Counts:
        keys = {*self, *other}
        return Counts({key: self.get(key, 0) + other.get(key, 0) for key in keys})


# -- the site -------------------------------------------------------------------------------------


@contextlib.contextmanager
def running_site() -> Iterator[tuple[int, int]]:
    """The site of ``make run`` in a folder that is thrown away: its process and its port."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="riffle-memory-") as var:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.supervisor"],
            cwd=ROOT,
            env=_own_environment() | {"PORT": str(port), "RIFFLE_VAR": var},
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait_for(process, port, Path(var) / "log")
            yield process.pid, port
        finally:
            process.terminate()
            process.wait(60)


def _own_environment() -> dict[str, str]:
    others = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL", "SECRET_KEY"}
    return {name: value for name, value in os.environ.items() if name not in others}


def _wait_for(process: subprocess.Popen[bytes], port: int, logs: Path) -> None:
    """Until pages are answered and every worker takes tasks; then as long as one takes a breath."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        time.sleep(0.5)
        workers = list(logs.glob("worker*.log"))
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
            if workers and all(b" ready." in log.read_bytes() for log in workers):
                time.sleep(10)
                return
    raise SystemExit("The site does not start.")


def memory(pid: int) -> dict[str, float]:
    """The PSS of a process and of all below it in MB, by what they are for."""
    sizes: dict[str, float] = {}
    counts: dict[str, int] = {}
    for number in _family(pid):
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
            name = (
                "supervisor" if number == pid else Path(f"/proc/{number}/comm").read_text().strip()
            )
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > 1:
                name = f"{name} ({counts[name]})"
            sizes[name] = int(rollup.partition("\nPss:")[2].split()[0]) / 1024
    return sizes


def _family(pid: int) -> list[int]:
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(fields[1])
    family = [pid]
    for number in family:
        family += sorted(child for child, parent in parents.items() if parent == number)
    return family


# -- testers --------------------------------------------------------------------------------------


@dataclass
class Tester:
    """Somebody at a browser. What they choose is the same in each run."""

    port: int
    number: int
    answers: dict[int, int] = field(default_factory=dict)
    rounds: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.number)
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def ask(self, path: str, form: Mapping[str, Any] | None = None, as_json: Any = None) -> str:
        """Get a page, or post to it; refusals are answers like any other."""
        headers = {"Referer": f"http://localhost:{self.port}/"}
        data = None
        if form is not None:
            data = urllib.parse.urlencode(form | {"csrfmiddlewaretoken": self.cookie("csrftoken")})
        if as_json is not None:
            data = json.dumps(as_json)
            headers |= {"Content-Type": "application/json"}
        if data is not None:
            headers["X-CSRFToken"] = self.cookie("csrftoken")
        request = urllib.request.Request(
            f"http://localhost:{self.port}{path}", data and data.encode(), headers
        )
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        self.answers[status] = self.answers.get(status, 0) + 1
        return str(body.decode(errors="replace"))

    def cookie(self, name: str) -> str:
        values = [str(cookie.value) for cookie in self.cookies if cookie.name == name]
        return values[0] if values else ""

    def use(self, rounds: int, minutes: float | None = None) -> None:
        """Do everything that a tester does, so many times or as often as it begins in a time."""
        end = None if minutes is None else time.monotonic() + 60 * minutes
        self.ask("/play/")
        self.ask("/play/quick/", form={})
        cards = json.loads(self.ask("/api/cards/?page_size=200"))["results"]
        while self.rounds < rounds if end is None else time.monotonic() < end:
            self.look(cards)
            self.play()
            self.collect(cards)
            if self.rounds % 4 == self.number % 4:
                self.bring_a_list(cards)
                self.print(cards)
            self.rounds += 1

    def look(self, cards: list[dict[str, Any]]) -> None:
        game = self.random.choice(list(rules.games()))
        word = self.random.choice(["red", "claw", "storm", "king", "dragn", "ka"])
        for path in (
            "/",
            "/cards/",
            f"/cards/?game={game}",
            f"/cards/?game={game}&q={word}",
            "/decks/shared/",
            f"/decks/shared/?game={game}",
            f"/decks/new/?game={game}",
            "/formats/",
            "/play/",
            "/collection/",
            "/collection/history/",
            "/packs/",
            f"/api/cards/?game={game}",
            "/api/games/",
            f"/api/games/{game}/",
            "/api/schema/",
        ):
            self.pictures(self.ask(path))
        for card in self.random.sample(cards, 5):
            self.pictures(self.ask(f"/cards/{card['game']}/{card['slug']}/"))

    def pictures(self, page: str) -> None:
        """Some of a page's pictures, as a browser that has the others already."""
        paths = sorted(set(re.findall(r"/(?:cards|media)/[^\"' ]+\.webp", page)))
        for path in self.random.sample(paths, min(3, len(paths))):
            self.ask(path)

    def play(self) -> None:
        """A part of a match of one's own against a bot, at the table, with a stream open."""
        body = {
            **(examples.to_play() or {}),
            "seats": [{"kind": "person"}, {"kind": "bot"}],
        }
        slug = json.loads(self.ask("/api/matches/", as_json=body)).get("slug")
        if not slug:
            return
        with self.listening(slug):
            self.ask(f"/matches/{slug}/")
            for _ in range(MOVES):
                state = json.loads(self.ask(f"/api/matches/{slug}/state/"))
                if state.get("view", {}).get("outcome"):
                    break
                prompt = state.get("prompt")
                if not prompt:
                    time.sleep(0.05)  # the bot is to move
                    continue
                move = self.random.choice(prompt["options"])["notation"]
                answer = {"prompt": prompt["id"], "notation": move}
                self.ask(f"/api/matches/{slug}/moves/", as_json=answer)
                self.ask(f"/matches/{slug}/table/")
        self.ask(f"/matches/{slug}/concede/", form={})
        for path in ("result", "replay", "fairness"):
            self.ask(f"/matches/{slug}/{path}/")

    @contextlib.contextmanager
    def listening(self, slug: str) -> Iterator[None]:
        stream = http.client.HTTPConnection("localhost", self.port, timeout=PATIENCE)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        stream.request("GET", f"/events/matches/{slug}/", headers={"Cookie": cookies})
        stream.getresponse()
        yield
        stream.close()

    def collect(self, cards: list[dict[str, Any]]) -> None:
        self.ask("/packs/gift/", form={})
        for pack in re.findall(r"/packs/([a-z0-9]{8,})/", self.ask("/packs/"))[:3]:
            self.ask(f"/packs/{pack}/open/", form={})
            self.ask(f"/packs/{pack}/verify/")
        for game in rules.games().values():
            random_products = [product for product in game.products.values() if product.random]
            for product in random_products[:1]:
                self.ask(f"/packs/odds/{game.slug}/{product.slug}/")
        self.ask("/trades/")

    def bring_a_list(self, cards: list[dict[str, Any]]) -> None:
        lines = [f"{self.random.randint(1, 4)} {card['title']}" for card in cards]
        lines += [f"1 {self.random.choice(lines)[2:]}x {number}" for number in range(LINES)]
        brought = json.loads(self.ask("/api/imports/", as_json={"text": "\n".join(lines)}))
        if slug := brought.get("slug"):
            for _ in range(600):
                state = json.loads(self.ask(f"/api/imports/{slug}/")).get("state")
                if state not in ("waiting", "working"):
                    break
                time.sleep(0.5)
            self.ask(f"/collection/import/{slug}/")
            self.ask(f"/api/imports/{slug}/apply/", as_json={"skips_bad": True})
            self.ask("/api/exports/")

    def print(self, cards: list[dict[str, Any]]) -> None:
        chosen = self.random.sample(cards, min(60, len(cards)))
        lines = [{"game": card["game"], "card": card["slug"], "count": 1} for card in chosen]
        ordered = json.loads(self.ask("/api/prints/", as_json={"cards": lines}))
        if slug := ordered.get("slug"):
            for _ in range(600):
                state = json.loads(self.ask(f"/api/prints/{slug}/")).get("state")
                if state not in ("waiting", "working"):
                    break
                time.sleep(0.5)
            self.ask(f"/prints/{slug}/cards.pdf")


if __name__ == "__main__":
    main(sys.argv[1:])
