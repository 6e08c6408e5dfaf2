"""All writes to decks: one function a use case, one transaction each.

A deck may hold what the rules forbid: it is a draft until somebody plays it. It never holds what
is no card, and no line that was typed is dropped without its owner saying so. Every change of
its cards is a version (see ``versions.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

import rules
from accounts.models import User
from decks.errors import AboutChanged, BadDeck, OwnDeck, TooManyDecks, UnknownDeck
from decks.lists import textlist
from decks.models import MAX_COPIES, CardPool, Deck, DeckLike, Format, LabRun, Visibility
from decks.models import tags as tagging
from decks.queries.builder import formats_for
from decks.queries.decks import access_deck, decklist
from decks.queries.formats import format_of
from decks.queries.versions import compare
from decks.services import about, lab
from decks.services.versions import keep, own_deck, write_words
from rules.engine.errors import BadData, UnknownGame
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Fix, apply_fix, read_decklist

DECKS_A_PERSON = 200
ENTRIES_A_DECK = 500
MAX_LIST_LENGTH = 30_000
NAME_LENGTH = 80
NOTES_LENGTH = 4_000
CREDIT_LENGTH = 160


def takes_decks(mode: Mode) -> bool:
    """Can people bring a deck of their own to this mode: one each, or one for all?"""
    return mode.takes_decks


def find_mode(game: str, mode: str) -> tuple[Game, Mode]:
    """The game and mode of these names, if decks are built for it; raises ``BadDeck``."""
    try:
        known = rules.game(game)
    except UnknownGame as error:
        raise BadDeck("game", [str(error)]) from error
    if mode not in known.modes or not takes_decks(known.modes[mode]):
        names = ", ".join(slug for slug, candidate in known.modes.items() if takes_decks(candidate))
        raise BadDeck("mode", [f"{known.name} has no decks for “{mode}”. Modes: {names}."])
    return known, known.modes[mode]


@transaction.atomic
def create_deck(
    *,
    owner: User,
    game: str,
    mode: str,
    name: str,
    cards: Decklist | None = None,
    text: str | None = None,
    skip_unread: bool = False,
    visibility: str = Visibility.PRIVATE,
    notes: str = "",
    tags: Iterable[str] = (),
    format: str = "",
    pool: CardPool | None = None,
) -> Deck:
    """Keep a new deck, from a deck list or from a typed one (``text``).

    It is built from the owner's ``pool`` where one is given.

    With ``skip_unread`` lines that are no cards become comments of the typed list; without it
    they are refused. ``format`` is the slug of a house format that the deck is built for. Raises
    ``BadDeck`` and ``TooManyDecks``.
    """
    find_mode(game, mode)
    _make_room(owner)
    cards, typed = _contents(game, mode, cards, text, skip_unread)
    deck = Deck(
        owner=owner,
        game=game,
        mode=mode,
        name=_name(name),
        visibility=_visibility(visibility),
        typed=typed,
        notes=tidy_notes(notes),
        tags=_tags(tags),
        pool=pool,
    )
    deck.house = house_for(deck, format)
    deck.save()
    keep(deck, cards)
    return deck


@transaction.atomic
def update_deck(
    *,
    user: User,
    slug: str,
    name: str | None = None,
    mode: str | None = None,
    visibility: str | None = None,
    cards: Decklist | None = None,
    text: str | None = None,
    skip_unread: bool = False,
    notes: str | None = None,
    tags: Iterable[str] | None = None,
    format: str | None = None,
    expected: int | None = None,
    expected_about: str | None = None,
) -> Deck:
    """Change what is given of a deck, and nothing else; otherwise as :func:`create_deck`.

    A new mode takes the cards along: those of a section that it lacks go into its first one. The
    house format was one for the old mode, and goes; the ``format`` that is given, "" for none, is
    one for the new mode.
    ``expected`` is the version that the change was made for, ``expected_about`` the stamp of name,
    visibility, tags and notes as they were then: of these only what was not left as it was is
    written. Raises also ``UnknownDeck``, ``NotYourDeck``, ``DeckChanged`` and ``AboutChanged``.
    """
    deck = own_deck(user, slug, expected)
    values: dict[str, str] = {}
    if name is not None:
        values["name"] = _name(name)
    if visibility is not None:
        values["visibility"] = _visibility(visibility)
    if tags is not None:
        values["tags"] = _tags(tags)
    if notes is not None:
        values["notes"] = tidy_notes(notes)
    for field, value in _unless_changed(deck, values, expected_about).items():
        setattr(deck, field, value)
    if mode is not None:
        find_mode(deck.game, mode)
        deck.house = deck.house if mode == deck.mode else None
        deck.mode = mode
    if format is not None:
        deck.house = house_for(deck, format)
    if cards is not None or text is not None:
        cards, deck.typed = _contents(deck.game, deck.mode, cards, text, skip_unread)
    elif mode is not None:
        cards, deck.typed = _in_its_mode(deck)
    else:
        cards = decklist(deck)
    keep(deck, cards)
    return deck


@transaction.atomic
def change_cards(
    *,
    user: User,
    slug: str,
    section: str,
    changes: Mapping[str, int],
    to: str = "",
    expected: int | None = None,
) -> Deck:
    """Add copies of cards to a section or, where negative, take them out; or carry out a fix.

    What is taken out goes into the section ``to`` where one is named. A typed list is changed in
    the same way, all other words left as they are. Raises ``BadDeck``, ``UnknownDeck``,
    ``NotYourDeck`` and ``DeckChanged``.
    """
    deck = own_deck(user, slug, expected)
    _, mode = find_mode(deck.game, deck.mode)
    check_sections(mode, section, to)
    if any(abs(change) > MAX_COPIES for change in changes.values()):
        raise BadDeck("changes", [f"Change up to {MAX_COPIES} copies at once."])
    before = decklist(deck)
    return give_cards(deck, before, apply_fix(before, Fix(section, changes, "", to)))


def house_for(deck: Deck, slug: str) -> Format | None:
    """The house format of this address, if the deck's owner may build the deck for it; None for "".

    Raises ``BadDeck``.
    """
    if not slug:
        return None
    for format in formats_for(deck.owner, deck):
        if format.slug == slug:
            return format_of(slug)
    raise BadDeck("house", ["This format doesn’t exist for this mode, or was retired."])


def check_sections(mode: Mode, section: str, to: str = "") -> None:
    """Raise ``BadDeck`` unless a mode's decks have this section, and ``to`` where it is named."""
    if section not in mode.sections or to not in ("", *mode.sections):
        names = ", ".join(f"“{name}”" for name in mode.sections)
        raise BadDeck("section", [f"A deck for {mode.name} has these sections: {names}."])


