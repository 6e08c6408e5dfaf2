"""Pages of packs: what is sealed, opening one, checking it, and the odds."""

from __future__ import annotations

import json
from typing import Any, cast

from django.conf import settings
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import rules
from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.drawing import pictures
from collection.drawing.printed import printed_card
from collection.errors import NotFound, Unacceptable
from collection.models import Pack
from collection.queries import packs as queries
from collection.queries.sets import sets_with
from collection.services import packs as services
from collection.views.numbers import number
from rules.engine.packs import canonical

PAGE_SIZE = 12
JUST_OPENED = "just_opened"
"""Where the session remembers a pack whose opening is shown, once: a reload shows its cards."""
FEW_PACKS = 10
"""So many packs the chance is said for unless somebody asks for another number."""
MAX_PACKS = 9999
FEW = 12
"""Up to so many cards are turned over one at a time; larger packs are dealt open quickly."""


@require_safe
@never_cache
def packs(request: HttpRequest) -> HttpResponse:
    """Sealed packs, today's gift, how packs are earned, and the opened ones."""
    user = request.user
    here = isinstance(user, User)
    opened = queries.opened(cast(User, user)) if here else Pack.objects.none()
    page = Paginator(opened, PAGE_SIZE).get_page(request.GET.get("page"))
    today = queries.day_of(user)
    gifts = [] if today.gift else queries.gifts(user)
    context = {
        "shelves": queries.stacks(cast(User, user)) if here else [],
        "today": today,
        "most": services.MATCH_PACKS_A_DAY,
        "gifts": gifts,
        "offered": queries.likely_gift(user, gifts) if gifts else "",
        "products": queries.shelf(),
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "rows": [(pack, queries.product_name(pack), _thumbs(pack)) for pack in page],
    }
    return render(request, "collection/packs.html", context)


def _thumbs(pack: Pack) -> list[str]:
    """A few of an opened pack's pictures; they stand beside its name."""
    return [pictures.card_image_url(pack.game, slug, "thumb") for slug in (pack.cards or ())[-8:]]


@require_POST
def take_gift(request: HttpRequest) -> HttpResponse:
    """Take the gift of the day; somebody anonymous becomes a guest."""
    game, _, product = request.POST.get("choice", "").partition("/")
    pack, _ = services.take_gift(user=ensure_guest(request), game=game, product=product)
    return redirect(pack)


@require_safe
@never_cache
def pack(request: HttpRequest, slug: str) -> HttpResponse:
    """A pack: sealed, with its promise; or opened, with its cards."""
    return _page(request, queries.access_pack(request.user, slug))


def _page(
    request: HttpRequest,
    pack: Pack,
    *,
    client_seed: str = "",
    choice: str = "",
    refusal: Unacceptable | None = None,
) -> HttpResponse:
    user = request.user
    game, name = rules.games().get(pack.game), queries.product_name(pack)
    contents = queries.contents_of(pack)
    context: dict[str, Any] = {
        "pack": pack,
        "game": game,
        "name": name,
        "product": queries.product_of(pack),
        "mine": pack.owner == user,
        "contents": contents,
    }
    if pack.sealed:
        context |= {
            "client_seed": client_seed,
            "choice": choice,
            "problem": refusal,
            "field": refusal.extra.get("field", "client_seed") if refusal else "",
            "longest": services.MAX_CLIENT_SEED_LENGTH,
            "named": queries.named(contents),
            "choices": queries.choices(contents),
        }
        status = refusal.status if refusal else 200
        return render(request, "collection/packs_sealed.html", context, status=status)
    cards = queries.inside(pack)
    boxed = _boxed(request, pack) if contents.box else []
    waiting = next((inner for inner in boxed if inner.sealed and inner.owner == user), None)
    context |= {
        "cards": [
            {
                "inside": drawn_card,
                "url": pictures.card_image_url(pack.game, drawn_card.card.slug, "table"),
                "alt": pictures.alt_text(printed_card(pack.game, drawn_card.card.slug)),
            }
            for drawn_card in cards
        ],
        "new": sum(drawn_card.new for drawn_card in cards),
        "best": cards[-1] if cards and cards[-1].special and contents.random else None,
        "back": pictures.card_back_url(pack.game, "table"),
        "reveal": request.session.pop(JUST_OPENED, "") == pack.slug,
        "quickly": len(cards) > FEW,
        "boxed": boxed,
        "next": waiting or (queries.next_sealed(pack, user) if isinstance(user, User) else None),
    }
    return render(request, "collection/packs_opened.html", context)


