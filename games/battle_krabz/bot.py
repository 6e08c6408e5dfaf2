"""A bot for Battle Krabz that takes what looks best now (section 9).

It thinks on a table (``Krabz``), of which it looks at nothing that its seat cannot see:
:func:`table` makes one from a view. Multi-Player Mode has a bot of its own (``trumps_bot``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import exp, log
from typing import Any, Final

from games.battle_krabz import effects, trumps_bot
from games.battle_krabz.state import (
    BOOSTER,
    HAND,
    NONE,
    WARRIOR,
    Cards,
    Krabz,
    catalog,
)
from rules.engine.bots import RANDOM, Mind
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Number, Prompt, Word

View = Mapping[str, Any]

AIM: Final[Mapping[str, int]] = {"warrior": 4, "booster": 2, "power": 1}
"""The wanted number of cards in hand."""

EXPECTED_DEFENCE: Final = (0, 120, 250, 390)
"""The likely score of an opponent's line, by its number of Warriors."""

EXPECTED_BOOST: Final = 90
"""The likely gain from an opponent's Booster."""

SPREAD: Final = 70.0
"""How many points of difference make a Battle fairly sure."""

GOOD_STRENGTH: Final = 100
"""From here on a Warrior is worth keeping for its next role."""

SAFE_LEAD: Final = 60
ANSWER_RISK: Final = 0.3
"""How often a Loser's Power Card is undone by the Winner's."""

CARD_SHARE: Final = 0.6
"""How much of a Power Card's value is lost by playing it: it might never be of use."""


def table(view: View) -> Krabz:
    """The table that the view shows; other cards lie in the places of those that are not seen,
    and none in the stacks.
    """
    rows = view["players"]
    counts = [row["deck"]["count"] for row in rows]
    slugs: list[str] = []
    for row, count in zip(rows, counts, strict=True):
        slugs += [_filler(row)] * count
    for card in _seen(view):
        slugs[card["id"]] = card["slug"]
    options = dict.fromkeys(("cut_short", "open_lists", "always_ask"), "off")
    options |= {"first_attacker": "coin", "tied_match": "draw"}
    s = Krabz.lay(
        Chance(bytes(32)),
        Cards(slugs),
        counts[0],
        {**options, "battle_limit": view["battle_limit"]},
    )
    s.phase, s.battle, s.decider = view["phase"], view["battle"], view["decider"]
    s.attacker = NONE if view["attacker"] is None else view["attacker"]
    s.ties = view["ties"]
    for seat, row in enumerate(rows):
        _lay(s, seat, row)
    return s


def _filler(row: View) -> str:
    """A Warrior of the seat's side."""
    return next(
        slug
        for slug, card in catalog().items()
        if card.kind == "warrior" and card["side"] == row["side"]
    )


def _seen(view: View) -> Iterator[View]:
    """All cards that the view shows, but those in the stacks."""
    for row in view["players"]:
        yield from row["hand"]["cards"]
        yield from row["deck"]["cards"]
        yield from row["elimination"]["cards"]
        yield from (deployed["card"] for deployed in row["line"])
        yield from (card for card in (row["booster"], row["power"]) if card)


def _lay(s: Krabz, seat: int, row: View) -> None:
    """Lay the cards of a seat."""
    s.targets[seat] = row["target"]
    s.decks[seat] = [card["id"] for card in row["deck"]["cards"]]
    s.hands[seat] = [card["id"] for card in row["hand"]["cards"]]
    s.elimination[seat] = [card["id"] for card in row["elimination"]["cards"]]
    s.line[seat] = [deployed["card"]["id"] for deployed in row["line"]]
    s.boosted[seat] = [d["card"]["id"] for d in row["line"] if d["multiplier"] > 1]
    s.downed += [d["card"]["id"] for d in row["line"] if d["downed"]]
    s.booster[seat] = row["booster"]["id"] if row["booster"] else NONE
    s.power[seat] = row["power"]["id"] if row["power"] else NONE
    s.choices[seat] = [int(sorted_["keep"]) for sorted_ in row["sorting"]]


