"""The table as a view shows it: the same rules say there what is legal and who controls what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.battl_khaos.grid import at
from games.battl_khaos.state import HAND, NONE, Cards, Khaos
from rules.engine.chance import Chance

View = Mapping[str, Any]


def table_of(view: View) -> Khaos:
    """The table as the view shows it; what is hidden lies there in any order."""
    slugs: dict[int, str] = {}
    owners: dict[int, int] = {}

    def number(piece: View) -> int:
        slugs[piece["id"]] = piece["slug"]
        return int(piece["id"])

    def token(piece: View, seat: int) -> int:
        owners[piece["id"]] = seat
        return number(piece)

    players = view["players"]
    ready = [[token(piece, player["seat"]) for piece in player["tokens"]] for player in players]
    spent = [[token(piece, player["seat"]) for piece in player["discarded"]] for player in players]
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
    discards = [number(card) for card in view["discards"]]
    first = min(owners)
    revealed = [card for hand in hands for card in hand if card != NONE]
    pile = [card for card in range(first) if card not in slugs]
    slugs.update(zip(pile, Counter(view["unseen"]).elements(), strict=True))
    for player in players:
        hand = hands[player["seat"]]
        while HAND - hand.count(NONE) < player["hand"]["count"]:
            hand[hand.index(NONE)] = pile.pop()
    s = Khaos.new(
        2,
        Chance(bytes(32)),
        cards=Cards([slugs[card] for card in range(max(owners) + 1)]),
        first_token=first,
        owners=tuple(owners[index] for index in range(first, max(owners) + 1)),
        target=view["target"],
        orcs=next(player["seat"] for player in players if player["side"] == "O"),
        hands=hands,
        row=row,
        pile=pile,
        supply=supply,
        discards=discards,
        ready=ready,
        spent=spent,
        tiles=tiles,
        tokens=tokens,
        ground=ground,
    )
    for card in revealed:
        s.reveal(card)
    s.turn = view["seat"] if view["active"] is None else view["active"]
    if view["halberd"]:
        s.halberds[view["halberd"]["seat"]] = at(view["halberd"]["x"], view["halberd"]["y"])
    if view["hit"]:
        s.hit = at(view["hit"]["x"], view["hit"]["y"])
    return s
