"""The pages that show its cards and tables, without a script."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches import engine
from matches.templatetags.table import look
from tests.browser.felt import laid_match
from tests.games.knd_ocg.site.layouts import attacking, full
from tests.matches.test_pages import buttons, logged_in

GAME = "knd-ocg"

pytestmark = pytest.mark.django_db


def test_a_card_s_page_says_its_text_in_words_and_explains_them(client: Client) -> None:
    html = client.get(reverse("collection:card", args=[GAME, "home-base-tao"])).content.decode()
    assert "Trick: Tao is Safe until your next turn." in html
    assert "<dt>Fleeing cost</dt><dd>1 Pacifist Energy</dd>" in html
    assert "<dt>Safe</dt><dd>Attacks leave it at least 1 HP.</dd>" in html
    plain = client.get(reverse("collection:card", args=[GAME, "leader-energy"])).content.decode()
    assert "Keywords" not in plain


def test_at_the_table_a_card_brings_its_words_along() -> None:
    assert "Grounded and Shushed until your next turn" in look({"slug": "nap-time-nora"}, GAME)


def test_a_new_table_begins_without_a_quiet_limit(client: Client) -> None:
    """The proposed values can be sent as they stand: the word is ticked, nothing is typed."""
    form = client.get(f"{reverse('matches:new')}?game={GAME}&mode=duel").content.decode()
    (box,) = re.findall(r'<input[^>]*name="word_quiet_limit"[^>]*>', form)
    (number,) = re.findall(r'<input[^>]*name="option_quiet_limit"[^>]*>', form)
    assert " checked" in box and "value=" not in number.replace('value=""', "")


def test_every_option_of_a_turn_is_on_the_page_without_a_script(ann: User) -> None:
    """Attacks, effects and ending as buttons, cards as buttons or in the list below them."""
    match = laid_match(attacking())
    table = engine.load(match)
    (prompt,) = table.prompts.values()
    page = buttons(logged_in(User.objects.get(username="ann")).get(match.get_absolute_url()))
    assert set(page.moves) == {table.notation(move) for move in prompt.options}


def test_an_attack_that_is_not_ready_says_its_effect_and_what_it_lacks(ann: User) -> None:
    match = laid_match(full())
    browser = logged_in(User.objects.get(username="ann"))
    text = re.sub(r"<[^>]+>|\s+", " ", browser.get(match.get_absolute_url()).content.decode())
    text = re.sub(r" +", " ", text)
    assert "Charge! +15 grounded: no attacks" in text
    assert "Basic Attack 25 − 25 = 0 grounded: no attacks" in text
    assert "Grounded until Bob’s next turn" in text
    assert "−15 DP until your next turn" in text
    assert "5 Energy" not in text and "1 Energy to play" in text


@pytest.mark.rules("KND-R-50")
def test_both_may_agree_on_a_draw(ann: User, stranger: User) -> None:
    """It is offered at the table, shown to the other alone, and ends the match for all."""
    match = laid_match(attacking())
    people = [logged_in(User.objects.get(username=name)) for name in ("ann", "bob")]
    watcher, address = logged_in(stranger), match.get_absolute_url()

    def page(of: Client) -> str:
        return of.get(f"{address}table/").content.decode()

    before = page(watcher)
    assert 'popovertarget="draw"' in people[0].get(address).content.decode()
    assert people[0].post(f"{address}draw/", {"word": "perhaps"}).status_code == 400
    assert people[0].post(f"{address}draw/", {"word": "offer"}).status_code == 302
    assert "You have offered a draw." in page(people[0])
    question = page(people[1])
    assert "Ann offers a draw." in question
    assert 'value="agree"' in question
    assert page(watcher) == before, "who looks on learns nothing of it"
    assert people[1].post(f"{address}draw/", {"word": "agree"}).status_code == 302
    result = watcher.get(f"{address}result/").content.decode()
    assert "A draw" in result
    assert "both players agreed on a draw" in result.lower()
