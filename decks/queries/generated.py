"""Lists that nobody wrote by hand: filled up from a pool of cards, or drawn at random.

Pure and the same for every game: cards are put in and taken out for as long as the game's own
report, made by a ``Judge``, finds less and less wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Report, apply_fix, distance_from_legal

Judge: TypeAlias = Callable[[Decklist], Report]
Cards: TypeAlias = dict[str, dict[str, int]]
Pool: TypeAlias = Mapping[str, int]
"""Card → how many copies of it there are to build from."""

MAX_ATTEMPTS = 800
"""How many lists are tried before the search gives up."""
MAX_STEPS = 400
"""How many changes are tried on a ready-made deck to make it a different one."""
MAX_FIXES = 60
MAX_PAIRS = 1_000
"""How many pairs of cards that balance each other are tried."""
LEAPS = 8
"""How many cards that help only together with others are tried."""


def taking_part(game: Game, mode: Mode) -> list[str]:
    """The cards that a mode is played with."""
    return [slug for slug, card in game.catalog.items() if mode.takes(card)]


def fill_up(
    game: Game,
    mode: Mode,
    cards: Decklist,
    judge: Judge,
    pool: Pool,
    format: Mapping[str, Any] | None = None,
) -> Cards:
    """The list with cards of a pool put in, each only where it brings the list nearer to legal.

    A legal list goes on to the size of a ready-made one. Nothing is taken out, and no more of a
    card is put in than the pool has beyond what is there. ``format`` is what ``judge`` goes by.
    """
    fitted = game.fill_up(mode.slug, cards, format, pool)
    if fitted is not None and not _house_rules(format):
        return {section: dict(counts) for section, counts in fitted.items()}
    order = [card for card in taking_part(game, mode) if pool.get(card, 0)]
    # Rules that organisers write are no part of the game's own search, whose list is a start.
    start = fitted if fitted is not None and judge(fitted).legal else cards
    deck = _filled(game, mode, start, judge, order, pool)
    # The seed is fixed, so that equal lists are filled up alike.
    deck = _searched(
        game, mode, deck, judge, Chance(bytes(32)), order, pool, MAX_ATTEMPTS, kept=cards
    )
    return _grown(game, mode, deck, judge, order, pool)


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
    fitted = game.random_deck(mode.slug, chance, format, pool)
    if fitted is not None and judge(fitted).legal:
        return {section: dict(counts) for section, counts in fitted.items()}
    if fitted is not None and _house_rules(format):
        deck = mended({section: dict(counts) for section, counts in fitted.items()}, judge)
        if judge(deck).legal:
            return deck
    if pool is None and (sample := sample_deck(game, mode, chance)) and judge(sample).legal:
        return {section: dict(counts) for section, counts in sample.items()}
    order = [card for card in taking_part(game, mode) if pool is None or pool.get(card, 0)]
    chance.shuffle(order)
    deck = _filled(game, mode, {}, judge, order, pool)
    if pool is None:
        deck = mended(deck, judge)
    deck = _searched(game, mode, deck, judge, chance, order, pool, MAX_ATTEMPTS)
    if not distance_from_legal(judge(deck)):
        return _grown(game, mode, deck, judge, order, pool)
    if pool is None and (ready := _ready_made(game, mode, judge, chance)):
        return _searched(game, mode, ready, judge, chance, order, pool, MAX_STEPS, goes_on=True)
    return None


def _house_rules(format: Mapping[str, Any] | None) -> bool:
    return bool((format or {}).get("house", {}).get("rules"))


def _ready_made(game: Game, mode: Mode, judge: Judge, chance: Chance) -> Cards | None:
    """One of the ready-made decks, if need be with its report's fixes made."""
    decks = [deck.cards for deck in game.starters_for(mode)]
    chance.shuffle(decks)
    for cards in decks:
        deck = mended({section: dict(counts) for section, counts in cards.items()}, judge)
        if not distance_from_legal(judge(deck)):
            return deck
    return None


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


def _filled(
    game: Game,
    mode: Mode,
    cards: Decklist,
    judge: Judge,
    order: Iterable[str],
    pool: Pool | None,
    leaps: int = LEAPS,
) -> Cards:
    """Cards put in, in this order; those first that mend more than one thing.

    Where none helps by itself, some of a kind that the list lacks are tried with all that then
    fits them: what asks for others makes a list worse before it makes it better.
    """
    homes = game.sections_of_kinds(mode)
    deck: Cards = {section: dict(counts) for section, counts in cards.items()}
    now = distance_from_legal(judge(deck))
    order = list(order)
    for least in (2, 1):
        went_on = True
        while now and went_on:
            went_on = False
            for card in order:
                section = homes[game.catalog[card].kind]
                if not now or not _more_of(card, deck, pool):
                    continue
                _put(deck, section, card, 1)
                then = distance_from_legal(judge(deck))
                if now - then >= least:
                    now, went_on = then, True
                else:
                    _put(deck, section, card, -1)
    kinds = {game.catalog[card].kind for counts in deck.values() for card in counts}
    lacking = [card for card in order if now and game.catalog[card].kind not in kinds]
    for card in lacking[:leaps]:
        if now and _more_of(card, deck, pool):
            trial = {section: dict(counts) for section, counts in deck.items()}
            _put(trial, homes[game.catalog[card].kind], card, 1)
            trial = _filled(game, mode, trial, judge, order, pool, leaps=0)
            then = distance_from_legal(judge(trial))
            if then < now:
                deck, now = trial, then
                break
    if now and leaps and pool is not None:
        _paired(game, deck, judge, order, pool, homes, now)
    return deck


