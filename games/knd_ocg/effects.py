"""The words of the card texts (``do`` in ``cards.toml``), each carried out in one place.

A part gets the state, the seat whose card it is, the card, which of its texts, the number of the
part in it, the Character that an attack targets (or that a trigger names), and the part itself.
What has to be asked is a prompt with the first five as its context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.knd_ocg import derived, events
from games.knd_ocg.card_texts import TYPES, Part
from games.knd_ocg.moves import DISCARD, DONE, NO, NONE_OF_THEM, PICK, TAKE, TAKE_FROM
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import cards, texts
from games.knd_ocg.rules.paying import one_of_each_kind
from games.knd_ocg.rules.texts import CHOICES, DOES, Doing, parts_of
from games.knd_ocg.state import KINDS, LEADER, Duel
from rules.engine.moves import Move, chosen
from rules.engine.prompts import Outlook, PromptKind

Context = PromptKind[int, int, int, int]


def does(*words: str) -> Callable[[Doing], Doing]:
    """Declare what these words of a part do."""

    def declare(doing: Doing) -> Doing:
        DOES.update(dict.fromkeys(words, doing))
        return doing

    return declare


def _says(s: Duel, card: int, text: int) -> str:
    """The name of the text that asks: of a Special Card its own."""
    if text == texts.SPECIAL_CARD:
        return s.cards.title[card]
    effect = s.cards.effect[card]
    if text == texts.EFFECT and effect is not None:
        return effect.name
    return s.cards.attacks[card][text].name


# -- of whom a text speaks -------------------------------------------------------------------------


def characters(s: Duel, seat: int, card: int, part: Part) -> list[int]:
    """The Characters among which a part has to choose."""
    other = 1 - seat
    match part.who:
        case "own":
            return s.field_of(seat)
        case "own-other":  # than the one under which the chosen Energy lies
            host = cards.host_of(s, s.energy)
            return [other for other in s.field_of(seat) if other != host]
        case "own-reserve":  # KND-X-26: to come in for the Active Character
            active = s.active[seat]
            return [] if active < 0 or derived.is_stuck(s, active) else s.in_reserve(seat)
        case "opposing-non-leader":
            types = s.cards.type
            return [card for card in s.field_of(other) if types[card] != LEADER]
        case "opposing-reserve":
            reserve = s.in_reserve(other)
            if "most_hp" in part.says:
                types, most = s.cards.type, part.says["most_hp"]
                never = TYPES.index(part.says["never"])
                reserve = [card for card in reserve if types[card] != never and s.hp(card) <= most]
            return reserve
    raise ValueError(f"nobody is “{part.who}”")


def meant(s: Duel, seat: int, card: int, target: int, part: Part) -> list[int]:
    """The Characters on the field to which a part does something."""
    other = 1 - seat
    match part.who:
        case "self":
            return [card] if s.on_field(card) else []
        case "target" | "defeater":
            return [target] if s.on_field(target) else []
        case "chosen":
            return [s.chosen] if s.on_field(s.chosen) else []
        case "own":
            return s.field_of(seat)
        case "own-active":
            return [s.active[seat]] if s.active[seat] >= 0 else []
        case "opposing":
            return s.field_of(other)
        case "opposing-active":
            return [s.active[other]] if s.active[other] >= 0 else []
        case "opposing-non-leaders":
            types = s.cards.type
            return [card for card in s.field_of(other) if types[card] != LEADER]
    raise ValueError(f"nobody is “{part.who}”")


def players(seat: int, part: Part) -> tuple[int, ...]:
    """The players to whom a part does something."""
    if part.who == "both":
        return (seat, 1 - seat)
    return (seat,) if part.who == "you" else (1 - seat,)


# -- marks, HP, places -----------------------------------------------------------------------------

MARKS: Final = {
    "ground": "grounded",
    "hide": "hiding",
    "safe": "safe",
    "shush": "shushed",
    "stick": "stuck",
    "ap": "ap",
    "dp": "dp",
    "dp-zero": "dp-zero",
    "no-backlash": "no-backlash",
    "second-attack": "second-attack",
    "reach-reserve": "reach-reserve",
    "allow-basic": "allow-basic",
}


@does(*MARKS)
def give_marks(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    """KND-X-22 to KND-X-27, for as long as the text says."""
    for other in meant(s, seat, card, target, part):
        cards.give_mark(
            s, other, MARKS[part.do], part.until, by=seat, source=card, amount=part.amount
        )


@does("end")
def end_states(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    for other in meant(s, seat, card, target, part):
        cards.stop_being(s, other, part.says["states"])


@does("heal")
def heal(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    for other in meant(s, seat, card, target, part):
        cards.heal(s, other, part.amount)


@does("lose-hp")
def lose_hp(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    for other in meant(s, seat, card, target, part):
        cards.lose_by_effect(s, seat, other, part.amount)


@does("destroy")
def destroy(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    """KND-R-32, KND-R-38: an opponent's card passes Pacifists by."""
    for other in meant(s, seat, card, target, part):
        if not derived.is_protected(s, seat, other):
            cards.destroy(s, other)


