"""Decks for Cockatrice: files that end in ``.cod``.

Such a file has zones. ``main`` is what Cockatrice shuffles, ``side`` what lies beside the table;
a zone of any other name it keeps without playing with it. So a mode's first section is ``main``
and its second is ``side``; a third and further ones keep their own names, with “section ” before
one that Cockatrice means something else by. Games and modes are unknown to Cockatrice: they stand
in the comments' last line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

import rules
from decks.lists.contents import MAX_NOTE_LENGTH, Contents, added_up, marked, tidy, unmarked
from decks.lists.errors import NotOurs, UnknownVersion, Unreadable

if TYPE_CHECKING:
    # Only its name is used here, for types.
    from xml.etree.ElementTree import Element

FORM = "cod"
ROOT = "cockatrice_deck"
VERSION = "1"
MAIN, SIDE, TOKENS = "main", "side", "tokens"
_TAKEN = {MAIN, SIDE, TOKENS}
#: Signs that XML cannot hold at all.
_UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NUMBER = re.compile(r"\s*\+?\d{1,9}\s*", re.ASCII)


def zones(sections: Sequence[str]) -> dict[str, str]:
    """The zone of each of a mode's sections."""
    names = [MAIN, SIDE][: len(sections)]
    names += [f"section {name}" if name in _TAKEN else name for name in sections[2:]]
    return dict(zip(sections, names, strict=True))


def write(deck: Contents) -> str:
    """The deck as Cockatrice reads it; its cards by the names that lists call them."""
    game = rules.game(deck.game)
    named = zones(game.mode(deck.mode).sections)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{ROOT} version="{VERSION}">',
        f"    <deckname>{_said(deck.name)}</deckname>",
        f"    <comments>{_said(marked(deck.notes, deck.game, deck.mode))}</comments>",
    ]
    for section, cards in deck.cards.items():
        lines.append(f'    <zone name="{_said(named.get(section, section))}">')
        for slug, count in cards.items():
            card = game.catalog.get(slug)
            name = card.title if card else slug
            lines.append(f'        <card number="{count}" name="{_said(name)}"/>')
        lines.append("    </zone>")
    lines.append(f"</{ROOT}>")
    return "\n".join(lines) + "\n"


def read(text: str) -> Contents:
    """The deck in such a file; raises ``Unreadable``. Its zones are not yet sections."""
    root = _parsed(text)
    if root.tag != ROOT:
        raise NotOurs(
            f"Not a Cockatrice deck: the XML is a “{str(root.tag)[:40]}”, not a “{ROOT}”."
        )
    if root.get("version", VERSION) != VERSION:
        raise UnknownVersion(
            f"Cockatrice deck version “{str(root.get('version'))[:20]}” is not supported;"
            f" use version {VERSION}."
        )
    comments, game, mode = unmarked(_words(root, "comments"))
    if len(comments) > MAX_NOTE_LENGTH:
        raise Unreadable(f"The comments are longer than {MAX_NOTE_LENGTH:,} characters.")
    return Contents(
        game=game,
        mode=mode,
        name=tidy(_words(root, "deckname")),
        notes=comments,
        tags=tuple(tidy(tag.text or "") for tag in root.iterfind("tags/tag") if tag.text),
        cards=added_up(_entries(root)),
        form=FORM,
    )


def _parsed(text: str) -> Element:
    """The file's elements. Declarations of entities, by which files explode, are refused."""
    try:
        # The file says of itself which encoding it has; it was decoded before it came here.
        root: Element = fromstring(text.encode(), forbid_dtd=True)
    except DefusedXmlException as error:
        raise Unreadable("XML with type or entity declarations is not allowed.") from error
    except (ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"Invalid XML: {str(error)[:100]}.") from error
    return root


def _entries(root: Element) -> Iterator[tuple[str, str, int]]:
    for zone in root.iterfind("zone"):
        for card in zone.iterfind("card"):
            number = card.get("number", "1")
            name = card.get("name", "")
            if not _NUMBER.fullmatch(number):
                raise Unreadable(f"“{number[:20]}” is not a number of copies of “{name[:60]}”.")
            yield tidy(zone.get("name", MAIN)), name, int(number)


def _words(root: Element, tag: str) -> str:
    return root.findtext(tag) or ""


def _said(words: str) -> str:
    return html.escape(_UNSAYABLE.sub("", words))
