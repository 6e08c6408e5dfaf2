"""A bot that takes what looks best now (section 9 of the specification), in all of Kaolan's modes.

It sees nothing but the view of its seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.kaolan.state import WAYS, catalog, mask_of
from rules.engine.bots import RANDOM
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Card, Move, Prompt, Seat, Slot

View = Mapping[str, Any]

ROLLS: Final = 36
# Section 9 says 0.08; over 2,000 matches against the random bot waiting for more won more.
GOOD_CHANCE: Final = 0.16
WEAK_CHANCE: Final = 0.08
"""A Challenge with less is not worth a turn while the Leader has room for a number."""
PATIENCE: Final = 0.8
FILLED_GUARDS: Final = 2

# Power Play: what a turn of building is worth, in chances to win
HORIZON: Final = 16.0
EXPECTED_HIT: Final = 0.3
ABILITY_WORTH: Final = 0.15
CARD_WORTH: Final = 0.08
DIE_FACES: Final = 6


class Sight:
    """The view as the bot reads it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.me = view["players"][self.seat]
        self.types: dict[int, CardType] = {}
        self.hosts: dict[int, Mapping[str, Any]] = {}
        self.owners: dict[int, int] = {}
        cards = catalog()
        for player in view["players"]:
            for card in player["hand"]["cards"]:
                self.types[card["id"]] = cards[card["slug"]]
            for position in player["board"]:
                if position["card"] is None:
                    continue
                under = position.get("powers", []), [position.get("ability")]
                for card in [position["card"], *under[0], *under[1]]:
                    if card:
                        self.types[card["id"]] = cards[card["slug"]]
                        self.owners[card["id"]] = player["seat"]
                if position["character"]:
                    self.hosts[position["card"]["id"]] = position
        pile = view.get("discard") or self.me["discard"]
        for card in pile["cards"][:8]:
            self.types[card["id"]] = cards[card["slug"]]

    @property
    def leader(self) -> Mapping[str, Any] | None:
        position: Mapping[str, Any] = self.me["board"][0]
        return position if position["character"] else None

    def guards(self) -> list[Mapping[str, Any]]:
        return [position for position in self.me["board"][1:] if position["character"]]

    def hand(self, kind: str) -> list[int]:
        cards = [card["id"] for card in self.me["hand"]["cards"]]
        return [card for card in cards if self.types[card].kind == kind]

    def holds(self, position: Mapping[str, Any], power: int) -> bool:
        """True if the Power Card fits under the Character now."""
        if not self.has_room(position):
            return False
        colour = self.types[power].colour
        host = self.types[position["card"]["id"]].colour
        ability = position["ability"]
        prism = ability is not None and self.types[ability["id"]].effect == "prism_heart"
        return prism or "gold" in (colour, host) or colour == host

    def has_room(self, position: Mapping[str, Any]) -> bool:
        """True if one more Power Card may lie under the Character."""
        return len(position["powers"]) < int(position["limit"])

    def has_position(self, character: int) -> bool:
        """True if a Character of the hand could be placed one day, as the board is now."""
        if self.leader is None:
            return True
        if self.chained:
            level = self.types[character]["level"]
            return all(
                self.types[link["card"]["id"]]["level"] != level for link in self.me["board"]
            )
        fills_empty = "pledged" in self.me  # KAO-T-16: only in Tournament Play
        return any(
            not position["character"] and (position["card"] is not None or fills_empty)
            for position in self.me["board"][1:]
        )

    def ability_free(self) -> bool:
        """True if a Special Ability could be put under a Character of the board, or under the
        Leader to come.
        """
        hosts = self.me["board"][:1] if self.chained else self.me["board"]
        return self.leader is None or any(
            position["character"] and position["ability"] is None for position in hosts
        )

    @property
    def chained(self) -> bool:
        """True in Power Play, where all Characters of the board fight together."""
        return "chain" in self.me

    def gain(self, position: Mapping[str, Any], power: int) -> int:
        """How many more of the 36 rolls the Character's numbers (a chain's: all) would give."""
        fighting = self.me["board"] if self.chained else [position]
        mask = mask_of(n for spot in fighting if spot["character"] for n in spot["numbers"])
        return WAYS[mask | mask_of(self.types[power]["numbers"])] - WAYS[mask]

    def best_gain(self, position: Mapping[str, Any]) -> int:
        gains = [self.gain(position, p) for p in self.hand("power") if self.holds(position, p)]
        return max(gains, default=0)

    def odds(self, defender: int | None = None) -> Mapping[str, float] | None:
        """The best own Challenge that is allowed, or the one against ``defender``."""
        own: list[Mapping[str, float]] = [
            row
            for row in self.view["odds"]
            if row["attacker"] == self.seat
            and (row["allowed"] if defender is None else row["defender"] == defender)
        ]
        return max(own, key=lambda row: row["total"], default=None)


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The option that scores best; equal ones are drawn by lot."""
    if view["mode"] == "single":
        scored = [(solo_score(view, move, prompt), move) for move in prompt.options]
    else:
        sight = Sight(view)
        score = SCORES.get(prompt.kind, _no_preference)
        scored = [(score(sight, move, prompt), move) for move in prompt.options]
    best = max(value for value, _ in scored)
    equal = [move for value, move in scored if value == best]
    return equal[chance.pick(len(equal))]


def _no_preference(sight: Sight, move: Move, prompt: Prompt) -> float:
    return 0.0


# -- the turn ----------------------------------------------------------------------------------


def _action(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The rule of thumb of section 9, as an order."""
    leader = sight.leader
    if leader is None:
        return {"place": 9.0, "opportunity": 1.0, "pass": 0.5}.get(move.verb, 0.0)
    if sight.chained:
        return _chain_action(sight, move)
    odds = sight.odds()
    gain = sight.best_gain(leader) / ROLLS
    match move.verb:
        case "challenge":
            assert odds is not None
            total = odds["total"]
            if total >= GOOD_CHANCE and total > PATIENCE * gain:
                return 8.0
            if total < WEAK_CHANCE and sight.has_room(leader):
                return 0.5 if total > 0 else -1.0
            return 2.0 if total > 0 else -1.0
        case "opportunity":
            return max(_opportunity_value(sight, card) for card in sight.hand("opportunity"))
        case "add_power":
            if gain > 0:
                return 7.0
            return 4.0 if any(sight.best_gain(guard) for guard in sight.guards()) else 0.5
        case "place":
            return 6.0 if len(sight.guards()) < FILLED_GUARDS else 3.0
        case "add_ability":
            return 5.0
        case "pledge":
            return 9.5 if _allies_help(sight) else -2.0
        case "withdraw":
            return -2.0 if _allies_help(sight) else 9.5
    return 1.0


