"""Cards and Characters go from one place to another: what all of the rules use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.knd_ocg import derived, events
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.state import NEXT, NONE, SAFE, STATES, STUCK, TURN, Duel
from rules.engine.state import State

# -- decks, hands, discard piles -------------------------------------------------------------------


def shuffle_deck(s: Duel, seat: int) -> None:
    """The new order is told from the top card down; a deck ends with its top card.

    It is shuffled from the order of the cards' numbers, so that anybody can check it afterwards.
    """
    deck = s.decks[seat]
    forget(s, deck)
    deck.sort()
    s.chance.shuffle(deck)
    s.tell(events.SHUFFLE, seat, tuple(deck))
    deck.reverse()


def forget(s: State, cards: Iterable[int]) -> None:
    """A shuffle wipes what was known of these cards."""
    if s.known:
        for card in cards:
            s.known.pop(card, None)


def draw(s: Duel, seat: int, number: int) -> None:
    """KND-R-40: as many as there are."""
    deck = s.decks[seat]
    drawn = deck[-number:]
    drawn.reverse()
    del deck[-number:]
    s.hands[seat] += drawn
    s.tell(events.DRAW, seat, tuple(drawn))


def leave_hand(s: Duel, seat: int, card: int) -> None:
    """A card leaves a hand for a place where all see it."""
    s.hands[seat].remove(card)
    if s.known:
        s.known.pop(card, None)


def into_hand(s: Duel, seat: int, card: int) -> None:
    """KND-R-44: what enters a hand openly is known to the opponent until it leaves the hand."""
    s.hands[seat].append(card)
    s.show(card, 1 - seat)


def discard_from_hand(s: Duel, seat: int, card: int) -> None:
    leave_hand(s, seat, card)
    s.discards[seat].append(card)
    s.tell(events.DISCARD, seat, (card,), "hand")


def discard_at_random(s: Duel, seat: int, number: int) -> None:
    """KND-R-42: each card in hand is equally likely, one after the other."""
    hand = s.hands[seat]
    for _ in range(min(number, len(hand))):
        held = len(hand)
        place = s.chance.pick(held)
        card = hand[place]
        leave_hand(s, seat, card)
        s.discards[seat].append(card)
        s.tell(events.DISCARD_AT_RANDOM, seat, card, held, place)


def discard_from_deck(s: Duel, seat: int, number: int) -> None:
    """KND-R-40: the top cards, as many as there are."""
    deck = s.decks[seat]
    cards = deck[: -number - 1 : -1]
    if cards:
        del deck[-len(cards) :]
        s.discards[seat] += cards
        s.tell(events.DISCARD, seat, tuple(cards), "deck")


# -- what lies under a Character -------------------------------------------------------------------


def put_under(s: Duel, host: int, card: int) -> None:
    s.under[host] = (*s.under.get(host, ()), card)


def take_from_under(s: Duel, host: int, card: int) -> None:
    left = tuple(attached for attached in s.under[host] if attached != card)
    if left:
        s.under[host] = left
    else:
        del s.under[host]


def host_of(s: Duel, card: int) -> int:
    """The Character under which the card lies, or no card."""
    return next((host for host, cards in s.under.items() if card in cards), NONE)


def discard_under(s: Duel, seat: int, cards: Sequence[int]) -> None:
    """KND-R-12: to the owner's discard pile, first Gear, then Energy in order of attaching."""
    if cards:
        letter = s.cards.energy
        ordered = sorted(cards, key=lambda card: letter[card] >= 0)
        s.discards[seat] += ordered
        s.tell(events.DISCARD, seat, tuple(ordered), "under")


# -- Characters ------------------------------------------------------------------------------------


def lift(s: Duel, card: int) -> None:
    """A Character leaves its zone; all marks and modifiers on it end (KND-R-35)."""
    seat = s.owner(card)
    if s.active[seat] == card:
        s.active[seat] = NONE
    else:
        row = s.reserve[seat]
        row[row.index(card)] = NONE
    s.marks = [mark for mark in s.marks if mark[0] != card]
    if card in s.used:
        s.used.remove(card)


def bury(s: Duel, card: int) -> None:
    """A Character goes to the discard pile with all it carries (KND-R-12, KND-R-13)."""
    seat = s.owner(card)
    lift(s, card)
    s.damage.pop(card, None)
    s.discards[seat].append(card)
    discard_under(s, seat, s.under.pop(card, ()))
    s.harmed = True


def defeat(s: Duel, card: int) -> None:
    """KND-A-15, KND-A-17: the owner's tally rises."""
    seat = s.owner(card)
    s.tell(events.DEFEATED, seat, card)
    bury(s, card)
    s.fallen[seat] += 1
    s.tell(events.FALLEN, seat, s.fallen[seat])


def destroy(s: Duel, card: int) -> None:
    """KND-X-31, KND-A-18: nothing is added to the tally."""
    s.tell(events.DESTROYED, s.owner(card), card)
    bury(s, card)


