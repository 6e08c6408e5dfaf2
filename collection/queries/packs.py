"""Reading packs: whose they are, what lies in them, what may be a gift; and their odds."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from django.db.models import Count, Min, Q, QuerySet, Sum
from django.utils import timezone

import rules
from accounts.models import User, Viewer
from collection.errors import NotFound, TooLate
from collection.models import RARITIES, RARITY_WORDS, Card, LedgerRow, Pack, PackSource
from collection.queries.people import may_see
from core.serializers import Address, Doc, component, from_row
from rules.engine import packs as engine
from rules.engine.cards import CardType, Product
from rules.engine.chance import BLOCK_BYTES, Chance
from rules.engine.game import Game

RARE = 3
"""From this rarity rank on a card is worth a second look (``models.catalog.RARITIES``)."""

# -- products -------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def contents_today(game: str, product: str) -> engine.Contents:
    """The contents promised for a pack given today. Cached for the life of the process."""
    products = rules.game(game).products
    return engine.contents_of(game, products[product], products)


def first_random(game: str) -> Product | None:
    """The pack with chance that a game gives where nobody chooses; None if it has none."""
    return next((product for product in owned_products(game) if product.random), None)


def product_of(pack: Pack) -> Product | None:
    """The product as the rules know it today; None if they no longer do."""
    game = rules.games().get(pack.game)
    return game.products.get(pack.product) if game else None


def product_name(pack: Pack) -> str:
    product = product_of(pack)
    return product.name if product else pack.product


def name_of(contents: engine.Contents) -> str:
    """The product's name for promised contents."""
    game = rules.games().get(contents.game)
    found = game.products.get(contents.product) if game else None
    return found.name if found else contents.product


def named(contents: engine.Contents) -> list[tuple[str, str, int]]:
    """The packs in a box: slug, name, and how many."""
    return [(pack.product, name_of(pack), count) for pack, count in contents.packs]


def choices(contents: engine.Contents) -> list[tuple[str, str]]:
    """Those of which one is chosen: slug and name."""
    return [(pack.product, name_of(pack)) for pack in contents.choice]


def owned_products(game: str) -> list[Product]:
    """The products that people may own as one pack: nothing lent, and no box of other products."""
    definition = rules.games().get(game)
    products = definition.products.values() if definition else ()
    return [product for product in products if not (product.lent or product.nested)]


def given_products(game: str) -> list[Product]:
    """All products that the site may give: owned ones, and boxes of them, which come last."""
    definition = rules.games().get(game)
    boxes = (
        [product for product in definition.products.values() if product.nested]
        if definition
        else []
    )
    return [*owned_products(game), *(product for product in boxes if not product.lent)]


def given_product(game: str, product: str) -> tuple[Game, Product]:
    """One of these, with its game; raises ``NotFound``."""
    for candidate in given_products(game):
        if candidate.slug == product:
            return rules.games()[game], candidate
    raise NotFound("Pack not found.")


def shelf() -> list[tuple[Game, list[Product]]]:
    """All of them by game, those with chance first and boxes last."""
    games = rules.games().values()
    return [
        (game, sorted(products, key=lambda product: (product.nested, not product.random)))
        for game in games
        if (products := given_products(game.slug))
    ]


def gifts_of(user: Viewer, game: str) -> list[Product]:
    """The packs that a person may choose as a gift from a game.

    All packs with chance; and of the decks that a new collector chooses one of, each once.
    """
    return _gifts(game, _had(user))


def gifts(user: Viewer) -> list[tuple[Game, list[Product]]]:
    """The possible gifts of every game."""
    had = _had(user)
    return [(game, _gifts(slug, had)) for slug, game in rules.games().items()]


def _had(user: Viewer) -> set[tuple[str, str]]:
    """Every product, with its game, that a person has had a pack of."""
    if not user.is_authenticated:
        return set()
    own = Pack.objects.filter(owner=user).order_by()  # an order would make each pack distinct
    return set(own.values_list("game", "product").distinct())


def _gifts(game: str, had: Container[tuple[str, str]]) -> list[Product]:
    products = owned_products(game)
    groups = [product.starter for product in products if product.starter]
    return [
        product
        for product in products
        if product.random or (groups.count(product.starter) > 1 and (game, product.slug) not in had)
    ]


