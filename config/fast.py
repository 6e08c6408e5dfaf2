"""``make fast``: compile the rules engine and its games by mypyc.

A build is made in a folder of its own, must play matches of every mode as the sources do without
leaving an object behind, and only then gets its name. So nothing half is ever taken up, and what
was interrupted is swept away by the next build. ``config/compiled_engine.py`` says when a process
uses it.

    python -m config.fast trial

compiles and checks the engine with the smallest game alone (or with those named instead) and keeps
nothing; with ``trial test`` it runs the tests of the engine and of that game on it, too.

    python -m config.fast test [ARGUMENTS OF PYTEST]

makes a build if there is none, and runs the tests of the engine and of all games on it.
"""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from config.compiled_engine import (
    ROOT,
    SUFFIX,
    CompiledModules,
    builds,
    digest,
    engine_build,
    sources,
)

ENGINE: Final = (
    *("card_tables", "chance", "events", "fields", "match", "moves"),
    *("prompts", "redeal", "rulebook", "state"),
)
"""Modules of ``rules.engine`` that a move passes through. ``errors`` stays interpreted (compiled
exceptions leak)."""

INTERPRETED: Final = frozenset(("__init__", "layouts", "legality", "table_text", "thinkers"))
"""Modules of a game that no move passes through, or that mypyc cannot read."""

OPTIMISE: Final = "1"
"""The C compiler's level: the lowest that optimises, for a short build."""

SUITE: Final = ("tests/rules", "tests/games")
"""The tests that a whole build has to pass like the sources; of a trial some of them."""

SEEDS: Final = ("first", "second")
"""Words for the matches that a build has to play as the sources do, in every mode."""

EQUAL_RUNS: Final = 4
"""A match is played so often to see if objects stay; the first two may fill caches."""

BLOCKS: Final = 250
"""Blocks of memory that may stay after an equal match: on the pure engine it was up to 133."""

KEPT: Final = 2
"""The newest builds that stay: processes that started with the last one may still load from it."""


class Trouble(Exception):
    """Ends a build; its sentence says why."""


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

    The engine is one group and each game another; with ``games`` (slugs) those alone.
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
        (paths, f"riffle_{game}")
        for game, paths in by_game.items()
        if not games or game.replace("_", "-") in games
    ]
    return chosen


def smallest_game() -> str:
    """The slug of the game with the shortest sources."""
    sizes = {
        name: sum((ROOT / path).stat().st_size for path in paths)
        for paths, name in groups(ROOT)[1:]
    }
    name = min(sizes, key=lambda name: sizes[name])
    return str(name).removeprefix("riffle_").replace("_", "-")


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


def make() -> Path:
    """Compile, check and activate a build for the sources as they are now; raises ``Trouble``."""
    folder = builds()
    with _only_builder(folder):
        build = folder / digest()
        if build.is_dir():
            return build
        stage = _checked(folder, build.name)
        if digest() != build.name:
            raise Trouble("The sources changed meanwhile; run it again.")
        (stage / "modules").rename(build)
        shutil.rmtree(stage)
        _sweep(folder, build)
        return build


def try_out(games: Sequence[str], *, tested: bool = False) -> None:
    """Compile and check the engine with these games (slugs) and keep nothing; raises ``Trouble``.

    No process could take up such a build: a build holds all games or it has no name, but where it
    is ``tested``, in a folder that only the tests know.
    """
    folder = builds()
    with _only_builder(folder):
        stage = _checked(folder, "trial", games)
        if tested:
            (stage / "tested").mkdir()
            (stage / "modules").rename(stage / "tested" / digest())
            folders = [f"tests/games/{game.replace('-', '_')}" for game in games]
            if _test(stage / "tested", ["tests/rules/engine", *folders]):
                raise Trouble("The compiled engine fails tests that the sources pass.")
        shutil.rmtree(stage)


def test(arguments: Sequence[str]) -> int:
    """Run the suite, or what these arguments of pytest choose, on a whole build. Exit status."""
    status = main([])
    if status or not (builds() / digest()).is_dir():
        return status
    try:
        return _test(builds(), arguments or SUITE)
    except Trouble as trouble:
        print(trouble)
        return 1


def _test(folder: Path, arguments: Sequence[str]) -> int:
    """Run tests on the build in a folder of builds; raises ``Trouble`` if none is taken up."""
    environment = os.environ | {"RIFFLE_FAST": str(folder)}
    how = [sys.executable, "-c", "from config.compiled_engine import *; print(engine_build())"]
    if subprocess.check_output(how, cwd=ROOT, env=environment, text=True) != "compiled\n":
        raise Trouble("The tests would run on the sources.")
    pytest = [sys.executable, "-m", "config", "pytest", "-q", *arguments]
    return subprocess.run(pytest, cwd=ROOT, env=environment).returncode


