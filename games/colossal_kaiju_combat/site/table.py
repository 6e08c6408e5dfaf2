"""The context of Colossal Kaiju Combat's templates: the view, and values derived from it.

A member of a team has ``stats`` and ``wound`` besides, a player the names of both discards, a side
of a combat what it has ``played``; all is worked out once a render.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import rules
from games.colossal_kaiju_combat.face.emblems import GLYPHS
from rules.engine.cards import CardType

GAME: Final = "colossal-kaiju-combat"
PHASES: Final = (
    ("discard", "Draw"),
    ("planning", "Plan"),
    ("selection", "Select"),
    ("action", "Act"),
    ("healing", "Heal"),
)
PHASE_NAMES: Final = {
    "discard": "Discard and draw",
    "planning": "Planning",
    "selection": "Selection",
    "action": "Action",
    "healing": "Healing",
}
#: The boxes of a cost: what is printed, the stat that pays it, its word.
BOXES: Final = (
    ("red", "ferocity", "Ferocity"),
    ("blue", "agility", "Agility"),
    ("yellow", "energy", "Energy"),
)
STATS: Final = (
    ("ferocity", "Ferocity"),
    ("agility", "Agility"),
    ("power", "Power"),
    ("fortitude", "Fortitude"),
)
MARKS: Final = {"paid": "paid", "bluff": "a bluff", "illegal": "does not fit its role"}


View: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]


def table(context: Mapping[str, Any]) -> Row:
    """The names that ``{% view_model %}`` puts into the context of the table's templates."""
    names, prompt = context["names"], context.get("prompt")
    seen: View = context["view"]
    players = [_player(player, seen["waiting"]) for player in seen["players"]]
    view = {**seen, "players": players}
    me = None if view.get("seat") is None else players[view["seat"]]
    hands = {} if me is None else {"combat": me["combat_hand"], "planning": me["planning_hand"]}
    held = {
        which: tiles(hand.get("cards", ()), prompt, view) for which, hand in hands.items() if hand
    }
    refused = prompt.outlook.get("refused") if prompt else None
    return {
        "view": view,
        "me": me,
        "signs": signs(),
        "rays": rays(),
        "track": phases(view),
        "phase_name": phase_name(view),
        "initiative": initiative(view),
        "deciding": [names[seat] for seat in seen["waiting"]],
        "both": sides(view),
        "clash": clash(view, names),
        "gathered": in_the_city(view),
        "groups": grouped_options(prompt, view, names),
        "opened": opened_hand(prompt, view),
        "together": TICKED,
        "refused": [
            {"name": verb.capitalize(), "reason": reason, "rule": rule}
            for verb, (reason, rule) in (refused or {}).items()
        ],
        "tiles": held,
        "worded": {
            "combat": any(tile["choices"] or tile["reason"] for tile in held.get("combat", ())),
            "planning": not context.get("replaying"),  # it asks nothing: cards lie in one line
        },
    }


TICKED: Final = ("plan_discard", "roar_discard")
"""The questions whose answers are ticked among the cards of a hand and sent together."""


def _player(player: View, waiting: Sequence[int]) -> Row:
    """``deciding``: the player has a prompt to answer, whoever's turn it is."""
    return {
        **player,
        "deciding": player["seat"] in waiting,
        "team": [
            {**member, "stats": stats_of(member), "wound": wound(member)}
            for member in player["team"]
        ],
        "combat_names": named(player["combat_discard"]["cards"]),
        "planning_names": named((player["planning_discard"] or {}).get("cards", ())),
    }


def _printed(card: View) -> CardType:
    return rules.game(GAME).catalog[card["slug"]]


def signs() -> list[tuple[str, str]]:
    """The name and path of every sign; a table draws each once."""
    return [(name, _CIRCLE.sub(_two_arcs, path)) for name, path in GLYPHS.items()]


_CIRCLE = re.compile(r"O(-?\d+) (-?\d+) (\d+)")


