"""A deck in one word, to be passed on in a message or an address: ``<game>1:dG91cm5…``.

Before the colon stand the game and the version of the code. Behind it, in base64 for addresses:

- the mode's slug: its length and its characters;
- how many sections there are, and for each one its slug as above, then how many different cards
  come once, each card; how many come twice, each card; how many come any other number of times,
  each card and its count;
- the first four bytes of the SHA-256 of the game's slug, a colon and all of the above.

Numbers are varints (seven bits a byte, the lowest first). A card is the number that the first three
bytes of its slug's SHA-256 make, so a code outlives any change of the catalog's order. Cards are
sorted by it, and only the step from one to the next is written. One deck has one code.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import rules
from decks.lists.contents import MAX_COPIES, MAX_ENTRIES, Contents, added_up
from decks.lists.errors import DamagedCode, NotOurs, TooLarge, UnknownVersion
from rules.engine.errors import UnknownGame

FORM = "code"
VERSION = 1
MAX_LENGTH = 8_000
_CODE = re.compile(
    r"(?P<game>[a-z][a-z-]{0,48}[a-z])(?P<version>\d{1,3}):(?P<data>[\w-]*)", re.ASCII
)
_UNKNOWN = re.compile(r"unknown card (?P<number>[0-9a-f]{6})")
_CHECK = 4
_MAX_SECTIONS = 20
_MAX_WORD_LENGTH = 50


def card_number(slug: str) -> int:
    """The number that stands for a card; of one that a code named in vain, that number."""
    if match := _UNKNOWN.fullmatch(slug):
        return int(match["number"], 16)
    return int.from_bytes(hashlib.sha256(slug.encode()).digest()[:3], "big")


def looks_like_code(text: str) -> bool:
    """True for a deck code, be it a damaged one."""
    return bool(_CODE.fullmatch(text))


def write(deck: Contents) -> str:
    """The deck's code. Its name and its notes are not in it."""
    data = bytearray(_word(deck.mode))
    sections = {name: cards for name, cards in deck.cards.items() if any(cards.values())}
    data += _varint(len(sections))
    for name in sorted(sections):
        counts = sorted(
            (card_number(slug), count) for slug, count in sections[name].items() if count
        )
        data += _word(name)
        for times in (1, 2):
            data += _steps([card for card, count in counts if count == times])
        others = [(card, count) for card, count in counts if count > 2]
        data += _steps([card for card, _ in others], [count for _, count in others])
    data += _checksum(deck.game, data)
    return f"{deck.game}{VERSION}:{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def read(text: str) -> Contents:
    """The deck of a code; raises ``Unreadable``. A card that is not known stays a number."""
    match = _CODE.fullmatch(text)
    if match is None:
        raise NotOurs(
            "Not a deck code. A deck code is a game’s short name, a number, a colon and characters."
        )
    game = match["game"]
    try:
        rules.game(game)
    except UnknownGame as error:
        raise NotOurs(f"This deck code is for an unknown game, “{game}”.") from error
    if int(match["version"]) != VERSION:
        raise UnknownVersion(
            f"Deck code version {int(match['version'])} is not supported; use version {VERSION}."
        )
    data = _bytes(match["data"])
    if _checksum(game, data[:-_CHECK]) != data[-_CHECK:]:
        raise DamagedCode("Some characters of this deck code are wrong or missing. Copy it again.")
    reader = _Reader(data[:-_CHECK])
    mode = reader.word()
    deck = Contents(game=game, mode=mode, cards=added_up(_entries(game, reader)), form=FORM)
    # Whatever else the bytes might say in a roundabout way, one deck has one code.
    if not reader.at_end or write(deck) != text:
        raise DamagedCode("This deck code was not written by Riffle.")
    return deck


def _entries(game: str, reader: _Reader) -> Iterator[tuple[str, str, int]]:
    names = _names(game)
    for _ in range(reader.number(_MAX_SECTIONS)):
        section = reader.word()
        for times in (1, 2, 0):
            for card, count in reader.cards(times):
                yield section, names.get(card, f"unknown card {card:06x}"), count


@lru_cache(maxsize=16)
def _names(game: str) -> Mapping[int, str]:
    return {card_number(slug): slug for slug in rules.game(game).catalog}


def _bytes(characters: str) -> bytes:
    if len(characters) > MAX_LENGTH:
        raise TooLarge(f"A deck code can have up to {MAX_LENGTH:,} characters.")
    try:
        data = base64.b64decode(
            characters + "=" * (-len(characters) % 4), altchars=b"-_", validate=True
        )
    except (binascii.Error, ValueError) as error:
        raise DamagedCode(
            "Some characters of this deck code are missing. Copy it again."
        ) from error
    if len(data) <= _CHECK:
        raise DamagedCode("Most of this deck code is missing. Copy it again.")
    return data


def _checksum(game: str, data: bytes | bytearray) -> bytes:
    return hashlib.sha256(f"{game}:".encode() + data).digest()[:_CHECK]


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])


def _word(word: str) -> bytes:
    return _varint(len(word)) + word.encode("ascii")


def _steps(cards: list[int], counts: list[int] | None = None) -> bytes:
    data, before = _varint(len(cards)), 0
    for place, card in enumerate(cards):
        data += _varint(card - before)
        before = card
        if counts is not None:
            data += _varint(counts[place])
    return data


class _Reader:
    """Bytes, read one number after the other; what cannot be right raises ``DamagedCode``."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def at_end(self) -> bool:
        return self._at == len(self._data)

    def number(self, most: int) -> int:
        value = shift = 0
        while True:
            if self.at_end or shift > 28:
                raise DamagedCode("This deck code ends too early.")
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if value > most:
            raise DamagedCode("This deck code contains an invalid number.")
        return value

    def word(self) -> str:
        length = self.number(_MAX_WORD_LENGTH)
        word = self._data[self._at : self._at + length]
        self._at += length
        if len(word) < length or not re.fullmatch(rb"[a-z0-9_-]*", word):
            raise DamagedCode("This deck code contains an invalid name.")
        return word.decode("ascii")

    def cards(self, times: int) -> Iterator[tuple[int, int]]:
        """Cards that come so many times; 0 if each says itself how many times."""
        card = 0
        for _ in range(self.number(MAX_ENTRIES)):
            card += self.number(0xFFFFFF)
            yield card, times or self.number(MAX_COPIES)
