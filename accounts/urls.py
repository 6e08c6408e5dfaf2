"""Addresses of the start page and of people's own pages."""

from __future__ import annotations

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as authenticator_app
from django.urls import include, path
from django.views.generic import RedirectView

from accounts import views
from accounts.channels import views as channels
from accounts.notices import views as notices

own_pages = [
    path("you/", views.profile, name="profile"),
    path("you/public/", views.save_what_is_public, name="save-public"),
    path("you/data/", views.own_data, name="data"),
    path("you/data/download/", views.download_own_data, name="download-data"),
    path("you/data/delete/", views.delete_account, name="delete-account"),
    path("you/security/", views.security, name="security"),
    path("you/security/log-out/", views.end_session, name="end-session"),
    path("you/security/log-out-everywhere/", views.end_sessions, name="end-sessions"),
    path("you/token/", views.tokens, name="tokens"),
    path("you/token/new/", views.issue_token, name="issue-token"),
    path("you/token/revoke/", views.revoke_token, name="revoke-token"),
    path("you/blocks/", views.block_list, name="blocks"),
    path("you/blocks/new/", views.block, name="block"),
    path("you/blocks/end/", views.end_block, name="end-block"),
    path("you/notices/browsers/add/", channels.add_browser, name="add-browser"),
    path("you/notices/browsers/renew/", channels.renew_browser, name="renew-browser"),
    path("you/notices/browsers/remove/", channels.remove_browser, name="remove-browser"),
    path("you/notices/browsers/test/", channels.test_browsers, name="test-browsers"),
    path("you/notices/browsers/state/", channels.browsers_state, name="browsers-state"),
    path("you/notices/hook/", channels.web_hook, name="web-hook"),
    path("you/notices/hook/state/", channels.web_hook_state, name="web-hook-state"),
    path("you/notices/hook/test/", channels.test_web_hook, name="test-web-hook"),
    path("you/notices/hook/remove/", channels.remove_web_hook, name="remove-web-hook"),
    path("you/notices/address/make/", channels.make_address, name="make-address"),
    path("you/notices/address/remove/", channels.remove_address, name="remove-address"),
    path("you/notices/", notices.notices, name="notices"),
    path("you/notices/<int:pk>/", notices.notice, name="notice"),
    path("you/notices/seen/", notices.seen, name="notices-seen"),
    path("you/notices/settings/", notices.change_settings, name="notice-settings"),
    path("you/notices/bell/", notices.bell, name="bell"),
    path("notices/stop/<str:token>/", notices.unsubscribe, name="unsubscribe"),
    path("friends/", views.friends, name="friends"),
    path("friends/accept/", views.accept_friend, name="accept-friend"),
    path("friends/end/", views.end_friendship, name="end-friendship"),
    path("theme/", views.theme, name="theme"),
    path("you/table/", views.table_settings, name="table-settings"),
    path("style/", views.style, name="style"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("games.css", views.game_hues, name="game-hues"),
    path("sw.js", channels.service_worker, name="service-worker"),
    path("offline/", channels.offline, name="offline"),
    path("manifest.webmanifest", channels.manifest, name="manifest"),
    path("icons/<slug:name>.png", channels.app_icon, name="app-icon"),
    path("", include((own_pages, "accounts"))),
    # Before allauth's own: the first two let guests in, the others keep them out.
    path("account/login/", views.LoginView.as_view(), name="account_login"),
    path("account/signup/", views.SignupView.as_view(), name="account_signup"),
    path(
        "account/email/",
        views.members_only(reauthentication_required(allow_get=True)(allauth_views.email)),
        name="account_email",
    ),
    path(
        "account/password/change/",
        views.members_only(allauth_views.password_change),
        name="account_change_password",
    ),
    path(
        "account/password/set/",
        views.members_only(views.set_password),
        name="account_set_password",
    ),
    path("account/", include("allauth.account.urls")),
    # allauth's second factor, but for security keys, and not for guests.
    path("account/2fa/", RedirectView.as_view(pattern_name="accounts:security"), name="mfa_index"),
    path("account/2fa/code/", views.SecondFactorView.as_view(), name="mfa_authenticate"),
    path(
        "account/2fa/again/",
        views.members_only(second_factor.reauthenticate),
        name="mfa_reauthenticate",
    ),
    path(
        "account/2fa/start/",
        views.members_only(authenticator_app.activate_totp),
        name="mfa_activate_totp",
    ),
    path(
        "account/2fa/end/",
        views.members_only(authenticator_app.deactivate_totp),
        name="mfa_deactivate_totp",
    ),
    path(
        "account/2fa/recovery-codes/",
        views.members_only(recovery_codes.view_recovery_codes),
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/2fa/recovery-codes/new/",
        views.members_only(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/2fa/recovery-codes/file/",
        views.members_only(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
