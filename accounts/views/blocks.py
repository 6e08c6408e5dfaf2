"""Blocked people."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.forms import BlockForm
from accounts.models import BlockKind, User
from accounts.queries.blocks import blocks_of
from accounts.services import blocks as blocks_blocks
from accounts.views.entrance import next_address
from core.errors import Refusal


@login_required
@never_cache
@require_GET
def block_list(request: HttpRequest) -> HttpResponse:
    """Whom one has blocked, and a form to block somebody."""
    return _blocks_page(request, BlockForm(initial={"username": request.GET.get("username", "")}))


def _blocks_page(request: HttpRequest, form: BlockForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "blocks": blocks_of(cast(User, request.user)),
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
        row = blocks_blocks.block(
            user=cast(User, request.user),
            username=form.cleaned_data["username"],
            kind=form.cleaned_data["kind"],
        )
    except Refusal as refusal:
        form.add_error("username", refusal.detail)
        return _blocks_page(request, form, status=refusal.status)
    messages.success(request, f"{row.other} is blocked, and is not told.")
    return redirect(next_address(request, reverse("accounts:blocks")))


@login_required
@require_POST
def end_block(request: HttpRequest) -> HttpResponse:
    """End a block."""
    username = request.POST.get("username", "")
    ended = blocks_blocks.end_block(user=cast(User, request.user), username=username)
    messages.info(request, "The block is ended." if ended else "That block had ended already.")
    return redirect("accounts:blocks")
