"""Pages of decks: my decks, one deck, and its list as text with a running verdict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.drawing.sharing import shared_picture
from collection.views.numbers import number
from collection.views.parts import is_htmx_update
from core.budgets import metered_view
from core.errors import Refusal
from decks.drawing import notes
from decks.drawing import preview as preview_pictures
from decks.errors import AboutChanged, BadDeck, DeckChanged, UnknownDeck
from decks.forms import Clash, DeckForm, DraftForm, known_play
from decks.lists import textlist
from decks.models import Deck, Visibility
from decks.models.comments import COMMENT_LENGTH
from decks.models.tags import tidy
from decks.queries import builder, comments, formats, verdicts, versions
from decks.queries import decks as queries
from decks.queries.shared import DeckSearch, shared_page
from decks.services import decks as services
from decks.services.about import stamps, write_stamp
from decks.views.about_forms import AboutForm
from decks.views.builder_forms import question
from decks.views.once import make_deck_once

_BUTTONS = ("fix", "rename")
OTHERS_SHOWN = 6
PICTURE_KEPT = 24 * 60 * 60


@require_safe
@metered_view
def mine(request: HttpRequest) -> HttpResponse:
    """My decks, all or those with a tag, the ready-made ones, and what others show."""
    starters = [
        (slug, game.name, list(game.starter_decks.values()))
        for slug, game in rules.games().items()
        if game.starter_decks
    ]
    tag = tidy(request.GET.get("tag", ""))
    others = shared_page(DeckSearch(), size=OTHERS_SHOWN, but=request.user.pk)
    context = {
        "decks": queries.decks_of(request.user, tag=tag),
        "tag": tag,
        "tags": queries.tags_of(request.user),
        "starters": starters,
        "public": others.pages,
    }
    return render(request, "decks/mine.html", context)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Build a deck by typing its list."""
    return _edit(request, None)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a deck of mine."""
    return _edit(request, queries.own_deck(request.user, slug))


def _edit(request: HttpRequest, deck: Deck | None) -> HttpResponse:
    game = deck.game if deck else ""
    if request.method == "GET":
        return _editor(request, DeckForm(initial=_initial(request, deck), game=game), deck)
    if deck is not None and "merge" in request.POST:
        return _merged(request, deck)
    form = DeckForm(request.POST, game=game)
    if any(name in request.POST for name in _BUTTONS):
        # Without JavaScript the verdict's buttons come here; nothing is saved by them.
        draft = DraftForm(request.POST, game=game)
        if draft.is_valid():
            data = draft.cleaned_data
            text = pressed_list(request, data["text"], data["game"], data["mode"])
            data = data | {"text": text}
            return _editor(request, DeckForm(initial=data, game=game), deck)
        form = draft
    elif form.is_valid():
        try:
            saved = _save(request, form, deck)
        except DeckChanged as refusal:
            # What was typed stands in the form still; the page says what to do with it.
            return _editor(request, form, deck, status=refusal.status, late=True)
        except AboutChanged as refusal:
            assert deck is not None
            deck.refresh_from_db()
            data, clashes = form.beside(deck, refusal)
            form = DeckForm(data, game=game)
            form.is_valid()
            return _editor(request, form, deck, status=refusal.status, clashes=clashes)
        except BadDeck as error:
            form.add_error("text", error.problems)
        else:
            messages.success(request, "Saved.")
            return redirect(saved)
    return _editor(request, form, deck, status=422)


def _save(request: HttpRequest, form: DeckForm, deck: Deck | None) -> Deck:
    data = form.cleaned_data
    about = form.about() | {
        "mode": data["mode"],
        "text": data["text"],
        "skip_unread": "skip" in request.POST,
    }
    if deck is not None:
        about |= {"user": cast(User, request.user), "expected": _seen(request)}
        return services.update_deck(slug=deck.slug, **about)
    about.pop("expected_about", None)
    owner = ensure_guest(request)

    make = partial(services.create_deck, owner=owner, game=data["game"], **about)
    return make_deck_once(request, owner, make)


def _initial(request: HttpRequest, deck: Deck | None) -> dict[str, Any]:
    if deck is None:
        return {"play": request.GET.get("play", "")}
    return {
        "name": deck.name,
        "play": f"{deck.game}/{deck.mode}",
        "visibility": deck.visibility,
        "expected_about": write_stamp(stamps(deck)),
        "text": deck.typed or textlist.write_list(queries.decklist(deck), deck.game),
    }


def _seen(request: HttpRequest) -> int | None:
    """The version that what was typed is meant to follow: the one that its writer saw, or was told
    of when another had come in between."""
    number = request.POST.get("over") or request.POST.get("expected", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _merged(request: HttpRequest, deck: Deck) -> HttpResponse:
    """Put what was changed meanwhile into the list that was typed; nothing is saved by it."""
    draft = DraftForm(request.POST, game=deck.game)
    seen = _seen(request)
    meanwhile = versions.since(deck, seen) if seen is not None else None
    if not draft.is_valid() or meanwhile is None:
        return _editor(request, draft, deck, status=422, late=True)
    data = draft.cleaned_data
    sections = services.sections_of(deck.game, data["mode"])
    for card_change in meanwhile.changes:
        change = card_change.change
        section = change.section if change.section in sections else sections[0]
        data["text"] = textlist.change_list(
            data["text"], deck.game, section, {change.card: change.by}, sections
        )
    form = DeckForm(initial=data, game=deck.game)
    return _editor(request, form, deck, seen=deck.version, merged=True)


def _editor(
    request: HttpRequest,
    form: DeckForm,
    deck: Deck | None,
    status: int = 200,
    *,
    seen: int | None = None,
    late: bool = False,
    clashes: Sequence[Clash] = (),
    merged: bool = False,
) -> HttpResponse:
    """The page with the form and the verdict on what stands in it.

    ``late``: the deck was changed after the writer had ``seen`` it, so nothing was saved.
    ``clashes``: so was what is said about it, in these fields.
    ``merged``: what was changed has been put into the list.
    """
    draft = form
    if not form.is_bound:
        game = deck.game if deck else ""
        form.initial["play"] = known_play(form.initial.get("play"), game)
        draft = DraftForm(form.initial, game=game)
        draft.is_valid()
    context: dict[str, Any] = {
        "form": form,
        "deck": deck,
        "verdict": _verdict(draft, deck),
        "clashes": clashes,
        "merged": merged,
    }
    if deck is not None:
        posted = _seen(request) if request.method == "POST" else deck.version or None
        context["seen"] = seen = posted if seen is None else seen
        if late and seen is not None:
            deck.refresh_from_db()
            context["late"] = True
            context["meanwhile"] = versions.since(deck, seen)
            context["now"] = _initial(request, deck)["text"]
    return render(request, "decks/edit.html", context, status=status)


def _verdict(form: DeckForm, deck: Deck | None) -> verdicts.Verdict | None:
    """The verdict on a form that was cleaned; None where it does not even say what it is for.

    The house format of the deck that is changed counts as long as the mode stays.
    """
    if form.reading is None:
        return None
    data = form.cleaned_data
    name = " ".join(data.get("name", "").split())
    house = formats.house_of(deck) if deck and deck.mode == data["mode"] else None
    ruling = verdicts.ruling(
        data["game"],
        data["mode"],
        formats.rules_format(house),
        name=name,
        player=deck.owner if deck else None,
    )
    return ruling.verdict(form.reading)


def _changed(request: HttpRequest) -> Deck | None:
    """The deck of one's own that the typed list is to change."""
    slug = request.POST.get("deck", "")
    deck = queries.access_deck(request.user, slug) if slug else None
    return deck if deck is not None and deck.owner_id == request.user.pk else None


