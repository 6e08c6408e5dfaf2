"""Boxes of a table on three screens: apart, whole, and large enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.player import LAID_OUT, SHOW_IN, keep, keep_table
from tests.support.boxes import SCREENS, wrong_boxes


@dataclass(frozen=True)
class Boxes:
    """Rules for a table's boxes, by selector.

    No box of the first selector of a pair in ``apart`` overlaps one of the second. Those of
    ``whole`` are not cut by the felt's or the tray's sides. ``least`` are widths by screen.
    """

    apart: Sequence[tuple[str, str]] = ()
    whole: Sequence[str] = ()
    least: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


HIDDEN = "stage => stage.scrollHeight - stage.clientHeight"
"""So many pixels of the stage lie below the tray."""
MEASURE = Path(__file__).with_name("boxes.js").read_text()


def check_boxes(page: Page, name: str, boxes: Boxes) -> None:
    """Hold the page against these rules and those of every table: on each screen, once in dark.

    Pictures are kept where pictures are wanted.
    """
    problems = {}
    for screen, size in SCREENS.items():
        page.set_viewport_size(size)
        page.wait_for_function(LAID_OUT)
        keep(page, f"boxes-{name}-{screen}", full_page=False)
        if screen == "desk":
            keep_table(page, name)
        problems[screen] = measured(page, boxes, screen) + wrong_boxes(page, screen)
    theme = page.evaluate(SHOW_IN, "dark")
    problems["dark"] = wrong_boxes(page, screen)
    page.evaluate(SHOW_IN, theme)
    lines = [
        f"{name}, {at}: {line}" for at, wrong in problems.items() for line in dict.fromkeys(wrong)
    ]
    assert not lines, "\n".join(lines)


def measured(page: Page, boxes: Boxes, screen: str) -> list[str]:
    """Lines on all that breaks these rules on the page as it is."""
    rules = {
        "apart": [list(pair) for pair in boxes.apart],
        "whole": list(boxes.whole),
        "least": dict(boxes.least.get(screen, {})),
    }
    wrong: list[str] = page.evaluate(MEASURE, rules)
    return wrong