def give_cards(deck: Deck, before: Decklist, after: Decklist, *, pressed: bool = False) -> Deck:
    """Give a deck that is locked (``own_deck``) other cards than it had ``before``, as one version.

    A typed list is changed in the same way, all other words left as they are. For ``pressed`` see
    ``versions.keep``. Raises ``BadDeck``.
    """
    cards = read_cards(deck.game, deck.mode, after)
    if deck.typed:
        sections = sections_of(deck.game, deck.mode)
        changes: dict[str, dict[str, int]] = {}
        for change in compare(before, cards):
            changes.setdefault(change.section, {})[change.card] = change.by
        typed = deck.typed
        for section, by in changes.items():
            typed = textlist.change_list(typed, deck.game, section, by, sections)
        reading = textlist.read_list(typed, deck.game, sections)
        # A list that has aged (a card has a new name) is written anew; its version keeps the words.
        deck.typed = typed if _same(reading.everything, cards) else ""
    keep(deck, cards, pressed=pressed)
    return deck


@transaction.atomic
def copy_deck(*, user: User, slug: str, name: str = "") -> Deck:
    """Make a deck that somebody may see their own: its cards, with credit where it is another's.

    Of one's own deck notes, tags and the typed list come along. Raises ``BadDeck``,
    ``UnknownDeck`` and ``TooManyDecks``.
    """
    original = access_deck(user, slug)
    own = original.owner_id == user.pk
    _make_room(user)
    copy = Deck(
        owner=user,
        game=original.game,
        mode=original.mode,
        house=original.house,
        pool=original.pool if own else None,
        name=_name(name) if name.strip() else _name_of_copy(original, own),
        typed=original.typed if own else "",
        notes=original.notes if own else "",
        tags=original.tags if own else "",
        copied_from=original,
        credit=original.credit if own else f"{original.name} by {original.owner}"[:CREDIT_LENGTH],
    )
    copy.save()
    keep(copy, decklist(original))
    return copy


