"""Packs in templates: ``{% load packs %}``; wrappers, and odds as people read them."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from collection.models import Pack
from collection.queries.packs import contents_of, contents_today, product_name, product_of
from rules.engine.packs import Contents

register = template.Library()

NBSP = "\N{NO-BREAK SPACE}"
WIDTH, HEIGHT = 200, 296
CENTRE = 100.0, 128.0
TEETH = 40


def _zigzag(y: float, depth: float) -> list[str]:
    """The cut edge of a wrapper, from the left to the right."""
    step = WIDTH / TEETH
    return [f"{n * step:g} {y if n % 2 else y + depth:g}" for n in range(TEETH + 1)]


def _wedge(start: float, width: float, reach: float = 240) -> str:
    """A ray from the centre."""
    (x, y), ends = CENTRE, (start, start + width)
    corners = " ".join(f"L{x + reach * cos(a):.1f} {y + reach * sin(a):.1f}" for a in ends)
    return f"M{x:g} {y:g}{corners}z"


def wrapper_paths(product: str, *, random: bool) -> dict[str, Any]:
    """The drawn shapes of a product's wrapper: rays where chance is inside, else rings."""
    draw = hashlib.sha256(product.encode()).digest()
    top, bottom = _zigzag(0, 5), _zigzag(HEIGHT - 5, 5)
    count = 9 + draw[0] % 6
    turn = draw[1] / 256 * 2 * pi
    return {
        "outline": f"M{' L'.join(top)} L{' L'.join(reversed(bottom))}z",
        "rays": [
            _wedge(turn + n * 2 * pi / count, pi / count) for n in range(count if random else 0)
        ],
        "rings": [] if random else [34 + n * (20 + draw[2] % 7) for n in range(8)],
        "crimps": [round(n * 6.25 + 3.1, 2) for n in range(32)],
    }


@register.inclusion_tag("collection/packs_wrapper.html")
def pack_wrapper(pack: Pack) -> dict[str, Any]:
    """A sealed pack as it lies there, drawn."""
    if product_of(pack) is None:  # the rules have dropped it; what was promised stays
        return _wrapper(contents_of(pack), product_name(pack))
    return product_wrapper(pack.game, pack.product, product_name(pack))


@register.filter
def pack_name(pack: Pack) -> str:
    """The name of its product."""
    return product_name(pack)


@register.inclusion_tag("collection/packs_wrapper.html")
def product_wrapper(game: str, product: str, name: str) -> dict[str, Any]:
    """The wrapper of a product that nobody has got yet."""
    return _wrapper(contents_today(game, product), name)


def _wrapper(contents: Contents, name: str) -> dict[str, Any]:
    title, _, subtitle = name.partition(": ")
    return {
        "game": contents.game,
        "title": subtitle or title,
        "above": title if subtitle else "",
        "size": in_words(contents),
        "foil": _foil(contents.game, contents.product, random=contents.random),
    }


@lru_cache(maxsize=512)
def _foil(game: str, product: str, *, random: bool) -> SafeString:
    """The drawing below the words. Cached, as it has a hundred shapes."""
    shapes = wrapper_paths(product, random=random)
    return render_to_string("collection/packs_wrapper_foil.html", {"game": game, **shapes})


@register.filter
def in_words(contents: Contents) -> str:
    """How much there is of everything: "5 cards", "6 packs and 12 cards"."""
    packs = sum(count for _, count in contents.packs) + bool(contents.choice)
    counted = ((packs, "pack"), (contents.size, "card"))
    return " and ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in counted if n)


@register.filter
def percent(share: Fraction) -> str:
    """A chance with three figures that count: 41.7 %, 0.115 %."""
    value = float(share) * 100
    if value in (0, 100) or share.denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100):
        return f"{value:g}{NBSP}%"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}{NBSP}%"


@register.filter
def copies(expected: Fraction) -> str:
    """An average number of copies in a hundred packs."""
    value = float(expected) * 100
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


@register.filter
def one_in(share: Fraction) -> str:
    """One in how many packs, about."""
    if share >= Fraction(99, 100):
        return "every pack"
    value = float(1 / share)
    return f"1 in {value:.1f}" if value < 20 else f"1 in {value:,.0f}"


@register.filter
def packs_count(number: float) -> str:
    """An average number of packs as people read it."""
    return f"{number:,.1f} packs" if number < 100 else f"{number:,.0f} packs"


@register.filter
def chance(value: float) -> str:
    """A chance in percent that is never rounded to none or to certainty."""
    if 0 < value < 0.001:
        return f"under 0.1{NBSP}%"
    if 0.999 < value < 1:
        return f"over 99.9{NBSP}%"
    return f"{value * 100:.1f}".removesuffix(".0") + f"{NBSP}%"
