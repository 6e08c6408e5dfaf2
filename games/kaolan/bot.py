"""A bot that takes what looks best now (section 9 of the specification), in Kaolan's contest modes.

It thinks on a table (``Kaolan``), of which it looks at nothing that its seat cannot see:
:func:`table` makes one from a view. Single Play has a bot of its own (``solo_bot``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from games.kaolan.rules.contest import MODES
from games.kaolan.solo_bot import solo_score
from games.kaolan.state import (
    ABILITY,
    CHARACTER,
    NONE,
    OPPORTUNITY,
    POWER,
    WAYS,
    Cards,
    Kaolan,
    catalog,
)
from games.kaolan.view import challenge_odds
from rules.engine.bots import RANDOM, Mind, pick_best
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Card, Move, Prompt, Seat

View = Mapping[str, Any]

ROLLS: Final = 36
GOOD_CHANCE: Final = 0.22
"""A Challenge with more comes before building. Section 9 says 0.08; waiting for more wins more."""
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

FILLER: Final = next(slug for slug, card in catalog().items() if card.kind == "power")


# -- the table -----------------------------------------------------------------------------------


def table(view: View) -> Kaolan:
    """The table that the view shows. Other cards lie in the places of unseen ones; Draw Piles and
    what is only remembered of a turn are left out.
    """
    rows = view["players"]
    seen = {card["id"]: card["slug"] for card in _seen(view)}
    hidden = sum(row["hand"]["count"] - len(row["hand"]["cards"]) for row in rows)
    first = max(seen, default=-1) + 1
    slugs = [seen.get(card, FILLER) for card in range(first + hidden)]
    own_piles = "discard" not in view
    s = Kaolan.lay(
        len(rows),
        Chance(bytes(32)),
        Cards(slugs),
        mode=view["mode"],
        guards=len(rows[0]["board"]) - 1,
        turn_limit=view["turn"]["limit"] // len(rows),
        own_piles=own_piles,
    )
    unseen = iter(range(first, first + hidden))
    for seat, row in enumerate(rows):
        s.hands[seat] = [card["id"] for card in row["hand"]["cards"]]
        while len(s.hands[seat]) < row["hand"]["count"]:
            s.hands[seat].append(next(unseen))
        s.board[seat] = [_lay(s, position) for position in row["board"]]
        if own_piles or seat == 0:
            pile = row if own_piles else view
            s.discard[seat][:] = [card["id"] for card in reversed(pile["discard"]["cards"])]
        if row.get("pledged"):
            s.pledged[seat] = s.cards.colour[s.board[seat][0]]
    for seat in sorted((row["seat"] for row in rows if row["out"]), key=lambda n: rows[n]["out"]):
        s.drop(seat)
    s.starter, s.turn, s.turns = view["starter"], view["turn"]["seat"], view["turn"]["number"] - 1
    return s


def _seen(view: View) -> Iterator[Mapping[str, Any]]:
    """All cards that the view shows on boards, in hands and in Discard Piles."""
    for row in view["players"]:
        yield from row["hand"]["cards"]
        yield from row.get("discard", view.get("discard"))["cards"]
        for position in row["board"]:
            if position["card"]:
                yield position["card"]
            yield from position.get("powers", ())
            if position.get("ability"):
                yield position["ability"]


def _lay(s: Kaolan, position: Mapping[str, Any]) -> int:
    """Lay what is under the card of a position; returns the card."""
    if position["card"] is None:
        return NONE
    card: int = position["card"]["id"]
    if position["character"]:
        s.powers[card] = tuple(power["id"] for power in position["powers"])
        if position["ability"]:
            s.ability[card] = position["ability"]["id"]
    return card


# -- what the bot makes of it --------------------------------------------------------------------


class Odds(NamedTuple):
    """The chances of a Challenge between two Leaders, and the seats that it is between."""

    attacker: int
    defender: int
    allowed: bool
    qualify: float
    escape: float
    hit: float
    total: float


NO_ODDS: Final = Odds(NONE, NONE, False, 0.0, 0.0, 0.0, 0.0)


class Sight:
    """The bot's evaluation of its table."""

    def __init__(self, s: Kaolan, seat: int) -> None:
        self.s = s
        self.cards: Cards = s.cards
        self.seat = seat
        self.leader = s.leader(seat)
        self.chained = not MODES[s.mode].has_guards
        """True in Power Play, where all Characters of the board fight together."""

    def guards(self) -> list[int]:
        return self.s.guard_characters(self.seat)

    def hand(self, kind: int) -> list[int]:
        kinds = self.cards.kind
        return [card for card in self.s.hands[self.seat] if kinds[card] == kind]

    def has_room(self, character: int) -> bool:
        """True if one more Power Card may lie under the Character."""
        return len(self.s.powers[character]) < self.s.limit(character)

    def has_position(self, character: int) -> bool:
        """True if a Character of the hand could be placed one day, as the board is now."""
        if self.leader == NONE:
            return True
        board, level = self.s.board[self.seat], self.cards.level
        if self.chained:
            return all(level[link] != level[character] for link in board)
        kind, fills_empty = self.cards.kind, self.s.own_piles  # KAO-T-16
        return any(kind[card] != CHARACTER and (card != NONE or fills_empty) for card in board[1:])

    def ability_free(self) -> bool:
        """True if a Special Ability could be put under a Character of the board, or under the
        Leader to come.
        """
        hosts = [self.leader] if self.chained else self.s.characters(self.seat)
        return self.leader == NONE or any(self.s.ability[host] == NONE for host in hosts)

    def gain(self, character: int, power: int) -> int:
        """How many more of the 36 rolls the Character's numbers (a chain's: all) would give."""
        s = self.s
        mask = self.chain_numbers if self.chained else s.numbers(character)
        return WAYS[mask | self.cards.numbers[power]] - WAYS[mask]

    @cached_property
    def chain_numbers(self) -> int:
        return self.s.chain_numbers(self.seat)

    def best_gain(self, character: int) -> int:
        s = self.s
        gains = [self.gain(character, p) for p in self.hand(POWER) if s.can_hold(character, p)]
        return max(gains, default=0)

    def ways(self, character: int) -> int:
        """How many of the 36 rolls give a number under the Character."""
        return WAYS[self.s.numbers(character)]

    def odds_of(self, attacker: int, defender: int) -> Odds:
        return Odds(**challenge_odds(self.s, attacker, defender))

    def rivals(self) -> list[int]:
        """The other seats that have a Leader, in seat order."""
        s = self.s
        return [seat for seat in s.still_in() if seat != self.seat and s.leader(seat) != NONE]

    @cached_property
    def best_odds(self) -> Odds | None:
        """The best own Challenge that is allowed."""
        if self.leader == NONE or self.s.is_out(self.seat):
            return None
        odds = [self.odds_of(self.seat, other) for other in self.rivals()]
        return max((row for row in odds if row.allowed), key=lambda row: row.total, default=None)

    @cached_property
    def ours(self) -> Odds:
        """Power Play: the odds of the own Challenge."""
        return self._against(attacking=True)

    @cached_property
    def theirs(self) -> Odds:
        """Power Play: the odds of the opponent's Challenge against oneself."""
        return self._against(attacking=False)

    def _against(self, *, attacking: bool) -> Odds:
        rivals = self.rivals()
        if self.leader == NONE or not rivals:
            return NO_ODDS
        return (
            self.odds_of(self.seat, rivals[0]) if attacking else self.odds_of(rivals[0], self.seat)
        )


