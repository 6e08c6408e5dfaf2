"""The builder: the catalog on one side, the deck on the other, and what the rules say to it.

Every change is saved at once and answered with the deck's side of the page; without JavaScript the
page comes back whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.forms.gallery import GalleryForm
from collection.queries import catalog
from collection.queries.filters import CollectionFilter
from collection.queries.keyset import BEST_MATCH, ORDERS, Found, Page, asked_or_meant, page_of
from collection.queries.search import ranked
from collection.views.parts import is_htmx_update, vary_on_htmx
from collection.views.tiles import tile
from core.errors import Refusal
from decks.errors import BadDeck, DeckChanged
from decks.forms import known_play
from decks.models import CardPool, Deck
from decks.queries import builder as queries
from decks.queries import decks, verdicts
from decks.services import builder as services
from decks.services import versions
from decks.services.decks import change_cards, create_deck
from decks.views.builder_forms import NewDeckForm, question
from decks.views.once import make_deck_once
from rules.engine.game import Mode

PAGE_SIZE = 36
SELECTS = ("set", "kind", "colour", "rarity", "have", "sort")
PANES = ("cards", "deck", "shape")


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Begin an empty deck; its page is the builder."""
    if request.method == "GET":
        form = NewDeckForm(user=request.user)
        form.initial["play"] = known_play(request.GET.get("play"))
        form.initial["house"] = request.GET.get("house", "")
        return render(request, "decks/builder_new.html", {"form": form})
    form = NewDeckForm(request.POST, user=request.user)
    if form.is_valid():
        data = form.cleaned_data
        owner = ensure_guest(request)
        about = {name: data[name] for name in ("game", "mode", "name")}
        about |= {"owner": owner, "format": data["house"]}
        try:
            if "random" in request.POST:
                deck = services.create_random(**about)
            else:
                deck = make_deck_once(request, owner, lambda: create_deck(**about))
        except BadDeck as error:
            form.add_error(error.field if error.field in form.fields else None, error.problems)
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("decks:build", deck.slug)
    return render(request, "decks/builder_new.html", {"form": form}, status=422)


@dataclass(frozen=True, slots=True)
class Note:
    """Message about the last change; ``again`` is that change, to be made again."""

    words: str
    problem: bool = False
    again: str = ""
    again_fix: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def build(request: HttpRequest, slug: str) -> HttpResponse:
    """Build a deck of mine."""
    deck = decks.own_deck(request.user, slug)
    if request.method == "POST":
        return _answer_change(request, deck)
    if is_htmx_update(request):
        return _picks(request, deck)
    return _page(request, deck, request.GET)


# Changes


def _answer_change(request: HttpRequest, deck: Deck) -> HttpResponse:
    """Do what a button says; what is refused changes nothing and is said where it was pressed."""
    status, note = 200, Note("")
    try:
        note = _make_change(request, deck)
    except DeckChanged as refusal:
        note = Note(
            "This deck was changed in another window, so your last change was not applied. This "
            "is the current deck.",
            problem=True,
            again=request.POST.get("change", ""),
            again_fix=request.POST.get("fix", ""),
        )
        status = refusal.status
    except Refusal as refusal:
        note, status = Note(str(refusal), problem=True), refusal.status
    deck = decks.own_deck(request.user, deck.slug)
    if is_htmx_update(request):
        context = {
            "deck": deck,
            "pane": queries.pane(deck, cast(User, request.user), _arrangement(request, deck)),
            "note": note,
            "kept": request.POST.get("kept", ""),
        }
        return render(request, "decks/builder_pane.html", context, status=status)
    query = QueryDict(request.POST.get("kept", ""))
    if note.problem:
        return _page(request, deck, query, note, status)
    if note.words:
        messages.success(request, note.words)
    address = reverse("decks:build", args=[deck.slug])
    return redirect(f"{address}?{query.urlencode()}" if query else address)


