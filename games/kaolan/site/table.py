"""The view model of Kaolan's templates: the view, with words and figures worked out once a render.

A player of the view has ``odds``, ``part``, ``banner``, ``state`` and ``first`` besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import rules
from matches.queries.click_targets import ClickTargets
from matches.templatetags.table import around_the_table, own_player, percent

View: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]

GAME: Final = "kaolan"
PEEKING: Final = 3
"""How many earlier cards of the dealt pile peep out under its top card."""


def table(context: Mapping[str, Any]) -> Row:
    """The variables that ``{% view_model %}`` adds to the context of the table's templates."""
    seen: View = context["view"]
    picks, events = context["picks"], context.get("events", ())
    if seen["mode"] == "single":
        return _single(seen, picks, events)
    first = shown_rival(seen, around_the_table(seen), picks)
    view = {
        **seen,
        "players": [
            _player(player, seen, first=player["seat"] == first) for player in seen["players"]
        ],
    }
    me = own_player(view)
    several = seen["mode"] == "tournament"
    spread = to_choose_from(view, context.get("prompt"))
    return {
        "view": view,
        "me": me,
        "held": {card["id"] for card in me["hand"]["cards"]} if me else set(),
        "kinds": kinds_of(me["hand"]["cards"]) if me else {},
        "spread": spread,
        "offered": {card["id"] for card in spread},
        "battle": battle_of(events) if several else None,
        "rolls": {} if several else last_challenge(events),
    }


def slot_words(slot: str) -> str:
    """A position of a board in words: “Guard 1”."""
    return slot.replace("-", " ").capitalize()


def _player(player: View, view: View, *, first: bool) -> Row:
    odds = odds_between(view, view["seat"], player["seat"])
    part = part_in(view, player["seat"]) if view["mode"] == "tournament" else None
    return {
        **player,
        "board": [{**spot, "words": slot_words(spot["slot"])} for spot in player["board"]],
        "odds": odds,
        "part": part,
        "banner": banner_of(player),
        "state": opponent_state(player, odds, part),
        "first": first,
    }


def printed(card: View) -> Any:
    return rules.game(GAME).catalog[card["slug"]]


# -- Challenges -----------------------------------------------------------------------------------


def to_choose_from(view: View, prompt: Any) -> list[View]:
    """Cards that may be chosen but lie in no place that the table shows openly."""
    if not prompt:
        return []
    by_id = {card["id"]: card for card in view.get("discard", {}).get("cards", ())}
    for player in view["players"]:
        by_id |= {card["id"]: card for card in player.get("discard", {}).get("cards", ())}
        if player["seat"] != view["seat"]:
            by_id |= {card["id"]: card for card in player["hand"]["cards"]}
    offered = (option.move.get("card") for option in prompt.options)
    return [by_id[card] for card in offered if card in by_id]


def odds_between(view: View, attacker: int | None, defender: int) -> Any:
    """The chances of ``attacker`` against ``defender``, or None where there can be no Challenge."""
    for row in view.get("odds", ()):
        if row["attacker"] == attacker and row["defender"] == defender:
            return row
    return None


def kinds_of(cards: Sequence[View]) -> dict[str, bool]:
    """Which kinds of cards these are: ``{"character": True, …}``."""
    return {printed(card).kind: True for card in cards}


def _roll(event: View) -> Row:
    dice = event["dice"]
    return {"dice": dice, "total": sum(dice), "success": event["success"]}


def last_challenge(events: Sequence[View]) -> dict[str, Row]:
    """The stages of the newest Challenge: the dice that counted, and whether they succeeded."""
    stages: dict[str, Row] = {}
    for event in reversed(events):
        match event["kind"]:
            case "challenge_announced":
                return stages
            case "rolled":
                stages.setdefault(event["stage"], _roll(event))
            case "qualified":
                stages.setdefault("qualification", {"dice": [], "success": True})
    return {}


