"""What the tables of Kaolan's Tournament, Power and Single Play look up besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

import rules
from games.kaolan.site.templatetags.kaolan_table import goes, takes
from matches.templatetags.table import Picks, percent

register = template.Library()

COLOURS = ("red", "green", "blue", "gold")
CHAIN = 5
PEEKING = 3
"""How many earlier cards of the dealt pile peep out under its top card."""


# -- the hand -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """What a card of the hand can be picked up for, and what a place must take for it."""

    option: Any
    goes: str = ""


VERBS = {"character": "place", "power": "add_power", "ability": "add_ability"}


@register.simple_tag
def use_of(
    card: Mapping[str, Any], me: Mapping[str, Any], prompt: Any, picks: Picks, game: str
) -> Use | None:
    """What a card of the hand stands for at the start of a turn; None if nothing can be done.

    What is allowed is asked of the rules: this only says which places light up.
    """
    if not prompt or prompt.kind != "turn_action":
        return None
    printed = rules.game(game).catalog[card["slug"]]
    if printed.kind == "opportunity":
        return Use(picks.verbs.get("opportunity"))
    verb, place = VERBS[printed.kind], goes(card, game)
    if printed.kind == "character" and "chain" in me and me["board"][0]["character"]:
        verb, place = _in_chain(printed, me["board"], game)
    if place in places_for(me, game):
        return Use(picks.verbs.get(verb), place)
    return None


def _in_chain(printed: Any, board: Sequence[Mapping[str, Any]], game: str) -> tuple[str, str]:
    levels = {rules.game(game).catalog[spot["card"]["slug"]]["level"] for spot in board}
    if printed["level"] in levels:
        return "replace_link", f"level-{printed['level']}-{printed.colour}"
    return "place", "new-link"


def places_for(me: Mapping[str, Any], game: str) -> set[str]:
    """What at least one place of the own board looks free for."""
    board = me["board"]
    words = {word for spot in board for word in takes_in(me, spot, game).split()}
    if "chain" in me and board[0]["character"] and len(board) < CHAIN:
        words.add("new-link")
    return words


@register.simple_tag
def takes_in(me: Mapping[str, Any], spot: Mapping[str, Any], game: str) -> str:
    """Which hand cards a place looks free for, also where modes differ from Match Play."""
    board = me["board"]
    if "chain" in me:
        if spot["card"] is None:
            return ""
        if spot["slot"] == "main":
            return takes(spot, board, game) if spot["character"] else "character"
        printed = rules.game(game).catalog[spot["card"]["slug"]]
        words = [word for word in takes(spot, board, game).split() if word != "ability"]
        others = (colour for colour in COLOURS if colour != printed.colour)
        return " ".join([*words, *(f"level-{printed['level']}-{colour}" for colour in others)])
    if spot["card"] is None and "prize" in me and board[0]["character"]:
        return "character"
    return takes(spot, board, game)


# -- several in one battle ------------------------------------------------------------------------


@register.simple_tag
def battle_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The newest Challenge with all its rolls: per stage, who rolled what, the last roll counts."""
    start = next(
        (n for n in reversed(range(len(events))) if events[n]["kind"] == "challenge_announced"),
        None,
    )
    if start is None:
        return None
    stages: dict[str, dict[int, dict[str, Any]]] = {
        "qualification": {},
        "defense": {},
        "volley": {},
    }
    for event in events[start + 1 :]:
        if event["kind"] == "rolled":
            dice = event["dice"]
            stages[event["stage"]][event["seat"]] = {
                "seat": event["seat"],
                "dice": dice,
                "total": sum(dice),
                "success": event["success"],
            }
        elif event["kind"] == "qualified":
            stages["qualification"][event["seat"]] = {
                "seat": event["seat"],
                "dice": [],
                "success": True,
            }
        elif event["kind"] == "turn_ended":
            break
    return {
        "attacker": events[start]["seat"],
        "defender": events[start]["defender"],
        "stages": {stage: list(rolls.values()) for stage, rolls in stages.items()},
    }


@register.simple_tag
def part_in(view: Mapping[str, Any], seat: int) -> dict[str, str] | None:
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


@register.simple_tag
def shown_rival(view: Mapping[str, Any], others: Sequence[Mapping[str, Any]], picks: Picks) -> Any:
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


@register.simple_tag
def banner_of(player: Mapping[str, Any], game: str) -> str:
    """The colour of the alliance to which a player is pledged, or nothing."""
    leader = player["board"][0]
    if not player.get("pledged") or not leader["character"]:
        return ""
    return rules.game(game).catalog[leader["card"]["slug"]].colour


# -- alone ----------------------------------------------------------------------------------------


@register.simple_tag
def odds_on(view: Mapping[str, Any], slot: str) -> Any:
    """The chances of a battle with the Character on a pile, or None."""
    return next((row for row in view["odds"] if row["slot"] == slot), None)


@register.simple_tag
def going_on(picks: Picks) -> Any:
    """How the run goes on: the next deal, or turning the dealt pile over."""
    return picks.verbs.get("deal") or picks.verbs.get("recycle")


@register.simple_tag
def odds_span(view: Mapping[str, Any], side: str) -> str:
    """The chances of one side in all battles that may come: ``11 %``, or ``11–31 %``."""
    shares = sorted(row[side] for row in view["odds"])
    if not shares:
        return ""
    low, high = percent(shares[0]), percent(shares[-1])
    return low if low == high else f"{low.removesuffix(' %')}–{high}"


@register.simple_tag
def peeping(waste: Mapping[str, Any]) -> dict[str, Any]:
    """The dealt pile: its top card, the last face-up ones under it, and how many more there are."""
    top, *under = waste["cards"] or [None]
    seen = [card for card in under if card is not None]
    return {"top": top, "under": seen[:PEEKING][::-1], "seen": seen, "count": waste["count"]}


@register.simple_tag
def last_battle(events: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The rolls of the newest battle of Single Play, by side."""
    rolls: dict[str, dict[str, Any]] = {}
    for event in reversed(events):
        if event["kind"] == "battle":
            return rolls | {"with": event["card"]}
        if event["kind"] == "rolled":
            dice = event["dice"]
            roll = {"dice": dice, "total": sum(dice), "success": event["success"]}
            rolls.setdefault(event["stage"], roll)
    return {}
