"""Pages of trades: what is open, one offer, and the sheet on which a new one is put together."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries.friends import friends_of
from accounts.queries.people import person
from collection.drawing import pictures
from collection.errors import NotFound
from collection.models import Card, Trade, TradeState
from collection.queries import people
from collection.queries import trades as queries
from collection.queries.partners import CARDS_SHOWN, partners_of
from collection.services import trades as services
from collection.views.numbers import change_count, counts, number
from collection.views.parts import go_to_page_of, render_form_step
from core.errors import Refusal

MAX_COUNT = 10_000
PROPOSED = 20
"""So many cards of a side an address may propose."""


@login_required
@require_safe
def trades(request: HttpRequest) -> HttpResponse:
    """Offers to answer, offers made, and the last ones that are over."""
    user = cast(User, request.user)
    context = {
        "trades": queries.trades_of(user),
        "circle": friends_of(user),
        "partners": [] if user.is_guest else partners_of(user),
        "named": CARDS_SHOWN,
    }
    return render(request, "collection/trades.html", context)


@login_required
@require_safe
def trade(request: HttpRequest, slug: str) -> HttpResponse:
    """One offer: both sides' cards and what can be done with it."""
    user = cast(User, request.user)
    return _trade_page(request, queries.trade_of(user, slug))


def _trade_page(
    request: HttpRequest, offer: Trade, problem: str = "", status: int = 200
) -> HttpResponse:
    user = cast(User, request.user)
    yours = offer.proposer_id == user.pk
    items = list(offer.items.all())
    still_open = offer.state == TradeState.OPEN
    context = {
        "trade": offer,
        "yours": yours,
        "other": offer.partner if yours else offer.proposer,
        "you_give": [_item(i.card, i.count) for i in items if i.from_proposer == yours],
        "you_get": [_item(i.card, i.count) for i in items if i.from_proposer != yours],
        "still_open": still_open,
        "short": queries.missing_cards(offer) if still_open else [],
        "problem": problem,
        "counter": getattr(offer, "counter", None),
    }
    return render(request, "collection/trade.html", context, status=status)


def _item(card: Card, count: int) -> dict[str, object]:
    return {
        "card": card,
        "count": count,
        "url": pictures.row_image_url(card, "thumb"),
        "alt": card.title,
    }


@login_required
@require_POST
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Say yes: the cards change hands at once."""
    user = cast(User, request.user)
    offer = queries.trade_of(user, slug)
    try:
        services.accept_trade(trade=offer, user=user)
    except Refusal as refusal:
        return _trade_page(request, queries.trade_of(user, slug), refusal.detail, refusal.status)
    messages.success(request, f"Trade with {offer.proposer} completed.")
    return redirect(offer)


@login_required
@require_POST
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Say no."""
    user = cast(User, request.user)
    services.decline_trade(trade=queries.trade_of(user, slug), user=user)
    messages.info(request, "Offer declined.")
    return redirect("collection:trades")


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one's own offer back."""
    user = cast(User, request.user)
    services.cancel_trade(trade=queries.trade_of(user, slug), user=user)
    messages.info(request, "Offer withdrawn.")
    return redirect("collection:trades")


@dataclass
class Sheet:
    """An offer while it is put together: everything that its form carries from step to step."""

    gives: dict[int, int] = field(default_factory=dict)
    takes: dict[int, int] = field(default_factory=dict)
    give_words: str = ""
    take_words: str = ""
    message: str = ""
    days: int = 7
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    pressed: str = ""

    @classmethod
    def read(cls, data: QueryDict) -> Sheet:
        """The form's values, with invalid counts and days corrected."""
        days = data.get("days", "")
        return cls(
            gives=counts(data, "give-", MAX_COUNT),
            takes=counts(data, "take-", MAX_COUNT),
            give_words=data.get("give_words", "")[:100],
            take_words=data.get("take_words", "")[:100],
            message=data.get("message", "")[:280],
            days=int(days) if days in map(str, services.DAYS) else 7,
            token=data.get("token", "") or secrets.token_urlsafe(18),
        )

    @classmethod
    def mirrored(cls, answered: Trade) -> Sheet:
        """The other one's offer seen from this side, to be changed into a counter-offer."""
        items = list(answered.items.all())
        return cls(
            gives={item.card_id: item.count for item in items if not item.from_proposer},
            takes={item.card_id: item.count for item in items if item.from_proposer},
        )

    def apply_action(self, action: str) -> None:
        """Carry out a button of the form: ``give+12`` adds card 12, ``take-12`` takes it off."""
        self.pressed = action
        change_count(self.gives, action, "give+", "give-")
        change_count(self.takes, action, "take+", "take-")


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, username: str) -> HttpResponse:
    """Put an offer together. Every button sends the whole form, so nothing chosen is lost."""
    user, partner = cast(User, request.user), person(username)
    answered = _answered(user, partner, request.GET.get("answer", ""))
    if request.method == "POST":
        sheet, button = Sheet.read(request.POST), request.POST.get("action", "")
        if button == "send":
            return _send(request, partner, sheet, answered)
        sheet.apply_action(button)
    else:
        sheet = Sheet.mirrored(answered) if answered else Sheet()
        for way in ("take", "give"):
            for key in request.GET.getlist(way)[:PROPOSED]:
                sheet.apply_action(f"{way}+{key}")
    return _sheet_page(request, partner, sheet, answered)


