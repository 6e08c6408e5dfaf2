"""Battle Mode (specification, sections 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from games.battle_krabz import effects, events
from games.battle_krabz.legality import cards_of, check_table
from games.battle_krabz.moves import (
    ACCEPT,
    BOOST,
    COLOUR,
    DECLINE,
    DEPLOY,
    DOMAIN,
    DONE,
    KEEP,
    PASS,
    PICK,
    PLAY,
    PROPOSE,
    SORT,
    TAKE,
    TARGET,
)
from games.battle_krabz.rulebook import BOOK
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
from rules.engine.legality import Decklist, must_be_legal
from rules.engine.moves import Move, Word, chosen
from rules.engine.prompts import Outlook

LARGEST_LINE: Final = 3
TIES_FOR_STALEMATE: Final = 5
TIED_DECIDERS_FOR_DRAW: Final = 3


# -- preparation -----------------------------------------------------------------------------------


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Krabz:
    """BKZ-P-13: decks are checked; both seats choose their hands at the same time, unseen."""
    must_be_legal(check_table("battle", decks, options))
    cards, (first, _second) = Cards.of_decks(map(cards_of, decks), chance)
    s = Krabz.lay(chance, cards, first.stop, options)
    for seat in (0, 1):
        s.decks[seat] = sorted(s.cards_of(seat), key=s.cards.order.__getitem__)
    set_targets(s, options["target"])
    for seat in (0, 1):
        warriors = count_warriors(s, s.decks[seat])
        s.tell(events.DECK_BROUGHT, seat, s.side(seat), len(s.decks[seat]), warriors)
    choose_hands(s)
    return s


def set_targets(s: Krabz, target: int | str) -> None:
    """BKZ-P-03, BKZ-R-11: a number for both, or all of the opponent's Warriors for each."""
    for seat in (0, 1):
        of_opponent = count_warriors(s, s.cards_of(1 - seat))
        s.targets[seat] = target if isinstance(target, int) else of_opponent


def count_warriors(s: Krabz, cards: Sequence[int]) -> int:
    kind = s.cards.kind
    return [*map(kind.__getitem__, cards)].count(WARRIOR)


def choose_hands(s: Krabz) -> None:
    """BKZ-P-10, BKZ-R-08: both seats pick 7 cards; a deck of 7 or fewer is taken whole."""
    s.phase = "hands"
    s.then(make_stacks)
    for seat in (0, 1):
        if len(s.decks[seat]) <= HAND:
            s.hands[seat] = s.decks[seat]
            s.decks[seat] = []
            s.tell(events.HAND_CHOSEN, seat, tuple(s.hands[seat]))
        else:
            s.ask(seat, choose_hand)


@BOOK.prompt("Choose seven cards for your opening hand.", name="choose-hand")
def choose_hand(s: Krabz, seat: int) -> Sequence[Move]:
    """BKZ-P-10: any card; the last pick must be a Warrior if there is none in the hand yet."""
    cards, kind = s.decks[seat], s.cards.kind
    if len(s.hands[seat]) == HAND - 1 and not s.has_warrior(seat):
        cards = [card for card in cards if kind[card] == WARRIOR]
    return [*map(PICK.__getitem__, cards)]  # there are many


@choose_hand.sentence
def first_hand_so_far(s: Krabz, seat: int, names: Sequence[str]) -> str:
    return f"{choose_hand.says} {len(s.hands[seat])} of {HAND} chosen."


@choose_hand.outlook
def what_is_missing(s: Krabz, seat: int) -> Outlook:
    """``missing``: how many cards; ``one_of``: of which one must be among them, none: any do."""
    kind = s.cards.kind
    warriors = [card for card in s.decks[seat] if kind[card] == WARRIOR]
    one_of = [] if s.has_warrior(seat) else warriors
    return {"missing": HAND - len(s.hands[seat]), "one_of": one_of}


@choose_hand.answer
def pick(s: Krabz, seat: int, move: Move) -> None:
    card = chosen(move)
    s.decks[seat].remove(card)
    s.hands[seat].append(card)
    s.tell(events.PICKED, seat, card)
    if len(s.hands[seat]) < HAND:
        s.ask(seat, choose_hand)
    else:
        s.tell(events.HAND_CHOSEN, seat, tuple(s.hands[seat]))


