"""Vendored files are exactly what their packages hold, and each has its licence beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENDOR = ROOT / "static" / "vendor"
OWN = {"README.md", "SHA256SUMS"}


def _listed() -> dict[str, str]:
    lines = (VENDOR / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def test_each_vendored_file_has_the_listed_sum() -> None:
    values = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name not in OWN
    }
    assert values == _listed()


def test_each_script_has_its_licence_beside_it() -> None:
    scripts = list(VENDOR.rglob("*.js"))
    assert scripts
    for script in scripts:
        library = re.split(r"[-.]", script.name)[0]
        licence = script.with_name(f"{library}-LICENSE.txt")
        assert licence.is_file(), f"{script.name} has no licence beside it"


def test_pages_load_only_files_of_this_site() -> None:
    for page in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("games/*/site/templates/**/*.html")]:
        text = page.read_text(encoding="utf-8")
        foreign = re.findall(
            r"""<(?:script|link|img|use)[^>]*(?:src|href)=["'](?:https?:)?//""", text
        )
        assert not foreign, f"{page.name} loads something from elsewhere"


def test_the_base_page_loads_the_vendored_htmx() -> None:
    base = (ROOT / "templates" / "base.html").read_text(encoding="utf-8")
    name = next(VENDOR.glob("htmx-*.min.js")).name
    assert f"vendor/{name}" in base
