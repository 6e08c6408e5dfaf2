"""Notes of a deck: what Markdown makes of them, and what nobody can smuggle into them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from accounts.models import User
from decks.models import Deck
from decks.notes import _TAGS, draw, plain
from decks.services import decks as services
from tests.games.examples import CLAW, GAME

HTMX = {"HX-Request": "true"}
PIECES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
    "![x](https://example.org/x.png)", "<a href='javascript:x'>", "[[Red Claw]]", "[[", "]]",
    "[x](data:text/html,x)", "https://example.org/?a=1&b=\"2\"", "&lt;b&gt;", "`<b>`", "\n\n", "> ",
    "* ", "# ", "| a |\n|---|\n", "| a |\n|--:|\n", "[x]: vbscript:x\n\n[x]", "<svg/onload=x>",
    "\x00", "**", "![[Red Claw]]",
)  # fmt: skip


def test_markdown_and_links() -> None:
    drawn = draw(
        "# Plan\nOpen with [[Red Claw]] and [[red claw]], **never** [[Rde Clwa]].\nThen win.\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nSee https://example.org/x and [there](http://a.org).",
        GAME,
    )
    card, glance = (reverse(f"collection:{name}", args=(GAME, CLAW)) for name in ("card", "glance"))
    link = f'<a href="{card}" data-glance="{glance}" rel="nofollow ugc noopener">'
    assert f"{link}Red Claw</a> and {link}red claw</a>" in drawn.html
    assert "<h3>Plan</h3>" in drawn.html and "<strong>never</strong>" in drawn.html
    steps = draw("### a\n# b\n###### c\n### d", GAME).html
    assert re.findall(r"<(h\d)", steps) == ["h3", "h3", "h4", "h4"], "no step is left out"
    assert "[[Rde Clwa]]" in drawn.html and drawn.unknown == ("Rde Clwa",)
    assert "<br>\nThen win." in drawn.html, "a line that was typed is a line"
    assert "<th>a</th>" in drawn.html
    columns = draw("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |", GAME).html
    for cell in ("<th>a", '<th class="align-center">b', '<td class="align-end">3'):
        assert f"{cell}</{cell[1:3]}>" in columns and "style" not in columns
    assert drawn.html.count('rel="nofollow ugc noopener"') == 4
    assert plain("# Plan\nOpen with [[Red Claw]], **now**.", 22) == "Plan Open with Red Cl…"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_nothing_but_known_tags_and_addresses_comes_out(notes: str) -> None:
    html = draw(notes, GAME).html
    for end, tag, rest in re.findall(r"<(/?)([a-zA-Z0-9]+)([^>]*)>", html):
        assert tag in _TAGS and (not end or not rest)
        for name, value in re.findall(r'([a-z-]+)="([^"]*)"', rest):
            assert name in {"href", "title", "rel", "data-glance", "start", "class"}
            assert name != "class" or value in {"align-center", "align-end"}
            assert name != "href" or re.match(r"https?://|/cards/|mailto:", value)
            assert name != "data-glance" or value.startswith("/cards/")
    assert not re.search(r"<(?!/?[a-z0-9]+[ >])", html)


@pytest.mark.django_db
def test_a_page_shows_them_and_a_preview_keeps_nothing(
    client: Client, owner: User, make_deck: Callable[..., Deck]
) -> None:
    deck = make_deck(notes="Open with [[Red Claw]].", visibility="public")
    client.force_login(owner)
    page = client.get(deck.get_absolute_url())
    assertContains(page, f'data-glance="/cards/{GAME}/{CLAW}/glance/"')
    about = reverse("decks:about", args=(deck.slug,))
    asked = {"preview": "1", "notes": "# Now\n[[Rde Clwa]]", "visibility": "public", "tags": "x"}
    piece = client.post(about, asked, headers=HTMX)
    assertContains(piece, "<h3>Now</h3>")
    assertContains(piece, "There is no card called “Rde Clwa”")
    assertNotContains(piece, "<html")
    whole = client.post(about, asked)
    assertContains(whole, "<h3>Now</h3>")
    assertContains(whole, "# Now\n[[Rde Clwa]]</textarea>")
    deck.refresh_from_db()
    assert (deck.notes, deck.tags) == ("Open with [[Red Claw]].", "")
    long = {"notes": "x" * (services.NOTES_LENGTH + 1), "visibility": "public"}
    assertContains(client.post(about, long), "these have 4,001", status_code=422)
    assertContains(client.post(about, long | {"preview": "1"}, headers=HTMX), "these have 4,001")
    client.logout()
    assert client.post(about, asked, headers=HTMX).status_code == 403
