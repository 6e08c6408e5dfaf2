"""Walls of cards: all there are, somebody's own, another person's; htmx asks for a wall alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from collection.forms.gallery import COPIES, SEVERAL, GalleryForm
from collection.queries import catalog as queries
from collection.queries import copies, holdings
from collection.queries.catalog import PAGE_SIZE
from collection.queries.filters import CardFilter, CollectionFilter, ShownCollectionFilter
from collection.queries.keyset import ORDERS, Found, Page, asked_or_meant, page_of
from collection.views import tiles
from collection.views.parts import is_htmx_update, vary_on_htmx

SELECTS = ("game", "set", "kind", "colour", "rarity", "have", *COPIES, "sort")


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where a wall hangs, whose copies it counts and what it shows of them if nothing is said."""

    address: str
    owner: User | None = None
    usual: str = ""
    copies: tuple[str, ...] = ()
    """The copy details that can be filtered by; binders are their owner's alone."""


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Every card there is; for somebody who is logged in with the copies that they have."""
    address = reverse("collection:gallery")
    if isinstance(request.user, User):
        return wall(request, Shelf(address, request.user, "all"), "collection/gallery.html", {})
    return wall(request, Shelf(address), "collection/gallery.html", {})


def wall(
    request: HttpRequest, shelf: Shelf, template: str, context: dict[str, Any]
) -> HttpResponse:
    """A page with filters and what they leave; for htmx what they leave and what follows them."""
    choices = queries.choices(request.GET.get("game", ""))
    binders = _binders(request, shelf, context)
    form = GalleryForm(
        request.GET,
        choices=choices,
        usual=shelf.usual,
        several=True,
        copies=shelf.copies,
        binders=binders,
    )
    chosen = form.chosen()
    words, page, total = asked_or_meant(
        chosen, lambda wish: _page(wish, choices, shelf, request.GET.dict())
    )
    as_table = chosen.get("view") == "table"
    keys = [card.pk for card in page.cards]
    own = holdings.copies(shelf.owner, keys) if shelf.owner else {}
    rows = _rows(shelf, own) if as_table else {}
    described = bool(set(chosen).intersection(COPIES)) or _described(context)
    selects = [
        name for name in SELECTS if name in form.fields and (described or name not in COPIES)
    ]
    kept = urlencode(chosen, doseq=True)
    context |= {
        "form": form,
        "address": shelf.address,
        "selects": [form[name] for name in selects],
        "several": [form[name] for name in SEVERAL if name in form.fields],
        "game": chosen.get("game", ""),
        "set_address": _set_address(chosen.get("set", "")),
        "as_table": as_table,
        "filtered": bool(set(chosen) - {"sort", "view"}),
        "asked": chosen.get("q", ""),
        "meant": words,
        "kept": kept,
        "page": page,
        "found": total,
        "counted": bool(shelf.owner),
        "mine": "binder" in shelf.copies,
        "tiles": [
            tiles.tile(card)
            | tiles.copies(own.get(card.pk))
            | (tiles.words(card) if as_table else {})
            | (tiles.rows(rows[card.pk], mine="binder" in shelf.copies) if card.pk in rows else {})
            for card in page.cards
        ],
    }
    if is_htmx_update(request):
        context |= _narrowed(request, form, chosen)
        response = render(request, "collection/wall.html", context)
        response["HX-Push-Url"] = f"{shelf.address}?{kept}" if kept else shelf.address
    else:
        response = render(request, template, context)
    return vary_on_htmx(response)


def _set_address(chosen: str) -> str:
    """The page of a set that is filtered by, as in ``game.slug``."""
    game, _, slug = chosen.partition(".")
    return reverse("collection:set", args=[game, slug]) if slug else ""


def _described(context: dict[str, Any]) -> bool:
    """True if any copies may have details, as far as the page knows."""
    return bool(getattr(context.get("totals"), "described", 0))


def _binders(request: HttpRequest, shelf: Shelf, context: dict[str, Any]) -> list[str]:
    """The owner's binders, looked for only where there may be any."""
    wants_binder = "binder" in shelf.copies and (request.GET.get("binder") or _described(context))
    return copies.binders(shelf.owner) if wants_binder and shelf.owner else []


def _rows(shelf: Shelf, own: Mapping[int, holdings.Copies]) -> dict[int, copies.Rows]:
    """How the copies of these cards are; no query where nothing is said of any."""
    described = [card for card, held in own.items() if held.described]
    return copies.of_cards(shelf.owner, described) if shelf.owner and described else {}


def _narrowed(request: HttpRequest, form: GalleryForm, chosen: dict[str, Any]) -> dict[str, Any]:
    """The filters whose choices are others now; under a finger that ticks boxes none is changed."""
    before = QueryDict(urlsplit(request.headers.get("HX-Current-URL", "")).query)
    names = [name for name in SEVERAL if name in form.fields]
    if "HX-Current-URL" in request.headers and before.get("game", "") == chosen.get("game", ""):
        ticked = [have for have in request.GET.getlist("have") if have]
        names = ["have"] if "have" in names and ticked != chosen.get("have", []) else []
    return {
        "narrowed": [form["set"].as_widget(attrs={"hx-swap-oob": "true"})],
        "ticked": [form[name] for name in names],
    }


def _page(
    chosen: dict[str, Any], choices: queries.Choices, shelf: Shelf, marks: dict[str, Any]
) -> tuple[Page[queries.WallCard], Found]:
    wish = {name: value for name, value in chosen.items() if name != "view"}
    order = ORDERS[wish.get("sort", "number")]
    if shelf.owner is None:
        cards = CardFilter(wish, queryset=queries.cards()).qs
    else:
        wish = {"have": shelf.usual} | wish
        among = CollectionFilter if "binder" in shelf.copies else ShownCollectionFilter
        cards = among(wish, queryset=queries.cards(retired=True), owner=shelf.owner).qs
    haves = queries.listed(wish.pop("have", "all"))
    countable = set(haves) == {"all"} and not set(wish).intersection(COPIES)
    number = choices.number(wish) if countable else None
    return page_of(cards, order, PAGE_SIZE, marks, number, read=queries.wall_cards)
