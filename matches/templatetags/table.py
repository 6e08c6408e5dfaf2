"""Tags and filters of the table: faces of cards, click targets, seats.

The templates are given a seat's view (plain data from the rules) and the options of the prompt.
Nothing here knows a game's rules; it only looks things up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, resources
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template.context import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

import rules
from collection.drawing.pictures import alt_text, card_image_url
from collection.drawing.printed import printed_card
from matches.models import Match, TimeControl, Timeout
from matches.queries import ratings
from matches.queries.click_targets import ClickTargets, Placement
from matches.queries.seats import seat_label
from matches.templatetags.parts import keep_part
from rules.engine.cards import CardType

register = template.Library()


@register.filter
def at(container: Mapping[Any, Any] | Sequence[Any] | None, key: Any) -> Any:
    """``container[key]``, or None if it is missing."""
    if container is None or key is None:
        return None
    if isinstance(container, Mapping):
        return container.get(key)
    return container[key] if 0 <= key < len(container) else None


@register.simple_tag(takes_context=True)
def view_model(context: Context) -> str:
    """Put into the context what ``site/table.py`` of the game works out for its templates.

    Its ``table(context)`` is called once a render, at the head of the game's template.
    """
    game = rules.game(context["view"]["game"])
    site = import_module(f"{game.package}.site.table")
    for name, value in site.table(context).items():
        context[name] = value
    return ""


@register.filter
def inside(name: str) -> str:
    """A name in the middle of a sentence: the reader is “you” there."""
    return "you" if name == "You" else name


@dataclass(frozen=True, slots=True)
class Pick:
    """The option that a card stands for, as it is drawn; ``previewed``: something describes it."""

    notation: str
    label: str
    previewed: bool


@dataclass(frozen=True, slots=True)
class Intent:
    """The moves of a card as attributes: ``places`` for ``data-uses`` …"""

    notation: str
    label: str
    attribute: str
    places: str


@register.simple_tag(takes_context=True)
def piece(context: Context, **given: Any) -> SafeString:
    """One card on the table: ``{% piece card=top size="pile" who="in play" option=None %}``.

    What is not given is taken from around it: ``card``, ``game`` and ``picks`` (what the prompt
    offers), ``size``, ``who`` (words for a screen reader: where the card lies), ``option`` (that
    the place offers instead of the card), ``aim`` (what points at the place that this card stands
    for, one of ``picks.aims``), ``lively`` (False greys the card).
    """

    def asked(name: str) -> Any:
        return given[name] if name in given else context.get(name)

    card, picks = asked("card"), asked("picks") or ClickTargets()
    option = picks.cards.get(card["id"]) or asked("option")
    uses, aim = picks.uses.get(card["id"]), asked("aim")
    pick = intent = None
    if option:
        pick = Pick(option.notation, option.label, bool(option.preview))
    elif uses:
        first = uses[0].option
        intent = Intent(first.notation, first.label, "uses", as_uses(uses))
    elif aim:
        place = as_json(aim.places[0])
        intent = Intent(aim.option.notation, aim.option.label, "aim", place)
    drawn = _piece(
        asked("game"),
        card["id"],
        card["slug"],
        size=asked("size") or "",
        dull=asked("lively") is False,
        who=str(asked("who") or ""),
        pick=pick,
        intent=intent,
    )
    return keep_part(context, drawn)


@lru_cache(maxsize=4096)
def _piece(game: str, card: int, slug: str, **how: Any) -> str:
    """Render a card, cached by its place and looks."""
    shown = {"game": game, "card": {"id": card, "slug": slug}, **how}
    return render_to_string("matches/table/card.html", shown)


@register.filter
def as_uses(uses: Iterable[Placement]) -> str:
    """For the table's script: by which answers a card is played, and where it could go."""
    return as_json([{"move": use.option.notation, "to": use.places} for use in uses])


register.filter(seat_label)


@register.filter
def sitter(match: Match, seat: int) -> Any:
    """The person in a seat, for the picture beside the name; None for bots and open seats.

    Those who have left have one picture in common.
    """
    user = next((row.user for row in match.seats.all() if row.number == seat), None)
    return user if user is None or user.is_active else str(user)


@register.filter
def invited_to(match: Match, seat: int) -> Any:
    """The person for whom an open seat is kept; None where it is kept for nobody."""
    return next((row.invited for row in match.seats.all() if row.number == seat), None)


#: Whose decks a match is played with, for whoever may sit down.
DECKS_ASKED = {
    "own": "Each player brings a deck",
    "shared": "Shared deck, chosen by the host",
    "": "None",
}


@register.filter
def decks_asked(match: Match) -> str:
    """The decks that a match requires, in words."""
    return DECKS_ASKED[rules.game(match.game).mode(match.mode).decks(match.options)]


@register.filter
def why_unrated(match: Match) -> str:
    """Why a match does not count for ratings; empty if it does."""
    return ratings.why_unrated(match)


@register.filter
def timeout_words(match: Match) -> str:
    """The rule for players who run out of time, in words."""
    if match.timeout == Timeout.FORFEIT:
        grace = "a minute" if match.time_control == TimeControl.LIVE else "12 hours"
        return f"The player loses {grace} later"
    if match.timeout == Timeout.BOT:
        return "A bot takes over until they return; if it still plays at the end, they lose"
    return "A default move is played for them"


@register.filter
def face(card: Mapping[str, Any] | None, game: str) -> CardType | None:
    """The printed card behind a card of a view; None where no card lies."""
    return rules.game(game).catalog[card["slug"]] if card else None


@register.filter
def card_type(slug: str, game: str) -> CardType:
    """The printed card of a slug."""
    return rules.game(game).catalog[slug]


