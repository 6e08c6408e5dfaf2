"""Battle Mode (specification, sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.battle_krabz import effects
from games.battle_krabz.legality import cards_of, check_table
from games.battle_krabz.rules.book import BOOK
from games.battle_krabz.state import (
    BOOSTER,
    HAND,
    LOSER,
    NONE,
    POWER,
    WARRIOR,
    WINNER,
    Cards,
    Krabz,
)
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal, one_a_seat
from rules.engine.moves import ByCard, ByTarget, Move, Number, Word

LARGEST_LINE: Final = 3
TIES_FOR_STALEMATE: Final = 5
TIED_DECIDERS_FOR_DRAW: Final = 3

PICK = ByCard("pick")
DEPLOY = ByCard("deploy")
BOOST = ByCard("boost")
PLAY = ByCard("play")
TARGET = ByCard("target")
DOMAIN = ByTarget("domain", Word)
COLOUR = ByTarget("colour", Word)
TAKE = ByTarget("take", Number)

DONE: Final = Move("done")
PASS: Final = Move("pass")
PROPOSE: Final = Move("propose-cut-short")
ACCEPT: Final = Move("accept")
DECLINE: Final = Move("decline")
KEEP: Final = Move("keep")
RECYCLE: Final = Move("recycle")
SORT: Final = (KEEP, RECYCLE)


# -- preparation -----------------------------------------------------------------------------------


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Krabz:
    """P-13: decks are checked; both seats choose their hands at the same time, unseen."""
    one_a_seat(decks, seats)
    must_be_legal(check_table("battle", decks, options))
    cards, (first, _second) = Cards.of_decks(map(cards_of, decks), chance)
    s = Krabz.lay(chance, cards, first.stop, options)
    for seat in (0, 1):
        s.decks[seat] = sorted(s.cards_of(seat), key=s.cards.order.__getitem__)
    set_targets(s, options["target"])
    for seat in (0, 1):
        warriors = count_warriors(s, s.decks[seat])
        s.tell("deck_brought", seat, s.side(seat), len(s.decks[seat]), warriors)
    choose_hands(s)
    return s


def set_targets(s: Krabz, target: int | str) -> None:
    """P-03, R-11: a number for both, or all of the opponent's Warriors for each."""
    for seat in (0, 1):
        of_opponent = count_warriors(s, s.cards_of(1 - seat))
        s.targets[seat] = target if isinstance(target, int) else of_opponent


def count_warriors(s: Krabz, cards: Sequence[int]) -> int:
    kind = s.cards.kind
    return sum(1 for card in cards if kind[card] == WARRIOR)


def choose_hands(s: Krabz) -> None:
    """P-10, R-08: both seats pick 7 cards of their decks; a deck of 7 or fewer is taken whole."""
    s.phase = "hands"
    s.then("make_stacks")
    for seat in (0, 1):
        if len(s.decks[seat]) <= HAND:
            s.hands[seat] = s.decks[seat]
            s.decks[seat] = []
            s.tell("hand_chosen", seat, tuple(s.hands[seat]))
        else:
            s.ask(seat, "choose-hand")


@BOOK.question("choose-hand")
def choose_hand_options(s: Krabz, seat: int) -> Sequence[Move]:
    """P-10: any card; the last pick must be a Warrior if there is none in the hand yet."""
    cards, kind = s.decks[seat], s.cards.kind
    if len(s.hands[seat]) == HAND - 1 and not s.has_warrior(seat):
        cards = [card for card in cards if kind[card] == WARRIOR]
    return [PICK[card] for card in cards]


@BOOK.answer("choose-hand")
def choose_hand(s: Krabz, seat: int, move: Move) -> None:
    assert move.card is not None
    s.decks[seat].remove(move.card)
    s.hands[seat].append(move.card)
    s.tell("picked", seat, move.card)
    if len(s.hands[seat]) < HAND:
        s.ask(seat, "choose-hand")
    else:
        s.tell("hand_chosen", seat, tuple(s.hands[seat]))


@BOOK.step
def make_stacks(s: Krabz) -> None:
    """P-11, R-10: the rest of each deck, split in two and shuffled."""
    kind = s.cards.kind
    for seat in (0, 1):
        rest = s.decks[seat]
        s.decks[seat] = []
        s.warriors[seat] = [card for card in rest if kind[card] == WARRIOR]
        s.supports[seat] = [card for card in rest if kind[card] != WARRIOR]
        _shuffle(s, seat, "warrior", s.warriors[seat])
        _shuffle(s, seat, "support", s.supports[seat])
        s.tell("stacks_made", seat, len(s.warriors[seat]), len(s.supports[seat]))
    s.then("find_first_attacker")


