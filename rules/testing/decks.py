"""Checks of every mode to which decks may be brought."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from rules.engine.chance import Chance, named_seed
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, apply_fix

MOST_CALLS: Final = 240
"""So many functions a check may call: half as many again as the longest needs. A walk through a
catalog alone takes more."""
LISTS: Final = 12
MOST_PRESSES: Final = 400
"""Far more than any deck needs: each press mends something, most of them a whole rule."""
MANY: Final = 1_000_000


def cheap_checks(game: Game, mode: Mode) -> None:
    """A check of a deck keeps what it knows of the cards: it costs few calls."""
    for deck in game.starters_for(mode):
        game.check_deck(mode.slug, deck.cards)  # the first check may make tables for others
        calls = _calls(lambda cards=deck.cards: game.check_deck(mode.slug, cards))  # type: ignore[misc]
        assert calls < MOST_CALLS, f"checking {deck.slug} takes {calls} calls, {MOST_CALLS} at most"


def _calls(work: Callable[[], object]) -> int:
    """How many functions, Python's or C's, the work calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def fixes(game: Game, mode: Mode) -> None:
    """Whoever presses the buttons of a report one after another comes to a legal deck."""
    if not game.starters_for(mode):
        return
    for number in range(LISTS):
        chance = Chance(named_seed(f"fixes {number}"))
        deck = _any_list(game, mode, chance)
        labels: list[str] = []
        while not (report := game.check_deck(mode.slug, deck)).legal:
            buttons = [problem.fix for problem in report.errors if problem.fix is not None]
            says = [problem.message for problem in report.errors]
            assert buttons, f"no button for {says}"
            assert len(labels) < MOST_PRESSES, f"to and fro at {says}: {labels[-8:]}"
            fix = buttons[chance.pick(len(buttons))]
            labels.append(fix.label)
            deck = apply_fix(deck, fix)


def _any_list(game: Game, mode: Mode, chance: Chance) -> Decklist:
    """A list as people may type it: a little, a lot, nonsense, on top of a ready-made deck."""
    ready = [deck.cards for deck in game.starters_for(mode)]
    slugs = [*game.catalog, "nothing"]
    deck: dict[str, dict[str, int]] = {}
    for section in mode.sections:
        cards = dict(ready[chance.pick(len(ready))].get(section, {})) if chance.pick(2) else {}
        for _ in range(chance.pick(30)):
            slug = slugs[chance.pick(len(slugs))]
            cards[slug] = MANY if not chance.pick(8) else 1 + chance.pick(4)
        deck[section] = cards
    return deck