def _chain_action(sight: Sight, move: Move) -> float:
    """Power Play: the chance to win now against what building adds over the turns to come."""
    now = _chances(sight, attacking=True)
    match move.verb:
        case "challenge":
            return now["total"]
        case "add_power":
            best = max((_chain_gain(sight, power) for power in sight.hand("power")), default=0)
            return HORIZON * _worth_of_ways(sight, best)
        case "place":
            grown = max(now["hit"], EXPECTED_HIT) * (1 - now["escape"]) / DIE_FACES
            return HORIZON * grown if now["qualify"] < 1 else 0.0
        case "add_ability":
            return ABILITY_WORTH
        case "opportunity":
            return max(_chain_opportunity(sight, card) for card in sight.hand("opportunity"))
        case "replace_link":
            return CARD_WORTH / 2
    return CARD_WORTH


def _chances(sight: Sight, *, attacking: bool) -> Mapping[str, float]:
    """The odds of the own Challenge, or of the opponent's against oneself."""
    for row in sight.view["odds"]:
        if (row["attacker"] == sight.seat) is attacking:
            return dict(row)
    return {"qualify": 0.0, "escape": 0.0, "hit": 0.0, "total": 0.0}


def _chain_gain(sight: Sight, power: int) -> int:
    hosts = [host for host in sight.me["board"] if host["character"] and sight.holds(host, power)]
    return max((sight.gain(host, power) for host in hosts), default=0)


def _worth_of_ways(sight: Sight, ways: int) -> float:
    """The gain of more numbers for an own Challenge and against one of the opponent."""
    ours, theirs = _chances(sight, attacking=True), _chances(sight, attacking=False)
    attack = ours["qualify"] * (1 - ours["escape"])
    return (attack + theirs["qualify"] * theirs["hit"]) * ways / ROLLS


