"""House rules that any game's decks can be held to, whatever the game's own rules say.

A format is a mapping of options that the game knows (``Game.format_options``), and may have one
more key, ``house``: ``restricted`` (most copies by card, 0 bans it) with ``reasons`` (a sentence by
card, for messages), ``sets`` (where cards come from), ``owned_only`` (the player has to have the
cards), ``rules`` (in the words of ``rules.engine.house_rules``), ``name`` and ``version`` (for
messages).
A game whose own rules know restricted lists or sets carries those parts out itself
(``Game.own_house``); each carries out what is owned, where it is told (``owned``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData
from rules.engine.house_rules import HouseRule, judge, read_rules
from rules.engine.house_rules.cures import Cures, Verdict
from rules.engine.house_rules.vocabulary import MAX_NUMBER
from rules.engine.legality import Decklist, Fix, Problem, SearchedProblem, apply_fix
from rules.engine.modes import Mode

KEYS = ("restricted", "reasons", "sets", "owned_only", "rules", "name", "version")
UNLIMITED = 1_000_000_000


@dataclass(frozen=True, slots=True)
class House:
    """House rules, read and found sound."""

    restricted: Mapping[str, int] = field(default_factory=dict)
    sets: tuple[str, ...] = ()
    name: str = "this format"
    version: int = 1
    owned_only: bool = False
    reasons: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """How many copies of a restricted card are allowed, and why no more."""
    rules: tuple[HouseRule, ...] = ()


def split(
    game: GameDefinition, mode: Mode, format: Mapping[str, Any] | None
) -> tuple[Mapping[str, Any] | None, House | None]:
    """The game's own options of a format, and the house rules that are left for us.

    Raises ``BadData`` when the house rules cannot be read or name what the game does not have.
    """
    if not isinstance(format, Mapping) or "house" not in format:
        return format, None
    own = {key: value for key, value in format.items() if key != "house"}
    wanted = format["house"]
    if not isinstance(wanted, Mapping) or not set(wanted) <= set(KEYS):
        raise BadData(f"House rules are an object with some of {', '.join(KEYS)}.")
    house = read_house(game, mode, wanted)
    if "restricted" in game.own_house and house.restricted:
        own |= {"restricted": dict(house.restricted), "version": house.version}
        house = replace(house, restricted={})
    if "sets" in game.own_house and house.sets:
        own |= {"sets": list(house.sets), "name": house.name}
        house = replace(house, sets=())
    return own, house


def read_house(game: GameDefinition, mode: Mode, wanted: Mapping[str, Any]) -> House:
    """House rules from plain data; raises ``BadData`` with a sentence for an organiser."""
    restricted = wanted.get("restricted") or {}
    sets = wanted.get("sets") or ()
    name, version = wanted.get("name") or "this format", wanted.get("version", 1)
    owned_only = wanted.get("owned_only", False)
    if not isinstance(restricted, Mapping):
        raise BadData("A restricted list is an object of cards and how many copies are allowed.")
    for card, most in restricted.items():
        if card not in game.catalog:
            raise BadData(f"The restricted list names “{card}”, which is no card of {game.name}.")
        if type(most) is not int or not 0 <= most <= MAX_NUMBER:
            raise BadData(
                f"The restricted list allows {most!r} of “{card}”; say 0 to {MAX_NUMBER:,}."
            )
    known = list(game.set_names)
    # Not as a set: what comes from outside may be a list of lists.
    if not isinstance(sets, (list, tuple)) or not all(slug in known for slug in sets):
        raise BadData(f"Sets are some of {', '.join(sorted(known))}.")
    if not isinstance(name, str) or type(version) is not int or version < 1:
        raise BadData("A format has a name, and a version that counts from 1.")
    if not isinstance(owned_only, bool):
        raise BadData(f"Only own cards is true or false, not {owned_only!r}.")
    sentences = wanted.get("reasons") or {}
    if not isinstance(sentences, Mapping) or not all(
        isinstance(why, str) for why in sentences.values()
    ):
        raise BadData("Reasons are an object of restricted cards and a sentence for each.")
    reasons = {
        card: (restricted[card], why) for card, why in sentences.items() if card in restricted
    }
    rules = read_once(game, mode, wanted.get("rules") or [])
    return House(dict(restricted), tuple(sets), name, version, owned_only, reasons, rules)


_MAX_READ = 256
_read: dict[tuple[str, str, str], tuple[HouseRule, ...]] = {}


def read_once(game: GameDefinition, mode: Mode, rows: object) -> tuple[HouseRule, ...]:
    """House rules, read once for all decks that are judged by them and all pages that say them.

    Raises ``BadData``.
    """
    try:
        key = (game.package, mode.slug, json.dumps(rows))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadData("Rules are a list of tables, each with one rule.") from error
    if key not in _read:
        rules = read_rules(game, mode, rows)
        if len(_read) >= _MAX_READ:
            _read.clear()
        _read[key] = rules
    return _read[key]


def with_reasons(house: House, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems, each with the organiser's own words where a restricted card is the matter,
    whoever carries the restricted list out."""
    return tuple(map(partial(_with_reason, house), problems))


