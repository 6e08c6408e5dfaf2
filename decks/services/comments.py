"""Writes of what people say to decks: comments, their removal, reports to the moderators."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.errors import Blocked, MembersOnly, NotYourself, TooMuchTalk
from accounts.models import BlockKind, User
from accounts.models.moderation import WHY_LENGTH
from accounts.queries.blocks import blocked_between, blocking, require_may_write
from accounts.queries.mentions import named
from accounts.queries.people import moderators
from accounts.services.moderation import CONTEXT, kept, require_few_reports, tidy
from collection.errors import TooMany, Unacceptable
from core.errors import NotAllowed
from decks.errors import UnknownDeck
from decks.models import CommentReport, Deck, DeckComment, Visibility
from decks.models.comments import COMMENT_LENGTH
from decks.queries import comments as queries
from notices.kinds import Kind
from notices.services.notices import notify, retract

COMMENTS_A_MINUTE = 5
COMMENTS_A_PERSON = 200
"""So many comments somebody may write on one deck."""


@transaction.atomic
def comment(*, deck: Deck, user: User, text: str) -> DeckComment:
    """Say something to a deck; ``deck`` is one that this person may see.

    Its owner is told, and whoever is named with “@”. Raises ``UnknownDeck`` for a private deck,
    ``MembersOnly``, ``Blocked``, ``MayNotWrite``, ``Unacceptable``, ``TooMuchTalk``, ``TooMany``.
    """
    if deck.visibility == Visibility.PRIVATE:
        raise UnknownDeck
    if user.is_guest:
        raise MembersOnly("Comments need an account. Sign up: you keep everything.")
    if blocked_between(deck.owner_id, user, BlockKind.CHAT):
        raise Blocked("You can’t comment on this deck.")
    require_may_write(user)
    words = tidy(text, lines=True)
    if not words:
        raise Unacceptable("Write a comment first.")
    if len(words) > COMMENT_LENGTH:
        raise Unacceptable(
            f"Comments can have up to {COMMENT_LENGTH:,} characters; yours has {len(words):,}."
        )
    _require_a_moment(deck, user)
    row = DeckComment.objects.create(deck=deck, author=user, text=words)
    _tell(deck, row)
    return row


@transaction.atomic
def remove(*, deck: Deck, user: User, pk: int) -> None:
    """Take a comment away: one's own, or any on a deck of one's own. Again changes nothing.

    Reports of it keep what it said. Raises ``NotAllowed``.
    """
    row = DeckComment.objects.filter(deck=deck, pk=pk).first()
    if row is None:
        return
    if user.pk not in (row.author_id, deck.owner_id):
        raise NotAllowed("Only its author and the deck’s owner can remove a comment.")
    row.delete()
    retract(Kind.DECK_COMMENT, key=f"{deck.slug}:{pk}")


def report(*, deck: Deck, user: User, pk: int, why: str) -> CommentReport:
    """Ask the moderators to look at a comment. Twice is one report.

    Raises ``UnknownComment``, ``NotYourself`` and ``TooManyReports``.
    """
    row = queries.readable(deck, user, pk)
    if row.author_id == user.pk:
        raise NotYourself("You can’t report your own comment. Remove it instead.")
    before = CommentReport.objects.filter(reporter=user, comment=row).first()
    if before is not None:
        return before
    require_few_reports(CommentReport, user)
    try:
        with transaction.atomic():
            report = CommentReport.objects.create(
                deck=deck,
                comment=row,
                about=row.author,
                reporter=user,
                why=" ".join(why.split())[:WHY_LENGTH],
                context=kept(queries.around(row, CONTEXT)),
            )
            notify(
                moderators("decks.change_commentreport"),
                Kind.REPORT,
                text=f"{user} reported a comment on the deck “{deck.name}”.",
                link=reverse("admin:decks_commentreport_change", args=(report.pk,)),
                key=f"deck:{report.pk}",
            )
            return report
    except IntegrityError:  # the other tab was faster
        return CommentReport.objects.get(reporter=user, comment=row)


def _require_a_moment(deck: Deck, user: User) -> None:
    # Locking the writer makes the counts hold for requests that come at the same time.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    since = timezone.now() - timedelta(minutes=1)
    if DeckComment.objects.filter(author=user, at__gt=since).count() >= COMMENTS_A_MINUTE:
        raise TooMuchTalk(f"You can post {COMMENTS_A_MINUTE} comments per minute. Wait a moment.")
    if DeckComment.objects.filter(author=user, deck=deck).count() >= COMMENTS_A_PERSON:
        raise TooMany(f"You have reached the limit of {COMMENTS_A_PERSON} comments here.")


def _tell(deck: Deck, row: DeckComment) -> None:
    """The deck's owner is told, and those who are named and have commented on it themselves."""
    writer, link = row.author, f"{deck.get_absolute_url()}#comments"
    unwilling = blocking(writer, BlockKind.CHAT) | {writer.pk}
    key = f"{deck.slug}:{row.pk}"
    if deck.owner_id not in unwilling:
        text = f"{writer} commented on your deck “{deck.name}”."
        notify([deck.owner_id], Kind.DECK_COMMENT, text=text, link=link, key=key)
    if "@" not in row.text:
        return
    company = User.objects.filter(deck_comments__deck=deck, is_active=True).distinct()
    people = [reader for reader in company if reader.pk not in unwilling | {deck.owner_id}]
    notify(
        [reader.pk for reader in named(row.text, people)],
        Kind.DECK_COMMENT,
        text=f"{writer} mentioned you in a comment on “{deck.name}”.",
        link=link,
        key=key,
    )
