"""The catalog for operators, to look at (the rules' files are where it is changed), and packs.

Seeds stay out: a member of staff may well own a sealed pack.
"""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from accounts.models import User
from accounts.queries.people import of_username
from collection.errors import Unacceptable
from collection.forms.packs import GrantForm
from collection.models import Card, CardInSet, CardSet, Game, Pack
from collection.services import packs
from core.admin import GrowingAdmin


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


@admin.register(Pack)
class PackAdmin(GrowingAdmin, ReadOnly):
    """Packs as their owners see them; adding one means giving packs to people."""

    list_display = ("slug", "owner", "game", "product", "source", "key", "created_at", "opened_at")
    list_filter = ("source", "game")
    list_select_related = ("owner",)
    search_fields = ("slug", "owner__username")
    search_help_text = "A full pack ID or a full username."
    fields = readonly_fields = (
        "slug", "owner", "game", "product", "source", "key", "granted_by", "note", "commitment",
        "client_seed", "cards", "created_at", "opened_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("server_seed", "contents")

    def search_keys(self, term: str) -> Any:
        person = of_username(term)
        owned = Pack.objects.filter(owner__in=person).order_by()
        named = Pack.objects.filter(slug=term).order_by().values("pk")
        return owned.values_list("pk", flat=True).union(named).order_by("-pk")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Give packs to people, all or nobody, once a key."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = GrantForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                grants = packs.grant(by=cast(User, request.user), **form.asked())
            except Unacceptable as error:
                form.add_error(None, error.detail)
            else:
                created = sum(now for _, now in grants)
                before = len(grants) - created
                messages.success(request, f"{created} packs given, {before} already given.")
                return redirect("admin:collection_pack_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": "Give packs",
            "opts": self.opts,
            "form": form,
        }
        return TemplateResponse(request, "admin/collection/pack/give.html", context)
