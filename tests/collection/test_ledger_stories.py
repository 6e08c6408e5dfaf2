"""Any sequence of what people do with cards: after each step the ledger explains every copy.

The doings are those of ``tests/faults/test_ledger.py``, where several threads do them at once. Here
one does them after the other, chosen by Hypothesis: what breaks a promise is known by its step.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter

import pytest
from django.db import models, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from collection.models import Card, Holding, Transfer
from collection.queries.ledger import differences
from core.errors import Refusal
from tests.faults.test_ledger import (
    ALL_THAT_HAPPENS,
    PEOPLE,
    SLUGS,
    Story,
    digital_in_all,
    gathering,
    given_by_the_house,
    none_is_negative,
)
from tests.support.catalog import whole_catalog
from tests.support.sizes import sized

# What each doing may change of all people's cards together: digital copies, or physical ones.
MAKES_DIGITAL = ("opening", "deck")
MAKES_PHYSICAL = ("by_hand", "a_list")
MAKES_NEITHER = ("gift", "offer", "answer", "new_count")
#: Packs are opened, lists brought and offers answered more often than other things are done.
DOINGS = (*MAKES_DIGITAL, *MAKES_PHYSICAL, *MAKES_NEITHER, "offer", "answer", "answer", "opening")

happened: Counter[str] = Counter()
"""How often each reason stood in the ledger at the end of a story."""


def physical_in_all() -> Counter[int]:
    rows = Holding.objects.values_list("card").annotate(models.Sum("physical"))
    return Counter({card: count for card, count in rows if count})


class Told(RuleBasedStateMachine):
    """Three people with cards and packs, in a transaction that is taken back at the end."""

    @initialize()
    def begin(self) -> None:
        self.undone = transaction.atomic()
        self.undone.__enter__()
        cards = list(Card.objects.filter(slug__in=SLUGS))
        self.story = Story(0, gathering(), cards)

    @rule(
        doing=st.sampled_from(DOINGS),
        who=st.integers(0, PEOPLE - 1),
        chance=st.randoms(use_true_random=False),
    )
    def do(self, doing: str, who: int, chance: random.Random) -> None:
        digital, physical = digital_in_all(), physical_in_all()
        transfers = Transfer.objects.count()
        self.story.random, self.story.steps = chance, self.story.steps + 1
        refused = True
        with contextlib.suppress(Refusal):
            getattr(self.story, doing)(self.story.people[who])
            refused = False
        if doing not in MAKES_DIGITAL:
            assert digital_in_all() == digital
        if doing not in MAKES_PHYSICAL:
            assert physical_in_all() == physical
        if refused:
            assert Transfer.objects.count() == transfers

    @invariant()
    def every_copy_is_explained(self) -> None:
        assert differences() == []
        assert digital_in_all() == given_by_the_house()
        assert none_is_negative()

    def teardown(self) -> None:
        if hasattr(self, "undone"):
            happened.update(Transfer.objects.values_list("reason", flat=True))
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)


@pytest.mark.slow
def test_any_sequence_keeps_every_card(db: None) -> None:
    whole_catalog()
    happened.clear()
    run_state_machine_as_test(
        Told,
        settings=settings(
            max_examples=sized(8, large=200),
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],  # to look for a shorter story takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert happened.keys() >= ALL_THAT_HAPPENS, "stories in which not everything happens"
