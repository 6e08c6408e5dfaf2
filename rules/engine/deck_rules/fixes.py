"""Cures: a bounded search for the fewest and most natural changes that mend a problem.

A step puts a copy in, takes copies out, or swaps a copy for another card of the section. What comes
in keeps to the copies, the format and what is owned; what is required stays. A fix that would not
mend its problem is never offered; where what is counted lies in several sections, a fix mends as
much as one of them can.

Whoever presses fixes one after another comes to an end: the cure of a card of which there are too
many lowers the number of such copies, any other raises it never and lowers the sum of all gaps
between what is counted and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count as counter_from
from typing import Final, TypeAlias

from rules.engine.deck_checks import change, changes_to, take_out
from rules.engine.deck_rules.active import ActiveRules, Plan
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.heads import Head
from rules.engine.deck_rules.vocabulary import UNLIMITED, Counter, Rule, Variety
from rules.engine.legality import Fix

MAX_LOOKS: Final = 2_000
"""So many changed lists a search looks at before it gives up."""

MAX_WORK: Final = 30_000
"""So many numbers it adds up: with many rules it looks at fewer lists."""

MAX_BURDEN: Final = 1_000
"""So much as this number of cards weighs a required card that could not be in the deck."""

MAX_GROUPS: Final = 4
"""So many groups are tried as the last one that stays."""

MORE_LOOKS: Final = 300
"""Where a whole section is mended at once, so many more for a way with fewer changes."""

Changes: TypeAlias = dict[str, int]
Counts: TypeAlias = dict[str, int]
Totals: TypeAlias = list[int]
Goal: TypeAlias = Callable[[list[int], int], bool]
Step: TypeAlias = tuple[str, int]
Groups: TypeAlias = list[tuple[Variety, dict[str, int], int]]


def fewer(deck: Deck, slug: str, most: int, *, swap: bool) -> Fix | None:
    """No more of a card than that; with ``swap`` others in its place, as far as there are any."""
    section = deck.active.home[slug]
    out = {slug: most - deck.cards[slug]}
    if swap and section in deck.active.plans:
        if fix := _another_version(deck, section, out):
            return fix
        together = deck.active.plans[section].section.together
        changes = _all_mended(deck, section) if together else _swapped(deck, section, out)
        if changes is not None and (fix := _fix(deck, section, changes)):
            return fix
    return _fix(deck, section, out)


def _another_version(deck: Deck, section: str, out: Changes) -> Fix | None:
    """A card out, another version of it in its place, if there is one that may come in."""
    ((slug, number),) = out.items()
    search = Search(deck, section)
    for other in deck.active.vocabulary.versions.get(slug, ()):
        if other != slug and (room := deck.room(other, out)):
            changes = {**out, other: min(room, -number)}
            if sum(search.gaps_after(changes)) <= sum(search.before):
                return _fix(deck, section, changes)
    return None


def fewer_versions(deck: Deck, slugs: list[str], rule: Rule) -> Fix | None:
    """No more copies of all these cards, alike in a column, than a rule allows: required cards stay
    before others, then those that may be in the deck, then the first of the catalog. With ``swap``
    others come in."""
    left = rule.most
    out: Changes = {}
    required, place = deck.active.required, deck.index.place
    for slug in sorted(slugs, key=lambda s: (s not in required, not deck.limit(s), place[s])):
        kept = min(left, deck.cards[slug])
        left -= kept
        if kept < deck.cards[slug]:
            out[slug] = kept - deck.cards[slug]
    section, out = _largest_part(deck, out)
    if rule.swap and (changes := _swapped(deck, section, out)):
        return _fix(deck, section, changes)
    return _fix(deck, section, out)


def _largest_part(deck: Deck, out: Changes) -> tuple[str, Changes]:
    """The section out of which most of these cards have to go, and those of it."""
    parts: dict[str, Changes] = {}
    for slug, number in out.items():
        parts.setdefault(deck.active.home[slug], {})[slug] = number
    return min(parts.items(), key=lambda part: sum(part[1].values()))


def _swapped(deck: Deck, section: str, out: Changes) -> Changes | None:
    """These cards out and others in their place, if the section has a search and there are any."""
    if section not in deck.active.plans or deck.active.plans[section].section.together:
        return None
    return Search(deck, section, worlds(deck, section)[0]).swapped(out)


def varied(deck: Deck, rule: Rule) -> Fix | None:
    """As many different values as a rule asks for: cards of new ones in, or all cards of the
    smallest groups out and others in their place."""
    variety = rule.variety
    assert variety is not None
    if variety.total(deck.parts[rule.section]) < variety.least:
        for section, plan in deck.active.plans.items():
            if variety in plan.varieties:
                search = Search(deck, section)
                goal = search.mended([len(plan.counters) + plan.varieties.index(variety)])
                if changes := search.run({}, goal):
                    return _fix(deck, section, changes)
        return None
    sizes = variety.sizes(deck.cards)
    needed = {variety.values.get(slug) for slug in deck.active.required}
    largest = sorted(sizes, key=lambda value: (value in needed, sizes[value]), reverse=True)
    always = largest[: variety.most - 1]
    plain: Fix | None = None
    enough = deck.looks_left - MAX_LOOKS
    for last in largest[variety.most - 1 :][:MAX_GROUPS]:
        if deck.looks_left <= enough:
            break
        kept = {*always, last}
        out = {
            slug: -number
            for slug, number in deck.cards.items()
            if variety.values.get(slug, last) not in kept
        }
        section, part = _largest_part(deck, out)
        search = Search(deck, section)
        place = len(search.plan.counters) + search.plan.varieties.index(variety)
        if changes := search.run(part, search.mended([place])):
            return _fix(deck, section, changes)
        plain = plain or _fix(deck, section, part)
    return plain


def one_more(deck: Deck, slug: str) -> Fix | None:
    """A copy of a card that is required, if it may come in: if need be in the place of its other
    versions that are not required, or of all cards that do not go with it."""
    section = deck.active.home[slug]
    if deck.room(slug):
        return _fix(deck, section, {slug: 1})
    if not deck.limit(slug):
        return _beside(deck, section, slug)
    out = {
        other: -number
        for versions, _ in deck.active.versions
        for other, number in deck.cards.items()
        if versions.get(slug) is not None and versions.get(other) == versions[slug]
        if other not in deck.active.required and deck.active.home[other] == section
    }
    return _fix(deck, section, {**out, slug: 1}) if deck.room(slug, out) else None


def _beside(deck: Deck, section: str, slug: str) -> Fix | None:
    """A required card in, and out all that cannot be in a deck with it: cards of other values where
    all must be of one, or the one card of another section."""
    for world in worlds(deck, section):
        if not deck.limit(slug, world):
            continue
        changes = {**_unwanted(deck, section, world), slug: 1}
        settled = Search(deck, section, world).swapped(changes)
        return _fix(deck, section, settled or changes)
    return _other_head(deck, section, slug)


def counted(deck: Deck, rule: Rule) -> Fix | None:
    """Changes in one section after which the rule is kept, the others no worse than before; as far
    as can be, where too much of what it counts lies in others.

    Where all cards must be of one value, those of the next take the place of the first where these
    are too few; where rules hang on the one card of another section, another card there.
    """
    enough = deck.looks_left - MAX_LOOKS
    in_part: list[tuple[Search, list[int]]] = []
    for section, place, world, plan, aims in _ways(deck, rule):
        if deck.looks_left < enough:
            break
        if rule.reach != "deck" and not _attainable(deck, rule, world, plan):
            continue
        if not plan.contradicted.isdisjoint(aims):
            continue
        search = Search(deck, section, world, plan=plan)
        if any(search.surplus_elsewhere(aim) for aim in aims):
            in_part += [(search, aims)] if not place else []
            continue
        if plan.section.together:
            changes = _all_mended(deck, section)
        else:
            out = _unwanted(deck, section, world) if place else {}
            able = search.possible(range(len(search.before)) if place else aims, out)
            changes = search.run(out, search.mended(aims)) if able else None
        if changes:
            fix = _fix(deck, section, changes)
            return _relabelled(fix, world, section) if fix and place else fix
    for search, aims in in_part:
        if changes := _in_part(deck, search, aims):
            return _fix(deck, search.plan.section.slug, changes)
    # No rule of an organiser hangs on the one card of a section.
    return None if rule.format else _other_head(deck, rule.section)


def _ways(deck: Deck, rule: Rule) -> Iterator[tuple[str, int, ActiveRules, Plan, list[int]]]:
    """How what a rule counts can be changed: in each section that has some of it, under the rules
    for each value that its cards can agree on; with the place of these, and those of its counters.
    """
    more = () if rule.severity == "error" else tuple(rule.counters.values())
    for section in deck.active.plans:
        for place, world in enumerate(worlds(deck, section)):
            plan = world.plans[section]
            if more:
                plan = world.plan(plan.section, *more)
            aims = [at for at, each in enumerate(plan.counters) if _counts(rule, world, each)]
            if not aims:
                break
            yield section, place, world, plan, aims


def _in_part(deck: Deck, search: Search, aims: list[int]) -> Changes | None:
    """Changes after which a section has as little as can be of what there is too much of."""
    if search.together:
        changes = _all_mended(deck, search.plan.section.slug)
        return changes if changes and search.is_nearer(changes, aims) else None
    if changes := search.run({}, search.mended(aims)):
        return changes
    return search.closest if search.is_nearer(search.closest, aims) else None


def _relabelled(fix: Fix, world: ActiveRules, section: str) -> Fix:
    """A fix that makes all cards agree on another value, with the button that the file says."""
    head = world.united_head(section)
    for rule in world.binding:
        if rule.becomes is not None and rule.head is head and head is not None:
            return replace(fix, label=rule.becomes(value=world.heads[head.name]))
    return fix


def united(deck: Deck, rule: Rule) -> Fix | None:
    """Only cards of one value: of the largest group, if a deck of it can be."""
    assert rule.head is not None
    section = rule.head.section
    choices = worlds(deck, section, rule.head)
    choices.sort(key=lambda world: _barred(deck, section, world))
    able = (
        world
        for world in choices
        if (search := Search(deck, section, world)).possible(
            range(len(search.before)), _unwanted(deck, section, world)
        )
    )
    world = next(able, choices[0])
    value = world.heads[rule.head.name]
    out = {
        slug: -deck.cards[slug]
        for own, cards in grouped(rule.head, deck).items()
        if own != value
        for slug in cards
    }
    if rule.swap and (changes := Search(deck, section, world).swapped(out)):
        return _fix(deck, section, changes)
    return _fix(deck, section, out)


def grouped(head: Head, deck: Deck) -> dict[str, dict[str, int]]:
    """The cards of a deck by what they stand for, the largest group first, of equal ones the first
    in its order."""
    groups: dict[str, dict[str, int]] = {value: {} for value in head.order}
    for slug in sorted(
        deck.cards.keys() & head.values.keys(), key=deck.active.vocabulary.order.__getitem__
    ):
        groups[head.values[slug]][slug] = deck.cards[slug]
    full = {value: cards for value, cards in groups.items() if cards}
    return dict(sorted(full.items(), key=lambda group: -sum(group[1].values())))


def worlds(deck: Deck, section: str, head: Head | None = None) -> list[ActiveRules]:
    """The rules as they are for each value that cards of a section can agree on: first the one for
    which the fewest cards of the deck have to go. Where they need not agree, the deck's own."""
    head = head or deck.active.united_head(section)
    choices = deck.active.worlds(head)
    if head is None:
        return choices
    sizes = {value: sum(cards.values()) for value, cards in grouped(head, deck).items()}
    name = head.name
    going = {world.heads[name]: sum(_unwanted(deck, section, world).values()) for world in choices}
    return sorted(
        choices,
        key=lambda world: (-sizes.get(world.heads[name], 0), -going[world.heads[name]]),
    )


