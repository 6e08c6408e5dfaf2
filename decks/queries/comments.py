"""Reads of what people say to a deck: nobody reads any of it where a deck is private."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from accounts.errors import MayNotWrite
from accounts.models import BlockKind, User, Viewer
from accounts.queries.blocks import blocked_between, blocked_by, require_may_write
from core.serializers import Doc
from decks.drawing import notes
from decks.errors import UnknownComment
from decks.models import Deck, DeckComment, Visibility

PAGE_SIZE = 30


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a deck."""

    id: int
    name: str
    username: str
    mine: bool
    text: Annotated[str, Doc("Markdown without headings and tables; “[[Card name]]” is a link.")]
    at: datetime
    may_remove: Annotated[bool, Doc("You wrote it, or own the deck.")]


@dataclass(frozen=True, slots=True)
class Comments:
    """Some comments on a deck, the oldest first."""

    comments: list[Comment]
    count: Annotated[int, Doc("Number of comments that you can read.")]
    earlier: Annotated[int | None, Doc("Send as “before” to get earlier comments.")]
    silent: Annotated[str, Doc("Why you can’t comment; else empty.")]


@dataclass(frozen=True, slots=True)
class DrawnComment:
    """A comment as a page shows it."""

    comment: Comment
    author: User
    html: SafeString


def comments_of(deck: Deck, user: Viewer) -> QuerySet[DeckComment]:
    """Comments that a person may read: none hidden, and none of people they blocked."""
    if deck.visibility == Visibility.PRIVATE:
        return DeckComment.objects.none()
    visible = DeckComment.objects.filter(deck=deck, hidden_at=None).select_related("author")
    if user.pk is None:
        return visible
    return visible.exclude(author__in=blocked_by(user.pk, BlockKind.CHAT))


def page(deck: Deck, user: Viewer, before: int | None = None) -> tuple[Comments, list[DeckComment]]:
    """The last comments, or those before one of them; with their rows."""
    visible = comments_of(deck, user)
    rows = visible if before is None else visible.filter(pk__lt=before)
    last = list(rows.order_by("-pk")[: PAGE_SIZE + 1])
    more, last = len(last) > PAGE_SIZE, last[:PAGE_SIZE][::-1]
    comments = Comments(
        comments=comments_shown(deck, user, last),
        count=visible.count(),
        earlier=last[0].pk if more else None,
        silent=silence_of(deck, user),
    )
    return comments, last


def drawn(
    deck: Deck, user: Viewer, before: int | None = None
) -> tuple[Comments, list[DrawnComment]]:
    """The comments of a page, with their text drawn as HTML."""
    comments, rows = page(deck, user, before)
    return comments, [
        DrawnComment(comment, row.author, notes.draw(row.text, deck.game, short=True).html)
        for comment, row in zip(comments.comments, rows, strict=True)
    ]


def comments_shown(deck: Deck, user: Viewer, rows: Iterable[DeckComment]) -> list[Comment]:
    """Rows that were read with their authors, as somebody sees them."""
    return [
        Comment(
            id=row.pk,
            name=str(row.author),
            username=row.author.username,
            mine=row.author_id == user.pk,
            text=row.text,
            at=row.at,
            may_remove=user.pk is not None and user.pk in (row.author_id, deck.owner_id),
        )
        for row in rows
    ]


def readable(deck: Deck, user: Viewer, pk: int) -> DeckComment:
    """A comment that somebody can read; raises ``UnknownComment``."""
    row = comments_of(deck, user).filter(pk=pk).first()
    if row is None:
        raise UnknownComment("Comment not found.")
    return row


def silence_of(deck: Deck, user: Viewer) -> str:
    """Why somebody cannot comment on a deck; empty if they can."""
    if deck.visibility == Visibility.PRIVATE:
        return "Private decks have no comments."
    if not isinstance(user, User):
        return "Log in to comment."
    if user.is_guest:
        return "Comments need an account. Sign up: you keep everything."
    if blocked_between(deck.owner_id, user, BlockKind.CHAT):
        return "You can’t comment on this deck."
    try:
        require_may_write(user)
    except MayNotWrite as refusal:
        return refusal.detail
    return ""


def around(row: DeckComment, count: int) -> list[DeckComment]:
    """The comments around one, hidden ones too, as moderators get to see them."""
    comments = DeckComment.objects.filter(deck=row.deck_id).select_related("author")
    before = list(comments.filter(pk__lte=row.pk).order_by("-pk")[: count + 1])
    return before[::-1] + list(comments.filter(pk__gt=row.pk).order_by("pk")[:count])
