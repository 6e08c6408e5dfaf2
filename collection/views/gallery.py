"""Pages of the card gallery, and the pictures themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from collection import pictures
from collection.faces import face_of
from collection.filters import CardFilter
from collection.forms import GalleryForm
from collection.models import RARITY_WORDS, Card
from collection.printed import NoSuchCard, from_row
from collection.queries import catalog as queries

A_PAGE = 48
SELECTS = ("game", "set", "kind", "colour", "rarity", "sort")
FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """The wall of cards. htmx asks for the wall alone, everybody else gets the page."""
    form = GalleryForm(request.GET, choices=queries.choices(request.GET.get("game", "")))
    chosen = form.chosen()
    order = {"sort": chosen.pop("sort", "number")}
    kept = urlencode(chosen | ({} if order["sort"] == "number" else order))
    found = CardFilter(chosen | order, queryset=queries.cards()).qs
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "selects": [form[name] for name in SELECTS],
        "game": chosen.get("game", ""),
        "filtered": bool(chosen),
        "kept": kept,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "tiles": [_tile(card) for card in page],
    }
    if "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers:
        # The choices of the other filters follow the chosen game.
        context["narrowed"] = [
            form[name].as_widget(attrs={"hx-swap-oob": "true"}) for name in SELECTS[1:-1]
        ]
        response = render(request, "collection/wall.html", context)
        address = reverse("collection:gallery")
        response["HX-Push-Url"] = f"{address}?{kept}" if kept else address
    else:
        response = render(request, "collection/gallery.html", context)
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def _tile(card: Card) -> dict[str, object]:
    return {
        "card": card,
        "url": pictures.row_image_url(card, "table"),
        "alt": pictures.row_alt_text(card),
    }


@require_safe
def card(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """One card: its picture, its words and numbers, where it appears."""
    found = queries.card_or_none(game, slug)
    if found is None:
        raise Http404("There is no such card.")
    before, after = queries.neighbours(found)
    printed = from_row(found)
    layout = face_of(game).layout(printed)
    context = {
        "card": found,
        "layout": layout,
        "kind": layout.type_line,
        "rarity": queries.spoken(RARITY_WORDS.get(found.rarity, found.rarity)),
        "alt": pictures.alt_text(printed),
        "url": pictures.row_image_url(found, "full"),
        "printings": found.printings.all(),
        "before": before,
        "after": after,
        "namesakes": [
            {"card": other, "url": pictures.row_image_url(other, "thumb")}
            for other in queries.namesakes(found)
        ],
    }
    return render(request, "collection/card.html", context)


@require_safe
def card_image(request: HttpRequest, game: str, slug: str, size: str, digest: str) -> HttpResponse:
    """A card's picture. An outdated address leads to the present one."""
    try:
        address = pictures.card_image_url(game, slug, size)
        present = pictures.card_hash(game, slug)
    except (NoSuchCard, pictures.NoSuchPicture) as error:
        raise Http404(str(error)) from None
    if digest != present:
        return _elsewhere(address)
    return _picture(request, present, lambda: pictures.card_picture(game, slug, size))


@require_safe
def card_back(request: HttpRequest, game: str, size: str, digest: str) -> HttpResponse:
    """The back of a game's cards."""
    try:
        address = pictures.card_back_url(game, size)
        present = pictures.back_hash(game)
    except pictures.NoSuchPicture as error:
        raise Http404(str(error)) from None
    if digest != present:
        return _elsewhere(address)
    return _picture(request, present, lambda: pictures.back_picture(game, size))


def _elsewhere(address: str) -> HttpResponse:
    """A redirect that nobody keeps: the next change may lead elsewhere."""
    response = HttpResponseRedirect(address)
    response["Cache-Control"] = "no-cache"
    return response


def _picture(request: HttpRequest, digest: str, find: Callable[[], Path]) -> HttpResponse:
    etag = f'"{digest}"'
    known = parse_etags(request.headers.get("If-None-Match", ""))
    response: HttpResponse
    if {etag, f"W/{etag}", "*"}.intersection(known):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(find().read_bytes(), content_type="image/webp")
    response["Cache-Control"] = FOR_EVER
    response["ETag"] = etag
    return response