@does("switch")
def switch(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    """KND-R-11: the chosen Reserve Character and the Active one of its side."""
    if s.chosen < 0:
        return
    side = s.owner(s.chosen)
    s.tell(events.SWITCH, side, s.active[side], s.chosen)
    cards.switch(s, side, s.chosen)


@does("away")
def go_away(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    cards.go_away(s, card)


# -- choosing a Character --------------------------------------------------------------------------


COST: Final = -1
"""In place of a part: the cost of a Special Card, one of the own Reserve Characters."""


def _who_may_be_picked(
    s: Duel, seat: int, card: int, text: int, number: int, target: int
) -> Sequence[Move]:
    if number == COST:
        return [PICK[card] for card in s.in_reserve(seat)]
    part = parts_of(s, card, text)[number]
    options = [PICK[other] for other in characters(s, seat, card, part)]
    if options and part.says.get("optional"):
        options.append(NO)
    return options


def _picked(s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int) -> None:
    if number == COST:  # KND-R-38: own cards can destroy own Pacifists
        cards.destroy(s, chosen(move))
    elif move != NO:
        s.chosen = chosen(move)


PICK_OWN: Final[Context] = PromptKind(
    "pick-own", "Choose one of your Characters.", _who_may_be_picked
)
PICK_RESERVE: Final[Context] = PromptKind(
    "pick-reserve", "Choose one of your Reserve Characters.", _who_may_be_picked
)
PICK_OPPOSING: Final[Context] = PromptKind(
    "pick-opposing", "Choose an opposing Character.", _who_may_be_picked
)


def _with_name(kind: Context) -> Context:
    """The sentence begins with the name of the text that asks."""

    def sentence(
        s: Duel, seat: int, names: Sequence[str], card: int, text: int, number: int, target: int
    ) -> str:
        says = kind.says if number != COST else "Choose who of your Reserve is destroyed."
        return f"{_says(s, card, text)}: {says[0].lower()}{says[1:]}"

    kind.sentence(sentence)
    return kind


for _kind in (PICK_OWN, PICK_RESERVE, PICK_OPPOSING):
    BOOK.add(_with_name(_kind))
    _kind.answer(_picked)


@does("choose")
def choose(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    if part.who.startswith("opposing"):
        kind = PICK_OPPOSING
    else:
        kind = PICK_RESERVE if part.who == "own-reserve" else PICK_OWN
    s.ask(seat, kind, card, text, number, target)


def _anybody(s: Duel, seat: int, card: int, part: Part) -> bool:
    if part.who == "own":  # the Character itself is one of them
        return True
    if part.who == "own-other":  # no Energy is chosen yet
        return len(s.field_of(seat)) > 1
    return bool(characters(s, seat, card, part))


CHOICES["choose"] = _anybody


# -- Energy ----------------------------------------------------------------------------------------


def energy_hosts(s: Duel, seat: int, target: int, part: Part) -> list[int]:
    """The Characters under which an Energy card may be chosen."""
    return [target] if part.who == "target" else s.field_of(seat)


def _energy_to_pick(
    s: Duel, seat: int, card: int, text: int, number: int, target: int
) -> Sequence[Move]:
    part = parts_of(s, card, text)[number]
    return [
        TAKE_FROM[energy][host]
        for host in energy_hosts(s, seat, target, part)
        for energy in one_of_each_kind(s, host)
    ]


def _energy_picked(
    s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int
) -> None:
    s.energy = chosen(move)


PICK_ENERGY: Final[Context] = BOOK.add(
    _with_name(PromptKind("pick-energy", "Choose an Energy card.", _energy_to_pick))
)
PICK_ENERGY.answer(_energy_picked)


@does("choose-energy")
def choose_energy(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    kind = PICK_DISCARD if part.who == "own-discard" else PICK_ENERGY
    s.ask(seat, kind, card, text, number, target)


def _any_energy(s: Duel, seat: int, card: int, part: Part) -> bool:
    if part.who == "own-discard":
        letter = s.cards.energy
        return any(letter[card] >= 0 for card in s.discards[seat])
    return any(s.energy_under(host) for host in s.field_of(seat))


CHOICES["choose-energy"] = _any_energy


@does("move-energy")
def move_energy(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    """KND-R-54: it is not the Energy card of the turn."""
    if s.energy < 0 or s.chosen < 0:
        return
    cards.take_from_under(s, cards.host_of(s, s.energy), s.energy)
    cards.put_under(s, s.chosen, s.energy)
    s.tell(events.MOVE_ENERGY, seat, s.energy, s.chosen, "field")


@does("attach-energy")
def attach_energy(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    if s.energy < 0 or s.chosen < 0:
        return
    s.discards[seat].remove(s.energy)
    cards.put_under(s, s.chosen, s.energy)
    s.tell(events.MOVE_ENERGY, seat, s.energy, s.chosen, "discard")


@does("discard-energy")
def discard_energy(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    if s.energy < 0:
        return
    host = cards.host_of(s, s.energy)
    owner = s.owner(host)
    cards.take_from_under(s, host, s.energy)
    s.discards[owner].append(s.energy)
    s.tell(events.PAY, owner, host, (s.energy,))


@does("more-energy")
def more_energy(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    """KND-E-06"""
    s.energy_left += part.amount


# -- hands and decks -------------------------------------------------------------------------------


@does("draw")
def draw(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    for player in players(seat, part):
        cards.draw(s, player, part.amount)


@does("discard-deck")
def discard_deck(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    for player in players(seat, part):
        cards.discard_from_deck(s, player, part.amount)


@does("look-hand")
def look_at_hand(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    """KND-R-43: only the looking player sees the cards."""
    hand = s.hands[1 - seat]
    for other in hand:
        s.show(other, seat)
    s.tell(events.LOOK, seat, 1 - seat, tuple(hand))


@does("discard-hand")
def discard_hand(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    how = part.says["how"]
    if how == "random":
        cards.discard_at_random(s, 1 - seat, part.amount)
    elif how == "they-choose":
        s.ask(1 - seat, discard_own, card, text)
    else:
        s.ask(seat, pick_seen, card, text, number, target)


def _any_card(s: Duel, seat: int, card: int, part: Part) -> bool:
    """KND-R-30: a choice in an opposing hand needs a card there; one of a kind may find none."""
    obligatory = part.says["how"] == "you-choose" and "kinds" not in part.says
    return not obligatory or bool(s.hands[1 - seat])


CHOICES["discard-hand"] = _any_card


@BOOK.prompt("Choose a card from your hand to discard.", name="discard-own")
def discard_own(s: Duel, seat: int, card: int, text: int) -> Sequence[Move]:
    """KND-R-59: each card in hand is an option of its own."""
    return [DISCARD[card] for card in s.hands[seat]]


@discard_own.sentence
def why_discard(s: Duel, seat: int, names: Sequence[str], card: int, text: int) -> str:
    return f"{_says(s, card, text)}: choose a card from your hand to discard."


@discard_own.answer
def discard_chosen(s: Duel, seat: int, move: Move, card: int, text: int) -> None:
    cards.discard_from_hand(s, seat, chosen(move))


@BOOK.prompt("Choose a card in your opponent’s hand.", name="pick-seen")
def pick_seen(s: Duel, seat: int, card: int, text: int, number: int, target: int) -> Sequence[Move]:
    part = parts_of(s, card, text)[number]
    kinds = [KINDS.index(kind) for kind in part.says.get("kinds", KINDS)]
    return [DISCARD[card] for card in s.hands[1 - seat] if s.cards.kind[card] in kinds]


@pick_seen.sentence
def what_to_discard(
    s: Duel, seat: int, names: Sequence[str], card: int, text: int, number: int, target: int
) -> str:
    return f"{_says(s, card, text)}: choose a card that {names[1 - seat]} discards."


@pick_seen.outlook
def the_hand_seen(s: Duel, seat: int, card: int, text: int, number: int, target: int) -> Outlook:
    """``hand``: all cards of the hand, those that may not be chosen as well."""
    return {"hand": [{"id": card, "slug": s.cards.slugs[card]} for card in s.hands[1 - seat]]}


@pick_seen.answer
def seen_discarded(
    s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int
) -> None:
    cards.discard_from_hand(s, 1 - seat, chosen(move))


# -- searching the own deck ------------------------------------------------------------------------


@does("search")
def search(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    """KND-R-44: the deck is shuffled afterwards in any case."""
    s.searched.clear()
    s.tell(events.LOOK_THROUGH, seat)
    s.then(end_search, seat)
    s.ask(seat, pick_deck, card, text, number, target)


def deck_holds_cards(s: Duel, seat: int, *_context: int) -> bool:
    """The contents of a deck must not show, not even by a prompt that is not asked."""
    return bool(s.decks[seat])


@BOOK.prompt("Choose a card from your deck.", name="pick-deck", insists=deck_holds_cards)
def pick_deck(s: Duel, seat: int, card: int, text: int, number: int, target: int) -> Sequence[Move]:
    """KND-R-30, KND-R-44: one card of each name that fits, by name; or none."""
    part = parts_of(s, card, text)[number]
    fitting = [other for other in sorted(s.decks[seat]) if other not in s.searched]
    return [*_one_of_each_name(s, fitting, part), NONE_OF_THEM]


def _one_of_each_name(s: Duel, among: Sequence[int], part: Part) -> list[Move]:
    """Of cards that fit the part one of each name, sorted by name."""
    kinds = [KINDS.index(kind) for kind in part.says.get("kinds", ("energy",))]
    kind, name = s.cards.kind, s.cards.title
    first: dict[str, int] = {}
    for card in among:
        if kind[card] in kinds:
            first.setdefault(name[card], card)
    return [TAKE[first[word]] for word in sorted(first)]


@pick_deck.sentence
def what_to_take(
    s: Duel, seat: int, names: Sequence[str], card: int, text: int, number: int, target: int
) -> str:
    [kind] = parts_of(s, card, text)[number].says["kinds"]
    word = "a Character" if kind == "character" else "an Energy card"
    more = "another " if s.searched else ""
    return (
        f"{_says(s, card, text)}: take {more or word}{kind.capitalize() if more else ''} or none."
    )


@pick_deck.outlook
def the_deck(s: Duel, seat: int, card: int, text: int, number: int, target: int) -> Outlook:
    """``deck``: all its cards, sorted by name; their order is not known (KND-R-44)."""
    deck = [other for other in s.decks[seat] if other not in s.searched]
    deck.sort(key=lambda other: (s.cards.title[other], other))
    return {"deck": [{"id": other, "slug": s.cards.slugs[other]} for other in deck]}


@pick_deck.answer
def taken_from_deck(
    s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int
) -> None:
    if move == NONE_OF_THEM:
        return
    s.searched.append(chosen(move))
    if len(s.searched) < parts_of(s, card, text)[number].amount:
        s.ask(seat, pick_deck, card, text, number, target)


@BOOK.step
def end_search(s: Duel, seat: int) -> None:
    """KND-R-44: what is taken is shown; the deck is shuffled."""
    taken = tuple(s.searched)
    s.searched.clear()
    s.tell(events.SEARCH, seat, taken)
    deck = s.decks[seat]
    for card in taken:
        deck.remove(card)
    cards.shuffle_deck(s, seat)
    for card in taken:
        cards.into_hand(s, seat, card)


# -- the own discard pile --------------------------------------------------------------------------


@does("recover")
def recover(s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part) -> None:
    s.searched.clear()
    s.then(end_recovery, seat, int(part.says["to"] == "deck"))
    s.ask(seat, pick_discard, card, text, number, target)


@BOOK.prompt("Choose a card from your discard pile.", name="pick-discard")
def pick_discard(
    s: Duel, seat: int, card: int, text: int, number: int, target: int
) -> Sequence[Move]:
    """One card of each name that fits, the newest; after the first of several also “done”."""
    part = parts_of(s, card, text)[number]
    left = [other for other in reversed(s.discards[seat]) if other not in s.searched]
    options = _one_of_each_name(s, left, part)
    if options and s.searched:
        options.append(DONE)
    return options


PICK_DISCARD: Final[Context] = _with_name(pick_discard)


@pick_discard.answer
def taken_from_discard(
    s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int
) -> None:
    part = parts_of(s, card, text)[number]
    if part.do == "choose-energy":
        s.energy = chosen(move)
        return
    if move == DONE:
        return
    s.searched.append(chosen(move))
    if len(s.searched) < part.amount:
        s.ask(seat, pick_discard, card, text, number, target)


@BOOK.step
def end_recovery(s: Duel, seat: int, to_deck: int) -> None:
    taken = tuple(s.searched)
    s.searched.clear()
    s.tell(events.RECOVER, seat, taken, "deck" if to_deck else "hand")
    for card in taken:
        s.discards[seat].remove(card)
        if to_deck:
            s.decks[seat].append(card)
        else:
            cards.into_hand(s, seat, card)
    if to_deck:
        cards.shuffle_deck(s, seat)


# -- opposing cards that stay ----------------------------------------------------------------------


def standing(s: Duel, seat: int) -> list[int]:
    """The Gear of a seat's Characters and the cards that stay in its Special Card area."""
    gear = [s.gear_under(bearer) for bearer in s.field_of(seat)]
    return [*(attached for attached in gear if attached >= 0), *s.specials[seat]]


@BOOK.prompt("Choose an opposing card to be discarded.", name="pick-standing")
def pick_standing(
    s: Duel, seat: int, card: int, text: int, number: int, target: int
) -> Sequence[Move]:
    return [DISCARD[card] for card in standing(s, 1 - seat)]


_with_name(pick_standing)


@pick_standing.answer
def standing_picked(
    s: Duel, seat: int, move: Move, card: int, text: int, number: int, target: int
) -> None:
    s.chosen = chosen(move)


@does("choose-standing")
def choose_standing(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    s.ask(seat, pick_standing, card, text, number, target)


@does("discard-standing")
def discard_standing(
    s: Duel, seat: int, card: int, text: int, number: int, target: int, part: Part
) -> None:
    owner, chosen_card = 1 - seat, s.chosen
    if chosen_card in s.specials[owner]:
        s.specials[owner].remove(chosen_card)
        s.discards[owner].append(chosen_card)
        s.tell(events.DISCARD, owner, (chosen_card,), "specials")
    elif chosen_card >= 0:
        cards.take_from_under(s, cards.host_of(s, chosen_card), chosen_card)
        s.discards[owner].append(chosen_card)
        s.tell(events.DISCARD, owner, (chosen_card,), "gear")