@require_POST
@metered_view
def check(request: HttpRequest) -> HttpResponse:
    """The running verdict, as a piece of the page; a fix or a suggestion changes the list too."""
    form, deck = DraftForm(request.POST), _changed(request)
    if form.is_valid() and any(name in request.POST for name in _BUTTONS):
        changed = request.POST.copy()
        data = form.cleaned_data
        changed["text"] = pressed_list(request, data["text"], data["game"], data["mode"])
        form = DraftForm(changed)
        form.is_valid()
        form.fields["text"].widget.attrs |= {
            "hx-swap-oob": "true",
            "aria-describedby": "id_text_help",
        }
        return render(
            request,
            "decks/check.html",
            {"verdict": _verdict(form, deck), "changed": form["text"]},
        )
    errors = [str(error) for field_errors in form.errors.values() for error in field_errors]
    context = {"verdict": _verdict(form, deck), "errors": errors}
    return render(request, "decks/check.html", context)


def pressed_list(request: HttpRequest, text: str, game: str, mode: str) -> str:
    """A typed list after one of the verdict's buttons: a suggestion or a fix was taken."""
    sections = services.sections_of(game, mode)
    try:
        if "rename" in request.POST:
            number, card = verdicts.parse_suggestion(request.POST["rename"])
            return textlist.rename_line(text, game, number, card, sections)
        fix = verdicts.parse_fix(request.POST["fix"])
    except ValueError as error:
        raise BadRequest(str(error)) from error
    if not {fix.section, fix.to} <= {*sections, ""}:
        raise BadRequest("Unknown deck section.")
    return textlist.fix_list(text, game, fix, sections)


@require_safe
def deck(request: HttpRequest, slug: str) -> HttpResponse:
    """One deck: its cards, its report, and all that can be done with it."""
    return deck_page(request, queries.access_deck(request.user, slug))


@require_POST
def about(request: HttpRequest, slug: str) -> HttpResponse:
    """Change who may see a deck of mine, its tags and its notes."""
    deck = queries.own_deck(request.user, slug)
    form = AboutForm(request.POST)
    if "preview" in request.POST:
        return _preview(request, deck, form)
    if form.is_valid():
        try:
            saved = services.update_deck(user=deck.owner, slug=slug, **form.about())
        except AboutChanged as refusal:
            # What was typed stands in the form still; the page says what to do with it.
            deck.refresh_from_db()
            data, clashes = form.beside(deck, refusal)
            return deck_page(request, deck, AboutForm(data), clashes, status=refusal.status)
        except BadDeck as error:
            form.add_error(error.field, error.problems)
        else:
            messages.success(request, "Saved.")
            return redirect(saved)
    return deck_page(request, deck, form, status=422)


