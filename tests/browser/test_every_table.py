"""Every mode's table at the start, in a fight, in the middle and at the end: do its boxes fit?

``tests/support/boxes.py`` has the rules; any box that breaks one fails the run. ``make sheet`` also
draws pictures into ``var/sheet`` (RIFFLE_SCREENSHOTS names the folder): one a mode, with a column
for each state and a row for each size and theme, and measures all of them. Without pictures the
dark theme is measured on a desktop alone. ``ARGS="-k multi"`` takes some modes only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from django.urls import reverse
from PIL import Image

from matches import engine
from matches.models import Match
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable
from rules.engine.game import Game, Mode
from tests.browser.player import FADED, LAID_OUT, SHOW_IN, Open, chance_of, person, play_until
from tests.support.boxes import SCREENS, wrong_boxes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz")
FIGHTS = ("challenge", "combat", "clash", "fight", "reveal", "attack")
"""Under one of these a view tells of a fight that is on."""
MIDDLE = 15
"""Answers of the first seat."""
HEIGHT = 420
"""Pixels of one picture on the sheet."""
greedy = partial(chance_of, bot="greedy")
LONGEST_STEP = """() => [...document.querySelectorAll("#replay-moves a:not([data-turn])")]
    .sort((a, b) => b.textContent.length - a.textContent.length)[0].href"""
"""The address of the step with the most words, on the page of a replay."""


def states(game: Game, mode: Mode) -> Iterator[tuple[str, str]]:
    """The states of one match as it is played, with the page that shows each.

    Where it ends before such a state, another one begins for what comes before the end.

    The last, without an address, is the replay's longest step: its tray has the most words.
    """
    match, finished = _begin(game, mode), None
    for state, reached in (("start", _is_asked), ("fight", _fights), ("middle", _is_late)):
        if play_until(match, reached, greedy):
            yield state, match.get_absolute_url()
        else:
            match, finished = _begin(game, mode), match
    if finished is None:
        play_until(match, lambda table: False, greedy)
        finished = match
    yield "end", finished.get_absolute_url()
    yield "result", reverse("matches:result", args=(finished.slug,))
    yield "replay", f"{reverse('matches:replay', args=(finished.slug,))}?ply={finished.ply // 2}"
    yield "step", ""


def _begin(game: Game, mode: Mode) -> Match:
    people = [person(name) for name in PEOPLE[: mode.seats[0]]]
    seats = [SeatPlan(user=user) for user in people]
    return create_match(host=people[0], setup=MatchSetup(game.slug, mode.slug, seats))


def _is_asked(table: engine.Table) -> bool:
    return 0 in table.prompts


def _fights(table: engine.Table) -> bool:
    view = table.view(0)
    fights = [view.get(name) for name in FIGHTS]
    return 0 in table.prompts and any(all(row) if isinstance(row, list) else row for row in fights)


def _is_late(table: engine.Table) -> bool:
    return table.state.asked[0] >= MIDDLE and 0 in table.prompts


@pytest.mark.parametrize(
    ("game", "mode"), playable(), ids=lambda part: part.slug if hasattr(part, "slug") else None
)
def test_its_boxes_fit(game: Game, mode: Mode, sit: Open) -> None:
    ann = sit(person("Ann"), "/api/problems/invalid/")
    page, site = ann.page, ann.page.url.removesuffix("/api/problems/invalid/")
    pictures = os.environ.get("RIFFLE_SCREENSHOTS")
    folder = Path(pictures) if pictures else None
    columns: list[list[Image.Image]] = []
    wrong: list[str] = []
    for state, address in states(game, mode):
        page.set_viewport_size(SCREENS["desk"])
        page.goto(site + address if address else page.evaluate(LONGEST_STEP))
        column = []
        for screen, size in SCREENS.items():
            page.set_viewport_size(size)
            page.wait_for_function(LAID_OUT)
            if folder:  # the art of this size comes only now; its boxes are there before
                page.wait_for_load_state("networkidle")
            page.wait_for_function(FADED)
            for theme in ("light", "dark") if folder or screen == "desk" else ("light",):
                page.evaluate(SHOW_IN, theme)
                lines = wrong_boxes(page, screen)
                wrong += [f"{state} {screen} {theme}: {line}" for line in lines]
                if folder:
                    shot = page.screenshot()
                    folder.mkdir(parents=True, exist_ok=True)
                    name = f"{game.slug}-{mode.slug}-{state}-{screen}-{theme}.png"
                    (folder / name).write_bytes(shot)
                    column.append(_small(shot))
            page.evaluate(SHOW_IN, None)
        columns.append(column)
    if folder:
        _sheet(columns).save(folder / f"sheet-{game.slug}-{mode.slug}.png")
        (folder / f"boxes-{game.slug}-{mode.slug}.txt").write_text("\n".join(wrong))
    assert not wrong, "\n".join(wrong)


def _small(shot: bytes) -> Image.Image:
    image = Image.open(BytesIO(shot)).convert("RGB")
    return image.resize((round(image.width * HEIGHT / image.height), HEIGHT))


def _sheet(columns: list[list[Image.Image]]) -> Image.Image:
    """All pictures in one: a column for each state."""
    widths = [max(image.width for image in column) + 8 for column in columns]
    rows = max(len(column) for column in columns)
    sheet = Image.new("RGB", (sum(widths), rows * (HEIGHT + 8)), "white")
    for number, column in enumerate(columns):
        for row, image in enumerate(column):
            sheet.paste(image, (sum(widths[:number]), row * (HEIGHT + 8)))
    return sheet
