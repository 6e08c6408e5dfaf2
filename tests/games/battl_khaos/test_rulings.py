"""Which rules of the rulebook name a card."""

from __future__ import annotations

from tests.collection.test_rulings import named


def test_a_name_within_a_longer_one_is_the_longer_ones() -> None:
    # BKH-R-04 speaks of Double Drums; Drums are a token as well.
    assert named("battl-khaos") == {"Double Drums": ["BKH-R-04"], "Double Archers": ["BKH-R-04"]}