def _paired(
    game: Game,
    deck: Cards,
    judge: Judge,
    order: list[str],
    pool: Pool,
    homes: Mapping[str, str],
    now: int,
) -> None:
    """Put in pairs of cards that balance each other."""
    looks = 0
    for first in order:
        paired = True
        while paired and now and looks < MAX_PAIRS and _more_of(first, deck, pool):
            paired = False
            _put(deck, homes[game.catalog[first].kind], first, 1)
            # What changes nothing by itself changes nothing with another card.
            hopeful = now < distance_from_legal(judge(deck)) <= now + 2
            for second in order if hopeful else ():
                if not _more_of(second, deck, pool):
                    continue
                looks += 1
                _put(deck, homes[game.catalog[second].kind], second, 1)
                then = distance_from_legal(judge(deck))
                if then < now:
                    now, paired = then, True
                    break
                _put(deck, homes[game.catalog[second].kind], second, -1)
            if not paired:
                _put(deck, homes[game.catalog[first].kind], first, -1)


def _grown(
    game: Game, mode: Mode, deck: Cards, judge: Judge, order: Iterable[str], pool: Pool | None
) -> Cards:
    """A legal list with more cards in it, legal still, to the size of a ready-made one."""
    homes = game.sections_of_kinds(mode)
    size = min((size_of(ready.cards) for ready in game.starters_for(mode)), default=0)
    if size_of(deck) >= size or distance_from_legal(judge(deck)):
        return deck
    for card in order:
        if size_of(deck) >= size:
            break
        if _more_of(card, deck, pool):
            section = homes[game.catalog[card].kind]
            _put(deck, section, card, 1)
            if distance_from_legal(judge(deck)):
                _put(deck, section, card, -1)
    return deck


def size_of(cards: Decklist) -> int:
    """Count the cards of a list."""
    return sum(sum(counts.values()) for counts in cards.values())


def mended(deck: Cards, judge: Judge) -> Cards:
    """The list with the fixes of its report made, as long as each makes it better."""
    for _ in range(MAX_FIXES):
        report = judge(deck)
        now = distance_from_legal(report)
        fixes = (problem.fix for problem in report.errors if problem.fix is not None)
        better = (
            fixed
            for fix in fixes
            if distance_from_legal(judge(fixed := apply_fix(deck, fix))) < now
        )
        improved = next(better, None)
        if improved is None:
            break
        deck = improved
    return deck


def _searched(
    game: Game,
    mode: Mode,
    deck: Cards,
    judge: Judge,
    chance: Chance,
    order: list[str],
    pool: Pool | None,
    tries: int,
    goes_on: bool = False,
    kept: Decklist | None = None,
) -> Cards:
    """Cards taken out and put in at random, never for the worse, until the list is legal.

    With ``goes_on`` a legal list is changed further; what is ``kept`` stays in.
    """
    stays = kept or {}
    homes = game.sections_of_kinds(mode)
    now = distance_from_legal(judge(deck))
    for _ in range(tries):
        if not (now or goes_on) or not order:
            break
        held = [
            (section, card)
            for section, counts in deck.items()
            for card, count in counts.items()
            if count > stays.get(section, {}).get(card, 0)
        ]
        # One in, one out, one for another, or two in that balance each other.
        way = chance.pick(4)
        changes: list[tuple[str, str, int]] = []
        if way in (1, 2) and held:
            changes.append((*held[chance.pick(len(held))], -1))
        for _ in range((1, 0, 1, 2)[way]):
            card = order[chance.pick(len(order))]
            changes.append((homes[game.catalog[card].kind], card, 1))
        for section, card, by in changes:
            _put(deck, section, card, by)
        enough = pool is None or all(
            not _over(card, deck, pool) for _, card, by in changes if by > 0
        )
        then = distance_from_legal(judge(deck)) if enough else now + 1
        if then <= now:
            now = then
            continue
        for section, card, by in reversed(changes):
            _put(deck, section, card, -by)
    return deck


def _over(card: str, deck: Cards, pool: Pool) -> bool:
    """True if the list has more copies of a card than the pool."""
    return sum(counts.get(card, 0) for counts in deck.values()) > pool.get(card, 0)


def _more_of(card: str, deck: Cards, pool: Pool | None) -> bool:
    """True if the pool has another copy of a card to put in."""
    return pool is None or sum(counts.get(card, 0) for counts in deck.values()) < pool.get(card, 0)


def _put(deck: Cards, section: str, card: str, by: int) -> None:
    counts = deck.setdefault(section, {})
    counts[card] = counts.get(card, 0) + by
    if not counts[card]:
        del counts[card]
