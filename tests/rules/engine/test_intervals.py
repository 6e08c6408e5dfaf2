"""95 % intervals, against published tables."""

from __future__ import annotations

import pytest

from rules.engine.intervals import mean_and_margin, student_quantile, wilson


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (350, 500, 0.6584, 0.7385),
    ],
)
def test_wilson_intervals(wins: int, matches: int, low: float, high: float) -> None:
    """Values from the published formula, as tables give them."""
    assert wilson(wins, matches) == (pytest.approx(low, abs=2e-4), pytest.approx(high, abs=2e-4))


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (120, 1.980)],
)
def test_few_values_have_a_wider_interval(freedom: int, quantile: float) -> None:
    """By the tables of Student's distribution."""
    assert student_quantile(freedom) == pytest.approx(quantile, rel=0.004)
    values = [0.0, 1.0] * (freedom // 2 + 1)
    values = values[: freedom + 1]
    mean, margin = mean_and_margin(values)
    spread = sum((value - mean) ** 2 for value in values) / freedom / len(values)
    assert margin == pytest.approx(quantile * spread**0.5, rel=0.004)
