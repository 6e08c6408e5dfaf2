"""Matches for operators: everything that is public, nothing that a player may not know.

Seeds, snapshots and the cards in events stay out: an operator may well sit at a table.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

import rules
from accounts.admin.moderation import ReportAdmin
from accounts.queries.people import of_username
from core.admin import GrowingAdmin
from matches.models import Match, Report, Seat


class SeatInline(admin.TabularInline[Seat, Match]):
    model = Seat
    fields = readonly_fields = ("number", "kind", "user", "bot", "deadline_at", "rank")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class GameFilter(admin.SimpleListFilter):
    title = parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(game.slug, game.name) for game in rules.games().values()]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.value() is None else queryset.filter(game=self.value())


@admin.register(Match)
class MatchAdmin(GrowingAdmin):
    list_display = ("slug", "game", "mode", "status", "time_control", "plies", "host", "created_at")
    list_filter = ("status", GameFilter, "time_control")
    list_select_related = ("host",)
    search_fields = ("slug", "seats__user__username")
    search_help_text = "A full match ID or a full username."
    inlines = (SeatInline,)
    fields = readonly_fields = (
        "slug",
        "game",
        "mode",
        "rules_version",
        "options",
        "time_control",
        "private",
        "listed",
        "host",
        "status",
        "plies",
        "commitment",
        "outcome",
        "created_at",
        "started_at",
        "moved_at",
        "deadline_at",
        "finished_at",
    )

    @admin.display(description="ply")
    def plies(self, match: Match) -> int:
        """As spectators count: how far a seat has come that answers unseen is not shown."""
        return match.visible_ply(None)

    def get_queryset(self, request: HttpRequest) -> Any:
        return (
            super()
            .get_queryset(request)
            .defer("state", "opening_events", "server_seed", "bot_secret")
        )

    def search_keys(self, term: str) -> Any:
        seats = Seat.objects.filter(user__in=of_username(term)).order_by()
        match = Match.objects.filter(slug=term).order_by()
        keys = seats.values_list("match", flat=True).union(match.values("pk"))
        return keys.order_by("-match")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Report)
class ChatReportAdmin(ReportAdmin):
    """Reports of lines in chats, and of how seats behave."""

    list_select_related = ("about", "line", "reporter", "decided_by")
    search_fields = (*ReportAdmin.search_fields, "match__slug")

    def where(self, report: Report) -> SafeString | str:
        """A link to the table."""
        if report.match is None:
            return "gone"
        address, slug = report.match.get_absolute_url(), report.match.slug
        return format_html('<a href="{}">{}</a>', address, slug)
