"""Names: what a display name may look like, and friendly ones for guests."""

from __future__ import annotations

import secrets
import unicodedata

from django.core.exceptions import ValidationError

_MOODS = (
    "Quiet",
    "Patient",
    "Bright",
    "Merry",
    "Gentle",
    "Clever",
    "Bold",
    "Nimble",
    "Amber",
    "Silver",
    "Velvet",
    "Mossy",
    "Windy",
    "Sunny",
    "Early",
    "Dapper",
    "Humble",
    "Lucky",
    "Curious",
    "Steady",
    "Wandering",
    "Whistling",
    "Drowsy",
    "Hopeful",
    "Copper",
    "Misty",
    "Snowy",
    "Tidy",
    "Kindly",
    "Rustic",
)
_BIRDS = (
    "Heron",
    "Finch",
    "Kestrel",
    "Wren",
    "Plover",
    "Magpie",
    "Osprey",
    "Robin",
    "Swift",
    "Lapwing",
    "Jackdaw",
    "Curlew",
    "Puffin",
    "Sparrow",
    "Bittern",
    "Gannet",
    "Goldcrest",
    "Nuthatch",
    "Dunnock",
    "Redstart",
    "Siskin",
    "Avocet",
    "Merlin",
    "Tern",
    "Dipper",
    "Pipit",
    "Whimbrel",
    "Linnet",
    "Crane",
    "Starling",
)


def friendly_name() -> str:
    """A name for a guest, such as "Quiet Heron"."""
    return f"{secrets.choice(_MOODS)} {secrets.choice(_BIRDS)}"


def tidy_name(text: str) -> str:
    """The name with single spaces between its words and none around it."""
    return " ".join(text.split())


def readable_name(text: str) -> None:
    """Refuse names that a log line or a seat couldn't show as they are.

    Control and direction marks could turn the words of a whole line around or make one name look
    like another.
    """
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"} for letter in text):
        raise ValidationError("Use only letters, digits, spaces and ordinary symbols.")
    if not any(letter.isalnum() for letter in text):
        raise ValidationError("A name needs at least one letter or digit.")
