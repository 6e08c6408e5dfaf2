"""What the table of Colossal Kaiju Combat looks up in a view and in the options of a prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

import rules
from games.colossal_kaiju_combat.face.emblems import GLYPHS
from matches.templatetags.table import piece
from rules.engine.cards import CardType

register = template.Library()

GAME: Final = "colossal-kaiju-combat"
PHASES: Final = (
    ("discard", "Draw"),
    ("planning", "Plan"),
    ("selection", "Select"),
    ("action", "Act"),
    ("healing", "Heal"),
)
PHASE_NAMES: Final = {
    "discard": "Discard and draw",
    "planning": "Planning",
    "selection": "Selection",
    "action": "Action",
    "healing": "Healing",
}
#: The boxes of a cost: what is printed, the stat that pays it, its word.
BOXES: Final = (
    ("red", "ferocity", "Ferocity"),
    ("blue", "agility", "Agility"),
    ("yellow", "energy", "Energy"),
)
STATS: Final = (
    ("ferocity", "Ferocity"),
    ("agility", "Agility"),
    ("power", "Power"),
    ("fortitude", "Fortitude"),
)
PAID_BY: Final = {"energy": "power"}
MARKS: Final = {"paid": "paid", "bluff": "a bluff", "illegal": "does not fit"}


def _printed(card: Mapping[str, Any]) -> CardType:
    return rules.game(GAME).catalog[card["slug"]]


@register.simple_tag
@lru_cache(maxsize=64)
def glyph(kind: str) -> SafeString:
    """The small sign that a card's face has for a number, an attribute or a role."""
    sign = PAID_BY.get(kind, kind)
    return format_html('<svg class="glyph" aria-hidden="true"><use href="#k-{}"/></svg>', sign)


@register.simple_tag
def signs() -> list[tuple[str, str]]:
    """What all signs are drawn from, once a table: its name and its path."""
    return [(name, _CIRCLE.sub(_two_arcs, path)) for name, path in GLYPHS.items()]


_CIRCLE = re.compile(r"O(-?\d+) (-?\d+) (\d+)")


def _two_arcs(circle: re.Match[str]) -> str:
    """A circle (middle and radius, as the faces are drawn with) in a way that SVG knows."""
    x, y, radius = (int(number) for number in circle.groups())
    half = f"A{radius} {radius} 0 1 0"
    return f"M{x - radius} {y} {half} {x + radius} {y} {half} {x - radius} {y} Z"


# -- how far the turn is --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the turn, as the strip above the table shows it."""

    word: str
    state: str


@register.simple_tag
def phases(view: Mapping[str, Any]) -> list[Phase]:
    """The phases of the mode: those done, the one that is on, those to come."""
    planless = view["mode"] == "basic"
    known = [row for row in PHASES if not planless or row[0] not in ("discard", "planning")]
    order = [slug for slug, _ in known]
    here = order.index(view["phase"]) if view["phase"] in order else -1
    return [
        Phase(word, "now" if number == here else "done" if number < here else "")
        for number, (_, word) in enumerate(known)
    ]


