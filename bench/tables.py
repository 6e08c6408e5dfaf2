"""Times and tables that all benchmarks share."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def machine() -> str:
    """One line that says on what the numbers were measured."""
    build = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{build}, {platform.system()} {platform.machine()}, {_processor()}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def each(
    action: Callable[[], object],
    seconds: float = 0.2,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Seconds for one call: the best of five rounds that last ``seconds`` together.

    Without another ``clock`` it is the processor's time, so that other programs on the machine
    count little; what waits for a disk or a network needs ``time.perf_counter``.
    """
    calls = 1
    while True:
        spent = _time(action, calls, clock)
        if spent > seconds / 20:
            break
        calls *= 4
    calls = max(1, int(calls * seconds / 5 / spent))
    return min(_time(action, calls, clock) for _ in range(5)) / calls


def _time(action: Callable[[], object], calls: int, clock: Callable[[], float]) -> float:
    began = clock()
    for _ in range(calls):
        action()
    return clock() - began


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column to the left, numbers to the right."""
    cells = [list(head), *[[_text(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]

    def line(row: Sequence[str]) -> str:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = ["-" * widths[0], *["-" * (width - 1) + ":" for width in widths[1:]]]
    return "\n".join([line(cells[0]), line(rule), *[line(row) for row in cells[1:]]])


def _text(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell >= 100 else f"{cell:,.2g}" if cell < 1 else f"{cell:,.1f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def show(text: str) -> None:
    """Print at once: some tables take a while."""
    print(text, flush=True)
    sys.stdout.flush()
