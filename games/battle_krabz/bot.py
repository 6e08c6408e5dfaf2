"""A bot for Battle Krabz that takes what looks best now (section 9).

It sees nothing but the view of its seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import exp, log
from typing import Any, Final

from games.battle_krabz.state import CATEGORIES, HAND, SIDES, catalog
from rules.engine.bots import RANDOM
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Number, Prompt, Word

View = Mapping[str, Any]

AIM: Final[Mapping[str, int]] = {"warrior": 4, "booster": 2, "power": 1}
"""The cards that a hand should hold."""

EXPECTED_DEFENCE: Final = (0, 120, 250, 390)
"""The likely score of an opponent's line, by its number of Warriors."""

EXPECTED_BOOST: Final = 90
"""The likely gain of an opponent's Booster."""

SPREAD: Final = 70.0
"""How many points of difference make a Battle fairly sure."""

GOOD_STRENGTH: Final = 100
"""From here on a Warrior is worth keeping for its next role."""

SAFE_LEAD: Final = 60
ANSWER_RISK: Final = 0.3
"""How often a Loser's Power Card is undone by the Winner's."""

CARD_SHARE: Final = 0.6
"""How much of a Power Card's value is lost by playing it: it might never be of use."""


class Sight:
    """The view as the bot reads it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.me: View = view["players"][self.seat]
        self.foe: View = view["players"][1 - self.seat]
        self.attacking: bool = view["attacker"] == self.seat

    @cached_property
    def types(self) -> Mapping[int, CardType]:
        """The cards that the bot sees, by number."""
        cards = [*self.me["hand"]["cards"], *self.me["deck"]["cards"], self.me["booster"]]
        for player in (self.me, self.foe):
            cards += [deployed["card"] for deployed in player["line"]]
        return {card["id"]: catalog()[card["slug"]] for card in cards if card}

    def type_of(self, move: Move) -> CardType:
        assert move.card is not None
        return self.types[move.card]

    def hand(self, kind: str) -> list[CardType]:
        cards = [catalog()[card["slug"]] for card in self.me["hand"]["cards"]]
        return [card for card in cards if card.kind == kind]

    def line(self, player: View) -> list[CardType]:
        return [catalog()[deployed["card"]["slug"]] for deployed in player["line"]]

    def at_stake(self, player: View, *, downed: bool) -> int:
        """How many of a player's deployed Warriors are downed, or standing."""
        return sum(1 for deployed in player["line"] if deployed["downed"] == downed)


def strength(card: CardType, attacking: bool) -> int:
    """The strength that counts in a role."""
    return int(card["attack"] if attacking else card["defence"])


def line_score(cards: Sequence[CardType], attacking: bool) -> int:
    """The Basic Battle Score of a line."""
    total = sum(strength(card, attacking) + bonus(card, cards, attacking) for card in cards)
    return total + _shared([c["domain"] for c in cards]) + _shared([c.colour for c in cards])


def _shared(values: Sequence[str]) -> int:
    different = len(set(values))
    return 0 if different == len(values) else 100 if different == 1 and len(values) == 3 else 50


def bonus(card: CardType, line: Sequence[CardType], attacking: bool) -> int:
    """The Special Bonus of a Warrior in a line."""
    others = [warrior for warrior in line if warrior is not card]
    match card["condition"]:
        case "attack":
            counts = attacking
        case "defend":
            counts = not attacking
        case "alone":
            counts = not others
        case "trio":
            counts = len(line) == 3
        case "pack":
            counts = any(other["character"] == card["character"] for other in others)
        case "kin":
            counts = any(other["domain"] == card["domain"] for other in others)
        case "match":
            counts = any(other.colour == card.colour for other in others)
        case "mixed":
            counts = bool(others) and len({warrior["domain"] for warrior in line}) == len(line)
        case "partner":
            counts = any(other["character"] == card["partner"] for other in others)
        case _:
            counts = True
    return int(card["special"]) if counts else 0