def _checked(folder: Path, name: str, games: Sequence[str] = ()) -> Path:
    """A new stage whose ``modules`` are compiled and checked; raises ``Trouble``."""
    for left in folder.glob("building-*"):
        shutil.rmtree(left)
    stage = folder / f"building-{name}"
    for path in sources():
        (stage / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, stage / path)
    log = folder / "build.log"
    _run([sys.executable, "-P", __file__, "compile", *games], stage, log)
    _compare(stage / "modules", log, games)
    _look_for_leaks(stage / "modules", log, games)
    return stage


@contextmanager
def _only_builder(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
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


def _compare(modules: Path, log: Path, games: Sequence[str]) -> None:
    """Play the same matches on both engines; raises ``Trouble`` where they differ."""
    play = [sys.executable, "-P", __file__, "play"]
    pure, compiled = (
        _run([*play, where, *games], ROOT, log).splitlines() for where in ("", str(modules))
    )
    differ = sorted(set(pure[1:]) ^ set(compiled[1:]))
    if differ or (pure[0], compiled[0]) != ("pure", "compiled"):
        rows = "\n".join(f"  {row}" for row in differ[:8])
        raise Trouble(f"The compiled engine plays otherwise than the sources:\n{rows}")


def _look_for_leaks(modules: Path, log: Path, games: Sequence[str]) -> None:
    """Play equal matches on the compiled engine; raises ``Trouble`` where objects stay."""
    rows = _run([sys.executable, "-P", __file__, "leaks", str(modules), *games], ROOT, log)
    if rows:
        raise Trouble(f"The compiled engine leaks memory in equal matches:\n{rows}")


def _play(modules: str = "", *games: str) -> None:
    """Print how the engine runs, and the digests of the matches in every mode of these games."""
    if modules:
        sys.meta_path.insert(0, CompiledModules(Path(modules)))
    print(engine_build(), flush=True)
    # By name: nothing in the site may need the testing kit, and this part is no part of the site.
    digests = import_module("rules.testing.commands").main
    for game in games or ("",):
        digests(["digest", *SEEDS, *(("--game", game) if game else ())])


def _leaks(modules: str, *games: str) -> None:
    """Print each mode in which more objects are left after one more equal match."""
    sys.meta_path.insert(0, CompiledModules(Path(modules)))
    playouts: Any = import_module("rules.testing.playouts")
    seed = import_module("rules.engine.chance").named_seed(SEEDS[0])
    for game, mode in playouts.playable_modes():
        if not games or game.slug in games:
            setup = playouts.random_setup(game, mode, seed)
            counts = []
            for _ in range(EQUAL_RUNS):
                playouts.digest(setup)
                gc.collect()
                counts.append((len(gc.get_objects()), sys.getallocatedblocks()))
            objects, blocks = (
                (after - before) / (EQUAL_RUNS - 2)
                for before, after in zip(counts[1], counts[-1], strict=True)
            )
            if objects >= 1 or blocks > BLOCKS:
                left = f"{objects:.0f} objects, {blocks:.0f} blocks a match"
                print(f"  {game.slug} {mode.slug}: {left}")


def _sweep(folder: Path, newest: Path) -> None:
    others = [path for path in folder.iterdir() if path.is_dir() and path != newest]
    others.sort(key=lambda path: path.stat().st_mtime)
    for path in others[: 1 - KEPT]:
        shutil.rmtree(path)


def main(games: Sequence[str]) -> int:
    """Make a build, unless there is one for these sources; with ``games`` a trial. Exit status."""
    tested = list(games) == ["trial", "test"]
    if tested or list(games) == ["trial"]:
        games = [smallest_game()]
    if lacking := missing():
        print(f"The engine stays as it is, in pure Python: this machine lacks {lacking}.")
        return 1 if games else 0
    known = {path.name.replace("_", "-") for path in (ROOT / "games").iterdir() if path.is_dir()}
    if unknown := sorted(set(games) - known):
        print(f"Unknown game: {', '.join(unknown)}")
        return 2
    chosen = ", ".join(games) or "its games (some minutes)"
    print(f"Compiling the engine and {chosen}", flush=True)
    began = time.monotonic()
    try:
        if games:
            try_out(games, tested=tested)
            print("Compiled, they play as the sources do and leak no memory. Nothing is kept.")
            return 0
        build = make()
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
        case ["play", *arguments]:
            _play(*arguments)
        case ["leaks", modules, *games]:
            _leaks(modules, *games)
        case ["test", *arguments]:
            sys.exit(test(arguments))
        case games:
            sys.exit(main(games))
