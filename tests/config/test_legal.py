"""The pages for privacy and terms: a default, or the host's own text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_host_s_own_text_takes_the_place_of_the_default(settings: Any, tmp_path: Path) -> None:
    client = Client()
    settings.LEGAL_FOLDER = None
    assert 'href="/privacy/"' in client.get("/").content.decode()
    assert "What is stored" in client.get("/privacy/").content.decode()
    assert "No warranty" in client.get("/terms/").content.decode()
    settings.LEGAL_FOLDER = tmp_path
    (tmp_path / "privacy.txt").write_text("We keep <nothing>.\n\nAsk Mira.", encoding="utf-8")
    page = client.get("/privacy/").content.decode()
    assert "<p>We keep &lt;nothing&gt;.</p>" in page and "What is stored" not in page
    assert "No warranty" in client.get("/terms/").content.decode(), "no terms.txt: the default"
