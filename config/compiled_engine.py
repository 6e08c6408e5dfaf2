"""The compiled engine of ``make fast``: where it lies, and how a process takes it up.

A build is a folder of extension modules under the digest of the sources that it was made from.
Whoever imports ``config`` imports those modules instead of their sources, all or none: after any
change of a source the digest is another one, and the engine runs pure.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SUFFIX: Final = EXTENSION_SUFFIXES[0]
"""Names the version of Python and the machine: ``.cpython-311-x86_64-linux-gnu.so``."""

NOT_RULES: Final = frozenset(("site", "face", "manual", "__pycache__"))
"""Folders of a game that the engine never reads."""


def builds() -> Path:
    """The folder of all builds."""
    named = os.environ.get("RIFFLE_FAST")
    return Path(named) if named else Path(os.environ.get("RIFFLE_VAR") or ROOT / "var") / "fast"


def sources(root: Path = ROOT) -> list[str]:
    """The Python files of the rules and of all games, as sorted paths under ``root``."""
    paths = []
    stack = [str(root / "rules"), str(root / "games")]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    paths.append(entry.path)
                elif entry.is_dir() and entry.name not in NOT_RULES:
                    stack.append(entry.path)
    return sorted(os.path.relpath(path, root) for path in paths)


def digest(root: Path = ROOT) -> str:
    """The name of the build that fits these sources, this Python and this machine."""
    seen = hashlib.sha256(f"{SUFFIX} {sys.version}".encode())
    for path in sources(root):
        content = (root / path).read_bytes()
        seen.update(f"\n{path} {len(content)}\n".encode() + content)
    return seen.hexdigest()[:24]


class CompiledModules(MetaPathFinder):
    """Finds the modules of one build before their sources are found."""

    def __init__(self, build: Path) -> None:
        self.files = {
            ".".join(path.relative_to(build).parts).removesuffix(SUFFIX): path
            for path in build.rglob(f"*{SUFFIX}")
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.files.get(name)
        return file and spec_from_file_location(name, file)  # type: ignore[return-value]


def use_compiled() -> None:
    """Take up the build that fits the sources, if there is one and the rules are not loaded yet."""
    folder = builds()
    if folder.is_dir() and "rules.engine" not in sys.modules:
        build = folder / digest()
        if build.is_dir():
            sys.meta_path.insert(0, CompiledModules(build))


def engine_build() -> str:
    """How the engine runs in this process: "compiled" or "pure"."""
    from rules.engine.match import Match

    return "pure" if isinstance(Match.play, FunctionType) else "compiled"
