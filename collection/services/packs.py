"""Packs: how they are earned, and the one way to open them.

A pack is earned for a key (``gift:2026-11-21``), once a person. What can be inside, and the seed
that decides, are fixed and promised at that moment; opening only carries out what is promised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

import rules
from accounts.models import User
from collection.errors import NotFound, TooLate, Unacceptable
from collection.models import Card, Pack, PackSource, Reason
from collection.models.packs import new_seed
from collection.models.slugs import new_slug
from collection.queries import packs as queries
from collection.services import ledger
from core.errors import NotAllowed
from core.models import MatchFinished
from rules.engine import packs as engine
from rules.engine.cards import Product
from rules.engine.chance import Chance
from rules.engine.errors import BadData

logger = structlog.get_logger(__name__)

MATCH_PACKS_A_DAY = 3
"""How many packs a person gets for finished matches on one day."""

GRANTS_AT_ONCE = 1000
MAX_CLIENT_SEED_LENGTH = 64


# -- earning --------------------------------------------------------------------------------------


@transaction.atomic
def take_gift(
    *, user: User, game: str, product: str = "", now: datetime | None = None
) -> tuple[Pack, bool]:
    """The gift of the day (UTC): a pack of the chosen game, and whether it was taken now.

    Without a product it is the game's first pack with chance. A second call on the same day gives
    the pack that was chosen first. Raises ``Unacceptable`` for what is no gift.
    """
    key = queries.gift_key(now)
    before = Pack.objects.filter(owner=user, key=key).first()
    if before is not None:
        return before, False
    chosen = _product(game, product)
    if chosen not in queries.gifts_of(user, game):
        raise Unacceptable(f"You can’t claim {chosen.name}. Choose another pack.")
    contents = queries.contents_today(game, chosen.slug)
    return _give(user, contents, source=PackSource.GIFT, key=key)


@transaction.atomic
def match_finished(finished: MatchFinished) -> list[Pack]:
    """Give a pack to everybody who stayed to the end of a match; gives those that were made.

    It reads the outbox of matches (``core.outbox``), and a second time makes nothing.

    Nobody gets more than ``MATCH_PACKS_A_DAY`` for matches that end on one day (UTC). Somebody who
    was a guest at the table and has logged in since gets the pack with the account. A game without
    packs that hold a surprise, or that has left the site meanwhile, gives none.
    """
    product = queries.first_random(finished.game)
    if product is None:
        return []
    stayed = User.objects.filter(pk__in=finished.who_stayed)
    people = stayed.select_related("merged_into").order_by("pk")
    owners = {person.pk: person for person in (row.merged_into or row for row in people)}
    return [
        pack
        for _, owner in sorted(owners.items())
        if (pack := _earn(owner, finished, product)) is not None
    ]


def _earn(owner: User, finished: MatchFinished, product: Product) -> Pack | None:
    """The pack for a match, on the first free of the day's places; None where all are taken."""
    game, match, day = finished.game, finished.match, finished.at.date()
    if Pack.objects.filter(owner=owner, source=PackSource.MATCH, note=match).exists():
        return None
    contents = queries.contents_today(game, product.slug)
    for number in range(1, MATCH_PACKS_A_DAY + 1):
        key = f"match:{day:%Y-%m-%d}:{number}"
        pack, created = _give(owner, contents, source=PackSource.MATCH, key=key, note=match)
        if created:
            return pack
    return None


@transaction.atomic
def grant(
    *,
    by: User | None,
    game: str,
    product: str,
    people: Sequence[User],
    key: str,
    count: int = 1,
    note: str = "",
) -> list[tuple[Pack, bool]]:
    """Packs from the house for one or many; ``by`` is the member of staff, None on the console.

    The key says what they are for ("spring-festival"): with the same key nobody gets them twice.
    Raises ``NotAllowed`` and ``Unacceptable``.
    """
    if by is not None and not by.is_staff:
        raise NotAllowed("Only the staff of this site can give packs.")
    chosen = _product(game, product)
    key = key.strip()
    if not 1 <= len(key) <= 80 or not key.isprintable():
        raise Unacceptable("A grant needs a key: one line of 1 to 80 characters.")
    if not 1 <= count <= 100 or count * len(people) > GRANTS_AT_ONCE:
        raise Unacceptable(
            f"Give 1 to 100 packs per person and up to {GRANTS_AT_ONCE} packs at once."
        )
    granted = [
        _give(
            person,
            queries.contents_today(game, chosen.slug),
            source=PackSource.GRANT,
            key=f"grant:{key}:{number}",
            note=note[:200],
            granted_by=by,
        )
        for person in sorted(people, key=lambda person: person.pk)
        for number in range(1, count + 1)
    ]
    logger.info("packs granted", key=key, made=sum(created for _, created in granted))
    return granted


def _product(game: str, slug: str) -> Product:
    """A product that the house may give; without a slug the game's first pack with chance."""
    products = {candidate.slug: candidate for candidate in queries.given_products(game)}
    chosen = products.get(slug) if slug else queries.first_random(game)
    if game not in rules.games():
        raise Unacceptable(f"Unknown game “{game[:60]}”. Games: {', '.join(rules.games())}.")
    if chosen is None:
        raise Unacceptable(
            f"Unknown pack “{slug[:60]}”. Packs of this game: {', '.join(products)}."
        )
    return chosen


