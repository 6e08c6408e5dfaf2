"""Is this a legal Battle Krabz deck? Section 7 of the rules specification, check by check.

A list has one section, ``main``. Every failed check gives problems of its own, in the order of the
rule IDs and, within one, of the cards' IDs. ``check_deck`` judges one list, ``check_table`` the
decks of a match together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games.battle_krabz.state import COLOURS, KINDS
from rules.engine.cards import load_decks
from rules.engine.deck_checks import (
    CatalogIndex,
    Check,
    error,
    known_mode,
    more_than,
    not_owned,
    thin,
    verdict,
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

SECTION: Final = "main"
UNNAMED: Final = "This deck"
MODES: Final = ("battle", "multi")
FORMAT_OPTIONS: Final = (
    "target",
    "trump_size",
    "doubles",
    "one_of_a_kind",
    "plain_shells",
    "set_size",
    "starter_clash",
)
_SWITCHES: Final = ("doubles", "one_of_a_kind", "starter_clash")

HAND: Final = 7
TRUMP_SIZES: Final = (10, 15, 20, 30)
TRUMP_SIZE: Final = 15
SET_SIZE: Final = 56
MOST: Final = 1_000
PLAIN: Final = ("silver", "gold")

SIDES: Final[Mapping[str, str]] = {"K": "Krabz", "E": "Enemigos"}
HELPERS: Final[Mapping[str, str]] = {"K": "Faerie", "E": "Witch"}
PLURALS: Final[Mapping[str, str]] = {
    "warrior": "Warriors",
    "booster": "Boosters",
    "power": "Power Cards",
}

_CARDS = CatalogIndex("games.battle_krabz")
_title, _ordered = _CARDS.title, _CARDS.ordered
_KINDS = {slug: (card.kind, card.attributes.get("side", "")) for slug, card in _CARDS.items()}
_WARRIORS = {
    side: [slug for slug, kind in _KINDS.items() if kind == ("warrior", side)] for side in SIDES
}
_STARTERS = {
    "K": load_decks("games.battle_krabz")["starter-krabz"].cards[SECTION],
    "E": load_decks("games.battle_krabz")["starter-enemigos"].cards[SECTION],
}


def _key(text: str) -> str:
    """A card's name or slug as it is compared: words only, small, spelt right (BKZ-R-03)."""
    for mark in "()-,":
        text = text.replace(mark, " ")
    words = text.casefold().split()
    return " ".join("krabbi" if word == "krabi" else word for word in words)


_BY_NAME = {_key(card.title): slug for slug, card in _CARDS.items()} | {
    _key(slug): slug for slug in _CARDS
}
_CHARACTERS: dict[str, list[str]] = {}
for _slug, _card in _CARDS.items():
    _CHARACTERS.setdefault(_card["character"], []).append(_slug)
_STEMS = {_key(stem): stem for stem in _CHARACTERS} | {
    _key(_CARDS[slugs[0]].name): stem for stem, slugs in _CHARACTERS.items()
}


def card_named(text: str) -> str:
    """The card that an entry of a list names, by slug or in any spelling (BKZ-R-03); "" for none.

    >>> card_named("Krabi Long Legs (Silver)")
    'krabbi-long-legs-silver'
    """
    return text if text in _KINDS else _BY_NAME.get(_key(text), "")


def check_deck(
    mode: str,
    decklist: Decklist,
    format: Mapping[str, Any] | None = None,
    *,
    name: str = UNNAMED,
    owned: Mapping[str, int] | None = None,
) -> Report:
    """The verdict on a list for ``mode``: a deck for ``battle`` or a trump deck for ``multi``.

    ``format`` may hold what the event or match sets, ``target`` and ``trump_size``, and house
    options (``FORMAT_OPTIONS``): ``doubles``, ``one_of_a_kind`` and ``starter_clash`` are true or
    false; ``plain_shells`` may also name the colours, ``set_size`` the number of cards. ``owned``
    says how many of each card the owner has; without it nobody asks. ``name`` is not used: the
    messages of section 7 name no deck.

    Entries may be names (“Krabi Long Legs (Platinum)”) as well as slugs. An unknown card counts for
    nothing else, surplus copies count in all later checks.

    Raises ``UnknownGame`` for another mode, ``BadData`` for a format or list that can't be read.
    """
    options = _read_format(mode, format)
    return Report(tuple(_judged(mode, _read_deck(decklist, options, owned))))