def _unwanted(deck: Deck, section: str, world: ActiveRules) -> Changes:
    """The cards out that cannot be in a deck whose cards agree on this value."""
    head = world.united_head(section)
    if head is None:
        return {}
    without = world.under(**{head.name: ""})
    return {
        slug: -deck.cards[slug]
        for slug in deck.parts.get(section, ())
        if not world.limits[slug] and without.limits[slug] and deck.cards.get(slug)
    }


def near(deck: Deck, counter: Counter) -> Counter:
    """A counter that leaves a choice of sizes, with the one that is nearest for this deck."""
    if not counter.sizes:
        return counter
    bounds = counter.bounds_near(counter.total(deck.cards), UNLIMITED)
    for section, plan in deck.active.plans.items():
        for place, own in enumerate(plan.counters):
            if own is counter:
                bounds = Search(deck, section).bounds[place]
    return Counter(counter.weights, *bounds)


def reachable(deck: Deck, rule: Rule) -> bool:
    """False if the cards that may come in are too few for what the rule counts (or, by its
    ``reach``, for other numbers, too), whatever value the cards are to agree on."""
    for section, place, world, plan, aims in _ways(deck, rule):
        if rule.reach != "deck":
            able = _attainable(deck, rule, world, plan)
        else:
            out = _unwanted(deck, section, world) if place else {}
            able = Search(deck, section, world).possible(aims, out)
        if able:
            return True
    return False


