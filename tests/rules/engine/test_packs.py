"""Packs: one seed gives one pack, the odds are exact, and 100,000 packs agree with them."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

import rules
from rules.engine import packs
from rules.engine.cards import Product
from rules.engine.chance import Chance, named_seed
from rules.engine.errors import BadData
from rules.engine.packs import Contents, Slot, contents_from_json, contents_of, open_pack
from tests.games.examples import GAME, OTHER, OTHER_GAME, OTHER_STARTER, PACK

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parents[2] / "docs" / "verify.py"
VECTORS = json.loads((HERE.parents[1] / "games" / "pack_vectors.json").read_text(encoding="utf-8"))[
    "packs"
]

_spec = importlib.util.spec_from_file_location("riffle_verify", SCRIPT)
assert _spec is not None and _spec.loader is not None
verify = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(verify)

OWNED = [
    contents_of(game.slug, product, game.products)
    for game in rules.games().values()
    for product in game.products.values()
    if not product.lent
]
RANDOM = [contents for contents in OWNED if contents.random]


def by_name(contents: Contents) -> str:
    return contents.product


def product_contents(game: str, slug: str) -> Contents:
    return contents_of(game, rules.game(game).products[slug])


def of_vector(vector: Mapping[str, Any]) -> Contents:
    contents = vector["contents"]
    return (
        contents_from_json(contents)
        if isinstance(contents, dict)
        else product_contents(*contents.split("/"))
    )


# -- the same everywhere --------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["pack"])
def test_vectors(vector: dict[str, Any]) -> None:
    contents, server_seed = of_vector(vector), bytes.fromhex(vector["server_seed"])
    assert contents.digest == vector["digest"]
    assert packs.pack_commitment(vector["pack"], contents, server_seed) == vector["commitment"]
    seed = packs.pack_seed(server_seed, vector["client_seed"])
    assert seed.hex() == vector["seed"]
    chance = Chance(seed)
    assert [drawn.card for drawn in open_pack(contents, chance)] == vector["cards"]
    assert chance.position == vector["used"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["pack"])
def test_vectors_by_the_script_that_shares_no_code(vector: dict[str, Any]) -> None:
    contents, server_seed = of_vector(vector).to_json(), bytes.fromhex(vector["server_seed"])
    assert verify.digest_of(contents) == vector["digest"]
    assert verify.pack_commitment(vector["pack"], contents, server_seed) == vector["commitment"]
    stream = verify.Stream(bytes.fromhex(vector["seed"]))
    assert verify.drawn_pack(contents, stream)[0] == vector["cards"]
    assert stream.used == vector["used"]


@pytest.mark.parametrize("contents", OWNED, ids=by_name)
def test_contents_survive_storage_even_where_keys_lose_their_order(contents: Contents) -> None:
    stored = json.loads(json.dumps(contents.to_json(), sort_keys=True))
    again = contents_from_json(stored)
    assert again == contents
    assert again.digest == contents.digest
    seed = named_seed("stored")
    assert open_pack(again, Chance(seed)) == open_pack(contents, Chance(seed))


@pytest.mark.parametrize("contents", OWNED, ids=by_name)
def test_a_pack_has_its_size_and_keeps_its_word(contents: Contents) -> None:
    for number in range(50):
        drawn = open_pack(contents, Chance(named_seed(f"size {number}")))
        assert len(drawn) == contents.size
        assert [drawn_card.slot for drawn_card in drawn] == list(range(contents.size))
        if contents.random:
            for drawn_card in drawn:
                assert drawn_card.sheet in dict(contents.slots[drawn_card.slot].sheets)
                assert drawn_card.card in dict(contents.sheets[drawn_card.sheet])
        if contents.unique:
            assert len({drawn_card.card for drawn_card in drawn}) == contents.size


def test_a_fixed_pack_holds_its_cards_whatever_the_seed() -> None:
    contents = product_contents(OTHER_GAME, OTHER_STARTER)
    chance = Chance(bytes(32))
    counts = Counter(drawn_card.card for drawn_card in open_pack(contents, chance))
    assert counts == OTHER.products[OTHER_STARTER].cards
    assert chance.position == 0


def test_the_order_of_a_sheet_is_part_of_the_promise() -> None:
    contents = product_contents(GAME, PACK)
    turned = replace(
        contents, sheets={slug: cards[::-1] for slug, cards in contents.sheets.items()}
    )
    assert turned.digest != contents.digest
    assert packs.pack_commitment("a", turned, bytes(32)) != packs.pack_commitment(
        "a", contents, bytes(32)
    )


# -- nothing that could not be opened --------------------------------------------------------------

SMALL = Contents(
    game="none",
    product="small",
    unique=True,
    slots=(Slot("one", (("x", 1), ("y", 2))), Slot("two", (("x", 1),)), Slot("three", (("z", 5),))),
    sheets={"x": (("a", 3), ("b", 1)), "y": (("b", 4), ("c", 1)), "z": (("a", 1), ("d", 9))},
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slots": []}, "either slots or cards"),
        ({"cards": [["a", 1]]}, "either slots or cards"),
        ({"form": 2}, "form 2"),
        ({"sheets": {}}, "no cards on the sheet “x”"),
        ({"sheets": {"x": [["a", 0]], "y": [["a", 1]], "z": [["a", 1]]}}, "no whole number"),
        ({"sheets": {"x": [["a", 1.5]], "y": [["a", 1]], "z": [["a", 1]]}}, "no whole number"),
        ({"sheets": {"x": [["a", True]], "y": [["a", 1]], "z": [["a", 1]]}}, "no whole number"),
        ({"sheets": {"x": [["a", 1], ["a", 1]], "y": [], "z": []}}, "something twice"),
        ({"sheets": {s: [["a", 1], ["b", 1]] for s in "xyz"}}, "“three” of small could stay empty"),
        ({"slots": [{"name": "one", "sheets": []}]}, "“one” of small could stay empty"),
        ({"slots": [], "cards": [["a", 101]]}, "more than 100"),
        ({"slots": None}, "no contents of a pack"),
        ({"sheets": {"x": "word"}}, "no contents of a pack"),
    ],
)
def test_contents_that_make_no_pack(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadData, match=words):
        contents_from_json(SMALL.to_json() | change)


def test_a_slot_needs_no_more_cards_than_the_slots_that_could_take_them() -> None:
    """Three slots before it draw from other sheets, so one card is enough for the last."""
    three, single = [["a", 1], ["b", 1], ["c", 1]], [["d", 1]]
    slots = [{"name": f"common {n}", "sheets": [["x", 1]]} for n in range(3)]
    data = SMALL.to_json() | {
        "unique": True,
        "slots": [*slots, {"name": "rare", "sheets": [["y", 1]]}],
        "sheets": {"x": three, "y": single},
    }
    drawn = open_pack(contents_from_json(data), Chance(bytes(32)))
    assert sorted(card for _, _, card in drawn) == ["a", "b", "c", "d"]
    with pytest.raises(BadData, match="“rare” of small could stay empty"):
        contents_from_json(data | {"sheets": {"x": [*three, ["d", 1]], "y": single}})


def test_a_box_promises_what_its_packs_promise() -> None:
    products = {
        "small": Product("small", "Small", cards={"a": 1}),
        "other": Product("other", "Other", cards={"b": 2}),
        "box": Product("box", "Box", packs={"small": 2}, choice=("small", "other")),
    }
    box = contents_of("none", products["box"], products)
    assert (box.box, box.random, box.size) == (True, False, 0)
    assert contents_from_json(json.loads(json.dumps(box.to_json()))) == box
    assert [inner.product for inner in box.inside("other")] == ["other", "small", "small"]
    assert open_pack(box, Chance(bytes(32))) == ()
    for choice in ("", "box", "none"):
        with pytest.raises(BadData, match="Choose one of small, other"):
            box.inside(choice)
    more = products | {"small": Product("small", "Small", cards={"a": 2})}
    assert contents_of("none", products["box"], more).digest != box.digest
    plain = contents_of("none", products["small"])
    assert not plain.box and plain.inside("whatever") == []
    assert not {"packs", "choice"} & set(plain.to_json()), "packs keep the fingerprints they had"


def test_what_no_box_can_hold() -> None:
    small = Product("small", "Small", cards={"a": 1})
    box = Product("box", "Box", cards={"a": 1}, packs={"small": 6})
    for outer, products in (
        (box, {}),
        (Product("crate", "Crate", packs={"box": 1}), {"box": box, "small": small}),
        (Product("kit", "Kit", choice=("kit",)), {"kit": Product("kit", "Kit", choice=("kit",))}),
    ):
        with pytest.raises(BadData, match="which is no pack that a box can hold"):
            contents_of("none", outer, products)
    stored = contents_of("none", box, {"small": small}).to_json()
    inner = stored["packs"][0][0]
    for change, words in (
        ({"packs": [[stored, 1]]}, "holds a box"),
        ({"choice": [inner, inner]}, "names something twice"),
        ({"packs": [[inner, 1], [inner, 2]]}, "names something twice"),
        ({"packs": [[inner | {"game": "other"}, 1]]}, "of another game"),
        ({"packs": [[inner, 0]]}, "does not hold 1 to 36 packs"),
        ({"packs": [[inner, True]]}, "does not hold 1 to 36 packs"),
        ({"packs": [[inner, 37]]}, "does not hold 1 to 36 packs"),
        ({"packs": [inner]}, "no contents of a pack"),
    ):
        with pytest.raises(BadData, match=words):
            contents_from_json(stored | change)


# -- how it came about ----------------------------------------------------------------------------


@pytest.mark.parametrize("contents", [*RANDOM, SMALL], ids=by_name)
def test_every_number_is_explained(contents: Contents) -> None:
    repeated = thrown_away = 0
    for number in range(200):
        seed = named_seed(f"explain {number}")
        chance = Chance(seed)
        drawn = open_pack(contents, chance)
        steps = packs.explain(contents, seed)
        assert tuple(step.attempt.drawn for step in steps if step.attempt.kept) == drawn
        position = 0
        again = False
        for step in steps:
            slot, sheet, card = step.attempt.drawn
            chosen = (
                (step.sheet, contents.slots[slot].sheets, sheet),
                (step.card, contents.sheets[sheet], card),
            )
            for pick, pairs, thing in chosen:
                if pick is None:
                    assert len(pairs) == 1 or (again and contents.redraw == "sheet")
                    continue
                assert pick.start == position
                position += pick.size * len(pick.values)
                assert all(value >= pick.fair for value in pick.values[:-1])
                assert pick.values[-1] < pick.fair and pick.values[-1] % pick.n == pick.result
                thrown_away += len(pick.values) - 1
                before = sum(w for _, w in pairs[: [name for name, _ in pairs].index(thing)])
                assert before <= pick.result < before + dict(pairs)[thing]
            again = not step.attempt.kept
            repeated += again
        assert position == chance.position
    sizes = [sum(w for _, w in pairs) for pairs in contents.sheets.values()]
    sizes += [sum(w for _, w in slot.sheets) for slot in contents.slots]
    even = all(size & (size - 1) == 0 for size in sizes)  # then every number drawn will do
    few = len(contents.slots) == 1  # nothing to repeat, and hardly a number to throw away
    assert few or (repeated and bool(thrown_away) != even), "both were among what was explained"


# -- odds -----------------------------------------------------------------------------------------


def draws_by_hand(contents: Contents, slot: Slot) -> list[tuple[Fraction, dict[str, Fraction]]]:
    """The slot's sheets with their shares and cards; as one where all of it is drawn again."""
    total = sum(weight for _, weight in slot.sheets)
    sheets = []
    for sheet, share in slot.sheets:
        cards = dict(contents.sheets[sheet])
        odds = {card: Fraction(weight, sum(cards.values())) for card, weight in cards.items()}
        sheets.append((Fraction(share, total), odds))
    if contents.redraw == "sheet":
        return sheets
    whole: dict[str, Fraction] = {}
    for share, odds in sheets:
        for card, chance in odds.items():
            whole[card] = whole.get(card, Fraction(0)) + share * chance
    return [(Fraction(1), whole)]


