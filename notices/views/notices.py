"""Pages of notices: the list with its settings, the bell, and the way out of the mails."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from notices import queries
from notices.channels import mail
from notices.forms.preferences import NoticeSettingsForm
from notices.services import preferences
from notices.views.channels import ways_context

ON_A_PAGE = 30


@login_required
@never_cache
@require_GET
def notices(request: HttpRequest) -> HttpResponse:
    """Notifications and their settings."""
    return _page(request, _form(request))


def _form(request: HttpRequest) -> NoticeSettingsForm:
    user = cast(User, request.user)
    data = request.POST if request.method == "POST" else None
    prefs, ways = queries.settings_of(user), queries.ways_of(user)
    initial = {"time_zone": user.time_zone}
    return NoticeSettingsForm(data, prefs=prefs, ways=ways, initial=initial)


def _page(request: HttpRequest, form: NoticeSettingsForm, status: int = 200) -> HttpResponse:
    user = cast(User, request.user)
    page = Paginator(queries.notices_of(user), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form, "mail": queries.mail_state(user)}
    context |= ways_context(request)
    return render(request, "notices/list.html", context, status=status)


@login_required
@require_POST
def change_settings(request: HttpRequest) -> HttpResponse:
    """Keep how somebody wants to be told."""
    form = _form(request)
    if not form.is_valid():
        return _page(request, form, status=400)
    preferences.change_settings(
        person=cast(User, request.user),
        pause=form.cleaned_data["pause"],
        time_zone=form.cleaned_data["time_zone"],
        channels=form.channel_changes(),
    )
    messages.success(request, "Saved.")
    return redirect("notices:list")


@login_required
@never_cache
@require_GET
def notice(request: HttpRequest, pk: int) -> HttpResponse:
    """On to where a notice leads; it has been seen then."""
    user = cast(User, request.user)
    row = get_object_or_404(user.notices, pk=pk)
    preferences.mark_seen(person=user, ids=[pk])
    return redirect(row.link)


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Mark all notifications as seen."""
    preferences.mark_seen(person=cast(User, request.user))
    return redirect("notices:list")


@login_required
@never_cache
@require_GET
def bell(request: HttpRequest) -> HttpResponse:
    """The header's bell anew; ``at`` is the page that it hangs over."""
    request.bell_hangs_over = request.GET.get("at", "")[:300]  # type: ignore[attr-defined]
    return render(request, "components/bell.html")


# A mail program that was asked to unsubscribe has neither a session nor a form of ours (RFC 8058).
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The way out of the mails, without logging in: a page with a button, and what it does."""
    person = mail.person_of_token(token)
    if person is None:
        raise Http404("This link is not complete. Copy the whole of it from the mail.")
    if request.method == "POST":
        preferences.unsubscribe(person=person, channel=mail.Mail.slug)
    context = {"person": person, "done": request.method == "POST"}
    return render(request, "notices/unsubscribe.html", context)
