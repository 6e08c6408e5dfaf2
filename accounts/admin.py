"""People for operators."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from accounts.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):
    """The stock user pages plus what Riffle adds to a person."""

    list_display = ("username", "display_name", "email", "is_guest", "is_active", "date_joined")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "display_name", "email")
    raw_id_fields = ("merged_into",)
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (
            "Riffle",
            {"fields": ("display_name", "is_guest", "theme", "merged_into")},
        ),
    )