def _attainable(deck: Deck, rule: Rule, world: ActiveRules, plan: Plan) -> bool:
    """True if what may be in a deck is enough for the rule, whatever this deck holds."""
    everything = rule.reach == "format"
    return not (everything and plan.contradicts_itself) and all(
        _able(deck, plan.section.slug, world, counter) >= counter.least
        for counter in plan.counters
        if everything or _counts(rule, world, counter)
    )


def _able(deck: Deck, section: str, world: ActiveRules, counter: Counter) -> int:
    """The most that a deck under these limits can have of what is counted."""
    limits = {slug: deck.limit(slug, world) for slug in world.plans[section].section.cards}
    head = world.united_head(section)
    if head is not None and not any(
        limits.get(slug) for slug, value in head.values.items() if value == world.heads[head.name]
    ):
        # No deck agrees on this value, so none has what goes with it alone.
        limits = {
            slug: min(deck.limit(slug, other) for other in world.worlds(head)) for slug in limits
        }
    return most_of(counter.weights, limits, world, {})


def most_able(deck: Deck, rule: Rule) -> int:
    """The most that a deck under these limits can have of what the rule counts."""
    able = (
        _able(deck, section, world, plan.counters[aim])
        for section, _, world, plan, aims in _ways(deck, rule)
        for aim in aims
    )
    return max(able, default=0)


