"""Words on every surface can be read: the colour tokens, measured as WCAG 2 does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from core.introductions import hues, introductions

TOKENS = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text(encoding="utf-8")
LIGHT, DARK = 0, 1


def _palettes() -> dict[str, dict[str, tuple[str, str]]]:
    """Each block's colours as (light, dark): the house's own, then one for each game."""
    values: dict[str, dict[str, tuple[str, str]]] = {}
    blocks = r"(:root|\[data-game=\"[^\"]+\"\]) \{(.*?)\n  \}"
    for name, body in re.findall(blocks, TOKENS + hues(), re.S):
        colours = {}
        for token, value in re.findall(r"--([\w-]+): ([^;]+);", body):
            hexes = re.findall(r"#[0-9a-f]{6}", value)
            if hexes:
                colours[token] = (hexes[0], hexes[-1])
        values.setdefault(name, {}).update(colours)
    house = values[":root"]
    return {name: house | colours for name, colours in values.items()}


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(colour: str, other: str) -> float:
    low, high = sorted((_luminance(colour), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


WORDS = [
    (word, surface)
    for word in ("ink", "ink-soft", "ink-faint", "action", "turn", "danger", "game")
    for surface in ("paper", "sheet", "hollow")
] + [
    ("on-action", "action-fill"),
    ("on-turn", "turn-fill"),
    ("on-danger", "danger-fill"),
    ("ink", "action-wash"),
    ("ink", "danger-wash"),
    ("ink", "turn-wash"),
    ("action", "action-wash"),
    ("danger", "danger-wash"),
    ("turn", "turn-wash"),
    ("game", "game-wash"),
    ("on-felt", "felt"),
    ("on-felt", "felt-deep"),
    ("on-felt-soft", "felt"),
    ("on-felt-soft", "felt-deep"),
]
MARKS = [
    ("turn-edge", "paper"),
    ("turn-edge", "sheet"),
    ("edge-strong", "sheet"),
    ("focus", "paper"),
]


def test_contrast_is_measured_right() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_there_is_a_palette_for_the_house_and_each_game() -> None:
    assert len(_palettes()) == 1 + len(introductions())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("palette", list(_palettes()))
def test_words_can_be_read(palette: str, theme: int) -> None:
    colours = _palettes()[palette]
    too_weak = {
        f"{word} on {surface}": round(ratio, 2)
        for word, surface in WORDS
        if (ratio := _contrast(colours[word][theme], colours[surface][theme])) < 4.5
    }
    assert too_weak == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_edges_that_carry_meaning_can_be_seen(theme: int) -> None:
    colours = _palettes()[":root"]
    too_weak = {
        f"{mark} on {surface}": round(ratio, 2)
        for mark, surface in MARKS
        if (ratio := _contrast(colours[mark][theme], colours[surface][theme])) < 3
    }
    assert too_weak == {}


@pytest.mark.parametrize("palette", list(_palettes()))
def test_the_amber_edge_shows_on_every_felt(palette: str) -> None:
    components = (Path(settings.BASE_DIR) / "static/css/components.css").read_text("utf-8")
    amber = re.search(r"\.felt \{\s+--turn-edge: (#[0-9a-f]{6})", components)
    assert amber
    for felt in _palettes()[palette]["felt"]:
        assert _contrast(amber.group(1), felt) >= 3
