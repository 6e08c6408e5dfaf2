"""Duels on four screens: the felt is shared out, and nothing on it moves without a reason."""

from __future__ import annotations

import pytest

from tests.browser.felt import everything_in_reach
from tests.browser.player import Open
from tests.games.knd_ocg.site.layouts import TABLES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: With everything full that there can be, a phone is swiped once.
SCROLLS = {"full-phone": 0.25}


def test_both_fields_and_the_hand_are_in_reach_on_every_screen(sit: Open) -> None:
    everything_in_reach(sit, TABLES, SCROLLS)
