"""Bots of KND: OCG (specification, section 9): they see nothing but the view of their seat.

The greedy one makes a table of what it sees (``imagined``), tries out on it what it could do, each
time with the best attack after it, and takes what leaves the best table at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.knd_ocg import derived
from games.knd_ocg.determinization import imagined
from games.knd_ocg.moves import ACTIVE, END
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules import attack, texts, turn
from games.knd_ocg.rules.cards import sweep
from games.knd_ocg.state import (
    CHARACTER,
    ENERGY,
    FALLEN,
    PACIFIST,
    SPECIAL,
    Duel,
)
from games.knd_ocg.view import view
from rules.engine.bots import RANDOM, Mind, first_best
from rules.engine.chance import Chance
from rules.engine.game import Bot
from rules.engine.match import Match
from rules.engine.moves import Card, Move, Prompt, Slot, chosen

View = Mapping[str, Any]

# Weights: section 9's, of which those that count were improved by play (docs/ladders.md)
WON: Final = 10_000.0
NEVER: Final = float("-inf")
A_FALLEN: Final = 70.0
AT_FOUR: Final = 40.0
NOBODY: Final = 150.0
ALONE: Final = 25.0
A_CHARACTER: Final = 20.0
HP_IN_FRONT: Final = 1.8
HP_WAITING: Final = 0.65
USEFUL_IN_FRONT: Final = 12.0
USEFUL_WAITING: Final = 2.5
THREAT: Final = 0.6
A_THREATENED: Final = 40.0
HURT: Final = 0.2
A_DEFEAT: Final = 15.0
A_CARD: Final = 3.0
A_SPECIAL: Final = 1.5
MOST_CARDS: Final = 8
LOW_DECK: Final = 20
GROUP_HUG: Final = 40.0
STALL: Final = 11.0
WAITING_STALL: Final = 0.3
GAIN: Final = 0.5 + 1e-9
"""So much better must an action leave the table to be taken; half a point alone is not enough."""

UNSEEN: Final = {
    "roll-call": 7.0,
    "juice-box-stash": 6.0,
    "lost-and-found": 4.0,
    "double-shift": 6.0,
    "tattletale": 4.0,
}

MOST_ACTIONS: Final = 18
"""So many actions are tried out for one decision."""

MOST_TRIES: Final = 4
"""So many answers to a question within an action are tried out."""

WIDEST: Final = 4
"""So many options are thought over at most."""

CLOSE: Final = 60.0
"""Options that look worse by more are not thought over."""


# -- what a table is worth -------------------------------------------------------------------------


def worth(s: Duel, seat: int) -> float:
    """The table from a seat's side, by the weights of section 9."""
    if s.outcome is not None:
        if not s.outcome.winners:
            return 0.0
        return WON if seat in s.outcome.winners else -WON
    other = 1 - seat
    value = A_FALLEN * (s.fallen[other] - s.fallen[seat])
    value += AT_FOUR * ((s.fallen[other] == FALLEN - 1) - (s.fallen[seat] == FALLEN - 1))
    value += _side(s, seat) - _side(s, other)
    value += _blows(s, seat)
    value += _hand(s, seat) - A_CARD * len(s.hands[other])
    mine, theirs = len(s.decks[seat]), len(s.decks[other])
    value -= 3.0 * (max(LOW_DECK - mine, 0) - max(LOW_DECK - theirs, 0))
    return value - 0.5 * max(theirs - mine, 0)


def _hand(s: Duel, seat: int) -> float:
    """The own hand; Special Cards are there to be played, and too many cards are of no use."""
    hand, kinds = s.hands[seat], s.cards.kind
    specials = sum([kinds[card] == SPECIAL for card in hand])
    value = A_CARD * (len(hand) - specials) + A_SPECIAL * specials
    return value * min(1.0, MOST_CARDS / max(1, len(hand)))


