"""The view model of KND: OCG's templates: the view, with words worked out from it.

A player of the view has ``places``, ``characters``, ``pips`` and ``nobody`` besides, a Character
``energies``, ``carried``, ``words``, ``ways`` and ``effects``; all is worked out once a render.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import rules
from games.knd_ocg.state import FALLEN
from matches.queries.click_targets import ClickTargets, Placement
from matches.queries.table import TableOption, TablePrompt
from rules.engine.cards import CardType

GAME: Final = "knd-ocg"
LETTERS: Final = "LDSAPN"
ENERGY_WORDS: Final = {
    "L": "Leader", "D": "Defender", "S": "Spy", "A": "Attacker", "P": "Pacifist", "N": "Normal",
}  # fmt: skip
ATTACKS: Final = ("basic", "attack1", "attack2")
View: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]


def printed(card: Mapping[str, Any]) -> CardType:
    return rules.game(GAME).catalog[card["slug"]]


def table(context: Mapping[str, Any]) -> Row:
    """The variables that ``{% view_model %}`` adds to the context of the table's templates."""
    names, prompt = context["names"], context.get("prompt")
    seen: View = context["view"]
    players = [
        _player(player, seen, names, own=player["seat"] == _near_seat(seen))
        for player in seen["players"]
    ]
    view = {**seen, "players": players}
    near = players[_near_seat(view)]
    far = players[1 - near["seat"]]
    me = None if view.get("seat") is None else near
    spread = to_choose_from(view, prompt)
    return {
        "view": view,
        "me": me,
        "near": near,
        "far": far,
        "steps": [
            {"word": word, "now": name == view["turn"]["sequence"]} for name, word in SEQUENCES
        ],
        "energy_words": energy_words(view),
        "quiet_words": quiet_words(view),
        "refused": refused_hands(context.get("events", ()), view),
        "sums": clashes(view, near, far, names),
        "board": board_picks(context["picks"], prompt),
        "turn": turn_choices(prompt, view, me),
        "held_picks": hand_picks(prompt, me),
        "spread": spread,
        "offered": {card["id"] for card in spread},
        "plain": plain_options(prompt, context.get("options", ())),
    }


def _near_seat(view: View) -> int:
    """Below lies the side of whoever looks; for a spectator the side chosen, else the first."""
    seat = view.get("seat")
    return (view.get("side") or 0) if seat is None else seat


def _player(player: View, view: View, names: Sequence[str], *, own: bool) -> Row:
    def shown(character: View | None) -> Row | None:
        return _character(character, view, names) if character else None

    reserve = [shown(character) for character in player["reserve"]]
    model = {
        **player,
        "active": shown(player["active"]),
        "reserve": reserve,
        "away": [shown(character) for character in player["away"]],
        "places": [
            {"slot": f"reserve-{n}", "words": f"Reserve {n}", "character": character}
            for n, character in enumerate(reserve, 1)
        ],
        "pips": [number < player["fallen"] for number in range(FALLEN)],
        "nobody": empty_words(player, view, own),
    }
    return {**model, "characters": characters(model)}


def _character(character: View, view: View, names: Sequence[str]) -> Row:
    gear = character["gear"]
    return {
        **character,
        "energies": in_kinds(character["energy"]),
        "carried": [*([gear] if gear else []), *character["energy"]],
        "words": summed_up(character),
        "ap_class": changed(character, "ap"),
        "dp_class": changed(character, "dp"),
        "effects": marks_on(character, view, names),
        "ways": ways_of(character, view),
    }


def against(view: View, seat: int) -> View:
    """The other player."""
    other: View = view["players"][1 - seat]
    return other


# -- what lies in the Reserve and elsewhere --------------------------------------------------------


def characters(player: View) -> list[View]:
    """All Characters of a player that lie open, the Active one first."""
    places = [player["active"], *player["reserve"], *player["away"]]
    return [character for character in places if character]


