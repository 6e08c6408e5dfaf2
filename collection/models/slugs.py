"""Public ids that nobody can guess."""

from __future__ import annotations

import secrets

SLUG_LENGTH = 12
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_slug() -> str:
    """Twelve letters and digits, none easily confused with another."""
    return "".join(secrets.choice(_LETTERS) for _ in range(SLUG_LENGTH))
