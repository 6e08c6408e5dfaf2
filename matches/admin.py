"""Matches for operators: everything that is public, nothing that a player may not know.

Seeds, snapshots and the cards in events stay out: an operator may well sit at a table.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Case, QuerySet, When
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from matches.models import Match, Report, ReportState, Seat
from matches.services import moderation

OPEN_FIRST = Case(When(state=ReportState.OPEN, then=0), default=1)


class SeatInline(admin.TabularInline[Seat, Match]):
    model = Seat
    fields = readonly_fields = ("number", "kind", "user", "bot", "deadline_at", "place")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin[Match]):
    list_display = ("slug", "game", "mode", "status", "pace", "plies", "host", "created_at")
    list_filter = ("status", "game", "mode", "pace")
    list_select_related = ("host",)
    search_fields = ("slug", "seats__user__username")
    date_hierarchy = "created_at"
    inlines = (SeatInline,)
    fields = readonly_fields = (
        "slug",
        "game",
        "mode",
        "rules_version",
        "options",
        "pace",
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
        return super().get_queryset(request).defer("state", "opening", "server_seed", "bot_secret")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DecisionForm(forms.ModelForm[Report]):
    """What a moderator does about a report."""

    hide_line = forms.BooleanField(
        required=False, help_text="Nobody reads it at the table any more; it stays here."
    )
    mute_days = forms.TypedChoiceField(
        label="Mute its writer",
        coerce=int,
        required=False,
        choices=[(0, "no"), *((days, f"for {days} days") for days in (1, 3, 7, 30, 90))],
        help_text="They can go on playing and reading, and are told until when.",
    )

    class Meta:
        model = Report
        fields = ("state", "note")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        line = self.instance.line
        self.fields["hide_line"].initial = line is not None and line.hidden_at is not None

    def clean(self) -> dict[str, Any]:
        """Whoever does something about a report has acted upon it."""
        data = super().clean() or {}
        if (data.get("hide_line") or data.get("mute_days")) and data.get("state") != "acted":
            raise forms.ValidationError("Say “Acted upon”, where something is done.")
        return data


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin[Report]):
    """The moderators' queue: what was reported, what stood around it, and what is done about it."""

    form = DecisionForm
    list_display = ("id", "at", "state", "about", "what", "why", "reporter", "decided_by")
    list_filter = ("state",)
    list_select_related = ("about", "line", "reporter", "decided_by")
    search_fields = ("about__username", "about__display_name", "match__slug", "why")
    date_hierarchy = "at"
    readonly_fields = (
        "table",
        "about",
        "reporter",
        "why",
        "at",
        "lines",
        "earlier",
        "decided_by",
        "decided_at",
    )
    fieldsets = (
        ("Reported", {"fields": ("about", "why", "table", "lines", "reporter", "at", "earlier")}),
        ("Decision", {"fields": ("state", "note", "hide_line", "mute_days")}),
        ("Decided", {"fields": ("decided_by", "decided_at")}),
    )

    @admin.display(description="line")
    def what(self, report: Report) -> str:
        """The beginning of the line that was reported."""
        return "how they behave" if report.line is None else report.line.text[:80]

    @admin.display(description="table")
    def table(self, report: Report) -> SafeString | str:
        """A link to the table."""
        if report.match is None:
            return "gone"
        address, slug = report.match.get_absolute_url(), report.match.slug
        return format_html('<a href="{}">{}</a>', address, slug)

    @admin.display(description="lines around it")
    def lines(self, report: Report) -> SafeString:
        """What was said before and after, as it was when it was reported."""
        rows = (
            (
                "▸ " if one["line"] == report.line_id else "",
                one["name"],
                one["username"] or "",
                one["at"][:16].replace("T", " "),
                one["text"],
            )
            for one in report.context
        )
        found = format_html_join("", "<li>{}<b>{}</b> ({}, {}): {}</li>", rows)
        return format_html("<ul>{}</ul>", found) if found else format_html("No line was named.")

    @admin.display(description="earlier reports about them")
    def earlier(self, report: Report) -> str:
        """How many there were, and how many were acted upon."""
        others = Report.objects.filter(about=report.about).exclude(pk=report.pk)
        return f"{others.count()}, {others.filter(state=ReportState.ACTED).count()} acted upon"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """The open ones first."""
        return super().get_queryset(request).order_by(OPEN_FIRST, "-pk")

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:
        """Do what was decided."""
        assert isinstance(request.user, User)
        decided = form.cleaned_data
        moderation.decide(
            report=obj,
            by=request.user,
            state=decided["state"],
            note=decided["note"],
            hide_line=decided["hide_line"],
            mute_days=decided["mute_days"] or 0,
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