class Sight:
    """The bot's evaluation of its table."""

    def __init__(self, s: Krabz, seat: int) -> None:
        self.s = s
        self.seat = seat
        self.foe = 1 - seat
        self.attacking = s.attacker == seat

    def type_of(self, move: Move) -> CardType:
        assert move.card is not None
        return self.card(move.card)

    def card(self, card: int) -> CardType:
        return catalog()[self.s.cards.slugs[card]]

    def hand(self, kind: int) -> list[CardType]:
        return [*map(self.card, self.s.of_kind(self.seat, kind))]

    @property
    def whole_hand(self) -> list[CardType]:
        return [*map(self.card, self.s.hands[self.seat])]

    def line(self, seat: int) -> list[CardType]:
        return [*map(self.card, self.s.line[seat])]

    def at_stake(self, seat: int, *, downed: bool) -> int:
        """How many of a seat's deployed Warriors are downed, or standing."""
        s = self.s
        return sum(1 for card in s.line[seat] if (card in s.downed) == downed)

    @cached_property
    def foe_basic(self) -> int:
        """The opponent's Basic Battle Score."""
        return effects.points(self.s, self.foe).basic_score

    @cached_property
    def losing(self) -> bool:
        """True if the seat is not the Battle Winner."""
        return effects.winner_of(self.s) != self.seat


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
    others = [item for item in line if item is not card]
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
            counts = bool(others) and len({item["domain"] for item in line}) == len(line)
        case "partner":
            counts = any(other["character"] == card["partner"] for other in others)
        case _:
            counts = True
    return int(card["special"]) if counts else 0


def boost_gain(booster: CardType, cards: Sequence[CardType], attacking: bool) -> int:
    """The gain from a Booster on a line's strongest Warriors."""
    strengths = sorted((strength(card, attacking) for card in cards), reverse=True)
    return int(sum(strengths[: booster["reach"]]) * (booster["times"] - 1))


def best_gain(sight: Sight, cards: Sequence[CardType]) -> int:
    gains = [boost_gain(card, cards, sight.attacking) for card in sight.hand(BOOSTER)]
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


def scores(s: Krabz, prompt: Prompt) -> list[float]:
    """How good each option of the prompt looks for its seat."""
    plan = SCORES[prompt.kind](Sight(s, prompt.seat), prompt)
    return [*map(plan, prompt.options)]


