"""Reading house formats, and putting them into the form that the rules take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Protocol

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

import rules
from accounts.models import User
from collection.errors import NotFound
from collection.models import Holding
from core.serializers import Doc, component, from_row
from decks.models import Deck, Format, FormatVersion
from rules.engine.errors import BadData, UnknownGame
from rules.engine.formats import read_once
from rules.engine.game import FormatOption, Game


def formats() -> QuerySet[Format]:
    """Formats with their versions, the newest version first."""
    versions = FormatVersion.objects.order_by("-number")
    return Format.objects.select_related("owner").prefetch_related(
        Prefetch("versions", queryset=versions)
    )


def offered(user: User | AnonymousUser, game: str = "", mode: str = "") -> QuerySet[Format]:
    """Formats that a person may choose: the house's, the listed ones, and the person's own."""
    seen = Q(owner=None) | Q(listed=True)
    if isinstance(user, User):
        seen |= Q(owner=user)
    rows = formats().filter(seen, retired=False)
    if game:
        rows = rows.filter(game=game)
    if mode:
        rows = rows.filter(mode=mode)
    return rows


def format_of(slug: str) -> Format:
    """A format by its address, retired and unlisted ones too; raises ``NotFound``."""
    format = formats().filter(slug=slug).first()
    if format is None:
        raise NotFound("Format not found.")
    return format


def present(format: Format, at: datetime | None = None) -> FormatVersion:
    """The version in force now, or at another moment: of those whose day has come, the newest."""
    moment = at or timezone.now()
    versions = list(format.versions.all())
    return next((version for version in versions if version.valid_from <= moment), versions[-1])


def version_of(slug: str, number: int = 0) -> FormatVersion:
    """A version of a format by its number, else the one in force; raises ``NotFound``."""
    format = format_of(slug)
    if not number:
        return present(format)
    for version in format.versions.all():
        if version.number == number:
            return version
    raise NotFound(f"{format.name} has no version {number}.")


@dataclass(frozen=True, slots=True)
class History:
    """A format's versions as they stand now, the newest first: which holds, which are announced for
    a later day, which held earlier, and which a newer one replaced before their day came."""

    present: FormatVersion
    announced: tuple[FormatVersion, ...] = ()
    earlier: tuple[FormatVersion, ...] = ()
    replaced: tuple[FormatVersion, ...] = ()

    @property
    def next(self) -> FormatVersion | None:
        """The announced version whose day comes first."""
        return self.announced[-1] if self.announced else None


def history(format: Format) -> History:
    """How the versions of a format stand."""
    holds = present(format)
    announced, earlier, replaced = [], [], []
    soonest = None
    for version in format.versions.all():
        if soonest is not None and version.valid_from >= soonest:
            replaced.append(version)
            continue
        soonest = version.valid_from
        if version.number > holds.number:
            announced.append(version)
        elif version.number < holds.number:
            earlier.append(version)
    return History(holds, tuple(announced), tuple(earlier), tuple(replaced))


def default_of(game: str, mode: str) -> FormatVersion | None:
    """The version in force of the format that deck checks of a mode use by default, if any."""
    format = formats().filter(game=game, mode=mode, default=True, retired=False).first()
    return present(format) if format else None


class FormatRules(Protocol):
    """The rules of a format, written down as a version or about to be."""

    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def restricted(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def sets(self) -> Sequence[str]: ...
    @property
    def owned_only(self) -> bool: ...
    @property
    def rules(self) -> Sequence[Mapping[str, Any]]: ...


def rules_format(version: FormatVersion | None) -> dict[str, Any] | None:
    """The format for ``check_deck``: the game's own options, and the house rules beside them."""
    if version is None:
        return None
    return in_full(version, version.format.name, version.number) or None


def in_full(rules_of: FormatRules, name: str, number: int) -> dict[str, Any]:
    """Rules as ``check_deck`` takes them, under a name and a version's number."""
    options: dict[str, Any] = dict(rules_of.options)
    most = {card: row["most"] for card, row in rules_of.restricted.items()}
    if most or rules_of.sets or rules_of.owned_only or rules_of.rules:
        options["house"] = {
            "restricted": most,
            "reasons": {
                card: why for card, row in rules_of.restricted.items() if (why := row.get("reason"))
            },
            "sets": list(rules_of.sets),
            "owned_only": rules_of.owned_only,
            "rules": [dict(row) for row in rules_of.rules],
            "name": name,
            "version": number,
        }
    return options


def house_of(deck: Deck, *, owned_only: bool = False) -> FormatVersion | None:
    """The house format of a deck as it is now, if it has one (that asks for own cards)."""
    if deck.house is None or (deck.house.game, deck.house.mode) != (deck.game, deck.mode):
        return None
    version = present(deck.house)
    return version if version.owned_only or not owned_only else None


def asks_owner(format: Mapping[str, Any] | None) -> bool:
    """True if a format in full allows own cards only."""
    house = (format or {}).get("house")
    return isinstance(house, Mapping) and house.get("owned_only") is True