def _two_arcs(circle: re.Match[str]) -> str:
    """A circle (middle and radius, as the faces are drawn with) in a way that SVG knows."""
    x, y, radius = (int(number) for number in circle.groups())
    half = f"A{radius} {radius} 0 1 0"
    return f"M{x - radius} {y} {half} {x + radius} {y} {half} {x - radius} {y} Z"


@lru_cache(maxsize=1)
def rays() -> tuple[str, str]:
    """Two stars of jagged rays around the middle, the far one wider: points of polygons."""
    return star(23, 90, 330), star(17, 60, 210)


def star(spikes: int, inner: float, outer: float) -> str:
    """A star whose every third ray is shorter."""
    points = []
    for number in range(2 * spikes):
        far = outer * (0.7 if number % 3 == 0 else 1.0)
        radius = far if number % 2 else inner
        angle = math.pi * number / spikes
        points.append(f"{radius * math.cos(angle):.0f},{radius * math.sin(angle):.0f}")
    return " ".join(points)


# -- how far the turn is --------------------------------------------------------------------------


def phases(view: View) -> list[Row]:
    """The phases of the mode: those done, the one that is on, those to come."""
    planless = view["mode"] == "basic"
    known = [row for row in PHASES if not planless or row[0] not in ("discard", "planning")]
    order = [slug for slug, _ in known]
    here = order.index(view["phase"]) if view["phase"] in order else -1
    return [
        {"word": word, "state": "now" if number == here else "done" if number < here else ""}
        for number, (_, word) in enumerate(known)
    ]


def phase_name(view: View) -> str:
    """The phase in words; a combat goes before it."""
    fight = view["combat"]
    if fight:
        return "Rampage" if fight["rampage"] else "Combat"
    return PHASE_NAMES.get(view["phase"], "")


def initiative(view: View) -> list[Row]:
    """All seats in the order of this turn; those who are out come last.

    Who is marked has a prompt to answer: in a combat that may be another seat than the one whose
    action it is.
    """
    players = view["players"]
    order = [*view["order"], *(p["seat"] for p in players if p["seat"] not in view["order"])]
    passed = view["phase"] == "planning"
    rows = []
    for seat in order:
        if players[seat]["out"] is not None:
            state, words = "out", "out"
        elif players[seat]["deciding"]:
            state, words = "now", "to decide"
        elif seat in view["done"]:
            state, words = "done", "has passed" if passed else "is done"
        else:
            state, words = "", "still to come" if view["phase"] != "discard" else ""
        rows.append({"seat": seat, "state": state, "words": words, "player": players[seat]})
    return rows


# -- sums -----------------------------------------------------------------------------------------


def spelled(parts: Sequence[Sequence[Any]]) -> str:
    """``5 + Tail 1 + Harbor Docks 1 − Armor 1``: a value in its parts, the printed one first."""
    if not parts:
        return ""
    (_, first), *rest = parts
    added: dict[str, int] = {}
    for name, more in rest:
        added[name] = added.get(name, 0) + more
    more = (f"{'−' if amount < 0 else '+'} {name} {abs(amount)}" for name, amount in added.items())
    return " ".join([str(first), *more])


def summed(parts: Sequence[Sequence[Any]]) -> int:
    """The total of a value, at least 0."""
    total: int = sum(more for _, more in parts)
    return max(0, total)


def is_sum(parts: Sequence[Sequence[Any]]) -> bool:
    """True if a value has more than the printed number in it."""
    return len(parts) > 1


# -- cards by their number ------------------------------------------------------------------------


def card_of(number: int | None, view: View) -> View | None:
    """A character or city card by its number."""
    for player in view["players"]:
        for member in player["team"]:
            if member["card"]["id"] == number:
                card: View = member["card"]
                return card
    return next((row["card"] for row in view["city"] if row["card"]["id"] == number), None)


