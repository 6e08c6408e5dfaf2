"""Random matches in which every promise of the engine is checked.

``check_playout`` plays one match and checks, on the way, what must be true of every mode of every
game. ``check_secrecy`` deals anew what a seat can't see and looks for a difference;
``check_secrets`` does so all through a match, ``check_moment`` at one point of it. They raise
``AssertionError``; a :class:`Setup` knows the command that plays the same match again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import rules
from rules.engine.bots import Bot, Thinker
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.errors import IllegalMove
from rules.engine.events import Event, event_from_json, event_to_json
from rules.engine.game import Game, Mode, Option
from rules.engine.lab import cards_played
from rules.engine.legality import Decklist
from rules.engine.match import Match
from rules.engine.moves import (
    Card,
    Move,
    Prompt,
    Seat,
    Slot,
    move_from_json,
    move_to_json,
    target_to_json,
)
from rules.engine.random_decks import random_deck
from rules.search import decide

Chooser = Callable[[Match, Prompt, Chance], Move]
Ply = tuple[int, Move]
Seen = dict[int | None, dict[str, Any]]
"""The sights of some seats (None: a spectator) at a moment; see ``seen_by``."""

NONSENSE = Move("no-such-verb", 10_000)


def playable_modes() -> list[tuple[Game, Mode]]:
    """Every mode of every game that can be played."""
    return [
        (game, mode)
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable
    ]


@dataclass(frozen=True)
class Setup:
    """A match that can be started again: everything follows from these values."""

    game: Game
    mode: Mode
    seats: int
    seed: bytes
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def decks(self) -> list[Decklist]:
        """The decks that this mode or an option asks for, made from the seed."""
        chance = self.chance("decks")
        if self.game.sample_decks is not None:
            options = self.mode.checked_options(self.options)
            return self.game.sample_decks(self.mode, options, self.seats, chance)
        decks = {"own": self.seats, "shared": 1, "": 0}[self.mode.decks(self.options)]
        return [random_deck(self.game, self.mode, chance) for _ in range(decks)]

    def chance(self, purpose: str) -> Chance:
        """A stream of its own, apart from the match's: for players, decks, probes."""
        return Chance(mix(self.seed, [(0, purpose)]))

    def start(self) -> Match:
        """The match before its first move."""
        return self.game.new_match(
            self.mode.slug,
            seats=self.seats,
            seed=self.seed,
            options=self.options,
            decks=self.decks,
        )

    @property
    def command(self) -> str:
        """The command that plays and checks this match again."""
        options = json.dumps(dict(self.options), separators=(",", ":"))
        return (
            f"python -m rules.testing check {self.game.slug} {self.mode.slug} "
            f"--seats {self.seats} --seed {self.seed.hex()} --options '{options}'"
        )

    def secrets_command(self, moves: int, seat: int | None, deal: int) -> str:
        """The command that shows, within seconds, what a seat would notice after so many moves."""
        _check, rest = self.command.split(" check ")
        who = "" if seat is None else f" --seat {seat}"
        return f"python -m rules.testing secrets {rest} --moves {moves}{who} --deal {deal}"


def random_setup(game: Game, mode: Mode, seed: bytes) -> Setup:
    """Seats and options drawn from the seed."""
    chance = Chance(mix(seed, [(0, "setup")]))
    seats = mode.seats[chance.pick(len(mode.seats))]
    options = {option.slug: random_value(option, chance) for option in mode.options}
    return Setup(game, mode, seats, seed, options)


def random_value(option: Option, chance: Chance) -> Any:
    """A value that the option allows."""
    if option.kind == "integer":
        if option.word and chance.pick(4) == 0:
            return option.word
        low, high = option.values
        return (low, option.default, low + chance.pick(high - low + 1))[chance.pick(3)]
    if option.kind == "subset":
        if option.word and chance.pick(4) == 0:
            return option.word
        return [value for value in option.values if chance.pick(2)]
    return option.values[chance.pick(len(option.values))]


# -- who plays ---------------------------------------------------------------------------------


def at_random(match: Match, prompt: Prompt, chance: Chance) -> Move:
    """Any option."""
    return prompt.options[chance.pick(len(prompt.options))]