def owned_cards(user: User, game: str) -> dict[str, int]:
    """How many of each card of a game a person has, digital or physical."""
    rows = Holding.objects.filter(owner=user, card__game__slug=game, quantity__gt=0)
    return dict(rows.values_list("card__slug", "quantity"))


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule of a format in words; ``rule`` is the ID that its problems carry."""

    rule: str
    words: str
    points: tuple[tuple[str, str, int], ...] = ()
    """Slug, title and points of the cards of a points list."""


def clauses(version: FormatVersion) -> list[Clause]:
    """Describe a version in words, restricted cards aside."""
    game = rules.games().get(version.format.game)
    return [] if game is None else clauses_of(game, version.format.mode, version)


def clauses_of(game: Game, mode: str, version: FormatRules) -> list[Clause]:
    """Describe rules for a mode in words, restricted cards aside."""
    listed = []
    for option in game.format_options:
        value = version.options.get(option.slug)
        if value is not None:
            listed.append(Clause(option.rule, _said(option, value)))
    if version.sets:
        sets = ", ".join(game.set_names.get(slug, slug) for slug in version.sets)
        listed.append(Clause("HOUSE-02", f"Only cards of {sets}"))
    if version.owned_only:
        listed.append(Clause("", "Only cards that the player owns"))
    try:
        house = read_once(game, game.mode(mode), list(version.rules))
    except (BadData, UnknownGame):
        # A version stays what it was when the game has lost a card that it names.
        house = ()
    return listed + [
        Clause(
            rule.id,
            rule.plain.rstrip("."),
            tuple((slug, game.title(slug), number) for slug, number in rule.points.items()),
        )
        for rule in house
    ]


def _said(option: FormatOption, value: Any) -> str:
    """Describe the value of an option in words."""
    if option.kind == "switch":
        words = f"{option.name}: {option.help}" if option.help else option.name
        return words.rstrip(".")
    if option.kind == "subset":
        chosen = option.usual if value is True else value
        return f"{option.name}: {', '.join(option.word(word) for word in chosen)}"
    return f"{option.name}: {option.word(value)}"


def _listed_by_game(game: Game | None, version: FormatVersion) -> dict[str, dict[str, Any]]:
    """Cards that the version's options restrict by a list of the game's own."""
    listed: dict[str, dict[str, Any]] = {}
    for defined in game.deck_formats if game else ():
        if defined.restricted and defined.options.items() <= version.options.items():
            for card, most in defined.restricted.items():
                listed[card] = {"most": most, "reason": defined.reason}
    return listed


def restricted_cards(version: FormatVersion) -> list[tuple[str, str, int, str]]:
    """Slug, title, most copies and reason of each restricted card, in catalog order."""
    game = rules.games().get(version.format.game)
    catalog = game.catalog if game else {}
    order = {slug: number for number, slug in enumerate(catalog)}
    restricted = _listed_by_game(game, version) | version.restricted
    rows = sorted(restricted.items(), key=lambda row: order.get(row[0], len(order)))
    return [
        (slug, catalog[slug].title if slug in catalog else slug, row["most"], row["reason"])
        for slug, row in rows
    ]


# Formats as the API tells them


@component("FormatVersion")
@dataclass(frozen=True, slots=True)
class VersionShown:
    """A version of a format; it never changes."""

    number: Annotated[int, Doc("Counts from 1.")]
    options: Annotated[Any, Doc("The game’s own format options.")]
    restricted: Annotated[Any, Doc("Maximum copies and a reason, by card slug; 0 bans the card.")]
    restricted_by_options: Annotated[Any, Doc("The cards that the options restrict, likewise.")]
    sets: Annotated[Any, Doc("Allowed sets; empty: all.")]
    owned_only: Annotated[bool, Doc("Only cards that the player owns.")]
    rules: Annotated[Any, Doc("Rules as data, each with its ID: see `docs/house-formats.md`.")]
    valid_from: datetime
    note: Annotated[str, Doc("What changed, and why.")]


@component("Format")
@dataclass(frozen=True, slots=True)
class FormatShown:
    """A format, the newest version first."""

    slug: str
    game: str
    mode: str
    name: str
    summary: str
    owner: str | None
    listed: Annotated[bool, Doc("Shown to everyone who builds a deck.")]
    retired: Annotated[bool, Doc("No longer selectable; still readable.")]
    version: Annotated[
        int,
        Doc(
            "The version in effect: the newest whose `valid_from` has passed. A newer one is "
            "announced."
        ),
    ]
    versions: list[VersionShown]
    check_format: Annotated[
        dict[str, Any] | None,
        Doc("Send as `format` when checking a deck."),
    ]


def formats_shown(rows: Iterable[Format]) -> list[FormatShown]:
    """Formats that were read with their versions."""
    return [
        from_row(
            FormatShown,
            format,
            owner=format.owner.username if format.owner else None,
            version=present(format).number,
            versions=[
                from_row(
                    VersionShown,
                    version,
                    restricted_by_options=_listed_by_game(rules.games().get(format.game), version),
                )
                for version in format.versions.all()
            ],
            check_format=rules_format(present(format)),
        )
        for format in rows
    ]


def format_shown(slug: str) -> FormatShown:
    """One of them; raises ``NotFound``."""
    return formats_shown([format_of(slug)])[0]
