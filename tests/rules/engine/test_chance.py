"""The stream is the one of docs/fairness.md, and its choices are even.

``chance_vectors.json`` was made by ``docs/verify.py``, a second implementation.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from rules.engine.chance import BLOCK_BYTES, Chance, commitment, mix, named_seed

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "chance_vectors.json").read_text(encoding="utf-8")
)


def of(vector: dict[str, Any]) -> Chance:
    return Chance(bytes.fromhex(vector["seed"]))


def second_implementation() -> Any:
    script = Path(__file__).resolve().parents[3] / "docs" / "verify.py"
    spec = importlib.util.spec_from_file_location("riffle_verify", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify = second_implementation()


@pytest.mark.parametrize("vector", VECTORS["streams"])
def test_stream_vectors(vector: dict[str, Any]) -> None:
    chance, other = of(vector), verify.Stream(bytes.fromhex(vector["seed"]))
    expected = bytes.fromhex(vector["bytes"])
    assert bytes(chance.byte() for _ in expected) == expected
    assert bytes(other.byte() for _ in expected) == expected
    assert chance.position == len(expected)


def test_the_first_block_is_what_the_document_says() -> None:
    seed = bytes(range(32))
    block = hashlib.sha256(seed + b"\0\0\0\0\0\0\0\0").digest()
    second = hashlib.sha256(seed + b"\0\0\0\0\0\0\0\1").digest()
    chance = Chance(seed)
    assert bytes(chance.byte() for _ in range(2 * BLOCK_BYTES)) == block + second


@pytest.mark.parametrize("vector", VECTORS["picks"])
def test_pick_vectors(vector: dict[str, Any]) -> None:
    chance, other = of(vector), verify.Stream(bytes.fromhex(vector["seed"]))
    assert [chance.pick(vector["n"]) for _ in vector["results"]] == vector["results"]
    assert [other.pick(vector["n"]) for _ in vector["results"]] == vector["results"]
    assert chance.position == other.used == vector["used"]


@pytest.mark.parametrize("vector", VECTORS["dice"])
def test_dice_vectors(vector: dict[str, Any]) -> None:
    chance, other = of(vector), verify.Stream(bytes.fromhex(vector["seed"]))
    assert [chance.die() for _ in vector["results"]] == vector["results"]
    assert [other.die() for _ in vector["results"]] == vector["results"]
    assert chance.position == other.used == vector["used"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffle_vectors(vector: dict[str, Any]) -> None:
    chance, other = of(vector), verify.Stream(bytes.fromhex(vector["seed"]))
    cards = list(range(vector["length"]))
    chance.shuffle(cards)
    assert cards == other.shuffled(range(vector["length"])) == vector["result"]
    assert chance.position == other.used == vector["used"]


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitment_vectors(vector: dict[str, Any]) -> None:
    server_seed = bytes.fromhex(vector["server_seed"])
    assert commitment(server_seed) == verify.commitment_of(server_seed) == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["seeds"])
def test_match_seed_vectors(vector: dict[str, Any]) -> None:
    server_seed = bytes.fromhex(vector["server_seed"])
    client_seeds = [(seat, text) for seat, text in vector["client_seeds"]]
    for order in (client_seeds, client_seeds[::-1]):
        assert mix(server_seed, order).hex() == vector["seed"]
        assert verify.match_seed(server_seed, order).hex() == vector["seed"]


def test_rejected_bytes_are_thrown_away() -> None:
    """Section 3, step 4: with n = 6 the values 252 to 255 are not used."""
    rejected = 0
    for number in range(40):
        seed = named_seed(f"reject {number}")
        stream = Chance(seed)
        values = [stream.byte() for _ in range(64)]
        kept = [value for value in values if value < 252]
        rejected += len(values) - len(kept)
        chance = Chance(seed)
        assert [chance.pick(6) for _ in kept] == [value % 6 for value in kept]
    assert rejected


def test_two_byte_picks_are_big_endian() -> None:
    seed = named_seed("two bytes")
    stream, chance = Chance(seed), Chance(seed)
    pairs = [(stream.byte(), stream.byte()) for _ in range(20)]
    expected = [(a * 256 + b) % 1000 for a, b in pairs if a * 256 + b < 65_000]
    assert [chance.pick(1000) for _ in expected] == expected


def test_a_pick_of_one_draws_nothing_and_of_none_is_refused() -> None:
    chance = Chance(bytes(32))
    assert chance.pick(1) == 0
    assert chance.position == 0
    for n in (0, -1):
        with pytest.raises(ValueError, match="nothing to pick"):
            chance.pick(n)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Chance(bytes(length))


def test_a_clone_goes_on_alone_from_the_same_place() -> None:
    chance = Chance(named_seed("clone"))
    for _ in range(37):
        chance.byte()
    twin = chance.clone()
    assert twin == chance
    ahead = [twin.byte() for _ in range(40)]
    assert twin != chance
    assert [chance.byte() for _ in range(40)] == ahead


def test_a_stream_can_be_taken_up_at_any_position() -> None:
    seed = named_seed("position")
    whole = Chance(seed)
    values = [whole.byte() for _ in range(100)]
    for position in (0, 1, 31, 32, 33, 64, 99):
        assert Chance(seed, position).byte() == values[position]


def test_streams_of_different_seeds_differ() -> None:
    firsts = {tuple(_bytes(named_seed(str(n)), 8)) for n in range(500)}
    assert len(firsts) == 500


def _bytes(seed: bytes, count: int) -> list[int]:
    chance = Chance(seed)
    return [chance.byte() for _ in range(count)]


# -- evenness: chi-square with fixed seeds ---------------------------------------------------------


def chi_square(counts: Counter[Any], outcomes: Iterable[Any]) -> float:
    """The statistic for equally likely outcomes; its mean is their number less one."""
    places = list(outcomes)
    assert set(counts) <= set(places)
    expected = counts.total() / len(places)
    return sum((counts[place] - expected) ** 2 / expected for place in places)


def limit(outcomes: int) -> float:
    """About the 99.9 % quantile of chi-square (Wilson and Hilferty)."""
    freedom = outcomes - 1
    root = 1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5
    return float(freedom * root**3)


def test_the_quantile_is_about_that_of_the_tables() -> None:
    assert limit(6) == pytest.approx(20.5, abs=0.3)
    assert limit(24) == pytest.approx(49.7, abs=0.3)


def test_the_statistic_finds_a_remainder_taken_without_rejection() -> None:
    chance = Chance(named_seed("loaded"))
    counts = Counter(chance.byte() % 60 for _ in range(10_000))
    assert chi_square(counts, range(60)) > limit(60)


def test_dice_are_even() -> None:
    chance = Chance(named_seed("dice"))
    counts = Counter(chance.die() for _ in range(60_000))
    assert chi_square(counts, range(1, 7)) < limit(6)


def test_two_dice_in_a_row_do_not_know_each_other() -> None:
    chance = Chance(named_seed("pairs"))
    counts = Counter((chance.die(), chance.die()) for _ in range(36_000))
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    assert chi_square(counts, pairs) < limit(36)


@pytest.mark.parametrize("n", [2, 3, 4, 7, 60, 97, 200, 256, 257, 300])
def test_picks_are_even(n: int) -> None:
    chance = Chance(named_seed(f"picks {n}"))
    counts = Counter(chance.pick(n) for _ in range(max(10_000, 40 * n)))
    assert chi_square(counts, range(n)) < limit(n)


def test_every_order_of_a_shuffle_is_as_likely_as_any_other() -> None:
    chance = Chance(named_seed("orders"))
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        cards = [0, 1, 2, 3]
        chance.shuffle(cards)
        counts[tuple(cards)] += 1
    assert chi_square(counts, permutations(range(4))) < limit(24)


def test_every_card_comes_to_every_place_of_a_deck() -> None:
    chance = Chance(named_seed("places"))
    tops: Counter[int] = Counter()
    bottoms: Counter[int] = Counter()
    for _ in range(1_500):
        cards = list(range(60))
        chance.shuffle(cards)
        tops[cards[0]] += 1
        bottoms[cards[-1]] += 1
    assert chi_square(tops, range(60)) < limit(60)
    assert chi_square(bottoms, range(60)) < limit(60)
