"""The site as an app: what installs it, and what its service worker keeps for when it is away."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

pytestmark = pytest.mark.django_db
ROOT = Path(settings.BASE_DIR)


def told(client: Client) -> dict[str, Any]:
    """The constants that the server puts before the worker's script."""
    first = client.get("/sw.js").content.decode().split("\n", 1)[0]
    data: dict[str, Any] = json.loads(first.removeprefix("self.riffleOffline = ").rstrip(";"))
    return data


@pytest.mark.slow
def test_what_installs_it(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"], manifest["scope"]) == ("Riffle", "/", "/")
    assert manifest["display"] == "standalone"
    assert manifest["theme_color"] and manifest["background_color"]
    names = set()
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            size = Image.open(BytesIO(client.get(icon["src"]).content)).size
            assert icon["sizes"] == "x".join(map(str, size))
            names.add((size[0], icon["purpose"]))
    assert names == {(192, "any"), (512, "any"), (512, "maskable")}


def test_whoever_has_the_worker_is_sent_nothing(client: Client) -> None:
    first = client.get("/sw.js", headers={"Accept-Encoding": "gzip"})
    again = client.get("/sw.js", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and not again.content
    assert client.get("/sw.js", headers={"If-None-Match": '"another"'}).status_code == 200


def test_the_worker_keeps_one_page_with_nobody_s_things_on_it(
    client: Client, as_member: Client
) -> None:
    script = client.get("/sw.js")
    assert script["Content-Type"].startswith("text/javascript")
    assert script["Cache-Control"] == "no-cache" and not script.cookies
    kept = told(client)
    assert kept == told(as_member)
    page = as_member.get(kept["page"])
    assert page.status_code == 200 and not page.cookies
    assert page["Cache-Control"] == "no-cache"
    assert "default-src 'self'" in page["Content-Security-Policy"]
    text = page.content.decode()
    assert text == client.get(kept["page"]).content.decode()
    assert "You are offline" in text and "Your matches are saved." in text
    assert "<style" not in text and "csrf" not in text
    drawn_with = set(re.findall(r'(?:href|src)="(/[^"]*)"', text))
    assert drawn_with == set(kept["parts"]), "all that it needs is kept, and nothing else"


def test_whoever_opens_its_address_has_a_network(client: Client) -> None:
    answer = client.get("/offline/", headers={"Sec-Fetch-Mode": "navigate"})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_change_of_the_page_or_its_parts_makes_a_new_version(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = told(client)["version"]
    assert told(client)["version"] == before
    changed = tmp_path / "offline.css"
    changed.write_text("body {}", encoding="utf-8")
    find: Any = finders.find
    monkeypatch.setattr(
        finders, "find", lambda name: str(changed) if name.endswith(".css") else find(name)
    )
    assert told(client)["version"] != before


def test_its_colours_are_those_of_the_site() -> None:
    own, tokens = (
        set(re.findall(r"#[0-9a-f]{6}", (ROOT / "static/css" / name).read_text(encoding="utf-8")))
        for name in ("pages/offline.css", "tokens.css")
    )
    assert own and own <= tokens
