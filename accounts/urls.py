"""Addresses of the start page and of people's own pages."""

from __future__ import annotations

from allauth.account import views as allauth_views
from django.urls import include, path

from accounts import views

own_pages = [
    path("you/", views.profile, name="profile"),
    path("you/token/", views.tokens, name="tokens"),
    path("you/token/new/", views.issue_token, name="issue-token"),
    path("you/token/revoke/", views.revoke_token, name="revoke-token"),
    path("friends/", views.friends, name="friends"),
    path("friends/accept/", views.accept_friend, name="accept-friend"),
    path("friends/end/", views.end_friendship, name="end-friendship"),
    path("theme/", views.theme, name="theme"),
    path("style/", views.style, name="style"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("games.css", views.game_hues, name="game-hues"),
    path("", include((own_pages, "accounts"))),
    # Before allauth's own: the first two let guests in, the others keep them out.
    path("account/login/", views.LoginView.as_view(), name="account_login"),
    path("account/signup/", views.SignupView.as_view(), name="account_signup"),
    path("account/email/", views.members_only(allauth_views.email), name="account_email"),
    path(
        "account/password/change/",
        views.members_only(allauth_views.password_change),
        name="account_change_password",
    ),
    path(
        "account/password/set/",
        views.members_only(allauth_views.password_set),
        name="account_set_password",
    ),
    path("account/", include("allauth.account.urls")),
]
