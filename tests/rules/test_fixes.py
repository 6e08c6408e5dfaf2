"""Whoever presses the fixes of a report one after another comes to a legal deck, where one exists.

The same for every mode of every game that has decks: whatever is in the list, in whatever order the
buttons are pressed, under any format and with any collection that a legal deck is known for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rules
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Fix, Report, apply_fix
from tests.games.examples import BOX_GAME, OTHER_GAME

MANY = 1_000_000
MOST_PRESSES = 400
"""Far more than any deck needs: each press mends something, most of them a whole rule."""

HOPELESS = "no deck can be legal."

MODES = [
    (game, mode) for game in rules.games().values() for mode in game.modes.values() if mode.sections
]
every_mode = pytest.mark.parametrize(
    ("game", "mode"),
    [
        pytest.param(game, mode, id=f"{game.slug}-{mode.slug}")
        for game, mode in MODES
        if any(mode.slug in deck.modes for deck in game.starter_decks.values())
    ],
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms by which a deck is judged; ``owned`` where somebody asks for own cards."""

    format: Mapping[str, Any] = field(default_factory=dict)
    owned: Mapping[str, int] | None = None

    def judge(self, game: Game, mode: Mode, deck: Decklist) -> Report:
        about = {} if self.owned is None else {"owned": self.owned}
        return game.check_deck(mode.slug, deck, self.format or None, **about)


def few_of(cards: list[str], counts: st.SearchStrategy[int]) -> st.SearchStrategy[dict[str, int]]:
    return st.dictionaries(st.sampled_from(cards), counts, max_size=30)


@st.composite
def lists(draw: st.DrawFn, game: Game, mode: Mode) -> Decklist:
    """Anything that somebody may have typed: a little, a lot, nonsense, or a ready-made deck."""
    counts = st.integers(1, 4) | st.just(MANY)
    anything = few_of([*game.catalog, "nothing"], counts)
    deck = draw(st.dictionaries(st.sampled_from(mode.sections), anything))
    if draw(st.booleans()):
        ready = draw(st.sampled_from(sorted(game.starter_decks)))
        for section, cards in game.starter_decks[ready].cards.items():
            if section in mode.sections:
                deck[section] = {**cards, **deck.get(section, {})}
    return deck


@st.composite
def terms(draw: st.DrawFn, game: Game, mode: Mode) -> Terms:
    """A format, house rules or a collection, such that a ready-made deck is legal.

    House rules may ban whatever is not in that one deck.
    """
    ready = [deck for deck in game.starter_decks.values() if mode.slug in deck.modes]
    known = draw(st.sampled_from(ready)).cards
    held = Counter[str]()
    for cards in known.values():
        held.update(cards)
    options = [
        option.slug
        for option in game.format_options
        if option.kind in ("switch", "subset") and mode.slug in (option.modes or (mode.slug,))
    ]
    format: dict[str, Any] = {}
    if options:
        format = dict.fromkeys(draw(st.sets(st.sampled_from(options), max_size=2)), True)
    if "set_size" in {option.slug for option in game.format_options} and draw(st.booleans()):
        format["set_size"] = sum(held.values())
    if "target" in {option.slug for option in game.format_options} and draw(st.booleans()):
        fighters = [slug for slug in held if game.catalog[slug].kind == "warrior"]
        format["target"] = draw(st.integers(1, max(1, sum(held[slug] for slug in fighters))))
    if draw(st.booleans()):
        a_few = few_of(list(game.catalog), st.integers(0, 2))
        restricted = draw(a_few | st.just(dict.fromkeys(game.catalog, 0)))
        format["house"] = {
            "restricted": {card: max(most, held[card]) for card, most in restricted.items()}
        }
    owned: dict[str, int] | None = None
    if draw(st.booleans()):
        owned = dict(held + Counter(draw(few_of(list(game.catalog), st.integers(1, 3)))))
    tried = Terms(format, owned)
    assume(tried.judge(game, mode, known).legal)
    return tried


def offered(report: Report) -> list[Fix]:
    """The buttons of a report."""
    return [problem.fix for problem in report.errors if problem.fix is not None]


often = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def with_fixes(game: Game, mode: Mode, deck: Decklist, terms: Terms, data: st.DataObject) -> Report:
    """The report when there is nothing left to press."""
    order = data.draw(st.randoms(use_true_random=False))
    way = data.draw(st.sampled_from(["first", "last", "any"]))
    labels: list[str] = []
    while not (report := terms.judge(game, mode, deck)).legal and (fixes := offered(report)):
        ids = [problem.rule for problem in report.errors]
        assert len(labels) < MOST_PRESSES, f"to and fro at {ids}: {labels[-8:]}"
        fix = {"first": fixes[0], "last": fixes[-1], "any": order.choice(fixes)}[way]
        labels.append(fix.label)
        deck = apply_fix(deck, fix)
    return report


@pytest.mark.slow
@every_mode
@often
@given(data=st.data())
def test_pressing_fixes_ends_in_a_legal_deck(game: Game, mode: Mode, data: st.DataObject) -> None:
    deck, limits = data.draw(lists(game, mode)), data.draw(terms(game, mode))
    report = with_fixes(game, mode, deck, limits, data)
    assert report.legal, f"no button for {[problem.message for problem in report.errors]}"


@st.composite
def tight_terms(draw: st.DrawFn, game: Game, mode: Mode) -> Terms:
    """A few cards, owned or allowed, that may be enough for a legal deck or not."""
    options = [option.slug for option in game.format_options if not option.values]
    format: dict[str, Any] = dict.fromkeys(draw(st.sets(st.sampled_from(options))), True)
    if "set_size" in {option.slug for option in game.format_options} and draw(st.booleans()):
        format["set_size"] = draw(st.integers(1, 80))
    if "target" in {option.slug for option in game.format_options} and draw(st.booleans()):
        format["target"] = draw(st.integers(1, 75))
    few = draw(few_of(list(game.catalog), st.integers(1, 30)))
    if draw(st.booleans()):
        return Terms(format, few)
    format["house"] = {"restricted": dict.fromkeys(game.catalog, 0) | few}
    return Terms(format)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "mode"),
    [
        pytest.param(game, mode, id=f"{game.slug}-{mode.slug}")
        for game, mode in MODES
        if game.slug in (BOX_GAME, OTHER_GAME)
    ],
)
@often
@given(data=st.data())
def test_a_format_that_no_deck_meets_says_so(game: Game, mode: Mode, data: st.DataObject) -> None:
    deck, limits = data.draw(lists(game, mode)), data.draw(tight_terms(game, mode))
    report = with_fixes(game, mode, deck, limits, data)
    if not report.legal:
        messages = [problem.message for problem in report.errors]
        assert any(HOPELESS in message for message in messages), f"stuck at {messages}"