def _shuffle(s: Krabz, seat: int, stack: str, cards: list[int]) -> None:
    """The shuffled order is told from the top card down; a stack ends with its top card."""
    s.chance.shuffle(cards)
    s.tell("shuffled", seat, stack, tuple(cards))
    cards.reverse()


@BOOK.step
def find_first_attacker(s: Krabz) -> None:
    """P-12, R-09"""
    method = s.first_attacker
    shown: tuple[int, ...] = ()
    if method in ("seat_1", "seat_2"):
        s.attacker = int(method == "seat_2")
    else:
        if method == "hp_draw" and all(s.warriors):
            shown = tuple(stack[-1] for stack in s.warriors)
        first, second = (s.cards.hp[card] for card in shown) if shown else (0, 0)
        if first == second:
            method = "coin"
            s.attacker = s.chance.pick(2)
        else:
            s.attacker = 0 if first > second else 1
    s.tell("first_attacker", s.attacker, method, shown)
    if shown:
        s.shown.extend(shown)
        for seat in (0, 1):
            s.warriors[seat].reverse()
            _shuffle(s, seat, "warrior", s.warriors[seat])
    s.then("begin_battle")


# -- Phase 1: Deployment ---------------------------------------------------------------------------


@BOOK.step
def begin_battle(s: Krabz) -> None:
    """B-01, B-03: the next Battle; a decider only if both seats have a Warrior left (R-29)."""
    if s.decider and not _both_can_fight(s):
        return
    s.battle += 1
    s.phase = "deployment"
    s.proposed = False
    s.tell("battle_started", s.attacker, s.battle, s.decider)
    s.then("open_boosters")
    s.then("deployment", 1 - s.attacker)
    s.then("deployment", s.attacker)


def _both_can_fight(s: Krabz) -> bool:
    left = [bool(s.warriors[seat]) or s.has_warrior(seat) for seat in (0, 1)]
    if all(left):
        return True
    finish(s, "no_warriors", left.index(True) if any(left) else NONE)
    return False


@BOOK.step
def deployment(s: Krabz, seat: int) -> None:
    """B-10, B-11: up to three Warriors; the Defender at most as many as the Attacker."""
    most = LARGEST_LINE if seat == s.attacker else len(s.line[s.attacker])
    if len(s.line[seat]) < most and s.has_warrior(seat):
        s.ask(seat, "deploy")
    else:
        end_deployment(s, seat)


@BOOK.question("deploy")
def deploy_options(s: Krabz, seat: int) -> Sequence[Move]:
    """R-12: at least one Warrior. R-32: the first pick may propose to cut the match short."""
    kind = s.cards.kind
    options = [DEPLOY[card] for card in s.hands[seat] if kind[card] == WARRIOR]
    if s.line[seat]:
        options.append(DONE)
    elif seat == s.attacker and s.cut_short and s.battle > 1 and not (s.proposed or s.decider):
        options.append(PROPOSE)
    return options


@BOOK.answer("deploy")
def deploy(s: Krabz, seat: int, move: Move) -> None:
    """R-13: seen at once, one by one."""
    if move == PROPOSE:
        s.tell("cut_short_proposed", seat)
        s.ask(1 - seat, "cut-short-reply")
    elif move == DONE:
        end_deployment(s, seat)
    else:
        assert move.card is not None
        play_from_hand(s, seat, move.card)
        s.line[seat].append(move.card)
        s.tell("deployed", seat, move.card, len(s.line[seat]))
        s.then("deployment", seat)


def play_from_hand(s: Krabz, seat: int, card: int) -> None:
    """R-37: a card that is played is known to all from now on."""
    s.hands[seat].remove(card)
    s.reveal(card)


def end_deployment(s: Krabz, seat: int) -> None:
    """B-17: the line is complete, its score final."""
    p = effects.points(s, seat)
    s.tell("scored", seat, p.strength, p.special, p.domain, p.colour, p.basic_score)


@BOOK.question("cut-short-reply")
def cut_short_options(s: Krabz, seat: int) -> Sequence[Move]:
    return (ACCEPT, DECLINE)


@BOOK.answer("cut-short-reply")
def cut_short(s: Krabz, seat: int, move: Move) -> None:
    """B-74, R-32"""
    if move == ACCEPT:
        finish(s, "cut_short", fewer_lost(s))
    else:
        s.proposed = True
        s.tell("cut_short_declined", seat)
        s.then("deployment", s.attacker)


