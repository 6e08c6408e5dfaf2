"""Playing for bots and carrying out standing orders."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import structlog
from django.core.cache import cache
from django.utils import timezone

from core.background import enqueue
from matches import engine
from matches.errors import TooBusy
from matches.models import Match, Seat, Source, StandingOrder, Status
from matches.queries import lessons
from matches.queries.access import seats_of
from matches.services import play
from matches.services.standing_orders import carry_out
from matches.services.writing import retried
from rules.engine.bots import Thinker, Worlds
from rules.engine.moves import Move, Prompt
from rules.search import redeals

logger = structlog.get_logger(__name__)

BOT_TIMEOUT = timedelta(seconds=3)
"""A bot that has not moved for this long is woken again by the sweep."""

RESEND_SECONDS = 6
"""The sweep wakes the bots of a match at most once in this time."""

BOT_MOVES_PER_TASK = 100

THINK_AGAIN_SECONDS = 20
"""One question is sent to the thinkers' queue at most once in this time."""

BRAKE_SECONDS = 2.0
"""How long a bot may really think; then the quick bot's choice is played."""


def run_bots(*, match_id: int, limit: int = BOT_MOVES_PER_TASK) -> bool:
    """Play for bots and standing orders until it is a person's turn.

    Returns True if there is more to do after ``limit`` moves. A bot that thinks ahead is left to a
    task of its own (:func:`think`).

    A bot sees only its seat's view and its prompt. Any number of runs may work on one match at
    once: they all choose the same move for the same prompt, and it is stored once.
    """
    try:
        return _play(match_id, limit)
    except TooBusy:
        return True


@retried
def _play(match_id: int, limit: int) -> bool:
    match = Match.objects.filter(pk=match_id, status=Status.RUNNING).first()
    if match is None:
        return False
    seats = seats_of(match)
    table = engine.load(match)
    game = engine.game_of(match)
    for _ in range(limit):
        rows = [s for s in seats if _bot_of(s) and s.number in table.prompts]
        seat = next((s for s in rows if _bot_of(s) in game.bots), None)
        if seat is None:
            for thinking in rows:
                _send_to_think(match, thinking.number, table.prompts[thinking.number].id)
            ordered = carry_out.next_answer(match, table)
            if ordered is None:
                return False
            prompt, move = ordered
            play.answer(
                match, seats, table, prompt, move, Source.PERSON, by_order=True, wake_bots=False
            )
            continue
        prompt = table.prompts[seat.number]
        chance = engine.bot_chance(match, seat.number, prompt.id)
        scripted = lessons.reply(match, table, prompt)
        bot = game.bots[_bot_of(seat)]
        move = scripted or bot.choose(table.view(seat.number), prompt, chance)
        source = Source.BOT if seat.bot else Source.CLOCK
        play.answer(match, seats, table, prompt, move, source, wake_bots=False)
    return True


def _send_to_think(match: Match, seat: int, prompt_id: int) -> None:
    key = f"bot-thinks-{match.pk}-{seat}-{prompt_id}"
    if cache.add(key, True, THINK_AGAIN_SECONDS):
        enqueue("matches.tasks.think", match.pk, seat, prompt_id)


@retried
def think(*, match_id: int, seat_number: int, prompt_id: int) -> None:
    """Answer one question for a bot that thinks ahead, if it is still asked.

    The bot gets re-deals of its seat's view, never the match.
    """
    match = Match.objects.filter(pk=match_id, status=Status.RUNNING).first()
    if match is None:
        return
    seats = seats_of(match)
    table = engine.load(match)
    seat = next(seat for seat in seats if seat.number == seat_number)
    prompt = table.prompts.get(seat_number)
    thinker = engine.game_of(match).thinkers.get(_bot_of(seat))
    if prompt is None or prompt.id != prompt_id or thinker is None:
        return
    move = lessons.reply(match, table, prompt) or _thought(match, table, prompt, thinker)
    play.answer(match, seats, table, prompt, move, Source.BOT if seat.bot else Source.CLOCK)


def _thought(match: Match, table: engine.Table, prompt: Prompt, thinker: Thinker) -> Move:
    chance = engine.bot_chance(match, prompt.seat, prompt.id)
    began = time.monotonic()
    try:
        worlds = _until(began + BRAKE_SECONDS, redeals(table, prompt.seat, chance.clone()))
        return thinker.think(worlds, prompt, chance.clone())
    except TookTooLong:
        logger.warning(
            "bot_thought_too_long",
            match=match.slug,
            bot=thinker.slug,
            prompt=prompt.kind,
            seconds=round(time.monotonic() - began, 2),
        )
        quick = engine.game_of(match).bots[thinker.instead]
        return quick.choose(table.view(prompt.seat), prompt, chance.clone())


class TookTooLong(Exception):
    """A bot has thought for longer than anybody should have to wait."""


def _until(deadline: float, worlds: Worlds) -> Worlds:
    """The worlds, as long as there is time."""

    def deal() -> object:
        if time.monotonic() > deadline:
            raise TookTooLong
        return worlds()

    return deal


def _bot_of(seat: Seat) -> str:
    """The bot that plays the seat: its own, or the substitute for a late person."""
    return seat.bot or seat.substitute_bot


def stalled_bots(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Running matches in which a bot or a due standing order should have answered by now."""
    now = now or timezone.now()
    waiting = Match.objects.filter(status=Status.RUNNING, bots_asked_at__lte=now - BOT_TIMEOUT)
    by_bots = waiting.order_by("bots_asked_at").values_list("pk", flat=True)
    due = StandingOrder.objects.filter(match__status=Status.RUNNING, due_at__lte=now)
    by_orders = due.order_by("due_at").values_list("match", flat=True)
    return [*dict.fromkeys([*by_bots[:limit], *by_orders[:limit]])]


def wake_stalled() -> list[int]:
    """Send a task for each match of :func:`stalled_bots`; returns their keys.

    Not at each sweep: where tasks wait because workers are busy, sending more of them would keep
    the workers busy for longer.
    """
    woken = []
    for match_id in stalled_bots():
        if cache.add(f"bots-woken-{match_id}", True, RESEND_SECONDS):
            enqueue("matches.tasks.play_bots", match_id)
            woken.append(match_id)
    return woken