def scores(s: Kaolan, prompt: Prompt) -> list[float]:
    """How good each option of the prompt looks for its seat."""
    sight = Sight(s, prompt.seat)
    score = SCORES.get(prompt.kind, _no_preference)
    return [score(sight, move, prompt) for move in prompt.options]


MIND: Final = Mind(table, scores)


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The option that scores best; equal ones are drawn by lot."""
    if view["mode"] == "single":
        values = [solo_score(view, move, prompt) for move in prompt.options]
        return pick_best(prompt.options, values, chance)
    return MIND.choose(view, prompt, chance)


def _no_preference(sight: Sight, move: Move, prompt: Prompt) -> float:
    return 0.0


# -- the turn ----------------------------------------------------------------------------------


def _action(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The rule of thumb of section 9, as an order."""
    leader = sight.leader
    if leader == NONE:
        return {"place": 9.0, "opportunity": 1.0, "pass": 0.5}.get(move.verb, 0.0)
    if sight.chained:
        return _chain_action(sight, move)
    gain = sight.best_gain(leader) / ROLLS
    match move.verb:
        case "challenge":
            total = sight.best_odds.total if sight.best_odds else 0.0
            if total >= GOOD_CHANCE and total > PATIENCE * gain:
                return 8.0
            if total < WEAK_CHANCE and sight.has_room(leader):
                return 0.5 if total > 0 else -1.0
            return 2.0 if total > 0 else -1.0
        case "opportunity":
            return max(_opportunity_value(sight, card) for card in sight.hand(OPPORTUNITY))
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
    now = sight.ours
    match move.verb:
        case "challenge":
            return now.total
        case "add_power":
            best = max((_chain_gain(sight, power) for power in sight.hand(POWER)), default=0)
            return HORIZON * _worth_of_ways(sight, best)
        case "place":
            grown = max(now.hit, EXPECTED_HIT) * (1 - now.escape) / DIE_FACES
            return HORIZON * grown if now.qualify < 1 else 0.0
        case "add_ability":
            return ABILITY_WORTH
        case "opportunity":
            return max(_chain_opportunity(sight, card) for card in sight.hand(OPPORTUNITY))
        case "replace_link":
            return CARD_WORTH / 2
    return CARD_WORTH


