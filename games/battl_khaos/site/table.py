"""The context of Batt'l Kha'os templates: the view, with what follows from it.

It is worked out once a render. A tile or tower that can be picked up has ``units``, ``look`` and
``option`` besides, a token ``name`` and ``effect``, a player ``track``, ``sign``, ``faction`` and
``slots``. What is drawn of them is in ``board.py`` and the template tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import rules
from games.battl_khaos.events import CORNER_NAMES
from games.battl_khaos.site import board
from games.battl_khaos.table_text import SIDES
from matches.templatetags.table import own_player
from rules.engine.cards import CardType

View: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]

#: Questions of one placement, which the script asks as one.
DRAFTED: Final = ("place-tile", "place-cell", "place-rotation", "play-token", "circle-tile")
#: Questions whose answers all stand on the board or beside it.
ON_THE_TABLE: Final = (
    *(*DRAFTED, "reserve-cell", "catapult-target", "circle-target", "crystal-token", "draw-tile"),
)


def table(context: Mapping[str, Any]) -> Row:
    """The context that ``{% view_model %}`` adds to the table's templates."""
    seen: View = context["view"]
    prompt, options = context.get("prompt"), context.get("options", ())
    kind = prompt.kind if prompt else ""
    offered = {option.move["card"]: option for option in reversed(options) if "card" in option.move}

    def pieces(cards: Sequence[View | None]) -> list[Row | None]:
        return [_piece(card, offered.get(card["id"])) if card else None for card in cards]

    view = {
        **seen,
        "players": [
            {
                **player,
                "hand": {**player["hand"], "cards": pieces(player["hand"]["cards"])},
                "tokens": [_token(card, player["side"]) for card in player["tokens"]],
                "discarded": [_token(card, player["side"]) for card in player["discarded"]],
                "track": [number < player["score"] for number in range(seen["target"])],
                "sign": board.SIGNS[player["side"]],
                "faction": SIDES[player["side"]].capitalize(),
                "slots": in_slots(player["hand"]),
            }
            for player in seen["players"]
        ],
        "row": pieces(seen["row"]),
        "supply": pieces(seen["supply"]),
    }
    scores = {SIDES[player["side"]]: player["score"] for player in seen["players"]}
    return {
        "view": view,
        "me": own_player(view),
        "known": aid(view),
        "answers": [{"option": option, "coming": forecast(option, scores)} for option in options],
        "drafted": kind in DRAFTED,
        "shown_elsewhere": kind in ON_THE_TABLE,
        "from_stack": next((option for option in options if option.move["verb"] == "stack"), None),
    }


def printed(card: View) -> CardType:
    return rules.game(board.SLUG).catalog[card["slug"]]


def _piece(card: View, option: Any) -> Row:
    units = board.printed_units(card["slug"])
    return {
        **card,
        "units": board.signed(units) or "0,0,0,0",
        "look": look_of(card),
        "option": option,
    }


def look_of(card: View) -> str:
    """The looks of a piece, in words."""
    piece = printed(card)
    if piece.kind == "field":
        return board.tile_words(board.printed_units(card["slug"]))
    if piece.kind == "tower":
        value = int(piece["value"])
        side = SIDES[str(piece["flag"])]
        return f"{board.ROMAN[value]}: worth {value}, flag of the {side}"
    return piece.text


def _token(card: View, side: str) -> Row:
    """Its name on its side; ``effect``: how it changes strengths, for the script's sums."""
    piece = printed(card)
    keys = ("whose", "change", "number")
    effect = {key: piece[key] for key in keys} if piece.effect == "strength" else None
    return {**card, "name": board.token_title(card["slug"], side), "effect": effect}


def in_slots(hand: View) -> list[View | None]:
    """A hand of three places: the cards that the reader knows, None for those that lie hidden."""
    cards = {card["slot"]: card for card in hand["cards"]}
    hidden = hand["count"] - len(cards)
    return [*sorted(cards.values(), key=lambda card: card["slot"]), *[None] * hidden]


def forecast(option: Any, scores: Mapping[str, int]) -> str:
    """The outcome of an option in a few words; empty if it changes nothing on the board."""
    preview = option.preview or {}
    if "towers" not in preview:
        return ""
    towers = [
        f"{SIDES[row['owner']].capitalize()} win {board.title(row['slug'])}"
        if row["owner"]
        else f"{board.title(row['slug'])} has no owner"
        for row in preview["towers"]
    ]
    sums = [
        f"{CORNER_NAMES[row['corner']].capitalize()}: orcs {row['orcs']}, knights {row['knights']}"
        for row in preview.get("corners", ())
        if row["result"]
    ]
    changed = any(preview[side] != score for side, score in scores.items())
    score = [f"Score: orcs {preview['orcs']}, knights {preview['knights']}"] if changed else []
    return ". ".join([*sums, *towers, *score])


def aid(view: View) -> Row:
    """The game aid: all tokens and special tiles that may be in the match (BKH-S-12)."""
    own = next((p for p in view["players"] if p["seat"] == view.get("seat")), view["players"][0])
    side = own["side"]
    seen = {card["slug"] for card in _in_match(view)}
    lines: dict[str, list[Row]] = {"token": [], "special": []}
    for slug, card in rules.game(board.SLUG).catalog.items():
        if card.kind in lines and slug in seen:
            name = board.token_title(slug, side) if card.kind == "token" else card.title
            line = {"card": {"slug": slug}, "side": side, "name": name, "text": card.text}
            lines[card.kind].append(line)
    unseen = sum(view["unseen"].values())
    return {"tokens": lines["token"], "specials": lines["special"], "unseen_count": unseen}


def _in_match(view: View) -> Iterator[View]:
    """Every piece of which the reader knows that it is in the match."""
    for player in view["players"]:
        yield from (*player["tokens"], *player["discarded"], *player["hand"]["cards"])
    for cell in view["board"]:
        yield from (cell[name] for name in ("tile", "token", "ground") if cell[name])
    yield from (card for card in (*view["row"], *view["discards"]) if card)
    yield from ({"slug": slug} for slug in view["unseen"])
