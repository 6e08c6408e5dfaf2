"""The words of a site around a game's table: how far a match is, how it ended.

A game gives its own :class:`TableText` as ``Game.text``. What it does not override says something
that is right for any game. All of it is plain words and data: views come in as the
engine shows them to somebody, so nothing here can tell more than they may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a match is, and who is at the helm.

    ``step`` is such as “Deal 2 of 3”. ``seat`` is at the helm: ``mine`` says so of whoever looks
    (“you lead”), a name with ``theirs`` behind it of others (“Mira leads”).
    """

    step: str = ""
    seat: int | None = None
    mine: str = "yours"
    theirs: str = "’s"


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a match that is not played against anyone."""

    reached: int
    most: int
    label: str


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why something cannot be chosen, in a sentence, and the rule that says so."""

    sentence: str
    rule: str


class TableText:
    """The words around a table. A game overrides what it says better."""

    not_now: ClassVar[Mapping[str, WhyNot]] = {}
    """By kind of prompt: why a card that is not an answer to it cannot be chosen.

    What the prompt's outlook says of a card by itself (``why_not``) is said instead of it.
    """

    not_there: ClassVar[Mapping[str, WhyNot]] = {}
    """By verb: where a card that is played by it may go, said when it is laid elsewhere."""

    reasons: ClassVar[Mapping[str, str]] = {}
    """How a match ended, by the outcome's reason, where that word alone says too little."""

    turn_words: ClassVar[Mapping[str, str]] = {}
    """By kind of event that begins a turn: what it is called where that is not a turn."""

    turning_points: ClassVar[frozenset[str]] = frozenset()
    """The kinds of events that may decide a match: a replay marks them."""

    def standing(self, view: Mapping[str, Any], seat: int) -> str:
        """Say what a seat has reached, as a result says it beside its name: “12 glory”."""
        return ""

    def progress(self, view: Mapping[str, Any]) -> Progress:
        """How far the match is; the site says who is to move where this says nothing."""
        return Progress()

    def over(self, view: Mapping[str, Any]) -> str:
        """The words in its place when the match is over."""
        return "The match is over"

    def is_out(self, view: Mapping[str, Any], seat: int) -> bool:
        """True if a seat is out while others play on: its row of ``players`` has an ``out``."""
        players = view.get("players", ())
        return bool(players) and players[seat].get("out") is not None

    def reason(self, outcome: Mapping[str, Any], view: Mapping[str, Any]) -> str:
        """How it ended, in a few words; ``view`` is the table at the end."""
        word: str = outcome["reason"]
        return self.reasons.get(word, word.replace("_", " "))

    def headline(self, outcome: Mapping[str, Any], *, mine: bool) -> str:
        """The result in a sentence, where it is more than who won; ``mine``: the reader played."""
        return ""

    def note(self, outcome: Mapping[str, Any]) -> str:
        """The result in two or three words for a list of matches, where it is more than who won."""
        return ""

    def score(self, outcome: Mapping[str, Any]) -> Score | None:
        """The score, where no one won against anyone."""
        return None
