"""The supervisor: one start, clear refusals, restarts, and nothing left behind at the end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import supervisor as supervisor_module
from config.supervisor import Child, Supervisor, Trouble, main
from tests.conftest import free_port
from tests.support.real_site import embedded, of_make_run

ROOT = Path(__file__).resolve().parents[2]
Start = Callable[..., "Site"]


class Site:
    """A supervisor process and what a person sees of it."""

    def __init__(self, var: Path, **environment: str) -> None:
        self.var = var
        self.port = int(environment.setdefault("PORT", str(free_port())))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.supervisor"],
            cwd=ROOT,
            env=of_make_run(var) | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        self.seen: dict[int, str] = {}

    def read_until(self, words: str) -> str:
        """The output up to the line with these words."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return self.said
        pytest.fail(f"It ended without saying “{words}”:\n{self.said}")

    def end(self, number: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=120)
        return self.process.returncode, self.said + rest

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            body: bytes = answer.read()
            return body

    def processes(self) -> dict[int, str]:
        """Every living process that this one has started so far, orphans too, with its command."""
        living = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                # After the name (which may hold anything): state, parent, …, start time.
                fields = path.read_text(errors="replace").rpartition(")")[2].split()
                if fields[0] != "Z":
                    living[int(path.parent.name)] = (int(fields[1]), fields[19])
        self.seen = {
            number: born
            for number, born in self.seen.items()
            if (number in living) and living[number][1] == born
        }
        family = {self.process.pid, *self.seen}
        grown = True
        while grown:
            young = {n for n, (parent, _) in living.items() if parent in family} - family
            family |= young
            grown = bool(young)
        self.seen = {n: living[n][1] for n in family - {self.process.pid}}
        return {number: _command(number) for number in self.seen}

    def children(self, words: str) -> list[int]:
        return [number for number, command in self.processes().items() if words in command]


def _command(number: int) -> str:
    """Its name and its command; forks of the supervisor differ in the first alone."""
    try:
        name = Path(f"/proc/{number}/comm").read_text()
        command = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
    return name + command


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    running: list[Site] = []

    def begin(var: Path = tmp_path / "var", *, bare: bool = True, **environment: str) -> Site:
        if not bare:
            embedded(var)
        running.append(Site(var, **environment))
        return running[-1]

    yield begin
    for site in running:
        if site.process.poll() is None:
            site.process.kill()
        site.process.wait()
        for left_over in site.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(left_over, signal.SIGKILL)


def wait_for(done: Callable[[], object], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.1)
    return False


