"""The pages of a game: what it is, its rules to read, its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from core.introductions import in_words, introduction
from matches.errors import UnknownMode, UnknownRule
from matches.queries.manual import Manual, manual_of, numbered_rules, picture, search_words
from matches.queries.records import game_record
from rules.engine.game import Game, Mode

MOST_LETTERS = 80
"""So long may be what somebody searches for."""


def require_game(slug: str) -> Game:
    """The game of that slug; raises ``UnknownMode``."""
    found = rules.games().get(slug)
    if found is None:
        raise UnknownMode(f"There is no game called “{slug}” here.")
    return found


@dataclass(frozen=True, slots=True)
class ModeLine:
    """A mode in the table that compares them."""

    mode: Mode
    players: str
    deck: str
    rated: bool


def _mode_line(mode: Mode) -> ModeLine:
    least, most = mode.seats[0], mode.seats[-1]
    if mode.own_decks:
        deck = "Everybody brings one"
    elif mode.takes_decks:
        deck = "None needed; one may be brought"
    else:
        deck = "None needed"
    return ModeLine(
        mode=mode,
        players=f"{least} to {most}" if least < most else str(most),
        deck=deck,
        rated=mode.playable and most > 1 and mode.rated,
    )


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    """What a game is, how it is played, and where everything of it lies."""
    found = require_game(game)
    record = game_record(found)
    intro = introduction(found)
    context = {
        "game": found,
        "intro": intro,
        "pictures": [
            picture(found, [*idea.cards, *map(str, idea.dice), *idea.images], idea.says)
            for idea in intro.pictures
        ],
        "how_many_pictures": in_words(len(intro.pictures)),
        "modes": [_mode_line(mode) for mode in found.modes.values()],
        "cards": len(found.catalog),
        "decks": len(found.starter_decks),
        "played": record.modes,
        "total": sum(mode.played for mode in record.modes),
    }
    return render(request, "matches/game.html", context)


@require_safe
def rules_to_read(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one mode, all of them or what they say about some words."""
    found = require_game(game)
    mode = _mode_of(found, request.GET.get("mode"))
    wanted = request.GET.get("q", "")[:MOST_LETTERS].strip()
    manual = manual_of(found.slug, mode.slug)
    context: dict[str, Any] = {
        "game": found,
        "mode": mode,
        "modes": found.modes.values(),
        "wanted": wanted,
        "manual": manual,
    }
    if manual:
        words = search_words(wanted)
        context["chapters"] = manual.found(words)
        context["count"] = sum(len(chapter.sections) for chapter in context["chapters"])
        context["elsewhere"] = _elsewhere(found, mode, words) if not context["count"] else []
    return render(request, "matches/rules.html", context)


def _mode_of(found: Game, slug: str | None) -> Mode:
    """The mode that the address names; without a name the game's first."""
    if slug is None:
        return next(iter(found.modes.values()))
    if slug not in found.modes:
        names = ", ".join(f"“{mode}”" for mode in found.modes)
        raise UnknownMode(f"{found.name} has no mode “{slug[:40]}”; it has {names}.")
    return found.modes[slug]


def _elsewhere(found: Game, mode: Mode, words: list[str]) -> list[Mode]:
    """Other modes whose rules speak of the words."""
    others: list[tuple[Mode, Manual | None]] = [
        (one, manual_of(found.slug, one.slug)) for one in found.modes.values() if one != mode
    ]
    return [one for one, manual in others if manual and manual.found(words)]


@require_safe
def one_rule(request: HttpRequest, rule: str) -> HttpResponse:
    """The place in the rules to read where a numbered rule stands."""
    for found in rules.games().values():
        page = reverse("matches:game-rules", args=(found.slug,))
        for mode in found.modes:
            manual = manual_of(found.slug, mode)
            if manual and rule in manual.rules:
                return redirect(f"{page}?mode={mode}#{rule}")
        if rule in numbered_rules(found.slug):
            return redirect(f"{page}#{rule}")
    raise UnknownRule(f"There is no rule “{rule[:40]}” here.")


@require_safe
def records(request: HttpRequest, game: str) -> HttpResponse:
    """How often a game is played, how long it takes, who wins, and with what."""
    found = require_game(game)
    context = {"game": found, "record": game_record(found)}
    return render(request, "matches/records.html", context)
