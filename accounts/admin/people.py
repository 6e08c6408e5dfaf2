"""People for operators."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import AccessToken, User
from core.admin import CappedPaginator


@admin.register(User)
class PersonAdmin(UserAdmin):
    """The stock user pages plus what Riffle adds to a person."""

    list_display = ("username", "display_name", "email", "is_guest", "is_active", "date_joined")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "display_name", "email")
    raw_id_fields = ("merged_into",)
    paginator = CappedPaginator
    show_full_result_count = False
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (
            "Riffle",
            {"fields": ("display_name", "is_guest", "theme", "merged_into")},
        ),
    )


admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin[Authenticator]):
    """Who has one; allauth's own page shows its secret, with which anybody could make codes."""

    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__username",)
    fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(AccessToken)
class AccessTokenAdmin(admin.ModelAdmin[AccessToken]):
    """Tokens that can be looked over and ended, not made: only their person sees a key."""

    list_display = ("user", "name", "prefix", "last_used_at", "expires_at")
    search_fields = ("user__username", "name", "prefix")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
