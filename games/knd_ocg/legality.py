"""Is this a legal KND: OCG deck? Section 7 of the rules specification, check by check.

A list has one section, ``main``. Every failed check gives problems of its own, in the order of the
rule IDs and, within one, of the catalog. Advice comes last and never makes a deck illegal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import Any, Final

from rules.engine.cards import CardType, load_toml
from rules.engine.deck_checks import (
    CatalogIndex,
    changes_to,
    error,
    joined,
    known_mode,
    no_cards,
    spread,
    thin,
    warning,
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
from rules.engine.modes import DeckFormat

SECTION: Final = "main"
MODES: Final = ("duel",)
_SWITCHES: Final = ("tournament", "no_duplicates", "four_of", "single_type")
FORMAT_OPTIONS: Final = (*_SWITCHES, "restricted", "version")

SIZE: Final = 60
HAND: Final = 6
CHARACTERS_NEEDED: Final = 1
CHARACTERS_ADVISED: Final = 20
ENERGY_ADVISED: Final = (14, 26)
TYPES_ADVISED: Final = 2
TYPES: Final = ("leader", "defender", "attacker", "spy", "pacifist")
PLURALS: Final[Mapping[str, str]] = {
    "leader": "Leaders",
    "defender": "Defenders",
    "attacker": "Attackers",
    "spy": "Spies",
    "pacifist": "Pacifists",
}

# What a fix builds towards: the proportions of the Starter Decks.
_SHARES: Final[Mapping[str, int]] = {"character": 25, "energy": 20, "special": 15}
# So many copies of a card a fix puts in, where the format allows more.
_COPIES: Final = 4
# A message lists up to so many cards one by one, more of them with their number.
_NAMED: Final = 30

_CARDS: Final = CatalogIndex("games.knd_ocg")
_ENERGY: Final = {
    card["type"]: slug
    for slug, card in _CARDS.items()
    if card.kind == "energy" and card["type"] in TYPES
}
_NORMAL: Final = "normal-energy"


def _load_formats() -> dict[str, DeckFormat]:
    formats = {}
    for row in load_toml("games.knd_ocg", "formats.toml")["format"]:
        restricted = row.get("restricted", {"cards": {}})
        formats[row["slug"]] = DeckFormat(
            slug=row["slug"],
            name=row["name"],
            summary=row["summary"],
            modes=MODES,
            options=row.get("options", {}),
            restricted=restricted["cards"],
            version=restricted.get("version", 0),
            reason=restricted.get("reason", ""),
            default=row.get("default", False),
        )
    return formats


FORMATS: Final[Mapping[str, DeckFormat]] = _load_formats()
"""The formats of section 7 by slug."""


@dataclass(frozen=True, slots=True)
class _Needs:
    """The cards a deck needs to fulfil a Special Card's requirement."""

    names: tuple[str, ...]
    type: str
    count: int
    characters: int
    typed_energy: int
    energy: int


def _mask(costs: Iterable[Mapping[str, int]]) -> int:
    """The types of Energy that these costs name, one bit each (KND-E-02: Normal is not a type)."""
    energies = {letter for cost in costs for letter in cost}
    return sum(1 << bit for bit, word in enumerate(TYPES) if word[0].upper() in energies)


def _needs_of(card: CardType) -> _Needs:
    requires = card.attributes.get("requires", {})
    attached = requires.get("attached", {})
    own = (requires.get("characters", 0), requires.get("count", 1) if "side" in requires else 0)
    word = requires.get("active", requires.get("side", ""))
    return _Needs(
        names=tuple(requires.get("names", ())),
        type=word if word in TYPES else "",
        count=requires.get("count", 1),
        characters=max(*own, ("active" in requires) + requires.get("reserve", 0)),
        typed_energy=_mask([attached]),
        energy=max(sum(attached.values()), requires.get("carrying", 0)),
    )


