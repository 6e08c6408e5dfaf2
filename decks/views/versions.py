"""Versions of a deck: undo, redo, history, and two lists beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from core.budgets import metered_view
from core.errors import Refusal
from decks.errors import BadDeck, NotYourDeck, OtherGame, UnknownVersion
from decks.models import Deck
from decks.queries import decks, versions
from decks.services import versions as services
from rules.engine.legality import Decklist

LARGEST_NUMBER = 2**31 - 1


@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the last change of a deck of mine back."""
    return _turned(request, slug, "undo")


@require_POST
def redo(request: HttpRequest, slug: str) -> HttpResponse:
    """Make it again."""
    return _turned(request, slug, "redo")


def _turned(request: HttpRequest, slug: str, way: str) -> HttpResponse:
    deck = decks.own_deck(request.user, slug)
    turn = services.undo_deck if way == "undo" else services.redo_deck
    try:
        turn(
            user=cast(User, request.user), slug=slug, expected=_number(request.POST.get("expected"))
        )
    except Refusal as refusal:
        messages.error(request, refusal.detail)
    if request.POST.get("back") == "history":
        return redirect("decks:history", slug)
    return redirect(deck)


@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a deck of mine what it was in a version."""
    decks.own_deck(request.user, slug)
    number = _needed(request.POST.get("version"))
    services.restore_version(user=cast(User, request.user), slug=slug, number=number)
    messages.success(request, f"Restored version {number}.")
    return redirect("decks:history", slug)


@require_POST
def name(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Name a version of a deck of mine."""
    decks.own_deck(request.user, slug)
    note = request.POST.get("note", "")
    try:
        version = services.name_version(
            user=cast(User, request.user), slug=slug, number=_within(number), note=note
        )
    except BadDeck as error:
        return _history(request, slug, refused=(number, note, str(error)), status=422)
    if version.note:
        messages.success(request, f"Version {number} is now named “{version.note}”.")
    return redirect("decks:history", slug)


@require_GET
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """The versions of a deck of mine, latest first, with what changed in each."""
    return _history(request, slug, below=_number(request.GET.get("below")))


def _history(
    request: HttpRequest,
    slug: str,
    *,
    below: int | None = None,
    refused: tuple[int, str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page; ``refused`` is a name that was typed for a version, and why it will not do."""
    deck = decks.own_deck(request.user, slug)
    if refused is not None:
        below = refused[0] + 1
    context = {
        "deck": deck,
        "history": versions.history(deck, below),
        "later": below is not None,
        "ways": versions.undo_and_redo(deck),
        "refused": refused,
    }
    return render(request, "decks/history.html", context, status=status)


@dataclass(frozen=True, slots=True)
class Side:
    """One of two lists beside each other."""

    name: str
    address: str
    cards: Decklist
    size: int


@require_GET
@metered_view
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two versions of a deck of mine, or a deck beside another one that one may see."""
    deck = decks.access_deck(request.user, slug)
    is_mine = deck.owner_id == request.user.pk
    sides: tuple[Side, Side] | None = None
    if other := request.GET.get("other", ""):
        sides = (_now(deck), _now(_comparable(request, deck, other)))
    elif "a" in request.GET or "b" in request.GET:
        if not is_mine:
            raise NotYourDeck
        older = _then(deck, _needed(request.GET.get("a")))
        sides = (older, _then(deck, _number(request.GET.get("b")) or deck.version))
    context = {
        "deck": deck,
        "is_mine": is_mine,
        "sides": sides,
        "other": other,
        "others": [
            page for page in decks.decks_of(request.user, deck.game) if page.deck.pk != deck.pk
        ],
    }
    if sides is not None:
        everything = versions.named(deck, versions.every(sides[0].cards, sides[1].cards))
        context["different"] = [row for row in everything if row.change.by]
        context["same"] = [row for row in everything if not row.change.by]
    return render(request, "decks/compare.html", context)


def _comparable(request: HttpRequest, deck: Deck, slug: str) -> Deck:
    other = decks.access_deck(request.user, slug)
    if other.game != deck.game:
        raise OtherGame(f"“{deck.name}” and “{other.name}” are decks of different games.")
    return other


def _now(deck: Deck) -> Side:
    cards = decks.decklist(deck)
    return Side(deck.name, deck.get_absolute_url(), cards, versions.count(cards))


def _then(deck: Deck, number: int) -> Side:
    version = versions.version_of(deck, number)
    words = f"Version {number}" + (f": {version.note}" if version.note else "")
    return Side(words, "", version.cards, versions.count(version.cards))


def _number(text: str | None) -> int | None:
    """A version's number that was sent, or None."""
    if text and text.isascii() and text.isdigit() and len(text) < 11:
        return min(int(text), LARGEST_NUMBER)
    return None


def _needed(text: str | None) -> int:
    number = _number(text)
    if number is None:
        raise UnknownVersion("Choose a version by its number.")
    return number


def _within(number: int) -> int:
    return min(number, LARGEST_NUMBER)
