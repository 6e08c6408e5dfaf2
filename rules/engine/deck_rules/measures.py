"""What is wrong with a deck: each measure of the vocabulary, and the problems that it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from rules.engine.deck_checks import not_owned
from rules.engine.deck_rules import fixes
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.vocabulary import Counter, Rule
from rules.engine.legality import Fix, Problem, no_card

Measure: TypeAlias = Callable[[Rule, Deck], Iterable[Problem]]


def _say(rule: Rule, deck: Deck, found: int, allowed: int, **values: object) -> str:
    """The rule's sentence with its numbers, as far as a sentence has a use for them."""
    assert rule.says is not None
    gap = found - allowed
    numbers = {"least": allowed, "most": allowed, "missing": -gap, "surplus": gap, "gap": gap}
    return rule.says(**{"deck": deck.name, "found": found, **numbers, **values})


def _problem(
    rule: Rule,
    message: str,
    found: int | None,
    allowed: int | None,
    fix: Fix | None,
    cards: Iterable[str] = (),
) -> Problem:
    return Problem(rule.id, rule.severity, message, tuple(cards), found, allowed, fix)


def _known(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """Each entry is a card of the game."""
    for section, entry, count in deck.foreign:
        message = _say(rule, deck, count, 0, card=entry, section=section)
        yield no_card(rule.id, message, section, entry, count)


def _placed(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """Each card lies in its own section."""
    place = deck.index.place
    for section, slug, count in sorted(deck.misplaced, key=lambda entry: place[entry[1]]):
        home = deck.active.home[slug]
        message = _say(rule, deck, count, 0, card=slug, section=section, home=home)
        label = f"Move {deck.index.many(count, slug)} to {home}"
        yield _problem(
            rule, message, count, 0, Fix(section, {slug: -count}, label, to=home), (slug,)
        )


def _owned(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """No more copies of a card than its owner has."""
    owned = deck.owned
    if owned is None:
        return ()
    lacking = [slug for slug in not_owned(deck.cards, owned) if slug in rule.cards]
    return _too_many(rule, deck, {slug: max(owned.get(slug, 0), 0) for slug in lacking})


def _copies(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """No more copies of each card than that; none of cards that are forbidden."""
    above = [slug for slug in deck.above if slug in rule.cards and deck.cards[slug] > rule.most]
    return _too_many(rule, deck, dict.fromkeys(above, rule.most)) if above else ()


def _too_many(rule: Rule, deck: Deck, limits: Mapping[str, int]) -> Iterator[Problem]:
    for slug in deck.index.ordered(limits):
        count, most = deck.cards[slug], limits[slug]
        fix = fixes.fewer(deck, slug, most, swap=rule.swap)
        message = _say(rule, deck, count, most, card=slug)
        yield _problem(rule, message, count, most, fix, (slug,))


def _required(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """Each of these cards at least once."""
    for slug in deck.index.ordered(rule.cards - deck.cards.keys()):
        fix = fixes.one_more(deck, slug)
        yield _problem(rule, _say(rule, deck, 0, 1, card=slug), 0, 1, fix, (slug,))


def _counted(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """A number of cards, or a sum over them, between its bounds."""
    cards = deck.parts[rule.section]
    for counter in rule.counters.values():
        # Sets are a good deal faster, and most decks are looked at because they are legal.
        if counter.ones is None:
            total = counter.total(cards)
        elif cards.keys() <= counter.ones:
            total = sum(cards.values())
        else:
            total = sum([cards[slug] for slug in counter.ones & cards.keys()])
        if not counter.least <= total <= counter.most:
            return _miscounted(rule, deck)
    return ()


def _miscounted(rule: Rule, deck: Deck) -> Iterator[Problem]:
    totals = {value: counter.total(deck.cards) for value, counter in rule.counters.items()}
    gaps = {value: counter.gap(totals[value]) for value, counter in rule.counters.items()}
    # The value of which there is too much speaks for all, else the one that lacks most.
    worst = max(gaps, key=gaps.__getitem__)
    if gaps[worst] <= 0:
        worst = min(gaps, key=gaps.__getitem__)
    found, gap = totals[worst], gaps[worst]
    values: dict[str, object] = {"of": totals}
    if rule.sums is not None:
        first, second = (sum_.total(deck.cards) for sum_ in rule.sums)
        # Which of the two is more does not matter: they are apart by so many.
        found, gap = abs(found), abs(gap)
        values |= {"first": first, "second": second}
    message = _say(rule, deck, found, found - gap, **values)
    if rule.silent:
        yield _problem(rule, message, found, None, None)
        return
    held = _counted_cards(rule.counters.values(), deck) if rule.names else ()
    yield _problem(rule, message, found, found - gap, fixes.counted(deck, rule), held)


def _counted_cards(counters: Iterable[Counter], deck: Deck) -> list[str]:
    """The cards of the deck that are counted, in the order of the catalog."""
    weights = [counter.weights for counter in counters]
    return deck.index.ordered(
        slug for slug in deck.cards if any(counts[slug] for counts in weights)
    )


def measure_of(rule: Rule) -> Measure:
    """What finds the problems of a rule."""
    return _copies if rule.forbids else _MEASURES[rule.measure]


_MEASURES: Final[Mapping[str, Measure]] = {
    "known": _known,
    "placed": _placed,
    "owned": _owned,
    "copies": _copies,
    "required": _required,
    "cards": _counted,
    "sum": _counted,
    "apart": _counted,
}