def boost_gain(booster: CardType, cards: Sequence[CardType], attacking: bool) -> int:
    """The gain of a Booster on the strongest Warriors of a line."""
    strengths = sorted((strength(card, attacking) for card in cards), reverse=True)
    return int(sum(strengths[: booster["reach"]]) * (booster["times"] - 1))


def best_gain(sight: Sight, cards: Sequence[CardType]) -> int:
    gains = [boost_gain(card, cards, sight.attacking) for card in sight.hand("booster")]
    return max(gains, default=0)


def likely(difference: float) -> float:
    """The chance to win a Battle with so many points ahead."""
    return 1 / (1 + exp(-difference / SPREAD))


def card_value(card: CardType) -> float:
    """Section 9: what a card in hand is worth, in Warriors."""
    if card.kind == "warrior":
        return float(card["attack"] + card["defence"]) / 100
    if card.kind == "booster":
        return 1 + 1.2 * log(card["reach"] * (card["times"] - 1) + 1)
    return power_value(card)


def power_value(card: CardType) -> float:
    """Section 9: 1 for one Warrior, 1.7 for two, 2.2 for all."""
    reach = [
        what for key in ("loser", "krabz", "enemigos") for _, what in card.attributes.get(key, ())
    ]
    return max({1: 1.0, 2: 1.7, "all": 2.2}.get(what, 1.5) for what in reach)


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The option that scores best; equal ones are drawn by lot."""
    if view["mode"] == "multi":
        scored = [(call_chance(view, move), move) for move in prompt.options]
    else:
        sight = Sight(view)
        plan = SCORES[prompt.kind](sight, prompt)
        scored = [(plan(move), move) for move in prompt.options]
    best = max(value for value, _ in scored)
    equal = [move for value, move in scored if value == best]
    return equal[chance.pick(len(equal))]


Plan = Callable[[Move], float]


# -- preparation and Deployment --------------------------------------------------------------------


def _choose_hand(sight: Sight, prompt: Prompt) -> Plan:
    """Four Warriors that go together, two Boosters, a Power Card; the strongest of each."""
    held = [catalog()[card["slug"]] for card in sight.me["hand"]["cards"]]
    return lambda move: hand_value(sight.type_of(move), held)


def hand_value(card: CardType, held: Sequence[CardType]) -> float:
    """How good it is to add a card to the cards of a first hand."""
    same = [other for other in held if other.kind == card.kind]
    wanted = 10.0 if len(same) < AIM[card.kind] else 0.0
    friends = 0.0
    if card.kind == "warrior":
        friends = 0.3 * sum(
            (other["domain"] == card["domain"]) + (other.colour == card.colour) for other in same
        )
    return wanted + card_value(card) + friends


def _deploy(sight: Sight, prompt: Prompt) -> Plan:
    """The best set of Warriors, taken one by one; ``done`` when it lies there."""
    deployed = sight.line(sight.me)
    options = {move: sight.type_of(move) for move in prompt.options if move.card is not None}
    room = (3 if sight.attacking else len(sight.foe["line"])) - len(deployed)
    best: tuple[float, tuple[Move, ...]] = (float("-inf"), ())
    for size in range(0 if deployed else 1, room + 1):
        for chosen in combinations(options, size):
            cards = [*deployed, *(options[move] for move in chosen)]
            value = _attack_value(sight, cards) if sight.attacking else _defence_value(sight, cards)
            best = max(best, (value, chosen), key=lambda pair: pair[0])
    wanted = best[1]

    def value_of(move: Move) -> float:
        if move.verb == "done":
            return 0.5 if not wanted else -1.0
        return 1.0 if move in wanted else 0.0 if move.card is not None else -2.0

    return value_of


def _attack_value(sight: Sight, cards: Sequence[CardType]) -> float:
    """Warriors to win less Warriors to lose; the Defender brings about as many."""
    score = line_score(cards, True) + best_gain(sight, cards)
    chance = likely(score - EXPECTED_DEFENCE[len(cards)] - EXPECTED_BOOST)
    return chance * len(cards) - (1 - chance) * len(cards)


def _defence_value(sight: Sight, cards: Sequence[CardType]) -> float:
    """The Attacker's line is known: beat it, or lose as little as may be."""
    score = line_score(cards, False) + best_gain(sight, cards)
    chance = likely(score - sight.foe["points"]["basic"] - EXPECTED_BOOST)
    return chance * len(sight.foe["line"]) - (1 - chance) * len(cards)


