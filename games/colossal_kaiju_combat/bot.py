"""A bot that takes what looks best now (section 9 of the specification), in both modes.

It thinks on a table (``Kaiju``), of which it looks at nothing that its seat cannot see:
:func:`table` makes one from a view. Its numbers are in points of glory, a kaiju's five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.colossal_kaiju_combat import costs
from games.colossal_kaiju_combat.characters import attributes, fortitude, is_immune, stat, total
from games.colossal_kaiju_combat.rules.glory import glory_of
from games.colossal_kaiju_combat.state import CITY, Cards, Combat, Kaiju, Print, catalog
from games.colossal_kaiju_combat.values import city_toughness
from rules.engine.bots import RANDOM, Mind
from rules.engine.card_tables import NO_CARD
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Number, Prompt, Seat, chosen

View = Mapping[str, Any]

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
NEARLY_DOWN: Final = 3
"""So little damage brings a city card down soon."""
USUAL_TOUGHNESS: Final = 2

FILLER: Final = next(slug for slug, card in catalog().items() if card.kind == "combat")


# -- the table -------------------------------------------------------------------------------------


def table(view: View) -> Kaiju:
    """The table that the view shows. Other cards lie in the places of unseen ones; decks, discard
    piles and what is face down of others are left out.
    """
    rows = view["players"]
    seen = {card["id"]: card["slug"] for card in _seen(view)}
    hidden = sum(row["combat_hand"]["count"] for row in rows)
    first = max(seen) + 1
    s = Kaiju.lay(
        len(rows),
        Chance(bytes(32)),
        "standard" if rows[0]["planning_deck"] else "basic",
        Cards(seen.get(card, FILLER) for card in range(first + hidden)),
        [row["team_card"]["id"] for row in rows],
        {
            "fury_mode": "claim" if view["claims_fury"] else "auto",
            "illegal_cards": "refuse",  # what is offered says so
            "glory_target": view["glory_target"],
            "turn_cap": view["turn_cap"],
            "quiet_limit": view["quiet_limit"],
        },
    )
    unseen = iter(range(first, first + hidden))
    for seat, row in enumerate(rows):
        _lay_player(s, seat, row, unseen)
    s.order = [*view["order"], *(seat for seat in range(len(rows)) if seat not in view["order"])]
    s.turn, s.phase, s.quiet = view["turn"], view["phase"], view["quiet"]
    s.acting = NO_CARD if view["acting"] is None else view["acting"]
    s.city = [row["card"]["id"] for row in view["city"]]
    s.damage |= {row["card"]["id"]: row["damage"] for row in view["city"]}
    if view["combat"] is not None:
        s.combat = _combat(s, view["combat"], rows)
    return s


def _seen(view: View) -> Iterator[View]:
    """The cards that the view shows, as far as the bot looks at them."""
    for row in view["players"]:
        yield row["team_card"]
        yield from row["combat_hand"]["cards"]
        yield from (row["planning_hand"] or {"cards": ()})["cards"]
        for member in row["team"]:
            yield member["card"]
            for scar in member["scars"]:
                yield scar["card"]
        for glory in row["glory_pile"]["cards"]:
            yield glory["card"]
    for city in view["city"]:
        yield city["card"]
    for fighter in (view["combat"] or {"fighters": ()})["fighters"]:
        yield from (down["card"] for down in fighter["down"] if down["card"])


def _lay_player(s: Kaiju, seat: int, row: View, unseen: Iterator[int]) -> None:
    """Lay what a player has."""
    s.energy[seat], s.fury[seat], s.pending[seat] = row["energy"], row["fury"], row["pending"]
    s.tokens[seat] = row["tokens"]
    s.glory[seat] = tuple(glory["card"]["id"] for glory in row["glory_pile"]["cards"])
    s.down_with += [seat] * row["glory_pile"]["face_down"]
    s.combat_hands[seat] = [card["id"] for card in row["combat_hand"]["cards"]]
    while len(s.combat_hands[seat]) < row["combat_hand"]["count"]:
        s.combat_hands[seat].append(next(unseen))
    if row["planning_hand"]:
        s.planning_hands[seat] = [card["id"] for card in row["planning_hand"]["cards"]]
    for member in row["team"]:
        character: int = member["card"]["id"]
        if member["set_aside"]:
            s.set_aside.append(character)
        else:
            s.rows[seat] = (*s.rows[seat], character)
        if member["active"]:
            s.active.append(character)
        if member["chosen"]:
            s.chosen[seat] = character
        if member["evolved"] or member["revive_used"]:
            s.changed.append(character)
        s.damage[character] = member["damage"]
        s.scars += [(character, scar["card"]["id"]) for scar in member["scars"]]
    if row["out"] is not None:
        s.drop(seat)


def _combat(s: Kaiju, row: View, players: Sequence[View]) -> Combat:
    """The combat with what each fighter has spent, and the own cards that lie face down."""
    combat = Combat(
        starter=row["starter"],
        other=CITY if row["other"] is None else row["other"],
        sword=CITY if row["sword"] is None else row["sword"],
        exchange=row["exchange"],
        passes=row["passes"],
        stage=row["stage"],
    )
    combat.freed += [player["seat"] for player in players if player["raging"]]
    for fighter in row["fighters"]:
        character: int = fighter["card"]["id"]
        combat.side(fighter["seat"]).append(character)
        for spent, (left, whole) in (
            (combat.ferocity, fighter["ferocity"]),
            (combat.agility, fighter["agility"]),
        ):
            spent[character] = whole - left
        combat.energy[character] = fighter["energy"][0]
        for down in fighter["down"]:
            if down["card"] is not None:
                swords = down["role"] == "sword"
                at = down["target"] if swords else down["answers"]
                plan = (character, at, down["mark"], *down["price"], down["discards"])
                (combat.swords if swords else combat.shields).append(down["card"]["id"])
                (combat.sword_plans if swords else combat.shield_plans).append(plan)
    return combat


# -- what the bot makes of it ----------------------------------------------------------------------


class Sight:
    """The table as the bot reads it."""

    def __init__(self, s: Kaiju, seat: int) -> None:
        self.s = s
        self.seat = seat
        prints = s.cards.prints
        self.hand: list[Print] = [prints[card] for card in s.combat_hands[seat]]
        self.swords = [it for it in self.hand if "sword" in it.roles]
        self.swords.sort(key=lambda it: it.red + it.blue + 2 * it.yellow - it.damage)
        self.moments = {prints[card].moment for card in s.planning_hands[seat]}
        self.moments |= {it.moment for it in self.hand}

    def print_of(self, card: int) -> Print:
        return self.s.cards.prints[card]

    # -- characters --------------------------------------------------------------------------

    def characters(self) -> list[int]:
        s = self.s
        return [*(character for row in s.rows for character in row), *s.set_aside]

    def left(self, character: int) -> int:
        """The damage that it still bears."""
        return fortitude(self.s, character) - self.s.damage.get(character, 0)

    def worth(self, character: int) -> int:
        return self.print_of(character).glory

    def strength(self, character: int) -> int:
        s = self.s
        return self.left(character) + stat(s, character, "ferocity") + stat(s, character, "agility")

    def is_own(self, character: int) -> bool:
        return self.s.owner(character) == self.seat

    # -- the city ----------------------------------------------------------------------------

    def standing(self, card: int) -> int:
        """The damage that a city card still bears."""
        return self.print_of(card).fortitude - self.s.damage.get(card, 0)

    # -- what a card is worth ----------------------------------------------------------------

    def stops(self, target: int) -> int:
        """The toughness of a city card; characters have none of their own."""
        if target == NO_CARD or not self.print_of(target).is_city:
            return 0
        return total(city_toughness(self.s, target))

    def damage(self, it: Print, character: int, target: int) -> int:
        """About what the sum of the rules comes to; ``target`` may be nobody."""
        value = it.damage
        if it.damage_icons:
            own = attributes(self.s, character)
            value += sum([icon in own for icon in it.damage_icons])
        at_city = False
        if target == NO_CARD:
            value += self._ability(character, it, "damage")
        else:
            if it.red_icons:
                against = attributes(self.s, target)
                value -= sum([icon in against for icon in it.red_icons])
            if not is_immune(self.s, target):
                value += self._ability(character, it, "damage")
            at_city = self.print_of(target).is_city
        if at_city and "city" in it.bonus:
            value += it.bonus["damage"]
        if "damage" in it.damage_effect and value > 0:
            value += int(it.damage_effect["damage"])
        return max(0, value)

    def toughness(self, it: Print, character: int) -> int:
        value = it.toughness
        if it.toughness_icons:
            own = attributes(self.s, character)
            value += sum([icon in own for icon in it.toughness_icons])
        return value + self._ability(character, it, "toughness")

    def _ability(self, character: int, it: Print, value: str) -> int:
        bonus = self.print_of(character).bonus
        if not bonus:
            return 0
        fits = bonus.get("style") in it.styles or bonus.get("type") == it.type
        return int(bonus.get(value, 0)) if fits else 0

    def points(self, character: int, *, rich: bool = False) -> list[int]:
        """Ferocity, Agility and Energy that it can still spend; ``rich``: with plenty of Energy."""
        s, energy = self.s, 99 if rich else self.s.energy[self.seat]
        combat = s.combat
        if combat is None or character not in combat.side(s.owner(character)):
            power = stat(s, character, "power")
            ferocity, agility = stat(s, character, "ferocity"), stat(s, character, "agility")
            return [ferocity, agility, min(power, energy)]
        limit = costs.power_left(s, character)
        plans = (*combat.sword_plans, *combat.shield_plans)
        energy -= sum([plan[5] for plan in plans if plan[0] == character])
        left = energy if limit is None else min(limit, energy)
        return [costs.left(s, character, "ferocity"), costs.left(s, character, "agility"), left]

    def energy_worth(self) -> float:
        """Nothing in a Rage, while Power does not limit and four Energy have just come."""
        combat = self.s.combat
        return 0.0 if combat is not None and self.seat in combat.freed else ENERGY_WORTH

    def potential(self, character: int, target: int, *, rich: bool = False, stops: int = -1) -> int:
        """The damage of the Sword cards in hand, paid one after another, the cheapest first.

        ``stops`` is a toughness other than the target's.
        """
        points = self.points(character, rich=rich)
        if stops < 0:
            stops = self.stops(target)
        dealt = 0
        for it in self.swords:
            energy = energy_for(it, points)
            if energy <= points[2]:
                points[0] -= min(it.red, points[0])
                points[1] -= min(it.blue, points[1])
                points[2] -= energy
                dealt += max(0, self.damage(it, character, target) - stops)
        return dealt


def energy_for(it: Print, points: Sequence[int]) -> int:
    """The boxes that Ferocity and Agility do not cover."""
    return max(0, it.red - points[0]) + max(0, it.blue - points[1]) + it.yellow


def by_verb(prompt: Prompt, *verbs: str) -> list[float]:
    """The earlier of these verbs the better; where none is offered, the last option."""
    values = [
        float(len(verbs) - verbs.index(move.verb)) if move.verb in verbs else 0.0
        for move in prompt.options
    ]
    if not any(values):
        values[-1] = 1.0
    return values


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


def plan_play(sight: Sight, prompt: Prompt) -> list[float]:
    """Allies and Events at once, city cards until the city is full."""
    city = sight.s.city

    def value(move: Move) -> float:
        if move.card is None:
            return 0.0
        it = sight.print_of(move.card)
        if it.is_city:
            return 4.0 + it.glory if len(city) < FULL_CITY else -1.0
        if it.kind == "ally":
            return 7.0
        if it.effect == "demolish":
            return 8.0 if any(sight.standing(card) <= NEARLY_DOWN for card in city) else -1.0
        return PLANS.get(it.effect, -1.0)

    return [value(move) for move in prompt.options]


def select_active(sight: Sight, prompt: Prompt) -> list[float]:
    """The strongest; one with a worth of its own rather than an ally that only gives glory."""

    def value(character: int) -> float:
        weak = 6 if sight.left(character) < BRAVE_FORTITUDE else 0
        potential = sight.potential(character, NO_CARD, stops=USUAL_TOUGHNESS)
        return sight.strength(character) + 0.7 * potential - weak

    return [value(chosen(move)) for move in prompt.options]


# -- actions ---------------------------------------------------------------------------------------


def fight_value(sight: Sight, own: int, foe: int) -> float:
    """The share of a KO that is likely, less what may come back."""
    s, seat = sight.s, sight.seat
    likely = HIT_SHARE * sight.potential(own, foe)
    share: float = min(1.0, likely / sight.left(foe)) ** 1.5
    cards = len(s.combat_hands[s.owner(foe)])
    back = min(1.0, 0.7 * cards / sight.left(own))
    ready = 0.8 if s.fury[seat] >= s.team_card(seat).fury else 0.0
    return share * sight.worth(foe) + 0.4 * likely / 2 + ready - back * sight.worth(own) * 0.5


def rampage_value(sight: Sight, own: int) -> float:
    """The glory of all that may fall, less what the head strikes back."""
    s = sight.s
    head = s.city[0]
    dealt = float(sight.potential(own, head) - sight.standing(head))
    if dealt < 0:
        return -1.0
    team = s.team_card(sight.seat)
    glory = float(sight.worth(head)) + (team.amount if team.effect == "rampage-glory" else 0)
    for card in s.city[1:]:
        dealt -= sight.standing(card) / 0.8
        if dealt < 0:
            break
        glory += NEXT_FALLS * sight.worth(card)
    return glory + 0.8 - 1.5 * sight.print_of(head).strike / sight.left(own)


def challenge_value(sight: Sight, foe: int, fight: float) -> float:
    """A kaiju declines, so that the action is lost: only with Taunt, or for a Stare Down."""
    if not sight.print_of(foe).is_kaiju or "challenge" in sight.moments:
        return fight
    return 1.2 if "declined" in sight.moments else -1.0


def action(sight: Sight, prompt: Prompt) -> list[float]:
    own = sight.s.chosen[sight.seat]
    tired = sight.s.energy[sight.seat] < LOW_ENERGY or len(sight.swords) < 2

    def value(move: Move) -> float:
        if move.verb == "rampage":
            return rampage_value(sight, own)
        if move.verb == "roar":
            unpaid = sight.potential(own, NO_CARD, rich=True) - sight.potential(own, NO_CARD)
            return (1.2 if tired else 0.4) + UNPAID * unpaid
        if move.verb == "pass":
            return 0.0
        fight = fight_value(sight, own, chosen(move))
        return challenge_value(sight, chosen(move), fight) if move.verb == "challenge" else fight

    return [value(move) for move in prompt.options]


def challenge_reply(sight: Sight, prompt: Prompt) -> list[float]:
    """It costs nothing to decline; a healthy kaiju with a good hand stands."""
    challenger, victim = prompt.context
    brave = sight.left(victim) > sight.left(challenger) + 2
    strong = sight.potential(victim, challenger) > sight.left(challenger)
    return by_verb(prompt, "accept" if brave and strong else "decline")


# -- combats ---------------------------------------------------------------------------------------


def target_of(sight: Sight) -> int:
    """Whom a Sword card would hit: the weakest foe, or the head of the city."""
    s = sight.s
    foes: Sequence[int] = ()
    if s.combat is not None:
        fighters = (*s.combat.fighters, *s.combat.foes)
        foes = [fighter for fighter in fighters if not sight.is_own(fighter)]
    return min(foes, key=sight.left) if foes else s.head()


def sword(sight: Sight, prompt: Prompt) -> list[float]:
    """Best damage for its Energy; what cannot be paid is a bluff, for the hand is thrown away."""
    combat = sight.s.combat
    assert combat is not None
    if any(move.verb == "claim-fury" for move in prompt.options):
        return by_verb(prompt, "claim-fury")
    own, target = prompt.context[0], target_of(sight)
    if combat.is_rampage and breaks_off(sight, own, target):
        return by_verb(prompt, "done")
    rival = combat.rival(sight.seat)
    unarmed = rival != CITY and not sight.s.combat_hands[rival]
    points, worth = sight.points(own), sight.energy_worth()
    stops = sight.stops(target)

    def value(move: Move) -> float:
        if move.card is None:
            return 0.3
        it = sight.print_of(move.card)
        damage = sight.damage(it, own, target) - stops
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

    return [value(move) for move in prompt.options]


def breaks_off(sight: Sight, own: int, head: int) -> bool:
    """A rampage is over when nothing more can fall, or the next strike would be the last."""
    if sight.print_of(head).strike >= sight.left(own):
        return True
    return sight.potential(own, head) < sight.standing(head)


def shield(sight: Sight, prompt: Prompt) -> list[float]:
    """About what is coming; a Counterattack while healthy, a bluff only where it costs nothing."""
    s, combat = sight.s, sight.s.combat
    assert combat is not None
    if any(move.verb == "claim-fury" for move in prompt.options):
        return by_verb(prompt, "claim-fury")
    own = prompt.context[0]
    strike = sight.print_of(s.city[0]).strike if combat.sword == CITY and s.city else None
    incoming = EXPECTED_BLOW if strike is None else float(strike)
    points, worth = sight.points(own), sight.energy_worth()
    healthy = sight.left(own) > BRAVE_FORTITUDE
    target = target_of(sight)
    hand = len(sight.hand)

    def value(move: Move) -> float:
        if move.card is None:
            return 0.6
        it = sight.print_of(move.card)
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

    return [value(move) for move in prompt.options]


def weakest_foe(sight: Sight, prompt: Prompt) -> list[float]:
    """A target: what is nearest to its Fortitude, the most worth first among equals."""

    def value(character: int) -> float:
        own = 100.0 if sight.is_own(character) else 0.0
        return sight.worth(character) - sight.left(character) - own

    return [value(chosen(move)) for move in prompt.options]


def strongest(sight: Sight, prompt: Prompt) -> list[float]:
    """Who joins or attacks out of an Ambush."""
    return [
        float(sight.strength(chosen(move))) if move.card is not None else 0.0
        for move in prompt.options
    ]


def cost_discard(sight: Sight, prompt: Prompt) -> list[float]:
    """The card worth least; a spare card may go for two points of damage."""

    def value(move: Move) -> float:
        if move.card is None:
            return -3.0 if len(sight.hand) > 3 else 0.0
        it = sight.print_of(move.card)
        return float(-max(it.damage, it.toughness))

    return [value(move) for move in prompt.options]


def react(sight: Sight, prompt: Prompt) -> list[float]:
    """Play any card that names this moment."""
    return by_verb(prompt, "play", "no")


def ambush(sight: Sight, prompt: Prompt) -> list[float]:
    """Only onto somebody who is hurt."""
    active = sight.s.active
    weak = any(
        character in active
        and not sight.is_own(character)
        and sight.left(character) < BRAVE_FORTITUDE
        for character in sight.characters()
    )
    return by_verb(prompt, "play" if weak else "no")


# -- scars and the city ----------------------------------------------------------------------------


def harms(it: Print) -> bool:
    return bool(it.loses) or any(number < 0 for number in it.changes.values())


def scar(sight: Sight, prompt: Prompt) -> list[float]:
    """Good ones onto own characters, bad ones onto those of others."""
    enemy = bool(prompt.context[0])
    values = [
        float(move.card is not None and harms(sight.print_of(move.card)) == enemy)
        for move in prompt.options
    ]
    return values if any(values) else by_verb(prompt, "none")


def bearer(sight: Sight, prompt: Prompt) -> list[float]:
    return [float(sight.worth(chosen(move)) + sight.left(chosen(move))) for move in prompt.options]


def city_card(sight: Sight, prompt: Prompt) -> list[float]:
    """Nearest to its end, and worth most."""

    def value(card: int) -> float:
        return sight.worth(card) + (5.0 if sight.standing(card) <= NEARLY_DOWN else 0.0)

    return [value(chosen(move)) for move in prompt.options]


def richest(sight: Sight, prompt: Prompt) -> list[float]:
    """The seat with the most glory."""
    targets = [move.target for move in prompt.options]
    return [float(glory_of(sight.s, it.seat)) if isinstance(it, Seat) else 0.0 for it in targets]


def most_hurt(sight: Sight, prompt: Prompt) -> list[float]:
    damage = sight.s.damage
    return [float(damage.get(chosen(move), 0)) for move in prompt.options]


def least_steps(sight: Sight, prompt: Prompt) -> list[float]:
    targets = [move.target for move in prompt.options]
    return [-float(it.number) if isinstance(it, Number) else 0.0 for it in targets]


SCORES: Final[Mapping[str, Callable[[Sight, Prompt], Sequence[float]]]] = {
    "plan_discard": lambda sight, prompt: by_verb(prompt, "done"),
    "plan_play": plan_play,
    "select_active": select_active,
    "action": action,
    "react_challenge": react,
    "challenge_reply": challenge_reply,
    "react_declined": react,
    "roar_mode": lambda sight, prompt: by_verb(prompt, "draw-two"),
    "roar_discard": lambda sight, prompt: by_verb(prompt, "done"),
    "react_start": react,
    "join": strongest,
    "pick_number": least_steps,
    "evolve": lambda sight, prompt: by_verb(prompt, "yes"),
    "rage": lambda sight, prompt: by_verb(prompt, "claim-fury", "rage"),
    "react_rage": react,
    "fighter": lambda sight, prompt: by_verb(prompt, "claim-fury", "fighter"),
    "sword": sword,
    "target": weakest_foe,
    "cost_discard": cost_discard,
    "shield": shield,
    "answer": lambda sight, prompt: [1.0, *[0.0] * (len(prompt.options) - 1)],
    "steal_fury": lambda sight, prompt: by_verb(prompt, "steal"),
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


def scores(s: Kaiju, prompt: Prompt) -> Sequence[float]:
    """How good each option of the prompt looks for its seat."""
    return SCORES[prompt.kind](Sight(s, prompt.seat), prompt)


MIND: Final = Mind(table, scores)


BOTS: Final[Mapping[str, Bot]] = {
    "random": RANDOM,
    "greedy": Bot(
        "greedy",
        "Greedy",
        "Takes what looks best now, and bluffs with the rest.",
        MIND.choose,
        ("Klaxon", "Sirena", "Tremor", "Beacon", "Harbor", "Quake", "Searchlight", "Rubble"),
        minds=dict.fromkeys(("standard", "basic"), MIND),
    ),
}
