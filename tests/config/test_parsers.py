"""Requests that are JSON by the letter only."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize(
    "body", ['{"list": "\\ud800"}', '{"\\udfff": 1}', "[" * 100_000, "[" * 90_000 + "]" * 90_000]
)
def test_what_no_answer_could_hold_is_unreadable(client: Client, body: str) -> None:
    answer = client.post("/api/decks/check/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["title"] == "Invalid request"