class Exerciser:
    """Plays so that every card is played at least once; ``played`` counts by slug.

    A card counts as played by an event whose kind says so (``EventKind.plays``). Of the options
    that name a card, the card played least is preferred, and before them those by whose verb cards
    have been played: to attack with a card plays none, and may end the turn. Every other answer is
    any option, so that what needs a long preparation comes about as well. If it ``looks``, it tries
    each option first and prefers those that play a card.
    """

    looks = False

    def __init__(self) -> None:
        self.played: dict[str, int] = {}
        self.verb = ""
        self.playing: set[str] = set()

    def __call__(self, match: Match, prompt: Prompt, chance: Chance) -> Move:
        if self.looks and (playing_now := self._playing(match, prompt)):
            return playing_now
        naming = {move: move.card for move in prompt.options if move.card is not None}
        playing = {move: card for move, card in naming.items() if move.verb in self.playing}
        preferred = playing or (naming if not chance.pick(2) else {})
        counts = {
            move: self.played.get(match.card(card)["slug"], 0) for move, card in preferred.items()
        }
        least = min(counts.values(), default=0)
        among = [move for move, count in counts.items() if count == least] or prompt.options
        move = among[chance.pick(len(among))]
        self.verb = move.verb
        return move

    def _playing(self, match: Match, prompt: Prompt) -> Move | None:
        """The option that at once plays the card which was played least, if any plays one."""
        plays: dict[Move, int] = {}
        for move in prompt.options:
            twin = match.clone()
            for _seat, slug in cards_played(twin, twin.play(prompt.seat, move)):
                plays[move] = self.played.get(slug, 0)
        return min(plays, key=plays.__getitem__) if plays else None

    def watch(self, match: Match, events: list[Event]) -> None:
        """Take note of what was played."""
        for _seat, slug in cards_played(match, events):
            self.played[slug] = self.played.get(slug, 0) + 1
            self.playing.add(self.verb)

    def missing(self, game: Game, mode: Mode) -> list[str]:
        """The cards of the mode that nobody has played yet."""
        return [
            slug
            for slug, card in game.catalog.items()
            if slug not in self.played and mode.takes(card)
        ]


# -- one playout, every check -------------------------------------------------------------------


@dataclass
class Playout:
    """The result of a checked match."""

    match: Match
    plies: list[Ply]
    events: list[Event]


def playout(setup: Setup, choose: Chooser = at_random) -> Iterator[tuple[Match, Ply, list[Event]]]:
    """Play to the end; yields after every move. The match is the same object all the time."""
    match = setup.start()
    players = setup.chance("players")
    moves = 0
    while match.outcome is None:
        seats = sorted(match.prompts)
        assert seats, "nobody is asked, and the match is not over"
        seat = seats[players.pick(len(seats))]
        move = choose(match, match.prompts[seat], players)
        events = match.play(seat, move)
        moves += 1
        assert moves <= setup.mode.max_moves, f"longer than {setup.mode.max_moves} moves"
        yield match, (seat, move), events


def finish(match: Match, chance: Chance) -> int:
    """Play a match to its end at random; returns how many moves it took."""
    moves = 0
    while match.outcome is None:
        seats = sorted(match.prompts)
        assert seats, "nobody is asked, and the match is not over"
        prompt = match.prompts[seats[chance.pick(len(seats))]]
        match.play(prompt.seat, prompt.options[chance.pick(len(prompt.options))])
        moves += 1
        assert moves <= match.mode.max_moves, f"longer than {match.mode.max_moves} moves"
    check_end(match)
    return moves


def check_playout(setup: Setup, choose: Chooser = at_random, *, every: int = 1) -> Playout:
    """One match with all checks; the costly ones after every ``every``-th move."""
    try:
        return _checked(setup, choose, every)
    except Exception as error:
        error.add_note(f"To see it again: {setup.command}")
        raise