@transaction.atomic
def like_deck(*, user: User, slug: str, on: bool) -> Deck:
    """Like a deck of somebody else's, or no longer; twice is the same as once.

    Raises ``UnknownDeck`` and ``OwnDeck``.
    """
    deck = Deck.objects.select_for_update().filter(slug=slug).first()
    if deck is None or (deck.visibility == Visibility.PRIVATE and deck.owner_id != user.pk):
        raise UnknownDeck
    if deck.owner_id == user.pk:
        raise OwnDeck("You can’t like your own deck.")
    if on:
        DeckLike.objects.get_or_create(deck=deck, user=user)
    else:
        DeckLike.objects.filter(deck=deck, user=user).delete()
    _count_likes(deck)
    return deck


@transaction.atomic
def delete_deck(*, user: User, slug: str) -> None:
    """Delete a deck for good. Raises ``UnknownDeck`` and ``NotYourDeck``."""
    own_deck(user, slug).delete()


def deck_from_starter(*, owner: User, game: str, starter: str, mode: str | None = None) -> Deck:
    """Make a ready-made deck somebody's own, for ``mode`` or the first mode that it is for.

    Raises ``BadDeck`` and ``TooManyDecks``.
    """
    try:
        ready = rules.game(game).starter_decks[starter]
    except UnknownGame as error:
        raise BadDeck("game", [str(error)]) from error
    except KeyError as error:
        raise BadDeck("starter", [f"No preconstructed deck “{starter}”."]) from error
    if mode is not None and mode not in ready.modes:
        raise BadDeck("mode", [f"{ready.name} is made for {', '.join(ready.modes)}."])
    return create_deck(
        owner=owner,
        game=game,
        mode=mode or ready.modes[0],
        name=ready.name,
        cards=ready.cards,
    )


@transaction.atomic
def move_decks(*, guest: User, user: User) -> None:
    """Give a guest's decks and likes to the account that the guest turned out to be."""
    moved = list(Deck.objects.filter(owner=guest).values_list("pk", flat=True))
    Deck.objects.filter(pk__in=moved).update(owner=user)
    # A run that is under way ends: each person has one at most.
    lab.end_runs(user=guest)
    LabRun.objects.filter(owner=guest).update(owner=user)
    write_words(Deck.objects.filter(pk__in=moved))
    likes = DeckLike.objects.filter(user__in=[guest, user])
    decks = Deck.objects.filter(pk__in=likes.values("deck"))
    liked = list(decks.select_for_update().order_by("pk"))
    twice = DeckLike.objects.filter(user=user).values("deck")
    DeckLike.objects.filter(user=guest, deck__in=twice).delete()
    DeckLike.objects.filter(user=guest).update(user=user)
    DeckLike.objects.filter(user=user, deck__owner=user).delete()
    for deck in liked:
        _count_likes(deck)


def read_typed(game: str, mode: str, text: str) -> textlist.Reading:
    """Read a list typed for a mode; raises ``BadDeck`` when it is too long to be one."""
    if len(text) > MAX_LIST_LENGTH:
        raise BadDeck(
            "text", [f"The list has {len(text):,} characters (limit: {MAX_LIST_LENGTH:,})."]
        )
    reading = textlist.read_list(text, game, sections_of(game, mode))
    if len(reading.lines) > ENTRIES_A_DECK:
        raise BadDeck(
            "text",
            [f"The list has {len(reading.lines):,} lines (limit: {ENTRIES_A_DECK})."],
        )
    return reading


@transaction.atomic
def take_likes_back(*, user: User) -> None:
    """Take all that somebody likes back; the decks count anew."""
    liked = Deck.objects.select_for_update(of=("self",)).filter(likes__user=user)
    for deck in list(liked.order_by("pk")):
        deck.likes.filter(user=user).delete()
        _count_likes(deck)


def sections_of(game: str, mode: str) -> tuple[str, ...]:
    """The sections of a mode's decks; raises ``UnknownGame``."""
    return rules.game(game).mode(mode).sections


def read_cards(game: str, mode: str, cards: object) -> dict[str, dict[str, int]]:
    """Read a deck list for a mode from outside; raises ``BadDeck`` when it is none."""
    try:
        read = read_decklist(cards, sections_of(game, mode))
    except BadData as error:
        raise BadDeck("deck", [str(error)]) from error
    if sum(len(counts) for counts in read.values()) > ENTRIES_A_DECK:
        raise BadDeck("deck", [f"A deck can have up to {ENTRIES_A_DECK} different cards."])
    return read


def _make_room(owner: User) -> None:
    # Locking the owner makes the count hold for requests that come at the same time.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if Deck.objects.filter(owner=owner).count() >= DECKS_A_PERSON:
        raise TooManyDecks(DECKS_A_PERSON)


def _count_likes(deck: Deck) -> None:
    """Count anew; the deck has to be locked."""
    deck.like_count = deck.likes.count()
    deck.save(update_fields=["like_count"])