def _give(
    owner: User,
    contents: engine.Contents,
    *,
    source: PackSource,
    key: str,
    note: str = "",
    granted_by: User | None = None,
) -> tuple[Pack, bool]:
    """The pack for this key: made and sealed now, or the one that was made before."""
    slug, seed = new_slug(), new_seed()
    return Pack.objects.get_or_create(
        owner=owner,
        key=key,
        defaults={
            "slug": slug,
            "game": contents.game,
            "product": contents.product,
            "source": source,
            "note": note,
            "granted_by": granted_by,
            "contents": contents.to_json(),
            "server_seed": seed,
            "commitment": engine.pack_commitment(slug, contents, seed),
        },
    )


# -- opening --------------------------------------------------------------------------------------


def checked_client_seed(text: str) -> str:
    """Clean the seed that an owner adds: one printable line; raises ``Unacceptable``."""
    text = text.strip()
    if len(text) > MAX_CLIENT_SEED_LENGTH or not text.isprintable():
        raise Unacceptable(
            f"Your own seed is one line of up to {MAX_CLIENT_SEED_LENGTH} characters."
        )
    return text


@transaction.atomic
def open_pack(
    *, slug: str, user: User, client_seed: str = "", choice: str = ""
) -> tuple[Pack, bool]:
    """Open a pack: draw it, and deal its cards; gives the pack and whether it was opened now.

    A box gives the sealed packs that lie in it as well, among them the one of ``choice`` where
    there is something to choose (``Unacceptable``, with the field's name, if it is none of those).

    All in one transaction, once. Whoever comes second, in another tab, gets the same opened pack;
    a client seed or a choice that was sent with the second attempt has no part in it. Raises
    ``NotFound`` to everybody but the owner.
    """
    client_seed = checked_client_seed(client_seed)
    pack = Pack.objects.select_for_update().filter(slug=slug, owner=user).first()
    if pack is None:
        raise NotFound("Pack not found, or it isn’t yours to open.")
    if not pack.sealed:
        return pack, False
    contents = engine.contents_from_json(pack.contents)
    boxed = _boxed(contents, choice)
    seed = engine.pack_seed(bytes(pack.server_seed), client_seed)
    drawn = [inner.card for inner in engine.open_pack(contents, Chance(seed))]
    if drawn:
        ledger.transfer(
            key=queries.transfer_key(pack.slug),
            reason=Reason.PACK,
            movements=ledger.digital_to(user, _counted(pack.game, drawn)),
            by=user,
            note=queries.product_name(pack),
        )
    for number, inner in enumerate(boxed, start=1):
        _give(
            user,
            inner,
            source=PackSource.GRANT,
            key=queries.box_key(pack.slug, number),
            note=f"out of the {queries.product_name(pack)}",
            granted_by=pack.granted_by,
        )
    pack.cards, pack.client_seed, pack.opened_at = drawn, client_seed, timezone.now()
    pack.save(update_fields=["cards", "client_seed", "opened_at"])
    logger.info("pack opened", pack=pack.slug, product=pack.product)
    return pack, True


def _boxed(contents: engine.Contents, choice: str) -> list[engine.Contents]:
    """The packs that come out of a box, one by one."""
    try:
        return contents.inside(choice)
    except BadData:
        names = ", ".join(name for _, name in queries.choices(contents))
        raise Unacceptable(f"Choose one of these: {names}.", field="choice") from None


def _counted(game: str, slugs: Sequence[str]) -> dict[int, int]:
    """Copies by the cards' keys."""
    keys = dict(Card.objects.filter(game__slug=game, slug__in=set(slugs)).values_list("slug", "pk"))
    missing = sorted(set(slugs) - set(keys))
    if missing:
        logger.error("cards of a pack are not in the catalog", game=game, missing=missing)
        raise TooLate("The catalog is being updated. Nothing was opened; try again soon.")
    return {keys[slug]: count for slug, count in Counter(slugs).items()}


# -- people ---------------------------------------------------------------------------------------


@transaction.atomic
def move_packs(*, guest: User, user: User) -> set[str]:
    """Hand a guest's packs over to the account that the guest turned out to have.

    A pack whose key (or whose match) has given the account a pack already stays with the guest:
    nobody gets the gift of one day twice by coming as two. Gives the ledger keys (``pack:<slug>``)
    of those that stay *and are opened*: the cards from them stay as well, so whoever moves
    the guest's holdings leaves out what these transfers brought.
    """
    packs = Pack.objects.select_for_update().filter(owner=guest).order_by("pk")
    rows = list(packs.values_list("pk", "slug", "key", "source", "note", "opened_at"))
    theirs = Pack.objects.filter(owner=user)
    keys = set(theirs.values_list("key", flat=True))
    matches = set(theirs.filter(source=PackSource.MATCH).values_list("note", flat=True))
    boxes = tuple(queries.box_key(slug) for _, slug, key, *_ in rows if key in keys)
    stay = {
        pk: opened_at and queries.transfer_key(slug)
        for pk, slug, key, source, note, opened_at in rows
        if key in keys
        or (source == PackSource.MATCH and note in matches)
        or key.startswith(boxes)  # what came out of a box that stays
    }
    Pack.objects.filter(owner=guest).exclude(pk__in=stay).update(owner=user)
    return {key for key in stay.values() if key}