def _answered(user: User, partner: User, slug: str) -> Trade | None:
    """The partner's offer to this person that the new one answers."""
    if not slug:
        return None
    offer = queries.trade_of(user, slug)
    if (offer.proposer_id, offer.partner_id) != (partner.pk, user.pk):
        raise NotFound("Offer not found.")
    return offer


def _send(
    request: HttpRequest, partner: User, sheet: Sheet, answered: Trade | None
) -> HttpResponse:
    try:
        offer = services.offer_trade(
            proposer=cast(User, request.user),
            partner=partner,
            gives=sheet.gives,
            takes=sheet.takes,
            token=sheet.token,
            message=sheet.message,
            days=sheet.days,
            answer_to=answered,
        )
    except Refusal as refusal:
        if refusal.extra.get("field") == "token":
            sheet.token = Sheet().token
        return _sheet_page(request, partner, sheet, answered, refusal)
    messages.success(request, f"Offer sent to {partner}.")
    return go_to_page_of(request, offer)


def _sheet_page(
    request: HttpRequest,
    partner: User,
    sheet: Sheet,
    answered: Trade | None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    user = cast(User, request.user)
    seen = people.may_see(user, partner)
    # Whoever makes an offer shows the cards in it, as long as it stands, and no others.
    on_table = answered if answered and answered.stands and not seen else None
    sides = [
        _side(user, partner, "give", sheet, visible=True, wants=seen),
        _side(partner, user, "take", sheet, visible=seen, wants=True, on_table=on_table),
    ]
    context = {
        "partner": partner,
        "sheet": sheet,
        "sides": sides,
        "answered": answered,
        "days": services.DAYS,
        "address": reverse("collection:new_trade", args=[partner.username])
        + (f"?answer={answered.slug}" if answered else ""),
    }
    page, part = "collection/new_trade.html", "collection/trade_sheet.html"
    return render_form_step(request, page, part, context, refusal)


def _side(
    owner: User,
    other: User,
    name: str,
    sheet: Sheet,
    *,
    visible: bool,
    wants: bool,
    on_table: Trade | None = None,
) -> dict[str, object]:
    """One side of the sheet: the cards chosen, cards to choose from, and where the eye goes.

    Of an owner whose cards are hidden these are the cards of the offer ``on_table``, if any.
    """
    side = sheet.gives if name == "give" else sheet.takes
    words = sheet.give_words if name == "give" else sheet.take_words
    added = sheet.pressed.removeprefix(f"{name}+")
    picks, most = [], {}
    if visible:
        picks = queries.picks(owner, other, words, side, wants_known=wants)
    elif on_table is not None:
        picks, most = queries.offered_picks(on_table, side), queries.offered(on_table)
    return {
        "name": name,
        "owner": owner,
        "words": words,
        "visible": visible,
        "on_table": on_table is not None,
        "added": number(added),
        "dropped": sheet.pressed.startswith(f"{name}-"),
        "chosen": [
            _item(card, count) | {"digital": digital if visible else most.get(card.pk)}
            for card, count, digital in queries.chosen(owner, side)
        ],
        "picks": [{**_item(pick.card, pick.digital), "pick": pick} for pick in picks],
        "at_most": queries.PICKS if visible and len(picks) == queries.PICKS else None,
    }
