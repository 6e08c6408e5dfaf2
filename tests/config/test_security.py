"""Headers that every page carries."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/account/login/", "/api/docs/", "/no-such-page/"])
def test_the_policy_allows_nothing_inline_and_nothing_foreign(client: Client, path: str) -> None:
    policy = client.get(path)["Content-Security-Policy"]
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["object-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy


def test_other_headers(client: Client) -> None:
    response = client.get("/account/login/")
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"


def test_the_api_documents_need_no_other_site(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    assert "https://" not in page
    assert client.get("/api/schema/", headers={"Accept": "application/json"}).status_code == 200
