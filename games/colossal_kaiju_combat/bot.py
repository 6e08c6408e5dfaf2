"""A bot that takes what looks best now (section 9 of the specification), in both modes.

It sees nothing but the view of its seat. Its numbers are in points of glory, a kaiju's five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from games.colossal_kaiju_combat.state import Cards, Print
from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Number, Prompt, Seat, chosen

View = Mapping[str, Any]
Row = Mapping[str, Any]

HIT_SHARE: Final = 0.6
"""How much of what a hand could deal gets through on an average."""
EXPECTED_BLOW: Final = 4.5
"""The average damage of a Sword card that lies face down."""
ENERGY_WORTH: Final = 0.2
"""Of one Energy, in points of damage. It comes back by rages and roars; the hand is thrown away."""
UNPAID: Final = 0.4
"""Of one point of damage that the hand holds but cannot be paid now: what a Roar is worth more."""
NEXT_FALLS: Final = 0.7
"""How sure it is that a rampage goes on to the next card of the row."""
BRAVE_FORTITUDE: Final = 7
LOW_ENERGY: Final = 4
FULL_CITY: Final = 4


def print_of(slug: str) -> Print:
    """The printed card of a slug; the tables of a match have the same."""
    return Cards.in_order((slug,)).prints[0]


class Sight:
    """A view as the bot reads it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.players: Sequence[Row] = view["players"]
        self.me: Row = self.players[self.seat]
        self.combat: Row | None = view["combat"]
        self.characters: dict[int, Row] = {}
        self.owner: dict[int, int] = {}
        self.cards: dict[int, Print] = {}
        for player in self.players:
            for member in player["team"]:
                self.characters[member["card"]["id"]] = member
                self.owner[member["card"]["id"]] = player["seat"]
        for hand in (self.me["combat_hand"], self.me["planning_hand"] or {"cards": ()}):
            for card in hand["cards"]:
                self.cards[card["id"]] = print_of(card["slug"])
        self.city: Sequence[Row] = view["city"]

    # -- characters --------------------------------------------------------------------------

    def print_of(self, character: int) -> Print:
        return print_of(self.characters[character]["card"]["slug"])

    def left(self, character: int) -> int:
        """The damage that it still bears."""
        row = self.characters[character]
        return int(row["fortitude"] - row["damage"])

    def worth(self, character: int) -> int:
        return int(self.characters[character]["glory"])

    def strength(self, character: int) -> int:
        row = self.characters[character]
        return int(self.left(character) + row["ferocity"] + row["agility"])

    def is_own(self, character: int) -> bool:
        return self.owner[character] == self.seat

    # -- what a card is worth ----------------------------------------------------------------

    def damage(self, it: Print, character: int, target: Row) -> int:
        """About what the sum of the rules comes to; ``target`` has ``attributes``."""
        own = {attribute.lower() for attribute in self.characters[character]["attributes"]}
        against = {attribute.lower() for attribute in target["attributes"]}
        value = it.damage + sum(icon in own for icon in it.damage_icons)
        value -= sum(icon in against for icon in it.red_icons)
        value += self._ability(character, it, "damage") if not target.get("immune") else 0
        if "city" in it.bonus and "strike" in target:
            value += it.bonus["damage"]
        if "damage" in it.damage_effect and value > 0:
            value += int(it.damage_effect["damage"])
        return max(0, value)

    def toughness(self, it: Print, character: int) -> int:
        own = {attribute.lower() for attribute in self.characters[character]["attributes"]}
        value = it.toughness + sum(icon in own for icon in it.toughness_icons)
        return value + self._ability(character, it, "toughness")

    def _ability(self, character: int, it: Print, value: str) -> int:
        bonus = self.print_of(character).bonus
        fits = bonus.get("style") in it.styles or bonus.get("type") == it.type
        return int(bonus.get(value, 0)) if fits else 0

    def points(self, character: int, *, rich: bool = False) -> list[int]:
        """Ferocity, Agility and Energy that it can still spend; ``rich``: with plenty of Energy."""
        row, energy = self.characters[character], 99 if rich else int(self.me["energy"])
        for fighter in (self.combat or {"fighters": ()})["fighters"]:
            if fighter["card"]["id"] == character:
                spent, limit = fighter["energy"]
                power = energy if limit is None else max(0, limit - spent)
                reserved = sum(down["price"][2] for down in fighter["down"] if down["price"])
                left = min(power, energy - reserved)
                return [fighter["ferocity"][0], fighter["agility"][0], left]
        return [row["ferocity"], row["agility"], min(row["power"], energy)]

    def energy_worth(self) -> float:
        """Nothing in a Rage, while Power does not limit and four Energy have just come."""
        return 0.0 if self.me["raging"] else ENERGY_WORTH

    def potential(self, character: int, target: Row, *, rich: bool = False) -> float:
        """The damage of the Sword cards in hand, paid one after another, the cheapest first."""
        points = self.points(character, rich=rich)
        swords = [it for it in self.cards.values() if it.is_combat and it.fits("sword")]
        swords.sort(key=lambda it: it.red + it.blue + 2 * it.yellow - it.damage)
        dealt = 0.0
        for it in swords:
            energy = energy_for(it, points)
            if energy <= points[2]:
                points[0] -= min(it.red, points[0])
                points[1] -= min(it.blue, points[1])
                points[2] -= energy
                stopped = target.get("toughness", 0)
                dealt += max(0, self.damage(it, character, target) - stopped)
        return dealt


