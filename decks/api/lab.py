"""The deck lab in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User
from core.operations import BODY, Idempotent, tagged
from core.serializers import Doc
from decks.api.versions import Number
from decks.queries import decks, lab
from decks.services import lab as services

operation = tagged("decks")


@dataclass(frozen=True, slots=True)
class NewLabRun:
    """A run of the deck lab."""

    player: Annotated[str, Doc("The bot that plays all decks, by its slug.", max_length=40)]
    pairs: Annotated[
        int,
        Doc(
            "Mirrored pairs of matches a version. Bots that think ahead play up to "
            f"{services.MAX_THINKING_PAIRS}.",
            min_value=services.MIN_PAIRS,
            max_value=services.MAX_PAIRS,
        ),
    ]
    field: Annotated[
        list[Annotated[str, Doc(max_length=80)]] | None,
        Doc(
            "The opposing decks, by `key`. Default: all preconstructed ones.",
            max_length=services.MAX_FIELD,
        ),
    ] = None
    version: Number | None = None
    compare_with: Number | None = None


@dataclass(frozen=True, slots=True)
class FieldDeckShown:
    """A deck that a field may have."""

    key: str
    name: str
    origin: Annotated[str, Doc(choices=["ready-made", "yours", "public"])]


@dataclass(frozen=True, slots=True)
class DeckLab:
    """The runs of a deck, newest first (without cards), and the decks that it may meet."""

    runs: list[lab.LabRunShown]
    field: list[FieldDeckShown]


@operation("decks_lab", refuses=(403, 404))
def list_runs(user: User, slug: str) -> DeckLab:
    """List the lab runs of one of your decks, and the decks that a field may have."""
    deck = decks.own_deck(user, slug)
    field = [FieldDeckShown(row.key, row.name, row.kind) for row in lab.field_decks(user, deck)]
    return DeckLab(lab.runs_of(deck, user), field)


@operation("decks_lab_start", refuses=(*BODY, 403, 404, 422, 429), status=202)
def start_run(user: User, slug: str, body: NewLabRun, once: Idempotent) -> lab.LabRunShown:
    """Let bots play one of your decks, or two versions of it, against a field.

    Workers play it share by share; poll the run while its `state` is `working`. Two versions meet
    the same decks with the same seeds. One run at a time.
    """
    wanted = services.Wanted(
        player=body.player,
        pairs=body.pairs,
        field=body.field or (),
        version=body.version,
        other_version=body.compare_with,
    )
    deck = decks.own_deck(user, slug)
    run = once(lambda: services.start(user=user, deck=deck, wanted=wanted).slug)
    return lab.run_shown(lab.run_of(user, run))


@operation("decks_lab_run", refuses=(404,))
def get_run(user: User, slug: str) -> lab.LabRunShown:
    """A run of yours: how far it has come, and what came of it so far."""
    return lab.run_shown(lab.run_of(user, slug))


@operation("decks_lab_cancel", refuses=(404,))
def cancel_run(user: User, slug: str) -> None:
    """Stop a run of yours; what was played stays. Idempotent."""
    services.cancel(user=user, slug=slug)
