"""Pages of this app: start page, entrances, profile, security, API tokens, friends, style page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.account.utils import has_verified_email
from allauth.mfa.base.views import AuthenticateView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts import blocks, games, queries, services, styleguide
from accounts.errors import AlreadyMember, Refusal
from accounts.forms import (
    BlockForm,
    FriendForm,
    ProfileForm,
    PublicForm,
    SignupForm,
    TableSettingsForm,
    ThemeForm,
    TokenForm,
)
from accounts.models import BlockKind, User
from accounts.own_data import download
from accounts.themes import remember_theme

_NEW_TOKEN = "accounts_new_token"  # noqa: S105 (a session's key, no password)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page: what this is, one click to a table, and the games on the shelf."""
    packs = games.packs()
    context = {
        "games": games.introductions(),
        "how_many": games.how_many(),
        "first": games.first_to_play(),
        "packs": packs,
        "packs_hue": packs[len(packs) // 2][0] if packs else "",
    }
    return render(request, "home.html", context)


@require_safe
def game_hues(request: HttpRequest) -> HttpResponse:
    """The colours of all games; a change of them changes the address, too."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(games.hues(), content_type="text/css; charset=utf-8", headers=headers)


@require_GET
def style(request: HttpRequest) -> HttpResponse:
    """The living style page; only a site under development has it."""
    if not settings.DEBUG:
        raise Http404
    return render(request, "style.html", styleguide.context())


class GuestsMayEnter:
    """Sign-up and login are for guests too; only members are sent on."""

    request: HttpRequest

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and queries.current_guest(request) is None:
            return redirect(_next_address(request, reverse(settings.LOGIN_REDIRECT_URL)))
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return response


class LoginView(GuestsMayEnter, allauth_views.LoginView):
    """Log in; a guest's tables and cards move to the account."""


class SecondFactorView(AuthenticateView):
    """The code after the password. Guests, who are logged in already, get as far as others do."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        guest = queries.current_guest(request)
        if guest is None:
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
            return response
        # allauth sends on whoever is logged in; the adapter finds the guest again.
        request.guest_who_logs_in = guest  # type: ignore[attr-defined]
        request.user = AnonymousUser()
        response = super().dispatch(request, *args, **kwargs)
        if request.user.is_anonymous:
            request.user = guest
        return response


class SignupView(GuestsMayEnter, allauth_views.SignupView):
    """Become a member; a guest keeps everything."""

    def get_initial(self) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_initial()
        guest = queries.current_guest(self.request)
        if guest is not None:
            initial["display_name"] = guest.display_name
        return initial

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return cast(HttpResponse, super().form_valid(form))
        except AlreadyMember as refusal:
            messages.info(self.request, refusal.detail)
            return redirect("home")
        except IntegrityError:
            # Two people (or one, twice) chose the same name in the same moment.
            form.add_error("username", "Somebody already has this username. Choose another one.")
            return cast(HttpResponse, self.form_invalid(form))


def members_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Pages about passwords and addresses: a guest gets both by signing up."""

    # Nobody's form waits in a session until its sender has proved to be somebody.
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if queries.current_guest(request) is not None:
            messages.info(request, "Sign up first: that gives you a password and an address.")
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return guarded


def set_password(request: HttpRequest) -> HttpResponseBase:
    """A password for a member without one, after the code where there is a second factor."""
    if request.method == "POST" and not did_recently_reauthenticate(request):
        # A form waits in the session while its sender is asked; a password must not.
        return redirect("account_set_password")
    response: HttpResponseBase = reauthentication_required(allauth_views.password_set)(request)
    return response


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Name at the table, and theme."""
    user = cast(User, request.user)
    # The form works on a copy: a refused name must not show in the header.
    form = ProfileForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        services.save_profile(user=user, **form.cleaned_data)
        messages.success(request, "Saved.")
        response = redirect("accounts:profile")
        remember_theme(response, user.theme, secure=request.is_secure())
        return response
    return _profile_page(request, form=form)


def _profile_page(
    request: HttpRequest, *, form: ProfileForm | None = None, public: PublicForm | None = None
) -> HttpResponse:
    user = cast(User, request.user)
    context = {
        "form": form or ProfileForm(instance=user),
        "public": public or PublicForm(instance=user),
    }
    return render(request, "accounts/profile.html", context)


@login_required
@require_POST
def save_what_is_public(request: HttpRequest) -> HttpResponse:
    """What others see on one's page, and whether a program plays for the account."""
    user = cast(User, request.user)
    form = PublicForm(request.POST, instance=User.objects.get(pk=user.pk))
    if not form.is_valid():
        return _profile_page(request, public=form)
    services.save_what_is_public(user=user, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("accounts:profile")


@login_required
@never_cache
@require_GET
def security(request: HttpRequest) -> HttpResponse:
    """Password, second factor, where one is logged in, and what else opens the account."""
    user = cast(User, request.user)
    services.note_session(request)
    context = {
        "places": queries.places(request, user),
        "second_factor": queries.second_factor(user),
        "token_count": queries.working_tokens(user).count(),
        "has_confirmed_address": has_verified_email(user),
        "second_factor_needed": settings.STAFF_SECOND_FACTOR and user.is_staff,
    }
    return render(request, "accounts/security.html", context)


@login_required
@require_POST
def end_session(request: HttpRequest) -> HttpResponse:
    """Log out in one other place."""
    ended = services.end_session(user=cast(User, request.user), pk=_number(request, "session"))
    messages.success(request, "Logged out there." if ended else "That was logged out already.")
    return redirect("accounts:security")


@login_required
@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Log out everywhere, or everywhere else. A guest, who has no password, stays in here."""
    user = cast(User, request.user)
    if request.POST.get("here") and not user.is_guest:
        services.end_all_sessions(user=user)
        logout(request)
        messages.success(request, "You are logged out everywhere.")
        return redirect("home")
    services.end_all_sessions(user=user, but_of=request)
    messages.success(request, "You are logged out everywhere else.")
    return redirect("accounts:security")


@login_required
@never_cache
@require_GET
def own_data(request: HttpRequest) -> HttpResponse:
    """Downloading all that is one's own, and deleting the account."""
    return render(request, "accounts/data.html")


@login_required
@never_cache
@require_GET
@reauthentication_required
def download_own_data(request: HttpRequest) -> HttpResponseBase:
    """A ZIP file of all that is one's own, written while it is sent."""
    return download(request, cast(User, request.user))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete one's account."""
    user = cast(User, request.user)
    refusal = ""
    if request.method == "POST":
        if request.POST.get("sure") == "on":
            services.close_account(user=user)
            logout(request)
            messages.success(request, "Your account is deleted.")
            return redirect("home")
        refusal = "Tick the box if you are sure. Nothing has been deleted."
    status = 422 if refusal else 200
    return render(request, "accounts/delete.html", {"refusal": refusal}, status=status)


def _tokens_page(request: HttpRequest, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "tokens": list(queries.tokens(cast(User, request.user))),
        "new_key": request.session.pop(_NEW_TOKEN, ""),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@never_cache
@require_GET
def tokens(request: HttpRequest) -> HttpResponse:
    """The API tokens, a form for another one, and a new one's key a single time."""
    return _tokens_page(request, TokenForm(user=cast(User, request.user)))


@login_required
@never_cache
@require_POST
@reauthentication_required
def issue_token(request: HttpRequest) -> HttpResponse:
    """Make a token; the next page shows it once."""
    user = cast(User, request.user)
    form = TokenForm(request.POST, user=user)
    if not form.is_valid():
        return _tokens_page(request, form)
    wish = form.cleaned_data
    try:
        key = services.issue_token(
            user=user, name=wish["name"], scopes=wish["scopes"], expires_at=form.expires_at()
        )
    except Refusal as refusal:
        form.add_error("name", refusal.detail)
        return _tokens_page(request, form, status=refusal.status)
    request.session[_NEW_TOKEN] = key
    return redirect("accounts:tokens")


@login_required
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    """End a token."""
    token = services.revoke_token(user=cast(User, request.user), pk=_number(request, "token"))
    if token is not None:
        messages.success(request, f"“{token.name}” no longer works.")
    else:
        messages.info(request, "That token had ended already.")
    return redirect("accounts:tokens")


@login_required
@require_http_methods(["GET", "POST"])
def friends(request: HttpRequest) -> HttpResponse:
    """Friends, who asks to be one, and a form to ask somebody."""
    user = cast(User, request.user)
    form = FriendForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            row = services.ask_friend(asker=user, username=form.cleaned_data["username"])
        except Refusal as refusal:
            form.add_error("username", refusal.detail)
            status = refusal.status
        else:
            other = row.asked if row.asker_id == user.pk else row.asker
            said = f"You and {other} are friends." if row.accepted_at else f"{other} is asked."
            messages.success(request, said)
            return redirect("accounts:friends")
    context = {"form": form, "circle": queries.friends_of(user)}
    return render(request, "accounts/friends.html", context, status=status)


@login_required
@require_POST
def accept_friend(request: HttpRequest) -> HttpResponse:
    """Say yes to somebody who asked."""
    username = request.POST.get("username", "")
    services.accept_friend(user=cast(User, request.user), username=username)
    messages.success(request, f"You and {queries.person(username)} are friends.")
    return redirect("accounts:friends")


@login_required
@require_POST
def end_friendship(request: HttpRequest) -> HttpResponse:
    """End a friendship, decline one, or take a question back."""
    username = request.POST.get("username", "")
    services.end_friendship(user=cast(User, request.user), username=username)
    messages.info(request, f"{queries.person(username)} is no longer on your list.")
    return redirect("accounts:friends")


@login_required
@never_cache
@require_GET
def block_list(request: HttpRequest) -> HttpResponse:
    """Whom one has blocked, and a form to block somebody."""
    return _blocks_page(request, BlockForm(initial={"username": request.GET.get("username", "")}))


def _blocks_page(request: HttpRequest, form: BlockForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "blocks": blocks.blocks_of(cast(User, request.user)),
        "kinds": dict(BlockKind.choices),
    }
    return render(request, "accounts/blocks.html", context, status=status)


@login_required
@require_POST
def block(request: HttpRequest) -> HttpResponse:
    """Block somebody, or change of what kind the block is."""
    form = BlockForm(request.POST)
    if not form.is_valid():
        return _blocks_page(request, form, status=422)
    try:
        row = blocks.block(
            user=cast(User, request.user),
            username=form.cleaned_data["username"],
            kind=form.cleaned_data["kind"],
        )
    except Refusal as refusal:
        form.add_error("username", refusal.detail)
        return _blocks_page(request, form, status=refusal.status)
    messages.success(request, f"{row.other} is blocked, and is not told.")
    return redirect(_next_address(request, reverse("accounts:blocks")))


@login_required
@require_POST
def end_block(request: HttpRequest) -> HttpResponse:
    """End a block."""
    username = request.POST.get("username", "")
    ended = blocks.end_block(user=cast(User, request.user), username=username)
    messages.info(request, "The block is ended." if ended else "That block had ended already.")
    return redirect("accounts:blocks")


@login_required
@require_POST
def table_settings(request: HttpRequest) -> HttpResponse:
    """Keep with the person how tables show what happens. Their script sends it."""
    form = TableSettingsForm(request.POST)
    if not form.is_valid():
        words = "Choose slow, normal, fast or once."
        return HttpResponse(words, status=400, content_type="text/plain")
    services.save_table_settings(
        user=cast(User, request.user),
        shown_pace=form.cleaned_data["pace"],
        has_sound=form.cleaned_data["sound"],
    )
    return HttpResponse(status=204)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme on this device and, for a person who is known, with the person."""
    form = ThemeForm(request.POST)
    if not form.is_valid():
        return HttpResponse("Choose auto, light or dark.", status=400, content_type="text/plain")
    chosen = form.cleaned_data["theme"]
    if request.user.is_authenticated:
        services.save_theme(user=request.user, theme=chosen)
    if request.headers.get("X-Requested-With") == "fetch":
        response: HttpResponse = HttpResponse(status=204)
    else:
        response = redirect(_next_address(request, reverse("home")))
    remember_theme(response, chosen, secure=request.is_secure())
    return response


def _number(request: HttpRequest, name: str) -> int:
    """A row's key out of a form; none has the key 0."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _next_address(request: HttpRequest, otherwise: str) -> str:
    """Where the visitor wanted to go, if that is a page of this site."""
    wish = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wish, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wish if safe else otherwise