def in_kinds(energy: Iterable[View]) -> list[Row]:
    """Energy by kind: its letter, its word and its cards."""
    cards: dict[str, list[int]] = {}
    for card in energy:
        cards.setdefault(str(printed(card)["energy"]), []).append(card["id"])
    return [
        {
            "letter": letter,
            "word": ENERGY_WORDS[letter],
            "cards": cards[letter],
            "count": len(cards[letter]),
        }
        for letter in LETTERS
        if letter in cards
    ]


def summed_up(character: View) -> str:
    """“Milo the Mole: 40 of 45 HP, AP 20, DP 5, 2 Spy Energy, Bike Helmet”."""
    words = [
        f"{printed(character['card']).title}: {character['hp']} of {character['most']} HP",
        f"AP {character['ap']}",
        f"DP {character['dp']}",
        *(f"{kind['count']} {kind['word']} Energy" for kind in in_kinds(character["energy"])),
    ]
    if character["gear"]:
        words.append(printed(character["gear"]).title)
    return ", ".join(words)


def changed(character: View, value: str) -> str:
    """A class where AP or DP is not as printed."""
    now, was = character[value], printed(character["card"])[value]
    return " is-up" if now > was else " is-down" if now < was else ""


# -- what works on a Character ---------------------------------------------------------------------

STATES: Final = {
    "grounded": "Grounded",
    "hiding": "Hiding",
    "safe": "Safe",
    "shushed": "Shushed",
    "stuck": "Stuck",
    "dp-zero": "DP counts as 0",
    "no-backlash": "No backlash",
    "second-attack": "Attacks twice",
    "reach-reserve": "Reaches the Reserve",
    "allow-basic": "May make a Basic Attack",
}


def marks_on(character: View, view: View, names: Sequence[str]) -> list[Row]:
    """Each mark with its end: “Grounded until your next turn”."""
    rows = []
    for mark in character["marks"]:
        kind = mark["mark"]
        word = STATES.get(kind) or f"{mark['amount']:+d} {kind.upper()}".replace("-", "−")
        rows.append({"kind": kind, "word": word, "end": _end(mark, view, names)})
    return rows


def _end(mark: View, view: View, names: Sequence[str]) -> str:
    if mark["until"] == "turn":
        return "this turn"
    if not mark["until"]:
        return ""
    whose = "your" if mark["seat"] == view.get("seat") else f"{names[mark['seat']]}’s"
    return f"until {whose} next turn"


# -- attacks ---------------------------------------------------------------------------------------


def ways_of(character: View, view: View) -> list[Row]:
    """The Special Attacks and the Special Effect of a Character, as its Energy lets them be."""
    card = printed(character["card"])
    ways = []
    for attack, ready in zip(card["attacks"], character["ready"], strict=True):
        short, means = short_of(attack)
        why = "" if ready else missing(attack["energy"], character)
        ways.append(_way(attack["name"], attack["energy"], short, means, ready, why))
    if effect := card.attributes.get("special_effect"):
        cost = effect.get("cost") or effect.get("attached") or {}
        why = "" if character["works"] else effect_why(effect, character)
        ways.append(_way(effect["name"], cost, "", "Special Effect", not why, why))
    return ways


def _way(name: str, cost: Mapping[str, int], short: str, means: str, ready: bool, why: str) -> Row:
    """A row for an attack or effect: its cost, and why it is not ready."""
    return {
        "name": name,
        "energies": _letters(cost),
        "short": short,
        "means": means,
        "ready": ready,
        "why": why,
    }


def _letters(cost: Mapping[str, int]) -> str:
    return "".join(letter * int(count) for letter, count in cost.items())


