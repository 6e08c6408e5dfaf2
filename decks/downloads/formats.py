"""Downloads of formats."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.text import slugify

from collection.downloads import attachment
from decks.models import FormatVersion
from decks.queries.format_files import toml_of


def as_toml(version: FormatVersion) -> HttpResponse:
    """A version of a format as a TOML file under the format's name."""
    name = f"{slugify(version.format.name) or 'format'}.toml"
    return HttpResponse(toml_of(version), content_type="application/toml", headers=attachment(name))
