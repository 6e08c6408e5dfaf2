"""Lists that nobody wrote by hand: filled up from a pool of cards, or drawn at random.

Pure and the same for every game: the search of a game's deck rules (``Game.fill_up``,
``Game.random_deck``) makes a list, and what it does not know of, like rules that organisers write,
is mended by the fixes of the list's own report, made by a ``Judge``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Report, apply_fix, distance_from_legal

Judge: TypeAlias = Callable[[Decklist], Report]
Cards: TypeAlias = dict[str, dict[str, int]]
Pool: TypeAlias = Mapping[str, int]
"""Card → how many copies of it there are to build from."""
Test: TypeAlias = Callable[[Decklist], bool]

MAX_FIXES = 60
"""So many fixes are made on a list."""


def fill_up(
    game: Game,
    mode: Mode,
    cards: Decklist,
    judge: Judge,
    pool: Pool,
    format: Mapping[str, Any] | None = None,
) -> Cards:
    """The list with cards of a pool put in until it is legal, or as near to it as can be found.

    Nothing is taken out, and no more of a card is put in than the pool has beyond what is there.
    ``format`` is what ``judge`` goes by.
    """
    held, kept = _counted(cards), _copied(cards)

    def fits(deck: Decklist) -> bool:
        return all(
            deck.get(section, {}).get(card, 0) >= count
            for section, counts in kept.items()
            for card, count in counts.items()
        ) and _within(deck, pool, held)

    fitted = game.fill_up(mode.slug, cards, format, pool) or cards
    return mended(fitted, judge, fits)


def random_deck(
    game: Game,
    mode: Mode,
    judge: Judge,
    chance: Chance,
    pool: Pool | None = None,
    format: Mapping[str, Any] | None = None,
) -> Cards | None:
    """Return a random legal list, within the pool if there is one; None if the search fails.

    ``format`` is what ``judge`` goes by.
    """
    for start in _starts(game, mode, chance, pool, format):
        deck = mended(start, judge, lambda deck: pool is None or _within(deck, pool, {}))
        if judge(deck).legal:
            return deck
    return None


def _starts(
    game: Game, mode: Mode, chance: Chance, pool: Pool | None, format: Mapping[str, Any] | None
) -> Iterator[Decklist]:
    """Lists from which a random one may come about, one after the other."""
    if drawn := game.random_deck(mode.slug, chance, format, pool):
        yield drawn
    if pool is not None:
        yield game.fill_up(mode.slug, {}, format, pool) or {}
        return
    if sample := sample_deck(game, mode, chance):
        yield sample
    ready = [deck.cards for deck in game.starters_for(mode)]
    chance.shuffle(ready)
    yield from ready


def sample_deck(game: Game, mode: Mode, chance: Chance) -> Decklist | None:
    """A deck from the game itself, where it knows how to make random ones."""
    if game.sample_decks is None:
        return None
    options = {
        option.slug: value
        for option in mode.options
        for value, whose in option.decks.items()
        if whose == "own"
    }
    decks = game.sample_decks(mode, mode.checked_options(options), mode.seats[0], chance)
    return decks[0] if decks else None


def size_of(cards: Decklist) -> int:
    """Count the cards of a list."""
    return sum(sum(counts.values()) for counts in cards.values())


def mended(
    cards: Decklist,
    judge: Judge,
    fits: Test | None = None,
    *,
    most: int = MAX_FIXES,
    goes_on: Callable[[], bool] | None = None,
) -> Cards:
    """The list after the first fix of its report is made, and that of the next, until none is left;
    the nearest to legal on the way.

    Only such fixes are made as lead to a list that ``fits``, and none is looked for once
    ``goes_on`` is false.
    """
    deck = nearest = _copied(cards)
    shortest: int | None = None
    for _ in range(most + 1):
        report = judge(deck)
        distance = distance_from_legal(report)
        if shortest is None or distance < shortest:
            nearest, shortest = deck, distance
        changed = next(_changed(deck, report, fits, goes_on), None) if distance else None
        if changed is None:
            break
        deck = changed
    return nearest


def _changed(
    deck: Cards, report: Report, fits: Test | None, goes_on: Callable[[], bool] | None
) -> Iterator[Cards]:
    for problem in report.errors:
        if goes_on is not None and not goes_on():
            return
        if problem.fix is not None:
            changed = apply_fix(deck, problem.fix)
            if fits is None or fits(changed):
                yield changed


def _copied(cards: Decklist) -> Cards:
    return {section: dict(counts) for section, counts in cards.items()}


def _counted(cards: Decklist) -> dict[str, int]:
    """All copies of each card, whatever section they are in."""
    copies: dict[str, int] = {}
    for counts in cards.values():
        for card, count in counts.items():
            copies[card] = copies.get(card, 0) + count
    return copies


def _within(cards: Decklist, pool: Pool, held: Mapping[str, int]) -> bool:
    """True if the list has no more of a card than the pool, or than was held before."""
    return all(
        count <= max(pool.get(card, 0), held.get(card, 0))
        for card, count in _counted(cards).items()
    )
