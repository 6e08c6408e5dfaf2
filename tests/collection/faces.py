"""Comparison of drawn card faces: equality, and how well they can be told apart."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import combinations

from PIL import Image, ImageChops, ImageStat

import rules
from collection.drawing.printed import PrintedCard, printed_card

WINDOW = (10, 30, 116, 116)
"""Where the picture is on a thumb, within frame and title."""


def cards_of(game: str) -> list[PrintedCard]:
    return [printed_card(game, slug) for slug in rules.game(game).catalog]


def pixels(picture: Image.Image) -> str:
    return hashlib.sha256(picture.tobytes()).hexdigest()


def difference(picture: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ, from 0 to 255."""
    gap = ImageChops.difference(picture.convert("RGB"), other.convert("RGB"))
    return sum(ImageStat.Stat(gap).mean) / 3


def assert_told_apart(pictures: Mapping[str, Image.Image], least: float) -> None:
    """Each of the pictures differs from each other one by more than ``least``."""
    for (name, picture), (other, rival) in combinations(pictures.items(), 2):
        gap = difference(picture, rival)
        assert gap > least, f"{name} and {other} differ by {gap:.1f}, not more than {least}."