def _preview(request: HttpRequest, deck: Deck, form: AboutForm) -> HttpResponse:
    """How the notes that stand in the form would look; nothing is saved."""
    try:
        preview: dict[str, Any] = {
            "drawn": notes.draw(services.tidy_notes(request.POST.get("notes", "")), deck.game)
        }
    except BadDeck as error:
        preview = {"problems": error.problems}
    if is_htmx_update(request):
        return render(request, "decks/notes_preview.html", {"preview": preview})
    return deck_page(request, deck, form, preview=preview)


def deck_page(
    request: HttpRequest,
    deck: Deck,
    form: AboutForm | None = None,
    clashes: Sequence[Clash] = (),
    status: int = 200,
    preview: dict[str, Any] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The page of a deck, after a ``refusal`` with the comment that was written."""
    page = queries.deck_page(deck)
    is_mine = deck.owner_id == request.user.pk
    context = {
        "page": page,
        "deck": deck,
        "groups": verdicts.report_groups(verdicts.without_early_advice(page.report))
        if page.report
        else (),
        "notes": notes.draw(deck.notes, deck.game).html,
        "preview": preview,
        "text": textlist.write_list(page.cards, deck.game) if page.report else "",
        "shape": builder.shape_of(deck, page.cards, question(request.GET)),
        "is_mine": is_mine,
        "link": request.build_absolute_uri(deck.get_absolute_url()),
        "prints": "\n".join(f"{held.count} {deck.game}/{held.slug}" for held in page.held),
        "original": queries.original_of(deck, request.user),
    }
    if is_mine:
        context["can_undo"], context["can_redo"] = versions.undo_and_redo(deck)
        context["about"] = form or AboutForm(
            initial={
                "visibility": deck.visibility,
                "tags": ", ".join(page.tags),
                "notes": deck.notes,
                "expected_about": write_stamp(stamps(deck)),
            }
        )
        context["clashes"] = clashes
    else:
        context["liked"] = queries.likes(request.user, deck)
    if deck.visibility != Visibility.PRIVATE:
        context |= _among_people(request, page, refusal)
    status = status if refusal is None else refusal.status
    return render(request, "decks/deck.html", context, status=status)


def _among_people(
    request: HttpRequest, page: queries.DeckPage, refusal: Refusal | None
) -> dict[str, Any]:
    """Context of decks that others may see: comments, and the preview for other sites."""
    before = number(request.GET.get("before", ""))
    comments_page, rows = comments.drawn(page.deck, request.user, before)
    return {
        "said": comments_page,
        "comments": rows,
        "before": before,
        "comment_length": COMMENT_LENGTH,
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
        "picture": request.build_absolute_uri(preview_pictures.address(page)),
        "picture_title": preview_pictures.title(page),
        "summary": preview_pictures.description(page),
    }


@require_safe
def preview_picture(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """The picture that other sites show of a link to a deck (JPEG, 1200 × 630)."""
    deck = queries.access_deck(request.user, slug)
    if deck.visibility == Visibility.PRIVATE:
        raise UnknownDeck
    page = queries.deck_page(deck)
    now = preview_pictures.digest(page)
    if digest != now:
        return redirect("decks:preview_picture", slug, now)
    picture = shared_picture(
        request,
        f"deck {now}",
        lambda: preview_pictures.picture(page),
        max_age=PICTURE_KEPT,
    )
    answer = HttpResponse(picture, content_type="image/jpeg")
    answer["Cache-Control"] = f"public, max-age={PICTURE_KEPT}"
    return answer


@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a deck of mine."""
    deck = queries.access_deck(request.user, slug)
    services.delete_deck(user=cast(User, request.user), slug=slug)
    messages.success(request, f"“{deck.name}” deleted.")
    return redirect("decks:mine")


@require_safe
def ready_made(request: HttpRequest, game: str, starter: str) -> HttpResponse:
    """A ready-made deck, to be looked at before it is copied."""
    ready, page = queries.ready_made_page(game, starter)
    modes = rules.game(game).modes
    context = {
        "starter": ready,
        "page": page,
        "deck": page.deck,
        "modes": [modes[slug].name for slug in ready.modes if slug in modes],
        "shape": builder.shape_of(page.deck, page.cards, question(request.GET)),
    }
    return render(request, "decks/ready_made.html", context)


@require_POST
def copy_starter(request: HttpRequest, game: str, starter: str) -> HttpResponse:
    """Make a ready-made deck mine, to change it."""
    owner = ensure_guest(request)
    make = partial(services.deck_from_starter, owner=owner, game=game, starter=starter)
    copy = make_deck_once(request, owner, make)
    messages.success(request, f"Cloned as “{copy.name}”.")
    return redirect(copy)
