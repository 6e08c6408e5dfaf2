"""A seat's panel on the felt: face, name, clock and what the game counts."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.templatetags.look import avatar, icon
from matches import engine
from matches.models import Match, SeatKind
from matches.queries.seats import SeatInfo
from matches.templatetags.parts import keep_part
from matches.templatetags.people import seat_mark
from matches.templatetags.table import sitter

register = template.Library()


class PanelNode(Node):
    """The content between the tags is the counts."""

    def __init__(self, seat: Any, nodelist: NodeList) -> None:
        self.seat = seat
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        info: SeatInfo = context["seats"][self.seat.resolve(context)]
        return format_html(
            '<header class="panel opponent-head"{}>{}<h2 class="panel-name opponent-name">{}{}</h2>'
            '<span class="panel-clock numbers" data-clock-of="{}"></span>'
            '<div class="panel-counts">{}</div></header>',
            mark_safe(" data-own") if info.mine else "",
            keep_part(context, face_of(context["match"], info)),
            "You" if info.mine else info.name,
            "" if info.mine else seat_mark(context, info.number),
            info.number,
            mark_safe(self.nodelist.render(context).strip()),  # noqa: S308  (a template drew it)
        )


@register.tag
def panel(parser: Parser, token: Token) -> PanelNode:
    """``{% panel player.seat %} … {% endpanel %}``"""
    _, seat = token.split_contents()
    nodelist = parser.parse(("endpanel",))
    parser.delete_first_token()
    return PanelNode(parser.compile_filter(seat), nodelist)


@register.simple_tag
def face_of(match: Match, info: SeatInfo) -> SafeString:
    """The picture of whoever sits there; of a bot also what kind of player it is."""
    if info.kind != SeatKind.BOT:
        drawn = avatar(sitter(match, info.number) or info.name, "panel")
        return format_html('<span class="panel-face">{}</span>', drawn)
    row = next(row for row in match.seats.all() if row.number == info.number)
    bot = engine.game_of(match).player(row.bot)
    kind = f"{bot.name}, a bot that {bot.strength}. {bot.summary}" if bot else "A bot"
    return format_html(
        '<span class="panel-face panel-bot" title="{}">{}{}<span class="visually-hidden">Bot: '
        "</span></span>",
        kind,
        avatar(info.name, "panel"),
        icon("bot"),
    )
