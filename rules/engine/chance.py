"""The match's only source of randomness: counter-mode SHA-256 over a 32-byte seed.

Block ``i`` of the stream is SHA-256(seed ‖ i as 8 bytes, big-endian). Bytes are used in order. The
state is (seed, position), so a clone is free and anybody can check a draw with a standard library.
``docs/fairness.md`` specifies the whole stream.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, MutableSequence
from typing import Any, Final

from rules.engine.compiled import mypyc_attr

SEED_BYTES: Final = 32
BLOCK_BYTES: Final = 32

LIMITS: Final[tuple[int, ...]] = (256, *(256 - 256 % n for n in range(1, 257)))
"""The largest multiple of n that a byte can stay below, by n."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """A stream of fair choices. ``position`` counts the bytes used so far."""

    __slots__ = ("_block", "_block_number", "position", "seed")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, this one has {len(seed)}.")
        self.seed = seed
        self.position = position
        self._block = b""
        self._block_number = -1

    def clone(self) -> Chance:
        """An independent stream at the same position."""
        twin = Chance(self.seed, self.position)
        twin._block = self._block
        twin._block_number = self._block_number
        return twin

    def byte(self) -> int:
        """The next byte of the stream."""
        position = self.position
        self.position = position + 1
        if position >> 5 != self._block_number:
            self._turn_to(position >> 5)
        return self._block[position & 31]

    def _turn_to(self, number: int) -> None:
        self._block = hashlib.sha256(self.seed + number.to_bytes(8, "big")).digest()
        self._block_number = number

    def pick(self, n: int) -> int:
        """A number from 0 to n-1, each equally likely (n ≥ 1).

        Takes as many bytes (big-endian) as n needs, at least one, and rejects values at or above
        the largest multiple of n. With n = 1 nothing is drawn.
        """
        if n <= 1:
            if n < 1:
                raise ValueError("There is nothing to pick from.")
            return 0
        if n <= 256:
            limit = LIMITS[n]
            position = self.position
            while True:  # as byte(), which would cost a call for each card that is shuffled
                if position >> 5 != self._block_number:
                    self._turn_to(position >> 5)
                value = self._block[position & 31]
                position += 1
                if value < limit:
                    self.position = position
                    return value % n
        size = ((n - 1).bit_length() + 7) >> 3
        span = 1 << (size << 3)
        limit = span - span % n
        while True:
            value = self.byte()
            for _ in range(1, size):
                value = value << 8 | self.byte()
            if value < limit:
                return value % n

    def die(self, faces: int = 6) -> int:
        """One die: 1 to ``faces`` (at most 256), by :meth:`pick`."""
        limit = LIMITS[faces]
        position = self.position
        while True:  # as byte(), without the call
            if position >> 5 != self._block_number:
                self._turn_to(position >> 5)
            value = self._block[position & 31]
            position += 1
            if value < limit:
                self.position = position
                return value % faces + 1

    def shuffle(self, cards: MutableSequence[Any]) -> None:
        """Fisher-Yates from the last place down: place i changes with place pick(i + 1)."""
        last = len(cards) - 1
        while last > 255:
            other = self.pick(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
            last -= 1
        position = self.position
        if position >> 5 != self._block_number:
            self._turn_to(position >> 5)
        block = self._block
        for place in range(last, 0, -1):  # as pick(), without a call for each card
            limit = LIMITS[place + 1]
            while True:
                if not position & 31:
                    self._turn_to(position >> 5)
                    block = self._block
                value = block[position & 31]
                position += 1
                if value < limit:
                    break
            other = value % (place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        self.position = position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chance):
            return NotImplemented
        return self.seed == other.seed and self.position == other.position

    __hash__ = None  # type: ignore[assignment]


def commitment(server_seed: bytes) -> str:
    """SHA-256(server seed), in hex: published when a match or a pack is created."""
    return hashlib.sha256(server_seed).hexdigest()


def mix(server_seed: bytes, client_seeds: Iterable[tuple[int, str]]) -> bytes:
    """The match's seed: HMAC-SHA256, keyed by the server seed, over the players' own seeds.

    ``client_seeds`` are (seat, text) pairs, joined in seat order as ``seat:text`` lines (UTF-8,
    each line ended by a newline). Without client seeds the message is empty.
    """
    lines = "".join(f"{seat}:{text}\n" for seat, text in sorted(client_seeds))
    return hmac.new(server_seed, lines.encode(), hashlib.sha256).digest()


def named_seed(text: str) -> bytes:
    """A seed of 32 bytes for any text."""
    return hashlib.sha256(text.encode()).digest()
