"""Vendored files are exactly what their packages hold, and each has its licence beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENDOR = ROOT / "static" / "vendor"
OWN = {"README.md", "SHA256SUMS"}


def _sums() -> dict[str, str]:
    lines = (VENDOR / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def test_each_vendored_file_has_the_listed_sum() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name not in OWN
    }
    assert found == _sums()


def test_each_script_has_its_licence_beside_it() -> None:
    for script in VENDOR.glob("*.js"):
        library = script.name.split("-")[0]
        assert (VENDOR / f"{library}-LICENSE.txt").is_file(), f"{script.name} has no licence"


def test_the_base_page_loads_only_files_of_this_site() -> None:
    base = (ROOT / "templates" / "base.html").read_text(encoding="utf-8")
    assert "vendor/htmx-" in base
    assert not re.search(r'(src|href)="(https?:)?//', base)