def _last_gift(user: User) -> tuple[str, str] | None:
    taken = Pack.objects.filter(owner=user, source=PackSource.GIFT).order_by("-pk")
    return taken.values_list("game", "product").first()


def likely_gift(user: Viewer, gifts: Sequence[tuple[Game, Sequence[Product]]]) -> str:
    """The pack that is chosen until somebody chooses another, as ``game/product``; "" without any.

    It is the last gift's pack, or another of its game; else one of the game whose matches have
    earned most packs; else the first there is.
    """
    offered = [
        (game.slug, product.slug)
        for game, products in gifts
        for product in products
        if product.random
    ]
    if not isinstance(user, User):
        liked: list[tuple[str, str]] = []
    elif last := _last_gift(user):
        liked = [last, (last[0], "")]
    else:
        won = Pack.objects.filter(owner=user, source=PackSource.MATCH).order_by().values("game")
        ranked = won.annotate(count=Count("pk")).order_by("-count", "game")
        liked = [(row["game"], "") for row in ranked]
    for game, product in liked:
        for pair in offered:
            if pair[0] == game and product in ("", pair[1]):
                return "/".join(pair)
    return "/".join(offered[0]) if offered else ""


# -- a person's packs -----------------------------------------------------------------------------


def today(now: datetime | None = None) -> datetime:
    """The beginning of the day, which is everywhere that of Greenwich."""
    moment = (now or timezone.now()).astimezone(UTC)
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def gift_key(now: datetime | None = None) -> str:
    return f"gift:{today(now):%Y-%m-%d}"


def transfer_key(slug: str) -> str:
    """The ledger's key for the opening of a pack."""
    return f"pack:{slug}"


def box_key(slug: str, number: int | None = None) -> str:
    """The key of the packs that a box gives, or its prefix."""
    return f"box:{slug}:{number or ''}"


def out_of(box: Pack) -> QuerySet[Pack]:
    """The packs that came out of a box, in order. They belong to whom the box belongs to."""
    packs = packs_of(box.owner).filter(key__startswith=box_key(box.slug))
    return packs.select_related("owner").order_by("pk")


def packs_of(owner: User) -> QuerySet[Pack]:
    """Everything a person ever got, newest first, without what is secret."""
    return Pack.objects.filter(owner=owner).without_secrets()


def sealed(owner: User) -> QuerySet[Pack]:
    """Packs that wait to be opened, by game, oldest first."""
    return packs_of(owner).filter(opened_at=None).order_by("created_at", "pk")


def opened(owner: User) -> QuerySet[Pack]:
    """Opened packs, last opened first."""
    return packs_of(owner).filter(opened_at__isnull=False).order_by("-opened_at", "-pk")


@dataclass(frozen=True, slots=True)
class Today:
    """Packs that a person got today."""

    gift: Pack | None
    for_matches: int
    next_gift_at: datetime


def day_of(owner: Viewer, now: datetime | None = None) -> Today:
    """Today's gift, if it was taken, and how many packs came from matches."""
    begin = today(now)
    gift, count = None, 0
    if isinstance(owner, User):
        keys = Q(key=gift_key(now)) | Q(key__startswith=f"match:{begin:%Y-%m-%d}:")
        for pack in packs_of(owner).filter(keys):
            if pack.source == PackSource.GIFT:
                gift = pack
            else:
                count += 1
    return Today(gift, count, begin + timedelta(days=1))


def access_pack(viewer: Viewer, slug: str) -> Pack:
    """The pack, if the viewer may look at it; raises ``NotFound``.

    Owner and staff see it sealed and opened. Whoever may see the owner's cards sees it once it is
    opened. The seed is left in the database: ``record_of`` reads it, of opened packs only.
    """
    packs = Pack.objects.defer("server_seed").select_related("owner")
    pack = packs.filter(slug=slug).first()
    if pack is not None and may_look(viewer, pack):
        return pack
    raise NotFound("Pack not found, or you can’t see it.")


def may_look(viewer: Viewer, pack: Pack) -> bool:
    """True if the viewer may look at this pack."""
    if viewer == pack.owner or viewer.is_staff:
        return True
    return not pack.sealed and may_see(viewer, pack.owner)


