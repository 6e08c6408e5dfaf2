"""Lighthouse's grades of the pages that people meet first, and when a first table can be used.

python -m bench.lighthouse                         (a site of its own, as `make run` starts it)
python -m bench.lighthouse --site http://…         (one that runs already)
python -m bench.lighthouse --keep reports/         (with the whole reports, as JSON)

It needs Chromium and Lighthouse (`npm install --no-save lighthouse`). Lighthouse asks as a phone
does: 1.6 Mbit/s, 150 ms to the server and back, a processor four times as slow. The last column is
measured and not computed: the same throttling, in the browser itself, until the scripts of a table
listen, with nothing kept from before. What else runs meanwhile slows all of it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rules
from bench.memory import running_site
from bench.servers import free_port
from bench.tables import machine, show, table

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Playwright

ROOT = Path(__file__).resolve().parent.parent
PHONE = {"width": 412, "height": 823}
SLOW_NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
SLOWER_PROCESSOR = 4
WATCH = """new MutationObserver(() => {
    if (document.querySelector(".has-script")) window.usable ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });"""
TIMINGS = {
    "first-contentful-paint": "FCP s",
    "largest-contentful-paint": "LCP s",
    "total-blocking-time": "TBT s",
    "cumulative-layout-shift": "CLS",
    "total-byte-weight": "KB",
}
GRADES = ("performance", "accessibility", "best-practices")
HEAD = ("", *GRADES, *TIMINGS.values(), "usable s")


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    known = argparse.ArgumentParser(prog="python -m bench.lighthouse")
    known.add_argument("--site")
    known.add_argument("--keep", type=Path)
    options = known.parse_args(arguments or [])
    here = str(ROOT / "node_modules/.bin")
    program = shutil.which("lighthouse") or shutil.which("lighthouse", path=here)
    if program is None or shutil.which("chromium") is None:
        show("Lighthouse or Chromium is not there: npm install --no-save lighthouse")
        return
    from playwright.sync_api import sync_playwright

    with contextlib.ExitStack() as stack:
        site = options.site
        if site is None:
            _, port = stack.enter_context(running_site())
            site = f"http://localhost:{port}"
        rows = [*measured(stack.enter_context(sync_playwright()), program, site, options.keep)]
    show(f"{machine()}\n")
    show(table(HEAD, rows))


def measured(
    playwright: Playwright, program: str, site: str, keep: Path | None
) -> Iterator[tuple[object, ...]]:
    """A row for each page: first those that everybody sees, then a first table of each game."""
    first = next(game for game in rules.games().values() if any_playable(game))
    pages = {"start": "/", "gallery": "/cards/", f"game: {first.name}": f"/games/{first.slug}/"}
    for path in ("/", *pages.values()):  # a site that has just begun answers its first request late
        urllib.request.urlopen(site + path).read()
    for name, path in pages.items():
        yield name, *report(playwright, program, site, path, keep), ""
    for game in rules.games().values():
        if any_playable(game):
            path = f"/play/quick/?game={game.slug}"
            grades = report(playwright, program, site, path, keep, sits_down=True)
            yield f"table: {game.name}", *grades, usable_after(playwright, site, path)


def any_playable(game: Any) -> bool:
    """True if somebody can sit down at it."""
    return any(mode.playable for mode in game.modes.values())


def report(
    playwright: Playwright,
    program: str,
    site: str,
    path: str,
    keep: Path | None,
    *,
    sits_down: bool = False,
) -> list[object]:
    """Lighthouse's grades and timings of a page, in a browser that has seen nothing before."""
    with new_browser(playwright) as (context, port), tempfile.TemporaryDirectory() as folder:
        address = sit_down(context, site, path) if sits_down else site + path
        file = Path(folder) / "report.json"
        subprocess.run(
            [
                *(program, address, "--quiet", f"--port={port}", "--disable-storage-reset"),
                *("--output=json", f"--output-path={file}"),
                f"--only-categories={','.join(GRADES)}",
            ],
            check=True,
        )
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"\W+", "-", path).strip("-") or "start"
            shutil.copy(file, keep / f"{name}.json")
        audit = json.loads(file.read_text(encoding="utf-8"))
    grades = [round(100 * audit["categories"][name]["score"]) for name in GRADES]
    values = {name: audit["audits"][name]["numericValue"] for name in TIMINGS}
    divisors = {"cumulative-layout-shift": 1, "total-byte-weight": 1024}
    return [*grades, *(value / divisors.get(name, 1000) for name, value in values.items())]


def usable_after(playwright: Playwright, site: str, path: str) -> float:
    """Seconds until a first table can be used on a slow phone."""
    with new_browser(playwright) as (context, _):
        address = sit_down(context, site, path)
        page = context.new_page()
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
        page.add_init_script(WATCH)
        page.goto(address, wait_until="commit")
        usable = page.wait_for_function("() => window.usable").json_value()
        return float(usable) / 1000


@contextlib.contextmanager
def new_browser(playwright: Playwright) -> Iterator[tuple[BrowserContext, int]]:
    """A browser with nothing in it, and the port at which Lighthouse finds it."""
    port = free_port()
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
        )
        yield context, port
        context.close()


def sit_down(context: BrowserContext, site: str, path: str) -> str:
    """Ask for a table as a guest, without a page being loaded; its address."""
    start = context.request.get(f"{site}/").text()
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', start)
    assert token, "no form on the start page"
    sent = context.request.post(
        site + path,
        form={"csrfmiddlewaretoken": token[1]},
        headers={"Referer": f"{site}/"},
    )
    return sent.url


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