def most_of(
    weights: Mapping[str, int],
    copies: Mapping[str, int],
    active: ActiveRules,
    held: Mapping[str, int],
) -> int:
    """The most that so many copies of each card can count together; of versions that limit each
    other no more than that, or than there are already."""
    free = {slug: number for slug, number in copies.items() if number and weights[slug] > 0}
    if not active.versions:
        return sum([weights[slug] * number for slug, number in free.items()])
    versions, most = active.versions[0]
    held_of: Counts = {}
    for slug, number in held.items():
        held_of[versions.get(slug, "")] = held_of.get(versions.get(slug, ""), 0) + number
    used: Counts = {}
    total = 0
    for slug in sorted(free, key=weights.__getitem__, reverse=True):
        number = free[slug]
        if value := versions.get(slug):
            room = max(most, held_of.get(value, 0)) - used.get(value, 0)
            number = min(number, room)
            used[value] = used.get(value, 0) + number
        total += weights[slug] * number
    return total


def _other_head(deck: Deck, section: str, required: str = "") -> Fix | None:
    """Another card in a section on whose one card the rules of this one hang, if a deck of it can
    be; of ``required`` one with which that card may be in the deck."""
    active = deck.active
    for head in active.format_rules.heads:
        current = active.heads.get(head.name)
        if not head.names_card or not current or head.section == section:
            continue
        burdens = head_burdens(deck, head)
        for slug in sorted(burdens, key=lambda slug: (burdens[slug], deck.index.place[slug])):
            if required and not _may_hold(deck, active.under(**{head.name: slug}), required):
                continue
            if burdens[slug] < burdens[current] and deck.room(slug):
                changes = {current: -deck.cards[current], slug: 1}
                return _fix(deck, head.section, changes)
    return None


def _may_hold(deck: Deck, rules: ActiveRules, slug: str) -> bool:
    """True if some deck under these rules can have the card."""
    choices = rules.worlds(rules.united_head(rules.home[slug]))
    return any(deck.limit(slug, world) for world in choices)


def head_burdens(deck: Deck, head: Head) -> dict[str, int]:
    """How much would be wrong elsewhere with each card as the one of its section; ``UNLIMITED``
    where no deck can have it."""
    burdens = {}
    for slug in head.order:
        under = deck.active.under(**{head.name: slug})
        burden = 0
        for section in under.plans:
            if section != head.section:
                choices = under.worlds(under.united_head(section))
                ways = [_burden(deck, section, world) for world in choices]
                burden = min(UNLIMITED, burden + min(ways))
        burdens[slug] = burden
    return burdens