def _name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > NAME_LENGTH:
        raise BadDeck("name", [f"A deck name has 1 to {NAME_LENGTH} characters."])
    return tidy


def _visibility(visibility: str) -> str:
    if visibility not in Visibility.values:
        raise BadDeck(
            "visibility", [f"A deck’s visibility is one of {', '.join(Visibility.values)}."]
        )
    return visibility


def _unless_changed(deck: Deck, values: dict[str, str], expected: str | None) -> dict[str, str]:
    """Return the values to write; raises ``AboutChanged`` if they would overwrite a newer one."""
    if expected is None:
        return values
    merged = about.merge(deck, values, about.read_stamp(expected))
    if merged.clashes:
        now: dict[str, object] = {field: getattr(deck, field) for field in merged.clashes}
        if "tags" in now:
            now["tags"] = tagging.of(deck.tags)
        raise AboutChanged(
            f"The details of “{deck.name}” were changed in another window. Nothing was "
            "overwritten: choose what to keep.",
            changed_fields=merged.changes.keys(),
            now=now,
            about_version=about.write_stamp(about.stamps(deck)),
        )
    return merged.changes


def _contents(
    game: str, mode: str, cards: Decklist | None, text: str | None, skip_unread: bool
) -> tuple[Decklist, str]:
    """The deck list that was given in one form or the other, and what was typed for it."""
    if text is None:
        return _by_slug(game, read_cards(game, mode, cards if cards is not None else {})), ""
    reading = read_typed(game, mode, text)
    if not reading.unread:
        return reading.cards, text
    if not skip_unread:
        raise BadDeck(
            "text",
            [f"Line {line.number}: no card named “{line.name}”." for line in reading.unread],
        )
    return reading.cards, textlist.comment_out(text, reading)


def _by_slug(game: str, cards: Decklist) -> dict[str, dict[str, int]]:
    """The list with the names that the game's rules read as cards turned into those cards."""
    named = rules.game(game).named
    by_section: dict[str, dict[str, int]] = {}
    for section, counts in cards.items():
        in_section = by_section.setdefault(section, {})
        for name, count in counts.items():
            card = named(name) or name
            in_section[card] = in_section.get(card, 0) + count
    return by_section


def _in_its_mode(deck: Deck) -> tuple[Decklist, str]:
    """The cards of a deck that has another mode now, and its typed list, without a word lost."""
    cards, sections = decklist(deck), sections_of(deck.game, deck.mode)
    if set(cards) <= set(sections):
        return cards, deck.typed
    if deck.typed:
        reading = read_typed(deck.game, deck.mode, deck.typed)
        return reading.cards, textlist.comment_out(deck.typed, reading)
    fitting: dict[str, dict[str, int]] = {}
    for section, counts in cards.items():
        in_section = fitting.setdefault(section if section in sections else sections[0], {})
        for card, count in counts.items():
            in_section[card] = in_section.get(card, 0) + count
    return fitting, ""


def _same(first: Decklist, other: Decklist) -> bool:
    """Are these the same cards, whatever empty sections stand in either?"""

    def counted(cards: Decklist) -> dict[tuple[str, str], int]:
        return {
            (section, card): count
            for section, counts in cards.items()
            for card, count in counts.items()
            if count
        }

    return counted(first) == counted(other)


def _name_of_copy(deck: Deck, own: bool) -> str:
    end = " (copy)" if own else ""
    return deck.name[: NAME_LENGTH - len(end)] + end


def tidy_notes(notes: str) -> str:
    """Notes as they are kept; raises ``BadDeck``."""
    tidy = "\n".join(notes.splitlines()).strip()
    if "\0" in tidy:
        raise BadDeck("notes", ["The notes contain an invalid character."])
    if len(tidy) > NOTES_LENGTH:
        raise BadDeck(
            "notes",
            [f"Notes can have up to {NOTES_LENGTH:,} characters; yours have {len(tidy):,}."],
        )
    return tidy


def _tags(tags: Iterable[str]) -> str:
    read = tagging.read_tags(",".join(tags))
    problems = [
        f"“{tag}” is too long: tags have up to {tagging.TAG_LENGTH} characters."
        for tag in read
        if len(tag) > tagging.TAG_LENGTH
    ]
    if len(read) > tagging.MAX_TAGS:
        problems.append(f"A deck can have up to {tagging.MAX_TAGS} tags, not {len(read)}.")
    if problems:
        raise BadDeck("tags", problems)
    return tagging.stored(read)
