"""Notifications, how each person wants them, and the channels that carry them."""

from notices.models.channels import (
    LONGEST_ADDRESS,
    AddressUse,
    HookShape,
    PushBrowser,
    SecretAddress,
    WebHook,
)
from notices.models.notices import (
    DEFAULT_MINUTES,
    MAX_MINUTES,
    Notice,
    NoticeChannel,
    NoticeSettings,
    Pace,
    SentNotice,
)

__all__ = [
    "DEFAULT_MINUTES",
    "LONGEST_ADDRESS",
    "MAX_MINUTES",
    "AddressUse",
    "HookShape",
    "Notice",
    "NoticeChannel",
    "NoticeSettings",
    "Pace",
    "PushBrowser",
    "SecretAddress",
    "SentNotice",
    "WebHook",
]