def by_hand(contents: Contents) -> list[dict[str, Fraction]]:
    """The odds of what finally lies in each slot, by going through every possible pack."""
    odds: list[dict[str, Fraction]] = [{} for _ in contents.slots]
    for draws in product(*(draws_by_hand(contents, slot) for slot in contents.slots)):
        for cards in product(*(sheet for _, sheet in draws)):
            if len(set(cards)) < len(cards):
                continue
            likely = Fraction(1)
            for place, (card, (share, sheet)) in enumerate(zip(cards, draws, strict=True)):
                taken = sum((sheet.get(early, Fraction(0)) for early in cards[:place]), Fraction(0))
                likely *= share * sheet[card] / (1 - taken)
            for place, card in enumerate(cards):
                odds[place][card] = odds[place].get(card, Fraction(0)) + likely
    return odds


@pytest.mark.parametrize("redraw", packs.REDRAWS)
def test_settled_odds_are_those_of_all_packs_counted_one_by_one(redraw: str) -> None:
    """Slots that share cards by way of others, in one order and in the other."""
    sheets = {**SMALL.sheets, "x": (*SMALL.sheets["x"], ("e", 2))}
    for slots in (SMALL.slots, SMALL.slots[::-1]):
        contents = replace(SMALL, slots=slots, sheets=sheets, redraw=redraw)
        assert [dict(slot.settled) for slot in packs.slot_odds(contents)] == by_hand(contents)
        lies = [slot.get("a", Fraction(0)) for slot in by_hand(contents)]
        assert packs.card_odds(contents)["a"].expected == sum(lies)