def owner_of(number: int, view: View) -> int | None:
    """The seat that has a character in its team, by the card's number."""
    for player in view["players"]:
        if any(member["card"]["id"] == number for member in player["team"]):
            return int(player["seat"])
    return None


def named(cards: Iterable[View]) -> str:
    """Cards of a pile by name: “Brace ×2, Gore”."""
    counts = Counter(_printed(card).title for card in cards)
    return ", ".join(
        f"{title} ×{count}" if count > 1 else title for title, count in sorted(counts.items())
    )


# -- fighters -------------------------------------------------------------------------------------


def sides(view: View) -> list[Row]:
    """Both sides of the combat, the reader's (else the starter's) first."""
    fight = view["combat"]
    if not fight:
        return []
    members = {m["card"]["id"]: m for player in view["players"] for m in player["team"]}

    def side(seat: int | None) -> Row:
        role = "sword" if fight["sword"] == seat else "shield"
        if seat is None:
            head = view["city"][0] if view["city"] else None
            return {"seat": None, "role": role, "fighters": (), "played": (), "city": head}
        fighters = [
            {**fighter, "member": members[fighter["card"]["id"]]}
            for fighter in fight["fighters"]
            if fighter["seat"] == seat and fighter["card"]["id"] in members
        ]
        fallen = [row for row in fight["fallen"] if row["seat"] == seat]
        played = [
            {**row, "words": MARKS.get(row["mark"], row["mark"])}
            for fighter in (*fighters, *fallen)
            for row in fighter["row"]
        ]
        return {"seat": seat, "role": role, "fighters": fighters, "played": played, "city": None}

    seats = [fight["starter"], None if fight["rampage"] else fight["other"]]
    if view.get("seat") is not None and view.get("seat") == seats[1]:
        seats.reverse()
    return [side(seat) for seat in seats]


def clash(view: View, names: Sequence[str]) -> list[Row]:
    """The pairs of cards between the fighters: those laid face down, else the last turned up.

    A pair has a ``sword`` and an ``answer`` (either may be None), each with ``card`` (None: hidden
    from the reader), ``mark``, ``character``; a pair that is turned up has its sums and what was
    ``dealt`` to whom (``struck``, ``striker``); it ``is_flipped`` if the Sword card belongs on the
    right.
    """
    pairs = _face_down(view)
    if not pairs and view["last"]:
        pairs = [_turned(pair, view, names) for pair in view["last"]["pairs"]]
    left = sides(view)[0]["seat"] if view["combat"] else None
    for pair in pairs:
        laid_left = (pair["sword"] or {}).get("seat") == left
        pair["is_flipped"] = left is not None and not laid_left
    return pairs


def _face_down(view: View) -> list[Row]:
    cards = [
        {**card, "character": fighter["card"], "seat": fighter["seat"], "is_down": True}
        for fighter in (view["combat"] or {}).get("fighters", ())
        for card in fighter["down"]
    ]
    answers = {card["answers"]: card for card in cards if card["role"] == "shield"}
    pairs = [
        {
            "is_down": True,
            "sword": card,
            "answer": answers.pop(card["character"]["id"], None),
            "target": card_of(card["target"], view),
        }
        for card in cards
        if card["role"] == "sword"
    ]
    # The city lays no card: its strike alone may be answered.
    strikes = [{"is_down": True, "sword": None, "answer": card} for card in answers.values()]
    return [*pairs, *strikes]


def _turned(pair: View, view: View, names: Sequence[str]) -> Row:
    def spelled_out(side: View | None) -> Row | None:
        if not side:
            return None
        return {**side, "spelled": spelled(side["sum"]) if is_sum(side["sum"]) else ""}

    return {
        **pair,
        "sword": spelled_out(pair["sword"]),
        "answer": spelled_out(pair["answer"]),
        "stopped": summed(pair["stopping"]) if pair["stopping"] else 0,
        **_fighters_of(pair, view, names),
    }