def _make_change(request: HttpRequest, deck: Deck) -> Note:
    user, slug = cast(User, request.user), deck.slug
    expected = _number(request.POST.get("expected", ""))
    about: dict[str, Any] = {"user": user, "slug": slug, "expected": expected}
    do = request.POST.get("do", "")
    if "change" in request.POST:
        changes = _read(services.parse_changes, request.POST["change"])
        into = request.POST.get("into", "")
        services.apply_changes(**about, changes=changes, into=into, pressed=True)
    elif "fix" in request.POST:
        fix = _read(verdicts.parse_fix, request.POST["fix"])
        change_cards(**about, section=fix.section, changes=fix.changes, to=fix.to)
    elif do == "arrange":
        _arrange(request, deck)
    elif do == "undo":
        versions.undo_deck(**about)
    elif do == "redo":
        versions.redo_deck(**about)
    elif do == "format":
        services.choose_format(user=user, slug=slug, format=request.POST.get("house", ""))
    elif do == "fill":
        return _filled(
            *services.fill_from_owned(**about), pooled=verdicts.pool_of(deck) is not None
        )
    elif do == "random":
        services.make_random(**about)
        return Note("Replaced with a random legal deck. Undo to restore the old one.")
    elif do == "want":
        number = services.want_missing(user=user, slug=slug)
        return Note(f"{_cards(number)} added to your wishlist.")
    else:
        raise BadRequest("Unknown action.")
    return Note("")


ARRANGEMENT = "deck_arrangement"
"""Where a session keeps how its person likes decks to be grouped and sorted, by game."""


def _arrange(request: HttpRequest, deck: Deck) -> None:
    """Keep how the person wants decks of this game grouped and sorted."""
    group, order = request.POST.get("group", ""), request.POST.get("order", "")
    if group not in dict(queries.groups_of(deck.game)):
        raise BadRequest("Unknown group.")
    if order not in dict(queries.orders_of(deck.game)):
        raise BadRequest("Unknown order.")
    kept = request.session.get(ARRANGEMENT, {})
    request.session[ARRANGEMENT] = {**kept, deck.game: [group, order]}


def _arrangement(request: HttpRequest, deck: Deck) -> queries.Arrangement:
    kept = request.session.get(ARRANGEMENT, {}).get(deck.game)
    return queries.Arrangement(*kept) if kept else queries.Arrangement()


