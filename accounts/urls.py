"""Addresses of people's own pages, of sign-up and log-in."""

from __future__ import annotations

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as authenticator_app
from django.urls import include, path
from django.views.generic import RedirectView

from accounts.views.blocks import block, block_list, end_block
from accounts.views.data_export import delete_account, download_own_data, own_data
from accounts.views.entrance import (
    LoginView,
    SecondFactorView,
    SignupView,
    members_only,
    set_password,
)
from accounts.views.friends import accept_friend, end_friendship, friends
from accounts.views.profile import profile, save_what_is_public, table_settings, theme
from accounts.views.security import end_session, end_sessions, security
from accounts.views.tokens import issue_token, revoke_token, tokens

own_pages = [
    path("you/", profile, name="profile"),
    path("you/public/", save_what_is_public, name="save-public"),
    path("you/data/", own_data, name="data"),
    path("you/data/download/", download_own_data, name="download-data"),
    path("you/data/delete/", delete_account, name="delete-account"),
    path("you/security/", security, name="security"),
    path("you/security/log-out/", end_session, name="end-session"),
    path("you/security/log-out-everywhere/", end_sessions, name="end-sessions"),
    path("you/token/", tokens, name="tokens"),
    path("you/token/new/", issue_token, name="issue-token"),
    path("you/token/revoke/", revoke_token, name="revoke-token"),
    path("you/blocks/", block_list, name="blocks"),
    path("you/blocks/new/", block, name="block"),
    path("you/blocks/end/", end_block, name="end-block"),
    path("friends/", friends, name="friends"),
    path("friends/accept/", accept_friend, name="accept-friend"),
    path("friends/end/", end_friendship, name="end-friendship"),
    path("theme/", theme, name="theme"),
    path("you/table/", table_settings, name="table-settings"),
]

urlpatterns = [
    path("", include((own_pages, "accounts"))),
    # Before allauth's own: the first two let guests in, the others keep them out.
    path("account/login/", LoginView.as_view(), name="account_login"),
    path("account/signup/", SignupView.as_view(), name="account_signup"),
    path(
        "account/email/",
        members_only(reauthentication_required(allow_get=True)(allauth_views.email)),
        name="account_email",
    ),
    path(
        "account/password/change/",
        members_only(allauth_views.password_change),
        name="account_change_password",
    ),
    path(
        "account/password/set/",
        members_only(set_password),
        name="account_set_password",
    ),
    path("account/", include("allauth.account.urls")),
    # allauth's second factor, but for security keys, and not for guests.
    path("account/2fa/", RedirectView.as_view(pattern_name="accounts:security"), name="mfa_index"),
    path("account/2fa/code/", SecondFactorView.as_view(), name="mfa_authenticate"),
    path(
        "account/2fa/again/",
        members_only(second_factor.reauthenticate),
        name="mfa_reauthenticate",
    ),
    path(
        "account/2fa/start/",
        members_only(authenticator_app.activate_totp),
        name="mfa_activate_totp",
    ),
    path(
        "account/2fa/end/",
        members_only(authenticator_app.deactivate_totp),
        name="mfa_deactivate_totp",
    ),
    path(
        "account/2fa/recovery-codes/",
        members_only(recovery_codes.view_recovery_codes),
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/2fa/recovery-codes/new/",
        members_only(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/2fa/recovery-codes/file/",
        members_only(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