@BOOK.step
def make_stacks(s: Krabz) -> None:
    """BKZ-P-11, BKZ-R-10: the rest of each deck, split in two and shuffled."""
    kind = s.cards.kind
    for seat in (0, 1):
        rest = s.decks[seat]
        s.decks[seat] = []
        s.warriors[seat] = [card for card in rest if kind[card] == WARRIOR]
        s.supports[seat] = [card for card in rest if kind[card] != WARRIOR]
        _shuffle(s, seat, "warrior", s.warriors[seat])
        _shuffle(s, seat, "support", s.supports[seat])
        s.tell(events.STACKS_MADE, seat, len(s.warriors[seat]), len(s.supports[seat]))
    s.then(find_first_attacker)


def _shuffle(s: Krabz, seat: int, stack: str, cards: list[int]) -> None:
    """The shuffled order is told from the top card down; a stack ends with its top card."""
    s.chance.shuffle(cards)
    s.tell(events.SHUFFLED, seat, stack, tuple(cards))
    cards.reverse()


@BOOK.step
def find_first_attacker(s: Krabz) -> None:
    """BKZ-P-12, BKZ-R-09"""
    method = s.first_attacker
    revealed: tuple[int, ...] = ()
    if method in ("seat_1", "seat_2"):
        s.attacker = int(method == "seat_2")
    else:
        if method == "hp_draw" and all(s.warriors):
            revealed = tuple(stack[-1] for stack in s.warriors)
        first, second = (s.cards.hp[card] for card in revealed) if revealed else (0, 0)
        if first == second:
            method = "coin"
            s.attacker = s.chance.pick(2)
        else:
            s.attacker = 0 if first > second else 1
    s.tell(events.FIRST_ATTACKER, s.attacker, method, revealed)
    if revealed:
        s.shown.extend(revealed)
        for seat in (0, 1):
            s.warriors[seat].reverse()
            _shuffle(s, seat, "warrior", s.warriors[seat])
    s.then(begin_battle)


# -- Phase 1: Deployment ---------------------------------------------------------------------------


@BOOK.step
def begin_battle(s: Krabz) -> None:
    """BKZ-B-01, BKZ-B-03, BKZ-R-29: a decider only if both seats have a Warrior left."""
    if s.decider and not _both_can_fight(s):
        return
    s.battle += 1
    s.phase = "deployment"
    s.proposed = False
    s.tell(events.BATTLE_STARTED, s.attacker, s.battle, s.decider)
    s.then(open_boosters)
    s.then(deployment, 1 - s.attacker)
    s.then(deployment, s.attacker)


def _both_can_fight(s: Krabz) -> bool:
    left = [bool(s.warriors[seat]) or s.has_warrior(seat) for seat in (0, 1)]
    if all(left):
        return True
    finish(s, "no_warriors", left.index(True) if any(left) else NONE)
    return False


@BOOK.step
def deployment(s: Krabz, seat: int) -> None:
    """BKZ-B-10, BKZ-B-11: up to three Warriors; the Defender at most as many as the Attacker."""
    most = LARGEST_LINE if seat == s.attacker else len(s.line[s.attacker])
    if len(s.line[seat]) < most and s.has_warrior(seat):
        s.ask(seat, deploy)
    else:
        end_deployment(s, seat)


@BOOK.prompt("Deploy a Warrior.")
def deploy(s: Krabz, seat: int) -> Sequence[Move]:
    """BKZ-R-12: at least one Warrior. BKZ-R-32: the first pick may propose to cut it short."""
    kind = s.cards.kind
    options = [DEPLOY[card] for card in s.hands[seat] if kind[card] == WARRIOR]
    if s.line[seat]:
        options.append(DONE)
    elif seat == s.attacker and s.cut_short and s.battle > 1 and not (s.proposed or s.decider):
        options.append(PROPOSE)
    return options


@deploy.sentence
def how_many_deployed(s: Krabz, seat: int, names: Sequence[str]) -> str:
    deployed = len(s.line[seat])
    if seat != s.attacker:
        most = len(s.line[s.attacker])
        return f"Defend: deploy a Warrior ({deployed} of up to {most})."
    return f"Attack: deploy a Warrior ({deployed} of up to {LARGEST_LINE})."


