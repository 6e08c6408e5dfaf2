"""Why a whole list cannot be read. What is wrong with one line is said in its row."""

from __future__ import annotations


class Unreadable(Exception):
    """Nothing of this file can be read; the sentence says why and what to do."""
