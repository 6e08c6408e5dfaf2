"""Gives memory back: by itself glibc keeps most of what a drawn picture or a long list needed once.

Its allocator raises the size from which a block is mapped by itself, and so given back when it is
free, to that of the largest block it has met; from then on pictures share the heap with all else,
and what is free there stays with the process. It also opens up to eight heaps a processor, one for
each busy thread. With both bounded the same work ends with a third of the memory. Elsewhere than on
glibc this does nothing.
"""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
LARGE = 128 * 1024
"""Blocks of so many bytes are mapped by themselves; so many free ones at a heap's end go back."""
HEAPS = 2


def bound() -> bool:
    """Bound what free memory this process keeps; False where the allocator is another one."""
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    wanted = {M_MMAP_THRESHOLD: LARGE, M_TRIM_THRESHOLD: LARGE, M_ARENA_MAX: HEAPS}
    return all(mallopt(name, value) == 1 for name, value in wanted.items())
