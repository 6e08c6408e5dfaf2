"""House formats: defined by organisers and staff, changed by new versions only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

import rules
from accounts.errors import MembersOnly
from accounts.models import User
from collection.errors import TooMany, Unacceptable
from core.errors import NotAllowed
from decks.errors import VersionOvertaken
from decks.models import Format, FormatVersion
from decks.queries import format_preview as preview
from decks.queries.format_proof import must_leave_a_deck
from decks.queries.formats import in_full
from decks.services.decks import find_mode
from rules.engine.deck_rules.house import read_rules
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData
from rules.engine.formats import read_house
from rules.engine.game import Game, Mode
from rules.engine.modes import DeckFormat

FORMATS_A_PERSON = 50
NAME_LENGTH = 80
MAX_VERSIONS = 200
SUMMARY_LENGTH = 300
REASON_LENGTH = 200
MAX_RESTRICTED = 500
ANNOUNCED_AHEAD = timedelta(days=731)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a version of a format.

    ``restricted`` gives, by card slug, ``{"most": …, "reason": …}``; ``rules`` are tables in the
    words of a game's ``deck_rules.toml``.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    restricted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sets: Sequence[str] = ()
    owned_only: bool = False
    rules: Sequence[Mapping[str, Any]] = ()


@transaction.atomic
def create_format(
    *,
    by: User,
    game: str,
    mode: str,
    name: str,
    rules_of: Rules,
    summary: str = "",
    listed: bool = True,
    house: bool = False,
) -> Format:
    """Define a format for a mode; ``house`` makes it the site's own, which takes staff.

    Raises ``BadDeck`` for a mode without decks, ``MembersOnly``, ``NotAllowed``, ``TooMany`` and
    ``Unacceptable``, also where no legal deck is found.
    """
    if by.is_guest:
        raise MembersOnly("Formats need an account. Sign up: you keep everything.")
    if house and not by.is_staff:
        raise NotAllowed("Only staff can create official formats.")
    known, of_mode = find_mode(game, mode)
    tidy = _name(name)
    checked = checked_rules(known, of_mode, rules_of)
    prove(known, of_mode, checked, by, tidy)
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    if not house and Format.objects.filter(owner=by, retired=False).count() >= FORMATS_A_PERSON:
        raise TooMany(f"You already have {FORMATS_A_PERSON} formats. Retire one first.")
    format = Format.objects.create(
        owner=None if house else by,
        game=game,
        mode=mode,
        name=tidy,
        summary=_short(summary, "A description", SUMMARY_LENGTH),
        listed=listed,
    )
    _write_version(format, 1, checked, "", timezone.now())
    return format


@transaction.atomic
def publish_version(
    *,
    format: Format,
    by: User,
    rules_of: Rules,
    note: str = "",
    valid_from: datetime | None = None,
    name: str | None = None,
    summary: str | None = None,
    follows: int | None = None,
) -> FormatVersion:
    """Give a format new rules from now on, or from a later moment; older ones stay readable.

    Until then the version before it holds. A version that was announced for a later moment than
    this one never comes to hold. Publishing again what already holds, or is announced for the same
    moment, makes no version. ``name`` and ``summary`` change at once, for all versions. ``follows``
    is the number of the version that its author began from. Raises ``NotAllowed``,
    ``VersionOvertaken`` where a newer one has come meanwhile, ``TooMany``, and ``Unacceptable``,
    also for a name of a format that its game defines.
    """
    _must_own(format, by)
    must_be_offered(format)
    game, mode = find_mode(format.game, format.mode)
    checked = checked_rules(game, mode, rules_of)
    prove(game, mode, checked, by, format.name)
    format = Format.objects.select_for_update().get(pk=format.pk)
    must_be_offered(format)
    now = timezone.now()
    begins = now if valid_from is None else valid_from
    if begins < now:
        raise Unacceptable("A version takes effect now or on a later day.")
    if begins > now + ANNOUNCED_AHEAD:
        raise Unacceptable("A version can be announced up to two years ahead.")
    latest = format.versions.order_by("-number").first()
    counts = latest is not None and (latest.valid_from <= now or latest.valid_from == begins)
    repeats = latest is not None and counts and _same(latest, checked)
    number = 0 if latest is None else latest.number
    if follows is not None and follows != number and not repeats:
        raise VersionOvertaken(number)
    _describe(format, name, summary)
    if latest is not None and repeats:
        return latest
    number += 1
    if number > MAX_VERSIONS:
        raise TooMany(f"A format has up to {MAX_VERSIONS} versions. Create a new one.")
    return _write_version(format, number, checked, note, begins)


def _describe(format: Format, name: str | None, summary: str | None) -> None:
    """Give a format another name or description; the game's own keep theirs."""
    tidy = format.name if name is None else _name(name)
    about = format.summary
    if summary is not None:
        about = _short(summary, "A description", SUMMARY_LENGTH)
    if (tidy, about) == (format.name, format.summary):
        return
    if format.defined_as:
        raise Unacceptable("The game defines the name and description of this format.")
    format.name, format.summary = tidy, about
    format.save(update_fields=["name", "summary"])


def _short(text: str, noun: str, length: int) -> str:
    """A text without spaces around it; raises ``Unacceptable`` for one that is too long."""
    tidy = text.strip()
    if len(tidy) > length:
        raise Unacceptable(f"{noun} can have up to {length} characters; this has {len(tidy)}.")
    return tidy


def _name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > NAME_LENGTH:
        raise Unacceptable(f"A format name has 1 to {NAME_LENGTH} characters.")
    return tidy