def _fighters_of(pair: View, view: View, names: Sequence[str]) -> dict[str, str]:
    """Both fighters by name; two that share one are told apart by their players."""
    fighters = {"struck": pair["target"], "striker": (pair["sword"] or {}).get("character")}
    titles = {which: _printed(card).title for which, card in fighters.items() if card}
    if len(set(titles.values())) == len(titles):
        return titles
    whose = {which: _whose(owner_of(fighters[which]["id"], view), names) for which in titles}
    begin = "Your" if whose["struck"] == "your" else whose["struck"]
    return {
        "struck": f"{begin} {titles['struck']}".strip(),
        "striker": f"{whose['striker']} {titles['striker']}".strip(),
    }


def _whose(seat: int | None, names: Sequence[str]) -> str:
    """“your”, “Bob's”; empty for the city's cards and characters that have left."""
    if seat is None:
        return ""
    return "your" if names[seat] == "You" else f"{names[seat]}'s"


def in_the_city(view: View) -> list[dict[str, Any]]:
    """All active characters, in the order of Initiative."""
    players = view["players"]
    return [
        {"seat": seat, "member": member}
        for seat in view["order"]
        for member in players[seat]["team"]
        if member["active"]
    ]


def wound(member: View) -> int:
    """How much of its Fortitude the damage is, in tenths."""
    share: float = member["damage"] / max(1, member["fortitude"])
    return min(10, round(10 * share))


def stats_of(member: View) -> list[Row]:
    """The four numbers of a character."""
    return [
        {
            "slug": slug,
            "word": word,
            "value": member[slug],
            "why": spelled(member["why"].get(slug, ())),
        }
        for slug, word in STATS
    ]


# -- the hand -------------------------------------------------------------------------------------


KINDS_OF_VALUE: Final = {"damage": "Damage", "toughness": "Toughness", "counter": "Strikes back"}
WORDS: Final = {
    "pay": "Play",
    "bluff": "Bluff",
    "lay": "Play anyway",
    "discard": "Discard",
    "play": "Play",
    "scar": "Play",
}


def _price(preview: View) -> list[tuple[str, int, str]]:
    if preview.get("bluff"):
        return []
    return [(slug, preview[slug], word) for _, slug, word in BOXES if preview.get(slug)]


def _values(view: View, preview: View) -> list[Row]:
    cards = {m["card"]["id"]: m["card"] for p in view["players"] for m in p["team"]}
    cards |= {row["card"]["id"]: row["card"] for row in view["city"]}
    word = KINDS_OF_VALUE.get(preview.get("kind", "damage"), "Damage")
    targets = preview.get("values", ())
    perhaps = ", ".join(f"+{more} {when}" for when, more in preview.get("perhaps", ()))
    # Where it is worth the same against all, it is said once.
    alike = len({(row["total"], spelled(row["sum"])) for row in targets}) == 1
    rows = targets[:1] if alike else targets
    return [
        {
            "word": word,
            "total": row["total"],
            "sum": spelled(row["sum"]) if is_sum(row["sum"]) else "",
            "target": ""
            if alike or row["target"] not in cards
            else _printed(cards[row["target"]]).title,
            "perhaps": perhaps,
        }
        for row in rows
    ]


def tiles(cards: Iterable[View], prompt: Any, view: View) -> list[Row]:
    """The cards of a hand, each with what can be done with it now, or why it cannot be played."""
    options: dict[int, list[Any]] = {}
    for option in prompt.options if prompt else ():
        if "card" in option.move:
            options.setdefault(option.move["card"], []).append(option)
    outlook = prompt.outlook if prompt else {}
    refusals = (*outlook.get("why_not", ()), *outlook.get("unpaid", ()))
    reasons = {row["card"]: (row["says"], row["rule"]) for row in refusals}
    rows = []
    for card in cards:
        begun = options.get(card["id"], [])
        begun.sort(key=lambda option: option.move["verb"] == "bluff")
        previews = [option.preview for option in begun if option.preview]
        printed = _printed(card)
        reason, rule = reasons.get(card["id"], ("", ""))
        rows.append(
            {
                "card": card,
                "type": printed,
                "choices": [_choice(option, printed.title) for option in begun],
                "values": _values(view, previews[0]) if previews else (),
                "reason": reason,
                "rule": rule,
            }
        )
    return rows


