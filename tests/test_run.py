"""The bootstrap: from a bare checkout to the site, and a sentence where that is not possible."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import free_port

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py as a module that believes to lie in an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "run.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", str(tmp_path))
    monkeypatch.setattr(module, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(module, "PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    (tmp_path / "requirements.txt").write_text("nothing==1\n")
    return module


def bare_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RIFFLE")}
    for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "VIRTUAL_ENV"):
        kept.pop(name, None)
    return kept | more


def test_an_old_python_is_named_with_what_to_do(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    assert run.main([]) == 1
    out = capsys.readouterr().out
    assert "Riffle needs Python 3.11 or newer; this is Python 3.9" in out
    assert "make run PYTHON=" in out


def test_windows_is_sent_to_wsl(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "os", type("os", (), {"name": "nt"}))
    assert run.main([]) == 1
    assert "WSL" in capsys.readouterr().out


def test_an_unknown_verb_shows_the_usage(
    run: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(["fly"]) == 2
    assert "Usage: python3 run.py" in capsys.readouterr().out


def test_the_stamp_belongs_to_one_lock_file_and_one_python(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    assert not run.installed("requirements.txt")
    Path(run.stamp_path("requirements.txt")).write_text(run.digest_of("requirements.txt"))
    assert run.installed("requirements.txt")
    (tmp_path / "requirements.txt").write_text("nothing==2\n")
    assert not run.installed("requirements.txt")
    Path(run.stamp_path("requirements.txt")).write_text(run.digest_of("requirements.txt"))
    monkeypatch.setattr(sys, "version_info", (3, 99, 0, "final", 0))
    assert not run.installed("requirements.txt")


def test_without_pip_it_says_what_to_install(run: ModuleType, tmp_path: Path) -> None:
    assert "apt install python3-venv" in run.install_trouble(str(tmp_path / "log"), False)


def test_another_failure_shows_the_end_of_the_log(run: ModuleType, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("one\n" * 50 + "THESE PACKAGES DO NOT MATCH THE HASHES\n")
    install_trouble = run.install_trouble(str(log), True)
    assert "DO NOT MATCH THE HASHES" in install_trouble
    assert "online" not in install_trouble


@pytest.mark.slow
def test_without_network_it_says_so(tmp_path: Path) -> None:
    for name in ("run.py", "requirements.txt", "requirements-uv.txt"):
        shutil.copy(ROOT / name, tmp_path)
    nowhere = "http://127.0.0.1:9/simple"
    kept = {n: v for n, v in bare_environment().items() if not n.startswith(("PIP_", "UV_"))}
    done = subprocess.run(
        [sys.executable, "run.py", "install"],
        cwd=tmp_path,
        env=kept
        | {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": nowhere, "PIP_NO_CACHE_DIR": "1"}
        | {"UV_NO_CONFIG": "1", "UV_DEFAULT_INDEX": nowhere, "UV_NO_CACHE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "could not be downloaded. Is this machine online?" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.slow(30)
def test_from_a_bare_checkout_to_the_page_and_back(tmp_path: Path) -> None:
    """``make run`` in a copy of what is under version control, and Ctrl-C."""
    if not (ROOT / ".git").exists():
        pytest.skip("This tree is not a git checkout.")
    copy = tmp_path / "riffle"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    port = free_port()
    command = ["make", "run"] if shutil.which("make") else [sys.executable, "run.py"]
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=bare_environment(PORT=str(port), PYTHON=sys.base_prefix + "/bin/python3"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # Ctrl-C reaches the whole group, as in a terminal
    )
    try:
        assert process.stdout
        text = ""
        for line in process.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        assert re.search(rf"Riffle is open at http://localhost:{port}/", text), text
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            assert answer.status == 200
            assert b"Riffle" in answer.read()
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        process.wait(30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert "Everything is kept for the next time." in rest
    assert (copy / "var" / "riffle.sqlite3").exists()
    assert "Traceback" not in text + rest