def _burden(deck: Deck, section: str, world: ActiveRules) -> int:
    search = Search(deck, section, world)
    out = {
        slug: -deck.cards[slug]
        for slug in deck.parts.get(section, ())
        if not world.limits[slug] and deck.cards.get(slug)
    }
    if not search.possible(range(len(search.before)), out):
        return UNLIMITED
    barred = MAX_BURDEN * _barred(deck, section, world)
    return sum(search.gaps_after(out)) - sum(out.values()) + barred


def _barred(deck: Deck, section: str, world: ActiveRules) -> int:
    """How many of the required cards of a section cannot be in a deck under these rules."""
    home = world.plans[section].section.cards
    return sum(slug in world.required and not deck.limit(slug, world) for slug in home)


def _all_mended(deck: Deck, section: str) -> Changes | None:
    """Changes after which all is right in a section, as far as that hangs on it: alike for each of
    its problems."""
    if section not in deck.mended:
        search = Search(deck, section)
        every = range(len(search.before))
        goal = search.as_right_as_can_be
        deck.mended[section] = search.run({}, goal) if search.possible(every) else None
    return deck.mended[section]


def better(deck: Deck, slug: str, number: int) -> Fix | None:
    """So many copies of a card in (or, below 0, out); None where that breaks a rule."""
    if number > deck.room(slug):
        return None
    section = deck.active.home[slug]
    search = Search(deck, section)
    gaps = search.gaps_after({slug: number})
    return _fix(deck, section, {slug: number}) if sum(gaps) <= sum(search.before) else None


def _counts(rule: Rule, world: ActiveRules, counter: Counter) -> bool:
    """True if it is a counter of the rule, as that is in another world."""
    rows = world.rules if rule.severity != "error" else world.binding
    return any(
        own is counter
        for row in (rule, *rows)
        if row.id == rule.id and row.severity == rule.severity
        for own in row.counters.values()
    )


def _fix(deck: Deck, section: str, changes: Changes) -> Fix | None:
    """The changes as a button; None while a card that must go lies in a wrong section, from where
    it has to be moved first."""
    listed = {slug: sum(deck.lines_of(section, slug).values()) for slug in changes}
    if not changes or any(listed[slug] + number < 0 for slug, number in changes.items()):
        return None
    index, noun = deck.index, deck.active.vocabulary.sections[section].noun
    ((slug, number), *others) = changes.items()
    if number < 0 and not others:
        fix = take_out(index, section, slug, -number, listed[slug])
    else:
        fix = change(index, section, changes, partial(index.listed, noun=noun))
    return replace(fix, changes=deck.by_entry(section, fix.changes)) if deck.lines else fix


