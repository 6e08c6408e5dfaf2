"""The parts of all tables around their cards: the tray, its form, sheets of paper.

``{% tray %} … {% endtray %}`` is the tray with its sentence, ``{% answer %} … {% endanswer %}`` in
it the form of the open question; ``{% sheet "discard" "Discard pile" %} … {% endsheet %}`` is a
sheet that a button with ``popovertarget="discard"`` opens.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe

from matches.templatetags.parts import keep_part

register = template.Library()


class FrameNode(Node):
    """A template of the core around what a game says between two tags."""

    def __init__(self, frame: str, values: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self.frame = frame
        self.values = values
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        values: dict[str, Any] = {
            name: value.resolve(context) for name, value in self.values.items()
        }
        # Between the tags stand templates of the game, which have escaped what they say.
        content = mark_safe(self.nodelist.render(context))  # noqa: S308
        assert context.template is not None
        frame = context.template.engine.get_template(self.frame)
        with context.push(**values, content=content):
            html = frame.render(context)
        return keep_part(context, html.strip()) if self.frame.endswith("sheet.html") else html


def _frame(parser: Parser, token: Token, frame: str, *names: str) -> FrameNode:
    """Its arguments: those of these names by place, further ones as keywords."""
    tag, *words = token.split_contents()
    values = {name: parser.compile_filter(words.pop(0)) for name in names}
    values |= token_kwargs(words, parser)
    if words:
        raise template.TemplateSyntaxError(f"{tag} takes no “{words[0]}”.")
    nodelist = parser.parse((f"end{tag}",))
    parser.delete_first_token()
    return FrameNode(f"matches/table/{frame}.html", values, nodelist)


@register.tag
def tray(parser: Parser, token: Token) -> FrameNode:
    """The tray. ``folds`` gives it a button that folds it; ``css`` is a class of the game's own."""
    return _frame(parser, token, "tray_frame")


@register.tag
def answer(parser: Parser, token: Token) -> FrameNode:
    """The form of the open question, where there is one.

    ``together``: several questions are answered by it. ``css`` is a class of the game's own.
    """
    return _frame(parser, token, "answer")


@register.tag
def sheet(parser: Parser, token: Token) -> FrameNode:
    """A sheet of paper with an id and a title, for a pile's cards or anything to read."""
    return _frame(parser, token, "sheet", "id", "title")