@register.simple_tag
def phase_name(view: Mapping[str, Any]) -> str:
    """The phase in words; a combat goes before it."""
    fight = view["combat"]
    if fight:
        return "Rampage" if fight["rampage"] else "Combat"
    return PHASE_NAMES.get(view["phase"], "")


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat in the order of Initiative: whether it has acted, and how much glory it holds."""

    seat: int
    state: str
    words: str
    player: Mapping[str, Any]


@register.simple_tag
def initiative(view: Mapping[str, Any]) -> list[Turn]:
    """All seats in the order of this turn; those who are out come last."""
    players = view["players"]
    order = [*view["order"], *(p["seat"] for p in players if p["seat"] not in view["order"])]
    passed = view["phase"] == "planning"
    found = []
    for seat in order:
        if players[seat]["out"] is not None:
            state, words = "out", "out"
        elif seat == view["acting"]:
            state, words = "now", "to move"
        elif seat in view["done"]:
            state, words = "done", "has passed" if passed else "is done"
        else:
            state, words = "", "still to come" if view["phase"] != "discard" else ""
        found.append(Turn(seat, state, words, players[seat]))
    return found


# -- sums -----------------------------------------------------------------------------------------


@register.filter
def spelled(parts: Sequence[Sequence[Any]]) -> str:
    """``5 + Tail 1 + Harbor Docks 1 − Armor 1``: a value in its parts, the printed one first."""
    if not parts:
        return ""
    (_, first), *rest = parts
    added: dict[str, int] = {}
    for name, more in rest:
        added[name] = added.get(name, 0) + more
    more = (f"{'−' if one < 0 else '+'} {name} {abs(one)}" for name, one in added.items())
    return " ".join([str(first), *more])


@register.filter
def summed(parts: Sequence[Sequence[Any]]) -> int:
    """What a value comes to; never less than nothing."""
    total: int = sum(more for _, more in parts)
    return max(0, total)


@register.filter
def is_sum(parts: Sequence[Sequence[Any]]) -> bool:
    """Whether a value has more than the printed number in it."""
    return len(parts) > 1


# -- cards by their number ------------------------------------------------------------------------


@register.filter
def card_of(number: int | None, view: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A character or city card by its number."""
    for player in view["players"]:
        for member in player["team"]:
            if member["card"]["id"] == number:
                card: Mapping[str, Any] = member["card"]
                return card
    return next((row["card"] for row in view["city"] if row["card"]["id"] == number), None)


@register.simple_tag
def named(cards: Iterable[Mapping[str, Any]]) -> str:
    """Cards of a pile by name: “Brace ×2, Gore”."""
    counts = Counter(_printed(card).title for card in cards)
    return ", ".join(
        f"{title} ×{count}" if count > 1 else title for title, count in sorted(counts.items())
    )


# -- fighters -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a combat: whose it is, its role, its fighters; a city card in a rampage."""

    seat: int | None
    role: str
    fighters: Sequence[Mapping[str, Any]]
    city: Mapping[str, Any] | None = None


@register.simple_tag
def sides(view: Mapping[str, Any]) -> list[Side]:
    """Both sides of the combat, the reader's (else the starter's) first."""
    fight = view["combat"]
    if not fight:
        return []
    members = {m["card"]["id"]: m for player in view["players"] for m in player["team"]}

    def side(seat: int | None) -> Side:
        role = "sword" if fight["sword"] == seat else "shield"
        if seat is None:
            head = view["city"][0] if view["city"] else None
            return Side(None, role, (), head)
        found = [
            one | {"member": members[one["card"]["id"]]}
            for one in fight["fighters"]
            if one["seat"] == seat and one["card"]["id"] in members
        ]
        return Side(seat, role, found)

    seats = [fight["starter"], None if fight["rampage"] else fight["other"]]
    if view.get("seat") is not None and view.get("seat") == seats[1]:
        seats.reverse()
    return [side(seat) for seat in seats]


