"""Downloads of formats."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.text import slugify

from collection.downloads import attachment
from decks.models import FormatVersion
from decks.queries.format_files import toml_of


def as_toml(version: FormatVersion) -> HttpResponse:
    """A version of a format as a TOML file under the format's name.

    Programs generated from the API's document read text/plain, but not application/toml.
    """
    name = f"{slugify(version.format.name) or 'format'}.toml"
    text = toml_of(version)
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=attachment(name))
