"""Static files of a real site: compressed, with the content's hash in the name, cached for ever."""

from __future__ import annotations

from typing import Any

import rjsmin
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites the paths in ES-module ``import`` statements to the hashed names.

    Only in our own scripts: in others' the pattern finds comments that look like imports. Ours go
    out without their comments, which are a third of them.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".js") and not name.startswith("vendor/"):
            content = ContentFile(without_comments(b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved


def without_comments(script: bytes) -> bytes:
    """A script as browsers need it."""
    text: str = rjsmin.jsmin(script.decode())
    return text.encode()
