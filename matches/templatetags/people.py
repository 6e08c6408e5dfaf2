"""Links to people, and the curve of a rating."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.templatetags.look import icon
from matches.queries import names, people

register = template.Library()
register.simple_tag(names.game_name)
register.simple_tag(names.mode_name)

WIDTH, HEIGHT, EDGE = 320, 110, 6


@register.simple_tag
def person_link(seat: Any) -> SafeString:
    """The name of a seat, which leads to its person's page; guests and programs are marked."""
    if not seat.username:
        return format_html("{}", seat.name)
    link = format_html(
        '<a class="person-link" href="{}">{}</a>',
        reverse("matches:person", args=[seat.username]),
        seat.name,
    )
    return format_html("{}{}", link, person_mark(seat))


@register.simple_tag
def person_mark(person: Any) -> SafeString:
    """The mark of a guest, or of an account for which a program plays."""
    if person.is_bot:
        return format_html(' <span class="badge">{}Program</span>', icon("bot"))
    return format_html(' <span class="badge">Guest</span>') if person.is_guest else SafeString("")


@register.simple_tag
def names_of(seats: Iterable[Any]) -> SafeString:
    """Who sits in some seats, with the marks of guests and programs."""
    pairs = (("you" if seat.mine else seat.name, person_mark(seat)) for seat in seats)
    return format_html_join(", ", "{}{}", pairs)


@register.simple_tag(takes_context=True)
def seat_mark(context: Context, number: int) -> SafeString:
    """On the felt: the mark of a seat whose account a program plays for; else nothing."""
    seats = context.get("seats") or ()
    if not any(seat.number == number and seat.is_bot for seat in seats):
        return SafeString()
    words = "a program plays"
    return format_html(
        ' <span class="seat-program" title="{}">{}</span>', words, icon("bot", words)
    )


@register.inclusion_tag("matches/curve.html")
def rating_curve(history: people.RatingHistory, title: str) -> dict[str, Any]:
    """The curve of a rating, with the band of its ±."""
    points = history.points
    low = min(point.rating - point.margin for point in points)
    high = max(point.rating + point.margin for point in points)
    step = (WIDTH - 2 * EDGE) / max(len(points) - 1, 1)

    def at(number: int, rating: int) -> str:
        height = (rating - low) / max(high - low, 1) * (HEIGHT - 2 * EDGE)
        return f"{EDGE + number * step:.1f},{HEIGHT - EDGE - height:.1f}"

    upper = [at(n, point.rating + point.margin) for n, point in enumerate(points)]
    lower = [at(n, point.rating - point.margin) for n, point in enumerate(points)]
    return {
        "title": title,
        "points": points,
        "line": " ".join(at(n, point.rating) for n, point in enumerate(points)),
        "band": " ".join([*upper, *reversed(lower)]),
        "end": at(len(points) - 1, points[-1].rating).split(","),
        "width": WIDTH,
        "height": HEIGHT,
        "low": low,
        "high": high,
    }
