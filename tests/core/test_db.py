"""Compiled queries: their SQL is written once, and nothing that was read is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AccessToken, User
from core.db import CompiledQuery, filled_up, insert, update
from core.models import IdempotencyKey

pytestmark = pytest.mark.django_db


def test_each_call_reads_what_is_there_now(member: User) -> None:
    by_name = CompiledQuery(lambda name: User.objects.filter(username=name))
    assert by_name.rows(member.username) == [member]
    User.objects.filter(pk=member.pk).update(display_name="Somebody else")
    (row,) = by_name.rows(member.username)
    assert row.display_name == "Somebody else"
    assert by_name.rows("nobody") == []
    assert by_name.rows("' OR 1=1 --") == by_name.rows("100 %s") == []


def test_columns_left_out_are_not_read_and_annotations_are(member: User) -> None:
    by_name = CompiledQuery(
        lambda name: User.objects.filter(username=name).defer("password").annotate(alias=F("email"))
    )
    with CaptureQueriesContext(connection) as captured:
        (row,) = by_name.rows(member.username)
    assert "password" in row.get_deferred_fields()
    assert '"password"' not in captured[0]["sql"]
    assert getattr(row, "alias") == member.email  # noqa: B009
    assert row.password == member.password


def test_other_values_stay_the_same(member: User, guest: User) -> None:
    members_of_theme = CompiledQuery(lambda theme: User.objects.filter(is_guest=False, theme=theme))
    assert members_of_theme.rows("auto") == [member]
    assert members_of_theme.rows("dark") == []
    User.objects.update(theme="dark", is_guest=False)
    assert len(members_of_theme.rows("dark")) == 2


def test_several_values_stand_in_several_places(member: User, guest: User) -> None:
    others = CompiledQuery(
        lambda name, pk: User.objects.filter(username=name).exclude(pk=pk).annotate(same=F("pk"))
    )
    either = CompiledQuery(lambda name: User.objects.filter(Q(username=name) | Q(email=name)))
    assert others.rows(member.username, guest.pk) == [member]
    assert others.rows(member.username, member.pk) == []
    assert others.rows(guest.username, member.pk) == [guest]
    assert either.rows(member.username) == either.rows(member.email) == [member]


def test_a_slice_begins_and_ends_where_it_is_asked_to(member: User, guest: User) -> None:
    compiled_query = CompiledQuery(
        lambda theme, first, most: User.objects.filter(theme=theme).order_by("pk")[
            first : first + most
        ]
    )
    everybody = list(User.objects.filter(theme="auto").order_by("pk"))
    assert compiled_query.rows("auto", 0, 2**31 - 1) == everybody
    assert len(everybody) > 1
    assert compiled_query.rows("auto", 1, 1) == everybody[1:2]
    assert compiled_query.rows("auto", 1, 5) == everybody[1:]
    assert (
        compiled_query.rows("auto", 0, 0)
        == compiled_query.rows("auto", 9, 1)
        == compiled_query.rows("dark", 0, 9)
        == []
    )


@pytest.mark.parametrize(
    "query",
    [
        lambda pk: AccessToken.objects.all(),
        lambda pk: AccessToken.objects.filter(user=pk + 1),
    ],
)
def test_a_query_that_does_not_say_its_value_is_refused(query: Any) -> None:
    with pytest.raises(TypeError, match="unchanged"):
        CompiledQuery(query).rows(1)


def test_a_row_is_added_as_django_would(member: User) -> None:
    insert(AccessToken(user=member, name="One", prefix="p", digest="1", scopes=["read"]))
    AccessToken(user=member, name="Two", prefix="p", digest="2", scopes=["read"]).save()
    result, two = AccessToken.objects.order_by("digest").values(
        "user", "prefix", "scopes", "last_used_at", "expires_at"
    )
    assert result == two
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(AccessToken(user=member, name="One", prefix="p", digest="3"))


def test_rows_are_changed_where_all_that_finds_them_fits(member: User) -> None:
    for key in ("a", "b"):
        insert(IdempotencyKey(user=member, key=key, digest="d"))
    result, other = IdempotencyKey.objects.order_by("key")
    at = result.at.replace(year=2001)
    assert update(IdempotencyKey, [({"id": result.pk, "key": "b"}, {"result": "x"})]) == 0
    changes: list[Any] = [({"id": row.pk}, {"result": "y", "at": at}) for row in (result, other)]
    with CaptureQueriesContext(connection) as captured:
        assert update(IdempotencyKey, changes) == 2
    assert len(captured) == 1
    assert list(IdempotencyKey.objects.values_list("result", "at")) == [("y", at)] * 2


def test_somebody_is_read_by_their_key_as_django_would(member: User, guest: User) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert User.objects.get(pk=member.pk) == User.objects.get(pk=str(member.pk)) == member
        assert User.objects.filter(pk=member.pk).get() == member
    of_manager, of_text, of_django = (query["sql"] for query in captured)
    assert of_manager == of_text == of_django.removesuffix(" LIMIT 21")
    with pytest.raises(User.DoesNotExist):
        User.objects.get(pk=member.pk + 1000)
    with pytest.raises(ValueError, match="expected a number"):
        User.objects.get(pk="somebody")
    assert User.objects.get(username=guest.username) == guest
    assert User.objects.get(pk=member.pk, username=member.username) == member


def test_somebody_is_found_among_those_of_a_relation_alone(member: User, guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(merged_into=member, is_active=False)
    assert member.former_guests.get(pk=guest.pk) == guest
    with pytest.raises(User.DoesNotExist):
        guest.former_guests.get(pk=member.pk)


def test_values_come_as_django_gives_them(member: User, guest: User) -> None:
    def found(*keys: int) -> Any:
        rows = User.objects.filter(pk__in=keys).order_by("pk")
        return rows.values_list("is_guest", "pk", "last_login", "username")

    compiled_query = CompiledQuery(found, many=3)
    User.objects.filter(pk=member.pk).update(last_login=timezone.now())
    both = [member.pk, guest.pk]
    assert compiled_query.rows(*filled_up(both, 3)) == list(found(*both))
    assert compiled_query.rows(*filled_up(both[:1], 3)) == list(found(member.pk))
    for number in (0, 4):
        with pytest.raises(ValueError, match="1 to 3 keys"):
            filled_up(range(number), 3)


def test_django_still_has_what_a_compiled_query_leans_on() -> None:
    """If this fails after an update of Django, read ``CompiledQuery._statement`` again."""
    query = User.objects.defer("password").annotate(alias=F("email")).query
    compiler = query.get_compiler("default")
    sql, _ = compiler.as_sql()
    assert '"password"' not in sql
    columns = [column for column, *_ in compiler.select]
    selected = [columns[place].target.attname for place in compiler.klass_info["select_fields"]]
    fields = [field.attname for field in User._meta.concrete_fields]
    assert selected == [name for name in fields if name != "password"]
    assert compiler.klass_info["model"] is User and not query.values_select
    assert compiler.annotation_col_map == {"alias": len(selected)}
    for converters, expression in compiler.get_converters(columns).values():
        assert callable(converters[0]) and expression in columns
