"""Template tags for the parts of the look that every page shares: icons, marks, dice, avatars."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.template.context import RequestContext
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.introductions import hues_version, mark
from core.themes import current_theme

register = template.Library()

_NUMBERED = re.compile(r"[A-Z]+-[A-Z]+-\d+")


@lru_cache(maxsize=512)
def _symbol(sheet: str, name: str, css: str, label: str = "") -> SafeString:
    """One symbol of an SVG sheet of the site. Kept, for a page draws dozens."""
    return _drawn(f"{static(f'img/{sheet}.svg')}#{name}", css, label)


def _drawn(href: str, css: str, label: str = "") -> SafeString:
    """The icon at ``href``; without a label it is decoration, hidden from screen readers."""
    if label:
        return format_html(
            '<svg class="{}" role="img" aria-label="{}"><use href="{}"></use></svg>',
            css,
            label,
            href,
        )
    return format_html(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="{}"></use></svg>',
        css,
        href,
    )


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """A line icon in the colour of the words around it: `{% icon "search" %}`."""
    return _symbol("icons", name, "icon", label)


@register.simple_tag
def rule_link(rule: str) -> SafeString:
    """A numbered rule that leads to where it stands; one of the house leads nowhere."""
    if not _NUMBERED.fullmatch(rule):
        return format_html("{}", rule)
    return format_html('<a href="{}">{}</a>', reverse("matches:rule", args=(rule,)), rule)


@register.simple_tag
def brand_mark() -> SafeString:
    """Riffle's own mark: three cards in a fan."""
    return _symbol("marks", "riffle", "brand-mark")


@register.simple_tag
def game_mark(slug: str, size: str = "", label: str = "") -> SafeString:
    """A game's glyph; `size` is "", "small" or "large". Its colour comes from `data-game`."""
    css = f"game-mark game-mark-{size}" if size else "game-mark"
    return _drawn(mark_address(slug), css, label)


@register.simple_tag
def mark_address(slug: str) -> str:
    """Where a game's glyph is drawn, for `<use>`."""
    file, name = mark(slug)
    return f"{static(file)}#{name}"


@register.simple_tag
def game_hues() -> SafeString:
    """The link to the style sheet with the hues of all games."""
    address = f"{reverse('game-hues')}?v={hues_version()}"
    return format_html('<link rel="stylesheet" href="{}">', address)


_IMPORTED = re.compile(r'^import [^;]*?"(\.[^"]+)";', re.MULTILINE)


@register.simple_tag
def preload_modules(script: str) -> SafeString:
    """Links to all that a module imports: fetched beside it, and not one after another."""
    addresses = ((static(module),) for module in _modules(script))
    return format_html_join("\n  ", '<link rel="modulepreload" href="{}">', addresses)


@lru_cache(maxsize=64)
def _modules(script: str) -> list[str]:
    modules = [script]
    for module in modules:
        path = finders.find(module)
        text = Path(path).read_text(encoding="utf-8") if isinstance(path, str) else ""
        for name in _IMPORTED.findall(text):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            if imported not in modules:
                modules.append(imported)
    return modules[1:]


@register.simple_tag
def die(value: int, css: str = "") -> SafeString:
    """One drawn die that shows `value`; `css` adds classes such as "die-small" or "die-hit"."""
    return _symbol("dice", f"die-{int(value)}", f"die {css}".strip(), f"{value}")


@register.simple_tag
def drawing(name: str) -> SafeString:
    """A line drawing for an empty state."""
    return _symbol("drawings", name, "empty-drawing")


# Skies, suns, far and near hills: pairs that stay calm beside any text.
_PALETTES = (
    ("#f3d9b1", "#c8553d", "#7a9e9f", "#2f4858"),
    ("#cfe3e2", "#f6f0e2", "#5b8e7d", "#1f4e4a"),
    ("#f0c9b8", "#fff3df", "#a26769", "#582c4d"),
    ("#d8d4ec", "#f7e8c8", "#8d7fb5", "#46345f"),
    ("#bfd7ea", "#fff6dd", "#6a8caf", "#23345c"),
    ("#e8e3c0", "#d98324", "#8a9a5b", "#443627"),
    ("#f7dfd4", "#b23a48", "#d39c83", "#5e3023"),
    ("#c5dccb", "#efe9c9", "#6b9a8b", "#2c5a50"),
    ("#2b3a55", "#f3e6c4", "#48608a", "#141d30"),
    ("#4a3b52", "#f2b8a0", "#7a5c78", "#261b36"),
)


