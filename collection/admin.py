"""The catalog for operators: to look at. The rules' files are where it is changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from collection.models import Card, CardInSet, CardSet, Game


class ReadOnly(admin.ModelAdmin[Any]):
    """No row is added, changed or deleted by hand: the next synchronisation would undo it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class Printings(admin.TabularInline[CardInSet, Card]):
    model = CardInSet
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Card | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ("name", "slug", "sort_number", "retired")


@admin.register(CardSet)
class CardSetAdmin(ReadOnly):
    list_display = ("name", "game", "number", "retired")
    list_filter = ("game", "retired")
    list_select_related = ("game",)


@admin.register(Card)
class CardAdmin(ReadOnly):
    list_display = ("title", "game", "kind", "colour", "rarity", "retired")
    list_filter = ("game", "kind", "colour", "rarity", "retired")
    list_select_related = ("game",)
    search_fields = ("title", "slug", "text")
    inlines = (Printings,)