def test_a_card_drawn_again_stays_on_its_sheet_unless_the_slot_is_drawn_again() -> None:
    """Half of the packs have "d" in the last slot, whatever lies in the first."""
    sheets = {"x": (("a", 1), ("b", 1)), "y": (("d", 1),)}
    slots = (Slot("first", (("x", 1),)), Slot("wild", (("x", 1), ("y", 1))))
    kept = Contents("none", "wild", slots, sheets, unique=True)
    assert packs.slot_odds(kept)[1].settled["d"] == Fraction(1, 2)
    whole = replace(kept, redraw="slot")
    assert packs.slot_odds(whole)[1].settled["d"] == Fraction(2, 3)
    for contents in (kept, whole):
        steps = [packs.explain(contents, named_seed(f"wild {number}")) for number in range(50)]
        again = [pack[-1] for pack in steps if len(pack) > 2]
        assert again and all((step.sheet is None) == (contents.redraw == "sheet") for step in again)
    with pytest.raises(BadData, match="redraws a sheet or a slot, not 'pack'"):
        contents_from_json(kept.to_json() | {"redraw": "pack"})


def test_a_sheet_that_earlier_slots_may_use_up_is_refused() -> None:
    """The slot as a whole has a card left; the sheet that was drawn may not."""
    sheets = {"x": (("a", 1),), "y": (("b", 1), ("c", 1))}
    slots = (Slot("first", (("x", 1),)), Slot("wild", (("x", 1), ("y", 1))))
    contents = Contents("none", "wild", slots, sheets, unique=True, redraw="slot")
    assert contents_from_json(contents.to_json()) == contents
    with pytest.raises(BadData, match="“wild” of wild could stay empty"):
        contents_from_json(contents.to_json() | {"redraw": "sheet"})


