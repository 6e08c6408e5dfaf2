"""A web hook of one's own in the API: for programs that want to be woken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request

from accounts.models import User
from accounts.views.reauthentication import confirm_session
from core.operations import Answer, tagged
from core.requests import client_address
from core.serializers import Doc
from notices.errors import NoHook
from notices.models.channels import LONGEST_ADDRESS, HookShape
from notices.services import hooks

operation = tagged("notifications")


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """The address to call, and the form of its messages."""

    url: Annotated[str, Doc("It begins with https://", max_length=LONGEST_ADDRESS)]
    shape: Annotated[HookShape, Doc("Whose form the messages have.")] = HookShape.JSON


@operation("webhook_retrieve", refuses=(404,))
def get_hook(user: User) -> hooks.Hook:
    """Your webhook, and the result of its last test."""
    hook = hooks.hook_of(user)
    if hook is None:
        raise NoHook
    return hooks.shown(hook)


@operation("webhook_save", refuses=(403, 429))
def save_hook(user: User, request: Request, body: WebhookSettings) -> hooks.NewHook:
    """Set your webhook. It replaces the previous one.

    It is tested at once; `test` has the result. Messages to a program are signed as in the Standard
    Webhooks specification, with a new secret each time this is called. A browser's session must
    have given the password, or a code, in the last five minutes.
    """
    if request.auth is None:
        confirm_session(request._request)
    hook = hooks.save_hook(
        user=user, shape=body.shape, url=body.url, address=client_address(request)
    )
    hook.refresh_from_db()
    return hooks.NewHook(hooks.shown(hook), hook.secret)


@operation("webhook_remove")
def remove_hook(user: User) -> None:
    """Remove the webhook. Idempotent."""
    hooks.remove_hook(user=user)


@operation("webhook_test", status=202, refuses=(404, 429))
def request_test(user: User, request: Request) -> Answer[hooks.Hook]:
    """Test the webhook again; `GET /api/webhook/` has the result."""
    hook = hooks.ask_for_test(user=user, address=client_address(request))
    hook.refresh_from_db()
    return Answer(hooks.shown(hook), 202)
