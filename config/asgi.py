"""The whole site for an ASGI server: ``granian --interface asgi config.asgi:application``.

Pages are synchronous code, and Django serves those several times faster through WSGI in threads
than through ASGI; only the streams under ``/events/`` have to be asynchronous. The gateway stands
before both, so Riffle is never served without it.
"""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_events = get_asgi_application()
_pages = get_wsgi_application()

from config.gateway import Gateway  # noqa: E402 - needs the settings

application = Gateway(_events, _pages)
