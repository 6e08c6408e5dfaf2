"""People and a clock that these tests share."""

from __future__ import annotations

from tests.notices.told import clock, post  # noqa: F401  (fixtures)
from tests.support.people import as_member, guest, member  # noqa: F401  (fixtures)
