"""The pages of the games: what each is, and its rules to read."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client

import rules
from core.introductions import introduction
from matches.models import Match
from matches.queries.manual import manual_of, picture, place_of, settings_of
from rules.engine.numbered_rules import numbered_rules
from tests.games.examples import EXAMPLE, GAME
from tests.matches.conftest import asked, queries_of

GAMES = list(rules.games().values())
MANUALS = [
    (game, mode, manual)
    for game in GAMES
    for mode in game.modes.values()
    if (manual := manual_of(game.slug, mode.slug))
]
WRITTEN = {game.slug: game for game, _, _ in MANUALS}
#: Code, option names, or a rule's ID, which stand in the margin and never in a sentence.
NOT_FOR_PEOPLE = re.compile(r"`|</?code>|:::|\{#|\w_\w|\b[A-Z]{3}-[A-Z]-\d|\b[A-Z]-\d\d\b|\b1 \+ ")


def page_of(address: str, **headers: str) -> str:
    answer = Client().get(address, headers=headers)
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])
def test_each_game_has_a_page_that_leads_everywhere(game: rules.Game) -> None:
    cache.clear()
    address = f"/games/{game.slug}/"
    page_of(address)
    assert queries_of(lambda: page_of(address)) == 0  # the record is kept for a while
    cache.clear()
    assert queries_of(lambda: page_of(address)) <= 2 + len(game.modes)
    page = page_of(address)
    links = {unescape(link) for link in re.findall(r'href="(/[^"#]*)"', page)}
    playable = any(mode.playable for mode in game.modes.values())
    wanted = {f"/games/{game.slug}/rules/", f"/cards/?game={game.slug}"}
    wanted |= {f"/decks/shared/?play={game.slug}"}
    for mode in game.modes.values():
        assert mode.name in page and mode.summary in unescape(page)
        wanted.add(f"/games/{game.slug}/rules/?mode={mode.slug}")
        if mode.playable:
            wanted.add(f"/play/?game={game.slug}&mode={mode.slug}")
            if mode.seats[-1] > 1 and mode.rated:
                wanted.add(f"/ratings/{game.slug}/{mode.slug}/")
    if playable:
        wanted.add(f"/games/{game.slug}/records/")
    if game.lesson:
        wanted.add(f"/games/{game.slug}/learn/")
    assert (f"/games/{game.slug}/learn/" in links) == bool(game.lesson)
    assert wanted <= links
    assert ("Not playable here yet" in page) == (not playable)
    assert page.count('class="rules-picture') == len(introduction(game).pictures)
    assert not [link for link in wanted if Client().get(link).status_code != 200]


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])
def test_each_mode_has_a_page_of_rules(game: rules.Game) -> None:
    for mode in game.modes:
        address = f"/games/{game.slug}/rules/?mode={mode}"
        assert queries_of(lambda address=address: page_of(address)) == 0
    assert Client().get(f"/games/{game.slug}/rules/?mode=nothing").status_code == 404
    assert Client().get("/games/nothing/rules/").status_code == 404
    assert Client().get("/games/nothing/").status_code == 404


@pytest.mark.parametrize("game", WRITTEN.values(), ids=list(WRITTEN))
def test_each_numbered_rule_stands_in_a_margin(game: rules.Game) -> None:
    """Or is said to be of no interest to players, with the reason."""
    numbered = set(numbered_rules(game.package))
    manuals = [manual for value, _, manual in MANUALS if value is game]
    union = frozenset[str]().union(*(manual.rules for manual in manuals))
    untold = manuals[0].untold
    assert numbered <= union | untold, sorted(numbered - union - untold)
    assert not union & untold, sorted(union & untold)
    if any(mode.playable for mode in game.modes.values()):
        assert union | untold <= numbered, sorted((union | untold) - numbered)


@pytest.mark.parametrize("game", WRITTEN.values(), ids=list(WRITTEN))
def test_each_question_opens_the_rules_somewhere(game: rules.Game) -> None:
    explained = {kind for value, _, manual in MANUALS if value is game for kind in manual.asked}
    assert explained >= set(game.rulebook.prompts)
    settings = settings_of(game.slug)
    assert settings is not None
    playable = any(mode.playable for mode in game.modes.values())
    declared = set(settings.get("asked", {}))
    assert not playable or declared == set(game.rulebook.prompts)


@pytest.mark.parametrize(
    ("game", "mode", "manual"), MANUALS, ids=[f"{g.slug}/{m.slug}" for g, m, _ in MANUALS]
)
def test_the_rules_are_written_for_people(game, mode, manual) -> None:  # type: ignore[no-untyped-def]
    anchors = [chapter.anchor for chapter in manual.chapters]
    for chapter in manual.chapters:
        assert chapter.sections, chapter.title
        for part in chapter.sections:
            anchors += [part.anchor] if part.title else []
            seen = unescape(re.sub(r'<span class="rule-ids">.*?</span>|<[^>]*>', "", part.html))
            assert seen.strip(), (chapter.title, part.title)
            words = part.title + " " + seen
            assert not NOT_FOR_PEOPLE.search(words), NOT_FOR_PEOPLE.search(words)
    assert len(anchors) == len(set(anchors))
    page = "".join(part.html for chapter in manual.chapters for part in chapter.sections)
    ids = re.findall(r' id="([^"]+)"', page)
    assert sorted(ids) == sorted(manual.rules)  # each once, where it comes first


def test_only_the_mode_at_hand_is_told() -> None:
    first, second = list(EXAMPLE.modes)[:2]
    result, other = manual_of(GAME, first), manual_of(GAME, second)
    assert result and other
    assert result.rules - other.rules and other.rules - result.rules
    settings = settings_of(GAME) or {}
    for family, modes in settings["only"].items():
        for mode in EXAMPLE.modes:
            manual = manual_of(GAME, mode)
            assert manual
            assert mode in modes or not any(rule.startswith(family) for rule in manual.rules)


def test_a_picture_shows_what_there_is() -> None:
    card = next(iter(EXAMPLE.catalog))
    drawn = picture(EXAMPLE, [card, "3"], "A <card> & a die.")
    assert "A &lt;card&gt; &amp; a die." in drawn and 'aria-label="3"' in drawn
    with pytest.raises(ValueError, match="not a card"):
        picture(EXAMPLE, ["7"], "No die has a seven.")


@pytest.mark.django_db
def test_a_search_works_without_a_script() -> None:
    address = f"/games/{GAME}/rules/"
    mode, *others = EXAMPLE.modes
    manual = manual_of(GAME, mode)
    assert manual
    everything = page_of(f"{address}?mode={mode}").count("data-rules-section>")
    title = manual.chapters[3].sections[1].title
    page_of_result = page_of(f"{address}?mode={mode}&q={title.upper()}")
    assert 0 < page_of_result.count("data-rules-section>") < everything
    assert title in page_of_result and "Show all" in page_of_result
    rule = next(iter(manual.rules))
    assert f'id="{rule}"' in page_of(f"{address}?mode={mode}&q={rule}")
    nothing = page_of(f"{address}?mode={mode}&q=<b>zebra</b>")
    assert "No results for “&lt;b&gt;zebra&lt;/b&gt;”" in nothing
    only_there = next(
        rule
        for other in others
        if (theirs := manual_of(GAME, other))
        for rule in sorted(theirs.rules - manual.rules)
    )
    elsewhere = page_of(f"{address}?mode={mode}&q={only_there}")
    assert re.search(rf'href="\?mode=[a-z]+&amp;q={only_there}"', elsewhere)


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])
def test_each_numbered_rule_has_an_address(game: rules.Game) -> None:
    """What judges a deck says its rule's number, which leads there."""
    client = Client()
    for rule in numbered_rules(game.package):
        page, _, anchor = client.get(f"/rules/{rule}/").headers["Location"].partition("#")
        assert anchor == rule and page.startswith(f"/games/{game.slug}/rules/")
        if "-D-" in rule:
            assert f'id="{rule}"' in page_of(page)
    assert client.get("/rules/XYZ-A-01/").status_code == 404


@pytest.mark.django_db
def test_the_table_leads_to_the_rules_of_what_is_asked(match: Match) -> None:
    user, prompt = asked(match)
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    at = place_of(GAME, match.mode, prompt.kind)
    assert at
    link = f'href="/games/{GAME}/rules/?mode={match.mode}#{at}"'
    page = client.get(match.get_absolute_url()).content.decode()
    assert page.count(link) == 2 and f'data-rules-at="{at}"' in page
    assert "data-refusal-rule" not in page
    data = {"prompt": prompt.id, "ply": 0, "move": "no such move"}
    refused = client.post(match.get_absolute_url() + "play/", data)
    page = refused.content.decode()
    assert refused.status_code in (400, 422)
    rule = re.search(r'data-refusal-rule>\s*<a href="([^"]+)"', page)
    assert rule and Client().get(rule[1].replace("&amp;", "&"), follow=True).status_code == 200
