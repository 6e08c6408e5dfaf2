"""The people and tables of ``tests/matches`` serve here too."""

from tests.matches.conftest import (  # noqa: F401
    _same_seeds_every_time,
    ann,
    bob,
    bot_match,
    make_match,
    match,
    stranger,
    together,
)
