"""Ways to a first hand on the page: the bot's choice, one's own of last time; without a script."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import User
from games.battle_krabz.first_hand import suggestion
from games.battle_krabz.site.last_hand import last_hand
from matches import engine
from matches.models import Match, MoveRow
from matches.services.play import play_moves
from tests.games.battle_krabz.site.test_pages import form_of, seated
from tests.games.battle_krabz.site.test_several_answers import offered
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db

SUGGESTED, LAST = 'value="suggested"', 'value="last"'


def take(match: Match, seat: int, user: User, picks: list[str]) -> None:
    play_moves(slug=match.slug, user=user, prompt_id=1, moves=picks)


def plain(picks: list[str]) -> list[str]:
    return sorted(text.partition("~")[0] for text in picks)


def test_the_suggested_hand_is_ticked_with_its_reason_and_nothing_is_played(
    ann: User, bob: User
) -> None:
    match = seated("battle", [ann, bob], target=5)
    client, path = logged_in(ann), match.get_absolute_url()
    before = match.state
    page = client.get(path)
    table = engine.load(match)
    suggested = suggestion(table.view(0))
    assert not form_of(page).ticked
    assert suggested.reason in page.content.decode() and SUGGESTED in page.content.decode()
    assert LAST not in page.content.decode(), "there was no last time"
    form = form_of(client.get(path, {"hand": "suggested"}))
    options = {move.card: table.notation(move) for move in table.prompts[0].options}
    assert sorted(form.ticked) == sorted(options[card] for card in suggested.cards)
    assert not form_of(client.get(path, {"hand": "last"})).ticked
    match.refresh_from_db()
    assert match.state == before and not MoveRow.objects.exists()
    play = reverse("matches:play", args=(match.slug,))
    assert client.post(play, form.sent | {"move": form.ticked}).status_code == 302
    assert SUGGESTED not in client.get(path).content.decode()


def test_last_times_hand_is_ones_own_with_the_same_deck(
    ann: User, bob: User, stranger: User
) -> None:
    first = seated("battle", [ann, bob], target=5)
    picks = offered(first, 0)[3:9] + offered(first, 0)[-1:]
    theirs = offered(first, 1)[:7]
    take(first, 0, ann, picks)
    second = seated("battle", [ann, bob], target=8)
    path = second.get_absolute_url()
    assert last_hand(second, 0) == [], "the first one has not begun"
    take(first, 1, bob, theirs)
    page = logged_in(ann).get(path, {"hand": "last"})
    assert LAST in page.content.decode()
    assert plain(form_of(page).ticked) == plain(picks)
    assert plain(form_of(logged_in(bob).get(path, {"hand": "last"})).ticked) == plain(theirs)
    assert last_hand(seated("battle", [stranger, ann], target=5), 0) == [], "somebody else's"
    third = seated("battle", [ann, bob], target=5)
    own = third.seats.get(number=0)
    own.deck = {section: dict(reversed(cards.items())) for section, cards in own.deck.items()}
    own.save(update_fields=["deck"])
    assert last_hand(third, 0) == last_hand(second, 0) != [], "in whatever order it was brought"
    turned = seated("battle", [bob, ann], target=5)
    assert last_hand(turned, 1) == [], "another deck"
