"""Walls of cards: all there are, somebody's own, another person's; htmx asks for a wall alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from collection.filters import CardFilter, CollectionFilter
from collection.forms import SEVERAL, GalleryForm
from collection.queries import catalog as queries
from collection.queries import holdings
from collection.queries.catalog import A_PAGE
from collection.queries.keyset import ORDERS, Found, Page, asked_or_meant, page_of
from collection.views import tiles
from collection.views.parts import is_htmx_update, vary_on_htmx

SELECTS = ("game", "set", "kind", "colour", "rarity", "have", "sort")


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where a wall hangs, whose copies it counts and what it shows of them if nothing is said."""

    address: str
    owner: User | None = None
    usual: str = ""


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
    form = GalleryForm(request.GET, choices=choices, usual=shelf.usual, several=True)
    chosen = form.chosen()
    words, page, found = asked_or_meant(
        chosen, lambda wish: _page(wish, choices, shelf, request.GET.dict())
    )
    as_table = chosen.get("view") == "table"
    keys = [card.pk for card in page.cards]
    own = holdings.copies(shelf.owner, keys) if shelf.owner else {}
    selects = [name for name in SELECTS if name in form.fields]
    kept = urlencode(chosen, doseq=True)
    context |= {
        "form": form,
        "address": shelf.address,
        "selects": [form[name] for name in selects],
        "several": [form[name] for name in SEVERAL if name in form.fields],
        "game": chosen.get("game", ""),
        "as_table": as_table,
        "filtered": bool(set(chosen) - {"sort", "view"}),
        "asked": chosen.get("q", ""),
        "meant": words,
        "kept": kept,
        "page": page,
        "found": found,
        "counted": bool(shelf.owner),
        "tiles": [
            tiles.tile(card)
            | tiles.copies(own.get(card.pk))
            | (tiles.words(card) if as_table else {})
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
        cards = CollectionFilter(wish, queryset=queries.cards(retired=True), owner=shelf.owner).qs
    haves = queries.listed(wish.pop("have", "all"))
    number = choices.number(wish) if set(haves) == {"all"} else None
    return page_of(cards, order, A_PAGE, marks, number, read=queries.wall_cards)