def _chain_opportunity(sight: Sight, card: int) -> float:
    """The worth of an Opportunity in Power Play, in the same measure."""
    ours, theirs = _chances(sight, attacking=True), _chances(sight, attacking=False)
    sure = (1 - ours["escape"]) * ours["hit"]
    match sight.types[card].effect:
        case "ambush":
            return sure if ours["qualify"] < 1 else 0.0
        case "truce_breaker":
            return (1 - (1 - ours["qualify"]) ** 2) * sure
        case "battle_horn":
            return 1 - (1 - ours["total"]) ** 2
        case "power_surge":
            gains = sorted(_chain_gain(sight, power) for power in sight.hand("power"))
            return HORIZON * _worth_of_ways(sight, sum(gains[-3:]))
        case "reinforcements":
            return 2 * _chain_action(sight, Move("place"))
        case "sabotage":
            lost = _best_sabotage(sight) / ROLLS
            saved = theirs["qualify"] * (1 - theirs["escape"]) + ours["qualify"] * ours["hit"]
            return HORIZON * saved * lost
        case "silence":
            return ABILITY_WORTH
        case "windfall":
            return 3 * CARD_WORTH
        case "change_of_guard":
            return 2 * CARD_WORTH
    return CARD_WORTH


def _allies_help(sight: Sight) -> bool:
    """Another pledged player shares the colour, and the own Leader is not the softest of them."""
    leader = sight.leader
    if leader is None:
        return False
    colour = sight.types[leader["card"]["id"]].colour
    ways = [
        player["board"][0]["ways"]
        for player in sight.view["players"]
        if player["seat"] != sight.seat
        and player["pledged"]
        and player["board"][0]["character"]
        and sight.types[player["board"][0]["card"]["id"]].colour == colour
    ]
    return bool(ways) and int(leader["ways"]) * len(ways) >= sum(ways)


def _opportunity_value(sight: Sight, card: int) -> float:
    """How an Opportunity in hand compares with the turn's other options."""
    leader, odds = sight.leader, sight.odds()
    effect = sight.types[card].effect
    sure = 0.0 if odds is None else (1 - odds["escape"]) * odds["hit"]
    match effect:
        case "ambush":
            return 8.5 if sure >= 0.2 else 0.2
        case "battle_horn" | "truce_breaker":
            return 8.2 if odds is not None and odds["total"] >= GOOD_CHANCE else 0.2
        case "power_surge":
            fitting = [p for p in sight.hand("power") if leader and sight.holds(leader, p)]
            return 7.5 if len(fitting) >= 2 else 0.3
        case "sabotage":
            return 6.5 if _best_sabotage(sight) >= 4 else 0.4
        case "silence":
            return 5.5
        case "change_of_guard":
            best = max((guard["ways"] for guard in sight.guards()), default=0)
            return 6.8 if leader is None or best > leader["ways"] + 3 else 0.0
        case "reinforcements":
            return 6.2 if sight.hand("character") else 0.0
        case "windfall":
            return 3.5
        case "night_raid" | "salvage" | "spyglass":
            return 1.5
    return 0.1


def _best_sabotage(sight: Sight) -> int:
    return max(
        (
            _loss(position, sight.types[power["id"]])
            for card, position in sight.hosts.items()
            if sight.owners[card] != sight.seat
            for power in position["powers"]
        ),
        default=0,
    )


def _loss(position: Mapping[str, Any], power: CardType) -> int:
    """Roughly how many of the 36 rolls the Character loses with this Power Card."""
    return WAYS[mask_of(power["numbers"])] if position["ways"] else 0


# -- which card, and where ---------------------------------------------------------------------


