"""How many packs it takes until some cards have all come: expected, and the chance after so many.

Cards that a pack treats alike form a group. How likely it is that so many packs have brought a
first copy of all wanted cards is computed exactly, by inclusion and exclusion over how many of each
group are still missing. Where slots tie together so many groups that this sum would be too long,
each of these groups is computed by itself, as if what a pack has of one said nothing of the others.

Where more copies of a card are wanted, the chance is put together from the exact chances of each
card and of each two cards of a part. It is exact for one card and for two; for a whole set it is
within a percent of what opening packs shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, exp, log, perm, prod

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
    """The packs until all of ``wanted`` copies have come; each of them can be in a pack.

    ``sums`` are those of inclusion and exclusion, one for cards that depend on each other: in each
    the factors, and the chances that a pack brings none of the cards left out. ``several`` are
    cards of which more copies are wanted.
    """

    wanted: int
    sums: tuple[tuple[tuple[int, Decimal], ...], ...]
    several: tuple[SeveralCopies, ...] = ()

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
        for cards in self.several:
            complete *= Decimal(cards.chance(packs))
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
def _goal(contents: Contents, wanted: tuple[tuple[tuple[int, ...], ...], ...]) -> PackGoal:
    """For each part and group: the copies wanted of each card, those alone that are wanted."""
    sums, several = [], []
    for part, copies in zip(together(contents), wanted, strict=True):
        if any(number > 1 for numbers in copies for number in numbers):
            several.append(_several(part, copies, unique=contents.unique))
            continue
        numbers = [len(group) for group in copies]
        places = [place for place, number in enumerate(numbers) if number]
        exact = prod(numbers[place] + 1 for place in places) <= MAX_TERMS
        sums += [
            _terms(part, numbers, tied, unique=contents.unique)
            for tied in ([places] if exact else [[place] for place in places])
            if tied
        ]
    total = sum(number for copies in wanted for numbers in copies for number in numbers)
    return PackGoal(total, tuple(sums), tuple(several))


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


# -- several copies -------------------------------------------------------------------------------

_Series = list[list[float]]
"""The coefficients of a power series in two variables, up to some degree in each."""


@dataclass(frozen=True)
class Lacking:
    """The chance that packs bring fewer copies than wanted: of a card, or of each of two.

    ``chances`` are those of how many copies of them lie in a pack, up to the largest number that is
    not enough. Those of many packs are the coefficients of a power of that series.
    """

    chances: tuple[tuple[float, ...], ...]

    def after(self, packs: int) -> float:
        """The chance after so many packs."""
        power = self._exponential(packs) if self.chances[0][0] else self._multiplied(packs)
        return min(max(sum(map(sum, power)), 0.0), 1.0)

    @cached_property
    def _logarithm(self) -> _Series:
        start, series = self.chances[0][0], self._zeros()
        series[0][0] = log(start)
        for row, column, by_row in self._degrees():
            known = sum(
                (i if by_row else j) * series[i][j] * self.chances[row - i][column - j]
                for i, j in product(range(row + 1), range(column + 1))
                if (i, j) != (row, column)
            )
            degree = row if by_row else column
            series[row][column] = (self.chances[row][column] - known / degree) / start
        return series

    def _exponential(self, packs: int) -> _Series:
        """The power by its logarithm: both follow from their derivatives."""
        series, power = self._logarithm, self._zeros()
        power[0][0] = exp(packs * series[0][0])
        for row, column, by_row in self._degrees() if power[0][0] else ():
            whole = sum(
                (i if by_row else j) * series[i][j] * power[row - i][column - j]
                for i, j in product(range(row + 1), range(column + 1))
            )
            power[row][column] = packs * whole / (row if by_row else column)
        return power

    def _multiplied(self, packs: int) -> _Series:
        """The power by squaring, where no pack has neither card."""
        power, square = self._zeros(), [list(row) for row in self.chances]
        power[0][0] = 1.0
        while packs:
            if packs % 2:
                power = self._times(power, square)
            square, packs = self._times(square, square), packs // 2
        return power

    def _times(self, first: _Series, second: _Series) -> _Series:
        whole = self._zeros()
        for row, column in product(range(len(whole)), range(len(whole[0]))):
            whole[row][column] = sum(
                first[i][j] * second[row - i][column - j]
                for i, j in product(range(row + 1), range(column + 1))
            )
        return whole

    def _zeros(self) -> _Series:
        return [[0.0] * len(row) for row in self.chances]

    def _degrees(self) -> Iterator[tuple[int, int, bool]]:
        """All places but the first, and by which variable its derivative is taken."""
        for row, column in product(range(len(self.chances)), range(len(self.chances[0]))):
            if row or column:
                yield row, column, bool(row)


@dataclass(frozen=True)
class SeveralCopies:
    """Cards of a part of which some number of copies is wanted, by kinds that are alike.

    ``singles`` has how many cards are of each kind, ``pairs`` how many pairs there are of each two
    kinds.
    """

    singles: tuple[tuple[int, Lacking], ...]
    pairs: tuple[tuple[int, int, int, Lacking], ...]

    def chance(self, packs: int) -> float:
        """The chance that so many packs bring all of the copies."""
        below = [lacking.after(packs) for _, lacking in self.singles]
        if max(below) >= 1 - _NOTHING:
            return 0.0
        total = sum(
            number * log(1 - chance)
            for (number, _), chance in zip(self.singles, below, strict=True)
        )
        if total < log(_NOTHING):
            return 0.0
        for number, first, second, lacking in self.pairs:
            if number * below[first] * below[second] < _NEGLIGIBLE:
                continue
            alone = (1 - below[first]) * (1 - below[second])
            both = 1 - below[first] - below[second] + lacking.after(packs)
            if both <= 0:
                return 0.0
            total += number * log(both / alone)
        return min(1.0, exp(total))


_NOTHING = 1e-9
"""Chances below this are none: they would be differences of rounding."""
_NEGLIGIBLE = 1e-6
"""Expected pairs that are both lacking, below which what binds them changes no chance shown."""


def _several(part: Together, copies: Sequence[Sequence[int]], *, unique: bool) -> SeveralCopies:
    kinds = Counter((place, wanted) for place, group in enumerate(copies) for wanted in group)
    listed = sorted(kinds)
    places = sorted({place for place, _ in listed})
    drawn = {pair: _drawn_of_two(part, *pair) for pair in combinations_with_replacement(places, 2)}

    def lacking(kind: tuple[int, int], other: tuple[int, int] | None = None) -> Lacking:
        place, place_of_other = kind[0], (other or kind)[0]
        sizes = len(part.groups[place]), len(part.groups[place_of_other])
        return _lacking(drawn[place, place_of_other], sizes, kind, other, unique=unique)

    singles = tuple((kinds[kind], lacking(kind)) for kind in listed)
    pairs = []
    for first, kind in enumerate(listed):
        for second in range(first, len(listed)):
            other = listed[second]
            number = kinds[kind] * kinds[other] if second > first else comb(kinds[kind], 2)
            if number:
                pairs.append((number, first, second, lacking(kind, other)))
    return SeveralCopies(singles, tuple(pairs))


def _lacking(
    drawn_of_two: Mapping[tuple[int, int], float],
    sizes: tuple[int, int],
    kind: tuple[int, int],
    other: tuple[int, int] | None,
    *,
    unique: bool,
) -> Lacking:
    """Of a card of a kind, or of it and another one; a kind is a group and the copies wanted."""
    (place, rows), (place_of_other, columns) = kind, other or (kind[0], 1)
    chances = [[0.0] * columns for _ in range(rows)]
    for (drawn, drawn_of_other), likely in drawn_of_two.items():
        for row, column in product(range(rows), range(columns)):
            if other is not None and place_of_other == place:
                share = _both_drawn(sizes[0], drawn, row, column, unique=unique)
            else:
                share = _drawn(sizes[0], drawn, row, unique=unique)
            if place_of_other != place:
                share *= _drawn(sizes[1], drawn_of_other, column, unique=unique)
            chances[row][column] += likely * share
    return Lacking(tuple(map(tuple, chances)))


def _drawn_of_two(part: Together, first: int, second: int) -> dict[tuple[int, int], float]:
    """How many cards a pack has of two groups, with the chance of it."""
    chances: dict[tuple[int, int], Fraction] = {}
    for state, likely in part.counts.items():
        drawn = state[first], state[second]
        chances[drawn] = chances.get(drawn, Fraction(0)) + likely
    return {drawn: float(likely) for drawn, likely in chances.items()}


@lru_cache(maxsize=4096)
def _drawn(size: int, drawn: int, copies: int, *, unique: bool) -> float:
    """The chance that so many of the cards drawn from a group are a certain one."""
    if copies > (min(drawn, 1) if unique else drawn):
        return 0.0
    if unique:
        return comb(size - 1, drawn - copies) / comb(size, drawn)
    return comb(drawn, copies) * ((size - 1) / size) ** (drawn - copies) / float(size) ** copies


@lru_cache(maxsize=4096)
def _both_drawn(size: int, drawn: int, copies: int, others: int, *, unique: bool) -> float:
    """The chance of so many copies of a certain card, and of another one of its group."""
    rest = drawn - copies - others
    if rest < 0 or (unique and max(copies, others) > 1):
        return 0.0
    if unique:
        return comb(size - 2, rest) / comb(size, drawn)
    ways = perm(drawn, copies + others) // (perm(copies) * perm(others))
    return ways * ((size - 2) / size) ** rest / float(size) ** (copies + others)


def pack_goal(contents: Contents, cards: Mapping[str, int] | Iterable[str]) -> PackGoal | None:
    """The packs until so many copies of these cards have come; None where no pack has any of them.

    ``cards`` says the copies of each card; without numbers each time that a card is listed counts
    as one. Cards that are in no pack are left out.
    """
    wanted = Counter(cards)
    if not contents.random:
        return None
    copies = tuple(
        tuple(
            tuple(sorted(wanted[card] for card in group if wanted[card])) for group in part.groups
        )
        for part in together(contents)
    )
    return _goal(contents, copies) if any(map(any, copies)) else None
