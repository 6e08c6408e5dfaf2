"""All benchmarks: ``python -m bench``, or some of them: ``python -m bench engine``."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import bench
from bench.tables import show

SHARED = {"__main__", "servers", "tables"}


def names() -> list[str]:
    """Every module of this package that has tables of its own, in alphabetical order."""
    return sorted(m.name for m in pkgutil.iter_modules(bench.__path__) if m.name not in SHARED)


def main(arguments: list[str]) -> int:
    """Print the tables of the benchmarks that are named (none: of all)."""
    unknown = set(arguments) - set(names())
    if unknown:
        show(f"There is no benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names())}.")
        return 2
    if len(arguments) == 1:
        import_module(f"bench.{arguments[0]}").main()
        show("")
        return 0
    # Each in a process of its own: a site's settings are read once, and each has another site.
    runs = [subprocess.run([sys.executable, "-m", "bench", name]) for name in arguments or names()]
    return max(run.returncode for run in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
