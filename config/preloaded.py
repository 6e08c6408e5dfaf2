"""``python -m config.preloaded``: granian, with the larger libraries loaded before it forks.

For ``make dev``: each change takes a new process, which has them then and need not load them for a
third of a second. None of the site's own code may be loaded here: it would stay as it was.
"""

from __future__ import annotations

import sys
from importlib import import_module

from granian.cli import entrypoint

LIBRARIES = (
    "celery.beat",
    "cryptography.hazmat.primitives.asymmetric.ec",
    "csp.constants",
    "dj_database_url",
    "django.core.handlers.asgi",
    "django.core.handlers.wsgi",
    "django.db.migrations",
    "django.db.models",
    "django.forms",
    "django.template",
    "django.test",
    "django.views.generic",
    "fido2.webauthn",
    "kombu.transport.redis",
    "markdown_it",
    "PIL.ImageDraw",
    "PIL.ImageFont",
    "structlog",
)
"""Those that ask for no settings."""


if __name__ == "__main__":
    for name in LIBRARIES:
        import_module(name)
    sys.exit(entrypoint())
