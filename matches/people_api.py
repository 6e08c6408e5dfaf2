"""People, ratings and records in the API."""

from __future__ import annotations

from dataclasses import dataclass

from rest_framework.pagination import PageNumberPagination

from accounts.operations import Rows, View, operation
from matches import people
from matches.models import Speed
from matches.queries import Viewer


class PersonView(View):
    """Somebody."""

    tags = ("people",)

    @operation("people_retrieve", refuses=())
    def get(self, user: Viewer, username: str) -> people.PersonShown:
        """A member or guest, as far as they let you know: record, ratings, decks, matches."""
        return people.person_shown(user, people.somebody(username))


@dataclass(frozen=True, slots=True)
class Ladders:
    """Which of a mode's two ladders."""

    speed: Speed = Speed.WEB


class RatingsView(View):
    """The board of a mode."""

    tags = ("people",)
    pagination_class = PageNumberPagination

    @operation("ratings_list", refuses=(400,))
    def get(self, game: str, mode: str, asked: Ladders) -> Rows[people.RatingShown]:
        """The settled ratings of a mode, the best first: ten matches at least, and sure enough."""
        people.require_mode(game, mode)
        return Rows(people.board(game, mode, asked.speed), people.ratings_shown)
