"""Addresses of notifications, of their channels, and of what an installed site asks for."""

from __future__ import annotations

from django.urls import include, path

from notices.views import channels, notices

own_pages = [
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
    path("you/notices/", notices.notices, name="list"),
    path("you/notices/<int:pk>/", notices.notice, name="notice"),
    path("you/notices/seen/", notices.seen, name="seen"),
    path("you/notices/settings/", notices.change_settings, name="settings"),
    path("you/notices/bell/", notices.bell, name="bell"),
    path("notices/stop/<str:token>/", notices.unsubscribe, name="unsubscribe"),
]

urlpatterns = [
    path("sw.js", channels.service_worker, name="service-worker"),
    path("offline/", channels.offline, name="offline"),
    path("manifest.webmanifest", channels.manifest, name="manifest"),
    path("icons/<slug:name>.png", channels.app_icon, name="app-icon"),
    path("", include((own_pages, "notices"))),
]
