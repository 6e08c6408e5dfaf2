"""Every seat count of every mode on four screens: the felt is shared out."""

from __future__ import annotations

import pytest

from tests.browser.felt import everything_in_reach
from tests.browser.player import Open
from tests.games.battle_krabz.site.layouts import TABLES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCROLLS: dict[str, float] = {}


def test_boards_targets_and_hand_are_in_reach_on_every_screen(sit: Open) -> None:
    everything_in_reach(sit, TABLES, SCROLLS)