@pytest.mark.parametrize("contents", OWNED, ids=by_name)
def test_odds_add_up(contents: Contents) -> None:
    for slot in packs.slot_odds(contents):
        for odds in (slot.sheets, slot.cards, slot.settled):
            assert sum(odds.values()) == 1
    cards = packs.card_odds(contents)
    assert sum(share.drawn for share in cards.values()) == contents.size
    assert sum(share.expected for share in cards.values()) == contents.size
    assert all(share.at_least_one <= min(1, share.expected) for share in cards.values())
    if contents.unique:
        assert all(share.at_least_one == share.expected < 1 for share in cards.values())


def test_odds_of_a_pack_in_which_cards_may_come_twice() -> None:
    twice = Contents("none", "twice", (Slot("a", (("x", 1),)),) * 2, {"x": (("a", 1), ("b", 3))})
    odds = packs.card_odds(twice)["a"]
    assert (odds.drawn, odds.expected) == (Fraction(1, 2), Fraction(1, 2))
    assert odds.at_least_one == Fraction(7, 16)


# -- 100,000 packs ---------------------------------------------------------------------------------

MANY = 100_000


@lru_cache(maxsize=len(RANDOM))
def counted(contents: Contents) -> list[Counter[str]]:
    """The cards of each slot of so many packs, each with a seed of its own."""
    counts: list[Counter[str]] = [Counter() for _ in range(contents.size)]
    for number in range(MANY):
        for slot, _, card in open_pack(contents, Chance(named_seed(f"pack {number}"))):
            counts[slot][card] += 1
    return counts


