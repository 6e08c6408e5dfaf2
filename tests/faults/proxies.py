"""The proxies of ``docs/deploy/`` as documented, with ports and a certificate of the test.

Nothing of the files is changed but addresses, ports and the place of the certificate.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

from tests.conftest import free_port
from tests.support.outside import authority_pem, server_pem, trusting
from tests.support.real_site import ROOT, SITE
from tests.support.services import CHOSEN, wait_until

DEPLOY = ROOT / "docs" / "deploy"


def program(name: str) -> str:
    """Where a program of the machine lies; the test fails with a sentence where there is none."""
    places = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return shutil.which(name, path=places) or pytest.fail(
        f"Needs {name}: install the Debian package of this name."
    )


def documented(name: str, changes: Mapping[str, str]) -> str:
    """A file of ``docs/deploy/`` with these changes, each of which has to be one."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"{name} has no “{old}” any more"
        text = text.replace(old, new)
    return text


class Daemon:
    """A program in the foreground, with a log; `stop` ends it."""

    def __init__(self, command: Sequence[str], log: Path, **options: Any) -> None:
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                **options,
            )

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Answer:
    """A response through a proxy."""

    status: int
    http: str
    headers: dict[str, list[str]]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Proxy:
    """A proxy that runs, and a browser's requests to the site behind it."""

    def __init__(self, folder: Path, web: int) -> None:
        folder.mkdir()
        self.folder, self.web = folder, web
        self.port, self.plain_port = free_port(), free_port()
        self.chain, self.authority = folder / "chain.pem", folder / "authority.pem"
        self.chain.write_bytes(server_pem(SITE))
        self.authority.write_bytes(authority_pem())
        self.daemon = self.started()
        wait_until(self.listens, (OSError,), type(self).__name__)

    def started(self) -> Daemon:
        raise NotImplementedError

    def listens(self) -> bool:
        trusting_socket(self.port).close()
        return True

    def curl(self, path: str, scheme: str = "https") -> list[str]:
        """The command for an address of the site; more options may follow it."""
        port = self.port if scheme == "https" else self.plain_port
        resolve = f"{SITE}:{port}:127.0.0.1"
        return [
            *(program("curl"), "--silent", "--cacert", str(self.authority), "--max-time", "60"),
            *("--http2", "--resolve", resolve, f"{scheme}://{SITE}:{port}{path}"),
        ]

    def get(self, path: str, *options: str, scheme: str = "https", body: bytes = b"") -> Answer:
        """A browser's response, over HTTP/2 where the proxy offers it."""
        report = ["--write-out", "%{stderr}%{json}\n%{header_json}", *options]
        done = subprocess.run(
            self.curl(path, scheme) + report, input=body, capture_output=True, check=False
        )
        summary, _, headers = done.stderr.decode().partition("\n")
        about = json.loads(summary)
        return Answer(
            about["http_code"], about["http_version"], json.loads(headers or "{}"), done.stdout
        )

    def api(self, path: str, body: Any = None, token: str = "") -> Answer:
        """A call of the API."""
        options = ["-H", f"Authorization: Token {token}"] if token else []
        if body is not None:
            options += ["-H", "Content-Type: application/json", "--data", json.dumps(body)]
        return self.get(path, *options)

    def stop(self) -> None:
        self.daemon.stop()


def trusting_socket(port: int) -> Any:
    """A connection that speaks TLS with the site's name; HTTP/1.1 is written to it by hand."""
    import socket

    plain = socket.create_connection(("127.0.0.1", port), timeout=60)
    return trusting().wrap_socket(plain, server_hostname=SITE)