def check_table(
    mode: str,
    decks: Sequence[Decklist],
    options: Mapping[str, Any],
    names: Sequence[str] | None = None,
) -> Report:
    """The verdict on a match's decks, one a seat: each alone, then together (BKZ-D-10, BKZ-D-11).

    The messages begin with the seat's name where they are about one seat's deck.
    """
    names = names or [f"Seat {seat + 1}" for seat in range(len(decks))]
    if mode == "battle":
        required = _Format(target=options["target"])
    else:
        required = _Format(trump_size=options["trump_size"])
    read = [_read_deck(deck, required) for deck in decks]
    problems: list[Problem] = []
    too_few: list[Problem] = []
    for deck, name in zip(read, names, strict=True):
        for problem in _judged(mode, deck):
            if problem.rule == "BKZ-D-06":
                too_few.append(_named(problem, name, "BKZ-D-11"))
            else:
                problems.append(_named(problem, name))
    if mode == "battle":
        problems += _opposed(read, options["factions"])
    return Report((*problems, *too_few))


def _judged(mode: str, deck: _Deck) -> list[Problem]:
    """The problems of a deck, by rule."""
    checks = _BATTLE_CHECKS if mode == "battle" else _TRUMP_CHECKS
    return sorted(verdict(checks, deck).problems, key=lambda problem: problem.rule)


def cards_of(decklist: Decklist) -> list[str]:
    """The cards of a legal list in the order of the catalog, copies side by side."""
    slugs: list[str] = []
    for entry, count in decklist[SECTION].items():
        slugs += [card_named(entry)] * count
    return _ordered(slugs)


@dataclass(frozen=True, slots=True)
class _Format:
    """The format of the event or match."""

    target: int | str = "all"
    trump_size: int | None = None
    copies: int = 1
    one_of_a_kind: bool = False
    colours: tuple[str, ...] = COLOURS
    set_size: int | None = None
    starter_clash: bool = False


@dataclass(slots=True)
class _Deck:
    """The input of the checks: the list, read and sorted.

    ``lines`` keeps, by card, the entries that name it; ``foreign`` the entries that name none.
    """

    format: _Format
    owned: Mapping[str, int] | None
    cards: dict[str, int] = field(default_factory=dict)
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    foreign: dict[str, int] = field(default_factory=dict)
    total: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    sides: dict[str, int] = field(default_factory=lambda: {"K": 0, "E": 0})
    helpers: dict[str, int] = field(default_factory=lambda: {"K": 0, "E": 0})

    @property
    def side(self) -> str:
        """The side of its Warriors; without any, of its Boosters."""
        sides = self.sides if self.kinds["warrior"] else self.helpers
        return "E" if sides["E"] > sides["K"] else "K"

    @property
    def mixed(self) -> bool:
        return all(self.sides.values())

    def room(self, slug: str) -> int:
        """How many more copies of a card may come in."""
        card = _CARDS[slug]
        if card.colour not in self.format.colours:
            return 0
        if self.format.one_of_a_kind and any(
            self.cards.get(other) for other in _CHARACTERS[card["character"]]
        ):
            return 0
        most = 1 if self.format.one_of_a_kind else self.format.copies
        if self.owned is not None:
            most = min(most, self.owned.get(slug, 0))
        return max(0, most - self.cards.get(slug, 0))


