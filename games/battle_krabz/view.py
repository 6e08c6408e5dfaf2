"""What may be seen of a Battle Krabz table, by whom, and how it is put into words (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does. This module has the
views of Battle Mode and the words of both modes; ``multi_view`` has the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from games.battle_krabz import effects
from games.battle_krabz.rules import battle
from games.battle_krabz.state import (
    HAND,
    KINDS,
    NONE,
    SIDES,
    WARRIOR,
    Krabz,
    catalog,
)
from rules.engine.chance import Chance
from rules.engine.events import NOBODY, EventKind
from rules.engine.moves import Move, Number, Prompt, Word
from rules.engine.redeal import Redeal, other_faces

EVENTS: Final[Mapping[str, EventKind]] = {
    # Battle Mode: preparation
    "deck_brought": EventKind(("seat", "side", "count", "warriors")),
    "picked": EventKind(("seat", "card"), private="seat"),
    "hand_chosen": EventKind(("seat", "cards"), {"cards": "seat"}),
    "shuffled": EventKind(("seat", "stack", "cards"), {"cards": NOBODY}, reveals=True),
    "stacks_made": EventKind(("seat", "warriors", "supports")),
    "first_attacker": EventKind(("seat", "method", "cards"), reveals=True, fleeting=True),
    # Battle Mode: the Battle
    "battle_started": EventKind(("seat", "number", "decider"), turn=True),
    "deployed": EventKind(("seat", "card", "slot"), reveals=True, plays=True),
    "scored": EventKind(("seat", "strength", "special", "domain", "colour", "score")),
    "cut_short_proposed": EventKind(("seat",)),
    "cut_short_declined": EventKind(("seat",)),
    "booster_played": EventKind(("seat", "card"), reveals=True, plays=True),
    "boosted": EventKind(("seat", "cards", "score")),
    "no_boost": EventKind(("seat",)),
    "battle_won": EventKind(("seat", "scores")),
    "battle_tied": EventKind(("score",)),
    "power_played": EventKind(("seat", "card"), reveals=True, plays=True),
    "no_power": EventKind(("seat",)),
    "revived": EventKind(("seat", "cards")),
    "downed": EventKind(("seat", "cards")),
    "eliminated": EventKind(("seat", "cards", "score")),
    "sorted": EventKind(("seat", "card", "verb"), private="seat"),
    "ready": EventKind(("seat",)),
    "kept": EventKind(("seat", "cards")),
    "recycled": EventKind(("seat", "cards")),
    "replenished": EventKind(
        ("seat", "warriors", "supports", "cards", "known_cards"), {"cards": "seat"}, reveals=True
    ),
    # Multi-Player Mode
    "first_leader": EventKind(("seat",), reveals=True),
    "front": EventKind(("seat", "card"), private="seat", reveals=True),
    "round_started": EventKind(("seat", "number"), turn=True),
    "called": EventKind(("seat", "category")),
    "revealed": EventKind(("seat", "card", "number"), reveals=True, plays=True),
    "round_won": EventKind(("seat", "count")),
    "round_tied": EventKind(("seats", "pot")),
    "lead_passed": EventKind(("seat",)),
    "seat_out": EventKind(("seat",)),
    # both
    "resigned": EventKind(("seat", "cards"), reveals=True),
    "match_ended": EventKind(("ranking", "reason")),
}


# -- views -----------------------------------------------------------------------------------------


def view(s: Krabz, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    winner = effects.winner_of(s) if s.phase == "powers" else NONE
    return {
        "phase": s.phase,
        "battle": s.battle,
        "battle_limit": s.battle_limit,
        "decider": s.decider,
        "attacker": None if s.attacker == NONE else s.attacker,
        "winner": None if winner == NONE else winner,
        "ties": s.ties,
        "players": [_player(s, other, seat) for other in (0, 1)],
    }


def _player(s: Krabz, other: int, seat: int | None) -> dict[str, Any]:
    show = _card(s)
    own = other == seat
    hand = s.hands[other]
    preparing = s.phase == "hands"
    hidden = preparing and not own  # how many have been picked is nobody's business (R-24, P-10)
    cards = s.cards_of(other)
    return {
        "seat": other,
        "side": SIDES[s.side(other)],
        "score": s.score(other),
        "target": s.targets[other],
        "ready": other not in s.prompts if s.phase in ("hands", "stacks") else None,
        "deck": {
            "count": len(cards),
            "warriors": battle.count_warriors(s, cards),
            "list": _deck_list(s, cards) if s.open_lists or own else None,
            "cards": [show(card) for card in s.decks[other]] if own else [],
        },
        "hand": {
            "count": 0 if hidden else len(hand),
            "warriors": 0 if hidden else len(s.of_kind(other, WARRIOR)),
            "cards": [
                {**show(card), "known": s.knows(None, card)}
                for card in hand
                if own or (s.knows(seat, card) and not hidden)
            ],
        },
        "warrior_stack": _stack(s, s.warriors[other]),
        "support_stack": _stack(s, s.supports[other]),
        "line": [_deployed(s, other, card, slot) for slot, card in enumerate(s.line[other])],
        "booster": show(s.booster[other]) if s.booster[other] >= 0 else None,
        "power": show(s.power[other]) if s.power[other] >= 0 else None,
        "points": _points(s, other),
        "elimination": {
            "count": len(s.elimination[other]),
            "warriors": s.lost(other),
            "cards": [show(card) for card in s.elimination[other]],
        },
        "sorting": _sorting(s, other) if own else [],
    }


def _card(s: Any) -> Any:
    slugs = s.cards.slugs
    return lambda card: {"id": card, "slug": slugs[card]}


def _deck_list(s: Krabz, cards: Iterable[int]) -> dict[str, int]:
    slugs: dict[str, int] = {}
    for card in sorted(cards, key=s.cards.order.__getitem__):
        slug = s.cards.slugs[card]
        slugs[slug] = slugs.get(slug, 0) + 1
    return slugs


def _stack(s: Krabz, stack: Sequence[int]) -> dict[str, Any]:
    """R-36, R-37: how many, and the known cards with their places from the top."""
    show = _card(s)
    return {
        "count": len(stack),
        "known": [
            {"place": place, "card": show(card)}
            for place, card in enumerate(reversed(stack))
            if s.knows(None, card)
        ],
    }


def _deployed(s: Krabz, seat: int, card: int, slot: int) -> dict[str, Any]:
    return {
        "slot": slot + 1,
        "card": _card(s)(card),
        "strength": effects.strengths(s, seat)[card],
        "multiplier": effects.multiplier(s, seat, card),
        "special": effects.special(s, seat, card),
        "downed": card in s.downed,
    }


def _points(s: Krabz, seat: int) -> dict[str, int] | None:
    """The parts of the score, while a Battle is being fought."""
    if s.phase not in ("deployment", "boosters", "powers") or not s.line[seat]:
        return None
    p = effects.points(s, seat)
    return {
        "strength": p.strength,
        "special": p.special,
        "domain": p.domain,
        "colour": p.colour,
        "basic": p.basic_score,
        "boosted": p.boosted_score,
    }


def _sorting(s: Krabz, seat: int) -> list[dict[str, Any]]:
    """The seat's own answers so far (R-24)."""
    if s.phase != "stacks":
        return []
    show = _card(s)
    return [
        {"card": show(card), "keep": bool(keep)}
        for card, keep in zip(s.surviving(seat), s.choices[seat], strict=False)
    ]


