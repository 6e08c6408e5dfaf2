"""Single Play (specification, section 2.5): the Master Deck against the six Booster Decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.kaolan import events
from games.kaolan.moves import (
    ATTACH,
    ATTACK,
    DEAL,
    DISCARD_CARD,
    FIRST,
    LAST,
    MATCH,
    NO,
    RECYCLE,
    SPEND,
    TARGET,
)
from games.kaolan.rulebook import BOOK
from games.kaolan.rules.match import play_deck
from games.kaolan.solitaire import PILE_NAMES, PILES, PLAYER, Solitaire
from games.kaolan.state import (
    ABILITY,
    CHARACTER,
    NONE,
    NOTHING,
    POWER,
    Cards,
)
from rules.engine.chance import Chance
from rules.engine.legality import Decklist
from rules.engine.moves import Move, Slot, chosen
from rules.engine.prompts import Outlook, could_go, why_not

BOOSTERS: Final = tuple(f"booster-{n}" for n in range(1, 7))
SEVEN: Final = 7


# -- preparation -------------------------------------------------------------------------------


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Solitaire:
    """KAO-S-01 to KAO-S-06: both decks shuffled, four piles of 15, their top cards turned up."""
    master = Cards.sorted(play_deck((), ()))
    foes = list(play_deck(BOOSTERS, ()))
    for slug in master:
        foes.remove(slug)
    s = Solitaire.new(
        1,
        chance,
        cards=Cards.in_order((*master, *Cards.sorted(foes))),
        foes=len(master),
        deal_size=options["solo_deal"],
    )
    stock, booster = list(range(s.foes)), list(range(s.foes, len(s.cards)))
    chance.shuffle(stock)
    chance.shuffle(booster)
    s.tell(events.MATCH_STARTED, PLAYER, (*stock, *booster))
    s.stock = stock[::-1]
    size = len(booster) // PILES
    s.piles = [booster[n * size : (n + 1) * size][::-1] for n in range(PILES)]
    begin(s)
    return s


def begin(s: Solitaire) -> None:
    """KAO-S-05: turn the piles' top cards up; the first deal is made by the engine (KAO-R-71)."""
    for pile in range(PILES):
        _turn_pile(s, pile)
    _clear_abilities(s)
    s.then(solo_turn)
    s.then(solo_deal)


# -- a step of the player ----------------------------------------------------------------------


@BOOK.step
def solo_turn(s: Solitaire) -> None:
    """KAO-R-83 after every step; then the player chooses."""
    if not _over(s):
        s.then(solo_turn)
        s.ask(PLAYER, solo_play)


MATCHES: Final = tuple(MATCH[name] for name in PILE_NAMES)


@BOOK.prompt("Use the face-up card, attack, or deal on.", insists=True)
def solo_play(s: Solitaire, seat: int) -> list[Move]:
    """KAO-S-08, KAO-S-22, KAO-S-23, KAO-S-25, KAO-R-72, KAO-R-75."""
    options = []
    card, kind = s.face_up(), s.cards.kind
    if card >= 0:
        for number, pile in enumerate(s.piles):
            if pile and kind[pile[-1]] == kind[card] and matches(s, card, pile[-1]):
                options.append(MATCHES[number])
        if fits(s, card):
            options.append(ATTACH)
    if not s.attacked and can_attack(s):
        options.append(ATTACK)
    options.append(DEAL if s.stock else RECYCLE)
    return options


def matches(s: Solitaire, card: int, foe: int) -> bool:
    """KAO-S-09, KAO-S-10, KAO-R-70: same kind; Power Cards share colour (or gold) and a number."""
    cards = s.cards
    kind = cards.kind[card]
    if kind != cards.kind[foe]:  # no card is of no kind
        return False
    if kind != POWER:
        return kind not in (CHARACTER, NOTHING)
    return bool(
        cards.accepts[card] & cards.accepts[foe] & (cards.colour[card] | cards.colour[foe])
        and cards.numbers[card] & cards.numbers[foe]
    )


def fits(s: Solitaire, card: int) -> bool:
    """KAO-S-20, KAO-S-22, KAO-S-23: the card can go under the own Character."""
    if card < 0 or s.own < 0:
        return False
    cards = s.cards
    kind = cards.kind[card]
    if kind != POWER:
        return kind == ABILITY and s.ability < 0
    room = cards.limit[s.own] + cards.extra_limit[s.ability]
    accepted = cards.accepts[s.own] | cards.opens[s.ability]
    return len(s.powers) < room and cards.colour[card] & accepted != 0


def can_attack(s: Solitaire) -> bool:
    """KAO-S-25."""
    return s.own >= 0 and bool(s.powers) and bool(s.characters_on_piles())