def contents_of(pack: Pack) -> engine.Contents:
    """The promised contents."""
    return engine.contents_from_json(pack.contents)


@component("Record")
@dataclass(frozen=True, slots=True)
class PackRecord:
    """Everything that ``docs/verify.py`` needs to draw the pack again."""

    riffle: int
    pack: str
    contents: dict[str, Any]
    commitment: str
    server_seed: str
    client_seed: str
    cards: list[str]


def record_of(pack: Pack) -> dict[str, Any]:
    """Everything needed to draw an opened pack again; raises ``TooLate`` while it is sealed."""
    if pack.cards is None:
        raise TooLate("The seed of an unopened pack is secret. Open it first.")
    return engine.record(
        pack.slug,
        contents_of(pack),
        server_seed=bytes(pack.server_seed),
        client_seed=pack.client_seed,
        cards=pack.cards,
    )


# -- what lies in a pack --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Inside:
    """A card of an opened pack. ``new``: its owner had no copy of it before."""

    place: int
    card: Card
    rarity: str
    special: bool
    new: bool


def inside(pack: Pack) -> list[Inside]:
    """The cards of an opened pack as they are turned over: the rarest last."""
    slugs: Sequence[str] = pack.cards or ()
    rows = Card.objects.filter(game__slug=pack.game, slug__in=set(slugs)).select_related("game")
    cards = {row.slug: row for row in rows}
    had = _had_before(pack)
    drawn_cards = []
    for place, slug in enumerate(slugs):
        card = cards[slug]
        drawn_cards.append(
            Inside(
                place=place,
                card=card,
                rarity=RARITY_WORDS.get(card.rarity, card.rarity),
                special=card.rarity_rank >= RARE,
                new=card.pk not in had,
            )
        )
        had.add(card.pk)
    return sorted(
        drawn_cards, key=lambda drawn_card: (drawn_card.card.rarity_rank, drawn_card.place)
    )


def _had_before(pack: Pack) -> set[int]:
    """Keys of the pack's cards of which its first owner had a copy when it was opened."""
    dealt = LedgerRow.objects.filter(transfer__key=transfer_key(pack.slug)).order_by("pk")
    first = dealt.values_list("pk", "taker_id").first()
    if first is None:
        return set()
    before, owner = first
    rows = LedgerRow.objects.filter(pk__lt=before, card__in=dealt.order_by().values("card"))
    came = rows.filter(taker=owner).order_by().values_list("card").annotate(Sum("count"))
    went = dict(rows.filter(giver=owner).order_by().values_list("card").annotate(Sum("count")))
    return {card for card, count in came if count > went.get(card, 0)}


# -- packs as the API tells them -------------------------------------------------------------------


@component("Pack")
@dataclass(frozen=True, slots=True)
class PackShown:
    """A pack in a list. Its seed is nowhere to be had before it is opened."""

    slug: str
    owner: str
    game: str
    product: str
    name: Annotated[str, Doc("The product’s name.")]
    source: PackSource
    note: Annotated[
        str,
        Doc("Why it was given (a match’s slug); only for its owner and staff."),
    ]
    commitment: str
    created_at: datetime
    opened_at: datetime | None
    cards: Annotated[
        list[str] | None,
        Doc("Slugs in slot order; null until the pack is opened."),
    ]
    url: Annotated[str, Doc("The pack’s page.", field=Address)]


@component("Inside")
@dataclass(frozen=True, slots=True)
class CardInside:
    """A card of an opened pack."""

    slot: Annotated[int, Doc("Counted from 0.")]
    card: str
    title: str
    rarity: str
    new: Annotated[bool, Doc("Its owner had no copy of it before.")]


@dataclass(frozen=True, slots=True)
class PackDetail(PackShown):
    """One pack, with what was promised to be inside and what was."""

    contents: Annotated[dict[str, Any], Doc("Slots, sheets and weights; section 8 of fairness.")]
    digest: Annotated[str, Doc("SHA-256 of the contents.")]
    client_seed: Annotated[str, Doc("The owner’s seed, added on opening.")]
    inside: Annotated[list[CardInside], Doc("The cards, the rarest last.")]
    packs: Annotated[
        list[str],
        Doc("Slugs of the packs from a box that you can see."),
    ]