def _checked(setup: Setup, choose: Chooser, every: int) -> Playout:
    match, twin = setup.start(), setup.start()
    players, probes = setup.chance("players"), setup.chance("probes")
    plies: list[Ply] = []
    log: list[Event] = list(match.opening)
    seen: Seen = {}
    check_events(match, match.opening)
    check_cards(match)
    while match.outcome is None:
        check_prompts(match)
        thorough = len(plies) % every == 0
        seat = sorted(match.prompts)[players.pick(len(match.prompts))]
        move = choose(match, match.prompts[seat], players)
        if thorough:
            check_notation(match)
            check_refusals(match, probes)
            quitter = seat if probes.pick(2) else probes.pick(match.seats)
            check_concession(match, quitter, probes, to_the_end=len(plies) % (16 * every) == 0)
            check_agreement(match)
            twin = restored(twin)
        position = match.state.chance.position
        knows = card_ids(match.view(seat)) if thorough else None
        clone = match.clone() if thorough else None
        before = _canonical(match.dump()) if thorough else ""
        seen = {
            other: seen.get(other) or seen_by(match, other, []) for other in _others(match, seat)
        }
        events = match.play(seat, move)
        plies.append((seat, move))
        log.extend(events)
        assert len(plies) <= setup.mode.max_moves, f"longer than {setup.mode.max_moves} moves"
        assert twin.play(seat, move) == events, "the restored twin tells something else"
        check_cards(match)
        check_undo(match, seat, position, knows)
        seen = check_silence(match, seen, events)
        if clone is not None:
            assert _canonical(clone.dump()) == before, "playing changed a clone"
            assert clone.play(seat, move) == events, "a clone tells something else"
            check_same(match, {"a clone": clone, "the restored twin": twin})
            check_events(match, events)
    check_end(match)
    check_same(match, {"the restored twin": twin})
    check_replay(setup, plies, log, match)
    return Playout(match, plies, log)


def restored(match: Match) -> Match:
    """The match dumped to JSON text and read back."""
    data = match.dump()
    stored = json.loads(json.dumps(data))
    assert stored == data, "what is stored comes back as something else"
    return Match.load(match.game, stored)


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True)


def check_prompts(match: Match) -> None:
    """Somebody is asked, and every prompt offers what the rules offer."""
    assert match.prompts, "nobody is asked, and the match is not over"
    book = match.game.rulebook
    for seat, prompt in match.prompts.items():
        assert prompt.seat == seat, f"seat {seat} holds a prompt of seat {prompt.seat}"
        assert 0 <= seat < match.seats, f"there is no seat {seat}"
        kind = book.prompts[prompt.kind]
        least = 1 if kind.asks_alone(match.state, seat, *prompt.context) else 2
        assert len(prompt.options) >= least, f"{prompt.kind} offers {prompt.options}"
        assert len(set(prompt.options)) == len(prompt.options), f"twice: {prompt.options}"
        again = book.options(match.state, prompt)
        assert again == prompt.options, f"{prompt.kind} asked again offers {again}"
        assert match.default_move(seat) in prompt.options, "the default move is not offered"
        assert match.question(prompt), f"{prompt.kind} has no question"
        check_outlook(match, prompt)
        check_ahead(match, prompt)
        check_places(match, prompt)
        assert prompt.id == match.state.asked[seat], f"prompt {prompt.id} is not seat {seat}'s last"


def check_outlook(match: Match, prompt: Prompt) -> None:
    """Check that an outlook is plain data, and that its verbs are offered."""
    outlook = match.outlook(prompt)
    assert json.loads(json.dumps(outlook)) == outlook, f"{prompt.kind} looks out on {outlook}"
    verbs = {move.verb for move in prompt.options}
    for row in outlook.get("places", ()):
        assert row["verb"] in verbs, f"{prompt.kind} does not offer what {row} needs"
    chosen_by = {move.card for move in prompt.options} | {
        row["card"] for row in outlook.get("places", ())
    }
    for row in outlook.get("why_not", ()):
        assert row["card"] not in chosen_by, f"{prompt.kind} offers what it says {row} about"
        assert row["says"].endswith("."), f"{row} is not a sentence"
        assert row["rule"], f"{row} names no rule"


