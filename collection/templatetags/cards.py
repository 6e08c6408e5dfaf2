"""Cards in templates: ``{% load cards %}``.

``{% card_image slug game "table" %}`` is a picture's address,
``{% card_picture slug game "table" %}`` a whole image with its
words. Neither asks the database, retired cards excepted.
"""

from __future__ import annotations

from typing import Any

from django import template

from collection import pictures
from collection.printed import printed_card

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
    """What a card's picture shows, in words."""
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