@deploy.answer
def deploy_or_end(s: Krabz, seat: int, move: Move) -> None:
    """BKZ-R-13: seen at once, one by one."""
    if move == PROPOSE:
        s.tell(events.CUT_SHORT_PROPOSED, seat)
        s.ask(1 - seat, cut_short_reply)
    elif move == DONE:
        end_deployment(s, seat)
    else:
        card = chosen(move)
        play_from_hand(s, seat, card)
        s.line[seat].append(card)
        s.tell(events.DEPLOYED, seat, card, len(s.line[seat]))
        s.then(deployment, seat)


def play_from_hand(s: Krabz, seat: int, card: int) -> None:
    """BKZ-R-37: a card that is played is known to all from now on."""
    s.hands[seat].remove(card)
    s.reveal(card)


def end_deployment(s: Krabz, seat: int) -> None:
    """BKZ-B-17: the line is complete, its score final."""
    p = effects.points(s, seat)
    s.tell(events.SCORED, seat, p.strength, p.special, p.domain, p.colour, p.basic_score)


@BOOK.prompt("Your opponent offers to end the match here.", name="cut-short-reply")
def cut_short_reply(s: Krabz, seat: int) -> Sequence[Move]:
    return (ACCEPT, DECLINE)


@cut_short_reply.answer
def cut_short(s: Krabz, seat: int, move: Move) -> None:
    """BKZ-B-74, BKZ-R-32"""
    if move == ACCEPT:
        finish(s, "cut_short", fewer_lost(s))
    else:
        s.proposed = True
        s.tell(events.CUT_SHORT_DECLINED, seat)
        s.then(deployment, s.attacker)


# -- Phase 2: Boosters -----------------------------------------------------------------------------


@BOOK.step
def open_boosters(s: Krabz) -> None:
    """BKZ-B-20, BKZ-B-21, BKZ-B-24: the lower score decides first; if equal, the Attacker."""
    s.phase = "boosters"
    other = 1 - s.attacker
    lower = effects.points(s, other).basic_score < effects.points(s, s.attacker).basic_score
    first = other if lower else s.attacker
    s.then(compare_scores)
    s.then(booster, 1 - first)
    s.then(booster, first)


@BOOK.step
def booster(s: Krabz, seat: int) -> None:
    s.ask(seat, boost)


def always_asked(s: Krabz, seat: int, *_context: int) -> bool:
    """BKZ-R-35: with ``always_ask`` the pause itself betrays no hand."""
    return s.always_ask and s.hides_support(seat)


@BOOK.prompt("Play a Booster?", insists=always_asked, window=PASS)
def boost(s: Krabz, seat: int) -> Sequence[Move]:
    """BKZ-B-22, BKZ-R-16: any Booster in hand, or none, whatever the scores."""
    return [*(BOOST[card] for card in s.of_kind(seat, BOOSTER)), PASS]


@boost.answer
def play_booster(s: Krabz, seat: int, move: Move) -> None:
    """BKZ-B-25 to BKZ-B-27"""
    if move == PASS:
        s.tell(events.NO_BOOST, seat)
        return
    card = chosen(move)
    play_from_hand(s, seat, card)
    s.booster[seat] = card
    s.tell(events.BOOSTER_PLAYED, seat, card)
    if s.cards.reach[card] < len(s.line[seat]):
        s.ask(seat, boost_target)
    else:
        _boosted(s, seat, s.line[seat])


@BOOK.prompt("Choose a Warrior to boost.", name="boost-target")
def boost_target(s: Krabz, seat: int) -> Sequence[Move]:
    """BKZ-R-14: any deployed Warrior, not only the strongest."""
    return [TARGET[card] for card in s.line[seat] if card not in s.boosted[seat]]


@boost_target.sentence
def how_many_boosted(s: Krabz, seat: int, names: Sequence[str]) -> str:
    booster = s.booster[seat]
    title, reach = s.cards.title[booster], s.cards.reach[booster]
    return f"{title}: choose a Warrior to boost ({len(s.boosted[seat])} of {reach} chosen)."


@boost_target.answer
def boost_another(s: Krabz, seat: int, move: Move) -> None:
    targets = [*s.boosted[seat], chosen(move)]
    if len(targets) < s.cards.reach[s.booster[seat]]:
        s.boosted[seat] = targets
        s.ask(seat, boost_target)
    else:
        _boosted(s, seat, targets)