def _side(s: Duel, seat: int) -> float:
    """The Characters of a seat with what lies under them."""
    field = s.field_of(seat)
    if not field:
        return -NOBODY
    value = -ALONE if len(field) == 1 else 0.0
    cards, active = s.cards, s.active[seat]
    for card in field:
        in_front = card == active
        value += A_CHARACTER + 0.3 * _size(s, card)
        value += (HP_IN_FRONT if in_front else HP_WAITING) * s.hp(card)
        under = s.under.get(card)
        if not under:
            continue
        means = cards.means[card, under]
        value += 4.0 * len(under)
        value += means.useful * (USEFUL_IN_FRONT if in_front else USEFUL_WAITING)
        if means.dearest:
            value += 5.0 + 4.0 * means.dearest
            if cards.type[card] == PACIFIST:
                stall = GROUP_HUG if cards.slugs[card] == "numbuh-3" else STALL
                value += stall if in_front else WAITING_STALL * stall
    return value


def _blows(s: Duel, seat: int) -> float:
    """The threat of the Active Characters to each other next turn."""
    other = 1 - seat
    mine, theirs = s.active[seat], s.active[other]
    if mine < 0 or theirs < 0:
        return 0.0
    value = 0.0
    threat = best_blow(s, theirs, mine)
    if threat:
        value -= THREAT * threat + (A_THREATENED if threat >= s.hp(mine) else 0.0)
    hurt = best_blow(s, mine, theirs)
    if hurt:
        value += HURT * hurt + (A_DEFEAT if hurt >= s.hp(theirs) else 0.0)
    return value


def best_blow(s: Duel, card: int, target: int) -> int:
    """The most HP that one Active Character can take from the other with what lies under it."""
    if derived.is_grounded(s, card) or (
        derived.is_hiding(s, target) and not derived.has_bypass(s, card)
    ):
        return 0
    best = 0
    if not attack.why_no_basic(s, card):
        best = attack.work_out(s, card, attack.BASIC_ATTACK, target).loss
    for number, special in derived.means(s, card).attacks:
        if special.form != "trick" and special.on != "reserve":
            best = max(best, attack.work_out(s, card, number, target).loss)
    return attack.kept_by_safe(s, target, best, bypass=False) if best else 0


# -- trying things out -----------------------------------------------------------------------------


def carried_out(s: Duel, seat: int, move: Move) -> Duel:
    """A copy of the table after a move, with all questions within it answered as best they go."""
    twin = s.copy()
    _answer(twin, seat, move)
    return _settled(twin, seat)


def _answer(s: Duel, seat: int, move: Move) -> None:
    prompt = s.prompts.pop(seat)
    s.events = []
    BOOK.prompts[prompt.kind].carry_out(s, seat, move, *prompt.context)
    BOOK.run(s)


def _settled(s: Duel, seat: int) -> Duel:
    """The table when the next turn or the next action begins."""
    while s.outcome is None:
        [(mover, prompt)] = s.prompts.items()
        if prompt.kind == turn.play.name:
            break
        if mover != seat:
            _answer(s, mover, prompt.options[0])
            continue
        tries = [carried_out(s, seat, move) for move in different(s, prompt.options)[:MOST_TRIES]]
        s = max(tries, key=lambda outcome: worth(outcome, seat))
    return s


def different(s: Duel, options: Sequence[Move]) -> list[Move]:
    """The options without those that are the same but for the copy of a card in hand."""
    slugs = s.cards.slugs
    moves: dict[tuple[str, Any, Any], Move] = {}
    for move in options:
        card: Any = move.card
        if card is not None and not s.on_field(card):
            card = slugs[card]
        moves.setdefault((move.verb, card, move.target), move)
    return list(moves.values())


def endings(s: Duel, seat: int) -> dict[Move, float]:
    """The worth of the table after each way to end the turn, where the seat is asked to act."""
    return {
        move: worth(carried_out(s, seat, move), seat)
        for move in s.prompts[seat].options
        if move.verb in attack.VERBS or move == END
    }


def at_best(s: Duel, seat: int) -> float:
    """The worth of the table after the best way to end the turn."""
    if s.outcome is not None or seat not in s.prompts:
        return worth(s, seat)
    return max(endings(s, seat).values(), default=-2 * WON)