def energy_for(it: Print, points: Sequence[int]) -> int:
    """The boxes that Ferocity and Agility do not cover."""
    return max(0, it.red - points[0]) + max(0, it.blue - points[1]) + it.yellow


def best(options: Iterable[Move], value: Callable[[Move], float]) -> Move:
    return max(options, key=value)  # the first of equals


def named(prompt: Prompt, *verbs: str) -> Move:
    """The first option with the first of these verbs that is offered."""
    for verb in verbs:
        for move in prompt.options:
            if move.verb == verb:
                return move
    return prompt.options[-1]


# -- planning --------------------------------------------------------------------------------------

PLANS: Final[Mapping[str, float]] = {
    "trophy": 9,
    "energy": 5,
    "fury": 5,
    "draw-planning": 6,
    "draw-combat": 5,
    "heal": 5,
    "air-strike": 6,
    "sabotage": 3,
    "evacuate": 4,
    "initiative": 1,
    "demolish": 2,
}
"""How soon an Event is played; those that are not here are kept."""


def plan_play(sight: Sight, prompt: Prompt) -> Move:
    """Allies and Events at once, city cards until the city is full."""

    def value(move: Move) -> float:
        if move.card is None:
            return 0.0
        it = sight.cards[move.card]
        if it.is_city:
            return 4.0 + it.glory if len(sight.city) < FULL_CITY else -1.0
        if it.kind == "ally":
            return 7.0
        if it.effect == "demolish":
            falls = [row for row in sight.city if standing(row) <= 3]
            return 8.0 if falls else -1.0
        return PLANS.get(it.effect, -1.0)

    return best(prompt.options, value)


def select_active(sight: Sight, prompt: Prompt) -> Move:
    """The strongest; one with a worth of its own rather than an ally that only gives glory."""

    def value(move: Move) -> float:
        character = chosen(move)
        target = {"attributes": (), "toughness": 2}
        weak = 6 if sight.left(character) < BRAVE_FORTITUDE else 0
        return sight.strength(character) + 0.7 * sight.potential(character, target) - weak

    return best(prompt.options, value)


# -- actions ---------------------------------------------------------------------------------------


