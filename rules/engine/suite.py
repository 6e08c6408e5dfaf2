"""All that is asked of every mode of every game. Each check raises ``AssertionError``.

``python -m rules.testing all <game>`` runs them for a game that is being written, and the tests run
the same ones; a failure names the command that shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from rules.engine import playthrough
from rules.engine.chance import Chance
from rules.engine.errors import BadData, BadSetup
from rules.engine.game import Game, Mode
from rules.engine.playouts import (
    Exerciser,
    Setup,
    check_playout,
    check_secrets,
    named_seed,
    playout,
    random_setup,
)

ROOT: Final = Path(__file__).resolve().parents[2]
SMALL_TABLE: Final = 4
MATCHES: Final = 3
MOST_MATCHES: Final = 200


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
    path = playthrough.path_of(game, mode, ROOT)
    again = f"python -m rules.testing playthrough {game.slug} {mode.slug}"
    assert path.exists(), f"{mode.name} has no playthrough; write one: {again}"
    text = path.read_text(encoding="utf-8")
    today = playthrough.cut(playthrough.replayed(game, mode, text))
    lines = zip(text.splitlines(), today.splitlines(), strict=False)
    for number, (old, new) in enumerate(lines, start=1):
        assert new == old, f"{path.name}, line {number}. If that is meant: {again}"
    assert today == text, f"{path.name} has another length. If that is meant: {again}"
    assert "outcome: {" in text, f"{path.name} does not go to the end"
    digests = playthrough.digests_path(game, ROOT)
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
            if any(value is one for one in option.values):
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
        one = json.loads(json.dumps(data))
        del one["state"][key]
        broken.append(one)
    broken += [{}, {"format": 0}, {**data, "format": 99}, {**data, "game": "chess"}]
    for one in broken:
        try:
            game.load(one)
        except BadData:
            continue
        raise AssertionError(
            f"a match is loaded from {sorted(one)}, {sorted(one.get('state', ()))}"
        )


CHECKS: Final[Mapping[str, Callable[[Game, Mode], None]]] = {
    check.__name__: check
    for check in (
        starts,
        setups,
        dumps,
        promises,
        twins,
        secrets,
        deals,
        cards,
        golden,
    )
}
"""By name, the quick ones first."""