# -- Boosters and Power Cards ----------------------------------------------------------------------


def _boost(sight: Sight, prompt: Prompt) -> Plan:
    """Trailing: the smallest Booster that takes a good lead; ahead or lost: none."""
    mine, theirs = sight.me["points"], sight.foe["points"]
    first = mine["basic"] < theirs["basic"] or (
        mine["basic"] == theirs["basic"] and sight.attacking
    )
    line = sight.line(sight.me)
    needed = SAFE_LEAD if first else 1

    def value(move: Move) -> float:
        ahead = mine["boosted"] - theirs["boosted"]
        if move.card is None:
            return 10.0 if not first and ahead > 0 else 0.0
        booster = sight.type_of(move)
        ahead += boost_gain(booster, line, sight.attacking)
        if ahead >= needed:
            return 5.0 - card_value(booster)
        return 0.5 if ahead > 0 and len(line) > 1 else -1.0

    return value


def _strongest(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: strength(sight.type_of(move), sight.attacking)


def _power(sight: Sight, prompt: Prompt) -> Plan:
    """Warriors swung, less what the card is worth; never save what wins or saves the match."""
    losing = sight.view["winner"] != sight.seat

    def value(move: Move) -> float:
        if move.card is None:
            return 0.0
        card = sight.type_of(move)
        revived, downed = _swing(sight, card, losing)
        score = sight.me["score"] + sight.at_stake(sight.foe, downed=True) + downed
        lost = sight.foe["score"] + sight.at_stake(sight.me, downed=True)
        if sight.me["target"] <= score or lost - revived < sight.foe["target"] <= lost:
            return 5.0 + revived + downed
        swing = (revived + downed) * (1 - ANSWER_RISK if losing else 1.0)
        return swing - CARD_SHARE * power_value(card)

    return value


def _swing(sight: Sight, card: CardType, losing: bool) -> tuple[int, int]:
    """How many Warriors a Power Card would revive and down."""
    key = "loser" if losing else "winner"
    if key not in card.attributes:
        key = "krabz" if sight.me["side"] == SIDES[0] else "enemigos"
    fallen = sight.at_stake(sight.me, downed=True)
    standing = sight.at_stake(sight.foe, downed=False)
    revived = downed = 0
    for verb, what in card[key]:
        if verb == "reverse":  # as Winner: all that has changed was changed by the Loser's card
            return fallen, standing
        most = fallen if verb == "revive" else standing
        if what in ("domain", "colour"):
            player = sight.me if verb == "revive" else sight.foe
            number = _most_alike(sight, player, str(what), downed=verb == "revive")
        else:
            number = most if what == "all" else min(most, what if isinstance(what, int) else 1)
        if verb == "revive":
            revived += number
        else:
            downed += number
    return revived, downed


def _alike(player: View, what: str, *, downed: bool) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for deployed in player["line"]:
        if deployed["downed"] == downed:
            card = catalog()[deployed["card"]["slug"]]
            word = card["domain"] if what == "domain" else card.colour
            counts[word] = counts.get(word, 0) + 1
    return counts


def _most_alike(sight: Sight, player: View, what: str, *, downed: bool) -> int:
    return max(_alike(player, what, downed=downed).values(), default=0)


def _power_target(sight: Sight, prompt: Prompt) -> Plan:
    """The best Warrior; the Domain or colour of the most Warriors."""

    def value(move: Move) -> float:
        if isinstance(move.target, Word):
            mine = _alike(sight.me, move.verb, downed=True)
            theirs = _alike(sight.foe, move.verb, downed=False)
            losing = sight.view["winner"] != sight.seat
            return float((mine if losing else theirs).get(move.target.word, 0))
        return card_value(sight.type_of(move))

    return value


# -- sorting, replenishing, cutting short ----------------------------------------------------------


def _sort(sight: Sight, prompt: Prompt) -> Plan:
    """Keep Warriors that are strong in the next role (the roles swap), and two Boosters."""
    card = sight.types[prompt.context[0]]
    if card.kind == "booster":
        keep = len(sight.hand("booster")) < AIM["booster"]
    else:
        keep = strength(card, not sight.attacking) >= GOOD_STRENGTH
    return lambda move: float((move.verb == "keep") == keep)


def _replenish(sight: Sight, prompt: Prompt) -> Plan:
    """As many Warriors as make four or five in hand."""
    kept = [
        catalog()[sorted_["card"]["slug"]].kind
        for sorted_ in sight.me["sorting"]
        if sorted_["keep"]
    ]
    have = len(sight.hand("warrior")) + kept.count("warrior")
    supports = HAND - AIM["warrior"]
    others = len(sight.me["hand"]["cards"]) + len(kept) - have
    wanted = max(AIM["warrior"] - have, 0)
    if others >= supports:
        wanted = max(wanted, HAND - others - have)

    def value(move: Move) -> float:
        assert isinstance(move.target, Number)
        return -abs(move.target.number - wanted)

    return value


def _cut_short(sight: Sight, prompt: Prompt) -> Plan:
    """Accept what wins, or a draw when behind in cards."""
    lost, won = sight.me["elimination"]["warriors"], sight.foe["elimination"]["warriors"]
    cards = [catalog()[card["slug"]] for card in sight.me["hand"]["cards"]]
    behind = sum(map(card_value, cards)) < len(cards)
    accept = lost < won or (lost == won and behind)
    return lambda move: float((move.verb == "accept") == accept)


SCORES: Final[Mapping[str, Callable[[Sight, Prompt], Plan]]] = {
    "choose-hand": _choose_hand,
    "deploy": _deploy,
    "cut-short-reply": _cut_short,
    "boost": _boost,
    "boost-target": _strongest,
    "power": _power,
    "power-target": _power_target,
    "sort": _sort,
    "replenish": _replenish,
}


# -- Multi-Player Mode -----------------------------------------------------------------------------


def call_chance(view: View, move: Move) -> float:
    """The chance that the own front card is the single highest, cards in other piles unknown."""
    assert isinstance(move.target, Word)
    category = move.target.word
    me = view["players"][view["seat"]]
    number = catalog()[me["front"]["slug"]][category]
    rivals = sum(1 for player in view["players"] if player["pile"]["count"]) - 1
    lower, equal = _shares(view["pack"], category)[number]
    return (lower + equal / 100) ** rivals


@lru_cache(maxsize=16)
def _shares(pack: str, category: str) -> Mapping[int, tuple[float, float]]:
    """By number: the shares of the cards that are lower and equal, in a category."""
    colours: Iterable[str] = ("gold", "platinum") if pack == "common" else ()
    numbers = [
        card[category]
        for card in catalog().values()
        if card.kind == "warrior" and (not colours or card.colour in colours)
    ]
    assert category in CATEGORIES
    return {
        number: (
            sum(1 for other in numbers if other < number) / len(numbers),
            numbers.count(number) / len(numbers),
        )
        for number in set(numbers)
    }


GREEDY: Final = Bot(
    "greedy",
    "Pincher",
    "Reckons each Battle and takes what looks best.",
    choose_greedy,
    names=("Barnacle", "Snip", "Captain Claw", "Brine", "Limpet", "Shelly", "Old Nipper", "Kelp"),
)

BOTS: Final = {"random": RANDOM, "greedy": GREEDY}