def check_ahead(match: Match, prompt: Prompt) -> None:
    """Check that the choices and conditions of a planned answer can be told apart."""
    ahead = match.game.ahead.get(prompt.kind)
    if ahead is None:
        return
    for sight in (match.sight(prompt.seat), match.sight(prompt.seat, prompt=prompt)):
        for rows in (ahead.choices_at(sight), ahead.conditions_at(sight)):
            keys = [row.key for row in rows]
            assert len(set(keys)) == len(keys), f"{prompt.kind} names twice: {keys}"
            words = [row.says for row in rows]
            assert len(set(words)) == len(words), f"{prompt.kind} says twice: {words}"


def ahead_of(match: Match, seat: int, prompt: Prompt | None) -> list[Any]:
    """Everything that the seat could plan now, with the conditions at ``prompt``."""
    result: list[Any] = []
    for kind, ahead in match.game.ahead.items() if match.seats > 1 else ():
        at = prompt if prompt is not None and prompt.kind == kind else None
        sight = match.sight(seat, prompt=at)
        result.append((kind, ahead.choices_at(sight), ahead.conditions_at(sight)))
    return result


def check_places(match: Match, prompt: Prompt) -> None:
    """A slot or a seat stands for a single answer: whoever presses it means no other."""
    verbs: dict[str, str] = {}
    aims = [
        (row["verb"], target)
        for row in match.outlook(prompt).get("places", ())
        if row["card"] is None
        for target in row["to"]
    ]
    answers = [
        (move.verb, target_to_json(move.target))
        for move in prompt.options
        if move.card is None and isinstance(move.target, Slot | Seat)
    ]
    for group in (aims, answers):
        verbs.clear()
        for verb, target in group:
            place = json.dumps(target)
            other = verbs.setdefault(place, verb)
            assert other == verb, (
                f"{prompt.kind}: {place} stands for “{other}” and for “{verb}”. Ask for the verb "
                "first, and for the place in a prompt of its own."
            )


def check_notation(match: Match) -> None:
    """Every option can be written down, read back and stored; no two read the same."""
    for seat, prompt in match.prompts.items():
        texts = [match.notation(move) for move in prompt.options]
        assert len(set(texts)) == len(texts), f"two options read the same: {texts}"
        for move, text in zip(prompt.options, texts, strict=True):
            assert match.parse(seat, text) == move, f"{text} is read as another move"
            assert move_from_json(json.loads(json.dumps(move_to_json(move)))) == move, text
            assert match.label(move), f"{text} has no label"


def check_refusals(match: Match, chance: Chance) -> None:
    """Check that a move that is not offered is refused, and changes nothing."""
    before = _canonical(match.dump())
    prompts = dict(match.prompts)
    events = list(match.opening)
    choices = prompts[sorted(prompts)[0]].options
    stray = choices[chance.pick(len(choices))]
    for seat in range(-1, match.seats + 1):
        prompt = prompts.get(seat)
        tries = [NONSENSE, stray._replace(target=Card(10_000)), stray]
        for move in tries:
            if prompt is None or move not in prompt.options:
                _refused(lambda s=seat, m=move: match.play(s, m))  # type: ignore[misc]
        if prompt is None:
            _refused(lambda s=seat: match.default_move(s))  # type: ignore[misc]
    _refused(lambda: match.concede(match.seats))
    _refused(lambda: match.concede(-1))
    assert match.prompts == prompts, "a refused move changed the prompts"
    assert match.opening == events, "a refused move changed the events"
    assert _canonical(match.dump()) == before, "a refused move changed the match"


def _refused(attempt: Callable[[], object]) -> None:
    try:
        attempt()
    except IllegalMove:
        return
    raise AssertionError("a move that is not offered was accepted")


def check_concession(match: Match, seat: int, chance: Chance, *, to_the_end: bool) -> None:
    """A seat may give up at any moment: the match ends or goes on with the others."""
    left = match.clone()
    try:
        events = left.concede(seat)
    except IllegalMove:
        assert seat not in match.prompts, f"seat {seat} is asked, but can't give up"
        return
    assert events, "giving up is not told as an event"
    check_cards(left)
    check_events(left, events)
    assert seat not in left.prompts, f"seat {seat} gave up and is asked all the same"
    assert not left.can_undo(seat), "giving up can be undone"
    _refused(lambda: left.concede(seat))
    if match.mode.ends_for_all:
        assert left.outcome is not None, f"seat {seat} gave up, and the others play on"
    if left.outcome is not None:
        check_end(left)
        assert seat not in left.outcome.winners, f"seat {seat} gave up and won"
        return
    check_prompts(left)
    assert _canonical(restored(left).dump()) == _canonical(left.dump()), "the twin differs"
    if to_the_end:
        finish(left, chance)