# --- Refusals: a sentence and a non-zero status, no traceback ---
def test_a_taken_port_is_said_and_another_one_offered(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site = start(PORT=str(port))
        text, _ = site.process.communicate(timeout=60)
    assert site.process.returncode == 1
    assert f"Port {port} is taken by another program. Try another one: make run PORT=" in text
    assert "Traceback" not in text


def test_one_site_a_folder(start: Start, tmp_path: Path) -> None:
    import fcntl

    var = tmp_path / "var"
    var.mkdir()
    with (var / "up.lock").open("w") as lock:
        lock.write("123 http://localhost:8000/\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        site = start(var)
        text, _ = site.process.communicate(timeout=60)
    assert site.process.returncode == 1
    assert "already running here, at http://localhost:8000/ (process 123)" in text


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "config.supervisor"],
        cwd=ROOT,
        env=os.environ | {"PORT": port, "RIFFLE_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "PORT is a number from 1 to 65535" in done.stdout


# --- Back-off ---
def test_a_child_that_keeps_dying_is_started_ever_more_rarely(tmp_path: Path) -> None:
    child = Child("web", [sys.executable, "-c", ""], tmp_path / "web.log")
    pauses = []
    for _ in range(8):
        child.process = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
        child.process.wait()
        child.started = before = time.monotonic()
        child.bury()
        pauses.append(round(child.due - before))
    assert pauses == [0, 1, 2, 4, 5, 5, 5, 5]


def test_a_child_that_was_well_starts_again_at_once(tmp_path: Path) -> None:
    child = Child("web", [], tmp_path / "web.log", pause=30.0, deaths=5)
    child.process = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    child.process.wait()
    child.started = time.monotonic() - 60
    child.bury()
    assert child.due <= time.monotonic()
    assert child.deaths == 1


# --- What the terminal says ---
@pytest.fixture
def supervisor(tmp_path: Path) -> Supervisor:
    return Supervisor(tmp_path, "127.0.0.1", 8000)


def ended(folder: Path, code: str) -> Child:
    """A child whose program has ended by this code."""
    child = Child("worker-play", [sys.executable, "-c", code], folder / "worker-play.log")
    child.start(dict(os.environ))
    assert child.process
    child.process.wait()
    return child


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", ""),
        ("raise SystemExit(3)", ": exit status 3, see {var}/worker-play.log"),
        ("import os; os.kill(os.getpid(), 9)", ": it was ended by SIGKILL"),
    ],
)
def test_the_end_of_a_program_is_said_with_what_is_known_of_it(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str], code: str, reason: str
) -> None:
    supervisor._note_end(ended(supervisor.var, code))
    because = reason.format(var=supervisor.var)
    assert capsys.readouterr().out == f"worker-play has ended{because}; it starts again at once.\n"


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_said(supervisor: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    child = ended(supervisor.var, "raise SystemExit(1)")
    supervisor._note_end(child)
    assert f"worker-play has ended: the disk is full ({supervisor.var});" in capsys.readouterr().out


@pytest.mark.usefixtures("full_disk")
def test_on_a_full_disk_it_does_not_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RIFFLE_VAR", str(tmp_path))
    monkeypatch.delenv("PORT", raising=False)
    assert main() == 1
    assert capsys.readouterr().out == f"Riffle cannot start: the disk is full ({tmp_path}).\n"
    assert list(tmp_path.iterdir()) == []


# --- Forks ---
@pytest.mark.skipif(sys.platform != "linux", reason="Programs are forked on Linux alone.")
def test_a_fork_has_its_own_name_log_and_environment_and_no_open_files(tmp_path: Path) -> None:
    """It shares the memory of what was loaded before, and nothing else of the supervisor."""
    (tmp_path / "program.py").write_text(
        "import os, sys, pathlib\n"
        "print(sys.argv[1:], os.environ['MARK'], 'json.tool' in sys.modules)\n"
        "print(pathlib.Path('/proc/self/comm').read_text().strip(), os.getsid(0) == os.getpid())\n"
        "print([name for name in os.listdir('/proc/self/fd') if int(name) > 2][1:])\n"
        "sys.exit(3)\n"
    )
    script = (
        "import json.tool, os, sys\nfrom pathlib import Path\nfrom config.supervisor import fork\n"
        "lock = open(os.devnull)\n"
        "command = [sys.executable, '-m', 'program', '-x']\n"
        "child = fork(command, Path(sys.argv[1]), {'MARK': 'own'})\n"
        "print(child.wait(60), child.poll(), 'MARK' in os.environ)\n"
    )
    log = tmp_path / "worker-play.log"
    done = subprocess.run(
        [sys.executable, "-c", script, str(log)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "3 3 False\n"
    assert log.read_text().splitlines() == ["['-x'] own True", "worker-play True", "[]"]


def forking(script: str, folder: Path, program: str) -> str:
    """Run a script that forks ``program`` with ``start()``, and return what it printed."""
    (folder / "program.py").write_text(program)
    head = (
        "import os, signal, sys, time\nfrom pathlib import Path\nfrom config import supervisor\n"
        "def start(*death):\n"
        "    command = [sys.executable, '-m', 'program']\n"
        "    return supervisor.fork(command, Path(sys.argv[1]), {}, *death)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", head + script, str(folder / "web.log")],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="Programs are forked on Linux alone.")
def test_a_fork_hears_a_signal_from_its_first_moment(tmp_path: Path) -> None:
    """The handler of the supervisor, which only takes note, stands in it when it begins."""
    script = (
        "signal.signal(signal.SIGTERM, lambda *_: None)\n"
        "for _ in range(5):\n"
        "    child = start()\n"
        "    child.send_signal(signal.SIGTERM)\n"
        "    print(child.wait(20), end=' ')\n"
    )
    assert forking(script, tmp_path, "import time\ntime.sleep(3)\n") == "-15 " * 5


@pytest.mark.skipif(sys.platform != "linux", reason="Programs are forked on Linux alone.")
def test_a_fork_whose_supervisor_was_killed_first_does_not_run(tmp_path: Path) -> None:
    script = (
        "if os.fork():\n"
        "    os.wait()\n"
        "    sys.exit()\n"
        "parent = os.getpid()\n"
        "def late(death):\n"
        "    while os.getppid() == parent:\n"
        "        time.sleep(0.01)\n"
        "supervisor.die_with_parent = late\n"
        "print(start().pid)\n"
        "sys.stdout.flush()\n"
        "os._exit(0)\n"
    )
    pid = int(forking(script, tmp_path, "print('It runs.')\n"))
    assert wait_for(lambda: not Path(f"/proc/{pid}").exists(), 20)
    assert (tmp_path / "web.log").read_text() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="Programs are forked on Linux alone.")
def test_a_worker_in_a_long_task_ends_with_a_killed_supervisor(tmp_path: Path) -> None:
    """It would go on with its task for as long as that takes; the next start sends it again."""
    program = (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: None)\n"
        "print('working', flush=True)\n"
        "time.sleep(30)\n"
    )
    script = (
        "if os.fork():\n"
        "    os.wait()\n"
        "    sys.exit()\n"
        "print(start(signal.SIGKILL).pid, flush=True)\n"
        "while not Path(sys.argv[1]).read_text():\n"
        "    time.sleep(0.01)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    pid = int(forking(script, tmp_path, program))
    assert wait_for(lambda: not Path(f"/proc/{pid}").exists(), 20)
    workers = [child for child in _children(tmp_path) if child.name.startswith("worker-")]
    assert {child.death for child in workers} == {signal.SIGKILL}


def _children(var: Path) -> list[Child]:
    """The programs of a site, none of them started."""
    site = Supervisor(var, "127.0.0.1", 8000)
    site.stopping = True
    site._load = lambda: None  # type: ignore[method-assign]
    site._add_programs()
    return site.children


def test_a_site_that_cannot_be_loaded_says_why(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "FORKS", True)
    monkeypatch.setattr(supervisor_module, "SHARED", ("no_such_module_of_the_site",))
    with pytest.raises(Trouble) as trouble:
        supervisor._add_programs()
    log = supervisor.var / "log" / "load.log"
    assert str(trouble.value) == (
        "The site cannot be loaded: ModuleNotFoundError: No module named "
        f"'no_such_module_of_the_site'\nWhere that happened: {log}"
    )
    assert "Traceback" in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="Programs are forked on Linux alone.")
