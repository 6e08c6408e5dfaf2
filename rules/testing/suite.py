"""The checks of every mode of every game. Each raises ``AssertionError``.

``python -m rules.testing all <game>`` runs them for a game that is being written, and the tests run
the same ones; a failure names the command that shows it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadData, BadSetup, RulesError
from rules.engine.game import Game, Mode
from rules.testing import playthrough
from rules.testing.decks import cheap_checks, fixes
from rules.testing.folders import ROOT
from rules.testing.notation import form_of, verbs
from rules.testing.playouts import (
    Exerciser,
    Setup,
    check_playout,
    check_secrets,
    check_take_backs,
    playout,
    random_setup,
)

SMALL_TABLE: Final = 4
MATCHES: Final = 3
MOST_MATCHES: Final = 200
BLIND_MATCHES: Final = 150
TEXTS: Final = 100
PLIES: Final = 80


def pace(setup: Setup) -> int:
    """After how many moves the costly checks come: at a large table everything costs more."""
    return 3 if setup.seats <= SMALL_TABLE else setup.seats**2 // 2


def _some(game: Game, mode: Mode, name: str) -> list[Setup]:
    return [random_setup(game, mode, named_seed(f"{name} {n}")) for n in range(MATCHES)]


def promises(game: Game, mode: Mode) -> None:
    """All promises of the engine hold in random matches."""
    for setup in _some(game, mode, "promises"):
        check_playout(setup, every=pace(setup))


def secrets(game: Game, mode: Mode) -> None:
    """Nobody notices when what they cannot see is dealt anew."""
    for setup in _some(game, mode, "secrets"):
        assert check_secrets(setup, every=pace(setup)), f"nothing was dealt anew: {setup.command}"


def take_backs(game: Game, mode: Mode) -> None:
    """Nobody learns anything of hidden cards by an answer that they may take back."""
    for setup in _some(game, mode, "take-backs"):
        check_take_backs(setup, every=2 * pace(setup))


def twins(game: Game, mode: Mode) -> None:
    """A match stored and restored after every move is equal; at a large table now and then."""
    for seats in {mode.seats[0], mode.seats[-1]}:
        seed = named_seed(f"twin {seats}")
        setup = Setup(game, mode, seats, seed, random_setup(game, mode, seed).options)
        check_playout(setup, every=1 if seats <= SMALL_TABLE else 2 * seats)


def starts(game: Game, mode: Mode) -> None:
    """Every value of every option starts for every number of seats."""
    for option in mode.options:
        values = [list(option.values), []] if option.kind == "subset" else list(option.values)
        for value in [*values, *([option.word] if option.word else [])]:
            for seats in mode.seats:
                setup = Setup(game, mode, seats, named_seed("values"), {option.slug: value})
                match = setup.start()
                assert match.seats == seats, setup.command
                assert match.prompts, f"nobody is asked: {setup.command}"
                assert match.options[option.slug] == value, setup.command


def deals(game: Game, mode: Mode) -> None:
    """Dealing anew moves cards: else ``secrets`` could hold because nothing is ever dealt."""
    for seats in mode.seats:
        match = Setup(game, mode, seats, named_seed("anew")).start()
        before = [list(cards) for _zone, _owner, cards in match.state.zones()]
        for seat in (None, *range(seats)):
            twin = match.redeal(seat, Chance(named_seed("another deal")))
            after = [list(cards) for _zone, _owner, cards in twin.state.zones()]
            assert after != before, f"another deal for seat {seat} is the same"


def cards(game: Game, mode: Mode) -> None:
    """Every card of the mode is played in some match."""
    exerciser = Exerciser()
    for number in range(MOST_MATCHES):
        # Where moves do not name cards, as those of a hand that its owner does not see, it looks.
        exerciser.looks = number >= BLIND_MATCHES
        setup = random_setup(game, mode, named_seed(f"exercise {number}"))
        try:
            for match, _ply, events in playout(setup, exerciser):
                exerciser.watch(match, events)
        except Exception as error:
            error.add_note(f"To see it again: {setup.command}")
            raise
        if not exerciser.missing(game, mode):
            break
    missing = exerciser.missing(game, mode)
    assert not missing, f"never played: {', '.join(missing)}"


def golden(game: Game, mode: Mode) -> None:
    """The golden playthrough is still played the same, to its end; so are the long matches."""
    path = playthrough.path_of(game, mode)
    again = f"python -m rules.testing playthrough {game.slug} {mode.slug}"
    assert path.exists(), f"{mode.name} has no playthrough; write one: {again}"
    text = path.read_text(encoding="utf-8")
    today = playthrough.cut(playthrough.replayed(game, mode, text))
    lines = zip(text.splitlines(), today.splitlines(), strict=False)
    for number, (old, new) in enumerate(lines, start=1):
        assert new == old, f"{path.name}, line {number}. If that is meant: {again}"
    assert today == text, f"{path.name} has another length. If that is meant: {again}"
    assert "outcome: {" in text, f"{path.name} does not go to the end"
    digests = playthrough.digests_path(game)
    kept = playthrough.long_matches(
        game, mode, digests.read_text(encoding="utf-8") if digests.exists() else ""
    )
    assert kept, f"{digests.name} has no long match of {mode.name}; write some: {again}"
    for number, match in enumerate(kept, start=1):
        assert playthrough.played(match.setup) == match, (
            f"{digests.name}, long match {number} of {mode.slug} is played otherwise; to compare "
            f"with another checkout: {again} --show {number}. If that is meant: {again}"
        )


def setups(game: Game, mode: Mode) -> None:
    """A setup that cannot be is refused."""
    seats = mode.seats[0]
    for wrong in (0, -1, seats - 1, mode.seats[-1] + 1):
        _refused(BadSetup, game, mode, wrong, {})
    _refused(BadSetup, game, mode, seats, {"no such": 1})
    for option in mode.options:
        for value in ("no such value", -1, 10**9, [object], None, 1.5, True):
            if any(value is allowed for allowed in option.values):
                continue  # a switch
            _refused(BadSetup, game, mode, seats, {option.slug: value})
        if option.word in option.decks:
            _refused(BadSetup, game, mode, seats, {option.slug: option.word})
    _refused(BadSetup, game, mode, seats, {}, decks=[{"main": {}}] * 9)


def _refused(
    error: type[Exception], game: Game, mode: Mode, seats: int, options: Any, **more: Any
) -> None:
    try:
        game.new_match(mode.slug, seats=seats, seed=bytes(32), options=options, **more)
    except error:
        return
    raise AssertionError(f"{mode.name} starts with {seats} seats, {options} and {more}")


def dumps(game: Game, mode: Mode) -> None:
    """A stored match that is damaged is refused."""
    data = Setup(game, mode, mode.seats[0], named_seed("damaged")).start().dump()
    broken = [
        {name: value for name, value in data.items() if name != key}
        for key in data
        if key != "rules_version"
    ]
    for key in data["state"]:
        copy = json.loads(json.dumps(data))
        del copy["state"][key]
        broken.append(copy)
    broken += [{}, {"format": 0}, {**data, "format": 99}, {**data, "game": "chess"}]
    for copy in broken:
        try:
            game.load(copy)
        except BadData:
            continue
        raise AssertionError(
            f"a match is loaded from {sorted(copy)}, {sorted(copy.get('state', ()))}"
        )


def texts(game: Game, mode: Mode) -> None:
    """Text that is not an offered move is refused."""
    match = Setup(game, mode, mode.seats[0], named_seed("text")).start()
    seat = min(match.prompts)
    offered = [match.notation(move) for move in match.prompts[seat].options]
    chance = Chance(named_seed("texts"))
    for _ in range(TEXTS):
        text = offered[chance.pick(len(offered))]
        place, letter = chance.pick(len(text) + 1), chr(32 + chance.pick(600))
        text = ("" if not chance.pick(9) else text[:place] + letter + text[place:])[:100]
        if " ".join(text.split()) in offered:
            continue
        try:
            move = match.parse(seat, text)
        except RulesError:
            continue
        # A card's copy may be left out where only one option is meant.
        assert match.notation(move).startswith(text.split()[0]), f"“{text}” is read as {move}"


def keys(game: Game, mode: Mode) -> None:
    """The order of keys in options and decks, which a database may change, means nothing."""
    setup = random_setup(game, mode, named_seed("keys"))
    twin = game.new_match(
        mode.slug,
        seats=setup.seats,
        seed=setup.seed,
        options=reversed_keys(dict(setup.options)),
        decks=reversed_keys(setup.decks),
    )
    assert twin.dump() == setup.start().dump(), "another order of keys is another match"


def reversed_keys(value: Any) -> Any:
    """A copy of the data with the keys of all mappings the other way round."""
    if isinstance(value, Mapping):
        return {key: reversed_keys(value[key]) for key in reversed(list(value))}
    return [reversed_keys(entry) for entry in value] if isinstance(value, list) else value


def turns(game: Game, mode: Mode) -> None:
    """Each turn has a heading in the log, with the number that stands above the table."""
    headings, number = 0, None
    setup = random_setup(game, mode, named_seed(f"turns {mode.slug}"))
    for match, _ply, events in islice(playout(setup), PLIES):
        for event in events:
            kind = game.events[event[0]]
            if kind.turn:
                headings += 1
                # Where a turn is a deal, as when one plays alone, it has no number.
                number = kind.values(event).get("number")
        if match.outcome is not None:
            break
        step = game.text.progress(match.view(0)).step
        assert number is None or str(number) in step.split(), (
            f"the log begins {number}, and above the table stands “{step}”"
        )
    assert headings, "no event begins a turn (turn=True)"


def moves(game: Game, mode: Mode) -> None:
    """Every move that is offered is declared where “notation” finds it."""
    listed = set(verbs(game))
    for number in range(MATCHES):
        for match, _ply, _events in playout(random_setup(game, mode, named_seed(f"{number}"))):
            for prompt in match.prompts.values():
                for move in prompt.options:
                    form = form_of(move.verb, move.card is not None, move.target)
                    assert form in listed, f"no rulebook declares “{form}”"


def concessions(game: Game, mode: Mode) -> None:
    """The mode says whether one who gives up ends the match for all (``Mode.ends_for_all``)."""
    for seats in mode.seats:
        if seats < (2 if mode.together else 3):
            continue
        match = Setup(game, mode, seats, named_seed("concede")).start()
        match.concede(seats - 1)
        over = match.outcome is not None
        assert over == mode.ends_for_all, (
            f"with {seats} seats the match {'ends' if over else 'goes on'} when one gives up"
        )


def processes(game: Game, mode: Mode) -> None:
    """Another process, with another hash seed, sees the same match."""
    command = [sys.executable, "-m", "rules.testing", "digest", "one"]
    command += ["--game", game.slug, "--mode", mode.slug]

    def run(hash_seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            command, env=env, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    first = run("0")
    assert first.strip(), f"nothing is printed by {' '.join(command)}"
    assert run("4242") == first, "another hash seed makes another match"


CHECKS: Final[Mapping[str, Callable[[Game, Mode], None]]] = {
    check.__name__: check
    for check in (
        starts,
        setups,
        dumps,
        texts,
        keys,
        turns,
        concessions,
        cheap_checks,
        fixes,
        promises,
        twins,
        secrets,
        take_backs,
        deals,
        moves,
        cards,
        processes,
        golden,
    )
}
"""The checks of a mode, by name, the quick ones first."""
