"""How much may be computed for one person, or for one address without a login.

Requests that can be dear (a match played again, a file, a picture) are metered: the processor time
of their thread is taken from a budget that fills up again as time goes by. Whoever has used it up
is told when to come back; everybody else notices nothing. Each process keeps its own budgets, in
its memory: what is protected is that process, and Redis is not asked.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from core.errors import TooMuchWork
from core.requests import client_address

_lock = threading.Lock()
_Response = TypeVar("_Response", bound=HttpResponseBase)


def owner_of(request: HttpRequest | Request) -> str:
    """Names whose budget pays: the person, else the address (of IPv6 the network, a /64)."""
    if request.user.pk is not None:
        return f"person:{request.user.pk}"
    return f"address:{client_address(getattr(request, '_request', request))}"


def is_used_up(owner: str) -> bool:
    """Nothing dear may be computed for this owner now."""
    return _left(owner) <= 0


def require(owner: str) -> None:
    """Raises ``TooMuchWork`` where the budget is used up."""
    left = _left(owner)
    if left <= 0:
        raise TooMuchWork(max(1, math.ceil(-left / settings.CPU_REFILL)))


def spend(owner: str, seconds: float) -> None:
    """Take seconds of processor time from the budget, which may go below zero."""
    with _lock:
        left = _left(owner) - seconds
        full_in = (settings.CPU_BUDGET - left) / settings.CPU_REFILL
        caches["process"].set(f"budget:{owner}", (left, time.monotonic()), full_in)


def _left(owner: str) -> float:
    left, at = caches["process"].get(f"budget:{owner}", (settings.CPU_BUDGET, time.monotonic()))
    refilled = left + (time.monotonic() - at) * settings.CPU_REFILL
    return float(min(settings.CPU_BUDGET, refilled))


@contextmanager
def metered(request: HttpRequest | Request) -> Iterator[None]:
    """Charge the CPU time of the block to the sender of the request. Raises ``TooMuchWork``."""
    owner = owner_of(request)
    require(owner)
    started = time.thread_time()
    try:
        yield
    finally:
        spend(owner, time.thread_time() - started)


def metered_view(view: Callable[..., _Response]) -> Callable[..., _Response]:
    """A page whose whole work is metered; the refusal is shown as all others are."""

    @functools.wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> _Response:
        with metered(request):
            return view(request, *args, **kwargs)

    return call