@solo_play.outlook
def whom_to_attack(s: Solitaire, seat: int) -> Outlook:
    """KAO-S-25: the piles with a Character, any of which may be fought first."""
    options = solo_play.options(s, seat)
    outlook: Outlook = {"why_not": _idle_cards(s, options)}
    if ATTACK in options:
        piles = (Slot(PILE_NAMES[pile]) for pile in s.characters_on_piles())
        outlook["places"] = [could_go(ATTACK, None, *piles)]
    return outlook


def _idle_cards(s: Solitaire, options: Sequence[Move]) -> list[dict[str, Any]]:
    """Why the face-up cards that are no answer now cannot be used or removed."""
    card, kind = s.face_up(), s.cards.kind
    rows = []
    if card >= 0 and ATTACH not in options:
        rows.append(why_not(card, *_unattached(s, card)))
    for number, pile in enumerate(s.piles):
        if not pile or MATCHES[number] in options:
            continue
        if kind[pile[-1]] != CHARACTER:
            rows.append(why_not(pile[-1], "Your face-up card does not match it.", "KAO-S-09"))
        elif ATTACK not in options:
            rows.append(why_not(pile[-1], *_unfought(s)))
    return rows


def _unattached(s: Solitaire, card: int) -> tuple[str, str]:
    kind = s.cards.kind[card]
    if kind not in (POWER, ABILITY):
        return "It can only be matched with a card on a pile.", "KAO-S-09"
    if s.own < 0:
        return "You have no Character yet to put it under.", "KAO-S-19"
    if kind == ABILITY:
        return "Your Character has a Special Ability already.", "KAO-S-23"
    return "Your Character has no room for it, or does not take its colour.", "KAO-S-22"


def _unfought(s: Solitaire) -> tuple[str, str]:
    if s.attacked:
        return "You have attacked since the last deal: deal first.", "KAO-R-75"
    return "A Character falls in battle alone; for that yours needs a Power Card.", "KAO-S-25"


@solo_play.answer
def use_face_up_card(s: Solitaire, seat: int, move: Move) -> None:
    verb = move.verb
    if verb == DEAL.verb:
        deal(s)
    elif verb == ATTACH.verb:
        _attach(s)
    elif verb == ATTACK.verb:
        _begin_attack(s, forced=False)
    elif verb == RECYCLE.verb:
        s.ask(seat, solo_recycle)
    else:
        assert isinstance(move.target, Slot)
        _match(s, PILE_NAMES.index(move.target.slot))


def _match(s: Solitaire, pile: int) -> None:
    """KAO-S-11 to KAO-S-13: both cards go to the Discard Piles of their own sides."""
    card = s.waste.pop()
    s.tell(events.MATCHED, PLAYER, card, s.top(pile), PILE_NAMES[pile])
    s.master_discard.append(card)
    _remove_foe(s, pile)
    _turn_pile(s, pile)
    _clear_abilities(s)
    turn_up(s)


def _attach(s: Solitaire) -> None:
    """KAO-S-22, KAO-S-23."""
    card = s.waste.pop()
    if s.cards.kind[card] == POWER:
        s.powers.append(card)
    else:
        s.ability = card
    s.tell(events.ATTACHED, PLAYER, card, s.own)
    turn_up(s)


def deal(s: Solitaire) -> None:
    """KAO-S-07, KAO-R-71: up to ``solo_deal`` cards, the last of them face up."""
    count = min(s.deal_size, len(s.stock))
    s.waste += s.stock[: -count - 1 : -1]
    del s.stock[len(s.stock) - count :]
    s.deals += 1
    s.attacked = False
    s.tell(events.DEALT_ON, PLAYER, count)
    turn_up(s)


@BOOK.step
def solo_deal(s: Solitaire) -> None:
    """The next deal, as a step of its own."""
    deal(s)


@BOOK.step
def solo_reveal(s: Solitaire) -> None:
    """The dealt pile's top card has just become its top."""
    turn_up(s)


@BOOK.prompt("The stock is used up: discard the card dealt first or the one dealt last.")
def solo_recycle(s: Solitaire, seat: int) -> list[Move]:
    """KAO-R-73: discard the card dealt first or the one dealt last."""
    return [FIRST, LAST] if len(s.waste) > 1 else [LAST]


@solo_recycle.answer
def recycle(s: Solitaire, seat: int, move: Move) -> None:
    """KAO-S-15, KAO-R-73: one card is discarded, the rest turned over in one block; then a deal."""
    card = s.waste.pop(0 if move == FIRST else -1)
    s.tell(events.DISCARDED, PLAYER, card)
    s.master_discard.append(card)
    s.reveal(card)
    s.stock = s.waste[::-1]
    s.waste.clear()
    s.open.clear()
    s.passes += 1
    s.deals = 0
    s.tell(events.PASSED_THROUGH, PLAYER, s.passes)
    if s.stock:
        deal(s)


