"""Pages of comments on decks: writing, removal, reports."""

from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.models.moderation import WHY_LENGTH
from core.errors import NotLoggedIn, Refusal
from core.idempotency import once_per_page
from decks.queries import comments as queries
from decks.queries import decks
from decks.services import comments as services
from decks.views.decks import deck_page


class ReportForm(forms.Form):
    """Why the moderators are to look."""

    why = forms.CharField(
        label="What is wrong?",
        max_length=WHY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Moderators see this, the nearby comments and your name.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.label_suffix = ""


@require_POST
def comment(request: HttpRequest, slug: str) -> HttpResponse:
    """Say something to a deck; what is refused stands in the form still."""
    deck = decks.access_deck(request.user, slug)
    user = request.user
    if not isinstance(user, User):
        raise NotLoggedIn("Log in to comment.")
    text = request.POST.get("text", "")

    def make() -> str:
        return str(services.comment(deck=deck, user=user, text=text).pk)

    try:
        once_per_page(request, user, make)
    except Refusal as refusal:
        return deck_page(request, deck, refusal=refusal)
    return redirect(f"{deck.get_absolute_url()}#comments")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a comment away."""
    deck = decks.access_deck(request.user, slug)
    services.remove(deck=deck, user=cast(User, request.user), pk=number)
    messages.info(request, "Comment removed.")
    return redirect(f"{deck.get_absolute_url()}#comments")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask the moderators to look at a comment."""
    user = cast(User, request.user)
    deck = decks.access_deck(user, slug)
    row = queries.readable(deck, user, number)
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            services.report(deck=deck, user=user, pk=number, why=form.cleaned_data["why"])
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            messages.success(request, "Thank you. The moderators will review it.")
            return redirect(f"{deck.get_absolute_url()}#comments")
    elif form.errors:
        status = 422
    context = {"deck": deck, "comment": row, "form": form}
    return render(request, "decks/comment_report.html", context, status=status)
