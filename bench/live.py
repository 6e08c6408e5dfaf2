"""A thousand tables that are open: what live updates take of memory, how late they come, and what
ordinary pages take beside them.

python -m bench.live
python -m bench.live --listeners 100 --moves 40      (a quick look)

The site is started as ``make run`` starts it. Twenty people play against bots by API, one move
after the other, and each has the table open many times, with a stream for each: so all count the
moves alike. The delay of an update is counted from sending the move to hearing of it, so the move
itself is in it. A stream that is told of a newer move instead (the bot's) hears nothing of the
older one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.memory import Tester, memory, running_site
from bench.tables import machine, show, table
from collection import examples

LISTENERS, TABLES, MOVES = 1_000, 20, 300
PAGES = ("/", "/cards/", "/play/")
OPENING = 50
"""So many streams are opened at once."""


@dataclass
class Watched:
    """A match, and when its moves were sent and heard of."""

    slug: str
    player: Tester
    sent: dict[int, float] = field(default_factory=dict)
    heard: list[tuple[int, float]] = field(default_factory=list)

    def delays(self) -> list[float]:
        """Milliseconds from sending to hearing; bots' moves have no moment of sending."""
        return [(at - self.sent[ply]) * 1000 for ply, at in self.heard if ply in self.sent]


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    known = argparse.ArgumentParser(prog="python -m bench.live")
    known.add_argument("--listeners", type=int, default=LISTENERS)
    known.add_argument("--moves", type=int, default=MOVES)
    options = known.parse_args(arguments or [])
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the site's programs inherit it
    rows = []
    with running_site() as (pid, port):
        for count in (TABLES, options.listeners):
            rows.append(_row(pid, port, count, options.moves))
    show(f"{machine()}; PSS in MB, times in ms: half of them, and 99 of 100, are below\n")
    head = ("streams", "web", "together", "delay ½", "delay 99%", "page ½", "page 99%", "heard of")
    show(table(head, rows))


def _row(pid: int, port: int, listeners: int, moves: int) -> tuple[object, ...]:
    matches = [_set_up(port, number) for number in range(TABLES)]
    pages: list[float] = []
    over = threading.Event()
    reader = threading.Thread(target=_read_pages, args=(port, pages, over))
    listening = threading.Thread(
        target=asyncio.run, args=(_listen(port, matches, listeners, over),)
    )
    listening.start()
    _wait_for_streams(matches, listeners)
    reader.start()
    for number in range(moves):
        _play(matches[number % TABLES])
    time.sleep(2)
    used = memory(pid)
    over.set()
    reader.join()
    listening.join()
    delays = [delay for match in matches for delay in match.delays()]
    expected = sum(
        len(match.sent) * len(range(number, listeners, TABLES))
        for number, match in enumerate(matches)
    )
    web = sum(size for name, size in used.items() if name.startswith("web"))
    return (
        listeners, web, sum(used.values()), *_spread(delays), *_spread(pages),
        f"{len(delays) / expected:.0%}",
    )  # fmt: skip


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return statistics.median(values), statistics.quantiles(values, n=100)[98]


def _set_up(port: int, number: int) -> Watched:
    player = Tester(port, number)
    player.ask("/play/")
    player.ask("/play/quick/", form={})
    body = {**(examples.to_play() or {}), "seats": [{"kind": "person"}, {"kind": "bot"}]}
    return Watched(json.loads(player.ask("/api/matches/", as_json=body))["slug"], player)


def _play(match: Watched) -> None:
    """One move, if the bot has left one to make."""
    state = json.loads(match.player.ask(f"/api/matches/{match.slug}/state/"))
    if not (prompt := state["prompt"]):
        return
    sent = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
    began = time.perf_counter()
    taken = json.loads(match.player.ask(f"/api/matches/{match.slug}/moves/", as_json=sent))
    match.sent[taken["ply"]] = began


def _read_pages(port: int, times: list[float], over: threading.Event) -> None:
    reader = Tester(port, 99)
    while not over.is_set():
        for path in PAGES:
            began = time.perf_counter()
            reader.ask(path)
            times.append((time.perf_counter() - began) * 1000)


async def _listen(
    port: int, matches: Sequence[Watched], listeners: int, over: threading.Event
) -> None:
    opening = asyncio.Semaphore(OPENING)
    tasks = [
        asyncio.create_task(_stream(port, matches[number % len(matches)], opening))
        for number in range(listeners)
    ]
    await asyncio.to_thread(over.wait)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _stream(port: int, match: Watched, opening: asyncio.Semaphore) -> None:
    async with opening:
        reader, writer = await asyncio.open_connection("localhost", port)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in match.player.cookies)
        head = (f"GET /events/me/?match={match.slug} HTTP/1.1", f"Host: localhost:{port}")
        writer.write("\r\n".join((*head, f"Cookie: {cookies}", "", "")).encode())
        while b"event:" not in await reader.readline():
            pass  # the head of the answer
        match.heard.append((-1, 0.0))  # it is open
    while line := await reader.readline():
        if ply := re.search(rb'"ply": (\d+)', line):
            match.heard.append((int(ply[1]), time.perf_counter()))


def _wait_for_streams(matches: Sequence[Watched], listeners: int) -> None:
    end = time.monotonic() + 120
    while sum(ply == -1 for match in matches for ply, _ in match.heard) < listeners:
        if time.monotonic() > end:
            raise SystemExit("Not all streams could be opened.")
        time.sleep(0.1)


if __name__ == "__main__":
    main(sys.argv[1:])