def _boosted(s: Krabz, seat: int, targets: Sequence[int]) -> None:
    s.boosted[seat] = [card for card in s.line[seat] if card in targets]
    p = effects.points(s, seat)
    gain = p.boosted - p.strength
    s.tell(events.BOOSTED, seat, tuple(s.boosted[seat]), p.boosted_score, gain)


@BOOK.step
def compare_scores(s: Krabz) -> None:
    """BKZ-B-30, BKZ-B-31"""
    first, second = (effects.points(s, seat).boosted_score for seat in (0, 1))
    if first == second:
        s.tell(events.BATTLE_TIED, first)
        tied_battle(s)
    else:
        winner = 0 if first > second else 1
        s.tell(events.BATTLE_WON, winner, (first, second))
        if s.decider:
            finish(s, "decider", winner)  # BKZ-R-29
        else:
            s.ties = 0
            open_powers(s, winner)


# -- Phase 3: Power Cards --------------------------------------------------------------------------


def open_powers(s: Krabz, winner: int) -> None:
    """BKZ-B-40, BKZ-B-41: the Loser's Warriors are downed, the Loser decides first."""
    s.phase = "powers"
    s.downed = s.line[1 - winner][:]
    s.then(eliminate, winner)
    s.ask(1 - winner, power, LOSER)


@BOOK.prompt("Play a Power Card?", insists=always_asked, window=PASS)
def power(s: Krabz, seat: int, role: int) -> Sequence[Move]:
    """BKZ-R-18: only cards that do something."""
    held = s.of_kind(seat, POWER)
    return [*(PLAY[card] for card in held if effects.playable(s, seat, role, card)), PASS]


@power.answer
def play_power(s: Krabz, seat: int, move: Move, role: int) -> None:
    """BKZ-B-42 to BKZ-B-44, BKZ-R-19: the Loser's card takes effect, the Winner may answer."""
    if move == PASS:
        s.tell(events.NO_POWER, seat)
        return
    card = chosen(move)
    play_from_hand(s, seat, card)
    s.power[seat] = card
    s.tell(events.POWER_PLAYED, seat, card)
    if role == LOSER:
        s.then(answer_power, 1 - seat)
    for number in reversed(range(len(effects.operations(s, seat, role, card)))):
        s.then(operation, seat, role, number)


@BOOK.step
def answer_power(s: Krabz, winner: int) -> None:
    s.ask(winner, power, WINNER)


@BOOK.step
def operation(s: Krabz, seat: int, role: int, number: int) -> None:
    """BKZ-R-21: one operation of the seat's Power Card; without an object it is skipped."""
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    objects = effects.eligible(s, seat, doing)
    what = doing[1]
    if not objects:
        return
    if what == "all" or (isinstance(what, int) and what >= len(objects)):
        effects.hit(s, role, doing, objects)
    else:
        s.ask(seat, power_target, role, number, what if isinstance(what, int) else 1)


@BOOK.prompt("Choose a target for your Power Card.", name="power-target")
def power_target(s: Krabz, seat: int, role: int, number: int, left: int) -> Sequence[Move]:
    """The Warriors that may be hit, or the Domains or colours found among them."""
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    objects = effects.eligible(s, seat, doing)
    if doing[1] in ("domain", "colour"):
        moves = DOMAIN if doing[1] == "domain" else COLOUR
        return [moves[word] for word in effects.named(s, doing, objects)]
    return [TARGET[card] for card in objects]


@power_target.sentence
def what_is_hit(
    s: Krabz, seat: int, names: Sequence[str], role: int, number: int, left: int
) -> str:
    card = s.power[seat]
    verb, what = effects.operations(s, seat, role, card)[number]
    doing = "revive" if verb == "revive" else "down"
    if what in ("domain", "colour"):
        kind = "Domain" if what == "domain" else "colour"
        return f"{s.cards.title[card]}: name the {kind} to {doing}."
    return f"{s.cards.title[card]}: choose a Warrior to {doing}."


@power_target.answer
def hit_target(s: Krabz, seat: int, move: Move, role: int, number: int, left: int) -> None:
    doing = effects.operations(s, seat, role, s.power[seat])[number]
    if isinstance(move.target, Word):
        objects = effects.eligible(s, seat, doing)
        effects.hit(s, role, doing, effects.named(s, doing, objects)[move.target.word])
        return
    effects.hit(s, role, doing, [chosen(move)])
    if left > 1:
        s.ask(seat, power_target, role, number, left - 1)


