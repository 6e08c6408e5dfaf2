"""The page of one card, what its owner says about it there, and the pictures themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import parse_etags
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.copies import MAX_LENGTHS, Described, rest
from collection.drawing import pictures
from collection.drawing.faces import face_for
from collection.drawing.printed import NoSuchCard, from_row
from collection.errors import NotEnoughCards, Unacceptable
from collection.forms.gallery import CopiesForm, CountForm, MarkForm
from collection.models import Card, Holding
from collection.queries import catalog as queries
from collection.queries import copies, holdings
from collection.queries.ledger import history
from collection.queries.rulings import rulings
from collection.services import describing
from collection.services import holdings as services
from collection.views.words import changes_of
from core.errors import KeyUsedAgain

FOR_EVER = "public, max-age=31536000, immutable"
RECENT = 20
"""How many changes a card's page tells."""


@require_safe
def card(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """One card: its picture, its words and numbers, where it appears, and one's own copies."""
    return _page(request, _found(game, slug), {})


@require_safe
def glance(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """The whole card with its text, to be laid over a page."""
    card = _found(game, slug)
    printed = from_row(card)
    layout = face_for(printed).layout(printed)
    context = {
        "card": card,
        "layout": layout,
        "kind": layout.type_line,
        "alt": pictures.alt_text(printed),
        "url": pictures.row_image_url(card, "full"),
    }
    response = render(request, "collection/glance.html", context)
    response["Cache-Control"] = "private, max-age=300"
    return response


def _found(game: str, slug: str) -> Card:
    card = queries.card_or_none(game, slug)
    if card is None:
        raise Http404("Card not found.")
    return card


def _page(request: HttpRequest, card: Card, own: dict[str, Any], status: int = 200) -> HttpResponse:
    before, after = queries.neighbours(card)
    printed = from_row(card)
    layout = face_for(printed).layout(printed)
    context = {
        "card": card,
        "layout": layout,
        "kind": layout.type_line,
        "rarity": queries.spoken_rarity(card.rarity),
        "alt": pictures.alt_text(printed),
        "url": pictures.row_image_url(card, "full"),
        "printings": card.printings.all(),
        "before": before,
        "after": after,
        "namesakes": [
            {"card": other, "url": pictures.row_image_url(other, "thumb")}
            for other in queries.namesakes(card)
        ],
        "products": queries.products_with(card),
        "decks": queries.decks_with(card),
        "rulings": rulings(card.game.slug, card.title, card.name),
    }
    return render(
        request, "collection/card.html", context | _own(request.user, card) | own, status=status
    )


def _own(user: object, card: Card) -> dict[str, Any]:
    """Context of the section on one's own copies; for visitors, how to begin."""
    context: dict[str, Any] = {"card": card, "token": services.new_token()}
    if not isinstance(user, User):
        return context
    held = holdings.holding(user, card)
    initial = {name: getattr(held, name) for name in ("wishlist", "for_trade", "tags", "notes")}
    changes = changes_of(history(user, card)[:RECENT], user)
    return (
        context
        | _copies(user, held)
        | {
            "own": held,
            "mark_form": MarkForm(initial=initial),
            "count_form": CountForm(initial={"to": held.physical}),
            "history": changes,
        }
    )


FORMS = 40
"""So many descriptions of copies of a card can be changed at once."""


def _copies(user: User, held: Holding, refused: CopiesForm | None = None) -> dict[str, Any]:
    """How one's copies are, a form each; plain ones come last."""
    rows = list(copies.of_holdings([held]).get(held.pk, ()) if held.pk else ())
    plain = rest(rows, held.digital + held.physical, held.for_trade)
    described = [*rows, *([plain] if plain.quantity else [])]
    forms = {
        row.key: _copies_form(number, row, bool(rows))
        for number, row in enumerate(described[:FORMS])
    }
    gone = []
    if refused is not None:
        key = refused.data.get("key", "")
        forms[key] = refused
        if all(row.key != key for row in described):
            gone = [(Described(0), refused)]  # the copies are; what was typed is not
    return {
        "copies": [*((row, forms.get(row.key)) for row in described), *gone],
        "copies_open": bool(rows) or refused is not None,
        "binders": copies.binders(user) if rows else [],
    }


def _copies_form(number: int, row: Described, several: bool) -> CopiesForm:
    names = ("key", "condition", "language", "finish", "binder", "note")
    initial = {name: getattr(row, name) for name in names}
    return CopiesForm(
        initial=initial | {"count": row.quantity, "token": services.new_token()},
        auto_id=f"copies-{number}-%s",
        finish=row.finish,
        binders=several,
    )


@require_POST
def describe(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """Say of some copies of a card what they are."""
    card = _found(game, slug)
    form = CopiesForm(request.POST, finish=request.POST.get("finish", "")[: MAX_LENGTHS["finish"]])
    user = ensure_guest(request)
    status: int = Unacceptable.status
    if form.is_valid():
        values = form.cleaned_data
        try:
            describing.redescribe(
                owner=user,
                card=card,
                key=values["key"],
                count=values["count"],
                to=form.described(),
                token=values["token"],
            )
        except (NotEnoughCards, Unacceptable, KeyUsedAgain) as refusal:
            field = str(refusal.extra.get("field", "count"))
            form.add_error(field if field in form.fields else "count", refusal.detail)
            status = refusal.status
        else:
            return _done(request, card, saved=True)
    held = holdings.holding(user, card)
    return _refused(request, card, _copies(user, held, form), status)


@require_POST
def count(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """One copy more or fewer, or a number of them, on the owner's word. A guest may, too."""
    card = _found(game, slug)
    form = CountForm(request.POST)
    user = ensure_guest(request)
    if form.is_valid():
        wish = form.cleaned_data
        try:
            services.count_by_hand(
                owner=user,
                card=card,
                token=wish["token"],
                change=wish["change"],
                to=wish["to"] if wish["change"] is None else None,
                total=wish["total"],
            )
        except (NotEnoughCards, Unacceptable, KeyUsedAgain) as refusal:
            if _wants_numbers(request):
                return JsonResponse({"detail": refusal.detail}, status=refusal.status)
            return _refused(request, card, {"count_error": refusal.detail}, refusal.status)
        return _numbers(user, card) if _wants_numbers(request) else _done(request, card)
    sentence = next(iter(form.errors.values()))[0]
    if _wants_numbers(request):
        return JsonResponse({"detail": sentence}, status=Unacceptable.status)
    return _refused(request, card, {"count_error": sentence}, Unacceptable.status)


def _wants_numbers(request: HttpRequest) -> bool:
    """It comes from a wall, which shows its own numbers."""
    return request.headers.get("Accept") == "application/json"


def _numbers(user: User, card: Card) -> HttpResponse:
    held = holdings.holding(user, card)
    return JsonResponse({"owned": held.quantity})


@require_POST
def mark(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """Wishlist, copies for trade, tags and notes of one card."""
    card = _found(game, slug)
    form = MarkForm(request.POST)
    user = ensure_guest(request)
    if form.is_valid():
        try:
            services.mark(owner=user, card=card, **form.cleaned_data)
        except Unacceptable as refusal:
            form.add_error(refusal.extra["field"], refusal.detail)
        else:
            return _done(request, card, saved=True)
    return _refused(request, card, {"mark_form": form}, Unacceptable.status)


def _done(request: HttpRequest, card: Card, *, saved: bool = False) -> HttpResponse:
    if "HX-Request" in request.headers:
        context = _own(request.user, card) | {"saved": saved}
        return render(request, "collection/own.html", context)
    return redirect(f"{card.get_absolute_url()}#own")


def _refused(
    request: HttpRequest, card: Card, context: dict[str, Any], status: int
) -> HttpResponse:
    """The page again with what was typed; htmx takes the section only with a status of success."""
    if "HX-Request" in request.headers:
        return render(request, "collection/own.html", _own(request.user, card) | context)
    return _page(request, card, context, status=status)


# Pictures


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
    return _picture(request, present, lambda: pictures.card_bytes(game, slug, size))


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
    return _picture(request, present, lambda: pictures.back_bytes(game, size))


def _elsewhere(address: str) -> HttpResponse:
    """A redirect that nobody keeps: the next change may lead elsewhere."""
    response = HttpResponseRedirect(address)
    response["Cache-Control"] = "no-cache"
    return response


def _picture(request: HttpRequest, digest: str, read: Callable[[], bytes]) -> HttpResponse:
    etag = f'"{digest}"'
    known = parse_etags(request.headers.get("If-None-Match", ""))
    response: HttpResponse
    if {etag, f"W/{etag}", "*"}.intersection(known):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(read(), content_type="image/webp")
    response["Cache-Control"] = FOR_EVER
    response["ETag"] = etag
    return response