def battle_of(events: Sequence[View]) -> Row | None:
    """The newest Challenge with all its rolls: per stage, who rolled what, the last roll counts."""
    start = next(
        (n for n in reversed(range(len(events))) if events[n]["kind"] == "challenge_announced"),
        None,
    )
    if start is None:
        return None
    stages: dict[str, dict[int, Row]] = {"qualification": {}, "defense": {}, "volley": {}}
    for event in events[start + 1 :]:
        if event["kind"] == "rolled":
            stages[event["stage"]][event["seat"]] = {"seat": event["seat"], **_roll(event)}
        elif event["kind"] == "qualified":
            free = {"seat": event["seat"], "dice": [], "success": True}
            stages["qualification"][event["seat"]] = free
        elif event["kind"] == "turn_ended":
            break
    return {
        "attacker": events[start]["seat"],
        "defender": events[start]["defender"],
        "stages": {stage: list(rolls.values()) for stage, rolls in stages.items()},
    }


def part_in(view: View, seat: int) -> dict[str, str] | None:
    """A seat's part in the battle that is going on: its side, and how it stands."""
    battle = view.get("challenge")
    if not battle:
        return None
    if seat in battle["attackers"]:
        if seat in battle["qualified"]:
            return {"side": "attack", "words": "attacks: qualified"}
        return {"side": "attack", "words": "attacks"}
    if seat in battle["defenders"]:
        for state in ("hit", "escaped"):
            if seat in battle[state]:
                return {"side": "defend", "words": f"defends: {state}"}
        return {"side": "defend", "words": "defends"}
    return None


def shown_rival(view: View, others: Sequence[View], picks: ClickTargets) -> Any:
    """Whose board lies open on a small screen at first: whoever the moment is about."""
    seats = [player["seat"] for player in others]
    battle = view.get("challenge") or {}
    wanted = [
        *picks.seats,
        battle.get("defender"),
        battle.get("attacker"),
        view["turn"]["seat"],
        *(player["seat"] for player in others if player["out"] is None),
    ]
    return next((seat for seat in wanted if seat in seats), None)


def opponent_state(player: View, odds: View | None, part: Mapping[str, str] | None) -> str:
    """The words on an opponent's chip: the part in the battle, or your chance."""
    leader = player["board"][0]
    if player["out"]:
        return "out"
    if part:
        return f"{part['side']}s"
    if not leader["character"]:
        return "no Leader"
    if odds and not odds["allowed"]:
        return "same colour"
    return f"you win {percent(odds['total'])}" if odds else ""


def banner_of(player: View) -> str:
    """The colour of the alliance to which a player is pledged, or nothing."""
    leader = player["board"][0]
    if not player.get("pledged") or not leader["character"]:
        return ""
    colour: str = printed(leader["card"]).colour
    return colour


# -- alone ----------------------------------------------------------------------------------------


def _single(seen: View, picks: ClickTargets, events: Sequence[View]) -> Row:
    odds = {row["slot"]: row for row in seen["odds"]}
    piles = [{**pile, "odds": odds.get(pile["slot"])} for pile in seen["piles"]]
    return {
        "view": {**seen, "piles": piles},
        "rolls": last_battle(events),
        "dealt": peeping(seen["waste"]),
        "going_on": picks.verbs.get("deal") or picks.verbs.get("recycle"),
        "they_hit": odds_span(seen, "they"),
        "you_hit": odds_span(seen, "you"),
    }


def odds_span(view: View, side: str) -> str:
    """The chances of one side in all battles that may come: ``11%``, or ``11–31%``."""
    shares = sorted(row[side] for row in view["odds"])
    if not shares:
        return ""
    low, high = percent(shares[0]), percent(shares[-1])
    return low if low == high else f"{low.removesuffix('%')}–{high}"


def peeping(waste: View) -> Row:
    """The dealt pile: its top card, the last face-up ones under it, and how many more there are."""
    top, *under = waste["cards"] or [None]
    seen = [card for card in under if card is not None]
    return {"top": top, "under": seen[:PEEKING][::-1], "seen": seen, "count": waste["count"]}


def last_battle(events: Sequence[View]) -> dict[str, Any]:
    """The rolls of the newest battle of Single Play, by side."""
    rolls: dict[str, Any] = {}
    for event in reversed(events):
        if event["kind"] == "battle":
            return rolls | {"with": event["card"]}
        if event["kind"] == "rolled":
            rolls.setdefault(event["stage"], _roll(event))
    return {}
