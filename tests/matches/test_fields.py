"""How a match's JSON is stored."""

from __future__ import annotations

import json
import zlib

from django.db import connection

from matches.models import Match
from matches.models.fields import PRESET
from rules.engine.chance import named_seed
from rules.testing.playouts import playable_modes, playout, random_setup


def test_the_preset_dictionary_never_changes() -> None:
    """What was stored with it could not be read with another one."""
    assert zlib.adler32(PRESET) == 381603552


def test_states_of_all_games_are_stored_in_half_the_bytes_of_plain_compression() -> None:
    field = Match._meta.get_field("state")
    plain = stored = 0
    for game, mode in playable_modes():
        for ply, (match, _, _) in enumerate(playout(random_setup(game, mode, named_seed("size")))):
            if ply % 40 == 0:
                state = match.dump()
                data = field.get_db_prep_value(state, connection)
                assert field.from_db_value(data, None, connection) == json.loads(json.dumps(state))
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                plain += len(zlib.compress(text.encode()))
                stored += len(bytes(data))
    assert stored < 0.6 * plain