# -- Phase 2: Boosters -----------------------------------------------------------------------------


@BOOK.step
def open_boosters(s: Krabz) -> None:
    """B-20, B-21, B-24: the lower Basic Battle Score decides first; if equal, the Attacker."""
    s.phase = "boosters"
    other = 1 - s.attacker
    lower = effects.points(s, other).basic_score < effects.points(s, s.attacker).basic_score
    first = other if lower else s.attacker
    s.then("compare_scores")
    s.then("booster", 1 - first)
    s.then("booster", first)


@BOOK.step
def booster(s: Krabz, seat: int) -> None:
    s.ask(seat, "boost")


@BOOK.question("boost")
def boost_options(s: Krabz, seat: int) -> Sequence[Move]:
    """B-22, R-16: any Booster in hand, or none, whatever the scores."""
    return [*(BOOST[card] for card in s.of_kind(seat, BOOSTER)), PASS]


@BOOK.answer("boost")
def boost(s: Krabz, seat: int, move: Move) -> None:
    """B-25 to B-27"""
    if move == PASS:
        s.tell("no_boost", seat)
        return
    assert move.card is not None
    play_from_hand(s, seat, move.card)
    s.booster[seat] = move.card
    s.tell("booster_played", seat, move.card)
    if s.cards.reach[move.card] < len(s.line[seat]):
        s.ask(seat, "boost-target")
    else:
        _boosted(s, seat, s.line[seat])


@BOOK.question("boost-target")
def boost_target_options(s: Krabz, seat: int) -> Sequence[Move]:
    """R-14: any deployed Warrior, not only the strongest."""
    return [TARGET[card] for card in s.line[seat] if card not in s.boosted[seat]]


@BOOK.answer("boost-target")
def boost_target(s: Krabz, seat: int, move: Move) -> None:
    assert move.card is not None
    chosen = [*s.boosted[seat], move.card]
    if len(chosen) < s.cards.reach[s.booster[seat]]:
        s.boosted[seat] = chosen
        s.ask(seat, "boost-target")
    else:
        _boosted(s, seat, chosen)


def _boosted(s: Krabz, seat: int, chosen: Sequence[int]) -> None:
    s.boosted[seat] = [card for card in s.line[seat] if card in chosen]
    s.tell("boosted", seat, tuple(s.boosted[seat]), effects.points(s, seat).boosted_score)


@BOOK.step
def compare_scores(s: Krabz) -> None:
    """B-30, B-31"""
    first, second = (effects.points(s, seat).boosted_score for seat in (0, 1))
    if first == second:
        s.tell("battle_tied", first)
        tied_battle(s)
    else:
        winner = 0 if first > second else 1
        s.tell("battle_won", winner, (first, second))
        if s.decider:
            finish(s, "decider", winner)
        else:
            s.ties = 0
            open_powers(s, winner)


# -- Phase 3: Power Cards --------------------------------------------------------------------------


def open_powers(s: Krabz, winner: int) -> None:
    """B-40, B-41: the Loser's Warriors are downed, the Loser decides first."""
    s.phase = "powers"
    s.downed = s.line[1 - winner][:]
    s.then("eliminate", winner)
    s.ask(1 - winner, "power", LOSER)


@BOOK.question("power")
def power_options(s: Krabz, seat: int, role: int) -> Sequence[Move]:
    """R-18: only cards that do something."""
    held = s.of_kind(seat, POWER)
    return [*(PLAY[card] for card in held if effects.playable(s, seat, role, card)), PASS]


@BOOK.answer("power")
def power(s: Krabz, seat: int, move: Move, role: int) -> None:
    """B-42 to B-44, R-19: the Loser's card takes effect, then the Winner may answer."""
    if move == PASS:
        s.tell("no_power", seat)
        return
    assert move.card is not None
    play_from_hand(s, seat, move.card)
    s.power[seat] = move.card
    s.tell("power_played", seat, move.card)
    if role == LOSER:
        s.then("answer_power", 1 - seat)
    for number in reversed(range(len(effects.operations(s, seat, role, move.card)))):
        s.then("operation", seat, role, number)


@BOOK.step
def answer_power(s: Krabz, winner: int) -> None:
    s.ask(winner, "power", WINNER)


