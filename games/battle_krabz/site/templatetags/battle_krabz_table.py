"""What Battle Krabz's table templates look up in a view and in the events of the last moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.template.context import Context

import rules
from games.battle_krabz.first_hand import suggestion
from games.battle_krabz.moves import DOMAIN_NAMES
from games.battle_krabz.site.last_hand import in_deck, last_hand
from games.battle_krabz.state import COLOURS
from matches.templatetags.table import near_player
from rules.engine.cards import CardType

register = template.Library()

GAME = "battle-krabz"
PLACES = 3
#: So many Warriors are counted as shells; more become a bar.
MOST_SHELLS = 20
#: So many known cards of a stack are fanned; a panel shows them all.
MOST_FANNED = 5
KINDS = ("warrior", "booster", "power")
PHASES = (
    ("deployment", "Deploy"),
    ("boosters", "Boost"),
    ("powers", "Power"),
    ("stacks", "Replenish"),
)
CATEGORIES = {"attack": "Attack", "defence": "Defence", "hp": "HP", "special": "Special"}


def _printed(card: Mapping[str, Any]) -> CardType:
    return rules.game(GAME).catalog[card["slug"]]


# -- Battle Mode ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a battle line: what lies there, and what it shares with its neighbours."""

    slot: int
    entry: Mapping[str, Any] | None
    bonus: str = ""
    counts: bool = False
    kin: bool = False
    match: bool = False


@register.simple_tag
def places(player: Mapping[str, Any]) -> list[Place]:
    """The three places of a battle line, in order."""
    line = {entry["slot"]: entry for entry in player["line"]}
    printed = [_printed(entry["card"]) for entry in player["line"]]
    domains = [card["domain"] for card in printed]
    colours = [card.colour for card in printed]
    found = []
    for slot in range(1, PLACES + 1):
        entry = line.get(slot)
        if entry is None:
            found.append(Place(slot, None))
            continue
        card = _printed(entry["card"])
        found.append(
            Place(
                slot,
                entry,
                bonus=f"+{card['special']}",
                counts=entry["special"] > 0,
                kin=domains.count(card["domain"]) > 1,
                match=colours.count(card.colour) > 1,
            )
        )
    return found


@register.simple_tag
def sums(view: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, int]]:
    """Each side's score in its parts: of the Battle that is fought, else of the one just ended."""
    found = {player["seat"]: player["points"] for player in view["players"] if player["points"]}
    if not found and view["phase"] == "stacks":
        found = _sums_of_the_last_battle(events)
    return {
        seat: parts | {"booster": parts["boosted"] - parts["basic"]}
        for seat, parts in found.items()
    }