_TYPE_OF: Final = {
    slug: TYPES.index(card["type"]) for slug, card in _CARDS.items() if card.kind == "character"
}
_ENERGY_BIT: Final = {slug: 1 << TYPES.index(word) for word, slug in _ENERGY.items()} | {_NORMAL: 0}
_NEEDS: Final = {
    slug: _needs_of(card) for slug, card in _CARDS.items() if "requires" in card.attributes
}
# Typed Energy that a Character's Special Attacks and Fleeing ask for …
_ASKS: Final = {
    slug: _mask([_CARDS[slug]["flee"]])
    | _mask(
        cost
        for attack in _CARDS[slug]["attacks"]
        for cost in (attack["energy"], attack.get("cost", {}))
    )
    for slug in _TYPE_OF
}
# … and that it, its Special Effect or a Special Card has any use for.
_USES: Final = {slug: needs.typed_energy for slug, needs in _NEEDS.items()} | {
    slug: asks
    | _mask(
        _CARDS[slug].attributes.get("special_effect", {}).get(key, {})
        for key in ("cost", "attached")
    )
    for slug, asks in _ASKS.items()
}


def check_deck(
    mode: str,
    decklist: Decklist,
    format: Mapping[str, Any] | None = None,
    *,
    name: str = "",
    owned: Mapping[str, int] | None = None,
) -> Report:
    """The verdict on a list for ``mode``, which is ``duel``.

    ``format`` may hold options (``FORMAT_OPTIONS``; those of the game's own formats stand in
    ``FORMATS``): ``tournament``, ``no_duplicates``, ``four_of`` and ``single_type`` are true or
    false. ``restricted``, a table of cards and how many copies are allowed, takes the place of the
    list that ships with ``tournament``; ``version`` is its number. ``owned`` says how many of each
    card the owner has; without it nobody asks. ``name`` is not used: the messages of section 7 name
    no deck.

    An unknown card counts for nothing else. Where several limits meet one card, the lowest is
    reported; of equal ones the first by ID.

    Raises ``UnknownGame`` for another mode, ``BadData`` for a format or list that can't be read.
    """
    deck = _read_deck(decklist, _read_format(mode, format), owned)
    problems = [
        *_only_cards(deck),
        *_exact_size(deck),
        *_some_character(deck),
        *_limits(deck),
        *_one_type(deck),
    ]
    if len(problems) > 1:
        problems.sort(key=lambda problem: problem.rule)
    if deck.total:
        problems += _advice(deck)
    return Report(tuple(problems))


@dataclass(frozen=True, slots=True)
class _Format:
    """The format of the event or match."""

    restricted: Mapping[str, int] = field(default_factory=dict, hash=False)
    version: int = 1
    no_duplicates: bool = False
    four_of: bool = False
    single_type: bool = False

    @property
    def copies(self) -> tuple[int, str] | None:
        """How many copies of a card other than Energy it allows, and by which rule."""
        if self.no_duplicates:
            return 1, "KND-D-14"
        return (4, "KND-D-15") if self.four_of else None


_OPEN: Final = _Format()


@dataclass(slots=True)
class _Deck:
    """The input of the checks: the list, read and added up.

    ``types``: Characters by type; ``provided``, ``used`` and ``required`` have a bit for each
    type of Energy that is in the deck, that something in it uses, and that a Special Attack or
    Fleeing needs.
    """

    format: _Format
    owned: Mapping[str, int] | None
    cards: dict[str, int]
    foreign: dict[str, int]
    total: int
    characters: int
    energy: int
    types: list[int]
    provided: int
    used: int
    required: int

    def limits(self, slug: str) -> list[tuple[int, str]]:
        """How many copies of a card are allowed at most, and by which rule; none: any number."""
        rows = []
        if slug in self.format.restricted:
            rows.append((self.format.restricted[slug], "KND-D-13"))
        if self.format.copies and slug not in _ENERGY_BIT:
            rows.append(self.format.copies)
        if self.owned is not None:
            rows.append((max(0, self.owned.get(slug, 0)), "KND-D-17"))
        return rows

    def above_a_limit(self) -> set[str]:
        """The cards of which there are more than some limit allows."""
        cards, owned = self.cards, self.owned
        above = {slug for slug, most in self.format.restricted.items() if cards.get(slug, 0) > most}
        if self.format.copies:
            most = self.format.copies[0]
            above |= {slug for slug, count in cards.items() if count > most} - _ENERGY_BIT.keys()
        if owned is not None:
            above |= {slug for slug, count in cards.items() if count > owned.get(slug, 0)}
        return above

    def room(self, slug: str, most: int) -> int:
        """How many more copies of a card may come in, up to ``most`` in all."""
        lowest = min((limit for limit, _ in self.limits(slug)), default=most)
        return max(0, min(most, lowest) - self.cards.get(slug, 0))