def _read_format(mode: str, format: Mapping[str, Any] | None) -> _Format:
    known_mode("Battle Krabz", mode, MODES)
    values = read_format(format, FORMAT_OPTIONS, _SWITCHES)
    target, trump_size = values.get("target", "all"), values.get("trump_size")
    if target != "all" and not _whole(target, 1, MOST):
        raise BadData(f"The format option “target” is a whole number or “all”, not {target!r}.")
    if trump_size is not None and (trump_size not in TRUMP_SIZES or isinstance(trump_size, bool)):
        raise BadData(f"The format option “trump_size” is 10, 15, 20 or 30, not {trump_size!r}.")
    return _Format(
        target=target,
        trump_size=trump_size,
        copies=2 if values.get("doubles") else 1,
        one_of_a_kind=values.get("one_of_a_kind", False),
        colours=_plain_colours(values.get("plain_shells", False)),
        set_size=_set_size(values.get("set_size", False)),
        starter_clash=values.get("starter_clash", False),
    )


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _plain_colours(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return PLAIN if value else COLOURS
    if isinstance(value, (list, tuple)) and value and all(colour in COLOURS for colour in value):
        return tuple(colour for colour in COLOURS if colour in value)
    raise BadData(
        f"The format option “plain_shells” is true, false or some of {', '.join(COLOURS)}."
    )


def _set_size(value: Any) -> int | None:
    if isinstance(value, bool):
        return SET_SIZE if value else None
    if _whole(value, 1, MOST):
        return int(value)
    raise BadData(
        f"The format option “set_size” is true, false or a number of cards, not {value!r}."
    )


def _read_deck(
    decklist: Decklist, options: _Format, owned: Mapping[str, int] | None = None
) -> _Deck:
    deck = _Deck(options, owned)
    cards, lines, kinds = deck.cards, deck.lines, deck.kinds
    by_side = {"warrior": deck.sides, "booster": deck.helpers}
    for entry, count in read_decklist(decklist, (SECTION,)).get(SECTION, {}).items():
        # Slugs without a call: most lists hold nothing else, and many are judged at once.
        slug = entry if entry in _KINDS else card_named(entry)
        if not slug:
            deck.foreign[entry] = count
            continue
        if slug in cards:
            cards[slug] += count
            lines[slug][entry] = count
        else:
            cards[slug] = count
            lines[slug] = {entry: count}
        kind, side = _KINDS[slug]
        kinds[kind] += count
        if side:
            by_side[kind][side] += count
    deck.total = sum(cards.values())
    return deck


# -- all modes -------------------------------------------------------------------------------------


def _only_cards(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-01"""
    for entry in sorted(deck.foreign):
        stem, _, colour = _key(entry).rpartition(" ")
        character = _STEMS.get(stem)
        if character is not None and colour in COLOURS:
            colours = _CHARACTERS[character]
            name = _CARDS[colours[0]].name
            message = (
                f"{name} does not exist in {colour.capitalize()}. "
                f"It comes in: {_colours(_CARDS[slug].colour for slug in colours)}. "
                "Swap or remove it."
            )
            fix = _swap(deck, {entry: -deck.foreign[entry]}, entry, colours)
        else:
            message = f"{entry}: no such Battle Krabz card. Remove it."
            fix = Fix(SECTION, {entry: -deck.foreign[entry]}, f"Take out “{entry}”")
        yield error("BKZ-D-01", message, deck.foreign[entry], 0, fix, (entry,))


def _copies(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-02, and BKZ-D-20 where two copies are allowed"""
    allowed = deck.format.copies
    rule = "BKZ-D-02" if allowed == 1 else "BKZ-D-20"
    for slug in sorted(more_than(deck.cards, allowed)):
        copies = deck.cards[slug]
        others = [
            other for other in _CHARACTERS[_CARDS[slug]["character"]] if not deck.cards.get(other)
        ]
        message = (
            f"{_title(slug)}: {copies} in the deck, {allowed} allowed. Remove {copies - allowed}"
        )
        if others:
            colours = _colours(_CARDS[other].colour for other in others)
            message += f", or swap for another colour: {colours}"
        fix = _take_out(deck, slug, copies - allowed)
        yield error(rule, f"{message}.", copies, allowed, fix, (slug,))


def _owned(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-09"""
    owned = deck.owned or {}
    for slug in sorted(not_owned(deck.cards, deck.owned)):
        copies, have = deck.cards[slug], max(0, owned.get(slug, 0))
        message = (
            f"{_title(slug)}: {copies} in the deck, {have} in your collection. "
            f"Remove {copies - have}, or get more."
        )
        fix = _take_out(deck, slug, copies - have)
        yield error("BKZ-D-09", message, copies, have, fix, (slug,))


# -- Battle Mode -----------------------------------------------------------------------------------


def _one_faction(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-03"""
    if not deck.mixed:
        return
    krabz, enemigos = deck.sides["K"], deck.sides["E"]
    fewer = "K" if krabz < enemigos else "E"
    cards = [slug for slug in sorted(deck.cards) if _warrior_of(slug, fewer)]
    named = ", ".join(_times(slug, deck.cards[slug]) for slug in cards)
    message = (
        f"Mixed factions: {krabz} Krabz and {enemigos} Enemigos Warriors; "
        f"a Battle Mode deck holds one faction. Remove: {named}."
    )
    changes = {entry: -count for slug in cards for entry, count in deck.lines[slug].items()}
    fix = Fix(SECTION, changes, f"Take out all {SIDES[fewer]}")
    yield error("BKZ-D-03", message, min(krabz, enemigos), 0, fix, cards)


def _boosters_fit(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-04"""
    if not deck.kinds["warrior"] or deck.mixed:
        return
    side = deck.side
    if not any(count for other, count in deck.helpers.items() if other != side):
        return
    for slug in sorted(deck.cards):
        card = _CARDS[slug]
        if card.kind != "booster" or card["side"] == side:
            continue
        copies = deck.cards[slug]
        message = (
            f"{card.title} is a {HELPERS[card['side']]} and cannot support {SIDES[side]}: "
            f"{copies} in the deck, 0 allowed. "
            f"Remove {copies}, or swap for a {HELPERS[side]}."
        )
        yield error("BKZ-D-04", message, copies, 0, _take_out(deck, slug, copies), (slug,))


def _some_warrior(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-05"""
    if not deck.kinds["warrior"]:
        message = "No Warriors: 0 in the deck, at least 1 needed. Add Warriors of one faction."
        # Of the other side where none may come in of the one that its Boosters are for.
        fix = _add(deck, 1, "warrior") or _add(deck, 1, "warrior", any=True)
        if fix is None:
            message += " None may go into a deck here, so no deck can be legal."
        yield error("BKZ-D-05", message, 0, 1, fix)


def _enough_warriors(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-06"""
    target, warriors = deck.format.target, deck.kinds["warrior"]
    if not warriors or isinstance(target, str) or warriors >= target:
        return
    message = (
        f"Too few Warriors for the winning target: {warriors} in the deck, "
        f"at least {target} needed. "
        f"Add {target - warriors}, or play to a lower target."
    )
    sides = _able_sides(deck)
    fix = _add(deck, target - warriors, "warrior") if deck.side in sides else None
    if fix is None and sides - {deck.side}:
        fix = _change_side(deck, target, "warrior")
    if not sides:
        message += " As this format is, no deck can be legal."
    yield error("BKZ-D-06", message, warriors, target, fix)


def _small(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-07, a warning"""
    if deck.total < HAND:
        cards = counted(deck.total, "card")
        message = f"Small deck: {cards}. Your first hand will be smaller than {HAND}."
        yield warning("BKZ-D-07", message, deck.total, HAND)


def _all_types(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-08, a warning"""
    for kind in ("booster", "power"):
        if not deck.kinds[kind]:
            message = f"No {PLURALS[kind]} in the deck. A mix of all three types is recommended."
            yield warning("BKZ-D-08", message, 0, 1, _add(deck, 1, kind))


def _opposed(decks: Sequence[_Deck], factions: str) -> Iterator[Problem]:
    """BKZ-D-10"""
    if factions != "any" and len({deck.side for deck in decks}) < len(decks):
        message = (
            f"Both decks are {SIDES[decks[0].side]}. Standard Battle Mode needs one Krabz deck and "
            "one Enemigos deck. Choose another deck, or allow any factions."
        )
        yield error("BKZ-D-10", message)


# -- house formats ---------------------------------------------------------------------------------


def _characters_once(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-21"""
    if not deck.format.one_of_a_kind:
        return
    for stem in sorted({_CARDS[slug]["character"] for slug in deck.cards}):
        held = [slug for slug in _CHARACTERS[stem] if deck.cards.get(slug)]
        copies = sum(deck.cards[slug] for slug in held)
        if copies < 2:
            continue
        colours = _colours(_CARDS[slug].colour for slug in held)
        message = (
            f"{_CARDS[held[0]].name}: {copies} cards of this character ({colours}), 1 allowed. "
            f"Keep one and remove {copies - 1}."
        )
        keep = next((slug for slug in held if _allowed(deck, slug)), held[0])
        changes: dict[str, int] = {}
        for slug in held:
            changes |= _out(deck, slug, deck.cards[slug] - (slug == keep))
        fix = Fix(SECTION, changes, f"Keep {_title(keep)} only")
        yield error("BKZ-D-21", message, copies, 1, fix, held)


def _allowed(deck: _Deck, slug: str) -> bool:
    return _CARDS[slug].colour in deck.format.colours


def _plain_only(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-22"""
    if deck.format.colours == COLOURS:
        return
    allowed = _colours(deck.format.colours)
    for slug in sorted(deck.cards):
        if _allowed(deck, slug):
            continue
        copies = deck.cards[slug]
        message = (
            f"{_title(slug)}: this colour is not allowed here. Allowed: {allowed}. "
            "Swap or remove it."
        )
        colours = _CHARACTERS[_CARDS[slug]["character"]]
        fix = _swap(deck, _out(deck, slug, copies), _title(slug), colours)
        yield error("BKZ-D-22", message, copies, 0, fix, (slug,))


def _exact_size(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-23"""
    size = deck.format.set_size
    if size is not None and deck.total != size:
        yield _sized("BKZ-D-23", deck, size, "Deck", KINDS)


def _starter_only(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-24"""
    if not deck.format.starter_clash or deck.cards in _STARTERS.values():
        return
    fitting = _fitting_starters(deck)
    side = (*fitting, deck.side)[0]
    starter = _STARTERS[side]
    missing = [slug for slug in _ordered(starter) if not deck.cards.get(slug)]
    strange = [slug for slug in _ordered(deck.cards) if deck.cards[slug] > starter.get(slug, 0)]
    message = "Not an unchanged Starter Deck."
    if missing:
        message += f" Missing: {', '.join(map(_title, missing))}."
    if strange:
        message += f" Not part of it: {', '.join(map(_title, strange))}."
    changes = dict.fromkeys(missing, 1)
    for slug in strange:
        changes |= _out(deck, slug, deck.cards[slug] - starter.get(slug, 0))
    fix = Fix(SECTION, changes, f"Make it the Starter Deck {SIDES[side]}") if fitting else None
    if fix is None:
        message += " Neither Starter Deck meets what else is asked here, so no deck can be legal."
    yield error("BKZ-D-24", message, None, None, fix, (*missing, *strange))


def _fitting_starters(deck: _Deck) -> list[str]:
    """The sides whose Starter Deck meets all other checks, the deck's own side first."""
    sides = sorted(SIDES, key=lambda side: side != deck.side)
    others = replace(deck.format, starter_clash=False)
    return [
        side
        for side in sides
        if not any(
            problem.severity == "error"
            for problem in _judged(
                "battle", _read_deck({SECTION: _STARTERS[side]}, others, deck.owned)
            )
        )
    ]


# -- trump decks -----------------------------------------------------------------------------------


def _only_warriors(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-30"""
    for slug in sorted(deck.cards):
        card = _CARDS[slug]
        if card.kind == "warrior":
            continue
        copies = deck.cards[slug]
        message = (
            f"{card.title} is a {PLURALS[card.kind][:-1]}: {copies} in the trump deck, 0 allowed. "
            f"Remove {copies}."
        )
        yield error("BKZ-D-30", message, copies, 0, _take_out(deck, slug, copies), (slug,))


def _trump_size(deck: _Deck) -> Iterator[Problem]:
    """BKZ-D-31; as long as no match has set the size, a deck may be of any of them"""
    required = deck.format.trump_size
    sizes = (TRUMP_SIZE, *TRUMP_SIZES) if required is None else (required,)
    if deck.total in sizes:
        return
    # The usual size, or another one where too few cards may come in for it.
    problems = [_sized("BKZ-D-31", deck, size, "Trump deck", ("warrior",)) for size in sizes]
    yield next((problem for problem in problems if problem.fix), problems[0])


def _sized(rule: str, deck: _Deck, size: int, what: str, kinds: Sequence[str]) -> Problem:
    surplus = deck.total - size
    remedy = f"Remove {surplus}" if surplus > 0 else f"Add {-surplus}"
    message = f"{what} has {counted(deck.total, 'card')}, exactly {size} needed. {remedy}."
    both = rule == "BKZ-D-31"
    if surplus > 0:
        return error(rule, message, deck.total, size, _take_out_any(deck, surplus))
    sides = set(SIDES) if both else _able_sides(deck) or _sides_with(deck, size, kinds)
    fix = _add(deck, -surplus, *kinds, any=both) if deck.side in sides else None
    if fix is None and not both and sides - {deck.side}:
        fix = _change_side(deck, size, *kinds)
    if fix is None:
        of_sides = [_most_cards(deck, kinds, side) for side in SIDES]
        most = _most_cards(deck, kinds, *SIDES) if both else max(of_sides)
        if most < size:
            message += f" At most {most} may go into a deck here, so no deck can be legal."
    return error(rule, message, deck.total, size, fix)


_BATTLE_CHECKS: Final[tuple[Check[_Deck], ...]] = (
    _only_cards,
    _copies,
    _one_faction,
    _boosters_fit,
    _some_warrior,
    _enough_warriors,
    _small,
    _all_types,
    _owned,
    _characters_once,
    _plain_only,
    _exact_size,
    _starter_only,
)
_TRUMP_CHECKS: Final[tuple[Check[_Deck], ...]] = (
    _only_cards,
    _copies,
    _owned,
    _characters_once,
    _plain_only,
    _only_warriors,
    _trump_size,
)


# -- words -----------------------------------------------------------------------------------------


def _named(problem: Problem, name: str, rule: str = "") -> Problem:
    return replace(problem, rule=rule or problem.rule, message=f"{name}: {problem.message}")


def _times(slug: str, count: int) -> str:
    return f"{_title(slug)} x{count}" if count > 1 else _title(slug)


def _colours(colours: Iterable[str]) -> str:
    present = set(colours)
    return ", ".join(colour.capitalize() for colour in COLOURS if colour in present)


def _warrior_of(slug: str, side: str) -> bool:
    card = _CARDS[slug]
    return card.kind == "warrior" and card["side"] == side


# -- fixes: changes that a page offers as a button -------------------------------------------------


def _out(deck: _Deck, slug: str, number: int) -> dict[str, int]:
    """Take so many copies of a card out of the entries that name it, misspelt ones first."""
    changes: dict[str, int] = {}
    for entry, count in sorted(deck.lines[slug].items(), key=lambda line: line[0] == slug):
        if number > 0:
            changes[entry] = -min(count, number)
            number += changes[entry]
    return changes


def _take_out(deck: _Deck, slug: str, number: int) -> Fix:
    what = _title(slug) if number == 1 else f"{number} copies of {_title(slug)}"
    return Fix(SECTION, _out(deck, slug, number), f"Take out {what}")


def _swap(deck: _Deck, out: dict[str, int], what: str, colours: Sequence[str]) -> Fix:
    """Another colour in its place, or the card removed where none has room."""
    new = next((slug for slug in colours if slug not in out and deck.room(slug)), None)
    if new is None:
        return Fix(SECTION, out, f"Take out {what}")
    return Fix(SECTION, {**out, new: 1}, f"Swap for {_title(new)}")


def _add(deck: _Deck, number: int, *kinds: str, any: bool = False) -> Fix | None:
    """So many cards of these kinds that fit the deck, in the order of the catalog; with ``any`` of
    both sides. None where there are too few."""
    chosen = _chosen(deck, number, kinds, "KE" if any else deck.side)
    if chosen is None:
        return None
    if number == 1:
        return Fix(SECTION, chosen, f"Add {_title(next(iter(chosen)))}")
    what = f"{number} {PLURALS[kinds[0]]}" if len(kinds) == 1 else counted(number, "card")
    return Fix(SECTION, chosen, f"Add {what}")


def _change_side(deck: _Deck, number: int, *kinds: str) -> Fix | None:
    """The other side's cards for those of the deck's side, so that it has ``number`` of these
    kinds. None where there are too few of them, too."""
    old = deck.side
    new = next(side for side in SIDES if side != old)
    going = [slug for slug in _ordered(deck.cards) if _KINDS[slug][1] == old]
    staying = {slug: count for slug, count in deck.cards.items() if slug not in going}
    rest = _read_deck({SECTION: staying}, deck.format, deck.owned)
    cards = sum(count for kind, count in rest.kinds.items() if kind in kinds)
    chosen = _chosen(rest, number - cards, kinds, new)
    if chosen is None or not any(_warrior_of(slug, new) for slug in (*staying, *chosen)):
        return None
    changes: dict[str, int] = {}
    for slug in going:
        changes |= _out(deck, slug, deck.cards[slug])
    return Fix(SECTION, changes | chosen, f"Make it a deck of {SIDES[new]}")


def _chosen(deck: _Deck, number: int, kinds: Sequence[str], sides: str) -> dict[str, int] | None:
    """So many more cards of these kinds and sides; None where there are too few."""
    chosen: dict[str, int] = {}
    characters: set[str] = set()
    for slug, card in _CARDS.items():
        fits = card.kind == "power" or card["side"] in sides
        if card.kind not in kinds or not fits or sum(chosen.values()) >= number:
            continue
        if deck.format.one_of_a_kind and card["character"] in characters:
            continue
        if room := min(deck.room(slug), number - sum(chosen.values())):
            chosen[slug] = room
            characters.add(card["character"])
    return chosen if sum(chosen.values()) >= number else None


def _most_cards(deck: _Deck, kinds: Sequence[str], *sides: str) -> int:
    """How many cards of these kinds may go into a deck of these sides."""
    nothing = _Deck(deck.format, deck.owned)
    room = {slug: nothing.room(slug) for slug, card in _CARDS.items() if card.kind in kinds}
    if deck.format.one_of_a_kind:
        best = {_CARDS[slug]["character"]: slug for slug, most in room.items() if most}
        room = dict.fromkeys(best.values(), 1)
    return sum(
        most
        for slug, most in room.items()
        if not (side := _KINDS[slug][1])
        or (side in sides and any(nothing.room(other) for other in _WARRIORS[side]))
    )


def _sides_with(deck: _Deck, number: int, kinds: Sequence[str]) -> set[str]:
    """The sides of which so many cards of these kinds may go into a deck."""
    return {side for side in SIDES if _most_cards(deck, kinds, side) >= number}


def _able_sides(deck: _Deck) -> set[str]:
    """The sides whose decks can have the Warriors (BKZ-D-06) and cards (BKZ-D-23) asked for."""
    target, size = deck.format.target, deck.format.set_size
    sides = set(SIDES)
    if not isinstance(target, str):
        sides &= _sides_with(deck, target, ("warrior",))
    if size is not None:
        sides &= _sides_with(deck, size, KINDS)
        if not isinstance(target, str) and target > size:
            return set()
    return sides


def _take_out_any(deck: _Deck, number: int) -> Fix:
    """Surplus copies first, then the last of the catalog first; Warriors last of all (BKZ-D-06)."""
    left = dict(deck.cards)
    label = f"Take out {counted(number, 'card')}"
    last_first = _ordered(deck.cards)[::-1]
    last_first.sort(key=lambda slug: _KINDS[slug][0] == "warrior")
    for keep in (deck.format.copies, 0):
        number = thin(left, last_first, number, keep)
    changes: dict[str, int] = {}
    for slug, count in deck.cards.items():
        if left[slug] < count:
            changes |= _out(deck, slug, count - left[slug])
    return Fix(SECTION, changes, label)
