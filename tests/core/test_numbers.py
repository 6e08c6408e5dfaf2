"""Chances as people read them."""

from __future__ import annotations

import pytest

from core.templatetags.numbers import signed_points


@pytest.mark.parametrize(
    ("share", "text"), [(0.23, "+23"), (-0.23, "−23"), (0, "0"), (0.004, "0"), (-0.004, "0")]
)
def test_points_have_a_sign_where_there_are_any(share: float, text: str) -> None:
    assert signed_points(share) == text