def packs_shown(viewer: Viewer, packs: Sequence[Pack]) -> list[PackShown]:
    """Packs as a viewer who may look at them sees them."""
    return [from_row(PackShown, pack, **_of_pack(viewer, pack)) for pack in packs]


def pack_detail(viewer: Viewer, slug: str) -> PackDetail:
    """One of them; raises ``NotFound``."""
    pack = access_pack(viewer, slug)
    contents = contents_of(pack)
    boxed = out_of(pack) if contents.box else ()
    return from_row(
        PackDetail,
        pack,
        **_of_pack(viewer, pack),
        digest=contents.digest,
        inside=[
            CardInside(
                drawn_card.place,
                drawn_card.card.slug,
                drawn_card.card.title,
                drawn_card.card.rarity,
                drawn_card.new,
            )
            for drawn_card in inside(pack)
        ],
        packs=[inner.slug for inner in boxed if may_look(viewer, inner)],
    )


def _of_pack(viewer: Viewer, pack: Pack) -> dict[str, Any]:
    return {
        "owner": pack.owner.username,
        "name": product_name(pack),
        "source": PackSource(pack.source),
        "note": pack.note if viewer.is_staff or viewer.pk == pack.owner_id else "",
        "url": pack.get_absolute_url(),
    }


@dataclass(frozen=True, slots=True)
class GiftChoice:
    """A pack that can be claimed as a gift."""

    game: str
    product: str
    name: str
    chance: Annotated[bool, Doc("True if its contents are random.")]
    likely: Annotated[bool, Doc("The suggested pack, by what you have claimed and won.")]


@component("DailyPack")
@dataclass(frozen=True, slots=True)
class GiftOfTheDay:
    """The gift of the day."""

    available: Annotated[bool, Doc("True if a pack can be claimed now.")]
    pack: Annotated[str | None, Doc("The pack claimed today.")]
    until: Annotated[datetime, Doc("When the next pack can be claimed (midnight UTC).")]
    choices: Annotated[list[GiftChoice], Doc("Empty if already claimed.")]


def gift_of_the_day(user: User) -> GiftOfTheDay:
    """The daily pack: whether it can be claimed, and the choices."""
    day = day_of(user)
    offered = [] if day.gift else gifts(user)
    likely = likely_gift(user, offered)
    return GiftOfTheDay(
        available=day.gift is None,
        pack=day.gift.slug if day.gift else None,
        until=day.next_gift_at,
        choices=[
            GiftChoice(
                game.slug,
                product.slug,
                product.name,
                product.random,
                likely == f"{game.slug}/{product.slug}",
            )
            for game, products in offered
            for product in products
        ],
    )


def next_sealed(pack: Pack, owner: User) -> Pack | None:
    """The pack to open after this one: of the same product if there is one."""
    waiting = sealed(owner).exclude(pk=pack.pk)
    same = Q(game=pack.game, product=pack.product)
    return waiting.filter(same).first() or waiting.first()


