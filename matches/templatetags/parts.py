"""A drawn table in parts, so that a page which holds a part is sent its mark alone.

``{% part %} … {% endpart %}`` stands around one element. Its mark is made from what is drawn, so it
is another one as soon as anything in it is: no state is kept anywhere, and a page may be any number
of moves behind. Parts may lie in parts; in a drawing a part is a ``<g>``. ``{% parts %} …
{% endparts %}`` stands around all of them; there the variable ``held``, a set of marks, says what
need not be drawn again.

The table's script (``client.js``) sends the marks, and puts what it holds in their places.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_DRAWN = "parts drawn so far"
_MARK = re.compile(r'<[gi] data-same="([\w-]{8})"></[gi]>')
_INDENTED = re.compile(r">\n\s+")
_TAG = re.compile(r"<[a-z][a-z0-9]*")


def keep_part(context: Context, html: str) -> SafeString:
    """Note a drawn element as a part; what stands for it until all are put together."""
    drawn: dict[str, str] | None = context.get(_DRAWN)
    html = _INDENTED.sub(">\n", html.strip())
    if drawn is None or not _TAG.match(html):
        return mark_safe(html)  # noqa: S308  (a template has drawn it)
    digest = hashlib.blake2s(html.encode(), digest_size=6).digest()
    mark = urlsafe_b64encode(digest).decode()
    drawn[mark] = html
    stands = "g" if html.startswith("<g") else "i"  # an <i> would end the <svg> that it stands in
    return mark_safe(f'<{stands} data-same="{mark}"></{stands}>')  # noqa: S308  (letters and digits)


class PartNode(Node):
    """One element of a table."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return keep_part(context, self.nodelist.render(context))


class PartsNode(Node):
    """All elements of a table, put together as far as the page does not hold them."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        drawn: dict[str, str] = {}
        held: set[str] | None = context.get("held")
        held = set() if held is None else held
        localized, context.use_l10n = context.use_l10n, False  # a game's numbers are plain digits
        try:
            with context.push(**{_DRAWN: drawn}):
                html = self.nodelist.render(context)
        finally:
            context.use_l10n = localized
        brought: set[str] = set()

        def put(match: re.Match[str]) -> str:
            mark = match[1]
            if mark in held:
                return match[0]
            brought.add(mark)
            tag = _TAG.match(drawn[mark])
            end = tag.end() if tag else 0
            rest = _MARK.sub(put, drawn[mark][end:])
            return f'{drawn[mark][:end]} data-part="{mark}"{rest}'

        put_together = _MARK.sub(put, _INDENTED.sub(">\n", html))
        held |= brought
        return mark_safe(put_together)  # noqa: S308  (templates have drawn it)


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """One element that a page may hold already."""
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(nodelist)


@register.tag
def parts(parser: Parser, token: Token) -> PartsNode:
    """Around all parts of a table."""
    nodelist = parser.parse(("endparts",))
    parser.delete_first_token()
    return PartsNode(nodelist)
