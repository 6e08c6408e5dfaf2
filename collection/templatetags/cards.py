"""Cards in templates: ``{% load cards %}``.

``{% card_image slug game "table" %}`` is a picture's address,
``{% card_picture slug game "table" %}`` a whole image with its
words. Neither asks the database, retired cards excepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlencode

from django import forms, template
from django.forms import BoundField
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from collection.drawing import pictures
from collection.drawing.printed import printed_card
from collection.forms.gallery import SeveralBoxes
from collection.queries.binders import on_profile
from collection.queries.partners import Partner

register = template.Library()


@register.simple_tag
def card_image(slug: str, game: str, size: str = "table") -> str:
    """The address of a card's picture."""
    return pictures.card_image_url(game, slug, size)


@register.simple_tag
def card_back_image(game: str, size: str = "table") -> str:
    """The address of the picture of a game's card back."""
    return pictures.card_back_url(game, size)


@register.simple_tag
def card_alt(slug: str, game: str) -> str:
    """Describe a card's picture."""
    return pictures.alt_text(printed_card(game, slug))


@register.inclusion_tag("collection/picture.html")
def card_picture(
    slug: str,
    game: str,
    size: str = "table",
    *,
    alt: str | None = None,
    css: str = "playing-card",
    eager: bool = False,
) -> dict[str, Any]:
    """An ``img`` of a card; ``alt=""`` where its words stand beside it, ``eager`` at the top."""
    width, height = pictures.SIZES[size]
    return {
        "url": pictures.card_image_url(game, slug, size),
        "alt": pictures.alt_text(printed_card(game, slug)) if alt is None else alt,
        "width": width,
        "height": height,
        "css": css,
        "eager": eager,
    }


@register.simple_tag
def trade_address(partner: Partner, number: int) -> str:
    """The form for an offer with the first ``number`` cards that either side wants."""
    cards = [("take", card.pk) for card in partner.gives[:number]]
    cards += [("give", card.pk) for card in partner.wants[:number]]
    return f"{reverse('collection:new_trade', args=[partner.person.username])}?{urlencode(cards)}"


IN_SIGHT = 12
"""The first pictures of a wall, which are fetched at once."""
_TOLD = ("address", "url", "alt", "own", "owned", "missing", "for_trade")


@register.simple_tag
def wall_card(tile: Mapping[str, Any], *, number: int, counted: Any = False) -> SafeString:
    """A card on a wall, the ``number``-th: its link and picture, and, ``counted``, its copies."""
    values = {name: tile.get(name, "") for name in _TOLD}
    return _wall_card(later=number > IN_SIGHT, counted=bool(counted), **values)


@lru_cache(maxsize=4096)
def _wall_card(**values: Any) -> SafeString:
    """Cached: a card with the same counts looks the same on every wall."""
    html = render_to_string("collection/wall_card.html", values).strip()
    return mark_safe(html)  # noqa: S308  (a template has drawn it)


@register.inclusion_tag("collection/person_binders.html")
def binders_of(person: User) -> dict[str, Any]:
    """The binders that somebody's profile links to; nothing where there are none."""
    return {"binders": list(on_profile(person))}


@register.simple_tag
def card_filter(field: BoundField) -> SafeString:
    """A filter of a form of cards: a select, or a menu of boxes where several can be chosen."""
    values = {"label": field.label, "name": field.html_name, "id": field.id_for_label}
    if isinstance(field, SeveralBoxes):
        return _card_filter("several", **values, boxes=field.boxes, said=field.said)
    choices = tuple(cast(Iterable[tuple[str, str]], cast(forms.ChoiceField, field.field).choices))
    return _card_filter("select", **values, choices=choices, chosen=field.value() or "")


@lru_cache(maxsize=1024)
def _card_filter(kind: str, **values: Any) -> SafeString:
    """Cached: the same choices look the same on every page, and took a third of the wall's time."""
    html = render_to_string(f"collection/filter_{kind}.html", {"field": values}).strip()
    return mark_safe(html)  # noqa: S308  (a template has drawn it)