def fight_value(sight: Sight, own: int, foe: int) -> float:
    """The share of a KO that is likely, less what may come back."""
    likely = HIT_SHARE * sight.potential(own, sight.characters[foe])
    left = sight.left(foe)
    share: float = min(1.0, likely / left) ** 1.5
    other = sight.players[sight.owner[foe]]
    cards = int(other["combat_hand"]["count"])
    back = min(1.0, 0.7 * cards / sight.left(own))
    ready = 0.8 if sight.me["fury"] >= sight.me["threshold"] else 0.0
    return share * sight.worth(foe) + 0.4 * likely / 2 + ready - back * sight.worth(own) * 0.5


def rampage_value(sight: Sight, own: int) -> float:
    """The glory of all that may fall, less what the head strikes back."""
    head = sight.city[0]
    dealt = sight.potential(own, head) - standing(head)
    if dealt < 0:
        return -1.0
    team = print_of(sight.me["team_card"]["slug"])
    glory = float(head["glory"]) + (team.amount if team.effect == "rampage-glory" else 0)
    for row in sight.city[1:]:
        dealt -= standing(row) / 0.8
        if dealt < 0:
            break
        glory += NEXT_FALLS * int(row["glory"])
    return glory + 0.8 - 1.5 * int(head["strike"]) / sight.left(own)


def standing(row: Row) -> int:
    """The damage that a city card still bears."""
    return int(row["fortitude"] - row["damage"])


def challenge_value(sight: Sight, foe: int, fight: float) -> float:
    """A kaiju declines, so that the action is lost: only with Taunt, or for a Stare Down."""
    moments = {it.moment for it in sight.cards.values()}
    if not sight.characters[foe]["is_kaiju"] or "challenge" in moments:
        return fight
    return 1.2 if "declined" in moments else -1.0


def action(sight: Sight, prompt: Prompt) -> Move:
    own = next(member["card"]["id"] for member in sight.me["team"] if member["chosen"])
    swords = [it for it in sight.cards.values() if it.is_combat and it.fits("sword")]
    tired = sight.me["energy"] < LOW_ENERGY or len(swords) < 2
    anybody = {"attributes": ()}
    unpaid = sight.potential(own, anybody, rich=True) - sight.potential(own, anybody)

    def value(move: Move) -> float:
        if move.verb == "rampage":
            return rampage_value(sight, own)
        if move.verb == "roar":
            return (1.2 if tired else 0.4) + UNPAID * unpaid
        if move.verb == "pass":
            return 0.0
        fight = fight_value(sight, own, chosen(move))
        return challenge_value(sight, chosen(move), fight) if move.verb == "challenge" else fight

    return best(prompt.options, value)


def challenge_reply(sight: Sight, prompt: Prompt) -> Move:
    """It costs nothing to decline; a healthy kaiju with a good hand stands."""
    challenger, victim = prompt.context
    brave = sight.left(victim) > sight.left(challenger) + 2
    strong = sight.potential(victim, sight.characters[challenger]) > sight.left(challenger)
    return named(prompt, "accept" if brave and strong else "decline")


# -- combats ---------------------------------------------------------------------------------------


def foes_of(sight: Sight) -> list[int]:
    if sight.combat is None:
        return []
    rivals = [row for row in sight.combat["fighters"] if row["seat"] != sight.seat]
    return [row["card"]["id"] for row in rivals]


def target_row(sight: Sight) -> Row:
    """Whom a Sword card would hit: the weakest foe, or the head of the city."""
    foes = foes_of(sight)
    if foes:
        return sight.characters[min(foes, key=sight.left)]
    return sight.city[0] if sight.city else {"attributes": ()}