BATTLE: Final = Mind(table, scores)
MULTI: Final = Mind(trumps_bot.table, trumps_bot.scores)
MINDS: Final = {"battle": BATTLE, "multi": MULTI}


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The option that scores best; equal ones are drawn by lot."""
    return MINDS[view["mode"]].choose(view, prompt, chance)


Plan = Callable[[Move], float]


# -- preparation and Deployment --------------------------------------------------------------------


def _choose_hand(sight: Sight, prompt: Prompt) -> Plan:
    """Four Warriors that go together, two Boosters, a Power Card; the strongest of each."""
    held = sight.whole_hand
    return lambda move: hand_value(sight.type_of(move), held)


def hand_value(card: CardType, held: Sequence[CardType]) -> float:
    """How good it is to add a card to the cards of a first hand."""
    same = [item for item in held if item.kind == card.kind]
    wanted = 10.0 if len(same) < AIM[card.kind] else 0.0
    friends = 0.0
    if card.kind == "warrior":
        friends = 0.3 * sum(
            (item["domain"] == card["domain"]) + (item.colour == card.colour) for item in same
        )
    return wanted + card_value(card) + friends


def _deploy(sight: Sight, prompt: Prompt) -> Plan:
    """The best set of Warriors, taken one by one; ``done`` when it lies there."""
    deployed = sight.line(sight.seat)
    options = {move: sight.type_of(move) for move in prompt.options if move.card is not None}
    room = (3 if sight.attacking else len(sight.s.line[sight.foe])) - len(deployed)
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
    chance = likely(score - sight.foe_basic - EXPECTED_BOOST)
    return chance * len(sight.s.line[sight.foe]) - (1 - chance) * len(cards)


# -- Boosters and Power Cards ----------------------------------------------------------------------


def _boost(sight: Sight, prompt: Prompt) -> Plan:
    """Trailing: the smallest Booster that takes a good lead; ahead or lost: none."""
    mine, theirs = effects.points(sight.s, sight.seat), effects.points(sight.s, sight.foe)
    first = mine.basic_score < theirs.basic_score or (
        mine.basic_score == theirs.basic_score and sight.attacking
    )
    line = sight.line(sight.seat)
    needed = SAFE_LEAD if first else 1

    def value(move: Move) -> float:
        ahead = mine.boosted_score - theirs.boosted_score
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
    s, losing = sight.s, sight.losing

    def value(move: Move) -> float:
        if move.card is None:
            return 0.0
        card = sight.type_of(move)
        revived, downed = _swing(sight, card, losing)
        score = s.score(sight.seat) + sight.at_stake(sight.foe, downed=True) + downed
        lost = s.score(sight.foe) + sight.at_stake(sight.seat, downed=True)
        if s.targets[sight.seat] <= score or lost - revived < s.targets[sight.foe] <= lost:
            return 5.0 + revived + downed
        swing = (revived + downed) * (1 - ANSWER_RISK if losing else 1.0)
        return swing - CARD_SHARE * power_value(card)

    return value


def _swing(sight: Sight, card: CardType, losing: bool) -> tuple[int, int]:
    """How many Warriors a Power Card would revive and down."""
    key = "loser" if losing else "winner"
    if key not in card.attributes:
        key = "krabz" if sight.s.side(sight.seat) == 0 else "enemigos"
    fallen = sight.at_stake(sight.seat, downed=True)
    standing = sight.at_stake(sight.foe, downed=False)
    revived = downed = 0
    for verb, what in card[key]:
        if verb == "reverse":  # as Winner: all that has changed was changed by the Loser's card
            return fallen, standing
        most = fallen if verb == "revive" else standing
        if what in ("domain", "colour"):
            player = sight.seat if verb == "revive" else sight.foe
            number = _most_alike(sight, player, str(what), downed=verb == "revive")
        else:
            number = most if what == "all" else min(most, what if isinstance(what, int) else 1)
        if verb == "revive":
            revived += number
        else:
            downed += number
    return revived, downed


def _alike(sight: Sight, seat: int, what: str, *, downed: bool) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for number in sight.s.line[seat]:
        if (number in sight.s.downed) == downed:
            card = sight.card(number)
            word = card["domain"] if what == "domain" else card.colour
            counts[word] = counts.get(word, 0) + 1
    return counts


def _most_alike(sight: Sight, seat: int, what: str, *, downed: bool) -> int:
    return max(_alike(sight, seat, what, downed=downed).values(), default=0)


def _power_target(sight: Sight, prompt: Prompt) -> Plan:
    """The best Warrior; the Domain or colour of the most Warriors."""

    def value(move: Move) -> float:
        if isinstance(move.target, Word):
            mine = _alike(sight, sight.seat, move.verb, downed=True)
            theirs = _alike(sight, sight.foe, move.verb, downed=False)
            return float((mine if sight.losing else theirs).get(move.target.word, 0))
        return card_value(sight.type_of(move))

    return value


# -- sorting, replenishing, cutting short ----------------------------------------------------------


def _sort(sight: Sight, prompt: Prompt) -> Plan:
    """Keep Warriors that are strong in the next role (the roles swap), and two Boosters."""
    card = sight.card(prompt.context[0])
    if card.kind == "booster":
        keep = len(sight.hand(BOOSTER)) < AIM["booster"]
    else:
        keep = strength(card, not sight.attacking) >= GOOD_STRENGTH
    return lambda move: float((move.verb == "keep") == keep)


def _replenish(sight: Sight, prompt: Prompt) -> Plan:
    """As many Warriors as make four or five in hand."""
    s, seat = sight.s, sight.seat
    answered = zip(s.surviving(seat), s.choices[seat], strict=False)
    kept = [s.cards.kind[card] for card, keep in answered if keep]
    have = len(s.of_kind(seat, WARRIOR)) + kept.count(WARRIOR)
    supports = HAND - AIM["warrior"]
    others = len(s.hands[seat]) + len(kept) - have
    wanted = max(AIM["warrior"] - have, 0)
    if others >= supports:
        wanted = max(wanted, HAND - others - have)

    def value(move: Move) -> float:
        assert isinstance(move.target, Number)
        return -abs(move.target.number - wanted)

    return value


def _cut_short(sight: Sight, prompt: Prompt) -> Plan:
    """Accept what wins, or a draw when behind in cards."""
    lost, won = sight.s.lost(sight.seat), sight.s.lost(sight.foe)
    cards = sight.whole_hand
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


GREEDY: Final = Bot(
    "greedy",
    "Pincher",
    "Reckons each Battle and takes what looks best.",
    choose_greedy,
    names=("Barnacle", "Snip", "Captain Claw", "Brine", "Limpet", "Shelly", "Old Nipper", "Kelp"),
    minds=MINDS,
)

BOTS: Final = {"random": RANDOM, "greedy": GREEDY}
