"""Who plays whom in a round. Pure: the same players and seed always give the same tables.

All lots are drawn from the seed (:func:`lot`), to which the tournament commits before it begins, so
anybody can check a round afterwards. Matchings are networkx's; nothing here decides by itself what
a matching can decide.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

WHOLE_GRAPH = 48
"""Up to so many players every allowed pair is weighed."""
CANDIDATES = 16
"""Of more players, each is weighed against the next so many in the standings."""
MATCHED_AT_MOST = 128
"""Of more players, all but the tail are paired by walking down the standings."""
TAIL = 32
NEIGHBOURS = 4
"""Players of a pod change places with those of so many tables below it."""

MIN_POD, MAX_POD = 3, 8
POD_POINTS = 840
"""Points for beating everybody at a table of 3 to 8: divisible by twice the opponents of each."""
_LOTS = 1 << 20
_MEETING = 100 * POD_POINTS**2
_SMALL_AGAIN = 10 * _MEETING


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody to be paired, with what the earlier rounds say of them."""

    key: int
    points: int = 0
    met: Mapping[int, int] = field(default_factory=dict)
    """How often they have met each opponent, by key."""
    byes: int = 0
    small_tables: int = 0
    """At how many tables they have sat that were smaller than others of the round."""


_Pair = tuple[Player, Player]
_Edge = tuple[Player, Player, int]


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits together, the first seat first, and why. A single player has a bye."""

    players: tuple[int, ...]
    reason: str

    @property
    def is_bye(self) -> bool:
        """Nobody sits opposite."""
        return len(self.players) == 1


def lot(seed: bytes, *about: object) -> int:
    """A lot: the first 8 bytes, as a number, of SHA-256 over the seed and ``a:b:c``."""
    text = ":".join(map(str, about)).encode()
    return int.from_bytes(hashlib.sha256(seed + text).digest()[:8])


# -- Swiss ----------------------------------------------------------------------------------------


def swiss(players: Sequence[Player], *, seed: bytes) -> list[Table]:
    """Pair everybody with somebody of about equal points whom they have not met.

    The sum of the squared differences in points is the least that is possible without a rematch
    (for more than ``WHOLE_GRAPH`` players: among near neighbours in the standings); between equals
    the lot decides. With an odd number the bye goes to the fewest byes, then the fewest points.
    A rematch happens only where nobody could pair all players without one, and its table says so.
    """
    ranked = sorted(players, key=lambda player: (-player.points, lot(seed, player.key)))
    tables: list[Table] = []
    if len(ranked) % 2:
        left_out, pairs = _bye(ranked, seed)
        tables.append(Table((left_out.key,), _bye_reason(left_out)))
        ranked.remove(left_out)
    else:
        pairs = _without_rematch(ranked, seed)
    rematch = pairs is None
    if pairs is None:
        pairs = _matched(_edges(ranked, len(ranked), rematches=True), ranked, seed)
        assert pairs is not None, "a graph of all pairs can be matched"
    order = {player.key: place for place, player in enumerate(ranked)}
    pairs.sort(key=lambda pair: min(order[player.key] for player in pair))
    return [_table(pair, seed, rematch=rematch) for pair in pairs] + tables


def _bye(ranked: Sequence[Player], seed: bytes) -> tuple[Player, list[_Pair] | None]:
    """Whom to leave out (fewest byes, fewest points), and the pairs of all others."""
    wanted = sorted(ranked, key=lambda p: (p.byes, p.points, lot(seed, "bye", p.key)))
    for player in wanted:
        pairs = _without_rematch([other for other in ranked if other is not player], seed)
        if pairs is not None:
            return player, pairs
    return wanted[0], None


def _without_rematch(ranked: Sequence[Player], seed: bytes) -> list[_Pair] | None:
    """Pairs of all players who have not met; None if that is impossible."""
    if len(ranked) > MATCHED_AT_MOST:
        return _walk(ranked, seed)
    reach = len(ranked) if len(ranked) <= WHOLE_GRAPH else CANDIDATES
    while True:
        pairs = _matched(_edges(ranked, reach), ranked, seed)
        if pairs is not None or reach >= len(ranked):
            return pairs
        reach *= 2


def _edges(ranked: Sequence[Player], reach: int, *, rematches: bool = False) -> Iterator[_Edge]:
    """Each player with the next ones whom they may meet, and what that pair costs."""
    worst = max((p.points for p in ranked), default=0) ** 2 * len(ranked) + 1
    for place, player in enumerate(ranked):
        left = reach
        for other in ranked[place + 1 :]:
            meetings = player.met.get(other.key, 0)
            if meetings and not rematches:
                continue
            yield player, other, (player.points - other.points) ** 2 + meetings**2 * worst
            left -= 1
            if not left:
                break


def _matched(edges: Iterable[_Edge], ranked: Sequence[Player], seed: bytes) -> list[_Pair] | None:
    """The cheapest perfect matching, equal ones by lot; None where there is none."""
    import networkx as nx  # 20 MB that only the process needs that pairs a round

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(player.key for player in ranked)
    scale = _LOTS * max(len(ranked), 1)
    for player, other, cost in edges:
        low, high = sorted((player.key, other.key))
        graph.add_edge(low, high, weight=cost * scale + lot(seed, low, high) % _LOTS)
    matching = nx.min_weight_matching(graph)
    if 2 * len(matching) < len(ranked):
        return None
    by_key = {player.key: player for player in ranked}
    return [(by_key[value], by_key[other]) for value, other in matching]


def _walk(ranked: Sequence[Player], seed: bytes) -> list[_Pair] | None:
    """Each player from the top with the next whom they have not met; the tail by a matching.

    Where somebody finds nobody below them, the last pairs are undone and matched with them.
    """
    free = list(ranked)
    pairs: list[_Pair] = []
    while len(free) > TAIL:
        player = free.pop(0)
        at = next((i for i, other in enumerate(free) if other.key not in player.met), None)
        if at is None:
            free.insert(0, player)
            break
        pairs.append((player, free.pop(at)))
    undone = 0
    while True:
        tail = sorted(free, key=lambda player: (-player.points, lot(seed, player.key)))
        matched = _matched(_edges(tail, len(tail)), tail, seed)
        if matched is not None:
            return pairs + matched
        if not pairs:
            return None
        undone = max(TAIL, 2 * undone)
        for pair in pairs[-undone:]:
            free.extend(pair)
        del pairs[-undone:]


def _table(pair: _Pair, seed: bytes, *, rematch: bool) -> Table:
    low, high = sorted(player.key for player in pair)
    first = (low, high) if lot(seed, "seat", low, high) % 2 == 0 else (high, low)
    points = sorted((player.points for player in pair), reverse=True)
    if points[0] == points[1]:
        reason = f"Both have {_points(points[0])}. Drawn by lot."
    else:
        reason = f"{_points(points[0])} against {points[1]}, so that every player has an opponent."
    if rematch and pair[1].key in pair[0].met:
        reason += " Rematch: not every player can be paired without one."
    return Table(first, reason)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def _bye_reason(player: Player) -> str:
    earlier = f"{player.byes} bye{'' if player.byes == 1 else 's'}" if player.byes else "no bye"
    return (
        f"Odd number of players. {_points(player.points)} and {earlier} so far: no player with "
        "as few byes and fewer points could sit out and leave every other player an opponent."
    )


def rounds_proposed(players: int) -> int:
    """⌈log₂ n⌉: as many rounds as leave one player without a loss."""
    return max(1, (players - 1).bit_length())


# -- Round robin ----------------------------------------------------------------------------------


def round_robin(keys: Sequence[int], *, twice: bool = False, seed: bytes) -> list[list[Table]]:
    """All rounds in which each meets each other once, by the circle method, or twice.

    The second time the seats are swapped. With an odd number each has one bye a time.
    """
    circle: list[int | None] = sorted(keys, key=lambda key: lot(seed, "circle", key))
    if len(circle) % 2:
        circle.append(None)
    half = len(circle) // 2
    rounds: list[list[tuple[int | None, int | None]]] = []
    for number in range(len(circle) - 1):
        pairs = [(circle[i], circle[-1 - i]) for i in range(half)]
        # Whoever stays in place would sit first each time.
        rounds.append([pair[::-1] if number % 2 else pair for pair in pairs])
        circle.insert(1, circle.pop())
    if twice:
        rounds += [[pair[::-1] for pair in pairs] for pairs in rounds]
    return [[_circle_table(pair) for pair in pairs] for pairs in rounds]


def _circle_table(pair: tuple[int | None, int | None]) -> Table:
    players = tuple(key for key in pair if key is not None)
    if len(players) == 1:
        return Table(players, "Odd number of players: each sits out once.")
    return Table(players, "Round robin by the circle method.")


# -- Single elimination ---------------------------------------------------------------------------


def bracket(keys: Sequence[int]) -> list[Table]:
    """The first round of an elimination; ``keys`` by seed, the best first.

    Seeds 1 and 2 can meet in the final only, 1 to 4 in the semifinals, and so on. Where the number
    is not a power of two, the best seeds have a bye. The winners of tables 1 and 2 meet next.
    """
    size = 1
    order = [0]
    while size < len(keys):
        size *= 2
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    tables = []
    for high, low in zip(order[::2], order[1::2], strict=True):
        seeds = sorted(seed for seed in (high, low) if seed < len(keys))
        names = " against ".join(f"seed {seed + 1}" for seed in seeds)
        reason = f"S{names[1:]}." if len(seeds) == 2 else f"S{names[1:]} has no opponent yet."
        tables.append(Table(tuple(keys[seed] for seed in seeds), reason))
    return tables


def next_bracket(winners: Sequence[int | None], losers: Sequence[int] = ()) -> list[Table]:
    """The next round: neighbouring winners (None: nobody is left there); last, for third place.

    ``losers`` are those of the semifinals where third-place match.
    """
    tables = []
    for number in range(0, len(winners), 2):
        players = tuple(key for key in winners[number : number + 2] if key is not None)
        reason = f"The winners of tables {number + 1} and {number + 2}."
        if len(players) == 1:
            reason = "No opponent is left on the other side of the bracket."
        if players:
            tables.append(Table(players, reason))
    if len(losers) == 2:
        tables.append(Table(tuple(losers), "For third place: they lost the semifinals."))
    return tables


# -- Pods -----------------------------------------------------------------------------------------


def pod_sizes(players: int, size: int) -> list[int]:
    """How many sit at each table of at most ``size``: as equal as possible, the small ones last."""
    tables = -(-players // size)
    small, larger = divmod(players, tables) if tables else (0, 0)
    return [small + 1] * larger + [small] * (tables - larger)


def pod_rounds(players: int, size: int) -> int:
    """⌈log_size n⌉ + 2 rounds."""
    rounds, reached = 0, 1
    while reached < players:
        rounds, reached = rounds + 1, reached * size
    return rounds + 2


def pods(players: Sequence[Player], size: int, *, seed: bytes) -> list[Table]:
    """Tables of up to ``size``, of people who are close in the standings and have rarely met.

    Slices of the standings; then players of neighbouring tables change places as long as the sum
    of meetings² × 100 and points differences² (in points of a whole table) falls. Nobody sits at a
    smaller table a second time where somebody else could.
    """
    ranked = sorted(players, key=lambda player: (-player.points, lot(seed, player.key)))
    tables: list[list[Player]] = []
    for count in pod_sizes(len(ranked), size):
        tables.append(ranked[:count])
        del ranked[:count]
    full = max((len(table) for table in tables), default=0)
    while _swap_any(tables, full):
        pass
    return [_pod(table, seed) for table in tables]


def _swap_any(tables: list[list[Player]], full: int) -> bool:
    """Swap players of neighbouring tables where that makes the sum smaller; False where nowhere."""
    swapped = False
    neighbours = (
        (upper, lower)
        for number, upper in enumerate(tables)
        for lower in tables[number + 1 : number + 1 + NEIGHBOURS]
    )
    for upper, lower in neighbours:
        before = _cost(upper, full) + _cost(lower, full)
        for i, j in product(range(len(upper)), range(len(lower))):
            upper[i], lower[j] = lower[j], upper[i]
            after = _cost(upper, full) + _cost(lower, full)
            if after < before:
                before, swapped = after, True
            else:
                upper[i], lower[j] = lower[j], upper[i]
    return swapped


def _cost(table: Sequence[Player], full: int) -> int:
    cost = sum(
        _MEETING * value.met.get(other.key, 0) ** 2 + (value.points - other.points) ** 2
        for value, other in combinations(table, 2)
    )
    if len(table) < full:
        cost += _SMALL_AGAIN * sum(player.small_tables for player in table)
    return cost


def _pod(table: Sequence[Player], seed: bytes) -> Table:
    seated = sorted(table, key=lambda player: lot(seed, "seat", player.key))
    met = sum(other.key in value.met for value, other in combinations(table, 2))
    pairs = len(table) * (len(table) - 1) // 2
    if not any(player.met for player in table):
        reason = "Drawn by lot."
    elif met:
        reason = f"Close in the standings; {met} of {pairs} pairs have met before."
    else:
        reason = "Close in the standings; none of them have met before."
    if len(table) == 1:
        reason = "No other player is left."
    return Table(tuple(player.key for player in seated), reason)
