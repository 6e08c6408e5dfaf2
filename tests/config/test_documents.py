"""Limits in the API's own document are those of the server; files that pages take fit, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from collection.forms.imports import ImportForm
from collection.services import imports
from config.bodies import body_limit
from decks.lists import MAX_BYTES
from decks.services import uploads
from decks.views.lists_forms import DeckUploadForm
from tests.support.world import make_world

UNNAMED = {"date", "date-time", "time", "binary"}
"""Formats whose length is known, and files: those are as large as the text beside them says."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    get_schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return get_schema


def bodies(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if "requestBody" in operation:
                yield method.upper(), path, operation["requestBody"]


def texts(document: dict[str, Any], schema: dict[str, Any], name: str = "") -> Iterator[Any]:
    """Every text in a body: its name and how long it may be."""
    if ref := schema.get("$ref"):
        schema = document["components"]["schemas"][ref.rpartition("/")[2]]
    for part in ("allOf", "oneOf", "anyOf"):
        for item in schema.get(part, ()):
            yield from texts(document, item, name)
    for field, value in schema.get("properties", {}).items():
        yield from texts(document, value, f"{name}.{field}")
    if "items" in schema:
        yield from texts(document, schema["items"], f"{name}[]")
    listed = "enum" in schema or schema.get("format") in UNNAMED
    if schema.get("type") == "string" and not listed:
        yield name, schema.get("maxLength")


def test_each_body_is_said_to_be_as_large_as_the_door_lets_it(document: dict[str, Any]) -> None:
    for method, path, body in bodies(document):
        most = filesizeformat(body_limit(method, path)).replace("\xa0", " ")
        assert body["description"] == f"Limit: {most} in total.", path


def test_each_text_that_is_allowed_gets_through_the_door(document: dict[str, Any]) -> None:
    count = 0
    for method, path, body in bodies(document):
        for kind, content in body["content"].items():
            for name, most in texts(document, content["schema"]):
                count += 1
                assert most, f"{method} {path} ({kind}) does not say how long {name} may be"
                around = 1024
                assert most + around <= body_limit(method, path), f"{method} {path} {name}"
    assert count > 50


def test_files_that_are_read_get_through_the_door() -> None:
    for path, most in [
        (reverse("collection:imports"), ImportForm.most),
        ("/api/imports/", imports.MAX_BYTES),
        (reverse("decks:import"), DeckUploadForm.most),
        ("/api/decks/import/", MAX_BYTES),
        (reverse("decks:check_add", args=["some"]), uploads.MAX_BYTES),
        ("/api/deck-checks/some/decks/", uploads.MAX_BYTES),
    ]:
        assert most < body_limit("POST", path), path
        assert most < settings.DATA_UPLOAD_MAX_MEMORY_SIZE, path


@pytest.mark.parametrize("as_file", [True, False])
def test_a_deck_of_the_largest_size_is_read(db: None, client: Client, as_file: bool) -> None:
    """Nothing before the reader takes offence: what it says is about the deck."""
    text = "// " + "é" * (MAX_BYTES // 2 - 10) + "\n"
    if as_file:
        sent = client.post(
            "/api/decks/import/", {"file": SimpleUploadedFile("a.txt", text.encode())}
        )
    else:
        sent = client.post("/api/decks/import/", json.dumps({"text": text}), "application/json")
    assert sent.status_code == 400 and "too large" not in sent.content.decode()


@pytest.mark.slow
def test_a_pile_of_files_is_read_up_to_its_size(db: None, client: Client) -> None:
    world = make_world()
    client.force_login(world.ann)
    file = SimpleUploadedFile("pile.txt", b"x" * (uploads.MAX_BYTES + 1))
    path = f"/deck-checks/{world.check.slug}/add/"
    refused = client.post(path, {"files": [file]})
    assert "limit: 16 MB" in refused.content.decode()