def _boxed(request: HttpRequest, box: Pack) -> list[Pack]:
    """The packs that came out of a box, as far as they may be seen."""
    return [inner for inner in queries.out_of(box) if queries.may_look(request.user, inner)]


@require_POST
def open_pack(request: HttpRequest, slug: str) -> HttpResponse:
    """Open it. A second time, in another tab, shows the same cards."""
    client_seed, choice = request.POST.get("client_seed", ""), request.POST.get("choice", "")
    user = request.user
    if not isinstance(user, User):
        raise NotFound("Pack not found, or it isn’t yours to open.")
    try:
        pack, _ = services.open_pack(slug=slug, user=user, client_seed=client_seed, choice=choice)
    except Unacceptable as refusal:
        sealed = queries.access_pack(user, slug)
        return _page(request, sealed, client_seed=client_seed, choice=choice, refusal=refusal)
    request.session[JUST_OPENED] = pack.slug
    return redirect(pack)


@require_safe
@never_cache
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """An opened pack drawn again, number by number; a sealed one with its promise only."""
    pack = queries.access_pack(request.user, slug)
    contents = queries.contents_of(pack)
    context = {
        "pack": pack,
        "name": queries.product_name(pack),
        "contents": contents,
        "canonical": canonical(contents.to_json()).decode(),
        "check": None if pack.sealed else queries.check(pack),
        "named": queries.named(contents),
        "choices": queries.choices(contents),
        "boxed": _boxed(request, pack) if contents.box else [],
        "script": reverse("collection:verify_script"),
    }
    return render(request, "collection/packs_verify.html", context)


@require_safe
@never_cache
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The file for the stand-alone script."""
    pack = queries.access_pack(request.user, slug)
    body = json.dumps(queries.record_of(pack), ensure_ascii=False, indent=1)
    response = HttpResponse(body, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="pack-{pack.slug}.json"'
    return response


@require_safe
def verify_script(request: HttpRequest) -> HttpResponseBase:
    """``docs/verify.py``, to be run far away from this site."""
    path = settings.BASE_DIR / "docs" / "verify.py"
    return FileResponse(
        path.open("rb"), as_attachment=True, filename="verify.py", content_type="text/x-python"
    )


@require_safe
def odds(request: HttpRequest, game: str, product: str) -> HttpResponse:
    """The possible contents of a pack, and their odds."""
    definition, chosen = queries.given_product(game, product)
    others = [candidate for candidate in queries.given_products(game) if candidate is not chosen]
    table = queries.odds_table(game, product)
    words = request.GET.get("q", "")[:100].strip()
    rarity = request.GET.get("rarity", "")
    packs = min(number(request.GET.get("packs", "")) or FEW_PACKS, MAX_PACKS)
    lines = table.lines(words, rarity if rarity in table.rarities else "")
    context = {
        "lines": [(line, line.chance_after(packs)) for line in lines],
        "words": words,
        "rarity": rarity,
        "packs": packs,
        "most_packs": MAX_PACKS,
        "game": definition,
        "product": chosen,
        "table": table,
        "named": queries.named(table.contents),
        "choices": queries.choices(table.contents),
        "others": others,
        "sets": sets_with(game, {line.card.slug for line in table.cards}),
    }
    return render(request, "collection/packs_odds.html", context)
