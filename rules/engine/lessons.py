"""A guided first match: a prepared table; for each question some words and what is to be answered.

A game's package may hold ``lesson.toml`` (``docs/adding-a-game.md`` says what may stand in it). The
script is a list a seat: the n-th step of the learner belongs to the n-th question that the learner
is asked, the n-th reply to the n-th question of the other seat. So no plies are counted, and it
holds as well where both are asked at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.engine.cards import load_toml
from rules.engine.chance import Chance, mix
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData, IllegalMove
from rules.engine.match import Match

LEARNER: Final = 0
"""The learner sits here, whoever knows the game in the other seat."""
TEACHER: Final = 1

FILE: Final = "lesson.toml"
WORDS: Final = ("sentence", "free", "won", "lost")
KEYS: Final = ("mode", "options", "partner", "table", "seed", "dice", "step", "hint", *WORDS)
POINTERS: Final = ("card", "answer", "place", "pile", "hand", "seat")
"""Targets of a text: ``card <card>``, ``answer <notation>``, ``place <slot> <seat>``,
``place <slot>`` on a shared board, ``pile <name>``, ``hand <seat>``, ``seat <seat>``; seats count
from 1."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One short text, and what of the table it speaks of (see ``POINTERS``)."""

    text: str
    at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A question of the learner: what is said first, what to do, and the answers that are meant.

    ``part``: a table's script answers it together with the one before, so it has no number.
    """

    says: tuple[Saying, ...]
    do: str
    answers: tuple[str, ...]
    part: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """Said after the script, once: when a ``kind`` of question first comes, or when it first offers
    a move with this verb (``offers``)."""

    says: tuple[Saying, ...]
    kind: str = ""
    offers: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The whole of it. ``partner`` is the bot in the other seat. ``dice`` are those that fall while
    the script runs, in their order; ``seed`` is the server's seed that makes them fall so."""

    mode: str
    sentence: str
    options: Mapping[str, Any]
    table: Mapping[str, Any]
    seed: bytes
    dice: tuple[int, ...]
    steps: tuple[Step, ...]
    replies: tuple[str, ...]
    hints: tuple[Hint, ...]
    free: str
    won: str
    lost: str
    partner: str = ""

    @property
    def edition(self) -> str:
        """Another one where the table or the script is another; the texts may be mended."""
        script = [self.mode, self.options, self.table, self.seed.hex(), self.partner]
        answers = [[step.answers for step in self.steps], self.replies]
        text = json.dumps([*script, *answers], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def step(self, number: int) -> Step | None:
        """The step of the learner's question of this number, counted from 1."""
        return self.steps[number - 1] if 1 <= number <= len(self.steps) else None

    def number(self, step: int) -> int:
        """How many steps a reader counts up to the learner's question ``step``."""
        return sum(not other.part for other in self.steps[:step])

    def reply(self, number: int) -> str | None:
        """The other seat's answer to its question of this number, counted from 1."""
        return self.replies[number - 1] if 1 <= number <= len(self.replies) else None

    def hint(self, tables: Sequence[Match]) -> Hint | None:
        """The hint for the last of these tables, at each of which the learner was asked."""
        *before, now = tables
        earlier = {hint for table in before for hint in self._fitting(table)}
        return next((hint for hint in self._fitting(now) if hint not in earlier), None)

    def _fitting(self, match: Match) -> Iterator[Hint]:
        prompt = match.prompts[LEARNER]
        verbs = {move.verb for move in prompt.options}
        for hint in self.hints:
            if hint.kind in ("", prompt.kind) and (not hint.offers or hint.offers in verbs):
                yield hint


def load_lesson(game: GameDefinition) -> Lesson | None:
    """The lesson of a game, if it has one; raises ``ValueError`` for one that cannot be read."""
    data = load_toml(game.package, FILE, missing_ok=True)
    if not data:
        return None
    where = f"{game.package}: {FILE}"
    _check_keys(where, data, KEYS)
    rows = data["step"]
    for row in rows:
        _check_keys(
            where, row, {"says", "do", "answers", "part"} if "answers" in row else {"reply"}
        )
    mode = game.mode(data["mode"])
    partner = data.get("partner") or next(iter(game.bots), "")
    if partner not in game.bots:
        raise ValueError(f"{where}: “{partner}” is not a bot. There are {', '.join(game.bots)}.")
    hints = tuple(_hint(where, row) for row in data.get("hint", ()))
    for hint in hints:
        if hint.kind and hint.kind not in game.rulebook.prompts:
            kinds = ", ".join(game.rulebook.prompts)
            raise ValueError(f"{where}: “{hint.kind}” is not a question. There are {kinds}.")
    return Lesson(
        mode=mode.slug,
        options=mode.checked_options(data.get("options", {})),
        table=data["table"],
        seed=bytes.fromhex(data["seed"]),
        dice=tuple(data.get("dice", ())),
        steps=tuple(
            Step(
                _sayings(where, row.get("says", ())),
                row["do"],
                tuple(row["answers"]),
                bool(row.get("part")),
            )
            for row in rows
            if "answers" in row
        ),
        replies=tuple(row["reply"] for row in rows if "reply" in row),
        hints=hints,
        partner=partner,
        **{name: data[name] for name in WORDS},
    )


def _hint(where: str, row: Mapping[str, Any]) -> Hint:
    _check_keys(where, row, {"says", "kind", "offers"})
    return Hint(_sayings(where, row["says"]), row.get("kind", ""), row.get("offers", ""))


def _sayings(where: str, rows: Sequence[Mapping[str, Any]]) -> tuple[Saying, ...]:
    for row in rows:
        _check_keys(where, row, {"text", "at"})
        for pointer in row.get("at", ()):
            if pointer.split()[0] not in POINTERS:
                kinds = ", ".join(POINTERS)
                raise ValueError(f"{where} points at “{pointer}”; it may point at {kinds}.")
    return tuple(Saying(row["text"], tuple(row.get("at", ()))) for row in rows)


def _check_keys(where: str, row: Mapping[str, Any], known: Collection[str]) -> None:
    if unknown := sorted(set(row) - set(known)):
        allowed = ", ".join(sorted(known))
        raise ValueError(f"{where} has {', '.join(unknown)}; here may stand {allowed}.")


def target_of(match: Match, pointer: str) -> list[dict[str, Any]]:
    """The targets of a pointer at this table, as data; none where the learner sees no such card.

    ``{"card": 7}``, ``{"option": "pass"}``, ``{"slot": "leader", "seat": 0}``,
    ``{"slot": "cell 1,0"}``, ``{"pile": "draw"}``, ``{"hand": 0}``, ``{"seat": 1}``.
    """
    kind, *words = pointer.split()
    match kind:
        case "card":
            return [{"card": card} for card in _cards(match.view(LEARNER), words[0])]
        case "answer":
            return [{"option": _full(match, " ".join(words))}]
        case "place":
            if words[-1].isdecimal():
                return [{"slot": words[0], "seat": int(words[-1]) - 1}]
            return [{"slot": " ".join(words)}]
        case "pile":
            return [{"pile": words[0]}]
        case _:
            return [{kind: int(words[0]) - 1}]


def _full(match: Match, notation: str) -> str:
    """An answer as the table offers it: with the numbers that a lesson leaves out."""
    try:
        return match.notation(match.parse(LEARNER, notation))
    except (BadData, IllegalMove):
        return notation


def _cards(view: Mapping[str, Any], slug: str) -> list[int]:
    """The learner's own cards of this slug, else those anywhere in the view, each once."""
    players = view.get("players", ())
    return (_cards_in(players[LEARNER], slug) if players else []) or _cards_in(view, slug)


def _cards_in(part: Any, slug: str) -> list[int]:
    cards: dict[int, None] = {}
    waiting = [part]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if value.get("slug") == slug and "id" in value:
                cards[value["id"]] = None
            waiting.extend(value.values())
        elif isinstance(value, (list, tuple)):
            waiting.extend(value)
    return [*cards]


def begin(game: GameDefinition, lesson: Lesson, chance: Chance | None = None) -> Match:
    """The table of a lesson; its chance is the one that its seed makes, or a scripted one."""
    if chance is None:
        chance = Chance(mix(lesson.seed, ()))
    mode = game.mode(lesson.mode)
    return Match.laid(game, mode, chance, options=lesson.options, layout=lesson.table)


def seed_for(dice: Sequence[int], name: str) -> bytes:
    """The first seed, of those that the name gives, from which these dice fall."""
    number = 0
    while True:
        seed = hashlib.sha256(f"{name} {number}".encode()).digest()
        chance = Chance(mix(seed, ()))
        if all(chance.die() == die for die in dice):
            return seed
        number += 1