@register.simple_tag
def look(card: Mapping[str, Any], game: str) -> SafeString:
    """The data with which the script enlarges a card: name, text and large picture."""
    return _look(game, card["slug"])


@lru_cache(maxsize=2048)
def _look(game: str, slug: str) -> SafeString:
    printed = printed_card(game, slug)
    return format_html(
        'data-look="{}" data-title="{}" data-words="{}" data-picture="{}"',
        reverse("collection:card", args=(game, slug)),
        printed.title,
        alt_text(printed).removeprefix(f"{printed.title}. "),
        card_image_url(game, slug, "full"),
    )


@register.simple_tag
def game_styles(game: str, page: str = "table") -> SafeString:
    """A link to the style sheet that a game brings for its table or its result, if it does."""
    path = _own_file(game, f"{page}.css")
    return format_html('<link rel="stylesheet" href="{}">', static(path)) if path else SafeString()


@register.simple_tag
def game_script(game: str) -> SafeString:
    """The script of a game's table, where it has one of its own.

    It stands before the table's own script, so that it listens before anything happens.
    """
    path = _own_file(game, "table.js")
    if not path:
        return SafeString()
    return format_html('<script src="{}" type="module"></script>', static(path))


@lru_cache(maxsize=64)
def _own_file(game: str, name: str) -> str:
    """A static file that a game brings along, or ""."""
    path = f"{game}/{name}"
    return path if finders.find(path) else ""


@register.filter(name="json")
def as_json(data: Any) -> str:
    """Plain data as text for an attribute."""
    return json.dumps(data, separators=(",", ":"))


_ESCAPED = str.maketrans({"&": "&amp;", "'": "&#x27;", "<": "&lt;"})


@register.filter
def json_attribute(data: Any) -> SafeString:
    """JSON as an attribute in single quotes, so that its own double quotes need no escapes."""
    return mark_safe(f"'{as_json(data).translate(_ESCAPED)}'")  # noqa: S308  (escaped here)


@register.filter
def percent(share: float | None) -> str:
    """``0.277`` as ``28%``; a chance that is not nothing is never shown as nothing."""
    if share is None:
        return ""
    rounded = round(share * 100)
    if rounded == 0 and share > 0:
        return "<1%"
    if rounded == 100 and share < 1:
        return ">99%"
    return f"{rounded}%"


@register.filter
def share_of(ways: int, outcomes: int) -> str:
    """``10|share_of:36``: how many per cent of the outcomes."""
    return percent(ways / outcomes)


@register.simple_tag
def around_the_table(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The other players, in the order in which they sit after the near one."""
    players: list[Mapping[str, Any]] = list(view["players"])
    seat = _near_seat(view)
    if seat is None:
        return players
    return players[seat + 1 :] + players[:seat]


def _near_seat(view: Mapping[str, Any]) -> int | None:
    """Whose side of the felt is below: that of whoever looks; a spectator may have chosen one."""
    seat: int | None = view.get("seat")
    return view.get("side") if seat is None else seat


@register.simple_tag
def near_player(view: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The player whose board lies below: the one who looks, or from whose side a spectator does.

    None where a spectator looks from no side. A spectator sees there what lies open and no more.
    """
    seat = _near_seat(view)
    return None if seat is None else view["players"][seat]


@register.simple_tag
def whose(view: Mapping[str, Any], names: Sequence[str], player: Mapping[str, Any] | None) -> str:
    """“your” for the player who looks, else “Mira’s”."""
    if player is None or player["seat"] == view.get("seat"):
        return "your"
    return f"{names[player['seat']]}’s"


@register.simple_tag
def own_player(view: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The player who looks; None for a spectator."""
    seat = view.get("seat")
    return None if seat is None else view["players"][seat]


_RULE = re.compile(r"- \*\*(?P<id>[A-Z]+-[A-Z]+-\d+)\*\*\s+(?P<text>.*)")
_HEADING = re.compile(r"#{3,4} (?P<text>.*)")
_MARKS = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
)


@register.simple_tag
@lru_cache(maxsize=16)
def rules_text(game: str, mode: str) -> SafeString:
    """The numbered rules, rule by rule, from the README beside the game's code; the mode first."""
    known = rules.game(game)
    file = resources.files(known.package or __package__).joinpath("README.md")
    if not file.is_file():
        return mark_safe("<p>This game brings no written rules.</p>")
    text = file.read_text(encoding="utf-8")
    name = known.modes[mode].name
    chapters = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    chapters.sort(key=lambda chapter: chapter.partition("\n")[0] != name)
    return mark_safe("".join(map(_chapter, chapters)))  # noqa: S308  (our own file, escaped)


def _chapter(text: str) -> str:
    title, _, body = text.partition("\n")
    parts = [f"<h3>{_marked(title)}</h3>"]
    listing = False
    for line in body.splitlines():
        rule, heading = _RULE.fullmatch(line), _HEADING.fullmatch(line)
        if bool(rule) != listing and (rule or heading):
            parts.append("</ul>" if listing else '<ul class="rules-list">')
            listing = not listing
        if rule:
            number = rule["id"].partition("-")[2]
            parts.append(
                f'<li id="{rule["id"]}"><span class="rule-id">{number}</span>'
                f"<span>{_marked(rule['text'])}</span></li>"
            )
        elif heading:
            parts.append(f"<h4>{_marked(heading['text'])}</h4>")
    return "".join(parts) + ("</ul>" if listing else "")


def _marked(text: str) -> str:
    words: str = escape(text)
    for pattern, replacement in _MARKS:
        words = pattern.sub(replacement, words)
    return words