def _read_format(mode: str, format: Mapping[str, Any] | None) -> _Format:
    known_mode("KND: OCG", mode, MODES)
    values = read_format(format, FORMAT_OPTIONS, _SWITCHES)
    if not values:
        return _OPEN
    tournament = FORMATS["tournament"]
    shipped = tournament.restricted if values.get("tournament") else {}
    version = values.get("version", tournament.version)
    if type(version) is not int or version < 1:
        raise BadData(f"The version of a restricted list is a whole number, not {version!r}.")
    return _Format(
        restricted=_read_restricted(values.get("restricted", shipped)),
        version=version,
        no_duplicates=values.get("no_duplicates", False),
        four_of=values.get("four_of", False),
        single_type=values.get("single_type", False),
    )


def _read_restricted(value: object) -> Mapping[str, int]:
    if value is FORMATS["tournament"].restricted:
        return FORMATS["tournament"].restricted
    if not isinstance(value, Mapping):
        raise BadData("A restricted list is an object of cards and how many copies are allowed.")
    for slug, most in value.items():
        if slug not in _CARDS:
            raise BadData(f"The restricted list names “{slug}”, which is not a KND: OCG card.")
        if type(most) is not int or most < 0:
            raise BadData(
                f"The restricted list allows a whole number of “{slug}”, 0 or more, not {most!r}."
            )
    return value


def _read_deck(
    decklist: Decklist, options: _Format, owned: Mapping[str, int] | None = None
) -> _Deck:
    cards = read_decklist(decklist, (SECTION,)).get(SECTION, {})
    foreign = {entry: count for entry, count in cards.items() if entry not in _CARDS}
    for entry in foreign:
        del cards[entry]
    characters = energy = provided = used = required = 0
    types = [0] * len(TYPES)
    for slug, count in cards.items():
        used |= _USES.get(slug, 0)
        if slug in _TYPE_OF:
            characters += count
            types[_TYPE_OF[slug]] += count
            required |= _ASKS[slug]
        elif slug in _ENERGY_BIT:
            energy += count
            provided |= _ENERGY_BIT[slug]
    total = sum(cards.values())
    return _Deck(
        options, owned, cards, foreign, total, characters, energy, types, provided, used, required
    )


# -- the checks ------------------------------------------------------------------------------------


def _exact_size(deck: _Deck) -> Iterator[Problem]:
    """KND-D-10"""
    surplus = deck.total - SIZE
    if surplus:
        remedy = f"Take out {surplus}" if surplus > 0 else f"Add {-surplus}"
        message = (
            f"The deck has {counted(deck.total, 'card')}; it must have exactly {SIZE}. {remedy}."
        )
        fix = _take_out_any(deck, surplus) if surplus > 0 else _add_any(deck, -surplus)
        if fix is None:
            most = counted(_most_cards(deck), "card")
            message += f" At most {most} may go into a deck here, so no deck can be legal."
        yield error("KND-D-10", message, deck.total, SIZE, fix)


def _only_cards(deck: _Deck) -> Iterator[Problem]:
    """KND-D-11"""
    entries = ((SECTION, entry, count) for entry, count in deck.foreign.items())
    return no_cards("KND-D-11", entries, "{} is not a KND: OCG card. Take it out.".format)


