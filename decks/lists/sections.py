"""From a file's own words to a list that people can read, change and save."""

from __future__ import annotations

from collections.abc import Sequence

from decks.lists import cockatrice, textlist
from decks.lists.contents import Contents
from decks.lists.homes import home_of, homes_of
from rules.engine.legality import counted

_NO_NAME = "a card without a name"


def as_text(deck: Contents, game: str, sections: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The deck as a typed list, and what people should know about it.

    What is in no section of the mode stands at the end as comments: it is neither lost nor taken
    for something that it may not be.
    """
    if deck.text or not deck.cards:
        return deck.text, ()
    if len(deck.cards) == 1 and (to_sort := _sorted_by_kind(deck, game, sections)):
        return textlist.write_list(to_sort, game), ()
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


def _sorted_by_kind(
    deck: Contents, game: str, sections: Sequence[str]
) -> dict[str, dict[str, int]]:
    """The cards of a file's only part by what they are; empty if the part is a section itself, the
    file is our own (its parts are sections), or there is nothing to sort."""
    (part, counts), *_ = deck.cards.items()
    if deck.game or part in sections or not homes_of(game, tuple(sections)):
        return {}
    if part and _section(deck.form, part, sections) != sections[0]:
        return {}
    cards: dict[str, dict[str, int]] = {section: {} for section in sections}
    section = sections[0]
    for name, count in counts.items():
        name = name or _NO_NAME
        card = textlist.find_card(name, game)
        if card:
            section = home_of(card, game, sections)
        key = card or textlist.unread_name(name, game)
        cards[section][key] = cards[section].get(key, 0) + count
    return {section: kept for section, kept in cards.items() if kept}


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
