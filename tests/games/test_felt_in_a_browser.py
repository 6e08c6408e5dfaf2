"""The tables that a game's ``site/layouts.py`` lays out, on four screens: all is in reach.

``TABLES`` are layouts by name; ``SCROLLS`` says of a name and a screen by which part of its height
the stage may be higher than what is seen of it.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from django.urls import reverse

from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.felt import everything_in_reach
from tests.browser.player import FADED, Open, chance_of, person, play_until
from tests.support.boxes import SCREENS, wrong_boxes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDERS = sorted(file.parts[-3] for file in Path(__file__).parent.glob("*/site/layouts.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_boards_targets_and_hand_are_in_reach_on_every_screen(folder: str, sit: Open) -> None:
    layouts = import_module(f"tests.games.{folder}.site.layouts")
    everything_in_reach(sit, layouts.TABLES, getattr(layouts, "SCROLLS", {}))


LONGEST = """() => [...document.querySelectorAll("#replay-moves a:not([data-turn])")]
    .sort((a, b) => b.textContent.length - a.textContent.length)[0].getAttribute("href")"""


@pytest.mark.parametrize(
    ("game", "mode", "seats"), [("colossal-kaiju-combat", "standard", 2), ("kaolan", "single", 1)]
)
def test_a_replay_leaves_the_board_its_room(game: str, mode: str, seats: int, sit: Open) -> None:
    """In the games with the longest steps: the tray keeps to its part, and its words are whole."""
    people = [person(name) for name in ("Ann", "Bob")[:seats]]
    plans = [SeatPlan(user=user) for user in people]
    match = create_match(host=people[0], setup=MatchSetup(game, mode, plans))
    play_until(match, lambda table: False, partial(chance_of, bot="greedy"))
    ann = sit(people[0], reverse("matches:replay", args=(match.slug,)))
    ann.page.goto(ann.page.url + ann.page.evaluate(LONGEST))
    wrong: list[str] = []
    for screen, size in SCREENS.items():
        ann.page.set_viewport_size(size)
        ann.page.wait_for_function(FADED)
        wrong += [f"{screen}: {line}" for line in wrong_boxes(ann.page, screen)]
    assert not wrong, "\n".join(wrong)
