"""The names of rounds on pages, in files and in notices: “Round 2”, “Quarterfinals”, “Final”."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Entry, EntryState, Pairing, Structure, Tournament

THIRD_PLACE = "Third-place match"
_BY_TABLES = {1: "Final", 2: "Semifinals", 4: "Quarterfinals"}


@dataclass(frozen=True, slots=True)
class RoundNames:
    """The names of a tournament's rounds by number, also of those to come and of undone ones."""

    knockout: int | None
    """The number of the first round of the elimination, if the tournament has one."""
    tables: int
    """How many tables that round has, byes included."""

    def of(self, number: int) -> str:
        """The name of a round; those of an elimination are named by how many are left in it."""
        if self.knockout is None or number < self.knockout:
            return f"Round {number}"
        tables = max(1, self.tables >> (number - self.knockout))
        return _BY_TABLES.get(tables, f"Round of {2 * tables}")

    def of_table(self, number: int, *, for_third: bool) -> str:
        """The name of a table's round; the match for third place has a name of its own."""
        return THIRD_PLACE if for_third else self.of(number)


def round_names(tournament: Tournament) -> RoundNames:
    """The names of a tournament's rounds, in two queries at most."""
    first = None
    if tournament.structure == Structure.ELIMINATION:
        first = 1
    elif tournament.cut and tournament.rounds_planned is not None:
        first = tournament.rounds_planned + 1
    if first is None:
        return RoundNames(None, 0)
    tables = Pairing.objects.filter(round__tournament=tournament, round__number=first).count()
    if not tables:  # it is not paired yet, or its pairing was undone
        players = Entry.objects.filter(tournament=tournament, state=EntryState.ENTERED).count()
        players = min(players, tournament.cut or players)
        tables = 1 << max(0, players - 1).bit_length() >> 1
    return RoundNames(first, tables)
