"""Drawn things that may be forgotten: files, so many bytes of them at most, the oldest go first.

They lie on the disk and not in Redis, which must keep its tasks and so throws nothing away. A disk
that is full costs nobody a page: what cannot be kept is drawn again the next time.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import structlog
from django.conf import settings

logger = structlog.get_logger(__name__)

_BLOCK = 4096
"""The least that a file takes of most disks."""
PRUNE_EVERY = 16
"""A process looks through the folder whenever it has written this part of what may lie there."""


class DrawnFiles:
    """A folder in ``MEDIA_ROOT`` that holds ``max_bytes``, and a sixteenth more for each process.

    A key says everything that the drawing depends on, the version of its renderer too. Safe for
    threads and processes: a file appears whole, and whoever misses one draws it.
    """

    def __init__(self, name: str, max_bytes: int) -> None:
        self.name, self.max_bytes = name, max_bytes
        self._lock = threading.Lock()
        self._written: int | None = None  # None: this process has not looked into the folder yet

    @property
    def folder(self) -> Path:
        """Where the files lie."""
        return Path(settings.MEDIA_ROOT) / self.name

    def read(self, key: str, max_age: float | None = None) -> bytes | None:
        """The file kept under a key, for at most ``max_age`` seconds; else None."""
        path = self._path(key)
        try:
            if max_age is not None and time.time() - path.stat().st_mtime > max_age:
                return None
            return path.read_bytes()
        except OSError:
            return None

    def keep(self, key: str, data: bytes) -> None:
        """Keep ``data`` if there is room on the disk."""
        try:
            self._write(self._path(key), data)
            self._count(max(len(data), _BLOCK))
        except OSError as error:
            logger.warning("drawing_not_kept", folder=self.name, error=str(error))

    def _path(self, key: str) -> Path:
        return self.folder / hashlib.sha256(key.encode()).hexdigest()

    def _write(self, path: Path, data: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=self.folder, suffix=".draft")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise

    def _count(self, size: int) -> None:
        with self._lock:
            written = self._written
            self._written = size if written is None else written + size
            if written is not None and self._written < self.max_bytes / PRUNE_EVERY:
                return
            self._written = 0
        self.prune()

    def prune(self) -> None:
        """Remove the oldest files until the others, whole blocks of a disk each, have room."""
        files = sorted(self._files())
        excess = sum(size for _, size, _ in files) - self.max_bytes
        for _, size, path in files:
            if excess <= 0:
                break
            path.unlink(missing_ok=True)
            excess -= size

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """When each file was written, how much of the disk it takes, and where it is."""
        with os.scandir(self.folder) as entries:
            for entry in entries:
                try:
                    status = entry.stat()
                except FileNotFoundError:  # another process has just removed it
                    continue
                yield status.st_mtime, max(status.st_blocks * 512, status.st_size), Path(entry.path)