def _some_character(deck: _Deck) -> Iterator[Problem]:
    """KND-D-12, because of KND-R-04"""
    if deck.characters < CHARACTERS_NEEDED:
        message = (
            "The deck has no Character card (0 found, at least 1 needed): no game could start. "
            "Add a Character."
        )
        fix = _add_a_character(deck)
        if fix is None:
            message += " None may go into a deck here, so no deck can be legal."
        yield error("KND-D-12", message, 0, CHARACTERS_NEEDED, fix)


def _limits(deck: _Deck) -> Iterator[Problem]:
    """KND-D-13, KND-D-14, KND-D-15 and KND-D-17: of each card the lowest limit alone."""
    for slug in _CARDS.ordered(deck.above_a_limit()):
        copies = deck.cards[slug]
        allowed, rule = min(deck.limits(slug))
        finding = f"{_CARDS.title(slug)}: {copies} in the deck, {allowed}"
        out = f"Take out {copies - allowed}"
        if rule == "KND-D-17":
            more = "another" if copies - allowed == 1 else f"{copies - allowed} more"
            message = f"{finding} in your collection. {out} or get {more}."
        elif rule == "KND-D-13" and allowed == 0:
            message = (
                f"{_CARDS.title(slug)} is not allowed in this format: "
                f"{copies} in the deck, 0 allowed. {out}."
            )
        elif rule == "KND-D-13":
            message = (
                f"{finding} allowed by the restricted list (version {deck.format.version}). {out}."
            )
        else:
            name = "No Duplicates" if rule == "KND-D-14" else "Four-of"
            message = f"{finding} allowed in {name}. {out}."
        fix = Fix(
            SECTION, {slug: allowed - copies}, f"Take out {_CARDS.many(copies - allowed, slug)}"
        )
        yield error(rule, message, copies, allowed, fix, (slug,))


def _one_type(deck: _Deck) -> Iterator[Problem]:
    """KND-D-16"""
    groups = _groups(deck)
    if not deck.format.single_type or len(groups) < 2:
        return
    listed = ", ".join(_so_many(deck.types[TYPES.index(word)], word) for word in groups)
    parts: list[str] = []
    changes: dict[str, int] = {}
    for word in groups[1:]:
        slugs = [slug for slug in _CARDS.ordered(deck.cards) if _is_of(slug, word)]
        number = sum(deck.cards[slug] for slug in slugs)
        if number > _NAMED:
            names = [f"{_CARDS.title(slug)} x{deck.cards[slug]}" for slug in slugs]
        else:
            names = [_CARDS.title(slug) for slug in slugs for _ in range(deck.cards[slug])]
        parts.append(f"the {_so_many(number, word)} ({', '.join(names)})")
        changes |= {slug: -deck.cards[slug] for slug in slugs}
    message = (
        f"Characters of {len(groups)} types: {listed}; 1 type allowed. Take out {joined(parts)}."
    )
    out = joined([_so_many(deck.types[TYPES.index(word)], word) for word in groups[1:]])
    fix = Fix(SECTION, changes, f"Take out {out}")
    yield error("KND-D-16", message, len(groups), 1, fix, changes)


# -- advice ----------------------------------------------------------------------------------------


def _advice(deck: _Deck) -> Iterator[Problem]:
    """KND-D-20 to KND-D-25, notices"""
    if 0 < deck.characters < CHARACTERS_ADVISED:
        chance = few_characters(deck.total, deck.characters)
        yield warning(
            "KND-D-20",
            f"{counted(deck.characters, 'Character')}: {100 * chance:.1f}% of opening hands hold "
            f"at most one. {CHARACTERS_ADVISED} or more are advised.",
            found=deck.characters,
            allowed=CHARACTERS_ADVISED,
        )
    if deck.provided & ~deck.used:
        yield from _unused_energy(deck)
    if deck.required & ~deck.provided:
        yield from _missing_energy(deck)
    for slug in deck.cards.keys() & _NEEDS.keys():
        if _hopeless(deck, _NEEDS[slug]):
            yield from _never_played(deck)
            break
    least, most = ENERGY_ADVISED
    if not least <= deck.energy <= most:
        yield warning(
            "KND-D-24",
            f"{counted(deck.energy, 'Energy card')}: {least} to {most} are advised.",
            found=deck.energy,
            allowed=least if deck.energy < least else most,
        )
    if deck.types.count(0) < len(TYPES) - TYPES_ADVISED:
        yield warning(
            "KND-D-25",
            "Beginners do better with one or two types.",
            found=len(TYPES) - deck.types.count(0),
            allowed=TYPES_ADVISED,
        )


