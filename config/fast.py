"""``make fast``: compile the rules engine and its games by mypyc.

A build is made in a folder of its own, must play a match of every mode as the sources do, and only
then gets its name. So nothing half is ever taken up, and what was interrupted is swept away by the
next build. ``config/compiled_engine.py`` says when a process uses it.
"""

from __future__ import annotations

import fcntl
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from config.compiled_engine import ROOT, SUFFIX, builds, digest, sources

ENGINE: Final = (
    *("card_tables", "chance", "fields", "match", "moves"),
    *("prompts", "redeal", "rulebook", "state"),
)
"""Modules of ``rules.engine`` that a move passes through. ``events`` stays interpreted (a generic
dataclass with slots does not compile), ``errors`` too (compiled exceptions leak)."""

INTERPRETED: Final = frozenset(("__init__", "layouts", "legality", "table_text", "thinkers"))
"""Modules of a game that no move passes through, or that mypyc cannot read."""

OPTIMISE: Final = "1"
"""The C compiler's level: 2 takes twice the time and plays no faster."""

SEEDS: Final = ("first", "second")
"""Words for the matches that a build has to play as the sources do, in every mode."""

KEPT: Final = 2
"""The newest builds that stay: processes that started with the last one may still load from it."""


class Trouble(Exception):
    """A sentence that says why there is no new build."""


def missing() -> str:
    """The thing that a build needs and this machine lacks; "" if it has all."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"a C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python’s headers (on Debian and Ubuntu: python3-dev)"
    for package in ("mypyc", "setuptools"):
        if find_spec(package) is None:
            return f"{package} (a development package)"
    return ""


def groups(root: Path, games: Sequence[str] = ()) -> list[tuple[list[str], str | None]]:
    """The modules to compile, as paths, with the name of their shared library.

    The engine is one group and each game another; named ``games`` alone if there are any.
    """
    chosen: list[tuple[list[str], str | None]] = [
        ([f"rules/engine/{name}.py" for name in ENGINE], "riffle_engine")
    ]
    by_game: dict[str, list[str]] = {}
    for path in sources(root):
        folder, game, *rest = Path(path).parts
        if folder == "games" and rest and Path(path).stem not in INTERPRETED:
            by_game.setdefault(game, []).append(path)
    chosen += [
        (paths, f"riffle_{game}") for game, paths in by_game.items() if not games or game in games
    ]
    return chosen


def compile_modules(games: Sequence[str]) -> None:
    """Compile the sources under the working directory into ``modules``, in this process."""
    from mypyc.build import mypycify
    from setuptools import setup

    chosen = groups(Path.cwd(), games)
    paths = [path for group, _name in chosen for path in group]
    Path("mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    extensions = mypycify(
        ["--config-file=mypy.ini", "--cache-dir=/dev/null", *paths],
        opt_level=OPTIMISE,
        separate=chosen,
        debug_level="0",
    )
    # In threads, one a group: the C compilers are processes of their own.
    jobs = f"--parallel={os.cpu_count() or 1}"
    script = ["--quiet", "build_ext", "--build-lib=modules", jobs]
    setup(name="riffle-fast", packages=[], ext_modules=extensions, script_args=script)


def make(games: Sequence[str] = ()) -> Path:
    """Compile, check and activate a build for the sources as they are now; raises ``Trouble``."""
    folder = builds()
    folder.mkdir(parents=True, exist_ok=True)
    with _only_builder(folder):
        build = folder / digest()
        if build.is_dir():
            return build
        for left in folder.glob("building-*"):
            shutil.rmtree(left)
        stage = folder / f"building-{build.name}"
        for path in sources():
            (stage / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, stage / path)
        log = folder / "build.log"
        _run([sys.executable, "-P", __file__, "compile", *games], stage, log)
        _compare(stage / "modules", log)
        if digest() != build.name:
            raise Trouble("The sources changed meanwhile; run it again.")
        (stage / "modules").rename(build)
        shutil.rmtree(stage)
        _sweep(folder, build)
        return build


@contextmanager
def _only_builder(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble("Another build is running.") from None
        yield


def _run(command: list[str], cwd: Path, log: Path, extra: dict[str, str] | None = None) -> str:
    """Run a program of the build and return what it printed; raises ``Trouble``."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | (extra or {})
    with log.open("a+", encoding="utf-8") as output:
        began = output.tell()
        done = subprocess.run(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        output.seek(began)
        printed = output.read()
    if done.returncode:
        last = "\n".join(f"  {line}" for line in printed.splitlines()[-8:])
        raise Trouble(f"The engine could not be compiled:\n{last}\nThe whole log: {log}")
    return printed


def _compare(modules: Path, log: Path) -> None:
    """Play the same matches on both engines; raises ``Trouble`` where they differ."""
    play = [sys.executable, "-P", __file__, "play"]
    pure, compiled = (
        _run([*play, *which], ROOT, log).splitlines() for which in ([], [str(modules)])
    )
    differ = sorted(set(pure[1:]) ^ set(compiled[1:]))
    if differ or (pure[0], compiled[0]) != ("pure", "compiled"):
        rows = "\n".join(f"  {row}" for row in differ[:8])
        raise Trouble(f"The compiled engine plays otherwise than the sources:\n{rows}")


def _play(modules: Sequence[str]) -> None:
    """Print how the engine runs, and the digests of some matches in every mode."""
    from config.compiled_engine import CompiledModules, engine_build

    if modules:
        sys.meta_path.insert(0, CompiledModules(Path(modules[0])))
    print(engine_build(), flush=True)
    sys.argv = ["rules.testing", "digest", *SEEDS]
    runpy.run_module("rules.testing", run_name="__main__")


def _sweep(folder: Path, newest: Path) -> None:
    others = [path for path in folder.iterdir() if path.is_dir() and path != newest]
    others.sort(key=lambda path: path.stat().st_mtime)
    for path in others[: 1 - KEPT]:
        shutil.rmtree(path)


def main(arguments: Sequence[str]) -> int:
    """Make a build, unless there is one for these sources; the exit status."""
    if lacking := missing():
        print(f"The engine stays as it is, in pure Python: this machine lacks {lacking}.")
        return 0
    print("Compiling the engine and its games (some minutes)", flush=True)
    began = time.monotonic()
    try:
        build = make(arguments)
    except Trouble as trouble:
        print(trouble)
        return 1
    size = sum(path.stat().st_size for path in build.rglob(f"*{SUFFIX}")) / 1e6
    print(
        f"The engine is compiled ({time.monotonic() - began:.0f} s, {size:.0f} MB in {build}). "
        "What starts from now on uses it, until a source changes."
    )
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", *games]:
            compile_modules(games)
        case ["play", *modules]:
            _play(modules)
        case arguments:
            sys.exit(main(arguments))
