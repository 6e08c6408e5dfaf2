"""Finds out by writing if a folder can be written; read by ``/readyz`` and by the supervisor."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

PROBE_BYTES = 64 * 1024
"""Bytes that a nearly full disk has no room for."""


def write_error(folder: Path) -> str:
    """Why nothing can be written there, in words that go on a sentence; "" if it can.

    The file has no name, so nothing is left behind whatever happens.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(os.urandom(PROBE_BYTES))  # zeros would take no room on some file systems
            file.flush()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return f"the disk is full ({folder})"
        return f"{folder} cannot be written ({error.strerror})"
    return ""
