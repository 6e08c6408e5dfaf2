"""Files that are made while they are sent, piece by piece, for as long as somebody reads.

The pieces must come from short reads of the database that are over when a piece is there: the next
one may be made by another thread, much later, or never. `config.wsgi_pool` makes them one after the
other with pauses, so that all downloads together leave room for everybody else.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping

from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from rest_framework.request import Request

from core import budgets
from core.errors import DownloadsBusy, TooManyDownloads

MAX_PER_OWNER = 2
"""Downloads that one person, or one address without a login, may have at once in a process."""


class _Pieces(Iterator[bytes]):
    """The pieces of one download; it holds its place until it is closed or forgotten."""

    _open: weakref.WeakSet[_Pieces] = weakref.WeakSet()
    _lock = threading.Lock()

    def __init__(self, owner: str, pieces: Iterator[bytes | str]) -> None:
        budgets.require(owner)
        self.owner = owner
        self.visitor = not owner.startswith("person:")
        self._pieces = pieces
        with self._lock:
            if sum(other.owner == owner for other in self._open) >= MAX_PER_OWNER:
                raise TooManyDownloads
            # People who are logged in find a place however many visitors download.
            visitors = sum(other.visitor for other in self._open)
            if len(self._open) >= settings.DOWNLOADS_AT_ONCE or (
                self.visitor and visitors >= max(1, settings.DOWNLOADS_AT_ONCE // 2)
            ):
                raise DownloadsBusy
            self._open.add(self)

    def __next__(self) -> bytes:
        started = time.thread_time()
        try:
            piece = next(self._pieces)
            return piece.encode() if isinstance(piece, str) else piece
        except BaseException:  # also that there is no more
            self._let_go()
            raise
        finally:
            budgets.spend(self.owner, time.thread_time() - started)

    def close(self) -> None:
        """Stop making it; may be called twice."""
        self._let_go()
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()

    def _let_go(self) -> None:
        with self._lock:
            self._open.discard(self)


class DownloadResponse(StreamingHttpResponse):
    """A file made while it is sent. Raises ``TooMuchWork``, ``TooManyDownloads``,
    ``DownloadsBusy``.
    """

    def __init__(
        self,
        request: HttpRequest | Request,
        pieces: Iterable[bytes | str],
        content_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        held = _Pieces(budgets.owner_of(request), iter(pieces))
        super().__init__(held, content_type=content_type, headers=headers)
