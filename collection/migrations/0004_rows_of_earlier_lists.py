"""Condition, language and shine that earlier lists said of a card become rows of its copies."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import Q

from collection.copies import CONDITIONS, LANGUAGES, Described

_A_BATCH = 500
_SAID = ("condition", "language", "foil")
_LANGUAGES = {"zh": "zhs"}


def describe(apps: Any, editor: Any) -> None:
    """All copies of such a card are described alike: more was never kept of them."""
    holdings = apps.get_model("collection", "Holding").objects.using(editor.connection.alias)
    said = Q()
    for name in _SAID:
        said |= Q(extra__has_key=name)
    last = 0
    while batch := list(
        holdings.filter(said, pk__gt=last, described=0)
        .exclude(dealt=0, recorded=0)
        .order_by("pk")[:_A_BATCH]
    ):
        last = batch[-1].pk
        _describe(apps, editor, batch)


def _describe(apps: Any, editor: Any, batch: list[Any]) -> None:
    model = apps.get_model("collection", "DescribedCopies")
    rows = []
    for held in batch:
        words = {name: str(held.extra.pop(name, "")) for name in _SAID}
        language = _LANGUAGES.get(words["language"], words["language"])
        one = Described(
            quantity=held.dealt + held.recorded,
            condition=words["condition"] if words["condition"] in CONDITIONS else "",
            language=language if language in LANGUAGES else "",
            finish="etched"
            if words["foil"].lower() == "etched"
            else "foil"
            if words["foil"]
            else "",
            spare=held.spare,
        )
        if one.key:
            held.described = one.quantity
            rows.append(
                model(
                    holding=held,
                    key=one.key,
                    quantity=one.quantity,
                    spare=one.spare,
                    condition=one.condition,
                    language=one.language,
                    finish=one.finish,
                )
            )
    alias = editor.connection.alias
    model.objects.using(alias).bulk_create(rows)
    apps.get_model("collection", "Holding").objects.using(alias).bulk_update(
        batch, ["extra", "described"]
    )


def back(apps: Any, editor: Any) -> None:
    """What is said of a card's first row is the card's again; of the others nothing."""
    rows = apps.get_model("collection", "DescribedCopies").objects.using(editor.connection.alias)
    holdings = apps.get_model("collection", "Holding").objects.using(editor.connection.alias)
    for row in rows.select_related("holding").order_by("holding", "pk").iterator():
        held = row.holding
        said = {"condition": row.condition, "language": row.language, "foil": row.finish}
        held.extra = {name: word for name, word in said.items() if word} | row.extra | held.extra
        holdings.filter(pk=held.pk).update(extra=held.extra, described=0)
    rows.all().delete()


class Migration(migrations.Migration):
    dependencies = [("collection", "0003_copies_described")]
    operations = [migrations.RunPython(describe, back)]