@BOOK.step
def operation(s: Krabz, seat: int, role: int, number: int) -> None:
    """R-21: one operation of the seat's Power Card; without an object it is skipped."""
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    objects = effects.eligible(s, seat, doing)
    what = doing[1]
    if not objects:
        return
    if what == "all" or (isinstance(what, int) and what >= len(objects)):
        effects.hit(s, role, doing, objects)
    else:
        s.ask(seat, "power-target", role, number, what if isinstance(what, int) else 1)


@BOOK.question("power-target")
def power_target_options(s: Krabz, seat: int, role: int, number: int, left: int) -> Sequence[Move]:
    """The Warriors that may be hit, or the Domains or colours found among them."""
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    objects = effects.eligible(s, seat, doing)
    if doing[1] in ("domain", "colour"):
        moves = DOMAIN if doing[1] == "domain" else COLOUR
        return [moves[word] for word in effects.named(s, doing, objects)]
    return [TARGET[card] for card in objects]


@BOOK.answer("power-target")
def power_target(s: Krabz, seat: int, move: Move, role: int, number: int, left: int) -> None:
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    if isinstance(move.target, Word):
        objects = effects.eligible(s, seat, doing)
        effects.hit(s, role, doing, effects.named(s, doing, objects)[move.target.word])
        return
    assert move.card is not None
    effects.hit(s, role, doing, [move.card])
    if left > 1:
        s.ask(seat, "power-target", role, number, left - 1)


# -- Phase 4: Eliminate, recycle and replenish -----------------------------------------------------


@BOOK.step
def eliminate(s: Krabz, winner: int) -> None:
    """B-50 to B-53, R-23: eliminations, scores, the end of the match; then sorting."""
    s.phase = "stacks"
    for seat in (0, 1):
        gone = [card for card in s.line[seat] if card in s.downed]
        if seat != winner and s.booster[seat] >= 0:
            gone.append(s.booster[seat])
            s.booster[seat] = NONE
            s.boosted[seat] = []
        if s.power[seat] >= 0:
            gone.append(s.power[seat])
            s.power[seat] = NONE
        s.line[seat] = [card for card in s.line[seat] if card not in s.downed]
        s.boosted[seat] = [card for card in s.boosted[seat] if card not in s.downed]
        s.elimination[seat].extend(gone)
        if gone:
            s.tell("eliminated", seat, tuple(gone), s.score(1 - seat))
    s.downed.clear()
    s.swung.clear()
    if not match_ends(s):
        sort_and_replenish(s)


def tied_battle(s: Krabz) -> None:
    """B-70, R-27: no Phase 3, no losses; both recycle all they have played."""
    s.phase = "stacks"
    if s.decider:
        s.decider += 1
        if s.decider > TIED_DECIDERS_FOR_DRAW:
            finish(s, "tied_match", NONE)
            return
    else:
        s.ties += 1
        if match_ends(s):
            return
    for seat in (0, 1):
        recycle(s, seat, s.surviving(seat))
        clear_table(s, seat)
    sort_and_replenish(s)


def match_ends(s: Krabz) -> bool:
    """R-28: the checks after a Battle, in their order; a tied match may go on to a decider."""
    reached = [s.score(seat) >= s.targets[seat] for seat in (0, 1)]
    if all(reached):
        if s.tied_match == "draw":
            finish(s, "tied_match", NONE)
        else:
            s.decider = 1
    elif any(reached):
        finish(s, "target", reached.index(True))
    elif s.ties == TIES_FOR_STALEMATE:
        finish(s, "stalemate", fewer_lost(s))
    elif s.battle == s.battle_limit:
        finish(s, "battle_limit", fewer_lost(s))
    return s.outcome is not None


def fewer_lost(s: Krabz) -> int:
    """R-33: the seat with fewer own Warriors eliminated, or ``NONE``."""
    if s.lost(0) == s.lost(1):
        return NONE
    return 0 if s.lost(0) < s.lost(1) else 1


def sort_and_replenish(s: Krabz) -> None:
    """R-24: both at the same time and unseen; carried out when both have finished."""
    s.then("next_battle")
    s.then("carry_out")
    for seat in (0, 1):
        s.choices[seat] = []
        ask_next_choice(s, seat)


def ask_next_choice(s: Krabz, seat: int) -> None:
    """B-54, B-55, B-58: keep or recycle each surviving card, then what to draw."""
    cards, made = s.surviving(seat), len(s.choices[seat])
    if made < len(cards):
        s.ask(seat, "sort", cards[made])
    elif made == len(cards) and draws(s, seat)[0]:
        s.ask(seat, "replenish")
    else:
        s.tell("ready", seat)