@lru_cache(maxsize=1024)
def few_characters(cards: int, characters: int) -> float:
    """The chance that an opening hand holds at most one Character.

    >>> round(few_characters(60, 20), 4)
    0.3392
    """
    hand = min(HAND, cards)
    others = cards - characters
    ways = comb(others, hand) + characters * comb(others, hand - 1)
    return ways / comb(cards, hand)


def _unused_energy(deck: _Deck) -> Iterator[Problem]:
    """KND-D-21"""
    for word, slug in _ENERGY.items():
        if _ENERGY_BIT[slug] & deck.provided & ~deck.used:
            yield warning(
                "KND-D-21",
                f"No Character or Special Card in the deck uses {_CARDS.title(slug)}.",
                cards=(slug,),
                found=deck.cards[slug],
                fix=_swap_energy(deck, word),
            )


def _missing_energy(deck: _Deck) -> Iterator[Problem]:
    """KND-D-22"""
    for slug in _ENERGY.values():
        bit = _ENERGY_BIT[slug]
        if bit & deck.required & ~deck.provided:
            cards = [slug for slug in _CARDS.ordered(deck.cards) if _ASKS.get(slug, 0) & bit]
            yield warning(
                "KND-D-22",
                f"The deck has no {_CARDS.title(slug)}; "
                f"{joined([_CARDS.title(slug) for slug in cards])} cannot do without it.",
                cards=cards,
                found=0,
                allowed=1,
            )


def _never_played(deck: _Deck) -> Iterator[Problem]:
    """KND-D-23"""
    for slug in _CARDS.ordered(deck.cards.keys() & _NEEDS.keys()):
        if why := _hopeless(deck, _NEEDS[slug]):
            yield warning(
                "KND-D-23",
                f"{_CARDS.title(slug)} can never be played: the deck has {why}.",
                cards=(slug,),
                found=deck.cards[slug],
                fix=Fix(
                    SECTION,
                    {slug: -deck.cards[slug]},
                    f"Take out {_CARDS.many(deck.cards[slug], slug)}",
                ),
            )


def _hopeless(deck: _Deck, needs: _Needs) -> str:
    """The cards the deck lacks for a Special Card's requirement; "" if it can be fulfilled."""
    if needs.names:
        names = {_CARDS[slug].name for slug in deck.cards if slug in _TYPE_OF}
        if missing := [name for name in needs.names if name not in names]:
            return f"no {joined(missing, 'or')}"
    if needs.type:
        count = deck.types[TYPES.index(needs.type)]
        if count < needs.count:
            if not count:
                return f"no {needs.type.title()}"
            return f"{_so_many(count, needs.type)}, and it needs {needs.count}"
    if needs.characters > deck.characters:
        return f"fewer than {counted(needs.characters, 'Character')}"
    if lacking := needs.typed_energy & ~deck.provided:
        word = next(word for bit, word in enumerate(TYPES) if lacking >> bit & 1)
        return f"no {_CARDS.title(_ENERGY[word])}"
    if needs.energy > deck.energy:
        return f"fewer than {counted(needs.energy, 'Energy card')}"
    return ""


# -- words -----------------------------------------------------------------------------------------


def _so_many(number: int, word: str) -> str:
    """``1 Spy``, ``20 Spies``."""
    return f"{number} {word.title() if number == 1 else PLURALS[word]}"


