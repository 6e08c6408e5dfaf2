"""Preparations before the site starts."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from config import prepare

pytestmark = pytest.mark.embedded


@pytest.mark.parametrize(
    ("embedded", "commands"),
    [
        (True, ["migrate", "sync_catalog", "demo_data", "draw_pictures"]),
        (False, ["migrate", "sync_catalog", "draw_pictures"]),
    ],
)
def test_demo_people_come_to_the_embedded_site_only(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, embedded: bool, commands: list[str]
) -> None:
    called: list[str] = []
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: called.append(name))
    settings.EMBEDDED = embedded
    prepare.prepare()
    assert called == commands
