"""How many packs it takes until some cards have all come: expected, and the chance after so many.

Cards that a pack treats alike form a group. How likely it is that so many packs have brought all
wanted cards is computed exactly, by inclusion and exclusion over how many of each group are still
missing. Where slots tie together so many groups that this sum would be too long, each of these
groups is computed by itself, as if what a pack has of one said nothing of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import comb, prod

from rules.engine.packs import Contents, Together, together

MAX_PACKS = 1_000_000
"""More packs than anybody opens: what takes more is not said."""
MAX_TERMS = 400
"""Longer sums are not exact, but taken apart."""
_PRECISION = 20
_TAIL = Decimal("0.000001")
_BLOCKS = 24
"""Packs are gone through one by one up to twice this number, then in blocks that grow with it."""


@dataclass(frozen=True)
class PackGoal:
    """The packs until all of ``wanted`` cards have come; each of them can be in a pack.

    ``sums`` are those of inclusion and exclusion, one for cards that depend on each other: in each
    the factors, and the chances that a pack brings none of the cards left out.
    """

    wanted: int
    sums: tuple[tuple[tuple[int, Decimal], ...], ...]

    def chance(self, packs: int) -> float:
        """The chance that so many packs bring all of the cards."""
        return float(self._chance(packs))

    def _chance(self, packs: int) -> Decimal:
        if not packs:
            return Decimal(not self.wanted)
        complete = Decimal(1)
        for terms in self.sums:
            with _exactly(self.wanted):
                whole = sum((factor * none**packs for factor, none in terms), Decimal(0))
                complete *= min(max(whole, Decimal(0)), Decimal(1))
        return complete

    def packs_for(self, chance: float) -> int:
        """The smallest number of packs that bring all of them with this chance."""
        low, high = 0, 1
        while high < MAX_PACKS and self.chance(high) < chance:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.chance(middle) >= chance else (middle, high)
        return high

    @cached_property
    def half(self) -> int:
        """The packs for a chance of 50 %."""
        return self.packs_for(0.5)

    @cached_property
    def most(self) -> int:
        """The packs for a chance of 90 %."""
        return self.packs_for(0.9)

    @cached_property
    def expected(self) -> float:
        """The expected number of packs: the sum of the chances that n are not yet enough."""
        total, start = 0.0, 0
        while start < MAX_PACKS:
            size = max(1, start // _BLOCKS)
            missing = 1 - self._chance(start)
            if missing < _TAIL:
                break
            last = missing if size == 1 else 1 - self._chance(start + size - 1)
            total += size * float(missing + last) / 2
            start += size
        return total


def _exactly(wanted: int) -> AbstractContextManager[Context]:
    """Digits enough for terms of up to 2 to the power of ``wanted`` that cancel each other out."""
    return localcontext(prec=_PRECISION + wanted // 3)


@lru_cache(maxsize=512)
def _goal(contents: Contents, wanted: tuple[tuple[int, ...], ...]) -> PackGoal:
    sums = []
    for part, numbers in zip(together(contents), wanted, strict=True):
        places = [place for place, number in enumerate(numbers) if number]
        exact = prod(numbers[place] + 1 for place in places) <= MAX_TERMS
        sums += [
            _terms(part, numbers, tied, unique=contents.unique)
            for tied in ([places] if exact else [[place] for place in places])
            if tied
        ]
    return PackGoal(sum(map(sum, wanted)), tuple(sums))


def _terms(
    part: Together, numbers: Sequence[int], places: Sequence[int], *, unique: bool
) -> tuple[tuple[int, Decimal], ...]:
    """The sum for some groups: by how many of each are missing, the factor and the chance of it."""
    sizes = [len(part.groups[place]) for place in places]
    counts: dict[tuple[int, ...], Fraction] = {}
    for state, likely in part.counts.items():
        drawn = tuple(state[place] for place in places)
        counts[drawn] = counts.get(drawn, Fraction(0)) + likely
    terms = []
    for missing in product(*(range(numbers[place] + 1) for place in places)):
        none = Fraction(0)
        for drawn, likely in counts.items():
            for size, left_out, number in zip(sizes, missing, drawn, strict=True):
                likely *= _without(size, left_out, number, unique=unique)
            none += likely
        factor = (-1) ** sum(missing) * prod(
            comb(numbers[place], left_out) for place, left_out in zip(places, missing, strict=True)
        )
        with _exactly(sum(numbers[place] for place in places)):
            terms.append((factor, Decimal(none.numerator) / none.denominator))
    return tuple(terms)


def _without(size: int, left_out: int, drawn: int, *, unique: bool) -> Fraction:
    """The chance that so many cards drawn from a group are none of those left out."""
    if unique:
        return Fraction(comb(size - left_out, drawn), comb(size, drawn))
    return Fraction(size - left_out, size) ** drawn


def pack_goal(contents: Contents, cards: Collection[str]) -> PackGoal | None:
    """The packs until all of these cards that can be in one have come; None where none can."""
    wanted = set(cards)
    if not contents.random:
        return None
    numbers = tuple(
        tuple(len(wanted.intersection(group)) for group in part.groups)
        for part in together(contents)
    )
    return _goal(contents, numbers) if any(map(any, numbers)) else None
