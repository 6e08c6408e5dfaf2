"""Is this a legal army for Batt'l Kha'os? Section 7 of the rules specification, check by check.

An army has three sections: ``tokens``, ``towers`` and ``field`` (field tiles and special tiles).
Every failed check gives problems of its own, in the order of the rule IDs; a check that concerns
single pieces gives one problem a piece, in the order of the catalog.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rules.engine.cards import load_sets
from rules.engine.deck_checks import (
    CatalogIndex,
    Check,
    Entry,
    changes_to,
    error,
    excess,
    joined,
    known_mode,
    more_than,
    no_cards,
    not_owned,
    sort_out,
    verdict,
)
from rules.engine.legality import (
    Decklist,
    Fix,
    Problem,
    Report,
    counted,
    read_decklist,
    read_format,
)

TOKENS: Final = "tokens"
TOWERS: Final = "towers"
FIELD: Final = "field"
SECTIONS: Final = (TOKENS, TOWERS, FIELD)
UNNAMED: Final = "This deck"
MODES: Final = ("classic", "warband", "army")
FORMAT_OPTIONS: Final = ("specials", "singleton", "core_only")

TOKENS_NEEDED: Final = 5
MUSTER: Final = 12
TOWERS_NEEDED: Final = 4
TOWER_POINTS: Final = 10
FLAGS: Final = 2
TILES_NEEDED: Final = 29
SPECIALS: Final = 2
COPIES: Final = 2
RARE_COPIES: Final = 1
LEAN: Final = 4

_KINDS: Final = {
    "field": "field tile",
    "special": "special tile",
    "tower": "tower",
    "token": "power token",
}
_NOUNS: Final = {TOKENS: "power token", TOWERS: "tower", FIELD: "tile"}

_CARDS = CatalogIndex("games.battl_khaos")
_title, _ordered = _CARDS.title, _CARDS.ordered
_SETS = {card_set.slug: card_set.name for card_set in load_sets("games.battl_khaos")}
_PIECES: Final[Mapping[str, tuple[str, ...]]] = {
    TOKENS: _CARDS.of_kind("token"),
    TOWERS: _CARDS.of_kind("tower"),
    FIELD: _CARDS.of_kind("field", "special"),
}
_KNOWN = {section: frozenset(slugs) for section, slugs in _PIECES.items()}
_HOME = {slug: section for section, slugs in _PIECES.items() for slug in slugs}
_TILES = _CARDS.of_kind("field")
_SPECIALS = frozenset(_CARDS.of_kind("special"))
_BORDER = frozenset(slug for slug, card in _CARDS.items() if "core" not in card.sets)
_MUSTER: Final[Mapping[str, int]] = {slug: _CARDS[slug]["muster"] for slug in _PIECES[TOKENS]}
_VALUE: Final[Mapping[str, int]] = {slug: _CARDS[slug]["value"] for slug in _PIECES[TOWERS]}
_ORC_FLAGS = frozenset(slug for slug in _PIECES[TOWERS] if _CARDS[slug]["flag"] == "O")
_ORCS = {slug: int(_CARDS[slug].attributes.get("orcs", 0)) for slug in _PIECES[FIELD]}
_KNIGHTS = {slug: int(_CARDS[slug].attributes.get("knights", 0)) for slug in _PIECES[FIELD]}
# By how many warriors a tile leans to the orcs.
_LEAN = {slug: _ORCS[slug] - _KNIGHTS[slug] for slug in _PIECES[FIELD]}
_MAX_COPIES = {
    slug: RARE_COPIES if slug in _SPECIALS or _CARDS[slug].rarity == "rare" else COPIES
    for slug in _PIECES[FIELD]
}
# All that the sections of tokens and of towers may be.
_TOKEN_SETS = tuple(
    five
    for five in combinations(_PIECES[TOKENS], TOKENS_NEEDED)
    if sum(_MUSTER[slug] for slug in five) <= MUSTER
)
_TOWER_SETS = tuple(
    four
    for four in combinations(_PIECES[TOWERS], TOWERS_NEEDED)
    if sum(_VALUE[slug] for slug in four) == TOWER_POINTS
    and sum(slug in _ORC_FLAGS for slug in four) == FLAGS
)


def check_deck(
    mode: str,
    decklist: Decklist,
    format: Mapping[str, bool] | None = None,
    *,
    name: str = UNNAMED,
    owned: Mapping[str, int] | None = None,
) -> Report:
    """The verdict on an army for ``mode``.

    ``classic`` is played out of the shared box and nothing is checked; ``warband`` reads only the
    section of tokens, ``army`` all three. ``format`` may switch ``specials`` off and ``singleton``
    and ``core_only`` on (``FORMAT_OPTIONS``; what is left out is as usual). ``owned`` says how many
    of each piece the owner has; without it nobody asks. ``name`` is not used: the messages of
    section 7 speak of the army.

    An entry that is not a piece of the game (BKH-D-01) counts for nothing else, and a piece in the
    wrong section (BKH-D-02) counts in the right one, so that the other problems are those that
    remain when these two are fixed.

    Raises ``UnknownGame`` for another mode, and ``BadData`` for a format or list that cannot be
    read: options or sections that don't exist, counts that are no whole numbers of at least 0.
    """
    options = _read_format(mode, format)
    if mode == "classic":
        return Report()
    read = SECTIONS if mode == "army" else (TOKENS,)
    listed = read_decklist(decklist, SECTIONS)
    army = _Army({section: listed.get(section, {}) for section in read}, options, owned)
    return verdict(_CHECKS[mode], army)


@dataclass(frozen=True, slots=True)
class _Format:
    """The options of the table or event."""

    specials: bool = True
    singleton: bool = False
    core_only: bool = False


def _read_format(mode: str, format: Mapping[str, bool] | None) -> _Format:
    known_mode("Batt'l Kha'os", mode, MODES)
    return _Format(**read_format(format, FORMAT_OPTIONS, FORMAT_OPTIONS))


class _Army:
    """The army that is checked: its sections as ``listed``, and sorted by kind.

    ``unknown`` and ``misplaced`` are (section, entry, count).
    """

    def __init__(
        self,
        listed: Mapping[str, dict[str, int]],
        options: _Format,
        owned: Mapping[str, int] | None,
    ) -> None:
        self.listed = listed
        self.options = options
        self.owned = owned
        cards, self.misplaced, self.unknown = sort_out(listed, _KNOWN)
        for _, slug, count in self.misplaced:
            home = cards[_HOME[slug]]
            home[slug] = home.get(slug, 0) + count
        self.cards = cards
        self.tokens, self.towers, self.field = (cards[section] for section in SECTIONS)

    @property
    def pieces(self) -> dict[str, int]:
        """The pieces that belong to the game, with their counts."""
        return self.field | self.towers | self.tokens

    @property
    def tiles(self) -> int:
        return sum(self.field.values())

    @property
    def lean(self) -> int:
        """By how many warriors the field leans to the orcs."""
        return sum(_LEAN[slug] * count for slug, count in self.field.items())

    def max_copies(self, slug: str) -> int:
        """How many copies of a piece may be in a section, by the rules, the format and its
        owner."""
        if slug in _BORDER and self.options.core_only:
            return 0
        if slug in _SPECIALS and not self.options.specials:
            return 0
        most = 1 if self.options.singleton else _MAX_COPIES.get(slug, 1)
        return most if self.owned is None else max(0, min(most, self.owned.get(slug, 0)))


# All sections


def _only_pieces(army: _Army) -> Iterator[Problem]:
    """BKH-D-01"""
    say = "{} is not a piece of Batt'l Kha'os. Take it out.".format
    return no_cards("BKH-D-01", army.unknown, say)


def _right_section(army: _Army) -> Iterator[Problem]:
    """BKH-D-02"""
    for section, slug, count in sorted(army.misplaced, key=_place):
        title, home = _title(slug), _HOME[slug]
        kind = _KINDS[_CARDS[slug].kind]
        message = f"{title} is a {kind} and cannot be in the section {section}. Move it to {home}."
        fix = Fix(section, {slug: -count}, f"Move {title} to {home}", to=home)
        yield error("BKH-D-02", message, count, 0, fix, (slug,))


def _place(entry: Entry) -> int:
    return _CARDS.place[entry[1]]


def _only_owned(army: _Army) -> Iterator[Problem]:
    """BKH-D-03"""
    pieces, owned = army.pieces, army.owned or {}
    return _too_many(
        "BKH-D-03",
        army,
        not_owned(pieces, army.owned),
        lambda slug: max(owned.get(slug, 0), 0),
        lambda slug, count, have: (
            f"You own {_title(slug)} ×{have}, the army lists it ×{count}. Take out {count - have}."
        ),
    )


def _core_only(army: _Army) -> Iterator[Problem]:
    """BKH-D-41"""
    if not army.options.core_only:
        return
    pieces = army.pieces
    for slug in _ordered(_BORDER & pieces.keys()):
        message = (
            f"{_title(slug)} is from {_SETS[_CARDS[slug].sets[0]]}; "
            "this format allows the Core set only. Swap it."
        )
        fix = _rearranged(army, TOWERS) if slug in army.towers else _swapped(army, slug)
        yield error("BKH-D-41", message, pieces[slug], 0, fix, (slug,))


# Power tokens


def _five_tokens(army: _Army) -> Iterator[Problem]:
    """BKH-D-10"""
    count = sum(army.tokens.values())
    if count != TOKENS_NEEDED:
        message = (
            f"The army has {counted(count, 'power token')}; it needs exactly {TOKENS_NEEDED}. "
            f"{_difference(count, TOKENS_NEEDED)}"
        )
        fix = _rearranged(army, TOKENS)
        yield error("BKH-D-10", message, count, TOKENS_NEEDED, fix)


def _tokens_once(army: _Army) -> Iterator[Problem]:
    """BKH-D-11"""
    for slug in _ordered(more_than(army.tokens, 1)):
        count = army.tokens[slug]
        message = (
            f"{_title(slug)} is in the army ×{count}; each token is allowed once. "
            f"Swap {count - 1} for another token."
        )
        fix = _rearranged(army, TOKENS) or _taken_out(army, slug, count - 1)
        yield error("BKH-D-11", message, count, 1, fix, (slug,))


def _muster(army: _Army) -> Iterator[Problem]:
    """BKH-D-12"""
    muster = sum(_MUSTER[slug] * count for slug, count in army.tokens.items())
    if muster > MUSTER:
        message = (
            f"The power tokens cost {muster} muster; at most {MUSTER} is allowed. "
            "Swap one for a cheaper token."
        )
        cards = _ordered(army.tokens)
        fix = _rearranged(army, TOKENS)
        yield error("BKH-D-12", message, muster, MUSTER, fix, cards)


# Towers


def _four_towers(army: _Army) -> Iterator[Problem]:
    """BKH-D-20"""
    count = sum(army.towers.values())
    if count != TOWERS_NEEDED:
        message = (
            f"The army has {counted(count, 'tower')}; it needs exactly {TOWERS_NEEDED}. "
            f"{_difference(count, TOWERS_NEEDED)}"
        )
        fix = _rearranged(army, TOWERS)
        yield error("BKH-D-20", message, count, TOWERS_NEEDED, fix)


def _towers_once(army: _Army) -> Iterator[Problem]:
    """BKH-D-21"""
    for slug in _ordered(more_than(army.towers, 1)):
        count = army.towers[slug]
        message = (
            f"{_title(slug)} is in the army ×{count}; each tower is allowed once. Swap {count - 1}."
        )
        fix = _rearranged(army, TOWERS) or _taken_out(army, slug, count - 1)
        yield error("BKH-D-21", message, count, 1, fix, (slug,))


def _tower_points(army: _Army) -> Iterator[Problem]:
    """BKH-D-22"""
    points = sum(_VALUE[slug] * count for slug, count in army.towers.items())
    if points != TOWER_POINTS:
        message = (
            f"The towers are worth {counted(points, 'point')} in all; "
            f"they must be worth exactly {TOWER_POINTS}. "
            f"Swap a tower for one worth {'more' if points < TOWER_POINTS else 'less'}."
        )
        cards = _ordered(army.towers)
        fix = _rearranged(army, TOWERS)
        yield error("BKH-D-22", message, points, TOWER_POINTS, fix, cards)


def _flags(army: _Army) -> Iterator[Problem]:
    """BKH-D-23"""
    orcs = sum(count for slug, count in army.towers.items() if slug in _ORC_FLAGS)
    knights = sum(army.towers.values()) - orcs
    if orcs != FLAGS or knights != FLAGS:
        message = (
            f"The towers fly {orcs} orc and {knights} knight flags; {FLAGS} of each are needed. "
            "Swap a tower for the other flag."
        )
        cards = _ordered(army.towers)
        flags = max(orcs, knights) if max(orcs, knights) > FLAGS else min(orcs, knights)
        fix = _rearranged(army, TOWERS)
        yield error("BKH-D-23", message, flags, FLAGS, fix, cards)


# The field


def _field_size(army: _Army) -> Iterator[Problem]:
    """BKH-D-30"""
    count = army.tiles
    if count != TILES_NEEDED:
        message = (
            f"The field has {counted(count, 'tile')}; it needs exactly {TILES_NEEDED}. "
            f"{_difference(count, TILES_NEEDED)}"
        )
        fix = _filled_up(army) if count < TILES_NEEDED else _trimmed(army)
        yield error("BKH-D-30", message, count, TILES_NEEDED, fix)


def _few_specials(army: _Army) -> Iterator[Problem]:
    """BKH-D-31"""
    held = _SPECIALS & army.field.keys()
    count = sum(army.field[slug] for slug in held)
    if count > SPECIALS and army.options.specials:
        message = (
            f"The field has {count} special tiles; at most {SPECIALS} are allowed. "
            f"Take out {count - SPECIALS}."
        )
        edit = _Edit(army)
        edit.trim(held, count - SPECIALS)
        fix = edit.fix()
        yield error("BKH-D-31", message, count, SPECIALS, fix, _ordered(held))


def _specials_once(army: _Army) -> Iterator[Problem]:
    """BKH-D-32"""
    twice = [slug for slug in more_than(army.field, 1) if slug in _SPECIALS]
    return _too_many("BKH-D-32", army, twice, 1, _in_the_field("each special tile is allowed once"))


def _copies(army: _Army) -> Iterator[Problem]:
    """BKH-D-33"""
    if army.options.singleton:
        return iter(())
    many = [slug for slug in more_than(army.field, COPIES) if _MAX_COPIES[slug] == COPIES]
    return _too_many("BKH-D-33", army, many, COPIES, _in_the_field("at most {most} are allowed"))


def _rare_copies(army: _Army) -> Iterator[Problem]:
    """BKH-D-34"""
    if army.options.singleton:
        return iter(())
    many = [
        slug
        for slug in more_than(army.field, RARE_COPIES)
        if _MAX_COPIES[slug] == RARE_COPIES and slug not in _SPECIALS
    ]
    say = _in_the_field("{most} is allowed", "is rare and")
    return _too_many("BKH-D-34", army, many, RARE_COPIES, say)


def _in_balance(army: _Army) -> Iterator[Problem]:
    """BKH-D-35"""
    difference = abs(army.lean)
    if difference > LEAN:
        orcs = sum(_ORCS[slug] * count for slug, count in army.field.items())
        knights = orcs - army.lean
        message = (
            f"The field shows {counted(orcs, 'orc')} and {counted(knights, 'knight')}; "
            f"they may differ by at most {LEAN} (found {difference}). "
            "Swap tiles of the stronger side for tiles of the other."
        )
        yield error("BKH-D-35", message, difference, LEAN, _balanced(army))


def _no_specials(army: _Army) -> Iterator[Problem]:
    """BKH-D-36"""
    if army.options.specials:
        return iter(())
    return _too_many(
        "BKH-D-36",
        army,
        _SPECIALS & army.field.keys(),
        0,
        lambda slug, count, most: (
            f"{_title(slug)} is a special tile, and this table plays without them. Take it out."
        ),
    )


def _tiles_once(army: _Army) -> Iterator[Problem]:
    """BKH-D-40"""
    if not army.options.singleton:
        return iter(())
    say = _in_the_field("this format allows {most}")
    return _too_many("BKH-D-40", army, more_than(army.field, 1), 1, say)


_ALL: Final[tuple[Check[_Army], ...]] = (_only_pieces, _right_section, _only_owned)
_TOKEN_CHECKS: Final[tuple[Check[_Army], ...]] = (_five_tokens, _tokens_once, _muster)
_CHECKS: Final[Mapping[str, tuple[Check[_Army], ...]]] = {
    "warband": (*_ALL, *_TOKEN_CHECKS, _core_only),
    "army": (
        *_ALL,
        *_TOKEN_CHECKS,
        _four_towers,
        _towers_once,
        _tower_points,
        _flags,
        _field_size,
        _few_specials,
        _specials_once,
        _copies,
        _rare_copies,
        _in_balance,
        _no_specials,
        _tiles_once,
        _core_only,
    ),
}


# Words


def _in_the_field(limit: str, what: str = "is") -> Callable[[str, int, int], str]:
    """Too many copies of a tile: found, allowed, and how many go."""
    return lambda slug, count, most: (
        f"{_title(slug)} {what} in the field ×{count}; {limit.format(most=most)}. "
        f"Take out {count - most}."
    )


def _difference(count: int, needed: int) -> str:
    return f"Add {needed - count}." if count < needed else f"Take out {count - needed}."


def _times(slug: str, count: int) -> str:
    return _title(slug) if count == 1 else f"{_title(slug)} ×{count}"


def _listing(counts: Mapping[str, int], noun: str) -> str:
    """Up to three pieces by name, more of them by number."""
    if len(counts) > 3:
        return counted(sum(counts.values()), noun)
    return joined([_times(slug, counts[slug]) for slug in _ordered(counts)])


def _label(changes: Mapping[str, int], noun: str) -> str:
    out = {slug: -change for slug, change in changes.items() if change < 0}
    into = {slug: change for slug, change in changes.items() if change > 0}
    if not out:
        return f"Add {_listing(into, noun)}"
    if not into:
        return f"Take out {_listing(out, noun)}"
    return f"Swap {_listing(out, noun)} for {_listing(into, noun)}"


# Fixes: changes that a page offers as a button. Where there is a choice of pieces to add, it keeps
# to the copies, to the format and to what is owned.


def _too_many(
    rule: str,
    army: _Army,
    slugs: Iterable[str],
    allowed: int | Callable[[str], int],
    say: Callable[[str, int, int], str],
) -> Iterator[Problem]:
    def out(slug: str, number: int) -> Fix | None:
        return _taken_out(army, slug, number)

    return excess(_CARDS, rule, slugs, army.pieces, allowed, say, out)


def _taken_out(army: _Army, slug: str, number: int) -> Fix | None:
    return _fix(army, _HOME[slug], {slug: -number})


def _fix(army: _Army, section: str, changes: Mapping[str, int]) -> Fix | None:
    """The changes as a button; None while a piece that must go lies in a wrong section, from
    where BKH-D-02 moves it first."""
    listed = army.listed.get(section, {})
    if not changes or any(listed.get(slug, 0) + change < 0 for slug, change in changes.items()):
        return None
    return Fix(section, changes, _label(changes, _NOUNS[section]))


def _rearranged(army: _Army, section: str) -> Fix | None:
    """Make the tokens or towers the legal ones that are nearest to those listed."""
    held = army.cards[section]
    wanted: Sequence[str] = ()
    best = -1
    for pieces in _TOKEN_SETS if section == TOKENS else _TOWER_SETS:
        kept = sum(slug in held for slug in pieces)
        if kept > best and all(army.max_copies(slug) for slug in pieces):
            wanted, best = pieces, kept
    if not wanted:
        return None
    return _fix(army, section, changes_to(held, dict.fromkeys(wanted, 1)))


def _filled_up(army: _Army) -> Fix | None:
    edit = _Edit(army)
    return edit.fix() if edit.fill(TILES_NEEDED - army.tiles) else None


def _trimmed(army: _Army) -> Fix | None:
    edit = _Edit(army)
    edit.trim(army.field.keys(), army.tiles - TILES_NEEDED)
    return edit.fix()


def _balanced(army: _Army) -> Fix | None:
    edit = _Edit(army)
    edit.balance()
    return edit.fix()


def _swapped(army: _Army, slug: str) -> Fix | None:
    """Tiles that lean alike in a tile's place, or nothing where there are none."""
    edit = _Edit(army)
    number = min(army.field.get(slug, 0), TILES_NEEDED)
    edit.change(slug, -army.field.get(slug, 0))

    def lean_distance(other: str) -> tuple[int, int]:
        return abs(_LEAN[other] - _LEAN[slug]), edit.held.get(other, 0)

    for _ in range(number):
        if others := [other for other in _TILES if edit.room(other)]:
            edit.change(min(others, key=lean_distance), 1)
    return edit.fix()