def short_of(attack: Mapping[str, Any]) -> tuple[str, str]:
    """The effect of an attack, as a sign and in words."""
    form = attack["form"]
    if form == "strike":
        if "equals" in attack:
            return "= DP", "Strike with its own DP in place of AP"
        return f"+{attack['plus']}", f"Strike: its AP and {attack['plus']} more against DP"
    if form == "clash":
        return f"× +{attack['plus']}", f"Clash: both attack, this one with {attack['plus']} more AP"
    if form == "hit":
        amount = attack["amount"]
        if amount == "target-dp":
            return "−DP", "Hit: the target loses as much HP as its own DP"
        if "per" in attack:
            return f"−{amount} each", f"Hit: {amount} HP for each card in the opponent’s hand"
        return f"−{amount}", f"Hit: the target loses {amount} HP, whatever its DP"
    return "Trick", "Trick: no damage, it does what its text says"


def missing(cost: Mapping[str, int], character: View) -> str:
    """“needs 1 more Leader Energy”: what does not lie there yet."""
    attached = {kind["letter"]: kind["count"] for kind in in_kinds(character["energy"])}
    lacking = {
        letter: count - attached.get(letter, 0)
        for letter, count in cost.items()
        if letter != "N" and attached.get(letter, 0) < count
    }
    spare = sum(attached.values()) + sum(lacking.values()) - sum(cost.values())
    words = [f"{count} more {ENERGY_WORDS[letter]}" for letter, count in lacking.items()]
    if spare < 0:
        words.append(f"{-spare} more of any type")
    return f"needs {' and '.join(words)}" + (" Energy" if lacking else "") if words else ""


def effect_why(effect: Mapping[str, Any], character: View) -> str:
    """Why a Special Effect does not work now."""
    if any(mark["mark"] == "shushed" for mark in character["marks"]):
        return "Shushed"
    where = {"active": "works while Active", "reserve": "works in the Reserve"}.get(effect["where"])
    lacking = missing(effect.get("attached", {}), character)
    return lacking or where or "does not work now"


# -- the turn --------------------------------------------------------------------------------------

SEQUENCES: Final = (("draw", "Draw"), ("play", "Play"), ("attack", "Attack"))


def energy_words(view: View) -> str:
    """How many Energy cards may still be attached this turn, in words."""
    left = view["turn"]["energy_left"]
    if not left:
        return "Energy played"
    return "1 Energy to play" if left == 1 else f"{left} Energy to play"


def quiet_words(view: View) -> str:
    """How many turns in a row were quiet, once that is more than half of the limit."""
    turns, limit = view["quiet"]["turns"], view["quiet"]["limit"]
    return f"{turns} of {limit} quiet turns" if limit and turns * 2 > limit else ""


def empty_words(player: View, view: View, own: bool) -> str:
    """The consequence of an empty Active place for its player."""
    if player["ready"] is not None:
        return "" if own else "Choosing Characters"
    if view["outcome"] or view["turn"]["seat"] != player["seat"]:
        return "No Active Character"
    if any(player["reserve"]):
        return "A Character moves up when the turn ends."
    return "Fill it before your turn ends, or you lose." if own else "No Characters left"


def refused_hands(events: Sequence[View], view: View) -> list[View]:
    """At set-up: the hands without a Character that were shown and drawn anew."""
    if view["turn"]["number"] or not events:
        return []
    return [event for event in events if event["kind"] == "mulligan"]


# -- the clash -------------------------------------------------------------------------------------


def clashes(view: View, near: View, far: View, names: Sequence[str]) -> list[Row]:
    """Both Basic Attacks, worked out, the one from below first; none where somebody is missing."""
    return [
        _sum(view, side, attacker, other, names)
        for side, attacker, other in (("near", near, far), ("far", far, near))
        if view["clash"][attacker["seat"]]
    ]


