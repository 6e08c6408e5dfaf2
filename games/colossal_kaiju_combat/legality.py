"""Is this a legal Colossal Kaiju Combat deck? Section 7 of the rules specification, check by check.

A list has four sections: ``team``, ``kaiju``, ``combat`` and ``planning``. Every failed check gives
problems of its own, in the order of the rule IDs and, within one, of the catalog.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from rules.engine.cards import load_sets
from rules.engine.deck_checks import (
    CatalogIndex,
    Check,
    Entry,
    changes_to,
    error,
    excess,
    known_mode,
    more_than,
    sort_out,
    spread,
    take_out,
    thin,
    verdict,
)
from rules.engine.errors import BadData
from rules.engine.legality import (
    Decklist,
    Fix,
    Problem,
    Report,
    counted,
    read_decklist,
    read_format,
)

PACKAGE: Final = "games.colossal_kaiju_combat"
SECTIONS: Final = ("team", "kaiju", "combat", "planning")
MODES: Final = ("standard", "basic")
_SWITCHES: Final = {"sealed": "Sealed", "singleton": "Singleton", "no_leaders": "No Leaders"}
FORMAT_OPTIONS: Final = (*_SWITCHES, "sets", "banned", "name")
UNNAMED: Final = "This deck"

COMBAT_LEAST, COMBAT_MOST, COMBAT_COPIES = 20, 40, 2
PLANNING_LEAST, PLANNING_MOST, PLANNING_COPIES = 25, 60, 3
SEALED_PLANNING_LEAST = 15
OPEN_ALLIANCE: Final = "open-alliance"
ICONS: Final = ("sword", "shield")

_PLACES: Final[Mapping[str, str]] = {
    "team": "team section",
    "kaiju": "kaiju section",
    "combat": "combat deck",
    "planning": "planning deck",
}
_CARDS = CatalogIndex(PACKAGE)
_title, _ordered = _CARDS.title, _CARDS.ordered
_SETS = tuple(card_set.slug for card_set in load_sets(PACKAGE))
_SECTION_OF = {
    slug: card.kind if card.kind in SECTIONS else "planning" for slug, card in _CARDS.items()
}
_CARDS_OF = {
    section: frozenset(slug for slug, own in _SECTION_OF.items() if own == section)
    for section in SECTIONS
}
_SWORDS = frozenset(slug for slug in _CARDS_OF["combat"] if _CARDS[slug]["icon"] == "sword")
_LEADERS = frozenset(slug for slug in _CARDS_OF["kaiju"] if "LEADER" in _CARDS[slug]["keywords"])


def _mixed(slugs: Iterable[str], group: Callable[[str], str]) -> tuple[str, ...]:
    """One of each group, then the second of each …: a fix that adds cards adds a mixture."""
    seen: dict[str, int] = {}
    ranked = []
    for slug in slugs:
        place = seen[group(slug)] = seen.get(group(slug), 0) + 1
        ranked.append((place, _CARDS.place[slug], slug))
    return tuple(slug for _, _, slug in sorted(ranked))


_PICKS: Final[Mapping[str, tuple[str, ...]]] = {
    icon: _mixed(
        (slug for slug, card in _CARDS.items() if card.attributes.get("icon") == icon),
        lambda slug: str(_CARDS[slug]["type"]),
    )
    for icon in ICONS
} | {
    "planning": _mixed(
        (slug for slug, section in _SECTION_OF.items() if section == "planning"),
        lambda slug: _CARDS[slug].kind,
    )
}


def check_deck(
    mode: str,
    decklist: Decklist,
    format: Mapping[str, Any] | None = None,
    *,
    name: str = UNNAMED,
    owned: Mapping[str, int] | None = None,
) -> Report:
    """The verdict on a list for ``mode``.

    ``format`` may hold house options (``FORMAT_OPTIONS``): ``sealed``, ``singleton`` and
    ``no_leaders`` are true or false; ``sets`` lists the card sets that are allowed, ``banned``
    cards that are not; ``name`` is what messages call the format. ``owned`` says how many of each
    card the owner has (in a sealed event: the pool); without it nobody asks. The deck's ``name`` is
    not used: the messages of section 7 name no deck.

    In ``basic`` a planning section is allowed and ignored. An entry that is not a card, or lies in
    a wrong section, counts for nothing else there, so that the other problems are those that remain
    when it has been taken out. Without exactly one team card nothing is said about who may join.

    Raises ``UnknownGame`` for another mode, ``BadData`` for a format or list that can't be read.
    """
    options = _read_format(mode, format)
    deck = _read_deck(options, decklist, owned)
    return verdict(_CHECKS, deck)


@dataclass(frozen=True, slots=True)
class _Format:
    """The rules of the event. ``allowed``: all cards that may be in a deck."""

    name: str
    basic: bool = False
    sealed: bool = False
    singleton: bool = False
    no_leaders: bool = False
    allowed: frozenset[str] = frozenset(_CARDS)

    @property
    def planning_least(self) -> int:
        return SEALED_PLANNING_LEAST if self.sealed else PLANNING_LEAST

    def copies(self, section: str) -> int | None:
        """How many of a card may be there; None where it does not matter (CKC-D-21)."""
        if section in ("team", "kaiju"):
            return 1
        if self.singleton:
            return 1
        if self.sealed:
            return None
        return COMBAT_COPIES if section == "combat" else PLANNING_COPIES


_CONSTRUCTED: Final[Mapping[str, _Format]] = {
    "standard": _Format("Constructed"),
    "basic": _Format("Basic", basic=True),
}


@dataclass
class _Deck:
    """The deck list as the checks need it: read and sorted.

    ``cards`` holds what lies where it belongs, by section; ``misplaced`` and ``foreign`` are
    (section, card, count) of cards in a wrong section and of entries that are no cards.
    """

    format: _Format
    owned: Mapping[str, int] | None
    cards: dict[str, dict[str, int]]
    misplaced: list[Entry]
    foreign: list[Entry]
    sizes: dict[str, int]
    swords: int

    @property
    def shields(self) -> int:
        return self.sizes["combat"] - self.swords

    @property
    def team(self) -> str | None:
        """The team card, where there is one only."""
        teams = self.cards["team"]
        return next(iter(teams)) if len(teams) == 1 else None

    @property
    def open_to_all(self) -> bool:
        """True if any kaiju may join: Open Alliance in a sealed event (CKC-D-21)."""
        return self.team == OPEN_ALLIANCE and self.format.sealed

    @cached_property
    def attributes(self) -> frozenset[str]:
        """All attributes of its kaiju."""
        return frozenset(attr for slug in self.cards["kaiju"] for attr in _CARDS[slug]["attr"])

    @cached_property
    def affiliations(self) -> dict[str, int]:
        """How many of its kaiju have which affiliation, most first."""
        counts: dict[str, int] = {}
        for slug in _ordered(self.cards["kaiju"]):
            affiliation = _CARDS[slug]["affiliation"]
            counts[affiliation] = counts.get(affiliation, 0) + 1
        return dict(sorted(counts.items(), key=lambda row: -row[1]))

    def room(self, slug: str) -> int:
        """How many more copies of a card may come in: by copies, format and what is owned."""
        if slug not in self.format.allowed:
            return 0
        section = _SECTION_OF[slug]
        most = self.format.copies(section)
        if self.owned is not None:
            have = _have(self.owned, slug)
            most = have if most is None else min(most, have)
        elif most is None:
            most = PLANNING_MOST
        return max(0, most - self.cards[section].get(slug, 0))


def _read_format(mode: str, format: Mapping[str, Any] | None) -> _Format:
    known_mode("Colossal Kaiju Combat", mode, MODES)
    options = read_format(format, FORMAT_OPTIONS, _SWITCHES)
    if not options:
        return _CONSTRUCTED[mode]
    sets = _names(options, "sets", _SETS, _SETS)
    banned = _names(options, "banned", _CARDS, ())
    called = [word for option, word in _SWITCHES.items() if options.get(option)]
    name = options.get("name", " ".join(called) or _CONSTRUCTED[mode].name)
    if not isinstance(name, str) or not name.strip():
        raise BadData(f"The format option “name” is a name, not {name!r}.")
    return _Format(
        name=name,
        basic=mode == "basic",
        sealed=options.get("sealed", False),
        singleton=options.get("singleton", False),
        no_leaders=options.get("no_leaders", False),
        allowed=frozenset(
            slug
            for slug, card in _CARDS.items()
            if slug not in banned and not sets.isdisjoint(card.sets)
        ),
    )


def _names(
    options: Mapping[str, Any], option: str, known: Collection[str], default: Collection[str]
) -> frozenset[str]:
    """A list of slugs in a format."""
    value = options.get(option, default)
    if isinstance(value, str) or not isinstance(value, Collection):
        raise BadData(f"The format option “{option}” is a list of slugs, not {value!r}.")
    for slug in value:
        if not isinstance(slug, str) or slug not in known:
            raise BadData(f"The format option “{option}” names {slug!r}, which does not exist.")
    return frozenset(value)


def _read_deck(options: _Format, decklist: Decklist, owned: Mapping[str, int] | None) -> _Deck:
    lists = read_decklist(decklist, SECTIONS)
    if options.basic:
        lists["planning"] = {}
    cards, misplaced, foreign = sort_out(lists, _CARDS_OF)
    sizes = {section: sum(counts.values()) for section, counts in cards.items()}
    swords = sum([count for slug, count in cards["combat"].items() if slug in _SWORDS])
    return _Deck(options, owned, cards, misplaced, foreign, sizes, swords)


# -- team card and kaiju ---------------------------------------------------------------------------


def _one_team_card(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-01"""
    count = deck.sizes["team"]
    if count != 1:
        message = f"Your deck has {counted(count, 'team card')}; it needs exactly 1."
        cards = _ordered(deck.cards["team"])
        yield error("CKC-D-01", message, count, 1, _fix_team(deck), cards)


