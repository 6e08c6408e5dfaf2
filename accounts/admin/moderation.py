"""The moderators' queue: what was reported, what stood around it, and what is done about it."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Case, QuerySet, When
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.models.moderation import ReportState, WrittenReport
from accounts.services.moderation import decide

OPEN_FIRST = Case(When(state=ReportState.OPEN, then=0), default=1)


class DecisionForm(forms.ModelForm[WrittenReport]):
    """A moderator's decision about a report."""

    hide = forms.BooleanField(
        label="Hide the message",
        required=False,
        help_text="Hidden where it was posted; moderators still see it here.",
    )
    mute_days = forms.TypedChoiceField(
        label="Mute the author",
        coerce=int,
        required=False,
        choices=[(0, "no"), *((days, f"for {days} days") for days in (1, 3, 7, 30, 90))],
        help_text="They can still play and read, and they see when it ends.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        subject = self.instance.subject
        self.fields["hide"].initial = subject is not None and subject.hidden_at is not None

    def clean(self) -> dict[str, Any]:
        """Whoever does something about a report has acted upon it."""
        data = super().clean() or {}
        if (data.get("hide") or data.get("mute_days")) and data.get("state") != "acted":
            raise forms.ValidationError(
                "Choose “Acted upon” to hide the message or mute its author."
            )
        return data


class ReportAdmin(admin.ModelAdmin[Any]):
    """A queue of reports; what it adds says where they come from (``where``)."""

    form = DecisionForm
    list_display = ("id", "at", "state", "about", "what", "why", "reporter", "decided_by")
    list_filter = ("state",)
    search_fields: ClassVar[Any] = ("about__username", "about__display_name", "why")
    date_hierarchy = "at"
    readonly_fields = (
        "where", "about", "reporter", "why", "at", "around", "earlier", "decided_by", "decided_at",
    )  # fmt: skip
    fieldsets = (
        ("Reported", {"fields": ("about", "why", "where", "around", "reporter", "at", "earlier")}),
        ("Decision", {"fields": ("state", "note", "hide", "mute_days")}),
        ("Decided", {"fields": ("decided_by", "decided_at")}),
    )

    @admin.display(description="reported")
    def what(self, report: WrittenReport) -> str:
        """The beginning of what was reported."""
        return "behaviour at the table" if report.subject is None else str(report.subject.text)[:80]

    @admin.display(description="where")
    def where(self, report: Any) -> SafeString | str:
        """A link to the place."""
        raise NotImplementedError

    @admin.display(description="context")
    def around(self, report: WrittenReport) -> SafeString:
        """The lines before and after, as they were when this one was reported."""
        subject = report.subject
        rows = (
            (
                "▸ " if subject is not None and line["line"] == subject.pk else "",
                line["name"],
                line["username"] or "",
                line["at"][:16].replace("T", " "),
                line["text"],
            )
            for line in report.context
        )
        lines = format_html_join("", "<li>{}<b>{}</b> ({}, {}): {}</li>", rows)
        return (
            format_html("<ul>{}</ul>", lines) if lines else format_html("No message was reported.")
        )

    @admin.display(description="earlier reports")
    def earlier(self, report: WrittenReport) -> str:
        """How many there were, and how many were acted upon."""
        others = self.model._default_manager.filter(about=report.about).exclude(pk=report.pk)
        return f"{others.count()}, {others.filter(state=ReportState.ACTED).count()} acted upon"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The open ones first."""
        return super().get_queryset(request).order_by(OPEN_FIRST, "-pk")

    def save_model(self, request: HttpRequest, obj: WrittenReport, form: Any, change: bool) -> None:
        """Do what was decided."""
        assert isinstance(request.user, User)
        decided = form.cleaned_data
        decide(
            report=obj,
            by=request.user,
            state=decided["state"],
            note=decided["note"],
            hide=decided["hide"],
            mute_days=decided["mute_days"] or 0,
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
