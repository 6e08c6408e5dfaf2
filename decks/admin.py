"""Decks for operators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin.moderation import ReportAdmin
from core.admin import CappedPaginator
from decks.models import CommentReport, Deck, DeckEntry
from decks.services.versions import write_words


class EntryInline(admin.TabularInline[DeckEntry, Deck]):
    """The cards of a deck; what is in it is the owner's business."""

    model = DeckEntry
    extra = 0
    can_delete = False
    readonly_fields = ["section", "card", "count"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[DeckEntry]:
        return super().get_queryset(request).select_related("card")

    def has_add_permission(self, request: HttpRequest, obj: Deck | None = None) -> bool:
        return False


@admin.register(Deck)
class DeckAdmin(admin.ModelAdmin[Deck]):
    """Find a deck, rename it, make it private."""

    list_display = ["name", "owner", "game", "mode", "visibility", "changed"]
    list_filter = ["game", "mode", "visibility"]
    list_select_related = ["owner"]
    search_fields = ["name", "slug", "owner__username"]
    raw_id_fields = ["owner", "copied_from"]
    paginator = CappedPaginator
    show_full_result_count = False
    readonly_fields = ["slug", "typed", "version", "like_count", "created", "changed"]
    inlines = [EntryInline]

    def save_model(self, request: HttpRequest, obj: Deck, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        write_words(Deck.objects.filter(pk=obj.pk))


@admin.register(CommentReport)
class CommentReportAdmin(ReportAdmin):
    """Reports of comments on decks."""

    list_select_related = ("about", "comment", "reporter", "decided_by")
    search_fields = (*ReportAdmin.search_fields, "deck__slug")

    def where(self, report: CommentReport) -> SafeString | str:
        """A link to the deck."""
        if report.deck is None:
            return "gone"
        return format_html('<a href="{}">{}</a>', report.deck.get_absolute_url(), report.deck)