def _bytes_of(seed: str) -> Iterator[int]:
    return iter(hashlib.sha256(seed.encode()).digest())


@register.simple_tag
def avatar(seed: object, size: str = "") -> SafeString:
    """A small landscape drawn from a name or a person; always the same for the same one.

    People are seeded by their key, so that a new display name keeps the picture.
    """
    key = getattr(seed, "pk", None)
    draw = _bytes_of(f"person {key}" if key is not None else f"name {seed}")
    sky, sun, far, near = _PALETTES[next(draw) % len(_PALETTES)]
    sun_x, sun_y, sun_r = 8 + next(draw) % 17, 8 + next(draw) % 6, 3 + next(draw) % 4
    a, b, c = (13 + next(draw) % 9 for _ in range(3))
    d, e, f = (20 + next(draw) % 8 for _ in range(3))
    css = f"avatar avatar-{size}" if size else "avatar"
    return format_html(
        '<svg class="{}" viewBox="0 0 32 32" aria-hidden="true" focusable="false">'
        '<path fill="{}" d="M0 0h32v32H0z"/><circle fill="{}" cx="{}" cy="{}" r="{}"/>'
        '<path fill="{}" d="M0 {}Q8 {} 16 {}T32 {}V32H0z"/>'
        '<path fill="{}" d="M0 {}Q10 {} 18 {}T32 {}V32H0z"/></svg>',
        css,
        sky,
        sun,
        sun_x,
        sun_y,
        sun_r,
        far,
        a,
        b - 4,
        b,
        c,
        near,
        d,
        e - 4,
        e,
        f,
    )


@register.simple_tag(takes_context=True)
def theme(context: RequestContext) -> str:
    """The theme this page is drawn in: "light", "dark" or "auto" (as the device says)."""
    request = context.get("request")
    return current_theme(request) if request is not None else "auto"


@register.inclusion_tag("components/nav_link.html", takes_context=True)
def nav_link(
    context: RequestContext,
    url_name: str,
    label: str,
    icon_name: str,
    *,
    whole_app: bool = False,
    exact: bool = False,
) -> dict[str, object]:
    """One entry of the main navigation; an address that this installation lacks is left out.

    It is marked on its page and those below it; with ``exact`` on its page alone, with
    ``whole_app`` on every page of its app, whatever the address.
    """
    try:
        url = reverse(url_name)
    except NoReverseMatch:
        return {"url": ""}
    request = context.get("request")
    current = request is not None and request.path.startswith(url)
    if exact:
        current = request is not None and request.path == url
    if whole_app and request is not None and request.resolver_match is not None:
        current = request.resolver_match.app_name == url_name.partition(":")[0]
    return {
        "url": url,
        "label": label,
        "icon": icon_name,
        "current": current,
        "request": request,
        "user": context.get("user"),
        "waits": context.get("waits"),
    }


@register.inclusion_tag("components/field.html")
def field(bound: BoundField, help_text: str = "") -> dict[str, object]:
    """A form field with label, help and errors, tied together for screen readers."""
    text = help_text or bound.help_text
    described = [f"{bound.auto_id}_help"] if text else []
    if bound.errors:
        described.append(f"{bound.auto_id}_error")
    attrs: dict[str, str | bool] = {}
    if described:
        attrs["aria-describedby"] = " ".join(described)
    widget = bound.field.widget
    return {
        "field": bound,
        "control": bound.as_widget(attrs=attrs),
        "help_text": mark_safe(text) if text else "",  # noqa: S308  (written by us, never by visitors)
        "is_check": isinstance(widget, CheckboxInput),
        "is_several": isinstance(widget, CheckboxSelectMultiple),
        "is_radio": isinstance(widget, RadioSelect),
    }
