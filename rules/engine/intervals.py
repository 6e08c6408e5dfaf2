"""95 % intervals: of a share of wins, and of a mean of few values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Z: Final = 1.959964
"""Standard normal quantile of 95 % intervals."""

_STUDENT: Final = (12.7062, 4.3027, 3.1824, 2.7764)
"""Student's quantiles for 1 to 4 degrees of freedom."""


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson's score)."""
    if matches == 0:
        return 0.0, 1.0
    share, spread = wins / matches, Z * Z / matches
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * (share * (1 - share) / matches + spread / (4 * matches)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_and_margin(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval (Student's; of equal values Wilson's)."""
    number = len(values)
    mean = sum(values) / number
    if min(values) == max(values):
        share = min(1.0, abs(mean))
        low, high = wilson(share * number, number)
        return mean, max(share - low, high - share)
    freedom = number - 1
    variance = sum((value - mean) ** 2 for value in values) / freedom
    return mean, student_quantile(freedom) * (variance / number) ** 0.5


def student_quantile(freedom: int) -> float:
    """Student's two-sided 95 % quantile: few values tell less of their own spread than many.

    By the expansion about the normal quantile beyond 4 degrees of freedom (error below 0.4 %).
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    square = Z * Z
    first = (square + 1) * Z / 4
    second = (5 * square**2 + 16 * square + 3) * Z / 96
    third = (3 * square**3 + 19 * square**2 + 17 * square - 15) * Z / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3