# -- Phase 4: Eliminate, recycle and replenish -----------------------------------------------------


@BOOK.step
def eliminate(s: Krabz, winner: int) -> None:
    """BKZ-B-50 to BKZ-B-53, BKZ-R-23: eliminations, scores, the end of the match; then sorting."""
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
            s.tell(events.ELIMINATED, seat, tuple(gone), s.score(1 - seat))
    s.downed.clear()
    s.swung.clear()
    if not match_ends(s):
        sort_and_replenish(s)


def tied_battle(s: Krabz) -> None:
    """BKZ-B-70, BKZ-R-27: no Phase 3, no losses; both recycle all they have played."""
    s.phase = "stacks"
    if s.decider:
        s.decider += 1
        if s.decider > TIED_DECIDERS_FOR_DRAW:  # BKZ-R-29
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
    """BKZ-R-28: the checks after a Battle, in their order; a tied match may go on to a decider."""
    reached = [s.score(seat) >= s.targets[seat] for seat in (0, 1)]
    if all(reached):
        if s.tied_match == "draw":
            finish(s, "tied_match", NONE)
        else:
            s.decider = 1
    elif any(reached):
        finish(s, "target", reached.index(True))
    elif s.ties == TIES_FOR_STALEMATE:
        finish(s, "stalemate", fewer_lost(s))  # BKZ-R-31
    elif s.battle == s.battle_limit:
        finish(s, "battle_limit", fewer_lost(s))
    return s.outcome is not None


def fewer_lost(s: Krabz) -> int:
    """BKZ-R-33: the seat with fewer own Warriors eliminated, or ``NONE``."""
    if s.lost(0) == s.lost(1):
        return NONE
    return 0 if s.lost(0) < s.lost(1) else 1


def sort_and_replenish(s: Krabz) -> None:
    """BKZ-R-24: both at the same time and unseen; carried out when both have finished."""
    s.then(next_battle)
    s.then(carry_out)
    for seat in (0, 1):
        s.choices[seat] = []
        ask_next_choice(s, seat)


def ask_next_choice(s: Krabz, seat: int) -> None:
    """BKZ-B-54, BKZ-B-55, BKZ-B-58: keep or recycle each surviving card, then what to draw."""
    cards, answered = s.surviving(seat), len(s.choices[seat])
    if answered < len(cards):
        s.ask(seat, sort, cards[answered])
    elif answered == len(cards) and draws(s, seat)[0]:
        s.ask(seat, replenish)
    else:
        s.tell(events.READY, seat)


@BOOK.prompt("Keep or recycle?")
def sort(s: Krabz, seat: int, card: int) -> Sequence[Move]:
    return SORT


@sort.sentence
def keep_which(s: Krabz, seat: int, names: Sequence[str], card: int) -> str:
    return f"Keep {s.cards.title[card]} in hand, or recycle it?"


@sort.outlook
def what_to_draw(s: Krabz, seat: int, card: int) -> Outlook:
    """``cards``: what is left to be sorted, this card first. ``draws``: for each way to do so, how
    many cards will be drawn, and the fewest and most of them that may be Warriors.
    ``{"101": [3, 0, 2]}``: the first and third card kept.
    """
    answers = s.choices[seat]
    left = s.surviving(seat)[len(answers) :]
    draws_by_sorting = {}
    for keeps in product((1, 0), repeat=len(left)):
        number, allowed = draws_after(s, seat, [*answers, *keeps])
        draws_by_sorting["".join(map(str, keeps))] = [number, allowed.start, allowed.stop - 1]
    return {"cards": left, "draws": draws_by_sorting}


@sort.answer
def keep_or_recycle(s: Krabz, seat: int, move: Move, card: int) -> None:
    s.choices[seat].append(int(move == KEEP))
    s.tell(events.SORTED, seat, card, move.verb)
    ask_next_choice(s, seat)


def draws(s: Krabz, seat: int) -> tuple[int, range]:
    """BKZ-B-58, BKZ-B-59, BKZ-R-08, BKZ-R-26: how many cards the seat draws; Warriors it may.

    Counts what the seat has sorted already, although nothing has been moved yet.
    """
    return draws_after(s, seat, s.choices[seat])


