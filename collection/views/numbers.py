"""Whole numbers that come in forms and addresses, and counts of cards made of them."""

from __future__ import annotations

from collections.abc import Mapping


def number(text: str) -> int | None:
    """The number that these digits are, if the database can look for it; None for anything else.

    Python takes ``²`` for a digit and refuses to read it, so only plain digits are.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None


def counts(data: Mapping[str, str], prefix: str, most: int) -> dict[int, int]:
    """With the prefix ``give-``, ``give-12=3`` means three copies of card 12, up to ``most``.

    None, or nonsense, takes the card off.
    """
    numbers = {}
    for name, value in data.items():
        key = number(name.removeprefix(prefix)) if name.startswith(prefix) else None
        count = number(str(value).strip()[:6])
        if key is not None and count:
            numbers[key] = min(count, most)
    return numbers


def change_count(counted: dict[int, int], button: str, more: str, off: str) -> None:
    """With ``add+`` and ``drop+``, ``add+12`` adds a copy of card 12 and ``drop+12`` takes it off.

    Other buttons leave the counts alone.
    """
    verb = more if button.startswith(more) else off
    key = number(button.removeprefix(verb)) if button.startswith(verb) else None
    if key is not None and verb == more:
        counted[key] = counted.get(key, 0) + 1
    elif key is not None:
        counted.pop(key, None)