def test_the_last_words_of_a_fork_are_in_its_log(tmp_path: Path) -> None:
    program = "import sys\nsys.exit('There is no such queue.')\n"
    assert forking("print(start().wait(20))\n", tmp_path, program) == "1\n"
    assert (tmp_path / "web.log").read_text() == "There is no such queue.\n"


# --- The real thing ---
@pytest.mark.slow
def test_start_serve_stop_and_start_again(start: Start) -> None:
    site = start(bare=False)  # tests/test_run.py starts from nothing
    result = site.read_until("Riffle is open at")
    assert re.search(rf"Riffle is open at http://localhost:{site.port}/", result)
    assert site.get("/healthz") == b"ok\n"
    assert b'"ready": true' in site.get("/readyz")
    # Valkey, the web server and its process, three workers
    assert wait_for(lambda: len(site.processes()) == 6), site.processes()
    key = (site.var / "secret-key").read_text()

    status, result = site.end(signal.SIGINT)
    assert status == 0
    assert "Everything is kept" in result
    assert wait_for(lambda: not site.processes()), site.processes()

    again = start(site.var)
    again.read_until("Riffle is open at")
    assert wait_for(lambda: len(again.processes()) == 6), again.processes()
    assert (site.var / "secret-key").read_text() == key
    status, result = again.end(signal.SIGTERM)
    assert status == 0
    assert "Everything is kept" in result
    assert wait_for(lambda: not again.processes(), 5), again.processes()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Looks into /proc.")
