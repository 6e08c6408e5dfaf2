"""Calendar and feed under secret addresses."""

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
    """The deadlines of whoever was given this address."""
    address = _secret_address(AddressUse.CALENDAR, secret)
    found = subscriptions.deadlines(address.person)
    dated = dated_content(address, lambda before, now: subscriptions.revised(found, before, now))
    text = subscriptions.calendar(found, dated)
    return _unless_known(request, text, "text/calendar; charset=utf-8", dated.changed_at)


@require_safe
@metered_view
def feed(request: HttpRequest, secret: str) -> HttpResponse:
    """The tables of whoever was given this address."""
    address = _secret_address(AddressUse.FEED, secret)
    found = subscriptions.entries(address.person)
    dated = dated_content(address, lambda before, now: subscriptions.told(found, address.person))
    text = subscriptions.feed(found, address.person, dated)
    return _unless_known(request, text, "application/atom+xml; charset=utf-8", dated.changed_at)


def _secret_address(use: AddressUse, secret: str) -> SecretAddress:
    address = address_of(use, secret)
    if address is None:
        raise Http404("There is nothing under this address (any more).")
    return address


def _unless_known(
    request: HttpRequest, text: bytes, content_type: str, changed_at: datetime
) -> HttpResponse:
    """The text, or only that it is still what the other side has."""
    tag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    changed = int(changed_at.timestamp())
    headers = {
        "Cache-Control": "private, no-cache",
        "X-Robots-Tag": "noindex",
        "ETag": tag,
        "Last-Modified": http_date(changed),
    }
    answer = HttpResponse(text, content_type=content_type, headers=headers)
    return get_conditional_response(request, tag, changed, answer) or answer
