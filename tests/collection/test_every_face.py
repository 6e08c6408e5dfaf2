"""What holds for the face of every game that has drawn one of its own."""

from __future__ import annotations

from itertools import product

import pytest

from collection import pictures
from collection.face import PLANS, Face, Size
from collection.faces import face_of
from collection.printed import printed_card
from games.battl_khaos.face import BattlKhaosFace
from games.battle_krabz.face import BattleKrabzFace
from games.colossal_kaiju_combat.face import ColossalKaijuCombatFace
from games.knd_ocg.face import KndFace
from tests.collection.faces import cards_of, pixels

FACES = {
    "battl-khaos": (BattlKhaosFace, 101),
    "battle-krabz": (BattleKrabzFace, 246),
    "colossal-kaiju-combat": (ColossalKaijuCombatFace, 134),
    "knd-ocg": (KndFace, 80),
}
SAMPLES = {
    "battl-khaos": ["bkh-f25o", "bkh-x-circle", "bkh-t3o-b", "bkh-p-archer2"],
    "battle-krabz": ["kite-krab-holo", "fallen-emerald", "solara-gold", "turncoat-tide-silver"],
    "colossal-kaiju-combat": [
        "open-alliance", "maelgrath", "riposte", "harbor-docks", "scavenger-pack", "front-page",
    ],
    "knd-ocg": ["numbuh-1", "quartermaster-quill", "power-of-the-knd", "snow-day", "spy-energy"],
}  # fmt: skip
DRAWN = [(game, slug) for game, slugs in SAMPLES.items() for slug in slugs]


@pytest.mark.parametrize("game", FACES)
def test_the_game_has_a_face_of_its_own(game: str) -> None:
    face: type[Face]
    face, cards = FACES[game]
    assert isinstance(face_of(game), face)
    assert len(cards_of(game)) == cards


@pytest.mark.parametrize("size", PLANS)
@pytest.mark.parametrize(("game", "slug"), DRAWN)
def test_a_face_fills_its_size_and_is_always_the_same(game: str, slug: str, size: Size) -> None:
    card, face = printed_card(game, slug), face_of(game)
    once = face.draw(card, size)
    assert once.size == pictures.SIZES[size]
    assert pixels(once) == pixels(face.draw(card, size))


@pytest.mark.parametrize(("game", "size"), product(FACES, PLANS))
def test_the_back_is_this_game_s(game: str, size: Size) -> None:
    back = face_of(game).back(size)
    assert back.size == pictures.SIZES[size]
    assert pixels(back) != pixels(face_of("kaolan").back(size))
