"""Boxes of a table on three screens: apart, whole, and large enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.player import keep

SCREENS: Mapping[str, Mapping[str, int]] = {
    "desk": {"width": 1440, "height": 900},
    "small-desk": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}
TRAY = {"desk": 0.30, "small-desk": 0.32, "phone": 0.42}
"""The largest part of a screen's height for the tray; its border and shadow included."""


@dataclass(frozen=True)
class Boxes:
    """Rules for a table's boxes, by selector.

    No box of the first selector of a pair in ``apart`` overlaps one of the second. Those of
    ``whole`` are not cut by the felt's or the tray's sides. ``least`` are widths by screen.
    """

    apart: Sequence[tuple[str, str]] = ()
    whole: Sequence[str] = ()
    least: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    tray: bool = True


MEASURE = Path(__file__).with_name("boxes.js").read_text()


def check_boxes(page: Page, name: str, boxes: Boxes) -> None:
    """Hold the page against the rules on each screen; keep a picture where pictures are wanted."""
    problems = {}
    for screen, size in SCREENS.items():
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")
        keep(page, f"boxes-{name}-{screen}", full_page=False)
        rules = {
            "apart": [list(pair) for pair in boxes.apart],
            "whole": list(boxes.whole),
            "least": dict(boxes.least.get(screen, {})),
            "tray": TRAY[screen] if boxes.tray else 0,
        }
        if wrong := page.evaluate(MEASURE, rules):
            problems[f"{name}-{screen}"] = list(dict.fromkeys(wrong))
    assert not problems, "\n".join(
        f"{at}: {line}" for at, lines in problems.items() for line in lines
    )
