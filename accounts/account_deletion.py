"""The rows that go with a deleted account, and those that stay.

The row of the person stays, without anything that says who it was: finished matches, trades and the
like need somebody who sat there. Whatever else hangs on a person goes by itself: rows that the
database would delete with the person are deleted, and where it would leave nobody, nobody is left.
An app that has to retain some says so with :func:`retain` when it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import models

from accounts.models import User

NAME = "Deleted user"

_kept: set[str] = set()


def retain(*fields: str) -> None:
    """Have these fields, such as ``matches.Seat.user``, go on naming whoever has left."""
    _kept.update(fields)


def erase(user: User) -> None:
    """Delete or empty all that refers to a person and is not kept."""
    for field in _referring():
        rows = field.model._base_manager.filter(**{field.name: user.pk})
        if isinstance(field, models.ManyToManyField):
            for row in rows:
                getattr(row, field.name).remove(user)
        elif getattr(field.remote_field, "on_delete", None) is models.CASCADE:
            rows.delete()
        else:
            rows.update(**{field.name: None})
    for many in User._meta.many_to_many:
        getattr(user, many.name).clear()


def is_kept_somewhere(user: User) -> bool:
    """True if anything still names the person."""
    models_ = {str(field): field for field in _fields()}
    return any(
        models_[name].model._base_manager.filter(**{models_[name].name: user.pk}).exists()
        for name in _kept
    )


def _fields() -> Iterator[models.Field]:
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ForeignObjectRel):
            yield relation.field


def _referring() -> list[models.Field]:
    return [field for field in _fields() if str(field) not in _kept]
