"""Files for Cockatrice against Cockatrice's own schema, where somebody has it at hand.

The schema is under another licence than we are, so it is not among our files: docs/cockatrice.md
says where it is and how this is run. What it demands is tested without it in
``test_lists_forms.py``, in words of our own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import rules
from accounts.models import User
from decks.lists import cockatrice
from decks.queries.lists import exported
from decks.services import decks as services

SCHEMA = os.environ.get("COCKATRICE_SCHEMA", "")
MODES = [
    (game.slug, mode)
    for game in rules.games().values()
    for mode in sorted({mode for deck in game.starter_decks.values() for mode in deck.modes})
]

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        not SCHEMA,
        reason="Needs Cockatrice's schema of decks: set COCKATRICE_SCHEMA to doc/deck.xsd of its "
        "source and install xmllint (see docs/cockatrice.md).",
    ),
]


def judged(*files: Path) -> subprocess.CompletedProcess[str]:
    xmllint = shutil.which("xmllint")
    assert xmllint, "Install libxml2-utils: xmllint holds files against a schema."
    return subprocess.run(
        [xmllint, "--noout", "--nonet", "--schema", SCHEMA, *files],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_every_ready_made_deck_validates(
    catalog: None, owner: User, tmp_path: Path, game: str, mode: str
) -> None:
    files = []
    for starter in rules.game(game).starter_decks.values():
        if mode not in starter.modes:
            continue
        deck = services.deck_from_starter(owner=owner, game=game, starter=starter.slug, mode=mode)
        for notes in ("", "Slow.\n\n<Very> slow & “odd” \x07."):
            deck.notes = notes
            written = exported(deck, cockatrice.FORM, owner, str)
            files.append(tmp_path / f"{len(files)} {written.filename}")
            files[-1].write_text(written.text, encoding="utf-8")
    assert files
    answer = judged(*files)
    assert answer.returncode == 0, answer.stderr


def test_the_schema_finds_what_breaks_it(tmp_path: Path) -> None:
    file = tmp_path / "broken.cod"
    file.write_text('<cockatrice_deck version="1"><comments/><deckname/></cockatrice_deck>')
    assert judged(file).returncode != 0