# -- what a seat can't see, dealt anew -------------------------------------------------------------


def alike(s: Krabz, owner: int | None, card: int) -> tuple[int, bool]:
    """A seat's Warriors change places among themselves, and its other cards: how many Warriors lie
    where is known (R-36)."""
    return s.owner(card), s.cards.kind[card] == WARRIOR


def imagine(s: Krabz, others: Iterable[int], hidden: Collection[int], chance: Chance) -> None:
    """Unless lists are open, an opponent's unseen cards may be any of the catalog that the deck may
    still hold (section 9). What a seat has picked or decided unseen is made up anew: it may have
    answered more or fewer questions than in truth."""
    for other in others:
        if not s.open_lists:
            s.cards = s.cards.with_slugs(_other_faces(s, other, hidden, chance))
        if s.phase == "hands":
            _pick_anew(s, other, chance)
        elif s.phase == "stacks":
            _choose_anew(s, other, chance)


REDEAL: Final = Redeal(alike, imagine)


def _other_faces(s: Krabz, other: int, hidden: Collection[int], chance: Chance) -> dict[int, str]:
    """Other cards of the side in place of those nobody has seen."""
    deck = s.cards_of(other)
    unseen = [card for card in deck if card in hidden and card not in s.shown]
    side = SIDES[s.side(other)]
    faces: dict[int, str] = {}
    for warriors in (True, False):
        pool = [
            slug
            for slug, card in catalog().items()
            if (card.kind == KINDS[WARRIOR]) == warriors
            and card.attributes.get("side", side) == side
        ]
        alike = [card for card in unseen if (s.cards.kind[card] == WARRIOR) == warriors]
        others = [card for card in deck if card not in unseen]
        faces |= other_faces(s.cards, alike, [*alike, *others], pool, chance)
    return faces


