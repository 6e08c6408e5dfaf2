"""The whole site on one port: live updates by Django's ASGI side, everything else by its WSGI side.

Pages are synchronous code, and Django serves those several times faster through WSGI than through
ASGI; only the streams under ``/events/`` have to be asynchronous. A small installation runs this
alone (``uvicorn config.asgi:application``); a large one serves pages from ``config.wsgi`` and sends
only ``/events/`` here.
"""

from __future__ import annotations

import os
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

EVENTS_PREFIX = "/events/"

_events = get_asgi_application()
_wsgi: Any = get_wsgi_application()
_pages: Any = WSGIMiddleware(_wsgi, workers=int(os.environ.get("WEB_THREADS") or 8))


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Give each request to the side that serves it best."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http" and scope["path"].startswith(EVENTS_PREFIX):
        await _events(scope, receive, send)
    else:
        await _pages(scope, receive, send)


async def _lifespan(receive: Any, send: Any) -> None:
    """Nothing to start or stop, but servers ask."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