# -- checking one by hand --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice among things with weights, with the numbers that made it."""

    what: str
    pick: engine.Pick
    first: int
    last: int
    taken: str

    @property
    def rejected(self) -> tuple[int, ...]:
        """Numbers that would have made some results likelier than others."""
        return self.pick.values[:-1]

    @property
    def value(self) -> int:
        return self.pick.values[-1]

    @property
    def end(self) -> int:
        """The last byte that was read."""
        return self.pick.start + self.pick.size * len(self.pick.values) - 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing of a slot in words: what was chosen, and whether it was kept."""

    place: int
    slot: str
    choices: tuple[Choice, ...]
    sheet: str
    card: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Check:
    """An opened pack drawn again: every number, and whether all is as promised."""

    contents: engine.Contents
    seed: str
    server_seed: str
    promised: bool
    agrees: bool
    drawings: tuple[Drawing, ...]
    blocks: tuple[str, ...]
    used: int


def check(pack: Pack) -> Check:
    """Draw an opened pack again from its seed; raises ``TooLate`` while it is sealed."""
    record = record_of(pack)
    contents = contents_of(pack)
    server_seed = bytes.fromhex(record["server_seed"])
    seed = engine.pack_seed(server_seed, pack.client_seed)
    steps = engine.explain(contents, seed)
    drawn = [step.attempt.drawn.card for step in steps if step.attempt.kept]
    drawings = tuple(_in_words(contents, step) for step in steps) if contents.random else ()
    used = max((choice.end + 1 for drawing in drawings for choice in drawing.choices), default=0)
    return Check(
        contents=contents,
        seed=seed.hex(),
        server_seed=server_seed.hex(),
        promised=engine.pack_commitment(pack.slug, contents, server_seed) == pack.commitment,
        agrees=drawn == pack.cards,
        drawings=drawings,
        blocks=tuple(
            bytes(chance.byte() for _ in range(BLOCK_BYTES)).hex()
            for number in range(-(-used // BLOCK_BYTES))
            for chance in [Chance(seed, number * BLOCK_BYTES)]
        ),
        used=used,
    )


def _in_words(contents: engine.Contents, step: engine.Step) -> Drawing:
    slot, sheet, slug = step.attempt.drawn
    catalog = rules.game(contents.game).catalog
    title = catalog[slug].title if slug in catalog else slug
    choices = []
    for what, pick, pairs, thing, taken in (
        ("sheet", step.sheet, contents.slots[slot].sheets, sheet, sheet),
        ("card", step.card, contents.sheets[sheet], slug, title),
    ):
        if pick is not None:
            first = sum(
                weight for _, weight in pairs[: [outcome for outcome, _ in pairs].index(thing)]
            )
            last = first + dict(pairs)[thing] - 1
            choices.append(Choice(what, pick, first, last, taken))
    return Drawing(
        slot + 1, contents.slots[slot].name, tuple(choices), sheet, title, step.attempt.kept
    )


# -- odds -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotLine:
    """Slots that are alike: their places, their sheets, and the chances by rarity."""

    places: tuple[int, ...]
    name: str
    sheets: tuple[tuple[str, Fraction], ...]
    rarities: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card and its odds."""

    card: CardType
    rarity: str
    odds: engine.CardOdds

    def chance_after(self, packs: int) -> float:
        """The chance that so many packs have at least one copy."""
        return 1 - (1 - float(self.odds.at_least_one)) ** packs


@dataclass(frozen=True, slots=True)
class OddsTable:
    """All odds of a pack; ``shifted`` if cards drawn again change them."""

    contents: engine.Contents
    slots: tuple[SlotLine, ...]
    cards: tuple[CardLine, ...]
    shifted: bool

    def lines(self, words: str, rarity: str) -> list[CardLine]:
        """The cards whose title has these words, and of a rarity; "" for all."""
        wanted = words.casefold().split()
        return [
            line
            for line in self.cards
            if rarity in ("", line.rarity)
            and all(word in line.card.title.casefold() for word in wanted)
        ]

    @property
    def rarities(self) -> list[str]:
        """The rarities of its cards, the rarest first."""
        return list(dict.fromkeys(line.rarity for line in self.cards))


@lru_cache(maxsize=64)
def odds_table(game: str, product: str) -> OddsTable:
    """The published odds of a product, computed from what is promised for its packs today."""
    contents = contents_today(game, product)
    catalog = rules.game(game).catalog
    lines: dict[object, list[int]] = {}
    slots = engine.slot_odds(contents)
    named = rules.game(game).products[product]
    for number, slot in enumerate(slots):
        lines.setdefault((slot.name, *slot.cards.items()), []).append(number)
    cards = [
        CardLine(catalog[slug], RARITY_WORDS.get(catalog[slug].rarity, catalog[slug].rarity), odds)
        for slug, odds in engine.card_odds(contents).items()
    ]
    return OddsTable(
        contents=contents,
        slots=tuple(
            SlotLine(
                tuple(number + 1 for number in numbers),
                slots[numbers[0]].name,
                tuple(
                    (named.sheet_name(sheet), chance)
                    for sheet, chance in slots[numbers[0]].sheets.items()
                ),
                _by_rarity(slots[numbers[0]].cards, catalog),
            )
            for numbers in lines.values()
        ),
        cards=tuple(sorted(cards, key=lambda line: -RARITIES.get(line.card.rarity, 0))),
        shifted=any(slot.cards != slot.settled for slot in slots),
    )


