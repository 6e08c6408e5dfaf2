"""Servers outside that let us wait are left alone for a while, so that nobody waits behind them.

A pause doubles each time the server is slow again, and ends with the first quick answer. It is
remembered in the cache; where that is lost, a slow server is called once more than it would be.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from django.core.cache import cache

SLOW = 3.0
"""Seconds after which an answer is slow."""
FIRST_PAUSE, LONGEST_PAUSE = 15, 60 * 60
_REMEMBERED = 15 * 60
"""For so long after a pause the next one is a longer one."""


@dataclass(frozen=True, slots=True)
class Pause:
    """How long a server is left alone; in seconds."""

    length: int = 0
    left: int = 0


def pause_of(host: str) -> Pause:
    """The last pause of a server, and what is left of it."""
    kept = cache.get(_key(host))
    if not kept:
        return Pause()
    return Pause(kept["length"], max(0, math.ceil(kept["until"] - time.time())))


def note(host: str, last: Pause, *, slow: bool) -> None:
    """Write down how a call went that began when ``last`` was the server's pause."""
    if slow:
        length = min(max(FIRST_PAUSE, 2 * last.length), LONGEST_PAUSE)
        kept = {"length": length, "until": time.time() + length}
        cache.set(_key(host), kept, length + _REMEMBERED)
    elif last.length:
        cache.delete(_key(host))


def _key(host: str) -> str:
    return f"slow-host:{host}"
