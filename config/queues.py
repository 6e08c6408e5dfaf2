"""Which queue each task waits in, and which worker takes it: told here and nowhere else.

What somebody at a table waits for never waits behind a list or a print, nor for another server. A
worker that is told no queue (``celery -A config worker``) takes all of them.
"""

from __future__ import annotations

PLAY = "play"
"""Bots, clocks, what follows from a match's end, the sweep of matches: short; somebody waits."""
THINK = "think"
"""Bots that think ahead (up to a second each) and hints (three); nothing else waits behind them."""
STUDY = "study"
"""Look backs and the deck lab: minutes of thinking, in shares of seconds. Nobody waits."""
FILES = "files"
"""Lists, prints, sheets, pictures, decks judged (one a person), the bots’ lab: seconds and more."""
NOTICES = "notices"
"""Mails and what the sweeps send again: nobody waits, but the mail server may be slow."""
CALLS = "calls"
"""Calls of servers that people name (web hooks, push services): each may take its whole time."""
UPKEEP = "upkeep"
"""Nightly upkeep, in portions, for which nobody waits."""

QUEUES = (PLAY, THINK, STUDY, FILES, NOTICES, CALLS, UPKEEP)

ROUTES = {
    "matches.tasks.play_bots": PLAY,
    "matches.tasks.think": THINK,
    "matches.tasks.find_hint": THINK,
    "matches.tasks.study_match": STUDY,
    "matches.tasks.sweep_studies": NOTICES,
    "matches.tasks.run_clock": PLAY,
    "matches.tasks.sweep": PLAY,
    "matches.tasks.sweep_open_tables": PLAY,
    "tournaments.tasks.limited_bots": PLAY,
    "tournaments.tasks.make_tables": PLAY,
    "tournaments.tasks.keep_time": PLAY,
    "tournaments.tasks.sweep": PLAY,
    "collection.tasks.read_list": FILES,
    "collection.tasks.make_print": FILES,
    "collection.tasks.draw_pictures": FILES,
    "decks.tasks.judge_check": FILES,
    "decks.tasks.draw_cards": FILES,
    "decks.tasks.play_lab": STUDY,
    "decks.tasks.make_sheets": FILES,
    "matches.tasks.play_lab_share": FILES,
    "matches.tasks.recompute_ratings": UPKEEP,
    "matches.tasks.recompute_from": UPKEEP,
    "matches.tasks.archive_matches": UPKEEP,
    "collection.tasks.sweep": NOTICES,
    "decks.tasks.sweep": NOTICES,
    "core.tasks.read_match": PLAY,
    "accounts.tasks.sweep": NOTICES,
    "core.tasks.sweep": NOTICES,
    "notices.tasks.sweep": NOTICES,
    "notices.tasks.send_notices": NOTICES,
    "notices.tasks.call_out": CALLS,
    "notices.tasks.try_hook": CALLS,
    "notices.tasks.try_browsers": CALLS,
    "core.tasks.forget_keys": UPKEEP,
    "accounts.tasks.finish_closing": NOTICES,
    "matches.tasks.forget_guests": UPKEEP,
    "notices.tasks.forget_notices": UPKEEP,
    "config.tasks.clear_sessions": UPKEEP,
}

EMBEDDED = {PLAY: (PLAY,), FILES: (FILES, STUDY, NOTICES, CALLS, UPKEEP), THINK: (THINK,)}
"""The workers of ``make run``, each one process, and what they take. The first has the clock."""


def broker_keys(worker: str) -> dict[str, str]:
    """Options of the broker that keep what a worker has not confirmed under its name.

    "" stands for the place that all others share.
    """
    if not worker:
        return {}
    keys = ("unacked", "unacked_index", "unacked_mutex")
    options = ("unacked_key", "unacked_index_key", "unacked_mutex_key")
    return {option: f"{key}-{worker}" for option, key in zip(options, keys, strict=True)}
