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
from typing import Self

import structlog

from accounts.redis_link import RedisAway, link

logger = structlog.get_logger(__name__)

PREFIX = "riffle:bell:"
PATTERN = f"{PREFIX}*"

Head = tuple[int, int]
"""Where a match stands for one listener: ply and version, less what told the listener nothing."""


@dataclass(frozen=True, slots=True)
class News:
    """Where a match stands, for all who listen.

    ``unheard`` are the moves that told nothing to the people in its seats, by their ids;
    ``unheard_by_others`` those that told nothing to everybody else.
    """

    ply: int
    version: int
    unheard_by_others: int
    unheard: Mapping[int, int]

    def head(self, user_id: int | None) -> Head:
        """The numbers of this listener (None: somebody who is not logged in)."""
        unheard = self.unheard_by_others
        if user_id is not None:
            unheard = self.unheard.get(user_id, unheard)
        return self.ply - unheard, self.version - unheard

    def dump(self) -> str:
        """As text, for Redis."""
        return json.dumps(
            {
                "ply": self.ply,
                "version": self.version,
                "unheard_by_others": self.unheard_by_others,
                "unheard": sorted(self.unheard.items()),
            }
        )

    @classmethod
    def load(cls, text: bytes) -> Self:
        """The opposite of :meth:`dump`."""
        data = json.loads(text)
        # During an update a process that does not count yet may ring, too.
        others, people = data.get("unheard_by_others", 0), data.get("unheard", ())
        return cls(data["ply"], data["version"], others, dict(people))


def match_channel(slug: str) -> str:
    """Where the bell of a match rings."""
    return f"{PREFIX}match:{slug}"


def person_channel(user_id: int) -> str:
    """Where the bell of a person rings."""
    return f"{PREFIX}person:{user_id}"


def ring(slug: str, news: News, people: Iterable[int] = ()) -> bool:
    """Say where match ``slug`` stands now; for ``people`` their counts may have changed.

    False if Redis did not answer.
    """
    try:
        with link().asking() as client:
            pipe = client.pipeline(transaction=False)
            pipe.publish(match_channel(slug), news.dump())
            for user_id in people:
                pipe.publish(person_channel(user_id), "")
            pipe.execute()
    except RedisAway as error:
        logger.warning("bell_not_rung", match=slug, ply=news.ply, error=str(error))
        return False
    return True