def sword(sight: Sight, prompt: Prompt) -> Move:
    """Best damage for its Energy; what cannot be paid is a bluff, for the hand is thrown away."""
    assert sight.combat is not None
    if "claim-fury" in {move.verb for move in prompt.options}:
        return named(prompt, "claim-fury")
    own, target = prompt.context[0], target_row(sight)
    if sight.combat["rampage"] and breaks_off(sight, own, target):
        return named(prompt, "done")
    rival = sight.combat["other"] if sight.combat["starter"] == sight.seat else None
    if rival is None and not sight.combat["rampage"]:
        rival = sight.combat["starter"]
    unarmed = rival is not None and not sight.players[rival]["combat_hand"]["count"]
    points, worth = sight.points(own), sight.energy_worth()

    def value(move: Move) -> float:
        if move.card is None:
            return 0.3
        it = sight.cards[move.card]
        damage = sight.damage(it, own, target) - int(target.get("toughness", 0))
        if "empty_hand" in it.bonus:
            damage += int(it.bonus["damage"]) if unarmed else -2
        extra = (1.0 if it.combo else 0.0) + (0.8 if it.knockdown and not unarmed else 0.0)
        if move.verb == "lay":
            return -1.0
        if move.verb == "bluff":
            return damage + extra if unarmed else 0.3 * damage - (1 if it.has_toughness else 0)
        energy = energy_for(it, points)
        keep = 1.5 if it.has_toughness else 0.0  # Techniques answer, too
        return damage + extra - worth * energy - keep - 1.5 * it.required_discards

    return best(prompt.options, value)


def breaks_off(sight: Sight, own: int, head: Row) -> bool:
    """A rampage is over when nothing more can fall, or the next strike would be the last."""
    if head["strike"] >= sight.left(own):
        return True
    return sight.potential(own, head) < standing(head)


def shield(sight: Sight, prompt: Prompt) -> Move:
    """About what is coming; a Counterattack while healthy, a bluff only where it costs nothing."""
    assert sight.combat is not None
    if "claim-fury" in {move.verb for move in prompt.options}:
        return named(prompt, "claim-fury")
    own = prompt.context[0]
    strike = sight.combat["strike"]
    incoming = EXPECTED_BLOW if strike is None else float(strike)
    points, worth = sight.points(own), sight.energy_worth()
    healthy = sight.left(own) > BRAVE_FORTITUDE
    target = target_row(sight)
    hand = len(sight.me["combat_hand"]["cards"])

    def value(move: Move) -> float:
        if move.card is None:
            return 0.6
        it = sight.cards[move.card]
        if move.verb == "lay":
            return -1.0
        if move.verb == "bluff":
            return 0.7 if hand > 4 and it.has_toughness and strike is None else 0.0
        spent = worth * energy_for(it, points) + 1.5 * it.required_discards
        if it.type == "Counterattack":
            back = sight.damage(it, own, target)
            return back * (0.9 if healthy else 0.3) - spent
        stopped = min(incoming, sight.toughness(it, own))
        return stopped * (1.0 if healthy else 1.4) - spent

    return best(prompt.options, value)


def weakest_foe(sight: Sight, prompt: Prompt) -> Move:
    """A target: what is nearest to its Fortitude, the most worth first among equals."""

    def value(move: Move) -> float:
        character = chosen(move)
        own = 100.0 if sight.is_own(character) else 0.0
        return sight.worth(character) - sight.left(character) - own

    return best(prompt.options, value)


def strongest(sight: Sight, prompt: Prompt) -> Move:
    """Who joins or attacks out of an Ambush."""
    return best(prompt.options, lambda move: sight.strength(chosen(move)) if move.card else 0)


def cost_discard(sight: Sight, prompt: Prompt) -> Move:
    """The card worth least; a spare card may go for two points of damage."""
    hand = len(sight.me["combat_hand"]["cards"])

    def value(move: Move) -> float:
        if move.card is None:
            return -3.0 if hand > 3 else 0.0
        it = sight.cards[move.card]
        return float(-max(it.damage, it.toughness))

    return best(prompt.options, value)


def react(sight: Sight, prompt: Prompt) -> Move:
    """Play any card that names this moment."""
    return named(prompt, "play", "no")


def ambush(sight: Sight, prompt: Prompt) -> Move:
    """Only onto somebody who is hurt."""
    weak = [
        character
        for character, row in sight.characters.items()
        if not sight.is_own(character) and row["active"] and sight.left(character) < BRAVE_FORTITUDE
    ]
    return named(prompt, "play" if weak else "no")