def _with_reason(house: House, problem: Problem) -> Problem:
    if len(problem.cards) != 1 or problem.severity != "error" or problem.rule.startswith("H-"):
        return problem
    most, why = house.reasons.get(problem.cards[0], (None, ""))
    if not why or problem.allowed != most or (problem.found or 0) <= (most or 0):
        return problem
    end = "" if why.endswith((".", "!", "?")) else "."
    return replace(problem, message=f"{problem.message} The organiser’s reason: {why}{end}")


def allowed_copies(
    game: GameDefinition, house: House, owned: Mapping[str, int] | None
) -> dict[str, int]:
    """How many copies of each card the house rules and the owner's collection leave."""
    left = dict.fromkeys(game.catalog, UNLIMITED) if owned is None else dict(owned)
    limits = judge.copies_allowed(house.rules)
    for card, about in game.catalog.items():
        known = not house.sets or set(about.sets) & set(house.sets)
        most = house.restricted.get(card, UNLIMITED) if known else 0
        most = min(most, limits.get(card, UNLIMITED))
        # Some cards need not be owned: only a ban says so of what the owner has none of.
        if card in left or not most:
            left[card] = min(most, left.get(card, 0))
    return left


def house_problems(
    game: GameDefinition,
    decklist: Decklist,
    house: House,
    own_verdict: Verdict,
    *,
    asked_owner: bool,
) -> Iterator[Problem]:
    """The problems of a list by the house rules: rule by rule, in the order of the catalog.

    ``asked_owner`` says whether the game's own rules were told what the player owns.
    """
    yield from _too_many(game, decklist, house, own_verdict)
    if house.sets:
        yield from _foreign(game, decklist, house, own_verdict)
    if house.owned_only and not asked_owner:
        yield _not_asked(house)


def rule_problems(
    game: GameDefinition,
    mode: Mode,
    decklist: Decklist,
    house: House,
    own_verdict: Verdict,
    problems: tuple[Problem, ...],
    *,
    name: str,
    owned: Mapping[str, int] | None,
) -> tuple[Problem, ...]:
    """The game's own problems with fixes that keep to the house rules, then those of the rules."""
    allowed = allowed_copies(game, house, owned)
    cures = Cures(game, mode, decklist, house.rules, own_verdict, allowed)
    kept = [
        SearchedProblem(
            problem.rule,
            problem.severity,
            problem.message,
            problem.cards,
            problem.found,
            problem.allowed,
            partial(_kept, cures, problem),
        )
        for problem in problems
    ]
    cards = judge.counted(decklist)
    broken = judge.problems(house.rules, cards, name, house.name, cures.cure)
    return (*kept, *broken)


def _kept(cures: Cures, problem: Problem) -> Fix | None:
    return cures.kept(problem.fix)


def _too_many(
    game: GameDefinition, decklist: Decklist, house: House, own_verdict: Verdict
) -> Iterator[Problem]:
    """HOUSE-01: no more copies of a card than the restricted list allows, all sections together."""
    for card in game.catalog:
        if card not in house.restricted:
            continue
        allowed = house.restricted[card]
        count = sum(cards.get(card, 0) for cards in decklist.values())
        if count <= allowed:
            continue
        title = game.catalog[card].title
        ban = (
            f"{title} is not allowed in {house.name}: {count} in the deck, 0 allowed."
            if not allowed
            else f"{title}: {count} in the deck, {allowed} allowed by the restricted list"
            f" (version {house.version})."
        )
        yield Problem(
            "HOUSE-01",
            "error",
            f"{ban} Take out {count - allowed}.",
            (card,),
            count,
            allowed,
            _out(game, decklist, card, count - allowed, own_verdict),
        )


def _foreign(
    game: GameDefinition, decklist: Decklist, house: House, own_verdict: Verdict
) -> Iterator[Problem]:
    """HOUSE-02: only cards that appear in one of the format's sets."""
    allowed = " or ".join(game.set_names[slug] for slug in house.sets)
    for card, about in game.catalog.items():
        count = sum(cards.get(card, 0) for cards in decklist.values())
        if not count or set(about.sets) & set(house.sets):
            continue
        yield Problem(
            "HOUSE-02",
            "error",
            f"{about.title} is not in {allowed}, and {house.name} allows no other set: "
            f"{count} in the deck, 0 allowed. Take out {count}.",
            (card,),
            count,
            0,
            _out(game, decklist, card, count, own_verdict),
        )


def _not_asked(house: House) -> Problem:
    """HOUSE-03, a warning: a verdict that leaves out a rule of the format says so."""
    message = (
        f"Own cards were not checked: {house.name} allows only cards that the player owns, and "
        "what this player owns is not known here."
    )
    return Problem("HOUSE-03", "warning", message)


def _out(
    game: GameDefinition, decklist: Decklist, card: str, count: int, own_verdict: Verdict
) -> Fix:
    """Take copies out of the section that misses them least; what is left over, the next time."""

    def out_of(section: str) -> Fix:
        number = min(count, decklist[section][card])
        return Fix(section, {card: -number}, f"Take out {game.index.copies(number, card)}")

    fixes = [out_of(section) for section, cards in decklist.items() if cards.get(card, 0)]
    if len(fixes) == 1:
        return fixes[0]
    return min(fixes, key=lambda fix: len(own_verdict(apply_fix(decklist, fix)).errors))