class Caddy(Proxy):
    """Of its configuration only ports, certificate and the administration's port are the test's."""

    def started(self) -> Daemon:
        own = {
            "SITE": f"{SITE}:{self.port}",
            "WEB": f"127.0.0.1:{self.web}",
            "EVENTS": f"127.0.0.1:{self.web}",
            # It keeps its own things where these say, and touches no store of the machine.
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        environment = os.environ | own
        adapted = subprocess.run(
            [program("caddy"), "adapt", "--config", str(DEPLOY / "Caddyfile")],
            env=environment,
            capture_output=True,
            check=True,
        )
        configuration = json.loads(adapted.stdout)
        configuration["admin"] = {"disabled": True, "config": {"persist": False}}
        configuration["apps"]["http"] |= {"http_port": self.plain_port, "https_port": self.port}
        pair = {"certificate": str(self.chain), "key": str(self.chain)}
        configuration["apps"]["tls"] = {"certificates": {"load_files": [pair]}}
        path = self.folder / "caddy.json"
        path.write_text(json.dumps(configuration), encoding="utf-8")
        command = [program("caddy"), "run", "--config", str(path)]
        return Daemon(command, self.folder / "caddy.log", env=environment)


class Nginx(Proxy):
    """The file is included in the smallest frame that nginx takes."""

    def started(self) -> Daemon:
        changes = {
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "    listen [::]:80;\n": "",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "    listen [::]:443 ssl http2;\n": "",
            f"/etc/letsencrypt/live/{SITE}/fullchain.pem": str(self.chain),
            f"/etc/letsencrypt/live/{SITE}/privkey.pem": str(self.chain),
            "http://127.0.0.1:8000": f"http://127.0.0.1:{self.web}",
            "http://127.0.0.1:8001": f"http://127.0.0.1:{self.web}",
        }
        (self.folder / "riffle.conf").write_text(documented("nginx.conf", changes))
        user = "user root;" if os.geteuid() == 0 else ""
        folders = "\n".join(
            f"{kind}_temp_path {self.folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        frame = self.folder / "nginx.conf"
        frame.write_text(
            f"{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{folders}\n"
            f"include {self.folder}/riffle.conf;\n}}\n"
        )
        log = self.folder / "nginx.log"
        return Daemon([program("nginx"), "-e", str(log), "-c", str(frame)], log)


class PgBouncer:
    """PgBouncer in front of the run's PostgreSQL, with so few connections that all are shared.

    With the port of a ``replica`` it is in front of that, too. :meth:`start` starts it, or whoever
    runs ``command``.
    """

    CONNECTIONS = 2

    def __init__(
        self, database: str, replica: int | None = None, connections: int = CONNECTIONS
    ) -> None:
        self.port, self.database = free_port(), database
        self.daemon: Daemon | None = None
        folder = CHOSEN.folder / f"pgbouncer-{self.port}"
        folder.mkdir()
        (folder / "users").write_text('"riffle" ""\n', encoding="utf-8")
        servers = f"{database} = host={CHOSEN.folder}"
        if replica is not None:
            servers += f"\nreplica = host={CHOSEN.folder} port={replica} dbname={database}"
        changes = {
            "riffle = host=127.0.0.1 port=5432": servers,
            "listen_port = 6432": f"listen_port = {self.port}\nunix_socket_dir =",
            "auth_type = scram-sha-256": "auth_type = trust\nadmin_users = riffle",
            "/etc/pgbouncer/userlist.txt": str(folder / "users"),
            "default_pool_size = 20": f"default_pool_size = {connections}",
        }
        settings = folder / "pgbouncer.ini"
        settings.write_text(documented("pgbouncer.ini", changes), encoding="utf-8")
        self.command = [program("pgbouncer"), str(settings)]
        if os.geteuid() == 0:  # it refuses to run as root
            owner = pwd.getpwnam("postgres")
            for path in (folder, *folder.iterdir()):
                os.chown(path, owner.pw_uid, owner.pw_gid)
            ids = ("--reuid", str(owner.pw_uid), "--regid", str(owner.pw_gid), "--clear-groups")
            self.command = ["setpriv", *ids, *self.command]

    def start(self) -> Self:
        self.daemon = Daemon(self.command, CHOSEN.folder / "pgbouncer.log")
        wait_until(self.connections, (OSError, Exception), "PgBouncer")
        return self

    @property
    def url(self) -> str:
        return f"postgres://riffle@127.0.0.1:{self.port}/{self.database}"

    @property
    def replica_url(self) -> str:
        return f"postgres://riffle@127.0.0.1:{self.port}/replica"

    def connections(self) -> tuple[int, int]:
        """How many connections to PostgreSQL it has, and how many transactions went over them."""
        import psycopg
        from psycopg.rows import dict_row

        address = f"host=127.0.0.1 port={self.port} user=riffle dbname=pgbouncer"
        with psycopg.connect(address, autocommit=True, row_factory=dict_row) as admin:
            servers = [
                row
                for row in admin.execute("SHOW SERVERS").fetchall()
                if row["database"] == self.database
            ]
            counted = [
                row["total_xact_count"]
                for row in admin.execute("SHOW STATS").fetchall()
                if row["database"] == self.database
            ]
        return len(servers), sum(counted)

    def stop(self) -> None:
        if self.daemon:
            self.daemon.stop()