def _sums_of_the_last_battle(events: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    boosted: dict[int, int] = {}
    for event in reversed(events):
        if event["kind"] == "battle_started":
            break
        if event["kind"] == "boosted":
            boosted.setdefault(event["seat"], event["score"])
        elif event["kind"] == "scored" and event["seat"] not in found:
            parts = {part: event[part] for part in ("strength", "special", "domain", "colour")}
            basic = event["score"]
            total = boosted.get(event["seat"], basic)
            found[event["seat"]] = parts | {"basic": basic, "boosted": total}
    return found


@register.simple_tag
def leads(points: Mapping[int, Mapping[str, int]], seat: int) -> bool:
    """Whether this side's score is the higher one."""
    other = points.get(1 - seat)
    return bool(other and seat in points and points[seat]["boosted"] > other["boosted"])


@register.simple_tag
def phase_track(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The four steps of a Battle, each with "done", "now" or nothing."""
    order = [slug for slug, _ in PHASES]
    here = order.index(view["phase"]) if view["phase"] in order else -1
    return [
        (word, "now" if number == here else "done" if number < here else "")
        for number, (_, word) in enumerate(PHASES)
    ]


@register.simple_tag
def shells(player: Mapping[str, Any]) -> list[bool]:
    """One shell for each Warrior to eliminate, the first ones filled; none where it is too many."""
    target = player["target"]
    if target > MOST_SHELLS:
        return []
    return [number < player["score"] for number in range(target)]


@register.filter
def in_order(cards: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Warriors first, then Boosters, then Power Cards."""
    return sorted(cards, key=lambda card: KINDS.index(_printed(card).kind))


@register.filter
def without_card(options: Iterable[Any]) -> list[Any]:
    """The options that no card on the table stands for."""
    return [option for option in options if "card" not in option.move]


# -- choosing the first hand ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Facet:
    """One value that cards can be sifted by, and how many of them have it."""

    slug: str
    name: str
    count: int


@register.simple_tag
def domains_among(cards: Iterable[Mapping[str, Any]]) -> list[Facet]:
    """The Domains of a deck's Warriors, in the order of the rules."""
    found = [_printed(card).attributes.get("domain") for card in cards]
    return [Facet(s, name, found.count(s)) for s, name in DOMAIN_NAMES.items() if s in found]


@register.simple_tag
def colours_among(cards: Iterable[Mapping[str, Any]]) -> list[Facet]:
    """The colours of a deck's cards, in the order of the rules."""
    found = [_printed(card).colour for card in cards]
    return [Facet(s, s.capitalize(), found.count(s)) for s in COLOURS if s in found]


@dataclass(frozen=True, slots=True)
class FirstHands:
    """Hands to begin with: cards by number. ``ticked`` are those that the page was asked for."""

    suggested: Sequence[int]
    reason: str
    last: Sequence[int]
    ticked: Sequence[int]


@register.simple_tag(takes_context=True)
def first_hands(context: Context) -> FirstHands:
    """The bot's choice for the reader, and their own of last time; ``?hand=`` ticks one of them."""
    view, match = context["view"], context["match"]
    me = view["players"][view["seat"]]
    found = suggestion(view)
    last: list[int] = []
    if not me["hand"]["count"]:  # else some of it has been picked already
        last = in_deck(last_hand(match, me["seat"]), me["deck"]["cards"])
    wanted = context["request"].GET.get("hand")
    ticked = {"suggested": found.cards, "last": last}.get(wanted, ())
    return FirstHands(found.cards, found.reason, last, ticked)


# -- whose half lies where ------------------------------------------------------------------------


@register.simple_tag
def near_side(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Who has the lower half of a Battle; for a spectator who chose no side, the second player."""
    near = near_player(view)
    players: list[Mapping[str, Any]] = view["players"]
    return players[-1] if near is None else near


@register.simple_tag
def far_side(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Who has the upper half."""
    far: Mapping[str, Any] = view["players"][1 - near_side(view)["seat"]]
    return far


# -- sorting and drawing --------------------------------------------------------------------------


@register.simple_tag
def to_sort(view: Mapping[str, Any], prompt: Any) -> list[Mapping[str, Any]]:
    """The cards that are left to be sorted, as the view shows them."""
    player = view["players"][view["seat"]]
    shown = [*(entry["card"] for entry in player["line"]), player["booster"]]
    cards = {card["id"]: card for card in shown if card}
    return [cards[number] for number in prompt.outlook["cards"]]


# -- what a choice leads to -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the own score would be: as a figure, in words, and whether it is the higher one."""

    figure: str
    words: str
    ahead: bool


@register.simple_tag
def forecast(option: Any, points: Mapping[int, Mapping[str, int]], seat: int) -> Forecast | None:
    """What the score would be with an option taken; None where it does not decide about one."""
    found = option and option.preview
    if not found:
        return None
    score, theirs = found["score"], points.get(1 - seat)
    ahead = theirs is not None and score > theirs["boosted"]
    most = "at most " if found["at_most"] else ""
    words = f"your score would be {most}{score}" + (", the higher one" if ahead else "")
    return Forecast(f"≤ {score}" if most else str(score), words, ahead)


# -- stacks ---------------------------------------------------------------------------------------


@register.filter
def fanned(known: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The known cards that peep out under a stack: the lowest ones."""
    return known[-MOST_FANNED:]


@register.filter
def from_the_top(place: int) -> str:
    """Where in a stack a card lies, counted from the top card."""
    if place == 0:
        return "on top"
    number = place + 1
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending} from the top"


@register.filter
def times(count: int) -> range:
    """Something to repeat as often as there are cards."""
    return range(count)


@register.filter
def kinds_among(cards: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many of each kind: ``{"warrior": 3, …}``."""
    counts = dict.fromkeys(KINDS, 0)
    for card in cards:
        counts[_printed(card).kind] += 1
    return counts


# -- Multi-Player Mode ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the four numbers of a Warrior."""

    slug: str
    name: str
    number: int


@register.filter
def figures(card: Mapping[str, Any]) -> list[Figure]:
    """The four numbers that can be called."""
    printed = _printed(card)
    return [Figure(slug, name, int(printed[slug])) for slug, name in CATEGORIES.items()]


@register.simple_tag
def option_of(options: Iterable[Any], category: str) -> Any:
    """The option that calls a category; None where it is not this seat's call."""
    for option in options:
        if (option.move.get("target") or {}).get("word") == category:
            return option
    return None


@register.simple_tag
def last_round(view: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The cards shown last with the numbers that were compared, and who had the highest."""
    category = view["category"]
    shown = {
        entry["seat"]: {
            "card": entry["card"],
            "number": int(_printed(entry["card"])[category]) if category else None,
        }
        for entry in view["reveal"]
    }
    numbers = [entry["number"] for entry in shown.values() if entry["number"] is not None]
    best = max(numbers, default=None)
    for entry in shown.values():
        entry["best"] = best is not None and entry["number"] == best
    tied = len([entry for entry in shown.values() if entry["best"]]) > 1
    return {"category": CATEGORIES.get(category or "", ""), "cards": shown, "tied": tied}


@register.simple_tag
def standing_order(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The players with cards, the most first; then those who are out, the last one first."""
    return sorted(
        view["players"],
        key=lambda player: (player["out"] is not None, -player["pile"]["count"], player["seat"]),
    )
