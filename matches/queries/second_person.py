"""Sentences about the seat that reads them: “Ann draws a card.” is “You draw a card.” to Ann.

What happened is recorded and worded for everybody in the third person. Whoever words it for one
reader puts :data:`READER` in the place of that seat's name; :func:`in_second_person` does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

READER: Final = "\ue000"
"""Stands for the name of whoever reads; no name can be it."""

IRREGULAR: Final = {
    "is": "are",
    "was": "were",
    "has": "have",
    "isn't": "aren't",
    "hasn't": "haven't",
}
ADVERBS: Final = "now|also|still|again|never|then|only|already|each"

_OWN = re.compile(f"{READER}['’]s")
_OF = re.compile(rf"\bthe ((?:[A-Z]\w+ )*[A-Z]\w+) of {READER}")
_SUBJECT = re.compile(
    rf"(?P<before>^|[.:;!?,] |\band ){READER} (?P<adverb>(?:{ADVERBS}) )?(?P<verb>[a-z']+)"
)
_SECOND_VERB = re.compile(r"(?P<join> (?:and|but|then) )(?P<verb>[a-z]+s)\b(?= [a-z0-9]| [A-Z])")
_SENTENCE_START = re.compile(rf"(?:^|[.!?] ){READER}|(?:^|[.!?] )your\b")


def names_with_reader(seats: Sequence[Any]) -> list[str]:
    """The names of the seats, with :data:`READER` in the place of the reader's own."""
    return [READER if seat.mine else seat.name for seat in seats]


def in_second_person(sentence: str) -> str:
    """A sentence in which :data:`READER` stands, as that reader is told it."""
    if READER not in sentence:
        return sentence
    spoken = _OF.sub(r"your \1", _OWN.sub("your", sentence))
    subject = _SUBJECT.search(spoken)
    if subject and subject["verb"].endswith("s") and not subject["before"].startswith("and"):
        head, rest = spoken[: subject.end()], spoken[subject.end() :]
        head = head[: -len(subject["verb"])] + _plain(subject["verb"])
        rest = _SECOND_VERB.sub(lambda m: m["join"] + _plain(m["verb"]), rest)
        rest = re.sub(r"\bitself to its\b", "yourself to your", rest)
        rest = re.sub(r"\b(?:its|the) own\b", "your own", rest)
        rest = re.sub(r"\binto the hand\b", "into your hand", rest)
        spoken = head + rest
    spoken = _SENTENCE_START.sub(
        lambda m: m[0].replace(READER, "You").replace("your", "Your"), spoken
    )
    return spoken.replace(READER, "you")


def _plain(verb: str) -> str:
    """“draws” → “draw”, “passes” → “pass”, “carries” → “carry”."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if re.search("(?:ss|sh|ch|x|o)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