# -- decisions -------------------------------------------------------------------------------------


def scores(s: Duel, prompt: Prompt) -> list[float]:
    """How good each option looks on the table as its seat sees it.

    ``NEVER``: not worth a try, or the same as another but for the copy of a card in hand.
    """
    first = {*different(s, prompt.options)}
    judgement = zip(prompt.options, judged(imagined(view(s, prompt.seat)), prompt), strict=True)
    values = [value if move in first else NEVER for move, value in judgement]
    best = sorted(values, reverse=True)[:WIDEST]
    least = max(best[-1], best[0] - CLOSE)
    return [value if value >= least else NEVER for value in values]


def choose_greedy(view: View, prompt: Prompt, chance: Chance, /) -> Move:
    """The move that leaves the best table at the end of the turn; of equal ones the first."""
    return first_best(prompt.options, judged(imagined(view), prompt))


def play_quickly(match: Match, seat: int) -> Move:
    """The greedy bot's answer in a playout, tried out on the world itself.

    So it sees what its own moves would draw, which at a table it cannot.
    """
    prompt = match.prompts[seat]
    if len(prompt.options) == 1:
        return prompt.options[0]
    table = match.state.copy()
    assert isinstance(table, Duel)
    return first_best(prompt.options, judged(table, prompt))


def judged(s: Duel, prompt: Prompt) -> list[float]:
    """By option: the worth of the table after it, or of its card."""
    decide = DECISIONS.get(prompt.kind, _try_out)
    return decide(s, prompt)


def _play(s: Duel, prompt: Prompt) -> list[float]:
    """Place first; then the action that gains most together with the best attack after it."""
    seat = prompt.seat
    s.prompts[seat] = prompt
    placing = [move for move in prompt.options if move.verb == "place"]
    if placing and _wants_more(s, seat, len(placing)):
        best = max(placing, key=lambda move: (_size(s, move.card), move.target == ACTIVE_ZONE))
        return [0.0 if move == best else NEVER for move in prompt.options]
    values = endings(s, seat)
    helpful = [option for option in different(s, prompt.options) if _may_help(s, option)]
    for move in helpful[:MOST_ACTIONS]:
        after = at_best(carried_out(s, seat, move), seat)
        values[move] = after + _unseen_gain(s, seat, move) - GAIN
    return [values.get(move, NEVER) for move in prompt.options]


def _unseen_gain(s: Duel, seat: int, move: Move) -> float:
    """The value of a card that a trial does not show: better cards, or a second Energy to play."""
    if move.verb != "special":
        return 0.0
    slug = s.cards.slugs[chosen(move)]
    if slug == "double-shift":
        energy = sum(1 for card in s.hands[seat] if s.cards.kind[card] == ENERGY)
        return UNSEEN[slug] if energy > s.energy_left else 0.0
    return UNSEEN.get(slug, 0.0)


def _may_help(s: Duel, move: Move) -> bool:
    """True for actions before the attack; Energy goes where a Special Attack asks for it."""
    if move.verb != "attach":
        return move.verb in ("move-up", "flee", "special", "effect")
    host = move.target
    assert isinstance(host, Card)
    if host.card in s.active:
        return True
    means, under = s.cards.means, s.under.get(host.card, ())
    more = means[host.card, (*under, chosen(move))]
    return more.useful > means[host.card, under].useful


ACTIVE_ZONE: Final = Slot(ACTIVE)


def _wants_more(s: Duel, seat: int, in_hand: int) -> bool:
    """Keep one or two in hand against cards that reach the whole field."""
    return len(s.field_of(seat)) < 4 or in_hand > 2


def _size(s: Duel, card: int | None) -> float:
    """The worth of a Character to begin with."""
    assert card is not None
    cards = s.cards
    return cards.hp[card] + 0.7 * (cards.ap[card] + cards.dp[card])


