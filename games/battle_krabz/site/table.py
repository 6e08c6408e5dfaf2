"""The view model of Battle Krabz' templates: the view, with words and figures worked out.

It is worked out once a render. Of Battle Mode a player of the view has ``places``, ``shells`` and
``ahead`` besides, and the cards of a hand and a deck lie in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import rules
from games.battle_krabz.first_hand import suggestion
from games.battle_krabz.moves import DOMAIN_NAMES
from games.battle_krabz.site.last_hand import in_deck, last_hand
from games.battle_krabz.state import COLOURS
from games.battle_krabz.table_text import eliminated_words
from matches.templatetags.table import near_player, own_player
from rules.engine.cards import CardType

View: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]

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


def _printed(card: View) -> CardType:
    return rules.game(GAME).catalog[card["slug"]]


def table(context: Mapping[str, Any]) -> Row:
    """The variables that ``{% view_model %}`` adds to the context of the table's templates."""
    return _battle(context) if context["view"]["mode"] == "battle" else _multi(context)


# -- Battle Mode ----------------------------------------------------------------------------------


def _battle(context: Mapping[str, Any]) -> Row:
    seen: View = context["view"]
    prompt, picks, options = context.get("prompt"), context["picks"], context.get("options", ())
    points = sums(seen, context.get("events", ()))
    players = [_fighter(player, points) for player in seen["players"]]
    view = {**seen, "players": players}
    near, me = near_side(view), own_player(view)
    choosing = view["phase"] == "hands" and me is not None
    seat = near["seat"]
    return {
        "view": view,
        "me": me,
        "near": near,
        "far": players[1 - seat],
        "points": points,
        "track": phase_track(view),
        "plain": [option for option in options if "card" not in option.move],
        "coming_of": {
            option.notation: forecast(option, points, seat)
            for option in options
            if "card" not in option.move
        },
        "coming_on": {card: forecast(option, points, seat) for card, option in picks.cards.items()},
        "survivors": to_sort(view, prompt) if prompt and prompt.kind == "sort" else (),
        "facets": _facets(me["deck"]["cards"]) if choosing and me else None,
        "hands": first_hands(context) if choosing and prompt else None,
    }


def _fighter(player: View, points: Mapping[int, Mapping[str, int]]) -> Row:
    hand = player["hand"]
    model = {
        **player,
        "places": places(player),
        "shells": shells(player),
        "eliminated": eliminated_words(player),
        "ahead": leads(points, player["seat"]),
        "backs": range(hand["count"]),
        "hand": {**hand, "cards": in_order(hand["cards"])},
        "warrior_stack": _stack(player["warrior_stack"]),
        "support_stack": _stack(player["support_stack"]),
    }
    if player["deck"]:
        deck = player["deck"]
        model["deck"] = {**deck, "cards": in_order(deck.get("cards", ()))}
    return model


def _stack(stack: View) -> Row:
    """Of its known cards the lowest peep out under it; each with the place where it lies."""
    known = [{**card, "where": from_the_top(card["place"])} for card in stack["known"]]
    return {**stack, "known": known, "fanned": known[-MOST_FANNED:]}


def places(player: View) -> list[Row]:
    """The three places of a battle line, in order."""
    line = {entry["slot"]: entry for entry in player["line"]}
    printed = [_printed(entry["card"]) for entry in player["line"]]
    domains = [card["domain"] for card in printed]
    colours = [card.colour for card in printed]
    rows: list[Row] = []
    for slot in range(1, PLACES + 1):
        entry = line.get(slot)
        if entry is None:
            rows.append({"slot": slot})
            continue
        card = _printed(entry["card"])
        rows.append(
            {
                "slot": slot,
                "entry": entry,
                "bonus": f"+{card['special']}",
                "counts": entry["special"] > 0,
                "kin": domains.count(card["domain"]) > 1,
                "match": colours.count(card.colour) > 1,
            }
        )
    return rows