def _sum(view: View, side: str, player: View, other: View, names: Sequence[str]) -> Row:
    row = view["clash"][player["seat"]]
    mine = player["seat"] == view.get("seat")
    who = "You attack" if mine else f"{names[player['seat']]} attacks"
    attacker, target = (printed(fighter["active"]["card"]).title for fighter in (player, other))
    falls = row["defeats"] or row["falls"]
    loss, loser = (row["loss"], target) if row["loss"] else (row["backlash"], attacker)
    words = f"{loser} is defeated" if falls else f"{loser} loses {loss}" if loss else "no HP lost"
    brief = "defeats it" if row["defeats"] else "backlash" if row["backlash"] else ""
    if ends := match_result(player, other, row):
        winner = player if ends == "wins" else other
        side_wins = (
            "you win" if winner["seat"] == view.get("seat") else f"{names[winner['seat']]} wins"
        )
        brief = "a draw" if ends == "draw" else side_wins
        words += f": {brief}"
    difference = f"{row['power'] - row['defence']}".replace("-", "−")
    return {
        "side": side,
        "who": who,
        "ap": row["power"],
        "dp": row["defence"],
        "result": difference,
        "words": words,
        "brief": brief,
        "falls": falls,
    }


def match_result(player: View, other: View, row: View) -> str:
    """The match after a Basic Attack, for its attacker: "wins", "loses", "draw" or "" (goes on)."""
    won = other["fallen"] + row["defeats"] >= FALLEN
    lost = player["fallen"] + row["falls"] >= FALLEN
    if won:
        return "draw" if lost else "wins"
    return "loses" if lost or (row["falls"] and not any(player["reserve"])) else ""


# -- what can be chosen ----------------------------------------------------------------------------


def board_picks(picks: ClickTargets, prompt: TablePrompt | None) -> ClickTargets:
    """Click targets on the felt: in one's turn moving up alone, else all options."""
    if not prompt or prompt.kind != "play":
        return picks
    ups = {
        option.move["card"]: option for option in prompt.options if option.move["verb"] == "move-up"
    }
    return ClickTargets(cards=ups)


def hand_picks(prompt: TablePrompt | None, me: View | None) -> ClickTargets:
    """Cards of the hand that are picked up, each with the places where it could be laid."""
    targets = ClickTargets()
    if not prompt or not me:
        return targets
    for option in prompt.options:
        move = option.move
        if "card" not in move:
            continue
        if move["verb"] in ("place", "attach"):
            targets.uses.setdefault(move["card"], []).append(Placement(option, [_place(move, me)]))
        elif move["verb"] == "special":
            targets.uses.setdefault(move["card"], []).append(Placement(option, []))
        elif prompt.kind != "play":
            targets.cards[move["card"]] = option
    return targets


def _place(move: Mapping[str, Any], me: View) -> Mapping[str, Any]:
    """Where a card is laid: into the Reserve it goes to the free place with the lowest number."""
    target: Mapping[str, Any] = move["target"]
    if target.get("slot") != "reserve":
        return target
    free = next(number for number, character in enumerate(me["reserve"], 1) if character is None)
    return {"slot": f"reserve-{free}"}


def _choice(
    name: str,
    energies: str,
    words: str,
    option: TableOption | None,
    *,
    figure: str = "",
    deadly: bool = False,
    losing: bool = False,
    worth: int = 0,
    uses: Sequence[Placement] = (),
    ask: str = "",
) -> Row:
    """A button of the tray: an attack, an effect, fleeing; without an option it says why.

    Where it could go to several places, ``uses`` are these, and ``ask`` asks for one. ``worth``
    ranks an attack among those that are ready; 0 or less: it does more harm than good.
    """
    return {
        "main": False,
        "losing": losing,
        "worth": worth,
        "name": name,
        "energies": energies,
        "figure": figure,
        "words": words,
        "option": option,
        "deadly": deadly,
        "uses": uses,
        "ask": ask,
    }