def check_agreement(match: Match) -> None:
    """Where the rules know an agreed draw, it ends the match at any moment, and nobody wins."""
    left = match.clone()
    if not match.knows_draws:
        _refused(left.agree_on_draw)
        return
    events = left.agree_on_draw()
    assert events, "agreeing on a draw is not told as an event"
    check_cards(left)
    check_events(left, events)
    check_end(left)
    assert left.outcome is not None
    assert left.outcome.winners == (), "somebody won a draw"
    assert len(left.outcome.ranking[0]) > 1, "nobody shares the draw"
    _refused(left.agree_on_draw)


def check_cards(match: Match) -> None:
    """Each card lies in exactly one zone."""
    count = match.game.table.card_count(match.state)
    lying = [card for _zone, _owner, cards in match.state.zones() for card in cards]
    if len(lying) != count or sorted(lying) != list(range(count)):
        twice = sorted({card for card in lying if lying.count(card) > 1})
        lost = sorted(set(range(count)) - set(lying))
        raise AssertionError(f"cards twice: {twice}; cards lost: {lost}")


def check_undo(match: Match, seat: int, position: int, knows: set[int] | None) -> None:
    """Nothing can be undone after chance, or after the seat that moved learnt something.

    ``knows`` are the cards that it saw before its move (None: don't look).
    """
    for other in range(match.seats):
        if other != seat or match.state.chance.position != position or match.outcome is not None:
            assert not match.can_undo(other), f"seat {other} could undo"
    if knows is not None and match.can_undo(seat):
        learnt = card_ids(match.view(seat)) - knows
        assert not learnt, f"seat {seat} could undo, but has learnt of cards {learnt}"


def _others(match: Match, seat: int) -> list[int | None]:
    """Everybody but the seat, spectators too, while others are asked beside it; else nobody."""
    if len(match.prompts) == 1:
        return []
    return [None, *(other for other in range(match.seats) if other != seat)]


def check_silence(match: Match, before: Seen, events: list[Event]) -> Seen:
    """A move of which somebody is told nothing changes nothing that they can see or count.

    Returns what those who are told nothing see now.
    """
    now: Seen = {}
    for other, seen in before.items():
        if any(match.event_view(event, other) is not None for event in events):
            continue
        after = now[other] = seen_by(match, other, [])
        for part, value in seen.items():
            assert after[part] == value, f"{other} is told nothing, but its {part} has changed"
    return now


def check_same(match: Match, others: Mapping[str, Match]) -> None:
    """Matches that must be equal in everything that can be asked of them; each with its name."""
    state = _canonical(match.dump())
    views = {seat: match.view(seat) for seat in (None, *range(match.seats))}
    for what, other in others.items():
        assert _canonical(other.dump()) == state, f"{what} has another state"
        assert other.prompts == match.prompts, f"{what} has other prompts"
        assert other.outcome == match.outcome, f"{what} has another outcome"
        for seat, view in views.items():
            assert other.view(seat) == view, f"{what} has another view for {seat}"


def check_events(match: Match, events: list[Event]) -> None:
    """Events can be stored, are declared, can be shown and told to everybody."""
    stored = json.loads(json.dumps([event_to_json(event) for event in events]))
    assert [event_from_json(row) for row in stored] == events, f"{events} are stored as {stored}"
    for seat in (None, *range(match.seats)):
        json.dumps([match.event_view(event, seat) for event in events])
        lines = [match.narrate(event, seat) for event in events]
        assert all(line is None or line.strip() for line in lines), f"{events} are told as {lines}"