class Search:
    """A best-first search over changes of a section: the nearest to legal is looked at first.

    ``place`` orders the cards where nothing else does; without it the catalog. With ``keep``
    nothing is taken out that is in the deck.
    """

    def __init__(
        self,
        deck: Deck,
        section: str,
        world: ActiveRules | None = None,
        *,
        plan: Plan | None = None,
        place: Mapping[str, int] | None = None,
        keep: bool = False,
    ) -> None:
        world = deck.active if world is None else world
        vocabulary = world.vocabulary
        self.plan = plan = world.plans[section] if plan is None else plan
        self.deck, self.index = deck, deck.index
        self.place = _places(deck, plan) if place is None else place
        self.together = plan.section.together
        self.alike, self.suits = vocabulary.alike, vocabulary.suits
        self.limits = {slug: deck.limit(slug, world) for slug in plan.section.cards}
        self.held: Counts = {
            slug: deck.cards[slug] for slug in plan.section.cards if slug in deck.cards
        }
        # So many copies of each card stay.
        self.floor: Counts = {
            slug: self.held.get(slug, 0) if keep else int(slug in world.required)
            for slug in self.limits
        }
        self.elsewhere = {
            slug: number for slug, number in deck.cards.items() if slug not in self.limits
        }
        self.totals: Totals = [counter.total(deck.cards) for counter in plan.counters]
        self.world, self.versions = world, world.versions
        self.bounds = plan.bounds if not plan.any_sizes else self._bounds_near()
        self.before = self._gaps(self.totals, self._groups(self.held))
        self.closest: Changes = {}
        self.unwanted = {
            slug: [slug not in cards for cards in vocabulary.prefer] for slug in self.limits
        }

    # -- aims --------------------------------------------------------------------------------------

    def mended(self, aims: list[int]) -> Goal:
        """Nothing is left that the section can mend of what is counted there, and nothing else has
        become worse."""
        others = [place for place in range(len(self.before)) if place not in aims]
        left = {place: self.surplus_elsewhere(place) for place in aims}

        def reached(gaps: list[int], surplus: int) -> bool:
            return all(gaps[place] <= left[place] for place in aims) and (
                all(gaps[place] <= self.before[place] for place in others)
            )

        return reached

    def surplus_elsewhere(self, place: int) -> int:
        """How far other sections alone have more of what is counted there than is allowed."""
        if place >= len(self.bounds) or not self.elsewhere:
            return 0
        counter, (_, most) = self.plan.counters[place], self.bounds[place]
        return max(0, counter.total(self.elsewhere) - most)

    def as_right_as_can_be(self, gaps: list[int], surplus: int) -> bool:
        """The goal of a section in which nothing is left that it can mend."""
        return not surplus and all(
            gap <= self.surplus_elsewhere(place) for place, gap in enumerate(gaps) if gap
        )

    def is_nearer(self, changes: Changes, aims: list[int]) -> bool:
        """True if less is wrong of what is counted there, and in all."""
        gaps = self.gaps_after(changes)
        left, before = (sum(each[aim] for aim in aims) for each in (gaps, self.before))
        return left < before and sum(gaps) < sum(self.before)

    def swapped(self, out: Changes) -> Changes | None:
        """These cards out and others in their place, so that as much is right as was before; None
        where that cannot be."""
        allowed = sum(self.before)
        held = _after(self.held, tuple(out.items()))
        missing = sum(
            max(0, least - self._able(counter, held)) if least > -UNLIMITED else 0
            for counter, (least, _) in zip(self.plan.counters, self.bounds, strict=True)
        )
        return self.run(out, lambda gaps, _: sum(gaps) <= allowed) if missing <= allowed else None

    def possible(self, aims: Iterable[int], out: Changes | None = None) -> bool:
        """False where what is in the deck, with these cards out, and all that may come in cannot
        make up what is counted there."""
        held = self.held if not out else _after(self.held, tuple(out.items()))
        return all(
            self._able(self.plan.counters[place], held) >= self.bounds[place][0]
            for place in aims
            if place < len(self.bounds)
        )

    def can_end(self, *, keep: bool = False) -> bool:
        """False where there is too little for what is counted; with ``keep``, or too much."""
        return self.possible(range(len(self.before))) and not (
            keep
            and any(total > most for total, (_, most) in zip(self.totals, self.bounds, strict=True))
        )

    def _able(self, counter: Counter, held: Mapping[str, int]) -> int:
        """The most of what is counted that there can be with what is held."""
        copies = {slug: max(most, held.get(slug, 0)) for slug, most in self.limits.items()}
        others = [counter.weights[slug] * number for slug, number in self.elsewhere.items()]
        return most_of(counter.weights, copies, self.world, held) + sum(others)

    def _bounds_near(self) -> tuple[tuple[int, int], ...]:
        """The bounds, with one for each counter that leaves a choice of sizes."""
        return tuple(
            counter.bounds_near(total, self._able(counter, self.held) if counter.sizes else 0)
            for counter, total in zip(self.plan.counters, self.totals, strict=True)
        )

    # -- the search --------------------------------------------------------------------------------

    def nearest(self, changes: Changes) -> tuple[Changes, bool]:
        """Changes after which as much as possible is right, and whether all of it is."""
        best = self.run(changes, nothing_left)
        return (self.closest, False) if best is None else (best, True)

    def run(self, changes: Changes, goal: Goal) -> Changes | None:
        """The fewest changes, beginning with those given, that reach the goal; None if none do."""
        order = counter_from()
        heap: list[tuple[bool, int, int, int, Counts, tuple[Step, ...], Totals, int]] = []
        seen: set[frozenset[Step]] = set()
        width = len(self.plan.counters) + len(self.plan.varieties)
        looks = 0
        limit = min(MAX_LOOKS, MAX_WORK // max(1, width), self.deck.looks_left)
        best: Changes | None = None
        shortest = UNLIMITED
        weights, limits = self.plan.weights, self.limits
        groups = self._groups(self.held)

        def look(
            depth: int, counts: Counts, steps: tuple[Step, ...], totals: Totals, surplus: int
        ) -> None:
            for slug, number in steps:
                totals = [
                    total + number * weight
                    for total, weight in zip(totals, weights[slug], strict=True)
                ]
                over = counts.get(slug, 0) - limits[slug]
                if number < 0 < over:
                    surplus -= min(over, -number)
            gaps = self._gaps(totals, groups, steps)
            distance = sum(gaps) + (surplus if self.together else 0)
            entry = (not goal(gaps, surplus), distance, depth, next(order))
            looked.append((*entry, counts, steps, totals, surplus))

        looked: list[tuple[bool, int, int, int, Counts, tuple[Step, ...], Totals, int]] = []
        look(0, self.held, tuple(changes.items()), self.totals, self._surplus())
        heap.append(looked.pop())
        while heap:
            missed, distance, depth, _, counts, steps, totals, surplus = heappop(heap)
            counts = _after(counts, steps)
            if not missed:
                changes = changes_to(self.held, counts)
                if best is None or _copies(changes) < _copies(best):
                    best = changes
                if not self.together or _one_way(changes):
                    return best
                limit = min(limit, looks + MORE_LOOKS)
                continue
            key = frozenset(counts.items())
            if key in seen:
                continue
            if looks >= limit:
                break
            seen.add(key)
            if distance < shortest:
                shortest, self.closest = distance, changes_to(self.held, counts)
            takes, adds = self._takes(counts, totals), self._adds(counts, totals)
            groups = self._groups(counts)
            looked = []
            for step in (*adds, *takes):
                look(depth + 1, counts, (step,), totals, surplus)
            nearer = [entry for entry in looked if not entry[0] or entry[1] < distance]
            if not nearer:
                swaps = [(out, into) for out in takes for into in adds if out[0] != into[0]]
                for swap in swaps[: limit - looks]:
                    look(depth + 1, counts, swap, totals, surplus)
                nearer = looked
            looks += len(looked)
            self.deck.looks_left -= len(looked)
            for entry in nearer:
                heappush(heap, entry)
        return best

    def gaps_after(self, changes: Changes) -> list[int]:
        """How far each count is off when the changes are made."""
        totals = self.totals
        for slug, number in changes.items():
            weights = self.plan.weights[slug]
            totals = [total + number * by for total, by in zip(totals, weights, strict=True)]
        return self._gaps(totals, self._groups(self.held), tuple(changes.items()))

    def _groups(self, counts: Counts) -> Groups:
        """For each variety how many copies there are of each value, and how far it is off."""
        if not self.plan.varieties:
            return []
        cards = {**self.elsewhere, **counts}
        sizes = [variety.sizes(cards) for variety in self.plan.varieties]
        gaps = map(Variety.gap, self.plan.varieties, sizes)
        return list(zip(self.plan.varieties, sizes, gaps, strict=True))

    def _gaps(self, totals: Totals, groups: Groups, steps: tuple[Step, ...] = ()) -> list[int]:
        """How far each counter and then each variety is off; of these with the steps made."""
        gaps = [
            total - most if total > most else least - total if total < least else 0
            for total, (least, most) in zip(totals, self.bounds, strict=True)
        ]
        for variety, sizes, gap in groups:
            changed = variety.changed(sizes, steps)
            gaps.append(gap if changed is sizes else variety.gap(changed))
        return gaps

    def _surplus(self) -> int:
        """How many copies of the section's cards are too many."""
        return sum([max(0, number - self.limits[slug]) for slug, number in self.held.items()])

    # -- steps -------------------------------------------------------------------------------------

    def _adds(self, counts: Counts, totals: Totals) -> list[Step]:
        """Of each class of cards the most natural one to come in, the most natural first: of which
        there are less than their share, what the game prefers, what has a use, new cards before
        more copies, what goes with the deck."""
        limits, place, unwanted = self.limits, self.place, self.unwanted
        strange, unsuited = self._strange(counts), self._unsuited(counts)
        full = self.full(counts)
        ranked = []
        for slugs in self.plan.classes:
            able = [
                (
                    self._share_left(slug, totals) <= 0,
                    unwanted[slug],
                    slug in unsuited,
                    counts.get(slug, 0),
                    slug in strange,
                    place[slug],
                    slug,
                )
                for slug in slugs
                if counts.get(slug, 0) < limits[slug] and slug not in full
            ]
            if able:
                ranked.append(min(able))
        return [(row[-1], 1) for row in sorted(ranked)]

    def full(self, counts: Counts) -> frozenset[str]:
        """The cards of which there are as many versions as may be."""
        if not self.versions:
            return frozenset()
        full: set[str] = set()
        for versions, most in self.versions:
            held: Counts = {}
            for slug, number in (*counts.items(), *self.elsewhere.items()):
                if value := versions.get(slug):
                    held[value] = held.get(value, 0) + number
            full |= {slug for slug, value in versions.items() if held.get(value, 0) >= most}
        return frozenset(full)

    def _share_left(self, slug: str, totals: Totals) -> int:
        """How many more cards of its kind a deck is built towards."""
        place, number = self.plan.shares.get(slug, (0, 0))
        return number - totals[place] if number else 0

    def _unsuited(self, counts: Counts) -> frozenset[str]:
        """The cards that ask for something that no card of the deck gives."""
        unsuited: set[str] = set()
        for suits in self.suits:
            cards = (*counts, *self.elsewhere)
            offered = {word for slug in cards for word in suits.gives.get(slug, ())}
            if offered:
                unsuited |= {
                    slug for slug, words in suits.asks.items() if words.isdisjoint(offered)
                }
        return frozenset(unsuited)

    def _strange(self, counts: Counts) -> frozenset[str]:
        """The cards that have, in the column by which cards go together, a value that no card of
        the deck has."""
        if not self.alike:
            return frozenset()
        values = self.plan.values
        held = {values[slug] for slug, number in counts.items() if number > 0} - {""}
        return frozenset(
            [slug for slug, value in values.items() if held and value and value not in held]
        )

    def _takes(self, counts: Counts, totals: Totals) -> list[Step]:
        """Of each class of cards the most natural one to go, the most natural first: copies that
        are too many, then second copies, then what the game likes least; of each the last."""
        limits, place, floor, unwanted = self.limits, self.place, self.floor, self.unwanted
        ranked = []
        for slugs in self.plan.classes:
            able = [
                (
                    counts[slug] <= limits[slug],
                    self._share_left(slug, totals) >= 0,
                    counts[slug] <= 1,
                    [not no for no in unwanted[slug]],
                    -place[slug],
                    slug,
                )
                for slug in slugs
                if slug in counts and counts[slug] > floor[slug]
            ]
            if able:
                ranked.append(min(able))
        # Copies that are too many go before any others, so that these go one by one meanwhile.
        above = any(not row[0] for row in ranked)
        takes = []
        for row in sorted(ranked):
            slug = row[-1]
            enough = self._number_out(slug, counts, totals)
            if row[0]:
                takes.append((slug, -1 if above else -enough))
                continue
            surplus = min(counts[slug] - limits[slug], counts[slug] - floor[slug])
            takes += [(slug, -number) for number in dict.fromkeys((surplus, min(surplus, enough)))]
        return takes

    def _number_out(self, slug: str, counts: Counts, totals: Totals) -> int:
        """As many copies of a card as some count is too high by, of which one stays."""
        count = counts[slug]
        if count == 1:
            return 1
        steps = [
            (total - most) // weight
            for total, (_, most), weight in zip(
                totals, self.bounds, self.plan.weights[slug], strict=True
            )
            if weight > 0 and total > most
        ]
        return max(1, min([count - 1, *steps])) if steps else 1


def _places(deck: Deck, plan: Plan) -> Mapping[str, int]:
    """The order in which cards of a section come in, where nothing else orders them."""
    places = deck.active.places[plan.section.slug]
    head = deck.active.section_head(plan.section.slug)
    if head is None:
        return places
    burdens = head_burdens(deck, head)
    ranked = sorted(places, key=lambda slug: (burdens[slug], places[slug]))
    return {slug: place for place, slug in enumerate(ranked)}


def _after(counts: Counts, steps: tuple[Step, ...]) -> Counts:
    """The counts with the steps made."""
    counts = dict(counts)
    for slug, number in steps:
        counts[slug] = counts.get(slug, 0) + number
        if not counts[slug]:
            del counts[slug]
    return counts


def _copies(changes: Changes) -> int:
    return sum(map(abs, changes.values()))


def _one_way(changes: Changes) -> bool:
    """True if cards only come in or only go, so that no shorter way can be."""
    return len({number > 0 for number in changes.values()}) <= 1


def nothing_left(gaps: list[int], surplus: int) -> bool:
    """The goal of a section in which all is right."""
    return not surplus and not any(gaps)