@register.simple_tag
def in_the_city(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All active characters, in the order of Initiative."""
    players = view["players"]
    return [
        {"seat": seat, "member": member}
        for seat in view["order"]
        for member in players[seat]["team"]
        if member["active"]
    ]


@register.filter
def hurt(member: Mapping[str, Any]) -> int:
    """How much of its Fortitude the damage is, in tenths."""
    share: float = member["damage"] / max(1, member["fortitude"])
    return min(10, round(10 * share))


@dataclass(frozen=True, slots=True)
class Stat:
    """A number of a character: what is printed, and why it is what it is."""

    slug: str
    word: str
    value: int
    printed: int
    why: str


@register.simple_tag
def stats_of(member: Mapping[str, Any]) -> list[Stat]:
    """The four numbers of a character."""
    card = _printed(member["card"])
    found = []
    for slug, word in STATS:
        why = member["why"].get(slug, ())
        found.append(Stat(slug, word, member[slug], int(card[slug]), spelled(why)))
    return found


@register.filter
def played_for(fighter: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cards that a fighter has played, the newest first."""
    return list(reversed(fighter["row"]))


# -- the hand -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One way of answering with a card of the hand."""

    notation: str
    word: str
    label: str
    bluff: bool
    price: Sequence[tuple[str, int, str]]


@dataclass(frozen=True, slots=True)
class Value:
    """What a card would be worth against one opponent; ``perhaps`` it depends on what is hidden."""

    word: str
    total: int
    sum: str
    target: str
    perhaps: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A card of the hand with what can be done with it now, or why it cannot be played."""

    card: Mapping[str, Any]
    type: CardType
    choices: Sequence[Choice]
    values: Sequence[Value] = field(default_factory=tuple)
    reason: str = ""
    rule: str = ""


KINDS_OF_VALUE: Final = {"damage": "Damage", "toughness": "Toughness", "counter": "Strikes back"}
WORDS: Final = {
    "pay": "Lay it",
    "bluff": "Bluff",
    "lay": "Lay it anyway",
    "discard": "Discard",
    "play": "Play",
    "scar": "Play",
}


def _price(preview: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    if preview.get("bluff"):
        return []
    return [(slug, preview[slug], word) for _, slug, word in BOXES if preview.get(slug)]


def _values(view: Mapping[str, Any], preview: Mapping[str, Any]) -> list[Value]:
    cards = {m["card"]["id"]: m["card"] for p in view["players"] for m in p["team"]}
    cards |= {row["card"]["id"]: row["card"] for row in view["city"]}
    word = KINDS_OF_VALUE.get(preview.get("kind", "damage"), "Damage")
    found = preview.get("values", ())
    perhaps = ", ".join(f"+{more} {when}" for when, more in preview.get("perhaps", ()))
    # Where it is worth the same against all, it is said once.
    alike = len({(row["total"], spelled(row["sum"])) for row in found}) == 1
    rows = found[:1] if alike else found
    return [
        Value(
            word,
            row["total"],
            spelled(row["sum"]) if is_sum(row["sum"]) else "",
            "" if alike or row["target"] not in cards else _printed(cards[row["target"]]).title,
            perhaps,
        )
        for row in rows
    ]


@register.simple_tag(takes_context=True)
def tiles(context: Context, cards: Iterable[Mapping[str, Any]]) -> list[Tile]:
    """The cards of a hand, each with the options that begin with it."""
    prompt, view = context.get("prompt"), context["view"]
    options: dict[int, list[Any]] = {}
    for option in prompt.options if prompt else ():
        if "card" in option.move:
            options.setdefault(option.move["card"], []).append(option)
    outlook = prompt.outlook if prompt else {}
    said = (*outlook.get("why_not", ()), *outlook.get("unpaid", ()))
    reasons = {row["card"]: (row["says"], row["rule"]) for row in said}
    found = []
    for card in cards:
        begun = options.get(card["id"], [])
        begun.sort(key=lambda option: option.move["verb"] == "bluff")
        previews = [option.preview for option in begun if option.preview]
        found.append(
            Tile(
                card,
                _printed(card),
                [_choice(option) for option in begun],
                _values(view, previews[0]) if previews else (),
                *reasons.get(card["id"], ("", "")),
            )
        )
    return found


def _choice(option: Any) -> Choice:
    verb = option.move["verb"]
    preview = option.preview or {}
    return Choice(
        option.notation,
        WORDS.get(verb, ""),
        option.label,
        verb == "bluff",
        _price(preview),
    )


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the tray: what it sends, what it says, and whose the card is."""

    notation: str
    words: str
    whose: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Buttons of the tray under a word that they have in common; or each by itself."""

    word: str
    buttons: list[Button]


#: What stands once before the cards among which one chooses.
GROUPS: Final = {
    "select": "Send into the city",
    "attack": "Attack",
    "challenge": "Challenge",
    "fighter": "Lay a card with",
    "target": "Aim at",
    "answer": "Answer the card of",
    "join": "Bring in",
    "bearer": "Play it onto",
    "character": "Choose",
    "city": "Choose",
    "scar": "Play",
}


@register.simple_tag(takes_context=True)
def grouped_options(context: Context) -> list[Group]:
    """The options that no card of the reader's hands stands for: buttons of the tray."""
    prompt, view, names = context.get("prompt"), context["view"], context["names"]
    if prompt is None:
        return []
    held = {card["id"] for card in _held(view)}
    groups: dict[str, Group] = {}
    alone = Group("", [])
    for option in prompt.options:
        card = option.move.get("card")
        if card in held:
            continue
        word, found = GROUPS.get(option.move["verb"]), card_of(card, view)
        if word is None or found is None:
            alone.buttons.append(Button(option.notation, option.label))
            continue
        owner = _owner_of(card, view)
        whose = names[owner] if owner not in (None, view.get("seat")) and len(names) > 2 else ""
        button = Button(option.notation, _printed(found).title, whose)
        groups.setdefault(word, Group(word, [])).buttons.append(button)
    return [group for group in (alone, *groups.values()) if group.buttons]


def _held(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cards in both hands of the reader."""
    if view.get("seat") is None:
        return []
    me = view["players"][view["seat"]]
    hands = (me["combat_hand"], me["planning_hand"])
    return [card for hand in hands if hand for card in hand.get("cards", ())]


def _owner_of(number: int, view: Mapping[str, Any]) -> int | None:
    """Whose character or city card it is."""
    for player in view["players"]:
        if any(member["card"]["id"] == number for member in player["team"]):
            seat: int = player["seat"]
            return seat
    return next((row["owner"] for row in view["city"] if row["card"]["id"] == number), None)


@register.simple_tag(takes_context=True)
def opened_hand(context: Context) -> str:
    """Which of both hands lies open: the one that something can be played from now."""
    prompt, view = context.get("prompt"), context["view"]
    if view.get("seat") is None or not view["players"][view["seat"]]["planning_hand"]:
        return "combat"
    me = view["players"][view["seat"]]
    planning = {card["id"] for card in me["planning_hand"].get("cards", ())}
    offered = {option.move.get("card") for option in prompt.options} if prompt else set()
    if offered & planning:
        return "planning"
    if view["phase"] in ("discard", "planning") and not view["combat"]:
        return "planning"
    return "combat"


@register.filter
def mark_words(mark: str) -> str:
    """How a card was laid, in words."""
    return MARKS.get(mark, mark)


@register.simple_tag
def ticked_kinds() -> tuple[str, ...]:
    """The questions whose answers are ticked among the cards of a hand and sent together."""
    return ("plan_discard", "roar_discard")


@register.simple_tag(takes_context=True)
def tile_card(context: Context, tile: Tile) -> SafeString:
    """The card of a tile: to look at; its buttons play it."""
    return piece(
        context, card=tile.card, size="hand", who="in your hand", option=None, picks=None, aim=None
    )


@register.filter
def short_label(label: str, title: str) -> str:
    """What a button beside its card says: “Play”, not “Play Harbor Docks”."""
    return label.replace(title, "").strip() or "Choose"


@dataclass(frozen=True, slots=True)
class Refused:
    """An action that is not offered, and why."""

    name: str
    reason: str
    rule: str


@register.filter
def why_not(refused: Mapping[str, Sequence[str]] | None) -> list[Refused]:
    """The actions that are not offered; of cards their tiles say it."""
    return [Refused(verb.capitalize(), *reason) for verb, reason in (refused or {}).items()]


@register.filter
def affiliation_name(word: str) -> str:
    """``DEEP`` as it is said: “Deep”."""
    return word.capitalize()
