"""Calendar and feed at secret addresses."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag
from django.views.decorators.http import require_safe

from core.budgets import metered_view
from matches.queries import subscriptions
from notices.models import SecretAddress
from notices.models.channels import AddressUse
from notices.services.secret_addresses import address_of
from notices.services.secret_addresses import dated as dated_content


@require_safe
@metered_view
def calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """The deadlines of the address's owner, as a calendar."""
    address = _secret_address(AddressUse.CALENDAR, secret)
    deadlines = subscriptions.deadlines(address.person)
    dated = dated_content(
        address, lambda before, now: subscriptions.revised(deadlines, before, now)
    )
    text = subscriptions.calendar(deadlines, dated)
    return _unless_known(request, text, "text/calendar; charset=utf-8", dated.changed_at)


@require_safe
@metered_view
def feed(request: HttpRequest, secret: str) -> HttpResponse:
    """The tables of the address's owner, as a feed."""
    address = _secret_address(AddressUse.FEED, secret)
    entries = subscriptions.entries(address.person)
    dated = dated_content(address, lambda before, now: subscriptions.told(entries, address.person))
    text = subscriptions.feed(entries, address.person, dated)
    return _unless_known(request, text, "application/atom+xml; charset=utf-8", dated.changed_at)


def _secret_address(use: AddressUse, secret: str) -> SecretAddress:
    address = address_of(use, secret)
    if address is None:
        raise Http404("Address not found.")
    return address


def _unless_known(
    request: HttpRequest, text: bytes, content_type: str, changed_at: datetime
) -> HttpResponse:
    """The text, or 304 if the client already has it."""
    tag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    changed = int(changed_at.timestamp())
    headers = {
        "Cache-Control": "private, no-cache",
        "X-Robots-Tag": "noindex",
        "ETag": tag,
        "Last-Modified": http_date(changed),
    }
    response = HttpResponse(text, content_type=content_type, headers=headers)
    return get_conditional_response(request, tag, changed, response) or response
