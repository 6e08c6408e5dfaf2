"""How much a run tries: enough for every change, or with ``SIZE=large`` as much as a night allows.

``make nightly`` runs the large sizes. They change how many examples, matches and requests a test
makes, and never what it asserts.
"""

from __future__ import annotations

import os

LARGE = os.environ.get("SIZE") == "large"


def sized(usual: int, *, large: int) -> int:
    """How many of something a test tries in this run."""
    return large if LARGE else usual
