"""Model fields of matches."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, Final

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

PRESET: Final = Path(__file__).with_name("preset_dictionary.txt").read_bytes()
"""Names of cards, and states of all modes cut short: zlib refers to them instead of storing them.
Rows are unreadable without it, so it never changes (docs/decisions/0036)."""
_COMPRESSOR: Final = zlib.compressobj(zdict=PRESET)


def packed(value: Any) -> bytes:
    """JSON data as it is stored."""
    compressor = _COMPRESSOR.copy()
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return compressor.compress(text.encode()) + compressor.flush()


def unpacked(data: bytes) -> Any:
    """The opposite of :func:`packed`; raises ``zlib.error`` for what is none of it."""
    return json.loads(zlib.decompressobj(zdict=PRESET).decompress(data))


class CompressedJSONField(models.BinaryField):
    """JSON that is read and written as a whole, compressed; lookups know null alone.

    ``jsonb`` takes four times the room, and PostgreSQL logs all of it at each change.
    """

    # For mypy, which takes the types of a value from here: any JSON, not bytes.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        data = None if value is None else packed(value)
        return super().get_db_prep_value(data, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return None if value is None else unpacked(bytes(value))
