"""Set-up: the pool, the sides, the deal, the first tower (section 2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.battl_khaos import events
from games.battl_khaos.control import corners_at
from games.battl_khaos.grid import MIDDLE, xy
from games.battl_khaos.legality import FIELD, TOKENS, TOWERS, check_deck
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.rules.turn import marked, start_turn
from games.battl_khaos.state import HAND, ROW, Khaos, catalog
from rules.engine.card_tables import unfold
from rules.engine.chance import Chance
from rules.engine.legality import Decklist, must_be_legal

SEATS: Final = (0, 1)
SEAT_OF: Final[Mapping[str, int]] = {"seat1": 0, "seat2": 1}


def classic(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Khaos:
    """BKH-S-03, BKH-S-11, BKH-R-33: the shared box, and the same tokens for both."""
    tokens = core("token")
    if not options["advanced"]:
        tokens = [slug for slug in tokens if catalog()[slug]["class"] == "basic"]
    return out_of_the_box("classic", chance, options, (tokens, tokens))


def warband(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Khaos:
    """BKH-S-03, BKH-S-11: the shared box, and everybody's own five tokens."""
    armies = checked("warband", options, decks)
    return out_of_the_box("warband", chance, options, [unfold(army[TOKENS]) for army in armies])


def army(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Khaos:
    """BKH-S-03, BKH-S-08, BKH-R-38: tiles and towers of both armies are pooled and are nobody's."""
    armies = checked("army", options, decks)
    pool = [slug for army in armies for slug in unfold(army[FIELD])]
    towers = [slug for army in armies for slug in unfold(army[TOWERS])]
    return start("army", chance, options, pool, towers, [unfold(army[TOKENS]) for army in armies])


def checked(mode: str, options: Mapping[str, Any], decks: Sequence[Decklist]) -> Sequence[Decklist]:
    """The armies of both seats; raises ``BadSetup``."""
    judged = {name: options[name] for name in JUDGING[mode]}
    for deck in decks:
        must_be_legal(check_deck(mode, deck, judged))
    return decks


JUDGING: Final[Mapping[str, tuple[str, ...]]] = {
    "warband": ("core_only",),
    "army": ("specials", "singleton", "core_only"),
}


def core(kind: str) -> list[str]:
    """One of each Core piece of a kind."""
    return [slug for slug, card in catalog().items() if card.kind == kind and "core" in card.sets]


def out_of_the_box(
    mode: str,
    chance: Chance,
    options: Mapping[str, Any],
    tokens: Sequence[Sequence[str]],
) -> Khaos:
    """BKH-S-03: 58 field tiles, with ``specials`` the five special tiles, and eight towers."""
    pool = core("field")
    if options["specials"]:
        pool += core("special")
    return start(mode, chance, options, pool, core("tower"), tokens)


def start(
    mode: str,
    chance: Chance,
    options: Mapping[str, Any],
    pool: Sequence[str],
    towers: Sequence[str],
    tokens: Sequence[Sequence[str]],
) -> Khaos:
    """BKH-S-13: sides, shuffle, first tower; then the deal, three by three."""
    drawn = options["orcs"] == "random"
    orcs = chance.pick(len(SEATS)) if drawn else SEAT_OF[options["orcs"]]  # BKH-R-01
    s = Khaos.lay(mode, chance, pool, towers, tokens, target=options["target"], orcs=orcs)
    s.turn = orcs  # BKH-S-02
    s.tell(events.SIDES_DRAWN, orcs, 1 - orcs)
    s.pile = list(range(len(pool)))
    chance.shuffle(s.pile)  # BKH-S-04
    s.tell(events.SHUFFLED, tuple(s.pile))
    s.pile.reverse()
    s.supply = list(range(len(pool), s.first_token))
    lay_first_tower(s, s.supply.pop(chance.pick(len(s.supply))))
    deal(s)
    s.then(start_turn)
    return s


@BOOK.between_matches("Sides alternate: the player of the orcs plays the knights next.")
def sides_alternate(s: Khaos, seats: Sequence[int]) -> dict[str, str]:
    """BKH-R-01: after the first match the option no longer decides."""
    knights = seats.index(1 - s.orcs)
    return {"orcs": next(word for word, seat in SEAT_OF.items() if seat == knights)}


def lay_first_tower(s: Khaos, tower: int) -> None:
    """BKH-S-08, BKH-S-16: in the middle."""
    s.lay_tile(MIDDLE, tower, 0)
    s.markers[MIDDLE] = marked(s, MIDDLE, corners_at(s, MIDDLE))
    s.tell(events.FIRST_TOWER, tower, *xy(MIDDLE))


def deal(s: Khaos) -> None:
    """From the top, three to the orcs, three to the knights, the row.

    BKH-S-05, BKH-S-06, BKH-S-13.
    """
    for seat in (s.orcs, 1 - s.orcs):
        s.hands[seat] = [s.pile.pop() for _ in range(HAND)]
        s.tell(events.DEALT, seat, tuple(s.hands[seat]))
    s.row = [s.pile.pop() for _ in range(ROW)]
    s.tell(events.ROW_LAID, tuple(s.row))
