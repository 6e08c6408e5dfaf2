"""Static files of a real site: compressed, with the content's hash in the name, cached for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites the paths in ES-module ``import`` statements to the hashed names."""

    support_js_module_import_aggregation = True
