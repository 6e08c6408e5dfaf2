"""A bot that lays what looks best on the board as it lies (specification, section 9).

It sees nothing but the view of its seat, and makes a table of its own from it: the same rules say
there what is legal and who controls what. It looks one placement ahead, and counts what the enemy
may complete after it (``completion.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from games.battl_khaos.completion import Gap, Tiles, changes, gap_of, likelihood, winning
from games.battl_khaos.control import (
    Corner,
    Tower,
    around,
    corners_amid,
    score,
    tower_at,
    tower_cells,
)
from games.battl_khaos.effects import lies_at
from games.battl_khaos.grid import MEETING, NEAR, at, pointed_at
from games.battl_khaos.rules.placing import (
    MAGE,
    for_towers,
    in_range,
    legal_cells,
    reservable,
    rotations,
)
from games.battl_khaos.state import (
    FIELD,
    HAND,
    NONE,
    NOT_ONE,
    SPECIAL,
    TOWER,
    Cards,
    Khaos,
    catalog,
)
from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.moves import Move, Prompt, chosen

View = Mapping[str, Any]
Plan = Callable[[Move], float]

POINT: Final = 10.0
"""What a point of the score is worth; all else is measured by it."""

WON: Final = 1000.0
OPEN_TOWER: Final = 1.2
FLAG: Final = 0.2
WARRIOR: Final = 0.25
"""What a warrior more at an open corner is worth, once two of its tiles lie."""

A_TOKEN: Final = 3.0
"""A token of usual muster, kept for a tower; less as the stack runs out."""

USUAL_MUSTER: Final = 2.4
FULL_STACK: Final = 40

EFFECTS: Final[Mapping[str, float]] = {"circle": 1.0, "crystal": 0.3, "graveyard": 0.8}
"""What special tiles are roughly good for, besides filling a cell."""

SPENT: Final = 0.15
"""How much of what a tile could do elsewhere is lost by placing it."""

THEIRS_NEXT: Final = 0.8
OURS_AFTER: Final = 0.5
"""How much of a tower counts that the enemy can complete next, or the bot in the turn after."""

WITH_TOKEN: Final = 0.7
"""How likely a token is spent where only that wins a tower."""

NEARLY_WON: Final = 300.0
"""What it is worth to complete the last tower that is needed."""


# -- a table from a view ---------------------------------------------------------------------------


def table_of(view: View) -> Khaos:
    """The table as the view shows it; what is hidden is left out."""
    slugs: dict[int, str] = {}
    owners: dict[int, int] = {}

    def number(piece: View) -> int:
        slugs[piece["id"]] = piece["slug"]
        return int(piece["id"])

    def token(piece: View, seat: int) -> int:
        owners[piece["id"]] = seat
        return number(piece)

    players = view["players"]
    ready = [[token(one, player["seat"]) for one in player["tokens"]] for player in players]
    spent = [[token(one, player["seat"]) for one in player["discarded"]] for player in players]
    tiles, tokens, ground = {}, {}, {}
    for lies in view["board"]:
        cell = at(lies["x"], lies["y"])
        if lies["tile"]:
            tiles[cell] = number(lies["tile"]) * 4 + lies["rotation"]
        if lies["token"]:
            tokens[cell] = token(lies["token"], lies["token"]["seat"])
        if lies["ground"]:
            ground[cell] = token(lies["ground"], lies["ground"]["seat"])
    hands = [[NONE] * HAND, [NONE] * HAND]
    for player in players:
        for card in player["hand"]["cards"]:
            hands[player["seat"]][card["slot"]] = number(card)
    row = [number(card) if card else NONE for card in view["row"]]
    supply = [number(card) for card in view["supply"]]
    first = min(owners)
    s = Khaos.new(
        2,
        Chance(bytes(32)),
        cards=Cards([slugs.get(card, UNKNOWN) for card in range(max(owners) + 1)]),
        first_token=first,
        owners=tuple(owners[one] for one in range(first, max(owners) + 1)),
        target=view["target"],
        orcs=next(player["seat"] for player in players if player["side"] == "O"),
        hands=hands,
        row=row,
        supply=supply,
        ready=ready,
        spent=spent,
        tiles=tiles,
        tokens=tokens,
        ground=ground,
    )
    s.turn = view["seat"] if view["active"] is None else view["active"]
    if view["halberd"]:
        s.halberds[view["halberd"]["seat"]] = at(view["halberd"]["x"], view["halberd"]["y"])
    if view["hit"]:
        s.hit = at(view["hit"]["x"], view["hit"]["y"])
    return s


UNKNOWN: Final = next(iter(catalog()))
"""Stands for pieces that nobody but the enemy sees: nothing looks at them."""


# -- what a board is worth -------------------------------------------------------------------------


class Sight:
    """What the bot makes of its view: the table, and what it is worth to its side."""

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.s = table_of(view)
        self.side = self.s.side(self.seat)
        self.left = min(1.0, (view["stack"] + HAND) / FULL_STACK)
        self.towers = {cell: tower_at(self.s, cell) for cell in tower_cells(self.s)}
        self._near: dict[int, list[int]] = {}
        self._around: dict[int, tuple[Corner, ...]] = {}
        self.unseen: Mapping[str, int] = view["unseen"]
        self.enemy_tiles = self._tiles_of(view["players"][1 - self.seat]["hand"])
        self.guard = NONE
        self.laying = NONE
        self.scores = self._scores(self.towers)
        self.worth = self.total(self.towers)
        self._before = {
            cell: self._tower(cell, tower, self.scores) for cell, tower in self.towers.items()
        }

    def _tiles_of(self, hand: View) -> Tiles:
        known = tuple(card["slug"] for card in hand["cards"])
        return Tiles(known, hand["count"] - len(known), self.unseen)

    def _scores(self, towers: Mapping[int, Tower]) -> tuple[int, int]:
        """The bot's and the enemy's."""
        found = towers.values()
        return score(found, self.side), score(found, -self.side)

    def total(self, towers: Mapping[int, Tower]) -> float:
        """The worth of a board with these towers, to the bot's side."""
        scores = self._scores(towers)
        found = sum(self._tower(cell, tower, scores) for cell, tower in towers.items())
        return found + self._won(*scores)

    def _won(self, own: int, enemy: int) -> float:
        if max(own, enemy) < self.s.target:
            return 0.0
        return WON if own >= enemy else -WON

    def _tower(self, cell: int, tower: Tower, scores: tuple[int, int]) -> float:
        if tower.owner:
            return POINT * tower.value * tower.owner * self.side
        gap = gap_of(self.s, cell, tower)
        if gap is not None:
            return self._completed(gap, tower.value, *scores)
        flag = self.s.cards.flag[self.s.tiles[cell] >> 2]
        return tower.value * (
            OPEN_TOWER * self._corners(cell, tower.corners) + FLAG * flag * self.side
        )

    # -- towers that lack one tile ---------------------------------------------------------

    def _completed(self, gap: Gap, value: int, own: int, enemy: int) -> float:
        """What a tower promises that the enemy may complete first, then the bot."""
        theirs = self._enemy_could(gap)
        ours = (1 - theirs) * self._bot_could(gap)
        gained = OURS_AFTER * ours * self._prize(own, value)
        return gained - THEIRS_NEXT * theirs * self._prize(enemy, value)

    def _prize(self, scored: int, value: int) -> float:
        last = NEARLY_WON if scored + value >= self.s.target else 0.0
        return POINT * value + last

    def _enemy_could(self, gap: Gap) -> float:
        """How likely the enemy takes the tower in the next turn."""
        if self.guard != NONE and gap.cell - self.guard in NEAR:
            return 0.0
        if self._reserved_by(gap.cell) == self.seat:
            return 0.0
        return self._likely(gap, 1 - self.seat, self.enemy_tiles)

    def _bot_could(self, gap: Gap) -> float:
        """How likely the bot takes it in the turn after, with what is left of its hand."""
        if self._reserved_by(gap.cell) == 1 - self.seat:
            return 0.0
        s = self.s
        kept = tuple(s.cards.slugs[card] for card in s.held(self.seat) if card != self.laying)
        return self._likely(gap, self.seat, Tiles(kept, HAND - len(kept), self.unseen))

    def _likely(self, gap: Gap, seat: int, tiles: Tiles) -> float:
        side, corners = self.s.side(seat), len(gap.leads)
        at_hand = gap._replace(cell=NONE)
        alone = likelihood(tiles, corners, winning(at_hand, side, ()))
        tokens = changes(self.s, seat)
        if not tokens or alone == 1.0:
            return alone
        helped = likelihood(tiles, corners, winning(at_hand, side, tokens))
        return alone + WITH_TOKEN * (helped - alone)

    def _reserved_by(self, cell: int) -> int:
        """The seat that alone may place a tile there; ``NONE`` if both may."""
        token = self.s.ground.get(cell)
        if token is None or self.s.cards.effect[token] != MAGE:
            return NONE
        return self.s.owner(token)

    # -- towers that lack more -------------------------------------------------------------

    def _corners(self, cell: int, corners: tuple[Corner, ...]) -> float:
        """What the corners of a tower promise: from -4 to 4."""
        found = 0.0
        for number, (orcs, knights, missing) in enumerate(corners):
            if not missing:
                found += (orcs > knights) - (orcs < knights)
            elif missing == 1 and (owner := self._last_cell(cell, number)):
                found += owner
            else:
                ahead = (orcs - knights) * WARRIOR * (3 - missing) / 2
                found += max(-1.0, min(1.0, ahead))
        return found * self.side

    def _last_cell(self, tower: int, number: int) -> int:
        """The side that alone may fill the last cell of a corner; 0 if both may."""
        s = self.s
        if not s.ground:
            return 0
        for step, _ in MEETING[number]:
            cell = tower + step
            if cell not in s.tiles:
                seat = self._reserved_by(cell)
                return 0 if seat == NONE else s.side(seat)
        return 0

    def near(self, cell: int) -> list[int]:
        """The towers that a cell is near."""
        found = self._near.get(cell)
        if found is None:
            found = self._near[cell] = [cell + step for step in NEAR if cell + step in self.towers]
        return found

    def gain(self, cell: int) -> float:
        """What the board has won since the view by what was changed on this cell."""
        near = self.near(cell)
        if not near:
            return 0.0
        again = {tower: tower_at(self.s, tower) for tower in near}
        found = 0.0
        for place, tower in again.items():
            before = self.towers[place]
            if tower.owner != before.owner or tower.value != before.value:
                return self.total({**self.towers, **again}) - self.worth
            found += self._tower(place, tower, self.scores) - self._before[place]
        return found

    def _changed(self) -> float:
        """The same by whatever was changed."""
        return self.total({cell: tower_at(self.s, cell) for cell in self.towers}) - self.worth

    # -- tiles -----------------------------------------------------------------------------

    @contextmanager
    def with_tile(self, card: int, cell: int, turns: int) -> Iterator[None]:
        """The board with one tile more."""
        before, self.laying = self.laying, card
        self.s.tiles[cell] = card * 4 + turns
        try:
            yield
        finally:
            del self.s.tiles[cell]
            self.laying = before

    def laid(self, card: int, cell: int, turns: int) -> float:
        """What placing a tile gains, without a token."""
        kind = self.s.cards.kind[card]
        if kind == TOWER:
            return self.raised(card, cell)
        good = EFFECTS.get(self.s.cards.effect[card], 0.0) if kind == SPECIAL else 0.0
        if not self.near(cell):
            return good
        with self.with_tile(card, cell, turns):
            return self.gain(cell) + good

    def raised(self, card: int, cell: int) -> float:
        """What a tower gains by standing on a cell."""
        corners = self._around.get(cell)
        if corners is None:
            corners = corners_amid(around(self.s, cell))
            self._around[cell] = corners
        with self.with_tile(card, cell, 0):
            if any(corner.missing for corner in corners):
                value = self.s.cards.value[card]
                return self._tower(cell, Tower(corners, NOT_ONE, value), self.scores)
            return self.total({**self.towers, cell: tower_at(self.s, cell)}) - self.worth

    def best_in(self, card: int, cell: int) -> float:
        """The same, turned as it is best."""
        return max(self.laid(card, cell, turns) for turns in rotations(self.s, card))

    def best(self, card: int, cells: Iterable[int]) -> float:
        """What a tile gains where it gains most."""
        return max((self.best_in(card, cell) for cell in cells), default=0.0)

    # -- tokens ----------------------------------------------------------------------------

    def price(self, token: int) -> float:
        """What is lost by using a token: the less, the nearer the end."""
        muster = catalog()[self.s.cards.slugs[token]]["muster"]
        return float(A_TOKEN * self.left * muster / USUAL_MUSTER)

    def with_token(self, token: int, cell: int) -> float:
        """What a token gains on the tile of a cell, or where it would lie."""
        s = self.s
        match s.cards.effect[token]:
            case "banner":
                return max((self.best(card, cells) for card, cells in self.choices()), default=0.0)
            case "halberd":
                return self.guarded(cell)
            case "mage":
                return max(self.reserved(token, near) for near in reservable(s, cell))
            case "catapult":
                return max(self.removed(target) for target in in_range(s, cell))
        s.tokens[cell] = token
        found = self.gain(cell)
        del s.tokens[cell]
        return found

    def foreseen(self, token: int, cell: int, bare: float) -> float:
        """What a token adds to a tile that is about to be placed there, at a glance."""
        s = self.s
        match s.cards.effect[token]:
            case "banner":
                return self._finished()
            case "halberd":
                return self.guarded(cell) - bare
            case "mage":
                own = [gap for gap in self._gaps() if gap - cell in NEAR and gap not in s.ground]
                return max((self.reserved(token, gap) for gap in own), default=bare) - bare
            case "catapult":
                return 0.0
        return self.with_token(token, cell) - bare

    def _gaps(self) -> set[int]:
        """The last empty cells of towers."""
        gaps = (gap_of(self.s, cell, tower_at(self.s, cell)) for cell in self.towers)
        return {gap.cell for gap in gaps if gap is not None}

    def _finished(self) -> float:
        """What a second tile gains that completes a tower."""
        s = self.s
        own = [card for card in s.held(self.seat) if card != self.laying]
        before = self._changed()
        found = 0.0
        for cell in self._gaps() & set(legal_cells(s, self.seat)):
            for card in own:
                found = max(found, self.best_in(card, cell) - before)
        return found

    def choices(self) -> list[tuple[int, Sequence[int]]]:
        """Each tile that could be placed, with the cells for it."""
        s = self.s
        cells = legal_cells(s, self.seat)
        own = [(card, cells) for card in s.held(self.seat)]
        return own + [(card, for_towers(s, cells)) for card in s.supply]

    def guarded(self, cell: int) -> float:
        """What it gains that the enemy cannot complete a tower beside a Halberd there."""
        self.guard = cell
        found = self._changed()
        self.guard = NONE
        return found

    def reserved(self, token: int, cell: int) -> float:
        """What a Wizard or Shaman gains on a cell."""
        s = self.s
        s.ground[cell] = token
        found = self.gain(cell)
        del s.ground[cell]
        return found

    def removed(self, cell: int) -> float:
        """What it gains that the tile on a cell goes, with its token."""
        s = self.s
        lies, token = s.tiles.pop(cell), s.tokens.pop(cell, None)
        found = self.gain(cell)
        s.tiles[cell] = lies
        if token is not None:
            s.tokens[cell] = token
        return found

    def bare(self, cell: int) -> float:
        """What it gains that the token on a cell goes."""
        token = self.s.tokens.pop(cell)
        found = self.gain(cell)
        self.s.tokens[cell] = token
        return found

    def swapped(self, cell: int) -> float:
        """What the Magic Circle gains on a cell, with the best tile of the hand."""
        s = self.s
        hand = s.held(self.seat)
        if not hand:
            return self.removed(cell)
        lies, token = s.tiles.pop(cell), s.tokens.pop(cell, None)
        found = max(self.best_in(card, cell) for card in hand)
        s.tiles[cell] = lies
        if token is not None:
            s.tokens[cell] = token
        return found

    def token_cell(self, token: int) -> int:
        """The cell of a token on a tile; ``NONE`` where it lies on none."""
        return next((cell for cell, lies in self.s.tokens.items() if lies == token), NONE)