def _choice(option: Any, title: str) -> Row:
    """One way of answering with the card: “Play”, not “Play Harbor Docks”, stands beside it."""
    verb = option.move["verb"]
    word = WORDS.get(verb) or option.label.replace(title, "").strip() or "Choose"
    price = _price(option.preview or {})
    return {
        "notation": option.notation,
        "word": word,
        "bluff": verb == "bluff",
        "price": price,
    }


#: What stands once before the cards among which one chooses.
GROUPS: Final = {
    "select": "Send into the city",
    "attack": "Attack",
    "challenge": "Challenge",
    "fighter": "Play with",
    "target": "Target",
    "answer": "Answer",
    "join": "Bring in",
    "bearer": "Put it on",
    "character": "Choose",
    "city": "Choose",
    "scar": "Play",
}


def grouped_options(prompt: Any, view: View, names: Sequence[str]) -> list[Row]:
    """The options that no card of the reader's hands stands for: buttons of the tray.

    Those that choose among cards stand under a word that they have in common. Many of them have a
    column for each opponent, the same in each group.
    """
    if prompt is None:
        return []
    held = {card["id"] for card in _held(view)}
    groups: dict[str, list[Row]] = {"": []}
    for option in prompt.options:
        card = option.move.get("card")
        if card in held:
            continue
        word, named = GROUPS.get(option.move["verb"]), card_of(card, view)
        if word is None or named is None:
            groups[""].append({"notation": option.notation, "words": option.label})
            continue
        owner = _owner_of(card, view)
        whose = names[owner] if owner not in (None, view.get("seat")) and len(names) > 2 else ""
        title = _printed(named).title
        button = {"notation": option.notation, "words": title, "whose": whose}
        groups.setdefault(word, []).append(button)
    owners = [button["whose"] for word, row in groups.items() if word for button in row]
    heads = list(dict.fromkeys(owners)) if all(owners) and len(owners) > MAX_IN_LINES else []
    return [
        {"word": word, "buttons": buttons, "columns": _columns(buttons, heads if word else [])}
        for word, buttons in groups.items()
        if buttons
    ]


MAX_IN_LINES: Final = 6
"""So many buttons that choose among opponents' cards stand in lines."""


def _columns(buttons: Sequence[Row], heads: Sequence[str]) -> list[Row]:
    return [
        {"head": head, "buttons": [button for button in buttons if button["whose"] == head]}
        for head in heads
    ]


def _held(view: View) -> list[View]:
    """The cards in both hands of the reader."""
    if view.get("seat") is None:
        return []
    me = view["players"][view["seat"]]
    hands = (me["combat_hand"], me["planning_hand"])
    return [card for hand in hands if hand for card in hand.get("cards", ())]


def _owner_of(number: int, view: View) -> int | None:
    """Whose character or city card it is."""
    for player in view["players"]:
        if any(member["card"]["id"] == number for member in player["team"]):
            seat: int = player["seat"]
            return seat
    return next((row["owner"] for row in view["city"] if row["card"]["id"] == number), None)


def opened_hand(prompt: Any, view: View) -> str:
    """Which of both hands lies open: the one that something can be played from now."""
    if view.get("seat") is None or not view["players"][view["seat"]]["planning_hand"]:
        return "combat"
    me = view["players"][view["seat"]]
    planning = {card["id"] for card in me["planning_hand"].get("cards", ())}
    offered = {option.move.get("card") for option in prompt.options} if prompt else set()
    if offered & planning:
        return "planning"
    if view["phase"] in ("discard", "planning") and not view["combat"]:
        return "planning"
    return "combat"
