"""Announcing a tournament, changing what was announced, cancelling it, writing to its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.db import transaction
from django.utils import timezone

from accounts.errors import MembersOnly
from accounts.models import User
from accounts.queries.people import person
from collection.queries import packs
from core.errors import NotAllowed
from core.serializers import Doc
from decks.models import CheckedDeck, DeckCheck
from decks.queries import checks as check_queries
from decks.queries import formats
from decks.services import checks
from matches import engine
from matches.errors import NotPossible as NoSuchMatch
from matches.models import Match, Series, SeriesTerms, TimeControl
from matches.queries.seat_decks import compatible_starters
from notices.kinds import Kind
from notices.services.notices import notify, retract
from rules.engine.chance import commitment
from rules.engine.errors import BadSetup
from rules.engine.game import Game, Mode
from tournaments import divisions, pairing
from tournaments.errors import NotNow, NotPossible
from tournaments.models import (
    ABOUT_LENGTH,
    TITLE_LENGTH,
    Entry,
    EntryState,
    Message,
    Round,
    State,
    Structure,
    Tournament,
)
from tournaments.services import ladder_places
from tournaments.services.limited_terms import (
    LimitedTerms,
    check_evening,
    limited_for,
    limited_of,
    required_options,
)
from tournaments.services.locking import checked_reason, lock_as_organiser

OPEN_A_PERSON = 20
"""So many tournaments of a person's own may be announced or running."""
HELPERS = 10
MAX_ENTRIES = 2048
MAX_ROUND_ROBIN = 8
MAX_ROUNDS = 20
MAX_DAYS = 60
MIN_MINUTES, MAX_MINUTES = 10, 180
AHEAD = timedelta(days=366)
CUTS = (0, 4, 8, 16)
MESSAGE_LENGTH = 1000


COPIED = (
    "about", "structure", "cut", "twice", "third_place", "time_control", "round_days",
    "round_minutes",
    "min_entries", "max_entries", "rating_from", "rating_to", "late_entry", "listed",
    "shows_decks", "needs_channel",
)  # fmt: skip
"""Fields that a copy of a tournament, or its next season, takes over as they are."""