def _read(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise BadRequest(str(error)) from error


def _filled(deck: Deck, added: int, *, pooled: bool) -> Note:
    if not added:
        where = "Your pool has" if pooled else "You own"
        return Note(f"{where} no other cards that fit this deck.")
    return Note(f"{_cards(added)} from your {'pool' if pooled else 'collection'} added.")


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


# The page


def _page(
    request: HttpRequest, deck: Deck, query: QueryDict, note: Note | None = None, status: int = 200
) -> HttpResponse:
    pane = queries.pane(deck, cast(User, request.user), _arrangement(request, deck))
    open_pane = query.get("pane", "")
    context = {
        "deck": deck,
        "pane": pane,
        "note": note,
        "shown": open_pane if open_pane in PANES else "cards",
        "shape": queries.shape_of(deck, decks.decklist(deck), question(query)),
        **_catalog(request, deck, query, pane.held),
    }
    response = render(request, "decks/builder.html", context, status=status)
    return vary_on_htmx(response)


def _picks(request: HttpRequest, deck: Deck) -> HttpResponse:
    """The cards that the filters leave, or the next page of them."""
    held: dict[str, int] = {}
    for counts in decks.decklist(deck).values():
        for card, number in counts.items():
            held[card] = held.get(card, 0) + number
    context = {"deck": deck, **_catalog(request, deck, request.GET, held)}
    if "after" in request.GET:
        return render(request, "decks/builder_picks.html", context)
    response = render(request, "decks/builder_found.html", context)
    address, kept = reverse("decks:build", args=[deck.slug]), context["kept"]
    response["HX-Replace-Url"] = f"{address}?{kept}" if kept else address
    return vary_on_htmx(response)


def _catalog(
    request: HttpRequest, deck: Deck, query: QueryDict, held: dict[str, int]
) -> dict[str, Any]:
    """Filters, and a page of the cards that they leave of those that the mode is played with."""
    known = queries.game_and_mode(deck)
    mode = known[1] if known else None
    pool = verdicts.pool_of(deck)
    choices = catalog.choices(deck.game)
    data = query.copy()
    data["game"] = deck.game
    form = GalleryForm(data, choices=choices, usual="all")
    sort = cast(Any, form.fields["sort"])
    sort.choices = [("number", "Best match first"), *sort.choices[1:]]
    sets = tuple(f"{deck.game}.{slug}" for slug in mode.sets) if mode else ()
    for name, taken in (("kind", mode.kinds), ("set", sets)) if mode else ():
        field = cast(Any, form.fields[name])
        field.choices = [
            choice for choice in field.choices if not taken or choice[0] in ("", *taken)
        ]
    chosen = {name: value for name, value in form.chosen().items() if name != "view"}
    if pool is not None:
        chosen.pop("have", None)  # the wall is the pool, whatever the collection has
    meant, page, found_in_all = asked_or_meant(
        chosen, lambda wish: _found(request, wish, mode, query, pool)
    )
    homes = known[0].sections_of_kinds(known[1]) if known else {}
    slugs = [card.printed.slug for card in page.cards]
    own = queries.copies_for(deck, cast(User, request.user), slugs)
    kept = {name: value for name, value in chosen.items() if name != "game"}
    names = [name for name in SELECTS if pool is None or name != "have"]
    selects = [form[name] for name in names if len(cast(Any, form.fields[name]).choices) > 2]
    return {
        "form": form,
        "selects": selects,
        "sections": mode.sections if mode else (),
        "kept": urlencode(kept),
        "asked": chosen.get("q", ""),
        "meant": meant,
        "filtered": bool(set(kept) - {"sort"}),
        "page": page,
        "found": found_in_all,
        "pool": pool,
        "collects": pool is not None or queries.collects(cast(User, request.user), deck.game),
        "tiles": [_pick(card, held, own, homes) for card in page.cards],
    }


def _found(
    request: HttpRequest,
    chosen: dict[str, str],
    mode: Mode | None,
    query: QueryDict,
    pool: CardPool | None,
) -> tuple[Page[catalog.WallCard], Found]:
    wish = {"have": "all"} | chosen
    words = str(wish.get("q", ""))
    asked_order = wish.pop("sort", "")
    order = BEST_MATCH if words and not asked_order else ORDERS[asked_order or "number"]
    rows = catalog.cards()
    if mode is not None:
        rows = queries.cards_of(mode, rows)
    if pool is not None:
        rows = rows.filter(slug__in=list(pool.cards))
    cards = CollectionFilter(wish, queryset=rows, owner=cast(User, request.user)).qs
    if order is BEST_MATCH:
        cards = ranked(cards, words)
    return page_of(cards, order, PAGE_SIZE, query.dict(), read=catalog.wall_cards)


def _pick(
    card: catalog.WallCard,
    held: dict[str, int],
    own: dict[str, tuple[int, int]],
    homes: Mapping[str, str],
) -> dict[str, Any]:
    slug = card.printed.slug
    return tile(card) | {
        "held": held.get(slug, 0),
        "owned": own.get(slug, (0, 0))[0],
        "section": homes.get(card.printed.kind, ""),
    }


# Shape and wishlist


@require_safe
def shape(request: HttpRequest, slug: str) -> HttpResponse:
    """A deck's charts, the odds of its hands, and a hand; for everybody who may see the deck."""
    deck = decks.access_deck(request.user, slug)
    deck_shape = queries.shape_of(deck, decks.decklist(deck), question(request.GET))
    part = is_htmx_update(request)
    template = "decks/shape.html" if part else "decks/shape_page.html"
    response = render(request, template, {"deck": deck, "shape": deck_shape})
    return vary_on_htmx(response)


@require_POST
def want(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the cards that somebody lacks for a deck, anybody's, on their wishlist."""
    decks.access_deck(request.user, slug)
    number = services.want_missing(user=ensure_guest(request), slug=slug)
    messages.success(request, f"{_cards(number)} added to your wishlist.")
    return redirect("decks:deck", slug)
