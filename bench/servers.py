"""A PostgreSQL and a Redis of a benchmark's own, and the environment of a site on them."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.tables import show

if TYPE_CHECKING:
    from tests.support.services import Services


def has_postgres() -> bool:
    """True if this machine has PostgreSQL's server; prints a sentence if it has none."""
    from tests.support.services import postgres_binaries

    if postgres_binaries() is None:
        show("This benchmark needs PostgreSQL's server.")
        return False
    return True


@contextmanager
def own_servers() -> Iterator[Services]:
    """Both servers, in a folder that is thrown away; the database ``riffle`` has all tables."""
    from config.embedded import redis_server_binary
    from tests.support.services import Services

    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # PostgreSQL runs as somebody else
        services = Services(Path(name), postgres=True, redis_binary=redis_server_binary())
        try:
            services.start()
            yield services
        finally:
            services.stop()


def create_database(services: Services, name: str, template: str) -> None:
    """A copy of another database."""
    from tests.support.services import postgres_binaries

    command = [f"{postgres_binaries()}/createdb", "-h", services.folder, "-U", "riffle"]
    subprocess.run([*command, "-T", template, name], check=True)


def environment(services: Services, database: str, var: Path, **more: str) -> dict[str, str]:
    """The variables of a site on a database of these servers, with files of its own in ``var``."""
    own = {
        "DATABASE_URL": services.database_url.removesuffix("riffle") + database,
        "REDIS_URL": services.redis_url,
        "RIFFLE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
    }
    return os.environ | own | more


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