@component("Chance")
@dataclass(frozen=True, slots=True)
class ChanceShown:
    """Something that can happen, and how likely it is."""

    name: str
    chance: float
    fraction: Annotated[str, Doc("The exact fraction, such as 1/33.")]


@component("SlotOdds")
@dataclass(frozen=True, slots=True)
class SlotOddsShown:
    """Slots that are alike."""

    places: Annotated[tuple[int, ...], Doc("Counted from 1.")]
    name: str
    sheets: list[ChanceShown]
    rarities: Annotated[list[ChanceShown], Doc("Odds of a single draw.")]


@component("CardOdds")
@dataclass(frozen=True, slots=True)
class CardOddsShown:
    """A card and how often it is in a pack."""

    card: str
    rarity: str
    drawn: Annotated[str, Doc("Average copies before repeats are drawn again.")]
    expected: Annotated[str, Doc("Exact average of copies per pack.")]
    at_least_one: Annotated[float, Doc("Chance of at least one copy.")]


@dataclass(frozen=True, slots=True)
class Boxed:
    """Packs in a box; each has odds of its own."""

    product: str
    count: int


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a product, computed from the list that packs given today are drawn from."""

    game: str
    product: str
    digest: str
    size: int
    unique: bool
    redraw: Annotated[
        Literal["sheet", "slot"],
        Doc("Drawn again where a card would come twice: a card of its sheet, or the whole slot."),
    ]
    slots: list[SlotOddsShown]
    cards: list[CardOddsShown]
    packs: Annotated[list[Boxed], Doc("The packs in a box.")]
    choice: Annotated[list[str], Doc("Products of which the owner chooses one.")]


def odds(game: str, product: str) -> Odds:
    """The odds in numbers and words; raises ``NotFound`` for what the site does not give."""
    given_product(game, product)
    table = odds_table(game, product)
    return from_row(
        Odds,
        table.contents,
        slots=[
            SlotOddsShown(line.places, line.name, _chances(line.sheets), _chances(line.rarities))
            for line in table.slots
        ],
        cards=[
            CardOddsShown(
                line.card.slug,
                line.card.rarity,
                str(line.odds.drawn),
                str(line.odds.expected),
                float(line.odds.at_least_one),
            )
            for line in table.cards
        ],
        packs=[Boxed(inner.product, count) for inner, count in table.contents.packs],
        choice=[inner.product for inner in table.contents.choice],
    )


def _chances(pairs: Sequence[tuple[str, Fraction]]) -> list[ChanceShown]:
    return [ChanceShown(name, float(chance), str(chance)) for name, chance in pairs]


def _by_rarity(
    cards: Mapping[str, Fraction], catalog: Mapping[str, CardType]
) -> tuple[tuple[str, Fraction], ...]:
    sums: dict[str, Fraction] = {}
    for slug, chance in cards.items():
        rarity = catalog[slug].rarity
        sums[rarity] = sums.get(rarity, Fraction(0)) + chance
    ranked = sorted(sums.items(), key=lambda pair: RARITIES.get(pair[0], 0))
    return tuple((RARITY_WORDS.get(rarity, rarity), chance) for rarity, chance in ranked)


# -- shelves --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stack:
    """Sealed packs of one product; ``pack`` is the one to open first."""

    pack: Pack
    name: str
    count: int


def stacks(owner: User) -> list[tuple[Game, list[Stack]]]:
    """Sealed packs by game and product, in the order in which the games are shown."""
    counted = (
        Pack.objects.filter(owner=owner, opened_at=None)
        .order_by()
        .values("game", "product")
        .annotate(count=Count("pk"), first=Min("pk"))
    )
    counts = {row["first"]: row["count"] for row in counted}
    firsts = packs_of(owner).filter(pk__in=counts).order_by("pk")
    shelves: dict[str, list[Stack]] = {}
    for pack in firsts:
        shelves.setdefault(pack.game, []).append(Stack(pack, product_name(pack), counts[pack.pk]))
    return [(game, shelves[slug]) for slug, game in rules.games().items() if slug in shelves]
