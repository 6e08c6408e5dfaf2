"""How often somebody may call the API: a counter for each person or address, in one question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework import throttling

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView  # which reads the settings, and they name these


class _Counting(throttling.SimpleRateThrottle):
    """REST framework's limits by a counter, where it keeps a list of all calls of the last minute.

    A period begins with a call, and all of its calls are forgotten together when it ends.
    """

    cache_format = "calls_%(scope)s_%(ident)s"
    num_requests: int
    duration: int
    left = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        calls, self.left = self.cache.count(key, self.duration)  # type: ignore[attr-defined]
        return bool(calls <= self.num_requests)

    def wait(self) -> float:
        """Seconds until the next call is allowed."""
        return self.left


class AnonThrottle(throttling.AnonRateThrottle, _Counting):
    """Visitors, by their address."""


class UserThrottle(throttling.UserRateThrottle, _Counting):
    """People. Visitors, whom REST framework would count here once more, have their own limit."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None


class ScopedThrottle(throttling.ScopedRateThrottle, _Counting):
    """The names for a view's ``throttle_scope``."""
