"""The tables that a game's ``site/layouts.py`` lays out, on four screens: all is in reach.

``TABLES`` are layouts by name; ``SCROLLS`` says of a name and a screen by which part of its height
the stage may be higher than what is seen of it.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.browser.felt import everything_in_reach
from tests.browser.player import Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDERS = sorted(file.parts[-3] for file in Path(__file__).parent.glob("*/site/layouts.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_boards_targets_and_hand_are_in_reach_on_every_screen(folder: str, sit: Open) -> None:
    layouts = import_module(f"tests.games.{folder}.site.layouts")
    everything_in_reach(sit, layouts.TABLES, getattr(layouts, "SCROLLS", {}))