@transaction.atomic
def write_game_formats() -> None:
    """Write the formats that games define. A later version that staff published stays in force.

    A list with a higher version number than any so far becomes a new version; a format that its
    game no longer has is retired. Doing it again changes nothing.
    """
    kept = []
    for slug, game in rules.games().items():
        for defined in game.deck_formats:
            for mode in defined.modes:
                about = {
                    "name": defined.name,
                    "summary": defined.summary,
                    "default": defined.default,
                    "retired": False,
                }
                format, _ = Format.objects.update_or_create(
                    game=slug, mode=mode, defined_as=defined.slug, defaults=about
                )
                kept.append(format.pk)
                last = format.versions.aggregate(last=Max("number"))["last"] or 0
                if (number := max(defined.version, 1)) > last:
                    checked = checked_rules(game, game.mode(mode), _defined(defined))
                    _write_version(format, number, checked, "", timezone.now())
    gone = Format.objects.exclude(defined_as="").exclude(pk__in=kept)
    gone.filter(retired=False).update(retired=True, default=False)


def prove(game: Game, mode: Mode, rules_of: Rules, by: User, name: str) -> None:
    """Raises ``Unacceptable`` with the reason where the rules seem to leave no legal deck."""
    decks = preview.own_decks(by, game.slug, mode.slug)
    must_leave_a_deck(game, mode, in_full(rules_of, name, 1), [deck.cards for deck in decks])


def _defined(defined: DeckFormat) -> Rules:
    """The rules of a format that a game defines. What its options restrict is judged by them."""
    restricted = {} if defined.options else defined.restricted
    return Rules(
        options=defined.options,
        restricted={
            card: {"most": most, "reason": defined.reason} for card, most in restricted.items()
        },
        sets=defined.sets,
        owned_only=defined.owned_only,
        rules=defined.rules,
    )


@transaction.atomic
def retire_format(*, format: Format, by: User) -> None:
    """Offer a format no longer. What was judged by it stays readable. Again changes nothing."""
    _must_own(format, by)
    Format.objects.filter(pk=format.pk).update(retired=True)


def must_be_offered(format: Format) -> None:
    """Raises ``Unacceptable`` for a retired format: nobody can choose it any longer."""
    if format.retired:
        raise Unacceptable(
            f"{format.name} is retired, so it gets no new version. Create a new format instead: "
            "import its TOML."
        )


def _must_own(format: Format, by: User) -> None:
    if format.owner_id != by.pk and not (format.owner_id is None and by.is_staff):
        raise NotAllowed("Only its creator can edit a format.")


def _columns(rules_of: Rules) -> dict[str, Any]:
    """Rules as a version stores them."""
    return {
        "options": dict(rules_of.options),
        "restricted": {card: dict(row) for card, row in rules_of.restricted.items()},
        "sets": list(rules_of.sets),
        "owned_only": rules_of.owned_only,
        "rules": [dict(row) for row in rules_of.rules],
    }


def _same(version: FormatVersion, rules_of: Rules) -> bool:
    columns = _columns(rules_of)
    return all(getattr(version, name) == value for name, value in columns.items())


def _write_version(
    format: Format, number: int, rules_of: Rules, note: str, valid_from: datetime
) -> FormatVersion:
    return FormatVersion.objects.create(
        format=format,
        number=number,
        valid_from=valid_from,
        note=_short(note, "A note", SUMMARY_LENGTH),
        **_columns(rules_of),
    )


def proposed_sentence(game: GameDefinition, mode: Mode, row: Mapping[str, Any]) -> str:
    """The sentence for a deck that breaks a rule, where its organiser writes none.

    "" while the rule cannot be read.
    """
    try:
        (rule,) = read_rules(game, mode, [row])
    except BadData:
        return ""
    return rule.proposed


def checked_rules(game: Game, mode: Mode, rules_of: Rules) -> Rules:
    """The rules with what says nothing left out; raises ``Unacceptable``."""
    known = {option.slug: option for option in game.format_options_for(mode)}
    options: dict[str, Any] = {}
    for slug, value in rules_of.options.items():
        if slug not in known:
            choices = f" Options: {', '.join(known)}." if known else ""
            raise Unacceptable(f"{game.name}: {mode.name} has no format option “{slug}”.{choices}")
        try:
            checked = known[slug].checked(value)
        except BadData as error:
            raise Unacceptable(str(error)) from error
        if checked is not None:
            options[slug] = checked
    if len(rules_of.restricted) > MAX_RESTRICTED:
        raise Unacceptable(f"A restricted list can have up to {MAX_RESTRICTED} cards.")
    try:
        most = {card: row["most"] for card, row in rules_of.restricted.items()}
        house_rules = {
            "restricted": most,
            "sets": list(rules_of.sets),
            "rules": list(rules_of.rules),
        }
        house = read_house(game, mode, house_rules)
        # The game has the last word on what does not go together.
        report = game.check_format(mode.slug, {**options, "house": house_rules})
    except (BadData, KeyError, TypeError) as error:
        raise Unacceptable(str(error)) from error
    if not report.legal:
        raise Unacceptable(" ".join(problem.message for problem in report.errors))
    restricted = {
        card: {
            "most": most,
            "reason": _short(
                str(rules_of.restricted[card].get("reason", "")),
                f"The reason for {game.title(card)}",
                REASON_LENGTH,
            ),
        }
        for card, most in house.restricted.items()
    }
    rows = [rule.row for rule in house.rules]
    return Rules(options, restricted, house.sets, bool(rules_of.owned_only), rows)
