"""Notes of a deck: what Markdown makes of them, and what nobody can smuggle into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from accounts.models import User
from decks.drawing import notes as notes_module
from decks.drawing.notes import _TAGS, MAX_CELLS, draw
from decks.models import Deck
from decks.models.comments import COMMENT_LENGTH
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
    line = draw("# Plan\nOpen with [[Red Claw]],\n**now**. [[Rde Clwa]]", GAME)
    assert line.line == "Plan Open with Red Claw, now. Rde Clwa"
    assert line.beginning(22) == "Plan Open with Red Cl…"


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


MAX_TOKENS, MAX_BYTES = 8_000, 80_000
MARKS = [
    *"|[]()<>*_~`#\\&\"'\n\t -=a", "\n\n", "|a", "-|", "[a](", "[a]: ", "**a", "http://a", "a@b.c",
    "[[Red Claw]]", "> ", "- ", "1. ", "    ", "```\n", "<a@b.c>", "://", "&lt;", "[a][",
]  # fmt: skip


def table(columns: int, length: int) -> str:
    head = "|" * (columns + 1) + "\n" + "|-" * columns + "|\n"
    return (head + "a\n" * length)[:length]


def attacks(length: int) -> list[str]:
    """Texts of this length that stand for as much as possible."""
    tables = [table(columns, length) for columns in (1, 2, 5, 10, 30, 60, 90, 300)]
    addresses = ["[a]: http://" + "b" * (length // 2) + "\n\n" + "[a]" * length]
    addresses.append("[a]: b '" + "&" * (length // 2) + "'\n\n" + "[a]" * length)
    repeated = [mark * length for mark in MARKS]
    nested = ["*a **b " * (length // 14) + "b** a*" * length]
    return [text[:length] for text in (*tables, *addresses, *repeated, *nested)]


def drawn_within_bounds(text: str, short: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[int] = []
    markdown = notes_module._COMMENT if short else notes_module._MARKDOWN
    render = markdown.renderer.render

    def count(tokens: Sequence[Any], options: Any, env: Any) -> str:
        rendered.append(sum(1 + len(token.children or ()) for token in tokens))
        return render(tokens, options, env)

    draw.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(markdown.renderer, "render", count)
        html = draw(text, GAME, short=short).html
    assert sum(rendered) <= MAX_TOKENS and len(html.encode()) <= MAX_BYTES


@pytest.mark.parametrize(
    ("length", "short"), [(services.NOTES_LENGTH, False), (COMMENT_LENGTH, True)]
)
def test_no_text_stands_for_much_more_than_it_is(
    length: int, short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in attacks(length):
        drawn_within_bounds(text, short, monkeypatch)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.sampled_from(MARKS), max_size=3).map("".join),
    st.lists(st.sampled_from(MARKS), min_size=1, max_size=4).map("".join),
    st.booleans(),
)
def test_no_repeated_marks_do_either(
    monkeypatch: pytest.MonkeyPatch, begin: str, repeated: str, short: bool
) -> None:
    length = COMMENT_LENGTH if short else services.NOTES_LENGTH
    drawn_within_bounds((begin + repeated * length)[:length], short, monkeypatch)


def test_what_is_too_much_stands_as_it_was_typed() -> None:
    rows = MAX_CELLS // 3
    text = "a|b|c\n-|-|-\n" + "1|2|<b>3\n" * rows
    drawn = draw(text, GAME)
    assert not drawn.as_typed and drawn.html.count("<tr>") == rows
    assert drawn.html.endswith("1|2|&lt;b&gt;3</p>\n"), "the last row stands below"
    for text in ("**a " * 600 + "<i>", "[a]: http://b" + "c" * 1900 + "\n\n" + "[a]" * 300):
        drawn = draw(text, GAME)
        assert drawn.as_typed and drawn.html.startswith("<p>") and "<i>" not in drawn.html
        assert drawn.line == text.replace("\n\n", " ").strip()
    assert draw("> " * 40 + "a", GAME).html.count("<blockquote>") <= 20


@pytest.mark.django_db
def test_readers_share_what_was_drawn_and_a_new_text_is_drawn_anew(
    client: Client, owner: User, make_deck: Callable[..., Deck], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = notes_module._parse
    monkeypatch.setattr(
        notes_module, "_parse", lambda markdown, text, *rest: (
            parsed.append(text), parse(markdown, text, *rest)
        )[1],
    )  # fmt: skip
    deck = make_deck(notes="Open **first**.", visibility="public")
    for _ in range(3):
        page = client.get(deck.get_absolute_url())
        assertContains(page, "<strong>first</strong>")
        assertContains(page, 'content="Open first."')
    assert parsed == ["Open **first**."]
    services.update_deck(user=owner, slug=deck.slug, notes="Open **last**.")
    assertContains(client.get(deck.get_absolute_url()), "<strong>last</strong>")


@pytest.mark.django_db
def test_a_page_shows_them_and_a_preview_keeps_nothing(
    client: Client, owner: User, make_deck: Callable[..., Deck]
) -> None:
    deck = make_deck(notes="Open with [[Red Claw]].", visibility="public")
    client.force_login(owner)
    page = client.get(deck.get_absolute_url())
    assertContains(page, f'data-glance="/cards/{GAME}/{CLAW}/glance/"')
    about = reverse("decks:about", args=(deck.slug,))
    form = {"preview": "1", "notes": "# Now\n[[Rde Clwa]]", "visibility": "public", "tags": "x"}
    piece = client.post(about, form, headers=HTMX)
    assertContains(piece, "<h3>Now</h3>")
    assertContains(piece, "No single card named “Rde Clwa”")
    assertNotContains(piece, "<html")
    whole = client.post(about, form)
    assertContains(whole, "<h3>Now</h3>")
    assertContains(whole, "# Now\n[[Rde Clwa]]</textarea>")
    deck.refresh_from_db()
    assert (deck.notes, deck.tags) == ("Open with [[Red Claw]].", "")
    much = client.post(about, form | {"notes": "**a " * 600}, headers=HTMX)
    assertContains(much, "too much markup")
    long = {"notes": "x" * (services.NOTES_LENGTH + 1), "visibility": "public"}
    assertContains(client.post(about, long), "yours have 4,001", status_code=422)
    assertContains(client.post(about, long | {"preview": "1"}, headers=HTMX), "yours have 4,001")
    client.logout()
    assert client.post(about, form, headers=HTMX).status_code == 403
