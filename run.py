#!/usr/bin/env python3
"""Start Riffle with nothing but Python: ``python3 run.py`` (``make run`` does just this).

Makes the virtual environment in .venv, installs the locked dependencies there and hands over to
``config.supervisor``. ``run.py install`` and ``run.py install-dev`` only install.

This file uses the standard library alone and only syntax that Python 3.6 can read: an old Python
must get as far as the sentence that says that it is too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
OLDEST = (3, 11)
OFFLINE_SIGNS = (
    "name resolution",
    "dns error",
    "failed to lookup address",
    "network is unreachable",
    "connection refused",
    "connection error",
    "connecttimeout",
    "timed out",
    "failed to establish a new connection",
    "no matching distribution found",  # pip's last words when it reached no index
    "error sending request",
    "failed to fetch",
    "client error (connect)",
)


class Trouble(Exception):
    """Something that the person at the keyboard has to know, in a sentence."""


def say(text):
    # type: (str) -> None
    print(text, flush=True)


def check_machine():
    # type: () -> None
    if os.name == "nt":
        raise Trouble("On Windows, Riffle runs inside WSL (Windows Subsystem for Linux).")
    if sys.version_info[:2] < OLDEST:
        raise Trouble(
            "Riffle needs Python %d.%d or newer; this is Python %d.%d (%s).\n"
            "With a newer one installed: make run PYTHON=python3.12, or python3.12 run.py"
            % (OLDEST + sys.version_info[:2] + (sys.executable,))
        )


def digest_of(lock):
    # type: (str) -> str
    with open(os.path.join(ROOT, lock), "rb") as file:
        content = file.read()
    version = "%d.%d" % sys.version_info[:2]
    return hashlib.sha256(version.encode() + content).hexdigest()


def stamp_path(lock):
    # type: (str) -> str
    return os.path.join(VENV, "installed-" + lock)


def installed(lock):
    # type: (str) -> bool
    """True if .venv has just what the lock file says (the stamp holds its digest)."""
    try:
        with open(stamp_path(lock)) as file:
            stamp = file.read()
    except OSError:
        return False
    return stamp == digest_of(lock) and works()


def works():
    # type: () -> bool
    """True if .venv's Python starts and is of this Python's version (not so after an upgrade)."""
    question = "import sys; sys.exit(sys.version_info[:2] != %r)" % (tuple(sys.version_info[:2]),)
    try:
        return subprocess.call([PYTHON, "-c", question], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def quiet(command, log):
    # type: (List[str], str) -> bool
    """Run a command with its output in the log file; whether it succeeded."""
    with open(log, "ab") as output:
        output.write(("\n$ %s\n" % " ".join(command)).encode())
        output.flush()
        return (
            subprocess.call(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            == 0
        )


def make_venv(log):
    # type: (str) -> Optional[List[str]]
    """Make .venv; returns the pip command for it (None where there is only uv)."""
    outside_pip = [sys.executable, "-m", "pip", "--python", PYTHON]
    if not works():
        say("Making the virtual environment (.venv)")
        # Without a pip of its own it is made in a blink, and a pip (22.3 or newer) or uv outside
        # can install into it. Where there is neither, venv brings its pip along.
        base = [sys.executable, "-m", "venv", "--clear"]
        bare = quiet(base + ["--without-pip", VENV], log)
        outside = shutil.which("uv") or quiet(outside_pip + ["--version"], log)
        if not bare or not (outside or quiet(base + [VENV], log)):
            raise Trouble(
                "The virtual environment could not be made. On Debian and Ubuntu this helps:\n"
                "  sudo apt install python3-venv\nDetails: " + log
            )
    if quiet([PYTHON, "-m", "pip", "--version"], log):
        return [PYTHON, "-m", "pip"]
    if quiet(outside_pip + ["--version"], log):
        return outside_pip
    return None


def uv_command(pip, log):
    # type: (Optional[List[str]], str) -> Optional[List[str]]
    """uv installs four times as fast as pip; None is no trouble."""
    inside = os.path.join(os.path.dirname(PYTHON), "uv")
    if os.path.exists(inside):
        return [inside]
    on_path = shutil.which("uv")
    if on_path:
        return [on_path]
    install = ["install", "-q", "--retries", "1", "--require-hashes", "--only-binary", ":all:"]
    if pip and quiet(pip + install + ["-r", "requirements-uv.txt"], log) and os.path.exists(inside):
        return [inside]
    return None


def install(lock):
    # type: (str) -> None
    """Bring .venv to what the lock file says; nothing to do is the usual case."""
    if installed(lock):
        return
    log = os.path.join(tempfile.gettempdir(), "riffle-install-%d.log" % os.getpid())
    open(log, "w").close()
    pip = make_venv(log)
    say("Installing the libraries (a minute at most; only at the first start and after updates)")
    uv = uv_command(pip, log)
    done = bool(uv) and quiet(
        (uv or []) + ["pip", "install", "--python", PYTHON, "-q", "--require-hashes", "-r", lock],
        log,
    )
    if not done and pip:
        options = ["install", "-q", "--retries", "1", "--require-hashes", "-r", lock]
        done = quiet(pip + options, log)
    if not done:
        raise Trouble(install_trouble(log, bool(uv or pip)))
    with open(stamp_path(lock), "w") as file:
        file.write(digest_of(lock))
    os.remove(log)


def install_trouble(log, had_installer):
    # type: (str, bool) -> str
    if not had_installer:
        return (
            "This Python has neither pip nor venv's own copy of it. On Debian and Ubuntu:\n"
            "  sudo apt install python3-venv"
        )
    with open(log, errors="replace") as file:
        text = file.read()
    if any(sign in text.lower() for sign in OFFLINE_SIGNS):
        return (
            "The libraries could not be downloaded. Is this machine online? (Or is it behind a\n"
            "proxy that pip does not know?) Nothing is broken: try again later. Details: " + log
        )
    last = "\n".join("  " + line for line in text.strip().splitlines()[-6:])
    return "The libraries could not be installed:\n%s\nDetails: %s" % (last, log)


def main(arguments):
    # type: (List[str]) -> int
    what = arguments[0] if arguments else "run"
    locks = {
        "run": "requirements.txt",
        "install": "requirements.txt",
        "install-dev": "requirements-dev.txt",
    }
    if what not in locks or len(arguments) > 1:
        say("Usage: python3 run.py [run | install | install-dev]")
        return 2
    try:
        check_machine()
        install(locks[what])
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except KeyboardInterrupt:
        say("\nStopped. Start again at any time; it goes on where it was.")
        return 130
    if what == "run":
        command = [PYTHON, "-m", "config.supervisor"]
        os.chdir(ROOT)
        os.execv(PYTHON, command)  # noqa: S606 - so that Ctrl-C and SIGTERM reach the supervisor
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