@dataclass(frozen=True, slots=True)
class Prize:
    """Packs for everyone from the first of these places to the last."""

    first: Annotated[int, Doc(min_value=1, max_value=MAX_ENTRIES)]
    last: Annotated[int, Doc(min_value=1, max_value=MAX_ENTRIES)]
    product: Annotated[str, Doc("A product with packs of the game.", max_length=60)]
    count: Annotated[int, Doc(min_value=1, max_value=20)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """A tournament's announcement."""

    title: Annotated[str, Doc(max_length=TITLE_LENGTH)]
    game: Annotated[str, Doc(max_length=50)]
    mode: Annotated[str, Doc(max_length=50)]
    structure: Annotated[str, Doc(choices=Structure.choices)]
    closes_at: Annotated[datetime, Doc("Registration closes.")]
    starts_at: Annotated[datetime, Doc("The first round is paired.")]
    opens_at: Annotated[
        datetime | None, Doc("Registration opens; null: at once.", allow_null=True)
    ] = None
    about: Annotated[str, Doc("Rules of conduct and the like.", max_length=ABOUT_LENGTH)] = ""
    options: Annotated[dict[str, Any] | None, Doc("See the mode's options.")] = None
    format: Annotated[str, Doc("The slug of a custom format.", max_length=50)] = ""
    deck_check: Annotated[
        str,
        Doc(
            "The slug of a deck check of your own for this event; players who submitted "
            "a deck there are entered. Default: a new one.",
            max_length=20,
        ),
    ] = ""
    time_control: Annotated[str, Doc(choices=TimeControl.choices)] = TimeControl.STEADY
    rounds: Annotated[
        int | None,
        Doc(
            "Swiss and pods: rounds without the final ones; null: as many as the entries ask for.",
            allow_null=True,
            min_value=1,
            max_value=MAX_ROUNDS,
        ),
    ] = None
    cut: Annotated[int, Doc("Swiss: how many play the final rounds.", choices=CUTS)] = 0
    twice: Annotated[bool, Doc("Round robin and league: all players meet twice.")] = False
    division_size: Annotated[
        int | None,
        Doc(
            "League: players per division, about; null: 8.",
            allow_null=True,
            min_value=divisions.MIN_DIVISION,
            max_value=divisions.MAX_DIVISION,
        ),
    ] = None
    moving: Annotated[
        int | None,
        Doc(
            "League: players promoted and relegated between two divisions; null: 2.",
            allow_null=True,
            min_value=0,
            max_value=divisions.MAX_MOVING,
        ),
    ] = None
    third_place: Annotated[bool, Doc("Third-place match.")] = False
    table_size: Annotated[
        int | None,
        Doc("Pods: players per table.", allow_null=True, min_value=3, max_value=8),
    ] = None
    series: Annotated[
        SeriesTerms | None,
        Doc(
            "Not in pods: each table plays a series, as `matches` (2 to 20) or `first_to` wins (2 "
            "to 10); its result counts. Null: single matches.",
            allow_null=True,
        ),
    ] = None
    round_days: Annotated[
        int,
        Doc("Days until a round ends; of a league, the season.", min_value=1, max_value=MAX_DAYS),
    ] = 14
    round_minutes: Annotated[
        int | None,
        Doc(
            "A live evening: minutes until a round ends; players confirm before each round that "
            "they are present. Live time control only. Null: rounds of days.",
            allow_null=True,
            min_value=MIN_MINUTES,
            max_value=MAX_MINUTES,
        ),
    ] = None
    min_entries: Annotated[int, Doc(min_value=2, max_value=MAX_ENTRIES)] = 2
    max_entries: Annotated[int | None, Doc(allow_null=True, min_value=2, max_value=MAX_ENTRIES)] = (
        None
    )
    rating_from: Annotated[int | None, Doc(allow_null=True, min_value=0, max_value=5000)] = None
    rating_to: Annotated[int | None, Doc(allow_null=True, min_value=0, max_value=5000)] = None
    late_entry: Annotated[
        bool, Doc("Swiss and pods: players may enter until half of the rounds are paired.")
    ] = False
    needs_channel: Annotated[
        bool, Doc("Players need a channel (mail, browser, webhook) with tournament notifications.")
    ] = False
    shows_decks: Annotated[
        bool, Doc("Everyone sees the deck lists once it is over, and statistics of cards.")
    ] = True
    listed: Annotated[bool, Doc("Listed publicly; anyone can watch its matches.")] = True
    limited: Annotated[
        LimitedTerms | None,
        Doc("Sealed or draft; null: players bring decks.", allow_null=True),
    ] = None
    helpers: Annotated[
        list[Annotated[str, Doc(max_length=150)]],
        Doc("Usernames of the other organisers.", max_length=HELPERS),
    ] = field(default_factory=list)
    prizes: Annotated[list[Prize], Doc("Free packs as prizes; staff only.", max_length=20)] = field(
        default_factory=list
    )


@transaction.atomic
def announce(*, organiser: User, announcement: Announcement) -> Tournament:
    """Announce a tournament, with a deck check where everybody brings a deck.

    Raises ``MembersOnly``, ``NotAllowed``, ``NotNow``, ``NotPossible``, ``UnknownPerson``.
    """
    tournament, helpers = drafted(organiser=organiser, announcement=announcement)
    User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
    going = Tournament.objects.filter(
        organiser=organiser, state__in=(State.ANNOUNCED, State.RUNNING)
    )
    if going.count() >= OPEN_A_PERSON:
        raise NotNow(
            f"You already have {OPEN_A_PERSON} open tournaments. Finish or cancel one first."
        )
    tournament.commitment = commitment(bytes(tournament.server_seed))
    check = _deck_check(organiser, announcement, tournament)
    tournament.deck_check = check
    limited = limited_of(tournament)
    tournament.save(force_insert=True)
    if limited is not None:
        limited.tournament = tournament
        limited.save(force_insert=True)
    tournament.helpers.set(helpers)
    if check is not None:
        _tell_check(tournament, helpers)
        _enter_those_who_handed_in(tournament, check)
    return tournament


def drafted(*, organiser: User, announcement: Announcement) -> tuple[Tournament, list[User]]:
    """The tournament as it would be announced, not stored, and its helpers.

    Raises as :func:`announce`.
    """
    a = announcement
    if organiser.is_guest:
        raise MembersOnly(
            "Tournaments require an account. Sign up; you keep your cards, decks and matches."
        )
    title = " ".join(a.title.split())
    if not title or len(title) > TITLE_LENGTH:
        raise NotPossible(f"A title has 1 to {TITLE_LENGTH} characters.")
    if len(a.about) > ABOUT_LENGTH:
        raise NotPossible(f"The description can have up to {ABOUT_LENGTH:,} characters.")
    try:
        game, mode = engine.find_mode(a.game, a.mode)
        wanted = a.options or {}
        if a.limited is not None:
            wanted = wanted | required_options(a.limited, game, mode)
        options = mode.checked_options(wanted)
    except (NoSuchMatch, BadSetup) as error:
        raise NotPossible(str(error)) from error
    if a.time_control not in TimeControl.values:
        known = ", ".join(TimeControl.values)
        raise NotPossible(f"“{a.time_control}” is not a time control. Choose one of: {known}.")
    size = _check_structure(a, game, mode, options)
    _check_dates(a)
    _check_sizes(a)
    most = a.max_entries
    if a.structure == Structure.ROUND_ROBIN:
        most = min(most or MAX_ROUND_ROBIN, MAX_ROUND_ROBIN)
    helpers = _helpers(organiser, a.helpers)
    tournament = Tournament(
        organiser=organiser,
        title=title,
        about=a.about.strip(),
        game=game.slug,
        mode=mode.slug,
        options=options,
        time_control=a.time_control,
        structure=a.structure,
        rounds_planned=a.rounds,
        cut=a.cut,
        twice=a.twice,
        third_place=a.third_place,
        table_size=size,
        division_size=a.division_size or 8,
        moving=2 if a.moving is None else a.moving,
        series_matches=a.series.matches if a.series is not None else None,
        series_first_to=a.series.first_to if a.series is not None else None,
        round_days=a.round_days,
        round_minutes=a.round_minutes,
        min_entries=a.min_entries,
        max_entries=most,
        rating_from=a.rating_from,
        rating_to=a.rating_to,
        late_entry=a.late_entry,
        shows_decks=a.shows_decks,
        needs_channel=a.needs_channel,
        listed=a.listed,
        prizes=_prizes(organiser, a),
        opens_at=a.opens_at or timezone.now(),
        closes_at=a.closes_at,
        starts_at=a.starts_at,
    )
    if a.limited is not None:
        if a.format or a.deck_check:
            raise NotPossible("Decks out of packs have no custom format and no earlier check.")
        limited_for(tournament, a.limited, organiser=organiser, game=game, mode=mode)
    return tournament, helpers


def _check_structure(a: Announcement, game: Game, mode: Mode, options: dict[str, Any]) -> int:
    """How many sit at a table; raises ``NotPossible`` for what does not go together."""
    if a.structure not in Structure.values:
        known = ", ".join(Structure.values)
        raise NotPossible(f"“{a.structure}” is not a structure. Choose one of: {known}.")
    if mode.together or mode.seats[-1] < 2:
        raise NotPossible(f"{mode.name} has no opponents.")
    if mode.teams:
        raise NotPossible(
            f"{mode.name} is played in teams, and tournaments are for single players. "
            "Choose another mode."
        )
    if mode.for_keeps(options):
        raise NotPossible("A tournament cannot be played for keeps. Choose another ante.")
    whose = mode.decks(options)
    if whose == "shared":
        raise NotPossible("Shared decks are not possible. Choose other options.")
    pods = a.structure == Structure.PODS
    if pods:
        size = a.table_size or min(4, mode.seats[-1])
        sizes = [n for n in mode.seats if pairing.MIN_POD <= n <= pairing.MAX_POD]
        if size not in sizes:
            result = f"{sizes[0]} to {sizes[-1]}" if sizes else "no more than two"
            raise NotPossible(f"At a table of {mode.name} sit {result} players, not {size}.")
    else:
        size = 2
        if size not in mode.seats:
            raise NotPossible(f"{mode.name} is not for two players: choose pods.")
        if a.table_size is not None:
            raise NotPossible("Only pods have a table size.")
    if a.series is not None:
        if pods:
            raise NotPossible("A series is for two players. Pods play single matches.")
        if a.series.fault:
            raise NotPossible(a.series.fault)
    if a.cut and (a.structure != Structure.SWISS or a.cut not in CUTS):
        raise NotPossible("Only a Swiss tournament has final rounds, for 4, 8 or 16 players.")
    circle = (Structure.ROUND_ROBIN, Structure.LEAGUE)
    if a.twice and a.structure not in circle:
        raise NotPossible("Only in a round robin or a league can all players meet twice.")
    _check_evening(a)
    _check_league(a)
    if a.third_place and a.structure != Structure.ELIMINATION and not a.cut:
        raise NotPossible("Only single elimination and final rounds have a third-place match.")
    many = a.structure in (Structure.SWISS, Structure.PODS)
    if a.rounds is not None and not (many and 1 <= a.rounds <= MAX_ROUNDS):
        raise NotPossible(f"Swiss tournaments and pods have 1 to {MAX_ROUNDS} rounds; the "
                          "other structures have as many as they need.")  # fmt: skip
    if a.structure == Structure.LADDER and a.prizes:
        raise NotPossible("A ladder has an open end and no prizes.")
    if a.late_entry and not many:
        raise NotPossible("Late entries are possible in Swiss tournaments and pods only.")
    decks: list[Any] = []
    if whose == "own":
        ready = compatible_starters(game, mode, options, [None] * size, range(size))
        decks = [deck.cards for deck in ready]
    try:
        engine.try_setup(game, mode, seats=size, options=options, decks=decks)
    except NoSuchMatch as error:
        raise NotPossible(str(error)) from error
    if whose != "own" and (a.format or a.deck_check):
        raise NotPossible(f"{mode.name} takes no decks with these options.")
    return size


def _check_league(a: Announcement) -> None:
    if a.structure != Structure.LEAGUE:
        if a.division_size is not None or a.moving is not None:
            raise NotPossible("Only a league has divisions, promotion and relegation.")
        return
    if a.time_control == TimeControl.LIVE:
        raise NotPossible("All matches of a league are open at once. Choose a slower time control.")
    low, high, moving = divisions.MIN_DIVISION, divisions.MAX_DIVISION, divisions.MAX_MOVING
    if a.division_size is not None and not low <= a.division_size <= high:
        raise NotPossible(f"A division has {low} to {high} players.")
    if a.moving is not None and not 0 <= a.moving <= moving:
        raise NotPossible(f"Between two divisions 0 to {moving} players are promoted.")


def _check_evening(a: Announcement) -> None:
    if a.round_minutes is None:
        return
    if a.structure in (Structure.LEAGUE, Structure.LADDER):
        raise NotPossible(
            "Leagues and ladders are not played in one evening. Choose another structure."
        )
    if a.time_control != TimeControl.LIVE:
        raise NotPossible("Rounds of minutes need the live time control.")
    if not MIN_MINUTES <= a.round_minutes <= MAX_MINUTES:
        raise NotPossible(f"A round lasts {MIN_MINUTES} to {MAX_MINUTES} minutes.")


def _check_dates(a: Announcement) -> None:
    now = timezone.now()
    if a.starts_at <= now:
        raise NotPossible("The start is in the past. Choose a later time.")
    if a.starts_at > now + AHEAD:
        raise NotPossible("A tournament starts within a year.")
    if a.closes_at <= now:
        raise NotPossible("Choose a closing time in the future.")
    if not (a.opens_at or now) <= a.closes_at <= a.starts_at:
        raise NotPossible("Registration opens, then closes, then the tournament starts.")
    if not 1 <= a.round_days <= MAX_DAYS:
        raise NotPossible(f"A round lasts 1 to {MAX_DAYS} days.")


def _check_sizes(a: Announcement) -> None:
    most = a.max_entries or MAX_ENTRIES
    if a.structure == Structure.ROUND_ROBIN and a.max_entries:
        most = MAX_ROUND_ROBIN
        if a.max_entries > most:
            raise NotPossible(f"A round robin takes up to {most} players.")
    if not 2 <= a.min_entries <= most <= MAX_ENTRIES:
        raise NotPossible(f"Between 2 and {MAX_ENTRIES:,} can take part, the least first.")
    if a.cut and a.max_entries is not None and a.max_entries < a.cut:
        raise NotPossible("More play the final rounds than can take part.")
    if a.rating_from is not None and a.rating_to is not None and a.rating_from > a.rating_to:
        raise NotPossible("The lowest rating is above the highest.")


def _helpers(organiser: User, names: Sequence[str]) -> list[User]:
    if len(names) > HELPERS:
        raise NotPossible(f"You can name up to {HELPERS} other organisers.")
    values = {user.pk: user for user in map(person, names) if user.pk != organiser.pk}
    return list(values.values())


def _prizes(organiser: User, a: Announcement) -> list[dict[str, Any]]:
    """The prizes as stored. Raises ``NotAllowed`` and ``NotPossible``."""
    if a.prizes and not organiser.is_staff:
        raise NotAllowed("Only staff can offer packs as prizes.")
    known = {product.slug: product.name for product in packs.given_products(a.game)}
    for prize in a.prizes:
        if prize.product not in known:
            raise NotPossible(
                f"“{prize.product[:60]}” is not a pack of this game. There are: {', '.join(known)}."
            )
        if not (1 <= prize.first <= prize.last <= MAX_ENTRIES and 1 <= prize.count <= 20):
            raise NotPossible("A prize is for places from the first to the last, 1 to 20 packs.")
    return [
        {"first": p.first, "last": p.last, "product": p.product, "count": p.count} for p in a.prizes
    ]


def _deck_check(organiser: User, a: Announcement, tournament: Tournament) -> DeckCheck | None:
    mode = engine.find_mode(tournament.game, tournament.mode)[1]
    if mode.decks(tournament.options) != "own":
        return None
    if a.deck_check:
        check = check_queries.own_check(organiser, a.deck_check)
        if (check.game, check.mode) != (tournament.game, tournament.mode):
            raise NotPossible("That deck check is for another mode.")
        if check.organiser_id != organiser.pk:
            raise NotAllowed("Only its organiser can use a deck check for a tournament.")
        if Tournament.objects.filter(deck_check=check).exists():
            raise NotPossible("That deck check already has a tournament.")
        if check.locked_at is not None:
            raise NotPossible("The lists of that deck check are already locked.")
        return check
    house = formats.present(formats.format_of(a.format)) if a.format else None
    return checks.create_check(
        organiser=organiser, title=tournament.title, game=tournament.game,
        mode=tournament.mode, house=house, pooled=limited_of(tournament) is not None,
    )  # fmt: skip


def _tell_check(tournament: Tournament, helpers: Sequence[User]) -> None:
    """Have the deck check close with the registration, and the helpers judge."""
    assert tournament.deck_check is not None
    judges = tournament.deck_check.judges.values_list("username", flat=True)
    checks.describe_check(
        check=tournament.deck_check,
        by=tournament.organiser,
        held_on=tournament.starts_at.date(),
        place=tournament.deck_check.place,
        # Decks out of packs are built after registration has closed.
        closes_at=None if limited_of(tournament) is not None else tournament.closes_at,
        judges=sorted({*judges, *(helper.username for helper in helpers)}),
    )


def _enter_those_who_handed_in(tournament: Tournament, check: DeckCheck) -> None:
    rows = CheckedDeck.objects.filter(check_of=check, user__isnull=False).order_by("number")
    most = tournament.max_entries or MAX_ENTRIES
    Entry.objects.bulk_create(
        Entry(
            tournament=tournament, number=number, user_id=row.user_id, deck=row,
            state=EntryState.ENTERED if number <= most else EntryState.WAITING,
        )
        for number, row in enumerate(rows, start=1)
    )  # fmt: skip


@transaction.atomic
def change(
    *,
    tournament: Tournament,
    by: User,
    title: str,
    about: str,
    closes_at: datetime,
    starts_at: datetime,
    helpers: Sequence[str] | None = None,
) -> Tournament:
    """Say anew what may change until the start; only the organiser names ``helpers``.

    Raises ``NotAllowed``, ``NotNow``, ``NotPossible`` and ``UnknownPerson``.
    """
    locked = lock_as_organiser(tournament, by)
    if locked.state != State.ANNOUNCED:
        raise NotNow("The tournament has started and can no longer be edited.")
    now = timezone.now()
    tidy = " ".join(title.split())
    if not tidy or len(tidy) > TITLE_LENGTH or len(about) > ABOUT_LENGTH:
        raise NotPossible(
            f"A title has 1 to {TITLE_LENGTH} characters, a description up to {ABOUT_LENGTH:,}."
        )
    if not locked.opens_at <= closes_at <= starts_at or not now < starts_at <= now + AHEAD:
        raise NotPossible("Registration opens, then closes, then the tournament starts.")
    if locked.locked_at is not None and closes_at != locked.closes_at:
        raise NotNow("The lists are locked, so registration stays closed.")
    terms = limited_of(locked)
    if terms is not None and terms.completed_at is not None:
        earliest = terms.completed_at + timedelta(hours=terms.build_hours)
        if starts_at < min(earliest, locked.starts_at):
            raise NotPossible("Players have the announced hours to build their decks.")
    elif terms is not None and locked.is_evening:
        check_evening(closes_at, starts_at, terms.build_hours)
    locked.title, locked.about = tidy, about.strip()
    locked.closes_at, locked.starts_at = closes_at, starts_at
    locked.save(update_fields=["title", "about", "closes_at", "starts_at"])
    if helpers is not None:
        if locked.organiser_id != by.pk:
            raise NotAllowed("Only the organiser names helpers.")
        locked.helpers.set(_helpers(locked.organiser, helpers))
    if locked.deck_check is not None:
        _tell_check(locked, list(locked.helpers.all()))
    return locked


@transaction.atomic
def cancel(*, tournament: Tournament, by: User, why: str) -> Tournament:
    """Cancel it for a reason that all players are told. Again changes nothing.

    Matches that are being played go on, and count for nothing here. Raises ``NotAllowed``,
    ``NotNow`` once it is over, ``NotPossible`` without a reason.
    """
    locked = lock_as_organiser(tournament, by)
    if locked.state == State.CANCELLED:
        return locked
    if locked.over:
        raise NotNow("The tournament is over.")
    return cancelled(locked, checked_reason(why))


def cancelled(locked: Tournament, why: str) -> Tournament:
    """Cancel a locked tournament and tell its players."""
    locked.state, locked.why_cancelled, locked.called_until = State.CANCELLED, why, None
    locked.save(update_fields=["state", "why_cancelled", "called_until"])
    now = timezone.now()
    Round.objects.filter(tournament=locked, finished_at=None).update(finished_at=now)
    # No further match of a series begins.
    matches = Match.objects.filter(pairing__round__tournament=locked, series__isnull=False)
    Series.objects.filter(pk__in=matches.values("series"), ended_at=None).update(ended_at=now)
    if locked.is_ladder:
        ladder_places.void_all(locked)
    tell_players(locked, f"{locked.title} is cancelled: {why}", key="cancelled")
    if limited_of(locked) is not None:  # nobody has a pick to make or a deck to build any more
        rows = Entry.objects.filter(tournament=locked, user__isnull=False)
        retract_requests(
            locked, [pk for pk in rows.values_list("user", flat=True) if pk is not None]
        )
    return locked


def retract_requests(locked: Tournament, people: Sequence[int]) -> None:
    """Withdraw the notices that ask these people to open packs, to pick and to build."""
    for what in ("pick", "deck", "packs"):
        retract(Kind.TOURNAMENT, key=f"{locked.slug}:{what}", people=people)


@transaction.atomic
def write_to_all(*, tournament: Tournament, by: User, text: str) -> Message:
    """Write to everybody who entered; it stays on the tournament's page.

    Raises ``NotAllowed`` and ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    tidy = text.strip()
    if not tidy or len(tidy) > MESSAGE_LENGTH or "\0" in tidy:
        raise NotPossible(f"Write 1 to {MESSAGE_LENGTH:,} characters.")
    message = Message.objects.create(tournament=locked, by=by, text=tidy)
    line = " ".join(tidy.split())
    tell_players(locked, f"{locked.title}: {line}", key=f"message:{message.pk}")
    return message


def tell_players(tournament: Tournament, text: str, *, key: str) -> None:
    """Tell everybody who entered, waits or dropped; texts that are too long are cut."""
    people = Entry.objects.filter(tournament=tournament, user__isnull=False).exclude(
        state=EntryState.OUT
    )
    notify(
        [pk for pk in people.values_list("user", flat=True) if pk is not None],
        Kind.TOURNAMENT,
        text=text if len(text) <= 300 else f"{text[:299]}…",
        link=tournament.get_absolute_url(),
        key=f"{tournament.slug}:{key}",
    )
