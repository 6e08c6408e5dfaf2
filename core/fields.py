"""Model fields."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class CompressedJSONField(models.BinaryField):
    """JSON that is read and written as a whole, compressed; lookups know null alone.

    ``jsonb`` takes nearly twice the room, and PostgreSQL logs all of it at each change.
    """

    # For mypy, which takes the types of a value from here: any JSON, not bytes.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> Any:
        if value is not None:
            data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            value = zlib.compress(data.encode())
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        return None if value is None else json.loads(zlib.decompress(bytes(value)))
