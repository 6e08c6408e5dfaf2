"""Tournaments for operators: find one, and take a title or description off the site."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from tournaments.models import Tournament


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin[Tournament]):
    """Its words can be changed; everything else is the organisers', and the seed is nobody's."""

    list_display = ["title", "organiser", "game", "mode", "structure", "state", "starts_at"]
    list_filter = ["state", "structure", "game"]
    list_select_related = ["organiser"]
    search_fields = ["title", "slug", "organiser__username"]
    fields = [
        "title", "about", "listed", "slug", "organiser", "game", "mode", "structure", "state",
        "starts_at", "commitment",
    ]  # fmt: skip
    readonly_fields = [
        "slug", "organiser", "game", "mode", "structure", "state", "starts_at", "commitment",
    ]  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return False
