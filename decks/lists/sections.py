"""From a file's own words to a list that people can read, change and save."""

from __future__ import annotations

from collections.abc import Sequence

from decks.lists import cockatrice, textlist
from decks.lists.contents import Contents
from rules.engine.legality import counted

_NO_NAME = "a card without a name"


def as_text(deck: Contents, game: str, sections: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The deck as a typed list, and what people should know about it.

    What is in no section of the mode stands at the end as comments: it is neither lost nor taken
    for something that it may not be.
    """
    if deck.text or not deck.cards:
        return deck.text, ()
    cards: dict[str, dict[str, int]] = {}
    beside: list[str] = []
    notices: list[str] = []
    for part, counts in deck.cards.items():
        section = _section(deck.form, part, sections)
        if not section:
            size = sum(counts.values())
            notices.append(
                f"“{part}” is not a section of this deck type. {counted(size, 'card')}"
                f" {'is' if size == 1 else 'are'} kept as comments at the end."
            )
            beside += [f"# [{part}]", *(f"# {count} {name}" for name, count in counts.items())]
            continue
        in_section = cards.setdefault(section, {})
        for name, count in counts.items():
            name = name or _NO_NAME
            card = textlist.find_card(name, game) or textlist.unread_name(name, game)
            in_section[card] = in_section.get(card, 0) + count
    ordered = {section: cards[section] for section in sections if section in cards}
    text = textlist.write_list(ordered, game)
    if beside:
        text += "\n" * bool(text) + "\n".join(beside) + "\n"
    return text, tuple(notices)


def _section(form: str, part: str, sections: Sequence[str]) -> str:
    """The section that a part of a file is; a part without a name is the first one."""
    if form == cockatrice.FORM:
        zones = {zone: section for section, zone in cockatrice.zones(sections).items()}
        if part in zones:
            return zones[part]
        if part in (cockatrice.SIDE, cockatrice.TOKENS):
            return ""
    if part in sections:
        return part
    return textlist.find_section(part, sections) if part else sections[0]