def _pick_anew(s: Krabz, other: int, chance: Chance) -> None:
    """P-10: another first hand, or another part of one."""
    everything = [*s.decks[other], *s.hands[other]]
    if len(everything) <= HAND:
        return
    s.decks[other][:] = sorted(everything, key=s.cards.order.__getitem__)
    s.hands[other].clear()
    number = chance.pick(HAND) if other in s.prompts else HAND
    for _ in range(number):
        options = battle.choose_hand_options(s, other)
        card = options[chance.pick(len(options))].card
        assert card is not None
        s.decks[other].remove(card)
        s.hands[other].append(card)


def _choose_anew(s: Krabz, other: int, chance: Chance) -> None:
    """R-24: other answers to ``sort`` and ``replenish``, as many as may have been given."""
    survivors, choices = s.surviving(other), s.choices[other]
    prompt = s.prompts.get(other)
    answers = len(survivors) if prompt is None else chance.pick(len(survivors) + 1)
    choices[:] = [chance.pick(2) for _ in range(answers)]
    number, allowed = battle.draws(s, other)
    if prompt is not None:
        if answers < len(survivors):
            s.prompts[other] = prompt._replace(kind="sort", context=(survivors[answers],))
        else:
            s.prompts[other] = prompt._replace(kind="replenish", context=())
    elif number:
        choices.append(allowed[chance.pick(len(allowed))])


# -- words -----------------------------------------------------------------------------------------

QUESTIONS: Final[Mapping[str, str]] = {
    "choose-hand": "Choose your first hand of seven cards.",
    "deploy": "Deploy a Warrior.",
    "cut-short-reply": "Your opponent proposes to end the match here.",
    "boost": "Play a Booster?",
    "boost-target": "Choose a Warrior to boost.",
    "power": "Play a Power Card?",
    "power-target": "Choose for your Power Card.",
    "sort": "Keep or recycle?",
    "replenish": "How many Warriors do you draw?",
    "call": "Your lead: call a number of your front card.",
}

VERBS: Final[Mapping[str, str]] = {
    "done": "Done",
    "propose-cut-short": "Propose to end the match here",
    "accept": "End the match here",
    "decline": "Play on",
    "keep": "Keep",
    "recycle": "Recycle",
}

DOMAIN_NAMES: Final[Mapping[str, str]] = {
    "shore": "Shining Shore",
    "sky": "Open Sky",
    "ember": "Ember Deep",
    "grove": "Tangle Grove",
    "frost": "Frost Shelf",
}

CATEGORY_NAMES: Final[Mapping[str, str]] = {
    "attack": "Attack",
    "defence": "Defence",
    "hp": "HP",
    "special": "Special",
}

METHODS: Final[Mapping[str, str]] = {
    "coin": "by the coin",
    "hp_draw": "by the higher HP",
    "seat_1": "by agreement",
    "seat_2": "by agreement",
}

REASONS: Final[Mapping[str, str]] = {
    "target": "the target is reached",
    "tied_match": "both reached the target",
    "decider": "the decider is won",
    "no_warriors": "there are no Warriors left",
    "stalemate": "five tied Battles in a row",
    "battle_limit": "the last Battle is fought",
    "cut_short": "cut short by agreement",
    "concession": "the opponent has given up",
    "last_standing": "all others are out",
    "all_out": "nobody has a card left",
    "first_out": "somebody is out",
    "round_limit": "the last round is played",
}


def question(s: Any, prompt: Prompt, names: Sequence[str]) -> str:
    """What is asked, in one sentence."""
    match prompt.kind:
        case "choose-hand":
            picks = len(s.hands[prompt.seat])
            return f"{QUESTIONS['choose-hand']} {picks} of {HAND} chosen."
        case "deploy" if prompt.seat != s.attacker:
            most, deployed = len(s.line[s.attacker]), len(s.line[prompt.seat])
            return f"Defend: deploy a Warrior ({deployed} of at most {most})."
        case "deploy":
            return f"Attack: deploy a Warrior ({len(s.line[prompt.seat])} of at most 3)."
        case "boost-target":
            booster = s.booster[prompt.seat]
            chosen = len(s.boosted[prompt.seat])
            title, reach = s.cards.title[booster], s.cards.reach[booster]
            return f"{title}: choose a Warrior to boost ({chosen} of {reach} chosen)."
        case "power-target":
            card, (role, number, _left) = s.power[prompt.seat], prompt.context
            verb, what = effects.operations(s, prompt.seat, role, card)[number]
            doing = "revive" if verb == "revive" else "down"
            if what in ("domain", "colour"):
                kind = "Domain" if what == "domain" else "colour"
                return f"{s.cards.title[card]}: name the {kind} to {doing}."
            return f"{s.cards.title[card]}: choose a Warrior to {doing}."
        case "sort":
            return f"Keep {s.cards.title[prompt.context[0]]} in hand, or recycle it?"
        case "replenish":
            drawn, _allowed = battle.draws(s, prompt.seat)
            return f"You draw {drawn}: how many of them from the Warrior Stack?"
    return QUESTIONS[prompt.kind]


