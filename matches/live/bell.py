"""The bell: after a commit it says, over Redis, that there is something new to fetch.

It never says what. A match's bell carries numbers only, a person's bell nothing at all; who hears
it fetches a view the ordinary, permission-checked way. So no secret can be in a live stream, and a
bell that nobody hears is no loss.

Nor does it say *that* something happened to anybody who may not know it: the numbers are counted
for each listener, and a move that tells a listener nothing leaves that listener's as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

import structlog

from core.bell import PREFIX, person_channel
from core.redis_client import RedisUnavailable, link

logger = structlog.get_logger(__name__)

TALK_PREFIX = f"{PREFIX}talk:"
PATTERN = f"{PREFIX}*"
"""All bells."""
LOBBY = f"{PREFIX}lobby"
"""Where the bell of the lobby rings."""


class VisibleProgress(NamedTuple):
    """Where a match stands for one listener, who counts no move that was hidden from them."""

    ply: int
    version: int


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """Where a match stands, for all who listen.

    ``hidden_writes`` counts what only those in its seats notice although nobody has moved.
    ``hidden_from`` counts the moves hidden from each person in its seats, by their ids;
    ``hidden_from_others`` those hidden from everybody else.
    """

    ply: int
    version: int
    hidden_from_others: int
    hidden_from: Mapping[int, int]
    hidden_writes: int = 0

    def visible_to(self, user_id: int | None) -> VisibleProgress:
        """The numbers of this listener (None: somebody who is not logged in)."""
        if user_id is not None and user_id in self.hidden_from:
            hidden = self.hidden_from[user_id]
            return VisibleProgress(self.ply - hidden, self.version - hidden)
        hidden = self.hidden_from_others
        return VisibleProgress(self.ply - hidden, self.version - hidden - self.hidden_writes)

    def dump(self) -> str:
        """As text, for Redis."""
        return json.dumps(
            {
                "ply": self.ply,
                "version": self.version,
                "hidden_from_others": self.hidden_from_others,
                "hidden_from": sorted(self.hidden_from.items()),
                "hidden_writes": self.hidden_writes,
            }
        )

    @classmethod
    def load(cls, text: bytes) -> Self:
        """The opposite of :meth:`dump`."""
        data = json.loads(text)
        return cls(**data | {"hidden_from": dict(data["hidden_from"])})


def match_channel(slug: str) -> str:
    """Where the bell of a match rings."""
    return f"{PREFIX}match:{slug}"


def talk_channel(slug: str, room: str) -> str:
    """Where the bell of a match's chat rings; it says the number of the newest line."""
    return f"{TALK_PREFIX}{slug}:{room}"


def ring_talk(slug: str, room: str, line: int) -> bool:
    """Say that there is a new line in a chat of match ``slug``. False if Redis did not answer."""
    try:
        with link().guarded() as client:
            client.publish(talk_channel(slug, room), line)
    except RedisUnavailable as error:
        logger.warning("talk_not_rung", match=slug, error=str(error))
        return False
    return True


def ring_lobby(*, listed: bool, people: Iterable[int] = ()) -> bool:
    """Say that open tables have changed: in the lobby, if this one is ``listed``, and to people.

    False if Redis did not answer.
    """
    channels = [LOBBY] if listed else []
    channels += [person_channel(user_id) for user_id in people]
    if not channels:
        return True
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            for channel in channels:
                pipe.publish(channel, "")
            pipe.execute()
    except RedisUnavailable as error:
        logger.warning("lobby_bell_not_rung", error=str(error))
        return False
    return True


def ring(slug: str, update: MatchUpdate, people: Iterable[int] = ()) -> bool:
    """Say where match ``slug`` stands now; for ``people`` their counts may have changed.

    False if Redis did not answer.
    """
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            pipe.publish(match_channel(slug), update.dump())
            for user_id in people:
                pipe.publish(person_channel(user_id), "")
            pipe.execute()
    except RedisUnavailable as error:
        logger.warning("bell_not_rung", match=slug, ply=update.ply, error=str(error))
        return False
    return True