def sums(view: View, events: Sequence[View]) -> dict[int, dict[str, int]]:
    """Each side's score in its parts: of the Battle that is fought, else of the one just ended."""
    by_seat = {player["seat"]: player["points"] for player in view["players"] if player["points"]}
    if not by_seat and view["phase"] == "stacks":
        by_seat = _sums_of_the_last_battle(events)
    return {
        seat: parts | {"booster": parts["boosted"] - parts["basic"]}
        for seat, parts in by_seat.items()
    }


def _sums_of_the_last_battle(events: Sequence[View]) -> dict[int, dict[str, int]]:
    by_seat: dict[int, dict[str, int]] = {}
    boosted: dict[int, int] = {}
    for event in reversed(events):
        if event["kind"] == "battle_started":
            break
        if event["kind"] == "boosted":
            boosted.setdefault(event["seat"], event["score"])
        elif event["kind"] == "scored" and event["seat"] not in by_seat:
            parts = {part: event[part] for part in ("strength", "special", "domain", "colour")}
            basic = event["score"]
            total = boosted.get(event["seat"], basic)
            by_seat[event["seat"]] = parts | {"basic": basic, "boosted": total}
    return by_seat


def leads(points: Mapping[int, Mapping[str, int]], seat: int) -> bool:
    """True if this side's score is the higher one."""
    other = points.get(1 - seat)
    return bool(other and seat in points and points[seat]["boosted"] > other["boosted"])


def phase_track(view: View) -> list[tuple[str, str]]:
    """The four steps of a Battle, each with "done", "now" or nothing."""
    order = [slug for slug, _ in PHASES]
    here = order.index(view["phase"]) if view["phase"] in order else -1
    return [
        (word, "now" if number == here else "done" if number < here else "")
        for number, (_, word) in enumerate(PHASES)
    ]


def shells(player: View) -> list[bool]:
    """One shell for each Warrior to eliminate, the first ones filled; none where it is too many."""
    target = player["target"]
    if target > MOST_SHELLS:
        return []
    return [number < player["score"] for number in range(target)]


def in_order(cards: Iterable[View]) -> list[View]:
    """Warriors first, then Boosters, then Power Cards."""
    return sorted(cards, key=lambda card: KINDS.index(_printed(card).kind))


# -- choosing the first hand ----------------------------------------------------------------------


def _facets(cards: Sequence[View]) -> Row:
    """The filters of a deck, each with how many cards have it, in the order of the rules."""
    printed = [_printed(card) for card in cards]
    domains = [card.attributes.get("domain") for card in printed]
    colours = [card.colour for card in printed]
    return {
        "kinds": {kind: sum(card.kind == kind for card in printed) for kind in KINDS},
        "domains": [
            {"slug": slug, "name": name, "count": domains.count(slug)}
            for slug, name in DOMAIN_NAMES.items()
            if slug in domains
        ],
        "colours": [
            {"slug": slug, "name": slug.capitalize(), "count": colours.count(slug)}
            for slug in COLOURS
            if slug in colours
        ],
    }


def first_hands(context: Mapping[str, Any]) -> Row:
    """The bot's choice for the reader, and their own of last time; ``?hand=`` ticks one of them."""
    view, match = context["view"], context["match"]
    me = view["players"][view["seat"]]
    hand = suggestion(view)
    last: list[int] = []
    if not me["hand"]["count"]:  # else some of it has been picked already
        last = in_deck(last_hand(match, me["seat"]), me["deck"]["cards"])
    wanted = context["request"].GET.get("hand")
    ticked = {"suggested": hand.cards, "last": last}.get(wanted, ())
    return {"suggested": hand.cards, "reason": hand.reason, "last": last, "ticked": ticked}


# -- whose half lies where ------------------------------------------------------------------------


def near_side(view: View) -> View:
    """Who has the lower half of a Battle; for a spectator who chose no side, the second player."""
    near = near_player(view)
    players: list[View] = view["players"]
    return players[-1] if near is None else near


# -- sorting and drawing --------------------------------------------------------------------------


def to_sort(view: View, prompt: Any) -> list[View]:
    """The cards that are left to be sorted, as the view shows them."""
    player = view["players"][view["seat"]]
    survivors = [*(entry["card"] for entry in player["line"]), player["booster"]]
    cards = {card["id"]: card for card in survivors if card}
    return [cards[number] for number in prompt.outlook["cards"]]