def check_end(match: Match) -> None:
    """A match that is over: everybody is ranked, nobody is asked, nothing is legal."""
    outcome = match.outcome
    assert outcome is not None
    ranked = sorted(seat for group in outcome.ranking for seat in group)
    assert ranked == list(range(match.seats)), f"the ranking names {ranked}"
    assert all(outcome.ranking), "the ranking has an empty group"
    assert set(outcome.winners) <= set(outcome.ranking[0]), "a winner is not ranked first"
    if match.mode.together:
        assert len(outcome.ranking) == 1, "all win or lose together, but not all rank first"
        assert len(outcome.winners) in (0, match.seats), f"only {outcome.winners} have won"
    for group in (*outcome.ranking, outcome.winners):
        for seat in group:
            missing = set(match.mode.party(seat, match.seats)) - set(group)
            assert not missing, f"seat {seat} has the place {group}, its team's {missing} has not"
    assert outcome.reason, "nobody says why it ended"
    assert not match.prompts, "somebody is asked after the end"
    for seat in range(match.seats):
        _refused(lambda s=seat: match.play(s, NONSENSE))  # type: ignore[misc]
        _refused(lambda s=seat: match.concede(s))  # type: ignore[misc]
        _refused(lambda s=seat: match.default_move(s))  # type: ignore[misc]
        assert not match.can_undo(seat), "a match that is over can be undone"


def check_replay(setup: Setup, plies: list[Ply], log: list[Event], end: Match) -> None:
    """Check that the start and the moves, as text, give this match again."""
    again = setup.start()
    events = list(again.opening)
    for seat, move in plies:
        events.extend(again.play(seat, again.parse(seat, again.notation(move))))
    assert events == log, "a replay tells something else"
    check_same(end, {"a replay": again})


# -- secrecy -------------------------------------------------------------------------------------


def card_ids(data: object) -> set[int]:
    """All cards that a view or a redacted event names: the values of ``id``, wherever they are."""
    ids: set[int] = set()
    inside: list[Any] = [data]
    while inside:
        value = inside.pop()
        if type(value) is dict:
            if "slug" in value and "id" in value:
                ids.add(value["id"])
            inside.extend(value.values())
        elif type(value) is list:
            inside.extend(value)
    return ids


def places(match: Match) -> dict[int, tuple[int, int]]:
    """Where every card lies: number of the zone, index in it."""
    return {
        card: (number, index)
        for number, (_zone, _owner, cards) in enumerate(match.state.zones())
        for index, card in enumerate(cards)
    }


def seen_by(match: Match, seat: int | None, events: list[Event]) -> dict[str, Any]:
    """Everything that a seat (None: a spectator) is told at this moment."""
    prompt = match.prompts.get(seat) if seat is not None else None
    return {
        "view": match.view(seat),
        "prompt": prompt,
        "question": prompt and match.question(prompt),
        "labels": prompt and [match.label(move) for move in prompt.options],
        "outlook": prompt and match.outlook(prompt),
        "ahead": [] if seat is None else ahead_of(match, seat, prompt),
        "notations": prompt and [match.notation(move) for move in prompt.options],
        "default": prompt and match.default_move(prompt.seat),
        "undo": seat is not None and match.can_undo(seat),
        "waiting": sorted(match.prompts),
        "kinds": None if prompt is None else prompt.kind,
        "events": [match.event_view(event, seat) for event in events],
        "lines": [match.narrate(event, seat) for event in events],
        "motions": [match.motions(event, seat) for event in events],
        "outcome": match.outcome,
    }


class Leak(AssertionError):
    """A seat (None: a spectator) would notice that what it can't see was dealt anew."""

    def __init__(self, message: object, seat: int | None, deal: int) -> None:
        super().__init__(message)
        self.seat = seat
        self.deal = deal


def check_secrecy(match: Match, seat: int | None, chance: Chance, *, deals: int = 2) -> set[int]:
    """Deal anew what ``seat`` can't see: it must not notice, and neither may a bot.

    Returns the cards that lay elsewhere afterwards, that is, cards hidden from the seat. Raises
    :class:`Leak`.
    """
    moved: set[int] = set()
    for _ in range(deals):
        moved |= check_deal(match, seat, chance.pick(1 << 30))
    return moved