def draws_after(s: Krabz, seat: int, choices: Sequence[int]) -> tuple[int, range]:
    """The draws after these answers to ``sort``: 1 (keep) or 0 (recycle), card by card."""
    kind = s.cards.kind
    warriors, supports, hand = len(s.warriors[seat]), len(s.supports[seat]), len(s.hands[seat])
    kept_warrior = False
    for card, keep in zip(s.surviving(seat), choices, strict=False):
        if keep:
            hand += 1
            kept_warrior = kept_warrior or kind[card] == WARRIOR
        elif kind[card] == WARRIOR:
            warriors += 1
        else:
            supports += 1
    number = min(HAND - hand, warriors + supports)
    least = max(0, number - supports)
    if not least and warriors and not kept_warrior and not s.has_warrior(seat):
        least = 1
    return number, range(least, min(number, warriors) + 1)


@BOOK.prompt("How many Warriors do you want to draw?")
def replenish(s: Krabz, seat: int) -> Sequence[Move]:
    return [TAKE[number] for number in draws(s, seat)[1]]


@replenish.sentence
def how_many_drawn(s: Krabz, seat: int, names: Sequence[str]) -> str:
    return f"You draw {draws(s, seat)[0]}: how many of them from the Warrior Stack?"


@replenish.answer
def say_warriors(s: Krabz, seat: int, move: Move) -> None:
    s.choices[seat].append(chosen(move))
    ask_next_choice(s, seat)


@BOOK.step
def carry_out(s: Krabz) -> None:
    """BKZ-R-24, BKZ-R-25: what both have chosen, seat 1 first."""
    for seat in (0, 1):
        cards = s.surviving(seat)
        number, _allowed = draws(s, seat)
        choices = s.choices[seat]
        kept = [card for card, keep in zip(cards, choices, strict=False) if keep]
        warriors = choices[len(cards)] if number else 0
        s.hands[seat].extend(kept)
        if kept:
            s.tell(events.KEPT, seat, tuple(kept))
        recycle(s, seat, [card for card in cards if card not in kept])
        clear_table(s, seat)
        draw(s, seat, warriors, number - warriors)
        s.choices[seat] = []


def clear_table(s: Krabz, seat: int) -> None:
    """The cards played have been put away."""
    s.line[seat] = []
    s.booster[seat] = NONE
    s.boosted[seat] = []


def recycle(s: Krabz, seat: int, cards: Sequence[int]) -> None:
    """BKZ-B-56, BKZ-R-25: face down under their stacks, the last one at the very bottom."""
    kind = s.cards.kind
    for card in cards:
        stacks = s.warriors if kind[card] == WARRIOR else s.supports
        stacks[seat].insert(0, card)
    if cards:
        s.tell(events.RECYCLED, seat, tuple(cards))


def draw(s: Krabz, seat: int, warriors: int, supports: int) -> None:
    """BKZ-B-58: so many cards from the tops of the two stacks."""
    drawn = [s.warriors[seat].pop() for _ in range(warriors)]
    drawn += [s.supports[seat].pop() for _ in range(supports)]
    s.hands[seat].extend(drawn)
    known = tuple(card for card in drawn if s.knows(None, card))
    s.tell(events.REPLENISHED, seat, warriors, supports, tuple(drawn), known)


@BOOK.step
def next_battle(s: Krabz) -> None:
    """BKZ-B-02, BKZ-B-60: the roles swap, whatever happened."""
    s.attacker = 1 - s.attacker
    s.then(begin_battle)


# -- the end ---------------------------------------------------------------------------------------


def finish(s: Krabz, reason: str, winner: int) -> None:
    """The match is over: somebody has won, or (``NONE``) it is drawn."""
    ranking: tuple[tuple[int, ...], ...] = ((0, 1),)
    if winner != NONE:
        ranking = ((winner,), (1 - winner,))
    s.end(ranking, reason)
    s.tell(events.MATCH_ENDED, ranking, reason)


def concede(s: Krabz, seat: int) -> None:
    """BKZ-R-34: the opponent wins."""
    s.tell(events.RESIGNED, seat, ())
    finish(s, "concession", 1 - seat)
