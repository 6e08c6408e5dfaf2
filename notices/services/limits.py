"""How often tests may be sent, to web hooks and browsers together.

Whoever asks for one names the server that a worker then waits for.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.cache import cache

from accounts.models import User
from notices.errors import TooManyTests

LEASE = timedelta(minutes=1)
"""After so long another worker sends a test over which the first one died."""
TESTS_PER_HOUR = 10
TESTS_PER_HOUR_FROM_ADDRESS = 20
"""Of all people together who come from there, since one address may bring many guests."""
_HOUR = 60 * 60


def count_test(user: User, address: str) -> None:
    """One more of this hour. Raises ``TooManyTests``.

    ``address`` is ``client_address`` of the request; empty where a program of ours asks.
    """
    _count(f"channel-tests:{user.pk}", TESTS_PER_HOUR)
    if address:
        _count(f"channel-tests-from:{address}", TESTS_PER_HOUR_FROM_ADDRESS)


def _count(key: str, limit: int) -> None:
    count, _ = cache.count(key, _HOUR)  # type: ignore[attr-defined]
    if count > limit:
        raise TooManyTests
