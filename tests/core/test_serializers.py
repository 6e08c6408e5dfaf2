"""Dataclasses over the API: what is told of them, and what is read into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from django.db import models
from django.http import QueryDict
from django.test import RequestFactory
from rest_framework.serializers import ValidationError

from core.errors import UnknownMember
from core.operations import read as read_query
from core.operations import read_body
from core.serializers import (
    INTERNAL,
    Address,
    Doc,
    describe,
    from_row,
    request_serializer,
    response_serializer,
)


class Paint(models.TextChoices):
    RED = "red", "Red"
    BLUE = "blue", "Blue"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel."""

    spokes: Annotated[int, Doc("How many.", min_value=1)]
    name: Annotated[str, Doc(max_length=5)] = ""


@dataclass(frozen=True, slots=True)
class Cart:
    """A cart."""

    wheels: list[Wheel]
    owner: Annotated[str, INTERNAL]
    page: Annotated[str, Doc(field=Address)]
    paint: Paint = Paint.RED

    @property
    @Doc("Of all wheels.")
    def spokes(self) -> int:
        return sum(wheel.spokes for wheel in self.wheels)

    @property
    def secret(self) -> str:
        return "never told"


@dataclass(frozen=True, slots=True)
class Order:
    """An order."""

    wheels: Annotated[list[Wheel], Doc(allow_empty=False)]
    words: list[Annotated[str, Doc(max_length=3)]] = field(default_factory=list)
    signs: list[Annotated[str, Doc(choices=["a", "b"])]] = field(default_factory=list)
    paint: Paint | None = None
    note: str | None = None
    until: Annotated[str | None, Doc(allow_null=True)] = None
    count: int = 1

    def check(self) -> None:
        if self.note == "no":
            raise ValidationError("Never say no.")


@dataclass(frozen=True, slots=True)
class OfTheRules:
    """Words for those who write rules."""

    name: str
    inner: Any

    @property
    def loud(self) -> str:
        return self.name.upper()


def read(**sent: Any) -> Order:
    result = request_serializer(Order)(data=sent)
    result.is_valid(raise_exception=True)
    order: Order = result.validated_data
    return order


def errors(**sent: Any) -> Any:
    result = request_serializer(Order)(data=sent)
    assert not result.is_valid()
    return result.errors


def test_an_answer_has_all_members_and_no_more() -> None:
    request = RequestFactory().get("/")
    cart = Cart([Wheel(8), Wheel(6, "left")], "Ann", "/carts/1/")
    assert response_serializer(Cart)(cart, context={"request": request}).data == {
        "wheels": [{"spokes": 8, "name": ""}, {"spokes": 6, "name": "left"}],
        "page": "http://testserver/carts/1/",
        "paint": "red",
        "spokes": 14,
    }


def test_what_is_left_out_has_its_default() -> None:
    assert read(wheels=[{"spokes": 3}]) == Order([Wheel(3)])


def test_what_is_read_has_the_types_that_it_says() -> None:
    order = read(wheels=[{"spokes": "3"}], paint="blue", words=["ab"], count="2")
    assert (order.paint, order.words, order.count) == (Paint.BLUE, ["ab"], 2)
    assert isinstance(order.paint, Paint)


@pytest.mark.parametrize("name", ["note", "paint", "count", "words"])
def test_null_is_not_the_same_as_nothing(name: str) -> None:
    assert errors(wheels=[{"spokes": 3}], **{name: None}) == {name: ["This field may not be null."]}


def test_null_is_taken_where_it_is_said() -> None:
    assert read(wheels=[{"spokes": 3}], until=None).until is None


def test_errors_name_the_row() -> None:
    errors_result = errors(
        wheels=[{"spokes": 3}, {"spokes": 0, "name": "too long"}], words=["abcd"]
    )
    assert set(errors_result["wheels"]) == {1}
    assert set(errors_result["wheels"][1]) == {"spokes", "name"}
    assert errors_result["words"] == {0: ["Ensure this field has no more than 3 characters."]}


def test_nothing_of_a_list_that_needs_something() -> None:
    assert errors(wheels=[]) == {"wheels": {"non_field_errors": ["This list may not be empty."]}}


def test_members_that_do_not_go_together() -> None:
    assert errors(wheels=[{"spokes": 3}], note="no") == {"non_field_errors": ["Never say no."]}


def test_one_reading_leaves_nothing_to_the_next() -> None:
    """What is said of members inside others is said each time anew."""
    for _ in range(2):
        assert errors(wheels=[{"spokes": 3}], signs=["a", "c"]) == {
            "signs": {1: ['"c" is not a valid choice.']}
        }


def test_a_dataclass_that_knows_nothing_of_the_api() -> None:
    describe(OfTheRules, "A thing.", "loud", name=Doc("What it is called."))
    shape = response_serializer(OfTheRules)
    assert shape(OfTheRules("ann", object())).data == {"loud": "ANN", "name": "ann"}
    assert shape.__doc__ == "A thing."
    assert shape().fields["name"].help_text == "What it is called."


def test_the_rest_comes_from_the_row() -> None:
    assert from_row(Wheel, Order([], count=3), spokes=2, name="x") == Wheel(2, "x")
    assert from_row(Wheel, Wheel(5, "left"), name="right") == Wheel(5, "right")


@pytest.mark.parametrize(
    ("sent", "named", "known"),
    [
        ({"colour": "red"}, ["colour"], "wheels, words, signs, paint, note, until, count"),
        ({"wheels": [{"spokes": 3}, {"tyre": 1, "rim": 2}]}, ["wheels.1.tyre", "wheels.1.rim"],
         "spokes, name"),
        ({"wheels": 3, "x" * 500: 1}, ["x" * 80], "wheels, "),
        ({f"m{n}": n for n in range(50)}, [f"m{n}" for n in range(10)], "wheels, "),
    ],
)  # fmt: skip
def test_unknown_members_are_refused_by_name(
    sent: dict[str, Any], named: list[str], known: str
) -> None:
    with pytest.raises(UnknownMember) as refusal:
        read_body(request_serializer(Order), {"wheels": [{"spokes": 3}], **sent})
    assert list(refusal.value.extra["errors"]) == named
    assert f"“{named[0]}”" in refusal.value.detail and known in refusal.value.detail


def test_a_query_may_have_what_others_read() -> None:
    """Pages and filters take theirs from it, too."""
    query = QueryDict("spokes=3&page=2")
    assert read_query(request_serializer(Wheel), query) == Wheel(3)