def turn_choices(prompt: TablePrompt | None, view: View, me: View | None) -> Row | None:
    """The buttons of ``play`` and ``again``; None for other questions."""
    if not prompt or not me or prompt.kind not in ("play", "again"):
        return None
    by_verb: dict[str, list[TableOption]] = {}
    for option in prompt.options:
        by_verb.setdefault(option.move["verb"], []).append(option)
    attacks = _attacks(prompt, view, me)
    best = max(attacks, key=lambda attack: attack["worth"], default=None)
    if best and best["worth"] > 0:
        best["main"] = True
    others = [_effect(option, me) for option in by_verb.get("effect", ())]
    others += _flee(by_verb.get("flee", ()), me)
    end = next(iter(by_verb.get("end", ())), None)
    direct = {choice["option"].notation for choice in (*attacks, *others) if choice["option"]}
    rest = [
        option
        for option in prompt.options
        if option.notation not in direct and option.move["verb"] != "end"
    ]
    return {
        "attacks": attacks,
        "others": others,
        "end": _end_choice(end, prompt, main=not (best and best["main"])) if end else None,
        "rest": rest,
    }


def _attacks(prompt: TablePrompt, view: View, me: View) -> list[Row]:
    """A button for each attack and target; where one is not open, why it is not."""
    choices: list[Row] = []
    rows = prompt.outlook.get("attacks", ())
    offered = [option for option in prompt.options if option.move["verb"] in ATTACKS]
    for row in rows:
        open_ones = [
            option
            for option in offered
            if (option.move["verb"], option.move["card"]) == (row["verb"], row["card"])
        ]
        choices.append(_attack(open_ones, view, me) if open_ones else _no_attack(row, view, me))
    listed = {(row["verb"], row["card"]) for row in rows}
    return choices + [
        _attack([option], view, me)
        for option in offered
        if (option.move["verb"], option.move["card"]) not in listed
    ]


def _no_attack(row: View, view: View, me: View) -> Row:
    character = one_of(me, row["card"])
    card = printed(character["card"])
    cost = energy_of(card, row["verb"])
    why = missing(cost, character) or row["why"]
    if row["verb"] != "basic":
        figure, _ = short_of(card["attacks"][ATTACKS.index(row["verb"]) - 1])
    else:
        clash = view["clash"][me["seat"]]
        figure = _difference(clash["power"], clash["defence"]) if clash else ""
    words = f"{why[:1].lower()}{why[1:]}"
    return _choice(row["name"], _letters(cost), words, None, figure=figure)


def _difference(power: int, defence: int) -> str:
    """“25 − 30 = −5”."""
    return f"{power} − {defence} = {power - defence}".replace("= -", "= −")


def one_of(player: View, card: int) -> View:
    """The Character of a player that this card is."""
    return next(character for character in characters(player) if character["card"]["id"] == card)


def energy_of(card: CardType, verb: str) -> Mapping[str, int]:
    """The Energy that an attack needs; none for the Basic Attack."""
    none: Mapping[str, int] = {}
    return none if verb == "basic" else card["attacks"][ATTACKS.index(verb) - 1]["energy"]


def _attack(options: Sequence[TableOption], view: View, me: View) -> Row:
    option = options[0]
    verb = option.move["verb"]
    character = one_of(me, option.move["card"])
    card = printed(character["card"])
    theirs = against(view, me["seat"])
    target = option.move.get("target", {}).get("card")
    hit = next((foe for foe in characters(theirs) if foe["card"]["id"] == target), None)
    words = [f"by {card.title}"] if character is not me["active"] else []
    name = "Basic Attack" if verb == "basic" else card["attacks"][ATTACKS.index(verb) - 1]["name"]
    energies = _letters(energy_of(card, verb))
    if len(options) > 1:
        ask = f"{name}: choose a target."
        uses = [Placement(aimed, [aimed.move["target"]]) for aimed in options]
        words.append("choose a target")
        worth = max(worth_of(aimed.preview) for aimed in options)
        return _choice(name, energies, ", ".join(words), option, worth=worth, uses=uses, ask=ask)
    if hit is not None and hit is not theirs["active"]:
        words.append(f"on {printed(hit['card']).title}")
    figure, outcome = outcome_of(option.preview)
    words += [outcome] if outcome else []
    return _choice(
        name,
        energies,
        ", ".join(words),
        option,
        figure=figure or "Trick",
        deadly=bool(option.preview and option.preview["defeats"]),
        losing=bool(option.preview and option.preview["match"] == "loses"),
        worth=worth_of(option.preview),
    )