def too_far(counts: Counter[str], odds: Mapping[str, Fraction]) -> bool:
    """True if chi-square says that these cards were not drawn with these odds.

    The limit is the quantile that one fair slot in 100,000 passes (Wilson and Hilferty).
    """
    assert set(counts) <= set(odds)
    statistic = 0.0
    for card, chance in odds.items():
        expected = float(chance) * counts.total()
        assert expected >= 5, "few of a card would make the limit a wrong one"
        statistic += (counts[card] - expected) ** 2 / expected
    freedom = len(odds) - 1
    spread = 2 / (9 * freedom)
    quantile = NormalDist().inv_cdf(1 - 1e-5)
    return statistic > freedom * (1 - spread + quantile * spread**0.5) ** 3


def disagreeing(counts: Iterable[Counter[str]], contents: Contents) -> list[int]:
    slots = zip(counts, packs.slot_odds(contents), strict=True)
    return [place for place, (cards, slot) in enumerate(slots) if too_far(cards, slot.settled)]


@pytest.mark.slow
@pytest.mark.parametrize("contents", RANDOM, ids=by_name)
def test_100_000_packs_agree_with_the_published_odds(contents: Contents) -> None:
    assert disagreeing(counted(contents), contents) == []


@pytest.mark.slow
@pytest.mark.parametrize("contents", RANDOM, ids=by_name)
def test_a_changed_weight_does_not_go_unnoticed(contents: Contents) -> None:
    """The negative control: half as much again for one card of a sheet is seen in its slots."""
    for sheet, cards in contents.sheets.items():
        heaviest = max(cards, key=lambda pair: pair[1])
        changed = tuple((card, w * (3 if card == heaviest[0] else 2)) for card, w in cards)
        other = replace(contents, sheets={**contents.sheets, sheet: changed})
        fed = [n for n, slot in enumerate(contents.slots) if sheet in dict(slot.sheets)]
        assert set(fed) <= set(disagreeing(counted(contents), other)), sheet


@pytest.mark.parametrize("contents", RANDOM, ids=by_name)
def test_odds_of_a_single_drawing_are_not_those_of_the_pack(contents: Contents) -> None:
    """Repeated drawings do shift what lies in the later slots, so both are published; only where
    what shares cards draws evenly from the same ones, all cards stay alike."""
    slots = packs.slot_odds(contents)
    shifted = [place for place, slot in enumerate(slots) if slot.cards != slot.settled]
    drawn = [odds for slot in contents.slots for _, odds in draws_by_hand(contents, slot)]
    alike = all(
        first.keys().isdisjoint(other) or (first == other and len(set(first.values())) == 1)
        for first, other in combinations(drawn, 2)
    )
    assert bool(shifted) != alike and 0 not in shifted