def label(s: Any, move: Move, names: Sequence[str]) -> str:
    """The words on an option's button."""
    if move.card is not None:
        card = s.cards.title[move.card]
        return f"Deploy {card}" if move.verb == "deploy" else str(card)
    match move.target:
        case Word(word):
            if move.verb == "call":
                return CATEGORY_NAMES[word]
            return DOMAIN_NAMES[word] if move.verb == "domain" else word.capitalize()
        case Number(number):
            return "No Warriors" if number == 0 else _count(number, "Warrior")
    if move.verb == "pass":
        return "No Booster" if s.phase == "boosters" else "No Power Card"
    return VERBS[move.verb]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def narrate(
    event: Mapping[str, Any], names: Sequence[str], titles: Mapping[str, str]
) -> str | None:
    """One line of the log, from an event as its reader may know it."""
    who = names[event["seat"]] if event.get("seat", NONE) != NONE else ""
    card = titles[event["card"]["slug"]] if event.get("card") else ""
    cards = ", ".join(titles[one["slug"]] for one in event.get("cards", ()))
    match event["kind"]:
        case "deck_brought":
            side = "Enemigos" if event["side"] else "Krabz"
            return (
                f"{who} brings {_count(event['count'], 'card')} of the {side}, "
                f"{_count(event['warriors'], 'Warrior')} among them."
            )
        case "hand_chosen":
            return f"Your first hand: {cards}." if cards else f"{who} has chosen a first hand."
        case "first_attacker":
            return f"{who} attacks first ({METHODS[event['method']]})."
        case "battle_started":
            battle_name = "Decider" if event["decider"] else f"Battle {event['number']}"
            return f"{battle_name}: {who} attacks."
        case "deployed":
            return f"{who} deploys {card}."
        case "scored":
            parts = [event[part] for part in ("strength", "special", "domain", "colour")]
            return f"{who} scores {' + '.join(map(str, parts))} = {event['score']}."
        case "cut_short_proposed":
            return f"{who} proposes to end the match here."
        case "cut_short_declined":
            return f"{who} plays on."
        case "booster_played":
            return f"{who} boosts with {card}."
        case "boosted":
            return f"{cards}: {who} now scores {event['score']}."
        case "no_boost":
            return f"{who} plays no Booster."
        case "battle_won":
            mine, theirs = event["scores"][event["seat"]], event["scores"][1 - event["seat"]]
            return f"{who} wins the Battle, {mine} to {theirs}."
        case "battle_tied":
            return f"The Battle is tied at {event['score']}."
        case "power_played":
            return f"{who} plays {card}."
        case "no_power":
            return f"{who} plays no Power Card."
        case "revived":
            return f"{who}'s {cards}: standing again."
        case "downed":
            return f"{who}'s {cards}: downed."
        case "eliminated":
            return f"{who} loses {cards}."
        case "kept":
            return f"{who} keeps {cards}."
        case "recycled":
            return f"{who} recycles {cards}."
        case "replenished":
            return _replenished(event, who, cards)
        case _:
            return _narrate_multi(event, names, who, card)


def _replenished(event: Mapping[str, Any], who: str, cards: str) -> str | None:
    warriors, supports = event["warriors"], event["supports"]
    if not warriors + supports:
        return None
    drawn = f"{_count(warriors, 'Warrior')} and {_count(supports, 'support card')}"
    return f"{who} draws {drawn}: {cards}." if cards else f"{who} draws {drawn}."


def _narrate_multi(
    event: Mapping[str, Any], names: Sequence[str], who: str, card: str
) -> str | None:
    match event["kind"]:
        case "first_leader":
            return f"{who} leads first."
        case "round_started":
            return f"Round {event['number']}: {who} leads."
        case "called":
            return f"{who} calls {CATEGORY_NAMES[event['category']]}."
        case "revealed":
            return f"{who} shows {card}: {event['number']}."
        case "round_won":
            return f"{who} wins the round and takes {_count(event['count'], 'card')}."
        case "round_tied":
            best = " and ".join(names[seat] for seat in event["seats"])
            return f"{best} tie: {_count(event['pot'], 'card')} in the pot."
        case "lead_passed":
            return f"The lead passes to {who}."
        case "seat_out":
            return f"{who} is out."
        case "resigned":
            return f"{who} gives up."
        case "match_ended":
            best = event["ranking"][0]
            because = REASONS[event["reason"]]
            if len(best) == 1:
                return f"{names[best[0]]} wins: {because}!"
            if len(best) == len(names):
                return f"The match is drawn: {because}."
            return f"{' and '.join(names[seat] for seat in best)} share the win: {because}."
    return None
