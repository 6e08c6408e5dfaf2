"""Golden playthroughs: a short match as a text that people read, long ones as digests.

The text begins with how the match is set up. Then come its questions with all options, the answers
(lines that begin with ``>``; with ``> 2:`` for seat 2 where several seats are asked at once), and
what everybody is told; now and then all views. Playing the answers of a text again must give the
same text, line by line. A text is cut after ``MAX_LINES`` lines: then come a digest of the rest,
its answers and the outcome. Of long matches only a digest of such a text is kept
(``digests.jsonl``, a line a match). ``python -m rules.testing playthrough <game> <mode> --show 1``
prints the first of them, and ``--show 0`` the text that was cut.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rules.engine.chance import named_seed
from rules.engine.errors import RulesError
from rules.engine.events import Event
from rules.engine.game import Game, Mode, Option
from rules.engine.match import Match
from rules.testing.folders import tests_of
from rules.testing.playouts import Exerciser, Setup, playout, random_setup

VIEW_EVERY = 20
MAX_LINES = 400
"""People read no further."""
CUT_ANSWERS = "answers: "
TRIES = 60
"""So many matches are played to find one that is short and shows much."""
LONG_MATCHES = 3
"""Of so many further matches a mode the digests are kept."""


def path_of(game: Game, mode: Mode) -> Path:
    """Where the playthrough of a mode lies."""
    return _folder(game) / f"{mode.slug}.txt"


def digests_path(game: Game) -> Path:
    """Where the digests of a game's long matches lie."""
    return _folder(game) / "digests.jsonl"


def _folder(game: Game) -> Path:
    return tests_of(game.package) / "playthroughs"


# -- long matches ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class LongMatch:
    """A match of which a digest is kept: how to play it again, and what came of it."""

    setup: Setup
    moves: int
    digest: str

    def to_json(self) -> str:
        """Its line in the file."""
        setup = self.setup
        return json.dumps(
            {
                "mode": setup.mode.slug,
                "seats": setup.seats,
                "options": dict(setup.options),
                "seed": setup.seed.hex(),
                "moves": self.moves,
                "digest": self.digest,
            }
        )


def played(setup: Setup) -> LongMatch:
    """The match of this setup under the rules of today."""
    text = generate(setup)
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    return LongMatch(setup, len(moves_of(text)), digest)


def long_matches(game: Game, mode: Mode, lines: str) -> list[LongMatch]:
    """The entries of the file ``lines`` for a mode."""
    kept = [json.loads(line) for line in lines.splitlines()]
    return [
        LongMatch(
            Setup(game, mode, entry["seats"], bytes.fromhex(entry["seed"]), entry["options"]),
            entry["moves"],
            entry["digest"],
        )
        for entry in kept
        if entry["mode"] == mode.slug
    ]


def new_setups(game: Game, mode: Mode) -> list[Setup]:
    """The long matches of a mode that has none yet: the usual one, and some with other options."""
    drawn = [random_setup(game, mode, named_seed(f"long {n}")) for n in range(1, LONG_MATCHES)]
    return [usual_setup(game, mode), *drawn]


# -- the short one -------------------------------------------------------------------------------