@BOOK.step
def sweep(s: Duel) -> None:
    """KND-R-25, KND-R-58: Characters at 0 HP by effect damage are destroyed together."""
    hp = s.cards.hp
    for card, damage in s.damage.items():
        if damage >= hp[card]:
            break
    else:
        return
    for seat in (s.player, 1 - s.player):
        for card in s.field_of(seat):
            if s.hp(card) <= 0:
                destroy(s, card)


def lose_hp(s: Duel, card: int, amount: int, how: str) -> int:
    """The Character loses HP, at most those that it has; returns how many."""
    hp = s.hp(card)
    lost = min(amount, hp)
    if lost > 0:
        s.damage[card] = s.damage.get(card, 0) + lost
        s.tell(events.DAMAGE, s.owner(card), card, lost, how, hp - lost)
        if how != "cost":
            s.harmed = True
    return lost


def lose_by_attack(s: Duel, card: int, amount: int, how: str, *, bypass: bool) -> int:
    """KND-X-24: attack damage does not bring the HP of a Safe Character below 1."""
    if s.marks and s.has_mark(card, SAFE) and not bypass:
        amount = min(amount, s.hp(card) - 1)
    return lose_hp(s, card, amount, how)


def lose_by_effect(s: Duel, seat: int, card: int, amount: int) -> None:
    """KND-X-30, KND-R-25: ``seat`` brings it about; an opposing Pacifist keeps 1 HP."""
    if derived.is_protected(s, seat, card):
        amount = min(amount, s.hp(card) - 1)
    lose_hp(s, card, amount, "effect")


def heal(s: Duel, card: int, amount: int | str) -> None:
    """KND-X-29: never above the printed HP."""
    damage = s.damage.get(card, 0)
    healed = damage if isinstance(amount, str) else min(amount, damage)
    if healed:
        if healed == damage:
            del s.damage[card]
        else:
            s.damage[card] = damage - healed
        s.tell(events.HEAL, s.owner(card), card, healed)


def switch(s: Duel, seat: int, incoming: int) -> None:
    """KND-R-11: the outgoing Character takes the very Reserve zone of the incoming one."""
    outgoing = s.active[seat]
    row = s.reserve[seat]
    row[row.index(incoming)] = outgoing
    s.active[seat] = incoming


def move_up(s: Duel, seat: int, card: int) -> None:
    """KND-F-04, KND-F-05: from the Reserve to the empty Active zone."""
    row = s.reserve[seat]
    slot = row.index(card)
    row[slot] = NONE
    s.active[seat] = card
    s.tell(events.MOVE_UP, seat, card, f"reserve-{slot + 1}")


def go_away(s: Duel, card: int) -> None:
    """KND-X-28: with everything under it; damage stays."""
    seat = s.owner(card)
    lift(s, card)
    s.away[seat].append(card)
    s.tell(events.AWAY, seat, card)


def come_back(s: Duel, seat: int) -> None:
    """KND-X-28: to the free Reserve zone with the lowest number; KND-R-39: else to the hand."""
    for card in s.away[seat][:]:
        s.away[seat].remove(card)
        slot = s.free_slot(seat)
        if slot >= 0:
            s.reserve[seat][slot] = card
            s.tell(events.RETURN, seat, card, f"reserve-{slot + 1}")
        else:
            s.damage.pop(card, None)
            into_hand(s, seat, card)
            s.tell(events.TO_HAND, seat, card)
            discard_under(s, seat, s.under.pop(card, ()))


# -- marks -----------------------------------------------------------------------------------------


def give_mark(
    s: Duel, card: int, mark: str, until: str, *, by: int, source: int, amount: int = 0
) -> None:
    """KND-R-35: a state given twice lasts until the later end; modifiers add up."""
    if mark == STUCK and derived.has_lasting(s, card, "never-stuck"):
        return
    added = (card, mark, amount, source, by, until)
    if mark not in STATES or not any(
        old[0] == card and old[1] == mark and old[4:] == (by, until) for old in s.marks
    ):
        s.marks.append(added)
    s.tell(events.MARK, s.owner(card), card, mark, amount, until, source)


def end_marks(s: Duel, ended: Sequence[tuple[int, str, int, int, int, str]]) -> None:
    """These marks end; a state is told to end with its last mark."""
    if not ended:
        return
    s.marks = [mark for mark in s.marks if mark not in ended]
    announced = set()
    for card, mark, *_rest in ended:
        if (card, mark) not in announced and not s.has_mark(card, mark):
            announced.add((card, mark))
            s.tell(events.MARK_END, s.owner(card), card, mark)


def end_turn_marks(s: Duel) -> None:
    """KND-X-21: (TT) ends."""
    end_marks(s, [mark for mark in s.marks if mark[5] == TURN])


def end_marks_of(s: Duel, seat: int) -> None:
    """KND-X-21: the (UYN) of this seat end."""
    end_marks(s, [mark for mark in s.marks if mark[5] == NEXT and mark[4] == seat])


def stop_being(s: Duel, card: int, states: Sequence[str]) -> None:
    """The Character stops being these, whoever gave it."""
    end_marks(s, [mark for mark in s.marks if mark[0] == card and mark[1] in states])