def _try_out(s: Duel, prompt: Prompt) -> list[float]:
    """A question within an action: what is still to be done is laid up again."""
    seat = prompt.seat
    s.prompts[seat] = prompt
    if prompt.kind == turn.promote.name:
        s.then(turn.close_turn)
    elif prompt.kind == attack.second_attack.name:
        s.then(turn.end_turn)
        s.then(attack.after_attack, seat, prompt.context[0], prompt.context[1] - 1, 1)
    else:
        _lay_up_the_rest(s, seat, prompt)
    return [at_best(carried_out(s, seat, move), seat) for move in prompt.options]


def _lay_up_the_rest(s: Duel, seat: int, prompt: Prompt) -> None:
    """The parts of the text that come after the one that asks."""
    card, text, number, target = prompt.context
    if text < texts.EFFECT:
        s.then(turn.end_turn)
    else:
        s.then(turn.play_on)
    if text == texts.SPECIAL_CARD:
        s.then(turn.put_special_away, seat, card)
    for later in range(len(texts.parts_of(s, card, text)) - 1, number, -1):
        s.then(texts.carry_out, seat, card, text, later, target)
    s.then(sweep)


def _worst_card(s: Duel, prompt: Prompt) -> list[float]:
    """Discard what is least worth keeping."""
    return [
        NEVER if move.card is None else -_kept(s, prompt.seat, move.card) for move in prompt.options
    ]


def _best_card(s: Duel, prompt: Prompt) -> list[float]:
    """The card that would be worth most in its hand."""
    return [_kept(s, prompt.seat, move.card) for move in prompt.options]


def _kept(s: Duel, seat: int, card: int | None) -> float:
    """How much a card in hand is worth: Characters while there are few, Energy that is needed."""
    if card is None:
        return NEVER
    kind, cards = s.cards.kind[card], s.cards
    if kind == CHARACTER:
        return 30.0 - 4.0 * len(s.field_of(seat)) + 0.1 * _size(s, card)
    if kind == ENERGY:
        held = sum(1 for card in s.hands[seat] if cards.kind[card] == ENERGY)
        wanted = sum(
            1
            for character in s.field_of(seat)
            for special in cards.attacks[character]
            for letter, _count in special.energy.typed
            if letter == cards.energy[card]
        )
        return 14.0 + wanted - 4.0 * held
    return 12.0


def _pay(s: Duel, prompt: Prompt) -> list[float]:
    """The Energy that the payer's own Special Attacks ask for least."""
    host = prompt.context[0]
    wanted = [letter for attack in s.cards.attacks[host] for letter, _count in attack.energy.typed]
    return [-float(wanted.count(s.cards.energy[move.card or 0])) for move in prompt.options]


def _set_up(s: Duel, prompt: Prompt) -> list[float]:
    """The largest Character fights, no Pacifist if it can be helped; most of the others wait."""
    number = sum([move.card is not None for move in prompt.options])
    enough = prompt.kind == "setup-reserve" and not _wants_more(s, prompt.seat, number)
    return [_in_front(s, move.card, enough=enough) for move in prompt.options]


def _in_front(s: Duel, card: int | None, *, enough: bool) -> float:
    if card is None:
        return WON if enough else NEVER
    return _size(s, card) - (20.0 if s.cards.type[card] == PACIFIST else 0.0)


Decision = Callable[[Duel, Prompt], list[float]]

DECISIONS: Final[Mapping[str, Decision]] = {
    "setup-active": _set_up,
    "setup-reserve": _set_up,
    "play": _play,
    "pay": _pay,
    "pick-hand": _worst_card,
    "discard-own": _worst_card,
    "pick-seen": _best_card,
    "pick-deck": _best_card,
    "pick-discard": _best_card,
}

MIND: Final = Mind(imagined, scores)

GREEDY: Final = Bot(
    "greedy",
    "Treehouse Tactician",
    "Tries out what it could do this turn and takes what leaves it best off.",
    choose_greedy,
    names=("Chalk", "Dodgeball", "Kickstand", "Marbles", "Jumprope", "Slingshot", "Hopscotch"),
    minds={"duel": MIND},
)

BOTS: Final[Mapping[str, Bot]] = {"random": RANDOM, "greedy": GREEDY}
