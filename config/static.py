"""Static files of a real site: compressed, with the content's hash in the name, cached for ever."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites the paths in ES-module ``import`` statements to the hashed names.

    Only in our own scripts: in others' the pattern finds comments that look like imports.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)