def _number_of_kaiju(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-02"""
    if deck.team is None:
        return
    least, most = _CARDS[deck.team]["kaiju"]
    count = deck.sizes["kaiju"]
    if least <= count <= most:
        return
    required = f"exactly {least}" if least == most else f"{least} or {most}"
    message = f"{_title(deck.team)} needs {required} kaiju; you have {count}."
    if count < least:
        chosen = _newcomers(deck, least - count)
        fix = _add("kaiju", dict.fromkeys(chosen, 1), least - count) or _other_team(deck)
        yield error("CKC-D-02", message, count, least, fix)
    else:
        unfit = frozenset(slug for slug in deck.cards["kaiju"] if not _fits(deck, slug))
        fix = _take_out_any(deck, "kaiju", {"": count - most}, unfit)
        yield error("CKC-D-02", message, count, most, fix)


def _affiliation(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-03"""
    if deck.team is None or deck.open_to_all:
        return
    kaiju = deck.cards["kaiju"]
    if deck.team == OPEN_ALLIANCE:
        if len(deck.affiliations) > 1:
            yield _no_common_affiliation(deck)
        return
    required = _CARDS[deck.team]["joins"]
    wrong = [slug for slug in kaiju if _CARDS[slug]["affiliation"] != required]
    if not wrong:
        return
    instead = _newcomers(deck, len(wrong))
    for slug in _ordered(wrong):
        message = (
            f"{_title(slug)} is {_CARDS[slug]['affiliation']}; "
            f"{_title(deck.team)} takes {required} only."
        )
        fix = _swap(deck, slug, instead)
        yield error("CKC-D-03", message, kaiju[slug], 0, fix, (slug,))


def _no_common_affiliation(deck: _Deck) -> Problem:
    kaiju = _ordered(deck.cards["kaiju"])
    listed = ", ".join(f"{_title(slug)} {_CARDS[slug]['affiliation']}" for slug in kaiju)
    message = f"Your kaiju share no affiliation ({listed})."
    common = next(iter(deck.affiliations))
    wrong = [slug for slug in kaiju if _CARDS[slug]["affiliation"] != common]
    changes = {slug: -deck.cards["kaiju"][slug] for slug in wrong}
    changes |= dict.fromkeys(_newcomers(deck, len(wrong)), 1)
    fix = Fix("kaiju", changes, f"Take {common} kaiju only")
    return error("CKC-D-03", message, len(deck.affiliations), 1, fix, kaiju)


def _no_kaiju_twice(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-04"""
    kaiju = deck.cards["kaiju"]
    if deck.sizes["kaiju"] == len(kaiju):
        return
    yield from _too_many(
        "CKC-D-04",
        "kaiju",
        kaiju,
        more_than(kaiju, 1),
        1,
        lambda slug, copies, most: (
            f"{_title(slug)} is on your team {copies} times; each kaiju may be there once."
        ),
    )


def _no_leader_in_the_alliance(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-05"""
    if deck.team == OPEN_ALLIANCE and not deck.format.sealed:
        message = "{kaiju} is a LEADER and cannot join Open Alliance."
        yield from _no_leaders("CKC-D-05", deck, message)


def _no_leaders_at_all(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-24"""
    if deck.format.no_leaders:
        message = "{kaiju} is a LEADER; LEADERs are not allowed in this event."
        yield from _no_leaders("CKC-D-24", deck, message)


def _no_leaders(rule: str, deck: _Deck, message: str) -> Iterator[Problem]:
    kaiju = deck.cards["kaiju"]
    leaders = _ordered(_LEADERS & kaiju.keys())
    instead = _newcomers(deck, len(leaders), leaders=False)
    for slug in leaders:
        words = message.format(kaiju=_title(slug))
        fix = _swap(deck, slug, instead)
        yield error(rule, words, kaiju[slug], 0, fix, (slug,))


# -- the combat deck -------------------------------------------------------------------------------


def _combat_least(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-06"""
    count = deck.sizes["combat"]
    if count < COMBAT_LEAST:
        message = f"Your combat deck has {counted(count, 'card')}; the minimum is {COMBAT_LEAST}."
        missing = COMBAT_LEAST - count
        swords = max(0, min(missing, (missing + deck.shields - deck.swords) // 2))
        chosen = _chosen(deck, "sword", swords) | _chosen(deck, "shield", missing - swords)
        fix = _add("combat", chosen, missing)
        yield error("CKC-D-06", message, count, COMBAT_LEAST, fix)


def _combat_most(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-07"""
    count = deck.sizes["combat"]
    if count > COMBAT_MOST:
        message = f"Your combat deck has {counted(count, 'card')}; the maximum is {COMBAT_MOST}."
        surplus = count - COMBAT_MOST
        swords = max(0, min(surplus, (surplus + deck.swords - deck.shields) // 2))
        numbers = {"sword": swords, "shield": surplus - swords}
        fix = _take_out_any(deck, "combat", numbers)
        yield error("CKC-D-07", message, count, COMBAT_MOST, fix)


def _equal_icons(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-08"""
    swords, shields = deck.swords, deck.shields
    if swords == shields:
        return
    message = (
        f"Your combat deck has {swords} Sword and {shields} Shield cards; "
        "the numbers must be equal."
    )
    less, more = ("sword", "shield") if swords < shields else ("shield", "sword")
    gap = abs(swords - shields)
    fix = None
    if deck.sizes["combat"] + gap <= COMBAT_MOST:
        fix = _add("combat", _chosen(deck, less, gap), gap, f"{less.capitalize()} card")
    fix = fix or _take_out_any(deck, "combat", {more: gap})
    yield error("CKC-D-08", message, swords, shields, fix)


def _combat_copies(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-09, and CKC-D-22 for combat cards"""
    yield from _copies("CKC-D-09", deck, "combat")


# -- the planning deck -----------------------------------------------------------------------------


def _planning_least(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-10"""
    count, least = deck.sizes["planning"], deck.format.planning_least
    if count < least and not deck.format.basic:
        message = f"Your planning deck has {counted(count, 'card')}; the minimum is {least}."
        fix = _add("planning", _chosen(deck, "planning", least - count), least - count)
        yield error("CKC-D-10", message, count, least, fix)


def _planning_most(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-11"""
    count = deck.sizes["planning"]
    if count > PLANNING_MOST:
        message = (
            f"Your planning deck has {counted(count, 'card')}; the maximum is {PLANNING_MOST}."
        )
        fix = _take_out_any(deck, "planning", {"": count - PLANNING_MOST})
        yield error("CKC-D-11", message, count, PLANNING_MOST, fix)


def _planning_copies(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-12, and CKC-D-22 for planning cards"""
    yield from _copies("CKC-D-12", deck, "planning")


# -- all sections ----------------------------------------------------------------------------------


def _copies(rule: str, deck: _Deck, section: str) -> Iterator[Problem]:
    """Too many copies of a card: by the rules, or by the format instead (CKC-D-21, CKC-D-22)."""
    if deck.format.singleton != (rule == "CKC-D-22"):
        return
    allowed = deck.format.copies(section)
    cards = deck.cards[section]
    if allowed is None or not cards or max(cards.values()) <= allowed:
        return
    where = " in Singleton" if rule == "CKC-D-22" else ""
    yield from _too_many(
        rule,
        section,
        cards,
        more_than(cards, allowed),
        allowed,
        lambda slug, copies, most: f"{_title(slug)}: {_copies_of(copies)}, {most} allowed{where}.",
    )


def _too_many(
    rule: str,
    section: str,
    held: Mapping[str, int],
    slugs: Iterable[str],
    allowed: int | Callable[[str], int],
    say: Callable[[str, int, int], str],
) -> Iterator[Problem]:
    def out(slug: str, number: int) -> Fix:
        return _take_out(section, slug, number, held[slug])

    return excess(_CARDS, rule, slugs, held, allowed, say, out)


def _own_sections(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-13"""
    for section, slug, count in _in_order(deck.misplaced):
        own = _SECTION_OF[slug]
        message = f"{_title(slug)} is a {own} card and cannot be in your {_PLACES[section]}."
        label = f"Move {_CARDS.many(count, slug)} to your {_PLACES[own]}"
        fix = Fix(section, {slug: -count}, label, to=own)
        yield error("CKC-D-13", message, count, 0, fix, (slug,))


def _allowed_cards(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-14"""
    wrong = list(deck.foreign)
    allowed = deck.format.allowed
    if len(allowed) < len(_CARDS):
        wrong += [entry for entry in deck.misplaced if entry[1] not in allowed]
        for section, cards in deck.cards.items():
            wrong += [(section, slug, n) for slug, n in cards.items() if slug not in allowed]
    for section, slug, count in _in_order(wrong):
        known = slug in _CARDS
        title = _title(slug) if known else slug
        message = f"{title} is not allowed in {deck.format.name}."
        label = f"Take out {_CARDS.many(count, slug) if known else f'“{slug}”'}"
        fix = Fix(section, {slug: -count}, label)
        yield error("CKC-D-14", message, count, 0, fix, (slug,))


def _owned_cards(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-15"""
    owned = deck.owned
    if owned is None:
        return
    for section, cards in deck.cards.items():
        yield from _too_many(
            "CKC-D-15",
            section,
            cards,
            [slug for slug, count in cards.items() if count > _have(owned, slug)],
            partial(_have, owned),
            lambda slug, copies, have: f"You own {have} of {_title(slug)}; the deck uses {copies}.",
        )


def _singleton(deck: _Deck) -> Iterator[Problem]:
    """CKC-D-22"""
    yield from _copies("CKC-D-22", deck, "combat")
    yield from _copies("CKC-D-22", deck, "planning")


_CHECKS: Final[tuple[Check[_Deck], ...]] = (
    _one_team_card,
    _number_of_kaiju,
    _affiliation,
    _no_kaiju_twice,
    _no_leader_in_the_alliance,
    _combat_least,
    _combat_most,
    _equal_icons,
    _combat_copies,
    _planning_least,
    _planning_most,
    _planning_copies,
    _own_sections,
    _allowed_cards,
    _owned_cards,
    _singleton,
    _no_leaders_at_all,
)


# -- words -----------------------------------------------------------------------------------------


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    """By section, then catalog; entries that are no cards come last, as they were typed."""
    return sorted(
        entries,
        key=lambda entry: (SECTIONS.index(entry[0]), _CARDS.place.get(entry[1], len(_CARDS))),
    )


def _have(owned: Mapping[str, int], slug: str) -> int:
    """How many of a card somebody owns; everybody has had an Open Alliance from the start (6.1).

    Who says outright that there are none of it means that none may come in: a format bans it.
    """
    return max(0, owned.get(slug, 1 if slug == OPEN_ALLIANCE else 0))


def _copies_of(count: int) -> str:
    return f"{count} {'copy' if count == 1 else 'copies'}"


# -- fixes: changes that a page offers as a button -------------------------------------------------
#
# Where there is a choice of cards to add, it keeps to the copies, the format and what is owned.


def _fits(deck: _Deck, slug: str, leaders: bool = True) -> bool:
    """May this kaiju join the team, next to those that are most of it now?"""
    if slug in _LEADERS and (not leaders or deck.format.no_leaders):
        return False
    if deck.team is None or deck.open_to_all:
        return True
    if deck.team == OPEN_ALLIANCE:
        if slug in _LEADERS:
            return False
        wanted = next(iter(deck.affiliations), _CARDS[slug]["affiliation"])
    else:
        wanted = _CARDS[deck.team]["joins"]
    return bool(_CARDS[slug]["affiliation"] == wanted)


def _newcomers(deck: _Deck, number: int, leaders: bool = True) -> list[str]:
    """Up to so many kaiju that could join. Where nothing says of which affiliation, of one."""
    able = [
        slug for slug in _ordered(_CARDS_OF["kaiju"])
        if deck.room(slug) and _fits(deck, slug, leaders)
    ]  # fmt: skip
    if not deck.affiliations and deck.team == OPEN_ALLIANCE and not deck.open_to_all:
        groups: dict[str, list[str]] = {}
        for slug in able:
            groups.setdefault(_CARDS[slug]["affiliation"], []).append(slug)
        able = max(groups.values(), key=len, default=[])
    return able[:number]


def _swap(deck: _Deck, slug: str, instead: list[str]) -> Fix:
    """The first of the newcomers in its place, or only out where none is left."""
    out = {slug: -deck.cards["kaiju"][slug]}
    if not instead:
        return Fix("kaiju", out, f"Take out {_title(slug)}")
    new = instead.pop(0)
    return Fix("kaiju", {**out, new: 1}, f"Swap {_title(slug)} for {_title(new)}")


def _fix_team(deck: _Deck) -> Fix | None:
    """Keep or add the team card that suits the kaiju best."""
    held = deck.cards["team"]
    common = next(iter(deck.affiliations), "")

    def worth(slug: str) -> tuple[bool, bool]:
        card = _CARDS[slug]
        least, most = card["kaiju"]
        suits = len(deck.affiliations) == 1 and least <= deck.sizes["kaiju"] <= most
        return suits and card.attributes.get("joins") == common, slug == OPEN_ALLIANCE

    if held:
        keep = max(_ordered(held), key=worth)
        return Fix("team", changes_to(held, {keep: 1}), f"Keep one {_title(keep)} only")
    able = [slug for slug in _ordered(_CARDS_OF["team"]) if deck.room(slug)]
    if not able:
        return None
    best = max(able, key=worth)
    return Fix("team", {best: 1}, f"Add {_title(best)}")


def _other_team(deck: _Deck) -> Fix | None:
    """Where too few kaiju may join: a team card that enough may follow, or the kaiju out that
    stand in the way of others."""
    kaiju = deck.cards["kaiju"]
    groups: dict[str, list[str]] = {}
    for slug in _ordered(_CARDS_OF["kaiju"]):
        leader_barred = slug in _LEADERS and deck.format.no_leaders
        if not leader_barred and (slug in kaiju or deck.room(slug)):
            groups.setdefault(_CARDS[slug]["affiliation"], []).append(slug)

    def enough(team: str) -> bool:
        if team == OPEN_ALLIANCE:
            able = [[slug for slug in group if slug not in _LEADERS] for group in groups.values()]
        else:
            able = [groups.get(_CARDS[team]["joins"], [])]
        return any(len(group) >= _CARDS[team]["kaiju"][0] for group in able)

    if deck.team is None:
        return None
    if enough(deck.team):
        out = {slug: -count for slug, count in kaiju.items()}
        return Fix("kaiju", out, "Take out all kaiju") if out else None
    for team in _ordered(_CARDS_OF["team"]):
        if team != deck.team and deck.room(team) and enough(team):
            changes = {deck.team: -deck.cards["team"][deck.team], team: 1}
            return Fix("team", changes, f"Swap {_title(deck.team)} for {_title(team)}")
    return None


def _chosen(deck: _Deck, kind: str, number: int) -> dict[str, int]:
    """Up to so many cards of a kind: first one of each that suits the kaiju, then second copies,
    then others."""
    chosen: dict[str, int] = {}
    suiting = [slug for slug in _PICKS[kind] if _suits(deck, slug)]
    others = [slug for slug in _PICKS[kind] if not _suits(deck, slug)]
    for slugs in (suiting, others):
        number = spread(slugs, number, {}, deck.room, chosen)
    return chosen


def _suits(deck: _Deck, slug: str) -> bool:
    """A card whose white icons all lack their attribute, or an ally whom nobody calls, does not."""
    card = _CARDS[slug].attributes
    icons = {*card.get("damage_icons", ()), *card.get("toughness_icons", ())}
    wanted = card.get("needs", {}).get("affiliation")
    if icons and icons.isdisjoint(deck.attributes):
        return False
    return wanted is None or wanted in deck.affiliations


def _add(section: str, chosen: Mapping[str, int], number: int, what: str = "") -> Fix | None:
    """So many cards that come in; None where there are too few."""
    if sum(chosen.values()) < number:
        return None
    return Fix(section, chosen, f"Add {_CARDS.listed(chosen, what or f'{section} card')}")


def _take_out(section: str, slug: str, number: int, copies: int) -> Fix:
    return take_out(_CARDS, section, slug, number, copies)


def _take_out_any(
    deck: _Deck, section: str, numbers: Mapping[str, int], unwanted: frozenset[str] = frozenset()
) -> Fix:
    """So many cards out of a section, by icon (or "" for any): copies above what is allowed first,
    then second copies, then whole cards; of each the unwanted and then the last of the catalog."""
    cards = deck.cards[section]
    most = deck.format.copies(section)
    left = dict(cards)
    for icon, number in numbers.items():
        slugs = [
            slug for slug in reversed(_ordered(cards)) if not icon or _CARDS[slug]["icon"] == icon
        ]
        slugs.sort(key=lambda slug: slug not in unwanted)
        for keep in (1, 0) if most is None else (most, 1, 0):
            number = thin(left, slugs, number, keep)
    changes = changes_to(cards, left)
    if len(changes) == 1:
        ((slug, change),) = changes.items()
        return _take_out(section, slug, -change, cards[slug])
    return Fix(section, changes, f"Take out {counted(-sum(changes.values()), 'card')}")