# -- what is chosen --------------------------------------------------------------------------------


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The option that scores best; equal ones are drawn by lot."""
    plan = PLANS[prompt.kind](Sight(view), prompt)
    scored = [(plan(move), move) for move in prompt.options]
    best = max(value for value, _ in scored)
    equal = [move for value, move in scored if value == best]
    return equal[chance.pick(len(equal))]


REFINED: Final = 6
"""How many placements are looked at with tokens."""


def _place_tile(sight: Sight, prompt: Prompt) -> Plan:
    """The tile with the best placement; one that could do more elsewhere is rather kept."""
    s = sight.s
    found: dict[int, list[tuple[float, int, int]]] = {}
    for card, cells in sight.choices():
        found[card] = [
            (sight.laid(card, cell, turns), cell, turns)
            for cell in cells
            for turns in rotations(s, card)
        ]
    best = {card: max(places)[0] if places else 0.0 for card, places in found.items()}
    refined = sorted(
        (
            (value, cell, turns, card)
            for card, places in found.items()
            for value, cell, turns in places
        ),
        reverse=True,
    )[:REFINED]
    for value, cell, turns, card in refined:
        if s.cards.kind[card] == FIELD:
            best[card] = max(best[card], value + _best_token(sight, card, cell, turns))

    def plan(move: Move) -> float:
        if move.card is None:
            return 0.0
        return best[move.card] * (1 - SPENT)

    return plan


def _best_token(sight: Sight, card: int, cell: int, turns: int) -> float:
    """What the best token on a tile adds."""
    s = sight.s
    bare = sight.laid(card, cell, turns)
    best = 0.0
    with sight.with_tile(card, cell, turns):
        for token in s.ready[sight.seat]:
            best = max(best, sight.foreseen(token, cell, bare) - sight.price(token))
    return best


def _place_cell(sight: Sight, prompt: Prompt) -> Plan:
    card = _picked(sight, prompt)
    return lambda move: _with_tokens(sight, card, pointed_at(move.target))


def _with_tokens(sight: Sight, card: int, cell: int) -> float:
    looks = rotations(sight.s, card)
    values = [(sight.laid(card, cell, turns), turns) for turns in looks]
    best, turns = max(values)
    return best + (_best_token(sight, card, cell, turns) if len(looks) > 1 else 0.0)


def _picked(sight: Sight, prompt: Prompt) -> int:
    pick = prompt.context[0]
    return sight.s.hands[sight.seat][pick] if pick < HAND else pick


def _place_rotation(sight: Sight, prompt: Prompt) -> Plan:
    card, cell = _picked(sight, prompt), prompt.context[1]

    def plan(move: Move) -> float:
        turns = chosen(move)
        return sight.laid(card, cell, turns) + _best_token(sight, card, cell, turns)

    return plan


def _play_token(sight: Sight, prompt: Prompt) -> Plan:
    cell = prompt.context[0]

    def plan(move: Move) -> float:
        if move.card is None:
            return 0.0
        return sight.with_token(move.card, cell) - sight.price(move.card)

    return plan


def _reserve_cell(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.reserved(prompt.context[0], pointed_at(move.target))


def _catapult_target(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.removed(lies_at(sight.s, chosen(move)))


def _circle_target(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.swapped(lies_at(sight.s, chosen(move)))


def _circle_tile(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.best_in(chosen(move), prompt.context[0])


def _crystal_token(sight: Sight, prompt: Prompt) -> Plan:
    return lambda move: sight.bare(sight.token_cell(chosen(move)))


def _grave_token(sight: Sight, prompt: Prompt) -> Plan:
    def plan(move: Move) -> float:
        cell = sight.token_cell(chosen(move))
        return sight.price(chosen(move)) + (sight.bare(cell) if cell != NONE else 0.0)

    return plan


def _draw_tile(sight: Sight, prompt: Prompt) -> Plan:
    """The tile of the row that gains most; the stack where those gain less than usual."""
    s = sight.s
    cells = legal_cells(s, sight.seat)
    row = {card: sight.best(card, cells) for card in s.row if card != NONE}
    usual = sum(row.values()) / max(len(row), 1) * UNSEEN
    return lambda move: usual if move.card is None else row[move.card]


UNSEEN: Final = 1.05
"""A tile that the enemy does not know is worth a little more."""

PLANS: Final[Mapping[str, Callable[[Sight, Prompt], Plan]]] = {
    "place-tile": _place_tile,
    "place-cell": _place_cell,
    "place-rotation": _place_rotation,
    "play-token": _play_token,
    "reserve-cell": _reserve_cell,
    "catapult-target": _catapult_target,
    "circle-target": _circle_target,
    "circle-tile": _circle_tile,
    "crystal-token": _crystal_token,
    "grave-token": _grave_token,
    "draw-tile": _draw_tile,
}

GREEDY: Final = Bot(
    "greedy",
    "Warlord",
    "Lays each tile where it counts most and saves tokens for towers.",
    choose_greedy,
    names=("Grukka", "Sir Aldric", "Vess", "Old Morgash", "Dame Isolde", "Thrak"),
)

BOTS: Final[Mapping[str, Bot]] = {"random": RANDOM, "greedy": GREEDY}