def _chain_gain(sight: Sight, power: int) -> int:
    hosts = [host for host in sight.s.characters(sight.seat) if sight.s.can_hold(host, power)]
    return max((sight.gain(host, power) for host in hosts), default=0)


def _worth_of_ways(sight: Sight, ways: int) -> float:
    """The value of more numbers in an own Challenge and against the opponent's."""
    ours, theirs = sight.ours, sight.theirs
    attack = ours.qualify * (1 - ours.escape)
    return (attack + theirs.qualify * theirs.hit) * ways / ROLLS


def _chain_opportunity(sight: Sight, card: int) -> float:
    """The value of an Opportunity in Power Play, in the same measure."""
    ours, theirs = sight.ours, sight.theirs
    sure = (1 - ours.escape) * ours.hit
    match sight.cards.effect[card]:
        case "ambush":
            return sure if ours.qualify < 1 else 0.0
        case "truce_breaker":
            return (1 - (1 - ours.qualify) ** 2) * sure
        case "battle_horn":
            return 1 - (1 - ours.total) ** 2
        case "power_surge":
            gains = sorted(_chain_gain(sight, power) for power in sight.hand(POWER))
            return HORIZON * _worth_of_ways(sight, sum(gains[-3:]))
        case "reinforcements":
            return 2 * _chain_action(sight, Move("place"))
        case "sabotage":
            lost = _best_sabotage(sight) / ROLLS
            saved = theirs.qualify * (1 - theirs.escape) + ours.qualify * ours.hit
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
    s, leader, colour = sight.s, sight.leader, sight.cards.colour
    if leader == NONE:
        return False
    ways = [
        sight.ways(s.leader(other))
        for other in range(s.seats)
        if other != sight.seat
        and s.pledged[other]
        and s.leader(other) != NONE
        and colour[s.leader(other)] == colour[leader]
    ]
    return bool(ways) and sight.ways(leader) * len(ways) >= sum(ways)


def _opportunity_value(sight: Sight, card: int) -> float:
    """How an Opportunity in hand compares with the turn's other options."""
    s, leader = sight.s, sight.leader
    effect = sight.cards.effect[card]
    match effect:
        case "ambush":
            odds = sight.best_odds
            sure = 0.0 if odds is None else (1 - odds.escape) * odds.hit
            return 8.5 if sure >= 0.2 else 0.2
        case "battle_horn" | "truce_breaker":
            odds = sight.best_odds
            return 8.2 if odds is not None and odds.total >= GOOD_CHANCE else 0.2
        case "power_surge":
            fitting = [p for p in sight.hand(POWER) if s.can_hold(leader, p)]
            return 7.5 if len(fitting) >= 2 else 0.3
        case "sabotage":
            return 6.5 if _best_sabotage(sight) >= 4 else 0.4
        case "silence":
            return 5.5
        case "change_of_guard":
            best = max(map(sight.ways, sight.guards()), default=0)
            return 6.8 if leader == NONE or best > sight.ways(leader) + 3 else 0.0
        case "reinforcements":
            return 6.2 if sight.hand(CHARACTER) else 0.0
        case "windfall":
            return 3.5
        case "night_raid" | "salvage" | "spyglass":
            return 1.5
    return 0.1


def _best_sabotage(sight: Sight) -> int:
    """Roughly how many of the 36 rolls an opponent loses with one Power Card."""
    s, numbers = sight.s, sight.cards.numbers
    return max(
        (
            WAYS[numbers[power]]
            for seat in range(s.seats)
            if seat != sight.seat
            for character in s.characters(seat)
            for power in s.powers[character]
        ),
        default=0,
    )


# -- which card, and where ---------------------------------------------------------------------


