"""Where a game says why a card cannot be chosen, it says so at each question, with its rule."""

from __future__ import annotations

import re

import pytest
from django.test import Client

import rules
from matches.queries.manual import manual_of
from rules.engine.game import Game

SAYING = [game for game in rules.games().values() if game.text.not_now]
CODE = re.compile(r"[A-Z]+-[A-Z]+-\d|`|_")


@pytest.mark.parametrize("game", SAYING, ids=lambda game: game.slug)
def test_every_question_has_a_reason_and_every_reason_a_rule_to_read(game: Game) -> None:
    assert game.rulebook is not None
    assert set(game.text.not_now) == set(game.rulebook.prompts)
    assert set(game.text.not_there) <= {verb for verb, *_ in game.rulebook.labels}
    margins = [manual_of(game.slug, mode) for mode in game.modes]
    names = {rule for manual in margins if manual for rule in manual.rules}
    for item in (*game.text.not_now.values(), *game.text.not_there.values()):
        assert item.rule in names, item
        assert item.sentence.endswith(".") and not CODE.search(item.sentence), item
        assert len(item.sentence) <= 90, item


@pytest.mark.django_db
def test_the_address_of_a_rule_leads_to_where_it_stands(client: Client) -> None:
    rule = next(iter(SAYING[0].text.not_now.values())).rule
    assert client.get(f"/rules/{rule}/").headers["Location"].endswith(f"#{rule}")
