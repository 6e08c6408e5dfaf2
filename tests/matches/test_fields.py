"""How a match's JSON is stored."""

from __future__ import annotations

import json
import zlib

from matches.models.fields import PRESET, packed, unpacked
from rules.engine.chance import named_seed
from rules.testing.playouts import playable_modes, playout, random_setup


def test_the_preset_dictionary_never_changes() -> None:
    """Rows that were stored with it could not be read with another file."""
    assert zlib.adler32(PRESET) == 381603552


def test_states_of_all_games_are_stored_in_half_the_bytes_of_plain_compression() -> None:
    plain = stored = 0
    for game, mode in playable_modes():
        for ply, (match, _, _) in enumerate(playout(random_setup(game, mode, named_seed("size")))):
            if ply % 40 == 0:
                state = match.dump()
                data = packed(state)
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                assert unpacked(data) == json.loads(text)
                plain += len(zlib.compress(text.encode()))
                stored += len(data)
    assert stored < 0.6 * plain
