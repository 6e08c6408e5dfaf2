"""Prompts of KND: OCG that may be answered ahead: a turn, and a discard out of it (section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.knd_ocg.card_texts import attacks_of
from games.knd_ocg.effects import discard_own
from games.knd_ocg.moves import ATTACH, ATTACK, BASIC, DISCARD, END, MOVE_UP, TRICK
from games.knd_ocg.rules.turn import play
from games.knd_ocg.state import Cards
from rules.engine.ahead import Ahead, Choice, Condition, Sight
from rules.engine.card_tables import catalog_of
from rules.engine.cards import CardType

HIT_POINTS: Final = (5, 10, 15, 20, 30)
"""Hit points that a condition may name."""


def _field(player: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for row in (player["active"], *player["reserve"]) if row is not None]


def active_characters(sight: Sight) -> list[Condition]:
    """Who is Active, and what is left of the opposing one."""
    result = []
    for seat in (sight.seat, 1 - sight.seat):
        active, whose = sight.players[seat]["active"], sight.whose(seat)
        card = active and active["card"]["id"]
        result += [
            Condition(
                f"active-{row['card']['id']}",
                f"{whose} Active Character is {sight.name(row['card'])}",
                row["card"]["id"] == card,
            )
            for row in _field(sight.players[seat])
        ]
        words = f"{whose} Active Character zone is empty"
        result.append(Condition(f"empty-{seat}", words, active is None))
    target = sight.players[1 - sight.seat]["active"]
    result += [
        Condition(
            f"hp-{level}",
            f"{sight.whose(1 - sight.seat)} Active Character has at most {level} HP",
            target is not None and target["hp"] <= level,
        )
        for level in HIT_POINTS
    ]
    return result


def actions(sight: Sight) -> list[Choice]:
    """Attacks on the opposing Active Character, Energy, moving up, and the end of the turn."""
    return [
        *_attacks(sight),
        *_energy(sight),
        *_moves_up(sight),
        Choice("end", "end the turn", END),
    ]


def _attacks(sight: Sight) -> list[Choice]:
    """At planning the target is not known: it is whoever is Active then."""
    target = sight.players[1 - sight.seat]["active"]
    at = -1 if target is None else target["card"]["id"]
    if sight.is_asked and target is None:
        return []
    choices = []
    for row in _field(sight.own):
        card, name = row["card"]["id"], sight.name(row["card"])
        choices.append(Choice(f"basic-{card}", f"Basic Attack with {name}", BASIC[card][at]))
        for number, attack in enumerate(attacks_of(_catalog()[row["card"]["slug"]])):
            if attack.on == "reserve":
                continue
            move = TRICK[number][card] if attack.on == "nobody" else ATTACK[number][card][at]
            choices.append(Choice(f"attack{number + 1}-{card}", f"{attack.name} with {name}", move))
    return choices


def _energy(sight: Sight) -> list[Choice]:
    """One card of each kind of Energy in hand, to each Character (KND-F-11)."""
    kinds = {
        card["slug"]: card
        for card in reversed(sight.own["hand"]["cards"])
        if _catalog()[card["slug"]].kind == "energy"
    }
    return [
        Choice(
            f"attach-{slug}-{row['card']['id']}",
            f"attach {sight.name(card)} to {sight.name(row['card'])}",
            ATTACH[card["id"]][row["card"]["id"]],
        )
        for slug, card in sorted(kinds.items())
        for row in _field(sight.own)
    ]


def _moves_up(sight: Sight) -> list[Choice]:
    cards = [row["card"] for row in sight.own["reserve"] if row is not None]
    return [
        Choice(f"up-{card['id']}", f"move up {sight.name(card)}", MOVE_UP[card["id"]])
        for card in cards
    ]


def _catalog() -> Mapping[str, CardType]:
    return catalog_of(Cards.package)


def hand_cards(sight: Sight) -> list[Choice]:
    """KND-R-59: each card in hand."""
    return [
        Choice(f"card-{card['id']}", f"discard {sight.name(card)}", DISCARD[card["id"]])
        for card in sight.own["hand"]["cards"]
    ]


def turn_number(sight: Sight) -> int:
    """The turn that runs."""
    number: int = sight.view["turn"]["number"]
    return number


AHEAD: Final[Mapping[str, Ahead]] = {
    play.name: Ahead(
        "at your next turn",
        actions,
        active_characters,
        then=(play.name, play.name, play.name),
        turn=turn_number,
    ),
    discard_own.name: Ahead("the next time you must discard a card", hand_cards, active_characters),
}
