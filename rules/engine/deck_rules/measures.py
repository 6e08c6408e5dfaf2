"""The measures of the vocabulary, and the problems that each finds in a deck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from rules.engine.deck_checks import Entry, joined, not_owned
from rules.engine.deck_rules import fixes
from rules.engine.deck_rules.active import ActiveRules
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.sentences import number_of
from rules.engine.deck_rules.vocabulary import UNLIMITED, Counter, Rule
from rules.engine.legality import Fix, Problem, SearchedProblem, no_card

MAX_NAMED: Final = 30
"""A sentence names so many copies one by one, more of them with their number."""

Measure: TypeAlias = Callable[[Rule, Deck], Iterable[Problem]]


def _say(rule: Rule, deck: Deck, count: int, allowed: int, **values: object) -> str:
    """The rule's sentence with its numbers, as far as a sentence has a use for them."""
    assert rule.says is not None
    if not rule.says.slots:
        return rule.says()
    active = deck.active
    gap = count - allowed
    numbers = {"least": allowed, "most": allowed, "missing": -gap, "surplus": gap, "gap": gap}
    terms = {
        "deck": deck.name,
        "format": rule.format or active.format_rules.name,
        "heads": active.heads,
        "settings": active.settings,
        "held": deck.cards,
        "more": lambda name: deck.slots[name](deck),
    }
    says = rule.says_none if rule.says_none is not None and allowed == 0 else rule.says
    return says(**{"found": count, **terms, **numbers, **values})


def _problem(
    rule: Rule,
    message: str,
    count: int | None,
    allowed: int | None,
    fix: Fix | Callable[[], Fix | None] | None,
    cards: Iterable[str] = (),
) -> Problem:
    return SearchedProblem(rule.id, rule.severity, message, tuple(cards), count, allowed, fix)


