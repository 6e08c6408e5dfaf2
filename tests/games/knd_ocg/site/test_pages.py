"""The pages that show its cards and tables, without a script."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from matches.templatetags.table import look

GAME = "knd-ocg"

pytestmark = pytest.mark.django_db


def test_a_card_s_page_says_its_text_in_words_and_explains_them(client: Client) -> None:
    html = client.get(reverse("collection:card", args=[GAME, "home-base-tao"])).content.decode()
    assert "Trick: Tao is Safe until your next turn." in html
    assert "<dt>Fleeing cost</dt><dd>1 Pacifist Energy</dd>" in html
    assert "<dt>Safe</dt><dd>Attacks leave it at least 1 HP.</dd>" in html
    plain = client.get(reverse("collection:card", args=[GAME, "leader-energy"])).content.decode()
    assert "Words on this card" not in plain


def test_at_the_table_a_card_brings_its_words_along() -> None:
    shown = look({"slug": "nap-time-nora"}, GAME)
    assert "Grounded and Shushed until your next turn" in shown
    assert '["Shushed","Its Special Effect does not work."]' in shown
    assert "glossary" not in look({"slug": "spy-energy"}, GAME)


def test_a_new_table_begins_without_a_quiet_limit(client: Client) -> None:
    """What the game proposes can be sent as it stands: the word is ticked, nothing is typed."""
    form = client.get(f"{reverse('matches:new')}?game={GAME}&mode=duel").content.decode()
    (box,) = re.findall(r'<input[^>]*name="word_quiet_limit"[^>]*>', form)
    (number,) = re.findall(r'<input[^>]*name="option_quiet_limit"[^>]*>', form)
    assert " checked" in box and "value=" not in number.replace('value=""', "")