# -- scars and the city ----------------------------------------------------------------------------


def harms(it: Print) -> bool:
    return bool(it.loses) or any(number < 0 for number in it.changes.values())


def scar(sight: Sight, prompt: Prompt) -> Move:
    """Good ones onto own characters, bad ones onto those of others."""
    enemy = bool(prompt.context[0])
    for move in prompt.options:
        if move.card is not None and harms(sight.cards[move.card]) == enemy:
            return move
    return named(prompt, "none")


def bearer(sight: Sight, prompt: Prompt) -> Move:
    return best(prompt.options, lambda move: sight.worth(chosen(move)) + sight.left(chosen(move)))


def city_card(sight: Sight, prompt: Prompt) -> Move:
    """Nearest to its end, and worth most."""
    rows = {row["card"]["id"]: row for row in sight.city}

    def value(move: Move) -> float:
        row = rows[chosen(move)]
        falls = standing(row) <= 3
        return float(row["glory"]) + (5.0 if falls else 0.0)

    return best(prompt.options, value)


def richest(sight: Sight, prompt: Prompt) -> Move:
    """The seat with the most glory."""

    def value(move: Move) -> float:
        assert isinstance(move.target, Seat)
        return float(sight.players[move.target.seat]["glory"])

    return best(prompt.options, value)


def most_hurt(sight: Sight, prompt: Prompt) -> Move:
    return best(prompt.options, lambda move: sight.characters[chosen(move)]["damage"])


def least_steps(sight: Sight, prompt: Prompt) -> Move:
    def steps(move: Move) -> int:
        return move.target.number if isinstance(move.target, Number) else 0

    return min(prompt.options, key=steps)


CHOICES: Final[Mapping[str, Callable[[Sight, Prompt], Move]]] = {
    "plan_discard": lambda sight, prompt: named(prompt, "done"),
    "plan_play": plan_play,
    "select_active": select_active,
    "action": action,
    "react_challenge": react,
    "challenge_reply": challenge_reply,
    "react_declined": react,
    "roar_mode": lambda sight, prompt: named(prompt, "draw-two"),
    "roar_discard": lambda sight, prompt: named(prompt, "done"),
    "react_start": react,
    "join": strongest,
    "pick_number": least_steps,
    "evolve": lambda sight, prompt: named(prompt, "yes"),
    "rage": lambda sight, prompt: named(prompt, "claim-fury", "rage"),
    "react_rage": react,
    "fighter": lambda sight, prompt: named(prompt, "claim-fury", "fighter"),
    "sword": sword,
    "target": weakest_foe,
    "cost_discard": cost_discard,
    "shield": shield,
    "answer": lambda sight, prompt: prompt.options[0],
    "steal_fury": lambda sight, prompt: named(prompt, "steal"),
    "move": least_steps,
    "assault_target": weakest_foe,
    "scar": scar,
    "bearer": bearer,
    "react_end": react,
    "ambush": ambush,
    "ambush_fighter": strongest,
    "ambush_victim": weakest_foe,
    "evacuate_which": city_card,
    "demolish_which": city_card,
    "feed_whom": most_hurt,
    "how_far": least_steps,
    "sabotage_whom": richest,
    "spoils_of_whom": richest,
    "strike_whom": weakest_foe,
}


def choose(view: View, prompt: Prompt, chance: Chance) -> Move:
    """The option that looks best now."""
    return CHOICES[prompt.kind](Sight(view), prompt)


BOTS: Final[Mapping[str, Bot]] = {
    "random": RANDOM,
    "greedy": Bot(
        "greedy",
        "Greedy",
        "Takes what looks best now, and bluffs with the rest.",
        choose,
        ("Klaxon", "Sirena", "Tremor", "Beacon", "Harbor", "Quake", "Searchlight", "Rubble"),
    ),
}