def test_what_dies_is_started_again(start: Start) -> None:
    site = start(bare=False)
    site.read_until("Riffle is open at")
    for words in ("worker-play", "worker-files", "web", "unixsocket"):
        assert wait_for(lambda words=words: site.children(words)), words
        before = site.children(words)
        os.kill(min(before), signal.SIGKILL)
        assert wait_for(
            lambda words=words, before=before: set(site.children(words)) - set(before), 30
        ), f"{words} did not come back"
    assert wait_for(lambda: _ready(site), 30)
    status, _ = site.end(signal.SIGTERM)
    assert status == 0
    assert wait_for(lambda: not site.processes()), site.processes()


def _ready(site: Site) -> bool:
    try:
        return b'"ready": true' in site.get("/readyz")
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="The kernel's help is Linux's.")
def test_a_killed_supervisor_leaves_no_orphans(start: Start) -> None:
    site = start(bare=False)
    site.read_until("Riffle is open at")
    assert wait_for(lambda: len(site.children("worker-")) == 3)
    site.process.kill()
    site.process.communicate()
    assert wait_for(lambda: not site.processes(), 20), site.processes()


@pytest.mark.slow
def test_a_worker_that_has_grown_too_large_makes_room_for_a_fresh_one(start: Start) -> None:
    site = start(bare=False, WORKER_MEMORY="1000")  # less than any has
    site.read_until("worker-play has ended; it starts again")
    log = (site.var / "log" / "worker-play.log").read_text()
    assert "worker makes room for a fresh one" in log
    assert "Traceback" not in log
    assert wait_for(lambda: site.children("worker-play"))


@pytest.mark.slow
def test_tasks_of_a_killed_site_are_given_back(start: Start) -> None:
    """A task that was being worked on when everything was killed is in the queue again."""
    from kombu import Connection

    site = start(bare=False)
    site.read_until("Riffle is open at")
    assert wait_for(lambda: b" ready." in (site.var / "log" / "worker-play.log").read_bytes())
    url = f"redis+socket://{site.var}/redis.sock"
    # Taken and never confirmed by a process that ends without a word, as a killed worker does.
    taker = (
        "import os\nfrom kombu import Connection\n"
        f"queue = Connection({url!r}).SimpleQueue('given-back-test')\n"
        "queue.put({'n': 1})\nqueue.get(timeout=60)\nos._exit(0)"
    )
    subprocess.run([sys.executable, "-c", taker], check=True)
    with Connection(url) as connection:
        assert connection.default_channel.client.llen("given-back-test") == 0
    children = site.processes()
    site.process.kill()
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert wait_for(lambda: not site.processes())

    again = start(site.var)
    again.read_until("Riffle is open at")
    assert wait_for(lambda: b" ready." in (site.var / "log" / "worker-play.log").read_bytes())
    with Connection(url) as connection:
        message = connection.SimpleQueue("given-back-test").get(timeout=60)
        assert message.payload == {"n": 1}
        message.ack()
    again.end(signal.SIGTERM)