def _known(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """Each entry is a card of the game, and allowed in the format."""
    return _unknown(rule, deck) if deck.foreign or rule.cards else ()


def _unknown(rule: Rule, deck: Deck) -> Iterator[Problem]:
    entries = deck.foreign
    if rule.cards:
        entries = [entry for entry in deck.misplaced if entry[1] in rule.cards] + deck.foreign
        for section, cards in deck.parts.items():
            entries += [
                (section, slug, n) for slug, n in cards.items() if section and slug in rule.cards
            ]
        entries = _by_section(deck, entries)
    for section, entry, count in entries:
        message = _say(rule, deck, count, 0, card=entry, section=section)
        if entry in deck.index:
            label = f"Take out {deck.index.many(count, entry)}"
            yield _problem(rule, message, count, 0, Fix(section, {entry: -count}, label), (entry,))
        else:
            yield no_card(rule.id, message, section, entry, count)


def _by_section(deck: Deck, entries: Iterable[Entry]) -> list[Entry]:
    """By section, then catalog; entries that are no cards come last, as they were typed."""
    sections, place = list(deck.active.vocabulary.sections), deck.index.place
    return sorted(
        entries, key=lambda entry: (sections.index(entry[0]), place.get(entry[1], len(place)))
    )


def _placed(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """Each card lies in its own section."""
    return _misplaced(rule, deck) if deck.misplaced else ()


def _misplaced(rule: Rule, deck: Deck) -> Iterator[Problem]:
    vocabulary, place = deck.active.vocabulary, deck.index.place
    if vocabulary.strays:
        entries = sorted(deck.misplaced, key=lambda entry: place[entry[1]])
    else:
        entries = _by_section(deck, deck.misplaced)
    for section, slug, count in entries:
        home = vocabulary.home[slug]
        message = _say(rule, deck, count, 0, card=slug, section=section, home=home)
        name = vocabulary.words.get("section", {}).get(home, home)
        label = f"Move {deck.index.many(count, slug)} to {name}"
        yield _problem(
            rule, message, count, 0, Fix(section, {slug: -count}, label, to=home), (slug,)
        )


def _owned(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """No more copies of a card than its owner has."""
    owned = deck.owned
    if owned is None:
        return ()
    lacking = [slug for slug in not_owned(deck.cards, owned) if slug in rule.cards]
    limits = {slug: deck.have(slug) for slug in lacking}
    return _too_many(
        rule, deck, {slug: most for slug, most in limits.items() if deck.cards[slug] > most}
    )


def _copies(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """No more copies of each card than that; none of cards that are forbidden."""
    # Advice does not limit cards, so that none is known to be above it.
    held = deck.above if rule.limits_cards else deck.cards
    limits = {slug: rule.limit(slug) for slug in held if slug in rule.cards}
    return _too_many(rule, deck, limits) if limits else ()


def _too_many(rule: Rule, deck: Deck, limits: Mapping[str, int]) -> Iterator[Problem]:
    vocabulary = deck.active.vocabulary
    order = vocabulary.order
    head = "" if rule.head is None else deck.active.heads.get(rule.head.name, "")
    for slug in sorted(limits, key=order.__getitem__):
        count, most = deck.cards[slug], limits[slug]
        if count > most:
            fix = partial(fixes.fewer, deck, slug, most, swap=rule.swap) if rule.fixable else None
            versions = vocabulary.versions.get(slug, ())
            others = [other for other in versions if other not in deck.cards]
            value = rule.worded.get(slug, head)
            message = _say(rule, deck, count, most, card=slug, value=value, versions=others)
            yield _problem(rule, message, count, most, fix, (slug,))


def _versions(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """No more copies than that of all versions of a card together."""
    groups: dict[str, list[str]] = {}
    for slug in deck.index.ordered(deck.cards.keys() & rule.versions.keys()):
        groups.setdefault(rule.versions[slug], []).append(slug)
    order = deck.active.vocabulary.order
    for slugs in sorted(groups.values(), key=lambda slugs: min(map(order.__getitem__, slugs))):
        count = sum([deck.cards[slug] for slug in slugs])
        if count > rule.most:
            value = rule.worded.get(slugs[0], "")
            message = _say(rule, deck, count, rule.most, card=slugs[0], cards=slugs, value=value)
            fix = partial(fixes.fewer_versions, deck, slugs, rule) if rule.fixable else None
            yield _problem(rule, message, count, rule.most, fix, slugs)


def _required(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """Each of these cards at least once."""
    for slug in deck.index.ordered(rule.cards - deck.cards.keys()):
        fix = partial(fixes.one_more, deck, slug) if rule.fixable else None
        message = _say(rule, deck, 0, 1, card=slug, value="")
        yield _problem(rule, message, 0, 1, fix, (slug,))


def _counted(rule: Rule, active: ActiveRules) -> Measure:
    """A number of cards, or a sum over them, between its bounds.

    Most decks are looked at because they are legal: so all that can be is looked up once.
    """
    section = rule.section
    if rule.whole:
        (counter,) = rule.counters.values()
        least, most, sizes = counter.least, counter.most, counter.sizes

        def of_size(rule: Rule, deck: Deck) -> Iterable[Problem]:
            size = deck.sizes.get(section, 0)
            fits = least <= size <= most if not sizes else size in sizes
            return () if fits else _miscounted(rule, deck)

        return of_size
    counters = [
        (counter, counter.least, counter.most, active.kinds_of.get(id(counter)))
        for counter in rule.counters.values()
    ]

    def of_number(rule: Rule, deck: Deck) -> Iterable[Problem]:
        tally = deck.tally
        for counter, least, most, kinds in counters:
            if kinds is None:
                total = counter.total(deck.parts[section])
            else:
                # Most rules count cards as one.
                total = 0
                for kind in kinds:
                    total += tally[kind]
            if not least <= total <= most or (counter.sizes and not counter.fits(total)):
                return _miscounted(rule, deck)
        return ()

    return of_number


def _miscounted(rule: Rule, deck: Deck) -> Iterator[Problem]:
    cards = deck.parts[rule.section]
    counters = {value: fixes.near(deck, counter) for value, counter in rule.counters.items()}
    totals = {value: counter.total(cards) for value, counter in counters.items()}
    gaps = {value: counter.gap(totals[value]) for value, counter in counters.items()}
    # The value of which there is too much speaks for all, else the one that lacks most.
    worst = max(gaps, key=gaps.__getitem__)
    if gaps[worst] <= 0:
        worst = min(gaps, key=gaps.__getitem__)
    count, gap, counter = totals[worst], gaps[worst], counters[worst]
    allowed = count - gap
    values: dict[str, object] = {"of": totals, "bounds": _bounds(counter)}
    if rule.sums is None:
        values |= {
            name: bound
            for name, bound in (("least", counter.least), ("most", counter.most))
            if abs(bound) < UNLIMITED
        }
    else:
        first, second = (sum_.total(cards) for sum_ in rule.sums)
        # Which of the two is more does not matter: they are apart by so many.
        count, allowed = abs(count), abs(count) - abs(gap)
        values |= {"first": first, "second": second}
    # An organiser's rule names cards only where there are too many of them.
    names = rule.names and (gap > 0 or not rule.format)
    held = _counted_cards(rule.counters.values(), deck) if names else []
    message = _say(rule, deck, count, allowed, **_about_cards(rule, deck, held), **values)
    if rule.hopeless is not None and gap < 0 and not fixes.reachable(deck, rule):
        able = fixes.most_able(deck, rule)
        message = f"{message} {rule.hopeless(found=count, able=able, least=allowed)}"
    if rule.silent:
        yield _problem(rule, message, count, None, None)
        return
    if rule.sums is not None and rule.most == 0:
        # Of two numbers that must be equal these are the two that are not.
        count, allowed = first, second
    fix = partial(fixes.counted, deck, rule) if rule.fixable else None
    yield _problem(rule, message, count, allowed, fix, held)


def _about_cards(rule: Rule, deck: Deck, held: list[str]) -> dict[str, object]:
    """The slots of an organiser's sentence about a number: the first card that counts for it."""
    if not rule.format:
        return {}
    first = held[0] if held else min(rule.cards, key=deck.index.place.__getitem__)
    return {"card": first, "value": ""}


def _various(rule: Rule, deck: Deck) -> Iterator[Problem]:
    """So many different values, whatever they are."""
    variety = rule.variety
    assert variety is not None
    cards = deck.parts[rule.section]
    count = variety.total(cards)
    if variety.least <= count <= variety.most:
        return
    allowed = variety.least if count < variety.least else variety.most
    concerned = rule.names and count > variety.most
    held = deck.index.ordered(cards.keys() & variety.values.keys()) if concerned else []
    bounds = {
        name: bound
        for name, bound in (("least", variety.least), ("most", variety.most))
        if abs(bound) < UNLIMITED
    }
    about = {**_about_cards(rule, deck, held), **bounds, "of": variety.sizes(cards)}
    message = _say(rule, deck, count, allowed, **about)
    fix = partial(fixes.varied, deck, rule) if rule.fixable else None
    yield _problem(rule, message, count, allowed, fix, held)


def _bounds(counter: Counter) -> str:
    """``exactly 3``, ``2 or 3``, ``14 to 26``."""
    if counter.least == counter.most:
        return f"exactly {counter.least}"
    word = "or" if counter.most - counter.least == 1 else "to"
    return f"{counter.least} {word} {counter.most}"


def _values(rule: Rule, deck: Deck) -> Iterable[Problem]:
    """All cards of one value."""
    assert rule.head is not None
    # A head has a value where the deck has exactly one.
    head = rule.head
    agreed = deck.active.heads.get(head.name) or head.values.keys().isdisjoint(deck.cards)
    return () if agreed else _too_many_values(rule, deck)


def _too_many_values(rule: Rule, deck: Deck) -> Iterator[Problem]:
    assert rule.head is not None
    groups = fixes.grouped(rule.head, deck)
    smaller = list(groups)[rule.most :]
    others = [slug for value in smaller for slug in groups[value]]
    everything = deck.index.ordered(slug for cards in groups.values() for slug in cards)
    words = deck.active.vocabulary.words.get(rule.head.column, {})
    sizes = {value: sum(cards.values()) for value, cards in groups.items()}
    numbers = {value: number_of(size, words.get(value, value)) for value, size in sizes.items()}
    count, allowed = len(groups), rule.most
    if rule.minority:
        count, allowed = sum(deck.cards[slug] for slug in others), 0
    named = others if rule.names == "others" else everything if rule.names else []
    message = _say(
        rule,
        deck,
        count,
        allowed,
        of=sizes,
        groups=", ".join(numbers.values()),
        cards=named,
        others=joined(
            [f"the {numbers[value]} ({_each(deck, groups[value])})" for value in smaller]
        ),
    )
    fix = partial(fixes.united, deck, rule) if rule.fixable else None
    yield _problem(rule, message, count, allowed, fix, named)


def _each(deck: Deck, cards: Mapping[str, int]) -> str:
    """Every copy of cards by name; of many the names with their numbers."""
    title = deck.index.title
    if sum(cards.values()) > MAX_NAMED:
        return ", ".join(f"{title(slug)} x{count}" for slug, count in cards.items())
    return ", ".join(title(slug) for slug, count in cards.items() for _ in range(count))


def _counted_cards(counters: Iterable[Counter], deck: Deck) -> list[str]:
    """The cards of the deck that are counted, in the order of the catalog."""
    weights = [counter.weights for counter in counters]
    return deck.index.ordered(
        slug for slug in deck.cards if any(counts[slug] for counts in weights)
    )


def measure_of(rule: Rule, active: ActiveRules) -> Measure:
    """The function that finds the problems of a rule, one of those that are active."""
    if rule.versions:
        return _versions
    if rule.variety is not None:
        return _various
    if rule.forbids:
        return _copies
    if rule.measure in ("cards", "sum", "points", "apart"):
        return _counted(rule, active)
    return _MEASURES[rule.measure]


_MEASURES: Final[Mapping[str, Measure]] = {
    "known": _known,
    "placed": _placed,
    "owned": _owned,
    "copies": _copies,
    "follows": _copies,
    "restricted": _copies,
    "values": _values,
    "required": _required,
}
