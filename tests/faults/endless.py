"""The gateway before pages that download without end, for ``granian --interface asgi``.

``/endless/`` notes each line that it makes in the file of the variable ``MADE``; ``/breaks/``
breaks after some pieces.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.core.handlers.wsgi import WSGIRequest  # noqa: E402

from config.gateway import Gateway  # noqa: E402
from core.downloads import DownloadResponse  # noqa: E402
from core.errors import Refusal  # noqa: E402

LINE = b"x" * 16 * 1024


def _endless() -> Iterator[bytes]:
    with Path(os.environ["MADE"]).open("ab", buffering=0) as open_result:
        try:
            while True:
                open_result.write(b".")
                yield LINE
        finally:
            open_result.write(b"!")


def _breaks() -> Iterator[bytes]:
    yield from [LINE] * 20
    raise RuntimeError("broken on purpose")


def pages(environ: dict[str, Any], start_response: Any) -> Any:
    """A page, or a download."""
    request = WSGIRequest(environ)
    request.user = AnonymousUser()
    makers = {"/endless/": _endless, "/breaks/": _breaks}
    if request.path not in makers:
        start_response("200 OK", [])
        return [b"a page"]
    try:
        response = DownloadResponse(request, makers[request.path](), "text/plain")
    except Refusal as refusal:
        start_response(f"{refusal.status} Refused", [("Retry-After", str(refusal.retry_after))])
        return [str(refusal).encode()]
    start_response("200 OK", list(response.items()))
    return response


async def no_streams(scope: Any, receive: Any, send: Any) -> None:
    """There are none."""


application = Gateway(no_streams, pages)