def usual_setup(game: Game, mode: Mode, name: str = "playthrough") -> Setup:
    """A setup that shows much in few moves: all extras, the lowest limits, some seats."""
    options = {option.slug: _telling(option) for option in mode.options}
    seats = mode.seats[len(mode.seats) // 2]
    return Setup(game, mode, seats, named_seed(name), options)


def _telling(option: Option) -> Any:
    if option.kind == "subset":
        return list(option.values)
    return option.values[0] if option.kind == "integer" else option.default


def telling_setup(game: Game, mode: Mode) -> Setup:
    """Of many matches that people can read the one with the most kinds of prompts and events.

    If every match is longer than that, the shortest.
    """
    usual = usual_setup(game, mode)
    candidates: list[tuple[bool, int, int, Setup]] = []
    for number in range(TRIES):
        for seats in mode.seats[:2]:
            setup = replace(usual, seats=seats, seed=named_seed(f"short {number}"))
            kinds, lines = _kinds_shown(setup)
            short = lines <= MAX_LINES
            candidates.append((short, kinds if short else 0, -lines, setup))
    return max(candidates, key=lambda candidate: candidate[:3])[3]


def _kinds_shown(setup: Setup) -> tuple[int, int]:
    """How many kinds of prompts and events the match has, and how many lines its text."""
    player = Exerciser()
    kinds = {prompt.kind for prompt in setup.start().prompts.values()}
    for match, _ply, events in playout(setup, player):
        player.watch(match, events)
        kinds |= {event[0] for event in events}
        kinds |= {prompt.kind for prompt in match.prompts.values()}
    return len(kinds), generate(setup).count("\n")


def generate(setup: Setup) -> str:
    """A new playthrough, in which every card that comes up is played if possible."""
    player = Exerciser()
    moves: list[str] = []
    several = len(setup.start().prompts) > 1
    for match, (seat, move), events in playout(setup, player):
        player.watch(match, events)
        text = match.notation(move)
        moves.append(f"{seat + 1}: {text}" if several else text)
        several = len(match.prompts) > 1
    return render(setup, moves)


def render(setup: Setup, moves: Iterable[str]) -> str:
    """The text of the match with these answers."""
    return "\n".join(_lines(setup, moves)) + "\n"


def cut(text: str) -> str:
    """A playthrough as it is kept: after ``MAX_LINES`` lines a digest, the answers, the outcome."""
    lines = text.splitlines(keepends=True)
    head, rest = lines[:MAX_LINES], lines[MAX_LINES:]
    if not rest:
        return text
    hidden = "".join(rest)
    digest = hashlib.sha256(hidden.encode()).hexdigest()[:32]
    outcome = next(line for line in reversed(lines) if line.startswith("outcome: "))
    answers = json.dumps(moves_of(hidden), ensure_ascii=False)
    return "".join(
        [
            *head,
            f"… {len(rest)} more lines, digest {digest}; shown by: --show 0\n",
            f"{CUT_ANSWERS}{answers}\n",
            outcome,
        ]
    )


def replayed(game: Game, mode: Mode, text: str) -> str:
    """The text that the rules of today give for the setup and the answers of ``text``, uncut."""
    return render(setup_of(game, mode, text), moves_of(text))


def setup_of(game: Game, mode: Mode, text: str) -> Setup:
    """The setup that a playthrough begins with."""
    head = dict(
        line.split(": ", 1) for line in text.split("\n\n", 2)[1].splitlines() if ": " in line
    )
    seed = bytes.fromhex(head["seed"])
    return Setup(game, mode, int(head["seats"]), seed, json.loads(head["options"]))


def moves_of(text: str) -> list[str]:
    """The answers of a playthrough, in order, also those that were cut."""
    moves: list[str] = []
    for line in text.splitlines():
        if line.startswith("> "):
            moves.append(line[2:])
        elif line.startswith(CUT_ANSWERS):
            moves.extend(json.loads(line.removeprefix(CUT_ANSWERS)))
    return moves


def _lines(setup: Setup, moves: Iterable[str]) -> Iterator[str]:
    game, mode = setup.game, setup.mode
    yield f"{game.name}, {mode.name}. Written by: python -m rules.testing playthrough"
    yield ""
    yield f"seed: {setup.seed.hex()}"
    yield f"seats: {setup.seats}"
    yield f"options: {json.dumps(dict(setup.options))}"
    yield f"rules version: {mode.rules_version}"
    yield ""
    match = setup.start()
    yield from _told(match, list(match.opening))
    yield from _views(match)
    for number, text in enumerate(moves, start=1):
        if match.outcome is not None:
            yield f"{number}. The match is over, but the answers go on."
            return
        who, colon, move_text = text.partition(": ")
        seat = int(who) - 1 if colon else min(match.prompts)
        prompt = match.prompts.get(seat)
        yield ""
        if prompt is None:
            yield f"{number}. Seat {seat + 1} is not asked."
            return
        yield f"{number}. Seat {seat + 1}, {prompt.kind}: {match.question(prompt)}"
        for move in prompt.options:
            yield f"   - {match.notation(move)}: {match.label(move)}"
        yield f"> {text}"
        try:
            events = match.play(seat, match.parse(seat, move_text if colon else text))
        except RulesError as error:
            yield f"   {error}"
            return
        yield from _told(match, events)
        if number % VIEW_EVERY == 0:
            yield from _views(match)
    yield ""
    outcome = match.outcome
    yield f"outcome: {json.dumps(outcome.to_json()) if outcome else 'the match goes on'}"
    yield from _views(match)


def _told(match: Match, events: list[Event]) -> Iterator[str]:
    """The spectator's line, and after it who reads something else."""
    for event in events:
        line = match.narrate(event, None)
        yield f"   {line or f'({event[0]})'}"
        for seat in range(match.seats):
            own = match.narrate(event, seat)
            if own != line:
                yield f"     Seat {seat + 1}: {own}"


def _views(match: Match) -> Iterator[str]:
    """All views; of a seat's view only what differs from the spectator's."""
    common = _flat(match.view(None))
    yield "   views:"
    for key, value in common.items():
        yield f"     {key} = {value}"
    for seat in range(match.seats):
        own = _flat(match.view(seat))
        for key in sorted({*common, *own}, key=lambda k: (k not in own, k)):
            if own.get(key) != common.get(key) and key != "seat":
                yield f"     Seat {seat + 1}: {key} = {own.get(key)}"


def _flat(view: dict[str, Any]) -> dict[str, str]:
    """A view as lines: lists of objects one entry each, cards by their slugs.

    The cells of a grid have a line each: a board has dozens of them.
    """
    flat: dict[str, str] = {}
    for key, value in view.items():
        if (
            isinstance(value, list)
            and value
            and isinstance(value[0], dict)
            and "id" not in value[0]
        ):
            for number, entry in enumerate(value):
                if {"x", "y"} <= entry.keys():
                    flat[f"{key}[{number}]"] = _short(entry)
                    continue
                flat.update(
                    (f"{key}[{number}].{part}", _short(what)) for part, what in entry.items()
                )
        else:
            flat[key] = _short(value)
    return flat


def _short(value: Any) -> str:
    return json.dumps(_slugs(value))


def _slugs(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"id", "slug"}:
            return value["slug"]
        return {key: _slugs(item) for key, item in value.items()}
    return [_slugs(item) for item in value] if isinstance(value, list) else value
