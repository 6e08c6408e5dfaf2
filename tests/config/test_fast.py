"""``make fast``: what is built, when it is used, and that nothing half is ever left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config import compiled_engine, fast
from rules.testing import playouts

ROOT = compiled_engine.ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RIFFLE_FAST", str(tmp_path))
    return tmp_path


HOW = ("-c", "from config import compiled_engine as e; print(e.engine_build())")
LAB = ("-m", "config", "rules.engine.lab", "--help")


def running(builds: Path, program: tuple[str, ...] = HOW) -> str:
    """The output of a program that may take up the compiled engine in this folder."""
    done = subprocess.run(
        [sys.executable, *program],
        cwd=ROOT,
        env={"RIFFLE_FAST": str(builds)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr


def test_without_a_compiler_it_says_so_and_all_is_well(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert fast.main([]) == 0
    assert capsys.readouterr().out == (
        "The engine stays as it is, in pure Python: this machine lacks a C compiler "
        "(no-such-compiler).\n"
    )
    assert not list(folder.iterdir())


def test_a_build_fits_one_state_of_the_sources_alone(tmp_path: Path) -> None:
    for path in ("rules/engine/match.py", "games/toy/state.py", "games/toy/site/table.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("pass\n")
    before = compiled_engine.digest(tmp_path)
    (tmp_path / "games/toy/site/table.py").write_text("changed\n")
    assert compiled_engine.digest(tmp_path) == before, "a page of the game is not compiled"
    (tmp_path / "games/toy/state.py").write_text("changed\n")
    assert compiled_engine.digest(tmp_path) != before


def test_every_module_that_is_compiled_exists() -> None:
    paths = [path for group, _name in fast.groups(ROOT) for path in group]
    assert len(paths) == len(set(paths))
    assert not [path for path in paths if not (ROOT / path).is_file()]
    assert "rules/engine/match.py" in paths


def test_a_build_is_found_by_its_digest_and_no_other_is(tmp_path: Path) -> None:
    (tmp_path / ("0" * 24)).mkdir()
    assert running(tmp_path) == "pure"
    assert "matches" in running(tmp_path, LAB)
    module = tmp_path / compiled_engine.digest() / f"rules/engine/match{compiled_engine.SUFFIX}"
    module.parent.mkdir(parents=True)
    module.write_bytes(b"no module")
    for program in (HOW, LAB):
        assert module.name in running(tmp_path, program), "the build's file is what is loaded"


@pytest.mark.parametrize("broken", ["_run", "_compare", "_look_for_leaks"])
def test_what_is_interrupted_leaves_nothing_to_load(
    folder: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def stopped(*_: object) -> str:
        raise KeyboardInterrupt

    def compiled(command: list[str], stage: Path, log: Path) -> str:
        (stage / "modules").mkdir()
        return ""

    steps = {"_run": compiled, "_compare": lambda *_: None, "_look_for_leaks": lambda *_: None}
    for name, step in steps.items():
        monkeypatch.setattr(fast, name, stopped if name == broken else step)
    with pytest.raises(KeyboardInterrupt):
        fast.make()
    assert not (folder / compiled_engine.digest()).exists()
    monkeypatch.setattr(fast, broken, steps[broken])
    fast.try_out([fast.smallest_game()])
    assert not [path for path in folder.iterdir() if path.is_dir()], "a part is not a build"
    assert fast.make() == folder / compiled_engine.digest()
    assert [path.name for path in folder.iterdir() if path.is_dir()] == [compiled_engine.digest()]


@pytest.mark.parametrize(
    ("step", "rows", "trouble"),
    [
        ("play", "compiled\ntoy match b\n", "plays otherwise than the sources"),
        ("leaks", "  toy match: 2 objects, 9 blocks a match\n", "leaks memory"),
    ],
)
def test_a_build_that_plays_otherwise_or_leaks_is_refused(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    step: str,
    rows: str,
    trouble: str,
) -> None:
    def run(command: list[str], cwd: Path, log: Path) -> str:
        if "compile" in command:
            (cwd / "modules").mkdir()
        elif step in command and command[-1]:
            return rows
        elif "play" in command:
            return f"{'compiled' if command[-1] else 'pure'}\ntoy match a\n"
        return ""

    monkeypatch.setattr(fast, "missing", lambda: "")
    monkeypatch.setattr(fast, "_run", run)
    assert fast.main([]) == 1
    assert trouble in capsys.readouterr().out
    assert not (folder / compiled_engine.digest()).exists()


def test_a_trial_that_fails_its_tests_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = folder / "stage"
    (stage / "modules").mkdir(parents=True)
    chosen: list[str] = []

    def failing(_tested: Path, paths: list[str]) -> int:
        chosen.extend(paths)
        return 1

    monkeypatch.setattr(fast, "missing", lambda: "")
    monkeypatch.setattr(fast, "_checked", lambda *_: stage)
    monkeypatch.setattr(fast, "_test", failing)
    assert fast.main(["trial", "test"]) == 1
    assert "fails tests" in capsys.readouterr().out
    game = fast.smallest_game().replace("-", "_")
    assert chosen == ["tests/rules/engine", f"tests/games/{game}"]
    assert all((ROOT / path).is_dir() for path in (*chosen, *fast.SUITE))


def test_a_suite_for_the_compiled_engine_never_runs_on_the_sources(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fast, "missing", lambda: "")
    monkeypatch.setattr(fast, "make", lambda: (folder / fast.digest()).mkdir() or folder)
    assert fast.test(["--version"]) == 1
    assert "The tests would run on the sources" in capsys.readouterr().out


@pytest.mark.slow
def test_objects_that_stay_after_equal_matches_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    digest, kept = playouts.digest, []
    monkeypatch.setattr(sys, "meta_path", sys.meta_path[:])
    slug = fast.smallest_game()
    fast._leaks(str(tmp_path), slug)
    assert capsys.readouterr().out == ""

    def leaking(setup: playouts.Setup) -> str:
        kept.append(setup.start())
        return digest(setup)

    monkeypatch.setattr(playouts, "digest", leaking)
    fast._leaks(str(tmp_path), slug)
    assert [row.split(":")[0] for row in capsys.readouterr().out.splitlines()] == [
        f"  {game.slug} {mode.slug}"
        for game, mode in playouts.playable_modes()
        if game.slug == slug
    ]


def test_an_unknown_game_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["no-such-game"]) == 2
    assert capsys.readouterr().out == "Unknown game: no-such-game\n"