# -- what a deck is made of ------------------------------------------------------------------------


def _is_of(slug: str, word: str) -> bool:
    return slug in _TYPE_OF and TYPES[_TYPE_OF[slug]] == word


def _groups(deck: _Deck) -> list[str]:
    """The types of its Characters, the largest group first; of equal ones the first by type."""
    types = [bit for bit, number in enumerate(deck.types) if number]
    return [TYPES[bit] for bit in sorted(types, key=lambda bit: -deck.types[bit])]


def _themes(deck: _Deck) -> list[str]:
    """The types to add cards for: its Characters' types, else its Energy's, else Leaders."""
    if groups := _groups(deck):
        return groups[:1] if deck.format.single_type else groups
    energy = [word for word, slug in _ENERGY.items() if deck.cards.get(slug)]
    energy.sort(key=lambda word: -deck.cards[_ENERGY[word]])
    return energy[: 1 if deck.format.single_type else None] or ["leader"]


def _kinds(deck: _Deck) -> dict[str, int]:
    """How many cards of each kind it has."""
    special = deck.total - deck.characters - deck.energy
    return {"character": deck.characters, "energy": deck.energy, "special": special}


# -- fixes: changes that a page offers as a button -------------------------------------------------


def _add_a_character(deck: _Deck) -> Fix | None:
    """One of the type of the deck's Energy; a full deck gives its most frequent card for it."""
    themes = [*_themes(deck), *TYPES]
    candidates = sorted(_TYPE_OF, key=lambda slug: themes.index(TYPES[_TYPE_OF[slug]]))
    new = next((slug for slug in candidates if deck.room(slug, _COPIES)), None)
    if new is None:
        return None
    if deck.total < SIZE:
        return Fix(SECTION, {new: 1}, f"Add {_CARDS.title(new)}")
    old = max(_CARDS.ordered(deck.cards), key=lambda slug: deck.cards[slug])
    return Fix(SECTION, {old: -1, new: 1}, f"Swap one {_CARDS.title(old)} for {_CARDS.title(new)}")


def _swap_energy(deck: _Deck, word: str) -> Fix | None:
    """Unused Energy for that of the largest group of Characters that uses some."""
    out = _ENERGY[word]
    number = deck.cards[out]
    for theme in _groups(deck):
        new = _ENERGY[theme]
        if deck.used & _ENERGY_BIT[new] and deck.room(new, SIZE) >= number:
            label = f"Swap {_CARDS.many(number, out)} for {_CARDS.title(new)}"
            return Fix(SECTION, {out: -number, new: number}, label)
    return None


def _add_any(deck: _Deck, number: int) -> Fix | None:
    """Cards that fit the deck, towards the proportions of a Starter Deck; None if no deck has
    room for so many."""
    chosen = _gathered(deck, _themes(deck), number)
    if chosen is None:
        return _change_type(deck) if deck.format.single_type else None
    if len(chosen) == 1:
        ((slug, copies),) = chosen.items()
        return Fix(SECTION, chosen, f"Add {_CARDS.many(copies, slug)}")
    return Fix(SECTION, chosen, f"Add {counted(number, 'card')}")


def _change_type(deck: _Deck) -> Fix | None:
    """Other Characters, and what goes with them, where those of one type cannot fill the deck."""
    others = {slug: count for slug, count in deck.cards.items() if slug not in _TYPE_OF}
    rest = _read_deck({SECTION: others}, deck.format, deck.owned)
    number = SIZE - rest.total
    for word in TYPES:
        chosen = _gathered(rest, [word], number) or {}
        if any(slug in _TYPE_OF for slug in chosen):
            out = {slug: -count for slug, count in deck.cards.items() if slug in _TYPE_OF}
            what = f"{counted(number, 'card')} with {PLURALS[word]}"
            listed = [_so_many(deck.types[TYPES.index(word)], word) for word in _groups(deck)]
            label = f"Swap {joined(listed)} for {what}" if listed else f"Add {what}"
            return Fix(SECTION, out | chosen, label)
    return None