@BOOK.question("sort")
def sort_options(s: Krabz, seat: int, card: int) -> Sequence[Move]:
    return SORT


@BOOK.answer("sort")
def sort(s: Krabz, seat: int, move: Move, card: int) -> None:
    s.choices[seat].append(int(move == KEEP))
    s.tell("sorted", seat, card, move.verb)
    ask_next_choice(s, seat)


def draws(s: Krabz, seat: int) -> tuple[int, range]:
    """B-58, B-59, R-08, R-26: how many cards the seat will draw, and how many Warriors it may.

    Counts what the seat has sorted already, although nothing has been moved yet.
    """
    kind = s.cards.kind
    warriors, supports, hand = len(s.warriors[seat]), len(s.supports[seat]), len(s.hands[seat])
    has_warrior = s.has_warrior(seat)
    for card, keep in zip(s.surviving(seat), s.choices[seat], strict=False):
        if keep:
            hand += 1
            has_warrior = has_warrior or kind[card] == WARRIOR
        elif kind[card] == WARRIOR:
            warriors += 1
        else:
            supports += 1
    return allowed_draws(hand, has_warrior, warriors, supports)


def allowed_draws(hand: int, has_warrior: bool, warriors: int, supports: int) -> tuple[int, range]:
    """The same from the counts alone: cards in hand, is a Warrior among them, both stacks."""
    number = min(HAND - hand, warriors + supports)
    least = max(0, number - supports)
    if not has_warrior and warriors:
        least = max(least, 1)
    return number, range(least, min(number, warriors) + 1)


@BOOK.question("replenish")
def replenish_options(s: Krabz, seat: int) -> Sequence[Move]:
    return [TAKE[number] for number in draws(s, seat)[1]]


@BOOK.answer("replenish")
def replenish(s: Krabz, seat: int, move: Move) -> None:
    assert isinstance(move.target, Number)
    s.choices[seat].append(move.target.number)
    ask_next_choice(s, seat)


@BOOK.step
def carry_out(s: Krabz) -> None:
    """R-24, R-25: what both have chosen, seat 1 first."""
    for seat in (0, 1):
        cards = s.surviving(seat)
        number, _allowed = draws(s, seat)
        choices = s.choices[seat]
        kept = [card for card, keep in zip(cards, choices, strict=False) if keep]
        warriors = choices[len(cards)] if number else 0
        s.hands[seat].extend(kept)
        if kept:
            s.tell("kept", seat, tuple(kept))
        recycle(s, seat, [card for card in cards if card not in kept])
        clear_table(s, seat)
        draw(s, seat, warriors, number - warriors)
        s.choices[seat] = []


def clear_table(s: Krabz, seat: int) -> None:
    """What was played has been put away."""
    s.line[seat] = []
    s.booster[seat] = NONE
    s.boosted[seat] = []


def recycle(s: Krabz, seat: int, cards: Sequence[int]) -> None:
    """B-56, R-25: face down under their stacks, the last one at the very bottom."""
    kind = s.cards.kind
    for card in cards:
        stacks = s.warriors if kind[card] == WARRIOR else s.supports
        stacks[seat].insert(0, card)
    if cards:
        s.tell("recycled", seat, tuple(cards))


def draw(s: Krabz, seat: int, warriors: int, supports: int) -> None:
    """B-58: so many cards from the tops of the two stacks."""
    drawn = [s.warriors[seat].pop() for _ in range(warriors)]
    drawn += [s.supports[seat].pop() for _ in range(supports)]
    s.hands[seat].extend(drawn)
    known = tuple(card for card in drawn if s.knows(None, card))
    s.tell("replenished", seat, warriors, supports, tuple(drawn), known)


@BOOK.step
def next_battle(s: Krabz) -> None:
    """B-02, B-60: the roles swap, whatever happened."""
    s.attacker = 1 - s.attacker
    s.then("begin_battle")


# -- the end ---------------------------------------------------------------------------------------


def finish(s: Krabz, reason: str, winner: int) -> None:
    """The match is over: somebody has won, or (``NONE``) it is drawn."""
    ranking: tuple[tuple[int, ...], ...] = ((0, 1),)
    if winner != NONE:
        ranking = ((winner,), (1 - winner,))
    s.end(ranking, reason)
    s.tell("match_ended", ranking, reason)


def concede(s: Krabz, seat: int) -> None:
    """R-34: the opponent wins."""
    s.tell("resigned", seat, ())
    finish(s, "concession", 1 - seat)
