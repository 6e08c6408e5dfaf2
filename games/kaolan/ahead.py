"""Prompts of Kaolan that may be answered ahead: the turn, and those out of turn (section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.kaolan.moves import CHALLENGE, DISCARD_CARD, NAME_SEAT, NO, PASS, SPEND, STEP_UP
from games.kaolan.rules.board import pass_discard
from games.kaolan.rules.challenge import choose_defender, second_wind
from games.kaolan.rules.elimination import step_up
from games.kaolan.rules.turn import turn_action
from games.kaolan.state import HAND_LIMIT
from rules.engine.ahead import Ahead, Choice, Condition, Sight

ODDS: Final = (25, 50, 75)
"""Per cent that a condition on a Challenge may name."""


def _leader(player: Mapping[str, Any]) -> Mapping[str, Any] | None:
    leader: Mapping[str, Any] | None = next(iter(player["board"]), None)
    return leader if leader is not None and leader["character"] else None


def leaders_and_odds(sight: Sight) -> list[Condition]:
    """Who leads, and how a Challenge would go."""
    result = []
    for seat in (sight.seat, *sight.others):
        leader = _leader(sight.players[seat])
        if leader is not None:
            words = f"{sight.whose(seat)} Leader is {sight.name(leader['card'])}"
            result.append(Condition(f"leader-{leader['card']['id']}", words, True))
    for seat in sight.others:
        words = f"{sight.names[seat]} has no Leader"
        result.append(Condition(f"none-{seat}", words, _leader(sight.players[seat]) is None))
    chances = {
        odds["defender"]: odds["total"]
        for odds in sight.view["odds"]
        if odds["allowed"] and odds["attacker"] == sight.seat
    }
    for seat in sight.others:
        for level in ODDS:
            words = f"a Challenge against {sight.names[seat]} succeeds with at least {level}%"
            holds = chances.get(seat, 0) * 100 >= level
            result.append(Condition(f"odds-{seat}-{level}", words, holds))
    return result


def who_attacks(sight: Sight) -> list[Condition]:
    """The Attackers of the Challenge that runs."""
    challenge = sight.view["challenge"]
    attackers = challenge["attackers"] if challenge else ()
    return [
        Condition(f"attacks-{seat}", f"{sight.names[seat]} attacks", seat in attackers)
        for seat in sight.others
    ]


def pass_or_challenge(_sight: Sight) -> list[Choice]:
    """The options of a turn that name no card that is still to be drawn."""
    return [Choice("pass", "pass", PASS), Choice("challenge", "challenge", CHALLENGE)]


def hand_cards(sight: Sight) -> list[Choice]:
    """The cards in hand, and the one that passing draws: the fifth (KAO-R-03)."""
    hand = sight.own["hand"]["cards"]
    drawn = []
    if hand and (not sight.is_asked or len(hand) > HAND_LIMIT):
        drawn = [Choice("drawn", "discard the card you draw", DISCARD_CARD[hand[-1]["id"]])]
    cards = [
        Choice(f"card-{card['id']}", f"discard {sight.name(card)}", DISCARD_CARD[card["id"]])
        for card in hand
    ]
    return [*cards, *drawn]


def rivals(sight: Sight) -> list[Choice]:
    """The other seats."""
    return [
        Choice(f"seat-{seat}", f"challenge {sight.names[seat]}", NAME_SEAT[seat])
        for seat in sight.others
    ]


def spare_powers(sight: Sight) -> list[Choice]:
    """Power Cards of the Leader, in Power Play of the whole chain."""
    cards = [
        Choice(f"spend-{card['id']}", f"discard {sight.name(card)}", SPEND[card["id"]])
        for card in _fighting_powers(sight.own)
    ]
    return [*cards, Choice("no", "discard no card", NO)]


def _fighting_powers(player: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    positions = player["board"] if "chain" in player else player["board"][:1]
    for position in positions:
        yield from position.get("powers", ())


def guards(sight: Sight) -> list[Choice]:
    """The Guard Characters."""
    cards = [row["card"] for row in sight.own["board"][1:] if row["character"]]
    return [
        Choice(f"guard-{card['id']}", f"{sight.name(card)} steps up", STEP_UP[card["id"]])
        for card in cards
    ]


def turn_number(sight: Sight) -> int:
    """The turn that runs."""
    number: int = sight.view["turn"]["number"]
    return number


AHEAD: Final[Mapping[str, Ahead]] = {
    turn_action.name: Ahead(
        "at your next turn",
        pass_or_challenge,
        leaders_and_odds,
        then=(pass_discard.name, choose_defender.name),
        turn=turn_number,
    ),
    pass_discard.name: Ahead("when you pass", hand_cards, leads=False),
    choose_defender.name: Ahead("when you challenge", rivals, leads=False),
    second_wind.name: Ahead("the next time you may use Second Wind", spare_powers, who_attacks),
    step_up.name: Ahead("when your Leader is next defeated", guards, who_attacks),
}
