"""House rules that any game's decks can be held to, whatever the game's own rules say.

A format is a mapping of options that the game knows (``Game.format_options``), and may have one
more key, ``house``: ``restricted`` (most copies by card, 0 bans it) with ``reasons`` (a sentence by
card, for messages), ``sets`` (where cards come from), ``owned_only`` (the player has to have the
cards), ``rules`` (in the words of a game's ``deck_rules.toml``), ``name`` and ``version`` (for
messages). All of it becomes rules beside the game's own, judged and mended together with these.
A game whose own rules know restricted lists or sets carries those parts out itself
(``Game.own_house``); each carries out what is owned, where it is told (``owned``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rules.engine.deck_rules import house as house_rules
from rules.engine.deck_rules.house import HouseRule, read_rules
from rules.engine.deck_rules.vocabulary import MAX_NUMBER
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData
from rules.engine.legality import Problem
from rules.engine.modes import Mode

KEYS = ("restricted", "reasons", "sets", "owned_only", "rules", "name", "version")


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
    judged: tuple[HouseRule, ...] = ()
    """The rules, the restricted list and the choice of sets, as decks are judged by them."""


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
    return own, replace(house, judged=_judged(game, mode, house))


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
_read: dict[tuple[str, ...], tuple[HouseRule, ...]] = {}


def read_once(game: GameDefinition, mode: Mode, rows: object) -> tuple[HouseRule, ...]:
    """House rules, read once for all decks that are judged by them and all pages that say them.

    Raises ``BadData``.
    """
    try:
        key = (game.package, mode.slug, json.dumps(rows))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadData("Rules are a list of tables, each with one rule.") from error
    if key not in _read:
        _keep(key, read_rules(game, mode, rows))
    return _read[key]


def _judged(game: GameDefinition, mode: Mode, house: House) -> tuple[HouseRule, ...]:
    """The rules that decks are judged by: the same objects for the same rules, so that what follows
    from them is worked out once."""
    parts = json.dumps([house.restricted, house.sets, [rule.row for rule in house.rules]])
    key = (game.package, mode.slug, parts, house.name, str(house.version))
    if key not in _read:
        own = house_rules.of_format(
            game,
            mode,
            restricted=house.restricted,
            sets=house.sets,
            version=house.version,
        )
        rules = (*house.rules, *own)
        _keep(key, tuple(house_rules.named(rule, house.name) for rule in rules))
    return _read[key]


def _keep(key: tuple[str, ...], rules: tuple[HouseRule, ...]) -> None:
    if len(_read) >= _MAX_READ:
        _read.clear()
    _read[key] = rules


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


def not_asked(house: House) -> Problem:
    """HOUSE-03, a warning: a verdict that leaves out a rule of the format says so."""
    message = (
        f"Own cards were not checked: {house.name} allows only cards that the player owns, and "
        "what this player owns is not known here."
    )
    return Problem("HOUSE-03", "warning", message)