def turn_up(s: Solitaire) -> None:
    """KAO-R-74: a card becomes the face-up top card of the dealt pile; Characters act at once."""
    kind, waste, known = s.cards.kind, s.waste, s.open
    while waste:
        card = waste[-1]
        if card not in known:
            known.append(card)
            s.reveal(card)
            s.tell(events.REVEALED, PLAYER, card)
        if kind[card] != CHARACTER:
            return
        if s.own >= 0:
            if can_attack(s):
                _begin_attack(s, forced=True)
            return
        s.own = waste.pop()
        s.tell(events.SET_ASIDE, PLAYER, card)


# -- the booster piles -------------------------------------------------------------------------


def _turn_pile(s: Solitaire, pile: int) -> None:
    """KAO-S-12: the next card is turned face up."""
    card = s.top(pile)
    if card >= 0:
        s.reveal(card)
        s.tell(events.PILE_TURNED, PILE_NAMES[pile], card)


def _remove_foe(s: Solitaire, pile: int) -> None:
    card = s.piles[pile].pop()
    s.foe_discard.append(card)
    s.tell(events.REMOVED, PLAYER, card, PILE_NAMES[pile])


def _clear_abilities(s: Solitaire) -> None:
    """KAO-S-18, KAO-R-81: four Special Abilities go together, and again if four more come."""
    kind = s.cards.kind
    while all(kind[card] == ABILITY for card in s.tops()):
        for pile in range(PILES):
            _remove_foe(s, pile)
        for pile in range(PILES):
            _turn_pile(s, pile)


# -- battle ------------------------------------------------------------------------------------


def _begin_attack(s: Solitaire, *, forced: bool) -> None:
    """KAO-R-79: the Characters face up now are listed and fought one after the other."""
    s.listed = s.characters_on_piles()
    s.forced = forced
    s.attacked = True
    s.tell(events.ATTACK, PLAYER, forced)
    s.then(solo_attack)


@BOOK.step
def solo_attack(s: Solitaire) -> None:
    """KAO-R-79: over when the list is empty or the own Character has no Power Card left."""
    if _over(s):
        return
    if s.listed and s.own >= 0 and s.powers:
        s.then(solo_attack)
        s.ask(PLAYER, solo_target)
    else:
        s.listed.clear()
        s.forced = False


@BOOK.prompt("Attack: choose the Character to fight.")
def solo_target(s: Solitaire, seat: int) -> list[Move]:
    return [TARGET[PILE_NAMES[pile]] for pile in s.listed]


@solo_target.answer
def battle(s: Solitaire, seat: int, move: Move) -> None:
    """KAO-S-27, KAO-S-28: the booster side rolls first; a miss may be repeated by Battle Fury."""
    assert isinstance(move.target, Slot)
    pile = PILE_NAMES.index(move.target.slot)
    s.listed.remove(pile)
    s.tell(events.BATTLE, move.target.slot, s.top(pile))
    hit = _foe_volley(s, pile)
    if not hit and "battle_fury" in s.effects_against(pile):
        hit = _foe_volley(s, pile)
    if not hit:
        _own_volley(s, pile)
    elif s.effect_under() == "second_wind" and s.powers:
        s.ask(seat, solo_second_wind, pile)
    else:
        _lose(s)


def foe_hits(s: Solitaire, pile: int) -> tuple[int, bool, bool]:
    """KAO-R-77, KAO-R-86: a mask of numbers; whether doubles hit, and whether they miss."""
    effects = s.effects_against(pile)
    mask = s.numbers_against(pile) | (1 << SEVEN if "hunters_mark" in effects else 0)
    return mask, "twin_fangs" in effects, s.effect_under() == "shadow_step"


def own_hits(s: Solitaire, pile: int) -> tuple[int, bool, bool]:
    """KAO-S-30, KAO-R-86: the same for the player's Volley; Steel Scales denies a total of 7."""
    effects = s.effects_against(pile)
    mask = s.own_numbers() & ~(1 << SEVEN if "steel_scales" in effects else 0)
    return mask, s.effect_under() == "twin_fangs", "shadow_step" in effects


def lands(hits: tuple[int, bool, bool], a: int, b: int) -> bool:
    """KAO-R-86: a number or an ability says so, and no ability denies it."""
    mask, doubles_hit, doubles_miss = hits
    if a == b and doubles_miss:
        return False
    return mask >> (a + b) & 1 == 1 or (a == b and doubles_hit)


