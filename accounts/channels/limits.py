"""How often somebody may have a test sent: to their web hook and to their browsers together."""

from __future__ import annotations

from datetime import timedelta

from django.core.cache import cache

from accounts.channels.errors import TooManyTests
from accounts.models import User

LEASE = timedelta(minutes=1)
"""After so long another worker sends a test over which the first one died."""
_TESTS_PER_HOUR = 30
_HOUR = 60 * 60


def count_test(user: User) -> None:
    """One more of this hour. Raises ``TooManyTests``."""
    key = f"channel-tests:{user.pk}"
    cache.add(key, 0, _HOUR)
    try:
        count = cache.incr(key)
    except ValueError:  # the hour ended between the two lines
        cache.set(key, 1, _HOUR)
        count = 1
    if count > _TESTS_PER_HOUR:
        raise TooManyTests
