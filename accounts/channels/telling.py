"""The channels of notices that this package brings."""

from __future__ import annotations