def _gathered(deck: _Deck, themes: list[str], number: int) -> dict[str, int] | None:
    """So many cards for a deck of these types; None if too few may come in."""
    have = _kinds(deck)
    chosen: dict[str, int] = {}
    for kind, share in _SHARES.items():
        wanted = min(number - sum(chosen.values()), max(0, share - have[kind]))
        _choose(deck, _candidates(kind, themes), wanted, chosen)
    rest = [
        *(slug for kind in _SHARES for slug in _candidates(kind, themes)),
        *(slug for slug in _CARDS if slug not in _TYPE_OF or not deck.format.single_type),
    ]
    _choose(deck, rest, number - sum(chosen.values()), chosen)
    # Many copies of a few cards where the format leaves nothing else.
    _choose(deck, rest, number - sum(chosen.values()), chosen, most=SIZE)
    return chosen if sum(chosen.values()) == number else None


def _most_cards(deck: _Deck) -> int:
    """How many cards a deck can have under these limits."""
    room = {slug: min((most for most, _ in deck.limits(slug)), default=SIZE) for slug in _CARDS}
    by_type = [
        sum(room[slug] for slug, bit in _TYPE_OF.items() if bit == kind)
        for kind in range(len(TYPES))
    ]
    others = sum(count for slug, count in room.items() if slug not in _TYPE_OF)
    return others + (max(by_type) if deck.format.single_type else sum(by_type))


def _candidates(kind: str, themes: list[str]) -> list[str]:
    """Cards of a kind that fit a deck of these types, in the order of the catalog."""
    if kind == "energy":
        return [_ENERGY[word] for word in themes]
    if kind == "character":
        return [slug for slug, word in _TYPE_OF.items() if TYPES[word] in themes]
    fitting = []
    for slug, card in _CARDS.items():
        needs = _NEEDS.get(slug)
        free = needs is None or not (needs.names or (needs.type and needs.type not in themes))
        if card.kind == "special" and free:
            fitting.append(slug)
    return fitting


def _choose(
    deck: _Deck, slugs: list[str], number: int, chosen: dict[str, int], *, most: int = _COPIES
) -> None:
    """Add so many of these cards to what is chosen: of each one copy, then second copies …"""

    def room(slug: str) -> int:
        return deck.room(slug, SIZE if slug in _ENERGY_BIT else most)

    spread(slugs, number, deck.cards, room, chosen)


def _take_out_any(deck: _Deck, number: int) -> Fix:
    """Copies above a limit first, then of the kinds that a Starter Deck has fewer of, from what is
    there most often, the last of the catalog first."""
    label = f"Take out {counted(number, 'card')}"
    left = dict(deck.cards)

    def lowest(slug: str) -> int:
        return min((limit for limit, _ in deck.limits(slug)), default=left[slug])

    number = thin(left, _CARDS.ordered(deck.cards)[::-1], number, lowest)
    for kind, share in reversed(list(_SHARES.items())):
        slugs = [slug for slug in _CARDS.ordered(left) if _CARDS[slug].kind == kind]
        out = min(number, max(0, sum(left[slug] for slug in slugs) - share))
        _level(left, slugs, out)
        number -= out
    return Fix(SECTION, changes_to(deck.cards, left), label)


def _level(left: dict[str, int], slugs: list[str], number: int) -> None:
    """Take so many of these cards, always one of those that are there most often."""
    low, high = 0, max((left[slug] for slug in slugs), default=0)
    while low < high:  # the highest level that is still too low, or just right
        middle = (low + high) // 2
        if sum(max(0, left[slug] - middle) for slug in slugs) <= number:
            high = middle
        else:
            low = middle + 1
    for slug in slugs:
        out = max(0, left[slug] - low)
        left[slug] -= out
        number -= out
    for slug in reversed(slugs):
        if number and left[slug] == low > 0:
            left[slug] -= 1
            number -= 1