class _Edit:
    """A field that is being changed."""

    def __init__(self, army: _Army) -> None:
        self.army = army
        self.held = dict(army.field)
        self.lean = army.lean

    def change(self, slug: str, number: int) -> None:
        self.held[slug] = self.held.get(slug, 0) + number
        self.lean += _LEAN[slug] * number

    def fix(self) -> Fix | None:
        return _fix(self.army, FIELD, changes_to(self.army.field, self.held))

    def room(self, slug: str) -> bool:
        return self.held.get(slug, 0) < self.army.max_copies(slug)

    def surplus(self, slug: str) -> int:
        return max(0, self.held[slug] - self.army.max_copies(slug))

    def off(self, change: int) -> int:
        """By how many warriors too many the sides would differ after a change."""
        return max(0, abs(self.lean + change) - LEAN)

    def fill(self, number: int) -> bool:
        """Add field tiles, new ones first, so that the sides stay or come in balance; False where
        there are too few."""
        for _ in range(number):
            others = [slug for slug in _TILES if self.room(slug)]
            if not others:
                return False
            self.change(
                min(others, key=lambda slug: (self.off(_LEAN[slug]), self.held.get(slug, 0))), 1
            )
        return True

    def trim(self, slugs: Iterable[str], number: int) -> None:
        """Take out copies above what is allowed, then such tiles that the sides stay or come in
        balance; of equal ones the last of the catalog."""
        last_first = _ordered(slugs)[::-1]
        for slug in last_first:
            extra = min(number, self.surplus(slug))
            self.change(slug, -extra)
            number -= extra
        for _ in range(number):
            left = [slug for slug in last_first if self.held[slug]]
            self.change(min(left, key=lambda slug: self.off(-_LEAN[slug])), -1)

    def balance(self) -> None:
        """Swap tiles of the stronger side, for their mirrors where that will do; what no other
        tile can replace goes without."""
        side = 1 if self.lean > 0 else -1
        strong = [slug for slug in _ordered(self.held) if _LEAN[slug] * side > 0]
        for slug in strong:
            needed = -(-self.off(0) // (_LEAN[slug] * side))
            self.change(slug, -min(self.surplus(slug), needed))
        while self.off(0):
            out = {_LEAN[slug]: slug for slug in reversed(strong) if self.held[slug]}
            swaps = [
                (
                    self.off(_LEAN[new] - lean),
                    _mirror(old) != new,
                    abs(lean),
                    _CARDS.place[new],
                    old,
                    new,
                )
                for lean, old in out.items()
                for new in _TILES
                if (lean - _LEAN[new]) * side > 0 and self.room(new)
            ]
            if swaps:
                *_, old, new = min(swaps)
                self.change(new, 1)
            else:
                old = out[max(out, key=abs)]
            self.change(old, -1)


def _mirror(slug: str) -> str:
    """A design's mirror in colours; its own slug where it is its own mirror."""
    return slug[:-1] + {"o": "k", "k": "o"}.get(slug[-1], slug[-1])