def _character(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The one for which most Power Cards are in hand; of such the highest level."""
    if move.card is None:
        return 0.0
    cards = sight.cards
    accepts = cards.accepts[move.card]
    fitting = sum([cards.colour[power] & accepts != 0 for power in sight.hand(POWER)])
    return 1.0 + 2.0 * min(fitting, cards.limit[move.card]) + cards.level[move.card] / 2


def _replaced(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Into the hand, where another card may be given up for it; in Power Play (the card was drawn
    by lot, or is a link) only while the hand has room.
    """
    if not sight.chained:
        return 1.0 if move.verb == "hand" else 0.0
    return 1.0 if (move.verb == "hand") == (len(sight.s.hands[sight.seat]) <= 4) else 0.0


def _power(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The Power Card that adds most to the Leader, then to a Guard."""
    if move.card is None:
        return 0.1
    power = move.card
    best = 0.0
    for weight, host in _weighted_board(sight):
        if sight.s.can_hold(host, power):
            best = max(best, weight * sight.gain(host, power))
    return best


def _weighted_board(sight: Sight) -> list[tuple[float, int]]:
    leader = [(2.0, sight.leader)] if sight.leader != NONE else []
    return [*leader, *((1.0, guard) for guard in sight.guards())]


def _power_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    for weight, host in _weighted_board(sight):
        if host == move.target.card:
            return weight * sight.gain(host, prompt.context[0])
    return 0.0


def _ability_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    return 1.0 if sight.leader == move.target.card else 0.0


def _opportunity(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert move.card is not None
    if sight.chained:
        return _chain_opportunity(sight, move.card)
    return _opportunity_value(sight, move.card)


def _defender(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The best chance; of equal ones the opponent who is nearest to elimination."""
    if not isinstance(move.target, Seat):
        return GOOD_CHANCE / 2
    other = move.target.seat
    if sight.leader == NONE or other not in sight.rivals():
        return 0.0
    guards = len(sight.s.guard_characters(other))
    return sight.odds_of(sight.seat, other).total - guards / 1000


def _discard(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Section 9: Characters without a position, abilities without a host, numbers that add nothing,
    far numbers; then what is worth less than a good number; Characters that can be placed last.
    """
    assert move.card is not None
    card, kind = move.card, sight.cards.kind[move.card]
    if kind == CHARACTER:
        return -9.0 if sight.has_position(card) else 0.0
    if kind == ABILITY:
        return -4.0 if sight.ability_free() else -0.5
    if kind == OPPORTUNITY:
        return -3.5
    fitting = [host for _, host in _weighted_board(sight) if sight.s.can_hold(host, card)]
    if not fitting:
        return -1.0 - WAYS[sight.cards.numbers[card]] / 10
    return -2.0 - max(sight.gain(host, card) for host in fitting) / 2


def _spend(sight: Sight, move: Move, prompt: Prompt) -> float:
    """Give up nothing but a 2 or a 12: a number is worth more than one more roll, unless a hit ends
    the match, as in Power Play.
    """
    if move.card is None:
        return -3.0 if sight.chained else -0.6
    return -WAYS[sight.cards.numbers[move.card]] / 2


def _give_up_power(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert move.card is not None
    return -float(WAYS[sight.cards.numbers[move.card]])


def _strongest(sight: Sight, move: Move, prompt: Prompt) -> float:
    """The Guard with the most ways, then the highest level."""
    assert move.card is not None
    return sight.ways(move.card) + sight.cards.level[move.card] / 10


def _richest_host(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Card)
    host = move.target.card
    leads = not sight.chained and any(host == board[0] for board in sight.s.board)
    return sight.ways(host) + (10.0 if leads else 0.0)


def _take(sight: Sight, move: Move, prompt: Prompt) -> float:
    """A Power Card for the Leader above all, else anything that is not useless."""
    assert move.card is not None
    card, kind = move.card, sight.cards.kind[move.card]
    if kind == POWER:
        ways = WAYS[sight.cards.numbers[card]]
        if prompt.kind != "salvage_card" or sight.s.can_hold(sight.leader, card):
            return float(ways)
        return 0.5
    return 4.0 if kind == ABILITY else 3.0


def _fullest_hand(sight: Sight, move: Move, prompt: Prompt) -> float:
    assert isinstance(move.target, Seat)
    return float(len(sight.s.hands[move.target.seat]))


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

BOTS: Final[Mapping[str, Bot]] = {
    "random": RANDOM,
    "greedy": Bot(
        "greedy",
        "Scrapper",
        "Takes what looks best right now.",
        choose_greedy,
        names=("Bramble", "Cinder", "Hackle", "Rook", "Snarl", "Tusk", "Ember", "Grit"),
        minds=dict.fromkeys(("match", "tournament", "power"), MIND),
    ),
}
