"""Pages for printing cards to cut out: what is under way, a new print, and its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from collection.drawing import pictures, sheets
from collection.errors import TooLate
from collection.models import Backs, Card, JobState, Paper
from collection.queries import catalog
from collection.queries import prints as queries
from collection.services import file_jobs
from collection.services import prints as services
from collection.views.numbers import change_count, counts, number
from collection.views.parts import go_to_page_of, render_form_step
from core.errors import Refusal
from core.idempotency import once_per_page


@login_required
@require_safe
def prints(request: HttpRequest) -> HttpResponse:
    """The person's prints of the last week."""
    jobs = list(queries.prints_of(cast(User, request.user))[: queries.SHOWN])
    return render(request, "collection/prints.html", {"jobs": jobs, "kept": file_jobs.KEPT.days})


@login_required
@require_safe
def job(request: HttpRequest, slug: str) -> HttpResponse:
    """One print: how far it is, or its file. htmx asks for the part that changes."""
    print_job = queries.print_of(cast(User, request.user), slug)
    context = {
        "job": print_job,
        "under_way": print_job.under_way,
        "cards": sum(count for _, _, count in print_job.cards),
        "paper": print_job.get_paper_display(),
        "kept": file_jobs.KEPT.days,
    }
    part = bool(request.headers.get("HX-Request"))
    template = "collection/print_state.html" if part else "collection/print.html"
    return render(request, template, context)


@login_required
@require_safe
def file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The PDF, for its owner alone."""
    print_job = queries.print_of(cast(User, request.user), slug)
    if print_job.state != JobState.DONE or not print_job.file:
        raise TooLate("The file is not ready, or was deleted. See the print’s page.")
    name = f"{slugify(print_job.title) or 'cards'}.pdf"
    response = FileResponse(print_job.file.open("rb"), as_attachment=True, filename=name)
    response["Cache-Control"] = "private, no-store"
    return response


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop it, or throw it away."""
    user = cast(User, request.user)
    services.cancel_print(job=queries.print_of(user, slug), user=user)
    messages.info(request, "Print deleted.")
    return redirect("collection:prints")


@login_required
@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """Try one that failed again."""
    user = cast(User, request.user)
    return redirect(services.print_again(job=queries.print_of(user, slug), user=user))


@dataclass
class Order:
    """A print while it is put together: everything that its form carries from step to step."""

    counts: dict[int, int] = field(default_factory=dict)
    words: str = ""
    game: str = ""
    title: str = ""
    paper: str = Paper.A4
    backs: str = Backs.NONE
    marks: bool = True
    gap: int = 0
    pressed: str = ""

    @classmethod
    def read(cls, data: QueryDict) -> Order:
        """The form's values; invalid choices become the defaults."""
        gap, paper, backs = data.get("gap", ""), data.get("paper", ""), data.get("backs", "")
        return cls(
            counts=_counts(data),
            words=data.get("words", "")[:100],
            game=data.get("game", "")[:50],
            title=data.get("title", "")[: services.TITLE_LENGTH],
            paper=paper if paper in Paper.values else Paper.A4,
            backs=backs if backs in Backs.values else Backs.NONE,
            marks="marks" in data or "paper" not in data,
            gap=int(gap) if gap in map(str, sheets.GAPS) else 0,
        )

    def apply_action(self, action: str) -> None:
        """Carry out a button of the form: ``add+12`` adds card 12, ``drop+12`` takes it off."""
        self.pressed = action
        change_count(self.counts, action, "add+", "drop+")

    @property
    def copies(self) -> int:
        """How many cards in all."""
        return sum(self.counts.values())

    @property
    def sides(self) -> int:
        """How many sides of paper that takes."""
        return sheets.Plan(paper=self.paper, backs=self.backs).sheets(self.copies)


def _counts(data: QueryDict) -> dict[int, int]:
    """``n-12=3`` fields, and lines like ``3 game/card`` from other pages."""
    wanted = counts(data, "n-", services.MAX_CARDS + 1)
    named = []
    for line in data.get("cards", "")[:100_000].splitlines():
        count, _, card = line.strip().partition(" ")
        game, _, slug = card.strip().partition("/")
        copies = number(count[:6])
        if copies and slug:
            named.append((game, slug, min(copies, services.MAX_CARDS + 1)))
    if named:
        for pk, more in queries.keys(named)[0].items():
            wanted[pk] = wanted.get(pk, 0) + more
    return wanted


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Choose cards, paper and backs. Every button sends the whole form, so nothing is lost."""
    order = Order.read(request.POST if request.method == "POST" else request.GET)
    button = request.POST.get("action", "")
    if button == "send":
        return _send(request, order)
    order.apply_action(button)
    return _order_page(request, order)


def _send(request: HttpRequest, order: Order) -> HttpResponse:
    user = cast(User, request.user)

    def make() -> str:
        return services.start_print(
            owner=user,
            title=order.title,
            cards=queries.chosen(order.counts),
            paper=order.paper,
            backs=order.backs,
            marks=order.marks,
            gap=order.gap,
        ).slug

    try:
        print_job = queries.print_of(user, once_per_page(request, user, make))
    except Refusal as refusal:
        return _order_page(request, order, refusal)
    return go_to_page_of(request, print_job)


def _order_page(request: HttpRequest, order: Order, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "order": order,
        "games": catalog.games(),
        "chosen": [_item(card, count) for card, count in queries.chosen(order.counts)],
        "picks": [_item(card, 0) for card in queries.picks(order.words, order.game, order.counts)],
        "papers": Paper.choices,
        "backs": Backs.choices,
        "gaps": sheets.GAPS,
        "most": services.MAX_CARDS,
        "added": next((pk for pk in order.counts if order.pressed == f"add+{pk}"), None),
        "dropped": order.pressed.startswith("drop+"),
        "address": reverse("collection:new_print"),
    }
    page, part = "collection/new_print.html", "collection/print_order.html"
    return render_form_step(request, page, part, context, refusal)


def _item(card: Card, count: int) -> dict[str, object]:
    return {"card": card, "count": count, "url": pictures.row_image_url(card, "thumb")}