def check_deal(match: Match, seat: int | None, deal: int) -> set[int]:
    """As :func:`check_secrecy`, with the one deal that has this number."""
    events = list(match.opening)
    seen = seen_by(match, seat, events)
    twin = match.redeal(seat, Chance(named_seed(f"{deal}")))
    try:
        check_cards(twin)
        dealt = seen_by(twin, seat, events)
        for part, value in seen.items():
            differs = difference(value, dealt[part], part)
            assert not differs, f"seat {seat} would notice another deal by its {differs}"
        for other, prompt in twin.prompts.items():
            again = twin.game.rulebook.options(twin.state, prompt)
            assert again == prompt.options, f"seat {other} is offered what it has not"
        if seat is not None and seat in match.prompts:
            check_bots_are_blind(match, twin, seat)
        lay, lies = places(match), places(twin)
        moved = {card for card, place in lay.items() if lies[card] != place}
        leaked = card_ids(match.view(seat)) & moved
        assert not leaked, f"the view of seat {seat} names hidden cards {leaked}"
    except AssertionError as error:
        raise Leak(error, seat, deal) from error
    return moved


def difference(value: Any, other: Any, where: str) -> str:
    """Where two values differ first, and how; "" if they are equal."""
    if value == other:
        return ""
    if isinstance(value, dict) and isinstance(other, dict) and value.keys() == other.keys():
        inside: Iterable[Any] = value
    elif isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        inside = range(len(value))
    else:
        return f"{where}: {value!r} is then {other!r}"
    return next(
        difference(value[key], other[key], f"{where} → {key}")
        for key in inside
        if value[key] != other[key]
    )


def check_bots_are_blind(match: Match, twin: Match, seat: int) -> None:
    """A bot of this seat plays the same, whatever the others hold; one with a mind for the mode
    scores the options of the match itself as those of the table that its view shows.
    """
    for bot in match.game.bots.values():
        check_is_blind(bot, match, twin, seat)
        if match.mode.slug in bot.minds:
            mind, prompt = bot.minds[match.mode.slug], match.prompts[seat]
            expected = mind.scores(mind.table(match.view(seat)), prompt)
            for table in (match, twin):
                scores = mind.scores(table.state, prompt)
                assert scores == expected, f"{bot.slug} scores {scores}, by its view {expected}"


def check_is_blind(player: Bot | Thinker, match: Match, twin: Match, seat: int) -> None:
    """The player answers the seat's prompt alike in two matches that look the same to the seat."""
    move, other = (decide(player, table, seat, Chance(bytes(32))) for table in (match, twin))
    assert move == other, f"{player.slug} plays {move} or {other}, depending on hidden cards"


def check_secrets(setup: Setup, choose: Chooser = at_random, *, every: int = 5) -> int:
    """A playout with :func:`check_secrecy` for every seat and a spectator; returns how many times.

    It also looks for cards in redacted events that were hidden before the move and are after it,
    and plays some of the newly dealt matches to their end.
    """
    probes = setup.chance("secrets")
    checked = number = 0
    hidden: dict[int | None, set[int]] = {}
    try:
        for number, (match, _ply, events) in enumerate(playout(setup, choose)):
            if number % every == every - 1:
                hidden = {
                    seat: check_secrecy(match, seat, probes) for seat in (None, *range(match.seats))
                }
                checked += len(hidden)
                if number % (20 * every) == every - 1:
                    finish(
                        match.redeal(probes.pick(match.seats), Chance(named_seed(f"{number}"))),
                        probes,
                    )
            elif hidden:
                for seat, before in hidden.items():
                    visible = {
                        card
                        for event in events
                        if not match.game.events[event[0]].fleeting
                        for card in card_ids(match.event_view(event, seat))
                    }
                    suspects = visible & before
                    if suspects:
                        leaked = suspects & check_secrecy(match, seat, probes)
                        assert not leaked, f"events tell seat {seat} of hidden cards {leaked}"
                hidden = {}
    except Leak as leak:
        leak.add_note(f"To see it: {setup.secrets_command(number + 1, leak.seat, leak.deal)}")
        raise
    except Exception as error:
        error.add_note(f"To see it again: {setup.command}")
        raise
    return checked


OPTIONS_TRIED = 3
"""So many answers to one question are played and taken back."""