def _foe_volley(s: Solitaire, pile: int) -> bool:
    return _roll(s, "foe_volley", foe_hits(s, pile), s.others(pile))


def _roll(s: Solitaire, stage: str, hits: tuple[int, bool, bool], cards: Sequence[int]) -> bool:
    """``cards`` are those whose numbers count; what matches is told with the roll."""
    a, b = s.chance.die(), s.chance.die()
    success = lands(hits, a, b)
    matched: tuple[int, ...] = ()
    ability = ""
    if success:
        numbers = s.cards.numbers
        matched = tuple([card for card in cards if numbers[card] >> (a + b) & 1])
        if not matched:
            ability = "twin_fangs" if a == b else "hunters_mark"
    s.tell(events.ROLLED, stage, PLAYER, (a, b), success, matched, ability)
    return success


@BOOK.prompt("They hit. Second Wind: discard a Power Card to make them roll again?")
def solo_second_wind(s: Solitaire, seat: int, pile: int) -> list[Move]:
    return [*(SPEND[power] for power in s.powers), NO]


@solo_second_wind.answer
def make_them_roll_again(s: Solitaire, seat: int, move: Move, pile: int) -> None:
    """Second Wind: the booster rolls one more time, and that roll stands; once per battle."""
    if move == NO:
        _lose(s)
        return
    _discard_power(s, chosen(move))
    if _foe_volley(s, pile):
        _lose(s)
    else:
        _own_volley(s, pile)


def _discard_power(s: Solitaire, power: int) -> None:
    s.powers.remove(power)
    s.master_discard.append(power)
    s.tell(events.DISCARDED, PLAYER, power)


def _own_volley(s: Solitaire, pile: int) -> None:
    """KAO-S-30 to KAO-S-32; Phoenix Heart replaces a hit, Thorn Hide follows a miss."""
    effects = s.effects_against(pile)
    if _roll(s, "own_volley", own_hits(s, pile), s.powers):
        if "phoenix_heart" in effects:
            _burn_phoenix(s)
        else:
            _win_battle(s, pile)
    elif "thorn_hide" in effects:
        s.ask(PLAYER, solo_thorn)


def _burn_phoenix(s: Solitaire) -> None:
    """Phoenix Heart on a pile: it is discarded instead, and nothing else is removed."""
    for pile in range(PILES):
        if s.cards.effect[s.top(pile)] == "phoenix_heart":
            _remove_foe(s, pile)
            _turn_pile(s, pile)
            break
    _clear_abilities(s)


def _win_battle(s: Solitaire, fought: int) -> None:
    """KAO-S-31, KAO-S-32, KAO-R-79: the defeated Character and every other face-up card."""
    kind = s.cards.kind
    losers = [
        pile
        for pile in range(PILES)
        if s.piles[pile] and (pile == fought or kind[s.top(pile)] != CHARACTER)
    ]
    for pile in losers:
        _remove_foe(s, pile)
    for pile in losers:
        _turn_pile(s, pile)
    _clear_abilities(s)


@BOOK.prompt("Thorn Hide: discard one of your Power Cards.")
def solo_thorn(s: Solitaire, seat: int) -> list[Move]:
    return [DISCARD_CARD[power] for power in s.powers]


@solo_thorn.answer
def thorn_hits(s: Solitaire, seat: int, move: Move) -> None:
    _discard_power(s, chosen(move))


def _lose(s: Solitaire) -> None:
    """KAO-S-29, KAO-R-78: the own group goes, in a forced attack the revealed Character, too."""
    fallen = [s.own, *s.powers, *([s.ability] if s.ability >= 0 else [])]
    s.tell(events.DEFEATED, PLAYER, s.own)
    s.own = s.ability = NONE
    s.powers.clear()
    s.listed.clear()
    forced = s.forced
    if forced:
        fallen.append(s.waste.pop())
    for card in fallen:
        s.master_discard.append(card)
        s.tell(events.DISCARDED, PLAYER, card)
    if forced:
        turn_up(s)


# -- the end -----------------------------------------------------------------------------------


def _over(s: Solitaire) -> bool:
    """KAO-R-83: winning comes first."""
    if not any(s.piles):
        _finish(s, "cleared")
    elif not s.stock and not s.waste:
        _finish(s, "out_of_cards")
    return s.outcome is not None


def concede(s: Solitaire, seat: int) -> None:
    """KAO-R-23: the run ends with the score reached."""
    s.tell(events.RESIGNED, seat)
    _finish(s, "resigned")


def _finish(s: Solitaire, reason: str) -> None:
    winners = (PLAYER,) if reason == "cleared" else ()
    s.end([(PLAYER,)], reason, winners=winners, details=(("score", s.score),))
    s.tell(events.RUN_ENDED, PLAYER, s.score, reason)