# -- what a choice leads to -----------------------------------------------------------------------


def forecast(option: Any, points: Mapping[int, Mapping[str, int]], seat: int) -> Row | None:
    """The score with an option taken; None where the option does not change one."""
    preview = option and option.preview
    if not preview:
        return None
    score, theirs = preview["score"], points.get(1 - seat)
    ahead = theirs is not None and score > theirs["boosted"]
    most = "at most " if preview["at_most"] else ""
    words = f"your score would be {most}{score}" + (", the higher one" if ahead else "")
    figure = f"≤ {score}" if most else str(score)
    return {"figure": figure, "words": words, "ahead": ahead}


# -- stacks ---------------------------------------------------------------------------------------


def from_the_top(place: int) -> str:
    """Where in a stack a card lies, counted from the top card."""
    if place == 0:
        return "on top"
    number = place + 1
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending} from the top"


# -- Multi-Player Mode ----------------------------------------------------------------------------


def _multi(context: Mapping[str, Any]) -> Row:
    seen: View = context["view"]
    since = since_last_call(context.get("events", ()), seen.get("seat"))
    players = [
        {**player, "change": since["changes"].get(player["seat"], "")} for player in seen["players"]
    ]
    view = {**seen, "players": players}
    me = own_player(view)
    return {
        "view": view,
        "me": me,
        "since": since,
        "shown": last_round(view),
        "order": standing_order(view),
        "figures": figures(me["front"], context.get("options", ())) if me and me["front"] else (),
    }


def figures(card: View, options: Iterable[Any]) -> list[Row]:
    """The four numbers that can be called, each with the option that does, if it is the seat's."""
    called = {(option.move.get("target") or {}).get("word"): option for option in options}
    printed = _printed(card)
    return [
        {"slug": slug, "name": name, "number": int(printed[slug]), "option": called.get(slug)}
        for slug, name in CATEGORIES.items()
    ]


def last_round(view: View) -> Row:
    """The cards shown last with the numbers that were compared, and who had the highest."""
    category = view["category"]
    revealed = {
        entry["seat"]: {
            "card": entry["card"],
            "number": int(_printed(entry["card"])[category]) if category else None,
        }
        for entry in view["reveal"]
    }
    numbers = [entry["number"] for entry in revealed.values() if entry["number"] is not None]
    best = max(numbers, default=None)
    for entry in revealed.values():
        entry["best"] = best is not None and entry["number"] == best
    tied = len([entry for entry in revealed.values() if entry["best"]]) > 1
    return {"category": CATEGORIES.get(category or "", ""), "cards": revealed, "tied": tied}


def since_last_call(events: Sequence[View], seat: int | None) -> Row:
    """The rounds since the one that the seat called, and what each pile has won or lost in them.

    Where the seat has called none of those that are known, all of them count.
    """
    kinds = [event["kind"] for event in events]
    called = [n for n, event in enumerate(events) if event["kind"] == "called"]
    own = max((n for n in called if events[n]["seat"] == seat), default=None)
    start = 0
    if own is not None:
        ends = (n for n in range(own, len(events)) if kinds[n] in ("round_won", "round_tied"))
        start = next(ends, len(events))
    changes: dict[int, int] = {}
    for event in events[start + (own is not None) :]:
        if event["kind"] == "revealed":
            changes[event["seat"]] = changes.get(event["seat"], 0) - 1
        elif event["kind"] == "round_won":
            changes[event["seat"]] = changes.get(event["seat"], 0) + event["count"]
    return {
        "rounds": sum(n >= start for n in called),
        "called": own is not None,
        "changes": {
            other: f"{change:+d}".replace("-", "−") for other, change in changes.items() if change
        },
    }


def standing_order(view: View) -> list[View]:
    """The players with cards, the most first. Who is out is told at their place."""
    left = [player for player in view["players"] if player["out"] is None]
    return sorted(left, key=lambda player: (-player["pile"]["count"], player["seat"]))