def check_take_backs(setup: Setup, choose: Chooser = at_random, *, every: int = 1) -> int:
    """A match in which whoever is asked tries answers and takes them back; returns how often.

    It does so after every ``every``-th move.

    That is done at the table as it is and at one where all that the seat cannot see was dealt anew:
    it must learn nothing by which it could tell one from the other, and may keep nothing of what an
    answer has shown to others. Raises :class:`Leak`.
    """
    probes = setup.chance("take-backs")
    taken_back = 0
    try:
        for number, (match, _ply, _events) in enumerate(playout(setup, choose)):
            if number % every == 0 and len(match.prompts) == 1:
                taken_back += check_second_thoughts(match, probes)
    except Leak as leak:
        leak.add_note(f"To see it again: {setup.command}")
        raise
    return taken_back


def check_second_thoughts(match: Match, chance: Chance) -> int:
    """:func:`check_take_backs` at one moment, at which one seat is asked."""
    (prompt,) = match.prompts.values()
    seat, options = prompt.seat, list(prompt.options)
    chance.shuffle(options)
    deal = chance.pick(1 << 30)
    table, twin = match, match.redeal(seat, Chance(named_seed(f"{deal}")))
    taken_back = 0
    for move in options[:OPTIONS_TRIED]:
        played, dealt = table.clone(), twin.clone()
        events, others = played.play(seat, move), dealt.play(seat, move)
        undo = played.can_undo(seat), dealt.can_undo(seat)
        try:
            assert undo[0] == undo[1], f"may it take back “{table.notation(move)}”? {undo}"
            if not undo[0]:
                continue
            _check_alike(played, dealt, seat, events, others)
            _check_shown(table, played, seat)
            table, twin = played.gone_back(table), dealt.gone_back(twin)
            _check_alike(table, twin, seat, [], [])
        except AssertionError as error:
            what = f"seat {seat} learns of hidden cards by taking back “{table.notation(move)}”"
            raise Leak(f"{what}: {error}", seat, deal) from error
        taken_back += 1
    return taken_back


def _check_alike(
    match: Match, twin: Match, seat: int, events: list[Event], others: list[Event]
) -> None:
    """A seat sees no difference between two tables."""
    differs = difference(seen_by(match, seat, events), seen_by(twin, seat, others), "it")
    assert not differs, differs


def _check_shown(before: Match, after: Match, seat: int) -> None:
    """An answer that can be taken back shows the others no card that its own seat did not see."""
    own = card_ids(before.view(seat))
    for other in (None, *range(before.seats)):
        visible = card_ids(after.view(other)) - card_ids(before.view(other)) - own
        assert not visible, f"seat {other} is shown cards {visible}"


def check_moment(setup: Setup, plies: list[Ply]) -> tuple[int, int]:
    """Play the match again up to a move drawn from its seed: nobody notices another deal there.

    Returns for how many viewers that was checked and how many cards it moved, all together.
    """
    probes = setup.chance("moment")
    match = setup.start()
    moves = probes.pick(len(plies) + 1)
    for seat, move in plies[:moves]:
        match.play(seat, move)
    viewers = (None, *range(match.seats))
    try:
        moved = [check_secrecy(match, viewer, probes, deals=1) for viewer in viewers]
    except Leak as leak:
        leak.add_note(f"To see it: {setup.secrets_command(moves, leak.seat, leak.deal)}")
        raise
    return len(viewers), sum(map(len, moved))


# -- the same in another process ----------------------------------------------------------------


def digest(setup: Setup) -> str:
    """One hash over all dumps, prompts, views, events and lines of a match."""
    seen = hashlib.sha256()

    def add(data: object) -> None:
        seen.update(json.dumps(data).encode())

    opening = setup.start()
    add(opening.dump())
    add([event_to_json(event) for event in opening.opening])
    for number, (match, (seat, move), events) in enumerate(playout(setup)):
        add([seat, match.notation(move), [event_to_json(event) for event in events]])
        add(match.dump())
        if number % max(1, match.seats - 3) == 0:  # large tables have many views, and each is long
            add([match.view(None), *(match.view(other) for other in range(match.seats))])
        add([[match.narrate(event, None), match.event_view(event, 0)] for event in events])
        for prompt in match.prompts.values():
            add([match.question(prompt), [match.label(option) for option in prompt.options]])
    return seen.hexdigest()