def _character(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The highest level for which Power Cards are in hand."""
    if move.card is None:
        return 0.0
    card = sight.types[move.card]
    fitting = sum(
        1
        for power in sight.hand("power")
        if "gold" in (card.colour, sight.types[power].colour)
        or card.colour == sight.types[power].colour
    )
    return 1.0 + 2.0 * min(fitting, int(card["limit"])) + int(card["level"])


def _replaced(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Into the hand while it has room after the Character has left it."""
    return 1.0 if (move.verb == "hand") == (sight.me["hand"]["count"] <= 4) else 0.0


def _power(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The Power Card that adds most to the Leader, then to a Guard."""
    if move.card is None:
        return 0.1
    power = move.card
    best = 0.0
    for weight, position in _weighted_board(sight):
        if sight.holds(position, power):
            best = max(best, weight * sight.gain(position, power))
    return best


def _weighted_board(sight: Sight) -> list[tuple[float, Mapping[str, Any]]]:
    leader = [(2.0, sight.leader)] if sight.leader else []
    return [*leader, *((1.0, guard) for guard in sight.guards())]


def _power_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    for weight, position in _weighted_board(sight):
        if position["card"]["id"] == move.target.card:
            return weight * sight.gain(position, prompt.context[0])
    return 0.0


def _ability_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    leader = sight.leader
    return 1.0 if leader is not None and leader["card"]["id"] == move.target.card else 0.0


def _opportunity(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert move.card is not None
    if sight.chained:
        return _chain_opportunity(sight, move.card)
    return _opportunity_value(sight, move.card)


def _defender(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The best chance; of equal ones the opponent who is nearest to elimination."""
    if not isinstance(move.target, Seat):
        return GOOD_CHANCE / 2
    odds = sight.odds(move.target.seat)
    if odds is None:
        return 0.0
    board = sight.view["players"][move.target.seat]["board"]
    guards = sum(1 for position in board[1:] if position["character"])
    return float(odds["total"]) - guards / 1000


def _discard(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Section 9: Characters without a position, abilities without a host, numbers that add nothing,
    far numbers; Characters that can still be placed last.
    """
    assert move.card is not None
    card = sight.types[move.card]
    match card.kind:
        case "character":
            return -9.0 if sight.has_position(move.card) else 0.0
        case "ability":
            return -6.0 if sight.ability_free() else -0.5
        case "opportunity":
            return -6.0
    hosts = [position for _, position in _weighted_board(sight)]
    fitting = [position for position in hosts if sight.holds(position, move.card)]
    if not fitting:
        return -1.0 - WAYS[mask_of(card["numbers"])] / 10
    return -2.0 - max(sight.gain(position, move.card) for position in fitting) / 2


def _spend(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Give up the Power Card with the fewest ways; refusing would lose the Leader more often."""
    if move.card is None:
        return -3.0
    return -WAYS[mask_of(sight.types[move.card]["numbers"])] / 2


def _give_up_power(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert move.card is not None
    return -float(WAYS[mask_of(sight.types[move.card]["numbers"])])


def _strongest(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The Guard with the most ways, then the highest level."""
    assert move.card is not None
    return float(sight.hosts[move.card]["ways"]) + int(sight.types[move.card]["level"]) / 10


def _richest_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    position = sight.hosts[move.target.card]
    return float(position["ways"]) + (10.0 if position["slot"] == "leader" else 0.0)


def _take(sight: Sight, move: Move, prompt: Prompt) -> float:
    """A Power Card for the Leader above all, else anything that is not useless."""
    assert move.card is not None
    card, leader = sight.types[move.card], sight.leader
    if card.kind == "power":
        ways = WAYS[mask_of(card["numbers"])]
        if prompt.kind != "salvage_card":
            return float(ways)
        return float(ways) if leader and sight.holds(leader, move.card) else 0.5
    return 4.0 if card.kind == "ability" else 3.0


def _fullest_hand(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Seat)
    return float(sight.view["players"][move.target.seat]["hand"]["count"])


def _spied(sight: Sight, move: Move, prompt: Prompt) -> float:
    return 1.0 if move.card is not None else 0.0


SCORES: Final[Mapping[str, Callable[[Sight, Move, Prompt], float]]] = {
    "turn_action": _action,
    "choose_character": _character,
    "replaced_card": _replaced,
    "choose_power": _power,
    "surge_power": _power,
    "choose_power_host": _power_host,
    "choose_ability_host": _ability_host,
    "teach_host": _ability_host,
    "choose_opportunity": _opportunity,
    "choose_defender": _defender,
    "horn_again": _defender,
    "volley_target": _defender,
    "pass_discard": _discard,
    "discard_down": _discard,
    "second_wind": _spend,
    "thorn_discard": _give_up_power,
    "trim_power": _give_up_power,
    "step_up": _strongest,
    "swap_guard": _strongest,
    "sabotage_host": _richest_host,
    "silence_host": _richest_host,
    "sabotage_power": _take,
    "salvage_card": _take,
    "regroup_card": _take,
    "raid_seat": _fullest_hand,
    "spy_seat": _fullest_hand,
    "spy_card": _spied,
}

# -- Single Play -------------------------------------------------------------------------------

# These figures did best among a dozen tried in the lab.
GOOD_COVER: Final = 5
FEAR: Final = 0.4
"""The weight of a card that may be lost against one that may be won."""
RHYTHM: Final = 0.3
"""How much better it is to discard the card dealt first: all later deals shift by one."""
UNKNOWN_USE: Final = 0.6
DECISIVE: Final = {"twin_fangs": 0.4, "prism_heart": 0.4, "shadow_step": 0.3}
"""Special Abilities that help the own Character most; Keen Eye helps it not at all."""


def solo_score(view: View, move: Move, prompt: Prompt) -> float:
    """The best option in Single Play: match, attach new numbers, attack where cards are won."""
    match move.verb:
        case "match":
            assert isinstance(move.target, Slot)
            return 6.0 + int(_solo_pile(view, move.target.slot)["count"]) / 100
        case "attach":
            return _solo_attach(view)
        case "attack":
            return 6.5 if max(_solo_prospect(view, row) for row in view["odds"]) > 0 else 0.0
        case "target":
            assert isinstance(move.target, Slot)
            slot = move.target.slot
            return _solo_prospect(view, next(row for row in view["odds"] if row["slot"] == slot))
        case "spend":
            assert move.card is not None
            return 1.0 + _solo_loss(view, move.card)
        case "discard":
            assert move.card is not None
            return _solo_loss(view, move.card)
        case "first" | "last":
            cards = view["waste"]["cards"]
            return RHYTHM * (move.verb == "first") - _solo_use(
                view, cards[-1 if move.verb == "first" else 0]
            )
    return 0.5


def _solo_use(view: View, dealt: Mapping[str, Any] | None) -> float:
    """The worth of a card in the dealt pile; half of the best if it is unknown."""
    if dealt is None:
        return UNKNOWN_USE
    card, own = catalog()[dealt["slug"]], view["own"]
    if card.kind == "character":
        return 0.1 if own else 0.8
    if card.kind != "power":
        return 0.6
    mask = mask_of(own["numbers"]) if own else 0
    return (WAYS[mask | mask_of(card["numbers"])] - WAYS[mask]) / 6


def _solo_pile(view: View, slot: str) -> Mapping[str, Any]:
    pile: Mapping[str, Any] = next(pile for pile in view["piles"] if pile["slot"] == slot)
    return pile


def _solo_attach(view: View) -> float:
    """New numbers only; while few rolls are covered, before a match."""
    card, own = catalog()[view["waste"]["cards"][0]["slug"]], view["own"]
    if card.kind == "ability":
        return 0.0 if card.effect == "keen_eye" else 5.0 + DECISIVE.get(card.effect, 0.0)
    mask = mask_of(own["numbers"])
    if WAYS[mask | mask_of(card["numbers"])] == WAYS[mask]:
        return 0.0
    return 7.0 if own["ways"] < GOOD_COVER else 5.5


def _solo_prospect(view: View, row: Mapping[str, Any]) -> float:
    """The cards that a battle may win, less those that it may lose."""
    own, types = view["own"], catalog()
    others = [
        pile
        for pile in view["piles"]
        if pile["card"] and types[pile["card"]["slug"]].kind != "character"
    ]
    group = 1 + len(own["powers"]) + (own["ability"] is not None)
    win = (1 - row["they"]) * row["you"] * (1 + len(others))
    return float(win - FEAR * row["they"] * group)


def _solo_loss(view: View, power: int) -> float:
    """How little the own Character would miss a Power Card."""
    cards = {card["id"]: card["slug"] for card in view["own"]["powers"]}
    kept = [catalog()[slug]["numbers"] for card, slug in cards.items() if card != power]
    left = mask_of(n for numbers in kept for n in numbers)
    return (WAYS[left] - ROLLS) / ROLLS


BOTS: Final[Mapping[str, Bot]] = {
    "random": RANDOM,
    "greedy": Bot(
        "greedy",
        "Scrapper",
        "Takes what looks best right now.",
        choose_greedy,
        names=("Bramble", "Cinder", "Hackle", "Rook", "Snarl", "Tusk", "Ember", "Grit"),
    ),
}
