"""Tables from the first turn to the last on four screens: all one may choose is in reach."""

from __future__ import annotations

import pytest

from tests.browser.felt import everything_in_reach
from tests.browser.player import Open
from tests.games.battl_khaos.site.layouts import TABLES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_board_targets_and_hand_are_in_reach_on_every_screen(sit: Open) -> None:
    everything_in_reach(sit, TABLES, {})