def worth_of(preview: Mapping[str, Any] | None) -> int:
    """How good an attack looks: one that wins before one that defeats, then by HP; a Trick is 1."""
    if not preview:
        return 1
    if preview["match"] == "loses":
        return -1
    wins, defeats = preview["match"] == "wins", preview["defeats"]
    return int(10_000 * wins + 1_000 * defeats + preview["loss"] - preview["backlash"])


def outcome_of(preview: Mapping[str, Any] | None) -> tuple[str, str]:
    """The effect of an attack, in figures and in words."""
    if not preview:
        return "", ""
    power, defence, loss, back = (preview[key] for key in ("power", "defence", "loss", "backlash"))
    figure = f"−{loss} HP" if preview["form"] == "hit" else _difference(power, defence)
    words = []
    if preview["defeats"]:
        words.append("defeats it")
    if preview["falls"]:
        words.append("yours is defeated")
    elif back:
        words.append(f"you lose {back} HP")
    words += [MATCH_ENDS[preview["match"]]] if preview["match"] else []
    return figure, ", ".join(words)


MATCH_ENDS: Final = {
    "wins": "you win the match",
    "loses": "you lose the match",
    "draw": "the match is a draw",
}


def _effect(option: TableOption, me: View) -> Row:
    card = printed(one_of(me, option.move["card"])["card"])
    effect = card["special_effect"]
    return _choice(effect["name"], _letters(effect.get("cost", {})), card.title, option)


def _flee(options: Sequence[TableOption], me: View) -> list[Row]:
    """One button; with several in the Reserve it is laid on who comes in."""
    if not options:
        return []
    cost = _letters(printed(me["active"]["card"])["flee"])
    if len(options) == 1:
        comes = printed(one_of(me, options[0].move["card"])["card"]).title
        return [_choice("Flee", cost, f"switch with {comes}", options[0])]
    uses = [Placement(option, [{"card": option.move["card"]}]) for option in options]
    ask = "Flee: choose a Reserve Character to switch in."
    return [_choice("Flee", cost, "choose a Character", options[0], uses=uses, ask=ask)]


def _end_choice(option: TableOption, prompt: TablePrompt, *, main: bool) -> Row:
    name = "No second attack" if prompt.kind == "again" else "End the turn"
    loses = prompt.outlook.get("ending") == "loses"
    choice = _choice(name, "", LOSING if loses else "", option, losing=loses)
    return {**choice, "main": main and not loses}


LOSING: Final = "You have no Active Character: if your turn ends now, you lose."


def to_choose_from(view: View, prompt: TablePrompt | None) -> list[View]:
    """The cards of a question that do not lie on the felt or in one's own hand.

    Of a hand that is looked at and of a deck that is looked through all are shown, those that may
    be taken first, else as the outlook lists them; of a discard pile those that are offered.
    """
    if not prompt:
        return []
    offered = {option.move.get("card") for option in prompt.options}
    for pile in ("hand", "deck"):
        if prompt.kind in ("pick-seen", "pick-deck") and pile in prompt.outlook:
            return sorted(prompt.outlook[pile], key=lambda card: card["id"] not in offered)
    if prompt.kind != "pick-discard":
        return []
    piles = (card for player in view["players"] for card in player["discard"]["cards"])
    return [card for card in piles if card["id"] in offered]


def plain_options(prompt: TablePrompt | None, options: Sequence[TableOption]) -> list[TableOption]:
    """Options that need a button of their own; cards placed at set-up are picked up instead."""
    if not prompt or not prompt.kind.startswith("setup-"):
        return list(options)
    return [option for option in options if option.move["verb"] != "place"]
